"""Resampling as torch.nn.functional has it: modes by name, sizes or factors."""

import math

from tenon import _core

_AREA = {3: "adaptive_avg_pool1d", 4: "adaptive_avg_pool2d", 5: "adaptive_avg_pool3d"}
_ROWS = {
    "nearest": {3: "upsample_nearest1d", 4: "upsample_nearest2d", 5: "upsample_nearest3d"},
    "nearest-exact": {3: "_upsample_nearest_exact1d", 4: "_upsample_nearest_exact2d", 5: "_upsample_nearest_exact3d"},
    "area": _AREA,
    "linear": {3: "upsample_linear1d"},
    "bilinear": {4: "upsample_bilinear2d"},
    "bicubic": {4: "upsample_bicubic2d"},
    "trilinear": {5: "upsample_trilinear3d"},
}


def _each(value, count, name):
    if not isinstance(value, (list, tuple)):
        return [value] * count
    if len(value) != count:
        raise ValueError(f"interpolate(): {name} {value!r} must be one number, or {count} of them")
    return list(value)


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None, antialias=False):
    """Input (batch, channels, ...) in other sizes: `size`, or those it has times `scale_factor`."""
    if mode not in _ROWS:
        raise NotImplementedError(f"interpolate(): mode {mode!r} must be one of {sorted(_ROWS)}")
    straight = mode in ("nearest", "area", "nearest-exact")
    if straight and align_corners is not None:
        raise ValueError(f"interpolate(): align_corners has no meaning for mode {mode!r}")
    count = input.ndim - 2
    if count < 1:
        raise NotImplementedError(f"interpolate(): input must be (batch, channels, ...), but it has {input.ndim} dimensions")
    if size is not None and scale_factor is not None:
        raise ValueError("interpolate(): give size or scale_factor, not both")
    if size is None and scale_factor is None:
        raise ValueError("interpolate(): give size or scale_factor")
    factors = [None] * count
    if size is not None:
        if recompute_scale_factor:
            raise ValueError("interpolate(): recompute_scale_factor is for scale_factor, and size is given")
        sizes = [int(one) for one in _each(size, count, "size")]
    else:
        factors = [float(one) for one in _each(scale_factor, count, "scale_factor")]
        sizes = [int(math.floor(float(have) * factor)) for have, factor in zip(input.shape[2:], factors)]
        if recompute_scale_factor or mode == "area":
            factors = [None] * count
    if antialias and not (mode in ("bilinear", "bicubic") and input.ndim == 4):
        raise ValueError("interpolate(): antialias is for modes 'bilinear' and 'bicubic' of images")
    if input.ndim not in _ROWS[mode]:
        raise NotImplementedError(f"interpolate(): mode {mode!r} is not for input of {input.ndim} dimensions, but of {sorted(_ROWS[mode])}")
    name = _ROWS[mode][input.ndim]
    if mode == "area":
        return getattr(_core, name)(input, sizes)
    if straight:
        return getattr(_core, name)(input, sizes, *factors)
    if antialias:
        name = f"_{name}_aa"
    return getattr(_core, name)(input, sizes, bool(align_corners), *factors)


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """interpolate by its older name."""
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input, size=None, scale_factor=None):
    """interpolate by the nearest element."""
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input, size=None, scale_factor=None):
    """interpolate by straight lines, corners staying corners."""
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    """Input read at the places of grid, which go from -1 to 1."""
    modes, paddings = {"bilinear": 0, "nearest": 1, "bicubic": 2}, {"zeros": 0, "border": 1, "reflection": 2}
    if mode not in modes:
        raise ValueError(f"grid_sample(): mode {mode!r} must be one of {sorted(modes)}")
    if padding_mode not in paddings:
        raise ValueError(f"grid_sample(): padding_mode {padding_mode!r} must be one of {sorted(paddings)}")
    return _core.grid_sampler(input, grid, modes[mode], paddings[padding_mode], bool(align_corners))


def affine_grid(theta, size, align_corners=None):
    """The places of a result of this size, moved by the matrices theta."""
    if not theta.is_floating_point():
        raise ValueError(f"affine_grid(): theta must be floating, not {theta.dtype}")
    return _core.affine_grid_generator(theta, list(size), bool(align_corners))
