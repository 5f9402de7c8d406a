/* eigen_general.c - eigenvalues of matrices that need not be symmetric; see eigen.h.
 *
 * A matrix is balanced by powers of 2 (Parlett and Reinsch 1969), brought to Hessenberg form by reflections, and to a triangle T by QR: double
 * shifts for a real one, which leaves a 2 by 2 block for each pair of conjugate values, single shifts for a complex one. A vector of T
 * is found by substitution, with complex numbers, and turned back. All of it is in double.
 */
#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "iterate/eigen.h"
#include "iterate/factor_lapack.h"
#include "iterate/limits.h"
#include "iterate/reflect.h"
#include "iterate/thread_memory.h"

typedef tn_complex128 eigen_number;

static inline eigen_number number_mul(eigen_number x, eigen_number y) {
    return (eigen_number){x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real};
}
static inline eigen_number number_sub(eigen_number x, eigen_number y) {
    return (eigen_number){x.real - y.real, x.imag - y.imag};
}
static inline eigen_number number_conj(eigen_number x) { return (eigen_number){x.real, -x.imag}; }
static inline double number_size(eigen_number x) { return fabs(x.real) + fabs(x.imag); }

/* Without overflow on the way (Smith 1962). */
static eigen_number number_div(eigen_number x, eigen_number y) {
    if (fabs(y.real) >= fabs(y.imag)) {
        double ratio = y.imag / y.real, over = y.real + y.imag * ratio;
        return (eigen_number){(x.real + x.imag * ratio) / over, (x.imag - x.real * ratio) / over};
    }
    double ratio = y.real / y.imag, over = y.real * ratio + y.imag;
    return (eigen_number){(x.real * ratio + x.imag) / over, (x.imag * ratio - x.real) / over};
}

static eigen_number number_root(eigen_number x) {
    double size = hypot(x.real, x.imag);
    if (size == 0)
        return x;
    double root = sqrt((fabs(x.real) + size) / 2), other = x.imag / (2 * root);
    return x.real >= 0 ? (eigen_number){root, other} : (eigen_number){fabs(other), copysign(root, x.imag)};
}

/* Powers of 2 that make each row and its column about as long as each other. With the diagonal: without it, matrices that are
 * Hessenberg already can become worse (James, Langou, Lowery 2014). */
static void general_balance(int64_t n, int parts, double *a, double *scale) {
    for (int64_t i = 0; i < n; i++)
        scale[i] = 1;
    for (bool more = true; more;) {
        more = false;
        for (int64_t i = 0; i < n; i++) {
            double column = 0, row = 0, factor = 1;
            for (int64_t j = 0; j < n; j++)
                for (int p = 0; p < parts; p++) {
                    column += a[(j + i * n) * parts + p] * a[(j + i * n) * parts + p];
                    row += a[(i + j * n) * parts + p] * a[(i + j * n) * parts + p];
                }
            column = sqrt(column);
            row = sqrt(row);
            if (column < DBL_MIN / DBL_EPSILON || row < DBL_MIN / DBL_EPSILON)
                continue;
            double both = column + row;
            while (column < row / 2) {
                column *= 2;
                row /= 2;
                factor *= 2;
            }
            while (column >= row * 2) {
                column /= 2;
                row *= 2;
                factor /= 2;
            }
            if (column + row >= 0.95 * both || scale[i] * factor < 1e-100 || scale[i] * factor > 1e100)
                continue;
            more = true;
            scale[i] *= factor;
            for (int64_t j = 0; j < n; j++)
                for (int p = 0; p < parts; p++) {
                    a[(i + j * n) * parts + p] /= factor;
                    a[(j + i * n) * parts + p] *= factor;
                }
        }
    }
}

/* Whether the element beside the diagonal at l is nothing (Ahues and Tisseur 1997): of sizes above, below it and on the diagonal. */
static bool general_nothing(double below, double above, double here, double gap, double beside, double least) {
    if (below <= least)
        return true;
    if (below > DBL_EPSILON / 2 * beside)
        return false;
    double ab = fmax(below, above), ba = fmin(below, above), aa = fmax(here, gap), bb = fmin(here, gap), s = aa + ab;
    return ba * (ab / s) <= fmax(least, DBL_EPSILON / 2 * (bb * (aa / s)));
}

/* The size of an entry of h, or of what it differs from another by; `other` is negative where there is none. */
typedef double (*general_size)(const void *h, int64_t entry, int64_t other);

/* Where the block that ends at `high` begins: the last row below it whose element beside the diagonal is nothing. */
static int64_t general_begin(const void *h, int64_t n, int64_t high, general_size size) {
    double least = DBL_MIN * ((double)n / DBL_EPSILON);
    int64_t low = high;
    for (; low > 0; low--) {
        int64_t here = low + low * n, above = here - n - 1;
        double beside = size(h, above, -1) + size(h, here, -1);
        if (beside == 0)
            beside = (low > 1 ? size(h, above - n, -1) : 0) + (low < high ? size(h, here + 1, -1) : 0);
        if (general_nothing(size(h, here - n, -1), size(h, here - 1, -1), size(h, here, -1), size(h, above, here), beside,
                            least))
            break;
    }
    return low;
}

enum { GENERAL_ROUNDS = 60 }; /* for each value */

/* ---- real */

#define H(i, j) h[(i) + (j)*n]

/* (I - t v v') from the left, to columns `from` to `to` of rows k ..., or from the right, to rows of columns k ... */
static void real_left(double *h, int64_t n, int64_t k, int count, const double *v, double t, int64_t from, int64_t to) {
    for (int64_t j = from; j < to; j++) {
        double *x = &H(k, j), sum = x[0] + v[1] * x[1] + (count == 3 ? v[2] * x[2] : 0);
        sum *= t;
        x[0] -= sum;
        x[1] -= sum * v[1];
        if (count == 3)
            x[2] -= sum * v[2];
    }
}
static void real_right(double *h, int64_t n, int64_t k, int count, const double *v, double t, int64_t from, int64_t to) {
    double *restrict x = &H(0, k), *restrict y = &H(0, k + 1), *restrict z = &H(0, count == 3 ? k + 2 : k);
    if (count == 2)
        for (int64_t i = from; i < to; i++) {
            double sum = t * (x[i] + v[1] * y[i]);
            x[i] -= sum;
            y[i] -= sum * v[1];
        }
    else
        for (int64_t i = from; i < to; i++) {
            double sum = t * (x[i] + v[1] * y[i] + v[2] * z[i]);
            x[i] -= sum;
            y[i] -= sum * v[1];
            z[i] -= sum * v[2];
        }
}

/* A block with real values becomes a triangle; the values of both. */
static void real_block(double *h, int64_t n, int64_t k, double *z, bool whole, eigen_number *values) {
    double a = H(k, k), b = H(k, k + 1), c = H(k + 1, k), d = H(k + 1, k + 1), half = (a - d) / 2;
    double scale = fmax(fabs(half), fmax(fabs(b), fabs(c)));
    double square = scale > 0 ? (half / scale) * (half / scale) + (b / scale) * (c / scale) : 0;
    if (c != 0 && square < 0) {
        double root = scale * sqrt(-square);
        values[k] = (eigen_number){d + half, root};
        values[k + 1] = (eigen_number){d + half, -root};
        return;
    }
    if (c != 0) {
        double far = half + copysign(scale * sqrt(square), half); /* a value less d; the other is d - b c / far */
        double x = far, y = c, size = hypot(x, y), cs = x / size, sn = y / size;
        /* The vector (far, c) of the value d + far turns into the first unit vector. */
        for (int64_t j = k; j < (whole ? n : k + 2); j++) {
            double u = H(k, j), w = H(k + 1, j);
            H(k, j) = cs * u + sn * w;
            H(k + 1, j) = cs * w - sn * u;
        }
        for (int side = 0; side < 2; side++) {
            double *m = side ? z : h;
            for (int64_t i = whole ? 0 : k; m && i < (side ? n : k + 2); i++) {
                double u = m[i + k * n], w = m[i + (k + 1) * n];
                m[i + k * n] = cs * u + sn * w;
                m[i + (k + 1) * n] = cs * w - sn * u;
            }
        }
        H(k, k) = d + far;
        H(k + 1, k + 1) = far == 0 ? d : d - b * (c / far);
        H(k + 1, k) = 0;
    }
    values[k] = (eigen_number){H(k, k), 0};
    values[k + 1] = (eigen_number){H(k + 1, k + 1), 0};
}

/* Two shifts as their sum and product would be, kept as roots: twice the better one where both are real. */
static void real_shifts(double h11, double h21, double h12, double h22, double shift[4]) {
    double s = fabs(h11) + fabs(h12) + fabs(h21) + fabs(h22);
    memset(shift, 0, 4 * sizeof *shift);
    if (s == 0)
        return;
    h11 /= s;
    h21 /= s;
    h12 /= s;
    h22 /= s;
    double mean = (h11 + h22) / 2, det = (h11 - mean) * (h22 - mean) - h12 * h21, root = sqrt(fabs(det));
    if (det >= 0) {
        shift[0] = shift[2] = mean * s;
        shift[1] = root * s;
        shift[3] = -shift[1];
    } else
        shift[0] = shift[2] = s * (fabs(mean + root - h22) <= fabs(mean - root - h22) ? mean + root : mean - root);
}

static double real_size(const void *h, int64_t entry, int64_t other) {
    const double *at = h;
    return fabs(other < 0 ? at[entry] : at[entry] - at[other]);
}

static bool real_triangle(int64_t n, double *h, double *z, eigen_number *values) {
    bool whole = z != NULL;
    int64_t limit = GENERAL_ROUNDS * n;
    int round = 0;
    for (int64_t high = n - 1; high >= 0;) {
        int64_t low = general_begin(h, n, high, real_size);
        if (low > 0)
            H(low, low - 1) = 0;
        if (low >= high - 1) {
            if (low == high)
                values[high] = (eigen_number){H(high, high), 0};
            else
                real_block(h, n, low, z, whole, values);
            high = low - 1;
            round = 0;
            continue;
        }
        if (limit-- == 0)
            return false;
        double shift[4], v[3] = {0};
        if (++round % 10)
            real_shifts(H(high - 1, high - 1), H(high, high - 1), H(high - 1, high), H(high, high), shift);
        else { /* numbers out of the way, where shifts go in circles */
            bool top = round % 20 == 10;
            double s =
                top ? fabs(H(low + 1, low)) + fabs(H(low + 2, low + 1)) : fabs(H(high, high - 1)) + fabs(H(high - 1, high - 2));
            double at = 0.75 * s + (top ? H(low, low) : H(high, high));
            real_shifts(at, s, -0.4375 * s, at, shift);
        }
        int64_t first = high - 2;
        for (;; first--) { /* where two neighbours below the diagonal are small together, the sweep may begin */
            double h11 = H(first, first), h22 = H(first + 1, first + 1),
                   s = fabs(h11 - shift[2]) + fabs(shift[3]) + fabs(H(first + 1, first));
            double h21 = H(first + 1, first) / s;
            v[0] = h21 * H(first, first + 1) + (h11 - shift[0]) * ((h11 - shift[2]) / s) - shift[1] * (shift[3] / s);
            v[1] = h21 * (h11 + h22 - shift[0] - shift[2]);
            v[2] = h21 * H(first + 2, first + 1);
            s = fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
            for (int i = 0; i < 3; i++)
                v[i] /= s;
            if (first == low || fabs(H(first, first - 1)) * (fabs(v[1]) + fabs(v[2])) <=
                                    DBL_EPSILON / 2 * fabs(v[0]) * (fabs(H(first - 1, first - 1)) + fabs(h11) + fabs(h22)))
                break;
        }
        for (int64_t k = first; k < high; k++) {
            int count = high - k >= 2 ? 3 : 2;
            if (k > first)
                for (int i = 0; i < count; i++)
                    v[i] = H(k + i, k - 1);
            if (count == 2)
                v[2] = 0;
            double size = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2]))), t = 0, beta = v[0];
            if (v[1] != 0 || v[2] != 0) {
                double x = v[0] / size, y = v[1] / size, w = v[2] / size, norm = -copysign(sqrt(x * x + y * y + w * w), x);
                t = (norm - x) / norm;
                v[1] = y / (x - norm);
                v[2] = w / (x - norm);
                beta = norm * size;
            }
            if (k > first) {
                H(k, k - 1) = beta;
                for (int i = 1; i < count; i++)
                    H(k + i, k - 1) = 0;
            } else if (first > low)
                H(k, k - 1) *= 1 - t;
            real_left(h, n, k, count, v, t, k, whole ? n : high + 1);
            real_right(h, n, k, count, v, t, whole ? 0 : low, tni_min_i64(k + 3, high) + 1);
            if (whole)
                real_right(z, n, k, count, v, t, 0, n);
        }
    }
    return true;
}

/* ---- complex */

static double complex_size(const void *h, int64_t entry, int64_t other) {
    const eigen_number *at = h;
    return number_size(other < 0 ? at[entry] : number_sub(at[entry], at[other]));
}

static bool complex_triangle(int64_t n, eigen_number *h, eigen_number *z, eigen_number *values) {
    bool whole = z != NULL;
    int64_t limit = GENERAL_ROUNDS * n;
    int round = 0;
    for (int64_t high = n - 1; high >= 0;) {
        int64_t low = general_begin(h, n, high, complex_size);
        if (low > 0)
            H(low, low - 1) = (eigen_number){0, 0};
        if (low == high) {
            values[high] = H(high, high);
            high--;
            round = 0;
            continue;
        }
        if (limit-- == 0)
            return false;
        eigen_number shift = H(high, high);
        if (++round % 10 == 0) {
            bool top = round % 20 == 10;
            shift = top ? H(low, low) : shift;
            shift.real += 0.75 * number_size(top ? H(low + 1, low) : H(high, high - 1));
        } else {
            eigen_number u = number_mul(number_root(H(high - 1, high)), number_root(H(high, high - 1)));
            if (number_size(u) > 0) { /* the value of the last block that is nearer to its corner (Wilkinson) */
                eigen_number x = number_sub(H(high - 1, high - 1), shift);
                x = (eigen_number){x.real / 2, x.imag / 2};
                double s = fmax(number_size(u), number_size(x));
                eigen_number xs = {x.real / s, x.imag / s}, us = {u.real / s, u.imag / s}, square = number_mul(xs, xs),
                             other = number_mul(us, us);
                eigen_number y = number_root((eigen_number){square.real + other.real, square.imag + other.imag});
                if (xs.real * y.real + xs.imag * y.imag < 0)
                    y = (eigen_number){-y.real, -y.imag};
                shift = number_sub(shift, number_mul(u, number_div(us, (eigen_number){xs.real + y.real, xs.imag + y.imag})));
            }
        }
        for (int64_t k = low; k < high; k++) {
            eigen_number x = k > low ? H(k, k - 1) : number_sub(H(low, low), shift),
                         y = k > low ? H(k + 1, k - 1) : H(low + 1, low);
            double size = fmax(number_size(x), number_size(y));
            if (size == 0)
                continue;
            x = (eigen_number){x.real / size, x.imag / size};
            y = (eigen_number){y.real / size, y.imag / size};
            /* (c, s; -conj(s), c): c real, x becomes r */
            double ax = x.real * x.real + x.imag * x.imag, ay = y.real * y.real + y.imag * y.imag, r = sqrt(ax + ay),
                   c = sqrt(ax) / r;
            eigen_number s = {1, 0}, turn = {1, 0};
            if (ax > 0) {
                turn = (eigen_number){x.real / sqrt(ax), x.imag / sqrt(ax)};
                s = number_mul(turn, number_conj(y));
                s = (eigen_number){s.real / r, s.imag / r};
            } else
                s = (eigen_number){y.real / r, -y.imag / r};
            if (k > low) {
                H(k, k - 1) = (eigen_number){turn.real * r * size, turn.imag * r * size};
                H(k + 1, k - 1) = (eigen_number){0, 0};
            }
            for (int64_t j = k; j < (whole ? n : high + 1); j++) {
                eigen_number u = H(k, j), w = H(k + 1, j), su = number_mul(number_conj(s), u), sw = number_mul(s, w);
                H(k, j) = (eigen_number){c * u.real + sw.real, c * u.imag + sw.imag};
                H(k + 1, j) = (eigen_number){c * w.real - su.real, c * w.imag - su.imag};
            }
            for (int side = 0; side < 2; side++) {
                eigen_number *m = side ? z : h;
                int64_t to = side ? n : tni_min_i64(k + 2, high) + 1;
                for (int64_t i = side || whole ? 0 : low; m && i < to; i++) {
                    eigen_number u = m[i + k * n], w = m[i + (k + 1) * n], su = number_mul(s, u),
                                 sw = number_mul(number_conj(s), w);
                    m[i + k * n] = (eigen_number){c * u.real + sw.real, c * u.imag + sw.imag};
                    m[i + (k + 1) * n] = (eigen_number){c * w.real - su.real, c * w.imag - su.imag};
                }
            }
        }
    }
    return true;
}
#undef H

/* ---- vectors */

/* Element (i, j) of T. */
static inline eigen_number general_at(const double *t, int parts, int64_t n, int64_t i, int64_t j) {
    const double *at = t + (i + j * n) * parts;
    return (eigen_number){at[0], parts == 2 ? at[1] : 0};
}

/* x *= factor, all n of them */
static void general_shrink(eigen_number *x, int64_t n, double factor) {
    for (int64_t i = 0; i < n; i++)
        x[i] = (eigen_number){x[i].real * factor, x[i].imag * factor};
}

/* x[0 ... rows - 1] -= x[j] T(0 ... rows - 1, j) */
static void general_subtract(const double *t, int parts, int64_t n, eigen_number *x, int64_t rows, int64_t j) {
    eigen_number by = x[j];
    const double *at = t + j * n * parts;
    if (parts == 1)
        for (int64_t i = 0; i < rows; i++) {
            x[i].real -= by.real * at[i];
            x[i].imag -= by.imag * at[i];
        }
    else
        for (int64_t i = 0; i < rows; i++)
            x[i] = number_sub(x[i], number_mul(by, (eigen_number){at[2 * i], at[2 * i + 1]}));
}

/* x over y, one that is nothing being a little; all of x shrinks first where the result would be too large. */
static eigen_number general_divide(eigen_number *all, int64_t n, eigen_number *x, eigen_number y, double least) {
    if (number_size(y) < least)
        y = (eigen_number){least, 0};
    double size = number_size(*x), over = number_size(y);
    if (over < 1 && size > over * 1e150)
        general_shrink(all, n, over / size * 1e140);
    return number_div(*x, y);
}

/* The vector of T of value k, to x[0 ... *count - 1]; the rest is zeros. */
static void general_vector(const double *t, int parts, int64_t n, int64_t k, eigen_number value, eigen_number *x,
                           int64_t *count) {
    double least = fmax(DBL_EPSILON / 2 * number_size(value), DBL_MIN * ((double)n / DBL_EPSILON));
    int64_t j = k;
    memset(x, 0, (size_t)n * sizeof *x);
    *count = k + 1;
    if (parts == 1 && value.imag != 0) { /* of the block of rows k and k + 1 */
        eigen_number a = general_at(t, 1, n, k, k), b = general_at(t, 1, n, k, k + 1), c = general_at(t, 1, n, k + 1, k),
                     d = general_at(t, 1, n, k + 1, k + 1);
        bool first = fabs(b.real) >= fabs(c.real);
        x[k] = first ? b : number_sub(value, d);
        x[k + 1] = first ? number_sub(value, a) : c;
        general_shrink(x + k, 2, 1 / fmax(number_size(x[k]), number_size(x[k + 1])));
        *count = k + 2;
        general_subtract(t, 1, n, x, k, k + 1);
    } else
        x[k] = (eigen_number){1, 0};
    general_subtract(t, parts, n, x, k, k);
    for (j = k - 1; j >= 0; j--) {
        if (parts == 1 && j > 0 && general_at(t, 1, n, j, j - 1).real != 0) {
            eigen_number a = number_sub(general_at(t, 1, n, j - 1, j - 1), value), b = general_at(t, 1, n, j - 1, j),
                         c = general_at(t, 1, n, j, j - 1), d = number_sub(general_at(t, 1, n, j, j), value);
            eigen_number det = number_sub(number_mul(a, d), number_mul(b, c));
            double scale = fmax(number_size(a), fmax(number_size(b), fmax(number_size(c), number_size(d))));
            eigen_number u = number_sub(number_mul(d, x[j - 1]), number_mul(b, x[j])),
                         w = number_sub(number_mul(a, x[j]), number_mul(c, x[j - 1]));
            x[j - 1] = number_size(u) > number_size(w) ? u : w; /* the larger one decides by how much all shrinks */
            eigen_number larger = x[j - 1];
            (void)general_divide(x, n, &x[j - 1], det, least * scale);
            double shrunk = larger.real != 0 ? x[j - 1].real / larger.real : larger.imag != 0 ? x[j - 1].imag / larger.imag : 1;
            if (number_size(det) < least * scale)
                det = (eigen_number){least * scale, 0};
            x[j - 1] = number_div((eigen_number){u.real * shrunk, u.imag * shrunk}, det);
            x[j] = number_div((eigen_number){w.real * shrunk, w.imag * shrunk}, det);
            general_subtract(t, 1, n, x, j - 1, j);
            general_subtract(t, 1, n, x, j - 1, j - 1);
            j--;
        } else {
            x[j] = general_divide(x, n, &x[j], number_sub(general_at(t, parts, n, j, j), value), least);
            general_subtract(t, parts, n, x, j, j);
        }
        double size = number_size(x[j]);
        if (size > 1e100)
            general_shrink(x, n, 1 / size);
    }
}

/* Length 1; where asked, the largest number real. */
static void general_normalise(eigen_number *x, int64_t n, bool turns) {
    double most = 0, square = 0, largest = -1;
    int64_t at = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, fmax(fabs(x[i].real), fabs(x[i].imag)));
    if (most == 0)
        return;
    general_shrink(x, n, 1 / most);
    for (int64_t i = 0; i < n; i++) {
        double size = x[i].real * x[i].real + x[i].imag * x[i].imag;
        square += size;
        at = size > largest ? i : at;
        largest = fmax(largest, size);
    }
    eigen_number turn = {1 / sqrt(square), 0};
    if (turns)
        turn = (eigen_number){x[at].real / sqrt(largest) / sqrt(square), -x[at].imag / sqrt(largest) / sqrt(square)};
    for (int64_t i = 0; i < n; i++)
        x[i] = turns ? number_mul(x[i], turn) : (eigen_number){x[i].real * turn.real, x[i].imag * turn.real};
    if (turns)
        x[at].imag = 0;
}

/* ---- batches */

typedef struct general_batch {
    tn_dtype dtype;
    int64_t n;
    char *a;
    eigen_number *values, *vectors;
    tni_thread_memory memory;
    size_t reflect, matrix, column;
    _Atomic int64_t failed;
} general_batch;

static void general_failed(general_batch *batch, int64_t at) {
    int64_t first = atomic_load(&batch->failed);
    while (at < first && !atomic_compare_exchange_weak(&batch->failed, &first, at)) {
    }
}

static tn_error general_one(general_batch *batch, int64_t at, char *memory) {
    int64_t n = batch->n;
    tni_reflect reflect;
    tni_reflect_begin(&reflect, batch->dtype, n, n, memory);
    int parts = reflect.kind > 1 ? 2 : 1;
    double *a = (void *)(batch->a + (size_t)(at * n * n) * reflect.size);
    char *v = memory + batch->reflect;
    double *z = (void *)(v + batch->matrix), *tau = (void *)((char *)z + batch->matrix),
           *scale = (void *)((char *)tau + batch->column);
    eigen_number *x = (void *)((char *)scale + batch->column), *values = batch->values + at * n;
    int exponent;
    if (!tni_reflect_level(&reflect, a, n * n, &exponent)) {
        general_failed(batch, at);
        return TN_OK;
    }
    general_balance(n, parts, a, scale);
    memset(v, 0, batch->matrix);
    tn_error code = tni_reflect_hessenberg(&reflect, n, a, v, tau);
    if (code == TN_OK && batch->vectors)
        code = tni_reflect_form(&reflect, n, n, n - 1, v, tau, z);
    if (code != TN_OK)
        return code;
    double *q = batch->vectors ? z : NULL;
    bool converged = parts == 1 ? real_triangle(n, a, q, values) : complex_triangle(n, (void *)a, (void *)q, values);
    if (!converged)
        general_failed(batch, at);
    for (int64_t k = 0; k < n && batch->vectors && converged; k++) {
        eigen_number *to = batch->vectors + (at * n + k) * n;
        int64_t count;
        if (parts == 1 && values[k].imag < 0) {
            for (int64_t i = 0; i < n; i++)
                to[i] = number_conj(to[i - n]);
            continue;
        }
        general_vector(a, parts, n, k, values[k], x, &count);
        memset(to, 0, (size_t)n * sizeof *to);
        if (parts == 2)
            reflect.loops->add(to, z, n, x, 1, n, count, 1, false);
        else { /* real parts and imaginary parts one after the other, in what V was */
            double *sums = (void *)v;
            memset(sums, 0, (size_t)(2 * n) * sizeof *sums);
            for (int part = 0; part < (values[k].imag != 0 ? 2 : 1); part++)
                reflect.loops->add(sums + part * n, z, n, (double *)x + part, 2, n, count, 1, false);
            for (int64_t i = 0; i < n; i++)
                to[i] = (eigen_number){sums[i], sums[n + i]};
        }
        for (int64_t i = 0; i < n; i++)
            to[i] = (eigen_number){to[i].real * scale[i], to[i].imag * scale[i]};
        general_normalise(to, n, parts == 2 || values[k].imag != 0);
    }
    for (int64_t k = 0; k < n; k++)
        values[k] = (eigen_number){ldexp(values[k].real, exponent), ldexp(values[k].imag, exponent)};
    return TN_OK;
}

static void general_piece(void *argument, int64_t begin, int64_t end) {
    general_batch *batch = argument;
    int64_t set;
    char *memory = tni_thread_memory_claim(&batch->memory, &set);
    for (int64_t i = begin; i < end; i++)
        (void)general_one(batch, i, memory); /* of a small matrix, for which nothing fails */
    tni_thread_memory_leave(&batch->memory, set);
}

tn_error tni_eig(tn_dtype dtype, int64_t n, int64_t count, void *a, void *values, void *vectors, int64_t *failed) {
    *failed = -1;
    if (n == 0 || count == 0)
        return TN_OK;
    size_t size = tni_dtype_size(dtype);
    const tn_lapack *lapack = tni_lapack_takes(TN_LAPACK_GEEV, dtype, n);
    for (int64_t i = 0; i < count && lapack; i++) {
        bool converged = true;
        if (!tni_goes_on())
            return TN_ERROR_CANCELLED;
        if (!tni_lapack_eig(lapack, dtype, n, (char *)a + (size_t)(i * n * n) * size, (tn_complex128 *)values + i * n,
                            vectors ? (tn_complex128 *)vectors + i * n * n : NULL, &converged))
            return tni_failed();
        if (!converged && *failed < 0)
            *failed = i;
    }
    if (lapack)
        return TN_OK;
    general_batch batch = {.dtype = dtype, .n = n, .a = a, .values = values, .vectors = vectors};
    batch.reflect = (tni_reflect_room(dtype, n, n) + 63) / 64 * 64;
    batch.matrix = ((size_t)(n * (n > 2 ? n : 2)) * size + 63) / 64 * 64;
    batch.column = ((size_t)n * sizeof(eigen_number) + 63) / 64 * 64;
    bool small = n <= REFLECT_SMALL;
    double work = (double)n * (double)n * (double)n * 25 + 1;
    int64_t grain = work >= EIGEN_TASK ? 1 : (int64_t)(EIGEN_TASK / work) + 1;
    if (!tni_thread_memory_take(&batch.memory, batch.reflect + 2 * batch.matrix + 3 * batch.column,
                                small ? tni_min_i64((count + grain - 1) / grain, tn_num_threads()) : 1))
        return tni_failed();
    atomic_init(&batch.failed, INT64_MAX);
    tn_error code = TN_OK;
    if (small)
        code = tni_parallel_for(count, grain, general_piece, &batch) ? TN_OK : TN_ERROR_CANCELLED;
    else
        for (int64_t i = 0; i < count && code == TN_OK; i++)
            code = tni_goes_on() ? general_one(&batch, i, batch.memory.data) : TN_ERROR_CANCELLED;
    tni_thread_memory_give(&batch.memory);
    if (atomic_load(&batch.failed) != INT64_MAX)
        *failed = atomic_load(&batch.failed);
    return code;
}
