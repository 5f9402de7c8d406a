/* library.c - see library.h. */
#include "base/library.h"

#include <stdio.h>
#include <string.h>

#include "base/dynamic.h"

#if TNI_HAS_DLOPEN

#include <dlfcn.h>

tn_error tni_library_open(const tni_library_file *files, size_t count, const char *name, void **library, char *why,
                          size_t size) {
    bool tried = false;
    *library = NULL;
    for (size_t i = 0; i <= count && !*library; i++) {
        bool last = i == count; /* not a short name, then */
        if (last ? tried : strcmp(name, files[i].name) != 0)
            continue;
        *library = dlopen(last ? name : files[i].file, RTLD_NOW | RTLD_LOCAL);
        const char *reason = *library ? NULL : dlerror();
        if (!tried)
            snprintf(why, size, "the library \"%s\" cannot be loaded: %s", name, reason ? reason : "unknown reason");
        tried = true;
    }
    return *library ? TN_OK : TN_ERROR_IO;
}

void tni_library_close(void *library) { (void)dlclose(library); }

tni_library_function tni_library_symbol(void *library, const char *before, const char *name, const char *after) {
    char symbol[64];
    tni_library_function function = NULL;
    snprintf(symbol, sizeof symbol, "%s%s%s", before, name, after);
    void *found = dlsym(library, symbol);
    _Static_assert(sizeof found == sizeof function, "POSIX: an address is one of a function too");
    memcpy(&function, &found, sizeof function);
    return function;
}

#else

tn_error tni_library_open(const tni_library_file *files, size_t count, const char *name, void **library, char *why,
                          size_t size) {
    (void)files;
    (void)count;
    *library = NULL;
    snprintf(why, size, "the library \"%s\" cannot be loaded: this system has no dlopen in libc", name);
    return TN_ERROR_UNSUPPORTED;
}

void tni_library_close(void *library) { (void)library; }

tni_library_function tni_library_symbol(void *library, const char *before, const char *name, const char *after) {
    (void)library, (void)before, (void)name, (void)after;
    return NULL;
}

#endif

bool tni_library_describe(void *library, const char *before, const char *after, char *about, size_t size) {
    typedef const char *(*text_function)(void);
    typedef int (*number_function)(void);
    typedef const char *(*name_function)(int);
    text_function core = (text_function)tni_library_symbol(library, before, "openblas_get_corename", after);
    text_function config = (text_function)tni_library_symbol(library, before, "openblas_get_config", after);
    const char *said = config ? config() : NULL;
    number_function query = (number_function)tni_library_symbol(library, "", "bli_arch_query_id", "");
    name_function arch = (name_function)tni_library_symbol(library, "", "bli_arch_string", "");
    const char *name = core ? core() : NULL;
    if (name)
        snprintf(about, size, "OpenBLAS for %s", name);
    else if (query && arch && (name = arch(query())))
        snprintf(about, size, "BLIS for %s", name);
    return said && strstr(said, "USE64BITINT");
}
