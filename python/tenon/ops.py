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

    It is linked with the libtenon.so this package uses, which is beside it and is found by its name.
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


class _Found(dict):
    """What was found recently: forgotten as soon as anything is registered or unregistered."""

    def __init__(self):
        super().__init__()
        self.generation = -1

    def __missing__(self, name):
        return None

    def current(self):
        generation = _core._library_generation()
        if generation != self.generation:
            self.clear()
            self.generation = generation
        return self


class _Namespace:
    """The operators of one namespace."""

    def __init__(self, name):
        self.__name__, self._found = name, _Found()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        found = self._found.current()
        operator = found[name]
        if operator is None:
            bases = _bases(self.__name__)
            if name not in bases and name + "_out" not in bases:
                raise AttributeError(f"no operator named '{self.__name__}::{name}' is registered")
            operator = found[name] = _core._library_operator(f"{self.__name__}::{name}")
        return operator

    def __dir__(self):
        return _bases(self.__name__)

    def __iter__(self):
        return iter(_bases(self.__name__))

    def __repr__(self):
        return f"<operators of {self.__name__}: {', '.join(_bases(self.__name__)) or 'none'}>"


_spaces = _Found()


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    spaces = _spaces.current()
    space = spaces[name]
    if space is None:
        if not _bases(name):
            raise AttributeError(f"no operator of the namespace {name!r} is registered")
        space = spaces[name] = _Namespace(name)
    return space


def __dir__():
    return sorted({name.split("::")[0] for name in _core._library_names()} | set(__all__))
