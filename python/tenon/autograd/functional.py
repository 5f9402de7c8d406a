"""Products with Jacobians and Hessians, and the whole of them, with torch.autograd.functional's names.

jvp differentiates backward: the gradient of v J with respect to v, which is linear in it, is J times what it is given. So there
is no forward mode, and strategy="forward-mode" computes the same with jvp.
"""

from tenon import _core
from tenon._grad import enable_grad
from tenon.autograd import grad

__all__ = ["vjp", "jvp", "jacobian", "hessian", "hvp", "vhp"]


def _as_tuple(value, what):
    """The tensors, and whether there was a tuple of them."""
    several = isinstance(value, tuple)
    if isinstance(value, list):
        value, several = tuple(value), True
    found = value if several else (value,)
    for i, one in enumerate(found):
        if not isinstance(one, _core.Tensor):
            raise TypeError(f"{what} must be a tensor or a tuple of tensors; item {i} is {type(one).__name__}")
    return found, several


def _inputs(inputs, create_graph):
    """The inputs as they are used inside: leaves of their own, or views through which the result can be derived again."""
    return tuple((one.view_as(one) if create_graph and one.requires_grad else one.detach().requires_grad_()) for one in inputs)


def _outputs(func, inputs, what, strict):
    outputs, several = _as_tuple(func(*inputs), f"{what}: the result of func")
    if strict:
        for i, one in enumerate(outputs):
            if not one.requires_grad:
                raise RuntimeError(f"{what}: output {i} does not depend on the inputs, which strict=True refuses")
    return outputs, several


def _vectors(v, like, several, what):
    if v is None:
        if len(like) != 1 or like[0].numel() != 1:
            raise RuntimeError(f"{what}: v may be left out only for a single number")
        return (_core.ones_like(like[0]),)
    given, _ = _as_tuple(v, f"{what}: v")
    if len(given) != len(like):
        raise RuntimeError(f"{what}: v has {len(given)} tensors, and {len(like)} are expected")
    for i, (one, other) in enumerate(zip(given, like)):
        if one.shape != other.shape:
            raise RuntimeError(f"{what}: item {i} of v has sizes {tuple(one.shape)}, and {tuple(other.shape)} are expected")
    return given


def _gradients(outputs, inputs, vectors, create_graph, what="", strict=False):
    """grad, with zeros where nothing depends on an input."""
    pairs = [(one, v) for one, v in zip(outputs, vectors if vectors is not None else [None] * len(outputs)) if one.requires_grad]
    if not pairs:
        found = (None,) * len(inputs)
    else:
        found = grad([one for one, _ in pairs], inputs, [v for _, v in pairs], create_graph=create_graph, allow_unused=True)
    if strict:
        for i, one in enumerate(found):
            if one is None:
                raise RuntimeError(f"{what}: the result does not depend on input {i}, which strict=True refuses")
            if create_graph and not one.requires_grad:
                raise RuntimeError(f"{what}: the derivative does not depend on input {i}, which strict=True refuses")
    return tuple(_core.zeros_like(x) if one is None else one for one, x in zip(found, inputs))


def _given(tensors, several, create_graph):
    made = tensors if create_graph else tuple(one.detach() for one in tensors)
    return made if several else made[0]


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """func(*inputs), and v times its Jacobian."""
    with enable_grad():
        inputs, several = _as_tuple(inputs, "vjp: inputs")
        inputs = _inputs(inputs, create_graph)
        outputs, several_outputs = _outputs(func, inputs, "vjp", strict)
        vectors = _vectors(v, outputs, several_outputs, "vjp")
        found = _gradients(outputs, inputs, vectors, create_graph, "vjp", strict)
    return _given(outputs, several_outputs, create_graph), _given(found, several, create_graph)


def _forward_product(outputs, inputs, vectors, create_graph, what="", strict=False):
    """J v for each output: the derivative of u J with respect to u."""
    u = tuple(_core.zeros_like(one, requires_grad=True) for one in outputs)
    back = _gradients(outputs, inputs, u, True, what, strict and not create_graph)
    pairs = [(one, v) for one, v in zip(back, vectors) if one.requires_grad]
    found = grad([one for one, _ in pairs], u, [v for _, v in pairs], create_graph=create_graph, allow_unused=True) if pairs else (None,) * len(u)
    if strict:
        for i, one in enumerate(found):
            if one is None:
                raise RuntimeError(f"{what}: output {i} does not depend on the inputs, which strict=True refuses")
            if create_graph and not one.requires_grad:
                raise RuntimeError(f"{what}: the derivative of output {i} does not depend on the inputs, which strict=True refuses")
    return tuple(_core.zeros_like(x) if one is None else one for one, x in zip(found, outputs))


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    """func(*inputs), and its Jacobian times v."""
    with enable_grad():
        inputs, several = _as_tuple(inputs, "jvp: inputs")
        vectors = _vectors(v, inputs, several, "jvp")
        inputs = _inputs(inputs, create_graph)
        outputs, several_outputs = _outputs(func, inputs, "jvp", strict)
        found = _forward_product(outputs, inputs, vectors, create_graph, "jvp", strict)
    return _given(outputs, several_outputs, create_graph), _given(found, several_outputs, create_graph)


def _units(like):
    """For each element of a tensor: that element 1, and all others 0."""
    flat = _core.eye(like.numel(), dtype=like.dtype, device=like.device)
    return (row.reshape(like.shape) for row in flat)


def _by_rows(outputs, inputs, create_graph, strict):
    """Of each output, for each input: the Jacobian, one gradient for each element of the output."""
    found = []
    for i, output in enumerate(outputs):
        rows = [[] for _ in inputs]
        for unit in _units(output):
            if output.requires_grad:
                row = grad(output, inputs, unit, retain_graph=True, create_graph=create_graph, allow_unused=True)
            else:
                row = (None,) * len(inputs)
            for k, (one, x) in enumerate(zip(row, inputs)):
                if strict and one is None:
                    raise RuntimeError(f"jacobian: output {i} does not depend on input {k}, which strict=True refuses")
                if strict and create_graph and not one.requires_grad:
                    raise RuntimeError(f"jacobian: the derivative of output {i} does not depend on input {k}, which strict=True refuses")
                rows[k].append(_core.zeros_like(x) if one is None else one)
        found.append(tuple(
            _core.stack(column).reshape((*output.shape, *x.shape)) if column else output.new_zeros((*output.shape, *x.shape))
            for column, x in zip(rows, inputs)))
    return tuple(found)


def _by_columns(outputs, inputs, create_graph):
    """The same, one product J v for each element of the inputs."""
    columns = [[[] for _ in inputs] for _ in outputs]
    for k, x in enumerate(inputs):
        for unit in _units(x):
            vectors = tuple(unit if k == j else _core.zeros_like(other) for j, other in enumerate(inputs))
            for i, one in enumerate(_forward_product(outputs, inputs, vectors, create_graph)):
                columns[i][k].append(one)
    return tuple(
        tuple(_core.stack(columns[i][k], dim=-1).reshape((*y.shape, *x.shape)) if columns[i][k] else y.new_zeros((*y.shape, *x.shape))
              for k, x in enumerate(inputs))
        for i, y in enumerate(outputs))


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    """All derivatives of the results with respect to the inputs: of the sizes of the result, then of the input."""
    if strategy not in ("reverse-mode", "forward-mode"):
        raise AssertionError(f"jacobian: strategy is 'reverse-mode' or 'forward-mode', not {strategy!r}")
    if strategy == "forward-mode" and (strict or create_graph):
        raise NotImplementedError("jacobian: strategy 'forward-mode' knows neither strict nor create_graph: use 'reverse-mode'")
    if strict and vectorize:
        raise RuntimeError("jacobian: strict and vectorize exclude each other")
    with enable_grad():
        inputs, several = _as_tuple(inputs, "jacobian: inputs")
        inputs = _inputs(inputs, create_graph)
        outputs, several_outputs = _outputs(func, inputs, "jacobian", strict)
        whole = _by_columns(outputs, inputs, create_graph) if strategy == "forward-mode" else _by_rows(outputs, inputs, create_graph, strict)
    rows = tuple(_given(row, several, create_graph) for row in whole)
    return rows if several_outputs else rows[0]


def _number(func, what):
    """func, whose result must be one number."""

    def call(*inputs):
        out = func(*inputs)
        several = isinstance(out, tuple)
        if several and len(out) != 1 or not isinstance(out[0] if several else out, _core.Tensor):
            raise RuntimeError(f"{what}: func must give one tensor")
        out = out[0] if several else out
        if out.numel() != 1:
            raise RuntimeError(f"{what}: func must give one number, and not {tuple(out.shape)}")
        return out.reshape(())

    return call


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    """All second derivatives of a function with one number as its result."""
    if outer_jacobian_strategy not in ("reverse-mode", "forward-mode"):
        raise AssertionError("hessian: outer_jacobian_strategy is 'reverse-mode' or 'forward-mode'")
    inputs, several = _as_tuple(inputs, "hessian: inputs")
    single = _number(func, "hessian")

    def first(*given):
        found = jacobian(single, given, create_graph=True)
        if strict:
            for i, one in enumerate(found):
                if not one.requires_grad:
                    raise RuntimeError(f"hessian: the derivative does not depend on input {i}, which strict=True refuses")
        return found

    whole = jacobian(first, inputs, create_graph=create_graph, strict=strict, vectorize=vectorize, strategy=outer_jacobian_strategy)
    return whole if several else whole[0][0]


def _second(func, inputs, v, create_graph, strict, what):
    inputs, several = _as_tuple(inputs, f"{what}: inputs")
    inputs = _inputs(inputs, create_graph)
    vectors = _vectors(v, inputs, several, what)
    output = _number(func, what)(*inputs)
    if strict and not output.requires_grad:
        raise RuntimeError(f"{what}: the result does not depend on the inputs, which strict=True refuses")
    first = _gradients((output,), inputs, None, True, what, strict)
    return inputs, several, vectors, output, first


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """func(*inputs), and its Hessian times v."""
    with enable_grad():
        inputs, several, vectors, output, first = _second(func, inputs, v, create_graph, strict, "hvp")
        found = _forward_product(first, inputs, vectors, create_graph, "hvp", strict)
    return _given((output,), False, create_graph), _given(found, several, create_graph)


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    """func(*inputs), and v times its Hessian."""
    with enable_grad():
        inputs, several, vectors, output, first = _second(func, inputs, v, create_graph, strict, "vhp")
        found = _gradients(first, inputs, vectors, create_graph, "vhp", strict)
    return _given((output,), False, create_graph), _given(found, several, create_graph)
