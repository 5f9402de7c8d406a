"""Names of ATen whose arguments or results are no tensors: what a tensor is, as numbers, ctc_loss with lists of lengths, and cdist
with a compute_mode and no p."""

from tenon import _core


def _local_scalar_dense(self):
    """The only element of a tensor, as a number of Python."""
    return self.item()


def sym_size(self, dim=None):
    """self.size(dim); all sizes without dim."""
    return self.size() if dim is None else self.size(dim)


def sym_stride(self, dim=None):
    """self.stride(dim); all strides without dim."""
    return self.stride() if dim is None else self.stride(dim)


def sym_numel(self):
    """How many elements self has."""
    return self.numel()


def sym_storage_offset(self):
    """Where self begins in its storage, in elements."""
    return self.storage_offset()


def sym_is_contiguous(self, memory_format=_core.contiguous_format):
    """Whether self is contiguous in a memory format."""
    return self.is_contiguous(memory_format=memory_format)


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction=0, zero_infinity=False):
    lengths = [n if isinstance(n, _core.Tensor) else _core.tensor(n, dtype=_core.int64) for n in (input_lengths, target_lengths)]
    return _core.ctc_loss(log_probs, targets, *lengths, blank, reduction, zero_infinity)


ctc_loss.__doc__ = _core.ctc_loss.__doc__


def cdist(x1, x2, p=2.0, compute_mode=None):
    return _core.cdist(x1, x2, p) if compute_mode is None else _core.cdist(x1, x2, p, compute_mode)


cdist.__doc__ = _core.cdist.__doc__
