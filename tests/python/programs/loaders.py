"""An autoencoder with loaders of every kind, with and without workers."""
import numpy as np
import os
import random
import torch
import torch.nn as nn
from torch.utils.data import (DataLoader, Dataset, IterableDataset, TensorDataset, random_split, WeightedRandomSampler, Subset,
    ConcatDataset, get_worker_info, BatchSampler, SequentialSampler, RandomSampler, SubsetRandomSampler, default_collate)


class D(Dataset):

    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        i = int(i)
        g = np.random.RandomState(i)
        return {'x': torch.tensor(g.rand(12), dtype=torch.float32), 'id': i, 'name': f'n{i}', 'r': torch.rand(1).item(),
            'np': g.rand(2).astype(np.float32), 't': (i, float(i))}


class It(IterableDataset):

    def __iter__(self):
        w = get_worker_info()
        a, st = (0, 1) if w is None else (w.id, w.num_workers)
        return iter(range(a, 20, st))


def wi(i):
    np.random.seed(torch.initial_seed() % 2 ** 32)
    random.seed(i)


def main():
    torch.manual_seed(0)
    g = torch.Generator()
    g.manual_seed(0)
    tr, va = random_split(D(60), [50, 10], generator=torch.Generator().manual_seed(42))
    print(len(tr), va.indices)
    print([len(q) for q in random_split(range(11), [0.5, 0.3, 0.2])])
    ae = nn.Sequential(nn.Linear(12, 6), nn.ReLU(), nn.Linear(6, 12))
    opt = torch.optim.Adam(ae.parameters(), 0.01)
    crit = nn.MSELoss()
    for w in (0, 2):
        L = DataLoader(tr, batch_size=8, shuffle=True, num_workers=w, worker_init_fn=wi, generator=g, persistent_workers=w > 0,
            prefetch_factor=2 if w else None)
        for ep in range(2):
            for b in L:
                l = crit(ae(b['x']), b['x'])
                opt.zero_grad()
                l.backward()
                opt.step()
            print(w, ep, '%.6f' % l.item(), b['id'].tolist(), b['name'], [type(v).__name__ for v in b.values()], b['t'], b['r'],
                b['np'].shape)
    for w in (0, 2):
        print(sorted((int(v) for b in DataLoader(It(), batch_size=3, num_workers=w) for v in b)), [b.tolist() for b in DataLoader(It(),
            batch_size=3, num_workers=w)])
    print([b.tolist() for b in DataLoader(torch.arange(10), batch_sampler=BatchSampler(SequentialSampler(range(10)), 4, False))])
    print([b for b in DataLoader(list(range(10)), sampler=WeightedRandomSampler([0.1, 0.9, 0.4, 0.7, 3.0, 0.6], 8, replacement=True),
        batch_size=4)])
    print([b for b in DataLoader(list(range(6)), batch_size=None)])
    print([b for b in DataLoader(TensorDataset(torch.arange(7), torch.arange(7) * 2), batch_size=3, shuffle=True)])
    print(list(RandomSampler(range(5), replacement=True, num_samples=7)), list(SubsetRandomSampler([3, 1, 4, 1])))
    print(len(ConcatDataset([D(3), D(4)])), Subset(range(10), [2, 3])[1])
    L = DataLoader(D(4), batch_size=2, collate_fn=lambda b: [q['id'] for q in b])
    print(list(L))
    print(default_collate([{'a': 1, 'b': [1, 2]}, {'a': 2, 'b': [3, 4]}]))

    class Bad(Dataset):

        def __len__(self):
            return 4

        def __getitem__(self, i):
            if i == 2:
                raise KeyError('broken item')
            return i
    try:
        list(DataLoader(Bad(), num_workers=1))
    except KeyError as e:
        print('KeyError', 'broken item' in str(e), 'worker process 0' in str(e))
    print(len(DataLoader(D(10), batch_size=3, drop_last=True)), DataLoader(D(3)).batch_size)


if __name__ == '__main__':
    main()
