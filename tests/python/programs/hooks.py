"""Hooks, parametrizations, pruning and the inside of modules."""
import copy
import pickle
import torch
import torch.nn as nn
from torch.nn.utils import (weight_norm, spectral_norm, remove_weight_norm, parametrize, parametrizations as P, prune, vector_to_parameters,
    parameters_to_vector, fuse_conv_bn_eval)
torch.manual_seed(0)
torch.set_default_dtype(torch.float64)
net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
acts = {}
hs = [m.register_forward_hook(lambda m, i, o, n=n: acts.__setitem__(n, o.detach())) for n, m in net.named_modules() if n]
h2 = net[0].register_full_backward_hook(lambda m, gi, go: print('bw', [None if g is None else round(g.sum().item(), 8) for g in gi],
    [round(g.sum().item(), 8) for g in go]))
h3 = net.register_forward_pre_hook(lambda m, a: (a[0] * 2,))
net[2].register_full_backward_pre_hook(lambda m, go: (go[0] * 0.5,))
x = torch.randn(5, 3, requires_grad=True)
o = net(x)
o.register_hook(lambda g: g * 3)
net[0].weight.register_hook(lambda g: g.clamp(-1, 1))
net[0].bias.register_post_accumulate_grad_hook(lambda p: print('acc', round(p.grad.sum().item(), 8)))
o.sum().backward()
print({k: round(v.sum().item(), 8) for k, v in acts.items()}, x.grad.sum(), net[0].weight.grad)
[h.remove() for h in hs]
h2.remove()
h3.remove()


def kw(m, a, k):
    k['y'] = k.get('y', 0) + 1
    return (a, k)


class K(nn.Module):

    def forward(self, x, y=0):
        return x + y


k = K()
k.register_forward_pre_hook(kw, with_kwargs=True)
k.register_forward_hook(lambda m, a, k, o: o * 10, with_kwargs=True)
print(k(torch.ones(1), y=2))
l = weight_norm(nn.Linear(3, 2), name='weight')
print(l.weight_g.shape, [n for n, _ in l.named_parameters()])
l(torch.ones(1, 3)).sum().backward()
print(l.weight_g.grad, l.weight_v.grad)
remove_weight_norm(l)
print([n for n, _ in l.named_parameters()])
l = P.weight_norm(nn.Conv1d(2, 3, 2))
print(l, [n for n, _ in l.named_parameters()])
l = P.spectral_norm(nn.Linear(4, 3))
[l(torch.randn(2, 4)) for _ in range(3)]
print(torch.linalg.matrix_norm(l.weight, 2), l.parametrizations.weight[0]._u)
l = spectral_norm(nn.Linear(4, 3), n_power_iterations=2)
l(torch.randn(2, 4)).sum().backward()
print(l.weight_orig.grad.sum(), list(l.state_dict()))
l = P.orthogonal(nn.Linear(4, 4))
print((l.weight @ l.weight.T - torch.eye(4)).abs().max() < 1e-12)
l(torch.ones(4)).sum().backward()
print(l.parametrizations.weight.original.grad.abs().sum())


class Sym(nn.Module):

    def forward(self, X):
        return X.triu() + X.triu(1).transpose(-1, -2)

    def right_inverse(self, A):
        return A.triu()


l = nn.Linear(3, 3)
parametrize.register_parametrization(l, 'weight', Sym())
print(torch.equal(l.weight, l.weight.T), parametrize.is_parametrized(l), l)
l.weight = torch.ones(3, 3)
print(l.weight)
with parametrize.cached():
    print(l.weight is l.weight)
parametrize.remove_parametrizations(l, 'weight', leave_parametrized=True)
print(type(l.weight).__name__, type(l).__name__)
l = nn.Linear(4, 4)
prune.l1_unstructured(l, 'weight', amount=0.5)
prune.random_structured(l, 'weight', amount=0.25, dim=0)
print(l.weight_mask.sum(), prune.is_pruned(l))
prune.remove(l, 'weight')
print((l.weight == 0).sum())
prune.global_unstructured([(net[0], 'weight'), (net[2], 'weight')], pruning_method=prune.L1Unstructured, amount=5)
print([float((m.weight == 0).sum()) for m in (net[0], net[2])])
v = parameters_to_vector(net.parameters())
vector_to_parameters(v * 0 + 1, net.parameters())
print(v.shape, net[2].bias)
c, b = (nn.Conv2d(1, 2, 3).eval(), nn.BatchNorm2d(2).eval())
b.running_mean.normal_()
x = torch.randn(1, 1, 5, 5)
print(torch.allclose(fuse_conv_bn_eval(c, b)(x), b(c(x))))


class M(nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('a', torch.ones(2))
        self.register_buffer('b', torch.zeros(1), persistent=False)
        self.p = nn.ParameterList([nn.Parameter(torch.ones(1)) for _ in range(2)])
        self.d = nn.ParameterDict({'q': nn.Parameter(torch.zeros(2))})
        self.md = nn.ModuleDict({'x': nn.Linear(1, 1)})
        self.none = None
        self.register_parameter('np', None)

    def extra_repr(self):
        return 'extra=1'

    def get_extra_state(self):
        return {'v': 3}

    def set_extra_state(self, st):
        print('extra', st)


m = M()
print(m)
print(list(m.state_dict()), [n for n, _ in m.named_buffers()], [n for n, _ in m.named_parameters()], [n for n, _ in m.named_children()])
m2 = copy.deepcopy(m)
m2.load_state_dict(m.state_dict())
m3 = pickle.loads(pickle.dumps(m))
print(list(m3.state_dict()))
print(m.get_parameter('d.q'), m.get_submodule('md.x'), m.get_buffer('a'))
m.half()
print(m.a.dtype, m.md.x.weight.dtype)
m.to(torch.bfloat16)
m.double()
m.requires_grad_(False)
print(any((p.requires_grad for p in m.parameters())))
try:
    m.zz
except AttributeError as e:
    print(e)
try:
    m.a = 3
except TypeError as e:
    print('TypeError')


class Exp(torch.autograd.Function):

    @staticmethod
    def forward(ctx, i):
        r = i.exp()
        ctx.save_for_backward(r)
        ctx.mark_non_differentiable()
        ctx.k = 2
        return r

    @staticmethod
    def backward(ctx, g):
        r, = ctx.saved_tensors
        return g * r * ctx.k


y = torch.ones(2, requires_grad=True)
Exp.apply(y).sum().backward()
print(y.grad, torch.autograd.gradcheck(lambda t: t.sin() * t, (torch.randn(3, requires_grad=True),)),
    torch.autograd.gradgradcheck(lambda t: t.sin() * t, (torch.randn(3, requires_grad=True),)))
print(nn.LazyLinear(4))
ll = nn.Sequential(nn.LazyConv2d(4, 3), nn.LazyBatchNorm2d(), nn.Flatten(), nn.LazyLinear(2))
print(ll(torch.ones(2, 3, 5, 5)).shape)
print(ll)
