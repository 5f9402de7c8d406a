/* prepack.c - handles of weights that are packed once; see tenon/prepack.h.
 *
 * A handle is a reference to the weight, what the weight was when it was packed, and its panels (iterate/product_packed.h), which are a
 * tensor of bytes. The calls that take one are the operators: while they run, the thread offers the panels to the engine.
 */
#include <tenon/prepack.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/scope.h"
#include "iterate/product_packed.h"
#include "memory/storage.h"
#include "operators_product.h"
#include "ops/product/product_call.h"

struct tn_prepacked {
    tni_object object;
    tn_tensor *weight; /* held */
    tn_tensor *bytes;  /* of the panels; NULL where there are none */
    tn_prepack_use use;
    const void *storage; /* what the weight was: its storage, version, and place there */
    uint32_t version;
    tni_packed packed;
};

static void prepacked_destroy(tni_object *object) {
    tn_prepacked *packed = (tn_prepacked *)object;
    tni_tensor_release(packed->bytes);
    tni_object_drop(&packed->weight->object);
    object->class = &tni_dead_class;
    tni_heap_free(packed, sizeof *packed);
}

static const tni_class prepacked_class = {"prepacked", prepacked_destroy};

static bool prepacked_check(const tn_prepacked *packed, const char *argument) {
    return tni_object_check((const tni_object *)packed, &prepacked_class, argument);
}

/* ---- making one */

static bool prepack_takes(const tn_tensor *weight, tn_prepack_use use) {
    if (!tni_tensor_check(weight, "weight"))
        return false;
    if (use != TN_PREPACK_LINEAR && use != TN_PREPACK_MATMUL)
        tni_raise(TN_ERROR_ARGUMENT, "use = %d is neither TN_PREPACK_LINEAR nor TN_PREPACK_MATMUL", (int)use);
    else if (tni_tensor_device(weight).type != TN_CPU)
        tni_raise(TN_ERROR_DEVICE, "weight %s is on device %s: weights are packed for the CPU", tni_show_tensor(weight),
                  tn_device_type_name(tni_tensor_device(weight).type));
    else if (weight->dtype == TN_BOOL)
        tni_raise(TN_ERROR_DTYPE, "weight %s is bool, of which there are no products: convert it with to",
                  tni_show_tensor(weight));
    else
        return tni_product_check_rank((tni_product_argument){weight, "weight"}, 2);
    return false;
}

/* The stride along a dimension; of one of size 1 any number. */
static int64_t prepack_stride(const tn_tensor *weight, int64_t dim) {
    return weight->sizes[dim] > 1 ? weight->strides[dim] : 0;
}

/* Panels, where there are any numbers; false, raised, without memory. */
static bool prepack_fill(tn_prepacked *made) {
    const tn_tensor *weight = made->weight;
    int64_t k = made->use == TN_PREPACK_LINEAR ? 1 : 0, n = 1 - k;
    tni_packed_begin(&made->packed, weight->sizes[k], weight->sizes[n], prepack_stride(weight, k), prepack_stride(weight, n),
                     weight->dtype);
    if (weight->numel == 0)
        return true;
    int64_t bytes = (int64_t)tni_packed_bytes(&made->packed) + 64;
    made->bytes = tni_tensor_new(1, &bytes, TN_UINT8, TN_DEVICE_CPU);
    if (!made->bytes)
        return false;
    char *panels = (char *)tni_tensor_write(made->bytes);
    made->packed.data = tni_tensor_read(weight);
    made->packed.panels = panels + (64 - (uintptr_t)panels % 64) % 64;
    return tni_packed_fill(&made->packed);
}

static tn_prepacked *prepack_make(const tn_tensor *weight, tn_prepack_use use) {
    tn_prepacked *made = prepack_takes(weight, use) ? tni_heap_calloc(sizeof *made) : NULL;
    if (!made)
        return NULL;
    tni_object_init(&made->object, &prepacked_class);
    made->weight = (tn_tensor *)(uintptr_t)weight;
    tni_object_hold(&made->weight->object);
    made->use = use;
    made->storage = weight->storage;
    made->version = tni_storage_version(weight->storage);
    if (prepack_fill(made))
        return made;
    tni_object_release(&made->object);
    return NULL;
}

tn_prepacked *tn_prepack(const tn_tensor *weight, tn_prepack_use use) {
    const char *outer = tni_operator_enter("prepack");
    tn_prepacked *made = prepack_make(weight, use);
    tni_operator_leave(outer);
    if (tni_cancel_ends(tni_thread_current, outer) && made) {
        tni_object_release(&made->object);
        made = NULL;
    }
    return made ? tni_scope_adopt(made) : NULL;
}

tn_prepacked *tn_prepacked_retain(tn_prepacked *packed) {
    if (packed && prepacked_check(packed, "packed"))
        tni_object_retain(&packed->object);
    return packed;
}

void tn_prepacked_release(tn_prepacked *packed) {
    if (packed && prepacked_check(packed, "packed"))
        tni_scope_release(&packed->object, "prepacked_release");
}

tn_prepacked *tn_prepacked_keep(tn_prepacked *packed) {
    if (packed && prepacked_check(packed, "packed"))
        (void)tni_scope_forget(&packed->object);
    return packed;
}

/* ---- asking it */

const tn_tensor *tn_prepacked_weight(const tn_prepacked *packed) {
    return packed && prepacked_check(packed, "packed") ? packed->weight : NULL;
}

size_t tn_prepacked_nbytes(const tn_prepacked *packed) {
    return packed && prepacked_check(packed, "packed") && packed->bytes ? tni_packed_bytes(&packed->packed) : 0;
}

/* The same elements of the same storage, of which nobody has written any since. */
/* Whether the weight still is the tensor that was packed, whatever its elements are now. */
static bool prepacked_is_same(const tn_prepacked *packed) {
    const tn_tensor *weight = packed->weight;
    const tni_packed *was = &packed->packed;
    int64_t k = packed->use == TN_PREPACK_LINEAR ? 1 : 0, n = 1 - k;
    return weight->storage == packed->storage && weight->ndim == 2 && (tn_dtype)weight->dtype == was->dtype &&
           weight->sizes[k] == was->k && weight->sizes[n] == was->n &&
           (weight->numel == 0 || (prepack_stride(weight, k) == was->row && prepack_stride(weight, n) == was->column &&
                                   (const void *)tni_tensor_read(weight) == was->data));
}

static bool prepacked_is_current(const tn_prepacked *packed) {
    return prepacked_is_same(packed) && tni_storage_version(packed->weight->storage) == packed->version;
}

bool tn_prepacked_is_current(const tn_prepacked *packed) {
    return packed && prepacked_check(packed, "packed") && prepacked_is_current(packed);
}

/* ---- using it */

static bool prepacked_serves(const tn_prepacked *packed, tn_prepack_use use, const char *function) {
    const char *outer = tni_operator_enter(function);
    bool serves = prepacked_check(packed, "weight");
    if (serves && packed->use != use) {
        tni_raise(TN_ERROR_ARGUMENT, "weight %s was packed for %s: prepack it for %s", tni_show_tensor(packed->weight),
                  use == TN_PREPACK_LINEAR ? "matmul" : "linear", use == TN_PREPACK_LINEAR ? "linear" : "matmul");
        serves = false;
    } else if (serves && !prepacked_is_current(packed)) {
        uint32_t version = tni_storage_version(packed->weight->storage);
        if (prepacked_is_same(packed))
            tni_raise(
                TN_ERROR_STATE,
                "weight %s was written after it was packed: its storage has version %u, and %u was packed; prepack it again",
                tni_show_tensor(packed->weight), (unsigned)version, (unsigned)packed->version);
        else
            tni_raise(TN_ERROR_STATE, "weight %s is another one since it was packed: prepack it again",
                      tni_show_tensor(packed->weight));
        serves = false;
    }
    tni_operator_leave(outer);
    return serves;
}

tn_tensor *(tn_linear_prepacked)(const tn_tensor *input, const tn_prepacked *weight, const tn_tensor *bias,
                                 const char *activation, const tn_tensor *residual, tn_scalar scale) {
    if (!prepacked_serves(weight, TN_PREPACK_LINEAR, "linear_prepacked"))
        return NULL;
    const tni_packed *before = tni_packed_offer(&weight->packed);
    tn_tensor *made = tn_linear_fused(input, weight->weight, bias, activation ? activation : "none", residual, scale);
    tni_packed_offer(before);
    return made;
}

tn_tensor *(tn_linear_prepacked_out)(tn_tensor *out, const tn_tensor *input, const tn_prepacked *weight, const tn_tensor *bias,
                                     const char *activation, const tn_tensor *residual, tn_scalar scale) {
    if (!prepacked_serves(weight, TN_PREPACK_LINEAR, "linear_prepacked"))
        return NULL;
    const tni_packed *before = tni_packed_offer(&weight->packed);
    tn_tensor *made = tn_linear_fused_out(out, input, weight->weight, bias, activation ? activation : "none", residual, scale);
    tni_packed_offer(before);
    return made;
}

tn_tensor *tn_matmul_prepacked(const tn_tensor *input, const tn_prepacked *weight) {
    if (!prepacked_serves(weight, TN_PREPACK_MATMUL, "matmul_prepacked"))
        return NULL;
    const tni_packed *before = tni_packed_offer(&weight->packed);
    tn_tensor *made = tn_matmul(input, weight->weight);
    tni_packed_offer(before);
    return made;
}

tn_tensor *tn_matmul_prepacked_out(tn_tensor *out, const tn_tensor *input, const tn_prepacked *weight) {
    if (!prepacked_serves(weight, TN_PREPACK_MATMUL, "matmul_prepacked"))
        return NULL;
    const tni_packed *before = tni_packed_offer(&weight->packed);
    tn_tensor *made = tn_matmul_out(out, input, weight->weight);
    tni_packed_offer(before);
    return made;
}
