/* bits.h - see bits.c. */
#ifndef TENON_TEST_BITS_H
#define TENON_TEST_BITS_H

void test_print_bits(void);

#endif
