/* entropy.h - numbers that nobody can guess: first seeds, keys of hashes. */
#ifndef TNI_ENTROPY_H
#define TNI_ENTROPY_H

#include "base/common.h"

/* 64 bits of the system's random numbers. Where it has none to give (early in its life), the time, the process and an address,
 * mixed: different each time, but not secret. Never waits. */
uint64_t tni_entropy_bits(void);

#endif
