#!/bin/sh
# Every *.kernel.h is also OpenCL C 1.2: clang compiles it as such. And it uses no function whose result differs between
# machines: of libm only sqrt and fabs, both exact.
set -u
cd "$WEFT_SOURCE_DIR" || exit 1
command -v clang >/dev/null || { echo "skipped: clang is not installed"; exit 77; }
problems=0; count=0
for kernel in $(find src -name '*.kernel.h' | LC_ALL=C sort); do
  count=$((count + 1))
  clang -x cl -cl-std=CL1.2 -D__OPENCL_VERSION__=120 -Xclang -finclude-default-header -target spir64 -Xclang -cl-ext=+cl_khr_fp64 -I src \
    -Wall -Werror -Wno-unused-function -fsyntax-only "$kernel" || { echo "$kernel: not OpenCL C"; problems=$((problems + 1)); }
  if sed 's://.*$::; s:/\*.*\*/::' "$kernel" | grep -nE \
    '\b(sin|cos|tan|asin|acos|atan|atan2|exp|exp2|log|log2|log10|pow|cbrt|hypot|fma|mad|rsqrt|native_[a-z]+|half_[a-z]+)[[:space:]]*\('; then
    echo "$kernel: of libm only sqrt and fabs give the same bits everywhere"
    problems=$((problems + 1))
  fi
  if grep -nE '^[[:space:]]*(static|extern)\b|\b(long double|size_t|malloc|printf)\b' "$kernel"; then
    echo "$kernel: kernels use KERNEL, INLINE, REAL, float and int, and keep nothing"
    problems=$((problems + 1))
  fi
done
echo "$count kernel files, $problems problems"
[ $problems -eq 0 ] && [ $count -gt 0 ]
