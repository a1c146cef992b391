/* SPDX-License-Identifier: BSD-3-Clause */
/* Choosing a plan: the candidates of each stage, and combinations of candidates. */
#ifndef CLUP_PLAN_CHOOSE_H
#define CLUP_PLAN_CHOOSE_H
#include "plan/database.h"
#include "plan/estimate.h"
#include "program.h"

#define CLUP_TILES_USUAL 6
#define CLUP_TILE_MAX 4096u
#define CLUP_TILE_UNKNOWN 16u /* for a device that is not known */
/* Cost of a candidate whose cost is not known: more than any known cost, but small enough for the
 * known costs in a sum to keep their digits. */
#define CLUP_UNKNOWN_PS 1e12

/* A request for a plan, what is known about the device, and the result. */
struct clup_report {
    clup_context *context; /* may be NULL: then only conditions for any device are checked */
    clup_problem problem;
    clup_method method;
    clup_plan_request request;
    clup_setting setting;
    const clup_layout *layouts[8];
    size_t layout_count;
    unsigned tiles[CLUP_TILES_USUAL];
    size_t tile_count;
    clup_knowledge knowledge;
    clup_machine machine;
    clup_candidate *candidates;
    size_t count;
    clup_plan plan;
    clup_tile_rule rule;
    double plan_measured, best_measured;
    size_t looked_at; /* candidates measured so far */
    int interrupted;  /* measuring was interrupted before all candidates were measured */
};

/* A layout, a tile, and a candidate for each stage; NULL for a stage that does not exist. */
typedef struct clup_combination {
    const char *bonds;
    unsigned tile;
    clup_candidate *stages[CLUP_MEASURE];
    double cost;
} clup_combination;

/* The value that a candidate is judged by; NAN where it is not known. */
typedef double clup_candidate_value(const clup_candidate *candidate);
double clup_predicted(const clup_candidate *candidate);
double clup_measured(const clup_candidate *candidate);

/* Sets report->setting to a layout and to the lattice of the layout's sites. */
void clup_report_enter(clup_report *report, const clup_layout *layout);
/* As clup_variant_check_steps, for report->setting. If asked is not 0, the variant must also have a
 * tile of that edge. */
clup_status clup_report_check_variant(const clup_report *report, const clup_variant *variant,
                                      unsigned asked, unsigned *passed);
/* Whether the request names a variant for a stage that does not exist in the layout. */
int clup_asks_too_much(const clup_report *report, const clup_layout *layout, clup_stage stage);
/* Whether a variant is for devices with smaller work-groups than the report's device, and so no
 * candidate. */
bool clup_is_for_smaller(const clup_report *report, const clup_variant *variant);
/* Adds all candidates of a report that has its layouts and tiles. */
clup_status clup_candidates_add(clup_report *report);
/* Rules a candidate out. The reason is the first line of the error's detail, as logs of compilers
 * are long. */
void clup_candidate_refuse(clup_candidate *candidate);
/* The steps of clup_report_create, with its arguments. clup_report_begin lists the candidates. The
 * caller must free *out whatever the status is. */
clup_status clup_report_begin(clup_context *context, const clup_problem *problem,
                              const clup_method *method, const clup_plan_request *request,
                              clup_report **out);
/* Measures the candidates. An interruption is CLUP_OK, and sets report->interrupted. */
clup_status clup_report_measure(clup_report *report);
/* Chooses the plan, and says why. problem must be the one of clup_report_begin. */
clup_status clup_report_finish(clup_report *report, const clup_problem *problem);
/* As clup_plan_choose, for a request whose strategy is not CLUP_PLAN_MEASURE. */
clup_status clup_plan_make(clup_context *context, const clup_problem *problem,
                           const clup_method *method, const clup_plan_request *request,
                           clup_plan *plan);
/* A report is made and read for the process alone. clup_report_alone takes the other processes from
 * the report's context, and returns them. clup_report_together gives them back. */
const clup_ranks *clup_report_alone(const clup_report *report);
void clup_report_together(const clup_report *report, const clup_ranks *ranks);
/* Returns what launching so many stages adds to a predicted cost, in picoseconds a site. */
double clup_launch_cost(const clup_report *report, clup_candidate_value *value, unsigned stages);
/* Sets the cost of a combination from its candidates. Returns 0 when a stage has no candidate, or
 * when the request names a variant for a stage that does not exist. */
int clup_combination_cost(const clup_report *report, clup_candidate_value *value,
                          clup_combination *combination);
/* Adds to need the bytes of the buffers of a combination, some of whose stages may have no
 * candidate yet. */
clup_status clup_combination_need(const clup_report *report, const clup_combination *combination,
                                  clup_need *need);
/* Whether these bytes fit the device; true without a device. */
bool clup_combination_fits(const clup_report *report, const clup_combination *combination);
/* Returns the value by which the request's strategy judges candidates. */
clup_candidate_value *clup_value_of(const clup_report *report);
/* Sets tile to the tile of the plan that the combination stands for. */
void clup_combination_tile(const clup_report *report, const clup_combination *combination,
                           unsigned tile[3]);
/* Finds the cheapest candidates for a layout and tile. If fixed is not NULL, fixed is the candidate
 * of its stage. Returns 0 when a stage has no candidate. */
int clup_combine(const clup_report *report, const char *bonds, unsigned tile, clup_candidate *fixed,
                 clup_candidate_value *value, clup_combination *found);
/* Finds the cheapest combination of all layouts and tiles whose buffers fit the device, or, when no
 * combination fits, the cheapest of all. */
int clup_choose(const clup_report *report, clup_candidate_value *value, clup_combination *best);
/* Draws a combination at random: each possible layout and tile is equally likely, and then each
 * variant. */
int clup_draw(const clup_report *report, clup_combination *drawn);
/* Fails with the reason why there is no plan. The reason is one of: all plans need variants that
 * gave wrong results; the candidate refused last, if refused is not NULL; a tile that does not fit,
 * with the tile that would; or what prevents the layout that comes closest. */
clup_status clup_explain_none(clup_report *report, const clup_candidate *refused);

#endif
