/* product_pack.c - see product_pack.h. Memory is read with the kernels of the table: lines that run along k are transposed, lines that
 * run across it are copied, and what has no neighbours either way is picked up one by one. Conversions are those of blocks.h. */
#include "iterate/product_pack.h"

#include <stdlib.h>

#include "iterate/limits.h"
#include "kernels/blocks.h"

static const struct {
    tn_dtype dtype; /* of what is packed before complex parts are taken apart */
    size_t item;
} panel_kinds[TNI_TILE_KINDS] = {
    [TNI_TILE_FLOAT32] = {TN_FLOAT32, 4},     [TNI_TILE_FLOAT64] = {TN_FLOAT64, 8},
    [TNI_TILE_COMPLEX64] = {TN_COMPLEX64, 8}, [TNI_TILE_COMPLEX128] = {TN_COMPLEX128, 16},
    [TNI_TILE_INT32] = {TN_INT32, 4},         [TNI_TILE_INT64] = {TN_INT64, 8},
    [TNI_TILE_INT8] = {TN_INT16, 4},
};

size_t tni_panel_item(tni_tile_kind kind) { return panel_kinds[kind].item; }

static bool panel_is_byte(tn_dtype dtype) { return dtype == TN_INT8 || dtype == TN_UINT8; }

tni_tile_kind tni_product_kind(const tni_product *product) {
    switch (product->compute) {
    case TN_FLOAT32: return TNI_TILE_FLOAT32;
    case TN_FLOAT64: return TNI_TILE_FLOAT64;
    case TN_COMPLEX64: return TNI_TILE_COMPLEX64;
    case TN_COMPLEX128: return TNI_TILE_COMPLEX128;
    case TN_INT64: return TNI_TILE_INT64;
    default: return panel_is_byte(product->a.dtype) && panel_is_byte(product->b.dtype) ? TNI_TILE_INT8 : TNI_TILE_INT32;
    }
}

/* Integers of the size that is computed in are taken by their bits. */
static tn_dtype panel_dtype(tn_dtype dtype) { return dtype == TN_UINT32 ? TN_INT32 : dtype == TN_UINT64 ? TN_INT64 : dtype; }

/* What the width has beyond the matrix. */
static void panel_clear(char *panel, int64_t width, int64_t item, int64_t count, int64_t steps) {
    if (count < width)
        for (int64_t p = 0; p < steps; p++)
            memset(panel + (p * width + count) * item, 0, (size_t)((width - count) * item));
}

/* Lines that run along k. */
static void panel_transpose(char *panel, int64_t width, int64_t item, const char *at, int64_t across, int64_t count,
                            int64_t depth) {
    const tni_kernel_table *table = tni_kernels();
    tni_panel_lines_function lines = item == 4 ? table->panel_lines[0] : item == 8 ? table->panel_lines[1] : NULL;
    if (lines)
        lines(panel, width * item, at, across, count, depth);
    else
        table->transpose[tni_element_index((size_t)item)](panel, width * item, at, across, count, depth);
}

/* The same where their numbers are apart: they are moved together first, a piece of some lines at a time. */
static void panel_gather(char *panel, int64_t width, int64_t item, const char *at, int64_t across, int64_t along, int64_t count,
                         int64_t depth) {
    _Alignas(64) char lines[PANEL_LINES_BYTES];
    int64_t most = PANEL_LINES_BYTES / (PANEL_STEP * item);
    for (int64_t p = 0; p < depth; p += PANEL_STEP) {
        int64_t step = tni_min_i64(PANEL_STEP, depth - p);
        for (int64_t i = 0, many; i < count; i += many) {
            many = tni_min_i64(most, count - i);
            for (int64_t line = 0; line < many; line++)
                tni_block_move((size_t)item, lines + line * PANEL_STEP * item, item, at + (i + line) * across + p * along,
                               along, step);
            panel_transpose(panel + (p * width + i) * item, width, item, lines, PANEL_STEP * item, many, step);
        }
    }
}

/* Elements that need no conversion. */
static void panel_move(char *panel, int64_t width, int64_t item, const char *at, int64_t across, int64_t along, int64_t count,
                       int64_t depth) {
    const tni_kernel_table *table = tni_kernels();
    if (across == item)
        table->panel_rows[0](panel, width * item, 0, 1, at, along, (size_t)(count * item), depth);
    else if (along == item)
        panel_transpose(panel, width, item, at, across, count, depth);
    else if (llabs(across) <= llabs(along))
        for (int64_t p = 0; p < depth; p++)
            table->strided[tni_element_index((size_t)item)](panel + p * width * item, item, at + p * along, across, count);
    else
        panel_gather(panel, width, item, at, across, along, count, depth);
}

/* Elements that are converted, at most PANEL_STEP along k. Lines that run along k are converted, then transposed. */
static void panel_convert(tn_dtype to, char *panel, int64_t width, const tni_panel_source *source, int64_t count,
                          int64_t depth) {
    tn_dtype from = panel_dtype(source->dtype);
    int64_t item = (int64_t)tni_dtype_size(to), small = (int64_t)tni_dtype_size(from);
    if (source->across == small) {
        for (int64_t p = 0; p < depth; p++)
            tni_block_convert(to, panel + p * width * item, from, source->at + p * source->along, count);
        return;
    }
    _Alignas(64) char raw[PANEL_STEP * 16], lines[PANEL_LINES_BYTES];
    int64_t most = PANEL_LINES_BYTES / (depth * item);
    for (int64_t i = 0, many; i < count; i += many) {
        many = tni_min_i64(count - i, most);
        for (int64_t line = 0; line < many; line++) {
            const char *at = source->at + (i + line) * source->across;
            if (source->along != small) {
                tni_block_move((size_t)small, raw, small, at, source->along, depth);
                at = raw;
            }
            tni_block_convert(to, lines + line * depth * item, from, at, depth);
        }
        panel_move(panel + i * item, width, item, lines, depth * item, item, many, depth);
    }
}

static void panel_elements(tn_dtype to, char *panel, int64_t width, const tni_panel_source *source, int64_t count,
                           int64_t depth) {
    int64_t item = (int64_t)tni_dtype_size(to);
    if (panel_dtype(source->dtype) == to) {
        panel_move(panel, width, item, source->at, source->across, source->along, count, depth);
        return;
    }
    tni_panel_source part = *source;
    for (int64_t p = 0; p < depth; p += PANEL_STEP) {
        part.at = source->at + p * source->along;
        panel_convert(to, panel + p * width * item, width, &part, count, tni_min_i64(PANEL_STEP, depth - p));
    }
}

/* ---- complex numbers: conjugated, and for B taken apart, row by row */

#define PANEL_PARTS(name, T)                                                                                                   \
    static void name(char *panel, int64_t width, int64_t depth, bool conjugate, bool apart) {                                  \
        T sign = conjugate ? -1 : 1, *row = (T *)(void *)panel, parts[2 * PANEL_WIDTH];                                        \
        for (int64_t p = 0; p < depth; p++, row += 2 * width) {                                                                \
            if (conjugate)                                                                                                     \
                for (int64_t i = 0; i < width; i++)                                                                            \
                    row[2 * i + 1] *= sign;                                                                                    \
            if (!apart)                                                                                                        \
                continue;                                                                                                      \
            memcpy(parts, row, (size_t)(2 * width) * sizeof *parts);                                                           \
            for (int64_t i = 0; i < width; i++) {                                                                              \
                row[i] = parts[2 * i];                                                                                         \
                row[width + i] = parts[2 * i + 1];                                                                             \
            }                                                                                                                  \
        }                                                                                                                      \
    }
PANEL_PARTS(panel_parts_float, float)
PANEL_PARTS(panel_parts_double, double)
#undef PANEL_PARTS

/* ---- pairs of 16-bit integers */

/* Steps along k in pairs; a last one without a partner has 0 beside it. */
static void panel_pairs(char *panel, int64_t width, const tni_panel_source *source, int64_t count, int64_t depth) {
    const tni_kernel_table *table = tni_kernels();
    _Alignas(64) int16_t lines[PANEL_LINES_BYTES / 2];
    if (source->across == 1) { /* two rows become one of pairs */
        int16_t *first = lines, *second = lines + PANEL_WIDTH;
        for (int64_t p = 0; p < depth; p += 2) {
            tni_block_convert(TN_INT16, first, source->dtype, source->at + p * source->along, count);
            if (p + 1 < depth)
                tni_block_convert(TN_INT16, second, source->dtype, source->at + (p + 1) * source->along, count);
            else
                memset(second, 0, (size_t)count * 2);
            table->interleave[1](panel + p / 2 * width * 4, (const char *)first, (const char *)second, count, false);
        }
        return;
    }
    char raw[PANEL_STEP];
    int64_t step = PANEL_STEP & ~1, most = PANEL_LINES_BYTES / (2 * step);
    for (int64_t p = 0; p < depth; p += step) {
        int64_t many = tni_min_i64(step, depth - p), pairs = (many + 1) / 2;
        for (int64_t i = 0, taken; i < count; i += taken) {
            taken = tni_min_i64(most, count - i);
            for (int64_t line = 0; line < taken; line++) {
                const char *at = source->at + (i + line) * source->across + p * source->along;
                if (source->along != 1) {
                    tni_block_move(1, raw, 1, at, source->along, many);
                    at = raw;
                }
                int16_t *wide = lines + line * 2 * pairs;
                tni_block_convert(TN_INT16, wide, source->dtype, at, many);
                if (many % 2)
                    wide[many] = 0;
            }
            panel_move(panel + (p / 2 * width + i) * 4, width, 4, (const char *)lines, 4 * pairs, 4, taken, pairs);
        }
    }
}

void tni_panel_part(tni_tile_kind kind, void *panel, int64_t width, const tni_panel_source *source, int64_t count,
                    int64_t depth) {
    panel_elements(panel_kinds[kind].dtype, panel, width, source, count, depth);
}

void tni_panel_complete(tni_tile_kind kind, bool second, bool conjugate, void *panel, int64_t width, int64_t count,
                        int64_t depth) {
    panel_clear(panel, width, (int64_t)panel_kinds[kind].item, count, tni_panel_steps(kind, depth));
    if (kind == TNI_TILE_COMPLEX64 && (second || conjugate))
        panel_parts_float(panel, width, depth, conjugate, second);
    if (kind == TNI_TILE_COMPLEX128 && (second || conjugate))
        panel_parts_double(panel, width, depth, conjugate, second);
}

void tni_panel_pack(tni_tile_kind kind, bool second, void *panel, int64_t width, const tni_panel_source *source, int64_t count,
                    int64_t depth) {
    if (kind == TNI_TILE_INT8)
        panel_pairs(panel, width, source, count, depth);
    else
        panel_elements(panel_kinds[kind].dtype, panel, width, source, count, depth);
    tni_panel_complete(kind, second, source->conjugate, panel, width, count, depth);
}

void tni_panels_pack(tni_tile_kind kind, bool second, char *panels, int64_t width, int64_t last, const tni_panel_source *source,
                     int64_t count, int64_t depth) {
    int64_t item = (int64_t)panel_kinds[kind].item, size = width * tni_panel_steps(kind, depth) * item, done = 0;
    tni_panel_source part = *source;
    if (source->across == item && panel_dtype(source->dtype) == panel_kinds[kind].dtype && tni_panel_unit(kind) == 1) {
        int64_t whole = count / width; /* panels of rows that are only copied */
        tni_kernels()->panel_rows[0](panels, width * item, size, whole, source->at, source->along, (size_t)(width * item),
                                     depth);
        done = whole * width;
    }
    for (; done < count; done += width) {
        int64_t left = tni_min_i64(width, count - done);
        part.at = source->at + done * source->across;
        tni_panel_pack(kind, second, panels + done / width * size, left < width ? last : width, &part, left, depth);
    }
}
