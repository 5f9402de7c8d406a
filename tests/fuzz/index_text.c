/* index_text.c - fuzzes the index as text: whatever the text, the result is a view inside the storage or an error that names a
 * column or an item, nothing is copied, and an assignment through the same text reaches exactly the selected elements. The
 * first byte chooses the tensor. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <tenon/tenon.h>

#define DEMAND(condition)                                                                                                      \
    do {                                                                                                                       \
        if (!(condition))                                                                                                      \
            abort();                                                                                                           \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Shapes with a size of 0, of 1, expanded, reversed, without dimensions, and with more dimensions than fit inline. */
static tn_tensor *fuzz_source(uint8_t which) {
    tn_tensor *x = tn_arange(24, TN_INT32);
    switch (which % 8) {
    case 0: return tn_view(x, TN_DIMS(2, 3, 4));
    case 1: return x;
    case 2: return tn_select(x, 0, 5);
    case 3: return tn_view(tn_slice(x, 0, 0, 0, 1), TN_DIMS(3, 0, 2));
    case 4: return tn_flip(tn_view(x, TN_DIMS(4, 1, 6)), TN_DIMS(0, 2));
    case 5: return tn_view(x, TN_DIMS(2, 1, 2, 1, 3, 1, 2));
    case 6: return tn_transpose(tn_view(x, TN_DIMS(4, 6)), 0, 1);
    default: return tn_slice(x, 0, TN_NONE, TN_NONE, INT64_MAX);
    }
}

static void fuzz_check_view(const tn_tensor *view, const tn_tensor *x) {
    tn_geometry_ref geometry = {tn_ndim(view), tn_storage_offset(view), tn_sizes(view).values, tn_strides(view).values};
    DEMAND(tn_is_alias_of(view, x));
    DEMAND(tn_numel(view) >= 0 && tn_numel(view) <= tn_numel(x));
    DEMAND(tn_geometry_check_storage(geometry, 4, 24 * 4) == TN_GEOMETRY_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    char *text = malloc(size); /* exactly as long as the text: reading beyond it is found */
    if (!text)
        return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;

    tn_scope scope = tn_scope_open();
    tn_tensor *x = fuzz_source(data[0]);
    DEMAND(x);
    tn_counters before = tn_counters_now();
    tn_tensor *view = tn_index_text(x, text);
    DEMAND((view == NULL) == (tn_error_code() != TN_OK));
    DEMAND(tn_error_code() != TN_ERROR_INTERNAL && tn_error_code() != TN_ERROR_MEMORY);
    if (!view)
        DEMAND(strstr(tn_error_message(), "column") || strstr(tn_error_message(), "item") ||
               strstr(tn_error_message(), "index"));
    tn_error_clear();
    tn_counters spent = tn_counters_since(before);
    DEMAND(spent.copies == 0 && spent.allocations == 0);
    if (view) {
        fuzz_check_view(view, x);
        int64_t marked = 0;
        DEMAND(tn_setitem_text_scalar_(x, text, -1) == x);
        const int32_t *memory = tn_data_int32(tn_as_strided(x, TN_DIMS(24), TN_DIMS(1), 0));
        DEMAND(memory);
        for (int k = 0; k < 24; k++) {
            DEMAND(memory[k] == k || memory[k] == -1);
            marked += memory[k] == -1;
        }
        DEMAND(marked == tn_numel(view));
    }
    tn_scope_close(scope);
    free(text);
    return 0;
}
