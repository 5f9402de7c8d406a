"""Decompositions of matrices whose numbers are near the ends of their range, or whose rows differ much in size."""

import pytest

import tenon

numpy = pytest.importorskip("numpy")

DTYPES = ["float32", "float64", "complex64", "complex128"]
SCALES = {"float32": [1e-42, 1e-38, 1e-30, 1e36], "float64": [1e-320, 1e-307, 1e-300, 1e-290, 1e300]}
SCALES.update(complex64=SCALES["float32"], complex128=SCALES["float64"])
SIDES = [(1, 1), (3, 3), (6, 4), (16, 16), (17, 17), (20, 33), (40, 40)]


def random(generator, dtype, *sizes):
    values = generator.standard_normal(sizes)
    return values + 1j * generator.standard_normal(sizes) if numpy.dtype(dtype).kind == "c" else values


def kinds(dtype, m, n):
    generator = numpy.random.default_rng(m * 100 + n)
    x = random(generator, dtype, m, n)
    yield x
    yield x[:, :1] @ x[:1]
    yield numpy.ones((m, n)) * (1j if numpy.dtype(dtype).kind == "c" else 1)
    yield x * numpy.logspace(0, -14, m)[:, None]
    yield x * numpy.logspace(-14, 0, n)
    yield x * (numpy.arange(n) % 2)


def wide(x):
    return x.numpy().astype(numpy.clongdouble)


def check_orthonormal(q, dtype):
    error = abs(q.conj().T @ q - numpy.eye(q.shape[1])).max()
    assert error < 60 * len(q) * numpy.finfo(dtype).eps


def check_same(a, b, dtype):
    a = a.astype(numpy.clongdouble)
    kind = numpy.finfo(dtype)
    allowed = 60 * max(a.shape) * (float(kind.eps) * abs(a).max() + float(kind.smallest_subnormal))
    assert abs(a - b).max() <= allowed


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("m, n", SIDES)
def test_factors_of_small_and_large_numbers(dtype, m, n):
    for x in kinds(dtype, m, n):
        for scale in [1, *SCALES[dtype]]:
            a = (x / max(abs(x).max(), 1e-30) * scale).astype(dtype)
            t = tenon.from_numpy(a)
            q, r = map(wide, tenon.linalg.qr(t))
            check_orthonormal(q, dtype)
            check_same(a, q @ r, dtype)
            u, s, vh = map(wide, tenon.linalg.svd(t, full_matrices=True))
            check_orthonormal(u, dtype)
            check_orthonormal(vh.conj().T, dtype)
            k = min(m, n)
            check_same(a, u[:, :k] * s @ vh[:k], dtype)
            if m != n:
                continue
            h = (a / 2 + a.conj().T / 2).astype(dtype)
            values, v = map(wide, tenon.linalg.eigh(tenon.from_numpy(h)))
            check_orthonormal(v, dtype)
            check_same(h, v * values @ v.conj().T, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_singular_vectors_of_rows_that_differ_in_size(dtype):
    generator = numpy.random.default_rng(3)
    low = -14 if numpy.finfo(dtype).eps > 1e-10 else -80
    for case in range(400):
        m, n = generator.integers(2, 7, 2)
        sizes = [(m, 1), (1, n), (m, n)][case % 3]
        a = (random(generator, dtype, m, n) * 10.0 ** generator.uniform(low, 0, sizes)).astype(dtype)
        u, _, vh = map(wide, tenon.linalg.svd(tenon.from_numpy(a)))
        check_orthonormal(u, dtype)
        check_orthonormal(vh.conj().T, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("driver", ["gels", "gelsy", "gelsd", "gelss"])
def test_least_squares_of_small_and_large_numbers(dtype, driver):
    generator = numpy.random.default_rng(5)
    for m, n in [(6, 4), (4, 6), (40, 30)]:
        x, y = random(generator, dtype, m, n), random(generator, dtype, m, 2)
        for scale in SCALES[dtype]:
            power = 2.0 ** numpy.floor(numpy.log2(scale))
            a, b = (x * power).astype(dtype), (y * power).astype(dtype)
            back = [(v.astype(numpy.clongdouble) / power).astype("complex128") for v in (a, b)]
            wanted = numpy.linalg.lstsq(*back, rcond=None)[0]
            solution = tenon.linalg.lstsq(tenon.from_numpy(a), tenon.from_numpy(b), driver=driver).solution.numpy()
            close = 1e5 * numpy.finfo(dtype).eps + 1e3 * float(numpy.finfo(dtype).smallest_subnormal) / power
            assert abs(solution - wanted).max() <= close * abs(wanted).max()


@pytest.mark.parametrize("sizes", [(0, 3), (3, 0), (0, 0), (2, 0, 3), (2, 3, 0)])
def test_matrix_norms_of_no_elements(sizes):
    none, kept = tenon.zeros(sizes), (*sizes[:-2], 1, 1)
    for order in [1, 2, float("inf"), "fro", "nuc"]:
        norm = tenon.linalg.matrix_norm(none, order)
        assert norm.shape == sizes[:-2] and not norm.any()
        assert tenon.linalg.matrix_norm(none, order, keepdim=True).shape == kept
    for order, of in [(-1, -1), (-2, None), (-float("inf"), -2)]:
        if of is None or sizes[of] == 0:
            with pytest.raises((IndexError, RuntimeError, ValueError)):
                tenon.linalg.matrix_norm(none, order)


def test_condition_numbers_of_no_elements():
    for p in [1, -1, float("inf")]:
        assert tenon.linalg.cond(tenon.zeros(0, 3), p).item() == 0
    for p in [0, 3, 0.5]:
        with pytest.raises((IndexError, RuntimeError, ValueError), match="p is"):
            tenon.linalg.cond(tenon.zeros(2, 0, 0), p)
