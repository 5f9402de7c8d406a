/* arguments.h - random arguments for an operator, by the types and names of its parameters: mostly ones with which the call can
 * do something, often enough ones that it must refuse.
 */
#ifndef FUZZ_ARGUMENTS_H
#define FUZZ_ARGUMENTS_H

#include "tensors.h"

enum { FUZZ_LIST = 4, FUZZ_DIMS = 10, FUZZ_ITEMS = 5 };

typedef struct fuzz_argument {
    tn_value value;
    const tn_tensor *list[FUZZ_LIST];
    int64_t dims[FUZZ_DIMS];
    double floats[FUZZ_DIMS];
    tn_index_item items[FUZZ_ITEMS];
} fuzz_argument;

typedef struct fuzz_call {
    const tn_operator *op;
    int64_t count;
    fuzz_argument arguments[TN_MAX_PARAMETERS + 1];
} fuzz_call;

static bool fuzz_named(const char *name, const char *words) {
    size_t length = strlen(name);
    for (const char *at = length ? strstr(words, name) : NULL; at; at = strstr(at + 1, name))
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0))
            return true;
    return false;
}

static bool fuzz_grouped(const tn_operator *op, const char *groups) { return fuzz_named(tn_operator_group(op), groups); }

/* ---- numbers */

static int64_t fuzz_extreme(fuzz_tape *tape) {
    static const int64_t values[] = {
        INT64_MIN,           INT64_MIN + 1, INT64_MAX,        INT64_MAX - 1, -1,   0,
        INT32_MAX,           INT32_MIN,     INT64_C(1) << 32, 1000000,       -100, INT64_C(1) << 62,
        -(INT64_C(1) << 62), 255,           INT64_C(1) << 53};
    return values[tape_below(tape, sizeof values / sizeof values[0])];
}

static int64_t fuzz_int(fuzz_pool *pool, const char *name) {
    fuzz_tape *tape = pool->tape;
    if (tape_chance(tape, 5))
        return fuzz_extreme(tape);
    if (strstr(name, "dim") || fuzz_named(name, "axis source destination"))
        return tape_chance(tape, 95) && pool->shape.rank ? tape_between(tape, -pool->shape.rank, pool->shape.rank - 1)
                                                         : tape_between(tape, -9, 9);
    return tape_chance(tape, 80) ? tape_between(tape, 0, 4) : tape_between(tape, -6, 70);
}

static double fuzz_float(fuzz_tape *tape) {
    static const double values[] = {
        0, 1, 0.5, 2, -1, 3, 0.25, 1e-5, 100, -0.0, 1e300, -1e300, 1e-310, (double)NAN, (double)INFINITY, -(double)INFINITY};
    return values[tape_below(tape, tape_chance(tape, 85) ? 9 : 16)];
}

static tn_scalar fuzz_scalar(fuzz_tape *tape) {
    switch (tape_below(tape, 8)) {
    case 0: {
        int64_t which = tape_below(tape, 100);
        return which >= 92 ? TN_NO_SCALAR : tn_scalar_bool(which < 50);
    }
    case 1:
    case 2:
    case 3: return tn_scalar_int(tape_chance(tape, 90) ? tape_between(tape, -3, 9) : fuzz_extreme(tape));
    case 4: return tape_chance(tape, 20) ? tn_scalar_uint(UINT64_MAX) : tn_scalar_int(2);
    case 5: return tape_chance(tape, 40) ? tn_scalar_complex(fuzz_float(tape), fuzz_float(tape)) : tn_scalar_float(1.5);
    default: return tn_scalar_float(fuzz_float(tape));
    }
}

static tn_value fuzz_dims(fuzz_pool *pool, fuzz_argument *argument, const char *name) {
    fuzz_tape *tape = pool->tape;
    int64_t count = 0, *dims = argument->dims;
    if (fuzz_named(name, "size shape sizes normalized_shape") && tape_chance(tape, 85)) {
        fuzz_shape shape = fuzz_shape_like(tape, &pool->shape);
        switch (tape_below(tape, 5)) {
        case 0: dims[count++] = tape_chance(tape, 50) ? -1 : fuzz_numel(&shape); break;
        case 1: /* the last few */
            for (int64_t k = tape_between(tape, 0, shape.rank); k < shape.rank; k++)
                dims[count++] = shape.sizes[k];
            break;
        default:
            for (int64_t k = 0; k < shape.rank; k++)
                dims[count++] = shape.sizes[k];
        }
        if (count && tape_chance(tape, 10))
            dims[tape_below(tape, count)] = tape_chance(tape, 70) ? -1 : fuzz_extreme(tape);
    } else if (fuzz_named(name, "stride padding dilation output_padding kernel_size output_size") && tape_chance(tape, 70)) {
        dims[count++] = tape_between(tape, strstr(name, "padding") ? 0 : 1, 2); /* of windows, one number for all dimensions */
    } else if (strstr(name, "dim") || fuzz_named(name, "source destination axes axis")) {
        int64_t rank = pool->shape.rank, first = tape_below(tape, rank ? rank : 1);
        count = tape_between(tape, 0, tape_chance(tape, 50) ? rank : rank < 2 ? rank : 2);
        for (int64_t k = 0; k < count; k++)
            dims[k] = (first + k) % rank - (tape_chance(tape, 20) ? rank : 0);
        if (count && tape_chance(tape, 6))
            dims[tape_below(tape, count)] = tape_chance(tape, 50) ? fuzz_extreme(tape) : tape_between(tape, -9, 9);
    } else {
        count = tape_chance(tape, 60) ? pool->shape.rank : tape_between(tape, 0, FUZZ_DIMS);
        for (int64_t k = 0; k < count; k++)
            dims[k] = tape_chance(tape, 97) ? tape_between(tape, tape_chance(tape, 10) ? -3 : 0, 4) : fuzz_extreme(tape);
    }
    return tn_value_dims((tn_dims){dims, count});
}

static tn_value fuzz_text(fuzz_tape *tape, const char *name) {
    static const struct {
        const char *name, *words;
    } known[] = {
        {"rounding_mode", "floor trunc none ceil"},
        {"reduce", "sum prod mean amax amin add multiply"},
        {"interpolation", "linear lower higher midpoint nearest"},
        {"indexing", "ij xy"},
        {"approximate", "none tanh"},
        {"padding", "same valid"},
        {"activation", "none relu gelu gelu_tanh silu tanh sigmoid"},
        {"mode", "constant reflect replicate circular fan_in fan_out"},
        {"side", "left right none"},
        {"nonlinearity", "leaky_relu relu tanh linear sigmoid selu"},
        {"compute_mode", "donot_use_mm_for_euclid_dist use_mm_for_euclid_dist use_mm_for_euclid_dist_if_necessary"},
        {"equation",
         "ij,jk ij,kj->ik ...ij,...jk->...ik ij->ji ii ij,ij-> a...,...a ...,... i...->... ab,bc,cd->ad ,i i,,j- ij->iz"},
        {"index",
         "0 -1 : 1: ::2 ::-1 ...,0 None,1:2 :,0 0,0,0,0,0,0,0,0,0 9 ...,-9223372036854775808 ::-9223372036854775807 ] 1:,..."},
    };
    static char word[64];
    if (tape_chance(tape, 96))
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            if (strcmp(known[i].name, name) == 0) {
                int64_t words = 1;
                for (const char *at = known[i].words; *at; at++)
                    words += *at == ' ';
                const char *at = known[i].words;
                for (int64_t skip = tape_below(tape, words); skip; skip--)
                    at = strchr(at, ' ') + 1;
                snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
                return tn_value_text(word);
            }
    return tn_value_text(tape_chance(tape, 50) ? "" : tape_chance(tape, 50) ? "sum\xff%s%n" : NULL);
}

/* ---- tensors */

/* In how many of 100 cases a tensor is expanded to a size that would take hours to read: often for operators that look only at
 * sizes or need a result of the same size, now and then for those that will be cancelled. */
static int fuzz_huge(const tn_operator *op) {
    if (tn_operator_result(op) == TN_RESULT_VIEWS)
        return 0;
    return fuzz_grouped(op, "view create copy join move") ? 6 : 1;
}

/* The shapes of factors that fit: a letter for each dimension, the same for sizes that must be equal. */
static const char *fuzz_product_letters(const tn_operator *op, const char *name) {
    static const struct {
        const char *names, *shapes;
    } known[] = {
        {"mm _int_mm", "self=mk mat2=kn"},
        {"bmm", "self=bmk mat2=bkn"},
        {"mv", "self=mk vec=k"},
        {"dot vdot", "self=k tensor=k other=k"},
        {"matmul linalg_matmul", "self=bmk other=kn"},
        {"inner", "self=bmk other=nk"},
        {"linalg_vecdot", "x=mk y=mk"},
        {"addmm _addmm_activation", "self=mn mat1=mk mat2=kn"},
        {"addmv", "self=m mat=mk vec=k"},
        {"addr", "self=mn vec1=m vec2=n"},
        {"baddbmm", "self=bmn batch1=bmk batch2=bkn"},
        {"addbmm", "self=mn batch1=bmk batch2=bkn"},
        {"linear", "input=bmk weight=nk bias=n residual=mn"},
        {"bilinear", "input1=bm input2=bk weight=nmk bias=n"},
        {"matrix_power linalg_matrix_power", "self=bmm"},
        {"_weight_int8pack_mm", "self=mk mat2=nk scales=n"},
        {"_scaled_mm", "self=mk mat2=kn bias=n scale_a=1 scale_b=1 scale_result=1"},
        {"conv1d convolution", "input=bkm weight=nkm bias=n"},
        {"conv2d", "input=bkmn weight=nkmn bias=n"},
        {"conv3d", "input=bkmnm weight=nkm1m bias=n"},
        {"conv_transpose1d", "input=bkm weight=knm bias=n"},
        {"conv_transpose2d", "input=bkmm weight=kn1m bias=n"},
        {"conv_transpose3d", "input=bkm1m weight=knm11 bias=n"},
        {"conv_tbc", "self=mbk weight=1kn bias=n"},
        {"convolution_backward convolution_backward_weight", "grad_output=bn1 input=bkm weight=nkm"},
        {"im2col", "self=bkmn"},
        {"col2im", "self=bmk"},
    };
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (fuzz_named(tn_operator_base(op), known[i].names))
            for (const char *at = strstr(known[i].shapes, name); at; at = strstr(at + 1, name))
                if ((at == known[i].shapes || at[-1] == ' ') && at[length] == '=')
                    return at + length + 1;
    return NULL;
}

/* Sizes are those of the shape that most tensors have, as far as a product of them takes no time. */
static fuzz_shape fuzz_product_shape(fuzz_pool *pool, const char *letters) {
    fuzz_shape made = {0};
    for (; *letters && *letters != ' ' && made.rank < FUZZ_RANK; letters++) {
        int64_t place = *letters == 'k' ? pool->shape.rank - 1 : *letters == 'm' ? 0 : *letters == 'n' ? 1 : 2;
        int64_t size = place >= 0 && place < pool->shape.rank ? pool->shape.sizes[place] : 3;
        made.sizes[made.rank++] = *letters == '1' ? 1 : size > 40 ? 40 : *letters == 'b' && size > 4 ? 4 : size;
    }
    return made;
}

static tn_tensor *fuzz_factor(fuzz_pool *pool, const tn_operator *op, const char *name, const char *letters) {
    bool bytes = fuzz_named(tn_operator_base(op), "_int_mm _scaled_mm") && fuzz_named(name, "self mat2");
    bool scales = fuzz_named(tn_operator_base(op), "_scaled_mm") && !bytes;
    fuzz_shape kept = pool->shape;
    tn_dtype dtype = tape_chance(pool->tape, 8) ? fuzz_dtype_any(pool->tape)
                     : bytes || (fuzz_named(tn_operator_base(op), "_weight_int8pack_mm") && fuzz_named(name, "mat2")) ? TN_INT8
                     : scales ? TN_FLOAT32
                              : pool->dtype;
    pool->shape = fuzz_product_shape(pool, letters);
    tn_tensor *made = fuzz_tensor_any(pool, dtype, pool->content, 6, 22, 0, name);
    pool->shape = kept;
    return made;
}

static tn_tensor *fuzz_tensor_for(fuzz_pool *pool, const tn_operator *op, const char *name, bool result) {
    fuzz_tape *tape = pool->tape;
    tn_dtype dtype = tape_chance(tape, 72) ? pool->dtype : fuzz_dtype_any(tape);
    fuzz_content content = pool->content;
    int64_t bound = 6;
    if (tape_chance(tape, 1))
        return NULL;
    if (result) {
        if (fuzz_named(name, "indices") && tape_chance(tape, 85))
            dtype = TN_INT64;
        if (tape_chance(tape, 40)) { /* empty: to be resized */
            fuzz_shape kept = pool->shape, empty = {1, {0}};
            pool->shape = empty;
            tn_tensor *made = fuzz_add(pool, fuzz_tensor_new(pool, &empty, dtype, content, 0), name);
            pool->shape = kept;
            return made;
        }
        return fuzz_tensor_any(pool, dtype, content, 0, 25, 0, name);
    }
    const char *letters = fuzz_grouped(op, "product") ? fuzz_product_letters(op, name) : NULL;
    if (letters && tape_chance(tape, 90))
        return fuzz_factor(pool, op, name, letters);
    if (fuzz_named(name, "index indices repeats") && tape_chance(tape, 88)) {
        bound = tape_chance(tape, 85) ? INT64_MAX : 9;
        for (int64_t k = 0; k < pool->shape.rank; k++)
            if (pool->shape.sizes[k] < bound)
                bound = pool->shape.sizes[k];
        if (fuzz_named(name, "repeats") && bound > 3)
            bound = 3;
        return fuzz_tensor_any(pool, tape_chance(tape, 90) ? TN_INT64 : TN_INT32, FUZZ_POSITIONS, bound, 8, 0, name);
    }
    if (fuzz_named(name, "mask condition") && tape_chance(tape, 90))
        return fuzz_tensor_any(pool, TN_BOOL, FUZZ_TRUTH, 0, 8, 0, name);
    if ((fuzz_grouped(op, "random initialise") || fuzz_named(name, "q p prob")) && tape_chance(tape, 80))
        content = FUZZ_PORTIONS;
    return fuzz_tensor_any(pool, dtype, content, bound, 22, fuzz_huge(op), name);
}

static tn_value fuzz_index(fuzz_pool *pool, const tn_operator *op, fuzz_argument *argument) {
    fuzz_tape *tape = pool->tape;
    int64_t count = tape_between(tape, 0, FUZZ_ITEMS);
    if (count > pool->shape.rank + 1 && tape_chance(tape, 80))
        count = pool->shape.rank;
    for (int64_t k = 0; k < count; k++) {
        tn_index_item item = TN_ALL;
        int64_t size = k < pool->shape.rank ? pool->shape.sizes[k] : 3;
        switch (tape_below(tape, 8)) {
        case 0: item = TN_AT(tape_chance(tape, 92) && size ? tape_between(tape, -size, size - 1) : fuzz_extreme(tape)); break;
        case 1: item = TN_STEP(fuzz_int(pool, "step"), fuzz_int(pool, "step"), fuzz_int(pool, "step")); break;
        case 2: item = TN_NEW_AXIS; break;
        case 3: item = TN_ELLIPSIS; break;
        case 4: item = TN_WHEN(tape_chance(tape, 70)); break;
        case 5: item = TN_PICK(fuzz_tensor_for(pool, op, "index", false)); break;
        case 6: item = TN_PICK(fuzz_tensor_for(pool, op, "mask", false)); break;
        }
        argument->items[k] = item;
    }
    return tn_value_index((tn_index_list){argument->items, count});
}

/* ---- one argument */

static tn_value fuzz_value(fuzz_pool *pool, const tn_operator *op, fuzz_argument *argument, tn_type type, const char *name,
                           bool written) {
    fuzz_tape *tape = pool->tape;
    switch (type) {
    case TN_TYPE_OPTIONAL:
        if (tape_chance(tape, 45))
            return tn_value_none();
        return tn_value_tensor(fuzz_tensor_for(pool, op, name, false));
    case TN_TYPE_WRITTEN:
        return tn_value_tensor(fuzz_tensor_for(pool, op, name, written && tn_operator_variant(op) == TN_VARIANT_OUT));
    case TN_TYPE_TENSOR: return tn_value_tensor(fuzz_tensor_for(pool, op, name, false));
    case TN_TYPE_TENSORS: {
        int64_t count = tape_between(tape, 0, FUZZ_LIST);
        for (int64_t k = 0; k < count; k++)
            argument->list[k] = fuzz_tensor_for(pool, op, name, false);
        return tn_value_tensors(argument->list, count);
    }
    case TN_TYPE_STORAGE: {
        tn_tensor *tensor = fuzz_tensor_for(pool, op, name, false);
        return tn_value_storage(tensor ? tn_storage_of(tensor) : NULL);
    }
    case TN_TYPE_DIMS: return fuzz_dims(pool, argument, name);
    case TN_TYPE_INDEX: return fuzz_index(pool, op, argument);
    case TN_TYPE_INT: return tn_value_int(fuzz_int(pool, name));
    case TN_TYPE_FLOAT: return tn_value_float(fuzz_float(tape));
    case TN_TYPE_BOOL: return tn_value_bool(tape_chance(tape, 50));
    case TN_TYPE_TEXT: return fuzz_text(tape, name);
    case TN_TYPE_SCALAR:
    case TN_TYPE_NUMBER: return tn_value_scalar(fuzz_scalar(tape));
    case TN_TYPE_DTYPE:
        return tn_value_dtype(tape_chance(tape, 3)    ? (tn_dtype)tape_between(tape, -1, 200)
                              : tape_chance(tape, 50) ? pool->dtype
                                                      : fuzz_dtype_any(tape));
    case TN_TYPE_DEVICE:
        return tn_value_device(tape_chance(tape, 85)
                                   ? TN_DEVICE_CPU
                                   : (tn_device){(int32_t)fuzz_extreme(tape), (int32_t)tape_between(tape, -1, 3)});
    case TN_TYPE_FORMAT:
        return tn_value_format((tn_memory_format)(tape_chance(tape, 97) ? tape_below(tape, 4) : tape_between(tape, -1, 90)));
    case TN_TYPE_GENERATOR: return tn_value_none();
    case TN_TYPE_FLOATS: {
        int64_t count = tape_chance(tape, 80) ? 2 : tape_between(tape, 0, FUZZ_DIMS);
        for (int64_t k = 0; k < count; k++)
            argument->floats[k] = fuzz_float(tape);
        return tn_value_floats((tn_floats){argument->floats, count});
    }
    case TN_TYPE_COUNT: break;
    }
    return tn_value_none();
}

static void fuzz_arguments(fuzz_pool *pool, const tn_operator *op, fuzz_call *call) {
    fuzz_tape *tape = pool->tape;
    memset(call, 0, sizeof *call);
    call->op = op;
    call->count = tn_operator_parameter_count(op);
    for (int64_t i = 0; i < call->count; i++) {
        tn_parameter parameter = tn_operator_parameter(op, i);
        fuzz_argument *argument = &call->arguments[i];
        if (parameter.standard && tape_chance(tape, 35)) {
            argument->value = tn_value_none();
            continue;
        }
        tn_type type = tape_chance(tape, 1) ? (tn_type)tape_below(tape, TN_TYPE_COUNT) : parameter.type;
        argument->value = fuzz_value(pool, op, argument, type, parameter.name, parameter.written);
    }
    if (tape_chance(tape, 2)) /* too few, or one too many */
        call->count = tape_between(tape, 0, call->count + 1);
}

static void fuzz_describe_call(const fuzz_call *call, const fuzz_pool *pool) {
    fprintf(stderr, "  %s%s\n", tn_operator_name(call->op), tn_operator_signature(call->op));
    fuzz_describe(pool);
    for (int64_t i = 0; i < call->count; i++) {
        const tn_value *value = &call->arguments[i].value;
        const char *name = tn_operator_parameter(call->op, i).name;
        fprintf(stderr, "    %s = ", name ? name : "(one too many)");
        switch ((int)value->kind) {
        case TN_VALUE_TENSOR:
        case TN_VALUE_TENSORS:
            for (int64_t k = 0; k < (value->kind == TN_VALUE_TENSOR ? 1 : value->as.tensors.count); k++) {
                const tn_tensor *tensor = value->kind == TN_VALUE_TENSOR ? value->as.tensor : value->as.tensors.items[k];
                int64_t at = 0;
                while (at < pool->count && pool->tensors[at].tensor != tensor)
                    at++;
                fprintf(stderr, tensor ? "t%lld " : "NULL ", (long long)at);
            }
            break;
        case TN_VALUE_DIMS: fuzz_describe_dims("", value->as.dims.values, value->as.dims.count); break;
        case TN_VALUE_INT: fprintf(stderr, "%lld", (long long)value->as.integer); break;
        case TN_VALUE_FLOAT: fprintf(stderr, "%.17g", value->as.real); break;
        case TN_VALUE_BOOL: fprintf(stderr, "%s", value->as.boolean ? "true" : "false"); break;
        case TN_VALUE_TEXT: fprintf(stderr, "\"%s\"", value->as.text ? value->as.text : "(NULL)"); break;
        case TN_VALUE_DTYPE: fprintf(stderr, "%s", tn_dtype_name(value->as.dtype)); break;
        case TN_VALUE_SCALAR:
            switch ((int)value->as.scalar.kind) {
            case TN_SCALAR_FLOAT: fprintf(stderr, "%.17g", value->as.scalar.value.d); break;
            case TN_SCALAR_COMPLEX:
                fprintf(stderr, "(%g, %g)", value->as.scalar.value.c.real, value->as.scalar.value.c.imag);
                break;
            case TN_SCALAR_BOOL: fprintf(stderr, "scalar %d", (int)value->as.scalar.value.b); break;
            default: fprintf(stderr, "scalar %lld (kind %d)", (long long)value->as.scalar.value.i, (int)value->as.scalar.kind);
            }
            break;
        case TN_VALUE_INDEX:
            for (int64_t k = 0; k < value->as.index.count; k++) {
                const tn_index_item *item = &value->as.index.items[k];
                int64_t at = 0;
                while (at < pool->count && pool->tensors[at].tensor != item->tensor)
                    at++;
                if (item->kind == TN_INDEX_TENSOR)
                    fprintf(stderr, "t%lld, ", (long long)at);
                else
                    fprintf(stderr, "%s %lld:%lld:%lld, ",
                            (const char *[]){"at", "range", "axis", "...", "tensor", "when"}[item->kind],
                            (long long)item->start, (long long)item->end, (long long)item->step);
            }
            break;
        default: fprintf(stderr, "%s", tn_value_kind_name(value->kind));
        }
        fprintf(stderr, "\n");
    }
}

#endif
