/* windows_pack.h - windows of images as panels; see windows_pack.c. */
#ifndef TNI_WINDOWS_PACK_H
#define TNI_WINDOWS_PACK_H

#include "iterate/product_pack.h"
#include "iterate/windows.h"

/* A panel of `count` positions from `across` on (or taps, where sums run over positions) and `depth` of the others from `along` on.
 * `second`: a panel of B. */
void tni_windows_pack(const tni_windows *windows, tni_tile_kind kind, bool second, int64_t group, char *panel, int64_t width,
                      int64_t across, int64_t count, int64_t along, int64_t depth);

/* The same for lines of the other operand. */
void tni_windows_pack_lines(const tni_windows *windows, tni_tile_kind kind, bool second, int64_t group, char *panel,
                            int64_t width, int64_t line, int64_t count, int64_t along, int64_t depth);

#endif
