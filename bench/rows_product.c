/* rows_product.c - matrix products: square ones of every size, through tensors and as plain matrices, transposed and strided factors, few
 * rows, vectors, batches, narrow dtypes. The limit of what is multiplied by multiplications is the FMA loop of limit_fma.c.
 */
#include "bench.h"

#define PRODUCT_RUN(name, result)                                                                                              \
    static void name(bench_inputs *inputs, int64_t times) {                                                                    \
        for (; times > 0; times--)                                                                                             \
            tn_release(result);                                                                                                \
    }

PRODUCT_RUN(product_mm, tn_mm(inputs->a, inputs->b))
PRODUCT_RUN(product_mv, tn_mv(inputs->a, inputs->b))
PRODUCT_RUN(product_dot, tn_dot(inputs->a, inputs->b))
PRODUCT_RUN(product_bmm, tn_bmm(inputs->a, inputs->b))
PRODUCT_RUN(product_linear, tn_linear(inputs->a, inputs->b, NULL))
PRODUCT_RUN(product_attention,
            tn_scaled_dot_product_attention(inputs->a, inputs->a, inputs->a, NULL, 0, false, TN_NO_SCALAR, false, NULL))
PRODUCT_RUN(product_attention_causal,
            tn_scaled_dot_product_attention(inputs->a, inputs->a, inputs->a, NULL, 0, true, TN_NO_SCALAR, false, NULL))
PRODUCT_RUN(product_int_mm, tn__int_mm(inputs->a, inputs->b))

/* The matrices of the inputs, without the tensors around them. */
static void product_raw(bench_inputs *inputs, int64_t times) {
    int64_t n = tn_size(inputs->a, 0);
    tn_dtype dtype = tn_dtype_of(inputs->a);
    const void *a = tn_data(inputs->a), *b = tn_data(inputs->b);
    void *c = tn_mutable_data(inputs->out);
    for (; times > 0; times--)
        tn_gemm(n, n, n, 1, TN_MATRIX_AT(a, n, 1, dtype), TN_MATRIX_AT(b, n, 1, dtype), 0, TN_MATRIX_AT(c, n, 1, dtype));
}

#define PRODUCT_SETUP(name, a_sizes, b_sizes, dtype)                                                                           \
    static void name(bench_inputs *inputs) {                                                                                   \
        inputs->a = bench_random(a_sizes, dtype);                                                                              \
        inputs->b = bench_random(b_sizes, dtype);                                                                              \
    }
PRODUCT_SETUP(product_4, TN_DIMS(4, 4), TN_DIMS(4, 4), TN_FLOAT32)
PRODUCT_SETUP(product_1024_f16, TN_DIMS(1024, 1024), TN_DIMS(1024, 1024), TN_FLOAT16)
PRODUCT_SETUP(product_1024_bf16, TN_DIMS(1024, 1024), TN_DIMS(1024, 1024), TN_BFLOAT16)
PRODUCT_SETUP(product_1024_int8, TN_DIMS(1024, 1024), TN_DIMS(1024, 1024), TN_INT8)
PRODUCT_SETUP(product_512_c64, TN_DIMS(512, 512), TN_DIMS(512, 512), TN_COMPLEX64)
PRODUCT_SETUP(product_rows_8, TN_DIMS(8, 4096), TN_DIMS(4096, 4096), TN_FLOAT32)
PRODUCT_SETUP(product_columns_8, TN_DIMS(4096, 4096), TN_DIMS(4096, 8), TN_FLOAT32)
PRODUCT_SETUP(product_depth_8, TN_DIMS(4096, 8), TN_DIMS(8, 4096), TN_FLOAT32)
PRODUCT_SETUP(product_vector, TN_DIMS(4096, 4096), TN_DIMS(4096), TN_FLOAT32)
PRODUCT_SETUP(product_vectors, TN_DIMS(10000000), TN_DIMS(10000000), TN_FLOAT32)
PRODUCT_SETUP(product_tokens_512, TN_DIMS(1, 8, 512, 64), TN_DIMS(1), TN_FLOAT32)
PRODUCT_SETUP(product_tokens_4096, TN_DIMS(1, 8, 4096, 64), TN_DIMS(1), TN_FLOAT32)
PRODUCT_SETUP(product_batch, TN_DIMS(64, 64, 64), TN_DIMS(64, 64, 64), TN_FLOAT32)

/* Square matrices, and a third one for results that are written where they are wanted. */
#define PRODUCT_SQUARES(n)                                                                                                     \
    static void product_##n##_float32(bench_inputs *inputs) {                                                                  \
        inputs->a = bench_random(TN_DIMS(n, n), TN_FLOAT32);                                                                   \
        inputs->b = bench_random(TN_DIMS(n, n), TN_FLOAT32);                                                                   \
        inputs->out = bench_random(TN_DIMS(n, n), TN_FLOAT32);                                                                 \
    }                                                                                                                          \
    static void product_##n##_float64(bench_inputs *inputs) {                                                                  \
        inputs->a = bench_random(TN_DIMS(n, n), TN_FLOAT64);                                                                   \
        inputs->b = bench_random(TN_DIMS(n, n), TN_FLOAT64);                                                                   \
        inputs->out = bench_random(TN_DIMS(n, n), TN_FLOAT64);                                                                 \
    }
PRODUCT_SQUARES(16)
PRODUCT_SQUARES(32)
PRODUCT_SQUARES(64)
PRODUCT_SQUARES(128)
PRODUCT_SQUARES(256)
PRODUCT_SQUARES(512)
PRODUCT_SQUARES(1024)
PRODUCT_SQUARES(2048)

/* A factor is replaced by a view of it. */
static void product_view(tn_tensor **factor, tn_tensor *view) {
    tn_release(*factor);
    *factor = view;
}

#define PRODUCT_TURNED(n)                                                                                                      \
    static void product_##n##_first(bench_inputs *inputs) {                                                                    \
        product_##n##_float32(inputs);                                                                                         \
        product_view(&inputs->a, tn_t(inputs->a));                                                                             \
    }                                                                                                                          \
    static void product_##n##_second(bench_inputs *inputs) {                                                                   \
        product_##n##_float32(inputs);                                                                                         \
        product_view(&inputs->b, tn_t(inputs->b));                                                                             \
    }                                                                                                                          \
    static void product_##n##_both(bench_inputs *inputs) {                                                                     \
        product_##n##_first(inputs);                                                                                           \
        product_view(&inputs->b, tn_t(inputs->b));                                                                             \
    }
PRODUCT_TURNED(256)
PRODUCT_TURNED(512)

/* Every second row and column of both factors. */
static void product_512_apart(bench_inputs *inputs) {
    product_1024_float32(inputs);
    product_view(&inputs->a, tn_slice(inputs->a, 0, 0, 1024, 2));
    product_view(&inputs->a, tn_slice(inputs->a, 1, 0, 1024, 2));
    product_view(&inputs->b, tn_slice(inputs->b, 0, 0, 1024, 2));
    product_view(&inputs->b, tn_slice(inputs->b, 1, 0, 1024, 2));
}

#define PRODUCT_BYTES(n, item) (3LL * (n) * (n) * (item))
#define PRODUCT_CUBE(n) ((int64_t)(n) * (n) * (n))

/* What PyTorch and NumPy are told about two square matrices; `first` and `second` are what is done to them. */
#define PRODUCT_CPP(n, kind, first, second)                                                                                    \
    {                                                                                                                          \
        "auto x = at::rand({" #n ", " #n "}, " kind ")" first ", y = at::rand({" #n ", " #n "}, " kind ")" second ";",         \
            "at::mm(x, y)"                                                                                                     \
    }
#define PRODUCT_TORCH(n, kind, first, second)                                                                                  \
    {                                                                                                                          \
        "x = torch.rand(" #n ", " #n ", dtype=" kind ")" first "; y = torch.rand(" #n ", " #n ", dtype=" kind ")" second,      \
            "torch.mm(x, y)"                                                                                                   \
    }
#define PRODUCT_NUMPY(n, kind, first, second)                                                                                  \
    {                                                                                                                          \
        "x = np.random.rand(" #n ", " #n ").astype(" kind ")" first "; y = np.random.rand(" #n ", " #n ").astype(" kind        \
        ")" second,                                                                                                            \
            "x @ y"                                                                                                            \
    }

#define PRODUCT_SQUARE_32(n, least)                                                                                            \
    {                                                                                                                          \
        .name = "mm " #n " float32", .setup = product_##n##_float32, .run = product_mm, .limit = BENCH_LIMIT_FMA,              \
        .multiplications = PRODUCT_CUBE(n), .target = (least), .reads = PRODUCT_BYTES(n, 4),                                   \
        .torch_cpp = PRODUCT_CPP(n, "at::kFloat", "", ""), .torch = PRODUCT_TORCH(n, "torch.float32", "", ""),                 \
        .numpy = PRODUCT_NUMPY(n, "np.float32", "", ""), .blas = "float32 " #n " " #n " " #n " - 1"                            \
    }
#define PRODUCT_SQUARE_64(n, least)                                                                                            \
    {                                                                                                                          \
        .name = "mm " #n " float64", .setup = product_##n##_float64, .run = product_mm, .limit = BENCH_LIMIT_FMA,              \
        .multiplications = PRODUCT_CUBE(n), .multiplies_float64 = true, .target = (least), .reads = PRODUCT_BYTES(n, 8),       \
        .torch_cpp = PRODUCT_CPP(n, "at::kDouble", "", ""), .torch = PRODUCT_TORCH(n, "torch.float64", "", ""),                \
        .numpy = PRODUCT_NUMPY(n, "np.float64", "", ""), .blas = "float64 " #n " " #n " " #n " - 1"                            \
    }
#define PRODUCT_RAW(n, bits, by_64)                                                                                            \
    {                                                                                                                          \
        .name = "tn_gemm " #n " float" #bits, .setup = product_##n##_float##bits, .run = product_raw,                          \
        .limit = BENCH_LIMIT_FMA, .multiplications = PRODUCT_CUBE(n), .multiplies_float64 = (by_64),                           \
        .blas = "float" #bits " " #n " " #n " " #n " - 1"                                                                      \
    }
#define PRODUCT_TURN(n, which, flags, cpp_first, cpp_second, first, second)                                                    \
    {                                                                                                                          \
        .name = "mm " #n " float32; " #which " transposed", .setup = product_##n##_##which, .run = product_mm,                 \
        .limit = BENCH_LIMIT_FMA, .multiplications = PRODUCT_CUBE(n), .reads = PRODUCT_BYTES(n, 4),                            \
        .torch_cpp = PRODUCT_CPP(n, "at::kFloat", cpp_first, cpp_second),                                                      \
        .torch = PRODUCT_TORCH(n, "torch.float32", first, second), .numpy = PRODUCT_NUMPY(n, "np.float32", first, second),     \
        .blas = "float32 " #n " " #n " " #n " " flags " 1"                                                                     \
    }
#define PRODUCT_TURNS(n)                                                                                                       \
    PRODUCT_TURN(n, first, "a", ".t()", "", ".T", ""), PRODUCT_TURN(n, second, "b", "", ".t()", "", ".T"),                     \
        PRODUCT_TURN(n, both, "ab", ".t()", ".t()", ".T", ".T")

/* clang-format off */
const bench_workload bench_rows_product[] = {
    {.name = "the FMA peak; float32", .limit = BENCH_LIMIT_FMA, .multiplications = 10000000},
    {.name = "the FMA peak; float64", .limit = BENCH_LIMIT_FMA, .multiplications = 10000000, .multiplies_float64 = true},
    {.name = "mm 4 float32",
     .setup = product_4,
     .run = product_mm,
     .target = 120,
     .torch_cpp = {"auto x = at::rand({4, 4}), y = at::rand({4, 4});", "at::mm(x, y)"},
     .torch = {"x = torch.rand(4, 4); y = torch.rand(4, 4)", "torch.mm(x, y)"},
     .numpy = {"x = np.random.rand(4, 4).astype(np.float32); y = x.copy()", "x @ y"}},
    PRODUCT_RAW(16, 32, false),
    PRODUCT_RAW(32, 32, false),
    PRODUCT_RAW(64, 32, false),
    PRODUCT_RAW(16, 64, true),
    PRODUCT_RAW(32, 64, true),
    PRODUCT_RAW(64, 64, true),
    PRODUCT_SQUARE_32(16, 0),
    PRODUCT_SQUARE_32(32, 0),
    PRODUCT_SQUARE_32(64, 0),
    PRODUCT_SQUARE_32(128, 0.85),
    PRODUCT_SQUARE_32(256, 0.9),
    PRODUCT_SQUARE_32(512, 0.9),
    PRODUCT_SQUARE_32(1024, 0.9),
    PRODUCT_SQUARE_32(2048, 0.9),
    PRODUCT_SQUARE_64(128, 0.83),
    PRODUCT_SQUARE_64(256, 0.88),
    PRODUCT_SQUARE_64(512, 0.88),
    PRODUCT_SQUARE_64(1024, 0.88),
    PRODUCT_SQUARE_64(2048, 0.88),
    PRODUCT_TURNS(256),
    PRODUCT_TURNS(512),
    {.name = "mm 512 float32; every second row and column",
     .setup = product_512_apart,
     .run = product_mm,
     .limit = BENCH_LIMIT_FMA,
     .multiplications = PRODUCT_CUBE(512),
     .reads = PRODUCT_BYTES(512, 4),
     .torch_cpp = {"auto x = at::rand({1024, 1024}).slice(0, 0, 1024, 2).slice(1, 0, 1024, 2), "
                   "y = at::rand({1024, 1024}).slice(0, 0, 1024, 2).slice(1, 0, 1024, 2);", "at::mm(x, y)"},
     .torch = {"x = torch.rand(1024, 1024)[::2, ::2]; y = torch.rand(1024, 1024)[::2, ::2]", "torch.mm(x, y)"},
     .numpy = {"x = np.random.rand(1024, 1024).astype(np.float32)[::2, ::2]; y = np.random.rand(1024, 1024).astype(np.float32)[::2, ::2]", "x @ y"}},
    {.name = "mm 1024 float16",
     .setup = product_1024_f16,
     .run = product_mm,
     .limit = BENCH_LIMIT_FMA,
     .multiplications = PRODUCT_CUBE(1024),
     .reads = PRODUCT_BYTES(1024, 2),
     .torch_cpp = {"auto x = at::rand({1024, 1024}).to(at::kHalf), y = x.clone();", "at::mm(x, y)"},
     .torch = {"x = torch.rand(1024, 1024).half(); y = x.clone()", "torch.mm(x, y)"}},
    {.name = "mm 1024 bfloat16",
     .setup = product_1024_bf16,
     .run = product_mm,
     .limit = BENCH_LIMIT_FMA,
     .multiplications = PRODUCT_CUBE(1024),
     .reads = PRODUCT_BYTES(1024, 2),
     .torch_cpp = {"auto x = at::rand({1024, 1024}).to(at::kBFloat16), y = x.clone();", "at::mm(x, y)"},
     .torch = {"x = torch.rand(1024, 1024).bfloat16(); y = x.clone()", "torch.mm(x, y)"}},
    {.name = "_int_mm 1024",
     .setup = product_1024_int8,
     .run = product_int_mm,
     .limit = BENCH_LIMIT_FMA,
     .multiplications = PRODUCT_CUBE(1024),
     .target = 1.3,
     .reads = PRODUCT_BYTES(1024, 2),
     .torch_cpp = {"auto x = at::randint(-128, 127, {1024, 1024}).to(at::kChar), y = x.clone();", "at::_int_mm(x, y)"},
     .torch = {"x = torch.randint(-128, 127, (1024, 1024), dtype=torch.int8); y = x.clone()", "torch._int_mm(x, y)"},
     .blas = "int8 1024 1024 1024 - 1"},
    {.name = "mm 512 complex64",
     .setup = product_512_c64,
     .run = product_mm,
     .limit = BENCH_LIMIT_FMA,
     .multiplications = 4 * PRODUCT_CUBE(512),
     .reads = PRODUCT_BYTES(512, 8),
     .torch_cpp = {"auto x = at::rand({512, 512}, at::kComplexFloat), y = x.clone();", "at::mm(x, y)"},
     .torch = {"x = torch.rand(512, 512, dtype=torch.complex64); y = x.clone()", "torch.mm(x, y)"}},
    {.name = "mm 8 x 4096 x 4096",
     .setup = product_rows_8,
     .run = product_mm,
     .reads = 4LL * 4096 * 4096,
     .torch_cpp = {"auto x = at::rand({8, 4096}), y = at::rand({4096, 4096});", "at::mm(x, y)"},
     .torch = {"x = torch.rand(8, 4096); y = torch.rand(4096, 4096)", "torch.mm(x, y)"},
     .blas = "float32 8 4096 4096 - 1"},
    {.name = "linear 8 x 4096 x 4096",
     .setup = product_rows_8,
     .run = product_linear,
     .reads = 4LL * 4096 * 4096,
     .torch_cpp = {"auto x = at::rand({8, 4096}), y = at::rand({4096, 4096});", "at::linear(x, y)"},
     .torch = {"x = torch.rand(8, 4096); y = torch.rand(4096, 4096)", "torch.nn.functional.linear(x, y)"},
     .blas = "float32 8 4096 4096 b 1"},
    {.name = "mm 4096 x 4096 x 8",
     .setup = product_columns_8,
     .run = product_mm,
     .reads = 4LL * 4096 * 4096,
     .torch_cpp = {"auto x = at::rand({4096, 4096}), y = at::rand({4096, 8});", "at::mm(x, y)"},
     .torch = {"x = torch.rand(4096, 4096); y = torch.rand(4096, 8)", "torch.mm(x, y)"},
     .blas = "float32 4096 8 4096 - 1"},
    {.name = "mm 4096 x 8 x 4096",
     .setup = product_depth_8,
     .run = product_mm,
     .reads = 4LL * 2 * 4096 * 8,
     .writes = 4LL * 4096 * 4096,
     .torch_cpp = {"auto x = at::rand({4096, 8}), y = at::rand({8, 4096});", "at::mm(x, y)"},
     .torch = {"x = torch.rand(4096, 8); y = torch.rand(8, 4096)", "torch.mm(x, y)"},
     .blas = "float32 4096 4096 8 - 1"},
    {.name = "mv 4096 x 4096",
     .setup = product_vector,
     .run = product_mv,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 4LL * 4096 * 4096,
     .target = 0.95,
     .torch_cpp = {"auto x = at::rand({4096, 4096}), y = at::rand({4096});", "at::mv(x, y)"},
     .torch = {"x = torch.rand(4096, 4096); y = torch.rand(4096)", "torch.mv(x, y)"},
     .numpy = {"x = np.random.rand(4096, 4096).astype(np.float32); y = x[0].copy()", "x @ y"}},
    {.name = "dot 1e7",
     .setup = product_vectors,
     .run = product_dot,
     .limit = BENCH_LIMIT_STREAM,
     .inputs = 2,
     .reads = 80000000,
     .torch_cpp = {"auto x = at::rand({10000000}), y = at::rand({10000000});", "at::dot(x, y)"},
     .torch = {"x = torch.rand(10000000); y = torch.rand(10000000)", "torch.dot(x, y)"},
     .numpy = {"x = np.random.rand(10000000).astype(np.float32); y = x.copy()", "x @ y"}},
    {.name = "bmm 64 x [64 64 64]",
     .setup = product_batch,
     .run = product_bmm,
     .limit = BENCH_LIMIT_FMA,
     .multiplications = 64 * PRODUCT_CUBE(64),
     .reads = 3LL * 64 * 64 * 64 * 4,
     .torch_cpp = {"auto x = at::rand({64, 64, 64}), y = at::rand({64, 64, 64});", "at::bmm(x, y)"},
     .torch = {"x = torch.rand(64, 64, 64); y = torch.rand(64, 64, 64)", "torch.bmm(x, y)"},
     .numpy = {"x = np.random.rand(64, 64, 64).astype(np.float32); y = x.copy()", "x @ y"},
     .blas = "float32 64 64 64 - 64"},
    {.name = "attention 1 x 8 x 512 x 64",
     .setup = product_tokens_512,
     .run = product_attention,
     .limit = BENCH_LIMIT_FMA,
     .multiplications = 2 * 8 * 64LL * 512 * 512,
     .target = 0.71,
     .reads = 4LL * 8 * 512 * 64 * 4,
     .torch_cpp = {"auto x = at::rand({1, 8, 512, 64});", "at::scaled_dot_product_attention(x, x, x)"},
     .torch = {"x = torch.rand(1, 8, 512, 64)", "torch.nn.functional.scaled_dot_product_attention(x, x, x)"}},
    {.name = "attention 1 x 8 x 4096 x 64",
     .setup = product_tokens_4096,
     .run = product_attention,
     .limit = BENCH_LIMIT_FMA,
     .multiplications = 2 * 8 * 64LL * 4096 * 4096,
     .target = 0.71,
     .reads = 4LL * 8 * 4096 * 64 * 4,
     .torch_cpp = {"auto x = at::rand({1, 8, 4096, 64});", "at::scaled_dot_product_attention(x, x, x)"},
     .torch = {"x = torch.rand(1, 8, 4096, 64)", "torch.nn.functional.scaled_dot_product_attention(x, x, x)"}},
    {.name = "attention 1 x 8 x 512 x 64, causal",
     .setup = product_tokens_512,
     .run = product_attention_causal,
     .reads = 4LL * 8 * 512 * 64 * 4,
     .torch_cpp = {"auto x = at::rand({1, 8, 512, 64});", "at::scaled_dot_product_attention(x, x, x, {}, 0.0, true)"},
     .torch = {"x = torch.rand(1, 8, 512, 64)", "torch.nn.functional.scaled_dot_product_attention(x, x, x, is_causal=True)"}},
    {.name = NULL},
};
/* clang-format on */
