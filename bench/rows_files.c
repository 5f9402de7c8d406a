/* rows_files.c - files in the page cache: loading, mapping and saving. Files are made in /tmp by the first call and removed at the end. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

static const char files_npy[] = "/tmp/tenon-bench.npy", files_pt[] = "/tmp/tenon-bench.pt",
                  files_saved[] = "/tmp/tenon-bench-saved.npy";

static void files_remove(void) {
    remove(files_npy);
    remove(files_pt);
    remove(files_saved);
}

static void files_save(const char *path, const char *format, const tn_tensor *tensor) {
    tn_writer *writer = tn_writer_open(path, format);
    if (writer && tn_writer_add(writer, "x", tensor) == TN_OK)
        (void)tn_writer_finish(writer);
    tn_writer_release(writer);
}

static void files_setup(bench_inputs *inputs) {
    static bool registered;
    if (!registered)
        registered = atexit(files_remove) == 0;
    inputs->a = bench_random(TN_DIMS(10000000), TN_FLOAT32);
    files_save(files_npy, "npy", inputs->a);
    files_save(files_pt, "pt", inputs->a);
}

static void files_take(const char *path, tn_file_mode mode, int64_t times) {
    tn_file_options options = TN_FILE_OPTIONS;
    options.mode = mode;
    for (; times > 0; times--) {
        tn_file *file = tn_file_open(path, &options);
        tn_release(tn_file_take_at(file, 0));
        tn_file_release(file);
    }
}

static void npy_load(bench_inputs *inputs, int64_t times) { (void)inputs, files_take(files_npy, TN_FILE_READ, times); }
static void npy_map(bench_inputs *inputs, int64_t times) { (void)inputs, files_take(files_npy, TN_FILE_MAP, times); }
static void pt_load(bench_inputs *inputs, int64_t times) { (void)inputs, files_take(files_pt, TN_FILE_READ, times); }
static void pt_map(bench_inputs *inputs, int64_t times) { (void)inputs, files_take(files_pt, TN_FILE_MAP, times); }

static void npy_save(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        files_save(files_saved, "npy", inputs->a);
}

#define FILES_NUMPY "np.save('/tmp/tenon-bench-numpy.npy', np.ones(10000000, np.float32))"
#define FILES_TORCH "torch.save({'x': torch.ones(10000000)}, '/tmp/tenon-bench-torch.pt')"

const bench_workload bench_rows_files[] = {
    {.name = "npy: load 40 MB",
     .setup = files_setup,
     .run = npy_load,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 40000000,
     .writes = 40000000,
     .numpy = {FILES_NUMPY, "np.load('/tmp/tenon-bench-numpy.npy')"}},
    {.name = "npy: map 40 MB",
     .setup = files_setup,
     .run = npy_map,
     .numpy = {FILES_NUMPY, "np.load('/tmp/tenon-bench-numpy.npy', mmap_mode='r')"}},
    {.name = "npy: save 40 MB with fsync",
     .setup = files_setup,
     .run = npy_save,
     .numpy = {"x = np.ones(10000000, np.float32)", "np.save('/tmp/tenon-bench-numpy.npy', x)"}},
    {.name = "checkpoint: load 40 MB",
     .setup = files_setup,
     .run = pt_load,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 40000000,
     .writes = 40000000,
     .torch = {FILES_TORCH, "torch.load('/tmp/tenon-bench-torch.pt')"}},
    {.name = "checkpoint: map 40 MB",
     .setup = files_setup,
     .run = pt_map,
     .torch = {FILES_TORCH, "torch.load('/tmp/tenon-bench-torch.pt', mmap=True)"}},
    {.name = NULL},
};
