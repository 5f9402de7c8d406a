/* rows_view.c - making and dropping a view: a tensor object, a few numbers, one more reference to a storage. */
#include "bench.h"

#define TORCH_CPP_SETUP "using namespace at::indexing; auto x = at::ones({8, 16, 32});"
#define TORCH_SETUP "x = torch.ones(8, 16, 32)"
#define NUMPY_SETUP "x = np.ones((8, 16, 32), np.float32)"

static void cube(bench_inputs *inputs) { inputs->a = tn_ones(TN_DIMS(8, 16, 32), TN_FLOAT32); }

static void row(bench_inputs *inputs) { inputs->a = tn_ones(TN_DIMS(1, 16, 32), TN_FLOAT32); }

/* One function for each view; `x` is the tensor. */
#define VIEW_RUN(name, call)                                                                                                   \
    static void name(bench_inputs *inputs, int64_t times) {                                                                    \
        const tn_tensor *x = inputs->a;                                                                                        \
        for (; times > 0; times--)                                                                                             \
            tn_release(call);                                                                                                  \
    }

VIEW_RUN(view_transpose, tn_transpose(x, 0, 1))
VIEW_RUN(view_permute, tn_permute(x, TN_DIMS(2, 0, 1)))
VIEW_RUN(view_slice, tn_slice(x, 1, 2, 10, 1))
VIEW_RUN(view_select, tn_select(x, 0, 3))
VIEW_RUN(view_index, tn_index(x, TN_RANGE(1, 5), TN_ELLIPSIS, TN_AT(2)))
VIEW_RUN(view_index_text, tn_index_text(x, "1:5, ..., 2"))
VIEW_RUN(view_reshape, tn_reshape(x, TN_DIMS(16, 8, 32)))
VIEW_RUN(view_view, tn_view(x, TN_DIMS(128, 32)))
VIEW_RUN(view_unsqueeze, tn_unsqueeze(x, 1))
VIEW_RUN(view_expand, tn_expand(x, TN_DIMS(8, 16, 32)))

#define VIEW_ROW(title, setup_, run_, limit_target, cpp, python, numpy_code)                                                   \
    {                                                                                                                          \
        .name = title, .setup = setup_, .run = run_, .limit = BENCH_LIMIT_MALLOC, .target = limit_target,                      \
        .torch_cpp = {TORCH_CPP_SETUP, cpp}, .torch = {TORCH_SETUP, python}, .numpy = {                                        \
            NUMPY_SETUP,                                                                                                       \
            numpy_code                                                                                                         \
        }                                                                                                                      \
    }

const bench_workload bench_rows_view[] = {
    VIEW_ROW("transpose view", cube, view_transpose, 3.0, "x.transpose(0, 1)", "x.transpose(0, 1)", "x.swapaxes(0, 1)"),
    VIEW_ROW("permute view", cube, view_permute, 3.0, "x.permute({2, 0, 1})", "x.permute(2, 0, 1)", "x.transpose(2, 0, 1)"),
    VIEW_ROW("slice view", cube, view_slice, 3.0, "x.slice(1, 2, 10, 1)", "x[:, 2:10]", "x[:, 2:10]"),
    VIEW_ROW("select view", cube, view_select, 3.0, "x.select(0, 3)", "x.select(0, 3)", "x[3]"),
    VIEW_ROW("index view [1:5 ... 2]", cube, view_index, 3.0, "x.index({Slice(1, 5), Ellipsis, 2})", "x[1:5, ..., 2]",
             "x[1:5, ..., 2]"),
    VIEW_ROW("index view from text", cube, view_index_text, 0, NULL, NULL, NULL),
    VIEW_ROW("reshape view", cube, view_reshape, 3.0, "x.reshape({16, 8, 32})", "x.reshape(16, 8, 32)", "x.reshape(16, 8, 32)"),
    VIEW_ROW("view view", cube, view_view, 3.0, "x.view({128, 32})", "x.view(128, 32)", "x.reshape(128, 32)"),
    VIEW_ROW("unsqueeze view", cube, view_unsqueeze, 3.0, "x.unsqueeze(1)", "x.unsqueeze(1)", "x[:, None]"),
    {.name = "expand view",
     .setup = row,
     .run = view_expand,
     .limit = BENCH_LIMIT_MALLOC,
     .target = 3.0,
     .torch_cpp = {"auto x = at::ones({1, 16, 32});", "x.expand({8, 16, 32})"},
     .torch = {"x = torch.ones(1, 16, 32)", "x.expand(8, 16, 32)"},
     .numpy = {"x = np.ones((1, 16, 32), np.float32)", "np.broadcast_to(x, (8, 16, 32))"}},
    {.name = NULL},
};
