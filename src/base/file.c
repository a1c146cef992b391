/* Files read and written whole. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/watch.h"

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

/* The bytes that are left in a regular file, 0 where that is not known. */
static uint64_t bytes_left(FILE *file)
{
    struct stat found;
    off_t at = ftello(file);
    if (at < 0 || fstat(fileno(file), &found) != 0 || !S_ISREG(found.st_mode) || found.st_size <= at)
        return 0;
    return (uint64_t)(found.st_size - at);
}

/* most + 1 does not overflow. */
static clup_status read_stream(FILE *file, const char *name, uint64_t most, uint8_t **bytes, size_t *size)
{
    /* one byte more than there is, so that the end is met without growing */
    uint64_t capacity = bytes_left(file) + 1, used = 0;
    if (capacity > most + 1)
        return clup_fail(CLUP_ERROR_MEMORY, "%s: %" PRIu64 " bytes are more than the limit, %" PRIu64, name, capacity - 1, most);
    if (capacity < 65536)
        capacity = most < 65536 ? most + 1 : 65536;
    for (;;) {
        uint8_t *larger = capacity <= SIZE_MAX ? realloc(*bytes, (size_t)capacity) : NULL;
        if (larger == NULL)
            return clup_fail_memory(name);
        *bytes = larger;
        used += fread(*bytes + used, 1, (size_t)(capacity - used), file);
        if (ferror(file) && errno == EINTR && clup_watch_ask() != CLUP_OK)
            return clup_fail(CLUP_INTERRUPTED, "%s was not read to its end", name);
        if (ferror(file))
            return clup_fail(CLUP_ERROR_RUNTIME, "%s: %s", name, strerror(errno));
        if (used > most)
            return clup_fail(CLUP_ERROR_MEMORY, "%s: more bytes than the limit, %" PRIu64, name, most);
        if (used < capacity)
            break;
        capacity = capacity > most / 2 ? most + 1 : 2 * capacity;
    }
    *size = (size_t)used;
    return CLUP_OK;
}

clup_status clup_file_read_bytes(const char *path, uint64_t most, uint8_t **bytes, size_t *size)
{
    int standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    *bytes = NULL;
    if (file == NULL)
        return clup_fail(CLUP_ERROR_RUNTIME, "%s: %s", path, strerror(errno));
    clup_status status = read_stream(file, standard ? "standard input" : path, most < UINT64_MAX ? most : UINT64_MAX - 1, bytes, size);
    if (status != CLUP_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    if (!standard)
        fclose(file);
    return status;
}

/* Names that are tried for a temporary file: one that was killed may have left it, with the same process number in another container. */
#define NAMES_MAX 1000

/* A new file beside target, which is path with its links followed; its name goes to temporary. Renaming it over a device
 * or a folder is refused. */
static int create_beside(const char *path, clup_text *target, clup_text *temporary)
{
    static _Atomic unsigned serial;
    struct stat found;
    char *real = realpath(path, NULL);
    clup_text_add(target, "%s", real != NULL ? real : path);
    free(real);
    if (!clup_text_ok(target)) {
        errno = ENOMEM;
        return -1;
    }
    if (*path == '\0') {
        errno = ENOENT;
        return -1;
    }
    if (stat(target->data, &found) == 0 && !S_ISREG(found.st_mode)) {
        errno = S_ISDIR(found.st_mode) ? EISDIR : EINVAL;
        return -1;
    }
    int descriptor = -1;
    errno = EEXIST;
    for (unsigned tries = 0; tries < NAMES_MAX && descriptor < 0 && errno == EEXIST; tries++) {
        temporary->length = 0;
        clup_text_add(temporary, "%s.%ld.%u", target->data, (long)getpid(), serial++);
        if (clup_text_ok(temporary))
            descriptor = open(temporary->data, O_WRONLY | O_CREAT | O_EXCL, 0666);
        else
            errno = ENOMEM;
    }
    return descriptor;
}

/* With ends non-zero the watch may end it, also when a signal has interrupted the writing; files are finished. */
static int write_all(int descriptor, const char *data, size_t size, int ends)
{
    while (size > 0) {
        if (ends && clup_watch_ask() != CLUP_OK) {
            errno = EINTR;
            return -1;
        }
        ssize_t count = write(descriptor, data, size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return -1;
        data += count;
        size -= (size_t)count;
    }
    return 0;
}

clup_status clup_file_write_from(const char *path, clup_next_piece *next, void *user)
{
    clup_text target = {0}, temporary = {0};
    clup_status status = CLUP_OK;
    int descriptor = create_beside(path, &target, &temporary);
    int failed = descriptor < 0;
    clup_piece piece;
    while (!failed && (status = next(user, &piece)) == CLUP_OK && piece.size > 0)
        failed = write_all(descriptor, piece.data, piece.size, 0) != 0;
    failed = failed || status != CLUP_OK || fsync(descriptor) != 0;
    int error = errno;
    if (descriptor >= 0 && close(descriptor) != 0 && !failed) {
        failed = 1;
        error = errno;
    }
    if (!failed && rename(temporary.data, target.data) != 0) {
        failed = 1;
        error = errno;
    }
    if (failed) {
        if (status == CLUP_OK)
            status = clup_fail(CLUP_ERROR_RUNTIME, "cannot write '%s': %s", path, strerror(error));
        if (descriptor >= 0)
            unlink(temporary.data);
    }
    clup_text_free(&target);
    clup_text_free(&temporary);
    return status;
}

/* Pieces that are left. */
typedef struct pieces {
    const clup_piece *at, *end;
} pieces;

static clup_status next_of(void *user, clup_piece *piece)
{
    pieces *left = user;
    while (left->at < left->end && left->at->size == 0)
        left->at++;
    *piece = left->at < left->end ? *left->at++ : (clup_piece){0};
    return CLUP_OK;
}

clup_status clup_file_write(const char *path, const clup_piece *list, size_t count)
{
    pieces all = {list, list + count};
    return clup_file_write_from(path, next_of, &all);
}

clup_status clup_file_write_stdout(const clup_piece *pieces, size_t count)
{
    int failed = fflush(stdout) != 0;
    for (size_t k = 0; k < count && !failed; k++)
        failed = write_all(STDOUT_FILENO, pieces[k].data, pieces[k].size, 1) != 0;
    if (failed && errno == EINTR)
        return clup_fail(CLUP_INTERRUPTED, "standard output is not complete");
    return failed ? clup_fail(CLUP_ERROR_RUNTIME, "cannot write standard output: %s", strerror(errno)) : CLUP_OK;
}

clup_status clup_file_writable(const char *path)
{
    clup_text target = {0}, temporary = {0};
    clup_status status = CLUP_OK;
    int descriptor = create_beside(path, &target, &temporary);
    if (descriptor < 0)
        status = clup_fail(CLUP_ERROR_RUNTIME, "cannot write '%s': %s", path, strerror(errno));
    else {
        close(descriptor);
        unlink(temporary.data);
    }
    clup_text_free(&target);
    clup_text_free(&temporary);
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
