/* random_helpers.h - what the tests of random numbers and of generators share. */
#ifndef TENON_RANDOM_HELPERS_H
#define TENON_RANDOM_HELPERS_H

#include "test.h"

/* The next words of a generator are those of another. */
static inline bool same_words(tn_generator *a, tn_generator *b, int count) {
    for (int i = 0; i < count; i++)
        if (tn_generator_next(a) != tn_generator_next(b))
            return false;
    return true;
}

#endif
