/* entropy.c - see entropy.h. */
#include "base/entropy.h"

#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* The finaliser of SplitMix64 (Steele, Lea and Flood, 2014). */
static uint64_t entropy_mix(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

uint64_t tni_entropy_bits(void) {
    uint64_t bits = 0;
    if (getrandom(&bits, sizeof bits, GRND_NONBLOCK) == (ssize_t)sizeof bits)
        return bits;
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    bits = entropy_mix((uint64_t)now.tv_sec ^ entropy_mix((uint64_t)now.tv_nsec));
    return entropy_mix(bits ^ (uint64_t)getpid() ^ entropy_mix((uint64_t)(uintptr_t)&now));
}
