#!/bin/sh
# A small exam (docs/exam.md): every scene with coarse meshes for a second or less, judged after every step; and that the
# exam can fail, on a sheet that passes a needle because nothing collides.
#   test_exam.sh WEFT
set -eu
weft=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$WEFT_SOURCE_DIR/tools/exam" --small --h 60 --weft "$weft" --out "$out"
# One scene jittered, at the other step.
"$WEFT_SOURCE_DIR/tools/exam" --small --h 200 --seeds 1 --only cube --weft "$weft" --out "$out"
if "$WEFT_SOURCE_DIR/tools/exam" --small --h 60 --only needles --set collision.enabled=false --weft "$weft" --out "$out" \
    >"$out/fails.txt"; then
  echo "the exam holds without collisions:"; cat "$out/fails.txt"; exit 1
fi
grep -q 'checks with hits, first after step' "$out/fails.txt"
grep -q '\*\*[1-9][0-9]* tips above the cloth' "$out/fails.txt"
