/* inflate.c - unpacking deflate (RFC 1951) from memory to memory of known size, and the checksum of zip files.
 *
 * The window is the target itself, so there is nothing to keep between calls. A table of 10 bits (8 for distances) gives for the next bits a
 * literal, a length or distance with its extra bits, or a second table for longer codes. Far from both ends the loop looks at neither:
 * a turn takes at most 48 bits and 8 bytes beyond what it needs, and writes at most 2 + 258 + 31 bytes.
 *
 * Invariant: `next` <= `end` and `to` <= `stop`, whatever the data; a distance reaches only bytes that were written.
 */
#include "interchange/files/file.h"

#include <pthread.h>

enum { INFLATE_ROOT = 10, INFLATE_DISTANCE_ROOT = 8, INFLATE_LONGEST = 15 };
enum { INFLATE_LITERAL = 16, INFLATE_END = 32, INFLATE_TABLE = 64, INFLATE_BAD = 128 };

/* What a code means: `op` is one of the above, or the number of extra bits that are added to `value`. */
typedef struct inflate_entry {
    uint16_t value;
    uint8_t bits, op;
} inflate_entry;

/* At least two codes share a second table, of at most 15 - root bits. */
enum {
    INFLATE_CODES = (1 << INFLATE_ROOT) + (288 / 2) * (1 << (INFLATE_LONGEST - INFLATE_ROOT)),
    INFLATE_DISTANCES = (1 << INFLATE_DISTANCE_ROOT) + (32 / 2) * (1 << (INFLATE_LONGEST - INFLATE_DISTANCE_ROOT))
};

typedef struct inflate_state {
    const uint8_t *next, *end;
    uint8_t *from, *to, *stop;
    uint64_t hold;
    unsigned held;
    inflate_entry codes[INFLATE_CODES], distances[INFLATE_DISTANCES];
} inflate_state;

static const uint16_t inflate_length_base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                               31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t inflate_length_extra[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                               2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
static const uint16_t inflate_distance_base[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                                 33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                                 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};

static inflate_entry inflate_meaning(unsigned symbol, int kind) {
    if (kind == 2) /* a distance */
        return symbol < 30 ? (inflate_entry){inflate_distance_base[symbol], 0, (uint8_t)(symbol < 2 ? 0 : symbol / 2 - 1)}
                           : (inflate_entry){0, 0, INFLATE_BAD};
    if (kind == 0 || symbol < 256)
        return (inflate_entry){(uint16_t)symbol, 0, INFLATE_LITERAL};
    if (symbol == 256)
        return (inflate_entry){0, 0, INFLATE_END};
    return symbol < 286 ? (inflate_entry){inflate_length_base[symbol - 257], 0, inflate_length_extra[symbol - 257]}
                        : (inflate_entry){0, 0, INFLATE_BAD};
}

static unsigned inflate_reverse(unsigned code, unsigned bits) {
    unsigned turned = 0;
    for (; bits; bits--, code >>= 1)
        turned = turned << 1 | (code & 1);
    return turned;
}

/* Tables for codes of these lengths. kind: 0 the lengths themselves, 1 literals and lengths, 2 distances. */
static bool inflate_build(inflate_entry *table, unsigned root, const uint8_t *lengths, unsigned count, int kind) {
    unsigned number[INFLATE_LONGEST + 1] = {0}, next[INFLATE_LONGEST + 2], longest = 0, used = 1u << root, codes = 0;
    for (unsigned i = 0; i < count; i++)
        number[lengths[i]]++;
    number[0] = 0;
    int left = 1;
    next[1] = 0;
    for (unsigned bits = 1; bits <= INFLATE_LONGEST; bits++) {
        left = 2 * left - (int)number[bits];
        if (left < 0)
            return false; /* more codes than there are */
        next[bits + 1] = (next[bits] + number[bits]) << 1;
        codes += number[bits];
        if (number[bits])
            longest = bits;
    }
    if (left > 0 && (codes > 1 || kind == 0))
        return false;
    for (unsigned i = 0; i < used; i++)
        table[i] = (inflate_entry){0, 1, INFLATE_BAD};
    unsigned more = longest > root ? longest - root : 0;
    for (unsigned symbol = 0; symbol < count; symbol++) {
        unsigned bits = lengths[symbol];
        if (!bits)
            continue;
        unsigned code = inflate_reverse(next[bits]++, bits);
        inflate_entry entry = inflate_meaning(symbol, kind);
        if (bits <= root) {
            entry.bits = (uint8_t)bits;
            for (unsigned at = code; at < 1u << root; at += 1u << bits)
                table[at] = entry;
            continue;
        }
        inflate_entry *first = &table[code & ((1u << root) - 1)];
        if (first->op != INFLATE_TABLE) {
            *first = (inflate_entry){(uint16_t)used, (uint8_t)root, INFLATE_TABLE};
            for (unsigned i = 0; i < 1u << more; i++)
                table[used + i] = (inflate_entry){0, 1, INFLATE_BAD};
            used += 1u << more;
        }
        entry.bits = (uint8_t)(bits - root);
        for (unsigned at = code >> root; at < 1u << more; at += 1u << (bits - root))
            table[first->value + at] = entry;
    }
    table[0].bits = table[0].bits ? table[0].bits : 1;
    return true;
}

static inline void inflate_fill(inflate_state *state) {
    if (state->end - state->next >= 8) {
        uint64_t word;
        memcpy(&word, state->next, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        state->hold |= word << state->held;
        state->next += (63 - state->held) >> 3;
        state->held |= 56;
        return;
    }
    while (state->held <= 56 && state->next < state->end) {
        state->hold |= (uint64_t)*state->next++ << state->held;
        state->held += 8;
    }
}

/* Bits that are known to be there; with `held` less than that, the data end too early. */
static bool inflate_bits(inflate_state *state, unsigned count, unsigned *bits) {
    if (state->held < count)
        inflate_fill(state);
    if (state->held < count)
        return false;
    *bits = (unsigned)(state->hold & ((UINT64_C(1) << count) - 1));
    state->hold >>= count;
    state->held -= count;
    return true;
}

static inline inflate_entry inflate_look(inflate_state *state, const inflate_entry *table, unsigned root, unsigned more) {
    inflate_entry entry = table[state->hold & ((1u << root) - 1)];
    if (TNI_UNLIKELY(entry.op == INFLATE_TABLE)) {
        state->hold >>= root;
        state->held -= root;
        entry = table[entry.value + (state->hold & ((1u << more) - 1))];
    }
    state->hold >>= entry.bits;
    state->held -= entry.bits;
    return entry;
}

static const char inflate_short[] = "the deflated data end too early";
static const char inflate_bad[] = "the deflated data have a code that does not exist";
static const char inflate_far[] = "the deflated data repeat bytes from before their beginning";
static const char inflate_long[] = "the deflated data are longer than they should be";

/* Copies a repetition; `roomy`: 31 bytes behind it may be written, too. */
static inline void inflate_repeat(uint8_t *to, size_t distance, size_t length, bool roomy) {
    const uint8_t *from = to - distance;
    if (roomy && distance >= 32) {
        for (size_t i = 0; i < length; i += 32)
            memcpy(to + i, from + i, 32);
    } else if (roomy && distance >= 8) {
        for (size_t i = 0; i < length; i += 8)
            memcpy(to + i, from + i, 8);
    } else if (distance == 1)
        memset(to, *from, length);
    else
        for (size_t i = 0; i < length; i++)
            to[i] = from[i];
}

/* The codes of one block. Near the ends `held` may go below 0 for a moment: as an unsigned number it is then larger than 64. */
static const char *inflate_codes(inflate_state *state, unsigned more, unsigned more_distance, bool some) {
    for (;;) {
        bool roomy = state->stop - state->to >= 2 + 258 + 31;
        inflate_fill(state);
        inflate_entry entry = inflate_look(state, state->codes, INFLATE_ROOT, more);
        if (entry.op == INFLATE_LITERAL && roomy) {
            *state->to++ = (uint8_t)entry.value;
            if (state->held > 64)
                return inflate_short;
            if (state->held < 30)
                continue;
            entry = inflate_look(state, state->codes, INFLATE_ROOT, more);
            if (entry.op == INFLATE_LITERAL) {
                *state->to++ = (uint8_t)entry.value;
                if (state->held > 64)
                    return inflate_short;
                continue;
            }
            if (state->held <= 64)
                inflate_fill(state);
        }
        if (state->held > 64)
            return inflate_short;
        if (entry.op == INFLATE_LITERAL) {
            if (state->to == state->stop)
                return some ? NULL : inflate_long;
            *state->to++ = (uint8_t)entry.value;
            continue;
        }
        if (entry.op == INFLATE_END)
            return NULL;
        if (entry.op == INFLATE_BAD)
            return inflate_bad;
        size_t length = entry.value + (state->hold & ((1u << entry.op) - 1));
        state->hold >>= entry.op;
        state->held -= entry.op;
        if (state->held < 30)
            inflate_fill(state);
        entry = inflate_look(state, state->distances, INFLATE_DISTANCE_ROOT, more_distance);
        if (entry.op == INFLATE_BAD)
            return state->held > 64 ? inflate_short : inflate_bad;
        size_t distance = entry.value + (state->hold & ((1u << entry.op) - 1));
        state->hold >>= entry.op;
        state->held -= entry.op;
        if (state->held > 64)
            return inflate_short;
        if (distance > (size_t)(state->to - state->from))
            return inflate_far;
        if (length > (size_t)(state->stop - state->to)) {
            if (!some)
                return inflate_long;
            length = (size_t)(state->stop - state->to);
        }
        inflate_repeat(state->to, distance, length, roomy);
        state->to += length;
        if (some && state->to == state->stop)
            return NULL;
    }
}

static unsigned inflate_more(const uint8_t *lengths, unsigned count, unsigned root) {
    unsigned longest = 0;
    for (unsigned i = 0; i < count; i++)
        longest = lengths[i] > longest ? lengths[i] : longest;
    return longest > root ? longest - root : 0;
}

static const char *inflate_lengths(inflate_state *state, uint8_t lengths[320], unsigned *codes, unsigned *distances) {
    static const uint8_t order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t own[19] = {0};
    unsigned count, bits, at = 0;
    if (!inflate_bits(state, 5, codes) || !inflate_bits(state, 5, distances) || !inflate_bits(state, 4, &count))
        return inflate_short;
    *codes += 257;
    *distances += 1;
    if (*codes > 286 || *distances > 30)
        return inflate_bad;
    for (unsigned i = 0; i < count + 4; i++) {
        if (!inflate_bits(state, 3, &bits))
            return inflate_short;
        own[order[i]] = (uint8_t)bits;
    }
    if (!inflate_build(state->codes, INFLATE_ROOT, own, 19, 0))
        return inflate_bad;
    while (at < *codes + *distances) {
        inflate_fill(state);
        inflate_entry entry = inflate_look(state, state->codes, INFLATE_ROOT, 0);
        if (entry.op != INFLATE_LITERAL || state->held > 64)
            return entry.op != INFLATE_LITERAL ? inflate_bad : inflate_short;
        if (entry.value < 16) {
            lengths[at++] = (uint8_t)entry.value;
            continue;
        }
        static const uint8_t widths[] = {2, 3, 7}, least[] = {3, 3, 11};
        unsigned repeats, which = entry.value - 16u;
        if (!inflate_bits(state, widths[which], &repeats))
            return inflate_short;
        repeats += least[which];
        if ((which == 0 && at == 0) || repeats > *codes + *distances - at)
            return inflate_bad;
        memset(lengths + at, which == 0 ? lengths[at - 1] : 0, repeats);
        at += repeats;
    }
    return lengths[256] ? NULL : inflate_bad;
}

static const char *inflate_stored(inflate_state *state, bool some) {
    unsigned skip, size, opposite;
    if (!inflate_bits(state, state->held & 7, &skip) || !inflate_bits(state, 16, &size) || !inflate_bits(state, 16, &opposite))
        return inflate_short;
    if ((size ^ opposite) != 0xffff)
        return "the length of a stored block is damaged";
    state->next -= state->held / 8; /* whole bytes are held: back to where they came from */
    state->hold = 0;
    state->held = 0;
    if (size > (size_t)(state->end - state->next))
        return inflate_short;
    size_t room = (size_t)(state->stop - state->to);
    if (size > room && !some)
        return inflate_long;
    size_t copied = size < room ? size : room;
    if (copied)
        memcpy(state->to, state->next, copied);
    state->to += copied;
    state->next += size;
    return NULL;
}

static const char *inflate_block(inflate_state *state, unsigned kind, bool some) {
    uint8_t lengths[320];
    unsigned codes = 288, distances = 30;
    const char *wrong = NULL;
    if (kind == 0)
        return inflate_stored(state, some);
    if (kind == 1) {
        memset(lengths, 8, 144);
        memset(lengths + 144, 9, 112);
        memset(lengths + 256, 7, 24);
        memset(lengths + 280, 8, 8);
        memset(lengths + 288, 5, 32);
        distances = 32;
    } else if (kind == 2)
        wrong = inflate_lengths(state, lengths, &codes, &distances);
    else
        return inflate_bad;
    if (wrong)
        return wrong;
    if (!inflate_build(state->codes, INFLATE_ROOT, lengths, codes, 1) ||
        !inflate_build(state->distances, INFLATE_DISTANCE_ROOT, lengths + codes, distances, 2))
        return inflate_bad;
    return inflate_codes(state, inflate_more(lengths, codes, INFLATE_ROOT),
                         inflate_more(lengths + codes, distances, INFLATE_DISTANCE_ROOT), some);
}

const char *tni_inflate(const uint8_t *packed, size_t packed_size, uint8_t *target, size_t size, bool some) {
    inflate_state state;
    state.next = packed;
    state.end = packed + packed_size;
    state.from = state.to = target;
    state.stop = target + size;
    state.hold = 0;
    state.held = 0;
    for (unsigned last = 0, kind; !last && !(some && state.to == state.stop);) {
        if (!inflate_bits(&state, 1, &last) || !inflate_bits(&state, 2, &kind))
            return inflate_short;
        const char *wrong = inflate_block(&state, kind, some);
        if (wrong)
            return wrong;
        state.hold &= state.held >= 64 ? UINT64_MAX : (UINT64_C(1) << state.held) - 1; /* what was read ahead is read again */
    }
    return state.to == state.stop ? NULL : "the deflated data are shorter than they should be";
}

/* ---- the checksum: eight bytes at a time, by eight tables */

static uint32_t crc_tables[8][256];

static void crc_begin(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
        crc_tables[0][i] = crc;
    }
    for (uint32_t i = 0; i < 256; i++)
        for (int k = 1; k < 8; k++)
            crc_tables[k][i] = crc_tables[k - 1][i] >> 8 ^ crc_tables[0][crc_tables[k - 1][i] & 255];
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

/* 64 bytes at a time by carry-less products, four sums side by side, as in Intel's "Fast CRC computation for generic polynomials using
 * PCLMULQDQ". The constants are powers of x modulo the polynomial, reflected. `size` is a multiple of 16, at least 64; `crc` is inverted already. */
__attribute__((target("sse4.1,pclmul"))) static uint32_t crc_fold(uint32_t crc, const uint8_t *at, size_t size) {
    const __m128i by64 = _mm_set_epi64x(0x1c6e41596, 0x154442bd4), by16 = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
    const __m128i low = _mm_set_epi32(0, 0, 0, -1), poly = _mm_set_epi64x(0x1f7011641, 0x1db710641);
    __m128i sums[4];
    for (int i = 0; i < 4; i++)
        sums[i] = _mm_loadu_si128((const __m128i *)at + i);
    sums[0] = _mm_xor_si128(sums[0], _mm_cvtsi32_si128((int)crc));
    for (at += 64, size -= 64; size >= 64; at += 64, size -= 64)
        for (int i = 0; i < 4; i++)
            sums[i] = _mm_xor_si128(
                _mm_xor_si128(_mm_clmulepi64_si128(sums[i], by64, 0x00), _mm_clmulepi64_si128(sums[i], by64, 0x11)),
                _mm_loadu_si128((const __m128i *)at + i));
    __m128i sum = sums[0];
    for (int i = 1; i < 4; i++)
        sum =
            _mm_xor_si128(_mm_xor_si128(_mm_clmulepi64_si128(sum, by16, 0x00), _mm_clmulepi64_si128(sum, by16, 0x11)), sums[i]);
    for (; size >= 16; at += 16, size -= 16)
        sum = _mm_xor_si128(_mm_xor_si128(_mm_clmulepi64_si128(sum, by16, 0x00), _mm_clmulepi64_si128(sum, by16, 0x11)),
                            _mm_loadu_si128((const __m128i *)at));
    sum = _mm_xor_si128(_mm_srli_si128(sum, 8), _mm_clmulepi64_si128(sum, by16, 0x10)); /* 128 bits to 96, to 64, to 32 */
    sum = _mm_xor_si128(_mm_srli_si128(sum, 4),
                        _mm_clmulepi64_si128(_mm_and_si128(sum, low), _mm_set_epi64x(0, 0x163cd6124), 0x00));
    __m128i quotient = _mm_clmulepi64_si128(_mm_and_si128(sum, low), poly, 0x10);
    quotient = _mm_clmulepi64_si128(_mm_and_si128(quotient, low), poly, 0x00);
    return (uint32_t)_mm_extract_epi32(_mm_xor_si128(sum, quotient), 1);
}

static size_t crc_foldable(size_t size) {
    return size >= 64 && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1") ? size & ~(size_t)15 : 0;
}
#else
static uint32_t crc_fold(uint32_t crc, const uint8_t *at, size_t size) { return (void)at, (void)size, crc; }
static size_t crc_foldable(size_t size) { return (void)size, 0; }
#endif

uint32_t tni_crc32(uint32_t crc, const void *bytes, size_t size) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, crc_begin);
    const uint8_t *at = bytes;
    crc = ~crc;
    size_t folded = crc_foldable(size);
    if (folded)
        crc = crc_fold(crc, at, folded);
    at += folded;
    size -= folded;
    for (; size >= 8; size -= 8, at += 8) {
        uint32_t low = crc ^ (uint32_t)tni_little(at, 4), high = (uint32_t)tni_little(at + 4, 4);
        crc = crc_tables[7][low & 255] ^ crc_tables[6][low >> 8 & 255] ^ crc_tables[5][low >> 16 & 255] ^
              crc_tables[4][low >> 24] ^ crc_tables[3][high & 255] ^ crc_tables[2][high >> 8 & 255] ^
              crc_tables[1][high >> 16 & 255] ^ crc_tables[0][high >> 24];
    }
    for (; size; size--)
        crc = crc >> 8 ^ crc_tables[0][(crc ^ *at++) & 255];
    return ~crc;
}
