"""torch.profiler: marks in a program can be set and cost nothing; there is no profiler in Python here. C programs have
tn_profile_start."""

import enum

__all__ = ["ProfilerAction", "ProfilerActivity", "profile", "record_function", "schedule", "tensorboard_trace_handler"]


class ProfilerActivity(enum.Enum):
    """What would be recorded."""

    CPU, XPU, MTIA, CUDA, HPU, PrivateUse1 = range(6)


class ProfilerAction(enum.Enum):
    """What would be done in a step."""

    NONE, WARMUP, RECORD, RECORD_AND_SAVE = range(4)


class record_function:
    """A mark around a part of a program; a context and a decorator."""

    def __init__(self, name, args=None):
        self.name = name

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        return False

    def __call__(self, function):
        return function


def schedule(*, wait, warmup, active, repeat=0, skip_first=0, skip_first_wait=0):
    """Which steps would be recorded."""
    def action(step):
        step -= skip_first
        length = wait + warmup + active
        if step < 0 or (repeat > 0 and step // length >= repeat):
            return ProfilerAction.NONE
        place = step % length
        if place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if place < length - 1 else ProfilerAction.RECORD_AND_SAVE
    return action


def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False):
    """Would write a file for TensorBoard."""
    def save(profiler):
        raise NotImplementedError("profiler.tensorboard_trace_handler: there is no profiler in Python here")
    return save


class profile:
    """Would record what a program does. An error where it is entered, unless enabled=False."""

    def __init__(self, *args, enabled=True, **kwargs):
        self.enabled = enabled

    def __enter__(self):
        if self.enabled:
            raise NotImplementedError("profiler.profile: there is no profiler in Python here; Python's own cProfile sees every call")
        return self

    def __exit__(self, *ignored):
        return False

    start = __enter__

    def stop(self):
        """Nothing."""

    def step(self):
        """Nothing."""
