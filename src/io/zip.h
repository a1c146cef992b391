/* SPDX-License-Identifier: BSD-3-Clause */
/* Files in a ZIP archive, as NumPy's .npz is one. */
#ifndef CLUP_IO_ZIP_H
#define CLUP_IO_ZIP_H
#include "io/image.h"

/* Whether what has been read of a file begins as an archive does. */
bool clup_zip_is(const clup_input *input);
/* Lists the files of an archive, all of which has been read, whose names have an extension: *count
 * of them, and their names without it, with commas between them. Names with bytes that are no
 * printable ASCII are left out. CLUP_ERROR_RUNTIME where the directory is damaged. */
clup_status clup_zip_list(const clup_input *archive, const char *extension, clup_text *names,
                          size_t *count);
/* Takes the file of that name out of an archive, all of which has been read: *bytes become its
 * *size bytes, which the caller frees; NULL where the archive has no such file. Files may be stored
 * or deflated, of any size (ZIP64). CLUP_ERROR_RUNTIME where the archive is damaged, encrypted, or
 * compressed in another way. */
clup_status clup_zip_take(const clup_input *archive, const char *name, uint8_t **bytes,
                          size_t *size);

/* An archive that is being made, of files that are stored as they are. */
typedef struct clup_zip clup_zip;
clup_status clup_zip_create(clup_zip **out);
void clup_zip_free(clup_zip *zip);
/* Adds a file of so many bytes, which the archive frees, whatever is returned. name is static. */
clup_status clup_zip_add(clup_zip *zip, const char *name, void *bytes, size_t size);
/* Writes the archive to path, as clup_file_write does. */
clup_status clup_zip_write(const clup_zip *zip, const char *path);

#endif
