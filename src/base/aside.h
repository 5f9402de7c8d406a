/* aside.h - a user's function that is called in the middle of a call: an observer, a cancel check, the memory pressure
 * callback.
 *
 * It may call Tenon, and sees the library as the program saw it before the call: no operator is running, nothing is cancelled,
 * and scopes that the library opened for itself are not in force. What it makes belongs to the innermost scope that the program
 * has open, or, where there is none, to the function. What it leaves behind does not reach the call: scopes it left open are
 * closed. Errors are recorded and cleared in it as usual. Its own calls do not ask whether to go on.
 */
#ifndef TNI_ASIDE_H
#define TNI_ASIDE_H

#include "base/thread.h"

typedef struct tni_aside {
    const char *operator_name;
    void *loop; /* see tni_loop_leave */
    size_t mark, floor;
    bool cancelled, asking;
} tni_aside;

void tni_aside_begin(tni_aside *aside);
void tni_aside_end(const tni_aside *aside);

#endif
