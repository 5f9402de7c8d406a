/* table_trials.h - calls of every operator of the table, on the CPU and on a device: for tests that go through all rows. */
#ifndef TENON_TABLE_TRIALS_H
#define TENON_TABLE_TRIALS_H

#include "test.h"

#include <tenon/dispatch.h>

#include "dispatch/dispatch.h"
#include "tensor/dtype.h"

/* A list of tensors and how many there are. */
#define TENSORS(...)                                                                                                           \
    ((const tn_tensor *const[]){__VA_ARGS__}), (int64_t)(sizeof((const tn_tensor *const[]){__VA_ARGS__}) / sizeof(tn_tensor *))

typedef struct trial {
    const tn_operator *op;
    tn_value values[TN_MAX_PARAMETERS];
    tn_tensor *tensors[TN_MAX_PARAMETERS]; /* the CPU's, where a parameter is one */
    tn_tensor *list[2];                    /* and where one is a list of them     */
    tn_tensor *picks;                      /* or an index, of these positions     */
} trial;

static inline tn_tensor *trial_numbers(tn_dims sizes, tn_dtype dtype) {
    tn_tensor *made = tn_empty(sizes, dtype);
    for (int64_t i = 0; made && i < tn_numel(made); i++) {
        double value = (double)test_random_between(tni_dtypes[dtype].is_signed ? -6 : 1, 6);
        tn_dtype_store(dtype, (char *)tn_storage_mutable_data(tn_storage_of(made)) + (size_t)i * tn_element_size(made),
                       tn_dtype_is_complex(dtype) ? tn_scalar_complex(value, 1) : tn_scalar_float(value == 0 ? 2 : value));
    }
    return made;
}

/* Permuted, stepped and reversed at once. */
static inline tn_tensor *trial_arranged(tn_dtype dtype, int64_t turn) {
    tn_tensor *room = trial_numbers(TN_DIMS(7, 3), dtype);
    tn_tensor *part = tn_slice(room, 0, 0, 7, 3); /* (3, 3) */
    return turn % 3 == 0 ? part : turn % 3 == 1 ? tn_t(part) : tn_flip(part, TN_DIMS(0));
}

static const int64_t trial_along[1] = {1}, trial_pair[2] = {1, 2};

/* Positions in a dimension of size 3: one for each row, or for each element of what trial_arranged gives. */
static inline tn_tensor *trial_positions(bool rows) {
    tn_tensor *made = rows ? tn_arange(3, TN_INT64) : tn_arange(9, TN_INT64);
    return tn_flip(rows ? made : tn_remainder_scalar(tn_reshape(made, TN_DIMS(3, 3)), 3), TN_DIMS(0));
}

/* What the names of operator and parameter say about a tensor. */
static inline tn_tensor *trial_tensor(const tn_operator *op, const char *name, tn_dtype dtype, int64_t turn) {
    const char *of = tn_operator_name(op);
    bool part = strcmp(of, "select_scatter") == 0 || strcmp(of, "diagonal_scatter") == 0; /* their src is a row */
    if (strcmp(name, "condition") == 0 || strcmp(name, "mask") == 0)
        return tn_gt_scalar(trial_arranged(TN_FLOAT32, turn), 0);
    if (strcmp(name, "index") == 0 || strcmp(name, "indices") == 0 || strcmp(of, "one_hot") == 0)
        return trial_positions(strncmp(of, "index_", 6) == 0);
    if (strcmp(name, "value") == 0)
        return trial_numbers(TN_DIMS(), dtype);
    if (strcmp(name, "src") == 0 && (part || strcmp(of, "as_strided_scatter") == 0))
        return trial_numbers(TN_DIMS(part ? 3 : 1), dtype);
    return trial_arranged(dtype, turn);
}

static inline const char *trial_text(const tn_operator *op, const char *name) {
    const char *of = tn_operator_name(op);
    if (strcmp(name, "equation") == 0)
        return "...a,...a->a...";
    if (strcmp(name, "reduce") != 0)
        return strcmp(name, "index") == 0 ? "..." : "floor";
    return strncmp(of, "scatter", 7) == 0 && strncmp(of, "scatter_reduce", 14) != 0 ? "multiply" : "prod";
}

static inline bool trial_begin(trial *t, const tn_operator *op, tn_dtype dtype, int64_t turn) {
    t->op = op;
    for (int64_t i = 0; i < tn_operator_parameter_count(op); i++) {
        tn_parameter p = tn_operator_parameter(op, i);
        t->tensors[i] = NULL;
        t->values[i] = tn_value_none();
        bool out = p.type == TN_TYPE_WRITTEN && tn_operator_variant(op) == TN_VARIANT_OUT;
        if (out)
            t->tensors[i] = tn_empty(TN_DIMS(0), strcmp(p.name, "indices") == 0 ? TN_INT64 : dtype);
        else if (p.type == TN_TYPE_TENSOR || p.type == TN_TYPE_WRITTEN)
            t->tensors[i] = trial_tensor(op, p.name, dtype, turn + i);
        else if (p.type == TN_TYPE_INDEX)
            t->picks = trial_positions(true);
        else if (strcmp(p.name, "lengths") == 0)
            t->tensors[i] = tn_full(TN_DIMS(1), 3, TN_INT64);
        else if (strcmp(p.name, "num_classes") == 0)
            t->values[i] = tn_value_int(4);
        else if (p.type == TN_TYPE_SCALAR || p.type == TN_TYPE_NUMBER)
            t->values[i] = tn_value_int(2);
        else if (p.standard)
            t->values[i] = tn_value_none();
        else if (p.type == TN_TYPE_INT || p.type == TN_TYPE_BOOL || p.type == TN_TYPE_FLOAT)
            t->values[i] = tn_value_int(1);
        else if (p.type == TN_TYPE_DIMS)
            t->values[i] = strcmp(p.name, "repeats") == 0 || strcmp(p.name, "pad") == 0
                               ? tn_value_dims((tn_dims){trial_pair, 2})
                               : tn_value_dims((tn_dims){trial_along, 1});
        else if (p.type == TN_TYPE_TENSORS)
            for (int k = 0; k < 2; k++)
                t->list[k] = trial_arranged(dtype, turn + k);
        else if (p.type == TN_TYPE_TEXT)
            t->values[i] = tn_value_text(trial_text(op, p.name));
        else if (p.type == TN_TYPE_OPTIONAL)
            t->values[i] = tn_value_none();
        else
            return false;
    }
    return true;
}

static inline tn_tensor *trial_own(const tn_tensor *tensor, int32_t type) {
    tn_tensor *own = tn_clone(tensor, TN_PRESERVE);
    if (type != TN_CPU)
        own = tn_to_device(own, TN_DEVICE(type, 0));
    CHECK(own);
    return own;
}

/* From now on 1 is every element: a chance, a weight and a rate, which no operator refuses for its value. */
static inline void trial_ones(trial *t) {
    for (int64_t i = 0; i < tn_operator_parameter_count(t->op); i++)
        if (t->tensors[i])
            CHECK(tn_fill_(t->tensors[i], 1));
}

/* The call on the CPU or on the device, with tensors of its own. */
static inline tn_error trial_run(const trial *t, int32_t type, tn_value *result, tn_tensor **written) {
    tn_value values[TN_MAX_PARAMETERS];
    const tn_tensor *list[2];
    tn_index_item item;
    int64_t count = tn_operator_parameter_count(t->op);
    for (int64_t i = 0; i < count; i++) {
        values[i] = t->values[i];
        if (tn_operator_parameter(t->op, i).type == TN_TYPE_TENSORS) {
            for (int k = 0; k < 2; k++)
                list[k] = trial_own(t->list[k], type);
            values[i] = tn_value_tensors(list, 2);
        } else if (tn_operator_parameter(t->op, i).type == TN_TYPE_INDEX) {
            item = TN_PICK(trial_own(t->picks, type));
            values[i] = tn_value_index((tn_index_list){&item, 1});
        } else if (t->tensors[i]) {
            tn_tensor *own = trial_own(t->tensors[i], type);
            values[i] = tn_value_tensor(own);
            if (i == 0)
                *written = own;
        }
    }
    tn_error code = tn_operator_call(t->op, (tn_values){values, count}, result);
    CHECK_MEMORY();
    tn_error_clear();
    return code;
}

/* Goes through the rows that work on a device: each is called with every dtype, on the CPU and on the device, and must end
 * alike. Composite operators are among them; one whose parts do not all work on the device has no kernel for it. */
typedef struct trial_walk {
    int32_t type;
    bool (*serves)(const tn_operator *op);
    void (*check)(const tn_operator *op, tn_dtype dtype, const tn_tensor *cpu, const tn_tensor *device); /* of each result */
    int64_t rows, composites, compared, composed; /* rows, those that are composite; results, calls of composites */
} trial_walk;

static inline void trial_both(const trial_walk *walk, const trial *t, tn_value *here, tn_value *there, tn_error *expected,
                              tn_error *code) {
    tn_tensor *changed;
    CHECK(tn_manual_seed(1) == TN_OK);
    *expected = trial_run(t, TN_CPU, here, &changed);
    CHECK(tn_manual_seed(1) == TN_OK);
    *code = trial_run(t, walk->type, there, &changed);
}

static inline void trial_compare(trial_walk *walk, const tn_operator *op, tn_dtype dtype, int64_t turn) {
    trial t;
    tn_value here = tn_value_none(), there = tn_value_none();
    bool composite = op->flags & TNI_OPERATOR_COMPOSITE;
    if (!trial_begin(&t, op, dtype, turn))
        return;
    tn_error expected, code;
    trial_both(walk, &t, &here, &there, &expected, &code);
    if (walk->type == TN_META && (expected == TN_ERROR_ARGUMENT || expected == TN_ERROR_LINALG) &&
        code == TN_OK) { /* elements are to blame, and meta has none */
        trial_ones(&t);
        trial_both(walk, &t, &here, &there, &expected, &code);
    }
    if (walk->type == TN_META && expected == TN_ERROR_LINALG && code == TN_OK)
        return; /* these matrices have no answer, and meta has no matrices */
    if (expected == TN_OK && walk->type == TN_META && tn_operator_result(op) == TN_RESULT_BOOL)
        expected = TN_ERROR_DEVICE; /* there are no elements to tell it from */
    walk->composed += composite && code == TN_OK;
    if (code != expected && !(composite && code == TN_ERROR_DEVICE))
        test_fail(__FILE__, __LINE__, "%s of %s: %s on %s, %s on the CPU", tn_operator_name(op), tn_dtype_name(dtype),
                  tn_error_name(code), tn_device_type_name(walk->type), tn_error_name(expected));
    if (code == TN_OK && here.kind == TN_VALUE_TENSOR) {
        walk->check(op, dtype, here.as.tensor, there.as.tensor);
        walk->compared++;
    } else if (code == TN_OK && here.kind == TN_VALUE_LIST)
        for (int64_t k = 0; k < tn_list_count(here.as.list); k++, walk->compared++)
            walk->check(op, dtype, tn_list_at(here.as.list, k), tn_list_at(there.as.list, k));
    else if (code == TN_OK && here.kind == TN_VALUE_BOOL)
        CHECK(here.as.boolean == there.as.boolean);
}

static inline void trial_every_row(trial_walk *walk) {
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_INT32, TN_BOOL, TN_BFLOAT16, TN_COMPLEX64, TN_UINT8, TN_FLOAT64};
    for (int64_t at = 0; at < tn_operator_count(); at++) {
        const tn_operator *op = tn_operator_at(at);
        if (tni_operator_is_registered(op) || !walk->serves(op))
            continue;
        walk->rows++;
        walk->composites += op->flags & TNI_OPERATOR_COMPOSITE ? 1 : 0;
        for (size_t d = 0; d < sizeof dtypes / sizeof dtypes[0]; d++) {
            tn_scope scope = tn_scope_open();
            trial_compare(walk, op, dtypes[d], (int64_t)d);
            tn_scope_close(scope);
        }
    }
}

#endif
