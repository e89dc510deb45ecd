#!/usr/bin/python3
"""scenes/scene.schema.json is a JSON Schema, takes every scene that ships, and refuses a misspelt key in each."""
import copy
import glob
import json
import os
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

folder = os.path.join(os.environ["WEFT_SOURCE_DIR"], "scenes")
with open(os.path.join(folder, "scene.schema.json"), encoding="utf-8") as stream:
    schema = json.load(stream)
validator_class = jsonschema.validators.validator_for(schema, default=None)
if validator_class is None:
    sys.exit("scene.schema.json: no known $schema")
validator_class.check_schema(schema)
validator = validator_class(schema)


def objects(value, path=()):
    """All objects inside a JSON value, with their paths."""
    if isinstance(value, dict):
        yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from objects(child, path + (key,))


problems, mutations, scenes = [], 0, 0
for path in sorted(glob.glob(os.path.join(folder, "**/*.json"), recursive=True)):
    if path.endswith((".schema.json", ".material.json")):
        continue
    scenes += 1
    name = os.path.basename(path)
    with open(path, encoding="utf-8") as stream:
        scene = json.load(stream)
    for error in validator.iter_errors(scene):
        problems.append(f"{name}: {'.'.join(map(str, error.absolute_path))}: {error.message}")
    for place in objects(scene):
        changed = copy.deepcopy(scene)
        inner = changed
        for key in place:
            inner = inner[key]
        inner["no_such_key"] = 1
        mutations += 1
        if validator.is_valid(changed):
            problems.append(f"{name}: an unknown key in {'.'.join(map(str, place)) or 'the scene'} is taken")
print("\n".join(problems))
print(f"{scenes} scenes, {mutations} misspelt, {len(problems)} problems")
sys.exit(1 if problems or scenes == 0 else 0)
