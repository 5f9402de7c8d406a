/* doctor.h - the parts of `tenon doctor` that have files of their own. */
#ifndef TENON_COMMAND_DOCTOR_H
#define TENON_COMMAND_DOCTOR_H

/* doctor_products.c: who computes matrix products, and how fast the built-in engine and each BLAS of this machine are. */
void doctor_products(void);

/* doctor_factors.c: who factors matrices, and how fast the built-in algorithms and each LAPACK of this machine are. */
void doctor_factors(void);

#endif
