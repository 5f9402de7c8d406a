/* tour_data.c - the chapters of the tour about operators that look at many elements to make one, or draw them. */
#include <stdio.h>

#include "tour.h"

bool tour_many(void) {
    terminal_text("Reductions, sorting and indexing have PyTorch's names and its rules for ties, NaN and empty tensors. Where "
                  "there are two results, they come as a list.");
    tn_tensor *x = tn_from_text("[[3, 1, 2], [9, 7, 8]]", TN_FLOAT32);
    terminal_code("tn_tensor *x = tn_from_text(\"[[3, 1, 2], [9, 7, 8]]\", TN_FLOAT32);");
    terminal_code("tn_mean_dim(x, TN_DIMS(0), false, TN_DTYPE_DEFAULT)");
    if (!tour_show_elements(tn_mean_dim(x, TN_DIMS(0), false, TN_DTYPE_DEFAULT)))
        return false;
    terminal_code("tn_list *sorted = tn_sort(x, 1, false);            /* values and indices */");
    tn_list *sorted = tn_sort(x, 1, false);
    if (!tour_show_elements(tn_list_at(sorted, 0)) || !tour_show_elements(tn_list_at(sorted, 1)))
        return false;
    terminal_code("tn_index(x, TN_ALL, TN_PICK(tn_from_text(\"[2, 0]\", TN_INT64)))     /* x[:, [2, 0]] */");
    if (!tour_show_elements(tn_index(x, TN_ALL, TN_PICK(tn_from_text("[2, 0]", TN_INT64)))))
        return false;
    terminal_code("tn_index(x, TN_PICK(tn_gt_scalar(x, 2)))                           /* x[x > 2]     */");
    return tour_show_elements(tn_index(x, TN_PICK(tn_gt_scalar(x, 2))));
}

bool tour_random(void) {
    terminal_text("A seed gives the numbers it gives in PyTorch. A Philox generator gives the same numbers for any number of "
                  "threads and any strides, and is faster.");
    terminal_code("tn_manual_seed(0); tn_rand(TN_DIMS(4), TN_FLOAT32, NULL)             /* as torch.rand(4) */");
    if (tn_manual_seed(0) != TN_OK || !tour_show_elements(tn_rand(TN_DIMS(4), TN_FLOAT32, NULL)))
        return false;
    terminal_code("tn_generator *fast = tn_generator_new(TN_PHILOX, 7);");
    tn_generator *fast = tn_generator_new(TN_PHILOX, 7), *again = tn_generator_new(TN_PHILOX, 7);
    tn_tensor *rows = tn_empty(TN_DIMS(100, 200), TN_FLOAT32), *columns = tn_t(tn_empty(TN_DIMS(200, 100), TN_FLOAT32));
    terminal_code("tn_normal_(rows, 0, 1, fast); tn_normal_(columns, 0, 1, again);");
    if (!rows || !columns || !tn_normal_(rows, 0, 1, fast) || !tn_normal_(columns, 0, 1, again))
        return false;
    tour_show_geometry("rows", rows);
    tour_show_geometry("columns", columns);
    terminal_fact("tn_equal(rows, columns)", "%s", tn_equal(rows, columns) ? "yes" : "no");
    return tn_error_code() == TN_OK;
}
