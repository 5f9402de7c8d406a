#!/bin/sh
# install.sh - installs Tenon into a folder of its own and builds a stranger's program with it in every way docs/embedding.md
# names: pkg-config (shared and static), CMake (shared and static), and the two files. In C and in C++, with warnings as errors.
set -u
: "${BUILD:=build}" "${MAKE:=make}"
passed=0
failed=0
work=$(mkdir -p "$BUILD" && cd "$BUILD" && pwd)/installation
root=$work/root
log=$work/log
rm -rf "$work"
mkdir -p "$work"

# try SENTENCE COMMAND...: one test.
try() {
    sentence=$1
    shift
    if "$@" >"$log" 2>&1; then
        passed=$((passed + 1))
        echo "$sentence"
    else
        failed=$((failed + 1))
        echo "FAILED: $sentence"
        sed 's/^/    /' "$log"
    fi
}

try "make install fills DESTDIR/PREFIX" $MAKE BUILD="$BUILD" DESTDIR="$root" PREFIX=/opt/tenon install
there=$root/opt/tenon
for file in bin/tenon include/tenon/tenon.h lib/libtenon.a lib/libtenon.so lib/libtenon.so.0 lib/pkgconfig/tenon.pc \
    lib/cmake/tenon/tenonConfig.cmake lib/cmake/tenon/tenonConfigVersion.cmake share/doc/tenon/LICENSE share/man/man1/tenon.1; do
    try "$file is installed" test -e "$there/$file"
done
try "nothing lands outside the prefix" sh -c '[ "$(ls "$1")" = opt ] && [ "$(ls "$1/opt")" = tenon ]' sh "$root"
try "the manual page tells the version" grep -q "Tenon $(sed -n 's/^#define TN_VERSION "\(.*\)"/\1/p' include/tenon/base.h)" "$there/share/man/man1/tenon.1"
try "the manual page names every command and every variable that Tenon reads" sh -c '
    for word in $("$1/bin/tenon" help | sed -n "s/^  \([a-z]*\) .*/\1/p") $(grep -rhoE "getenv\(\"TENON_[A-Z_]+" src | sed "s/.*\"//"); do
        grep -q "$word" "$1/share/man/man1/tenon.1" || { echo "$word is missing"; exit 1; }
    done' sh "$there"
odd='/opt/a|b&c'
try "a prefix may hold what sed takes for its own" $MAKE BUILD="$BUILD" DESTDIR="$work/odd" PREFIX="$odd" \
    LIBDIR='/else|where/lib' install
try "and is written down as it is" grep -qxF "prefix=$odd" "$work/odd/else|where/lib/pkgconfig/tenon.pc"
try "the installed command runs" "$there/bin/tenon" version
try "every public header is installed" diff -r include/tenon "$there/include/tenon"

# The installed tree finds its own files wherever it is, so it is moved before it is used.
mv "$root/opt/tenon" "$work/moved"
there=$work/moved
export PKG_CONFIG_PATH="$there/lib/pkgconfig"
strict="-Wall -Wextra -Werror -pedantic"

build_and_run() {
    output=$1
    shift
    "$@" -o "$work/$output" && LD_LIBRARY_PATH="$there/lib" "$work/$output"
}
consume() {
    language=$1 compiler=$2 source=$3
    try "$language through pkg-config, shared" build_and_run shared $compiler $strict $source \
        $(pkg-config --cflags --libs tenon)
    try "$language through pkg-config, static" build_and_run static $compiler $strict $source \
        $(pkg-config --cflags tenon) $(pkg-config --libs-only-L tenon) -l:libtenon.a \
        $(pkg-config --static --libs-only-other tenon) -lm
    try "$language as two files" build_and_run twofiles $compiler $strict -DCONSUMER_TWO_FILES -I"$work/two" $source \
        "$work/two/tenon.o" -lm -pthread
}

try "pkg-config knows the version" sh -c '[ "$(pkg-config --modversion tenon)" = "$(sed -n "s/^#define TN_VERSION \"\(.*\)\"/\1/p" include/tenon/base.h)" ]'
try "the two files are made" $MAKE BUILD="$BUILD" dist
mkdir -p "$work/two"
cp "$BUILD/dist/tenon.c" "$BUILD/dist/tenon.h" "$BUILD/dist/tenon.hpp" "$work/two"
if [ -n "${DIST_OBJECT:-}" ]; then # somebody has compiled them already
    cp "$DIST_OBJECT" "$work/two/tenon.o"
else
    try "cc -O2 -c tenon.c" sh -c 'cd "$1" && ${CC:-cc} -O2 -c tenon.c' sh "$work/two"
fi
consume "C" "${CC:-cc} -std=c11" tests/consumer/consumer.c
consume "C++" "${CXX:-c++} -std=c++11" tests/consumer/consumer.cpp
consume "typed C++" "${CXX:-c++} -std=c++17" tests/consumer/typed.cpp

# Compilers that have less than gcc and clang: of C alone what C99 has, and tcc, without GNU's extensions and complex numbers.
cat >"$work/c99.c" <<'END'
#include <tenon/tenon.h>
int main(void) {
    tn_tensor *x = tn_full(TN_DIMS(2, 3), tn_scalar_int(7), TN_INT64), *y = tn_add(x, x);
    int wrong = tn_get_int64(y, TN_DIMS(1, 2)) != 14;
    tn_release(x);
    tn_release(y);
    return wrong;
}
END
try "C99" build_and_run c99 ${CC:-cc} -std=c99 $strict "$work/c99.c" $(pkg-config --cflags --libs tenon)
if command -v tcc >/dev/null 2>&1; then
    try "tcc" build_and_run tcc tcc -Wall -Werror "$work/c99.c" $(pkg-config --cflags --libs tenon)
fi

try "CMake finds the package" cmake -S tests/consumer -B "$work/cmake" -DCMAKE_PREFIX_PATH="$there"
try "CMake builds with it" cmake --build "$work/cmake"
for program in shared_c shared_cpp static_c static_cpp; do
    try "CMake's $program runs" "$work/cmake/$program"
done
sed 's/tenon 0.1 REQUIRED/tenon 99 REQUIRED/' tests/consumer/CMakeLists.txt >"$work/CMakeLists.txt"
cp tests/consumer/consumer.c tests/consumer/consumer.cpp "$work"
try "CMake refuses a version that is too old" sh -c '! cmake -S "$1" -B "$1/refused" -DCMAKE_PREFIX_PATH="$2"' sh "$work" "$there"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
