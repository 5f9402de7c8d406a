/* fft.c - Fourier transforms: against sums in long double for every length to 300, long and prime lengths by their properties, layouts,
 * threads, derivatives, and what is refused.
 *
 * Tests: src/iterate/fourier.c, src/iterate/fourier_large.c, src/iterate/fourier_kept.c, src/cpu/fourier_kernels.c, src/ops/fft/fft.c
 * Tests: src/ops/fft/fft_names.c, src/ops/fft/stft.c, src/autograd/gradients_fft.c */
#include "autograd_helpers.h"

#include "iterate/fourier.h"

enum { FFT_MOST = 300 };

/* An element of a vector, real or complex. */
static tn_complex128 fft_at(const tn_tensor *x, int64_t i) { return tn_item_complex(tn_select(x, 0, i)); }

/* Any numbers, the same each time: between -1 and 1. */
static double fft_wave(int64_t i) { return (double)((i * 7919 + 13) % 2003) / 1001.5 - 1; }

static tn_tensor *fft_signal(int64_t n, tn_dtype dtype) {
    tn_tensor *x = tn_empty(TN_DIMS(n), dtype);
    for (int64_t i = 0; x && i < n; i++) {
        if (dtype == TN_COMPLEX128)
            ((tn_complex128 *)tn_mutable_data(x))[i] = (tn_complex128){fft_wave(i), fft_wave(i + 500)};
        else if (dtype == TN_COMPLEX64)
            ((tn_complex64 *)tn_mutable_data(x))[i] = (tn_complex64){(float)fft_wave(i), (float)fft_wave(i + 500)};
        else if (dtype == TN_FLOAT64)
            ((double *)tn_mutable_data(x))[i] = fft_wave(i);
        else
            ((float *)tn_mutable_data(x))[i] = (float)fft_wave(i);
    }
    return x;
}

/* The transform of x[0 ... n - 1], by its definition. */
static void fft_model(const tn_complex128 *x, int64_t n, bool forward, tn_complex128 *out) {
    static long double cosines[FFT_MOST], sines[FFT_MOST];
    for (int64_t k = 0; k < n; k++) {
        cosines[k] = cosl(2 * 3.14159265358979323846264338327950288L * (long double)k / (long double)n);
        sines[k] = sinl(2 * 3.14159265358979323846264338327950288L * (long double)k / (long double)n) * (forward ? -1 : 1);
    }
    for (int64_t j = 0; j < n; j++) {
        long double re = 0, im = 0;
        for (int64_t k = 0; k < n; k++) {
            int64_t turn = j * k % n;
            re += (long double)x[k].real * cosines[turn] - (long double)x[k].imag * sines[turn];
            im += (long double)x[k].real * sines[turn] + (long double)x[k].imag * cosines[turn];
        }
        out[j] = (tn_complex128){(double)re, (double)im};
    }
}

/* result: (count), complex or real. The error of a transform grows with the logarithm of its length. */
static void fft_check_line(const char *what, int64_t n, const tn_tensor *result, const tn_complex128 *expected, int64_t count,
                           bool single) {
    double allowed = (single ? 0x1p-23 : 0x1p-52) * 2 * sqrt((double)n) * (2 + log2((double)n));
    CHECK(result);
    CHECK_INT(tn_numel(result), count);
    for (int64_t k = 0; k < count; k++) {
        tn_complex128 z = fft_at(result, k);
        double away = hypot(z.real - expected[k].real, z.imag - expected[k].imag);
        if (!(away <= allowed))
            test_fail(__FILE__, __LINE__, "%s of %d: element %d is %g away, %g allowed", what, (int)n, (int)k, away, allowed);
    }
}

static void fft_check_length(int64_t n, tn_dtype dtype) {
    tn_complex128 x[FFT_MOST] = {{0, 0}}, expected[FFT_MOST];
    bool single = dtype == TN_COMPLEX64;
    tn_tensor *z = fft_signal(n, dtype), *real = fft_signal(n, tn_dtype_to_real(dtype));
    CHECK(z && real);
    for (int64_t k = 0; k < n; k++)
        x[k] = fft_at(z, k);
    fft_model(x, n, true, expected);
    fft_check_line("fft", n, tn_fft_fft(z, TN_NONE, -1, "backward"), expected, n, single);
    fft_model(x, n, false, expected);
    fft_check_line("ifft", n, tn_fft_ifft(z, TN_NONE, -1, "forward"), expected, n, single);
    for (int64_t k = 0; k < n; k++)
        x[k] = (tn_complex128){tn_get_double(real, TN_DIMS(k)), 0};
    fft_model(x, n, true, expected);
    tn_tensor *half = tn_fft_rfft(real, TN_NONE, -1, "backward");
    fft_check_line("rfft", n, half, expected, n / 2 + 1, single);
    fft_check_line("fft of real numbers", n, tn_fft_fft(real, TN_NONE, -1, "backward"), expected, n, single);
    fft_check_line("irfft", n, tn_fft_irfft(half, n, -1, "backward"), x, n, single);
}

TEST_ONCE(every_length_to_300_is_its_definition) { /* seconds long with failing allocations; shorter ones below have them */
    for (int64_t n = 1; n <= FFT_MOST; n++)
        fft_check_length(n, TN_COMPLEX128);
    for (int64_t n = 1; n <= FFT_MOST; n += n < 70 ? 1 : 7)
        fft_check_length(n, TN_COMPLEX64);
}

TEST(lengths_of_each_kind_fail_cleanly_without_memory) {
    tni_fourier_forget();
    fft_check_length(12, TN_COMPLEX128);
    fft_check_length(47, TN_COMPLEX64);
    tni_fourier_forget();
}

/* |X|^2 adds up to n times |x|^2, the inverse gives x again, and a shift by one turns every number. */
TEST_SAMPLED(long_and_prime_lengths_keep_energy_turn_with_shifts_and_go_back) {
    static const int64_t lengths[] = {1009, 4099, 32768, 3 * 16384, 40000, 65536, 70001};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        int64_t n = lengths[i];
        tn_tensor *x = fft_signal(n, TN_COMPLEX128);
        tn_tensor *y = tn_fft_fft(x, TN_NONE, 0, "ortho"), *back = tn_fft_ifft(y, TN_NONE, 0, "ortho");
        tn_tensor *shifted = tn_fft_fft(tn_roll(x, TN_DIMS(1), TN_DIMS(0)), TN_NONE, 0, "ortho");
        CHECK(y && back && shifted);
        double away = tn_item_double(tn_amax(tn_abs(tn_sub(back, x)), TN_DIMS(0), false));
        CHECK(away < 1e-14);
        double before = tn_item_double(tn_norm(x, 2)), after = tn_item_double(tn_norm(y, 2));
        CHECK(fabs(before - after) <= 1e-13 * before);
        for (int64_t k = 0; k < n; k += n / 7) {
            double angle = -2 * 3.14159265358979323846 * (double)k / (double)n;
            tn_complex128 a = fft_at(y, k), b = fft_at(shifted, k);
            double re = a.real * cos(angle) - a.imag * sin(angle), im = a.real * sin(angle) + a.imag * cos(angle);
            CHECK(hypot(re - b.real, im - b.imag) < 1e-12);
        }
        tni_fourier_forget();
    }
}

static void fft_one_thread_again(void *nothing) {
    (void)nothing;
    (void)tn_set_num_threads(0);
}

TEST_ONCE(bits_depend_neither_on_threads_nor_on_strides) { /* threads */
    TEST_DEFER(fft_one_thread_again, NULL);
    tn_tensor *x = tn_view(fft_signal(40 * 1000, TN_COMPLEX64), TN_DIMS(40, 1000)), *longer = fft_signal(65536, TN_COMPLEX128);
    CHECK(x && longer);
    tn_tensor *across = tn_contiguous(tn_transpose(x, 0, 1), TN_CONTIGUOUS);
    CHECK(across);
    for (int64_t threads = 1; threads <= 8; threads += threads < 3 ? 1 : 5) {
        CHECK_INT(tn_set_num_threads(threads), TN_OK);
        static tn_tensor *first, *first_long;
        tn_tensor *rows = tn_fft_fft(x, TN_NONE, 1, "backward"),
                  *columns = tn_transpose(tn_fft_fft(across, TN_NONE, 0, "backward"), 0, 1);
        tn_tensor *one = tn_fft_fft(longer, TN_NONE, 0, "backward");
        CHECK(rows && columns && one);
        CHECK(tn_equal(rows, columns));
        if (threads == 1)
            first = rows, first_long = one;
        CHECK(tn_equal(rows, first) && tn_equal(one, first_long));
    }
}

TEST_SAMPLED(several_dimensions_are_one_after_the_other) {
    tn_tensor *x = tn_view(fft_signal(4 * 5 * 6, TN_FLOAT64), TN_DIMS(4, 5, 6));
    tn_tensor *steps =
        tn_fft_fft(tn_fft_fft(tn_fft_fft(x, TN_NONE, 2, "backward"), TN_NONE, 0, "backward"), TN_NONE, 1, "backward");
    tn_tensor *once = tn_fft_fftn(x, TN_DIMS(), TN_DIMS(), "backward");
    tn_tensor *half = tn_fft_rfftn(x, TN_DIMS(), TN_DIMS(), "backward");
    CHECK(steps && once && half);
    CHECK(tn_allclose(once, steps, 1e-12, 1e-12, false));
    CHECK(tn_allclose(half, tn_narrow(once, 2, 0, 4), 1e-12, 1e-12, false));
    CHECK(tn_allclose(tn_fft_irfftn(half, TN_DIMS(4, 5, 6), TN_DIMS(), "backward"), x, 1e-12, 1e-12, false));
    tn_tensor *flipped = tn_fft_fft2(tn_flip(x, TN_DIMS(0, 2)), TN_DIMS(-1, 3), TN_DIMS(2, 0), "ortho");
    CHECK(flipped);
    CHECK_INT(tn_size(flipped, 0), 3);
    CHECK_INT(tn_size(flipped, 2), 6);
    tn_tensor *empty = tn_fft_fft(tn_zeros(TN_DIMS(0, 4), TN_FLOAT32), 7, 1, "backward");
    CHECK(empty);
    CHECK_INT(tn_size(empty, 1), 7);
    CHECK_INT(tn_dtype_of(empty), TN_COMPLEX64);
}

TEST_SAMPLED(an_out_may_be_empty_strided_or_the_operand_itself) {
    tn_tensor *x = tn_view(fft_signal(24, TN_COMPLEX128), TN_DIMS(4, 6));
    tn_tensor *expected = tn_fft_fftn(x, TN_DIMS(), TN_DIMS(), "backward"), *out = tn_empty(TN_DIMS(0), TN_COMPLEX128);
    CHECK(expected && out && tn_fft_fftn_out(out, x, TN_DIMS(), TN_DIMS(), "backward"));
    CHECK(tn_equal(out, expected));
    tn_tensor *strided = tn_transpose(tn_zeros(TN_DIMS(6, 4), TN_COMPLEX128), 0, 1);
    CHECK(strided && tn_fft_fftn_out(strided, x, TN_DIMS(), TN_DIMS(), "backward"));
    CHECK(tn_equal(strided, expected));
    CHECK(tn_fft_fftn_out(x, x, TN_DIMS(), TN_DIMS(), "backward"));
    CHECK(tn_equal(x, expected));
}

TEST_SAMPLED(transforms_have_their_derivatives) {
    CHECK_GRADIENTS("fft_fft", TN_VALUES(grad_complex(5), tn_value_none(), -1));
    CHECK_GRADIENTS("fft_fft", TN_VALUES(grad_input(2, 4), 3, 0));
    CHECK_GRADIENTS("fft_rfft", TN_VALUES(grad_input(6)));
    CHECK_GRADIENTS("fft_rfft", TN_VALUES(grad_input(5)));
    CHECK_GRADIENTS("fft_irfft", TN_VALUES(grad_complex(4)));
    CHECK_GRADIENTS("fft_irfft", TN_VALUES(grad_complex(3), 5));
    CHECK_GRADIENTS("fft_hfft", TN_VALUES(grad_complex(3)));
    CHECK_GRADIENTS("fft_ihfft", TN_VALUES(grad_input(4)));
    CHECK_GRADIENTS("fft_rfft2", TN_VALUES(grad_input(2, 3)));
}

TEST_SAMPLED(a_signal_comes_back_from_its_spectra) {
    tn_tensor *x = tn_view(fft_signal(200, TN_FLOAT64), TN_DIMS(2, 100)), *window = tn_hann_window(16, true, TN_FLOAT64);
    CHECK(x && window);
    tn_tensor *spectra = tn_stft(x, 16, 4, TN_NONE, window, true, "reflect", false, TN_NO_SCALAR, true);
    CHECK(spectra);
    CHECK_INT(tn_size(spectra, 1), 9);
    CHECK_INT(tn_size(spectra, 2), 26);
    tn_tensor *back = tn_istft(spectra, 16, 4, TN_NONE, window, true, false, TN_NO_SCALAR, 100, false);
    CHECK(back && tn_allclose(back, x, 1e-12, 1e-12, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "add up to 0",
                tn_istft(spectra, 16, 4, TN_NONE, window, false, false, TN_NO_SCALAR, TN_NONE, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "return_complex",
                tn_stft(x, 16, 4, TN_NONE, window, true, "reflect", false, TN_NO_SCALAR, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_SHAPE, "no piece of n_fft",
                tn_stft(x, 300, 4, TN_NONE, NULL, false, "reflect", false, TN_NO_SCALAR, true));
    CHECK_ERROR(TN_ERROR_SHAPE, "window", tn_stft(x, 16, 4, 8, window, true, "reflect", false, TN_NO_SCALAR, true));
}

TEST(wrong_transforms_are_refused_with_the_numbers) {
    tn_tensor *x = tn_ones(TN_DIMS(3, 4), TN_FLOAT32), *z = tn_ones(TN_DIMS(3, 4), TN_COMPLEX64);
    CHECK(x && z);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "0 elements", tn_fft_fft(x, 0, -1, "backward"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "\"sideways\"", tn_fft_fft(x, TN_NONE, -1, "sideways"));
    CHECK_ERROR(TN_ERROR_INDEX, "dim", tn_fft_fft(x, TN_NONE, 2, "backward"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "twice", tn_fft_fftn(x, TN_DIMS(), TN_DIMS(0, -2), "backward"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "1 sizes for 2", tn_fft_fftn(x, TN_DIMS(4), TN_DIMS(0, 1), "backward"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "1 sizes for 2", tn_fft_fft2(x, TN_DIMS(4), TN_DIMS(), "backward"));
    CHECK_ERROR(TN_ERROR_DTYPE, "real numbers", tn_fft_rfft(z, TN_NONE, -1, "backward"));
    CHECK_ERROR(TN_ERROR_DTYPE, "complex64", tn__fft_c2c(x, TN_DIMS(0), 0, true));
    CHECK_ERROR(TN_ERROR_SHAPE, "half of that", tn__fft_c2r(z, TN_DIMS(1), 0, 9));
    CHECK_ERROR(TN_ERROR_SHAPE, "no elements", tn__fft_c2c(tn_zeros(TN_DIMS(2, 0), TN_COMPLEX64), TN_DIMS(1), 0, true));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "normalization is 3", tn__fft_c2c(z, TN_DIMS(1), 3, true));
}
