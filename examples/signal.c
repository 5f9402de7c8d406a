/* signal.c - sound as a picture: a spectrogram, a mel filter bank, and a long convolution through Fourier transforms.
 *
 * The signal is a tone that climbs from 300 to 3000 Hz in a second. A spectrogram tells how much of each frequency there is in each short
 * window; a mel filter bank adds up neighbouring frequencies as an ear does, in triangles that are equally wide on the mel scale,
 * 2595 log10(1 + f / 700) (O'Shaughnessy 1987). A reverberation of 4000 samples is a convolution: its direct sum takes samples times
 * samples, transforms take samples times their logarithm, so from a few hundred samples of kernel on they pay.
 */
#include <math.h>
#include <stdio.h>
#include <tenon/tenon.h>

enum { RATE = 8000, WINDOW = 256, HOP = 128, BINS = WINDOW / 2 + 1, BANDS = 20, ECHO = 4000 };

static double mel_of(double frequency) { return 2595 * log10(1 + frequency / 700); }

/* The power of each frequency in each window: (BINS, windows). */
static tn_tensor *spectrogram(const tn_tensor *signal) {
    tn_tensor *window = tn_hann_window(WINDOW, true, TN_FLOAT32);
    return tn_square(tn_abs(tn_stft(signal, WINDOW, HOP, WINDOW, window, true, "reflect", false, true, true)));
}

/* Triangles over the frequencies, (BANDS, BINS): band b climbs from edge b to edge b + 1 and falls to edge b + 2. */
static tn_tensor *mel_filters(void) {
    tn_tensor *mels = tn_linspace(0.0, mel_of(RATE / 2), BANDS + 2, TN_FLOAT64);
    tn_tensor *edges = tn_mul_scalar(tn_sub_scalar(tn_exp(tn_mul_scalar(mels, log(10) / 2595)), 1), 700);
    tn_tensor *frequencies = tn_linspace(0.0, RATE / 2, BINS, TN_FLOAT64); /* (BINS) */
    tn_tensor *low = tn_unsqueeze(tn_narrow(edges, 0, 0, BANDS), 1), *middle = tn_unsqueeze(tn_narrow(edges, 0, 1, BANDS), 1);
    tn_tensor *high = tn_unsqueeze(tn_narrow(edges, 0, 2, BANDS), 1);
    tn_tensor *up = tn_div(tn_sub(frequencies, low), tn_sub(middle, low));
    tn_tensor *down = tn_div(tn_sub(high, frequencies), tn_sub(high, middle));
    return tn_to(tn_clamp_min(tn_minimum(up, down), 0), TN_FLOAT32);
}

/* The whole convolution of two signals: their transforms, padded to the length of the result, are multiplied. */
static tn_tensor *convolve(const tn_tensor *a, const tn_tensor *b) {
    int64_t length = tn_size(a, 0) + tn_size(b, 0) - 1, padded = 1;
    while (padded < length)
        padded *= 2;
    tn_tensor *product = tn_mul(tn_fft_rfft(a, padded, -1, "backward"), tn_fft_rfft(b, padded, -1, "backward"));
    return tn_narrow(tn_fft_irfft(product, padded, -1, "backward"), 0, 0, length);
}

int main(void) {
    tn_scope scope = tn_scope_open();
    tn_tensor *time = tn_div_scalar(tn_arange(RATE, TN_FLOAT64), RATE);
    tn_tensor *phase = tn_add(tn_mul_scalar(time, 300), tn_mul_scalar(tn_square(time), (3000 - 300) / 2));
    tn_tensor *signal = tn_to(tn_sin(tn_mul_scalar(phase, 2 * acos(-1))), TN_FLOAT32);

    tn_tensor *power = spectrogram(signal), *filters = mel_filters();
    tn_tensor *bands = tn_log10(tn_add_scalar(tn_matmul(filters, power), 1e-10)); /* (BANDS, windows) */
    tn_tensor *loudest = tn_argmax(bands, 0, false);

    tn_tensor *decay = tn_exp(tn_mul_scalar(tn_arange(ECHO, TN_FLOAT32), -1.0 / 800));
    tn_tensor *echo = convolve(signal, decay);
    tn_tensor *flipped = tn_flip(decay, TN_DIMS(0)); /* conv1d does not turn its kernel around */
    tn_tensor *direct = tn_conv1d(tn_view(signal, TN_DIMS(1, 1, -1)), tn_view(flipped, TN_DIMS(1, 1, -1)), NULL, TN_DIMS(1),
                                  TN_DIMS(ECHO - 1), TN_DIMS(1), 1);
    tn_tensor *gap = tn_div(tn_amax(tn_abs(tn_sub(echo, tn_view(direct, TN_DIMS(-1)))), TN_DIMS(), false),
                            tn_amax(tn_abs(echo), TN_DIMS(), false));
    if (loudest && gap) {
        printf("%d windows of %d frequencies, in %d bands\n", (int)tn_size(power, 1), BINS, BANDS);
        printf("the loudest band, as the tone climbs:");
        for (int64_t w = 2; w < tn_size(loudest, 0); w += 12)
            printf(" %d", (int)tn_get_int64(loudest, TN_DIMS(w)));
        printf("\nwith its echo: %d samples; direct sum and transforms agree: %s\n", (int)tn_size(echo, 0),
               tn_item_double(gap) < 1e-5 ? "yes" : "no");
    } else
        fprintf(stderr, "%s\n", tn_error_message());
    int failed = tn_error_code() != TN_OK;
    tn_scope_close(scope);
    return failed;
}
