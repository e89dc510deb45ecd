#!/bin/bash
# weft check and weft run --check as a person would use them: exit codes, words, JSON, sequences, caches, refusals.
#   test_check.sh WEFT
set -u
weft=$1
shared=${WEFT_SHARED:-$WEFT_SOURCE_DIR/../shared}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
. "$WEFT_SOURCE_DIR/tests/cli/expect.sh"
# json EXPRESSION: true of the JSON on standard output, called j.
json() { holds "JSON: $1" /usr/bin/python3 -c "import json, sys; j = json.load(open('stdout')); sys.exit(not ($1))"; }

# meshes: a triangle, one through it, one above it, one that touches it with a corner, one that lies on it
printf 'v 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n' >flat.obj
printf 'v 1 1 -1\nv 1 1 1\nv 1 2 1\nf 1 2 3\n' >through.obj
printf 'v 0 0 1\nv 4 0 1\nv 0 4 1\nf 1 2 3\n' >above.obj
printf 'v 1 1 0\nv 1 1 1\nv 1 2 1\nf 1 2 3\n' >corner.obj
printf 'v 1 1 0\nv 2 1 0\nv 1 2 0\nf 1 2 3\n' >lying.obj
printf 'v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nf 1 2 3\n' >near.obj
cat flat.obj >both.obj; printf 'v 1 1 -1\nv 1 1 1\nv 1 2 1\nf 4 5 6\n' >>both.obj
printf 'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n1 1 -1\n1 1 1\n1 2 1\n3 0 1 2\n' >through.ply

expect 0 'usage: weft check FILE' help check
expect 0 '^no intersections in 3 edges and 1 triangles$' check flat.obj
expect 0 '^no intersections in 6 edges and 2 triangles$' check flat.obj above.obj
expect 1 '^2 edge-triangle intersections \(2 crossing, 0 touching, 0 coplanar\), 1 triangle pairs, 1 contours of 0.5 m$' check flat.obj through.obj
holds "the parts" grep -q '^  flat.obj with through.obj: 2 edge' stdout
holds "the places" grep -q '^  edge 0-1 of through.obj crosses triangle 0 of flat.obj at 1 1 0$' stdout
expect 1 '^2 edge-triangle' check flat.obj through.ply
expect 1 '^  edge 3-4 crosses triangle 0 at 1 1 0$' check both.obj
expect 1 '\(0 crossing, 2 touching, 0 coplanar\)' check flat.obj corner.obj
expect 1 '\(0 crossing, 0 touching, 3 coplanar\).* contours of 0 m' check flat.obj lying.obj
expect 1 'and 1 more' check --list 1 flat.obj through.obj
expect 1 '2 edge-triangle' check --list 0 flat.obj through.obj
holds "nothing listed" sh -c '! grep -q "edge 0-" stdout'
expect 1 '"check_version": 1' check --json --threads 2 flat.obj through.obj
json 'j["hits"] == 2 and j["frames_judged"] == 1 and j["frames_with_hits"] == 1 and j["first_frame_with_hits"] == 0'
json 'j["frames"][0]["meshes"] == ["flat.obj", "through.obj"] and j["frames"][0]["time"] is None and j["frames"][0]["edges"] == 6'
json 'j["frames"][0]["parts"] == [{"a": 0, "b": 1, "hits": 2, "crossing": 2, "touching": 0, "coplanar": 0, "pairs": 1, "contours": 1, "length": 0.5}]'
json 'j["frames"][0]["listed"][0] == {"edge_mesh": 1, "edge": [0, 1], "triangle_mesh": 0, "triangle": 0, "kind": "crossing", "place": [1, 1, 0]}'
expect 0 '"hits": 0' check --json flat.obj
json 'j["first_frame_with_hits"] is None and j["frames"][0]["parts"] == []'
cat >keys.py <<'PYTHON'
import json, re, sys
def keys(value):
    if isinstance(value, list):
        for item in value: yield from keys(item)
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from keys(item)
documented = set(re.findall(r"`([a-z_]+)`", open(sys.argv[2], encoding="utf-8").read()))
missing = set(keys(json.load(open(sys.argv[1])))) - documented
print("not documented:", sorted(missing))
sys.exit(bool(missing))
PYTHON
"$weft" check --json flat.obj through.obj >all.json
holds "docs/check.md explains every field" /usr/bin/python3 keys.py all.json "$WEFT_SOURCE_DIR/docs/check.md" >keys.out

# sequences
mkdir moving
for i in 1 2 9 10; do cp above.obj moving/f_$i.obj; done
cp through.obj moving/f_10.obj
echo 'no mesh' >moving/notes.txt
expect 0 '^2 frames judged, none with intersections$' check --sequence flat.obj through.obj
expect 1 '^4 frames judged, 1 with intersections, the first is frame 3$' check moving flat.obj
holds "the frame" grep -q '^frame 3: 2 edge-triangle' stdout
holds "its file" grep -q 'moving/f_10.obj' stdout
expect 0 '4 frames judged' check moving
expect 1 'the first is frame 3' check --sequence moving/f_1.obj moving/f_2.obj moving/f_9.obj both.obj
expect 1 '"frames_judged": 4' check --json moving flat.obj
json 'j["hits"] == 2 and [f["hits"] for f in j["frames"]] == [0, 0, 0, 2] and j["first_frame_with_hits"] == 3'
mkdir short empty
cp above.obj short/
expect 2 'moving has 4 frames, short has 1: sequences' check moving short
expect 2 'empty: neither frames.weftcache nor a mesh' check empty

# a run's folder and its cache
cat >fold.json <<'JSON'
{"name": "fold", "frames": 4, "steps_per_frame": 2,
 "cloths": [{"mesh": {"rectangle": {"width": 1, "height": 1, "columns": 4}}, "pins": [{"select": {"side": "left"}}]}],
 "output": {"pictures": []}}
JSON
expect 0 'done at frame 1' run fold.json --threads 1 --frames 1 --out quiet --check
holds "a line for the start and every step" test "$(grep -c '^[0-9]' quiet/check.csv)" = 3
holds "the report counts" grep -q '"checks": 3' quiet/report.json
expect 0 'done at frame 1' run fold.json --threads 1 --frames 1 --out quiet
holds "no check.csv of an earlier run stays" test ! -e quiet/check.csv
expect 0 'none with intersections' check quiet
expect 0 'none with intersections' check quiet/frames.weftcache
mkdir cut; head -c 300 quiet/frames.weftcache >cut/frames.weftcache
expect 2 'cut off' check cut
cp -r quiet altered
printf 'X' | dd of=altered/frames.weftcache bs=1 seek=$(($(stat -c %s altered/frames.weftcache) - 800)) conv=notrunc 2>/dev/null # in the first of two frames
expect 2 'altered' check altered
holds "the other frame was judged" grep -q '^1 frames judged' stdout
mkdir growing; head -c -8 quiet/frames.weftcache >growing/frames.weftcache
expect 0 'warning: .* behind its last complete frame were not judged' check growing

expect 0 '2 frames judged' check quiet above.obj
expect 1 '^frame 0: ' check quiet near.obj # at the start the cloth lies in its plane
expect 1 '"time": 0,' check --json quiet near.obj

# a run that starts tangled: it goes on, and says so at the end
cat >tangled.json <<'JSON'
{"name": "tangled", "frames": 2, "steps_per_frame": 2,
 "cloths": [{"name": "a", "mesh": {"file": "flat.obj"}, "pins": [{"select": "all"}]},
            {"name": "b", "mesh": {"file": "through.obj"}, "pins": [{"select": "all"}]}],
 "output": {"pictures": []}}
JSON
expect 1 '5 of 5 checks found intersections, the first after step 0; at most 2, and 2 at the end' run tangled.json --threads 1 --out tangled --check
holds "it went on to its end" grep -q 'done at frame 2' stdout
holds "it says when it began" grep -q 'warning: step 0: 2 edge-triangle intersections' stderr
holds "once" test "$(grep -c warning stderr)" = 1
holds "a line for the start and every step" test "$(grep -c '^[0-9]*,[0-9.e-]*,2,2,0,0,1,1,0.5$' tangled/check.csv)" = 5
/usr/bin/python3 -c 'import json; c = json.load(open("tangled/report.json"))["check"]; print(c["checks"], c["checks_with_hits"], c["first_step"], c["hits"], c["hits_max"])' >sums
holds "the report" grep -qx '5 5 0 2 2' sums
expect 0 'done at frame 2' run tangled.json --threads 1 --out unchecked
expect 1 '^3 frames judged, 3 with intersections, the first is frame 0$' check tangled
expect 1 'with tangled: b: 2 edge' check tangled
expect 1 '"time": 0\.[0-9]' check --json tangled
expect 1 '5 of 5 checks' run tangled.json --threads 1 --check --report -
# taken up from a checkpoint, table and counts are those of a run in one piece
expect 1 'done at frame 1' run tangled.json --threads 1 --frames 1 --out resumed --check
expect 1 '5 of 5 checks' run tangled.json --threads 1 --out resumed --check --resume
holds "the same table" cmp tangled/check.csv resumed/check.csv

# what cannot be judged
expect 2 'which meshes' check
expect 2 'unknown option "--jsn", did you mean "--json"' check --jsn flat.obj
expect 2 '--list takes a whole number' check --list many flat.obj
expect 2 'cannot be (read|opened)|cannot (read|open)|No such file' check no_such.obj
printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 9\n' >bad.obj
expect 2 'bad.obj' check bad.obj flat.obj
printf 'v 0 0 0\nv 1e-200 0 0\nv 1 1 0\nf 1 2 3\n' >tiny.obj
expect 2 'tiny.obj: vertex 1 has x = 1e-200 m.*coordinates must be 0, or 1e-80 to 1e\+80' check tiny.obj
expect 2 '2 frames judged|1 frames judged' check --sequence flat.obj tiny.obj
: >nothing
expect 2 'nothing' check nothing
if [ -e /dev/full ]; then
  "$weft" check flat.obj >/dev/full 2>stderr; code=$?
  holds "a full standard output is not a verdict" test $code -eq 2
fi

# the exams of the shared folder: clean at the start, and a control that is not
if [ -e "$shared/validation/v07_scenes.py" ]; then
  mkdir scenes
  /usr/bin/python3 "$shared/validation/v07_scenes.py" >made 2>&1 || problem "v07_scenes.py: $(tail -n 1 made)"
  cd scenes || exit 1
  for set in s1 s2 s3 s4 s5 s6 s7; do expect 0 '^no intersections' check $set*.obj; done
  sed 's/ 0\.35999999999999999$/ 0.20000000000000001/' s7_cloth.obj >control.obj
  "${CC:-cc}" -w -O2 -o trichk "$shared/validation/trichk.c" -lm
  ./trichk s7_cube.obj control.obj >trichk.out
  holds "the control of v07_initial_check.out" grep -q 'edge-tri hits 256  tri pairs 126' trichk.out
  expect 1 ' 126 triangle pairs, ' check s7_cube.obj control.obj
else
  echo "skipped in part: the shared data is not here (no $shared/validation/v07_scenes.py)"
fi

echo "$checks checks, $problems failed"
[ $problems -eq 0 ]
