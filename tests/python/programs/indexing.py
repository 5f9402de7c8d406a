"""Indexing and assignment."""
import torch

x = torch.arange(60).reshape(3, 4, 5)
print(x[0], x[-1, 2], x[1, 2, 3], x[..., 0], x[:, None, 1].shape, x[None].shape)
print(x[:, 1:3, ::2], x[2, :, -2:])
print(x[[0, 2]][:, [1, 3], [0, 4]], x[torch.tensor([2, 0]), 1])
print(x[x % 7 == 0], x[:, torch.tensor([True, False, True, False])].shape)
print(x[torch.tensor([[0], [2]]), torch.tensor([1, 3])].shape, x[0, [1, 2], :, None].shape)
y = torch.zeros(4, 4)
y[1] = 2
y[:, 2] = torch.tensor([1.0, 2.0, 3.0, 4.0])
y[[0, 3], [0, 3]] = 9
y[y == 2] = -1
y[..., -1:] += 10
y[2:, :2] = torch.ones(2, 2) * 7
y[0, 0] = True
print(y)
rows = torch.tensor([0, 0, 1])
z = torch.zeros(3)
z[rows] += 1
print(z, z.index_add(0, rows, torch.ones(3)), torch.zeros(3).scatter_(0, torch.tensor([2, 0]), torch.tensor([5.0, 6.0])))
print(torch.gather(torch.tensor([[1, 2], [3, 4]]), 1, torch.tensor([[0, 0], [1, 0]])))
print(torch.where(x[0] > 10, x[0], torch.tensor(-1)), torch.nonzero(torch.tensor([0, 3, 0, 4])), torch.argwhere(x[0] == 7))
print(torch.take(x, torch.tensor([0, 59])), x.index_select(1, torch.tensor([3, 0]))[0], torch.masked_select(x, x > 56))
print(x.unbind(0)[1][0], [len(part) for part in torch.arange(10).split(4)], torch.arange(10).chunk(3), torch.cat([x[0], x[1]]).shape)
for row in torch.arange(4).reshape(2, 2):
    print(row, row.tolist(), [int(v) for v in row], len(row))
print(3 in x, 100 in x, bool(torch.tensor([1])), int(torch.tensor([4])), float(torch.tensor(2)), [10, 20, 30][torch.tensor(1)], list(range(torch.tensor(3))))
print(torch.stack([torch.ones(2), torch.zeros(2)], 1), torch.triu(torch.ones(3, 3)), torch.diag(torch.tensor([1, 2])), torch.roll(torch.arange(5), 2))
errors = {
    IndexError: [lambda: x[3], lambda: x[0, 0, 0, 0], lambda: x[1.5], lambda: x[torch.tensor([5])], lambda: x[[True]], lambda: x.sum(5),
                 lambda: [][x[0, 0, 0]], lambda: x[torch.tensor([0.5])], lambda: x.transpose(0, 3)],
    TypeError: [lambda: x["a"], lambda: len(torch.tensor(1)), lambda: iter(torch.tensor(1)), lambda: torch.tensor([1, [2]]),
                lambda: torch.tensor("a"), lambda: torch.empty(2, dtype="float"), lambda: x + "a", lambda: x.sum("a")],
    RuntimeError: [lambda: bool(x), lambda: x.view(7), lambda: x + torch.ones(7), lambda: torch.cat([x, torch.ones(2)]),
                   lambda: torch.zeros(-1), lambda: torch.ones(2).item(), lambda: x.reshape(-1, 7), lambda: torch.arange(0, 5, -1),
                   lambda: x.expand(2, 2), lambda: torch.ones(2).to("nowhere"), lambda: torch.tensor([1.0]).gather(0, torch.tensor([5])),
                   lambda: torch.tensor(None), lambda: torch.tensor([1]) // 0],
    ValueError: [lambda: int(x), lambda: torch.tensor([[1, 2], [3]]), lambda: torch.tensor(2**63), lambda: torch.tensor(2**70)],
    AttributeError: [lambda: x.no_such_name],
    NotImplementedError: [lambda: torch.tensor([1.0]) & 1, lambda: torch.softmax(x, 0)],
}
for kind, calls in errors.items():
    for number, call in enumerate(calls):
        try:
            print("no error", kind, number, call())
        except kind:
            print(kind.__name__, number)
        except Exception as error:
            print("another", kind.__name__, number, type(error).__name__)
