/* composite.c - the end of a composite operator. See composite.h. */
#include "dispatch/composite.h"

#include "base/scope.h"

tn_scope tni_composite_begin(void) { return tni_scope_open_hidden(); }

tn_tensor *tni_composite_end(tn_scope scope, tn_tensor *made) { return tni_scope_close_hidden(scope, made); }
tn_list *tni_composite_end_list(tn_scope scope, tn_list *made) { return tni_scope_close_hidden(scope, made); }

tn_error tni_composite_end_changed(tn_scope scope, const tn_tensor *changed) {
    return tni_composite_end_answer(scope, changed ? TN_OK : tni_failed());
}

tn_error tni_composite_end_answer(tn_scope scope, tn_error code) {
    (void)tni_scope_close_hidden(scope, NULL);
    return code;
}
