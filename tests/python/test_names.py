"""What programs for PyTorch use beside tensors and modules: settings, torch.testing, windows, trees, processes, absent things."""

import os
import pathlib
import subprocess
import sys
import warnings

import pytest
import tenon
import tenon.signal.windows as windows
from tenon.utils import _pytree as pytree

PATH = str(pathlib.Path(tenon.__file__).parent.parent)


def run(text, folder, *arguments):
    (folder / "program.py").write_text(text)
    return subprocess.run([sys.executable, "-B", "-m", "tenon.run", "program.py", *arguments], capture_output=True, text=True, timeout=120, cwd=folder,
                          env={**os.environ, "PYTHONPATH": PATH})


def test_settings_are_remembered_and_refuse_nonsense():
    tenon.use_deterministic_algorithms(True, warn_only=True)
    assert tenon.are_deterministic_algorithms_enabled() and tenon.get_deterministic_debug_mode() == 1
    tenon.set_deterministic_debug_mode("default")
    assert not tenon.are_deterministic_algorithms_enabled() and not tenon.is_deterministic_algorithms_warn_only_enabled()
    with pytest.raises(RuntimeError):
        tenon.set_deterministic_debug_mode(3)
    tenon.set_float32_matmul_precision("high")
    assert tenon.get_float32_matmul_precision() == "high"
    with pytest.warns(UserWarning):
        tenon.set_float32_matmul_precision("best")
    tenon.set_float32_matmul_precision("highest")
    assert tenon.set_flush_denormal(False) and not tenon.set_flush_denormal(True)
    try:
        tenon.set_default_tensor_type("torch.DoubleTensor")
        assert tenon.get_default_dtype() == tenon.float64
        tenon.set_default_tensor_type(tenon.FloatTensor)
    finally:
        tenon.set_default_dtype(tenon.float32)
    with pytest.raises(TypeError, match="cuda"):
        tenon.set_default_tensor_type("torch.cuda.FloatTensor")


def test_small_functions_say_what_methods_say():
    x = tenon.ones(2)
    assert not tenon.is_conj(x) and not tenon.is_neg(x) and tenon.is_signed(x) and tenon.get_device(x) == -1
    assert tenon.resolve_conj(x) is x and tenon.typename(x) == "torch.FloatTensor" and tenon.typename(3) == "int"
    assert tenon.cond(x.sum() > 1, lambda a: a + 1, lambda a: a - 1, (x,)).tolist() == [2, 2]
    assert tenon.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * 2), (0, x))[1].tolist() == [8, 8]


@pytest.mark.parametrize("name", ["cuda", "xpu", "pin_memory", "to_sparse", "values", "indices", "is_coalesced"])
def test_methods_for_what_is_not_there_are_errors_that_say_why(name):
    with pytest.raises((AssertionError, RuntimeError), match=f"Tensor.{name}: "):
        getattr(tenon.ones(2), name)()


def test_old_forms_of_methods():
    x = tenon.arange(6.)
    with pytest.warns(UserWarning):
        assert x.resize(2, 3).shape == (2, 3)
    assert x.to_dense() is x and x.to_dense(tenon.float64).dtype == tenon.float64
    assert [part.tolist() for part in tenon.unsafe_chunk(x, 3)] == [[0, 1], [2, 3], [4, 5]]
    assert tenon.nonzero_static(x > 3, size=3).tolist() == [[4], [5], [-1]] and (x > 3).nonzero_static(size=1).tolist() == [[4]]


def test_places_in_an_array_are_unravelled():
    rows, columns = tenon.unravel_index(tenon.tensor([0, 5, 11]), (3, 4))
    assert rows.tolist() == [0, 1, 2] and columns.tolist() == [0, 1, 3]
    with pytest.raises(ValueError):
        tenon.unravel_index(tenon.ones(2), (3, 4))


def test_differences_of_neighbours():
    x = tenon.tensor([1.0, 4.0, 9.0, 16.0])
    assert tenon.gradient(x)[0].tolist() == [3, 4, 6, 7]
    assert tenon.gradient(x, spacing=2.0)[0].tolist() == [1.5, 2, 3, 3.5]
    assert tenon.gradient(x, edge_order=2)[0].tolist() == [2, 4, 6, 8]
    uneven = tenon.tensor([0.0, 1.0, 3.0, 4.0])
    assert tenon.gradient(uneven ** 2, spacing=(uneven,), edge_order=2)[0].tolist() == pytest.approx([0, 2, 6, 8])
    with pytest.raises(RuntimeError, match="edge_order"):
        tenon.gradient(tenon.ones(1))


def test_values_are_close_or_the_difference_is_told():
    close = tenon.testing.assert_close
    close(tenon.ones(2), tenon.ones(2) + 1e-7)
    close({"a": [1, tenon.ones(2)]}, {"a": [1, tenon.ones(2)]})
    close(tenon.tensor(float("nan")), tenon.tensor(float("nan")), equal_nan=True)
    with pytest.raises(AssertionError, match="1 of 2 elements differ") as error:
        close(tenon.tensor([1.0, 2.0]), tenon.tensor([1.0, 2.5]))
    assert "0.5 at (1,)" in str(error.value)
    for one, other in [(tenon.ones(2), tenon.ones(3)), (tenon.ones(2), tenon.ones(2).double()), ([1], [1, 2]), ({"a": 1}, {"b": 1}), (1.0, 1.1), (1, 1.0),
                       (None, 1), (tenon.tensor(float("nan")), tenon.tensor(float("nan")))]:
        with pytest.raises(AssertionError):
            close(one, other)
    with pytest.raises(TypeError):
        close(tenon.ones(2), [1.0, 1.0])
    with pytest.raises(ValueError):
        close(1.0, 1.0, rtol=1)
    made = tenon.testing.make_tensor(3, 4, dtype=tenon.float32, low=1, high=2, requires_grad=True, noncontiguous=True)
    assert made.shape == (3, 4) and not made.is_contiguous() and made.requires_grad and bool(((made >= 1) & (made < 2)).all())


def test_windows_have_scipys_numbers():
    wanted = {"bartlett": [0, 0.5, 1, 0.5, 0], "hann": [0, 0.5, 1, 0.5, 0], "cosine": [0.30901699, 0.80901699, 1, 0.80901699, 0.30901699],
              "blackman": [0, 0.34, 1, 0.34, 0], "gaussian": [0.13533528, 0.60653066, 1, 0.60653066, 0.13533528],
              "exponential": [0.13533528, 0.36787944, 1, 0.36787944, 0.13533528], "kaiser": [5.27734413e-05, 0.21567274, 1, 0.21567274, 5.27734413e-05],
              "nuttall": [0.0003628, 0.2269824, 1, 0.2269824, 0.0003628], "hamming": [0.08, 0.54, 1, 0.54, 0.08]}
    for name, numbers in wanted.items():
        function = getattr(windows, name)
        assert function(5, dtype=tenon.float64).tolist() == pytest.approx(numbers, abs=1e-7), name
        assert function(1).tolist() == [1] and function(0).shape == (0,)
        assert function(4, sym=False, dtype=tenon.float64).tolist() == pytest.approx(numbers[:4], abs=1e-7), name
    with pytest.raises(ValueError):
        windows.hann(-1)


def test_trees_are_taken_apart_and_put_together():
    tree = {"a": [1, (2, 3)], "b": None}
    leaves, form = pytree.tree_flatten(tree)
    assert leaves == [1, 2, 3, None] and pytree.tree_unflatten([10, 20, 30, 40], form) == {"a": [10, (20, 30)], "b": 40}
    assert pytree.tree_map(lambda x: x and -x, tree) == {"a": [-1, (-2, -3)], "b": None}
    assert pytree.tree_map_only(int, str, tree) == {"a": ["1", ("2", "3")], "b": None}
    with pytest.raises(ValueError):
        pytree.tree_unflatten([1], form)


def test_memory_is_shared_in_place():
    x = tenon.arange(4.)
    assert not x.is_shared() and x.share_memory_() is x and x.is_shared() and x.untyped_storage().is_shared()
    assert x.tolist() == [0, 1, 2, 3] and x[1:].is_shared() and x.share_memory_() is x
    view = tenon.arange(4.)[1:]
    with pytest.raises(RuntimeError, match="stay behind"):
        view.share_memory_()
    empty = tenon.empty(0).share_memory_()
    assert empty.is_shared() and empty.numel() == 0
    layer = tenon.nn.Linear(2, 3).share_memory()
    assert layer.weight.is_shared() and layer.weight.is_leaf and layer.weight.requires_grad
    layer(tenon.ones(1, 2)).sum().backward()
    assert layer.weight.grad.tolist() == [[1, 1]] * 3
    with pytest.raises((TypeError, ValueError)):
        tenon._core._attach_shared(10 ** 6, 4)
    with pytest.raises(TypeError):
        tenon._core._shared_handle(tenon.ones(1).untyped_storage())


PROCESSES = """
import sys, torch, torch.nn as nn, torch.multiprocessing as mp
def work(rank, model, counts):
    with torch.no_grad():
        model.weight.add_(1)
        counts[rank] += rank + 1
def fail(rank):
    raise ValueError(f"number {rank}")
def put(queue, other):
    queue.put({"a": torch.arange(3.), "p": nn.Parameter(torch.zeros(2))})
    other.get()
if __name__ == "__main__":
    mp.set_start_method(sys.argv[1])
    model, counts = nn.Linear(3, 2, bias=False), torch.zeros(2).share_memory_()
    nn.init.zeros_(model.weight)
    model.share_memory()
    processes = [mp.Process(target=work, args=(i, model, counts)) for i in range(2)]
    for one in processes: one.start()
    for one in processes: one.join()
    print(model.weight.sum().item(), counts.tolist())
    queue, other = mp.Queue(), mp.Queue()
    process = mp.Process(target=put, args=(queue, other))
    process.start()
    got = queue.get()
    other.put(1)
    process.join()
    print(got["a"].tolist(), got["a"].is_shared(), type(got["p"]).__name__, got["p"].requires_grad)
    try:
        mp.spawn(fail, nprocs=1)
    except mp.ProcessRaisedException as error:
        print("ValueError: number 0" in str(error))
"""


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_share_tensors_and_mean_tenon_by_torch(tmp_path, method):
    done = run(PROCESSES, tmp_path, method)
    assert done.stdout.split("\n")[:3] == ["12.0 [1.0, 2.0]", "[0.0, 1.0, 2.0] True Parameter True", "True"], done.stderr


ABSENT = """
from torch.utils.tensorboard import SummaryWriter
from torch.jit import script
from torch.nn.parallel import scatter, DistributedDataParallel
from torch.distributed import init_process_group, ProcessGroup
from torch.nn.utils.weight_norm import WeightNorm
from torch.nn.utils import weight_norm
import torch, torch.nested, torch.profiler, torch.cuda.amp, torch.utils.model_zoo
print(torch.jit.is_scripting(), torch.onnx.is_in_onnx_export(), callable(weight_norm), torch.cuda.Stream.__name__)

@torch.jit.ignore
def f(x):
    with torch.profiler.record_function("f"):
        return x

print(f(3))
for make in (lambda: SummaryWriter("x"), lambda: script(f), lambda: torch.nested.nested_tensor([]), lambda: torch.sparse_coo_tensor(1, 2),
             lambda: ProcessGroup(), lambda: init_process_group("gloo"), lambda: scatter(1), lambda: torch.cuda.Stream(),
             lambda: torch.profiler.profile().__enter__()):
    try:
        make()
    except Exception as error:
        print(type(error).__name__, error)
"""


def test_what_is_imported_and_not_used_is_no_error_and_what_is_used_says_its_name(tmp_path):
    done = run(ABSENT, tmp_path)
    lines = done.stdout.split("\n")
    assert lines[0] == "False False True Stream" and lines[1] == "3", done.stderr
    words = ["torch.utils.tensorboard.SummaryWriter", "torch.jit.script", "torch.nested.nested_tensor", "torch.sparse_coo_tensor is not in Tenon",
             "distributed.ProcessGroup", "distributed.init_process_group", "nn.parallel.scatter", "cuda.Stream", "profiler.profile"]
    for line, word in zip(lines[2:], words, strict=False):
        assert word in line, line
    assert len(lines) == len(words) + 3


def test_an_exception_has_the_frames_of_the_program_alone(tmp_path):
    done = run("def f():\n    try:\n        1 / 0\n    except ZeroDivisionError as error:\n        raise ValueError('x') from error\nf()\n", tmp_path)
    frames = [line for line in done.stderr.split("\n") if line.startswith("  File")]
    assert done.returncode == 1 and len(frames) == 3 and all(f'"{tmp_path}/program.py"' in line for line in frames)
    done = run("import torch.jit\ntorch.jit.script(1)", tmp_path)
    assert "run.py" not in done.stderr and "torch.jit.script: " in done.stderr


def test_the_older_forms_of_autocast_and_scalers_have_their_own_arguments(tmp_path):
    done = run("""import warnings
warnings.simplefilter("ignore")
import torch
import torch.nn as nn
from torch.cuda.amp import GradScaler, autocast, custom_bwd, custom_fwd
with autocast(True), torch.cuda.amp.autocast(enabled=False):
    print((torch.eye(2) @ torch.eye(2)).dtype)
scaler = GradScaler(1024.0, enabled=True)
print(scaler.is_enabled(), scaler.get_scale())
class Twice(torch.autograd.Function):
    @staticmethod
    @custom_fwd
    def forward(ctx, x): return x * 2
    @staticmethod
    @custom_bwd
    def backward(ctx, grad): return grad * 2
x = torch.ones(2, requires_grad=True)
Twice.apply(x).sum().backward()
print(x.grad.tolist())
with torch.cpu.amp.autocast():
    print((torch.eye(2) @ torch.eye(2)).dtype)
""", tmp_path)
    assert (done.stdout, done.stderr) == ("torch.float32\nFalse 1.0\n[2.0, 2.0]\ntorch.bfloat16\n", "")


def test_functorch_is_here_and_so_are_names_that_programs_import(tmp_path):
    done = run("""import torch
import torch.nn as nn
from functorch import combine_state_for_ensemble, make_functional, make_functional_with_buffers, vmap
from torch.distributed.algorithms.join import Join
from torch.distributed.elastic.multiprocessing.errors import record
from torch.distributions.multivariate_normal import _batch_mahalanobis
from torch.nn.modules.transformer import _get_activation_fn, _get_clones
from torch.utils.data.dataloader import _BaseDataLoaderIter
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3)).eval()
call, params, buffers = make_functional_with_buffers(net)
x = torch.randn(4, 2)
print(torch.equal(call(params, buffers, x), net(x)), len(params), len(buffers))
call, params = make_functional(nn.Linear(2, 1))
print(call(params, x).shape)
call, params, buffers = combine_state_for_ensemble([nn.Linear(2, 1) for _ in range(3)])
print(vmap(call, in_dims=(0, 0, None))(params, buffers, x).shape)
print(torch.nn.utils.parametrizations.parametrize.__name__, torch.nn.functional.grad.__name__, torch.cuda.get_rng_state_all())
print(torch.cdist(x, x, compute_mode="donot_use_mm_for_euclid_dist").shape)
for name in ("symeig", "lstsq"):
    try:
        getattr(torch, name)
    except AttributeError as error:
        print(error)
""", tmp_path)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "True 4 3", "torch.Size([4, 1])", "torch.Size([3, 4, 1])", "torch.nn.utils.parametrize torch.nn.grad []", "torch.Size([4, 4])",
        "torch.symeig is not in Tenon: torch.linalg.eigh is what took its place", "torch.lstsq is not in Tenon: torch.linalg.lstsq is what took its place"]


def test_an_exception_of_too_much_recursion_has_the_frames_of_the_program_alone(tmp_path):
    done = run("def f():\n    f()\nf()\n", tmp_path)
    assert done.returncode == 1 and "RecursionError" in done.stderr and "run.py" not in done.stderr


def test_autocast_casts_a_weight_once_and_its_gradient_sums_up():
    layer = tenon.nn.Linear(4, 4)
    x = tenon.randn(2, 4)
    kept = []

    def note(tensor):
        kept.append(tensor.untyped_storage())
        return tensor

    with tenon.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        with tenon.amp.autocast("cpu", dtype=tenon.bfloat16):
            first = (layer(layer(x)) ** 2).sum()
    half = {storage.data_ptr() for storage in kept if storage.nbytes() == 32}
    assert len(half) == 1
    first.float().backward()
    with tenon.amp.autocast("cpu", dtype=tenon.bfloat16, cache_enabled=False):
        other = tenon.nn.Linear(4, 4)
        other.load_state_dict(layer.state_dict())
        (other(other(x)) ** 2).sum().float().backward()
    assert tenon.allclose(layer.weight.grad, other.weight.grad, rtol=0.02, atol=0.05)


def test_a_weight_that_is_written_is_cast_again():
    weight = tenon.ones(2, 2, requires_grad=True)
    with tenon.amp.autocast("cpu"):
        assert tenon.mm(weight, tenon.ones(2, 2)).tolist() == [[2, 2], [2, 2]]
        with tenon.no_grad():
            weight.mul_(3)
        assert tenon.mm(weight, tenon.ones(2, 2)).tolist() == [[6, 6], [6, 6]]
        assert tenon.is_autocast_enabled("cpu") and tenon.get_autocast_dtype("cpu") == tenon.bfloat16 and tenon.is_autocast_cache_enabled()
        tenon.clear_autocast_cache()
    assert not tenon.is_autocast_enabled("cpu") and not tenon.is_autocast_enabled()


def test_a_file_is_looked_into(tmp_path):
    tenon.arange(4.).numpy().tofile(tmp_path / "x") if "numpy" in sys.modules else (tmp_path / "x").write_bytes(bytes(memoryview(tenon.arange(4.))))
    looked = tenon.from_file(str(tmp_path / "x"), shared=True, size=4)
    looked[1] = 9
    del looked
    assert tenon.from_file(str(tmp_path / "x"), size=4).tolist() == [0, 9, 2, 3]
    with pytest.raises(RuntimeError, match="16 bytes"):
        tenon.from_file(str(tmp_path / "x"), size=5)


def test_a_scaler_and_autocast_for_a_device_that_is_not_there_say_so():
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        tenon.amp.autocast("cuda")
        tenon.amp.GradScaler()
    assert len(told) == 2


def test_a_program_compares_the_version_with_texts_and_tuples(tmp_path):
    text = """import torch
v = torch.__version__
print(v >= "2.0", v > "1.13.1", v < "3", v >= (2, 0), v >= "2.9", v == v, v == "2.13.0", v != "2.13", int(v.split(".")[0]), v == "dev")
import torch.torch_version
print(isinstance(v, torch.torch_version.TorchVersion), torch.version.__version__ == v, torch.version.cuda)
"""
    result = run(text, tmp_path)
    assert result.stdout.split() == "True True True True True True False True 2 False True True None".split(), result.stderr


def test_trees_have_paths_and_classes_of_ones_own():
    tree = {"a": [1, (2,)], "b": 3}
    paths = pytree.tree_leaves_with_path(tree)
    assert [pytree.keystr(path) for path, _ in paths] == ["['a'][0]", "['a'][1][0]", "['b']"]
    assert all(pytree.key_get(tree, path) == leaf for path, leaf in paths) and list(pytree.tree_iter(tree)) == [1, 2, 3]
    assert pytree.tree_map_with_path(lambda path, x, y: len(path) * x + y, tree, tree) == {"a": [3, (8,)], "b": 6}

    class Pair:
        def __init__(self, a, b):
            self.a, self.b = a, b

    pytree.register_pytree_node(Pair, lambda pair: ([pair.a, pair.b], None), lambda children, context: Pair(*children))
    doubled = pytree.tree_map(lambda x: 2 * x, [Pair(1, [2]), 3])
    assert (doubled[0].a, doubled[0].b, doubled[1]) == (2, [4], 6) and not pytree.tree_is_leaf(Pair(1, 2))
    with pytest.raises(ValueError, match="already"):
        pytree.register_pytree_node(Pair, None, None)
    assert pytree.tree_any_only(int, lambda x: x > 2, ["a", 3]) and not pytree.tree_all_only(int, lambda x: x > 2, ["a", 3, 1])
    assert pytree.arg_tree_leaves(1, [2], x=3) == [1, 2, 3]


def test_gradients_of_convolutions_are_functions():
    import tenon.nn.grad as grad
    x, w = tenon.randn(2, 4, 6, 6, requires_grad=True), tenon.randn(6, 2, 3, 3, requires_grad=True)
    y = tenon.conv2d(x, w, stride=2, padding=1, groups=2)
    given = tenon.randn_like(y)
    wanted = tenon.autograd.grad(y, (x, w), given)
    assert grad.conv2d_input(x.shape, w, given, 2, 1, 1, 2).allclose(wanted[0], atol=1e-5)
    assert grad.conv2d_weight(x, w.shape, given, stride=2, padding=1, groups=2).allclose(wanted[1], atol=1e-5)


def test_norms_that_linalg_replaced():
    x = tenon.arange(8.0).reshape(2, 2, 2)
    assert tenon.frobenius_norm(x, (1, 2)).allclose(tenon.linalg.matrix_norm(x)) and tenon.frobenius_norm(x).allclose(x.norm())
    assert tenon.nuclear_norm(x[0]).allclose(tenon.linalg.matrix_norm(x[0], "nuc")) and tenon.nuclear_norm(x, (0, 2)).shape == (2,)
    assert tenon.nuclear_norm(x).allclose(tenon.linalg.matrix_norm(x, "nuc"))
    with pytest.raises(RuntimeError, match="not a matrix"):
        tenon.nuclear_norm(x[0, 0])
    with pytest.raises(RuntimeError, match="frobenius_norm"):
        tenon.frobenius_norm(x, (0, 1, 2))


def test_flat_elements_of_many_tensors():
    from tenon import _utils
    parts = [tenon.arange(3.0), tenon.ones(2, 2)]
    flat = _utils._flatten_dense_tensors(parts)
    assert all(a.equal(b) for a, b in zip(_utils._unflatten_dense_tensors(flat, parts), parts))
    assert [len(some) for some in _utils._take_tensors(parts + parts, 20)] == [1, 1, 1, 1] and len(list(_utils._take_tensors(parts, 100))) == 1


def test_modules_of_torch_are_found_by_their_files(tmp_path):
    text = """import torch
print(torch.distributions.normal.Normal(0.0, 1.0), torch.distributions.kl.kl_divergence.__name__)
with torch.autograd.profiler.record_function("part"):
    print(torch.torch_version.TorchVersion.__name__, hasattr(torch, "run"))
from torch.nn.common_types import _size_2_t
from torch.optim.optimizer import ParamsT
import torch._dynamo
torch._dynamo.mark_dynamic(torch.ones(2), 0)
print(torch.get_device_module("cpu").__name__, torch.func.functionalize(abs) is abs)
with torch.autograd.set_multithreading_enabled(False):
    print(torch.autograd.is_multithreading_enabled())
try:
    torch.quasirandom.SobolEngine(2)
except NotImplementedError as error:
    print(error)
"""
    result = run(text, tmp_path)
    assert result.stdout == ("Normal(loc: 0.0, scale: 1.0) kl_divergence\nTorchVersion False\ntenon.cpu True\nFalse\n"
                             "torch.quasirandom.SobolEngine: there are no Sobol sequences here\n"), result.stderr


def test_methods_of_matrices_under_their_older_names():
    x = tenon.tensor([[4., 1], [2, 3]])
    assert x.det().item() == 10 and tenon.det(input=x).item() == 10 and tenon.linalg.det(A=x).item() == 10
    assert tenon.allclose(x.inverse() @ x, tenon.eye(2)) and x.slogdet().sign.item() == 1
    reflections, tau = x.geqrf()
    assert tenon.equal(reflections.orgqr(tau), tenon.orgqr(reflections, input2=tau))
    assert [part.shape for part in x.lu(get_infos=True)] == [(2, 2), (2,), ()]
    assert tenon.allclose(tenon.frobenius_norm(x), x.norm()) and tenon.frobenius_norm(x, 0).shape == (2,)
    assert tenon.allclose(tenon.nuclear_norm(x), tenon.linalg.svdvals(x).sum())
    assert tenon.nuclear_norm(x.expand(3, 2, 2), (1, 2), True).shape == (3, 1, 1)


def test_arguments_that_mean_nothing_here_are_taken():
    x, y = tenon.zeros(2), tenon.ones(2)
    assert x.copy_(y, True).tolist() == [1, 1] and x.copy_(2 * y, non_blocking=True).tolist() == [2, 2]
    for wrong in ({"non_blocking": 3}, {"blocking": True}):
        with pytest.raises(TypeError):
            x.copy_(y, **wrong)
    with pytest.raises(TypeError):
        x.copy_(y, True, True)
    assert tenon.gather(y, 0, tenon.tensor([0]), sparse_grad=False).tolist() == [1]
    with pytest.raises(TypeError):
        tenon.gather(y, 0, tenon.tensor([0]), sparse_grad=True)
    assert tenon.layer_norm(y, [2], None, None, 1e-5, False).shape == y.expand(2, implicit=False).shape
    assert tenon.searchsorted(tenon.arange(3), self=2).item() == 2 and tenon.scalar_tensor(s=3).item() == 3
    with pytest.raises(TypeError):
        tenon.stft(y, 2, align_to_window=True)
