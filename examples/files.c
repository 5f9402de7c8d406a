/* files.c - tensors to a file and back: what is in it, one tensor without reading the rest, and an error that says where. */
#include <stdio.h>

#include <tenon/tenon.h>

int main(void) {
    const char *path = "example.safetensors";
    tn_scope scope = tn_scope_open();

    tn_writer *writer = tn_writer_open(path, "safetensors");
    tn_writer_add(writer, "weight", tn_view(tn_arange(6, TN_FLOAT32), TN_DIMS(2, 3)));
    tn_writer_add(writer, "mask", tn_from_text("[true, false]", TN_DTYPE_DEFAULT));
    tn_writer_add_metadata(writer, "made by", "an example");
    if (tn_writer_finish(writer) != TN_OK) /* the file is there now, and whole */
        printf("%s\n", tn_error_message());

    tn_file *file = tn_file_open(path, NULL); /* maps it and reads the header */
    for (int64_t i = 0; i < tn_file_count(file); i++) {
        tn_file_tensor about = TN_FILE_TENSOR;
        if (tn_file_describe(file, i, &about) == TN_OK)
            printf("%-6s %-7s %d bytes\n", about.name, tn_dtype_name(about.dtype), (int)about.bytes);
    }
    printf("made by %s\n", tn_file_metadata(file, "made by"));
    tn_print(tn_file_take(file, "weight"), stdout); /* looks into the file */

    if (!tn_file_open_memory("\x93NUMPY\1", 7, TN_BORROW_CONST, NULL))
        printf("%s\n", tn_error_message());
    remove(path);
    tn_scope_close(scope);
    return 0;
}
