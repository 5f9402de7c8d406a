#!/bin/sh
# rebuild.sh - after a change, `make -j2` gives what a build from nothing gives: no object, archive or program is left as it was.
#
# It works on a copy of the tree, with a compiler that only preprocesses: an "object" is the text that would be compiled, and
# a "program" is the list of what would be linked. So a build takes seconds, and two builds can be compared file by file.
set -u
: "${BUILD:=build}" "${MAKE:=make}"
passed=0
failed=0
work=$(mkdir -p "$BUILD" && cd "$BUILD" && pwd)/rebuild
rm -rf "$work"
mkdir -p "$work/tree"
cp -Rp Makefile include src tools docs python examples tenon.map "$work/tree"
mkdir "$work/tree/tests"
cp -p tests/run.c tests/heap.c tests/gauntlet.c tests/*.h "$work/tree/tests" # a few of the tests stand for all of them
cd "$work/tree" || exit 1

cat >"$work/preprocess" <<'END'
#!/bin/sh
# The compiler's part: with -c, the preprocessed text as the object; without, the text of all that is linked.
target= compile= parts=
for argument in "$@"; do
    [ "$target" != next ] || target=$argument
    case $argument in
    -o) target=next ;;
    -c) compile=yes ;;
    *.o | *.a) parts="$parts $argument" ;;
    esac
done
if [ -n "$compile" ]; then
    exec ${REAL_CC:-cc} -E -P "$@" -MF "${target%.o}.d" -MQ "$target"
fi
case $target in
*.o) cat $parts >"$target" ;;
*) cksum $parts >"$target" ;;
esac
END
chmod +x "$work/preprocess"

build() {
    "${MAKE%% *}" -j2 BUILD=build CC="$work/preprocess" HOSTCC="${REAL_CC:-cc}" OBJCOPY=: PYTHON=false V=0 all build/tests/run \
        >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}

# same SENTENCE: what make brought up to date is what a build from nothing makes. An object whose source is gone may stay.
same() {
    build
    cp "$work/log" "$work/update.log"
    rm -rf "$work/updated"
    mv build "$work/updated"
    build
    if diff -rq "$work/updated" build | grep -v '^Only in .*/updated/obj' >"$work/differences"; then
        failed=$((failed + 1))
        echo "FAILED: $1; $(wc -l <"$work/differences") files differ, among them"
        sed 's/^/    /; 9q' "$work/differences"
    else
        passed=$((passed + 1))
        echo "$1"
    fi
}

build

# A row in the middle of the largest group, with a kernel: the numbers of other kernels of its group and of all rows after it change.
table=$(grep -rl '^{\.name = "frac",$' src/dispatch)
awk '/^\{\.name = "frac",$/ { wanted = 1 }
     wanted { row = row $0 "\n"; if (/\},$/) { copy = row; gsub(/"frac"/, "\"another\"", copy); printf "%s%s", copy, row; wanted = 0 }; next }
     { print }' "$table" >"$work/table" && cp "$work/table" "$table"
echo 'TN_ENTER(another)' >src/cpu/bodies/another.inc # the generator asks for a body
same "a new row reaches every file that knows the table"
grep -q tn_another include/tenon/operators.h || { failed=$((failed + 1)); echo "FAILED: the row did not reach the public header"; }

# It concerns what knows the whole table, and what uses numbers or all names of its group (tools/generate/used.c).
objects=$(grep -cE '^  CC +(src|build/generated)/' "$work/update.log")
if [ "$objects" -gt 0 ] && [ "$objects" -lt 10 ]; then
    passed=$((passed + 1))
    echo "for a new row, $objects objects are compiled again"
else
    failed=$((failed + 1))
    echo "FAILED: for a new row, $objects objects are compiled again:"
    grep -E '^  CC +(src|build/generated)/' "$work/update.log"
fi

printf '/* one more line */\nenum { TNI_ONE_MORE = 1 };\n' >>src/base/common.h
mkdir -p src/ops/another
echo 'int tni_another_file(void);' >src/ops/another/another.c
printf '\n#define ANOTHER_LINE 1\n' >>tools/generate.c
same "so do a change in a header, a new file and a change of the generator"

# A build that has nothing to do does nothing.
build
if grep -E '^  (CC|AR|LINK|GENERATE|HOSTCC)' "$work/log"; then
    failed=$((failed + 1))
    echo "FAILED: what is up to date is left alone"
else
    passed=$((passed + 1))
    echo "what is up to date is left alone"
fi

rm tests/heap.c
build
if grep tests/heap.o build/tests/run; then
    failed=$((failed + 1))
    echo "FAILED: a file that is gone is linked no more"
else
    passed=$((passed + 1))
    echo "a file that is gone is linked no more"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
