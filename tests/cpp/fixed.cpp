/* fixed.cpp - sizes that the compiler knows, alone and in expressions; walking through elements; text; truths and bits. */
#include "check.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <sstream>
#if defined(__cpp_lib_ranges)
#include <ranges>
#endif

using F = Tensor<float, CPU>;

static F counted_up(Dims shape) {
    F made(shape);
    float next = 0;
    for (float &x : made)
        x = next++;
    return made;
}

TEST(fixed_tensors_are_operands_of_expressions) {
    FixedTensor<float, Fixed<3>> row{{10, 20, 30}};
    F a = counted_up({2, 3}), b = a + row, c = row * a - 1;
    CHECK(b(1, 2) == 35 && c(1, 0) == 29 &&
          (a - row).square().sum() == (a.dynamic() - row.tensor().dynamic()).square().sum().item());
    auto made = [] {
        FixedTensor<float, Fixed<3>> gone{{1, 2, 3}};
        return counted_up({2, 3}) * gone + gone; /* held by value */
    };
    auto e = made();
    CHECK(e.eval()(1, 2) == 18 && e.sum({0}).shape() == Dims({3}));
    CHECK(same(maximum(a, row).eval(), a.dynamic().maximum(row.tensor())) && a.dot(counted_up({2, 3})) == 55);
    CHECK(same(where(a > 2, a, row).eval(), (a.dynamic() > 2).where(a, row.tensor())));
    a += row;
    CHECK(a(0, 0) == 10);
    a.assign(row);
    CHECK(a(1, 1) == 20);
    a[0] = FixedTensor<float, Fixed<3>>{{1, 2, 3}} + a[1];
    CHECK(a(0, 2) == 33);
    FixedTensor<int, Fixed<2, 1>> column{{1, 2}};
    Tensor<float, CPU, 2> d = counted_up({2, 3}) + column; /* promoted, and broadcast */
    CHECK(d(1, 0) == 5 && d.shape() == Dims({2, 3}));
    CHECK((FixedTensor<float, Fixed<2, 3>>::from(d + row)(1, 2) == 37));
    F t = row;
    Tensor<float, CPU, 1> u = row;
    CHECK(t.dim() == 1 && u(2) == 30 && t.data() != u.data());
    CHECK_FAILS(TN_ERROR_SHAPE, "broadcast", F(counted_up({2, 4}) + row));
    CHECK_FAILS(TN_ERROR_SHAPE, "not [3]", (FixedTensor<float, Fixed<3>>::from(d * row)));
    CHECK_FAILS(TN_ERROR_ARGUMENT, "NULL", (FixedTensor<float, Fixed<3>>::from(F())));
    F w = F::ones({3});
    w.requires_grad_();
    (w * row).sum().backward();
    CHECK(w.grad()(1) == 20);
}

TEST(fixed_tensors_promote_and_take_numbers_on_both_sides) {
    constexpr FixedTensor<int, Fixed<2>> a{{3, 4}};
    constexpr auto b = 2 * a + 1 - a;
    static_assert(b(0) == 4 && b(1) == 5, "while compiling");
    auto half_of = a / 2;
    static_assert(std::is_same<decltype(half_of), FixedTensor<float, Fixed<2>>>::value, "as the library divides");
    static_assert(std::is_same<decltype(a + FixedTensor<double, Fixed<2>>{}), FixedTensor<double, Fixed<2>>>::value, "");
    CHECK(half_of(0) == 1.5f && (10 - a)(1) == 6 && (-a)(0) == -3 && (1.0f / a)(1) == 0.25f);
    CHECK((a < 4)(0) && !(a < 4)(1) && (a == a)(1));
    FixedTensor<float, Fixed<2>> c{{4, 9}};
    c += 1;
    c -= c / 10.0f;
    CHECK(near(c(0), 4.5) && near(sqrt(c)(1), 3) && near(exp(c * 0)(0), 1) && abs(-c)(0) == c(0));
    std::ostringstream text;
    text << a;
    CHECK(text.str() == a.str() && text.str().find("[3, 4]") != std::string::npos);
#if TENON_DEBUG
    CHECK_FAILS(TN_ERROR_INDEX, "index 2 is out of range for dimension 0 of the shape [2]", c(2));
#endif
}

TEST(iterators_go_anywhere) {
    F a = counted_up({3, 4, 5});
    for (auto x :
         {a.as_const(), a.as_const().permute({2, 0, 1}), a.as_const().flip({1}), a.as_const().slice(2, 0, TN_NONE, 2)}) {
        std::vector<float> all;
        for (float v : x)
            all.push_back(v);
        int64_t n = x.numel(), k = 0;
        CHECK(static_cast<int64_t>(all.size()) == n && x.end() - x.begin() == n);
        for (auto i = x.begin(); i < x.end(); i += 7, k += 7) {
            CHECK(*i == all[static_cast<std::size_t>(k)] && x.begin()[k] == *i);
            if (k + 7 >= n)
                break;
        }
        auto last = x.end();
        for (k = n; last != x.begin(); k--)
            CHECK(*--last == all[static_cast<std::size_t>(k - 1)]);
        CHECK(*(x.end() - 1) == all.back() && (x.begin() + n) == x.end() && (x.end() - n) == x.begin() &&
              3 + x.begin() > x.begin());
    }
    F b = F::of({5, 3, 9, 1});
    std::sort(b.begin(), b.end());
    CHECK(b(0) == 1 && b(3) == 9 && *std::lower_bound(b.cbegin(), b.cend(), 4.0f) == 5);
    F table = counted_up({4, 2}), column = table.select(1, 0);
    std::reverse(column.begin(), column.end());
    CHECK(table(0, 0) == 6 && table(3, 0) == 0 && std::accumulate(table.begin(), table.end(), 0.0f) == 28);
    F::const_iterator read = b.begin();
    CHECK(read == b.cbegin() && F({0, 3}).begin() == F({0, 3}).end());
    F one = F::full(Dims(), 5);
    CHECK(one.end() - one.begin() == 1 && *one.begin() == 5);
#if defined(__cpp_lib_ranges)
    static_assert(std::ranges::random_access_range<F> && std::ranges::random_access_range<const F> &&
                  std::ranges::sized_range<F>);
    std::ranges::sort(b, std::greater<>());
    CHECK(b(0) == 9 && std::ranges::distance(table) == 8);
#if !defined(__clang__) || __clang_major__ >= 16 /* before that, clang does not understand the views of libstdc++ */
    float sum = 0;
    for (float v : table | std::views::transform([](float x) { return 2 * x; }) | std::views::take(3))
        sum += v;
    CHECK(sum == 2 * (6 + 1 + 4));
#endif
#endif
}

TEST(truths_and_bits_are_combined_in_the_same_pass) {
    F a = counted_up({40}), b = F::full({40}, 7);
    AnyTensor x = a, y = b;
    auto inside = (a > 3) & (a < 30);
    static_assert(std::is_same<decltype(inside)::value_type, bool>::value && is_expression<decltype(inside)>, "an expression");
    CHECK(same(inside.eval(), (x > 3) & (x < 30)) && same((~(a > 3) | (a == b)).eval(), (x > 3).logical_not() | x.eq(y)));
    CHECK(same(where((a > 3) ^ (a > 9), a, -b).eval(), ((x > 3) ^ (x > 9)).where(x, -y)));
    CHECK(same(where(~(a > 3), a, b).eval(), (x > 3).logical_not().where(x, y)));
    CHECK(same(where(a > 3, 1.0f, 0.0f).eval(), (x > 3).to(TN_FLOAT32)));
    Tensor<int, CPU> i = Tensor<int, CPU>::of({1, 2, 3, 12}), j = Tensor<int, CPU>::of({3, 3, 5, 10});
    CHECK(same((i & j).eval(), i.dynamic() & j.dynamic()) && same((i | 1).eval(), i.dynamic() | 1));
    CHECK(same((i ^ j).eval(), i.dynamic() ^ j.dynamic()) && same((~i).eval(), ~i.dynamic()) &&
          (i.bitwise_and(j)).eval()(3) == 8);
    CHECK((a > 3).sum() == 36);
}

#if defined(__cpp_lib_format)
TEST(tensors_are_formatted) {
    using namespace tenon::literals;
    F a = counted_up({3});
    AnyTensor x = a;
    CHECK(std::format("{}", a) == a.str() && std::format("{}", x) == x.str());
    CHECK(std::format("{:>60}", a).size() == 60 && std::format("{:.6}", a) == "tensor");
    CHECK(std::format("{:.2f} {:.1f}", a.mean(), 1.25_h) == "1.00 1.2");
    CHECK((std::format("{}", FixedTensor<int, Fixed<2>>{{1, 2}}) == FixedTensor<int, Fixed<2>>{{1, 2}}.str()));
}
#endif

#if defined(__cpp_lib_mdspan)
TEST(a_rank_in_the_type_gives_the_standards_view) {
    Tensor<float, CPU, 2> a = counted_up({3, 4});
    auto m = a.t().mdspan();
    CHECK(m.extent(0) == 4 && m.stride(0) == 1 && (m[3, 2]) == 11);
    const Tensor<float, CPU, 2> c = a;
    static_assert(std::is_same<decltype(c.mdspan())::element_type, const float>::value, "const survives");
    m[3, 2] = 5;
    CHECK(c(2, 3) == 5);
}
#endif
