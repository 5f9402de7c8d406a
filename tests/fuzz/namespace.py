"""namespace.py - fuzzes the Python package: everything callable in it with random arguments, DLPack capsules, and pickles.

    PYTHONPATH=build/python python3 tests/fuzz/namespace.py --seed 1 --count 5000
    PYTHONPATH=build/python python3 tests/fuzz/namespace.py --seed 1 --seconds 60
    PYTHONPATH=build/python python3 tests/fuzz/namespace.py FILE...

Of any call it demands: no crash, no SystemError (a C function that failed without an exception, or succeeded with one), and that
one which raised has changed no tensor it was given. Of a capsule that states something impossible, that it is refused and stays
the caller's; of one that is sound, that its tensor is read and its deleter runs exactly once. Of a broken pickle, an
exception or an object, whatever the bytes.

Made to be run under the address sanitizer, with the library built so: tools/fuzz-python does. The cases run in a child, which is
started again after a case that ended it. A finding is a file, to be named namespace-* in tests/fuzz/corpus, where `make test` replays
it: what was called, the line "choices:", and a line for each choice, so that it means the same when the drawing has changed (see
tests/fuzz/parts/tape.h). In place of the choices there may be a seed; --record writes them to a file. --loud prints what is called.
"""
import argparse
import ctypes
import faulthandler
import io
import linecache
import math
import os
import pathlib
import pickle
import random
import subprocess
import sys
import tempfile
import time
import traceback

import tenon

try:
    import numpy
except ImportError:
    numpy = None

DTYPES = [getattr(tenon, name) for name in (
    "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128 "
    "float8_e4m3fn float8_e5m2").split()]
EXTREME = [0, 1, -1, 2, 255, -129, 2**31 - 1, -2**31, 2**32, 2**53 + 1, 2**62, 2**63 - 1, -2**63, 2**63, 2**64 - 1, 2**64, -2**200]
FLOATS = [0.0, 1.0, -0.5, 1.5, 3.0, 1e-5, 1e300, -0.0, math.nan, math.inf, -math.inf]
WORDS = ["", "sum", "mean", "floor", "trunc", "linear", "ij", "fan_in", "float32", "cpu", "cuda:0", "fro", "nuc", "left", "tanh",
         "constant", "circular", "..., 0", "\udc80", "\0", "x" * 3000, "é", "10.3f", ">12"]
KEYWORDS = ["dim", "out", "dtype", "keepdim", "device", "other", "input", "self", "size", "alpha", "generator", "memory_format",
            "correction", "unbiased", "descending", "stable", "copy", "rounding_mode", "index", "indices", "src", "value", "p",
            "requires_grad", "dims", "axis", "shape", "max_version", "dl_device", "stream", "nonsense", "weight", "mode"]

# What changes the state of the process, asks others in, or reads memory at an address that is given as a number.
LEFT_OUT = {"set_num_threads", "set_default_dtype", "set_default_generator", "set_printoptions", "set_rng_state", "load_library",
            "set_grad_enabled", "from_file", "data_ptr", "set_default_device", "__init_subclass__", "__class__", "__subclasshook__",
            "__dir__", "__delattr__", "__setattr__", "__getattribute__", "inference_mode", "no_grad", "set_warn_always"}


class Choices(random.Random):
    """Random numbers, or those that were written down: a line for each, the function that asks, its words, and what was chosen."""

    def __init__(self, seed, written=(), record=None):
        super().__init__(seed)
        self.written, self.record = {}, record
        for line in written:
            asked, _, chosen = line.rpartition(" = ")
            self.written.setdefault(asked, []).append(chosen)

    def decide(self, draw, read, fits):
        frame = sys._getframe(2)
        while frame.f_code.co_filename == random.__file__:
            frame = frame.f_back
        asked = f"{frame.f_code.co_name}: {linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()}"
        waiting = self.written.get(asked)
        chosen = read(waiting.pop(0)) if waiting else None
        if chosen is None or not fits(chosen):
            chosen = draw()
        if self.record:
            print(f"{asked} = {chosen.hex() if isinstance(chosen, bytes) else repr(chosen)}", file=self.record, flush=True)
        return chosen

    def random(self):
        return self.decide(super().random, float, lambda x: True)

    def _randbelow(self, n):
        return self.decide(lambda: super(Choices, self)._randbelow(n), int, lambda x: x < n)

    def randbytes(self, n):
        return self.decide(lambda: super(Choices, self).randbytes(n), bytes.fromhex, lambda x: True)


class Finding(Exception):
    """What must not happen has happened."""


class Odd:
    """An object that behaves otherwise each time it is asked."""

    def __init__(self, rng):
        self.rng = rng

    def act(self, *results):
        chosen = self.rng.randrange(len(results) + 1)
        if chosen == len(results):
            raise self.rng.choice([ValueError, TypeError, IndexError, KeyError, AttributeError])("odd")
        return results[chosen]

    def __index__(self):
        return self.act(0, 1, -1, 2**70)

    def __float__(self):
        return self.act(0.5, math.nan)

    def __complex__(self):
        return self.act(1j)

    def __bool__(self):
        return self.act(True, False)

    def __len__(self):
        return self.act(0, 1, 3, 2**62)

    def __getitem__(self, key):
        return self.act(1, self, [1, 2], 2.5)

    def __iter__(self):
        return self.act(iter([1, 2]), iter([self, 2]), iter([]))

    def __array__(self, *args, **kwargs):
        return self.act(None, 1, [1])

    def __dlpack__(self, **kwargs):
        return self.act(None, 1, tenon.ones(2).__dlpack__())

    def __dlpack_device__(self):
        return self.act((1, 0), (2, 0), None, ())

    def __hash__(self):
        return 1


class Shrinking(list):
    """A list that loses its items while they are read."""

    def __getitem__(self, key):
        item = super().__getitem__(key)
        self.clear()
        return item

    def __iter__(self):
        while self:
            yield self.pop()


class Index(int):
    def __index__(self):
        return int(self)


class Sub(tenon.Tensor):
    pass


# ---- arguments

def tensor(rng, shape=None):
    shape = shape if shape is not None else [rng.choice([0, 1, 2, 3, 4, 5]) if rng.random() < 0.95 else 33 for _ in range(rng.randrange(5))]
    dtype = rng.choice([tenon.float32, tenon.int64, rng.choice(DTYPES)])
    x = tenon.zeros([2 * n + 1 for n in shape], dtype=dtype)
    if rng.random() < 0.7:
        x = tenon.randint(0, 5, x.shape, generator=generator(rng)).to(dtype)
    x = x[tuple(slice(None, n) if rng.random() < 0.6 else slice(1, None, 2) for n in shape)] if shape else x
    how = rng.randrange(8)
    if how == 0 and x.ndim > 1:
        x = x.permute(*rng.sample(range(x.ndim), x.ndim))
    elif how == 1 and x.ndim:
        x = x.flip(0)
    elif how == 2:
        x = x.clone()
    elif how == 3:
        x = tenon.zeros((), dtype=dtype).expand(shape)
    elif how == 4:
        x = x.clone()
        kept = Sub(x)
        kept.note = "kept"
        x = kept
    return x


def generator(rng):
    made = tenon.Generator()
    made.manual_seed(rng.randrange(1000))
    return made


def plain(rng, depth=0):
    kind = rng.randrange(9 if depth < 3 else 5)
    if kind < 3:
        return rng.randrange(-3, 5)
    if kind == 3:
        return rng.choice(FLOATS)
    if kind == 4:
        return rng.choice([True, None, 1j, rng.choice(EXTREME), rng.choice(WORDS)])
    items = [plain(rng, depth + 1) for _ in range(rng.randrange(4))]
    return items if kind < 7 else tuple(items) if kind == 7 else Shrinking(items)


def index(rng):
    def one():
        return rng.choice([
            lambda: rng.randrange(-4, 4), lambda: slice(None), lambda: slice(rng.choice([None, 0, 1, -1]), rng.choice([None, 2, -1, 2**70]), rng.choice([None, 1, 2, -1, 0, 2**62])),
            lambda: None, lambda: Ellipsis, lambda: rng.random() < 0.5, lambda: [0, 1], lambda: tensor(rng), lambda: rng.choice(EXTREME),
            lambda: tenon.randint(0, 2, [rng.randrange(4)]), lambda: range(2), lambda: Odd(rng), lambda: plain(rng)])()
    return one() if rng.random() < 0.5 else tuple(one() for _ in range(rng.randrange(5)))


def argument(rng, shape):
    kind = rng.random()
    if kind < 0.4:
        return tensor(rng, shape if rng.random() < 0.75 else None)
    if kind < 0.58:
        return rng.randrange(-2, 4)
    if kind < 0.63:
        return rng.choice(EXTREME)
    if kind < 0.68:
        return rng.choice(FLOATS)
    if kind < 0.74:
        return rng.choice([None, True, False])
    if kind < 0.82:
        return rng.choice([list, tuple, tenon.Size])([rng.randrange(-1, 5) for _ in range(rng.randrange(5))])
    if kind < 0.87:
        return plain(rng)
    if kind < 0.90:
        return [tensor(rng, shape) for _ in range(rng.randrange(4))]
    if kind < 0.93:
        return rng.choice(DTYPES)
    return rng.choice([
        lambda: rng.choice(WORDS), lambda: Odd(rng), lambda: Index(rng.randrange(4)), lambda: index(rng), lambda: generator(rng),
        lambda: tensor(rng).untyped_storage(), lambda: bytearray(rng.randbytes(rng.randrange(40))), lambda: rng.randbytes(8),
        lambda: memoryview(bytearray(24)).cast("d"), lambda: {"dim": 1}, lambda: object(), lambda: rng.choice([int, float, tenon.Tensor]),
        lambda: iter([1, 2]), lambda: range(rng.randrange(4)), lambda: tenon.device("cpu"), lambda: tenon.channels_last, lambda: tenon.strided,
        lambda: numpy.arange(6, dtype=rng.choice("bhilqfdFD")).reshape(2, 3)[::rng.choice([1, -1])] if numpy else 1,
        lambda: numpy.array([1, "a", None], dtype=object) if numpy else 1, lambda: circle()])()


def circle():
    inside = [1]
    inside.append(inside)
    return inside


def keyword(rng, shape):
    name = rng.choice(KEYWORDS)
    if name == "out":
        return name, tensor(rng, shape if rng.random() < 0.5 else [0]) if rng.random() < 0.9 else argument(rng, shape)
    if name == "dtype":
        return name, rng.choice(DTYPES)
    if name in ("keepdim", "stable", "descending", "copy"):
        return name, rng.random() < 0.5
    return name, argument(rng, shape)


# ---- what is called

def targets():
    found = []
    modules = [tenon, tenon.nn.functional, tenon.linalg, tenon.special, tenon.random, tenon.array_api, tenon.nn.init, tenon.fft]
    for module in modules:
        for name in sorted(dir(module)):
            value = getattr(module, name, None)
            if callable(value) and name not in LEFT_OUT and not isinstance(value, type(tenon)) and not (isinstance(value, type) and issubclass(value, BaseException)):
                found.append((f"{module.__name__}.{name}", value, None))
    for kind, make in ((tenon.Tensor, tensor), (tenon.UntypedStorage, lambda rng, shape: tensor(rng, shape).untyped_storage()),
                       (tenon.Generator, lambda rng, shape: generator(rng)), (tenon.Size, lambda rng, shape: tenon.Size(shape)),
                       (tenon.dtype, lambda rng, shape: rng.choice(DTYPES)), (tenon.device, lambda rng, shape: tenon.device("cpu"))):
        for name in sorted(dir(kind)):
            if name not in LEFT_OUT:
                found.append((f"{kind.__name__}.{name}", name, make))
    return found


def picture(things):
    """Sizes, strides, offset, version and elements of every tensor among them."""
    seen = []
    for thing in things:
        if isinstance(thing, tenon.Tensor):
            seen.append((tuple(thing.shape), thing.stride(), thing.storage_offset(), thing.dtype, thing._version, repr(thing.tolist())))
        elif type(thing) in (list, tuple):
            seen.append(picture([x for x in thing if isinstance(x, tenon.Tensor)]))
    return seen


def around(out):
    """The elements of the storage of a tensor that are not the tensor's, by their place."""
    if not isinstance(out, tenon.Tensor):
        return {}
    count = out.untyped_storage().nbytes() // out.element_size()
    places = tenon.arange(count)
    inside = set(places.as_strided(out.shape, out.stride(), out.storage_offset()).reshape(-1).tolist()) if out.numel() else set()
    return {place: repr(value) for place, value in enumerate(out.as_strided((count,), (1,), 0).tolist()) if place not in inside}


def odd(things):
    return any(isinstance(x, (Odd, Shrinking)) or (isinstance(x, (list, tuple)) and len(x) < 100 and x is not things and
               any(isinstance(y, (Odd, Shrinking, list, tuple)) for y in x)) for x in things)


def call(rng, target, say):
    name, what, make = target
    shape = [rng.choice([0, 1, 2, 3, 4]) for _ in range(rng.randrange(4))]
    args = [argument(rng, shape) for _ in range(rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, 6]))]
    kwargs = dict(keyword(rng, shape) for _ in range(rng.choice([0, 0, 0, 1, 1, 2])))
    if make is not None:
        owner = make(rng, shape)
        if name.endswith("item__"):
            args[:1] = [index(rng)]
        if rng.random() < 0.05:
            kwargs = {}
            args = []
        things = [owner] + args + list(kwargs.values())
    else:
        if rng.random() < 0.8 and args and not isinstance(args[0], tenon.Tensor):
            args[0] = tensor(rng, shape)
        things = args + list(kwargs.values())
    say(lambda: f"{name} of {describe(things[0]) if make else ''} with {', '.join(map(describe, args))} {', '.join(k + '=' + describe(v) for k, v in kwargs.items())}")
    tenon.manual_seed(1)
    before = None if odd(things) else picture(things)
    out = kwargs.get("out")
    outside = around(out)
    try:
        if make is None:
            result = what(*args, **kwargs)
        elif rng.random() < 0.1 and not name.startswith("Tensor.__"):
            result = getattr(owner, what)
        else:
            function = getattr(owner, what)
            result = function(*args, **kwargs) if callable(function) else function
        now = around(out)
        if any(now.get(place, value) != value for place, value in outside.items()):
            raise Finding("memory beside out was changed")
        if rng.random() < 0.3:
            repr(result)
        for item in result if type(result) in (tuple, list) else [result]:
            if isinstance(item, tenon.Tensor) and item.numel() < 100000:
                item.tolist()
    except SystemError as error:
        raise Finding(f"SystemError: {error}") from error
    except (RecursionError, Finding) as error:
        if isinstance(error, Finding):
            raise
    except Exception as error:
        if str(error).startswith("internal") or "please report" in str(error):
            raise Finding(str(error)) from error
        if before is not None and picture(things) != before and name != "Tensor.__array__":
            raise Finding(f"a call that raised has changed a tensor: {error!r}") from error


def describe(thing):
    if isinstance(thing, tenon.Tensor):
        return f"<{thing.dtype} {tuple(thing.shape)} strides {thing.stride()}>"
    if isinstance(thing, (Odd, Shrinking)):
        return f"<{type(thing).__name__}>"
    try:
        return repr(thing)[:200]
    except Exception:
        return f"<{type(thing).__name__}>"


# ---- DLPack

class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Old(ctypes.Structure):
    pass


class Versioned(ctypes.Structure):
    pass


OLD_DELETER = ctypes.CFUNCTYPE(None, ctypes.POINTER(Old))
VERSIONED_DELETER = ctypes.CFUNCTYPE(None, ctypes.POINTER(Versioned))
Old._fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", OLD_DELETER)]
Versioned._fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p), ("deleter", VERSIONED_DELETER),
                      ("flags", ctypes.c_uint64), ("tensor", DLTensor)]
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
capsule_is = ctypes.pythonapi.PyCapsule_IsValid
capsule_is.argtypes = [ctypes.py_object, ctypes.c_char_p]
SOUND = [(0, 8), (0, 16), (0, 32), (0, 64), (1, 8), (1, 16), (1, 32), (1, 64), (2, 16), (2, 32), (2, 64), (4, 16), (5, 64), (5, 128), (6, 8)]


def capsule(rng, say):
    versioned = rng.random() < 0.5
    ndim = rng.choice([0, 1, 2, 3, 6, 64])
    sizes = [rng.choice([0, 1, 2, 3]) if ndim < 64 else 1 for _ in range(ndim)]
    code, bits = rng.choice(SOUND)
    strides, step = [0] * ndim, 1
    for k in reversed(range(ndim)):
        strides[k] = step * (rng.choice([1, 1, 2]) if ndim < 64 else 1)
        step = strides[k] * max(sizes[k], 1)
    offset = rng.choice([0, 0, 8, 16])
    memory = (ctypes.c_char * (step * bits // 8 + offset + 16))()
    calls = []
    struct = Versioned() if versioned else Old()
    struct.deleter = (VERSIONED_DELETER if versioned else OLD_DELETER)(lambda pointer: calls.append(1))
    if versioned:
        struct.major, struct.minor, struct.flags = 1, rng.choice([0, 1, 7]), rng.choice([0, 0, 1, 2, 3])
    t = struct.tensor
    shape_array = (ctypes.c_int64 * max(ndim, 1))(*sizes)
    stride_array = (ctypes.c_int64 * max(ndim, 1))(*strides)
    t.data = ctypes.addressof(memory)
    t.device_type, t.device_id, t.ndim, t.code, t.bits, t.lanes, t.byte_offset = 1, 0, ndim, code, bits, 1, offset
    t.shape, t.strides = shape_array, stride_array
    name = b"dltensor_versioned" if versioned else b"dltensor"
    wrong = None
    if rng.random() < 0.6:
        wrong = rng.choice(["ndim", "size", "sizes", "code", "bits", "lanes", "device", "stride", "name", "major", "byte_offset", "shape", "data"])
        if wrong == "ndim":
            t.ndim = rng.choice([-1, 65, 2**31 - 1, -2**31])
        elif wrong == "size" and ndim:
            shape_array[rng.randrange(ndim)] = rng.choice([-1, -2**63, 2**63 - 1 if 0 not in sizes and bits > 8 else -7])
        elif wrong == "sizes" and ndim > 1 and 0 not in sizes:
            shape_array[0], shape_array[1] = 2**40, 2**40
        elif wrong == "code":
            t.code = rng.choice([3, 99, 255])
        elif wrong == "bits":
            t.bits = rng.choice([0, 7, 24, 255, 1])
        elif wrong == "lanes":
            t.lanes = rng.choice([0, 2, 65535])
        elif wrong == "device":
            t.device_type = rng.choice([2, 10, -1, 0, 2**31 - 1])
        elif wrong == "stride" and ndim and any(n > 1 for n in sizes) and 0 not in sizes:
            k = next(k for k in range(ndim) if sizes[k] > 1)
            stride_array[k] = rng.choice([2**62 if bits > 8 else -2**63, -2**63, 2**63 - 1 if bits > 8 else -2**63])
        elif wrong == "name":
            name = rng.choice([b"used_dltensor", b"used_dltensor_versioned", b"dltensor2", b"", None])
        elif wrong == "major" and versioned:
            struct.major = rng.choice([2, 3, 2**32 - 1])
        elif wrong == "byte_offset" and 0 not in sizes:
            t.byte_offset = rng.choice([2**64 - 1, 2**63, 2**64 - 8])
        elif wrong == "shape" and ndim:
            t.shape = None
        elif wrong == "data" and 0 not in sizes:
            t.data = None
        else:
            wrong = None
    made = new_capsule(ctypes.addressof(struct), name, None)
    say(lambda: f"capsule {name} sizes {sizes} strides {strides} dtype {code}, {bits}, wrong: {wrong}; now ndim {t.ndim}, shape {list(shape_array)}, "
        f"strides {list(stride_array)}, code {t.code}, bits {t.bits}, lanes {t.lanes}, device {t.device_type}, byte_offset {t.byte_offset}")
    try:
        x = tenon.from_dlpack(made)
    except SystemError as error:
        raise Finding(f"SystemError: {error}") from error
    except Exception as error:
        if wrong is None:
            raise Finding(f"a sound capsule is refused: {error!r}") from error
        if calls:
            raise Finding("the deleter of a capsule that was refused has run") from error
        if name is not None and not capsule_is(made, name):
            raise Finding("a capsule that was refused was renamed") from error
        return
    if wrong is not None:
        raise Finding(f"a capsule with a wrong {wrong} is taken")
    if list(x.shape) != sizes:
        raise Finding("other sizes than the capsule has")
    x.tolist()
    x.clone()
    if not capsule_is(made, b"used_" + name) or calls:
        raise Finding("a capsule that was taken is not marked as used, or its memory given back")
    view = x.reshape(-1)[:1]
    del x
    del view
    if len(calls) != 1:
        raise Finding(f"the deleter ran {len(calls)} times")


# ---- pickles

class Narrow(pickle.Unpickler):
    """Broken bytes may name anything: only what a pickle of ours names is found."""

    def find_class(self, module, name):
        if module.split(".")[0] == "tenon" or (module, name) in (("collections", "OrderedDict"), ("builtins", "bytearray"), ("__main__", "Sub")):
            return super().find_class(module, name)
        raise pickle.UnpicklingError("not ours")


def broken_pickle(rng, say):
    x = tensor(rng)
    what = rng.choice([x, [x, x[:1] if x.ndim else x], x.untyped_storage(), x.dtype, x.shape, generator(rng), tenon.device("cpu"), tenon.add])
    data = bytearray(pickle.dumps(what, protocol=rng.choice([2, 3, 4, 5])))
    for _ in range(rng.choice([0, 1, 1, 2, 4])):
        at = rng.randrange(len(data))
        how = rng.randrange(4)
        if how == 0:
            data[at] = rng.randrange(256)
        elif how == 1:
            data[at] ^= 1 << rng.randrange(8)
        elif how == 2:
            del data[at:at + rng.randrange(1, 9)]
        else:
            data[at:at] = data[rng.randrange(len(data)):][:rng.randrange(9)]
        if not data:
            return
    say(lambda: f"pickle {bytes(data)!r}")
    read(Narrow(io.BytesIO(bytes(data))).load)
    if hasattr(x, "__reduce_ex__"):
        function, args = x.__reduce_ex__(2)[:2]
        args = list(args)
        for _ in range(rng.choice([1, 1, 2])):
            args[rng.randrange(len(args))] = rng.choice([plain(rng), argument(rng, [2]), rng.choice(EXTREME), (rng.choice(EXTREME),) * 2])
        say(lambda: f"{function} with {args}"[:2000])
        read(lambda: function(*args))


def read(load):
    try:
        made = load()
        for item in made if isinstance(made, list) else [made]:
            if isinstance(item, tenon.Tensor) and item.numel() < 100000:
                item.tolist()
            repr(item)
    except SystemError as error:
        raise Finding(f"SystemError: {error}") from error
    except Exception:
        pass


# ---- cases

def run_case(name, rng, found, say):
    if name == "capsule":
        capsule(rng, say)
    elif name == "pickle":
        broken_pickle(rng, say)
    elif name in found:
        call(rng, found[name], say)


def cases(options, found):
    """The name of what is called, the seed, and choices that were written down."""
    for path in options.files:
        name, seed, *written = pathlib.Path(path).read_text().splitlines()
        yield name, 0 if seed == "choices:" else int(seed), written
    if options.files:
        return
    names = sorted(found)
    end = time.monotonic() + options.seconds if options.seconds else math.inf
    for seed in range(options.seed, options.seed + (options.count or 10**12)):
        if time.monotonic() > end:
            return
        kind = random.Random(-seed).random()
        yield "capsule" if kind < 0.1 else "pickle" if kind < 0.2 else names[int((kind - 0.2) / 0.8 * len(names))], seed, ()


def work(options):
    """In the child. What runs is written down before it runs."""
    faulthandler.enable()
    found = {target[0]: target for target in targets()}

    def say(words):
        if options.loud:
            print(words(), file=sys.stderr, flush=True)

    printed = []  # what Python found out where it cannot raise: an object freed that others look into
    sys.excepthook = lambda kind, value, trace: printed.append(value)
    sys.unraisablehook = lambda about: printed.append(about.exc_value) if isinstance(about.exc_value, SystemError) else None
    done = 0
    with open(options.child, "r+b", buffering=0) as file:
        record = open(options.record, "w") if options.record else None
        for name, seed, written in cases(options, found):
            file.seek(0)
            file.write(f"{name} {seed} {done}".ljust(200).encode())
            faulthandler.dump_traceback_later(60, exit=True)
            if record:
                print(f"{name}\nchoices:", file=record, flush=True)
            try:
                run_case(name, Choices(seed, written, record), found, say)
                if name == "pickle":  # CPython's unpickler frees a bytearray it still reads into when there is no memory for it
                    printed = [error for error in printed if "bytearray" not in str(error)]
                if printed:
                    raise Finding(repr(printed))
            except Finding as finding:
                traceback.print_exc()
                print(f"finding: {finding}", file=sys.stderr, flush=True)
                os._exit(3)
            done += 1
        faulthandler.cancel_dump_traceback_later()
        file.seek(0)
        file.write(f"end 0 {done}".ljust(200).encode())


def child(options, progress, files, more, **redirected):
    command = [sys.executable, "-B", __file__, "--child", progress, *files, *more, *["--loud"] * options.loud]
    if options.record:
        command += ["--record", options.record]
    return subprocess.run(command, **redirected).returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--seconds", type=int, default=0)
    parser.add_argument("--keep", help="a folder for files of what fails")
    parser.add_argument("--loud", action="store_true", help="tell what is called before it is")
    parser.add_argument("--record", help="a file for the choices of the one case that is run")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        work(options)
        return 0
    if options.record and len(options.files) != 1:
        parser.error("--record takes one file")

    began, total, findings = time.monotonic(), 0, 0
    end = options.seed + options.count
    with tempfile.NamedTemporaryFile() as progress:
        while options.files or options.seconds or options.seed < end:
            left = max(1, math.ceil(options.seconds - (time.monotonic() - began))) if options.seconds else 0
            status = child(options, progress.name, options.files,
                           ["--seed", str(options.seed), "--count", str(max(0, end - options.seed)), "--seconds", str(left)])
            progress.seek(0)
            written = progress.read().decode().split()
            name, seed, done = written if len(written) == 3 else ("start", "0", "0")
            total += int(done)
            if status == 0:
                break
            findings += 1
            print(f"FOUND by {name}, seed {seed}: status {status}", flush=True)
            if name in ("start", "end"):
                break
            if options.keep:
                kept = pathlib.Path(options.keep, f"namespace-{seed}")
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_text(f"{name}\n{seed}\n")
                again = kept.with_suffix(".choices")
                child(options, progress.name, [str(kept)], ["--record", str(again)], stderr=subprocess.DEVNULL)
                again.replace(kept)
                print(f"  written to {kept}", flush=True)
            if options.files:
                options.files = options.files[int(done) + 1:]
                if not options.files:
                    break
            else:
                options.seed = int(seed) + 1
            if options.seconds and time.monotonic() - began > options.seconds:
                break
    print(f"{total} cases, {findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
