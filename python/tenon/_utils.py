"""torch._utils: helpers that programs for several processes use."""

from tenon import _core


def _flatten_dense_tensors(tensors):
    """The elements of all tensors, one after the other."""
    return _core.cat([tensor.reshape(-1) for tensor in tensors])


def _unflatten_dense_tensors(flat, tensors):
    """Views of the elements, with the sizes of the tensors."""
    made, at = [], 0
    for tensor in tensors:
        made.append(flat.narrow(0, at, tensor.numel()).view(tensor.shape))
        at += tensor.numel()
    return tuple(made)


def _take_tensors(tensors, size_limit):
    """Lists of tensors of one dtype, of about size_limit bytes each."""
    held = {}
    for tensor in tensors:
        some = held.setdefault(tensor.dtype, [])
        size = sum(one.numel() * one.element_size() for one in some)
        if some and size + tensor.numel() * tensor.element_size() > size_limit:
            yield some
            some = held[tensor.dtype] = []
        some.append(tensor)
    yield from (some for some in held.values() if some)


def _get_device_index(device, optional=False, allow_cpu=False):
    """The number of an accelerator: there is none, -1 is the CPU."""
    index = device if isinstance(device, int) else _core.device(device if device is not None else "cpu").index
    return -1 if index is None else index
