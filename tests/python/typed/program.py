"""Read by a type checker, never run (test_stubs.py): a program that is right."""

import tenon
import tenon as torch
import tenon.nn.functional as F
from tenon import library, nn

x: tenon.Tensor = tenon.ones(2, 3)
y = x + 1
z = 1 - x
w = x @ x
b = x == 1
s: float = x.sum().item()
shape: tenon.Size = x.shape
n: int = x.shape[0]
d: tenon.dtype = x.dtype
dev: tenon.device = x.device
x[0] = 5
x[:, 1:] += 2
for row in x:
    row.add_(1)
v, i = x.sort(dim=1, descending=True)
m = x.max(1)
vals = m.values
a = tenon.arange(10).reshape(2, -1).float().to(torch.float64)
c = tenon.cat([x, x], dim=0)
o = tenon.add(x, x, out=tenon.empty(2, 3))
q = tenon.zeros(2, 3, dtype=torch.int8, device="cpu")
l: list = x.tolist()
k = len(x)
f = float(x[0, 0])
neg = -x
inv = ~(x > 0)
g = torch.Generator().manual_seed(1)
r = torch.rand(2, generator=g)
sm = F.softmax(x, dim=-1)
e = x.T.contiguous().view(-1).unsqueeze(0)
t = torch.tensor([1, 2])
print(torch.float32, torch.inf, torch.finfo(torch.float32).eps)
if x.any():
    pass


@library.custom_op("mine::f(tensor x) -> tensor")
def mine(x):
    return x


mine(x)
tenon.ops.mine.f(x)
tenon.linalg.vecdot(x, x)
tenon.special.expit(x)
xp = x.__array_namespace__()
tenon.where(x > 0, x, 0.0)
tenon.manual_seed(0)
x.split(1)
2 ** x
abs(x)
torch.LongTensor([1, 2]).storage()
torch.UntypedStorage(3)[0]
torch.FloatStorage([1, 2]).tolist()
isinstance(x, torch.FloatTensor)
x.new_empty_strided((2,), (1,)).dim_order()
tenon.utils.dlpack.to_dlpack(x)


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


leaf = torch.ones(2, requires_grad=True)
loss = Twice.apply(leaf).sum()
leaf.register_hook(lambda grad: grad * 2).remove()
loss.backward()
if leaf.grad is not None:
    leaf.grad.zero_()
node = (leaf * 2).grad_fn
if node is not None:
    node.name().upper()
    node.next_functions[0][1].bit_length()
with torch.no_grad():
    leaf.detach_().requires_grad_()
(found,) = torch.autograd.grad((leaf * leaf).sum(), leaf)
torch.autograd.graph.saved_tensors_hooks(abs, abs)

net = torch.nn.Sequential(torch.nn.Linear(3, 4, bias=False), torch.nn.ReLU(), torch.nn.Dropout(0.5))
out: tenon.Tensor = torch.nn.Linear(3, 4)(x)
opt = torch.optim.AdamW(net.parameters(), lr=1e-3, amsgrad=True)
opt.zero_grad(set_to_none=True)
opt.param_groups[0]["lr"] = 0.1
schedule = torch.optim.lr_scheduler.StepLR(opt, 2)
schedule.step()
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, x), batch_size=2, shuffle=True)
for first, second in loader:
    loss = torch.nn.functional.mse_loss(net(first), second)
normal = torch.distributions.Normal(0.0, 1.0)
normal.rsample((2,)).sum()
torch.distributions.kl_divergence(normal, normal)
torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
torch.use_deterministic_algorithms(True)
torch.testing.assert_close(x, x)


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Conv2d(1, 2, 3)

    def forward(self, x: tenon.Tensor) -> tenon.Tensor:
        return self.layer(x).relu()


with torch.no_grad():
    Net().eval()(x)
layers: list[nn.Module] = [nn.AdaptiveAvgPool1d(1), nn.MSELoss(), nn.LSTM(3, 4), nn.Conv2d(1, 2, 3), nn.ReLU()]

small = Net()
tenon.optim.AdamW(small.parameters(), lr=tenon.tensor(1e-3))
total: int = sum(p.numel() for p in small.parameters())
for name, module in small.named_modules():
    print(name.upper(), module.training)
weight: tenon.Tensor = nn.Parameter(tenon.ones(2))
normal = tenon.distributions.Normal(0.0, 1.0)
density: tenon.Tensor = normal.log_prob(normal.sample())

solved: tenon.Tensor = tenon.linalg.solve(tenon.eye(3), tenon.ones(3))
values: tenon.Tensor = tenon.linalg.eigh(tenon.eye(3)).eigenvalues
spectrum: tenon.Tensor = tenon.fft.rfft(tenon.ones(8))
gammas: tenon.Tensor = tenon.special.digamma(tenon.ones(2))
cross: tenon.Tensor = nn.functional.cross_entropy(tenon.ones(2, 3), tenon.zeros(2), label_smoothing=0.1)
nn.init.kaiming_normal_(small.layer.weight, mode="fan_out", nonlinearity="relu")
tenon.ones(2, 3).sum(axis=1, keepdims=True)
tenon.polygamma(1, tenon.ones(2))
tenon.einsum("ij,jk->ik", tenon.eye(2), tenon.eye(2))
with tenon.autocast("cpu"), tenon.amp.autocast("cpu", dtype=tenon.bfloat16):
    scaler = tenon.amp.GradScaler("cpu")
same: tenon.optim.Optimizer = tenon.optim.optimizer.Optimizer([weight], {})
packed = nn.utils.rnn.pack_sequence([tenon.ones(2, 3)])
average = tenon.optim.swa_utils.AveragedModel(small)
tenon.func.vmap(tenon.func.grad(lambda one: one.sum()))(tenon.ones(2, 2))
tenon.autograd.grad(weight.sum(), [weight])
tenon.utils.checkpoint.checkpoint(small, tenon.ones(1, 1, 3, 3), use_reentrant=False)
moves: list[tenon.distributions.transforms.Transform] = [tenon.distributions.transforms.ExpTransform(), tenon.distributions.TanhTransform()]
table = nn.ModuleDict({"a": nn.ReLU()})
table["b"] = nn.Identity()
tenon.backends.cuda.matmul.allow_tf32 = True
