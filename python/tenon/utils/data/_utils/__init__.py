"""What DataLoader is made of."""


def __getattr__(name):
    if name in ("collate", "worker"):
        import importlib
        return importlib.import_module(f"tenon.utils.data._utils.{name}")
    raise AttributeError(f"module 'tenon.utils.data._utils' has no attribute {name!r}")
