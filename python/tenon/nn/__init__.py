"""Neural networks: the functions, in nn.functional, and the initialisers, in nn.init."""


def __getattr__(name):
    if name in ("functional", "init"):
        import importlib
        return importlib.import_module(f"tenon.nn.{name}")
    raise AttributeError(f"module 'tenon.nn' has no attribute {name!r}")


def __dir__():
    return ["functional", "init"]
