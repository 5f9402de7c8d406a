/* copy.c - copies between any two geometries and dtypes against a loop that copies one element at a time.
 *
 * Tests: src/cpu/convert_kernels.c, src/cpu/copy_kernels.c, src/ops/copy/copy_engine.c, src/kernels/blocks.c */
#include "test.h"

#include "base/heap.h"
#include "kernels/table.h"
#include "ops/copy/copy.h"
#include "ops/copy/copy_engine.h"

/* ---- a naive model ---------------------------------------------------------------------------------------------------- */

enum { RANK = 6 };

/* A geometry inside its own block of memory. */
typedef struct side {
    int64_t strides[RANK];
    int64_t lowest, elements; /* the places the strides reach, relative to index 0, 0, ... */
    tn_dtype dtype;
    char *memory; /* elements + 2 of them: one spare at each end shows a stray write */
    size_t bytes;
} side;

typedef struct trial {
    int64_t ndim, sizes[RANK];
    side target, source;
} trial;

static void forget(trial *t) {
    free(t->target.memory);
    free(t->source.memory);
}

static int64_t numel_of(const trial *t) {
    int64_t n = 1;
    for (int64_t d = 0; d < t->ndim; d++)
        n *= t->sizes[d];
    return n;
}

/* Random strides: dimensions in any order, with gaps, reversed; `expands`: with stride 0 in some. */
static void choose_strides(trial *t, side *s, bool expands, bool plain) {
    int64_t order[RANK], running = 1;
    for (int64_t d = 0; d < t->ndim; d++)
        order[d] = d;
    for (int64_t d = t->ndim - 1; d > 0; d--) {
        int64_t other = plain ? d : test_random_between(0, d), kept = order[d];
        order[d] = order[other];
        order[other] = kept;
    }
    s->lowest = 0;
    for (int64_t k = t->ndim - 1; k >= 0; k--) {
        int64_t d = order[k];
        if (expands && test_random_between(0, 4) == 0) {
            s->strides[d] = 0;
            continue;
        }
        int64_t gap = plain || test_random_between(0, 2) ? 1 : test_random_between(2, 3);
        s->strides[d] = running * gap;
        running = s->strides[d] * (t->sizes[d] ? t->sizes[d] : 1);
        if (!plain && test_random_between(0, 4) == 0) {
            s->lowest -= (t->sizes[d] ? t->sizes[d] - 1 : 0) * s->strides[d];
            s->strides[d] = -s->strides[d];
        }
    }
    s->elements = running;
}

/* Bytes of numbers that a conversion may meet: a mixture of any bits and small values. */
static void fill_memory(side *s) {
    size_t item = tn_dtype_size(s->dtype);
    s->bytes = (size_t)(s->elements + 2) * item;
    s->memory = malloc(s->bytes);
    if (!s->memory)
        abort();
    for (size_t i = 0; i < s->bytes; i++)
        s->memory[i] = (char)test_random();
    if (s->dtype == TN_BOOL)
        for (size_t i = 0; i < s->bytes; i++)
            s->memory[i] &= 1;
    else
        for (int64_t i = 0; i < s->elements + 2; i++)
            if (test_random_between(0, 1))
                tn_dtype_store(s->dtype, s->memory + (size_t)i * item, tn_scalar_int(test_random_between(-200, 200)));
}

static char *first_of(const side *s) { return s->memory + (1 - s->lowest) * (int64_t)tn_dtype_size(s->dtype); }

static int64_t place_of(const trial *t, const side *s, int64_t position) {
    int64_t place = 0;
    for (int64_t d = t->ndim - 1; d >= 0; d--) {
        place += position % t->sizes[d] * s->strides[d];
        position /= t->sizes[d];
    }
    return place * (int64_t)tn_dtype_size(s->dtype);
}

static void copy_naively(const trial *t, char *target) {
    for (int64_t i = 0; i < numel_of(t); i++)
        tn_dtype_convert(t->target.dtype, target + place_of(t, &t->target, i), t->source.dtype,
                         first_of(&t->source) + place_of(t, &t->source, i), 1);
}

static void copy_with_engine(const trial *t) {
    tni_copy copy = {t->ndim,           t->sizes,        first_of(&t->target),
                     t->target.strides, t->target.dtype, first_of(&t->source),
                     t->source.strides, t->source.dtype};
    tni_copy_elements(&copy);
}

/* Every level and 1, 2, 3 threads must leave the same bytes as the model, including those between the elements. */
static void check_trial(trial *t, bool all_levels) {
    fill_memory(&t->target);
    fill_memory(&t->source);
    size_t bytes = t->target.bytes;
    char *before = malloc(bytes), *expected = malloc(bytes);
    if (!before || !expected)
        abort();
    memcpy(before, t->target.memory, bytes);
    copy_naively(t, first_of(&t->target));
    memcpy(expected, t->target.memory, bytes);
    tn_cpu_level best = tn_cpu_level_detected();
    bool right = true;
    for (int level = all_levels ? 0 : (int)best; level <= (int)best && right; level++)
        for (int threads = 1; threads <= (all_levels ? 3 : 1) && right; threads++) {
            tn_set_cpu_level((tn_cpu_level)level);
            tn_set_num_threads(threads);
            memcpy(t->target.memory, before, bytes);
            copy_with_engine(t);
            right = memcmp(t->target.memory, expected, bytes) == 0;
        }
    tn_set_cpu_level(best);
    tn_set_num_threads(0);
    free(before);
    free(expected);
    char text[400];
    int at = snprintf(text, sizeof text, "%s to %s, sizes", tn_dtype_name(t->source.dtype), tn_dtype_name(t->target.dtype));
    for (int64_t d = 0; d < t->ndim; d++)
        at += snprintf(text + at, sizeof text - (size_t)at, " %lld (strides %lld <- %lld)", (long long)t->sizes[d],
                       (long long)t->target.strides[d], (long long)t->source.strides[d]);
    forget(t);
    if (!right)
        test_fail(__FILE__, __LINE__, "wrong elements: %s", text);
}

static trial random_trial(tn_dtype to, tn_dtype from, int64_t largest) {
    trial t = {.ndim = test_random_between(0, RANK), .target = {.dtype = to}, .source = {.dtype = from}};
    int64_t room = largest;
    for (int64_t d = 0; d < t.ndim; d++) {
        int64_t most = test_random_between(0, 3) ? 9 : room;
        t.sizes[d] = test_random_between(0, 6) == 0 ? 1 : test_random_between(1, most < 1 ? 1 : most > room ? room : most);
        room /= t.sizes[d];
        if (test_random_between(0, 150) == 0)
            t.sizes[d] = 0;
    }
    bool plain = test_random_between(0, 3) == 0;
    choose_strides(&t, &t.target, false, plain);
    choose_strides(&t, &t.source, test_random_between(0, 2) == 0, test_random_between(0, 3) == 0);
    return t;
}

TEST_SAMPLED(every_pair_of_dtypes_is_copied_between_random_geometries) {
    for (int from = 1; from < TN_DTYPE_COUNT; from++)
        for (int to = 1; to < TN_DTYPE_COUNT; to++)
            for (int i = 0; i < 12; i++) {
                trial t = random_trial((tn_dtype)to, (tn_dtype)from, i == 0 ? 3000 : 300);
                check_trial(&t, i < 3);
            }
}

TEST_SAMPLED(elements_of_every_size_are_copied_between_random_geometries) {
    static const tn_dtype dtypes[] = {TN_UINT8, TN_INT16, TN_FLOAT32, TN_FLOAT64, TN_COMPLEX128};
    for (int i = 0; i < 4000; i++) {
        tn_dtype dtype = dtypes[i % 5];
        trial t = random_trial(dtype, dtype, 2000);
        check_trial(&t, i % 4 == 0);
    }
}

static void reset_cache(void *unused) {
    (void)unused;
    atomic_store(&tni_copy_cache_bytes, 0);
}

TEST_SAMPLED(copies_beyond_the_caches_give_the_same_elements) {
    TEST_DEFER(reset_cache, NULL);
    atomic_store(&tni_copy_cache_bytes, 1);
    for (int i = 0; i < 3000; i++) {
        tn_dtype from = (tn_dtype)test_random_between(1, TN_DTYPE_COUNT - 1);
        tn_dtype to = i % 3 ? from : (tn_dtype)test_random_between(1, TN_DTYPE_COUNT - 1);
        trial t = random_trial(to, from, 4000);
        check_trial(&t, i % 4 == 0);
    }
}

/* ---- shapes that choose each way of copying --------------------------------------------------------------------------- */

/* A matrix of sizes (rows, columns) with the given strides on both sides. */
static void check_matrix(tn_dtype to, tn_dtype from, int64_t rows, int64_t columns, int64_t target_row, int64_t target_column,
                         int64_t source_row, int64_t source_column) {
    trial t = {.ndim = 2,
               .sizes = {rows, columns},
               .target = {.dtype = to, .strides = {target_row, target_column}},
               .source = {.dtype = from, .strides = {source_row, source_column}}};
    side *sides[2] = {&t.target, &t.source};
    for (int k = 0; k < 2; k++) {
        sides[k]->elements = 1;
        for (int d = 0; d < 2; d++) {
            int64_t reach = (t.sizes[d] - 1) * sides[k]->strides[d];
            sides[k]->elements += reach < 0 ? -reach : reach;
            sides[k]->lowest += reach < 0 ? reach : 0;
        }
    }
    check_trial(&t, true);
}

TEST_SAMPLED(transposes_of_every_element_size_and_of_odd_sizes_are_right) {
    static const tn_dtype dtypes[] = {TN_UINT8, TN_FLOAT16, TN_FLOAT32, TN_INT64, TN_COMPLEX128};
    static const int64_t sizes[] = {1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 127, 130, 257};
    TEST_DEFER(reset_cache, NULL);
    for (int around = 0; around < 2; around++) {
        atomic_store(&tni_copy_cache_bytes, around ? 1 : 0);
        for (size_t k = 0; k < TNI_COUNT_OF(dtypes); k++)
            for (size_t i = 0; i < TNI_COUNT_OF(sizes); i++) {
                int64_t rows = sizes[i], columns = sizes[(i * 7 + 3) % TNI_COUNT_OF(sizes)];
                check_matrix(dtypes[k], dtypes[k], rows, columns, columns, 1, 1, rows);
                check_matrix(dtypes[k], dtypes[k], rows, columns, columns + 3, 1, 1, rows + 5);
                check_matrix(dtypes[k], dtypes[k], rows, columns, columns, 1, -1, rows);
                check_matrix(dtypes[k], dtypes[k], rows, columns, -columns, 1, 1, -rows);
            }
    }
}

TEST_SAMPLED(rows_strides_and_fills_of_every_element_size_are_right) {
    static const tn_dtype dtypes[] = {TN_UINT8, TN_FLOAT16, TN_FLOAT32, TN_INT64, TN_COMPLEX128};
    TEST_DEFER(reset_cache, NULL);
    for (int around = 0; around < 2; around++) {
        atomic_store(&tni_copy_cache_bytes, around ? 1 : 0);
        for (size_t k = 0; k < TNI_COUNT_OF(dtypes); k++) {
            tn_dtype dtype = dtypes[k];
            check_matrix(dtype, dtype, 7, 1000, 1000, 1, 1003, 1); /* rows */
            check_matrix(dtype, dtype, 1000, 3, 3, 1, 4, 1);       /* short rows */
            check_matrix(dtype, dtype, 500, 2, 2, 1, 5, 1);        /* pairs: larger elements */
            check_matrix(dtype, dtype, 100, 64, 64, 1, -64, -1);   /* backwards */
            check_matrix(dtype, dtype, 100, 64, 64, 1, 128, 2);    /* every second */
            check_matrix(dtype, dtype, 100, 64, 128, 2, 64, 1);    /* to every second */
            check_matrix(dtype, dtype, 3, 1000, 1000, 1, 1, 3);    /* three channels apart */
            check_matrix(dtype, dtype, 1000, 3, 3, 1, 1, 1000);    /* and together */
            check_matrix(dtype, dtype, 100, 65, 65, 1, 1, 0);      /* each row one element */
            check_matrix(dtype, dtype, 100, 65, 65, 1, 0, 1);      /* each row the same */
            check_matrix(dtype, dtype, 100, 65, 65, 1, 0, 0);      /* all the same */
            check_matrix(dtype, dtype, 100, 65, 130, 2, 0, 0);
            check_matrix(dtype, dtype, 3, 20001, 20005, 1, 0, 0); /* long rows of one element */
            check_matrix(dtype, dtype, 3, 20001, 20001, 1, 1, 0);
            check_matrix(dtype, dtype, 40, 50, 50, 1, 2, 100); /* transposed with gaps */
        }
    }
}

/* Written around the caches, whole lines at a time: the elements before the first line and after the last are written too, and
 * no more, even where the elements never begin with a line. */
TEST_SAMPLED(long_fills_reach_every_byte_wherever_they_begin) {
    static const tn_dtype dtypes[] = {TN_UINT8, TN_INT16, TN_FLOAT32, TN_FLOAT64, TN_COMPLEX128};
    enum { BYTES = 40000, MARGIN = 128 };
    static unsigned char memory[BYTES + 2 * MARGIN];
    TEST_DEFER(reset_cache, NULL);
    atomic_store(&tni_copy_cache_bytes, 1);
    for (size_t k = 0; k < TNI_COUNT_OF(dtypes); k++)
        for (int shift = 0; shift < 70; shift += shift < 17 ? 1 : 13) {
            size_t item = tn_dtype_size(dtypes[k]), filled = BYTES / item * item - item * (size_t)(shift % 5);
            memset(memory, 0x5a, sizeof memory);
            unsigned char *first = memory + MARGIN / 2 + shift, element[16];
            tn_tensor *x = tn_from_memory(first, TN_DIMS((int64_t)(filled / item)), dtypes[k], TN_BORROW);
            CHECK(x);
            CHECK(tn_fill_(x, 77));
            tn_dtype_store(dtypes[k], element, tn_scalar_int(77));
            for (size_t i = 0; i < sizeof memory; i++) {
                bool inside = memory + i >= first && memory + i < first + filled;
                CHECK_INT(memory[i], inside ? element[(size_t)(memory + i - first) % item] : 0x5a);
            }
        }
}

TEST_SAMPLED(factories_fill_more_than_the_caches_hold) {
    TEST_DEFER(reset_cache, NULL);
    atomic_store(&tni_copy_cache_bytes, 1 << 20);
    tn_tensor *x = tn_full(TN_DIMS(700001), 1.25, TN_FLOAT32);
    CHECK(x);
    const float *numbers = tn_data(x);
    for (int64_t i = 0; i < 700001; i++)
        if (numbers[i] != 1.25f)
            test_fail(__FILE__, __LINE__, "element %lld", (long long)i);
}

TEST_SAMPLED(conversions_of_long_runs_are_right_at_every_level) {
    static const tn_dtype pairs[][2] = {{TN_FLOAT32, TN_BFLOAT16}, {TN_INT64, TN_FLOAT32},   {TN_FLOAT32, TN_FLOAT16},
                                        {TN_FLOAT16, TN_FLOAT32},  {TN_UINT8, TN_FLOAT32},   {TN_FLOAT64, TN_INT32},
                                        {TN_BOOL, TN_FLOAT64},     {TN_COMPLEX64, TN_INT8},  {TN_INT16, TN_BFLOAT16},
                                        {TN_BFLOAT16, TN_FLOAT16}, {TN_FLOAT8_E5M2, TN_BOOL}};
    TEST_DEFER(reset_cache, NULL);
    for (int around = 0; around < 2; around++) {
        atomic_store(&tni_copy_cache_bytes, around ? 1 : 0);
        for (size_t k = 0; k < TNI_COUNT_OF(pairs); k++) {
            check_matrix(pairs[k][1], pairs[k][0], 1, 40001, 40001, 1, 40001, 1);
            check_matrix(pairs[k][1], pairs[k][0], 130, 301, 303, 1, 305, 1);
            check_matrix(pairs[k][1], pairs[k][0], 130, 301, 301, 1, 1, 130);
            check_matrix(pairs[k][1], pairs[k][0], 130, 301, 301, 1, 2, 260);
            check_matrix(pairs[k][1], pairs[k][0], 130, 301, 602, 2, 301, 1);
            check_matrix(pairs[k][1], pairs[k][0], 2000, 3, 3, 1, 4, 1);
            check_matrix(pairs[k][1], pairs[k][0], 20, 301, 301, 1, 0, 0);
            check_matrix(pairs[k][1], pairs[k][0], 20, 301, 301, 1, 1, 0);
        }
    }
}

TEST_ONCE(large_copies_on_several_threads_are_right) { /* seconds long */
    check_matrix(TN_FLOAT32, TN_FLOAT32, 1, 3000001, 3000001, 1, 3000001, 1);
    check_matrix(TN_FLOAT32, TN_FLOAT32, 1501, 1999, 1999, 1, 1, 1501);
    check_matrix(TN_UINT8, TN_UINT8, 2049, 2050, 2050, 1, 1, 2049);
    check_matrix(TN_BFLOAT16, TN_FLOAT32, 1501, 1999, 1999, 1, 1999, 1);
}

TEST_SAMPLED(a_result_larger_than_the_real_cache_is_right) {
    int64_t cache = tni_cpu_last_level_bytes();
    if (cache > 64 << 20)
        return;
    int64_t side_length = 3;
    while (side_length * side_length * 8 <= cache)
        side_length += 97;
    tn_tensor *source = tn_empty(TN_DIMS(side_length, side_length + 5), TN_FLOAT32);
    CHECK(source);
    float *numbers = tn_mutable_data(source);
    for (int64_t i = 0; i < tn_numel(source); i++)
        numbers[i] = (float)(i % 16777213);
    tn_tensor *turned = tn_contiguous(tn_transpose(source, 0, 1), TN_CONTIGUOUS);
    CHECK(turned);
    tn_view_float32 view = tn_read_float32(turned);
    for (int64_t i = 0; i < view.sizes[0]; i++)
        for (int64_t j = 0; j < view.sizes[1]; j++)
            if (TN_AT2(view, i, j) != numbers[j * view.sizes[0] + i])
                test_fail(__FILE__, __LINE__, "element %lld, %lld", (long long)i, (long long)j);
    tn_tensor *same = tn_clone(source, TN_PRESERVE);
    CHECK(same);
    CHECK(memcmp(tn_data(same), numbers, tn_nbytes(source)) == 0);
}

/* ---- the kernel table --------------------------------------------------------------------------------------------------- */

TEST_SAMPLED(the_kernel_table_follows_the_level_in_use) {
    tn_cpu_level best = tn_cpu_level_detected();
    CHECK(tn_set_cpu_level(TN_CPU_BASELINE) == TN_OK);
    const tni_kernel_table *baseline = tni_kernels();
    CHECK_INT(tni_kernel_level("transpose", 2), TN_CPU_BASELINE);
    CHECK_INT(tni_kernel_level("convert", TN_FLOAT32 * TN_DTYPE_COUNT + TN_BFLOAT16), TN_CPU_BASELINE);
    CHECK(tn_set_cpu_level(best) == TN_OK);
    if (best >= TN_CPU_AVX2) {
        CHECK(tni_kernels() != baseline);
        CHECK_INT(tni_kernel_level("transpose", 2), TN_CPU_AVX2);
        CHECK_INT(tni_kernel_level("convert", TN_FLOAT32 * TN_DTYPE_COUNT + TN_BFLOAT16), TN_CPU_AVX2);
        CHECK_INT(tni_kernel_level("narrow", TNI_CARRIER_f32 * TN_DTYPE_COUNT + TN_FLOAT8_E5M2), TN_CPU_BASELINE);
    }
    CHECK_INT(tni_kernel_level("convert", TN_COMPLEX64 * TN_DTYPE_COUNT + TN_INT8), -1);
    CHECK_INT(tni_kernel_level("strided", TNI_ELEMENT_SIZES), -1);
    CHECK_INT(tni_kernel_level("strided", -1), -1);
    CHECK_INT(tni_kernel_level("no such family", 0), -1);
}

TEST_SAMPLED(every_pair_of_dtypes_has_its_two_steps) {
    const tni_kernel_table *kernels = tni_kernels();
    for (int from = 1; from < TN_DTYPE_COUNT; from++) {
        CHECK(kernels->widen[from]);
        for (int to = 1; to < TN_DTYPE_COUNT; to++)
            CHECK(kernels->narrow[tni_widen[from].carrier * TN_DTYPE_COUNT + to]);
    }
}

/* Sets the best level, whatever a failed check left behind. */
static void best_level(void *unused) {
    (void)unused;
    tn_set_cpu_level(tn_cpu_level_detected());
}

TEST_SAMPLED(every_conversion_kernel_gives_the_same_bits_at_every_level) {
    enum { MANY = 4099 };
    static char source[MANY * 16], expected[MANY * 16], actual[MANY * 16];
    TEST_DEFER(best_level, NULL);
    for (int from = 1; from < TN_DTYPE_COUNT; from++) {
        for (size_t i = 0; i < sizeof source; i++)
            source[i] = (char)test_random();
        for (int to = 1; to < TN_DTYPE_COUNT; to++) {
            CHECK(tn_dtype_convert((tn_dtype)to, expected, (tn_dtype)from, source, MANY) == TN_OK);
            for (int level = 0; level <= (int)tn_cpu_level_detected(); level++) {
                CHECK(tn_set_cpu_level((tn_cpu_level)level) == TN_OK);
                tni_convert_function direct = tni_kernel_convert(tni_kernels(), (tn_dtype)from, (tn_dtype)to);
                if (!direct)
                    continue;
                memset(actual, 0x5a, sizeof actual);
                direct(actual, source, MANY);
                if (memcmp(actual, expected, MANY * tn_dtype_size((tn_dtype)to)) != 0)
                    test_fail(__FILE__, __LINE__, "%s to %s at %s", tn_dtype_name((tn_dtype)from), tn_dtype_name((tn_dtype)to),
                              tn_cpu_level_name((tn_cpu_level)level));
            }
        }
    }
}
