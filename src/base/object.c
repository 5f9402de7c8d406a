/* object.c - errors about handles that are not what they should be. */
#include "base/object.h"

#include "base/error.h"

const tni_class tni_dead_class = {"released object", NULL};

TNI_COLD bool tni_object_complain(const tni_object *self, const tni_class *wanted, const char *argument) {
    if (!self)
        tni_raise_missing(argument);
    else if (self->class == &tni_dead_class)
        tni_raise(TN_ERROR_STATE, "%s is a %s that was already released", argument, wanted->name);
    else
        tni_raise(TN_ERROR_ARGUMENT, "%s is not a %s", argument, wanted->name);
    return false;
}
