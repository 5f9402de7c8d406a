/* attention_parts.h - what both passes of attention are made of: operands read into lines and panels, and products of those. */
#ifndef TNI_ATTENTION_PARTS_H
#define TNI_ATTENTION_PARTS_H

#include "iterate/attention.h"
#include "iterate/thread_memory.h"
#include "iterate/product_pack.h"
#include "kernels/table.h"

/* What is looked up once for a call. */
typedef struct tni_attention_tools {
    const tni_attention *attention;
    const tni_attention_loops *loops;
    const tni_tiles *tiles;
    tni_tile_kind kind;
    int64_t item;  /* bytes of a number that is computed with        */
    int64_t block; /* keys (or rows) that are taken at a time        */
    int64_t pitch; /* numbers of a line of scores: whole tiles of it */
} tni_attention_tools;

void tni_attention_tools_begin(tni_attention_tools *tools, const tni_attention *attention, int64_t across);

/* Bytes of a part of a set of memory, whole lines of the cache, which are added to *total; *fits becomes false where they cannot be
 * counted, which tni_attention_too_large tells. */
size_t tni_attention_bytes(size_t *total, bool *fits, int64_t rows, int64_t columns, int64_t item);
void tni_attention_too_large(const tni_attention_tools *tools);

/* Lines of a task, of `count`, where `owns` matrices have as many: enough tasks for all threads. No cut of lines shows in the bits, so
 * it may follow the threads. */
int64_t tni_attention_task(int64_t count, int64_t owns);

/* `count` up to whole tiles of columns. */
static inline int64_t tni_attention_up(const tni_attention_tools *tools, int64_t count) {
    return (count + tools->tiles->columns - 1) / tools->tiles->columns * tools->tiles->columns;
}

/* The matrix of an operand that serves a batch; matrix `own`; the batch that is number `share` of those that it serves. */
char *tni_attention_at(const tni_attention *attention, const tni_attention_operand *operand, int64_t batch);
char *tni_attention_own(const tni_attention *attention, const tni_attention_operand *operand, int64_t own);
int64_t tni_attention_owns(const tni_attention *attention, const tni_attention_operand *operand);   /* how many matrices  */
int64_t tni_attention_shares(const tni_attention *attention, const tni_attention_operand *operand); /* batches of each one */
int64_t tni_attention_batch(const tni_attention *attention, const tni_attention_operand *operand, int64_t own, int64_t share);

/* Lines from `row` on, `count` numbers each, one after the other, times `factor`. */
void tni_attention_lines(const tni_attention_tools *tools, void *lines, const tni_attention_operand *operand, const char *at,
                         int64_t row, int64_t rows, int64_t count, double factor);

/* One line: where it is, if it can be read there, or in `room`. */
const void *tni_attention_line(const tni_attention_tools *tools, void *room, const tni_attention_operand *operand,
                               const char *at, int64_t row, int64_t count);

/* And back: one line, rounded. */
void tni_attention_put(const tni_attention_tools *tools, const tni_attention_operand *operand, char *at, int64_t row,
                       const void *line, int64_t count);

/* Rows from `row` on as panels, for products with a matrix (count, rows) to the left: that is what `tni_attention_along` packs, (rows,
 * count) transposed; `tni_attention_across` packs them for (rows, count). */
void tni_attention_along(const tni_attention_tools *tools, char *panels, const tni_attention_operand *operand, const char *at,
                         int64_t row, int64_t rows, int64_t count);
void tni_attention_across(const tni_attention_tools *tools, char *panels, const tni_attention_operand *operand, const char *at,
                          int64_t row, int64_t rows, int64_t count);

/* c = a b, or c += a b, of lines a and panels b of `columns` columns, of which `wanted` are. */
typedef struct tni_attention_product {
    const void *a;
    bool turned; /* lines are the columns of a */
    int64_t a_pitch, rows, k;
    const char *panels;
    int64_t panel_depth; /* that the panels were packed for: k or more */
    int64_t panel_from;  /* where k begins in them                     */
    int64_t columns, wanted;
    void *c;
    int64_t c_pitch;
    bool adds;
} tni_attention_product;
void tni_attention_multiply(const tni_attention_tools *tools, const tni_attention_product *product);

/* What is added to a line of scores: from (row, key) on, along keys, or (by_keys) along rows. NULL: nothing. `line` is room for it. */
const void *tni_attention_added(const tni_attention_tools *tools, const char *at, int64_t row, int64_t key, int64_t count,
                                bool by_keys, void *line);

/* What such a line of weights is multiplied by: 0 for those that are dropped. */
void tni_attention_factors(const tni_attention_tools *tools, int64_t batch, int64_t row, int64_t key, int64_t count,
                           bool by_keys, void *line);

#endif
