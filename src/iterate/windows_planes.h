/* windows_planes.h - convolutions without panels; see windows_planes.c. */
#ifndef TNI_WINDOWS_PLANES_H
#define TNI_WINDOWS_PLANES_H

#include "iterate/product_finish.h"
#include "iterate/windows.h"

/* Whether that is the better way, which follows from sizes alone. */
bool tni_windows_planes_serve(const tni_windows *windows);

/* Bytes of memory that it wants, and the computation; `finish` has the loops for bias and activation. False when it was cancelled. */
size_t tni_windows_planes_bytes(const tni_windows *windows, int64_t threads);
bool tni_windows_planes_run(const tni_windows *windows, const tni_finish *finish, char *memory, int64_t threads);

#endif
