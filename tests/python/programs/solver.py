"""An adaptive Runge-Kutta solver that writes past the version counters, and gradients of its solutions, directly and by an adjoint."""
import collections
import math
import torch
import torch.nn as nn
import torch.optim as optim
State = collections.namedtuple('State', 'y1 f1 t0 t1 dt coeff')
A = [1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0]
B = [[1 / 5], [3 / 40, 9 / 40], [44 / 45, -56 / 15, 32 / 9], [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
     [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656], [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84]]
E = [35 / 384 - 1951 / 21600, 0, 500 / 1113 - 22642 / 50085, 125 / 192 - 451 / 720, -2187 / 6784 + 12231 / 42400, 11 / 84 - 649 / 6300, -1 / 60]


class Put(torch.autograd.Function):

    @staticmethod
    def forward(ctx, scratch, value, index):
        ctx.index = index
        scratch.data[index] = value
        return scratch

    @staticmethod
    def backward(ctx, grad):
        return (grad, grad[ctx.index], None)


class Stitch(torch.autograd.Function):

    @staticmethod
    def forward(ctx, x1, out):
        return out

    @staticmethod
    def backward(ctx, grad_out):
        return (grad_out, None)


def nextafter(x1, x2):
    return Stitch.apply(x1, torch.nextafter(x1, x2).detach())


def rms(x):
    return x.pow(2).mean().sqrt()


def step(func, y0, f0, t0, dt, t1):
    t0, dt, t1 = (t0.type_as(y0), dt.type_as(y0), t1.type_as(y0))
    k = torch.empty(*f0.shape, 7, dtype=y0.dtype, device=y0.device)
    k = Put.apply(k, f0, (..., 0))
    for i, (a, b) in enumerate(zip(A, B)):
        ti = nextafter(t1, torch.tensor(-math.inf, dtype=y0.dtype)) if a == 1.0 else t0 + a * dt
        yi = y0 + k[..., :i + 1].matmul(torch.tensor(b, dtype=y0.dtype) * dt).view_as(f0)
        k = Put.apply(k, func(ti, yi), (..., i + 1))
    return (yi, k[..., -1], k.matmul(dt * torch.tensor(E, dtype=y0.dtype)))


def odeint(func, y0, t, rtol=1e-06, atol=1e-08):
    rtol, atol = (torch.as_tensor(rtol, dtype=torch.float64), torch.as_tensor(atol, dtype=torch.float64))
    t = t.to(torch.float64)
    f0 = func(t[0].type_as(y0), y0)
    with torch.no_grad():
        d0, d1 = (rms(y0 / (atol + torch.abs(y0) * rtol)), rms(f0 / (atol + torch.abs(y0) * rtol)))
        dt = torch.tensor(1e-06, dtype=torch.float64) if d0 < 1e-05 or d1 < 1e-05 else (0.01 * d0 / d1).to(torch.float64)
        dt = torch.min(100 * dt, torch.max(torch.tensor(1e-06, dtype=torch.float64), dt))
    out, time = ([y0], t[0])
    y = y0
    for target in t[1:]:
        while target > time:
            h = torch.min(dt, target - time)
            y1, f1, error = step(func, y, f0, time, h, time + h)
            tolerance = atol + rtol * torch.max(y.abs(), y1.abs())
            ratio = rms(error / tolerance)
            if ratio <= 1:
                time, y, f0 = (time + h, y1, f1)
            factor = torch.max(0.9 / ratio.type_as(dt) ** torch.tensor(5.0).type_as(dt).reciprocal(), torch.tensor(0.2, dtype=torch.float64))
            factor = torch.min(torch.tensor(10.0, dtype=torch.float64), factor)
            dt = h * factor.detach()
        out.append(y)
    return torch.stack(out, dim=0)


class Adjoint(torch.autograd.Function):

    @staticmethod
    def forward(ctx, func, y0, t, *params):
        ctx.func = func
        with torch.no_grad():
            y = odeint(func, y0.detach(), t.detach())
        ctx.save_for_backward(t, y, *params)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        with torch.no_grad():
            t, y, *params = ctx.saved_tensors
            params = tuple(params)
            shapes = [y[-1].shape, y[-1].shape] + [p.shape for p in params]

            def split(flat):
                total, parts = (0, [])
                for shape in shapes:
                    parts.append(flat[total:total + shape.numel()].view((*(), *shape)))
                    total += shape.numel()
                return parts

            def dynamics(s, flat):
                yy, a, *_ = split(flat)
                with torch.enable_grad():
                    s_ = s.detach().requires_grad_(True)
                    yy = yy.detach().requires_grad_(True)
                    f = ctx.func(-s_, yy)
                    _ = [torch.as_strided(p, (), ()) for p in params]
                    vs, vy, *vp = torch.autograd.grad(f, (s_, yy) + params, -a, allow_unused=True, retain_graph=True)
                vp = [torch.zeros_like(p) if v is None else v for p, v in zip(params, vp)]
                return -torch.cat([v.reshape(-1) for v in (f, vy, *vp)])
            aug = torch.cat([y[-1].reshape(-1), grad_y[-1].reshape(-1), *[torch.zeros_like(p).reshape(-1) for p in params]])
            for i in range(len(t) - 1, 0, -1):
                aug = odeint(dynamics, aug, -t[i - 1:i + 1].flip(0))[1]
                parts = split(aug)
                parts[0], parts[1] = (y[i - 1], parts[1] + grad_y[i - 1])
                aug = torch.cat([p.reshape(-1) for p in parts])
            parts = split(aug)
        return (None, parts[1], None, *parts[2:])
torch.manual_seed(42)


class Func(nn.Module):

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2)).double()
        for m in self.net.modules():
            if isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, mean=0, std=0.1)
                nn.init.constant_(m.bias, val=0)

    def forward(self, t, y):
        return self.net(y ** 3)
true_A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]], dtype=torch.float64)
t = torch.linspace(0.0, 1.0, 6, dtype=torch.float64)
with torch.no_grad():
    true = odeint(lambda t, y: torch.mm(y ** 3, true_A), torch.tensor([[2.0, 0.0]], dtype=torch.float64), t)
print(true)
func = Func()
opt = optim.RMSprop(func.parameters(), lr=0.01)
for i in range(5):
    opt.zero_grad()
    start = torch.tensor([[2.0, 0.0]], dtype=torch.float64)
    pred = odeint(func, start, t) if i % 2 == 0 else Adjoint.apply(func, start.requires_grad_(), t, *func.parameters())
    loss = torch.mean(torch.abs(pred - true))
    loss.backward()
    opt.step()
    print(i, f'{loss.item():.9f}', [f'{p.grad.abs().sum().item():.7f}' for p in func.parameters()])
