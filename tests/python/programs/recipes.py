"""Small recipes: a sieve, the game of life, Mandelbrot's set, a Fourier transform by hand, a moving average, a regression."""
import math

import torch

n = 60
sieve = torch.ones(n, dtype=torch.bool)
sieve[:2] = False
for p in range(2, int(math.isqrt(n)) + 1):
    if sieve[p]:
        sieve[p * p::p] = False
print("primes", sieve.nonzero().flatten().tolist(), sieve.sum().item(), torch.arange(n)[sieve][-3:])

board = torch.zeros(6, 8, dtype=torch.uint8)
board[1, 2] = board[2, 3] = 1
board[3, 1:4] = 1
for step in range(4):
    neighbours = sum(torch.roll(board, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
    board = ((neighbours == 3) | ((board == 1) & (neighbours == 2))).to(torch.uint8)
print("\n".join("".join(".#"[cell] for cell in row) for row in board), board.sum())

re, im = torch.linspace(-2, 1, 31), torch.linspace(-1, 1, 9)
c = torch.complex(re[None, :].expand(9, 31).contiguous(), im[:, None].expand(9, 31).contiguous())
z, count = torch.zeros_like(c), torch.zeros(c.shape, dtype=torch.int32)
for _ in range(20):
    inside = z.abs() <= 2
    z = torch.where(inside, z * z + c, z)
    count += inside
for row in count:
    print("".join(" .:-=+*#%@"[min(v // 2, 9)] for v in row.tolist()))

t = torch.arange(8, dtype=torch.float64)
signal = torch.sin(2 * math.pi * t / 8) + 0.5 * torch.cos(2 * math.pi * 2 * t / 8)
k = t[:, None] * t[None, :]
spectrum = (signal * torch.exp(-2j * math.pi * k / 8)).sum(1)
print(spectrum.abs().round(decimals=6), spectrum.dtype, spectrum.real.argmax(), torch.view_as_real(spectrum).shape)

x = torch.tensor([3.0, 1, 4, 1, 5, 9, 2, 6])
print(x.unfold(0, 3, 1).mean(1), x.cumsum(0) / torch.arange(1, 9), x.diff(), (x[1:] > x[:-1]).int())
print(torch.nn.functional.pad(x, (1, 1)), torch.nn.functional.one_hot(torch.tensor([0, 2, 1])), x.view(2, 4).T.flatten())

torch.manual_seed(7)
features = torch.randn(50, 3)
truth = torch.tensor([1.5, -2.0, 0.5])
target = (features * truth).sum(1) + 0.25 + 0.01 * torch.randn(50)
weight, bias, rate = torch.zeros(3), torch.zeros(()), 0.1
for epoch in range(101):
    error = (features * weight).sum(1) + bias - target
    loss = (error**2).mean()
    weight -= rate * 2 * (error[:, None] * features).mean(0)
    bias -= rate * 2 * error.mean()
    if epoch % 25 == 0:
        print(f"epoch {epoch:3d}  loss {loss:.4f}  weight {[round(w, 2) for w in weight.tolist()]}  bias {bias:.2f}")
print((weight - truth).abs().max() < 0.02, weight.dtype, bias.shape)

words = [len(w) for w in "it is to tensors what a small library is to a large one".split()]
lengths, counts = torch.tensor(words).unique(return_counts=True)
for length, number in zip(lengths, counts):
    print(f"{length:>2} {'#' * number.item():<5} {number / len(words):6.1%}")
with torch.no_grad():
    table = torch.stack([torch.arange(1, 5) * i for i in range(1, 5)])
    print(table, table.diagonal(), table.triu().sum(), table.float().std(0), table.max(0), table % 3 == 0, sep="\n")
print(torch.cuda.is_available(), torch.device("cuda" if torch.cuda.is_available() else "cpu"), torch.tensor([1, 2]).numpy(), x.numpy().dtype)
