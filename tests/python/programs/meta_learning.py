"""Meta-learning through inner steps, and torch.func."""
from collections import OrderedDict
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap, jacrev, jacfwd, hessian, vjp, jvp, stack_module_state, grad_and_value
from torch.autograd.functional import jacobian, hessian as H2, vjp as v2, hvp, vhp, jvp as j2
torch.manual_seed(0)
torch.set_default_dtype(torch.float64)
net = nn.Sequential(OrderedDict([('a', nn.Linear(1, 20)), ('r', nn.Tanh()), ('b', nn.Linear(20, 1))]))
meta = torch.optim.Adam(net.parameters(), lr=0.01)


def task():
    A = torch.rand(1) * 4 + 0.1
    ph = torch.rand(1) * 3.14
    return lambda x: A * torch.sin(x + ph)


for it in range(6):
    meta.zero_grad()
    tot = 0
    for k in range(3):
        f = task()
        xs = torch.rand(10, 1) * 10 - 5
        xq = torch.rand(10, 1) * 10 - 5
        fast = {n: p for n, p in net.named_parameters()}
        for st in range(2):
            l = F.mse_loss(functional_call(net, fast, (xs,)), f(xs))
            g = torch.autograd.grad(l, fast.values(), create_graph=True)
            fast = {n: p - 0.01 * q for (n, p), q in zip(fast.items(), g)}
        tot = tot + F.mse_loss(functional_call(net, fast, xq), f(xq))
    tot.backward()
    meta.step()
    print('%.7f' % tot)
par = dict(net.named_parameters())
bufs = dict(net.named_buffers())


def loss1(p, b, x, y):
    return F.mse_loss(functional_call(net, (p, b), (x.unsqueeze(0),)), y.unsqueeze(0))


X = torch.randn(5, 1)
Y = torch.randn(5, 1)
psg = vmap(grad(loss1), in_dims=(None, None, 0, 0))({k: v.detach() for k, v in par.items()}, bufs, X, Y)
print({k: (tuple(v.shape), '%.7f' % v.sum().item()) for k, v in psg.items()})
fn = lambda x: torch.stack([x[0] * x[1].sin(), x[0] ** 2 * x[2], x.prod()])
x0 = torch.tensor([1.0, 2.0, 3.0])
print(jacrev(fn)(x0))
print(jacfwd(fn)(x0))
print(hessian(lambda x: (x ** 3).sum() * x[0])(x0))
o, vf = vjp(fn, x0)
print(o, vf(torch.ones(3)))
print(jvp(fn, (x0,), (torch.ones(3),)))
ms = [nn.Linear(2, 3) for _ in range(4)]
ps, bs = stack_module_state(ms)
base = copy.deepcopy(ms[0]).to('meta')
print(vmap(lambda p, b, x: functional_call(base, (p, b), (x,)), in_dims=(0, 0, None))(ps, bs, torch.ones(1, 2)).sum())
print(vmap(torch.dot)(torch.randn(3, 4), torch.randn(3, 4)), vmap(vmap(lambda a, b: a * b, in_dims=(None, 0)), in_dims=(0,
    None))(torch.arange(3.0), torch.arange(2.0)))
print(grad_and_value(lambda a: (a * a).sum())(x0))
print(vmap(lambda x: x.cumsum(0), in_dims=1, out_dims=1)(torch.arange(6.0).reshape(2, 3)))
print(jacobian(fn, x0), H2(lambda x: x.pow(3).sum(), x0), hvp(lambda x: x.pow(3).sum(), x0, torch.ones(3)), j2(fn, x0, torch.ones(3)))
print(vmap(lambda x: torch.randn(2) + x, randomness='different')(torch.zeros(3, 2)).shape, vmap(lambda x: F.dropout(x),
    randomness='same')(torch.ones(3, 4)))
