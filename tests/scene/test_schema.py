#!/usr/bin/env python3
"""scenes/scene.schema.json, by an independent validator: it accepts every scene and material that ships, refuses every
broken scene of which broken_scenes.txt says that a schema can tell, and accepts those of which only weft can."""
import json
import os
import pathlib
import sys

import jsonschema

root = pathlib.Path(os.environ.get("WEFT_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
schema = json.loads((root / "scenes/scene.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
scene_validator = jsonschema.Draft202012Validator(schema)
material_validator = jsonschema.Draft202012Validator({"$ref": "#/$defs/material", "$defs": schema["$defs"]})
faults = 0


def check(is_right, text):
    global faults
    if not is_right:
        faults += 1
        print(text)


def accepts(validator, path):
    for error in validator.iter_errors(json.loads(path.read_text())):
        check(False, f"{path.name}: {'/'.join(map(str, error.absolute_path))}: {error.message}")


scenes = sorted(p for p in (root / "scenes").glob("*.json") if p.name != "scene.schema.json")
materials = sorted((root / "materials").glob("*.json"))
check(len(scenes) >= 6, f"only {len(scenes)} scenes")
check(len(materials) >= 8, f"only {len(materials)} materials")
for path in scenes:
    accepts(scene_validator, path)
for path in materials:
    accepts(material_validator, path)

cases = 0
for case in (root / "tests/scene/broken_scenes.txt").read_text().split("== ")[1:]:
    head, rest = case.split("\n", 1)
    name, who = head.split()
    text = rest.split("\n-> ")[0]
    cases += 1
    try:
        is_valid = scene_validator.is_valid(json.loads(text))
    except json.JSONDecodeError:
        continue
    check(is_valid == (who == "weft"), f"{name}: the schema {'accepts' if is_valid else 'refuses'} it")
check(cases >= 200, f"only {cases} broken scenes")
print(f"{len(scenes)} scenes, {len(materials)} materials, {cases} broken scenes, {faults} faults")
sys.exit(1 if faults else 0)
