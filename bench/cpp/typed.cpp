/* typed.cpp - fused expressions of tenon.hpp beside Eigen 3.4 and xtensor, in turns, each at its fastest spelling. Prints a line for each
 * row and size: nanoseconds of the three, and how often ours is as fast as the better of the others (1 and more: at least as fast).
 *
 *   typed [THREADS] [ROW]
 */
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>

#include <Eigen/Dense>

#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xsort.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

#include <tenon/tenon.hpp>

namespace tn = tenon;
using F = tn::Tensor<float, tn::CPU>;
using A = Eigen::Array<float, Eigen::Dynamic, 1>;
using M = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using X = xt::xtensor<float, 1>;
using X2 = xt::xtensor<float, 2>;

static const char *only = nullptr;
static volatile float sink;

/* One thread is measured in its own time, so that other programs on the machine count as little as they can. */
static bool alone = true;
static double seconds() {
    if (alone) {
        timespec now;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class Body> double once(Body &&body, int64_t times) {
    double begin = seconds();
    for (int64_t i = 0; i < times; i++)
        body();
    return (seconds() - begin) / static_cast<double>(times);
}

/* In turns, so that what else the machine does meets all three alike; the best of each counts. */
template <class Ours, class Eigens, class Xtensors>
void row(const char *name, int64_t n, Ours &&ours, Eigens &&eigens, Xtensors &&xtensors) {
    if (only && !std::strstr(name, only))
        return;
    int64_t times = n >= 1000000 ? 1 : n >= 100000 ? 20 : 1000;
    double best[3] = {1, 1, 1};
    int rounds = n >= 50000 ? 25 : 400; /* of a short one more are needed until nothing disturbs it */
    for (int round = 0; round < rounds; round++) {
        double now[3] = {once(ours, times), once(eigens, times), once(xtensors, times)};
        for (int i = 0; i < 3; i++)
            best[i] = now[i] < best[i] ? now[i] : best[i];
    }
    double other = best[1] < best[2] ? best[1] : best[2];
    std::printf("%-32s %9lld  %12.0f %12.0f %12.0f  %5.2f\n", name, static_cast<long long>(n), best[0] * 1e9, best[1] * 1e9,
                best[2] * 1e9, other / best[0]);
    std::fflush(stdout);
}

/* The fastest that a loop by hand can be: packets, and stores past the caches where there are many elements. */
static void streamed(float *out, const float *a, const float *b, const float *c, int64_t begin, int64_t end) {
    typedef float V __attribute__((vector_size(tn::detail::packet_bytes)));
    constexpr int64_t lanes = tn::detail::packet_bytes / 4;
    bool past = reinterpret_cast<uintptr_t>(out + begin) % tn::detail::packet_bytes == 0 && end - begin >= 50000;
    int64_t i = begin;
    for (; i + lanes <= end; i += lanes) {
        V x, y, z;
        std::memcpy(&x, a + i, sizeof x);
        std::memcpy(&y, b + i, sizeof y);
        std::memcpy(&z, c + i, sizeof z);
        V w = x * y + z;
        if (past)
            tn::detail::packet_stream<float>(out + i, w);
        else
            std::memcpy(out + i, &w, sizeof w);
    }
    for (; i < end; i++)
        out[i] = a[i] * b[i] + c[i];
}
static float read_all(const float *a, int64_t n) {
    struct Piece {
        const float *a;
        float parts[256];
        int64_t grain;
    } piece = {a, {}, n / 64 > 65536 ? n / 64 : 65536};
    tn_parallel(
        n, piece.grain,
        [](void *arg, int64_t begin, int64_t end) {
            Piece &p = *static_cast<Piece *>(arg);
            typedef float V __attribute__((vector_size(tn::detail::packet_bytes)));
            constexpr int64_t lanes = tn::detail::packet_bytes / 4;
            V sums[8] = {};
            int64_t i = begin;
            for (; i + 8 * lanes <= end; i += 8 * lanes)
                for (int k = 0; k < 8; k++) {
                    V x;
                    std::memcpy(&x, p.a + i + k * lanes, sizeof x);
                    sums[k] += x;
                }
            float total = 0;
            for (; i < end; i++)
                total += p.a[i];
            for (V &s : sums)
                for (int64_t k = 0; k < lanes; k++)
                    total += s[k];
            p.parts[begin / p.grain] = total;
        },
        &piece);
    float total = 0;
    for (float part : piece.parts)
        total += part;
    return total;
}

static void vectors(int64_t n) {
    F a({n}), b({n}), c({n}), d({n});
    A ea(n), eb(n), ec(n), ed(n);
    auto size = static_cast<std::size_t>(n);
    X::shape_type length{size};
    X xa(length), xb(length), xc(length), xd(length);
    for (int64_t i = 0; i < n; i++) {
        float x = static_cast<float>(i % 1000) / 500 - 1, y = static_cast<float>(i * 7 % 1000) / 500 - 1;
        a(i) = ea(i) = xa(static_cast<std::size_t>(i)) = x;
        b(i) = eb(i) = xb(static_cast<std::size_t>(i)) = y;
        c(i) = ec(i) = xc(static_cast<std::size_t>(i)) = x * y;
    }
    row(
        "a + b", n, [&] { d = a + b; }, [&] { ed = ea + eb; }, [&] { xt::noalias(xd) = xa + xb; });
    row(
        "a * b + c", n, [&] { d = a * b + c; }, [&] { ed = ea * eb + ec; }, [&] { xt::noalias(xd) = xa * xb + xc; });
    row(
        "exp(a) * b", n, [&] { d = exp(a) * b; }, [&] { ed = ea.exp() * eb; }, [&] { xt::noalias(xd) = xt::exp(xa) * xb; });
    row(
        "sqrt(a * a + b * b)", n, [&] { d = sqrt(a * a + b * b); }, [&] { ed = (ea * ea + eb * eb).sqrt(); },
        [&] { xt::noalias(xd) = xt::sqrt(xa * xa + xb * xb); });
    row(
        "a.square().sum()", n, [&] { sink = a.square().sum(); }, [&] { sink = ea.square().sum(); },
        [&] { sink = xt::sum(xt::square(xa), xt::evaluation_strategy::immediate)(); });
    row(
        "dot", n, [&] { sink = a.dot(b); }, [&] { sink = ea.matrix().dot(eb.matrix()); },
        [&] { sink = xt::sum(xa * xb, xt::evaluation_strategy::immediate)(); });
    row(
        "where(a > b, a, b)", n, [&] { d = where(a > b, a, b); }, [&] { ed = (ea > eb).select(ea, eb); },
        [&] { xt::noalias(xd) = xt::where(xa > xb, xa, xb); });
    row(
        "cumulative sum", n, [&] { d = a.cumsum(0); },
        [&] {
            float sum = 0;
            for (Eigen::Index i = 0; i < ea.size(); i++)
                ed(i) = sum += ea(i);
        },
        [&] { xd = xt::cumsum(xa); });

    /* What the machine can do, by hand: three streams in and one out past the caches, and one in. */
    if (!only || std::strstr("limit", only)) {
        const float *p = a.data(), *q = b.data(), *r = c.data();
        float *o = d.data();
        auto triad = [&] {
            tn::detail::parallel(n, 65536, [&](int64_t begin, int64_t end) { streamed(o, p, q, r, begin, end); });
        };
        row(
            "a * b + c, limit", n, [&] { d = a * b + c; }, triad, triad);
        float mean = a.mean();
        auto read = [&] { sink = read_all(p, n); };
        row(
            "(a - mean).square().sum(), limit", n, [&] { sink = (a - mean).square().sum(); }, read, read);
    }

    /* What one pass is worth: the same in operators of the library, one after the other. */
    tn::AnyTensor x = a, y = b, z = c, out = d;
    row(
        "a * b + c, two passes", n, [&] { d = a * b + c; },
        [&] {
            tn::mul_out(out, x, y);
            tn::add_out(out, out, z);
        },
        [&] {
            tn::mul_out(out, x, y);
            tn::add_out(out, out, z);
        });
    row(
        "four operators", n, [&] { d = (a * b + c - a) * b; },
        [&] {
            tn::mul_out(out, x, y);
            tn::add_out(out, out, z);
            tn::sub_out(out, out, x);
            tn::mul_out(out, out, y);
        },
        [&] {
            tn::mul_out(out, x, y);
            tn::add_out(out, out, z);
            tn::sub_out(out, out, x);
            tn::mul_out(out, out, y);
        });
}

static void matrices(int64_t side) {
    int64_t n = side * side;
    auto size = static_cast<std::size_t>(side);
    F a({side, side}), b({side, side}), d({side, side}), line({side}), half({side, side / 2});
    M ea(side, side), eb(side, side), ed(side, side), ehalf(side, side / 2);
    A eline(side), eone(side);
    X2::shape_type square{size, size}, narrow{size, size / 2};
    X2 xa(square), xb(square), xd(square), xhalf(narrow);
    X::shape_type length{size};
    X xline(length), xone(length);
    for (int64_t i = 0; i < side; i++)
        for (int64_t j = 0; j < side; j++) {
            auto I = static_cast<std::size_t>(i), J = static_cast<std::size_t>(j);
            a(i, j) = ea(i, j) = xa(I, J) = static_cast<float>((i * 31 + j) % 1000) / 500 - 1;
            b(i, j) = eb(i, j) = xb(I, J) = static_cast<float>((i + j * 17) % 1000) / 500 - 1;
            line(j) = eline(j) = xline(J) = static_cast<float>(j % 10);
        }
    F one({side});
    row(
        "row mean", n, [&] { one = a.mean({1}); }, [&] { eone = ea.rowwise().mean(); },
        [&] { xone = xt::mean(xa, {1}, xt::evaluation_strategy::immediate); });
    row(
        "column max", n, [&] { one = a.amax({0}); }, [&] { eone = ea.colwise().maxCoeff().transpose(); },
        [&] { xone = xt::amax(xa, {0}, xt::evaluation_strategy::immediate); });
    row(
        "(m - row).square()", n, [&] { d = (a - line).square(); }, [&] { ed = (ea.rowwise() - eline.transpose()).square(); },
        [&] { xt::noalias(xd) = xt::square(xa - xline); });
    row(
        "transpose(a) + b", n, [&] { d = a.t() + b; }, [&] { ed = ea.transpose() + eb; },
        [&] { xt::noalias(xd) = xt::transpose(xa) + xb; });
    row(
        "a(:, ::2) * 2", n, [&] { half = a.slice(1, 0, side / 2 * 2, 2) * 2; },
        [&] { ehalf = Eigen::Map<M, 0, Eigen::InnerStride<2>>(ea.data(), side, side / 2) * 2.0f; },
        [&] { xt::noalias(xhalf) = xt::view(xa, xt::all(), xt::range(0, size / 2 * 2, 2)) * 2.0f; });
    row(
        "softmax of rows", n, [&] { d = a.softmax(1); },
        [&] {
            ed = (ea.colwise() - ea.rowwise().maxCoeff()).exp();
            ed.colwise() /= ed.rowwise().sum().eval();
        },
        [&] {
            xt::noalias(xd) = xt::exp(xa - xt::view(xt::eval(xt::amax(xa, {1})), xt::all(), xt::newaxis()));
            xd /= xt::view(xt::eval(xt::sum(xd, {1})), xt::all(), xt::newaxis());
        });
}

static void small() {
    using Fixed = tn::FixedTensor<float, tn::Fixed<4, 4>>;
    Fixed a{}, b{}, c{};
    Eigen::Matrix4f ea, eb, ec;
    for (int i = 0; i < 16; i++)
        a.values[i] = b.values[i] = ea.data()[i] = eb.data()[i] = static_cast<float>(i) / 8 - 1;
    auto ours = [&] {
        c = a.matmul(b);
        __asm__ volatile("" : : "r"(c.values), "r"(a.values) : "memory");
    };
    auto eigens = [&] {
        ec.noalias() = ea * eb;
        __asm__ volatile("" : : "r"(ec.data()), "r"(ea.data()) : "memory");
    };
    row(
        "4 x 4 by 4 x 4, 1000 of", 1000,
        [&] {
            for (int i = 0; i < 1000; i++)
                ours();
        },
        [&] {
            for (int i = 0; i < 1000; i++)
                eigens();
        },
        [&] {
            for (int i = 0; i < 1000; i++)
                eigens();
        });
}

int main(int count, char **words) {
    int threads = count > 1 ? std::atoi(words[1]) : 1;
    tn_set_num_threads(threads);
    alone = threads == 1;
    only = count > 2 ? words[2] : nullptr;
    std::printf("%-32s %9s  %12s %12s %12s  %5s\n", "", "floats", "tenon ns", "Eigen ns", "xtensor ns", "ratio");
    for (int64_t n : {1000, 100000, 10000000})
        vectors(n);
    for (int64_t side : {32, 316, 3162})
        matrices(side);
    small();
}
