/* deflate.h - the two that deflate: zlib, found at run time, and our own. tni_deflate (writer.h) chooses.
 *
 * Both pack `head` and then `bytes` as one raw stream into `target`, whose size is *room, and set *room to how many bytes they are; 0 where it is
 * not enough. False, raised: no memory.
 */
#ifndef TNI_INTERCHANGE_DEFLATE_H
#define TNI_INTERCHANGE_DEFLATE_H

#include "base/common.h"

bool tni_deflate_own(const void *head, size_t head_size, const void *bytes, size_t size, int level, uint8_t *target,
                     size_t *room);

typedef struct tni_deflate_zlib tni_deflate_zlib;

/* NULL where there is none, or -DTN_WITHOUT_ZLIB. */
const tni_deflate_zlib *tni_zlib(void);
bool tni_deflate_by_zlib(const tni_deflate_zlib *zlib, const void *head, size_t head_size, const void *bytes, size_t size,
                         int level, uint8_t *target, size_t *room);

#endif
