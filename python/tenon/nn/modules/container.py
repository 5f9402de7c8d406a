"""Modules and parameters in lists and dictionaries."""

import operator
from collections import OrderedDict, abc
from itertools import chain, islice

from tenon import _core
from tenon.nn.modules.module import Module, _indented
from tenon.nn.parameter import Parameter

__all__ = ["Container", "ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential"]


class Container(Module):
    """torch's first name for a module with others inside."""

    def __init__(self, **kwargs):
        super().__init__()
        for name, module in kwargs.items():
            self.add_module(name, module)


def _place(module, position, extra=0):
    """A position as the name of an entry; negative ones count from the end."""
    position, length = operator.index(position), len(module) + extra
    if not -length <= position < length:
        raise IndexError(f"index {position} is out of range for {len(module)} entries")
    return position % length if length else 0


class Sequential(Module):
    """Modules one after the other: each gets what the one before gave."""

    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for i, module in enumerate(args):
                self.add_module(str(i), module)

    def _key(self, position):
        return next(islice(self._modules, _place(self, position), None))

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(OrderedDict(list(self._modules.items())[index]))
        return self._modules[self._key(index)]

    def __setitem__(self, index, module):
        setattr(self, self._key(index), module)

    def __delitem__(self, index):
        for key in list(self._modules)[index] if isinstance(index, slice) else [self._key(index)]:
            delattr(self, key)
        self._modules = dict(zip(map(str, range(len(self._modules))), self._modules.values()))

    def __len__(self):
        return len(self._modules)

    def __add__(self, other):
        if not isinstance(other, Sequential):
            raise ValueError(f"a Sequential can be added to a Sequential, not {type(other).__name__}")
        return Sequential(*self, *other)

    def __iadd__(self, other):
        if not isinstance(other, Sequential):
            raise ValueError(f"a Sequential can be added to a Sequential, not {type(other).__name__}")
        for module in list(other):
            self.append(module)
        return self

    def __mul__(self, times):
        if not isinstance(times, int):
            raise TypeError(f"a Sequential can be repeated a whole number of times, not {times!r}")
        if times <= 0:
            raise ValueError(f"a Sequential can be repeated once or more, not {times} times")
        return Sequential(*list(self) * times)

    __rmul__ = __mul__

    def __imul__(self, times):
        if not isinstance(times, int):
            raise TypeError(f"a Sequential can be repeated a whole number of times, not {times!r}")
        if times <= 0:
            raise ValueError(f"a Sequential can be repeated once or more, not {times} times")
        for module in list(self) * (times - 1):
            self.append(module)
        return self

    def __dir__(self):
        return [key for key in super().__dir__() if not key.isdigit()]

    def __iter__(self):
        return iter(self._modules.values())

    def forward(self, input):
        for module in self._modules.values():
            input = module(input)
        return input

    def append(self, module):
        """Adds a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index, module):
        """Puts a module before the one at a position."""
        if not isinstance(module, Module):
            raise AssertionError(f"{type(module).__name__} is not a Module")
        length = len(self._modules)
        if not -length <= index <= length:
            raise IndexError(f"index {index} is out of range for {length} modules")
        modules = list(self._modules.values())
        modules.insert(index + length if index < 0 else index, module)
        self._modules.update(zip(map(str, range(length + 1)), modules))
        return self

    def extend(self, sequential):
        """Adds modules at the end."""
        for module in sequential:
            self.append(module)
        return self

    def pop(self, key):
        """Takes out a module."""
        module = self[key]
        del self[key]
        return module


class ModuleList(Module):
    """A list of modules."""

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self += modules

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(list(self._modules.values())[index])
        return self._modules[str(_place(self, index))]

    def __setitem__(self, index, module):
        setattr(self, str(_place(self, index)), module)

    def __delitem__(self, index):
        for place in range(len(self))[index] if isinstance(index, slice) else [_place(self, index)]:
            delattr(self, str(place))
        self._modules = dict(zip(map(str, range(len(self._modules))), self._modules.values()))

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __iadd__(self, modules):
        return self.extend(modules)

    def __add__(self, other):
        return ModuleList(chain(self, other))

    def __dir__(self):
        return [key for key in super().__dir__() if not key.isdigit()]

    def __repr__(self):
        texts = [repr(module) for module in self]
        if not texts:
            return self._get_name() + "()"
        lines, start = [], 0
        for i in range(1, len(texts) + 1):
            if i == len(texts) or texts[i] != texts[start]:
                text = f"({start}): {texts[start]}" if i == start + 1 else f"({start}-{i - 1}): {i - start} x {texts[start]}"
                lines.append(_indented(text, 2))
                start = i
        return self._get_name() + "(\n  " + "\n  ".join(lines) + "\n)"

    def insert(self, index, module):
        """Puts a module before the one at a position."""
        modules = list(self._modules.values())
        modules.insert(index, module)
        for i, one in enumerate(modules):
            self._modules[str(i)] = one

    def append(self, module):
        """Adds a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def pop(self, key):
        """Takes out a module."""
        module = self[key]
        del self[key]
        return module

    def extend(self, modules):
        """Adds modules at the end."""
        if not isinstance(modules, abc.Iterable):
            raise TypeError(f"ModuleList.extend takes an iterable of modules, not {type(modules).__name__}")
        for module in list(modules):
            self.append(module)
        return self


class ModuleDict(Module):
    """A dictionary of modules."""

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key):
        return self._modules[key]

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def __delitem__(self, key):
        del self._modules[key]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules)

    def __contains__(self, key):
        return key in self._modules

    def clear(self):
        """Takes out everything."""
        self._modules.clear()

    def pop(self, key):
        """Takes out a module."""
        module = self[key]
        del self[key]
        return module

    def keys(self):
        """The names."""
        return self._modules.keys()

    def items(self):
        """Names and modules."""
        return self._modules.items()

    def values(self):
        """The modules."""
        return self._modules.values()

    def update(self, modules):
        """Puts in what a dictionary, or pairs of names and modules, have."""
        if not isinstance(modules, abc.Iterable):
            raise TypeError(f"ModuleDict.update takes a dictionary or pairs, not {type(modules).__name__}")
        if isinstance(modules, (OrderedDict, ModuleDict, abc.Mapping)):
            modules = modules.items()
        for i, pair in enumerate(modules):
            if not isinstance(pair, abc.Iterable):
                raise TypeError(f"entry {i} is {type(pair).__name__}, and not a pair of a name and a module")
            pair = tuple(pair)
            if len(pair) != 2:
                raise ValueError(f"entry {i} has {len(pair)} parts, and not a name and a module")
            self[pair[0]] = pair[1]


def _as_parameter(value):
    return Parameter(value) if isinstance(value, _core.Tensor) and not isinstance(value, Parameter) else value


def _describe(value, by_type=False):
    if not isinstance(value, _core.Tensor):
        return "Object of type: " + type(value).__name__
    kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
    return f"{kind} containing: [{value.type() if by_type else value.dtype} of size {'x'.join(map(str, value.shape))}]"


class ParameterList(Module):
    """A list of parameters; tensors that are put in become parameters, other objects stay what they are."""

    def __init__(self, values=None):
        super().__init__()
        self._size = 0
        if values is not None:
            self += values

    def __getitem__(self, index):
        if isinstance(index, slice):
            made = type(self)()
            for place in range(*index.indices(len(self))):
                made.append(self[place])
            return made
        return getattr(self, str(_place(self, index)))

    def __setitem__(self, index, value):
        setattr(self, str(_place(self, index)), _as_parameter(value))

    def __len__(self):
        return self._size

    def __iter__(self):
        return iter(self[i] for i in range(len(self)))

    def __iadd__(self, values):
        return self.extend(values)

    def __dir__(self):
        return [key for key in super().__dir__() if not key.isdigit()]

    def append(self, value):
        """Adds a value at the end."""
        place = len(self)
        self._size += 1
        self[place] = value
        return self

    def extend(self, values):
        """Adds values at the end."""
        if not isinstance(values, abc.Iterable) or isinstance(values, _core.Tensor):
            raise TypeError(f"ParameterList.extend takes an iterable of values, not {type(values).__name__}")
        for value in values:
            self.append(value)
        return self

    def extra_repr(self):
        return "\n".join(f"  ({i}): {_describe(value)}" for i, value in enumerate(self))

    def __call__(self, *args, **kwargs):
        raise RuntimeError("a ParameterList is not called")


class ParameterDict(Module):
    """A dictionary of parameters; tensors that are put in become parameters, other objects stay what they are."""

    def __init__(self, parameters=None):
        super().__init__()
        self._keys = {}
        if parameters is not None:
            self.update(parameters)

    def _attribute(self, key):
        if not isinstance(key, str):
            raise TypeError(f"the keys of a ParameterDict are texts, not {type(key).__name__}")
        return key

    def __getitem__(self, key):
        if key not in self._keys:
            raise KeyError(key)
        return getattr(self, self._attribute(key))

    def __setitem__(self, key, value):
        self._keys[key] = None
        setattr(self, self._attribute(key), _as_parameter(value))

    def __delitem__(self, key):
        del self._keys[key]
        delattr(self, self._attribute(key))

    def __len__(self):
        return len(self._keys)

    def __iter__(self):
        return iter(self._keys)

    def __reversed__(self):
        return reversed(list(self._keys))

    def __contains__(self, key):
        return key in self._keys

    def copy(self):
        """Another dictionary of the same parameters."""
        return ParameterDict(OrderedDict((key, self[key]) for key in self._keys))

    def setdefault(self, key, default=None):
        """The value of a key, which becomes the default where there is none."""
        if key not in self._keys:
            self[key] = default
        return self[key]

    def clear(self):
        """Takes out everything."""
        for key in list(self._keys):
            del self[key]

    def pop(self, key):
        """Takes out a value."""
        value = self[key]
        del self[key]
        return value

    def popitem(self):
        """Takes out the last key and its value."""
        key, _ = self._keys.popitem()
        value = getattr(self, self._attribute(key))
        delattr(self, key)
        return key, value

    def get(self, key, default=None):
        """The value of a key, or the default."""
        return self[key] if key in self._keys else default

    def fromkeys(self, keys, default=None):
        """A dictionary with these keys and one value."""
        return ParameterDict((key, default) for key in keys)

    def keys(self):
        """The keys."""
        return self._keys.keys()

    def items(self):
        """Keys and values."""
        return ((key, self[key]) for key in self._keys)

    def values(self):
        """The values."""
        return (self[key] for key in self._keys)

    def update(self, parameters):
        """Puts in what a dictionary, or pairs, have."""
        if not isinstance(parameters, abc.Iterable):
            raise TypeError(f"ParameterDict.update takes a dictionary or pairs, not {type(parameters).__name__}")
        if isinstance(parameters, (OrderedDict, ParameterDict)):
            parameters = parameters.items()
        elif isinstance(parameters, abc.Mapping):
            parameters = sorted(parameters.items())
        for i, pair in enumerate(parameters):
            if not isinstance(pair, abc.Iterable):
                raise TypeError(f"entry {i} is {type(pair).__name__}, and not a key and a value")
            pair = tuple(pair)
            if len(pair) != 2:
                raise ValueError(f"entry {i} has {len(pair)} parts, and not a key and a value")
            self[pair[0]] = pair[1]

    def extra_repr(self):
        return "\n".join(f"  ({key}): {_describe(value, True)}" for key, value in self.items())

    def __call__(self, input):
        raise RuntimeError("a ParameterDict is not called")

    def __or__(self, other):
        made = self.copy()
        made.update(other)
        return made

    def __ror__(self, other):
        made = other.copy()
        made.update(self)
        return made

    def __ior__(self, other):
        self.update(other)
        return self
