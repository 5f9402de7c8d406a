/* autocast.c - tenon.amp.autocast: while a thread is in it, some operators get their tensors in another dtype.
 *
 * A weight (a leaf of float32 that requires a gradient) is cast once: the cast is kept until autocast ends, or until the weight is
 * written. What is kept is the recorded cast, so every use adds to one gradient.
 *
 * Products and convolutions compute in the dtype of autocast, what needs precision in float32 (torch's lists for the CPU, as far as
 * there are these operators); the casts are recorded like any other. Operators that take the widest dtype do so by themselves.
 */
#include "core.h"

_Thread_local tn_dtype tnpy_autocast_dtype = TN_DTYPE_DEFAULT; /* which means off */

static const char autocast_lower[] =
    "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d convolution bmm mm baddbmm addmm addbmm "
    "linear matmul scaled_dot_product_attention linalg_vecdot linalg_multi_dot";
static const char autocast_full[] =
    "avg_pool3d binary_cross_entropy binary_cross_entropy_with_logits grid_sampler grid_sampler_2d grid_sampler_3d "
    "polar prod quantile nanquantile stft cdist trace mse_loss l1_loss smooth_l1_loss huber_loss nll_loss nll_loss_nd "
    "cross_entropy_loss hinge_embedding_loss poisson_nll_loss cosine_embedding_loss margin_ranking_loss "
    "soft_margin_loss triplet_margin_loss multi_margin_loss multilabel_margin_loss kl_div ctc_loss cumprod renorm "
    "logdet det slogdet inverse pinverse";

/* ---- the casts of weights */

typedef struct autocast_kept {
    tn_tensor *weight, *cast;
    uint32_t version;
} autocast_kept;

static _Thread_local struct {
    autocast_kept *kept;
    size_t count, room;
    bool off;
} autocast_cache;

static void autocast_forget(void) {
    for (size_t i = 0; i < autocast_cache.count; i++) {
        tn_release(autocast_cache.kept[i].weight);
        tn_release(autocast_cache.kept[i].cast);
    }
    PyMem_Free(autocast_cache.kept);
    autocast_cache.kept = NULL;
    autocast_cache.count = autocast_cache.room = 0;
}

/* Keeps a cast beside the weight; where there is no memory for it, nothing is kept. */
static void autocast_keep(tn_tensor *weight, tn_tensor *cast) {
    if (autocast_cache.count == autocast_cache.room) {
        size_t room = autocast_cache.room ? 2 * autocast_cache.room : 16;
        autocast_kept *more = PyMem_Realloc(autocast_cache.kept, room * sizeof *more);
        if (!more)
            return;
        autocast_cache.kept = more;
        autocast_cache.room = room;
    }
    autocast_cache.kept[autocast_cache.count++] =
        (autocast_kept){tn_retain(weight), tn_retain(cast), tn_tensor_version(weight)};
}

/* A tensor in another dtype, the caller's own. NULL on failure. */
static tn_tensor *autocast_cast(tn_tensor *tensor, tn_dtype wanted) {
    bool lasts = wanted == tnpy_autocast_dtype && !autocast_cache.off && tn_dtype_of(tensor) == TN_FLOAT32 &&
                 tn_grad_mode_now() == TN_GRAD_ON && tn_requires_grad(tensor) && tn_is_leaf(tensor);
    for (size_t i = 0; lasts && i < autocast_cache.count; i++) {
        autocast_kept *one = &autocast_cache.kept[i];
        if (one->weight != tensor)
            continue;
        if (one->version == tn_tensor_version(tensor))
            return tn_retain(one->cast);
        tn_tensor *fresh = tn_to(tensor, wanted);
        if (fresh) {
            tn_release(one->cast);
            one->cast = tn_retain(fresh);
            one->version = tn_tensor_version(tensor);
        }
        return fresh;
    }
    tn_tensor *made = tn_to(tensor, wanted);
    if (made && lasts)
        autocast_keep(tensor, made);
    return made;
}

int tnpy_autocast_begin(const char *name, tn_value *values, int count, tn_tensor **held) {
    bool lower = tnpy_has_word(autocast_lower, name);
    tn_dtype wanted = lower ? tnpy_autocast_dtype : TN_FLOAT32;
    if (!lower && !tnpy_has_word(autocast_full, name))
        return 0;
    int made = 0;
    for (int i = 0; i < count; i++) {
        if (values[i].kind != TN_VALUE_TENSOR || !values[i].as.tensor)
            continue;
        tn_dtype dtype = tn_dtype_of(values[i].as.tensor);
        bool half = dtype == TN_FLOAT16 || dtype == TN_BFLOAT16;
        if (dtype == wanted || (!half && (dtype != TN_FLOAT32 || !lower)))
            continue;
        tn_tensor *cast = autocast_cast(values[i].as.tensor, wanted);
        if (!cast) {
            tnpy_autocast_end(held, made);
            (void)tnpy_raise();
            return -1;
        }
        held[made++] = cast;
        values[i] = tn_value_tensor(cast);
    }
    return made;
}

void tnpy_autocast_end(tn_tensor **held, int made) {
    for (int i = 0; i < made; i++)
        tn_release(held[i]);
}

static PyObject *autocast_object(tn_dtype dtype) {
    return dtype == TN_DTYPE_DEFAULT ? Py_NewRef(Py_None) : tnpy_dtype_object(dtype);
}

static PyObject *autocast_get(PyObject *module, PyObject *ignored) {
    (void)module;
    (void)ignored;
    return autocast_object(tnpy_autocast_dtype);
}

/* Sets the dtype, None for off; returns what was before. */
static PyObject *autocast_set(PyObject *module, PyObject *object) {
    (void)module;
    tn_dtype wanted = TN_DTYPE_DEFAULT;
    if (object != Py_None && tnpy_to_dtype(object, &wanted) <= 0) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "autocast takes a dtype or None");
        return NULL;
    }
    PyObject *before = autocast_object(tnpy_autocast_dtype);
    if (before) {
        if (wanted != tnpy_autocast_dtype)
            autocast_forget();
        tnpy_autocast_dtype = wanted;
    }
    return before;
}

/* Whether casts are kept, before; with True or False, sets it. */
static PyObject *autocast_set_cache(PyObject *module, PyObject *object) {
    (void)module;
    bool before = !autocast_cache.off;
    int wanted = object == Py_None ? before : PyObject_IsTrue(object);
    if (wanted < 0)
        return NULL;
    autocast_cache.off = !wanted;
    return PyBool_FromLong(before);
}

static PyObject *autocast_clear(PyObject *module, PyObject *ignored) {
    (void)module;
    (void)ignored;
    autocast_forget();
    Py_RETURN_NONE;
}

PyMethodDef tnpy_autocast_functions[] = {
    {"_get_autocast", autocast_get, METH_NOARGS, NULL},
    {"_set_autocast", autocast_set, METH_O, NULL},
    {"_set_autocast_cache", autocast_set_cache, METH_O, NULL},
    {"_clear_autocast_cache", autocast_clear, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
