"""Every schedule and optimiser of torch.optim, averages of weights, and what they keep."""
import copy
import math
import torch
import torch.nn as nn
from torch.optim import lr_scheduler as S
from torch.optim.swa_utils import AveragedModel, SWALR, update_bn, get_ema_multi_avg_fn, get_ema_avg_fn
torch.manual_seed(0)


def mk(lr=0.1):
    p = [torch.nn.Parameter(torch.ones(2)), torch.nn.Parameter(torch.ones(1))]
    return torch.optim.SGD([{'params': p[:1]}, {'params': p[1:], 'lr': lr / 2}], lr=lr, momentum=0.9)


F = {'step': lambda o: S.StepLR(o, 3, 0.5), 'multi': lambda o: S.MultiStepLR(o, [2, 5], 0.1), 'exp': lambda o: S.ExponentialLR(o, 0.9),
    'cos': lambda o: S.CosineAnnealingLR(o, 6, 0.01), 'wr': lambda o: S.CosineAnnealingWarmRestarts(o, 3, 2, 0.001),
    'lam': lambda o: S.LambdaLR(o, [lambda e: 0.9 ** e, lambda e: 1 / (1 + e)]), 'mul': lambda o: S.MultiplicativeLR(o, lambda e: 0.8),
    'const': lambda o: S.ConstantLR(o, 0.3, 4), 'lin': lambda o: S.LinearLR(o, 0.2, 1.0, 5), 'poly': lambda o: S.PolynomialLR(o, 8, 2.0),
    'cyc': lambda o: S.CyclicLR(o, 0.01, 0.2, 3, mode='triangular2'), 'cyce': lambda o: S.CyclicLR(o, 0.01, 0.2, 3, mode='exp_range',
    gamma=0.9, cycle_momentum=False), 'one': lambda o: S.OneCycleLR(o, 0.5, total_steps=12, three_phase=True),
    'onel': lambda o: S.OneCycleLR(o, [0.5, 0.3], epochs=3, steps_per_epoch=4, anneal_strategy='linear'), 'seq': lambda o: S.SequentialLR(o,
    [S.LinearLR(o, 0.1, total_iters=3), S.CosineAnnealingLR(o, 8)], milestones=[3]), 'chain': lambda o: S.ChainedScheduler([S.ConstantLR(o,
    0.1, 2), S.ExponentialLR(o, 0.9)]), 'swa': lambda o: SWALR(o, 0.05, 4, 'cos')}
for k, f in F.items():
    o = mk()
    s = f(o)
    r = []
    for i in range(11):
        r.append((round(o.param_groups[0]['lr'], 9), round(o.param_groups[1]['lr'], 9), round(o.param_groups[0]['momentum'], 6)))
        o.step()
        s.step()
    print(k, r, s.get_last_lr())
    sd = s.state_dict()
    print(sorted((kk for kk in sd if not kk.startswith('__'))))
    o2 = mk()
    s2 = f(o2)
    s2.load_state_dict(copy.deepcopy(sd)) if k not in ('lam', 'mul') else None
o = mk()
s = S.ReduceLROnPlateau(o, 'min', factor=0.5, patience=1, threshold=0.01, cooldown=1, min_lr=0.001)
for v in (1, 0.9, 0.95, 0.96, 0.97, 0.98, 0.5, 0.51, 0.52, 0.53):
    s.step(v)
    print(round(o.param_groups[0]['lr'], 6), s.num_bad_epochs, s.get_last_lr())
m = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 1))
swa = AveragedModel(m)
ema = AveragedModel(m, multi_avg_fn=get_ema_multi_avg_fn(0.9))
ema2 = AveragedModel(m, avg_fn=lambda a, p, n: 0.5 * a + 0.5 * p, use_buffers=True)
opt = torch.optim.Adam(m.parameters(), 0.01)
X = torch.randn(20, 3)
for i in range(6):
    l = (m(X) ** 2).mean()
    opt.zero_grad()
    l.backward()
    opt.step()
    swa.update_parameters(m)
    ema.update_parameters(m)
    ema2.update_parameters(m)
update_bn(torch.utils.data.DataLoader(X, batch_size=5), swa)
print('%.5f' % swa(X).sum(), swa.n_averaged, list(swa.state_dict()), '%.5f' % ema.module[0].weight.sum())
for name in ['SGD', 'Adam', 'AdamW', 'RMSprop', 'Adagrad', 'Adadelta', 'NAdam', 'RAdam', 'Adamax', 'ASGD', 'Rprop', 'Adafactor', 'Muon']:
    torch.manual_seed(1)
    w = torch.nn.Parameter(torch.randn(4, 3, dtype=torch.double))
    o = getattr(torch.optim, name)([w], lr=0.05)
    for i in range(10):
        o.zero_grad()
        ((w - 1) ** 4).sum().backward()
        o.step()
    print(name, '%.7f' % w.sum(), o, sorted(o.state[w]), sorted(o.state_dict()['param_groups'][0]))
