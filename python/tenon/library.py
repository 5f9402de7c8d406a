"""Python functions as operators, after torch.library.

    >>> import tenon
    >>> @tenon.library.custom_op("mine::scale(tensor x, float factor=2.0) -> tensor")
    ... def scale(x, factor):
    ...     return x * factor
    >>> scale(tenon.ones(2)), tenon.ops.mine.scale(tenon.ones(2), factor=3.0)
    (tensor([2., 2.]), tensor([3., 3.]))
    >>> scale.unregister()

The operator belongs to the whole process: C calls it with ``tn_call("mine::scale", ...)``, from any thread. What the function
raises is raised by the call; in C it is an error with the class and the text of the exception.
"""

import inspect
import re
import types
import typing

from tenon import _core

__all__ = ["CustomOp", "Library", "custom_op", "define", "impl", "infer_schema", "register_fake", "register_kernel",
           "unregister"]

# ---- signatures ---------------------------------------------------------------------------------------------------------------

# PyTorch's spelling of types, and this library's.
_SPELLINGS = {
    "Tensor": "tensor", "Tensor?": "tensor?", "Tensor[]": "tensors", "int": "int", "SymInt": "int", "int[]": "dims",
    "SymInt[]": "dims", "float": "float", "float[]": "floats", "bool": "bool", "str": "text", "Scalar": "scalar",
    "ScalarType": "dtype", "ScalarType?": "dtype", "Device": "device", "Device?": "device", "MemoryFormat": "format",
    "MemoryFormat?": "format", "Generator": "generator", "Generator?": "generator", "Storage": "storage", "int?": "int",
    "Scalar?": "scalar",
}
_OPTIONAL = {"tensor?", "dtype", "generator"}
_RESULTS = {"Tensor": "tensor", "Tensor[]": "list", "()": "none", "int": "int", "SymInt": "int", "float": "float", "bool": "bool",
            "Scalar": "scalar"}
_OWN = {"tensor", "tensor?", "tensor!", "tensors", "storage", "dims", "floats", "index", "int", "float", "bool", "text", "scalar",
        "number", "dtype", "device", "format", "generator"}


def _translate_type(kind, whole):
    alias = re.fullmatch(r"Tensor\([a-z0-9_]+(!?)( -> [*a-z]+)?\)(\[\])?", kind)
    if alias:
        if alias[3]:
            raise ValueError(f"{whole!r}: a list of tensors cannot be changed by an operator here")
        return "tensor!" if alias[1] else "tensor"
    kind = re.sub(r"\[\d+\]$", "[]", kind)
    if kind in _OWN:
        return kind
    if kind not in _SPELLINGS:
        raise ValueError(f"{whole!r}: there is no parameter type {kind!r}; there are {', '.join(sorted(_OWN))}")
    return _SPELLINGS[kind]


def _translate_default(kind, text):
    if text == "None":
        return "default" if kind == "dtype" else "none"
    return {"True": "true", "False": "false"}.get(text, text.strip("'\""))


def _translate_result(text):
    text = re.sub(r"Tensor\([a-z0-9_]+!?\)", "Tensor", text)
    if text in _RESULTS:
        return _RESULTS[text]
    several = re.fullmatch(r"\((.*)\)", text)
    if several:
        names = []
        for i, part in enumerate(filter(None, (p.strip() for p in several[1].split(",")))):
            kind, _, name = part.partition(" ")
            if kind != "Tensor":
                raise ValueError(f"{text!r}: several results can only be tensors")
            names.append(name or f"result{i}")
        return f"list({', '.join(names)})"
    return text


def _signature(text):
    """A signature, in PyTorch's spelling or this library's, converted to this library's."""
    match = re.fullmatch(r"\s*\((.*)\)\s*->\s*(.*?)\s*", text, re.DOTALL)
    if not match:
        raise ValueError(f"{text!r} is not a signature: '(tensor x, float factor=2.0) -> tensor' is one")
    inside, result = match.groups()
    parts = []
    for part in re.split(r",(?![^(\[]*[)\]])", inside):
        part = part.strip()
        if not part or part == "*":
            continue
        before, equals, default = part.partition("=")
        kind, _, name = before.strip().rpartition(" ")
        kind = _translate_type(kind.strip(), text)
        parts.append(f"{kind} {name}" + (f"={_translate_default(kind, default.strip())}" if equals else ""))
    return f"({', '.join(parts)}) -> {_translate_result(result)}"


# What annotations mean.
def _annotated(annotation, name, whole):
    tensor, optional = _core.Tensor, False
    if annotation is inspect.Parameter.empty:
        raise ValueError(f"{whole}: parameter {name!r} has no annotation; annotate it, or write the signature out")
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        rest = [a for a in arguments if a is not type(None)]
        optional = len(rest) < len(arguments)
        if set(rest) <= {bool, int, float, complex} and len(rest) > 1:
            return "scalar"
        if len(rest) != 1:
            raise ValueError(f"{whole}: there is no parameter type for {annotation} ({name})")
        annotation = rest[0]
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (list, tuple) or (origin and getattr(origin, "__name__", "") == "Sequence"):
        items = [a for a in arguments if a is not Ellipsis]
        if len(set(items)) == 1 and not optional and items[0] in (tensor, int, float):
            return {tensor: "tensors", int: "dims", float: "floats"}[items[0]]
    plain = {tensor: "tensor", int: "int", float: "float", bool: "bool", str: "text", complex: "scalar", _core.dtype: "dtype",
             _core.device: "device", _core.memory_format: "format", _core.Generator: "generator",
             _core.UntypedStorage: "storage"}.get(annotation)
    if plain == "tensor" and optional:
        return "tensor?"
    if plain is None or (optional and plain not in _OPTIONAL | {"int", "scalar"}):
        raise ValueError(f"{whole}: there is no parameter type for {annotation}{' or None' * optional} ({name})")
    return plain


def _annotated_result(annotation, whole):
    if annotation is None or annotation is type(None):
        return "none"
    plain = {_core.Tensor: "tensor", int: "int", float: "float", bool: "bool", complex: "scalar"}
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is tuple and arguments and Ellipsis not in arguments and set(arguments) == {_core.Tensor}:
        return f"list({', '.join(f'result{i}' for i in range(len(arguments)))})"
    if origin in (list, tuple) and set(arguments) - {Ellipsis} == {_core.Tensor}:
        return "list"
    if annotation not in plain:
        raise ValueError(f"{whole}: there is no result type for {annotation}; annotate what the function returns, "
                         "or write the signature out")
    return plain[annotation]


def _default_text(kind, value, whole, name):
    if value is None:
        return "default" if kind == "dtype" else "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str) and re.fullmatch(r"[\w.+-]+", value):
        return value
    if isinstance(value, _core.dtype):
        return repr(value).removeprefix("torch.")
    if isinstance(value, _core.device):
        return str(value)
    if isinstance(value, (tuple, list)) and not value:
        return "none"
    raise ValueError(f"{whole}: {value!r} cannot be the default of {name!r}: a number, a word, a dtype, a device or None can")


def infer_schema(prototype_function, /, *, mutates_args=(), op_name=None):
    """The signature that the annotations of a function give, in this library's spelling."""
    whole = op_name or getattr(prototype_function, "__qualname__", repr(prototype_function))
    signature = inspect.signature(prototype_function, eval_str=True)
    if mutates_args == "unknown":
        mutates_args = [n for n, p in signature.parameters.items() if p.annotation is _core.Tensor]
    unknown = set(mutates_args) - set(signature.parameters)
    if unknown:
        raise ValueError(f"{whole}: mutates_args names {', '.join(sorted(unknown))}, but there is no such parameter")
    parts = []
    for name, parameter in signature.parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise ValueError(f"{whole}: *{name} cannot be part of a signature")
        kind = _annotated(parameter.annotation, name, whole)
        if name in mutates_args:
            if kind != "tensor":
                raise ValueError(f"{whole}: {name} is a {kind}; only a tensor can be changed")
            kind = "tensor!"
        default = parameter.default
        text = "" if default is parameter.empty else "=" + _default_text(kind, default, whole, name)
        parts.append(f"{kind} {name}{text}")
    return f"({', '.join(parts)}) -> {_annotated_result(signature.return_annotation, whole)}"


def _positional(function):
    """The function with its keyword-only parameters as positions, in the order of the signature."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return function
    names = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    if not names:
        return function

    def call(*args):
        return function(*args[:-len(names)], **dict(zip(names, args[-len(names):])))

    return call


# ---- registration -------------------------------------------------------------------------------------------------------------


def _split(name):
    """'mine::scale(...) -> tensor' as its name and its signature, which may be missing."""
    match = re.fullmatch(r"\s*([\w:.]+)\s*(\(.*)?", name, re.DOTALL)
    if not match or "::" not in match[1]:
        raise ValueError(f"{name!r} is not the name of an operator: 'mine::scale' is one, with a namespace")
    return match[1], match[2]


def _key(device):
    """The number of a backend; None and 'default' are every backend that has no kernel of its own."""
    if device is None or str(device).lower() in ("default", "any", "compositeexplicitautograd", "compositeimplicitautograd"):
        return _core._key_any
    device = _core.device(str(device).lower()) if not isinstance(device, _core.device) else device
    if device.type != "cpu":
        raise ValueError(f"kernels in Python can be registered for 'cpu' and for 'default', not for {device.type!r}")
    return 0


def _keys(devices):
    return [_key(d) for d in ([devices] if devices is None or isinstance(devices, (str, _core.device)) else devices)]


def define(name, schema=None, *, lib=None, doc=None):
    """Registers an operator without a kernel: define("mine::scale", "(tensor x, float factor) -> tensor").

    The signature may also be in PyTorch's spelling, "(Tensor x, float factor) -> Tensor".
    """
    name, inside = _split(name)
    _core._library_define(name, _signature(schema or inside or ""), doc or "")
    if lib is not None:
        lib._names.append(name)


def impl(name, types="default", func=None, *, lib=None):
    """Registers a function as the kernel of an operator, for a device or for those that have none: a decorator, too."""
    name = getattr(name, "name", name)

    def register(function):
        for key in _keys(types):
            _core._library_kernel(name, key, _positional(function))
            if lib is not None:
                lib._kernels.append((name, key))
        return function

    return register if func is None else register(func)


def register_kernel(op, device_types, func=None, /, *, lib=None):
    """Torch's other name for impl."""
    return impl(op, device_types, func, lib=lib)


def register_fake(op, func=None, /, *, lib=None):
    """Does nothing: nothing here computes shapes without elements. Programs for PyTorch call it."""
    return (lambda function: function) if func is None else func


def unregister(name):
    """Unregisters an operator, whoever registered it: calls under way end as they began."""
    name = getattr(name, "name", name)
    _core._library_undefine(name)
    _defined.pop(name, None)


class CustomOp:
    """An operator that is a Python function; calling it goes through the dispatcher."""

    def __init__(self, name, signature, function, devices):
        self.name, self.schema = name, name + signature
        keys = _keys(devices)
        if name in _defined:
            unregister(name)
        _core._library_define(name, signature, inspect.getdoc(function) or "")
        _defined[name] = self
        self._operator = _core._library_operator(name, True)
        self.__name__ = self.__qualname__ = getattr(function, "__name__", name)
        self.__doc__ = self._operator.__doc__
        self.__wrapped__ = function
        for key in keys:
            _core._library_kernel(name, key, _positional(function))

    def __call__(self, /, *args, **kwargs):
        return self._operator(*args, **kwargs)

    def __repr__(self):
        return f"<operator {self.schema}>"

    def register_kernel(self, device_types, fn=None, /):
        """A kernel of its own for a device: a decorator, too."""
        return impl(self.name, device_types, fn)

    def register_fake(self, fn, /):
        """Does nothing: nothing here computes shapes without elements. Programs for PyTorch call it."""
        return fn

    def register_autograd(self, backward, /, *, setup_context=None):
        """Refused: gradients are not supported yet."""
        raise NotImplementedError("gradients are not supported yet: an operator cannot have a derivative")

    def unregister(self):
        """Unregisters the operator."""
        unregister(self.name)


_defined: dict[str, CustomOp] = {}


def custom_op(name, fn=None, /, *, mutates_args=(), device_types=None, schema=None):
    """Makes a function an operator: a decorator, or a call with the function.

    The name has a namespace and may be followed by the signature; without one, the annotations of the function give it. A parameter
    that the function writes to is a tensor! in the signature, or named in mutates_args. Defining an operator again that Python has
    defined replaces it.
    """
    name, inside = _split(name)

    def register(function):
        text = schema or inside
        return CustomOp(name, _signature(text) if text else infer_schema(function, mutates_args=mutates_args, op_name=name), function,
                        device_types)

    return register if fn is None else register(fn)


class Library:
    """Operators that belong together: Library("mine", "DEF") has define and impl, and unregisters everything when it is closed."""

    def __init__(self, ns, kind="DEF", dispatch_key=""):
        if kind not in ("DEF", "FRAGMENT", "IMPL"):
            raise ValueError(f"a library is a 'DEF', a 'FRAGMENT' or an 'IMPL', not {kind!r}")
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key
        self._names, self._kernels = [], []

    def define(self, schema, alias_analysis=""):
        """Registers an operator of the namespace: define("scale(tensor x, float factor) -> tensor")."""
        name, inside = _split(f"{self.ns}::{schema}")
        define(name, inside, lib=self)
        return name

    def impl(self, op_name, fn, dispatch_key=""):
        """Registers a function as the kernel of an operator of the namespace."""
        name = getattr(op_name, "name", op_name)
        impl(name if "::" in name else f"{self.ns}::{name}", dispatch_key or self.dispatch_key or "default", fn, lib=self)

    def close(self):
        """Unregisters what was registered."""
        kernels, names = self._kernels, self._names
        self._kernels, self._names = [], []
        for name, key in kernels:
            if name not in names:
                _core._library_unkernel(name, key)
        for name in names:
            unregister(name)

    _destroy = close

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.close()
