/* left_out.c - stand-ins for parts that a build leaves out (dispatch/parts.def), where the rest calls more of them than
 * operators: each function says that the part is missing. Operators get theirs from tools/generate.c.
 */
#include <tenon/blas.h>
#include <tenon/einsum.h>
#include <tenon/files.h>
#include <tenon/gemm.h>
#include <tenon/lapack.h>
#include <tenon/onnx.h>
#include <tenon/prepack.h>
#include <tenon/print.h>
#include <tenon/profile.h>
#include <tenon/tensor.h>

#include "base/error.h"
#include "dispatch/parts.h"
#include "iterate/product.h"
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
tn_error tni_product_run(const tni_product *product) {
    (void)product;
    return tni_left_out("product");
}

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

#if defined(TN_WITHOUT_PROFILER) || defined(TN_WITHOUT_TEXT) || defined(TN_WITHOUT_PRODUCT) || defined(TN_WITHOUT_FILES) ||    \
    defined(TN_WITHOUT_LINALG) || defined(TN_WITHOUT_ONNX)
static tn_error left_out_call(const char *function, const char *part) {
    const char *outer = tni_operator_enter(function);
    tn_error code = tni_left_out(part);
    tni_operator_leave(outer);
    return code;
}
#endif

#ifdef TN_WITHOUT_PRODUCT
bool tni_weights_begin(tni_weights *weights, int64_t k, int64_t n, int64_t most_rows, tn_dtype dtype) {
    (void)weights, (void)k, (void)n, (void)most_rows, (void)dtype;
    tni_left_out("product");
    return false;
}

bool tni_weights_fill(tni_weights *weights, char *memory, const void *b, int64_t row, int64_t column) {
    (void)weights, (void)memory, (void)b, (void)row, (void)column;
    return false;
}

tn_error tni_weights_run(const tni_weights *weights, int64_t m, const void *a, int64_t a_row, void *c) {
    (void)weights, (void)m, (void)a, (void)a_row, (void)c;
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

#ifdef TN_WITHOUT_LINALG
tn_error tn_lapack_load(const char *name, tn_lapack *lapack) {
    (void)name, (void)lapack;
    return left_out_call("lapack_load", "linalg");
}

tn_error tn_lapack_use(const tn_lapack *lapack) {
    (void)lapack;
    return left_out_call("lapack_use", "linalg");
}

tn_error tn_lapack_in_use(tn_lapack *lapack) {
    (void)lapack;
    return left_out_call("lapack_in_use", "linalg");
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

#ifdef TN_WITHOUT_FILES
tn_file *tn_file_open(const char *path, const tn_file_options *options) {
    (void)path, (void)options;
    (void)left_out_call("file_open", "files");
    return NULL;
}

tn_file *tn_file_open_memory(const void *data, size_t bytes, tn_ownership ownership, const tn_file_options *options) {
    (void)data, (void)bytes, (void)ownership, (void)options;
    (void)left_out_call("file_open_memory", "files");
    return NULL;
}

tn_file *tn_file_open_stream(tn_read_function read, void *ctx, const tn_file_options *options) {
    (void)read, (void)ctx, (void)options;
    (void)left_out_call("file_open_stream", "files");
    return NULL;
}

tn_file *tn_file_retain(const tn_file *file) {
    (void)file;
    return NULL;
}

void tn_file_release(tn_file *file) { (void)file; }

tn_file *tn_file_keep(tn_file *file) {
    (void)file;
    return NULL;
}

const char *tn_file_format(const tn_file *file) {
    (void)file;
    (void)left_out_call("file_format", "files");
    return "";
}

int64_t tn_file_count(const tn_file *file) {
    (void)file;
    (void)left_out_call("file_count", "files");
    return -1;
}

tn_error tn_file_describe(const tn_file *file, int64_t position, tn_file_tensor *about) {
    (void)file, (void)position, (void)about;
    return left_out_call("file_describe", "files");
}

int64_t tn_file_node_count(const tn_file *file) {
    (void)file;
    (void)left_out_call("file_node_count", "files");
    return -1;
}

tn_error tn_file_describe_node(const tn_file *file, int64_t position, tn_file_node *about) {
    (void)file, (void)position, (void)about;
    return left_out_call("file_describe_node", "files");
}

int64_t tn_file_find(const tn_file *file, const char *name) {
    (void)file, (void)name;
    (void)left_out_call("file_find", "files");
    return -1;
}

tn_tensor *tn_file_take(const tn_file *file, const char *name) {
    (void)file, (void)name;
    (void)left_out_call("file_take", "files");
    return NULL;
}

tn_tensor *tn_file_take_at(const tn_file *file, int64_t position) {
    (void)file, (void)position;
    (void)left_out_call("file_take_at", "files");
    return NULL;
}

tn_parameters *tn_file_take_all(const tn_file *file) {
    (void)file;
    (void)left_out_call("file_take_all", "files");
    return NULL;
}

tn_tensor *tn_file_take_rows(const tn_file *file, int64_t position, int64_t begin, int64_t end) {
    (void)file, (void)position, (void)begin, (void)end;
    (void)left_out_call("file_take_rows", "files");
    return NULL;
}

int64_t tn_file_metadata_count(const tn_file *file) {
    (void)file;
    (void)left_out_call("file_metadata_count", "files");
    return -1;
}

const char *tn_file_metadata_name(const tn_file *file, int64_t position) {
    (void)file, (void)position;
    (void)left_out_call("file_metadata_name", "files");
    return NULL;
}

const char *tn_file_metadata(const tn_file *file, const char *name) {
    (void)file, (void)name;
    (void)left_out_call("file_metadata", "files");
    return NULL;
}

tn_tensor *tn_file_record(const tn_file *file, const char *name) {
    (void)file, (void)name;
    (void)left_out_call("file_record", "files");
    return NULL;
}

tn_storage *tn_file_storage(const tn_file *file, const char *key) {
    (void)file, (void)key;
    (void)left_out_call("file_storage", "files");
    return NULL;
}

const tn_tree *tn_file_tree(const tn_file *file) {
    (void)file;
    (void)left_out_call("file_tree", "files");
    return NULL;
}

tn_tree_kind tn_tree_kind_of(const tn_tree *tree) {
    (void)tree;
    return TN_TREE_NONE;
}

tn_scalar tn_tree_number(const tn_tree *tree) {
    (void)tree;
    return tn_scalar_int(0);
}

const char *tn_tree_text(const tn_tree *tree, size_t *length) {
    (void)tree, (void)length;
    return NULL;
}

int64_t tn_tree_count(const tn_tree *tree) {
    (void)tree;
    return 0;
}

const tn_tree *tn_tree_at(const tn_tree *tree, int64_t position) {
    (void)tree, (void)position;
    return NULL;
}

const tn_tree *tn_tree_key(const tn_tree *tree, int64_t position) {
    (void)tree, (void)position;
    return NULL;
}

const tn_tree *tn_tree_find(const tn_tree *tree, const char *key) {
    (void)tree, (void)key;
    return NULL;
}

int64_t tn_tree_tensor(const tn_tree *tree) {
    (void)tree;
    return -1;
}

const tn_tree *tn_tree_function(const tn_tree *tree) {
    (void)tree;
    return NULL;
}

const tn_tree *tn_tree_arguments(const tn_tree *tree) {
    (void)tree;
    return NULL;
}

const tn_tree *tn_tree_state(const tn_tree *tree) {
    (void)tree;
    return NULL;
}

bool tn_tree_made_new(const tn_tree *tree) {
    (void)tree;
    return false;
}

tn_writer *tn_writer_open(const char *path, const char *format) {
    (void)path, (void)format;
    (void)left_out_call("writer_open", "files");
    return NULL;
}

tn_writer *tn_writer_open_stream(tn_write_function write, void *ctx, const char *format) {
    (void)write, (void)ctx, (void)format;
    (void)left_out_call("writer_open_stream", "files");
    return NULL;
}

tn_error tn_writer_configure(tn_writer *writer, const tn_writer_options *options) {
    (void)writer, (void)options;
    return left_out_call("writer_configure", "files");
}

const char *tn_deflate_provider(void) { return "left out"; }

tn_error tn_writer_add(tn_writer *writer, const char *name, const tn_tensor *tensor) {
    (void)writer, (void)name, (void)tensor;
    return left_out_call("writer_add", "files");
}

tn_error tn_writer_add_as(tn_writer *writer, const char *name, const tn_tensor *tensor, tn_dtype dtype) {
    (void)writer, (void)name, (void)tensor, (void)dtype;
    return left_out_call("writer_add_as", "files");
}

tn_error tn_writer_add_all(tn_writer *writer, const tn_parameters *parameters) {
    (void)writer, (void)parameters;
    return left_out_call("writer_add_all", "files");
}

tn_error tn_writer_add_metadata(tn_writer *writer, const char *name, const char *text) {
    (void)writer, (void)name, (void)text;
    return left_out_call("writer_add_metadata", "files");
}

tn_error tn_writer_add_record(tn_writer *writer, const char *name, const void *data, size_t bytes) {
    (void)writer, (void)name, (void)data, (void)bytes;
    return left_out_call("writer_add_record", "files");
}

tn_error tn_writer_finish(tn_writer *writer) {
    (void)writer;
    return left_out_call("writer_finish", "files");
}

void tn_writer_release(tn_writer *writer) { (void)writer; }

tn_writer *tn_writer_keep(tn_writer *writer) {
    (void)writer;
    return NULL;
}

tn_parameters *tn_load(const char *path) {
    (void)path;
    (void)left_out_call("load", "files");
    return NULL;
}

tn_error tn_save(const char *path, const char *format, const tn_parameters *parameters) {
    (void)path, (void)format, (void)parameters;
    return left_out_call("save", "files");
}

tn_error tn_training_save(const char *path, const tn_parameters *parameters, const tn_optimizer *optimizer) {
    (void)path, (void)parameters, (void)optimizer;
    return left_out_call("training_save", "files");
}

tn_error tn_training_load(const char *path, tn_parameters *parameters, tn_optimizer *optimizer) {
    (void)path, (void)parameters, (void)optimizer;
    return left_out_call("training_load", "files");
}

#endif

#if defined(TN_WITHOUT_ONNX) || defined(TN_WITHOUT_FILES)
#ifdef TN_WITHOUT_ONNX
#define LEFT_OUT_RUNNER "onnx"
#else
#define LEFT_OUT_RUNNER "files"
#endif
tn_onnx *tn_onnx_open(const char *path) {
    (void)path;
    (void)left_out_call("onnx_open", LEFT_OUT_RUNNER);
    return NULL;
}

tn_onnx *tn_onnx_open_memory(const void *data, size_t bytes) {
    (void)data, (void)bytes;
    (void)left_out_call("onnx_open_memory", LEFT_OUT_RUNNER);
    return NULL;
}

tn_onnx *tn_onnx_retain(const tn_onnx *model) {
    (void)model;
    return NULL;
}

void tn_onnx_release(tn_onnx *model) { (void)model; }

tn_onnx *tn_onnx_keep(tn_onnx *model) {
    (void)model;
    return NULL;
}

int64_t tn_onnx_input_count(const tn_onnx *model) {
    (void)model;
    (void)left_out_call("onnx_input_count", LEFT_OUT_RUNNER);
    return -1;
}

int64_t tn_onnx_output_count(const tn_onnx *model) {
    (void)model;
    (void)left_out_call("onnx_output_count", LEFT_OUT_RUNNER);
    return -1;
}

tn_error tn_onnx_input(const tn_onnx *model, int64_t position, tn_onnx_value *about) {
    (void)model, (void)position, (void)about;
    return left_out_call("onnx_input", LEFT_OUT_RUNNER);
}

tn_error tn_onnx_output(const tn_onnx *model, int64_t position, tn_onnx_value *about) {
    (void)model, (void)position, (void)about;
    return left_out_call("onnx_output", LEFT_OUT_RUNNER);
}

int64_t tn_onnx_find_input(const tn_onnx *model, const char *name) {
    (void)model, (void)name;
    return -1;
}

tn_list *tn_onnx_run(const tn_onnx *model, const tn_tensor *const *inputs, int64_t count) {
    (void)model, (void)inputs, (void)count;
    (void)left_out_call("onnx_run", LEFT_OUT_RUNNER);
    return NULL;
}

const char *tn_onnx_operator(int64_t position) {
    (void)position;
    return NULL;
}
#endif
