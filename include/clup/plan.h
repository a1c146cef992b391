/* Which kernels are used. */
#ifndef CLUP_PLAN_H
#define CLUP_PLAN_H

#include "clup/device.h"
#include "clup/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum clup_stage {
    CLUP_SOURCE,
    CLUP_LOCAL,
    CLUP_CONSOLIDATE,
    CLUP_ACTION,
    CLUP_MEASURE,
    CLUP_STAGES
} clup_stage;

/* The name of a stage, and of the rows of its table; NULL past the end. */
CLUP_API const char *clup_stage_name(clup_stage stage);
CLUP_API const char *clup_kernel_name(clup_stage stage, size_t row);

/* The name of a layout, which says how spins, bonds and labels are kept; NULL past the end. */
CLUP_API const char *clup_layout_name(size_t layout);

/* How the planner decides what the caller leaves open. */
typedef enum clup_strategy {
    CLUP_PLAN_TUNED,    /* by times measured before: the user's tune database, else the shipped one,
                           else estimated */
    CLUP_PLAN_ESTIMATE, /* by the cost formulas, from the device's compute units alone */
    CLUP_PLAN_MEASURE,  /* by measuring now, on the problem at hand */
    CLUP_PLAN_RANDOM,   /* any plan that is possible, drawn with seed */
    CLUP_STRATEGIES
} clup_strategy;

/* What the caller forces; NULL and 0 leave the choice to the planner. */
typedef struct clup_plan_request {
    const char *source, *local, *consolidate, *action; /* names of rows */
    const char *bonds;                                 /* layout, see clup_layout_name */
    unsigned tile; /* sites along a tile's edge; "runs" takes its tiles 32 wide, and so many sites
                      along the other axes */
    clup_strategy strategy;
    uint64_t seed;       /* of CLUP_PLAN_RANDOM */
    const char *between; /* what processes with parts of a lattice do together, see
                            clup_plan_between */
    uint64_t reserved[7];
} clup_plan_request;

#define CLUP_CHOSE_ROW(stage) (1u << (stage))
#define CLUP_CHOSE_BONDS (1u << CLUP_STAGES)
#define CLUP_CHOSE_TILE (2u << CLUP_STAGES)

/* One row of each table, for one device, problem and method. Names are static, and NULL for a stage
 * that the method does not have. */
typedef struct clup_plan {
    const char *source, *bonds, *local, *consolidate, *action;
    unsigned tile[3];    /* sites along x, y and z; z is 1 in the plane */
    double predicted_ps; /* of an update, a site and sweep; NAN where not known */
    unsigned chosen;     /* CLUP_CHOSE_..: what the planner chose, of which clup_simulation_create,
                            clup_percolation_create and clup_labelling_create may take another; 0
                            for nothing */
    char why[256];
    char warning[512]; /* what the user should know, such as a tune database that cannot be read; ""
                          for nothing */
    const char *between; /* what processes with parts of a lattice do together; NULL where there are
                            none */
    uint64_t reserved[7];
} clup_plan;

/* Chooses a plan; with context NULL it only checks names, and what holds on every device. request
 * NULL is all zeros, here and below. CLUP_ERROR_USAGE for an unknown name (the
 * detail lists the known ones), for kernels that cannot do what is asked, or a tile that does not
 * fit (the detail says what would). A tile that is asked for is the one that the plan has: kernels
 * with tiles of another size are not taken. Kernels that gave wrong results on the device, see
 * below, are taken when they are asked for by name alone; CLUP_ERROR_VERIFY when there
 * is no plan without them. */
CLUP_API clup_status clup_plan_choose(clup_context *context, const clup_problem *problem,
                                      const clup_method *method, const clup_plan_request *request,
                                      clup_plan *plan);

/* One kernel of one stage in one layout and, where its time depends on it, with one tile. */
typedef struct clup_candidate {
    clup_stage stage;
    const char *kernel, *bonds;
    unsigned tile; /* 0 where it does not matter */
    int possible, chosen;
    int distrusted; /* it is not possible since it gave wrong results, see below */
    int stale;      /* it is predicted by times that were measured before its text was changed */
    double predicted_ps, measured_ps; /* a site and sweep; NAN where not known or not measured */
    char reason[192];                 /* why it was taken, or not, or is not possible */
} clup_candidate;

typedef struct clup_report clup_report;

/* A plan with all that was considered for it. With measure non-zero every candidate that is not
 * predicted to be far from the best is measured on the problem at hand (the plan remains the
 * strategy's). context NULL is as above. Strings live as long as the report. When measuring is
 * ended by CLUP_INTERRUPTED there is a report all the same, with what was measured; its plan is
 * then chosen by what is predicted. */
CLUP_API clup_status clup_report_create(clup_context *context, const clup_problem *problem,
                                        const clup_method *method, const clup_plan_request *request,
                                        int measure, clup_report **out);
CLUP_API void clup_report_free(clup_report *report);
CLUP_API const clup_plan *clup_report_plan(const clup_report *report);
CLUP_API size_t clup_report_count(const clup_report *report);
CLUP_API const clup_candidate *clup_report_candidate(const clup_report *report, size_t candidate);

/* A plan that was not taken. */
typedef struct clup_alternative {
    clup_plan plan;     /* why and warning are "" */
    double measured_ps; /* an update, a site and sweep; NAN unless all its kernels were measured */
    double ratio; /* its time over that of the report's plan, by what the strategy goes by; NAN
                     where one is not known */
    uint64_t reserved[4];
} clup_alternative;

/* The best plans after the report's, up to most and CLUP_ALTERNATIVES_MAX of them, the fastest
 * first, to best[]; returns how many; 0 for NULL. */
#define CLUP_ALTERNATIVES_MAX 100
CLUP_API size_t clup_report_alternatives(const clup_report *report, clup_alternative *best,
                                         size_t most);
/* The measured time of the plan and of the fastest combination of candidates, a site and sweep; NAN
 * unless measured. Either may be NULL. */
CLUP_API void clup_report_measured(const clup_report *report, double *plan_ps, double *best_ps);

/* What known-answer tests and self-tests have found is remembered: by the context, and in a file of
 * the user's, by the names of the device and its driver and a hash of this version's kernels, so
 * that a new driver and a new version begin anew. Plans leave these kernels out. The file,
 * $XDG_DATA_HOME/clup/distrust.json, else ~/.local/share/clup/distrust.json, is read once for each
 * context. It has at most 16 MiB and 10000 rows. */

#ifdef __cplusplus
}
#endif

#endif
