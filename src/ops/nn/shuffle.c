/* shuffle.c - channels that become places, places that become channels, and channels in another order: pixel_shuffle, pixel_unshuffle,
 * channel_shuffle. All are a view with more dimensions, those in another order, and a copy. */
#include "base/error.h"
#include "operators_copy.h"
#include "operators_resampling.h"
#include "operators_view.h"
#include "ops/nn/planes.h"

/* (batch ..., C, H, W) with the dimensions before C seen as one; -1 cannot be used where there are no elements. */
static int64_t shuffle_batch(const tn_tensor *self) {
    int64_t batch = 1;
    for (int64_t d = 0; d < self->ndim - 3; d++)
        batch *= self->sizes[d];
    return batch;
}

static bool shuffle_check(const tn_tensor *self, int64_t factor, const char *name) {
    if (self->ndim < 3) {
        tni_raise(TN_ERROR_SHAPE, "self %s must have at least 3 dimensions: channels, height, width", tni_show_tensor(self));
        return false;
    }
    if (factor > 0 && factor < (INT64_C(1) << 31))
        return true;
    tni_raise(TN_ERROR_ARGUMENT, "%s %" PRId64 " must be above 0, and below 2^31", name, factor);
    return false;
}

/* The result, of the sizes of self but for the last three. */
static tn_tensor *shuffle_end(tn_tensor *made, const tn_tensor *self, int64_t channels, int64_t height, int64_t width) {
    int64_t sizes[TN_MAX_DIMS], first = self->ndim - 3;
    for (int64_t d = 0; d < first; d++)
        sizes[d] = self->sizes[d];
    sizes[first] = channels;
    sizes[first + 1] = height;
    sizes[first + 2] = width;
    tn_tensor *result = made ? tn_view(tn_clone(made, TN_CONTIGUOUS), (tn_dims){sizes, self->ndim}) : NULL;
    return result && tni_plane_is_channels_last(self, 2) ? tn_contiguous(result, TN_CHANNELS_LAST) : result;
}

tn_tensor *tni_composite_pixel_shuffle(const tn_tensor *self, int64_t upscale_factor) {
    int64_t r = upscale_factor;
    if (!shuffle_check(self, r, "upscale_factor"))
        return NULL;
    int64_t channels = self->sizes[self->ndim - 3], height = self->sizes[self->ndim - 2], width = self->sizes[self->ndim - 1];
    if (channels % (r * r) != 0)
        return tni_raise_null(
            TN_ERROR_SHAPE, "%" PRId64 " channels of self %s are not a multiple of upscale_factor * upscale_factor = %" PRId64,
            channels, tni_show_tensor(self), r * r);
    int64_t less = channels / (r * r);
    tn_tensor *parts = tn_reshape(self, TN_DIMS(shuffle_batch(self), less, r, r, height, width));
    return shuffle_end(tn_permute(parts, TN_DIMS(0, 1, 4, 2, 5, 3)), self, less, height * r, width * r);
}

tn_tensor *tni_composite_pixel_unshuffle(const tn_tensor *self, int64_t downscale_factor) {
    int64_t r = downscale_factor;
    if (!shuffle_check(self, r, "downscale_factor"))
        return NULL;
    int64_t channels = self->sizes[self->ndim - 3], height = self->sizes[self->ndim - 2], width = self->sizes[self->ndim - 1];
    if (height % r != 0 || width % r != 0)
        return tni_raise_null(TN_ERROR_SHAPE,
                              "height %" PRId64 " and width %" PRId64
                              " of self %s are not multiples of downscale_factor %" PRId64,
                              height, width, tni_show_tensor(self), r);
    tn_tensor *parts = tn_reshape(self, TN_DIMS(shuffle_batch(self), channels, height / r, r, width / r, r));
    return shuffle_end(tn_permute(parts, TN_DIMS(0, 1, 3, 5, 2, 4)), self, channels * r * r, height / r, width / r);
}

tn_tensor *tni_composite_channel_shuffle(const tn_tensor *self, int64_t groups) {
    if (self->ndim < 3)
        return tni_raise_null(TN_ERROR_SHAPE, "self %s must have at least 3 dimensions, the second of them channels",
                              tni_show_tensor(self));
    int64_t channels = self->sizes[1], batch = self->sizes[0], rest = 1;
    if (groups < 1 || channels % groups != 0)
        return tni_raise_null(TN_ERROR_ARGUMENT, "%" PRId64 " channels of self %s are not %" PRId64 " whole groups", channels,
                              tni_show_tensor(self), groups);
    for (int64_t d = 2; d < self->ndim; d++)
        rest *= self->sizes[d];
    tn_tensor *parts = tn_transpose(tn_reshape(self, TN_DIMS(batch, groups, channels / groups, rest)), 1, 2);
    tn_tensor *result = tn_clone(parts, TN_CONTIGUOUS);
    result = result ? tn_view(result, tn_sizes(self)) : NULL;
    return result && self->ndim > 3 && tni_plane_is_channels_last(self, self->ndim - 2)
               ? tn_contiguous(result, self->ndim == 4 ? TN_CHANNELS_LAST : TN_CHANNELS_LAST_3D)
               : result;
}

tn_tensor *tni_composite_native_channel_shuffle(const tn_tensor *self, int64_t groups) {
    return tn_channel_shuffle(self, groups);
}
