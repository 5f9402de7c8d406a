"""Datasets, samplers and DataLoader: PyTorch's orders, batches, workers and their errors."""

import collections
import glob
import os

import pytest
import tenon
from tenon.utils import data as D

X, Y = tenon.arange(23).float(), tenon.arange(23)


class Mine(D.Dataset):
    def __len__(self):
        return 7

    def __getitem__(self, i):
        if i == 5 and os.environ.get("TENON_TEST_FAILS"):
            raise KeyError("number five")
        return {"a": X[i], "b": i, "c": [float(i), str(i)]}, (i, 2 * i)


class Stream(D.IterableDataset):
    def __iter__(self):
        info = D.get_worker_info()
        return iter(range(10) if info is None else range(info.id, 10, info.num_workers))


def test_orders_are_pytorchs():  # the numbers are from PyTorch 2.13
    tenon.manual_seed(1)
    loader = D.DataLoader(D.TensorDataset(X, Y), 5, shuffle=True)
    assert [batch[1].tolist() for batch in loader] == ORDER
    assert list(D.RandomSampler(range(5), True, 6)) == WITH_REPLACEMENT
    assert list(D.SubsetRandomSampler([7, 8, 9])) == SUBSET
    assert list(D.WeightedRandomSampler([1.0, 2.0, 3.0], 5)) == WEIGHTED
    assert [part.indices for part in D.random_split(range(5), [0.6, 0.4])] == SPLIT


ORDER = [[20, 5, 6, 8, 10], [1, 13, 4, 22, 9], [11, 7, 18, 16, 3], [12, 14, 15, 0, 19], [21, 17, 2]]
WITH_REPLACEMENT = [4, 4, 2, 2, 2, 2]
SUBSET = [9, 7, 8]
WEIGHTED = [2, 0, 1, 2, 2]
SPLIT = [[2, 1, 0], [4, 3]]


@pytest.mark.parametrize("workers", [0, 2])
def test_batches_keep_the_form_of_samples(workers):
    first, pair = next(iter(D.DataLoader(Mine(), 3, num_workers=workers)))
    assert first["a"].tolist() == [0, 1, 2] and first["b"].dtype is tenon.int64
    assert first["c"][0].dtype is tenon.float64 and first["c"][1] == ("0", "1", "2")
    assert [one.tolist() for one in pair] == [[0, 1, 2], [0, 2, 4]]
    assert len(D.DataLoader(Mine(), 3)) == 3 and len(D.DataLoader(Mine(), 3, drop_last=True)) == 2


def test_workers_give_the_order_of_one_process():
    for epoch in range(2):
        orders = []
        for workers in (0, 3):
            tenon.manual_seed(epoch)
            orders.append([batch[0].tolist() for batch in D.DataLoader(D.TensorDataset(X), 4, shuffle=True, num_workers=workers)])
        assert orders[0] == orders[1]


def test_streams_end_worker_by_worker():
    assert [batch.tolist() for batch in D.DataLoader(Stream(), 4)] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    got = [batch.tolist() for batch in D.DataLoader(Stream(), 2, num_workers=2)]
    assert got == [[0, 2], [1, 3], [4, 6], [5, 7], [8], [9]]


def test_an_exception_of_a_worker_arrives_with_its_traceback(monkeypatch):
    monkeypatch.setenv("TENON_TEST_FAILS", "1")
    with pytest.raises(KeyError) as told:
        list(D.DataLoader(Mine(), 2, num_workers=2))
    assert "number five" in str(told.value) and "__getitem__" in str(told.value)


def test_workers_that_stay_serve_every_epoch_and_stop_in_the_middle_of_one():
    loader = D.DataLoader(D.TensorDataset(X), 4, num_workers=2, persistent_workers=True)
    seen = [[batch[0].tolist() for batch in loader] for _ in range(2)]
    assert seen[0] == seen[1] and len(seen[0]) == 6
    pids = [process.pid for process in loader._iterator._workers]
    for _ in loader:
        break
    assert sum(len(batch[0]) for batch in loader) == 23 and [process.pid for process in loader._iterator._workers] == pids
    loader._iterator._close()
    assert not glob.glob(f"/dev/shm/{loader._iterator._prefix}*")


def seed_of(batch):
    return D.get_worker_info().seed, tenon.initial_seed()


def test_workers_have_seeds_of_their_own():
    tenon.manual_seed(3)
    seeds = list(D.DataLoader(Mine(), 4, num_workers=2, collate_fn=seed_of))
    assert seeds[0][0] == seeds[0][1] and seeds[1][0] == seeds[0][0] + 1 == seeds[1][1]


def test_datasets_of_datasets():
    both = D.TensorDataset(X) + D.TensorDataset(X)
    assert len(both) == 46 and both[-1][0] == 22 and both[23][0] == 0
    assert D.StackDataset(a=range(3), b=range(3))[1] == {"a": 1, "b": 1}
    assert list(D.ChainDataset([Stream(), Stream()]))[9:11] == [9, 0]
    assert D.Subset(D.TensorDataset(X), [3, 1])[1][0] == 1
    with pytest.raises(AssertionError):
        D.TensorDataset(X, X[1:])
    with pytest.raises(ValueError):
        D.DataLoader(Stream(), shuffle=True)


def test_collate_keeps_named_tuples_and_refuses_others():
    Pair = collections.namedtuple("Pair", "x y")
    made = D.default_collate([Pair(1, 2.0), Pair(3, 4.0)])
    assert type(made) is Pair and made.x.tolist() == [1, 3]
    with pytest.raises(TypeError):
        D.default_collate([object()])
    with pytest.raises(RuntimeError):
        D.default_collate([[1], [1, 2]])
