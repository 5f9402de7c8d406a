/* cpu_features.c - the instruction-set level, the cache sizes, and how many CPUs a cgroup grants.
 *
 * Tests: src/base/quota.c, src/base/machine.c, src/cpu/levels.c */
#include "test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/quota.h"
#include "base/cpu_features.h"

static void level_again(void *level) { tn_set_cpu_level(*(tn_cpu_level *)level); }

TEST(every_level_up_to_the_detected_can_be_set) {
    static tn_cpu_level before; /* read after the test has returned */
    tn_cpu_level detected = tn_cpu_level_detected();
    before = tn_cpu_level_in_use();
    TEST_DEFER(level_again, &before);
    CHECK(before <= detected);
    for (int level = 0; level < TNI_CPU_LEVELS; level++) {
        tn_cpu_level kept = tn_cpu_level_in_use();
        if (level <= (int)detected) {
            CHECK_INT(tn_set_cpu_level((tn_cpu_level)level), TN_OK);
            CHECK_INT(tn_cpu_level_in_use(), level);
        } else {
            CHECK_ERROR(TN_ERROR_UNSUPPORTED, "this machine has no", tn_set_cpu_level((tn_cpu_level)level));
            CHECK_INT(tn_cpu_level_in_use(), kept);
        }
        CHECK_INT(tni_cpu_level(), tn_cpu_level_in_use());
        CHECK_INT(tn_cpu_level_detected(), detected);
    }
    CHECK_ERROR(TN_ERROR_ARGUMENT, "-1 is not a level", tn_set_cpu_level((tn_cpu_level)-1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "99 is not a level", tn_set_cpu_level((tn_cpu_level)99));
}

/* The compiler's own detection is the judge; it does not know our list, only the single features. */
TEST(the_detected_level_agrees_with_the_compilers_detection) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    CHECK_INT(tn_cpu_level_detected(), avx512 ? TN_CPU_AVX512 : avx2 ? TN_CPU_AVX2 : TN_CPU_BASELINE);
#else
    CHECK_INT(tn_cpu_level_detected(), TN_CPU_BASELINE);
#endif
}

TEST(a_cap_lowers_the_level_and_never_raises_it) {
    CHECK_INT(tni_cpu_level_capped(TN_CPU_AVX512, NULL), TN_CPU_AVX512);
    CHECK_INT(tni_cpu_level_capped(TN_CPU_AVX512, "avx512"), TN_CPU_AVX512);
    CHECK_INT(tni_cpu_level_capped(TN_CPU_AVX512, "avx2"), TN_CPU_AVX2);
    CHECK_INT(tni_cpu_level_capped(TN_CPU_AVX512, "baseline"), TN_CPU_BASELINE);
    CHECK_INT(tni_cpu_level_capped(TN_CPU_AVX2, "avx512"), TN_CPU_AVX2);
    CHECK_INT(tni_cpu_level_capped(TN_CPU_BASELINE, "avx2"), TN_CPU_BASELINE);
    CHECK_INT(tni_cpu_level_capped(TN_CPU_AVX2, ""), TN_CPU_AVX2);
    CHECK_INT(tni_cpu_level_capped(TN_CPU_AVX2, "quick"), TN_CPU_AVX2);
}

TEST(levels_have_names) {
    CHECK_TEXT(tn_cpu_level_name(TN_CPU_BASELINE), "baseline");
    CHECK_TEXT(tn_cpu_level_name(TN_CPU_AVX2), "avx2");
    CHECK_TEXT(tn_cpu_level_name(TN_CPU_AVX512), "avx512");
    CHECK_TEXT(tn_cpu_level_name((tn_cpu_level)77), "unknown");
    CHECK_TEXT(tn_cpu_level_name((tn_cpu_level)-1), "unknown");
}

TEST(a_process_runs_at_the_level_its_environment_allows) {
    CHECK_INT(tn_cpu_level_in_use(), tni_cpu_level_capped(tn_cpu_level_detected(), getenv("TENON_CPU")));
}

/* The environment is read once, so each cap needs a process of its own: this runner, with the test above. */
TEST_ONCE(each_cap_in_the_environment_is_obeyed) { /* forks */
    for (int level = 0; level <= TNI_CPU_LEVELS; level++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            int nowhere = open("/dev/null", O_WRONLY);
            dup2(nowhere, STDOUT_FILENO);
            setenv("TENON_CPU", tn_cpu_level_name((tn_cpu_level)level), 1);
            execl("/proc/self/exe", "run", "--no-faults", "a_process_runs_at_the_level_its_environment_allows", (char *)NULL);
            _exit(2);
        }
        int status = -1;
        CHECK(child > 0);
        CHECK(waitpid(child, &status, 0) == child);
        CHECK_INT(status, 0);
    }
}

TEST(caches_have_sizes_that_grow_with_their_level) {
    CHECK(tni_cpu_l1_bytes() >= 4096);
    CHECK(tni_cpu_l2_bytes() >= tni_cpu_l1_bytes());
    CHECK(tni_cpu_last_level_bytes() >= tni_cpu_l2_bytes());
    CHECK(tni_cpu_last_level_bytes() <= INT64_C(16) << 30);
}

/* ---- a made-up /proc and /sys in a folder of its own ---- */

typedef struct made_up_root {
    char path[64];
} made_up_root;

static void remove_root(void *object) {
    made_up_root *root = object;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", root->path);
    if (system(command) != 0)
        perror(root->path);
}

static bool put(const made_up_root *root, const char *name, const char *text) {
    char path[512];
    snprintf(path, sizeof path, "%s%s", root->path, name);
    for (char *slash = path + strlen(root->path) + 1; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = 0;
        mkdir(path, 0700);
    }
    FILE *file = fopen(path, "w");
    bool written = file && fputs(text, file) >= 0;
    return file && fclose(file) == 0 && written;
}

static void make_root(made_up_root *root) {
    snprintf(root->path, sizeof root->path, "/tmp/tenon-cpu-XXXXXX");
    CHECK(mkdtemp(root->path));
    TEST_DEFER(remove_root, root);
}

static bool describe_cache(const made_up_root *root, int index, const char *level, const char *type, const char *size) {
    const char *const texts[][2] = {{"level", level}, {"type", type}, {"size", size}};
    bool good = true;
    for (int i = 0; i < 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "/cache/index%d/%s", index, texts[i][0]);
        good = put(root, name, texts[i][1]) && good;
    }
    return good;
}

TEST_SAMPLED(cache_sizes_are_read_as_the_kernel_writes_them) {
    static made_up_root root; /* removed after the test has returned */
    char folder[128];
    make_root(&root);
    snprintf(folder, sizeof folder, "%s/cache", root.path);
    tni_cpu_caches unknown = tni_cpu_caches_found(folder);
    CHECK(unknown.l1 > 0 && unknown.l2 >= unknown.l1 && unknown.last >= unknown.l2);
    CHECK(describe_cache(&root, 0, "1\n", "Data\n", "48K\n"));
    CHECK(describe_cache(&root, 1, "1\n", "Instruction\n", "64K\n"));
    CHECK(describe_cache(&root, 2, "2\n", "Unified\n", "2048K\n"));
    tni_cpu_caches two = tni_cpu_caches_found(folder);
    CHECK_INT(two.l1, 48 << 10);
    CHECK_INT(two.l2, 2 << 20);
    CHECK_INT(two.last, 2 << 20);
    CHECK(describe_cache(&root, 3, "3\n", "Unified\n", "36M\n"));
    CHECK(describe_cache(&root, 4, "4\n", "Unified\n", "unreadable\n"));
    tni_cpu_caches three = tni_cpu_caches_found(folder);
    CHECK_INT(three.l2, 2 << 20);
    CHECK_INT(three.last, 36 << 20);
}

TEST_SAMPLED(without_cgroups_there_is_no_quota) {
    static made_up_root root; /* removed after the test has returned */
    make_root(&root);
    CHECK_INT(tni_cpu_quota(root.path), INT64_MAX);
    CHECK(put(&root, "/proc/self/cgroup", "0::/\n"));
    CHECK_INT(tni_cpu_quota(root.path), INT64_MAX);
    CHECK(put(&root, "/proc/self/mountinfo", "22 1 8:1 / / rw - ext4 /dev/sda rw\nnonsense\n"));
    CHECK_INT(tni_cpu_quota(root.path), INT64_MAX);
}

TEST_SAMPLED(the_quota_of_version_2_is_the_smallest_up_to_the_root_rounded_up) {
    static made_up_root root; /* removed after the test has returned */
    make_root(&root);
    char mounts[6000] = "";
    for (int i = 0; i < 80; i++) /* longer than one read */
        snprintf(mounts + strlen(mounts), sizeof mounts - strlen(mounts), "%d 1 0:%d / /mnt/%d rw shared:4 - tmpfs tmpfs rw\n",
                 i, i, i);
    snprintf(mounts + strlen(mounts), sizeof mounts - strlen(mounts),
             "31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n");
    CHECK(put(&root, "/proc/self/mountinfo", mounts));
    CHECK(put(&root, "/proc/self/cgroup", "0::/work.slice/job\n"));
    CHECK(put(&root, "/sys/fs/cgroup/work.slice/job/cpu.max", "max 100000\n"));
    CHECK_INT(tni_cpu_quota(root.path), INT64_MAX);
    CHECK(put(&root, "/sys/fs/cgroup/work.slice/cpu.max", "250000 100000\n"));
    CHECK_INT(tni_cpu_quota(root.path), 3);
    CHECK(put(&root, "/sys/fs/cgroup/work.slice/job/cpu.max", "20000 100000\n"));
    CHECK_INT(tni_cpu_quota(root.path), 1);
    CHECK(put(&root, "/sys/fs/cgroup/work.slice/job/cpu.max", "800000 100000\n"));
    CHECK_INT(tni_cpu_quota(root.path), 3);
    CHECK(put(&root, "/sys/fs/cgroup/work.slice/cpu.max", "rubbish\n"));
    CHECK_INT(tni_cpu_quota(root.path), 8);
    CHECK(put(&root, "/sys/fs/cgroup/cpu.max", "200000 100000\n"));
    CHECK_INT(tni_cpu_quota(root.path), 2);
    CHECK(put(&root, "/sys/cpu.max", "100000 100000\n"));
    CHECK_INT(tni_cpu_quota(root.path), 2);
}

TEST_SAMPLED(the_quota_of_version_1_is_found_in_a_container_that_sees_only_its_part) {
    static made_up_root root; /* removed after the test has returned */
    make_root(&root);
    CHECK(
        put(&root, "/proc/self/cgroup", "5:cpuset:/docker/abc\n4:cpu,cpuacct:/docker/abc\n1:name=systemd:/docker/abc\n0::/\n"));
    CHECK(put(&root, "/proc/self/mountinfo",
              "30 1 0:1 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
              "31 1 0:2 /docker/abc /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
              "32 1 0:3 /docker/abc /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"));
    CHECK_INT(tni_cpu_quota(root.path), INT64_MAX);
    CHECK(put(&root, "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "150000\n"));
    CHECK_INT(tni_cpu_quota(root.path), INT64_MAX);
    CHECK(put(&root, "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"));
    CHECK_INT(tni_cpu_quota(root.path), 2);
    CHECK(put(&root, "/proc/self/cgroup", "4:cpu,cpuacct:/elsewhere\n"));
    CHECK_INT(tni_cpu_quota(root.path), 2);
    CHECK(put(&root, "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n"));
    CHECK_INT(tni_cpu_quota(root.path), INT64_MAX);
}

TEST_SAMPLED(the_limit_of_memory_is_the_smallest_up_to_the_root) {
    static made_up_root root; /* removed after the test has returned */
    make_root(&root);
    CHECK_INT(tni_memory_quota(root.path), INT64_MAX);
    CHECK(put(&root, "/proc/self/mountinfo", "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n"));
    CHECK(put(&root, "/proc/self/cgroup", "0::/work.slice/job\n"));
    CHECK(put(&root, "/sys/fs/cgroup/work.slice/job/memory.max", "max\n"));
    CHECK_INT(tni_memory_quota(root.path), INT64_MAX);
    CHECK(put(&root, "/sys/fs/cgroup/work.slice/memory.max", "1073741824\n"));
    CHECK_INT(tni_memory_quota(root.path), 1 << 30);
    CHECK(put(&root, "/sys/fs/cgroup/work.slice/job/memory.max", "536870912\n"));
    CHECK_INT(tni_memory_quota(root.path), 1 << 29);
    CHECK_INT(tni_cpu_quota(root.path), INT64_MAX);
}

TEST_SAMPLED(the_limit_of_memory_of_version_1_is_that_of_its_controller) {
    static made_up_root root; /* removed after the test has returned */
    make_root(&root);
    CHECK(put(&root, "/proc/self/cgroup", "4:cpu,cpuacct:/a\n3:memory:/b\n"));
    CHECK(put(&root, "/proc/self/mountinfo",
              "31 1 0:2 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
              "32 1 0:3 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"));
    CHECK(put(&root, "/sys/fs/cgroup/cpu,cpuacct/a/memory.limit_in_bytes", "1024\n"));
    CHECK_INT(tni_memory_quota(root.path), INT64_MAX);
    CHECK(put(&root, "/sys/fs/cgroup/memory/b/memory.limit_in_bytes", "268435456\n"));
    CHECK_INT(tni_memory_quota(root.path), 1 << 28);
    CHECK(tni_memory_bytes() > 0);
}

/* ---- what is reported about the machine ---- */

TEST(the_machine_is_told_as_it_is_counted) {
    tn_machine machine = {.struct_size = sizeof machine};
    CHECK_INT(tn_machine_find(&machine), TN_OK);
    CHECK_INT(machine.struct_size, sizeof machine);
    CHECK_INT(machine.cpus_online, sysconf(_SC_NPROCESSORS_ONLN));
    CHECK(machine.cpus_allowed >= 1 && machine.cpu_quota >= 0);
    int64_t usable =
        machine.cpu_quota > 0 && machine.cpu_quota < machine.cpus_allowed ? machine.cpu_quota : machine.cpus_allowed;
    CHECK_INT(usable, tni_cpu_count());
    CHECK(machine.memory_bytes > 0 && machine.memory_limit >= 0 && machine.memory_limit <= machine.memory_bytes);
    int64_t bytes =
        machine.memory_limit > 0 && machine.memory_limit < machine.memory_bytes ? machine.memory_limit : machine.memory_bytes;
    CHECK_INT(bytes, tni_memory_bytes());
    CHECK_INT(machine.l1_bytes, tni_cpu_l1_bytes());
    CHECK_INT(machine.l2_bytes, tni_cpu_l2_bytes());
    CHECK_INT(machine.last_bytes, tni_cpu_last_level_bytes());
}

TEST(a_machine_without_room_is_refused_untouched) {
    tn_machine machine = {.struct_size = sizeof machine - 1, .cpus_online = -7};
    CHECK_ERROR(TN_ERROR_ARGUMENT, "out is NULL", tn_machine_find(NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "out->struct_size is", tn_machine_find(&machine));
    CHECK_INT(machine.cpus_online, -7);
}
