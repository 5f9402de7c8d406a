/* explain.c - why a shape can, or cannot, be had without a copy: one sentence with the numbers in it.
 *
 * Invariant: the answer is tn_geometry_view's. It finds the reason in a way of its own: where two neighbours (dimensions of
 * size 1 aside) do not merge, the elements after that seam must be a whole number of new dimensions. A seam that lies inside
 * a new dimension is why there is no view.
 */
#include <stdarg.h>
#include <stdio.h>

#include <tenon/geometry.h>

#include "base/common.h"

/* Text into a caller's buffer that counts on when the buffer is full. */
typedef struct explain_text {
    char *buffer;
    size_t size, length;
} explain_text;

static void explain_say(explain_text *text, const char *format, ...) TN_PRINTF(2, 3);

static void explain_say(explain_text *text, const char *format, ...) {
    size_t room = text->length < text->size ? text->size - text->length : 0;
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(room ? text->buffer + text->length : NULL, room, format, arguments);
    va_end(arguments);
    if (written > 0)
        text->length += (size_t)written;
}

static void explain_say_dims(explain_text *text, int64_t count, const int64_t *values) {
    explain_say(text, "[");
    for (int64_t k = 0; k < count; k++)
        explain_say(text, "%s%" PRId64, k ? ", " : "", values[k]);
    explain_say(text, "]");
}

/* The dimension of the new shape in whose inside the seam lies that has `after` elements behind it; -1 when the seam lies
 * between two of them. */
static int64_t explain_crossing(const tn_geometry *to, int64_t after) {
    int64_t product = 1;
    for (int64_t n = to->ndim - 1; n >= 0; n--) {
        if (product == after)
            return -1;
        product *= to->sizes[n];
        if (product > after)
            return n;
    }
    return -1;
}

static void explain_find_seam(tn_geometry_ref from, const tn_geometry *to, tn_geometry_explanation *why) {
    int64_t second = -1, after = 1; /* the elements behind the dimension now looked at */
    for (int64_t first = from.ndim - 1; first >= 0; first--) {
        if (from.sizes[first] == 1)
            continue;
        if (second >= 0) {
            int64_t span;
            bool overflow = tni_mul_overflows(from.sizes[second], from.strides[second], &span);
            int64_t wanted = overflow || from.strides[first] != span ? explain_crossing(to, after) : -1;
            if (wanted >= 0) {
                why->wanted = wanted;
                why->first = first;
                why->second = second;
                why->actual = from.strides[first];
                why->expected = !overflow ? span : from.strides[second] < 0 ? INT64_MIN : INT64_MAX;
                return;
            }
        }
        second = first;
        after *= from.sizes[first];
    }
}

static void explain_say_seam(explain_text *text, tn_geometry_ref from, const tn_geometry *to,
                             const tn_geometry_explanation *why) {
    int64_t size = from.sizes[why->second], stride = from.strides[why->second], span;
    explain_say(text, "dimensions %" PRId64 " and %" PRId64, why->first, why->second);
    if (why->second > why->first + 1)
        explain_say(text, " (between them are only sizes of 1)");
    explain_say(text, " must merge to make dimension %" PRId64 " of ", why->wanted);
    explain_say_dims(text, to->ndim, to->sizes);
    explain_say(
        text, ", but stride[%" PRId64 "] = %" PRId64 " is not size[%" PRId64 "] * stride[%" PRId64 "] = %" PRId64 " * %" PRId64,
        why->first, why->actual, why->second, why->second, size, stride);
    if (tni_mul_overflows(size, stride, &span))
        explain_say(text, ", which is more than 64 bits can hold");
    else
        explain_say(text, " = %" PRId64, span);
}

static void explain_say_numel(explain_text *text, tn_geometry_ref from, tn_dims shape) {
    int64_t numel = 0, held = 1;
    bool open = false, overflow = false, empty = false;
    for (int64_t d = 0; d < shape.count; d++) {
        open |= shape.values[d] == -1;
        empty |= shape.values[d] == 0;
        if (shape.values[d] != -1)
            overflow |= tni_mul_overflows(held, shape.values[d], &held);
    }
    tn_geometry_numel(from.ndim, from.sizes, &numel);
    explain_say_dims(text, shape.count, shape.values);
    if (overflow && !empty)
        explain_say(text, " holds more elements than 64 bits can count");
    else if (open)
        explain_say(text, " holds a multiple of %" PRId64 " elements", empty ? 0 : held);
    else
        explain_say(text, " holds %" PRId64 " element%s", empty ? 0 : held, held == 1 ? "" : "s");
    explain_say(text, ", but ");
    explain_say_dims(text, from.ndim, from.sizes);
    explain_say(text, " has %" PRId64, numel);
}

size_t tn_geometry_explain(tn_geometry_ref from, tn_dims shape, tn_geometry_explanation *explanation, char *buffer,
                           size_t size) {
    explain_text text = {buffer, size, 0};
    tn_geometry to;
    tn_geometry_explanation why = {tn_geometry_view(from, shape, &to), -1, -1, -1, 0, 0};
    switch (why.result) {
    case TN_GEOMETRY_OK:
        explain_say_dims(&text, from.ndim, from.sizes);
        explain_say(&text, " with strides ");
        explain_say_dims(&text, from.ndim, from.strides);
        explain_say(&text, " is ");
        explain_say_dims(&text, to.ndim, to.sizes);
        explain_say(&text, " with strides ");
        explain_say_dims(&text, to.ndim, to.strides);
        explain_say(&text, ": no copy is needed");
        break;
    case TN_GEOMETRY_NOT_A_VIEW:
        explain_find_seam(from, &to, &why);
        explain_say_seam(&text, from, &to, &why);
        break;
    case TN_GEOMETRY_NUMEL: explain_say_numel(&text, from, shape); break;
    case TN_GEOMETRY_RANK:
        explain_say(&text, "a shape of %" PRId64 " dimensions is asked for, and %d are possible", shape.count, TN_MAX_DIMS);
        break;
    default:
        explain_say_dims(&text, shape.count, shape.values);
        explain_say(&text, " is not possible: %s", tn_geometry_result_text(why.result));
    }
    if (explanation)
        *explanation = why;
    return text.length;
}
