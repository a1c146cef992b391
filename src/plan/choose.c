/* Candidates of a plan: what they cost, which go together, and why none do. */
#include "plan/choose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "label/label.h"
#include "plan/tables.h"
#include "random.clh"

/* ---- candidates ----------------------------------------------------------------------------------- */

/* By the samples, scaled by the formulas where they are for another q or temperature; NAN where they say nothing. */
static double predict_tuned(const clup_report *report, const clup_row *row, const char *bonds, unsigned tile)
{
    const unsigned square[3] = {tile > 0 ? tile : CLUP_TILE_UNKNOWN, tile > 0 ? tile : CLUP_TILE_UNKNOWN, 1};
    clup_problem tuned = report->problem;
    double size = sqrt((double)clup_lattice_sites(&report->setting.lattice) * report->setting.replicas);
    double ps = clup_samples_predict(&report->knowledge.samples, row->stage, row->name, bonds, tile, size);
    tuned.q = 2;
    tuned.beta = clup_critical_beta(tuned.lattice, 2);
    double scale = clup_estimate_ps(row, &report->machine, &report->problem, square) / clup_estimate_ps(row, &report->machine, &tuned, square);
    return isfinite(scale) && scale > 0 ? ps * scale : ps;
}

static double predict(const clup_report *report, const clup_row *row, const char *bonds, unsigned tile)
{
    unsigned shape[3];
    if (report->context == NULL)
        return NAN;
    clup_row_tile(row, &report->setting.lattice, tile > 0 ? tile : CLUP_TILE_UNKNOWN, shape);
    /* samples are of lattices, and say nothing on how many there are */
    if (report->knowledge.samples.count > 0 && row->growth != CLUP_GROWTH_RESIDENT)
        return predict_tuned(report, row, bonds, tile);
    return clup_estimate_ps(row, &report->machine, &report->problem, shape);
}

/* Whether the tiles of a plan are those of this row: the one that labels inside tiles, or in one go. */
static int has_the_tiles(const clup_report *report, const clup_row *row)
{
    return row->stage == CLUP_LOCAL || (row->stage == CLUP_ACTION && !clup_stage_exists(report->method.algorithm, report->setting.layout, CLUP_LOCAL));
}

/* As clup_row_check_steps, for report->setting; a tile that is asked for, not 0, must be the one that the row then has. */
static clup_status check_row(const clup_report *report, const clup_row *row, unsigned asked, unsigned *passed)
{
    unsigned tile[3];
    const unsigned axes = clup_lattice_of(&report->setting.lattice)->axes;
    clup_status status = clup_row_check_steps(row, report->context, &report->setting, passed);
    if (status != CLUP_OK || asked == 0 || !has_the_tiles(report, row))
        return status;
    if (row->stage == CLUP_ACTION && row->shape == NULL)
        return clup_fail(CLUP_ERROR_USAGE, "%s has no tiles", row->name);
    clup_row_tile(row, &report->setting.lattice, asked, tile);
    if (row->shape != NULL && (tile[0] != asked || tile[1] != asked || (axes > 2 && tile[2] != asked)))
        return clup_fail(CLUP_ERROR_USAGE, axes > 2 ? "the tiles of %s are %u x %u x %u" : "the tiles of %s are %u x %u", row->name, tile[0], tile[1], tile[2]);
    return CLUP_OK;
}

static clup_status add_candidate(clup_report *report, const clup_row *row, const clup_layout *layout, unsigned tile)
{
    const char *wish = *clup_request_row(&report->request, row->stage);
    unsigned passed;
    clup_candidate *grown = realloc(report->candidates, (report->count + 1) * sizeof *grown);
    if (grown == NULL)
        return clup_fail_memory("candidates");
    report->candidates = grown;
    clup_candidate *candidate = &grown[report->count++];
    *candidate = (clup_candidate){.stage = row->stage, .kernel = row->name, .bonds = layout->name, .tile = tile, .predicted_ps = NAN, .measured_ps = NAN};
    report->setting.layout = layout;
    clup_row_tile(row, &report->setting.lattice, tile > 0 ? tile : report->tiles[0], report->setting.tile);
    candidate->possible = check_row(report, row, report->request.tile, &passed) == CLUP_OK;
    if (!candidate->possible)
        snprintf(candidate->reason, sizeof candidate->reason, "%s", clup_error_detail());
    else
        candidate->predicted_ps = predict(report, row, layout->name, tile);
    if (candidate->possible && wish != NULL && strcmp(wish, row->name) != 0) {
        candidate->possible = 0;
        snprintf(candidate->reason, sizeof candidate->reason, "%s was asked for", wish);
    }
    return CLUP_OK;
}

clup_status clup_candidates_add(clup_report *report)
{
    clup_status status = CLUP_OK;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        const clup_table *table = clup_table_of(stage);
        for (size_t b = 0; b < report->layout_count; b++)
            for (size_t k = 0; k < table->count && clup_stage_exists(report->method.algorithm, &report->layouts[b], stage); k++)
                for (size_t t = 0; t < (clup_row_has_tiles(&table->rows[k]) ? report->tile_count : 1); t++)
                    CLUP_TRY(add_candidate(report, &table->rows[k], &report->layouts[b], clup_row_has_tiles(&table->rows[k]) ? report->tiles[t] : 0));
    }
done:
    return status;
}

/* ---- choosing ------------------------------------------------------------------------------------- */

double clup_predicted(const clup_candidate *candidate)
{
    return candidate->predicted_ps;
}

double clup_measured(const clup_candidate *candidate)
{
    return candidate->measured_ps;
}

clup_candidate_value *clup_value_of(const clup_report *report)
{
    return report->request.strategy == CLUP_PLAN_MEASURE ? clup_measured : clup_predicted;
}

static double cost_of(const clup_candidate *candidate, clup_candidate_value *value)
{
    double cost = value(candidate);
    return isnan(cost) ? CLUP_UNKNOWN_PS : cost;
}

/* Whether a stage that is not there was asked for. */
static int asks_too_much(const clup_report *report, const clup_layout *layout, clup_stage stage)
{
    clup_plan_request request = report->request;
    return *clup_request_row(&request, stage) != NULL && !clup_stage_exists(report->method.algorithm, layout, stage);
}

int clup_combination_cost(const clup_report *report, clup_candidate_value *value, clup_combination *combination)
{
    const clup_layout *layout = clup_layout_named(combination->bonds);
    unsigned missing = 0;
    combination->cost = 0;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        const clup_candidate *candidate = combination->stages[stage];
        if (clup_stage_exists(report->method.algorithm, layout, stage) ? candidate == NULL : asks_too_much(report, layout, stage))
            return 0;
        if (candidate != NULL)
            combination->cost += cost_of(candidate, value);
        else
            missing++;
    }
    /* a stage that another does is no cheaper than one that is not known */
    if (combination->cost >= CLUP_UNKNOWN_PS)
        combination->cost += missing * CLUP_UNKNOWN_PS;
    return 1;
}

void clup_combination_tile(const clup_report *report, const clup_combination *chosen, unsigned tile[3])
{
    const clup_candidate *local = chosen->stages[CLUP_LOCAL];
    clup_row_tile(local != NULL ? clup_table_find(&clup_locals, local->kernel) : NULL, &report->setting.lattice, chosen->tile, tile);
}

int clup_combine(const clup_report *report, const char *bonds, unsigned tile, clup_candidate *fixed, clup_candidate_value *value, clup_combination *found)
{
    *found = (clup_combination){.bonds = bonds, .tile = tile};
    for (size_t k = 0; k < report->count; k++) {
        clup_candidate *candidate = &report->candidates[k], **best = &found->stages[candidate->stage];
        if (!candidate->possible || strcmp(candidate->bonds, bonds) != 0 || (candidate->tile > 0 && candidate->tile != tile))
            continue;
        if (fixed != NULL && fixed->stage == candidate->stage && fixed != candidate)
            continue;
        if (*best == NULL || cost_of(candidate, value) < cost_of(*best, value))
            *best = candidate;
    }
    return clup_combination_cost(report, value, found);
}

int clup_choose(const clup_report *report, clup_candidate_value *value, clup_combination *best)
{
    int any = 0;
    for (size_t b = 0; b < report->layout_count; b++)
        for (size_t t = 0; t < report->tile_count; t++) {
            clup_combination found;
            if (clup_combine(report, report->layouts[b].name, report->tiles[t], NULL, value, &found) && (!any || found.cost < best->cost)) {
                *best = found;
                any = 1;
            }
        }
    return any;
}

int clup_draw(const clup_report *report, clup_combination *drawn)
{
    unsigned possible = 0, index = 0;
    clup_combination found;
    philox_block random = philox((philox_block){{0, 0, 0, 1}}, (u32)report->request.seed, (u32)(report->request.seed >> 32));
    for (size_t k = 0; k < report->layout_count * report->tile_count; k++)
        possible += (unsigned)clup_combine(report, report->layouts[k / report->tile_count].name, report->tiles[k % report->tile_count], NULL, clup_predicted, &found);
    unsigned wanted = MUL_HI(random.v[0], possible);
    for (size_t k = 0; k < report->layout_count * report->tile_count; k++)
        if (clup_combine(report, report->layouts[k / report->tile_count].name, report->tiles[k % report->tile_count], NULL, clup_predicted, &found) && index++ == wanted)
            *drawn = found;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE && possible > 0; stage++) {
        unsigned rows = 0;
        random = philox((philox_block){{stage + 1, 0, 0, 1}}, (u32)report->request.seed, (u32)(report->request.seed >> 32));
        for (size_t k = 0; k < report->count; k++) {
            clup_candidate *candidate = &report->candidates[k];
            if (candidate->stage != stage || !candidate->possible || strcmp(candidate->bonds, drawn->bonds) != 0 ||
                (candidate->tile > 0 && candidate->tile != drawn->tile))
                continue;
            /* each of those so far with the same probability */
            random = philox(random, (u32)report->request.seed, stage);
            if (MUL_HI(random.v[0], ++rows) == 0)
                drawn->stages[stage] = candidate;
        }
    }
    return possible > 0;
}

/* ---- what does not fit ---------------------------------------------------------------------------- */

/* Whether a row that was asked for is for another layout. */
static int wished_elsewhere(const clup_report *report, const clup_layout *layout)
{
    clup_plan_request request = report->request;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        const char *wish = *clup_request_row(&request, stage);
        const clup_row *row = wish != NULL ? clup_table_find(clup_table_of(stage), wish) : NULL;
        if (row != NULL && row->layout != NULL && strcmp(row->layout, layout->name) != 0)
            return 1;
    }
    return 0;
}

/* What is in the way of a plan with some layout: in which stage, and of its rows the one that comes closest. */
typedef struct obstacle {
    int elsewhere;   /* rows that are asked for are for another layout */
    unsigned stages; /* that have a row */
    unsigned passed; /* checks of the row that comes closest in the next */
    char reason[192];
} obstacle;

/* Whether one obstacle tells more of what was asked for. */
static int closer(const obstacle *one, const obstacle *other)
{
    if (one->elsewhere != other->elsewhere)
        return !one->elsewhere;
    return one->stages != other->stages ? one->stages > other->stages : one->passed > other->passed;
}

/* Whether a stage has a row, and if not why. */
static int stage_fits(const clup_report *report, clup_stage stage, unsigned asked, obstacle *found)
{
    clup_plan_request request = report->request;
    const clup_table *table = clup_table_of(stage);
    const char *wish = *clup_request_row(&request, stage), *bonds = report->setting.layout->name;
    char reason[128] = "";
    found->passed = 0;
    for (size_t k = 0; k < table->count; k++) {
        unsigned passed;
        if (wish != NULL && strcmp(wish, table->rows[k].name) != 0)
            continue;
        if (check_row(report, &table->rows[k], asked, &passed) == CLUP_OK)
            return 1;
        if (reason[0] == '\0' || passed > found->passed) {
            found->passed = passed;
            snprintf(reason, sizeof reason, "%s", clup_error_detail());
        }
    }
    if (wish != NULL)
        snprintf(found->reason, sizeof found->reason, "%s", reason);
    else if (request.bonds != NULL)
        snprintf(found->reason, sizeof found->reason, "no %s kernel fits with %s bonds: %s", clup_stage_name(stage), bonds, reason);
    else
        snprintf(found->reason, sizeof found->reason, "no %s kernel fits: %s", clup_stage_name(stage), reason);
    return 0;
}

/* Whether each stage has a row in this layout, and if not why. */
static int layout_fits(clup_report *report, const clup_layout *layout, unsigned asked, obstacle *found)
{
    *found = (obstacle){.elsewhere = wished_elsewhere(report, layout)};
    report->setting.layout = layout;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        if (asks_too_much(report, layout, stage)) {
            snprintf(found->reason, sizeof found->reason, "%s: %s with %s bonds has no %s stage of its own", *clup_request_row(&report->request, stage),
                     clup_algorithm_name(report->method.algorithm), layout->name, clup_stage_name(stage));
            return 0;
        }
        if (!clup_stage_exists(report->method.algorithm, layout, stage))
            continue;
        if (!stage_fits(report, stage, asked, found))
            return 0;
        found->stages++;
    }
    return 1;
}

/* Whether there is a plan with this tile, 0 for any, and if not what is in the way in the layout that comes closest. */
static int tile_fits(clup_report *report, unsigned asked, obstacle *closest)
{
    clup_row_tile(NULL, &report->setting.lattice, asked > 0 ? asked : report->tiles[0], report->setting.tile);
    for (size_t b = 0; b < report->layout_count; b++) {
        obstacle found;
        if (layout_fits(report, &report->layouts[b], asked, &found))
            return 1;
        if (b == 0 || closer(&found, closest))
            *closest = found;
    }
    return 0;
}

/* The nearest tile that fits, first downward; 0 for none. */
static unsigned tile_that_fits(clup_report *report, unsigned asked)
{
    obstacle ignored;
    for (unsigned tile = asked < CLUP_TILE_MAX ? asked : CLUP_TILE_MAX; tile > 0; tile--)
        if (tile_fits(report, tile, &ignored))
            return tile;
    for (unsigned tile = asked + 1; tile <= CLUP_TILE_MAX; tile++)
        if (tile_fits(report, tile, &ignored))
            return tile;
    return 0;
}

/* Another layout that would do, where one is asked for; NULL for none. */
static const char *layout_that_fits(clup_report *report, unsigned asked)
{
    obstacle ignored;
    for (size_t b = 0; b < clup_layout_count && report->request.bonds != NULL; b++)
        if (layout_fits(report, &clup_layouts[b], asked, &ignored))
            return clup_layouts[b].name;
    return NULL;
}

clup_status clup_explain_none(clup_report *report)
{
    const unsigned asked = report->request.tile;
    obstacle found = {0};
    unsigned fits = 0;
    /* a tile is to blame where another would do */
    if (asked > 0)
        fits = tile_that_fits(report, asked);
    if (fits > 0) {
        if (asked > CLUP_TILE_MAX)
            snprintf(found.reason, sizeof found.reason, "too large");
        else
            tile_fits(report, asked, &found);
        return clup_fail(CLUP_ERROR_USAGE, "tile %u does not fit: %s; tile %u would", asked, found.reason, fits);
    }
    /* few-cluster fits with no tile at all */
    if (tile_fits(report, 0, &found) && asked <= CLUP_TILE_MAX)
        tile_fits(report, asked, &found);
    const char *bonds = layout_that_fits(report, asked);
    return clup_fail(CLUP_ERROR_USAGE, bonds != NULL ? "%s; %s bonds would do" : "%s", found.reason, bonds);
}
