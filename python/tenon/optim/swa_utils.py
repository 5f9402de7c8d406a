"""Averages of networks over training: stochastic weight averaging and moving averages."""

import math
from copy import deepcopy

from tenon import _core
from tenon.nn.modules.batchnorm import _BatchNorm
from tenon.nn.modules.module import Module, _core_no_grad
from tenon.optim.lr_scheduler import LRScheduler, _one_for_each

__all__ = ["AveragedModel", "SWALR", "get_ema_avg_fn", "get_ema_multi_avg_fn", "get_swa_avg_fn", "get_swa_multi_avg_fn", "update_bn"]


def get_swa_avg_fn():
    """The mean of all: a function of the average, a new value and how many there were."""
    def average(averaged, current, number):
        return averaged + (current - averaged) / (number + 1)
    return average


def get_ema_avg_fn(decay=0.999):
    """A moving average."""
    if not 0 <= decay <= 1:
        raise ValueError(f"decay is between 0 and 1, not {decay}")

    def average(averaged, current, number):
        return decay * averaged + (1 - decay) * current
    return average


def get_swa_multi_avg_fn():
    """The mean of all, for lists of tensors, in place."""
    def average(averaged, current, number):
        with _core_no_grad():
            for one, other in zip(averaged, current):
                one.lerp_(other, 1 / (float(number) + 1))
    return average


def get_ema_multi_avg_fn(decay=0.999):
    """A moving average, for lists of tensors, in place."""
    if not 0 <= decay <= 1:
        raise ValueError(f"decay is between 0 and 1, not {decay}")

    def average(averaged, current, number):
        with _core_no_grad():
            for one, other in zip(averaged, current):
                if one.is_floating_point() or one.is_complex():
                    one.lerp_(other, 1 - decay)
                else:
                    one.copy_(one * decay + other * (1 - decay))
    return average


class AveragedModel(Module):
    """A copy of a network whose parameters are averages: call update_parameters(model) after steps."""

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("give avg_fn or multi_avg_fn, not both")
        self.module = deepcopy(model)
        self.register_buffer("n_averaged", _core.tensor(0, dtype=_core.int64))
        self.avg_fn, self.multi_avg_fn, self.use_buffers = avg_fn, multi_avg_fn, use_buffers

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def update_parameters(self, model):
        """Takes the parameters of a network into the average."""
        def all_of(one):
            return [*one.parameters(), *one.buffers()] if self.use_buffers else list(one.parameters())

        own, new, count = all_of(self.module), all_of(model), int(self.n_averaged)
        with _core_no_grad():
            if count == 0:
                for mine, other in zip(own, new):
                    mine.detach().copy_(other.detach())
            elif self.avg_fn is not None:
                for mine, other in zip(own, new):
                    mine.detach().copy_(self.avg_fn(mine.detach(), other.detach(), self.n_averaged))
            else:
                function = self.multi_avg_fn or get_swa_multi_avg_fn()
                function([one.detach() for one in own], [one.detach() for one in new], self.n_averaged)
            if not self.use_buffers:
                for mine, other in zip(self.module.buffers(), model.buffers()):
                    mine.detach().copy_(other.detach())
            self.n_averaged.add_(1)


def update_bn(loader, model, device=None):
    """Statistics of batch norms anew, from the inputs of a loader."""
    norms = [module for module in model.modules() if isinstance(module, _BatchNorm)]
    if not norms:
        return
    momenta = {module: module.momentum for module in norms}
    was_training = model.training
    model.train()
    for module in norms:
        module.reset_running_stats()
        module.momentum = None
    with _core_no_grad():
        for batch in loader:
            model(batch[0] if isinstance(batch, (list, tuple)) else batch)
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """lr goes to swa_lr in anneal_epochs steps and stays there."""

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        for group, lr in zip(optimizer.param_groups, _one_for_each("SWALR", optimizer, swa_lr)):
            group["swa_lr"] = lr
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"SWALR: anneal_strategy is 'cos' or 'linear', not {anneal_strategy!r}")
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"SWALR: anneal_epochs is a whole number that is not negative, not {anneal_epochs}")
        self._anneal_strategy, self.anneal_epochs = anneal_strategy, anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _share(self, t):
        return t if self._anneal_strategy == "linear" else (1 - math.cos(math.pi * t)) / 2

    def get_lr(self):
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before = self._share(max(0, min(1, (step - 1) / max(1, self.anneal_epochs))))
        now = self._share(max(0, min(1, step / max(1, self.anneal_epochs))))
        lrs = []
        for group in self.optimizer.param_groups:
            swa = group["swa_lr"]
            first = swa if before == 1 else (group["lr"] - before * swa) / (1 - before)
            lrs.append(swa * now + first * (1 - now))
        return lrs
