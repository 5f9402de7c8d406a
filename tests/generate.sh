#!/bin/sh
# generate.sh - tests what tools/generate.c refuses: each table below has one mistake, and the message names the row and the reason.
set -u
: "${CC:=cc}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/out"
passed=0
failed=0

$CC -std=c11 -Iinclude -Isrc -c src/dispatch/signature.c -o "$work/signature.o" || exit 1
for part in tools/generate.c tools/generate/*.c; do
    case $part in
    */model.c) ;;
    *) $CC -std=c11 -Iinclude -Isrc -c "$part" -o "$work/$(basename "$part" .c)-part.o" || exit 1 ;;
    esac
done
echo 'TN_ENTER(known); /* the kernel lonely is only spoken of */' >"$work/bodies.inc"

# refuses "WHAT" "MESSAGE" ROW...: a table of these rows ends the generator, with this message.
refuses() {
    what=$1 message=$2
    shift 2
    printf '%s,\n' "$@" >"$work/rows.def"
    if ! $CC -std=c11 -Iinclude -Isrc -DGENERATE_TABLE="\"$work/rows.def\"" -c tools/generate/model.c -o "$work/model.o" ||
        ! $CC "$work"/*.o -o "$work/generate"; then
        failed=$((failed + 1))
        return
    fi
    "$work/generate" "$work/out" "$work/bodies.inc" 2>"$work/said"
    status=$?
    said=$(cat "$work/said")
    if [ "$message" = "" ] && [ $status -eq 0 ] && [ "$said" = "" ]; then
        passed=$((passed + 1))
    elif [ "$message" != "" ] && [ $status -eq 1 ] && [ "$said" = "operators.def: $message" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what: status $status, said: $said"
    fi
}

fine='.variants = FUNCTIONAL, .group = "g", .doc = "A doc."'
refuses "a good table is taken" "" \
    "{.name = \"twice\", .signature = \"(tensor self, int n=2, float eps=1e-5, bool b=true, scalar s=none) -> tensor\", $fine}"
refuses "a pointwise row whose kernel has a body is taken" "" \
    "{.name = \"f\", .signature = \"(tensor self) -> tensor\", .kernel = \"known\", .kinds = \"f\", $fine}"
refuses "a type that does not exist" "f: a type is expected here: tensr self) -> tensor" \
    "{.name = \"f\", .signature = \"(tensr self) -> tensor\", $fine}"
refuses "a default of another type" "f.x: this is not a default for its type: 1.5" \
    "{.name = \"f\", .overload = \"x\", .signature = \"(tensor self, int n=1.5) -> tensor\", $fine}"
refuses "a bool that is a number" "f: this is not a default for its type: 1" \
    "{.name = \"f\", .signature = \"(tensor self, bool b=1) -> tensor\", $fine}"
refuses "a dtype that does not exist" "f: this is not a default for its type: flaot32" \
    "{.name = \"f\", .signature = \"(tensor self, dtype dtype=flaot32) -> tensor\", $fine}"
refuses "a tensor with a default" "f: this is not a default for its type: none" \
    "{.name = \"f\", .signature = \"(tensor self=none) -> tensor\", $fine}"
refuses "a shortcut of what is not composite" "f: a shortcut is for what is composite" \
    "{.name = \"f\", .signature = \"(tensor self) -> tensor\", .shortcut = true, $fine}"
refuses "a kernel without a body" "f: no body enters the kernel lonely" \
    "{.name = \"f\", .signature = \"(tensor self) -> tensor\", .kernel = \"lonely\", .kinds = \"f\", $fine}"
refuses "a kernel without a body among several" "f: no body enters the kernel lonely" \
    "{.name = \"f\", .signature = \"(tensor self) -> tensor\", .kernels = \"known lonely\", $fine}"
refuses "a composite row with a kernel" "f: a composite operator has no kernels, and runs on any device without saying so" \
    "{.name = \"f\", .signature = \"(tensor self) -> tensor\", .composite = true, .kernels = \"known\", $fine}"
refuses "a row that is implemented twice" "f: a row is one of these: .kernel, .prepare, .plan, .composite" \
    "{.name = \"f\", .signature = \"(tensor self) -> tensor\", .prepare = true, .plan = true, $fine}"
refuses "an alias that is another row's name" "g: two rows have the name g" \
    "{.name = \"f\", .aliases = \"g\", .signature = \"(tensor self) -> tensor\", $fine}" \
    "{.name = \"g\", .signature = \"(tensor self) -> tensor\", $fine}"
refuses "a pointwise row without kinds" "f: a pointwise operator says which kinds of dtypes it takes" \
    "{.name = \"f\", .signature = \"(tensor self) -> tensor\", .kernel = \"known\", $fine}"
refuses "a kind that does not exist" "f: no such kind of dtype: x" \
    "{.name = \"f\", .signature = \"(tensor self) -> tensor\", .kernel = \"known\", .kinds = \"fx\", $fine}"
refuses "a function in a text that does not exist" "f: its text names a function that does not exist: tn_g instead." \
    '{.name = "f", .signature = "(tensor self) -> tensor", .variants = FUNCTIONAL, .group = "g", .doc = "Use tn_g instead."}'
refuses "a hint that does not exist" "f: no such hint, or no such parameter: quick" \
    "{.name = \"f\", .signature = \"(tensor self) -> tensor\", .hints = \"quick\", $fine}"
refuses "a hint of a parameter that does not exist" "f: no such hint, or no such parameter: early=alpha" \
    "{.name = \"f\", .signature = \"(tensor self, number beta=1) -> tensor\", .hints = \"early=alpha\", $fine}"
refuses "forms for an operator that does not exist" "f: its hint names an operator that does not exist: g" \
    "{.name = \"f\", .signature = \"(tensor self) -> tensor\", .hints = \"also=f also=g\", $fine}"
refuses "two rows of one name" "f: two rows have the name f" \
    "{.name = \"f\", .signature = \"(tensor self) -> tensor\", $fine}" "{.name = \"f\", .signature = \"() -> tensor\", $fine}"
refuses "two rows of one C name" "f_x: two rows have the name f_x" \
    "{.name = \"f\", .overload = \"x\", .signature = \"(tensor self) -> tensor\", $fine}" "{.name = \"f_x\", .signature = \"() -> tensor\", $fine}"
refuses "a row without a doc" "f: a row has a name, a signature, a group and a doc" \
    '{.name = "f", .signature = "(tensor self) -> tensor", .variants = FUNCTIONAL, .group = "g"}'
refuses "a row without variants" "f: a row has variants: FUNCTIONAL, IN_PLACE, OUT" \
    '{.name = "f", .signature = "(tensor self) -> tensor", .group = "g", .doc = "A doc."}'
refuses "an in-place variant of what takes no tensor" "f: an in-place variant changes its first parameter, a tensor: (int n) -> tensor" \
    '{.name = "f", .signature = "(int n) -> tensor", .variants = ALL_VARIANTS, .group = "g", .doc = "A doc."}'
refuses "an out variant of a list without names" "f: an out variant needs names for the tensors of its list: (tensor self) -> list" \
    '{.name = "f", .signature = "(tensor self) -> list", .variants = FUNCTIONAL | OUT, .group = "g", .doc = "A doc."}'
refuses "a group in two places" "h: rows of a group are together: g" \
    "{.name = \"f\", .signature = \"() -> tensor\", $fine}" \
    '{.name = "g", .signature = "() -> tensor", .variants = FUNCTIONAL, .group = "other", .doc = "A doc."}' \
    "{.name = \"h\", .signature = \"() -> tensor\", $fine}"

# ---- derivatives
twice='{.name = "twice", .signature = "(tensor self, scalar factor=2) -> tensor", .variants = FUNCTIONAL, .group = "g", .doc = "A doc."'
pair='{.name = "pair", .signature = "(tensor self, int dim=0) -> list(values, indices)", .variants = FUNCTIONAL, .group = "g", .doc = "A doc."'
refuses "a good derivative is taken" "" "$twice, .gradient = \"self: twice(grad, conj(factor))\"}"
refuses "a derivative of a tensor among results is taken" "" "$pair, .gradient = \"self: @pair(grad.values, result.indices, self.sizes, dim)\"}"
refuses "a derivative of no parameter" "twice: its gradient is of a parameter that it does not have: other" "$twice, .gradient = \"other: grad\"}"
refuses "two derivatives of one parameter" "twice: its gradient has two clauses for self" "$twice, .gradient = \"self: grad; self: grad\"}"
refuses "an operator that does not exist" "twice: its gradient calls an operator that does not exist: thrice" "$twice, .gradient = \"self: thrice(grad)\"}"
refuses "arguments that do not fit" "twice: its gradient calls twice with arguments that no form of it takes: tensor, tensor" \
    "$twice, .gradient = \"self: twice(grad, self)\"}"
refuses "a name that means nothing" "twice: its gradient names what is neither a parameter nor an operator: x" "$twice, .gradient = \"self: twice(x)\"}"
refuses "a number of a tensor that does not exist" "twice: a tensor has no such number: length" "$twice, .gradient = \"self: @f(self.length)\"}"
refuses "a parenthesis that is not closed" "twice: its gradient has no ) at its end" "$twice, .gradient = \"self: twice(grad\"}"
refuses "a derivative that is no tensor" "twice: a gradient is a tensor, not scalar" "$twice, .gradient = \"self: factor\"}"
refuses "a result of another name" "pair: its gradient names a result that it does not have: sizes" "$pair, .gradient = \"self: grad.sizes\"}"
refuses "a derivative without the name of a result" "pair: its results have names: grad.name, result.name are expected here: " "$pair, .gradient = \"self: grad\"}"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
