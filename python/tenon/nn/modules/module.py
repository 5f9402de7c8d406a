"""Module: the base class of networks. It keeps parameters, buffers and other modules that are assigned to its attributes.

The names of its own attributes (_parameters, _modules, the dictionaries of hooks) are torch's, because programs reach for them.
"""

import functools
import itertools
import warnings
import weakref
from collections import OrderedDict, namedtuple

from tenon import _core
from tenon.nn.parameter import Buffer, Parameter, is_lazy
from tenon.utils.hooks import BackwardHook, RemovableHandle

__all__ = ["Module", "register_module_backward_hook", "register_module_forward_hook", "register_module_forward_pre_hook",
           "register_module_full_backward_hook", "register_module_full_backward_pre_hook"]

Tensor = _core.Tensor


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    __slots__ = ()

    def __repr__(self):
        return super().__repr__() if self.missing_keys or self.unexpected_keys else "<All keys matched successfully>"

    __str__ = __repr__


# Hooks of all modules.
_global_forward_hooks = OrderedDict()
_global_forward_hooks_with_kwargs = OrderedDict()
_global_forward_hooks_always_called = OrderedDict()
_global_forward_pre_hooks = OrderedDict()
_global_backward_hooks = OrderedDict()
_global_backward_pre_hooks = OrderedDict()
_global_registration_hooks = {"parameter": OrderedDict(), "buffer": OrderedDict(), "module": OrderedDict()}
_EXTRA = "_extra_state"


def _register(hooks, hook, prepend=False, *others):
    """others: pairs of a dictionary and what to put there for the hook."""
    handle = RemovableHandle(hooks, extra_dict=[other for other, value in others])
    hooks[handle.id] = hook
    for other, value in others:
        if value:
            other[handle.id] = True
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def register_module_forward_pre_hook(hook):
    """A hook(module, input) before the forward of every module."""
    return _register(_global_forward_pre_hooks, hook)


def register_module_forward_hook(hook, *, with_kwargs=False, always_call=False):
    """A hook(module, input, output) after the forward of every module."""
    return _register(_global_forward_hooks, hook, False, (_global_forward_hooks_with_kwargs, with_kwargs),
                     (_global_forward_hooks_always_called, always_call))


def register_module_full_backward_hook(hook):
    """A hook(module, grad_input, grad_output) of every module."""
    return _register(_global_backward_hooks, hook)


register_module_backward_hook = register_module_full_backward_hook


def register_module_full_backward_pre_hook(hook):
    """A hook(module, grad_output) of every module."""
    return _register(_global_backward_pre_hooks, hook)


def register_module_parameter_registration_hook(hook):
    """A hook(module, name, parameter) when a module gets a parameter."""
    return _register(_global_registration_hooks["parameter"], hook)


def register_module_buffer_registration_hook(hook):
    """A hook(module, name, buffer) when a module gets a buffer."""
    return _register(_global_registration_hooks["buffer"], hook)


def register_module_module_registration_hook(hook):
    """A hook(module, name, submodule) when a module gets a module."""
    return _register(_global_registration_hooks["module"], hook)


def _told(kind, module, name, value):
    for hook in list(_global_registration_hooks[kind].values()):
        answer = hook(module, name, value)
        value = value if answer is None else answer
    return value


def _indented(text, spaces):
    first, *rest = text.split("\n")
    return "\n".join([first] + [" " * spaces + line for line in rest])


class _WrappedHook:
    """A hook that also wants its module, which it does not keep alive."""

    def __init__(self, hook, module=None):
        self.hook = hook
        functools.update_wrapper(self, hook)
        self.with_module = module is not None
        if self.with_module:
            self.module = weakref.ref(module)

    def __call__(self, *args, **kwargs):
        if not self.with_module:
            return self.hook(*args, **kwargs)
        module = self.module()
        if module is None:
            raise RuntimeError("the module of this hook is gone")
        return self.hook(module, *args, **kwargs)

    def __getstate__(self):
        return {"hook": self.hook, "with_module": self.with_module, "module": self.module() if self.with_module else None}

    def __setstate__(self, state):
        self.hook, self.with_module = state["hook"], state["with_module"]
        if self.with_module:
            self.module = weakref.ref(state["module"])


_OWN = {
    "_parameters": dict, "_buffers": dict, "_non_persistent_buffers_set": set, "_backward_pre_hooks": OrderedDict,
    "_backward_hooks": OrderedDict, "_forward_hooks": OrderedDict, "_forward_hooks_with_kwargs": OrderedDict,
    "_forward_hooks_always_called": OrderedDict, "_forward_pre_hooks": OrderedDict, "_forward_pre_hooks_with_kwargs": OrderedDict,
    "_state_dict_hooks": OrderedDict, "_state_dict_pre_hooks": OrderedDict, "_load_state_dict_pre_hooks": OrderedDict,
    "_load_state_dict_post_hooks": OrderedDict, "_modules": dict,
}


class Module:
    """The base class of all networks: define __init__, which calls super().__init__() first, and forward."""

    dump_patches = False
    _version = 1
    training: bool
    call_super_init = False
    _compiled_call_impl = None

    def __init__(self, *args, **kwargs):
        if not self.call_super_init and (args or kwargs):
            given = next(iter(kwargs)) if kwargs else f"{len(args)} positional"
            raise TypeError(f"{type(self).__name__}.__init__() passes arguments to Module that it does not take: {given}")
        own = self.__dict__
        own["training"] = True
        for name, kind in _OWN.items():
            own[name] = kind()
        own["_is_full_backward_hook"] = None
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    def forward(self, *input):
        raise NotImplementedError(f"Module [{type(self).__name__}] has no function \"forward\"")

    # ---- what belongs to it

    def _check_name(self, kind, name):
        if "_parameters" not in self.__dict__:
            raise AttributeError(f"a {kind} can be registered only after Module.__init__() was called")
        if not isinstance(name, str):
            raise TypeError(f"the name of a {kind} is a text, not {type(name).__name__}")
        if "." in name:
            raise KeyError(f"the name of a {kind} cannot contain \".\": {name!r}")
        if name == "":
            raise KeyError(f"the name of a {kind} cannot be empty")

    def register_buffer(self, name, tensor, persistent=True):
        """Keeps a tensor that is not a parameter. persistent: it is part of the state_dict."""
        self._check_name("buffer", name)
        if hasattr(self, name) and name not in self._buffers:
            raise KeyError(f"attribute {name!r} exists already")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"buffer {name!r} must be a tensor or None, not {type(tensor).__name__}")
        tensor = _told("buffer", self, name, tensor)
        self._buffers[name] = tensor
        (self._non_persistent_buffers_set.discard if persistent else self._non_persistent_buffers_set.add)(name)

    def register_parameter(self, name, param):
        """Keeps a parameter under a name."""
        self._check_name("parameter", name)
        if hasattr(self, name) and name not in self._parameters:
            raise KeyError(f"attribute {name!r} exists already")
        if param is not None:
            if not isinstance(param, Parameter):
                raise TypeError(f"parameter {name!r} must be an nn.Parameter or None, not {type(param).__name__}")
            if param.grad_fn is not None:
                raise ValueError(f"parameter {name!r} was computed from others, so it cannot be trained: compute it in forward")
            param = _told("parameter", self, name, param)
        self._parameters[name] = param

    def add_module(self, name, module):
        """Keeps a module under a name."""
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{module!r} is not a Module")
        if not isinstance(name, str):
            raise TypeError(f"the name of a module is a text, not {type(name).__name__}")
        if hasattr(self, name) and name not in self._modules:
            raise KeyError(f"attribute {name!r} exists already")
        self._check_name("module", name)
        self._modules[name] = _told("module", self, name, module)

    def register_module(self, name, module):
        """add_module."""
        self.add_module(name, module)

    def get_submodule(self, target):
        """The module at a dotted path; "" is this one."""
        found = self
        for part in target.split(".") if target else ():
            if not hasattr(found, part):
                raise AttributeError(f"{type(found).__name__} has no attribute {part!r}")
            found = getattr(found, part)
            if not isinstance(found, Module):
                raise AttributeError(f"{part!r} is not a module")
        return found

    def set_submodule(self, target, module, strict=False):
        """Puts a module at a dotted path. strict: only where one is."""
        if not target:
            raise ValueError("set_submodule: there is no path")
        if not isinstance(module, Module):
            raise ValueError(f"{module!r} is not a Module")
        *path, name = target.split(".")
        parent = self.get_submodule(".".join(path))
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{type(parent).__name__} has no attribute {name!r}")
        if hasattr(parent, name) and not isinstance(getattr(parent, name), Module):
            raise AttributeError(f"{name!r} is not a module")
        setattr(parent, name, module)

    def _at(self, target, held, kind):
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{type(module).__name__} has no attribute {name!r}")
        if name not in getattr(module, held):
            raise AttributeError(f"{name!r} is not a {kind}")
        return getattr(module, held)[name]

    def get_parameter(self, target):
        """The parameter at a dotted path."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{type(module).__name__} has no attribute {name!r}")
        found = getattr(module, name)
        if not isinstance(found, Parameter):
            raise AttributeError(f"{name!r} is not a parameter")
        return found

    def get_buffer(self, target):
        """The buffer at a dotted path."""
        return self._at(target, "_buffers", "buffer")

    def get_extra_state(self):
        """What else belongs to the state_dict; override it together with set_extra_state."""
        raise RuntimeError(f"{type(self).__name__} has no get_extra_state")

    def set_extra_state(self, state):
        """The counterpart of get_extra_state."""
        raise RuntimeError(f"{type(self).__name__} has no set_extra_state, but the state_dict has an extra state")

    # ---- changing all of it

    def _apply(self, fn, recurse=True):
        if recurse:
            for module in self.children():
                module._apply(fn)
        for name, param in self._parameters.items():
            if param is None:
                continue
            with _core_no_grad():
                made = fn(param)
                if is_lazy(param):
                    continue
                if made.device == param.device:
                    if made is not param:
                        param.data = made
                    kept = param
                else:
                    kept = Parameter(made, param.requires_grad)
                    self._parameters[name] = kept
                grad = param.grad
                if grad is not None:
                    moved = fn(grad)
                    kept.grad = None
                    kept.grad = moved.requires_grad_(grad.requires_grad)
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def apply(self, fn):
        """Calls fn with every module inside, and with this one last."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def _to_device(self, kind, device=None):
        raise RuntimeError(f"there is no {kind} device here: modules stay on the CPU")

    def cuda(self, device=None):
        """An error: there is only the CPU here."""
        return self._to_device("cuda")

    def ipu(self, device=None):
        """An error: there is only the CPU here."""
        return self._to_device("ipu")

    def xpu(self, device=None):
        """An error: there is only the CPU here."""
        return self._to_device("xpu")

    def mtia(self, device=None):
        """An error: there is only the CPU here."""
        return self._to_device("mtia")

    def cpu(self):
        """Everything on the CPU, where it is."""
        return self._apply(lambda t: t.cpu())

    def type(self, dst_type):
        """Everything in a dtype."""
        return self._apply(lambda t: t.type(dst_type))

    def _floats(self, dtype):
        return self._apply(lambda t: t.to(dtype) if t.is_floating_point() else t)

    def float(self):
        """All floating-point parameters and buffers become float32."""
        return self._floats(_core.float32)

    def double(self):
        """All floating-point parameters and buffers become float64."""
        return self._floats(_core.float64)

    def half(self):
        """All floating-point parameters and buffers become float16."""
        return self._floats(_core.float16)

    def bfloat16(self):
        """All floating-point parameters and buffers become bfloat16."""
        return self._floats(_core.bfloat16)

    def to_empty(self, *, device, recurse=True):
        """Everything on a device, without its values."""
        return self._apply(lambda t: _core.empty_like(t, device=device), recurse=recurse)

    def to(self, *args, **kwargs):
        """Changes device, dtype or memory format of all parameters and buffers, in place; the dtype only of floating-point ones."""
        device, dtype, non_blocking, memory_format = _read_to(*args, **kwargs)
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(f"to(): parameters are floating-point or complex, so dtype cannot be {dtype}")

        def convert(t):
            wanted = dtype if dtype is not None and (t.is_floating_point() or t.is_complex()) else None
            given = {}
            if device is not None:
                given["device"] = device
            if wanted is not None:
                given["dtype"] = wanted
            if memory_format is not None and t.dim() in (4, 5):
                given["memory_format"] = memory_format
            if not given:
                return t
            return t.to(**given)

        return self._apply(convert)

    # ---- hooks

    def register_full_backward_pre_hook(self, hook, prepend=False):
        """A hook(module, grad_output) before the gradients of the module are computed."""
        return _register(self._backward_pre_hooks, hook, prepend)

    def register_full_backward_hook(self, hook, prepend=False):
        """A hook(module, grad_input, grad_output) when the gradients of the module's inputs are known."""
        if self._is_full_backward_hook is False:
            raise RuntimeError("a module has hooks of register_backward_hook or of register_full_backward_hook, not both")
        self._is_full_backward_hook = True
        return _register(self._backward_hooks, hook, prepend)

    def register_backward_hook(self, hook):
        """The old name of register_full_backward_hook; here they are the same."""
        if self._is_full_backward_hook is True:
            raise RuntimeError("a module has hooks of register_backward_hook or of register_full_backward_hook, not both")
        self._is_full_backward_hook = False
        return _register(self._backward_hooks, hook)

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        """A hook(module, args) before forward; what it returns takes the place of the arguments."""
        return _register(self._forward_pre_hooks, hook, prepend, (self._forward_pre_hooks_with_kwargs, with_kwargs))

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        """A hook(module, args, output) after forward; what it returns takes the place of the output."""
        return _register(self._forward_hooks, hook, prepend, (self._forward_hooks_with_kwargs, with_kwargs),
                         (self._forward_hooks_always_called, always_call))

    def register_state_dict_pre_hook(self, hook):
        """A hook(module, prefix, keep_vars) before state_dict."""
        return _register(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook):
        """A hook(module, state_dict, prefix, local_metadata) after state_dict."""
        hook._from_public_api = True
        return _register(self._state_dict_hooks, hook)

    def _register_state_dict_hook(self, hook):
        return _register(self._state_dict_hooks, hook)

    def _register_load_state_dict_pre_hook(self, hook, with_module=False):
        return _register(self._load_state_dict_pre_hooks, _WrappedHook(hook, self if with_module else None))

    def register_load_state_dict_pre_hook(self, hook):
        """A hook(module, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)."""
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def register_load_state_dict_post_hook(self, hook):
        """A hook(module, incompatible_keys), which it may change."""
        return _register(self._load_state_dict_post_hooks, hook)

    # ---- the call

    def _call_impl(self, *args, **kwargs):
        own = self.__dict__
        if not (own["_forward_hooks"] or own["_forward_pre_hooks"] or own["_backward_hooks"] or own["_backward_pre_hooks"]
                or _global_forward_hooks or _global_forward_pre_hooks or _global_backward_hooks or _global_backward_pre_hooks):
            return self.forward(*args, **kwargs)
        return self._call_with_hooks(args, kwargs)

    __call__ = _call_impl
    _wrapped_call_impl = _call_impl

    def _call_with_hooks(self, args, kwargs):
        called = set()
        try:
            return self._call_hooks(args, kwargs, called)
        except Exception:
            for number, hook in [*_global_forward_hooks.items(), *self._forward_hooks.items()]:
                if number in called or not (number in self._forward_hooks_always_called or number in _global_forward_hooks_always_called):
                    continue
                try:
                    if number in self._forward_hooks_with_kwargs or number in _global_forward_hooks_with_kwargs:
                        hook(self, args, kwargs, None)
                    else:
                        hook(self, args, None)
                except Exception as error:
                    warnings.warn(f"a forward hook with always_call=True raised {error!r}, and so had forward before", stacklevel=2)
            raise

    def _call_hooks(self, args, kwargs, called):
        for number, hook in [*_global_forward_pre_hooks.items(), *self._forward_pre_hooks.items()]:
            if number in self._forward_pre_hooks_with_kwargs:
                answer = hook(self, args, kwargs)
                if answer is not None:
                    if not isinstance(answer, tuple) or len(answer) != 2:
                        raise RuntimeError(f"a forward pre-hook with kwargs returns None or (args, kwargs), not {answer!r}")
                    args, kwargs = answer
            else:
                answer = hook(self, args)
                if answer is not None:
                    args = answer if isinstance(answer, tuple) else (answer,)
        backward = None
        if self._backward_hooks or self._backward_pre_hooks or _global_backward_hooks or _global_backward_pre_hooks:
            backward = BackwardHook(self, [*_global_backward_hooks.values(), *self._backward_hooks.values()],
                                    [*_global_backward_pre_hooks.values(), *self._backward_pre_hooks.values()])
            args = backward.setup_input_hook(args)
        result = self.forward(*args, **kwargs)
        for number, hook in [*_global_forward_hooks.items(), *self._forward_hooks.items()]:
            called.add(number)
            if number in self._forward_hooks_with_kwargs or number in _global_forward_hooks_with_kwargs:
                answer = hook(self, args, kwargs, result)
            else:
                answer = hook(self, args, result)
            if answer is not None:
                result = answer
        if backward is not None:
            result = backward.setup_output_hook(result) if isinstance(result, (Tensor, tuple)) else result
        return result

    def compile(self, *args, **kwargs):
        """Nothing: there is no compiler here (see tenon.compile)."""
        import tenon
        tenon.compile(self, *args, **kwargs)

    # ---- attributes

    def __setstate__(self, state):
        self.__dict__.update(state)
        for name, kind in _OWN.items():
            if name not in self.__dict__:
                self.__dict__[name] = kind()
        self.__dict__.setdefault("_is_full_backward_hook", None)

    def __getattr__(self, name):
        own = self.__dict__
        for held in ("_parameters", "_buffers", "_modules"):
            if held in own and name in own[held]:
                return own[held][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name, value):
        own = self.__dict__
        params = own.get("_parameters")
        if isinstance(value, Parameter):
            if params is None:
                raise AttributeError("parameters can be assigned only after Module.__init__() was called")
            for held in (own, own["_buffers"], own["_modules"]):
                held.pop(name, None)
            own["_non_persistent_buffers_set"].discard(name)
            self.register_parameter(name, value)
            return
        if params is not None and name in params:
            if value is not None:
                raise TypeError(f"{name!r} is a parameter: it can be an nn.Parameter or None, not {type(value).__name__}")
            self.register_parameter(name, value)
            return
        modules = own.get("_modules")
        if isinstance(value, Module):
            if modules is None:
                raise AttributeError("modules can be assigned only after Module.__init__() was called")
            for held in (own, own["_parameters"], own["_buffers"]):
                held.pop(name, None)
            own["_non_persistent_buffers_set"].discard(name)
            modules[name] = _told("module", self, name, value)
            return
        if modules is not None and name in modules:
            if value is not None:
                raise TypeError(f"{name!r} is a module: it can be a Module or None, not {type(value).__name__}")
            modules[name] = _told("module", self, name, value)
            return
        buffers = own.get("_buffers")
        is_buffer = isinstance(value, Buffer)
        if is_buffer and buffers is None:
            raise AttributeError("buffers can be assigned only after Module.__init__() was called")
        if is_buffer or (buffers is not None and name in buffers):
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(f"{name!r} is a buffer: it can be a tensor or None, not {type(value).__name__}")
            if is_buffer:
                for held in (own, own["_parameters"], own["_modules"]):
                    held.pop(name, None)
                (own["_non_persistent_buffers_set"].discard if value.persistent else own["_non_persistent_buffers_set"].add)(name)
            value = _told("buffer", self, name, value)
            buffers[name] = value
            return
        object.__setattr__(self, name, value)

    def __delattr__(self, name):
        for held in ("_parameters", "_buffers", "_modules"):
            if name in self.__dict__.get(held, ()):
                del self.__dict__[held][name]
                self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self):
        names = [*dir(type(self)), *self.__dict__, *self._parameters, *self._modules, *self._buffers]
        return sorted({name for name in names if not name[0].isdigit()})

    # ---- the state

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        for name, param in self._parameters.items():
            if param is not None:
                destination[prefix + name] = param if keep_vars else param.detach()
        for name, buffer in self._buffers.items():
            if buffer is not None and name not in self._non_persistent_buffers_set:
                destination[prefix + name] = buffer if keep_vars else buffer.detach()
        if type(self).get_extra_state is not Module.get_extra_state:
            destination[prefix + _EXTRA] = self.get_extra_state()

    def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
        """All parameters and persistent buffers by their dotted names: the tensors themselves, without their history."""
        if args:
            warnings.warn("state_dict(): give destination, prefix and keep_vars by name", FutureWarning, stacklevel=2)
            destination = args[0] if destination is None else destination
            prefix = args[1] if len(args) > 1 and prefix == "" else prefix
            keep_vars = args[2] if len(args) > 2 and keep_vars is False else keep_vars
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=destination, prefix=prefix + name + ".", keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            answer = hook(self, destination, prefix, metadata)
            if getattr(hook, "_from_public_api", False):
                if answer is not None:
                    raise RuntimeError("a hook of register_state_dict_post_hook returns None")
            elif answer is not None:
                destination = answer
        return destination

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        for hook in self._load_state_dict_pre_hooks.values():
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        buffers = {name: value for name, value in self._buffers.items() if name not in self._non_persistent_buffers_set}
        local = {name: value for name, value in itertools.chain(self._parameters.items(), buffers.items()) if value is not None}
        assign = local_metadata.get("assign_to_params_buffers", False)
        for name, param in local.items():
            key = prefix + name
            if key not in state_dict:
                if strict:
                    missing_keys.append(key)
                continue
            given = state_dict[key]
            if not isinstance(given, Tensor):
                error_msgs.append(f'"{key}" is a tensor here, and {type(given).__name__} in the state_dict')
                continue
            lazy = is_lazy(param)
            if not lazy and param.dim() == 0 and given.dim() == 1 and given.numel() == 1:
                given = given[0]  # as very old files have it
            if not lazy and tuple(given.shape) != tuple(param.shape):
                error_msgs.append(f'size mismatch for {key}: it has {tuple(param.shape)} here and {tuple(given.shape)} in the state_dict')
                continue
            if given.device.type == "meta" and param.device.type != "meta" and not assign:
                warnings.warn(f"{key} has no elements in the state_dict (device meta), so it stays as it is: use assign=True", stacklevel=2)
            try:
                with _core_no_grad():
                    if assign:
                        if isinstance(param, Parameter):
                            if not isinstance(given, Parameter):
                                given = Parameter(given, requires_grad=param.requires_grad)
                            else:
                                given.requires_grad_(param.requires_grad)
                        setattr(self, name, given)
                    else:
                        param.copy_(given)
            except Exception as error:
                error_msgs.append(f'"{key}" {tuple(given.shape)} could not be copied: {error}')
        extra = prefix + _EXTRA
        if type(self).set_extra_state is not Module.set_extra_state:
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if strict:
            for key in state_dict:
                if key.startswith(prefix) and key != extra:
                    first, *rest = key[len(prefix):].split(".", 1)
                    if rest:
                        if first not in self._modules:
                            unexpected_keys.append(key)
                    elif first not in local:
                        unexpected_keys.append(key)

    def load_state_dict(self, state_dict, strict=True, assign=False):
        """Copies what state_dict gave into this module; assign: takes its tensors instead. strict: the names must be the same.
        Returns the names that were missing and unexpected."""
        from collections.abc import Mapping
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"load_state_dict takes a dictionary, not {type(state_dict).__name__}")
        missing, unexpected, errors = [], [], []
        metadata = getattr(state_dict, "_metadata", None)
        state_dict = OrderedDict(state_dict)
        if metadata is not None:
            state_dict._metadata = metadata

        def load(module, local_state, prefix=""):
            local = {} if metadata is None else metadata.get(prefix[:-1], {})
            if assign:
                local = {**local, "assign_to_params_buffers": True}
            module._load_from_state_dict(local_state, prefix, local, True, missing, unexpected, errors)
            for name, child in module._modules.items():
                if child is not None:
                    inner = prefix + name + "."
                    load(child, {k: v for k, v in local_state.items() if k.startswith(inner)}, inner)
            incompatible = _IncompatibleKeys(missing, unexpected)
            for hook in module._load_state_dict_post_hooks.values():
                if hook(module, incompatible) is not None:
                    raise RuntimeError("a hook of register_load_state_dict_post_hook changes the keys in place and returns None")

        load(self, state_dict)
        if strict:
            if unexpected:
                errors.insert(0, "Unexpected key(s) in state_dict: " + ", ".join(f'"{key}"' for key in unexpected))
            if missing:
                errors.insert(0, "Missing key(s) in state_dict: " + ", ".join(f'"{key}"' for key in missing))
        if errors:
            raise RuntimeError(f"the state_dict does not fit {type(self).__name__}:\n\t" + "\n\t".join(errors))
        return _IncompatibleKeys(missing, unexpected)

    # ---- walking through it

    def _named_members(self, members, prefix="", recurse=True, remove_duplicate=True):
        seen = set()
        modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, value in members(module):
                if value is None or id(value) in seen:
                    continue
                if remove_duplicate:
                    seen.add(id(value))
                yield path + ("." if path else "") + name, value

    def parameters(self, recurse=True):
        """All parameters, each once."""
        for _, param in self.named_parameters(recurse=recurse):
            yield param

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        """All parameters with their dotted names."""
        yield from self._named_members(lambda module: module._parameters.items(), prefix, recurse, remove_duplicate)

    def buffers(self, recurse=True):
        """All buffers, each once."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        """All buffers with their dotted names."""
        yield from self._named_members(lambda module: module._buffers.items(), prefix, recurse, remove_duplicate)

    def children(self):
        """The modules directly inside."""
        for _, module in self.named_children():
            yield module

    def named_children(self):
        """The modules directly inside with their names."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def modules(self, remove_duplicate=True):
        """This module and all inside."""
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        """This module and all inside with their dotted names."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, prefix + ("." if prefix else "") + name, remove_duplicate)

    def train(self, mode=True):
        """Training mode on or off for everything inside: Dropout and norms look at it."""
        if not isinstance(mode, bool):
            raise ValueError(f"train() takes True or False, not {mode!r}")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self):
        """train(False)."""
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        """Whether the parameters require gradients."""
        for param in self.parameters():
            param.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        """Forgets the gradients of all parameters, or writes 0 to them."""
        for param in self.parameters():
            if set_to_none:
                param.grad = None
            elif param.grad is not None:
                param.grad.detach().zero_()

    def share_memory(self):
        """share_memory_ of all parameters and buffers."""
        return self._apply(lambda t: t.share_memory_())

    def _get_name(self):
        return type(self).__name__

    def extra_repr(self):
        """What repr tells between the parentheses."""
        return ""

    def __repr__(self):
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        inner = [f"({name}): {_indented(repr(module), 2)}" for name, module in self._modules.items()]
        if len(lines) == 1 and not inner:
            return f"{self._get_name()}({lines[0]})"
        if not lines and not inner:
            return self._get_name() + "()"
        return self._get_name() + "(\n  " + "\n  ".join(lines + inner) + "\n)"

    def _replicate_for_data_parallel(self):
        made = self.__new__(type(self))
        made.__dict__ = self.__dict__.copy()
        for name in ("_parameters", "_buffers", "_modules"):
            made.__dict__[name] = self.__dict__[name].copy()
        return made


class _core_no_grad:
    """no_grad, without its decorations."""

    __slots__ = ("before",)

    def __enter__(self):
        self.before = _core._set_grad_mode(0)

    def __exit__(self, *ignored):
        _core._set_grad_mode(self.before)


def _read_to(*args, device=None, dtype=None, non_blocking=False, copy=False, memory_format=None, tensor=None):
    """The arguments of Module.to."""
    for arg in args[:2]:
        if isinstance(arg, Tensor):
            device, dtype = arg.device, arg.dtype
        elif isinstance(arg, _core.dtype):
            dtype = arg
        elif isinstance(arg, bool):
            non_blocking = arg
        elif arg is not None:
            device = _core.device(arg)
    if tensor is not None:
        device, dtype = tensor.device, tensor.dtype
    return _core.device(device) if device is not None else None, dtype, non_blocking, memory_format
