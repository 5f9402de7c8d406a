/* run.h - what the operators of ONNX (math.c, shape.c, ...) see of a call, and the table that they stand in.
 *
 * A function of the table takes inputs from call->in, makes tensors with public operators, and puts them into call->out. It runs inside a
 * scope of its own, so it releases nothing; what it puts out is kept. It returns false, or leaves a NULL among the outputs that it
 * should make, where something failed: then an error is waiting. Inputs are never changed, so an output may be an input or a view of one.
 */
#ifndef TNI_INTERCHANGE_ONNX_RUN_H
#define TNI_INTERCHANGE_ONNX_RUN_H

#include <tenon/onnx.h>

#include "base/error.h"
#include "interchange/files/onnx.h"

typedef struct tni_onnx_item {
    tn_tensor *tensor; /* at most one of the two */
    tn_list *list;     /* a sequence             */
} tni_onnx_item;

typedef struct tni_onnx_call {
    const struct tni_onnx_step *step;
    const tni_onnx_node *node;
    const struct tni_onnx_operator *row;
    struct tni_onnx_frame *frame; /* for graphs inside this node */
    int64_t version;              /* of the operator set         */
    const tni_onnx_item *in;      /* of in_count; both NULL: left out */
    tni_onnx_item *out;           /* of out_count, all NULL      */
    size_t in_count, out_count;
    bool wrong; /* an attribute was of another kind: raised */
} tni_onnx_call;

typedef bool (*tni_onnx_function)(tni_onnx_call *call);
typedef void (*tni_onnx_any)(void);

typedef struct tni_onnx_operator {
    const char *name;
    tni_onnx_function run;
    tni_onnx_any plain;  /* what `run` calls, where several rows share it: a public operator */
    uint8_t least, most; /* inputs; the last of `least` and all before it must be there; 255: any number */
    uint8_t detail;      /* for rows that share a function                                   */
    bool sequences;      /* takes or makes them                                              */
} tni_onnx_operator;

const tni_onnx_operator *tni_onnx_find(const char *name); /* NULL: none */

/* ---- inputs */

static inline tn_tensor *tni_onnx_in(const tni_onnx_call *call, size_t i) {
    return i < call->in_count ? call->in[i].tensor : NULL;
}

/* Up to TN_MAX_DIMS whole numbers: of an input, or of an attribute. */
typedef struct tni_onnx_wholes {
    bool there;
    int64_t count;
    int64_t values[TN_MAX_DIMS];
} tni_onnx_wholes;

/* false, raised, for other dtypes, more dimensions than one, or too many; `there` is false where it is left out. */
bool tni_onnx_wholes_in(tni_onnx_call *call, size_t i, tni_onnx_wholes *wholes);
bool tni_onnx_wholes_attribute(tni_onnx_call *call, const char *name, tni_onnx_wholes *wholes);
/* An input since the opset in which it moved there; before that the attribute. */
bool tni_onnx_wholes_either(tni_onnx_call *call, size_t i, const char *name, tni_onnx_wholes *wholes);

/* Dimensions, negative ones from the end, of a tensor of `ndim`; false, raised, where one is out of range. */
bool tni_onnx_wrap(int64_t *dim, int64_t ndim);
bool tni_onnx_wrap_all(tni_onnx_wholes *dims, int64_t ndim);

/* One number of an input, or `otherwise` where it is left out. */
bool tni_onnx_whole_in(tni_onnx_call *call, size_t i, int64_t otherwise, int64_t *value);

/* ---- attributes; another kind than asked for is raised and makes call->wrong */

const tni_onnx_attribute *tni_onnx_attribute_of(const tni_onnx_call *call, const char *name); /* NULL: none */
int64_t tni_onnx_int(tni_onnx_call *call, const char *name, int64_t otherwise);
double tni_onnx_real(tni_onnx_call *call, const char *name, double otherwise);
const char *tni_onnx_text(tni_onnx_call *call, const char *name, const char *otherwise);
tn_tensor *tni_onnx_tensor(tni_onnx_call *call, const char *name); /* NULL without an error where there is none */
/* A dtype by ONNX's number; `otherwise` where there is none; TN_DTYPE_DEFAULT, raised, for one that Tenon does not have. */
tn_dtype tni_onnx_dtype_in(tni_onnx_call *call, const char *name, tn_dtype otherwise);

/* ---- results */

static inline bool tni_onnx_out(tni_onnx_call *call, size_t i, tn_tensor *tensor) {
    if (tensor && i < call->out_count)
        call->out[i].tensor = tensor;
    return tensor != NULL;
}
/* The items of a list, from output `i` on. */
bool tni_onnx_out_list(tni_onnx_call *call, size_t i, const tn_list *list);
/* Whether anybody wants output `i`. */
bool tni_onnx_wanted(const tni_onnx_call *call, size_t i);

/* Says that something about a node is not covered. Returns false. */
bool tni_onnx_refuse(const char *format, ...) TN_PRINTF(1, 2);

/* ---- graphs inside nodes */

/* Runs the graph of an attribute: its inputs in their order, its outputs to `out`, whose references are the caller's scope's. */
bool tni_onnx_run_graph(tni_onnx_call *call, const char *attribute, const tni_onnx_item *in, size_t in_count,
                        tni_onnx_item *out, size_t out_count);
const tni_onnx_graph *tni_onnx_graph_of(tni_onnx_call *call, const char *attribute); /* NULL, raised */

/* ---- what several operators share */

tn_tensor *tni_onnx_wrapped(const tn_tensor *index, int64_t size);     /* positions, negative ones from the end, as int64 */
tn_tensor *tni_onnx_from_wholes(const int64_t *values, int64_t count); /* int64, one dimension */
tn_tensor *tni_onnx_cast_to(const tn_tensor *x, tn_dtype dtype, bool saturate);
tn_tensor *tni_onnx_to(const tn_tensor *tensor, tn_dtype dtype);                      /* itself where it is of that dtype */
tn_tensor *tni_onnx_per_channel(const tn_tensor *tensor, int64_t ndim, int64_t axis); /* (n) as (1, n, 1, 1) */

#endif
