/* start_up.c - a program that loads a library, or does not: the difference is what the library costs before it is used.
 *
 *     start_up                        nothing
 *     start_up load LIBRARY           dlopen
 *     start_up version LIBRARY        dlopen and tn_version
 *     start_up tensor LIBRARY         dlopen and a first tensor, made and released
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <tenon/tenon.h>

static void find(void *library, const char *name, void *function) {
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 0;
    void *library = dlopen(argv[2], RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    if (strcmp(argv[1], "version") == 0) {
        const char *(*version)(void);
        find(library, "tn_version", &version);
        return version && version()[0] ? 0 : 1;
    }
    if (strcmp(argv[1], "tensor") == 0) {
        tn_tensor *(*empty)(tn_dims, tn_dtype);
        void (*release)(tn_tensor *);
        find(library, "tn_empty", &empty);
        find(library, "tn_release", &release);
        tn_tensor *tensor = empty && release ? empty(TN_DIMS(1), TN_FLOAT32) : NULL;
        if (!tensor)
            return 1;
        release(tensor);
    }
    return 0;
}
