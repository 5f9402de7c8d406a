"""Samples as batches: tensors are stacked, numbers become tensors, and lists, tuples and dictionaries keep their form."""

from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence

from tenon import _core

Tensor = _core.Tensor


def default_convert(data):
    """NumPy's arrays inside as tensors; everything else as it is."""
    kind = type(data)
    if isinstance(data, Tensor):
        return data
    if kind.__module__ == "numpy" and kind.__name__ not in ("str_", "string_"):
        if kind.__name__ == "ndarray" and data.dtype.kind in "SUaO":
            return data
        return _core.as_tensor(data)
    if isinstance(data, Mapping):
        return _same_mapping(data, {key: default_convert(value) for key, value in data.items()})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return kind(*(default_convert(value) for value in data))
    if isinstance(data, tuple):
        return [default_convert(value) for value in data]
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        try:
            return kind([default_convert(value) for value in data])
        except TypeError:
            return [default_convert(value) for value in data]
    return data


def _same_mapping(example, made):
    """A dictionary in the class of another one."""
    try:
        if isinstance(example, MutableMapping):
            import copy
            clone = copy.copy(example)
            clone.update(made)
            return clone
        return type(example)(made)
    except TypeError:
        return made


def collate_tensor_fn(batch, *, collate_fn_map=None):
    """Tensors, stacked."""
    return _core.stack(batch, 0)


def collate(batch, *, collate_fn_map=None):
    """A batch of samples, by functions for classes of samples."""
    first = batch[0]
    kind = type(first)
    if collate_fn_map is not None:
        if kind in collate_fn_map:
            return collate_fn_map[kind](batch, collate_fn_map=collate_fn_map)
        for known, function in collate_fn_map.items():
            if isinstance(first, known):
                return function(batch, collate_fn_map=collate_fn_map)
    if isinstance(first, Mapping):
        return _same_mapping(first, {key: collate([sample[key] for sample in batch], collate_fn_map=collate_fn_map) for key in first})
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return kind(*(collate(column, collate_fn_map=collate_fn_map) for column in zip(*batch)))
    if isinstance(first, Sequence):
        if any(len(sample) != len(first) for sample in batch):
            raise RuntimeError("default_collate: the lists of a batch have different lengths")
        columns = [collate(column, collate_fn_map=collate_fn_map) for column in zip(*batch)]
        if isinstance(first, tuple):
            return columns
        try:
            if isinstance(first, MutableSequence):
                import copy
                clone = copy.copy(first)
                for i, column in enumerate(columns):
                    clone[i] = column
                return clone
            return kind(columns)
        except TypeError:
            return columns
    raise TypeError(f"default_collate: a batch is made of tensors, NumPy arrays, numbers, dictionaries or lists, not {kind.__name__}")


def default_collate(batch):
    """A batch of samples as tensors."""
    first = batch[0]
    if isinstance(first, Tensor):
        return _core.stack(batch, 0)
    if isinstance(first, float):
        return _core.tensor(batch, dtype=_core.float64)
    if isinstance(first, int):
        return _core.tensor(batch)
    if isinstance(first, (str, bytes)):
        return batch
    kind = type(first)
    if kind.__module__ == "numpy":
        if kind.__name__ in ("ndarray", "memmap"):
            if first.dtype.kind in "SUaO":
                raise TypeError(f"default_collate: there are no tensors of {first.dtype}")
            return default_collate([_core.as_tensor(one) for one in batch])
        return _core.as_tensor(batch)
    if isinstance(first, Mapping):
        return _same_mapping(first, {key: default_collate([sample[key] for sample in batch]) for key in first})
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return kind(*(default_collate(column) for column in zip(*batch)))
    if isinstance(first, Sequence):
        if any(len(sample) != len(first) for sample in batch):
            raise RuntimeError("default_collate: the lists of a batch have different lengths")
        columns = [default_collate(column) for column in zip(*batch)]
        if isinstance(first, tuple) or type(first) is list:
            return columns
        try:
            return kind(columns)
        except TypeError:
            return columns
    raise TypeError(f"default_collate: a batch is made of tensors, NumPy arrays, numbers, dictionaries or lists, not {kind.__name__}")


def _by_default(name, text):
    def call(batch, *, collate_fn_map=None):
        return default_collate(batch)
    call.__name__ = call.__qualname__ = name
    call.__doc__ = text
    return call


collate_float_fn = _by_default("collate_float_fn", "Numbers as a tensor of float64.")
collate_int_fn = _by_default("collate_int_fn", "Integers as a tensor.")
collate_str_fn = _by_default("collate_str_fn", "Texts as they are.")
collate_numpy_array_fn = _by_default("collate_numpy_array_fn", "NumPy's arrays as tensors, stacked.")
collate_numpy_scalar_fn = _by_default("collate_numpy_scalar_fn", "NumPy's numbers as a tensor.")
default_collate_fn_map = {Tensor: collate_tensor_fn, float: collate_float_fn, int: collate_int_fn, str: collate_str_fn, bytes: collate_str_fn}
