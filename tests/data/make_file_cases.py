"""Writes tests/data/files/: small files made by NumPy, PyTorch, safetensors, gguf and ml_dtypes, and file_cases.inc, the same as C arrays.

    python tests/data/make_file_cases.py     (with those packages installed)
"""
import collections
import io
import pathlib
import pickle

import gguf
import gguf.quants
import ml_dtypes
import numpy as np
import safetensors.numpy
import safetensors.torch
import torch

HERE = pathlib.Path(__file__).parent
FOLDER = HERE / "files"
FOLDER.mkdir(exist_ok=True)
samples = {}


def keep(name, data):
    (FOLDER / name).write_bytes(data)
    samples[name] = data


def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def npy(array, **options):
    out = io.BytesIO()
    np.save(out, array, **options)
    return out.getvalue()


keep("two.safetensors", safetensors.torch.save(
    {"a": torch.arange(6, dtype=torch.float32).reshape(2, 3), "b": torch.tensor([1, 0, 1], dtype=torch.bool),
     "h": torch.tensor([1.5, -2], dtype=torch.bfloat16), "e": torch.empty(0, 4)}, metadata={"format": "pt", "note": 'a "quoted" \u00e9'}))
keep("f4.npy", npy(np.arange(6, dtype="<f4").reshape(2, 3)))
keep("big_fortran.npy", npy(np.asfortranarray(np.arange(6, dtype=">i4").reshape(2, 3))))
keep("complex_scalar.npy", npy(np.array(1 + 2j)))
keep("appended.npy", npy(np.arange(3)) + npy(np.array([True, False])))
keep("bfloat16.npy", npy(np.array([1, -2.5], dtype=ml_dtypes.bfloat16)))
keep("text.npy", npy(np.array(["one", "two"])))
keep("objects.npy", npy(np.array([{}], dtype=object)))
out = io.BytesIO()
np.savez(out, x=np.arange(4.0), y=np.array([[1, 2]], dtype=np.int16))
keep("stored.npz", out.getvalue())
out = io.BytesIO()
np.savez_compressed(out, x=np.arange(400.0).reshape(20, 20) % 7, z=np.zeros(1000, dtype=np.uint8), s=np.float32(2))
keep("deflated.npz", out.getvalue())

base = torch.arange(12, dtype=torch.float32).reshape(3, 4)
state = {"w": base.t(), "row": base[1], "p": torch.nn.Parameter(torch.ones(2, dtype=torch.float64)), "n": [1, 2.5, None, True, "text", b"by", (3, 4)],
         "u": torch.tensor([7, 9], dtype=torch.uint16), "big": 1 << 70, "size": torch.Size([2, 3]), "dtype": torch.float16}
out = io.BytesIO()
torch.save(state, out)
keep("state.pt", out.getvalue())
out = io.BytesIO()
del state["u"]
torch.save(state, out, _use_new_zipfile_serialization=False)
keep("legacy.pt", out.getvalue())


def legacy_views():
    """The older stream as old versions of torch wrote it where tensors shared parts of a storage: a part has a key of its own."""
    class Part:
        def __init__(self, *id):
            self.id = id

    class Pickler(pickle.Pickler):
        def persistent_id(self, value):
            return value.id if isinstance(value, Part) else None

        def reducer_override(self, value):
            if isinstance(value, Tensor):
                return torch._utils._rebuild_tensor_v2, value.arguments
            return NotImplemented

    class Tensor:
        def __init__(self, part, offset, sizes, strides):
            self.arguments = (part, offset, sizes, strides, False, collections.OrderedDict())

    def part(view):
        return Part("storage", torch.FloatStorage, "7", "cpu", 12, view)

    out = io.BytesIO()
    for value in (torch.serialization.MAGIC_NUMBER, torch.serialization.PROTOCOL_VERSION, dict(protocol_version=1001, little_endian=True)):
        pickle.dump(value, out, protocol=2)
    Pickler(out, protocol=2).dump({"whole": Tensor(part(None), 0, (3, 4), (4, 1)), "part": Tensor(part(("8", 4, 4)), 1, (3,), (1,)),
                                   "again": Tensor(part(("8", 4, 4)), 0, (2, 2), (2, 1)), "none": Tensor(part(("9", 12, 0)), 0, (0,), (1,))})
    pickle.dump(["7"], out, protocol=2)
    out.write((12).to_bytes(8, "little") + np.arange(12, dtype="<f4").tobytes())
    loaded = torch.load(io.BytesIO(out.getvalue()), weights_only=False)
    assert loaded["part"].tolist() == [5, 6, 7] and loaded["again"].tolist() == [[4, 5], [6, 7]] and loaded["none"].numel() == 0
    loaded["whole"][1, 1] = 50
    assert loaded["part"][0] == 50
    return out.getvalue()


keep("legacy_views.pt", legacy_views())
out = io.BytesIO()
torch.save(torch.nn.Linear(2, 1).state_dict(), out)
keep("linear.pt", out.getvalue())
out = io.BytesIO()
torch.save({"x": pathlib.PurePosixPath("/tmp")}, out)
keep("refused.pt", out.getvalue())

random = np.random.default_rng(1)
hashes = {}
path = FOLDER / "blocks.gguf"
writer = gguf.GGUFWriter(path, "test")
writer.add_uint32("test.number", 7)
writer.add_array("test.list", [1, -2, 3])
writer.add_array("test.words", ["a", 'b"'])
writer.add_float32("test.float", 0.5)
writer.add_tensor("plain", np.arange(6, dtype=np.float32).reshape(2, 3))
writer.add_tensor("half", np.arange(4, dtype=np.float16))
kinds = gguf.GGMLQuantizationType
for kind in (kinds.Q4_0, kinds.Q4_1, kinds.Q5_0, kinds.Q5_1, kinds.Q8_0, kinds.Q2_K, kinds.Q3_K, kinds.Q4_K, kinds.Q5_K, kinds.Q6_K):
    elements, size = gguf.GGML_QUANT_SIZES[kind]
    rows = 2 if elements == 32 else 1
    blocks = random.integers(0, 256, (rows, size), dtype=np.uint8)
    halves = {kinds.Q4_0: [0], kinds.Q4_1: [0, 2], kinds.Q5_0: [0], kinds.Q5_1: [0, 2], kinds.Q8_0: [0], kinds.Q2_K: [80, 82],
              kinds.Q3_K: [108], kinds.Q4_K: [0, 2], kinds.Q5_K: [0, 2], kinds.Q6_K: [208]}[kind]
    for at in halves:
        blocks[:, at:at + 2] = random.normal(size=(rows, 1)).astype(np.float16).view(np.uint8)
    writer.add_tensor(kind.name, blocks, raw_dtype=kind)
    hashes[kind.name] = fnv(gguf.quants.dequantize(blocks, kind).astype(np.float32).tobytes())
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
keep("blocks.gguf", path.read_bytes())

with open(HERE / "file_cases.inc", "w") as inc:
    inc.write("/* Made by make_file_cases.py: files of other libraries, and hashes (FNV-1a) of what gguf makes of its blocks. */\n")
    for name, data in samples.items():
        inc.write(f"static const uint8_t sample_{name.replace('.', '_')}[] = {{\n")
        for at in range(0, len(data), 40):
            inc.write("    " + ",".join(str(byte) for byte in data[at:at + 40]) + ",\n")
        inc.write("};\n")
    inc.write("static const struct sample_hash { const char *name; uint64_t hash; } sample_hashes[] = {\n")
    for name, value in hashes.items():
        inc.write(f'    {{"{name}", UINT64_C(0x{value:016x})}},\n')
    inc.write("};\n")
