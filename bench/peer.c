/* peer.c - a peer: a process of its own that does a workload's work when it is asked to.
 *
 * It is asked on its standard input and answers on its standard output, one line each:
 *
 *     (it starts)                                     hello WHAT IT IS     or   sorry WHY IT CANNOT
 *     prepare <tab> group/name <tab> threads <tab> setup <tab> run
 *                                                     ready                or   sorry WHY
 *     run TIMES                                       NANOSECONDS FAULTS   for all of them together, or sorry WHY;
 *                                                                          first, untimed, bench_untimed(TIMES)
 *     finish                                          finished
 *
 * The peer measures itself, so that pipes and processes are in nobody's figures. One that dies or stays silent for two
 * minutes is left out from then on.
 */
#include "bench.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const double SILENCE_NS = 120e9;

typedef struct peer_state {
    pid_t pid; /* 0 once it is gone */
    int in, out;
    bench_peer_kind kind;
    char line[4096];
    size_t filled;
} peer_state;

const char *bench_peer_name(bench_peer_kind kind) {
    static const char *const names[] = {
        [BENCH_PEER_TENON] = "Tenon .so", [BENCH_PEER_TORCH_CPP] = "PyTorch C++", [BENCH_PEER_TORCH] = "PyTorch",
        [BENCH_PEER_NUMPY] = "NumPy",     [BENCH_PEER_OPENBLAS] = "OpenBLAS",     [BENCH_PEER_BLIS] = "BLIS",
        [BENCH_PEER_ONEDNN] = "oneDNN",   [BENCH_PEER_LIBXSMM] = "LIBXSMM",
    };
    return names[kind];
}

void bench_peer_stop(bench_contestant *peer) {
    peer_state *state = peer->state;
    if (state && state->pid) {
        close(state->in);
        close(state->out);
        kill(state->pid, SIGKILL);
        waitpid(state->pid, NULL, 0);
    }
    free(state);
    peer->state = NULL;
}

static bool peer_lost(peer_state *state) {
    close(state->in);
    close(state->out);
    kill(state->pid, SIGKILL);
    waitpid(state->pid, NULL, 0);
    state->pid = 0;
    return false;
}

/* The next line without its end, in answer[256]. */
static bool peer_hear(peer_state *state, char answer[256]) {
    double end = bench_now_ns() + SILENCE_NS;
    for (;;) {
        char *newline = memchr(state->line, '\n', state->filled);
        if (newline) {
            size_t length = (size_t)(newline - state->line);
            snprintf(answer, 256, "%.*s", (int)(length < 255 ? length : 255), state->line);
            state->filled -= length + 1;
            memmove(state->line, newline + 1, state->filled);
            return true;
        }
        struct pollfd ready = {state->out, POLLIN, 0};
        double left = end - bench_now_ns();
        if (state->filled == sizeof state->line || left <= 0 || poll(&ready, 1, (int)(left / 1e6) + 1) <= 0)
            return peer_lost(state);
        ssize_t got = read(state->out, state->line + state->filled, sizeof state->line - state->filled);
        if (got <= 0)
            return peer_lost(state);
        state->filled += (size_t)got;
    }
}

static bool peer_say(peer_state *state, const char *text) {
    for (size_t left = strlen(text); left > 0;) {
        ssize_t written = write(state->in, text, left);
        if (written <= 0)
            return peer_lost(state);
        text += written;
        left -= (size_t)written;
    }
    return true;
}

static bool peer_ask(peer_state *state, const char *question, char answer[256]) {
    snprintf(answer, 256, "the process has ended");
    return state->pid && peer_say(state, question) && peer_hear(state, answer);
}

static bool peer_prepare(bench_contestant *self, const bench_workload *workload, int64_t threads, char reason[256]) {
    peer_state *state = self->state;
    static const bench_code own_code = {NULL, "the row's own"};
    const bench_code *code = &workload->torch, product = {NULL, workload->blas};
    char question[4096];
    if (state->kind == BENCH_PEER_TENON)
        code = &own_code;
    else if (state->kind == BENCH_PEER_TORCH_CPP)
        code = &workload->torch_cpp;
    else if (state->kind == BENCH_PEER_NUMPY)
        code = &workload->numpy;
    else if (state->kind >= BENCH_PEER_OPENBLAS)
        code = &product;
    if (!state->pid || !code->run || (state->kind == BENCH_PEER_TENON && !workload->run))
        return false;
    int length = snprintf(question, sizeof question, "prepare\t%s\t%lld\t%s\t%s\n", workload->name, (long long)threads,
                          code->setup ? code->setup : "", code->run);
    if (length >= (int)sizeof question) {
        snprintf(reason, 256, "the code of the row is too long");
        return false;
    }
    bool ready = peer_ask(state, question, reason) && strcmp(reason, "ready") == 0;
    if (state->kind >= BENCH_PEER_OPENBLAS) /* they do not know every product, which is nothing to report */
        reason[0] = '\0';
    return ready;
}

static bool peer_sample(bench_contestant *self, int64_t times, bench_sample *out) {
    char question[64], answer[256];
    long long ns, faults;
    snprintf(question, sizeof question, "run %lld\n", (long long)times);
    if (!peer_ask(self->state, question, answer) || sscanf(answer, "%lld %lld", &ns, &faults) != 2) {
        fprintf(stderr, "  %s: %s\n", self->name, answer);
        return false;
    }
    *out = (bench_sample){(double)ns / (double)times, (double)faults / (double)times};
    return true;
}

static void peer_finish(bench_contestant *self) {
    char answer[256];
    peer_ask(self->state, "finish\n", answer);
}

/* The thread counts that a library reads once, when it is loaded. */
static void set_thread_environment(int64_t threads) {
    static const char *const names[] = {"OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS"};
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)threads);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        setenv(names[i], text, 1);
}

bool bench_peer_start(bench_contestant *out, bench_peer_kind kind, char *const argv[], int64_t threads, char hello[256]) {
    int to_peer[2], from_peer[2];
    peer_state *state = calloc(1, sizeof *state);
    *out = (bench_contestant){bench_peer_name(kind), false, state, peer_prepare, peer_sample, peer_finish};
    snprintf(hello, 256, "could not start %.200s", argv[0]);
    signal(SIGPIPE, SIG_IGN);
    if (!state || pipe(to_peer) != 0 || pipe(from_peer) != 0)
        return false;
    state->pid = fork();
    if (state->pid == 0) {
        dup2(to_peer[0], 0);
        dup2(from_peer[1], 1);
        for (int fd = 3; fd < 64; fd++)
            close(fd);
        set_thread_environment(threads);
        execvp(argv[0], argv);
        _exit(127);
    }
    close(to_peer[0]);
    close(from_peer[1]);
    state->in = to_peer[1];
    state->out = from_peer[0];
    state->kind = kind;
    if (state->pid > 0 && peer_hear(state, hello) && strncmp(hello, "hello ", 6) == 0) {
        memmove(hello, hello + 6, strlen(hello + 6) + 1);
        return true;
    }
    if (state->pid <= 0)
        state->pid = 0;
    if (strncmp(hello, "sorry ", 6) == 0)
        memmove(hello, hello + 6, strlen(hello + 6) + 1);
    bench_peer_stop(out);
    return false;
}
