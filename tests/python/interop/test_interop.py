"""Files of other libraries, both directions and every dtype: NumPy, ml_dtypes, PyTorch, safetensors, gguf. `make interop` installs them."""

import collections
import io

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
