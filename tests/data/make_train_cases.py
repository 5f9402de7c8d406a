"""Writes tests/data/train_cases.inc: parameters after some steps of PyTorch's optimisers, and the rates of its schedules.

    python tests/data/make_train_cases.py > tests/data/train_cases.inc      (with torch 2.13)

Parameters, gradients and the functions that are minimised are formulas that tests/train_cases.h has, too.
"""
import math
import warnings
import torch

warnings.simplefilter("ignore")
STEPS = 6
SIZES = [(3, 4), (5,), ()]


def start(k, size):
    n = math.prod(size)
    return torch.tensor([math.sin(1 + i + 10 * k) for i in range(n)], dtype=torch.float64).reshape(size)


def gradient(k, t, p):
    n = p.numel()
    g = torch.tensor([math.cos(0.7 * i + t + k) for i in range(n)], dtype=torch.float64).reshape(p.shape)
    return g + 0.1 * p.detach()


OPTIMIZERS = [
    ("sgd", torch.optim.SGD, [dict(lr=0.1), dict(lr=0.1, weight_decay=0.01), dict(lr=0.05, momentum=0.9),
                              dict(lr=0.05, momentum=0.9, dampening=0.3, weight_decay=0.1, maximize=True),
                              dict(lr=0.05, momentum=0.8, nesterov=True)]),
    ("adam", torch.optim.Adam, [dict(), dict(lr=0.1, betas=(0.8, 0.95), eps=1e-3, weight_decay=0.1), dict(lr=0.1, amsgrad=True),
                                dict(lr=0.05, maximize=True), dict(lr=0.05, betas=(0.3, 0.7))]),
    ("adamw", torch.optim.AdamW, [dict(), dict(lr=0.1, weight_decay=0.2, amsgrad=True)]),
    ("rmsprop", torch.optim.RMSprop, [dict(), dict(lr=0.05, alpha=0.8, momentum=0.5), dict(lr=0.05, centered=True, weight_decay=0.1),
                                      dict(lr=0.05, centered=True, momentum=0.9, maximize=True)]),
    ("adagrad", torch.optim.Adagrad, [dict(), dict(lr=0.2, lr_decay=0.1, weight_decay=0.1, initial_accumulator_value=0.5),
                                      dict(maximize=True)]),
    ("adadelta", torch.optim.Adadelta, [dict(), dict(lr=0.5, rho=0.7, weight_decay=0.1), dict(maximize=True)]),
    ("nadam", torch.optim.NAdam, [dict(), dict(lr=0.1, weight_decay=0.1, momentum_decay=0.1),
                                  dict(lr=0.1, weight_decay=0.1, decoupled_weight_decay=True), dict(maximize=True)]),
    ("radam", torch.optim.RAdam, [dict(), dict(lr=0.1, betas=(0.9, 0.7), weight_decay=0.1),
                                  dict(lr=0.1, weight_decay=0.1, decoupled_weight_decay=True), dict(maximize=True)]),
    ("adamax", torch.optim.Adamax, [dict(), dict(lr=0.1, betas=(0.7, 0.8), weight_decay=0.1), dict(maximize=True)]),
    ("asgd", torch.optim.ASGD, [dict(), dict(lr=0.1, lambd=0.01, alpha=0.5, t0=2, weight_decay=0.1), dict(maximize=True)]),
    ("rprop", torch.optim.Rprop, [dict(), dict(lr=0.1, etas=(0.3, 1.7), step_sizes=(0.05, 0.2)), dict(maximize=True)]),
    ("adafactor", torch.optim.Adafactor, [dict(), dict(lr=0.1, weight_decay=0.1, beta2_decay=-0.5, d=1.5, eps=(1e-4, 1e-2)),
                                          dict(maximize=True)]),
]
NAMES = {"betas": ("beta1", "beta2"), "etas": ("etaminus", "etaplus"), "step_sizes": ("step_size_min", "step_size_max")}


def settings(kind, options):
    flat = []
    for name, value in options.items():
        names = NAMES.get(name, ("eps1", "eps2") if kind == "adafactor" and name == "eps" else (name,))
        values = value if isinstance(value, tuple) else (value,)
        flat += [f"{n}={float(v):.17g}" for n, v in zip(names, values)]
    return " ".join(flat)


def text(numbers):
    return "{" + ", ".join(f"{x:.17g}" for x in numbers) + "}"


print("/* Made by make_train_cases.py with torch %s. */" % torch.__version__.split("+")[0])
print("static const train_case train_cases[] = {")
for kind, make, all_options in OPTIMIZERS:
    for options in all_options:
        parameters = [start(k, size).requires_grad_() for k, size in enumerate(SIZES)]
        optimizer = make(parameters, **options)
        for t in range(STEPS):
            for k, p in enumerate(parameters):
                p.grad = None if (t == 2 and k == 1) else gradient(k, t, p)
            optimizer.step()
        numbers = [float(x) for p in parameters for x in p.detach().reshape(-1)]
        print(f'    {{"{kind}", "{settings(kind, options)}", {text(numbers)}}},')
print("};\n")

# LBFGS on a function with a curved valley
print("static const struct {\n    const char *settings;\n    double x[4], losses[4];\n} lbfgs_cases[] = {")


def valley(x):
    return (100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2 + 90 * (x[3] - x[2] ** 2) ** 2 + (1 - x[2]) ** 2 +
            10.1 * ((x[1] - 1) ** 2 + (x[3] - 1) ** 2) + 19.8 * (x[1] - 1) * (x[3] - 1))


for options in [dict(lr=0.01, max_iter=5), dict(max_iter=6, line_search_fn="strong_wolfe"),
                dict(max_iter=4, history_size=2, line_search_fn="strong_wolfe"), dict(lr=0.005, max_iter=10, history_size=3)]:
    a = torch.tensor([-3.0, -1.0], dtype=torch.float64, requires_grad=True)
    b = torch.tensor([-3.0, -1.0], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([a, b], **options)
    losses = []

    def closure():
        optimizer.zero_grad()
        loss = valley(torch.cat([a, b]))
        loss.backward()
        return loss

    for _ in range(4):
        losses.append(float(optimizer.step(closure)))
    flat = dict(options)
    if flat.pop("line_search_fn", None):
        flat["strong_wolfe"] = 1
    print(f'    {{"{settings("lbfgs", flat)}", {text([float(x) for x in torch.cat([a, b]).detach()])}, {text(losses)}}},')
print("};\n")

# schedules
S = torch.optim.lr_scheduler
COUNT = 24


def one_cycle(o, **options):
    return S.OneCycleLR(o, max_lr=0.5, total_steps=COUNT, **options)


def sequence(o):
    return S.SequentialLR(o, [S.ConstantLR(o, factor=0.25, total_iters=3), S.ExponentialLR(o, gamma=0.9),
                              S.CosineAnnealingLR(o, T_max=5, eta_min=0.01)], milestones=[4, 9])


SCHEDULES = [
    ("steps", lambda o: S.StepLR(o, 4, 0.5)), ("multi_step", lambda o: S.MultiStepLR(o, [3, 3, 7], 0.3)),
    ("exponential", lambda o: S.ExponentialLR(o, 0.9)), ("constant", lambda o: S.ConstantLR(o, 0.25, 6)),
    ("linear", lambda o: S.LinearLR(o, 0.2, 0.8, 7)), ("polynomial", lambda o: S.PolynomialLR(o, 9, 2.0)),
    ("cosine", lambda o: S.CosineAnnealingLR(o, 5, 0.01)), ("warm_restarts", lambda o: S.CosineAnnealingWarmRestarts(o, 3, 2, 0.02)),
    ("one_cycle", one_cycle), ("one_cycle_linear", lambda o: one_cycle(o, anneal_strategy="linear", three_phase=True, pct_start=0.4)),
    ("lambda", lambda o: S.LambdaLR(o, lambda step: 1 / (1 + step))), ("sequential", sequence),
]
print("static const struct {\n    const char *name;\n    double lr[%d], momentum[%d];\n} schedule_cases[] = {" % (COUNT, COUNT))
for name, make in SCHEDULES:
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.8, momentum=0.9)
    schedule = make(optimizer)
    rates, momenta = [], []
    for _ in range(COUNT):
        rates.append(optimizer.param_groups[0]["lr"])
        momenta.append(optimizer.param_groups[0]["momentum"])
        optimizer.step()
        if len(rates) < COUNT:
            schedule.step()
    print(f'    {{"{name}", {text(rates)}, {text(momenta)}}},')
print("};\n")

print("static const struct {\n    int maximize, absolute;\n    double lr[%d];\n} plateau_cases[] = {" % COUNT)
for mode in ("min", "max"):
    for threshold_mode in ("rel", "abs"):
        optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.8)
        schedule = S.ReduceLROnPlateau(optimizer, mode=mode, factor=0.5, patience=2, threshold=0.05, threshold_mode=threshold_mode,
                                       cooldown=1, min_lr=0.06)
        rates = []
        for t in range(COUNT):
            schedule.step(1 + math.cos(0.4 * t) / (1 + 0.2 * t))
            rates.append(optimizer.param_groups[0]["lr"])
        print(f'    {{{int(mode == "max")}, {int(threshold_mode == "abs")}, {text(rates)}}},')
print("};")
