/* Files read whole, and folders. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Closes file. */
static clup_status read_all(const char *path, FILE *file, clup_text *contents)
{
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

clup_status clup_file_read(const char *path, clup_text *contents)
{
    FILE *file = fopen(path, "rb");
    return file != NULL ? read_all(path, file, contents) : clup_fail(CLUP_ERROR_RUNTIME, "%s: %s", path, strerror(errno));
}

clup_status clup_file_make_folders(const char *path)
{
    char *copy = strdup(path);
    clup_status status = CLUP_OK;
    if (copy == NULL)
        return clup_fail_memory(path);
    for (char *slash = copy + 1; status == CLUP_OK && (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        if (mkdir(copy, 0700) != 0 && errno != EEXIST)
            status = clup_fail(CLUP_ERROR_RUNTIME, "cannot make folder %s: %s", copy, strerror(errno));
        *slash = '/';
    }
    free(copy);
    return status;
}

/* How a file or folder is open to others; NULL where it is not. */
static const char *open_to_others(const struct stat *found)
{
    if (found->st_uid != geteuid())
        return "belongs to another user";
    return found->st_mode & (S_IWGRP | S_IWOTH) ? "can be written by others" : NULL;
}

clup_status clup_file_own_folder(const char *folder)
{
    struct stat found;
    if (stat(folder, &found) != 0)
        return clup_fail(CLUP_ERROR_RUNTIME, "%s: %s", folder, strerror(errno));
    const char *wrong = S_ISDIR(found.st_mode) ? open_to_others(&found) : "is no folder";
    return wrong == NULL ? CLUP_OK : clup_fail(CLUP_ERROR_RUNTIME, "the folder %s %s", folder, wrong);
}

clup_status clup_file_read_own(const char *path, clup_text *contents)
{
    struct stat found;
    /* a pipe would hold it up */
    const int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return clup_fail(CLUP_ERROR_RUNTIME, "%s: %s", path, strerror(errno));
    const char *wrong = fstat(descriptor, &found) != 0 ? strerror(errno) : S_ISREG(found.st_mode) ? open_to_others(&found) : "is no regular file";
    FILE *file = wrong == NULL ? fdopen(descriptor, "rb") : NULL;
    if (file != NULL)
        return read_all(path, file, contents);
    clup_fail(CLUP_ERROR_RUNTIME, "%s %s", path, wrong != NULL ? wrong : strerror(errno));
    close(descriptor);
    return CLUP_ERROR_RUNTIME;
}
