"""safetensors, with the functions of the safetensors package: load_file, save_file, load, save, safe_open."""

import os

from tenon import _core


def _check_device(device):
    if _core.device(device).type != "cpu":
        raise ValueError(f"tensors can be loaded to the CPU, not to {device!r}")


def load_file(filename, device="cpu"):
    """A dictionary of all tensors, as copies that can be changed."""
    _check_device(device)
    file = _core._file_open(os.fspath(filename), mode=1, writable=True, format=_format(filename))
    return {name: file.take(i) for i, name in enumerate(file.keys())}


def load(data):
    """The same from bytes."""
    file = _core._file_open(data, mode=1, writable=True, format="safetensors")
    return {name: file.take(i) for i, name in enumerate(file.keys())}


def save_file(tensors, filename, metadata=None):
    """Writes a dictionary of tensors; the file is replaced only when the new one is whole."""
    _core._file_write(os.fspath(filename), "safetensors", list(tensors), list(tensors.values()), dict(metadata) if metadata else None, None)


def save(tensors, metadata=None):
    """The same as bytes."""
    parts = []
    _core._file_write(parts.append, "safetensors", list(tensors), list(tensors.values()), dict(metadata) if metadata else None, None)
    return b"".join(parts)


def _format(filename):
    return None if os.fspath(filename).endswith(".json") else "safetensors"


class _Slice:
    """A tensor of which only what is asked for is read."""

    def __init__(self, file, place):
        self._file, self._place = file, place

    def get_shape(self):
        return list(self._file.describe(self._place)[2])

    def get_dtype(self):
        return {"bool": "BOOL", "bfloat16": "BF16", "float8_e4m3fn": "F8_E4M3", "float8_e5m2": "F8_E5M2", "complex64": "C64"}.get(
            name := str(self._file.describe(self._place)[1]).rpartition(".")[2],
            name[0].upper() + name.lstrip("uintfloa"))

    def __getitem__(self, index):
        first, rest = (index[0], index[1:]) if isinstance(index, tuple) and index else (index, ())
        if isinstance(first, slice) and first.step in (None, 1):
            size = self.get_shape()[0]
            begin, end, _ = first.indices(size)
            rows = self._file.take(self._place, begin, max(begin, end))
            return rows[(slice(None), *rest)] if rest else rows
        return self._file.take(self._place)[index]


class safe_open:
    """An open file: keys(), get_tensor(name), get_slice(name), metadata(). Tensors look into the mapped file and can be changed without changing it."""

    def __init__(self, filename, framework="pt", device="cpu"):
        _check_device(device)
        self._file = _core._file_open(os.fspath(filename), mode=0, writable=True, format=_format(filename))

    @property
    def _opened(self):
        if self._file is None:
            raise ValueError("the file is closed")
        return self._file

    def _place(self, name):
        place = self._opened.find(name)
        if place < 0:
            raise KeyError(f"the file has no tensor {name!r}")
        return place

    def keys(self):
        """The names, sorted."""
        return sorted(self._opened.keys())

    def offset_keys(self):
        """The names in the order of their bytes."""
        return sorted(self._opened.keys(), key=lambda name: self._opened.describe(self._opened.find(name))[3])

    def metadata(self):
        """Names and texts, or None."""
        return self._opened.metadata() or None

    def get_tensor(self, name):
        """One tensor."""
        return self._opened.take(self._place(name))

    def get_slice(self, name):
        """One tensor, to be sliced before it is read."""
        return _Slice(self._opened, self._place(name))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file = None
