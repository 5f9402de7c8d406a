/* file.h - the inside of tn_file: what every reader of a format fills, and the few helpers that all of them share.
 *
 * A reader gets a source (source.c: the bytes of a file, however they are reached), reads what describes the tensors, and adds
 * blocks and entries. A block is a piece of the file that becomes one storage; an entry is a tensor that looks into a block.
 * file.c does the rest for all formats alike: finding, mapping, copying, decoding.
 *
 * Everything that a reader remembers comes from the file's arena and is freed with it. Every byte that is read goes through a cursor
 * or tni_source_view, which check the end; every size that comes from a file is checked before it is multiplied.
 *
 * Invariant: offsets and lengths in blocks are inside the source, and every entry's geometry is inside its block.
 */
#ifndef TNI_INTERCHANGE_FILE_H
#define TNI_INTERCHANGE_FILE_H

#include <tenon/files.h>

#include "base/error.h"
#include "base/heap.h"
#include "base/object.h"
#include "base/scope.h"
#include "base/lookup.h"
#include "interchange/limits.h"
#include "memory/storage.h"
#include "tensor/tensor.h"

/* ---- memory that lives as long as the file */

typedef struct tni_arena_block {
    struct tni_arena_block *next;
    size_t size;
} tni_arena_block;

typedef struct tni_arena {
    tni_arena_block *first;
    size_t used; /* of the first block */
} tni_arena;

void *tni_arena_take(tni_arena *arena, size_t bytes); /* zeroed; NULL with the error */
char *tni_arena_text(tni_arena *arena, const void *text, size_t length);
int64_t *tni_arena_dims(tni_arena *arena, const int64_t *values, int64_t count);
void tni_arena_free(tni_arena *arena);

/* Room for one more in an array of the arena, doubled when it is full. `count` is how many there are. */
bool tni_arena_grow(tni_arena *arena, void **items, size_t count, size_t *capacity, size_t item);

/* ---- the bytes */

typedef struct tni_file_source {
    const char *path; /* of the arena; NULL for memory                             */
    uint64_t size;
    const uint8_t *bytes; /* NULL where they are read when they are wanted             */
    tn_storage *memory;   /* held: what `bytes` belong to; NULL where they are nobody's */
    int descriptor;       /* -1: none                                                  */
    bool mapped;
    bool shares; /* tensors look into `bytes`                                 */
} tni_file_source;

/* Bytes of a source in memory for a while: of the source itself, or of a block that `end` frees. */
typedef struct tni_piece {
    const uint8_t *bytes;
    size_t size;
    void *owned;
} tni_piece;

bool tni_source_view(const tn_file *file, uint64_t at, uint64_t size, tni_piece *piece);
void tni_piece_end(tni_piece *piece);
bool tni_source_read(const tn_file *file, uint64_t at, void *target, size_t size);
bool tni_source_still_there(const tn_file *file); /* the file is as long as it was; raises */

/* ---- what a file holds */

typedef enum tni_packing {
    TNI_PLAIN = 0,
    TNI_SWAPPED,  /* elements in the other byte order                               */
    TNI_DEFLATED, /* a deflated member of a zip file                                */
    TNI_BLOCKS,   /* quantised blocks of GGUF: `detail` is the number of their kind */
    TNI_PROTO     /* a tensor's message in an ONNX file: `detail` says which field has the elements */
} tni_packing;

typedef struct tni_file_block {
    uint64_t at, bytes;  /* in the file                                                    */
    uint64_t unpacked;   /* bytes of the storage                                           */
    uint64_t skip;       /* deflated: bytes before the elements (the header of the array)  */
    uint32_t crc;        /* of a member of a zip file, where has_crc                       */
    uint32_t crc_before; /* stored: of the bytes of the member before the elements         */
    uint8_t packing, detail;
    uint8_t dtype;         /* that the storage is made for                                   */
    bool has_crc, swapped; /* swapped: elements of `dtype` are in the other byte order      */
    uint32_t whole;  /* .pt: 0, or the number + 1 of the block that this one is a part of, `skip` bytes from its beginning */
    const char *key; /* .pt: what the pickle calls it; NULL                            */
    _Atomic(tn_storage *) storage; /* held: .pt, once it was taken; csv                      */
} tni_file_block;

typedef struct tni_file_entry {
    const char *name;
    tn_file *shard; /* NULL: this file */
    uint32_t block;
    uint8_t dtype, ndim;
    bool requires_grad, is_parameter;
    int64_t *sizes, *strides; /* strides NULL: contiguous */
    int64_t offset;           /* in elements, in the block */
    uint64_t numel;
    const char *encoding;
} tni_file_entry;

typedef struct tni_file_text {
    const char *name, *text;
} tni_file_text;

struct tn_file {
    tni_object object;
    const char *format;
    tni_arena arena;
    tni_file_source source;
    bool writable, caches; /* caches: blocks keep their storages, so that tensors share them */

    tni_file_block *blocks;
    tni_file_entry *entries;
    tni_file_text *texts;
    tn_file **shards; /* held */
    size_t block_count, block_capacity, entry_count, entry_capacity, text_count, text_capacity, shard_count, shard_capacity;
    tni_lookup names, keys, known_texts; /* entries by their names, blocks of a .pt by their keys, texts by theirs */

    const tn_tree *tree;
    struct tni_zip *zip;              /* of the arena; NULL for others */
    uint64_t pickle_at, pickle_bytes; /* PyTorch's older format        */
    struct tni_onnx_model *onnx;      /* of the arena; NULL for others */
};

TNI_EXTERN const tni_class tni_file_class;

/* Adds; NULL, raised, for lack of memory. A new block begins as plain bytes, a new entry as a contiguous tensor of the block. */
tni_file_block *tni_file_add_block(tn_file *file, uint64_t at, uint64_t bytes, tn_dtype dtype);
tni_file_entry *tni_file_add_entry(tn_file *file, const char *name, tn_dtype dtype, const int64_t *sizes, int64_t ndim);
bool tni_file_add_text(tn_file *file, const char *name, const char *text); /* of several of one name the first is found */
int64_t tni_file_find_text(const tn_file *file, const char *name);         /* -1: none */

/* The number of elements, and of bytes; false, raised for the byte `at`, when the sizes are negative, too many or their product does
 * not fit. */
bool tni_file_measure(const tn_file *file, const char *name, uint64_t at, const int64_t *sizes, int64_t ndim, tn_dtype dtype,
                      uint64_t *numel, uint64_t *bytes);

/* Raises for what the file has at a byte: `"path", tensor "name", byte 12: ...`. name may be NULL. Returns false. */
bool tni_file_complain(const tn_file *file, tn_error code, const char *name, uint64_t at, const char *format, ...)
    TN_PRINTF(5, 6);

/* A block of bytes that became storage: mapped where it can be, else read. The reference is the caller's. */
tn_storage *tni_file_block_storage(tn_file *file, uint32_t block, const char *name);

/* The block that a pickle calls by this key, -1: none; and giving the last block its key. */
int64_t tni_file_find_key(const tn_file *file, const char *key);
bool tni_file_set_key(tn_file *file, const char *key);

void tni_swap_bytes(void *bytes, size_t count, size_t width); /* the order within `count` numbers of 2, 4 or 8 bytes */

/* ---- a cursor over bytes in memory */

typedef struct tni_cursor {
    const tn_file *file;
    const char *name; /* for messages */
    const uint8_t *bytes;
    uint64_t base; /* the place of bytes[0] in the file */
    size_t at, size;
    bool failed;
    bool partial,
        starved; /* partial: the bytes are the first of more; then their end is not an error, but makes it `starved` */
} tni_cursor;

const uint8_t *tni_cursor_take(tni_cursor *cursor, uint64_t count, const char *what); /* NULL, raised, at the end */
uint64_t tni_cursor_number(tni_cursor *cursor, int width, const char *what); /* little endian; 0 and `failed` at the end */
bool tni_cursor_complain(tni_cursor *cursor, tn_error code, const char *format, ...) TN_PRINTF(3, 4);

/* A header whose length nobody knows, read with as many of the first bytes as it turns out to need: `read` gets a cursor over some of
 * them, and is called again with more where that is starved; what it added to the file is forgotten before. */
bool tni_source_header(tn_file *file, bool (*read)(tn_file *file, tni_cursor *cursor, const void *ctx), const void *ctx);

static inline uint64_t tni_little(const uint8_t *bytes, int width) {
    uint64_t value = 0;
    for (int i = 0; i < width; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

/* ---- formats: whether the first bytes are theirs, and the readers. A reader returns false, raised. */

bool tni_read_safetensors(tn_file *file, const tn_file_options *options);
bool tni_read_shards(tn_file *file, const tn_file_options *options);
bool tni_read_npy(tn_file *file, const tn_file_options *options);
bool tni_read_zip(tn_file *file, const tn_file_options *options); /* npz and pt */
bool tni_read_torch_zip(tn_file *file, const tn_file_options *options, const char *folder);
bool tni_read_torch_legacy(tn_file *file, const tn_file_options *options);
bool tni_read_gguf(tn_file *file, const tn_file_options *options);
bool tni_read_onnx(tn_file *file, const tn_file_options *options);
bool tni_read_onnx_tensor(tn_file *file, const tn_file_options *options); /* one TensorProto */
bool tni_read_csv(tn_file *file, const tn_file_options *options);
bool tni_read_raw(tn_file *file, const tn_file_options *options);

/* The header of an array at the beginning of `cursor`, which stands behind it afterwards: adds the entry and its block, whose
 * place (at, bytes) the caller sets. */
bool tni_npy_header(tn_file *file, tni_cursor *cursor, const char *name, tni_file_block **block);

/* How many bytes the header has, told from the first 12 bytes of an array, or 0, raised. */
uint64_t tni_npy_header_size(tni_cursor *cursor);

/* What the beginning of a text in JSON is: whether it is an index of shards; and whether a message begins as a model of ONNX does. */
bool tni_is_shard_index(const uint8_t *bytes, size_t size);
bool tni_is_onnx(const uint8_t *bytes, size_t size);

/* ---- decoding */

/* Quantised blocks: how many elements and bytes a block has, its name; NULL for a kind that is not known. */
const char *tni_gguf_kind(int kind, size_t *elements, size_t *bytes);
void tni_gguf_unpack(int kind, const uint8_t *blocks, void *target, uint64_t elements, bool half); /* half: as float16 */

/* The elements of a tensor's message in an ONNX file (TNI_PROTO). */
bool tni_onnx_unpack(const tn_file *file, const tni_file_block *block, const uint8_t *message, void *target, uint64_t count);

/* Raw deflate data to exactly `size` bytes, or, with `some`, the first of them. A text that says what is wrong, NULL for nothing. */
const char *tni_inflate(const uint8_t *packed, size_t packed_size, uint8_t *target, size_t size, bool some);
uint32_t tni_crc32(uint32_t crc, const void *bytes, size_t size);

/* ---- zip files */

typedef struct tni_zip_member {
    const char *name;
    uint64_t at, bytes, unpacked; /* at: of the data; 0 until tni_zip_locate */
    uint64_t header;              /* of the local header */
    uint32_t crc;
    uint32_t block; /* .pt: the number of its block + 1, 0 while it has none */
    uint16_t method;
} tni_zip_member;

typedef struct tni_zip {
    tni_zip_member *members;
    size_t count;
    tni_lookup names; /* whole, and without the folder */
} tni_zip;

void tni_zip_free(tni_zip *zip);
tni_zip_member *tni_zip_find(const tn_file *file, const char *name);
bool tni_zip_locate(const tn_file *file, tni_zip_member *member);
/* The bytes of a member, unpacked. */
bool tni_zip_bytes(const tn_file *file, const tni_zip_member *member, tni_piece *piece);

/* ---- values of a pickle (pickle.c) */

struct tn_tree {
    uint8_t kind;
    bool made_new, marked;
    uint32_t index; /* of a tensor: its place; of a storage: its block */
    size_t count, capacity;
    tn_tree **items;  /* of a dict: key, value, key, value */
    const char *text; /* ended by a NUL; `length` without it */
    size_t length;
    tn_scalar number;
    tn_tree *function, *arguments, *state;
};

typedef struct tni_pickle {
    tn_file *file;
    const tn_file_options *options;
    tni_cursor cursor;
    /* Where a storage of a pickle is: gives the number of its block. */
    bool (*storage)(struct tni_pickle *pickle, const char *key, tn_dtype dtype, uint64_t bytes, uint32_t *block);
    bool views; /* a storage may be a part of another: the older format */
    tn_tree **stack;
    size_t stack_count, stack_capacity;
    size_t *marks;
    size_t mark_count, mark_capacity;
    tn_tree **memo;
    size_t memo_capacity, memo_count;
    size_t copied; /* items and bytes of values that were made out of others */
} tni_pickle;

tn_tree *tni_pickle_read(tni_pickle *pickle); /* one pickle, up to its STOP; NULL, raised */
bool tni_tree_name_tensors(tn_file *file, tn_tree *tree);

#endif
