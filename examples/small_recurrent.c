/* small_recurrent.c - a recurrent network in a page: two layers of two numbers each read brackets, and know whether they match.
 *
 * The first layer counts how deep it is, and notices a bracket that closes what was never opened: relu(-step - depth) is 1 then, and 0
 * otherwise. The second hands the depth on and counts those. A text matches when both are 0 at its end. Everything is a whole number, so
 * every machine prints the same.
 */
#include <stdio.h>
#include <string.h>
#include <tenon/tenon.h>

enum { TEXTS = 4, STEPS = 8 };
static const char *const texts[TEXTS] = {"(()())()", "((a)b", "())(", "f(g(x))"};

/* One number for each character: 1 opens, -1 closes, 0 is anything else, or beyond the end. (STEPS, TEXTS, 1) */
static tn_tensor *read_texts(void) {
    tn_tensor *steps = tn_zeros(TN_DIMS(STEPS, TEXTS, 1), TN_FLOAT32);
    for (int64_t i = 0; i < TEXTS; i++)
        for (int64_t t = 0; t < (int64_t)strlen(texts[i]); t++)
            tn_set_element(steps, TN_DIMS(t, i, 0), tn_scalar_int((texts[i][t] == '(') - (texts[i][t] == ')')));
    return steps;
}

int main(void) {
    tn_scope scope = tn_scope_open();
    const tn_tensor *weights[] = {tn_from_text("[[1], [-1]]", TN_FLOAT32),       /* what a step brings to (depth, wrong)   */
                                  tn_from_text("[[1, 0], [-1, 0]]", TN_FLOAT32), /* and what the depth before it brings    */
                                  tn_from_text("[[1, 0], [0, 1]]", TN_FLOAT32),  /* the second layer takes both            */
                                  tn_from_text("[[0, 0], [0, 1]]", TN_FLOAT32)}; /* and adds up what was wrong             */
    tn_tensor *steps = read_texts(), *start = tn_zeros(TN_DIMS(2, TEXTS, 2), TN_FLOAT32);
    tn_list *made = steps && start ? tn_rnn_relu_input(steps, start, weights, 4, false, 2, 0, false, false, false) : NULL;
    tn_tensor *states = made ? tn_list_at(made, 0) : NULL; /* (STEPS, TEXTS, 2): depth and mistakes after each step */

    if (states) {
        tn_print(tn_t(tn_select(states, 2, 0)), stdout);
        for (int64_t i = 0; i < TEXTS; i++) {
            int64_t open = (int64_t)tn_get_double(states, TN_DIMS(STEPS - 1, i, 0));
            int64_t wrong = (int64_t)tn_get_double(states, TN_DIMS(STEPS - 1, i, 1));
            printf("%-8s %s: %d left open, %d closed too often\n", texts[i], open || wrong ? "does not match" : "matches",
                   (int)open, (int)wrong);
        }
    } else
        fprintf(stderr, "%s\n", tn_error_message());
    bool failed = !states;
    tn_scope_close(scope);
    return failed;
}
