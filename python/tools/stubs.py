"""Writes the type stubs of tenon._core to standard output, from the operator table and the module itself.

    PYTHONPATH=build/python python3 python/tools/stubs.py > _core.pyi

An operator with several forms becomes a function with overloads, as the table has them; what is written in C by hand gets the
signature of its docstring, without types.
"""

import inspect
import keyword
import re

from tenon import _core

TYPES = {
    "tensor": "Tensor", "tensor?": "Tensor | None", "tensor!": "Tensor", "tensors": "Sequence[Tensor]",
    "storage": "UntypedStorage", "dims": "int | Sequence[int]", "index": "Any", "int": "int", "float": "float", "bool": "bool",
    "text": "str", "scalar": "Number", "number": "Number", "dtype": "dtype | type | None", "device": "device | str | None",
    "format": "memory_format | None", "generator": "Generator | None",
}
RESULTS = {
    "tensor": "Tensor", "view": "Tensor", "maybe-view": "Tensor", "list": "tuple[Tensor, ...]", "lists": "tuple[Tensor, ...]",
    "none": "None", "bool": "bool", "int": "int", "float": "float", "scalar": "Number",
}
NAMES = {"self": "input", "format": "memory_format"}


def parameters(signature):
    """[(type, name, has a default)] and the result of a signature of the table."""
    inside, result = re.fullmatch(r"\((.*)\) -> (.*)", signature).groups()
    found = []
    for part in filter(None, inside.split(", ")):
        kind, rest = part.split(" ", 1)
        name, equals, _ = rest.partition("=")
        found.append((kind, name, bool(equals) or kind == "tensor?"))
    return found, RESULTS.get(result.split("(")[0], "Any")


def form(name, signature, method, out):
    given, result = parameters(signature)
    outs = [p for p in given if p[0] == "tensor!" and p[1] != "self"] if out else []
    given = given[len(outs):]
    texts, optional, starred = (["self"] if method else []), False, False
    given = [p for p in given if not (method and p[1] == "self")]
    for i, (kind, label, standard) in enumerate(given):
        label = NAMES.get(label, label)
        label += "_" if keyword.iskeyword(label) else ""
        alone = all(rest[0] in ("dtype", "device", "format", "text") for rest in given[i + 1:])
        if i == 0 and kind in ("dims", "tensors") and alone and (method or kind == "tensors" or name in FACTORIES):
            texts.append(f"*{label}: {'int | Sequence[int]' if kind == 'dims' else 'Tensor | Sequence[Tensor]'}")
            starred = True
            continue
        optional = optional or standard
        texts.append(f"{label}: {TYPES.get(kind, 'Any')}" + (" = ..." if optional else ""))
    if outs:
        texts += ([] if starred else ["*"]) + ["out: " + ("Tensor" if len(outs) == 1 else "tuple[Tensor, ...]")]
    if any(kind == "dtype" for kind, _, _ in given) and not any(p[1] == "self" for p in parameters(signature)[0]):
        texts += ([] if starred or outs else ["*"]) + ["device: device | str | None = ...", "requires_grad: bool = ..."]
    return f"def {name}({', '.join(texts)}) -> {result}: ..."


def of_table(rows, method):
    lines = []
    for name, forms in rows.items():
        chosen = [(signature, full) for full, signature, self in forms if not method or self >= 0]
        if keyword.iskeyword(name) or not chosen:
            continue
        texts = list(dict.fromkeys(form(name, signature, method, "_out" in full) for signature, full in chosen))
        for text in texts:
            lines += ["@overload"] if len(texts) > 1 else []
            lines.append(text)
    return lines


def by_hand(owner, taken, method):
    lines = []
    for name, value in sorted(vars(owner).items()):
        if name in taken or (name.startswith("_") and not name.startswith("__")) or keyword.iskeyword(name):
            continue
        if inspect.isgetsetdescriptor(value):
            lines += ["@property", f"def {name}(self) -> Any: ..."]
        elif callable(value) and not isinstance(value, type) and name not in ("__new__", "__getattribute__", "__doc__", "__hash__"):
            try:
                text = str(inspect.signature(value)).replace("/, ", "").replace(", /", "").replace("(/)", "()")
            except (TypeError, ValueError):
                text = "(self, *args: Any, **kwargs: Any)" if method else "(*args: Any, **kwargs: Any)"
            lines.append(f"def {name}{text} -> Any: ...")
    return lines


def main():
    rows = {}
    for name, full, signature, _, self in _core._operators():
        rows.setdefault(name, []).append((full, signature, self))
    print("# Written by python/tools/stubs.py from the operator table.")
    print("from typing import Any, Sequence, overload\n")
    print("Number = bool | int | float | complex\n")
    for name, value in sorted(vars(_core).items()):
        if isinstance(value, type) and name not in ("Tensor", "Size"):
            bases = "" if not issubclass(value, Exception) else f"({', '.join(base.__name__ for base in value.__bases__)})"
            print(f"class {name}{bases}:")
            body = by_hand(value, (), True) if not issubclass(value, Exception) else []
            print("\n".join("    " + line for line in body) or "    ...")
    print("class Size(tuple[int, ...]):\n    def numel(self) -> int: ...")
    print("class Tensor:")
    methods = of_table(rows, True)
    taken = {line.split("(")[0].removeprefix("def ") for line in methods}
    print("\n".join("    " + line for line in by_hand(_core.Tensor, taken, True) + methods))
    functions = of_table({name: forms for name, forms in rows.items() if hasattr(_core, name)}, False)
    taken = {line.split("(")[0].removeprefix("def ") for line in functions}
    print("\n".join(functions + by_hand(_core, taken | {"_operators"}, False)))
    for name, value in sorted(vars(_core).items()):
        if isinstance(value, (_core.dtype, _core.memory_format, _core.layout, float)):
            print(f"{name}: {type(value).__name__}")


FACTORIES = {"zeros", "ones", "empty"}
main()
