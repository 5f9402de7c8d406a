/* onnx.c - tensors out of ONNX files: every way to store elements, graphs inside graphs, other files, and what is wrong in a file. */
#include "onnx_helpers.h"

#include <unistd.h>

#include "base/heap.h"

static tn_file *proto_opened(const char *format) {
    tn_file_options options = TN_FILE_OPTIONS;
    options.format = format;
    return tn_file_open_memory(message.bytes, message.size, TN_BORROW_CONST, &options);
}

/* A message of one tensor is begun: its sizes and type. */
static void tensor_begin(int type, int64_t size) {
    proto_begin();
    if (size >= 0)
        proto_int(1, size);
    proto_int(2, type);
}

static tn_tensor *tensor_taken(void) {
    tn_file *file = proto_opened("tensorproto");
    return file ? tn_file_take_at(file, 0) : NULL;
}

TEST(elements_are_raw_bytes_packed_floats_or_numbers_one_by_one) {
    const float floats[] = {1.5F, -2};
    tensor_begin(1, 2);
    proto_raw(9, floats, sizeof floats);
    tn_tensor *raw = tensor_taken();
    CHECK(raw);
    CHECK_DOUBLE(tn_get_double(raw, TN_DIMS(1)), -2);
    tensor_begin(1, 2);
    proto_raw(4, floats, sizeof floats);
    tn_tensor *packed = tensor_taken();
    CHECK(packed);
    CHECK_DOUBLE(tn_get_double(packed, TN_DIMS(0)), 1.5);
    tensor_begin(1, 2);
    proto_float(4, 1.5F);
    proto_float(4, -2);
    tn_tensor *single = tensor_taken();
    CHECK(single);
    CHECK_DOUBLE(tn_get_double(single, TN_DIMS(1)), -2);
}

TEST(numbers_of_changing_length_become_every_integer_dtype) {
    static const struct {
        int type;
        unsigned field;
        tn_dtype dtype;
    } each[] = {{2, 5, TN_UINT8}, {3, 5, TN_INT8}, {4, 5, TN_UINT16},   {5, 5, TN_INT16},   {6, 5, TN_INT32},
                {7, 7, TN_INT64}, {9, 5, TN_BOOL}, {12, 11, TN_UINT32}, {13, 11, TN_UINT64}};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        bool plus = tn_dtype_kind_of(each[i].dtype) == TN_KIND_SIGNED;
        tensor_begin(each[i].type, 3);
        proto_int(each[i].field, 0); /* one by one */
        proto_open(each[i].field);   /* and packed */
        proto_varint((uint64_t)(int64_t)(plus ? -7 : 1));
        proto_varint(each[i].dtype == TN_BOOL ? 1 : 100);
        proto_close();
        tn_tensor *made = tensor_taken();
        CHECK(made);
        CHECK_INT(tn_dtype_of(made), each[i].dtype);
        CHECK_INT(tn_get_int64(made, TN_DIMS(0)), 0);
        CHECK_INT(tn_get_int64(made, TN_DIMS(1)), plus ? -7 : 1);
        CHECK_INT(tn_get_int64(made, TN_DIMS(2)), each[i].dtype == TN_BOOL ? 1 : 100);
    }
}

TEST(halves_of_bytes_become_whole_ones) {
    tensor_begin(22, 3);
    proto_raw(9, "\x78\x0f", 2);
    tn_tensor *made = tensor_taken();
    CHECK(made);
    CHECK_INT(tn_dtype_of(made), TN_INT8);
    CHECK_INT(tn_get_int64(made, TN_DIMS(0)), -8);
    CHECK_INT(tn_get_int64(made, TN_DIMS(1)), 7);
    CHECK_INT(tn_get_int64(made, TN_DIMS(2)), -1);
    tensor_begin(21, 2);
    proto_int(5, 0xf1);
    CHECK((made = tensor_taken()));
    CHECK_INT(tn_dtype_of(made), TN_UINT8);
    CHECK_INT(tn_get_int64(made, TN_DIMS(0)), 1);
    CHECK_INT(tn_get_int64(made, TN_DIMS(1)), 15);
}

TEST(half_floats_and_complex_numbers_are_read_from_their_fields) {
    tensor_begin(10, 1);
    proto_int(5, 0x3e00);
    tn_tensor *half = tensor_taken();
    CHECK(half);
    CHECK_DOUBLE(tn_get_double(half, TN_DIMS(0)), 1.5);
    tensor_begin(14, 1);
    proto_float(4, 3);
    proto_float(4, 4);
    tn_tensor *complex = tensor_taken();
    CHECK(complex);
    CHECK_DOUBLE(tn_item_complex(complex).imag, 4);
    tensor_begin(11, -1);
    proto_raw(10, &(double){0.1}, 8);
    tn_tensor *number = tensor_taken();
    CHECK(number);
    CHECK_INT(tn_ndim(number), 0);
    CHECK_DOUBLE(tn_item_double(number), 0.1);
}

static void model_of_all_places(void) {
    proto_model_begin(17);
    proto_str(2, "places");
    proto_wholes(5, "axes", 2, (const int64_t[]){1, -1});
    proto_node_begin("Constant", "", "weight");
    proto_open(5);
    proto_str(1, "value");
    proto_floats(5, "ignored", 2, 0, (const float[]){7, 8});
    proto_close();
    proto_close();
    proto_node_begin("If", "k", "y");
    proto_open(5);
    proto_str(1, "then_branch");
    proto_open(6);
    proto_wholes(5, "inner", 1, (const int64_t[]){5});
    proto_close();
    proto_close();
    proto_close();
    proto_value_info(11, "x", 1);
    proto_value_info(12, "y", 1);
    proto_model_end();
}

TEST(a_model_lists_initialisers_constants_and_those_of_inner_graphs) {
    model_of_all_places();
    tn_file *file = proto_opened(NULL); /* known by its content */
    CHECK(file);
    CHECK_TEXT(tn_file_format(file), "onnx");
    CHECK_INT(tn_file_count(file), 3);
    tn_tensor *axes = tn_file_take(file, "axes"), *weight = tn_file_take(file, "weight"),
              *inner = tn_file_take(file, "If_1.then_branch.inner");
    CHECK(axes && weight && inner);
    CHECK_INT(tn_get_int64(axes, TN_DIMS(1)), -1);
    CHECK_DOUBLE(tn_get_double(weight, TN_DIMS(1)), 8);
    CHECK_INT(tn_get_int64(inner, TN_DIMS(0)), 5);
    CHECK_TEXT(tn_file_metadata(file, "input.x"), "float32");
    CHECK_TEXT(tn_file_metadata(file, "graph"), "places, 2 nodes");
    CHECK_TEXT(tn_file_metadata(file, "opset"), "17");
}

TEST(sizes_types_and_elements_that_do_not_fit_are_told_with_the_byte) {
    tensor_begin(1, 3);
    proto_raw(9, "\0\0\0\0", 4);
    CHECK_ERROR(TN_ERROR_IO, "has 12 bytes, not the 4", tensor_taken());
    tensor_begin(1, -1);
    proto_int(1, -5);
    CHECK_ERROR(TN_ERROR_IO, "a size of -5", tensor_taken());
    tensor_begin(1, INT64_MAX);
    proto_int(1, INT64_MAX);
    CHECK_ERROR(TN_ERROR_IO, "more than there can be", tensor_taken());
    tensor_begin(99, 1);
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "no type of elements 99", tensor_taken());
    tensor_begin(18, 1);
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "float8e4m3fnuz are not read", tensor_taken());
    tensor_begin(8, 1);
    proto_str(6, "text");
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "strings", tensor_taken());
    tensor_begin(1, 1);
    proto_raw(9, "\0\0\0\0", 4);
    message.size -= 2;
    CHECK_ERROR(TN_ERROR_IO, "a field needs 4 bytes, but only 2 are left", tensor_taken());
    proto_begin();
    proto_byte(0x0b);
    CHECK_ERROR(TN_ERROR_IO, "wire type 3", tensor_taken());
    proto_begin();
    for (int i = 0; i < 11; i++)
        proto_byte(0xff);
    CHECK_ERROR(TN_ERROR_IO, "more than 64 bits", tensor_taken());
}

TEST(what_is_sparse_or_too_deep_or_no_model_is_refused) {
    proto_model_begin(17);
    proto_open(15);
    proto_model_end();
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "sparse", proto_opened("onnx"));
    proto_model_begin(17);
    for (int i = 0; i < 17; i++) {
        proto_open(1);
        proto_open(5);
        proto_open(6);
    }
    proto_model_end();
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "more than 16 deep", proto_opened("onnx"));
    proto_begin();
    proto_int(1, 8);
    CHECK_ERROR(TN_ERROR_IO, "there is no graph", proto_opened("onnx"));
    proto_model_begin(17);
    proto_wholes(5, "same", 1, (const int64_t[]){5});
    proto_wholes(5, "same", 1, (const int64_t[]){6});
    proto_model_end();
    CHECK_ERROR(TN_ERROR_IO, "two tensors of this name", proto_opened("onnx"));
}

/* ---- elements in another file */

static char folder[64], model_path[96], data_path[96];

static void remove_both(void *nothing) {
    (void)nothing;
    unlink(model_path);
    unlink(data_path);
    rmdir(folder);
}

static bool write_file(const char *path, const void *bytes, size_t size) {
    FILE *stream = fopen(path, "wb");
    bool done = stream && fwrite(bytes, 1, size, stream) == size;
    return stream && fclose(stream) == 0 && done;
}

static bool model_with_data(const char *location, const char *offset, const char *length) {
    const char *const pairs[][2] = {{"location", location}, {"offset", offset}, {"length", length}};
    proto_model_begin(17);
    proto_open(5);
    proto_int(1, 2);
    proto_int(2, 1);
    proto_str(8, "far");
    for (int i = 0; i < 3; i++) {
        proto_open(13);
        proto_str(1, pairs[i][0]);
        proto_str(2, pairs[i][1]);
        proto_close();
    }
    proto_int(14, 1);
    proto_model_end();
    return write_file(model_path, message.bytes, message.size);
}

TEST(elements_in_a_file_beside_the_model_are_taken_from_there) {
    const float values[] = {0, 3, 4};
    snprintf(folder, sizeof folder, "/tmp/tenon-onnx-XXXXXX");
    CHECK(mkdtemp(folder));
    TEST_DEFER(remove_both, NULL);
    snprintf(model_path, sizeof model_path, "%s/m.onnx", folder);
    snprintf(data_path, sizeof data_path, "%s/m.data", folder);
    CHECK(write_file(data_path, values, sizeof values));
    for (int mode = TN_FILE_MAP; mode <= TN_FILE_READ; mode++) {
        tn_file_options options = TN_FILE_OPTIONS;
        options.mode = (tn_file_mode)mode;
        CHECK(model_with_data("m.data", "4", "8"));
        tn_file *file = tn_file_open(model_path, &options);
        CHECK(file);
        tn_tensor *far = tn_file_take(file, "far");
        CHECK(far);
        CHECK_DOUBLE(tn_get_double(far, TN_DIMS(1)), 4);
    }
    CHECK(model_with_data("m.data", "8", "8"));
    CHECK_ERROR(TN_ERROR_IO, "which has 12", tn_file_open(model_path, NULL));
    CHECK(model_with_data("m.data", "0", "12"));
    CHECK_ERROR(TN_ERROR_IO, "they should be 8", tn_file_open(model_path, NULL));
    CHECK(model_with_data("none.data", "0", "8"));
    CHECK_ERROR(TN_ERROR_IO, "none.data", tn_file_open(model_path, NULL));
    CHECK(model_with_data("a/../../m.data", "0", "8"));
    CHECK_ERROR(TN_ERROR_IO, "is not the name of a file in the model's folder", tn_file_open(model_path, NULL));
    CHECK(model_with_data("/etc/passwd", "0", "8"));
    CHECK_ERROR(TN_ERROR_IO, "is not the name of a file in the model's folder", tn_file_open(model_path, NULL));
    CHECK_ERROR(TN_ERROR_IO, "a model in memory has no folder", proto_opened("onnx"));
}

TEST(nodes_of_a_graph_are_listed_whether_they_can_be_run_or_not) {
    proto_model_begin(17);
    proto_value_info(11, "x", 1);
    proto_value_info(12, "y", 1);
    proto_node("Frobnicate", "x,-,w", "h,k");
    proto_node("Relu", "h", "y");
    proto_model_end();
    tn_file *file = proto_opened("onnx");
    CHECK(file && tn_file_node_count(file) == 2);
    tn_file_node node = TN_FILE_NODE;
    CHECK(tn_file_describe_node(file, 0, &node) == TN_OK && node.input_count == 3 && node.output_count == 2);
    CHECK_TEXT(node.operation, "Frobnicate");
    CHECK_TEXT(node.domain, "");
    CHECK_TEXT(node.inputs[2], "w");
    CHECK_TEXT(node.outputs[1], "k");
    CHECK(tn_file_describe_node(file, -1, &node) == TN_OK && node.input_count == 1);
    CHECK_TEXT(node.operation, "Relu");
    CHECK_TEXT(node.inputs[0], "h");
    CHECK_ERROR(TN_ERROR_INDEX, "there is no node 2: the graph has 2", tn_file_describe_node(file, 2, &node));
    CHECK_ERROR(TN_ERROR_INDEX, "there is no node -3", tn_file_describe_node(file, -3, &node));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "begins as TN_FILE_NODE", tn_file_describe_node(file, 0, NULL));
    node.struct_size = 1;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "begins as TN_FILE_NODE", tn_file_describe_node(file, 0, &node));
    CHECK(tn_file_node_count(NULL) == -1);
    tn_error_clear();
}
