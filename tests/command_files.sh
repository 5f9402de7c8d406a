#!/bin/sh
# command_files.sh - tests the subcommands of `tenon` on files: what they print on small committed files is in tests/data/command, one file each,
# and `GOLDEN=write tests/command_files.sh` writes those again, to be looked at before they are committed.
. tests/command_helpers

unset COLUMNS
LC_ALL=C
NO_COLOR=1
export LC_ALL NO_COLOR
files=tests/data/files
golden=tests/data/command

# golden NAME STATUS ARGUMENT...: what is printed, and on the error stream, is in $golden/NAME.
golden() {
    name=$1
    shift
    expect "$name: $*" "$@"
    cat "$work/out" "$work/err" >"$work/both"
    if [ "${GOLDEN:-}" = write ]; then
        cp "$work/both" "$golden/$name"
    fi
    if cmp -s "$golden/$name" "$work/both"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name is not as it was"
        diff "$golden/$name" "$work/both" | head -20
    fi
}

golden info 0 info $files/two.safetensors $files/state.pt $files/blocks.gguf $files/deflated.npz $files/appended.npy
golden info.tree 0 info --tree $files/blocks.gguf
golden info.json 0 info --json $files/two.safetensors
and "which is JSON" python3 -m json.tool "$work/out"
golden info.only 0 info --only 'Q?_*' --only 'Q*_K' $files/blocks.gguf
golden info.bad 1 info $files/objects.npy $files/f4.npy
golden info.missing 1 info tests/none.npy
golden show 0 show $files/two.safetensors:a '0, ::-1'
golden show.json 0 show --json $files/big_fortran.npy
and "which is JSON, too" python3 -m json.tool "$work/out"
golden show.which 1 show $files/two.safetensors
golden show.name 1 show $files/two.safetensors:nothing
golden show.index 1 show $files/f4.npy '7'
golden stat 0 stat $files/blocks.gguf
golden stat.json 0 stat --json $files/two.safetensors
and "this is JSON" python3 -m json.tool "$work/out"
golden check 0 check $files/two.safetensors $files/state.pt $files/deflated.npz $files/stored.npz
golden check.json 1 check --json $files/text.npy $files/f4.npy
and "this, too" python3 -m json.tool "$work/out"
golden plot.line 0 plot $golden/wave.npy
golden plot.histogram 0 plot --kind histogram --bins 8 $golden/wave.npy
golden plot.heat 0 plot $golden/heat.npy
golden plot.json 0 plot --json --bins 4 --kind histogram $golden/wave.npy
golden plot.svg 0 plot --svg - $golden/wave.npy
golden image 0 image $golden/heat.npy
golden graph 0 graph $golden/graph.in
golden graph.svg 0 graph --svg - $golden/graph.in
golden graph.json 0 graph --json $golden/graph.in
and "a graph as JSON" python3 -m json.tool "$work/out"
golden memory 0 memory $golden/memory.in
golden memory.json 0 memory --json $golden/memory.in
golden memory.svg 0 memory --svg - $golden/memory.in
golden completion 0 completion bash
golden help.convert 0 help convert
expect "operators are listed" 0 ops
and "with their groups" holds out '^softmax\|  .*softmax'
expect "one is told" 0 ops softmax
and "with its signature" holds out '^softmax(tensor self, int dim'
and "and its derivative" holds out 'grad'
expect "a misspelt one is guessed" 1 ops sotfmax
and "rightly" holds err "is it 'softmax'"
expect "the reference is JSON" 0 ops --json relu
and "really" python3 -m json.tool "$work/out"
expect "a few operators are timed" 0 bench --size 1000 --json
and "in JSON" python3 -m json.tool "$work/out"
expect "no such operator" 2 bench nothing
expect "names of operators" 0 ops --names
and "one a line" has_line out softmax
expect "the doctor answers programs" 0 doctor --json
and "in JSON" python3 -m json.tool "$work/out"

# Round trips: what is written is the same, by our own comparison.
for format in npz safetensors pt; do
    expect "converted to $format" 0 convert $files/blocks.gguf "$work/blocks.$format"
    expect "$format is the same" 0 diff $files/blocks.gguf "$work/blocks.$format"
    and "and nothing is said" is_empty out
    expect "$format is whole" 0 check "$work/blocks.$format"
done
expect "deflated" 0 convert --level 9 $files/blocks.gguf "$work/small.npz"
and "it is smaller" test "$(wc -c <"$work/small.npz")" -lt "$(wc -c <"$work/blocks.npz")"
expect "the deflated is the same" 0 diff "$work/small.npz" "$work/blocks.npz"
expect "cast and renamed" 0 convert --dtype float16 --rename 'Q*_K=k.*' --only 'Q*' $files/blocks.gguf "$work/half.safetensors"
golden diff 1 diff $files/blocks.gguf "$work/half.safetensors"
golden diff.json 1 diff --json --rtol 1e-3 $files/blocks.gguf "$work/half.safetensors"
and "differences as JSON" python3 -m json.tool "$work/out"
expect "differences within a tolerance" 1 diff --quiet --atol 1 --rtol 1 $files/blocks.gguf "$work/half.safetensors"
and "quietly" is_empty out
expect "a file that is not there is trouble" 2 diff $files/f4.npy "$work/none.npy"
expect "sharded" 0 convert --shard 1KB $files/blocks.gguf "$work/many.safetensors"
expect "the shards are the same" 0 diff $files/blocks.gguf "$work/many.safetensors.index.json"
expect "split" 0 split $files/two.safetensors "$work/parts"
and "a file each" test -f "$work/parts/a.npy" -a -f "$work/parts/b.npy"
expect "merged" 0 merge --prefix "$work/merged.npz" "$work/parts/a.npy" "$work/parts/b.npy"
expect "under their names" 0 show "$work/merged.npz:a.0"
expect "a name twice is refused" 1 merge "$work/twice.npz" "$work/parts/a.npy" "$work/parts/a.npy"
and "it is named" holds err 'there is a tensor "0" already'
and "nothing is left" test ! -e "$work/twice.npz"
expect "text is read by its name" 0 convert "$work/parts/a.npy" "$work/a.csv"
expect "and back" 0 show "$work/a.csv" 1
and "as it was" holds out '3\., 4\., 5\.'
expect "raw bytes need a shape" 0 info --format raw --dtype float32 --shape 2,-1 $files/f4.npy
expect "an unknown format is told" 1 convert $files/f4.npy "$work/x.unknown"
and "with what to do" holds err 'say with --to'
expect "what cannot be written is told" 1 convert $files/f4.npy /nothing/at/all.npz
and "with the path" holds err '/nothing/at/all.npz'
if [ -w /dev/full ]; then
    expect "a full disk is told" 1 convert $files/f4.npy /dev/full --to npy
    and "in words" holds err 'No space'
fi
and "no file is half written" sh -c '! ls "$1" | grep -q "tmp$"' sh "$work"

# Rules and patterns may be given several times.
expect "two patterns" 0 info --json --only Q4_0 --only Q8_0 $files/blocks.gguf
and "give two tensors" test "$(grep -c '"name"' "$work/out")" -eq 2
expect "two rules" 0 convert --rename a=x --rename 'b*=y*' $files/two.safetensors "$work/renamed.npz"
expect "each has its own" 0 show "$work/renamed.npz:x"
expect "and the other" 0 show "$work/renamed.npz:y"
expect "what was written is told to programs" 0 convert --json --shard 30 $files/two.safetensors "$work/told.safetensors"
and "as JSON" python3 -m json.tool "$work/out"
and "a file each" test "$(grep -c '"file"' "$work/out")" -eq 2

# Names that are the same as names of files: none is written over the other.
expect "names that differ in what a file's name cannot have" 0 convert --rename 'a=w/x' --rename 'b=w x' $files/two.safetensors "$work/alike.npz"
expect "are split" 0 split "$work/alike.npz" "$work/alike"
and "into two files" test -f "$work/alike/w_x.npy" -a -f "$work/alike/w_x-2.npy"
expect "a folder without a name" 1 split $files/two.safetensors ""
printf '\010\010\072\003\022\001g\102\002\020\021' >"$work/bare.onnx"
expect "a model without tensors is looked into" 0 info "$work/bare.onnx"
printf '\010\010:\024\012\017\012\001x\022\001y\032\001a\042\004Relu\022\001gB\002\020\021' >"$work/node.onnx"
expect "the nodes of a graph are listed" 0 info --nodes "$work/node.onnx"
and "with what goes in and out" holds out 'Relu "a": x -> y'
expect "and for programs" 0 info --nodes --json "$work/node.onnx"
and "as JSON, too" python3 -m json.tool "$work/out"
and "name by name" holds out '"operation": "Relu", "domain": "", "name": "a", "inputs": \["x"\], "outputs"'
expect "other files have none" 0 info --nodes $files/two.safetensors
expect "but has nothing to split" 1 split "$work/bare.onnx" "$work/bare"
and "which is told" holds err 'there is no tensor'
and "and no folder is left" test ! -e "$work/bare"
expect "or to show" 1 show "$work/bare.onnx"
and "which is told, too" holds err 'the file has no tensors'

# Tables with words above their columns, pipes, the standard input.
printf 'step,loss\n1,0.5\n2,0.25\n' >"$work/loss.csv"
expect "words above the columns are passed over" 0 show "$work/loss.csv" ':, 1'
and "numbers are not" holds out '0.5000, 0.2500'
printf 'a,b\nc,d\n' >"$work/words.csv"
expect "words below are told" 1 show "$work/words.csv"
and "with their line" holds err 'line 2, column 1: not a number'
"$TENON" show - <$files/f4.npy >"$work/out"
and "the standard input is a file" holds out 'tensor('
cat $files/two.safetensors | "$TENON" check - >"$work/out"
and "a pipe is one, too" holds out '4 tensors'

# Integers beyond 2^53, and infinities.
if python3 -c 'import struct' 2>/dev/null; then
    python3 - "$work" <<'END'
import struct, sys
def npy(name, descr, form, *values):
    head = ("{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }" % (descr, len(values))).ljust(117) + chr(10)
    with open(sys.argv[1] + "/" + name + ".npy", "wb") as out:
        out.write(bytes([147]) + b"NUMPY" + bytes([1, 0]) + struct.pack("<H", len(head)) + head.encode() + struct.pack("<%d%s" % (len(values), form), *values))
npy("large", "<i8", "q", 2**53, 5)
npy("larger", "<i8", "q", 2**53 + 1, 5)
npy("largest", "<u8", "Q", 2**64 - 1, 0)
npy("infinite", "<f8", "d", float("inf"), 1)
npy("finite", "<f8", "d", 1, 1)
npy("constant", "<f8", "d", 2.5, 2.5, 2.5)
npy("far", "<f8", "d", -1.7e308, 0, 1.7e308)
END
    expect "integers that are one double are two" 1 diff "$work/large.npy" "$work/larger.npy"
    and "one apart" holds out '1 of 2 elements, max abs 1,'
    expect "the largest integer" 0 show --json "$work/largest.npy"
    and "has all its digits" holds out '18446744073709551615'
    expect "no tolerance reaches an infinity" 1 diff --rtol 1 --atol 1e300 "$work/finite.npy" "$work/infinite.npy"
    expect "one number is one bar" 0 plot --kind histogram "$work/constant.npy"
    and "with all of them" holds out ' 3$'
    expect "a range that is no double" 0 plot --svg - "$work/far.npy"
    and "has both its ends" sh -c 'grep -q ">-1.7e+308<" "$1" && grep -q ">1.7e+308<" "$1"' sh "$work/out"
fi

# A line without holes: as many points as elements, each drawn once.
expect "a line of 100 points" 0 plot --json $golden/wave.npy
and "has no holes" lacks out null
expect "and so has its picture" 0 plot --svg - $golden/wave.npy
and "which is one stroke" test "$(grep -o 'd="M[^"]*"' "$work/out" | tail -1 | grep -o M | wc -l)" -eq 1

# Archives with a changed byte.
cp $files/stored.npz "$work/changed.npz"
printf '\377' | dd of="$work/changed.npz" bs=1 seek=200 conv=notrunc 2>/dev/null
expect "a changed byte of a stored archive is found" 1 check "$work/changed.npz"
and "by its checksum" holds err 'checksum'

# Pictures.
expect "a PNG" 0 image --out "$work/heat.png" $golden/heat.npy
and "is one" sh -c 'dd if="$1" bs=1 skip=1 count=3 2>/dev/null | grep -q PNG' sh "$work/heat.png"
expect "an SVG" 0 image --out "$work/heat.svg" $golden/heat.npy
and "ends" sh -c 'tail -1 "$1" | grep -q "</svg>"' sh "$work/heat.svg"
expect "another kind of picture is refused" 2 image --out "$work/heat.jpg" $golden/heat.npy
and "and not written" test ! -e "$work/heat.jpg"
expect "a range from large to small is refused" 2 image --range 5,1 $golden/heat.npy
expect "pixels for programs" 0 image --json $golden/heat.npy
and "as JSON" python3 -m json.tool "$work/out"
expect "what is no picture" 1 image $files/f4.npy 0
and "is told" holds err 'shape (H, W)'
if command -v python3 >/dev/null && python3 -c 'import zlib' 2>/dev/null; then
    and "the PNG's checksums are right" python3 -c '
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
at, idat = 8, b""
while at < len(data):
    size, = struct.unpack(">I", data[at:at + 4])
    kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + size]
    assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body)
    idat += body if kind == b"IDAT" else b""
    at += 12 + size
assert len(zlib.decompress(idat)) == 12 * (1 + 3 * 20)' "$work/heat.png"
fi

# Terminals of 60 and 200 columns, names that do not fit, and names that would play with the terminal.
for columns in 60 200; do
    for what in "info $files/blocks.gguf" "info --tree $files/blocks.gguf" "stat $files/blocks.gguf" "plot $golden/wave.npy" "plot $golden/heat.npy" "memory $golden/memory.in"; do
        COLUMNS=$columns "$TENON" $what >"$work/out"
        and "$what fits $columns columns" awk -v most="$columns" 'length($0) > most { bad = 1 } END { exit bad }' "$work/out"
    done
done
expect "a file whose name plays with the terminal" 0 convert --rename "a=$(printf 'x\033[31my')" --only a $files/two.safetensors "$work/name.npz"
expect "is shown" 0 info "$work/name.npz"
and "without doing so" has_no_escapes
and "but with its bytes" holds out 'x\\x1b\[31my'

# Messages do not play with the terminal either.
expect "a name that plays" 1 run "$(printf 'no\033[31m.onnx')"
and "does not" sh -c '! grep -q "$(printf "\033")" "$1"' sh "$work/err"
printf '1 Sum\033[31mBackward0 float64 []\n' >"$work/evil.txt"
expect "a graph that plays" 0 graph "$work/evil.txt"
and "does not, too" has_no_escapes

# The shell completes what --help tells.
if command -v bash >/dev/null; then
    cat >"$work/complete" <<'END'
eval "$("$1" completion bash)"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_tenon
echo "${COMPREPLY[*]}"
END
    complete_with() { bash "$work/complete" "$TENON" "$TENON" "$@" >"$work/out" 2>&1; }
    complete_with con
    and "a subcommand is completed" has_line out convert
    complete_with info --tr
    and "an option is completed" has_line out --tree
    complete_with tour grad
    and "a chapter is completed" has_line out gradients
    complete_with ops log_softm
    and "an operator is completed" has_line out log_softmax
    complete_with plot --kind hea
    and "a kind is completed" has_line out heat
    complete_with show tests/da
    and "files are left to the shell" has_line out ''
fi

# A reader that goes away early.
"$TENON" info --json $files/blocks.gguf | head -1 >"$work/out"
and "a pipe that closes early is no trouble" holds out '{'

for what in "info $files/blocks.gguf" "show --all $files/blocks.gguf:Q4_0" "ops" "ops --json" "run --operators" "completion bash" "layout arange(400)"; do
    "$TENON" $what 2>"$work/err" | head -1 >"$work/out"
    and "$what: a pipe that closes early" is_empty err
done

expect "help of what is not there" 2 help nothing
for name in info show stat diff check convert merge split plot image graph memory run ops tour layout bench doctor version; do
    expect "$name tells its usage" 0 $name --help
    and "$name: on the output" holds out "^usage: tenon $name"
    and "$name: with an example" holds out "^  [A-Z_=1. /a-z|]*tenon $name"
    expect "help of $name is the same" 0 help $name
    case $name in tour | layout) continue ;; esac
    expect "$name refuses an unknown option" 2 $name --frobnicate
    and "$name: by its name" holds err 'there is no option --frobnicate'
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
