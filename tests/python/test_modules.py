"""The modules beside the core: nn.functional, nn.init, linalg, fft, special, random; what is loaded when; the stubs."""

import ast
import os
import pathlib
import subprocess
import sys

import pytest

import tenon
from tenon import _core

HERE = pathlib.Path(tenon.__file__).parent


def test_importing_the_package_imports_nothing_else():
    code = "import sys; before = set(sys.modules); import tenon; print(sorted(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(HERE.parent)},
    )
    assert done.stdout.strip() == "['tenon', 'tenon._core']"


def test_every_name_that_is_promised_is_there():
    for name in dir(tenon):
        assert getattr(tenon, name) is not None or name == "newaxis", name
    for module in (
        tenon.nn,
        tenon.nn.functional,
        tenon.nn.init,
        tenon.linalg,
        tenon.fft,
        tenon.special,
        tenon.random,
        tenon.array_api,
    ):
        for name in dir(module):
            getattr(module, name)
        with pytest.raises(AttributeError):
            module.nothing_of_this_name


def test_functions_of_networks():
    import tenon.nn.functional as F

    x = tenon.tensor([[-1.0, 2.0], [3.0, -4.0]])
    assert F.relu(x).tolist() == [[0, 2], [3, 0]] and F.relu(x) is not x
    y = x.clone()
    assert F.relu(y, inplace=True) is y and y.tolist() == [[0, 2], [3, 0]]
    assert F.leaky_relu(x, 0.5).tolist() == [[-0.5, 2], [3, -2]] and F.gelu(x, approximate="tanh").shape == (2, 2)
    assert F.softmax(x, dim=1).sum(1).tolist() == pytest.approx([1, 1]) and F.one_hot(tenon.tensor([1, 0])).tolist() == [
        [0, 1],
        [1, 0],
    ]
    assert F.dropout(x, 0.5, training=False).tolist() == x.tolist() and F.dropout(tenon.ones(1000), 0.5).count_nonzero() < 700
    assert F.pad(x, (1, 0)).shape == (2, 3) and F.layer_norm(x, (2,)).shape == (2, 2)
    with pytest.raises(AttributeError):
        F.nothing_of_this_name


def test_functions_of_networks_take_their_arguments_in_the_order_of_torch():
    import tenon.nn.functional as F

    others = {"relu": (), "silu": (), "elu": (2.0,), "leaky_relu": (0.5,), "hardtanh": (-0.5, 0.5), "threshold": (1, 7)}
    for name, before in others.items():
        x = tenon.tensor([-1.0, 2.0])
        expected = getattr(F, name)(x, *before)
        assert x.tolist() == [-1, 2] and getattr(F, name)(x, *before, True) is x and x.tolist() == expected.tolist()
        with pytest.raises(TypeError):
            getattr(F, name)(x, *before, False, 1)
    weight = tenon.arange(6.0).reshape(3, 2)
    assert F.embedding(tenon.tensor([2, 0]), weight).tolist() == [[4, 5], [0, 1]]
    assert F.embedding(input=tenon.tensor([[1]]), weight=weight, padding_idx=-3).tolist() == [[[2, 3]]]
    with pytest.raises(IndexError):
        F.embedding(tenon.tensor([0]), weight, padding_idx=3)
    with pytest.raises(RuntimeError):
        F.dropout(weight, 2.0, training=False)


def test_initialisers_change_their_tensor():
    from tenon.nn import init

    x = tenon.empty(3, 4)
    assert (
        init.ones_(x) is x
        and x.sum().item() == 12
        and init.constant_(x, 2).sum().item() == 24
        and init.zeros_(x).sum().item() == 0
    )
    assert init.kaiming_uniform_(x, a=1.0).abs().max().item() <= 1 and init.calculate_gain("relu") == 2**0.5
    assert init.calculate_gain("leaky_relu", 1.0) == 1 and init.calculate_gain("conv2d") == 1
    with pytest.raises(ValueError):
        init.calculate_gain("none")


def test_linear_algebra_and_special_functions():
    x = tenon.tensor([[3.0, 4.0], [6.0, 8.0]])
    assert tenon.linalg.vector_norm(x, dim=1).tolist() == [5, 10] and tenon.linalg.diagonal(x).tolist() == [3, 8]
    assert tenon.linalg.vecdot(x, x).tolist() == [25, 100]
    assert tenon.special.expit(tenon.zeros(1)).item() == 0.5 and tenon.special.gammaln(tenon.ones(1)).item() == 0
    assert tenon.special.log1p is tenon.log1p


def test_random_numbers_have_pytorchs_words():
    g = tenon.Generator().manual_seed(5)
    a = tenon.rand(2, 3, generator=g, dtype=tenon.float64)
    assert a.dtype is tenon.float64 and a.shape == (2, 3) and g.initial_seed() == 5
    assert tenon.rand((2, 3), generator=tenon.Generator().manual_seed(5), dtype=tenon.float64).tolist() == a.tolist()
    assert tenon.manual_seed(1) is not None and tenon.initial_seed() == 1
    state = tenon.get_rng_state()
    b = tenon.randn(4)
    tenon.set_rng_state(state)
    assert tenon.randn(4).tolist() == b.tolist()
    with tenon.random.fork_rng():
        tenon.rand(10)
        inside = tenon.get_rng_state()
    assert not tenon.equal(tenon.get_rng_state(), inside)
    x = tenon.zeros(100)
    assert x.random_(7).max().item() <= 6 and x.random_(3, 5).min().item() >= 3 and x.uniform_(1, 2).min().item() >= 1
    assert x.normal_(0, 1).shape == x.bernoulli_(0.5).shape == (100,)
    for call in (
        lambda: tenon.randint(0, 10, (3,), generator=g),
        lambda: tenon.randint(10, size=(3,)),
        lambda: tenon.randperm(3, generator=g),
        lambda: tenon.normal(0.0, 1.0, size=(3,), generator=g),
        lambda: tenon.randn_like(x)[:3],
        lambda: tenon.rand(3, device="cpu"),
    ):
        assert call().shape == (3,)


def test_the_stubs_are_python_and_know_every_operator():
    text = (HERE / "_core.pyi").read_text()
    if not text:
        pytest.skip("this build has no stubs")
    tree = ast.parse(text)
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert {name for name, *_ in _core._operators() if hasattr(_core, name)} <= functions
    ast.parse((HERE / "__init__.pyi").read_text())


def test_what_is_returned_is_the_argument_where_nothing_is_done():
    x = tenon.ones(2, 3)
    assert tenon.positive(x) is x and x.conj() is x and tenon.real(x) is x and tenon.atleast_1d(x) is x and x.flatten(0, 0) is x
    assert x.view(2, 3) is not x and x.reshape(2, 3) is not x and tenon.real(x.to(tenon.complex64))._is_view()


def test_what_programs_say_before_they_begin_is_understood():
    device = tenon.device("cuda" if tenon.cuda.is_available() else "cpu")
    assert tenon.ones(2).to(device).device.type == "cpu" and tenon.cuda.device_count() == 0 and not tenon.cuda.is_initialized()
    tenon.cuda.manual_seed_all(0)
    assert tenon.manual_seed(seed=5).initial_seed() == 5 == tenon.default_generator.initial_seed()

    @tenon.no_grad()
    def one(x):
        """The text stays."""
        return x + 1

    @tenon.no_grad
    def two(x):
        return x + 2

    with tenon.no_grad(), tenon.inference_mode(), tenon.set_grad_enabled(False):
        assert one(tenon.ones(1)).item() == 2 and two(tenon.ones(1)).item() == 3 and one.__doc__ == "The text stays."
    assert tenon.is_grad_enabled() and tenon.inference_mode()(lambda: 5)() == 5
    with pytest.raises(ZeroDivisionError), tenon.no_grad():
        1 / 0


def test_the_functions_of_networks_are_only_those():
    functional = tenon.nn.functional
    for name in ("add", "abs_", "zeros", "Tensor", "ShapeError", "arange", "float32", "sum", "linspace"):
        with pytest.raises(AttributeError):
            getattr(functional, name)
    for name in dir(functional):
        assert callable(getattr(functional, name)), name
    for name in ("add", "fill_", "zero_"):
        with pytest.raises(AttributeError):
            getattr(tenon.nn.init, name)


def test_unfold_of_networks_makes_columns_of_windows():
    unfold = tenon.nn.functional.unfold
    x = tenon.arange(12.0).reshape(1, 1, 3, 4)
    assert unfold(x, 2).tolist() == [[[0, 1, 2, 4, 5, 6], [1, 2, 3, 5, 6, 7], [4, 5, 6, 8, 9, 10], [5, 6, 7, 9, 10, 11]]]
    assert unfold(x, (3, 2), dilation=(1, 2), stride=(1, 1)).tolist() == [[[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11]]]
    assert unfold(x, 2, padding=(0, 1), stride=(1, 4)).tolist() == [[[0, 3, 0, 7], [0, 0, 4, 0], [0, 7, 0, 11], [4, 0, 8, 0]]]
    assert unfold(x.transpose(2, 3), (1, 3)).tolist() == [[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]]
    assert unfold(x[0], 2).shape == (4, 6) and unfold(tenon.zeros(0, 2, 3, 4), 2).shape == (0, 8, 6)
    same = unfold(x, 1)
    same.fill_(0)
    assert x.sum() == 66  # a copy, also where a view would do
    for wrong in (lambda: unfold(x, 5), lambda: unfold(x[0, 0], 1), lambda: unfold(x, 0), lambda: unfold(x, 2, padding=-1),
                  lambda: unfold(x, 2, stride=0), lambda: unfold(tenon.zeros(1, 0, 3, 4), 2), lambda: unfold(x, (1, 2, 3))):
        with pytest.raises((RuntimeError, ValueError)):
            wrong()
