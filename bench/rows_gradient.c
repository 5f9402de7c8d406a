/* rows_gradient.c - recording and backward: what one recorded call costs, a chain of three, steps of training, and an optimiser alone. */
#include "bench.h"

#include <tenon/train.h>

static tn_tensor *gradient_leaf(tn_dims sizes) { return tn_requires_grad_(bench_random(sizes, TN_FLOAT32), true); }

static void gradient_scalars(bench_inputs *inputs) {
    inputs->a = gradient_leaf((tn_dims){NULL, 0});
    inputs->b = gradient_leaf((tn_dims){NULL, 0});
    inputs->c = gradient_leaf((tn_dims){NULL, 0});
}

static void gradient_record(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_release(tn_add(inputs->a, inputs->b));
}

static void gradient_plain(bench_inputs *inputs, int64_t times) {
    tn_grad_mode before = tn_grad_mode_set(TN_GRAD_OFF);
    gradient_record(inputs, times);
    (void)tn_grad_mode_set(before);
}

static void gradient_chain(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--) {
        tn_tensor *x = tn_mul(inputs->a, inputs->b), *y = tn_add(x, inputs->c), *z = tn_sin(y);
        (void)tn_backward(z, NULL);
        tn_release(x);
        tn_release(y);
        tn_release(z);
    }
}

/* ---- steps */

enum { MLP_IN = 784, MLP_HIDDEN = 256, MLP_OUT = 10, MLP_BATCH = 64 };
enum { BLOCK_BATCH = 8, BLOCK_LENGTH = 128, BLOCK_WIDTH = 256, BLOCK_HEADS = 8 };
enum { ADAM_TENSORS = 100, ADAM_SIZE = 10000, GRADIENT_PARAMETERS = 100 };

/* Parameters beside the inputs: one row is prepared at a time. */
static tn_tensor *gradient_parameters[GRADIENT_PARAMETERS];
static int gradient_count;
static tn_optimizer *gradient_optimizer;

static void gradient_clear(void) {
    for (; gradient_count > 0; gradient_count--)
        tn_release(gradient_parameters[gradient_count - 1]);
    tn_optimizer_release(gradient_optimizer);
    gradient_optimizer = NULL;
}

/* A parameter of small values. */
static tn_tensor *gradient_parameter(tn_dims sizes) {
    tn_tensor *made = bench_random(sizes, TN_FLOAT32);
    if (!made || !tn_sub_scalar_(made, tn_scalar_float(0.5)) || !tn_mul_scalar_(made, tn_scalar_float(0.1)))
        return NULL;
    return gradient_parameters[gradient_count++] = tn_requires_grad_(made, true);
}

static void gradient_optimize(const char *kind) {
    tn_parameters *all = tn_parameters_new();
    char name[24];
    for (int i = 0; i < gradient_count; i++) {
        (void)snprintf(name, sizeof name, "p%d", i);
        (void)tn_parameters_add(all, name, gradient_parameters[i]);
    }
    gradient_optimizer = tn_optimizer_new(kind, all);
    tn_parameters_release(all);
}

static void gradient_mlp_setup(bench_inputs *inputs) {
    gradient_clear();
    inputs->a = bench_random(TN_DIMS(MLP_BATCH, MLP_IN), TN_FLOAT32);
    inputs->b = tn_floor_divide_scalar(bench_random(TN_DIMS(MLP_BATCH), TN_INT64), tn_scalar_int(10));
    (void)gradient_parameter(TN_DIMS(MLP_HIDDEN, MLP_IN));
    (void)gradient_parameter(TN_DIMS(MLP_HIDDEN));
    (void)gradient_parameter(TN_DIMS(MLP_OUT, MLP_HIDDEN));
    (void)gradient_parameter(TN_DIMS(MLP_OUT));
    gradient_optimize("sgd");
}

static void gradient_mlp(bench_inputs *inputs, int64_t times) {
    tn_tensor **p = gradient_parameters;
    for (; times > 0; times--) {
        tn_scope scope = tn_scope_open();
        tn_tensor *hidden = tn_relu(tn_linear(inputs->a, p[0], p[1]));
        tn_tensor *loss = tn_cross_entropy_loss(tn_linear(hidden, p[2], p[3]), inputs->b, NULL, 1, -100, 0);
        (void)tn_backward(loss, NULL);
        (void)tn_optimizer_step(gradient_optimizer);
        (void)tn_optimizer_zero_grad(gradient_optimizer, true);
        tn_scope_close(scope);
    }
}

static void gradient_block_setup(bench_inputs *inputs) {
    gradient_clear();
    inputs->a = bench_random(TN_DIMS(BLOCK_BATCH, BLOCK_LENGTH, BLOCK_WIDTH), TN_FLOAT32);
    (void)gradient_parameter(TN_DIMS(3 * BLOCK_WIDTH, BLOCK_WIDTH));
    (void)gradient_parameter(TN_DIMS(BLOCK_WIDTH, BLOCK_WIDTH));
    (void)gradient_parameter(TN_DIMS(4 * BLOCK_WIDTH, BLOCK_WIDTH));
    (void)gradient_parameter(TN_DIMS(BLOCK_WIDTH, 4 * BLOCK_WIDTH));
    for (int i = 0; i < 4; i++)
        (void)gradient_parameter(TN_DIMS(BLOCK_WIDTH));
}

/* x + attention(norm(x)), and that plus mlp(norm(that)). x: (batch, length, width) */
static tn_tensor *gradient_block_forward(const tn_tensor *x) {
    tn_tensor **p = gradient_parameters;
    tn_tensor *h = tn_layer_norm(x, TN_DIMS(BLOCK_WIDTH), p[4], p[5], 1e-5);
    tn_tensor *all =
        tn_view(tn_linear(h, p[0], NULL), TN_DIMS(BLOCK_BATCH, BLOCK_LENGTH, 3, BLOCK_HEADS, BLOCK_WIDTH / BLOCK_HEADS));
    all = tn_permute(all, TN_DIMS(2, 0, 3, 1, 4)); /* (3, batch, heads, length, width of a head) */
    tn_tensor *mixed = tn_scaled_dot_product_attention(tn_select(all, 0, 0), tn_select(all, 0, 1), tn_select(all, 0, 2), NULL,
                                                       0, true, TN_NO_SCALAR, false, NULL);
    mixed = tn_reshape(tn_transpose(mixed, 1, 2), TN_DIMS(BLOCK_BATCH, BLOCK_LENGTH, BLOCK_WIDTH));
    tn_tensor *y = tn_add(x, tn_linear(mixed, p[1], NULL));
    h = tn_layer_norm(y, TN_DIMS(BLOCK_WIDTH), p[6], p[7], 1e-5);
    return tn_add(y, tn_linear(tn_gelu(tn_linear(h, p[2], NULL)), p[3], NULL));
}

static void gradient_block(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--) {
        tn_scope scope = tn_scope_open();
        (void)tn_backward(tn_sum(gradient_block_forward(inputs->a), TN_DTYPE_DEFAULT), NULL);
        for (int i = 0; i < gradient_count; i++)
            (void)tn_tensor_set_grad(gradient_parameters[i], NULL);
        tn_scope_close(scope);
    }
}

static void gradient_adam_setup(bench_inputs *inputs) {
    (void)inputs;
    gradient_clear();
    for (int i = 0; i < ADAM_TENSORS; i++) {
        tn_tensor *grad = bench_random(TN_DIMS(ADAM_SIZE), TN_FLOAT32);
        (void)tn_tensor_set_grad(gradient_parameter(TN_DIMS(ADAM_SIZE)), grad);
        tn_release(grad);
    }
    gradient_optimize("adam");
}

static void gradient_adam(bench_inputs *inputs, int64_t times) {
    (void)inputs;
    for (; times > 0; times--)
        (void)tn_optimizer_step(gradient_optimizer);
}

#define SCALARS_TORCH "a, b, c = (torch.rand((), requires_grad=True) for i in range(3))"
#define SCALARS_CPP                                                                                                            \
    "auto a = at::rand({}).requires_grad_(), b = at::rand({}).requires_grad_(), c = at::rand({}).requires_grad_();"
#define MLP_TORCH                                                                                                              \
    "F = torch.nn.functional; x = torch.rand(64, 784); y = torch.randint(0, 10, (64,)); "                                      \
    "P = [(torch.rand(*s).sub_(.5).mul_(.1)).requires_grad_() for s in ((256, 784), (256,), (10, 256), (10,))]; "              \
    "opt = torch.optim.SGD(P, lr=0.001); step = lambda: "                                                                      \
    "(F.cross_entropy(F.linear(F.relu(F.linear(x, P[0], P[1])), P[2], P[3]), y).backward(), opt.step(), opt.zero_grad())"
#define BLOCK_TORCH                                                                                                            \
    "F = torch.nn.functional; X = torch.rand(8, 128, 256); "                                                                   \
    "P = [(torch.rand(*s).sub_(.5).mul_(.1)).requires_grad_() for s in ((768, 256), (256, 256), (1024, 256), (256, 1024), "    \
    "(256,), (256,), (256,), (256,))]; "                                                                                       \
    "heads = lambda h: F.linear(h, P[0]).view(8, 128, 3, 8, 32).permute(2, 0, 3, 1, 4); "                                      \
    "mix = lambda q: F.scaled_dot_product_attention(q[0], q[1], q[2], is_causal=True).transpose(1, 2).reshape(8, 128, 256); "  \
    "one = lambda x: x + F.linear(mix(heads(F.layer_norm(x, (256,), P[4], P[5]))), P[1]); "                                    \
    "two = lambda y: y + F.linear(F.gelu(F.linear(F.layer_norm(y, (256,), P[6], P[7]), P[2])), P[3]); "                        \
    "clear = lambda: [setattr(p, 'grad', None) for p in P]"
#define ADAM_TORCH                                                                                                             \
    "P = [torch.rand(10000, requires_grad=True) for i in range(100)]; [setattr(p, 'grad', torch.rand(10000)) for p in P]; "    \
    "opt = torch.optim.Adam(P, fused=True)"

const bench_workload bench_rows_gradient[] = {
    {.name = "add: not recorded", .setup = gradient_scalars, .run = gradient_plain},
    {.name = "add: recorded",
     .setup = gradient_scalars,
     .run = gradient_record,
     .target = 90,
     .torch_cpp = {SCALARS_CPP, "at::add(a, b)"},
     .torch = {SCALARS_TORCH, "torch.add(a, b)"}},
    {.name = "chain of three: forward and backward",
     .setup = gradient_scalars,
     .run = gradient_chain,
     .target = 800,
     .torch_cpp = {SCALARS_CPP, "at::sin(at::add(at::mul(a, b), c)).backward()"},
     .torch = {SCALARS_TORCH, "torch.sin(torch.add(torch.mul(a, b), c)).backward()"}},
    {.name = "a step of an MLP 784-256-10 batch 64 SGD",
     .setup = gradient_mlp_setup,
     .run = gradient_mlp,
     .torch = {MLP_TORCH, "step()"}},
    {.name = "a transformer block forward and backward",
     .setup = gradient_block_setup,
     .run = gradient_block,
     .torch = {BLOCK_TORCH, "(two(one(X)).sum().backward(), clear())"}},
    {.name = "Adam: 100 tensors of 10000",
     .setup = gradient_adam_setup,
     .run = gradient_adam,
     .limit = BENCH_LIMIT_STREAM,
     .inputs = 4,
     .reads = 16LL * ADAM_TENSORS * ADAM_SIZE,
     .writes = 12LL * ADAM_TENSORS * ADAM_SIZE,
     .torch = {ADAM_TORCH, "opt.step()"}},
    {.name = NULL},
};
