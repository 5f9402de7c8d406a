"""torch.distributed: not available. It can be imported; what needs several processes is an error."""


def is_available():
    """False."""
    return False


def is_initialized():
    """False."""
    return False


def is_torchelastic_launched():
    """False."""
    return False


class ReduceOp:
    """The kinds of reductions, for programs that name them."""

    SUM, AVG, PRODUCT, MIN, MAX = "SUM", "AVG", "PRODUCT", "MIN", "MAX"


class group:
    """The default group, for programs that name it."""

    WORLD = None


def __getattr__(name):
    if name in ("init_process_group", "destroy_process_group", "all_reduce", "all_gather", "broadcast", "barrier", "get_rank", "get_world_size", "reduce",
                "scatter", "gather", "send", "recv", "new_group", "ZeroRedundancyOptimizer", "all_to_all", "reduce_scatter", "launch", "all_gather_object",
                "broadcast_object_list", "monitored_barrier"):
        def call(*args, **kwargs):
            raise RuntimeError(f"distributed.{name}: there are no process groups here (distributed.is_available() is False)")
        call.__name__ = call.__qualname__ = name
        return call
    raise AttributeError(f"module 'tenon.distributed' has no attribute {name!r}")


_FILES_OF_TORCH = ("distributed_c10d", "fsdp", "elastic", "rpc", "tensor", "checkpoint")
