/* explain.c - why a shape is possible without a copy, or not: one sentence with the numbers.
 *
 * Invariant: the answer is tn_geometry_view's. It finds the reason in its own way: where two neighbours (dimensions of size 1
 * aside) do not merge, the elements after that seam must be a whole number of new dimensions. A seam inside a new dimension is
 * the reason why there is no view.
 */
#include <stdarg.h>
#include <stdio.h>

#include <tenon/geometry.h>

#include "base/say.h"

static void explain_say_dims(tni_said *text, int64_t count, const int64_t *values) {
    tni_say(text, "[");
    for (int64_t k = 0; k < count; k++)
        tni_say(text, "%s%" PRId64, k ? ", " : "", values[k]);
    tni_say(text, "]");
}

/* The dimension of the new shape that contains the seam with `after` elements after it; -1 when the seam is between two
 * dimensions. */
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
    int64_t second = -1, after = 1; /* the elements after the current dimension */
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

static void explain_say_seam(tni_said *text, tn_geometry_ref from, const tn_geometry *to, const tn_geometry_explanation *why) {
    int64_t size = from.sizes[why->second], stride = from.strides[why->second], span;
    tni_say(text, "dimensions %" PRId64 " and %" PRId64, why->first, why->second);
    if (why->second > why->first + 1)
        tni_say(text, " (between them are only sizes of 1)");
    tni_say(text, " must merge to make dimension %" PRId64 " of ", why->wanted);
    explain_say_dims(text, to->ndim, to->sizes);
    tni_say(text,
            ", but stride[%" PRId64 "] = %" PRId64 " is not size[%" PRId64 "] * stride[%" PRId64 "] = %" PRId64 " * %" PRId64,
            why->first, why->actual, why->second, why->second, size, stride);
    if (tni_mul_overflows(size, stride, &span))
        tni_say(text, ", which is more than 64 bits can hold");
    else
        tni_say(text, " = %" PRId64, span);
}

static void explain_say_numel(tni_said *text, tn_geometry_ref from, tn_dims shape) {
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
        tni_say(text, " holds more elements than 64 bits can count");
    else if (open)
        tni_say(text, " holds a multiple of %" PRId64 " elements", empty ? 0 : held);
    else
        tni_say(text, " holds %" PRId64 " element%s", empty ? 0 : held, held == 1 ? "" : "s");
    tni_say(text, ", but ");
    explain_say_dims(text, from.ndim, from.sizes);
    tni_say(text, " has %" PRId64, numel);
}

size_t tn_geometry_explain(tn_geometry_ref from, tn_dims shape, tn_geometry_explanation *explanation, char *buffer,
                           size_t size) {
    tni_said text = {buffer, size, 0};
    tn_geometry to;
    tn_geometry_explanation why = {tn_geometry_view(from, shape, &to), -1, -1, -1, 0, 0};
    switch (why.result) {
    case TN_GEOMETRY_OK:
        explain_say_dims(&text, from.ndim, from.sizes);
        tni_say(&text, " with strides ");
        explain_say_dims(&text, from.ndim, from.strides);
        tni_say(&text, " is ");
        explain_say_dims(&text, to.ndim, to.sizes);
        tni_say(&text, " with strides ");
        explain_say_dims(&text, to.ndim, to.strides);
        tni_say(&text, ": no copy is needed");
        break;
    case TN_GEOMETRY_NOT_A_VIEW:
        explain_find_seam(from, &to, &why);
        explain_say_seam(&text, from, &to, &why);
        break;
    case TN_GEOMETRY_NUMEL: explain_say_numel(&text, from, shape); break;
    case TN_GEOMETRY_RANK:
        tni_say(&text, "a shape of %" PRId64 " dimensions is asked for, but at most %d are possible", shape.count, TN_MAX_DIMS);
        break;
    default:
        explain_say_dims(&text, shape.count, shape.values);
        tni_say(&text, " is not possible: %s", tn_geometry_result_text(why.result));
    }
    if (explanation)
        *explanation = why;
    return text.length;
}
