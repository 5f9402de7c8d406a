"""Tenon: PyTorch's tensor core as one small C library.

    >>> import tenon
    >>> tenon.arange(6).reshape(2, 3).T
    tensor([[0, 3],
            [1, 4],
            [2, 5]])

Names, arguments and printed text are PyTorch's, so a program that uses only what is here runs unchanged after
``import tenon as torch``. Everything comes from the operator table of the C library: see ``help(tenon.add)``.
"""

try:
    import tenon._core as _core
except ImportError as error:

    def _explain(error):
        import os
        import sys

        if sys.version_info < (3, 11):
            return f"tenon needs Python 3.11 or later, and this is {sys.version.split()[0]}"
        if error.name != "tenon._core" or not isinstance(error, ModuleNotFoundError):
            return str(error)
        if "t" in getattr(sys, "abiflags", ""):
            return "tenon is built for the stable ABI, which free-threaded builds of Python do not have: use one with the GIL"
        return f"the compiled part of tenon is not in {os.path.dirname(__file__)}: build it with make, or install with pip"

    raise ImportError(_explain(error)) from error

# These take more forms of arguments than the table has: _aten.py, _products.py, _special.py.
_lazily = ("cdist", "ctc_loss", "einsum", "gradient", "histogramdd", "polygamma", "tensordot", "unravel_index")
globals().update({name: value for name, value in vars(_core).items() if not name.startswith("__") and name not in _lazily})
__version__ = _core.__version__


def __getattr__(name):
    """What few programs need is loaded on first use."""
    import tenon._lazy as _lazy
    return _lazy.find(name)


def __dir__():
    import tenon._lazy as _lazy
    return sorted({name for name in globals() if not name.startswith("_")} | set(_lazy.names()))
