/* tensors.h - tensors as the operator fuzzer wants them: any dtype, sizes from none to thousands of rows, strides that are
 * permuted, gapped, negative, zero or simply small (so that elements meet), over storages of their own or of an earlier
 * argument, some read-only, some shared lazily, some of a fixed size; and what can be known about them without the library: a
 * picture of the bytes and fields before a call, and elements read one by one.
 */
#ifndef FUZZ_TENSORS_H
#define FUZZ_TENSORS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tenon/tenon.h>

#include "tape.h"

enum { FUZZ_TENSORS = 48, FUZZ_RANK = 8, FUZZ_ELEMENTS = 1 << 16 };

typedef struct fuzz_shape {
    int64_t rank, sizes[FUZZ_RANK];
} fuzz_shape;

/* What the elements of a tensor should be. */
typedef enum fuzz_content { FUZZ_CALM = 0, FUZZ_WILD, FUZZ_POSITIONS, FUZZ_TRUTH, FUZZ_PORTIONS } fuzz_content;

/* One tensor that was made for a call, with the picture of it that was taken before the call. */
typedef struct fuzz_tensor {
    tn_tensor *tensor;
    tn_storage *twin; /* a lazy clone of its storage, or NULL: it must never change */
    const char *about;
    tn_dtype dtype;
    int64_t rank, offset, sizes[FUZZ_RANK], strides[FUZZ_RANK];
    tn_storage *storage;
    bool readonly, overlaps;
    uint32_t version;
    size_t bytes;
    unsigned char *copy; /* the bytes of its storage, one copy for each storage; NULL in later tensors over the same one */
} fuzz_tensor;

typedef struct fuzz_pool {
    fuzz_tape *tape;
    fuzz_shape shape; /* what most tensors of this call look like */
    tn_dtype dtype;
    fuzz_content content;
    int64_t count;
    fuzz_tensor tensors[FUZZ_TENSORS];
} fuzz_pool;

static int64_t fuzz_numel(const fuzz_shape *shape) {
    int64_t count = 1;
    for (int64_t k = 0; k < shape->rank; k++)
        if (__builtin_mul_overflow(count, shape->sizes[k], &count))
            return INT64_MAX;
    return count;
}

/* ---- sizes */

static fuzz_shape fuzz_shape_any(fuzz_tape *tape) {
    fuzz_shape shape = {0};
    int64_t kind = tape_below(tape, 100), most = FUZZ_ELEMENTS;
    if (kind < 55) { /* small */
        shape.rank = tape_below(tape, 5);
        for (int64_t k = 0; k < shape.rank; k++)
            shape.sizes[k] = tape_between(tape, 1, 6);
    } else if (kind < 75) { /* thousands of results, inner sizes up to 64 */
        shape.rank = tape_between(tape, 2, 4);
        for (int64_t k = shape.rank - 1; k >= 0; k--) {
            int64_t limit = k == shape.rank - 1 ? 64 : k == 0 ? 4096 : 40;
            shape.sizes[k] = tape_between(tape, 1, limit < most ? limit : most);
            if (k && tape_chance(tape, 50)) { /* about a power of two, where blocks begin and end */
                int64_t near = (INT64_C(1) << tape_below(tape, 7)) + tape_between(tape, -1, 1);
                shape.sizes[k] = near < 1 ? 1 : near > most ? most : near;
            }
            most /= shape.sizes[k];
        }
    } else if (kind < 82) { /* one long line */
        shape.rank = 1;
        shape.sizes[0] = tape_between(tape, 1, 9000);
    } else if (kind < 92) { /* no elements */
        shape.rank = tape_between(tape, 1, 4);
        for (int64_t k = 0; k < shape.rank; k++)
            shape.sizes[k] = tape_between(tape, 0, 4);
        shape.sizes[tape_below(tape, shape.rank)] = 0;
    } else { /* more dimensions than fit inside the object */
        shape.rank = tape_between(tape, 5, FUZZ_RANK);
        for (int64_t k = 0; k < shape.rank; k++)
            shape.sizes[k] = tape_between(tape, 1, 3);
    }
    return shape;
}

/* The shape of the call, one that broadcasts with it, one that nearly fits, or another one. */
static fuzz_shape fuzz_shape_like(fuzz_tape *tape, const fuzz_shape *common) {
    fuzz_shape shape = *common;
    int64_t kind = tape_below(tape, 100);
    if (kind < 62)
        return shape;
    if (kind >= 94)
        return fuzz_shape_any(tape);
    if (kind < 84) {
        int64_t dropped = tape_chance(tape, 40) ? tape_between(tape, 0, shape.rank) : 0;
        shape.rank -= dropped;
        memmove(shape.sizes, shape.sizes + dropped, (size_t)shape.rank * sizeof shape.sizes[0]);
        for (int64_t k = 0; k < shape.rank; k++)
            if (tape_chance(tape, 30))
                shape.sizes[k] = 1;
    } else if (shape.rank) {
        shape.sizes[tape_below(tape, shape.rank)] = tape_between(tape, 0, 5);
    }
    return shape;
}

/* ---- elements */

static void fuzz_fill(fuzz_tape *tape, void *at, tn_dtype dtype, int64_t count, fuzz_content content, int64_t bound) {
    static const double wild[] = {(double)NAN,
                                  (double)INFINITY,
                                  -(double)INFINITY,
                                  0.0,
                                  -0.0,
                                  1e300,
                                  -1e300,
                                  1e-310,
                                  6.5e4,
                                  3e38,
                                  -129,
                                  255.5,
                                  2147483648.0,
                                  1.0,
                                  -1.0,
                                  9.3e18,
                                  1.9e19,
                                  0.5,
                                  -2.5,
                                  2.0};
    size_t size = tn_dtype_size(dtype);
    uint64_t seed = tape_word(tape);
    fuzz_tape own = {.state = seed}; /* elements would use up the bytes */
    for (int64_t i = 0; i < count; i++) {
        char *element = (char *)at + (size_t)i * size;
        uint64_t random = tape_random(&own);
        if (content == FUZZ_WILD && dtype != TN_BOOL && random % 3 == 0) { /* any bits */
            for (size_t k = 0; k < size; k++)
                element[k] = (char)(tape_random(&own) >> 40);
            continue;
        }
        tn_scalar value;
        switch (content) {
        case FUZZ_WILD: value = tn_scalar_float(wild[random / 3 % (sizeof wild / sizeof wild[0])]); break;
        case FUZZ_POSITIONS: value = tn_scalar_int((int64_t)(random % (uint64_t)(bound > 0 ? bound : 1))); break;
        case FUZZ_TRUTH: value = tn_scalar_bool(random & 1); break;
        case FUZZ_PORTIONS: value = tn_scalar_float((double)(random % 17) / 16); break;
        default: /* sums of them are exact in any order */
            value = tn_dtype_is_complex(dtype)    ? tn_scalar_complex((double)(random % 13) - 4, (double)(random >> 8 & 3) - 1)
                    : tn_dtype_is_floating(dtype) ? tn_scalar_float((double)(random % 49) / 4 - 4)
                    : tn_dtype_is_signed(dtype)   ? tn_scalar_int((int64_t)(random % 13) - 4)
                                                  : tn_scalar_int((int64_t)(random % 9));
        }
        tn_dtype_store(dtype, element, value);
    }
}

static tn_dtype fuzz_dtype_any(fuzz_tape *tape) { return (tn_dtype)tape_between(tape, 1, TN_DTYPE_COUNT - 1); }

/* ---- one tensor */

/* Strides for these sizes, and the lowest and highest place that they reach from the offset. */
static void fuzz_strides(fuzz_tape *tape, const fuzz_shape *shape, int64_t *strides, int64_t *low, int64_t *high) {
    int64_t kind = tape_below(tape, 100), order[FUZZ_RANK], step = 1;
    for (int64_t k = 0; k < shape->rank; k++)
        order[k] = shape->rank - 1 - k;
    if (kind >= 35)
        for (int64_t k = shape->rank - 1; k > 0; k--) {
            int64_t other = tape_below(tape, k + 1), kept = order[k];
            order[k] = order[other];
            order[other] = kept;
        }
    for (int64_t k = 0; k < shape->rank; k++) {
        int64_t d = order[k], size = shape->sizes[d];
        strides[d] = step;
        if (kind >= 55 && kind < 80) { /* gaps, either direction */
            strides[d] = step *= tape_between(tape, 1, 3);
            if (tape_chance(tape, 30))
                strides[d] = -strides[d];
        } else if (kind >= 80 && kind < 90) { /* expanded */
            if (tape_chance(tape, 50))
                strides[d] = 0;
        } else if (kind >= 90) { /* elements meet */
            strides[d] = tape_between(tape, -2, 3);
        }
        if (size > 1 && (kind < 80 || strides[d] == step))
            step *= size;
    }
    bool empty = fuzz_numel(shape) == 0;
    for (int64_t k = 0; k < shape->rank; k++) /* a stride that no index uses is any number */
        if ((empty || shape->sizes[k] == 1) && tape_chance(tape, 6))
            strides[k] = tape_chance(tape, 50) ? INT64_MIN >> tape_below(tape, 4) : INT64_MAX >> tape_below(tape, 4);
    *low = *high = 0;
    for (int64_t k = 0; k < shape->rank && !empty; k++)
        if (shape->sizes[k] > 1)
            *(strides[k] < 0 ? low : high) += strides[k] * (shape->sizes[k] - 1);
}

static tn_tensor *fuzz_add(fuzz_pool *pool, tn_tensor *tensor, const char *about) {
    if (tensor && pool->count < FUZZ_TENSORS)
        pool->tensors[pool->count++] = (fuzz_tensor){.tensor = tensor, .about = about};
    return tensor;
}

/* A view of the storage of an earlier tensor of the call; NULL where the shape does not fit there. */
static tn_tensor *fuzz_tensor_over(fuzz_pool *pool, const fuzz_shape *shape) {
    const fuzz_tensor *earlier = &pool->tensors[tape_below(pool->tape, pool->count)];
    tn_storage *storage = tn_storage_of(earlier->tensor);
    tn_dtype dtype = tape_chance(pool->tape, 90) ? tn_dtype_of(earlier->tensor) : fuzz_dtype_any(pool->tape);
    int64_t strides[FUZZ_RANK], low, high, places = (int64_t)(tn_storage_nbytes(storage) / tn_dtype_size(dtype));
    fuzz_strides(pool->tape, shape, strides, &low, &high);
    if (high - low + 1 > places)
        return NULL;
    int64_t offset = -low + tape_between(pool->tape, 0, places - (high - low + 1));
    if (dtype == TN_BOOL && tn_dtype_of(earlier->tensor) != TN_BOOL) /* bytes other than 0 and 1 are not bools */
        return NULL;
    return tn_from_storage(storage, offset, (tn_dims){shape->sizes, shape->rank}, (tn_dims){strides, shape->rank}, dtype);
}

static tn_tensor *fuzz_tensor_new(fuzz_pool *pool, const fuzz_shape *shape, tn_dtype dtype, fuzz_content content,
                                  int64_t bound) {
    fuzz_tape *tape = pool->tape;
    int64_t strides[FUZZ_RANK], low, high;
    fuzz_strides(tape, shape, strides, &low, &high);
    int64_t before = tape_chance(tape, 50) ? tape_below(tape, 6) : 0, after = tape_chance(tape, 50) ? tape_below(tape, 6) : 0;
    int64_t places = before + (high - low + 1) + after;
    if (fuzz_numel(shape) == 0 && tape_chance(tape, 60))
        places = before = 0;
    tn_storage *storage = tn_storage_create((size_t)places * tn_dtype_size(dtype), dtype, NULL);
    if (!storage)
        return NULL;
    if (places)
        fuzz_fill(tape, tn_storage_mutable_data(storage), dtype, places, content, bound);
    return tn_from_storage(storage, before - low, (tn_dims){shape->sizes, shape->rank}, (tn_dims){strides, shape->rank}, dtype);
}

/* One element seen more often than memory could hold. */
static tn_tensor *fuzz_tensor_huge(fuzz_pool *pool, tn_dtype dtype) {
    int64_t sizes[3], strides[3] = {0}, rank = tape_between(pool->tape, 1, 3);
    int64_t shift = tape_between(pool->tape, 30, 62);
    for (int64_t k = 0; k < rank; k++)
        sizes[k] = 1;
    sizes[tape_below(pool->tape, rank)] = (INT64_C(1) << shift) - tape_below(pool->tape, 2);
    sizes[0] *= sizes[0] == 1 && shift < 60 ? 3 : 1;
    tn_storage *storage = tn_storage_create(tn_dtype_size(dtype), dtype, NULL);
    if (!storage)
        return NULL;
    fuzz_fill(pool->tape, tn_storage_mutable_data(storage), dtype, 1, FUZZ_CALM, 0);
    return tn_from_storage(storage, 0, (tn_dims){sizes, rank}, (tn_dims){strides, rank}, dtype);
}

/* A tensor argument. `alias`: in how many of 100 cases it shares memory with an earlier one, or is an earlier one. */
static tn_tensor *fuzz_tensor_any(fuzz_pool *pool, tn_dtype dtype, fuzz_content content, int64_t bound, int alias, int huge,
                                  const char *about) {
    fuzz_tape *tape = pool->tape;
    fuzz_shape shape = fuzz_shape_like(tape, &pool->shape);
    if (tape_chance(tape, huge))
        return fuzz_add(pool, fuzz_tensor_huge(pool, dtype), about);
    if (pool->count && tape_chance(tape, alias)) {
        if (tape_chance(tape, 35))
            return pool->tensors[tape_below(tape, pool->count)].tensor;
        tn_tensor *over = fuzz_tensor_over(pool, &shape);
        if (over)
            return fuzz_add(pool, over, about);
        tn_error_clear();
    }
    tn_tensor *tensor = fuzz_add(pool, fuzz_tensor_new(pool, &shape, dtype, content, bound), about);
    if (!tensor)
        return NULL;
    switch (tape_below(tape, 24)) {
    case 0: tn_storage_set_readonly(tn_storage_of(tensor)); break;
    case 1: tn_set_readonly(tensor); break;
    case 2: tn_storage_set_resizable(tn_storage_of(tensor), false); break;
    case 3: pool->tensors[pool->count - 1].twin = tn_storage_lazy_clone(tn_storage_of(tensor)); break;
    }
    return tensor;
}

/* ---- what a tensor is, before and after */

static void fuzz_picture(fuzz_pool *pool) {
    for (int64_t i = 0; i < pool->count; i++) {
        fuzz_tensor *t = &pool->tensors[i];
        t->dtype = tn_dtype_of(t->tensor);
        t->rank = tn_ndim(t->tensor);
        t->offset = tn_storage_offset(t->tensor);
        memcpy(t->sizes, tn_sizes(t->tensor).values, (size_t)t->rank * sizeof t->sizes[0]);
        memcpy(t->strides, tn_strides(t->tensor).values, (size_t)t->rank * sizeof t->strides[0]);
        t->storage = tn_storage_retain(tn_storage_of(t->tensor)); /* set_ may leave it behind */
        t->readonly = tn_is_readonly(t->tensor);
        t->overlaps = tn_numel(t->tensor) > FUZZ_ELEMENTS || tn_overlaps_itself(t->tensor);
        t->version = tn_storage_version(t->storage);
        t->bytes = tn_storage_nbytes(t->storage);
        bool seen = false;
        for (int64_t k = 0; k < i; k++)
            seen |= pool->tensors[k].storage == t->storage;
        if (!seen && (t->copy = malloc(t->bytes + 1)) != NULL && t->bytes)
            memcpy(t->copy, tn_storage_data(t->storage), t->bytes);
    }
}

static void fuzz_forget(fuzz_pool *pool) {
    for (int64_t i = 0; i < pool->count; i++) {
        free(pool->tensors[i].copy);
        tn_storage_release(pool->tensors[i].storage);
    }
    pool->count = 0;
}

static bool fuzz_same_fields(const fuzz_tensor *t) {
    return tn_dtype_of(t->tensor) == t->dtype && tn_ndim(t->tensor) == t->rank && tn_storage_offset(t->tensor) == t->offset &&
           (t->rank == 0 || (memcmp(tn_sizes(t->tensor).values, t->sizes, (size_t)t->rank * sizeof t->sizes[0]) == 0 &&
                             memcmp(tn_strides(t->tensor).values, t->strides, (size_t)t->rank * sizeof t->strides[0]) == 0)) &&
           tn_storage_of(t->tensor) == t->storage && tn_is_readonly(t->tensor) == t->readonly;
}

/* Steps through the elements of a tensor in row-major order. */
typedef struct fuzz_walk {
    const char *data;
    int64_t rank, left, place, sizes[TN_MAX_DIMS], strides[TN_MAX_DIMS], index[TN_MAX_DIMS];
    size_t size;
    tn_dtype dtype;
} fuzz_walk;

static fuzz_walk fuzz_walk_of(const char *data, tn_dtype dtype, int64_t offset, tn_dims sizes, tn_dims strides) {
    fuzz_walk walk = {
        .data = data, .rank = sizes.count, .left = 1, .place = offset, .size = tn_dtype_size(dtype), .dtype = dtype};
    for (int64_t k = 0; k < sizes.count; k++) {
        walk.sizes[k] = sizes.values[k];
        walk.strides[k] = sizes.values[k] > 1 ? strides.values[k] : 0; /* which may be any number where no index uses it */
        walk.left *= sizes.values[k];
    }
    return walk;
}

static fuzz_walk fuzz_walk_begin(const tn_tensor *tensor) {
    return fuzz_walk_of(tn_storage_data(tn_storage_of(tensor)), tn_dtype_of(tensor), tn_storage_offset(tensor),
                        tn_sizes(tensor), tn_strides(tensor));
}

/* The place of the next element in the storage, -1 after the last. */
static int64_t fuzz_walk_place(fuzz_walk *walk) {
    if (walk->left-- <= 0)
        return -1;
    int64_t place = walk->place;
    for (int64_t k = walk->rank - 1; k >= 0; k--) {
        walk->place += walk->strides[k];
        if (++walk->index[k] < walk->sizes[k])
            break;
        walk->place -= walk->strides[k] * walk->sizes[k];
        walk->index[k] = 0;
    }
    return place;
}

static const char *fuzz_walk_next(fuzz_walk *walk) {
    int64_t place = fuzz_walk_place(walk);
    return place < 0 ? NULL : walk->data + place * (int64_t)walk->size;
}

/* A tensor of the same sizes and elements over memory of its own, in row-major order; NULL for one that is too large. */
static tn_tensor *fuzz_fresh(const tn_tensor *tensor) {
    if (tn_numel(tensor) > 2 * FUZZ_ELEMENTS)
        return NULL;
    tn_tensor *fresh = tn_empty(tn_sizes(tensor), tn_dtype_of(tensor));
    char *to = tn_storage_mutable_data(tn_storage_of(fresh));
    fuzz_walk walk = fuzz_walk_begin(tensor);
    for (const char *from; (from = fuzz_walk_next(&walk)) != NULL; to += walk.size)
        memcpy(to, from, walk.size);
    return fresh;
}

static void fuzz_describe_dims(const char *before, const int64_t *values, int64_t count) {
    fprintf(stderr, "%s[", before);
    for (int64_t k = 0; k < count; k++)
        fprintf(stderr, "%s%lld", k ? ", " : "", (long long)values[k]);
    fprintf(stderr, "]");
}

static void fuzz_describe(const fuzz_pool *pool) {
    for (int64_t i = 0; i < pool->count; i++) {
        const fuzz_tensor *t = &pool->tensors[i];
        int64_t shared = i;
        for (int64_t k = i - 1; k >= 0; k--)
            if (pool->tensors[k].storage == t->storage)
                shared = k;
        fprintf(stderr, "    t%lld (%s): %s", (long long)i, t->about, tn_dtype_name(t->dtype));
        fuzz_describe_dims(" sizes ", t->sizes, t->rank);
        fuzz_describe_dims(" strides ", t->strides, t->rank);
        fprintf(stderr, " offset %lld, storage of t%lld, %zu bytes%s%s%s%s\n", (long long)t->offset, (long long)shared,
                t->bytes, t->readonly ? ", read-only" : "", t->overlaps ? ", overlaps itself" : "",
                t->twin ? ", lazily cloned" : "", tn_storage_resizable(t->storage) ? "" : ", not resizable");
    }
}

#endif
