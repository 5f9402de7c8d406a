/* print.c - tensors as text: a thousand of them compared with what PyTorch printed, and what only Tenon promises.
 *
 * Tests: src/interchange/print_number.c */
#include "test.h"

#include <locale.h>

#include "base/heap.h"
#include "interchange/print_number.h"

/* ---- compared with PyTorch ------------------------------------------------------------------------------------------ */

typedef struct print_case {
    tn_dtype dtype;
    int64_t ndim;
    int64_t sizes[6], strides[6]; /* contiguous unless strided */
    bool strided;
    int64_t first, elements; /* of the memory; elements is given when strided */
    const char *pattern;     /* elements in hexadecimal, repeated to fill the memory */
    tn_dtype usual;          /* the default dtype; 0: float32 */
    tn_print_options options;
    const char *text;
} print_case;

static const print_case print_cases[] = {
#include "data/print_cases.inc"
};
enum { PRINT_CASES = sizeof print_cases / sizeof print_cases[0], TEXT_SIZE = 8192 };

static void fill_with_pattern(unsigned char *memory, size_t bytes, const char *pattern) {
    size_t length = strlen(pattern) / 2;
    for (size_t i = 0; i < bytes; i++) {
        unsigned byte = 0;
        sscanf(pattern + i % length * 2, "%2x", &byte);
        memory[i] = (unsigned char)byte;
    }
}

static int64_t elements_of(const print_case *row) {
    int64_t elements = 1;
    for (int64_t i = 0; i < row->ndim; i++)
        elements *= row->sizes[i];
    return row->strided ? row->elements : elements;
}

/* The text, and the lengths that a call without room and one with half the room report. */
typedef struct printed {
    char text[TEXT_SIZE], half[TEXT_SIZE];
    int64_t length, counted, cut;
} printed;

static bool print_the_case(const print_case *row, printed *out) {
    size_t item = tn_dtype_size(row->dtype), bytes = (size_t)elements_of(row) * item;
    unsigned char *memory = malloc(bytes ? bytes : 1); /* not a byte more, so that a sanitizer sees a wrong address */
    if (!memory)
        return false;
    fill_with_pattern(memory, bytes, row->pattern);
    tn_print_options options = row->options;
    options.dtypes = TN_SPELLING_TORCH;
    options.struct_size = sizeof options;
    tn_scope scope = tn_scope_open();
    tn_dims sizes = {row->sizes, row->ndim}, strides = {row->strides, row->ndim};
    const unsigned char *first = memory + (size_t)row->first * item;
    tn_tensor *tensor = row->strided ? tn_from_memory_strided(first, sizes, strides, row->dtype, TN_BORROW_CONST)
                                     : tn_from_memory(first, sizes, row->dtype, TN_BORROW_CONST);
    bool usual = tn_set_default_dtype(row->usual ? row->usual : TN_FLOAT32) == TN_OK;
    out->length = tn_format(tensor, out->text, sizeof out->text, &options);
    out->counted = tn_format(tensor, NULL, 0, &options);
    out->cut = tn_format(tensor, out->half, strlen(row->text) / 2 + 1, &options);
    tn_set_default_dtype(TN_FLOAT32);
    tn_scope_close(scope);
    free(memory);
    return usual && tensor;
}

TEST_SAMPLED(tensors_print_as_pytorch_prints_them) {
    static printed got;
    CHECK(PRINT_CASES >= 400);
    for (size_t i = 0; i < PRINT_CASES; i++) {
        const print_case *row = &print_cases[i];
        int64_t length = (int64_t)strlen(row->text);
        if (!print_the_case(row, &got))
            test_fail(__FILE__, __LINE__, "case %zu: %s", i, tn_error_message());
        if (strcmp(got.text, row->text) != 0)
            test_fail(__FILE__, __LINE__, "case %zu is\n%s\nnot\n%s", i, got.text, row->text);
        CHECK_INT(got.length, length);
        CHECK_INT(got.counted, length);
        CHECK_INT(got.cut, length);
        CHECK_INT(strlen(got.half), length / 2);
        CHECK(strncmp(got.half, row->text, (size_t)length / 2) == 0);
    }
}

/* ---- what Tenon promises besides ------------------------------------------------------------------------------------ */

static void restore_print_options(void *unused) {
    (void)unused;
    tn_set_print_options(NULL);
}

static void close_stream(void *stream) { fclose(stream); }

static tn_tensor *three_numbers(void) {
    static const float numbers[] = {1.5f, -2, 3};
    return tn_from_memory(numbers, TN_DIMS(3), TN_FLOAT32, TN_BORROW_CONST);
}
#define THREE_NUMBERS "tensor([ 1.5000, -2.0000,  3.0000])"

TEST(a_stream_gets_the_text_and_a_newline) {
    FILE *stream = tmpfile();
    CHECK(stream);
    TEST_DEFER(close_stream, stream);
    tn_tensor *tensor = three_numbers();
    CHECK(tensor);
    CHECK_INT(tn_print(tensor, stream), TN_OK);
    CHECK_INT(tn_print(tensor, stream), TN_OK);
    char text[200] = "";
    rewind(stream);
    CHECK(fread(text, 1, sizeof text - 1, stream) > 0);
    CHECK_TEXT(text, THREE_NUMBERS "\n" THREE_NUMBERS "\n");
}

TEST(a_stream_that_refuses_the_text_is_an_error) {
    FILE *stream = fopen("/dev/null", "r");
    CHECK(stream);
    TEST_DEFER(close_stream, stream);
    tn_tensor *tensor = three_numbers();
    CHECK(tensor);
    CHECK_ERROR(TN_ERROR_IO, "the stream refused", tn_print(tensor, stream));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "stream is NULL", tn_print(tensor, NULL));
}

TEST(a_missing_tensor_keeps_the_error_that_came_first) {
    char text[8] = "as it";
    CHECK_ERROR(TN_ERROR_ARGUMENT, "NULL", tn_print(NULL, stdout));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "NULL", tn_format(NULL, text, sizeof text, NULL));
    CHECK_TEXT(text, "as it");
    CHECK_INT(tn_format(NULL, NULL, 0, NULL), -1);
    tn_error_clear();
    tn_error_raise(TN_ERROR_SHAPE, "earlier", "the cause");
    CHECK_INT(tn_print(NULL, stdout), TN_ERROR_SHAPE);
    CHECK_INT(tn_error_code(), TN_ERROR_SHAPE);
    tn_error_clear();
}

TEST(a_buffer_of_any_size_gets_what_fits_and_the_full_length_is_told) {
    tn_tensor *tensor = three_numbers();
    CHECK(tensor);
    size_t length = strlen(THREE_NUMBERS);
    for (size_t size = 0; size <= length + 2; size++) {
        char text[64];
        memset(text, '#', sizeof text);
        CHECK_INT(tn_format(tensor, size ? text : NULL, size, NULL), length);
        size_t fits = size == 0 ? 0 : size - 1 < length ? size - 1 : length;
        CHECK(strncmp(text, THREE_NUMBERS, fits) == 0);
        CHECK(size == 0 || text[fits] == '\0');
        CHECK(text[size == 0 ? 0 : fits + 1] == '#');
    }
    CHECK_ERROR(TN_ERROR_ARGUMENT, "buffer is NULL", tn_format(tensor, NULL, 5, NULL));
}

TEST(options_out_of_range_are_refused_and_change_nothing) {
    TEST_DEFER(restore_print_options, NULL);
    tn_tensor *tensor = three_numbers();
    CHECK(tensor);
    const tn_print_options sized = {.struct_size = sizeof sized};
    tn_print_options options = sized;
    options.precision = 2;
    CHECK_INT(tn_set_print_options(&options), TN_OK);
    const struct {
        tn_print_options options;
        const char *part;
    } refused[] = {
        {{.struct_size = 0}, "struct_size is 0"},
        {{.struct_size = sizeof sized, .precision = TN_PRINT_PRECISION_MAX + 1}, "precision is 1075"},
        {{.struct_size = sizeof sized, .line_width = -1}, "line_width is -1"},
        {{.struct_size = sizeof sized, .notation = (tn_print_notation)3}, "notation is 3"},
        {{.struct_size = sizeof sized, .dtypes = TN_SPELLING_NUMPY}, "dtypes is 2"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        CHECK_ERROR(TN_ERROR_ARGUMENT, refused[i].part, tn_set_print_options(&refused[i].options));
        CHECK_ERROR(TN_ERROR_ARGUMENT, refused[i].part, tn_format(tensor, NULL, 0, &refused[i].options));
    }
    char text[64];
    CHECK_INT(tn_format(tensor, text, sizeof text, NULL), 29);
    CHECK_TEXT(text, "tensor([ 1.50, -2.00,  3.00])");
}

TEST(options_are_process_wide_and_come_back_as_numbers) {
    TEST_DEFER(restore_print_options, NULL);
    tn_print_options options = {.struct_size = sizeof options};
    CHECK_INT(tn_get_print_options(&options), TN_OK);
    CHECK_INT(options.precision, 4);
    CHECK_INT(options.edge_items, 3);
    CHECK_INT(options.threshold, 1000);
    CHECK_INT(options.line_width, 80);
    CHECK_INT(options.notation, TN_NOTATION_AUTO);
    CHECK_INT(tn_set_print_options(&options), TN_OK);

    tn_print_options mine = {sizeof mine, -7, -8, -9, 33, TN_NOTATION_FIXED, TN_SPELLING_TORCH};
    CHECK_INT(tn_set_print_options(&mine), TN_OK);
    CHECK_INT(tn_get_print_options(&options), TN_OK);
    CHECK_INT(options.precision, -1);
    CHECK_INT(options.edge_items, -1);
    CHECK_INT(options.threshold, -1);
    CHECK_INT(options.line_width, 33);
    CHECK_INT(options.notation, TN_NOTATION_FIXED);
    CHECK_INT(options.dtypes, TN_SPELLING_TORCH);

    CHECK_INT(tn_set_print_options(NULL), TN_OK);
    CHECK_INT(tn_get_print_options(&options), TN_OK);
    CHECK_INT(options.precision, 4);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "out is NULL", tn_get_print_options(NULL));
    options.struct_size = 0;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "struct_size is 0", tn_get_print_options(&options));
}

TEST(options_of_a_smaller_struct_end_where_it_ends) {
    tn_tensor *tensor = three_numbers();
    CHECK(tensor);
    tn_print_options options = {.struct_size = offsetof(tn_print_options, edge_items), .precision = 1, .line_width = -1};
    char text[64];
    CHECK(tn_format(tensor, text, sizeof text, &options) > 0);
    CHECK_TEXT(text, "tensor([ 1.5, -2.0,  3.0])");
    options = (tn_print_options){.struct_size = offsetof(tn_print_options, line_width), .line_width = 12345};
    CHECK_INT(tn_get_print_options(&options), TN_OK);
    CHECK_INT(options.struct_size, offsetof(tn_print_options, line_width));
    CHECK_INT(options.threshold, 1000);
    CHECK_INT(options.line_width, 12345);
}

TEST_ONCE(printing_allocates_nothing) { /* it counts allocations by letting one fail */
    tn_tensor *tensor = three_numbers();
    CHECK(tensor);
    tn_tensor *large =
        tn_from_memory_strided(tn_data(tensor), TN_DIMS(1000000, 1000000), TN_DIMS(0, 0), TN_FLOAT32, TN_BORROW_CONST);
    CHECK(large);
    tni_fault_arm(1);
    int64_t length = tn_format(large, NULL, 0, NULL);
    CHECK(!tni_fault_disarm());
    CHECK(length > 0);
}

TEST(the_most_dimensions_a_tensor_can_have_are_printed) {
    int64_t sizes[TN_MAX_DIMS];
    for (int i = 0; i < TN_MAX_DIMS; i++)
        sizes[i] = 1;
    sizes[0] = 2;
    const int32_t numbers[] = {7, -8};
    tn_tensor *tensor = tn_from_memory(numbers, (tn_dims){sizes, TN_MAX_DIMS}, TN_INT32, TN_COPY);
    CHECK(tensor);
    char text[1024], expected[1024] = "tensor(";
    memset(expected + 7, '[', 64);
    strcpy(expected + 7 + 64, " 7");
    memset(expected + 73, ']', 63);
    expected[136] = ',';
    memset(expected + 137, '\n', 63);
    memset(expected + 200, ' ', 8);
    memset(expected + 208, '[', 63);
    strcpy(expected + 271, "-8");
    memset(expected + 273, ']', 64);
    strcpy(expected + 337, ",\n       dtype=int32)");
    CHECK(tn_format(tensor, text, sizeof text, NULL) > 0);
    CHECK_TEXT(text, expected);
}

TEST(the_stride_of_a_single_element_may_be_any_number) {
    static const float number = 2.5f;
    tn_tensor *tensor =
        tn_from_memory_strided(&number, TN_DIMS(1, 1), TN_DIMS(INT64_MAX, INT64_MIN), TN_FLOAT32, TN_BORROW_CONST);
    CHECK(tensor);
    char text[32];
    CHECK(tn_format(tensor, text, sizeof text, NULL) > 0);
    CHECK_TEXT(text, "tensor([[2.5000]])");
}

TEST(elements_on_another_device_are_refused_and_its_empty_tensors_named) {
    int32_t type = tn_device_type_register("drawer");
    CHECK(type >= TN_DEVICE_USER);
    static double numbers[3];
    tn_data_ptr pointer = tn_data_ptr_make(numbers, NULL, NULL, TN_DEVICE(type, 2));
    tn_storage *storage = tn_storage_from_pointer(&pointer, sizeof numbers, TN_FLOAT64);
    CHECK(storage);
    tn_tensor *full = tn_from_storage(storage, 0, TN_DIMS(3), TN_DIMS(1), TN_FLOAT64);
    CHECK(full);
    char text[96] = "as it was";
    CHECK_ERROR(TN_ERROR_DEVICE, "drawer:2", tn_format(full, text, sizeof text, NULL));
    CHECK_TEXT(text, "as it was");
    CHECK_ERROR(TN_ERROR_DEVICE, "drawer:2", tn_print(full, stdout));
    tn_tensor *empty = tn_from_storage(storage, 0, TN_DIMS(0, 2), TN_DIMS(2, 1), TN_FLOAT64);
    CHECK(empty);
    CHECK(tn_format(empty, text, sizeof text, NULL) > 0);
    CHECK_TEXT(text, "tensor([], device='drawer:2', size=(0, 2), dtype=float64)");
}

TEST(a_tensor_on_meta_shows_its_sizes_and_every_dtype_but_the_default) {
    static const struct {
        tn_dtype dtype;
        int64_t ndim;
        const char *text;
    } rows[] = {
        {TN_FLOAT32, 2, "tensor(..., device='meta', size=(2, 3))"},
        {TN_FLOAT32, 0, "tensor(..., device='meta', size=())"},
        {TN_FLOAT32, 1, "tensor(..., device='meta', size=(2,))"},
        {TN_INT64, 1, "tensor(..., device='meta', size=(2,), dtype=int64)"},
        {TN_BOOL, 3, "tensor(..., device='meta', size=(2, 3, 0), dtype=bool)"},
        {TN_COMPLEX64, 2, "tensor(..., device='meta', size=(2, 3), dtype=complex64)"},
    };
    static const int64_t sizes[] = {2, 3, 0};
    char text[160];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tn_tensor *x = tn_empty_device((tn_dims){sizes, rows[i].ndim}, rows[i].dtype, TN_DEVICE(TN_META, 0));
        CHECK(x);
        CHECK_INT(tn_format(x, text, sizeof text, NULL), (int64_t)strlen(rows[i].text));
        CHECK_TEXT(text, rows[i].text);
    }
    tn_tensor *huge =
        tn_empty_device(TN_DIMS((int64_t)1 << 40, 123456, 1, 1, 1, 1, 1, 1, 1, 1, 1), TN_FLOAT64, TN_DEVICE(TN_META, 0));
    CHECK(huge && tn_format(huge, text, sizeof text, NULL) > 0);
    CHECK_TEXT(text,
               "tensor(..., device='meta',\n       size=(1099511627776, 123456, 1, 1, 1, 1, 1, 1, 1, 1, 1), dtype=float64)");
}

TEST(a_decimal_mark_of_any_locale_becomes_a_point) {
    static const struct {
        const char *from, *to;
    } texts[] = {
        {"1,5000", "1.5000"},
        {"-12,5", "-12.5"},
        {"1.2500", "1.2500"},
        {"7", "7"},
        {"-7", "-7"},
        {"1e+08", "1e+08"},
        {"-3e-08", "-3e-08"},
        {"1\xd9\xab"
         "25e+10",
         "1.25e+10"},
        {"-1\xd9\xab"
         "25",
         "-1.25"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char text[32];
        strcpy(text, texts[i].from);
        CHECK_INT(tni_number_normalise_mark(text, (int)strlen(text)), strlen(texts[i].to));
        CHECK_TEXT(text, texts[i].to);
    }
}

static void restore_locale(void *unused) {
    (void)unused;
    setlocale(LC_NUMERIC, "C");
}

/* Where the machine has no locale with a comma, this is one more test of the usual one. */
TEST_SAMPLED(the_text_does_not_depend_on_the_locale) {
    static const char *const with_comma[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "ru_RU.UTF-8", "de_DE", "ps_AF.UTF-8"};
    TEST_DEFER(restore_locale, NULL);
    for (size_t i = 0; i < sizeof with_comma / sizeof with_comma[0]; i++)
        if (setlocale(LC_NUMERIC, with_comma[i]))
            break;
    tn_tensor *tensor = three_numbers();
    CHECK(tensor);
    char text[64];
    CHECK(tn_format(tensor, text, sizeof text, NULL) > 0);
    CHECK_TEXT(text, THREE_NUMBERS);
}
