"""Attention of several heads by hand, with what there is: products as sums of broadcast products."""
import math

import torch


def matmul(a, b):  # (..., n, k) and (..., k, m)
    return (a.unsqueeze(-1) * b.unsqueeze(-3)).sum(-2)


torch.manual_seed(0)
batch, time, heads, size = 2, 4, 2, 3
x = torch.randn(batch, time, heads * size)
weights = [torch.randn(heads * size, heads * size) / math.sqrt(heads * size) for _ in range(4)]
q, k, v = (matmul(x, w).view(batch, time, heads, size).transpose(1, 2) for w in weights[:3])
print(q.shape, q.stride(), q.is_contiguous(), q._base is not None)
scores = matmul(q, k.transpose(-2, -1)) / math.sqrt(size)
mask = torch.triu(torch.ones(time, time, dtype=torch.bool), diagonal=1)
scores = scores.masked_fill(mask, float("-inf"))
p = torch.softmax(scores, dim=-1)
print(p[0, 0])
print(p.sum(-1).allclose(torch.ones(())), p[..., 0, 1:].abs().max())
y = matmul(p, v).transpose(1, 2).reshape(batch, time, heads * size)
out = matmul(y, weights[3])
print(out)
print(out.mean(), out.std(), out.shape, out.argmax(-1))
print(torch.log_softmax(out[0, 0], 0), torch.sigmoid(out[0, 0]), torch.relu(out[0, 0]), torch.tanh(out[0, 0]))
mean, var = out.mean(-1, keepdim=True), out.var(-1, unbiased=False, keepdim=True)
print(((out - mean) / torch.sqrt(var + 1e-5))[0])
