/* SPDX-License-Identifier: BSD-3-Clause */
/* The folder of a job: its files, its locks, and what is done. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/job/job.h"
#include "cli/message.h"
#include "clup.h"

job_path job_file(const char *folder, const char *name)
{
    job_path path;
    snprintf(path.text, sizeof path.text, "%s/%s", folder, name);
    return path;
}

job_path job_launch_file(const char *folder, size_t k, const char *name)
{
    job_path path;
    snprintf(path.text, sizeof path.text, "%s/launch-%03zu%s", folder, k + 1, name);
    return path;
}

/* ---- locks ----------------------------------------------------------------------------------- */

static int wait_for(int lock)
{
    int held;
    do
        held = flock(lock, LOCK_EX);
    while (held != 0 && errno == EINTR && !job_stopped());
    return held;
}

int job_lock(const char *path, int wait)
{
    /* child processes inherit the descriptor, so that the lock is free only when all have ended */
    const int lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (lock < 0) {
        cli_message(0, "cannot write '%s': %m", path);
        return -2;
    }
    if ((wait ? wait_for(lock) : flock(lock, LOCK_EX | LOCK_NB)) == 0)
        return lock;
    const int busy = errno == EWOULDBLOCK || (!wait && errno == EINTR);
    if (!busy && errno != EINTR)
        cli_message(0, "cannot lock '%s': %m", path);
    close(lock);
    return busy ? -1 : -2;
}

/* ---- files ----------------------------------------------------------------------------------- */

json_t *job_load(const char *path, size_t flags, json_error_t *error)
{
    struct stat found;
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    *error = (json_error_t){.line = -1};
    if (file < 0 || fstat(file, &found) != 0 || !S_ISREG(found.st_mode)) {
        snprintf(error->text, sizeof error->text, "%s",
                 file < 0 ? strerror(errno) : "is no regular file");
        if (file >= 0)
            close(file);
        return NULL;
    }
    json_t *root = json_loadfd(file, flags, error);
    close(file);
    return root;
}

/* Validates that a file is not a link. */
static int check_link(const char *path)
{
    struct stat found;
    if (lstat(path, &found) != 0 || !S_ISLNK(found.st_mode))
        return 0;
    cli_message(0, "'%s' is a link, through which clup run writes no file", path);
    return CLUP_ERROR_RUNTIME;
}

int job_check_links(const char *folder, size_t k)
{
    static const char *const names[] = {".json", ".lock", "-checkpoint.h5", "-series.h5",
                                        "-series.csv"};
    int code = 0;
    for (size_t n = 0; n < sizeof names / sizeof *names && code == 0; n++)
        code = check_link(job_launch_file(folder, k, names[n]).text);
    return code;
}

int job_write(const char *path, const char *bytes, size_t size)
{
    const int code = check_link(path);
    if (code != 0)
        return code;
    const clup_status status = clup_file_save(path, bytes, size);
    if (status == CLUP_OK)
        return 0;
    cli_message(0, "%s", clup_error_detail());
    return (int)status;
}

int job_write_json(const char *path, const json_t *document)
{
    char *text = json_dumps(document, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    if (text == NULL) {
        cli_message(0, "out of memory for '%s'", path);
        return CLUP_ERROR_MEMORY;
    }
    const int code = job_write(path, text, strlen(text));
    free(text);
    return code;
}

/* ---- states ---------------------------------------------------------------------------------- */

/* Whether a process works on a launch. The question takes a shared lock for a moment. Others who
 * ask do not mistake that lock for work; a process that wants to work tries again. */
static int is_held(const char *folder, size_t k)
{
    const job_path path = job_launch_file(folder, k, ".lock");
    const int lock = open(path.text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (lock < 0)
        return 0;
    const int held = flock(lock, LOCK_SH | LOCK_NB) != 0;
    close(lock);
    return held;
}

static int is_done(const char *folder, size_t k, json_t **result)
{
    json_error_t error;
    json_t *found = job_load(job_launch_file(folder, k, ".json").text, 0, &error);
    const int done = found != NULL;
    if (done && result != NULL)
        *result = found;
    else
        json_decref(found);
    return done;
}

job_state job_state_of(const char *folder, size_t k, json_t **result)
{
    if (is_done(folder, k, result))
        return JOB_DONE;
    if (is_held(folder, k))
        return JOB_RUNNING;
    /* the process that held it may have ended since */
    if (is_done(folder, k, result))
        return JOB_DONE;
    return access(job_launch_file(folder, k, "-checkpoint.h5").text, F_OK) == 0 ? JOB_STARTED
                                                                                : JOB_LEFT;
}

/* ---- results --------------------------------------------------------------------------------- */

const json_t *job_row(const json_t *result, size_t r)
{
    static const char *const lists[] = {"replicas", "steps", "population", "points"};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        const json_t *rows = json_object_get(result, lists[k]);
        if (rows != NULL)
            return json_array_get(rows, r);
    }
    return r == 0 ? result : NULL;
}
