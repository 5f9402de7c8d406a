/* onnx.h - what the reader of ONNX files (onnx.c) leaves in a file beside its tensors: the graph, for interchange/onnx/, which runs it.
 *
 * Everything is in the file's arena, with texts that end in a NUL, and is not changed any more. Nothing here was checked beyond what
 * reading needs: that names lead somewhere, that operators get what they need is the runner's to find out.
 */
#ifndef TNI_INTERCHANGE_FILES_ONNX_H
#define TNI_INTERCHANGE_FILES_ONNX_H

#include "interchange/files/file.h"

struct tni_onnx_graph;

/* The kinds of attributes, by ONNX's numbers. */
enum {
    TNI_ONNX_FLOAT = 1,
    TNI_ONNX_INT,
    TNI_ONNX_TEXT,
    TNI_ONNX_TENSOR,
    TNI_ONNX_GRAPH,
    TNI_ONNX_FLOATS,
    TNI_ONNX_INTS,
    TNI_ONNX_TEXTS
};

typedef struct tni_onnx_attribute {
    const char *name;
    int kind;       /* 0: one of another kind        */
    int64_t tensor; /* its place in the file; -1     */
    int64_t whole;
    float real;
    const char *text;
    struct tni_onnx_graph *graph;
    size_t count, capacity; /* of the one of these that the kind says */
    int64_t *wholes;
    float *reals;
    const char **texts;
} tni_onnx_attribute;

typedef struct tni_onnx_node {
    const char *operation, *domain, *name;
    const char **inputs, **outputs; /* "" for one that is left out */
    size_t input_count, input_capacity, output_count, output_capacity, attribute_count, attribute_capacity;
    tni_onnx_attribute *attributes;
} tni_onnx_node;

/* An input or output of a graph. */
typedef struct tni_onnx_value {
    const char *name;
    tn_dtype dtype; /* TN_DTYPE_DEFAULT: not said, or one that Tenon does not have    */
    int64_t type;   /* its number in ONNX; 0: not said                                 */
    char kind;      /* 't' tensor, 's' sequence of tensors, 'o' optional, '?' another */
    bool shaped;    /* whether the sizes are known; each is -1 where it is not        */
    size_t ndim, capacity, symbol_capacity;
    int64_t *sizes;
    const char **symbols; /* what a size is called that is not a number; "" */
} tni_onnx_value;

typedef struct tni_onnx_constant {
    const char *name;
    int64_t tensor; /* its place in the file; -1: strings, which no tensor holds */
} tni_onnx_constant;

typedef struct tni_onnx_graph {
    const char *name;
    tni_onnx_node *nodes;
    tni_onnx_constant *constants;
    tni_onnx_value *inputs, *outputs;
    size_t node_count, node_capacity, constant_count, constant_capacity, input_count, input_capacity, output_count,
        output_capacity;
} tni_onnx_graph;

typedef struct tni_onnx_set {
    const char *domain; /* "" for ONNX's own */
    int64_t version;
} tni_onnx_set;

typedef struct tni_onnx_model {
    tni_onnx_graph graph;
    tni_onnx_set *sets;
    size_t set_count, set_capacity;
} tni_onnx_model;

/* The dtype that ONNX has this number for, TN_DTYPE_DEFAULT where Tenon has none; what ONNX calls it; and the number of a dtype. */
tn_dtype tni_onnx_dtype(int64_t type);
const char *tni_onnx_dtype_name(int64_t type);
int64_t tni_onnx_dtype_number(tn_dtype dtype);

#endif
