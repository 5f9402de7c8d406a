/* pickle.c - reads pickles without running anything: an interpreter of the opcodes whose only effect is a tree of values.
 *
 * A pickle is a program for a stack machine that builds Python objects. What it would call is not called: a known function (a tensor
 * from its storage, an ordered dictionary) becomes the value that it would give, an allowed name becomes an object that says what was to
 * be called and with what, and any other name is an error that tells it.
 *
 * Invariant: each opcode makes at most a few values and takes at least a byte, and nothing is expanded, so memory and time are
 * bounded by the length of the pickle, whatever the memo is used for. Nothing here calls itself, except the walk that gives
 * tensors their names, which stops at FILE_DEPTH.
 */
#include <stdarg.h>
#include <stdio.h>

#include "interchange/files/json.h"

static tn_tree *pickle_new(tni_pickle *pickle, tn_tree_kind kind) {
    tn_tree *tree = tni_arena_take(&pickle->file->arena, sizeof *tree);
    if (tree)
        tree->kind = (uint8_t)kind;
    else
        pickle->cursor.failed = true;
    return tree;
}

static void *pickle_fail(tni_pickle *pickle, const char *format, ...) TN_PRINTF(2, 3);
static void *pickle_fail(tni_pickle *pickle, const char *format, ...) {
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tni_cursor_complain(&pickle->cursor, TN_ERROR_IO, "%s", text);
    return NULL;
}

static void pickle_push(tni_pickle *pickle, tn_tree *tree) {
    void *stack = pickle->stack;
    if (!tree || !tni_heap_grow(&stack, &pickle->stack_capacity, pickle->stack_count + 1, sizeof *pickle->stack)) {
        pickle->cursor.failed = true;
        return;
    }
    pickle->stack = stack;
    pickle->stack[pickle->stack_count++] = tree;
}

/* What lies above the last mark cannot reach below it. */
static size_t pickle_floor(const tni_pickle *pickle) { return pickle->mark_count ? pickle->marks[pickle->mark_count - 1] : 0; }

static tn_tree *pickle_pop(tni_pickle *pickle) {
    if (pickle->cursor.failed)
        return NULL;
    if (pickle->stack_count <= pickle_floor(pickle))
        return pickle_fail(pickle, "the pickle takes a value from an empty stack");
    return pickle->stack[--pickle->stack_count];
}

static tn_tree *pickle_top(tni_pickle *pickle) {
    tn_tree *top = pickle_pop(pickle);
    pickle->stack_count += top != NULL;
    return top;
}

static void pickle_mark(tni_pickle *pickle) {
    void *marks = pickle->marks;
    if (!tni_heap_grow(&marks, &pickle->mark_capacity, pickle->mark_count + 1, sizeof *pickle->marks)) {
        pickle->cursor.failed = true;
        return;
    }
    pickle->marks = marks;
    pickle->marks[pickle->mark_count++] = pickle->stack_count;
}

/* Takes everything since the last mark: how many, and where they are (until the next push). */
static tn_tree **pickle_since_mark(tni_pickle *pickle, size_t *count) {
    *count = 0;
    if (pickle->cursor.failed)
        return NULL;
    if (!pickle->mark_count)
        return pickle_fail(pickle, "the pickle has no mark here");
    size_t from = pickle->marks[--pickle->mark_count];
    *count = pickle->stack_count - from;
    pickle->stack_count = from;
    static tn_tree *nothing; /* where nothing was ever pushed there is no stack */
    return pickle->stack ? pickle->stack + from : &nothing;
}

static bool pickle_append(tni_pickle *pickle, tn_tree *to, tn_tree *const *items, size_t count) {
    if (!to || pickle->cursor.failed)
        return false;
    if (to->count + count > to->capacity) {
        size_t wanted = to->capacity * 2 > to->count + count ? to->capacity * 2 : to->count + count;
        tn_tree **moved = tni_arena_take(&pickle->file->arena, wanted * sizeof *moved);
        if (!moved) {
            pickle->cursor.failed = true;
            return false;
        }
        if (to->count)
            memcpy(moved, to->items, to->count * sizeof *moved);
        to->items = moved;
        to->capacity = wanted;
    }
    if (count)
        memcpy(to->items + to->count, items, count * sizeof *items);
    to->count += count;
    return true;
}

static tn_tree *pickle_container(tni_pickle *pickle, tn_tree_kind kind, tn_tree *const *items, size_t count) {
    tn_tree *made = pickle->cursor.failed ? NULL : pickle_new(pickle, kind);
    return made && pickle_append(pickle, made, items, count) ? made : NULL;
}

static tn_tree *pickle_integer(tni_pickle *pickle, int64_t value) {
    tn_tree *made = pickle_new(pickle, TN_TREE_INT);
    if (made)
        made->number = tn_scalar_int(value);
    return made;
}

static tn_tree *pickle_text(tni_pickle *pickle, tn_tree_kind kind, const void *text, size_t length) {
    tn_tree *made = text ? pickle_new(pickle, kind) : NULL;
    if (made) {
        made->text = tni_arena_text(&pickle->file->arena, text, length);
        made->length = length;
        pickle->cursor.failed |= !made->text;
    }
    return made;
}

/* A text of `width` bytes of length: unicode must be UTF-8; "surrogatepass" is what Python writes lone surrogates with, which no text
 * here has. */
static tn_tree *pickle_counted(tni_pickle *pickle, tn_tree_kind kind, int width) {
    uint64_t length = tni_cursor_number(&pickle->cursor, width, "the length of a text");
    const uint8_t *text = pickle->cursor.failed ? NULL : tni_cursor_take(&pickle->cursor, length, "a text");
    if (text && kind == TN_TREE_TEXT && !tni_is_utf8(text, (size_t)length))
        return pickle_fail(pickle, "the text before this is not UTF-8");
    return pickle_text(pickle, kind, text, (size_t)length);
}

/* The old opcodes for Python 2's str: text where it is ASCII, bytes where it is not. */
static tn_tree *pickle_old_text(tni_pickle *pickle, int width) {
    tn_tree *made = pickle_counted(pickle, TN_TREE_BYTES, width);
    bool plain = made && made->text;
    for (size_t i = 0; plain && i < made->length; i++)
        plain = (signed char)made->text[i] > 0;
    if (plain)
        made->kind = TN_TREE_TEXT;
    return made;
}

static tn_tree *pickle_long(tni_pickle *pickle, int width) {
    uint64_t length = tni_cursor_number(&pickle->cursor, width, "the length of an integer");
    const uint8_t *bytes = pickle->cursor.failed ? NULL : tni_cursor_take(&pickle->cursor, length, "an integer");
    if (!bytes)
        return NULL;
    if (length > 8)
        return pickle_text(pickle, TN_TREE_BIG_INT, bytes, (size_t)length);
    uint64_t value = tni_little(bytes, (int)length);
    if (length && length < 8 && bytes[length - 1] & 0x80)
        value |= ~UINT64_C(0) << (8 * length);
    return pickle_integer(pickle, (int64_t)value);
}

/* A line of text, without its end. */
static const char *pickle_line(tni_pickle *pickle, size_t *length) {
    tni_cursor *cursor = &pickle->cursor;
    const uint8_t *from = cursor->bytes + cursor->at, *end = memchr(from, '\n', cursor->size - cursor->at);
    *length = end ? (size_t)(end - from) : 0;
    if (!end && cursor->partial && !cursor->failed)
        cursor->failed = cursor->starved = true;
    if (!end)
        return pickle_fail(pickle, "a line of the pickle has no end");
    cursor->at += *length + 1;
    return (const char *)from;
}

static tn_tree *pickle_decimal(tni_pickle *pickle) {
    size_t length, at = 0;
    const char *line = pickle_line(pickle, &length);
    if (!line)
        return NULL;
    if (length == 2 && line[0] == '0' && (line[1] == '0' || line[1] == '1')) { /* how protocol 0 writes True and False */
        tn_tree *made = pickle_new(pickle, TN_TREE_BOOL);
        if (made)
            made->number = tn_scalar_bool(line[1] == '1');
        return made;
    }
    int64_t value = 0;
    bool minus = length && line[0] == '-';
    length -= length && line[length - 1] == 'L';
    for (at = minus; at < length; at++)
        if (line[at] < '0' || line[at] > '9' || tni_mul_overflows(value, 10, &value) ||
            (minus ? tni_sub_overflows(value, line[at] - '0', &value) : tni_add_overflows(value, line[at] - '0', &value)))
            return pickle_fail(pickle, "a number of the pickle cannot be read");
    return pickle_integer(pickle, value);
}

static tn_tree *pickle_float(tni_pickle *pickle) {
    const uint8_t *bytes = tni_cursor_take(&pickle->cursor, 8, "a number");
    uint64_t bits = 0;
    for (int i = 0; bytes && i < 8; i++)
        bits = bits << 8 | bytes[i];
    tn_tree *made = bytes ? pickle_new(pickle, TN_TREE_FLOAT) : NULL;
    if (made) {
        double value;
        memcpy(&value, &bits, 8);
        made->number = tn_scalar_float(value);
    }
    return made;
}

/* ---- the memo */

static void pickle_remember(tni_pickle *pickle, uint64_t index) {
    tn_tree *top = pickle_top(pickle);
    if (!top)
        return;
    if (index >= pickle->cursor.at) { /* each entry takes bytes of the pickle, so no honest one has more entries than bytes */
        pickle_fail(pickle, "memo entry %" PRIu64 " after %zu bytes", index, pickle->cursor.at);
        return;
    }
    size_t before = pickle->memo_capacity;
    void *memo = pickle->memo;
    if (!tni_heap_grow(&memo, &pickle->memo_capacity, (size_t)index + 1, sizeof *pickle->memo)) {
        pickle->cursor.failed = true;
        return;
    }
    pickle->memo = memo;
    memset(pickle->memo + before, 0, (pickle->memo_capacity - before) * sizeof *pickle->memo);
    pickle->memo_count += !pickle->memo[index];
    pickle->memo[index] = top;
}

static tn_tree *pickle_recall(tni_pickle *pickle, uint64_t index) {
    if (pickle->cursor.failed)
        return NULL;
    if (index >= pickle->memo_capacity || !pickle->memo[index])
        return pickle_fail(pickle, "the pickle has no memo entry %" PRIu64, index);
    return pickle->memo[index];
}

/* ---- names */

static bool pickle_is(const tn_tree *tree, tn_tree_kind kind) { return tree && tree->kind == kind; }
static bool pickle_named(const tn_tree *tree, const char *name) {
    return pickle_is(tree, TN_TREE_NAME) && strcmp(tree->text, name) == 0;
}

enum { PICKLE_NAME = 1024 }; /* bytes of a module's, a class's or a tensor's name: each use of it is a copy */

/* Names that state dicts and what torch.save makes of tensors need. Python 2's __builtin__ is said as builtins. The first may be called: what
 * they make is no larger than what they are given (pickle_may_call). The others are values: the type of a storage, a factory's. */
enum { PICKLE_CALLED = 14 };
static const char *const pickle_known[] = {
    "collections.OrderedDict",
    "collections.Counter",
    "collections.defaultdict",
    "builtins.set",
    "builtins.frozenset",
    "builtins.bytearray",
    "builtins.complex",
    "torch.Size",
    "torch.device",
    "torch._utils._rebuild_meta_tensor_no_storage",
    "torch._utils._rebuild_parameter",
    "torch._utils._rebuild_parameter_with_state",
    "torch._tensor._rebuild_from_type_v2",
    "torch.serialization._get_layout",
    "builtins.list",
    "builtins.dict",
    "builtins.tuple",
    "builtins.int",
    "builtins.float",
    "builtins.bool",
    "builtins.str",
    "builtins.bytes",
    "_codecs.encode",
    "torch.Tensor",
    "torch.nn.parameter.Parameter",
    "torch.storage.UntypedStorage",
    "torch.storage.TypedStorage",
    "torch._utils._rebuild_tensor",
    "torch._utils._rebuild_tensor_v2",
    "torch._utils._rebuild_tensor_v3",
    "torch.strided",
    "torch.contiguous_format",
};

static bool pickle_listed(const char *const *names, int64_t count, const char *name) {
    for (int64_t i = 0; names && i < count; i++)
        if (names[i] && strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool pickle_allows(const tni_pickle *pickle, const char *name) {
    const tn_file_options *options = pickle->options;
    if (pickle_listed(pickle_known, TNI_COUNT_OF(pickle_known), name))
        return true;
    if (strncmp(name, "torch.", 6) == 0) {
        size_t length = strlen(name);
        if (tn_dtype_from_name(name) || (length > 13 && strcmp(name + length - 7, "Storage") == 0 && !strchr(name + 6, '.')))
            return true;
    }
    return options->any_object || pickle_listed(options->allowed, options->allowed_count, name);
}

static tn_tree *pickle_name(tni_pickle *pickle, const char *module, size_t module_length, const char *name,
                            size_t name_length) {
    static const char old[] = "__builtin__";
    if (!module || !name)
        return NULL;
    if (module_length > PICKLE_NAME || name_length > PICKLE_NAME)
        return pickle_fail(pickle, "a name in the pickle is longer than %d bytes", PICKLE_NAME);
    if (module_length == sizeof old - 1 && memcmp(module, old, module_length) == 0) {
        module = "builtins";
        module_length = 8;
    }
    tn_tree *made = pickle_new(pickle, TN_TREE_NAME);
    char *text = made ? tni_arena_take(&pickle->file->arena, module_length + name_length + 2) : NULL;
    if (!text) {
        pickle->cursor.failed = true;
        return NULL;
    }
    memcpy(text, module, module_length);
    text[module_length] = '.';
    memcpy(text + module_length + 1, name, name_length);
    made->text = text;
    made->length = module_length + 1 + name_length;
    made->count = 0;
    made->index = (uint32_t)module_length;
    if (!tni_is_utf8(text, made->length) || memchr(text, 0, made->length))
        return pickle_fail(pickle, "a name in the pickle is not UTF-8");
    if (!pickle_allows(pickle, text)) {
        tni_cursor_complain(&pickle->cursor, TN_ERROR_UNSUPPORTED,
                            "the pickle names %.200s, which is not among the names that are allowed", text);
        return NULL;
    }
    return made;
}

/* ---- tensors */

static const tn_tree *pickle_argument(const tn_tree *arguments, size_t i) {
    return arguments && i < arguments->count ? arguments->items[i] : NULL;
}

static bool pickle_dims(const tn_tree *tuple, int64_t *values, int64_t *count) {
    if (!tuple || (tuple->kind != TN_TREE_TUPLE && tuple->kind != TN_TREE_LIST) || tuple->count > TN_MAX_DIMS)
        return false;
    for (size_t i = 0; i < tuple->count; i++) {
        if (!pickle_is(tuple->items[i], TN_TREE_INT))
            return false;
        values[i] = tuple->items[i]->number.value.i;
    }
    *count = (int64_t)tuple->count;
    return true;
}

static tn_tree *pickle_tensor(tni_pickle *pickle, const tn_tree *arguments, bool third) {
    const tn_tree *storage = pickle_argument(arguments, 0), *offset = pickle_argument(arguments, 1);
    const tn_tree *grad = pickle_argument(arguments, 4), *metadata = pickle_argument(arguments, third ? 7 : 6);
    int64_t sizes[TN_MAX_DIMS], strides[TN_MAX_DIMS], ndim = 0, stride_count = 0;
    if (!pickle_is(storage, TN_TREE_STORAGE) || !pickle_is(offset, TN_TREE_INT) ||
        !pickle_dims(pickle_argument(arguments, 2), sizes, &ndim) ||
        !pickle_dims(pickle_argument(arguments, 3), strides, &stride_count) || ndim != stride_count)
        return pickle_fail(pickle, "a tensor should be made of a storage, an offset, sizes and strides");
    if (metadata && (metadata->kind != TN_TREE_DICT || metadata->count)) {
        tni_cursor_complain(&pickle->cursor, TN_ERROR_UNSUPPORTED,
                            "the tensor is conjugated or negated lazily, which is not read");
        return NULL;
    }
    tn_file *file = pickle->file;
    const tni_file_block *block = &file->blocks[storage->index];
    tn_dtype dtype = block->dtype;
    if (third) {
        const tn_tree *name = pickle_argument(arguments, 6);
        dtype = pickle_is(name, TN_TREE_NAME) ? tn_dtype_from_name(name->text) : TN_DTYPE_DEFAULT;
        if (!dtype)
            return pickle_fail(pickle, "a tensor without a dtype");
    }
    uint64_t numel, bytes;
    if (!tni_file_measure(file, NULL, pickle->cursor.base + pickle->cursor.at, sizes, ndim, dtype, &numel, &bytes)) {
        pickle->cursor.failed = true;
        return NULL;
    }
    tn_geometry_ref geometry = {ndim, offset->number.value.i, sizes, strides};
    if (offset->number.value.i < 0 ||
        tn_geometry_check_storage(geometry, tn_dtype_size(dtype), (size_t)block->unpacked) != TN_GEOMETRY_OK)
        return pickle_fail(
            pickle, "a tensor of sizes %s, strides %s and offset %" PRId64 " reaches beyond its storage of %" PRIu64 " bytes",
            tni_show_dims(sizes, ndim), tni_show_dims(strides, ndim), offset->number.value.i, block->unpacked);
    tni_file_entry *entry = tni_file_add_entry(file, "", dtype, sizes, ndim);
    tn_tree *made = entry ? pickle_new(pickle, TN_TREE_TENSOR) : NULL;
    if (!made || !(entry->strides = tni_arena_dims(&file->arena, strides, ndim))) {
        pickle->cursor.failed = true;
        return NULL;
    }
    entry->offset = offset->number.value.i;
    entry->block = storage->index;
    entry->requires_grad = pickle_is(grad, TN_TREE_BOOL) && grad->number.value.b;
    if (block->swapped)
        entry->encoding = "big-endian";
    made->index = (uint32_t)(file->entry_count - 1);
    return made;
}

static tn_tree *pickle_parameter(tni_pickle *pickle, const tn_tree *arguments) {
    const tn_tree *data = pickle_argument(arguments, 0), *grad = pickle_argument(arguments, 1);
    if (!pickle_is(data, TN_TREE_TENSOR))
        return pickle_fail(pickle, "a parameter should be made of a tensor");
    tni_file_entry *entry = &pickle->file->entries[data->index];
    entry->is_parameter = true;
    entry->requires_grad = pickle_is(grad, TN_TREE_BOOL) && grad->number.value.b;
    tn_tree *made = pickle_new(pickle, TN_TREE_TENSOR);
    if (made) {
        made->index = data->index;
        made->state = arguments->count > 3 ? arguments->items[3] : NULL; /* of _rebuild_parameter_with_state */
    }
    return made;
}

/* A part of a storage, which has a key of its own: (key, first element, numel). */
static bool pickle_storage_part(tni_pickle *pickle, const tn_tree *view, tn_dtype dtype, uint32_t *block) {
    const tn_tree *key = pickle_argument(view, 0), *first = pickle_argument(view, 1), *numel = pickle_argument(view, 2);
    tn_file *file = pickle->file;
    uint64_t item = tn_dtype_size(dtype), whole = file->blocks[*block].unpacked / item;
    if (!pickle->views || !pickle_is(view, TN_TREE_TUPLE) || !pickle_is(key, TN_TREE_TEXT) ||
        strlen(key->text) != key->length || !pickle_is(first, TN_TREE_INT) || !pickle_is(numel, TN_TREE_INT) ||
        file->blocks[*block].whole)
        return pickle_fail(pickle, "a part of a storage should be told by its key, its first element and its size") != NULL;
    uint64_t from = (uint64_t)first->number.value.i, count = (uint64_t)numel->number.value.i;
    if (from > whole || count > whole - from)
        return pickle_fail(pickle, "storage \"%.60s\" is elements %" PRId64 " and %" PRId64 " more of one of %" PRIu64,
                           key->text, first->number.value.i, numel->number.value.i, whole) != NULL;
    int64_t known = tni_file_find_key(file, key->text);
    if (known >= 0) {
        const tni_file_block *part = &file->blocks[known];
        bool same = part->whole == *block + 1 && part->skip == from * item && part->unpacked == count * item;
        *block = (uint32_t)known;
        return same || pickle_fail(pickle, "storage \"%.60s\" is two different parts", key->text) != NULL;
    }
    tni_file_block *part = tni_file_add_block(file, 0, count * item, dtype);
    if (!part || !tni_file_set_key(file, key->text))
        return false;
    part->whole = *block + 1;
    part->skip = from * item;
    *block = (uint32_t)file->block_count - 1;
    return true;
}

/* ('storage', type, key, location, numel), of the older format also a view of another: (key, offset, numel). */
static tn_tree *pickle_storage(tni_pickle *pickle, tn_tree *id) {
    static const struct pickle_type {
        const char *name;
        tn_dtype dtype;
    } types[] = {{"torch.FloatStorage", TN_FLOAT32},
                 {"torch.DoubleStorage", TN_FLOAT64},
                 {"torch.HalfStorage", TN_FLOAT16},
                 {"torch.BFloat16Storage", TN_BFLOAT16},
                 {"torch.LongStorage", TN_INT64},
                 {"torch.IntStorage", TN_INT32},
                 {"torch.ShortStorage", TN_INT16},
                 {"torch.CharStorage", TN_INT8},
                 {"torch.ByteStorage", TN_UINT8},
                 {"torch.BoolStorage", TN_BOOL},
                 {"torch.ComplexFloatStorage", TN_COMPLEX64},
                 {"torch.ComplexDoubleStorage", TN_COMPLEX128},
                 {"torch.storage.UntypedStorage", TN_UINT8},
                 {"torch.UntypedStorage", TN_UINT8}};
    const tn_tree *mark = pickle_argument(id, 0), *type = pickle_argument(id, 1), *key = pickle_argument(id, 2);
    const tn_tree *numel = pickle_argument(id, 4), *view = pickle_argument(id, 5);
    if (!pickle_is(id, TN_TREE_TUPLE) || !pickle_is(mark, TN_TREE_TEXT) || strcmp(mark->text, "storage") != 0 ||
        !pickle_is(type, TN_TREE_NAME) || !pickle_is(key, TN_TREE_TEXT) || strlen(key->text) != key->length ||
        !pickle_is(numel, TN_TREE_INT) || numel->number.value.i < 0)
        return pickle_fail(pickle, "a storage should be told by its type, key, place and size");
    tn_dtype dtype = TN_DTYPE_DEFAULT;
    for (size_t i = 0; i < TNI_COUNT_OF(types); i++)
        if (strcmp(type->text, types[i].name) == 0)
            dtype = types[i].dtype;
    int64_t bytes;
    if (!dtype) {
        tni_cursor_complain(&pickle->cursor, TN_ERROR_UNSUPPORTED, "there is no dtype for elements of a %.60s", type->text);
        return NULL;
    }
    if (tni_mul_overflows(numel->number.value.i, (int64_t)tn_dtype_size(dtype), &bytes))
        return pickle_fail(pickle, "storage \"%.60s\" is said to have %" PRId64 " elements", key->text, numel->number.value.i);
    uint32_t block;
    if (!pickle->storage(pickle, key->text, dtype, (uint64_t)bytes, &block)) {
        pickle->cursor.failed = true;
        return NULL;
    }
    if (view && view->kind != TN_TREE_NONE) {
        if (!pickle_storage_part(pickle, view, dtype, &block))
            return NULL;
        key = pickle_argument(view, 0);
    }
    tn_tree *made = pickle_new(pickle, TN_TREE_STORAGE);
    if (made) {
        made->text = key->text;
        made->length = key->length;
        made->index = block;
        made->function = id->items[1];
    }
    return made;
}

/* ---- calls */

/* A copy of a value that the memo may give again and again: what was copied is never more than what was read of the pickle, in which an
 * honest one has each copied item. */
static bool pickle_may_copy(tni_pickle *pickle, size_t count) {
    if (count <= pickle->cursor.at - pickle->copied) {
        pickle->copied += count;
        return true;
    }
    return pickle_fail(pickle, "the pickle copies values again and again, more than it has bytes") != NULL;
}

/* A text and the name of Latin-1, which is how protocol 2 writes bytes. Other codecs are not looked for. */
static bool pickle_is_latin(const tn_tree *arguments) {
    return arguments->count == 2 && pickle_is(arguments->items[0], TN_TREE_TEXT) &&
           pickle_is(arguments->items[1], TN_TREE_TEXT) &&
           (strcmp(arguments->items[1]->text, "latin1") == 0 || strcmp(arguments->items[1]->text, "latin-1") == 0);
}

/* Whether whoever builds objects of the tree may make this call: of names that nobody allowed, those whose result and work are no larger than
 * what they are given. bytearray(1 << 40), torch.Tensor(1 << 40) and str(a list of lists that each hold the next one twice) are. */
static bool pickle_may_call(const tni_pickle *pickle, const tn_tree *function, const tn_tree *arguments) {
    const tn_file_options *options = pickle->options;
    const char *name = function->text;
    if (function->kind != TN_TREE_NAME || options->any_object || pickle_listed(options->allowed, options->allowed_count, name))
        return true;
    const tn_tree *first = pickle_argument(arguments, 0);
    if (!pickle_listed(pickle_known, PICKLE_CALLED, name))
        return false;
    if (strcmp(name, "builtins.bytearray") == 0)
        return !first || (arguments->count == 1 && first->kind == TN_TREE_BYTES) || pickle_is_latin(arguments);
    if (strcmp(name, "builtins.complex") == 0)
        return first && first->kind <= TN_TREE_FLOAT;
    if (strcmp(name, "collections.Counter") == 0)
        return !first || first->kind == TN_TREE_DICT;
    if (strcmp(name, "collections.defaultdict") == 0)
        return !first || first->kind == TN_TREE_NAME || first->kind == TN_TREE_NONE;
    if (strcmp(name, "torch._tensor._rebuild_from_type_v2") == 0)
        return pickle_is(first, TN_TREE_NAME) && strncmp(first->text, "torch._utils._rebuild_", 22) == 0;
    return strncmp(name, "builtins.", 9) != 0 && strcmp(name, "collections.OrderedDict") != 0;
}

static tn_tree *pickle_object(tni_pickle *pickle, tn_tree *function, tn_tree *arguments, bool made_new) {
    if (!function || !arguments)
        return NULL;
    if (function->kind != TN_TREE_NAME && function->kind != TN_TREE_OBJECT)
        return pickle_fail(pickle, "the pickle calls something that is not a function");
    if (arguments->kind != TN_TREE_TUPLE)
        return pickle_fail(pickle, "the arguments of a call should be a tuple");
    if (!pickle_may_call(pickle, function, arguments))
        return pickle_fail(pickle, "the pickle calls %.200s in a way that no checkpoint does", function->text);
    tn_tree *made = pickle_new(pickle, TN_TREE_OBJECT);
    if (made) {
        made->text = function->text;
        made->length = function->length;
        made->function = function;
        made->arguments = arguments;
        made->made_new = made_new;
    }
    return made;
}

/* Latin-1 text as the bytes that it stands for. */
static tn_tree *pickle_encode(tni_pickle *pickle, const tn_tree *text) {
    if (!pickle_may_copy(pickle, text->length))
        return NULL;
    tn_tree *made = pickle_text(pickle, TN_TREE_BYTES, text->text, text->length);
    char *to = made ? (char *)(uintptr_t)made->text : NULL;
    if (!to)
        return NULL;
    size_t length = 0;
    for (size_t i = 0; i < text->length; i++) {
        unsigned char first = (unsigned char)text->text[i];
        if (first >= 0xc4)
            return pickle_fail(pickle, "a text that is not Latin-1 cannot be bytes");
        to[length++] = first < 0x80 ? (char)first : (char)((first & 3) << 6 | (text->text[++i] & 0x3f));
    }
    to[length] = 0;
    made->length = length;
    return made;
}

/* What Python 2 wrote for an ordered dictionary: a list of lists of a key and a value. */
static tn_tree *pickle_pairs(tni_pickle *pickle, tn_tree *dict, const tn_tree *pairs) {
    bool good = pairs->kind == TN_TREE_LIST && pickle_may_copy(pickle, pairs->count);
    for (size_t i = 0; good && i < pairs->count; i++) {
        const tn_tree *pair = pairs->items[i];
        good = (pair->kind == TN_TREE_LIST || pair->kind == TN_TREE_TUPLE) && pair->count == 2 &&
               pickle_append(pickle, dict, pair->items, 2);
    }
    return good ? dict : pickle_fail(pickle, "an ordered dictionary should be made of pairs");
}

static tn_tree *pickle_call(tni_pickle *pickle, tn_tree *function, tn_tree *arguments) {
    if (!function || !arguments)
        return NULL;
    const tn_tree *first = pickle_argument(arguments, 0);
    if (arguments->kind != TN_TREE_TUPLE || function->kind != TN_TREE_NAME)
        return pickle_object(pickle, function, arguments, false);
    if (pickle_named(function, "torch._utils._rebuild_tensor_v2") || pickle_named(function, "torch._utils._rebuild_tensor"))
        return pickle_tensor(pickle, arguments, false);
    if (pickle_named(function, "torch._utils._rebuild_tensor_v3"))
        return pickle_tensor(pickle, arguments, true);
    if (strncmp(function->text, "torch._utils._rebuild_parameter", 31) == 0 &&
        !pickle_is(first, TN_TREE_OBJECT)) /* one without elements is nothing but what was called */
        return pickle_parameter(pickle, arguments);
    if (pickle_named(function, "torch._tensor._rebuild_from_type_v2") && first && arguments->count == 4 &&
        (pickle_named(arguments->items[1], "torch.Tensor") ||
         pickle_named(arguments->items[1], "torch.nn.parameter.Parameter"))) {
        tn_tree *made = pickle_is(first, TN_TREE_NAME) && !pickle_named(first, function->text)
                            ? pickle_call(pickle, arguments->items[0], arguments->items[2])
                            : NULL;
        if (made && made->kind == TN_TREE_TENSOR) {
            made->state = arguments->items[3];
            return made;
        }
        return pickle->cursor.failed ? NULL : pickle_fail(pickle, "a tensor that is not made of a storage");
    }
    if (pickle_named(function, "collections.OrderedDict") && arguments->count <= 1) {
        tn_tree *made = pickle_new(pickle, TN_TREE_DICT);
        if (made)
            made->function = function;
        return made && first ? pickle_pairs(pickle, made, first) : made;
    }
    if (pickle_named(function, "_codecs.encode") && pickle_is_latin(arguments))
        return pickle_encode(pickle, first);
    if (pickle_named(function, "builtins.bytes") && arguments->count == 0)
        return pickle_text(pickle, TN_TREE_BYTES, "", 0);
    if ((pickle_named(function, "builtins.set") || pickle_named(function, "builtins.frozenset")) && arguments->count <= 1 &&
        (!first || first->kind == TN_TREE_LIST || first->kind == TN_TREE_TUPLE))
        return first && !pickle_may_copy(pickle, first->count)
                   ? NULL
                   : pickle_container(pickle, function->text[9] == 's' ? TN_TREE_SET : TN_TREE_FROZEN_SET,
                                      first ? first->items : NULL, first ? first->count : 0);
    return pickle_object(pickle, function, arguments, false);
}

static void pickle_build(tni_pickle *pickle) {
    tn_tree *state = pickle_pop(pickle), *object = state ? pickle_top(pickle) : NULL;
    if (object && object->kind != TN_TREE_OBJECT && object->kind != TN_TREE_DICT && object->kind != TN_TREE_NAME)
        pickle_fail(pickle, "the pickle sets the state of a value that has none");
    else if (object && object->kind != TN_TREE_NAME)
        object->state = state;
}

static void pickle_set_items(tni_pickle *pickle, tn_tree **items, size_t count) {
    tn_tree *dict = pickle->cursor.failed ? NULL : pickle_top(pickle);
    if (!dict)
        return;
    if (count % 2 || (dict->kind != TN_TREE_DICT && dict->kind != TN_TREE_OBJECT) ||
        (dict->kind == TN_TREE_OBJECT && dict->count && !dict->marked))
        pickle_fail(pickle, "the pickle puts items into what is not a dictionary");
    else {
        dict->marked |= dict->kind == TN_TREE_OBJECT; /* an object's items are pairs */
        (void)pickle_append(pickle, dict, items, count);
    }
}

static void pickle_append_items(tni_pickle *pickle, tn_tree **items, size_t count, bool set) {
    tn_tree *list = pickle->cursor.failed ? NULL : pickle_top(pickle);
    if (!list)
        return;
    bool fits = set ? list->kind == TN_TREE_SET : list->kind == TN_TREE_LIST || (list->kind == TN_TREE_OBJECT && !list->marked);
    if (!fits)
        pickle_fail(pickle, "the pickle appends to what is not a list");
    else
        (void)pickle_append(pickle, list, items, count);
}

/* ---- the opcodes */

static void pickle_global(tni_pickle *pickle) {
    size_t module_length, name_length = 0;
    const char *module = pickle_line(pickle, &module_length), *name = module ? pickle_line(pickle, &name_length) : NULL;
    pickle_push(pickle, pickle_name(pickle, module, module_length, name, name_length));
}

static void pickle_stack_global(tni_pickle *pickle) {
    tn_tree *name = pickle_pop(pickle), *module = name ? pickle_pop(pickle) : NULL;
    if (module && (name->kind != TN_TREE_TEXT || module->kind != TN_TREE_TEXT))
        pickle_fail(pickle, "a name in the pickle is not a text");
    else if (module)
        pickle_push(pickle, pickle_name(pickle, module->text, module->length, name->text, name->length));
}

static void pickle_flag(tni_pickle *pickle, bool value) {
    tn_tree *made = pickle_new(pickle, TN_TREE_BOOL);
    if (made)
        made->number = tn_scalar_bool(value);
    pickle_push(pickle, made);
}

static void pickle_tuple(tni_pickle *pickle, size_t count) {
    if (pickle->stack_count < pickle_floor(pickle) + count) {
        pickle_fail(pickle, "the pickle takes a value from an empty stack");
        return;
    }
    pickle->stack_count -= count;
    pickle_push(pickle,
                pickle_container(pickle, TN_TREE_TUPLE, pickle->stack ? pickle->stack + pickle->stack_count : NULL, count));
}

/* INST and OBJ of the oldest protocols: a class and arguments since the mark. */
static void pickle_instance(tni_pickle *pickle, tn_tree *class, tn_tree **items, size_t count) {
    pickle_push(pickle, pickle_call(pickle, class, pickle_container(pickle, TN_TREE_TUPLE, items, count)));
}

/* What Python calls the opcodes that are not read: those of protocol 0, of the registry of extensions, and of data beside the pickle. */
static const char *pickle_unread(uint8_t opcode) {
    static const struct pickle_unread_opcode {
        uint8_t opcode;
        char name[20];
    } unread[] = {{'F', " (FLOAT)"}, {'S', " (STRING)"}, {'P', " (PERSID)"},       {0x82, " (EXT1)"},
                  {0x83, " (EXT2)"}, {0x84, " (EXT4)"},  {0x97, " (NEXT_BUFFER)"}, {0x98, " (READONLY_BUFFER)"}};
    for (size_t i = 0; i < TNI_COUNT_OF(unread); i++)
        if (unread[i].opcode == opcode)
            return unread[i].name;
    return "";
}

static void pickle_step(tni_pickle *pickle, uint8_t opcode) {
    tni_cursor *cursor = &pickle->cursor;
    tn_tree *a, *b, *c, **items;
    size_t count;
    const char *line;
    switch (opcode) {
    case 0x80: /* PROTO */
        if (tni_cursor_number(cursor, 1, "the protocol") > 5)
            pickle_fail(pickle, "protocols after 5 are not known");
        break;
    case 0x95: (void)tni_cursor_take(cursor, 8, "the length of a frame"); break;
    case '(': pickle_mark(pickle); break;
    case '0': /* POP, also of a mark */
        if (pickle->mark_count && pickle->stack_count == pickle_floor(pickle))
            pickle->mark_count--;
        else
            (void)pickle_pop(pickle);
        break;
    case '1': (void)pickle_since_mark(pickle, &count); break;
    case '2': pickle_push(pickle, pickle_top(pickle)); break;
    case 'N': pickle_push(pickle, pickle_new(pickle, TN_TREE_NONE)); break;
    case 0x88: pickle_flag(pickle, true); break;
    case 0x89: pickle_flag(pickle, false); break;
    case 'I':
    case 'L': pickle_push(pickle, pickle_decimal(pickle)); break;
    case 'J': pickle_push(pickle, pickle_integer(pickle, (int32_t)tni_cursor_number(cursor, 4, "a number"))); break;
    case 'K': pickle_push(pickle, pickle_integer(pickle, (int64_t)tni_cursor_number(cursor, 1, "a number"))); break;
    case 'M': pickle_push(pickle, pickle_integer(pickle, (int64_t)tni_cursor_number(cursor, 2, "a number"))); break;
    case 0x8a: pickle_push(pickle, pickle_long(pickle, 1)); break;
    case 0x8b: pickle_push(pickle, pickle_long(pickle, 4)); break;
    case 'G': pickle_push(pickle, pickle_float(pickle)); break;
    case 'X': pickle_push(pickle, pickle_counted(pickle, TN_TREE_TEXT, 4)); break;
    case 0x8c: pickle_push(pickle, pickle_counted(pickle, TN_TREE_TEXT, 1)); break;
    case 0x8d: pickle_push(pickle, pickle_counted(pickle, TN_TREE_TEXT, 8)); break;
    case 'T': pickle_push(pickle, pickle_old_text(pickle, 4)); break;
    case 'U': pickle_push(pickle, pickle_old_text(pickle, 1)); break;
    case 'B': pickle_push(pickle, pickle_counted(pickle, TN_TREE_BYTES, 4)); break;
    case 'C': pickle_push(pickle, pickle_counted(pickle, TN_TREE_BYTES, 1)); break;
    case 0x8e: pickle_push(pickle, pickle_counted(pickle, TN_TREE_BYTES, 8)); break;
    case 0x96: /* a bytearray is what its class makes of the bytes */
        pickle_push(pickle, pickle_counted(pickle, TN_TREE_BYTES, 8));
        pickle_tuple(pickle, 1);
        b = pickle_pop(pickle);
        pickle_push(pickle, pickle_call(pickle, b ? pickle_name(pickle, "builtins", 8, "bytearray", 9) : NULL, b));
        break;
    case ']': pickle_push(pickle, pickle_new(pickle, TN_TREE_LIST)); break;
    case ')': pickle_push(pickle, pickle_new(pickle, TN_TREE_TUPLE)); break;
    case '}': pickle_push(pickle, pickle_new(pickle, TN_TREE_DICT)); break;
    case 0x8f: pickle_push(pickle, pickle_new(pickle, TN_TREE_SET)); break;
    case 0x85: pickle_tuple(pickle, 1); break;
    case 0x86: pickle_tuple(pickle, 2); break;
    case 0x87: pickle_tuple(pickle, 3); break;
    case 't':
    case 'l':
    case 0x91:
        items = pickle_since_mark(pickle, &count);
        pickle_push(pickle, pickle_container(pickle,
                                             opcode == 't'   ? TN_TREE_TUPLE
                                             : opcode == 'l' ? TN_TREE_LIST
                                                             : TN_TREE_FROZEN_SET,
                                             items, count));
        break;
    case 'd':
        items = pickle_since_mark(pickle, &count);
        a = count % 2 ? pickle_fail(pickle, "a dictionary with a key and no value")
                      : pickle_container(pickle, TN_TREE_DICT, items, count);
        pickle_push(pickle, a);
        break;
    case 'a':
        a = pickle_pop(pickle);
        pickle_append_items(pickle, &a, 1, false);
        break;
    case 'e':
        items = pickle_since_mark(pickle, &count);
        pickle_append_items(pickle, items, count, false);
        break;
    case 0x90:
        items = pickle_since_mark(pickle, &count);
        pickle_append_items(pickle, items, count, true);
        break;
    case 's':
        b = pickle_pop(pickle);
        a = pickle_pop(pickle);
        pickle_set_items(pickle, (tn_tree *[]){a, b}, 2);
        break;
    case 'u':
        items = pickle_since_mark(pickle, &count);
        pickle_set_items(pickle, items, count);
        break;
    case 'q': pickle_remember(pickle, tni_cursor_number(cursor, 1, "a memo's number")); break;
    case 'r': pickle_remember(pickle, tni_cursor_number(cursor, 4, "a memo's number")); break;
    case 0x94: pickle_remember(pickle, pickle->memo_count); break;
    case 'h': pickle_push(pickle, pickle_recall(pickle, tni_cursor_number(cursor, 1, "a memo's number"))); break;
    case 'j': pickle_push(pickle, pickle_recall(pickle, tni_cursor_number(cursor, 4, "a memo's number"))); break;
    case 'p':
    case 'g':
        a = pickle_decimal(pickle);
        if (a && a->kind != TN_TREE_INT)
            pickle_fail(pickle, "a memo's number cannot be read");
        else if (a && opcode == 'p')
            pickle_remember(pickle, (uint64_t)a->number.value.i);
        else if (a)
            pickle_push(pickle, pickle_recall(pickle, (uint64_t)a->number.value.i));
        break;
    case 'c': pickle_global(pickle); break;
    case 0x93: pickle_stack_global(pickle); break;
    case 'R':
        b = pickle_pop(pickle);
        pickle_push(pickle, pickle_call(pickle, b ? pickle_pop(pickle) : NULL, b));
        break;
    case 0x81: /* NEWOBJ */
        b = pickle_pop(pickle);
        pickle_push(pickle, pickle_object(pickle, b ? pickle_pop(pickle) : NULL, b, true));
        break;
    case 0x92: /* NEWOBJ_EX: the keywords follow the arguments */
        c = pickle_pop(pickle);
        b = c ? pickle_pop(pickle) : NULL;
        a = pickle_object(pickle, b ? pickle_pop(pickle) : NULL, b, true);
        if (a && c->count)
            pickle_fail(pickle, "an object that is made with keywords is not read");
        pickle_push(pickle, a);
        break;
    case 'i':
        pickle_global(pickle);
        a = pickle_pop(pickle);
        items = a ? pickle_since_mark(pickle, &count) : NULL;
        if (a)
            pickle_instance(pickle, a, items, count);
        break;
    case 'o':
        items = pickle_since_mark(pickle, &count);
        if (items && count)
            pickle_instance(pickle, items[0], items + 1, count - 1);
        else
            pickle_fail(pickle, "an object without a class");
        break;
    case 'b': pickle_build(pickle); break;
    case 'Q':
        a = pickle_pop(pickle);
        pickle_push(pickle, a ? pickle_storage(pickle, a) : NULL);
        break;
    case 'V':
        line = pickle_line(pickle, &count);
        pickle_push(pickle, line && tni_is_utf8(line, count) && !memchr(line, '\\', count)
                                ? pickle_text(pickle, TN_TREE_TEXT, line, count)
                                : pickle_fail(pickle, "a text with escapes"));
        break;
    default:
        cursor->at--;
        tni_cursor_complain(cursor, TN_ERROR_UNSUPPORTED, "opcode 0x%02x%s of the pickle is not read", opcode,
                            pickle_unread(opcode));
    }
}

tn_tree *tni_pickle_read(tni_pickle *pickle) {
    tn_tree *made = NULL;
    while (!pickle->cursor.failed) {
        const uint8_t *opcode = tni_cursor_take(&pickle->cursor, 1, "the pickle");
        if (!opcode)
            break;
        if (*opcode == '.') {
            made = pickle_pop(pickle);
            break;
        }
        pickle_step(pickle, *opcode);
    }
    if (pickle->stack)
        tni_heap_free(pickle->stack, pickle->stack_capacity * sizeof *pickle->stack);
    if (pickle->marks)
        tni_heap_free(pickle->marks, pickle->mark_capacity * sizeof *pickle->marks);
    if (pickle->memo)
        tni_heap_free(pickle->memo, pickle->memo_capacity * sizeof *pickle->memo);
    pickle->stack = pickle->memo = NULL;
    pickle->marks = NULL;
    pickle->stack_capacity = pickle->stack_count = pickle->mark_capacity = pickle->mark_count = pickle->memo_capacity =
        pickle->memo_count = 0;
    return pickle->cursor.failed ? NULL : made;
}

/* ---- names of tensors */

/* Where the walk is: each value is visited once, so a tensor has the name of the first way that leads to it. */
typedef struct tree_way {
    tn_file *file;
    char text[PICKLE_NAME]; /* what is longer ends in "..." */
} tree_way;

static size_t tree_step(tree_way *way, size_t length, const tn_tree *key, size_t number) {
    tni_text text = {way->text, sizeof way->text, length};
    if (length)
        tni_text_append(&text, ".");
    if (key && (key->kind == TN_TREE_TEXT || key->kind == TN_TREE_NAME))
        tni_text_append(&text, "%s", key->text);
    else
        tni_text_append(&text, "%" PRId64, key && key->kind == TN_TREE_INT ? key->number.value.i : (int64_t)number);
    return text.length;
}

static bool tree_walk(tree_way *way, tn_tree *tree, size_t length, int depth);

static bool tree_walk_items(tree_way *way, tn_tree *tree, size_t length, int depth) {
    bool pairs = tree->kind == TN_TREE_DICT || (tree->kind == TN_TREE_OBJECT && tree->marked);
    for (size_t i = 0; i < tree->count; i += pairs ? 2 : 1) {
        tn_tree *value = tree->items[i + pairs];
        way->text[length] = 0;
        if (value->kind < TN_TREE_LIST || value->kind == TN_TREE_NAME || value->kind == TN_TREE_STORAGE)
            continue;
        size_t further = tree_step(way, length, pairs ? tree->items[i] : NULL, i);
        if (!tree_walk(way, value, further, depth + 1))
            return false;
        way->text[length] = 0;
    }
    return true;
}

static bool tree_walk(tree_way *way, tn_tree *tree, size_t length, int depth) {
    if (depth > FILE_DEPTH)
        return tni_file_complain(way->file, TN_ERROR_UNSUPPORTED, NULL, way->file->pickle_at,
                                 "values inside values, more than %d deep", FILE_DEPTH);
    if (tree->kind == TN_TREE_TENSOR) {
        tni_file_entry *entry = &way->file->entries[tree->index];
        if (!entry->name[0]) {
            const char *name = length ? way->text : "0";
            entry->name = tni_arena_text(&way->file->arena, name, strlen(name));
        }
        if (!entry->name)
            return false;
    }
    if (tree->kind < TN_TREE_LIST || tree->capacity == SIZE_MAX)
        return true;
    tree->capacity = SIZE_MAX; /* visited; nothing is appended any more */
    if (tree->arguments && !tree_walk(way, tree->arguments, length, depth + 1))
        return false;
    if (tree->state && !tree_walk(way, tree->state, length, depth + 1))
        return false;
    return tree_walk_items(way, tree, length, depth);
}

bool tni_tree_name_tensors(tn_file *file, tn_tree *tree) {
    tree_way way = {.file = file};
    if (!tree_walk(&way, tree, 0, 0))
        return false;
    for (size_t i = 0; i < file->entry_count; i++) /* made, and then not kept: reached by nothing */
        if (!file->entries[i].name[0])
            file->entries[i].name = "?";
    return true;
}

/* ---- what callers see */

const char *tn_tree_text(const tn_tree *tree, size_t *length) {
    if (length)
        *length = tree && tree->text ? tree->length : 0;
    return tree ? tree->text : NULL;
}

tn_tree_kind tn_tree_kind_of(const tn_tree *tree) { return tree ? (tn_tree_kind)tree->kind : TN_TREE_NONE; }
tn_scalar tn_tree_number(const tn_tree *tree) { return tree ? tree->number : tn_scalar_int(0); }

static bool tree_has_pairs(const tn_tree *tree) {
    return tree && (tree->kind == TN_TREE_DICT || (tree->kind == TN_TREE_OBJECT && tree->marked));
}

int64_t tn_tree_count(const tn_tree *tree) {
    if (!tree || tree->kind < TN_TREE_LIST || tree->kind == TN_TREE_NAME)
        return 0;
    return (int64_t)(tree_has_pairs(tree) ? tree->count / 2 : tree->count);
}

const tn_tree *tn_tree_at(const tn_tree *tree, int64_t position) {
    if (position < 0 || position >= tn_tree_count(tree))
        return NULL;
    return tree->items[tree_has_pairs(tree) ? 2 * position + 1 : position];
}

const tn_tree *tn_tree_key(const tn_tree *tree, int64_t position) {
    return position >= 0 && tree_has_pairs(tree) && position < tn_tree_count(tree) ? tree->items[2 * position] : NULL;
}

const tn_tree *tn_tree_find(const tn_tree *tree, const char *key) {
    for (int64_t i = tn_tree_count(tree) - 1; key && tree_has_pairs(tree) && i >= 0;
         i--) { /* the last one of a key is in force */
        const tn_tree *own = tree->items[2 * i];
        if (own->kind == TN_TREE_TEXT && own->length == strlen(key) && strcmp(own->text, key) == 0)
            return tree->items[2 * i + 1];
    }
    return NULL;
}

int64_t tn_tree_tensor(const tn_tree *tree) { return tree && tree->kind == TN_TREE_TENSOR ? (int64_t)tree->index : -1; }
const tn_tree *tn_tree_function(const tn_tree *tree) { return tree ? tree->function : NULL; }
const tn_tree *tn_tree_arguments(const tn_tree *tree) { return tree ? tree->arguments : NULL; }
const tn_tree *tn_tree_state(const tn_tree *tree) { return tree ? tree->state : NULL; }
bool tn_tree_made_new(const tn_tree *tree) { return tree && tree->made_new; }
