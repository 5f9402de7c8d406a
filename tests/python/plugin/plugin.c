/* plugin.c - a library that registers operators when it is loaded, and calls them, as a C program would. For test_library.py.
 * */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <tenon/tenon.h>

static tn_error twice(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    (void)ctx;
    (void)frame;
    *result = TN_V(tn_mul_scalar(arguments.items[0].as.tensor, arguments.items[1].as.scalar));
    return TN_OK;
}

static tn_error both(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    (void)ctx;
    (void)frame;
    const tn_tensor *two[] = {tn_neg(arguments.items[0].as.tensor), tn_abs(arguments.items[0].as.tensor)};
    *result = TN_V(tn_list_new(two, 2));
    return TN_OK;
}

/* Calls another operator by name, inside the scope of its own kernel; swallows the error when `quietly`. */
static tn_error relay(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    (void)ctx;
    (void)frame;
    tn_tensor *made = tn_call_tensor(arguments.items[1].as.text, TN_VALUES(arguments.items[0].as.tensor));
    if (!made && arguments.items[2].as.boolean) {
        tn_error_clear();
        made = tn_neg(arguments.items[0].as.tensor);
    }
    *result = TN_V(made);
    return TN_OK;
}

__attribute__((constructor)) static void plugin_register(void) {
    tn_operator_register("plug::twice", "(tensor x, scalar factor=2) -> tensor", "x times a factor, 2 where none is given.");
    tn_kernel_register("plug::twice", TN_KEY_CPU, TN_KERNEL(twice, NULL));
    tn_operator_register("plug::both", "(tensor x) -> list(minus, plain)", "-x and |x|.");
    tn_kernel_register("plug::both", TN_KEY_CPU, TN_KERNEL(both, NULL));
    tn_operator_register("plug::relay", "(tensor x, text name, bool quietly=false) -> tensor", NULL);
    tn_kernel_register("plug::relay", TN_KEY_CPU, TN_KERNEL(relay, NULL));
}

/* What a program does: a scope of its own, a call by name, the message. */
typedef struct plugin_run {
    char name[64], message[800];
    double sum;
} plugin_run;

static void *plugin_thread(void *given) {
    plugin_run *run = given;
    tn_scope scope = tn_scope_open();
    for (int i = 0; i < 50; i++) {
        tn_tensor *x = tn_full(TN_DIMS(4), 1.5, TN_FLOAT32), *y = tn_call_tensor(run->name, TN_VALUES(x));
        run->sum = y ? tn_item_double(tn_sum(y, TN_DTYPE_DEFAULT)) : -1;
    }
    snprintf(run->message, sizeof run->message, "%s: %s", tn_error_name(tn_error_code()), tn_error_message());
    tn_error_clear();
    tn_scope_close(scope);
    return NULL;
}

/* From a thread that Python does not know, or from the calling thread. */
double plugin_call(const char *name, int threads, char *message, size_t size) {
    plugin_run runs[4];
    pthread_t ids[4];
    memset(runs, 0, sizeof runs);
    for (int i = 0; i < (threads ? threads : 1); i++) {
        snprintf(runs[i].name, sizeof runs[i].name, "%s", name);
        if (threads == 0 || pthread_create(&ids[i], NULL, plugin_thread, &runs[i]) != 0)
            plugin_thread(&runs[i]);
    }
    for (int i = 0; i < threads; i++)
        pthread_join(ids[i], NULL);
    snprintf(message, size, "%s", runs[0].message);
    return runs[0].sum;
}

void plugin_unregister(void) {
    tn_operator_unregister("plug::twice");
    tn_operator_unregister("plug::both");
    tn_operator_unregister("plug::relay");
}
