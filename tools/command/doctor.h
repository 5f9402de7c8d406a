/* doctor.h - the parts of `tenon doctor` that have files of their own. */
#ifndef TENON_COMMAND_DOCTOR_H
#define TENON_COMMAND_DOCTOR_H

/* A sentence for the last line: what would make Tenon faster here. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void doctor_advise(const char *format, ...);

/* doctor_products.c: who computes matrix products, and how fast the built-in engine and each BLAS of this machine are. */
void doctor_products(void);

/* doctor_factors.c: who factors matrices, and how fast the built-in algorithms and each LAPACK of this machine are. */
void doctor_factors(void);

#endif
