"""The special cases that the array API standard lists for its elementwise functions."""

import math

import pytest

from tenon import array_api as xp

inf, nan = math.inf, math.nan


def same(x, y):
    """Whether two floats are the same, NaN and the sign of zero included."""
    return (math.isnan(x) and math.isnan(y)) or (x == y and math.copysign(1, x) == math.copysign(1, y))


UNARY = {
    "abs": [(nan, nan), (-0.0, 0.0), (inf, inf), (-inf, inf)],
    "acos": [(nan, nan), (1.5, nan), (-1.5, nan), (1.0, 0.0)],
    "acosh": [(nan, nan), (0.5, nan), (1.0, 0.0), (inf, inf)],
    "asin": [(nan, nan), (1.5, nan), (-1.5, nan), (0.0, 0.0), (-0.0, -0.0)],
    "asinh": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -inf)],
    "atan": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, math.pi / 2), (-inf, -math.pi / 2)],
    "atanh": [(nan, nan), (-1.5, nan), (1.5, nan), (-1.0, -inf), (1.0, inf), (0.0, 0.0), (-0.0, -0.0)],
    "ceil": [(0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -inf), (nan, nan), (-0.5, -0.0)],
    "cos": [(nan, nan), (0.0, 1.0), (-0.0, 1.0), (inf, nan), (-inf, nan)],
    "cosh": [(nan, nan), (0.0, 1.0), (-0.0, 1.0), (inf, inf), (-inf, inf)],
    "exp": [(nan, nan), (0.0, 1.0), (-0.0, 1.0), (inf, inf), (-inf, 0.0)],
    "expm1": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -1.0)],
    "floor": [(0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -inf), (nan, nan)],
    "log": [(nan, nan), (-1.0, nan), (0.0, -inf), (-0.0, -inf), (1.0, 0.0), (inf, inf)],
    "log1p": [(nan, nan), (-1.5, nan), (-1.0, -inf), (0.0, 0.0), (-0.0, -0.0), (inf, inf)],
    "log2": [(nan, nan), (-1.0, nan), (0.0, -inf), (-0.0, -inf), (1.0, 0.0), (inf, inf)],
    "log10": [(nan, nan), (-1.0, nan), (0.0, -inf), (-0.0, -inf), (1.0, 0.0), (inf, inf)],
    "reciprocal": [(nan, nan), (inf, 0.0), (-inf, -0.0), (0.0, inf), (-0.0, -inf)],
    "round": [(0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -inf), (nan, nan), (0.5, 0.0), (1.5, 2.0), (2.5, 2.0), (-0.5, -0.0)],
    "sign": [(-2.0, -1.0), (3.0, 1.0), (nan, nan), (0.0, 0.0)],
    "sin": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, nan), (-inf, nan)],
    "sinh": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -inf)],
    "sqrt": [(nan, nan), (-1.0, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf)],
    "tan": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, nan), (-inf, nan)],
    "tanh": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, 1.0), (-inf, -1.0)],
    "trunc": [(0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -inf), (nan, nan), (-0.5, -0.0)],
    "isfinite": [(inf, False), (-inf, False), (nan, False), (0.0, True)],
    "isinf": [(inf, True), (-inf, True), (nan, False), (0.0, False)],
    "isnan": [(inf, False), (nan, True), (0.0, False)],
    "signbit": [(0.0, False), (-0.0, True), (inf, False), (-inf, True), (nan, False), (-nan, True)],
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", UNARY)
def test_special_cases_of_one_argument(name, dtype):
    # 19 of each value, so that the vector loops and what follows them both meet it.
    for value, wanted in UNARY[name]:
        x = xp.full((19,), value, dtype=getattr(xp, dtype))
        got = getattr(xp, name)(x)
        for element in got.tolist():
            ok = same(element, wanted) or (abs(wanted) in (math.pi / 2, 1.0) and abs(element - wanted) < 1e-6)
            assert ok, (name, value, element, wanted)


PI = math.pi
BINARY = [
    (
        "add",
        [
            (nan, 1, nan),
            (inf, -inf, nan),
            (-inf, inf, nan),
            (inf, inf, inf),
            (inf, 1, inf),
            (-0.0, -0.0, -0.0),
            (-0.0, 0.0, 0.0),
        ],
    ),
    ("subtract", [(inf, inf, nan), (inf, -inf, inf), (0.0, 0.0, 0.0), (-0.0, 0.0, -0.0)]),
    ("multiply", [(inf, 0.0, nan), (0.0, -inf, nan), (inf, -1, -inf), (-0.0, 1, -0.0), (-0.0, -1, 0.0)]),
    (
        "divide",
        [
            (inf, inf, nan),
            (0.0, 0.0, nan),
            (0.0, -1, -0.0),
            (1, 0.0, inf),
            (1, -0.0, -inf),
            (-1, 0.0, -inf),
            (inf, 1, inf),
            (inf, -1, -inf),
            (1, inf, 0.0),
            (1, -inf, -0.0),
        ],
    ),
    (
        "atan2",
        [
            (nan, 1, nan),
            (1, 0.0, PI / 2),
            (1, -0.0, PI / 2),
            (0.0, 1, 0.0),
            (0.0, 0.0, 0.0),
            (0.0, -0.0, PI),
            (0.0, -1, PI),
            (-0.0, 1, -0.0),
            (-0.0, 0.0, -0.0),
            (-0.0, -0.0, -PI),
            (-0.0, -1, -PI),
            (-1, 0.0, -PI / 2),
            (1, inf, 0.0),
            (1, -inf, PI),
            (-1, inf, -0.0),
            (-1, -inf, -PI),
            (inf, 1, PI / 2),
            (-inf, 1, -PI / 2),
            (inf, inf, PI / 4),
            (inf, -inf, 3 * PI / 4),
            (-inf, inf, -PI / 4),
            (-inf, -inf, -3 * PI / 4),
        ],
    ),
    ("copysign", [(1.0, -0.0, -1.0), (-3.0, 0.0, 3.0), (2.0, -nan, -2.0), (0.0, -1, -0.0)]),
    (
        "floor_divide",
        [
            (0.0, 0.0, nan),
            (nan, 1, nan),
            (0.0, 1, 0.0),
            (-0.0, 1, -0.0),
            (1, -inf, -1.0),
            (-1, inf, -1.0),
            (1, inf, 0.0),
            (-1, -inf, 0.0),
            (7, 2, 3.0),
            (-7, 2, -4.0),
        ],
    ),
    (
        "remainder",
        [
            (nan, 1, nan),
            (inf, 1, nan),
            (1, 0.0, nan),
            (0.0, 1, 0.0),
            (-0.0, 1, 0.0),
            (0.0, -1, -0.0),
            (-0.0, -1, -0.0),
            (4, -2, -0.0),
            (-4, 2, 0.0),
            (1, inf, 1.0),
            (-1, -inf, -1.0),
            (1, -inf, -inf),
            (-1, inf, inf),
            (7, 3, 1.0),
            (-7, 3, 2.0),
            (7, -3, -2.0),
        ],
    ),
    (
        "hypot",
        [(inf, nan, inf), (nan, -inf, inf), (nan, 1, nan), (-inf, 1, inf), (3, 4, 5.0), (-0.0, -0.0, 0.0), (1e38, 1e38, None)],
    ),
    ("logaddexp", [(nan, 1, nan), (inf, 1, inf), (1, inf, inf), (-inf, -inf, -inf), (-inf, 2, 2.0)]),
    ("maximum", [(nan, 1, nan), (1, nan, nan), (1, 2, 2.0)]),
    ("minimum", [(nan, 1, nan), (1, nan, nan), (1, 2, 1.0)]),
    ("nextafter", [(nan, 1, nan), (1, nan, nan), (1.0, 1.0, 1.0), (0.0, -0.0, -0.0), (-0.0, 0.0, 0.0), (inf, inf, inf)]),
    (
        "pow",
        [
            (0.5, nan, nan),
            (nan, 0.0, 1.0),
            (nan, -0.0, 1.0),
            (nan, 1, nan),
            (1.5, inf, inf),
            (1.5, -inf, 0.0),
            (1, inf, 1.0),
            (-1, -inf, 1.0),
            (1, nan, 1.0),
            (0.5, inf, 0.0),
            (0.5, -inf, inf),
            (inf, 1, inf),
            (inf, -1, 0.0),
            (-inf, 3, -inf),
            (-inf, 2, inf),
            (-inf, -3, -0.0),
            (-inf, -2, 0.0),
            (0.0, 2, 0.0),
            (0.0, -1, inf),
            (-0.0, 3, -0.0),
            (-0.0, 2, 0.0),
            (-0.0, -3, -inf),
            (-0.0, -2, inf),
            (-2, 0.5, nan),
        ],
    ),
]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name, cases", BINARY, ids=[name for name, _ in BINARY])
def test_special_cases_of_two_arguments(name, cases, dtype):
    for first, second, wanted in cases:
        x, y = (xp.full((19,), float(v), dtype=getattr(xp, dtype)) for v in (first, second))
        for element in getattr(xp, name)(x, y).tolist():
            if wanted is None:
                assert math.isfinite(element)
            else:
                ok = same(element, wanted) or (wanted and math.isfinite(wanted) and abs(element - wanted) < 1e-6)
                assert ok, (name, first, second, element, wanted)
