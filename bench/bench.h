/* bench.h - what a workload is, and what takes part in measuring it.
 *
 * A workload is one row of a table (rows_*.c). Everything that can do its work is a contestant: the machine's own limits,
 * Tenon, and the peers, which are other processes. For each workload the contestants take turns, one sample a round, so that
 * other work on the machine affects all of them alike; only one works at a time. measure.c knows only contestants.
 *
 * The one invariant: a number that is compared with another was taken in the same rounds as the other.
 */
#ifndef BENCH_H
#define BENCH_H

#include <tenon/tenon.h>

enum { BENCH_CONTESTANTS_MAX = 20, BENCH_ROUNDS_MAX = 400 };

/* ---- workloads ----------------------------------------------------------------------------------------------------- */

/* What a row's Tenon code works on. A setup fills what it needs; whatever is there is released afterwards. */
typedef struct bench_inputs {
    tn_tensor *a, *b, *c, *out;
} bench_inputs;

/* What the machine allows, which a row's time is compared with. */
typedef enum bench_limit {
    BENCH_LIMIT_NONE = 0,
    BENCH_LIMIT_MALLOC, /* `pairs` malloc/free pairs                                                     */
    BENCH_LIMIT_ATOMIC, /* `pairs` atomic increments and decrements                                      */
    BENCH_LIMIT_STREAM, /* reading `reads` bytes from `inputs` arrays and writing `writes` bytes to one  */
    BENCH_LIMIT_FMA     /* `multiplications`, each added to a sum, of float32 or float64                 */
} bench_limit;

/* The same work in a peer's language: what is done before, untimed, and what is timed. One line each. NULL run: the peer has no
 * such thing. */
typedef struct bench_code {
    const char *setup, *run;
} bench_code;

typedef struct bench_workload {
    const char *name;                                 /* unique, without a comma: it goes into the CSV    */
    void (*setup)(bench_inputs *inputs);              /* may be NULL                                         */
    void (*run)(bench_inputs *inputs, int64_t times); /* NULL: the row shows only the machine's limit        */
    bench_limit limit;
    int64_t pairs;           /* for MALLOC and ATOMIC; 0 means 1                                          */
    int64_t inputs;          /* for STREAM: arrays that are read, together `reads` bytes; 0 means 1       */
    int64_t reads, writes;   /* bytes of one call; a row that has them is measured on every thread count  */
    int64_t multiplications; /* for FMA                                                                   */
    bool multiplies_float64; /* for FMA                                                                   */
    double target;        /* MALLOC, ATOMIC: at most this many times the limit. STREAM, FMA: at least this part of it. NONE: at
                              most this many ns. 0: none */
    bool no_faults;       /* a call must cost no page fault, from the second on                        */
    bench_code torch_cpp; /* C++; ATen is included. What setup declares, the timed code sees          */
    bench_code torch;     /* Python; torch is imported                                                 */
    bench_code numpy;     /* Python; numpy is imported as np                                           */
    const char *blas;     /* a product, for peers that know nothing else: bench/peers/blas.c           */
} bench_workload;

/* The groups, in the order of the table; each list ends with a row without a name. */
typedef struct bench_group {
    const char *name;
    const bench_workload *rows;
} bench_group;

extern const bench_group bench_groups[]; /* ends with a group without a name */

extern const bench_workload bench_rows_machine[];
extern const bench_workload bench_rows_memory[];
extern const bench_workload bench_rows_view[];
extern const bench_workload bench_rows_copy[];
extern const bench_workload bench_rows_files[];
extern const bench_workload bench_rows_index[];
extern const bench_workload bench_rows_join[];
extern const bench_workload bench_rows_pointwise[];
extern const bench_workload bench_rows_random[];
extern const bench_workload bench_rows_math[];
extern const bench_workload bench_rows_product[];
extern const bench_workload bench_rows_convolution[];
extern const bench_workload bench_rows_layers[];
extern const bench_workload bench_rows_reduce[];
extern const bench_workload bench_rows_linalg[];
extern const bench_workload bench_rows_scan[];
extern const bench_workload bench_rows_sort[];
extern const bench_workload bench_rows_optimizer[];
extern const bench_workload bench_rows_gradient[];

/* A tensor of reproducible values: uniform in [0, 1) for floats, in [0, 100) for integers, 0 or 1 for bool. Every page of it
 * has been written, so that reading it reads memory. NULL, with Tenon's error, on failure. */
tn_tensor *bench_random(tn_dims size, tn_dtype dtype);

/* ---- contestants --------------------------------------------------------------------------------------------------- */

typedef struct bench_sample {
    double ns;     /* of one call */
    double faults; /* page faults of one call */
} bench_sample;

typedef struct bench_contestant bench_contestant;
struct bench_contestant {
    const char *name; /* as in the CSV and the head of the table */
    bool is_limit;
    void *state;

    /* Get ready for a workload. False, with the reason in `reason`, when this one cannot do it. */
    bool (*prepare)(bench_contestant *self, const bench_workload *workload, int64_t threads, char reason[256]);

    /* Do it bench_untimed(times) times, then `times` times, and say how long one of those took. False when it failed. */
    bool (*sample)(bench_contestant *self, int64_t times, bench_sample *out);

    /* Give back what prepare made. */
    void (*finish)(bench_contestant *self);
};

/* How much is done before the clock starts, so that caches hold what they hold in a program that does nothing else. */
static inline int64_t bench_untimed(int64_t times) { return times < 16 ? 1 : times / 8; }

/* The clock, and the page faults of this process so far. */
double bench_now_ns(void);
int64_t bench_faults(void);

/* Tenon, in this process. Before anything is measured, prepare has run the workload once. */
bench_contestant bench_tenon(void);

/* Whether a limit is a speed, of which a contestant reaches a part, rather than a time, of which it takes a multiple. */
static inline bool bench_limit_is_speed(bench_limit limit) { return limit == BENCH_LIMIT_STREAM || limit == BENCH_LIMIT_FMA; }

/* The machine's own limits: each way to reach one is a contestant, the fastest is the limit. Returns how many. */
int bench_limits(bench_contestant *out, int space);

/* One of them, in limit_fma.c. */
bench_contestant bench_limit_fma(void);

/* Another process that answers on its standard output: peer.c has the words. `hello` gets what it says about itself. False,
 * with the reason in `hello`, when it does not start. */
typedef enum bench_peer_kind {
    BENCH_PEER_TENON,
    BENCH_PEER_TORCH_CPP,
    BENCH_PEER_TORCH,
    BENCH_PEER_NUMPY,
    BENCH_PEER_OPENBLAS, /* from here on peers/blas.c */
    BENCH_PEER_BLIS,
    BENCH_PEER_ONEDNN,
    BENCH_PEER_LIBXSMM,
    BENCH_PEER_KINDS
} bench_peer_kind;
const char *bench_peer_name(bench_peer_kind kind);
bool bench_peer_start(bench_contestant *out, bench_peer_kind kind, char *const argv[], int64_t threads, char hello[256]);
void bench_peer_stop(bench_contestant *peer);

/* Be such a process, with Tenon, until the input ends. Returns what main should return. */
int bench_peer_self(void);

/* ---- measuring ----------------------------------------------------------------------------------------------------- */

typedef struct bench_figure {
    bool present;
    double best_ns, median_ns, faults;
} bench_figure;

/* One line of the results. A fact (facts.c) is a line with a figure for Tenon only, and a note. */
typedef struct bench_result {
    const char *group, *name;
    const bench_workload *workload; /* NULL for a fact */
    int64_t threads;
    int64_t bytes;
    int rounds;
    bench_figure figures[BENCH_CONTESTANTS_MAX]; /* in the order of the contestants */
    int limit;                                   /* the fastest limit's position, -1 for none */
    int verdict;                                 /* 1 the target is met, 0 it is not, -1 there is none */
    char note[256];
} bench_result;

typedef struct bench_contest {
    bench_contestant list[BENCH_CONTESTANTS_MAX];
    int count;
    int tenon;      /* Tenon's position */
    double seconds; /* for one contestant in one workload */
} bench_contest;

void bench_measure(bench_contest *contest, const bench_workload *workload, int64_t threads, bench_result *out);

/* ---- what is not a loop -------------------------------------------------------------------------------------------- */

typedef struct bench_fact_paths {
    const char *library;       /* libtenon.so                       */
    const char *start_up;      /* the program start_up/start_up.c   */
    const char *torch_library; /* libtorch_cpu.so, or NULL          */
} bench_fact_paths;

/* Fills at most `space` results; `tenon` is Tenon's position, `torch_cpp` that of PyTorch's C++ library or -1. */
int bench_facts(const bench_fact_paths *paths, int tenon, int torch_cpp, bench_result *out, int space);

#endif
