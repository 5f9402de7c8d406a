/* fill.c - a pattern repeated over memory at the speed of memcpy.
 *
 * memset where all bytes of the element are equal; else a block that stays in the first cache is made by doubling and copied
 * over the rest, so that the work is memcpy's, which every libc has tuned.
 */
#include "ops/fill.h"

enum { FILL_BLOCK = 4096 };

void tni_fill_contiguous(void *target, const void *element, size_t size, int64_t count) {
    const unsigned char *bytes = element;
    size_t total = size * (size_t)count, same = 1;
    if (total == 0)
        return;
    while (same < size && bytes[same] == bytes[0])
        same++;
    if (same == size) {
        memset(target, bytes[0], total);
        return;
    }
    char *out = target;
    size_t block = total < FILL_BLOCK ? total : FILL_BLOCK - FILL_BLOCK % size;
    memcpy(out, element, size);
    for (size_t done = size; done < block;) {
        size_t many = done < block - done ? done : block - done;
        memcpy(out + done, out, many);
        done += many;
    }
    for (size_t done = block; done < total; done += block)
        memcpy(out + done, out, block < total - done ? block : total - done);
}
