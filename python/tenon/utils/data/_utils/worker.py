"""What a worker process of DataLoader does: it gets lists of numbers, and sends back batches.

Tensors go through shared memory: the worker writes them to a file in memory, the other side maps it and takes its name away, so
nothing is copied there and nothing is left when either process ends.
"""

import mmap
import os
import tempfile
import traceback

from tenon import _core

_info = None
_ROOM = "/dev/shm" if os.path.isdir("/dev/shm") else tempfile.gettempdir()


class WorkerInfo:
    """What a worker knows about itself."""

    def __init__(self, **values):
        self.__dict__.update(values)

    def __repr__(self):
        return "WorkerInfo(" + ", ".join(f"{key}={value}" for key, value in self.__dict__.items()) + ")"


def get_worker_info():
    """In a worker: id, num_workers, seed and dataset; elsewhere None."""
    return _info


class Failure:
    """An exception of a worker, with its traceback as a text."""

    def __init__(self, error, where):
        self.kind, self.where = type(error), where
        self.text = "".join(traceback.format_exception(error))

    def reraise(self):
        """Raises an exception of that class."""
        message = f"{self.kind.__name__} in {self.where}:\n{self.text}"
        try:
            error = self.kind(message)
        except TypeError:
            raise RuntimeError(message) from None
        raise error


class _Sent:
    """A tensor on its way: where its elements are, and how to look at them."""

    __slots__ = ("offset", "dtype", "shape")

    def __init__(self, offset, dtype, shape):
        self.offset, self.dtype, self.shape = offset, dtype, shape


def _walk(value, change):
    if isinstance(value, _core.Tensor):
        return change(value)
    if type(value) in (list, tuple):
        return type(value)(_walk(one, change) for one in value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_walk(one, change) for one in value))
    if type(value) is dict:
        return {key: _walk(one, change) for key, one in value.items()}
    return value


def pack(value, prefix):
    """A value without tensors, and the name of the file that has their elements; None where there are none."""
    found, size = [], 0

    def out(tensor):
        nonlocal size
        tensor = tensor.detach().contiguous()
        sent = _Sent(size, tensor.dtype, tuple(tensor.shape))
        found.append((sent, tensor))
        size += (tensor.numel() * tensor.element_size() + 63) // 64 * 64
        return sent

    packed = _walk(value, out)
    if size == 0:
        return packed, None, 0
    handle, path = tempfile.mkstemp(prefix=prefix, dir=_ROOM)
    try:
        os.ftruncate(handle, size)
        with mmap.mmap(handle, size) as memory:
            for sent, tensor in found:
                count = tensor.numel()
                if count:
                    target = _core.frombuffer(memory, dtype=tensor.dtype, count=count, offset=sent.offset)
                    target.copy_(tensor.reshape(-1))
                    del target
    except BaseException:
        os.unlink(path)
        raise
    finally:
        os.close(handle)
    return packed, path, size




def unpack(value, path, size):
    """The value that was packed; its tensors look into the shared memory."""
    memory = None
    if path is not None:
        handle = os.open(path, os.O_RDWR)
        try:
            memory = mmap.mmap(handle, size)
        finally:
            os.close(handle)
            os.unlink(path)

    def back(one):
        if isinstance(one, _Sent):
            count = 1
            for n in one.shape:
                count *= n
            if count == 0:
                return _core.empty(one.shape, dtype=one.dtype)
            return _core.frombuffer(memory, dtype=one.dtype, count=count, offset=one.offset).reshape(one.shape)
        if type(one) in (list, tuple):
            return type(one)(back(item) for item in one)
        if isinstance(one, tuple) and hasattr(one, "_fields"):
            return type(one)(*(back(item) for item in one))
        if type(one) is dict:
            return {key: back(item) for key, item in one.items()}
        return one

    return back(value)


def _seed_numpy(base_seed, worker):
    import sys
    if "numpy" not in sys.modules:
        return
    import numpy
    words = [worker, base_seed & 0xFFFFFFFF, base_seed >> 32, 0]
    numpy.random.seed(numpy.random.SeedSequence(words).generate_state(4))


class _End:
    """An IterableDataset of a worker is over."""


def run(fetcher_of, dataset, tasks, results, done, auto_collation, collate_fn, drop_last, base_seed, init_fn, worker, workers, prefix, iterable, parent):
    """The life of a worker."""
    global _info
    import random
    seed = base_seed + worker
    _core.set_num_threads(1)
    random.seed(seed)
    _core.manual_seed(seed)
    _seed_numpy(base_seed, worker)
    _info = WorkerInfo(id=worker, num_workers=workers, seed=seed, dataset=dataset)
    failure = None
    try:
        if init_fn is not None:
            init_fn(worker)
        fetcher = fetcher_of(dataset, auto_collation, collate_fn, drop_last)
    except Exception as error:
        failure = Failure(error, f"worker process {worker} of a DataLoader")
    over = False
    try:
        while True:
            if not tasks._reader.poll(5.0):
                if os.getppid() != parent:
                    return
                continue
            task = tasks.get()
            if task is None:
                return
            if task == "again":
                over = False
                fetcher = fetcher_of(dataset, auto_collation, collate_fn, drop_last)
                results.put(("again", worker, None, 0))
                continue
            number, index = task
            if done.is_set() or over:
                continue
            if failure is not None:
                results.put((number, failure, None, 0))
                failure = None
                continue
            try:
                answer = pack(fetcher.fetch(index), prefix)
            except StopIteration if iterable else _Never:
                over = True
                answer = (_End(), None, 0)
            except Exception as error:
                answer = (Failure(error, f"worker process {worker} of a DataLoader"), None, 0)
            results.put((number, *answer))
    except KeyboardInterrupt:
        pass


class _Never(Exception):
    pass
