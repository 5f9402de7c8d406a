/* every_operator.c - every operator of the table, in every variant, by name: with arguments that fit it, with each tensor in
 * turn missing, dead, or on a device that the operator cannot read, and with each of its allocations failing.
 *
 * Arguments are found by the type and the name of the parameter; `every_row` says what an operator wants otherwise. A new
 * operator whose parameters have the usual names needs nothing here.
 */
#include "toy_backend.h"

#include "base/heap.h"

/* ---- the tensors that arguments are made of, by letter */

static tn_tensor *every_tensor(char letter) {
    static const int64_t whole[] = {0, 2, 1, 1, 0, 2};
    switch (letter) {
    case 'f': /* (3, 4), all different, between 0 and 1 */
    case 'c': /* the same, complex                      */
    case 'g': /* the same as float64                    */
    case 'n': /* the same as whole numbers from 1       */
    case 'b': /* the same as bool: all true             */
    {
        tn_tensor *x = tn_reshape(tn_arange_start(1, 13, 1, TN_FLOAT32), TN_DIMS(3, 4));
        return letter == 'f'   ? tn_div_scalar(x, 13)
               : letter == 'c' ? tn_to(x, TN_COMPLEX64)
               : letter == 'g' ? tn_to(x, TN_FLOAT64)
               : letter == 'n' ? tn_to(x, TN_INT64)
                               : tn_to(x, TN_BOOL);
    }
    case 't': return tn_div_scalar(tn_reshape(tn_arange_start(1, 25, 1, TN_FLOAT32), TN_DIMS(2, 3, 4)), 25);
    case 'v': return tn_linspace(0, 1, 3, TN_FLOAT32);
    case 'w': return tn_linspace(0, 1, 4, TN_FLOAT32);
    case 'z': return tn_scalar_tensor(0.5, TN_FLOAT32);
    case 'r': return tn_ones(TN_DIMS(3, 2), TN_FLOAT32);
    case 'i': return tn_clone(tn_from_memory(whole, TN_DIMS(3), TN_INT64, TN_BORROW), TN_CONTIGUOUS);
    case 'j': return tn_clone(tn_from_memory(whole, TN_DIMS(2, 3), TN_INT64, TN_BORROW), TN_CONTIGUOUS);
    case 'e': return tn_ones(TN_DIMS(4), TN_INT64);
    default: return NULL;
    }
}

/* What is wanted where the name does not tell: "parameter=value ...", for all variants of the operators of these names, a name without
 * its overload meaning all of them. The first row that names the parameter counts. */
static const struct every_row {
    const char *names, *values;
} every_row[] = {
    {"bitwise_and.scalar bitwise_or.scalar bitwise_xor.scalar bitwise_left_shift.scalar bitwise_right_shift.scalar gcd.scalar "
     "lcm.scalar",
     "self=n other=3"},
    {"bitwise_and.rscalar bitwise_or.rscalar bitwise_xor.rscalar bitwise_left_shift.rscalar bitwise_right_shift.rscalar",
     "self=3 other=n"},
    {"bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift bitwise_not gcd lcm", "self=n other=n"},
    {"clamp.tensor clip.tensor", "min=f max=f"},
    {"clamp clip", "min=0 max=1"},
    {"div divide", "rounding_mode=floor"},
    {"float_power", "self=g"},
    {"gelu", "approximate=tanh"},
    {"H adjoint mH imag view_as_real", "self=c"},
    {"view_as_complex", "self=r"},
    {"as_strided empty_strided set", "stride=4,1 storage_offset=0"},
    {"permute rot90 movedim moveaxis", "dims=1,0 source=0,1 destination=1,0"},
    {"unflatten", "dim=1 sizes=2,2"},
    {"split_with_sizes", "split_sizes=1,2"},
    {"dsplit", "self=t sections=2 indices=1,2"},
    {"hsplit vsplit tensor_split", "sections=1 indices=1,2"},
    {"sliding_window_view", "window=2 dims=1"},
    {"cartesian_prod meshgrid", "tensors=v"},
    {"combinations outer ger vander", "self=v vec2=w x=v"},
    {"repeat_interleave", "repeats=i dim=0"},
    {"roll", "shifts=1 dims=1"},
    {"pad constant_pad_nd", "pad=1,1"},
    {"cross linalg_cross", "dim=0"},
    {"scatter", "index=j reduce=add"},
    {"gather scatter_add scatter_reduce embedding", "index=j indices=j reduce=sum"},
    {"index_reduce", "reduce=prod"},
    {"index_fill.tensor masked_fill.tensor fill.tensor", "value=z mask=b"},
    {"masked_fill masked_select masked_scatter where", "mask=b condition=b"},
    {"put diagonal_scatter", "source=v src=v"},
    {"select_scatter", "src=w"},
    {"slice", "start=0 end=2"},
    {"layer_norm rms_norm", "normalized_shape=4 weight=w bias=w"},
    {"one_hot bincount", "self=i weights=v"},
    {"quantile.scalar nanquantile.scalar", "q=0.5"},
    {"quantile nanquantile", "q=v"},
    {"searchsorted bucketize", "sorted_sequence=v boundaries=v"},
    {"histogram.bins", "weight=f bins=v"},
    {"histogram", "weight=f bins=5"},
    {"cov", "fweights=e aweights=w"},
    {"cdist", "compute_mode=donot_use_mm_for_euclid_dist"},
    {"diff", "prepend=f append=f"},
    {"randint randint_like random", "low=1 high=9 from=1 to=9"},
    {"dirac", "self=t"},
    {"index setitem", "index=0: source=f"},
    {"unique unique_consecutive", "return_inverse=1 return_counts=1"},
    {NULL, NULL},
};

/* Finds "name=" in a row's values; NULL when it is not there. */
static const char *every_find(const char *values, const char *name) {
    size_t length = strlen(name);
    for (const char *at = values; at && *at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return at + length + 1;
    return NULL;
}

static bool every_lists(const char *names, const char *word) {
    size_t length = strlen(word);
    for (const char *at = strstr(names, word); at; at = strstr(at + 1, word))
        if ((at == names || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0))
            return true;
    return false;
}

static const char *every_wish(const tn_operator *op, const char *parameter) {
    char name[96];
    snprintf(name, sizeof name, "%s.%s", tn_operator_base(op), tn_operator_overload(op));
    for (const struct every_row *row = every_row; row->names; row++)
        if ((every_lists(row->names, name) || every_lists(row->names, tn_operator_base(op))) &&
            every_find(row->values, parameter))
            return every_find(row->values, parameter);
    return NULL;
}

/* ---- one call */

typedef struct every_call {
    const tn_operator *op;
    int64_t count, wrong; /* wrong: the argument that does not fit, or -1 */
    tn_value values[TN_MAX_PARAMETERS];
    int64_t dims[TN_MAX_PARAMETERS][4];
    tn_index_item items[1];
    const tn_tensor *pair[2];
    char text[32];
} every_call;

static bool every_is_result(const tn_operator *op, int64_t i) {
    int64_t results = tn_operator_result_count(op);
    return tn_operator_variant(op) == TN_VARIANT_OUT && i < (results ? results : 1);
}

static tn_value every_argument(every_call *call, int64_t i) {
    tn_parameter parameter = tn_operator_parameter(call->op, i);
    const char *wish = every_wish(call->op, parameter.name);
    switch ((int)parameter.type) {
    case TN_TYPE_TENSOR:
    case TN_TYPE_WRITTEN: return TN_V(every_tensor(wish ? *wish : strstr(parameter.name, "ind") ? 'i' : 'f'));
    case TN_TYPE_OPTIONAL: return wish ? TN_V(every_tensor(*wish)) : tn_value_none();
    case TN_TYPE_TENSORS:
        call->pair[0] = every_tensor(wish ? *wish : 'f');
        call->pair[1] = every_tensor(wish ? *wish : 'f');
        return tn_value_tensors(call->pair, 2);
    case TN_TYPE_STORAGE: return TN_V(tn_storage_of(every_tensor('f')));
    case TN_TYPE_INDEX: call->items[0] = TN_PICK(every_tensor('i')); return tn_value_index((tn_index_list){call->items, 1});
    case TN_TYPE_DTYPE: return wish || !parameter.standard ? TN_V((int)TN_FLOAT32) : tn_value_none();
    case TN_TYPE_DEVICE: return TN_V(TN_DEVICE_CPU);
    case TN_TYPE_FORMAT: return parameter.standard ? tn_value_none() : TN_V((int)TN_CONTIGUOUS);
    case TN_TYPE_GENERATOR: return tn_value_none();
    case TN_TYPE_FLOATS: {
        static const double range[] = {0, 1};
        return TN_V(((tn_floats){range, 2}));
    }
    }
    if (!wish && parameter.standard)
        return tn_value_none();
    int64_t *dims = call->dims[i], count = 0;
    switch ((int)parameter.type) {
    case TN_TYPE_DIMS:
        for (const char *at = wish                            ? wish
                              : strstr(parameter.name, "dim") ? "0"
                                                              : "3,4";
             at && *at && *at != ' ' && count < 4; at = strpbrk(at, ", ")) {
            at += *at == ',';
            dims[count++] = strtoll(at, NULL, 10);
        }
        return TN_V(((tn_dims){dims, count}));
    case TN_TYPE_INT: return TN_V((long)strtoll(wish ? wish : strstr(parameter.name, "dim") ? "0" : "1", NULL, 10));
    case TN_TYPE_BOOL: return TN_V((bool)true);
    case TN_TYPE_TEXT:
        snprintf(call->text, sizeof call->text, "%.*s", (int)strcspn(wish ? wish : "", " "), wish ? wish : "");
        return TN_V(call->text);
    default:
        if (wish && !strchr(wish, '.'))
            return TN_V((long)strtoll(wish, NULL, 10));
        return TN_V(0.5);
    }
}

/* Fills the call with fresh arguments; those an out variant writes to are empty and of the dtypes the functional one gives. */
static void every_begin(every_call *call, const tn_operator *op, const tn_dtype *results) {
    call->op = op;
    call->wrong = -1;
    call->count = tn_operator_parameter_count(op);
    for (int64_t i = 0; i < call->count; i++)
        call->values[i] = every_is_result(op, i) ? TN_V(tn_empty(TN_DIMS(0), results[i])) : every_argument(call, i);
}

static tn_values every_values(const every_call *call) { return (tn_values){call->values, call->count}; }

/* The dtypes of the results of the functional variant of an out operator. */
static void every_result_dtypes(const tn_operator *op, tn_dtype *dtypes) {
    char name[96];
    const char *overload = tn_operator_overload(op);
    snprintf(name, sizeof name, "%s%s%s", tn_operator_base(op), *overload ? "." : "", overload);
    const tn_operator *functional = tn_operator_find(name);
    every_call call;
    tn_value made;
    dtypes[0] = dtypes[1] = TN_FLOAT32;
    if (tn_operator_variant(op) != TN_VARIANT_OUT || !functional)
        return;
    every_begin(&call, functional, NULL);
    if (tn_operator_call(functional, every_values(&call), &made) != TN_OK)
        return;
    for (int64_t i = 0; i < 2; i++)
        if (made.kind == TN_VALUE_TENSOR || (made.kind == TN_VALUE_LIST && i < tn_list_count(made.as.list)))
            dtypes[i] = tn_dtype_of(made.kind == TN_VALUE_TENSOR ? made.as.tensor : tn_list_at(made.as.list, i));
}

/* What the arguments are, in one number: sizes, strides and bytes of every tensor on the CPU. */
static uint64_t every_mix(uint64_t sum, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
    return sum;
}

static uint64_t every_sum(const every_call *call) {
    uint64_t sum = UINT64_C(14695981039346656037);
    for (int64_t i = 0; i < call->count; i++) {
        const tn_tensor *tensor = call->values[i].kind == TN_VALUE_TENSOR    ? call->values[i].as.tensor
                                  : call->values[i].kind == TN_VALUE_TENSORS ? call->pair[0]
                                                                             : NULL;
        if (!tensor || call->wrong == i || tn_device_of(tensor).type != TN_CPU)
            continue;
        const tn_storage *storage = tn_storage_of(tensor);
        sum = every_mix(sum, tn_sizes(tensor).values, (size_t)tn_ndim(tensor) * 8);
        sum = every_mix(sum, tn_strides(tensor).values, (size_t)tn_ndim(tensor) * 8);
        sum = every_mix(sum, tn_storage_data(storage), tn_storage_nbytes(storage));
    }
    return sum;
}

/* ---- the tests */

typedef void (*every_trial)(const tn_operator *op, const tn_dtype *results);

static void every_try(every_trial trial) {
    for (int64_t i = 0; i < tn_operator_count(); i++) {
        const tn_operator *op = tn_operator_at(i);
        if (strstr(tn_operator_name(op), "::"))
            continue;
        tn_scope scope = tn_scope_open();
        tn_dtype results[2];
        every_result_dtypes(op, results);
        trial(op, results);
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

static void every_complain(const every_call *call, const char *about) {
    test_fail(__FILE__, __LINE__, "%s%s, %s: [%s] %s", tn_operator_name(call->op), tn_operator_signature(call->op), about,
              tn_error_name(tn_error_code()), tn_error_message());
}

static void every_succeeds(const tn_operator *op, const tn_dtype *results) {
    every_call call;
    every_begin(&call, op, results);
    if (tn_error_code() != TN_OK || tn_operator_call(op, every_values(&call), NULL) != TN_OK)
        every_complain(&call, "arguments that fit");
}

TEST_ONCE(every_operator_takes_arguments_that_fit_it) { every_try(every_succeeds); }

/* Puts a tensor in the place of argument i, or of the second of its tensors; false where none is expected. */
static bool every_replace(every_call *call, int64_t i, const tn_tensor *tensor) {
    tn_type type = tn_operator_parameter(call->op, i).type;
    call->wrong = i;
    if (type == TN_TYPE_TENSORS)
        call->pair[1] = tensor;
    else
        call->values[i] = tn_value_tensor(tensor);
    return type == TN_TYPE_TENSOR || type == TN_TYPE_WRITTEN || type == TN_TYPE_TENSORS;
}

/* The call must fail with this error, name the parameter, and leave the other arguments as they are. */
static void every_refuses(every_call *call, tn_error code, const char *about) {
    uint64_t before = every_sum(call);
    const char *name = tn_operator_parameter(call->op, call->wrong).name;
    tn_error_clear();
    if (tn_operator_call(call->op, every_values(call), NULL) != code || !strstr(tn_error_message(), name))
        every_complain(call, about);
    tn_error_clear();
    if (every_sum(call) != before)
        every_complain(call, "an argument was changed");
}

static void every_refuses_bad_handles(const tn_operator *op, const tn_dtype *results) {
    for (int64_t i = 0; i < tn_operator_parameter_count(op); i++) {
        every_call call;
        every_begin(&call, op, results);
        if (!every_replace(&call, i, NULL))
            continue;
        every_refuses(&call, TN_ERROR_ARGUMENT, "NULL for a tensor");
#ifdef TN_DEBUG /* finds handles that are gone for certain */
        tn_tensor *dead = tn_keep(tn_empty(TN_DIMS(2), TN_FLOAT32));
        tn_release(dead);
        every_replace(&call, i, dead);
        every_refuses(&call, TN_ERROR_STATE, "a tensor already released");
#endif
    }
}

TEST_ONCE(every_operator_names_the_tensor_that_is_missing_or_dead) { every_try(every_refuses_bad_handles); }

static void every_checks_both_results(const tn_operator *op, const tn_dtype *results) {
    if (tn_operator_variant(op) != TN_VARIANT_OUT || tn_operator_result_count(op) != 2)
        return;
    every_call call;
    every_begin(&call, op, results);
    call.values[1] = TN_V(tn_zeros(TN_DIMS(2, 7), results[1]));
    call.wrong = 1;
    every_refuses(&call, TN_ERROR_SHAPE, "a second result of other sizes");
    call.values[1] = call.values[0];
    tn_error code = tn_operator_call(op, every_values(&call), NULL); /* where indices must be int64, that is said first */
    if ((code != TN_ERROR_OVERLAP && code != TN_ERROR_DTYPE) || tn_numel(call.values[0].as.tensor) != 0)
        every_complain(&call, "one tensor for both results");
    tn_error_clear();
}

TEST_ONCE(every_operator_with_two_results_checks_both_before_it_changes_one) { every_try(every_checks_both_results); }

/* Views and copies serve every device; all others must say so before they read memory that is not theirs. */
static void every_minds_the_device(const tn_operator *op, const tn_dtype *results) {
    for (int64_t i = 0; i < tn_operator_parameter_count(op); i++) {
        every_call call;
        every_begin(&call, op, results);
        tn_type type = tn_operator_parameter(op, i).type;
        const tn_tensor *near = type == TN_TYPE_TENSORS ? call.pair[1] : call.values[i].as.tensor;
        if (!every_replace(&call, i, NULL))
            continue;
        tn_tensor *far = toy_tensor(tn_contiguous(near, TN_CONTIGUOUS));
        every_replace(&call, i, far);
        uint64_t before = every_sum(&call);
        tn_error code = tn_operator_call(op, every_values(&call), NULL);
        if (code != TN_OK && code != TN_ERROR_DEVICE)
            every_complain(&call, "a tensor of another device");
        tn_error_clear();
        if (code != TN_OK && every_sum(&call) != before)
            every_complain(&call, "an argument was changed");
    }
}

TEST_ONCE(every_operator_refuses_memory_it_cannot_read) {
    toy_begin(NULL);
    every_try(every_minds_the_device);
}

static int64_t every_bytes(void) {
    tn_memory_stats stats = {.struct_size = sizeof stats};
    CHECK(tn_memory_stats_of(TN_CPU, &stats) == TN_OK);
    return stats.bytes.current;
}

/* Makes the call harder: what is changed in place has gaps, results begin empty in the memory of an argument that is read, and
 * what is true by default is false. */
static void every_complicate(every_call *call) {
    for (int64_t i = 0; i < call->count; i++) {
        tn_parameter parameter = tn_operator_parameter(call->op, i);
        const tn_tensor *tensor = call->values[i].kind == TN_VALUE_TENSOR ? call->values[i].as.tensor : NULL;
        if (parameter.type == TN_TYPE_BOOL && parameter.standard && strcmp(parameter.standard, "true") == 0)
            call->values[i] = TN_V((bool)false);
        else if (every_is_result(call->op, i) && i == 0) { /* two may not share memory with each other */
            for (int64_t k = call->count - 1; k > i; k--) {
                const tn_tensor *read = call->values[k].kind == TN_VALUE_TENSOR ? call->values[k].as.tensor : NULL;
                if (read && tn_dtype_of(read) == tn_dtype_of(tensor) && !every_is_result(call->op, k))
                    call->values[i] = TN_V(tn_narrow(tn_reshape(read, TN_DIMS(-1)), 0, 0, 0));
            }
        } else if (parameter.written && !every_is_result(call->op, i) && strcmp(tn_operator_group(call->op), "view") != 0) {
            tn_tensor *wide = tn_repeat_interleave(tensor, 2, -1, TN_NONE);
            call->values[i] = TN_V(tn_slice(wide, -1, TN_NONE, TN_NONE, -2));
        }
    }
}

static bool every_is_hard;

static void every_survives_faults(const tn_operator *op, const tn_dtype *results) {
    bool hit = true;
    for (int64_t k = 1; hit; k++) {
        int64_t bytes = every_bytes(), objects = tni_heap_live();
        tn_scope scope = tn_scope_open();
        every_call call;
        every_begin(&call, op, results);
        if (every_is_hard)
            every_complicate(&call);
        if (tn_error_code() != TN_OK)
            every_complain(&call, "arguments could not be made");
        uint64_t before = every_sum(&call);
        tni_fault_arm(k);
        tn_error code = tn_operator_call(op, every_values(&call), NULL);
        hit = tni_fault_disarm();
        if (code != TN_OK && (code != TN_ERROR_MEMORY || !hit))
            every_complain(&call, "an allocation failed");
        if (code != TN_OK && every_sum(&call) != before)
            every_complain(&call, "an allocation failed and an argument was changed");
        tn_error_clear();
        CHECK(tn_scope_close(scope) == TN_OK);
        if (every_bytes() != bytes || tni_heap_live() != objects)
            every_complain(&call, "an allocation failed and others leaked");
    }
}

TEST_ONCE(every_operator_survives_each_of_its_allocations_failing) {
    every_is_hard = false;
    every_try(every_survives_faults);
}

TEST_ONCE(every_operator_survives_them_also_where_its_arguments_share_memory_and_have_gaps) {
    every_is_hard = true;
    every_try(every_survives_faults);
}

/* ---- random numbers */

/* What the first argument is written to cannot be used: refused, with the generator where it was. */
static void every_draws_nothing_from(const tn_operator *op, const tn_dtype *results, tn_tensor *unfit) {
    every_call call;
    every_begin(&call, op, results);
    call.wrong = 0;
    call.values[0] = TN_V(unfit);
    tn_tensor *before = tn_generator_state(NULL);
    if (tn_operator_call(op, every_values(&call), NULL) == TN_OK)
        every_complain(&call, "a tensor that cannot be written was taken");
    tn_error_clear();
    tn_tensor *after = tn_generator_state(NULL);
    if (!before || !after || !tn_equal(before, after))
        every_complain(&call, "refused, and drawn");
}

static void every_refuses_before_it_draws(const tn_operator *op, const tn_dtype *results) {
    static const char *const without[] = {"eye_", "dirac_"};
    bool draws = tn_operator_parameter(op, 0).written &&
                 (strcmp(tn_operator_group(op), "random") == 0 || strcmp(tn_operator_group(op), "initialise") == 0);
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        draws = draws && strcmp(tn_operator_name(op), without[i]) != 0;
    if (!draws)
        return;
    bool out = tn_operator_variant(op) == TN_VARIANT_OUT;
    every_call call;
    every_begin(&call, op, results);
    tn_tensor *fits = out ? tn_zeros(TN_DIMS(3, 4), results[0]) : call.values[0].as.tensor;
    tn_tensor *locked = tn_clone(fits, TN_CONTIGUOUS);
    CHECK(locked && tn_set_readonly(locked) == TN_OK);
    every_draws_nothing_from(op, results, locked);
    every_draws_nothing_from(op, results, tn_expand(tn_slice(fits, 0, 0, 1, 1), tn_sizes(fits)));
    if (out)
        every_draws_nothing_from(op, results, tn_zeros(TN_DIMS(7, 2, 5), results[0]));
}

TEST_ONCE(every_operator_refuses_before_it_draws) { every_try(every_refuses_before_it_draws); }

/* ---- a device that lets the CPU do its work */

static tn_tensor *every_move(const tn_tensor *near) { return near ? toy_tensor(tn_contiguous(near, TN_CONTIGUOUS)) : NULL; }

/* The same call with every tensor on the toy. */
static void every_send(every_call *far, const every_call *near) {
    *far = *near;
    for (int64_t i = 0; i < far->count; i++) {
        tn_value *value = &far->values[i];
        if (value->kind == TN_VALUE_TENSOR)
            value->as.tensor = every_move(value->as.tensor);
        else if (value->kind == TN_VALUE_TENSORS) {
            far->pair[0] = every_move(near->pair[0]);
            far->pair[1] = every_move(near->pair[1]);
            *value = tn_value_tensors(far->pair, 2);
        } else if (value->kind == TN_VALUE_INDEX) {
            far->items[0] = TN_PICK(every_move(near->items[0].tensor));
            *value = tn_value_index((tn_index_list){far->items, 1});
        } else if (value->kind == TN_VALUE_DIMS)
            value->as.dims.values = far->dims[i];
        else if (value->kind == TN_VALUE_TEXT)
            value->as.text = far->text;
    }
}

static bool every_same(const tn_tensor *near, const tn_tensor *far) {
    tn_tensor *fetched = toy_fetch(far), *here = tn_contiguous(near, TN_CONTIGUOUS);
    if (!fetched || !here || tn_dtype_of(here) != tn_dtype_of(fetched) || tn_ndim(here) != tn_ndim(fetched) ||
        memcmp(tn_sizes(here).values, tn_sizes(fetched).values, (size_t)tn_ndim(here) * sizeof(int64_t)) != 0)
        return false;
    return tn_numel(here) == 0 ||
           memcmp(tn_data(here), tn_data(fetched), (size_t)tn_numel(here) * (size_t)tn_element_size(here)) == 0;
}

static bool every_same_result(const tn_value *near, const tn_value *far) {
    if (near->kind != far->kind)
        return false;
    if (near->kind == TN_VALUE_TENSOR)
        return every_same(near->as.tensor, far->as.tensor);
    if (near->kind != TN_VALUE_LIST)
        return near->kind != TN_VALUE_BOOL || near->as.boolean == far->as.boolean;
    bool same = tn_list_count(near->as.list) == tn_list_count(far->as.list);
    for (int64_t i = 0; same && i < tn_list_count(near->as.list); i++)
        same = every_same(tn_list_at(near->as.list, i), tn_list_at(far->as.list, i));
    return same;
}

static void every_is_lent(const tn_operator *op, const tn_dtype *results) {
    every_call near, far;
    tn_value here, there;
    every_begin(&near, op, results);
    every_send(&far, &near);
    for (int64_t i = 0; i < near.count; i++) /* a storage stays where it is; a device is where the results go */
        if (near.values[i].kind == TN_VALUE_STORAGE || near.values[i].kind == TN_VALUE_DEVICE)
            return;
    CHECK(tn_manual_seed(1) == TN_OK);
    if (tn_operator_call(op, every_values(&near), &here) != TN_OK)
        every_complain(&near, "arguments that fit");
    CHECK(tn_manual_seed(1) == TN_OK);
    if (tn_operator_call(op, every_values(&far), &there) != TN_OK)
        every_complain(&far, "on a device that the CPU serves");
    if (strncmp(tn_operator_base(op), "empty", 5) != 0 && strncmp(tn_operator_base(op), "resize", 6) != 0 &&
        !every_same_result(&here, &there))
        every_complain(&far, "another result on a device that the CPU serves");
    for (int64_t i = 0; i < near.count; i++)
        if (tn_operator_parameter(op, i).written && !every_same(near.values[i].as.tensor, far.values[i].as.tensor))
            every_complain(&far, "another change on a device that the CPU serves");
}

TEST_ONCE(every_operator_can_be_lent_to_a_device) {
    int32_t type = toy_begin(NULL);
    CHECK(tn_fallback_register(type, TN_KERNEL(tn_fallback_to_cpu, NULL)) == TN_OK);
    TEST_DEFER(toy_drop_fallback, NULL);
    every_try(every_is_lent);
}
