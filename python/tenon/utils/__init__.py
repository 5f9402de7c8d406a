"""torch.utils: data, checkpoint, dlpack and helpers."""

_MODULES = ("checkpoint", "data", "dlpack", "hooks", "tensorboard")


def __getattr__(name):
    if name in _MODULES:
        import importlib
        return importlib.import_module(f"tenon.utils.{name}")
    raise AttributeError(f"module 'tenon.utils' has no attribute {name!r}")


def __dir__():
    return ["data", "dlpack", "hooks"]
