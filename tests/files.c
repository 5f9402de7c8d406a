/* files.c - reading and writing files of tensors, against files that other libraries made (data/make_file_cases.py) and against damage:
 * every truncation and every changed byte of each of them.
 *
 * Tests: src/interchange/files/file.c, src/interchange/files/source.c, src/interchange/files/json.c, src/interchange/files/safetensors.c
 * Tests: src/interchange/files/npy.c, src/interchange/files/zip.c, src/interchange/files/inflate.c, src/interchange/files/pickle.c
 * Tests: src/interchange/files/torch.c, src/interchange/files/gguf.c, src/interchange/files/gguf_blocks.c, src/interchange/files/raw.c
 */
#include "test.h"

#include <fcntl.h>
#include <unistd.h>

#include "data/file_cases.inc"
#include "interchange/files/file.h"

#define SAMPLE(name) sample_##name, sizeof sample_##name

static tn_file *open_bytes(const void *bytes, size_t size) { return tn_file_open_memory(bytes, size, TN_BORROW_CONST, NULL); }

static double element(const tn_tensor *tensor, int64_t i) {
    tn_tensor *flat = tn_reshape(tensor, TN_DIMS(-1));
    return flat ? tn_item_double(tn_select(flat, 0, i)) : NAN;
}

static uint64_t hash_of(const tn_tensor *tensor) {
    const uint8_t *bytes = tn_data(tensor);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < tn_nbytes(tensor); i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* ---- safetensors */

TEST(a_safetensors_file_lists_its_tensors_and_gives_views_of_its_bytes) {
    tn_file *file = open_bytes(SAMPLE(two_safetensors));
    CHECK(file);
    CHECK_TEXT(tn_file_format(file), "safetensors");
    CHECK_INT(tn_file_count(file), 4);
    tn_file_tensor about = TN_FILE_TENSOR;
    CHECK_INT(tn_file_describe(file, tn_file_find(file, "a"), &about), TN_OK);
    CHECK_TEXT(about.name, "a");
    CHECK_INT(about.dtype, TN_FLOAT32);
    CHECK_INT(about.sizes.count, 2);
    CHECK_INT(about.sizes.values[1], 3);
    CHECK_INT(about.bytes, 24);
    tn_tensor *a = tn_file_take(file, "a"), *h = tn_file_take(file, "h"), *e = tn_file_take(file, "e");
    CHECK(a && h && e);
    CHECK(tn_is_readonly(a));
    CHECK((const uint8_t *)tn_data(a) == sample_two_safetensors + about.offset);
    CHECK_DOUBLE(element(a, 5), 5);
    CHECK_DOUBLE(element(h, 1), -2);
    CHECK_INT(tn_numel(e), 0);
    CHECK_INT(tn_size(e, 1), 4);
    CHECK_INT(tn_file_metadata_count(file), 2);
    CHECK_TEXT(tn_file_metadata(file, "note"), "a \"quoted\" \xc3\xa9");
    CHECK(!tn_file_metadata(file, "nothing"));
    CHECK_INT(tn_file_find(file, "nothing"), -1);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no tensor \"nothing\"", tn_file_take(file, "nothing"));
    CHECK_ERROR(TN_ERROR_INDEX, "4", tn_file_take_at(file, 4));
    tn_parameters *all = tn_file_take_all(file);
    CHECK(all);
    CHECK_INT(tn_parameters_count(all), 4);
}

static tn_file *open_header(const char *header, size_t data) {
    static uint8_t bytes[1000];
    size_t length = strlen(header);
    memset(bytes, 0, sizeof bytes);
    bytes[0] = (uint8_t)length;
    bytes[1] = (uint8_t)(length >> 8);
    memcpy(bytes + 8, header, length);
    return open_bytes(bytes, 8 + length + data);
}

TEST(every_rule_of_safetensors_is_enforced) {
    static const struct header_case {
        const char *header;
        size_t data;
        const char *says;
    } cases[] = {
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 5, "the tensors end here"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 3, "not inside"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}}", 4, "8 bytes, but data_offsets give it 4"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}", 8, "hole"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[1,3]}}",
         3, "overlaps"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}",
         2, "two tensors of this name"},
        {"{\"a\":{\"dtype\":\"F3\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "no dtype \"F3\""},
        {"{\"a\":{\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "should all be given"},
        {"{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1, "twice"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[-1],\"data_offsets\":[0,1]}}", 1, "not negative"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1.5],\"data_offsets\":[0,1]}}", 1, "whole"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[01],\"data_offsets\":[0,1]}}", 1, "begins with 0"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[99999999999999999999],\"data_offsets\":[0,1]}}", 1, "too large"},
        {"{\"a\":{\"dtype\":\"F64\",\"shape\":[4611686018427387904,2],\"data_offsets\":[0,1]}}", 1, "more than there can be"},
        {"{\"__metadata__\":{\"a\":1}}", 0, "'\"'"},
        {"{\"__metadata__\":{},\"__metadata__\":{}}", 0, "twice"},
        {"{\"a\\u0000\":{}}", 0, "cannot be in a text"},
        {"{\"a\\ud800\":{}}", 0, "half a character"},
        {"{\"\xff\":{}}", 0, "UTF-8"},
        {"{}x", 0, "behind the header"},
        {"{", 0, "'\"'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tn_error_clear();
        tn_file *file = open_header(cases[i].header, cases[i].data);
        CHECK_MEMORY();
        CHECK(!file);
        if (!strstr(tn_error_message(), cases[i].says) || !strstr(tn_error_message(), "byte"))
            test_fail(__FILE__, __LINE__, "%s: %s", cases[i].header, tn_error_message());
    }
    tn_error_clear();
    CHECK(open_header("{}   ", 0));
    CHECK(open_header("{\"a\":{\"x\":[{\"y\":[1e5,null,true,\"\\n\"]}],\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,1]}}",
                      1));
}

TEST(values_inside_values_end_at_a_depth) {
    static char header[900];
    for (int depth = 100; depth <= 300; depth += 200) {
        int used = snprintf(header, sizeof header, "{\"a\":{\"x\":");
        memset(header + used, '[', (size_t)depth);
        memset(header + used + depth, ']', (size_t)depth);
        strcpy(header + used + 2 * depth, ",\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,1]}}");
        tn_file *file = open_header(header, 1);
        CHECK_MEMORY();
        CHECK(!file == (depth == 300));
        if (!file)
            CHECK(strstr(tn_error_message(), "deep"));
        tn_error_clear();
    }
}

TEST(a_misaligned_tensor_is_copied_and_an_aligned_one_is_not) {
    static uint64_t room[20];
    for (size_t shift = 0; shift < 2; shift++) {
        uint8_t *bytes = (uint8_t *)room + shift;
        const char header[] = "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}    ";
        memset(bytes, 0, 8);
        bytes[0] = 56;
        memcpy(bytes + 8, header, 56);
        float value = 2.5f;
        memcpy(bytes + 64, &value, 4);
        tn_file *file = open_bytes(bytes, 68);
        CHECK(file);
        tn_tensor *a = tn_file_take(file, "a");
        CHECK(a);
        CHECK_DOUBLE(tn_item_double(a), 2.5);
        CHECK(((const uint8_t *)tn_data(a) == bytes + 64) == (shift == 0));
    }
}

/* ---- npy and npz */

TEST(arrays_of_numpy_are_read_in_both_byte_orders_and_both_orders_of_dimensions) {
    tn_file *file = open_bytes(SAMPLE(f4_npy));
    CHECK(file);
    tn_tensor *x = tn_file_take_at(file, 0);
    CHECK(x);
    CHECK_DOUBLE(element(x, 4), 4);
    file = open_bytes(SAMPLE(big_fortran_npy));
    CHECK(file);
    x = tn_file_take(file, "0");
    CHECK(x);
    CHECK_INT(tn_stride(x, 0), 1);
    CHECK_INT(tn_stride(x, 1), 2);
    CHECK_INT(tn_dtype_of(x), TN_INT32);
    for (int i = 0; i < 6; i++)
        CHECK_DOUBLE(element(x, i), i);
    file = open_bytes(SAMPLE(complex_scalar_npy));
    CHECK(file);
    x = tn_file_take_at(file, 0);
    CHECK(x);
    CHECK_INT(tn_ndim(x), 0);
    CHECK_INT(tn_dtype_of(x), TN_COMPLEX128);
    file = open_bytes(SAMPLE(appended_npy));
    CHECK(file);
    CHECK_INT(tn_file_count(file), 2);
    x = tn_file_take(file, "1");
    CHECK(x);
    CHECK_INT(tn_dtype_of(x), TN_BOOL);
    file = open_bytes(SAMPLE(bfloat16_npy));
    CHECK(file);
    CHECK(x = tn_file_take_at(file, 0));
    CHECK_INT(tn_dtype_of(x), TN_UINT16);
    CHECK_DOUBLE(element(x, 1), 0xc020);
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "text", open_bytes(SAMPLE(text_npy)));
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "pickled objects", open_bytes(SAMPLE(objects_npy)));
}

TEST(archives_of_arrays_are_read_stored_and_deflated) {
    tn_file *file = open_bytes(SAMPLE(stored_npz));
    CHECK(file);
    CHECK_TEXT(tn_file_format(file), "npz");
    CHECK_INT(tn_file_count(file), 2);
    tn_tensor *y = tn_file_take(file, "y");
    CHECK(y);
    CHECK_DOUBLE(element(y, 1), 2);
    file = open_bytes(SAMPLE(deflated_npz));
    CHECK(file);
    tn_tensor *x = tn_file_take(file, "x"), *z = tn_file_take(file, "z"), *s = tn_file_take(file, "s");
    CHECK(x && z && s);
    CHECK_DOUBLE(tn_item_double(s), 2);
    CHECK_INT(tn_numel(z), 1000);
    const double *values = tn_data(x);
    for (int i = 0; i < 400; i++)
        CHECK_DOUBLE(values[i], i % 7);
    tn_file_tensor about = TN_FILE_TENSOR;
    CHECK_INT(tn_file_describe(file, 0, &about), TN_OK);
    CHECK_TEXT(about.encoding, "deflate");
}

TEST(a_changed_byte_of_a_stored_record_is_noticed_by_its_checksum) {
    static uint8_t changed[sizeof sample_stored_npz];
    memcpy(changed, SAMPLE(stored_npz));
    changed[200] ^= 1; /* among the elements of x */
    tn_file *file = open_bytes(changed, sizeof changed);
    CHECK(file);
    CHECK_ERROR(TN_ERROR_IO, "checksum", tn_file_record(file, "x.npy"));
    CHECK(tn_file_record(file, "y.npy"));
}

TEST(elements_of_a_stored_array_are_checked_where_they_are_copied) {
    static uint8_t changed[sizeof sample_stored_npz];
    memcpy(changed, SAMPLE(stored_npz));
    tn_file_options copy = TN_FILE_OPTIONS;
    copy.mode = TN_FILE_READ;
    tn_file *whole = tn_file_open_memory(changed, sizeof changed, TN_BORROW_CONST, &copy);
    CHECK(whole && tn_file_take(whole, "x") && tn_file_take(whole, "y"));
    changed[200] ^= 1; /* among the elements of x */
    CHECK_ERROR(TN_ERROR_IO, "checksum", tn_file_take(whole, "x"));
    CHECK(tn_file_take(whole, "y"));
    CHECK(tn_file_take_rows(whole, tn_file_find(whole, "x"), 0, 1)); /* a part has no checksum of its own */
}

TEST(members_of_an_archive_that_overlap_are_refused) {
    static uint8_t both[sizeof sample_stored_npz];
    memcpy(both, SAMPLE(stored_npz));
    size_t first = 0, second = 0; /* the entries of the directory */
    for (size_t i = 0; i + 46 < sizeof both; i++)
        if (memcmp(both + i, "PK\1\2", 4) == 0)
            *(first ? &second : &first) = i;
    CHECK(first && second);
    memcpy(both + second + 42, both + first + 42, 4); /* the second member is where the first is */
    CHECK_ERROR(TN_ERROR_IO, "overlap", open_bytes(both, sizeof both));
}

TEST(a_changed_byte_of_deflated_data_is_noticed_by_the_checksum) {
    uint8_t bytes[sizeof sample_deflated_npz];
    memcpy(bytes, sample_deflated_npz, sizeof bytes);
    tn_file *file = open_bytes(bytes, sizeof bytes);
    CHECK(file);
    tn_file_tensor about = TN_FILE_TENSOR;
    CHECK_INT(tn_file_describe(file, tn_file_find(file, "x"), &about), TN_OK);
    int wrong = 0;
    for (uint64_t i = about.offset; i < about.offset + about.bytes; i += 3) {
        bytes[i] ^= 0x10;
        tn_error_clear();
        wrong += tn_file_take(file, "x") == NULL;
        CHECK_MEMORY();
        tn_error_clear();
        bytes[i] ^= 0x10;
    }
    CHECK_INT(wrong, (long long)(about.bytes + 2) / 3);
}

/* ---- inflate */

TEST_ONCE(inflate_refuses_what_is_not_deflate) { /* allocates nothing */
    static const struct inflate_case {
        const char *bytes;
        size_t size;
        bool good;
    } cases[] = {
        {"\x03\x00", 2, true},     /* a fixed block of nothing     */
        {"\x4b\x04\x00", 3, true}, /* "a"                          */
        {"\x01\x01\x00\xfe\xff"
         "a",
         6, true}, /* stored                       */
        {"\x01\x01\x00\xff\xff"
         "a",
         6, false}, /* its length is damaged        */
        {"\x01\x02\x00\xfd\xff"
         "a",
         6, false},         /* ends too early               */
        {"\x07", 1, false}, /* a kind that does not exist   */
        {"\x4b", 1, false},
        {"", 0, false},
        {"\x05\xe0\x81\x00\x00\x00\x00\x00\x00", 9, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t target[8];
        size_t size = i == 0 ? 0 : 1;
        const char *wrong = tni_inflate((const uint8_t *)cases[i].bytes, cases[i].size, target, size, false);
        if (!wrong != cases[i].good)
            test_fail(__FILE__, __LINE__, "case %zu: %s", i, wrong ? wrong : "accepted");
        if (size && cases[i].good)
            CHECK_INT(target[0], 'a');
    }
    CHECK_INT(tni_crc32(0, "123456789", 9), 0xcbf43926);
    CHECK_INT(tni_crc32(tni_crc32(0, "1234", 4), "56789", 5), 0xcbf43926);
    uint8_t bytes[700];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * i + i / 7);
    for (size_t size = 0; size <= sizeof bytes; size++) { /* long ones, against byte after byte */
        uint32_t each = 0;
        for (size_t i = 0; i < size; i++)
            each = tni_crc32(each, bytes + i, 1);
        CHECK_INT(tni_crc32(0, bytes, size), each);
    }
}

/* ---- PyTorch */

static void check_state(const tn_file *file, bool legacy) {
    const tn_tree *tree = tn_file_tree(file);
    CHECK_INT(tn_tree_kind_of(tree), TN_TREE_DICT);
    CHECK_INT(tn_tree_count(tree), legacy ? 7 : 8);
    tn_tensor *w = tn_file_take(file, "w"), *row = tn_file_take(file, "row"), *p = tn_file_take(file, "p");
    CHECK(w && row && p);
    CHECK(tn_is_alias_of(w, row));
    CHECK(!tn_is_alias_of(w, p));
    CHECK_INT(tn_stride(w, 0), 1);
    CHECK_INT(tn_storage_offset(row), 4);
    CHECK_DOUBLE(element(w, 1), 4);
    CHECK_DOUBLE(element(p, 1), 1);
    tn_file_tensor about = TN_FILE_TENSOR;
    CHECK_INT(tn_file_describe(file, tn_file_find(file, "p"), &about), TN_OK);
    CHECK(about.is_parameter && about.requires_grad);
    const tn_tree *list = tn_tree_find(tree, "n");
    CHECK_INT(tn_tree_kind_of(list), TN_TREE_LIST);
    CHECK_INT(tn_tree_count(list), 7);
    CHECK_INT(tn_tree_number(tn_tree_at(list, 0)).value.i, 1);
    CHECK_DOUBLE(tn_tree_number(tn_tree_at(list, 1)).value.d, 2.5);
    CHECK_INT(tn_tree_kind_of(tn_tree_at(list, 2)), TN_TREE_NONE);
    CHECK(tn_tree_number(tn_tree_at(list, 3)).value.b);
    CHECK_TEXT(tn_tree_text(tn_tree_at(list, 4), NULL), "text");
    size_t length;
    CHECK_TEXT(tn_tree_text(tn_tree_at(list, 5), &length), "by");
    CHECK_INT(length, 2);
    CHECK_INT(tn_tree_kind_of(tn_tree_at(list, 5)), TN_TREE_BYTES);
    CHECK_INT(tn_tree_count(tn_tree_at(list, 6)), 2);
    CHECK(!tn_tree_at(list, 7) && !tn_tree_key(list, 0));
    CHECK_INT(tn_tree_kind_of(tn_tree_find(tree, "big")), TN_TREE_BIG_INT);
    const tn_tree *size = tn_tree_find(tree, "size");
    CHECK_INT(tn_tree_kind_of(size), TN_TREE_OBJECT);
    CHECK_TEXT(tn_tree_text(size, NULL), "torch.Size");
    CHECK_INT(tn_tree_count(tn_tree_at(tn_tree_arguments(size), 0)), 2);
    CHECK_TEXT(tn_tree_text(tn_tree_find(tree, "dtype"), NULL), "torch.float16");
}

TEST(a_checkpoint_keeps_its_tree_its_shared_storages_and_its_strides) {
    tn_file *file = open_bytes(SAMPLE(state_pt));
    CHECK(file);
    CHECK_TEXT(tn_file_format(file), "pt");
    check_state(file, false);
    tn_tensor *u = tn_file_take(file, "u");
    CHECK(u);
    CHECK_INT(tn_dtype_of(u), TN_UINT16);
    CHECK_DOUBLE(element(u, 1), 9);
    CHECK_TEXT(tn_file_metadata(file, "byteorder"), "little");
    tn_tensor *record = tn_file_record(file, "data.pkl");
    CHECK(record);
    CHECK(tn_numel(record) > 100);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no record", tn_file_record(file, "nothing"));
    tn_storage *storage = tn_file_storage(file, "0");
    CHECK(storage);
    CHECK_INT(tn_storage_nbytes(storage), 48);
}

TEST(the_older_stream_of_torch_is_read_too) {
    tn_file *file = open_bytes(SAMPLE(legacy_pt));
    CHECK(file);
    check_state(file, true);
    CHECK(tn_file_record(file, "data.pkl"));
}

TEST(parts_of_a_storage_in_the_older_stream_share_its_memory) {
    for (int mode = TN_FILE_MAP; mode <= TN_FILE_READ; mode++) {
        tn_file_options options = TN_FILE_OPTIONS;
        options.mode = (tn_file_mode)mode;
        tn_file *file = tn_file_open_memory(SAMPLE(legacy_views_pt), TN_BORROW_CONST, &options);
        CHECK(file);
        tn_tensor *whole = tn_file_take(file, "whole"), *part = tn_file_take(file, "part"),
                  *again = tn_file_take(file, "again"), *none = tn_file_take(file, "none");
        CHECK(whole && part && again && none);
        CHECK_DOUBLE(element(part, 0), 5);
        CHECK_DOUBLE(element(again, 3), 7);
        CHECK_INT(tn_numel(none), 0);
        CHECK((const char *)tn_data(part) == (const char *)tn_data(whole) + 20);
        CHECK(tn_is_alias_of(part, again));
        tn_storage *storage = tn_file_storage(file, "8");
        CHECK(storage);
        CHECK_INT(tn_storage_nbytes(storage), 16);
    }
    static uint8_t damaged[sizeof sample_legacy_views_pt]; /* its first element, 4 of 12, becomes 9: too few are left */
    memcpy(damaged, SAMPLE(legacy_views_pt));
    for (size_t i = 0; i + 5 < sizeof damaged; i++)
        if (memcmp(damaged + i, "8q", 2) == 0 && damaged[i + 3] == 'K' && damaged[i + 4] == 4)
            damaged[i + 4] = 9;
    CHECK_ERROR(TN_ERROR_IO, "elements 9 and 4 more of one of 12", open_bytes(damaged, sizeof damaged));
}

TEST(a_class_that_is_not_allowed_is_refused_by_its_name) {
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "pathlib", open_bytes(SAMPLE(refused_pt)));
    tn_file_options options = TN_FILE_OPTIONS;
    options.any_object = true;
    tn_file *file = tn_file_open_memory(SAMPLE(refused_pt), TN_BORROW_CONST, &options);
    CHECK(file);
    const tn_tree *object = tn_tree_find(tn_file_tree(file), "x");
    CHECK_INT(tn_tree_kind_of(object), TN_TREE_OBJECT);
    CHECK(strstr(tn_tree_text(object, NULL), "PurePosixPath"));
    const char *const names[] = {tn_tree_text(object, NULL)};
    options.any_object = false;
    options.allowed = names;
    options.allowed_count = 1;
    CHECK(tn_file_open_memory(SAMPLE(refused_pt), TN_BORROW_CONST, &options));
}

/* A pickle in the older format, whose fourth part is `body`. */
static tn_file *open_pickle(const char *body, size_t size) {
    static uint8_t bytes[2000];
    static const char head[] = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\x02M\xe9\x03.\x80\x02}.";
    memcpy(bytes, head, sizeof head - 1);
    memcpy(bytes + sizeof head - 1, body, size);
    memcpy(bytes + sizeof head - 1 + size, "\x80\x02].", 4);
    return open_bytes(bytes, sizeof head - 1 + size + 4);
}

TEST(hostile_pickles_are_errors) {
    static const struct pickle_case {
        const char *body;
        size_t size;
        const char *says;
    } cases[] = {
#define BODY(text) text, sizeof text - 1
        {BODY("cos\nsystem\n(X\2\0\0\0lstR."), "os.system"},
        {BODY("c__builtin__\neval\n)R."), "builtins.eval"},
        {BODY("."), "empty stack"},
        {BODY("(."), "empty stack"},
        {BODY("t."), "no mark"},
        {BODY("Nr\xff\xff\xff\x7f."), "memo entry"},
        {BODY("h\x05."), "no memo entry"},
        {BODY("\xff."), "0xff"},
        {BODY("F1.5\n."), "FLOAT"},
        {BODY("\x98."), "READONLY_BUFFER"},
        {BODY("X\xff\xff\xff\xff."), "needs 4294967295 bytes"},
        {BODY("X\1\0\0\0\xff."), "UTF-8"},
        {BODY("NNs."), "empty stack"},
        {BODY("NNNs."), "not a dictionary"},
        {BODY("NNa."), "not a list"},
        {BODY("}(NNNu."), "not a dictionary"},
        {BODY("N)R."), "not a function"},
        {BODY("ccollections\nOrderedDict\nNR."), "tuple"},
        {BODY("NQ."), "told by its type"},
        {BODY("(X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0aX\3\0\0\0cpuJ\xff\xff\xff\xfftQ."), "told by its type"},
        {BODY("(X\7\0\0\0storagectorch\nQInt8Storage\nX\1\0\0\0aX\3\0\0\0cpuK\1tQ."), "QInt8Storage"},
        {BODY("(X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0aX\3\0\0\0cpuK\1tQ."), "not in the file"},
        {BODY("(X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0aX\3\0\0\0cpu\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7ftQ."),
         "elements"},
        {BODY(
             "ctorch._utils\n_rebuild_tensor_v2\n((X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0aX\3\0\0\0cpuK\1tQK\1(K\1t(K\1t\x89Nt"
             "R."),
         "beyond its storage"},
        {BODY("Nb."), "empty stack"},
        {BODY("ctorch\nTensor\n\x8a\5\0\0\0\0\x10\x85R."), "calls torch.Tensor"}, /* as many elements as are asked for */
        {BODY("c__builtin__\nbytearray\n\x8a\5\0\0\0\0\x10\x85R."), "calls builtins.bytearray"},
        {BODY("c__builtin__\nstr\n]\x85R."), "calls builtins.str"}, /* as much text as the list has, expanded */
        {BODY("c__builtin__\nstr\n]\x85\x81."), "calls builtins.str"},
        {BODY("c_codecs\nencode\nX\1\0\0\0xX\3\0\0\0hex\x86R."), "calls _codecs.encode"},
        {BODY("ccollections\nCounter\n]\x85R."), "calls collections.Counter"},
        {BODY("ccollections\nOrderedDict\n]Na\x85R."), "pairs"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tn_error_clear();
        tn_file *file = open_pickle(cases[i].body, cases[i].size);
        CHECK_MEMORY();
        CHECK(!file);
        if (!strstr(tn_error_message(), cases[i].says) || !strstr(tn_error_message(), "byte"))
            test_fail(__FILE__, __LINE__, "case %zu (%s): %s", i, cases[i].says, tn_error_message());
    }
    tn_error_clear();
    CHECK(open_pickle(BODY("]q\0h\0a.")));                                                      /* a list that holds itself */
    tn_file *pairs = open_pickle(BODY("ccollections\nOrderedDict\n](](X\1\0\0\0aK\2ee\x85R.")); /* of Python 2 */
    CHECK(pairs);
    CHECK_INT(tn_tree_number(tn_tree_find(tn_file_tree(pairs), "a")).value.i, 2);
    CHECK(open_pickle(
        BODY("(K\1I-5\nL7L\nG@\4\0\0\0\0\0\0V\n\x8c\1aC\1bU\1c\x88\x89(lp5\ng5\n0(d0]q\1(h\1e\x94t."))); /* opcodes */
#undef BODY
}

TEST_ONCE(a_pickle_of_lists_inside_lists_ends_at_a_depth) { /* nothing that smaller tests do not allocate */
    char body[1300];
    for (size_t depth = 100; depth <= 600; depth += 500) {
        memset(body, ']', depth);
        memset(body + depth, 'a', depth - 1);
        body[2 * depth - 1] = '.';
        tn_file *file = open_pickle(body, 2 * depth);
        CHECK(!file == (depth == 600));
        tn_error_clear();
    }
}

/* ---- GGUF */

TEST(blocks_of_gguf_become_the_floats_that_ggml_makes_of_them) {
    tn_file *file = open_bytes(SAMPLE(blocks_gguf));
    CHECK(file);
    CHECK_TEXT(tn_file_format(file), "gguf");
    CHECK_TEXT(tn_file_metadata(file, "general.architecture"), "test");
    CHECK_TEXT(tn_file_metadata(file, "test.number"), "7");
    CHECK_TEXT(tn_file_metadata(file, "test.list"), "[1, -2, 3]");
    CHECK_TEXT(tn_file_metadata(file, "test.words"), "[\"a\", \"b\\\"\"]");
    CHECK_TEXT(tn_file_metadata(file, "test.float"), "0.5");
    tn_tensor *plain = tn_file_take(file, "plain"), *half = tn_file_take(file, "half");
    CHECK(plain && half);
    CHECK_INT(tn_size(plain, 0), 2);
    CHECK_DOUBLE(element(plain, 5), 5);
    CHECK_DOUBLE(element(half, 3), 3);
    for (size_t i = 0; i < sizeof sample_hashes / sizeof sample_hashes[0]; i++) {
        tn_tensor *made = tn_file_take(file, sample_hashes[i].name);
        CHECK(made);
        CHECK_INT(tn_dtype_of(made), TN_FLOAT32);
        if (hash_of(made) != sample_hashes[i].hash)
            test_fail(__FILE__, __LINE__, "%s gives other numbers", sample_hashes[i].name);
    }
}

TEST(blocks_of_gguf_become_float16_where_that_is_wanted) {
    tn_file_options options = TN_FILE_OPTIONS;
    options.dtype = TN_FLOAT16;
    tn_file *file = tn_file_open_memory(SAMPLE(blocks_gguf), TN_BORROW_CONST, &options),
            *floats = open_bytes(SAMPLE(blocks_gguf));
    CHECK(file && floats);
    CHECK_INT(tn_dtype_of(tn_file_take(file, "plain")), TN_FLOAT32); /* what is plain stays what it is */
    for (size_t i = 0; i < sizeof sample_hashes / sizeof sample_hashes[0]; i++) {
        tn_file_tensor about = TN_FILE_TENSOR;
        CHECK_INT(tn_file_describe(file, tn_file_find(file, sample_hashes[i].name), &about), TN_OK);
        CHECK_INT(about.dtype, TN_FLOAT16);
        tn_tensor *half = tn_file_take(file, sample_hashes[i].name), *whole = tn_file_take(floats, sample_hashes[i].name);
        CHECK(half && whole);
        CHECK(tn_equal(half, tn_to(whole, TN_FLOAT16)));
    }
    options.dtype = TN_INT8;
    CHECK_ERROR(TN_ERROR_DTYPE, "float32 or float16", tn_file_open_memory(SAMPLE(blocks_gguf), TN_BORROW_CONST, &options));
}

/* ---- raw bytes, modes, ownership */

TEST(raw_bytes_are_what_the_caller_says) {
    static const float values[] = {1, 2, 3, 4, 5, 6};
    tn_file_options options = TN_FILE_OPTIONS;
    options.format = "raw";
    options.dtype = TN_FLOAT32;
    options.sizes = TN_DIMS(-1, 2);
    tn_file *file = tn_file_open_memory(values, sizeof values, TN_BORROW_CONST, &options);
    CHECK(file);
    tn_tensor *x = tn_file_take_at(file, 0);
    CHECK(x);
    CHECK_INT(tn_size(x, 0), 3);
    CHECK_DOUBLE(element(x, 5), 6);
    tn_tensor *rows = tn_file_take_rows(file, 0, -2, 3);
    CHECK(rows);
    CHECK_DOUBLE(element(rows, 0), 3);
    options.offset = 4;
    CHECK_ERROR(TN_ERROR_IO, "whole number", tn_file_open_memory(values, sizeof values, TN_BORROW_CONST, &options));
    options.sizes = TN_DIMS(6);
    CHECK_ERROR(TN_ERROR_IO, "ends after 20", tn_file_open_memory(values, sizeof values, TN_BORROW_CONST, &options));
    options.sizes = TN_DIMS(-1, -1);
    CHECK_ERROR(TN_ERROR_SHAPE, "at most one", tn_file_open_memory(values, sizeof values, TN_BORROW_CONST, &options));
    options.format = "zip";
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no format", tn_file_open_memory(values, sizeof values, TN_BORROW_CONST, &options));
    CHECK_ERROR(TN_ERROR_IO, "empty", tn_file_open_memory("", 0, TN_BORROW_CONST, NULL));
    CHECK_ERROR(TN_ERROR_IO, "the beginning is not", tn_file_open_memory("hello, world", 12, TN_BORROW_CONST, NULL));
}

static char path[64];
static void remove_path(void *name) { unlink(name); }

static void make_path(const void *bytes, size_t size) {
    snprintf(path, sizeof path, "/tmp/tenon-files-XXXXXX");
    int descriptor = mkstemp(path);
    CHECK(descriptor >= 0);
    TEST_DEFER(remove_path, path);
    CHECK_INT(write(descriptor, bytes, size), (long long)size);
    close(descriptor);
}

TEST(a_file_is_mapped_read_or_streamed_with_the_same_elements) {
    make_path(SAMPLE(two_safetensors));
    for (int mode = TN_FILE_MAP; mode <= TN_FILE_STREAM; mode++)
        for (int writable = 0; writable < 2; writable++) {
            tn_file_options options = TN_FILE_OPTIONS;
            options.mode = (tn_file_mode)mode;
            options.writable = writable;
            tn_file *file = tn_file_open(path, &options);
            CHECK(file);
            tn_tensor *a = tn_file_take(file, "a");
            tn_tensor *rows = tn_file_take_rows(file, tn_file_find(file, "a"), 1, 2);
            CHECK(a && rows);
            tn_file_release(file);
            CHECK_DOUBLE(element(a, 5), 5);
            CHECK_DOUBLE(element(rows, 0), 3);
            CHECK_INT(tn_is_readonly(a), !writable);
            if (writable)
                CHECK(tn_fill_(a, 7));
        }
    tn_file *file = tn_file_open(path, NULL);
    CHECK(file);
    tn_tensor *a = tn_file_take(file, "a"); /* the file was not changed */
    CHECK(a);
    CHECK_DOUBLE(element(a, 5), 5);
    CHECK_ERROR(TN_ERROR_IO, "/nothing", tn_file_open("/nothing/at/all", NULL));
    CHECK_ERROR(TN_ERROR_IO, "directory", tn_file_open("/tmp", NULL));
}

TEST(a_file_that_became_shorter_is_an_error_where_it_can_be_seen) {
    make_path(SAMPLE(two_safetensors));
    tn_file_options options = TN_FILE_OPTIONS;
    for (int mode = TN_FILE_MAP; mode <= TN_FILE_READ; mode++) {
        options.mode = (tn_file_mode)mode;
        tn_file *file = tn_file_open(path, &options);
        CHECK(file);
        CHECK_INT(truncate(path, sizeof sample_two_safetensors - 20), 0);
        CHECK_ERROR(TN_ERROR_IO, "shorter", tn_file_take(file, "a") && tn_file_take(file, "h") && tn_file_take(file, "b"));
        make_path(SAMPLE(two_safetensors));
    }
}

static int64_t read_slowly(void *ctx, void *bytes, size_t size) {
    size_t *at = ctx, left = sizeof sample_state_pt - *at, step = size < 7 ? size : 7;
    step = step < left ? step : left;
    memcpy(bytes, sample_state_pt + *at, step);
    *at += step;
    return (int64_t)step;
}
static int64_t read_failing(void *ctx, void *bytes, size_t size) { return (void)ctx, (void)bytes, (void)size, -1; }

TEST(a_stream_is_read_from_a_function) {
    size_t at = 0;
    tn_file *file = tn_file_open_stream(read_slowly, &at, NULL);
    CHECK(file);
    check_state(file, false);
    CHECK_ERROR(TN_ERROR_IO, "stream failed", tn_file_open_stream(read_failing, NULL, NULL));
}

static int freed;
static void count_free(void *ctx) {
    freed++;
    free(ctx);
}

TEST(memory_that_is_given_lives_as_long_as_its_tensors_and_stays_the_callers_on_failure) {
    uint8_t *block = malloc(sizeof sample_two_safetensors);
    CHECK(block);
    memcpy(block, sample_two_safetensors, sizeof sample_two_safetensors);
    freed = 0;
    tn_file *bad = tn_file_open_memory(block, 20, TN_FREE_WITH(count_free, block), NULL);
    int freed_then = freed;
    if (tn_error_code() != TN_ERROR_MEMORY)
        tn_error_clear();
    tn_file *file = tn_file_open_memory(block, sizeof sample_two_safetensors, TN_FREE_WITH(count_free, block), NULL);
    if (!file)
        free(block);
    CHECK(!bad && freed_then == 0);
    CHECK(file);
    tn_error_clear();
    tn_tensor *a = tn_keep(tn_file_take(file, "a"));
    CHECK(a);
    tn_file_release(file);
    int before = freed;
    float last = ((const float *)tn_data(a))[5];
    tn_release(a);
    CHECK_INT(before, 0);
    CHECK_INT(freed, 1);
    CHECK_DOUBLE(last, 5);
}

/* ---- shards */

TEST(shards_are_opened_beside_their_index_and_nowhere_else) {
    char folder[] = "/tmp/tenon-shards-XXXXXX", shard[64], index[80];
    CHECK(mkdtemp(folder));
    snprintf(shard, sizeof shard, "%s/one.safetensors", folder);
    snprintf(index, sizeof index, "%s/model.safetensors.index.json", folder);
    FILE *stream = fopen(shard, "wb");
    fwrite(sample_two_safetensors, 1, sizeof sample_two_safetensors, stream);
    fclose(stream);
    static const char *const texts[] = {
        "{\"metadata\":{\"total_size\":36},\"weight_map\":{\"a\":\"one.safetensors\",\"h\":\"one.safetensors\"}}",
        "{\"weight_map\":{\"a\":\"../one.safetensors\"}}",
        "{\"weight_map\":{\"nothing\":\"one.safetensors\"}}",
        "{\"weight_map\":{\"a\":\"two.safetensors\"}}",
    };
    static const char *const says[] = {NULL, "not the name of a file", "no tensor \"nothing\"", "two.safetensors"};
    tn_error codes[4];
    bool told[4];
    double value = 0;
    for (int i = 0; i < 4; i++) {
        stream = fopen(index, "wb");
        fputs(texts[i], stream);
        fclose(stream);
        tn_file *file = tn_file_open(index, NULL);
        tn_tensor *a = file ? tn_file_take(file, "a") : NULL;
        value = a ? element(a, 5) : value;
        codes[i] = tn_error_code();
        told[i] = says[i] && strstr(tn_error_message(), says[i]);
        tn_error_clear();
    }
    unlink(shard);
    unlink(index);
    rmdir(folder);
    for (int i = 0; i < 4; i++) {
        if (codes[i] == TN_ERROR_MEMORY)
            tn_error_raise(TN_ERROR_MEMORY, NULL, "again");
        CHECK_MEMORY();
        CHECK((codes[i] == TN_OK) == (i == 0));
        CHECK(i == 0 || told[i]);
    }
    CHECK_DOUBLE(value, 5);
}

/* ---- damage */

static const struct sample {
    const void *bytes;
    size_t size;
} samples[] = {{SAMPLE(two_safetensors)}, {SAMPLE(f4_npy)},       {SAMPLE(big_fortran_npy)}, {SAMPLE(appended_npy)},
               {SAMPLE(stored_npz)},      {SAMPLE(deflated_npz)}, {SAMPLE(state_pt)},        {SAMPLE(legacy_pt)},
               {SAMPLE(linear_pt)},       {SAMPLE(blocks_gguf)},  {SAMPLE(legacy_views_pt)}};

TEST_SAMPLED(every_sample_gives_the_same_tensors_in_every_mode) {
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        tn_file *memory = open_bytes(samples[i].bytes, samples[i].size);
        CHECK(memory);
        make_path(samples[i].bytes, samples[i].size);
        for (int mode = TN_FILE_MAP; mode <= TN_FILE_STREAM; mode++) {
            tn_file_options options = TN_FILE_OPTIONS;
            options.mode = (tn_file_mode)mode;
            tn_file *file = tn_file_open(path, &options);
            CHECK(file);
            CHECK_INT(tn_file_count(file), tn_file_count(memory));
            CHECK_INT(tn_file_metadata_count(file), tn_file_metadata_count(memory));
            for (int64_t k = 0; k < tn_file_count(file); k++) {
                tn_tensor *a = tn_contiguous(tn_file_take_at(file, k), TN_CONTIGUOUS);
                tn_tensor *b = tn_contiguous(tn_file_take_at(memory, k), TN_CONTIGUOUS);
                CHECK(a && b);
                CHECK(hash_of(a) == hash_of(b));
            }
        }
        unlink(path);
    }
}

/* Opens and takes everything; whatever comes out, there is an error exactly where something is missing. */
static bool use_everything(const void *bytes, size_t size, bool whole) {
    tn_scope scope = tn_scope_open();
    tn_error_clear();
    tn_file *file = open_bytes(bytes, size);
    CHECK((file == NULL) == (tn_error_code() != TN_OK));
    bool good = file != NULL;
    for (int64_t i = 0; file && i < tn_file_count(file); i++) {
        tn_error_clear();
        tn_tensor *tensor = tn_file_take_at(file, i);
        CHECK((tensor == NULL) == (tn_error_code() != TN_OK));
        good &= tensor != NULL;
        if (tensor)
            (void)tn_sum(tn_to(tensor, TN_FLOAT64), TN_DTYPE_DEFAULT);
    }
    CHECK(tn_error_code() != TN_ERROR_INTERNAL);
    if (!good)
        CHECK(strstr(tn_error_message(), "byte") || whole);
    tn_error_clear();
    CHECK_INT(tn_scope_close(scope), TN_OK);
    return good;
}

TEST_ONCE(every_truncation_of_every_sample_is_an_error) { /* thousands of files */
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        for (size_t size = 0; size < samples[i].size; size++) {
            uint8_t *exact = malloc(size ? size : 1); /* reading beyond it is found */
            CHECK(exact);
            memcpy(exact, samples[i].bytes, size);
            bool good = use_everything(exact, size, false);
            free(exact);
            /* an appended array may be missing, and so may padding behind the last block of GGUF */
            if (good && i != 3 && !(i == 9 && size + 32 > samples[i].size))
                test_fail(__FILE__, __LINE__, "sample %zu is accepted with %zu of %zu bytes", i, size, samples[i].size);
        }
}

TEST_ONCE(every_changed_byte_of_every_sample_ends_well) { /* thousands of files */
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        uint8_t *copy = malloc(samples[i].size);
        CHECK(copy);
        for (size_t at = 0; at < samples[i].size; at++)
            for (int change = 0; change < 3; change++) {
                memcpy(copy, samples[i].bytes, samples[i].size);
                copy[at] = (uint8_t)(change == 0 ? copy[at] ^ 0xff : change == 1 ? copy[at] + 1 : 0);
                (void)use_everything(copy, samples[i].size, true);
            }
        free(copy);
    }
}
