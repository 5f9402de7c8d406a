/* autocast.c - tenon.amp.autocast: while a thread is in it, some operators get their tensors in another dtype.
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
        tn_tensor *cast = tn_to(values[i].as.tensor, wanted);
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
    if (before)
        tnpy_autocast_dtype = wanted;
    return before;
}

PyMethodDef tnpy_autocast_functions[] = {
    {"_get_autocast", autocast_get, METH_NOARGS, NULL},
    {"_set_autocast", autocast_set, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
