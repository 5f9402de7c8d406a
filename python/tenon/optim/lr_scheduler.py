"""Schedules of the learning rate, with torch.optim.lr_scheduler's names and numbers.

A schedule writes lr into the groups of its optimiser: once when it is made, and with each step(). The first lr of a group is kept
there as initial_lr.
"""

import math
import types
import warnings
import weakref
from bisect import bisect_right
from collections import Counter

from tenon import _core
from tenon.optim.optimizer import Optimizer

__all__ = ["ChainedScheduler", "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "CyclicLR", "ExponentialLR", "LRScheduler",
           "LambdaLR", "LinearLR", "MultiStepLR", "MultiplicativeLR", "OneCycleLR", "PolynomialLR", "ReduceLROnPlateau", "SequentialLR",
           "StepLR"]


def _copied(value):
    return value.clone() if isinstance(value, _core.Tensor) else value


def _set(group, name, value):
    if isinstance(group[name], _core.Tensor):
        group[name].fill_(value)
    else:
        group[name] = value


def _one_for_each(name, optimizer, value):
    groups = optimizer.param_groups
    if not isinstance(value, (list, tuple)):
        return [value] * len(groups)
    if len(value) != len(groups):
        raise ValueError(f"{name}: there are {len(value)} values for {len(groups)} groups of parameters")
    return list(value)


class LRScheduler:
    """The base class: a subclass says in get_lr what the learning rates of the groups are."""

    _get_lr_called_within_step = False
    _is_initial = False

    def __init__(self, optimizer, last_epoch=-1):
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", _copied(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(f"to go on with a schedule (last_epoch {last_epoch}), group {i} of the optimiser needs initial_lr")
        self.base_lrs = [_copied(group["initial_lr"]) for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._watch(optimizer)
        self._initial_step()

    @staticmethod
    def _watch(optimizer):
        """The optimiser notes that it has made a step, to warn who takes the schedule's first."""
        if hasattr(optimizer, "_opt_called"):
            return
        optimizer._opt_called = False
        reference = weakref.ref(optimizer)

        def stepped(*ignored):
            held = reference()
            if held is not None:
                held._opt_called = True
        optimizer.register_step_post_hook(stepped)

    def _initial_step(self):
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def state_dict(self):
        """Everything but the optimiser."""
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict):
        """Takes over what state_dict gave."""
        self.__dict__.update(state_dict)

    def get_last_lr(self):
        """The learning rates that the last step has set."""
        return self._last_lr

    def get_lr(self):
        """The learning rates of the groups now."""
        raise NotImplementedError

    def _lrs(self):
        return [_copied(group["lr"]) for group in self.optimizer.param_groups]

    def step(self, epoch=None):
        """The next learning rates."""
        if self._step_count == 1 and not self.optimizer._opt_called and not self._is_initial:
            warnings.warn("lr_scheduler.step() was called before optimizer.step(): the first learning rate was never used", stacklevel=2)
        self._step_count += 1
        if epoch is not None:
            warnings.warn("give no epoch to lr_scheduler.step(): it counts by itself", stacklevel=2)
        self._update_lr(epoch)

    def _update_lr(self, epoch=None):
        self._get_lr_called_within_step = True
        try:
            if epoch is None:
                self.last_epoch += 1
                values = self.get_lr()
            else:
                self.last_epoch = epoch
                values = self._get_closed_form_lr() if hasattr(self, "_get_closed_form_lr") else self.get_lr()
        finally:
            self._get_lr_called_within_step = False
        for group, value in zip(self.optimizer.param_groups, values):
            _set(group, "lr", value)
        self._last_lr = self._lrs()


_LRScheduler = LRScheduler


class _WithFunctions(LRScheduler):
    """A schedule by functions, one for each group; state_dict keeps those that are objects."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self.lr_lambdas = _one_for_each(type(self).__name__, optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def state_dict(self):
        made = {key: value for key, value in self.__dict__.items() if key not in ("optimizer", "lr_lambdas")}
        made["lr_lambdas"] = [None if isinstance(one, types.FunctionType) else one.__dict__.copy() for one in self.lr_lambdas]
        return made

    def load_state_dict(self, state_dict):
        state = dict(state_dict)
        for one, held in zip(self.lr_lambdas, state.pop("lr_lambdas")):
            if held is not None:
                one.__dict__.update(held)
        self.__dict__.update(state)


class LambdaLR(_WithFunctions):
    """The first lr times lr_lambda(epoch)."""

    def get_lr(self):
        return [base * function(self.last_epoch) for function, base in zip(self.lr_lambdas, self.base_lrs)]


class MultiplicativeLR(_WithFunctions):
    """lr times lr_lambda(epoch) with each step."""

    def get_lr(self):
        if self._is_initial:
            return self._lrs()
        return [lr * function(self.last_epoch) for function, lr in zip(self.lr_lambdas, self._lrs())]


class StepLR(LRScheduler):
    """lr times gamma every step_size steps."""

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch == 0 or self.last_epoch % self.step_size != 0:
            return self._lrs()
        return [lr * self.gamma for lr in self._lrs()]

    def _get_closed_form_lr(self):
        return [base * self.gamma ** (self.last_epoch // self.step_size) for base in self.base_lrs]


class MultiStepLR(LRScheduler):
    """lr times gamma at milestones."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch not in self.milestones:
            return self._lrs()
        return [lr * self.gamma ** self.milestones[self.last_epoch] for lr in self._lrs()]

    def _get_closed_form_lr(self):
        return [base * self.gamma ** bisect_right(sorted(self.milestones.elements()), self.last_epoch) for base in self.base_lrs]


class ConstantLR(LRScheduler):
    """The first lr times factor for total_iters steps."""

    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        if not 0 <= factor <= 1:
            raise ValueError(f"ConstantLR: factor is between 0 and 1, not {factor}")
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch == 0:
            return [lr * self.factor for lr in self._lrs()]
        if self.last_epoch != self.total_iters:
            return self._lrs()
        return [lr * (1.0 / self.factor) for lr in self._lrs()]

    def _get_closed_form_lr(self):
        return [base * (self.factor + (self.last_epoch >= self.total_iters) * (1 - self.factor)) for base in self.base_lrs]


class LinearLR(LRScheduler):
    """The first lr times a factor that goes from start_factor to end_factor in total_iters steps."""

    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        if not 0 < start_factor <= 1:
            raise ValueError(f"LinearLR: start_factor is more than 0 and at most 1, not {start_factor}")
        if not 0 <= end_factor <= 1:
            raise ValueError(f"LinearLR: end_factor is between 0 and 1, not {end_factor}")
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch == 0:
            return [lr * self.start_factor for lr in self._lrs()]
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._lrs()
        rise = self.end_factor - self.start_factor
        return [lr * (1.0 + rise / (self.total_iters * self.start_factor + (self.last_epoch - 1) * rise)) for lr in self._lrs()]

    def _get_closed_form_lr(self):
        done = min(self.total_iters, self.last_epoch)
        return [base * (self.start_factor + (self.end_factor - self.start_factor) * done / self.total_iters) for base in self.base_lrs]


class ExponentialLR(LRScheduler):
    """lr times gamma with each step."""

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self._is_initial:
            return self._lrs()
        return [lr * self.gamma for lr in self._lrs()]

    def _get_closed_form_lr(self):
        return [base * self.gamma ** self.last_epoch for base in self.base_lrs]


class PolynomialLR(LRScheduler):
    """lr falls to 0 in total_iters steps, along a power."""

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._lrs()
        factor = ((1.0 - self.last_epoch / self.total_iters) / (1.0 - (self.last_epoch - 1) / self.total_iters)) ** self.power
        return [lr * factor for lr in self._lrs()]

    def _get_closed_form_lr(self):
        return [base * (1.0 - min(self.total_iters, self.last_epoch) / self.total_iters) ** self.power for base in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """lr falls to eta_min along half a cosine of T_max steps."""

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self._is_initial:
            return self._lrs()
        if self._step_count == 1 and self.last_epoch > 0:
            return [self.eta_min + (base - self.eta_min) * (1 + math.cos(self.last_epoch * math.pi / self.T_max)) / 2 for base in self.base_lrs]
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            return [lr + (base - self.eta_min) * (1 - math.cos(math.pi / self.T_max)) / 2 for base, lr in zip(self.base_lrs, self._lrs())]
        now, before = (1 + math.cos(math.pi * epoch / self.T_max) for epoch in (self.last_epoch, self.last_epoch - 1))
        return [now / before * (lr - self.eta_min) + self.eta_min for lr in self._lrs()]

    def _get_closed_form_lr(self):
        return [self.eta_min + (base - self.eta_min) * (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2 for base in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """CosineAnnealingLR that begins anew after T_0 steps, and then each time after T_mult as many."""

    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1):
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"CosineAnnealingWarmRestarts: T_0 is a positive whole number, not {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"CosineAnnealingWarmRestarts: T_mult is a whole number from 1, not {T_mult}")
        if not isinstance(eta_min, (float, int)):
            raise ValueError(f"CosineAnnealingWarmRestarts: eta_min is a number, not {type(eta_min).__name__}")
        self.T_0, self.T_i, self.T_mult, self.eta_min, self.T_cur = T_0, T_0, T_mult, eta_min, last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [self.eta_min + (base - self.eta_min) * (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2 for base in self.base_lrs]

    def step(self, epoch=None):
        """The next step, or the learning rates at an epoch, which may be a fraction."""
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur -= self.T_i
                self.T_i *= self.T_mult
        else:
            if epoch < 0:
                raise ValueError(f"an epoch is not negative, but is {epoch}")
            if epoch < self.T_0:
                self.T_i, self.T_cur = self.T_0, epoch
            elif self.T_mult == 1:
                self.T_cur = epoch % self.T_0
            else:
                n = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
                self.T_cur = epoch - self.T_0 * (self.T_mult ** n - 1) / (self.T_mult - 1)
                self.T_i = self.T_0 * self.T_mult ** n
        self._step_count += 1
        self.last_epoch = math.floor(epoch)
        for group, value in zip(self.optimizer.param_groups, self.get_lr()):
            _set(group, "lr", value)
        self._last_lr = self._lrs()
        self._get_lr_called_within_step = False  # a name of its state


class _Several:
    """state_dict of schedules that have others inside."""

    def state_dict(self):
        made = {key: value for key, value in self.__dict__.items() if key not in ("optimizer", "_schedulers")}
        made["_schedulers"] = [one.state_dict() for one in self._schedulers]
        return made

    def load_state_dict(self, state_dict):
        state = dict(state_dict)
        for one, held in zip(self._schedulers, state.pop("_schedulers")):
            one.load_state_dict(held)
        self.__dict__.update(state)


def _of_one_optimizer(name, optimizer, schedulers):
    for i, one in enumerate(schedulers):
        if not hasattr(one, "optimizer"):
            raise TypeError(f"{name}: schedule {i} has no optimizer")
        if isinstance(one, ReduceLROnPlateau):
            raise ValueError(f"{name}: ReduceLROnPlateau needs a metric for its steps, so it cannot be one of several")
        if one.optimizer is not optimizer:
            raise ValueError(f"{name}: the schedules are of different optimisers")


class SequentialLR(_Several, LRScheduler):
    """One schedule after the other: the next takes over at each milestone."""

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        if len(schedulers) < 1:
            raise ValueError("SequentialLR: there are no schedules")
        _of_one_optimizer("SequentialLR", optimizer, schedulers)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(f"SequentialLR: {len(schedulers)} schedules have {len(schedulers) - 1} milestones, not {len(milestones)}")
        self._schedulers, self._milestones, self.last_epoch, self.optimizer = schedulers, milestones, last_epoch + 1, optimizer
        for group in optimizer.param_groups:
            _set(group, "lr", group["initial_lr"])
        for one in schedulers:
            one.last_epoch -= 1
        schedulers[0]._initial_step()
        self._last_lr = schedulers[0].get_last_lr()

    def step(self):
        """The next step of the schedule whose turn it is."""
        self.last_epoch += 1
        place = bisect_right(self._milestones, self.last_epoch)
        one = self._schedulers[place]
        if place > 0 and self._milestones[place - 1] == self.last_epoch:
            one._update_lr(0)
        else:
            one.step()
        self._last_lr = one.get_last_lr()


class ChainedScheduler(_Several, LRScheduler):
    """Several schedules that all make each step."""

    def __init__(self, schedulers, optimizer=None):
        if len(schedulers) < 1:
            raise ValueError("ChainedScheduler: there are no schedules")
        optimizer = optimizer or schedulers[0].optimizer
        _of_one_optimizer("ChainedScheduler", optimizer, schedulers)
        self._schedulers, self.optimizer = schedulers, optimizer
        self._last_lr = [_copied(group["lr"]) for group in optimizer.param_groups]

    def step(self):
        """A step of each."""
        for one in self._schedulers:
            one.step()
        self._last_lr = [_copied(group["lr"]) for group in self._schedulers[-1].optimizer.param_groups]


class ReduceLROnPlateau(LRScheduler):
    """lr times factor when a number has not become better for more than patience steps: step(metrics)."""

    def __init__(self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel", cooldown=0, min_lr=0, eps=1e-8):
        if factor >= 1.0:
            raise ValueError(f"ReduceLROnPlateau: factor is less than 1, not {factor}")
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        if mode not in ("min", "max"):
            raise ValueError(f"ReduceLROnPlateau: mode is 'min' or 'max', not {mode!r}")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"ReduceLROnPlateau: threshold_mode is 'rel' or 'abs', not {threshold_mode!r}")
        self.factor, self.optimizer = factor, optimizer
        if isinstance(min_lr, (list, tuple)):
            self.default_min_lr, self.min_lrs = None, _one_for_each("ReduceLROnPlateau", optimizer, min_lr)
        else:
            self.default_min_lr, self.min_lrs = min_lr, [min_lr] * len(optimizer.param_groups)
        self.patience, self.cooldown, self.eps, self.last_epoch = patience, cooldown, eps, 0
        self._last_lr = self._lrs()
        self.mode, self.threshold, self.threshold_mode = mode, threshold, threshold_mode
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self._reset()

    def _reset(self):
        self.best, self.cooldown_counter, self.num_bad_epochs = self.mode_worse, 0, 0

    def step(self, metrics, epoch=None):
        """Looks at a number."""
        current = float(metrics)
        if epoch is None:
            epoch = self.last_epoch + 1
        else:
            warnings.warn("give no epoch to lr_scheduler.step(): it counts by itself", stacklevel=2)
        self.last_epoch = epoch
        if self._is_better(current, self.best):
            self.best, self.num_bad_epochs = current, 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce_lr(epoch)
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = self._lrs()

    def _reduce_lr(self, epoch):
        groups = self.optimizer.param_groups
        if len(groups) != len(self.min_lrs):
            if self.default_min_lr is None:
                raise RuntimeError(f"ReduceLROnPlateau: there are {len(self.min_lrs)} min_lr for {len(groups)} groups of parameters")
            self.min_lrs = [self.default_min_lr] * len(groups)
        for group, least in zip(groups, self.min_lrs):
            old = float(group["lr"])
            new = max(old * self.factor, least)
            if old - new > self.eps:
                _set(group, "lr", new)

    @property
    def in_cooldown(self):
        """Whether nothing is counted because lr has just become less."""
        return self.cooldown_counter > 0

    def _is_better(self, a, best):
        if self.threshold_mode == "rel":
            return a < best * (1.0 - self.threshold) if self.mode == "min" else a > best * (self.threshold + 1.0)
        return a < best - self.threshold if self.mode == "min" else a > best + self.threshold

    def get_lr(self):
        return self._lrs()


class CyclicLR(LRScheduler):
    """lr goes up and down between base_lr and max_lr, and momentum the other way."""

    def __init__(self, optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None, mode="triangular", gamma=1.0, scale_fn=None,
                 scale_mode="cycle", cycle_momentum=True, base_momentum=0.8, max_momentum=0.9, last_epoch=-1):
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        base = _one_for_each("CyclicLR", optimizer, base_lr)
        if last_epoch == -1:
            for group, lr in zip(optimizer.param_groups, base):
                _set(group, "lr", lr)
        self.max_lrs = _one_for_each("CyclicLR", optimizer, max_lr)
        step_size_up = float(step_size_up)
        step_size_down = step_size_up if step_size_down is None else float(step_size_down)
        self.total_size = step_size_up + step_size_down
        self.step_ratio = step_size_up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError(f"CyclicLR: mode is 'triangular', 'triangular2' or 'exp_range', not {mode!r}; or give scale_fn")
        self.mode, self.gamma = mode, gamma
        self._scale_fn_custom, self.scale_mode = scale_fn, scale_mode
        if scale_fn is None:
            self.scale_mode = "iterations" if mode == "exp_range" else "cycle"
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
                raise ValueError("CyclicLR: cycle_momentum needs an optimiser with momentum or betas")
            self.use_beta1 = "betas" in optimizer.defaults
            self.base_momentums = _one_for_each("CyclicLR", optimizer, base_momentum)
            self.max_momentums = _one_for_each("CyclicLR", optimizer, max_momentum)
            if last_epoch == -1:
                for most, least, group in zip(self.max_momentums, self.base_momentums, optimizer.param_groups):
                    self._set_momentum(group, most)
                    group["max_momentum"], group["base_momentum"] = most, least
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base

    def _set_momentum(self, group, value):
        if self.use_beta1:
            group["betas"] = (value, *group["betas"][1:])
        else:
            group["momentum"] = value

    def scale_fn(self, x):
        """How much of the range is used."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "triangular":
            return 1.0
        return 1 / (2.0 ** (x - 1)) if self.mode == "triangular2" else self.gamma ** x

    def get_lr(self):
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        share = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        argument = cycle if self.scale_mode == "cycle" else self.last_epoch
        lrs = [base + (most - base) * share * self.scale_fn(argument) for base, most in zip(self.base_lrs, self.max_lrs)]
        if self.cycle_momentum:
            for group, least, most in zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums):
                self._set_momentum(group, most - (most - least) * share * self.scale_fn(argument))
        return lrs

    def state_dict(self):
        made = super().state_dict()
        custom = made.pop("_scale_fn_custom")
        made["_scale_fn_custom"] = None if custom is None or isinstance(custom, types.FunctionType) else custom.__dict__.copy()
        return made

    def load_state_dict(self, state_dict):
        state = dict(state_dict)
        custom = state.pop("_scale_fn_custom", None)
        self.__dict__.update(state)
        if custom is not None:
            self._scale_fn_custom.__dict__.update(custom)


class OneCycleLR(LRScheduler):
    """lr goes up to max_lr and down to far below where it began, in total_steps steps; momentum goes the other way."""

    def __init__(self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3, anneal_strategy="cos",
                 cycle_momentum=True, base_momentum=0.85, max_momentum=0.95, div_factor=25.0, final_div_factor=1e4, three_phase=False, last_epoch=-1):
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        if total_steps is not None:
            if total_steps <= 0 or not isinstance(total_steps, int):
                raise ValueError(f"OneCycleLR: total_steps is a positive whole number, not {total_steps}")
            self.total_steps = total_steps
        elif epochs is not None and steps_per_epoch is not None:
            if not isinstance(epochs, int) or epochs <= 0 or not isinstance(steps_per_epoch, int) or steps_per_epoch <= 0:
                raise ValueError(f"OneCycleLR: epochs and steps_per_epoch are positive whole numbers, not {epochs} and {steps_per_epoch}")
            self.total_steps = epochs * steps_per_epoch
        else:
            raise ValueError("OneCycleLR: give total_steps, or epochs and steps_per_epoch")
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(f"OneCycleLR: pct_start is a float between 0 and 1, not {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"OneCycleLR: anneal_strategy is 'cos' or 'linear', not {anneal_strategy!r}")
        self._anneal_func_type = anneal_strategy
        total = self.total_steps
        if three_phase:
            self._schedule_phases = [
                {"end_step": float(pct_start * total) - 1, "start_lr": "initial_lr", "end_lr": "max_lr", "start_momentum": "max_momentum", "end_momentum": "base_momentum"},
                {"end_step": float(2 * pct_start * total) - 2, "start_lr": "max_lr", "end_lr": "initial_lr", "start_momentum": "base_momentum", "end_momentum": "max_momentum"},
                {"end_step": total - 1, "start_lr": "initial_lr", "end_lr": "min_lr", "start_momentum": "max_momentum", "end_momentum": "max_momentum"},
            ]
        else:
            self._schedule_phases = [
                {"end_step": float(pct_start * total) - 1, "start_lr": "initial_lr", "end_lr": "max_lr", "start_momentum": "max_momentum", "end_momentum": "base_momentum"},
                {"end_step": total - 1, "start_lr": "max_lr", "end_lr": "min_lr", "start_momentum": "base_momentum", "end_momentum": "max_momentum"},
            ]
        if last_epoch == -1:
            for group, most in zip(optimizer.param_groups, _one_for_each("OneCycleLR", optimizer, max_lr)):
                group["initial_lr"], group["max_lr"] = most / div_factor, most
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
                raise ValueError("OneCycleLR: cycle_momentum needs an optimiser with momentum or betas")
            self.use_beta1 = "betas" in optimizer.defaults
            if last_epoch == -1:
                for most, least, group in zip(_one_for_each("OneCycleLR", optimizer, max_momentum),
                                              _one_for_each("OneCycleLR", optimizer, base_momentum), optimizer.param_groups):
                    self._set_momentum(group, most)
                    group["max_momentum"], group["base_momentum"] = most, least
        super().__init__(optimizer, last_epoch)

    _set_momentum = CyclicLR._set_momentum

    def _anneal_func(self, start, end, share):
        if self._anneal_func_type == "linear":
            return (end - start) * share + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * share) + 1)

    def get_lr(self):
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(f"OneCycleLR: step {step} comes after the {self.total_steps} steps of the cycle")
        lrs = []
        for group in self.optimizer.param_groups:
            start = 0.0
            for i, phase in enumerate(self._schedule_phases):
                end = phase["end_step"]
                if step <= end or i == len(self._schedule_phases) - 1:
                    share = (step - start) / (end - start)
                    lr = self._anneal_func(group[phase["start_lr"]], group[phase["end_lr"]], share)
                    if self.cycle_momentum:
                        momentum = self._anneal_func(group[phase["start_momentum"]], group[phase["end_momentum"]], share)
                    break
                start = end
            lrs.append(lr)
            if self.cycle_momentum:
                self._set_momentum(group, momentum)
        return lrs
