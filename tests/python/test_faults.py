"""Calls with each of their allocations failing in turn: MemoryError, nothing left behind, and the same call works afterwards."""

import array
import copy
import ctypes
import gc
import operator
import os
import pathlib
import pickle
import sys

import numpy as np
import pytest
import tenon

from test_library import compiled

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    library = ctypes.PyDLL(str(compiled(tmp_path_factory.mktemp("faults"), ROOT / "tests/python/plugin/faults.c", "-shared")))
    library.faults_call.restype = ctypes.py_object
    library.faults_call.argtypes = [ctypes.py_object, ctypes.py_object, ctypes.py_object, ctypes.c_long]
    assert library.faults_begin() == 1
    gc.collect()
    gc.freeze()  # so that a collection, which empties the interpreter's stocks of free objects, takes no time
    yield library
    gc.unfreeze()
    library.faults_end()


class Sub(tenon.Tensor):
    pass


def sub(value):
    made = tenon.tensor(value).as_subclass(Sub)
    made.note = "kept"
    return made


class Odd:
    """Not a tensor, and wrong wherever one is wanted."""

    def __repr__(self):
        return "odd"


X = tenon.arange(6.).reshape(2, 3)
I = tenon.arange(6).reshape(2, 3)
C = tenon.tensor([1 + 2j, 3 - 1j])
B = tenon.tensor([True, False])
A = array.array("d", range(3))  # NumPy, which does not survive everything itself, is asked only for its buffer
N = np.arange(2.0)[:, None]
G = tenon.Generator()
S = X.untyped_storage()


def call(function, *arguments, **names):
    return function, arguments, names


W = tenon.nn.Parameter(tenon.ones(3, 3))
MANY = [tenon.nn.Parameter(tenon.ones(3, 3)) for _ in range(20)]  # more casts than the cache has room for at first
SHARED = X.clone().share_memory_().untyped_storage()


def share():
    return tenon.arange(6.0).share_memory_()


def attach():
    descriptor, size = tenon._core._shared_handle(SHARED)
    return tenon._core._attach_shared(os.dup(descriptor), size)


def cast(weights):
    before = tenon._core._set_autocast(tenon.bfloat16)  # not autocast: Python may have no memory to call its __exit__
    try:
        for weight in weights:
            made = tenon.nn.functional.linear(X, weight)
        return tenon.nn.functional.linear(X, weights[0]) + made
    finally:
        tenon._core._set_autocast(before)


CALLS = {
    "share": call(share),
    "attach": call(attach),
    "autocast": call(cast, [W]),
    "autocast_many": call(cast, MANY),
    "shape": call(getattr, X, "shape"),
    "device": call(getattr, X, "device"),
    "real": call(getattr, C, "real"),
    "H": call(getattr, X, "H"),
    "T": call(getattr, X, "T"),
    "data": call(getattr, X, "data"),
    "layout": call(getattr, X, "layout"),
    "set_real": call(setattr, C.clone(), "real", 3.0),
    "set_data": call(setattr, X.clone(), "data", X),
    "nbytes": call(getattr, tenon.arange(600), "nbytes"),
    "add": call(operator.add, X, X),
    "radd": call(operator.add, 1000.5, X),
    "iadd": call(operator.iadd, X.clone(), 2.0),
    "add_array": call(operator.add, X, A),
    "iadd_array": call(operator.iadd, X.clone(), A),
    "pow": call(pow, X, 2),
    "matmul": call(operator.matmul, X, X.T),
    "equal": call(operator.eq, X, A),
    "equal_numpy": call(operator.eq, X, N),
    "getitem_numpy": call(operator.getitem, X, N.astype("int64")),
    "not_equal": call(operator.ne, X, [1, 2, 3]),
    "contains": call(operator.contains, X, 3.0),
    "len": call(len, X),
    "abs": call(abs, X),
    "neg": call(operator.neg, X),
    "float": call(float, X[0, 1]),
    "int": call(int, I[0, 1]),
    "complex": call(complex, C[0]),
    "index": call(operator.index, I[1, 1]),
    "round": call(round, X),
    "iter": call(list, X),
    "bool": call(bool, X[0, 1]),
    "item": call(X[1, 1].item),
    "tolist": call(X.tolist),
    "tolist_int": call((I * 1000).tolist),
    "tolist_bool": call(B.tolist),
    "tolist_complex": call(C.tolist),
    "tolist_half": call(X.half().tolist),
    "tolist_int32": call((I * 1000).int().tolist),
    "tolist_byte": call(I.byte().tolist),
    "tolist_float64": call(X.double().tolist),
    "tolist_deep": call(X.reshape(1, 2, 3).tolist),
    "repr": call(repr, X),
    "repr_long": call(repr, tenon.arange(900.).reshape(30, 30) / 7),
    "str_complex": call(str, C),
    "format": call(format, X[0, 1], ".2f"),
    "hash": call(hash, X),
    "dir": call(dir, tenon.float32),
    "getitem": call(operator.getitem, X, 0),
    "getitem_pair": call(operator.getitem, X, (0, slice(None, None, 2))),
    "getitem_list": call(operator.getitem, X, [0, 1]),
    "getitem_lists": call(operator.getitem, X, ([0, 1], [0, 2])),
    "getitem_mask": call(operator.getitem, X, X > 2),
    "getitem_array": call(operator.getitem, X, array.array("q", [0, 1])),
    "getitem_none": call(operator.getitem, X, (None, Ellipsis)),
    "getitem_nested": call(operator.getitem, X, [[0, 1], [1, 0]]),
    "setitem": call(operator.setitem, X.clone(), 0, 5.0),
    "setitem_list": call(operator.setitem, X.clone(), 0, [1, 2, 3]),
    "setitem_tensor": call(operator.setitem, X.clone(), [0, 1], X),
    "setitem_array": call(operator.setitem, X.clone(), slice(0, 2), A),
    "function": call(tenon.add, X, X),
    "function_alpha": call(tenon.add, X, 2, alpha=3),
    "function_out": call(tenon.add, X, X, out=X.clone()),
    "old_alpha": call(tenon.add, X, 2, X),
    "cat": call(tenon.cat, [X, X]),
    "cat_names": call(tenon.cat, tensors=(X, X), dim=1),
    "stack_out": call(tenon.stack, [X, X], out=tenon.empty(2, 2, 3)),
    "sort": call(tenon.sort, X),
    "sort_out": call(tenon.sort, X, out=(X.clone(), I.clone())),
    "max_dim": call(X.max, dim=0),
    "max_out": call(tenon.max, X, 1, out=[tenon.empty(2), tenon.empty(2, dtype=tenon.int64)]),
    "split": call(X.split, 1),
    "chunk": call(X.chunk, 2, dim=1),
    "unbind": call(X.unbind),
    "where": call(tenon.where, X > 2, X, 0.0),
    "where_one": call(tenon.where, X > 2),
    "reshape": call(X.reshape, 3, 2),
    "reshape_list": call(X.reshape, [3, 2]),
    "permute": call(X.permute, 1, 0),
    "sum": call(X.sum),
    "sum_dims": call(X.sum, dim=(0, 1), keepdim=True),
    "mean": call(tenon.mean, X, 0),
    "clamp": call(X.clamp, min=1),
    "einsum": call(tenon._core.einsum, "ij,ij->i", [X, X]),
    "expand": call(X.expand, 4, 2, 3),
    "histogram": call(tenon.histogram, X, 4, range=(0.0, 5.0)),
    "histogramdd": call(tenon.histc, X, 4, 0, 5),
    "meshgrid": call(tenon.meshgrid, X[0], X[0], indexing="ij"),
    "broadcast_tensors": call(tenon.broadcast_tensors, X, X[0]),
    "unique": call(tenon.unique, I, return_counts=True),
    "index_put": call(X.clone().index_put_, (tenon.tensor([0]),), tenon.tensor(1.0)),
    "rand": call(tenon.rand, 2, 3, generator=G),
    "zeros": call(tenon.zeros, 2, 3),
    "zeros_options": call(tenon.zeros, (2, 3), dtype=tenon.int8, device="cpu"),
    "full": call(tenon.full, (2,), 7),
    "arange": call(tenon.arange, 0, 5, 0.5),
    "empty_meta": call(tenon.empty, 2, device="meta"),
    "tensor": call(tenon.tensor, [[1, 2.5], [3, 4]]),
    "tensor_array": call(tenon.tensor, A),
    "tensor_dtype": call(tenon.tensor, [1, 2], dtype=tenon.int8),
    "tensor_tensors": call(tenon.tensor, [X[0, 0], X[1, 1]]),
    "as_tensor": call(tenon.as_tensor, A),
    "asarray": call(tenon.asarray, [1, 2], dtype=tenon.float64),
    "asarray_copy": call(tenon.asarray, A, copy=True),
    "frombuffer": call(tenon.frombuffer, bytearray(8), dtype=tenon.int16),
    "from_dlpack": call(tenon.from_dlpack, X),
    "dlpack": call(X.__dlpack__),
    "dlpack_version": call(X.__dlpack__, max_version=(1, 0)),
    "dlpack_device": call(X.__dlpack_device__),
    "memoryview": call(memoryview, X),
    "size": call(X.size),
    "size_dim": call(X.size, 1),
    "stride": call(X.stride),
    "Size": call(tenon.Size, [2, 3]),
    "Size_repr": call(repr, X.shape),
    "Size_numel": call(tenon.Size([2000, 3000]).numel),
    "Size_add": call(operator.add, X.shape, (1,)),
    "Size_slice": call(operator.getitem, X.shape, slice(1)),
    "Size_times": call(operator.mul, X.shape, 2),
    "Size_reduce": call(X.shape.__reduce__),
    "device_new": call(tenon.device, "cuda", 1),
    "device_repr": call(repr, tenon.device("cpu")),
    "dtype_repr": call(repr, tenon.int8),
    "device_reduce": call(tenon.device("cpu").__reduce__),
    "to": call(X.to, tenon.int8),
    "to_names": call(X.to, dtype=tenon.float64, copy=True),
    "to_other": call(X.to, other=I),
    "type": call(X.type),
    "type_name": call(X.type, "torch.LongTensor"),
    "double": call(X.double),
    "cpu": call(X.cpu),
    "new_zeros": call(X.new_zeros, (2, 2)),
    "new_tensor": call(X.new_tensor, [1, 2]),
    "new_full": call(X.new_full, (2,), 3.0),
    "namespace": call(X.__array_namespace__),
    "copy": call(copy.copy, X),
    "deepcopy": call(X.__deepcopy__, {}),
    "reduce": call(X.__reduce_ex__, 2),
    "unpickle": call(pickle.loads, pickle.dumps(X)),
    "subclass": call(X.as_subclass, Sub),
    "sub_add": call(operator.add, sub([1.0]), 1.0),
    "sub_copy": call(sub([1.0]).__copy__),
    "sub_deepcopy": call(sub([1.0]).__deepcopy__, {}),
    "sub_reduce": call(sub([1.0]).__reduce_ex__, 2),
    "sub_repr": call(repr, sub([1.0])),
    "results_reduce": call(tenon.sort(X).__reduce__),
    "results_repr": call(repr, tenon.sort(X)),
    "results_pickle": call(pickle.loads, pickle.dumps(tenon.sort(X))),
    "generator": call(tenon.Generator),
    "generator_seed": call(G.manual_seed, 2 ** 63 + 1),
    "generator_state": call(G.get_state),
    "generator_clone": call(G.clone_state),
    "generator_split": call(G.split, 3),
    "generator_reduce": call(G.__reduce__),
    "generator_repr": call(repr, G),
    "generator_device": call(getattr, G, "device"),
    "storage": call(X.untyped_storage),
    "storage_list": call(S.tolist),
    "storage_slice": call(operator.getitem, S, slice(0, 4)),
    "storage_repr": call(repr, S),
    "storage_new": call(tenon.UntypedStorage, [1, 2, 3]),
    "storage_size": call(tenon.UntypedStorage, 8),
    "storage_copy": call(S.clone),
    "storage_reduce": call(S.__reduce_ex__, 2),
    "finfo": call(tenon._core._finfo, tenon.float32),
    "iinfo": call(tenon._core._iinfo, tenon.int64),
    "printoptions": call(tenon._core.get_printoptions),
    "memory_stats": call(tenon._core.memory_stats),
    "copy_counters": call(tenon._core.copy_counters),
    "explain_view": call(tenon._core.explain_view, X, (3, 2)),
    "einsum_path": call(tenon._core._einsum_explain, "ij,ij->i", [X, X]),
    "result_type": call(tenon.result_type, X, 1),
    "promote": call(tenon.promote_types, tenon.int8, tenon.float32),
    "broadcast_shapes": call(tenon.broadcast_shapes, (2, 1), (3,)),
    "library_names": call(tenon._core._library_names),
    "operator_repr": call(repr, tenon.add),
    "operator_reduce": call(tenon.add.__reduce__),
    "legacy": call(tenon.FloatTensor, [1, 2]),
    "legacy_sizes": call(tenon.FloatTensor, 2, 3),
    "legacy_storage": call(tenon.Tensor, X),
    "wrong_type": call(tenon.add, X, Odd()),
    "wrong_name": call(tenon.add, X, X, nobody=1),
    "wrong_item": call(tenon.cat, [X, Odd()]),
    "wrong_index": call(operator.getitem, X, 9),
    "wrong_shape": call(operator.add, X, tenon.ones(5)),
    "wrong_key": call(operator.getitem, X, Odd()),
    "wrong_data": call(tenon.tensor, [1, Odd()]),
    "wrong_ragged": call(tenon.tensor, [[1], [2, 3]]),
    "wrong_method": call(X.sum, "a"),
    "wrong_device": call(tenon.device, "nowhere"),
    "wrong_value": call(operator.setitem, X.clone(), 0, Odd()),
}


# The interpreter looks for a keyword there, and forgets why it found none: another exception says so.
FORGOTTEN = {"frombuffer"}


def open_files():
    """How many files are open, where the system tells."""
    return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0


def references(arguments):
    """How many hold each argument; what the interpreter itself shares is left out."""
    return [sys.getrefcount(argument) for argument in arguments if not isinstance(argument, (int, str, tuple))]


def outcome(function):
    """What a call gives, in words; results that are memory or addresses only by their types."""
    try:
        made = function()
    except MemoryError:
        return "no memory"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return f"{type(made).__name__}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLS)
def test_every_allocation_of_a_call_may_fail(faults, name):
    function, arguments, names = CALLS[name]
    outcome(lambda: function(*arguments, **names))  # what is made once, at the first call, is there
    usual = outcome(lambda: function(*arguments, **names))
    gc.collect()
    blocks, counts = tenon.memory_stats()["blocks"]["current"], references(arguments)
    failed, k, hit = 0, 0, True
    descriptors = open_files()
    while hit:
        k += 1
        gc.collect()
        said = outcome(lambda: faults.faults_call(function, arguments, names, k))
        hit = bool(faults.faults_hit())
        assert said == usual or (hit and (said == "no memory" or name in FORGOTTEN)), f"with allocation {k} failing"
        failed += said == "no memory"
    gc.collect()
    assert tenon.memory_stats()["blocks"]["current"] == blocks
    assert references(arguments) == counts and open_files() == descriptors
    assert outcome(lambda: function(*arguments, **names)) == usual
    assert failed > 0 or k == 1, "no failure was seen"
