"""gradcheck and gradgradcheck: gradients beside differences of the function's results, with torch's parameters.

Complex numbers are pairs of real ones here. backward with the gradient 1 gives the derivatives of a result's real part with respect to
both parts of each input, and with 1j those of its imaginary part; so both Jacobians are real matrices.
"""

from tenon import _core
from tenon._grad import enable_grad, no_grad
from tenon.autograd import grad

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]


class GradcheckError(RuntimeError):
    """The gradients are not the differences."""


def _tensors(value):
    return (value,) if isinstance(value, _core.Tensor) else tuple(value)


def _is_checked(value):
    return isinstance(value, _core.Tensor) and value.requires_grad


def _results(value):
    """The results that can have a gradient."""
    return [one for one in _tensors(value) if isinstance(one, _core.Tensor) and (one.is_floating_point() or one.is_complex())]


def _parts(tensor):
    """All real numbers of a tensor in a row."""
    flat = tensor.detach().resolve_conj().reshape(-1)
    return _core.view_as_real(flat).reshape(-1) if flat.is_complex() else flat


def _check_inputs(inputs):
    checked = [one for one in inputs if _is_checked(one)]
    if not checked:
        raise ValueError("gradcheck: none of the inputs requires a gradient")
    for i, one in enumerate(checked):
        if one.dtype not in (_core.float64, _core.complex128):
            import warnings
            warnings.warn(f"gradcheck: input {i} is {one.dtype}; differences of less than double precision are not exact", stacklevel=4)
        if any(stride == 0 and size > 1 for stride, size in zip(one.stride(), one.shape)):
            raise RuntimeError(f"gradcheck: elements of input {i} share a place, so one cannot be changed alone: use contiguous()")
    return checked


def _difference(func, inputs, tensor, direction, eps):
    """The change of all results, by 2 eps, when the tensor goes along a direction."""
    data, found = tensor.detach(), []
    saved = data.clone()
    for sign in (1, -1):
        try:
            data.add_(direction, alpha=sign * eps)
            with no_grad():
                found.append([_parts(one).clone() for one in _results(func(*inputs))])
        finally:
            data.copy_(saved)  # exactly what it was
    return [(plus - minus) / (2 * eps) for plus, minus in zip(*found)]


def _directions(tensor):
    """One for each real number of a tensor."""
    for i in range(tensor.numel()):
        for unit in (1, 1j) if tensor.is_complex() else (1,):
            one = _core.zeros(tensor.numel(), dtype=tensor.dtype)
            one[i] = unit
            yield one.reshape(tensor.shape)


def _numeric(func, inputs, tensor, eps):
    """[matrix (numbers of the input, numbers of the result)] for each result."""
    columns = [_difference(func, inputs, tensor, direction, eps) for direction in _directions(tensor)]
    return [_core.stack(list(column)) for column in zip(*columns)] if columns else []


def _analytic(outputs, index, checked):
    """The same from gradients: for each input a matrix (numbers of the input, numbers of the result)."""
    output, rows = outputs[index], [[] for _ in checked]
    for unit in _directions(output):
        found = grad(output, checked, unit, retain_graph=True, allow_unused=True) if output.requires_grad else [None] * len(checked)
        for k, (one, x) in enumerate(zip(found, checked)):
            rows[k].append(_parts(_core.zeros_like(x) if one is None else one))
    return [_core.stack(column, dim=1) if column else _core.zeros(_parts(x).numel(), 0, dtype=_core.float64) for column, x in zip(rows, checked)]


def _close(a, b, rtol, atol):
    return a.shape == b.shape and bool(_core.allclose(a.double(), b.double(), rtol, atol))


def _compare(func, inputs, checked, eps, atol, rtol):
    by_input = [_numeric(func, inputs, one, eps) for one in checked]
    outputs = _results(func(*inputs))  # after the inputs were changed for the differences
    for i in range(len(outputs)):
        for k, computed in enumerate(_analytic(outputs, i, checked)):
            if not by_input[k]:
                continue
            differences = by_input[k][i]
            if not _close(computed, differences, rtol, atol):
                raise GradcheckError(
                    f"the gradient of output {i} with respect to input {k} is not the difference\ndifferences:\n{differences}\n"
                    f"gradients:\n{computed}")


def _random(like):
    made = _core.randn(like.shape, dtype=like.dtype)
    size = made.abs().square().sum().sqrt()
    return made / size if like.numel() else made


def _compare_fast(func, inputs, checked, eps, atol, rtol):
    """One random direction for each pair: u J v from both sides."""
    directions = [_random(one) for one in checked]
    by_input = [_difference(func, inputs, one, u, eps) for one, u in zip(checked, directions)]
    outputs = _results(func(*inputs))
    for k, (one, u, differences) in enumerate(zip(checked, directions, by_input)):
        for i, output in enumerate(outputs):
            v = _random(output)
            found = grad(output, one, v, retain_graph=True, allow_unused=True)[0] if output.requires_grad else None
            computed = (_parts(_core.zeros_like(one) if found is None else found) * _parts(u)).sum()
            expected = (differences[i] * _parts(v)).sum()
            if not _close(computed, expected, rtol, atol):
                raise GradcheckError(
                    f"the gradient of output {i} with respect to input {k}, along a random direction, is {computed.item()}, "
                    f"and the difference is {expected.item()}")


def _check_again(func, inputs, checked, nondet_tol):
    """Twice the same call, twice the same gradients."""
    found = []
    for _ in range(2):
        outputs = [one for one in _results(func(*inputs)) if one.requires_grad]
        given = [_core.ones_like(one) for one in outputs]
        found.append(grad(outputs, checked, given, allow_unused=True) if outputs else ())
    for k, (a, b) in enumerate(zip(*found)):
        if a is not None and b is not None and not _close(_parts(a), _parts(b), 0, nondet_tol):
            raise GradcheckError(f"backward is not deterministic: two runs give other gradients of input {k}")


def _check_undefined(func, inputs, checked):
    """A result that nobody uses takes no part."""
    outputs = [one for one in _results(func(*inputs)) if one.requires_grad]
    for i in range(len(outputs) if len(outputs) > 1 else 0):
        try:
            grad(outputs[i], checked, _core.zeros_like(outputs[i]), retain_graph=True, allow_unused=True)
        except RuntimeError as error:
            raise GradcheckError(f"backward fails where only output {i} has a gradient: {error}") from error


def _check_dtypes(outputs, checked):
    for output in outputs:
        found = grad(output, checked, _core.ones_like(output), retain_graph=True, allow_unused=True) if output.requires_grad else ()
        for k, (one, x) in enumerate(zip(found, checked)):
            if one is not None and one.dtype != x.dtype:
                raise GradcheckError(f"the gradient of input {k} is {one.dtype}, and the input {x.dtype}")


def _refuse(**asked):
    for name, value in asked.items():
        if value:
            raise NotImplementedError(f"gradcheck: {name} needs what there is not: forward mode, or functions of a batch at once")


def gradcheck(
    func, inputs, *, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True, nondet_tol=0.0, check_undefined_grad=True,
    check_grad_dtypes=False, check_batched_grad=False, check_batched_forward_grad=False, check_forward_ad=False,
    check_backward_ad=True, fast_mode=False, masked=None,
):
    """Whether the gradients of func at the inputs that require one are the differences of its results."""
    _refuse(check_batched_grad=check_batched_grad, check_batched_forward_grad=check_batched_forward_grad, check_forward_ad=check_forward_ad)
    if not check_backward_ad:
        raise AssertionError("gradcheck: there is nothing to check without check_backward_ad")
    try:
        with enable_grad():
            inputs = _tensors(inputs)
            checked = _check_inputs(inputs)
            (_compare_fast if fast_mode else _compare)(func, inputs, checked, eps, atol, rtol)
            _check_again(func, inputs, checked, nondet_tol)
            if check_undefined_grad:
                _check_undefined(func, inputs, checked)
            if check_grad_dtypes:
                _check_dtypes(_results(func(*inputs)), checked)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func, inputs, grad_outputs=None, *, eps=1e-6, atol=1e-5, rtol=1e-3, gen_non_contig_grad_outputs=False, raise_exception=True,
    nondet_tol=0.0, check_undefined_grad=True, check_grad_dtypes=False, check_batched_grad=False, check_fwd_over_rev=False,
    check_rev_over_rev=True, fast_mode=False, masked=False,
):
    """gradcheck of the gradients."""
    _refuse(check_fwd_over_rev=check_fwd_over_rev, check_batched_grad=check_batched_grad)
    if not check_rev_over_rev:
        raise AssertionError("gradgradcheck: there is nothing to check without check_rev_over_rev")
    inputs = _tensors(inputs)
    if grad_outputs is None:
        with enable_grad():
            outputs = [one for one in _results(func(*inputs)) if one.requires_grad]
        given = []
        for one in outputs:
            made = _core.randn(one.shape, dtype=one.dtype)
            if gen_non_contig_grad_outputs and made.ndim:
                made = _core.stack([made, made], dim=-1)[..., 0]
            given.append(made.requires_grad_())
    else:
        given = list(_tensors(grad_outputs))
    count = len(given)

    @enable_grad()
    def derived(*args):
        inside, vectors = args[:-count] if count else args, args[len(args) - count:]
        inside = tuple(one.view_as(one) if _is_checked(one) else one for one in inside)
        outputs = [one for one in _results(func(*inside)) if one.requires_grad]
        chosen = [one for one in inside if _is_checked(one)]
        found = grad(outputs, chosen, vectors, create_graph=True, allow_unused=True)
        return tuple(one for one in found if one is not None)

    return gradcheck(
        derived, (*inputs, *given), eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception, nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad, check_grad_dtypes=check_grad_dtypes, fast_mode=fast_mode)
