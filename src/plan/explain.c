/* SPDX-License-Identifier: BSD-3-Clause */
/* Explains why there is no plan: what prevents the one that comes closest, and what would do
 * instead. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "plan/choose.h"
#include "plan/tables.h"

/* Whether the request names a variant that is for another layout. */
static int wished_elsewhere(const clup_report *report, const clup_layout *layout)
{
    clup_plan_request request = report->request;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        const char *wish = *clup_request_row(&request, stage);
        const clup_variant *variant = wish != NULL ? clup_table_find(clup_table_of(stage), wish)
                                                   : NULL;
        if (variant != NULL && !clup_variant_suits(variant, layout))
            return 1;
    }
    return 0;
}

/* What prevents a plan with some layout: the stage, and the reason of the variant of that stage
 * that comes closest. */
typedef struct obstacle {
    int elsewhere;   /* the request names variants that are for another layout */
    unsigned stages; /* stages that have a usable variant */
    unsigned passed; /* in the next stage: checks that the variant that comes closest has passed */
    char reason[192];
} obstacle;

/* Whether one obstacle says more about the request than the other. */
static int closer(const obstacle *one, const obstacle *other)
{
    if (one->elsewhere != other->elsewhere)
        return !one->elsewhere;
    return one->stages != other->stages ? one->stages > other->stages : one->passed > other->passed;
}

/* Whether a stage has a usable variant; if not, sets found to the reason. */
static int stage_fits(const clup_report *report, clup_stage stage, unsigned asked, obstacle *found)
{
    clup_plan_request request = report->request;
    const clup_table *table = clup_table_of(stage);
    const char *wish = *clup_request_row(&request, stage), *bonds = report->setting.layout->name;
    char reason[128] = "";
    found->passed = 0;
    for (size_t k = 0; k < table->count; k++) {
        unsigned passed;
        if (wish != NULL ? strcmp(wish, table->variants[k].name) != 0
                         : clup_is_for_smaller(report, &table->variants[k]))
            continue;
        if (clup_report_check_variant(report, &table->variants[k], asked, &passed) == CLUP_OK)
            return 1;
        if (reason[0] == '\0' || passed > found->passed) {
            found->passed = passed;
            snprintf(reason, sizeof reason, "%s", clup_error_detail());
        }
    }
    if (wish != NULL)
        snprintf(found->reason, sizeof found->reason, "%s", reason);
    else if (request.bonds != NULL)
        snprintf(found->reason, sizeof found->reason, "no %s kernel fits with %s bonds: %s",
                 clup_stage_name(stage), bonds, reason);
    else
        snprintf(found->reason, sizeof found->reason, "no %s kernel fits: %s",
                 clup_stage_name(stage), reason);
    return 0;
}

/* Whether each stage has a usable variant in this layout; if not, sets found to the reason. */
static int layout_fits(clup_report *report, const clup_layout *layout, unsigned asked,
                       obstacle *found)
{
    *found = (obstacle){.elsewhere = wished_elsewhere(report, layout)};
    clup_report_enter(report, layout);
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        if (clup_asks_too_much(report, layout, stage)) {
            snprintf(found->reason, sizeof found->reason,
                     "%s: %s with %s bonds has no %s stage of its own",
                     *clup_request_row(&report->request, stage),
                     clup_algorithm_name(report->method.algorithm), layout->name,
                     clup_stage_name(stage));
            return 0;
        }
        if (!clup_stage_exists(report->problem.model, report->method.algorithm, layout, stage))
            continue;
        if (!stage_fits(report, stage, asked, found))
            return 0;
        found->stages++;
    }
    return 1;
}

/* Whether there is a plan with this tile, 0 for any; if not, sets closest to the obstacle in the
 * layout that comes closest. */
static int tile_fits(clup_report *report, unsigned asked, obstacle *closest)
{
    clup_variant_tile(NULL, &report->setting.lattice, asked > 0 ? asked : report->tiles[0],
                      report->setting.tile);
    for (size_t b = 0; b < report->layout_count; b++) {
        obstacle found;
        if (layout_fits(report, report->layouts[b], asked, &found))
            return 1;
        if (b == 0 || closer(&found, closest))
            *closest = found;
    }
    return 0;
}

/* Returns the nearest tile that fits, trying smaller tiles first; 0 for none. */
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

/* Returns another layout that would do, where the request names a layout; NULL for none. */
static const char *layout_that_fits(clup_report *report, unsigned asked)
{
    obstacle ignored;
    for (size_t b = 0; b < clup_layout_count && report->request.bonds != NULL; b++)
        if (layout_fits(report, &clup_layouts[b], asked, &ignored))
            return clup_layouts[b].name;
    return NULL;
}

/* Whether there would be a plan but for variants that gave wrong results. If so, fails with that
 * reason. */
static bool distrust_is(clup_report *report)
{
    const clup_device_info *device = clup_context_device(report->context);
    clup_combination found;
    clup_text names = {0};
    for (size_t k = 0; k < report->count; k++) {
        clup_candidate *candidate = &report->candidates[k];
        char name[64];
        snprintf(name, sizeof name, "%s %s", clup_stage_name(candidate->stage), candidate->kernel);
        candidate->possible = candidate->possible || candidate->distrusted;
        if (candidate->distrusted && (names.length == 0 || strstr(names.data, name) == NULL))
            clup_text_add(&names, "%s%s", names.length > 0 ? ", " : "", name);
    }
    const bool is = names.length > 0 && clup_choose(report, clup_predicted, &found);
    if (is)
        clup_fail(CLUP_ERROR_VERIFY,
                  "no plan is left on %s (%s) without kernels that gave wrong results there: %s; "
                  "run clup selftest to try them again, or ask for them by name",
                  device->name, device->driver, names.data);
    clup_text_free(&names);
    return is;
}

clup_status clup_explain_none(clup_report *report, const clup_candidate *refused)
{
    const unsigned asked = report->request.tile;
    obstacle found = {0};
    unsigned fits = 0;
    if (distrust_is(report))
        return CLUP_ERROR_VERIFY;
    if (refused != NULL)
        return clup_fail(CLUP_ERROR_USAGE, "%s", refused->reason);
    /* the tile is the reason where another tile would do */
    if (asked > 0)
        fits = tile_that_fits(report, asked);
    if (fits > 0) {
        if (asked > CLUP_TILE_MAX)
            snprintf(found.reason, sizeof found.reason, "too large");
        else
            tile_fits(report, asked, &found);
        return clup_fail(CLUP_ERROR_USAGE, "tile %u does not fit: %s; tile %u would", asked,
                         found.reason, fits);
    }
    /* few-cluster works without any tile */
    if (tile_fits(report, 0, &found) && asked <= CLUP_TILE_MAX)
        tile_fits(report, asked, &found);
    const char *bonds = layout_that_fits(report, asked);
    return clup_fail(CLUP_ERROR_USAGE, bonds != NULL ? "%s; %s bonds would do" : "%s", found.reason,
                     bonds);
}
