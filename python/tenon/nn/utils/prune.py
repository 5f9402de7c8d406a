"""Pruning: weights times masks of zeros and ones. A pruned parameter becomes name_orig, its mask the buffer name_mask, and the
product is computed before each call of the module."""

from abc import ABC, abstractmethod
from collections.abc import Iterable

from tenon import _core

__all__ = ["BasePruningMethod", "CustomFromMask", "Identity", "L1Unstructured", "LnStructured", "PruningContainer", "RandomStructured",
           "RandomUnstructured", "custom_from_mask", "global_unstructured", "identity", "is_pruned", "l1_unstructured", "ln_structured",
           "random_structured", "random_unstructured", "remove"]


def _validate_amount(amount, size):
    """How many of `size`: a share between 0 and 1, or a number."""
    if isinstance(amount, bool) or not isinstance(amount, (int, float)):
        raise TypeError(f"amount is a number, not {amount!r}")
    if isinstance(amount, int):
        if amount < 0:
            raise ValueError(f"amount is not negative, but is {amount}")
        if amount > size:
            raise ValueError(f"amount is {amount}, and there are {size}")
        return amount
    if not 0.0 <= amount <= 1.0:
        raise ValueError(f"amount is a share between 0 and 1, not {amount}")
    return round(amount * size)


def _slices(tensor, dim):
    if tensor.dim() <= 1:
        raise ValueError(f"whole slices of a tensor of {tensor.dim()} dimensions cannot be pruned: it needs 2 or more")
    if not -tensor.dim() <= dim < tensor.dim():
        raise IndexError(f"dim {dim} is out of range for {tensor.dim()} dimensions")
    return tensor.shape[dim]


class BasePruningMethod(ABC):
    """A way to choose a mask: compute_mask(scores, default mask)."""

    _tensor_name = None
    PRUNING_TYPE = "unstructured"

    def __call__(self, module, inputs):
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t, default_mask):
        """The mask for scores; what is 0 in default_mask stays 0."""

    def apply_mask(self, module):
        """The parameter times its mask."""
        if self._tensor_name is None:
            raise AssertionError(f"{type(module).__name__} has not been pruned")
        mask, original = getattr(module, self._tensor_name + "_mask"), getattr(module, self._tensor_name + "_orig")
        return mask.to(dtype=original.dtype) * original

    @classmethod
    def apply(cls, module, name, *args, importance_scores=None, **kwargs):
        """Prunes a parameter of a module, once more where it has been pruned."""
        found = [(key, hook) for key, hook in module._forward_pre_hooks.items() if isinstance(hook, BasePruningMethod) and hook._tensor_name == name]
        if len(found) > 1:
            raise AssertionError(f"{name} of {type(module).__name__} has {len(found)} pruning hooks")
        method = cls(*args, **kwargs)
        method._tensor_name = name
        before = None
        if found:
            key, before = found[0]
            del module._forward_pre_hooks[key]
            if isinstance(before, PruningContainer):
                before.add_pruning_method(method)
                method = before
            else:
                method = PruningContainer(before, method)
                method._tensor_name = name
        original = getattr(module, name)
        if importance_scores is None:
            importance_scores = original
        elif importance_scores.shape != original.shape:
            raise AssertionError(f"importance_scores have the sizes {tuple(importance_scores.shape)}, and {name} has {tuple(original.shape)}")
        if before is None:
            del module._parameters[name]
            module.register_parameter(name + "_orig", original)
            default = _core.ones_like(original)
        else:
            default = getattr(module, name + "_mask").detach().clone(memory_format=_core.contiguous_format)
        try:
            mask = method.compute_mask(importance_scores.detach(), default_mask=default)
            module.register_buffer(name + "_mask", mask.detach())
            setattr(module, name, method.apply_mask(module))
            module.register_forward_pre_hook(method)
        except Exception:
            if before is None:
                module.register_parameter(name, original)
                del module._parameters[name + "_orig"]
            raise
        return method

    def prune(self, t, default_mask=None, importance_scores=None):
        """A tensor times the mask that this method chooses for it."""
        if importance_scores is None:
            importance_scores = t
        elif importance_scores.shape != t.shape:
            raise AssertionError(f"importance_scores have the sizes {tuple(importance_scores.shape)}, and the tensor has {tuple(t.shape)}")
        default = default_mask if default_mask is not None else _core.ones_like(t)
        return t * self.compute_mask(importance_scores, default_mask=default)

    def remove(self, module):
        """Makes the pruned values the parameter; what was pruned is lost."""
        name = self._tensor_name
        if name is None:
            raise AssertionError(f"{type(module).__name__} has not been pruned")
        weight = self.apply_mask(module)
        if hasattr(module, name):
            delattr(module, name)
        original = module._parameters[name + "_orig"]
        original.data = weight.data
        del module._parameters[name + "_orig"]
        del module._buffers[name + "_mask"]
        setattr(module, name, original)


class PruningContainer(BasePruningMethod):
    """Several methods for one parameter, one after the other."""

    def __init__(self, *args):
        self._pruning_methods = ()
        if len(args) == 1 and not isinstance(args[0], Iterable):
            self._tensor_name = args[0]._tensor_name
        elif args:
            first = args[0] if not isinstance(args[0], Iterable) else args[0][0]
            self._tensor_name = first._tensor_name
        for method in args[0] if len(args) == 1 and isinstance(args[0], Iterable) else args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method):
        """One more method."""
        if method is not None and not isinstance(method, BasePruningMethod):
            raise TypeError(f"{type(method).__name__} is not a pruning method")
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError(f"this container prunes {self._tensor_name}, and the method {method._tensor_name}")
        self._pruning_methods += (method,)

    def __len__(self):
        return len(self._pruning_methods)

    def __iter__(self):
        return iter(self._pruning_methods)

    def __getitem__(self, place):
        return self._pruning_methods[place]

    def compute_mask(self, t, default_mask):
        method, mask = self._pruning_methods[-1], default_mask.to(dtype=t.dtype)
        if method.PRUNING_TYPE == "unstructured":
            place = mask == 1
        elif method.PRUNING_TYPE == "structured":
            dim = method.dim % t.dim()
            kept = mask.sum([d for d in range(t.dim()) if d != dim]) != 0
            place = (slice(None),) * dim + (kept,)
        elif method.PRUNING_TYPE == "global":
            place = (slice(None),) * t.dim()
        else:
            raise ValueError(f"PRUNING_TYPE is 'unstructured', 'structured' or 'global', not {method.PRUNING_TYPE!r}")
        made = mask.clone()
        made[place] = method.compute_mask(t[place], default_mask=mask[place]).to(dtype=mask.dtype)
        return made


class Identity(BasePruningMethod):
    """A mask of ones."""

    def compute_mask(self, t, default_mask):
        return default_mask

    @classmethod
    def apply(cls, module, name):
        return super().apply(module, name)


class RandomUnstructured(BasePruningMethod):
    """Elements at random."""

    def __init__(self, amount):
        _validate_amount(amount, float("inf") if isinstance(amount, int) else 1)
        self.amount = amount

    def compute_mask(self, t, default_mask):
        count = _validate_amount(self.amount, t.nelement())
        mask = default_mask.clone(memory_format=_core.contiguous_format)
        if count:
            chosen = _core.topk(_core.rand_like(t).view(-1), k=count)
            mask.view(-1)[chosen.indices] = 0
        return mask

    @classmethod
    def apply(cls, module, name, amount):
        return super().apply(module, name, amount=amount)


class L1Unstructured(BasePruningMethod):
    """The elements of the smallest absolute values."""

    def __init__(self, amount):
        _validate_amount(amount, float("inf") if isinstance(amount, int) else 1)
        self.amount = amount

    def compute_mask(self, t, default_mask):
        count = _validate_amount(self.amount, t.nelement())
        mask = default_mask.clone(memory_format=_core.contiguous_format)
        if count:
            chosen = _core.topk(_core.abs(t).view(-1), k=count, largest=False)
            mask.view(-1)[chosen.indices] = 0
        return mask

    @classmethod
    def apply(cls, module, name, amount, importance_scores=None):
        return super().apply(module, name, amount=amount, importance_scores=importance_scores)


class RandomStructured(BasePruningMethod):
    """Slices along a dimension at random."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount, dim=-1):
        _validate_amount(amount, float("inf") if isinstance(amount, int) else 1)
        self.amount, self.dim = amount, dim

    def compute_mask(self, t, default_mask):
        size = _slices(t, self.dim)
        count = _validate_amount(self.amount, size)
        if not count:
            return default_mask
        drawn = _core.rand(size)
        kept = drawn > _core.kthvalue(drawn, k=count).values
        return _rows(t, self.dim, kept, default_mask)

    @classmethod
    def apply(cls, module, name, amount, dim=-1):
        return super().apply(module, name, amount=amount, dim=dim)


def _rows(t, dim, kept, default_mask):
    """The default mask, 0 in slices that are not kept."""
    made = _core.zeros_like(t)
    place = [slice(None)] * t.dim()
    place[dim] = kept
    made[tuple(place)] = 1
    return made * default_mask.to(dtype=made.dtype)


class LnStructured(BasePruningMethod):
    """The slices along a dimension that have the smallest norms."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount, n, dim=-1):
        _validate_amount(amount, float("inf") if isinstance(amount, int) else 1)
        self.amount, self.n, self.dim = amount, n, dim

    def compute_mask(self, t, default_mask):
        size = _slices(t, self.dim)
        count = _validate_amount(self.amount, size)
        if not count:
            return default_mask
        dims = [d for d in range(t.dim()) if d != self.dim % t.dim()]
        norms = _core.norm(t, p=self.n, dim=dims)
        return _rows(t, self.dim, _core.topk(norms, k=size - count, largest=True).indices, default_mask)

    @classmethod
    def apply(cls, module, name, amount, n, dim, importance_scores=None):
        return super().apply(module, name, amount=amount, n=n, dim=dim, importance_scores=importance_scores)


class CustomFromMask(BasePruningMethod):
    """A given mask."""

    PRUNING_TYPE = "global"

    def __init__(self, mask):
        self.mask = mask

    def compute_mask(self, t, default_mask):
        if default_mask.shape != self.mask.shape:
            raise AssertionError(f"the mask has the sizes {tuple(self.mask.shape)}, and the tensor has {tuple(default_mask.shape)}")
        return default_mask * self.mask.to(dtype=default_mask.dtype)

    @classmethod
    def apply(cls, module, name, mask):
        return super().apply(module, name, mask=mask)


def identity(module, name):
    """Has a parameter pruned by a mask of ones."""
    Identity.apply(module, name)
    return module


def random_unstructured(module, name, amount):
    """Prunes elements at random."""
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module, name, amount, importance_scores=None):
    """Prunes the elements of the smallest absolute values, or scores."""
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module, name, amount, dim):
    """Prunes slices along a dimension at random."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module, name, amount, n, dim, importance_scores=None):
    """Prunes the slices along a dimension that have the smallest n-norms."""
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module, name, mask):
    """Prunes by a given mask."""
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs):
    """Prunes parameters of several modules together, [(module, name), ...]: the method sees their elements as one vector."""
    if not isinstance(parameters, Iterable):
        raise TypeError("parameters is a list of (module, name)")
    scores = importance_scores if importance_scores is not None else {}
    if not isinstance(scores, dict):
        raise TypeError("importance_scores is a dictionary of (module, name): scores")
    parameters = list(parameters)
    values = [scores.get((module, name), getattr(module, name)) for module, name in parameters]
    masks = [getattr(module, name + "_mask", _core.ones_like(getattr(module, name))) for module, name in parameters]
    container = PruningContainer()
    container._tensor_name = "temp"
    method = pruning_method(**kwargs)
    method._tensor_name = "temp"
    container.add_pruning_method(method)
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(f"global_unstructured takes methods for elements, and {type(method).__name__} is for slices")
    flat = _core.cat([value.detach().reshape(-1) for value in values])
    whole = container.compute_mask(flat, _core.cat([mask.reshape(-1) for mask in masks]))
    start = 0
    for module, name in parameters:
        param = getattr(module, name)
        custom_from_mask(module, name, mask=whole[start:start + param.numel()].view_as(param))
        start += param.numel()


def remove(module, name):
    """Makes pruned values a plain parameter again."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"{name} of {type(module).__name__} has not been pruned")


def is_pruned(module):
    """Whether a parameter of the module, or of one inside, is pruned."""
    return any(isinstance(hook, BasePruningMethod) for one in module.modules() for hook in one._forward_pre_hooks.values())
