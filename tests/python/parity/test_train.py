"""Optimisers, schedules and clipping from C beside PyTorch's, step by step.

They have no Python binding, so they are called with ctypes, in the library that the package itself has loaded. A tensor of Tenon's is
made over the memory of one of PyTorch's, a copy of PyTorch's own parameter: both get the same gradients and are compared after each step.
"""

import ctypes
import itertools
import math
import pathlib

import pytest
import torch

import tenon

C = ctypes.CDLL(str(pathlib.Path(tenon.__file__).parent / "libtenon.so.0"))
S = torch.optim.lr_scheduler
P, I, D, B, TEXT = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double, ctypes.c_bool, ctypes.c_char_p


class Dims(ctypes.Structure):
    _fields_ = [("values", ctypes.POINTER(I)), ("count", I)]


class Ownership(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("deleter", P), ("ctx", P)]


class OneCycle(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("max_lr", D), ("total", I), ("pct_start", D), ("div_factor", D), ("final_div_factor", D),
                ("linear", B), ("three_phase", B), ("cycle_momentum", B), ("base_momentum", D), ("max_momentum", D)]


class Plateau(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("maximize", B), ("factor", D), ("patience", I), ("threshold", D), ("absolute", B),
                ("cooldown", I), ("min_lr", D), ("eps", D)]


CLOSURE = ctypes.CFUNCTYPE(ctypes.c_int, P, ctypes.POINTER(D))
FACTOR = ctypes.CFUNCTYPE(D, P, I)
for name, result, arguments in [
        ("tn_dtype_from_name", ctypes.c_int, [TEXT]), ("tn_from_memory_strided", P, [P, Dims, Dims, ctypes.c_int, Ownership]),
        ("tn_error_message", TEXT, []), ("tn_error_clear", None, []), ("tn_release", None, [P]), ("tn_tensor_set_grad", ctypes.c_int, [P, P]),
        ("tn_parameters_new", P, []), ("tn_parameters_add", P, [P, TEXT, P]), ("tn_parameters_release", None, [P]),
        ("tn_parameters_clip_grad_norm", ctypes.c_int, [P, D, D, B, ctypes.POINTER(D)]),
        ("tn_parameters_clip_grad_value", ctypes.c_int, [P, D]), ("tn_parameters_count", I, [P]),
        ("tn_optimizer_new", P, [TEXT, P]), ("tn_optimizer_release", None, [P]), ("tn_optimizer_set", ctypes.c_int, [P, TEXT, D]),
        ("tn_optimizer_set_group", ctypes.c_int, [P, I, TEXT, D]), ("tn_optimizer_add_group", I, [P, P]),
        ("tn_optimizer_get", D, [P, I, TEXT]), ("tn_optimizer_step", ctypes.c_int, [P]),
        ("tn_optimizer_step_closure", ctypes.c_int, [P, CLOSURE, P, ctypes.POINTER(D)]), ("tn_optimizer_state", P, [P]),
        ("tn_optimizer_set_state", ctypes.c_int, [P, P]),
        ("tn_schedule_steps", P, [P, I, D]), ("tn_schedule_multi_step", P, [P, Dims, D]), ("tn_schedule_exponential", P, [P, D]),
        ("tn_schedule_constant", P, [P, D, I]), ("tn_schedule_linear", P, [P, D, D, I]), ("tn_schedule_polynomial", P, [P, I, D]),
        ("tn_schedule_cosine", P, [P, I, D]), ("tn_schedule_warm_restarts", P, [P, I, I, D]),
        ("tn_schedule_one_cycle", P, [P, ctypes.POINTER(OneCycle)]), ("tn_schedule_lambda", P, [P, FACTOR, P, P]),
        ("tn_schedule_plateau", P, [P, ctypes.POINTER(Plateau)]), ("tn_schedule_sequential", P, [ctypes.POINTER(P), I, Dims]),
        ("tn_schedule_step", ctypes.c_int, [P]), ("tn_schedule_step_metric", ctypes.c_int, [P, D]), ("tn_schedule_release", None, [P])]:
    function = getattr(C, name)
    function.restype, function.argtypes = result, arguments


def done(code):
    assert code == 0, C.tn_error_message()


def made(handle):
    assert handle, C.tn_error_message()
    return handle


def dims(values):
    return Dims((I * len(values))(*values), len(values))


def over(tensor):
    """A tensor of Tenon's in the memory of one of PyTorch's, which the caller keeps."""
    dtype = C.tn_dtype_from_name(str(tensor.dtype).removeprefix("torch.").encode())
    return made(C.tn_from_memory_strided(tensor.data_ptr() or ctypes.addressof(I(0)), dims(tensor.shape), dims(tensor.stride()), dtype,
                                         Ownership(1, None, None)))


class Twin:
    """An optimiser of Tenon's with copies of the parameters of one of PyTorch's, group by group."""

    def __init__(self, kind, groups, settings):
        self.copies, self.handles, self.sets, self.kept = [], [], [], []
        for number, (parameters, own) in enumerate(groups):
            names = made(C.tn_parameters_new())
            self.sets.append(names)
            for i, parameter in enumerate(parameters):
                copy = torch.empty_strided(parameter.shape, parameter.stride(), dtype=parameter.dtype)
                copy = copy.copy_(parameter.detach())
                handle = over(copy)
                made(C.tn_parameters_add(names, f"p{i}".encode(), handle))
                self.copies.append(copy)
                self.handles.append(handle)
            if number == 0:
                self.optimizer = made(C.tn_optimizer_new(kind.encode(), names))
                for name, value in settings.items():
                    done(C.tn_optimizer_set(self.optimizer, name.encode(), value))
            else:
                assert C.tn_optimizer_add_group(self.optimizer, names) == number, C.tn_error_message()
            for name, value in own.items():
                done(C.tn_optimizer_set_group(self.optimizer, number, name.encode(), value))

    def give(self, gradients):
        for handle, gradient in zip(self.handles, gradients, strict=True):
            if gradient is None:
                done(C.tn_tensor_set_grad(handle, None))
                continue
            copy = gradient.clone()
            grad = over(copy)
            done(C.tn_tensor_set_grad(handle, grad))
            C.tn_release(grad)
            self.kept.append(copy)

    def step(self):
        done(C.tn_optimizer_step(self.optimizer))
        self.forget()

    def forget(self):
        for handle in self.handles:
            done(C.tn_tensor_set_grad(handle, None))
        self.kept = []

    def close(self):
        C.tn_optimizer_release(self.optimizer)
        for handle in self.handles:
            C.tn_release(handle)
        for names in self.sets:
            C.tn_parameters_release(names)


NAMES = {"betas": ("beta1", "beta2"), "etas": ("etaminus", "etaplus"), "step_sizes": ("step_size_min", "step_size_max"),
         "ns_coefficients": ("ns_a", "ns_b", "ns_c")}


def settings(kind, options):
    flat = {}
    for name, value in options.items():
        if name == "adjust_lr_fn":
            flat["match_rms_adamw"] = float(value == "match_rms_adamw")
            continue
        if name == "line_search_fn":
            flat["strong_wolfe"] = 1.0
            continue
        names = NAMES.get(name, ("eps1", "eps2") if kind == "adafactor" and name == "eps" else (name,))
        values = value if isinstance(value, tuple) else (value,)
        flat.update((n, float(v) if v is not None else math.nan) for n, v in zip(names, values, strict=True))
    return flat


def every(**choices):
    return [dict(zip(choices, values)) for values in itertools.product(*choices.values())]


decay = (0.0, 0.1)
flags = (False, True)
KINDS = {
    "sgd": (torch.optim.SGD, every(lr=(0.1,), momentum=(0, 0.9), dampening=(0, 0.3), weight_decay=decay, nesterov=flags, maximize=flags)),
    "adam": (torch.optim.Adam, every(lr=(0.05,), betas=((0.9, 0.999), (0.3, 0.7), (0.0, 0.0)), eps=(1e-8, 1e-3), weight_decay=decay,
                                     amsgrad=flags, maximize=flags, decoupled_weight_decay=flags)),
    "adamw": (torch.optim.AdamW, every(lr=(0.05,), weight_decay=(0.01, 0.3), amsgrad=flags, maximize=flags)),
    "rmsprop": (torch.optim.RMSprop, every(lr=(0.05,), alpha=(0.99, 0.5), weight_decay=decay, momentum=(0, 0.8), centered=flags,
                                           maximize=flags)),
    "adagrad": (torch.optim.Adagrad, every(lr=(0.1,), lr_decay=(0, 0.1), weight_decay=decay, initial_accumulator_value=(0, 0.5),
                                           maximize=flags)),
    "adadelta": (torch.optim.Adadelta, every(lr=(1.0, 0.3), rho=(0.9, 0.5), weight_decay=decay, maximize=flags)),
    "nadam": (torch.optim.NAdam, every(lr=(0.05,), betas=((0.9, 0.999), (0.3, 0.7)), weight_decay=decay, momentum_decay=(0.004, 0.1),
                                       decoupled_weight_decay=flags, maximize=flags)),
    "radam": (torch.optim.RAdam, every(lr=(0.05,), betas=((0.9, 0.999), (0.3, 0.7)), weight_decay=decay, decoupled_weight_decay=flags,
                                       maximize=flags)),
    "adamax": (torch.optim.Adamax, every(lr=(0.05,), betas=((0.9, 0.999), (0.3, 0.7)), weight_decay=decay, maximize=flags)),
    "asgd": (torch.optim.ASGD, every(lr=(0.05,), lambd=(1e-4, 0.1), alpha=(0.75, 0.3), t0=(1e6, 3), weight_decay=decay, maximize=flags)),
    "rprop": (torch.optim.Rprop, every(lr=(0.05,), etas=((0.5, 1.2), (0.3, 1.7)), step_sizes=((1e-6, 50), (0.02, 0.2)), maximize=flags)),
    "adafactor": (torch.optim.Adafactor, every(lr=(0.05,), beta2_decay=(-0.8, -0.3), eps=((None, 1e-3), (1e-4, 0.1)), d=(1.0, 2.0),
                                               weight_decay=decay, maximize=flags)),
    "muon": (torch.optim.Muon, every(lr=(0.05,), weight_decay=(0.0, 0.1), momentum=(0.95, 0.5), nesterov=flags,
                                     adjust_lr_fn=("original", "match_rms_adamw"), ns_steps=(5, 2))),
}
LAYOUTS = {
    "plain": lambda size, dtype: torch.randn(size, dtype=dtype),
    "turned": lambda size, dtype: torch.randn(size[::-1], dtype=dtype).permute(tuple(reversed(range(len(size))))),
    "sliced": lambda size, dtype: torch.randn(size + (2,), dtype=dtype)[..., 0] if size else torch.randn(2, dtype=dtype)[1],
}
SIZES = [(3, 4), (5,), (), (0,), (2, 0, 3), (2, 3, 4), (1, 1)]
TOLERANCE = {torch.float64: 2e-7, torch.float32: 3e-5, torch.float16: 3e-2, torch.bfloat16: 0.15, torch.complex128: 2e-7,
             torch.complex64: 3e-5}


def parameters_of(kind, layout, dtype):
    sizes = [(3, 4), (4, 3), (1, 5), (6, 6)] if kind == "muon" else SIZES
    if kind == "adafactor":
        sizes = [size for size in sizes if 0 not in size]
    return [LAYOUTS[layout](size, dtype).requires_grad_() for size in sizes]


def gradients_of(parameters, t):
    """Parameter 1 has none at step 2; the gradient of parameter 0 has strides of its own at step 3."""
    made_ = []
    for k, p in enumerate(parameters):
        g = torch.cos(torch.arange(p.numel(), dtype=torch.float64).reshape(p.shape) * 0.7 + t + k).to(p.dtype)
        if p.dtype.is_complex:
            g = g * (1 - 0.5j)
        g = g + 0.1 * p.detach()
        if t == 3 and k == 0:
            g = g.T.contiguous().T
        made_.append(None if t == 2 and k == 1 else g)
    return made_


def allowed(kind, options):
    return not (kind == "sgd" and options["nesterov"] and (options["momentum"] == 0 or options["dampening"] != 0))


def near(copies, parameters, tolerance, what):
    for copy, parameter in zip(copies, parameters, strict=True):
        want = parameter.detach()
        wide = torch.complex128 if want.dtype.is_complex else torch.float64
        assert torch.allclose(copy.to(wide), want.to(wide), rtol=tolerance, atol=tolerance, equal_nan=True), (what, copy, want)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", TOLERANCE, ids=lambda d: str(d).removeprefix("torch."))
def test_steps(kind, dtype):
    make, choices = KINDS[kind]
    if dtype.is_complex and kind in ("adafactor", "muon"):
        return
    for layout in LAYOUTS:      # all settings once, and every fifth of them in each dtype and layout
        for options in choices if layout == "plain" and dtype == torch.float64 else choices[::5]:
            if not allowed(kind, options):
                continue
            if dtype == torch.float16 and kind in ("adam", "adamw", "rmsprop", "nadam"):
                options = {**options, "eps": 1e-3}      # PyTorch computes in float16, where 1e-8 is 0; Tenon in float32
            torch.manual_seed(3)
            parameters = parameters_of(kind, layout, dtype)
            optimizer = make(parameters, foreach=False, **options) if kind != "muon" else make(parameters, **options)
            twin = Twin(kind, [(parameters, {})], settings(kind, options))
            tolerance = TOLERANCE[dtype] if kind != "muon" else 0.02 if TOLERANCE[dtype] < 0.02 else TOLERANCE[dtype]
            for t in range(8):
                gradients = gradients_of(parameters, t)
                for p, g in zip(parameters, gradients):
                    p.grad = g
                twin.give(gradients)
                optimizer.step()
                twin.step()
                near(twin.copies, parameters, tolerance, (kind, layout, options, t))
                with torch.no_grad():      # errors do not add up
                    for copy, p in zip(twin.copies, parameters):
                        copy.copy_(p)
            twin.close()


def test_groups():
    torch.manual_seed(0)
    for kind in ("sgd", "adam", "adamw", "rmsprop"):
        first, second = [torch.randn(3, 4).requires_grad_()], [torch.randn(5).requires_grad_(), torch.randn(2).requires_grad_()]
        own = {"weight_decay": 0.3, "lr": 0.2}
        optimizer = KINDS[kind][0]([{"params": first}, {"params": second, **own}], lr=0.01)
        twin = Twin(kind, [(first, {}), (second, own)], {"lr": 0.01})
        for t in range(5):
            gradients = gradients_of(first + second, t)
            for p, g in zip(first + second, gradients):
                p.grad = g
            twin.give(gradients)
            optimizer.step()
            twin.step()
            near(twin.copies, first + second, 1e-5, kind)
        twin.close()


def test_states_are_given_back():
    """A third optimiser takes over the state of the second in the middle."""
    for kind in KINDS:
        torch.manual_seed(1)
        parameters = parameters_of(kind, "plain", torch.float64)
        options = KINDS[kind][1][-1]
        if not allowed(kind, options):
            options = {**options, "dampening": 0, "nesterov": True, "momentum": 0.9}
        optimizer = KINDS[kind][0](parameters, **options)
        twin = Twin(kind, [(parameters, {})], settings(kind, options))
        for t in range(8):
            gradients = gradients_of(parameters, t)
            for p, g in zip(parameters, gradients):
                p.grad = g
            if t == 4:
                other = Twin(kind, [(twin.copies, {})], settings(kind, options))
                state = made(C.tn_optimizer_state(twin.optimizer))
                done(C.tn_optimizer_set_state(other.optimizer, state))
                C.tn_parameters_release(state)
                twin.close()
                twin = other
            twin.give(gradients)
            optimizer.step()
            twin.step()
            near(twin.copies, parameters, 2e-2 if kind == "muon" else 1e-6, kind)
        twin.close()


@pytest.mark.parametrize("options", every(lr=(1.0, 0.02), max_iter=(1, 4, 20), max_eval=(None, 3), history_size=(100, 2),
                                          line_search_fn=(None, "strong_wolfe"), tolerance_change=(1e-9, 1e-2)), ids=str)
def test_lbfgs(options):
    """A small network of two tensors, in float64."""
    torch.manual_seed(4)
    x, y = torch.randn(20, 3, dtype=torch.float64), torch.randn(20, dtype=torch.float64)
    parameters = [torch.randn(3, 4, dtype=torch.float64).requires_grad_(), torch.randn(4, dtype=torch.float64).requires_grad_()]

    def loss_of(w, v):
        return ((torch.tanh(x @ w) @ v - y) ** 2).mean() + 0.01 * (w * w).sum() + 0.01 * (v * v).sum()

    optimizer = torch.optim.LBFGS(parameters, **options)
    flat = {name: value for name, value in options.items() if value is not None}
    twin = Twin("lbfgs", [(parameters, {})], settings("lbfgs", flat))

    def closure():
        optimizer.zero_grad()
        loss = loss_of(*parameters)
        loss.backward()
        return loss

    @CLOSURE
    def same(ctx, loss):
        own = [copy.clone().requires_grad_() for copy in twin.copies]
        value = loss_of(*own)
        value.backward()
        twin.give([p.grad for p in own])
        loss[0] = float(value)
        return 0

    for _ in range(2 if options["max_iter"] == 20 else 6):      # later on the last bits have grown
        want, got = float(optimizer.step(closure)), D()
        done(C.tn_optimizer_step_closure(twin.optimizer, same, None, ctypes.byref(got)))
        assert math.isclose(got.value, want, rel_tol=1e-6), (got.value, want)
        near(twin.copies, parameters, 1e-5, options)
    twin.forget()
    twin.close()


def sequence(*names, milestones):
    def torch_(o):
        return S.SequentialLR(o, [SCHEDULES[name][0](o) for name in names], milestones=milestones)

    def tenon_(o):
        parts = [SCHEDULES[name][1](o) for name in names]
        made_ = C.tn_schedule_sequential((P * len(parts))(*parts), len(parts), dims(milestones))
        for part in parts:
            C.tn_schedule_release(part)
        return made_
    return torch_, tenon_


def cycle(**options):
    here = {"linear": options.get("anneal_strategy") == "linear", "three_phase": options.get("three_phase", False),
            "pct_start": options.get("pct_start", 0.3), "cycle_momentum": options.get("cycle_momentum", True)}
    rest = {"div_factor": 25, "final_div_factor": 10000, "base_momentum": 0.85, "max_momentum": 0.95}
    values = OneCycle(size=ctypes.sizeof(OneCycle), max_lr=0.5, total=300, **{**rest, **here})
    return lambda o: S.OneCycleLR(o, max_lr=0.5, total_steps=300, **options), lambda o: C.tn_schedule_one_cycle(o, ctypes.byref(values))


FACTORS = [FACTOR(lambda ctx, step: 1 / (1 + 0.1 * step))]
SCHEDULES = {
    "steps": (lambda o: S.StepLR(o, 17, 0.7), lambda o: C.tn_schedule_steps(o, 17, 0.7)),
    "multi_step": (lambda o: S.MultiStepLR(o, [3, 40, 40, 200], 0.3), lambda o: C.tn_schedule_multi_step(o, dims([3, 40, 40, 200]), 0.3)),
    "exponential": (lambda o: S.ExponentialLR(o, 0.98), lambda o: C.tn_schedule_exponential(o, 0.98)),
    "constant": (lambda o: S.ConstantLR(o, 0.25, 30), lambda o: C.tn_schedule_constant(o, 0.25, 30)),
    "linear": (lambda o: S.LinearLR(o, 0.2, 0.8, 70), lambda o: C.tn_schedule_linear(o, 0.2, 0.8, 70)),
    "polynomial": (lambda o: S.PolynomialLR(o, 250, 2.0), lambda o: C.tn_schedule_polynomial(o, 250, 2.0)),
    "cosine": (lambda o: S.CosineAnnealingLR(o, 50, 0.01), lambda o: C.tn_schedule_cosine(o, 50, 0.01)),
    "cosine once": (lambda o: S.CosineAnnealingLR(o, 1000), lambda o: C.tn_schedule_cosine(o, 1000, 0)),
    "warm_restarts": (lambda o: S.CosineAnnealingWarmRestarts(o, 7, 2, 0.02), lambda o: C.tn_schedule_warm_restarts(o, 7, 2, 0.02)),
    "warm_restarts, even": (lambda o: S.CosineAnnealingWarmRestarts(o, 7), lambda o: C.tn_schedule_warm_restarts(o, 7, 1, 0)),
    "lambda": (lambda o: S.LambdaLR(o, lambda step: 1 / (1 + 0.1 * step)), lambda o: C.tn_schedule_lambda(o, FACTORS[0], None, None)),
    "one_cycle": cycle(), "one_cycle, straight": cycle(anneal_strategy="linear"), "one_cycle, three": cycle(three_phase=True, pct_start=0.4),
    "one_cycle, alone": cycle(cycle_momentum=False, pct_start=0.1),
}
SCHEDULES["sequential"] = sequence("linear", "exponential", "cosine", milestones=[20, 100])
SCHEDULES["sequential, warm"] = sequence("constant", "warm_restarts", milestones=[10])
SCHEDULES["sequential, steps"] = sequence("constant", "polynomial", "steps", "multi_step", milestones=[1, 2, 150])


def momentum_optimizer(groups):
    tensors = [torch.zeros(2).requires_grad_() for _ in groups]
    options = [{"params": [t], "lr": lr} for t, lr in zip(tensors, groups)]
    optimizer = torch.optim.SGD(options, lr=groups[0], momentum=0.9)
    twin = Twin("sgd", [([t], {"lr": lr}) for t, lr in zip(tensors, groups)], {"momentum": 0.9})
    return optimizer, twin


def rates_agree(optimizer, twin, what):
    for number, group in enumerate(optimizer.param_groups):
        for name in ("lr", "momentum"):
            got = C.tn_optimizer_get(twin.optimizer, number, name.encode())
            assert math.isclose(got, group[name], rel_tol=1e-9, abs_tol=1e-12), (what, number, name, got, group[name])


@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.filterwarnings("ignore")
def test_schedules(name):
    optimizer, twin = momentum_optimizer([0.8, 0.1])
    there, here = SCHEDULES[name][0](optimizer), made(SCHEDULES[name][1](twin.optimizer))
    for epoch in range(299):
        rates_agree(optimizer, twin, (name, epoch))
        optimizer.step()
        there.step()
        done(C.tn_schedule_step(here))
    C.tn_schedule_release(here)
    twin.close()


@pytest.mark.filterwarnings("ignore")
def test_schedules_chained():
    for names in [("constant", "exponential"), ("steps", "linear", "exponential"), ("multi_step", "cosine"), ("polynomial", "constant")]:
        optimizer, twin = momentum_optimizer([0.8, 0.1])
        there = [SCHEDULES[name][0](optimizer) for name in names]
        here = [made(SCHEDULES[name][1](twin.optimizer)) for name in names]
        for epoch in range(299):
            rates_agree(optimizer, twin, (names, epoch))
            optimizer.step()
            for a, b in zip(there, here):
                a.step()
                done(C.tn_schedule_step(b))
        for b in here:
            C.tn_schedule_release(b)
        twin.close()


@pytest.mark.parametrize("options", every(mode=("min", "max"), threshold_mode=("rel", "abs"), patience=(0, 3), cooldown=(0, 4),
                                          factor=(0.5, 0.1), min_lr=(0, 0.06)), ids=str)
def test_plateaus(options):
    optimizer, twin = momentum_optimizer([0.8, 0.1])
    there = S.ReduceLROnPlateau(optimizer, threshold=0.05, **options)
    values = Plateau(ctypes.sizeof(Plateau), options["mode"] == "max", options["factor"], options["patience"], 0.05,
                     options["threshold_mode"] == "abs", options["cooldown"], options["min_lr"], 1e-8)
    here = made(C.tn_schedule_plateau(twin.optimizer, ctypes.byref(values)))
    for epoch in range(300):
        metric = math.nan if epoch == 200 else math.cos(0.15 * epoch) / (1 + 0.02 * epoch)
        optimizer.step()
        there.step(metric)
        done(C.tn_schedule_step_metric(here, metric))
        rates_agree(optimizer, twin, epoch)
    C.tn_schedule_release(here)
    twin.close()


@pytest.mark.parametrize("order", [2.0, 1.0, 0.5, 3.0, 0.0, math.inf, -math.inf])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.complex64],
                         ids=lambda d: str(d).removeprefix("torch."))
def test_clipping(order, dtype):
    for most, spoil in itertools.product((0.5, 1e9, 0.0), (None, math.inf, math.nan)):
        if spoil is not None and dtype.is_complex:
            continue      # infinity times a factor that PyTorch makes complex is no number
        torch.manual_seed(0)
        parameters = [torch.randn(3, 4, dtype=dtype).requires_grad_(), torch.randn(5, dtype=dtype).requires_grad_(),
                      torch.randn(2, dtype=dtype).requires_grad_()]
        for p in parameters[:2]:
            p.grad = torch.randn_like(p)
        if spoil is not None:
            parameters[0].grad[1, 1] = spoil
        twin = Twin("sgd", [(parameters, {})], {})
        twin.give([p.grad for p in parameters])
        want, got = torch.nn.utils.clip_grad_norm_(parameters, most, order, foreach=False), D()
        done(C.tn_parameters_clip_grad_norm(twin.sets[0], most, order, False, ctypes.byref(got)))
        tolerance = {torch.float64: 1e-12, torch.float32: 1e-5, torch.complex64: 1e-5}.get(dtype, 2e-2)
        assert math.isclose(got.value, float(want), rel_tol=tolerance) or (math.isnan(got.value) and math.isnan(want)), (got, want, most, spoil)
        near(twin.kept, [p.grad for p in parameters[:2]], tolerance, (order, most, spoil))
        if spoil is not None and not math.isfinite(got.value):
            assert C.tn_parameters_clip_grad_norm(twin.sets[0], 1.0, order, True, None) != 0
            C.tn_error_clear()
        if not dtype.is_complex:
            torch.nn.utils.clip_grad_value_(parameters, 0.05, foreach=False)
            done(C.tn_parameters_clip_grad_value(twin.sets[0], 0.05))
            near(twin.kept, [p.grad for p in parameters[:2]], tolerance, "value")
        twin.forget()
        twin.close()
