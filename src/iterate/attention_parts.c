/* attention_parts.c - see attention_parts.h. Conversions are those of kernels/blocks.h, panels those of product_pack.c. */
#include "iterate/attention_parts.h"

#include "base/error.h"
#include "base/parallel.h"
#include "iterate/limits.h"
#include "kernels/blocks.h"

void tni_attention_tools_begin(tni_attention_tools *tools, const tni_attention *attention, int64_t across) {
    bool wide = attention->compute == TN_FLOAT64;
    tools->attention = attention;
    tools->kind = wide ? TNI_TILE_FLOAT64 : TNI_TILE_FLOAT32;
    tools->item = wide ? 8 : 4;
    tools->loops = tni_kernels()->attention[wide];
    tools->tiles = tni_kernels()->tiles[tools->kind];
    tools->block = tni_min_i64(ATTENTION_KEYS, across);
    tools->pitch = tni_attention_up(tools, tools->block);
}

size_t tni_attention_bytes(size_t *total, bool *fits, int64_t rows, int64_t columns, int64_t item) {
    int64_t count, bytes, all;
    *fits = *fits && !tni_mul_overflows(rows, columns, &count) && !tni_mul_overflows(count, item, &bytes) &&
            bytes <= INT64_MAX - 64 && !tni_add_overflows((int64_t)*total, (bytes + 63) / 64 * 64, &all);
    if (!*fits)
        return 0;
    *total = (size_t)all;
    return (size_t)((bytes + 63) / 64 * 64);
}

void tni_attention_too_large(const tni_attention_tools *tools) {
    tni_raise(TN_ERROR_MEMORY, "blocks of %" PRId64 " rows of %" PRId64 " and %" PRId64 " numbers are more than can be counted",
              tools->block, tools->attention->depth, tools->attention->width);
}

int64_t tni_attention_task(int64_t count, int64_t owns) {
    int64_t threads = tn_num_threads(), lines = ATTENTION_TASK_ROWS;
    while (threads > 1 && lines > ATTENTION_PART_ROWS && (count + lines - 1) / lines * owns < threads * ATTENTION_TASKS)
        lines -= ATTENTION_PART_ROWS;
    return tni_min_i64(lines, count);
}

/* ---- batches */

char *tni_attention_at(const tni_attention *attention, const tni_attention_operand *operand, int64_t batch) {
    int64_t offset = 0;
    for (int64_t d = attention->batch_ndim; d-- > 0; batch /= attention->batch_sizes[d]) {
        int64_t size = attention->batch_sizes[d], index = batch % size;
        offset += index / (size / operand->own[d]) * operand->stride[d];
    }
    return operand->data + offset * (int64_t)tni_dtype_size(operand->dtype);
}

char *tni_attention_own(const tni_attention *attention, const tni_attention_operand *operand, int64_t own) {
    int64_t offset = 0;
    for (int64_t d = attention->batch_ndim; d-- > 0; own /= operand->own[d])
        offset += own % operand->own[d] * operand->stride[d];
    return operand->data + offset * (int64_t)tni_dtype_size(operand->dtype);
}

int64_t tni_attention_owns(const tni_attention *attention, const tni_attention_operand *operand) {
    int64_t count = 1;
    for (int64_t d = 0; d < attention->batch_ndim; d++)
        count *= operand->own[d];
    return count;
}

int64_t tni_attention_shares(const tni_attention *attention, const tni_attention_operand *operand) {
    int64_t count = 1;
    for (int64_t d = 0; d < attention->batch_ndim; d++)
        count *= operand->own[d] ? attention->batch_sizes[d] / operand->own[d] : 0;
    return count;
}

int64_t tni_attention_batch(const tni_attention *attention, const tni_attention_operand *operand, int64_t own, int64_t share) {
    int64_t batch = 0, step = 1;
    for (int64_t d = attention->batch_ndim; d-- > 0;) {
        int64_t size = attention->batch_sizes[d], serves = size / operand->own[d];
        batch += (own % operand->own[d] * serves + share % serves) * step;
        own /= operand->own[d];
        share /= serves;
        step *= size;
    }
    return batch;
}

/* ---- lines */

/* `count` elements, each `step` bytes from the one before, as numbers that are computed with. */
static void parts_line(const tni_attention_tools *tools, char *line, tn_dtype dtype, const char *at, int64_t step,
                       int64_t count) {
    tn_dtype compute = tools->attention->compute;
    int64_t item = (int64_t)tni_dtype_size(dtype);
    if (count == 0) /* there is nothing at that address */
        return;
    if (dtype == compute) {
        tni_block_move((size_t)item, line, item, at, step, count);
        return;
    }
    if (step == item) {
        tni_block_convert(compute, line, dtype, at, count);
        return;
    }
    char raw[ATTENTION_RAW * 8];
    for (int64_t i = 0, many; i < count; i += many) {
        many = tni_min_i64(ATTENTION_RAW, count - i);
        tni_block_move((size_t)item, raw, item, at + i * step, step, many);
        tni_block_convert(compute, line + i * tools->item, dtype, raw, many);
    }
}

void tni_attention_lines(const tni_attention_tools *tools, void *lines, const tni_attention_operand *operand, const char *at,
                         int64_t row, int64_t rows, int64_t count, double factor) {
    int64_t item = (int64_t)tni_dtype_size(operand->dtype), bytes = count * tools->item;
    for (int64_t i = 0; i < rows; i++) {
        char *line = (char *)lines + i * bytes;
        parts_line(tools, line, operand->dtype, at + (row + i) * operand->row * item, operand->column * item, count);
        if (factor != 1)
            tools->loops->scale(line, count, factor);
    }
}

const void *tni_attention_line(const tni_attention_tools *tools, void *room, const tni_attention_operand *operand,
                               const char *at, int64_t row, int64_t count) {
    if (operand->dtype == tools->attention->compute && operand->column == 1)
        return at + row * operand->row * tools->item;
    tni_attention_lines(tools, room, operand, at, row, 1, count, 1);
    return room;
}

void tni_attention_put(const tni_attention_tools *tools, const tni_attention_operand *operand, char *at, int64_t row,
                       const void *line, int64_t count) {
    int64_t item = (int64_t)tni_dtype_size(operand->dtype), step = operand->column * item;
    char *to = at + row * operand->row * item;
    if (count == 0)
        return;
    if (operand->dtype == tools->attention->compute) {
        tni_block_move((size_t)item, to, step, line, item, count);
        return;
    }
    char raw[ATTENTION_RAW * 8];
    for (int64_t i = 0, many; i < count; i += many) {
        many = tni_min_i64(ATTENTION_RAW, count - i);
        tni_block_convert(operand->dtype, raw, tools->attention->compute, (const char *)line + i * tools->item, many);
        tni_block_move((size_t)item, to + i * step, step, raw, item, many);
    }
}

/* ---- panels */

static void parts_pack(const tni_attention_tools *tools, char *panels, tni_panel_source source, int64_t columns,
                       int64_t depth) {
    const tni_tiles *tiles = tools->tiles;
    const char *start = source.at;
    for (int64_t j = 0; j < columns; j += tiles->columns) {
        int64_t left = tni_min_i64(tiles->columns, columns - j);
        source.at = start + j * source.across;
        tni_panel_pack(tools->kind, true, panels + j * depth * tools->item,
                       left <= tiles->narrow ? tiles->narrow : tiles->columns, &source, left, depth);
    }
}

void tni_attention_along(const tni_attention_tools *tools, char *panels, const tni_attention_operand *operand, const char *at,
                         int64_t row, int64_t rows, int64_t count) {
    int64_t item = (int64_t)tni_dtype_size(operand->dtype);
    tni_panel_source source = {at + row * operand->row * item, operand->row * item, operand->column * item, operand->dtype,
                               false};
    parts_pack(tools, panels, source, rows, count);
}

void tni_attention_across(const tni_attention_tools *tools, char *panels, const tni_attention_operand *operand, const char *at,
                          int64_t row, int64_t rows, int64_t count) {
    int64_t item = (int64_t)tni_dtype_size(operand->dtype);
    tni_panel_source source = {at + row * operand->row * item, operand->column * item, operand->row * item, operand->dtype,
                               false};
    parts_pack(tools, panels, source, count, rows);
}

/* A panel stays in the cache while all lines pass by it. Tiles of the last columns are as wide as their panel: lines of C have room. */
void tni_attention_multiply(const tni_attention_tools *tools, const tni_attention_product *product) {
    const tni_tiles *tiles = tools->tiles;
    int64_t item = tools->item, next = product->turned ? 1 : product->a_pitch;
    for (int64_t j = 0; j < product->wanted; j += tiles->columns) {
        bool narrow = product->columns - j <= tiles->narrow;
        int64_t width = narrow ? tiles->narrow : tiles->columns;
        const char *panel = product->panels + (j * product->panel_depth + product->panel_from * width) * item;
        for (int64_t i = 0, rows; i < product->rows; i += rows) {
            rows = tni_min_i64(tiles->rows, product->rows - i);
            (product->turned ? tiles->packed : tiles->along)[narrow][rows - 1](
                product->k, (const char *)product->a + i * next * item, product->a_pitch, panel, width,
                (char *)product->c + (i * product->c_pitch + j) * item, product->c_pitch, product->adds);
        }
    }
}

/* ---- masks and dropped weights */

const void *tni_attention_added(const tni_attention_tools *tools, const char *at, int64_t row, int64_t key, int64_t count,
                                bool by_keys, void *line) {
    const tni_attention_operand *mask = &tools->attention->mask;
    if (!mask->data)
        return NULL;
    int64_t item = (int64_t)tni_dtype_size(mask->dtype), step = (by_keys ? mask->row : mask->column) * item;
    at += (row * mask->row + key * mask->column) * item;
    if (mask->dtype != TN_BOOL) {
        if (mask->dtype == tools->attention->compute && step == item)
            return at;
        parts_line(tools, line, mask->dtype, at, step, count);
        return line;
    }
    uint8_t raw[ATTENTION_RAW];
    for (int64_t i = 0, many; i < count; i += many) {
        many = tni_min_i64(ATTENTION_RAW, count - i);
        const uint8_t *flags = (const uint8_t *)at + i;
        if (step != 1) {
            tni_block_move(1, (char *)raw, 1, at + i * step, step, many);
            flags = raw;
        }
        tools->loops->exclude((char *)line + i * tools->item, flags, many);
    }
    return line;
}

void tni_attention_factors(const tni_attention_tools *tools, int64_t batch, int64_t row, int64_t key, int64_t count,
                           bool by_keys, void *line) {
    const tni_attention *attention = tools->attention;
    int64_t bit = (batch * attention->rows + row) * attention->keys + key, step = by_keys ? attention->keys : 1;
    float *narrow = line;
    double *wide = line;
    for (int64_t i = 0; i < count; i++, bit += step) {
        double factor = attention->kept[bit >> 3] >> (bit & 7) & 1 ? attention->kept_factor : 0;
        if (tools->item == 8)
            wide[i] = factor;
        else
            narrow[i] = (float)factor;
    }
}
