"""Attention against PyTorch: random sizes, strides, dtypes and masks; its draws; gradients; multi_head_attention_forward with all its
arguments. Results of float16 and bfloat16 are compared with PyTorch's in float64, since it rounds in between."""

import random
import warnings

import pytest
import torch

import tenon
import tenon.nn.functional as ours
import torch.nn.functional as theirs

from test_einsum import draw, ours as taken, theirs as given

OFF = {torch.float64: 1e-12, torch.float32: 2e-5, torch.float16: 4e-3, torch.bfloat16: 3e-2}


def same(result, expected, dtype, factor=1.0):
    assert tuple(result.shape) == tuple(expected.shape)
    assert torch.allclose(given(result).double(), expected.double(), rtol=OFF[dtype] * factor, atol=OFF[dtype] * factor, equal_nan=True)


def case(seed):
    dice = random.Random(seed)
    torch.manual_seed(seed)
    dtype = dice.choice(list(OFF))
    batch = dice.choice([(), (2,), (2, 3), (2, 3), (2, 3), (2, 1, 3)])
    rows, keys, depth = (dice.choice([1, 2, 3, 5, 8, 17, 33]) for _ in range(3))
    width = depth if dice.random() < 0.7 else dice.choice([1, 4, 9])
    shape = lambda: tuple(1 if dice.random() < 0.15 else size for size in batch)
    options = {}
    query, key, value = draw(dice, batch + (rows, depth), dtype), draw(dice, shape() + (keys, depth), dtype), draw(dice, shape() + (keys, width), dtype)
    if len(batch) > 1 and dice.random() < 0.3:
        query = draw(dice, batch[:-1] + (6, rows, depth), dtype)
        key, value = draw(dice, batch[:-1] + (3, keys, depth), dtype), draw(dice, batch[:-1] + (3, keys, width), dtype)
        batch, options = batch[:-1] + (6,), {"enable_gqa": True}
    kind = dice.choice(["none", "causal", "bool", "added"])
    if kind == "causal":
        options["is_causal"] = True
    elif kind != "none":
        sizes = tuple(1 if dice.random() < 0.3 else size for size in batch + (rows, keys))
        mask = draw(dice, sizes[dice.choice([0, len(batch)]):], dtype)
        options["attn_mask"] = mask > -0.5 if kind == "bool" else mask
    if dice.random() < 0.3:
        options["scale"] = dice.uniform(0.1, 1)  # with a negative one PyTorch's fused way gives NaN where is_causal hides keys
    return dtype, query, key, value, options


@pytest.mark.parametrize("seed", range(200))
def test_attention(seed):
    dtype, query, key, value, options = case(seed)
    wide = {name: x.double() if isinstance(x, torch.Tensor) and x.dtype != torch.bool else x for name, x in options.items()}
    expected = theirs.scaled_dot_product_attention(query.double(), key.double(), value.double(), **wide)
    mine = {name: taken(x) if isinstance(x, torch.Tensor) else x for name, x in options.items()}
    result = ours.scaled_dot_product_attention(taken(query), taken(key), taken(value), **mine)
    same(result, expected, dtype)
    if dtype in (torch.float32, torch.float64) and expected.numel():
        assert tuple(result.stride()) == theirs.scaled_dot_product_attention(query, key, value, **options).stride()


@pytest.mark.parametrize("seed", range(40))
def test_draws(seed):
    dtype, query, key, value, options = case(seed)
    query, key, value = query.double(), key.double(), value.double()
    if "attn_mask" in options and options["attn_mask"].dtype != torch.bool:
        options["attn_mask"] = options["attn_mask"].double()
    torch.manual_seed(seed)
    expected = theirs.scaled_dot_product_attention(query, key, value, dropout_p=0.4, **options)
    mine = {name: taken(x) if isinstance(x, torch.Tensor) else x for name, x in options.items()}
    tenon.manual_seed(seed)
    same(ours.scaled_dot_product_attention(taken(query), taken(key), taken(value), dropout_p=0.4, **mine), expected, torch.float64)
    assert tenon.rand(1).item() == torch.rand(1).item()


@pytest.mark.parametrize("seed", range(60))
def test_gradients(seed):
    _, query, key, value, options = case(seed)
    leaves = [x.double().requires_grad_() for x in (query, key, value)]
    mask = options.pop("attn_mask", None)
    if mask is not None and mask.dtype != torch.bool:
        leaves.append(mask := mask.double().requires_grad_())
    dropped = 0.3 if seed % 3 == 0 else 0.0
    torch.manual_seed(seed)
    output = theirs.scaled_dot_product_attention(*leaves[:3], attn_mask=mask, dropout_p=dropped, **options)
    grad = torch.randn_like(output)
    expected = torch.autograd.grad(output, leaves, grad)
    mine = [taken(x.detach()) for x in leaves[:3]]
    added = None if mask is None else taken(mask.detach())
    tenon.manual_seed(seed)
    kept = tenon._dropout_bits(mine[0], (*output.shape[:-1], key.shape[-2]), dropped) if dropped else None
    settings = (options.get("is_causal", False), options.get("scale"), options.get("enable_gqa", False))
    out, logs = tenon._scaled_dot_product_attention_forward(*mine, added, kept, dropped, *settings)
    saved = (taken(grad), *mine, out, logs, added, kept, dropped, *settings)
    results = list(tenon._scaled_dot_product_attention_backward(*saved))
    for result, wanted in zip(results, expected):
        same(result, wanted, torch.float64, 10)
    if len(leaves) == 4:
        sums = given(tenon._scaled_dot_product_attention_mask_backward(*saved)).sum_to_size(mask.shape)
        assert torch.allclose(sums, expected[3], rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("seed", range(20))
def test_the_rows_for_the_cpu(seed):
    torch.manual_seed(seed)
    query, key, value = torch.randn(2, 3, 9, 8), torch.randn(2, 3, 17, 8), torch.randn(2, 3, 17, 8)
    causal, mask = seed % 2 == 0, torch.randn(9, 17) if seed % 3 == 0 else None
    expected = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(query, key, value, 0.0, causal, attn_mask=mask)
    mine = [taken(x) for x in (query, key, value)]
    added = None if mask is None else taken(mask)
    results = tenon._scaled_dot_product_flash_attention_for_cpu(*mine, 0.0, causal, attn_mask=added)
    for result, wanted in zip(results, expected):
        same(result, wanted, torch.float32)
        assert tuple(result.stride()) == wanted.stride()
    grad = torch.randn_like(expected[0])
    wanted = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward(
        grad, query, key, value, *expected, 0.0, causal, attn_mask=mask)
    for result, sums in zip(tenon._scaled_dot_product_flash_attention_for_cpu_backward(
            taken(grad), *mine, *results, 0.0, causal, attn_mask=added), wanted):
        same(result, sums, torch.float32, 10)


@pytest.mark.parametrize("seed", range(100))
def test_multi_head_attention_forward(seed):
    dice = random.Random(seed)
    torch.manual_seed(seed)
    rows, keys, batch, heads, size = dice.randint(1, 6), dice.randint(1, 6), dice.randint(1, 3), dice.choice([1, 2, 3]), 6
    batched, separate, pick = dice.random() < 0.8, dice.random() < 0.3, lambda: dice.random() < 0.5
    middle = (batch,) if batched else ()
    batch = batch if batched else 1
    query = torch.randn(rows, *middle, size)
    key = query if (not separate and pick()) else torch.randn(keys, *middle, 5 if separate else size)
    value = key if (not separate and pick()) else torch.randn(key.shape[0], *middle, 4 if separate else size)
    keys = key.shape[0]
    options = dict(in_proj_weight=None if separate else torch.randn(3 * size, size), in_proj_bias=torch.randn(3 * size) if pick() else None,
                   bias_k=None, bias_v=None, add_zero_attn=pick(), dropout_p=0.3 if pick() else 0.0, training=pick(),
                   out_proj_weight=torch.randn(size, size), out_proj_bias=torch.randn(size) if pick() else None,
                   need_weights=pick(), average_attn_weights=pick())
    if separate:
        options.update(use_separate_proj_weight=True, q_proj_weight=torch.randn(size, size), k_proj_weight=torch.randn(size, 5), v_proj_weight=torch.randn(size, 4))
    if pick():
        options.update(bias_k=torch.randn(1, 1, size), bias_v=torch.randn(1, 1, size))
    elif pick():
        options.update(static_k=torch.randn(batch * heads, keys, size // heads), static_v=torch.randn(batch * heads, keys, size // heads))
    if pick():
        mask = torch.rand(*middle, keys) > 0.6
        mask[..., 0] = False
        options["key_padding_mask"] = mask
    if pick():
        mask = torch.rand(*((batch * heads,) if pick() else ()), rows, keys) > 0.6
        mask[..., 0] = False
        options["attn_mask"] = mask if pick() else torch.randn(mask.shape)
        if rows == keys and pick():
            options.update(attn_mask=torch.ones(rows, keys, dtype=torch.bool).triu(1), is_causal=True)
    mine = {name: taken(x) if isinstance(x, torch.Tensor) else x for name, x in options.items()}
    tensors = {id(x): taken(x) for x in (query, key, value)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(seed)
        expected = theirs.multi_head_attention_forward(query, key, value, size, heads, **options)
        tenon.manual_seed(seed)
        results = ours.multi_head_attention_forward(*(tensors[id(x)] for x in (query, key, value)), size, heads, **mine)
    same(results[0], expected[0], torch.float32, 20)
    assert (results[1] is None) == (expected[1] is None)
    if expected[1] is not None:
        same(results[1], expected[1], torch.float32, 20)
