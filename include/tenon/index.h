/* tenon/index.h - how C writes x[..., 1:, ::-2, None].
 *
 *     tn_index(x, TN_AT(0))                                 x[0]
 *     tn_index(x, TN_ALL, TN_RANGE(1, TN_END))              x[:, 1:]
 *     tn_index(x, TN_ELLIPSIS, TN_STEP(TN_NONE, TN_NONE, -1)) x[..., ::-1]
 *     tn_index(x, TN_NEW_AXIS, TN_AT(-1))                   x[None, -1]
 *     tn_index(x, TN_ALL, TN_PICK(rows))                    x[:, rows], rows a tensor of positions or a mask
 *     tn_index(x, TN_WHEN(true))                            x[True]
 *
 * The same as text, for other languages: tn_index_text(x, "..., 1:, ::-2, None"), without tensors.
 *
 * With positions, ranges, new axes and an ellipsis alone the result is a view. A tensor or a condition among the items makes
 * it a copy. Positions may have any integer dtype but uint8, and count from the end when negative. A mask is bool or uint8; it
 * stands for as many dimensions as it has, whose sizes it must match. Tensors are broadcast together, and the dimensions of
 * the shape they have in common take the place of the first tensor, or, where something else that makes a dimension stands
 * between two of them, come first in the result. Single positions, including those in integer tensors of no dimensions, are
 * taken before that and separate nothing; PyTorch does so, NumPy does not.
 */
#ifndef TENON_INDEX_H
#define TENON_INDEX_H

#include <tenon/tensor.h>

typedef enum tn_index_kind {
    TN_INDEX_AT = 0,   /* one position; the dimension disappears */
    TN_INDEX_RANGE,    /* start : end : step                     */
    TN_INDEX_NEW_AXIS, /* a new dimension of size 1              */
    TN_INDEX_ELLIPSIS, /* as many whole dimensions as are left   */
    TN_INDEX_TENSOR,   /* the positions in a tensor, or its mask */
    TN_INDEX_WHEN      /* true or false: a mask of no dimensions */
} tn_index_kind;

typedef struct tn_index_item {
    tn_index_kind kind;
    int64_t start, end, step; /* AT: start is the position. RANGE: TN_NONE for an omitted start or end. WHEN: start is 0 or 1 */
    const tn_tensor *tensor;  /* TENSOR: must live until the call returns. The others: NULL */
} tn_index_item;

typedef struct tn_index_list {
    const tn_index_item *items;
    int64_t count;
} tn_index_list;

/* An omitted start or end (TN_NONE): as in Python it means the first position or the last, whichever the step's sign asks
 * for. TN_END is the same, for ranges that run to the end. */
#define TN_END TN_NONE

#ifdef __cplusplus
#define TN_INDEX_ITEM_(kind, start, end, step) (tn_index_item{(kind), (start), (end), (step), NULL})
#define TN_PICK(tensor) (tn_index_item{TN_INDEX_TENSOR, 0, 0, 1, (tensor)})
#else
#define TN_INDEX_ITEM_(kind, start, end, step) ((tn_index_item){(kind), (start), (end), (step), NULL})
#define TN_PICK(tensor) ((tn_index_item){TN_INDEX_TENSOR, 0, 0, 1, (tensor)})
#endif
#define TN_AT(position) TN_INDEX_ITEM_(TN_INDEX_AT, (position), 0, 1)
#define TN_RANGE(start, end) TN_INDEX_ITEM_(TN_INDEX_RANGE, (start), (end), 1)
#define TN_STEP(start, end, step) TN_INDEX_ITEM_(TN_INDEX_RANGE, (start), (end), (step))
#define TN_ALL TN_INDEX_ITEM_(TN_INDEX_RANGE, TN_NONE, TN_NONE, 1)
#define TN_NEW_AXIS TN_INDEX_ITEM_(TN_INDEX_NEW_AXIS, 0, 0, 1)
#define TN_ELLIPSIS TN_INDEX_ITEM_(TN_INDEX_ELLIPSIS, 0, 0, 1)
#define TN_WHEN(condition) TN_INDEX_ITEM_(TN_INDEX_WHEN, (condition) ? 1 : 0, 0, 1)

/* A list of items made in place: TN_INDEX(TN_ALL, TN_AT(1)). In C it lives to the end of the block, in C++ to the end of the
 * full expression. TN_INDEX() is the empty list, which selects everything. */
#ifndef __cplusplus
#define TN_INDEX(...)                                                                                                          \
    ((tn_index_list){                                                                                                          \
        (const tn_index_item[]){{TN_INDEX_AT, 0, 0, 1, NULL}, __VA_ARGS__} + 1,                                                \
        (int64_t)(sizeof((const tn_index_item[]){{TN_INDEX_AT, 0, 0, 1, NULL}, __VA_ARGS__}) / sizeof(tn_index_item)) - 1})
#else
template <size_t count_> struct tn_index_items_ {
    tn_index_item items[count_ + 1];
    operator tn_index_list() const { return tn_index_list{items, static_cast<int64_t>(count_)}; }
};
template <typename... item_> tn_index_items_<sizeof...(item_)> tn_index_make_(item_... items) {
    return tn_index_items_<sizeof...(item_)>{{items..., tn_index_item{TN_INDEX_AT, 0, 0, 1, NULL}}};
}
#define TN_INDEX(...) tn_index_make_(__VA_ARGS__)
#endif

#endif
