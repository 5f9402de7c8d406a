/* lookup.c - a table of hashes, see lookup.h.
 *
 * Names come out of files, and files from anybody: the hash has a key of this process's own, so that nobody can prepare names that
 * all fall into one place. It is SipHash-1-3 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012).
 */
#include "base/lookup.h"

#include <pthread.h>
#include <string.h>

#include "base/entropy.h"
#include "base/heap.h"
#include "base/limits.h"

static uint64_t lookup_key[2];
static pthread_once_t lookup_once = PTHREAD_ONCE_INIT;

static void lookup_begin(void) {
    lookup_key[0] = tni_entropy_bits();
    lookup_key[1] = tni_entropy_bits();
}

static uint64_t lookup_turn(uint64_t x, int by) { return x << by | x >> (64 - by); }

static void lookup_round(uint64_t v[4]) {
    v[0] += v[1];
    v[2] += v[3];
    v[1] = lookup_turn(v[1], 13) ^ v[0];
    v[3] = lookup_turn(v[3], 16) ^ v[2];
    v[0] = lookup_turn(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = lookup_turn(v[1], 17) ^ v[2];
    v[3] = lookup_turn(v[3], 21) ^ v[0];
    v[2] = lookup_turn(v[2], 32);
}

uint64_t tni_lookup_siphash(const uint64_t key[2], const void *bytes, size_t size) {
    uint64_t v[4] = {key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
                     key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};
    const uint8_t *at = bytes;
    for (size_t done = 0; done <= size; done += 8) { /* the last word, also where it has no bytes, ends in the length */
        size_t here = size - done < 8 ? size - done : 8;
        uint64_t word = here < 8 ? (uint64_t)size << 56 : 0;
        for (size_t i = 0; i < here; i++)
            word |= (uint64_t)at[done + i] << (8 * i);
        v[3] ^= word;
        lookup_round(v);
        v[0] ^= word;
    }
    v[2] ^= 255;
    for (int i = 0; i < 3; i++)
        lookup_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

uint32_t tni_lookup_hash(const void *bytes, size_t size) {
    (void)pthread_once(&lookup_once, lookup_begin);
    return (uint32_t)tni_lookup_siphash(lookup_key, bytes, size);
}

uint32_t tni_lookup_name(const char *name) { return tni_lookup_hash(name, strlen(name)); }

static void lookup_put(tni_lookup *lookup, struct tni_lookup_place place) {
    size_t at = place.hash & (lookup->count - 1);
    while (lookup->places[at].item)
        at = (at + 1) & (lookup->count - 1);
    lookup->places[at] = place;
}

bool tni_lookup_add(tni_lookup *lookup, uint32_t hash, size_t item) {
    if (2 * (lookup->used + 1) > lookup->count) {
        tni_lookup wider = {NULL, lookup->count ? 2 * lookup->count : LOOKUP_PLACES, lookup->used};
        if (!(wider.places = tni_heap_calloc(wider.count * sizeof *wider.places)))
            return false;
        for (size_t i = 0; i < lookup->count; i++)
            if (lookup->places[i].item)
                lookup_put(&wider, lookup->places[i]);
        tni_lookup_free(lookup);
        *lookup = wider;
    }
    lookup_put(lookup, (struct tni_lookup_place){(uint32_t)item + 1, hash});
    lookup->used++;
    return true;
}

void tni_lookup_free(tni_lookup *lookup) {
    if (lookup->places)
        tni_heap_free(lookup->places, lookup->count * sizeof *lookup->places);
    *lookup = (tni_lookup){NULL, 0, 0};
}
