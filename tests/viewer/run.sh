#!/bin/sh
# The viewer in Debian's Chromium. make check runs the core; with WEFT_LONG (make check-long) everything runs, and what is
# missing is a failure and not a reason to skip.
#   run.sh PROGRAM
set -u
here=$(dirname "$0")
missing=
for program in node "${CHROMIUM:-/usr/bin/chromium}"; do
  command -v "$program" >/dev/null || missing="$missing $program"
done
[ -d "$here/../../viewer/node_modules/playwright-core" ] || missing="$missing playwright-core"
if [ -n "$missing" ]; then
  echo "skipped: not there:$missing"
  [ -z "${WEFT_LONG:-}" ] && exit 77 || exit 1
fi
specs=$here/core.spec.mjs
[ -z "${WEFT_LONG:-}" ] || specs="$specs $here/long.spec.mjs"
export WEFT_PROGRAM="$1"
for spec in $specs; do
  node --test "$spec" || exit 1
done
