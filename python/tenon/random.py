"""torch.random's names: the state of the default generator."""

from contextlib import contextmanager as _contextmanager

from tenon._core import get_rng_state, initial_seed, manual_seed, seed, set_rng_state  # noqa: F401


def __getattr__(name):
    if name == "default_generator":  # which may be exchanged
        from tenon import _core
        return _core.get_default_generator()
    raise AttributeError(f"module 'tenon.random' has no attribute {name!r}")


@_contextmanager
def fork_rng(devices=None, enabled=True, **ignored):
    """Drawing inside leaves the default generator as it was."""
    state = get_rng_state() if enabled else None
    try:
        yield
    finally:
        if enabled:
            set_rng_state(state)
