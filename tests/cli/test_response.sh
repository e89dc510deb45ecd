#!/bin/bash
# Links of the response with budgets of their own, and response.csv: a line a step and link, the same after --resume.
#   test_response.sh WEFT
set -u
weft=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
. "$WEFT_SOURCE_DIR/tests/cli/expect.sh"

# two sheets that are thrown onto a ball without contact forces: the links have to do it
cat >drop.json <<'JSON'
{"name": "drop", "frames": 12, "steps_per_frame": 2, "frame_rate": 50,
 "collision": {"enabled": true, "response": [{"link": "impulse", "rounds": 1}, "truncate"]},
 "cloths": [{"mesh": {"rectangle": {"width": 0.4, "height": 0.4, "columns": 12, "rows": 12}},
             "material": {"name": "thin", "thickness": 0}, "velocity": [0, 0, -3],
             "transform": {"translate": [0, 0, 0.12]}},
            {"mesh": {"rectangle": {"width": 0.4, "height": 0.4, "columns": 12, "rows": 12}},
             "material": {"name": "thin", "thickness": 0}, "velocity": [0, 0, -6],
             "transform": {"translate": [0.01, 0, 0.13]}}],
 "obstacles": [{"mesh": {"sphere": {"radius": 0.1, "columns": 16, "rows": 8}}, "thickness": 0}],
 "output": {"pictures": []}}
JSON
expect 0 'done at frame 12' run drop.json --threads 1 --out whole --check
/usr/bin/python3 - <<'PY'
import csv, json, sys
rows = list(csv.DictReader(open("whole/response.csv")))
report = json.load(open("whole/report.json"))
for link in report["response"]["links"]:
    own = [row for row in rows if row["link"] == link["name"]]
    if not own:
        sys.exit(f"{link['name']} had nothing to do")
    for key in ("impacts", "rounds", "iterations", "limited", "left"):
        if sum(int(row[key]) for row in own) != link[key]:
            sys.exit(f"{link['name']}: {key} of the steps and of the report differ")
    if link["name"] == "impulse" and not report["retries"] and any(int(row["rounds"]) > 1 for row in own):
        sys.exit("more rounds than the budget")
    if link["name"] == "truncate" and link["left"]:
        sys.exit("the last link left something")
first, last = [[row for row in rows if row["link"] == name] for name in ("impulse", "truncate")]
left = {row["step"] for row in first if row["left"] != "0"}
if report["retries"] == 0 and {row["step"] for row in last} != left:
    sys.exit("the last link was called where nothing was left")
PY
holds "lines and report agree" test $? = 0
expect 0 'done at frame 5' run drop.json --threads 1 --frames 5 --out resumed --check
expect 0 'done at frame 12' run drop.json --threads 1 --out resumed --check --resume
for run in whole resumed; do cut -d, -f1-8 $run/response.csv >$run.csv; done
holds "the same table, but for seconds" cmp whole.csv resumed.csv

# the budget counts: with enough of it less is left
expect 0 'done' run drop.json --threads 1 --out more --set collision.response.0.rounds=50
/usr/bin/python3 -c 'import json, sys; w, m = (json.load(open(d + "/report.json"))["response"]["links"][0]["left"] for d in ("whole", "more")); sys.exit(not m < w)'
holds "fewer are left with more rounds" test $? = 0

# no collisions, no table; and none of an earlier run stays
expect 0 'done' run drop.json --threads 1 --out whole --overwrite --frames 1 --set collision.enabled=false
holds "no response.csv" test ! -e whole/response.csv

expect 1 'rounds' run drop.json --set collision.response.0.rounds=0
expect 1 'did you mean' run drop.json --set collision.response.0.link=impulze
expect 1 'link' run drop.json --set 'collision.response=[{"rounds": 3}]'
echo "$checks checks, $problems failed"
[ $problems -eq 0 ]
