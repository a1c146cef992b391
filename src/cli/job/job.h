/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs: simulations of many systems, in a folder of their own. A job file says what is wanted. The
 * folder's manifest, job.json, lists the launches; work is done from the manifest. A launch is one
 * run of clup simulate: systems that differ in temperature alone and run as its replicas, the
 * ladders of parallel tempering, or systems that go through a list of temperatures. Or it is one
 * run of clup percolate: samples at several probabilities, each of which counts as a system. */
#ifndef CLUP_CLI_JOB_JOB_H
#define CLUP_CLI_JOB_JOB_H
#include <jansson.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/percolate/percolate.h"

#define JOB_SCHEMA "clup/job/1"
/* Limits of a launch: the sites of all its systems, unless one system has more, and the number of
 * systems. Enough to fill a device, and little enough that an interrupted launch loses little work
 * and other processes find launches to do. */
#define JOB_SITES ((uint64_t)1 << 26)
#define JOB_SYSTEMS 1024u
/* The most systems that a job may ask for, and the numbers of systems that a seed has random
 * numbers for. */
#define JOB_SYSTEMS_MOST ((uint64_t)1 << 20)
#define JOB_SEED_SYSTEMS 65536u

/* ---- commands -------------------------------------------------------------------------------- */

/* A command whose runs launches are. The first of the table is that of jobs that name none. */
typedef struct job_command {
    const char *name; /* the value of the key "command" */
    const cli_command *begins, *resumes;
    const char *resume;         /* the option that resumes takes a checkpoint by; NULL: operand */
    const cli_option *options;  /* its keys are among them */
    const char *value, *values; /* the options of one value of a system and of several */
    const char *symbol;         /* what reports call such a value */
} job_command;
/* Return command number row, NULL past the end; the command of a name, or of options, an object of
 * texts (NULL where it is not known); and whether a launch of options can go on from a checkpoint.
 */
const job_command *job_command_at(size_t row);
const job_command *job_command_named(const char *name);
const job_command *job_command_of(const json_t *options);
int job_keeps_checkpoint(const json_t *options);

/* ---- the job file ---------------------------------------------------------------------------- */

typedef struct job_source {
    const char *path;
    json_t *keys;  /* an object */
    json_t *lines; /* the line of each key, see job_toml; NULL where not known */
} job_source;
/* Reads a job file, as JSON where its name ends in .json, else as TOML. Returns 0, or an exit code
 * after a message. Call job_source_free in either case. */
int job_read(const char *path, job_source *source);
void job_source_free(job_source *source);

/* Some keys with all their values. */
typedef struct job_keys {
    json_t *values; /* for each key an array of texts, written as options are */
    json_t *lines;  /* for each key the number of its line, where that is known */
    const job_command *command;
} job_keys;
/* Gets the keys of table of points number k (of the file, where it has no tables), together with
 * those that the file sets for all tables. Returns 0, or an exit code after a message. Call
 * job_keys_free in either case. */
int job_keys_of(const job_source *source, size_t k, job_keys *keys);
void job_keys_free(job_keys *keys);
/* Returns the option of a command that a key stands for, or NULL when a job has no such key. */
const cli_option *job_option(const job_command *command, const char *key);
/* Whether a key is a list of values of beta, or of p, with one system at each. */
int job_is_temperature(const char *key);
/* Returns the key by which systems go from one temperature to another, "tempering" or "anneal",
 * when options, an object, has it; else NULL. */
const char *job_path_key(const json_t *options);

/* What options ask for together with one value of beta or p. */
typedef struct job_wish {
    const job_command *command;
    percolate_request asked; /* the options; of clup simulate its system alone counts */
    uint64_t sweeps;         /* of each system: all of all temperatures; or samples at each p */
    uint32_t systems;
    double *values; /* values[count]: beta or p; all temperatures of a path */
    size_t count;
} job_wish;
/* Makes a wish from options, an object of texts, and one more option, key (NULL for none). lines,
 * which may be NULL, are the lines of the keys. With reference, the serial reference runs it.
 * Returns 0, or an exit code after a message. Call job_wish_free in either case. */
int job_wish_of(const json_t *options, const json_t *lines, const char *key, const char *value,
                int reference, job_wish *wish);
void job_wish_free(job_wish *wish);
/* Validates that kernels fit what options ask for. Returns 0, or an exit code after a message. */
int job_wish_fits(const json_t *options, const job_wish *wish);
/* Whether one launch can have several systems of a wish. */
int job_wish_shares(const json_t *options, const job_wish *wish);

/* ---- launches -------------------------------------------------------------------------------- */

/* How a job file has changed the launches. */
typedef struct job_change {
    unsigned added, missing; /* systems that are new, and systems that the job file does not ask for
                                any more */
    int differs;             /* whether the manifest must be written */
} job_change;
/* Makes launches, a JSON array, the launches of the job file: adds systems that are missing, and
 * marks those that the job file does not ask for. Returns 0, or an exit code after a message, such
 * as when a system has been asked for with other sweeps. A launch of which only a part is asked for
 * gets an array "dropped" of the other temperatures; job_split takes these away. */
int job_expand(const job_source *source, int reference, json_t *launches, job_change *change);
/* Splits each launch that has not begun and of which only a part is asked for: the first new launch
 * keeps its place, the others go to the end. The caller must hold the folder's manifest. Returns
 * whether a launch was split. */
int job_split(const char *folder, json_t *launches);

/* The systems of a launch; the sum of sites times sweeps over them; and whether the job file that
 * was last run asks for the launch. */
unsigned job_systems(const json_t *launch);
double job_work(const json_t *launch);
int job_asked(const json_t *launch);
/* Shares the launches that are asked for out among several processes, about equal work for each, by
 * the launches alone, whether or not they are done. Those that are not of share number, from 0, are
 * then not asked for. */
void job_share(json_t *launches, uint32_t number, uint32_t shares);
#define JOB_SHARES_MOST 65536u
/* The command of a launch. */
const job_command *job_launch_command(const json_t *launch);
/* Writes the least and the greatest temperature or p of a launch, such as "0.4 to 0.5". */
void job_range_text(const json_t *launch, const char *format, char *text, size_t size);
/* The value of an option of a launch; NULL where the launch has none. */
const char *job_value(const json_t *launch, const char *option);

/* ---- the folder ------------------------------------------------------------------------------ */

/* The path of a file of a folder; or of launch number k, where name is what follows the number. */
typedef struct job_path {
    char text[4096];
} job_path;
#define JOB_NAME_LONGEST 64 /* of a file of the folder, in bytes */
job_path job_file(const char *folder, const char *name);
job_path job_launch_file(const char *folder, size_t k, const char *name);

/* Holds a file against other processes until the descriptor is closed or the process ends, in
 * whatever way. Returns the descriptor; -1 when another process holds the file and wait is not set;
 * -2 after a message or a signal. */
int job_lock(const char *path, int wait);
/* Reads a file of a folder as JSON. Returns NULL, with error filled in, when it is not JSON. Reads
 * regular files alone, and follows no links, as folders may come from others. */
json_t *job_load(const char *path, size_t flags, json_error_t *error);
/* Writes a JSON document, or size bytes, either whole or not at all. Returns 0, or an exit code
 * after a message. Refuses to write through a link, as that would change a file outside of the
 * folder. */
int job_write(const char *path, const char *bytes, size_t size);
int job_write_json(const char *path, const json_t *document);
/* Validates that no file of a launch is a link. Returns 0, or an exit code after a message. */
int job_check_links(const char *folder, size_t k);

/* Returns the launches in the manifest of a folder, each validated as one that a job file could
 * have asked for; an empty array when there is no manifest. On failure returns NULL after a
 * message, and sets *code to the exit code. */
json_t *job_manifest(const char *folder, int *code);
/* Writes the manifest, which the caller holds. */
int job_write_manifest(const char *folder, const json_t *launches);
/* A stamp of the manifest, which changes when the manifest is written; zeros when there is none. */
typedef struct job_stamp {
    uint64_t file, size;
    int64_t seconds, nanoseconds;
} job_stamp;
job_stamp job_stamp_of(const char *folder);

/* The state of a launch. */
typedef enum job_state { JOB_LEFT, JOB_STARTED, JOB_RUNNING, JOB_DONE } job_state;
/* Returns the state of launch k. When it is done, *result, unless result is NULL, becomes what its
 * command printed as JSON, for the caller to free. For a moment job_lock may then find the launch
 * held although its state is not JOB_RUNNING. */
job_state job_state_of(const char *folder, size_t k, json_t **result);
/* Row number r of a result: an object that has the key observables, or is a step of a population.
 * NULL past the last. */
const json_t *job_row(const json_t *result, size_t r);

/* ---- work ------------------------------------------------------------------------------------ */

/* How launches run. */
typedef struct job_order {
    const char *folder, *device; /* NULL for the default */
    const char *save_every;
    double time_limit; /* the most seconds that the launch may take */
    int reference, quiet;
} job_order;
/* Runs a launch, which the caller has locked, in a process of its own; the launch goes on where it
 * was. Returns 0 once it is done, or an exit code after a message. A launch that has not ended
 * returns CLUP_INTERRUPTED, or 0 with *late set when its time was over. */
int job_run_launch(const job_order *order, const json_t *launch, size_t k, int *late);
/* Removes the checkpoints of launches k with done[k], of count, and FILE.PID.SERIAL, which
 * processes leave that are killed while they write one. Nobody writes a checkpoint of a launch that
 * is done, but who did it may have been killed before it removed the checkpoint. */
void job_remove_checkpoints(const char *folder, const unsigned char *done, size_t count);
/* job_watch: from now on signals end the running launch as they end clup simulate. The other
 * function tells whether a signal came. */
void job_watch(void);
int job_stopped(void);
/* Starts a command in a process of its own, whose standard output is a descriptor. The process
 * ends, as after a signal, when this one has ended. Returns its number; -1 and errno where it
 * cannot be started. */
pid_t job_start(const cli_command *command, int count, char **words, int output);
/* Waits for the process of a launch, and passes on to it the signals that come meanwhile. Returns
 * the status that waitpid gives. */
int job_wait_for(pid_t child);
/* Runs the launches that are asked for, one after the other, until each is done, or, unless wait is
 * set, is held by another process, or until seconds have passed. Returns the exit code of the first
 * launch that failed, else 0. */
int job_work_on(const job_order *order, json_t *launches, job_stamp stamp, double seconds,
                int wait);

/* Sets name to number k of a list with commas. Returns 0 past the last. */
int job_name_at(const char *list, size_t k, char name[JOB_NAME_LONGEST]);
/* Finds an observable of a row; a population has the energy alone. Returns whether it is there. */
int job_estimate(const json_t *row, const char *name, double *mean, double *error);
#define JOB_COLUMN 17 /* the width of a column of results */
/* job_check_results: whether some system that is done has each observable in names, which have
 * commas between them; returns 0, or an exit code after a message. job_print_results prints a line
 * for each system that is done, with these observables. */
int job_check_results(const char *folder, const json_t *launches, const char *names);
void job_print_results(const char *folder, const json_t *launches, const char *names);
/* Prints a line for each problem and temperature of which several samples of disorder are done,
 * with the averages over them. Returns 0, or an exit code after a message. */
int job_print_samples(const char *folder, const json_t *launches, const char *names);
/* Writes table.csv, a row for each system that is done: 0, or an exit code after a message. */
int job_write_table(const char *folder, const json_t *launches);

#endif
