/* deflate.c - packing by deflate: whatever is packed, by our own or by zlib, is unpacked to the same bytes by our own; and the tables of
 * names that files of many tensors are looked up by.
 *
 * Tests: src/interchange/files/deflate.c, src/interchange/files/deflate_zlib.c
 */
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

#include "interchange/files/deflate.h"
#include "interchange/files/writer.h"

enum { DEFLATE_LARGEST = 100000 };
static uint8_t bytes[DEFLATE_LARGEST], packed[2 * DEFLATE_LARGEST], back[DEFLATE_LARGEST];

/* Bytes of several characters: noise, few different ones, text that repeats near and far, one byte, floats, and a run between noise. */
static void make_bytes(int kind, size_t size) {
    uint32_t seed = 12345;
    for (size_t i = 0; i < size; i++) {
        seed = seed * 1664525u + 1013904223u;
        uint8_t noise = (uint8_t)(seed >> 24);
        float value = (float)(i / 4 % 1000) * 0.001f;
        switch (kind) {
        case 0: bytes[i] = noise; break;
        case 1: bytes[i] = noise % 3 ? 'a' : (uint8_t)('a' + noise % 7); break;
        case 2: bytes[i] = (uint8_t)("the quick brown fox "[i % 20] + (i / 33000 && noise == 0)); break;
        case 3: bytes[i] = 0; break;
        case 4: bytes[i] = ((uint8_t *)&value)[i % 4]; break;
        case 5: bytes[i] = i % 1000 < 400 ? noise : 7; break;
        default: bytes[i] = i >= 32768 ? bytes[i - 32768] : noise; break; /* the farthest repetition */
        }
    }
}

#ifdef TN_SMALL_LIMITS
enum { SMALL_BLOCKS = 1 }; /* of 50 tokens: nothing is said about sizes */
#else
enum { SMALL_BLOCKS = 0 };
#endif

static size_t pack(bool zlib, size_t head, size_t size, int level, size_t room) {
    bool done = zlib ? tni_deflate_by_zlib(tni_zlib(), bytes, head, bytes + head, size - head, level, packed, &room)
                     : tni_deflate_own(bytes, head, bytes + head, size - head, level, packed, &room);
    return done ? room : SIZE_MAX;
}

static void check_packed(bool zlib) {
    static const size_t sizes[] = {1, 2, 3, 4, 5, 17, 258, 259, 300, 5000, 65535, 65536, DEFLATE_LARGEST};
    for (int kind = 0; kind < 7; kind++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int level = 1; level <= 9; level += s + 1 == sizeof sizes / sizeof *sizes ? 4 : 1) {
                size_t size = sizes[s], head = level % 2 ? 0 : size / 3;
                make_bytes(kind, size);
                size_t length = pack(zlib, head, size, level, sizeof packed);
                CHECK(length != SIZE_MAX && length > 0);
                memset(back, 1, size);
                const char *wrong = tni_inflate(packed, length, back, size, false);
                if (wrong || memcmp(back, bytes, size) != 0)
                    test_fail(__FILE__, __LINE__, "kind %d, %zu bytes, level %d: %s", kind, size, level,
                              wrong ? wrong : "other bytes");
                if (!SMALL_BLOCKS && size >= 5000 && kind == 3)
                    CHECK(length < size / 100);
                if (!SMALL_BLOCKS && size >= 65535 && (kind == 2 || kind == 4))
                    CHECK(length < size / 8);
                CHECK(SMALL_BLOCKS || length <= size + size / 1000 + 20);
                if (size >= 300) { /* one byte less than it needs is too little, and nothing is written beyond */
                    packed[length - 1] = 0xa5;
                    CHECK_INT(pack(zlib, head, size, level, length - 1), 0);
                    CHECK_INT(packed[length - 1], 0xa5);
                }
            }
}

TEST_ONCE(what_our_own_packs_is_unpacked_to_the_same_bytes) { check_packed(false); } /* one allocation each: see archives */

TEST_ONCE(what_zlib_packs_is_unpacked_to_the_same_bytes) { /* the same */
    if (tni_zlib())
        check_packed(true);
    CHECK(strncmp(tn_deflate_provider(), tni_zlib() ? "zlib 1" : "built in", 6) == 0);
}

TEST(every_symbol_and_the_longest_codes_are_packed) {
    size_t size = 0; /* frequencies like Fibonacci's numbers make the deepest tree there is */
    for (size_t symbol = 0, often = 1, before = 1; symbol < 22; symbol++) {
        for (size_t i = 0; i < often && size < DEFLATE_LARGEST; i++)
            bytes[size++] = (uint8_t)(symbol * 11);
        size_t next = often + before;
        before = often;
        often = next;
    }
    uint32_t seed = 1;
    for (size_t i = size; i-- > 1;) { /* shuffled, so that they are literals */
        seed = seed * 1664525u + 1013904223u;
        size_t other = seed % (i + 1);
        uint8_t kept = bytes[i];
        bytes[i] = bytes[other];
        bytes[other] = kept;
    }
    size_t length = pack(false, 0, size, 1, sizeof packed);
    CHECK(length != SIZE_MAX);
    CHECK(length > 0 && (SMALL_BLOCKS || length < size / 2));
    CHECK(!tni_inflate(packed, length, back, size, false));
    CHECK(memcmp(bytes, back, size) == 0);
}

typedef struct gathered {
    uint8_t bytes[20000];
    size_t size;
} gathered;

static bool gather(void *ctx, const void *data, size_t size) {
    gathered *to = ctx;
    if (size > sizeof to->bytes - to->size)
        return false;
    memcpy(to->bytes + to->size, data, size);
    to->size += size;
    return true;
}

TEST(a_deflated_archive_is_smaller_and_gives_the_same_arrays) {
    static gathered out;
    out.size = 0;
    tn_tensor *x = tn_remainder_scalar(tn_arange(1000, TN_INT64), tn_scalar_int(7)), *noise = tn_arange(3, TN_UINT8),
              *none = tn_zeros(TN_DIMS(0, 3), TN_FLOAT32);
    tn_writer *writer = tn_writer_open_stream(gather, &out, "npz");
    tn_writer_options options = TN_WRITER_OPTIONS;
    CHECK(x && noise && none && writer);
    options.level = 10;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "1 to 9", tn_writer_configure(writer, &options));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "TN_WRITER_OPTIONS", tn_writer_configure(writer, NULL));
    options.level = 6;
    CHECK_INT(tn_writer_configure(writer, &options), TN_OK);
    CHECK_INT(tn_writer_add(writer, "x", x), TN_OK);
    CHECK_INT(tn_writer_add(writer, "noise", noise), TN_OK);
    CHECK_INT(tn_writer_add(writer, "none", none), TN_OK);
    CHECK_INT(tn_writer_finish(writer), TN_OK);
    CHECK(out.size < 2000);
    tn_file *file = tn_file_open_memory(out.bytes, out.size, TN_BORROW_CONST, NULL);
    CHECK(file);
    tn_file_tensor about = TN_FILE_TENSOR;
    CHECK_INT(tn_file_describe(file, 0, &about), TN_OK);
    CHECK_TEXT(about.encoding, "deflate");
    tn_tensor *y = tn_file_take(file, "x"), *n = tn_file_take(file, "noise"), *e = tn_file_take(file, "none");
    CHECK(y && n && e);
    CHECK(tn_equal(x, y) && tn_equal(noise, n));
    CHECK_INT(tn_size(e, 1), 3);
    tn_writer *other = tn_writer_open_stream(gather, &out, "safetensors");
    CHECK(other);
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "npz", tn_writer_configure(other, &options));
}

TEST(a_table_finds_all_of_one_hash_however_it_grows) {
    tni_lookup lookup = {NULL, 0, 0};
    bool added = true;
    CHECK_INT(tni_lookup_next(&lookup, 5, &(size_t){0}), -1);
    for (size_t i = 0; i < 40; i++)
        added = added && tni_lookup_add(&lookup, (uint32_t)(i % 4) * 16, i);
    int found = 0;
    size_t at = tni_lookup_begin(&lookup, 32);
    for (int64_t i; added && (i = tni_lookup_next(&lookup, 32, &at)) >= 0;)
        found += i % 4 == 2;
    tni_lookup_free(&lookup);
    CHECK(added);
    CHECK_INT(found, 10);
}

/* As many members as a zip file has without its wide directory: each name is found by its hash, also the last of them. */
TEST_ONCE(thousands_of_tensors_are_written_and_found_by_name) { /* a million allocations */
    enum { MANY = 65000 };
    char *path = NULL;
    char name[32], text[] = "/tmp/tenon-many-XXXXXX";
    int made = mkstemp(text);
    CHECK(made >= 0);
    close(made);
    path = text;
    tn_tensor *x = tn_arange(MANY, TN_INT32);
    for (int format = 0; format < 2; format++) {
        tn_writer *writer = tn_writer_open(path, format ? "pt" : "npz");
        CHECK(x && writer);
        for (int64_t i = 0; i < MANY; i++) {
            tn_tensor *one = tn_select(x, 0, i);
            snprintf(name, sizeof name, "layer.%d.weight", (int)i);
            CHECK_INT(tn_writer_add(writer, name, one), TN_OK);
            tn_release(one);
        }
        CHECK_INT(tn_writer_finish(writer), TN_OK);
        tn_file *file = tn_file_open(path, NULL);
        CHECK(file);
        CHECK_INT(tn_file_count(file), MANY);
        CHECK_INT(tn_file_find(file, "layer.64999.weight"), MANY - 1);
        CHECK_INT(tn_item_int64(tn_file_take(file, "layer.64998.weight")), 64998);
        if (!format)
            CHECK_INT(tn_numel(tn_file_record(file, "layer.3.weight.npy")), 128 + 4);
        tn_file_release(file);
        tn_writer_release(writer);
    }
    unlink(path);
}
