"""A neural differential equation, through the solver and by its adjoint."""
import torch
import torch.nn as nn
torch.manual_seed(0)
torch.set_default_dtype(torch.float64)
y0 = torch.tensor([[2.0, 0.0]])
t = torch.linspace(0.0, 25.0, 200)
A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])


def rk4(f, t, dt, y):
    k1 = f(t, y)
    k2 = f(t + dt / 3, y + dt * k1 / 3)
    k3 = f(t + dt * 2 / 3, y + dt * (k2 - k1 / 3))
    k4 = f(t + dt, y + dt * (k1 - k2 + k3))
    return (k1 + 3 * (k2 + k3) + k4) * dt * 0.125


def odeint(f, y, t):
    s = [y]
    for a, b in zip(t[:-1], t[1:]):
        y = y + rk4(f, a, b - a, y)
        s.append(y)
    return torch.stack(s)


with torch.no_grad():
    true = odeint(lambda t, y: torch.mm(y ** 3, A), y0, t)
print(true[-1])


class F(nn.Module):

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 50), nn.Tanh(), nn.Linear(50, 2))
        for m in self.net.modules():
            if isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, mean=0, std=0.1)
                nn.init.constant_(m.bias, val=0)

    def forward(self, t, y):
        return self.net(y ** 3)


class Adj(torch.autograd.Function):

    @staticmethod
    def forward(ctx, f, y, t, *p):
        with torch.no_grad():
            ys = odeint(f, y, t)
        ctx.f = f
        ctx.save_for_backward(t, ys, *p)
        return ys

    @staticmethod
    def backward(ctx, g):
        t, ys, *p = ctx.saved_tensors
        f = ctx.f
        a = g[-1]
        gp = [torch.zeros_like(q) for q in p]
        for i in range(len(t) - 1, 0, -1):

            def dyn(tt, st):
                y, ad = (st[0], st[1])
                with torch.enable_grad():
                    y = y.detach().requires_grad_(True)
                    o = f(tt, y)
                    v = torch.autograd.grad(o, (y, *p), -ad, allow_unused=True)
                return (o.detach(), v[0], v[1:])
            dt = t[i - 1] - t[i]
            o, va, vp = dyn(t[i], (ys[i], a))
            a = a + dt * va + g[i - 1]
            gp = [q + dt * w for q, w in zip(gp, vp)]
        return (None, a, None, *gp)


f = F()
opt = torch.optim.RMSprop(f.parameters(), lr=0.001)
for it in range(12):
    s = torch.from_numpy(__import__('numpy').random.RandomState(it).choice(190, 8, replace=False))
    by = true[s]
    bt = t[:10]
    tr = torch.stack([true[s + i] for i in range(10)], dim=0)
    opt.zero_grad()
    pr = odeint(f, by, bt) if it % 2 else Adj.apply(f, by, bt, *f.parameters())
    loss = torch.mean(torch.abs(pr - tr))
    loss.backward()
    opt.step()
    print('%.7f' % loss.item())
