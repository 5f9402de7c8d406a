"""save and load: PyTorch's checkpoints, and what tenon.load reads beside them.

    >>> import tenon, io
    >>> out = io.BytesIO()
    >>> tenon.save({"w": tenon.ones(2)}, out)
    >>> _ = out.seek(0)
    >>> tenon.load(out)
    {'w': tensor([1., 1.])}

By default nothing in a file is executed: the library reads the pickle itself, knows tensors, containers, numbers and texts, and refuses
every other class by its name, unless add_safe_globals or safe_globals allowed it. weights_only=False hands the pickle to Python, which runs
whatever it says.
"""

import collections
import contextlib
import importlib
import io
import os
import pickle

from tenon import _core
from tenon.storage import TypedStorage, UntypedStorage, _NAMES

_STORAGES = {name: dtype for dtype, name in _NAMES.items()}
_TORCH_DTYPES = {str(value): value for value in vars(_core).values() if isinstance(value, _core.dtype)}

# ---- what may be named in a file

_safe: dict = {}


def _name_of(entry):
    """The name in a pickle, and the object: of a class or function, or of (object, "module.name")."""
    if isinstance(entry, tuple):
        if len(entry) != 2 or not isinstance(entry[1], str):
            raise ValueError(f"a safe global is an object, or a pair of an object and its name, not {entry!r}")
        return entry[1], entry[0]
    name = getattr(entry, "__qualname__", None)
    if not isinstance(name, str):
        raise TypeError(f"a safe global is a class or a function, not {entry!r}")
    return f"{entry.__module__}.{name}", entry


def add_safe_globals(safe_globals):
    """Allow these classes and functions in files that are loaded with weights_only=True."""
    _safe.update(map(_name_of, safe_globals))


def get_safe_globals():
    """What add_safe_globals has allowed."""
    return list(_safe.values())


def clear_safe_globals():
    """Allow none of them any more."""
    _safe.clear()


@contextlib.contextmanager
def safe_globals(safe_globals):
    """Allow them in a with statement."""
    before = dict(_safe)
    add_safe_globals(safe_globals)
    try:
        yield
    finally:
        _safe.clear()
        _safe.update(before)


# ---- objects of torch, and ours for them


def _rebuild_tensor(storage, offset, size, stride, requires_grad=False, hooks=None, metadata=None):
    if metadata:
        raise RuntimeError("the tensor is conjugated or negated lazily, which is not read")
    return _core._rebuild_tensor(storage.untyped(), offset, tuple(size), tuple(stride), storage.dtype, bool(requires_grad))


def _rebuild_tensor_v3(storage, offset, size, stride, requires_grad, hooks, dtype, metadata=None):
    return _rebuild_tensor(TypedStorage(wrap_storage=getattr(storage, "_untyped_storage", storage), dtype=dtype), offset, size, stride,
                           requires_grad, hooks, metadata)


def _parameter(data, requires_grad=True):
    found = getattr(importlib.import_module("tenon.nn"), "Parameter", None)
    return found(data, requires_grad) if found else data.requires_grad_(requires_grad)


def _rebuild_parameter(data, requires_grad, hooks):
    return _parameter(data, requires_grad)


def _rebuild_parameter_with_state(data, requires_grad, hooks, state):
    made = _parameter(data, requires_grad)
    _set_state(made, state)
    return made


def _rebuild_from_type(function, kind, arguments, state):
    made = function(*arguments)
    if kind is not _core.Tensor and isinstance(kind, type) and not isinstance(made, kind):
        made = made.as_subclass(kind)
    _set_state(made, state)
    return made


def _set_state(made, state):
    if hasattr(made, "__setstate__") and not isinstance(made, _core.Tensor):
        made.__setstate__(state)
        return
    slots = None
    if isinstance(state, tuple) and len(state) == 2:
        state, slots = state
    if state and hasattr(made, "__dict__"):
        made.__dict__.update(state)
    for name, value in (slots or {}).items():
        setattr(made, name, value)


def _rebuild_meta(dtype, size, stride, requires_grad):
    return _core.empty_strided(size, stride, dtype=dtype, device="meta", requires_grad=requires_grad)


_FUNCTIONS = {
    "torch._utils._rebuild_meta_tensor_no_storage": _rebuild_meta,
    "torch._utils._rebuild_tensor": _rebuild_tensor,
    "torch._utils._rebuild_tensor_v2": _rebuild_tensor,
    "torch._utils._rebuild_tensor_v3": _rebuild_tensor_v3,
    "torch._utils._rebuild_parameter": _rebuild_parameter,
    "torch._utils._rebuild_parameter_with_state": _rebuild_parameter_with_state,
    "torch._tensor._rebuild_from_type_v2": _rebuild_from_type,
}


def _of_torch(name):
    """Ours for a name that begins with "torch."; KeyError where there is none."""
    if name in _FUNCTIONS:
        return _FUNCTIONS[name]
    if name in _TORCH_DTYPES:
        return _TORCH_DTYPES[name]
    last = name.rpartition(".")[2]
    if last in _STORAGES:
        return _STORAGES[last]
    if last in ("UntypedStorage", "TypedStorage"):
        return UntypedStorage if last == "UntypedStorage" else TypedStorage
    if name in ("torch.nn.parameter.Parameter", "torch.nn.Parameter"):
        return getattr(importlib.import_module("tenon.nn"), "Parameter", _core.Tensor)
    module, _, own = name.partition(".")[2].rpartition(".")
    home = importlib.import_module("tenon" + ("." + module if module else ""))
    return getattr(home, own)


def _described(data):
    """A tensor as it is, but for its elements: map_location="meta"."""
    return _rebuild_meta(data.dtype, data.shape, data.stride(), data.requires_grad)


class _Resolver:
    """What the library asks for while it builds the objects of a file."""

    def __init__(self, meta):
        self.meta = meta

    def name(self, name):
        if name in _safe:
            return _safe[name]
        if name.startswith("torch."):
            return _of_torch(name)
        module, _, own = name.rpartition(".")
        return getattr(importlib.import_module(module), own)

    def ordered(self, _):
        return collections.OrderedDict()

    def storage(self, key, file, kind):
        return TypedStorage(wrap_storage=file.storage(key), dtype=_STORAGES.get(kind.rpartition(".")[2], _core.uint8))

    def tensor(self, data, requires_grad, is_parameter):
        data = _described(data) if self.meta else data
        return _parameter(data, requires_grad) if is_parameter else data.requires_grad_(requires_grad)

    def new(self, kind, arguments):
        return kind.__new__(kind, *arguments)

    def set_state(self, made, state):
        _set_state(made, state)

    def big(self, data):
        return int.from_bytes(data, "little", signed=True)


# ---- loading


def _source(f):
    """A path, or the bytes of a file object from where it stands."""
    if isinstance(f, (str, os.PathLike)):
        return os.fspath(f)
    if isinstance(f, (bytes, bytearray, memoryview)):
        return f
    if not hasattr(f, "read"):
        raise TypeError(f"a path or a file that is open for reading is wanted, not {type(f).__name__}")
    data = f.read()
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError("the file is open as text: open it with mode 'rb'")
    return data


def _check_location(map_location):
    """Every element is put into the CPU's memory, wherever it was; or nowhere, where "meta" is said, which is what is returned."""
    if map_location is None or callable(map_location):
        return False
    if not isinstance(map_location, dict) and _core.device(map_location).type == "meta":
        return True
    for place in map_location.values() if isinstance(map_location, dict) else [map_location]:
        if _core.device(place).type != "cpu":
            raise RuntimeError(f"map_location: there is no device {place!r} here to load to; use 'cpu' or 'meta'")
    return False


def load(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **pickle_load_args):
    """What a file holds: of a checkpoint of PyTorch exactly what torch.load returns, of .npy one tensor, of other formats a
    dictionary of tensors. The format is found by the content."""
    if weights_only is None:
        weights_only = True
    if weights_only and pickle_module is not None:
        raise RuntimeError("pickle_module goes only with weights_only=False: by default nothing is executed")
    meta = _check_location(map_location)
    if meta and not weights_only:
        raise RuntimeError("map_location='meta' goes with weights_only=True: what a pickle runs may need the elements")
    source = _source(f)
    if mmap and not isinstance(source, str):
        raise ValueError("mmap=True needs the path of a file")
    file = _open(source, mmap or meta, not weights_only)
    if file.format == "pt":
        return file.tree(_Resolver(meta), meta) if weights_only else _load_with_python(file, pickle_module or pickle, pickle_load_args)
    take = (lambda place: _described(file.take(place))) if meta else file.take
    if file.format == "npy" and len(file) == 1:
        return take(0)
    return {name: take(i) for i, name in enumerate(file.keys())}


def _open(source, mapped, anything):
    try:
        return _core._file_open(source, mode=0 if mapped else 1, writable=True, allowed=tuple(_safe), any_object=anything)
    except Exception as error:
        found = str(error).partition("the pickle names ")[2].partition(", which is not among")[0]
        if not found:
            raise
        what = ("the file is a TorchScript archive: save the module's state_dict instead" if found.startswith("__torch__.") else
                "it makes a kind of tensor that Tenon does not have (sparse, quantised, nested, ...)" if found.startswith("torch._utils._rebuild_") else None)
        if what:
            raise pickle.UnpicklingError(f"{error}: {what}; neither add_safe_globals nor weights_only=False changes that") from None
        raise pickle.UnpicklingError(
            f"{error}: the file wants {found}. If you trust it, allow that name with tenon.serialization.add_safe_globals([{found.rpartition('.')[2]}]) "
            f"or safe_globals, or let Python run the whole pickle with weights_only=False") from None


def _load_with_python(file, module, arguments):
    class Unpickler(module.Unpickler):
        def find_class(self, home, name):
            if home == "torch" or home.startswith("torch."):
                try:
                    return _of_torch(f"{home}.{name}")
                except (AttributeError, ImportError):
                    pass
            return super().find_class(home, name)

        def persistent_load(self, id):
            kind, dtype, key = id[0], id[1], id[2]
            if kind != "storage":
                raise pickle.UnpicklingError(f"the pickle refers to {kind!r}, not to a storage")
            storage = file.storage(id[5][0] if len(id) > 5 and id[5] else key)  # a part of another, of the older format
            return TypedStorage(wrap_storage=storage, dtype=dtype if isinstance(dtype, _core.dtype) else _core.uint8)

    return Unpickler(io.BytesIO(file.record("data.pkl")), **arguments).load()


# ---- saving


class _Global:
    """A name that is written to a pickle as it is, whether or not it can be imported here."""

    def __init__(self, module, name):
        self.module, self.name = module, name

    def __call__(self, *_):
        raise TypeError("this stands for a name in a pickle")


class _Elements:
    """A storage and the dtype that a tensor looks at it with."""

    def __init__(self, storage, dtype):
        self.storage, self.dtype = storage, dtype


class _Pickler(pickle._Pickler):  # Python's own in Python: names can be written without being imported
    def __init__(self, out, protocol):
        super().__init__(out, protocol)
        self.storages = {}  # the address of a storage: its number, the storage, its dtype
        self.globals = {}

    def _save_name(self, name):
        key = (name.module, name.name)
        known = self.globals.setdefault(key, name)
        if id(known) in self.memo:
            self.write(self.get(self.memo[id(known)][0]))
        else:
            self.write(pickle.GLOBAL + f"{name.module}\n{name.name}\n".encode())
            self.memoize(known)

    def _save_dtype(self, dtype):
        self._save_name(_Global("torch", str(dtype).rpartition(".")[2]))

    # By the exact type: nothing is asked, and no frame added, for each object of other types.
    dispatch = {**pickle._Pickler.dispatch, _Global: _save_name, _core.dtype: _save_dtype,
                _core.Tensor: lambda self, x: self.save_reduce(*_reduce_tensor(x), obj=x),
                _core.Size: lambda self, size: self.save_reduce(_Global("torch", "Size"), (tuple(size),), obj=size),
                _core.device: lambda self, device: self.save_reduce(_Global("torch", "device"), (str(device),), obj=device)}

    def persistent_id(self, obj):
        if isinstance(obj, TypedStorage):
            obj = _Elements(obj.untyped(), obj.dtype)
        elif isinstance(obj, UntypedStorage):
            obj = _Elements(obj, None)
        if not isinstance(obj, _Elements):
            return None
        number, _, dtype = self.storages.setdefault(id(obj.storage), (len(self.storages), obj.storage, obj.dtype))
        if dtype is not obj.dtype:
            raise RuntimeError(f"tensors look at one storage as {dtype} and as {obj.dtype}, which PyTorch's format cannot say")
        if obj.storage.device.type != "cpu":
            raise RuntimeError("only what is in the CPU's memory can be saved")
        kind = _Global("torch", _NAMES[obj.dtype]) if obj.dtype in _NAMES else _Global("torch.storage", "UntypedStorage")
        size = obj.dtype.itemsize if obj.dtype in _NAMES else 1
        return ("storage", kind, str(number), "cpu", obj.storage.nbytes() // size)


def _save_parameter(pickler, x):
    plain = (x.detach().as_subclass(_core.Tensor), x.requires_grad, collections.OrderedDict())
    state = dict(x.__dict__)
    pickler.save_reduce(_Global("torch._utils", "_rebuild_parameter_with_state" if state else "_rebuild_parameter"), (*plain, state) if state else plain, obj=x)


def _reduce_tensor(x):
    if x.device.type == "meta":
        return _Global("torch._utils", "_rebuild_meta_tensor_no_storage"), (x.dtype, tuple(x.shape), x.stride(), x.requires_grad)
    if any(step < 0 for step in x.stride()) or x.untyped_storage().nbytes() % x.itemsize:
        x = x.detach().clone(memory_format=_core.contiguous_format).requires_grad_(x.requires_grad)
    old = x.dtype in _NAMES
    arguments = (_Elements(x.untyped_storage(), x.dtype if old else None), x.storage_offset(), tuple(x.shape), x.stride(), x.requires_grad,
                 collections.OrderedDict())
    name = _Global("torch._utils", "_rebuild_tensor_v2" if old else "_rebuild_tensor_v3")
    return name, arguments if old else arguments + (x.dtype,)


def save(obj, f, pickle_module=None, pickle_protocol=2, _use_new_zipfile_serialization=True, _disable_byteorder_record=False):
    """Writes any object that can be pickled, tensors and whole modules included, as PyTorch's zip format. A path is replaced only when the new
    file is whole."""
    if not _use_new_zipfile_serialization:
        raise NotImplementedError("only the zip format is written; the older one is read")
    out = io.BytesIO()
    parameter = importlib.import_module("tenon.nn").Parameter  # which is made after this module
    _Pickler.dispatch.setdefault(parameter, _save_parameter)
    pickler = _Pickler(out, pickle_protocol)
    pickler.dump(obj)
    storages = [_core._new_as(_core.uint8, storage) for _, storage, _ in pickler.storages.values()]
    if isinstance(f, (str, os.PathLike)):
        target = os.fspath(f)
    elif hasattr(f, "write"):
        target = f.write
    else:
        raise TypeError(f"a path or a file that is open for writing is wanted, not {type(f).__name__}")
    _core._file_write(target, "pt", [str(i) for i in range(len(storages))], storages, None, {"data.pkl": out.getvalue()})
