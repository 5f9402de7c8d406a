"""torch.multiprocessing: Python's multiprocessing. Tensors that are sent are pickled."""

import multiprocessing as _multiprocessing
from multiprocessing import *  # noqa: F403

__all__ = [*_multiprocessing.__all__, "get_all_sharing_strategies", "get_sharing_strategy", "set_sharing_strategy", "spawn"]


def get_all_sharing_strategies():
    """The ways to share memory."""
    return {"file_system"}


def get_sharing_strategy():
    """'file_system'."""
    return "file_system"


def set_sharing_strategy(new_strategy):
    """Nothing, for 'file_system'; other ways are errors."""
    if new_strategy not in ("file_system", "file_descriptor"):
        raise AssertionError(f"there is no sharing strategy {new_strategy!r}")


def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    """Runs fn(i, *args) in nprocs processes."""
    context = _multiprocessing.get_context(start_method)
    processes = [context.Process(target=fn, args=(i, *args), daemon=daemon) for i in range(nprocs)]
    for process in processes:
        process.start()
    if not join:
        return processes
    for i, process in enumerate(processes):
        process.join()
        if process.exitcode != 0:
            raise RuntimeError(f"process {i} ended with exit status {process.exitcode}")
    return None
