/* warn.h - remarks about calls that are carried out nevertheless. See tenon/base.h. */
#ifndef TNI_WARN_H
#define TNI_WARN_H

#include "base/error.h"

/* Tell the observer of warnings, if there is one, under the operator now running. Call it on the thread that called the library
 * (never from a loop's body), after the checks and before the first write: the observer may call Tenon. Changes nothing, so it
 * needs no error path. The arguments are evaluated in any case; see tni_warned. */
void tni_warn(const char *format, ...) TN_PRINTF(1, 2);

/* Whether there is an observer, so that finding out whether to warn is worth the work. */
bool tni_warned(void);

#endif
