"""multi_head_attention_forward: projections, heads, attention and the projection of the joined heads, made of operators.

It is here and not a row of the operator table because its second result may be None. Errors are of PyTorch's classes: what it asserts is an
AssertionError, sizes of attn_mask a RuntimeError.
"""

import math
import warnings

from tenon import _core


def _must(holds, message):
    if not holds:
        raise AssertionError("multi_head_attention_forward(): " + message)


def _check_ranks(query, key, value, key_padding_mask, attn_mask, heads):
    """Whether there is a dimension of batches."""
    _must(query.ndim in (2, 3), f"query has {query.ndim} dimensions; (L, E) and (L, N, E) are taken")
    for name, tensor in (("key", key), ("value", value)):
        _must(tensor.ndim == query.ndim, f"{name} has {tensor.ndim} dimensions, and query {query.ndim}")
    if key_padding_mask is not None:
        _must(key_padding_mask.ndim == query.ndim - 1,
              f"key_padding_mask has {key_padding_mask.ndim} dimensions; beside a query of {query.ndim} it has {query.ndim - 1}")
    if attn_mask is not None:
        _must(attn_mask.ndim in (2, 3), f"attn_mask has {attn_mask.ndim} dimensions, and not 2 or 3")
        if query.ndim == 2 and attn_mask.ndim == 3:
            wanted = (heads, query.shape[0], key.shape[0])
            _must(tuple(attn_mask.shape) == wanted, f"attn_mask has the sizes {tuple(attn_mask.shape)}, and not {wanted}")
    return query.ndim == 3


def _added(mask, name, dtype, other=None):
    """A mask as numbers that are added to scores: for bools minus infinity where they are true."""
    if mask is None:
        return None
    _must(mask.dtype == _core.bool or mask.is_floating_point(), f"{name} is {mask.dtype}; bool and floats are taken")
    if other is not None and other.dtype != mask.dtype:
        warnings.warn(f"multi_head_attention_forward(): {name} is {mask.dtype} and attn_mask {other.dtype}: give both one dtype", stacklevel=3)
    if mask.dtype != _core.bool:
        return mask
    return _core.zeros_like(mask, dtype=dtype).masked_fill_(mask, -math.inf)


def _project(query, key, value, weights, bias):
    """Three linear maps. `weights` is three matrices, or one that has them one above the other; and so is bias, as vectors."""
    if isinstance(weights, _core.Tensor):
        if query is key and key is value:  # one product instead of three
            return _core.linear(query, weights, bias).chunk(3, -1)
        weights = weights.chunk(3)
    else:
        size = query.shape[2]
        for name, weight, tensor in zip(("q_proj_weight", "k_proj_weight", "v_proj_weight"), weights, (query, key, value)):
            _must(weight is not None, f"use_separate_proj_weight wants {name}")
            _must(tuple(weight.shape) == (size, tensor.shape[2]), f"{name} has the sizes {tuple(weight.shape)}, and not {(size, tensor.shape[2])}")
    biases = (None, None, None) if bias is None else bias.chunk(3)
    return [_core.linear(tensor, weight, part) for tensor, weight, part in zip((query, key, value), weights, biases)]


def _check_attn_mask(mask, batch, heads, rows, keys):
    wanted = {2: (rows, keys), 3: (batch * heads, rows, keys)}[mask.ndim]
    if tuple(mask.shape) != wanted:
        raise RuntimeError(f"multi_head_attention_forward(): attn_mask has the sizes {tuple(mask.shape)}, and not {wanted}")
    return mask if mask.ndim == 3 else mask.unsqueeze(0)


def _grown(mask):
    """One more key, which is not masked."""
    return None if mask is None else _core.pad(mask, [0, 1])


def _heads(tensor, static, name, batch, heads, size):
    """(keys, batch, embedding) as (batch * heads, keys, size), a view; or what is given for it."""
    if static is None:
        return tensor.contiguous().view(tensor.shape[0], batch * heads, size).transpose(0, 1)
    _must(static.shape[0] == batch * heads and static.shape[2] == size,
          f"{name} has the sizes {tuple(static.shape)}, and not ({batch * heads}, ..., {size})")
    return static


def _weighed(query, key, value, mask, dropout_p):
    """Attention with its weights."""
    scaled = query * math.sqrt(1 / query.shape[2])
    keys = key.transpose(-2, -1)
    scores = _core.bmm(scaled, keys) if mask is None else _core.baddbmm(mask, scaled, keys)
    weights = _core.softmax(scores, -1)
    if dropout_p > 0:
        weights = _core.dropout(weights, dropout_p, True)
    return _core.bmm(weights, value), weights


def multi_head_attention_forward(
        query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k, bias_v, add_zero_attn, dropout_p,
        out_proj_weight, out_proj_bias, training=True, key_padding_mask=None, need_weights=True, attn_mask=None,
        use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None, v_proj_weight=None, static_k=None, static_v=None,
        average_attn_weights=True, is_causal=False):
    """Attention of several heads with its projections: (output, weights), the second None unless need_weights.

    query is (L, N, E), or (L, E) without batches, and key and value (S, N, ...). Without weights it is scaled_dot_product_attention in
    between, which needs no memory for them."""
    batched = _check_ranks(query, key, value, key_padding_mask, attn_mask, num_heads)
    if is_causal and attn_mask is None:
        raise RuntimeError("multi_head_attention_forward(): is_causal says that attn_mask is causal: attn_mask is wanted too")
    if not batched:
        same = query is key, key is value
        query = query.unsqueeze(1)
        key = query if same[0] else key.unsqueeze(1)
        value = key if same[1] else value.unsqueeze(1)
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
    padding = _added(key_padding_mask, "key_padding_mask", query.dtype, attn_mask)
    if is_causal and padding is None and not need_weights:
        attn_mask = None
    else:
        attn_mask = _added(attn_mask, "attn_mask", query.dtype)
        is_causal = is_causal and padding is None

    rows, batch, size = query.shape
    _must(size == embed_dim_to_check, f"query has {size} features, and embed_dim_to_check is {embed_dim_to_check}")
    head_size = size // num_heads
    _must(head_size * num_heads == size, f"{num_heads} heads do not divide {size} features")
    if use_separate_proj_weight:
        _must(key.shape[:2] == value.shape[:2], f"key {tuple(key.shape)} and value {tuple(value.shape)} differ in their first two sizes")
        weights = (q_proj_weight, k_proj_weight, v_proj_weight)
    else:
        _must(key.shape == value.shape, f"key {tuple(key.shape)} and value {tuple(value.shape)} must have the same sizes")
        _must(in_proj_weight is not None, "in_proj_weight is wanted unless use_separate_proj_weight says otherwise")
        weights = in_proj_weight
    q, k, v = _project(query, key, value, weights, in_proj_bias)
    if attn_mask is not None:
        attn_mask = _check_attn_mask(attn_mask, batch, num_heads, rows, key.shape[0])

    _must((bias_k is None) == (bias_v is None), "bias_k and bias_v are given together or not at all")
    if bias_k is not None:
        _must(static_k is None and static_v is None, "bias_k and bias_v cannot be added to static_k and static_v")
        k, v = _core.cat([k, bias_k.expand(1, batch, -1)]), _core.cat([v, bias_v.expand(1, batch, -1)])
        attn_mask, padding = _grown(attn_mask), _grown(padding)
    q = _heads(q, None, "", batch, num_heads, head_size)
    k = _heads(k, static_k, "static_k", batch, num_heads, head_size)
    v = _heads(v, static_v, "static_v", batch, num_heads, head_size)
    if add_zero_attn:
        k, v = (_core.cat([x, _core.zeros((batch * num_heads, 1, head_size), dtype=x.dtype)], 1) for x in (k, v))
        attn_mask, padding = _grown(attn_mask), _grown(padding)
    keys = k.shape[1]
    if padding is not None:
        _must(tuple(padding.shape) == (batch, keys), f"key_padding_mask has the sizes {tuple(padding.shape)}, and not {(batch, keys)}")
        padding = padding.view(batch, 1, 1, keys).expand(-1, num_heads, -1, -1).reshape(batch * num_heads, 1, keys)
        attn_mask = padding if attn_mask is None else attn_mask + padding

    dropout_p = dropout_p if training else 0.0
    if need_weights:
        _must(attn_mask is not None or not is_causal, "is_causal without attn_mask is not for weights that are returned")
        joined, weights = _weighed(q, k, v, attn_mask, dropout_p)
        joined = joined.transpose(0, 1).reshape(rows, batch, size)
    else:
        if attn_mask is not None:
            attn_mask = attn_mask.unsqueeze(0) if attn_mask.shape[0] == 1 else attn_mask.view(batch, num_heads, -1, keys)
        q, k, v = (x.unflatten(0, (batch, num_heads)) for x in (q, k, v))
        joined, weights = _core.scaled_dot_product_attention(q, k, v, attn_mask, dropout_p, is_causal), None
        joined = joined.permute(2, 0, 1, 3).reshape(rows, batch, size)
    output = _core.linear(joined, out_proj_weight, out_proj_bias)
    if weights is not None:
        weights = weights.view(batch, num_heads, rows, keys)
        weights = weights.mean(1) if average_attn_weights else weights
        weights = weights if batched else weights.squeeze(0)
    return (output if batched else output.squeeze(1)), weights
