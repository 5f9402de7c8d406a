"""torch.cpu: the one device that is there."""

__all__ = ["Stream", "current_device", "current_stream", "device_count", "is_available", "is_initialized", "set_device", "stream", "synchronize"]


def is_available():
    """True."""
    return True


is_initialized = is_available


def device_count():
    """1."""
    return 1


def current_device():
    """'cpu'."""
    return "cpu"


def set_device(device):
    """Nothing: there is one."""


def synchronize(device=None):
    """Nothing: calls have ended when they return."""


class Stream:
    """The order of calls: that of the program."""

    def __init__(self, priority=-1):
        pass

    def wait_stream(self, stream):
        """Nothing."""


def current_stream(device=None):
    """A stream."""
    return Stream()


class stream:
    """A context that changes nothing."""

    def __init__(self, stream):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        return False


def __getattr__(name):
    if name == "amp":
        import importlib
        return importlib.import_module("tenon._cpu_amp")
    raise AttributeError(f"module 'tenon.cpu' has no attribute {name!r}")
