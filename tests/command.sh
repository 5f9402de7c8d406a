#!/bin/sh
# command.sh - tests the `tenon` command from outside: what it prints, where, and with which exit status.
. tests/command_helpers

expect "version is told" 0 version
and "it is the header's" holds out "^tenon $(sed -n 's/^#define TN_VERSION "\(.*\)"/\1/p' include/tenon/base.h)\$"
expect "--version is the same" 0 --version
expect "help is told" 0 help
and "help goes to the output" holds out '^usage: tenon'
and "and nothing to the error stream" is_empty err

expect "no command is a misuse" 2
and "the usage goes to the error stream" holds err '^usage: tenon'
and "and nothing to the output" is_empty out
expect "an unknown command is a misuse" 2 frobnicate
and "it is named" holds err "'frobnicate'"
expect "version takes no arguments" 2 version now
expect "doctor takes no arguments" 2 doctor now
expect "an unknown chapter is a misuse" 2 tour nowhere
and "the chapters are listed" holds err '^  sharing'

expect "the doctor finds the library working" 0 doctor
and "it names the allocator" holds out 'allocator for cpu'
and "it made a tensor" holds out 'works$'
and "it tells the level in use" holds out 'level in use  *\(baseline\|avx2\|avx512\), the best on this machine$'
and "and the caches" holds out 'caches  *[0-9.]* KiB first level, [0-9.]* [KM]iB second, [0-9.]* [KM]iB last$'
and "and what the affinity mask allows" holds out 'processors allowed  *[0-9][0-9]* by the affinity mask'
and "and what memory a cgroup allows" holds out 'memory allowed  *[^ ]'
and "and who computes products" holds out 'products  *computed by the built-in engine$'
and "and how fast that is" holds out 'float32 products, n = 512  *built-in [0-9.]* GF'
and "and which BLAS there is" holds out '\(BLAS found  *none\|fastest for products  *[^ ]\)'
and "and who factors matrices" holds out 'factorisations  *computed by the built-in algorithms$'
and "and how fast that is, too" holds out 'float64 cholesky, n = 192  *built-in [0-9.]* ms'
and "and which LAPACK there is" holds out '\(LAPACK found  *none\|fastest: \)'
TENON_LAPACK=libno_such_lapack.so "$TENON" doctor >"$work/out"
and "a LAPACK that cannot be loaded is told" holds out 'TENON_LAPACK=libno_such_lapack.so is not used: the library "libno_such_lapack.so" cannot be loaded'
TENON_BLAS=libno_such_blas.so "$TENON" doctor >"$work/out"
and "a BLAS that cannot be loaded is told" holds out 'TENON_BLAS=libno_such_blas.so is not used: the library "libno_such_blas.so" cannot be loaded'
and "and what would be faster, or that nothing would" holds out 'advice  *[^ ]'
TENON_CPU=baseline TENON_NUM_THREADS=3 "$TENON" doctor >"$work/out"
and "threads that are too many are advised against" holds out 'advice .*\(TENON_NUM_THREADS=3 is more than\|TENON_NUM_THREADS=3 leaves\|TENON_CPU\)'
and "it tells what sets the threads" holds out 'threads  *3, set by TENON_NUM_THREADS=3$'
and "and what caps the level" holds out 'level in use  *baseline, \(capped by TENON_CPU=baseline; this machine has avx\|the best on this machine$\)'
TENON_CPU=quick TENON_NUM_THREADS=many "$TENON" doctor >"$work/out"
and "it tells what is ignored" holds out 'TENON_CPU=quick does not name a level and is ignored$'
and "of the threads, too" holds out 'TENON_NUM_THREADS=many is not a number from 1 up and is ignored$'
if [ "$(nproc)" -gt 1 ] && taskset -c 0 true 2>/dev/null; then
    env -u TENON_NUM_THREADS taskset -c 0 "$TENON" doctor >"$work/out"
    and "the affinity mask caps the threads" holds out 'threads  *1, capped by the affinity mask$'
fi

expect "the tour runs" 0 tour
and "a pipe gets no colours" has_no_escapes
and "every heading is underlined from end to end" awk '/^[0-9]+  / { length_of = length($0) } /^---+$/ { bad = bad || length($0) != length_of } END { exit bad }' "$work/out"
and "it reaches its end" holds out 'When something is wrong'
and "nothing goes to the error stream" is_empty err
cp "$work/out" "$work/whole"
expect "one chapter can be asked for" 0 tour references
and "retain is counted" holds out 'tn_use_count(x) *2$'
and "other chapters are left out" sh -c '! grep -q "When something" "$1"' sh "$work/out"
expect "storages are shared" 0 tour sharing
and "four tensors hold one storage" holds out 'tn_storage_use_count(s) *4$'
and "a write through one is seen through another" holds out 'tensor(\[ 11, 700,   3\])'
expect "attention heads are split three ways" 0 tour heads
and "the first way copies in contiguous" holds out "copy  *contiguous: strides"
and "the second in reshape, and says why" holds out "copy  *reshape: dimensions 2 and 3 must merge"
and "the third not at all" holds out "copies  *0$"
expect "many elements are looked at" 0 tour many
and "a mask selects" holds out 'tensor(\[3., 9., 7., 8.\])'
expect "random numbers are drawn" 0 tour random
and "a seed gives what it gives in PyTorch" holds out 'tensor(\[0.4963, 0.7682, 0.0885, 0.1320\])'
and "Philox does not mind the layout" holds out 'tn_equal(rows, columns) *yes'
expect "matrices are multiplied" 0 tour products
and "the product is right" holds out '\[32\., 77\.\]'
expect "gradients are computed" 0 tour gradients
and "the graph is shown" holds out 'SinBackward0'
and "and the derivative is right" holds out '0.8415, 0.9093'
expect "a network is trained" 0 tour training
and "it reads nine of ten digits at least" holds out 'read right  *\(9[0-9]\.[0-9]\|100\.0\) % of 300 digits'
expect "errors are shown" 0 tour errors
and "with their code" holds out 'tn_error_code *shape\|tn_error_code *index\|tn_error_code *argument'

if [ -w /dev/full ]; then
    "$TENON" tour >/dev/full 2>"$work/err"
    full=$?
    and "output that cannot be written is a failure" test "$full" -eq 1
    and "which is told" holds err 'writing the output'
fi
# A terminal of our own, where script(1) is installed and the system gives it one.
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    TERM=xterm NO_COLOR= script -qec "$TENON tour tensor" /dev/null >"$work/out" 2>"$work/err" </dev/null
    and "a terminal gets colours" sh -c 'grep -q "$(printf "\033")" "$1"' sh "$work/out"
    TERM=xterm NO_COLOR=1 script -qec "$TENON tour tensor" /dev/null >"$work/out" 2>"$work/err" </dev/null
    and "unless NO_COLOR is set" has_no_escapes
    TERM=dumb script -qec "$TENON tour tensor" /dev/null >"$work/out" 2>"$work/err" </dev/null
    and "or the terminal is dumb" has_no_escapes
    echo "$passed passed, $failed failed"
else
    echo "skipped: what a terminal shows, for want of one"
    echo "$passed passed, $failed failed, 3 skipped"
fi
[ "$failed" -eq 0 ]
