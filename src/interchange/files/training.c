/* training.c - the state of a training run in one file, in PyTorch's format: three dictionaries, of the parameters, of what the optimiser
 * remembers of them, and of the settings of its groups ("0.lr", "1.lr").
 *
 * Invariant: loading checks names, sizes and settings before it writes to anything.
 */
#include <math.h>
#include <stdio.h>

#include "interchange/files/writer.h"
#include "train/optimizer.h"
#include "train/parameters.h"

enum { TRAINING_NAME = 64 };

static const char training_parameters[] = "parameters", training_optimizer[] = "optimizer", training_settings[] = "settings";

static const char *training_setting(const tn_optimizer *optimizer, int64_t group, int64_t number, char name[TRAINING_NAME]) {
    const char *setting = tn_optimizer_setting_name(tn_optimizer_kind(optimizer), number);
    if (setting)
        snprintf(name, TRAINING_NAME, "%" PRId64 ".%s", group, setting);
    return setting;
}

static tn_error training_add(tn_writer *writer, const tn_parameters *parameters, const tn_optimizer *optimizer) {
    tni_writer_group(writer, training_parameters);
    tn_error code = tn_writer_add_all(writer, parameters);
    if (code != TN_OK || !optimizer)
        return code;
    tn_parameters *state = tn_optimizer_state(optimizer);
    if (!state)
        return tni_failed();
    tni_writer_group(writer, training_optimizer);
    code = tn_writer_add_all(writer, state);
    tni_writer_group(writer, training_settings);
    int64_t groups = tn_optimizer_group_count(optimizer);
    char name[TRAINING_NAME];
    for (int64_t g = 0; code == TN_OK && g < groups; g++) {
        const char *setting;
        for (int64_t i = 0; code == TN_OK && (setting = training_setting(optimizer, g, i, name)) != NULL; i++)
            code = tni_writer_add_number(writer, name, tn_optimizer_get(optimizer, g, setting));
    }
    return code;
}

tn_error tn_training_save(const char *path, const tn_parameters *parameters, const tn_optimizer *optimizer) {
    const char *outer = tni_operator_enter("training_save");
    tn_scope scope = tni_scope_open_hidden();
    tn_writer *writer = tn_writer_open(path, "pt");
    tn_error code = writer ? training_add(writer, parameters, optimizer) : tni_failed();
    if (writer)
        writer->durable = true; /* it is there for when the power fails */
    if (code == TN_OK)
        code = tn_writer_finish(writer);
    (void)tni_scope_close_hidden(scope, NULL);
    tni_operator_leave(outer);
    return code;
}

/* The tensors of one of the dictionaries. */
static tn_parameters *training_set(const tn_file *file, const char *group) {
    const tn_tree *tree = tn_file_tree(file), *dict = tn_tree_find(tree, group);
    if (!dict && group == training_optimizer && tn_tree_find(tree, training_settings))
        return tn_parameters_new(); /* an optimiser that remembers nothing: plain gradient descent */
    if (tn_tree_kind_of(dict) != TN_TREE_DICT)
        return tni_raise_null(TN_ERROR_IO, "the file has no \"%s\": it is not the state of a training run", group);
    tn_parameters *set = tn_parameters_new();
    for (int64_t i = 0; set && i < tn_tree_count(dict); i++) {
        const char *name = tn_tree_text(tn_tree_key(dict, i), NULL);
        int64_t place = tn_tree_tensor(tn_tree_at(dict, i));
        if (!name || place < 0)
            return tni_raise_null(TN_ERROR_IO, "\"%s\" should hold tensors under names alone", group);
        tn_tensor *tensor = tn_file_take_at(file, place);
        if (!tensor || !tn_parameters_add(set, name, tensor))
            return NULL;
    }
    return set;
}

/* With `set` the settings of the file become those of the optimiser; without, only whether all of them are there,
 * and are such as it takes. */
static tn_error training_settings_from(const tn_file *file, tn_optimizer *optimizer, bool set) {
    const tn_tree *dict = tn_tree_find(tn_file_tree(file), training_settings);
    int64_t groups = tn_optimizer_group_count(optimizer);
    char name[TRAINING_NAME];
    const char *setting;
    for (int64_t g = 0; g < groups; g++)
        for (int64_t i = 0; (setting = training_setting(optimizer, g, i, name)) != NULL; i++) {
            const tn_tree *value = tn_tree_find(dict, name);
            if (tn_tree_kind_of(value) != TN_TREE_FLOAT)
                return tni_raise(TN_ERROR_ARGUMENT, "the file has no setting \"%s\": it is of another optimiser", name);
            double before = tn_optimizer_get(optimizer, g, setting);
            tn_error code = tn_optimizer_set_group(optimizer, g, setting, tn_tree_number(value).value.d);
            if (code != TN_OK)
                return code;
            if (!set)
                (void)tn_optimizer_set_group(optimizer, g, setting, before);
        }
    return TN_OK;
}

static tn_error training_load(const tn_file *file, tn_parameters *parameters, tn_optimizer *optimizer) {
    tn_parameters *weights = training_set(file, training_parameters), *state = NULL;
    if (!weights || (optimizer && !(state = training_set(file, training_optimizer))))
        return tni_failed();
    tn_error code = optimizer ? training_settings_from(file, optimizer, false) : TN_OK;
    /* Old numbers, for the case that the last step finds something that does not fit. */
    tn_parameters *before = code == TN_OK && optimizer ? tn_optimizer_state(optimizer) : NULL;
    if (code == TN_OK && optimizer)
        code = before ? tn_optimizer_set_state(optimizer, state) : tni_failed();
    if (code == TN_OK) {
        code = tn_parameters_copy(parameters, weights, true);
        if (code != TN_OK && optimizer)
            (void)tn_optimizer_set_state(optimizer, before);
    }
    return code == TN_OK && optimizer ? training_settings_from(file, optimizer, true) : code;
}

tn_error tn_training_load(const char *path, tn_parameters *parameters, tn_optimizer *optimizer) {
    const char *outer = tni_operator_enter("training_load");
    tn_scope scope = tni_scope_open_hidden();
    tn_file *file = tni_check_parameters(parameters, "parameters") ? tn_file_open(path, NULL) : NULL;
    tn_error code = file ? training_load(file, parameters, optimizer) : tni_failed();
    (void)tni_scope_close_hidden(scope, NULL);
    tni_operator_leave(outer);
    return code;
}
