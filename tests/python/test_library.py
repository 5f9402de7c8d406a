"""Operators that a C library or Python registers at run time: tenon.ops and tenon.library."""

import ctypes
import gc
import inspect
import pathlib
import pickle
import pydoc
import shutil
import subprocess
import sys
import sysconfig
import threading
import traceback
import weakref
from typing import Optional

import pytest
import tenon
from tenon import library

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PACKAGE = pathlib.Path(tenon.__file__).parent
LIBRARY = next(PACKAGE.glob("libtenon.so.*")).name


@pytest.fixture(autouse=True)
def nothing_stays_registered():
    before = set(tenon._core._library_names())
    yield
    for name in set(tenon._core._library_names()) - before:
        library.unregister(name)


def compiled(folder, source, *options):
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not compiler:
        pytest.skip("there is no C compiler")
    target = folder / (pathlib.Path(source).stem + (".so" if "-shared" in options else ""))
    subprocess.run([compiler, "-std=gnu11", "-O1", "-fPIC", f"-I{ROOT / 'include'}", str(source), *options, "-o", str(target),
                    f"-L{PACKAGE}", f"-l:{LIBRARY}", f"-Wl,-rpath,{PACKAGE}", "-pthread"], check=True)
    return target


@pytest.fixture(scope="session")
def plugin_path(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("plugin"), ROOT / "tests/python/plugin/plugin.c", "-shared")


class Plugin:
    def __init__(self, path):
        self.library = tenon.ops.load_library(path)
        self.library.plugin_call.restype = ctypes.c_double

    def call(self, name, threads=0):
        message = ctypes.create_string_buffer(800)
        total = self.library.plugin_call(name.encode(), threads, message, ctypes.c_size_t(800))
        return total, message.value.decode()


@pytest.fixture(scope="session")
def plugin(plugin_path):
    return Plugin(plugin_path)


# ---- what C registers


def test_what_a_library_registers_appears_by_itself(plugin, plugin_path):
    x = tenon.tensor([1.0, -2.0])
    assert str(plugin_path) in tenon.ops.loaded_libraries
    assert "plug" in dir(tenon.ops) and dir(tenon.ops.plug) == ["both", "relay", "twice"] == list(tenon.ops.plug)
    assert tenon.ops.plug.twice(x).tolist() == [2, -4] and tenon.ops.plug.twice(x, 3).tolist() == [3, -6]
    assert tenon.ops.plug.twice(x=x, factor=0.5).tolist() == [0.5, -1]
    assert tenon.ops.plug.twice(x, out=(out := tenon.empty(2))) is out and out.tolist() == [2, -4]
    minus, plain = both = tenon.ops.plug.both(x)
    assert both.minus is minus and plain.tolist() == [1, 2] and "both(\nminus=" in repr(both)


def test_a_registered_operator_has_name_signature_and_help(plugin):
    twice = tenon.ops.plug.twice
    assert str(inspect.signature(twice)) == "(x, factor=2)"
    assert twice.__name__ == "twice" and twice.name == "plug::twice" and repr(twice) == "<operator plug::twice>"
    assert twice.schemas == ["plug::twice(tensor x, scalar factor=2) -> tensor"] and twice.overloads() == ["default"]
    assert "times a factor" in twice.__doc__ and "times a factor" in pydoc.render_doc(twice)
    assert twice.default(tenon.ones(1)).item() == 2
    assert pickle.loads(pickle.dumps(twice))(tenon.ones(1)).item() == 2


def test_what_is_not_registered_is_an_attribute_error(plugin):
    with pytest.raises(AttributeError, match="nothing_here"):
        tenon.ops.nothing_here
    with pytest.raises(AttributeError, match="plug::thrice"):
        tenon.ops.plug.thrice
    with pytest.raises(AttributeError, match="strange"):
        tenon.ops.plug.twice.strange


def test_wrong_arguments_are_type_errors_with_the_signature(plugin):
    with pytest.raises(TypeError, match=r"plug::twice\(tensor x, scalar factor=2\)"):
        tenon.ops.plug.twice("x")
    with pytest.raises(TypeError, match="factr"):
        tenon.ops.plug.twice(tenon.ones(1), factr=1)
    with pytest.raises(TypeError, match="missing"):
        tenon.ops.plug.twice()


def test_loading_what_is_no_library_or_registers_badly_fails(tmp_path):
    with pytest.raises(OSError):
        tenon.ops.load_library(tmp_path / "none.so")
    source = tmp_path / "bad.c"
    source.write_text('#include <tenon/tenon.h>\n__attribute__((constructor)) static void begin(void) {\n'
                      '    tn_operator_register("bad::name", "(blob x) -> none", NULL);\n}\n')
    with pytest.raises(tenon.ArgumentError, match="column 2: a type is expected"):
        tenon.ops.load_library(compiled(tmp_path, source, "-shared"))


# ---- what Python registers


def test_a_function_becomes_an_operator():
    @library.custom_op("mine::scale(tensor x, float factor=2.0) -> tensor")
    def scale(x, factor):
        """x times a factor."""
        return x * factor

    x = tenon.tensor([1.0, 2.0])
    assert scale(x).tolist() == tenon.ops.mine.scale(x).tolist() == [2, 4]
    assert tenon.ops.mine.scale(x, factor=10).tolist() == scale(x, 10).tolist() == [10, 20]
    assert str(inspect.signature(tenon.ops.mine.scale)) == "(x, factor=2.0)" and "x times a factor" in scale.__doc__
    assert repr(scale) == "<operator mine::scale(tensor x, float factor=2.0) -> tensor>"
    scale.unregister()
    with pytest.raises(AttributeError):
        tenon.ops.mine
    with pytest.raises(RuntimeError, match="mine::scale"):
        scale(x)


def test_an_operator_can_be_defined_again_whoever_took_it_away():
    for _ in range(3):
        library.custom_op("mine::same(tensor x) -> tensor", lambda x: x)
        library.unregister("mine::same")
    with pytest.raises(ValueError, match="cuda"):
        library.custom_op("mine::same(tensor x) -> tensor", lambda x: x, device_types="cuda")
    assert "mine::same" not in tenon._core._library_names()


def test_parameters_may_have_any_name():
    @library.custom_op("mine::names(tensor self, tensor out, int device=1, bool requires_grad=false) -> tensor")
    def names(x, y, device, requires_grad):
        return x + y if requires_grad else x * device

    x, y = tenon.tensor([1.0, 2.0]), tenon.tensor([3.0, 4.0])
    assert names(x, out=y, requires_grad=True).tolist() == [4, 6] and y.tolist() == [3, 4]
    assert names(self=x, out=y, device=5).tolist() == [5, 10] and tenon.ops.mine.names(self=x, out=y).tolist() == [1, 2]


def test_texts_that_c_cannot_hold_do_no_harm():
    @library.custom_op("mine::fail(tensor x, text how='a') -> tensor")
    def fail(x, how):
        raise KeyError("é" * x.numel() + "\ud800" * (how == "odd"))

    for count in range(470, 520):
        with pytest.raises(KeyError):
            fail(tenon.ones(count))
    with pytest.raises(KeyError):
        fail(tenon.ones(1), "odd")
    for attribute in "\ud800", "a\0", "nothing":
        with pytest.raises(AttributeError):
            getattr(tenon.ops.mine.fail, attribute)


def test_annotations_say_the_signature():
    @library.custom_op("mine::many", mutates_args=("x",))
    def many(x: tenon.Tensor, y: Optional[tenon.Tensor], all: list[tenon.Tensor], n: int, f: float = 0.5, *, dims: tuple[int, ...],
             b: bool = True, s: str = "word", d: Optional[tenon.dtype] = None, k: int | float = 3, w: int | None = None) -> None:
        seen.append((y, len(all), n, f, dims, b, s, d, k, w))
        x.add_(n)

    seen, x = [], tenon.zeros(2)
    assert many.schema == ("mine::many(tensor! x, tensor? y, tensors all, int n, float f=0.5, dims dims, bool b=true, text s=word, "
                           "dtype d=default, scalar k=3, int w=none) -> none")
    assert many(x, None, [x, x], 7, dims=(1, 2)) is None and x.tolist() == [7, 7]
    assert seen == [(None, 2, 7, 0.5, (1, 2), True, "word", None, 3, None)]
    many(x, x, [], 1, 2, dims=3, b=False, s="é", d=tenon.int8, k=1.5, w=4)
    assert seen[1][0].tolist() == [8, 8] and seen[1][1:] == (0, 1, 2.0, (3,), False, "é", tenon.int8, 1.5, 4)
    assert type(seen[1][3]) is float


@pytest.mark.parametrize("annotation", [dict, list[complex], "tenon.Tensor | int", set, list[str]])
def test_annotations_that_mean_nothing_are_refused(annotation):
    def odd(x):
        return x

    odd.__annotations__ = {"x": annotation, "return": tenon.Tensor}
    with pytest.raises(ValueError, match="mine::odd: there is no parameter type"):
        library.custom_op("mine::odd", odd)
    odd.__annotations__ = {"x": tenon.Tensor, "return": dict}
    with pytest.raises(ValueError, match="mine::odd: there is no result type"):
        library.custom_op("mine::odd", odd)
    odd.__annotations__ = {}
    with pytest.raises(ValueError, match="no annotation"):
        library.custom_op("mine::odd", odd)
    with pytest.raises(ValueError, match="no such parameter"):
        library.custom_op("mine::odd", odd, mutates_args=("z",))
    assert "mine" not in dir(tenon.ops)


@pytest.mark.parametrize("torch, own", [
    ("(Tensor x, float f=1.5, *, int[] d, Tensor? y=None) -> Tensor", "(tensor x, float f=1.5, dims d, tensor? y=none) -> tensor"),
    ("(Tensor(a!) x, Tensor[] all, Scalar s=1) -> ()", "(tensor! x, tensors all, scalar s=1) -> none"),
    ("(Tensor x, ScalarType? t=None, str w='mean', bool b=False) -> (Tensor, Tensor)",
     "(tensor x, dtype t=default, text w=mean, bool b=false) -> list(result0, result1)"),
    ("(Tensor x, SymInt n) -> (Tensor values, Tensor indices)", "(tensor x, int n) -> list(values, indices)"),
    ("(tensor x) -> maybe-view", "(tensor x) -> maybe-view"),
])
def test_signatures_in_pytorchs_spelling_are_understood(torch, own):
    library.define("mine::spelled", torch)
    assert tenon.ops.mine.spelled.schemas == ["mine::spelled" + own]


@pytest.mark.parametrize("name, match", [
    ("scale(tensor x) -> tensor", "namespace"), ("mine::scale(tensor x", "is not a signature"), ("mine::scale(Blob x) -> tensor", "Blob"),
    ("mine::scale(tensor x) -> Blob", "result"), ("mine::sc ale(tensor x) -> tensor", "is not the name"),
    ("mine::scale(Tensor(a!)[] x) -> tensor", "list of tensors"), ("mine::scale_(tensor x) -> tensor", "tensor!"),
])
def test_names_and_signatures_that_cannot_be_are_refused(name, match):
    with pytest.raises(ValueError, match=match):
        library.custom_op(name)(lambda x: x)
    assert "mine" not in dir(tenon.ops)


def test_every_kind_of_argument_reaches_the_function():
    library.define("mine::kinds", "(storage s, index i, scalar z, device d, format f, generator g=none, number n=none) -> bool")
    seen = []
    library.impl("mine::kinds", "cpu", lambda *given: seen.append(given) or True)
    x, g = tenon.arange(4), tenon.Generator()
    assert tenon.ops.mine.kinds(x.untyped_storage(), (1, slice(None, 3, 2), None, ..., True), 2j, "cpu", tenon.channels_last,
                                g) is True
    storage, index, *rest = seen[0]
    assert storage is x.untyped_storage() or storage.data_ptr() == x.untyped_storage().data_ptr()
    assert index[0] == 1 and index[2:] == (None, ..., True) and tenon.arange(9)[index[1]].tolist() == [0, 2]
    assert rest[:3] == [2j, tenon.device("cpu"), tenon.channels_last] and rest[4] is None
    assert rest[3].initial_seed() == g.initial_seed()
    assert tenon.ops.mine.kinds(x.untyped_storage(), tenon.tensor([1, 2]), 1, "cpu", tenon.contiguous_format)
    assert seen[1][1][0].tolist() == [1, 2] and seen[1][5] is None


def test_real_numbers_in_a_list_reach_the_function():
    seen = []

    @library.custom_op("mine::reals")
    def reals(factors: list[float]) -> int:
        seen.append(factors)
        return len(factors)

    assert reals([1.5, 2]) == 2 and reals(()) == 0 and seen == [(1.5, 2.0), ()]
    assert tenon.ops.mine.reals.schemas == ["mine::reals(floats factors) -> int"]
    with pytest.raises(TypeError):
        reals(["a"])


@pytest.mark.parametrize("signature, value", [
    ("() -> int", 7), ("() -> float", 2.5), ("() -> bool", True), ("() -> scalar", 1 + 2j), ("() -> none", None), ("() -> int", -(2**62)),
])
def test_numbers_come_back(signature, value):
    op = library.custom_op("mine::give" + signature)(lambda: value)
    assert op() == value and type(op()) is type(value)


@pytest.mark.parametrize("result, value", [
    ("tensor", 1), ("tensor", None), ("list", tenon.ones(1)), ("list", [1]), ("list(a, b)", (tenon.ones(1),)), ("int", 1.5),
    ("int", "1"), ("float", 1j), ("bool", 1), ("none", 0), ("scalar", "a"), ("int", 2**70),
])
def test_a_result_that_was_not_promised_is_an_error(result, value):
    op = library.custom_op(f"mine::give() -> {result}")(lambda: value)
    with pytest.raises((TypeError, OverflowError)):
        op()


def test_lists_and_views_come_back():
    halves = library.custom_op("mine::halves(tensor x) -> list")(lambda x: [x[:1], x[1:]])
    pair = library.custom_op("mine::pair(tensor x) -> list(first, second)")(lambda x: (x, x + 1))
    part = library.custom_op("mine::part(tensor x) -> view")(lambda x: x[1:])
    x = tenon.arange(3)
    assert [y.tolist() for y in halves(x)] == [[0], [1, 2]]
    assert pair(x).second.tolist() == [1, 2, 3] and pair(x).first.data_ptr() == x.data_ptr()
    view = part(x)
    assert view._base is x and view.data_ptr() == x.data_ptr() + 8


def test_in_place_and_out_operators():
    @library.custom_op("mine::double_(tensor! x) -> tensor")
    def double_(x):
        x.mul_(2)

    @library.custom_op("mine::double_out(tensor! out, tensor x) -> tensor")
    def double_out(out, x):
        out.copy_(x * 2)

    x, out = tenon.ones(2), tenon.empty(2)
    version = x._version
    assert double_(x) is x and x.tolist() == [2, 2] and x._version > version
    assert tenon.ops.mine.double(x, out=out) is out and out.tolist() == [4, 4]
    assert tenon.ops.mine.double_out(out, out) is out and out.tolist() == [8, 8]


def test_overloads_are_chosen_by_their_arguments():
    library.custom_op("mine::of.number(int n) -> int")(lambda n: n + 1)
    library.custom_op("mine::of.tensor(tensor x) -> tensor")(lambda x: -x)
    assert tenon.ops.mine.of(1) == 2 and tenon.ops.mine.of(tenon.ones(1)).item() == -1
    assert sorted(tenon.ops.mine.of.overloads()) == ["number", "tensor"] and tenon.ops.mine.of.number(5) == 6
    with pytest.raises(TypeError):
        tenon.ops.mine.of.tensor("x")


def test_a_handle_is_never_behind():
    library.custom_op("mine::now() -> int")(lambda: 1)
    handle = tenon.ops.mine.now
    assert handle() == 1
    library.custom_op("mine::now(int n=4) -> int")(lambda n: n)
    assert handle() == 4 and handle(n=5) == 5
    library.unregister("mine::now")
    library._defined.clear()
    with pytest.raises(RuntimeError, match="mine::now"):
        handle()
    library.define("mine::now", "() -> int")
    with pytest.raises(tenon.DeviceError, match="no kernel"):
        handle()


def test_what_programs_for_pytorch_say_besides_is_understood():
    @library.custom_op("mine::crop", mutates_args=(), device_types="cpu")
    def crop(pic: tenon.Tensor, box: tuple[int, int]) -> tenon.Tensor:
        return pic[box[0]:box[1]].clone()

    @crop.register_fake
    def _(pic, box):
        return pic.new_empty(box[1] - box[0])

    @library.register_fake("mine::crop")
    def _(pic, box):
        return pic

    @crop.register_kernel("default")
    def _(pic, box):
        raise AssertionError("the CPU has a kernel of its own")

    assert crop(tenon.arange(5), (1, 3)).tolist() == [1, 2] and tenon.ops.mine.crop.default(tenon.arange(3), [0, 1]).tolist() == [0]
    with pytest.raises(NotImplementedError):
        crop.register_autograd(lambda: None)


def test_a_library_takes_everything_back():
    with library.Library("mine", "DEF") as mine:
        mine.define("plus(Tensor x, Scalar n=1) -> Tensor")
        mine.impl("plus", lambda x, n: x + n, "CPU")
        mine.impl("plus", lambda x, n: x - n)  # for every other device
        assert tenon.ops.mine.plus(tenon.ones(1)).item() == 2
        with pytest.raises(RuntimeError, match="already"):
            mine.impl("plus", lambda x, n: x, "CPU")
    assert "mine" not in dir(tenon.ops)
    with pytest.raises(ValueError, match="'cpu'"):
        library.impl("mine::plus", "cuda")(lambda x: x)
    with pytest.raises(TypeError, match="a kernel is a function"):
        library.impl("mine::plus", "cpu", 5)
    with pytest.raises(ValueError):
        library.Library("mine", "WHAT")


def test_a_built_in_operator_can_be_replaced_for_a_while():
    with library.Library("own", "IMPL") as own:
        library.impl("neg", "cpu", lambda x: x * 100, lib=own)
        assert tenon.neg(tenon.ones(1)).item() == 100 and (-tenon.ones(1)).item() == 100
    assert (-tenon.ones(1)).item() == -1


# ---- exceptions


class Odd(Exception):
    pass


def test_an_exception_comes_out_as_it_went_in():
    error = Odd("one")

    @library.custom_op("mine::fail(tensor x) -> tensor")
    def fail(x):
        raise error

    with pytest.raises(Odd) as caught:
        fail(tenon.ones(2))
    assert caught.value is error
    assert [frame.name for frame in traceback.extract_tb(error.__traceback__)][-1] == "fail"
    with pytest.raises(Odd) as caught:
        try:
            1 / 0
        except ZeroDivisionError:
            fail(tenon.ones(1))


@pytest.mark.parametrize("exception", [KeyboardInterrupt, SystemExit, MemoryError, StopIteration, RecursionError])
def test_every_exception_passes(exception):
    def fail(x):
        raise exception("why")

    op = library.custom_op("mine::fail(tensor x) -> tensor")(fail)
    with pytest.raises(exception, match="why"):
        op(tenon.ones(40000))
    assert tenon.ones(1).item() == 1


def test_an_exception_passes_through_operators_of_c(plugin):
    def fail(x):
        raise Odd("deep")

    library.custom_op("mine::fail(tensor x) -> tensor", fail)
    with pytest.raises(Odd, match="deep"):
        tenon.ops.plug.relay(tenon.ones(2), "mine::fail")
    assert tenon.ops.plug.relay(tenon.ones(2), "mine::fail", True).tolist() == [-1, -1]  # C has forgotten the error
    with pytest.raises(tenon.ShapeError):  # and the exception does not come back with another
        tenon.ones(2) + tenon.ones(3)
    with pytest.raises(tenon.ArgumentError, match="no operator named"):
        tenon.ops.plug.relay(tenon.ones(2), "mine::nothing")


def test_python_calls_c_calls_python(plugin):
    depth = []

    def nest(x):
        depth.append(1)
        return tenon.ops.plug.relay(x, "mine::nest") if len(depth) < 30 else x + 1

    library.custom_op("mine::nest(tensor x) -> tensor", nest)
    assert tenon.ops.mine.nest(tenon.zeros(3)).tolist() == [1, 1, 1] and len(depth) == 30


def test_endless_recursion_is_an_error():
    library.custom_op("mine::again(tensor x) -> tensor", lambda x: tenon.ops.mine.again(x))
    with pytest.raises(RecursionError):
        tenon.ops.mine.again(tenon.ones(1))
    assert tenon.ones(1).item() == 1


# ---- calls from C


def test_c_calls_functions_of_python(plugin):
    kept = []

    def keep(x):
        kept.append(x)  # beyond the scope of the kernel
        kept.append(x * 2)
        kept.append(x[1:])
        return kept[-2]

    library.custom_op("mine::keep(tensor x) -> tensor", keep)
    assert plugin.call("mine::keep") == (12.0, "ok: ")
    assert len(kept) == 150 and all(x.tolist() == [1.5] * 4 for x in kept[::3]) and all(x.sum() == 12 for x in kept[1::3])
    assert kept[2].tolist() == [1.5] * 3


def test_c_threads_call_functions_of_python(plugin):
    threads = set()

    def work(x):
        threads.add(threading.get_ident())
        return (x + 1) * 2 - x

    library.custom_op("mine::work(tensor x) -> tensor", work)
    # ctypes gives up the interpreter's lock while it calls
    assert plugin.call("mine::work", threads=4) == (14.0, "ok: ") and threading.get_ident() not in threads


@pytest.mark.parametrize("threads", [0, 2])
@pytest.mark.parametrize("exception, text", [
    (ValueError("odd"), "argument: mine::fail: ValueError: odd"), (IndexError("far"), "index: mine::fail: IndexError: far"),
    (Odd(), "state: mine::fail: Odd"), (MemoryError(), "memory: mine::fail: MemoryError"),
    (tenon.ShapeError("a b"), "shape: mine::fail: ShapeError: a b"), (OSError("disk"), "io: mine::fail: OSError: disk"),
    (Odd("100% %s %n"), "state: mine::fail: Odd: 100% %s %n"), (Odd("x" * 5000), "state: mine::fail: Odd: xxx"),
])
def test_c_gets_exceptions_as_errors(plugin, threads, exception, text):
    def fail(x):
        raise exception

    library.custom_op("mine::fail(tensor x) -> tensor", fail)
    total, message = plugin.call("mine::fail", threads)
    assert total == -1 and message.startswith(text)


def test_c_gets_an_error_when_the_result_is_wrong(plugin):
    library.custom_op("mine::wrong(tensor x) -> tensor", lambda x: 5)
    total, message = plugin.call("mine::wrong", 1)
    assert total == -1 and "TypeError: it must return tensor, as its signature says" in message


# ---- lifetimes


def test_nothing_is_kept_and_nothing_leaks():
    def make():
        def big(x):
            return x + held

        held = tenon.ones(1000)
        alive = weakref.ref(big), weakref.ref(held)
        library.custom_op("mine::big(tensor x) -> tensor", big)
        return alive

    alive = make()
    library._defined.clear()
    gc.collect()
    assert alive[0]() is not None and tenon.ops.mine.big(tenon.ones(1))[0] == 2  # the registry holds it
    library.unregister("mine::big")
    gc.collect()
    assert alive[0]() is None and alive[1]() is None


def test_calls_leave_no_memory_behind():
    library.custom_op("mine::many(tensor x) -> list(a, b)", lambda x: (x + 1, x.view(-1)))
    library.custom_op("mine::fail(tensor x) -> tensor", lambda x: 1 / 0)
    x = tenon.ones(100)

    def round():
        for _ in range(50):
            tenon.ops.mine.many(x)
            with pytest.raises(ZeroDivisionError):
                tenon.ops.mine.fail(x)

    round()
    gc.collect()
    before, objects = tenon.memory_stats()["blocks"]["current"], len(gc.get_objects())
    round()
    gc.collect()
    assert len(gc.get_objects()) - objects < 50
    assert tenon.memory_stats()["blocks"]["current"] == before


def test_an_operator_may_unregister_itself_while_it_runs():
    def vanish(n):
        library.unregister("mine::vanish")
        gc.collect()
        return n + 1

    library.custom_op("mine::vanish(int n) -> int", vanish)
    del vanish
    library._defined.clear()
    assert tenon._core._library_operator("mine::vanish")(4) == 5
    assert "mine" not in dir(tenon.ops)


def test_threads_call_what_others_register_and_unregister():
    stop, good = threading.Event(), []

    def call():
        x = tenon.ones(3)
        while not stop.is_set():
            try:
                assert tenon.ops.mine.busy(x)[0] == 2
                good.append(1)
            except (AttributeError, RuntimeError):
                pass

    threads = [threading.Thread(target=call) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(150):
        library.custom_op("mine::busy(tensor x) -> tensor", lambda x: x + 1)
        library.unregister("mine::busy")
        library._defined.clear()
    stop.set()
    for thread in threads:
        thread.join()


def run(text, *arguments):
    return subprocess.run([sys.executable, "-c", text, *map(str, arguments)], capture_output=True, text=True, timeout=600,
                          env={"PYTHONPATH": str(PACKAGE.parent), "PATH": "/usr/bin:/bin"})


def test_the_interpreter_ends_well_with_operators_and_threads_in_use(plugin_path):
    result = run("""
import sys, threading, ctypes, tenon
plugin = tenon.ops.load_library(sys.argv[1])
plugin.plugin_call.restype = ctypes.c_double
@tenon.library.custom_op("mine::work(tensor x) -> tensor")
def work(x):
    return x + 1
room = ctypes.create_string_buffer(800)
def call():
    while True:
        plugin.plugin_call(b"mine::work", 1, room, ctypes.c_size_t(800))
for _ in range(3):
    threading.Thread(target=call, daemon=True).start()
assert plugin.plugin_call(b"mine::work", 2, room, ctypes.c_size_t(800)) == 10
print("ended")
""", plugin_path)
    assert (result.returncode, result.stdout, result.stderr) == (0, "ended\n", "")


def test_a_c_program_that_embeds_python_shares_its_operators(tmp_path):
    variables = sysconfig.get_config_vars()
    library_name = variables.get("LDLIBRARY", "")
    folder = pathlib.Path(variables.get("LIBDIR", "/")) / library_name
    if not library_name.endswith(".so") or not folder.exists():
        pytest.skip("this Python has no shared library to embed")
    source = tmp_path / "host.c"
    source.write_text(r"""
#include <Python.h>
#include <tenon/tenon.h>
static tn_error twice(void *ctx, const tn_frame *frame, tn_values a, tn_value *result) {
    (void)ctx; (void)frame;
    *result = TN_V(tn_mul_scalar(a.items[0].as.tensor, 2));
    return TN_OK;
}
int main(void) {
    tn_operator_register("host::twice", "(tensor x) -> tensor", NULL);
    tn_kernel_register("host::twice", TN_KEY_CPU, TN_KERNEL(twice, NULL));
    Py_Initialize();
    if (PyRun_SimpleString("import tenon\n"
                           "assert tenon.ops.host.twice(tenon.ones(2)).tolist() == [2, 2]\n"
                           "@tenon.library.custom_op('guest::more(tensor x) -> tensor')\n"
                           "def more(x):\n    return x + 1\n") != 0)
        return 1;
    tn_scope scope = tn_scope_open();
    tn_tensor *y = tn_call_tensor("guest::more", TN_VALUES(tn_full(TN_DIMS(3), 1, TN_FLOAT32)));
    int good = y && tn_item_double(tn_sum(y, TN_DTYPE_DEFAULT)) == 6;
    Py_Finalize();
    int gone = !tn_call_tensor("guest::more", TN_VALUES(y)); /* what Python defined; what C did stays */
    tn_error_clear();
    gone = gone && tn_call_tensor("host::twice", TN_VALUES(y));
    tn_scope_close(scope);
    printf("%d %d\n", good, gone);
    return 0;
}
""")
    program = compiled(tmp_path, source, f"-I{sysconfig.get_paths()['include']}", f"-L{folder.parent}", f"-l:{library_name}",
                       f"-Wl,-rpath,{folder.parent}")
    result = subprocess.run([str(program)], capture_output=True, text=True, timeout=600,
                            env={"PYTHONPATH": str(PACKAGE.parent), "PYTHONHOME": sys.base_prefix, "PATH": "/usr/bin:/bin"})
    assert (result.stdout, result.stderr, result.returncode) == ("1 1\n", "", 0)
