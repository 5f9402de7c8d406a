/* watch.h - the process-wide observers of memory: reporter, pressure callback, junk fill, and the switch that says whether
 * any of them (or a trace) is on, which is all that the fast path checks.
 */
#ifndef TNI_WATCH_H
#define TNI_WATCH_H

#include "memory/allocator.h"

enum { TNI_WATCH_JUNK = 1, TNI_WATCH_REPORTER = 2, TNI_WATCH_TRACE = 4 /* and as much again for each further trace */ };

TNI_EXTERN _Atomic int32_t tni_watch_state;

/* Whether an allocation or release has something to report. */
static inline bool tni_watch_on(void) {
    return TNI_UNLIKELY(atomic_load_explicit(&tni_watch_state, memory_order_relaxed) != 0);
}

void tni_watch_start(void); /* reads the environment, once; every allocator calls it when it is made */
void tni_watch_took(tn_allocator *allocator, void *data, size_t bytes);
void tni_watch_gave(tn_allocator *allocator, void *data, size_t bytes);
void tni_watch_trace(bool on); /* one trace more, one less */

/* Ask the pressure callback: true when it says to try again. With no lock held. */
bool tni_watch_relieve(tn_device device, size_t bytes);

void tni_watch_lock_for_fork(void);
void tni_watch_unlock_after_fork(void);

#endif
