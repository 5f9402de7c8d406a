"""Linear algebra: the operators of the table whose names begin with linalg_, and what is made of others."""

from tenon import _core
from tenon._lazy import table as _table

_find, _list = _table(__name__, "linalg_", ("matmul",))


def diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    """A diagonal of the matrices in the last two dimensions, a view."""
    return _core.diagonal(A, offset, dim1, dim2)


LinAlgError = _core.LinAlgError


def __getattr__(name):
    return _find(name)


def __dir__():
    return sorted({*_list(), "diagonal", "LinAlgError"})
