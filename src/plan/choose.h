/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plan is chosen from: the candidates of each stage, and combinations of them. */
#ifndef CLUP_PLAN_CHOOSE_H
#define CLUP_PLAN_CHOOSE_H
#include "plan/database.h"
#include "plan/estimate.h"
#include "program.h"

#define CLUP_TILES_USUAL 6
#define CLUP_TILE_MAX 4096u
#define CLUP_TILE_UNKNOWN 16u /* where the device is not known */
/* Costs that are not known are worse than any that is, yet leave the others their digits. */
#define CLUP_UNKNOWN_PS 1e12

/* What is asked, what is known, and what came of it. */
struct clup_report {
    clup_context *context; /* may be NULL: then only what holds on any device is asked */
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
    size_t looked_at; /* candidates, for measuring */
    int interrupted;  /* before all were */
};

/* One layout and tile, and the candidate of each stage, NULL for a stage that is not there. */
typedef struct clup_combination {
    const char *bonds;
    unsigned tile;
    clup_candidate *stages[CLUP_MEASURE];
    double cost;
} clup_combination;

/* What a candidate is judged by; NAN where it is not known. */
typedef double clup_candidate_value(const clup_candidate *candidate);
double clup_predicted(const clup_candidate *candidate);
double clup_measured(const clup_candidate *candidate);

/* Sets report->setting to a layout, and to the lattice of its sites. */
void clup_report_enter(clup_report *report, const clup_layout *layout);
/* As clup_variant_check_steps, for report->setting; a tile that is asked for, not 0, must be the
 * one that the variant then has. */
clup_status clup_report_check_variant(const clup_report *report, const clup_variant *variant,
                                      unsigned asked, unsigned *passed);
/* Whether a stage is asked for that is not there in a layout. */
int clup_asks_too_much(const clup_report *report, const clup_layout *layout, clup_stage stage);
/* Whether a variant is for smaller devices than the report's, and no candidate. */
bool clup_is_for_smaller(const clup_report *report, const clup_variant *variant);
/* All candidates of a report that has its layouts and tiles. */
clup_status clup_candidates_add(clup_report *report);
/* Rules a candidate out; the first line of the error's detail is why, as logs of compilers are
 * long. */
void clup_candidate_refuse(clup_candidate *candidate);
/* The steps by which a report is made. Begins one, up to its candidates, with *out for the caller
 * to free whatever the status is; the arguments are those of clup_report_create. */
clup_status clup_report_begin(clup_context *context, const clup_problem *problem,
                              const clup_method *method, const clup_plan_request *request,
                              clup_report **out);
/* Measures the candidates; CLUP_OK as well where that was interrupted, which report->interrupted
 * says. */
clup_status clup_report_measure(clup_report *report);
/* Chooses the plan, and says why. The problem is that of clup_report_begin. */
clup_status clup_report_finish(clup_report *report, const clup_problem *problem);
/* As clup_plan_choose, of a request whose strategy is not CLUP_PLAN_MEASURE. */
clup_status clup_plan_make(clup_context *context, const clup_problem *problem,
                           const clup_method *method, const clup_plan_request *request,
                           clup_plan *plan);
/* While a report is made and asked, its context has not joined other processes: they are what was
 * taken, to be given back. */
const clup_ranks *clup_report_alone(const clup_report *report);
void clup_report_together(const clup_report *report, const clup_ranks *ranks);
/* Sets the cost of a combination from its rows; 0 when a stage has none, or one is asked for that
 * is not there. */
int clup_combination_cost(const clup_report *report, clup_candidate_value *value,
                          clup_combination *combination);
/* What the buffers of a combination take, whose stages need not all be there. */
clup_status clup_combination_need(const clup_report *report, const clup_combination *combination,
                                  clup_need *need);
/* Whether that fits the device; true without one. */
bool clup_combination_fits(const clup_report *report, const clup_combination *combination);
/* The value that the strategy goes by. */
clup_candidate_value *clup_value_of(const clup_report *report);
/* The tile of a combination's plan. */
void clup_combination_tile(const clup_report *report, const clup_combination *combination,
                           unsigned tile[3]);
/* The cheapest rows for a layout and tile, with the one of fixed->stage fixed where that is not
 * NULL; 0 when a stage has none. */
int clup_combine(const clup_report *report, const char *bonds, unsigned tile, clup_candidate *fixed,
                 clup_candidate_value *value, clup_combination *found);
/* The cheapest combination of all layouts and tiles whose buffers fit the device; when none does,
 * the cheapest of all. */
int clup_choose(const clup_report *report, clup_candidate_value *value, clup_combination *best);
/* Any combination: each possible layout and tile is equally likely, and then each variant. */
int clup_draw(const clup_report *report, clup_combination *drawn);
/* Why there is no plan: rows that gave wrong results, where there is none but with them; the
 * candidate that was refused last, where that is not NULL; a tile that does not fit, and which
 * would; or what is in the way of the layout that comes closest. */
clup_status clup_explain_none(clup_report *report, const clup_candidate *refused);

#endif
