"""Times of files: Tenon, NumPy, PyTorch, zlib and pandas in turns, in one process. The least of several rounds counts.

    PYTHONPATH=build/python python bench/python_files.py [folder]
"""

import os
import shutil
import sys
import tempfile
import time
import zlib

import numpy as np
import pandas
import torch

import tenon

folder = tempfile.mkdtemp(dir=sys.argv[1] if len(sys.argv) > 1 else None)


def rounds(number=7, clock=time.perf_counter, before=lambda name: None, **contestants):
    times = {name: [] for name in contestants}
    for _ in range(number):
        for name, run in contestants.items():
            before(name)
            begin = clock()
            run()
            times[name].append(clock() - begin)
    return {name: min(taken) * 1e3 for name, taken in times.items()}


def row(what, number=7, **contestants):
    taken = rounds(number, **contestants)
    first = taken.pop("tenon")
    print(f"| {what} | {first:.2f} ms | " + ", ".join(f"{name} {value:.2f} ms ({value / first:.2f}x)" for name, value in taken.items()) + " |", flush=True)


def at(name):
    return os.path.join(folder, name)


x = np.random.default_rng(0).normal(size=12_500_000).astype(np.float32)
ours = tenon.from_numpy(x)
np.save(at("x.npy"), x)
size = os.path.getsize(at("x.npy"))
room = bytearray(size)


def read_plain():
    with open(at("x.npy"), "rb", buffering=0) as file:
        file.readinto(room)


def write_plain(sync):
    with open(at("plain.tmp"), "wb", buffering=0) as file:
        file.write(memoryview(x).cast("B"))
        if sync:
            os.fsync(file.fileno())
    os.rename(at("plain.tmp"), at("write_and_rename.npy"))


row("npy: load 50 MB", tenon=lambda: tenon.files.npy.load(at("x.npy")), numpy=lambda: np.load(at("x.npy")), read=read_plain)
def forget(name):
    if os.path.exists(at(f"{name}.npy")):
        os.unlink(at(f"{name}.npy"))


# What the thread does, not what the disk's own threads do meanwhile: on a shared machine the wall clock of a save says little.
for what, before in (("a new file", forget), ("over the old one", lambda name: None)):
    row(f"npy: save 50 MB, {what}, CPU time", number=30, clock=time.thread_time, before=before, tenon=lambda: tenon.files.npy.save(at("tenon.npy"), ours),
        numpy=lambda: np.save(at("numpy.npy"), x), write_and_rename=lambda: write_plain(False))
row("npy: save 50 MB, durably", tenon=lambda: tenon.files.save(at("y.npy"), ours, durable=True), write_fsync_rename=lambda: write_plain(True))

state = {f"layer.{i}.weight": torch.randn(1000, 1250) for i in range(20)}
torch.save(state, at("c.pt"))
loaded = tenon.load(at("c.pt"))
row("checkpoint: load 100 MB", tenon=lambda: tenon.load(at("c.pt")), torch=lambda: torch.load(at("c.pt")))
row("checkpoint: load 100 MB, mapped", tenon=lambda: tenon.load(at("c.pt"), mmap=True), torch=lambda: torch.load(at("c.pt")),
    torch_mapped=lambda: torch.load(at("c.pt"), mmap=True))
row("checkpoint: save 100 MB", tenon=lambda: tenon.save(loaded, at("d.pt")), torch=lambda: torch.save(state, at("e.pt")))

random = np.random.default_rng(0)
for name, array in (("normal float32", x[:2_500_000]), ("int32 below 50", random.integers(0, 50, 2_000_000).astype(np.int32)),
                    ("one sentence, repeated", np.frombuffer(b"the quick brown fox jumps over the lazy dog 0123456789 " * 180_000, np.uint8)),
                    ("C source", np.frombuffer(open("include/tenon/operators.h", "rb").read() * 20, np.uint8))):
    np.savez_compressed(at("d.npz"), a=array)
    whole = array.tobytes()
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    packed = packer.compress(whole) + packer.flush()
    file = tenon.files.open(at("d.npz"))
    given = tenon.from_numpy(array.copy())
    row(f"deflate: {name}, {len(whole) / 1e6:.0f} MB", number=2, tenon=lambda: tenon.files.npy.savez_compressed(at("f.npz"), a=given),
        numpy=lambda: np.savez_compressed(at("g.npz"), a=array))
    row(f"inflate and check: {name}, {len(whole) / 1e6:.0f} MB", tenon=lambda: file.take(0), zlib=lambda: zlib.crc32(zlib.decompress(packed, -15, len(whole))))

table = np.random.default_rng(0).normal(size=(100_000, 10))
for form in ("%.18e", "%.6g"):
    np.savetxt(at("t.csv"), table, delimiter=",", fmt=form)
    row(f"csv: 1e6 numbers as {form}", number=3, tenon=lambda: tenon.files.load(at("t.csv"), format="csv"), pandas=lambda: pandas.read_csv(at("t.csv"), header=None),
        numpy=lambda: np.loadtxt(at("t.csv"), delimiter=","))
shutil.rmtree(folder)
