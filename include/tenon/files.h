/* tenon/files.h - tensors in files: .npy and .npz, safetensors, PyTorch's .pt, GGUF, ONNX, CSV, raw bytes.
 *
 *     tn_file *file = tn_file_open("model.safetensors", NULL);            // maps it, reads the header alone
 *     for (int64_t i = 0; i < tn_file_count(file); i++) {
 *         tn_file_tensor about = TN_FILE_TENSOR;
 *         if (tn_file_describe(file, i, &about) == TN_OK)
 *             printf("%s: %s, %zu bytes\n", about.name, tn_dtype_name(about.dtype), (size_t)about.bytes);
 *     }
 *     tn_tensor *w = tn_file_take(file, "encoder.weight");                // a view of the mapped file
 *     tn_file_release(file);                                              // w keeps what it needs
 *
 *     tn_writer *writer = tn_writer_open("out.npz", "npz");
 *     tn_writer_add(writer, "w", w);
 *     if (tn_writer_finish(writer) != TN_OK)                              // now, and whole, or not at all
 *         fprintf(stderr, "%s\n", tn_error_message());
 *     tn_writer_release(writer);
 *
 * The format of a file is found by its content, never by its name. Nothing in a file is trusted and nothing is executed:
 * whatever the bytes, the result is tensors or an error that names the file, the tensor and the byte. Memory and time are bounded by
 * the size of the file; deflated data by 1032 times of it, which is what deflate can do.
 *
 * The one thing that cannot be guarded: a mapped file that is made shorter while it is in use. Opening and taking compare its
 * length with what it was and fail; elements that are read later are read by the processor, and the system then ends the process
 * (SIGBUS). Whoever cannot rule that out uses TN_FILE_READ.
 *
 * Threads: as everywhere, one object is used by many threads only while none of them changes it; taking changes nothing.
 */
#ifndef TENON_FILES_H
#define TENON_FILES_H

#include <tenon/tensor.h>
#include <tenon/train.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- reading ------------------------------------------------------------------------------------------------------- */

typedef struct tn_file tn_file;

typedef enum tn_file_mode {
    TN_FILE_MAP = 0, /* tensors look into the file (or the block of memory) where they can                     */
    TN_FILE_READ,    /* tensors are copies, read when they are taken; nothing is mapped                        */
    TN_FILE_STREAM   /* all of it is read once, from the beginning to the end, when it is opened: pipes, tapes */
} tn_file_mode;

/* How to open a file. 0, NULL and false are the defaults. */
typedef struct tn_file_options {
    size_t struct_size; /* sizeof(tn_file_options) */
    tn_file_mode mode;
    bool writable; /* tensors may be written to; the file itself is never changed. Otherwise they are read-only */
    const char *
        format; /* NULL: by content. "csv", "tsv", "raw" and "tensorproto" (one tensor of ONNX) have no mark and must be named */

    /* raw: what the bytes are; a -1 among the sizes is found out, no sizes: one dimension. csv: the dtype to read, float64 where it
     * is TN_DTYPE_DEFAULT. gguf: what quantised blocks become, TN_FLOAT32 or TN_FLOAT16; TN_DTYPE_DEFAULT is float32. */
    tn_dtype dtype;
    tn_dims sizes;
    uint64_t offset; /* raw: where the first element is; csv: lines to skip */
    char separator;  /* csv: 0 is a comma; a space means any white space     */
    char comment;    /* csv: what follows it in a line is ignored; 0: nothing */

    /* .pt: classes and functions that may be named in the file, as "module.name" ("mine.Config"), beside those that state dicts
     * need. They become objects in the tree (tn_tree_kind_of), they are not called. `any_object`: every name may. */
    const char *const *allowed;
    int64_t allowed_count;
    bool any_object;
} tn_file_options;
#define TN_FILE_OPTIONS                                                                                                        \
    { sizeof(tn_file_options), TN_FILE_MAP, false, NULL, TN_DTYPE_DEFAULT, {NULL, 0}, 0, 0, 0, NULL, 0, false }

/* Opens a file: reads what describes the tensors, and no tensor. You own it (or the open scope does). `options` may be NULL.
 * TN_ERROR_IO: cannot be read, or is not what it says; TN_ERROR_UNSUPPORTED: something in it that Tenon does not have (a dtype, a
 * class), by its name. The path of an index of sharded safetensors ("model.safetensors.index.json") opens all of them. */
TN_API tn_file *tn_file_open(const char *path, const tn_file_options *options);

/* The same for a block of memory; `ownership` as in tn_from_memory. On failure the memory is still the caller's. */
TN_API tn_file *tn_file_open_memory(const void *data, size_t bytes, tn_ownership ownership, const tn_file_options *options);

/* The same for what a function returns until it says that there is no more: it fills at most `size` bytes and returns how many, 0
 * at the end, -1 on failure. All is read at once (TN_FILE_STREAM). */
typedef int64_t (*tn_read_function)(void *ctx, void *bytes, size_t size);
TN_API tn_file *tn_file_open_stream(tn_read_function read, void *ctx, const tn_file_options *options);

TN_API tn_file *tn_file_retain(const tn_file *file);
TN_API void tn_file_release(tn_file *file);  /* NULL-safe. Tensors that were taken stay */
TN_API tn_file *tn_file_keep(tn_file *file); /* takes it out of its scope, as tn_keep does */

/* "npy", "npz", "safetensors", "pt" (both of PyTorch's formats), "gguf", "onnx", "tensorproto", "csv", "raw". Static; "" for a handle that is not one. */
TN_API const char *tn_file_format(const tn_file *file);

/* What a file says about a tensor. Texts and numbers are borrowed from the file. */
typedef struct tn_file_tensor {
    size_t struct_size; /* sizeof(tn_file_tensor) */
    const char
        *name; /* of .npy, .csv and raw bytes: "0", then "1" for an array after the first; of .pt: the keys that lead to it,
                             with dots between them */
    tn_dtype dtype; /* of the tensor that is made */
    tn_dims sizes;
    uint64_t offset;      /* of the first byte in the file (of the shard)            */
    uint64_t bytes;       /* in the file: fewer than the tensor has where it is packed */
    const char *encoding; /* "" for plain elements; "deflate", "big-endian", "Q4_0", ... where they are made when it is taken */
    bool requires_grad;   /* .pt: as it was when it was saved. Taken tensors do not require a gradient */
    bool is_parameter;    /* .pt: it was an nn.Parameter */
} tn_file_tensor;
#define TN_FILE_TENSOR                                                                                                         \
    { sizeof(tn_file_tensor), NULL, TN_DTYPE_DEFAULT, {NULL, 0}, 0, 0, NULL, false, false }

/* How many tensors there are, -1 on failure; one of them by its place, from the end where it is negative (TN_ERROR_INDEX); and
 * the place of a name, -1 without an error where there is none. */
TN_API int64_t tn_file_count(const tn_file *file);
TN_API tn_error tn_file_describe(const tn_file *file, int64_t position, tn_file_tensor *about);
TN_API int64_t tn_file_find(const tn_file *file, const char *name);

/* A tensor of the file. With TN_FILE_MAP it looks into the file if its elements are plain and lie at an address that is a multiple
 * of their size; otherwise, and with TN_FILE_READ, it is a copy. Tensors of a .pt that shared a storage share one here. GGUF's
 * quantised blocks become float32 (or options.dtype). Tensors are read-only unless options.writable was set. TN_ERROR_ARGUMENT where there is no such
 * name. take_all is every one by its name, in the order of the file; TN_ERROR_UNSUPPORTED where keys of a .pt lead to two tensors of one
 * name ("a.b", and "b" in "a"): take_at has both. */
TN_API tn_tensor *tn_file_take(const tn_file *file, const char *name);
TN_API tn_tensor *tn_file_take_at(const tn_file *file, int64_t position);
TN_API tn_parameters *tn_file_take_all(const tn_file *file);

/* The elements `begin` to `end` of the first dimension (as a slice: negative counts from the end), reading only those where the
 * elements are plain. */
TN_API tn_tensor *tn_file_take_rows(const tn_file *file, int64_t position, int64_t begin, int64_t end);

/* Names and texts beside the tensors: safetensors' __metadata__; GGUF's, arrays as "[1, 2]"; of .pt what its zip says ("byteorder"); of ONNX
 * versions, "opset", the graph's inputs and outputs ("input.x": "float32 [n, 3]") and what the model says of itself. In
 * the file's order. The texts are the file's. metadata: NULL without an error where there is no such name. */
TN_API int64_t tn_file_metadata_count(const tn_file *file);
TN_API const char *tn_file_metadata_name(const tn_file *file, int64_t position);
TN_API const char *tn_file_metadata(const tn_file *file, const char *name);

/* ONNX: a node of the graph as the file has it, whether it can be run or not. Texts are the file's, "" where nothing is said; so is the name of an
 * input or output that is left out. */
typedef struct tn_file_node {
    size_t struct_size; /* sizeof(tn_file_node) */
    const char *operation, *domain, *name;
    const char *const *inputs, *const *outputs;
    int64_t input_count, output_count;
} tn_file_node;
#define TN_FILE_NODE                                                                                                           \
    { sizeof(tn_file_node), NULL, NULL, NULL, NULL, NULL, 0, 0 }

/* How many nodes there are, without those of graphs inside nodes: 0 for other formats, -1 on failure; and one of them by its place in
 * the file, from the end where it is negative (TN_ERROR_INDEX). */
TN_API int64_t tn_file_node_count(const tn_file *file);
TN_API tn_error tn_file_describe_node(const tn_file *file, int64_t position, tn_file_node *about);

/* A record of a zip file (.npz, .pt: "data.pkl") as a tensor of bytes; of PyTorch's older format, "data.pkl" is the object's pickle.
 * NULL with TN_ERROR_ARGUMENT where there is none. */
TN_API tn_tensor *tn_file_record(const tn_file *file, const char *name);

/* .pt: the storage that a pickle calls by this key. You own a reference. */
TN_API tn_storage *tn_file_storage(const tn_file *file, const char *key);

/* ---- the tree of a .pt file ------------------------------------------------------------------------------------------ */

/* What was saved, as it was: containers, numbers, texts and tensors. The values belong to the file and live as long as it does.
 * One value may be in several places, also inside itself. */
typedef struct tn_tree tn_tree;

typedef enum tn_tree_kind {
    TN_TREE_NONE = 0, /* None, and the answer for NULL                                               */
    TN_TREE_BOOL,     /* tn_tree_number                                                              */
    TN_TREE_INT,
    TN_TREE_FLOAT,
    TN_TREE_TEXT,    /* tn_tree_text                                                                */
    TN_TREE_BYTES,   /* tn_tree_text with its length                                                */
    TN_TREE_BIG_INT, /* an integer beyond 64 bits: bytes of its two's complement, the lowest first  */
    TN_TREE_LIST,    /* tn_tree_at                                                                  */
    TN_TREE_TUPLE,
    TN_TREE_SET,
    TN_TREE_FROZEN_SET,
    TN_TREE_DICT,    /* tn_tree_key, tn_tree_at, tn_tree_find                                       */
    TN_TREE_TENSOR,  /* tn_tree_tensor                                                              */
    TN_TREE_STORAGE, /* tn_tree_text is its key                                                     */
    TN_TREE_NAME,    /* a class, a function, a dtype: tn_tree_text is "torch.float32"               */
    TN_TREE_OBJECT   /* what a function or class makes: tn_tree_text is its name, tn_tree_arguments */
} tn_tree_kind;

/* What the file holds. NULL, without an error, for formats that have no tree. */
TN_API const tn_tree *tn_file_tree(const tn_file *file);

TN_API tn_tree_kind tn_tree_kind_of(const tn_tree *tree);
TN_API tn_scalar tn_tree_number(const tn_tree *tree);                    /* 0 for what is no number         */
TN_API const char *tn_tree_text(const tn_tree *tree, size_t *length);    /* NULL for what has none; length may be NULL */
TN_API int64_t tn_tree_count(const tn_tree *tree);                       /* of items, or pairs; 0           */
TN_API const tn_tree *tn_tree_at(const tn_tree *tree, int64_t position); /* an item, a dict's value; NULL   */
TN_API const tn_tree *tn_tree_key(const tn_tree *tree, int64_t position);
TN_API const tn_tree *tn_tree_find(const tn_tree *tree, const char *key); /* the value of a text in a dict; NULL */
TN_API int64_t tn_tree_tensor(const tn_tree *tree);                       /* its place in the file; -1       */

/* Of an object: the function or class that was to be called (a name, or an object itself), with what, and the state set afterwards. A
 * dict or a list of a class of its own has its items, too. `made_new`: by class.__new__. Of a storage the function is its type,
 * "torch.FloatStorage"; of a tensor the state is the attributes that were set on it. NULL where there is none. */
TN_API const tn_tree *tn_tree_function(const tn_tree *tree);
TN_API const tn_tree *tn_tree_arguments(const tn_tree *tree);
TN_API const tn_tree *tn_tree_state(const tn_tree *tree);
TN_API bool tn_tree_made_new(const tn_tree *tree);

/* ---- writing ------------------------------------------------------------------------------------------------------- */

typedef struct tn_writer tn_writer;

/* A file to be written: "npy" (one tensor), "npz", "safetensors", "pt" (a dict that torch.load reads), "gguf", "csv", "tsv" (one
 * matrix), "raw". Nothing is there until tn_writer_finish, which writes to a new file in the same folder and then gives it its
 * name: if the program is ended, or the disk is full, the old file or the whole new one is there. For a system that stops, see
 * tn_writer_options.durable. TN_ERROR_ARGUMENT for another format. */
TN_API tn_writer *tn_writer_open(const char *path, const char *format);

/* The same to a function of the caller, which gets the bytes in order and returns whether that worked. */
typedef bool (*tn_write_function)(void *ctx, const void *bytes, size_t size);
TN_API tn_writer *tn_writer_open_stream(tn_write_function write, void *ctx, const char *format);

/* How to write. Set before tn_writer_finish; what it does not set stays as it was opened: stored, not waiting.
 * TN_ERROR_UNSUPPORTED for a level where the format is not npz. */
typedef struct tn_writer_options {
    size_t struct_size; /* sizeof(tn_writer_options) */
    int level;          /* npz: 0 stored, 1 (fast) to 9 (small) deflated; what would not become smaller is stored */
    bool
        durable; /* finish waits until file and name are on the disk, so that the old file or the new one is there after a power cut,
                         * too. Without it that is the file system's to say; it takes many times as long (docs/performance.md) */
} tn_writer_options;
#define TN_WRITER_OPTIONS                                                                                                      \
    { sizeof(tn_writer_options), 0, false }
TN_API tn_error tn_writer_configure(tn_writer *writer, const tn_writer_options *options);

/* What deflates: "zlib 1.2.13" where that library was found when it was first wanted, else "built in". Static. Both give files that
 * every reader reads; their bytes differ. Inflating is always our own, which is faster. */
TN_API const char *tn_deflate_provider(void);

/* Adds a tensor, which is retained and read by finish. Names are unique and UTF-8; npy and raw ignore them. TN_ERROR_DTYPE for a dtype that the
 * format does not have. Tensors that share a storage share it in a .pt; elsewhere they are written twice. */
TN_API tn_error tn_writer_add(tn_writer *writer, const char *name, const tn_tensor *tensor);

/* The same, converted to `dtype` as tn_to does. safetensors, npz and gguf convert each tensor when it is written, and let go of it
 * then: a model that is mapped is converted in the memory of its largest tensor. The others convert at once. */
TN_API tn_error tn_writer_add_as(tn_writer *writer, const char *name, const tn_tensor *tensor, tn_dtype dtype);

TN_API tn_error tn_writer_add_all(tn_writer *writer, const tn_parameters *parameters);

/* A name and a text beside the tensors: safetensors and GGUF ("general.architecture"). TN_ERROR_UNSUPPORTED for the others. */
TN_API tn_error tn_writer_add_metadata(tn_writer *writer, const char *name, const char *text);

/* A record of a zip file as it is; the bytes are copied. A .pt with a record "data.pkl" holds what that pickle says: the storages
 * of the tensors that were added are its records data/0, data/1, ... in their order. Names that the writer needs itself
 * ("version", "data/0") are TN_ERROR_ARGUMENT when it finishes. */
TN_API tn_error tn_writer_add_record(tn_writer *writer, const char *name, const void *data, size_t bytes);

TN_API tn_error tn_writer_finish(tn_writer *writer); /* once */
TN_API void tn_writer_release(tn_writer *writer);    /* NULL-safe; without finish nothing is written */
TN_API tn_writer *tn_writer_keep(tn_writer *writer);

/* ---- one call each --------------------------------------------------------------------------------------------------- */

/* All tensors of a file as copies that can be written to, and a file of all tensors of a set. */
TN_API tn_parameters *tn_load(const char *path);
TN_API tn_error tn_save(const char *path, const char *format, const tn_parameters *parameters);

/* The state of a training run, in PyTorch's format, written durably: {"parameters": ..., "optimizer": ..., "settings": ...}. `optimizer` may be NULL in
 * both. Loading checks everything before it changes anything. */
TN_API tn_error tn_training_save(const char *path, const tn_parameters *parameters, const tn_optimizer *optimizer);
TN_API tn_error tn_training_load(const char *path, tn_parameters *parameters, tn_optimizer *optimizer);

/* ---- DLPack -------------------------------------------------------------------------------------------------------- */

/* DLPack's structs (dlpack.h of DLPack 1), under names of our own: a pointer to one can be handed to any library that knows them. */
typedef struct tn_dlpack_tensor {
    void *data;
    int32_t device_type, device_id;
    int32_t ndim;
    tn_dlpack_dtype dtype;
    int64_t *shape, *strides; /* strides in elements; NULL: contiguous */
    uint64_t byte_offset;
} tn_dlpack_tensor;

typedef struct tn_dlpack_unversioned { /* DLManagedTensor */
    tn_dlpack_tensor tensor;
    void *context;
    void (*deleter)(struct tn_dlpack_unversioned *self);
} tn_dlpack_unversioned;

typedef struct tn_dlpack_versioned { /* DLManagedTensorVersioned */
    uint32_t major, minor;
    void *context;
    void (*deleter)(struct tn_dlpack_versioned *self);
    uint64_t flags;
    tn_dlpack_tensor tensor;
} tn_dlpack_versioned;

enum { TN_DLPACK_CPU = 1, TN_DLPACK_CUDA_HOST = 3 };
enum { TN_DLPACK_READONLY = 1, TN_DLPACK_COPIED = 2 };

/* A tensor for other libraries: it keeps the storage alive until its deleter is called, once, from any thread. Strides are always
 * given, byte_offset is 0. `flags` is added to the flags; TN_DLPACK_READONLY is set by itself. The older struct cannot say that memory is
 * read-only: TN_ERROR_READONLY then. The storage is not resizable afterwards. It does not count as a write, nor do writes
 * through the address: what was kept for gradients may be lent before backward. NULL, with TN_ERROR_DEVICE, for tensors that are
 * not in the CPU's memory. */
TN_API tn_dlpack_versioned *tn_to_dlpack(const tn_tensor *tensor, uint64_t flags);
TN_API tn_dlpack_unversioned *tn_to_dlpack_unversioned(const tn_tensor *tensor);

/* A tensor over what another library has handed out, which calls its deleter with the last use. On failure it is still the caller's.
 * TN_ERROR_DTYPE: Tenon has no such dtype; TN_ERROR_DEVICE; TN_ERROR_UNSUPPORTED: a later major version. */
TN_API tn_tensor *tn_from_dlpack(tn_dlpack_versioned *managed);
TN_API tn_tensor *tn_from_dlpack_unversioned(tn_dlpack_unversioned *managed);

#ifdef __cplusplus
}
#endif
#endif
