/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads whole files, locks files, makes folders. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/watch.h"

static clup_status fail(const char *path, int error)
{
    return error == ENOMEM ? clup_fail_memory(path)
                           : clup_fail(CLUP_ERROR_RUNTIME, "%s: %s", path, strerror(error));
}

static clup_status fail_long(const char *path)
{
    return clup_fail(CLUP_ERROR_RUNTIME, "%s: more bytes than the limit, %u", path, CLUP_FILE_MOST);
}

/* Whether a system call was interrupted and must be repeated. */
static bool again(int error)
{
    return error == EINTR && clup_watch_ask() == CLUP_OK;
}

static clup_status read_all(int descriptor, const char *path, clup_text *contents)
{
    char buffer[65536];
    ssize_t count;
    clup_text_add_bytes(contents, "", 0);
    while ((count = read(descriptor, buffer, sizeof buffer)) != 0) {
        if (count > 0)
            clup_text_add_bytes(contents, buffer, (size_t)count);
        else if (!again(errno))
            return fail(path, errno);
        if (contents->length > CLUP_FILE_MOST)
            return fail_long(path);
    }
    return clup_text_ok(contents) ? CLUP_OK : clup_fail_memory(path);
}

/* Says how a file or folder is open to others; NULL if it is not. */
static const char *open_to_others(const struct stat *found)
{
    if (found->st_uid != geteuid())
        return "belongs to another user";
    return found->st_mode & (S_IWGRP | S_IWOTH) ? "can be written by others" : NULL;
}

/* Reads a file that is opened with additional flags. With own it must be a regular file of the user
 * alone. */
static clup_status read_file(const char *path, int flags, bool own, clup_text *contents)
{
    clup_status status = CLUP_OK;
    struct stat found;
    int descriptor;
    while ((descriptor = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC | flags)) < 0)
        if (!again(errno))
            return fail(path, errno);
    if (fstat(descriptor, &found) != 0)
        status = fail(path, errno);
    else if (own && (!S_ISREG(found.st_mode) || open_to_others(&found) != NULL))
        status = clup_fail(CLUP_ERROR_RUNTIME, "%s %s", path,
                           S_ISREG(found.st_mode) ? open_to_others(&found) : "is no regular file");
    else if (S_ISREG(found.st_mode) && found.st_size > (off_t)CLUP_FILE_MOST)
        status = fail_long(path);
    else
        status = read_all(descriptor, path, contents);
    close(descriptor);
    return status;
}

clup_status clup_file_read(const char *path, clup_text *contents)
{
    return read_file(path, 0, false, contents);
}

clup_status clup_file_read_own(const char *path, clup_text *contents)
{
    /* O_NONBLOCK, as a pipe would block it */
    return read_file(path, O_NOFOLLOW | O_NONBLOCK, true, contents);
}

clup_status clup_file_open(const char *path, FILE **out)
{
    struct stat found;
    int descriptor;
    *out = NULL;
    while ((descriptor = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)) < 0)
        if (!again(errno))
            return clup_fail(CLUP_ERROR_RUNTIME, "cannot read '%s': %s", path, strerror(errno));
    if (fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode))
        *out = fdopen(descriptor, "rb");
    else
        errno = S_ISDIR(found.st_mode) ? EISDIR : 0;
    if (*out != NULL)
        return CLUP_OK;
    const clup_status status = errno != 0
                                   ? clup_fail(CLUP_ERROR_RUNTIME, "cannot read '%s': %s", path,
                                               strerror(errno))
                                   : clup_fail(CLUP_ERROR_RUNTIME, "'%s' is no regular file", path);
    close(descriptor);
    return status;
}

clup_status clup_file_own_folder(const char *folder)
{
    struct stat found;
    if (stat(folder, &found) != 0)
        return fail(folder, errno);
    const char *wrong = S_ISDIR(found.st_mode) ? open_to_others(&found) : "is no folder";
    return wrong == NULL ? CLUP_OK
                         : clup_fail(CLUP_ERROR_RUNTIME, "the folder %s %s", folder, wrong);
}

/* ---- folders --------------------------------------------------------------------------------- */

#ifdef _WIN32
#define SLASHES "/\\"
#else
#define SLASHES "/"
#endif

const char *clup_file_slash(const char *path)
{
    for (const char *at = path + strlen(path); at > path; at--)
        if (strchr(SLASHES, at[-1]) != NULL)
            return at - 1;
    return NULL;
}

#ifdef _WIN32
void clup_file_user_folder(clup_user_folder kind, clup_text *path)
{
    const char *local = getenv("LOCALAPPDATA");
    if (local != NULL && *local != '\0')
        clup_text_add(path, "%s/clup/%s", local, kind == CLUP_USER_CACHE ? "cache/" : "");
}
#else
void clup_file_user_folder(clup_user_folder kind, clup_text *path)
{
    static const struct {
        const char *variable, *in_home;
    } rows[] = {[CLUP_USER_CACHE] = {"XDG_CACHE_HOME", ".cache"},
                [CLUP_USER_DATA] = {"XDG_DATA_HOME", ".local/share"}};
    const char *xdg = getenv(rows[kind].variable), *home = getenv("HOME");
    if (xdg != NULL && *xdg == '/')
        clup_text_add(path, "%s/clup/", xdg);
    else if (home != NULL && *home != '\0')
        clup_text_add(path, "%s/%s/clup/", home, rows[kind].in_home);
}
#endif

/* How many characters at the beginning of a path name the root, which is there. */
static size_t root_of(const char *path)
{
#ifdef _WIN32
    size_t end = strspn(path, SLASHES);
    if (end == 2) {
        /* //SERVER/SHARE/ */
        for (unsigned part = 0; part < 2; part++) {
            end += strcspn(path + end, SLASHES);
            end += path[end] != '\0';
        }
        return end;
    }
    if (path[0] != '\0' && path[1] == ':')
        return 2 + strspn(path + 2, SLASHES);
#endif
    return path[0] != '\0';
}

clup_status clup_file_make_folders(const char *path)
{
    char *copy = strdup(path);
    clup_status status = CLUP_OK;
    if (copy == NULL)
        return clup_fail_memory(path);
    for (char *slash = copy + root_of(path);
         status == CLUP_OK && (slash = strpbrk(slash, SLASHES)) != NULL; slash++) {
        const char kept = *slash;
        *slash = '\0';
        if (mkdir(copy, 0700) != 0 && errno != EEXIST)
            status = errno == ENOMEM ? clup_fail_memory(copy)
                                     : clup_fail(CLUP_ERROR_RUNTIME, "cannot make folder %s: %s",
                                                 copy, strerror(errno));
        *slash = kept;
    }
    free(copy);
    return status;
}

/* ---- locks ----------------------------------------------------------------------------------- */

/* How many times per second a lock is tried, and the time between. */
#define LOCK_TRIES 100
static const struct timespec lock_step = {0, 1000000000 / LOCK_TRIES};

clup_status clup_file_lock(const char *path, unsigned seconds, int *lock)
{
    clup_status status = CLUP_OK;
    unsigned tries = 0;
    while ((*lock = open(path, O_RDWR | O_CREAT | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC, 0600)) < 0)
        if (!again(errno))
            return fail(path, errno);
    while (flock(*lock, LOCK_EX | LOCK_NB) != 0 && (errno == EWOULDBLOCK || errno == EINTR) &&
           status == CLUP_OK) {
        if (++tries >= seconds * LOCK_TRIES)
            status = clup_fail(CLUP_ERROR_RUNTIME, "%s: another process holds it", path);
        else if ((status = clup_watch_ask()) == CLUP_OK)
            nanosleep(&lock_step, NULL);
    }
    if (status != CLUP_OK)
        clup_file_unlock(*lock);
    return status;
}

void clup_file_unlock(int lock)
{
    close(lock);
}
