/* SPDX-License-Identifier: BSD-3-Clause */
/* clup run: runs the launches of a job file, in a folder. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/job/job.h"
#include "cli/message.h"

static struct {
    const char *path, *folder;
    job_order order;
    double time_limit; /* seconds for the whole job */
    int wait;
    uint32_t share, shares; /* share number share, from 0, of shares; 0 for all launches */
} request = {.time_limit = INFINITY};

CLI_SET(set_path, path, value)
CLI_SET(set_folder, folder, value)
CLI_SET(set_device, order.device, value)
CLI_SET(set_reference, order.reference, 1)
CLI_SET(set_wait, wait, 1)
CLI_SET(set_quiet, order.quiet, 1)

static clup_status set_time_limit(void *target, const char *value)
{
    (void)target;
    return cli_parse_duration(value, &request.time_limit);
}

static clup_status set_save_every(void *target, const char *value)
{
    double seconds;
    (void)target;
    request.order.save_every = value;
    return cli_parse_duration(value, &seconds);
}

/* Sets which share of the launches this process does. */
static clup_status set_share(void *target, const char *value)
{
    uint64_t number, shares;
    char first[32];
    const char *slash = strchr(value, '/');
    (void)target;
    if (strcmp(value, "slurm") == 0)
        return cli_slurm_share(JOB_SHARES_MOST, &request.share, &request.shares);
    if (slash == NULL || snprintf(first, sizeof first, "%.*s", (int)(slash - value), value) >= 32 ||
        cli_parse_whole(slash + 1, 1, JOB_SHARES_MOST, &shares) != CLUP_OK ||
        cli_parse_whole(first, 1, shares, &number) != CLUP_OK)
        return cli_refuse("is not slurm, nor K/N with K from 1 to N, at most %u", JOB_SHARES_MOST);
    request.share = (uint32_t)number - 1;
    request.shares = (uint32_t)shares;
    return CLUP_OK;
}

static const cli_option options[] = {
    {"out", 0, "DIR", "the folder (the name of the job file without its extension)", set_folder},
    {"device", 0, "D", "P:D, part of a name, UUID, PCI address, gpu, cpu", set_device},
    {"reference", 0, NULL, "run the serial reference instead of a device", set_reference},
    {"save-every", 0, "T", "time from one checkpoint to the next, such as 90, 5m (60)",
     set_save_every},
    {"time-limit", 0, "T", "end, as after a signal, when this time is over: 90, 30m, 3h, 1d",
     set_time_limit},
    {"share", 0, "slurm|K/N",
     "do this share of the launches: of a task of a Slurm array, or K of N", set_share},
    {"wait", 0, NULL, "end when all is done, by other processes too", set_wait},
    {"quiet", 'q', NULL, "no progress", set_quiet},
    {0},
};

/* Makes the default name of the folder, beside the job file. */
static int name_folder(char *folder, size_t room)
{
    const char *given = request.folder != NULL ? request.folder : request.path;
    /* the names of its files must fit, too */
    if (strlen(given) + JOB_NAME_LONGEST >= room)
        return cli_usage_error("the folder's name is too long");
    snprintf(folder, room, "%s", given);
    char *base = strrchr(folder, '/'), *dot = strrchr(folder, '.');
    if (request.folder != NULL)
        return 0;
    if (dot != NULL && dot > (base != NULL ? base + 1 : folder))
        *dot = '\0';
    else
        strcat(folder, "-job");
    return 0;
}

/* Adds what the job asks for to the folder's manifest, which the caller holds. *launches becomes
 * all launches of the folder. */
static int extend(const char *folder, const job_source *source, json_t **launches)
{
    job_change change;
    int code;
    if ((*launches = job_manifest(folder, &code)) == NULL ||
        (code = job_expand(source, request.order.reference, *launches, &change)) != 0)
        return code;
    if (change.missing > 0)
        cli_message(0,
                    "%s: %u systems that the folder has are not asked for any more; they stay, and "
                    "those that have not begun do not run",
                    request.path, change.missing);
    const int differs = job_split(folder, *launches) || change.differs;
    return differs ? job_write_manifest(folder, *launches) : 0;
}

/* Finds what is left to do, by the job file and the folder, which is made. */
static int plan(const char *folder, json_t **launches, job_stamp *stamp)
{
    job_source source;
    job_change change;
    json_t *alone = json_array();
    int code = job_read(request.path, &source);
    /* validates the job file alone, before anything is made */
    if (code == 0)
        code = job_expand(&source, request.order.reference, alone, &change);
    json_decref(alone);
    if (code == 0 && mkdir(folder, 0777) != 0 && errno != EEXIST) {
        cli_message(0, "cannot make '%s': %m", folder);
        code = CLUP_ERROR_RUNTIME;
    }
    if (code == 0) {
        /* a process that comes at the same time waits until the systems have their numbers */
        const int lock = job_lock(job_file(folder, "job.lock").text, 1);
        code = lock >= 0       ? extend(folder, &source, launches)
               : job_stopped() ? cli_stopped("nothing was begun")
                               : CLUP_ERROR_RUNTIME;
        *stamp = job_stamp_of(folder);
        if (lock >= 0)
            close(lock);
    }
    job_source_free(&source);
    return code;
}

static int run(void)
{
    char folder[sizeof(job_path)];
    json_t *launches = NULL;
    job_stamp stamp;
    int code = name_folder(folder, sizeof folder);
    request.order.folder = folder;
    job_watch();
    /* the time of launches is part of that of the job */
    const double seconds = fmin(request.time_limit, cli_slurm_seconds());
    if (code == 0)
        code = plan(folder, &launches, &stamp);
    if (code == 0 && request.shares > 0)
        job_share(launches, request.share, request.shares);
    if (code == 0)
        code = job_work_on(&request.order, launches, stamp, seconds, request.wait);
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
    NULL,
};
