"""Modules that learn sizes from their first input."""

from tenon.nn.modules.module import _core_no_grad
from tenon.nn.parameter import UninitializedBuffer, UninitializedParameter, is_lazy

__all__ = ["LazyModuleMixin"]


class LazyModuleMixin:
    """For a class before another one: its parameters are UninitializedParameter until initialize_parameters(input) knows better,
    and then it becomes cls_to_become."""

    cls_to_become = None

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._load_hook = self._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = self.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        for held, skipped in ((self._parameters, ()), (self._buffers, self._non_persistent_buffers_set)):
            for name, value in held.items():
                if value is not None and name not in skipped:
                    destination[prefix + name] = value if is_lazy(value) or keep_vars else value.detach()

    def _lazy_load_hook(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        for name, value in [*self._parameters.items(), *self._buffers.items()]:
            key = prefix + name
            if key in state_dict and value is not None and is_lazy(value) and not is_lazy(state_dict[key]):
                with _core_no_grad():
                    value.materialize(state_dict[key].shape)

    def initialize_parameters(self, *args, **kwargs):
        """Gives the parameters the sizes that an input asks for."""
        raise NotImplementedError(f"{type(self).__name__} has no initialize_parameters")

    def has_uninitialized_params(self):
        """Whether some parameter or buffer has no sizes yet."""
        return any(isinstance(value, (UninitializedParameter, UninitializedBuffer))
                   for value in [*self._parameters.values(), *self._buffers.values()])

    def _infer_parameters(self, module, args, kwargs=None):
        kwargs = kwargs or {}
        module.initialize_parameters(*args, **kwargs)
        if module.has_uninitialized_params():
            raise RuntimeError(f"{type(self).__name__} has parameters without sizes after initialize_parameters")
        module._initialize_hook.remove()
        module._load_hook.remove()
        del module._initialize_hook, module._load_hook
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become
