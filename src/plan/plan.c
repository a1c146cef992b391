/* Chooses one row of each table, a layout and a tile: what the caller forces, else the defaults. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "plan/tables.h"

#define TILE_DEFAULT 16u
#define TILE_MAX 4096u

/* The stages whose row a request can force, and what is taken when it does not. */
static const struct {
    clup_stage stage;
    const char *fallback;
    size_t request, plan; /* offsets of the name */
} choices[] = {
    {CLUP_SOURCE, "fk", offsetof(clup_plan_request, source), offsetof(clup_plan, source)},
    {CLUP_LOCAL, "selflabel", offsetof(clup_plan_request, local), offsetof(clup_plan, local)},
    {CLUP_CONSOLIDATE, "union", offsetof(clup_plan_request, consolidate), offsetof(clup_plan, consolidate)},
    {CLUP_ACTION, "flip", offsetof(clup_plan_request, action), offsetof(clup_plan, action)},
};
#define CHOICES (sizeof choices / sizeof *choices)

typedef const clup_row *row_set[CHOICES];

static clup_status check_tile(const row_set rows, const clup_context *context, unsigned edge)
{
    const unsigned tile[2] = {edge, edge};
    for (size_t k = 0; k < CHOICES; k++) {
        clup_status status = clup_row_check(rows[k], context, tile);
        if (status != CLUP_OK)
            return status;
    }
    return CLUP_OK;
}

/* The largest edge up to limit that fits, or 0. */
static unsigned largest_tile(const row_set rows, const clup_context *context, unsigned limit)
{
    for (unsigned edge = limit; edge > 0; edge--)
        if (check_tile(rows, context, edge) == CLUP_OK)
            return edge;
    return 0;
}

static clup_status choose_tile(const row_set rows, const clup_context *context, unsigned wish, unsigned *edge)
{
    if (context == NULL) {
        *edge = wish > 0 ? wish : TILE_DEFAULT;
        return CLUP_OK;
    }
    *edge = wish > 0 ? wish : largest_tile(rows, context, TILE_DEFAULT);
    if (*edge == 0)
        return clup_fail(CLUP_ERROR_USAGE, "no tile fits %s", context->device.info.name);
    if (*edge <= TILE_MAX && check_tile(rows, context, *edge) == CLUP_OK)
        return CLUP_OK;
    char reason[256];
    snprintf(reason, sizeof reason, "%s", *edge <= TILE_MAX ? clup_error_detail() : "too large");
    unsigned below = largest_tile(rows, context, *edge < TILE_MAX ? *edge : TILE_MAX);
    unsigned smallest = 1;
    while (below == 0 && smallest < TILE_MAX && check_tile(rows, context, smallest) != CLUP_OK)
        smallest++;
    if (below == 0 && smallest == TILE_MAX)
        return clup_fail(CLUP_ERROR_USAGE, "tile %u does not fit: %s; no tile does", *edge, reason);
    return clup_fail(CLUP_ERROR_USAGE, "tile %u does not fit: %s; tile %u would", *edge, reason, below > 0 ? below : smallest);
}

static clup_status choose_bonds(const char *wish, const char **bonds)
{
    const clup_layout *layout = clup_layout_named(wish != NULL ? wish : "word");
    if (layout == NULL) {
        clup_text known = {0};
        for (size_t k = 0; k < clup_layout_count; k++)
            clup_text_add(&known, "%s%s", k > 0 ? ", " : "", clup_layouts[k].name);
        clup_fail(CLUP_ERROR_USAGE, "no bond layout '%s'; there is %s", wish, clup_text_ok(&known) ? known.data : "?");
        clup_text_free(&known);
        return CLUP_ERROR_USAGE;
    }
    *bonds = layout->name;
    return CLUP_OK;
}

clup_status clup_plan_choose(const clup_context *context, const clup_problem *problem, const clup_plan_request *request, clup_plan *plan)
{
    const clup_plan_request nothing = {0};
    row_set rows;
    clup_status status = CLUP_OK;
    clup_text forced = {0};
    unsigned edge;
    if (request == NULL)
        request = &nothing;
    *plan = (clup_plan){0};
    CLUP_TRY(clup_problem_check(problem));
    for (size_t k = 0; k < CHOICES; k++) {
        const char *wish = *(const char *const *)((const char *)request + choices[k].request);
        CLUP_TRY(clup_table_row(choices[k].stage, wish != NULL ? wish : choices[k].fallback, &rows[k]));
        *(const char **)((char *)plan + choices[k].plan) = rows[k]->name;
        if (wish != NULL)
            clup_text_add(&forced, "%s%s", forced.length > 0 ? ", " : "", clup_stage_name(choices[k].stage));
    }
    CLUP_TRY(choose_bonds(request->bonds, &plan->bonds));
    if (request->bonds != NULL)
        clup_text_add(&forced, "%sbonds", forced.length > 0 ? ", " : "");
    CLUP_TRY(choose_tile(rows, context, request->tile, &edge));
    if (request->tile > 0)
        clup_text_add(&forced, "%stile", forced.length > 0 ? ", " : "");
    plan->tile[0] = plan->tile[1] = edge;
    snprintf(plan->why, sizeof plan->why, "%s%s%s%s", forced.length > 0 ? "asked for: " : "", forced.length > 0 ? forced.data : "",
             forced.length > 0 ? "; the rest by default" : "all by default",
             request->tile == 0 && edge < TILE_DEFAULT ? "; tile limited by the device" : "");
done:
    clup_text_free(&forced);
    return status;
}
