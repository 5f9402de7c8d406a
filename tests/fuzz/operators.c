/* operators.c - fuzzes every operator of the table, called by name with random arguments, and checks what must hold for any
 * call:
 *
 * - no sanitizer complains, nothing leaks, and no error is TN_ERROR_INTERNAL, which would be a bug;
 * - a call that failed has changed no byte and no field: sizes, strides, offset, dtype, version, storage, size of the storage;
 * - one that succeeded has left no error record, has changed only the tensors it may write, there only their elements, and has
 *   counted the change;
 * - the result is that of the same call on fresh copies: row-major, each over memory of its own, on one thread.
 *
 * An input is "NAME\nSEED", the name of an operator and a decimal number (as the driver writes it); or "NAME\nchoices:\n" and a
 * choice a line, as in a file of the corpus; or bytes: an operator's name and a newline, or two bytes that choose one, and then
 * choices. See parts/tape.h. With FUZZ_RECORD=FILE in the environment the choices of any input are written to that file.
 */
#include "parts/arguments.h"

#include <stdatomic.h>
#include <time.h>

#include "base/heap.h"

/* ---- memory: each block by itself, none of them large, and unwritten memory differs from one block to the next */

enum { FUZZ_BLOCK = 48 << 20 };

#define FUZZ_SECONDS_A_CALL 0.1
#define FUZZ_CHOICES "choices:\n"

static void *fuzz_allocate(void *ctx, size_t bytes) {
    static _Atomic int junk;
    void *block = NULL;
    (void)ctx;
    if (bytes > FUZZ_BLOCK || posix_memalign(&block, 64, bytes) != 0)
        return NULL;
    memset(block, atomic_fetch_add(&junk, 37), bytes < 65536 ? bytes : 65536);
    return block;
}

static void fuzz_free(void *ctx, void *data, size_t bytes) {
    (void)ctx, (void)bytes;
    free(data);
}

static int64_t fuzz_bytes_in_use(void) {
    tn_memory_stats stats = {.struct_size = sizeof stats};
    return tn_memory_stats_of(TN_CPU, &stats) == TN_OK ? stats.bytes.current : -1;
}

static void fuzz_set_up(void) {
    static bool done;
    if (done)
        return;
    tn_allocator_functions functions = {
        .struct_size = sizeof functions, .name = "fuzz", .allocate = fuzz_allocate, .free = fuzz_free};
    tn_allocator *allocator = tn_allocator_create(&functions);
    if (!allocator || tn_set_allocator(TN_CPU, allocator, 1) != TN_OK)
        abort();
    tn_allocator_release(allocator);
    done = true;
}

/* ---- a finding */

static const fuzz_call *fuzz_now_call;
static const fuzz_pool *fuzz_now_pool;

static void fuzz_found(const char *what) {
    fprintf(stderr, "finding: %s\n", what);
    fprintf(stderr, "  error: [%s] %s\n", tn_error_name(tn_error_code()), tn_error_message());
    fuzz_describe_call(fuzz_now_call, fuzz_now_pool);
    abort();
}

#define REQUIRE(condition, what)                                                                                               \
    do {                                                                                                                       \
        if (!(condition))                                                                                                      \
            fuzz_found(what);                                                                                                  \
    } while (0)

/* ---- checks of what the call did to its arguments */

static bool fuzz_is_written(const fuzz_call *call, const tn_tensor *tensor) {
    for (int64_t i = 0; i < call->count && i < tn_operator_parameter_count(call->op); i++)
        if (tn_operator_parameter(call->op, i).written && call->arguments[i].value.kind == TN_VALUE_TENSOR &&
            call->arguments[i].value.as.tensor == tensor)
            return true;
    return false;
}

/* A cancelled call may have written elements. */
static void fuzz_check_unchanged(const fuzz_pool *pool, bool cancelled) {
    for (int64_t i = 0; i < pool->count; i++) {
        const fuzz_tensor *t = &pool->tensors[i];
        REQUIRE(fuzz_same_fields(t), "a failed call changed a field of a tensor");
        REQUIRE(cancelled || tn_storage_version(t->storage) == t->version, "a failed call counted a write");
        REQUIRE(tn_storage_nbytes(t->storage) == t->bytes, "a failed call changed the size of a storage");
        REQUIRE(cancelled || !t->copy || !t->bytes || memcmp(t->copy, tn_storage_data(t->storage), t->bytes) == 0,
                "a failed call changed bytes");
    }
}

/* Sets a mark for each byte of the elements of a tensor, as it is now or as it was. */
static void fuzz_mark(unsigned char *marks, size_t bytes, fuzz_walk walk) {
    if (walk.left > 64 * FUZZ_ELEMENTS) { /* more than there is time to check */
        memset(marks, 1, bytes);
        return;
    }
    for (int64_t place; (place = fuzz_walk_place(&walk)) >= 0;) {
        size_t at = (size_t)place * walk.size;
        if (at + walk.size <= bytes)
            memset(marks + at, 1, walk.size);
    }
}

static void fuzz_check_written(const fuzz_call *call, const fuzz_pool *pool) {
    for (int64_t i = 0; i < pool->count; i++) {
        const fuzz_tensor *t = &pool->tensors[i];
        bool written = fuzz_is_written(call, t->tensor);
        REQUIRE(written || fuzz_same_fields(t), "a field of a tensor that is only read was changed");
        if (!t->copy)
            continue;
        size_t bytes = tn_storage_nbytes(t->storage) < t->bytes ? tn_storage_nbytes(t->storage) : t->bytes;
        if (!bytes || memcmp(t->copy, tn_storage_data(t->storage), bytes) == 0)
            continue;
        REQUIRE(tn_storage_version(t->storage) != t->version, "bytes were changed and no write counted");
        REQUIRE(!tn_storage_readonly(t->storage), "a read-only storage was written");
        unsigned char *marks = calloc(bytes, 1);
        if (!marks)
            abort();
        for (int64_t k = 0; k < pool->count; k++) {
            const fuzz_tensor *w = &pool->tensors[k];
            if (!fuzz_is_written(call, w->tensor))
                continue;
            if (w->storage == t->storage && !w->readonly)
                fuzz_mark(
                    marks, bytes,
                    fuzz_walk_of(NULL, w->dtype, w->offset, (tn_dims){w->sizes, w->rank}, (tn_dims){w->strides, w->rank}));
            if (tn_storage_of(w->tensor) == t->storage && !w->readonly)
                fuzz_mark(marks, bytes, fuzz_walk_begin(w->tensor));
        }
        const unsigned char *now = tn_storage_data(t->storage);
        for (size_t k = 0; k < bytes; k++)
            REQUIRE(marks[k] || now[k] == t->copy[k], "bytes were changed that belong to no tensor that is written");
        free(marks);
    }
}

static void fuzz_check_twins(const fuzz_pool *pool) {
    for (int64_t i = 0; i < pool->count; i++) {
        const fuzz_tensor *t = &pool->tensors[i];
        REQUIRE(!t->twin || !t->copy ||
                    (tn_storage_nbytes(t->twin) == t->bytes &&
                     (!t->bytes || memcmp(t->copy, tn_storage_data(t->twin), t->bytes) == 0)),
                "a lazy clone of a storage changed with it");
    }
}

static void fuzz_check_result(const tn_tensor *tensor) {
    tn_geometry_ref geometry = {tn_ndim(tensor), tn_storage_offset(tensor), tn_sizes(tensor).values, tn_strides(tensor).values};
    for (int64_t k = 0; k < geometry.ndim; k++)
        REQUIRE(geometry.sizes[k] >= 0, "a result has a negative size");
    REQUIRE(tn_numel(tensor) >= 0, "a result has a negative number of elements");
    REQUIRE(tn_geometry_check_storage(geometry, tn_element_size(tensor), tn_storage_nbytes(tn_storage_of(tensor))) ==
                TN_GEOMETRY_OK,
            "a result looks outside its storage");
}

/* ---- the same call on fresh copies */

static const tn_tensor *fuzz_fresh_or_null(const tn_tensor *tensor, bool *possible) {
    const tn_tensor *fresh = tensor ? fuzz_fresh(tensor) : NULL;
    *possible &= !tensor || fresh;
    return fresh;
}

static bool fuzz_fresh_call(fuzz_call *fresh, const fuzz_call *call) {
    bool possible = true;
    *fresh = *call;
    for (int64_t i = 0; i < call->count; i++) {
        fuzz_argument *argument = &fresh->arguments[i];
        tn_value *value = &argument->value;
        switch ((int)value->kind) {
        case TN_VALUE_TENSOR: *value = tn_value_tensor(fuzz_fresh_or_null(value->as.tensor, &possible)); break;
        case TN_VALUE_TENSORS:
            for (int64_t k = 0; k < value->as.tensors.count; k++)
                argument->list[k] = fuzz_fresh_or_null(argument->list[k], &possible);
            value->as.tensors.items = argument->list;
            break;
        case TN_VALUE_INDEX:
            for (int64_t k = 0; k < value->as.index.count; k++)
                argument->items[k].tensor = fuzz_fresh_or_null(argument->items[k].tensor, &possible);
            value->as.index.items = argument->items;
            break;
        case TN_VALUE_STORAGE:
            if (value->as.storage)
                value->as.storage = tn_storage_clone(value->as.storage, NULL);
            break;
        case TN_VALUE_DIMS: value->as.dims.values = argument->dims; break;
        case TN_VALUE_FLOATS: value->as.floats.values = argument->floats; break;
        }
    }
    return possible;
}

/* What depends on more than sizes and elements: on strides, on the storage, on memory nobody wrote, on the order in memory
 * in which random numbers are drawn. */
static bool fuzz_comparable(const tn_operator *op) {
    return !fuzz_grouped(op, "random initialise") &&
           !fuzz_named(tn_operator_base(op), "empty empty_like empty_strided empty_permuted new_empty set resize resize_as "
                                             "as_strided as_strided_copy as_strided_scatter");
}

/* How far two results may be apart: sums are formed in an order that depends on memory. Negative: anything. */
static double fuzz_tolerance(const tn_operator *op, tn_dtype dtype, fuzz_content content) {
    if (tn_dtype_is_integral(dtype) || tn_operator_is_pointwise(op) ||
        fuzz_grouped(op, "arithmetic compare complex copy create index join logic math move search select sort view"))
        return 0;
    if (content == FUZZ_WILD || fuzz_named(tn_operator_base(op), "prod nanprod cumprod")) /* 0 * inf, in another order 0 */
        return -1;
    switch ((int)tn_dtype_to_real(dtype)) {
    case TN_FLOAT64: return 1e-10;
    case TN_FLOAT32: return 1e-3;
    case TN_FLOAT16: return 1e-2;
    case TN_BFLOAT16: return 5e-2;
    default: return 0.5;
    }
}

static bool fuzz_near(double a, double b, double tolerance) {
    return a == b || (isnan(a) && isnan(b)) || (tolerance > 0 && fabs(a - b) <= tolerance * (1 + fabs(a)));
}

static void fuzz_compare(const tn_operator *op, const tn_tensor *a, const tn_tensor *b, fuzz_content content) {
    REQUIRE(tn_dtype_of(a) == tn_dtype_of(b), "another dtype than on fresh copies");
    REQUIRE(tn_ndim(a) == tn_ndim(b) &&
                (tn_ndim(a) == 0 || memcmp(tn_sizes(a).values, tn_sizes(b).values, (size_t)tn_ndim(a) * 8) == 0),
            "other sizes than on fresh copies");
    double tolerance = fuzz_tolerance(op, tn_dtype_of(a), content);
    if (tn_numel(a) > 64 * FUZZ_ELEMENTS || !fuzz_comparable(op) || tolerance < 0)
        return;
    fuzz_walk walk_a = fuzz_walk_begin(a), walk_b = fuzz_walk_begin(b);
    for (const char *at_a, *at_b; (at_a = fuzz_walk_next(&walk_a)) != NULL;) {
        at_b = fuzz_walk_next(&walk_b);
        if (memcmp(at_a, at_b, walk_a.size) == 0)
            continue;
        tn_scalar x = tn_dtype_load(walk_a.dtype, at_a), y = tn_dtype_load(walk_b.dtype, at_b);
        bool same = false;
        if (x.kind == TN_SCALAR_FLOAT)
            same = fuzz_near(x.value.d, y.value.d, tolerance);
        else if (x.kind == TN_SCALAR_COMPLEX)
            same = fuzz_near(x.value.c.real, y.value.c.real, tolerance) && fuzz_near(x.value.c.imag, y.value.c.imag, tolerance);
        if (!same) {
            fprintf(stderr, "element %lld of %lld: ", (long long)(tn_numel(a) - walk_a.left - 1), (long long)tn_numel(a));
            if (x.kind == TN_SCALAR_FLOAT)
                fprintf(stderr, "%.17g, on fresh copies %.17g\n", x.value.d, y.value.d);
            else if (x.kind == TN_SCALAR_COMPLEX)
                fprintf(stderr, "(%.17g, %.17g), on fresh copies (%.17g, %.17g)\n", x.value.c.real, x.value.c.imag,
                        y.value.c.real, y.value.c.imag);
            else
                fprintf(stderr, "%lld, on fresh copies %lld\n", (long long)x.value.i, (long long)y.value.i);
        }
        REQUIRE(same, "another element than on fresh copies");
    }
}

static void fuzz_compare_values(const tn_operator *op, const tn_value *a, const tn_value *b, fuzz_content content) {
    REQUIRE(a->kind == b->kind, "another kind of result than on fresh copies");
    switch ((int)a->kind) {
    case TN_VALUE_TENSOR: fuzz_compare(op, a->as.tensor, b->as.tensor, content); break;
    case TN_VALUE_LIST:
        REQUIRE(tn_list_count(a->as.list) == tn_list_count(b->as.list), "another number of results than on fresh copies");
        for (int64_t k = 0; k < tn_list_count(a->as.list); k++)
            fuzz_compare(op, tn_list_at(a->as.list, k), tn_list_at(b->as.list, k), content);
        break;
    case TN_VALUE_BOOL: REQUIRE(a->as.boolean == b->as.boolean, "another answer than on fresh copies"); break;
    case TN_VALUE_INT: REQUIRE(a->as.integer == b->as.integer, "another number than on fresh copies"); break;
    }
}

/* A refusal that fresh copies do not get: because of where memory is, or because a view is not possible. */
static bool fuzz_may_refuse(const fuzz_call *call, tn_error code) {
    const tn_operator *op = call->op;
    tn_result result = tn_operator_result(op);
    /* A result that is also an operand is not resized. */
    for (int64_t i = 1; i < call->count && code == TN_ERROR_SHAPE; i++)
        if (call->arguments[i].value.kind == TN_VALUE_TENSOR && fuzz_is_written(call, call->arguments[i].value.as.tensor))
            return true;
    return code == TN_ERROR_OVERLAP || code == TN_ERROR_READONLY || code == TN_ERROR_STATE || code == TN_ERROR_MEMORY ||
           result == TN_RESULT_VIEW || result == TN_RESULT_VIEWS || fuzz_grouped(op, "view") || !fuzz_comparable(op) ||
           fuzz_named(tn_operator_base(op), "view_copy view_as_complex_copy");
}

/* Calls on tensors expanded to more elements than there is time for are cancelled. */
static double fuzz_seconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool fuzz_is_late(void *deadline) { return fuzz_seconds() > *(double *)deadline; }

static tn_error fuzz_run(const fuzz_call *call, tn_value *result) {
    tn_value values[TN_MAX_PARAMETERS + 1];
    for (int64_t i = 0; i < call->count; i++)
        values[i] = call->arguments[i].value;
    tn_manual_seed(7);
    double deadline = fuzz_seconds() + FUZZ_SECONDS_A_CALL;
    tn_set_cancel_check(fuzz_is_late, &deadline);
    tn_error code = tn_operator_call(call->op, (tn_values){values, call->count}, result);
    tn_set_cancel_check(NULL, NULL);
    return code;
}

static void fuzz_once(fuzz_tape *tape, const tn_operator *op) {
    fuzz_pool pool = {.tape = tape};
    static fuzz_call call, fresh;
    tn_value result, expected;
    int64_t in_use = fuzz_bytes_in_use();
    tn_scope scope = tn_scope_open();
    pool.shape = fuzz_shape_any(tape);
    pool.dtype = tape_chance(tape, 50) ? (tape_chance(tape, 60) ? TN_FLOAT32 : TN_INT64) : fuzz_dtype_any(tape);
    pool.content = tape_chance(tape, 70) ? FUZZ_CALM : FUZZ_WILD;
    fuzz_arguments(&pool, op, &call);
    tn_error_clear();
    fuzz_now_call = &call;
    fuzz_now_pool = &pool;
    fuzz_picture(&pool);
    bool comparable = fuzz_fresh_call(&fresh, &call);
    tn_error_clear();
    bool overlaps = false;
    for (int64_t i = 0; i < pool.count; i++)
        overlaps |= pool.tensors[i].overlaps && fuzz_is_written(&call, pool.tensors[i].tensor);

    int64_t fault = tape_chance(tape, 8) ? tape_between(tape, 1, 12) : 0;
    if (fault)
        tni_fault_arm(fault);
    tn_error code = fuzz_run(&call, &result);
    bool hit = fault && tni_fault_disarm();

    REQUIRE(code != TN_ERROR_INTERNAL && tn_error_code() != TN_ERROR_INTERNAL, "an internal error");
    if (code == TN_OK) {
        REQUIRE(tn_error_code() == TN_OK, "success left an error record");
        fuzz_check_written(&call, &pool);
        if (result.kind == TN_VALUE_TENSOR)
            fuzz_check_result(result.as.tensor);
        for (int64_t k = 0; result.kind == TN_VALUE_LIST && k < tn_list_count(result.as.list); k++)
            fuzz_check_result(tn_list_at(result.as.list, k));
        for (int64_t i = 0; i < pool.count; i++)
            fuzz_check_result(pool.tensors[i].tensor);
    } else {
        REQUIRE(tn_error_code() == code && tn_error_message()[0], "a failure without its error record");
        REQUIRE(result.kind == TN_VALUE_NONE, "a failure with a result");
        fuzz_check_unchanged(&pool, code == TN_ERROR_CANCELLED);
    }
    fuzz_check_twins(&pool);

    if (comparable && !hit && code != TN_ERROR_CANCELLED) {
        tn_error_record first;
        tn_error_take(&first);
        int64_t before = tn_limit_threads(1);
        tn_error again = fuzz_run(&fresh, &expected);
        tn_limit_threads(before);
        if (code == TN_OK && again != TN_ERROR_CANCELLED) {
            REQUIRE(again == TN_OK || !fuzz_comparable(op), "fresh copies are refused");
            if (again == TN_OK && !overlaps) {
                fuzz_compare_values(op, &result, &expected, pool.content);
                for (int64_t i = 0; i < call.count; i++)
                    if (i < tn_operator_parameter_count(op) && tn_operator_parameter(op, i).written)
                        fuzz_compare(op, call.arguments[i].value.as.tensor, fresh.arguments[i].value.as.tensor, pool.content);
            }
        } else if (again == TN_OK && !fuzz_may_refuse(&call, code)) {
            fprintf(stderr, "%s\n", first.message);
            fuzz_found("what is taken of fresh copies is refused");
        }
    }
    tn_error_clear();
    fuzz_forget(&pool);
    REQUIRE(tn_scope_close(scope) == TN_OK, "the scope did not close");
    REQUIRE(fuzz_bytes_in_use() == in_use, "memory leaked");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A seed is a decimal number alone on its line; anything else is hashed to one. */
static bool fuzz_is_seed(const fuzz_tape *tape, uint64_t *seed) {
    bool number = tape->left > 0;
    uint64_t sum = 0;
    *seed = 0;
    for (size_t i = 0; i < tape->left; i++) {
        number &= (tape->bytes[i] >= '0' && tape->bytes[i] <= '9') || (tape->bytes[i] == '\n' && i + 1 == tape->left);
        *seed = tape->bytes[i] == '\n' ? *seed : *seed * 10 + (uint64_t)(tape->bytes[i] - '0');
        sum = (sum ^ tape->bytes[i]) * UINT64_C(1099511628211);
    }
    *seed = number ? *seed : sum;
    return number;
}

static FILE *fuzz_open_record(const tn_operator *op) {
    const char *path = getenv("FUZZ_RECORD");
    FILE *record = path ? fopen(path, "w") : NULL;
    if (record) {
        setvbuf(record, NULL, _IOLBF, 4096); /* each line is there when the call ends the process */
        fprintf(record, "%s\n" FUZZ_CHOICES, tn_operator_name(op));
    }
    return record;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_set_up();
    fuzz_tape tape = {.bytes = data, .left = size};
    const uint8_t *line = size ? memchr(data, '\n', size < 64 ? size : 64) : NULL;
    const tn_operator *op = NULL;
    char *written = NULL;
    if (line) {
        char name[64] = {0};
        memcpy(name, data, (size_t)(line - data));
        op = tn_operator_find(name);
        tape.bytes = line + 1;
        tape.left = size - (size_t)(line + 1 - data);
    }
    if (!op)
        op = tn_operator_at(tape_below(&tape, tn_operator_count()));
    if (fuzz_is_seed(&tape, &tape.state)) {
        tape.left = 0;
    } else if (tape.left >= sizeof FUZZ_CHOICES - 1 && memcmp(tape.bytes, FUZZ_CHOICES, sizeof FUZZ_CHOICES - 1) == 0) {
        if (!(tape.written = written = malloc(tape.left + 1)))
            abort();
        memcpy(written, tape.bytes, tape.left);
        written[tape.left] = 0;
        tape.left = 0;
    }
    tape.record = fuzz_open_record(op);
    fuzz_once(&tape, op);
    if (tape.record)
        fclose(tape.record);
    free(written);
    return 0;
}
