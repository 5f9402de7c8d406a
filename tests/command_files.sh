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

# A reader that goes away early.
"$TENON" info --json $files/blocks.gguf | head -1 >"$work/out"
and "a pipe that closes early is no trouble" holds out '{'

for name in info show stat diff check convert merge split plot image graph memory ops bench doctor; do
    expect "$name tells its usage" 0 $name --help
    and "$name: on the output" holds out "^usage: tenon $name"
    expect "$name refuses an unknown option" 2 $name --frobnicate
    and "$name: by its name" holds err 'there is no option --frobnicate'
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
