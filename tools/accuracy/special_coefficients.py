"""Writes src/kernels/scalar/special_coefficients.inc: python3 tools/accuracy/special_coefficients.py > that file. Needs mpmath.

A table is the Chebyshev series of a function on an interval, as coefficients for Clenshaw's recurrence with an argument from -2 to
2, the last coefficient first. It ends where what is left out is below a quarter of the last bit.
"""

from mpmath import airyai, airybi, besseli, besselk, bernoulli, cos, erfc, erfinv, euler, exp, factorial, loggamma, log, mp, mpf, pi, sin, sqrt

mp.dps = 60


def chebyshev(function, low, high, count=90):
    low, high = mpf(low), mpf(high)
    nodes = [cos(pi * (k + mpf(1) / 2) / count) for k in range(count)]
    values = [function((low + high) / 2 + (high - low) / 2 * node) for node in nodes]
    angles = [pi * (k + mpf(1) / 2) / count for k in range(count)]
    series = [2 * sum(v * cos(j * a) for v, a in zip(values, angles)) / count for j in range(count)]
    while abs(series[-1]) < abs(series[0]) * mpf(2) ** -55:
        series.pop()
    assert len(series) < count - 10, (function, len(series))
    return series[::-1]


def table(name, about, values):
    print(f"\n/* {about} */\nstatic const double tni_special_{name}[] = {{")
    line = "   "
    for value in values:
        word = f" {float(value).hex()},"
        if len(line) + len(word) > 120:
            print(line)
            line = "   "
        line += word
    print(line + "};" if line.strip() else "};")


ROOT = sqrt(mpf(2))


def normal_quantile(p):
    return -ROOT * erfinv(1 - 2 * p)


def tail_quantile(r):  # of p = exp(-r^2), by Newton's steps on the logarithm
    p = exp(-r * r)
    x = -sqrt(2 * r * r - log(4 * pi * r * r) if 2 * r * r - log(4 * pi * r * r) > 1 else mpf(1))
    for _ in range(60):
        f = log(erfc(-x / ROOT) / 2) + r * r
        slope = exp(-x * x / 2) / sqrt(2 * pi) / (erfc(-x / ROOT) / 2)
        step = f / slope
        x -= step
        if abs(step) < mpf(10) ** -50:
            break
    return x


def airy_phase(s):  # P and Q of Ai(-x), as functions of 1 / zeta^2
    zeta = 1 / sqrt(s) if s > 0 else mpf(10) ** 15
    x = (zeta * 3 / 2) ** (mpf(2) / 3)
    scale, angle = sqrt(pi) * x ** (mpf(1) / 4), zeta + pi / 4
    a, b = airyai(-x), airybi(-x)
    return scale * (sin(angle) * a + cos(angle) * b), scale * (-cos(angle) * a + sin(angle) * b) * zeta


def airy_far(t):
    if t < mpf(10) ** -20:
        return mpf(1) / 2 / sqrt(pi)
    zeta = 1 / t
    x = (zeta * 3 / 2) ** (mpf(2) / 3)
    return airyai(x) * exp(zeta) * x ** (mpf(1) / 4)


def temme(orders, terms):
    """Coefficients of Temme's expansion (DLMF 8.12): a row for each power of 1 / a, of powers of eta."""
    count = terms + 2 * orders + 4
    alpha = [mpf(0), mpf(1), mpf(1) / 3]
    for n in range(3, count):
        alpha.append((alpha[n - 1] - sum(j * alpha[j] * alpha[n - j + 1] for j in range(2, n))) / (n + 1))
    gamma = [mpf(1)]  # of Stirling's series of the scaled gamma function
    logs = [bernoulli(2 * k) / (2 * k * (2 * k - 1)) for k in range(1, orders + 1)]  # of a^(1 - 2 k)
    for n in range(1, orders + 1):
        gamma.append(sum((2 * k - 1) * logs[k - 1] * gamma[n - 2 * k + 1] for k in range(1, (n + 1) // 2 + 1)) / n)
    rows = [[-mpf(1) / 3] + [(n + 2) * alpha[n + 2] for n in range(1, count - 3)]]
    for k in range(1, orders):
        before = rows[-1]
        rows.append([(-1) ** k * gamma[k] * rows[0][n] + (n + 2) * before[n + 2] for n in range(len(before) - 2)])
    return [value for row in rows for value in row[:terms]]


def i_far(order, t):
    if t > mpf("0.002"):
        return exp(-1 / t) * besseli(order, 1 / t) / sqrt(t)
    total, term, mu = mpf(1), mpf(1), 4 * order * order  # the asymptotic series, which is exact to 60 digits here
    for k in range(1, 60):
        term *= -(mu - (2 * k - 1) ** 2) * t / (8 * k)
        total += term
    return total / sqrt(2 * pi)


def k_far(order, t):
    if t > mpf("0.002"):
        return exp(1 / t) * besselk(order, 1 / t) / sqrt(t)
    total, term, mu = mpf(1), mpf(1), 4 * order * order
    for k in range(1, 60):
        term *= (mu - (2 * k - 1) ** 2) * t / (8 * k)
        total += term
    return total * sqrt(pi / 2)


def k_near(order, s):
    s = max(s, mpf("1e-30"))
    x = sqrt(s)
    if order == 0:
        return besselk(0, x) + log(x / 2) * besseli(0, x)
    return x * (besselk(1, x) - log(x / 2) * besseli(1, x))


print("/* special_coefficients.inc - written by tools/accuracy/special_coefficients.py. */")
table("i0_near", "e^-x I0(x), x up to 8", chebyshev(lambda x: exp(-x) * besseli(0, x), 0, 8))
table("i0_far", "e^-x I0(x) sqrt(x), of 1 / x up to 1 / 8", chebyshev(lambda t: i_far(0, t), 0, mpf(1) / 8))
table("i1_near", "e^-x I1(x) / x, x up to 8", chebyshev(lambda x: exp(-x) * besseli(1, x) / x, 0, 8))
table("i1_far", "e^-x I1(x) sqrt(x), of 1 / x up to 1 / 8", chebyshev(lambda t: i_far(1, t), 0, mpf(1) / 8))
table("k0_near", "K0(x) + log(x / 2) I0(x), of x^2 up to 4", chebyshev(lambda s: k_near(0, s), 0, 4))
table("k0_far", "e^x K0(x) sqrt(x), of 1 / x up to 1 / 2", chebyshev(lambda t: k_far(0, t), 0, mpf(1) / 2))
table("k1_near", "x (K1(x) - log(x / 2) I1(x)), of x^2 up to 4", chebyshev(lambda s: k_near(1, s), 0, 4))
table("k1_far", "e^x K1(x) sqrt(x), of 1 / x up to 1 / 2", chebyshev(lambda t: k_far(1, t), 0, mpf(1) / 2))
table("airy_0", "Ai(x) e^x, x from 0 to 2", chebyshev(lambda x: airyai(x) * exp(x), 0, 2))
table("airy_2", "Ai(x) e^(7 x / 4), x from 2 to 5", chebyshev(lambda x: airyai(x) * exp(7 * x / 4), 2, 5))
table("airy_far", "Ai(x) e^zeta x^(1 / 4), of 1 / zeta, x above 5",
      chebyshev(airy_far, 0, 1 / (mpf(2) / 3 * mpf(5) ** mpf("1.5"))))
table("airy_below", "Ai(x), x from -5 to 0", chebyshev(airyai, -5, 0))
EDGE = 1 / (mpf(2) / 3 * mpf(5) ** mpf("1.5")) ** 2
table("airy_sine", "P of Ai(-x) = (sin P - cos Q / zeta) / (sqrt(pi) x^(1 / 4)), of 1 / zeta^2, x above 5",
      chebyshev(lambda s: airy_phase(s)[0], 0, EDGE))
table("airy_cosine", "Q of the same", chebyshev(lambda s: airy_phase(s)[1], 0, EDGE))
table("quantile_middle", "the normal quantile of 1 / 2 + q over q, of q^2 up to 0.18",
      chebyshev(lambda s: normal_quantile(mpf(1) / 2 + sqrt(max(s, mpf("1e-40")))) / sqrt(max(s, mpf("1e-40"))), 0, mpf("0.18")))
table("quantile_tail", "the normal quantile of e^(-r^2), r from 1.5 to 5", chebyshev(tail_quantile, mpf("1.5"), 5))
table("quantile_far", "the same, r from 5 to 28", chebyshev(tail_quantile, 5, 28))
table("zeta_terms", "Euler and Maclaurin's: B(2 j) / (2 j)!", [bernoulli(2 * j) / factorial(2 * j) for j in range(1, 13)])
table("gamma_uniform_rows", "Temme's expansion: 8 powers of 1 / a, of 20 powers of eta each", temme(8, 20))
table("gamma_log", "log(gamma(1 + a)) / a, a up to 5 / 4",
      chebyshev(lambda a: loggamma(1 + a) / a if a > mpf("1e-20") else -euler, 0, mpf(5) / 4))
