/* eigen.c - eigenvalues and singular values of stacks of matrices: linalg_eigh, linalg_eigvalsh, linalg_eig, linalg_eigvals, linalg_svd,
 * linalg_svdvals.
 *
 * The matrices are copied, by columns and next to each other, and iterate/eigen.h works on the copy. Vectors are by columns too, as
 * in torch, and written straight to a result that is; to any other they are copied. general matrices of float32 are computed in
 * float64.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "iterate/eigen.h"
#include "operators_linalg.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/linalg/linalg.h"
#include "ops/plan.h"

/* ---- plans */

/* One more result whose matrices are by columns. */
static void eigen_add_columns(tni_plan *plan, const tn_tensor *like, int64_t rows, int64_t columns, tn_dtype dtype) {
    tni_linalg_add(plan, like, rows, columns, dtype);
    tni_plan_result *result = &plan->result[plan->count - 1];
    int64_t stride = 1;
    result->strided = true;
    for (int64_t d = result->ndim - 1; d >= 0; d--) {
        int64_t at = d == result->ndim - 1 ? d - 1 : d == result->ndim - 2 ? d + 1 : d;
        result->strides[at] = stride;
        stride *= tni_max_i64(result->sizes[at], 1);
    }
}

static bool eigen_begin(tni_plan *plan, const tn_tensor *self, const char *name, bool square) {
    if (!tni_linalg_check_matrix(self, name, square))
        return false;
    tni_plan_begin(plan, self);
    return true;
}

static bool eigen_triangle(const char *UPLO, bool *upper) {
    char letter = UPLO[0];
    *upper = letter == 'U' || letter == 'u';
    if ((*upper || letter == 'L' || letter == 'l') && UPLO[1] == '\0')
        return true;
    tni_raise(TN_ERROR_ARGUMENT, "UPLO is \"%s\", not \"L\" or \"U\"", UPLO);
    return false;
}

static bool eigen_plan_symmetric(tni_plan *plan, const tn_tensor *self, const char *UPLO, bool vectors) {
    bool upper;
    if (!eigen_begin(plan, self, "self", true) || !eigen_triangle(UPLO, &upper))
        return false;
    int64_t n = tni_linalg_rows(self);
    tni_linalg_add(plan, self, n, TN_NONE, tn_dtype_to_real(self->dtype));
    if (vectors)
        eigen_add_columns(plan, self, n, n, self->dtype);
    return true;
}

bool tni_plan_linalg_eigh(tni_plan *plan, const tn_tensor *self, const char *UPLO) {
    return eigen_plan_symmetric(plan, self, UPLO, true);
}

bool tni_plan_linalg_eigvalsh(tni_plan *plan, const tn_tensor *self, const char *UPLO) {
    return eigen_plan_symmetric(plan, self, UPLO, false);
}

static bool eigen_plan_general(tni_plan *plan, const tn_tensor *self, bool vectors) {
    if (!eigen_begin(plan, self, "self", true))
        return false;
    int64_t n = tni_linalg_rows(self);
    tn_dtype complex = tni_dtypes[self->dtype].to_complex;
    tni_linalg_add(plan, self, n, TN_NONE, complex);
    if (vectors)
        eigen_add_columns(plan, self, n, n, complex);
    return true;
}

bool tni_plan_linalg_eig(tni_plan *plan, const tn_tensor *self) { return eigen_plan_general(plan, self, true); }
bool tni_plan_linalg_eigvals(tni_plan *plan, const tn_tensor *self) { return eigen_plan_general(plan, self, false); }

/* torch knows drivers only for CUDA. */
static bool eigen_driver(const char *driver) {
    if (strcmp(driver, "none") == 0)
        return true;
    tni_raise(TN_ERROR_ARGUMENT, "driver is \"%s\": a driver can be chosen for CUDA only", driver);
    return false;
}

bool tni_plan_linalg_svd(tni_plan *plan, const tn_tensor *A, bool full_matrices, const char *driver) {
    if (!eigen_begin(plan, A, "A", false) || !eigen_driver(driver))
        return false;
    int64_t m = tni_linalg_rows(A), n = tni_linalg_columns(A), least = tni_min_i64(m, n);
    eigen_add_columns(plan, A, m, full_matrices ? m : least, A->dtype);
    tni_linalg_add(plan, A, least, TN_NONE, tn_dtype_to_real(A->dtype));
    tni_linalg_add(plan, A, full_matrices ? n : least, n, A->dtype);
    return true;
}

bool tni_plan_linalg_svdvals(tni_plan *plan, const tn_tensor *A, const char *driver) {
    if (!eigen_begin(plan, A, "A", false) || !eigen_driver(driver))
        return false;
    tni_linalg_add(plan, A, tni_min_i64(tni_linalg_rows(A), tni_linalg_columns(A)), TN_NONE, tn_dtype_to_real(A->dtype));
    return true;
}

/* ---- memory */

/* Where an engine reads or writes: a tensor, or one beside it that has its elements next to each other, by columns where asked, and in another
 * dtype. */
typedef struct eigen_place {
    tn_tensor *tensor; /* what is to be written at the end, or NULL */
    tn_tensor *beside; /* NULL: tensor itself */
    void *data;
    bool columns;
} eigen_place;

static bool eigen_dense(const tn_tensor *tensor, bool columns) {
    int64_t stride = 1, last = tensor->ndim - 1;
    for (int64_t d = last; d >= 0; d--) {
        int64_t at = !columns || d < last - 1 ? d : last + last - 1 - d;
        if (tensor->sizes[at] != 1 && tensor->strides[at] != stride)
            return false;
        stride *= tensor->sizes[at];
    }
    return true;
}

/* A tensor of the sizes of `like` beside it, the last two exchanged in memory where asked. */
static bool eigen_beside(eigen_place *place, const tn_tensor *like, tn_dtype dtype, bool columns) {
    int64_t sizes[TN_MAX_DIMS], last = like->ndim - 1;
    memcpy(sizes, like->sizes, (size_t)like->ndim * sizeof *sizes);
    if (columns) {
        sizes[last] = like->sizes[last - 1];
        sizes[last - 1] = like->sizes[last];
    }
    place->beside = tni_tensor_new(like->ndim, sizes, dtype, tni_tensor_device(like));
    place->data = place->beside ? tni_tensor_write(place->beside) : NULL;
    place->columns = columns;
    return place->beside != NULL;
}

static bool eigen_target(eigen_place *place, tn_tensor *result, tn_dtype dtype, bool columns) {
    *place = (eigen_place){.tensor = result};
    if (result->dtype != dtype || !eigen_dense(result, columns))
        return eigen_beside(place, result, dtype, columns);
    place->data = tni_tensor_write(result);
    return true;
}

/* Copies between what is beside and a tensor of the same sizes. */
static tn_error eigen_move(const eigen_place *place, tn_tensor *target, const tn_tensor *source) {
    tn_tensor *seen = place->columns ? tni_op_transpose(place->beside, -2, -1) : NULL;
    if (place->columns && !seen)
        return tni_failed();
    tn_tensor *beside = seen ? seen : place->beside;
    tn_error code =
        tni_copy_into(target ? target : beside, source ? source : beside, "matrices are worked on next to each other");
    if (seen)
        tni_tensor_release(seen);
    return code;
}

static bool eigen_source(eigen_place *place, const tn_tensor *self, tn_dtype dtype, bool columns) {
    *place = (eigen_place){.tensor = NULL};
    return eigen_beside(place, self, dtype, columns) && eigen_move(place, NULL, self) == TN_OK;
}

/* Writes a result that was computed beside it, unless something failed. */
static tn_error eigen_close(eigen_place *place, tn_error code) {
    if (!place->beside)
        return code;
    if (code == TN_OK && place->tensor)
        code = eigen_move(place, place->tensor, NULL);
    tni_tensor_release(place->beside);
    place->beside = NULL;
    return code;
}

/* ---- runs */

static int64_t eigen_count(const tn_tensor *self) {
    int64_t count = 1;
    for (int64_t d = 0; d < self->ndim - 2; d++)
        count *= self->sizes[d];
    return count;
}

static bool eigen_is_finite(const tni_matrix *matrix, tn_dtype dtype, int64_t i, int64_t j) {
    bool complex = tn_dtype_is_complex(dtype), single = dtype == TN_FLOAT32 || dtype == TN_COMPLEX64;
    const char *at = (const char *)matrix->data + (i * matrix->row + j * matrix->column) * (int64_t)tni_dtype_size(dtype);
    for (int part = 0; part < 1 + complex; part++)
        if (!isfinite(single ? (double)((const float *)(const void *)at)[part] : ((const double *)(const void *)at)[part]))
            return false;
    return true;
}

/* What is wrong with matrix `failed` of self. */
static tn_error eigen_refuse(const tn_tensor *self, const char *name, int64_t failed, const char *what) {
    int64_t place[TN_MAX_DIMS], rest = failed;
    bool finite = true;
    tni_stack stack = tni_stack_of(self, NULL);
    tni_matrix matrix = tni_stack_at(&stack, failed);
    for (int64_t i = 0; i < tni_linalg_rows(self); i++)
        for (int64_t j = 0; j < tni_linalg_columns(self); j++)
            finite = finite && eigen_is_finite(&matrix, self->dtype, i, j);
    const char *why = finite ? "did not converge" : "cannot be computed: it has infinities or NaN";
    if (self->ndim == 2)
        return tni_raise(TN_ERROR_LINALG, "the %s values of %s %s", what, name, why);
    for (int64_t d = self->ndim - 3; d >= 0; d--) {
        place[d] = rest % self->sizes[d];
        rest /= self->sizes[d];
    }
    return tni_raise(TN_ERROR_LINALG, "the %s values of matrix %s of the batch %s %s", what,
                     tni_show_dims(place, self->ndim - 2), name, why);
}

static tn_error eigen_run_symmetric(tn_tensor *const *results, const tn_tensor *self, const char *UPLO, bool vectors) {
    eigen_place values, work = {.tensor = NULL};
    bool upper;
    int64_t failed = -1;
    if (!eigen_triangle(UPLO, &upper))
        return tni_failed();
    if (!eigen_target(&values, results[0], results[0]->dtype, false))
        return tni_failed();
    tn_error code = TN_OK;
    if (!vectors)
        code = eigen_source(&work, self, self->dtype, true) ? TN_OK : tni_failed();
    else if (!eigen_target(&work, results[1], self->dtype, true))
        code = tni_failed();
    else
        code = work.beside ? eigen_move(&work, NULL, self)
                           : tni_copy_into(results[1], self, "matrices are worked on next to each other");
    if (code == TN_OK)
        code = tni_eigh(self->dtype, tni_linalg_rows(self), eigen_count(self), work.data, values.data, vectors, upper, &failed);
    if (code == TN_OK && failed >= 0)
        code = eigen_refuse(self, "self", failed, "eigen");
    code = eigen_close(&work, code);
    return eigen_close(&values, code);
}

tn_error tni_run_linalg_eigh(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const char *UPLO) {
    (void)plan;
    return eigen_run_symmetric(results, self, UPLO, true);
}

tn_error tni_run_linalg_eigvalsh(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const char *UPLO) {
    (void)plan;
    return eigen_run_symmetric(results, self, UPLO, false);
}

static tn_error eigen_run_general(tn_tensor *const *results, const tn_tensor *self, bool wanted) {
    eigen_place values = {.tensor = NULL}, vectors = {.tensor = NULL}, work = {.tensor = NULL};
    tn_dtype dtype = tn_dtype_is_complex(self->dtype) ? TN_COMPLEX128 : TN_FLOAT64;
    int64_t failed = -1;
    tn_error code = TN_OK;
    if (!eigen_target(&values, results[0], TN_COMPLEX128, false) ||
        (wanted && !eigen_target(&vectors, results[1], TN_COMPLEX128, true)) || !eigen_source(&work, self, dtype, true))
        code = tni_failed();
    else
        code = tni_eig(dtype, tni_linalg_rows(self), eigen_count(self), work.data, values.data, vectors.data, &failed);
    if (code == TN_OK && failed >= 0)
        code = eigen_refuse(self, "self", failed, "eigen");
    code = eigen_close(&work, code);
    code = eigen_close(&vectors, code);
    return eigen_close(&values, code);
}

tn_error tni_run_linalg_eig(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self) {
    (void)plan;
    return eigen_run_general(results, self, true);
}

tn_error tni_run_linalg_eigvals(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self) {
    (void)plan;
    return eigen_run_general(results, self, false);
}

/* The conjugates of complex numbers. */
static void eigen_conjugate(void *data, int64_t count, tn_dtype dtype) {
    if (dtype == TN_COMPLEX64)
        for (int64_t i = 0; i < count; i++)
            ((tn_complex64 *)data)[i].imag *= -1;
    else if (dtype == TN_COMPLEX128)
        for (int64_t i = 0; i < count; i++)
            ((tn_complex128 *)data)[i].imag *= -1;
}

/* Identities, of n rows and columns: the vectors of what has no elements. */
static void eigen_identities(void *data, int64_t n, int64_t count, tn_dtype dtype) {
    size_t size = tni_dtype_size(dtype);
    memset(data, 0, (size_t)(count * n * n) * size);
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = 0; i < n; i++) {
            char *at = (char *)data + (size_t)(k * n * n + i * (n + 1)) * size;
            if (dtype == TN_FLOAT32 || dtype == TN_COMPLEX64)
                *(float *)(void *)at = 1;
            else
                *(double *)(void *)at = 1;
        }
}

/* Of a matrix with more columns than rows, the conjugate transpose is computed, whose left side is the right one: both are kept as U by
 * columns, Vh by rows. */
static tn_error eigen_run_singular(tn_tensor *U, tn_tensor *S, tn_tensor *Vh, const tn_tensor *A) {
    eigen_place u = {.tensor = NULL}, values = {.tensor = NULL}, v = {.tensor = NULL}, work = {.tensor = NULL};
    int64_t m = tni_linalg_rows(A), n = tni_linalg_columns(A), count = eigen_count(A), failed = -1;
    bool tall = m >= n;
    tn_error code = TN_OK;
    if (!eigen_target(&values, S, S->dtype, false) || (U && !eigen_target(&u, U, A->dtype, true)) ||
        (Vh && !eigen_target(&v, Vh, A->dtype, false)) || !eigen_source(&work, A, A->dtype, tall))
        code = tni_failed();
    else if (m == 0 || n == 0) {
        if (U && U->numel)
            eigen_identities(u.data, m, count, A->dtype);
        if (Vh && Vh->numel)
            eigen_identities(v.data, n, count, A->dtype);
    } else {
        if (!tall)
            eigen_conjugate(work.data, A->numel, A->dtype);
        code = tni_svd(A->dtype, tni_max_i64(m, n), tni_min_i64(m, n), count, work.data, values.data, tall ? u.data : v.data,
                       !U     ? 0
                       : tall ? tni_linalg_columns(U)
                              : tni_linalg_rows(Vh),
                       tall ? v.data : u.data, &failed);
        if (code == TN_OK && Vh)
            eigen_conjugate(v.data, Vh->numel, A->dtype);
    }
    if (code == TN_OK && failed >= 0)
        code = eigen_refuse(A, "A", failed, "singular");
    code = eigen_close(&work, code);
    code = eigen_close(&u, code);
    code = eigen_close(&v, code);
    return eigen_close(&values, code);
}

tn_error tni_run_linalg_svd(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *A, bool full_matrices,
                            const char *driver) {
    (void)plan;
    (void)full_matrices;
    (void)driver;
    return eigen_run_singular(results[0], results[1], results[2], A);
}

tn_error tni_run_linalg_svdvals(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *A, const char *driver) {
    (void)plan;
    (void)driver;
    return eigen_run_singular(NULL, results[0], NULL, A);
}
