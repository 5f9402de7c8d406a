"""Differences from PyTorch that are meant, and why; docs/python.md has them in words.

A rule is (operators or None for all, kinds of difference, pattern in the text of the call or the difference or None, reason).
"""

import re

COMPARISONS = {
    base + end
    for base in ("lt", "le", "gt", "ge", "eq", "ne", "less", "less_equal", "greater", "greater_equal", "not_equal")
    for end in ("", "_")
}

RULES = [
    (
        {"flip", "fliplr", "flipud", "rot90"},
        {"memory", "strides", "offset"},
        None,
        "strides may be negative: a reversed tensor is a view",
    ),
    ({"ravel"}, {"memory"}, None, "a view wherever one is possible"),
    ({"conj", "conj_physical", "adjoint", "H", "mH"}, {"memory", "strides", "offset"}, "complex", "conj computes at once"),
    ({"conj_physical"}, {"memory"}, None, "always a new tensor"),
    ({"broadcast_tensors"}, {"memory"}, "itself", "a view also of a tensor that has the shape already"),
    (COMPARISONS, {"values"}, r"u?int\d.*, -", "a number that the dtype cannot hold is compared as it is, not wrapped around"),
    (
        None,
        {"no error"},
        r"Found dtype|dtype of out parameter|Expected out type|Expected object of scalar type|desired output type",
        "out may have any dtype that the result can be converted to",
    ),
    (
        None,
        {"no error"},
        r"INTERNAL ASSERT|view size is not compatible|storage that is not resizable|division by zero",
        "PyTorch fails for reasons of its own",
    ),
    (None, {"no error"}, r"takes from \d to \d positional", "positions may be used for arguments that PyTorch wants by name"),
    (
        None,
        {"values"},
        r"^(gelu|median|nanmedian|Tensor.median|histogram)\(.*/\[",
        "PyTorch is wrong for tensors with such strides",
    ),
    ({"argsort", "sort", "msort"}, {"values"}, None, "the order of equals is that of the elements: sorting is always stable"),
    ({"isclose", "allclose"}, {"no error"}, "did not match", "dtypes are promoted"),
    ({"ldexp", "ldexp_"}, {"values"}, "float16", "the power of two is not rounded to the dtype of the exponent"),
    ({"var", "std", "var_mean", "std_mean"}, {"no error"}, r"correction=\(", "the imaginary part of a number is dropped"),
    ({"hardtanh", "hardtanh_", "trunc_normal_"}, {"error"}, "above|below", "bounds in the wrong order are refused"),
    (
        {"repeat_interleave", "tile"},
        {"error"},
        "output_size|negative",
        "an impossible size is refused, also where there is nothing to do",
    ),
    ({"renorm", "renorm_", "logsumexp"}, {"no error"}, "empty|broadcast shape", "what has a result is computed"),
    ({"contiguous"}, {"error"}, "preserve", "preserve_format says nothing here"),
]


def nothing_to_do(outcome):
    from judge import tensors

    return any(one.numel() == 0 for one in tensors(outcome.result) + outcome.inputs)


def why(name, difference, text, theirs, ours):
    """The reason of a difference, or None."""
    for names, kinds, pattern, reason in RULES:
        if (
            (names is None or name in names)
            and difference[0] in kinds
            and (pattern is None or re.search(pattern, text) or re.search(pattern, difference[1]))
        ):
            return reason
    if difference[0] == "error" and nothing_to_do(theirs):
        return "arguments are checked also where there is no element"
    return None
