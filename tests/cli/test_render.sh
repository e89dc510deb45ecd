#!/bin/bash
# weft render and weft report as a person would use them: files, words, refusals, films, the page.
#   test_render.sh WEFT
set -u
weft=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
. "$WEFT_SOURCE_DIR/tests/cli/expect.sh"
cat >png.py <<'PYTHON'
"""png.py FILE WIDTH HEIGHT: a whole 8-bit RGB PNG of that size, every checksum right. Prints how many colours it has."""
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n"
at, kinds, packed = 8, [], b""
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at:at + 8])
    body = data[at + 8:at + 8 + size]
    assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body)
    kinds.append(kind)
    packed += body if kind == b"IDAT" else b""
    if kind == b"IHDR":
        header = struct.unpack(">IIBBBBB", body)
    at += 12 + size
assert kinds[0] == b"IHDR" and kinds[-1] == b"IEND" and at == len(data)
assert header == (int(sys.argv[2]), int(sys.argv[3]), 8, 2, 0, 0, 0), header
assert len(zlib.decompress(packed)) == header[1] * (3 * header[0] + 1)
PYTHON
is_png() { /usr/bin/python3 png.py "$@"; }
no_leftovers() { [ -z "$(find . -name '*.tmp')" ]; }
small="--size 96x54 --threads 1"

cat >swing.json <<'JSON'
{"name": "swing & <sway>", "frames": 6, "frame_rate": 50, "steps_per_frame": 2, "collision": {"enabled": true},
 "cloths": [{"name": "sail", "mesh": {"rectangle": {"width": 1, "height": 0.8, "columns": 6}},
             "pins": [{"select": {"side": "left"}}]}],
 "obstacles": [{"name": "ball", "mesh": {"sphere": {"radius": 0.1, "columns": 8}}, "transform": {"translate": [0, 0, -0.3]}}],
 "output": {"every": 2, "pictures": [], "camera": {"from": [0, -4, 1], "to": [0, 0, 0], "fov": 40}}}
JSON
expect 0 'done at frame 6' run swing.json --threads 1 --out run
printf 'v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n' >plain.obj
printf 'v 0 0 0\nv 1.1 0 0\nv 1.1 0 1\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3 4/4\n' >stretched.obj

# stills
expect 0 'usage: weft render DIR' help render
expect 0 '^picture: last.png, frame 6, 96 x 54$' render run $small -o last.png
holds "a PNG" is_png last.png 96 54
expect 0 'frame 6' render run/frames.weftcache $small --output=again.png
holds "a folder and its cache give the same picture" cmp last.png again.png
expect 0 'frame 6' render run --size 96x54 --threads 3 -o threads.png
holds "the same for any number of threads" cmp last.png threads.png
expect 0 'frame 2, ' render run $small --frame 2 -o two.png
holds "another frame is another picture" sh -c '! cmp -s last.png two.png'
expect 0 'frame 6' render run $small --frame -1 -o again.png
holds "-1 is the last" cmp last.png again.png
expect 0 'frame 0' render plain.obj $small -o mesh.png
expect 0 '1 x 1' render run --size 1x1 -o one.png
holds "a PNG of one pixel" is_png one.png 1 1
for color in fabric teal '#3060a0' strain-warp strain-weft:-1:1 shear bending speed gap gap:0:20; do
  expect 0 'picture: ' render run $small --color "$color" -o color.png
  holds "$color is not the fabric" sh -c "test '$color' = fabric || ! cmp -s color.png last.png"
  holds "no warning with $color" test ! -s stderr
done
expect 0 'done at frame 1' run swing.json --threads 1 --frames 1 --out fast --set 'output.cache={"velocities": true}'
expect 0 'picture' render fast $small --color speed:0:0.2 -o color.png # one frame has no second one beside it
expect 0 'picture' render stretched.obj $small --color strain-warp:-20:20 -o color.png
for camera in auto scene front back left right top 30,20 -90,-10 0,-4,1:0,0,0 0,-4,1:0,0,0:40; do
  expect 0 'picture: ' render run $small --camera "$camera" -o "camera$camera.png"
done
holds "the scene's camera" cmp camerascene.png camera0,-4,1:0,0,0:40.png
holds "sides differ" sh -c '! cmp -s camerafront.png cameratop.png'

# sequences
expect 0 '^pictures: s_%03d.png, 4 frames' render run $small -o s_%03d.png
for i in 000 002 004 006; do holds "frame $i" is_png s_$i.png 96 54; done
expect 0 '2 frames' render run $small --frame 1:5 -o t_%d.png
holds "numbers of the run" test -e t_2.png -a -e t_4.png -a ! -e t_0.png
expect 0 '3 frames' render run $small --frame 2: -o u%d.png
expect 0 '2 frames' render run $small --frame :2 -o v%d.png
mkdir meshes; cp plain.obj meshes/a_1.obj; cp stretched.obj meshes/a_2.obj
expect 0 '2 frames' render meshes $small -o m%d.png
expect 0 'measured against the first frame' render meshes $small --color strain-warp --frame 1 -o m.png

# refusals
expect 2 'what\? A run' render -o x.png
expect 2 'where to\? -o FILE is missing' render run
expect 2 'one thing at a time' render run run -o x.png
expect 2 '-o|output needs a value' render run -o
expect 2 'unknown option "--frames", did you mean "--frame"' render run --frames 1 -o x.png
expect 1 'there is no frame 99; there are 4 frames, numbered 0 to 6' render run --frame 99 -o x.png
expect 1 'there is no frame -9' render run --frame -9 -o x.png
expect 1 'there is no frame 4:2' render run --frame 4:2 -o x.png
expect 1 'frame 3 was not written, or is damaged; the nearest are 2 and 4' render run --frame 3 -o x.png
expect 2 '--frame takes a number, a range like 10:20, or all, not "two"' render run --frame two -o x.png
expect 2 'not "1:x"' render run --frame 1:x -o x.png
expect 2 '4 frames do not go into one picture' render run --frame all -o x.png
expect 2 'there is no colour "strain-wrap", did you mean "strain-warp"' render run --color strain-wrap -o x.png
expect 1 'there are no contact pressures: they are in the caches of runs with collision' render plain.obj --color pressure -o x.png
expect 2 'there is no colour "xyzzyx"$' render run --color xyzzyx -o x.png
expect 2 'a colour is #rrggbb, not "#12345"' render run --color '#12345' -o x.png
expect 2 'takes a range like strain-warp:-2:2, not ":2:1"' render run --color strain-warp:2:1 -o x.png
expect 2 '--camera takes' render run --camera round -o x.png
expect 2 '--camera takes' render run --camera 1,2,3:1,2,3 -o x.png
expect 1 "the scene's camera cannot be had" render plain.obj --camera scene -o x.png
expect 1 'needs a rest shape' render plain.obj --color shear -o x.png
expect 1 'no speed without a second frame' render plain.obj --color speed -o x.png
for size in 0x5 5 5x 99999x9 axb 5x5x5; do expect 2 '--size takes pixels' render run --size $size -o x.png; done
expect 2 'must end in .png, .mp4 or .webm' render run -o x.jpg
expect 1 'cannot write no/such/x.png: No such file' render run $small -o no/such/x.png
mkdir x.png.d
expect 1 'cannot write' render run $small -o x.png.d/../x.png.d.png/x.png
expect 1 'no_such' render no_such -o x.png
mkdir empty
expect 1 'neither frames.weftcache nor a mesh' render empty -o x.png
head -c 300 run/frames.weftcache >cut.weftcache
expect 1 'cut off' render cut.weftcache -o x.png
cp run/frames.weftcache altered.weftcache
header=$(od -An -t u8 -j 16 -N 8 altered.weftcache); size=$(stat -c %s altered.weftcache)
printf 'X' | dd of=altered.weftcache bs=1 seek=$((header + (size - header) / 4 * 2 + 100)) conv=notrunc 2>/dev/null
expect 1 'frame 4 was not written, or is damaged; the nearest are 2 and 6' render altered.weftcache $small --frame 4 -o x.png
expect 1 'altered' render altered.weftcache $small -o z%d.png
expect 0 'frame 2' render altered.weftcache $small --frame 2 -o y.png
head -c -8 run/frames.weftcache >growing.weftcache
expect 0 'frame 4' render growing.weftcache $small -o y.png
cp -r run moved; sed -i 's/"scene": ".*"/"scene": "gone.json"/' moved/run.json
expect 0 'measured against the first frame: .*gone.json' render moved $small --color strain-warp -o y.png
holds "nothing was drawn" test ! -e x.png
holds "nothing half-written" no_leftovers

# films: ffmpeg is not a part of weft; what is asked of it is tried with stand-ins, and with itself where it is
mkdir bin_none bin_bad bin_slow
printf '#!/bin/sh\necho "ffmpeg: no such codec" >&2\nexit 3\n' >bin_bad/ffmpeg
printf '#!/bin/sh\nfor last; do :; done\ncat >"${last#file:}"\n' >bin_slow/ffmpeg
chmod +x bin_bad/ffmpeg bin_slow/ffmpeg
with_path() {
  printf '#!/bin/sh\nPATH="%s" exec "%s" "$@"\n' "$1" "$weft" >pathed; chmod +x pathed
  local weft=$work/pathed; shift
  expect "$@"
}
with_path "$work/bin_none" 1 'made by ffmpeg, which is not here' render run $small -o film.mp4
with_path "$work/bin_bad:/bin:/usr/bin" 1 'ffmpeg failed with exit code 3' render run $small -o film.mp4
holds "no film after a failure" test ! -e film.mp4
with_path "$work/bin_slow:/bin:/usr/bin" 0 '^film: film.mp4, 4 frames, 25 a second' render run $small -o film.mp4
holds "every pixel of every frame went through the pipe" test "$(stat -c %s film.mp4)" = $((4 * 96 * 54 * 3))
holds "nothing half-written" no_leftovers
if command -v ffmpeg >/dev/null; then
  expect 0 'film: film.mp4' render run $small -o film.mp4
  expect 0 'film: odd name.webm' render run --size 97x55 --threads 1 -o 'odd name.webm'
  for film in film.mp4 'odd name.webm'; do
    frames=$(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 "$film")
    holds "$film has $frames frames" test "${frames%,}" = 4
  done
else
  echo "skipped in part: ffmpeg is not here"
fi

# the page
expect 0 'usage: weft report DIR' help report
expect 0 '^page: run/report.html$' report run --threads 1
cat >page.py <<'PYTHON'
import html.parser, re, sys
text = open(sys.argv[1], encoding="utf-8").read()
class Page(html.parser.HTMLParser):
    open_tags, images, labels, captions, rows, headings = [], 0, 0, 0, 0, []
    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if tag not in ("meta", "img", "line", "polyline", "polygon"): self.open_tags.append(tag)
        if tag == "img":
            self.images += 1
            assert len(a["alt"]) > 20 and a["src"].startswith("data:image/png;base64,"), a["alt"]
        if tag == "svg": self.labels += 1; assert "from" in a["aria-label"]
        self.captions += tag == "figcaption"
        self.rows += tag == "tr"
        for name in ("href", "src"): assert name not in a or a[name].startswith("data:"), a
    def handle_startendtag(self, tag, attributes): self.handle_starttag(tag, attributes)
    def handle_endtag(self, tag): assert self.open_tags.pop() == tag, tag
    def handle_data(self, data):
        if self.open_tags and self.open_tags[-1] in ("h1", "h2"): self.headings.append(data)
page = Page()
page.feed(text)
assert not page.open_tags
assert "".join(page.headings) == "swing & <sway>PicturesPlotsNumbers", page.headings
assert page.images == 4 and page.labels >= 5 and page.captions == page.images + page.labels and page.rows > 50
assert "prefers-color-scheme" in text and "<script" not in text and not re.search(r"url\(|@import", text)
PYTHON
holds "the page is whole, and stands alone" /usr/bin/python3 page.py run/report.html
mkdir half; cp run/timeline.csv half/
expect 0 'page: other.html' report half -o other.html
expect 0 'page: half/report.html' report half
holds "the same page" cmp half/report.html other.html
holds "it says that the run is not over" grep -q 'has not come to its end' half/report.html
mkdir bare; cp run/report.json bare/
expect 0 'page: ' report bare
holds "it says that there are no pictures" grep -q 'no pictures' bare/report.html
mkdir wrong; printf '{"a": ' >wrong/report.json
expect 1 'wrong/report.json' report wrong
holds "no page then" test ! -e wrong/report.html
expect 1 'not the folder of a run' report empty
expect 1 'not the folder of a run' report no_such
expect 2 'which folder' report
expect 1 'cannot write no/such/page.html' report run -o no/such/page.html
holds "nothing half-written" no_leftovers

echo "$checks checks, $problems failed"
[ $problems -eq 0 ]
