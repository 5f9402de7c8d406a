/* kmeans.c - k-means clustering in a dozen operators: random numbers, distances, reductions, sorting, indexing.
 *
 * 600 points around three centres are drawn with a Philox generator, so every machine and thread count gets the same ones;
 * Lloyd's algorithm finds the centres again.
 */
#include <stdio.h>
#include <tenon/tenon.h>

enum { POINTS = 600, CLUSTERS = 3 };

/* Points drawn evenly from squares around the rows of `around`, one square after the other. */
static tn_tensor *draw_points(const tn_tensor *around, tn_generator *generator) {
    tn_tensor *owner = tn_floor_divide_scalar(tn_arange(POINTS, TN_INT64), POINTS / CLUSTERS);
    tn_tensor *noise = tn_sub_scalar(tn_rand(TN_DIMS(POINTS, 2), TN_FLOAT32, generator), 0.5);
    return tn_add(tn_index_select(around, 0, owner), noise);
}

/* The cluster of each point: that of the nearest centre. */
static tn_tensor *assign(const tn_tensor *points, const tn_tensor *centres) {
    return tn_argmin(tn_cdist(points, centres, 2), 1, false);
}

/* The mean of the points of each cluster: sums by index_add, over counts by bincount. */
static tn_tensor *means(const tn_tensor *points, const tn_tensor *owner) {
    tn_tensor *sums = tn_index_add(tn_zeros(TN_DIMS(CLUSTERS, 2), TN_FLOAT32), 0, owner, points, 1);
    tn_tensor *counts = tn_bincount(owner, NULL, CLUSTERS);
    return tn_div(sums, tn_unsqueeze(counts, 1));
}

int main(void) {
    tn_scope scope = tn_scope_open();
    tn_tensor *truth = tn_from_text("[[0, 0], [4, 1], [1, 5]]", TN_FLOAT32);
    tn_tensor *points = draw_points(truth, tn_generator_new(TN_PHILOX, 2026));

    tn_tensor *centres = tn_index(points, TN_RANGE(0, CLUSTERS)); /* all of the first square, to begin with */
    tn_tensor *owner = assign(points, centres);
    int64_t rounds = 0;
    for (bool moved = true; moved && owner; rounds++) {
        tn_tensor *next = assign(points, centres = means(points, owner));
        moved = !tn_equal(next, owner) && tn_error_code() == TN_OK;
        owner = next;
    }

    tn_tensor *found = tn_round_decimals(centres, 1);
    tn_tensor *spread = tn_std_dim(tn_sub(points, tn_index(centres, TN_PICK(owner))), TN_DIMS(0), true, false);
    if (found && spread) {
        printf("%d points, %d clusters, done after %d rounds\n", POINTS, CLUSTERS, (int)rounds);
        tn_print(found, stdout);
        printf("spread %.2f and %.2f\n", tn_get_double(spread, TN_DIMS(0)), tn_get_double(spread, TN_DIMS(1)));
    } else
        fprintf(stderr, "%s\n", tn_error_message());
    bool failed = !found || !spread;
    tn_scope_close(scope);
    return failed;
}
