/* gradients_every.c - the derivative of every operator of the table, by differences: first and second, in float64 and, where the
 * operator takes them, complex128; with inputs that are contiguous, and with gaps or backwards.
 *
 * Operators are found in the table and called with the arguments of every_helpers.h: a new row is tested without a line here. Only the
 * elements are others: all different, between 0 and 1, so that no two are equal, none is whole, and logarithms, roots and arcs are
 * defined. What is not differentiable there has a line in `differs`.
 *
 * Tests: src/autograd/gradients_scan.c, src/autograd/gradients_sort.c, src/autograd/gradients_statistics.c
 */
#include "autograd_helpers.h"
#include "every_helpers.h"

#include "autograd/gradient.h"

typedef enum difference {
    ABOVE_ONE,  /* the elements are above 1                                          */
    DOMINANT,   /* matrices with a large diagonal, no two numbers of it alike             */
    FIRST_ONLY, /* differences are no good for the second derivative                 */
    NOT_HERE,   /* the arguments of every_helpers.h are whole, half floats or give nothing: other tests */
    NOT_AT_ALL  /* results are drawn, or there is no derivative, which its doc says  */
} difference;

static const struct {
    const char *names;
    difference how;
} differs[] = {
    {"acosh arccosh", ABOVE_ONE},
    {"unique unique_consecutive _standard_gamma_grad _dirichlet_grad", NOT_AT_ALL},
    {"repeat_interleave tile mm bmm", NOT_HERE},
    {"_ctc_loss ctc_loss _ctc_loss_backward",
     NOT_AT_ALL}, /* its derivative is for logarithms of what adds up to 1, as in PyTorch: tests of losses */
    {"_cross_entropy _cross_entropy_backward", NOT_AT_ALL}, /* of self alone: cross_entropy_loss is here */
    {"to", NOT_AT_ALL},                                     /* to float32, which rounds more than a difference is */
    /* results that are there for the derivative alone, and have none: tests of attention and norms check the first */
    {"_scaled_dot_product_attention_forward _scaled_dot_product_flash_attention_for_cpu "
     "_scaled_dot_product_flash_attention_for_cpu_backward _scaled_dot_product_attention_backward "
     "_scaled_dot_product_attention_mask_backward _batch_norm_training _native_batch_norm_legit_no_training",
     NOT_AT_ALL},
    {"igamma igammac special_gammainc special_gammaincc special_zeta special_airy_ai special_chebyshev_polynomial_t "
     "special_chebyshev_polynomial_u special_chebyshev_polynomial_v special_chebyshev_polynomial_w "
     "special_shifted_chebyshev_polynomial_t special_shifted_chebyshev_polynomial_u special_shifted_chebyshev_polynomial_v "
     "special_shifted_chebyshev_polynomial_w special_hermite_polynomial_h special_hermite_polynomial_he "
     "special_laguerre_polynomial_l special_legendre_polynomial_p",
     NOT_AT_ALL}, /* of one input or none: tests of special functions */
    /* the elements here make matrices of rank 2 that are not symmetric, and vectors have a sign or a factor: tests of linear algebra */
    {"linalg_eigh linalg_eigvalsh linalg_eig linalg_svd svd", NOT_AT_ALL},
    /* of symmetric matrices, of which one half is read: tests of linear algebra */
    {"linalg_cholesky_ex linalg_cholesky cholesky geqrf linalg_ldl_factor_ex linalg_ldl_factor linalg_ldl_solve "
     "cholesky_solve cholesky_inverse",
     NOT_AT_ALL},
    {"_linalg_det _linalg_slogdet _linalg_solve_ex", NOT_AT_ALL}, /* factors that are there for the derivative alone */
    {"linalg_lu_factor_ex linalg_lu_factor linalg_lu linalg_lu_solve lu_solve "
     "linalg_solve_ex linalg_solve linalg_inv_ex linalg_inv inverse linalg_tensorinv linalg_tensorsolve linalg_det det "
     "linalg_slogdet slogdet logdet linalg_qr qr linalg_solve_triangular triangular_solve linalg_matrix_exp matrix_exp "
     "linalg_svdvals linalg_pinv pinverse linalg_cond linalg_eigvals linalg_lstsq",
     DOMINANT},
    {NULL, NOT_AT_ALL},
};

static bool differs_by(const tn_operator *op, difference how) {
    for (size_t i = 0; differs[i].names; i++)
        if (differs[i].how == how && every_lists(differs[i].names, tn_operator_base(op)))
            return true;
    return false;
}

static bool draws(const tn_operator *op) {
    for (int64_t i = 0; i < tn_operator_parameter_count(op); i++)
        if (tn_operator_parameter(op, i).type == TN_TYPE_GENERATOR)
            return true;
    return strstr(tn_operator_name(op), "dropout") != NULL;
}

/* The k-th element: from 0.05 to 0.95, the first thousand different. */
static double element(int64_t k) { return 0.05 + 0.9 * (double)((k * 37 + 11) % 1009) / 1009; }

/* A leaf with the sizes of `like`; the elements go on from those of the tensors before. */
static tn_tensor *leaf_like(const tn_operator *op, const tn_tensor *like, bool complex, int way, int64_t *count) {
    double offset = differs_by(op, ABOVE_ONE) ? 1 : 0;
    bool two = complex || tn_dtype_is_complex(tn_dtype_of(like));
    tn_tensor *made = tn_empty(tn_sizes(like), two ? TN_COMPLEX128 : TN_FLOAT64);
    double *numbers = made ? tn_mutable_data(made) : NULL;
    for (int64_t k = 0; numbers && k < tn_numel(made) * (two ? 2 : 1); k++)
        numbers[k] = offset + element((*count)++);
    if (made && differs_by(op, DOMINANT) && tn_ndim(made) >= 2) {
        tn_tensor *places = tn_diagonal(made, 0, -2, -1);
        (void)tn_add_(places, tn_arange_start(3, 3 + tn_size(places, -1), 1, TN_FLOAT64));
    }
    return tn_requires_grad_(way ? grad_strided(made, way) : made, true);
}

static bool is_continuous(const tn_tensor *tensor) {
    return tensor && (tn_dtype_is_floating(tn_dtype_of(tensor)) || tn_dtype_is_complex(tn_dtype_of(tensor)));
}

/* All floats among the arguments become leaves; how many numbers they are. */
static int64_t replace_all(every_call *call, bool complex, int way) {
    int64_t count = 0;
    for (int64_t i = 0; i < call->count; i++) {
        tn_value *value = &call->values[i];
        if (value->kind == TN_VALUE_TENSOR && is_continuous(value->as.tensor))
            *value = tn_value_tensor(leaf_like(call->op, value->as.tensor, complex, way, &count));
        for (int64_t k = 0; value->kind == TN_VALUE_TENSORS && k < value->as.tensors.count; k++)
            if (is_continuous(call->lists[i][k]))
                call->lists[i][k] = leaf_like(call->op, call->lists[i][k], complex, way, &count);
    }
    return count;
}

/* How many numbers the results are that have a gradient. */
static int64_t recorded(const tn_value *result) {
    int64_t count = 0;
    if (result->kind == TN_VALUE_TENSOR)
        return tn_requires_grad(result->as.tensor) ? tn_numel(result->as.tensor) : 0;
    for (int64_t i = 0; result->kind == TN_VALUE_LIST && i < tn_list_count(result->as.list); i++)
        if (tn_requires_grad(tn_list_at(result->as.list, i)))
            count += tn_numel(tn_list_at(result->as.list, i));
    return count;
}

/* The second derivative of a call has a number for each of its inputs and each of its first derivatives: few calls are so large. */
enum { NUMBERS = 4000 };

static char found[1 << 16]; /* every difference, so that one run tells them all */

static void note(const tn_operator *op, const char *about) {
    size_t used = strlen(found);
    snprintf(found + used, sizeof found - used, "\n    %s, %s: %s", tn_operator_name(op), about, tn_error_message());
    tn_error_clear();
}

/* Whether the operator takes such arguments at all: one in place gets a copy of its first. */
static bool takes(const tn_operator *op, tn_values values, tn_value *result) {
    tn_value copies[TN_MAX_PARAMETERS];
    memcpy(copies, values.items, (size_t)values.count * sizeof *copies);
    if (tn_operator_variant(op) == TN_VARIANT_IN_PLACE)
        copies[0] = tn_value_tensor(tn_clone(copies[0].as.tensor, TN_PRESERVE));
    bool done = tn_operator_call(op, (tn_values){copies, values.count}, result) == TN_OK;
    tn_error_clear();
    return done;
}

static void check_one(const tn_operator *op, const tn_dtype *results, bool complex, int way) {
    every_call call;
    tn_value result = tn_value_none();
    if (tn_operator_variant(op) == TN_VARIANT_OUT || draws(op) || differs_by(op, NOT_AT_ALL))
        return;
    every_begin(&call, op, results);
    int64_t count = replace_all(&call, complex, way);
    if (count == 0 || tn_error_code() != TN_OK)
        return;
    tn_values values = every_values(&call);
    int64_t numbers = takes(op, values, &result) ? recorded(&result) : 0;
    if (numbers == 0 && !complex && way == 0 && tni_gradients[op->gradient].backward && !differs_by(op, NOT_HERE))
        note(op, "has a formula, and no gradient");
    if (numbers == 0)
        return;
    if (tn_gradcheck_call(tn_operator_name(op), values) != TN_OK) {
        note(op, "first derivative");
        return;
    }
    if (numbers * count > NUMBERS || differs_by(op, FIRST_ONLY))
        return;
    if (tn_gradgradcheck_call(tn_operator_name(op), values) != TN_OK)
        note(op, "second derivative");
    else if (tn_error_code() != TN_OK)
        note(op, "an error waits");
}

static void check_real(const tn_operator *op, const tn_dtype *results) { check_one(op, results, false, 0); }
static void check_complex(const tn_operator *op, const tn_dtype *results) { check_one(op, results, true, 0); }
static void check_gaps(const tn_operator *op, const tn_dtype *results) { check_one(op, results, false, 1); }
static void check_backwards(const tn_operator *op, const tn_dtype *results) { check_one(op, results, false, 2); }

static void check_all(every_trial trial) {
    found[0] = 0;
    every_try(trial);
    if (found[0])
        test_fail(__FILE__, __LINE__, "derivatives differ from differences:%s", found);
}

TEST_ONCE(every_operator_has_the_derivative_of_its_differences) { check_all(check_real); }
TEST_ONCE(every_operator_has_the_derivative_of_its_differences_in_complex_numbers) { check_all(check_complex); }
TEST_ONCE(derivatives_do_not_depend_on_gaps_between_elements) { check_all(check_gaps); }
TEST_ONCE(derivatives_do_not_depend_on_the_direction_of_elements) { check_all(check_backwards); }

/* ---- results in given tensors are not recorded */

static void refuses_out(const tn_operator *op, const tn_dtype *results) {
    every_call call;
    if (tn_operator_variant(op) != TN_VARIANT_OUT || draws(op))
        return;
    every_begin(&call, op, results);
    for (int64_t i = 0; i < call.count; i++) {
        tn_tensor *tensor = call.values[i].kind == TN_VALUE_TENSOR ? call.values[i].as.tensor : NULL;
        if (every_is_result(op, i) || !is_continuous(tensor) || !tn_requires_grad_(tensor, true))
            continue;
        int64_t before = tn_numel(call.values[0].as.tensor);
        if (tn_operator_call(op, every_values(&call), NULL) != TN_ERROR_STATE || tn_numel(call.values[0].as.tensor) != before)
            every_complain(&call, "a result in a given tensor, and an argument that requires a gradient");
        tn_error_clear();
        return;
    }
}

TEST_ONCE(a_result_in_a_given_tensor_is_refused_where_an_argument_requires_a_gradient) { every_try(refuses_out); }
