/* tenon/backend.h - a device that computes: a table of functions that take jobs.
 *
 * Tenon settles what an operator means once, for every device: shapes and broadcasting, dtypes and promotion, the strides of a
 * new result, `out` and what overlaps it. What is left to do is a job of plain data (which kernel, which sizes, strides, dtypes
 * and addresses), and a backend is a table of functions that do jobs. So no backend writes rules for broadcasting, promotion or
 * out again:
 *
 *     static tn_error npu_pointwise(void *ctx, const tn_job *job) { ... }
 *
 *     tn_backend npu = {.struct_size = sizeof npu, .ctx = driver, .copy = npu_copy, .pointwise = npu_pointwise};
 *     tn_backend_register(tn_device_type_register("npu"), &npu);
 *
 * With these two entries the device has `to`, `clone`, `contiguous`, index assignment (of tensors on any device and of numbers,
 * to whatever an index without tensors selects), and every pointwise operator in all its variants. A kernel registered for an
 * operator (tn_kernel_register) comes before jobs; where an entry that an operator needs is NULL, the device's fallback is used
 * (tn_fallback_register), and without one the call is an error that names the operator and the job.
 *
 * docs/howto/add-a-backend.md starts from the beginning; examples/custom_backend.c is a complete backend.
 */
#ifndef TENON_BACKEND_H
#define TENON_BACKEND_H

#include <tenon/dtype.h>
#include <tenon/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of jobs: one for each function of tn_backend. */
typedef enum tn_job_kind {
    TN_JOB_COPY = 0,  /* operand 1, converted, over operand 0. Either may be on another device than the backend's           */
    TN_JOB_FILL,      /* operand 1, a number, over every element of operand 0                                               */
    TN_JOB_POINTWISE, /* each element of the results from the elements of the operands at the same index                    */
    TN_JOB_REDUCE,    /* each element of the results from all elements of the last operand that differ in reduced dimensions */
    TN_JOB_INDEX,     /* elements that positions name: read, written, added to                                              */
    TN_JOB_LINES,     /* each line of the results, along one dimension, from the lines of the operands at the same place    */
    TN_JOB_PRODUCT,   /* matrix products, one for each index of some batch dimensions, and what follows them                */
    TN_JOB_KINDS
} tn_job_kind;

/* "copy", "fill", "pointwise", "reduce", "index", "lines", "product"; "unknown" for anything else. */
TN_API const char *tn_job_kind_name(tn_job_kind kind);

/* One result or operand. It never grows: an array of them is part of a job. */
typedef struct tn_job_operand {
    void *data;             /* the element at index 0, 0, ...: an address of `device`                                         */
    const int64_t *strides; /* in elements, one for each dimension of the job; 0 where an element repeats. NULL: a number, one
                               element for all indices, which is in the CPU's memory                                          */
    tn_device device;
    tn_dtype dtype;   /* of the elements in memory                                                                            */
    tn_dtype compute; /* what the kernel reads or writes: elements are converted on their way, as `to` converts               */
    tn_dtype through; /* TN_DTYPE_DEFAULT, or a narrow float that elements are rounded to before they become `compute`        */
} tn_job_operand;

/* A number that comes with an operator (alpha, a slope, a bound, the order of a norm), in the forms kernels want. */
typedef struct tn_job_number {
    double real;
    int64_t whole;
    tn_complex128 complex;
} tn_job_number;

/* Everything in a job belongs to the caller and is valid until the function returns. No result overlaps itself, or an operand
 * unless the two are the very same elements; no size is 0, except along dimensions that a reduction reduces, or a product sums over. Numbers that a kernel does
 * not use are 0. A job carries its own size, so that a backend made for an older Tenon can tell what it does not know: later members
 * come after those here. A backend that changes a copy of a job, to hand it on, sets the copy's struct_size to sizeof(tn_job).
 *
 * An index job has three sides of the same sizes: what is picked from or written to, what is read from there or written, and the
 * positions, of any integer dtype. The element that belongs to a place lies `position * step` bytes behind where the strides of the
 * picked side lead, which are 0 where the position alone decides. Its kernels, and their operands:
 *
 *   index_read                                      the result; the picked side, read; the positions
 *   index_write, index_add, index_multiply,         the picked side, a result; what is written, or combined with what is there, maybe a
 *   index_maximum, index_minimum                    number; the positions. Where several meet at one place they come in row-major order:
 *                                                   the last one written stays
 *   index_offsets                                   a result of int64, to which position * step is added; the positions
 *   index_check                                     no result: the positions alone
 *
 * A position that is out of range fails the job with TN_ERROR_INDEX, before anything is written where an operand is the result of a
 * write; jobs that are `checked` have none.
 *
 * A line is the elements that differ only in their index of dimension `dim`, and every operand has a length of its own there
 * (1 where a line gives one element). The kernels of lines, with the results before the colon, the operands that are read after it,
 * and the numbers that come with them:
 *
 *   softmax, log_softmax, cumsum, cumprod, logcumsumexp   values: self
 *   cummax, cummin                                        values, indices: self
 *   normalize                                             values: self; the order p, eps
 *   layer_norm, rms_norm                                  values: self, weight, bias; eps, 1 where there is a weight, 1 where a bias
 *   sort                                                  values, and indices where they are wanted: self; 1 for descending
 *   argsort                                               indices: self; 1 for descending
 *   topk                                                  values, indices: self; 1 for the largest, 1 where they are to be in order
 *   kthvalue                                              values, indices: self; k, from 1
 *   median, nanmedian, mode                               values, and indices where they are wanted: self
 *   quantile, nanquantile                                 values: self; the interpolation (0 linear, 1 lower, 2 higher, 3 midpoint,
 *                                                         4 nearest), then the quantiles, as many as the result is long
 *   trapezoid, cumulative_trapezoid                       areas: y, and x where it is given; the distance where it is not
 *
 * A product job, whose one kernel is named product, computes
 *
 *     C = scale * activation(alpha * A B + beta * D + bias) + residual
 *
 * in `compute`, and rounds to the dtype of C once. Its dimensions are any number of batch dimensions, then m, n and k, of which k may be
 * 0: each element of C is a sum over k. All operands have strides for all of them, 0 where they do not have the dimension: C, A and
 * B are (m, n), (m, k) and (k, n), the others are broadcast to C. The result is C; A and B are read, and after them D, bias and residual, as
 * far as there are such. The numbers are alpha, beta and scale; the activation (0 none, 1 relu, 2 gelu, 3 gelu of tanh,
 * 4 silu, 5 tanh, 6 sigmoid); and 1 or 0: whether A is conjugated, whether B is, whether there is a D, a bias, a residual. D and residual may be
 * C itself; without a D beta is 0, and C is not read. Integers are added modulo their size.
 *
 * docs/operators.md says what operators of these names give. */
typedef struct tn_job {
    size_t struct_size;
    tn_job_kind kind;
    int32_t kernel_id;  /* tn_job_kernel_id(kernel)                                                                   */
    const char *kernel; /* what is computed: "add", "sum", "index_read", "softmax", "product"; "copy" and "fill" for those */
    const char *operator_name; /* for messages: the operator that was called                                                 */
    tn_dtype compute;          /* what the kernel computes in                                                                */
    int32_t ndim;
    const int64_t *sizes; /* of a reduction: of what is reduced. Of lines: along dim, that of the first operand that is read  */
    const bool *reduced;  /* of a reduction, for each dimension whether it is: results have one element along it (strides 0) */
    int32_t results;      /* operand[0 .. results-1] are written                                                          */
    int32_t operands;     /* and the rest, up to operand[operands-1], read                                                */
    const tn_job_operand *operand;
    int32_t numbers;
    const tn_job_number *number;
    int32_t
        dim; /* of lines: along which they go. Of an index job, for messages: into which positions point, -1 for all as one */
    const int64_t *lengths; /* of lines: the size of each operand along dim                                               */
    int64_t step;           /* of an index job: how many bytes the next position is away in the picked side               */
    int64_t limit;          /* of an index job: positions are below it                                                    */
    bool wraps;             /* of an index job: negative positions count from the end                                     */
    bool checked;           /* of an index job: no position is out of range                                               */
} tn_job;

/* Does a job, or returns an error, which it may have raised (tn_error_raise); the operator then fails with that error. What was
 * written until then stays written. Called on the thread that called the operator, with no lock held. */
typedef tn_error (*tn_job_function)(void *ctx, const tn_job *job);

/* Zero it, set struct_size = sizeof, fill the rest. */
typedef struct tn_backend {
    size_t struct_size;
    void *ctx; /* passed to every function */
    tn_job_function copy, fill, pointwise, reduce, index, lines, product;
} tn_backend;

/* Let a device type compute with these functions. The table is copied. TN_ERROR_DEVICE when there is no such type, or it is the
 * CPU; TN_ERROR_STATE when it has a backend; TN_ERROR_ARGUMENT for NULL or an invalid struct_size. Any thread may call it;
 * calls under way finish with what they found. */
TN_API tn_error tn_backend_register(int32_t device_type, const tn_backend *backend);

/* Remove the backend of a device type. TN_ERROR_STATE when it has none. The caller makes sure that no call is under way on the
 * device. */
TN_API tn_error tn_backend_unregister(int32_t device_type);

/* The number of a kernel by its name, the same as long as the process runs, or -1. A backend looks it up once, when
 * it is registered, to choose by number later. tn_job_kernel_name is the inverse; NULL for a number that is not a kernel's. */
TN_API int32_t tn_job_kernel_id(const char *kernel);
TN_API const char *tn_job_kernel_name(int32_t kernel_id);

/* Let the CPU do a job: for backends whose memory the CPU can address. Every address of the job must be one that the CPU can
 * read, whatever the devices of its operands say. Gives the bits that the CPU gives; fails as an operator does. */
TN_API tn_error tn_job_run_on_cpu(const tn_job *job);

#ifdef __cplusplus
}
#endif

#endif
