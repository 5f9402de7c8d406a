"""Recurrent networks, bags and random activations beside PyTorch: with arguments that fit, for PyTorch's process dies with others."""

import itertools

import pytest
import torch

import tenon


def here(value):
    """The same in Tenon."""
    if isinstance(value, torch.Tensor):
        if not value.numel():
            return tenon.empty(tuple(value.shape), dtype=getattr(tenon, str(value.dtype).removeprefix("torch.")))
        return tenon.from_dlpack(value.detach().clone().contiguous())
    return type(value)(map(here, value)) if isinstance(value, (tuple, list)) else value


def agree(made, wanted, tolerance):
    for got, want in zip(made, wanted, strict=True):
        assert tuple(got.shape) == tuple(want.shape)
        flat = torch.tensor(got.tolist(), dtype=want.dtype).reshape(want.shape)
        assert torch.allclose(flat.double(), want.double(), rtol=tolerance, atol=tolerance)


def both(call):
    """What a call gives in PyTorch and in Tenon, from one seed."""
    torch.manual_seed(5)
    tenon.manual_seed(5)
    with torch.no_grad():
        return call(tenon, here), call(torch, lambda value: value)


@pytest.mark.parametrize("kind", ["lstm", "gru", "rnn_tanh", "rnn_relu"])
@pytest.mark.parametrize("dtype,tolerance", [(torch.float32, 1e-5), (torch.float64, 1e-11), (torch.bfloat16, 0.2)])
def test_networks(kind, dtype, tolerance):
    torch.manual_seed(1)
    for layers, two, biases, first, batch in itertools.product((1, 2), (False, True), (True, False), (False, True), (2, 11)):
        steps, features, width = 4, 3, 5
        gates, directions = {"lstm": 4, "gru": 3}.get(kind, 1), 2 if two else 1
        params = []
        for layer in range(layers):
            for _ in range(directions):
                params += [torch.randn(gates * width, directions * width if layer else features, dtype=dtype) / 2,
                           torch.randn(gates * width, width, dtype=dtype) / 2]
                params += [torch.randn(gates * width, dtype=dtype) for _ in range(2 * biases)]
        x = torch.randn(*((batch, steps, features) if first else (steps, batch, features)), dtype=dtype)
        state = torch.randn(layers * directions, batch, width, dtype=dtype)
        state = (state, state / 2) if kind == "lstm" else state
        made, wanted = both(lambda lib, as_is: getattr(lib, kind)(
            as_is(x), as_is(state), as_is(params), biases, layers, 0.3, True, two, first))
        agree(made, wanted, tolerance)
        assert made[0].stride() == wanted[0].stride()
        lengths = torch.tensor(sorted(torch.randint(1, steps + 1, (batch,)).tolist(), reverse=True))
        data, sizes = torch._pack_padded_sequence(x, lengths, first)
        agree(tenon._pack_padded_sequence(here(x), here(lengths), first), (data, sizes), 0)
        agree(*both(lambda lib, as_is: getattr(lib, kind)(
            as_is(data), as_is(sizes), as_is(state), as_is(params), biases, layers, 0.3, True, two)), tolerance)
        agree(tenon._pad_packed_sequence(here(data), here(sizes), first, 2.0, 6),
              torch._pad_packed_sequence(data, sizes, first, 2.0, 6), 0)


def test_bags():
    torch.manual_seed(2)
    weight, indices = torch.randn(6, 5), torch.tensor([1, 2, 2, 5, 0, 3])
    for mode, padding, last in itertools.product((0, 1, 2), (None, 2, -1), (False, True)):
        offsets = torch.tensor([0, 2, 2, 5] + [6] * last)
        for scale in (None, torch.randn(6)) if mode == 0 else (None,):
            made, wanted = both(lambda lib, as_is: lib.embedding_bag(
                as_is(weight), as_is(indices), as_is(offsets), False, mode, False, as_is(scale), last, padding))
            kept = [i for i in range(4) if i != 1 or len(wanted[1])]  # PyTorch's fast path leaves it empty
            agree([made[i] for i in kept], [wanted[i] for i in kept], 1e-6)


def test_random_activations_have_the_draws_of_pytorch():
    x = torch.randn(6, 4, 3)
    for name in ("alpha_dropout", "feature_alpha_dropout", "dropout1d", "dropout2d"):
        agree(*([made] for made in both(lambda lib, as_is: getattr(lib.nn.functional, name)(as_is(x), 0.4, True))), 1e-6)
    agree(*([made] for made in both(lambda lib, as_is: lib.nn.functional.rrelu(as_is(x), 0.1, 0.4, True))), 1e-6)
    for hard in (False, True):
        agree(*([made] for made in both(lambda lib, as_is: lib.nn.functional.gumbel_softmax(as_is(x), 0.7, hard))), 1e-5)
