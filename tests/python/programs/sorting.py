"""Sorting, searching, joining."""
import torch

x = torch.tensor([[3, 1, 2], [9, 7, 8], [4, 6, 5]])
print(x.sort(), x.sort(0, descending=True).values, x.argsort(1))
values, indices = torch.sort(torch.tensor([2.5, float("nan"), -1.0, 2.5, 0.0]), stable=True)
print(values, indices, torch.gather(torch.tensor([2.5, float("nan"), -1.0, 2.5, 0.0]), 0, indices))
print(torch.topk(torch.tensor([5, 1, 4, 2]), 2), torch.topk(x, 1, dim=0, largest=False), torch.kthvalue(x, 2))
edges = torch.tensor([1.0, 3.0, 5.0])
print(torch.searchsorted(edges, torch.tensor([0.0, 3.0, 9.0])), torch.bucketize(torch.tensor([3.0]), edges, right=True))
print(torch.unique(torch.tensor([4, 1, 4, 2]), return_inverse=True, return_counts=True), torch.unique_consecutive(torch.tensor([1, 1, 2, 1])))
print(torch.isin(torch.tensor([1, 2, 3]), torch.tensor([2, 5])), torch.flip(x, [0]), x.rot90(), x.tile(1, 2), x.repeat(2, 1).shape, x.repeat_interleave(2, 0)[:, 0])
print(torch.vstack([x, x[:1]]).shape, torch.hstack([x, x]).shape, torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij"))
print(torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4])), torch.combinations(torch.tensor([1, 2, 3])))
print(torch.einsum("ij->ji", x) if hasattr(torch, "einsum") and False else x.T, torch.cumsum(x, 1), torch.cumprod(x, 0), torch.diff(x))
words = "the quick brown fox jumps over the lazy dog the end".split()
names = sorted(set(words))
codes = torch.tensor([names.index(word) for word in words])
count = torch.bincount(codes)
for i in count.argsort(descending=True, stable=True)[:3]:
    print(f"{names[i]:<8}{count[i]:3d} {'*' * count[i]}")
