/* diff.c - `tenon diff`: two files of tensors, name by name. Status 0: the same; 1: different; 2: could not be compared. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

static const char diff_usage[] =
    "usage: tenon diff [--atol A] [--rtol R] [--json] [--quiet] A B\n"
    "\n"
    "Compares tensors by their names: what only one file has, other dtypes and shapes, and the largest differences of elements: absolute,\n"
    "relative, in units of the last place (of the coarser dtype), and the first place. NaN equals NaN. Metadata are not compared. Status 0: the same, 1: different, 2: trouble.\n"
    "\n"
    "  --atol, --rtol   differences up to A + R * |b| are none\n"
    "  --json           a list of the differences, empty for none\n"
    "  --quiet          only the status\n"
    "\n"
    "  tenon diff a.npy b.npy && echo the same\n"
    "  tenon diff --rtol 1e-5 before.pt after.safetensors\n";

enum { DIFF_SAME = 0, DIFF_DIFFERENT = 1, DIFF_TROUBLE = 2 };

typedef struct diff_wanted {
    double atol, rtol;
    bool json, quiet;
} diff_wanted;

typedef struct diff_result {
    double absolute, relative, units;
    int64_t different, first;
} diff_result;

typedef struct diff_state {
    const diff_wanted *wanted;
    diff_result *result;
    const int64_t *whole_a, *whole_b; /* of integers: the elements themselves; NULL */
    int64_t at;
    int digits, least; /* bits of a significand, and the exponent of the least number that has all of them */
} diff_state;

/* Bits of the significand, and the least normal exponent, of the coarser of two dtypes. */
static void diff_precision(tn_dtype dtype, int *digits, int *least) {
    static const struct {
        uint8_t dtype, digits;
        int16_t least;
    } all[] = {{TN_FLOAT16, 11, -14},    {TN_BFLOAT16, 8, -126}, {TN_FLOAT8_E4M3FN, 4, -6},
               {TN_FLOAT8_E5M2, 3, -14}, {TN_FLOAT32, 24, -126}, {TN_COMPLEX64, 24, -126}};
    int own = 53, lowest = -1022;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].dtype == dtype) {
            own = all[i].digits;
            lowest = all[i].least;
        }
    if (own < *digits) {
        *digits = own;
        *least = lowest;
    }
}

static void diff_elements(diff_state *state, const double *a, const double *b, int64_t count) {
    diff_result *result = state->result;
    for (int64_t i = 0; i < count; i++) {
        double x = a[i], y = b[i];
        bool whole =
            state->whole_a && state->whole_a[i] != state->whole_b[i]; /* integers that are one double need not be one number */
        if (!whole && (x == y || (isnan(x) && isnan(y))))
            continue;
        double absolute = fabs(x - y), limit = state->wanted->atol + state->wanted->rtol * fabs(y);
        if (whole && absolute < 4096) { /* beyond 2^53 the doubles are coarse */
            uint64_t more = (uint64_t)state->whole_a[i] - (uint64_t)state->whole_b[i];
            absolute = (double)(more < 0 - more ? more : 0 - more);
        }
        if (!isfinite(x) || !isfinite(y)) /* no tolerance reaches an infinity */
            absolute = INFINITY;
        else if (absolute <= limit)
            continue;
        if (!result->different++)
            result->first = state->at + i;
        int exponent;
        (void)frexp(fmax(fabs(x), fabs(y)), &exponent);
        exponent = exponent - 1 < state->least ? state->least : exponent - 1;
        double units = isfinite(absolute) ? absolute / ldexp(1, exponent - (state->digits - 1)) : INFINITY;
        double relative = isfinite(absolute) ? absolute / fabs(y) : INFINITY;
        result->absolute = fmax(result->absolute, absolute);
        result->relative = fmax(result->relative, relative);
        result->units = fmax(result->units, units);
    }
    state->at += count;
}

enum { DIFF_STEP = 1 << 16 };

static bool diff_tensors(const tn_tensor *a, const tn_tensor *b, const diff_wanted *wanted, diff_result *result) {
    diff_state state = {.wanted = wanted, .result = result, .digits = 53, .least = -1022};
    diff_precision(tn_dtype_of(a), &state.digits, &state.least);
    diff_precision(tn_dtype_of(b), &state.digits, &state.least);
    tn_scope scope = tn_scope_open();
    tn_tensor *x = tn_reshape(a, TN_DIMS(-1)), *y = tn_reshape(b, TN_DIMS(-1));
    bool good = x && y;
    bool whole = tn_dtype_is_integral(tn_dtype_of(a)) && tn_dtype_is_integral(tn_dtype_of(b)) &&
                 (tn_dtype_of(a) == TN_UINT64) == (tn_dtype_of(b) == TN_UINT64); /* otherwise 2^64 - 1 would be -1 */
    bool complex = tn_dtype_is_complex(tn_dtype_of(a)) || tn_dtype_is_complex(tn_dtype_of(b));
    for (int64_t at = 0; good && at < tn_numel(x); at += DIFF_STEP) {
        tn_scope inner = tn_scope_open();
        int64_t end = at + DIFF_STEP < tn_numel(x) ? at + DIFF_STEP : tn_numel(x);
        tn_dtype dtype = complex ? TN_COMPLEX128 : TN_FLOAT64;
        tn_tensor *u = tn_contiguous(tn_to(tn_slice(x, 0, at, end, 1), dtype), TN_CONTIGUOUS);
        tn_tensor *v = tn_contiguous(tn_to(tn_slice(y, 0, at, end, 1), dtype), TN_CONTIGUOUS);
        good = u && v;
        if (good && whole) {
            tn_tensor *p = tn_contiguous(tn_to(tn_slice(x, 0, at, end, 1), TN_INT64), TN_CONTIGUOUS);
            tn_tensor *q = tn_contiguous(tn_to(tn_slice(y, 0, at, end, 1), TN_INT64), TN_CONTIGUOUS);
            good = p && q;
            state.whole_a = good ? tn_data(p) : NULL;
            state.whole_b = good ? tn_data(q) : NULL;
        }
        if (good)
            diff_elements(&state, tn_data(u), tn_data(v), (end - at) * (complex ? 2 : 1));
        tn_scope_close(inner);
    }
    if (complex)
        result->first /= 2;
    tn_scope_close(scope);
    return good;
}

static void diff_place(char text[512], tn_dims sizes, int64_t flat) {
    int64_t index[TN_MAX_DIMS] = {0};
    for (int64_t i = sizes.count; i-- > 0;) {
        index[i] = flat % sizes.values[i];
        flat /= sizes.values[i];
    }
    size_t used = (size_t)snprintf(text, 512, "[");
    for (int64_t i = 0; i < sizes.count && used < 480; i++)
        used += (size_t)snprintf(text + used, 512 - used, i ? ", %lld" : "%lld", (long long)index[i]);
    snprintf(text + used, 512 - used, "]");
}

static void diff_say(const diff_wanted *wanted, int *said, const char *name, const char *what) {
    if (wanted->json) {
        printf(*said ? ",\n {\"name\": " : "[{\"name\": ");
        json_text(stdout, name);
        printf(", \"difference\": ");
        json_text(stdout, what);
    } else if (!wanted->quiet) {
        say_name(stdout, name, 0);
        printf(": %s", what);
    }
    ++*said;
}

static void diff_end(const diff_wanted *wanted) {
    if (!wanted->quiet || wanted->json)
        fputs(wanted->json ? "}" : "\n", stdout);
}

static bool same_shape(tn_dims a, tn_dims b) {
    return a.count == b.count && (a.count == 0 || memcmp(a.values, b.values, (size_t)a.count * sizeof *a.values) == 0);
}

static bool diff_pair(const tn_file *a, const tn_file *b, int64_t i, int64_t k, const diff_wanted *wanted, int *said) {
    tn_file_tensor left = TN_FILE_TENSOR, right = TN_FILE_TENSOR;
    char text[1200], x[512], y[512];
    if (tn_file_describe(a, i, &left) != TN_OK || tn_file_describe(b, k, &right) != TN_OK)
        return false;
    if (!same_shape(left.sizes, right.sizes)) {
        say_shape(x, left.sizes);
        say_shape(y, right.sizes);
        snprintf(text, sizeof text, "shape %s, then %s", x, y);
        diff_say(wanted, said, left.name, text);
        diff_end(wanted);
        return true;
    }
    tn_scope scope = tn_scope_open();
    diff_result result = {0, 0, 0, 0, 0};
    tn_tensor *u = tn_file_take_at(a, i), *v = u ? tn_file_take_at(b, k) : NULL;
    bool good = v && diff_tensors(u, v, wanted, &result);
    if (good && left.dtype != right.dtype) {
        snprintf(text, sizeof text, "dtype %s, then %s", tn_dtype_name(left.dtype), tn_dtype_name(right.dtype));
        diff_say(wanted, said, left.name, text);
        diff_end(wanted);
    }
    if (good && result.different) {
        diff_place(x, left.sizes, result.first);
        snprintf(text, sizeof text, "%lld of %lld elements, max abs %.6g, rel %.6g, %.6g ulp, first at %s",
                 (long long)result.different, (long long)tn_numel(u), result.absolute, result.relative, result.units, x);
        diff_say(wanted, said, left.name, text);
        if (wanted->json) {
            printf(", \"elements\": %lld, \"max_abs\": ", (long long)result.different);
            json_number(stdout, result.absolute);
            printf(", \"max_rel\": ");
            json_number(stdout, result.relative);
            printf(", \"max_ulp\": ");
            json_number(stdout, result.units);
            printf(", \"first\": %s", x);
        }
        diff_end(wanted);
    }
    tn_scope_close(scope);
    return good;
}

static int diff_files(const tn_file *a, const tn_file *b, const diff_wanted *wanted) {
    int said = 0;
    bool good = true;
    int64_t same = 0;
    tn_file_tensor about = TN_FILE_TENSOR;
    bool one = tn_file_count(a) == 1 && tn_file_count(b) == 1; /* the name of a single array says nothing */
    for (int64_t i = 0; good && i < tn_file_count(a); i++) {
        good = tn_file_describe(a, i, &about) == TN_OK;
        int64_t k = good ? (one ? 0 : tn_file_find(b, about.name)) : -1;
        int before = said;
        if (good && k < 0) {
            diff_say(wanted, &said, about.name, "only in the first");
            diff_end(wanted);
        } else if (good)
            good = diff_pair(a, b, i, k, wanted, &said);
        same += said == before;
    }
    for (int64_t k = 0; good && !one && k < tn_file_count(b); k++) {
        good = tn_file_describe(b, k, &about) == TN_OK;
        if (good && tn_file_find(a, about.name) < 0) {
            diff_say(wanted, &said, about.name, "only in the second");
            diff_end(wanted);
        }
    }
    if (wanted->json)
        printf(said ? "]\n" : "[]\n");
    else if (good && !wanted->quiet && said)
        printf(same == 1 ? "%lld tensor is the same\n" : "%lld tensors are the same\n", (long long)same);
    if (!good)
        command_failed();
    return !good ? DIFF_TROUBLE : said ? DIFF_DIFFERENT : DIFF_SAME;
}

int command_diff(int argc, char **argv) {
    const char *given[2];
    diff_wanted wanted = {0, 0, false, false};
    const option known[] = {{.name = "atol", .number = &wanted.atol},
                            {.name = "rtol", .number = &wanted.rtol},
                            {.name = "json", .flag = &wanted.json},
                            {.name = "quiet", .flag = &wanted.quiet}};
    command_line all = {"diff", diff_usage, known, 4, 2, 2, given, 0};
    source_options source = {NULL, NULL, NULL, false};
    int status = options_read(&all, argc, argv);
    if (status >= 0)
        return status;
    tn_scope scope = tn_scope_open();
    tn_file *a = source_open(given[0], &source), *b = a ? source_open(given[1], &source) : NULL;
    status = b ? diff_files(a, b, &wanted) : DIFF_TROUBLE;
    tn_scope_close(scope);
    return status;
}
