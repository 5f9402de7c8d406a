/* onnx_helpers.h - writes ONNX messages for tests, field by field, into one buffer. A message inside another is opened and closed; its length
 * is written as five bytes, which readers of protobuf take as they take shorter ones.
 */
#ifndef TENON_TESTS_ONNX_HELPERS_H
#define TENON_TESTS_ONNX_HELPERS_H

#include "test.h"

typedef struct proto {
    uint8_t bytes[1 << 16];
    size_t size, open[64];
    int depth;
} proto;
static proto message;

static inline void proto_begin(void) { message.size = 0, message.depth = 0; }

static inline void proto_byte(unsigned byte) {
    if (message.size < sizeof message.bytes)
        message.bytes[message.size++] = (uint8_t)byte;
}

static inline void proto_varint(uint64_t value) {
    for (; value > 0x7f; value >>= 7)
        proto_byte((unsigned)(value & 0x7f) | 0x80);
    proto_byte((unsigned)value);
}

static inline void proto_key(unsigned field, unsigned wire) { proto_varint(field << 3 | wire); }

static inline void proto_int(unsigned field, int64_t value) {
    proto_key(field, 0);
    proto_varint((uint64_t)value);
}

static inline void proto_raw(unsigned field, const void *bytes, size_t size) {
    proto_key(field, 2);
    proto_varint(size);
    for (size_t i = 0; i < size; i++)
        proto_byte(((const uint8_t *)bytes)[i]);
}

static inline void proto_str(unsigned field, const char *text) { proto_raw(field, text, strlen(text)); }

static inline void proto_float(unsigned field, float value) {
    uint8_t bytes[4];
    memcpy(bytes, &value, 4);
    proto_key(field, 5);
    for (int i = 0; i < 4; i++)
        proto_byte(bytes[i]);
}

static inline void proto_open(unsigned field) {
    proto_key(field, 2);
    message.open[message.depth++] = message.size;
    for (int i = 0; i < 5; i++)
        proto_byte(0);
}

static inline void proto_close(void) {
    size_t at = message.open[--message.depth], length = message.size - at - 5;
    for (int i = 0; i < 5; i++, length >>= 7)
        message.bytes[at + (size_t)i] = (uint8_t)((length & 0x7f) | (i < 4 ? 0x80 : 0));
}

/* A model whose graph is open: nodes, tensors and values follow. */
static inline void proto_model_begin(int64_t opset) {
    proto_begin();
    proto_int(1, 8);
    proto_open(8);
    proto_str(1, "");
    proto_int(2, opset);
    proto_close();
    proto_open(7);
}

static inline void proto_model_end(void) {
    while (message.depth)
        proto_close();
}

/* An input (field 11) or output (12) of any sizes; a dtype by ONNX's number. */
static inline void proto_value_info(unsigned field, const char *name, int dtype) {
    proto_open(field);
    proto_str(1, name);
    proto_open(2);
    proto_open(1);
    proto_int(1, dtype);
    proto_close();
    proto_close();
    proto_close();
}

/* A node, left open for attributes: names with commas between them. */
static inline void proto_node_begin(const char *operation, const char *inputs, const char *outputs) {
    proto_open(1);
    for (unsigned field = 1; field <= 2; field++)
        for (const char *at = field == 1 ? inputs : outputs; at && *at;) {
            size_t length = strcspn(at, ",");
            proto_raw(field, strncmp(at, "-", length) == 0 && length == 1 ? "" : at, *at == '-' && length == 1 ? 0 : length);
            at += length + (at[length] == ',');
        }
    proto_str(3, "the node");
    proto_str(4, operation);
}

static inline void proto_node(const char *operation, const char *inputs, const char *outputs) {
    proto_node_begin(operation, inputs, outputs);
    proto_close();
}

static inline void proto_attribute_int(const char *name, int64_t value) {
    proto_open(5);
    proto_str(1, name);
    proto_int(3, value);
    proto_int(20, 2);
    proto_close();
}

static inline void proto_attribute_ints(const char *name, int64_t count, const int64_t *values) {
    proto_open(5);
    proto_str(1, name);
    for (int64_t i = 0; i < count; i++)
        proto_int(8, values[i]);
    proto_int(20, 7);
    proto_close();
}

static inline void proto_attribute_text(const char *name, const char *text) {
    proto_open(5);
    proto_str(1, name);
    proto_str(4, text);
    proto_int(20, 3);
    proto_close();
}

/* A tensor of whole numbers (int64, field 7) or floats (field 4) of one dimension; `count` -1: one number without dimensions. */
static inline void proto_wholes(unsigned field, const char *name, int64_t count, const int64_t *values) {
    proto_open(field);
    if (count >= 0)
        proto_int(1, count);
    proto_int(2, 7);
    for (int64_t i = 0; i < (count < 0 ? 1 : count); i++)
        proto_int(7, values[i]);
    proto_str(8, name);
    proto_close();
}

static inline void proto_floats(unsigned field, const char *name, int64_t rows, int64_t columns, const float *values) {
    proto_open(field);
    proto_int(1, rows);
    if (columns)
        proto_int(1, columns);
    proto_int(2, 1);
    proto_raw(4, values, sizeof *values * (size_t)(rows * (columns ? columns : 1)));
    proto_str(8, name);
    proto_close();
}

#endif
