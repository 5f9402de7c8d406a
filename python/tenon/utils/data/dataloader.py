"""DataLoader: batches of a dataset, made here or by worker processes."""

import itertools
import os
import queue
import time

from tenon import _core
from tenon.utils.data._utils import worker as _worker
from tenon.utils.data._utils.collate import default_collate, default_convert
from tenon.utils.data.dataset import IterableDataset, TensorDataset
from tenon.utils.data.sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler

__all__ = ["DataLoader", "default_collate", "default_convert", "get_worker_info"]
get_worker_info = _worker.get_worker_info


class _InfiniteConstantSampler(Sampler):
    """The order of an IterableDataset, which has its own."""

    def __iter__(self):
        return itertools.repeat(None)


class _Indexed:
    """Samples by their numbers."""

    def __init__(self, dataset, auto_collation, collate_fn, drop_last):
        self.dataset, self.auto_collation, self.collate_fn = dataset, auto_collation, collate_fn
        self.rows = type(dataset) is TensorDataset and auto_collation and collate_fn is default_collate

    def fetch(self, index):
        if self.rows:  # the rows at once are what their stack would be
            index = _core.tensor(index)
            return [tensor.index_select(0, index) for tensor in self.dataset.tensors]
        if self.auto_collation:
            several = getattr(self.dataset, "__getitems__", None)
            index = several(index) if several else [self.dataset[i] for i in index]
        else:
            index = self.dataset[index]
        return self.collate_fn(index)


class _Streamed:
    """Samples as they come."""

    def __init__(self, dataset, auto_collation, collate_fn, drop_last):
        self.auto_collation, self.collate_fn, self.drop_last = auto_collation, collate_fn, drop_last
        self.source, self.ended = iter(dataset), False

    def fetch(self, index):
        if self.ended:
            raise StopIteration
        if not self.auto_collation:
            return self.collate_fn(next(self.source))
        batch = list(itertools.islice(self.source, len(index)))
        self.ended = len(batch) < len(index)
        if not batch or (self.drop_last and self.ended):
            raise StopIteration
        return self.collate_fn(batch)


class _Iterator:
    """What single and parallel iterators share."""

    def __init__(self, loader):
        self._loader, self._dataset = loader, loader.dataset
        self._iterable = loader._iterable
        self._sampler_iter = iter(loader._index_sampler)
        self._base_seed = int(_core.empty((), dtype=_core.int64).random_(generator=loader.generator).item())
        self._num_yielded = 0

    def __iter__(self):
        return self

    def __next__(self):
        batch = self._next_data()
        self._num_yielded += 1
        return batch

    def __len__(self):
        return len(self._loader._index_sampler)

    def __getstate__(self):
        raise NotImplementedError("an iterator of a DataLoader cannot be pickled")


_BaseDataLoaderIter = _Iterator


class _SingleProcessDataLoaderIter(_Iterator):
    def __init__(self, loader):
        super().__init__(loader)
        self._fetcher = loader._fetcher(self._dataset, loader._auto_collation, loader.collate_fn, loader.drop_last)

    def _next_data(self):
        return self._fetcher.fetch(next(self._sampler_iter))


class _MultiProcessingDataLoaderIter(_Iterator):
    """Worker processes, each with a queue of tasks; results come back in the order of tasks."""

    def __init__(self, loader):
        super().__init__(loader)
        context = loader.multiprocessing_context
        if context is None:
            import multiprocessing
            context = multiprocessing
        self._workers, self._tasks = [], []
        self._results, self._done = context.Queue(), context.Event()
        self._prefix = f"tenon-{os.getpid()}-{id(self):x}-"
        self._timeout, self._prefetch = loader.timeout, loader.prefetch_factor
        for i in range(loader.num_workers):
            tasks = context.SimpleQueue()
            process = context.Process(target=_worker.run, daemon=True, args=(
                loader._fetcher, self._dataset, tasks, self._results, self._done, loader._auto_collation, loader.collate_fn, loader.drop_last,
                self._base_seed, loader.worker_init_fn, i, loader.num_workers, self._prefix, self._iterable, os.getpid()))
            process.start()
            self._tasks.append(tasks)
            self._workers.append(process)
        self._closed, self._owner = False, os.getpid()
        self._begin()

    def _begin(self):
        self._sent = self._taken = 0
        self._waiting, self._of, self._live = {}, {}, [True] * len(self._workers)
        self._turns = itertools.cycle(range(len(self._workers)))
        for _ in range(self._prefetch * len(self._workers)):
            self._send()

    def _restart(self, loader):
        """A new epoch for workers that have stayed."""
        self._sampler_iter = iter(loader._index_sampler)
        self._num_yielded = 0
        for tasks in self._tasks:
            tasks.put("again")
        answers = 0
        while answers < len(self._workers):
            number, value, path, size = self._receive()
            if number == "again":
                answers += 1
            elif path is not None:
                _worker.unpack(value, path, size)
        self._begin()

    def _send(self):
        if self._sent - self._taken >= self._prefetch * len(self._workers):
            return
        try:
            index = next(self._sampler_iter)
        except StopIteration:
            return
        for _ in self._workers:
            turn = next(self._turns)
            if self._live[turn]:
                self._tasks[turn].put((self._sent, index))
                self._of[self._sent] = turn
                self._sent += 1
                return

    def _receive(self):
        waited = 0.0
        while True:
            try:
                return self._results.get(timeout=min(self._timeout, 5.0) if self._timeout > 0 else 5.0)
            except queue.Empty:
                waited += min(self._timeout, 5.0) if self._timeout > 0 else 5.0
                dead = [process for process in self._workers if not process.is_alive()]
                if dead and not self._done.is_set():
                    names = ", ".join(str(process.pid) for process in dead)
                    self._close()
                    raise RuntimeError(f"worker processes of a DataLoader ended by themselves (pid {names})") from None
                if self._timeout > 0 and waited >= self._timeout:
                    raise RuntimeError(f"a DataLoader waited {self._timeout} seconds for a batch") from None

    def _next_data(self):
        while True:
            while self._taken < self._sent and self._taken not in self._waiting and not self._live[self._of[self._taken]]:
                self._of.pop(self._taken)  # what a stream that is over would have given
                self._taken += 1
            if self._taken >= self._sent:
                if not self._loader.persistent_workers:
                    self._close()
                raise StopIteration
            if self._taken in self._waiting:
                value = self._waiting.pop(self._taken)
            else:
                number, value, path, size = self._receive()
                if isinstance(value, _worker._End):
                    self._live[self._of[number]] = False
                    self._send()
                    if number == self._taken:
                        self._of.pop(number)
                        self._taken += 1
                    continue
                if not isinstance(value, _worker.Failure):
                    value = _worker.unpack(value, path, size)
                if number != self._taken:
                    self._waiting[number] = value
                    continue
            self._of.pop(self._taken)
            self._taken += 1
            self._send()
            if isinstance(value, _worker.Failure):
                value.reraise()
            return value

    def _close(self):
        if self._closed or os.getpid() != self._owner:  # a worker that was forked later has this object, too
            return
        self._closed = True
        self._done.set()
        for tasks in self._tasks:
            tasks.put(None)
        deadline = time.monotonic() + 5
        while any(process.is_alive() for process in self._workers) and time.monotonic() < deadline:
            try:  # a worker ends when its results have been taken
                self._results.get(timeout=0.01)
            except (queue.Empty, OSError, ValueError, EOFError):
                pass
        for process in self._workers:
            if process.is_alive():
                process.terminate()
            process.join()
        for tasks in self._tasks:
            tasks.close()
        self._results.cancel_join_thread()
        self._results.close()
        for name in os.listdir(_worker._ROOM):  # batches that nobody wanted
            if name.startswith(self._prefix):
                os.unlink(os.path.join(_worker._ROOM, name))

    def __del__(self):
        if hasattr(self, "_closed"):
            try:
                self._close()
            except Exception:  # the interpreter may be ending
                pass


class DataLoader:
    """Batches of a dataset. With one seed their order is PyTorch's."""

    multiprocessing_context = None
    _iterator = None

    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None, pin_memory=False,
                 drop_last=False, timeout=0, worker_init_fn=None, multiprocessing_context=None, generator=None, *, prefetch_factor=None,
                 persistent_workers=False, pin_memory_device="", in_order=True):
        if num_workers < 0:
            raise ValueError(f"num_workers is not negative, but is {num_workers}")
        if timeout < 0:
            raise ValueError(f"timeout is not negative, but is {timeout}")
        if num_workers == 0 and prefetch_factor is not None:
            raise ValueError("prefetch_factor is for workers, and num_workers is 0")
        if prefetch_factor is not None and prefetch_factor < 0:
            raise ValueError(f"prefetch_factor is not negative, but is {prefetch_factor}")
        if persistent_workers and num_workers == 0:
            raise ValueError("persistent_workers needs workers, and num_workers is 0")
        self.dataset, self.num_workers, self.pin_memory, self.timeout = dataset, num_workers, pin_memory, timeout
        self.prefetch_factor = 2 if num_workers > 0 and prefetch_factor is None else prefetch_factor
        self.pin_memory_device, self.worker_init_fn, self.in_order = pin_memory_device, worker_init_fn, in_order
        if isinstance(multiprocessing_context, str):
            import multiprocessing
            multiprocessing_context = multiprocessing.get_context(multiprocessing_context)
        self.multiprocessing_context = multiprocessing_context
        self._iterable = isinstance(dataset, IterableDataset)
        if self._iterable:
            if shuffle not in (False, None):
                raise ValueError("an IterableDataset has an order of its own, so shuffle cannot be True")
            if sampler is not None or batch_sampler is not None:
                raise ValueError("an IterableDataset has an order of its own, and takes no sampler")
        if sampler is not None and shuffle:
            raise ValueError("give sampler or shuffle, not both")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError("batch_sampler takes the place of batch_size, shuffle, sampler and drop_last")
            batch_size, drop_last = None, False
        elif batch_size is None and drop_last:
            raise ValueError("without a batch_size there is nothing to drop")
        if sampler is None:
            if self._iterable:
                sampler = _InfiniteConstantSampler()
            elif shuffle:
                sampler = RandomSampler(dataset, generator=generator)
            else:
                sampler = SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size, self.drop_last, self.sampler, self.batch_sampler, self.generator = batch_size, drop_last, sampler, batch_sampler, generator
        self.collate_fn = collate_fn if collate_fn is not None else default_collate if self._auto_collation else default_convert
        self.persistent_workers = persistent_workers

    def __class_getitem__(cls, item):
        return cls

    @property
    def _auto_collation(self):
        return self.batch_sampler is not None

    @property
    def _index_sampler(self):
        return self.batch_sampler if self._auto_collation else self.sampler

    @property
    def _fetcher(self):
        return _Streamed if self._iterable else _Indexed

    def __iter__(self):
        if self.num_workers == 0:
            return _SingleProcessDataLoaderIter(self)
        if not self.persistent_workers:
            return _MultiProcessingDataLoaderIter(self)
        if self._iterator is None or self._iterator._closed:
            self._iterator = _MultiProcessingDataLoaderIter(self)
        else:
            self._iterator._restart(self)
        return self._iterator

    def __len__(self):
        if not self._iterable:
            return len(self._index_sampler)
        length = len(self.dataset)
        if self.batch_size is None:
            return length
        return length // self.batch_size if self.drop_last else (length + self.batch_size - 1) // self.batch_size
