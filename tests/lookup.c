/* lookup.c - names found by the hash of what they are called, the hash itself, and where its key comes from.
 *
 * Tests: src/base/lookup.c, src/base/entropy.c
 */
#include "test.h"

#include <stdio.h>

#include "base/entropy.h"
#include "base/lookup.h"

/* CPython hashes bytes with SipHash-1-3; under PYTHONHASHSEED=0 its key is 0. */
TEST_ONCE(the_hash_is_siphash_1_3) { /* allocates nothing */
    static const struct known {
        const char *text;
        uint64_t hash;
    } known[] = {{"a", UINT64_C(0x407448d2b89b1813)},
                 {"abc", UINT64_C(0xc03bc3a0042630f2)},
                 {"12345678", UINT64_C(0x3489982430560a87)},
                 {"the quick brown fox jumps over the lazy dog", UINT64_C(0x80a65583f613da2d)}};
    static const uint64_t key[2] = {0, 0}, other[2] = {0, 1};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        CHECK(tni_lookup_siphash(key, known[i].text, strlen(known[i].text)) == known[i].hash);
        CHECK(tni_lookup_siphash(other, known[i].text, strlen(known[i].text)) != known[i].hash);
    }
}

TEST_ONCE(entropy_does_not_repeat) { /* allocates nothing */
    uint64_t a = tni_entropy_bits(), b = tni_entropy_bits(), c = tni_entropy_bits();
    CHECK(a != b && b != c && a != c);
}

static void lookup_freed(void *lookup) { tni_lookup_free(lookup); }

static bool lookup_has(const tni_lookup *lookup, uint32_t hash, int64_t item) {
    size_t at = tni_lookup_begin(lookup, hash);
    int64_t found;
    while ((found = tni_lookup_next(lookup, hash, &at)) >= 0 && found != item) {
    }
    return found == item;
}

TEST(items_are_found_by_their_hash_also_where_several_share_it) {
    static tni_lookup lookup;
    lookup = (tni_lookup){NULL, 0, 0};
    TEST_DEFER(lookup_freed, &lookup);
    CHECK(!lookup_has(&lookup, 3, 0));
    for (uint32_t i = 0; i < 300; i++)
        CHECK(tni_lookup_add(&lookup, i / 3 * 64, i)); /* three of a hash, and all hashes at the same few places */
    for (uint32_t i = 0; i < 300; i++) {
        CHECK(lookup_has(&lookup, i / 3 * 64, i));
        CHECK(!lookup_has(&lookup, i / 3 * 64 + 1, i));
    }
}
