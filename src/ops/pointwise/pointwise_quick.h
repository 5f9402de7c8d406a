/* pointwise_quick.h - the quick way of pointwise operators: small tensors, all contiguous, of one dtype and shape (or repeating
 * along the leading dimensions), and plain numbers. Only pointwise.c includes this file.
 *
 * No plan, and buffers only for numbers and repeated operands; one call of the loop. Everything else, and every error, is left
 * to the general way.
 */
#ifndef TNI_POINTWISE_QUICK_H
#define TNI_POINTWISE_QUICK_H

typedef struct pointwise_quick {
    const tn_tensor *first;
    tni_loop loop;
    tn_dtype result;
    bool numbers;
    void *data[TNI_OPERANDS]; /* the operands, after the place of the result; NULL for numbers */
    int64_t period;           /* repeated operands repeat after this many elements; 0: none does */
} pointwise_quick;

/* Whether a number beside a tensor leaves its dtype as it is. */
static bool pointwise_number_is_quiet(tn_scalar_kind kind, tn_dtype_kind of) {
    return kind == TN_SCALAR_BOOL || (kind == TN_SCALAR_INT && of >= TN_KIND_UNSIGNED) ||
           (kind == TN_SCALAR_FLOAT && of >= TN_KIND_FLOAT) || (kind == TN_SCALAR_COMPLEX && of == TN_KIND_COMPLEX);
}

/* Whether the operator and its first operand, which may be NULL, allow it. */
TNI_ALWAYS_INLINE bool pointwise_may_be_quick(const tni_pointwise_spec *spec, const tn_tensor *first) {
    static const unsigned plain = 1u << PROMOTE | 1u << FLOATING | 1u << COMPARE | 1u << LOGIC;
    static const unsigned looked_at =
        1u << CHECK_NOTHING | 1u << CHECK_NO_BOOL; /* below; other checks are left to the general way */
    if (!(plain >> spec->rule & looked_at >> spec->check & 1) || !first || first->numel > TNI_POINTWISE_GRAIN)
        return false;
    uint8_t kinds = spec->rule == FLOATING ? spec->kinds & (TNI_TAKES_FLOAT | TNI_TAKES_COMPLEX) : spec->kinds;
    return kinds & pointwise_kind_bit(first->dtype);
}

TNI_ALWAYS_INLINE tni_loop pointwise_quick_loop(const tni_pointwise_spec *spec, tn_dtype dtype) {
    return tni_kernels()->pointwise[spec->kernel * TN_DTYPE_COUNT + dtype];
}

TNI_ALWAYS_INLINE tn_dtype pointwise_quick_result(const tni_pointwise_spec *spec, tn_dtype dtype) {
    return spec->rule == COMPARE ? TN_BOOL : dtype;
}

/* The most common of these: all operands are tensors of one dtype and shape, with elements and strides as fresh ones have them.
 * Their addresses go to `data`, after the place of the result. NULL when it is another. */
TNI_ALWAYS_INLINE tni_loop pointwise_is_uniform(const tni_pointwise_spec *spec, const tni_pointwise_argument *arguments,
                                                void **data) {
    const tn_tensor *first = arguments[0].tensor;
    if (!pointwise_may_be_quick(spec, first) || !tni_tensor_is_plain(first))
        return NULL;
    data[1] = (void *)(uintptr_t)tni_tensor_first(first);
    for (int i = 1; i < spec->operands; i++) {
        const tn_tensor *tensor = arguments[i].tensor;
        if (!tensor || tensor->dtype != first->dtype || tensor->ndim != first->ndim || !tni_tensor_is_plain(tensor))
            return NULL;
        for (int d = 0; d < first->ndim; d++)
            if (tensor->sizes[d] != first->sizes[d])
                return NULL;
        data[i + 1] = (void *)(uintptr_t)tni_tensor_first(tensor);
    }
    return pointwise_quick_loop(spec, first->dtype);
}

/* Any of them. */
static bool pointwise_is_quick(const tni_pointwise_spec *spec, const tni_pointwise_argument *arguments,
                               pointwise_quick *quick) {
    const tn_tensor *first = arguments[0].tensor;
    if (!pointwise_may_be_quick(spec, first) || !tni_tensor_is_contiguous(first))
        return false;
    tn_dtype dtype = first->dtype;
    tn_dtype_kind kind = tni_dtypes[dtype].kind;
    quick->numbers = false;
    quick->period = 0;
    quick->data[1] = (void *)(uintptr_t)tni_tensor_read(first);
    uint8_t layout = atomic_load_explicit(&first->layout, memory_order_relaxed);
    bool alike = !(spec->kinds & LAYOUT_LIKE_SELF); /* strides that no element depends on do not count */
    for (int i = 1; i < spec->operands; i++) {
        const tn_tensor *tensor = arguments[i].tensor;
        if (!tensor) {
            if (!pointwise_number_is_quiet(arguments[i].number->kind, kind) ||
                (arguments[i].number->kind == TN_SCALAR_BOOL && spec->check == CHECK_NO_BOOL))
                return false;
            quick->numbers = true;
            quick->data[i + 1] = NULL;
            alike = false;
            continue;
        }
        layout &= atomic_load_explicit(&tensor->layout, memory_order_relaxed);
        if (tensor->dtype != dtype || tensor->ndim > first->ndim || !(layout & TNI_LAYOUT_CONTIGUOUS))
            return false;
        quick->data[i + 1] = (void *)(uintptr_t)tni_tensor_read(tensor);
        int64_t shift = first->ndim - tensor->ndim; /* fewer dimensions: it repeats along the leading ones */
        for (int64_t d = 0; d < tensor->ndim; d++)
            if (tensor->sizes[d] != first->sizes[d + shift])
                return false;
        alike &= shift == 0;
        if (tensor->numel != first->numel) {
            if (tensor->numel == 0 || first->numel > POINTWISE_REPEATS * tensor->numel ||
                (quick->period && quick->period != tensor->numel))
                return false;
            quick->period = tensor->numel;
        }
    }
    if (TNI_UNLIKELY((!alike && !(layout & TNI_LAYOUT_PLAIN)) || (quick->period && quick->numbers)))
        return false;
    quick->first = first;
    quick->loop = pointwise_quick_loop(spec, dtype);
    quick->result = pointwise_quick_result(spec, dtype);
    return quick->loop != NULL;
}

static TNI_NOINLINE void pointwise_quick_numbers(const tni_pointwise_spec *spec, pointwise_quick *quick,
                                                 const tni_pointwise_argument *arguments, const tni_parameters *parameters) {
    void **data = quick->data;
    _Alignas(64) char copies[POINTWISE_ARGUMENTS][POINTWISE_NUMBERS * 16];
    size_t item = tni_tensor_item_size(quick->first), result = tni_dtype_size(quick->result);
    int64_t left = quick->first->numel, block = tni_min_i64(left, POINTWISE_NUMBERS);
    for (int i = 1; i < spec->operands; i++)
        if (!arguments[i].tensor) {
            char one[16];
            tn_dtype_store(quick->first->dtype, one, *arguments[i].number);
            tni_fill_contiguous(copies[i], one, item, block);
            data[i + 1] = copies[i];
        }
    for (; left > 0; left -= block) {
        quick->loop(data, tni_min_i64(left, block), parameters);
        data[0] = (char *)data[0] + (size_t)block * result;
        for (int i = 0; i < spec->operands; i++)
            if (arguments[i].tensor)
                data[i + 1] = (char *)data[i + 1] + (size_t)block * item;
    }
}

/* A row that repeats, written out: each copy is as long as all before it. */
static void pointwise_repeat(char *target, const char *row, size_t bytes, size_t all) {
    memcpy(target, row, bytes);
    for (size_t done = bytes; done < all; done += bytes) {
        bytes = done < all - done ? done : all - done;
        memcpy(target + done, target, bytes);
    }
}

/* Operands with fewer dimensions are written out as often as they repeat, or, where that is much, given to the loop again for
 * every row of the others. */
static TNI_NOINLINE void pointwise_quick_rows(const tni_pointwise_spec *spec, pointwise_quick *quick,
                                              const tni_pointwise_argument *arguments, const tni_parameters *parameters) {
    int64_t period = quick->period, numel = quick->first->numel, item = (int64_t)tni_tensor_item_size(quick->first);
    int64_t steps[TNI_OPERANDS] = {period * (int64_t)tni_dtype_size(quick->result)};
    for (int i = 0; i < spec->operands; i++)
        steps[i + 1] = arguments[i].tensor->numel == numel ? period * item : 0;
    if (numel <= POINTWISE_NUMBERS) {
        _Alignas(64) char copies[POINTWISE_ARGUMENTS][POINTWISE_NUMBERS * 16];
        for (int i = 0; i < spec->operands; i++)
            if (steps[i + 1] == 0) {
                pointwise_repeat(copies[i], quick->data[i + 1], (size_t)(period * item), (size_t)(numel * item));
                quick->data[i + 1] = copies[i];
            }
        quick->loop(quick->data, numel, parameters);
        return;
    }
    for (int64_t left = numel; left > 0; left -= period) {
        quick->loop(quick->data, period, parameters);
        for (int k = 0; k <= spec->operands; k++)
            quick->data[k] = (char *)quick->data[k] + steps[k];
    }
}

static void pointwise_run_quick(const tni_pointwise_spec *spec, pointwise_quick *quick, void *out,
                                const tni_pointwise_argument *arguments, const tni_parameters *parameters) {
    quick->data[0] = out;
    if (quick->first->numel == 0)
        return;
    if (quick->numbers)
        pointwise_quick_numbers(spec, quick, arguments, parameters);
    else if (quick->period)
        pointwise_quick_rows(spec, quick, arguments, parameters);
    else
        quick->loop(quick->data, quick->first->numel, parameters);
}

/* In place: the result is the first operand itself, has the dtype and may be written to as it is. */
TNI_ALWAYS_INLINE bool pointwise_may_be_in_place(const tni_pointwise_spec *spec, const tn_tensor *out,
                                                 const tni_pointwise_argument *arguments) {
    return arguments[0].tensor == out && tni_tensor_is_writable(out) && pointwise_quick_result(spec, out->dtype) == out->dtype;
}

/* And no other operand shares bytes with it unless it is the same array of the same length. */
TNI_ALWAYS_INLINE bool pointwise_is_apart(const tni_pointwise_spec *spec, const tn_tensor *out,
                                          const tni_pointwise_argument *arguments, void *const *data) {
    const char *start = data[1];
    size_t bytes = (size_t)out->numel * tni_tensor_item_size(out);
    for (int i = 1; i < spec->operands && bytes > 0; i++) {
        const char *other = data[i + 1];
        if (other == start ? arguments[i].tensor->numel != out->numel : other && other < start + bytes && start < other + bytes)
            return false;
    }
    return true;
}

#endif
