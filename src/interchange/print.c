/* print.c - a tensor as text: what is shown of it, where lines break, and what follows the elements.
 *
 * The text is made in two walks over the elements that are shown: the first surveys them (print_number.h), the second writes
 * them. Both take the same path, so a summarised tensor of any size is read only at its edges, and nothing is allocated.
 * Invariant: all that is written goes through print_put, which alone knows whether the target is a stream, a buffer or just
 * a length, and keeps the column, which decides whether suffixes fit on the line.
 *
 * The format is PyTorch's, quirks included: the ellipsis of a row has a space before it and counts as an element where rows are
 * broken; the widths of rows include a separator after the last element; the first suffix is taken to be two columns further
 * right than it is.
 */
#include <tenon/autograd.h>
#include <tenon/print.h>

#include <pthread.h>

#include "base/error.h"
#include "base/thread.h"
#include "interchange/print_number.h"
#include "tensor/tensor.h"

/* ---- options ------------------------------------------------------------------------------------------------------- */

#define PRINT_OPTIONS_USUAL                                                                                                    \
    { sizeof(tn_print_options), 4, 3, 1000, 80, TN_NOTATION_AUTO, TN_SPELLING_TENON }

static pthread_mutex_t print_options_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t print_options_once = PTHREAD_ONCE_INIT;
static tn_print_options print_options_set = PRINT_OPTIONS_USUAL;

/* The lock is held over a fork, so that the child does not find it taken by a thread it does not have. */
static void print_options_take(void) { pthread_mutex_lock(&print_options_lock); }
static void print_options_give(void) { pthread_mutex_unlock(&print_options_lock); }
static void print_options_watch_fork(void) { (void)pthread_atfork(print_options_take, print_options_give, print_options_give); }

static void print_options_enter(void) {
    pthread_once(&print_options_once, print_options_watch_fork);
    print_options_take();
}

/* Usual values in place of zeros, and -1 for every negative one. Raises and returns false for what is out of range. */
static bool print_options_settle(const tn_print_options *given, tn_print_options *out) {
    const tn_print_options usual = PRINT_OPTIONS_USUAL;
    if (given->struct_size < sizeof given->struct_size) {
        tni_raise(TN_ERROR_ARGUMENT, "options->struct_size is %zu; set it to sizeof(tn_print_options), which is %zu",
                  given->struct_size, sizeof *given);
        return false;
    }
    tn_print_options options = {0};
    memcpy(&options, given, given->struct_size < sizeof options ? given->struct_size : sizeof options);
    options.struct_size = sizeof options;
    if (options.precision > TN_PRINT_PRECISION_MAX) {
        tni_raise(TN_ERROR_ARGUMENT, "options->precision is %d; at most %d digits are printed", options.precision,
                  (int)TN_PRINT_PRECISION_MAX);
        return false;
    }
    if (options.line_width < 0) {
        tni_raise(TN_ERROR_ARGUMENT, "options->line_width is %d; a line cannot be narrower than 1", options.line_width);
        return false;
    }
    if ((unsigned)options.notation > TN_NOTATION_SCIENTIFIC) {
        tni_raise(TN_ERROR_ARGUMENT, "options->notation is %d, which is not a tn_print_notation", (int)options.notation);
        return false;
    }
    if (options.dtypes != TN_SPELLING_TENON && options.dtypes != TN_SPELLING_TORCH) {
        tni_raise(TN_ERROR_ARGUMENT, "options->dtypes is %d; dtypes are printed in Tenon's spelling or in torch's",
                  (int)options.dtypes);
        return false;
    }
    options.precision = options.precision == 0 ? usual.precision : options.precision < 0 ? -1 : options.precision;
    options.edge_items = options.edge_items == 0 ? usual.edge_items : options.edge_items < 0 ? -1 : options.edge_items;
    options.threshold = options.threshold == 0 ? usual.threshold : options.threshold < 0 ? -1 : options.threshold;
    options.line_width = options.line_width == 0 ? usual.line_width : options.line_width;
    *out = options;
    return true;
}

static tn_print_options print_options_current(void) {
    print_options_enter();
    tn_print_options options = print_options_set;
    print_options_give();
    return options;
}

tn_error tn_set_print_options(const tn_print_options *options) {
    const char *outer = tni_operator_enter("set_print_options");
    tn_print_options settled = PRINT_OPTIONS_USUAL;
    bool valid = !options || print_options_settle(options, &settled);
    if (valid) {
        print_options_enter();
        print_options_set = settled;
        print_options_give();
    }
    tni_operator_leave(outer);
    return valid ? TN_OK : TN_ERROR_ARGUMENT;
}

tn_error tn_get_print_options(tn_print_options *out) {
    const char *outer = tni_operator_enter("get_print_options");
    tn_error result = TN_OK;
    if (!out) {
        result = tni_raise_missing("out");
    } else if (out->struct_size < sizeof out->struct_size) {
        result = tni_raise(TN_ERROR_ARGUMENT, "out->struct_size is %zu; set it to sizeof(tn_print_options), which is %zu",
                           out->struct_size, sizeof *out);
    } else {
        tn_print_options options = print_options_current();
        options.struct_size = out->struct_size < sizeof options ? out->struct_size : sizeof options;
        memcpy(out, &options, options.struct_size);
    }
    tni_operator_leave(outer);
    return result;
}

/* ---- the writer ---------------------------------------------------------------------------------------------------- */

typedef struct print_writer {
    FILE *stream; /* NULL: to the buffer */
    char *buffer;
    size_t room;    /* of the buffer, the final NUL not counted */
    int64_t length; /* of the whole text so far, including what did not fit */
    int64_t column; /* characters on the present line */
    bool failed;    /* the stream refused something; nothing more is sent to it */
} print_writer;

static void print_put(print_writer *writer, const char *text, size_t length) {
    if (writer->stream) {
        writer->failed = writer->failed || fwrite(text, 1, length, writer->stream) != length;
    } else if ((uint64_t)writer->length < writer->room) {
        size_t left = writer->room - (size_t)writer->length;
        memcpy(writer->buffer + writer->length, text, length < left ? length : left);
    }
    writer->length += (int64_t)length;
    writer->column += (int64_t)length;
}

static void print_put_text(print_writer *writer, const char *text) { print_put(writer, text, strlen(text)); }

static void print_put_blanks(print_writer *writer, int64_t count) {
    static const char blanks[] = "                                ";
    for (; count > 0; count -= (int64_t)sizeof blanks - 1)
        print_put(writer, blanks, (size_t)tni_min_i64(count, (int64_t)sizeof blanks - 1));
}

static void print_put_newlines(print_writer *writer, int64_t count, int64_t indent) {
    for (int64_t i = 0; i < count; i++)
        print_put(writer, "\n", 1);
    writer->column = 0;
    print_put_blanks(writer, indent);
}

/* ---- the elements -------------------------------------------------------------------------------------------------- */

static const char print_opening[] = "tensor(";
enum { PRINT_INDENT = sizeof print_opening - 1 };

typedef struct print_job {
    print_writer writer;
    const tn_tensor *tensor;
    tn_print_options options;
    int64_t item; /* bytes of an element */
    int64_t edge; /* elements at each end of a dimension that is longer than two edges */
    int64_t per_line;
    int parts; /* numbers in an element: 2, real and imaginary, when it is complex */
    tni_number_survey survey[2];
    tni_number_format format[2];
} print_job;

/* How many of a dimension's elements are shown: all, or the first and the last `edge` ones. */
static int64_t print_shown_count(const print_job *job, int64_t size) { return size > 2 * job->edge ? 2 * job->edge : size; }

/* The k-th of those, for a dimension that begins at `at`. The stride of a dimension of one element may be any number, so it
 * is not multiplied before it is needed. */
static const char *print_shown_at(const print_job *job, int64_t dim, const char *at, int64_t k) {
    int64_t size = job->tensor->sizes[dim];
    int64_t index = k < job->edge ? k : size - print_shown_count(job, size) + k;
    return index == 0 ? at : at + index * job->tensor->strides[dim] * job->item;
}

static void print_load(const print_job *job, const char *at, tn_scalar parts[2]) {
    parts[0] = tn_dtype_load((tn_dtype)job->tensor->dtype, at);
    if (job->parts == 2) {
        parts[1] = tn_scalar_float(parts[0].value.c.imag);
        parts[0] = tn_scalar_float(parts[0].value.c.real);
    }
}

static void print_survey(print_job *job, int64_t dim, const char *at) {
    const tn_tensor *tensor = job->tensor;
    if (dim == tensor->ndim) {
        tn_scalar parts[2];
        print_load(job, at, parts);
        for (int part = 0; part < job->parts; part++)
            tni_number_survey_add(&job->survey[part], parts[part]);
        return;
    }
    int64_t shown = print_shown_count(job, tensor->sizes[dim]);
    for (int64_t k = 0; k < shown; k++)
        print_survey(job, dim + 1, print_shown_at(job, dim, at, k));
}

/* The first number is padded; an imaginary part follows it with its sign. */
static void print_element(print_job *job, const char *at) {
    char text[TNI_NUMBER_SIZE];
    tn_scalar parts[2];
    print_load(job, at, parts);
    int length = tni_number_write(&job->format[0], parts[0], text);
    print_put_blanks(&job->writer, job->format[0].width - length);
    print_put(&job->writer, text, (size_t)length);
    if (job->parts == 2) {
        length = tni_number_write(&job->format[1], parts[1], text);
        if (text[0] != '-')
            print_put_text(&job->writer, "+");
        print_put(&job->writer, text, (size_t)length);
        print_put_text(&job->writer, "j");
    }
}

/* What comes before the element or ellipsis at this place of a row. */
static void print_row_separator(print_job *job, int64_t place) {
    if (place == 0)
        return;
    print_put_text(&job->writer, ",");
    if (place % job->per_line == 0)
        print_put_newlines(&job->writer, 1, PRINT_INDENT + job->tensor->ndim);
    else
        print_put_text(&job->writer, " ");
}

/* The last dimension: elements side by side, `per_line` of them on a line. */
static void print_row(print_job *job, const char *at) {
    int64_t dim = job->tensor->ndim - 1, size = job->tensor->sizes[dim];
    int64_t shown = print_shown_count(job, size), place = 0;
    for (int64_t k = 0; k < shown; k++) {
        if (shown < size && k == job->edge) {
            print_row_separator(job, place++);
            print_put_text(&job->writer, " ...");
        }
        print_row_separator(job, place++);
        print_element(job, print_shown_at(job, dim, at, k));
    }
}

/* A dimension and all inside it: blocks are below each other, with one more empty line for each dimension within them. */
static void print_block(print_job *job, int64_t dim, const char *at) {
    const tn_tensor *tensor = job->tensor;
    int64_t size = tensor->sizes[dim], shown = print_shown_count(job, size), inside = tensor->ndim - 1 - dim;
    print_put_text(&job->writer, "[");
    if (inside == 0)
        print_row(job, at);
    for (int64_t k = 0; inside > 0 && k < shown; k++) {
        if (k > 0) {
            print_put_text(&job->writer, ",");
            print_put_newlines(&job->writer, inside, PRINT_INDENT + dim + 1);
        }
        if (shown < size && k == job->edge) {
            print_put_text(&job->writer, "...,");
            print_put_newlines(&job->writer, inside, PRINT_INDENT + dim + 1);
        }
        print_block(job, dim + 1, print_shown_at(job, dim, at, k));
    }
    print_put_text(&job->writer, "]");
}

static void print_elements(print_job *job) {
    const tn_tensor *tensor = job->tensor;
    bool summarised = tensor->numel > (job->options.threshold < 0 ? 0 : job->options.threshold);
    job->edge = !summarised ? INT64_MAX / 2 : job->options.edge_items < 0 ? 0 : job->options.edge_items;
    if (job->edge == 0 && tensor->ndim > 0) {
        print_put_text(&job->writer, "[...]");
        return;
    }
    const char *first = tni_tensor_read(tensor);
    int precision = job->options.precision < 0 ? 0 : job->options.precision;
    print_survey(job, 0, first);
    for (int part = 0; part < job->parts; part++)
        job->format[part] = tni_number_format_choose(&job->survey[part], job->options.notation, precision);
    if (tensor->ndim == 0) {
        print_element(job, first);
        return;
    }
    int element = job->format[0].width + 2 + (job->parts == 2 ? job->format[1].width + 1 : 0);
    int64_t space = job->options.line_width - (PRINT_INDENT + tensor->ndim - 1);
    job->per_line = tni_max_i64(1, space / element);
    print_block(job, 0, first);
}

/* ---- the suffixes -------------------------------------------------------------------------------------------------- */

/* One of the remarks that follow the elements: "dtype=float64". On the same line if it fits, else on a new one. */
static void print_suffix(print_job *job, int64_t *reckoned, const char *text) {
    int64_t length = (int64_t)strlen(text);
    print_put_text(&job->writer, ",");
    if (*reckoned + length + 2 > job->options.line_width) {
        print_put_newlines(&job->writer, 1, PRINT_INDENT);
        *reckoned = PRINT_INDENT + length;
    } else {
        print_put_text(&job->writer, " ");
        *reckoned += length + 2;
    }
    print_put_text(&job->writer, text);
}

/* Whether there is nothing to show: the meta device has only sizes and dtypes, which are then in the suffixes. */
static bool print_is_hollow(const tn_tensor *tensor) { return tn_device_of(tensor).type == TN_META; }

/* Whether the written elements already show the dtype. */
static bool print_dtype_is_understood(const tn_tensor *tensor) {
    tn_dtype dtype = (tn_dtype)tensor->dtype, usual = tn_default_dtype();
    if (dtype == usual || tensor->numel == 0 || print_is_hollow(tensor))
        return dtype == usual;
    return dtype == TN_INT64 || dtype == TN_BOOL || dtype == (usual == TN_FLOAT64 ? TN_COMPLEX128 : TN_COMPLEX64);
}

static void print_suffixes(print_job *job) {
    const tn_tensor *tensor = job->tensor;
    tn_device device = tn_device_of(tensor);
    int64_t reckoned = job->writer.column + 2;
    char text[24 * TN_MAX_DIMS];
    tni_text suffix = {text, sizeof text, 0};
    if (device.type != TN_CPU) {
        if (device.type == TN_META)
            tni_text_append(&suffix, "device='meta'");
        else
            tni_text_append(&suffix, "device='%s:%d'", tn_device_type_name(device.type), (int)device.index);
        print_suffix(job, &reckoned, text);
    }
    if (print_is_hollow(tensor) || (tensor->numel == 0 ? tensor->ndim != 1 : job->options.edge_items < 0)) {
        suffix.length = 0;
        tni_text_append(&suffix, "size=(");
        for (int64_t dim = 0; dim < tensor->ndim; dim++)
            tni_text_append(&suffix, dim == 0 ? "%" PRId64 : ", %" PRId64, tensor->sizes[dim]);
        tni_text_append(&suffix, tensor->ndim == 1 ? ",)" : ")");
        print_suffix(job, &reckoned, text);
    }
    if (!print_dtype_is_understood(tensor)) {
        suffix.length = 0;
        tni_text_append(&suffix, "dtype=%s", tn_dtype_spelling((tn_dtype)tensor->dtype, job->options.dtypes));
        print_suffix(job, &reckoned, text);
    }
    if (tn_requires_grad(tensor)) {
        tn_node *node = tn_tensor_node(tensor);
        suffix.length = 0;
        if (node)
            tni_text_append(&suffix, "grad_fn=<%s>", tn_node_name(node));
        else
            tni_text_append(&suffix, "requires_grad=True");
        tn_node_release(node);
        print_suffix(job, &reckoned, text);
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------------------- */

/* Whether the tensor can be printed: it is one, and the CPU can read its elements, or there are none. */
static tn_error print_check(const tn_tensor *tensor) {
    if (!tni_tensor_check(tensor, "tensor"))
        return tni_failed();
    tn_device device = tn_device_of(tensor);
    if (device.type != TN_CPU && device.type != TN_META && tensor->numel > 0)
        return tni_raise(TN_ERROR_DEVICE, "the elements of tensor %s are on %s:%d; copy them to the cpu to print them",
                         tni_show_tensor(tensor), tn_device_type_name(device.type), (int)device.index);
    return TN_OK;
}

static void print_tensor(print_job *job) {
    print_put_text(&job->writer, print_opening);
    if (print_is_hollow(job->tensor))
        print_put_text(&job->writer, "...");
    else if (job->tensor->numel == 0)
        print_put_text(&job->writer, "[]");
    else
        print_elements(job);
    print_suffixes(job);
    print_put_text(&job->writer, ")");
}

static print_job print_job_begin(const tn_tensor *tensor, tn_print_options options, print_writer writer) {
    return (print_job){.writer = writer,
                       .tensor = tensor,
                       .options = options,
                       .item = (int64_t)tni_tensor_item_size(tensor),
                       .parts = tn_dtype_is_complex((tn_dtype)tensor->dtype) ? 2 : 1};
}

tn_error tn_print(const tn_tensor *tensor, FILE *stream) {
    const char *outer = tni_operator_enter("print");
    tn_error result = print_check(tensor);
    if (result == TN_OK && !stream)
        result = tni_raise_missing("stream");
    if (result == TN_OK) {
        print_job job = print_job_begin(tensor, print_options_current(), (print_writer){.stream = stream});
        flockfile(stream);
        print_tensor(&job);
        print_put_text(&job.writer, "\n");
        funlockfile(stream);
        if (job.writer.failed)
            result = tni_raise(TN_ERROR_IO, "the stream refused the text of tensor %s", tni_show_tensor(tensor));
    }
    tni_operator_leave(outer);
    return result;
}

int64_t tn_format(const tn_tensor *tensor, char *buffer, size_t size, const tn_print_options *options) {
    const char *outer = tni_operator_enter("format");
    tn_print_options settled;
    bool valid = print_check(tensor) == TN_OK;
    if (valid && !buffer && size > 0) {
        tni_raise(TN_ERROR_ARGUMENT, "buffer is NULL, but its size is given as %zu bytes", size);
        valid = false;
    }
    if (valid && options)
        valid = print_options_settle(options, &settled);
    else
        settled = print_options_current();
    int64_t length = -1;
    if (valid) {
        size_t room = size > 0 ? size - 1 : 0;
        print_job job = print_job_begin(tensor, settled, (print_writer){.buffer = buffer, .room = room});
        print_tensor(&job);
        length = job.writer.length;
        if (size > 0)
            buffer[(uint64_t)length < room ? (size_t)length : room] = '\0';
    }
    tni_operator_leave(outer);
    return length;
}
