"""k-means."""
import torch

torch.manual_seed(1)
centres = torch.tensor([[0.0, 0.0], [5.0, 5.0], [0.0, 5.0]])
points = torch.cat([c + torch.randn(20, 2) * 0.5 for c in centres])
points = points[torch.randperm(len(points))]
guess = points[:3].clone()
for step in range(20):
    distance = ((points[:, None] - guess[None]) ** 2).sum(-1).sqrt()
    assert torch.allclose(distance, torch.cdist(points, guess), atol=1e-4)
    label = distance.argmin(1)
    new = torch.stack([points[label == k].mean(0) for k in range(3)])
    print(f"step {step}: moved {(new - guess).abs().max().item():.4f}, sizes {torch.bincount(label, minlength=3).tolist()}")
    if torch.equal(new, guess):
        break
    guess = new
order = guess.sum(1).argsort()
print(guess[order].round(decimals=2))
print(label[:10], distance.gather(1, label[:, None]).mean())
table = torch.zeros(3, 2)
table.index_add_(0, label, points)
print(torch.allclose(table / torch.bincount(label)[:, None], guess, atol=1e-5))
