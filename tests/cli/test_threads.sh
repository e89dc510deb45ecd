#!/bin/sh
# A run on two threads: what the thread sanitizer looks at. No pictures, since Embree is not instrumented.
#   test_threads.sh WEFT
set -eu
"$1" run "$WEFT_SOURCE_DIR/scenes/flag.json" --frames 1 --threads 2 --report -
