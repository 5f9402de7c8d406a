"""torch.utils, as far as there is something of it: its modules are loaded on first use."""

_MODULES = ["_pytree", "checkpoint", "data", "deterministic", "dlpack", "hooks"]


def set_module(obj, mod):
    """Names the module of a class or function."""
    obj.__module__ = mod


def __getattr__(name):
    if name in _MODULES:
        import importlib
        return importlib.import_module(f"tenon.utils.{name}")
    raise AttributeError(f"module 'tenon.utils' has no attribute {name!r}")


def __dir__():
    return [*(name for name in _MODULES if not name.startswith("_")), "set_module"]
