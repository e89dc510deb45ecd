#!/bin/sh
# The same scene gives the same state hash with 1, 2 and 3 threads, twice each, with the library for any x86-64 and the
# one for AVX2, and from every compiler: WEFT_OTHER_BUILDS names further build folders (make check: the one of clang).
set -eu
scene=$WEFT_SOURCE_DIR/scenes/flag.json
frames=2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
loader=$(readelf -l "$WEFT_BUILD_DIR/bin/weft" | sed -n 's/.*program interpreter: \(.*\)\]/\1/p')
reference=; runs=0

# run LABEL COMMAND...: twice with 1, 2 and 3 threads
run() {
  label=$1; shift
  for threads in 1 2 3; do
    for turn in first second; do
      "$@" run "$scene" --frames $frames --threads $threads --report "$work/report.json" >/dev/null 2>"$work/log" ||
        { cat "$work/log"; exit 1; }
      hash=$(sed -n 's/.*"state_hash": *"\{0,1\}\([0-9a-fx]*\)"\{0,1\}.*/\1/p' "$work/report.json")
      [ -n "$hash" ] || { echo "$label: no state_hash in the report"; exit 1; }
      reference=${reference:-$hash}
      runs=$((runs + 1))
      [ "$hash" = "$reference" ] || { echo "$label, $threads threads, $turn run: hash $hash, not $reference"; exit 1; }
    done
  done
}

for build in "$WEFT_BUILD_DIR" ${WEFT_OTHER_BUILDS:-}; do
  weft=$build/bin/weft
  wide=$("$weft" list devices | head -n 1)
  narrow=$("$loader" --glibc-hwcaps-mask none "$weft" list devices 2>/dev/null | head -n 1)
  narrow=${narrow:-$wide}
  run "$build as it is" "$weft"
  if [ "$wide" != "$narrow" ]; then run "$build without wide instructions" "$loader" --glibc-hwcaps-mask none "$weft"
  else echo "note: the machine has one instruction set to offer, or the build one library"
  fi
  echo "$build: ${wide##*for }; ${narrow##*for }"
done
echo "$runs runs, hash $reference"
