"""make parity: the gradients of every operator against PyTorch's, first and second, on random calls that are the same in every run.

    PYTHONPATH=build/python python tests/python/parity/gradients.py [-n CASES] [-v] [GROUP or OPERATOR ...]

The calls are those of run.py: what does not work in one of the libraries, or has no gradient in PyTorch, does not count. Some of the
floating tensors among the arguments require a gradient; in-place forms change a copy. The results are multiplied with random numbers,
which are differentiated through as well in the second pass.
"""

import sys
import zlib

import numpy as np
import torch

import tenon

import deliberate
import draw
import judge
import report
import run

# Roughest first: derivatives are chains of operations, each rounded.
TOLERANCE = {"float16": 4e-2, "bfloat16": 3e-1, "float32": 3e-4, "float64": 1e-8, "complex64": 3e-4, "complex128": 1e-8}
NARROW = {"float16", "bfloat16"}

# Random numbers come from other streams, and derivatives that depend on them too; what is drawn only decides which elements count.
LEFT_OUT = run.LEFT_OUT | set("""rrelu rrelu_ bernoulli poisson multinomial normal binomial standard_gamma sample_dirichlet
    fractional_max_pool2d fractional_max_pool3d scaled_dot_product_attention detach detach_ empty_like
    pdist _native_batch_norm_legit""".split())  # in the derivatives of which PyTorch's process dies where there are no elements

# Other on purpose.
DELIBERATE = {
    "as_strided_scatter": "PyTorch does not know places that are written more than once",
    "narrow_copy": "PyTorch's derivative takes no negative start",
    "sinc": "PyTorch and Tenon both lose digits near 0",
    "elu_": "PyTorch takes the derivative from the result, of which two arguments may be the reason",
    "ldexp_": "PyTorch computes 2^n in whole numbers",
    "cosine_similarity": "PyTorch leaves the clamping of norms out of the derivative",
}
OVERWRITING = {"logic", "compare", "initialise", "random"}


def why(case, group, difference):
    """The reason of a difference that is meant, or None."""
    if case.name.endswith("_") and group in OVERWRITING:
        return "what is overwritten by numbers without a derivative keeps its history in PyTorch, and so a gradient"
    if case.name in ("var", "std", "var_mean", "std_mean") and [] in (case.keywords.get("dim"), *case.positional[1:2]):
        return "no dimension means all, but not in the derivative of PyTorch"
    if case.name in ("atan2", "atan2_", "arctan2", "arctan2_") and any(one.dtype in draw.WHOLE for one in deliberate.recipes(case)):
        return "PyTorch squares whole numbers in their own dtype"
    values = deliberate.first(case).storage
    if case.name in ("median", "nanmedian", "kthvalue", "quantile", "nanquantile", "std") and (len(set(values.tolist())) < values.size or 0 in deliberate.first(case).strides):
        return "among equal elements PyTorch selects another one, and finds that they differ"
    if case.name.rstrip("_") in ("elu", "celu", "selu") and difference[0].startswith("second"):
        return "the second derivative at 0 is the one from the left, in PyTorch none"
    if case.name in ("embedding", "layer_norm") and difference[0].startswith("second"):
        return "PyTorch leaves scales and biases out of the second derivative"
    if case.name == "cov" and not np.isfinite(judge.array(case.result)).all():
        return "there are no degrees of freedom"
    if group == "linalg" and 0 in deliberate.first(case).strides:
        return "rows that are the same have no such factors, or not one alone"
    if case.name in ("linalg_eigh", "linalg_svd", "svd"):
        return "vectors may be turned, and their gradients with them; test_decompositions.py compares what does not depend on that"
    if case.name == "logdet" and np.isnan(judge.array(case.result)).any():
        return "the logarithm of a negative number has no derivative"
    return DELIBERATE.get(case.name)


class Gradients:
    """One call in one library: its results, their gradients, and the gradients of those."""

    def __init__(self, library, case, seed, second):
        self.library, self.error, self.first, self.second = library, None, None, None
        random = np.random.default_rng(seed)
        self.leaves = []
        positional = [self.take(value, random) for value in case.positional]
        keywords = {label: self.take(value, random) for label, value in case.keywords.items()}
        if case.name.endswith("_") and positional and hasattr(positional[0], "requires_grad"):
            positional[0] = positional[0].clone()
        library.manual_seed(7)
        try:
            result = run.find(library, case.name, case.method)(*positional, **keywords)
        except Exception as error:
            self.error = error
            return
        self.plain = judge.tensors(result)
        floating = [one for one in self.plain if one.is_floating_point() or one.is_complex()]
        self.results = [one for one in floating if one.requires_grad]
        if not self.results or not self.leaves:
            return
        self.weights = [self.weight(one, random) for one in floating]
        used = [weight for one, weight in zip(floating, self.weights) if one.requires_grad]
        try:
            self.first = library.autograd.grad(self.results, self.leaves, used, allow_unused=True, create_graph=second)
        except Exception as error:
            self.error = error
            return
        further = [one for one in self.first if one is not None and one.requires_grad]
        if second and further:
            try:
                self.second = library.autograd.grad(
                    further, self.leaves + self.weights, [self.weight(one, random) for one in further], allow_unused=True)
            except Exception as error:
                self.second = error

    def take(self, value, random):
        made = draw.build(value, self.library)
        if isinstance(made, (list, tuple)):
            return type(made)(self.take_one(one, random) for one in made)
        return self.take_one(made, random)

    def take_one(self, made, random):
        if not hasattr(made, "untyped_storage") or not (made.is_floating_point() or made.is_complex()) or random.random() < 0.2:
            return made
        self.leaves.append(made.detach().requires_grad_(True))
        return self.leaves[-1]

    def weight(self, like, random):
        numbers = random.uniform(-2, 2, tuple(like.shape))
        if like.is_complex():
            numbers = numbers + 1j * random.uniform(-2, 2, tuple(like.shape))
        return self.library.from_numpy(np.array(numbers)).to(like.dtype).requires_grad_(True)


def is_nothing(one, limit):
    return one is None or not np.any(np.abs(judge.array(one)) > limit)


def differ(one, two, limit, scale, known):
    """None, or in what two gradients differ. None is as good as zeros; known: where the numbers count."""
    if one is None or two is None:
        return None if is_nothing(one, limit) and is_nothing(two, limit) else ("missing", f"{one} and {two}")
    if tuple(one.shape) != tuple(two.shape) or judge.name_of(one.dtype) != judge.name_of(two.dtype):
        return "shape", f"{one.dtype} {tuple(one.shape)}, Tenon gives {two.dtype} {tuple(two.shape)}"
    a, b = judge.array(one), judge.array(two)
    if known is not None and known.shape == a.shape:
        a, b = np.where(known, a, 0), np.where(known, b, 0)
    upright = np.isinf(a) & np.isinf(b)  # a line that goes straight up goes straight down
    a, b = np.where(upright, 0, a), np.where(upright, 0, b)
    with np.errstate(all="ignore"):
        if np.allclose(a, b, rtol=limit, atol=limit * max(1.0, scale), equal_nan=True):
            return None
    return "values", f"{a.reshape(-1)[:6]}, Tenon gives {b.reshape(-1)[:6]}"


def compare(theirs, ours, dtypes):
    if ours.error is not None:
        return "error", f"Tenon refuses: {type(ours.error).__name__}: {str(ours.error)[:200]}"
    limit = max([TOLERANCE.get(dtype, 0) for dtype in dtypes], default=1e-8)
    forward = judge.array(ours.plain[0])
    known = np.isfinite(forward)  # where a function is not defined, nor is its derivative
    for which in ("first", "second"):
        before, after = getattr(theirs, which), getattr(ours, which)
        if before is None or isinstance(before, Exception):
            return None
        if after is None or isinstance(after, Exception):
            if after is None and all(is_nothing(one, limit) for one in before):
                continue
            return which, f"Tenon gives no {which} gradient: {after}"
        sizes = [np.abs(a[np.isfinite(a)]).max(initial=0) for a in (judge.array(one) for one in before if one is not None)]
        scale = float(max(sizes, default=1.0))
        for one, two in zip(before, after):
            if which == "second" and one is not None and two is not None and one.shape == two.shape:
                found = ~np.isnan(judge.array(one))  # a second derivative that PyTorch does not find
                counts = found & known if known.shape == found.shape else found
            else:
                counts = known
            found = differ(one, two, limit, scale, counts)
            if found:
                return f"{which} {found[0]}", found[1]
    return None


def one_case(form, number):
    name, full, signature, group, self = form
    random = np.random.default_rng([zlib.crc32(full.encode()), number, 15])
    if group == "fft" or (run.find(torch, name, False) is None and run.find(torch, name, True) is None):
        return None  # arguments of transforms are not drawn yet: golden cases have their gradients
    positional, keywords = draw.draw_call(random, name, group, signature, 0)
    method = run.find(torch, name, False) is None or (self >= 0 and random.random() < 0.3)
    if method and (self != 0 or run.find(torch, name, True) is None):
        method = False
    if run.find(torch, name, method) is None:
        return None
    case = run.Case.__new__(run.Case)
    case.name, case.signature, case.method, case.positional, case.keywords, case.outs = name, signature, method, positional, keywords, None
    given = [one.dtype for one in judge.tensors([draw.build(list(positional), torch), draw.build(list(keywords.values()), torch)])]
    dtypes = [judge.name_of(one) for one in given]
    if not any(one in TOLERANCE for one in dtypes):
        return None
    seed, second = [zlib.crc32(full.encode()), number], not set(dtypes) & NARROW
    theirs = Gradients(torch, case, seed, second)
    if theirs.error is not None or theirs.first is None or any(one.dtype is torch.complex32 for one in theirs.results):
        return None
    ours = Gradients(tenon, case, seed, second)
    plain = run.call(tenon, name, method, positional, keywords, None)
    if plain.error is not None:  # run.py judges that
        return None
    case.result = plain.result
    computed = [judge.name_of(one.dtype) for one in theirs.results]
    return case, compare(theirs, ours, [one for one in dtypes + computed if one in TOLERANCE])


def judge_case(form, number):
    found = one_case(form, number)
    if found is None:
        return None
    case, difference = found
    kind = "agree" if difference is None else "deliberate" if why(case, form[3], difference) else "differ"
    return kind, f"{difference[0]}: {case}: {difference[1]}" if difference else ""


def takes(form):
    name, full = form[:2]
    return name not in LEFT_OUT and ("_out" not in full.split(".")[0] or name.endswith("_out"))


if __name__ == "__main__":
    sys.exit(report.compare_all("Gradients: ", ["calls", "agree", "deliberate", "differ"], 8, takes, judge_case))
