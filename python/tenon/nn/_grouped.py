"""Products of groups of rows, and of factors that carry scales: grouped_mm, scaled_mm and their enumerations."""

import enum

from tenon import _core


class ScalingType(enum.Enum):
    """What one scale belongs to."""

    TensorWise = 0
    RowWise = 1
    BlockWise1x16 = 2
    BlockWise1x32 = 3
    BlockWise1x128 = 4
    BlockWise128x128 = 5


class SwizzleType(enum.Enum):
    """The order of scales in memory."""

    NO_SWIZZLE = 0
    SWIZZLE_32_4_4 = 1


def _ends(offs, groups, size, what):
    if offs.ndim != 1 or offs.dtype != _core.int32:
        raise RuntimeError(f"grouped_mm(): offs is one dimension of int32, not {tuple(offs.shape)} {offs.dtype}")
    if groups is not None and offs.shape[0] != groups:
        raise RuntimeError(f"grouped_mm(): offs has {offs.shape[0]} numbers, and there are {groups} groups")
    ends = offs.tolist()
    for begin, end in zip([0] + ends, ends):
        if not begin <= end <= size:
            raise RuntimeError(f"grouped_mm(): offs {ends} do not rise from 0 to at most {size}, the {what}")
    return list(zip([0] + ends, ends))


def grouped_mm(mat_a, mat_b, *, offs=None, bias=None, out_dtype=None):
    """Products of groups. Of a matrix mat_a (rows, k) the rows, or of a matrix mat_b (k, columns) the columns, or of both k, are cut where
    offs says that a group ends; an operand of three dimensions has a matrix for each group. What lies behind the last end is 0."""
    if mat_a.ndim not in (2, 3) or mat_b.ndim not in (2, 3):
        raise RuntimeError(f"grouped_mm(): operands have 2 or 3 dimensions, not {mat_a.ndim} and {mat_b.ndim}")
    if mat_a.dtype != mat_b.dtype or mat_a.dtype not in (_core.float32, _core.float16, _core.bfloat16):
        raise RuntimeError(f"grouped_mm(): both operands are float32, float16 or bfloat16, not {mat_a.dtype} and {mat_b.dtype}")
    if (offs is None) != (mat_a.ndim == mat_b.ndim == 3):
        raise RuntimeError("grouped_mm(): a matrix needs offs to be cut by, and two operands of three dimensions take none")
    if bias is not None:
        raise RuntimeError("grouped_mm(): bias is not supported")
    if out_dtype is not None and out_dtype != mat_a.dtype:
        raise RuntimeError(f"grouped_mm(): out_dtype is that of the operands, {mat_a.dtype}, not {out_dtype}")
    if mat_a.shape[-1] != mat_b.shape[-2]:
        raise RuntimeError(f"grouped_mm(): {tuple(mat_a.shape)} and {tuple(mat_b.shape)} cannot be multiplied")
    if mat_a.ndim == mat_b.ndim == 3:
        return _core.bmm(mat_a, mat_b)
    rows, columns = mat_a.shape[-2], mat_b.shape[-1]
    if mat_a.ndim == mat_b.ndim:
        cuts = _ends(offs, None, mat_a.shape[1], "k")
        parts = [mat_a[:, begin:end] @ mat_b[begin:end] for begin, end in cuts]
        return _core.stack(parts) if parts else mat_a.new_zeros((0, rows, columns))
    if mat_a.ndim == 2:
        cuts, dim, whole = _ends(offs, mat_b.shape[0], rows, "rows of mat_a"), 0, rows
        parts = [mat_a[begin:end] @ mat_b[i] for i, (begin, end) in enumerate(cuts)]
    else:
        cuts, dim, whole = _ends(offs, mat_a.shape[0], columns, "columns of mat_b"), 1, columns
        parts = [mat_a[i] @ mat_b[:, begin:end] for i, (begin, end) in enumerate(cuts)]
    done = cuts[-1][1] if cuts else 0
    if done < whole or not parts:
        parts.append(mat_a.new_zeros((whole - done, columns) if dim == 0 else (rows, whole - done)))
    return _core.cat(parts, dim)


def _one(name, value):
    if isinstance(value, (list, tuple)):
        if len(value) != 1:
            raise NotImplementedError(f"scaled_mm(): {name} has {len(value)} parts; one is supported")
        value = value[0]
    return value


def _recipe(name, value):
    value = _one(name, value)
    if value not in (ScalingType.TensorWise, ScalingType.RowWise):
        raise NotImplementedError(f"scaled_mm(): {name} is {value}; a scale for each tensor or for each row is supported, blocks are not")
    return value


def scaled_mm(mat_a, mat_b, scale_a, scale_recipe_a, scale_b, scale_recipe_b, swizzle_a=None, swizzle_b=None, bias=None,
              output_dtype=_core.bfloat16, contraction_dim=(), use_fast_accum=False):
    """The product of float8 (or int8) matrices times their scales: one for each tensor, or one for each row of mat_a and column of mat_b."""
    for name, value in (("swizzle_a", swizzle_a), ("swizzle_b", swizzle_b)):
        if value is not None and _one(name, value) is not SwizzleType.NO_SWIZZLE:
            raise NotImplementedError(f"scaled_mm(): {name} is {value}; scales are read in their order")
    if contraction_dim:
        raise NotImplementedError(f"scaled_mm(): contraction_dim is {contraction_dim}; the last of mat_a and the first of mat_b are multiplied")
    scales = []
    for name, scale, recipe, sizes in (("a", scale_a, scale_recipe_a, (mat_a.shape[0], 1)), ("b", scale_b, scale_recipe_b, (1, mat_b.shape[-1]))):
        scale, recipe = _one(f"scale_{name}", scale), _recipe(f"scale_recipe_{name}", recipe)
        wanted = 1 if recipe is ScalingType.TensorWise else sizes[0] * sizes[1]
        if scale.numel() != wanted:
            raise RuntimeError(f"scaled_mm(): scale_{name} has {scale.numel()} numbers, and {recipe} wants {wanted}")
        scales.append(scale.reshape(()) if recipe is ScalingType.TensorWise else scale.reshape(sizes))
    kind = {} if output_dtype is None else {"out_dtype": output_dtype}
    return _core._scaled_mm(mat_a, mat_b, *scales, bias, None, use_fast_accum=use_fast_accum, **kind)


def scaled_grouped_mm(mat_a, mat_b, scale_a, scale_recipe_a, scale_b, scale_recipe_b, swizzle_a=None, swizzle_b=None, bias=None, offs=None,
                      output_dtype=_core.bfloat16, contraction_dim=(), use_fast_accum=False):
    """Refused: PyTorch has it on GPUs only."""
    raise NotImplementedError("scaled_grouped_mm(): there is no product of scaled groups on the CPU, in PyTorch neither; scale the result of grouped_mm")
