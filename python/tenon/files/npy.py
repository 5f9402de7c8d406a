"""NumPy's files, with NumPy's functions: load, save, savez, savez_compressed."""

import collections.abc
import os

from tenon import _core


class NpzFile(collections.abc.Mapping):
    """The arrays of an .npz file, each read when it is asked for."""

    def __init__(self, file):
        self._file = file
        self.files = file.keys()

    def __getitem__(self, name):
        place = self._file.find(name.removesuffix(".npy") if self._file.find(name) < 0 else name)
        if place < 0:
            raise KeyError(f"{name} is not a file in the archive")
        return self._file.take(place)

    def __iter__(self):
        return iter(self.files)

    def __len__(self):
        return len(self.files)

    def close(self):
        """Nothing more is read; tensors that were taken stay."""
        self._file = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"NpzFile with keys: {', '.join(self.files)}"


def load(file, mmap_mode=None, allow_pickle=False):
    """The array of an .npy file as a tensor, or the arrays of an .npz as a mapping. mmap_mode "r" gives read-only tensors over the file, "c" ones whose
    changes stay in this process."""
    if allow_pickle:
        raise ValueError("pickled arrays are not read: nothing in a file is executed")
    if mmap_mode not in (None, "r", "c"):
        raise ValueError(f"mmap_mode is None, 'r' or 'c', not {mmap_mode!r}")
    source = file.read() if hasattr(file, "read") else file
    opened = _core._file_open(source, mode=1 if mmap_mode is None else 0, writable=mmap_mode != "r")
    if opened.format == "npz":
        return NpzFile(opened)
    if opened.format != "npy":
        raise ValueError(f"this is a file of {opened.format}, not of NumPy")
    return opened.take(0)


def _target(file, ending):
    if hasattr(file, "write"):
        return file.write
    path = os.fspath(file)
    return path if path.endswith(ending) else path + ending


def _tensor(value):
    return value if isinstance(value, _core.Tensor) else _core.tensor(value)


def save(file, arr):
    """Writes one tensor; .npy is added to a path without it."""
    _core._file_write(_target(file, ".npy"), "npy", ["0"], [_tensor(arr)], None, None)


def _named(args, kwds):
    named = {f"arr_{i}": value for i, value in enumerate(args)}
    for name, value in kwds.items():
        if name in named:
            raise ValueError(f"{name} is given by position and by name")
        named[name] = value
    return named


def savez(file, *args, **kwds):
    """Writes tensors as arr_0, arr_1, ... and by their names; .npz is added to a path without it."""
    named = _named(args, kwds)
    _core._file_write(_target(file, ".npz"), "npz", list(named), [_tensor(value) for value in named.values()], None, None)


def savez_compressed(file, *args, **kwds):
    """The same, deflated: by zlib where the system has it, else by a packer of our own."""
    named = _named(args, kwds)
    _core._file_write(_target(file, ".npz"), "npz", list(named), [_tensor(value) for value in named.values()], None, None, 6)
