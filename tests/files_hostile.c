/* files_hostile.c - what a review found in files of tensors: text that wraps to nought, pickles that copy without end, records that got
 * lost, tensors that lie over one another, names that no reader can read.
 *
 * Tests: src/interchange/files/csv.c, src/interchange/files/pickle.c, src/interchange/files/writer.c
 * Tests: src/interchange/files/gguf.c, src/interchange/files/torch_write.c, src/interchange/files/training.c
 */
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

typedef struct bytes {
    uint8_t at[100000];
    size_t size;
} bytes;
static bytes out;

static bool gather(void *ctx, const void *more, size_t size) {
    bytes *to = ctx;
    if (to->size + size > sizeof to->at)
        return false;
    memcpy(to->at + to->size, more, size);
    to->size += size;
    return true;
}

static tn_writer *begin(const char *format) {
    out.size = 0;
    return tn_writer_open_stream(gather, &out, format);
}

static tn_file *again(void) { return tn_file_open_memory(out.at, out.size, TN_BORROW_CONST, NULL); }

static void put(const void *more, size_t size) { (void)gather(&out, more, size); }
static void put_number(uint64_t number, int width) {
    for (int i = 0; i < width; i++)
        put(&(uint8_t){(uint8_t)(number >> (8 * i))}, 1);
}
static void put_text(const char *text) { put(text, strlen(text)); }

/* ---- text */

static tn_file *read_csv(const char *text, size_t size, tn_dtype dtype) {
    tn_file_options options = TN_FILE_OPTIONS;
    options.format = "csv";
    options.dtype = dtype;
    return tn_file_open_memory(text, size, TN_BORROW_CONST, &options);
}

TEST(digits_that_wrap_to_nought_are_not_nought) {
    static const char text[] = "18446744073709551616,184467440737095516160,-18446744073709551616e1,1844674407370955161.6\n";
    tn_file *file = read_csv(text, sizeof text - 1, TN_FLOAT64);
    CHECK(file);
    tn_tensor *x = tn_file_take_at(file, 0);
    CHECK(x);
    const double *values = tn_data(x);
    CHECK_DOUBLE(values[0], 0x1p64);
    CHECK_DOUBLE(values[1], 0xap64);
    CHECK_DOUBLE(values[2], -0xap64);
    CHECK_DOUBLE(values[3], 1844674407370955161.6);
}

TEST(the_mark_before_text_of_windows_is_not_a_number) {
    static const char text[] = "\xef\xbb\xbf"
                               "1.5,2\n";
    tn_file *file = read_csv(text, sizeof text - 1, TN_FLOAT64);
    CHECK(file);
    tn_tensor *x = tn_file_take_at(file, 0);
    CHECK(x);
    CHECK_INT(tn_numel(x), 2);
    CHECK_DOUBLE(*(const double *)tn_data(x), 1.5);
    CHECK_ERROR(TN_ERROR_IO, "byte 5: line 1, column 2",
                read_csv("\xef\xbb\xbf"
                         "1,x\n",
                         7, TN_FLOAT64));
}

TEST(the_largest_unsigned_integers_are_read_from_text) {
    static const char text[] = "18446744073709551615,9223372036854775808\n0,+7\n";
    tn_file *file = read_csv(text, sizeof text - 1, TN_UINT64);
    CHECK(file);
    tn_tensor *x = tn_file_take_at(file, 0);
    CHECK(x);
    const uint64_t *values = tn_data(x);
    CHECK(values[0] == UINT64_MAX && values[1] == UINT64_C(1) << 63 && values[2] == 0 && values[3] == 7);
    CHECK_ERROR(TN_ERROR_IO, "column 1: not an integer", read_csv("18446744073709551616", 20, TN_UINT64));
    CHECK_ERROR(TN_ERROR_IO, "column 1: not an integer", read_csv("-1", 2, TN_UINT64));
}

TEST_ONCE(a_table_that_its_text_cannot_hold_is_not_made) { /* one large text */
    static char text[100000];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i % 2 == 0 ? '1' : i < 50000 ? ',' : '\n';
    text[49999] = '\n';
    tn_memory_reset_peaks(TN_CPU);
    CHECK_ERROR(TN_ERROR_IO, "line 2, column 1: the line has fewer fields", read_csv(text, sizeof text, TN_FLOAT64));
    tn_memory_stats stats = {.struct_size = sizeof stats};
    CHECK_INT(tn_memory_stats_of(TN_CPU, &stats), TN_OK);
    CHECK(stats.bytes.peak < 1000000000);
}

static char path[300];
static void remove_path(void *name) { unlink(name); }

TEST(the_byte_of_a_bad_number_is_told_in_every_mode) {
    snprintf(path, sizeof path, "/tmp/tenon-hostile-%ld.csv", (long)getpid());
    FILE *file = fopen(path, "w");
    CHECK(file);
    TEST_DEFER(remove_path, path);
    fputs("1,2\n3,x\n", file);
    fclose(file);
    for (int mode = TN_FILE_MAP; mode <= TN_FILE_STREAM; mode++) {
        tn_file_options options = TN_FILE_OPTIONS;
        options.format = "csv";
        options.mode = (tn_file_mode)mode;
        CHECK_ERROR(TN_ERROR_IO, "byte 6: line 2, column 2", tn_file_open(path, &options));
    }
}

/* ---- pickles */

/* The older format, as far as the object's pickle. */
static void legacy(void) {
    out.size = 0;
    put("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 15);
    put("\x80\x02M\xe9\x03.", 6);
    put("\x80\x02}.", 4);
    put("\x80\x02", 2);
}

TEST_ONCE(a_pickle_cannot_copy_a_long_value_again_and_again) { /* large, by design */
    static const char *const functions[] = {"c__builtin__\nset\nq\1", "c__builtin__\nfrozenset\nq\1", "c_codecs\nencode\nq\1"};
    for (int i = 0; i < 3; i++) {
        legacy();
        put_text(functions[i]);
        if (i < 2) {
            put_text("]q\2(");
            for (int k = 0; k < 30000; k++)
                put_text("N");
            put_text("e");
        } else {
            put_text("X");
            put_number(30000, 4);
            for (int k = 0; k < 30000; k++)
                put_text("a");
            put_text("q\2X");
            put_number(6, 4);
            put_text("latin1");
        }
        put_text(i < 2 ? "\x85q\3" : "\x86q\3"); /* the arguments, once */
        while (out.size < sizeof out.at - 10)
            put_text("h\1h\3R0");
        put_text("N.");
        CHECK_ERROR(TN_ERROR_IO, "again and again", again());
    }
}

TEST(a_memo_entry_far_away_takes_no_memory) {
    legacy();
    put_text("Nr");
    put_number(4000, 4);
    while (out.size < 20000)
        put_text("N0");
    put_text(".");
    CHECK_ERROR(TN_ERROR_IO, "memo entry 4000", again());
}

/* A tensor of 16-bit elements over a storage of bytes that begins at an odd place. */
TEST(elements_over_a_storage_of_bytes_at_an_odd_place_are_copied) {
    for (size_t shift = 0; shift < 2; shift++) {
        legacy();
        put_text("ctorch._utils\n_rebuild_tensor_v3\n((X");
        put_number(7, 4);
        put_text("storagectorch.storage\nUntypedStorage\nX");
        put_number(1, 4);
        put_text("0X");
        put_number(3, 4);
        put_text("cpuK\4tQK");
        put_number(0, 1);
        put_text("(K\2t(K\1t\x89}ctorch\nuint16\ntR");
        put_text(".");
        put("\x80\x02](X\1\0\0\0"
            "0e.",
            12);
        put_number(4, 8);
        put("\1\0\2\0", 4);
        uint8_t *moved = out.at + 1;
        size_t size = out.size;
        if (shift)
            memmove(moved, out.at, size);
        tn_file *file = tn_file_open_memory(shift ? moved : out.at, size, TN_BORROW_CONST, NULL);
        CHECK(file);
        tn_tensor *x = tn_file_take_at(file, 0);
        CHECK(x);
        CHECK_INT((uintptr_t)tn_data(x) % 2, 0);
        CHECK_INT(((const uint16_t *)tn_data(x))[1], 2);
        CHECK(tn_is_readonly(x));
    }
}

/* {"a.b": tensor, "a": {"b": tensor}} */
TEST(two_tensors_of_one_name_are_not_silently_one) {
    tn_writer *writer = begin("pt");
    CHECK(writer);
    CHECK_INT(tn_writer_add(writer, "x", tn_zeros(TN_DIMS(2), TN_FLOAT32)), TN_OK);
    static const char tensor[] = "ctorch._utils\n_rebuild_tensor_v2\n((X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0"
                                 "0X\3\0\0\0cpuK\2tQK\0(K\2t(K\1t\x89}tR";
    bytes pickle = {.size = 0};
    (void)gather(&pickle, "\x80\2}(X\3\0\0\0a.b", 12);
    (void)gather(&pickle, tensor, sizeof tensor - 1);
    (void)gather(&pickle, "X\1\0\0\0a}X\1\0\0\0b", 13);
    (void)gather(&pickle, tensor, sizeof tensor - 1);
    (void)gather(&pickle, "su.", 3);
    CHECK_INT(tn_writer_add_record(writer, "data.pkl", pickle.at, pickle.size), TN_OK);
    CHECK_INT(tn_writer_add_record(writer, "notes.txt", "hello", 5), TN_OK);
    CHECK_INT(tn_writer_finish(writer), TN_OK);
    tn_file *file = again();
    CHECK(file);
    CHECK_INT(tn_file_count(file), 2);
    tn_tensor *notes = tn_file_record(file, "notes.txt"); /* a record beside the pickle is written, too */
    CHECK(notes);
    CHECK_INT(tn_numel(notes), 5);
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "two tensors of this name", tn_file_take_all(file));
}

TEST(records_that_the_writer_makes_itself_are_refused) {
    static const char *const names[] = {"version", "byteorder", "data/0"};
    for (int i = 0; i < 3; i++) {
        tn_writer *writer = begin("pt");
        CHECK(writer);
        CHECK_INT(tn_writer_add_record(writer, names[i], "3", 1), TN_OK);
        CHECK_ERROR(TN_ERROR_ARGUMENT, "taken", tn_writer_finish(writer));
    }
}

/* ---- names */

TEST(names_that_no_reader_reads_are_refused_when_they_are_given) {
    static const char *const formats[] = {"npz", "safetensors", "pt", "gguf"};
    tn_tensor *x = tn_zeros(TN_DIMS(2), TN_FLOAT32);
    CHECK(x);
    for (int i = 0; i < 4; i++) {
        tn_writer *writer = begin(formats[i]);
        CHECK(writer);
        CHECK_ERROR(TN_ERROR_ARGUMENT, "UTF-8", tn_writer_add(writer, "a\xff", x));
        if (i % 2)
            CHECK_ERROR(TN_ERROR_ARGUMENT, "UTF-8", tn_writer_add_metadata(writer, "a", "\xc3"));
    }
    tn_writer *writer = begin("gguf");
    CHECK(writer);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "writer's own", tn_writer_add_metadata(writer, "general.alignment", "64"));
}

/* A name as long as a file's may be, of the file and of the folder in a checkpoint. */
TEST(long_names_are_written_and_read) {
    int head = snprintf(path, sizeof path, "/tmp/tenon-hostile-%ld-", (long)getpid());
    memset(path + head, 'n', (size_t)(5 + 255 - head));
    path[5 + 255] = 0;
    tn_parameters *set = tn_parameters_new();
    CHECK(set);
    CHECK(tn_parameters_add(set, "w", tn_ones(TN_DIMS(3), TN_FLOAT32)));
    TEST_DEFER(remove_path, path);
    CHECK_INT(tn_save(path, "pt", set), TN_OK);
    CHECK(tn_load(path));
}

TEST(a_header_of_numpy_without_a_dtype_is_an_error) {
    out.size = 0;
    static const char header[] = "{'descr': '', 'fortran_order': False, 'shape': (1,)}\n";
    put("\x93NUMPY\1\0", 8);
    put_number(sizeof header - 1, 2);
    put_text(header);
    put_text("1");
    CHECK_ERROR(TN_ERROR_IO, "descr is empty", again());
}

/* ---- GGUF */

TEST(tensors_of_gguf_that_overlap_are_refused) {
    for (uint64_t second = 0; second < 3; second++) {
        out.size = 0;
        put("GGUF\3\0\0\0", 8);
        put_number(2, 8);
        put_number(0, 8);
        for (uint64_t i = 0; i < 2; i++) {
            put_number(1, 8);
            put_text(i ? "b" : "a");
            put_number(1, 4);
            put_number(16, 8); /* 64 bytes */
            put_number(0, 4);
            put_number(i * second * 32, 8);
        }
        while (out.size % 32)
            put_number(0, 1);
        for (int i = 0; i < 32; i++)
            put_number(0, 4);
        if (second == 2)
            CHECK(again());
        else
            CHECK_ERROR(TN_ERROR_IO, "overlaps", again());
    }
}

/* A header with the texts "0", "1", ... of which each is its name, and one tensor of a kind where it is not negative. */
static void gguf_header(int texts, int same, int kind) {
    char name[16];
    out.size = 0;
    put("GGUF\3\0\0\0", 8);
    put_number(kind >= 0, 8);
    put_number((uint64_t)texts, 8);
    for (int i = 0; i < texts; i++)
        for (int k = 0; k < 2; k++) {
            snprintf(name, sizeof name, "%d", i == same ? 0 : i);
            put_number(strlen(name), 8);
            put_text(name);
            if (k == 0)
                put_number(8, 4);
        }
    if (kind >= 0) {
        put_number(1, 8);
        put_text("w");
        put_number(1, 4);
        put_number(256, 8);
        put_number((uint64_t)kind, 4);
        put_number(0, 8);
    }
}

TEST(metadata_of_gguf_have_one_name_each) {
    gguf_header(9, 8, -1);
    CHECK_ERROR(TN_ERROR_IO, "\"0\" is given twice", again());
    gguf_header(9, -1, -1);
    tn_file *file = again();
    CHECK(file);
    CHECK_TEXT(tn_file_metadata(file, "7"), "7");
    CHECK(!tn_file_metadata(file, "9"));
}

TEST_ONCE(thousands_of_metadata_are_found_by_their_names) { /* nothing that nine of them do not allocate */
    gguf_header(2500, -1, -1);
    tn_file *file = again();
    CHECK(file);
    CHECK_INT(tn_file_metadata_count(file), 2500);
    for (int64_t i = 0; i < 2500; i++) {
        const char *name = tn_file_metadata_name(file, i);
        CHECK_TEXT(tn_file_metadata(file, name), name);
    }
}

TEST(blocks_that_are_not_read_are_told_by_their_name) {
    gguf_header(0, -1, 20);
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "\"w\", byte 57: elements of ggml's kind 20 (IQ4_NL)", again());
    gguf_header(0, -1, 77);
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "kind 77 are not read", again());
}

TEST(a_shape_that_cannot_be_is_told_with_its_byte) {
    static const char header[] = "{\"w\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296,4],\"data_offsets\":[0,0]}}";
    out.size = 0;
    put_number(sizeof header - 1, 8);
    put_text(header);
    CHECK_ERROR(TN_ERROR_IO, "\"w\", byte 83: a shape of 3 dimensions", again());
}

/* ---- attributes of tensors, which torch writes beside them */

TEST(attributes_of_a_tensor_are_its_state_in_the_tree) {
    legacy();
    put_text("}X\1");
    put("\0\0\0", 3);
    put_text("pctorch._utils\n_rebuild_parameter_with_state\n(ctorch._utils\n_rebuild_tensor_v2\n((X\7");
    put("\0\0\0", 3);
    put_text("storagectorch\nFloatStorage\nX\1");
    put("\0\0\0", 3);
    put_text("aX\3");
    put("\0\0\0", 3);
    put_text("cpuK\1tQK");
    put("\0", 1);
    put_text("(K\1t(K\1t\x89}tR\x88}}X\3");
    put("\0\0\0", 3);
    put_text("tagK\7stRs.\x80\2]X\1");
    put("\0\0\0", 3);
    put_text("aa.");
    put_number(1, 8);
    put_number(0x3f800000, 4);
    tn_file *file = again();
    CHECK(file);
    const tn_tree *p = tn_tree_find(tn_file_tree(file), "p");
    CHECK_INT(tn_tree_kind_of(p), TN_TREE_TENSOR);
    CHECK_INT(tn_tree_number(tn_tree_find(tn_tree_state(p), "tag")).value.i, 7);
    tn_file_tensor about = TN_FILE_TENSOR;
    CHECK_INT(tn_file_describe(file, tn_tree_tensor(p), &about), TN_OK);
    CHECK(about.is_parameter && about.requires_grad);
}

/* ---- training */

TEST_SAMPLED(plain_gradient_descent_is_saved_and_a_bad_setting_changes_nothing) {
    snprintf(path, sizeof path, "/tmp/tenon-hostile-%ld.pt", (long)getpid());
    tn_parameters *set = tn_parameters_new();
    CHECK(set);
    CHECK(tn_parameters_add(set, "w", tn_requires_grad_(tn_ones(TN_DIMS(3), TN_FLOAT32), true)));
    tn_optimizer *sgd = tn_optimizer_new("sgd", set);
    CHECK(sgd);
    CHECK_INT(tn_optimizer_set(sgd, "lr", 0.25), TN_OK);
    TEST_DEFER(remove_path, path);
    CHECK_INT(tn_training_save(path, set, sgd), TN_OK);
    CHECK_INT(tn_optimizer_set(sgd, "lr", 0.5), TN_OK);
    CHECK_INT(tn_training_load(path, set, sgd), TN_OK);
    CHECK_DOUBLE(tn_optimizer_get(sgd, 0, "lr"), 0.25);
    /* 0.25 in the file becomes -0.25, and the weights 3f800000 become 0f800000 */
    FILE *file = fopen(path, "rb");
    CHECK(file);
    out.size = fread(out.at, 1, sizeof out.at, file);
    fclose(file);
    int found = 0;
    for (size_t i = 0; i + 12 < out.size; i++) {
        if (memcmp(out.at + i, "G\x3f\xd0\0\0\0\0\0\0", 9) == 0)
            out.at[i + 1] = 0xbf, found |= 1;
        if (memcmp(out.at + i, "\0\0\x80\x3f\0\0\x80\x3f\0\0\x80\x3f", 12) == 0)
            out.at[i + 3] = 0x0f, found |= 2;
    }
    CHECK_INT(found, 3);
    CHECK(file = fopen(path, "wb"));
    CHECK_INT(fwrite(out.at, 1, out.size, file), (long long)out.size);
    fclose(file);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "lr", tn_training_load(path, set, sgd));
    CHECK_DOUBLE(tn_optimizer_get(sgd, 0, "lr"), 0.25);
    CHECK(tn_equal(tn_parameters_at(set, 0), tn_ones(TN_DIMS(3), TN_FLOAT32)));
}

/* ---- memory */

TEST(a_writer_goes_on_after_an_addition_that_failed) {
    tn_writer *writer = begin("npz");
    tn_tensor *x = tn_zeros(TN_DIMS(1), TN_FLOAT32);
    CHECK(writer && x);
    int64_t added = 0;
    bool failed = false;
    for (int i = 0; i < 40; i++) {
        char name[8];
        snprintf(name, sizeof name, "%d", i);
        if (tn_writer_add(writer, name, x) == TN_OK)
            added++;
        else {
            CHECK_INT(tn_error_code(), TN_ERROR_MEMORY);
            tn_error_clear();
            failed = true;
        }
    }
    CHECK(added == 40 || failed);
    CHECK_INT(tn_writer_finish(writer), TN_OK);
    tn_file *file = again();
    CHECK(file);
    CHECK_INT(tn_file_count(file), added);
    for (int64_t i = 0; i < added; i++)
        CHECK(tn_file_take_at(file, i));
}

TEST(metadata_that_is_given_twice_is_an_error) {
    static const char header[] = "{\"__metadata__\":{\"a\":\"1\",\"b\":\"1\",\"a\":\"2\"}}";
    out.size = 0;
    put_number(sizeof header - 1, 8);
    put_text(header);
    CHECK_ERROR(TN_ERROR_IO, "\"a\" twice", again());
}
