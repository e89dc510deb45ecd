#!/bin/sh
# Installs into a folder of its own, moves it, and uses it from outside the tree as a user would: the program, a CMake
# package, a pkg-config file, the headers from C++.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
CC=${CC:-cc}

cmake --install "$WEFT_BUILD_DIR" --prefix "$work/first" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
mv "$work/first" "$work/moved" # nothing may remember where it was installed
prefix=$work/moved
cp -r "$WEFT_SOURCE_DIR/samples/minimal" "$work/sample"

lib=$(cd "$prefix" && find . -name libweft.so.0 -not -path '*hwcaps*' -printf '%h') # lib, or lib/x86_64-linux-gnu
[ -n "$lib" ] || { echo "not installed: libweft.so.0"; exit 1; }

for file in bin/weft $lib/libweft.a $lib/pkgconfig/weft.pc $lib/cmake/weft/weft-config.cmake \
    include/weft/weft.h include/weft/types.h include/weft/scene.h include/weft/cache.h include/weft/checkpoint.h include/weft/check.h share/weft/scenes/flag.json \
    share/weft/scenes/scene.schema.json share/weft/scenes/bench/sphere.json share/weft/materials; do
  [ -e "$prefix/$file" ] || { echo "not installed: $file"; exit 1; }
done

cd "$work"
"$prefix/bin/weft" --version
"$prefix/bin/weft" list scenes | grep -q '^  flag ' || { echo "the installed program does not find its scenes"; exit 1; }
"$prefix/bin/weft" info flag >/dev/null
"$prefix/bin/weft" bench drape-10k --quick --out bench >/dev/null || { echo "the installed program does not find its benchmarks"; exit 1; }

cmake -S sample -B by-cmake -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" >"$work/log" 2>&1 &&
  cmake --build by-cmake >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
by_cmake=$(by-cmake/minimal)
echo "CMake package: $by_cmake"

export PKG_CONFIG_PATH="$prefix/$lib/pkgconfig"
# shellcheck disable=SC2046 # lists of words
"$CC" -std=c17 -Wall -Werror sample/minimal.c -o by-pkg-config $(pkg-config --cflags --libs weft) -Wl,-rpath,"$prefix/$lib"
by_pkg_config=$(./by-pkg-config)
echo "pkg-config:    $by_pkg_config"
# shellcheck disable=SC2046
"$CC" -std=c17 -Wall -Werror sample/minimal.c -o by-static $(pkg-config --cflags weft) "$prefix/$lib/libweft.a" \
  $(pkg-config --static --libs-only-other weft) -fopenmp -lm
by_static=$(./by-static)
echo "static:        $by_static"
[ -n "$by_cmake" ] && [ "$by_cmake" = "$by_pkg_config" ] && [ "$by_cmake" = "$by_static" ] ||
  { echo "the three programs differ"; exit 1; }

if command -v clang >/dev/null; then
  printf '#include <weft/scene.h>\n#include <weft/cache.h>\n#include <weft/checkpoint.h>\n#include <weft/check.h>\nint main() { return weft_version()[0] == 0; }\n' >header.cc
  clang -x c++ -std=c++11 -Wall -Wextra -pedantic -Werror -fsyntax-only -I "$prefix/include" header.cc
fi
