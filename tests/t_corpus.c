/* SPDX-License-Identifier: BSD-3-Clause */
/* The files from which fuzzing starts, and those that it found, cause no failure of the program.
 * Those whose names begin with "good" are read as images. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "tap.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int main(void)
{
    const char *top = getenv("srcdir");
    clup_text folder = {0};
    unsigned good = 0;
    clup_text_add(&folder, "%s/tests/fuzz/corpus", top != NULL ? top : ".");
    DIR *entries = opendir(folder.data);
    if (entries == NULL)
        return 99;
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        clup_text path = {0};
        clup_text file = {0};
        if (entry->d_name[0] == '.')
            continue;
        clup_text_add(&path, "%s/%s", folder.data, entry->d_name);
        NEED(clup_file_read(path.data, &file));
        /* copies the file to an allocation of its size, so that AddressSanitizer detects reads
         * beyond */
        uint8_t *bytes = malloc(file.length);
        memcpy(bytes, file.data, file.length);
        LLVMFuzzerTestOneInput(bytes, file.length);
        ok(1, "%s does no harm", entry->d_name);
        if (strncmp(entry->d_name, "good", 4) == 0) {
            clup_image image;
            ok(clup_image_read(path.data, NULL, &image) == CLUP_OK, "and is an image");
            clup_image_clear(&image);
            good++;
        }
        free(bytes);
        clup_text_free(&file);
        clup_text_free(&path);
    }
    closedir(entries);
    clup_text_free(&folder);
    ok(good > 0, "there are images");
    return done_testing();
}
