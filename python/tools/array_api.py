"""Writes docs/array-api.md to standard output: which names of the array API standard 2024.12 are there.

PYTHONPATH=build/python python3 python/tools/array_api.py > docs/array-api.md
"""

from tenon import Tensor, array_api

SECTIONS = {
    "Inspection": "__array_namespace_info__",
    "Constants": "e inf nan newaxis pi",
    "Dtypes": "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128",
    "Functions of dtypes": "astype can_cast finfo iinfo isdtype result_type",
    "Creation": (
        "arange asarray empty empty_like eye from_dlpack full full_like linspace meshgrid ones ones_like tril triu zeros "
        "zeros_like"
    ),
    "Elementwise": (
        "abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_invert bitwise_left_shift bitwise_or "
        "bitwise_right_shift bitwise_xor ceil clip conj copysign cos cosh divide equal exp expm1 floor floor_divide "
        "greater greater_equal hypot imag isfinite isinf isnan less less_equal log log1p log2 log10 logaddexp logical_and "
        "logical_not logical_or logical_xor maximum minimum multiply negative nextafter not_equal positive pow real "
        "reciprocal remainder round sign signbit sin sinh sqrt square subtract tan tanh trunc"
    ),
    "Indexing": "take take_along_axis",
    "Linear algebra": "matmul matrix_transpose tensordot vecdot",
    "Manipulation": (
        "broadcast_arrays broadcast_to concat expand_dims flip moveaxis permute_dims repeat reshape roll squeeze stack "
        "tile unstack"
    ),
    "Searching": "argmax argmin count_nonzero nonzero searchsorted where",
    "Sets": "unique_all unique_counts unique_inverse unique_values",
    "Sorting": "argsort sort",
    "Statistics": "cumulative_prod cumulative_sum max mean min prod std sum var",
    "Utility": "all any diff",
    "Extension linalg": (
        "cholesky cross det diagonal eigh eigvalsh inv matmul matrix_norm matrix_power matrix_rank matrix_transpose outer "
        "pinv qr slogdet solve svd svdvals tensordot trace vecdot vector_norm"
    ),
    "Extension fft": "fft fftfreq fftn fftshift hfft ifft ifftn ifftshift ihfft irfft irfftn rfft rfftfreq rfftn",
}
METHODS = (
    "__abs__ __add__ __and__ __array_namespace__ __bool__ __complex__ __dlpack__ __dlpack_device__ __eq__ __float__ "
    "__floordiv__ __ge__ __getitem__ __gt__ __index__ __int__ __invert__ __le__ __lshift__ __lt__ __matmul__ __mod__ "
    "__mul__ __ne__ __neg__ __or__ __pos__ __pow__ __rshift__ __setitem__ __sub__ __truediv__ __xor__ to_device "
    "__iadd__ __isub__ __imul__ __itruediv__ __ifloordiv__ __ipow__ __imatmul__ __imod__ __iand__ __ior__ __ixor__ "
    "__ilshift__ __irshift__ __radd__ __rsub__ __rmul__ __rtruediv__ __rfloordiv__ __rpow__ __rmatmul__ __rmod__ "
    "__rand__ __ror__ __rxor__ __rlshift__ __rrshift__"
)
ATTRIBUTES = "T device dtype mT ndim shape"

HEAD = """# The array API standard

`tenon.array_api` is the namespace of the [array API standard](https://data-apis.org/array-api/2024.12/), version 2024.12,
and `Tensor.__array_namespace__()` returns it. Tensors and dtypes are the package's own. In `tenon` itself a name that
PyTorch has means what PyTorch means by it (`max` along a dimension gives values and indices, `std` divides by n - 1); names
that only the standard has (`astype`, `permute_dims`, `cumulative_sum`, ...) are there too, and every function takes `axis`
and `keepdims` beside PyTorch's `dim` and `keepdim`.

This page is written by `python/tools/array_api.py`.

| part | there | missing |
|---|---|---|"""

TAIL = """
## Where tensors differ from the standard

A tensor has one set of methods, and they are PyTorch's:

- `x.size` is PyTorch's method. The number of elements is `x.numel()`, or `math.prod(x.shape)`.
- `x + y` with a tensor of no dimensions on one side keeps the dtype of the other side where both are of one kind (int8 with
  a 0-d int64 gives int8). The functions of `tenon.array_api` promote as the standard says.
- `x.T` takes any number of dimensions; division of integers by 0 is an error; `x[...]` of a slice is a view, even with a negative step.
- The default dtypes are float32, complex64 and int64; `set_default_dtype` changes the first two.
"""


def has(owner, name):
    try:
        getattr(owner, name)
    except AttributeError:
        return False
    return True


def row(part, owner, names):
    names = names.split()
    missing = [name for name in names if not has(owner, name)]
    return (
        f"| {part} | {len(names) - len(missing)} of {len(names)} | {', '.join(f'`{name}`' for name in missing) or 'nothing'} |"
    )


def main():
    print(HEAD)
    for part, names in SECTIONS.items():
        owner = getattr(array_api, part.split()[1]) if part.startswith("Extension") else array_api
        print(row(part, owner, names))
    print(row("Methods of an array", Tensor, METHODS))
    print(row("Attributes of an array", Tensor, ATTRIBUTES + " size").replace("7 of 7 | nothing", "6 of 7 | `size`, see below"))
    print(TAIL, end="")


main()
