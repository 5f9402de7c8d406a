"""functorch: the older home of tenon.func, with networks as functions of their parameters."""

import copy

from tenon.func import *  # noqa: F403
from tenon.func import functional_call, stack_module_state

__all__ = ["combine_state_for_ensemble", "functionalize", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "make_functional",
           "make_functional_with_buffers", "vjp", "vmap"]


def _network(model, disable_autograd_tracking):
    """The network without parameters, their names, and the parameters, which are the function's from now on."""
    names, values = zip(*model.named_parameters()) if list(model.parameters()) else ((), ())
    if disable_autograd_tracking:
        for value in values:
            value.requires_grad_(False)
    return copy.deepcopy(model).to("meta"), names, values


def make_functional(model, disable_autograd_tracking=False):
    """(function, parameters): function(parameters, *args) is what model(*args) would be with these parameters."""
    if list(model.buffers()):
        raise RuntimeError("make_functional: the network has buffers; make_functional_with_buffers takes those, too")
    empty, names, values = _network(model, disable_autograd_tracking)
    return lambda params, *args, **kwargs: functional_call(empty, dict(zip(names, params)), args, kwargs), values


def make_functional_with_buffers(model, disable_autograd_tracking=False):
    """(function, parameters, buffers): function(parameters, buffers, *args) is what model(*args) would be with these."""
    kept, held = zip(*model.named_buffers()) if list(model.buffers()) else ((), ())
    empty, names, values = _network(model, disable_autograd_tracking)

    def call(params, buffers, *args, **kwargs):
        return functional_call(empty, {**dict(zip(names, params)), **dict(zip(kept, buffers))}, args, kwargs)
    return call, values, held


def combine_state_for_ensemble(models):
    """(function, parameters, buffers) of networks of one kind, whose parameters and buffers are stacked."""
    call, names, kept = make_functional_with_buffers(models[0])[0], *([name for name, _ in one] for one in (models[0].named_parameters(), models[0].named_buffers()))
    params, buffers = stack_module_state(models)
    return call, tuple(params[name] for name in names), tuple(buffers[name] for name in kept)
