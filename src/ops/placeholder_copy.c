/* placeholder: weak, naive copies until copy.c is there; removed then. */
#include "base/error.h"
#include "ops/copy.h"
#include "ops/view.h"
__attribute__((weak)) tn_error tni_fill_into(tn_tensor *self, tn_scalar value) { (void)self; (void)value; return tni_raise(TN_ERROR_UNSUPPORTED, "placeholder"); }
__attribute__((weak)) tn_error tni_copy_into(tn_tensor *t, const tn_tensor *s, const char *r) { (void)t; (void)s; (void)r; return tni_raise(TN_ERROR_UNSUPPORTED, "placeholder"); }
__attribute__((weak)) tn_tensor *tni_clone_contiguous(const tn_tensor *s, const char *r) { (void)s; (void)r; return tni_raise_null(TN_ERROR_UNSUPPORTED, "placeholder"); }
