"""torch.accelerator: there is none here."""


def is_available():
    """False."""
    return False


def device_count():
    """0."""
    return 0


def current_accelerator(check_available=False):
    """None."""
    return None


def empty_cache():
    """Nothing: the CPU's cache is emptied by tenon.empty_cache."""


def _zero(device_index=None):
    """0: nothing is allocated on an accelerator."""
    return 0


memory_allocated = max_memory_allocated = memory_reserved = max_memory_reserved = _zero


def memory_stats(device_index=None):
    """{}: nothing is allocated on an accelerator."""
    return {}


def __getattr__(name):
    if name in ("synchronize", "set_device_index", "current_device_index", "set_device_idx", "current_device_idx", "current_stream", "set_stream",
                "get_device_capability", "get_memory_info", "reset_peak_memory_stats", "reset_accumulated_memory_stats", "device_index"):
        def call(*args, **kwargs):
            raise RuntimeError(f"accelerator.{name}: there is no accelerator here (accelerator.is_available() is False)")
        return call
    raise AttributeError(f"module 'tenon.accelerator' has no attribute {name!r}")
