"""The old form of spectral_norm: a parameter weight_orig, buffers weight_u and weight_v, and a hook that computes weight."""

from tenon import _core
from tenon.nn.modules.module import _core_no_grad
from tenon.nn.parameter import Parameter

__all__ = ["SpectralNorm", "remove_spectral_norm", "spectral_norm"]


def _unit(vector, eps):
    return vector / _core.linalg_vector_norm(vector).clamp(min=eps)


class SpectralNorm:
    """The hook."""

    def __init__(self, name="weight", n_power_iterations=1, dim=0, eps=1e-12):
        if n_power_iterations <= 0:
            raise ValueError(f"n_power_iterations is positive, not {n_power_iterations}")
        self.name, self.n_power_iterations, self.dim, self.eps = name, n_power_iterations, dim, eps

    def reshape_weight_to_matrix(self, weight):
        if self.dim != 0:
            weight = weight.permute(self.dim, *(d for d in range(weight.dim()) if d != self.dim))
        return weight.reshape(weight.shape[0], -1)

    def compute_weight(self, module, do_power_iteration):
        weight, u, v = (getattr(module, self.name + end) for end in ("_orig", "_u", "_v"))
        matrix = self.reshape_weight_to_matrix(weight)
        if do_power_iteration:
            with _core_no_grad():
                for _ in range(self.n_power_iterations):
                    v.copy_(_unit(_core.mv(matrix.detach().t(), u), self.eps))
                    u.copy_(_unit(_core.mv(matrix.detach(), v), self.eps))
            u, v = u.clone(), v.clone()
        return weight / _core.dot(u, _core.mv(matrix, v))

    def __call__(self, module, inputs):
        setattr(module, self.name, self.compute_weight(module, do_power_iteration=module.training))


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """The weight divided by its largest singular value."""
    from tenon import nn
    if dim is None:
        dim = 1 if isinstance(module, (nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d)) else 0
    for hook in module._forward_pre_hooks.values():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            raise RuntimeError(f"{name} has a spectral norm already")
    hook, weight = SpectralNorm(name, n_power_iterations, dim, eps), module._parameters[name]
    if weight is None:
        raise ValueError(f"{name} is None")
    with _core_no_grad():
        rows, columns = hook.reshape_weight_to_matrix(weight).shape
        u, v = weight.new_empty(rows).normal_(0, 1), weight.new_empty(columns).normal_(0, 1)
        u, v = _unit(u, eps), _unit(v, eps)
    del module._parameters[name]
    module.register_parameter(name + "_orig", weight)
    setattr(module, name, weight.data)
    module.register_buffer(name + "_u", u)
    module.register_buffer(name + "_v", v)
    module.register_forward_pre_hook(hook)
    return module


def remove_spectral_norm(module, name="weight"):
    """The weight is an ordinary parameter again."""
    for number, hook in module._forward_pre_hooks.items():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            with _core_no_grad():
                weight = hook.compute_weight(module, do_power_iteration=False)
            delattr(module, name)
            for end in ("_u", "_v", "_orig"):
                delattr(module, name + end)
            module.register_parameter(name, Parameter(weight.detach()))
            del module._forward_pre_hooks[number]
            return module
    raise ValueError(f"{name} has no spectral norm")
