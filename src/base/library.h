/* library.h - libraries that are found at run time: by a short name that stands for several files, or by a file. Where there is no
 * dlopen (base/dynamic.h), none is found.
 */
#ifndef TNI_LIBRARY_H
#define TNI_LIBRARY_H

#include "base/common.h"
#include "base/error.h"

/* Short names, and the files that they stand for, the best first. */
typedef struct tni_library_file {
    const char *name, *file;
} tni_library_file;

typedef void (*tni_library_function)(void);

/* *library is the one of that name; where several files are tried, the reason in `why` is that of the first. TN_ERROR_IO where it cannot be
 * loaded, TN_ERROR_UNSUPPORTED where nothing can; neither is raised. */
tn_error tni_library_open(const tni_library_file *files, size_t count, const char *name, void **library, char *why,
                          size_t size);
void tni_library_close(void *library);

/* The function whose name is put together of three parts, or NULL. */
tni_library_function tni_library_symbol(void *library, const char *before, const char *name, const char *after);

/* What an OpenBLAS or a BLIS says of itself, the core it computes for; and whether an OpenBLAS has wide integers under plain names. */
bool tni_library_describe(void *library, const char *before, const char *after, char *about, size_t size);

#endif
