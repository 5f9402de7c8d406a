"""torch.nn.utils: clipping, vectors of parameters, packed sequences, weights computed from others."""

_HOMES = {
    "clip_grad": "clip_grad_norm clip_grad_norm_ clip_grad_value_ clip_grads_with_norm_ get_total_norm",
    "convert_parameters": "parameters_to_vector vector_to_parameters",
    "fusion": "fuse_conv_bn_eval fuse_conv_bn_weights fuse_linear_bn_eval fuse_linear_bn_weights",
    "memory_format": "convert_conv2d_weight_memory_format convert_conv3d_weight_memory_format",
    "parametrizations": "",
    "parametrize": "",
    "prune": "",
    "rnn": "",
    "init": "skip_init",
    "_spectral_norm": "remove_spectral_norm spectral_norm",
    "stateless": "",
    "_weight_norm": "remove_weight_norm weight_norm",
}
_PLACES = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name):
    import importlib
    if name in _PLACES:
        value = getattr(importlib.import_module(f"tenon.nn.utils.{_PLACES[name]}"), name)
        globals()[name] = value
        return value
    if name in _HOMES:
        return importlib.import_module(f"tenon.nn.utils.{name}")
    raise AttributeError(f"module 'tenon.nn.utils' has no attribute {name!r}")


def __dir__():
    return sorted({*_PLACES, *(name for name in _HOMES if not name.startswith("_"))})
