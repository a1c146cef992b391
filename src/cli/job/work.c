/* SPDX-License-Identifier: BSD-3-Clause */
/* Works on a job: runs its launches one after the other, while other processes may do so too. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/job/job.h"
#include "cli/message.h"

/* Writing the table takes at most 1/TABLE_COST of the time, except at the end. */
#define TABLE_COST 50

typedef struct work {
    job_order order;
    json_t *launches;
    size_t count;        /* of launches at first */
    unsigned char *done; /* which of them that are asked for are known to be done */
    double end_s;
    job_stamp stamp; /* of the manifest when the launches were read */
    double table_s;  /* when to write the table next */
    int table_is_old;
    int late, failed; /* failed: the exit code of the first launch that failed */
} work;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void describe(const json_t *launch, size_t k, size_t count)
{
    const char *lattice = job_value(launch, "lattice"), *size = job_value(launch, "size"),
               *q = job_value(launch, "q"), *model = job_value(launch, "model"),
               *path = job_path_key(json_object_get(launch, "options")),
               *graph = job_value(launch, "graph"), *kind = job_value(launch, "kind");
    const job_command *command = job_launch_command(launch);
    const int percolates = command->begins == &cli_percolate;
    char range[80];
    job_range_text(launch, "%.9g", range, sizeof range);
    printf("launch %zu of %zu: ", k + 1, count);
    if (graph != NULL)
        printf("graph %s, ", graph);
    else
        printf("%s %s, ", lattice != NULL ? lattice : "square",
               size != NULL ? size : "of the usual size");
    if (model != NULL)
        printf("%s, ", model);
    if (percolates)
        printf("%s percolation, ", kind != NULL ? kind : "bond");
    else if (model == NULL || strcmp(model, "potts") == 0 || strcmp(model, "clock") == 0)
        printf("q = %s, ", q != NULL ? q : "2");
    printf("%s%s%s = %s, %u system%s", path != NULL ? path : "", path != NULL ? " " : "",
           command->symbol, range, job_systems(launch), job_systems(launch) == 1 ? "" : "s");
    fflush(stdout);
}

/* ---- the manifest ---------------------------------------------------------------------------- */

/* Takes over the launches of a changed manifest. This job still asks for the launches that it asked
 * for; new launches belong to other jobs. */
static int take_over(work *work, const json_t *now)
{
    const size_t own = json_array_size(work->launches);
    if (json_array_size(now) < own) {
        cli_message(0, "'%s' has lost launches", job_file(work->order.folder, "job.json").text);
        return CLUP_ERROR_RUNTIME;
    }
    for (size_t k = 0; k < json_array_size(now); k++) {
        json_t *launch = json_array_get(now, k);
        if (k < own && job_asked(json_array_get(work->launches, k)))
            json_object_del(launch, "asked");
        else
            json_object_set_new(launch, "asked", json_false());
        if (k < own)
            json_array_set(work->launches, k, launch);
        else
            json_array_append(work->launches, launch);
    }
    return 0;
}

/* Reads the manifest again when another process has changed it: that process may have split a
 * launch that had not begun. A launch that is held, as the one here is, is not changed any more. */
static int look_again(work *work)
{
    const char *folder = work->order.folder;
    const int lock = job_lock(job_file(folder, "job.lock").text, 1);
    int code = 0;
    if (lock < 0)
        return job_stopped() ? CLUP_INTERRUPTED : CLUP_ERROR_RUNTIME;
    const job_stamp stamp = job_stamp_of(folder);
    if (memcmp(&stamp, &work->stamp, sizeof stamp) != 0) {
        json_t *now = job_manifest(folder, &code);
        if (now != NULL)
            code = take_over(work, now);
        json_decref(now);
        work->stamp = stamp;
    }
    close(lock);
    return code;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Writes the table of all launches that are done, if it may lack one. The lock keeps a process that
 * saw fewer from writing after one that saw more. */
static int write_table(work *work, int last)
{
    const double start = now_s();
    if (!work->table_is_old || (!last && start < work->table_s))
        return 0;
    const int lock = job_lock(job_file(work->order.folder, "job.lock").text, 1);
    if (lock < 0)
        return CLUP_ERROR_RUNTIME;
    const int code = job_write_table(work->order.folder, work->launches);
    close(lock);
    work->table_is_old = 0;
    work->table_s = now_s() + TABLE_COST * (now_s() - start);
    return code;
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Whether a launch is done. Who did it may have been killed before the table had it. */
static int is_done(work *work, size_t k)
{
    if (!work->done[k] && job_state_of(work->order.folder, k, NULL) == JOB_DONE)
        work->done[k] = work->table_is_old = 1;
    return work->done[k];
}

static void remove_checkpoints(const work *work)
{
    job_remove_checkpoints(work->order.folder, work->done, work->count);
}

/* Runs a launch, which the caller has locked. */
static int run_launch(work *work, size_t k)
{
    int code = look_again(work);
    const json_t *launch = json_array_get(work->launches, k);
    const int quiet = work->order.quiet;
    if (code != 0)
        return code;
    if (!quiet)
        describe(launch, k, json_array_size(work->launches));
    work->order.time_limit = fmax(0, work->end_s - now_s());
    code = job_run_launch(&work->order, launch, k, &work->late);
    if (!quiet)
        printf(code == 0 && !work->late ? ": done\n" : ": not done\n");
    cli_flush();
    if (code != 0 || work->late)
        return code;
    work->done[k] = work->table_is_old = 1;
    remove_checkpoints(work);
    return write_table(work, 0);
}

/* Runs a launch, unless it is done or another process holds it. */
static int try_launch(work *work, size_t k)
{
    const char *folder = work->order.folder;
    if (is_done(work, k))
        return 0;
    if (now_s() >= work->end_s) {
        work->late = 1;
        return 0;
    }
    const int lock = job_lock(job_launch_file(folder, k, ".lock").text, 0);
    if (lock < 0)
        return lock == -1 ? 0 : CLUP_ERROR_RUNTIME;
    const int code = is_done(work, k) ? 0 : run_launch(work, k);
    close(lock);
    return code;
}

/* Tries once each launch that is not done; does not repeat one that failed. */
static void try_all(work *work)
{
    for (size_t k = 0; k < json_array_size(work->launches) && !work->late && !job_stopped(); k++) {
        if (!job_asked(json_array_get(work->launches, k)) || work->done[k])
            continue;
        const int code = try_launch(work, k);
        if (work->failed == 0 || code == CLUP_INTERRUPTED)
            work->failed = code;
        if (code == CLUP_INTERRUPTED)
            return;
    }
}

/* The launches asked for that are not done now, and how many of them other processes hold. */
typedef struct remains {
    size_t all, left, held;
} remains;

static remains look(work *work)
{
    remains seen = {0};
    for (size_t k = 0; k < json_array_size(work->launches); k++) {
        if (!job_asked(json_array_get(work->launches, k)))
            continue;
        seen.all++;
        if (!is_done(work, k)) {
            seen.left++;
            seen.held += job_state_of(work->order.folder, k, NULL) == JOB_RUNNING;
        }
    }
    return seen;
}

/* Runs what can be run now, and then what other processes leave. */
static int work_until_end(work *work, int wait)
{
    static const struct timespec moment = {0, 10000000}, second = {1, 0};
    for (;;) {
        try_all(work);
        if (work->failed == CLUP_INTERRUPTED || job_stopped())
            return cli_stopped("clup run goes on with '%s'", work->order.folder);
        const remains seen = look(work);
        if (seen.left == 0 || work->failed != 0)
            return work->failed;
        if (work->late || (seen.held == seen.left && now_s() >= work->end_s)) {
            cli_message(0, "the time is over: clup run goes on with '%s'", work->order.folder);
            return 0;
        }
        if (seen.held == seen.left && !wait) {
            cli_message(0, "%zu of %zu launches are left, in the hands of other processes",
                        seen.left, seen.all);
            return 0;
        }
        /* other processes need time to end theirs, or have just let go of one */
        nanosleep(seen.held == seen.left ? &second : &moment, NULL);
    }
}

int job_work_on(const job_order *order, json_t *launches, job_stamp stamp, double seconds, int wait)
{
    work work = {.order = *order,
                 .launches = launches,
                 .stamp = stamp,
                 .count = json_array_size(launches),
                 .done = calloc(json_array_size(launches) + 1, 1),
                 .end_s = now_s() + seconds};
    if (work.done == NULL)
        return cli_fail_memory("the launches");
    int code = work_until_end(&work, wait);
    remove_checkpoints(&work);
    const int table = write_table(&work, 1);
    free(work.done);
    return code != 0 ? code : table;
}
