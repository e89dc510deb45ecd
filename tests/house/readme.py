#!/usr/bin/python3
"""What the README shows works: its scene is taken by weft, its C program is the sample, its files are there."""
import json
import os
import re
import subprocess
import sys
import tempfile

root, weft = os.environ["WEFT_SOURCE_DIR"], sys.argv[1]
with open(os.path.join(root, "README.md"), encoding="utf-8") as stream:
    readme = stream.read()
problems = []

blocks = re.findall(r"^```(\w*)\n(.*?)^```$", readme, re.M | re.S)
scenes = [text for kind, text in blocks if kind == "json"]
programs = [text for kind, text in blocks if kind == "c"]
with open(os.path.join(root, "samples/minimal/minimal.c"), encoding="utf-8") as stream:
    sample = stream.read()
if programs != [sample]:
    problems.append("the C program is not samples/minimal/minimal.c")
if len(scenes) != 1:
    problems.append(f"{len(scenes)} scenes instead of one")
for scene in scenes:
    json.loads(scene)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "hanging.json")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(scene)
        done = subprocess.run([weft, "run", path, "--frames", "1", "--set", "cloths.0.material=silk", "--out", folder],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0 or not os.path.exists(os.path.join(folder, "picture_0001.png")):
            problems.append(f"the scene does not run: {done.stderr}")

documents = ["README.md", "CONTRIBUTING.md"] + ["docs/" + n for n in os.listdir(os.path.join(root, "docs")) if n.endswith(".md")]
for document in documents:
    with open(os.path.join(root, document), encoding="utf-8") as stream:
        text = stream.read()
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        if not os.path.exists(os.path.join(root, os.path.dirname(document), target)):
            problems.append(f"{document}: {target} is not there")
print("\n".join(problems))
print(f"{len(documents)} documents, {len(problems)} problems")
sys.exit(1 if problems else 0)
