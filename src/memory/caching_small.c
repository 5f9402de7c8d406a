/* caching_small.c - blocks of size classes, cut from slabs.
 *
 * A segment for small blocks is a row of 64 KiB units aligned to their size; a slab is one or a few neighbouring units given
 * to one size class, with a bit for each block. Because the sizes of blocks are known when they come back, a block needs no
 * header; because units are aligned, its slab follows from its address.
 *
 * Invariant: a slab with no block out does not exist (its units are free again), and a slab is in its class's list exactly
 * when it has a free block. A segment with all units free is idle.
 */
#include "memory/caching.h"
#include "memory/metadata.h"

/* Enough units for four blocks: then no more than an eighth of a slab is left over. */
static uint32_t slab_units(uint32_t class) {
    size_t bytes = tni_small_class_bytes(class) * 4;
    uint32_t units = 1;
    while ((size_t)units * TNI_UNIT < bytes)
        units *= 2;
    return units;
}

static void list_slab(tni_caching *caching, tni_slab *slab) {
    slab->previous = NULL;
    slab->next = caching->partial[slab->class];
    if (slab->next)
        slab->next->previous = slab;
    caching->partial[slab->class] = slab;
}

static void unlist_slab(tni_caching *caching, tni_slab *slab) {
    *(slab->previous ? &slab->previous->next : &caching->partial[slab->class]) = slab->next;
    if (slab->next)
        slab->next->previous = slab->previous;
}

static char *slab_data(const tni_slab *slab) { return slab->segment->units + (size_t)slab->first_unit * TNI_UNIT; }

/* The lowest run of `units` free units (a power of two) of the segment, or -1. */
static int find_units(const tni_small_segment *segment, uint32_t units) {
    uint32_t starts = segment->free_units;
    for (uint32_t known = 1; known < units; known *= 2)
        starts &= starts >> known;
    return starts ? __builtin_ctz(starts) : -1;
}

static uint32_t unit_mask(uint32_t first, uint32_t units) {
    return (units == TNI_SEGMENT_UNITS ? UINT32_MAX : (1u << units) - 1) << first;
}

static uint32_t all_units(const tni_small_segment *segment) { return unit_mask(0, segment->unit_count); }

static tni_slab *make_slab(tni_caching *caching, tni_small_segment *segment, uint32_t class, uint32_t first, uint32_t units) {
    tni_slab *slab = &segment->slabs[first];
    size_t capacity = (size_t)units * TNI_UNIT / tni_small_class_bytes(class);
    *slab = (tni_slab){
        .segment = segment,
        .capacity = (uint16_t)capacity,
        .free = (uint16_t)capacity,
        .class = (uint8_t) class,
        .first_unit = (uint8_t)first,
        .units = (uint8_t)units,
    };
    for (size_t bit = 0; bit < capacity; bit += 64)
        slab->bits[bit / 64] = capacity - bit >= 64 ? UINT64_MAX : (UINT64_C(1) << (capacity - bit)) - 1;
    for (uint32_t unit = first; unit < first + units; unit++)
        segment->owner[unit] = (uint8_t)first;
    segment->free_units &= ~unit_mask(first, units);
    tni_segment_set_idle(caching, &segment->segment, false);
    list_slab(caching, slab);
    return slab;
}

static tni_slab *find_room(tni_caching *caching, uint32_t class) {
    if (caching->partial[class])
        return caching->partial[class];
    uint32_t units = slab_units(class);
    for (size_t i = 0; i < caching->small_count; i++) {
        int first = find_units(caching->small[i], units);
        if (first >= 0)
            return make_slab(caching, caching->small[i], class, (uint32_t)first, units);
    }
    return NULL;
}

static uint32_t take_from_slab(tni_caching *caching, tni_slab *slab, void **out, uint32_t wanted) {
    size_t size = tni_small_class_bytes(slab->class);
    char *data = slab_data(slab);
    uint32_t count = 0;
    for (size_t word = 0; word < TNI_SLAB_WORDS && count < wanted; word++)
        while (slab->bits[word] && count < wanted) {
            size_t bit = word * 64 + (size_t)__builtin_ctzll(slab->bits[word]);
            slab->bits[word] &= slab->bits[word] - 1;
            out[count++] = data + bit * size;
        }
    slab->free = (uint16_t)(slab->free - count);
    caching->lent += count * size;
    if (slab->free == 0)
        unlist_slab(caching, slab);
    return count;
}

uint32_t tni_small_take(tni_caching *caching, uint32_t class, void **out, uint32_t wanted) {
    uint32_t count = 0;
    while (count < wanted) {
        tni_slab *slab = count == 0 ? find_room(caching, class) : caching->partial[class];
        if (!slab)
            break;
        count += take_from_slab(caching, slab, out + count, wanted - count);
    }
    return count;
}

/* The position of the last segment that begins at or before the address; small_count when there is none. */
static size_t find_small_segment(const tni_caching *caching, const void *data) {
    size_t low = 0, high = caching->small_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((uintptr_t)caching->small[middle]->units <= (uintptr_t)data)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? caching->small_count : low - 1;
}

tni_slab *tni_small_find(tni_caching *caching, const void *data) {
    size_t at = find_small_segment(caching, data);
    if (at == caching->small_count)
        return NULL;
    tni_small_segment *segment = caching->small[at];
    size_t unit = ((uintptr_t)data - (uintptr_t)segment->units) >> TNI_UNIT_SHIFT;
    if (unit >= segment->unit_count || (segment->free_units >> unit & 1))
        return NULL;
    return &segment->slabs[segment->owner[unit]];
}

static void free_slab(tni_caching *caching, tni_slab *slab) {
    tni_small_segment *segment = slab->segment;
    unlist_slab(caching, slab);
    segment->free_units |= unit_mask(slab->first_unit, slab->units);
    if (segment->free_units == all_units(segment))
        tni_segment_set_idle(caching, &segment->segment, true);
}

void tni_small_give(tni_caching *caching, uint32_t class, void *data) {
    tni_slab *slab = tni_small_find(caching, data);
    if (!slab || slab->class != class)
        return; /* not ours, or with another size: touching nothing does the least harm */
    size_t size = tni_small_class_bytes(class);
    uint32_t index = (uint32_t)((uintptr_t)data - (uintptr_t)slab_data(slab)) / (uint32_t)size;
    uint64_t bit = UINT64_C(1) << (index % 64);
    if (slab->bits[index / 64] & bit)
        return;
    slab->bits[index / 64] |= bit;
    caching->lent -= size;
    if (slab->free++ == 0)
        list_slab(caching, slab);
    if (slab->free == slab->capacity)
        free_slab(caching, slab);
}

void tni_small_drain(tni_caching *caching, tni_local *local) {
    for (uint32_t class = 0; class < caching->classes; class ++) {
        void *data;
        while ((data = tni_magazine_pop(&local->magazines[class])) != NULL)
            tni_small_give(caching, class, data);
    }
}

/* ---- segments ---- */

static bool reserve_segment_place(tni_caching *caching) {
    if (caching->small_count < caching->small_capacity)
        return true;
    size_t capacity = caching->small_capacity ? caching->small_capacity * 2 : 16;
    tni_small_segment **larger = tni_metadata_take(capacity * sizeof *larger);
    if (!larger)
        return false;
    if (caching->small_count > 0)
        memcpy(larger, caching->small, caching->small_count * sizeof *larger);
    tni_metadata_give(caching->small);
    caching->small = larger;
    caching->small_capacity = capacity;
    return true;
}

static bool join_small(tni_caching *caching, tni_small_segment *segment) {
    if (!reserve_segment_place(caching))
        return false;
    size_t before = find_small_segment(caching, segment->units), at = before == caching->small_count ? 0 : before + 1;
    memmove(caching->small + at + 1, caching->small + at, (caching->small_count - at) * sizeof *caching->small);
    caching->small[at] = segment;
    caching->small_count++;
    tni_segment_join(caching, &segment->segment);
    return true;
}

void tni_small_forget(tni_caching *caching, tni_small_segment *segment) {
    size_t at = find_small_segment(caching, segment->units);
    caching->small_count--;
    memmove(caching->small + at, caching->small + at + 1, (caching->small_count - at) * sizeof *caching->small);
}

/* One unit more than the slab needs, because raw memory need not be aligned to one. */
static size_t small_segment_bytes(const tni_caching *caching, uint32_t class, bool least) {
    size_t needed = ((size_t)slab_units(class) + 1) * TNI_UNIT, most = (size_t)TNI_SEGMENT_UNITS * TNI_UNIT;
    size_t usual = caching->segment_size < most ? caching->segment_size & ~((size_t)TNI_UNIT - 1) : most;
    return least || usual < needed ? needed : usual;
}

bool tni_small_grow(tni_caching *caching, uint32_t class, bool least) {
    size_t bytes = small_segment_bytes(caching, class, least);
    if (least && bytes == small_segment_bytes(caching, class, false))
        return false; /* this much was refused just now */
    tni_small_segment *segment = tni_metadata_take(sizeof *segment);
    char *data = segment ? tni_caching_ask_raw(caching, bytes) : NULL;
    if (!data) {
        tni_metadata_give(segment);
        return false;
    }
    size_t before = (TNI_UNIT - (uintptr_t)data % TNI_UNIT) % TNI_UNIT;
    segment->segment.data = data;
    segment->segment.bytes = bytes;
    segment->segment.small = true;
    segment->units = data + before;
    segment->unit_count = (uint32_t)((bytes - before) / TNI_UNIT);
    segment->free_units = all_units(segment);
    pthread_mutex_lock(&caching->lock);
    bool joined = join_small(caching, segment);
    pthread_mutex_unlock(&caching->lock);
    if (!joined) {
        tni_caching_return_raw(caching, data, bytes);
        tni_metadata_give(segment);
    }
    return joined;
}
