/* product_finish.c - see product_finish.h. A row of sums is finished block by block with the loops of the pointwise operators, so that
 * linear with gelu has the bits that gelu of linear has, in the dtype that sums are accumulated in; what is read beside them is
 * gathered and converted block by block too. */
#include "iterate/product_finish.h"

#include "kernels/blocks.h"
#include "kernels_arithmetic.h"
#include "kernels_shared.h"

static bool finish_number_is(const tn_job_number *number, int value) {
    return number->real == value && number->whole == value && number->complex.real == value && number->complex.imag == 0;
}

bool tni_finish_reads_d(const tni_product *product) { return product->d.data && !finish_number_is(&product->beta, 0); }

bool tni_finish_is_plain(const tni_product *product) {
    return product->c.dtype == product->compute && finish_number_is(&product->alpha, 1) && !tni_finish_reads_d(product) &&
           !product->bias.data && product->activation == TNI_ACTIVATION_NONE && finish_number_is(&product->scale, 1) &&
           !product->residual.data;
}

static int finish_activation_kernel(tni_product_activation activation) {
    switch (activation) {
    case TNI_ACTIVATION_RELU: return TNI_KERNEL_relu;
    case TNI_ACTIVATION_GELU: return TNI_KERNEL_gelu;
    case TNI_ACTIVATION_GELU_TANH: return TNI_KERNEL_gelu_tanh;
    case TNI_ACTIVATION_SILU: return TNI_KERNEL_silu;
    case TNI_ACTIVATION_TANH: return TNI_KERNEL_tanh;
    default: return TNI_KERNEL_sigmoid;
    }
}

static void finish_set(tni_parameters *parameters, const tn_job_number *number) {
    parameters->real[0] = number->real;
    parameters->whole[0] = number->whole;
    parameters->complex[0] = number->complex;
}

static void finish_repeat(char *block, tn_dtype dtype, const tn_job_number *number) {
    size_t item = tni_dtype_size(dtype);
    const tni_dtype_info *info = tni_dtype_row(dtype);
    if (info->kind == TN_KIND_COMPLEX)
        tni_block_convert(dtype, block, TN_COMPLEX128, &number->complex, 1);
    else if (info->kind == TN_KIND_FLOAT)
        tni_block_convert(dtype, block, TN_FLOAT64, &number->real, 1);
    else
        tni_block_convert(dtype, block, TN_INT64, &number->whole, 1);
    for (int64_t i = 1; i < TNI_FINISH_BLOCK; i++)
        memcpy(block + (size_t)i * item, block, item);
}

bool tni_finish_begin(tni_finish *finish, const tni_product *product) {
    tn_dtype compute = product->compute;
    finish->product = product;
    finish->mul = finish->add = finish->add_alpha = finish->activation = NULL;
    bool alphas = !finish_number_is(&product->alpha, 1);
    finish->scales = !finish_number_is(&product->scale, 1);
    if (alphas || finish->scales) {
        if (!(finish->mul = tni_loop_of(TNI_KERNEL_mul, compute)))
            return false;
        finish_repeat(finish->alphas, compute, &product->alpha);
        finish_repeat(finish->scale, compute, &product->scale);
    }
    finish_set(&finish->beta, &product->beta);
    if (tni_finish_reads_d(product) && !(finish->add_alpha = tni_loop_of(TNI_KERNEL_add_alpha, compute)))
        return false;
    if ((product->bias.data || product->residual.data || finish->add_alpha) &&
        !(finish->add = tni_loop_of(TNI_KERNEL_add, compute)))
        return false;
    return product->activation == TNI_ACTIVATION_NONE ||
           (finish->activation = tni_loop_of(finish_activation_kernel(product->activation), compute)) != NULL;
}

/* `count` elements of a row of an operand, in the dtype that is computed in. */
static const void *finish_read(const tni_product *product, const tni_product_operand *operand, int64_t batch, int64_t i,
                               int64_t j, int64_t count, char *raw, char *converted) {
    int64_t item = (int64_t)tni_dtype_size(operand->dtype);
    const char *at = tni_product_at(product, operand, batch) + (i * operand->row + j * operand->column) * item;
    if (operand->column != 1) {
        tni_block_move((size_t)item, raw, item, at, operand->column * item, count);
        at = raw;
    }
    if (operand->dtype == product->compute)
        return at;
    tni_block_convert(product->compute, converted, operand->dtype, at, count);
    return converted;
}

static void finish_block(const tni_finish *finish, int64_t batch, int64_t i, int64_t j, char *sums, int64_t count) {
    const tni_product *product = finish->product;
    _Alignas(64) char raw[TNI_FINISH_BLOCK * 16], converted[TNI_FINISH_BLOCK * 16];
    void *data[3] = {sums, sums, NULL};
    if (!finish_number_is(&product->alpha, 1)) {
        data[2] = (void *)(uintptr_t)finish->alphas;
        finish->mul(data, count, NULL);
    }
    if (finish->add_alpha) {
        data[2] = (void *)(uintptr_t)finish_read(product, &product->d, batch, i, j, count, raw, converted);
        if (finish_number_is(&product->beta, 1))
            finish->add(data, count, NULL);
        else
            finish->add_alpha(data, count, &finish->beta);
    }
    if (product->bias.data) {
        data[2] = (void *)(uintptr_t)finish_read(product, &product->bias, batch, i, j, count, raw, converted);
        finish->add(data, count, NULL);
    }
    if (finish->activation)
        finish->activation(data, count, NULL);
    if (finish->scales) {
        data[2] = (void *)(uintptr_t)finish->scale;
        finish->mul(data, count, NULL);
    }
    if (product->residual.data) {
        data[2] = (void *)(uintptr_t)finish_read(product, &product->residual, batch, i, j, count, raw, converted);
        finish->add(data, count, NULL);
    }
    const tni_product_operand *c = &product->c;
    int64_t item = (int64_t)tni_dtype_size(c->dtype);
    char *at = tni_product_at(product, c, batch) + (i * c->row + j * c->column) * item;
    const char *done = sums;
    if (c->dtype != product->compute) {
        char *to = c->column == 1 ? at : converted;
        tni_block_convert(c->dtype, to, product->compute, sums, count);
        done = to;
    }
    if (done != at)
        tni_block_move((size_t)item, at, c->column * item, done, item, count);
}

void tni_finish_row(const tni_finish *finish, int64_t batch, int64_t i, int64_t j, void *sums, int64_t count) {
    size_t item = tni_dtype_size(finish->product->compute);
    for (int64_t done = 0; done < count; done += TNI_FINISH_BLOCK)
        finish_block(finish, batch, i, j + done, (char *)sums + (size_t)done * item,
                     tni_min_i64(TNI_FINISH_BLOCK, count - done));
}
