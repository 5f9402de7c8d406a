/* onnx_run.c - running ONNX models: what goes in and comes out, graphs inside graphs, values that are let go, and every way in which a model
 * can be wrong. That operators give what ONNX says is for tests/onnx/nodes.py, which runs ONNX's own tests.
 *
 * Tests: src/interchange/onnx/model.c, src/interchange/onnx/table.c, src/interchange/onnx/math.c
 * Tests: src/interchange/onnx/shape.c, src/interchange/onnx/nn.c, src/interchange/onnx/image.c
 * Tests: src/interchange/onnx/recurrence.c, src/interchange/onnx/control.c
 */
#include "onnx_helpers.h"

static tn_onnx *opened(void) {
    proto_model_end();
    return tn_onnx_open_memory(message.bytes, message.size);
}

/* y = x + w with w = (1, 2) */
static void model_add(void) {
    proto_model_begin(17);
    proto_value_info(11, "x", 1);
    proto_value_info(12, "y", 1);
    proto_floats(5, "w", 2, 0, (const float[]){1, 2});
    proto_node("Add", "x,w", "y");
}

static tn_tensor *pair(double a, double b) {
    return tn_from_memory((const float[]){(float)a, (float)b}, TN_DIMS(2), TN_FLOAT32, TN_COPY);
}

static tn_tensor *first_of(const tn_onnx *model, const tn_tensor *x) {
    const tn_tensor *inputs[] = {x};
    tn_list *made = tn_onnx_run(model, inputs, 1);
    return made ? tn_list_at(made, 0) : NULL;
}

TEST(a_model_says_what_it_takes_and_gives_and_runs_again_and_again) {
    model_add();
    tn_onnx *model = opened();
    CHECK(model);
    CHECK_INT(tn_onnx_input_count(model), 1);
    CHECK_INT(tn_onnx_output_count(model), 1);
    tn_onnx_value about = TN_ONNX_VALUE;
    CHECK(tn_onnx_input(model, 0, &about) == TN_OK);
    CHECK_TEXT(about.name, "x");
    CHECK_INT(about.dtype, TN_FLOAT32);
    CHECK(!about.has_sizes && !about.optional);
    CHECK_INT(tn_onnx_find_input(model, "x"), 0);
    CHECK_INT(tn_onnx_find_input(model, "w"), -1);
    for (int i = 0; i < 2; i++) {
        tn_tensor *x = pair(10, i);
        CHECK(x);
        tn_tensor *y = first_of(model, x);
        CHECK(y);
        CHECK_DOUBLE(tn_get_double(y, TN_DIMS(0)), 11);
        CHECK_DOUBLE(tn_get_double(y, TN_DIMS(1)), 2 + i);
    }
}

TEST(inputs_are_compared_with_what_the_model_says) {
    model_add();
    tn_onnx *model = opened();
    CHECK(model);
    tn_tensor *whole = tn_zeros(TN_DIMS(2), TN_INT64), *three = tn_zeros(TN_DIMS(3), TN_FLOAT32);
    CHECK(whole && three);
    CHECK_ERROR(TN_ERROR_DTYPE, "input \"x\" is int64; the model wants float32", first_of(model, whole));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "input 0, \"x\", is missing", tn_onnx_run(model, NULL, 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "2 inputs are given; the model has 1",
                tn_onnx_run(model, (const tn_tensor *const[]){three, three}, 2));
    CHECK_ERROR(TN_ERROR_SHAPE, "node 0, Add \"the node\"", first_of(model, three));
    tn_onnx_value about = TN_ONNX_VALUE;
    CHECK_ERROR(TN_ERROR_INDEX, "out of range", tn_onnx_input(model, 1, &about));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "model is not a model", tn_onnx_run((const tn_onnx *)(const void *)three, NULL, 0));
}

TEST(an_input_with_an_initialiser_may_be_left_out) {
    proto_model_begin(17);
    proto_value_info(11, "w", 1); /* the optional one comes last for callers, whatever its place */
    proto_value_info(11, "x", 1);
    proto_value_info(12, "y", 1);
    proto_floats(5, "w", 2, 0, (const float[]){1, 2});
    proto_node("Add", "x,w", "y");
    tn_onnx *model = opened();
    tn_tensor *x = pair(1, 1), *w = pair(5, 5);
    CHECK(model && x && w);
    CHECK_INT(tn_onnx_find_input(model, "w"), 1);
    tn_tensor *usual = first_of(model, x);
    CHECK(usual);
    CHECK_DOUBLE(tn_get_double(usual, TN_DIMS(1)), 3);
    tn_list *made = tn_onnx_run(model, (const tn_tensor *const[]){x, w}, 2);
    CHECK(made);
    CHECK_DOUBLE(tn_get_double(tn_list_at(made, 0), TN_DIMS(1)), 6);
}

TEST(outputs_share_memory_with_nothing) {
    proto_model_begin(17);
    proto_value_info(11, "x", 1);
    for (int i = 0; i < 3; i++)
        proto_value_info(12, (const char *const[]){"same", "weight", "view"}[i], 1);
    proto_floats(5, "w", 2, 0, (const float[]){1, 2});
    proto_node("Identity", "x", "same");
    proto_node("Identity", "w", "weight");
    proto_node("Identity", "same", "view");
    tn_onnx *model = opened();
    tn_tensor *x = pair(1, 2);
    CHECK(model && x);
    tn_list *made = tn_onnx_run(model, (const tn_tensor *const[]){x}, 1);
    CHECK(made);
    for (int64_t i = 0; i < 3; i++) {
        tn_tensor *y = tn_list_at(made, i);
        CHECK(!tn_is_alias_of(x, y) && !tn_is_readonly(y));
        CHECK(i == 0 || !tn_is_alias_of(tn_list_at(made, i - 1), y));
        CHECK_DOUBLE(tn_get_double(y, TN_DIMS(1)), 2);
    }
}

TEST(what_is_not_covered_is_named_with_operator_domain_opset_and_node) {
    proto_model_begin(19);
    proto_node("ImageDecoder", "x", "y");
    CHECK_ERROR(TN_ERROR_UNSUPPORTED,
                "node 0, ImageDecoder \"the node\": there is no operator ImageDecoder of domain \"ai.onnx\", opset 19",
                opened());
    proto_model_begin(19);
    proto_node_begin("Add", "x,x", "y");
    proto_str(7, "com.example");
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "there is no operator Add of domain \"com.example\"", opened());
    proto_model_begin(99);
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "opset 99", opened());
    proto_model_begin(3);
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "opset 3", opened());
}

TEST(names_that_lead_nowhere_or_in_a_circle_are_refused) {
    proto_model_begin(17);
    proto_node("Neg", "nothing", "y");
    CHECK_ERROR(TN_ERROR_ARGUMENT, "wants \"nothing\", which is not an input", opened());
    proto_model_begin(17);
    proto_node("Neg", "b", "a");
    proto_node("Neg", "a", "b");
    CHECK_ERROR(TN_ERROR_ARGUMENT, "run in a circle", opened());
    proto_model_begin(17);
    proto_node("Neg", "a", "a");
    CHECK_ERROR(TN_ERROR_ARGUMENT, "run in a circle", opened());
    proto_model_begin(17);
    proto_value_info(11, "x", 1);
    proto_node("Neg", "x", "x");
    CHECK_ERROR(TN_ERROR_ARGUMENT, "are called \"x\"", opened());
    proto_model_begin(17);
    proto_value_info(12, "y", 1);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "output 0 of graph", opened());
    proto_model_begin(17);
    proto_value_info(11, "x", 1);
    proto_node("Add", "x", "y");
    CHECK_ERROR(TN_ERROR_ARGUMENT, "it has 1 inputs; it takes 2", opened());
    proto_model_begin(17);
    proto_value_info(11, "x", 1);
    proto_node("Add", "-,x", "y");
    CHECK_ERROR(TN_ERROR_ARGUMENT, "one is left out", opened());
}

TEST(an_attribute_of_another_kind_is_told) {
    proto_model_begin(17);
    proto_value_info(11, "x", 1);
    proto_value_info(12, "y", 1);
    proto_node_begin("Softmax", "x", "y");
    proto_attribute_text("axis", "last");
    proto_close();
    tn_onnx *model = opened();
    tn_tensor *x = pair(1, 2);
    CHECK(model && x);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "attribute \"axis\" is a string; it should be an int", first_of(model, x));
}

/* ---- graphs inside */

static void attribute_graph(const char *name) {
    proto_open(5);
    proto_str(1, name);
    proto_int(20, 5);
    proto_open(6);
}

static void attribute_graph_end(void) {
    proto_close();
    proto_close();
}

TEST(a_branch_sees_the_values_around_it) {
    proto_model_begin(17);
    proto_value_info(11, "x", 1);
    proto_value_info(11, "k", 9);
    proto_value_info(12, "y", 1);
    proto_node("Neg", "x", "minus");
    proto_node_begin("If", "k", "y");
    for (int i = 0; i < 2; i++) {
        attribute_graph(i ? "else_branch" : "then_branch");
        proto_node(i ? "Exp" : "Abs", "minus", "inner");
        proto_value_info(12, "inner", 1);
        attribute_graph_end();
    }
    proto_close();
    tn_onnx *model = opened();
    tn_tensor *x = pair(2, 0), *yes = tn_ones(TN_DIMS(), TN_BOOL), *no = tn_zeros(TN_DIMS(), TN_BOOL);
    CHECK(model && x && yes && no);
    tn_list *made = tn_onnx_run(model, (const tn_tensor *const[]){x, yes}, 2);
    CHECK(made);
    CHECK_DOUBLE(tn_get_double(tn_list_at(made, 0), TN_DIMS(0)), 2);
    CHECK((made = tn_onnx_run(model, (const tn_tensor *const[]){x, no}, 2)));
    CHECK_DOUBLE(tn_get_double(tn_list_at(made, 0), TN_DIMS(1)), 1);
}

/* state *= 2 in every turn, which is gathered: state and all of them after `turns` */
static void model_loop(bool wrong) {
    proto_model_begin(17);
    proto_value_info(11, "turns", 7);
    proto_value_info(11, "x", 1);
    proto_value_info(12, "last", 1);
    proto_value_info(12, "all", 1);
    proto_node_begin("Loop", "turns,-,x", "last,all");
    attribute_graph("body");
    proto_value_info(11, "i", 7);
    proto_value_info(11, "c", 9);
    proto_value_info(11, "s", 1);
    proto_node("Identity", "c", "c2");
    proto_node("Add", wrong ? "s,i" : "s,s", "s2");
    proto_node(wrong ? "MatMul" : "Identity", wrong ? "s2,x" : "s2", "g");
    proto_value_info(12, "c2", 9);
    proto_value_info(12, "s2", 1);
    proto_value_info(12, "g", 1);
    attribute_graph_end();
    proto_close();
}

TEST(a_loop_carries_values_on_and_gathers_others) {
    model_loop(false);
    tn_onnx *model = opened();
    tn_tensor *x = pair(1, 3), *turns = tn_full(TN_DIMS(), 3, TN_INT64), *none = tn_zeros(TN_DIMS(), TN_INT64);
    CHECK(model && x && turns && none);
    tn_list *made = tn_onnx_run(model, (const tn_tensor *const[]){turns, x}, 2);
    CHECK(made);
    CHECK_DOUBLE(tn_get_double(tn_list_at(made, 0), TN_DIMS(1)), 24);
    CHECK_INT(tn_size(tn_list_at(made, 1), 0), 3);
    CHECK_DOUBLE(tn_get_double(tn_list_at(made, 1), TN_DIMS(1, 0)), 4);
    CHECK((made = tn_onnx_run(model, (const tn_tensor *const[]){none, x}, 2)));
    CHECK_DOUBLE(tn_get_double(tn_list_at(made, 0), TN_DIMS(1)), 3);
    CHECK_INT(tn_size(tn_list_at(made, 1), 0), 0);
}

TEST(an_error_inside_a_graph_names_both_nodes_and_leaves_nothing_behind) {
    model_loop(true);
    tn_onnx *model = opened();
    tn_tensor *x = tn_zeros(TN_DIMS(2, 3), TN_FLOAT32), *turns = tn_full(TN_DIMS(), 3, TN_INT64);
    CHECK(model && x && turns);
    CHECK_ERROR(TN_ERROR_SHAPE, "onnx_run: node 0, Loop \"the node\": node 2, MatMul \"the node\": self [2, 3]",
                tn_onnx_run(model, (const tn_tensor *const[]){turns, x}, 2));
}

TEST(sequences_live_inside_a_graph) {
    proto_model_begin(17);
    proto_value_info(11, "x", 1);
    proto_value_info(12, "y", 1);
    proto_value_info(12, "n", 7);
    proto_node("SequenceConstruct", "x,x", "s");
    proto_node("SequenceInsert", "s,x", "s3");
    proto_node("SequenceLength", "s3", "n");
    proto_node_begin("ConcatFromSequence", "s3", "y");
    proto_attribute_int("axis", 0);
    proto_close();
    tn_onnx *model = opened();
    tn_tensor *x = pair(1, 2);
    CHECK(model && x);
    tn_list *made = tn_onnx_run(model, (const tn_tensor *const[]){x}, 1);
    CHECK(made);
    CHECK_INT(tn_numel(tn_list_at(made, 0)), 6);
    CHECK_INT(tn_item_int64(tn_list_at(made, 1)), 3);
}

TEST(a_sequence_where_a_tensor_is_wanted_is_refused) {
    proto_model_begin(17);
    proto_value_info(11, "x", 1);
    proto_value_info(12, "y", 1);
    proto_node("SequenceConstruct", "x,x", "s");
    proto_node("Neg", "s", "y");
    tn_onnx *model = opened();
    tn_tensor *x = pair(1, 2);
    CHECK(model && x);
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "input \"s\" is a sequence", first_of(model, x));
}

/* ---- operators: one of each file, with what ONNX's tests leave out */

TEST(the_table_is_in_order_and_finds_its_own_names) {
    const char *before = "", *name;
    int64_t count = 0;
    for (; (name = tn_onnx_operator(count)); count++) {
        CHECK(strcmp(before, name) < 0);
        before = name;
    }
    CHECK(count > 180);
    CHECK(!tn_onnx_operator(-1));
}

TEST(reshape_refuses_a_zero_beyond_the_dimensions) {
    proto_model_begin(17);
    proto_value_info(11, "x", 1);
    proto_value_info(12, "y", 1);
    proto_wholes(5, "sizes", 2, (const int64_t[]){2, 0});
    proto_node("Reshape", "x,sizes", "y");
    tn_onnx *model = opened();
    tn_tensor *x = pair(1, 2);
    CHECK(model && x);
    CHECK_ERROR(TN_ERROR_SHAPE, "there are 1 dimensions", first_of(model, x));
}

TEST(a_slice_takes_the_extreme_numbers_as_ends) {
    proto_model_begin(17);
    proto_value_info(11, "x", 1);
    proto_value_info(12, "y", 1);
    proto_value_info(12, "z", 1);
    proto_wholes(5, "high", 1, (const int64_t[]){INT64_MAX});
    proto_wholes(5, "low", 1, (const int64_t[]){INT64_MIN});
    proto_wholes(5, "zero", 1, (const int64_t[]){0});
    proto_wholes(5, "back", 1, (const int64_t[]){-1});
    proto_node("Slice", "x,high,low,zero,back", "y"); /* backwards */
    proto_node("Slice", "x,zero,low,zero", "z");      /* nothing */
    tn_onnx *model = opened();
    tn_tensor *x = pair(1, 2);
    CHECK(model && x);
    tn_list *made = tn_onnx_run(model, (const tn_tensor *const[]){x}, 1);
    CHECK(made);
    CHECK_DOUBLE(tn_get_double(tn_list_at(made, 0), TN_DIMS(0)), 2);
    CHECK_INT(tn_numel(tn_list_at(made, 1)), 0);
}

TEST(windows_of_nonsense_are_refused) {
    static const int64_t huge[] = {INT64_MAX, INT64_MAX};
    proto_model_begin(17);
    proto_value_info(11, "x", 1);
    proto_value_info(12, "y", 1);
    proto_node_begin("MaxPool", "x", "y");
    proto_attribute_ints("kernel_shape", 2, huge);
    proto_close();
    tn_onnx *model = opened();
    tn_tensor *x = tn_zeros(TN_DIMS(1, 1, 4, 4), TN_FLOAT32), *flat = pair(1, 2);
    CHECK(model && x && flat);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "each should be at least 1", first_of(model, x));
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "there are windows for 1 to 3", first_of(model, flat));
}

TEST(recurrent_weights_that_do_not_fit_are_refused) {
    proto_model_begin(17);
    proto_value_info(11, "x", 1);
    proto_value_info(12, "y", 1);
    proto_node("GRU", "x,x,x", "y");
    tn_onnx *model = opened();
    tn_tensor *x = tn_zeros(TN_DIMS(1, 2, 3), TN_FLOAT32);
    CHECK(model && x);
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "do not fit a hidden_size of 3", first_of(model, x));
}

TEST(a_convolution_over_images_one_pixel_wide_is_that_of_lines) {
    proto_model_begin(17);
    proto_value_info(11, "x", 1);
    proto_value_info(11, "w", 1);
    proto_value_info(12, "y", 1);
    proto_node_begin("Conv", "x,w", "y");
    proto_attribute_ints("strides", 2, (const int64_t[]){2, 1});
    proto_attribute_ints("pads", 4, (const int64_t[]){1, 0, 2, 0}); /* uneven: the margin is added first */
    proto_close();
    tn_onnx *model = opened();
    CHECK(model);
    tn_tensor *x = tn_arange(TN_SCALAR(12), TN_FLOAT32), *w = tn_arange(TN_SCALAR(12), TN_FLOAT32);
    x = tn_reshape(x, TN_DIMS(1, 2, 6, 1));
    w = tn_reshape(w, TN_DIMS(2, 2, 3, 1));
    CHECK(x && w);
    tn_list *made = tn_onnx_run(model, (const tn_tensor *const[]){x, w}, 2);
    CHECK(made);
    tn_tensor *line = tn_constant_pad_nd(tn_squeeze_dim(x, 3), TN_DIMS(1, 2), TN_SCALAR(0));
    tn_tensor *wanted =
        tn_convolution(line, tn_squeeze_dim(w, 3), NULL, TN_DIMS(2), TN_DIMS(0), TN_DIMS(1), false, TN_DIMS(0), 1);
    CHECK(wanted);
    CHECK_INT(tn_ndim(tn_list_at(made, 0)), 4);
    CHECK_INT(tn_size(tn_list_at(made, 0), 2), 4);
    bool same = tn_equal(tn_list_at(made, 0), tn_unsqueeze(wanted, 3));
    CHECK(tn_error_code() == TN_OK);
    CHECK(same);
}

TEST(dropout_in_training_drops_and_tells_what) {
    proto_model_begin(17);
    proto_value_info(11, "x", 1);
    proto_value_info(11, "ratio", 1);
    proto_value_info(11, "training", 9);
    proto_value_info(12, "y", 1);
    proto_value_info(12, "kept", 9);
    proto_node("Dropout", "x,ratio,training", "y,kept");
    tn_onnx *model = opened();
    CHECK(model);
    tn_tensor *x = tn_ones(TN_DIMS(1000), TN_FLOAT32), *ratio = tn_full(TN_DIMS(), TN_SCALAR(0.75), TN_FLOAT32),
              *training = tn_ones(TN_DIMS(), TN_BOOL);
    CHECK(x && ratio && training);
    tn_list *made = tn_onnx_run(model, (const tn_tensor *const[]){x, ratio, training}, 3);
    CHECK(made);
    tn_tensor *wanted = tn_mul_scalar(tn_to(tn_list_at(made, 1), TN_FLOAT32), TN_SCALAR(4)),
              *sum = tn_sum(wanted, TN_DTYPE_DEFAULT);
    CHECK(sum);
    bool same = tn_equal(tn_list_at(made, 0), wanted);
    CHECK(tn_error_code() == TN_OK);
    CHECK(same);
    CHECK(tn_item_double(sum) > 600 && tn_item_double(sum) < 1400); /* a quarter of them, four times as large */
}

TEST(an_input_of_four_bits_is_no_dtype_to_cast_to) {
    proto_model_begin(21);
    proto_value_info(11, "x", 1);
    proto_value_info(11, "like", 22);
    proto_value_info(12, "y", 22);
    proto_node("CastLike", "x,like", "y");
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "there is no dtype of 4 bits", opened());
}
