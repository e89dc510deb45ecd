#!/bin/sh
# Every kernel file is also OpenCL C 1.2: clang checks the text. Exit code 77 means skipped.
source_dir=${1:?usage: opencl_subset.sh SOURCE_DIR}
if ! command -v clang >/dev/null; then
  echo "skipped: clang is not installed, so kernels are not checked as OpenCL C"
  exit 77
fi

check() { clang -x cl -cl-std=CL1.2 -fsyntax-only -I"$source_dir/src" -Xclang -finclude-default-header -Wall -Werror -Wno-unused-function "$1"; }

# The check must be able to fail: this is C, not OpenCL C (a global pointer given where a private one is wanted).
control=$(mktemp) || exit 1
trap 'rm -f "$control"' EXIT
cat >"$control" <<'END'
#include "device/kernel.h"
INLINE REAL first(const REAL *p) { return p[0]; }
KERNEL wrong(int n, GLOBAL REAL *x) { FOR_ITEMS(i, n) { x[i] = first(x); } }
END
if check "$control" 2>/dev/null; then
  echo "failed: text that is not OpenCL C was accepted"
  exit 1
fi

failures=0
count=0
for file in "$source_dir"/src/device/kernel*.h $(find "$source_dir/src" -name '*.kernel.h' | sort); do
  count=$((count + 1))
  check "$file" || { echo "failed: $file is not OpenCL C 1.2"; failures=$((failures + 1)); }
done
echo "$count files checked as OpenCL C 1.2, $failures failed"
[ "$failures" -eq 0 ] && [ "$count" -gt 2 ]
