#!/bin/sh
# The sources are laid out as clang-format would, no file is too long, and nothing unfinished is left.
set -u
cd "$WEFT_SOURCE_DIR" || exit 1
status=0
if command -v clang-format >/dev/null; then
  badly=$(tools/sources | xargs clang-format --dry-run 2>&1 | sed -n 's/^\([^ :]*\):[0-9]*:[0-9]*: warning.*/\1/p' | uniq)
  if [ -n "$badly" ]; then printf 'run make format; these would change:\n%s\n' "$badly"; status=1; fi
else
  echo "skipped: clang-format is not installed"; exit 77
fi
for file in $(tools/sources); do
  lines=$(wc -l <"$file")
  [ "$lines" -le 600 ] || { echo "$file: $lines lines; split it, 600 is the most"; status=1; }
done
if tools/sources | xargs grep -nE '\b(TODO|FIXME|XXX|HACK)\b'; then echo "unfinished business, see above"; status=1; fi
exit $status
