"""A mixture density network."""
import math
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical, Normal, MixtureSameFamily, OneHotCategorical
torch.manual_seed(0)
torch.set_default_dtype(torch.float64)


class MDN(nn.Module):

    def __init__(self, i, o, k):
        super().__init__()
        self.k = k
        self.o = o
        self.pi = nn.Sequential(nn.Linear(i, 16), nn.ELU(), nn.Linear(16, k))
        self.n = nn.Sequential(nn.Linear(i, 16), nn.ELU(), nn.Linear(16, 2 * o * k))

    def forward(self, x):
        pi = OneHotCategorical(logits=self.pi(x))
        mu, sd = torch.split(self.n(x), self.k * self.o, dim=1)
        mu = torch.stack(mu.split(mu.shape[1] // self.k, 1))
        sd = torch.stack(sd.split(sd.shape[1] // self.k, 1))
        return (pi, Normal(mu.transpose(0, 1), F.elu(sd).transpose(0, 1) + 1 + 1e-07))


m = MDN(1, 1, 4)
opt = torch.optim.Adam(m.parameters(), lr=0.01)
x = torch.linspace(-1, 1, 64)[:, None]
y = x + 0.3 * torch.sin(2 * math.pi * x) + 0.05 * torch.randn(64, 1)
for i in range(15):
    pi, n = m(y)
    lp = n.log_prob(x.unsqueeze(1).expand_as(n.loc)).sum(2)
    loss = -torch.logsumexp(torch.log(pi.probs) + lp, dim=1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print('%.7f' % loss)
pi, n = m(y)
s = torch.sum(pi.sample().unsqueeze(2) * n.sample(), dim=1)
print(s[:5, 0])
mx = MixtureSameFamily(Categorical(logits=m.pi(y)), Normal(n.loc[..., 0], n.scale[..., 0]))
print(mx.log_prob(x[:, 0]).mean(), mx.mean[:3], mx.variance[:3], mx.cdf(x[:, 0])[:3], mx.sample((2,))[:, :3])
print(mx, Normal(0.0, 1.0), Categorical(logits=torch.zeros(3)))
nl = nn.GaussianNLLLoss(full=True)
print(nl(n.loc[:, 0], x, n.variance[:, 0]))
