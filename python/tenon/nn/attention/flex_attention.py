"""flex_attention: attention whose scores and mask are functions of the program.

A function is called once, with tensors of indices that broadcast to (B, H, L, S), where PyTorch calls it for one score at a time; what
it says of one score it says of all. The mask of a BlockMask is a tensor of bool: blocks that are masked are computed, too.
"""

import math
from typing import NamedTuple, Optional

from tenon import _core

__all__ = ["AuxOutput", "AuxRequest", "BlockMask", "and_masks", "create_block_mask", "create_mask", "flex_attention", "noop_mask", "or_masks"]


class AuxRequest(NamedTuple):
    """What flex_attention gives beside its result."""

    lse: bool = False
    max_scores: bool = False


class AuxOutput(NamedTuple):
    """The logarithms of the sums of exponentials and the largest scores, (B, H, L), or None where they were not asked for."""

    lse: Optional[_core.Tensor] = None
    max_scores: Optional[_core.Tensor] = None


def noop_mask(batch, head, token_q, token_kv):
    """A mask that hides nothing."""
    return _core.ones((), dtype=_core.bool)


def _joined(name, mask_mods, join):
    for mod in mask_mods:
        if not callable(mod):
            raise RuntimeError(f"{name} takes functions of (b, h, q_idx, kv_idx), not {mod!r}")

    def mask(b, h, q_idx, kv_idx):
        result = mask_mods[0](b, h, q_idx, kv_idx) if mask_mods else noop_mask(b, h, q_idx, kv_idx)
        for mod in mask_mods[1:]:
            result = join(result, mod(b, h, q_idx, kv_idx))
        return result
    return mask


def and_masks(*mask_mods):
    """The mask of what all of them show."""
    return _joined("and_masks", mask_mods, lambda a, b: a & b)


def or_masks(*mask_mods):
    """The mask of what one of them shows."""
    return _joined("or_masks", mask_mods, lambda a, b: a | b)


def _places(sizes, device):
    """An index for each dimension, which broadcast to the sizes."""
    made = []
    for d, size in enumerate(sizes):
        shape = [1] * len(sizes)
        shape[d] = size
        made.append(_core.arange(size, device=device).reshape(shape))
    return made


def _arguments(function):
    import inspect
    try:
        return sum(one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) and one.default is one.empty
                   for one in inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return 4


def create_mask(mod_fn, B, H, Q_LEN, KV_LEN, device=None):
    """The mask of a function (b, h, q_idx, kv_idx) as a tensor of bool, (B, H, Q_LEN, KV_LEN); of a function of a score and those, what it
    makes of scores of 0."""
    sizes = (1 if B is None else B, 1 if H is None else H, Q_LEN, KV_LEN)
    places = _places(sizes, device)
    if _arguments(mod_fn) == 5:
        return mod_fn(_core.zeros(sizes, device=device), *places).expand(sizes)
    return mod_fn(*places).expand(sizes)


class BlockMask:
    """A mask by its function; create_block_mask makes one."""

    def __init__(self, mask_mod, sizes, block, device):
        self.mask_mod, self.shape, self.BLOCK_SIZE, self._device = mask_mod, tuple(sizes), block, device
        self.seq_lengths = self.shape[2:]
        self._dense = None

    def _mask(self):
        if self._dense is None:
            self._dense = create_mask(self.mask_mod, *self.shape, device=self._device)
        return self._dense

    def to_dense(self):
        """1 for each block of which something is shown, (B, H, blocks of queries, blocks of keys), int32."""
        mask, (rows, columns) = self._mask(), self.BLOCK_SIZE
        high, wide = -(-self.shape[2] // rows), -(-self.shape[3] // columns)
        padded = _core.constant_pad_nd(mask, (0, wide * columns - self.shape[3], 0, high * rows - self.shape[2]), False)
        return padded.reshape(*self.shape[:2], high, rows, wide, columns).any(5).any(3).to(_core.int32)

    def numel(self):
        """The number of scores."""
        return math.prod(self.shape)

    def sparsity(self):
        """The part of the scores that lie in no block of which something is shown, in percent; blocks at the end count whole."""
        return 100 * (1 - self.to_dense().sum().item() * math.prod(self.BLOCK_SIZE) / self.numel())

    def to(self, device):
        """Itself: there is one device."""
        return self

    def as_tuple(self, flatten=True):
        """The sizes and the function."""
        return (*self.seq_lengths, self.shape, self.BLOCK_SIZE, self.mask_mod)

    def __repr__(self):
        return f"BlockMask(shape={self.shape}, sparsity={self.sparsity():.2f}%)"


def create_block_mask(mask_mod, B, H, Q_LEN, KV_LEN, device=None, BLOCK_SIZE=128, _compile=False, **ignored):
    """The mask of a function (b, h, q_idx, kv_idx) for flex_attention. B and H may be None: one for all."""
    if _arguments(mask_mod) != 4:
        raise RuntimeError("create_block_mask: mask_mod is a function of (b, h, q_idx, kv_idx)")
    block = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else tuple(BLOCK_SIZE)
    if len(block) != 2 or min(block) < 1:
        raise ValueError(f"create_block_mask: BLOCK_SIZE is a number or two, at least 1, and not {BLOCK_SIZE}")
    return BlockMask(mask_mod, (1 if B is None else B, 1 if H is None else H, Q_LEN, KV_LEN), block, None)


def _check(query, key, value, block_mask, enable_gqa):
    for name, tensor in (("query", query), ("key", key), ("value", value)):
        if tensor.dim() != 4:
            raise ValueError(f"flex_attention: {name} is (batch, heads, length, width), and has {tensor.dim()} dimensions")
    if query.dtype != key.dtype or query.dtype != value.dtype:
        raise ValueError(f"flex_attention: query, key and value have one dtype, not {query.dtype}, {key.dtype} and {value.dtype}")
    if key.shape[1] != query.shape[1]:
        if not enable_gqa:
            raise ValueError(f"flex_attention: query has {query.shape[1]} heads, key {key.shape[1]}: enable_gqa=True repeats those of key")
        if key.shape[1] == 0 or query.shape[1] % key.shape[1]:
            raise ValueError(f"flex_attention: {query.shape[1]} heads of query are not a multiple of {key.shape[1]} of key")
    if block_mask is not None:
        sizes = (*query.shape[:2], query.shape[2], key.shape[2])
        if any(given not in (1, wanted) if d < 2 else given != wanted for d, (given, wanted) in enumerate(zip(block_mask.shape, sizes))):
            raise ValueError(f"flex_attention: block_mask is for {block_mask.shape}, and the scores are {sizes}")


def flex_attention(query, key, value, score_mod=None, block_mask=None, scale=None, enable_gqa=False, return_lse=False, kernel_options=None,
                   *, return_aux=None):
    """softmax(score_mod(query key^T scale, b, h, q_idx, kv_idx)) value, with what block_mask hides left out; a query that sees nothing
    gives zeros. With return_lse also the logarithm of the sum of exponentials, (B, H, L)."""
    _check(query, key, value, block_mask, enable_gqa)
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    mask = None if block_mask is None else block_mask._mask()
    repeats = query.shape[1] // key.shape[1] if key.shape[1] else 1
    if repeats > 1:
        key, value = key.repeat_interleave(repeats, 1), value.repeat_interleave(repeats, 1)
    wanted = AuxRequest(lse=return_lse) if return_aux is None else return_aux
    if score_mod is None and not wanted.lse and not wanted.max_scores:
        made = _core.scaled_dot_product_attention(query, key, value, mask, scale=scale)
        return made if return_aux is None else (made, AuxOutput())
    wide = _core.promote_types(query.dtype, _core.float32)
    scores = (query.to(wide) @ key.to(wide).transpose(-2, -1)) * scale
    if score_mod is not None:
        scores = score_mod(scores, *_places(scores.shape, scores.device)).to(wide).expand(scores.shape)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    blind = (scores == -math.inf).all(-1, keepdim=True)
    weights = scores.masked_fill(blind, 0).softmax(-1).masked_fill(blind, 0)
    made = (weights @ value.to(wide)).to(query.dtype)
    lse = scores.logsumexp(-1) if wanted.lse else None
    if return_aux is not None:
        return made, AuxOutput(lse, scores.amax(-1) if wanted.max_scores else None)
    return (made, lse) if return_lse else made
