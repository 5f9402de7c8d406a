"""torch.multiprocessing: Python's multiprocessing, with tensors that go through shared memory: what is sent is moved there, and the
other process looks into the same memory."""

import multiprocessing as _multiprocessing
from multiprocessing import *  # noqa: F403
from multiprocessing import reduction as _reduction

from tenon import _core

__all__ = [*_multiprocessing.__all__, "ProcessExitedException", "ProcessRaisedException", "get_all_sharing_strategies", "get_sharing_strategy",
           "init_reductions", "set_sharing_strategy", "spawn", "start_processes"]


def _attach(handle, size):
    import os
    descriptor = handle.detach()
    try:
        return _core._attach_shared(descriptor, size)
    except BaseException:
        os.close(descriptor)
        raise


def _reduce_storage(storage):
    shared = storage if storage.is_shared() else storage._shared(1 << 62)
    descriptor, size = _core._shared_handle(shared)
    return _attach, (_reduction.DupFd(descriptor), size)


def _rebuild_tensor(cls, storage, offset, sizes, strides, dtype, required, parameter):
    made = _core._rebuild_tensor(storage, offset, sizes, strides, dtype, required and not parameter)
    if cls is not _core.Tensor:
        made = cls(made, required) if parameter else made.as_subclass(cls)
    return made


def _reduce_tensor(tensor):
    if tensor.requires_grad and not tensor.is_leaf:
        raise RuntimeError("a tensor that was computed with gradients cannot be sent to another process: send tensor.detach()")
    if tensor.device.type != "cpu":
        return tensor.__reduce_ex__(4)
    if not tensor.is_shared():
        try:
            tensor.share_memory_()  # so that both sides see what is written
        except RuntimeError:
            pass  # others look into its storage: the other side gets a copy
    from tenon.nn.parameter import Parameter
    return _rebuild_tensor, (type(tensor), tensor.untyped_storage(), tensor.storage_offset(), tuple(tensor.shape), tensor.stride(), tensor.dtype,
                             tensor.requires_grad, isinstance(tensor, Parameter))


def init_reductions():
    """Has multiprocessing send tensors through shared memory; done when this module is loaded."""
    from tenon.nn.parameter import Parameter
    _reduction.ForkingPickler.register(_core.UntypedStorage, _reduce_storage)
    for kind in (_core.Tensor, Parameter):
        _reduction.ForkingPickler.register(kind, _reduce_tensor)


init_reductions()


def get_all_sharing_strategies():
    """The ways to share memory: by descriptors of files."""
    return {"file_descriptor"}


def get_sharing_strategy():
    """'file_descriptor'."""
    return "file_descriptor"


def set_sharing_strategy(new_strategy):
    """Nothing: memory is shared by descriptors. 'file_system' is accepted, other names are errors."""
    if new_strategy not in ("file_system", "file_descriptor"):
        raise AssertionError(f"there is no sharing strategy {new_strategy!r}")


class ProcessExitedException(Exception):
    """A process of spawn has ended with a status other than 0, or by a signal."""

    def __init__(self, msg, error_index, error_pid, exit_code, signal_name=None):
        super().__init__(msg)
        self.msg, self.error_index, self.error_pid, self.exit_code, self.signal_name = msg, error_index, error_pid, exit_code, signal_name


class ProcessRaisedException(Exception):
    """A process of spawn has ended with an exception."""

    def __init__(self, msg, error_index, error_pid):
        super().__init__(msg)
        self.msg, self.error_index, self.error_pid = msg, error_index, error_pid


def _wrap(fn, i, args, errors):
    import sys
    import traceback
    try:
        fn(i, *args)
    except KeyboardInterrupt:
        pass
    except Exception:
        errors.put(traceback.format_exc())
        sys.exit(1)


class ProcessContext:
    """Processes that spawn has started."""

    def __init__(self, processes, errors):
        self.processes, self.error_queues = processes, errors

    def pids(self):
        """Their numbers."""
        return [process.pid for process in self.processes]

    def join(self, timeout=None, grace_period=None):
        """Waits. True when all have ended; the exception of the first that fails, after the others have been stopped."""
        from multiprocessing import connection
        waiting = {process.sentinel: i for i, process in enumerate(self.processes) if process.exitcode is None}
        for sentinel in connection.wait(list(waiting), timeout) if waiting else ():
            self.processes[waiting[sentinel]].join()
        failed = next((i for i, process in enumerate(self.processes) if process.exitcode), None)
        if failed is None:
            return all(process.exitcode == 0 for process in self.processes)
        for process in self.processes:
            if process.is_alive():
                process.terminate()
        for process in self.processes:
            process.join()
        process = self.processes[failed]
        if self.error_queues[failed].empty():
            how = f"signal {-process.exitcode}" if process.exitcode < 0 else f"exit status {process.exitcode}"
            raise ProcessExitedException(f"process {failed} ended with {how}", failed, process.pid, process.exitcode)
        raise ProcessRaisedException(f"process {failed} ended with this exception:\n\n{self.error_queues[failed].get()}", failed, process.pid)


SpawnContext = ProcessContext


def start_processes(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    """Runs fn(i, *args) in nprocs processes; without join, returns what waits for them."""
    context = _multiprocessing.get_context(start_method)
    processes, errors = [], []
    for i in range(nprocs):
        errors.append(context.SimpleQueue())
        processes.append(context.Process(target=_wrap, args=(fn, i, args, errors[-1]), daemon=daemon))
        processes[-1].start()
    made = ProcessContext(processes, errors)
    if not join:
        return made
    while not made.join():
        pass
    return None


def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    """start_processes, with new interpreters."""
    return start_processes(fn, args, nprocs, join, daemon, start_method)
