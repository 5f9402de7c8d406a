"""Operators that a program has registered, by namespace and name.

    >>> import tenon
    >>> tenon.ops.mine.scale(x, 3.0)                                         # doctest: +SKIP

Whatever is registered at this moment is here, by a C program (``tn_operator_register``), by a library that ``load_library`` has
loaded, or by Python (``tenon.library``); ``dir(tenon.ops)`` lists the namespaces and ``dir(tenon.ops.mine)`` the operators. An
operator has the forms of all its overloads; ``scale.tensor`` is one of them, and ``scale.default`` the one without a name.
"""

from tenon import _core
from tenon._core import _Operator as Operator  # noqa: F401

__all__ = ["Operator", "load_library", "loaded_libraries"]

loaded_libraries: set[str] = set()


def load_library(path):
    """Loads a shared library that registers operators when it is loaded (in a function that is a constructor).

    It is linked with the libtenon.so this package uses, which lies beside it and is found by its name.
    """
    import ctypes
    import os

    path = os.path.realpath(path)
    library = ctypes.CDLL(path)
    _core._library_check()
    loaded_libraries.add(path)
    return library


def _bases(space):
    names = (name.split(".")[0] for name in _core._library_names() if name.startswith(space + "::"))
    return sorted({name[len(space) + 2:] for name in names})


class _Namespace:
    """The operators of one namespace."""

    def __init__(self, name):
        self.__name__ = name

    def __getattr__(self, name):
        if not name.startswith("__"):
            bases = _bases(self.__name__)
            if name in bases or name + "_out" in bases:
                return _core._library_operator(f"{self.__name__}::{name}")
        raise AttributeError(f"no operator named '{self.__name__}::{name}' is registered")

    def __dir__(self):
        return _bases(self.__name__)

    def __iter__(self):
        return iter(_bases(self.__name__))

    def __repr__(self):
        return f"<operators of {self.__name__}: {', '.join(_bases(self.__name__)) or 'none'}>"


def __getattr__(name):
    if not name.startswith("__") and _bases(name):
        return _Namespace(name)
    raise AttributeError(f"no operator of a namespace {name!r} is registered")


def __dir__():
    return sorted({name.split("::")[0] for name in _core._library_names()} | set(__all__))
