/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs: simulations of many systems, in a folder of their own. A job file says what is wanted; the
 * folder's manifest, job.json, says which launches there are, and is what is worked on. A launch is
 * one run of clup simulate: systems that differ in temperature alone and run as its replicas, the
 * ladders of parallel tempering, or systems that go through a list of temperatures. */
#ifndef CLUP_CLI_JOB_JOB_H
#define CLUP_CLI_JOB_JOB_H
#include <jansson.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/simulate/simulate.h"

#define JOB_SCHEMA "clup/job/1"
/* Sites of the systems of a launch, unless one has more by itself, and systems: enough to fill a
 * device, and no more that is lost, or taken from other processes, at a time. */
#define JOB_SITES ((uint64_t)1 << 26)
#define JOB_SYSTEMS 1024u
/* Systems that a job may ask for, and those that a seed has random numbers for. */
#define JOB_SYSTEMS_MOST ((uint64_t)1 << 20)
#define JOB_SEED_SYSTEMS 65536u

/* ---- the job file ---------------------------------------------------------------------------- */

typedef struct job_source {
    const char *path;
    json_t *keys;  /* an object */
    json_t *lines; /* of keys, see job_toml; NULL where they are not known */
} job_source;
/* Reads a job file: 0, or an exit code after a message. A name that ends in .json is JSON, another
 * one TOML. job_source_free is due in either case. */
int job_read(const char *path, job_source *source);
void job_source_free(job_source *source);

/* Some keys with all their values. */
typedef struct job_keys {
    json_t *values; /* by key an array of texts, as options have them */
    json_t *lines;  /* by key the number of its line, where that is known */
} job_keys;
/* The keys of the table of points number k, or of the file where it has no tables, together with
 * those that the file has for all tables: 0, or an exit code after a message. job_keys_free is due
 * in either case. */
int job_keys_of(const job_source *source, size_t k, job_keys *keys);
void job_keys_free(job_keys *keys);
/* The option of clup simulate that a key is; NULL for what is no key of a job. */
const cli_option *job_option(const char *key);
/* Whether a key is a list of values of beta, with one system at each. */
int job_is_temperature(const char *key);
/* The key by which systems go from one temperature to another, "tempering" or "anneal", where
 * options, an object, have it; NULL otherwise. */
const char *job_path_key(const json_t *options);

/* What options, an object of texts, and one more, key NULL for none, ask for: 0, or an exit code
 * after a message. lines, which may be NULL, are those of keys. reference says that the serial
 * reference is to run it. job_request_free is due in either case. */
int job_request(const json_t *options, const json_t *lines, const char *key, const char *value,
                int reference, simulate_request *request);
void job_request_free(simulate_request *request);
/* That kernels fit what options ask for: 0, or an exit code after a message. */
int job_request_fits(const json_t *options, const simulate_request *request);
/* Whether such systems can be replicas of one simulation. */
int job_request_shares(const json_t *options, const simulate_request *request);

/* ---- launches -------------------------------------------------------------------------------- */

/* How launches have changed by a job file. */
typedef struct job_change {
    unsigned added, missing; /* systems: new ones, and those that it does not ask for any more */
    int differs;             /* whether the manifest is to be written */
} job_change;
/* Makes launches, a JSON array, those that the job asks for, by adding systems that are not there
 * and marking those that are not asked for: 0, or an exit code after a message, as where what is
 * there was asked for with other sweeps. A launch that is asked for in part has an array "dropped"
 * of the temperatures that are not, which job_split takes away. */
int job_expand(const job_source *source, int reference, json_t *launches, job_change *change);
/* Makes several launches of each that is asked for in part and has not begun: the first keeps its
 * place, others go to the end. The folder's manifest is held. Whether there were any. */
int job_split(const char *folder, json_t *launches);

/* Systems of a launch, and their sites and sweeps, all together; whether the job file that was last
 * run asks for it. */
unsigned job_systems(const json_t *launch);
double job_work(const json_t *launch);
int job_asked(const json_t *launch);
/* The value that a launch has of an option of clup simulate; NULL where it has none. */
const char *job_value(const json_t *launch, const char *option);

/* ---- the folder ------------------------------------------------------------------------------ */

/* The path of a file of a folder; of its launch number k, where name is what follows the number. */
typedef struct job_path {
    char text[4096];
} job_path;
#define JOB_NAME_LONGEST 64 /* of a file of the folder */
job_path job_file(const char *folder, const char *name);
job_path job_launch_file(const char *folder, size_t k, const char *name);

/* Holds a file against other processes until it is closed, or the process ends however it does: its
 * descriptor; -1 where another holds it, unless wait is set, or -2 after a message or a signal. */
int job_lock(const char *path, int wait);
/* Reads a file of a folder as JSON: NULL, with error filled in, where it is none. Links are not
 * followed, and nothing but regular files is read: folders may come from others. */
json_t *job_load(const char *path, size_t flags, json_error_t *error);
/* Writes a JSON document, or so many bytes, whole or not at all: 0, or an exit code after a
 * message. What is written through a link would change a file that is not the folder's: that is
 * refused. */
int job_write(const char *path, const char *bytes, size_t size);
int job_write_json(const char *path, const json_t *document);
/* That no file of a launch is a link: 0, or an exit code after a message. */
int job_check_links(const char *folder, size_t k);

/* The launches of a folder, as its manifest has them, or none where there is no manifest; NULL
 * after a message, *code being the exit code. Each is one that a job file could have asked for. */
json_t *job_manifest(const char *folder, int *code);
/* Writes the manifest, which is held. */
int job_write_manifest(const char *folder, const json_t *launches);
/* What is another one once the manifest was written anew; zeros where there is none. */
typedef struct job_stamp {
    uint64_t file, size;
    int64_t seconds, nanoseconds;
} job_stamp;
job_stamp job_stamp_of(const char *folder);

/* What is known of a launch. */
typedef enum job_state { JOB_LEFT, JOB_STARTED, JOB_RUNNING, JOB_DONE } job_state;
/* Its state; *result, unless it is NULL, becomes what clup simulate --json printed, for the caller
 * to free, where it is done. For a moment job_lock may then find the launch held whose state is not
 * JOB_RUNNING. */
job_state job_state_of(const char *folder, size_t k, json_t **result);
/* The row number r of a result: an object that has the key observables, or is a step of a
 * population; NULL past the last. */
const json_t *job_row(const json_t *result, size_t r);

/* ---- work ------------------------------------------------------------------------------------ */

/* How launches run. */
typedef struct job_order {
    const char *folder, *device; /* NULL for the default */
    const char *save_every;
    double time_limit; /* seconds that the launch may take */
    int reference, quiet;
} job_order;
/* Runs a launch, which is locked, in a process of its own that goes on where it was: 0 once it is
 * done, or an exit code after a message; CLUP_INTERRUPTED, and 0 with *late where the time was
 * over, for what has not come to its end. */
int job_run_launch(const job_order *order, const json_t *launch, size_t k, int *late);
/* From now on signals end the launch that is running as they end clup simulate; whether one came.
 */
void job_watch(void);
int job_stopped(void);
/* Waits for the process of a launch, which gets the signals that come meanwhile: what waitpid says
 * of it. */
int job_wait_for(pid_t child);
/* Runs the launches that are asked for, one after the other, until each is done or, unless wait is
 * set, in the hands of another process, or so many seconds are over: the exit code, which is that
 * of the first launch that failed. */
int job_work_on(const job_order *order, json_t *launches, job_stamp stamp, double seconds,
                int wait);

/* Writes table.csv, a row for each system that is done: 0, or an exit code after a message. */
int job_write_table(const char *folder, const json_t *launches);

#endif
