/* attention.c - the three ways in use to split attention heads, with their copies counted.
 *
 * All start from projected queries, keys and values and end with the heads side by side again, ready for the output projection.
 * B sequences of L tokens, E = H * D features in H heads of D. In between is the attention itself, softmax(q k^T) v, which here
 * gives back v: what counts is how its operands come in and how its result goes out. Matrix products read any strides and write
 * their result as (batch, rows, columns); that is not a copy but the result itself.
 *
 * Element (b, l, e) of the input is the number b*1000 + l*100 + e, so a wrong order would show.
 */
#include "view_helpers.h"

enum { B = 2, L = 3, H = 4, D = 5, E = H * D };

static int64_t token(int64_t b, int64_t l, int64_t e) { return b * 1000 + l * 100 + e; }

/* (B, L, E) row-major, or (L, B, E) where the sequence comes first. */
static tn_tensor *projected(bool sequence_first) {
    tn_tensor *x = tn_empty(sequence_first ? TN_DIMS(L, B, E) : TN_DIMS(B, L, E), TN_INT64);
    tn_edit_int64 edit = tn_write_int64(x);
    CHECK(edit.data);
    for (int64_t b = 0; b < B; b++)
        for (int64_t l = 0; l < L; l++)
            for (int64_t e = 0; e < E; e++)
                TN_AT3(edit, sequence_first ? l : b, sequence_first ? b : l, e) = token(b, l, e);
    return x;
}

/* What the batched product writes: a fresh row-major (batch, rows, columns) with the values of `heads`, whatever its strides.
 * Made by hand, so that nothing but the views and copies under test is counted. */
static tn_tensor *attention_result(const tn_tensor *heads) {
    tn_tensor *result = tn_empty(tn_sizes(heads), TN_INT64);
    CHECK(result);
    int64_t *out = tn_mutable_data_int64(result), index[TN_MAX_DIMS];
    CHECK(out);
    for (int64_t n = 0; n < tn_numel(heads); n++) {
        CHECK(tn_geometry_index_at(tn_ndim(heads), tn_sizes(heads).values, n, index) == TN_GEOMETRY_OK);
        out[n] = tn_get_int64(heads, (tn_dims){index, tn_ndim(heads)});
    }
    return result;
}

static void check_order(const tn_tensor *y, bool sequence_first) {
    for (int64_t b = 0; b < B; b++)
        for (int64_t l = 0; l < L; l++)
            for (int64_t e = 0; e < E; e++)
                CHECK_INT(tn_get_int64(y, sequence_first ? TN_DIMS(l, b, e) : TN_DIMS(b, l, e)), token(b, l, e));
}

/* torch.nn.MultiheadAttention, batch_first=True, as PyTorch 2.13 runs it (seen with a TorchDispatchMode).
 *
 *     x.transpose(1, 0)                      (L, B, E)    view: the module works sequence first inside
 *     input projection                       (L, B, E)    fresh; PyTorch copies twice inside it, to give its GEMM a row-major
 *                                                         operand and to unpack q, k and v, which does not concern the heads
 *     q.view(L, B*H, D)                      (L, B*H, D)  view: B and E are neighbours in the projection's result
 *     .transpose(0, 1)                       (B*H, L, D)  view: heads are ready
 *     ... attention ...                      (B*H, L, D)  fresh
 *     .transpose(0, 1).contiguous()          (L, B*H, D)  THE copy
 *     .view(L, B, E), output projection      (L, B, E)    view
 *     .transpose(1, 0)                       (B, L, E)    view: batch first again
 */
TEST(the_transposes_of_multihead_attention_copy_exactly_once) {
    tn_tensor *q = projected(true); /* the projection's result: (L, B, E) */
    tn_counters before = tn_counters_now();
    tn_tensor *heads = tn_transpose(tn_view(q, TN_DIMS(L, B * H, D)), 0, 1);
    CHECK_VIEW(heads, TN_DIMS(B * H, L, D), TN_DIMS(D, B * E, 1), 0);
    CHECK_INT(tn_counters_since(before).copies, 0);

    tn_tensor *result = attention_result(heads);
    before = tn_counters_now();
    tn_tensor *back = tn_transpose(result, 0, 1);
    CHECK(back);
    CHECK_ERROR(TN_ERROR_SHAPE, "must merge", tn_view(back, TN_DIMS(L, B, E))); /* hence contiguous() */
    tn_tensor *y = tn_transpose(tn_view(tn_contiguous(back, TN_CONTIGUOUS), TN_DIMS(L, B, E)), 1, 0);
    CHECK_VIEW(y, TN_DIMS(B, L, E), TN_DIMS(E, B * E, 1), 0);
    tn_counters spent = tn_counters_since(before);
    CHECK_INT(spent.copies, 1);
    CHECK_INT(spent.copied_bytes, B * L * E * 8);
    check_order(y, false);
}

/* view + permute, as in most code written by hand, batch first throughout.
 *
 *     x.view(B, L, H, D)                     (B, L, H, D) view
 *     .permute(0, 2, 1, 3)                   (B, H, L, D) view: heads are ready
 *     ... attention ...                      (B, H, L, D) fresh
 *     .permute(0, 2, 1, 3)                   (B, L, H, D) view
 *     .reshape(B, L, E)                      (B, L, E)    THE copy: H and D are no longer neighbours in memory
 */
TEST(view_and_permute_copy_exactly_once) {
    tn_tensor *q = projected(false);
    tn_counters before = tn_counters_now();
    tn_tensor *heads = tn_permute(tn_view(q, TN_DIMS(B, L, H, D)), TN_DIMS(0, 2, 1, 3));
    CHECK_VIEW(heads, TN_DIMS(B, H, L, D), TN_DIMS(L * E, D, E, 1), 0);
    CHECK_INT(tn_counters_since(before).copies, 0);

    tn_tensor *result = attention_result(heads);
    before = tn_counters_now();
    tn_tensor *back = tn_permute(result, TN_DIMS(0, 2, 1, 3));
    CHECK(back);
    CHECK_ERROR(
        TN_ERROR_SHAPE,
        "dimensions 2 and 3 must merge to make dimension 2 of [2, 3, 20], but stride[2] = 15 is not size[3] * stride[3] "
        "= 5 * 1 = 5",
        tn_view(back, TN_DIMS(B, L, E)));
    tn_tensor *y = tn_reshape(back, TN_DIMS(B, L, E));
    CHECK_VIEW(y, TN_DIMS(B, L, E), TN_DIMS(L * E, E, 1), 0);
    tn_counters spent = tn_counters_since(before);
    CHECK_INT(spent.copies, 1);
    CHECK_INT(spent.copied_bytes, B * L * E * 8);
    check_order(y, false);
}

/* Megatron-LM's layout, sequence first: (L, B, E) throughout.
 *
 *     q.view(L, B*H, D)                      (L, B*H, D)  view: B, H and D are neighbours, and L is the slowest
 *     .transpose(0, 1)                       (B*H, L, D)  view: heads are ready, for a batched product that takes strides
 *     ... attention, written into ...        (B*H, L, D)  context.view(L, B*H, D).transpose(0, 1), the same two views of a
 *                                                         fresh (L, B, E): a product takes the strides of its result as it
 *                                                         takes those of its operands, so the result is in memory as the
 *                                                         output projection wants it; fused attention kernels do the same
 *     context                                (L, B, E)    as it is
 *
 * The way in and the way out are the same views, and nothing is copied. A product that can only write a fresh (B*H, L, D) would
 * need transpose(0, 1).contiguous() after it: one copy, as in the first way.
 */
TEST(the_sequence_first_layout_copies_nothing) {
    tn_tensor *q = projected(true), *context = tn_empty(TN_DIMS(L, B, E), TN_INT64);
    CHECK(context);
    tn_counters before = tn_counters_now();
    tn_tensor *heads = tn_transpose(tn_view(q, TN_DIMS(L, B * H, D)), 0, 1);
    tn_tensor *out = tn_transpose(tn_view(context, TN_DIMS(L, B * H, D)), 0, 1);
    CHECK_VIEW(heads, TN_DIMS(B * H, L, D), TN_DIMS(D, B * E, 1), 0);
    CHECK_VIEW(out, TN_DIMS(B * H, L, D), TN_DIMS(D, B * E, 1), 0);

    tn_view_int64 v = tn_read_int64(heads); /* the product, element by element, through the strides of both */
    tn_edit_int64 written = tn_write_int64(out);
    CHECK(v.data && written.data);
    for (int64_t n = 0; n < B * H; n++)
        for (int64_t l = 0; l < L; l++)
            for (int64_t d = 0; d < D; d++)
                TN_AT3(written, n, l, d) = TN_AT3(v, n, l, d);

    CHECK(tn_is_contiguous(context) && tn_is_alias_of(context, out));
    tn_counters spent = tn_counters_since(before);
    CHECK_INT(spent.copies, 0);
    CHECK_INT(spent.allocations, 0);
    check_order(context, true);
}
