"""The coefficients of src/cpu/math/float64_erf.inc, float64_gamma.inc and float64_root.inc that are not in the .sollya file:
Chebyshev interpolation and series in 60 digits. Needs mpmath. Prints C initialisers, lowest power first."""
from mpmath import *

mp.dps = 60


def fit(function, low, high, degree):
    """The interpolating polynomial in the variable itself, at the Chebyshev points of [low, high]."""
    count = degree + 1
    points = [(low + high) / 2 + (high - low) / 2 * cos(pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    system = matrix(count, count)
    right = matrix(count, 1)
    for i, point in enumerate(points):
        right[i] = function(point)
        for j in range(count):
            system[i, j] = point ** j
    result = list(lu_solve(system, right))
    error = max(abs(polyval(result[::-1], low + (high - low) * mpf(i) / 997) / function(low + (high - low) * mpf(i) / 997) - 1)
                for i in range(1, 997))
    return result, error


def show(name, values, error=None):
    print("/* %s%s */" % (name, "" if error is None else ", error 2^%s" % nstr(log(error, 2), 4)))
    print("    " + ", ".join(float(v).hex() for v in values))


def show_pairs(name, values):
    print("/* %s */" % name)
    print("    " + ", ".join("{%s, %s}" % (float(v).hex(), float(v - mpf(float(v))).hex()) for v in values))


def scaled_erfc(t):
    x = 4 * (1 + t) / (1 - t)
    return erfc(x) * exp(x * x) * (1 + 2 * x)


values, error = fit(scaled_erfc, mpf(-1), mpf(24) / 32, 24)
show_pairs("erfc: (1 + 2x) exp(x^2) erfc(x) in t = (x - 4)/(x + 4), first terms", values[:4])
show("the rest", values[4:], error)


def tail_of_erfinv(v):
    return findroot(lambda y: log(erfc(y)) - log(1 - sqrt(1 - exp(-v * v))), v)


mp.dps = 40
values, error = fit(tail_of_erfinv, sqrt(mpf(5)) - mpf(0.01), mpf(6.2), 11)
show("erfinv in sqrt(-log(1 - x^2)), 5 and more", values, error)
values, error = fit(lambda w: erfinv(sqrt(1 - exp(-w))) / sqrt(1 - exp(-w)), mpf(10) ** -20, mpf(5.01), 11)
show("erfinv / x in -log(1 - x^2), up to 5", values, error)
mp.dps = 60
values, error = fit(lambda m: m ** (-mpf(1) / 3), mpf(0.3535), mpf(2.8285), 6)
show("m^(-1/3)", values, error)

show_pairs("i0: 1/(k!)^2, k = 0..17", [1 / factorial(k) ** 2 for k in range(18)])
show("i0: 1/(k!)^2, k = 18..37", [1 / factorial(k) ** 2 for k in range(18, 38)])
values, error = fit(lambda v: (besseli(0, 1 / v) * exp(-1 / v) * sqrt(2 * pi / v) - 1) / v, mpf(1) / 2000, mpf(1) / 16, 14)
show("i0: (sqrt(2 pi x) exp(-x) i0(x) - 1) x in 1/x, 16 and more", values, error)

show("lgamma: Stirling, B(2k)/(2k(2k - 1))", [bernoulli(2 * k) / (2 * k * (2 * k - 1)) for k in range(1, 13)])
show("digamma: B(2k)/(2k)", [bernoulli(2 * k) / (2 * k) for k in range(1, 13)])
show_pairs("lgamma at 1, first powers 1, 2", [-euler, zeta(2) / 2])
show("lgamma at 1, powers 3...", [(-1) ** k * zeta(k) / k for k in range(3, 31)])
show_pairs("lgamma at 2, first powers 1, 2", [1 - euler, (zeta(2) - 1) / 2])
show("lgamma at 2, powers 3...", [(-1) ** k * (zeta(k) - 1) / k for k in range(3, 22)])
root = findroot(digamma, mpf("1.4616"))
show_pairs("digamma's root", [root])
show_pairs("digamma at its root, first power", [polygamma(1, root)])
show("digamma at its root, powers 2...", [polygamma(k, root) / factorial(k) for k in range(2, 22)])
show_pairs("(-1)^k/(2k + 1)!, k = 0..12", [(-1) ** k / factorial(2 * k + 1) for k in range(0, 13)])
show_pairs("(-1)^k/(2k)!, k = 0..12", [(-1) ** k / factorial(2 * k) for k in range(0, 13)])
