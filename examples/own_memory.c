/* own_memory.c - tensors over memory that your program has, and memory for tensors from your own allocator.
 *
 * Three ways to hand a block to a tensor: lend it (TN_BORROW, TN_BORROW_CONST), give it away together with the function that
 * frees it (TN_FREE_WITH), or have it copied (TN_COPY, not shown). And the other way round: your own allocator, from which all
 * new tensors take their elements, with Tenon's statistics about it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <tenon/tenon.h>

/* ---- memory that exists */

typedef struct image {
    int width, height;
    unsigned char *pixels; /* rows from the bottom up, as in some formats */
} image;

static image *image_make(int width, int height) {
    image *picture = malloc(sizeof *picture);
    unsigned char *pixels = malloc((size_t)width * (size_t)height);
    if (!picture || !pixels)
        exit(1);
    for (int i = 0; i < width * height; i++)
        pixels[i] = (unsigned char)i;
    *picture = (image){width, height, pixels};
    return picture;
}

/* The deleter gets what the tensor was told (the image), not the address of the elements: often they are not the same. */
static void image_free(void *ctx) {
    image *picture = ctx;
    printf("the image of %d x %d is freed: no tensor looks at it any more\n\n", picture->width, picture->height);
    free(picture->pixels);
    free(picture);
}

static void give_away_an_image(void) {
    tn_scope scope = tn_scope_open();
    image *picture = image_make(4, 3);

    /* Index 0, 0 is the top left corner, which is in the last row of the block: a negative stride, and no copy. */
    const unsigned char *top = picture->pixels + (picture->height - 1) * picture->width;
    tn_tensor *x = tn_from_memory_strided(top, TN_DIMS(picture->height, picture->width), TN_DIMS(-picture->width, 1), TN_UINT8,
                                          TN_FREE_WITH(image_free, picture));
    if (!x) { /* then the image is still ours */
        fprintf(stderr, "%s\n", tn_error_message());
        image_free(picture);
        tn_scope_close(scope);
        return;
    }
    tn_tensor *corner = tn_keep(tn_index(x, TN_RANGE(0, 2), TN_RANGE(2, 4)));
    tn_scope_close(scope); /* x is gone, but the corner still needs the pixels */
    printf("the upper right corner of an image that is stored upside down:\n");
    tn_print(corner, stdout);
    tn_release(corner); /* now the image goes */
}

static void lend_a_table(void) {
    static const double primes[] = {2, 3, 5, 7, 11};
    tn_scope scope = tn_scope_open();
    tn_tensor *x = tn_from_memory(primes, TN_DIMS(5), TN_FLOAT64, TN_BORROW_CONST);
    tn_print(x, stdout);
    if (tn_set_element(x, TN_DIMS(0), TN_SCALAR(4)) != TN_OK)
        printf("lent as const, so: %s\n\n", tn_error_message());
    tn_error_clear();
    tn_scope_close(scope);
}

/* ---- your own allocator: a bump arena that gives nothing back before its end */

typedef struct arena {
    char *memory;
    size_t size, used;
} arena;

static void *arena_allocate(void *ctx, size_t bytes) {
    arena *self = ctx;
    size_t rounded = (bytes + 63) / 64 * 64; /* Tenon wants blocks aligned to 64 bytes */
    if (rounded < bytes || rounded > self->size - self->used)
        return NULL; /* Tenon reports it, with what it knows about this allocator */
    void *block = self->memory + self->used;
    self->used += rounded;
    return block;
}

static void arena_free(void *ctx, void *data, size_t bytes) { (void)ctx, (void)data, (void)bytes; }

static void use_an_arena(void) {
    arena self = {aligned_alloc(64, 4096), 4096, 0};
    if (!self.memory)
        exit(1);
    tn_allocator_functions functions = {.struct_size = sizeof functions,
                                        .name = "arena",
                                        .device = TN_DEVICE_CPU,
                                        .ctx = &self,
                                        .allocate = arena_allocate,
                                        .free = arena_free};
    tn_allocator *allocator = tn_allocator_create(&functions);
    tn_set_allocator(TN_CPU, allocator, 1); /* from now on every new tensor */

    tn_scope scope = tn_scope_open();
    tn_tensor *x = tn_ones(TN_DIMS(10, 10), TN_FLOAT32), *y = tn_zeros(TN_DIMS(3), TN_FLOAT64);
    tn_tensor *view = tn_transpose(x, 0, 1); /* takes nothing */
    tn_memory_stats stats = {.struct_size = sizeof stats};
    tn_allocator_stats(allocator, &stats);
    printf("in the arena: %lld tensors' memory, %lld bytes in use, %zu of %zu taken\n", (long long)stats.blocks.current,
           (long long)stats.bytes.current, self.used, self.size);
    if (x && y && view && !tn_zeros(TN_DIMS(1000), TN_FLOAT64))
        printf("when it is full: [%s] %s\n", tn_error_name(tn_error_code()), "and the program goes on");
    tn_error_clear();
    tn_scope_close(scope);

    tn_allocator_stats(allocator, &stats);
    printf("afterwards: %lld bytes in use, at most %lld\n", (long long)stats.bytes.current, (long long)stats.bytes.peak);
    tn_set_allocator(TN_CPU, NULL, 0); /* the built-in one again */
    tn_allocator_release(allocator);
    free(self.memory);
}

int main(void) {
    give_away_an_image();
    lend_a_table();
    use_an_arena();
    return 0;
}
