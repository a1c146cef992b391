/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes files. A file that is replaced is replaced whole or not at all. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/watch.h"
#include "program.h"

/* Names tried for a temporary file: a killed process with the same number in another container may
 * have left a file of that name. */
#define NAMES_MAX 1000
/* Links followed at most, as many as Linux follows. */
#define LINKS_MAX 40
/* Bytes of a file name at most, of which the number of a temporary file takes some. */
#define NAME_LONGEST 255
#define NUMBER_LONGEST 32

/* The place to which bytes are written. */
typedef struct place {
    clup_text target;     /* path with its links followed */
    clup_text temporary;  /* a new file beside target, renamed in the end; empty where bytes are
                             written to target itself */
    struct stat replaced; /* of target; st_mode is 0 where there is none */
    int descriptor;       /* -1 if not open */
    int standard;         /* descriptor is standard output, which stays open */
    int own;              /* for the user alone: replaces what has the name, and follows no link */
} place;

static int is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* The part of a path that ends with its last slash. */
static size_t folder_length(const char *path)
{
    const char *slash = clup_file_slash(path);
    return slash != NULL ? (size_t)(slash + 1 - path) : 0;
}

/* Each function below returns NULL, or what is wrong. */

/* The watch has ended the writing. */
static const char ended[] = "not all was written";
/* The host has no memory for the names. */
static const char no_memory[] = "out of host memory";

static const char *wrong_of(int error)
{
    return error == ENOMEM ? no_memory : strerror(error);
}

/* Follows the links of path to target, which need not exist. */
static const char *follow(const char *path, clup_text *target)
{
    char to[4096];
    clup_text_add(target, "%s", path);
    for (unsigned links = 0; clup_text_ok(target); links++) {
        const ssize_t length = readlink(target->data, to, sizeof to - 1);
        if (length < 0)
            return NULL;
        if (links == LINKS_MAX)
            return wrong_of(ELOOP);
        to[length] = '\0';
        target->length = *to == '/' ? 0 : folder_length(target->data);
        clup_text_add(target, "%s", to);
    }
    return no_memory;
}

static const char *allowed(const char *path, int what)
{
    return faccessat(AT_FDCWD, path, what, AT_EACCESS) == 0 ? NULL : wrong_of(errno);
}

/* Checks that a file can be created beside target. */
static const char *check_folder(const char *target)
{
    clup_text folder = {0};
    clup_text_add_bytes(&folder, target, folder_length(target));
    const char *wrong = !clup_text_ok(&folder)
                            ? no_memory
                            : allowed(folder.length > 0 ? folder.data : ".", W_OK | X_OK);
    clup_text_free(&folder);
    return wrong;
}

/* Finds out what is at path; opens and changes nothing. */
static const char *find(const char *path, place *place)
{
    struct stat *found = &place->replaced;
    if (is_standard(path))
        return NULL;
    if (place->own) {
        clup_text_add(&place->target, "%s", path);
        return clup_text_ok(&place->target) ? NULL : no_memory;
    }
    const char *wrong = *path != '\0' ? follow(path, &place->target) : wrong_of(ENOENT);
    if (wrong != NULL)
        return wrong;
    if (stat(path, found) != 0) {
        *found = (struct stat){0};
        return errno == ENOENT ? check_folder(place->target.data) : wrong_of(errno);
    }
    if (S_ISDIR(found->st_mode))
        return wrong_of(EISDIR);
    if (S_ISSOCK(found->st_mode) || S_ISBLK(found->st_mode))
        return S_ISBLK(found->st_mode) ? "Is a block device" : "Is a socket";
    wrong = allowed(path, W_OK);
    return wrong == NULL && S_ISREG(found->st_mode) ? check_folder(place->target.data) : wrong;
}

/* Creates the new file, with the mode and, if that is allowed, the owner of the file that it
 * replaces. */
static const char *create_beside(place *place)
{
    static _Atomic unsigned serial;
    const struct stat *replaced = &place->replaced;
    const char *target = place->target.data;
    const size_t folder = folder_length(target), room = folder + NAME_LONGEST - NUMBER_LONGEST;
    errno = EEXIST;
    for (unsigned tries = 0;
         tries < NAMES_MAX && place->descriptor < 0 && (errno == EEXIST || errno == EINTR);
         tries++) {
        place->temporary.length = 0;
        clup_text_add(&place->temporary, "%.*s.%ld.%u",
                      (int)(strlen(target) < room ? strlen(target) : room), target, (long)getpid(),
                      serial++);
        if (!clup_text_ok(&place->temporary))
            return no_memory;
        place->descriptor = open(place->temporary.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                 place->own || replaced->st_mode != 0 ? 0600 : 0666);
    }
    if (place->descriptor < 0) {
        place->temporary.length = 0;
        return wrong_of(errno);
    }
    if (replaced->st_mode != 0) {
        (void)!fchown(place->descriptor, replaced->st_uid, replaced->st_gid);
        if (fchmod(place->descriptor, replaced->st_mode & 0777) != 0)
            return wrong_of(errno);
    }
    return NULL;
}

static const char *open_place(const char *path, place *place)
{
    if (is_standard(path)) {
        place->standard = 1;
        place->descriptor = STDOUT_FILENO;
        return fflush(stdout) == 0 ? NULL : wrong_of(errno);
    }
    if (place->replaced.st_mode == 0 || S_ISREG(place->replaced.st_mode))
        return create_beside(place);
    while ((place->descriptor = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)) < 0)
        if (errno != EINTR)
            return wrong_of(errno);
        else if (clup_watch_ask() != CLUP_OK)
            return ended;
    return NULL;
}

/* Writes all bytes. The watch cannot end the writing of a file, but of a pipe, whose reader may
 * never take all. */
static const char *write_all(const place *place, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t count = write(place->descriptor, data, size);
        const int error = count < 0 ? errno : 0,
                  interrupted = error == EINTR || (count >= 0 && (size_t)count < size);
        if (interrupted && place->temporary.length == 0 && clup_watch_ask() != CLUP_OK)
            return ended;
        if (error == EINTR)
            continue;
        if (count <= 0)
            return wrong_of(error != 0 ? error : EIO);
        data += count;
        size -= (size_t)count;
    }
    return NULL;
}

static const char *close_place(place *place)
{
    const int descriptor = place->descriptor;
    place->descriptor = -1;
    return descriptor >= 0 && !place->standard && close(descriptor) != 0 ? wrong_of(errno) : NULL;
}

/* Opens the folder of a file, to write the names in it to disk; *descriptor is -1 where it may not
 * be read. */
static const char *open_folder(const char *target, int *descriptor)
{
    clup_text folder = {0};
    clup_text_add_bytes(&folder, target, folder_length(target));
    const int ok = clup_text_ok(&folder);
    while (ok &&
           (*descriptor = open(folder.length > 0 ? folder.data : ".",
                               O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0 &&
           errno == EINTR)
        ;
    const int error = errno;
    clup_text_free(&folder);
    return !ok ? no_memory : *descriptor >= 0 || error == EACCES ? NULL : wrong_of(error);
}

/* Writes a file or folder to disk. EINVAL is no failure: some file systems return it for
 * folders. */
static const char *synchronise(int descriptor)
{
    while (fsync(descriptor) != 0)
        if (errno != EINTR)
            return errno == EINVAL ? NULL : wrong_of(errno);
    return NULL;
}

/* Gives the new file its name. Its bytes are written to disk first, so that after a failure of the
 * machine the file is whole. */
static const char *settle(place *place)
{
    int folder = -1;
    if (place->temporary.length == 0)
        return close_place(place);
    const char *wrong = synchronise(place->descriptor);
    if (wrong == NULL)
        wrong = close_place(place);
    if (wrong == NULL)
        wrong = open_folder(place->target.data, &folder);
    if (wrong == NULL && rename(place->temporary.data, place->target.data) != 0)
        wrong = wrong_of(errno);
    else if (wrong == NULL) {
        place->temporary.length = 0;
        wrong = folder >= 0 ? synchronise(folder) : NULL;
    }
    if (folder >= 0)
        close(folder);
    return wrong;
}

static void leave(place *place)
{
    (void)close_place(place);
    if (place->temporary.length > 0)
        unlink(place->temporary.data);
    clup_text_free(&place->target);
    clup_text_free(&place->temporary);
}

static clup_status fail(const char *path, const char *wrong)
{
    if (wrong == ended)
        return clup_fail(CLUP_INTERRUPTED, "%s is not complete",
                         is_standard(path) ? "standard output" : path);
    const clup_status status = wrong == no_memory ? CLUP_ERROR_MEMORY : CLUP_ERROR_RUNTIME;
    return is_standard(path) ? clup_fail(status, "cannot write standard output: %s", wrong)
                             : clup_fail(status, "cannot write '%s': %s", path, wrong);
}

static clup_status write_from(const char *path, int own, clup_next_piece *next, void *user)
{
    place place = {.descriptor = -1, .own = own};
    clup_status status = CLUP_OK;
    clup_piece piece;
    const char *wrong = find(path, &place);
    if (wrong == NULL)
        wrong = open_place(path, &place);
    while (wrong == NULL && (status = next(user, &piece)) == CLUP_OK && piece.size > 0)
        wrong = write_all(&place, piece.data, piece.size);
    if (wrong == NULL && status == CLUP_OK)
        wrong = settle(&place);
    if (wrong != NULL)
        status = fail(path, wrong);
    leave(&place);
    return status;
}

clup_status clup_file_write_from(const char *path, clup_next_piece *next, void *user)
{
    return write_from(path, 0, next, user);
}

/* Pieces that are left to write. */
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
    return write_from(path, 0, next_of, &all);
}

clup_status clup_file_write_own(const char *path, const clup_piece *list, size_t count)
{
    pieces all = {list, list + count};
    return write_from(path, 1, next_of, &all);
}

/* Seconds after which a temporary file belongs to no running writer. */
#define LEFT_S 3600

/* Whether a name is TARGET.PID.SERIAL, the name of a temporary file of a target with the
 * extension. */
static int is_temporary(const char *name, const char *extension)
{
    const char *at = name + strlen(name);
    for (int numbers = 0; numbers < 2; numbers++) {
        const char *end = at;
        while (at > name && isdigit((unsigned char)at[-1]))
            at--;
        if (at == end || at == name || *--at != '.')
            return 0;
    }
    const size_t length = strlen(extension);
    return (size_t)(at - name) >= length && strncmp(at - length, extension, length) == 0;
}

void clup_file_sweep(const char *path, const char *extension)
{
    clup_text name = {0};
    struct stat written, found;
    const size_t folder = folder_length(path);
    clup_text_add_bytes(&name, path, folder);
    DIR *stream = clup_text_ok(&name) && stat(path, &written) == 0
                      ? opendir(folder > 0 ? name.data : ".")
                      : NULL;
    for (struct dirent *entry; stream != NULL && (entry = readdir(stream)) != NULL;) {
        if (!is_temporary(entry->d_name, extension))
            continue;
        name.length = folder;
        clup_text_add(&name, "%s", entry->d_name);
        if (clup_text_ok(&name) && lstat(name.data, &found) == 0 &&
            found.st_mtime < written.st_mtime - LEFT_S)
            (void)unlink(name.data);
    }
    if (stream != NULL)
        closedir(stream);
    clup_text_free(&name);
}

clup_status clup_file_writable(const char *path)
{
    CLUP_NEED(path);
    place place = {.descriptor = -1};
    const char *wrong = find(path, &place);
    leave(&place);
    return wrong == NULL ? CLUP_OK : fail(path, wrong);
}

clup_status clup_file_save(const char *path, const void *data, size_t size)
{
    CLUP_NEED(path);
    CLUP_NEED(data);
    return clup_file_write(path, &(clup_piece){data, size}, 1);
}
