"""Differences from PyTorch that are meant, and why; docs/python.md has them in words.

A rule is a function that is given a difference (run.Case) of one of some kinds, in one of some operators, and says whether its
reason explains just this one. Where that can be shown, it is: PyTorch is asked again, with the arguments that make both agree.
"""

import numpy as np
import torch

import draw
import judge

RULES = []

COMPARISONS = {
    base + end
    for base in ("lt", "le", "gt", "ge", "eq", "ne", "less", "less_equal", "greater", "greater_equal", "not_equal")
    for end in ("", "_")
}
CLAMPS = {base + end for base in ("clamp", "clamp_min", "clamp_max", "clip", "threshold") for end in ("", "_")}
ROUNDED = {base + end for base in ("div", "divide", "floor_divide") for end in ("", "_")}
TRAPEZOIDS = {"trapz", "trapezoid", "cumulative_trapezoid"}
COMPOSED = {"isinf", "isfinite", "isreal", "ldexp", "mvlgamma", "normalize", "prelu", "rad2deg", "rms_norm", "special_multigammaln", "square"} | TRAPEZOIDS
NARROW = ("float16", "bfloat16")


def rule(reason, kinds, names=None):
    """kinds: of judge.compare, separated by commas. names: operators; None is all."""

    def add(explains):
        RULES.append((reason, set(kinds.split(", ")), names, explains))
        return explains

    return add


def why(case):
    """The reason of a difference, or None."""
    for reason, kinds, names, explains in RULES:
        if case.difference[0] in kinds and (names is None or case.name in names) and explains(case):
            return reason
    return None


# ---- what the rules ask


def recipes(case):
    """The tensors among the arguments, results to write to left out."""
    found = []

    def look(value):
        if isinstance(value, draw.Tensor):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            for item in value:
                look(item)

    look(list(case.positional) + list(case.keywords.values()))
    return found


def first(case):
    return recipes(case)[0]


def numbers(case):
    given = list(case.positional) + list(case.keywords.values())
    return [value for value in given if isinstance(value, (bool, int, float, complex))]


def has_complex(case):
    return any(one.dtype in draw.COMPLEX for one in recipes(case))


def has_nan(case):
    return any(one.storage.dtype.kind in "fc" and np.isnan(one.storage).any() for one in recipes(case))


def has_nothing(case):
    return any(one.numel() == 0 for one in judge.tensors(case.theirs.result) + case.theirs.inputs)


def their_error(case):
    return str(case.theirs.error)


def argument(case, position, label, usual):
    return case.positional[position] if position < len(case.positional) else case.keywords.get(label, usual)


def agrees(case, theirs):
    """Whether Tenon did what PyTorch does in another call, strides and memory aside."""
    difference = judge.compare(theirs, case.ours)
    return difference is None or difference[0] in ("memory", "strides", "offset")


def widened(one):
    """The same numbers in float64."""
    exact = torch.from_numpy(one.storage).to(getattr(torch, one.dtype)).double().numpy()
    return draw.Tensor("float64", exact, one.sizes, one.strides, one.offset)


def is_exact(case):
    """Whether Tenon's result is the one of float64, rounded once."""
    mine, exact = case.ours.result, case.again(widened)
    if exact.error is not None:
        return False
    rounded = exact.result.to(getattr(torch, judge.name_of(mine.dtype)))
    return np.array_equal(judge.array(rounded), judge.array(mine), equal_nan=True)


def is_view_of_first(case):
    result = case.ours.result
    return result.numel() == 0 or result.untyped_storage().data_ptr() == case.ours.inputs[0].untyped_storage().data_ptr()


# ---- memory


@rule("strides may be negative: a reversed tensor is a view", "memory, strides, offset", {"flip", "fliplr", "flipud", "rot90"})
def _(case):
    return is_view_of_first(case)


@rule("a view wherever one is possible", "memory", {"ravel"})
def _(case):
    return is_view_of_first(case) and not first(case).make(torch).is_contiguous()


@rule("conj computes at once", "memory, strides, offset", {"conj", "adjoint"})
def _(case):
    return has_complex(case)


@rule("always a new tensor", "memory", {"conj_physical"})
def _(case):
    return not has_complex(case) and not judge.homes(case.ours.result, case.ours.inputs)


@rule("a view also of a tensor that has the shape already", "memory", {"broadcast_tensors"})
def _(case):
    def homes(outcome):
        return [[where for where, _ in judge.homes(one, outcome.inputs)] for one in outcome.result]

    nothing = case.ours.result[0].numel() == 0  # then memory does not show which tensor is a view of which
    return nothing or homes(case.theirs) == homes(case.ours)


@rule("always a new tensor, also where there is nothing to subtract", "memory", {"diff"})
def _(case):
    return case.ours.result.numel() == 0 and not judge.homes(case.ours.result, case.ours.inputs)


@rule(
    "the result has no gaps, and begins at the beginning",
    "strides, offset",
    {"slice_scatter", "select_scatter", "diagonal_scatter"},
)
def _(case):
    result = case.ours.result
    return tuple(result.stride()) == torch.empty_like(first(case).make(torch)).stride() and result.storage_offset() == 0


@rule("strides that no element depends on are those of one operator, not of several", "strides", COMPOSED)
def _(case):
    mine, yours = case.ours.result, case.theirs.result
    return mine.numel() == 0 or all(a == b for a, b, size in zip(mine.stride(), yours.stride(), mine.shape) if size != 1)


@rule("a result without elements that is resized is row by row", "strides", {"nonzero", "sort", "msort"})
def _(case):
    return bool(case.outs) and all(one.numel() == 0 for one in judge.tensors(case.ours.result))


# ---- values


@rule("out does not change what is computed: elements are not converted to its dtype first", "values", {"all", "any"})
def _(case):
    if not case.outs:
        return False
    plain = case.plain.result.to(case.theirs.result.dtype)
    return np.array_equal(judge.array(plain), judge.array(case.ours.result))


@rule("NaN is left out before numbers are converted", "values", {"nansum"})
def _(case):
    return str(case.keywords.get("dtype")) in draw.WHOLE and has_nan(case)


@rule("a real mean in a complex dtype has no imaginary part, also where it is infinite", "values", {"mean"})
def _(case):
    theirs, ours = judge.array(case.theirs.result), judge.array(case.ours.result)
    return (
        ours.dtype.kind == "c"
        and not has_complex(case)
        and np.array_equal(theirs.real, ours.real, equal_nan=True)
        and not ours.imag.any()
    )


@rule("the mean beside a variance is the mean, also where it is infinite", "values", {"std_mean", "var_mean"})
def _(case):
    theirs, ours = (judge.array(one) for one in (case.theirs.result[1], case.ours.result[1]))
    return bool(np.all((theirs == ours) | np.isnan(theirs))) and np.isinf(first(case).storage).any()


@rule(
    "PyTorch takes either bound where they are in the wrong order, by the position in the vector",
    "values",
    {"logit", "logit_"},
)
def _(case):
    return argument(case, 1, "eps", 0) > 0.5


@rule("which of the elements that are NaN, or of those beside them, does not depend on where they stand", "values", {"mode"})
def _(case):
    return has_nan(case)


@rule("each NaN is a value of its own, counted in the order of the elements", "values", {"unique"})
def _(case):
    return has_nan(case)


@rule("a number that the dtype cannot hold is compared as it is, not wrapped around", "values", COMPARISONS)
def _(case):
    self = first(case)
    limits = torch.iinfo(getattr(torch, self.dtype)) if self.dtype in draw.WHOLE else None
    wide = [one.storage for one in recipes(case)[1:] if not one.sizes]
    return limits is not None and (any(not limits.min <= value <= limits.max for value in numbers(case)) or any((one < limits.min).any() or (one > limits.max).any() for one in wide))


@rule("a bound that the dtype cannot hold has no effect, or is refused, not wrapped", "values, error", CLAMPS)
def _(case):
    return first(case).dtype == "uint8" and any(value < 0 for value in numbers(case))


@rule(
    "PyTorch is wrong for tensors with such strides",
    "values",
    {"gelu", "median", "nanmedian", "histogram", "column_stack", "dstack"},
)
def _(case):
    return any(not one.plain() for one in recipes(case) + (case.outs or [])) and agrees(case, case.again(draw.plainly))


@rule("edges of equal steps are rounded once, and an element falls where these edges say", "values", {"histogram"})
def _(case):
    counts, edges = (judge.array(one).astype("float64") for one in case.ours.result)
    if np.array_equal(edges, judge.array(case.theirs.result[1])):
        return False
    weight = case.keywords.get("weight")
    weights = None if weight is None else judge.array(weight.make(torch)).reshape(-1)
    expected, _ = np.histogram(
        judge.array(first(case).make(torch)), edges, weights=weights, density=case.keywords.get("density")
    )
    return np.allclose(counts, expected, rtol=2e-5, equal_nan=True)


@rule("the order of equals is that of the elements: sorting is always stable", "values", {"argsort", "sort"})
def _(case):
    return agrees(case, case.again(stable=True))


@rule("the power of two is not rounded to the dtype of the exponent", "values", {"ldexp", "ldexp_"})
def _(case):
    return any(one.dtype in NARROW for one in recipes(case)) and is_exact(case)


@rule("a quotient that is rounded to a whole number is not rounded before that", "values", ROUNDED)
def _(case):
    return any(one.dtype in NARROW for one in recipes(case)) and is_exact(case)


@rule("narrow_copy writes where the strides of out say, PyTorch's row by row from its first byte on", "values", {"narrow_copy"})
def _(case):
    return bool(case.outs) and not case.outs[0].plain() and not judge.differ_in_values(
        case.plain.result, case.ours.result, case.outs[0].dtype, 1.0, 0.0
    )


# ---- what PyTorch refuses


@rule("out may have any dtype that the result can be converted to", "no error")
def _(case):
    if not case.outs:
        return False
    results, ours = judge.tensors(case.plain.result), judge.tensors(case.ours.result)
    if all(judge.name_of(one.dtype) == out.dtype for one, out in zip(results, case.outs)):
        return False
    return all(
        not judge.differ_in_values(
            one.to(getattr(torch, out.dtype)), mine, out.dtype, 1.0, judge.TOLERANCE.get(judge.name_of(one.dtype), 0.0)
        )
        for one, out, mine in zip(results, case.outs, ours)
    )


@rule("a dtype that is asked for may drop imaginary parts also with out", "no error", {"mean", "sum", "nansum"})
def _(case):
    return has_complex(case) and "dtype" in case.keywords and agrees(case, case.plain)


@rule("PyTorch fails where strides do not allow a view", "no error", {"isin", "kron", "orthogonal_", "take_along_dim"})
def _(case):
    return "view size is not compatible" in their_error(case) and agrees(case, case.again(draw.plainly))


@rule("an index of nothing names all there is", "no error", {"index_put", "index_put_"})
def _(case):
    return () in case.positional and ("INTERNAL ASSERT" in their_error(case) or "nullptr" in their_error(case))


@rule(
    "a weight without inputs is left as it is",
    "no error",
    {"xavier_normal_", "xavier_uniform_", "kaiming_normal_", "kaiming_uniform_"},
)
def _(case):
    return isinstance(case.theirs.error, ZeroDivisionError) and first(case).make(torch).numel() == 0


@rule("a kernel without elements has no middle, and is left as it is", "no error", {"dirac_"})
def _(case):
    return first(case).make(torch).numel() == 0


@rule("dtypes are promoted", "no error", {"isclose", "allclose"})
def _(case):
    return "did not match" in their_error(case) and len({one.dtype for one in recipes(case)}) > 1


@rule("a norm of nothing is not asked for", "no error", {"renorm", "renorm_"})
def _(case):
    return has_nothing(case)


@rule("of nothing there are no differences and no sums, whatever is beside it", "no error", {"diff", "cumulative_trapezoid"})
def _(case):
    return case.ours.result.numel() == 0


@rule("no dimension is all of them, here as in other reductions", "no error", {"logsumexp"})
def _(case):
    return "broadcast shape" in their_error(case) and argument(case, 1, "dim", None) == []


@rule("a tensor of no dimensions takes the dimensions 0 and -1, here as elsewhere", "no error", {"take_along_dim"})
def _(case):
    return "tensor has no dimensions" in their_error(case) and first(case).sizes == () and case.keywords.get("dim") in (0, -1)


# ---- what Tenon refuses


@rule("bounds in the wrong order are refused", "error", {"hardtanh_", "trunc_normal_"})
def _(case):
    labels, limits = (("min_val", "max_val"), (-1, 1)) if case.name == "hardtanh_" else (("a", "b"), (-2.0, 2.0))
    low, high = (case.keywords.get(label, usual) for label, usual in zip(labels, limits))
    return low > high or (case.name == "trunc_normal_" and low == high)


@rule("an impossible size is refused, also where there is nothing to do", "error", {"repeat_interleave", "tile"})
def _(case):
    return has_nothing(case) and ("output_size" in case.difference[1] or "negative" in case.difference[1])


@rule("preserve_format says nothing here", "error", {"contiguous"})
def _(case):
    return "preserve" in case.difference[1] and first(case).make(torch).is_contiguous()


@rule("complex numbers have no order, not even one alone", "error", {"cummax", "cummin", "kthvalue", "mode"})
def _(case):
    return has_complex(case) and first(case).sizes == ()


@rule("the root mean square of complex numbers is one of magnitudes, not of squares", "error", {"rms_norm"})
def _(case):
    return has_complex(case)


@rule("bools are not added up in their own dtype, not even one alone", "error", {"cumsum_", "cumprod_"})
def _(case):
    return first(case).dtype == "bool" and first(case).sizes == ()


@rule("an index out of range is refused, not followed", "error", {"take_along_dim"})
def _(case):
    return isinstance(case.ours.error, IndexError) and "is out of range" in case.difference[1]


@rule("1 to any power is a float, too, and is not written to integers", "error", {"pow"})
def _(case):
    return case.positional[0] == 1.0 and "cannot be written into" in case.difference[1]


@rule("an imaginary part is not dropped", "error", {"bincount"})
def _(case):
    return has_complex(case)


@rule("there is an x for each y, in the same dimensions or in one alone", "error", TRAPEZOIDS)
def _(case):
    y, x = recipes(case)
    return x.sizes != y.sizes and len(x.sizes) != 1 and "must have a value for each" in case.difference[1]


@rule("the value is checked also where nothing is padded", "error", {"constant_pad_nd", "pad"})
def _(case):
    return max(case.positional[1], default=0) <= 0 and "does not fit" in case.difference[1]


@rule(
    "there is no position in a dimension of size 0",
    "error",
    {"index_add", "index_copy", "index_fill", "index_reduce"} | {"index_add_", "index_copy_", "index_fill_", "index_reduce_"},
)
def _(case):
    return isinstance(case.ours.error, IndexError) and "of size 0" in case.difference[1]


@rule("arguments are checked even where there is no element", "error")
def _(case):
    """Shown by a call in which every empty dimension has one: that PyTorch refuses, too."""
    return has_nothing(case) and case.again(draw.with_elements).error is not None


# ---- products


@rule("an out of other sizes is resized", "no error", {"_int_mm"})
def _(case):
    return bool(case.outs) and "Expected result.size" in their_error(case) and agrees(case, case.plain)


@rule("an out of any strides is written to as it lies", "no error, strides", {"linear", "linalg_matmul", "matmul"})
def _(case):
    return bool(case.outs) and not case.outs[0].plain() and agrees(case, case.plain)


@rule("a product of no elements is 0", "no error, strides", {"bilinear"})
def _(case):
    result, bias = case.ours.result, case.ours.inputs[3:]
    return has_nothing(case) and not (result - bias[0] if bias else result).any()


@rule("a dimension that is not there is refused, also with an out", "error", {"linalg_vecdot"})
def _(case):
    return bool(case.outs) and isinstance(case.ours.error, IndexError)


@rule("activations are for floats", "error", {"_addmm_activation"})
def _(case):
    return first(case).dtype in draw.WHOLE


@rule("out_dtype is an argument of the methods, too", "no error", {"mm", "bmm"})
def _(case):
    return case.method and isinstance(case.theirs.error, TypeError)


# ---- linear algebra, transforms, special functions

INEXACT = {"special_airy_ai", "special_bessel_j0", "special_bessel_j1", "special_bessel_y0", "special_bessel_y1"}


def room(case):
    return "linalg" if case.group == "linalg" else case.name.partition("_")[0]


@rule("factors, solutions and transforms lie row by row, unless out says otherwise", "strides")
def _(case):
    return room(case) in ("fft", "linalg")


@rule("Bessel and Airy functions are right to the last digits", "values", INEXACT)
def _(case):
    import mpmath  # which PyTorch brings along

    order = int(case.name[-1]) if "bessel" in case.name else 0
    of = mpmath.airyai if "airy" in case.name else (mpmath.besselj if "_j" in case.name else mpmath.bessely)
    x, theirs, ours = (judge.array(tensors[0]) for tensors in (case.theirs.inputs, judge.tensors(case.theirs.result), judge.tensors(case.ours.result)))
    exact = [float(mpmath.re(of(float(one)) if "airy" in case.name else of(order, float(one)))) if np.isfinite(one) and (one > 0 or "_y" not in case.name) else np.nan for one in x.reshape(-1)]
    right = np.array(exact).reshape(x.shape)
    known = np.isfinite(right)
    return np.abs(ours - right)[known].max(initial=0) < np.abs(theirs - right)[known].max(initial=0) < 1e-4


@rule("an empty list of sizes or dimensions is as if there were none", "no error, error, shape, values, dtype, results")
def _(case):
    given = [*case.positional, *case.keywords.values()]
    return room(case) in ("fft", "linalg") and any(isinstance(one, (list, tuple)) and not one for one in given)


@rule("transforms of 16-bit floats are computed in float32", "no error")
def _(case):
    return room(case) == "fft" and any(one.dtype in NARROW for one in recipes(case)) and "Unsupported dtype" in their_error(case)


@rule("a number is its own shift", "no error", {"fft_fftshift", "fft_ifftshift"})
def _(case):
    return not first(case).sizes and torch.equal(torch.from_dlpack(case.ours.result), torch.from_dlpack(case.ours.inputs[0]))


@rule("factors without an exchange of rows", "no error", {"linalg_lu", "linalg_lu_factor", "linalg_lu_factor_ex"})
def _(case):
    return "without pivoting" in their_error(case)


@rule("an unfinished factor ends elsewhere", "values", {"linalg_cholesky_ex", "linalg_ldl_factor_ex", "linalg_inv_ex", "linalg_solve_ex"})
def _(case):
    return bool(judge.array(judge.tensors(case.ours.result)[-1]).any())


@rule("vectors of eigenvalues and singular values may be turned, and values may come in another order", "values",
      {"linalg_eig", "linalg_eigh", "linalg_eigvals", "linalg_svd", "svd"})
def _(case):
    """test_decompositions.py multiplies them out."""
    theirs, ours = ([np.sort(np.abs(judge.array(one).reshape(-1))) for one in judge.tensors(made.result)] for made in (case.theirs, case.ours))
    alike = [np.allclose(a, b, rtol=1e-3, atol=1e-3) for a, b in zip(theirs, ours)]
    return alike[1 if "svd" in case.name else 0]


@rule("factors are floating-point numbers", "error", {"lu_unpack"})
def _(case):
    return first(case).dtype in draw.WHOLE + ["bool", *NARROW]


@rule("out has the dtype of the result", "error")
def _(case):
    return room(case) in ("fft", "linalg") and bool(case.outs) and "and so must" in str(case.ours.error)


@rule("out is written to where it lies", "values")
def _(case):
    """PyTorch's ihfftn writes to out as if its elements followed each other; geqrf's reads what it has written."""
    return room(case) in ("fft", "linalg") and bool(case.outs) and agrees(case, case.plain)


@rule("memory that came from elsewhere is not resized", "error")
def _(case):
    return room(case) in ("fft", "linalg") and bool(case.outs) and "not resizable" in str(case.ours.error)


@rule("lines without elements have transforms", "no error")
def _(case):
    return has_nothing(case) and "MKL FFT error" in their_error(case)


@rule("whether a number that should be 0 is 0 depends on rounding", "no error, values", {"geqrf", "linalg_lu_factor", "linalg_lu_factor_ex", "linalg_pinv"})
def _(case):
    """Columns that are the same."""
    return 0 in first(case).strides


@rule("with rcond of 1 or more there is no right answer", "values", {"linalg_lstsq"})
def _(case):
    return any(value >= 1 for value in numbers(case))


@rule("a bound that no matrix needs may have any dtype", "no error", {"linalg_pinv"})
def _(case):
    return has_nothing(case) and "complex type" in their_error(case)


@rule("matrices are checked though they have no elements", "error", {"linalg_matrix_rank", "linalg_pinv"})
def _(case):
    return has_nothing(case) and "not square" in str(case.ours.error)


@rule("bool is a number", "no error", {"special_multigammaln", "mvlgamma"})
def _(case):
    return first(case).dtype == "bool"


# ---- layers


@rule("a convolution of no channels is its bias", "shape", {"conv1d", "conv2d", "conv3d"})
def _(case):
    return has_nothing(case)


@rule("tensors of other dtypes and sizes, and padding below 0, are refused", "error",
      {"conv_tbc", "conv_transpose2d", "linear", "_native_batch_norm_legit", "_adaptive_avg_pool2d", "adaptive_avg_pool1d"})
def _(case):
    return isinstance(case.ours.error, (TypeError, ValueError, RuntimeError))


@rule("a list of one size is a size, and an empty list is the default", "no error", {"avg_pool1d", "lp_pool1d"})
def _(case):
    return any(isinstance(one, (list, tuple)) for one in [*case.positional, *case.keywords.values()])


@rule("a factor that an integer cannot hold is rounded as the result is", "no error", {"addmv_"})
def _(case):
    return "without overflow" in their_error(case)


@rule("a result without elements is a new tensor", "memory", {"local_response_norm", "native_dropout"})
def _(case):
    return has_nothing(case)


@rule("train may be left out", "no error", {"native_dropout"})
def _(case):
    return isinstance(case.theirs.error, TypeError) and '"train"' in their_error(case)


@rule("the places along each dimension are a tensor of their own", "strides", {"unravel_index"})
def _(case):
    return True


@rule("leading dimensions are broadcast", "no error", {"scaled_dot_product_attention"})
def _(case):
    return len({len(one.sizes) for one in recipes(case)[:3]}) > 1
