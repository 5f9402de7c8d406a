/* typed.cpp - Storage, TensorBase, Tensor, devices and allocators: who holds whom, what is copied, and what is refused. */
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

TEST(a_tensor_allocates_once_and_its_views_never) {
    CountingAllocator<float> counting;
    CHECK(tn_set_allocator(TN_CPU, counting.handle(), 1) == TN_OK);
    {
        Tensor<float, CPUDevice> t1({2, 3});
        CHECK(counting.core().calls() == 1 && counting.core().last_bytes() == 24);
        int64_t before = t1.storage().use_count();
        auto t2 = t1.view({3, 2});
        CHECK(counting.core().calls() == 1);
        CHECK(t2.storage().use_count() == before + 1);
        CHECK(t2.data() == t1.data() + t2.offset());
        auto t3 = t2.slice(0, 1);
        CHECK(t3.offset() == 2 && t3.data() == t1.data() + t3.offset());
        CHECK(counting.core().calls() == 1 && t1.storage().use_count() == before + 2);
        auto t4 = t1.clone();
        CHECK(counting.core().calls() == 2 && t4.data() != t1.data());
        F moved = std::move(t4);
        CHECK(counting.core().calls() == 2 && !t4 && moved);
    }
    CHECK(counting.core().live() == 0);
    CHECK(tn_set_allocator(TN_CPU, nullptr, 0) == TN_OK);
}

TEST(an_allocator_is_a_policy_and_may_have_a_state) {
    CountingAllocator<float> counting;
    Tensor<float, CPUWith<CountingAllocator>> a({4}, counting);
    CHECK(counting.core().calls() == 1 && counting.core().live_bytes() == 16);
    a = Tensor<float, CPUWith<CountingAllocator>>();
    CHECK(counting.core().live() == 0);

    ArenaAllocator<double> arena(std::size_t{4096});
    Tensor<double, CPUWith<ArenaAllocator>> b({8}, arena), c({8}, arena);
    CHECK(c.data() == b.data() + 8); /* one after the other */
    double *first = b.data();
    Tensor<double, CPUWith<ArenaAllocator>> large({1000}, arena);
    CHECK(arena.core().reserved_bytes() == 4096 + 8000 && arena.core().live() == 3);
    b = c = large = Tensor<double, CPUWith<ArenaAllocator>>();
    CHECK(arena.core().live() == 0);
    CHECK((Tensor<double, CPUWith<ArenaAllocator>>({8}, arena).data() == first));

    PinnedAllocator<float> pinned;
    Tensor<float, CPUWith<PinnedAllocator>> p({1024}, pinned);
    p.fill(1);
    CHECK(pinned.core().locked_bytes() == 4096 || pinned.core().reason()[0] != 0);
    Tensor<float, CPUWith<PlainAllocator>> plain({3});
    CHECK(plain.storage().allocator() == tn_cpu_allocator_plain());
    plain.fill(2);
    F sum = p.slice(0, 0, 3) + plain; /* allocators may meet in one expression */
    CHECK(sum(2) == 3);
    DataPtr block = CPUAllocator<float>().allocate(100);
    CHECK(block.get() && block.device().type == TN_CPU);
}

TEST(what_is_made_of_a_tensor_comes_from_its_allocator) {
    CountingAllocator<float> counting;
    using T = Tensor<float, CPUWith<CountingAllocator>>;
    T a = T::ones({2, 2}, counting), b = a.clone(), d(a + b, counting);
    CHECK(counting.core().calls() == 3 && d(1, 1) == 2);
    T view = d;
    d = a * b; /* the view keeps the memory: d needs another */
    CHECK(counting.core().calls() == 4 && view(0, 0) == 2 && d(0, 0) == 1);
    d = a - b; /* which nobody else uses */
    CHECK(counting.core().calls() == 4 && d(0, 0) == 0);
}

TEST(an_index_is_offset_plus_indices_times_strides) {
    Tensor<float, CPU, 2> t = counted_up({3, 4});
    CHECK(t(1, 2) == 6 && t.compute_offset(1, 2) == 6);
    auto u = t.transpose(0, 1).slice(0, 1, 3);
    CHECK(u.dim() == 2 && u.shape() == Dims({2, 3}) && u.strides() == Dims({1, 4}) && u.offset() == 1);
    CHECK(u(1, 2) == t(2, 2) && u.compute_offset(1, 2) == 10);
    CHECK(t.flip({1})(0, 0) == 3 && t.flip({1}).stride(1) == -1);
    CHECK(t[1](2) == 6 && t.select(1, 3)(2) == 11 && t[2].dim() == 1);
    CHECK(t.unsqueeze(0).squeeze().shape() == t.shape() && t.unsqueeze(1).shape() == Dims({3, 1, 4}));
    CHECK(t.as_const().expand({2, 3, 4}).strides() == Dims({0, 4, 1}));
    CHECK(t.permute({1, 0})(3, 0) == 3 && t.narrow(0, 1, 2).shape(0) == 2 && t.t().shape(0) == 4);
    t(0, 0) = 50;
    CHECK(t.reshape({12})(0) == 50 && t.flatten().dim() == 1);
    CHECK(u.reshape({6}).is_contiguous() && u.reshape({6}).data() != u.data()); /* not a view: copied */
    F none({0, 3});
    CHECK(none.numel() == 0 && none.is_contiguous() && none.clone().numel() == 0);
    Tensor<int, CPU, 0> scalar((Dims()));
    scalar() = 5;
    CHECK(scalar.item() == 5 && scalar.numel() == 1);
}

#if TENON_DEBUG
TEST(debug_builds_check_every_index_and_say_the_shape) {
    F t = counted_up({3, 4});
    CHECK_FAILS(TN_ERROR_INDEX, "index 3 is out of range for dimension 0 of the shape [3, 4]", t(3, 0));
    CHECK_FAILS(TN_ERROR_INDEX, "index -1 is out of range for dimension 1 of the shape [3, 4]", t(0, -1));
    CHECK_FAILS(TN_ERROR_INDEX, "3 indices were given for the shape [3, 4]", t(0, 0, 0));
    CHECK_FAILS(TN_ERROR_INDEX, "out of range", t.compute_offset(7, 7));
}
#endif

TEST(copying_shares_and_const_survives_views) {
    F a = counted_up({2, 2});
    F b = a;
    b(0, 0) = 9;
    CHECK(a(0, 0) == 9 && a.storage().use_count() == 2);
    const F c = a;
    static_assert(std::is_same<decltype(c.view({4})), Tensor<const float, CPU>>::value, "views of const are const");
    static_assert(std::is_same<decltype(c.view({4}).slice(0, 1)), Tensor<const float, CPU>>::value, "and stay it");
    static_assert(std::is_same<decltype(c.data()), const float *>::value, "pointers too");
    static_assert(std::is_same<decltype(c(0, 0)), const float &>::value, "and elements");
    static_assert(!std::is_constructible<F, double>::value && !std::is_convertible<Dims, F>::value, "no tensor by accident");
    Tensor<const float, CPU> d = a; /* readable, the same elements */
    CHECK(d.data() == a.data() && d.dynamic().is_readonly());
    CHECK_FAILS(TN_ERROR_READONLY, "read-only", d.dynamic().add_(1));
    CHECK_FAILS(TN_ERROR_READONLY, "read-only", F(d.dynamic()));
    F e = d.clone();
    e(0, 0) = 1;
    CHECK(a(0, 0) == 9);
}

TEST(wrong_calls_have_the_librarys_messages) {
    F a = counted_up({2, 3});
    CHECK_FAILS(TN_ERROR_SHAPE, "view", a.view({4}));
    CHECK_FAILS(TN_ERROR_SHAPE, "stride[0] = 1 is not size[1] * stride[1]", a.t().view({6}));
    CHECK_FAILS(TN_ERROR_INDEX, "transpose", a.transpose(0, 5));
    CHECK_FAILS(TN_ERROR_INDEX, "select", a.select(0, 2));
    CHECK_FAILS(TN_ERROR_SHAPE, "expand", a.expand({4, 4}));
    CHECK_FAILS(TN_ERROR_SHAPE, "negative", F({-1, 2}));
    CHECK_FAILS(TN_ERROR_INDEX, "dimension 2 is out of range for the shape [2, 3]", a.shape(2));
    CHECK_FAILS(TN_ERROR_MEMORY, "", F({int64_t(1) << 45, 1 << 10}));
    CHECK_FAILS(TN_ERROR_SHAPE, "", F({int64_t(1) << 62, 1 << 10}));
    CHECK_FAILS(TN_ERROR_SHAPE, "has 2 dimensions, not 3", (Tensor<float, CPU, 3>(a)));
    int64_t ones[65];
    for (int64_t &size : ones)
        size = 1;
    CHECK_FAILS(TN_ERROR_SHAPE, "", F(Dims(ones, 65)));
    CHECK(F(Dims(ones, 64)).dim() == 64);
    CHECK_FAILS(TN_ERROR_SHAPE, "numbers", F::of({{1, 2}, {3}}));
    CHECK_FAILS(TN_ERROR_SHAPE, "item", a.item());
    F moved = std::move(a);
    CHECK_FAILS(TN_ERROR_ARGUMENT, "NULL", a.view({6}));
    CHECK_FAILS(TN_ERROR_ARGUMENT, "NULL", F(a + moved));
    CHECK_FAILS(TN_ERROR_ARGUMENT, "NULL", moved.assign(a + 1));
    CHECK_FAILS(TN_ERROR_ARGUMENT, "NULL", a.softmax(0));
    CHECK(moved(1, 2) == 5);
}

TEST(a_device_without_a_driver_compiles_and_fails_when_it_is_used) {
    CHECK_FAILS(TN_ERROR_DEVICE, "", (Tensor<float, CUDADevice<float>>({2, 3})));
    CHECK_FAILS(TN_ERROR_DEVICE, "", (Tensor<float, OpenCLDevice<float>>({2, 3})));
    Tensor<float, CUDADevice<float>> none;
    CHECK(none.cuda_data() == nullptr && !none);
    CHECK_FAILS(TN_ERROR_DEVICE, "the tensor is on cpu:0, not on CUDA",
                (Tensor<float, CUDADevice<float>>(zeros({2}, TN_FLOAT32))));
}

struct Npu {
    static constexpr const char *name = "npu_of_the_test";
    static constexpr bool addressable = true;
};
TEST(a_registered_device_type_has_its_own_allocator) {
    using N = Tensor<float, RegisteredDevice<Npu, float>>;
    CHECK_FAILS(TN_ERROR_DEVICE, "", N({3}));
    tn_allocator_functions functions = {};
    functions.struct_size = sizeof functions;
    functions.name = "npu";
    functions.device = TN_DEVICE(RegisteredAllocator<Npu>::type(), 0);
    functions.allocate = [](void *, std::size_t bytes) { return std::aligned_alloc(64, (bytes + 63) / 64 * 64); };
    functions.free = [](void *, void *data, std::size_t) { std::free(data); };
    tn_allocator *allocator = tn_allocator_create(&functions);
    CHECK(tn_set_allocator(RegisteredAllocator<Npu>::type(), allocator, 1) == TN_OK);
    tn_allocator_release(allocator);
    N a({3});
    a.fill(4);
    CHECK(a(2) == 4 && a.dynamic().device().type == RegisteredAllocator<Npu>::type());
}

TEST(both_faces_share_one_storage) {
    F a = counted_up({2, 3});
    AnyTensor x = a;
    CHECK(x.storage().get() == a.storage().dynamic().get() && x.dtype() == TN_FLOAT32);
    x.add_(1);
    CHECK(a(0, 0) == 1);
    F back = x.transpose(0, 1);
    CHECK(back.data() == a.data() && back.shape() == Dims({3, 2}) && back(2, 1) == 6);
    CHECK_FAILS(TN_ERROR_DTYPE, "the tensor is float32, not float64", (Tensor<double, CPU>(x)));
    AnyTensor lazy(
        tn_from_storage(AnyStorage(tn_storage_lazy_clone(x.storage().get())).get(), 0, x.sizes(), x.strides(), TN_FLOAT32));
    F own = lazy;
    own(0, 0) = 100;
    CHECK(a(0, 0) == 1);
    int64_t before = tn_tensor_version(x.get());
    a.assign(a * 2); /* a write that the library's records must know of */
    CHECK(tn_tensor_version(x.get()) > before && x.data<const float>()[1] == 4);
}

TEST(what_is_returned_is_the_handles_while_a_scope_is_open) {
    tn_scope scope = tn_scope_open();
    AnyTensor x = zeros({2}, TN_FLOAT32);
    F a = x.add(1);
    auto parts = x.split(1);
    tn_scope_close(scope);
    CHECK(a(1) == 1 && parts.size() == 2 && parts[1].use_count() == 1 && x.use_count() == 1);
}

TEST(the_dynamic_face_has_the_operators_of_the_table) {
    AnyTensor x = from_text("[[3, 1, 2], [6, 5, 4]]", TN_FLOAT32);
    auto [values, indices] = x.sort(1);
    CHECK(values.data<const float>()[0] == 1 && indices.dtype() == TN_INT64);
    CHECK(x.sum().item() == 21 && x.sum({0}).numel() == 3 && x.sum(1, true).dim() == 2);
    CHECK((x + 1).mul(x).mean().item<float>() > 0 && (2 - x).amax().item() == 1);
    CHECK(x.softmax(-1).sum().item() > 1.99 && cat({x, x}, 1).size(1) == 6);
    CHECK(x.index({TN_ALL, TN_RANGE(1, TN_END)}).size(1) == 2 && x.squeeze().dim() == 2 &&
          x.unsqueeze(0).squeeze(0).dim() == 2);
    CHECK(x.equal(x.clone()) && !x.equal(x + 1));
    CHECK_FAILS(TN_ERROR_DTYPE, "the elements are float32, not float64", x.data<double>());
    CHECK(x.unsafe_data<double>() != nullptr);
    CHECK_FAILS(TN_ERROR_SHAPE, "matmul", x.matmul(x));
    AnyTensor empty;
    CHECK_FAILS(TN_ERROR_ARGUMENT, "NULL", empty.exp());
    static_assert(sizeof(AnyTensor) == sizeof(void *), "one pointer");
    AnyTensor copy = x;
    CHECK(x.use_count() == 2);
    AnyTensor stolen = std::move(copy);
    CHECK(x.use_count() == 2 && !copy);
    copy = stolen;
    stolen = AnyTensor();
    CHECK(x.use_count() == 2);
    std::ostringstream text;
    text << x;
    CHECK(text.str() == x.str() && text.str().find("tensor(") == 0);
}

static int freed;
TEST(storages_and_data_pointers_are_handles_too) {
    AnyStorage s = AnyStorage::create(24, TN_FLOAT32);
    CHECK(s.unique() && s.itemsize() == 4 && s.numel() == 6 && s.capacity() >= 24 && s.resizable());
    CHECK(s.data<float>() == s.unsafe_data<float>() && s.data_ptr().get() == s.data<float>());
    CHECK_FAILS(TN_ERROR_DTYPE, "storage: the elements are float32, not int32", s.data<int>());
    AnyStorage copy = s;
    CHECK(!s.unique() && s.use_count() == 2);
    static char memory[16];
    freed = 0;
    {
        DataPtr pointer(memory, memory, [](void *) { freed++; });
        DataPtr moved = std::move(pointer);
        CHECK(!pointer && moved.get() == memory && moved.operator->() == memory && moved.device().type == TN_CPU);
        AnyStorage over = AnyStorage::from(std::move(moved), 16, TN_UINT8);
        CHECK(!moved && over.numel() == 16 && !over.resizable());
        CHECK_FAILS(TN_ERROR_STATE, "resizable", (over.resize(100), 0));
    }
    CHECK(freed == 1);
    DataPtr kept(memory, memory, [](void *) { freed++; });
    CHECK(kept.release_context() == memory && kept.get() == memory);
    kept.clear();
    CHECK(freed == 1);
    static_assert(!std::is_copy_constructible<DataPtr>::value, "moved, never copied");
    Storage<float> typed(6);
    CHECK(typed.capacity() >= 6 && typed.unique() && typed.allocator() == tn_get_allocator(TN_CPU) && typed.data());
}

TEST(typed_tensors_take_part_in_gradients) {
    F w = F::of({1, 2, 3}), x = F::of({4, 5, 6});
    w.requires_grad_();
    F y = w * x + w.square();
    CHECK(y.requires_grad() && y(2) == 27);
    auto loss = y.sum();
    CHECK(loss.item() == 46 && loss.requires_grad());
    loss.backward();
    CHECK(w.grad()(0) == 6 && w.grad()(2) == 12);
    auto view = w.slice(0, 1);
    CHECK(view.requires_grad());
    F z = (view - view.mean()).exp();
    CHECK(z.requires_grad() && near(z(0), std::exp(-0.5f)));
    CHECK(!w.detach().requires_grad() && w.detach().data() == w.data());
    CHECK_FAILS(TN_ERROR_STATE, "", w.assign(x));
    F m = w.view({3, 1}).matmul(x.view({1, 3}));
    CHECK(m.requires_grad() && m(2, 2) == 18);
    tn_grad_mode before = tn_grad_mode_set(TN_GRAD_OFF);
    F silent = w + 1;
    tn_grad_mode_set(before);
    CHECK(!silent.requires_grad() && silent(0) == 2);
}

TEST(typed_methods_know_the_scalar_type_of_their_result) {
    F a = counted_up({2, 3});
    static_assert(std::is_same<decltype(a.softmax(1)), F>::value, "");
    static_assert(std::is_same<decltype(a.argmax(1)), Tensor<int64_t, CPU>>::value, "");
    static_assert(std::is_same<decltype(a.isnan()), Tensor<bool, CPU>>::value, "");
    static_assert(std::is_same<decltype(a.fft_fft()), Tensor<std::complex<float>, CPU>>::value, "");
    static_assert(std::is_same<decltype(Tensor<int, CPU>().cumsum(0)), Tensor<int64_t, CPU>>::value, "");
    static_assert(std::is_same<decltype(a.softmax(1, TN_FLOAT64)), AnyTensor>::value, "");
    CHECK(near(a.softmax(1)(0, 0), 0.0900306) && a.argmax(1)(1) == 2 && a.cumsum(1)(1, 2) == 12);
    auto [values, indices] = a.sort(1, true);
    static_assert(std::is_same<decltype(values), F>::value && std::is_same<decltype(indices), Tensor<int64_t, CPU>>::value, "");
    CHECK(values(0, 0) == 2 && indices(0, 0) == 2);
    CHECK(a.matmul(a.t())(1, 1) == 50 && a.matmul(a.t() + 1)(0, 0) == 8);
    a.clamp_(1, 4);
    CHECK(a(0, 0) == 1 && a(1, 2) == 4);
    CHECK_FAILS(TN_ERROR_SHAPE, "matmul", a.matmul(a));
}

TEST(elements_can_be_walked_and_spanned) {
    F a = counted_up({2, 3});
    float sum = 0;
    for (float x : a.t())
        sum = sum * 2 + x;
    CHECK(sum == 0 * 32 + 3 * 16 + 1 * 8 + 4 * 4 + 2 * 2 + 5); /* row by row of the transpose */
    const F &read = a;
    auto found = read.begin();
    while (found != read.end() && *found != 4)
        ++found;
    CHECK(found != read.end() && &*found == a.data() + 4);
#if defined(__cpp_lib_span)
    CHECK(a.span().size() == 6 && a.span()[5] == 5);
    CHECK_FAILS(TN_ERROR_SHAPE, "contiguous", a.t().span());
#endif
    std::ostringstream text;
    text << a;
    CHECK(text.str() == a.dynamic().str());
}

struct Money { /* a scalar type of a program's own */
    int64_t cents;
    friend Money operator+(Money a, Money b) { return {a.cents + b.cents}; }
    friend Money operator*(Money a, Money b) { return {a.cents * b.cents / 100}; }
    friend bool operator<(Money a, Money b) { return a.cents < b.cents; }
};
template <> struct tenon::scalar_traits<Money> : tenon::user_scalar {};

TEST(a_scalar_type_of_ones_own_works_in_views_and_expressions) {
    Tensor<Money, CPU> a({3});
    for (int64_t i = 0; i < 3; i++)
        a(i) = Money{100 * (i + 1)};
    Tensor<Money, CPU> b = a + a * a;
    CHECK(b(2).cents == 300 + 900 && b.view({3, 1}).t()(0, 1).cents == 200 + 400);
    Tensor<bool, CPU> less = a < b;
    CHECK(less(0) && less(2));
    CHECK(a.clone()(1).cents == 200 && a.flip({0})(0).cents == 300);
    CHECK_FAILS(TN_ERROR_SHAPE, "", (Tensor<Money, CPU>(a + Tensor<Money, CPU>({2}))));
    CHECK_FAILS(TN_ERROR_SHAPE, "", a.view({2}));
}

TEST(small_floats_round_once_and_have_literals) {
    using namespace tenon::literals;
    CHECK(float(1.5_h) == 1.5f && float(0.1_bf) == 0.10009765625f && sizeof(half) == 2);
    Tensor<half, CPU> a = Tensor<half, CPU>::of({1.5_h, 2.5_h});
    Tensor<half, CPU> b = a * a + 1_h;
    CHECK(float(b(1)) == 7.25f && b.dynamic().dtype() == TN_FLOAT16);
    half h = 1.0_h;
    h += 0.5f;
    CHECK(float(h) == 1.5f);
    Tensor<bfloat16, CPU> c = Tensor<bfloat16, CPU>::ones({2});
    static_assert(std::is_same<decltype((a + c).eval()), Tensor<float, CPU>>::value, "half and bfloat16 meet in float");
    CHECK((a + c).eval()(0) == 2.5f);
    using Z = std::complex<float>;
    Tensor<Z, CPU> z = Tensor<Z, CPU>::of({Z(3, 4), Z(0, 1)});
    CHECK(z.abs().eval()(0) == 5 && z.dynamic().dtype() == TN_COMPLEX64);
}

TEST(fixed_sizes_live_on_the_stack) {
    FixedTensor<float, Fixed<2, 3>> a{{1, 2, 3, 4, 5, 6}};
    static_assert(sizeof a == 24 && std::is_trivially_copyable<decltype(a)>::value, "only its elements");
    auto p = a.matmul(a.t());
    static_assert(std::is_same<decltype(p), FixedTensor<float, Fixed<2, 2>>>::value, "");
    CHECK(p(0, 0) == 14 && p(1, 0) == 32 && (a + a * 2.0f)(1, 2) == 18 && a.sum() == 21);
    F t = a.tensor();
    CHECK(t.shape() == Dims({2, 3}) && t(1, 0) == 4);
    CHECK((FixedTensor<float, Fixed<3, 2>>::from(t.t())(2, 1) == 6));
    CHECK_FAILS(TN_ERROR_SHAPE, "the tensor has the shape [3, 2], not [2, 3]", (FixedTensor<float, Fixed<2, 3>>::from(t.t())));
    constexpr FixedTensor<int, Fixed<2>> c{{3, 4}};
    static_assert(c.sum() == 7, "also while compiling");
}
