/* windows_planes.h - convolutions of single planes; see windows_planes.c. */
#ifndef TNI_WINDOWS_PLANES_H
#define TNI_WINDOWS_PLANES_H

#include "iterate/product_finish.h"
#include "iterate/windows.h"

/* Whether each group has one channel and few lines: a depthwise convolution. */
bool tni_windows_planes_serve(const tni_windows *windows);

/* Bytes of memory that it wants, and the computation; `finish` has the loops for bias and activation. False when it was cancelled. */
size_t tni_windows_planes_bytes(const tni_windows *windows);
bool tni_windows_planes_run(const tni_windows *windows, const tni_finish *finish, char *memory);

#endif
