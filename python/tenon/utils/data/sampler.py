"""Orders of samples. With one seed they are PyTorch's."""

import itertools

from tenon import _core

__all__ = ["BatchSampler", "RandomSampler", "Sampler", "SequentialSampler", "SubsetRandomSampler", "WeightedRandomSampler"]


class Sampler:
    """Numbers of samples, one after the other: define __iter__."""

    def __init__(self, data_source=None):
        pass

    def __class_getitem__(cls, item):
        return cls

    def __iter__(self):
        raise NotImplementedError("a Sampler defines __iter__")


class SequentialSampler(Sampler):
    """0, 1, 2, ..."""

    def __init__(self, data_source):
        self.data_source = data_source

    def __iter__(self):
        return iter(range(len(self.data_source)))

    def __len__(self):
        return len(self.data_source)


class RandomSampler(Sampler):
    """At random, each sample once, or with replacement."""

    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        if not isinstance(replacement, bool):
            raise TypeError(f"replacement is True or False, not {replacement!r}")
        self.data_source, self.replacement, self._num_samples, self.generator = data_source, replacement, num_samples, generator
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(f"num_samples is a positive whole number, not {self.num_samples}")

    @property
    def num_samples(self):
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self):
        n, generator = len(self.data_source), self.generator
        if generator is None:
            seed = int(_core.empty((), dtype=_core.int64).random_().item())
            generator = _core.Generator()
            generator.manual_seed(seed)
        if self.replacement:
            for _ in range(self.num_samples // 32):
                yield from _core.randint(high=n, size=(32,), dtype=_core.int64, generator=generator).tolist()
            yield from _core.randint(high=n, size=(self.num_samples % 32,), dtype=_core.int64, generator=generator).tolist()
        else:
            for _ in range(self.num_samples // n):
                yield from _core.randperm(n, generator=generator).tolist()
            yield from _core.randperm(n, generator=generator).tolist()[:self.num_samples % n]

    def __len__(self):
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """Some samples, at random."""

    def __init__(self, indices, generator=None):
        self.indices, self.generator = indices, generator

    def __iter__(self):
        for i in _core.randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[i]

    def __len__(self):
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    """At random, with probabilities."""

    def __init__(self, weights, num_samples, replacement=True, generator=None):
        if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
            raise ValueError(f"num_samples is a positive whole number, not {num_samples}")
        if not isinstance(replacement, bool):
            raise ValueError(f"replacement is True or False, not {replacement!r}")
        weights = _core.as_tensor(weights, dtype=_core.float64)
        if weights.dim() != 1:
            raise ValueError(f"weights are a vector, not a tensor of sizes {tuple(weights.shape)}")
        self.weights, self.num_samples, self.replacement, self.generator = weights, num_samples, replacement, generator

    def __iter__(self):
        yield from iter(_core.multinomial(self.weights, self.num_samples, self.replacement, generator=self.generator).tolist())

    def __len__(self):
        return self.num_samples


class BatchSampler(Sampler):
    """Lists of batch_size numbers of another sampler."""

    def __init__(self, sampler, batch_size, drop_last):
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(f"batch_size is a positive whole number, not {batch_size}")
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last is True or False, not {drop_last!r}")
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self):
        source = iter(self.sampler)
        while True:
            batch = list(itertools.islice(source, self.batch_size))
            if not batch or (self.drop_last and len(batch) < self.batch_size):
                return
            yield batch

    def __len__(self):
        count = len(self.sampler)
        return count // self.batch_size if self.drop_last else (count + self.batch_size - 1) // self.batch_size
