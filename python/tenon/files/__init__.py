"""Files of tensors: npy, npz, safetensors, PyTorch's, GGUF, CSV and raw bytes.

    >>> import tenon, tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "x.npz")
    >>> tenon.files.save(path, {"a": tenon.arange(3)})
    >>> tenon.files.load(path)
    {'a': tensor([0, 1, 2])}
"""

import os

from tenon import _core
from tenon.files import npy as npy

_ENDINGS = {".npy": "npy", ".npz": "npz", ".safetensors": "safetensors", ".pt": "pt", ".pth": "pt", ".gguf": "gguf", ".csv": "csv", ".tsv": "tsv",
            ".bin": "raw"}
_MODES = {"map": 0, "read": 1, "stream": 2}


def open(source, mode="map", *, writable=False, format=None, dtype=None, shape=None, offset=0, separator=None, comment=None):
    """An open file, of which only the header was read: len(), keys(), describe(place), find(name), take(place), metadata(). `source` is a path or an
    object with bytes; dtype is that of raw bytes and text, and for GGUF what quantised blocks become: float32 or float16. With mode "map" tensors look into the file; "read" copies what is taken, "stream" reads everything now."""
    if mode not in _MODES:
        raise ValueError(f"mode is one of {', '.join(_MODES)}, not {mode!r}")
    return _core._file_open(source, mode=_MODES[mode], writable=writable, format=format, dtype=dtype, sizes=shape, offset=offset,
                            separator=ord(separator) if separator else 0, comment=ord(comment) if comment else 0)


def load(source, mode="read", *, writable=True, **options):
    """A dictionary of all tensors of a file; its options are those of open."""
    file = open(source.read() if hasattr(source, "read") else source, mode, writable=writable, **options)
    return {name: file.take(i) for i, name in enumerate(file.keys())}


def save(path, tensors, format=None, metadata=None, *, level=0, durable=False):
    """Writes a dictionary of tensors, or one tensor, in a format: npy, npz, safetensors, pt, gguf, csv, tsv or raw. Without one the ending of the path
    decides. The file is there when it is whole. level 1 to 9 deflates npz; durable=True waits until all of it is on the disk, for power cuts."""
    if format is None:
        ending = os.path.splitext(os.fspath(path))[1].lower() if not hasattr(path, "write") else ""
        if ending not in _ENDINGS:
            raise ValueError(f"no format belongs to {ending!r}: say format=... ({', '.join(sorted(set(_ENDINGS.values())))})")
        format = _ENDINGS[ending]
    if isinstance(tensors, _core.Tensor):
        tensors = {"0": tensors}
    _core._file_write(path.write if hasattr(path, "write") else os.fspath(path), format, list(tensors), list(tensors.values()),
                      dict(metadata) if metadata else None, None, level, durable)
