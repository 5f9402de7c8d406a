"""Statistics of a table of numbers."""
import torch

torch.manual_seed(3)
x = torch.randn(6, 4, dtype=torch.float64)
print(x)
print("mean", x.mean(), x.mean(0), x.mean(dim=1, keepdim=True).shape)
print("std", x.std(), x.std(0, unbiased=False), x.var(1), torch.var_mean(x, dim=0))
print("median", x.median(), x.median(0), torch.quantile(x, torch.tensor([0.25, 0.75], dtype=torch.float64), dim=0))
print("extremes", x.max(), x.min(1).indices, x.argmax(), x.argmin(0), torch.aminmax(x), x.amax((0, 1)))
print("sums", x.sum(), x.cumsum(0)[-1], x.prod(1), x.norm(), x.logsumexp(1), torch.trapezoid(x[0]) if hasattr(torch, "trapezoid") else "")
print("counts", torch.bincount(torch.tensor([1, 1, 3])), torch.histc(x.float(), bins=4, min=-2, max=2), torch.unique(torch.tensor([3, 1, 3]), return_counts=True))
print("any", (x > 1).any(), (x > -9).all(1), torch.count_nonzero(x > 0), (x > 0).sum(0))
print("sorted", x[:, 0].sort(), torch.topk(x[0], 2), x[0].argsort(descending=True), torch.kthvalue(x[:, 1], 2))
print("cov", torch.cov(x.T), torch.corrcoef(x.T)[0])
z = (x - x.mean(0)) / x.std(0)
print("z", z.mean(0).abs().max() < 1e-12, z.std(0))
print("mode", torch.mode(torch.tensor([1, 2, 2, 3])), torch.nanmean(torch.tensor([1.0, float("nan"), 3.0])), torch.cummax(torch.tensor([1, 3, 2]), 0))
for name, value in {"mean": x.mean(), "max": x.max()}.items():
    print(f"{name:>6} = {value:8.4f} {value.item():.6e}")
