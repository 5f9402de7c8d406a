"""torch.func: functions that give gradients of functions. vmap is a loop over the batch, and so is what is built on it."""

import functools

from tenon import _core
from tenon.autograd import grad as _grad
from tenon.nn.utils.stateless import _functional_call

__all__ = ["replace_all_batch_norm_modules_", "functional_call", "functionalize", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "stack_module_state", "vjp", "vmap"]

Tensor = _core.Tensor


class _recording:
    def __enter__(self):
        self.before = _core._set_grad_mode(1)

    def __exit__(self, *ignored):
        _core._set_grad_mode(self.before)


def _flatten(tree):
    """The leaves of nested tuples, lists and dictionaries, and a function that puts others in their place."""
    if isinstance(tree, (tuple, list)):
        parts = [_flatten(item) for item in tree]
        kind = type(tree)

        def build(leaves):
            leaves = list(leaves)
            items = []
            for inner, make in parts:
                items.append(make(leaves[:len(inner)]))
                leaves = leaves[len(inner):]
            return kind(*items) if hasattr(tree, "_fields") else kind(items)
        return [leaf for inner, _ in parts for leaf in inner], build
    if isinstance(tree, dict):
        keys = list(tree)
        parts = [_flatten(tree[key]) for key in keys]

        def build(leaves):
            leaves, made = list(leaves), {}
            for key, (inner, make) in zip(keys, parts):
                made[key] = make(leaves[:len(inner)])
                leaves = leaves[len(inner):]
            return type(tree)(made) if type(tree) is not dict else made
        return [leaf for inner, _ in parts for leaf in inner], build
    return [tree], lambda leaves: leaves[0]


def functionalize(func, *, remove="mutations"):
    """The function itself: what it changes inside is not seen outside."""
    if remove not in ("mutations", "mutations_and_views"):
        raise RuntimeError(f"functionalize: remove is 'mutations' or 'mutations_and_views', not {remove!r}")
    return func


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """What a module gives with these tensors in the place of its own."""
    if isinstance(parameter_and_buffer_dicts, (tuple, list)):
        merged = {}
        for one in parameter_and_buffer_dicts:
            if set(merged) & set(one):
                raise ValueError(f"functional_call: {sorted(set(merged) & set(one))} are in several dictionaries")
            merged.update(one)
        parameter_and_buffer_dicts = merged
    return _functional_call(module, parameter_and_buffer_dicts, args, kwargs, tie_weights=tie_weights, strict=strict)


def stack_module_state(models):
    """Parameters and buffers of several modules of one kind, stacked."""
    if not models:
        raise RuntimeError("stack_module_state: there are no modules")
    def stacked(which):
        every = [dict(getattr(model, which)()) for model in models]
        return {key: _core.stack([one[key].detach() for one in every]) for key in every[0]}
    params = {key: value.requires_grad_() for key, value in stacked("named_parameters").items()}
    return params, stacked("named_buffers")


def _inputs(args, argnums):
    numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    numbers = tuple(number % len(args) if -len(args) <= number < len(args) else number for number in numbers)
    for number in numbers:
        if not 0 <= number < len(args):
            raise RuntimeError(f"argnums {argnums} is out of range for {len(args)} arguments")
    return numbers


def _fresh(args, numbers):
    """The arguments with new tensors, of which gradients can be taken, at some places."""
    args, leaves, builds = list(args), [], []
    for number in numbers:
        flat, build = _flatten(args[number])
        new = []
        for leaf in flat:
            if isinstance(leaf, Tensor) and (leaf.is_floating_point() or leaf.is_complex()):
                leaf = leaf.view_as(leaf) if leaf.requires_grad else leaf.detach().requires_grad_(True)
            new.append(leaf)
        leaves.append(new)
        builds.append(build)
        args[number] = build(new)
    return args, leaves, builds


def _zeros(grads, leaves):
    return [_core.zeros_like(leaf) if one is None and isinstance(leaf, Tensor) else one for one, leaf in zip(grads, leaves)]


def _nested(leaves):
    """Whether the result must be differentiable again: some input was already being recorded."""
    return any(leaf.grad_fn is not None for leaf in leaves if isinstance(leaf, Tensor))


def grad_and_value(func, argnums=0, has_aux=False):
    """A function that gives the gradient of func's number, and the number."""
    @functools.wraps(func)
    def call(*args, **kwargs):
        numbers = _inputs(args, argnums)
        outer = _core._grad_mode() == 1
        with _recording():
            new, leaves, builds = _fresh(args, numbers)
            output = func(*new, **kwargs)
            if has_aux:
                output, aux = output
            if not isinstance(output, Tensor) or output.dim() != 0:
                raise RuntimeError("grad: the function must give a tensor without dimensions")
            flat = [leaf for group in leaves for leaf in group]
            create = outer
            grads = _zeros(_grad(output, flat, create_graph=create, allow_unused=True) if output.requires_grad else [None] * len(flat), flat)
        if not _nested(flat):
            grads = [one.detach() for one in grads] if not _depends(args) else grads
            output = output.detach() if not _depends(args) else output
        made = []
        for group, build in zip(leaves, builds):
            made.append(build(grads[:len(group)]))
            grads = grads[len(group):]
        result = made[0] if isinstance(argnums, int) else tuple(made)
        return (result, (output, aux)) if has_aux else (result, output)
    return call


def _depends(args):
    """Whether gradients may be wanted of what is computed from the arguments."""
    return any(isinstance(leaf, Tensor) and leaf.requires_grad for leaf in _flatten(list(args))[0]) or _depth > 0


_depth = 0


class _deeper:
    """While a function is differentiated again, what it computes stays connected."""

    def __enter__(self):
        global _depth
        _depth += 1

    def __exit__(self, *ignored):
        global _depth
        _depth -= 1


def grad(func, argnums=0, has_aux=False):
    """A function that gives the gradient of func's number."""
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def call(*args, **kwargs):
        result = both(*args, **kwargs)
        return (result[0], result[1][1]) if has_aux else result[0]
    return call


def vjp(func, *primals, has_aux=False):
    """func's output, and a function that multiplies vectors with its Jacobian from the left."""
    with _recording():
        new, leaves, builds = _fresh(primals, range(len(primals)))
        output = func(*new)
        if has_aux:
            output, aux = output
    outs, build_out = _flatten(output)

    def pull(cotangents, retain_graph=True, create_graph=None):
        given = _flatten(cotangents)[0]
        if len(given) != len(outs):
            raise RuntimeError("vjp: the cotangents have another structure than the output")
        flat = [leaf for group in leaves for leaf in group]
        used = [(out, one) for out, one in zip(outs, given) if out.requires_grad]
        with _recording():
            again = any(one.requires_grad for one in given) or _depth > 0
            grads = _zeros(_grad([out for out, _ in used], flat, [one for _, one in used], retain_graph=True, create_graph=again, allow_unused=True)
                           if used else [None] * len(flat), flat)
        made = []
        for group, build in zip(leaves, builds):
            made.append(build(grads[:len(group)]))
            grads = grads[len(group):]
        return tuple(made)

    shown = output if _depends(primals) else build_out([out.detach() for out in outs])
    return (shown, pull, aux) if has_aux else (shown, pull)


def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    """func's output, and its Jacobian times vectors, by differentiating twice backward."""
    if not isinstance(primals, tuple) or not isinstance(tangents, tuple):
        raise RuntimeError("jvp: primals and tangents are tuples")
    with _recording(), _deeper():
        new, leaves, _ = _fresh(primals, range(len(primals)))
        output = func(*new)
        if has_aux:
            output, aux = output
        outs, build = _flatten(output)
        flat, given = [leaf for group in leaves for leaf in group], _flatten(list(tangents))[0]
        dummies = [_core.zeros_like(out).requires_grad_(True) for out in outs]
        used = [(out, dummy) for out, dummy in zip(outs, dummies) if out.requires_grad]
        results = [_core.zeros_like(out) for out in outs]
        if used:
            grads = _grad([out for out, _ in used], flat, [dummy for _, dummy in used], create_graph=True, allow_unused=True)
            pairs = [(one, tangent) for one, tangent in zip(grads, given) if one is not None and one.requires_grad]
            if pairs:
                found = _grad([one for one, _ in pairs], [dummy for _, dummy in used], [tangent for _, tangent in pairs], create_graph=_depth > 1,
                              allow_unused=True)
                places = {id(dummy): one for (_, dummy), one in zip(used, found)}
                results = [places.get(id(dummy)) if places.get(id(dummy)) is not None else zero for dummy, zero in zip(dummies, results)]
    if _depth == 0 and not _depends(primals):
        outs, results = [out.detach() for out in outs], [one.detach() for one in results]
    return (build(outs), build(results), aux) if has_aux else (build(outs), build(results))


def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None):
    """A function that gives the Jacobian of func, a row at a time."""
    @functools.wraps(func)
    def call(*args):
        numbers = _inputs(args, argnums)

        def partial(*chosen):
            new = list(args)
            for number, value in zip(numbers, chosen):
                new[number] = value
            return func(*new)

        made = vjp(partial, *(args[number] for number in numbers), has_aux=has_aux)
        output, pull = made[0], made[1]
        outs, build = _flatten(output)
        jacobians = []
        for i, out in enumerate(outs):
            rows = []
            for j in range(out.numel()):
                cotangents = [_core.zeros_like(other) for other in outs]
                cotangents[i] = cotangents[i].reshape(-1).index_fill(0, _core.tensor([j]), 1).reshape(out.shape)
                rows.append(pull(build(cotangents)))
            parts = []
            for place in range(len(numbers)):
                leaves, make = _flatten(args[numbers[place]])
                columns = [[_flatten(row[place])[0][k] for row in rows] for k in range(len(leaves))]
                parts.append(make([_core.stack(column).reshape((*out.shape, *leaf.shape)) if column else _core.empty((*out.shape, *leaf.shape))
                                   for column, leaf in zip(columns, leaves)]))
            jacobians.append(parts[0] if isinstance(argnums, int) else tuple(parts))
        result = build(jacobians)
        return (result, made[2]) if has_aux else result
    return call


def jacfwd(func, argnums=0, has_aux=False, *, randomness="error"):
    """jacrev, under the name of the one that goes column by column."""
    return jacrev(func, argnums, has_aux=has_aux)


def hessian(func, argnums=0):
    """A function that gives the Hessian of func."""
    first = jacrev(func, argnums)

    def deeper(*args):
        with _deeper():
            return first(*args)
    return jacrev(deeper, argnums)


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """A function that calls func for each slice of a batch, one after the other, and stacks the results.

    randomness says what drawing from the default generator means: an error, "different" numbers for each slice, or the "same"."""
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"vmap: randomness is 'error', 'different' or 'same', not {randomness!r}")

    @functools.wraps(func)
    def call(*args, **kwargs):
        dims = (in_dims,) * len(args) if isinstance(in_dims, int) or in_dims is None else tuple(in_dims)
        if len(dims) != len(args):
            raise ValueError(f"vmap: in_dims has {len(dims)} entries for {len(args)} arguments")
        flat, sizes = [], set()
        for arg, dim in zip(args, dims):
            leaves, build = _flatten(arg)
            spread = [dim] * len(leaves) if isinstance(dim, int) or dim is None else _flatten(dim)[0]
            for leaf, one in zip(leaves, spread):
                if one is not None:
                    if not isinstance(leaf, Tensor):
                        raise ValueError(f"vmap: in_dims is {one} for {type(leaf).__name__}, and only tensors have dimensions")
                    sizes.add(leaf.shape[one])
            flat.append((leaves, spread, build))
        for leaf in _flatten(kwargs)[0] if kwargs else ():
            if isinstance(leaf, Tensor):
                sizes.add(leaf.shape[0])
        if len(sizes) != 1:
            raise ValueError(f"vmap: the batches have the sizes {sorted(sizes)}" if sizes else "vmap: no argument has a batch")
        results, count = [], sizes.pop()
        if count == 0:
            raise ValueError("vmap: the batch is empty, and a loop over it has no results to stack")
        state = _core.get_rng_state() if randomness != "different" else None
        for i in range(count):
            if randomness == "same":
                _core.set_rng_state(state)
            one = [build([leaf.select(dim, i) if dim is not None else leaf for leaf, dim in zip(leaves, spread)]) for leaves, spread, build in flat]
            named = {}
            if kwargs:
                leaves, build = _flatten(kwargs)
                named = build([leaf.select(0, i) if isinstance(leaf, Tensor) else leaf for leaf in leaves])
            results.append(func(*one, **named))
            if i == 0 and randomness == "error" and not _core.equal(state, _core.get_rng_state()):
                raise RuntimeError("vmap: the function draws random numbers, and randomness is 'error': say 'different' or 'same'")
        leaves, build = _flatten(results[0])
        columns = list(zip(*(_flatten(result)[0] for result in results)))
        outs = [out_dims] * len(leaves) if isinstance(out_dims, int) or out_dims is None else _flatten(out_dims)[0]
        made = []
        for column, dim in zip(columns, outs):
            if not isinstance(column[0], Tensor):
                raise ValueError(f"vmap: the function must give tensors, not {type(column[0]).__name__}")
            made.append(column[0] if dim is None else _core.stack(column, dim))
        return build(made)
    return call


def linearize(func, *primals):
    """func's output, and a function that multiplies its Jacobian with vectors."""
    return func(*primals), lambda *tangents: jvp(func, primals, tangents)[1]


def replace_all_batch_norm_modules_(root):
    """Batch norms of a module, in place, without running averages."""
    for module in root.modules():
        if type(module).__name__.startswith(("BatchNorm", "SyncBatchNorm")) and hasattr(module, "track_running_stats"):
            module.running_mean = module.running_var = module.num_batches_tracked = None
            module.track_running_stats = False
    return root
