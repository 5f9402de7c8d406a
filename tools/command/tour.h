/* tour.h - what the chapters of the tour share. tour.c has the table of chapters. */
#ifndef TENON_TOUR_H
#define TENON_TOUR_H

#include <tenon/tenon.h>

#include "terminal.h"

/* "sizes (3, 4)  strides (4, 1)  offset 0" under a name. */
void tour_show_geometry(const char *name, const tn_tensor *tensor);

/* The tensor as tn_print writes it, indented under the code that made it. False when `tensor` is NULL or cannot be shown. */
bool tour_show_elements(const tn_tensor *tensor);

/* A chapter opens no scope (the tour gives it one) and returns false at the first call that fails, with the error waiting. */
bool tour_shapes(void);
bool tour_slices(void);
bool tour_transposes(void);
bool tour_heads(void);
bool tour_operators(void);
bool tour_many(void);
bool tour_random(void);
bool tour_products(void);
bool tour_gradients(void);
bool tour_training(void);

#endif
