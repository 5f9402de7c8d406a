/* edges.cpp - what a careless program does: tensors that were moved from, const ones, operators in place, memory that runs out, and
 * more dimensions than there is room in the object. */
#include "check.hpp"

#include <sstream>

using F = Tensor<float, CPU>;

static F counted_up(Dims shape) {
    F made(shape);
    float next = 0;
    for (float &x : made)
        x = next++;
    return made;
}

TEST(a_tensor_that_was_moved_from_is_empty) {
    F a = counted_up({2, 3}), b = std::move(a);
    CHECK(!a && a.numel() == 0 && a.data() == nullptr && a.begin() == a.end() && a.storage().use_count() <= 0);
    tn_error_clear();
    a = counted_up({2}); /* and as good as new */
    CHECK(a(1) == 1 && b(1, 2) == 5);
    b = std::move(a);
    CHECK(!a && b.dim() == 1);
    F &itself = b;
    b = std::move(itself);
    CHECK(b && b(1) == 1);
    CHECK_FAILS(TN_ERROR_ARGUMENT, "NULL", a.item());
    CHECK_FAILS(TN_ERROR_ARGUMENT, "NULL", a.clone());
    CHECK_FAILS(TN_ERROR_ARGUMENT, "NULL", F(a.square()));
    CHECK_FAILS(TN_ERROR_ARGUMENT, "NULL", a.sum());
    CHECK_FAILS(TN_ERROR_ARGUMENT, "NULL", a.fill(1));
    CHECK_FAILS(TN_ERROR_ARGUMENT, "NULL", (a += 1));
#if TENON_DEBUG
    CHECK_FAILS(TN_ERROR_ARGUMENT, "the tensor is NULL: it was moved from", a(0));
    Tensor<float, CPU, 0> none;
    CHECK_FAILS(TN_ERROR_ARGUMENT, "the tensor is NULL: it was moved from", none());
    CHECK(none.begin() == none.end());
#endif
    AnyTensor x = counted_up({2}), y = counted_up({3}), z;
    y = std::move(x);
    CHECK(!x && y.numel() == 2);
    y = std::move(z);
    CHECK(!y);
    std::swap(x, y);
    DataPtr p = CPUAllocator<float>().allocate(64), q;
    q = std::move(p);
    CHECK(!p && q);
    Storage<float> s(4), t = std::move(s);
    CHECK(!s && s.data() == nullptr && t);
}

TEST(const_survives_every_view_and_the_dynamic_face) {
    F a = counted_up({3, 3});
    const F &c = a;
    static_assert(std::is_same<decltype(c.diagonal()), Tensor<const float, CPU>>::value, "the table's views too");
    static_assert(std::is_same<decltype(a.diagonal()), F>::value, "");
    static_assert(std::is_same<decltype(a.as_const().mT()), Tensor<const float, CPU>>::value, "");
    static_assert(std::is_same<decltype(c.detach()), Tensor<const float, CPU>>::value, "");
    static_assert(std::is_same<decltype(c.cbegin()), decltype(c.begin())>::value, "");
    static_assert(std::is_same<decltype(*a.cbegin()), const float &>::value, "");
    static_assert(
        std::is_same<decltype(std::declval<const Tensor<float, CUDADevice<float>>>().cuda_data()), const float *>::value, "");
    a.diagonal() = 7.0f;
    CHECK(a(1, 1) == 7 && c.diagonal()(2) == 7 && a.as_const().diagonal().data() == a.data());
    AnyTensor read = c, write = a;
    CHECK(read.is_readonly() && !write.is_readonly());
    CHECK_FAILS(TN_ERROR_READONLY, "read-only", read.add_(1));
    CHECK_FAILS(TN_ERROR_READONLY, "read-only", F(read));
    CHECK_FAILS(TN_ERROR_READONLY, "read-only", c.unbind()[0].zero_());
    a.unbind()[0].zero_();
    CHECK(a(0, 2) == 0);
    F same = c.dropout(0.5, false); /* the operand itself, where it may be written: a copy */
    same(0, 0) = 50;
    CHECK(a(0, 0) == 0);
    Tensor<std::complex<float>, CPU> z = counted_up({4, 2}).view_as_complex();
    CHECK(z(3) == std::complex<float>(6, 7) && z.view_as_real()(3, 1) == 7);
}

TEST(operators_in_place_change_the_typed_numbers_too) {
    F a = counted_up({2, 3});
    a.t_();
    CHECK(a.shape() == Dims({3, 2}) && a(2, 1) == 5);
    a.unsqueeze_(0).squeeze_();
    CHECK(a.dim() == 2 && a.transpose_(0, 1).is_contiguous());
    a.add_(1).mul_(2);
    CHECK(a(0, 0) == 2);
    Tensor<float, CPU, 2> m = counted_up({1, 3});
    CHECK_FAILS(TN_ERROR_SHAPE, "has 1 dimensions, not 2", m.squeeze_());
    F w = F::ones({3});
    w.requires_grad_();
    F out = F::zeros({3});
    out.assign(w * 2); /* the record follows */
    CHECK(out.requires_grad() && out(1) == 2);
    out.sum().backward();
    CHECK(w.grad()(0) == 2);
    F other = F::ones({3});
    other.mul_(w);
    CHECK(other.requires_grad());
}

TEST(more_dimensions_than_fit_into_the_object) {
    int64_t sizes[12] = {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 3};
    F a = counted_up(Dims(sizes, 12));
    CHECK(a.dim() == 12 && a.numel() == 96 && a.is_contiguous() && a.size(-1) == 3 && a.stride(1) == 48);
    CHECK(a(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 2) == 95 && a.compute_offset(0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) == 48);
    F b = a, c = std::move(b);
    CHECK(!b && b.numel() == 0 && c.dim() == 12);
    b = c;
    c = F::of({1, 2});
    CHECK(b.dim() == 12 && c.dim() == 1);
    AnyTensor x = b;
    CHECK(same((b * 2 + a).eval(), x * 2 + x) && same(a.transpose(1, 11) + 0, x.transpose(1, 11)));
    CHECK(near(a.sum(), 95 * 96 / 2) && same(a.sum({1, 11}), x.sum({1, 11})) && same(a.mean({3}, true), x.mean({3}, true)));
    CHECK(a.squeeze().dim() == 6 && a.view({96})(95) == 95 && a.select(11, 2).dim() == 11 &&
          a.flip({11})(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) == 2);
    Tensor<float, CPU, 12> typed = a;
    F back = typed;
    CHECK(typed(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 2) == 95 && back.dim() == 12 && same(typed + a, x + x));
    float sum = 0;
    for (float v : a.transpose(1, 11))
        sum += v;
    CHECK(sum == 95 * 96 / 2);
#if TENON_DEBUG
    CHECK_FAILS(TN_ERROR_INDEX, "index 2 is out of range for dimension 1 of the shape [1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 3]",
                a(0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
#endif
}

TEST(pinned_blocks_do_not_unlock_each_other) {
    PinnedAllocator<float> pinned;
    using P = Tensor<float, CPUWith<PinnedAllocator>>;
    P a({16}, pinned), b({16}, pinned);
    std::size_t locked = pinned.core().locked_bytes();
    CHECK(locked == 128 || pinned.core().reason()[0] != 0);
    CHECK(a.data() + 1024 <= b.data() || b.data() + 1024 <= a.data());
    a = P();
    CHECK(pinned.core().locked_bytes() == (locked == 128 ? 64 : pinned.core().locked_bytes()));
    b = P();
    CHECK(pinned.core().locked_bytes() == 0);
}

/* ---- memory that runs out */

/* Kept as functions of their own: inlined, they would look to the compiler like a pair that does not match. */
#define APART __attribute__((noinline))
static bool new_fails;
APART void *operator new(std::size_t bytes) { return std::malloc(bytes ? bytes : 1); }
APART void *operator new[](std::size_t bytes) { return std::malloc(bytes ? bytes : 1); }
APART void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept {
    return new_fails ? nullptr : std::malloc(bytes);
}
APART void *operator new[](std::size_t bytes, const std::nothrow_t &) noexcept {
    return new_fails ? nullptr : std::malloc(bytes);
}
APART void operator delete(void *memory) noexcept { std::free(memory); }
APART void operator delete[](void *memory) noexcept { std::free(memory); }
APART void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
APART void operator delete[](void *memory, std::size_t) noexcept { std::free(memory); }

/* The library's own fault injection: the k-th allocation from now on fails. */
extern "C" void tni_fault_arm(int64_t k);
extern "C" bool tni_fault_disarm(void);

static bool right;
static void a_little_of_everything() {
    F a = F::of({{1, 2, 3}, {4, 5, 6}}), b = F::full({2, 3}, 2);
    F c = a * b + 1;
    c = c.t().clone() + a.t();
    c.slice(0, 0, 1) = F::zeros({2});
    F d = a.sum({0}), e = a.reshape({3, 2}).t().reshape({6});
    F f = a.softmax(1), g = a.matmul(b.t());
    FixedTensor<float, Fixed<2, 3>> fixed = FixedTensor<float, Fixed<2, 3>>::from(a + b);
    F h = fixed.tensor() + fixed;
    int64_t ones[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 2};
    F many(Dims(ones, 10));
    many.fill(1);
    AnyTensor x = a;
    F back = x.add(1);
    e += 1;
    right = c && d && e && f && g && h && many && back && d(2) == 9 && c(1, 1) == 16 && h(1, 2) == 16 && many.sum() == 2;
}

TEST(memory_that_runs_out_is_an_error_and_nothing_else) {
    for (int64_t k = 1; k < 400; k++) {
        right = false;
        tni_fault_arm(k);
#if TENON_EXCEPTIONS
        tn_error code = TN_OK;
        try {
            a_little_of_everything();
        } catch (const Error &error) {
            code = error.code();
        }
        bool happened = tni_fault_disarm();
        CHECK(tn_error_code() == TN_OK);
#else
        a_little_of_everything();
        bool happened = tni_fault_disarm();
        tn_error code = tn_error_take(nullptr);
#endif
        CHECK(code == TN_OK ? right : code == TN_ERROR_MEMORY);
        if (!happened)
            break;
    }
    CHECK(right);
    new_fails = true;
    int64_t ones[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 2};
    CHECK_FAILS(TN_ERROR_MEMORY, "dimensions", F(Dims(ones, 10)));
    F large = (new_fails = false, F::ones({3000, 1000}));
    new_fails = true;
    CHECK_FAILS(TN_ERROR_MEMORY, "sum", (large.t() + large.t()).sum());
    CHECK_FAILS(TN_ERROR_MEMORY, "no memory", CountingAllocator<float>());
    new_fails = false;
    CHECK_FAILS(TN_ERROR_MEMORY, "", (Tensor<float, CPUWith<ArenaAllocator>>({int64_t(1) << 50})));
    CHECK_FAILS(TN_ERROR_MEMORY, "", (Tensor<float, CPUWith<CountingAllocator>>({int64_t(1) << 50})));
    CHECK_FAILS(TN_ERROR_MEMORY, "", (Tensor<float, CPUWith<PinnedAllocator>>({int64_t(1) << 50})));
    CHECK_FAILS(TN_ERROR_MEMORY, "", (Tensor<float, CPUWith<PlainAllocator>>({int64_t(1) << 50})));
}

#if TENON_EXCEPTIONS
struct Picky { /* whose operator throws */
    float value;
    friend Picky operator+(Picky a, Picky b) {
        if (a.value + b.value > 1e6f)
            throw 42;
        return {a.value + b.value};
    }
    friend std::ostream &operator<<(std::ostream &stream, Picky a) { return stream << "<" << a.value << ">"; }
};
template <> struct tenon::scalar_traits<Picky> : tenon::user_scalar {};

TEST(an_exception_of_a_scalar_type_arrives_from_any_thread) {
    Tensor<Picky, CPU> a({400000}), b;
    a.fill(Picky{1});
    b = a + a;
    CHECK(b(399999).value == 2);
    a(399999) = Picky{1e6f};
    int caught = 0;
    try {
        b = a + a;
    } catch (int number) {
        caught = number;
    }
    CHECK(caught == 42);
    std::ostringstream text;
    text << a.slice(0, 0, 2) << a.slice(0, 0, 0);
    CHECK(text.str() == "tensor(<1>, <1>; [2])tensor(; [0])");
}
#endif
