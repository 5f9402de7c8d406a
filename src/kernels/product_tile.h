/* product_tile.h - the inner loops of matrix products, as the table has them.
 *
 * A tile is a few rows and two vectors (or one) of columns of C, whose sums are in registers while the loop runs along k:
 *
 *     for p in k: for i in rows: sum[i] += a[i, p] * b[p]          b[p] is two vectors, a[i, p] one number
 *
 * Each sum has one accumulator, from the first p to the last, so a tile gives the same bits whatever its size and however A is read.
 * B is read where it is, if columns are next to each other, or from a panel that was packed (iterate/product_pack.c): `columns`
 * numbers for each p. A likewise: either rows are next to each other (a packed panel, or a matrix that is stored by columns), or
 * columns.
 *
 * Complex numbers are pairs in A and in C, but in a panel of B all real parts of a row come before all imaginary parts. Products of 8-bit
 * integers take two p at a time: panels hold pairs of 16-bit integers.
 */
#ifndef TNI_PRODUCT_TILE_H
#define TNI_PRODUCT_TILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum tni_tile_kind {
    TNI_TILE_FLOAT32 = 0,
    TNI_TILE_FLOAT64,
    TNI_TILE_COMPLEX64,
    TNI_TILE_COMPLEX128,
    TNI_TILE_INT32,
    TNI_TILE_INT64,
    TNI_TILE_INT8, /* sums are int32 */
    TNI_TILE_KINDS
} tni_tile_kind;

enum { TNI_TILE_ROWS = 8, TNI_TILE_BYTES = 2048 }; /* at most: rows of a tile; bytes of its sums */

/* c = a b, or (adds) c += a b. Steps are in numbers: a_step from one p to the next where rows are next to each other, else from a row to
 * the next; b_step from one p to the next; c_row from a row to the next. Complex numbers count as two, pairs of 16 bits as one. */
typedef void (*tni_tile_function)(int64_t k, const void *a, int64_t a_step, const void *b, int64_t b_step, void *c,
                                  int64_t c_row, bool adds);

/* c = a b of matrices that are read in place, `columns` of them: more than one vector has, but not two ([0]), or not one ([1]). */
typedef void (*tni_part_function)(int64_t k, const void *a, int64_t a_row, const void *b, int64_t b_step, void *c,
                                  int64_t c_row, int64_t columns);

/* Dot products: c[i, j] = [c[i, j] +] the sum over p of a[i, p] b[j, p], where p are next to each other in both. */
typedef void (*tni_dots_function)(int64_t k, const void *a, int64_t a_row, const void *b, int64_t b_row, void *c, int64_t c_row,
                                  bool adds);

/* Panels (iterate/product_pack.h) of a matrix that needs no conversion, of `pitch` bytes a step. From rows across k, of so many bytes
 * for each of some panels that are `size` bytes apart, and `along` bytes from one to the next; or one panel from `count` lines that run
 * along k, `across` bytes from one to the next, which are transposed. */
typedef void (*tni_panel_rows_function)(char *panel, int64_t pitch, int64_t size, int64_t panels, const char *at, int64_t along,
                                        size_t bytes, int64_t depth);
typedef void (*tni_panel_lines_function)(char *panel, int64_t pitch, const char *at, int64_t across, int64_t count,
                                         int64_t depth);

enum { TNI_DOTS_ROWS = 4, TNI_DOTS_COLUMNS = 4, TNI_DOTS_WIDE = 8 };

typedef struct tni_tiles {
    int64_t rows, columns;   /* of the largest tile */
    int64_t narrow;          /* columns of narrow ones; the same where there are no others */
    tni_tile_function whole; /* of all rows and columns of packed panels: for dtypes that have nothing else         */
    tni_tile_function packed[2][TNI_TILE_ROWS]; /* [0] of all columns, [1] narrow; [.][rows - 1]. Rows of A are next to each
                                                   other. NULL where there is only `whole`, and panels are filled with zeros     */
    tni_tile_function along[2]
                           [TNI_TILE_ROWS]; /* the same where columns of A are next to each other                            */
    tni_part_function part[2][TNI_TILE_ROWS];
    tni_dots_function dots[TNI_DOTS_ROWS]
                          [2];   /* [rows - 1], [0] of TNI_DOTS_COLUMNS columns, [1] of one                       */
    tni_dots_function dots_wide; /* of one row and TNI_DOTS_WIDE columns */
} tni_tiles;

/* Rows of each tile of `count` rows: as even as can be, since a tile of a row or two leaves the CPU waiting for its sums. */
static inline int64_t tni_tile_rows(const tni_tiles *tiles, int64_t count) {
    int64_t parts = (count + tiles->rows - 1) / tiles->rows;
    return (count + parts - 1) / parts;
}

#endif
