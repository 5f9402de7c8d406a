/* search_isin.c - isin: which elements occur among others.
 *
 * The others become a sorted array of keys without repetitions; each element's key is looked for in it. A NaN is in nothing.
 */
#include "base/parallel.h"
#include "kernels/table.h"
#include "operators_search.h"
#include "ops/result.h"
#include "ops/sort/search.h"
#include "ops/sort/sort_order.h"
#include "ops/limits.h"

typedef struct isin_job {
    const uint64_t *set;
    int64_t count;
    const char *elements;
    tn_dtype dtype;
    uint8_t *answers;
    bool invert;
} isin_job;

static bool isin_set_has(const isin_job *job, uint64_t key) {
    if (job->count <= ISIN_FEW) {
        bool has = false;
        for (int64_t i = 0; i < job->count; i++)
            has |= job->set[i] == key;
        return has;
    }
    const uint64_t *at = job->set; /* halve [at, at + many) until one is left, the last that is not greater */
    for (int64_t many = job->count; many > 1;) {
        int64_t half = many / 2;
        at += at[half] <= key ? half : 0;
        many -= half;
    }
    return *at == key;
}

static void isin_piece(void *arg, int64_t begin, int64_t end) {
    const isin_job *job = arg;
    size_t size = tni_dtype_size(job->dtype);
    union {
        uint32_t narrow[ISIN_BLOCK];
        uint64_t wide[ISIN_BLOCK];
    } keys;
    for (int64_t at = begin, many; at < end; at += many) {
        many = tni_min_i64(end - at, ISIN_BLOCK);
        tni_kernels()->sort_keys[job->dtype](&keys, job->elements + (size_t)at * size, many, false);
        for (int64_t i = 0; i < many; i++)
            job->answers[at + i] = isin_set_has(job, size == 8 ? keys.wide[i] : keys.narrow[i]) != job->invert;
    }
}

/* The different keys of `test`, in order, into `set`; those of NaN are left out. Returns how many;
 * where the call was cancelled, any number of them. */
static int64_t isin_make_set(const tn_tensor *test, void *scratch, uint64_t *set) {
    bool alone = test->numel >= TNI_ORDER_LONG;
    tni_order order = tni_order_begin(tni_tensor_read(test), test->dtype, test->numel, false, scratch, alone);
    tni_order_sort(&order);
    int64_t count = 0, last = test->numel - tni_order_nans(&order);
    TNI_IN_STEPS (begin, end, tni_stopped() ? 0 : last)
        for (int64_t i = begin; i < end; i++)
            if (i == 0 || !tni_order_equal(&order, i - 1, i))
                set[count++] = tni_order_key(&order, i);
    return count;
}

static tn_error isin_answer(tn_tensor *out, const tn_tensor *elements, const tn_tensor *test, bool invert) {
    int64_t set_bytes = test->numel * (int64_t)sizeof(uint64_t);
    int64_t bytes = set_bytes + 128 + (int64_t)tni_order_scratch(test->dtype, test->numel);
    tn_tensor *memory = tni_tensor_new(1, &bytes, TN_UINT8, TN_DEVICE_CPU);
    tn_tensor *answers = memory ? tni_result_rows(out) : NULL;
    tn_error code = answers ? TN_OK : tni_failed();
    if (answers && answers->numel != 0) {
        char *at = tni_tensor_write(memory);
        at += (64 - (uintptr_t)at % 64) % 64;
        uint64_t *set = (uint64_t *)(void *)at;
        isin_job job = {.set = set,
                        .elements = tni_tensor_read(elements),
                        .dtype = elements->dtype,
                        .answers = (uint8_t *)tni_tensor_write(answers),
                        .invert = invert};
        job.count = isin_make_set(test, at + (set_bytes + 63) / 64 * 64, set);
        tni_parallel_for(answers->numel, ISIN_GRAIN, isin_piece, &job);
    }
    tni_tensor_release(memory);
    return tni_result_rows_end(out, answers, code);
}

/* plan->dtype is the one that both are compared in. */
static bool isin_plan(tni_plan *plan, tni_search_side elements, tni_search_side test) {
    plan->dtype = tni_search_dtype(elements, test);
    if (plan->dtype == TN_DTYPE_DEFAULT || !tni_order_allows(plan->dtype, test.tensor ? test.tensor->numel : 1))
        return false;
    tni_plan_begin(plan, elements.tensor ? elements.tensor : test.tensor);
    tni_plan_add(plan, elements.tensor ? elements.tensor->ndim : 0, elements.tensor ? elements.tensor->sizes : NULL, TN_BOOL);
    return true;
}

static tn_error isin_run(const tni_plan *plan, tn_tensor *out, tni_search_side elements, tni_search_side test, bool invert) {
    tn_tensor *first = tni_search_cast(elements, plan->dtype);
    tn_tensor *second = first ? tni_search_cast(test, plan->dtype) : NULL;
    tn_error code = second ? isin_answer(out, first, second, invert) : tni_failed();
    tni_tensor_release(first);
    tni_tensor_release(second);
    return code;
}

/* assume_unique allows a faster method, which is not needed here. */
bool tni_plan_isin(tni_plan *plan, const tn_tensor *elements, const tn_tensor *test_elements, bool assume_unique, bool invert) {
    (void)assume_unique, (void)invert;
    return isin_plan(plan, (tni_search_side){elements, NULL}, (tni_search_side){test_elements, NULL});
}
tn_error tni_run_isin(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *elements,
                      const tn_tensor *test_elements, bool assume_unique, bool invert) {
    (void)assume_unique;
    return isin_run(plan, results[0], (tni_search_side){elements, NULL}, (tni_search_side){test_elements, NULL}, invert);
}

bool tni_plan_isin_scalar(tni_plan *plan, const tn_tensor *elements, tn_scalar test_element, bool assume_unique, bool invert) {
    (void)assume_unique, (void)invert;
    return isin_plan(plan, (tni_search_side){elements, NULL}, (tni_search_side){NULL, &test_element});
}
tn_error tni_run_isin_scalar(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *elements, tn_scalar test_element,
                             bool assume_unique, bool invert) {
    (void)assume_unique;
    return isin_run(plan, results[0], (tni_search_side){elements, NULL}, (tni_search_side){NULL, &test_element}, invert);
}

bool tni_plan_isin_rscalar(tni_plan *plan, tn_scalar element, const tn_tensor *test_elements, bool assume_unique, bool invert) {
    (void)assume_unique, (void)invert;
    return isin_plan(plan, (tni_search_side){NULL, &element}, (tni_search_side){test_elements, NULL});
}
tn_error tni_run_isin_rscalar(const tni_plan *plan, tn_tensor *const *results, tn_scalar element,
                              const tn_tensor *test_elements, bool assume_unique, bool invert) {
    (void)assume_unique;
    return isin_run(plan, results[0], (tni_search_side){NULL, &element}, (tni_search_side){test_elements, NULL}, invert);
}
