/* mapped_file.c - storages over mapped files, judged by what is in the file afterwards. */
#include "test.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/thread.h"
#include "memory/storage.h"
#include "storage_helpers.h"

enum { PATH_SIZE = 64 };
static char path[PATH_SIZE];

static void remove_file(void *name) { unlink(name); }

/* A fresh file at `path` whose byte i is i % 251; removed at the end of the test. */
static void make_file(size_t bytes) {
    snprintf(path, sizeof path, "/tmp/tenon-storage-XXXXXX");
    int file = mkstemp(path);
    CHECK(file >= 0);
    TEST_DEFER(remove_file, path);
    FILE *stream = fdopen(file, "wb");
    CHECK(stream);
    for (size_t i = 0; i < bytes; i++)
        putc((int)(i % 251), stream);
    CHECK_INT(fclose(stream), 0);
}

static long long file_size(void) {
    struct stat about;
    return stat(path, &about) == 0 ? (long long)about.st_size : -1;
}

static int file_byte(size_t at) {
    unsigned char byte;
    int file = open(path, O_RDONLY);
    ssize_t got = file < 0 ? -1 : pread(file, &byte, 1, (off_t)at);
    close(file);
    return got == 1 ? byte : -1;
}

static bool mapped_bytes_match(const tn_storage *storage, size_t offset) {
    const unsigned char *bytes = tn_storage_data(storage);
    for (size_t i = 0; i < tn_storage_nbytes(storage); i++)
        if (bytes[i] != (offset + i) % 251)
            return false;
    return true;
}

TEST(a_file_is_mapped_from_any_offset_for_any_length) {
    make_file(10000);
    static const size_t cases[][3] = {{0, 10000, 10000}, {0, 0, 10000}, {1, 0, 9999},       {4095, 2, 2},
                                      {4096, 0, 5904},   {4097, 1, 1},  {8191, 1809, 1809}, {9999, 1, 1}};
    static const tn_map_mode modes[] = {TN_MAP_READONLY, TN_MAP_PRIVATE, TN_MAP_SHARED};
    for (size_t mode = 0; mode < 3; mode++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            tn_storage *storage = tn_storage_from_file(path, modes[mode], cases[i][0], cases[i][1], TN_UINT8);
            CHECK(storage);
            CHECK_INT(tn_storage_nbytes(storage), (long long)cases[i][2]);
            CHECK_INT(tn_storage_capacity(storage), (long long)cases[i][2]);
            CHECK(mapped_bytes_match(storage, cases[i][0]));
            CHECK(!tn_storage_resizable(storage) && !tn_storage_allocator(storage));
            CHECK(tn_device_equal(tn_storage_device(storage), TN_DEVICE_CPU));
        }
    CHECK_INT(file_size(), 10000);
}

TEST(a_read_only_map_refuses_writes) {
    make_file(100);
    tn_storage *storage = tn_storage_from_file(path, TN_MAP_READONLY, 0, 0, TN_INT32);
    CHECK(storage);
    CHECK_INT(tn_storage_numel(storage), 25);
    CHECK(tn_storage_readonly(storage));
    CHECK_ERROR(TN_ERROR_READONLY, "read-only", tn_storage_mutable_data(storage));
    CHECK(tn_storage_data_as(storage, TN_INT32));
    tn_storage *clone = tn_storage_lazy_clone(storage);
    CHECK(clone);
    CHECK(!tn_storage_is_lazy(clone) && !tn_storage_readonly(clone));
    CHECK(tn_storage_mutable_data(clone));
    CHECK(mapped_bytes_match(clone, 0));
}

TEST(a_file_without_write_permission_can_be_mapped_read_only_and_private) {
    make_file(100);
    CHECK_INT(chmod(path, 0444), 0);
    tn_storage *readonly = tn_storage_from_file(path, TN_MAP_READONLY, 0, 0, TN_UINT8);
    tn_storage *private = tn_storage_from_file(path, TN_MAP_PRIVATE, 0, 0, TN_UINT8);
    CHECK(readonly && private);
    memset(tn_storage_mutable_data(private), 0, 100);
    CHECK(mapped_bytes_match(readonly, 0));
}

TEST(writes_to_a_private_map_stay_in_the_process) {
    make_file(5000);
    tn_storage *storage = tn_storage_from_file(path, TN_MAP_PRIVATE, 4000, 0, TN_UINT8);
    CHECK(storage);
    CHECK(!tn_storage_readonly(storage));
    CHECK(tn_storage_mutable_data(storage));
    memset(tn_storage_mutable_data(storage), 255, 1000);
    CHECK(all_bytes_are(storage, 255));
    CHECK_INT(file_byte(4000), 4000 % 251);
    CHECK_INT(file_byte(4999), 4999 % 251);
}

TEST(writes_to_a_shared_map_reach_the_file_and_other_maps_of_it) {
    make_file(5000);
    tn_storage *storage = tn_storage_from_file(path, TN_MAP_SHARED, 4000, 500, TN_UINT8);
    tn_storage *other = tn_storage_from_file(path, TN_MAP_READONLY, 4000, 500, TN_UINT8);
    CHECK(storage && other);
    CHECK(tn_storage_mutable_data(storage));
    memset(tn_storage_mutable_data(storage), 255, 500);
    CHECK(all_bytes_are(other, 255));
    CHECK_INT(file_byte(3999), 3999 % 251);
    CHECK_INT(file_byte(4000), 255);
    CHECK_INT(file_byte(4499), 255);
    CHECK_INT(file_byte(4500), 4500 % 251);
}

TEST(a_shared_map_grows_the_file_with_zeros) {
    make_file(10);
    tn_storage *storage = tn_storage_from_file(path, TN_MAP_SHARED, 5, 20000, TN_UINT8);
    CHECK(storage);
    CHECK_INT(file_size(), 20005);
    const unsigned char *bytes = tn_storage_data(storage);
    CHECK_INT(bytes[0], 5);
    CHECK_INT(bytes[4], 9);
    CHECK_INT(bytes[5], 0);
    CHECK_INT(bytes[19999], 0);
    ((unsigned char *)tn_storage_mutable_data(storage))[19999] = 77;
    CHECK_INT(file_byte(20004), 77);
}

TEST(a_shared_map_makes_a_missing_file_and_takes_it_back_when_it_fails) {
    make_file(0);
    CHECK_INT(unlink(path), 0);
    CHECK_ERROR(TN_ERROR_IO, "cannot open", tn_storage_from_file(path, TN_MAP_SHARED, 0, 0, TN_UINT8));
    CHECK_INT(file_size(), -1);
    CHECK_ERROR(TN_ERROR_IO, "cannot", tn_storage_from_file(path, TN_MAP_SHARED, (size_t)PTRDIFF_MAX - 8192, 1, TN_UINT8));
    CHECK_INT(file_size(), -1);
    tn_storage *storage = tn_storage_from_file(path, TN_MAP_SHARED, 0, 100, TN_UINT8);
    CHECK(storage);
    CHECK_INT(file_size(), 100);
    CHECK(all_bytes_are(storage, 0));
}

TEST_SAMPLED(a_map_without_memory_leaves_the_file_alone) {
    make_file(10);
    tn_storage *storage = NULL;
    int failures = 0;
    while (FAILING(failures + 1, storage = tn_storage_from_file(path, TN_MAP_SHARED, 5, 20000, TN_UINT8))) {
        failures++;
        CHECK(!storage);
        CHECK_INT(file_size(), 10);
    }
    CHECK(failures >= 3);
    CHECK(storage);
    CHECK_INT(file_size(), 20005);
    CHECK_INT(unlink(path), 0);
    failures = 0;
    while (FAILING(failures + 1, storage = tn_storage_from_file(path, TN_MAP_SHARED, 5, 20000, TN_UINT8))) {
        failures++;
        CHECK(!storage);
        CHECK_INT(file_size(), -1);
    }
    CHECK(failures >= 3);
    CHECK(storage);
    CHECK_INT(file_size(), 20005);
}

TEST(a_mapped_file_may_be_unlinked) {
    make_file(300);
    tn_storage *storage = tn_storage_from_file(path, TN_MAP_SHARED, 0, 0, TN_UINT8);
    CHECK(storage);
    CHECK_INT(unlink(path), 0);
    CHECK(mapped_bytes_match(storage, 0));
    CHECK(tn_storage_mutable_data(storage));
    memset(tn_storage_mutable_data(storage), 1, 300);
    CHECK(all_bytes_are(storage, 1));
}

TEST(an_empty_file_is_a_storage_of_no_bytes) {
    make_file(0);
    static const tn_map_mode modes[] = {TN_MAP_READONLY, TN_MAP_PRIVATE, TN_MAP_SHARED};
    for (size_t i = 0; i < 3; i++) {
        tn_storage *storage = tn_storage_from_file(path, modes[i], 0, 0, TN_FLOAT32);
        CHECK(storage);
        CHECK_INT(tn_storage_nbytes(storage), 0);
        CHECK(!tn_storage_data(storage));
        CHECK_INT(tn_storage_dtype(storage), TN_FLOAT32);
        CHECK(tn_storage_readonly(storage) == (modes[i] == TN_MAP_READONLY));
    }
    CHECK_INT(file_size(), 0);
}

TEST(the_end_of_a_file_is_a_valid_offset_and_beyond_it_is_not) {
    make_file(100);
    tn_storage *storage = tn_storage_from_file(path, TN_MAP_READONLY, 100, 0, TN_UINT8);
    CHECK(storage);
    CHECK_INT(tn_storage_nbytes(storage), 0);
    CHECK_ERROR(TN_ERROR_IO, "has 100 bytes, but offset is 101", tn_storage_from_file(path, TN_MAP_READONLY, 101, 0, TN_UINT8));
    CHECK_ERROR(TN_ERROR_IO, "has 100 bytes, but offset is 101", tn_storage_from_file(path, TN_MAP_SHARED, 101, 0, TN_UINT8));
    CHECK_ERROR(TN_ERROR_IO, "too short for 51 bytes from offset 50",
                tn_storage_from_file(path, TN_MAP_PRIVATE, 50, 51, TN_UINT8));
    CHECK_ERROR(TN_ERROR_IO, "too short for 1 bytes", tn_storage_from_file(path, TN_MAP_READONLY, 100, 1, TN_UINT8));
    CHECK_INT(file_size(), 100);
}

TEST(what_cannot_be_mapped_is_refused) {
    make_file(100);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "storage_from_file: path is NULL",
                tn_storage_from_file(NULL, TN_MAP_READONLY, 0, 0, TN_UINT8));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "mode is 9", tn_storage_from_file(path, (tn_map_mode)9, 0, 0, TN_UINT8));
    CHECK_ERROR(TN_ERROR_DTYPE, "no such dtype", tn_storage_from_file(path, TN_MAP_READONLY, 0, 0, (tn_dtype)99));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "beyond what any file", tn_storage_from_file(path, TN_MAP_SHARED, SIZE_MAX, 2, TN_UINT8));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "beyond what any file", tn_storage_from_file(path, TN_MAP_SHARED, 2, SIZE_MAX, TN_UINT8));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "beyond what any file", tn_storage_from_file(path, TN_MAP_SHARED, PTRDIFF_MAX, 1, TN_UINT8));
    CHECK_ERROR(TN_ERROR_IO, "cannot open \"/nonexistent/file\"",
                tn_storage_from_file("/nonexistent/file", TN_MAP_READONLY, 0, 0, TN_UINT8));
    CHECK_ERROR(TN_ERROR_IO, "cannot open", tn_storage_from_file("/nonexistent/file", TN_MAP_SHARED, 0, 8, TN_UINT8));
    CHECK_ERROR(TN_ERROR_IO, "it is a directory", tn_storage_from_file("/tmp", TN_MAP_READONLY, 0, 0, TN_UINT8));
    CHECK_ERROR(TN_ERROR_IO, "cannot open \"/tmp\"", tn_storage_from_file("/tmp", TN_MAP_SHARED, 0, 8, TN_UINT8));
    CHECK_ERROR(TN_ERROR_IO, "not a regular file", tn_storage_from_file("/dev/null", TN_MAP_READONLY, 0, 0, TN_UINT8));
    CHECK_ERROR(TN_ERROR_MEMORY, "cannot map", tn_storage_from_file(path, TN_MAP_SHARED, 0, PTRDIFF_MAX / 2, TN_UINT8));
    CHECK_INT(file_size(), 100);
}

TEST(a_pipe_is_refused_and_not_waited_for) {
    make_file(0);
    CHECK_INT(unlink(path), 0);
    CHECK_INT(mkfifo(path, 0600), 0);
    CHECK_ERROR(TN_ERROR_IO, "not a regular file", tn_storage_from_file(path, TN_MAP_READONLY, 0, 0, TN_UINT8));
}

TEST(a_failed_map_leaves_nothing_in_the_scope) {
    tn_scope scope = tn_scope_open();
    int64_t before = (int64_t)tni_thread_get()->scoped_count;
    CHECK_ERROR(TN_ERROR_IO, "cannot open", tn_storage_from_file("/nonexistent/file", TN_MAP_READONLY, 0, 0, TN_UINT8));
    CHECK_INT(tni_thread_get()->scoped_count, before);
    tn_scope_close(scope);
}

TEST(the_ctx_of_a_mapped_pointer_is_not_its_data_and_unmaps_the_whole_pages) {
    make_file(30000);
    tn_storage *storage = tn_storage_from_file(path, TN_MAP_PRIVATE, 5000, 20000, TN_UINT8);
    CHECK(storage);
    CHECK(storage->pointer.ctx && !tn_data_ptr_is_simple(&storage->pointer));
    long page_size = sysconf(_SC_PAGESIZE);
    char *first_page = (char *)storage->pointer.data - 5000 % page_size;
    char *last_page = first_page + (5000 % page_size + 19999) / page_size * page_size;
    unsigned char resident;
    CHECK_INT(mincore(first_page, 1, &resident), 0);
    CHECK_INT(mincore(last_page, 1, &resident), 0);
    static char other[8];
    tn_data_ptr pointer = tn_data_ptr_make(other, NULL, NULL, TN_DEVICE_CPU);
    CHECK_INT(tn_storage_replace(storage, &pointer, 8), TN_OK);
    CHECK_INT(mincore(first_page, 1, &resident), -1);
    CHECK_INT(mincore(last_page, 1, &resident), -1);
}
