/* index_picks.h - an index with tensors or conditions among its items, as a view and positions in it.
 *
 * First the items that select a view are applied (ops/view/index.c), with every tensor standing for whole dimensions and every condition
 * for a new axis. The rest is a list of picks: some dimensions of that view, and the positions wanted there. Masks become
 * positions, all positions are broadcast to one shape, and that shape takes the place of the picked dimensions; the rest is
 * index_engine.c.
 *
 *     tni_picks plan;
 *     tni_picks_begin(&plan);
 *     if (tni_picks_read(&plan, self, index) && tni_picks_finish(&plan)) ... plan.pick, plan.sizes ...
 *     tni_picks_end(&plan);
 */
#ifndef TNI_INDEX_PICKS_H
#define TNI_INDEX_PICKS_H

#include <tenon/index.h>

#include "ops/index/index_engine.h"

typedef struct tni_picks_item {
    const tn_tensor *tensor; /* NULL for a condition */
    bool is_mask, truth;
    int64_t dim, dims;  /* of the view: the first one and how many          */
    tn_tensor *offsets; /* of a mask: in bytes, where it is true            */
    int64_t item;       /* its number in the index, for messages            */
    int64_t of_self;    /* the dimension of self, also for messages         */
} tni_picks_item;

typedef struct tni_picks {
    tn_tensor *view, *list; /* list: offsets the pick reads, where it made some            */
    int64_t pick_count, shape_count, ndim;
    int64_t place;              /* where the shape is in the result                                             */
    int64_t first;              /* of the view, counted from the lowest element of self                         */
    bool elements;              /* distances in the view are counted in elements instead of bytes               */
    bool quiet;                 /* the index was read before: warnings have been given                          */
    int64_t shape[TN_MAX_DIMS]; /* the common shape of the positions        */
    int64_t sizes[TN_MAX_DIMS]; /* of the result                            */
    tni_picks_item picks[2 * TN_MAX_DIMS];
    tni_pick pick;
} tni_picks;

void tni_picks_begin(tni_picks *plan);
void tni_picks_end(tni_picks *plan);

/* From items to a view and picks; false, raised, for what does not fit self. Picks may be none: then the view is all. */
bool tni_picks_read(tni_picks *plan, const tn_tensor *self, tn_index_list index);

/* The rest of it: positions, shape and pick. There are picks. */
bool tni_picks_finish(tni_picks *plan);

/* Where there are none: the view itself is what is picked. */
bool tni_picks_whole(tni_picks *plan);
void tni_picks_sizes_of_view(tni_picks *plan);

/* Parts of finish, for what does without positions (the meta device): the shape they have in common, and where it stands. */
bool tni_picks_broadcast(tni_picks *plan);
bool tni_picks_place(tni_picks *plan);

/* Whether the index is one mask over everything; whether a mask has the sizes of the dimensions it stands for. */
bool tni_picks_is_mask(const tni_picks *plan);
bool tni_picks_mask_fits(const tni_picks *plan, const tni_picks_item *pick);

/* Raises, for a mask on the meta device; false. */
bool tni_picks_hollow_mask(const tn_tensor *mask, int64_t item);

/* Whether the device of self can be asked, and the tensors that go with self are there too; raised where not. */
bool tni_picks_are_there(const tn_tensor *self, tn_index_list index, const tn_tensor *values);

#endif
