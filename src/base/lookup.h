/* lookup.h - finding things by the hash of what they are called: numbers of items, beside which their owner keeps the names.
 *
 *     size_t at = tni_lookup_begin(&lookup, hash);
 *     for (int64_t i; (i = tni_lookup_next(&lookup, hash, &at)) >= 0;)
 *         if (strcmp(items[i].name, name) == 0) ...
 *
 * A table of a power of two of places, never more than half full; items of one hash lie one after another. What is added twice under
 * one name makes every search longer, so who adds looks first.
 */
#ifndef TNI_LOOKUP_H
#define TNI_LOOKUP_H

#include "base/common.h"

typedef struct tni_lookup {
    struct tni_lookup_place {
        uint32_t item, hash; /* item: its number + 1; 0: nobody */
    } * places;
    size_t count, used;
} tni_lookup;

/* Hashes hold within this process only: their key is drawn when the first is made. */
uint32_t tni_lookup_hash(const void *bytes, size_t size);
uint32_t tni_lookup_name(const char *name);
uint64_t tni_lookup_siphash(const uint64_t key[2], const void *bytes, size_t size); /* SipHash-1-3 */
bool tni_lookup_add(tni_lookup *lookup, uint32_t hash, size_t item);                /* false, raised: no memory */
void tni_lookup_free(tni_lookup *lookup);

static inline size_t tni_lookup_begin(const tni_lookup *lookup, uint32_t hash) {
    return lookup->count ? hash & (lookup->count - 1) : 0;
}

static inline int64_t tni_lookup_next(const tni_lookup *lookup, uint32_t hash, size_t *at) {
    while (lookup->count && lookup->places[*at].item) {
        struct tni_lookup_place place = lookup->places[*at];
        *at = (*at + 1) & (lookup->count - 1);
        if (place.hash == hash)
            return (int64_t)place.item - 1;
    }
    return -1;
}

#endif
