/* rows_optimizer.c - steps of optimisers over a million elements in a hundred tensors. Each reads
 * and writes every array once, which is its limit. */
#include <stdio.h>

#include "bench.h"

enum { STEP_TENSORS = 100, STEP_LENGTH = 10000 };

/* Made by a row's setup, and held until the next one's. */
static tn_optimizer *step_optimizer;

static bool step_add(tn_parameters *parameters, int i) {
    char name[16];
    snprintf(name, sizeof name, "p%d", i);
    tn_tensor *parameter = bench_random(TN_DIMS(STEP_LENGTH), TN_FLOAT32),
              *gradient = bench_random(TN_DIMS(STEP_LENGTH), TN_FLOAT32);
    bool added = parameter && gradient && tn_tensor_set_grad(parameter, gradient) == TN_OK &&
                 tn_parameters_add(parameters, name, parameter);
    tn_release(parameter);
    tn_release(gradient);
    return added;
}

static void step_prepare(const char *kind, double momentum) {
    tn_optimizer_release(step_optimizer);
    step_optimizer = NULL;
    tn_parameters *parameters = tn_parameters_new();
    bool fine = parameters != NULL;
    for (int i = 0; i < STEP_TENSORS && fine; i++)
        fine = step_add(parameters, i);
    if (fine && (step_optimizer = tn_optimizer_new(kind, parameters)) != NULL && momentum > 0)
        (void)tn_optimizer_set(step_optimizer, "momentum", momentum);
    tn_parameters_release(parameters);
}

#define STEP_SETUP(name, kind, momentum)                                                                                       \
    static void name(bench_inputs *inputs) {                                                                                   \
        (void)inputs;                                                                                                          \
        step_prepare(kind, momentum);                                                                                          \
    }
STEP_SETUP(step_sgd, "sgd", 0)
STEP_SETUP(step_momentum, "sgd", 0.9)
STEP_SETUP(step_adam, "adam", 0)
STEP_SETUP(step_rmsprop, "rmsprop", 0)

static void step_run(bench_inputs *inputs, int64_t times) {
    (void)inputs;
    for (; times > 0; times--)
        (void)tn_optimizer_step(step_optimizer);
}

#define STEP_BYTES(arrays) ((arrays)*4LL * STEP_TENSORS * STEP_LENGTH)
#define STEP_TORCH(make)                                                                                                       \
    {                                                                                                                          \
        "p = [torch.rand(10000, requires_grad=True) for _ in range(100)]; [setattr(x, 'grad', torch.rand(10000)) for x in "    \
        "p]; o = torch.optim." make,                                                                                           \
            "o.step()"                                                                                                         \
    }

const bench_workload bench_rows_optimizer[] = {
    {.name = "sgd step: 1e6 float32 in 100 tensors",
     .setup = step_sgd,
     .run = step_run,
     .limit = BENCH_LIMIT_STREAM,
     .inputs = 2,
     .reads = STEP_BYTES(2),
     .writes = STEP_BYTES(1),
     .target = 0.9,
     .torch = STEP_TORCH("SGD(p)")},
    {.name = "sgd with momentum step: 1e6 float32 in 100 tensors",
     .setup = step_momentum,
     .run = step_run,
     .limit = BENCH_LIMIT_STREAM,
     .inputs = 3,
     .reads = STEP_BYTES(3),
     .writes = STEP_BYTES(2),
     .torch = STEP_TORCH("SGD(p, momentum=0.9)")},
    {.name = "adam step: 1e6 float32 in 100 tensors",
     .setup = step_adam,
     .run = step_run,
     .limit = BENCH_LIMIT_STREAM,
     .inputs = 4,
     .reads = STEP_BYTES(4),
     .writes = STEP_BYTES(3),
     .target = 0.9,
     .torch = STEP_TORCH("Adam(p, fused=True)")},
    {.name = "rmsprop step: 1e6 float32 in 100 tensors",
     .setup = step_rmsprop,
     .run = step_run,
     .limit = BENCH_LIMIT_STREAM,
     .inputs = 3,
     .reads = STEP_BYTES(3),
     .writes = STEP_BYTES(2),
     .torch = STEP_TORCH("RMSprop(p)")},
    {.name = NULL},
};
