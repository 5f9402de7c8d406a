"""scaled_dot_product_attention against its definition in other operators, and multi_head_attention_forward."""

import math

import pytest
import tenon
import tenon.nn.functional as F


def plain(query, key, value, mask=None, causal=False, scale=None):
    """All weights in memory."""
    scores = query @ key.mT * (1 / math.sqrt(query.shape[-1]) if scale is None else scale)
    if causal:
        hidden = ~tenon.ones(query.shape[-2], key.shape[-2], dtype=tenon.bool).tril()
        scores = scores.masked_fill(hidden, -math.inf)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf) if mask.dtype == tenon.bool else scores + mask
    return tenon.softmax(scores, -1) @ value


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("batch", [(), (3,), (2, 3), (2, 1, 3)])
def test_it_is_its_definition(batch, causal):
    query, key, value = tenon.randn(*batch, 7, 5), tenon.randn(*batch, 11, 5), tenon.randn(*batch, 11, 4)
    result = F.scaled_dot_product_attention(query, key, value, is_causal=causal)
    assert tenon.allclose(result, plain(query, key, value, causal=causal), atol=1e-5)


def test_masks_scale_and_shared_heads():
    query, key, value = tenon.randn(2, 6, 7, 5), tenon.randn(2, 3, 11, 5), tenon.randn(2, 2, 11, 5)
    mask = tenon.rand(7, 11) > 0.4
    mask[:, 0] = True
    result = F.scaled_dot_product_attention(query, key, value, mask, scale=0.3, enable_gqa=True)
    wide = key.repeat_interleave(2, 1), value.repeat_interleave(3, 1)
    assert tenon.allclose(result, plain(query, *wide, mask=mask, scale=0.3), atol=1e-5)
    added = tenon.randn(2, 1, 1, 11)
    result = F.scaled_dot_product_attention(query, key, value, attn_mask=added, enable_gqa=True)
    assert tenon.allclose(result, plain(query, *wide, mask=added), atol=1e-5)


def test_a_seed_decides_what_is_dropped():
    x = tenon.randn(2, 3, 5, 4)
    tenon.manual_seed(3)
    result = F.scaled_dot_product_attention(x, x, x, dropout_p=0.5)
    tenon.manual_seed(3)
    weights = F.dropout(tenon.softmax(x @ x.mT / 2, -1), 0.5)
    assert tenon.allclose(result, weights @ x, atol=1e-5)


def test_scale_and_enable_gqa_are_named():
    x = tenon.randn(3, 4)
    with pytest.raises(TypeError):
        F.scaled_dot_product_attention(x, x, x, None, 0.0, False, 0.5)


@pytest.mark.parametrize("change, words", [
    (dict(key=(5, 3)), "dimension 1 of query has size 4 and dimension 1 of key has size 3"),
    (dict(value=(6, 4)), "dimension 0 of key has size 5 and dimension 0 of value has size 6"),
    (dict(attn_mask=(2, 2)), "attn_mask"),
    (dict(dropout_p=2.0), "dropout_p is 2"),
    (dict(query=(4,)), "at least 2"),
])
def test_errors_name_the_argument_and_sizes(change, words):
    arguments = dict(query=(3, 4), key=(5, 4), value=(5, 4), dropout_p=0.0, attn_mask=(3, 5), **{})
    arguments.update(change)
    arguments = {name: tenon.ones(value) if isinstance(value, tuple) else value for name, value in arguments.items()}
    with pytest.raises(RuntimeError, match=words):
        F.scaled_dot_product_attention(**arguments)


def heads(query, key, value, **options):
    size, count = query.shape[-1], 2
    generator = tenon.Generator().manual_seed(1)
    draw = lambda *sizes: tenon.randn(*sizes, generator=generator)
    weights = dict(in_proj_weight=draw(3 * size, size), in_proj_bias=draw(3 * size), out_proj_weight=draw(size, size), out_proj_bias=draw(size))
    weights.update(bias_k=None, bias_v=None, add_zero_attn=False, dropout_p=0.0)
    weights.update(options)
    return F.multi_head_attention_forward(query, key, value, size, count, **weights)


def test_heads_with_and_without_weights_agree():
    query, key = tenon.randn(5, 2, 6), tenon.randn(7, 2, 6)
    padding = tenon.zeros(2, 7, dtype=tenon.bool)
    padding[1, 4:] = True
    output, weights = heads(query, key, key, key_padding_mask=padding)
    assert output.shape == (5, 2, 6) and weights.shape == (2, 5, 7)
    assert tenon.allclose(weights.sum(-1), tenon.ones(2, 5), atol=1e-5) and not weights[1, :, 4:].any()
    without, none = heads(query, key, key, key_padding_mask=padding, need_weights=False)
    assert none is None and tenon.allclose(output, without, atol=1e-4)
    assert heads(query, key, key, average_attn_weights=False)[1].shape == (2, 2, 5, 7)


def test_heads_without_batches():
    query = tenon.randn(5, 6)
    output, weights = heads(query, query, query)
    wide, _ = heads(*[query.unsqueeze(1)] * 3)
    assert output.shape == (5, 6) and weights.shape == (5, 5) and tenon.allclose(output, wide[:, 0], atol=1e-4)


def test_a_causal_mask_may_be_left_to_is_causal():
    query = tenon.randn(5, 2, 6)
    hidden = ~tenon.ones(5, 5, dtype=tenon.bool).tril()
    output, _ = heads(query, query, query, attn_mask=hidden)
    quick, _ = heads(query, query, query, attn_mask=hidden, is_causal=True, need_weights=False)
    assert tenon.allclose(output, quick, atol=1e-4)
    with pytest.raises(RuntimeError, match="attn_mask is wanted too"):
        heads(query, query, query, is_causal=True)


@pytest.mark.parametrize("options, kind", [
    (dict(attn_mask=(4, 4)), RuntimeError),
    (dict(attn_mask=(5,)), AssertionError),
    (dict(key_padding_mask=(2, 4)), AssertionError),
    (dict(bias_k=(1, 1, 6)), AssertionError),
    (dict(static_k=(3, 5, 3)), AssertionError),
    (dict(in_proj_weight=None), AssertionError),
    (dict(use_separate_proj_weight=True), AssertionError),
])
def test_heads_refuse_what_does_not_fit(options, kind):
    query = tenon.randn(5, 2, 6)
    options = {name: tenon.ones(value) if isinstance(value, tuple) else value for name, value in options.items()}
    with pytest.raises(kind):
        heads(query, query, query, **options)


def test_scores_and_mask_of_flex_attention_are_functions_of_the_program():
    from tenon.nn.attention import flex_attention as flex
    tenon.manual_seed(0)
    q, k, v = (tenon.randn(2, 4, 6, 8, dtype=tenon.float64, requires_grad=True) for _ in range(3))
    slopes, document = tenon.exp2(-tenon.arange(1, 5) * 2.0).double(), tenon.arange(6) // 4

    def alibi(score, b, h, q_idx, kv_idx):
        return score + slopes[h] * (kv_idx - q_idx)

    def causal(b, h, q_idx, kv_idx):
        return q_idx >= kv_idx

    mask = flex.create_block_mask(flex.and_masks(causal, lambda b, h, i, j: document[i] == document[j]), None, None, 6, 6, BLOCK_SIZE=4)
    shown = tenon.ones(6, 6, dtype=tenon.bool).tril() & (document[:, None] == document)
    bias = slopes[:, None, None] * (tenon.arange(6) - tenon.arange(6)[:, None])
    plain = tenon.nn.functional.scaled_dot_product_attention
    assert flex.flex_attention(q, k, v, block_mask=mask).allclose(plain(q, k, v, shown))
    made = flex.flex_attention(q, k, v, alibi, mask)
    wanted = plain(q, k, v, bias.masked_fill(~shown, -float("inf")))
    assert made.allclose(wanted)
    for a, b in zip(tenon.autograd.grad(made.square().sum(), (q, k, v)), tenon.autograd.grad(wanted.square().sum(), (q, k, v))):
        assert a.allclose(b)
    assert mask.to_dense().tolist() == [[[[1, 0], [0, 1]]]] and mask.shape == (1, 1, 6, 6) and "BlockMask" in repr(mask)
    made, lse = flex.flex_attention(q, k[:, :2], v[:, :2], scale=0.5, enable_gqa=True, return_lse=True)
    assert made.allclose(plain(q, k[:, :2].repeat_interleave(2, 1), v[:, :2].repeat_interleave(2, 1), scale=0.5)) and lse.shape == (2, 4, 6)
    blind = flex.create_block_mask(lambda b, h, i, j: (i > 0) & (j >= 0), 1, 1, 6, 6)
    assert flex.flex_attention(q, k, v, alibi, blind)[:, :, 0].count_nonzero() == 0
    assert flex.create_mask(causal, 1, None, 2, 3).tolist() == [[[[True, False, False], [True, True, False]]]]
    out, more = flex.flex_attention(q, k, v, return_aux=flex.AuxRequest(max_scores=True))
    assert more.lse is None and more.max_scores.allclose((q @ k.mT / 8 ** 0.5).amax(-1))
    assert flex.or_masks(causal, lambda b, h, i, j: i < j)(*flex._places((1, 1, 2, 2), None)).all()
    for wrong in (lambda: flex.flex_attention(q[0], k, v), lambda: flex.flex_attention(q, k[:, :2], v[:, :2]), lambda: flex.flex_attention(q.float(), k, v),
                  lambda: flex.flex_attention(q, k[:, :, :5], v[:, :, :5], block_mask=mask), lambda: flex.create_block_mask(causal, 1, 1, 2, 2, BLOCK_SIZE=0)):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(RuntimeError, match="mask_mod"):
        flex.create_block_mask(alibi, 1, 1, 2, 2)


def test_causal_biases_are_masks():
    from tenon.nn.attention import bias
    assert bias.causal_upper_left(2, 3).tolist() == [[True, False, False], [True, True, False]]
    assert bias.causal_lower_right((2, 3)).tolist() == [[True, True, False], [True, True, True]]
    with pytest.raises(RuntimeError, match="queries"):
        bias.causal_upper_left(2)
