"""torch.utils, as far as there is something of it: its modules are loaded on first use."""

_MODULES = ["checkpoint", "data", "dlpack", "hooks"]


def __getattr__(name):
    if name in _MODULES:
        import importlib
        return importlib.import_module(f"tenon.utils.{name}")
    raise AttributeError(f"module 'tenon.utils' has no attribute {name!r}")


def __dir__():
    return _MODULES
