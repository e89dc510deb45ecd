#!/bin/bash
# weft bench as a person would use it, coarse and short: tables, JSON, plots, comparison, exit codes. Nothing here looks at
# how long anything took.
#   test_bench.sh WEFT all|some|long     some: a few benchmarks only, for sanitizers; long: every scene at full size too
set -u
weft=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
. "$WEFT_SOURCE_DIR/tests/cli/expect.sh"
# python EXPRESSION: true of the JSON in file, called j.
python() { holds "JSON: $2" /usr/bin/python3 -c "import json, sys; j = json.load(open('$1')); sys.exit(not ($2))"; }

names="drape dress reef"; count=9
[ "$2" != some ] && names="" && count=23
# shellcheck disable=SC2086 # a list of words
expect 0 'kept in first: ' bench $names --quick --threads 1 --out first
holds "a row of times for each" [ "$(grep -cE '^\| [a-z0-9-]+ \| [0-9]+ \| 1/[0-9]+ \|' stdout)" -eq $count ]
holds "no published figure beside coarse ones" sh -c '! grep -q "GTX" stdout'
holds "all methods of detection" grep -q '| reef | .* | bvh_front |' stdout
holds "and their twin" grep -q '| reef | .* | brute |' stdout
json=$(echo first/*.json)
holds "tables are kept" cmp -s <(sed '/^kept in/d' stdout | sed '$d') first/*.md
python "$json" "len(j['benchmarks']) == $count and j['quick'] and j['machine']['bandwidth'] > 1e6 and j['machine']['flops'] > 1e6"
python "$json" "all(b['intersections'] == 0 and b['impacts_left'] == 0 and 'failure' not in b for b in j['benchmarks'])"
python "$json" "all(len(b['each_step']['seconds']) == b['steps'] and b['judged'][-1]['step'] == b['steps'] for b in j['benchmarks'])"
python "$json" "all(abs(sum(b['each_step']['seconds']) / b['steps'] / b['mean_seconds'] - 1) < 1e-9 for b in j['benchmarks'])"
# the drape falls on its ball: contacts and impacts are seen, and more impacts without contact forces than none
python "$json" "all(b['contacts'] > 0 and b['impacts_without_contact_forces'] > 0 for b in j['benchmarks'] if b['name'].startswith('drape'))"
for plot in stages time-step convergence impacts time-reef time-drape-40k; do
  holds "first/$plot.svg is XML" /usr/bin/python3 -c "import xml.dom.minidom, sys; xml.dom.minidom.parse(sys.argv[1])" "first/$plot.svg"
done
holds "no state is left behind" [ -z "$(find first -name '*.weft' -o -type d -name 'drape*')" ]

# one group, one case, JSON; runs repeat to the same bits
expect 0 '"benchmarks"' bench drape-10k --quick --threads 1 --repeat 2 --json --out second
python stdout "[b['name'] for b in j['benchmarks']] == ['drape-10k'] and j['benchmarks'][0]['runs'] == 2"
python "$json" "next(b['state_hash'] for b in j['benchmarks'] if b['name'] == 'drape-10k') == '$(sed 's/.*"state_hash":"\([0-9a-f]*\)".*/\1/' stdout)'"

# comparison: with a file whose step took a nanosecond, and with one whose step took a day
slow=$(/usr/bin/python3 - second/*.json <<'EOF'
import json, sys
for name, seconds in (("fast.json", 1e-9), ("slow.json", 86400)):
    j = json.load(open(sys.argv[1]))
    j["benchmarks"][0]["mean_seconds"] = seconds
    json.dump(j, open(name, "w"))
EOF
)
holds "$slow" [ -z "$slow" ]
expect 1 'drape-10k .* times  SLOWER' bench drape-10k --quick --threads 1 --out third --compare fast.json
expect 0 'drape-10k .* times  faster' bench drape-10k --quick --threads 1 --out third --compare slow.json
expect 0 '0 of 1 benchmarks were found there' bench drape-20k --quick --threads 1 --out third --compare slow.json
expect 1 'nothing.json' bench drape-10k --quick --threads 1 --out third --compare nothing.json
echo '{"a": 1}' >other.json
expect 1 'other.json: not a result of weft bench' bench drape-10k --quick --threads 1 --out third --compare other.json

# what was measured before is not measured again, unless something else is asked for
expect 0 'kept in second: ' bench drape-10k --quick --threads 1 --out second --resume
holds "taken from there" grep -q 'drape-10k .*is there already' stderr
python "$(ls -t second/*.json | head -n 1)" "j['benchmarks'][0]['runs'] == 2 and len(j['benchmarks'][0]['each_step']['seconds']) == j['benchmarks'][0]['steps']"
for other in "--set frames=5" "--threads 2" ""; do
  # shellcheck disable=SC2086 # words, or none
  expect 0 'kept in third: ' bench drape-10k --quick --threads 1 --out third
  [ -n "$other" ] || truncate -s 1000 third/drape-10k.part
  # shellcheck disable=SC2086
  expect 0 'kept in third: ' bench drape-10k --quick --threads 1 $other --out third --resume
  holds "not taken for ${other:-a part cut off}" grep -q 'drape-10k .*runs and judge' stderr
done

# what goes wrong is told: a sheet that passes the ball, a scene that cannot be, names that are not there
expect 1 'left intersections' bench drape-10k --quick --threads 1 --out bad --set collision.enabled=false --set frames=20
expect 1 'failed: .*unknown material' bench drape-10k --quick --threads 1 --out bad --set cloths.0.material=coton
expect 1 'drape-10k .*failed after' bench drape-10k --quick --threads 1 --out bad --set solver.max_iterations=1 --set integrator.step_halvings=0
holds "no state of a run that failed is left" [ -z "$(find bad -name '*.weft')" ]
expect 2 'no benchmark "drap-10k", did you mean "drape-10k"' bench drap-10k
expect 2 'unknown option' bench --fast
expect 0 'usage: weft bench' help bench

# the scenes at their full size are found by name and begin without intersections; the larger ones in make check-long
for scene in drape bowline; do expect 0 'done at frame 0' run "bench/$scene" --frames 0 --check --threads 1; done
if [ "$2" = long ]; then
  for scene in sphere funnel twisting ball resolution dress tiered dryer sheets; do
    expect 0 'done at frame 0' run "bench/$scene" --frames 0 --check
  done
  expect 0 'done at frame 0' run bench/resolution --frames 0 --check --set cloths.0.mesh.rectangle.columns=707
fi
echo "$checks checks, $problems problems"
[ $problems -eq 0 ]
