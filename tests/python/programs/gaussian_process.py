"""A Gaussian process by Cholesky factors, fitted with LBFGS, and derivatives of decompositions."""
import math
import torch
import torch.nn as nn
torch.manual_seed(0)
torch.set_default_dtype(torch.float64)
X = torch.linspace(0, 1, 30)[:, None]
y = torch.sin(2 * math.pi * X[:, 0]) + 0.1 * torch.randn(30)
Xs = torch.linspace(-0.2, 1.2, 20)[:, None]
ls = torch.tensor(-1.0, requires_grad=True)
sf = torch.tensor(0.0, requires_grad=True)
sn = torch.tensor(-2.0, requires_grad=True)


def K(a, b):
    return sf.exp() ** 2 * torch.exp(-0.5 * torch.cdist(a, b) ** 2 / ls.exp() ** 2)


def K2(a, b):
    d = (a.unsqueeze(1) - b.unsqueeze(0)).pow(2).sum(-1)
    return (2 * sf).exp() * torch.exp(-0.5 * d * (-2 * ls).exp())


def nll():
    C = K2(X, X) + (2 * sn).exp() * torch.eye(30)
    L = torch.linalg.cholesky(C)
    a = torch.cholesky_solve(y[:, None], L)
    return 0.5 * (y[None] @ a).squeeze() + L.diagonal().log().sum() + 15 * math.log(2 * math.pi)


opt = torch.optim.LBFGS([ls, sf, sn], lr=0.5, max_iter=8, history_size=5, line_search_fn='strong_wolfe')
for i in range(4):

    def clo():
        opt.zero_grad()
        l = nll()
        l.backward()
        return l
    print('%.7f' % opt.step(clo).item(), '%.8f %.8f %.8f' % (ls, sf, sn))
o2 = torch.optim.LBFGS([ls], lr=0.1, max_iter=4)
for i in range(3):

    def clo():
        o2.zero_grad()
        l = nll()
        l.backward()
        return l
    print('%.7f' % o2.step(clo))
with torch.no_grad():
    C = K2(X, X) + (2 * sn).exp() * torch.eye(30)
    L = torch.linalg.cholesky(C)
    ks = K2(X, Xs)
    v = torch.linalg.solve_triangular(L, ks, upper=False)
    mu = ks.T @ torch.cholesky_solve(y[:, None], L)
    var = K2(Xs, Xs) - v.T @ v
    print(mu[:5, 0], var.diagonal()[:5])
    d = torch.distributions.MultivariateNormal(mu[:, 0], covariance_matrix=var + 1e-06 * torch.eye(20))
    print(d.log_prob(mu[:, 0]), d.entropy())
    print(d.sample((2,))[:, :3])
    U, S, V = torch.svd(C)
    e, _ = torch.linalg.eigh(C)
    print(S[:4], e[-4:], torch.logdet(C), torch.slogdet(C)[1], torch.linalg.cond(C[:3, :3]), torch.linalg.matrix_rank(C),
        torch.inverse(C).diagonal()[:3], torch.linalg.lstsq(C[:, :3], y).solution, torch.pinverse(C[:, :4])[0, :3], torch.linalg.norm(C),
        torch.linalg.norm(C, 2), torch.trace(C))
Ki = K2(X, X) + 0.1 * torch.eye(30)
ld = torch.linalg.slogdet(Ki).logabsdet + torch.linalg.solve(Ki, y).dot(y)
ls.grad = None
ld.backward()
print(ls.grad)
w = torch.randn(3, 3)
w = w + w.T
w.requires_grad_()
ev, evec = torch.linalg.eigh(w)
(ev * torch.arange(3.0)).sum().backward()
print(w.grad)
m = torch.randn(4, 3, requires_grad=True)
q, r = torch.linalg.qr(m)
r.abs().sum().backward()
print(m.grad)
s = torch.linalg.svdvals(m)
s.sum().backward()
print(m.grad)
print(torch.linalg.matrix_exp(w.detach()), torch.matrix_power(w.detach(), 3))
