"""Handles of hooks: what registering a hook returns, and removes it again."""

import weakref
from collections import OrderedDict

__all__ = ["BackwardHook", "RemovableHandle"]


class RemovableHandle:
    """The place of a hook in a dictionary (and of what is known about it in others). Usable in `with`."""

    next_id = 0

    def __init__(self, hooks_dict, *, extra_dict=None):
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1
        others = () if extra_dict is None else extra_dict if isinstance(extra_dict, (list, tuple)) else (extra_dict,)
        self.extra_dict_ref = tuple(weakref.ref(other) for other in others)

    def remove(self):
        """Takes the hook away; a second time nothing happens."""
        for reference in (self.hooks_dict_ref, *self.extra_dict_ref):
            held = reference()
            if held is not None:
                held.pop(self.id, None)

    def __getstate__(self):
        return (self.hooks_dict_ref(), self.id, tuple(reference() for reference in self.extra_dict_ref))

    def __setstate__(self, state):
        held, self.id = state[:2]
        self.hooks_dict_ref = weakref.ref(OrderedDict() if held is None else held)
        others = state[2] if len(state) > 2 else ()
        self.extra_dict_ref = tuple(weakref.ref(OrderedDict() if other is None else other) for other in others)
        RemovableHandle.next_id = max(RemovableHandle.next_id, self.id + 1)

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.remove()


def _gate():
    from tenon.autograd import Function

    class BackwardHookFunction(Function):
        @staticmethod
        def forward(ctx, *args):
            ctx.mark_non_differentiable(*[arg for arg in args if not arg.requires_grad])
            return tuple(arg.view_as(arg) for arg in args)

        @staticmethod
        def backward(ctx, *grads):
            return grads

    return BackwardHookFunction


class BackwardHook:
    """Calls hooks of a module with the gradients of its inputs and outputs: both pass through a node of the graph that does
    nothing else."""

    def __init__(self, module, user_hooks, user_pre_hooks):
        self.module, self.user_hooks, self.user_pre_hooks = module, user_hooks, user_pre_hooks
        self.grad_outputs, self.n_outputs, self.output_places = None, -1, None
        self.n_inputs, self.input_places = -1, None

    @staticmethod
    def _spread(places, values, count):
        whole = [None] * count
        for place, value in zip(places, values):
            whole[place] = value
        return tuple(whole)

    @staticmethod
    def _as_tuple(value):
        return value if isinstance(value, tuple) else (value,)

    def _through(self, args, attach):
        from tenon import _core
        places = [i for i, arg in enumerate(args) if isinstance(arg, _core.Tensor)]
        tensors = [args[i] for i in places]
        if not any(tensor.requires_grad for tensor in tensors):
            return args, None
        new = _gate().apply(*tensors)
        new = new if isinstance(new, tuple) else (new,)
        nodes = [tensor.grad_fn for tensor in new if tensor.grad_fn is not None]
        attach(nodes[0])
        whole = list(args)
        for place, value in zip(places, new):
            whole[place] = value
        return tuple(whole), places

    def setup_input_hook(self, args):
        def attach(node):
            def called(grad_input, _):
                if self.grad_outputs is None:
                    return None
                made = self._spread(self.input_places, grad_input, self.n_inputs)
                for hook in list(self.user_hooks):
                    answer = hook(self.module, made, self.grad_outputs)
                    if answer is not None:
                        made = self._as_tuple(answer)
                self.grad_outputs = None
                return tuple(made[i] for i in self.input_places)
            node.register_hook(called)

        result, self.input_places = self._through(args, attach)
        self.n_inputs = len(args)
        return result

    def setup_output_hook(self, args):
        def attach(node):
            def called(_, grad_output):
                self.grad_outputs = self._spread(self.output_places, grad_output, self.n_outputs)
                for hook in list(self.user_pre_hooks):
                    answer = hook(self.module, self.grad_outputs)
                    if answer is not None:
                        self.grad_outputs = self._as_tuple(answer)
                local = self.grad_outputs
                if self.input_places is None:  # no input requires a gradient, so this is the end
                    nothing = self._spread([], [], self.n_inputs)
                    for hook in list(self.user_hooks):
                        if hook(self.module, nothing, self.grad_outputs) is not None:
                            raise RuntimeError("a backward hook cannot exchange gradients of inputs where no input requires one")
                    self.grad_outputs = None
                return tuple(local[i] for i in self.output_places)

            def before(grad_output):
                return called(None, grad_output)
            node.register_prehook(before)

        single = not isinstance(args, tuple)
        self.n_outputs = 1 if single else len(args)
        result, self.output_places = self._through((args,) if single else args, attach)
        return result[0] if single else result
