"""Products whose arguments take more forms in PyTorch than one row of the operator table has: einsum, tensordot."""

from tenon import _core


def _label(place):
    """The letter that stands for a number in a list of labels."""
    if place is Ellipsis:
        return "..."
    try:
        number = place.__index__()
    except AttributeError:
        raise TypeError(f"einsum(): a label is a whole number or ..., not {place!r}") from None
    if not 0 <= number < 52:
        raise ValueError(f"einsum(): label {number} is not from 0 to 51")
    return chr(ord("A") + number) if number < 26 else chr(ord("a") + number - 26)


def _labels(labels):
    if isinstance(labels, (str, _core.Tensor)) or not hasattr(labels, "__iter__"):
        raise TypeError(f"einsum(): after a tensor comes the list of its labels, not {labels!r}")
    return "".join(map(_label, labels))


def _equation(args):
    """(equation, tensors), from either form of the arguments."""
    if len(args) < 2:
        raise ValueError("einsum() wants an equation and tensors, or tensors, each followed by the list of its labels")
    if not isinstance(args[0], _core.Tensor):
        equation, *tensors = args
        if not isinstance(equation, str):
            raise TypeError(f"einsum(): the equation is a text, not {type(equation).__name__}")
        if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
            tensors = tensors[0]
    else:
        tensors, lists = args[: len(args) // 2 * 2 : 2], args[1::2]
        equation = ",".join(map(_labels, lists))
        if len(args) % 2:
            equation += "->" + _labels(args[-1])
    for number, tensor in enumerate(tensors):
        if not isinstance(tensor, _core.Tensor):
            raise TypeError(f"einsum(): operand {number} is not a tensor, but {type(tensor).__name__}")
    return equation, list(tensors)


def einsum(*args):
    """einsum(equation, *operands): the sums of products that an equation says, "bij,bjk->bik".

    A letter stands for a dimension of an operand; those of the result follow the arrow, and the others are summed over. The other
    form is einsum(x, [0, 1], y, [1, 2], [0, 2]), with numbers from 0 to 51 for letters, and the result's last, if given.
    einsum_path tells in which order operands are contracted."""
    return _core.einsum(*_equation(args))


def einsum_path(*args):
    """What einsum does with these arguments, in words: the order of its steps, the matrix products and the copies."""
    return _core._einsum_explain(*_equation(args))


def tensordot(a, b, dims=2, out=None):
    """The sums over pairs of dimensions of a and b: the last `dims` of a with the first of b, or those of two lists."""
    if isinstance(dims, _core.Tensor):
        dims = dims.item() if dims.numel() == 1 else dims.tolist()
    if isinstance(dims, (list, tuple)):
        if len(dims) != 2 or any(not isinstance(one, (list, tuple)) for one in dims):
            raise TypeError(f"tensordot(): dims is a number or two lists of dimensions, not {dims!r}")
        return _core.tensordot(a, b, list(dims[0]), list(dims[1]), out=out)
    return _core.tensordot(a, b, dims, out=out)
