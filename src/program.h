/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs clup and clup-mpi take from the library besides its public headers.
 *
 * This header is not installed and no ABI: a function here may change or go with any version. The
 * functions are exported all the same, as the programs link libclup.so. The rules of clup.h hold
 * here too: statuses, NULL, ownership, threads. */
#ifndef CLUP_PROGRAM_H
#define CLUP_PROGRAM_H

#include "clup.h"

/* Marks a function that the library exports for its own programs alone. */
#define CLUP_PROGRAM_API CLUP_API

/* ---- text and files -------------------------------------------------------------------------- */

/* Writes a number as the shortest text of printf's %g that reads back as the same number, such as
 * "0.1", "1.0000001", "inf" and "nan". Returns text, which may be NULL. */
CLUP_PROGRAM_API const char *clup_number_text(double number, char text[32]);

/* Checks whether a file can be written at path, as base.h says of files. Opens, makes and changes
 * nothing. Returns CLUP_ERROR_RUNTIME where it cannot. */
CLUP_PROGRAM_API clup_status clup_file_writable(const char *path);

/* Writes data[size] as a file, all or nothing, as base.h says of files. Returns CLUP_ERROR_RUNTIME
 * when it cannot be written. */
CLUP_PROGRAM_API clup_status clup_file_save(const char *path, const void *data, size_t size);

/* Sets size and axes of raw from text such as "640x480" or "640x480x100", x first. Returns
 * CLUP_ERROR_USAGE for any other text, and for a size of 0. */
CLUP_PROGRAM_API clup_status clup_raw_parse_shape(const char *text, clup_raw *raw);

/* Sets dtype and big_endian of raw from the name of a type (clup_dtype_name) with "be", or "le" or
 * nothing, after it, such as "u8", "u16" and "f32be". Returns CLUP_ERROR_USAGE for any other
 * text. */
CLUP_PROGRAM_API clup_status clup_raw_parse_dtype(const char *text, clup_raw *raw);

/* Returns the number of bytes of the first UTF-8 character of text, which must not be "", and sets
 * *character. Returns 0, and sets *character to the byte, when text begins with no UTF-8
 * character. */
CLUP_PROGRAM_API size_t clup_utf8(const char *text, uint32_t *character);

/* Reads TOML 1.0 (toml.io), but for dates and times, as JSON values.
 *
 *   text   [size + 1], with a zero at the end; it is changed
 *   marks  becomes the lines and kinds of all keys, see base/toml.h, to be freed by json_decref
 *   error  [room]; becomes "line N: " and what is wrong
 *
 * Returns the table, to be freed by json_decref; NULL where it is none. */
CLUP_PROGRAM_API struct json_t *clup_toml_read(char *text, size_t size, struct json_t **marks,
                                               char *error, size_t room);

/* ---- threads --------------------------------------------------------------------------------- */

/* Calls work in a thread, which takes no signals that end a program. clup_aside_end, with what
 * clup_aside_begin has returned, waits for it and returns its status, with its detail; *aside
 * becomes NULL. NULL where the thread could not be started. */
typedef struct clup_aside clup_aside;
CLUP_PROGRAM_API clup_aside *clup_aside_begin(clup_status (*work)(void *user), void *user);
CLUP_PROGRAM_API clup_status clup_aside_end(clup_aside **aside);

/* ---- images ---------------------------------------------------------------------------------- */

/* Returns the bytes of a number; 0 for CLUP_DTYPE_NONE and past the end. */
CLUP_PROGRAM_API size_t clup_dtype_bytes(clup_dtype dtype);
/* Returns the axes of images whose pixels have so many neighbours: 2 for 4 and 8, else 3. */
CLUP_PROGRAM_API unsigned clup_connectivity_axes(unsigned connectivity);
/* Adds the seconds of one labelling to those of others. */
CLUP_PROGRAM_API void clup_label_timing_add(clup_label_timing *sum,
                                            const clup_label_timing *timing);

/* ---- lattices -------------------------------------------------------------------------------- */

/* Sets cell[3] to the sites of a cell of a lattice along each axis, of which sizes of problems are
 * multiples. Options and results count cells. Most lattices have a cell of one site. */
CLUP_PROGRAM_API void clup_lattice_cell(clup_lattice_kind lattice, unsigned cell[3]);
/* Whether any bond of a lattice leads along an axis: in a chain none leads along y. */
CLUP_PROGRAM_API int clup_lattice_leads_along(clup_lattice_kind lattice, unsigned axis);

/* ---- runs ------------------------------------------------------------------------------------ */

/* clup_simulation_run_until, where sweep runs the sweeps between two looks at the errors, so that
 * the caller can do something in between. It has to run that many sweeps, measured, or to fail. */
typedef clup_status clup_sweeper(clup_simulation *simulation, uint64_t sweeps, void *user);
CLUP_PROGRAM_API clup_status clup_simulation_sweep_until(clup_simulation *simulation,
                                                         const clup_target *targets, size_t count,
                                                         int settle, uint64_t sweeps,
                                                         clup_sweeper *sweep, void *user,
                                                         int *reached);

/* ---- averages -------------------------------------------------------------------------------- */

/* Returns an observable with one value as a function of means: values[] has, by number, those of
 * all observables with one value in averages over samples of disorder, NAN where they are not
 * known. A mean and a variance is the own value; a function of means, such as binder, follows from
 * those of the means that it is of, and is NAN where they are not known. */
CLUP_PROGRAM_API double clup_observable_of_means(const clup_problem *problem, double beta,
                                                 clup_observable observable, const double *values);

/* ---- words for help and completion ----------------------------------------------------------- */

/* Each returns one line about the thing of that number; NULL past the end. The strings are
 * static. */
CLUP_PROGRAM_API const char *clup_rng_about(size_t row);
CLUP_PROGRAM_API const char *clup_kernel_about(clup_stage stage, size_t row);
CLUP_PROGRAM_API const char *clup_observable_about(clup_observable observable);
CLUP_PROGRAM_API const char *
clup_percolation_observable_about(clup_percolation_observable observable);

/* Returns "tuned", "estimate", "measure" or "random"; NULL past the end. */
CLUP_PROGRAM_API const char *clup_strategy_name(clup_strategy strategy);

/* ---- fields of a problem --------------------------------------------------------------------- */

/* How the values of a field are written. */
typedef enum clup_field_kind {
    CLUP_FIELD_IS_NAME,    /* one of some names */
    CLUP_FIELD_IS_SIZE,    /* a number for each axis, such as "64x32" */
    CLUP_FIELD_IS_AXES,    /* names of axes, such as "xy", or "" */
    CLUP_FIELD_IS_WHOLE,   /* a whole number, in digits */
    CLUP_FIELD_IS_NUMBER,  /* a number, as clup_number_text writes it */
    CLUP_FIELD_IS_NUMBERS, /* such numbers, separated by commas */
    CLUP_FIELD_IS_TEXT     /* any other text */
} clup_field_kind;

/* A field of a problem, from the library's table problem.def. Options, job files, JSON and tables
 * follow from it. */
typedef struct clup_field {
    const char *key;          /* in files and JSON, such as "first_replica" */
    const char *option;       /* of the program, and key of job files, such as "first-replica";
                                 NULL for none */
    const char *argument;     /* stands for its value in the option's help; NULL for none */
    const char *about, *unit; /* what it is, in one line; "" for no unit */
    const char *initial;      /* its text where nothing is said; NULL where that depends on
                                 other fields */
    clup_field_part part;
    clup_field_kind kind;
    unsigned models;    /* bit m is set: clup_model m has the field */
    double least, most; /* of whole numbers and numbers */
} clup_field;

/* Returns field number row, static; NULL past the end. */
CLUP_PROGRAM_API const clup_field *clup_problem_field(size_t row);

/* ---- kernels and plans ----------------------------------------------------------------------- */

/* Returns whether the time of a kernel depends on the tile of the plan. */
CLUP_PROGRAM_API int clup_kernel_has_tiles(clup_stage stage, size_t row);

/* What a kernel is for, and which plans can have it. */
typedef struct clup_kernel_scope {
    unsigned models;          /* bit m is set: it can do the clup_model m */
    clup_algorithm algorithm; /* of an action on the Potts model: the one that it belongs to */
    unsigned lattices;        /* bit k is set: it can do the clup_lattice_kind k */
    const char *bonds;        /* the one layout that it works with; NULL for several */
    unsigned q_max;           /* the largest number of states; 0 for any number */
    int philox;               /* it draws random numbers, and only with the generator philox */
    int replicas;             /* it works on several systems in one launch */
    uint64_t reserved[4];
} clup_kernel_scope;

/* Writes the scope of a kernel. Returns 1; 0 past the end, which leaves *scope as it is, and for
 * NULL. */
CLUP_PROGRAM_API int clup_kernel_scope_of(clup_stage stage, size_t row, clup_kernel_scope *scope);

/* One way in which processes that have parts of a lattice unite the clusters at their common sites,
 * and its cost in a sweep. */
typedef struct clup_union_method_kind {
    const char *name, *about;
    int chosen;
    uint32_t rounds; /* rounds of transfers; for "relax" those of a cluster that goes through all
                        parts: there may be fewer, or more */
    uint64_t round_bytes, bytes; /* bytes that process 0 receives in a round, and in all rounds,
                                    without those for the sizes of clusters where they are
                                    measured */
    double predicted_us;         /* us, from times measured on GPUs: doc/guide/processes.md */
    uint64_t reserved[4];
} clup_union_method_kind;

/* Returns the name of a way, which clup_plan_request.between takes; NULL past the end. */
CLUP_PROGRAM_API const char *clup_union_method_name(size_t row);

/* Predicts the cost of each way for a problem, and chooses one.
 *
 *   processes  how many processes have a part of the lattice
 *   name       the way to choose; NULL chooses the one with the least predicted time
 *   rows       [most], the first ones of them
 *   count      becomes the number of all ways; 0 for one process
 *
 * Returns CLUP_ERROR_USAGE for an unknown name, and for more processes than layers. */
CLUP_PROGRAM_API clup_status clup_plan_between(const clup_problem *problem, uint32_t processes,
                                               const char *name, size_t most,
                                               clup_union_method_kind *rows, size_t *count);

/* What the two formulas of the paper (M. Weigel, Phys. Rev. E 84, 036709 (2011)) say about the
 * tile. Times are in picoseconds. B is the side of a tile, L that of the lattice, m the lanes of a
 * compute unit, n their number. */
typedef struct clup_tile_rule {
    double c_local_ps, dmin;       /* C_local/(m n): self-labelling takes this times B^dmin for each
                                      site */
    double a_ps, b_ps, c_relax_ps; /* sewing takes a/L + b/B for each site, relaxation
                                      C_relax/(m n) L^dmin/B^(dmin+1) */
    double sew, relax;             /* the best B, Eqs. (24) and (26) */
    unsigned sew_limited, relax_limited; /* the nearest tile that is possible on the device with
                                            self-labelling */
    const char *origin;                  /* where the constants come from */
} clup_tile_rule;

/* Returns what the formulas say for a report, which owns it. */
CLUP_PROGRAM_API const clup_tile_rule *clup_report_tile_rule(const clup_report *report);

/* Returns what was wrong with the file distrust.json (plan.h) when the context last read or wrote
 * it; "" for nothing. That is no failure; the warning of a plan says it as well. */
CLUP_PROGRAM_API const char *clup_distrust_warning(const clup_context *context);

/* ---- times of single kernels ----------------------------------------------------------------- */

/* A system near equilibrium, or an image of noise, on which single kernels are timed. */
typedef struct clup_trial clup_trial;

/* The measured time of one kernel. */
typedef struct clup_sample {
    clup_stage stage;
    const char *kernel, *bonds; /* static */
    unsigned tile;              /* 0 where it does not matter */
    unsigned size;              /* the square root of the number of sites of one system, rounded */
    double ps;         /* median, picoseconds a site, by device events; by the wall clock where the
                          events have no times */
    double wall_ps;    /* median, picoseconds a site, by the wall clock */
    double spread;     /* half the distance of the quartiles, divided by ps; NAN for one
                          repetition */
    double iterations; /* of an iterative kernel; NAN for others */
    unsigned repetitions;
    unsigned systems; /* how many systems one launch worked on */
    int stale;        /* the text of the kernel has changed since */
    uint32_t reserved[7];
} clup_sample;

/* Makes a trial.
 *
 *   bonds    the layout
 *   seconds  about how long each kernel is repeated
 *   out      the trial; release it by clup_trial_free. The context must outlive it */
CLUP_PROGRAM_API clup_status clup_trial_create(clup_context *context, const clup_problem *problem,
                                               const clup_method *method, const char *bonds,
                                               double seconds, clup_trial **out);
CLUP_PROGRAM_API void clup_trial_free(clup_trial *trial);

/* Times one kernel. tile is ignored where the kernel has its own. Returns CLUP_ERROR_USAGE when the
 * kernel cannot work on the trial. */
CLUP_PROGRAM_API clup_status clup_trial_time(clup_trial *trial, clup_stage stage,
                                             const char *kernel, unsigned tile,
                                             clup_sample *sample);

/* One sweep of all replicas that was run by itself. */
typedef struct clup_timed_sweep {
    double wall_s;                  /* seconds from an empty queue to an empty queue */
    double stage_s[CLUP_STAGES];    /* seconds by device events, NAN where these have no times; by
                                       the host's clock for the serial reference */
    double iterations[CLUP_STAGES]; /* see clup_timing */
    uint64_t reserved[4];
} clup_timed_sweep;

/* Runs one sweep as clup_simulation_run(simulation, 1, measure, NULL, NULL) does, and times it. The
 * time includes the compiling of kernels where a driver (PoCL) leaves that to their first
 * launch. */
CLUP_PROGRAM_API clup_status clup_simulation_time_sweep(clup_simulation *simulation, int measure,
                                                        clup_timed_sweep *sweep);

/* ---- limits of a device ---------------------------------------------------------------------- */

/* What a device can do at best, with which other times are compared. */
typedef enum clup_limit {
    CLUP_LIMIT_COPY,       /* "copy": bytes read and bytes written, a second, when a kernel copies
                              one buffer to another */
    CLUP_LIMIT_ATOMICS,    /* "atomics": additions of 1 to 32-bit words all over a buffer, each to
                              another word, a second */
    CLUP_LIMIT_ONE_ATOMIC, /* "one_atomic": additions of all work-items to one word, a second */
    CLUP_LIMIT_LAUNCH,     /* "launch": seconds for each of many empty kernels that are enqueued one
                              after the other, by the wall clock */
    CLUP_LIMIT_WAIT, /* "wait": seconds from enqueueing one empty kernel to the end of a wait for
                        it */
    CLUP_LIMITS
} clup_limit;

/* Return the name of a limit, and the unit of its values: "B/s", "1/s" or "s"; NULL past the
 * end. */
CLUP_PROGRAM_API const char *clup_limit_name(clup_limit limit);
CLUP_PROGRAM_API const char *clup_limit_unit(clup_limit limit);

/* Measures a limit count times, to values[count]. Buffers have 256 MiB, or a sixteenth of the
 * device's memory where that is less. Times are those of device events where these have times.
 * Returns CLUP_ERROR_USAGE for a limit that does not exist. */
CLUP_PROGRAM_API clup_status clup_limit_measure(clup_context *context, clup_limit limit,
                                                unsigned count, double *values);

/* ---- what a tuning has measured -------------------------------------------------------------- */

/* A fit of one of the paper's formulas to samples. */
typedef struct clup_fit {
    const char *what, *formula;
    struct {
        const char *name, *unit;
        double value, error; /* error is NAN for a constant that was held fixed, or follows from
                                others */
    } parameters[4];
    unsigned parameter_count;
    double rms; /* root mean square of the relative deviations */
    struct {
        unsigned tile, size;
        double measured, fitted;
    } * points;
    size_t point_count;
} clup_fit;

/* Returns whether all was measured. It was not after CLUP_INTERRUPTED. */
CLUP_PROGRAM_API int clup_tuning_finished(const clup_tuning *tuning);

/* Returns how many samples an unfinished tuning before has left to this one. These come first. */
CLUP_PROGRAM_API size_t clup_tuning_before_count(const clup_tuning *tuning);

/* Return the number of samples and sample number sample, the number of fits and fit number fit,
 * which the tuning owns; 0 and NULL for NULL, and NULL past the end. */
CLUP_PROGRAM_API size_t clup_tuning_sample_count(const clup_tuning *tuning);
CLUP_PROGRAM_API const clup_sample *clup_tuning_sample(const clup_tuning *tuning, size_t sample);
CLUP_PROGRAM_API size_t clup_tuning_fit_count(const clup_tuning *tuning);
CLUP_PROGRAM_API const clup_fit *clup_tuning_fit(const clup_tuning *tuning, size_t fit);

/* Returns CLUP_ERROR_RUNTIME when the tune database (tune.h) could not be written, or a file is
 * there that is none. */
CLUP_PROGRAM_API clup_status clup_tune_database_check(void);

#endif
