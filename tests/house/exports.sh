#!/bin/sh
# The shared library exports what include/weft declares with WEFT_API: all of it, and nothing else.
#   exports.sh LIBRARY
set -eu
declared=$(cat "$WEFT_SOURCE_DIR"/include/weft/*.h | tr '\n' ' ' | grep -oE 'WEFT_API [^;{]*\(' |
  grep -oE 'weft_[a-z0-9_]+ *\($' | tr -d ' (' | LC_ALL=C sort)
exported=$(nm -D --defined-only "$1" | awk '{print $3}' | sed 's/@.*//' | grep -v '^__asan\|^__ubsan\|^__tsan\|^_init$\|^_fini$' |
  LC_ALL=C sort)
count=$(echo "$declared" | grep -c .)
if [ "$declared" != "$exported" ]; then
  echo "$declared" >"${TMPDIR:-/tmp}/declared.$$"; echo "$exported" >"${TMPDIR:-/tmp}/exported.$$"
  diff "${TMPDIR:-/tmp}/declared.$$" "${TMPDIR:-/tmp}/exported.$$" || true
  rm -f "${TMPDIR:-/tmp}/declared.$$" "${TMPDIR:-/tmp}/exported.$$"
  echo "declared (<) and exported (>) differ"
  exit 1
fi
echo "$count functions declared and exported"
[ "$count" -gt 0 ]
