/* interleave.c - the elements of several runs, one from each in turn (interleave.h).
 *
 * Copied run by run, every line of the result would be visited once for each run. So the result is made in chunks that stay in
 * the first cache: two runs, and four as two pairs, by a kernel that interleaves registers; any other number by transposing
 * the runs' parts after bringing them together. Results that do not fit in the caches are made in a buffer and written around
 * them.
 *
 * Invariant: how the work is cut depends only on the sizes, and every chunk writes its own elements.
 */
#include "ops/join/interleave.h"

#include "base/parallel.h"
#include "kernels/table.h"
#include "ops/copy/copy_engine.h"
#include "ops/limits.h"

enum { INTERLEAVE_PAD = 32 }; /* bytes between gathered parts, to spread them over the sets of a cache */

typedef struct interleave_plan {
    const tni_interleave *runs;
    const tni_kernel_table *kernels;
    int64_t chunk; /* rounds */
    bool around_caches;
} interleave_plan;

/* Whether the kernel for two runs does it: it can write around the caches itself. */
static bool interleave_by_pairs(const tni_interleave *runs) { return runs->item < 16 && (runs->runs == 2 || runs->runs == 4); }

/* Rounds `first` to first + count, one after the other at `target`. */
static void interleave_rounds(const interleave_plan *plan, int64_t first, int64_t count, char *target, bool around) {
    const tni_interleave *runs = plan->runs;
    const char *const *source = runs->sources;
    int64_t skip = first * runs->item, bytes = count * runs->item;
    int index = tni_element_index((size_t)runs->item);
    _Alignas(64) char parts[INTERLEAVE_CHUNK + TNI_INTERLEAVED * INTERLEAVE_PAD];
    if (!interleave_by_pairs(runs)) {
        int64_t pitch = bytes + INTERLEAVE_PAD;
        for (int64_t run = 0; run < runs->runs; run++)
            memcpy(parts + run * pitch, source[run] + skip, (size_t)bytes);
        plan->kernels->transpose[index](target, runs->runs * runs->item, parts, pitch, runs->runs, count);
    } else if (runs->runs == 2) {
        plan->kernels->interleave[index](target, source[0] + skip, source[1] + skip, count, around);
    } else {
        plan->kernels->interleave[index](parts, source[0] + skip, source[1] + skip, count, false);
        plan->kernels->interleave[index](parts + 2 * bytes, source[2] + skip, source[3] + skip, count, false);
        plan->kernels->interleave[index + 1](target, parts, parts + 2 * bytes, count, around);
    }
}

static void interleave_chunks(void *argument, int64_t begin, int64_t end) {
    const interleave_plan *plan = argument;
    const tni_interleave *runs = plan->runs;
    int64_t round = runs->runs * runs->item, pitch = runs->pitch * runs->item;
    bool around = plan->around_caches, one_run = round == pitch;
    bool direct = one_run && (!around || (interleave_by_pairs(runs) && (uintptr_t)runs->target % 64 == 0));
    _Alignas(64) char buffer[INTERLEAVE_CHUNK];
    for (int64_t i = begin; i < end; i++) {
        int64_t first = i * plan->chunk, count = tni_min_i64(plan->chunk, runs->count - first);
        char *target = runs->target + first * pitch;
        interleave_rounds(plan, first, count, direct ? target : buffer, direct && around);
        tni_stream stream = {.target = target,
                             .source = buffer,
                             .target_pitch = pitch,
                             .source_pitch = round,
                             .bytes = one_run ? round * count : round,
                             .rows = one_run ? 1 : count,
                             .unordered = true};
        if (!direct && around)
            plan->kernels->stream[0](&stream);
        for (int64_t row = 0; !direct && !around && row < count; row++)
            memcpy(target + row * pitch, buffer + row * round, (size_t)round);
    }
    if (around)
        plan->kernels->stream[0](&(tni_stream){.rows = 0});
}

void tni_interleave_runs(const tni_interleave *runs) {
    int64_t round = runs->runs * runs->item, chunk = INTERLEAVE_CHUNK / round;
    chunk -= chunk >= 64 ? chunk % 64 : chunk % 8; /* whole lines, where that is cheap */
    interleave_plan plan = {.runs = runs,
                            .kernels = tni_kernels(),
                            .chunk = chunk,
                            .around_caches = tni_copy_is_beyond_caches(runs->count * runs->runs, runs->item, runs->item)};
    tni_parallel_for((runs->count + chunk - 1) / chunk, INTERLEAVE_PIECE / (chunk * round), interleave_chunks, &plan);
}
