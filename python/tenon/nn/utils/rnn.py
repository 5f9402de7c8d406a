"""Sequences of different lengths: padded, packed, and back."""

from collections import namedtuple

from tenon import _core

__all__ = ["PackedSequence", "invert_permutation", "pack_padded_sequence", "pack_sequence", "pad_packed_sequence", "pad_sequence",
           "unpack_sequence", "unpad_sequence"]

_Fields = namedtuple("PackedSequence_", ["data", "batch_sizes", "sorted_indices", "unsorted_indices"])
_Fields.__annotations__ = {name: _core.Tensor for name in _Fields._fields}
PackedSequence_ = _Fields


class PackedSequence(_Fields):
    """The rows of all steps one after the other, and how many there are at each. Made by pack_padded_sequence."""

    __slots__ = ()

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if batch_sizes is None:
            if not isinstance(data, (list, tuple)) or len(data) != 2:
                raise AssertionError("a PackedSequence is data and batch_sizes")
            data, batch_sizes = data
        if batch_sizes.device.type != "cpu":
            raise ValueError("batch_sizes are on the CPU")
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args, **kwargs):
        """The same with other data, as Tensor.to makes it."""
        data = self.data.to(*args, **kwargs)
        return self if data is self.data else type(self)(data, self.batch_sizes, self.sorted_indices, self.unsorted_indices)

    def cpu(self):
        return self

    def double(self):
        return self.to(dtype=_core.float64)

    def float(self):
        return self.to(dtype=_core.float32)

    def half(self):
        return self.to(dtype=_core.float16)

    def long(self):
        return self.to(dtype=_core.int64)

    def int(self):
        return self.to(dtype=_core.int32)

    def short(self):
        return self.to(dtype=_core.int16)

    def char(self):
        return self.to(dtype=_core.int8)

    def byte(self):
        return self.to(dtype=_core.uint8)

    @property
    def is_cuda(self):
        return False

    def is_pinned(self):
        return False

    def pin_memory(self):
        return self


def invert_permutation(permutation):
    """The permutation that undoes another."""
    if permutation is None:
        return None
    made = _core.empty_like(permutation)
    return made.scatter_(0, permutation, _core.arange(0, permutation.numel()))


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    """A padded batch of sequences as a PackedSequence. enforce_sorted=False sorts them by length first."""
    lengths = _core.as_tensor(lengths, dtype=_core.int64)
    order = None
    if not enforce_sorted:
        lengths, order = _core.sort(lengths, descending=True)
        input = input.index_select(0 if batch_first else 1, order)
    data, sizes = _core._pack_padded_sequence(input, lengths, batch_first)
    return PackedSequence(data, sizes, order, None)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """A PackedSequence as a padded batch, and the lengths."""
    longest = sequence.batch_sizes.shape[0]
    if total_length is not None:
        if total_length < longest:
            raise ValueError(f"total_length {total_length} is less than the longest sequence, {longest}")
        longest = total_length
    padded, lengths = _core._pad_packed_sequence(sequence.data, sequence.batch_sizes, batch_first, padding_value, longest)
    if sequence.unsorted_indices is not None:
        padded = padded.index_select(0 if batch_first else 1, sequence.unsorted_indices)
        lengths = lengths[sequence.unsorted_indices]
    return padded, lengths


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """Sequences of different lengths in one tensor, with padding."""
    if padding_side not in ("left", "right"):
        raise RuntimeError(f"padding_side is 'left' or 'right', not {padding_side!r}")
    if isinstance(sequences, _core.Tensor):
        sequences = sequences.unbind(0)
    sequences = tuple(sequences)
    if not sequences:
        raise RuntimeError("pad_sequence: there are no sequences")
    longest, rest = max(one.shape[0] for one in sequences), sequences[0].shape[1:]
    for one in sequences:
        if tuple(one.shape[1:]) != tuple(rest):
            raise RuntimeError(f"pad_sequence: the sequences have the sizes {tuple(sequences[0].shape)} and {tuple(one.shape)}; only the "
                               "first may differ")
    padded = []
    for one in sequences:
        missing = longest - one.shape[0]
        if missing:
            border = one.new_full((missing, *rest), padding_value)
            one = _core.cat((border, one) if padding_side == "left" else (one, border))
        padded.append(one)
    return _core.stack(padded, 0 if batch_first else 1)


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    """The sequences of a padded batch."""
    if not batch_first:
        padded_sequences = padded_sequences.transpose(0, 1)
    return [one[:int(length)] for one, length in zip(padded_sequences, lengths)]


def pack_sequence(sequences, enforce_sorted=True):
    """Sequences of different lengths as a PackedSequence."""
    lengths = _core.as_tensor([one.shape[0] for one in sequences])
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences):
    """The sequences of a PackedSequence."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
