"""Weights are pruned at random, by size, by slices, by masks, together and several times, and trained."""
import torch
import torch.nn as nn
import torch.nn.utils.prune as prune
torch.manual_seed(0)


def show(m):
    hooks = [type(hook).__name__ for hook in m._forward_pre_hooks.values()]
    print(m, sorted(m.state_dict()), [round(v.double().sum().item(), 5) for v in m.state_dict().values()], hooks)
for f in [
        lambda m: prune.l1_unstructured(m, 'weight', 0.3),
        lambda m: prune.l1_unstructured(m, 'bias', 2),
        lambda m: prune.random_unstructured(m, 'weight', amount=0.5),
        lambda m: prune.ln_structured(m, 'weight', amount=0.5, n=2, dim=0),
        lambda m: prune.random_structured(m, 'weight', amount=2, dim=1),
        lambda m: prune.identity(m, 'weight'),
        lambda m: prune.custom_from_mask(m, 'bias', torch.tensor([0, 1, 0, 1, 1]))]:
    m = nn.Linear(4, 5)
    f(m)
    show(m)
    x = torch.ones(2, 4, requires_grad=True)
    m(x).sum().backward()
    print((m.weight_orig if hasattr(m, 'weight_orig') else m.bias_orig).grad.tolist())
    f(m) if not hasattr(m, 'bias_mask') else None
    show(m)
    print(prune.is_pruned(m))
    n = 'weight' if hasattr(m, 'weight_orig') else 'bias'
    prune.remove(m, n)
    show(m)
    print(prune.is_pruned(m))
net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
prune.global_unstructured([(net[0], 'weight'), (net[2], 'weight')], pruning_method=prune.L1Unstructured, amount=0.4)
print([int(m.weight_mask.sum()) for m in (net[0], net[2])])
o = torch.optim.SGD(net.parameters(), 0.1)
for i in range(3):
    l = (net(torch.ones(2, 3)) ** 2).sum()
    o.zero_grad()
    l.backward()
    o.step()
    print(round(l.item(), 5))
prune.random_unstructured(net[0], 'weight', amount=0.5)
prune.ln_structured(net[0], 'weight', amount=1, n=1, dim=0)
print(net[0].weight_mask, [type(h).__name__ for h in net[0]._forward_pre_hooks.values()], len(list(net[0]._forward_pre_hooks.values())[0]))
for bad in (
        lambda: prune.l1_unstructured(nn.Linear(2, 2), 'weight', 1.5),
        lambda: prune.l1_unstructured(nn.Linear(2, 2), 'weight', 7),
        lambda: prune.remove(nn.Linear(2, 2), 'weight'),
        lambda: prune.ln_structured(nn.Linear(2, 2), 'bias', 1, 2, 0),
        lambda: prune.l1_unstructured(nn.Linear(2, 2), 'weight', -1),
        lambda: prune.global_unstructured([(nn.Linear(2, 2), 'weight')], prune.LnStructured, amount=1, n=2)):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__)
print(prune.L1Unstructured(amount=2).prune(torch.tensor([1.0, -5.0, 0.5, 3.0])))
