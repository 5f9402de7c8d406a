/* sort_order.c - the order of a line. See sort_order.h.
 *
 * Long lines are sorted by radix, the lowest digit first, with only as many bits as differ in the line: three passes for most
 * of 32 bits. A pass over a line that is alone is cut into chunks that count and then move their items independently; where
 * each chunk's items go is known from the counts, so the order stays. Short lines are sorted by merging, which need not be
 * stable, since no two items are equal.
 *
 * Keys of 64 bits are sorted by their 32 highest differing bits first; that leaves runs of items that are equal so far, most of
 * which have one item, and each is sorted by the bits below.
 */
#include "ops/sort/sort_order.h"

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/table.h"
#include "ops/limits.h"

enum { ORDER_BUCKETS = 1 << ORDER_DIGIT };

static size_t order_round(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

bool tni_order_allows(tn_dtype dtype, int64_t count) {
    if (tn_dtype_is_complex(dtype)) {
        tni_raise(TN_ERROR_DTYPE, "complex numbers have no order: self is %s; sort by abs or real", tn_dtype_name(dtype));
        return false;
    }
    if (count > UINT32_MAX) {
        tni_raise(TN_ERROR_UNSUPPORTED,
                  "lines of %" PRId64 " elements are longer than the %" PRId64 " that can be put in order", count,
                  (int64_t)UINT32_MAX);
        return false;
    }
    return true;
}

static int64_t order_chunks(int64_t count, bool alone) { return alone && count >= TNI_ORDER_LONG ? ORDER_CHUNKS : 1; }

size_t tni_order_scratch(tn_dtype dtype, int64_t count) {
    size_t items = order_round((size_t)count * sizeof(uint64_t));
    size_t places = (size_t)order_chunks(count, true) * ORDER_BUCKETS * sizeof(uint32_t);
    return 2 * items + (tni_dtype_size(dtype) == 8 ? items : 0) + places;
}

/* ---- items */

typedef struct order_making {
    tni_order *order;
    const char *line;
    tn_dtype dtype;
    bool descending;
    uint64_t any[ORDER_CHUNKS], all[ORDER_CHUNKS]; /* bits that some, and that all keys of a chunk have */
    int64_t chunk;
} order_making;

static int64_t order_chunk_size(int64_t count, int64_t chunks) { return (count + chunks - 1) / chunks; }

static void order_make_narrow(void *arg, int64_t begin, int64_t end) {
    order_making *making = arg;
    size_t item = tni_dtype_size(making->dtype);
    tni_sort_keys_function make = tni_kernels()->sort_keys[making->dtype];
    uint64_t *items = making->order->items;
    uint32_t keys[ORDER_BLOCK], any = 0, all = UINT32_MAX;
    TNI_IN_STEPS (from, to, end - begin)
        for (int64_t at = begin + from, many; at < begin + to; at += many) {
            many = tni_min_i64(begin + to - at, ORDER_BLOCK);
            make(keys, making->line + (size_t)at * item, many, making->descending);
            for (int64_t i = 0; i < many; i++) {
                any |= keys[i];
                all &= keys[i];
                items[at + i] = (uint64_t)keys[i] << 32 | (uint64_t)(at + i);
            }
        }
    making->any[begin / making->chunk] = any;
    making->all[begin / making->chunk] = all;
}

static void order_make_wide(void *arg, int64_t begin, int64_t end) {
    order_making *making = arg;
    uint64_t *keys = (uint64_t *)(uintptr_t)making->order->keys, any = 0, all = UINT64_MAX;
    TNI_IN_STEPS (from, to, end - begin) {
        int64_t at = begin + from;
        tni_kernels()->sort_keys[making->dtype](keys + at, making->line + at * 8, to - from, making->descending);
        for (int64_t i = at; i < begin + to; i++) {
            any |= keys[i];
            all &= keys[i];
        }
    }
    making->any[begin / making->chunk] = any;
    making->all[begin / making->chunk] = all;
}

static void order_pack(void *arg, int64_t begin, int64_t end) {
    const tni_order *order = ((order_making *)arg)->order;
    TNI_IN_STEPS (from, to, end - begin)
        for (int64_t i = begin + from; i < begin + to; i++)
            order->items[i] = order->keys[i] >> order->shift << 32 | (uint64_t)i;
}

static int order_highest(uint64_t bits) { return bits ? 63 - __builtin_clzll(bits) : 0; }

tni_order tni_order_begin(const void *line, tn_dtype dtype, int64_t count, bool descending, void *scratch, bool alone) {
    size_t bytes = order_round((size_t)count * sizeof(uint64_t)), size = tni_dtype_size(dtype);
    char *at = scratch;
    tni_order order = {
        .items = (uint64_t *)(void *)at, .spare = (uint64_t *)(void *)(at + bytes), .count = count, .alone = alone};
    at += 2 * bytes;
    order.keys = size == 8 ? (const uint64_t *)(void *)at : NULL;
    order.places = (uint32_t *)(void *)(at + (size == 8 ? bytes : 0));
    if (tn_dtype_is_floating(dtype))
        order.nan = descending ? 0 : UINT64_MAX >> (64 - 8 * size);
    order_making making; /* its arrays are filled as far as there are chunks */
    making.order = &order;
    making.line = line;
    making.dtype = dtype;
    making.descending = descending;
    int64_t chunks = order_chunks(count, alone);
    making.chunk = tni_max_i64(order_chunk_size(count, chunks), 1);
    if (!tni_parallel_for(count, making.chunk, size == 8 ? order_make_wide : order_make_narrow, &making))
        return order;
    uint64_t any = 0, all = UINT64_MAX;
    for (int64_t i = 0; i * making.chunk < count; i++) {
        any |= making.any[i];
        all &= making.all[i];
    }
    order.differ = count ? any ^ all : 0;
    if (size == 8) {
        order.shift = (int)tni_max_i64(order_highest(order.differ) - 31, 0);
        if (!tni_parallel_for(count, making.chunk, order_pack, &making))
            return order;
    }
    return order;
}

/* ---- short runs */

static void order_insert(uint64_t *items, int64_t count) {
    for (int64_t i = 1; i < count; i++) {
        uint64_t item = items[i];
        int64_t k = i;
        for (; k > 0 && items[k - 1] > item; k--)
            items[k] = items[k - 1];
        items[k] = item;
    }
}

/* A full block: an item's place is the number of items before it. There are no branches, so nothing is mispredicted. */
static void order_rank(uint64_t *items) {
    uint64_t block[ORDER_RUN];
    uint32_t places[ORDER_RUN];
    memcpy(block, items, sizeof block);
    for (uint32_t i = 0; i < ORDER_RUN; i++) {
        uint32_t before = 0;
        for (uint32_t k = 0; k < i; k++) {
            uint32_t later = block[k] > block[i];
            places[k] += later;
            before += 1 - later;
        }
        places[i] = before;
    }
    for (uint32_t i = 0; i < ORDER_RUN; i++)
        items[places[i]] = block[i];
}

/* Merge two runs of the same length from both ends at once: no end is reached before all is done, and the two chains of loads
 * overlap. Which item is taken is computed without a branch: it cannot be predicted. */
static void order_merge_pair(uint64_t *restrict to, const uint64_t *restrict from, int64_t run) {
    const uint64_t *first = from, *second = from + run, *first_end = second - 1, *second_end = second + run - 1;
    for (int64_t i = 0, k = 2 * run - 1; i < run; i++, k--) {
        uint64_t a = *first, b = *second, y = *first_end, z = *second_end;
        int64_t other = b < a, last = z < y;
        to[i] = a ^ ((a ^ b) & (uint64_t)-other);
        to[k] = z ^ ((z ^ y) & (uint64_t)-last);
        second += other;
        first += 1 - other;
        first_end -= last;
        second_end -= 1 - last;
    }
}

/* Merge neighbouring runs of `run` items. */
static void order_merge(uint64_t *restrict to, const uint64_t *restrict from, int64_t count, int64_t run) {
    int64_t begin = 0;
    for (; begin + 2 * run <= count; begin += 2 * run)
        order_merge_pair(to + begin, from + begin, run);
    int64_t at = begin, middle = tni_min_i64(begin + run, count), other = middle;
    while (begin < middle && other < count)
        to[at++] = from[other] < from[begin] ? from[other++] : from[begin++];
    memcpy(to + at, from + (begin < middle ? begin : other), (size_t)(count - at) * sizeof *to);
}

static void order_sort_short(uint64_t *items, uint64_t *spare, int64_t count) {
    int64_t at = 0;
    for (; at + ORDER_RUN <= count; at += ORDER_RUN)
        order_rank(items + at);
    order_insert(items + at, count - at);
    uint64_t *from = items, *to = spare;
    for (int64_t run = ORDER_RUN; run < count; run *= 2) {
        order_merge(to, from, count, run);
        uint64_t *turn = from;
        from = to;
        to = turn;
    }
    if (from != items)
        memcpy(items, from, (size_t)count * sizeof *items);
}

/* ---- long runs */

typedef struct order_pass {
    uint64_t *to;
    const uint64_t *from;
    uint32_t *places; /* (chunks, ORDER_BUCKETS) */
    int64_t chunk;
    int shift;
    uint32_t mask;
} order_pass;

static void order_count_digits(void *arg, int64_t begin, int64_t end) {
    const order_pass *pass = arg;
    uint32_t *places = pass->places + begin / pass->chunk * ORDER_BUCKETS;
    memset(places, 0, (size_t)(pass->mask + 1) * sizeof *places);
    TNI_IN_STEPS (first, last, end - begin)
        for (int64_t i = begin + first; i < begin + last; i++)
            places[(uint32_t)(pass->from[i] >> pass->shift) & pass->mask]++;
}

static void order_move_items(void *arg, int64_t begin, int64_t end) {
    const order_pass *pass = arg;
    uint32_t *places = pass->places + begin / pass->chunk * ORDER_BUCKETS, mask = pass->mask;
    const uint64_t *from = pass->from;
    uint64_t *restrict to = pass->to;
    int shift = pass->shift;
    TNI_IN_STEPS (first, last, end - begin)
        for (int64_t i = begin + first; i < begin + last; i++)
            to[places[(uint32_t)(from[i] >> shift) & mask]++] = from[i];
}

/* False where the call was cancelled: `to` is not complete then. */
static bool order_run_pass(order_pass *pass, int64_t count, int64_t chunks) {
    pass->chunk = order_chunk_size(count, chunks);
    if (!tni_parallel_for(count, pass->chunk, order_count_digits, pass))
        return false;
    uint32_t before = 0, *place = pass->places;
    int64_t parts = (count + pass->chunk - 1) / pass->chunk;
    for (uint32_t bucket = 0; bucket <= pass->mask; bucket++, place++)
        for (int64_t at = 0; at < parts * ORDER_BUCKETS; at += ORDER_BUCKETS) {
            uint32_t many = place[at];
            place[at] = before;
            before += many;
        }
    return tni_parallel_for(count, pass->chunk, order_move_items, pass);
}

/* Sort items by the bits `low` to `high` of their keys, the only ones that differ. */
static void order_sort_long(uint64_t **items, uint64_t **spare, uint32_t *places, int64_t count, int low, int high,
                            int64_t chunks) {
    int bits = high - low + 1, digit = count < ORDER_SMALL ? ORDER_DIGIT_SMALL : ORDER_DIGIT;
    int passes = (bits + digit - 1) / digit;
    digit = (bits + passes - 1) / passes;
    for (int at = low; at <= high; at += digit) {
        int width = at + digit > high + 1 ? high + 1 - at : digit;
        order_pass pass = {*spare, *items, places, 0, 32 + at, (UINT32_C(1) << width) - 1};
        if (!order_run_pass(&pass, count, chunks))
            return;
        *spare = *items;
        *items = pass.to;
    }
}

static void order_sort_items(uint64_t **items, uint64_t **spare, uint32_t *places, int64_t count, uint64_t differ,
                             int64_t chunks) {
    if (count < ORDER_RADIX)
        order_sort_short(*items, *spare, count);
    else if (differ)
        order_sort_long(items, spare, places, count, __builtin_ctzll(differ), order_highest(differ), chunks);
}

/* A run of items that are equal in the bits sorted so far: sort it by the bits below. */
static void order_sort_below(const tni_order *order, uint64_t *items, uint64_t *spare, int64_t count) {
    uint64_t mask = (UINT64_C(1) << order->shift) - 1, differ = 0, first = order->keys[(uint32_t)items[0]];
    TNI_IN_STEPS (begin, end, count)
        for (int64_t i = begin; i < end; i++) {
            uint64_t key = order->keys[(uint32_t)items[i]];
            differ |= (key ^ first) & mask;
            items[i] = (key & mask) << 32 | (uint32_t)items[i];
        }
    uint64_t *sorted = items, *other = spare;
    if (differ)
        order_sort_items(&sorted, &other, order->places, count, differ, 1);
    if (sorted != items)
        memcpy(items, sorted, (size_t)count * sizeof *items);
}

/* Where a loop cannot be cut into steps beforehand: asks, and when to ask next. */
static bool order_goes_on(int64_t *ask) {
    *ask += TNI_STEP;
    return tni_goes_on();
}

void tni_order_sort(tni_order *order) {
    if (tni_stopped())
        return;
    order_sort_items(&order->items, &order->spare, order->places, order->count, order->differ >> order->shift,
                     order_chunks(order->count, order->alone));
    if (order->shift == 0)
        return;
    int64_t ask = TNI_STEP;
    for (int64_t begin = 0, end; begin < order->count; begin = end) {
        uint64_t key = order->items[begin] >> 32;
        for (end = begin + 1; end < order->count && order->items[end] >> 32 == key; end++)
            if (TNI_UNLIKELY(end >= ask) && !order_goes_on(&ask))
                return;
        if (end - begin > 1)
            order_sort_below(order, order->items + begin, order->spare + begin, end - begin);
    }
}

/* ---- one rank */

/* Those of the items in `from` whose digit has the rank, in their order, to `to`, which may be `from` itself; the rank becomes
 * that among them. Returns how many. */
static int64_t order_narrow(uint64_t *to, const uint64_t *from, int64_t count, uint32_t *places, int shift, uint32_t mask,
                            int64_t *rank) {
    order_pass pass = {NULL, from, places, count, shift, mask};
    order_count_digits(&pass, 0, count);
    if (tni_stopped())
        return 1;
    uint32_t bucket = 0;
    for (; *rank >= (int64_t)places[bucket]; bucket++)
        *rank -= (int64_t)places[bucket];
    int64_t kept = 0, wanted = places[bucket];
    TNI_IN_STEPS (begin, end, count)
        for (int64_t i = begin; i < end && kept < wanted; i++) {
            to[kept] = from[i];
            kept += ((uint32_t)(from[i] >> shift) & mask) == bucket;
        }
    return kept;
}

/* Narrow down by the bits of the items' keys that differ. */
static int64_t order_narrow_all(uint64_t *to, const uint64_t *from, int64_t count, uint32_t *places, uint64_t differ,
                                int64_t *rank) {
    int high = order_highest(differ), low = differ ? __builtin_ctzll(differ) : 1;
    if (count > 0 && low > high)
        memmove(to, from, (size_t)count * sizeof *to);
    for (int top = high + 1; top > low; from = to) {
        int width = (int)tni_min_i64(ORDER_DIGIT, top - low);
        top -= width;
        count = order_narrow(to, from, count, places, 32 + top, (UINT32_C(1) << width) - 1, rank);
        if (count == 1)
            break;
    }
    return count;
}

int64_t tni_order_select(const tni_order *order, int64_t rank) {
    if (tni_stopped())
        return 0;
    uint64_t *kept = order->spare;
    int64_t count = order_narrow_all(kept, order->items, order->count, order->places, order->differ >> order->shift, &rank);
    if (order->shift && count > 1) {
        uint64_t mask = (UINT64_C(1) << order->shift) - 1;
        TNI_IN_STEPS (begin, end, count)
            for (int64_t i = begin; i < end; i++)
                kept[i] = (order->keys[(uint32_t)kept[i]] & mask) << 32 | (uint32_t)kept[i];
        order_narrow_all(kept, kept, count, order->places, mask, &rank);
    }
    return tni_stopped() ? 0 : (uint32_t)kept[rank];
}

bool tni_order_keep(tni_order *order, int64_t kept) {
    uint64_t last = tni_order_key(order, tni_order_select(order, kept - 1));
    int64_t many = 0;
    TNI_IN_STEPS (begin, end, order->count)
        for (int64_t i = begin; i < end; i++)
            many += tni_order_key(order, i) <= last;
    if (many != kept || tni_stopped())
        return false;
    many = 0;
    TNI_IN_STEPS (begin, end, order->count)
        for (int64_t i = begin; i < end && many < kept; i++) {
            uint64_t item = order->items[i];
            order->items[many] = item;
            many += (order->keys ? order->keys[i] : item >> 32) <= last;
        }
    order->count = kept;
    return true;
}

int64_t tni_order_nans(const tni_order *order) {
    int64_t many = 0;
    if (order->nan == 0)
        return 0;
    if (order->keys)
        TNI_IN_STEPS (begin, end, order->count)
            for (int64_t i = begin; i < end; i++)
                many += order->keys[i] == order->nan;
    else
        TNI_IN_STEPS (begin, end, order->count)
            for (int64_t i = begin; i < end; i++)
                many += order->items[i] >> 32 == order->nan;
    return many;
}
