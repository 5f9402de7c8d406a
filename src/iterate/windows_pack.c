/* windows_pack.c - windows of images as panels.
 *
 * A panel is cut into rectangles: a run of positions that differ only in their last index, beside a run of taps that do. In a rectangle
 * both lie at fixed steps in memory, so it is copied (or transposed, or converted) like a part of any matrix. A run that reaches
 * beyond an edge of the image is shortened, and the rest are zeros; a run that lies beside the image is zeros altogether. As taps end
 * with the channels, one look at the edges serves many of them.
 */
#include "iterate/windows_pack.h"

#include "kernels/blocks.h"

/* The index at place `at` of an axis, and how many places follow in its last dimension (with it). */
static int64_t windows_unravel(const int64_t sizes[TNI_WINDOW_AXIS], int64_t at, int64_t index[TNI_WINDOW_AXIS]) {
    for (int d = TNI_WINDOW_AXIS; d-- > 0; at /= sizes[d])
        index[d] = at % sizes[d];
    return sizes[TNI_WINDOW_AXIS - 1] - index[TNI_WINDOW_AXIS - 1];
}

/* On to the next run. */
static void windows_advance(const int64_t sizes[TNI_WINDOW_AXIS], int64_t index[TNI_WINDOW_AXIS]) {
    index[TNI_WINDOW_AXIS - 1] = 0;
    for (int d = TNI_WINDOW_AXIS - 1; d-- > 0 && ++index[d] == sizes[d];)
        index[d] = 0;
}

static void windows_zero(char *panel, int64_t width, int64_t item, int64_t count, int64_t depth) {
    for (int64_t p = 0; p < depth; p++)
        memset(panel + p * width * item, 0, (size_t)(count * item));
}

/* Of `run` positions along w, whose tap is at `first`, first + step, ..., the part [begin, end) whose tap lies in the image. */
static void windows_clip(int64_t first, int64_t step, int64_t size, int64_t run, int64_t *begin, int64_t *end) {
    *begin = first >= 0 ? 0 : tni_min_i64(run, (-first + step - 1) / step);
    *end = first >= size ? 0 : tni_min_i64(run, (size - 1 - first) / step + 1);
    if (*end < *begin)
        *end = *begin;
}

typedef struct windows_panel {
    const tni_windows *windows;
    tni_tile_kind kind;
    const char *data; /* of the group */
    char *panel;
    int64_t width, item, element;
} windows_panel;

/* A run of positions beside a run of taps, whose place in the panel is `at`. */
static void windows_rectangle(const windows_panel *to, const int64_t position[TNI_WINDOW_AXIS], int64_t positions,
                              const int64_t tap[TNI_WINDOW_AXIS], int64_t taps, char *at) {
    const tni_windows *windows = to->windows;
    bool turned = windows->over_positions, beside = false; /* taps are across; the window is beside the image */
    int64_t place = position[0] * windows->x.image + tap[3] * windows->x.channel, begin = 0, end = positions;
    for (int d = 0; d < TNI_WINDOW_DIMS; d++) {
        int64_t index = windows->x.origin[d] + position[d + 1] * windows->x.step[d] + tap[d] * windows->x.tap_step[d];
        if (d == TNI_WINDOW_DIMS - 1)
            windows_clip(index, windows->x.step[d], windows->x.sizes[d], positions, &begin, &end);
        else if (index < 0 || index >= windows->x.sizes[d])
            beside = true;
        place += index * windows->x.strides[d];
    }
    if (beside || end <= begin)
        begin = end = 0;
    int64_t next = turned ? to->width * to->item : to->item; /* from a position to the next in the panel */
    if (begin > 0)
        windows_zero(at, to->width, to->item, turned ? taps : begin, turned ? begin : taps);
    if (end < positions)
        windows_zero(at + end * next, to->width, to->item, turned ? taps : positions - end, turned ? positions - end : taps);
    if (end == begin)
        return;
    int64_t step = windows->x.step[TNI_WINDOW_DIMS - 1] * windows->x.strides[TNI_WINDOW_DIMS - 1];
    int64_t along_positions = step * to->element, along_taps = windows->x.channel * to->element;
    if (!turned && windows->x.dtype == windows->compute && (to->kind == TNI_TILE_FLOAT32 || to->kind == TNI_TILE_FLOAT64) &&
        (along_taps != to->element || taps == 1)) { /* rows of the image */
        tni_kernels()->window_rows[to->kind == TNI_TILE_FLOAT64](at + begin * next, to->width * to->item,
                                                                 to->data + (place + begin * step) * to->element, step,
                                                                 along_taps, end - begin, taps);
        return;
    }
    tni_panel_source source = {to->data + (place + begin * step) * to->element, turned ? along_taps : along_positions,
                               turned ? along_positions : along_taps, windows->x.dtype, false};
    tni_panel_part(to->kind, at + begin * next, to->width, &source, turned ? taps : end - begin, turned ? end - begin : taps);
}

static bool windows_taps_merge(const tni_windows *windows) {
    return !windows->over_positions && windows->taps[TNI_WINDOW_DIMS - 1] > 1 &&
           windows->x.tap_step[TNI_WINDOW_DIMS - 1] * windows->x.strides[TNI_WINDOW_DIMS - 1] ==
               windows->taps[TNI_WINDOW_DIMS] * windows->x.channel;
}

/* Whether every tap along w lies in the image, for a run of positions. */
static bool windows_lie_inside(const tni_windows *windows, const int64_t position[TNI_WINDOW_AXIS], int64_t run) {
    int last = TNI_WINDOW_DIMS - 1;
    int64_t first = windows->x.origin[last] + position[last + 1] * windows->x.step[last];
    int64_t far = windows->x.tap_step[last] * (windows->taps[last] - 1), end = first + (run - 1) * windows->x.step[last];
    return first + tni_min_i64(far, 0) >= 0 && end + tni_max_i64(far, 0) < windows->x.sizes[last];
}

void tni_windows_pack(const tni_windows *windows, tni_tile_kind kind, bool second, int64_t group, char *panel, int64_t width,
                      int64_t across, int64_t count, int64_t along, int64_t depth) {
    int64_t item = (int64_t)tni_panel_item(kind), element = (int64_t)tni_dtype_size(windows->x.dtype);
    const char *image = windows->x.data; /* an image without elements has no address to move on */
    windows_panel to = {windows, kind, image ? image + group * windows->x.group * element : NULL, panel, width, item, element};
    tni_windows merged =
        *windows; /* taps that follow the channels of the one before, as where channels are last, are one run */
    merged.taps[TNI_WINDOW_DIMS - 1] = 1;
    merged.taps[TNI_WINDOW_DIMS] *= windows->taps[TNI_WINDOW_DIMS - 1];
    bool turned = windows->over_positions, merges = windows_taps_merge(windows);
    const int64_t *across_sizes = turned ? windows->taps : windows->positions;
    const int64_t *along_sizes = turned ? windows->positions : windows->taps;
    if (depth == 0) /* and there may be no taps at all */
        return;
    int64_t i[TNI_WINDOW_AXIS], first[TNI_WINDOW_AXIS], p[TNI_WINDOW_AXIS];
    int64_t many = windows_unravel(across_sizes, across, i), first_deep = windows_unravel(along_sizes, along, first);
    for (int64_t done = 0, run; done < count; done += run) {
        run = tni_min_i64(many, count - done);
        memcpy(p, first, sizeof p);
        int64_t deep = first_deep;
        to.windows = windows;
        if (merges && windows_lie_inside(windows, i, run)) {
            to.windows = &merged;
            along_sizes = merged.taps;
            deep = windows_unravel(along_sizes, along, p);
        } else if (merges) {
            along_sizes = windows->taps;
        }
        for (int64_t down = 0, steps; down < depth; down += steps) {
            steps = tni_min_i64(deep, depth - down);
            char *at = panel + (down * width + done) * item;
            if (turned)
                windows_rectangle(&to, p, steps, i, run, at);
            else
                windows_rectangle(&to, i, run, p, steps, at);
            windows_advance(along_sizes, p);
            deep = along_sizes[TNI_WINDOW_AXIS - 1];
        }
        windows_advance(across_sizes, i);
        many = across_sizes[TNI_WINDOW_AXIS - 1];
    }
    tni_panel_complete(kind, second, false, panel, width, count, depth);
}

void tni_windows_pack_lines(const tni_windows *windows, tni_tile_kind kind, bool second, int64_t group, char *panel,
                            int64_t width, int64_t line, int64_t count, int64_t along, int64_t depth) {
    int64_t item = (int64_t)tni_panel_item(kind), element = (int64_t)tni_dtype_size(windows->y.dtype);
    const int64_t *sizes = windows->over_positions ? windows->positions : windows->taps;
    if (depth == 0) /* there may be no memory at all */
        return;
    const char *data = (const char *)windows->y.data + (group * windows->y.group + line * windows->y.line) * element;
    int64_t p[TNI_WINDOW_AXIS], deep = windows_unravel(sizes, along, p);
    for (int64_t down = 0, steps; down < depth; down += steps) {
        steps = tni_min_i64(deep, depth - down);
        int64_t place = 0;
        for (int d = 0; d < TNI_WINDOW_AXIS; d++)
            place += p[d] * windows->y.along[d];
        tni_panel_source source = {data + place * element, windows->y.line * element,
                                   windows->y.along[TNI_WINDOW_AXIS - 1] * element, windows->y.dtype, false};
        tni_panel_part(kind, panel + down * width * item, width, &source, count, steps);
        windows_advance(sizes, p);
        deep = sizes[TNI_WINDOW_AXIS - 1];
    }
    tni_panel_complete(kind, second, false, panel, width, count, depth);
}
