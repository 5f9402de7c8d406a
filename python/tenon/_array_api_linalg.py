"""The extension linalg of the array API standard, as far as the operator table has it."""

from tenon import _core
from tenon import array_api as _xp
from tenon.array_api import matrix_transpose, vecdot  # noqa: F401
from tenon.linalg import __getattr__ as _find


def cross(x1, x2, /, *, axis=-1):
    """The cross products of vectors of three elements along an axis."""
    dtype = _xp.result_type(x1, x2)
    return _core.linalg_cross(x1.to(dtype), x2.to(dtype), dim=axis)


def diagonal(x, /, *, offset=0):
    """A diagonal of the matrices in the last two axes."""
    return _core.diagonal(x, offset, -2, -1)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """The norm of the matrices in the last two axes."""
    return _core.linalg_matrix_norm(x, ord, keepdim=keepdims)


def outer(x1, x2, /):
    """The products of all elements of one vector with all of the other."""
    dtype = _xp.result_type(x1, x2)
    return _core.outer(x1.to(dtype), x2.to(dtype))


def trace(x, /, *, offset=0, dtype=None):
    """The sums of a diagonal of the matrices in the last two axes."""
    return _xp.sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """The norm of the vectors along axes; None: of all elements."""
    if axis == ():
        return _core.abs(x)
    return _core.linalg_vector_norm(x, ord, axis, keepdims)


def __getattr__(name):
    if hasattr(_xp, name) and name in ("matmul", "tensordot"):
        return getattr(_xp, name)
    return _find(name)
