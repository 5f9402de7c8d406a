"""Files: tenon.load and tenon.save, tenon.files, tenon.safetensors, against NumPy and files that other libraries made."""

import collections
import io
import os
import pathlib
import pickle

import numpy as np
import pytest

import tenon

SAMPLES = pathlib.Path(__file__).parent.parent / "data" / "files"
NUMPY = ["bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128"]


class Config:
    def __init__(self, width=3):
        self.width = width
        self.weight = tenon.ones(width)


class Odd(dict):
    pass


@pytest.fixture
def path(tmp_path):
    return tmp_path / "x"


def there_and_back(obj, **options):
    out = io.BytesIO()
    tenon.save(obj, out)
    out.seek(0)
    return tenon.load(out, **options)


def test_what_is_saved_is_loaded_again():
    x = tenon.arange(12.0).reshape(3, 4)
    state = collections.OrderedDict(w=x.t(), row=x[1], n=[1, 2.5, None, True, "t\u00e9", b"b", (3, 4)], big=1 << 70, size=tenon.Size([2, 3]), dtype=tenon.bfloat16,
                                    device=tenon.device("cpu"), grad=tenon.ones(2, requires_grad=True), flipped=x.flip(0), empty=tenon.empty(0, 3), s={1, 2},
                                    f=frozenset([3]), c=1 + 2j, number=tenon.tensor(5))
    for weights_only in (True, False):
        back = there_and_back(state, weights_only=weights_only)
        assert type(back) is collections.OrderedDict and list(back) == list(state)
        for name, value in state.items():
            if isinstance(value, tenon.Tensor):
                assert tenon.equal(back[name], value) and back[name].dtype is value.dtype and back[name].requires_grad == value.requires_grad
            else:
                assert back[name] == value and type(back[name]) is type(value)
        assert back["w"].untyped_storage() is back["row"].untyped_storage()
        assert back["w"].stride() == (1, 4) and back["row"].storage_offset() == 4
        back["w"].fill_(1)
        assert back["row"].tolist() == [1] * 4


@pytest.mark.parametrize("name", NUMPY + ["bfloat16", "float8_e4m3fn", "float8_e5m2"])
def test_every_dtype_is_saved(name, path):
    x = tenon.tensor([[0, 1, 1], [1, 0, 1]]).to(getattr(tenon, name))
    tenon.save({"x": x}, path)
    for mmap in (False, True):
        back = tenon.load(path, mmap=mmap)["x"]
        assert back.dtype is x.dtype and back.to(tenon.float32).tolist() == [[0, 1, 1], [1, 0, 1]]
        back.zero_()  # of a mapped file, too; the file stays as it is


def test_a_value_in_two_places_stays_one():
    inner = [1]
    state = {"a": inner, "b": inner}
    state["self"] = state
    for weights_only in (True, False):
        back = there_and_back(state, weights_only=weights_only)
        assert back["a"] is back["b"] and back["self"] is back


def test_classes_are_refused_by_name_until_they_are_allowed():
    out = io.BytesIO()
    tenon.save({"c": Config(2)}, out)
    with pytest.raises(pickle.UnpicklingError, match=r"Config.*add_safe_globals.*weights_only=False"):
        tenon.load(io.BytesIO(out.getvalue()))
    with tenon.serialization.safe_globals([Config]):
        assert tenon.load(io.BytesIO(out.getvalue()))["c"].weight.tolist() == [1, 1]
        assert tenon.serialization.get_safe_globals() == [Config]
    with pytest.raises(pickle.UnpicklingError):
        tenon.load(io.BytesIO(out.getvalue()))
    tenon.serialization.add_safe_globals([(Config, f"{Config.__module__}.Config")])
    try:
        assert tenon.load(io.BytesIO(out.getvalue()))["c"].width == 2
    finally:
        tenon.serialization.clear_safe_globals()
    assert tenon.load(io.BytesIO(out.getvalue()), weights_only=False)["c"].width == 2
    with tenon.serialization.safe_globals([Odd]):
        odd = there_and_back(Odd(a=1))
        assert type(odd) is Odd and odd == {"a": 1}


def test_nothing_is_executed():
    class Evil:
        def __reduce__(self):
            return os.system, ("exit 1",)

    out = io.BytesIO()
    tenon.save(Evil(), out)
    with pytest.raises(pickle.UnpicklingError, match="system"):
        tenon.load(io.BytesIO(out.getvalue()))


def test_files_of_torch_are_read():
    for name in ("state.pt", "legacy.pt"):
        for weights_only in (True, False):
            for source in (SAMPLES / name, str(SAMPLES / name), io.BytesIO((SAMPLES / name).read_bytes())):
                state = tenon.load(source, weights_only=weights_only, map_location="cpu")
                assert state["w"].tolist() == np.arange(12.0).reshape(3, 4).T.tolist() and state["n"] == [1, 2.5, None, True, "text", b"by", (3, 4)]
                assert state["p"].requires_grad and state["big"] == 1 << 70 and state["size"] == (2, 3) and state["dtype"] is tenon.float16
                assert state["w"].untyped_storage() is state["row"].untyped_storage()
    linear = tenon.load(SAMPLES / "linear.pt")
    assert type(linear) is collections.OrderedDict and linear["weight"].shape == (1, 2) and "" in linear._metadata
    with pytest.raises(pickle.UnpicklingError, match="PurePosixPath"):
        tenon.load(SAMPLES / "refused.pt")
    assert tenon.load(SAMPLES / "refused.pt", weights_only=False)["x"] == pathlib.PurePosixPath("/tmp")


def test_load_finds_the_format_by_content(path):
    assert tenon.load(SAMPLES / "f4.npy").tolist() == [[0, 1, 2], [3, 4, 5]]
    assert set(tenon.load(SAMPLES / "stored.npz")) == {"x", "y"}
    assert tenon.load(SAMPLES / "two.safetensors")["h"].tolist() == [1.5, -2]
    assert tenon.load(SAMPLES / "blocks.gguf")["plain"].tolist() == [[0, 1, 2], [3, 4, 5]]
    path.write_bytes(b"neither of them")
    with pytest.raises(OSError, match="x.*byte 0"):
        tenon.load(path)
    with pytest.raises(OSError, match="nothing"):
        tenon.load("/nothing/at/all")
    with pytest.raises(TypeError):
        tenon.load(5)
    with pytest.raises(TypeError, match="rb"):
        tenon.load(io.StringIO("x"))
    with pytest.raises(RuntimeError, match="map_location"):
        tenon.load(SAMPLES / "state.pt", map_location="cuda")


def test_what_the_system_refuses_is_its_own_exception(tmp_path):
    for load in (tenon.load, tenon.files.open, tenon.files.npy.load, tenon.safetensors.load_file):
        with pytest.raises(FileNotFoundError) as caught:
            load(tmp_path / "none")
        assert caught.value.filename == str(tmp_path / "none")
        with pytest.raises(IsADirectoryError):
            load(tmp_path)
    with pytest.raises(FileNotFoundError):
        tenon.save({}, tmp_path / "no" / "x.pt")
    with pytest.raises(IsADirectoryError):
        tenon.files.save(tmp_path, {"x": tenon.ones(1)}, format="npz")


def test_the_device_meta_has_all_but_the_elements(path):
    state = {"w": tenon.ones(3, 4).t(), "p": tenon.nn.Parameter(tenon.ones(2)), "n": 1}
    tenon.save(state, path)
    for source in (path, io.BytesIO(path.read_bytes())):
        back = tenon.load(source, map_location="meta")
        assert back["w"].device.type == "meta" and back["w"].shape == (4, 3) and back["w"].stride() == (1, 4) and back["n"] == 1
        assert type(back["p"]) is tenon.nn.Parameter and back["p"].requires_grad and back["p"].is_meta
    again = there_and_back(back)  # without elements they are saved, too
    assert again["w"].is_meta and again["w"].stride() == (1, 4)
    tenon.files.save(path, {"a": tenon.ones(2)}, format="safetensors")
    assert tenon.load(path, map_location=tenon.device("meta"))["a"].is_meta
    with pytest.raises(RuntimeError, match="weights_only"):
        tenon.load(path, map_location="meta", weights_only=False)


def test_attributes_of_parameters_are_kept():
    p = tenon.nn.Parameter(tenon.ones(2), requires_grad=False)
    p.tag = ["x", tenon.arange(2)]
    for weights_only in (True, False):
        back = there_and_back({"p": p}, weights_only=weights_only)["p"]
        assert type(back) is tenon.nn.Parameter and not back.requires_grad and back.tag[0] == "x" and back.tag[1].tolist() == [0, 1]


def test_storages_come_back_with_their_dtype():
    x = tenon.arange(3.0)
    for weights_only in (True, False):
        back = there_and_back([x.storage(), x], weights_only=weights_only)
        assert type(back[0]) is tenon.TypedStorage and back[0].dtype is tenon.float32 and len(back[0]) == 3
        assert back[0].untyped() is back[1].untyped_storage()


def test_values_deep_inside_values_are_saved():
    deep = []
    for _ in range(250):
        deep = [deep]
    assert there_and_back(deep) == deep


def test_arrays_one_after_another_are_read_one_after_another(path):
    arrays = [np.arange(3), np.ones((2, 2), ">f4"), np.float64(5), np.zeros((0, 2), np.uint8)]
    with open(path, "wb") as file:
        for array in arrays:
            np.save(file, array)
        file.write(b"more")
    with open(path, "rb") as file:
        for array in arrays:
            assert tenon.files.npy.load(file, allow_pickle=True).tolist() == array.tolist()
        assert file.read() == b"more"
    whole = path.read_bytes()
    for size in range(len(whole) - 4 - 128 - 128 - 8):  # the first two, cut everywhere
        with io.BytesIO(whole[:size]) as file, pytest.raises(OSError):
            tenon.files.npy.load(file)
            tenon.files.npy.load(file)
    huge = whole[:10] + whole[10:128].replace(b"(3,)", b"(3000000000000,)", 1).ljust(118)[:118] + b"1"
    with pytest.raises(OSError, match="ends after"):
        tenon.files.npy.load(io.BytesIO(huge))
    with pytest.raises(TypeError, match="rb"):
        tenon.files.npy.load(io.StringIO("x"))
    np.save(path, np.array([{}], dtype=object), allow_pickle=True)
    with open(str(path) + ".npy", "rb") as file, pytest.raises(NotImplementedError, match="pickled objects"):
        tenon.files.npy.load(file, allow_pickle=True)


def test_keys_that_could_not_be_hashed_in_a_lifetime_are_refused():
    twice = (1,)
    for _ in range(60):
        twice = (twice, twice)  # 2 to the 60th values, in a file of a kB
    for make in (lambda key: pickle.EMPTY_DICT + key + pickle.NONE + pickle.SETITEM, lambda key: pickle.MARK + key + pickle.FROZENSET,
                 lambda key: pickle.EMPTY_SET + pickle.MARK + key + pickle.ADDITEMS):
        body = make(pickle.dumps(twice, 2)[2:-1])
        out = []
        tenon._core._file_write(out.append, "pt", [], [], None, {"data.pkl": pickle.PROTO + b"\4" + body + pickle.STOP})
        with pytest.raises(ValueError, match="1000 values"):
            tenon.load(b"".join(out))
    assert there_and_back({(1, (2, "x")): frozenset([(3,)])}) == {(1, (2, "x")): frozenset([(3,)])}


def test_what_is_closed_says_so(tmp_path):
    tenon.files.npy.savez(tmp_path / "x.npz", a=tenon.ones(2))
    with tenon.files.npy.load(tmp_path / "x.npz") as archive:
        assert archive.f.a.tolist() == [1, 1] and dir(archive.f) == ["a"]
        with pytest.raises(AttributeError):
            archive.f.b
    with pytest.raises(ValueError, match="closed"):
        archive["a"]
    tenon.safetensors.save_file({"a": tenon.ones(2)}, tmp_path / "x")
    with tenon.safetensors.safe_open(tmp_path / "x") as file:
        pass
    with pytest.raises(ValueError, match="closed"):
        file.get_tensor("a")
    with pytest.raises(TypeError, match="metadata"):
        tenon.safetensors.save_file({"a": tenon.ones(2)}, tmp_path / "x", metadata={"n": 1})


def test_saving_to_what_fails_raises_its_exception(path):
    class Full(io.BytesIO):
        def write(self, data):
            raise BlockingIOError("full")

    with pytest.raises(BlockingIOError, match="full"):
        tenon.save({"x": tenon.ones(3)}, Full())
    with pytest.raises((pickle.PicklingError, AttributeError, TypeError)):
        tenon.save(lambda: 0, path)
    assert not path.exists()
    tenon.save([1], path)
    with pytest.raises(RuntimeError, match="CPU"):  # save, which can say that there are no elements, writes such a tensor
        tenon.files.save(path, {"x": tenon.empty(2, device="meta")}, format="npz")
    assert tenon.load(path) == [1] and os.listdir(path.parent) == ["x"]


@pytest.mark.parametrize("name", NUMPY)
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_go_to_numpy_and_back(name, order, tmp_path):
    array = np.asarray(np.arange(6).reshape(2, 3) % 2 if name == "bool" else np.arange(6).reshape(2, 3), dtype=name, order=order)
    np.save(tmp_path / "a.npy", array)
    np.save(tmp_path / "big.npy", array.astype(array.dtype.newbyteorder(">")))
    for file in ("a.npy", "big.npy"):
        for mode in (None, "r", "c"):
            x = tenon.files.npy.load(tmp_path / file, mmap_mode=mode)
            assert str(x.dtype) == f"torch.{name}" and np.array_equal(np.asarray(x), array)
            assert x.stride() == tuple(step // array.itemsize for step in array.strides)
    tenon.files.npy.save(tmp_path / "b", x)
    tenon.files.npy.savez(tmp_path / "c", x, named=x[1:])
    np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), array)
    with np.load(tmp_path / "c.npz") as archive:
        np.testing.assert_array_equal(archive["arr_0"], array)
        np.testing.assert_array_equal(archive["named"], array[1:])
    tenon.files.npy.savez_compressed(tmp_path / "e", x, z=x[0])
    with np.load(tmp_path / "e.npz") as archive:
        np.testing.assert_array_equal(archive["arr_0"], array)
        np.testing.assert_array_equal(archive["z"], array[0])
    np.savez_compressed(tmp_path / "d.npz", array, z=array[:0])
    with tenon.files.npy.load(tmp_path / "d.npz") as archive:
        assert sorted(archive.files) == ["arr_0", "z"] and np.array_equal(np.asarray(archive["arr_0"]), array) and archive["z"].shape == (0, 3)
        with pytest.raises(KeyError):
            archive["nothing"]


def test_what_numpy_has_and_we_do_not_is_refused_by_name(tmp_path):
    for array, says in ((np.array(["a"]), "text"), (np.array([b"a"]), "bytes as text"), (np.array(["2020-01-01"], dtype="M8[D]"), "dates"),
                        (np.zeros(1, dtype=[("a", "i4")]), "records"), (np.zeros(1, dtype=np.longdouble), "long double"), (np.array([{}]), "pickled objects")):
        np.save(tmp_path / "a.npy", array)
        with pytest.raises(Exception, match=says):
            tenon.files.npy.load(tmp_path / "a.npy")


def test_deflated_arrays_of_many_kinds_are_unpacked(tmp_path):
    random = np.random.default_rng(0)
    arrays = {"noise": random.integers(0, 256, 70000, dtype=np.uint8), "zeros": np.zeros(100000), "text": np.frombuffer(b"to be or not to be, " * 5000, np.uint8),
              "steps": np.arange(30000, dtype=np.int32), "few": random.integers(0, 3, 50000, dtype=np.uint8), "normal": random.normal(size=20000).astype(np.float32)}
    np.savez_compressed(tmp_path / "a.npz", **arrays)
    loaded = tenon.load(tmp_path / "a.npz")
    for name, array in arrays.items():
        assert np.array_equal(np.asarray(loaded[name]), array), name


def test_safetensors_are_written_and_read(path):
    tensors = {"b": tenon.arange(6).reshape(2, 3).t(), "a": tenon.tensor([1.5, 2], dtype=tenon.bfloat16), "empty": tenon.empty(0, 2), "s": tenon.tensor(True)}
    tenon.safetensors.save_file(tensors, path, metadata={"k": 'v "\n'})
    assert tenon.safetensors.save(tensors, metadata={"k": 'v "\n'}) == path.read_bytes()
    for back in (tenon.safetensors.load_file(path), tenon.safetensors.load(path.read_bytes())):
        assert set(back) == set(tensors) and all(tenon.equal(back[name], tensors[name]) for name in tensors)
    with tenon.safetensors.safe_open(path, framework="pt", device="cpu") as file:
        assert file.keys() == ["a", "b", "empty", "s"] and file.metadata() == {"k": 'v "\n'} and set(file.offset_keys()) == set(tensors)
        piece = file.get_slice("b")
        assert piece.get_shape() == [3, 2] and piece.get_dtype() == "I64" and file.get_slice("a").get_dtype() == "BF16"
        assert piece[1:].tolist() == [[1, 4], [2, 5]] and piece[:2, 1].tolist() == [3, 4] and piece[-1].tolist() == [2, 5] and piece[::2].tolist() == [[0, 3], [2, 5]]
        file.get_tensor("b").fill_(0)
        with pytest.raises(KeyError):
            file.get_tensor("nothing")
    assert tenon.safetensors.load_file(path)["b"].sum() == 15
    with pytest.raises(TypeError, match="not a tensor"):
        tenon.safetensors.save_file({"a": 1}, path)


def test_sharded_models_are_opened_by_their_index(tmp_path):
    tenon.safetensors.save_file({"a": tenon.ones(2)}, tmp_path / "m-1.safetensors")
    tenon.safetensors.save_file({"b": tenon.zeros(3)}, tmp_path / "m-2.safetensors")
    index = tmp_path / "model.safetensors.index.json"
    index.write_text('{"metadata": {"total_size": 20}, "weight_map": {"a": "m-1.safetensors", "b": "m-2.safetensors"}}')
    assert {name: x.tolist() for name, x in tenon.load(index).items()} == {"a": [1, 1], "b": [0, 0, 0]}
    assert tenon.safetensors.load_file(index)["b"].shape == (3,)


def test_formats_are_chosen_by_name_or_ending(tmp_path):
    x = tenon.arange(6.0).reshape(2, 3)
    for ending in ("npy", "npz", "safetensors", "pt", "gguf"):
        tenon.files.save(tmp_path / f"x.{ending}", {"0": x})
        assert tenon.equal(tenon.files.load(tmp_path / f"x.{ending}")["0"], x)
        assert tenon.files.open(tmp_path / f"x.{ending}").format == ending
    tenon.files.save(tmp_path / "x.csv", x)
    assert (tmp_path / "x.csv").read_text() == "0,1,2\n3,4,5\n"
    assert tenon.files.load(tmp_path / "x.csv", format="csv", dtype=tenon.int32)["0"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert tenon.files.load(b"# x\n1;2\n3;4", format="csv", separator=";", comment="#")["0"].tolist() == [[1, 2], [3, 4]]
    with pytest.raises(OSError, match="line 2, column 1: not a number"):
        tenon.files.load(b"1,2\nx,3\n", format="csv")
    tenon.files.save(tmp_path / "x.bin", x)
    raw = tenon.files.open(tmp_path / "x.bin", format="raw", dtype=tenon.float32, shape=(-1, 3))
    assert tenon.equal(raw.take(0), x) and raw.take(0, 1, 2).tolist() == [[3, 4, 5]]
    with pytest.raises(ValueError, match="format"):
        tenon.files.save(tmp_path / "x.unknown", x)
    with pytest.raises(ValueError, match="mode"):
        tenon.files.open(tmp_path / "x.npy", "quickly")


def test_text_is_read_as_numpy_reads_it(tmp_path):
    values = np.random.default_rng(3).normal(size=(200, 5)) * 10.0 ** np.random.default_rng(4).integers(-30, 30, (200, 5))
    for form in ("%.18e", "%.17g", "%.6f", "%r"):
        text = "\n".join(",".join(form % value for value in row) for row in values.tolist())
        assert np.array_equal(np.asarray(tenon.files.load(text.encode(), format="csv")["0"]), np.loadtxt(io.StringIO(text), delimiter=","))


def test_the_metadata_of_gguf_are_texts():
    file = tenon.files.open(SAMPLES / "blocks.gguf")
    assert file.metadata()["test.list"] == "[1, -2, 3]" and file.describe(file.find("Q4_K"))[5] == "Q4_K"
    assert file.take(file.find("Q6_K")).shape == (1, 256)
