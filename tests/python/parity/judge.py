"""Whether two results are the same: class of outcome, values, dtype, shape, strides, offset, and whose memory they are in."""

import re

import numpy as np

TOLERANCE = {"float16": 4e-3, "bfloat16": 3e-2, "float32": 2e-5, "float64": 1e-9, "complex64": 2e-5, "complex128": 1e-9}

# PyTorch has no kernel for a dtype: where Tenon has one, that is more, not a difference.
NO_KERNEL = re.compile(
    r"not implemented for '|^Unsupported input type encountered for isin|^topk does not support bool|"
    r"^Could not run 'aten::\S+' with arguments from the 'CPU' backend|^linalg.vecdot: Expected a floating point|"
    r"^Subtraction, the `-` operator, with a bool tensor|^\S+ does not support non-boolean outputs"
)


class Outcome:
    """What a call did: its results, or its exception; and what its arguments are afterwards."""

    def __init__(self, function, inputs):
        self.inputs = inputs
        self.error = self.result = None
        try:
            self.result = function()
        except Exception as error:
            self.error = error


def tensors(value, found=None):
    found = [] if found is None else found
    if isinstance(value, (list, tuple)) and type(value).__name__ != "Size":
        for item in value:
            tensors(item, found)
    elif hasattr(value, "untyped_storage"):
        found.append(value)
    return found


def name_of(dtype):
    return str(dtype).removeprefix("torch.")


def array(x):
    if hasattr(x, "_is_zerotensor") and x._is_zerotensor():  # PyTorch's gradients of zeros without memory
        x = x.clone()
    if getattr(x, "is_sparse", False):
        x = x.to_dense()
    if name_of(x.dtype) == "bfloat16":
        x = x.float()
    return np.array(x.detach().resolve_conj().resolve_neg().numpy())


def differ_in_values(one, two, dtype, scale, coarsest):
    """coarsest: the tolerance of the roughest dtype of the call, which PyTorch may round to on the way."""
    a, b = array(one), array(two)
    if dtype not in TOLERANCE:
        return not np.array_equal(a, b)
    with np.errstate(all="ignore"):
        limit = max(TOLERANCE[dtype], coarsest)
        return not np.allclose(a, b, rtol=limit, atol=limit * max(1.0, scale), equal_nan=True)


def homes(x, inputs):
    """Which of the inputs has its memory here, and whether it is that very object."""
    found = []
    for position, one in enumerate(inputs):
        if one is x:
            found.append((position, "itself"))
        elif x.numel() and one.numel() and one.untyped_storage().data_ptr() == x.untyped_storage().data_ptr():
            found.append((position, "memory"))
    return found


def compare(theirs, ours, contents=True, computed=(), foreign=False):
    """None where both did the same, or (kind of difference, text).

    computed: the dtypes that results had before they went to out; foreign: this form of the call is not one of PyTorch's.
    """
    if theirs.error is not None or ours.error is not None:
        if theirs.error is not None and ours.error is not None:
            return None
        if ours.error is not None:
            return "error", f"Tenon refuses: {type(ours.error).__name__}: {str(ours.error)[:160]}"
        if foreign if isinstance(theirs.error, TypeError) else NO_KERNEL.search(str(theirs.error)):
            return "more", ""
        return "no error", f"PyTorch refuses: {type(theirs.error).__name__}: {str(theirs.error)[:160]}"
    before, after = tensors(theirs.result), tensors(ours.result)
    if len(before) != len(after):
        return "results", f"{len(before)} results, Tenon gives {len(after)}"
    if not before and theirs.result != ours.result and not (theirs.result != theirs.result):
        return "results", f"{theirs.result!r}, Tenon gives {ours.result!r}"
    scale = max(
        [float(np.abs(a[np.isfinite(a)]).max(initial=0)) for a in map(array, before) if a.dtype.kind in "fc"], default=1.0
    )
    coarsest = max([TOLERANCE.get(name_of(one), 0.0) for one in [x.dtype for x in theirs.inputs] + list(computed)], default=0.0)
    for one, two in zip(before + theirs.inputs, after + ours.inputs):
        dtype = name_of(one.dtype)
        if tuple(one.shape) != tuple(two.shape):
            return "shape", f"{tuple(one.shape)}, Tenon gives {tuple(two.shape)}"
        if dtype != name_of(two.dtype):
            return "dtype", f"{dtype}, Tenon gives {name_of(two.dtype)}"
        if contents and differ_in_values(one, two, dtype, scale, coarsest):
            return "values", f"{array(one).reshape(-1)[:6]}, Tenon gives {array(two).reshape(-1)[:6]}"
    for one, two in zip(before, after):
        if homes(one, theirs.inputs) != homes(two, ours.inputs):
            return "memory", f"in that of {homes(one, theirs.inputs)}, Tenon's in {homes(two, ours.inputs)}"
        if tuple(one.stride()) != tuple(two.stride()):
            return "strides", f"{tuple(one.stride())}, Tenon gives {tuple(two.stride())} of shape {tuple(one.shape)}"
        if one.storage_offset() != two.storage_offset():
            return "offset", f"{one.storage_offset()}, Tenon gives {two.storage_offset()}"
    return None
