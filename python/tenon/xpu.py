"""Intel's devices, of which there are none here."""


def is_available():
    """False."""
    return False


def device_count():
    """0."""
    return 0


def manual_seed(seed):
    """Nothing."""


def empty_cache():
    """Nothing."""


def __getattr__(name):
    if name in ("synchronize", "current_allocated_memory", "driver_allocated_memory", "get_rng_state", "set_rng_state"):
        def call(*args, **kwargs):
            raise RuntimeError(f"xpu.{name}: there is no XPU device here")
        return call
    raise AttributeError(f"module 'tenon.xpu' has no attribute {name!r}")
