#!/bin/bash
# Drives the program as a person would and looks at exit codes, messages and files.
#   test_cli.sh WEFT
set -u
weft=$1
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
scenes=$WEFT_SOURCE_DIR/scenes
checks=0; problems=0
small="--threads 1 --set output.picture_size=[160,90]" # quick: sanitizers run this too

problem() { echo "FAILED: $*"; problems=$((problems + 1)); }

# expect CODE PATTERN ARGUMENTS...: runs weft; its exit code must be CODE and its output (both streams) match PATTERN.
expect() {
  local code=$1 pattern=$2 got; shift 2
  "$weft" "$@" >stdout 2>stderr; got=$?
  cat stdout stderr >output
  checks=$((checks + 1))
  if [ $got -ne "$code" ] || ! grep -qE -- "$pattern" output; then
    problem "weft $*: exit $got (expected $code), output (expected /$pattern/):"; head -n 12 output
  fi
}
# holds TEXT COMMAND...: the command must succeed.
holds() {
  local text=$1; shift
  checks=$((checks + 1))
  "$@" || problem "$text"
}
hash_of() { sed -n 's/.*"state_hash": *"\{0,1\}\([0-9a-fx]*\)"\{0,1\}.*/\1/p' "$1"; }
no_leftovers() { [ -z "$(find "$1" -name '*.tmp')" ]; }

# help and version
expect 2 'usage: weft VERB'
expect 0 'usage: weft VERB' --help
expect 0 'usage: weft VERB' help
expect 0 '^weft [0-9]+\.[0-9]+\.[0-9]+$' --version
for verb in run check info list help; do
  expect 0 "usage: weft $verb" help $verb
  expect 0 "usage: weft $verb" $verb --help
  holds "help of $verb goes to standard output" test ! -s stderr
done
expect 2 'unknown verb "runn", did you mean "run"' runn
expect 2 'unknown verb "xyzzyx"$' xyzzyx
expect 2 'unknown option "--versoin", did you mean "--version"' --versoin
expect 2 'no verb "lisp", did you mean "list"' help lisp

# list
expect 0 'baraff_witkin' list methods
expect 0 'cotton' list materials
expect 0 '^  flag ' list scenes
holds "no shipped scene is refused" sh -c '! grep -q refused: stdout'
holds "the schema is not a scene" sh -c '! grep -q schema stdout'
expect 0 '^  cpu .* cores, library compiled for ' list devices
expect 0 'devices:' list
expect 1 'there is no device .gpu.; devices are cpu, opencl and opencl:N' run "$scenes/flag.json" $small --frames 1 --device gpu
expect 1 'opencl' run "$scenes/flag.json" $small --frames 1 --device opencl:99
expect 0 'hash' run "$scenes/flag.json" $small --frames 1 --device cpu
expect 2 'cannot list "method", did you mean "methods"' list method
expect 2 'one thing' list methods scenes

# info
printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n' >quad.obj
printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 9\n' >bad.obj
printf '{"cloths": [' >bad.json
printf '{"density": "heavy"}' >bad_material.json
: >empty
expect 0 'triangles +2' info quad.obj
expect 0 'area +1 m' info quad.obj
expect 1 'bad.obj' info bad.obj
expect 1 'bad.json' info bad.json
expect 1 'bad_material.json' info bad_material.json
expect 1 'empty' info empty
expect 1 'neither a file' info no_such_file
expect 1 'no/such/file' info no/such/file
expect 0 'density' info cotton
expect 0 'integrator' info flag
expect 2 'one file' info
expect 2 'unknown option "--foo"' info --foo quad.obj

# run: what is not understood
expect 2 'which scene' run
expect 2 'one scene at a time' run flag flag
expect 2 'unknown option "--frame", did you mean "--frames"' run flag --frame 3
expect 2 '--frames takes a whole number from 0 on, not "many"' run flag --frames many
expect 2 '--frames takes' run flag --frames -1
expect 2 '--threads takes a whole number from 1 on' run flag --threads 0
expect 2 '--out needs a value' run flag --out
expect 2 '--set takes path=value' run flag --set gravity
expect 2 '--resume needs --out' run flag --resume
expect 2 '--checkpoint needs --out' run flag --checkpoint 5
expect 2 '--overwrite takes no value' run flag --out out --overwrite=yes
expect 2 'one of them' run flag --out out --overwrite --resume
expect 1 'no scene flga: .*did you mean "flag"' run flga
expect 1 'bad.json' run bad.json
expect 1 'materiel.*material' run flag --frames 1 --set cloths.0.materiel=silk
expect 1 'no_such_fabric' run flag --frames 1 --set cloths.0.material=no_such_fabric

# run: files
expect 0 'done at frame 2' run flag $small --frames 2 --out deep/out --report named.json
holds "the report is JSON" /usr/bin/python3 -c 'import json; json.load(open("named.json")); json.load(open("deep/out/report.json"))'
cat >keys.py <<'PYTHON'
import json, re, sys
def keys(value, prefix=""):
    for key, child in value.items():
        if isinstance(child, dict): yield from keys(child, prefix + key + ".")
        else: yield prefix + key
documented = set(re.findall(r"`([a-z_.]+)`", open(sys.argv[2], encoding="utf-8").read().split("## Beside it")[0]))
written = set(keys(json.load(open(sys.argv[1]))))
print("not documented:", sorted(written - documented), "not written:", sorted(k for k in documented - written if k != "weft_world_report" and k != "weft_world_report_json" and not k.endswith(".json")))
sys.exit(bool(written - documented))
PYTHON
holds "docs/report.md explains every field" /usr/bin/python3 keys.py named.json "$WEFT_SOURCE_DIR/docs/report.md"
holds "a state" test -s deep/out/state.weft
holds "a timeline with a line a frame" test "$(grep -c '^[0-9]' deep/out/timeline.csv)" = 3
expect 0 'time +[0-9.]+ s, [0-9]+ steps' info deep/out/state.weft
holds "both reports tell the same hash" test "$(hash_of named.json)" = "$(hash_of deep/out/report.json)"
holds "a hash" test -n "$(hash_of named.json)"
holds "a picture of the last frame" test -s deep/out/picture_0002.png
holds "nothing half-written" no_leftovers deep
expect 0 'frames +2, frame 0 at 0 s to frame 2' info deep/out/frames.weftcache
expect 0 'cloth +flag: [0-9]+ vertices' info deep/out/frames.weftcache
expect 0 'frame +2, the run is finished' info deep/out/checkpoint_b.weft
head -c 300 deep/out/frames.weftcache >cut.weftcache
expect 1 'cut.weftcache: the cache was cut off within its header' info cut.weftcache
head -c 200 deep/out/checkpoint_b.weft >cut.weft
expect 1 'cut.weft: the checkpoint was cut off' info cut.weft
first=$(hash_of named.json)
expect 0 'no files were written' run "$scenes/flag.json" --threads 2 --frames 2 --report=-
holds "the report alone is on standard output" /usr/bin/python3 -c 'import json; json.load(open("stdout"))'
holds "the same hash again" test "$(hash_of stdout)" = "$first"
expect 0 'done' run flag --threads 1 --frames 2 --set cloths.0.material=silk --report other.json
holds "another material, another hash" test "$(hash_of other.json)" != "$first"
expect 0 'done at frame 0' run flag --frames 0
expect 0 'done' run flag $small --frames 1 --out packed --set output.cache.quantise_bits=16 --set output.cache.velocities=true
expect 0 '16 bits a coordinate, at most [0-9.e-]+ m off' info packed/frames.weftcache
expect 0 'done' run flag $small --frames 1 --out bare --set output.cache=false
holds "no cache" test ! -e bare/frames.weftcache

# run: full-precision tables, as the scene's output section asks for
expect 0 'done' run flag $small --frames 1 --out tables --set 'output.values=["vertices","faces","hinges"]' \
  --set output.obj=true --set output.picture_color=strain
holds "vertices" grep -q '^cloth,vertex,x,y,z,vx,vy,vz$' tables/frames/vertices_0001.csv
holds "faces" grep -q '^cloth,face,stretch_u,stretch_v,shear$' tables/frames/faces_0001.csv
holds "hinges" grep -q '^cloth,hinge,a,b,c,d,curvature,moment$' tables/frames/hinges_0001.csv
holds "a frame" grep -q '^v ' tables/frames/frame_0001.obj
holds "the start" test -s tables/frames/frame_0000.obj
expect 0 'triangles' info tables/frames/frame_0001.obj

# places that cannot be written
: >file
expect 1 'cannot write into the folder file/out' run flag --frames 1 --out file/out
expect 1 'cannot write into the folder file' run flag --frames 1 --out file
expect 1 'cannot write no/such/report.json' run flag --frames 1 --report no/such/report.json
if [ "$(id -u)" -ne 0 ]; then
  mkdir locked && chmod a-w locked
  expect 1 'cannot write into the folder locked' run flag --frames 1 --out locked
fi
if [ -e /dev/full ]; then
  expect 1 'cannot write /dev/full' run flag --frames 1 --report /dev/full
  "$weft" list >/dev/full 2>stderr; code=$?
  holds "a full standard output is an error" test $code -eq 1
  holds "and said" grep -q 'cannot write to standard output' stderr
fi
"$weft" list 2>stderr | head -n 0
holds "a reader that goes away is no message" test ! -s stderr

# Ctrl-C: the step in hand is finished, report and state are written
"$weft" run flag $small --frames 100000 --out interrupted >stdout 2>stderr &
runner=$!
for _ in $(seq 100); do [ -d interrupted ] && break; sleep 0.1; done
sleep 1
kill -INT $runner
wait $runner; code=$?
holds "an interrupted run exits with 130, not $code" test $code -eq 130
holds "it says so" grep -q '^interrupted at frame' stdout
holds "it says how to go on" grep -q 'run flag --out interrupted --frames 100000 --threads 1 .*--resume$' stderr
holds "it leaves a report" test -s interrupted/report.json
holds "it leaves a state" test -s interrupted/state.weft
holds "nothing half-written" no_leftovers interrupted

echo "$checks checks, $problems failed"
[ $problems -eq 0 ]
