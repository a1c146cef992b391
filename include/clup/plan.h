/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans: which kernels are used on a device for a problem. */
#ifndef CLUP_PLAN_H
#define CLUP_PLAN_H

#include "clup/device.h"
#include "clup/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- kernels --------------------------------------------------------------------------------- */

/* The stages of a sweep. Each has a table of kernels, any of which can take the place of
 * another. */
typedef enum clup_stage {
    CLUP_SOURCE,      /* which bonds are active */
    CLUP_LOCAL,       /* clusters inside each tile */
    CLUP_CONSOLIDATE, /* clusters across the tiles */
    CLUP_ACTION,      /* what is done with each cluster */
    CLUP_MEASURE,     /* what is counted of a sweep */
    CLUP_STAGES
} clup_stage;

/* Return the name of a stage, and the name of kernel number row of its table; NULL past the end. */
CLUP_API const char *clup_stage_name(clup_stage stage);
CLUP_API const char *clup_kernel_name(clup_stage stage, size_t row);

/* Returns the name of layout number layout; NULL past the end. A layout says how spins, bonds and
 * labels are stored. */
CLUP_API const char *clup_layout_name(size_t layout);

/* Kernels that gave wrong results. Known-answer tests compare kernels with the serial reference
 * before they are first used, and clup_selftest does so on demand. What they find is remembered by
 * the context and in a file, $XDG_DATA_HOME/clup/distrust.json, else
 * ~/.local/share/clup/distrust.json: plans leave these kernels out. The file names the device and
 * its driver, and a hash of the kernels of this version, so that a new driver or version begins
 * anew. It is read once for each context. It may have 16 MiB and 10000 rows. */

/* ---- plan ------------------------------------------------------------------------------------ */

/* How the planner decides what the caller leaves open. */
typedef enum clup_strategy {
    CLUP_PLAN_TUNED,    /* by times that were measured before: those of the user's tune database,
                           else those shipped with the library, else by CLUP_PLAN_ESTIMATE */
    CLUP_PLAN_ESTIMATE, /* by cost formulas, from the number of the device's compute units alone */
    CLUP_PLAN_MEASURE,  /* by measuring now, on the problem at hand */
    CLUP_PLAN_RANDOM,   /* any plan that is possible, drawn with seed */
    CLUP_STRATEGIES
} clup_strategy;

/* What the caller asks for. NULL and 0 leave the choice to the planner. */
typedef struct clup_plan_request {
    const char *source, *local, *consolidate, *action; /* names of kernels, see clup_kernel_name */
    const char *bonds;                                 /* a layout, see clup_layout_name */
    unsigned tile; /* sites along the edge of a tile; "runs" has tiles of 32 sites along x and so
                      many along the other axes */
    clup_strategy strategy;
    uint64_t seed;       /* of CLUP_PLAN_RANDOM */
    const char *between; /* how processes that have parts of a lattice unite clusters across them,
                            see doc/guide/processes.md */
    uint64_t reserved[7];
} clup_plan_request;

/* Bits of clup_plan.chosen. */
#define CLUP_CHOSE_ROW(stage) (1u << (stage))
#define CLUP_CHOSE_BONDS (1u << CLUP_STAGES)
#define CLUP_CHOSE_TILE (2u << CLUP_STAGES)

/* One kernel for each stage, a layout and a tile, for one device, problem and method. Names are
 * static; that of a stage which the method does not have is NULL. */
typedef struct clup_plan {
    const char *source, *bonds, *local, *consolidate, *action;
    unsigned tile[3];    /* sites along x, y and z; z is 1 in the plane */
    double predicted_ps; /* picoseconds of an update, a site and sweep: the sum of its stages, and
                            on processors what the host takes to launch them; NAN where not known */
    unsigned chosen;     /* bits CLUP_CHOSE_..: what the planner chose. Where that gives wrong
                            results, clup_simulation_create, clup_percolation_create and
                            clup_labelling_create may take another. 0: nothing may be changed */
    char why[256];       /* why this plan was chosen */
    char warning[512];   /* what the user should know, such as a tune database that cannot be read;
                            "" for nothing */
    const char *between; /* as in clup_plan_request; NULL where processes have no parts */
    uint64_t reserved[7];
} clup_plan;

/* Chooses a plan.
 *
 *   context  the device; NULL only checks names, and what holds on every device
 *   problem  what the plan is for
 *   method   NULL is all zeros
 *   request  what the caller asks for; NULL is all zeros. A tile that is asked for is the tile of
 *            the plan: kernels with tiles of another size are not taken. A kernel that gave wrong
 *            results on the device is taken only when it is asked for by name
 *   plan     becomes the plan; the caller owns it
 *
 * Returns CLUP_ERROR_USAGE for an unknown name (the detail lists the known ones), for kernels that
 * cannot do what is asked, and for a tile that does not fit (the detail says what would);
 * CLUP_ERROR_VERIFY when every plan needs a kernel that gave wrong results. */
CLUP_API clup_status clup_plan_choose(clup_context *context, const clup_problem *problem,
                                      const clup_method *method, const clup_plan_request *request,
                                      clup_plan *plan);

/* ---- the reasons for a plan ------------------------------------------------------------------ */

/* One kernel of one stage in one layout and, where its time depends on it, with one tile. */
typedef struct clup_candidate {
    clup_stage stage;
    const char *kernel, *bonds;
    unsigned tile; /* 0 where it does not matter */
    int possible, chosen;
    int distrusted; /* not possible, since it gave wrong results */
    int stale;      /* predicted by times that were measured before the kernel's text was changed */
    double predicted_ps, measured_ps; /* picoseconds a site and sweep; NAN where not known or not
                                         measured */
    char reason[192];                 /* why it was taken, was not taken or is not possible */
} clup_candidate;

/* A plan, with everything that was considered for it. */
typedef struct clup_report clup_report;

/* Chooses a plan as clup_plan_choose does, and reports all candidates.
 *
 *   measure  non-zero measures, on the problem at hand, every candidate that is not predicted to be
 *            far from the best. The plan remains that of the strategy
 *   out      the report; release it by clup_report_free. Its strings live as long
 *
 * Returns what clup_plan_choose returns. When measuring ends with CLUP_INTERRUPTED, *out is a
 * report all the same, with what was measured until then; its plan is chosen by predicted times. */
CLUP_API clup_status clup_report_create(clup_context *context, const clup_problem *problem,
                                        const clup_method *method, const clup_plan_request *request,
                                        int measure, clup_report **out);
CLUP_API void clup_report_free(clup_report *report);

/* Return the plan, the number of candidates, and candidate number candidate, NULL past the end. The
 * report owns them. */
CLUP_API const clup_plan *clup_report_plan(const clup_report *report);
CLUP_API size_t clup_report_count(const clup_report *report);
CLUP_API const clup_candidate *clup_report_candidate(const clup_report *report, size_t candidate);

/* A plan that was not taken. */
typedef struct clup_alternative {
    clup_plan plan;     /* its why and warning are "" */
    double measured_ps; /* picoseconds of an update, a site and sweep; NAN unless all its kernels
                           were measured */
    double ratio;       /* its time divided by that of the report's plan, by the times that the
                           strategy uses; NAN where one is not known */
    uint64_t reserved[4];
} clup_alternative;

/* Writes the best plans after the report's, the fastest first, to best[most]: at most most of them,
 * and at most CLUP_ALTERNATIVES_MAX. Returns how many; 0 for NULL. */
#define CLUP_ALTERNATIVES_MAX 100
CLUP_API size_t clup_report_alternatives(const clup_report *report, clup_alternative *best,
                                         size_t most);

/* Writes the measured time of the plan, and that of the fastest combination of candidates, in
 * picoseconds a site and sweep; NAN where they were not measured. Either pointer may be NULL. */
CLUP_API void clup_report_measured(const clup_report *report, double *plan_ps, double *best_ps);

#ifdef __cplusplus
}
#endif

#endif
