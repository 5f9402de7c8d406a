"""Random calls, drawn from the operator table: what each parameter is given follows from its type and its name.

A call is drawn as recipes that know no library, and then made once in PyTorch and once in Tenon: the same elements under the
same sizes, strides and offset. Most calls are good ones; some have a dimension, a shape or a dtype that does not fit, for an
error must be an error on both sides.
"""

import math
import re

import numpy as np

FLOATS = ["float32", "float64", "float16", "bfloat16"]
WHOLE = ["int64", "int32", "int16", "int8", "uint8"]
COMPLEX = ["complex64", "complex128"]
NUMPY = {"bfloat16": "float32"}

# Groups in which a call is about floating numbers, mostly.
FLOATING = {"math", "activation", "softmax", "random", "initialise", "statistics", "product", "attention", "convolution"}

# Groups in which a result is about as large as the tensors it is made of: some have hundreds of rows, and up to 64 columns.
MIDDLING = FLOATING - {"random", "initialise", "product", "attention", "convolution"} | {"arithmetic", "compare", "logic", "reduce", "scan", "sort", "index", "select", "move"}


class Tensor:
    """A recipe: elements of a storage, and the view of them."""

    def __init__(self, dtype, storage, sizes, strides, offset):
        self.dtype, self.storage, self.sizes, self.strides, self.offset = dtype, storage, sizes, strides, offset

    def make(self, library):
        # NumPy hands its memory over: a copy of it each time, for the call may write.
        flat = library.from_numpy(self.storage.copy())
        return flat.to(getattr(library, self.dtype)).as_strided(self.sizes, self.strides, self.offset)

    def __repr__(self):
        return f"{self.dtype}{list(self.sizes)}" + ("" if self.plain() else f"/{list(self.strides)}+{self.offset}")

    def plain(self):
        return self.offset == 0 and tuple(self.strides) == contiguous(self.sizes)


def changed(recipe, change):
    """The same arguments with every tensor changed."""
    if isinstance(recipe, Tensor):
        return change(recipe)
    if isinstance(recipe, (list, tuple)):
        return type(recipe)(changed(item, change) for item in recipe)
    return recipe


def sizes_with_elements(recipe):
    """The same arguments with sizes of 1 in the place of 0 where they are given as a list."""
    return [max(item, 1) for item in recipe] if isinstance(recipe, list) else recipe


def plainly(one):
    """The same elements row by row."""
    at = np.full(one.sizes, one.offset)
    for dim, (size, stride) in enumerate(zip(one.sizes, one.strides)):
        at = at + (np.arange(size) * stride).reshape([-1 if d == dim else 1 for d in range(len(one.sizes))])
    storage = one.storage[at.reshape(-1)] if at.size else one.storage[:1]
    return Tensor(one.dtype, storage, one.sizes, contiguous(one.sizes), 0)


def with_elements(one):
    """The same with dimensions of size 1 in the place of empty ones."""
    if 0 not in one.sizes:
        return one
    sizes = tuple(max(size, 1) for size in one.sizes)
    return Tensor(one.dtype, np.zeros(math.prod(sizes), one.storage.dtype), sizes, contiguous(sizes), 0)


class Dtype:
    def __init__(self, name):
        self.name = name

    def make(self, library):
        return getattr(library, self.name)

    def __repr__(self):
        return self.name


class Format(Dtype):
    pass


class Seed:
    """A generator that starts from a seed."""

    def __init__(self, seed):
        self.seed = seed

    def make(self, library):
        return library.Generator().manual_seed(self.seed)

    def __repr__(self):
        return f"Generator({self.seed})"


def contiguous(sizes):
    strides, step = [], 1
    for size in reversed(sizes):
        strides.insert(0, step)
        step *= max(size, 1)
    return tuple(strides)


def build(recipe, library):
    if isinstance(recipe, (list, tuple)):
        return type(recipe)(build(item, library) for item in recipe)
    return recipe.make(library) if hasattr(recipe, "make") else recipe


class Draw:
    """One call's arguments."""

    def __init__(self, random, group, name):
        self.random, self.group, self.name = random, group, name
        count = random.choice([0, 1, 1, 2, 2, 2, 3, 3, 4])
        self.shape = tuple(int(s) for s in random.choice([1, 2, 3, 4, 5, 0], size=count, p=[0.14, 0.2, 0.2, 0.2, 0.21, 0.05]))
        if random.random() < 0.03:
            self.shape = (int(random.integers(40, 90)),)
        if group in MIDDLING and random.random() < 0.05:
            rows, middle, columns = random.integers(20, 120), random.integers(1, 6), random.integers(1, 65)
            self.shape = (int(rows), int(middle), int(columns))
        self.dtype = self.any_dtype()
        self.wrong = random.random() < 0.06
        self.seen = None  # the first tensor

    def chance(self, p):
        return self.random.random() < p

    def pick(self, items):
        return items[int(self.random.integers(len(items)))]

    def any_dtype(self):
        kinds = [FLOATS[:2], FLOATS, WHOLE, COMPLEX, ["bool"]]
        weights = [0.6, 0.2, 0.1, 0.07, 0.03] if self.group in FLOATING else [0.35, 0.1, 0.4, 0.08, 0.07]
        return self.pick(kinds[int(self.random.choice(5, p=weights))])

    def values(self, dtype, count, positive=False):
        if dtype == "bool":
            return self.random.random(count) < 0.5
        if dtype in WHOLE:
            low, high = (0 if positive or dtype == "uint8" else -6), 9
            return self.random.integers(low, high, size=count).astype(dtype)
        values = self.random.normal(size=count) * self.pick([1.0, 3.0])
        if self.chance(0.3):
            values = np.round(values)
        if positive:
            values = np.abs(values)
        if dtype in COMPLEX:
            return (values + 1j * self.random.normal(size=count)).astype(dtype)
        if self.chance(0.1) and self.group in {"arithmetic", "compare", "reduce", "sort", "scan", "logic"} and count:
            for special in (math.nan, math.inf, -math.inf, -0.0, 0.0):
                values[int(self.random.integers(count))] = special
        return values.astype(NUMPY.get(dtype, dtype))

    def tensor(self, dtype, shape, written=False, positive=False, plain=False):
        sizes, kind = tuple(shape), self.pick(["plain", "plain", "plain", "order", "step", "offset", "expand", "odd"])
        strides, offset = contiguous(sizes), 0
        if plain or (kind == "expand" and written):
            kind = "plain"
        if kind == "order" and len(sizes) > 1:
            order = self.random.permutation(len(sizes))
            inner = contiguous([sizes[i] for i in order])
            strides = tuple(inner[list(order).index(i)] for i in range(len(sizes)))
        elif kind == "step" and sizes:
            strides = tuple(s * 2 for s in strides)
        elif kind == "offset":
            offset = int(self.random.integers(1, 4))
        elif kind == "expand" and sizes:
            at = int(self.random.integers(len(sizes)))
            strides = tuple(0 if i == at else s for i, s in enumerate(strides))
        elif kind == "odd":  # in the strides that no element depends on
            strides = tuple(self.pick([0, 1, 3, 7]) if size == 1 else s for size, s in zip(sizes, strides))
        last = offset + sum((size - 1) * stride for size, stride in zip(sizes, strides)) if 0 not in sizes else offset
        made = Tensor(dtype, self.values(dtype, last + 1, positive), sizes, strides, offset)
        self.seen = self.seen or made
        return made

    def dim(self, shape=None):
        count = len(self.shape if shape is None else shape)
        if self.wrong:
            return int(self.random.integers(-count - 2, count + 2))
        return int(self.random.integers(-count, count)) if count else self.pick([0, -1])

    def dims(self):
        count = len(self.shape)
        chosen = [int(i) for i in self.random.permutation(count)[: int(self.random.integers(0, count + 1))]]
        chosen = [i - count if self.chance(0.3) else i for i in chosen]
        return chosen + [chosen[0]] if self.wrong and chosen else chosen

    def beside(self):
        """A shape that goes with the first one."""
        if self.chance(0.5):
            return self.shape
        shape = [1 if self.chance(0.3) else s for s in self.shape]
        return tuple(shape[int(self.random.integers(0, len(shape) + 1)) :])

    def scalar(self):
        value = self.pick([0, 1, 2, 3, -1, -2, 0.5, 2.5, -1.5, True, 1 + 2j])
        return value.real if isinstance(value, complex) and self.chance(0.7) else value


def along(draw):
    """(dimension, size) of the dimension an index is about."""
    if not hasattr(draw, "line"):
        draw.line = draw.dim()
    count = len(draw.shape)
    return draw.line, draw.shape[draw.line % count] if count and -count <= draw.line < count else 1


def indices(draw, shape, size):
    low = -size if draw.group == "index" and draw.name == "take" else 0
    count = int(np.prod(shape)) if shape else 1
    values = (
        draw.random.integers(low, max(size, 1), size=count) if not draw.wrong else draw.random.integers(0, size + 2, size=count)
    )
    return Tensor("int64", values.astype("int64") if count else np.zeros(1, "int64"), tuple(shape), contiguous(shape), 0)


INDEXED = {"index_select", "index_add", "index_copy", "index_fill", "index_reduce"}
ALONG = {"gather", "scatter", "scatter_add", "scatter_reduce", "take_along_dim"}


def base(name):
    return name.removesuffix("_")


# Of other strides PyTorch reads elements that are not there, and the process dies, sooner or later.
PLAIN = {"_int_mm"}

# The shapes of factors that fit, a letter for each dimension.
FACTORS = {
    "mm _int_mm": "self=mk mat2=kn",
    "bmm": "self=bmk mat2=bkn",
    "mv": "self=mk vec=k",
    "dot vdot": "self=k tensor=k other=k",
    "matmul linalg_matmul": "self=abmk,bmk,mk,k other=abkn,bkn,kn,k",
    "inner": "self=bmk,mk,k, other=ank,nk,k,",
    "linalg_vecdot": "x=bmk,mk,k y=bmk,mk,k",
    "addmm _addmm_activation": "self=mn,n,mn, mat1=mk mat2=kn",
    "addmv": "self=m mat=mk vec=k",
    "addr": "self=mn,n,mn vec1=m vec2=n",
    "baddbmm": "self=bmn,mn,bmn batch1=bmk batch2=bkn",
    "addbmm": "self=mn batch1=bmk batch2=bkn",
    "linear": "input=bmk,mk,k weight=nk bias=n residual=mn",
    "bilinear": "input1=bm input2=bk weight=nmk bias=n",
    "matrix_power linalg_matrix_power": "self=bmm,mm",
    "trace": "self=mn",
    "scaled_dot_product_attention": "query=abmk,bmk,mk key=abnk,bnk,nk value=abnk,bnk,bnm attn_mask=mn,n,abmn",
    "conv1d": "input=bkl,kl weight=nkw bias=n",
    "conv2d": "input=bkll,kll weight=nkww bias=n",
    "conv3d": "input=bklll weight=nkwww bias=n",
    "conv_transpose1d": "input=bkl,kl weight=knw bias=n",
    "conv_transpose2d": "input=bkll,kll weight=knww bias=n",
    "conv_transpose3d": "input=bklll weight=knwww bias=n",
    "conv_tbc": "self=lbk weight=wkn bias=n",
    "convolution": "input=bkll weight=nkww bias=n",
}


def draw_factor(draw, label, written):
    """A tensor of a product, or None where the operator is not known."""
    wishes = next((shapes for names, shapes in FACTORS.items() if base(draw.name) in names.split()), None)
    wish = wishes and dict(pair.split("=") for pair in wishes.split(" ")).get(label)
    if wish is None:
        return None
    if not hasattr(draw, "letters"):
        draw.letters = {letter: draw.pick([1, 2, 3, 4, 5, 7, 9, 17, 33]) if draw.chance(0.95) else 0 for letter in "abmnk"}
        draw.letters.update(l=draw.pick([5, 6, 9]), w=draw.pick([1, 2, 3]))  # the sizes of images and of windows
    shape = [draw.letters[letter] for letter in draw.pick(wish.split(","))]
    if draw.wrong and shape and draw.chance(0.5):
        shape[int(draw.random.integers(len(shape)))] += 1
    dtype = draw.dtype if draw.chance(0.95) else draw.any_dtype()
    if base(draw.name) == "_int_mm":
        dtype = "int8" if draw.chance(0.9) else "uint8"
    return draw.tensor(dtype, tuple(shape), written, plain=base(draw.name) in PLAIN)


def draw_tensor(draw, label, written):
    name, random = base(draw.name), draw.random
    if draw.group in ("product", "attention", "convolution"):
        factor = draw_factor(draw, label, written)
        if factor is not None:
            return factor
    if label in ("condition", "mask"):
        return draw.tensor("bool", draw.beside())
    if label in ("index", "indices"):
        line, size = along(draw)
        if name in INDEXED:
            draw.count = int(random.integers(0, 4))
            return indices(draw, (draw.count,), size)
        if name in ALONG:
            draw.index_shape = tuple(int(random.integers(0, s + 1)) if s else 0 for s in draw.shape)
            if name == "take_along_dim":
                draw.index_shape = draw.shape
            return indices(draw, draw.index_shape, size)
        if name == "embedding":
            return indices(draw, draw.shape[:2], 4)
        return indices(draw, (3,), int(np.prod(draw.shape)) if draw.shape else 1)
    if label in ("src", "source") and name in ALONG:
        return draw.tensor(draw.seen.dtype, draw.index_shape)
    if label in ("src", "source") and name in INDEXED:
        line, _ = along(draw)
        shape = list(draw.shape)
        if shape and -len(shape) <= line < len(shape):
            shape[line] = draw.count
        return draw.tensor(draw.seen.dtype, shape)
    if label == "source" and name == "put":
        return draw.tensor(draw.seen.dtype, (3,))
    if label == "source" and name == "masked_scatter":
        return draw.tensor(draw.seen.dtype, (int(np.prod(draw.shape)) if draw.shape else 1,), plain=True)
    if name == "embedding" and label == "weight":
        return draw.tensor("float32", (4, 3))
    if label == "sorted_sequence" or label == "boundaries":
        made = draw.tensor(draw.dtype, (5,), plain=True)
        made.storage.sort()
        return made
    if label == "q":
        return Tensor(draw.seen.dtype, random.random(3).astype(NUMPY.get(draw.seen.dtype, draw.seen.dtype)), (3,), (1,), 0)
    if label == "values" and name == "index_put":
        return draw.tensor(draw.seen.dtype, ())
    if label == "value" and name in ("fill", "index_fill", "masked_fill"):
        return draw.tensor(draw.dtype, ())
    if label == "vec2" or name in ("outer", "ger", "vander", "bincount", "histogram", "histc"):
        positive = name == "bincount"
        dtype = draw.pick(WHOLE) if positive and label == "self" else draw.dtype
        return draw.tensor("float32" if name == "histogram" else dtype, (len(draw.shape) + 2,), positive=positive)
    if label in ("x1", "x2") and name == "cdist":
        return draw.tensor(draw.pick(FLOATS[:2]) if label == "x1" else draw.seen.dtype, (len(draw.shape) + 1, 3))
    if name in ("one_hot", "bernoulli", "poisson", "multinomial", "binomial", "repeat_interleave") and label in (
        "self",
        "repeats",
        "p",
        "prob",
        "count",
    ):
        if name == "one_hot":
            return draw.tensor("int64", draw.shape, positive=True)
        if name == "repeat_interleave":
            return (
                draw.tensor("int64", draw.shape[:1] or (1,), positive=True)
                if label == "repeats"
                else draw.tensor(draw.dtype, draw.shape, written)
            )
        made = draw.tensor(draw.pick(FLOATS[:2]) if label != "prob" else draw.seen.dtype, draw.shape[:2] or (3,))
        made.storage = (
            random.random(made.storage.size).astype(made.storage.dtype) if label != "count" else np.full_like(made.storage, 5)
        )
        return made
    if label in ("fweights", "aweights", "weights", "weight", "bias", "sorter", "prepend", "append") or label == "bins":
        if name == "bincount" and draw.seen:
            return draw.tensor("float32", draw.seen.sizes)
        if name in ("layer_norm", "rms_norm"):
            return draw.tensor(draw.seen.dtype, getattr(draw, "normalized", draw.shape[-1:]))
        if label in ("prepend", "append"):
            return draw.tensor(draw.seen.dtype, draw.shape)
        if label == "weight":
            return draw.tensor(draw.seen.dtype, draw.beside())
        return None
    if label in ("real", "imag", "abs", "angle"):
        return draw.tensor(draw.pick(FLOATS[:2]) if label in ("real", "abs") else draw.seen.dtype, draw.shape)
    dtype = draw.dtype if draw.seen is None or draw.chance(0.7) else draw.any_dtype()
    if label in ("tensor1", "tensor2", "end", "weight", "tensor_", "y", "x") and draw.seen:
        dtype = draw.seen.dtype
    shape = draw.shape if draw.seen is None or label in ("src",) else draw.beside()
    if draw.wrong and draw.seen is not None:
        shape = draw.shape + (2,) if draw.chance(0.5) else tuple(s + 1 for s in draw.shape)
    return draw.tensor(dtype, shape, written, positive=draw.chance(0.2))


def draw_dims(draw, label):
    name, shape = base(draw.name), list(draw.shape)
    if draw.group == "convolution":
        low = 0 if "padding" in label else 1
        return [int(draw.random.integers(low, 3))] if not draw.wrong or draw.chance(0.5) else [low - 1, low - 1]
    total = int(np.prod(shape)) if shape else 1
    if label in ("shape", "sizes") or (label == "size" and name in ("reshape", "view")):
        if name == "unflatten":
            size = along(draw)[1]
            return draw.pick([[size], [-1, 1], [1, size], [2, -1]])
        options = [[total], [-1], [1, total], list(reversed(shape)), shape, [-1, 2], [2, -1], shape + [1]]
        return draw.pick(options)
    if label == "size" and name in ("as_strided", "as_strided_"):
        return [2, 2]
    if label == "size" and name in ("expand", "broadcast_to"):
        return [2] * int(draw.random.integers(0, 2)) + [3 if s == 1 and draw.chance(0.5) else s for s in shape]
    if label in ("size", "sizes"):
        return [int(s) for s in shape]
    if label in ("repeats",):
        return [int(draw.random.integers(0, 3)) for _ in range(len(shape) + int(draw.random.integers(0, 2)))]
    if label == "stride":
        return draw.pick([[1, 1], [2, 1], [1, 2], [0, 1]]) if name.startswith("as_strided") else list(contiguous(shape))
    if label == "shifts":
        draw.shifts = draw.dims() or [1]
        return [int(draw.random.integers(-4, 5)) for _ in draw.shifts]
    if label == "dims" and name == "roll":
        return draw.shifts if draw.shape else []
    if label == "dims" and name == "permute":
        order = [int(i) for i in draw.random.permutation(len(shape))]
        return order[:-1] if draw.wrong else order
    if label == "dims" and name == "rot90":
        return [0, 1]
    if label in ("source", "destination"):
        if not hasattr(draw, "moved"):
            draw.moved = draw.dims()
        chosen = [int(i) for i in draw.random.permutation(len(shape))[: len(draw.moved)]]
        return draw.moved if label == "source" else chosen
    if label == "pad":
        return [int(draw.random.integers(-1, 3)) for _ in range(2 * int(draw.random.integers(0, len(shape) + 1)))]
    if label == "normalized_shape":
        draw.normalized = tuple(shape[-int(draw.random.integers(1, len(shape) + 1)) :]) if shape else (1,)
        return list(draw.normalized)
    if label in ("split_sizes",):
        size = along(draw)[1]
        first = int(draw.random.integers(0, size + 1))
        return [first, size - first + (1 if draw.wrong else 0)]
    if label == "indices":
        return sorted(int(draw.random.integers(0, 5)) for _ in range(2))
    if label == "s":
        return [int(draw.random.integers(1, 6)) for _ in range(int(draw.random.integers(0, len(shape) + 1)))]
    return draw.dims()


def draw_int(draw, label):
    name, random = base(draw.name), draw.random
    if label == "groups" and draw.chance(0.8):
        return 1
    if label in ("dim", "dim0", "dim1", "dim2", "dimension", "start_dim", "end_dim"):
        return along(draw)[0] if label in ("dim", "dimension") else draw.dim()
    if label == "k":
        return (
            int(random.integers(1, max(along_last(draw), 1) + 1))
            if name in ("topk", "kthvalue")
            else int(random.integers(-3, 6))
        )
    if label in ("index", "start"):
        size = along(draw)[1]
        return int(random.integers(-size, max(size, 1)))
    if label == "length":
        return int(random.integers(0, along(draw)[1] + 1))
    if label == "step":
        return int(random.integers(1, 3))
    if label == "size":
        return int(random.integers(0, along(draw)[1] + 1))
    if label in ("chunks", "sections", "split_size", "repeats", "bins", "decimals", "groups", "minlength", "num_samples"):
        return int(random.integers(0 if label in ("repeats", "minlength", "decimals") else 1, 5))
    if label in ("rows", "columns", "row", "col", "n", "steps", "high"):
        return int(random.integers(1 if label == "high" else 0, 7))
    if label == "N":
        return int(random.integers(0, 5))
    if label == "num_classes":
        return draw.pick([-1, 9, 12])
    if label == "r":
        return int(random.integers(0, 4))
    if label == "low":
        return -3
    if label == "from":
        return -5
    if label == "to":
        return 7
    return int(random.integers(-2, 4))


def along_last(draw):
    return draw.shape[-1] if draw.shape else 1


TEXTS = {
    "padding": ["same", "valid"],
    "activation": ["none", "relu", "gelu", "tanh"],
    "rounding_mode": ["floor", "trunc"],
    "approximate": ["none", "tanh"],
    "indexing": ["ij", "xy"],
    "mode": ["constant"],
    "pad_mode": ["reflect", "constant", "replicate"],
    "norm": ["backward", "ortho", "forward"],
    "interpolation": ["linear", "lower", "higher", "midpoint", "nearest"],
    "side": ["left", "right"],
    "compute_mode": ["use_mm_for_euclid_dist_if_necessary", "donot_use_mm_for_euclid_dist"],
    "nonlinearity": ["leaky_relu", "relu"],
    "reduce": ["sum", "prod", "mean", "amax", "amin"],
    "UPLO": ["L", "U"],
    "driver": ["gelsd", "gelsy", "gelss", "gels"],
    "ord": ["fro", "nuc"],
    "p": ["fro", "nuc"],
}


def draw_text(draw, label):
    if label == "reduce" and base(draw.name) == "scatter":
        return draw.pick(["add", "multiply"])
    if label == "reduce" and base(draw.name) == "index_reduce":
        return draw.pick(["prod", "mean", "amax", "amin"])
    if label == "mode" and draw.group == "linalg":
        return draw.pick(["reduced", "complete", "r"])
    if label == "driver" and "svd" in draw.name:
        return None  # of CUDA only
    if label == "mode" and draw.group == "initialise":
        return draw.pick(["fan_in", "fan_out"])
    return draw.pick(TEXTS[label])


def draw_argument(draw, kind, label):
    if kind in ("tensor", "tensor?", "tensor!"):
        return draw_tensor(draw, label, kind == "tensor!")
    if kind == "tensors" and base(draw.name) in ("chain_matmul", "linalg_multi_dot"):
        sizes = [int(draw.random.integers(0, 6)) for _ in range(int(draw.random.integers(3, 6)))]
        return [draw.tensor(draw.dtype, pair) for pair in zip(sizes, sizes[1:])]
    if kind == "tensors":
        if base(draw.name) in ("broadcast_tensors", "block_diag", "cartesian_prod", "meshgrid"):
            one = base(draw.name) in ("cartesian_prod", "meshgrid")
            dtype = draw.dtype
            return [draw.tensor(dtype, (int(draw.random.integers(0, 4)),) if one else draw.beside()[:2]) for _ in range(2)]
        first = draw.tensor(draw.dtype, draw.shape)
        return [first] + [
            draw.tensor(draw.any_dtype() if draw.chance(0.2) else draw.dtype, draw.shape)
            for _ in range(int(draw.random.integers(0, 3)))
        ]
    if kind == "dims":
        return draw_dims(draw, label)
    if kind == "int":
        return draw_int(draw, label)
    if kind == "float":
        return float(draw.pick([0.0, 0.5, 1.0])) if label in ("q", "p", "sparsity") else float(draw.pick([0.5, 1.0, 2.0]))
    if kind == "bool" and label == "assume_unique":
        return False
    if kind == "bool":
        return bool(draw.chance(0.5))
    if kind in ("scalar", "number"):
        if label in ("p", "ord"):
            return draw.pick([0, 1, 2, 3, 0.5, math.inf, -math.inf])
        if draw.group == "create" and label in ("start", "end", "step"):
            return {"start": draw.pick([0, -1, 1.5]), "end": draw.pick([5, 7.5, 3]), "step": draw.pick([1, 2, 0.5])}[label]
        return draw.scalar()
    if kind == "dtype":
        return Dtype(
            draw.pick(FLOATS[:2] + WHOLE[:2] + COMPLEX[:1] if not draw.chance(0.6) or draw.group != "random" else FLOATS[:2])
        )
    if kind == "format":
        return Format(draw.pick(["contiguous_format", "preserve_format"]))
    if kind == "floats":
        return draw.pick([(-1.0, 2.0), (0, 4), (0.5, 0.5), (2.0, 1.0), (-3.0, 3.5)])
    if kind == "device":
        return "cpu"
    if kind == "text":
        return draw_text(draw, label)
    if kind == "generator":
        return Seed(int(draw.random.integers(100)))
    if kind == "index":
        return tuple(indices(draw, (2,), size) for size in draw.shape[: 1 + int(draw.random.integers(0, 2))])
    raise LookupError(kind)


STARRED = {"block_diag", "broadcast_tensors", "cartesian_prod", "chain_matmul", "meshgrid"}
BY_NAME = {"decimals", "stable", "rounding_mode", "range"}
SPELLINGS = {"self": "input", "format": "memory_format", "rows": "n", "columns": "m", "source": "src"}


def parameters(signature):
    """[(type, name, has a default)] of a signature of the table."""
    inside = re.fullmatch(r"\((.*)\) -> .*", signature).group(1)
    found = []
    for part in filter(None, inside.split(", ")):
        kind, rest = part.split(" ", 1)
        label, equals, _ = rest.partition("=")
        found.append((kind, label, bool(equals) or kind == "tensor?"))
    return found


def draw_call(random, name, group, signature, outs):
    """(positional recipes, keyword recipes) of one call; results to write to are not among them."""
    draw = Draw(random, group, name)
    positional, keywords = [], {}
    for kind, label, optional in parameters(signature)[outs:]:
        if optional and draw.chance(0.5) and not (label == "to" and name == "random_"):
            continue
        value = draw_argument(draw, kind, label)
        if label == "to" and name == "random_":
            positional.append(value)
        elif kind == "tensors" and name in STARRED:
            positional.extend(value)
        elif optional or label in BY_NAME or (label == "reduce" and base(name) == "scatter"):
            if value is not None:
                keywords[SPELLINGS.get(label, label)] = value
        else:
            positional.append(value)
    return positional, keywords
