/* line_call.h - shared by the operators that go along one dimension and keep its length: scans, softmax, the norms. */
#ifndef TNI_LINE_CALL_H
#define TNI_LINE_CALL_H

#include "iterate/lines.h"
#include "tensor/tensor.h"

static inline bool tni_line_is_whole(tn_dtype dtype) { return tni_dtypes[dtype].kind <= TN_KIND_SIGNED; }

/* The floats that can be computed with: not the two of 8 bits, which only hold data. */
static inline bool tni_line_is_float(tn_dtype dtype) {
    return tni_dtypes[dtype].kind == TN_KIND_FLOAT && tni_dtype_size(dtype) > 1;
}

/* `self` converted to `dtype`, in which a result is defined: self itself, retained, where reading it as `compute` gives the
 * same, else a copy. NULL with the error raised. */
tn_tensor *tni_line_source(const tn_tensor *self, tn_dtype dtype, tn_dtype compute);

/* Runs a function over the lines of two or three tensors of the same sizes: lines[0] is written, lines[1], unless there is no
 * second result, too, and the last is read. */
typedef struct tni_line_call {
    tn_tensor *result;
    tn_dtype result_compute;
    tn_tensor *second; /* int64, or NULL */
    const tn_tensor *self;
    tn_dtype self_compute;
    int64_t dim;
    int64_t work;                /* of a line: see lines.h               */
    tni_lines_function together; /* the same: or NULL                    */
    tni_job_kernel kernel;       /* for devices, the same: what it does, */
    int64_t numbers;             /* and what comes with it               */
    const double *number;
} tni_line_call;
tn_error tni_line_call_run(const tni_line_call *call, tni_line_function function, void *context);

#endif
