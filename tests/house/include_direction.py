#!/usr/bin/python3
"""Includes point one way: base <- device <- mesh <- model, state, report <- forces and solvers <- world and step
<- files and scenes <- command line. A file may include its own layer and those below."""
import os
import re
import sys

LAYERS = {
    "base": 0,
    "device": 1,
    "mesh": 2, "judge": 2,
    "detect": 4, "force": 4, "solve": 4, "respond": 4, "integrate": 4,
    "material": 6, "io": 6, "scene": 6,
    "picture": 6, "view": 6,
    "cli": 7, "bench": 7,  # the command line measures the machine as the benchmarks do
}
BETWEEN = {"model.h": 3, "motion.h": 3, "obstacle.h": 3, "obstacle.kernel.h": 3, "state.h": 3, "report.h": 3}  # what forces and solvers look at; the rest of src/ is the world
WORLD = 5
NAMES = {0: "base", 1: "device", 2: "mesh", 3: "model and state", 4: "forces and solvers", 5: "world and step",
         6: "files and scenes", 7: "command line"}
# The library must do without pictures, and pictures without the library. The judge shares nothing with what it judges.
APART = {"picture": {"base", "device", "picture"}, "judge": {"base", "judge"}}

root = os.environ["WEFT_SOURCE_DIR"]


def layer(path):
    """path: below src/ or cli/. None for a folder this check does not know."""
    parts = path.split("/")
    if len(parts) > 1:
        return LAYERS.get(parts[0])
    return BETWEEN.get(parts[0], WORLD)


def check(path, source, problems):
    own = layer(path)
    if own is None:
        problems.append(f"{path}: unknown folder; give it a layer in tests/house/include_direction.py")
        return 0
    count = 0
    for number, line in enumerate(source.split("\n"), 1):
        match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        if not match:
            continue
        count += 1
        target = match.group(1)
        where = f"{path}:{number}: includes {target}"
        folder = target.split("/")[0]
        other = layer(target)
        if folder == "weft":
            problems.append(f"{where}: public headers stand in angle brackets")
        elif not os.path.exists(os.path.join(root, target if folder in ("cli", "bench") else os.path.join("src", target))):
            problems.append(f"{where}: name it from src/ on, so that its layer can be seen")
        elif other is None or other > own:
            problems.append(f"{where}: {NAMES[own]} must not know {NAMES.get(other, 'it')}")
        elif folder == "picture" and own != 7 and not path.startswith("picture/"):
            problems.append(f"{where}: the library does without pictures")
        elif path.startswith("picture/") and folder not in APART["picture"]:
            problems.append(f"{where}: pictures do without the library")
        elif path.startswith("judge/") and folder not in APART["judge"]:
            problems.append(f"{where}: the judge shares nothing with what it judges")
        elif folder == "judge" and not path.startswith("judge/") and path != "check.c":
            problems.append(f"{where}: only check.c asks the judge; what it judges does without it")
    return count


problems, files, includes = [], 0, 0
for top in ("src", "cli"):
    for folder, _, names in sorted(os.walk(os.path.join(root, top))):
        for name in sorted(names):
            if not name.endswith((".c", ".h")):
                continue
            full = os.path.join(folder, name)
            path = os.path.relpath(full, os.path.join(root, "src") if top == "src" else root)
            with open(full, encoding="utf-8") as stream:
                includes += check(path, stream.read(), problems)
            files += 1
print("\n".join(problems))
print(f"{files} files, {includes} includes, {len(problems)} against the direction")
sys.exit(1 if problems or files == 0 else 0)
