"""Random numbers, which are PyTorch's own."""
import torch

torch.manual_seed(42)
print(torch.rand(3), torch.randn(2, 2), torch.randint(0, 10, (5,)), torch.randperm(6))
print(torch.rand(20), torch.randn(17), torch.randn(3, dtype=torch.float64))
print(torch.bernoulli(torch.tensor([0.1, 0.5, 0.9])), torch.normal(0.0, 1.0, (3,)), torch.empty(3).uniform_(-1, 1), torch.empty(2).exponential_())
g = torch.Generator().manual_seed(7)
print(torch.rand(2, generator=g), torch.randint(5, (3,), generator=g), g.initial_seed())
state = torch.get_rng_state()
a = torch.rand(3)
torch.set_rng_state(state)
print(torch.equal(a, torch.rand(3)), torch.multinomial(torch.tensor([0.2, 0.8]), 4, replacement=True), torch.rand_like(torch.zeros(2)))
inside = (torch.rand(10000, 2) ** 2).sum(1) < 1
print("pi is about", 4 * inside.float().mean())
steps = torch.randint(0, 2, (1000,)) * 2 - 1
print("walk", steps.cumsum(0)[::200], steps.sum().item())
print(torch.randn(4).softmax(0), torch.dropout(torch.ones(8), 0.5, True))
