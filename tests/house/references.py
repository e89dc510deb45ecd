#!/usr/bin/python3
"""Every work cited by key and year in brackets in sources, tests and documents is in docs/references.bib."""
import os
import re
import sys

root = os.environ["WEFT_SOURCE_DIR"]
with open(os.path.join(root, "docs/references.bib"), encoding="utf-8") as stream:
    entries = re.findall(r"^@\w+\{(\w+),", stream.read(), re.M)
known = set(entries)
problems = [f"docs/references.bib: {key} is there twice" for key in known if entries.count(key) > 1]
cited = 0
for top in ("include", "src", "cli", "tests", "bench", "docs", "materials", "scenes"):
    for folder, _, names in os.walk(os.path.join(root, top)):
        for name in names:
            if not name.endswith((".c", ".h", ".md", ".json", ".py")) or "corpus" in folder:
                continue
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8", errors="replace") as stream:
                for number, line in enumerate(stream, 1):
                    # also the second key of "[Tang16 alg. 1; Wang11 eq. 2]", and what `weft list methods` shows
                    places = re.findall(r"\[([A-Z][A-Za-z]+[0-9]{2}[^\]]*)\]", line)
                    places += re.findall(r"\bcitation = (\".*\")", line)
                    for bracket in places:
                        for key in re.findall(r"\b[A-Z][A-Za-z]+[0-9]{2}\b", bracket):
                            cited += 1
                            if key not in known:
                                problems.append(f"{os.path.relpath(path, root)}:{number}: [{key}] is not in docs/references.bib")
print("\n".join(sorted(problems)))
print(f"{cited} citations, {len(known)} references, {len(problems)} problems")
sys.exit(1 if problems or not known else 0)
