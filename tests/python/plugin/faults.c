/* faults.c - lets one allocation fail during one call from Python: of an object of the interpreter, or of a tensor's elements. For
 * test_faults.py. It declares by hand what it needs of Python, so it needs no headers of it. */
#include <stdlib.h>

#include <tenon/tenon.h>

/* Of Python: its allocators, by domain, and the call of an object. */
typedef struct allocator {
    void *ctx;
    void *(*malloc)(void *ctx, size_t size);
    void *(*calloc)(void *ctx, size_t count, size_t size);
    void *(*realloc)(void *ctx, void *block, size_t size);
    void (*free)(void *ctx, void *block);
} allocator;
extern void PyMem_GetAllocator(int domain, allocator *out);
extern void PyMem_SetAllocator(int domain, allocator *in);
extern void *PyObject_Call(void *function, void *arguments, void *names);

enum { DOMAINS = 3 }; /* of them the first, which needs no lock of the interpreter, is left as it is */
static allocator before[DOMAINS];
static tn_allocator *elements;
static long countdown;
static int hit, none_left;

static int fails(void) {
    if (countdown == 0 || --countdown > 0)
        return 0;
    hit = 1;
    return 1;
}

static void *fail_malloc(void *ctx, size_t size) {
    return fails() ? NULL : ((allocator *)ctx)->malloc(((allocator *)ctx)->ctx, size);
}
static void *fail_calloc(void *ctx, size_t count, size_t size) {
    return fails() ? NULL : ((allocator *)ctx)->calloc(((allocator *)ctx)->ctx, count, size);
}
static void *fail_realloc(void *ctx, void *block, size_t size) {
    return fails() ? NULL : ((allocator *)ctx)->realloc(((allocator *)ctx)->ctx, block, size);
}
static void fail_free(void *ctx, void *block) { ((allocator *)ctx)->free(((allocator *)ctx)->ctx, block); }

static void *fail_elements(void *ctx, size_t bytes) {
    (void)ctx;
    void *block = NULL;
    none_left = none_left || fails(); /* Tenon asks again after it has emptied its caches */
    return !none_left && posix_memalign(&block, 64, bytes) == 0 ? block : NULL;
}
static void free_elements(void *ctx, void *data, size_t bytes) {
    (void)ctx;
    (void)bytes;
    free(data);
}

/* From now on, and until faults_end, elements come from here, too. */
int faults_begin(void) {
    tn_allocator_functions functions = {.struct_size = sizeof functions,
                                        .name = "failing",
                                        .device = TN_DEVICE_CPU,
                                        .allocate = fail_elements,
                                        .free = free_elements};
    elements = tn_allocator_create(&functions);
    return elements && tn_set_allocator(TN_CPU, elements, 0) == TN_OK;
}

void faults_end(void) {
    (void)tn_set_allocator(TN_CPU, NULL, 0);
    tn_allocator_release(elements);
    elements = NULL;
}

/* Calls an object with its k-th allocation failing. What it returns, or NULL with an exception, as any call. */
void *faults_call(void *function, void *arguments, void *names, long k) {
    for (int domain = 1; domain < DOMAINS; domain++) {
        allocator failing = {&before[domain], fail_malloc, fail_calloc, fail_realloc, fail_free};
        PyMem_GetAllocator(domain, &before[domain]);
        PyMem_SetAllocator(domain, &failing);
    }
    hit = none_left = 0;
    countdown = k;
    void *result = PyObject_Call(function, arguments, names);
    countdown = none_left = 0;
    for (int domain = 1; domain < DOMAINS; domain++)
        PyMem_SetAllocator(domain, &before[domain]);
    return result;
}

/* Whether an allocation has failed in the last call. */
int faults_hit(void) { return hit; }
