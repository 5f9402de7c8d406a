/* pool_windows.h - the windows of a pooling call: from its arguments to the tables that the loops read (kernels/pool_plane.h).
 *
 * Two steps, as plans and runs have them: tni_windows_even and tni_windows_adaptive check the arguments and find the sizes of the
 * result; tni_windows_table then makes the tables, in one block.
 */
#ifndef TNI_POOL_WINDOWS_H
#define TNI_POOL_WINDOWS_H

#include "kernels/pool_plane.h"
#include "tensor/tensor.h"

/* What a call says of its windows. `spatial` dimensions of 1 to 3; a list of one number counts for all of them, an empty one is the
 * standard: the stride is that of the window, no padding, a dilation of 1. */
typedef struct tni_windows_call {
    int64_t spatial;
    tn_dims kernel_size, stride, padding, dilation;
    bool ceil_mode;
    bool padding_counts; /* of means: elements of the padding are counted     */
    int64_t divisor;     /* of means: what a sum is divided by, 0: a mean     */
} tni_windows_call;

typedef struct tni_pool_windows {
    int64_t spatial;
    tni_pool pool; /* sizes; its tables are NULL until they are made  */
    bool adaptive, padding_counts;
    bool keeps_format; /* a result is channels_last where self is: all of two dimensions, and max_pool3d, as torch has it */
    int64_t *room;     /* of the tables */
    int64_t numbers;
} tni_pool_windows;

/* Whether self has a channel dimension before its `spatial` last ones, perhaps a batch, and elements in all but the batch (adaptive: in
 * all planes). Raises when not. */
bool tni_windows_check_self(const tn_tensor *self, int64_t spatial, bool adaptive);

/* The sizes of a result: those of self with those of the windows at the end. */
int64_t tni_windows_sizes(const tni_pool_windows *windows, const tn_tensor *self, int64_t *sizes);

bool tni_windows_even(tni_pool_windows *windows, const tn_tensor *self, const tni_windows_call *call);
bool tni_windows_adaptive(tni_pool_windows *windows, const tn_tensor *self, int64_t spatial, tn_dims output_size);

/* The tables; false with the error raised where there is no memory. They are to be dropped. */
bool tni_windows_table(tni_pool_windows *windows);
void tni_windows_drop(tni_pool_windows *windows);

/* A list of one number for each dimension, from one that has one, as many, or none: then it is `standard`. Raises otherwise. */
bool tni_windows_spread(tn_dims given, int64_t spatial, int64_t standard, const char *name, int64_t *values);

#endif
