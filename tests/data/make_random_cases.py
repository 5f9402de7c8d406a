"""Writes random_cases.inc: what PyTorch draws, for tests/random.c.

    python make_random_cases.py > random_cases.inc        (PyTorch 2.13, CPU)

A case is: operator, seed, dtype, sizes, layout, two parameters, and the values in row-major order as C99 hexadecimal floats.
Layouts: 0 contiguous, 1 transposed, 2 every second column. Before the drawing, `warm` single uniform numbers are drawn.
"""
import torch

DTYPES = {"FLOAT32": torch.float32, "FLOAT64": torch.float64, "FLOAT16": torch.float16, "BFLOAT16": torch.bfloat16,
          "INT64": torch.int64, "INT32": torch.int32, "INT16": torch.int16, "INT8": torch.int8, "UINT8": torch.uint8,
          "BOOL": torch.bool}


def target(sizes, layout, dtype):
    if layout == 0 or len(sizes) < 2:
        return torch.zeros(sizes, dtype=dtype)
    if layout == 1:
        return torch.zeros(list(reversed(sizes)), dtype=dtype).permute(*reversed(range(len(sizes))))
    return torch.zeros(list(sizes[:-1]) + [2 * sizes[-1]], dtype=dtype)[..., ::2]


def warm_up(seed, warm):
    torch.manual_seed(seed)
    for _ in range(warm):
        torch.empty(1).uniform_()


def emit(name, seed, warm, dtype, sizes, layout, a, b, values):
    flat = values.to(torch.float64).reshape(-1).tolist()
    text = ", ".join(("NAN" if v != v else "INFINITY" if v == float("inf") else "-INFINITY" if v == -float("inf")
                      else v.hex() if v != int(v) or abs(v) > 2**53 else str(int(v))) for v in flat)
    dims = ", ".join(map(str, sizes))
    print(f'{{"{name}", {seed}u, {warm}, TN_{dtype}, {len(sizes)}, {{{dims}}}, {layout}, {a!r}, {b!r}, {len(flat)}, '
          f'(const double[]){{{text}}}}},')


def in_place(name, dtypes, a, b, call, shapes=(([5], 0), ([3, 4], 0), ([17], 0), ([5, 8], 0), ([4, 5], 1), ([3, 7], 2), ([2, 3, 4], 1)),
             seed=11, warm=0):
    for dtype in dtypes:
        for sizes, layout in shapes:
            warm_up(seed, warm)
            x = target(sizes, layout, DTYPES[dtype])
            call(x, a, b)
            emit(name, seed, warm, dtype, sizes, layout, a, b, x)


FLOATS = ["FLOAT32", "FLOAT64", "FLOAT16", "BFLOAT16"]
in_place("uniform_", FLOATS, 0.0, 1.0, lambda x, a, b: x.uniform_(a, b))
in_place("uniform_", FLOATS, -0.3, 1.4, lambda x, a, b: x.uniform_(a, b), seed=5, shapes=(([40], 0), ([3, 4], 1)))
in_place("normal_", FLOATS, 0.0, 1.0, lambda x, a, b: x.normal_(a, b))
in_place("normal_", FLOATS, 1.5, 2.5, lambda x, a, b: x.normal_(a, b), seed=3, shapes=(([16], 0), ([7], 0), ([50], 0)))
in_place("log_normal_", ["FLOAT32", "FLOAT64"], 1.0, 2.0, lambda x, a, b: x.log_normal_(a, b), shapes=(([7], 0), ([4, 5], 1)))
in_place("exponential_", FLOATS, 1.5, 0.0, lambda x, a, b: x.exponential_(a), shapes=(([9], 0), ([20], 0), ([4, 5], 1)))
in_place("cauchy_", FLOATS, 0.5, 2.0, lambda x, a, b: x.cauchy_(a, b), shapes=(([9], 0), ([4, 5], 2)))
in_place("geometric_", ["FLOAT32", "INT64", "INT8"], 0.2, 0.0, lambda x, a, b: x.geometric_(a), shapes=(([20], 0), ([4, 5], 1)))
in_place("random_", list(DTYPES), 0.0, 0.0, lambda x, a, b: x.random_(), shapes=(([9], 0), ([2, 3], 1)))
in_place("random_.to", list(DTYPES)[:9], 100.0, 0.0, lambda x, a, b: x.random_(int(a)), shapes=(([9], 0),))
in_place("random_.from", ["INT64", "FLOAT64", "INT32", "FLOAT32"], -2.0**28, 2.0**28, lambda x, a, b: x.random_(int(a), int(b)),
         shapes=(([9], 0),))
in_place("random_.from", ["INT64"], -(2.0**62), 2.0**62, lambda x, a, b: x.random_(int(a), int(b)), shapes=(([6], 0),))
in_place("bernoulli_", list(DTYPES), 0.3, 0.0, lambda x, a, b: x.bernoulli_(a), shapes=(([20], 0), ([4, 5], 1)))
in_place("trunc_normal_", ["FLOAT32", "FLOAT64"], -1.0, 1.5,
         lambda x, a, b: torch.nn.init.trunc_normal_(x, 0.25, 1.25, a, b), shapes=(([20], 0), ([4, 5], 0)))
in_place("trunc_normal_", ["FLOAT32", "FLOAT64"], 2.0, 3.5,
         lambda x, a, b: torch.nn.init.trunc_normal_(x, 0.25, 1.25, a, b), shapes=(([20], 0), ([4, 5], 1)))
in_place("xavier_uniform_", ["FLOAT32"], 1.5, 0.0, lambda x, a, b: torch.nn.init.xavier_uniform_(x, a), shapes=(([4, 5, 3], 0),))
in_place("xavier_normal_", ["FLOAT32"], 1.5, 0.0, lambda x, a, b: torch.nn.init.xavier_normal_(x, a), shapes=(([4, 5, 3], 0),))
in_place("kaiming_uniform_", ["FLOAT32"], 0.5, 0.0, lambda x, a, b: torch.nn.init.kaiming_uniform_(x, a), shapes=(([4, 5, 3], 0),))
in_place("kaiming_normal_", ["FLOAT64"], 0.5, 0.0,
         lambda x, a, b: torch.nn.init.kaiming_normal_(x, a, "fan_out", "relu"), shapes=(([4, 5, 3], 0),))
in_place("orthogonal_", ["FLOAT64"], 1.5, 0.0, lambda x, a, b: torch.nn.init.orthogonal_(x, a),
         shapes=(([5, 3], 0), ([3, 5], 0), ([2, 2, 3], 0), ([4, 3], 1)))
in_place("sparse_", ["FLOAT32"], 0.4, 0.1, lambda x, a, b: torch.nn.init.sparse_(x, a, b), shapes=(([7, 4], 0), ([3, 6], 1)))
in_place("dirac_", ["FLOAT32"], 2.0, 0.0, lambda x, a, b: torch.nn.init.dirac_(x, int(a)), shapes=(([4, 3, 3], 0), ([6, 2, 2, 3], 0)))
# Rounded twice on the way to a narrow float, and an end of the range that float32 has no number for.
in_place("exponential_", ["FLOAT16"], 1.5, 0.0, lambda x, a, b: x.exponential_(a), shapes=(([9], 0),), seed=408)
in_place("random_.from", ["BFLOAT16"], -2.0**33, 100.0, lambda x, a, b: x.random_(int(a), int(b)), shapes=(([9], 0),), seed=1832)
# One rounding for factor and sum; sums that nearly vanish show it.
in_place("cauchy_", ["FLOAT64"], 4.75, 2.0, lambda x, a, b: x.cauchy_(a, b), shapes=(([40], 0),))


def made(name, seed, dtype, sizes, a, b, call, warm=0):
    warm_up(seed, warm)
    x = call(sizes, DTYPES[dtype], a, b)
    emit(name, seed, warm, dtype, sizes, 0, a, b, x)


for dtype in FLOATS:
    made("rand", 0, dtype, [8], 0.0, 0.0, lambda s, d, a, b: torch.rand(s, dtype=d))
    made("randn", 0, dtype, [24], 0.0, 0.0, lambda s, d, a, b: torch.randn(s, dtype=d))
    made("randn", 42, dtype, [5], 0.0, 0.0, lambda s, d, a, b: torch.randn(s, dtype=d), warm=621)
    made("dropout", 7, dtype, [20], 0.3, 0.0, lambda s, d, a, b: torch.dropout(torch.ones(s, dtype=d), a, True))
made("rand", 0, "FLOAT32", [700], 0.0, 0.0, lambda s, d, a, b: torch.rand(s, dtype=d))
made("randn", 1, "FLOAT32", [523], 0.0, 0.0, lambda s, d, a, b: torch.randn(s, dtype=d))
made("randint", 0, "INT64", [10], 0.0, 10.0, lambda s, d, a, b: torch.randint(int(a), int(b), s, dtype=d))
made("randint", 9, "UINT8", [10], 3.0, 200.0, lambda s, d, a, b: torch.randint(int(a), int(b), s, dtype=d))
made("randint", 9, "FLOAT32", [10], -5.0, 5.0, lambda s, d, a, b: torch.randint(int(a), int(b), s, dtype=d))
for dtype in ("INT64", "INT32", "FLOAT32", "UINT8"):
    made("randperm", 0, dtype, [10], 0.0, 0.0, lambda s, d, a, b: torch.randperm(s[0], dtype=d))
made("randperm", 3, "INT64", [700], 0.0, 0.0, lambda s, d, a, b: torch.randperm(s[0], dtype=d))
RATES = lambda s, d, a, b: torch.linspace(a, b, s[0], dtype=torch.float64).to(d)
for dtype in ("FLOAT32", "FLOAT64"):
    made("poisson", 4, dtype, [40], 0.0, 30.0, lambda s, d, a, b: torch.poisson(RATES(s, d, a, b)))
    made("standard_gamma", 4, dtype, [40], 0.1, 12.0, lambda s, d, a, b: torch._standard_gamma(RATES(s, d, a, b)))
    made("sample_dirichlet", 4, dtype, [9], 0.1, 4.0, lambda s, d, a, b: torch._sample_dirichlet(RATES(s, d, a, b)))
    made("binomial", 4, dtype, [40], 0.0, 1.0, lambda s, d, a, b: torch.binomial(torch.full(s, 60.0, dtype=d), RATES(s, d, a, b)))
    made("bernoulli", 4, dtype, [40], 0.0, 1.0, lambda s, d, a, b: torch.bernoulli(RATES(s, d, a, b)))
    made("normal.tensor", 4, dtype, [20], 0.0, 3.0, lambda s, d, a, b: torch.normal(RATES(s, d, a, b), RATES(s, d, a, b)))
    made("normal.tensor_float", 4, dtype, [20], 0.0, 3.0, lambda s, d, a, b: torch.normal(RATES(s, d, a, b), 1.5))
    made("normal.float_tensor", 4, dtype, [20], 0.0, 3.0, lambda s, d, a, b: torch.normal(1.5, RATES(s, d, a, b)))
    made("normal", 4, dtype, [20], 1.5, 0.5, lambda s, d, a, b: torch.normal(a, b, s, dtype=d))
    made("multinomial", 4, dtype, [12], 0.1, 3.0,
         lambda s, d, a, b: torch.multinomial(RATES(s, d, a, b), 12, replacement=False))
    made("multinomial_many", 4, dtype, [12], 0.1, 3.0,
         lambda s, d, a, b: torch.multinomial(RATES(s, d, a, b), 50, replacement=True))
    made("multinomial_one", 4, dtype, [12], 0.1, 3.0,
         lambda s, d, a, b: torch.multinomial(RATES(s, d, a, b), 1, replacement=True))
