"""Writes the type stubs of tenon._core to standard output, from the operator table and the module itself.

    PYTHONPATH=build/python python3 python/tools/stubs.py > _core.pyi

An operator with several forms becomes a function with overloads, as in the table; named results become named tuples; what is
written by hand in C gets the signature of its docstring, and the types below. The module has things named int, float, bool
and dtype, so types are spelled with an underscore, here and in the stubs.
"""

import inspect
import keyword
import re

from tenon import _core

TYPES = {
    "tensor": "Tensor", "tensor?": "Tensor | None", "tensor!": "Tensor", "tensors": "Sequence[Tensor]",
    "storage": "UntypedStorage", "dims": "_int | Sequence[_int]", "index": "Any", "int": "_int", "float": "_float", "bool": "_bool",
    "floats": "Sequence[_float]",
    "text": "_str", "scalar": "Number", "number": "Number", "dtype": "_dtype | _type | None", "device": "_device | _str | None",
    "format": "_memory_format | None", "generator": "Generator | None",
}
RESULTS = {
    "tensor": "Tensor", "view": "Tensor", "maybe-view": "Tensor", "list": "tuple[Tensor, ...]", "lists": "tuple[Tensor, ...]",
    "none": "None", "bool": "_bool", "int": "_int", "float": "_float", "scalar": "Number",
}
PLAIN = {"var_mean", "std_mean"}  # named results that Python gets as plain tuples

# What is written by hand.
ATTRIBUTES = {
    "shape": "Size", "dtype": "_dtype", "device": "_device", "layout": "layout", "ndim": "_int", "itemsize": "_int", "nbytes": "_int",
    "_version": "_int", "is_cuda": "_bool", "requires_grad": "_bool", "is_leaf": "_bool", "_base": "Tensor | None",
    "grad": "Tensor | None", "grad_fn": "_Node | None", "retains_grad": "_bool", "output_nr": "_int", "metadata": "dict[Any, Any]",
    "next_functions": "tuple[tuple[_Node | None, _int], ...]", "id": "_int",
    "is_floating_point": "_bool", "is_complex": "_bool", "is_signed": "_bool", "type": "_str", "index": "_int | None",
    **dict.fromkeys(("T", "mT", "H", "mH", "real", "imag", "data"), "Tensor"),
}
RETURNS = {
    "__len__": "_int", "__bool__": "_bool", "__int__": "_int", "__index__": "_int", "__float__": "_float", "__complex__": "_complex",
    "__contains__": "_bool", "__repr__": "_str", "__format__": "_str", "__iter__": "Iterator[Tensor]", "__setitem__": "None",
    "__delitem__": "None", "item": "Any", "tolist": "Any", "dim": "_int", "ndimension": "_int", "numel": "_int", "nelement": "_int",
    "storage_offset": "_int", "data_ptr": "_int", "element_size": "_int", "untyped_storage": "UntypedStorage", "is_contiguous": "_bool",
    "is_set_to": "_bool", "is_floating_point": "_bool", "is_complex": "_bool", "is_signed": "_bool", "_is_view": "_bool", "size": "Any",
    "stride": "Any", "nbytes": "_int", "initial_seed": "_int", "manual_seed": "Generator", "is_tensor": "_bool",
    "get_default_dtype": "_dtype", "result_type": "_dtype", "promote_types": "_dtype", "can_cast": "_bool", "set_default_dtype": "None",
    "is_nonzero": "_bool", "is_same_size": "_bool", "dim_order": "tuple[_int, ...]", "get_default_device": "_device",
    "set_default_device": "None", "resizable": "_bool", "is_shared": "_bool", "is_pinned": "_bool", "fill_": "UntypedStorage",
    "copy_": "UntypedStorage", "clone": "UntypedStorage", "untyped": "UntypedStorage",
    "set_printoptions": "None", "get_num_threads": "_int", "set_num_threads": "None", "get_rng_state": "Tensor",
    "backward": "None", "retain_grad": "None", "is_inference": "_bool", "name": "_str", "remove": "None",
    **dict.fromkeys(("register_hook", "register_prehook", "register_post_accumulate_grad_hook"), "_HookHandle"),
    **dict.fromkeys(
        ("to type_as float double half bfloat16 int long short char byte bool cfloat cdouble cpu detach_ resolve_conj resolve_neg requires_grad_ "
         "new_zeros new_ones new_empty new_empty_strided new_full new_tensor apply_ map_ map2_ as_subclass __copy__ __deepcopy__ __reversed__ __getitem__ __neg__ __pos__ __abs__ "
         "__invert__ tensor as_tensor asarray from_numpy frombuffer from_dlpack get_state to_device").split(), "Tensor"),
}
BINARY = ("add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split())
COMPARED = {f"__{name}__" for name in "eq ne lt le gt ge".split()}
LEFT_OUT = {"__new__", "__getattribute__", "__doc__", "__hash__", "__init_subclass__", "__subclasshook__", "__reduce__", "__reduce_ex__",
            "__buffer__", "__release_buffer__", "__rdiv__", "__weakref__", "__dict__", "__module__"}

# Functions that the package has in place of those of the table (_products.py).
REPLACED = {
    "einsum": "def einsum(*args: Any) -> Tensor: ...",
    "tensordot": "def tensordot(a: Tensor, b: Tensor, dims: Any = ..., out: Tensor | None = ...) -> Tensor: ...",
}


def parameters(signature):
    """[(type, name, has a default)] and the result of a signature of the table."""
    inside, result = re.fullmatch(r"\((.*)\) -> (.*)", signature).groups()
    found = []
    for part in filter(None, inside.split(", ")):
        kind, rest = part.split(" ", 1)
        name, equals, _ = rest.partition("=")
        found.append((kind, name, bool(equals) or kind == "tensor?"))
    return found, result


def spelled(name):
    name = _core._spelling(name)
    return name + "_" if keyword.iskeyword(name) else name


OMITTED = {("eye", "columns")}  # parameters without a default in the table that the binder does without
BY_AXIS = set("""all amax amin any argmax argmin argsort cat concat cumprod cumsum flip gather index_select log_softmax logsumexp max mean median min
    nanmean nansum norm prod softmax sort squeeze stack std sum topk unsqueeze var""".split())


class Named:
    """The named tuples, written once each."""

    def __init__(self):
        self.lines, self.known = [], {}

    def type_of(self, operator, result):
        if "(" not in result:
            return RESULTS.get(result, "Any")
        names = result.split("(")[1].rstrip(")").split(", ")
        if operator.rstrip("_") in PLAIN:
            return f"tuple[{', '.join(['Tensor'] * len(names))}]"
        title = f"_results_{'_'.join(names)}"
        if title not in self.known:
            self.known[title] = True
            self.lines += [f"class {title}(NamedTuple):"] + [f"    {name}: Tensor" for name in names]
        return title


NAMED = Named()


def form(name, signature, method, out):
    given, result = parameters(signature)
    result = NAMED.type_of(name, result)
    outs = [p for p in given if p[0] == "tensor!" and p[1] != "self"] if out else []
    whole, given = given, given[len(outs):]
    texts, optional, starred = (["self"] if method else []), False, False
    given = [p for p in given if not (method and p[1] == "self")]
    for i, (kind, label, standard) in enumerate(given):
        alone = all(rest[0] in ("dtype", "device", "format", "text", "generator") for rest in given[i + 1:])
        if i == 0 and kind in ("dims", "tensors") and alone and (method or kind == "tensors" or name in FACTORIES):
            texts.append(f"*{spelled(label)}: {'_int | Sequence[_int]' if kind == 'dims' else 'Tensor | Sequence[Tensor]'}")
            starred = True
            continue
        optional = optional or standard or (name, label) in OMITTED
        texts.append(f"{spelled(label)}: {TYPES.get(kind, 'Any')}" + (" = ..." if optional else ""))
    if outs:
        texts += ([] if starred else ["*"]) + ["out: " + ("Tensor" if len(outs) == 1 else "tuple[Tensor, ...]")]
    if any(kind == "dtype" for kind, _, _ in given) and not any(p[1] == "self" for p in whole):
        more = {"device": "_device | _str | None", "requires_grad": "_bool"}
        texts += ([] if starred or outs else ["*"]) + [f"{n}: {t} = ..." for n, t in more.items() if n not in [p[1] for p in given]]
    return f"def {name}({', '.join(texts)}) -> {result}: ..."


def of_table(rows, method):
    lines = []
    for name, forms in rows.items():
        if name == "nonzero":
            lines.append(f"def nonzero({'self' if method else 'input: Tensor'}, *, as_tuple: _bool = ...) -> Any: ...")
            continue
        chosen = [(signature, full) for full, signature, self in forms if (not method or self >= 0) and "text index" not in signature]
        if keyword.iskeyword(name) or not chosen or (method and inspect.isgetsetdescriptor(vars(_core.Tensor).get(name))):
            continue
        texts = list(dict.fromkeys(form(name, signature, method, "_out" in full) for signature, full in chosen))
        if name in BY_AXIS:  # NumPy's name for dim
            texts += [text.replace(" keepdim: ", " keepdims: ").replace(" dim: ", " axis: ") for text in texts if " dim: " in text]
        for text in texts:
            lines += ["@overload"] if len(texts) > 1 else []
            lines.append(text)
    return lines


def written(name, value, method):
    """One function or method that is not an operator of the table."""
    if name in COMPARED:
        return f"def {name}(self, other: Any) -> {'Tensor' if value.__objclass__ is _core.Tensor else '_bool'}: ..." + (
            "  # type: ignore[override]" if name in ("__eq__", "__ne__") else "")
    operator = name.strip("_").removeprefix("i" if name[2:3] == "i" and name.strip("_")[1:] in BINARY else "")
    if method and name.startswith("__") and operator.removeprefix("r") in BINARY + [""] or operator in BINARY:
        return f"def {name}(self, other: Any) -> Tensor: ..."
    try:
        text = str(inspect.signature(value)).replace("/, ", "").replace(", /", "").replace("(/)", "()")
    except (TypeError, ValueError):
        text = "(self, *args: Any, **kwargs: Any)" if method else "(*args: Any, **kwargs: Any)"
    return f"def {name}{text} -> {RETURNS.get(name, 'Any')}: ..."


def by_hand(owner, taken, method):
    lines = []
    for name, value in sorted(vars(owner).items()):
        hidden = name.startswith("_") and not name.startswith("__") and name not in ("_base", "_version", "_is_view")
        if name in taken or name in LEFT_OUT or hidden or keyword.iskeyword(name):
            continue
        if inspect.isgetsetdescriptor(value):
            lines += ["@property", f"def {name}(self) -> {ATTRIBUTES.get(name, 'Any')}: ..."]
            if name in ("real", "imag", "data", "requires_grad", "grad"):
                lines += [f"@{name}.setter", f"def {name}(self, value: Any) -> None: ..."]
        elif callable(value) and not isinstance(value, type):
            lines.append(written(name, value, method))
    return lines


def indented(lines):
    return "\n".join("    " + line for line in lines) or "    ..."


def main():
    rows = {}
    for name, full, signature, _, self in _core._operators():
        rows.setdefault(name, []).append((full, signature, self))
    methods, functions = of_table(rows, True), of_table({n: f for n, f in rows.items() if hasattr(_core, n) and n not in REPLACED}, False)
    functions += REPLACED.values()
    print("# Written by python/tools/stubs.py from the operator table.")
    print("from builtins import bool as _bool, complex as _complex, float as _float, int as _int, str as _str, type as _type")
    print("from typing import Any, Iterator, NamedTuple, Sequence, overload\n")
    print("Number = _bool | _int | _float | _complex\n")
    for name, value in sorted(vars(_core).items()):
        if not isinstance(value, type) or name in ("Tensor", "Size"):
            continue
        if issubclass(value, Exception):
            print(f"class {name}({', '.join(base.__name__ for base in value.__bases__)}): ...")
        elif not name.startswith("_") or name in ("_FunctionBase", "_HookHandle", "_Node"):
            body = by_hand(value, (), True)
            if name == "device":
                body.insert(0, "def __init__(self, type: Any = ..., index: _int | None = ..., *, device: Any = ...) -> None: ...")
            elif name == "UntypedStorage":
                body.insert(0, "def __init__(self, size: _int | Sequence[_int] = ..., *, device: Any = ...) -> None: ...")
                body = [line.replace("-> Tensor:", "-> Any:" if "__getitem__" in line else "-> UntypedStorage:") for line in body]
            elif name == "Generator":
                body.insert(0, "def __init__(self, device: Any = ..., *, engine: _str = ...) -> None: ...")
            print(f"class {name}:\n{indented(body)}")
    print("class _Operator:\n    name: _str\n    schemas: list[_str]\n    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...\n"
          "    def __getattr__(self, name: _str) -> _Operator: ...\n    def overloads(self) -> list[_str]: ...")
    print("class Size(tuple[_int, ...]):\n    def numel(self) -> _int: ...")
    print("_dtype = dtype\n_device = device\n_memory_format = memory_format\n" + "\n".join(NAMED.lines))
    print("class Tensor:\n    def __init__(self, *args: Any) -> None: ...\n    def __hash__(self) -> _int: ...")
    taken = {line.split("(")[0].removeprefix("def ") for line in methods}
    print(indented(by_hand(_core.Tensor, taken, True) + methods))
    taken = {line.split("(")[0].removeprefix("def ") for line in functions}
    print("\n".join(functions + by_hand(_core, taken, False)))
    for name, value in sorted(vars(_core).items()):
        if isinstance(value, (_core.dtype, _core.memory_format, _core.layout)):
            print(f"{name}: {'_' if type(value).__name__ in ('dtype', 'memory_format') else ''}{type(value).__name__}")
        elif isinstance(value, float):
            print(f"{name}: _float")
    print("newaxis: None\n__version__: _str")


FACTORIES = {"zeros", "ones", "empty", "rand", "randn"}
main()
