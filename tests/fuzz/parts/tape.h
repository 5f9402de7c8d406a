/* tape.h - where a fuzzer's choices come from: the bytes it was given, and, when they are used up, numbers that follow from a
 * seed. So one body works with libFuzzer, which changes bytes and watches what they reach, and in a plain loop over seeds.
 *
 * A file of the corpus must mean the same call when the drawing has changed, which neither bytes nor a seed would. So a finding
 * is recorded as its choices, a line each: the function that chooses, its expression, and what was chosen,
 *
 *     fuzz_strides between(-2, 3) = -1
 *
 * From such a file each choice takes the first line with its own function and expression that has not been taken; a new choice
 * finds none and is drawn, without shifting the others.
 */
#ifndef FUZZ_TAPE_H
#define FUZZ_TAPE_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { TAPE_CHOICES = 2048 };

typedef struct fuzz_tape {
    const uint8_t *bytes;
    size_t left;
    uint64_t state;
    const char *written; /* choices, a line each, with a zero at their end; NULL: none */
    bool taken[TAPE_CHOICES];
    FILE *record; /* where choices are written down, or NULL */
} fuzz_tape;

static inline uint64_t tape_random(fuzz_tape *from) { /* SplitMix64 */
    uint64_t z = from->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline uint64_t tape_drawn(fuzz_tape *from, int bytes) {
    uint64_t word = 0;
    for (int i = 0; i < bytes; i++)
        if (from->left) {
            word = word << 8 | *from->bytes++;
            from->left--;
        } else {
            word = word << 8 | (tape_random(from) >> 56);
        }
    return word;
}

/* The first line with this function and expression that was not taken gives its number. */
static inline bool tape_find(fuzz_tape *from, const char *function, const char *words, int64_t *number) {
    char start[256];
    int length = snprintf(start, sizeof start, "%s %s = ", function, words);
    const char *line = from->written;
    for (int i = 0; line && *line && i < TAPE_CHOICES; i++) {
        if (!from->taken[i] && strncmp(line, start, (size_t)length) == 0 && sscanf(line + length, "%" SCNd64, number) == 1) {
            from->taken[i] = true;
            return true;
        }
        line = strchr(line, '\n');
        line += line != NULL;
    }
    return false;
}

static inline int64_t tape_chosen(fuzz_tape *from, const char *function, const char *words, int64_t number) {
    if (from->record)
        fprintf(from->record, "%s %s = %" PRId64 "\n", function, words, number);
    return number;
}

static inline int64_t tape_pick(fuzz_tape *from, int64_t low, int64_t count, const char *function, const char *words) {
    int64_t number;
    if (tape_find(from, function, words, &number) && number >= low && number - low < count)
        return tape_chosen(from, function, words, number);
    number = count == 1 ? low : low + (int64_t)(tape_drawn(from, count <= 256 ? 1 : 8) % (uint64_t)count);
    return tape_chosen(from, function, words, number);
}

static inline bool tape_decide(fuzz_tape *from, int percent, const char *function, const char *words) {
    int64_t number;
    if (!tape_find(from, function, words, &number))
        number = tape_drawn(from, 1) % 100 < (uint64_t)percent;
    return tape_chosen(from, function, words, number != 0) != 0;
}

static inline uint64_t tape_take(fuzz_tape *from, const char *function, const char *words) {
    int64_t number;
    if (!tape_find(from, function, words, &number))
        number = (int64_t)tape_drawn(from, 8);
    return (uint64_t)tape_chosen(from, function, words, number);
}

/* Any word; a number from 0 up to, not including, n > 0; one from low to high; true in `percent` of 100 cases. */
#define tape_word(from) tape_take(from, __func__, "word")
#define tape_below(from, n) tape_pick(from, 0, n, __func__, "below(" #n ")")
#define tape_between(from, low, high) tape_pick(from, low, (high) - (low) + 1, __func__, "between(" #low ", " #high ")")
#define tape_chance(from, percent) tape_decide(from, percent, __func__, "chance(" #percent ")")

#endif
