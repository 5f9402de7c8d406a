"""Files of other libraries, both directions and every dtype: NumPy, ml_dtypes, PyTorch, safetensors, gguf. `make interop` installs them."""

import collections
import dataclasses
import io
import pickle

import gguf
import gguf.quants
import ml_dtypes
import numpy as np
import pytest
import safetensors
import safetensors.numpy
import safetensors.torch
import torch

import tenon

DTYPES = ["bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64",
          "complex128", "float8_e4m3fn", "float8_e5m2"]
LAYOUTS = {"plain": lambda x: x, "transposed": lambda x: x.t(), "sliced": lambda x: x[1:, ::2], "row": lambda x: x[1], "number": lambda x: x[0, 1],
           "empty": lambda x: x[:0], "expanded": lambda x: x[:, :1].expand(3, 5)}


def pair(name):
    numbers = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    return (torch.tensor(numbers).to(getattr(torch, name)), tenon.tensor(numbers).to(getattr(tenon, name)))


def same(ours, theirs):
    assert str(ours.dtype) == str(theirs.dtype) and tuple(ours.shape) == tuple(theirs.shape)
    if not theirs.dtype.is_complex:
        assert ours.to(tenon.float64).tolist() == theirs.to(torch.float64).tolist()
    else:
        assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_checkpoints(name, layout, tmp_path):
    theirs, ours = pair(name)
    theirs, ours = LAYOUTS[layout](theirs), LAYOUTS[layout](ours)
    state = {"a": theirs, "b": [theirs, theirs.clone()]}
    torch.save(state, tmp_path / "zip.pt")
    torch.save(state, tmp_path / "old.pt", _use_new_zipfile_serialization=False)
    for file in ("zip.pt", "old.pt"):
        for weights_only in (True, False):
            for mmap in (False, True):
                back = tenon.load(tmp_path / file, weights_only=weights_only, mmap=mmap)
                same(back["a"], theirs)
                same(back["b"][1], theirs)
                assert back["a"].stride() == theirs.stride() and back["a"].storage_offset() == theirs.storage_offset()
                assert back["a"].untyped_storage() is back["b"][0].untyped_storage()
    tenon.save({"a": ours, "b": [ours, ours.clone()]}, tmp_path / "ours.pt")
    for mmap in (False, True):
        back = torch.load(tmp_path / "ours.pt", mmap=mmap)
        same(ours, back["a"])
        same(ours, back["b"][1])
        assert back["a"].stride() == theirs.stride() and back["a"].untyped_storage().data_ptr() == back["b"][0].untyped_storage().data_ptr()
    tenon.files.save(tmp_path / "c.pt", {"a": ours}, format="pt")
    same(ours, torch.load(tmp_path / "c.pt")["a"])


def test_checkpoints_without_checksums(tmp_path):
    before = torch.serialization.get_crc32_options()
    torch.serialization.set_crc32_options(False)
    try:
        torch.save({"a": torch.arange(5)}, tmp_path / "x.pt")
    finally:
        torch.serialization.set_crc32_options(before)
    for mmap in (False, True):
        assert tenon.load(tmp_path / "x.pt", mmap=mmap)["a"].tolist() == [0, 1, 2, 3, 4]


def test_checkpoints_of_training(tmp_path):
    net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 1))
    optimizer = torch.optim.AdamW(net.parameters())
    for _ in range(3):
        optimizer.zero_grad()
        net(torch.randn(5, 3)).square().sum().backward()
        optimizer.step()
    state = {"model": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 3, "rng": torch.get_rng_state(), "parameter": net[0].weight}
    for zipped in (True, False):
        torch.save(state, tmp_path / "x.pt", _use_new_zipfile_serialization=zipped)
        back = tenon.load(tmp_path / "x.pt")
        assert type(back["model"]) is collections.OrderedDict and list(back["model"]) == list(state["model"]) and back["model"]._metadata == state["model"]._metadata
        for name, value in state["model"].items():
            same(back["model"][name], value)
        assert back["optimizer"]["param_groups"] == state["optimizer"]["param_groups"]
        same(back["optimizer"]["state"][1]["exp_avg"], state["optimizer"]["state"][1]["exp_avg"])
        same(back["rng"], state["rng"])
        tenon.save(back, tmp_path / "y.pt")
        net.load_state_dict(torch.load(tmp_path / "y.pt")["model"])
        optimizer.load_state_dict(torch.load(tmp_path / "y.pt")["optimizer"])


def train(lib, steps, before=None, path=None):
    """Steps of training with dropout from a seed, or on from a file; their losses. Writes a file where one is named."""
    net = lib.nn.Sequential(lib.nn.Linear(3, 6), lib.nn.ReLU(), lib.nn.Dropout(0.3), lib.nn.Linear(6, 1)).double()
    optimizer = lib.optim.AdamW(net.parameters(), lr=0.01)
    schedule = lib.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
    if before is not None:
        state = lib.load(before, weights_only=True)
        net.load_state_dict(state["net"])
        optimizer.load_state_dict(state["optimizer"])
        schedule.load_state_dict(state["schedule"])
        lib.set_rng_state(state["rng"])
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = net(lib.randn(5, 3, dtype=lib.float64)).square().sum()
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    if path is not None:
        state = {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "schedule": schedule.state_dict(), "rng": lib.get_rng_state()}
        lib.save(state, path)
    return losses


@pytest.mark.parametrize("first, second", [("torch", "tenon"), ("tenon", "torch"), ("tenon", "tenon")])
def test_training_goes_on_in_the_other_library(first, second, tmp_path):
    libraries = {"torch": torch, "tenon": tenon}
    torch.manual_seed(4)
    whole = train(torch, 8)
    libraries[first].manual_seed(4)
    begun = train(libraries[first], 3, path=tmp_path / "x.pt")
    libraries[second].manual_seed(99)
    assert begun + train(libraries[second], 5, before=tmp_path / "x.pt") == pytest.approx(whole, rel=1e-9)


@pytest.mark.parametrize("name", [name for name in DTYPES if name != "complex128"])
def test_safetensors(name, tmp_path):
    theirs, ours = pair(name)
    try:
        safetensors.torch.save_file({"a": theirs, "b": theirs[1:].clone()}, tmp_path / "theirs", metadata={"k": "v\u00e9\n"})
    except KeyError:
        pytest.skip("this version of safetensors does not have it")
    tenon.safetensors.save_file({"a": ours, "b": ours[1:]}, tmp_path / "ours", metadata={"k": "v\u00e9\n"})
    for name in ("a", "b"):
        same(tenon.safetensors.load_file(tmp_path / "theirs")[name], theirs if name == "a" else theirs[1:])
        same(ours if name == "a" else ours[1:], safetensors.torch.load_file(tmp_path / "ours")[name])
    with safetensors.safe_open(tmp_path / "ours", "pt") as file:
        assert file.metadata() == {"k": "v\u00e9\n"}
    assert (tmp_path / "ours").stat().st_size % 8 == (tmp_path / "theirs").stat().st_size % 8


def test_safetensors_of_many_dtypes_are_laid_out_alike(tmp_path):
    names = [name for name in DTYPES if "complex" not in name]
    safetensors.torch.save_file({name: pair(name)[0] for name in names}, tmp_path / "theirs")
    tenon.safetensors.save_file({name: pair(name)[1] for name in names}, tmp_path / "ours")
    theirs, ours = tenon.files.open(tmp_path / "theirs"), tenon.files.open(tmp_path / "ours")
    place = lambda file: sorted((file.describe(i)[3], file.describe(i)[0]) for i in range(len(file)))
    assert [name for _, name in place(theirs)] == [name for _, name in place(ours)]


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2"])
def test_arrays_of_ml_dtypes(name, tmp_path):
    array = np.arange(6).reshape(2, 3).astype(getattr(ml_dtypes, name))
    np.save(tmp_path / "theirs.npy", array)
    tenon.files.npy.save(tmp_path / "ours.npy", tenon.arange(6).reshape(2, 3).to(getattr(tenon, name)))
    assert (tmp_path / "ours.npy").read_bytes() == (tmp_path / "theirs.npy").read_bytes()
    assert tenon.files.npy.load(tmp_path / "theirs.npy").view(getattr(tenon, name)).to(tenon.float32).tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("kind", ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K"])
def test_quantised_blocks(kind, tmp_path):
    kind = gguf.GGMLQuantizationType[kind]
    elements, size = gguf.GGML_QUANT_SIZES[kind]
    random = np.random.default_rng(0)
    try:
        blocks = gguf.quants.quantize(random.normal(size=(6, 4 * elements)).astype(np.float32), kind)
    except NotImplementedError:
        blocks = random.integers(0, 120, (6, 4 * size), dtype=np.uint8)  # every half is a small positive number
    writer = gguf.GGUFWriter(tmp_path / "x.gguf", "test")
    writer.add_tensor("x", blocks, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    np.testing.assert_array_equal(np.asarray(tenon.load(tmp_path / "x.gguf")["x"]), gguf.quants.dequantize(blocks, kind))


@pytest.mark.parametrize("name", ["float32", "float16", "float64", "int8", "int16", "int32", "int64", "bfloat16"])
def test_plain_gguf(name, tmp_path):
    theirs, ours = pair(name)
    tenon.files.save(tmp_path / "x.gguf", {"a": ours, "b": ours[1]}, metadata={"general.architecture": "test"})
    reader = gguf.GGUFReader(tmp_path / "x.gguf")
    assert reader.get_field("general.architecture").contents() == "test" and [tensor.name for tensor in reader.tensors] == ["a", "b"]
    assert list(reader.tensors[0].shape) == [4, 3]
    data = reader.tensors[0].data
    data = data.view(np.uint8).view(ml_dtypes.bfloat16) if name == "bfloat16" else data
    assert np.asarray(data).reshape(3, 4).astype(np.float64).tolist() == theirs.to(torch.float64).tolist()


@pytest.mark.parametrize("name", [name for name in DTYPES if "float8" not in name and name != "bfloat16"])
def test_arrays_of_numpy(name, tmp_path):
    for order in "<>":
        for layout in "CF":
            array = np.asarray(pair(name)[0].numpy(), order=layout).astype(np.dtype(name).newbyteorder(order))
            np.save(tmp_path / "x.npy", array)
            np.savez_compressed(tmp_path / "x.npz", a=array, b=array[:0], c=array[1, 2])
            for mode in (None, "r", "c"):
                back = tenon.files.npy.load(tmp_path / "x.npy", mmap_mode=mode)
                assert str(back.dtype) == f"tenon.{name}" or str(back.dtype) == f"torch.{name}"
                assert back.tolist() == array.tolist()
            archive = tenon.files.npy.load(tmp_path / "x.npz")
            assert archive["a"].tolist() == array.tolist() and archive["b"].shape == (0, 4) and archive["c"].item() == array[1, 2]


def test_gguf_of_theirs(tmp_path):
    writer = gguf.GGUFWriter(tmp_path / "x.gguf", "test")
    writer.add_uint64("test.wide", 1 << 63)
    writer.add_array("test.names", ["a", "\u00e9"])
    arrays = {name: np.arange(6).reshape(2, 3).astype(name) for name in ("float16", "float32", "float64", "int8", "int16", "int32", "int64")}
    for name, array in arrays.items():
        writer.add_tensor(name, array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    file = tenon.files.open(tmp_path / "x.gguf")
    assert file.metadata()["test.wide"] == str(1 << 63) and file.metadata()["test.names"] == '["a", "\u00e9"]'
    for name, array in arrays.items():
        back = file.take(file.find(name))
        assert str(back.dtype).endswith(name) and back.tolist() == array.tolist()


def test_quantised_blocks_as_float16(tmp_path):
    blocks = gguf.quants.quantize(np.random.default_rng(0).normal(size=(6, 64)).astype(np.float32), gguf.GGMLQuantizationType.Q8_0)
    writer = gguf.GGUFWriter(tmp_path / "x.gguf", "test")
    writer.add_tensor("x", blocks, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    back = tenon.files.load(tmp_path / "x.gguf", dtype=tenon.float16)["x"]
    np.testing.assert_array_equal(np.asarray(back), gguf.quants.dequantize(blocks, gguf.GGMLQuantizationType.Q8_0).astype(np.float16))


@pytest.mark.parametrize("level", [1, 6, 9])
def test_deflated_archives_of_ours(level, tmp_path):
    arrays = {"ramp": np.arange(30000) % 777, "noise": np.random.default_rng(0).normal(size=(100, 101)), "zeros": np.zeros(100000, np.uint8),
              "number": np.float32(2), "none": np.zeros((0, 3))}
    tenon.files.save(tmp_path / "x.npz", {name: tenon.asarray(array) for name, array in arrays.items()}, level=level)
    with np.load(tmp_path / "x.npz") as archive:
        for name, array in arrays.items():
            np.testing.assert_array_equal(archive[name], array)


@dataclasses.dataclass
class Thing:
    weight: object
    more: object = None


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_any_object_that_can_be_pickled(protocol, tmp_path):
    array, big = np.arange(4.0), 1 << 100
    thing = Thing([1], {"array": array, "bytes": bytearray(b"xy"), "big": big, "set": {1, 2}, "complex": 1 + 2j, "kind": Thing})
    tenon.save(dataclasses.replace(thing, weight=tenon.arange(3)), tmp_path / "ours.pt", pickle_protocol=protocol)
    torch.save(dataclasses.replace(thing, weight=torch.arange(3)), tmp_path / "theirs.pt", pickle_protocol=protocol)
    for load, file in ((torch.load, "ours.pt"), (tenon.load, "theirs.pt"), (tenon.load, "ours.pt")):
        back = load(tmp_path / file, weights_only=False)
        assert type(back) is Thing and back.weight.tolist() == [0, 1, 2]
        assert back.more["bytes"] == b"xy" and back.more["big"] == big and back.more["kind"] is Thing and back.more["complex"] == 1 + 2j
        np.testing.assert_array_equal(back.more["array"], array)
    with pytest.raises(pickle.UnpicklingError, match="Thing.*add_safe_globals.*weights_only=False"):
        tenon.load(tmp_path / "theirs.pt")


def test_attributes_of_parameters_storages_and_meta_go_both_ways(tmp_path):
    for first, second in ((torch, tenon), (tenon, torch)):
        p = first.nn.Parameter(first.ones(2))
        p.tag = "x"
        first.save({"p": p, "storage": first.arange(3.0).storage(), "meta": first.empty(2, 3, device="meta").t()}, tmp_path / "x.pt")
        for weights_only in (True, False):
            back = second.load(tmp_path / "x.pt", weights_only=weights_only)
            assert type(back["p"]) is second.nn.Parameter and back["p"].tag == "x"
            assert type(back["storage"]).__name__ == "TypedStorage" and back["storage"].dtype is second.float32 and list(back["storage"]) == [0, 1, 2]
            assert back["meta"].device.type == "meta" and back["meta"].stride() == (1, 3)


def test_kinds_of_tensors_that_are_not_read_are_named(tmp_path):
    for name, x in (("sparse", torch.eye(3).to_sparse()), ("qtensor", torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8))):
        torch.save({"x": x}, tmp_path / "x.pt")
        with pytest.raises(pickle.UnpicklingError, match=f"_rebuild_{name}.*does not have"):
            tenon.load(tmp_path / "x.pt")


def test_arrays_of_numpy_in_checkpoints_are_allowed_by_name(tmp_path):
    array = np.arange(6.0).reshape(2, 3)
    torch.save({"x": array}, tmp_path / "x.pt")
    allowed = [np._core.multiarray._reconstruct, np.ndarray, np.dtype, np.dtypes.Float64DType]
    with tenon.serialization.safe_globals(allowed):
        np.testing.assert_array_equal(tenon.load(tmp_path / "x.pt")["x"], array)


def test_whole_modules_of_theirs(tmp_path):
    theirs = torch.nn.Sequential(torch.nn.Conv1d(3, 4, 2), torch.nn.ReLU(), torch.nn.BatchNorm1d(4)).eval()
    torch.save(theirs, tmp_path / "x.pt")
    ours = tenon.load(tmp_path / "x.pt", weights_only=False)
    x = torch.randn(2, 3, 7)
    np.testing.assert_allclose(np.asarray(ours(tenon.from_numpy(x.numpy())).detach()), theirs(x).detach().numpy(), rtol=1e-5, atol=1e-6)


def test_files_of_ours_in_numpy_archives(tmp_path):
    tenon.files.npy.savez(tmp_path / "x.npz", **{name: pair(name)[1].t() for name in DTYPES if name not in ("bfloat16", "float8_e4m3fn", "float8_e5m2")})
    with np.load(tmp_path / "x.npz") as archive:
        for name in archive.files:
            assert archive[name].dtype == name and archive[name].T.tolist() == pair(name)[0].tolist()


def test_bytes_are_read_from_any_file_object():
    out = io.BytesIO(b"before")
    out.seek(6)
    torch.save({"a": torch.ones(2)}, out)
    out.seek(6)
    assert tenon.load(out)["a"].tolist() == [1, 1]
