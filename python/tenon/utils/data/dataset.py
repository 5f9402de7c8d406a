"""Datasets: things with __getitem__, or with __iter__."""

import bisect
import itertools
import math
import warnings

from tenon import _core

__all__ = ["ChainDataset", "ConcatDataset", "Dataset", "IterableDataset", "StackDataset", "Subset", "TensorDataset", "random_split"]


class Dataset:
    """Samples by their numbers: define __getitem__ and __len__."""

    def __class_getitem__(cls, item):
        return cls

    def __getitem__(self, index):
        raise NotImplementedError("a Dataset defines __getitem__")

    def __add__(self, other):
        return ConcatDataset([self, other])


class IterableDataset(Dataset):
    """Samples one after the other: define __iter__."""

    def __add__(self, other):
        return ChainDataset([self, other])

    def __iter__(self):
        raise NotImplementedError("an IterableDataset defines __iter__")


class TensorDataset(Dataset):
    """Sample i has row i of each tensor."""

    def __init__(self, *tensors):
        if any(tensors[0].shape[0] != tensor.shape[0] for tensor in tensors):
            raise AssertionError(f"the tensors have {[tensor.shape[0] for tensor in tensors]} rows, and not as many each")
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self):
        return self.tensors[0].shape[0]


class StackDataset(Dataset):
    """Sample i has sample i of each dataset, as a tuple, or as a dictionary by names."""

    def __init__(self, *args, **kwargs):
        if bool(args) == bool(kwargs):
            raise ValueError("StackDataset takes datasets, or datasets by name")
        self.datasets = kwargs or args
        every = list(kwargs.values()) if kwargs else args
        self._length = len(every[0])
        if any(len(one) != self._length for one in every):
            raise ValueError("the datasets have different lengths")

    def __getitem__(self, index):
        if isinstance(self.datasets, dict):
            return {name: one[index] for name, one in self.datasets.items()}
        return tuple(one[index] for one in self.datasets)

    def __len__(self):
        return self._length


class ConcatDataset(Dataset):
    """One dataset after the other."""

    @staticmethod
    def cumsum(sequence):
        """The lengths, added up."""
        return list(itertools.accumulate(len(one) for one in sequence))

    def __init__(self, datasets):
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("ConcatDataset: there are no datasets")
        if any(isinstance(one, IterableDataset) for one in self.datasets):
            raise AssertionError("ConcatDataset takes no IterableDataset: ChainDataset does")
        self.cumulative_sizes = self.cumsum(self.datasets)

    def __len__(self):
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx):
        if idx < 0:
            if -idx > len(self):
                raise ValueError(f"index {idx} is out of range for {len(self)} samples")
            idx += len(self)
        place = bisect.bisect_right(self.cumulative_sizes, idx)
        return self.datasets[place][idx - (self.cumulative_sizes[place - 1] if place else 0)]

    @property
    def cummulative_sizes(self):
        """The old spelling of cumulative_sizes."""
        warnings.warn("cummulative_sizes is an old spelling of cumulative_sizes", DeprecationWarning, stacklevel=2)
        return self.cumulative_sizes


class ChainDataset(IterableDataset):
    """One IterableDataset after the other."""

    def __init__(self, datasets):
        self.datasets = datasets

    def __iter__(self):
        for one in self.datasets:
            if not isinstance(one, IterableDataset):
                raise AssertionError("ChainDataset takes IterableDatasets")
            yield from one

    def __len__(self):
        return sum(len(one) for one in self.datasets)


class Subset(Dataset):
    """Some samples of a dataset."""

    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, idx):
        if isinstance(idx, list):
            return self.dataset[[self.indices[i] for i in idx]]
        return self.dataset[self.indices[idx]]

    def __getitems__(self, indices):
        several = getattr(self.dataset, "__getitems__", None)
        if callable(several):
            return several([self.indices[i] for i in indices])
        return [self.dataset[self.indices[i]] for i in indices]

    def __len__(self):
        return len(self.indices)


def random_split(dataset, lengths, generator=None):
    """Parts of a dataset at random, of given lengths or shares."""
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        counts = []
        for i, share in enumerate(lengths):
            if not 0 <= share <= 1:
                raise ValueError(f"share {i} is {share}, and not between 0 and 1")
            counts.append(int(math.floor(len(dataset) * share)))
        for i in range(len(dataset) - sum(counts)):
            counts[i % len(counts)] += 1
        lengths = counts
        for i, length in enumerate(lengths):
            if length == 0:
                warnings.warn(f"part {i} of random_split is empty", stacklevel=2)
    if sum(lengths) != len(dataset):
        raise ValueError(f"the lengths {list(lengths)} are not those of a dataset of {len(dataset)}")
    order = _core.randperm(sum(lengths), generator=generator).tolist()
    return [Subset(dataset, order[end - length:end]) for end, length in zip(itertools.accumulate(lengths), lengths)]
