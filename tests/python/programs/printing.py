"""Tensors of every kind, printed."""
import torch

print(torch.arange(24).reshape(2, 3, 4))
print(torch.linspace(0, 1, 5))
print(torch.tensor([1e-8, 1.0, 1e8]), torch.tensor([1e-3, 2.5]), torch.tensor([float("nan"), float("inf"), -float("inf"), 1.0]))
print(torch.tensor([True, False]), torch.tensor(3), torch.tensor(2.5), torch.tensor([]), torch.zeros(0, 3), torch.empty(2, 0, 3))
print(torch.tensor([1 + 2j, -0.5j]), torch.tensor([1, 2], dtype=torch.complex128))
for dtype in (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float64, torch.bool):
    print(torch.tensor([[0, 1], [1, 1]]).to(dtype))
print(torch.arange(2000.0))
print(torch.arange(10000).reshape(100, 100))
print(torch.ones(3, 50))
print(torch.tensor([[0.1, 100000.0], [3.0, 4.0]]))
print(torch.tensor([12345678.0, 1.0]), torch.tensor([0.00001]), torch.tensor([123456.0]))
x = torch.tensor([[1.23456789, -2.0], [1000.5, 0.001]], dtype=torch.float64)
for options in ({"precision": 2}, {"precision": 8}, {"sci_mode": True}, {"sci_mode": False, "precision": 3}, {"linewidth": 20}):
    torch.set_printoptions(**options)
    print(options, x, sep="\n")
    torch.set_printoptions(profile="default", sci_mode=None)
torch.set_printoptions(threshold=5, edgeitems=2)
print(torch.arange(40).reshape(4, 10))
torch.set_printoptions(profile="default")
print(x.shape, x.dtype, x.device, x.size(), x.stride(), x.is_contiguous(), x.T.is_contiguous(), torch.strided, torch.channels_last)
print(repr(x[0, 0]), str(x[0, 0]), f"{x[0, 0]}", f"{x[0, 0]:.2f}", f"{torch.tensor(7):04d}", f"{x[1]}", "%.3f" % x[1, 0], "%d" % torch.tensor(3))
print(torch.Size([2, 3]), torch.Size([2, 3]).numel(), torch.Size([2]) + torch.Size([3]), torch.Size([1, 2, 3])[1:], torch.Size([2]) * 2)
print(torch.finfo(torch.float32).eps, torch.iinfo(torch.int8).max, torch.finfo(torch.bfloat16))
print(torch.max(torch.tensor([[1, 5], [7, 2]]), dim=1), torch.tensor([3, 1]).sort())
print([torch.tensor(1.5), torch.ones(2)], {"a": torch.zeros(1)}, (torch.tensor(True),))
