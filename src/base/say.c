/* say.c - see say.h. */
#include "base/say.h"

#include <stdarg.h>
#include <stdio.h>

void tni_say(tni_said *said, const char *format, ...) {
    size_t room = said->length < said->size ? said->size - said->length : 0;
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(room ? said->buffer + said->length : NULL, room, format, arguments);
    va_end(arguments);
    if (written > 0)
        said->length += (size_t)written;
}
