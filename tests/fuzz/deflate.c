/* deflate.c - fuzzes unpacking, which gets the bytes as deflated data, and packing, which gets them as data: what it makes is unpacked to
 * the same bytes. The first byte chooses level and size.
 */
#include <stdlib.h>
#include <string.h>

#include "interchange/files/deflate.h"
#include "interchange/files/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_deflate_check(bool good) {
    if (!good)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size)
        return 0;
    static const size_t rooms[] = {0, 1, 300, 4096, 70000};
    size_t wanted = rooms[data[0] % 5], level = 1 + data[0] / 5 % 9, length = size - 1, room = 2 * length + 64;
    uint8_t *exact = malloc(size), *target = malloc(wanted + 1), *packed = malloc(room), *back = malloc(size);
    if (exact && target && packed && back) {
        memcpy(exact, data + 1, length);
        for (int some = 0; some < 2; some++)
            (void)tni_inflate(exact, length, target, wanted, some);
        size_t head = data[0] & 1 ? length / 2 : 0;
        fuzz_deflate_check(tni_deflate_own(exact, head, exact + head, length - head, (int)level, packed, &room));
        fuzz_deflate_check(room > 0 && !tni_inflate(packed, room, back, length, false) && memcmp(back, exact, length) == 0);
    }
    free(exact);
    free(target);
    free(packed);
    free(back);
    return 0;
}
