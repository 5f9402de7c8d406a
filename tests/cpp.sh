#!/bin/sh
# cpp.sh - the C++ header: its tests, built by g++ and clang++ for several standards, with and without exceptions; what must not compile;
# the examples; and the instructions of an element access.
set -u
: "${BUILD:=build}"
work=$BUILD/cpp
mkdir -p "$work"
failed=0
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
libraries="$BUILD/libtenon.a -lm -pthread"
jobs=$(nproc 2>/dev/null || echo 2)
. tests/cpp/objects.sh

compilers=
for compiler in g++ clang++; do
    if command -v $compiler >/dev/null 2>&1; then compilers="$compilers $compiler"; else echo "  $compiler is not here: skipped"; fi
done

# Lines of "name|command" go in, all commands run, a few at a time; the output of each is in $work/name.log, of those that fail here too.
run_all() {
    xargs -P "$jobs" -d '\n' -n 1 sh -c '
        name=${1%%|*} command=${1#*|}
        if sh -c "$command" >"$0/$name.log" 2>&1; then echo "  $name"; else echo "FAILED: $name: $command"; tail -n 30 "$0/$name.log"; exit 1; fi' "$work" ||
        failed=1
}

library_of() {
    case $1 in *edges.cpp) echo "\$(cat $work/objects) -lm -pthread -ldl" ;; *) echo "$libraries" ;; esac
}
echo "$objects" >"$work/objects"

# A header that warns fails. Each file with both compilers, each standard, with and without exceptions, and with the checks of debug
# builds and without; not all of them times all others, which would take five minutes.
latest_of() {
    if $1 -std=c++23 -x c++ -fsyntax-only /dev/null 2>/dev/null; then echo c++23; else echo c++2b; fi
}
build() { # name, compiler, flags: of tests/cpp/NAME.cpp
    case "$3" in *-fno-exceptions*) name=$1-$2-quiet ;; *) name=$1-$2 ;; esac
    echo "$name|$2 $3 $strict -Iinclude tests/cpp/$1.cpp $(library_of "$1.cpp") -o $work/$name && $work/$name"
}
quiet="-O0 -fno-exceptions -fno-rtti"
{
    for compiler in $compilers; do
        latest=$(latest_of $compiler)
        build edges $compiler "-std=c++17 -O0"
        case $compiler in
        g++)
            build typed $compiler "-std=c++17 -O1"
            build expressions $compiler "-std=c++20 -O1 -DNDEBUG"
            build fixed $compiler "-std=$latest -O0"
            build fixed $compiler "-std=c++17 $quiet"
            ;;
        *)
            build typed $compiler "-std=c++20 -O2 -DNDEBUG"
            build expressions $compiler "-std=c++17 -O1"
            build fixed $compiler "-std=$latest $quiet"
            build edges $compiler "-std=c++20 $quiet"
            ;;
        esac
        build typed $compiler "-std=c++17 $quiet"
    done
    # std::format and std::mdspan, where a newer compiler is here
    for newer in clang++-19 clang++-20 g++-14 g++-15; do
        case $newer in clang*) standard="-std=c++23 -stdlib=libc++" ;; *) standard=-std=c++23 ;; esac
        if echo '#include <format>' | $newer $standard -x c++ -fsyntax-only - 2>/dev/null; then
            echo "latest-$newer|$newer $standard -O1 $strict -Iinclude tests/cpp/fixed.cpp $libraries -o $work/latest-$newer && $work/latest-$newer"
        fi
    done
    for example in examples/typed_*.cpp; do
        name=$(basename "$example" .cpp)
        echo "$name|g++ -std=c++17 $strict -Iinclude $example $libraries -o $work/$name && $work/$name >$work/$name.out && diff ${example%.cpp}.expected $work/$name.out"
    done
} | run_all

# What must not compile, and the words that the message must have. The first line says them: // words
# The frame around the snippets compiles, once for all of them: it is a precompiled header.
for compiler in $compilers; do
    mkdir -p "$work/frame-$compiler"
    echo "accepted-$compiler|$compiler -std=c++17 $strict -Iinclude -x c++-header tests/cpp/refused/frame.hpp -o $work/frame-$compiler/frame.hpp.gch"
done | run_all
{
    for compiler in $compilers; do
        case $compiler in
        clang*) frame="-include-pch $work/frame-$compiler/frame.hpp.gch" ;;
        *) frame="-I$work/frame-$compiler -include frame.hpp" ;;
        esac
        for snippet in tests/cpp/refused/*.cpp; do
            words=$(sed -n '1s|^// ||p' "$snippet")
            echo "refused-$(basename "$snippet" .cpp)-$compiler|! $compiler -std=c++17 -fsyntax-only -Iinclude $frame $snippet 2>$work/$(basename "$snippet")-$compiler.txt && grep -qF \"$words\" $work/$(basename "$snippet")-$compiler.txt"
        done
    done
} | run_all

# An element access is the same instructions as with a pointer and strides by hand.
instructions() {
    objdump -d --no-show-raw-insn "$work/access-$1.o" | awk -v name="<$2>:" '$2 == name { on = 1; next } on && NF < 2 { exit }
        on { sub(/^[^\t]*\t/, ""); sub(/ *#.*/, ""); sub(/ +$/, ""); if ($1 != "nop" && $1 != "nopw" && $1 != "cs" && $1 != "data16" && $1 != "xchg") print }'
}
if command -v objdump >/dev/null 2>&1; then
    for compiler in $compilers; do
        $compiler -std=c++17 -O2 -DNDEBUG -Iinclude -c tests/cpp/access/access.cc -o "$work/access-$compiler.o" || failed=1
        for pair in "typed_2 pointer_2" "typed_3 pointer_3" "typed_any pointer_2"; do
            set -- $pair
            instructions "$compiler" "$1" >"$work/first"
            instructions "$compiler" "$2" >"$work/second"
            # Where the numbers stand in the object is not compared: the displacements.
            sed -i 's/-\{0,1\}0x[0-9a-f]*(/(/g' "$work/first" "$work/second"
            if [ -s "$work/first" ] && diff "$work/first" "$work/second" >"$work/difference"; then
                echo "  $1 is $2 with $compiler: $(wc -l <"$work/first") instructions"
            else
                echo "FAILED: $1 is not $2 with $compiler"
                cat "$work/difference"
                failed=1
            fi
        done
    done
else
    echo "  objdump is not here: instructions are not compared"
fi
exit $failed
