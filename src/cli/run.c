/* clup run: does what a job file asks for, in a folder. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/job.h"
#include "cli/message.h"

static struct {
    const char *path, *folder;
    job_order order;
    double time_limit; /* seconds for all of it */
    int wait;
} wish = {.time_limit = INFINITY};

CLI_SET(set_path, path, value)
CLI_SET(set_folder, folder, value)
CLI_SET(set_device, order.device, value)
CLI_SET(set_reference, order.reference, 1)
CLI_SET(set_wait, wait, 1)
CLI_SET(set_quiet, order.quiet, 1)

static clup_status set_time_limit(void *target, const char *value)
{
    (void)target;
    return cli_parse_duration(value, &wish.time_limit);
}

static clup_status set_save_every(void *target, const char *value)
{
    double seconds;
    (void)target;
    wish.order.save_every = value;
    return cli_parse_duration(value, &seconds);
}

static const cli_option options[] = {
    {"out", 0, "DIR", "the folder (the name of the job file without its extension)", set_folder},
    {"device", 0, "D", "P:D, part of a name, UUID, PCI address, gpu, cpu", set_device},
    {"reference", 0, NULL, "run the serial reference instead of a device", set_reference},
    {"save-every", 0, "T", "time from one checkpoint to the next, such as 90, 5m (60)",
     set_save_every},
    {"time-limit", 0, "T", "end, as after a signal, when this time is over: 90, 30m, 3h, 1d",
     set_time_limit},
    {"wait", 0, NULL, "end when all is done, by other processes too", set_wait},
    {"quiet", 'q', NULL, "no progress", set_quiet},
    {0},
};

/* The folder's name where none is given: beside the job file. */
static void name_folder(char *folder, size_t room)
{
    snprintf(folder, room, "%s", wish.path);
    char *base = strrchr(folder, '/'), *dot = strrchr(folder, '.');
    if (dot != NULL && dot > (base != NULL ? base + 1 : folder))
        *dot = '\0';
    else if (strlen(folder) + 5 < room)
        strcat(folder, "-job");
}

/* Adds what the job asks for to the folder's manifest, which is held; *launches becomes all of it.
 */
static int extend(const char *folder, const json_t *job, json_t **launches)
{
    unsigned added, missing;
    int code;
    if ((*launches = job_manifest(folder, &code)) == NULL ||
        (code = job_expand(wish.path, job, *launches, &added, &missing)) != 0)
        return code;
    if (missing > 0)
        cli_message(0, "%s: %u systems that the folder has are not asked for any more; they stay",
                    wish.path, missing);
    if (added == 0)
        return 0;
    json_t *root = json_pack("{s:s,s:s,s:O}", "schema", JOB_SCHEMA, "version", clup_version(),
                             "launches", *launches);
    code = root != NULL ? job_write_json(job_file(folder, "job.json").text, root)
                        : cli_fail_memory("the manifest");
    json_decref(root);
    return code;
}

/* What there is to do, by the job file and the folder, which is made. */
static int plan(const char *folder, json_t **launches)
{
    unsigned added, missing;
    int code;
    json_t *job = job_read(wish.path, &code), *alone = json_array();
    /* that it is right by itself, before anything is made */
    if (job != NULL)
        code = job_expand(wish.path, job, alone, &added, &missing);
    json_decref(alone);
    if (code == 0 && mkdir(folder, 0777) != 0 && errno != EEXIST) {
        cli_message(0, "cannot make '%s': %m", folder);
        code = CLUP_ERROR_RUNTIME;
    }
    if (code == 0) {
        /* who comes at the same time waits until the systems have their numbers */
        const int lock = job_lock(job_file(folder, "job.lock").text, 1);
        code = lock >= 0 ? extend(folder, job, launches) : CLUP_ERROR_RUNTIME;
        if (lock >= 0)
            close(lock);
    }
    json_decref(job);
    return code;
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void describe(const json_t *launch, size_t k, size_t count)
{
    const char *lattice = job_value(launch, "lattice"), *size = job_value(launch, "size"),
               *q = job_value(launch, "q");
    const json_t *betas = json_object_get(launch, "betas");
    const size_t last = json_array_size(betas) - 1;
    printf("launch %zu of %zu: %s %s, q = %s, beta = %.9g", k + 1, count,
           lattice != NULL ? lattice : "square", size != NULL ? size : "of the usual size",
           q != NULL ? q : "2", json_number_value(json_array_get(betas, 0)));
    if (last > 0)
        printf(" to %.9g", json_number_value(json_array_get(betas, last)));
    printf(", %u systems", job_systems(launch));
    fflush(stdout);
}

/* Runs a launch unless it is done, or another process has it, which *busy says. */
static int work_on(const json_t *launches, size_t k, double end_s, int *busy, int *late)
{
    const json_t *launch = json_array_get(launches, k);
    const char *folder = wish.order.folder;
    *busy = 0;
    if (job_state_of(folder, k, NULL) == JOB_DONE)
        return 0;
    const int lock = job_lock(job_launch_file(folder, k, ".lock").text, 0);
    if (lock == -1)
        *busy = 1;
    if (lock < 0)
        return lock == -1 ? 0 : CLUP_ERROR_RUNTIME;
    int code = 0;
    wish.order.time_limit = fmax(0, end_s - now_s());
    if (job_state_of(folder, k, NULL) != JOB_DONE) {
        if (!wish.order.quiet)
            describe(launch, k, json_array_size(launches));
        code = job_run_launch(&wish.order, launch, k, late);
        if (!wish.order.quiet)
            printf(code == 0 && !*late ? ": done\n" : ": not done\n");
        cli_flush();
        if (code == 0 && !*late)
            code = job_write_table(folder, launches);
    }
    close(lock);
    return code;
}

/* One launch after the other, until each is done or in another's hands; what fails is left behind,
 * and its exit code is the job's. */
static int work(const json_t *launches)
{
    const size_t count = json_array_size(launches);
    const double end_s = now_s() + wish.time_limit;
    int failed = 0;
    for (;;) {
        unsigned done = 0, elsewhere = 0;
        for (size_t k = 0; k < count; k++) {
            int busy = 0, late = 0;
            const int code = work_on(launches, k, end_s, &busy, &late);
            if (code == CLUP_INTERRUPTED || job_stopped())
                return cli_stopped("clup run goes on with '%s'", wish.order.folder);
            if (late) {
                cli_message(0, "the time is over: clup run goes on with '%s'", wish.order.folder);
                return 0;
            }
            failed = failed != 0 ? failed : code;
            elsewhere += busy != 0;
            done += job_state_of(wish.order.folder, k, NULL) == JOB_DONE;
        }
        if (done == count || failed != 0)
            return failed;
        if (elsewhere == 0)
            continue; /* another process let go of it meanwhile */
        if (!wish.wait || now_s() >= end_s) {
            cli_message(0, "%u of %zu launches are left, in the hands of other processes",
                        (unsigned)(count - done), count);
            return 0;
        }
        sleep(1);
    }
}

static int run(void)
{
    char folder[4096];
    json_t *launches = NULL;
    if (wish.folder != NULL)
        snprintf(folder, sizeof folder, "%s", wish.folder);
    else
        name_folder(folder, sizeof folder);
    wish.order.folder = folder;
    job_watch();
    int code = plan(folder, &launches);
    if (code == 0)
        code = work(launches);
    json_decref(launches);
    return code;
}

static const cli_operand operand = {
    {"JOB.toml", 0, "F", "what to do, as TOML, or JSON in a file that ends in .json", set_path},
    1,
    1,
};

const cli_command cli_run = {
    "run", "does the simulations of a job file, in a folder", options, NULL, run, NULL, &operand,
};
