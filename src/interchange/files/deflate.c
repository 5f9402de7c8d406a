/* deflate.c - packing by deflate (RFC 1951), from memory to memory, where zlib is not there (deflate_zlib.c).
 *
 * Repetitions are found by chains of positions that share a hash of four bytes, the nearest first; a repetition waits for the next position,
 * which may have a longer one. What was found is gathered, and leaves as one block: with codes of its own, with the fixed ones, or as
 * it is, whichever is shortest. Code lengths are Huffman's, cut to what the format allows as in Moffat and Turpin, "On the implementation
 * of minimum redundancy prefix codes" (1997), by moving leaves until the sum fits.
 *
 * Invariant: nothing is written at or beyond `room`; where that is not enough, `full` is set and the result is not used.
 */
#include <stdlib.h>

#include "interchange/files/deflate.h"
#include "interchange/files/writer.h"

enum {
    DEFLATE_WINDOW = 32768,
    DEFLATE_HASH = 15,
    DEFLATE_LEAST = 4, /* bytes of a repetition that is worth looking for */
    DEFLATE_MOST = 258,
    DEFLATE_LITERALS = 286,
    DEFLATE_DISTANCES = 30,
    DEFLATE_END = 256
};

typedef struct deflate_state {
    const uint8_t *in;
    size_t size;
    uint8_t *out;
    size_t used, room;
    bool full;
    uint64_t hold;
    unsigned held;
    unsigned chain; /* positions that are looked at */
    bool lazy;
    uint32_t heads[1 << DEFLATE_HASH], before[DEFLATE_WINDOW];         /* positions + 1 */
    uint32_t tokens[DEFLATE_TOKENS];                                   /* a byte, or a length << 16 and a distance */
    size_t count, begin;                                               /* of tokens; where the block begins        */
    uint32_t literals[DEFLATE_LITERALS], distances[DEFLATE_DISTANCES]; /* how many of each */
    uint8_t length_codes[DEFLATE_MOST + 1];
} deflate_state;

/* ---- bits */

static void deflate_bits(deflate_state *state, uint32_t bits, unsigned count) {
    state->hold |= (uint64_t)bits << state->held;
    state->held += count;
    while (state->held >= 8) {
        if (state->used < state->room)
            state->out[state->used++] = (uint8_t)state->hold;
        else
            state->full = true;
        state->hold >>= 8;
        state->held -= 8;
    }
}

static void deflate_align(deflate_state *state) {
    if (state->held)
        deflate_bits(state, 0, 8 - state->held);
}

/* ---- codes */

static int deflate_less(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Lengths of codes for symbols of these frequencies, at most `most` bits; at least two symbols get one, so that the code is whole. */
static void deflate_lengths(const uint32_t *often, unsigned count, unsigned most, uint8_t *lengths) {
    uint32_t order[DEFLATE_LITERALS + 2], weight[2 * (DEFLATE_LITERALS + 2)];
    uint16_t parent[2 * (DEFLATE_LITERALS + 2)];
    unsigned used = 0, numbers[33] = {0};
    memset(lengths, 0, count);
    for (unsigned i = 0; i < count; i++)
        if (often[i])
            order[used++] = often[i] << 9 | i;
    for (unsigned i = 0; used < 2; i++)
        if (!often[i])
            order[used++] = 1 << 9 | i;
    qsort(order, used, sizeof *order, deflate_less);
    for (unsigned i = 0; i < used; i++)
        weight[i] = order[i] >> 9;
    unsigned leaf = 0, inner = used, made = used;
    for (; made < 2 * used - 1; made++) { /* the two lightest of leaves and inner nodes, both sorted */
        weight[made] = 0;
        for (int i = 0; i < 2; i++) {
            bool take_leaf = leaf < used && (inner == made || weight[leaf] <= weight[inner]);
            unsigned taken = take_leaf ? leaf++ : inner++;
            weight[made] += weight[taken];
            parent[taken] = (uint16_t)made;
        }
    }
    weight[made - 1] = 0; /* from here on: depths */
    for (unsigned i = made - 1; i-- > 0;) {
        weight[i] = weight[parent[i]] + 1;
        if (i < used)
            numbers[weight[i] < most ? weight[i] : most]++;
    }
    uint64_t sum = 0;
    for (unsigned bits = 1; bits <= most; bits++)
        sum += (uint64_t)numbers[bits] << (most - bits);
    for (; sum > UINT64_C(1) << most; sum--) {
        unsigned bits = most - 1;
        while (!numbers[bits])
            bits--;
        numbers[most]--;
        numbers[bits]--;
        numbers[bits + 1] += 2;
    }
    for (unsigned bits = most, at = 0; bits >= 1; bits--)
        for (unsigned i = 0; i < numbers[bits]; i++)
            lengths[order[at++] & 511] = (uint8_t)bits;
}

/* The codes of these lengths, their first bit lowest. */
static void deflate_codes(const uint8_t *lengths, unsigned count, uint16_t *codes) {
    unsigned next[17] = {0}, numbers[17] = {0};
    for (unsigned i = 0; i < count; i++)
        numbers[lengths[i]]++;
    numbers[0] = 0;
    for (unsigned bits = 1; bits <= 15; bits++)
        next[bits + 1] = (next[bits] + numbers[bits]) << 1;
    for (unsigned i = 0; i < count; i++) {
        unsigned code = lengths[i] ? next[lengths[i]]++ : 0, turned = 0;
        for (unsigned bits = 0; bits < lengths[i]; bits++, code >>= 1)
            turned = turned << 1 | (code & 1);
        codes[i] = (uint16_t)turned;
    }
}

/* Of a distance: its code, extra bits and what they count from. Two codes share each number of extra bits. */
static unsigned deflate_distance(unsigned distance, unsigned *extra, unsigned *base) {
    unsigned top = 0, from = distance - 1;
    while (from >> (top + 1))
        top++;
    *extra = top < 1 ? 0 : top - 1;
    unsigned code = from < 2 ? from : 2 * top + (from >> (top - 1) & 1);
    *base = from < 2 ? distance : ((2 + (code & 1)) << *extra) + 1;
    return code;
}

/* Lengths in the same way, four codes to a number of extra bits; the longest has its own. */
static unsigned deflate_length(unsigned length, unsigned *extra, unsigned *base) {
    unsigned from = length - 3, top = 2;
    if (length == DEFLATE_MOST || from < 8) {
        *extra = 0;
        *base = length;
        return length == DEFLATE_MOST ? 285 : 257 + from;
    }
    while (from >> (top + 1))
        top++;
    *extra = top - 2;
    unsigned code = 4 * (top - 1) + (from >> *extra & 3);
    *base = ((4 + (code & 3)) << *extra) + 3;
    return 257 + code;
}

/* ---- a block */

typedef struct deflate_book {
    uint8_t literal[288], distance[32];
    uint16_t literal_codes[288], distance_codes[32];
} deflate_book;

static void deflate_fixed(deflate_book *book) {
    memset(book->literal, 8, 144);
    memset(book->literal + 144, 9, 112);
    memset(book->literal + 256, 7, 24);
    memset(book->literal + 280, 8, 8);
    memset(book->distance, 5, 32);
    deflate_codes(book->literal, 288, book->literal_codes);
    deflate_codes(book->distance, 32, book->distance_codes);
}

/* The lengths of both codes, repetitions shortened, as pairs of a symbol and what its extra bits say; how many. */
static unsigned deflate_describe(const uint8_t *lengths, unsigned count, uint8_t (*pairs)[2], uint32_t often[19]) {
    unsigned made = 0;
    memset(often, 0, 19 * sizeof *often);
    for (unsigned at = 0, same; at < count; at += same) {
        for (same = 1; at + same < count && lengths[at + same] == lengths[at];)
            same++;
        if (!lengths[at] && same >= 3) {
            same = same < 138 ? same : 138;
            pairs[made][0] = same < 11 ? 17 : 18;
            pairs[made][1] = (uint8_t)(same - (same < 11 ? 3 : 11));
        } else if (at && lengths[at] == lengths[at - 1] && same >= 3) {
            same = same < 6 ? same : 6;
            pairs[made][0] = 16;
            pairs[made][1] = (uint8_t)(same - 3);
        } else {
            same = 1;
            pairs[made][0] = lengths[at];
            pairs[made][1] = 0;
        }
        often[pairs[made++][0]]++;
    }
    return made;
}

static uint64_t deflate_cost(const deflate_state *state, const deflate_book *book) {
    uint64_t bits = 0;
    for (unsigned i = 0; i < DEFLATE_LITERALS; i++) {
        unsigned code = i - 257, extra = i < 265 || i == 285 ? 0 : code / 4 - 1;
        bits += (uint64_t)state->literals[i] * (book->literal[i] + extra);
    }
    for (unsigned i = 0; i < DEFLATE_DISTANCES; i++)
        bits += (uint64_t)state->distances[i] * (book->distance[i] + (i < 2 ? 0 : i / 2 - 1));
    return bits;
}

static void deflate_stored(deflate_state *state, const uint8_t *bytes, size_t size, bool last) {
    do {
        size_t part = size < 65535 ? size : 65535;
        deflate_bits(state, last && part == size, 3);
        deflate_align(state);
        deflate_bits(state, (uint32_t)part, 16);
        deflate_bits(state, (uint32_t)part ^ 0xffff, 16);
        if (part > state->room - state->used) {
            state->full = true;
            return;
        }
        if (part)
            memcpy(state->out + state->used, bytes, part);
        state->used += part;
        bytes += part;
        size -= part;
    } while (size);
}

static void deflate_tokens(deflate_state *state, const deflate_book *book) {
    for (size_t i = 0; i < state->count && !state->full; i++) {
        uint32_t token = state->tokens[i];
        unsigned extra, base;
        if (token < 256) {
            deflate_bits(state, book->literal_codes[token], book->literal[token]);
            continue;
        }
        unsigned code = deflate_length(token >> 16, &extra, &base);
        deflate_bits(state, book->literal_codes[code] | ((token >> 16) - base) << book->literal[code],
                     book->literal[code] + extra);
        code = deflate_distance(token & 0xffff, &extra, &base);
        deflate_bits(state, book->distance_codes[code] | ((token & 0xffff) - base) << book->distance[code],
                     book->distance[code] + extra);
    }
    deflate_bits(state, book->literal_codes[DEFLATE_END], book->literal[DEFLATE_END]);
}

static void deflate_block(deflate_state *state, size_t end, bool last) {
    static const uint8_t order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    deflate_book own, fixed;
    uint8_t both[DEFLATE_LITERALS + DEFLATE_DISTANCES], pairs[DEFLATE_LITERALS + DEFLATE_DISTANCES][2], lengths[19];
    uint16_t codes[19];
    uint32_t often[19];
    unsigned literals = DEFLATE_LITERALS, distances = DEFLATE_DISTANCES, known = 19;
    state->literals[DEFLATE_END] = 1;
    deflate_fixed(&fixed);
    deflate_lengths(state->literals, literals, 15, own.literal);
    deflate_lengths(state->distances, distances, 15, own.distance);
    deflate_codes(own.literal, literals, own.literal_codes);
    deflate_codes(own.distance, distances, own.distance_codes);
    while (literals > 257 && !own.literal[literals - 1])
        literals--;
    while (distances > 1 && !own.distance[distances - 1])
        distances--;
    memcpy(both, own.literal, literals);
    memcpy(both + literals, own.distance, distances);
    unsigned described = deflate_describe(both, literals + distances, pairs, often);
    deflate_lengths(often, 19, 7, lengths);
    deflate_codes(lengths, 19, codes);
    while (known > 4 && !lengths[order[known - 1]])
        known--;
    uint64_t cost = deflate_cost(state, &own) + 14 + 3 * known, plain = deflate_cost(state, &fixed), size = end - state->begin;
    for (unsigned i = 0; i < 19; i++)
        cost += often[i] * (lengths[i] + (i < 16 ? 0u : i == 16 ? 2u : i == 17 ? 3u : 7u));
    if (8 * size + 42 * (size / 65535 + 1) <= (cost < plain ? cost : plain))
        deflate_stored(state, state->in + state->begin, (size_t)size, last);
    else if (plain <= cost) {
        deflate_bits(state, last | 1 << 1, 3);
        deflate_tokens(state, &fixed);
    } else {
        deflate_bits(state, last | 2 << 1, 3);
        deflate_bits(state, (literals - 257) | (distances - 1) << 5 | (known - 4) << 10, 14);
        for (unsigned i = 0; i < known; i++)
            deflate_bits(state, lengths[order[i]], 3);
        for (unsigned i = 0; i < described; i++) {
            unsigned symbol = pairs[i][0];
            deflate_bits(state, codes[symbol], lengths[symbol]);
            if (symbol >= 16)
                deflate_bits(state, pairs[i][1], symbol == 16 ? 2 : symbol == 17 ? 3 : 7);
        }
        deflate_tokens(state, &own);
    }
    state->begin = end;
    state->count = 0;
    memset(state->literals, 0, sizeof state->literals);
    memset(state->distances, 0, sizeof state->distances);
}

/* ---- repetitions */

static uint32_t deflate_word(const uint8_t *at) {
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

static uint32_t *deflate_head(deflate_state *state, size_t at) {
    return &state->heads[(deflate_word(state->in + at) * UINT32_C(2654435761)) >> (32 - DEFLATE_HASH)];
}

static void deflate_insert(deflate_state *state, size_t at) {
    if (state->size - at < DEFLATE_LEAST)
        return;
    uint32_t *head = deflate_head(state, at);
    state->before[at % DEFLATE_WINDOW] = *head;
    *head = (uint32_t)at + 1;
}

static unsigned deflate_same(const uint8_t *a, const uint8_t *b, unsigned most) {
    unsigned same = 0;
    for (; same + 8 <= most; same += 8) {
        uint64_t x, y;
        memcpy(&x, a + same, 8);
        memcpy(&y, b + same, 8);
        if (x != y)
            break;
    }
    while (same < most && a[same] == b[same])
        same++;
    return same;
}

/* The longest repetition at `at` that is longer than `best`: its length, or 0. */
static unsigned deflate_find(deflate_state *state, size_t at, unsigned best, unsigned *distance) {
    unsigned most = state->size - at < DEFLATE_MOST ? (unsigned)(state->size - at) : DEFLATE_MOST, found = 0;
    if (most < DEFLATE_LEAST || best >= most)
        return 0;
    const uint8_t *here = state->in + at;
    size_t oldest = at < DEFLATE_WINDOW ? 0 : at - DEFLATE_WINDOW;
    uint32_t next = *deflate_head(state, at), word = deflate_word(here);
    for (unsigned left = state->chain; next > oldest && left; left--) {
        const uint8_t *there = state->in + next - 1;
        if (there[best] == here[best] && deflate_word(there) == word) {
            unsigned same = deflate_same(there, here, most);
            if (same > best) {
                best = found = same;
                *distance = (unsigned)(at - (next - 1));
                if (same == most)
                    break;
            }
        }
        uint32_t older = state->before[(next - 1) % DEFLATE_WINDOW];
        if (older >= next)
            break; /* written over by a later position */
        next = older;
    }
    return found;
}

static void deflate_add(deflate_state *state, uint32_t token) {
    unsigned extra, base;
    state->tokens[state->count++] = token;
    if (token < 256)
        state->literals[token]++;
    else {
        state->literals[deflate_length(token >> 16, &extra, &base)]++;
        state->distances[deflate_distance(token & 0xffff, &extra, &base)]++;
    }
}

/* All of `in`, at most 1 GiB, as blocks; the last one is the end of the stream where `last`. */
static void deflate_run(deflate_state *state, bool last) {
    memset(state->heads, 0, sizeof state->heads);
    state->begin = 0;
    unsigned ready = 0, distance = 0, later = 0; /* ready: the length that was found at `at` already */
    for (size_t at = 0; at < state->size && !state->full;) {
        unsigned length = ready ? ready : deflate_find(state, at, DEFLATE_LEAST - 1, &distance), longer = 0;
        deflate_insert(state, at);
        if (length && state->lazy && length < DEFLATE_MOST / 4)
            longer = deflate_find(state, at + 1, length, &later);
        ready = longer;
        if (length && !longer) {
            deflate_add(state, (uint32_t)length << 16 | (distance & 0xffff));
            for (unsigned i = 1; i < length; i++)
                deflate_insert(state, at + i);
            at += length;
        } else {
            deflate_add(state, state->in[at++]);
            distance = longer ? later : distance;
        }
        if (state->count == DEFLATE_TOKENS)
            deflate_block(state, at, last && at == state->size);
    }
    if (state->count || state->size == 0)
        deflate_block(state, state->size, last);
}

/* ---- the whole */

bool tni_deflate_own(const void *head, size_t head_size, const void *bytes, size_t size, int level, uint8_t *target,
                     size_t *room) {
    static const uint16_t chains[] = {0, 2, 4, 8, 8, 16, 32, 64, 128, 512};
    enum { DEFLATE_PART = 1 << 30 };
    deflate_state *state = tni_heap_calloc(sizeof *state);
    if (!state)
        return false;
    state->out = target;
    state->room = *room;
    state->chain = chains[level];
    state->lazy = level > 3;
    if (head_size) {
        state->in = head;
        state->size = head_size;
        deflate_run(state, false);
    }
    do {
        state->in = bytes;
        state->size = size < DEFLATE_PART ? size : DEFLATE_PART;
        size -= state->size;
        deflate_run(state, size == 0);
        bytes = (const uint8_t *)bytes + state->size;
    } while (size && !state->full);
    deflate_align(state);
    *room = state->full ? 0 : state->used;
    tni_heap_free(state, sizeof *state);
    return true;
}

void *tni_deflate(const void *head, size_t head_size, const void *bytes, size_t size, int level, size_t *packed,
                  size_t *capacity, bool *failed) {
    *capacity = *packed = head_size + size;
    uint8_t *target = tni_heap_alloc(*capacity);
    const tni_deflate_zlib *zlib = tni_zlib();
    bool done = target && (zlib ? tni_deflate_by_zlib(zlib, head, head_size, bytes, size, level, target, packed)
                                : tni_deflate_own(head, head_size, bytes, size, level, target, packed));
    *failed = !done;
    if (target && (!done || !*packed)) {
        tni_heap_free(target, *capacity);
        target = NULL;
    }
    return target;
}
