/* index_engine.h - elements picked by position: the one loop behind x[rows], gather, scatter, index_add, take, put and the
 * others.
 *
 * Three sides have the same sizes and strides of their own: `picked`, the tensor that positions point into; `other`, what is
 * read from it or written to it; `index`, the positions. The element of `picked` that belongs to a place is
 *
 *     picked + place . picked_strides + index[place] * scale
 *
 * so picked_strides is 0 in the dimensions where only the position decides. gather has a position for every element;
 * index_select is gather with positions that repeat (stride 0) in all dimensions but one.
 */
#ifndef TNI_INDEX_ENGINE_H
#define TNI_INDEX_ENGINE_H

#include <tenon/backend.h>

#include "kernels/table.h"
#include "tensor/tensor.h"

typedef enum tni_pick_mode {
    TNI_PICK_READ = 0, /* other = picked                                                                           */
    TNI_PICK_WRITE,    /* picked = other; where several meet, the last in row-major order stays                    */
    TNI_PICK_ADD,      /* picked += other, and so on: several at one place are taken in row-major order, so the    */
    TNI_PICK_MULTIPLY, /* bits are the same for any number of threads. Only for dtypes of tni_pick_wide.           */
    TNI_PICK_MAXIMUM,
    TNI_PICK_MINIMUM,
    TNI_PICK_LIST, /* other, which is int64, += the offset in bytes; picked is not touched                     */
    TNI_PICK_CHECK /* nothing is touched                                                                       */
} tni_pick_mode;

typedef struct tni_pick {
    tni_pick_mode mode;
    tn_dtype dtype; /* of picked and other */
    char *picked, *other;
    const char *index;
    int64_t scale;        /* bytes from one position to the next                                   */
    int64_t limit;        /* positions are below                                                   */
    int64_t dim;          /* the dimension they point into: for the message; -1: all of them, flat */
    tn_dtype index_dtype; /* any integer dtype                                                     */
    bool wrap;            /* negative positions count from the end                                 */
    bool ready;           /* index holds offsets in bytes, int64, that have been checked, or none  */
    bool element;         /* other is one element, of the CPU                                      */
    tn_device device;     /* of everything else                                                    */
    int64_t ndim;
    /* one each for a dimension; strides in bytes */
    int64_t sizes[TN_MAX_DIMS], picked_strides[TN_MAX_DIMS], other_strides[TN_MAX_DIMS], index_strides[TN_MAX_DIMS];
} tni_pick;

/* Carries it out. Positions that are out of range are found before the first write to `picked`: TN_ERROR_INDEX; what was read
 * into `other` must then be thrown away, unless the positions have been checked first. picked does not overlap itself, other,
 * or index. */
tn_error tni_pick_run(tni_pick *pick);

/* The same in two steps, for operators with several runs: prepare finds all errors and takes the memory; finish, which releases
 * it, cannot fail in the modes that write. */
tn_error tni_pick_prepare(tni_pick *pick, tn_tensor **offsets);
tn_error tni_pick_finish(const tni_pick *pick, tn_tensor *offsets);

/* Check only the positions. */
tn_error tni_pick_check(const tni_pick *pick);

/* The dtype that sums, products and extremes of a dtype are formed in: float32 for the small floats, int64 for integers and
 * bool. A dtype without a sum (the 8-bit floats): TN_DTYPE_DEFAULT. */
tn_dtype tni_pick_wide(tn_dtype dtype, tni_pick_mode mode);

/* ---- kernels (index_loops.c) */

/* The loop of a mode; NULL for those that have none. */
tni_pick_function tni_pick_loop_of(tni_pick_mode mode, tn_dtype dtype);

/* Positions become offsets. False when one is out of range. */
bool tni_pick_load(const tni_pick *pick, const char *index, int64_t stride, int64_t count, int64_t *offsets);

/* Whether positions can be used as they are, times the scale: none is negative or out of range. */
bool tni_pick_fits(const tni_pick *pick, const int64_t *positions, int64_t count);

/* One position as a number; those above the range of int64 become its largest. */
int64_t tni_position_load(tn_dtype dtype, const char *index);

/* ---- as jobs (index_job.c) */

/* Give it to its device, which is not the CPU; without sizes of 0. checked: no position is out of range. */
tn_error tni_pick_elsewhere(const tni_pick *pick, bool checked);

/* The other way: an index job over memory that the CPU can address. */
tn_error tni_index_run_job(const tn_job *job);

/* ---- building them */

/* The elements of `picked` along `dim` that `index` names. each: it has a position for every element, sizes are those of
 * index; else it has one dimension at most, and sizes are those of picked with `dim` as long as index. The other side must be
 * set with one of the two below. picked may have no dimensions, and then counts as having one. */
void tni_pick_along(tni_pick *pick, tni_pick_mode mode, const tn_tensor *picked, int64_t dim, const tn_tensor *index,
                    bool each);
void tni_pick_other(tni_pick *pick, const tn_tensor *other); /* at least as large as the sizes */
void tni_pick_element(tni_pick *pick, const void *element);  /* one element, again and again    */

/* Whether a tensor holds positions: any integer dtype. Raises, naming the argument, when not. */
bool tni_is_index(const tn_tensor *index, const char *argument);

/* `operand` itself, retained, or a copy of it where it shares memory with `self`, which will be written. */
tn_tensor *tni_pick_apart(const tn_tensor *self, const tn_tensor *operand);

/* What was made, or NULL (released) when writing it failed. */
tn_tensor *tni_pick_kept(tn_tensor *made, tn_error code);

#endif
