"""What programs ask before they choose a device: there is only the CPU here.

Questions are answered truthfully; what would do something on a device is an error, except where nothing is what it would do.
"""

__all__ = ["device_count", "empty_cache", "is_available", "is_bf16_supported", "is_initialized", "manual_seed", "manual_seed_all"]


def is_available():
    """False."""
    return False


def is_initialized():
    """False."""
    return False


def device_count():
    """0."""
    return 0


def is_bf16_supported(including_emulation=True):
    """False."""
    return False


def manual_seed(seed):
    """Nothing: the CPU's generator is seeded by tenon.manual_seed."""


def manual_seed_all(seed):
    """Nothing: the CPU's generator is seeded by tenon.manual_seed."""


def empty_cache():
    """Nothing: the CPU's cache is emptied by tenon.empty_cache."""


def _zero(device=None):
    """0: nothing is allocated on a device."""
    return 0


memory_allocated = max_memory_allocated = memory_reserved = max_memory_reserved = _zero


def _cannot(name):
    def call(*args, **kwargs):
        raise RuntimeError(f"cuda.{name}: there is no CUDA device here (cuda.is_available() is False)")
    call.__name__ = call.__qualname__ = name
    return call


def __getattr__(name):
    if name == "amp":
        import importlib
        return importlib.import_module("tenon.amp")
    if name in ("synchronize", "set_device", "current_device", "get_device_name", "get_device_properties", "get_device_capability", "Stream", "Event",
                "stream", "current_stream", "mem_get_info", "reset_peak_memory_stats", "reset_max_memory_allocated", "init", "device", "get_rng_state",
                "set_rng_state", "FloatTensor", "LongTensor", "HalfTensor", "ByteTensor", "DoubleTensor", "CUDAGraph", "ipc_collect"):
        return _cannot(name)
    raise AttributeError(f"module 'tenon.cuda' has no attribute {name!r}")
