/* source.h - opening the bytes of a file: see file.h for reading them. */
#ifndef TNI_INTERCHANGE_SOURCE_H
#define TNI_INTERCHANGE_SOURCE_H

#include "interchange/files/file.h"

/* Each fills file->source; false, raised. tni_source_close undoes them, whole or half. */
bool tni_source_open(tn_file *file, const char *path, tn_file_mode mode);
bool tni_source_open_stream(tn_file *file, tn_read_function read_some, void *ctx);
void tni_source_close(tni_file_source *source);

#endif
