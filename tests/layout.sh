#!/bin/sh
# layout.sh - tests `tenon layout` from outside: what it draws, what it says of each step, where it points when it cannot.
. tests/command_helpers
command=layout
skipped=0
unset COLUMNS

# ---- what is drawn

expect "a chain is drawn" 0 'arange(12).view(3,4)[:, 1:].t().reshape(-1)'
and "step by step, with what each costs and why" is out <<'END'
 1  arange(12)
    shape [12]  strides [1]  offset 0  int64  contiguous
    new storage A, 96 bytes
    cell      0    1    2    3    4    5    6    7    8    9   10   11
    order    [0]  [1]  [2]  [3]  [4]  [5]  [6]  [7]  [8]  [9] [10] [11]

 2  .view(3,4)
    shape [3, 4]  strides [4, 1]  offset 0  int64  contiguous
    zero-copy in storage A: only shape and strides changed
    cell      0    1    2    3    4    5    6    7    8    9   10   11
    order    [0]  [1]  [2]  [3]  [4]  [5]  [6]  [7]  [8]  [9] [10] [11]

 3  [:, 1:]
    shape [3, 3]  strides [4, 1]  offset 1  int64  not contiguous
    zero-copy in storage A: only shape and offset changed
    cell      0    1    2    3    4    5    6    7    8    9   10   11
    order     .   [0]  [1]  [2]   .   [3]  [4]  [5]   .   [6]  [7]  [8]

 4  .t()
    shape [3, 3]  strides [1, 4]  offset 1  int64  not contiguous
    zero-copy in storage A: only strides changed
    cell      0    1    2    3    4    5    6    7    8    9   10   11
    order     .   [0]  [3]  [6]   .   [1]  [4]  [7]   .   [2]  [5]  [8]

 5  .reshape(-1)
    shape [9]  strides [1]  offset 0  int64  contiguous
    copy to storage B, 72 bytes: dimensions 0 and 1 must merge to make dimension 0 of [9], but
      stride[0] = 1 is not size[1] * stride[1] = 3 * 4 = 12
    cell     0   1   2   3   4   5   6   7   8
    order   [0] [1] [2] [3] [4] [5] [6] [7] [8]

5 steps, 1 copy of 72 bytes
END
and "nothing goes to the error stream" is_empty err
and "a pipe gets no colours" has_no_escapes

expect "a shared cell shows its first position and how many there are" 0 'arange(2).expand(3,2)'
and "with a times sign" has_line out '    order   [0×3] [1×3]'
and "elements and cells are counted" has_line out '    6 elements in 2 of 2 cells'
expect "backwards is a view" 0 'arange(4).flip(0)'
and "with a negative stride" holds out 'strides \[-1\]  offset 3 '
and "numbered from its end" has_line out '    order   [3] [2] [1] [0]'
expect "a dtype of another size has other cells" 0 'zeros(2, dtype=int16).view(uint8)'
and "twice as many here" has_line out '    order   [0] [1] [2] [3]'
expect "a tensor of no dimensions has one cell" 0 'tensor(5)'
and "and no numbers" holds out 'shape \[\]  strides \[\]  offset 0 '
expect "an empty storage is told" 0 'zeros(0, 3)'
and "in words" has_line out '    the storage is empty'
expect "a view of nothing touches nothing" 0 'arange(3)[1:1]'
and "the cells are drawn all the same" has_line out '    order    .   .   .'
expect "a large storage is abridged" 0 'arange(1000).view(10,100)[2:4]'
and "before what the view has" has_line out '    ... 200 more cells before ...'
and "inside it" has_line out '    ... 136 more cells between ...'
and "and after it" has_line out '    ... 600 more cells after ...'
and "with the sum" has_line out '    200 elements in 200 of 1000 cells'
expect "64 cells are drawn whole" 0 'arange(64)'
and "without gaps" lacks out 'more cell'
COLUMNS=40 expect "a narrow terminal gets shorter lines" 0 'arange(12)'
and "as long as they may be" sh -c '! grep -q "^    cell.\{33\}" "$1"' sh "$work/out"
and "of equal length" has_line out '    order    [8]  [9] [10] [11]'

expect "contiguous copies what is not" 0 'arange(6).view(2,3).t().contiguous().contiguous()'
and "once" has_line out '5 steps, 1 copy of 48 bytes'
and "and says that the second time there was nothing to do" has_line out '    zero-copy in storage B: nothing had to change'
expect "clone always copies" 0 'arange(6).clone()'
and "and says so" holds out '^    copy to storage B, 48 bytes: '
expect "a conversion is a copy" 0 'arange(6).to(float32)'
and "of the bytes written" holds out '^    copy to storage B, 24 bytes: '

# The three ways to split attention heads (docs/layout.md), and what they cost.
expect "batch first with MultiheadAttention's transposes" 0 \
    'arange(24).view(2,3,4).transpose(0,1).contiguous().view(3,4,2).transpose(0,1)'
and "copies once" holds out '^6 steps, 1 copy '
expect "batch first with view and permute" 0 'arange(24).view(2,3,4).view(2,3,2,2).permute(0,2,1,3).reshape(4,3,2)'
and "copies once too" holds out '^5 steps, 1 copy '
expect "sequence first" 0 'arange(24).view(3,2,4).view(3,4,2).transpose(0,1)'
and "copies nothing" has_line out '4 steps, no copies'

# ---- every factory and method

# gives EXPRESSION NUMBERS: the numbers of the last step.
gives() {
    expect "$1 works" 0 "$1"
    grep '^    shape' "$work/out" | tail -n 1 | sed 's/^    //; s/\(offset [0-9]*\) .*/\1/' >"$work/numbers"
    and "$1 is $2" grep -qxF -e "$2" "$work/numbers"
}
gives 'arange(2, 10, 3)' 'shape [3]  strides [1]  offset 0'
gives 'arange(start=2, end=10)' 'shape [8]  strides [1]  offset 0'
gives 'torch.arange(2*3*4)' 'shape [24]  strides [1]  offset 0'
gives 'empty(2, 3)' 'shape [2, 3]  strides [3, 1]  offset 0'
gives 'empty_strided((2, 3), (1, 2))' 'shape [2, 3]  strides [1, 2]  offset 0'
gives 'eye(3)' 'shape [3, 3]  strides [3, 1]  offset 0'
gives 'eye(2, m=4, dtype=torch.bool)' 'shape [2, 4]  strides [4, 1]  offset 0'
gives 'full((2, 2), 1.5)' 'shape [2, 2]  strides [2, 1]  offset 0'
gives 'linspace(0, 1, steps=5)' 'shape [5]  strides [1]  offset 0'
gives 'ones([4])' 'shape [4]  strides [1]  offset 0'
gives 'tensor([[1, 2.5], [nan, 1+2j]])' 'shape [2, 2]  strides [2, 1]  offset 0'
gives "zeros(3, dtype='float16')" 'shape [3]  strides [1]  offset 0'
gives 'ones(2, 3).H' 'shape [3, 2]  strides [1, 3]  offset 0'
gives 'ones(2, 3, 4).T' 'shape [4, 3, 2]  strides [1, 4, 12]  offset 0'
gives 'ones(2, 3).adjoint()' 'shape [3, 2]  strides [1, 3]  offset 0'
gives 'ones(2).alias()' 'shape [2]  strides [1]  offset 0'
gives 'arange(9).as_strided((2, 2), (3, 1), 1)' 'shape [2, 2]  strides [3, 1]  offset 1'
gives 'arange(9)[2:].as_strided([2], [3])' 'shape [2]  strides [3]  offset 2'
gives 'tensor(1).atleast_1d()' 'shape [1]  strides [1]  offset 0'
gives 'arange(3).atleast_2d()' 'shape [1, 3]  strides [3, 1]  offset 0'
gives 'arange(3).atleast_3d()' 'shape [1, 3, 1]  strides [3, 1, 1]  offset 0'
gives 'arange(3).broadcast_to((2, 3))' 'shape [2, 3]  strides [0, 1]  offset 0'
gives 'arange(7).chunk(3)[1]' 'shape [3]  strides [1]  offset 3'
gives 'ones(1, 2, 2, 2).contiguous(memory_format=torch.channels_last)' 'shape [1, 2, 2, 2]  strides [8, 1, 4, 2]  offset 0'
gives 'ones(2, 3).t().clone(preserve_format)' 'shape [3, 2]  strides [1, 3]  offset 0'
gives 'ones(2).detach()' 'shape [2]  strides [1]  offset 0'
gives 'ones(3, 4).diagonal()' 'shape [3]  strides [5]  offset 0'
gives 'ones(3, 4).diagonal(offset=1)' 'shape [3]  strides [5]  offset 1'
gives 'ones(1, 2, 4).dsplit(2)[1]' 'shape [1, 2, 2]  strides [8, 4, 1]  offset 2'
gives 'ones(1, 2, 4).dsplit([1])[1]' 'shape [1, 2, 3]  strides [8, 4, 1]  offset 1'
gives 'ones(3, 1).expand(-1, 2)' 'shape [3, 2]  strides [1, 0]  offset 0'
gives 'ones(2, 3, 4).flatten(1)' 'shape [2, 12]  strides [12, 1]  offset 0'
gives 'ones(2, 3).flip(0, 1)' 'shape [2, 3]  strides [-3, -1]  offset 5'
gives 'ones(2, 3).fliplr()' 'shape [2, 3]  strides [3, -1]  offset 2'
gives 'ones(2, 3).flipud()' 'shape [2, 3]  strides [-3, 1]  offset 3'
gives 'ones(2, 4).hsplit(2)[1]' 'shape [2, 2]  strides [4, 1]  offset 2'
gives 'ones(2, 4).hsplit((1, 3))[-1]' 'shape [2, 1]  strides [4, 1]  offset 3'
gives 'ones(3, dtype=complex64).imag' 'shape [3]  strides [2]  offset 1'
gives 'ones(2, 3, 4).mH' 'shape [2, 4, 3]  strides [12, 1, 4]  offset 0'
gives 'ones(2, 3, 4).mT' 'shape [2, 4, 3]  strides [12, 1, 4]  offset 0'
gives 'ones(2, 3, 4).moveaxis(0, 2)' 'shape [3, 4, 2]  strides [4, 1, 12]  offset 0'
gives 'ones(2, 3, 4).movedim((0, 1), (1, 2))' 'shape [4, 2, 3]  strides [1, 12, 4]  offset 0'
gives 'arange(9).narrow(0, start=2, length=4)' 'shape [4]  strides [1]  offset 2'
gives 'ones(2, 3, 4).permute((2, 0, 1))' 'shape [4, 2, 3]  strides [1, 12, 4]  offset 0'
gives 'ones(2, 3).ravel()' 'shape [6]  strides [1]  offset 0'
gives 'ones(3, dtype=complex64).real' 'shape [3]  strides [2]  offset 0'
gives 'ones(2, 3).reshape(3, -1)' 'shape [3, 2]  strides [2, 1]  offset 0'
gives 'ones(2, 3).rot90()' 'shape [3, 2]  strides [-1, 3]  offset 2'
gives 'ones(2, 3).rot90(2, (0, 1))' 'shape [2, 3]  strides [-3, -1]  offset 5'
gives 'ones(2, 3).select(1, -1)' 'shape [2]  strides [3]  offset 2'
gives 'arange(9).slice(step=-2)' 'shape [5]  strides [-2]  offset 8'
gives 'arange(9).slice(0, 1, None, 3)' 'shape [3]  strides [3]  offset 1'
gives 'arange(5).sliding_window_view(3, 0)' 'shape [3, 3]  strides [1, 1]  offset 0'
gives 'arange(7).split(3)[-1]' 'shape [1]  strides [1]  offset 6'
gives 'ones(2, 5).split((2, 3), dim=1)[1]' 'shape [2, 3]  strides [5, 1]  offset 2'
gives 'arange(5).split_with_sizes([4, 1])[1]' 'shape [1]  strides [1]  offset 4'
gives 'ones(1, 3, 1).squeeze()' 'shape [3]  strides [1]  offset 0'
gives 'ones(1, 3, 1).squeeze(0)' 'shape [3, 1]  strides [1, 1]  offset 0'
gives 'ones(1, 3, 1).squeeze((0, 2))' 'shape [3]  strides [1]  offset 0'
gives 'ones(2, 3).swapaxes(0, 1)' 'shape [3, 2]  strides [1, 3]  offset 0'
gives 'ones(2, 3).swapdims(0, 1)' 'shape [3, 2]  strides [1, 3]  offset 0'
gives 'arange(7).tensor_split(3)[2]' 'shape [2]  strides [1]  offset 5'
gives 'arange(7).tensor_split((2, 4))[1]' 'shape [2]  strides [1]  offset 2'
gives 'ones(2, 3).transpose(dim1=0, dim0=1)' 'shape [3, 2]  strides [1, 3]  offset 0'
gives 'ones(2, 3).unbind(1)[2]' 'shape [2]  strides [3]  offset 2'
gives 'arange(12).unflatten(0, (3, 4))' 'shape [3, 4]  strides [4, 1]  offset 0'
gives 'arange(7).unfold(0, 3, 2)' 'shape [3, 3]  strides [2, 1]  offset 0'
gives 'arange(3).unsqueeze(-1)' 'shape [3, 1]  strides [1, 1]  offset 0'
gives 'arange(4).view(dtype=torch.int32)' 'shape [8]  strides [1]  offset 0'
gives 'ones(2, 2).view_as_complex()' 'shape [2]  strides [1]  offset 0'
gives 'ones(3, dtype=complex64).view_as_real()' 'shape [3, 2]  strides [2, 1]  offset 0'
gives 'ones(4, 2).vsplit(2)[1]' 'shape [2, 2]  strides [2, 1]  offset 4'
gives 'ones(4, 2).vsplit([3])[0]' 'shape [3, 2]  strides [2, 1]  offset 0'
gives 'arange(24).view(2,3,4)[..., None, ::-2]' 'shape [2, 3, 1, 2]  strides [12, 4, 4, -2]  offset 3'
# Nothing that --help lists may be missing above.
"$TENON" layout --help | sed -n 's/^  \([A-Za-z_0-9]*\).*/\1/p' | sort -u | while read -r name; do
    grep -qE "^gives .*(^|[^A-Za-z_])$name([^A-Za-z_0-9]|\$)" tests/layout.sh || [ "$name" = to ] || [ "$name" = EXPRESSION ] || [ "$name" = tenon ] || echo "$name"
done >"$work/out"
and "every name that --help lists is tried here" is_empty out

# ---- mistakes

# points EXPRESSION CARET MESSAGE: fails with the caret under the column where CARET's is, and a message that holds MESSAGE.
points() {
    expect "'$1' is refused" 1 "$1"
    and "'$1' is shown" has_line err "    $1"
    and "'$1' has its caret in the right place" holds err "^    $(printf '%s' "$2" | sed 's/\^$//')^ "
    and "'$1' is told why" holds err "$3"
}
points 'arange(12).viw(3,4)' '           ^' "there is no method 'viw'; did you mean 'view'?"
points 'aragne(12)' '^' "there is no factory 'aragne'; did you mean 'arange'?"
points 'arange(12).frobnicate()' '           ^' "there is no method 'frobnicate'; .tenon layout --help. lists them"
points '' '^' 'a factory, such as arange(12), is expected here, where the expression ends'
points '12' '^' "a factory, such as arange(12), is expected here, not '1'"
points 'arange' '      ^' "'(' is expected here"
points 'arange(12' '         ^' "',' or ')' is expected here, where the expression ends"
points 'arange(12) x' '           ^' "'.', '\[' or the end is expected here, not 'x'"
points 'arange(12).' '           ^' 'the name of a method is expected here'
points 'arange(12).view(3,,4)' '                  ^' "an argument is expected here, not ','"
points 'arange(12).view([3 4])' '                   ^' "',' or '\]' is expected here, not '4'"
points 'arange(12).view([3, 4.5])' '                    ^' 'an integer is expected in this list'
points 'arange(12).view((3, x))' '                    ^' "an integer is expected here, not 'x'"
points 'arange(12)[1:' '             ^' "'\]' is expected here"
points 'arange(12)[(1:]' '              ^' "this '\]' closes nothing"
points 'arange(12)[1:x]' '             ^' 'column 3'
points 'arange(12)[3, 4]' '          ^' '^ *^ index: '
points 'tensor([1, x])' '           ^' 'from_text: '
points 'tensor([[1, 2], [3]])' '                  ^' 'from_text: '
points "zeros(2, dtype='int8)" '               ^' 'this quote is not closed'
points 'zeros(2, dtype=flot32)' '               ^' "'dtype' must be a dtype, such as float32"
points 'arange(99999999999999999999)' '       ^' 'this number does not fit in 64 bits'
points 'arange(9999999999*9999999999)' '       ^' 'this product does not fit in 64 bits'
points 'arange(2*1.5)' '         ^' 'only integers can be multiplied here'
points 'arange(12abc)' '         ^' 'a number cannot go on like this'
points 'arange(12).t' '           ^' 't is a method: it needs parentheses'
points 'arange(12).T()' '           ^' 'T is written without parentheses'
points 'arange(12).transpose(0)' '           ^' "transpose(dim0, dim1): 'dim1' is missing"
points 'arange(12).transpose(0, 1, 2)' '                           ^' 'transpose(dim0, dim1) takes no further argument'
points 'arange(12).transpose(0, x)' '                        ^' "'dim1' must be an integer"
points 'arange(12).narrow(dim=0, lenght=3)' '                         ^' "has no parameter 'lenght'"
points 'arange(12).narrow(0, dim=1)' '                     ^' "'dim' is given twice"
points 'arange(12).narrow(dim=0, dim=1)' '                         ^' "'dim' is given twice"
points 'arange(12).narrow(dim=0, 1)' '                         ^' 'an argument without a name cannot follow one with a name'
points 'arange(12).split(3)' '                   ^' 'split gives a list of tensors: choose one with \[i\]'
points 'arange(12).split(3)[1:]' '                    ^' 'one integer chooses which'
points 'arange(12).split(3)[4]' '                    ^' 'position 4 is out of range for a list of 4'
points 'arange(12).view(5, -1)' '           ^' 'view: shape \[5, -1\]'
points 'arange(12).view(3,4).t().view(12)' '                         ^' 'stride\[0\] = 1 is not size\[1\] \* stride\[1\] = 3 \* 4 = 12'
and "the steps before it are drawn" has_line out ' 3  .t()'
and "but not summed up" lacks out '^3 steps'
points 'zeros(1000000, 1000000)' '^' 'this tensor would have more than 1000000 elements'
points 'arange(1e9)' '^' 'this tensor would have more than 1000000 elements'
points 'arange(0, 1, 1e-9)' '^' 'this tensor would have more than 1000000 elements'
points 'empty_strided((2, 2), (1, 9999999))' '^' 'this tensor would have more than 1000000 elements'
points 'eye(100000)' '^' 'this tensor would have more than 1000000 elements'
points 'linspace(0, 1, 10000000)' '^' 'this tensor would have more than 1000000 elements'
points 'arange(10).expand(1000000, 10)' '           ^' 'this tensor has 10000000 elements'
points 'arange(12)é' '          ^' "'.', '\[' or the end is expected here"
expect "65 steps are too many" 1 "arange(1)$(printf '%64s' '' | sed 's/ /.t()/g')"
and "which is told" holds err 'there are more than 64 steps'
expect "64 are not" 0 "arange(1)$(printf '%63s' '' | sed 's/ /.t()/g')"
expect "an endless expression is refused" 1 "arange($(printf '%5000s' '' | tr ' ' 1))"
and "by its length" holds err 'longer than 4000 bytes'

# ---- how it is called

expect "an expression is needed" 2
and "the usage goes to the error stream" holds err '^usage: tenon layout'
expect "one is enough" 2 'arange(1)' 'arange(2)'
expect "an unknown option is a misuse" 2 --jason 'arange(1)'
expect "--svg needs a file" 2 'arange(1)' --svg
expect "one kind of output is enough" 2 --json --svg - 'arange(1)'
expect "--help lists the methods" 0 --help
and "with their parameters" has_line out '  narrow(dim, start, length)'

# ---- JSON

expect "steps are told to programs" 0 --json 'arange(4).view(2,2)[1]'
and "with every number" is out <<'END'
{
  "expression": "arange(4).view(2,2)[1]",
  "steps": [
    {
      "text": "arange(4)",
      "column": 1,
      "shape": [4],
      "strides": [1],
      "offset": 0,
      "dtype": "int64",
      "itemsize": 8,
      "numel": 4,
      "contiguous": true,
      "overlaps_itself": false,
      "how": "new",
      "reason": "32 bytes",
      "copies": 0,
      "copied_bytes": 0,
      "storage": "A",
      "storage_bytes": 32,
      "storage_cells": 4,
      "touched_cells": 4,
      "cells": [0, 1, 2, 3]
    },
    {
      "text": ".view(2,2)",
      "column": 10,
      "shape": [2, 2],
      "strides": [2, 1],
      "offset": 0,
      "dtype": "int64",
      "itemsize": 8,
      "numel": 4,
      "contiguous": true,
      "overlaps_itself": false,
      "how": "zero-copy",
      "reason": "only shape and strides changed",
      "copies": 0,
      "copied_bytes": 0,
      "storage": "A",
      "storage_bytes": 32,
      "storage_cells": 4,
      "touched_cells": 4,
      "cells": [0, 1, 2, 3]
    },
    {
      "text": "[1]",
      "column": 20,
      "shape": [2],
      "strides": [1],
      "offset": 2,
      "dtype": "int64",
      "itemsize": 8,
      "numel": 2,
      "contiguous": true,
      "overlaps_itself": false,
      "how": "zero-copy",
      "reason": "only shape, strides and offset changed",
      "copies": 0,
      "copied_bytes": 0,
      "storage": "A",
      "storage_bytes": 32,
      "storage_cells": 4,
      "touched_cells": 2,
      "cells": [2, 3]
    }
  ],
  "error": null
}
END
expect "an error is JSON too" 1 --json 'arange(4)."é	'
and "with its column" has_line out "  \"error\": {\"column\": 11, \"message\": \"the name of a method is expected here, not '\\\"'\"}"
expect "a failing step ends the list" 1 --json 'arange(4).view(3)'
and "after those that worked" holds out '"text": "arange(4)"'
expect "a copy is told" 0 --json 'arange(4).view(2,2).t().flatten()'
and "with its bytes" has_line out '      "copied_bytes": 32,'
expect "sharing is told" 0 --json 'arange(1).expand(3)'
and "as a fact" has_line out '      "overlaps_itself": true,'
and "and as cells" has_line out '      "cells": [0, 0, 0]'

# ---- pictures

expect "a picture is written" 0 --svg "$work/one.svg" 'arange(6).view(2,3).t().reshape(6)'
and "to the file alone" is_empty out
expect "or to the output" 0 --svg - 'arange(6).view(2,3).t().reshape(6)'
and "the same one" cmp -s "$work/out" "$work/one.svg"
expect "no picture is made of an error" 1 --svg "$work/none.svg" 'arange(6).view(4)'
and "not even an empty one" test ! -e "$work/none.svg"
expect "a file that cannot be written is a failure" 1 --svg "$work/no/such/folder.svg" 'arange(6)'
and "which is told" holds err 'cannot write .*folder.svg: '
if [ -w /dev/full ]; then
    expect "a full disk is a failure" 1 --svg /dev/full 'arange(6)'
    and "which is told as well" holds err 'cannot write /dev/full: '
fi
TENON="$TENON" tools/pictures "$work/images" >"$work/out" 2>"$work/err"
and "the pictures of the pages can be drawn" is_empty err
for picture in docs/images/*.svg; do
    and "$picture is what the command draws; if it is meant to change, run tools/pictures" \
        cmp -s "$picture" "$work/images/${picture##*/}"
done
and "there are no others" test "$(ls "$work/images" | wc -l)" -eq "$(ls docs/images/*.svg | wc -l)"

if command -v python3 >/dev/null 2>&1; then
    "$TENON" layout --svg "$work/large.svg" 'arange(1000).view(10,100).t().unfold(0, 3, 2)'
    "$TENON" layout --svg "$work/empty.svg" "zeros(0, dtype='float32')"
    and "pictures are well-formed XML" python3 -c '
import sys, xml.etree.ElementTree as tree
for name in sys.argv[1:]: tree.parse(name)' "$work/one.svg" "$work/large.svg" "$work/empty.svg" docs/images/*.svg
    "$TENON" layout --json 'tensor([[1+2j, 3]]).H.view_as_real()[..., ::-1]' >"$work/good.json"
    "$TENON" layout --json 'arange(4)["\é	]' >"$work/bad.json" 2>/dev/null
    and "JSON is JSON" python3 -c '
import sys, json
good, bad = (json.load(open(name)) for name in sys.argv[1:])
assert good["error"] is None and [s["cells"] for s in good["steps"]][-1] == [1, 0, 3, 2], good
assert len(bad["steps"]) == 1 and bad["error"]["column"] == 11, bad' "$work/good.json" "$work/bad.json"
else
    skipped=$((skipped + 2))
    echo "skipped: no python3 to read the pictures and the JSON with"
fi
# A terminal of our own, where script(1) is installed and the system gives it one.
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    TERM=xterm NO_COLOR= script -qec "$TENON layout 'arange(4).view(2,2)'" /dev/null >"$work/out" 2>"$work/err" </dev/null
    and "a terminal gets colours" holds out "$(printf '\033')\\[30;48;5;157m"
    TERM=xterm NO_COLOR=1 script -qec "$TENON layout 'arange(4)'" /dev/null >"$work/out" 2>"$work/err" </dev/null
    and "unless NO_COLOR is set" has_no_escapes
else
    skipped=$((skipped + 2))
    echo "skipped: what a terminal shows, for want of one"
fi

if [ "$skipped" -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ]
