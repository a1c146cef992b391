/* Jobs: simulations of many systems, in a folder of their own. A job file says what is wanted; the
 * folder's manifest, job.json, says which launches there are, each of systems that differ in
 * temperature alone and run as replicas of one simulation, and is what is worked on. */
#ifndef CLUP_CLI_JOB_H
#define CLUP_CLI_JOB_H
#include <jansson.h>
#include <stdint.h>

#define JOB_SCHEMA "clup/job/1"
/* Sites of the systems of a launch, unless one has more by itself, and systems: enough to fill a
 * device, and no more that is lost, or taken from other processes, at a time. */
#define JOB_SITES ((uint64_t)1 << 26)
#define JOB_SYSTEMS 1024u

/* The job file as a JSON object, which the caller frees; NULL after a message, *code being the exit
 * code. A name that ends in .json is JSON, another one TOML. */
json_t *job_read(const char *path, int *code);
/* Adds to launches, a JSON array of them, those that the job asks for and that are not there: 0, or
 * an exit code after a message, as where what is there was asked for with other sweeps. added
 * becomes how many systems came new, missing how many of those there are not asked for any more. */
int job_expand(const char *path, const json_t *job, json_t *launches, unsigned *added,
               unsigned *missing);
/* Systems of a launch, and their sites and sweeps, all together. */
unsigned job_systems(const json_t *launch);
double job_work(const json_t *launch);
/* The value that a launch has of an option of clup simulate; NULL where it has none. */
const char *job_value(const json_t *launch, const char *option);

/* The path of a file of a folder; of its launch number k, where name is what follows the number. */
typedef struct job_path {
    char text[4096];
} job_path;
job_path job_file(const char *folder, const char *name);
job_path job_launch_file(const char *folder, size_t k, const char *name);

/* Holds a file against other processes until it is closed, or the process ends however it does:
 * its descriptor; -1 where another holds it, or -2 after a message. */
int job_lock(const char *path, int wait);
/* The launches of a folder, as its manifest has them, or none where there is no manifest; NULL
 * after a message, *code being the exit code. */
json_t *job_manifest(const char *folder, int *code);
/* Writes a JSON document, or so many bytes, whole or not at all: 0, or an exit code after a
 * message. */
int job_write(const char *path, const char *bytes, size_t size);
int job_write_json(const char *path, const json_t *document);

/* What is known of a launch. */
typedef enum job_state { JOB_LEFT, JOB_STARTED, JOB_RUNNING, JOB_DONE } job_state;
/* Its state; *result, unless it is NULL, becomes what clup simulate --json printed, for the caller
 * to free, where it is done. */
job_state job_state_of(const char *folder, size_t k, json_t **result);

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
/* Signals end the launch that is running as they end clup simulate. */
void job_watch(void);
int job_stopped(void);

/* Writes table.csv, a row for each system that is done: 0, or an exit code after a message. */
int job_write_table(const char *folder, const json_t *launches);

#endif
