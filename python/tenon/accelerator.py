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


def __getattr__(name):
    if name in ("synchronize", "set_device_index", "current_device_index", "set_device_idx", "current_device_idx", "current_stream", "set_stream"):
        def call(*args, **kwargs):
            raise RuntimeError(f"accelerator.{name}: there is no accelerator here (accelerator.is_available() is False)")
        return call
    raise AttributeError(f"module 'tenon.accelerator' has no attribute {name!r}")
