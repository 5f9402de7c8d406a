"""What type checkers read of packages whose names are found on first use, and of modules whose functions are the table's: nn, optim, linalg, ...

    PYTHONPATH=build/python python3 python/tools/module_stubs.py python/tenon      # writes the .pyi files there

Signatures are those of the classes and functions themselves; a default of True, a text or 1.0 says the type of its parameter. What the core
or another stub has is taken from there, so that a class is the same under all its names.
"""

import importlib
import importlib.util
import inspect
import keyword
import pathlib
import sys

from tenon import Tensor, _core

PACKAGES = {
    "nn": ("attention", "common_types", "functional", "grad", "init", "modules", "parallel", "parameter", "utils"),
    "nn.utils": ("clip_grad", "convert_parameters", "parametrizations", "parametrize", "prune", "rnn", "stateless"),
    "optim": ("lr_scheduler", "optimizer", "swa_utils"), "optim.lr_scheduler": (), "utils": ("checkpoint", "data", "deterministic", "dlpack", "hooks"),
    "utils.data": ("dataloader", "dataset", "distributed", "sampler"),
    "distributions": ("constraint_registry", "constraints", "kl", "transforms", "utils"),
    "linalg": (), "fft": (), "special": (), "signal.windows": (), "nn.functional": (), "nn.init": (), "nn.utils.rnn": (), "nn.utils.clip_grad": (),
    "nn.utils.convert_parameters": (), "nn.utils.parametrizations": (), "nn.utils.prune": (), "nn.utils.stateless": (), "nn.utils.parametrize": (),
    "optim.optimizer": (), "optim.swa_utils": (), "utils.data.dataset": (), "utils.data.sampler": (), "utils.data.dataloader": (), "distributions.kl": (),
    "distributions.transforms": (), "distributions.constraints": (), "amp": (), "func": (), "autograd": ("anomaly_mode", "forward_ad", "function",
    "functional", "grad_mode", "graph", "profiler"), "autograd.functional": (), "utils.checkpoint": (),
}
FILES = {package for package in PACKAGES if package not in ("nn", "nn.utils", "optim", "utils", "utils.data", "distributions", "autograd")}
SEVERAL = ("rnn", "adaptive")  # files of nn/modules whose classes do not give one tensor
COUNTS = set("""d_model dim_feedforward embed_dim embedding_dim hidden_size in_channels in_features nhead num_channels num_decoder_layers
    num_embeddings num_encoder_layers num_features num_groups num_heads num_layers num_workers out_channels out_features""".split())
TENSORS = {"input", "target", "src", "tgt", "query", "key", "value"}  # of what computes
RESULTS = {"extra_repr": "str", "get_last_lr": "list[Any]", "reset_parameters": "None", "state_dict": "dict[str, Any]", "zero_grad": "None"}
OF_MODULES = {"parameters": "Iterator[Parameter]", "named_parameters": "Iterator[tuple[str, Parameter]]", "buffers": "Iterator[Tensor]",
              "named_buffers": "Iterator[tuple[str, Tensor]]", "children": "Iterator[Module]", "modules": "Iterator[Module]",
              "named_children": "Iterator[tuple[str, Module]]", "named_modules": "Iterator[tuple[str, Module]]"}
OF_DISTRIBUTIONS = {name: "Tensor" for name in "cdf entropy enumerate_support icdf log_prob rsample sample mean mode stddev variance".split()}
SPECIAL = {"__call__", "__iter__", "__len__", "__getitem__", "__setitem__", "__delitem__", "__next__", "__contains__", "__reversed__", "__enter__", "__exit__",
           "__add__", "__iadd__", "__mul__"}


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


def listed(module, inside):
    """The names that a stub tells of."""
    names = list(module.__all__) if hasattr(module, "__all__") and module.__name__ != "tenon.special" else dir(module)
    return sorted({name for name in names if not name.startswith("_") and not keyword.iskeyword(name)} - set(inside))


def known(package, value, name):
    """Where another stub has a value, as the line that takes it from there."""
    core = getattr(value, "__name__", None)
    if package == "nn.init":  # whose defaults the table does not have
        return f"def {name}(tensor: Tensor, *args: Any, **kwargs: Any) -> Tensor: ..." if name.endswith("_") else None
    if core and getattr(_core, core, None) is value:
        return f"from tenon._core import {core} as {name}" if core == name else f"{name} = _core.{core}"
    for other in PACKAGES if isinstance(value, type) or inspect.isfunction(value) else ():
        if package.startswith(other + ".") or (other in ("nn", "nn.parameter") and package.startswith(("optim", "nn."))):
            home = importlib.import_module(f"tenon.{other}")
            if name in listed(home, PACKAGES[other]) and getattr(home, name, None) is value and not (package.startswith("nn") and other == package):
                return f"from tenon.{other} import {name} as {name}"
    return None


def text(package):
    """The stub of a package."""
    module = importlib.import_module(f"tenon.{package}")
    inside = tuple(name for name in PACKAGES[package] if importlib.util.find_spec(f"tenon.{package}.{name}"))
    names = listed(module, inside)
    values = {name: getattr(module, name) for name in names}
    lines = ["# Written by python/tools/module_stubs.py.", "# mypy: ignore-errors", "from typing import Any, Iterator"]
    lines += [f"from tenon.{package} import " + ", ".join(f"{one} as {one}" for one in inside)] if inside else []
    lines += ["from tenon import Tensor", ""]
    taken = {name: known(package, value, name) for name, value in values.items()}
    lines[-1:-1] = ["from tenon import _core"] * any(line and "= _core." in line for line in taken.values())
    lines[-1:-1] = sorted((line for line in taken.values() if line), key=lambda line: not line.startswith("from"))
    bases = {value for value in values.values() if isinstance(value, type)}
    done = set()

    def write(cls):
        if cls in done:
            return
        done.add(cls)
        if any(values[name] is cls for name, line in taken.items() if line):
            return
        for base in ancestors(cls, bases):
            write(base)
        lines.extend(class_lines(cls, bases))

    for name in names:
        value = values[name]
        if taken[name]:
            continue
        if isinstance(value, type) and not value.__module__.startswith("tenon"):
            lines.append(f"{name}: Any")
        elif isinstance(value, type):
            write(value)
            if value.__name__ != name:
                lines.append(f"{name} = {value.__name__}")
        elif callable(value) and inspect.isfunction(value):
            tensor = package == "nn.functional" and not name.endswith(("_with_indices", "forward", "max_pool1d", "max_pool2d", "max_pool3d"))
            lines.append(f"def {name}({signature(value, False, computes=tensor)}) -> {'Tensor' if tensor else 'Any'}: ...")
        elif not inspect.ismodule(value):
            lines.append(f"{name}: Any")
    return "\n".join(lines) + "\n"


def place(package):
    """Where the stub is, below tenon/."""
    path = package.replace(".", "/")
    return f"{path}.pyi" if package in FILES else f"{path}/__init__.pyi"


if __name__ == "__main__":
    for package in PACKAGES:
        (pathlib.Path(sys.argv[1]) / place(package)).write_text(text(package))
