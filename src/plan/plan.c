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

static clup_status check_tile(const row_set rows, const clup_context *context, clup_setting *setting, unsigned edge)
{
    setting->tile[0] = setting->tile[1] = edge;
    for (size_t k = 0; k < CHOICES; k++) {
        clup_status status = rows[k] != NULL ? clup_row_check(rows[k], context, setting) : CLUP_OK;
        if (status != CLUP_OK)
            return status;
    }
    return CLUP_OK;
}

/* The largest edge up to limit that fits, or 0. */
static unsigned largest_tile(const row_set rows, const clup_context *context, clup_setting *setting, unsigned limit)
{
    for (unsigned edge = limit; edge > 0; edge--)
        if (check_tile(rows, context, setting, edge) == CLUP_OK)
            return edge;
    return 0;
}

static clup_status choose_tile(const row_set rows, const clup_context *context, clup_setting *setting, unsigned wish, unsigned *edge)
{
    if (context == NULL) {
        *edge = wish > 0 ? wish : TILE_DEFAULT;
        return CLUP_OK;
    }
    *edge = wish > 0 ? wish : largest_tile(rows, context, setting, TILE_DEFAULT);
    if (*edge == 0)
        return clup_fail(CLUP_ERROR_USAGE, "no tile fits %s", context->device.info.name);
    if (*edge <= TILE_MAX && check_tile(rows, context, setting, *edge) == CLUP_OK)
        return CLUP_OK;
    char reason[256];
    snprintf(reason, sizeof reason, "%s", *edge <= TILE_MAX ? clup_error_detail() : "too large");
    unsigned below = largest_tile(rows, context, setting, *edge < TILE_MAX ? *edge : TILE_MAX);
    unsigned smallest = 1;
    while (below == 0 && smallest < TILE_MAX && check_tile(rows, context, setting, smallest) != CLUP_OK)
        smallest++;
    if (below == 0 && smallest == TILE_MAX)
        return clup_fail(CLUP_ERROR_USAGE, "tile %u does not fit: %s; no tile does", *edge, reason);
    return clup_fail(CLUP_ERROR_USAGE, "tile %u does not fit: %s; tile %u would", *edge, reason, below > 0 ? below : smallest);
}

/* The layouts that a wish allows: one, or all. */
static clup_status layouts_for(const char *wish, const clup_layout **first, size_t *count)
{
    clup_text known = {0};
    *first = wish != NULL ? clup_layout_named(wish) : clup_layouts;
    *count = wish != NULL ? 1 : clup_layout_count;
    if (*first != NULL)
        return CLUP_OK;
    for (size_t k = 0; k < clup_layout_count; k++)
        clup_text_add(&known, "%s%s", k > 0 ? ", " : "", clup_layouts[k].name);
    clup_fail(CLUP_ERROR_USAGE, "no bond layout '%s'; there is %s", wish, clup_text_ok(&known) ? known.data : "?");
    clup_text_free(&known);
    return CLUP_ERROR_USAGE;
}

/* The row that is taken for a stage: the one wished for, else the usual one, else the first that is able; on any device. */
static clup_status choose_row(size_t choice, const char *wish, const clup_setting *setting, const clup_row **row)
{
    const clup_table *table = clup_table_of(choices[choice].stage);
    clup_status status = clup_table_row(choices[choice].stage, wish != NULL ? wish : choices[choice].fallback, row);
    if (status == CLUP_OK)
        status = clup_row_check(*row, NULL, setting);
    for (size_t k = 0; wish == NULL && status != CLUP_OK && k < table->count; k++) {
        *row = &table->rows[k];
        status = clup_row_check(*row, NULL, setting);
    }
    return status;
}

clup_status clup_plan_choose(const clup_context *context, const clup_problem *problem, const clup_method *method, const clup_plan_request *request,
                             clup_plan *plan)
{
    const clup_plan_request nothing = {0};
    const clup_method plain = {0};
    const clup_layout *layouts;
    size_t layout_count;
    row_set rows;
    clup_status status = CLUP_OK;
    clup_text forced = {0};
    unsigned edge;
    request = request != NULL ? request : &nothing;
    method = method != NULL ? method : &plain;
    *plan = (clup_plan){0};
    CLUP_TRY(clup_problem_check(problem));
    CLUP_TRY(clup_method_check(problem, method));
    clup_setting setting = {.lattice = clup_lattice_args(problem), .q = problem->q, .algorithm = method->algorithm};
    CLUP_TRY(clup_generator_named(method->rng, &setting.rng));
    CLUP_TRY(layouts_for(request->bonds, &layouts, &layout_count));
    for (size_t b = 0; b < layout_count; b++) {
        setting.layout = &layouts[b];
        for (size_t k = 0; k < CHOICES; k++) {
            rows[k] = NULL;
            if (method->algorithm == CLUP_FEW_CLUSTER && choices[k].stage != CLUP_ACTION)
                continue;
            if ((status = choose_row(k, *(const char *const *)((const char *)request + choices[k].request), &setting, &rows[k])) != CLUP_OK)
                break;
        }
        if (status == CLUP_OK)
            break;
    }
    CLUP_TRY(status);
    for (size_t k = 0; k < CHOICES; k++) {
        *(const char **)((char *)plan + choices[k].plan) = rows[k] != NULL ? rows[k]->name : NULL;
        if (rows[k] != NULL && *(const char *const *)((const char *)request + choices[k].request) != NULL)
            clup_text_add(&forced, "%s%s", forced.length > 0 ? ", " : "", clup_stage_name(choices[k].stage));
    }
    plan->bonds = setting.layout->name;
    if (request->bonds != NULL)
        clup_text_add(&forced, "%sbonds", forced.length > 0 ? ", " : "");
    CLUP_TRY(choose_tile(rows, context, &setting, request->tile, &edge));
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
