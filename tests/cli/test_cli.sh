#!/bin/bash
# Drives the program as a person would and looks at exit codes, messages and files.
#   test_cli.sh WEFT
set -u
weft=$1
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
scenes=$WEFT_SOURCE_DIR/scenes
. "$WEFT_SOURCE_DIR/tests/cli/expect.sh"
small="--threads 1 --set output.picture_size=[160,90]" # quick: sanitizers run this too

hash_of() { sed -n 's/.*"state_hash": *"\{0,1\}\([0-9a-fx]*\)"\{0,1\}.*/\1/p' "$1"; }
no_leftovers() { [ -z "$(find "$1" -name '*.tmp')" ]; }

# help and version
expect 2 'usage: weft VERB'
expect 0 'usage: weft VERB' --help
expect 0 'usage: weft VERB' help
expect 0 '^weft [0-9]+\.[0-9]+\.[0-9]+$' --version
for verb in run check detect render report info list help; do
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

# obstacles
cat >obstacles.json <<'JSON'
{"frames": 3, "cloths": [{"name": "sheet", "mesh": {"rectangle": {"width": 1, "height": 1, "columns": 4}}}],
 "obstacles": [{"name": "ground", "mesh": {"plane": {"width": 4, "height": 4}}, "transform": {"translate": [0, 0, -2]}},
               {"name": "ball", "mesh": {"sphere": {"radius": 0.5, "columns": 8}}, "transform": {"translate": [0, 0, -1]},
                "keys": [{"time": 0}, {"time": 0.05, "translate": [1, 0, 0]}]},
               {"name": "body", "sequence": {"files": "body_%02d.obj", "last": 1}}],
 "output": {"picture_size": [64, 36]}}
JSON
printf 'v 0 0 -1\nv 1 0 -1\nv 0 1 -1\nf 1 2 3\n' >body_00.obj
expect 1 'body_01.obj: cannot be read: No such file.*frame 2 of 2' run obstacles.json
printf 'v 0 0 -2\nv 1 0 -1\nv 0 1 -1\nf 1 2 3\n' >body_01.obj
expect 0 'obstacle +ground: 4 vertices, 2 triangles, stands still' info obstacles.json
expect 0 'obstacle +ball: 26 vertices, 48 triangles, moves along keys' info obstacles.json
expect 0 'obstacle +body: 3 vertices, 1 triangles, deforms in frames' info obstacles.json
expect 0 'done at frame 3' run obstacles.json --out withs
holds "static obstacles once" test "$(grep -c '^v ' withs/frames/obstacles.obj)" = 4
holds "moving obstacles a frame" test "$(grep -c '^v ' withs/frames/obstacles_0003.obj)" = 29
holds "by name" grep -q '^o ball' withs/frames/obstacles_0000.obj
holds "which move" test "$(md5sum <withs/frames/obstacles_0001.obj)" != "$(md5sum <withs/frames/obstacles_0000.obj)"
holds "cloth as before" test "$(grep -c '^o ' withs/frames/frame_0003.obj)" = 1
holds "the report counts and names them" /usr/bin/python3 -c 'import json; r = json.load(open("withs/report.json")); assert (r["obstacles"], r["obstacle_vertices"], r["obstacle_triangles"], r["obstacle_names"]) == (3, 33, 51, ["ground", "ball", "body"])'
expect 0 'obstacle +ball: 26 vertices, 48 triangles, moves' info withs/frames.weftcache
expect 0 'obstacle +ground: 4 vertices, 2 triangles, stands still' info withs/frames.weftcache
holds "a picture" test -s withs/picture_0003.png

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

# detection alone
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.25 0.25 1\nv 0.5 0.25 2\nv 0.25 0.5 2\nf 1 2 3\nf 4 5 6\n' >apart.obj
sed 's/^v 0.25 0.25 1$/v 0.25 0.25 -1/' apart.obj >through.obj
sed 's/^f 4 5 6$/f 4 6 5/' apart.obj >other.obj
expect 0 'hits +1 vertex-face, 0 edge-edge' detect apart.obj through.obj
expect 0 'first impact +0\.(4999999|5)' detect apart.obj through.obj --ccd
expect 0 'hits +0 vertex-face, 0 edge-edge' detect apart.obj apart.obj
expect 0 'hits +1 vertex-face' detect apart.obj --dcd 1
expect 0 'hits +0 vertex-face' detect apart.obj --dcd 0.5
expect 0 '"hits_vf": 1,' detect apart.obj --dcd 1 --json --pairs pairs.csv
holds "the pairs are written" grep -q '^vf,3,0,3,0,1,2,1$' pairs.csv
detect_json() { "$weft" detect apart.obj through.obj --dcd 1 --json --method brute | python3 -c 'import json,sys; assert len(json.load(sys.stdin)) == 2'; }
holds "two queries are a list of two" detect_json
expect 2 'one or two frames' detect
expect 2 'needs two frames' detect apart.obj --ccd
expect 2 'needs --dcd' detect apart.obj
expect 2 'not both' detect apart.obj through.obj --ccd --dcd 1
expect 2 'takes a distance' detect apart.obj --dcd near
expect 2 'takes a distance' detect apart.obj --dcd -1
expect 1 'did you mean "brute"' detect apart.obj --dcd 1 --method brut
expect 1 'not two frames of one mesh' detect apart.obj other.obj
expect 1 'missing.obj' detect missing.obj --dcd 1
expect 1 'nowhere/pairs.csv' detect apart.obj --dcd 1 --pairs nowhere/pairs.csv

echo "$checks checks, $problems failed"
[ $problems -eq 0 ]
