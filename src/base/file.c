/* Files read whole, and folders. */
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

clup_status clup_file_read(const char *path, clup_text *contents)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return clup_fail(CLUP_ERROR_RUNTIME, "%s: %s", path, strerror(errno));
    clup_status status = CLUP_OK;
    char buffer[65536];
    size_t count;
    clup_text_add_bytes(contents, "", 0);
    while ((count = fread(buffer, 1, sizeof buffer, file)) > 0)
        clup_text_add_bytes(contents, buffer, count);
    if (ferror(file))
        status = clup_fail(CLUP_ERROR_RUNTIME, "%s: %s", path, strerror(errno));
    else if (!clup_text_ok(contents))
        status = clup_fail_memory(path);
    fclose(file);
    return status;
}

clup_status clup_file_make_folders(const char *path)
{
    char *copy = strdup(path);
    clup_status status = CLUP_OK;
    if (copy == NULL)
        return clup_fail_memory(path);
    for (char *slash = copy + 1; status == CLUP_OK && (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        if (mkdir(copy, 0777) != 0 && errno != EEXIST)
            status = clup_fail(CLUP_ERROR_RUNTIME, "cannot make folder %s: %s", copy, strerror(errno));
        *slash = '/';
    }
    free(copy);
    return status;
}
