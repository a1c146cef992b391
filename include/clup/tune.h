/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of sweeps, and tuning: measuring kernels once, so that plans are chosen by their times. */
#ifndef CLUP_TUNE_H
#define CLUP_TUNE_H

#include "clup/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- times of sweeps ------------------------------------------------------------------------- */

/* Seconds of a sweep. */
typedef struct clup_sweep_times {
    double device_s; /* median over single sweeps by device events; NAN where these have no times */
    double spread;   /* half the distance of the quartiles, divided by device_s */
    double wall_s;   /* mean over sweeps that are enqueued one after the other, as a simulation
                        does */
} clup_sweep_times;

/* Times of sweeps of a plan, in seconds for one sweep of all replicas. */
typedef struct clup_sweep_sample {
    clup_sweep_times plain, measured; /* without measuring; with the group "spins" */
    double updates;                   /* sites of all replicas */
    double bytes_per_site;            /* of buffers on the device */
    unsigned repetitions;
    clup_sweep_times counted; /* with the group "clusters" as well; all 0 but for Swendsen-Wang */
    uint64_t reserved[1];
} clup_sweep_sample;

/* Times sweeps. The context must not be in use.
 *
 *   plan         see clup_simulation_create, but a plan that is given is not replaced by another
 *   thermalize   sweeps that are done before, from an ordered start
 *   repetitions  sweeps that are timed, 1 to 1001 */
CLUP_API clup_status clup_sweep_time(clup_context *context, const clup_problem *problem,
                                     const clup_method *method, const clup_plan *plan,
                                     uint64_t thermalize, unsigned repetitions,
                                     clup_sweep_sample *sample);

/* ---- tuning ---------------------------------------------------------------------------------- */

/* The user's tune database is a JSON file, $XDG_DATA_HOME/clup/tune.json, else
 * ~/.local/share/clup/tune.json. It has one row for each device and driver, with a hash of the text
 * of each kernel that was measured. A row is not used when something in it cannot be read, or when
 * all its kernels have changed since.
 * Otherwise all its times are used, also those of kernels that have changed. The warning of a plan
 * says when a row is not used, and when some kernels have changed. The file may have 16 MiB and
 * 10000 rows: a larger one is neither used nor written. */

/* The times of all kernels on a device. */
typedef struct clup_tuning clup_tuning;

/* Is called before each measurement: done of total are complete. A return other than 0 ends the
 * tuning with CLUP_INTERRUPTED. */
typedef int clup_tune_progress(size_t done, size_t total, void *user);

/* Measures the kernels on the device of the context, at the critical point of q = 2: labelling for
 * several tiles, consolidation for several tiles and sizes.
 *
 *   quick           non-zero takes fewer and smaller sizes
 *   progress, user  NULL for none
 *   out             the tuning; release it by clup_tuning_free
 *
 * Times that an unfinished tuning in the database has measured, with these kernels and the same
 * quick, are taken from there. After CLUP_INTERRUPTED *out is a tuning all the same, with what was
 * measured until then.
 *
 *     clup_tuning_create(context, 0, NULL, NULL, &tuning);
 *     clup_tuning_save(tuning); */
CLUP_API clup_status clup_tuning_create(clup_context *context, int quick,
                                        clup_tune_progress *progress, void *user,
                                        clup_tuning **out);
CLUP_API void clup_tuning_free(clup_tuning *tuning);

/* Puts a tuning into the database, in place of an earlier one of the same device and driver. An
 * unfinished one is put beside that, and the next tuning goes on from it; plans do not use it. */
CLUP_API clup_status clup_tuning_save(const clup_tuning *tuning);

/* Returns the path of the database; NULL where no folder is known. Valid until the next call in the
 * thread. */
CLUP_API const char *clup_tune_database(void);

/* What became of the rows of a database. */
typedef struct clup_tune_rows {
    unsigned taken;      /* written, or merged */
    unsigned older;      /* not merged, since they are older than those that are there */
    unsigned stale;      /* not merged, since all their kernels have changed since */
    unsigned unreadable; /* not merged, such as one with a time that is not above 0 */
    char warning[512];   /* names the first unreadable row, and says why; "" for none */
    uint64_t reserved[4];
} clup_tune_rows;

/* Writes all rows of the database as they are to a file; "-" is standard output. rows may be NULL.
 * Returns CLUP_ERROR_USAGE when the database has no rows. */
CLUP_API clup_status clup_tune_export(const char *path, clup_tune_rows *rows);

/* Merges the rows of a file into the database. A row replaces one of the same device and driver
 * that is older, stale or unreadable. Rows that cannot be read are not taken; those of the database
 * stay. rows may be NULL. */
CLUP_API clup_status clup_tune_import(const char *path, clup_tune_rows *rows);

#ifdef __cplusplus
}
#endif

#endif
