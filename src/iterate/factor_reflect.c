/* factor_reflect.c - see factor.h: Householder reflections, many as one, Q = I - V T V^H (the compact WY form).
 *
 * A panel of FACTOR_PANEL columns is done by halves (Elmroth and Gustavson's recursion), down to TNI_FACTOR_BASE columns; what is right
 * of it is changed by products. V is copied first, with its ones and zeros, so that products can read it.
 */
#include <string.h>

#include "iterate/factor.h"
#include "iterate/factor_lapack.h"
#include "iterate/limits.h"

size_t tni_factor_reflect_work(const tni_factor *factor, int64_t m, int64_t n) {
    int64_t panel = FACTOR_PANEL;
    /* V; the gram matrix, T; W and T W; what a loop packs */
    return ((size_t)m * (size_t)panel + 2 * (size_t)(panel * panel) + 2 * (size_t)panel * (size_t)n) * factor->size +
           tni_factor_work(factor, m);
}

typedef struct reflect_room {
    tni_matrix v, gram, t, w, tw; /* v: (m, panel) */
    void *panel;
} reflect_room;

static reflect_room reflect_cut(const tni_factor *factor, int64_t m, int64_t n, void *work) {
    int64_t panel = FACTOR_PANEL;
    reflect_room room = {.v = {work, panel, 1}};
    char *at = (char *)work + (size_t)(m * panel) * factor->size;
    room.gram.data = at;
    at += (size_t)(panel * panel) * factor->size;
    room.t.data = at;
    at += (size_t)(panel * panel) * factor->size;
    room.w = (tni_matrix){at, n, 1};
    at += (size_t)(panel * n) * factor->size;
    room.tw = (tni_matrix){at, n, 1};
    at += (size_t)(panel * n) * factor->size;
    room.panel = at;
    return room;
}

static void reflect_set(const tni_factor *factor, char *at, bool one) {
    memset(at, 0, factor->size);
    if (one && (factor->dtype == TN_FLOAT32 || factor->dtype == TN_COMPLEX64))
        memcpy(at, &(float){1}, sizeof(float));
    else if (one)
        memcpy(at, &(double){1}, sizeof(double));
}

/* V and T of k <= FACTOR_PANEL reflections. */
static bool reflect_gather(const tni_factor *factor, reflect_room *room, int64_t m, int64_t k, tni_matrix v, const void *tau) {
    size_t size = factor->size;
    room->v.row = room->gram.row = room->t.row = k;
    room->gram.column = room->t.column = 1;
    for (int64_t i = 0; i < m; i++) {
        char *to = (char *)room->v.data + (size_t)(i * k) * size;
        const char *from = (const char *)v.data + i * v.row * (int64_t)size;
        for (int64_t j = 0; j < k; j++, to += size)
            if (j < i)
                memcpy(to, from + j * v.column * (int64_t)size, size);
            else
                reflect_set(factor, to, i == j);
    }
    if (!tni_factor_product(factor, k, k, m, 1, tni_factor_transposed(room->v), room->v, 0, room->gram, TNI_FACTOR_CONJUGATE_A))
        return false;
    factor->kernels->factor_join[factor->at](k, room->gram.data, tau, room->t.data);
    return true;
}

/* c -= V T V^H c, or with T^H. */
static bool reflect_apply(const tni_factor *factor, reflect_room *room, int64_t m, int64_t n, int64_t k, tni_matrix c,
                          bool adjoint) {
    if (n == 0)
        return true;
    room->w.row = room->tw.row = n;
    return tni_factor_product(factor, k, n, m, 1, tni_factor_transposed(room->v), c, 0, room->w, TNI_FACTOR_CONJUGATE_A) &&
           tni_factor_product(factor, k, n, k, 1, adjoint ? tni_factor_transposed(room->t) : room->t, room->w, 0, room->tw,
                              adjoint ? TNI_FACTOR_CONJUGATE_A : 0) &&
           tni_factor_product(factor, m, n, k, -1, room->v, room->tw, 1, c, 0);
}

/* A panel by halves. */
static bool reflect_panel(const tni_factor *factor, reflect_room *room, int64_t m, int64_t n, tni_matrix a, void *tau) {
    if (n <= FACTOR_LEAF) {
        factor->kernels->factor_reflect[factor->at](m, n, &a, tau, room->panel);
        return true;
    }
    int64_t half = n / 2;
    return reflect_panel(factor, room, m, half, a, tau) && reflect_gather(factor, room, m, half, a, tau) &&
           reflect_apply(factor, room, m, n - half, half, tni_factor_part(factor, a, 0, half), true) &&
           reflect_panel(factor, room, m - half, n - half, tni_factor_part(factor, a, half, half),
                         (char *)tau + (size_t)half * factor->size);
}

bool tni_factor_qr(const tni_factor *factor, int64_t m, int64_t n, tni_matrix a, void *tau, void *work) {
    int64_t k = m < n ? m : n;
    const tn_lapack *lapack = tni_lapack_takes(TN_LAPACK_GEQRF, factor->dtype, k);
    if (TNI_UNLIKELY(lapack))
        return tni_lapack_qr(lapack, factor, m, n, a, tau);
    reflect_room room = reflect_cut(factor, m, n, work);
    for (int64_t j = 0; j < k; j += FACTOR_PANEL) {
        int64_t width = tni_min_i64(FACTOR_PANEL, k - j), right = n - j - width;
        tni_matrix panel = tni_factor_part(factor, a, j, j);
        char *taus = (char *)tau + (size_t)j * factor->size;
        if (!reflect_panel(factor, &room, m - j, width, panel, taus))
            return false;
        if (right && (!reflect_gather(factor, &room, m - j, width, panel, taus) ||
                      !reflect_apply(factor, &room, m - j, right, width, tni_factor_part(factor, panel, 0, width), true)))
            return false;
    }
    return true;
}

bool tni_factor_apply(const tni_factor *factor, int64_t m, int64_t n, int64_t k, tni_matrix v, const void *tau, tni_matrix c,
                      bool adjoint, void *work) {
    reflect_room room = reflect_cut(factor, m, n, work);
    int64_t panels = (k + FACTOR_PANEL - 1) / FACTOR_PANEL;
    for (int64_t step = 0; step < panels; step++) { /* Q^H begins with the first reflection, Q with the last */
        int64_t j = FACTOR_PANEL * (adjoint ? step : panels - 1 - step), width = tni_min_i64(FACTOR_PANEL, k - j);
        if (!reflect_gather(factor, &room, m - j, width, tni_factor_part(factor, v, j, j),
                            (const char *)tau + (size_t)j * factor->size) ||
            !reflect_apply(factor, &room, m - j, n, width, tni_factor_part(factor, c, j, 0), adjoint))
            return false;
    }
    return true;
}
