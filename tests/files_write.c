/* files_write.c - writing files of tensors, judged by reading them back: every format, every dtype that it has, any strides; and that
 * nothing is left half written.
 *
 * Tests: src/interchange/files/writer.c, src/interchange/files/writer_formats.c, src/interchange/files/torch_write.c
 * Tests: src/interchange/files/gguf_write.c, src/interchange/files/csv.c, src/interchange/files/training.c
 */
#include "test.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct written {
    uint8_t bytes[20000];
    size_t size, stop;
} written;
static written out;

static bool gather(void *ctx, const void *bytes, size_t size) {
    written *to = ctx;
    if (to->size + size > to->stop || to->size + size > sizeof to->bytes)
        return false;
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    return true;
}

static tn_writer *begin(const char *format) {
    out.size = 0;
    out.stop = SIZE_MAX;
    return tn_writer_open_stream(gather, &out, format);
}

static tn_file *again(void) { return tn_file_open_memory(out.bytes, out.size, TN_BORROW_CONST, NULL); }

static tn_tensor *some(tn_dtype dtype) {
    tn_tensor *x = tn_to(tn_arange(12, TN_INT64), dtype);
    return tn_transpose(tn_view(x, TN_DIMS(3, 4)), 0, 1);
}

TEST_SAMPLED(every_format_gives_back_every_dtype_it_has) {
    static const char *const formats[] = {"npy", "npz", "safetensors", "pt", "gguf"};
    for (size_t i = 0; i < 5; i++)
        for (int dtype = 1; dtype < TN_DTYPE_COUNT; dtype++) {
            tn_tensor *x = some((tn_dtype)dtype);
            tn_writer *writer = begin(formats[i]);
            CHECK(x && writer);
            tn_error code = tn_writer_add(writer, "0", x);
            if (code == TN_ERROR_DTYPE) {
                CHECK(i == 2 ? dtype == TN_COMPLEX128 : i == 4);
                tn_error_clear();
                continue;
            }
            CHECK_INT(code, TN_OK);
            CHECK_INT(tn_writer_finish(writer), TN_OK);
            tn_file *file = again();
            CHECK(file);
            CHECK_TEXT(tn_file_format(file), formats[i]);
            tn_tensor *y = tn_file_take(file, "0");
            CHECK(y);
            if (i < 2 && (dtype == TN_BFLOAT16 || dtype == TN_FLOAT8_E4M3FN)) {
                CHECK_INT(tn_element_size(y), tn_element_size(x));
                continue;
            }
            CHECK_INT(tn_dtype_of(y), dtype);
            CHECK(tn_equal(tn_to(x, TN_COMPLEX128), tn_to(y, TN_COMPLEX128)));
        }
}

TEST(tensors_that_share_a_storage_share_it_in_a_checkpoint) {
    tn_tensor *x = tn_arange(6, TN_INT64), *row = tn_slice(x, 0, 2, 4, 1), *back = tn_flip(x, TN_DIMS(0));
    tn_writer *writer = begin("pt");
    CHECK(x && row && back && writer);
    CHECK_INT(tn_writer_add(writer, "x", x), TN_OK);
    CHECK_INT(tn_writer_add(writer, "row", row), TN_OK);
    CHECK_INT(tn_writer_add(writer, "back", back), TN_OK); /* torch has no negative strides: it is written out */
    CHECK_ERROR(TN_ERROR_ARGUMENT, "already", tn_writer_add(writer, "x", x));
    CHECK_INT(tn_writer_finish(writer), TN_OK);
    CHECK_ERROR(TN_ERROR_STATE, "finished", tn_writer_finish(writer));
    tn_file *file = again();
    CHECK(file);
    tn_tensor *y = tn_file_take(file, "x"), *r = tn_file_take(file, "row"), *b = tn_file_take(file, "back");
    CHECK(y && r && b);
    CHECK(tn_is_alias_of(y, r) && !tn_is_alias_of(y, b));
    CHECK(tn_equal(b, back) && tn_equal(r, row));
    writer = begin("pt");
    CHECK(writer);
    tn_tensor *bits = tn_view_dtype(x, TN_FLOAT64);
    CHECK(bits);
    CHECK_INT(tn_writer_add(writer, "x", x), TN_OK);
    CHECK_INT(tn_writer_add(writer, "bits", bits), TN_OK);
    CHECK_ERROR(TN_ERROR_DTYPE, "look at one storage", tn_writer_finish(writer));
}

TEST_SAMPLED(tensors_are_converted_on_their_way_into_a_file) {
    static const char *const formats[] = {"npy", "npz", "safetensors", "pt", "gguf", "raw"};
    tn_tensor *x = tn_t(tn_reshape(tn_arange(12, TN_FLOAT64), TN_DIMS(3, 4)));
    CHECK(x);
    tn_tensor *wanted = tn_to(x, TN_FLOAT16);
    CHECK(wanted);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        tn_writer *writer = begin(formats[i]);
        CHECK(writer);
        CHECK_INT(tn_writer_add_as(writer, "x", x, TN_FLOAT16), TN_OK);
        if (i == 1 || i == 2 || i == 4)
            CHECK_INT(tn_writer_add_as(writer, "same", wanted, TN_FLOAT16), TN_OK);
        CHECK_INT(tn_writer_finish(writer), TN_OK);
        if (i == 5) {
            CHECK_INT(out.size, 24);
            continue;
        }
        tn_file *file = again();
        CHECK(file);
        for (int64_t k = 0; k < tn_file_count(file); k++)
            CHECK(tn_equal(tn_file_take_at(file, k), wanted));
    }
    tn_writer *writer = begin("safetensors");
    CHECK(writer);
    CHECK_ERROR(TN_ERROR_DTYPE, "cannot hold complex128", tn_writer_add_as(writer, "x", x, TN_COMPLEX128));
    tn_tensor *nothing = tn_empty_device(TN_DIMS(3), TN_FLOAT32, (tn_device){TN_META, 0});
    CHECK(nothing);
    CHECK_ERROR(TN_ERROR_DEVICE, "memory", tn_writer_add_as(writer, "x", nothing, TN_FLOAT16));
    CHECK_ERROR(TN_ERROR_DEVICE, "memory", tn_writer_add(writer, "x", nothing));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "tensor", tn_writer_add_as(writer, "x", NULL, TN_FLOAT16));
}

TEST(a_copy_for_torch_still_requires_its_gradient) {
    tn_tensor *x = tn_arange(6, TN_FLOAT32), *back = x ? tn_requires_grad_(tn_slice(x, 0, 5, INT64_MIN, -1), true) : NULL;
    tn_writer *writer = begin("pt");
    CHECK(x && back && writer);
    CHECK_INT(tn_stride(back, 0), -1);
    CHECK_INT(tn_writer_add(writer, "back", back), TN_OK);
    CHECK_INT(tn_writer_finish(writer), TN_OK);
    tn_file *file = again();
    CHECK(file);
    tn_file_tensor about = TN_FILE_TENSOR;
    CHECK_INT(tn_file_describe(file, 0, &about), TN_OK);
    CHECK(about.requires_grad);
}

TEST(names_in_a_checkpoint_may_be_long) {
    char name[900];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    tn_tensor *x = tn_arange(3, TN_FLOAT32);
    tn_writer *writer = begin("pt");
    CHECK(x && writer);
    CHECK_INT(tn_writer_add(writer, name, x), TN_OK);
    name[sizeof name - 2] = 'm';
    CHECK_INT(tn_writer_add(writer, name, x), TN_OK);
    CHECK_INT(tn_writer_finish(writer), TN_OK);
    tn_file *file = again();
    CHECK(file);
    CHECK_INT(tn_file_find(file, name), 1);
    CHECK_INT(tn_file_count(file), 2);
}

TEST(metadata_goes_where_there_is_a_place_for_it) {
    tn_tensor *x = tn_arange(3, TN_FLOAT32);
    tn_writer *writer = begin("safetensors");
    CHECK(x && writer);
    CHECK_INT(tn_writer_add(writer, "x\n\"", x), TN_OK);
    CHECK_INT(tn_writer_add_metadata(writer, "k", "v\\\1"), TN_OK);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "already", tn_writer_add_metadata(writer, "k", "w"));
    CHECK_INT(tn_writer_finish(writer), TN_OK);
    CHECK_INT(out.bytes[0] % 8, 0);
    tn_file *file = again();
    CHECK(file);
    CHECK_TEXT(tn_file_metadata(file, "k"), "v\\\1");
    CHECK_INT(tn_file_find(file, "x\n\""), 0);
    writer = begin("npz");
    CHECK(writer);
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "no place", tn_writer_add_metadata(writer, "k", "v"));
    writer = begin("safetensors");
    CHECK(writer);
    CHECK_INT(tn_writer_add(writer, "__metadata__", x), TN_OK);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "__metadata__", tn_writer_finish(writer));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "the formats are", tn_writer_open("x", "zip"));
    CHECK(writer = begin("npy"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "none was added", tn_writer_finish(writer));
}

/* ---- files */

static char folder[64], path[96];

static void remove_folder(void *unused) {
    (void)unused;
    DIR *open = opendir(folder);
    for (struct dirent *entry; open && (entry = readdir(open)) != NULL;) {
        char inside[400];
        snprintf(inside, sizeof inside, "%s/%s", folder, entry->d_name);
        unlink(inside);
    }
    if (open)
        closedir(open);
    rmdir(folder);
}

static void make_folder(void) {
    snprintf(folder, sizeof folder, "/tmp/tenon-write-XXXXXX");
    CHECK(mkdtemp(folder));
    TEST_DEFER(remove_folder, NULL);
    snprintf(path, sizeof path, "%s/x.npz", folder);
}

static int files_in_folder(void) {
    int count = 0;
    DIR *open = opendir(folder);
    for (struct dirent *entry; open && (entry = readdir(open)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(open);
    return count;
}

TEST_SAMPLED(a_file_is_replaced_whole_or_not_at_all) {
    make_folder();
    tn_parameters *set = tn_parameters_new();
    CHECK(set);
    CHECK(tn_parameters_add(set, "w", tn_arange(5, TN_INT64)));
    CHECK_INT(tn_save(path, "npz", set), TN_OK);
    CHECK_INT(chmod(path, 0640), 0);
    CHECK(tn_parameters_add(set, "v", tn_arange(2000, TN_INT64)));
    CHECK_INT(tn_save(path, "npz", set), TN_OK); /* an allocation that fails here leaves the old file: see below */
    struct stat about;
    CHECK_INT(stat(path, &about), 0);
    CHECK_INT(about.st_mode & 0777, 0640);
    CHECK_INT(files_in_folder(), 1);
    tn_parameters *back = tn_load(path);
    CHECK(back);
    CHECK_INT(tn_parameters_count(back), 2);
    CHECK(tn_equal(tn_parameters_find(back, "v"), tn_parameters_find(set, "v")));
    CHECK(!tn_is_readonly(tn_parameters_find(back, "v")));
    CHECK_ERROR(TN_ERROR_IO, "/nothing", tn_save("/nothing/at/all.npz", "npz", set));
    CHECK_ERROR(TN_ERROR_IO, "directory", tn_save(folder, "npz", set));
    CHECK_INT(tn_save("/dev/null", "npz", set), TN_OK);
    CHECK_INT(stat("/dev/null", &about), 0);
    CHECK(S_ISCHR(about.st_mode));
    CHECK_INT(files_in_folder(), 1);
}

TEST(a_durable_file_is_the_same_file) {
    make_folder();
    tn_writer *writer = tn_writer_open(path, "npz");
    tn_writer_options options = TN_WRITER_OPTIONS;
    options.durable = true;
    CHECK(writer);
    CHECK_INT(tn_writer_configure(writer, &options), TN_OK);
    CHECK_INT(tn_writer_add(writer, "x", tn_arange(3, TN_INT64)), TN_OK);
    CHECK_INT(tn_writer_finish(writer), TN_OK);
    CHECK_ERROR(TN_ERROR_STATE, "finished", tn_writer_configure(writer, &options));
    tn_parameters *back = tn_load(path);
    CHECK(back);
    CHECK_INT(tn_numel(tn_parameters_find(back, "x")), 3);
    CHECK_INT(files_in_folder(), 1);
}

TEST(a_full_disk_is_an_error) {
    tn_parameters *set = tn_parameters_new();
    CHECK(set);
    CHECK(tn_parameters_add(set, "w", tn_arange(50000, TN_INT64)));
    if (access("/dev/full", W_OK) == 0)
        CHECK_ERROR(TN_ERROR_IO, "space", tn_save("/dev/full", "npz", set));
    tn_writer *writer = begin("npz");
    CHECK(writer);
    out.stop = 100;
    CHECK_INT(tn_writer_add_all(writer, set), TN_OK);
    CHECK_ERROR(TN_ERROR_IO, "failed at byte", tn_writer_finish(writer));
}

/* ---- text */

static tn_tensor *read_text(const char *text, tn_dtype dtype, char separator, uint64_t skip) {
    tn_file_options options = TN_FILE_OPTIONS;
    options.format = "csv";
    options.dtype = dtype;
    options.separator = separator;
    options.offset = skip;
    options.comment = '#';
    tn_file *file = tn_file_open_memory(text, strlen(text), TN_COPY, &options);
    return file ? tn_file_take_at(file, 0) : NULL;
}

TEST(tables_of_numbers_are_read_from_text) {
    tn_tensor *x = read_text("# head\n1, 2.5,-3e2\r\n\n 4,.5,6.  # note\n", TN_DTYPE_DEFAULT, 0, 0);
    CHECK(x);
    CHECK(tn_equal(x, tn_from_text("[[1, 2.5, -300], [4, 0.5, 6]]", TN_FLOAT64)));
    x = read_text("a b\n1  2\n3\t4", TN_INT32, ' ', 1);
    CHECK(x);
    CHECK(tn_equal(x, tn_from_text("[[1, 2], [3, 4]]", TN_INT32)));
    x = read_text("inf,nan,-Infinity", TN_FLOAT32, 0, 0);
    CHECK(x);
    CHECK(isnan(tn_item_double(tn_select(tn_reshape(x, TN_DIMS(-1)), 0, 1))));
    x = read_text("9007199254740993\n-9223372036854775808", TN_INT64, 0, 0);
    CHECK(x);
    CHECK_INT(tn_item_int64(tn_select(tn_reshape(x, TN_DIMS(-1)), 0, 0)), INT64_C(9007199254740993));
    CHECK(read_text("", TN_DTYPE_DEFAULT, 0, 0));
    CHECK_ERROR(TN_ERROR_IO, "line 2, column 2: not a number: \"x\"", read_text("1,2\n3,x\n", TN_DTYPE_DEFAULT, 0, 0));
    CHECK_ERROR(TN_ERROR_IO, "line 2, column 3: the line has more fields", read_text("1,2\n3,4,5\n", TN_DTYPE_DEFAULT, 0, 0));
    CHECK_ERROR(TN_ERROR_IO, "line 3, column 1: the line has fewer", read_text("1,2\n\n3\n", TN_DTYPE_DEFAULT, 0, 0));
    CHECK_ERROR(TN_ERROR_IO, "line 1, column 2: not a number", read_text("1,,2\n", TN_DTYPE_DEFAULT, 0, 0));
    CHECK_ERROR(TN_ERROR_IO, "line 1, column 1: something behind", read_text("1 2,3\n", TN_DTYPE_DEFAULT, 0, 0));
    CHECK_ERROR(TN_ERROR_IO, "not an integer that fits: \"300\"", read_text("300\n", TN_UINT8, 0, 0));
    CHECK_ERROR(TN_ERROR_IO, "something behind the number: \"x10\"", read_text("0x10\n", TN_DTYPE_DEFAULT, 0, 0));
}

TEST_ONCE(numbers_of_text_are_rounded_correctly) { /* thousands of small files */
    static const char *const hard[] = {"9007199254740993",
                                       "9007199254740991.5",
                                       "1e23",
                                       "8.5e-323",
                                       "1.7976931348623157e308",
                                       "1e-400",
                                       "1e400",
                                       "0.1",
                                       "123456789012345678901234567890",
                                       "2.2250738585072014e-308",
                                       "5e-324",
                                       "0.000000000000000000001",
                                       "4503599627370496.5",
                                       "4503599627370497.5",
                                       "1.00000000000000011102230246251565404"};
    for (size_t i = 0; i < sizeof hard / sizeof hard[0]; i++) {
        tn_tensor *x = read_text(hard[i], TN_FLOAT64, 0, 0);
        CHECK(x);
        CHECK_DOUBLE(tn_item_double(x), strtod(hard[i], NULL));
    }
    for (int i = 0; i < 3000; i++) {
        char text[80];
        uint64_t bits = test_random();
        double value;
        memcpy(&value, &bits, 8);
        if (i % 2)
            value = (double)(int64_t)(bits >> 11) * (i % 4 == 1 ? 1e-12 : 1e-5);
        if (!isfinite(value))
            continue;
        snprintf(text, sizeof text, i % 3 == 0 ? "%.18e" : i % 3 == 1 ? "%.17g" : "%.15g", value);
        tn_tensor *x = read_text(text, TN_FLOAT64, 0, 0);
        CHECK(x);
        CHECK_DOUBLE(tn_item_double(x), strtod(text, NULL));
    }
}

TEST(text_that_is_written_is_read_back_exactly) {
    tn_tensor *x = tn_div(tn_to(some(TN_INT64), TN_FLOAT64), tn_full(TN_DIMS(1), 7, TN_FLOAT64));
    tn_writer *writer = begin("csv");
    CHECK(x && writer);
    CHECK_INT(tn_writer_add(writer, "x", x), TN_OK);
    CHECK_INT(tn_writer_finish(writer), TN_OK);
    out.bytes[out.size] = 0;
    tn_tensor *y = read_text((const char *)out.bytes, TN_FLOAT64, 0, 0);
    CHECK(y);
    CHECK(tn_equal(x, y));
    CHECK(writer = begin("tsv"));
    CHECK_INT(tn_writer_add(writer, "x", tn_reshape(x, TN_DIMS(2, 2, 3))), TN_OK);
    CHECK_ERROR(TN_ERROR_SHAPE, "3 dimensions", tn_writer_finish(writer));
    CHECK(writer = begin("raw"));
    CHECK_INT(tn_writer_add(writer, "x", x), TN_OK);
    CHECK_INT(tn_writer_finish(writer), TN_OK);
    CHECK_INT(out.size, 96);
}

/* ---- training */

static tn_optimizer *train(tn_parameters *set, int steps) {
    tn_optimizer *adam = tn_optimizer_new("adam", set);
    for (int i = 0; adam && i < steps; i++) {
        tn_tensor *loss = tn_sum(tn_square(tn_parameters_at(set, 0)), TN_DTYPE_DEFAULT);
        if (!loss || tn_optimizer_zero_grad(adam, true) != TN_OK || tn_backward(loss, NULL) != TN_OK ||
            tn_optimizer_step(adam) != TN_OK)
            return NULL;
    }
    return adam;
}

static tn_parameters *one_parameter(void) {
    tn_parameters *set = tn_parameters_new();
    return set && tn_parameters_add(set, "w", tn_requires_grad_(tn_ones(TN_DIMS(3), TN_FLOAT32), true)) ? set : NULL;
}

TEST_SAMPLED(a_training_run_continues_from_its_file_with_the_same_numbers) {
    make_folder();
    tn_parameters *first = one_parameter(), *second = one_parameter();
    CHECK(first && second);
    tn_optimizer *a = train(first, 3), *b = train(second, 0);
    CHECK(a && b);
    CHECK_INT(tn_optimizer_set(a, "lr", 0.25), TN_OK);
    CHECK_INT(tn_training_save(path, first, a), TN_OK);
    CHECK_INT(tn_training_load(path, second, b), TN_OK);
    CHECK_DOUBLE(tn_optimizer_get(b, 0, "lr"), 0.25);
    CHECK(tn_equal(tn_parameters_at(first, 0), tn_parameters_at(second, 0)));
    tn_parameters *x = tn_optimizer_state(a), *y = tn_optimizer_state(b);
    CHECK(x && y);
    CHECK_INT(tn_parameters_count(y), tn_parameters_count(x));
    for (int64_t i = 0; i < tn_parameters_count(x); i++)
        CHECK(tn_equal(tn_parameters_at(x, i), tn_parameters_find(y, tn_parameters_name(x, i))));
    tn_optimizer *sgd = tn_optimizer_new("sgd", second);
    CHECK(sgd);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "another optimiser", tn_training_load(path, second, sgd));
    tn_parameters *other = tn_parameters_new();
    CHECK(other);
    CHECK(tn_parameters_add(other, "v", tn_ones(TN_DIMS(3), TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "w", tn_training_load(path, other, NULL));
    CHECK_INT(tn_training_save(path, first, NULL), TN_OK);
    CHECK_INT(tn_training_load(path, second, NULL), TN_OK);
    CHECK_ERROR(TN_ERROR_IO, "\"optimizer\"", tn_training_load(path, second, b));
}
