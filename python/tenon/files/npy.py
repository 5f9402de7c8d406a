"""NumPy's files, with NumPy's functions: load, save, savez, savez_compressed."""

import ast
import collections.abc
import math
import os
import re

from tenon import _core


class _Attributes:
    """The arrays of an .npz file as attributes."""

    def __init__(self, archive):
        self._archive = archive

    def __getattr__(self, name):
        try:
            return self._archive[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self):
        return self._archive.files


class NpzFile(collections.abc.Mapping):
    """The arrays of an .npz file, each read when it is asked for: archive["x"], or archive.f.x."""

    def __init__(self, file):
        self._file = file
        self.files = file.keys()
        self.f = _Attributes(self)

    def __getitem__(self, name):
        if self._file is None:
            raise ValueError("the archive is closed")
        place = self._file.find(name.removesuffix(".npy") if self._file.find(name) < 0 else name)
        if place < 0:
            raise KeyError(f"the archive has no array {name!r}")
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


def _some(file, size):
    """The next bytes, fewer where the file ends; memory is taken as they come, whatever a header says."""
    parts = []
    while size > 0 and (part := file.read(min(size, 1 << 24))):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _from_object(file):
    """One array of a file object, which stands behind it afterwards, as NumPy leaves it; or all that follows, where it is an archive. The library
    checks it: here its length alone is worked out."""
    if isinstance(file.read(0), str):
        raise TypeError("the file is open as text: open it with mode 'rb'")
    head = _some(file, 6)
    if head != b"\x93NUMPY":
        return head + file.read()
    head += _some(file, 4)
    if head[6:7] != b"\x01":
        head += _some(file, 2)
    header = _some(file, int.from_bytes(head[8:], "little"))
    try:
        about = ast.literal_eval(header.decode("utf-8").strip()) if len(header) < 1 << 16 else {}
        size = math.prod(about["shape"]) * int(re.fullmatch(r"[<>|=][a-zA-Z](\d+)", about["descr"])[1])
    except (ValueError, SyntaxError, TypeError, KeyError, RecursionError, MemoryError):
        size = 0  # whatever is wrong, the library says it
    return head + header + _some(file, size)


def load(file, mmap_mode=None, allow_pickle=False):
    """The array of an .npy file as a tensor, or the arrays of an .npz as a mapping. mmap_mode "r" gives read-only tensors over the file, "c" ones whose
    changes stay in this process. Arrays of objects are refused, also with allow_pickle: nothing in a file is executed."""
    if mmap_mode not in (None, "r", "c"):
        raise ValueError(f"mmap_mode is None, 'r' or 'c', not {mmap_mode!r}")
    source = _from_object(file) if hasattr(file, "read") else file
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


def save(file, arr, allow_pickle=True):
    """Writes one tensor; .npy is added to a path without it. A tensor has no objects, so that allow_pickle makes no difference."""
    _core._file_write(_target(file, ".npy"), "npy", ["0"], [_tensor(arr)], None, None)


def _named(args, kwds):
    named = {f"arr_{i}": value for i, value in enumerate(args)}
    for name, value in kwds.items():
        if name in named:
            raise ValueError(f"{name} is given by position and by name")
        named[name] = value
    return named


def savez(file, *args, allow_pickle=True, **kwds):
    """Writes tensors as arr_0, arr_1, ... and by their names; .npz is added to a path without it."""
    named = _named(args, kwds)
    _core._file_write(_target(file, ".npz"), "npz", list(named), [_tensor(value) for value in named.values()], None, None)


def savez_compressed(file, *args, allow_pickle=True, **kwds):
    """The same, deflated: by zlib where the system has it, else by a packer of our own."""
    named = _named(args, kwds)
    _core._file_write(_target(file, ".npz"), "npz", list(named), [_tensor(value) for value in named.values()], None, None, 6)
