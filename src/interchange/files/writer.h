/* writer.h - the inside of tn_writer: what is to be written, and the bytes on their way out.
 *
 * Everything is gathered first; tn_writer_finish then calls the format's function once, which puts bytes in order. A put that fails
 * makes all that follow do nothing, so the format need look at the outcome only once, at its end.
 */
#ifndef TNI_INTERCHANGE_WRITER_H
#define TNI_INTERCHANGE_WRITER_H

#include "interchange/files/file.h"

typedef struct tni_written {
    const char *name, *group; /* group: NULL, or the dict of a .pt that it is in */
    tn_tensor *tensor;        /* held; NULL for a number or a record */
    tn_tensor *source;        /* NULL, or held: what `tensor`, which has no memory then, is made of when it is written */
    double number;
    const uint8_t *record; /* of the arena */
    size_t bytes;
} tni_written;

typedef struct tni_format_writer {
    const char *name;
    bool one;   /* takes a single tensor */
    bool texts; /* and metadata          */
    bool records;
    bool later; /* converts tensors when it writes them */
    bool (*takes)(tn_dtype dtype);
    bool (*write)(tn_writer *writer);
} tni_format_writer;

struct tn_writer {
    tni_object object;
    const tni_format_writer *format;
    const char *path;
    tn_write_function write;
    void *ctx;
    tni_arena arena;
    tni_written *items, *records;
    tni_file_text *texts;
    size_t item_count, item_capacity, record_count, record_capacity, text_count, text_capacity;
    tni_lookup names;
    const char *group;
    int level;
    bool durable, finished;

    int descriptor;
    uint8_t *buffer;
    size_t used;
    uint64_t written; /* bytes put so far */
    bool failed;
};

TNI_EXTERN const tni_format_writer *const tni_format_writers;
TNI_EXTERN const int tni_format_writer_count;

void tni_put(tn_writer *writer, const void *bytes, size_t size);
void tni_put_number(tn_writer *writer, uint64_t number, int width); /* little endian */
void tni_put_text(tn_writer *writer, const char *text);
void tni_put_zeros(tn_writer *writer, uint64_t count);

/* The elements of an item in row-major order: contiguous, a new reference; NULL, raised. */
tn_tensor *tni_written_elements(const tni_written *item);
void tni_put_elements(tn_writer *writer, const tni_written *item);

/* Internal additions to a .pt: what follows goes to a dict of this name (NULL: to none); a number. */
void tni_writer_group(tn_writer *writer, const char *group);
tn_error tni_writer_add_number(tn_writer *writer, const char *name, double number);

/* zip: a member whose data are `head` and then `bytes`, aligned to 64 where `align`. Then the directory. */
typedef struct tni_zip_out {
    tn_writer *writer;
    struct tni_zip_written *members;
    size_t count, capacity;
    bool stored; /* not deflated, whatever the writer's level */
} tni_zip_out;
void tni_zip_put(tni_zip_out *zip, const char *name, const void *head, size_t head_size, const void *bytes, size_t size,
                 bool align);
void tni_zip_finish(tni_zip_out *zip);

/* Deflates `head` and then `bytes` to new memory of *size bytes out of *capacity, which the caller frees. `level` 1 to 9. NULL with *failed where
 * there is no memory; NULL without it where that would not be shorter. By zlib where it is found, else by our own. */
void *tni_deflate(const void *head, size_t head_size, const void *bytes, size_t size, int level, size_t *packed,
                  size_t *capacity, bool *failed);

bool tni_write_npy(tn_writer *writer);
bool tni_write_npz(tn_writer *writer);
bool tni_write_safetensors(tn_writer *writer);
bool tni_write_torch(tn_writer *writer);
bool tni_write_gguf(tn_writer *writer);
bool tni_write_csv(tn_writer *writer);
bool tni_write_raw(tn_writer *writer);

#endif
