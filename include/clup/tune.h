/* Times of sweeps, and tuning. */
#ifndef CLUP_TUNE_H
#define CLUP_TUNE_H

#include "clup/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clup_sweep_times {
    double device_s, spread; /* median over single sweeps by device events, NAN without them, and
                                half the distance of the quartiles over it */
    double wall_s; /* mean of sweeps that are enqueued one after the other, as in a simulation */
} clup_sweep_times;

/* Times of whole sweeps of a plan, seconds a sweep of all replicas. */
typedef struct clup_sweep_sample {
    clup_sweep_times plain, measured; /* without measuring, and with what is known from the spins */
    double updates;                   /* sites of all replicas */
    double bytes_per_site;            /* of buffers on the device */
    unsigned repetitions;
    clup_sweep_times counted; /* with the sizes of clusters as well; all 0 but for Swendsen-Wang */
    uint64_t reserved[1];
} clup_sweep_sample;

/* Times so many sweeps, 1 to 1001, after others from an ordered start. The context must not be in
 * use. plan is as for clup_simulation_create, but that no other takes the place of one that is
 * given. */
CLUP_API clup_status clup_sweep_time(clup_context *context, const clup_problem *problem,
                                     const clup_method *method, const clup_plan *plan,
                                     uint64_t thermalize, unsigned repetitions,
                                     clup_sweep_sample *sample);

typedef struct clup_tuning clup_tuning;

/* Called before each measurement; a non-zero return ends the tuning with CLUP_INTERRUPTED. */
typedef int clup_tune_progress(size_t done, size_t total, void *user);

/* Measures the kernels on the context's device, at the critical point of q = 2: labelling against
 * the tile, consolidation against tile and size. quick takes fewer and smaller ones. progress may
 * be NULL. What an unfinished tuning in the database, made with these kernels and the same quick,
 * has measured is taken from there. After CLUP_INTERRUPTED there is a tuning all the same, with
 * what was measured and without fits. */
CLUP_API clup_status clup_tuning_create(clup_context *context, int quick,
                                        clup_tune_progress *progress, void *user,
                                        clup_tuning **out);
CLUP_API void clup_tuning_free(clup_tuning *tuning);

/* The user's tune database, a JSON file: $XDG_DATA_HOME/clup/tune.json, else
 * ~/.local/share/clup/tune.json. One row a device and driver, with a hash of the text of each
 * kernel that was measured. A row is used whole or, when something in it cannot be read or all its
 * kernels have been changed since, not at all, which a plan's warning then says, as it says when
 * some were; the others are. It has at most 16 MiB and 10000 rows: a larger one is not
 * used, nor written. */
/* Its path, or NULL where no folder is known; static until the next call in the thread. */
CLUP_API const char *clup_tune_database(void);

/* Puts a tuning into the database, in place of an earlier one of the same device and driver; one
 * that is not finished is put beside that, for the next tuning to go on from, and plans are not
 * made by it. */
CLUP_API clup_status clup_tuning_save(const clup_tuning *tuning);
/* What became of the rows of a database. */
typedef struct clup_tune_rows {
    unsigned taken;      /* written, or merged */
    unsigned older;      /* than the ones there */
    unsigned stale;      /* refused since all their kernels have been changed since */
    unsigned unreadable; /* such as one with a time that is not above 0 */
    char warning[512];   /* which the first unreadable one is, and why; "" for none */
    uint64_t reserved[4];
} clup_tune_rows;

/* Writes the database to path, all rows as they are, "-" is standard output; CLUP_ERROR_USAGE when
 * it has none. rows may be NULL, here and below. */
CLUP_API clup_status clup_tune_export(const char *path, clup_tune_rows *rows);
/* Merges the rows of path into the database; a row takes the place of one of the same device and
 * driver that is older, stale or unreadable. Rows that cannot be read are not taken, and those that
 * are there stay. */
CLUP_API clup_status clup_tune_import(const char *path, clup_tune_rows *rows);

#ifdef __cplusplus
}
#endif

#endif
