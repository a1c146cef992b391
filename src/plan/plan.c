/* Makes a plan: one layout and tile for the whole, and for each stage the row that costs least with
 * them; and says why. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/watch.h"
#include "family/family.h"
#include "core/method.h"
#include "core/model.h"
#include "plan/choose.h"
#include "plan/fit.h"
#include "plan/tables.h"
#include "program.h"

/* Tiles that are considered: the paper's, and 2 for devices with little. */
static const unsigned tiles_usual[CLUP_TILES_USUAL] = {2, 4, 8, 16, 32, 64};

/* A candidate is not measured when it is predicted to take so many times what the best of its stage
 * takes; a smaller factor holds where one time is long. */
#define HOPELESS 20.0
#define HOPELESS_LONG 2.0
#define LONG_S 1.0
/* Seconds for measuring one candidate. */
#define MEASURE_S 0.3

const char *clup_strategy_name(clup_strategy strategy)
{
    static const char *const names[CLUP_STRATEGIES] = {
        [CLUP_PLAN_TUNED] = "tuned",
        [CLUP_PLAN_ESTIMATE] = "estimate",
        [CLUP_PLAN_MEASURE] = "measure",
        [CLUP_PLAN_RANDOM] = "random",
    };
    return (unsigned)strategy < CLUP_STRATEGIES ? names[strategy] : NULL;
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* Whether a stage does the same work in two layouts. */
static int same_stages(const clup_report *report, const char *bonds, const char *others)
{
    const clup_model model = report->problem.model;
    const clup_algorithm algorithm = report->method.algorithm;
    bool same = true;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_ACTION; stage++)
        same = same && clup_stage_exists(model, algorithm, clup_layout_named(bonds), stage) ==
                           clup_stage_exists(model, algorithm, clup_layout_named(others), stage);
    return same;
}

/* Why a candidate is not worth measuring, to its reason; 0 when it is. */
static int hopeless(const clup_report *report, clup_candidate *candidate)
{
    double best = INFINITY, sites = (double)clup_lattice_sites(&report->setting.lattice);
    for (size_t k = 0; k < report->count; k++)
        if (report->candidates[k].stage == candidate->stage && report->candidates[k].possible &&
            same_stages(report, report->candidates[k].bonds, candidate->bonds))
            best = fmin(best, isnan(report->candidates[k].measured_ps)
                                  ? report->candidates[k].predicted_ps
                                  : report->candidates[k].measured_ps);
    double ratio = candidate->predicted_ps / best;
    if (!(ratio > (1e-12 * candidate->predicted_ps * sites > LONG_S ? HOPELESS_LONG : HOPELESS)))
        return 0;
    snprintf(candidate->reason, sizeof candidate->reason,
             "not measured: predicted %.3g times the best of its stage", ratio);
    return 1;
}

/* The first line of why, as logs of compilers are long. */
static void refuse(clup_candidate *candidate)
{
    const char *why = clup_error_detail();
    candidate->possible = 0;
    snprintf(candidate->reason, sizeof candidate->reason, "%.*s", (int)strcspn(why, "\n"), why);
}

/* A failure that rules a candidate out rather than ending everything. */
static int rules_out(clup_status status)
{
    return status == CLUP_ERROR_MEMORY || status == CLUP_ERROR_USAGE || status == CLUP_ERROR_BUILD;
}

static clup_status measure_layout(clup_report *report, const char *bonds)
{
    clup_trial *trial;
    clup_sample sample;
    clup_status status = clup_trial_create(report->context, &report->problem, &report->method,
                                           bonds, MEASURE_S, &trial);
    for (size_t k = 0; k < report->count && status != CLUP_OK && rules_out(status); k++)
        if (strcmp(report->candidates[k].bonds, bonds) == 0 && report->candidates[k].possible)
            refuse(&report->candidates[k]);
    if (status != CLUP_OK)
        return rules_out(status) ? CLUP_OK : status;
    for (size_t k = 0; k < report->count; k++) {
        clup_candidate *candidate = &report->candidates[k];
        if (strcmp(candidate->bonds, bonds) != 0)
            continue;
        clup_task_done(report->looked_at);
        if (candidate->possible && !hopeless(report, candidate)) {
            status = clup_trial_time(trial, candidate->stage, candidate->kernel, candidate->tile,
                                     &sample);
            if (status == CLUP_OK)
                candidate->measured_ps = sample.ps;
            else if (rules_out(status))
                refuse(candidate);
            else
                goto done;
        }
        report->looked_at++;
    }
    status = CLUP_OK;
done:
    clup_trial_free(trial);
    return status;
}

static clup_status measure_all(clup_report *report)
{
    const clup_task outer = clup_task_begin("measure plans", "candidates", report->count);
    clup_status status = CLUP_OK;
    for (size_t b = 0; b < report->layout_count && status == CLUP_OK; b++)
        status = measure_layout(report, report->layouts[b]->name);
    report->interrupted = status == CLUP_INTERRUPTED;
    clup_task_end(outer);
    return status;
}

/* ---- the report ------------------------------------------------------------------------------ */

/* Builds the kernels of a combination, as compiled they may need more than their rows say; rules
 * out the first that does not fit, or that nobody asked for and cannot be built on this device, and
 * says which, and whether it was built. */
static clup_status probe(clup_report *report, const clup_combination *chosen,
                         clup_candidate **refused, bool *built)
{
    clup_problem small = report->problem;
    unsigned tile[3];
    clup_state state;
    clup_combination_tile(report, chosen, tile);
    small.size[0] = small.size[0] < 300 ? small.size[0] : 300; /* wide enough for the widest tile of
                                                                  activation */
    small.size[1] = small.size[1] < 20 ? small.size[1] : 20;
    small.size[2] = small.size[2] < 20 ? small.size[2] : 20;
    *refused = NULL;
    clup_status status = clup_state_create(report->context, &small, &report->method,
                                           clup_layout_named(chosen->bonds), 0, 1, &state);
    if (status != CLUP_OK)
        return status;
    for (clup_stage stage = CLUP_SOURCE;
         stage < CLUP_MEASURE && status == CLUP_OK && *refused == NULL; stage++) {
        clup_pass pass = {0};
        if (chosen->stages[stage] == NULL)
            continue;
        status = clup_pass_create(
            clup_table_find(clup_table_of(stage), chosen->stages[stage]->kernel), &state, tile,
            &pass);
        if (status == CLUP_OK)
            clup_pass_clear(&pass);
        else if (status == CLUP_ERROR_USAGE ||
                 (status == CLUP_ERROR_BUILD &&
                  *clup_request_row(&report->request, stage) == NULL)) {
            *refused = chosen->stages[stage];
            *built = status != CLUP_ERROR_BUILD;
            refuse(*refused);
            status = CLUP_OK;
        }
    }
    clup_state_clear(&state);
    return status;
}

/* Chooses until the kernels of the choice are there. */
static clup_status settle(clup_report *report, clup_candidate_value *value,
                          clup_combination *chosen)
{
    clup_candidate *refused = NULL, *last = NULL;
    clup_status status = CLUP_OK;
    bool built = true;
    do {
        if (report->request.strategy == CLUP_PLAN_RANDOM ? !clup_draw(report, chosen)
                                                         : !clup_choose(report, value, chosen))
            return built ? clup_explain_none(report, last)
                         : clup_fail(CLUP_ERROR_BUILD, "%s", last->reason);
        refused = NULL;
        /* what does not fit is left to those who need the memory, and say for what */
        if (report->context != NULL && report->method.algorithm != CLUP_FEW_CLUSTER &&
            !report->interrupted && clup_combination_fits(report, chosen))
            status = probe(report, chosen, &refused, &built);
        last = refused;
    } while (status == CLUP_OK && refused != NULL);
    return status;
}

/* What a candidate of a layout that was not taken lacks the device's memory for, if it does, to its
 * reason. */
static int lacks_memory(const clup_report *report, clup_candidate *candidate, unsigned tile)
{
    clup_combination alone = {.bonds = candidate->bonds,
                              .tile = candidate->tile > 0 ? candidate->tile : tile};
    clup_need need = {0};
    alone.stages[candidate->stage] = candidate;
    if (clup_combination_fits(report, &alone) ||
        clup_combination_need(report, &alone, &need) != CLUP_OK)
        return 0;
    if (need.largest > report->context->max_alloc)
        snprintf(candidate->reason, sizeof candidate->reason,
                 "%s need %llu bytes, the largest allocation is %llu", need.what,
                 (unsigned long long)need.largest, (unsigned long long)report->context->max_alloc);
    else
        snprintf(candidate->reason, sizeof candidate->reason,
                 "needs %llu bytes, the device has %llu", (unsigned long long)need.bytes,
                 (unsigned long long)report->context->global_mem);
    return 1;
}

static void explain_choice(clup_report *report, const clup_combination *chosen,
                           clup_candidate_value *value)
{
    for (size_t k = 0; k < report->count; k++) {
        clup_candidate *candidate = &report->candidates[k],
                       *taken = chosen->stages[candidate->stage];
        clup_combination other;
        candidate->chosen = candidate == taken;
        if (!candidate->possible || candidate->reason[0] != '\0')
            continue;
        if (candidate->chosen)
            snprintf(candidate->reason, sizeof candidate->reason, "%s",
                     *clup_request_row(&report->request, candidate->stage) != NULL ? "asked for"
                     : report->request.strategy == CLUP_PLAN_RANDOM                ? "drawn"
                     : isnan(value(candidate)) ? "the first that is possible"
                                               : "least for the whole");
        else if (lacks_memory(report, candidate, chosen->tile))
            continue;
        else if (report->request.strategy == CLUP_PLAN_RANDOM)
            snprintf(candidate->reason, sizeof candidate->reason, "not drawn");
        else if (isnan(value(candidate)))
            snprintf(candidate->reason, sizeof candidate->reason, "no time is known");
        else if (strcmp(candidate->bonds, chosen->bonds) == 0 &&
                 (candidate->tile == 0 || candidate->tile == chosen->tile))
            snprintf(candidate->reason, sizeof candidate->reason, "%.3g times %s",
                     value(candidate) / value(taken), taken->kernel);
        else if (candidate->tile > 0 &&
                 clup_combine(report, candidate->bonds, candidate->tile, candidate, value, &other))
            snprintf(candidate->reason, sizeof candidate->reason,
                     "%s bonds and tile %u make the whole %.3g times the plan's", candidate->bonds,
                     candidate->tile, other.cost / chosen->cost);
        else
            snprintf(candidate->reason, sizeof candidate->reason, "%s bonds were taken",
                     chosen->bonds);
    }
}

/* Names the kernels of the plan whose times are out of date. */
static void add_stale(const clup_combination *chosen, clup_text *basis)
{
    const char *before = ", before these kernels were changed: ";
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        if (chosen->stages[stage] != NULL && chosen->stages[stage]->stale) {
            clup_text_add(basis, "%s%s", before, chosen->stages[stage]->kernel);
            before = ", ";
        }
}

static void make_plan(clup_report *report, const clup_combination *chosen)
{
    static const char *const by[CLUP_STRATEGIES] = {"tuned", "estimated by the cost formulas",
                                                    "measured", "drawn"};
    clup_plan *plan = &report->plan;
    const clup_strategy strategy = report->interrupted &&
                                           report->request.strategy == CLUP_PLAN_MEASURE
                                       ? CLUP_PLAN_TUNED
                                       : report->request.strategy;
    clup_text forced = {0}, basis = {0};
    const char **const names[CLUP_MEASURE] = {&plan->source, &plan->local, &plan->consolidate,
                                              &plan->action};
    plan->chosen = (report->request.bonds == NULL ? CLUP_CHOSE_BONDS : 0) |
                   (report->request.tile == 0 ? CLUP_CHOSE_TILE : 0);
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        *names[stage] = chosen->stages[stage] != NULL ? chosen->stages[stage]->kernel : NULL;
        plan->chosen |= *clup_request_row(&report->request, stage) == NULL ? CLUP_CHOSE_ROW(stage)
                                                                           : 0;
        if (chosen->stages[stage] != NULL && *clup_request_row(&report->request, stage) != NULL)
            clup_text_add(&forced, "%s%s", forced.length > 0 ? ", " : "", clup_stage_name(stage));
    }
    if (report->request.bonds != NULL)
        clup_text_add(&forced, "%sbonds", forced.length > 0 ? ", " : "");
    if (report->request.tile > 0)
        clup_text_add(&forced, "%stile", forced.length > 0 ? ", " : "");
    plan->bonds = chosen->bonds;
    clup_combination_tile(report, chosen, plan->tile);
    plan->predicted_ps = chosen->cost < CLUP_UNKNOWN_PS ? chosen->cost : NAN;
    clup_text_add(&basis, "%s",
                  report->context == NULL ? "the first that is possible"
                  : strategy == CLUP_PLAN_TUNED
                      ? (report->knowledge.origin[0] != '\0' ? report->knowledge.origin
                                                             : by[CLUP_PLAN_ESTIMATE])
                      : by[strategy]);
    if (report->context != NULL && strategy == CLUP_PLAN_TUNED)
        add_stale(chosen, &basis);
    snprintf(plan->why, sizeof plan->why, "%s%s%s%s%s", forced.length > 0 ? "asked for: " : "",
             forced.length > 0 ? forced.data : "", forced.length > 0 ? "; the rest: " : "",
             clup_text_ok(&basis) ? basis.data : "",
             report->interrupted ? "; measuring was interrupted" : "");
    const char *distrust = report->context != NULL ? clup_distrust_warning(report->context) : "";
    const size_t used = strlen(report->knowledge.warning);
    snprintf(plan->warning, sizeof plan->warning, "%s", report->knowledge.warning);
    snprintf(plan->warning + used, sizeof plan->warning - used, "%s%s",
             used > 0 && distrust[0] != '\0' ? "; " : "", distrust);
    clup_text_free(&forced);
    clup_text_free(&basis);
}

/* The candidate tile that is nearest to wish and fits self-labelling. */
static unsigned nearest_tile(const clup_report *report, double wish)
{
    unsigned nearest = 0;
    for (size_t k = 0; k < report->count; k++) {
        const clup_candidate *candidate = &report->candidates[k];
        if (candidate->stage == CLUP_LOCAL && strcmp(candidate->kernel, "selflabel") == 0 &&
            candidate->possible &&
            (nearest == 0 || fabs(log(candidate->tile / wish)) < fabs(log(nearest / wish))))
            nearest = candidate->tile;
    }
    return nearest;
}

static double model_constant(const clup_report *report, clup_stage stage, const char *row)
{
    return 1000 * clup_table_find(clup_table_of(stage), row)->cost /
           (report->machine.lanes * report->machine.units);
}

/* The paper's rules for the tile, with constants fitted to the samples or those of the model. */
static clup_status make_rule(clup_report *report)
{
    clup_tile_rule *rule = &report->rule;
    clup_fit *fits = NULL;
    size_t count = 0;
    clup_status status = clup_fits_make(&report->knowledge.samples, &fits, &count);
    if (status != CLUP_OK)
        return status;
    double size = sqrt((double)clup_lattice_sites(&report->setting.lattice)),
           all = report->machine.units * report->machine.resident;
    *rule = (clup_tile_rule){
        .c_local_ps = clup_fits_value(fits, count, "local", "C_local/(m n)"),
        .a_ps = clup_fits_value(fits, count, "sew", "a"),
        .b_ps = clup_fits_value(fits, count, "sew", "b"),
        .c_relax_ps = clup_fits_value(fits, count, "relax", "C_relax/(m n)"),
        .dmin = clup_d_min(&report->problem),
        .origin = report->knowledge.origin,
    };
    if (!(rule->c_local_ps > 0 && rule->b_ps > 0 && rule->c_relax_ps > 0)) {
        double sew = 1000 * report->machine.serial *
                     clup_table_find(clup_table_of(CLUP_CONSOLIDATE), "sew")->cost;
        rule->c_local_ps = model_constant(report, CLUP_LOCAL, "selflabel");
        rule->c_relax_ps = model_constant(report, CLUP_CONSOLIDATE, "relax_multithread");
        rule->a_ps = sew * fmax(4 - 5 / sqrt(all), 0);
        rule->b_ps = sew / all;
        rule->origin = "the model's constants";
    }
    rule->sew = clup_best_tile_sew(rule->c_local_ps, rule->b_ps, rule->dmin);
    rule->relax = clup_best_tile_relax(rule->c_local_ps, rule->c_relax_ps, rule->dmin, size);
    rule->sew_limited = nearest_tile(report, rule->sew);
    rule->relax_limited = nearest_tile(report, rule->relax);
    clup_fits_free(fits, count);
    return CLUP_OK;
}

/* The layout that is asked for, or all that the model can have. */
static clup_status set_layouts(clup_report *report)
{
    const char *wish = report->request.bonds;
    clup_text known = {0};
    for (const clup_layout *layout = clup_layouts; layout < clup_layouts + clup_layout_count;
         layout++) {
        const bool is_for = clup_layout_is_for(layout, report->problem.model);
        if (wish != NULL ? strcmp(layout->name, wish) == 0 : is_for)
            report->layouts[report->layout_count++] = layout;
        if (is_for)
            clup_text_add(&known, "%s%s", known.length > 0 ? ", " : "", layout->name);
    }
    const clup_status status = report->layout_count > 0
                                   ? CLUP_OK
                                   : clup_fail(CLUP_ERROR_USAGE, "no bond layout '%s'; there is %s",
                                               wish, clup_text_ok(&known) ? known.data : "?");
    clup_text_free(&known);
    return status;
}

/* A process that has a part of the lattice plans for that, by itself, as for a lattice: for the
 * largest part, so that all take the same. */
static clup_status take_part(clup_report *report, uint32_t processes)
{
    clup_part part;
    const clup_status status = clup_part_of(&report->problem, 0, processes, &part);
    if (status != CLUP_OK)
        return status;
    part.own = (part.layers - 1) / processes + 1;
    report->problem = clup_part_problem(&report->problem, &part);
    return CLUP_OK;
}

static clup_status set_up(clup_report *report, uint32_t parts)
{
    const clup_plan_request *request = &report->request;
    clup_status status = CLUP_OK;
    CLUP_TRY(CLUP_RESERVED(request, "clup_plan_request"));
    if ((unsigned)request->strategy >= CLUP_STRATEGIES)
        return clup_fail(CLUP_ERROR_USAGE, "strategy %d is not known", (int)request->strategy);
    CLUP_TRY(clup_method_check(&report->problem, &report->method));
    report->problem = clup_layout_problem(NULL, &report->problem);
    if (parts > 1)
        CLUP_TRY(take_part(report, parts));
    CLUP_TRY(clup_lattice_check_device(&report->problem));
    report->setting = (clup_setting){.of_part = parts > 1,
                                     .lattice = clup_lattice_args(&report->problem),
                                     .q = clup_problem_states(&report->problem),
                                     .algorithm = report->method.algorithm,
                                     .replicas = clup_problem_replicas(&report->problem),
                                     .model = report->problem.model,
                                     .image = report->problem.image};
    CLUP_TRY(clup_generator_named(report->method.rng, &report->setting.rng));
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        const clup_row *row;
        if (*clup_request_row(&report->request, stage) != NULL)
            CLUP_TRY(clup_table_row(stage, *clup_request_row(&report->request, stage), &row));
    }
    CLUP_TRY(set_layouts(report));
    if (request->tile > 0 || report->context == NULL)
        report->tiles[report->tile_count++] = request->tile > 0 ? request->tile : CLUP_TILE_UNKNOWN;
    else
        for (size_t k = 0; k < CLUP_TILES_USUAL; k++)
            report->tiles[report->tile_count++] = tiles_usual[k];
    if (report->context != NULL) {
        report->machine = clup_machine_of(&report->context->device.info);
        /* what is measured beforehand is the square lattice */
        if (request->strategy != CLUP_PLAN_ESTIMATE &&
            report->problem.lattice == CLUP_LATTICE_SQUARE)
            CLUP_TRY(clup_knowledge_find(&report->context->device.info, &report->knowledge));
        /* times of lattices alone do not compare with what is estimated of images */
        if (clup_model_of(report->problem.model)->runner == CLUP_RUNNER_labelling &&
            isnan(clup_samples_predict(&report->knowledge.samples, CLUP_SOURCE, "image", "word", 0,
                                       1, 1)))
            clup_knowledge_clear(&report->knowledge);
    }
done:
    return status;
}

static clup_status fill(clup_report *report, uint32_t parts, int measure)
{
    clup_combination chosen;
    clup_status status = CLUP_OK;
    clup_candidate_value *value = clup_value_of(report);
    CLUP_TRY(set_up(report, parts));
    if (report->request.tile > CLUP_TILE_MAX && report->context != NULL)
        return clup_explain_none(report, NULL);
    CLUP_TRY(clup_candidates_add(report));
    if (!clup_choose(report, clup_predicted, &chosen))
        return clup_explain_none(report, NULL);
    if (report->context != NULL && (measure || report->request.strategy == CLUP_PLAN_MEASURE))
        status = measure_all(report);
    if (report->interrupted)
        value = clup_predicted;
    else
        CLUP_TRY(status);
    if (report->context != NULL &&
        clup_model_of(report->problem.model)->runner != CLUP_RUNNER_labelling)
        CLUP_TRY(make_rule(report));
    CLUP_TRY(settle(report, value, &chosen));
    explain_choice(report, &chosen, value);
    make_plan(report, &chosen);
    report->plan_measured = 0;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        report->plan_measured += chosen.stages[stage] != NULL ? chosen.stages[stage]->measured_ps
                                                              : 0;
    clup_choose(report, clup_measured, &chosen);
    report->best_measured = chosen.cost < CLUP_UNKNOWN_PS ? chosen.cost : NAN;
done:
    return status;
}

const clup_ranks *clup_report_alone(const clup_report *report)
{
    const clup_ranks *ranks = NULL;
    if (report->context != NULL) {
        ranks = report->context->ranks;
        report->context->ranks = NULL;
    }
    return ranks;
}

void clup_report_together(const clup_report *report, const clup_ranks *ranks)
{
    if (report->context != NULL)
        report->context->ranks = ranks;
}

clup_status clup_report_create(clup_context *context, const clup_problem *problem,
                               const clup_method *method, const clup_plan_request *request,
                               int measure, clup_report **out)
{
    CLUP_NEED(out);
    *out = NULL;
    CLUP_NEED(problem);
    clup_report *report = calloc(1, sizeof *report);
    if (report == NULL)
        return clup_fail_memory("a plan");
    report->context = context;
    report->problem = *problem;
    report->method = method != NULL ? *method : (clup_method){0};
    report->request = request != NULL ? *request : (clup_plan_request){0};
    const uint32_t parts = clup_context_in_parts(context, clup_problem_replicas(problem))
                               ? context->ranks->count
                               : 1;
    const clup_ranks *ranks = clup_report_alone(report);
    clup_status status = fill(report, parts, measure);
    clup_report_together(report, ranks);
    if (status == CLUP_OK)
        status = clup_plan_set_between(context, problem, report->request.between, &report->plan);
    if (status == CLUP_OK)
        *out = report;
    else
        clup_report_free(report);
    if (status == CLUP_OK && (*out)->interrupted)
        status = clup_fail(CLUP_INTERRUPTED, "%zu of %zu candidates were looked at to measure them",
                           report->looked_at, report->count);
    return status;
}

void clup_report_free(clup_report *report)
{
    if (report == NULL)
        return;
    clup_knowledge_clear(&report->knowledge);
    free(report->candidates);
    free(report);
}

const clup_plan *clup_report_plan(const clup_report *report)
{
    return report != NULL ? &report->plan : NULL;
}

size_t clup_report_count(const clup_report *report)
{
    return report != NULL ? report->count : 0;
}

const clup_candidate *clup_report_candidate(const clup_report *report, size_t candidate)
{
    return candidate < clup_report_count(report) ? &report->candidates[candidate] : NULL;
}

const clup_tile_rule *clup_report_tile_rule(const clup_report *report)
{
    return report != NULL ? &report->rule : NULL;
}

void clup_report_measured(const clup_report *report, double *plan_ps, double *best_ps)
{
    if (plan_ps != NULL)
        *plan_ps = report != NULL ? report->plan_measured : NAN;
    if (best_ps != NULL)
        *best_ps = report != NULL ? report->best_measured : NAN;
}

clup_status clup_plan_choose(clup_context *context, const clup_problem *problem,
                             const clup_method *method, const clup_plan_request *request,
                             clup_plan *plan)
{
    clup_report *report = NULL;
    CLUP_NEED(plan);
    clup_status status = clup_report_create(context, problem, method, request, 0, &report);
    *plan = status == CLUP_OK ? report->plan : (clup_plan){0};
    clup_report_free(report);
    return status;
}
