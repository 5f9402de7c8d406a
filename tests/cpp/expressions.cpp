/* expressions.cpp - fused expressions give what the library's operators give, for every layout, type and thread count. */
#include "check.hpp"

template <class S> Tensor<S, CPU> random_tensor(Dims shape, int seed = 1) {
    Tensor<S, CPU> made(shape);
    uint32_t state = static_cast<uint32_t>(seed) * 2654435761u + 1;
    for (S &x : made) {
        state = state * 1664525u + 1013904223u;
        x = static_cast<S>(static_cast<double>(state >> 16 & 0xff) / 32.0 - (std::is_unsigned<S>::value ? 0 : 4));
    }
    return made;
}
using F = Tensor<float, CPU>;

/* Layouts of a (rows, columns) tensor: contiguous, transposed, a step, flipped, a row and a column broadcast. */
template <class S, class Check> void each_layout(int64_t rows, int64_t columns, Check &&check) {
    using T = Tensor<S, CPU>;
    using C = Tensor<const S, CPU>;
    T base = random_tensor<S>({rows, columns});
    C layouts[] = {base,
                   random_tensor<S>({columns, rows}, 2).t(),
                   random_tensor<S>({rows, 2 * columns}, 3).slice(1, 0, TN_NONE, 2),
                   random_tensor<S>({rows, columns}, 4).flip({0, 1}),
                   random_tensor<S>({columns}, 5).as_const().expand({rows, columns}),
                   random_tensor<S>({rows, 1}, 6).as_const().expand({rows, columns}),
                   random_tensor<S>({rows + 3, columns + 2}, 7).slice(0, 2, rows + 2).slice(1, 1, columns + 1)};
    for (const C &a : layouts)
        for (const C &b : layouts)
            check(a, b);
}

TEST(every_layout_gives_what_the_library_gives) {
    const int64_t sizes[][2] = {{1, 1}, {2, 3}, {17, 33}, {3, 200}, {300, 2}, {40, 130}, {0, 4}};
    for (auto &size : sizes)
        each_layout<float>(size[0], size[1], [](const auto &a, const auto &b) {
            F c = a * b + 2;
            CHECK(same(c, a.dynamic() * b.dynamic() + 2));
            if (a.numel() > 0) {
                CHECK(near((a - b).square().sum(), (a.dynamic() - b.dynamic()).square().sum().item()));
                CHECK((a + b).max() == (a.dynamic() + b.dynamic()).amax().template item<float>());
            }
            CHECK(same((a + b).sum({0}), (a.dynamic() + b.dynamic()).sum({0}), 1e-4));
            CHECK(same((a + b).sum({1}, true), (a.dynamic() + b.dynamic()).sum({1}, true), 1e-4));
            CHECK(same((a + b).mean({0, 1}), (a.dynamic() + b.dynamic()).mean({0, 1}), 1e-4));
            if (a.shape(0) > 0)
                CHECK(same((a * b).amax({0}), (a.dynamic() * b.dynamic()).amax({0})));
        });
}

TEST(more_dimensions_are_lined_up_too) {
    F a = random_tensor<float>({3, 4, 5, 6}), b = random_tensor<float>({6, 5, 4, 3}, 2), c = random_tensor<float>({4, 1, 6}, 3);
    F d = a + b.permute({3, 2, 1, 0}) * c;
    CHECK(same(d, a.dynamic() + b.dynamic().permute({3, 2, 1, 0}) * c.dynamic()));
    CHECK(same((a * c).sum({1, 3}), (a.dynamic() * c.dynamic()).sum({1, 3}), 1e-4));
    CHECK(same((a * c).sum({0, 2}, true), (a.dynamic() * c.dynamic()).sum({0, 2}, true), 1e-4));
    CHECK(same(a.amin({-1}), a.dynamic().amin({-1})) && same(a.prod(2), a.dynamic().prod(2), 1e-4));
    a.permute({2, 0, 3, 1}).assign(1 - b.permute({1, 3, 0, 2}));
    CHECK(same(a.permute({2, 0, 3, 1}), 1 - b.dynamic().permute({1, 3, 0, 2})));
}

template <class A, class B> void check_pair() {
    auto a = random_tensor<A>({5, 7}), a2 = random_tensor<A>({5, 7}, 9);
    auto b = random_tensor<B>({7}, 2);
    AnyTensor x = a, y = b;
    CHECK(same((a + b).eval(), x + y) && same((a * b).eval(), x * y) && same((a < b).eval(), x < y));
    CHECK(same((a / b).eval(), x / y, 1e-4) && same(where(a < a2, a, b).eval(), (x < a2.dynamic()).where(x, y)));
    CHECK(same((a * 2.5).eval(), x * 2.5) && same(a.abs().eval(), x.abs()) && near(double(a.sum()), x.sum().item(), 1e-3));
    CHECK(same(a.template to<B>().eval(), x.to(dtype_of<B>)));
}
TEST(scalar_types_promote_as_in_the_library) {
    check_pair<float, double>();
    check_pair<int8_t, uint8_t>();
    check_pair<bfloat16, half>();
    check_pair<int, uint64_t>();
    static_assert(std::is_same<promote_t<uint8_t, int8_t>, int16_t>::value, "");
    static_assert(std::is_same<promote_t<float, std::complex<double>>, std::complex<double>>::value, "");
    for (int a = TN_BOOL; a <= TN_COMPLEX128; a++) /* the generated table is the library's */
        for (int b = TN_BOOL; b <= TN_COMPLEX128; b++) {
            AnyTensor x = zeros({2}, static_cast<tn_dtype>(a)), y = zeros({2}, static_cast<tn_dtype>(b));
            CHECK((x + y).dtype() == detail::promote(static_cast<tn_dtype>(a), static_cast<tn_dtype>(b)));
        }
}

TEST(whole_numbers_and_truths_are_what_the_library_says) {
    using Bytes = Tensor<uint8_t, CPU>;
    Bytes a = Bytes::of({0, 255, 249});
    AnyTensor x = a;
    CHECK(same((a > 300).eval(), x > 300) && same((a == -7).eval(), x == -7) && same((300 >= a).eval(), 300 >= x));
    Tensor<uint64_t, CPU> u = Tensor<uint64_t, CPU>::of({1, ~uint64_t(0)});
    AnyTensor y = u;
    CHECK(same((u == -1).eval(), y == -1) && same((u > -1).eval(), y > -1) && u.slice(0, 0, 1).sum() == 1);
    CHECK(same(u.sum({0}), y.sum({0})) && same(u.cumsum(0), y.cumsum(0)));
    Tensor<int64_t, CPU> large = Tensor<int64_t, CPU>::full({1}, (int64_t(1) << 53) + 1);
    CHECK(large.floor().eval()(0) == large(0) && large.round().eval()(0) == large(0));
    Tensor<bool, CPU> t = Tensor<bool, CPU>::of({true, false, true});
    CHECK(same(t.square().eval(), t.dynamic().square()) && same((t + t).eval(), t.dynamic() + t.dynamic()));
    CHECK(t.sum() == 2 && same((t / t).eval(), t.dynamic() / t.dynamic()) && (a % 7).equal(x % 7));
}

TEST(complex_numbers_are_what_the_library_says) {
    using C = std::complex<float>;
    Tensor<C, CPU> a = Tensor<C, CPU>::of({C(1, 2), C(-3, 0.5f)}), b = Tensor<C, CPU>::of({C(2, -1), C(0, 1)});
    AnyTensor x = a, y = b;
    auto close = [](const AnyTensor &p, const AnyTensor &q) {
        return p.dtype() == q.dtype() && (p - q).abs().max().item() < 1e-5;
    };
    CHECK(close(a * b + a / b, x * y + x / y) && close(a.sigmoid(), x.sigmoid()) && close(a.mean({0}), x.mean({0})));
    CHECK(close(exp(a), x.exp()) && close(a.abs(), x.abs()) && close(a + C(0, 1), x + Number(C(0, 1))));
}

TEST(a_tensor_without_dimensions_is_reduced_along_none) {
    F z = F::full({}, 3);
    CHECK(z.sum({}).item() == 3 && (z + 1).mean({}).item() == 4 && z.amax({}).item() == 3 && z.sum() == 3);
    /* Recorded, the library would think less of it; the type stays what it is. */
    Tensor<half, CPU> h = Tensor<half, CPU>::ones({2, 3});
    h.requires_grad_();
    auto e = h * z;
    F sums = e.sum({0}), means = e.mean({1});
    CHECK(sums(2) == 6 && means(0) == 3 && e.sum() == 18);
    e.sum().backward();
    CHECK(float(h.grad()(0, 0)) == 3);
}

TEST(what_is_read_twice_is_the_same) {
    F a = random_tensor<float>({1001}), b = random_tensor<float>({1001}, 3);
    AnyTensor x = a, y = b;
    CHECK(same(where(a > b, a, b).eval(), x.maximum(y)) && same(where(a > b, b, a).eval(), x.minimum(y)));
    CHECK(same((a * a + b * b).eval(), x * x + y * y) && same(where(a > b, a, a * 2).eval(), (x > y).where(x, x * 2)));
    CHECK(same(where(a > b, a, b.flip({0})).eval(), (x > y).where(x, y.flip({0}))));
}

TEST(functions_agree_with_the_library) {
    F a = random_tensor<float>({1000});
    AnyTensor x = a;
    CHECK(same(exp(a).eval(), x.exp(), 1e-6) && same(tanh(a).eval(), x.tanh(), 1e-6) &&
          same(sigmoid(a).eval(), x.sigmoid(), 1e-6));
    CHECK(same(log(a.abs() + 1).eval(), (x.abs() + 1).log()) && same(sin(a).eval(), x.sin()) && same(cos(a).eval(), x.cos()));
    CHECK(same(floor(a).eval(), x.floor()) && same(round(a).eval(), x.round()) && same(trunc(a).eval(), x.trunc()));
    CHECK(same(relu(a).eval(), x.relu()) && same((-a).eval(), x.neg()) && same(pow(a.abs(), 2.5).eval(), x.abs().pow(2.5)));
    CHECK(same(a.reciprocal().eval(), x.reciprocal()) && same(rsqrt(a.square() + 1).eval(), (x.square() + 1).rsqrt()));
    CHECK(same(a.eq(a).eval(), x.eq(x)) && same((a > 0).logical_and(a < 1).eval(), (x > 0).logical_and(x < 1)));
    for (double v : {0.0, -0.0, 1e-30, 88.7, 88.73, 100.0, -87.0, -100.0, -104.0, 1e30, -1e30}) {
        F one = F::full({3}, static_cast<float>(v));
        CHECK(same(exp(one).eval(), one.dynamic().exp(), 1e-6));
        Tensor<double, CPU> two = Tensor<double, CPU>::full({3}, v * 8);
        CHECK(same(exp(two).eval(), two.dynamic().exp(), 1e-14));
    }
    float nan = std::nanf("");
    CHECK(std::isnan(math::exp(nan)) && std::isnan(math::tanh(nan)) && std::isnan(float(F::of({1, nan, 2}).max())));
    CHECK(math::exp(HUGE_VALF) == HUGE_VALF && math::exp(-HUGE_VALF) == 0 && std::signbit(math::tanh(-0.0f)));
    for (float v = -104; v < 88.5f; v += 0.37f) /* every octave, within two units in the last place */
        CHECK(near(math::exp(v), std::exp(static_cast<double>(v)), 3e-7));
}

static auto dangling() {
    F a = F::full({3}, 2), b = F::full({3}, 3);
    return a * b + a; /* a and b are gone when this is used */
}
TEST(an_expression_holds_its_operands) {
    auto e = dangling();
    F d = e;
    CHECK(d(0) == 8 && (e + 1).eval()(2) == 9);
    auto copy = e;
    auto moved = std::move(e);
    CHECK(copy.eval()(1) == 8 && moved.sum() == 24);
    F a = F::full({2}, 1);
    int64_t before = a.storage().use_count();
    {
        auto held = a + a;
        CHECK(a.storage().use_count() == before + 2);
    }
    CHECK(a.storage().use_count() == before);
}

TEST(assigning_reuses_memory_that_nobody_else_sees) {
    F a = F::full({100}, 1), b = F::full({100}, 2), d = a + b;
    const float *memory = d.data();
    d = a * b;
    CHECK(d.data() == memory && d(50) == 2);
    F shared = d;
    d = a + b; /* shared keeps what it had */
    CHECK(d.data() != memory && shared(50) == 2 && d(50) == 3);
    d = d + d; /* reads what it writes */
    CHECK(d(99) == 6);
    d = F::full({2, 2}, 1) + 1;
    CHECK(d.dim() == 2);
}

TEST(writing_through_a_view_that_has_no_name) {
    F d = F::zeros({4, 4});
    d.slice(0, 1, 3) = F::ones({4}) * 5;
    d[0] = 7.0f;
    CHECK(d(0, 3) == 7 && d(1, 0) == 5 && d(2, 3) == 5 && d(3, 3) == 0);
    d += 1;
    d *= d;
    CHECK(d(0, 0) == 64 && d(3, 0) == 1);
    F e = random_tensor<float>({4, 4}), before = e.clone();
    e.assign(e.t() + e); /* operand and result overlap in other places */
    CHECK(same(e, before.dynamic().transpose(0, 1) + before.dynamic()));
    F f = random_tensor<float>({10}), old = f.clone();
    f.slice(0, 1) = f.slice(0, 0, 9) + 0;
    CHECK(f(0) == old(0) && same(f.slice(0, 1), old.dynamic().slice(0, 0, 9, 1)));
    Tensor<int, CPU> n = Tensor<int, CPU>::zeros({3});
    n.assign(F::of({1.9f, -2.9f, 3}));
    CHECK(n(0) == 1 && n(1) == -2);
    CHECK_FAILS(TN_ERROR_SHAPE, "", d.assign(F({3})));
    CHECK_FAILS(TN_ERROR_SHAPE, "broadcast", F(d + F({3})));
}

TEST(the_bits_do_not_depend_on_the_threads) {
    F a = random_tensor<float>({300, 1001}), b = random_tensor<float>({1001, 300}, 2);
    F sums[3], columns[3];
    float all[3];
    for (int64_t threads = 1; threads <= 3; threads++) {
        tn_set_num_threads(threads);
        sums[threads - 1] = exp(a * 0.1) + b.t();
        columns[threads - 1] = (a + b.t()).sum({0});
        all[threads - 1] = (a.exp() * b.t()).sum();
    }
    tn_set_num_threads(0);
    for (int i = 1; i < 3; i++) {
        CHECK(all[i] == all[0] && std::memcmp(sums[i].data(), sums[0].data(), 300 * 1001 * sizeof(float)) == 0);
        CHECK(std::memcmp(columns[i].data(), columns[0].data(), 1001 * sizeof(float)) == 0);
    }
    CHECK(near(all[0], (a.dynamic().exp() * b.dynamic().transpose(0, 1)).to(TN_FLOAT64).sum().item(), 1e-4));
}

static bool stop(void *) { return true; }
TEST(a_cancelled_expression_is_an_error) {
    F a = F::full({4000000}, 1);
    tn_set_num_threads(1);
    tn_set_cancel_check(stop, nullptr);
    bool cancelled = false;
    for (int i = 0; i < 200 && !cancelled; i++) { /* asked a few milliseconds apart */
#if TENON_EXCEPTIONS
        try {
            F b = exp(a) * a;
        } catch (const Error &error) {
            cancelled = error.code() == TN_ERROR_CANCELLED;
        }
#else
        F b = exp(a) * a;
        cancelled = tn_error_take(nullptr) == TN_ERROR_CANCELLED;
#endif
    }
    tn_set_cancel_check(nullptr, nullptr);
    tn_set_num_threads(0);
    CHECK(cancelled);
}

TEST(reductions_of_nothing_are_what_the_library_says) {
    F none({0, 3});
    CHECK(none.sum() == 0 && none.prod() == 1 && std::isnan(float(none.mean())) && none.sum({0}).numel() == 3);
    CHECK_FAILS(TN_ERROR_SHAPE, "", none.max());
    F a = random_tensor<float>({2, 3});
    CHECK_FAILS(TN_ERROR_INDEX, "", a.sum({5}));
    CHECK_FAILS(TN_ERROR_ARGUMENT, "", a.sum({0, 0}));
    Tensor<bool, CPU> yes = Tensor<bool, CPU>::ones({5});
    CHECK(yes.sum() == 5 && (Tensor<int, CPU>::full({3}, 2000000000).sum() == 6000000000));
}

TEST(dot_and_long_sums_are_accurate) {
    F a = F::full({10000000}, 0.1f);
    CHECK(near(a.sum(), 1000000.015, 2e-6) && near(a.dot(a), 100000.003, 2e-6));
}

/* Lengths around those of packets, also from an address that is not aligned. */
TEST(every_length_of_a_row_is_computed_whole_and_nothing_beyond_it) {
    for (int64_t n = 1; n < 150; n += n < 70 ? 1 : 7) {
        F a = random_tensor<float>({n + 1}, 1).slice(0, 1), b = random_tensor<float>({n}, 2), d = F::full({n + 8}, 7);
        F row = d.slice(0, 3, n + 3);
        row.assign(a * b - where(a > b, a, 2 * b));
        AnyTensor x = a, y = b;
        CHECK(same(row, x * y - (x > y).where(x, y * 2)));
        CHECK(d(2) == 7 && d(n + 3) == 7);
        row.assign(row.as_const() * 2 + 1); /* the result is an operand */
        CHECK(same(row, (x * y - (x > y).where(x, y * 2)) * 2 + 1));
        CHECK(near(a.dot(b), (x * y).sum().item(), 1e-4) && (a - b).max() == (x - y).amax().item<float>());
        Tensor<double, CPU> c = random_tensor<double>({n}, 3), e = exp(-abs(c)) / sqrt(c * c + 1);
        CHECK(same(e, c.dynamic().abs().neg().exp() / (c.dynamic() * c.dynamic() + 1).sqrt(), 1e-12));
        CHECK(same(relu(a), x.relu()) && same(tanh(a), x.tanh()) && same(sigmoid(a), x.sigmoid()));
        CHECK(near(c.sum(), c.dynamic().sum().item(), 1e-12) && near(c.prod(), c.dynamic().prod().item(), 1e-9));
    }
}

TEST(rows_and_columns_of_any_size_are_combined) {
    const int64_t sizes[][2] = {{1, 1},    {5, 3},    {3, 16},    {9, 17},  {130, 31},
                                {260, 48}, {7, 1025}, {20, 2051}, {1, 500}, {300, 5}};
    for (auto &size : sizes) {
        F a = random_tensor<float>({size[0], size[1]}, 1), b = random_tensor<float>({size[0], size[1]}, 2);
        AnyTensor x = a, y = b;
        CHECK(same((a * b).sum({0}), (x * y).sum({0}), 1e-4) && same((a * b).sum({1}), (x * y).sum({1}), 1e-4));
        CHECK(same((a - b).amax({0}), (x - y).amax({0})) && same((a - b).amin({1}), (x - y).amin({1})));
        CHECK(same(a.mean({0}, true), x.mean({0}, true)) && same(a.mean({1}), x.mean({1})));
        F row = random_tensor<float>({size[1]}, 3), c({size[0], size[1]});
        c = (a - row).square();
        CHECK(same(c, (x - row.dynamic()).square()));
        CHECK(same(a.t() + b.t(), x.t() + y.t()) && same((a.t().clone() + b.t()).eval(), x.t() + y.t()));
        CHECK(same((a.slice(1, 0, TN_NONE, 2) * 2).eval(), x.slice(1, 0, TN_NONE, 2) * 2));
    }
    F cube = random_tensor<float>({6, 7, 19});
    AnyTensor x = cube;
    CHECK(same(cube.sum({0, 1}), x.sum({0, 1}), 1e-4) && same(cube.sum({1, 2}), x.sum({1, 2}), 1e-4));
    CHECK(same(cube.sum({1}), x.sum({1}), 1e-4) && same(cube.sum({0, 2}), x.sum({0, 2}), 1e-4));
}

TEST(not_a_number_and_the_signs_of_zero_survive_packets) {
    const float nan = std::nanf(""), inf = INFINITY;
    for (int64_t n : {3, 40}) {
        F a = F::full({n}, 1), b = F::full({n}, 2), c;
        a(1) = nan;
        b(2) = nan;
        CHECK(same(maximum(a, b), a.dynamic().maximum(b)) && same(minimum(a, b), a.dynamic().minimum(b)));
        CHECK(std::isnan(float(a.max())) && std::isnan(float(b.min())) && same(relu(a), a.dynamic().relu()));
        c = -F::zeros({n});
        CHECK(std::signbit(c(0)) && std::signbit(tanh(c).eval()(n - 1)) && !std::signbit(abs(c).eval()(n - 1)));
        F d = F::full({n}, inf);
        d(1) = -inf;
        d(2) = nan;
        CHECK(same(exp(d), d.dynamic().exp()) && same(sigmoid(d), d.dynamic().sigmoid()) && same(tanh(d), d.dynamic().tanh()));
    }
}

/* Larger than the caches: written past them. */
TEST(a_large_result_is_whole_for_any_number_of_threads) {
    const int64_t n = 6000001;
    F a = random_tensor<float>({n}, 1), b = random_tensor<float>({n}, 2), d({n}), e({n});
    tn_set_num_threads(1);
    d = a * b + a;
    tn_set_num_threads(2);
    e = a * b + a;
    tn_set_num_threads(0);
    CHECK(std::memcmp(d.data(), e.data(), static_cast<std::size_t>(n) * sizeof(float)) == 0);
    bool right = true;
    for (int64_t i = 0; i < n; i += i < n - 100 ? 97 : 1)
        right = right && near(d(i), a(i) * b(i) + a(i));
    CHECK(right);
}
