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
    "linear matmul scaled_dot_product_attention linalg_vecdot linalg_multi_dot chain_matmul einsum inner tensordot "
    "linalg_matrix_power matrix_power prelu lstm rnn_tanh rnn_relu rnn_tanh_cell rnn_relu_cell";
static const char autocast_full[] =
    "avg_pool3d max_pool3d max_pool3d_with_indices adaptive_avg_pool3d adaptive_max_pool3d max_unpool2d max_unpool3d "
    "fractional_max_pool2d fractional_max_pool3d reflection_pad1d replication_pad1d "
    "binary_cross_entropy binary_cross_entropy_with_logits grid_sampler grid_sampler_2d grid_sampler_3d "
    "polar prod quantile nanquantile stft cdist trace view_as_complex mse_loss l1_loss smooth_l1_loss huber_loss nll_loss "
    "nll_loss_nd cross_entropy_loss hinge_embedding_loss poisson_nll_loss cosine_embedding_loss margin_ranking_loss "
    "soft_margin_loss triplet_margin_loss multi_margin_loss multilabel_margin_loss kl_div ctc_loss "
    "logdet det slogdet inverse pinverse cholesky cholesky_inverse cholesky_solve geqrf lu_solve orgqr ormqr qr svd "
    "triangular_solve linalg_cholesky linalg_cholesky_ex linalg_cond linalg_eig linalg_eigh linalg_eigvals linalg_eigvalsh "
    "linalg_householder_product linalg_inv linalg_inv_ex linalg_lstsq linalg_matrix_rank linalg_qr linalg_solve linalg_svd "
    "linalg_svdvals linalg_tensorinv linalg_tensorsolve "
    "fft_fft fft_ifft fft_fft2 fft_ifft2 fft_fftn fft_ifftn fft_rfft fft_irfft fft_rfft2 fft_irfft2 fft_rfftn fft_irfftn "
    "fft_hfft fft_ihfft";

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

/* The tensor that an operator gets in the place of one: a cast, which *casts holds, or itself. NULL on failure. */
static tn_tensor *autocast_in(const tn_tensor *given, bool lower, tnpy_casts *casts) {
    tn_tensor *tensor = (tn_tensor *)given;
    tn_dtype wanted = lower ? tnpy_autocast_dtype : TN_FLOAT32, dtype = tn_dtype_of(tensor);
    bool half = dtype == TN_FLOAT16 || dtype == TN_BFLOAT16;
    if (dtype == wanted || (!half && (dtype != TN_FLOAT32 || !lower)))
        return tensor;
    if (casts->count == casts->room) {
        int room = 2 * casts->room;
        tn_tensor **more = PyMem_Malloc((size_t)room * sizeof *more);
        if (!more) {
            PyErr_NoMemory();
            return NULL;
        }
        memcpy(more, casts->held, (size_t)casts->count * sizeof *more);
        if (casts->held != casts->few)
            PyMem_Free(casts->held);
        casts->held = more;
        casts->room = room;
    }
    tn_tensor *cast = autocast_cast(tensor, wanted);
    if (cast)
        casts->held[casts->count++] = cast;
    else
        (void)tnpy_raise();
    return cast;
}

int tnpy_autocast_begin(const char *name, tn_value *values, int count, tnpy_casts *casts) {
    *casts = (tnpy_casts){.held = casts->few, .room = TNPY_CASTS_FEW};
    bool lower = tnpy_has_word(autocast_lower, name), full = tnpy_has_word(autocast_full, name);
    for (int i = 0; i < count && !strcmp(name, "pad"); i++) /* by reflection or replication */
        full = full || (values[i].kind == TN_VALUE_TEXT && values[i].as.text[0] == 'r');
    if (!lower && !full)
        return 0;
    for (int i = 0; i < count; i++) {
        if (values[i].kind == TN_VALUE_TENSOR && values[i].as.tensor) {
            tn_tensor *used = autocast_in(values[i].as.tensor, lower, casts);
            if (!used)
                goto failed;
            values[i] = tn_value_tensor(used);
        } else if (values[i].kind == TN_VALUE_TENSORS && (values[i].as.tensors.count > 1 || strcmp(name, "einsum"))) {
            const tn_tensor **items = (const tn_tensor **)values[i].as.tensors.items; /* of the call's own scratch */
            for (int64_t k = 0; k < values[i].as.tensors.count; k++)
                if (!(items[k] = autocast_in(items[k], lower, casts)))
                    goto failed;
        }
    }
    return 0;
failed:
    tnpy_autocast_end(casts);
    return -1;
}

void tnpy_autocast_end(tnpy_casts *casts) {
    for (int i = 0; i < casts->count; i++)
        tn_release(casts->held[i]);
    if (casts->held != casts->few)
        PyMem_Free(casts->held);
    casts->count = 0;
    casts->held = casts->few;
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
