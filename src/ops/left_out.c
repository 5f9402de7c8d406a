/* left_out.c - stand-ins for parts that a build leaves out (dispatch/parts.def), where the rest calls more of them than
 * operators: each function says that the part is missing. Operators get theirs from tools/generate.c.
 */
#include <tenon/blas.h>
#include <tenon/einsum.h>
#include <tenon/gemm.h>
#include <tenon/prepack.h>
#include <tenon/print.h>
#include <tenon/profile.h>
#include <tenon/tensor.h>

#include "base/error.h"
#include "dispatch/parts.h"
#include "iterate/product_weights.h"
#include "ops/index/index_advanced.h"
#include "ops/index/index_engine.h"
#include "ops/index/overlapping.h"
#include "ops/product/product_job.h"
#include "ops/reduce/reduce_job.h"

#ifdef TN_WITHOUT_INDEX
tn_tensor *tni_index_advanced(const tn_tensor *self, tn_index_list index) {
    (void)self, (void)index;
    tni_left_out("index");
    return NULL;
}

tn_error tni_index_assign(tn_tensor *self, tn_index_list index, const tn_tensor *values, tn_scalar value) {
    (void)self, (void)index, (void)values, (void)value;
    return tni_left_out("index");
}

tn_error tni_overlapping_put(tn_tensor *self, tn_index_list index, const tn_tensor *values, tn_scalar value, bool accumulate) {
    (void)accumulate;
    return tni_index_assign(self, index, values, value);
}
#endif

#ifdef TN_WITHOUT_INDEX
tn_error tni_index_run_job(const tn_job *job) {
    (void)job;
    return tni_left_out("index");
}
#endif

#ifdef TN_WITHOUT_PRODUCT
tn_error tni_product_run_job(const tn_job *job) {
    (void)job;
    return tni_left_out("product");
}
#endif

#ifdef TN_WITHOUT_REDUCE
tn_error tni_reduce_run_job(const tn_job *job) {
    (void)job;
    return tni_left_out("reduce");
}
#endif

#if defined(TN_WITHOUT_PROFILER) || defined(TN_WITHOUT_TEXT) || defined(TN_WITHOUT_PRODUCT)
static tn_error left_out_call(const char *function, const char *part) {
    const char *outer = tni_operator_enter(function);
    tn_error code = tni_left_out(part);
    tni_operator_leave(outer);
    return code;
}
#endif

#ifdef TN_WITHOUT_PRODUCT
bool tni_weights_begin(tni_weights *packed, int64_t k, int64_t n, int64_t most_rows, tn_dtype dtype) {
    (void)packed, (void)k, (void)n, (void)most_rows, (void)dtype;
    tni_left_out("product");
    return false;
}

bool tni_weights_fill(tni_weights *packed, char *memory, const void *b, int64_t row, int64_t column) {
    (void)packed, (void)memory, (void)b, (void)row, (void)column;
    return false;
}

tn_error tni_weights_run(const tni_weights *packed, int64_t m, const void *a, int64_t a_row, void *c) {
    (void)packed, (void)m, (void)a, (void)a_row, (void)c;
    return tni_left_out("product");
}

tn_error(tn_gemm)(int64_t m, int64_t n, int64_t k, tn_scalar alpha, tn_matrix a, tn_matrix b, tn_scalar beta, tn_matrix c) {
    (void)m, (void)n, (void)k, (void)alpha, (void)a, (void)b, (void)beta, (void)c;
    return left_out_call("gemm", "product");
}

size_t tn_einsum_explain(const char *equation, const tn_tensor *const *tensors, int64_t count, char *buffer, size_t size) {
    (void)equation, (void)tensors, (void)count;
    left_out_call("einsum", "product");
    if (buffer && size)
        buffer[0] = 0;
    return 0;
}
#endif

#ifdef TN_WITHOUT_PRODUCT
tn_error tn_blas_load(const char *name, tn_blas *blas) {
    (void)name, (void)blas;
    return left_out_call("blas_load", "product");
}

tn_error tn_blas_use(const tn_blas *blas) {
    (void)blas;
    return left_out_call("blas_use", "product");
}

tn_error tn_blas_in_use(tn_blas *blas) {
    (void)blas;
    return left_out_call("blas_in_use", "product");
}

tn_prepacked *tn_prepack(const tn_tensor *weight, tn_prepack_use use) {
    (void)weight, (void)use;
    left_out_call("prepack", "product");
    return NULL;
}

tn_prepacked *tn_prepacked_retain(tn_prepacked *packed) { return packed; }
void tn_prepacked_release(tn_prepacked *packed) { (void)packed; }
tn_prepacked *tn_prepacked_keep(tn_prepacked *packed) { return packed; }

const tn_tensor *tn_prepacked_weight(const tn_prepacked *packed) {
    (void)packed;
    return NULL;
}

size_t tn_prepacked_nbytes(const tn_prepacked *packed) {
    (void)packed;
    return 0;
}

bool tn_prepacked_is_current(const tn_prepacked *packed) {
    (void)packed;
    return false;
}

tn_tensor *(tn_linear_prepacked)(const tn_tensor *input, const tn_prepacked *weight, const tn_tensor *bias,
                                 const char *activation, const tn_tensor *residual, tn_scalar scale) {
    (void)input, (void)weight, (void)bias, (void)activation, (void)residual, (void)scale;
    left_out_call("linear_prepacked", "product");
    return NULL;
}

tn_tensor *(tn_linear_prepacked_out)(tn_tensor *out, const tn_tensor *input, const tn_prepacked *weight, const tn_tensor *bias,
                                     const char *activation, const tn_tensor *residual, tn_scalar scale) {
    (void)out;
    return (tn_linear_prepacked)(input, weight, bias, activation, residual, scale);
}

tn_tensor *tn_matmul_prepacked(const tn_tensor *input, const tn_prepacked *weight) {
    (void)input, (void)weight;
    left_out_call("matmul_prepacked", "product");
    return NULL;
}

tn_tensor *tn_matmul_prepacked_out(tn_tensor *out, const tn_tensor *input, const tn_prepacked *weight) {
    (void)out;
    return tn_matmul_prepacked(input, weight);
}
#endif

#ifdef TN_WITHOUT_PROFILER
tn_error tn_profile_start(const tn_profile_options *options) {
    (void)options;
    return left_out_call("profile_start", "profiler");
}

tn_error tn_profile_stop(void) { return left_out_call("profile_stop", "profiler"); }
bool tn_profile_is_running(void) { return false; }
void tn_profile_clear(void) {}

int64_t tn_profile_rows(tn_profile_row *rows, int64_t room) {
    (void)rows, (void)room;
    left_out_call("profile_rows", "profiler");
    return -1;
}

tn_error tn_profile_print(FILE *stream) {
    (void)stream;
    return left_out_call("profile_print", "profiler");
}

tn_error tn_profile_write_trace(FILE *stream) {
    (void)stream;
    return left_out_call("profile_write_trace", "profiler");
}

tn_error tn_set_operator_hook(const tn_operator_hook *hook) {
    (void)hook;
    return left_out_call("set_operator_hook", "profiler");
}
#endif

#ifdef TN_WITHOUT_TEXT
tn_tensor *tn_from_text(const char *text, tn_dtype dtype) {
    (void)text, (void)dtype;
    left_out_call("from_text", "text");
    return NULL;
}

tn_error tn_print(const tn_tensor *tensor, FILE *stream) {
    (void)tensor, (void)stream;
    return left_out_call("print", "text");
}

int64_t tn_format(const tn_tensor *tensor, char *buffer, size_t size, const tn_print_options *options) {
    (void)tensor, (void)buffer, (void)size, (void)options;
    left_out_call("format", "text");
    return -1;
}

tn_error tn_set_print_options(const tn_print_options *options) {
    (void)options;
    return left_out_call("set_print_options", "text");
}

tn_error tn_get_print_options(tn_print_options *out) {
    (void)out;
    return left_out_call("get_print_options", "text");
}
#endif
