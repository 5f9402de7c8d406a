"""Normalising flows, transformed distributions and bijections."""
import math
import torch
from torch import nn, distributions as D
import torch.distributions.transforms as TT
torch.manual_seed(0)
torch.set_default_dtype(torch.float64)


class RealNVP(nn.Module):

    def __init__(self, nets, nett, mask, prior):
        super().__init__()
        self.prior = prior
        self.mask = nn.Parameter(mask, requires_grad=False)
        self.t = torch.nn.ModuleList([nett() for _ in range(len(mask))])
        self.s = torch.nn.ModuleList([nets() for _ in range(len(mask))])

    def g(self, z):
        x = z
        for i in range(len(self.t)):
            x_ = x * self.mask[i]
            a = self.s[i](x_) * (1 - self.mask[i])
            b = self.t[i](x_) * (1 - self.mask[i])
            x = x_ + (1 - self.mask[i]) * (x * torch.exp(a) + b)
        return x

    def f(self, x):
        ld, z = (x.new_zeros(x.shape[0]), x)
        for i in reversed(range(len(self.t))):
            z_ = self.mask[i] * z
            a = self.s[i](z_) * (1 - self.mask[i])
            b = self.t[i](z_) * (1 - self.mask[i])
            z = (1 - self.mask[i]) * (z - b) * torch.exp(-a) + z_
            ld -= a.sum(dim=1)
        return (z, ld)

    def log_prob(self, x):
        z, l = self.f(x)
        return self.prior.log_prob(z) + l

    def sample(self, n):
        return self.g(self.prior.sample((n, 1)).squeeze(1))


ns = lambda: nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(), nn.Linear(32, 32), nn.LeakyReLU(), nn.Linear(32, 2), nn.Tanh())
nt = lambda: nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(), nn.Linear(32, 2))
flow = RealNVP(ns, nt, torch.tensor([[0, 1], [1, 0]] * 3).to(torch.float64), D.MultivariateNormal(torch.zeros(2), torch.eye(2)))
opt = torch.optim.Adam([p for p in flow.parameters() if p.requires_grad == True], lr=0.001)
mix = D.MixtureSameFamily(D.Categorical(torch.ones(3)), D.Independent(D.Normal(torch.randn(3, 2), 0.3 * torch.ones(3, 2)), 1))
for i in range(10):
    x = mix.sample((64,))
    loss = -flow.log_prob(x).mean()
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    print('%.7f' % loss.item())
print(flow.sample(3))
base = D.Normal(torch.zeros(3), torch.ones(3))
sc = torch.ones(3, requires_grad=True)
td = D.TransformedDistribution(base, [TT.AffineTransform(torch.arange(3.0), sc), TT.SigmoidTransform(), TT.AffineTransform(loc=-1.0,
    scale=2.0), TT.TanhTransform(cache_size=1)])
v = td.rsample((4,))
print(v)
l = td.log_prob(v).sum()
l.backward()
print(l, sc.grad)
st = TT.StickBreakingTransform()
y = st(torch.randn(2, 3))
print(y.sum(-1), st.inv(y), st.log_abs_det_jacobian(torch.zeros(3), st(torch.zeros(3))))
print(D.biject_to(D.constraints.positive)(torch.tensor(1.0)), D.transform_to(D.constraints.simplex)(torch.ones(3)),
    D.transform_to(D.constraints.lower_cholesky)(torch.ones(2, 2)))


class Planar(nn.Module):

    def __init__(self, d):
        super().__init__()
        self.u = nn.Parameter(torch.Tensor(1, d))
        self.w = nn.Parameter(torch.Tensor(1, d))
        self.b = nn.Parameter(torch.Tensor(1))
        [p.data.uniform_(-0.01, 0.01) for p in self.parameters()]

    def forward(self, z):
        a = nn.functional.linear(z, self.w, self.b)
        zn = z + self.u * torch.tanh(a)
        psi = (1 - torch.tanh(a) ** 2) * self.w
        return (zn, torch.log(torch.abs(1 + psi @ self.u.t()) + 0.0001))


ps = nn.ModuleList((Planar(2) for _ in range(4)))
o = torch.optim.RMSprop(ps.parameters(), lr=0.01)
for i in range(5):
    z = torch.empty(32, 2).normal_()
    ld = 0
    for p in ps:
        z, d = p(z)
        ld = ld + d
    loss = (0.5 * ((z.norm(dim=1) - 2) / 0.4) ** 2).mean() - ld.mean()
    o.zero_grad()
    loss.backward()
    o.step()
    print('%.7f' % loss)
