/* resample_plane.h - the loops of resampling: from a plane of up to three dimensions to one of other sizes.
 *
 * Along each dimension element o of the result is a sum of `taps` elements of the plane, at index[t * out + o], times weight[t * out + o]: one for
 * nearest, two for linear, four for cubic, more where an antialiasing filter is wide. Dimensions are done one after the other, rows first; a row
 * that was resampled is kept for the next rows of the result that need it, and so is a plane of a volume.
 */
#ifndef TNI_RESAMPLE_PLANE_H
#define TNI_RESAMPLE_PLANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TNI_RESAMPLE_AXES = 3 };

typedef struct tni_resample_axis {
    int64_t in, out, taps;
    const int32_t *index; /* (taps, out); those of one o are neighbours, or the same */
    const void *weight;   /* (taps, out), of the dtype that is computed in           */
    bool same;            /* the elements are those of the plane                     */
} tni_resample_axis;

typedef struct tni_resample {
    tni_resample_axis axis[TNI_RESAMPLE_AXES]; /* the last one is a row in memory; fewer dimensions begin with sizes of 1 */
    bool bytes;                                /* after each dimension elements are rounded to whole numbers from 0 to 255 */
    bool skips;                                /* a weight of 0 stands for an element that is not there                  */
} tni_resample;

/* What `scratch` has room for, in bytes: rows that are kept, and which they are; and with them planes, or a row of the gradient. */
static inline size_t tni_resample_rows(const tni_resample *r) {
    return (size_t)r->axis[1].taps * (16 + 8 * (size_t)r->axis[2].out);
}
static inline size_t tni_resample_scratch(const tni_resample *r) {
    size_t planes =
        (size_t)r->axis[0].taps * (16 + (r->axis[0].same ? 0 : 8 * (size_t)r->axis[1].out * (size_t)r->axis[2].out));
    return tni_resample_rows(r) + planes + 8 * (size_t)r->axis[2].in;
}

/* out: a plane of the sizes `out`; (back) the other way, out: the gradient of the plane, in: that of the result. */
typedef void (*tni_resample_function)(const tni_resample *resample, void *out, const void *in, void *scratch);

/* ---- grid_sample: elements at any places of a plane, the same places in many planes */

typedef enum tni_grid_mode { TNI_GRID_LINEAR = 0, TNI_GRID_NEAREST = 1, TNI_GRID_CUBIC = 2 } tni_grid_mode;
typedef enum tni_grid_padding { TNI_GRID_ZEROS = 0, TNI_GRID_BORDER = 1, TNI_GRID_REFLECTION = 2 } tni_grid_padding;

typedef struct tni_grid {
    int64_t spatial, sizes[TNI_RESAMPLE_AXES]; /* of a plane: depth, height, width, the last two where there are two    */
    int64_t planes, points;                    /* channels; places in each                                            */
    tni_grid_mode mode;
    tni_grid_padding padding;
    bool align_corners;
    bool elements; /* places count elements already, instead of going from -1 to 1 */
} tni_grid;

/* out: (planes, points), in: (planes, sizes), or the channels last: (points, planes), (sizes, planes); grid: (points, spatial) from -1 to 1,
 * the width first. Planes have fewer than 2^31 elements, and cubic sampling wants the channels last. Back: the gradients of in and of grid, each if it
 * is not NULL, from grad (points, planes); the channels of in and of its gradient are last. A size is at most TNI_GRID_LONGEST. */
enum { TNI_GRID_LONGEST = INT32_MAX - 1024 };
typedef void (*tni_grid_function)(const tni_grid *grid, void *out, const void *in, const void *places);
typedef void (*tni_grid_back_function)(const tni_grid *grid, void *grad_in, void *grad_grid, const void *grad, const void *in,
                                       const void *places);

#endif
