"""Methods of Tensor that few programs need: python/src/methods.c calls them."""

import warnings

from tenon import _core


def cuda(self, device=None, non_blocking=False, memory_format=None):
    raise AssertionError("Tensor.cuda: there is no CUDA device here (torch.cuda.is_available() is False)")


def xpu(self, device=None, non_blocking=False, memory_format=None):
    raise AssertionError("Tensor.xpu: there is no XPU device here (torch.xpu.is_available() is False)")


def pin_memory(self, device=None):
    raise RuntimeError("Tensor.pin_memory: memory is pinned for the copies of an accelerator, and there is none here")


def record_stream(self, stream):
    raise RuntimeError("Tensor.record_stream: there are no streams here")


def _sparse(name):
    def call(self, *args, **kwargs):
        raise RuntimeError(f"Tensor.{name}: there are no sparse tensors here")
    return call


coalesce, indices, is_coalesced, sparse_mask, to_sparse, values = map(
    _sparse, ("coalesce", "indices", "is_coalesced", "sparse_mask", "to_sparse", "values"))


def dense_dim(self):
    return self.dim()


def sparse_dim(self):
    return 0


def lu(self, pivot=True, get_infos=False):
    from tenon import _linalg_names
    return _linalg_names.lu(self, pivot, get_infos)


def module_load(self, other, assign=False):
    return other.detach() if assign else self.copy_(other).detach()


def to_dense(self, dtype=None, *, masked_grad=True):
    return self if dtype is None else self.to(dtype)


def _resized(self, name, sizes):
    warnings.warn(f"Tensor.{name} is an old form of reshape", stacklevel=3)
    return self.reshape(sizes)


def resize(self, *sizes):
    return _resized(self, "resize", sizes[0] if len(sizes) == 1 and not isinstance(sizes[0], int) else sizes)


def resize_as(self, tensor):
    return _resized(self, "resize_as", tensor.shape)


def storage_type(self):
    from tenon import storage as home
    return getattr(home, home._NAMES[self.dtype])


def unsafe_chunk(self, chunks, dim=0):
    return self.chunk(chunks, dim)


def unsafe_split(self, split_size, dim=0):
    return self.split(split_size, dim)


def unsafe_split_with_sizes(self, split_sizes, dim=0):
    return self.split(list(split_sizes), dim)


def is_shared(self):
    return self.untyped_storage().is_shared()


def share_memory_(self):
    """The elements move to shared memory; a tensor that looks into the same storage would stay behind, so there may be none."""
    held = self.untyped_storage()
    if not held.is_shared():
        held = held._shared(2)  # the tensor and the object that is its storage
        _core._take_storage(self, held)
    return self


def reinforce(self, *args, **kwargs):
    raise RuntimeError("Tensor.reinforce: there are no stochastic graphs; distributions and log_prob do what it did")


def storage(self):
    from tenon.storage import TypedStorage
    return TypedStorage(wrap_storage=self.untyped_storage(), dtype=self.dtype)


def _broadcast(self, name, others):
    """The others in the shape of self; they must have its dtype."""
    for other in others:
        if not isinstance(other, _core.Tensor):
            raise TypeError(f"{name}() takes tensors, not {type(other).__name__}")
        if other.dtype is not self.dtype:
            raise TypeError(f"{name}(): self has elements of {self.dtype}, but the other tensor has {other.dtype}")
    return [other.expand(self.shape) for other in others]


def _through(self, name, others, function):
    """Calls the function for all elements first, so nothing has changed when it fails."""
    if not callable(function):
        raise TypeError(f"'{type(function).__name__}' object is not callable")
    columns = [tensor.reshape(-1).tolist() for tensor in (self, *_broadcast(self, name, others))]
    values = [function(*row) for row in zip(*columns)]
    return self.copy_(_core.tensor(values, dtype=self.dtype).reshape(self.shape))


def apply_(self, callable):
    return _through(self, "apply_", (), callable)


def map_(self, other, callable):
    return _through(self, "map_", (other,), callable)


def map2_(self, x, y, callable):
    return _through(self, "map2_", (x, y), callable)


def _is_ambiguous(sizes, strides):
    return 1 in sizes or any(a == b for a, b in zip(strides, strides[1:]))


def _order(self, certain):
    """The dimensions from the largest stride to the smallest. Where a stride means nothing, because it is 0 or the size is 1, a
    dimension keeps its place beside its neighbours."""
    plainly, last = self.is_contiguous(), self.ndim == 4 and self.is_contiguous(memory_format=_core.channels_last)
    if plainly != last:
        return [0, *range(2, self.ndim), 1] if last else list(range(self.ndim))
    if certain and self.ndim > 1 and 0 in self.stride():
        raise RuntimeError("dim_order: a stride of 0 has no place in the order")
    sizes, strides, order = self.shape, self.stride(), list(range(self.ndim))[::-1]  # innermost first
    for i in range(1, self.ndim):
        at = i
        for before in reversed(range(i)):
            one, other = order[before], order[at]
            if strides[one] == 0 or strides[other] == 0:
                continue  # means nothing: look further
            if strides[one] > strides[other] or (strides[one] == strides[other] and sizes[one] > sizes[other]):
                order[before], order[at] = other, one
                at = before
            elif strides[one] < strides[other]:
                break
    return order[::-1]


def dim_order(self, *, ambiguity_check=False):
    formats = [] if isinstance(ambiguity_check, bool) else ambiguity_check
    if not isinstance(formats, list) or not all(isinstance(one, _core.memory_format) for one in formats):
        raise TypeError(f"ambiguity_check must be a bool or a list of memory formats, not {ambiguity_check!r}")
    if ambiguity_check is not False and _is_ambiguous(self.shape, self.stride()):
        if sum(self.is_contiguous(memory_format=one) for one in formats) != 1:
            raise RuntimeError("dim_order: the strides allow several orders, and the number of memory formats that fit is not one")
    return tuple(_order(self, ambiguity_check is not False))
