/* say.h - text into a caller's buffer that counts on when the buffer is full, for functions that explain something and return how
 * long the explanation is. Errors use tni_text (error.h), which is cut instead. */
#ifndef TNI_SAY_H
#define TNI_SAY_H

#include "base/common.h"

typedef struct tni_said {
    char *buffer; /* `size` bytes; may be NULL where size is 0 */
    size_t size, length;
} tni_said;

/* Appends. What has no room is counted in `length`, and the buffer ends with a NUL in any case. */
void tni_say(tni_said *said, const char *format, ...) TN_PRINTF(2, 3);

#endif
