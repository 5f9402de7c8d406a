"""What type checkers read of packages whose names are found on first use: nn, optim, distributions, utils.data, ...

    PYTHONPATH=build/python python3 python/tools/module_stubs.py python/tenon      # writes the .pyi files there

Signatures are those of the classes and functions themselves; a default of True, a text or 1.0 says the type of its parameter.
"""

import importlib
import inspect
import keyword
import pathlib
import sys

from tenon import Tensor

PACKAGES = {
    "nn": ("attention", "common_types", "functional", "grad", "init", "modules", "parallel", "parameter", "utils"),
    "nn.utils": ("clip_grad", "convert_parameters", "parametrizations", "parametrize", "prune", "rnn", "stateless"),
    "optim": ("lr_scheduler", "optimizer", "swa_utils"), "optim.lr_scheduler": (), "utils": ("checkpoint", "data", "deterministic", "dlpack", "hooks"),
    "utils.data": ("dataloader", "dataset", "distributed", "sampler"),
    "distributions": ("constraint_registry", "constraints", "kl", "transforms", "utils"),
}
SEVERAL = ("rnn", "adaptive")  # files of nn/modules whose classes do not give one tensor
COUNTS = set("""d_model dim_feedforward embed_dim embedding_dim hidden_size in_channels in_features nhead num_channels num_decoder_layers
    num_embeddings num_encoder_layers num_features num_groups num_heads num_layers num_workers out_channels out_features""".split())
TENSORS = {"input", "target", "src", "tgt", "query", "key", "value"}  # of what computes
RESULTS = {"extra_repr": "str", "get_last_lr": "list[Any]", "reset_parameters": "None", "state_dict": "dict[str, Any]", "zero_grad": "None"}
OF_MODULES = {"parameters": "Iterator[Parameter]", "named_parameters": "Iterator[tuple[str, Parameter]]", "buffers": "Iterator[Tensor]",
              "named_buffers": "Iterator[tuple[str, Tensor]]", "children": "Iterator[Module]", "modules": "Iterator[Module]",
              "named_children": "Iterator[tuple[str, Module]]", "named_modules": "Iterator[tuple[str, Module]]"}
OF_DISTRIBUTIONS = {name: "Tensor" for name in "cdf entropy enumerate_support icdf log_prob rsample sample mean mode stddev variance".split()}
SPECIAL = {"__call__", "__iter__", "__len__", "__getitem__", "__next__", "__contains__"}


def parameter(one, first, computes=False):
    stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
    if first and one.name in ("self", "cls"):
        return one.name
    kind = {bool: "bool", str: "str", float: "float"}.get(type(one.default), "Any")
    if one.name == "lr" and kind == "float":
        kind = "float | Tensor"
    elif one.name in COUNTS and (one.default is one.empty or type(one.default) is int):
        kind = "int"
    elif computes and one.name in TENSORS and not stars:
        kind = "Tensor" if one.default is one.empty else "Tensor | None" if one.default is None else kind
    return f"{stars}{one.name}: {kind}" + ("" if one.default is one.empty else " = ...")


def signature(function, method, bound=False, computes=False):
    try:
        found = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return "self, *args: Any, **kwargs: Any" if method else "*args: Any, **kwargs: Any"
    if any(keyword.iskeyword(one.name) or not one.name.isidentifier() for one in found):
        return "self, *args: Any, **kwargs: Any" if method else "*args: Any, **kwargs: Any"
    parts, starred = [], False
    for i, one in enumerate(found):
        if one.kind == one.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        starred = starred or one.kind == one.VAR_POSITIONAL
        parts.append(parameter(one, method and i == 0, computes))
        if one.kind == one.POSITIONAL_ONLY and (i + 1 == len(found) or found[i + 1].kind != one.POSITIONAL_ONLY):
            parts.append("/")
    return ", ".join((["cls"] if bound else []) + parts)


def ancestors(cls, bases):
    """The nearest classes in the stub that it inherits from, also through classes that are not."""
    found = []
    for base in cls.__bases__:
        found += [one for one in ([base] if base in bases else ancestors(base, bases)) if one not in found]
    return [one for one in found if not any(other is not one and issubclass(other, one) for other in found)]


def result_of(cls, name):
    """What is known of what a method or property gives."""
    module = cls.__module__
    known = {**RESULTS, **(OF_DISTRIBUTIONS if ".distributions" in module else {}), **(OF_MODULES if module.endswith("modules.module") else {})}
    return known.get(name, "Any")


def class_lines(cls, bases):
    """The class and its public members; what inherits from a class that is not in the stub has them from there."""
    parents = [base.__name__ for base in ancestors(cls, bases)] or (["Tensor"] if issubclass(cls, Tensor) else [])
    yield f"class {cls.__name__}" + (f"({', '.join(parents)})" if parents else "") + ":"
    module, owner = cls.__module__, cls.__dict__
    members = {}
    for one in reversed([k for k in cls.__mro__ if k not in bases or k is cls]):
        if one.__module__.startswith("tenon") and one is not Tensor and (one is cls or not any(issubclass(b, one) for b in ancestors(cls, bases))):
            members.update(vars(one))
    members.update(owner)
    wrote = False
    tensor = ".nn.modules." in module and not module.endswith(SEVERAL) and cls.__name__ != "MultiheadAttention" and "forward" in members
    if "__init__" in members or not parents:
        yield f"    def __init__({signature(cls.__init__, True)}) -> None: ..."
        wrote = True
    for name, value in sorted(members.items()):
        if (name.startswith("_") and name not in SPECIAL) or keyword.iskeyword(name):
            continue
        if isinstance(value, property) or (hasattr(type(value), "__get__") and not callable(value) and not isinstance(value, (staticmethod, classmethod))):
            yield f"    @property\n    def {name}(self) -> {result_of(cls, name)}: ..."
        elif isinstance(value, (staticmethod, classmethod)):
            static = isinstance(value, staticmethod)
            yield f"    @{'static' if static else 'class'}method\n    def {name}({signature(getattr(cls, name), False, not static)}) -> Any: ..."
        elif inspect.isfunction(value):
            result = "Tensor" if tensor and name == "forward" else result_of(cls, name)
            yield f"    def {name}({signature(value, True, computes=tensor and name == 'forward')}) -> {result}: ..."
        else:
            yield f"    {name}: Any"
        wrote = True
    if tensor and "__call__" not in owner:
        yield "    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ..."
    if not parents:
        yield "    def __getattr__(self, name: str) -> Any: ..."
        yield "    def __setattr__(self, name: str, value: Any) -> None: ..."
    elif not wrote and not tensor:
        yield "    ..."


def text(package):
    """The stub of a package."""
    module = importlib.import_module(f"tenon.{package}")
    inside = PACKAGES[package]
    names = sorted({name for name in (list(module.__all__) if hasattr(module, "__all__") else dir(module)) if not name.startswith("_")} - set(inside))
    values = {name: getattr(module, name) for name in names}
    lines = ["# Written by python/tools/module_stubs.py.", "# mypy: ignore-errors", "from typing import Any, Iterator"]
    lines += [f"from tenon.{package} import " + ", ".join(f"{one} as {one}" for one in inside)] if inside else []
    lines += ["from tenon import Tensor", ""]
    bases = {value for value in values.values() if isinstance(value, type)}
    done = set()

    def write(cls):
        if cls in done:
            return
        done.add(cls)
        for base in ancestors(cls, bases):
            write(base)
        lines.extend(class_lines(cls, bases))

    for name in names:
        value = values[name]
        if isinstance(value, type):
            write(value)
            if value.__name__ != name:
                lines.append(f"{name} = {value.__name__}")
        elif callable(value) and inspect.isfunction(value):
            lines.append(f"def {name}({signature(value, False)}) -> Any: ...")
        elif not inspect.ismodule(value):
            lines.append(f"{name}: Any")
    return "\n".join(lines) + "\n"


def place(package):
    """Where the stub is, below tenon/."""
    path = package.replace(".", "/")
    return f"{path}.pyi" if package == "optim.lr_scheduler" else f"{path}/__init__.pyi"


if __name__ == "__main__":
    for package in PACKAGES:
        (pathlib.Path(sys.argv[1]) / place(package)).write_text(text(package))
