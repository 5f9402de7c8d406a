"""The optimisers of torch.optim. Steps are the C library's (tenon/train.h); Python keeps settings and shows the state.

The state lives in C. `optimizer.state` copies it to a dictionary, which counts from then on: what a program changes in it is
given back to C before the next step.
"""

import math
from collections import defaultdict

from tenon import _core
from tenon.optim.optimizer import Optimizer

__all__ = ["ASGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "LBFGS", "Muon", "NAdam", "RAdam", "RMSprop", "Rprop", "SGD",
           "SparseAdam"]


def _number(value):
    return value if type(value) is float else float(value)


# Settings whose C name or form is another: the numbers of a setting of Python.
_PAIRS = {"betas": ("beta1", "beta2"), "etas": ("etaminus", "etaplus"), "step_sizes": ("step_size_min", "step_size_max"),
          "ns_coefficients": ("ns_a", "ns_b", "ns_c")}


class _Native(Optimizer):
    """An optimiser of the C library. _settings: those settings of a group that C has, in its order of names."""

    _kind, _settings = None, ()

    def __init__(self, params, defaults):
        self.__dict__.update(_native=None, _groups=None, _pushed=None, _held=defaultdict(dict), _ahead=False, _shown=False)
        super().__init__(params, defaults)

    # ---- the state, here and there

    @property
    def state(self):
        if self._ahead:
            self._pull()
        self._shown = True
        return self._held

    @state.setter
    def state(self, value):
        self._held, self._ahead, self._shown = value, False, True

    def __getstate__(self):
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state):
        state = dict(state)
        held = state.pop("state", None)
        for name, value in (("_native", None), ("_groups", None), ("_pushed", None), ("_held", defaultdict(dict)), ("_ahead", False), ("_shown", False)):
            self.__dict__.setdefault(name, value)
        if held is not None:
            self.state = held
        known = dict(self.__dict__.get("defaults") or state["defaults"])
        super().__setstate__(state)
        for group in self.param_groups:
            for name, value in known.items():
                group.setdefault(name, value)

    def _slots(self):
        """Parameters by the beginnings of their names in C."""
        for number, params in enumerate(self._groups or ()):
            for i, param in enumerate(params):
                yield (f"{i}." if number == 0 else f"{number}.{i}."), param

    def _pull(self):
        self._ahead = False
        found = self._native.state()
        places = {prefix: param for prefix, param in self._slots()}
        for name, tensor in found.items():
            prefix, _, entry = name.rpartition(".")
            held = self._held[places[prefix + "."]]
            old = held.get(entry)
            if isinstance(old, _core.Tensor) and old.shape == tensor.shape and old.dtype == tensor.dtype and not old.requires_grad:
                old.copy_(tensor)
            else:
                held[entry] = tensor

    def _push(self):
        state = {}
        for prefix, param in self._slots():
            for entry, value in (self._held.get(param) or {}).items():
                if value is None:
                    continue
                state[prefix + entry] = value.detach() if isinstance(value, _core.Tensor) else _core.tensor(float(value))
        self._native.set_state(state)
        self._shown = False

    # ---- groups and settings

    def _build(self, groups):
        if self._native is not None and self._ahead:
            self._pull()
        self._groups, self._pushed = groups, [None] * len(groups)
        self._native = _core._Optimizer(self._kind, groups[0])
        for params in groups[1:]:
            self._native.add_group(params)
        self._shown = bool(self._held)

    def _prepare(self):
        groups = [group["params"] for group in self.param_groups if group["params"]]
        known = self._groups
        if known is None or len(known) != len(groups) or any(len(a) != len(b) or any(x is not y for x, y in zip(a, b)) for a, b in zip(known, groups)):
            self._build([list(params) for params in groups])
        number = 0
        for group in self.param_groups:
            if not group["params"]:
                continue
            values = [group[name] for name in self._settings]
            if values != self._pushed[number]:
                self._send(number, group)
                self._pushed[number] = values
            number += 1
        if self._shown:
            self._push()

    def _send(self, number, group):
        for name in self._settings:
            value = group[name]
            if name in _PAIRS:
                for part, one in zip(_PAIRS[name], value):
                    self._native.set(number, part, _number(one))
            else:
                self._native.set(number, name, _number(value))

    def step(self, closure=None):
        """One step. closure computes the loss and its gradients first; its value is returned."""
        loss = None
        if closure is not None:
            before = _core._set_grad_mode(1)
            try:
                loss = closure()
            finally:
                _core._set_grad_mode(before)
        self._prepare()
        self._native.step()
        self._ahead = True
        return loss


def _check(name, **values):
    """values: a number and what it must be."""
    for setting, (value, good, words) in values.items():
        if not good:
            raise ValueError(f"{name}: {setting} must be {words}, not {value}")


def _common(name, lr=None, eps=None, weight_decay=None, betas=None, differentiable=False):
    if lr is not None and isinstance(lr, _core.Tensor) and lr.numel() != 1:
        raise ValueError(f"{name}: lr is one number, and the tensor has {lr.numel()}")
    if lr is not None and not lr >= 0:
        raise ValueError(f"{name}: lr must not be negative, but is {lr}")
    if eps is not None and not eps >= 0:
        raise ValueError(f"{name}: eps must not be negative, but is {eps}")
    if weight_decay is not None and not weight_decay >= 0:
        raise ValueError(f"{name}: weight_decay must not be negative, but is {weight_decay}")
    for i, beta in enumerate(betas or ()):
        if not 0 <= beta < 1:
            raise ValueError(f"{name}: betas are from 0 to below 1, but number {i} is {beta}")
    if differentiable:
        raise NotImplementedError(f"{name}: differentiable=True is not supported: a step is not recorded")


class SGD(_Native):
    """Stochastic gradient descent, with momentum."""

    _kind, _settings = "sgd", ("lr", "momentum", "dampening", "weight_decay", "nesterov", "maximize")

    def __init__(self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False, foreach=None,
                 differentiable=False, fused=None):
        _common("SGD", lr, None, weight_decay, None, differentiable)
        _check("SGD", momentum=(momentum, momentum >= 0, "not negative"))
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("SGD: nesterov needs a momentum and no dampening")
        super().__init__(params, dict(lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay, nesterov=nesterov,
                                      maximize=maximize, foreach=foreach, differentiable=differentiable, fused=fused))


class Adam(_Native):
    """Adam."""

    _kind = "adam"
    _settings = ("lr", "betas", "eps", "weight_decay", "amsgrad", "maximize", "decoupled_weight_decay")

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, *, foreach=None, maximize=False,
                 capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False):
        _common(type(self).__name__, lr, eps, weight_decay, betas, differentiable)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize,
                                      foreach=foreach, capturable=capturable, differentiable=differentiable, fused=fused,
                                      decoupled_weight_decay=decoupled_weight_decay))


class AdamW(Adam):
    """Adam whose weight decay is not part of the gradient."""

    _kind = "adamw"

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *, maximize=False, foreach=None,
                 capturable=False, differentiable=False, fused=None):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach, maximize=maximize, capturable=capturable,
                         differentiable=differentiable, fused=fused, decoupled_weight_decay=True)


class RMSprop(_Native):
    """RMSprop."""

    _kind, _settings = "rmsprop", ("lr", "alpha", "eps", "weight_decay", "momentum", "centered", "maximize")

    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False, capturable=False, foreach=None,
                 maximize=False, differentiable=False):
        _common("RMSprop", lr, eps, weight_decay, None, differentiable)
        _check("RMSprop", momentum=(momentum, momentum >= 0, "not negative"), alpha=(alpha, alpha >= 0, "not negative"))
        super().__init__(params, dict(lr=lr, momentum=momentum, alpha=alpha, eps=eps, centered=centered, weight_decay=weight_decay,
                                      capturable=capturable, foreach=foreach, maximize=maximize, differentiable=differentiable))


class Adagrad(_Native):
    """Adagrad."""

    _kind, _settings = "adagrad", ("lr", "lr_decay", "weight_decay", "initial_accumulator_value", "eps", "maximize")

    def __init__(self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, foreach=None, *, maximize=False,
                 differentiable=False, fused=None):
        _common("Adagrad", lr, eps, weight_decay, None, differentiable)
        _check("Adagrad", lr_decay=(lr_decay, lr_decay >= 0, "not negative"),
               initial_accumulator_value=(initial_accumulator_value, initial_accumulator_value >= 0, "not negative"))
        super().__init__(params, dict(lr=lr, lr_decay=lr_decay, eps=eps, weight_decay=weight_decay,
                                      initial_accumulator_value=initial_accumulator_value, foreach=foreach, maximize=maximize,
                                      differentiable=differentiable, fused=fused))
        for group in self.param_groups:
            for param in group["params"]:
                self.state[param] = {"step": _core.tensor(0.0, dtype=_core.float32),
                                     "sum": _core.full_like(param, group["initial_accumulator_value"], requires_grad=False)}

    def share_memory(self):
        """The sums in memory that processes share."""
        for held in self.state.values():
            held["sum"].share_memory_()


class Adadelta(_Native):
    """Adadelta."""

    _kind, _settings = "adadelta", ("lr", "rho", "eps", "weight_decay", "maximize")

    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, *, capturable=False, maximize=False, differentiable=False):
        _common("Adadelta", lr, eps, weight_decay, None, differentiable)
        _check("Adadelta", rho=(rho, 0 <= rho <= 1, "from 0 to 1"))
        super().__init__(params, dict(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize, capturable=capturable,
                                      foreach=foreach, differentiable=differentiable))


class NAdam(_Native):
    """Adam with Nesterov's momentum."""

    _kind, _settings = "nadam", ("lr", "betas", "eps", "weight_decay", "momentum_decay", "decoupled_weight_decay", "maximize")

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3, decoupled_weight_decay=False, *,
                 foreach=None, maximize=False, capturable=False, differentiable=False):
        _common("NAdam", lr, eps, weight_decay, betas, differentiable)
        _check("NAdam", momentum_decay=(momentum_decay, momentum_decay >= 0, "not negative"))
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, momentum_decay=momentum_decay,
                                      decoupled_weight_decay=decoupled_weight_decay, maximize=maximize, foreach=foreach,
                                      capturable=capturable, differentiable=differentiable))


class RAdam(_Native):
    """Adam whose first steps are careful."""

    _kind, _settings = "radam", ("lr", "betas", "eps", "weight_decay", "decoupled_weight_decay", "maximize")

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, decoupled_weight_decay=False, *, foreach=None,
                 maximize=False, capturable=False, differentiable=False):
        _common("RAdam", lr, eps, weight_decay, betas, differentiable)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, maximize=maximize, foreach=foreach,
                                      capturable=capturable, decoupled_weight_decay=decoupled_weight_decay, differentiable=differentiable))


class Adamax(_Native):
    """Adam with the largest gradient instead of the mean square."""

    _kind, _settings = "adamax", ("lr", "betas", "eps", "weight_decay", "maximize")

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None, *, maximize=False, differentiable=False,
                 capturable=False):
        _common("Adamax", lr, eps, weight_decay, betas, differentiable)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, foreach=foreach, maximize=maximize,
                                      differentiable=differentiable, capturable=capturable))


class ASGD(_Native):
    """Averaged stochastic gradient descent."""

    _kind, _settings = "asgd", ("lr", "lambd", "alpha", "t0", "weight_decay", "maximize")

    def __init__(self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, foreach=None, maximize=False, differentiable=False,
                 capturable=False):
        _common("ASGD", lr, None, weight_decay, None, differentiable)
        super().__init__(params, dict(lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay, foreach=foreach, maximize=maximize,
                                      differentiable=differentiable, capturable=capturable))


class Rprop(_Native):
    """Resilient backpropagation."""

    _kind, _settings = "rprop", ("lr", "etas", "step_sizes", "maximize")

    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, capturable=False, foreach=None, maximize=False,
                 differentiable=False):
        _common("Rprop", lr, None, None, None, differentiable)
        _check("Rprop", etas=(etas, 0 < etas[0] < 1 < etas[1], "a number between 0 and 1 and one above 1"))
        super().__init__(params, dict(lr=lr, etas=etas, step_sizes=step_sizes, foreach=foreach, maximize=maximize, differentiable=differentiable,
                                      capturable=capturable))


class Adafactor(_Native):
    """Adafactor: the mean squares of a matrix are kept by row and column."""

    _kind, _settings = "adafactor", ("lr", "beta2_decay", "eps", "d", "weight_decay", "maximize")

    def __init__(self, params, lr=1e-2, beta2_decay=-0.8, eps=(None, 1e-3), d=1.0, weight_decay=0.0, *, foreach=None, maximize=False):
        _common("Adafactor", lr, None, weight_decay)
        _check("Adafactor", beta2_decay=(beta2_decay, beta2_decay <= 0, "at most 0"), d=(d, d >= 1, "1 or more"),
               eps=(eps, (eps[0] is None or eps[0] >= 0) and eps[1] >= 0, "None or a number that is not negative, and another"))
        super().__init__(params, dict(lr=lr, beta2_decay=beta2_decay, eps=eps, d=d, weight_decay=weight_decay, foreach=foreach, maximize=maximize))

    def _send(self, number, group):
        for name in self._settings:
            if name == "eps":
                first, second = group["eps"]
                self._native.set(number, "eps1", math.nan if first is None else _number(first))
                self._native.set(number, "eps2", _number(second))
            else:
                self._native.set(number, name, _number(group[name]))


class Muon(_Native):
    """Muon: the steps of matrices are made orthogonal."""

    _kind, _settings = "muon", ("lr", "weight_decay", "momentum", "nesterov", "ns_coefficients", "eps", "ns_steps", "adjust_lr_fn")

    def __init__(self, params, lr=1e-3, weight_decay=0.1, momentum=0.95, nesterov=True, ns_coefficients=(3.4445, -4.775, 2.0315), eps=1e-7,
                 ns_steps=5, adjust_lr_fn=None):
        _common("Muon", lr, None, weight_decay)
        _check("Muon", momentum=(momentum, momentum >= 0, "not negative"),
               adjust_lr_fn=(adjust_lr_fn, adjust_lr_fn in (None, "original", "match_rms_adamw"), "'original' or 'match_rms_adamw'"))
        super().__init__(params, dict(lr=lr, weight_decay=weight_decay, momentum=momentum, nesterov=nesterov, ns_coefficients=ns_coefficients,
                                      eps=eps, ns_steps=ns_steps, adjust_lr_fn=adjust_lr_fn))
        for group in self.param_groups:
            for param in group["params"]:
                if param.dim() != 2:
                    raise ValueError(f"Muon: parameters are matrices, and one has the sizes {tuple(param.shape)}")

    def _send(self, number, group):
        for name in self._settings:
            if name == "adjust_lr_fn":
                self._native.set(number, "match_rms_adamw", float(group[name] == "match_rms_adamw"))
            elif name in _PAIRS:
                for part, one in zip(_PAIRS[name], group[name]):
                    self._native.set(number, part, _number(one))
            else:
                self._native.set(number, name, _number(group[name]))


class LBFGS(_Native):
    """L-BFGS: step(closure) computes the loss several times."""

    _kind = "lbfgs"
    _settings = ("lr", "max_iter", "max_eval", "tolerance_grad", "tolerance_change", "history_size", "line_search_fn")

    def __init__(self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7, tolerance_change=1e-9, history_size=100, line_search_fn=None):
        _common("LBFGS", lr)
        if max_eval is None:
            max_eval = max_iter * 5 // 4
        super().__init__(params, dict(lr=lr, max_iter=max_iter, max_eval=max_eval, tolerance_grad=tolerance_grad,
                                      tolerance_change=tolerance_change, history_size=history_size, line_search_fn=line_search_fn))
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS has one group of parameters")

    def _send(self, number, group):
        for name in self._settings:
            if name == "line_search_fn":
                if group[name] not in (None, "strong_wolfe"):
                    raise RuntimeError(f"LBFGS: line_search_fn is None or 'strong_wolfe', not {group[name]!r}")
                self._native.set(number, "strong_wolfe", float(group[name] is not None))
            else:
                self._native.set(number, name, _number(group[name]))

    def _pull(self):
        self._ahead = False
        held, found = self._held[self._groups[0][0]], {name.removeprefix("lbfgs."): value for name, value in self._native.state().items()}
        held.clear()
        if "numbers" not in found:
            return
        calls, made, length, scale, loss = found["numbers"].tolist()
        held.update(func_evals=int(calls), n_iter=int(made))
        if "d" in found:
            pairs = {name: list(found[name].unbind(0)) if name in found else [] for name in ("old_dirs", "old_stps", "ro")}
            held.update(d=found["d"], t=length, **pairs, H_diag=_core.tensor(scale, dtype=found["d"].dtype), prev_flat_grad=found["prev_flat_grad"],
                        prev_loss=loss, al=[None] * self.param_groups[0]["history_size"])

    def _push(self):
        held, state = self._held.get(self._groups[0][0]) or {}, {}
        if held:
            numbers = [held["func_evals"], held["n_iter"], held.get("t", 1), held.get("H_diag", 1), held.get("prev_loss", 0)]
            state["numbers"] = _core.tensor([_number(one) for one in numbers], dtype=_core.float64)
            if held.get("d") is not None:
                state.update(d=held["d"], prev_flat_grad=held["prev_flat_grad"])
                if held["old_dirs"]:
                    state.update(old_dirs=_core.stack(held["old_dirs"]), old_stps=_core.stack(held["old_stps"]),
                                 ro=_core.tensor([_number(one) for one in held["ro"]], dtype=_core.float64))
        self._native.set_state({f"lbfgs.{name}": value for name, value in state.items()})
        self._shown = False

    def step(self, closure):
        """Several steps along lines; closure clears the gradients, computes the loss and its gradients, and returns the loss."""
        first = []

        def call():
            before = _core._set_grad_mode(1)
            try:
                loss = closure()
            finally:
                _core._set_grad_mode(before)
            if not first:
                first.append(loss)
            return float(loss)

        self._prepare()
        self._native.step_closure(call)
        self._ahead = True
        return first[0]


class SparseAdam(Optimizer):
    """Adam for sparse gradients, which are not there."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, maximize=False):
        raise NotImplementedError("SparseAdam: there are no sparse gradients here; use Adam")
