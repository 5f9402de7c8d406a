/* callback.h - a function and its ctx that the whole process shares, exchanged at any time.
 *
 * Two words that must change together: a sequence lock, odd while a writer is inside. Reading takes no lock and writes nothing,
 * so every thread may do it on its way to an error or a warning.
 */
#ifndef TNI_CALLBACK_H
#define TNI_CALLBACK_H

#include "base/common.h"

typedef void (*tni_callback_function)(void); /* of any type: its caller knows which */

typedef struct tni_callback {
    _Atomic(tni_callback_function) call;
    _Atomic(void *) ctx;
    _Atomic unsigned sequence;
    _Atomic bool listed;
    struct tni_callback *next; /* of all cells that were ever set, see callback.c */
} tni_callback;

typedef struct tni_callback_pair {
    tni_callback_function call; /* NULL: nobody */
    void *ctx;
} tni_callback_pair;

void tni_callback_set(tni_callback *self, tni_callback_function call, void *ctx);
tni_callback_pair tni_callback_get(const tni_callback *self);

#endif
