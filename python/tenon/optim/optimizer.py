"""Optimizer, the base class: groups of parameters with settings, and a state for each parameter."""

import copy
import functools
import warnings
from collections import OrderedDict, defaultdict
from itertools import chain
from typing import Any, Dict, Iterable, Tuple, Union

from tenon import _core
from tenon.nn.modules.module import _core_no_grad, _register

__all__ = ["Optimizer", "register_optimizer_step_post_hook", "register_optimizer_step_pre_hook"]

ParamsT = Union[Iterable[_core.Tensor], Iterable[Dict[str, Any]], Iterable[Tuple[str, _core.Tensor]]]
_global_pre_hooks, _global_post_hooks = OrderedDict(), OrderedDict()


class _Required:
    """What has no default and must be given in every group."""

    def __repr__(self):
        return "<required parameter>"


required = _Required()


def register_optimizer_step_pre_hook(hook):
    """A hook(optimizer, args, kwargs) before the step of every optimiser."""
    return _register(_global_pre_hooks, hook)


def register_optimizer_step_post_hook(hook):
    """A hook(optimizer, args, kwargs) after the step of every optimiser."""
    return _register(_global_post_hooks, hook)


def _use_grad_for_differentiable(function):
    """A step without recording."""
    @functools.wraps(function)
    def call(*args, **kwargs):
        with _core_no_grad():
            return function(*args, **kwargs)
    return call


def _with_hooks(function):
    @functools.wraps(function)
    def step(self, *args, **kwargs):
        before, after = self._optimizer_step_pre_hooks, self._optimizer_step_post_hooks
        if not before and not after and not _global_pre_hooks and not _global_post_hooks:
            return function(self, *args, **kwargs)
        for hook in chain(_global_pre_hooks.values(), before.values()):
            answer = hook(self, args, kwargs)
            if answer is not None:
                if not isinstance(answer, tuple) or len(answer) != 2:
                    raise RuntimeError(f"a hook before step returns None or (args, kwargs), not {answer!r}")
                args, kwargs = answer
        result = function(self, *args, **kwargs)
        for hook in chain(after.values(), _global_post_hooks.values()):
            hook(self, args, kwargs)
        return result

    step.hooked = True
    return step


class Optimizer:
    """The base class of optimisers: give it parameters, or dictionaries with parameters and settings, and the default settings."""

    def __init__(self, params, defaults):
        self.defaults = defaults
        self._make_hooks()
        if isinstance(params, _core.Tensor):
            raise TypeError("an optimiser takes an iterable of parameters, not one tensor")
        self.state = defaultdict(dict)
        self.param_groups = []
        groups = list(params)
        if not groups:
            raise ValueError("an optimiser got an empty list of parameters")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)
        self._patch_step_function()

    def _make_hooks(self):
        for name in ("step_pre", "step_post", "state_dict_pre", "state_dict_post", "load_state_dict_pre", "load_state_dict_post"):
            setattr(self, f"_optimizer_{name}_hooks", OrderedDict())

    def _patch_step_function(self):
        kind = type(self)
        if not getattr(kind.step, "hooked", None):
            kind.step = _with_hooks(kind.step)

    def __getstate__(self):
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state):
        self.__dict__.update(state)
        for name in ("step_pre", "step_post", "state_dict_pre", "state_dict_post", "load_state_dict_pre", "load_state_dict_post"):
            self.__dict__.setdefault(f"_optimizer_{name}_hooks", OrderedDict())
        self._patch_step_function()

    def __repr__(self):
        text = type(self).__name__ + " ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            for key in sorted(group):
                if key != "params":
                    text += f"    {key}: {group[key]}\n"
        return text + ")"

    # ---- hooks

    def register_step_pre_hook(self, hook):
        """A hook(optimizer, args, kwargs) before step."""
        return _register(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook):
        """A hook(optimizer, args, kwargs) after step."""
        return _register(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(self, hook, prepend=False):
        """A hook(optimizer) before state_dict."""
        return _register(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(self, hook, prepend=False):
        """A hook(optimizer, state_dict) after state_dict; what it returns takes its place."""
        return _register(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(self, hook, prepend=False):
        """A hook(optimizer, state_dict) before load_state_dict; what it returns takes its place."""
        return _register(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(self, hook, prepend=False):
        """A hook(optimizer) after load_state_dict."""
        return _register(self._optimizer_load_state_dict_post_hooks, hook, prepend)

    # ---- the state

    def state_dict(self):
        """The state of all parameters by their numbers, and the groups with their settings."""
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        numbers, groups = {}, []
        for group in self.param_groups:
            packed = {key: value for key, value in group.items() if key != "params"}
            for param in group["params"]:
                numbers.setdefault(id(param), len(numbers))
            packed["params"] = [numbers[id(param)] for param in group["params"]]
            groups.append(packed)
        state = {(numbers[id(key)] if isinstance(key, _core.Tensor) else key): value for key, value in self.state.items()}
        made = {"state": state, "param_groups": groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            answer = hook(self, made)
            made = made if answer is None else answer
        return made

    @staticmethod
    def _fit(param, value, key=None):
        """A part of a state with the dtype of its parameter; counts keep theirs."""
        if isinstance(value, _core.Tensor):
            if key == "step":
                return value
            return value.to(dtype=param.dtype) if param.is_floating_point() and value.is_floating_point() else value
        if isinstance(value, dict):
            return {k: Optimizer._fit(param, v, k) for k, v in value.items()}
        if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
            return type(value)(Optimizer._fit(param, v) for v in value)
        return value

    def load_state_dict(self, state_dict):
        """Takes over what state_dict gave, PyTorch's too."""
        state_dict = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            answer = hook(self, state_dict)
            state_dict = state_dict if answer is None else answer
        groups, saved = self.param_groups, copy.deepcopy(state_dict["param_groups"])
        if len(groups) != len(saved):
            raise ValueError(f"the state has {len(saved)} groups of parameters, and this optimiser {len(groups)}")
        for i, (own, other) in enumerate(zip(groups, saved)):
            if len(own["params"]) != len(other["params"]):
                raise ValueError(f"group {i} has {len(other['params'])} parameters in the state, and {len(own['params'])} here")
        by_number = dict(zip(chain.from_iterable(group["params"] for group in saved), chain.from_iterable(group["params"] for group in groups)))
        state = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in by_number:
                state[by_number[key]] = self._fit(by_number[key], value)
            else:
                state[key] = value
        made = []
        for own, other in zip(groups, saved):
            other["params"] = own["params"]
            if "param_names" in own and "param_names" not in other:
                other["param_names"] = own["param_names"]
            made.append(other)
        self.__setstate__({"state": state, "param_groups": made})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    def zero_grad(self, set_to_none=True):
        """Forgets the gradients of all parameters, or writes 0 to them."""
        for group in self.param_groups:
            for param in group["params"]:
                if set_to_none:
                    param.grad = None
                elif param.grad is not None:
                    param.grad.detach_()
                    param.grad.zero_()

    def step(self, closure=None):
        """One step; the subclass says how."""
        raise NotImplementedError

    def add_param_group(self, param_group):
        """One more group of parameters, with settings of its own."""
        if not isinstance(param_group, dict):
            raise TypeError(f"a group of parameters is a dictionary, not {type(param_group).__name__}")
        params = param_group["params"]
        if isinstance(params, _core.Tensor):
            param_group["params"] = [params]
        elif isinstance(params, set):
            raise TypeError("the parameters of an optimiser need an order, which a set has not: use a list")
        else:
            param_group["params"] = list(params)
        named, plain = {}, []
        for param in param_group["params"]:
            if isinstance(param, tuple):
                named[param[0]] = None
                param = param[1]
            plain.append(param)
        if named and len(named) != len(plain):
            raise ValueError("all parameters of an optimiser have names, or none")
        param_group["params"] = plain
        if named:
            param_group["param_names"] = list(named)
        for param in plain:
            if not isinstance(param, _core.Tensor):
                raise TypeError(f"an optimiser changes tensors, not {type(param).__name__}")
            if not self.defaults.get("differentiable", None) and not (param.is_leaf or param.retains_grad):
                raise ValueError("an optimiser changes leaves, and this tensor was computed from others")
        for name, value in self.defaults.items():
            if value is required and name not in param_group:
                raise ValueError(f"a group of parameters needs {name}")
            param_group.setdefault(name, value)
        if len(set(map(id, plain))) != len(plain):
            warnings.warn("a group of an optimiser has a parameter twice", stacklevel=3)
        if self.param_groups and ("param_names" in param_group) != ("param_names" in self.param_groups[0]):
            raise ValueError("all groups of parameters have names, or none")
        known = {id(param) for group in self.param_groups for param in group["params"]}
        if not known.isdisjoint(map(id, plain)):
            raise ValueError("some parameters are in more than one group")
        self.param_groups.append(param_group)
