/* cpu_features.c - asks the CPU what it can do, and the operating system whether that may be used.
 *
 * An instruction set counts only if cpuid has every part of it and xgetbv says that the registers survive a context switch:
 * a virtual machine or an old kernel may have one without the other. The level is one atomic number; kernel tables are indexed
 * by it, so that a test can change it while the program runs.
 *
 * Cache sizes come from sysfs first: sysconf counts the whole package's last level on some virtual machines (256 MiB where a
 * core reaches 32), which would keep streaming stores from ever being used.
 */
#include "base/cpu_features.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/quota.h"
#include "base/error.h"

#if (defined(__x86_64__) || defined(__i386__)) && !defined(TN_WITHOUT_LEVELS)
#include <cpuid.h>
#endif

static const char *const cpu_level_names[TNI_CPU_LEVELS] = {
    [TN_CPU_BASELINE] = "baseline",
    [TN_CPU_AVX2] = "avx2",
    [TN_CPU_AVX512] = "avx512",
};

_Atomic int tni_cpu_level_chosen = -1;

/* ---- detection ---- */

/* A build without levels has nothing beyond the baseline. */
#if (defined(__x86_64__) || defined(__i386__)) && !defined(TN_WITHOUT_LEVELS)

enum { XCR0_YMM = 0x06, XCR0_ZMM = 0xe6 }; /* SSE and AVX state; and the mask, upper-half and high-sixteen states */

static uint64_t cpu_read_xcr0(void) {
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static bool cpu_has_all(uint32_t word, uint32_t bits) { return (word & bits) == bits; }

static tn_cpu_level cpu_detect_level(void) {
    enum { LZCNT_BIT = 1 << 5 }; /* bit_LZCNT or bit_ABM, depending on the compiler */
    uint32_t a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !cpu_has_all(c, bit_OSXSAVE | bit_AVX | bit_FMA | bit_F16C | bit_POPCNT))
        return TN_CPU_BASELINE;
    uint64_t saved = cpu_read_xcr0();
    if ((saved & XCR0_YMM) != XCR0_YMM || !__get_cpuid(0x80000001, &a, &b, &c, &d) || !cpu_has_all(c, LZCNT_BIT) ||
        !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !cpu_has_all(b, bit_AVX2 | bit_BMI | bit_BMI2))
        return TN_CPU_BASELINE;
    if ((saved & XCR0_ZMM) != XCR0_ZMM || !cpu_has_all(b, bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL))
        return TN_CPU_AVX2;
    return TN_CPU_AVX512;
}

bool tni_cpu_has_vnni(void) {
    enum { VNNI_BIT = 1 << 11 };
    uint32_t a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && cpu_has_all(c, VNNI_BIT);
}

#else

static tn_cpu_level cpu_detect_level(void) { return TN_CPU_BASELINE; }
bool tni_cpu_has_vnni(void) { return false; }

#endif

/* ---- the level in use ---- */

tn_cpu_level tn_cpu_level_detected(void) {
    static _Atomic int detected = -1;
    int level = atomic_load_explicit(&detected, memory_order_relaxed);
    if (level < 0) {
        level = (int)cpu_detect_level();
        atomic_store_explicit(&detected, level, memory_order_relaxed);
    }
    return (tn_cpu_level)level;
}

tn_cpu_level tni_cpu_level_capped(tn_cpu_level detected, const char *cap) {
    for (int level = 0; cap && level < TNI_CPU_LEVELS; level++)
        if (strcmp(cap, cpu_level_names[level]) == 0)
            return level < (int)detected ? (tn_cpu_level)level : detected;
    return detected;
}

/* The first thread decides; a tn_set_cpu_level that came in between stays. */
TNI_COLD tn_cpu_level tni_cpu_level_decide(void) {
    int undecided = -1, level = (int)tni_cpu_level_capped(tn_cpu_level_detected(), getenv("TENON_CPU"));
    return (tn_cpu_level)(atomic_compare_exchange_strong(&tni_cpu_level_chosen, &undecided, level) ? level : undecided);
}

tn_cpu_level tn_cpu_level_in_use(void) { return tni_cpu_level(); }

tn_error tn_set_cpu_level(tn_cpu_level level) {
    tn_cpu_level detected = tn_cpu_level_detected();
    if ((int)level < 0 || (int)level >= TNI_CPU_LEVELS)
        return tni_raise_in("set_cpu_level", TN_ERROR_ARGUMENT, "%d is not a level; there are 0 (baseline) to %d (%s)",
                            (int)level, TNI_CPU_LEVELS - 1, cpu_level_names[TNI_CPU_LEVELS - 1]);
#ifdef TN_WITHOUT_LEVELS
    if (level > detected)
        return tni_raise_in("set_cpu_level", TN_ERROR_UNSUPPORTED, "this build of Tenon was made without levels");
#endif
    if (level > detected)
        return tni_raise_in("set_cpu_level", TN_ERROR_UNSUPPORTED, "this machine has no %s; the best it has is %s",
                            cpu_level_names[level], cpu_level_names[detected]);
    atomic_store(&tni_cpu_level_chosen, (int)level);
    return TN_OK;
}

const char *tn_cpu_level_name(tn_cpu_level level) {
    return (int)level >= 0 && (int)level < TNI_CPU_LEVELS ? cpu_level_names[level] : "unknown";
}

/* ---- caches ---- */

enum { CPU_TYPICAL_L1 = 32 << 10, CPU_TYPICAL_L2 = 512 << 10, CPU_TYPICAL_LAST = 8 << 20 };

static pthread_once_t cpu_caches_once = PTHREAD_ONCE_INIT;
static tni_cpu_caches cpu_caches;

static bool cache_text(const char *folder, int index, const char *name, char *text, size_t size) {
    char path[512];
    return snprintf(path, sizeof path, "%s/index%d/%s", folder, index, name) < (int)sizeof path &&
           tni_cpu_read_text(path, text, size);
}

/* "32K", "8M", "512"; 0 for anything else. */
static int64_t cache_size_of(const char *text) {
    char *unit;
    long long size = strtoll(text, &unit, 10);
    int shift = *unit == 'K' ? 10 : *unit == 'M' ? 20 : 0;
    return size > 0 && size < (1LL << 40) ? (int64_t)size << shift : 0;
}

static int64_t cpu_system_tells(int name) {
    long value = sysconf(name);
    return value > 0 ? value : 0;
}

tni_cpu_caches tni_cpu_caches_found(const char *folder) {
    tni_cpu_caches found = {0};
    char type[32], level[32], size[32];
    for (int index = 0; cache_text(folder, index, "type", type, sizeof type); index++) {
        if (strcmp(type, "Instruction") == 0 || !cache_text(folder, index, "level", level, sizeof level) ||
            !cache_text(folder, index, "size", size, sizeof size))
            continue;
        int64_t bytes = cache_size_of(size);
        if (strcmp(level, "1") == 0)
            found.l1 = bytes;
        else if (strcmp(level, "2") == 0)
            found.l2 = bytes;
        found.last = tni_max_i64(found.last, bytes);
    }
#if defined(_SC_LEVEL1_DCACHE_SIZE)
    if (!found.last)
        found = (tni_cpu_caches){cpu_system_tells(_SC_LEVEL1_DCACHE_SIZE), cpu_system_tells(_SC_LEVEL2_CACHE_SIZE),
                                 cpu_system_tells(_SC_LEVEL3_CACHE_SIZE)};
#endif
    if (!found.last && !found.l2)
        found.last = CPU_TYPICAL_LAST;
    found.l1 = found.l1 ? found.l1 : CPU_TYPICAL_L1;
    found.l2 = tni_max_i64(found.l1, found.l2 ? found.l2 : CPU_TYPICAL_L2);
    found.last = tni_max_i64(found.l2, found.last);
    return found;
}

static void cpu_caches_find(void) { cpu_caches = tni_cpu_caches_found("/sys/devices/system/cpu/cpu0/cache"); }

static const tni_cpu_caches *cpu_caches_known(void) {
    pthread_once(&cpu_caches_once, cpu_caches_find);
    return &cpu_caches;
}

int64_t tni_cpu_l1_bytes(void) { return cpu_caches_known()->l1; }
int64_t tni_cpu_l2_bytes(void) { return cpu_caches_known()->l2; }
int64_t tni_cpu_last_level_bytes(void) { return cpu_caches_known()->last; }
