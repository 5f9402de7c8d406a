/* einsum.c - fuzzes the equation of einsum: whatever it says, there is a result, or an error that names a character, an operand or a
 * label; the explanation says the same of it; and operands are not changed. The first byte chooses the tensors. */
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

/* Tensors with sizes of 0, 1, 2 and 3, expanded, reversed, transposed, without dimensions: so small that any equation is soon done. */
static const tn_tensor *fuzz_operand(unsigned which) {
    tn_tensor *x = tn_arange(12, TN_INT32);
    switch (which % 8) {
    case 0: return tn_view(tn_slice(x, 0, 0, 4, 1), TN_DIMS(2, 2));
    case 1: return tn_view(x, TN_DIMS(2, 2, 3));
    case 2: return tn_select(x, 0, 5);
    case 3: return tn_view(tn_slice(x, 0, 0, 0, 1), TN_DIMS(2, 0, 3));
    case 4: return tn_flip(tn_view(x, TN_DIMS(2, 1, 2, 3)), TN_DIMS(0, 2));
    case 5: return tn_expand(tn_slice(x, 0, 0, 1, 1), TN_DIMS(2, 2));
    case 6: return tn_transpose(tn_view(tn_slice(x, 0, 0, 6, 1), TN_DIMS(2, 3)), 0, 1);
    default: return tn_slice(x, 0, 0, 2, 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0 || size > 60)
        return 0;
    char *equation = malloc(size); /* exactly as long as it is: reading beyond it is seen */
    if (!equation)
        return 0;
    memcpy(equation, data + 1, size - 1);
    equation[size - 1] = 0;

    tn_scope scope = tn_scope_open();
    const tn_tensor *operands[4];
    int64_t count = 1 + data[0] / 64;
    for (int64_t i = 0; i < count; i++)
        DEMAND((operands[i] = fuzz_operand(data[0] / (1u << i))) != NULL);
    tn_tensor *result = tn_einsum(equation, operands, count);
    tn_error code = tn_error_code();
    DEMAND((result == NULL) == (code != TN_OK));
    DEMAND(code == TN_OK || code == TN_ERROR_ARGUMENT || code == TN_ERROR_SHAPE || code == TN_ERROR_DTYPE);
    if (!result)
        DEMAND(strstr(tn_error_message(), "character") || strstr(tn_error_message(), "operand") ||
               strstr(tn_error_message(), "label"));
    tn_error_clear();
    char text[8000];
    size_t length = tn_einsum_explain(equation, operands, count, text, sizeof text);
    DEMAND((length > 0) == (result != NULL) && tn_error_code() == code);
    DEMAND(length == 0 || length >= sizeof text || length == strlen(text));
    tn_error_clear();
    if (result)
        DEMAND(tn_ndim(result) <= TN_MAX_DIMS && tn_numel(result) >= 0);
    for (int64_t i = 0; i < count; i++) {
        const int32_t *memory = tn_data_int32(tn_as_strided(operands[i], TN_DIMS(12), TN_DIMS(1), 0));
        DEMAND(memory);
        for (int k = 0; k < 12; k++)
            DEMAND(memory[k] == k);
    }
    tn_scope_close(scope);
    free(equation);
    return 0;
}
