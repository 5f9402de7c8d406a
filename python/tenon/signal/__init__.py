"""torch.signal: windows."""

__all__ = ["windows"]


def __getattr__(name):
    if name == "windows":
        import importlib
        return importlib.import_module("tenon.signal.windows")
    raise AttributeError(f"module 'tenon.signal' has no attribute {name!r}")
