/* product.c - see product.h. Which way a product is computed: the batch dimensions are merged, with each other and with the rows where all
 * batches share B, C is turned so that its columns are next to each other, and the sizes decide.
 */
#include "iterate/product.h"

#include <tenon/geometry.h>

#include "base/parallel.h"
#include "iterate/product_blas.h"
#include "iterate/product_blocks.h"
#include "iterate/thread_memory.h"
#include "iterate/product_skinny.h"
#include "iterate/product_small.h"
#include "kernels/blocks.h"

tn_dtype tni_product_compute(tn_dtype dtype) {
    const tni_dtype_info *info = tni_dtype_row(dtype);
    if (info->kind == TN_KIND_FLOAT)
        return dtype == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32;
    if (info->kind == TN_KIND_COMPLEX)
        return dtype == TN_COMPLEX128 ? TN_COMPLEX128 : TN_COMPLEX64;
    return tni_dtype_size(dtype) <= 4 ? TN_INT32 : TN_INT64;
}

/* ---- the same product in a better form */

enum { PRODUCT_OPERANDS = 6 };

typedef struct product_form {
    tni_product product;
    int64_t sizes[TN_MAX_DIMS], strides[PRODUCT_OPERANDS][TN_MAX_DIMS];
} product_form;

static tni_product_operand *product_operand(tni_product *product, int i) {
    tni_product_operand *operands[PRODUCT_OPERANDS] = {&product->a, &product->b,    &product->c,
                                                       &product->d, &product->bias, &product->residual};
    return operands[i];
}

static int64_t product_stride(const tni_product_operand *operand, int64_t d) {
    return operand->data && operand->batch ? operand->batch[d] : 0;
}

/* Dimensions of size 1 go, and a dimension joins the next one where every operand's strides allow it. */
static void product_merge_batches(product_form *form, const tni_product *given) {
    int64_t ndim = 0;
    tni_product *product = &form->product;
    for (int64_t d = 0; d < given->batch_ndim; d++) {
        int64_t size = given->batch_sizes[d];
        if (size == 1)
            continue;
        bool joins = ndim > 0;
        for (int i = 0; i < PRODUCT_OPERANDS && joins; i++)
            joins = form->strides[i][ndim - 1] == product_stride(product_operand(product, i), d) * size;
        if (joins)
            form->sizes[ndim - 1] *= size;
        else
            form->sizes[ndim++] = size;
        for (int i = 0; i < PRODUCT_OPERANDS; i++)
            form->strides[i][ndim - 1] = product_stride(product_operand(product, i), d);
    }
    for (int i = 0; i < PRODUCT_OPERANDS; i++)
        product_operand(product, i)->batch = form->strides[i];
    product->batch_ndim = ndim;
    product->batch_sizes = form->sizes;
}

/* The last batch dimension becomes part of the rows where all its batches share B. */
static void product_fold_rows(product_form *form) {
    tni_product *product = &form->product;
    while (product->batch_ndim > 0) {
        int64_t d = product->batch_ndim - 1;
        if (form->strides[1][d] != 0)
            return;
        for (int i = 0; i < PRODUCT_OPERANDS; i++) {
            tni_product_operand *operand = product_operand(product, i);
            if (i != 1 && operand->data && product->m != 1 && form->strides[i][d] != operand->row * product->m)
                return;
        }
        if (product->m == 1)
            for (int i = 0; i < PRODUCT_OPERANDS; i++)
                if (i != 1)
                    product_operand(product, i)->row = form->strides[i][d];
        product->m *= form->sizes[d];
        product->batch_ndim--;
    }
}

static void product_turn_operand(tni_product_operand *operand) {
    int64_t row = operand->row;
    operand->row = operand->column;
    operand->column = row;
}

/* C' = B' A'. */
static void product_turn(tni_product *product) {
    tni_product_operand a = product->a;
    int64_t m = product->m;
    product->a = product->b;
    product->b = a;
    product->m = product->n;
    product->n = m;
    for (int i = 0; i < PRODUCT_OPERANDS; i++)
        product_turn_operand(product_operand(product, i));
}

/* A stride along a dimension of size 1 is any number, so it is 1. */
static void product_straighten(tni_product *product) {
    if (product->n == 1)
        for (int i = 1; i < PRODUCT_OPERANDS; i++)
            product_operand(product, i)->column = 1;
    if (product->m == 1)
        for (int i = 0; i < PRODUCT_OPERANDS; i++)
            if (i != 1)
                product_operand(product, i)->row = 1;
    if (product->k == 1)
        product->a.column = product->b.row = 1;
}

/* ---- the ways */

typedef struct product_batches {
    const tni_product *product;
    const tni_finish *finish;
    const tni_blocks *blocks;
    tni_thread_memory *memory;
} product_batches;

static void product_small_batches(void *argument, int64_t begin, int64_t end) {
    const product_batches *batches = argument;
    for (int64_t batch = begin; batch < end; batch++)
        tni_small_run(batches->product, batches->finish, batch);
}

static void product_block_batches(void *argument, int64_t begin, int64_t end) {
    product_batches *batches = argument;
    int64_t set;
    char *memory = tni_thread_memory_claim(batches->memory, &set);
    for (int64_t batch = begin; batch < end; batch++)
        if (!tni_blocks_run(batches->blocks, batch, memory))
            break;
    tni_thread_memory_leave(batches->memory, set);
}

/* Without k the sums are zeros. */
static tn_error product_of_nothing(const tni_product *product, const tni_finish *finish, int64_t batches) {
    static const char zeros[TNI_FINISH_BLOCK * 16] = {0};
    for (int64_t batch = 0; batch < batches; batch++)
        for (int64_t i = 0; i < product->m; i++)
            for (int64_t j = 0; j < product->n; j += TNI_FINISH_BLOCK) {
                char sums[sizeof zeros];
                memcpy(sums, zeros, sizeof sums);
                tni_finish_row(finish, batch, i, j, sums, tni_min_i64(TNI_FINISH_BLOCK, product->n - j));
            }
    return TN_OK;
}

static tn_error product_in_blocks(const tni_product *product, const tni_finish *finish, int64_t count) {
    bool done = true;
    if (tni_blas_takes(product, finish, count, &done))
        return done ? TN_OK : TN_ERROR_CANCELLED;
    tni_blocks blocks;
    tni_blocks_begin(&blocks, product, finish);
    double work = (double)product->m * (double)product->n * (double)product->k;
    bool apart = count > 1 && work < (double)PRODUCT_TASKS * PRODUCT_TASK; /* one batch a thread */
    tni_thread_memory memory;
    product_batches batches = {.product = product, .finish = finish, .blocks = &blocks, .memory = &memory};
    int64_t grain = work >= PRODUCT_TASK ? 1 : (int64_t)(PRODUCT_TASK / work);
    int64_t sets = apart ? tni_min_i64((count + grain - 1) / grain, tn_num_threads()) : 1;
    if (!tni_thread_memory_take(&memory, blocks.bytes, sets))
        return tni_failed();
    if (apart)
        done = tni_parallel_for(count, grain, product_block_batches, &batches);
    else
        for (int64_t batch = 0; batch < count && done; batch++)
            done = tni_blocks_run(&blocks, batch, memory.data);
    tni_thread_memory_give(&memory);
    return done ? TN_OK : TN_ERROR_CANCELLED;
}

/* Products of few rows: their sums always pass through `finish`. */
static tn_error product_of_few_rows(const tni_product *product, int64_t count) {
    tni_finish finish;
    if (!tni_finish_begin(&finish, product))
        return tni_failed();
    tni_thread_memory memory = {.data = NULL};
    size_t bytes = tni_skinny_bytes(product);
    if (bytes && !tni_thread_memory_take(&memory, bytes, 1))
        return tni_failed();
    bool done = true;
    for (int64_t batch = 0; batch < count && done; batch++)
        done = tni_skinny_run(product, &finish, batch, memory.data);
    if (bytes)
        tni_thread_memory_give(&memory);
    return done ? TN_OK : TN_ERROR_CANCELLED;
}

static tn_error product_compute(const tni_product *product, const tni_finish *finish, int64_t count) {
    if (!tni_small_serves(product) && tni_skinny_serves(product))
        return product_of_few_rows(product, count);
    if (!tni_small_serves(product))
        return product_in_blocks(product, finish, count);
    int64_t work = product->m * product->n * product->k;
    product_batches batches = {.product = product, .finish = finish};
    if (count == 1) {
        tni_small_run(product, finish, 0);
        return TN_OK;
    }
    int64_t grain = work >= PRODUCT_TASK ? 1 : PRODUCT_TASK / work;
    return tni_parallel_for(count, grain, product_small_batches, &batches) ? TN_OK : TN_ERROR_CANCELLED;
}

static tn_error product_finished(const tni_product *product, int64_t count) {
    tni_finish finish;
    if (!tni_finish_begin(&finish, product))
        return tni_failed();
    return product->k == 0 ? product_of_nothing(product, &finish, count) : product_compute(product, &finish, count);
}

tn_error tni_product_run(const tni_product *given) {
    if (given->m == 0 || given->n == 0)
        return TN_OK;
    if (tni_small_quickly(given))
        return TN_OK;
    int64_t count = 1;
    for (int64_t d = 0; d < given->batch_ndim; d++)
        count *= given->batch_sizes[d];
    if (count == 0)
        return TN_OK;
    product_form form;
    form.product = *given;
    if (given->batch_ndim) {
        product_merge_batches(&form, given);
        if (!form.product.bias.data || form.product.bias.row == 0)
            product_fold_rows(&form);
        count = 1;
        for (int64_t d = 0; d < form.product.batch_ndim; d++)
            count *= form.sizes[d];
    }
    tni_product *product = &form.product;
    if (!tni_finish_reads_d(product))
        product->d.data = NULL;
    product_straighten(product);
    if (product->n <= PRODUCT_SKINNY ? product->n < product->m
                                     : product->m > PRODUCT_SKINNY && product->c.column != 1 && product->c.row == 1)
        product_turn(product);
    return tni_finish_is_plain(product) && product->c.column == 1 && product->k ? product_compute(product, NULL, count)
                                                                                : product_finished(product, count);
}
