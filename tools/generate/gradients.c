/* gradients.c - writes operator_gradients.c, the derivatives of the table as C that calls public operators, and
 * operator_gradients.h, the prototypes of the C functions they name (@name is tni_gradient_<name>, in src/autograd/).
 *
 *     static tn_error derive_mul(tni_backward *b) {
 *         if (tni_backward_wants(b, 0)) {
 *             ...
 *             if (!tni_backward_give(b, 0, tn_mul(grad, tni_conj_of(kept_other))))
 *                 return tni_failed();
 *         }
 *
 * Beside each function stand the parameters that have a gradient and what is kept for it (src/autograd/gradient.h).
 */
#include <ctype.h>
#include <string.h>

#include "formula.h"
#include "write.h"

static const char *c_name(const model_operator *op) {
    return model_form_of(op, op->row->variants & FUNCTIONAL ? FUNCTIONAL : op->row->variants & IN_PLACE ? IN_PLACE : OUT)->c;
}

static void put_wants(FILE *file, const formula_clause *clause) {
    fputs("    if (", file);
    for (int i = 0; i < clause->input_count; i++)
        fprintf(file, "%stni_backward_wants(b, %d)", i ? " || " : "", clause->inputs[i]);
    fputs(") {\n", file);
}

static void put_clause(FILE *file, const formula_clause *clause) {
    put_wants(file, clause);
    fputs(clause->locals, file);
    if (clause->input_count > 1) {
        fputs("        if (!tni_backward_give_joint(b, (const int[]){", file);
        for (int i = 0; i < clause->input_count; i++)
            fprintf(file, "%s%d", i ? ", " : "", clause->inputs[i]);
        fprintf(file, "}, %d, %s))\n", clause->input_count, clause->code);
    } else
        fprintf(file, "        if (!tni_backward_give%s(b, %d, %s))\n", clause->list ? "_each" : "", clause->inputs[0],
                clause->code);
    fputs("            return tni_failed();\n    }\n", file);
}

static void put_function(FILE *file, const formula *f) {
    const char *name = c_name(f->op);
    fprintf(file, "\nstatic tn_error derive_%s(tni_backward *b) {\n", name);
    for (int i = 0; i < f->clause_count; i++)
        put_clause(file, &f->clauses[i]);
    fputs("    return TN_OK;\n}\n", file);
    fprintf(file, "static const uint8_t derive_inputs_%s[] = {", name);
    for (int i = 0; i < f->input_count; i++)
        fprintf(file, "%s%d", i ? ", " : "", f->inputs[i]);
    fputs("};\n", file);
    if (f->keep_count)
        fprintf(file, "static const tni_keep derive_keeps_%s[] = {", name);
    for (int i = 0; i < f->keep_count; i++)
        fprintf(file, "%s{TNI_KEEP_%s, %d, %u}", i ? ", " : "", f->keeps[i].what, f->keeps[i].place, f->keeps[i].inputs);
    if (f->keep_count)
        fputs("};\n", file);
}

/* Rows whose derivative has another name in PyTorch, which makes them of other operators, or counts them in another order. */
static const struct node_name {
    const char *row, *name; /* with its overload, or for all of them */
} node_names[] = {
    {"T", "PermuteBackward0"},
    {"_batch_norm_training", "NativeBatchNormBackward0"},
    {"_cross_entropy", "NllLossBackward0"},
    {"_native_batch_norm_legit_no_training", "NativeBatchNormBackward0"},
    {"_scaled_dot_product_attention_forward", "ScaledDotProductFlashAttentionForCpuBackward0"},
    {"arctan2", "Atan2Backward0"},
    {"atleast_2d", "UnsqueezeBackward0"},
    {"atleast_3d", "UnsqueezeBackward0"},
    {"broadcast_tensors", "ExpandBackward0"},
    {"chunk", "SplitBackward0"},
    {"clamp", "ClampBackward1"},
    {"clamp.tensor", "ClampBackward0"},
    {"contiguous", "CloneBackward0"},
    {"copy_", "CopyBackwards"},
    {"div.mode", "DivBackward2"},
    {"div.scalar_mode", "DivBackward2"},
    {"dsplit", "SliceBackward0"},
    {"expand_as", "ExpandBackward0"},
    {"flatten", "ViewBackward0"},
    {"fliplr", "FlipBackward0"},
    {"flipud", "FlipBackward0"},
    {"float_power", "PowBackward1"},
    {"float_power.scalar", "PowBackward0"},
    {"fmod", "FmodBackward1"},
    {"fmod.scalar", "FmodBackward0"},
    {"hsplit", "SliceBackward0"},
    {"layer_norm", "NativeLayerNormBackward0"},
    {"lerp", "LerpBackward1"},
    {"lerp.scalar", "LerpBackward0"},
    {"linear", "AddmmBackward0"},
    {"logsigmoid", "LogSigmoidBackward0"},
    {"mT", "TransposeBackward0"},
    {"matmul", "MmBackward0"},
    {"max", "MaxBackward1"},
    {"max.dim", "MaxBackward0"},
    {"max.other", "MaximumBackward0"},
    {"max_pool2d", "MaxPool2DWithIndicesBackward0"},
    {"max_pool3d", "MaxPool3DWithIndicesBackward0"},
    {"meshgrid", "ExpandBackward0"},
    {"min", "MinBackward1"},
    {"min.dim", "MinBackward0"},
    {"min.other", "MinimumBackward0"},
    {"movedim", "PermuteBackward0"},
    {"narrow", "SliceBackward0"},
    {"norm", "LinalgVectorNormBackward0"},
    {"norm.dim", "LinalgVectorNormBackward0"},
    {"pad", "ConstantPadNdBackward0"},
    {"pow", "PowBackward1"},
    {"pow.scalar", "PowBackward0"},
    {"ravel", "ViewBackward0"},
    {"relu6", "HardtanhBackward0"},
    {"remainder", "RemainderBackward1"},
    {"remainder.scalar", "RemainderBackward0"},
    {"reshape", "ViewBackward0"},
    {"reshape_as", "ViewBackward0"},
    {"rsub.scalar", "RsubBackward1"},
    {"selu", "EluBackward0"},
    {"setitem_", "CopySlices"},
    {"softsign", "DivBackward0"},
    {"square", "PowBackward0"},
    {"std", "StdBackward0"},
    {"sub.rscalar", "RsubBackward0"},
    {"tanhshrink", "SubBackward0"},
    {"tensor_split", "SliceBackward0"},
    {"to", "ToCopyBackward0"},
    {"true_divide", "DivBackward0"},
    {"unflatten", "ViewBackward0"},
    {"var", "VarBackward0"},
    {"view_as", "ViewBackward0"},
    {"vsplit", "SliceBackward0"},
};

static const char *find_node_name(const char *row) {
    for (size_t i = 0; i < sizeof node_names / sizeof *node_names; i++)
        if (strcmp(node_names[i].row, row) == 0)
            return node_names[i].name;
    return NULL;
}

/* Forms that PyTorch does not count: a number for a tensor, or a parameter more. */
static bool is_same_node(const char *overload) {
    static const char *const names[] = {"alpha", "approximate", "beta", "dtype", "eps", "range", "slope"};
    bool same = overload && strstr(overload, "scalar");
    for (size_t i = 0; overload && i < sizeof names / sizeof *names; i++)
        same = same || strcmp(overload, names[i]) == 0;
    return same;
}

/* PyTorch's names: MulBackward0, Log1PBackward0. Rows of one name are counted. */
static void put_node_name(FILE *file, const model_operator *op) {
    char whole[256];
    snprintf(whole, sizeof whole, "%s%s%s", op->row->name, op->row->overload ? "." : "",
             op->row->overload ? op->row->overload : "");
    const char *known = find_node_name(whole);
    if (!known)
        known = find_node_name(op->row->name);
    if (known) {
        fprintf(file, "\"%s\"", known);
        return;
    }
    int number = 0;
    for (const model_operator *at = model_operators; at != op; at++)
        number += !model_is_alias(at) && at->row->gradient && strcmp(at->row->name, op->row->name) == 0 &&
                  !is_same_node(at->row->overload);
    if (is_same_node(op->row->overload) && number > 0)
        number--;
    bool begins = true;
    fputs("\"", file);
    for (const char *at = op->row->name; *at; at++) {
        if (*at == '_') {
            begins = true;
            continue;
        }
        fputc(begins ? toupper((unsigned char)*at) : *at, file);
        begins = isdigit((unsigned char)*at);
    }
    fprintf(file, "Backward%d\"", number);
}

/* Whether no input is a list of tensors. */
static bool is_single(const formula *f) {
    for (int i = 0; i < f->input_count; i++)
        if (model_is(&f->op->signature.parameters[f->inputs[i]], TN_TYPE_TENSORS))
            return false;
    return true;
}

static void put_entry(FILE *file, const formula *f) {
    const char *name = c_name(f->op);
    if (!f->clause_count) {
        fprintf(file, "    {NULL, NULL, NULL, NULL, 0, 0, true}, /* %s */\n", name);
        return;
    }
    fputs("    {", file);
    put_node_name(file, f->op);
    fprintf(file, ", derive_%s, derive_inputs_%s, ", name, name);
    if (f->keep_count)
        fprintf(file, "derive_keeps_%s, ", name);
    else
        fputs("NULL, ", file);
    fprintf(file, "%d, %d, %s},\n", f->input_count, f->keep_count, is_single(f) ? "true" : "false");
}

static bool has_formula(const model_operator *op) { return op->row->gradient && !model_is_alias(op); }

static void put_includes(FILE *file) {
    const char *group = "";
    for (const model_operator *op = model_operators; op->row; op++)
        if (strcmp(op->row->group, group) != 0) {
            group = op->row->group;
            fprintf(file, "#include \"operators_%s.h\"\n", model_word(group));
        }
}

void write_gradients(FILE *file) {
    static formula f;
    unsigned now = WRITE_REST;
    fputs(
        "/* operator_gradients.c - the derivatives of the operators, as calls of operators.\n"
        " * Written by tools/generate.c from operators.def. */\n#include \"autograd/backward.h\"\n#include \"operator_gradients.h\"\n",
        file);
    put_includes(file);
    fputs(write_fast_begin, file);
    for (const model_operator *op = model_operators; op->row; op++)
        if (has_formula(op)) {
            formula_read(&f, op);
            write_for(file, &now, write_parts_of(op));
            if (f.clause_count)
                put_function(file, &f);
        }
    write_for(file, &now, WRITE_REST);
    fputs(write_fast_end, file);
    fputs(
        "\nstatic const tni_gradient table_gradients[] = {\n    {NULL, NULL, NULL, NULL, 0, 0, true}, /* of rows that have none */\n",
        file);
    for (const model_operator *op = model_operators; op->row; op++)
        if (has_formula(op)) {
            formula_read(&f, op);
            write_for(file, &now, write_parts_of(op));
            put_entry(file, &f);
            if (now != WRITE_REST)
                fputs("#else\n    {NULL, NULL, NULL, NULL, 0, 0, true},\n", file);
            write_for(file, &now, WRITE_REST);
        }
    fputs("};\nconst tni_gradient *const tni_gradients = table_gradients;\n", file);
}

void write_gradient_functions(FILE *file) {
    static formula f;
    for (const model_operator *op = model_operators; op->row; op++)
        if (has_formula(op))
            formula_read(&f, op);
    fputs(
        "/* operator_gradients.h - the C functions that derivatives name: @name is tni_gradient_<name>. Written by tools/generate.c from\n"
        " * operators.def. What they return is in the open scope; NULL, with the error raised, is a failure. */\n"
        "#ifndef TNI_OPERATOR_GRADIENTS_H\n#define TNI_OPERATOR_GRADIENTS_H\n\n#include <tenon/index.h>\n#include <tenon/tensor.h>\n\n",
        file);
    for (int i = 0; formula_functions[i]; i++)
        fprintf(file, "%s\n", formula_functions[i]);
    fputs("\n#endif\n", file);
}

int write_missing_gradients(FILE *file) {
    int missing = 0;
    for (const model_operator *op = model_operators; op->row; op++) {
        if (model_is_alias(op) || !formula_is_wanted(op) || op->row->gradient)
            continue;
        missing++;
        fprintf(file,
                "operators.def: %s%s%s (%s): the row says nothing of its derivative: .gradient is a formula or \"none\"\n",
                op->row->name, op->row->overload ? "." : "", op->row->overload ? op->row->overload : "", op->row->group);
    }
    return missing;
}
