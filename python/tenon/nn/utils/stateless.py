"""Calls of a module with other parameters than its own."""

import contextlib

__all__ = ["functional_call"]


def _named(module, tie_weights):
    return {**dict(module.named_parameters(remove_duplicate=False)), **dict(module.named_buffers(remove_duplicate=False))}


@contextlib.contextmanager
def _reparametrize_module(module, parameters_and_buffers, tie_weights=False, strict=False):
    own = _named(module, tie_weights)
    given = dict(parameters_and_buffers)
    if strict:
        missing, extra = sorted(set(own) - set(given)), sorted(set(given) - set(own))
        if tie_weights:
            ids = {id(own[name]) for name in given if name in own}
            missing = [name for name in missing if id(own[name]) not in ids]
        if missing or extra:
            raise RuntimeError(f"functional_call: missing are {missing}, unexpected are {extra}")
    if tie_weights:
        by_tensor = {}
        for name, value in given.items():
            if name in own:
                first = by_tensor.setdefault(id(own[name]), value)
                if first is not value:
                    raise ValueError(f"functional_call: {name} is tied to another parameter, and they have different values")
        for name, tensor in own.items():
            if name not in given and id(tensor) in by_tensor:
                given[name] = by_tensor[id(tensor)]
    undo = []
    try:
        for name, value in given.items():
            path, _, last = name.rpartition(".")
            owner = module.get_submodule(path)
            if last in owner._parameters:
                held = owner._parameters
            elif last in owner._buffers:
                held = owner._buffers
            else:
                raise AttributeError(f"{type(owner).__name__} has no parameter or buffer {last!r}")
            undo.append((held, last, held[last]))
            held[last] = value
        yield
    finally:
        for held, last, value in reversed(undo):
            held[last] = value


def _functional_call(module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False):
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    with _reparametrize_module(module, parameters_and_buffers, tie_weights, strict):
        return module(*args, **(kwargs or {}))


def functional_call(module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """What the module gives with these tensors in the place of its own."""
    return _functional_call(module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict)
