/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of clup simulate, some of which other commands share: one row for each. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/paths.h"
#include "cli/simulate/simulate.h"

/* The most independent systems of a problem, see clup_problem. */
#define REPLICAS_MAX 65535u
/* The most sites along the edge of a tile. */
#define TILE_MAX 4096u
/* The number of sweeps that a seed has random numbers for. */
#define SWEEPS_MAX ((uint64_t)1 << 48)

/* Sets the size from "N", "NxM", "NxMxK" and so on. */
static clup_status set_size(void *target, const char *value)
{
    simulate_request *request = target;
    char copy[128];
    snprintf(copy, sizeof copy, "%s", value);
    request->size_count = 0;
    for (char *item = copy, *cross; item != NULL; item = cross) {
        uint64_t size;
        if ((cross = strchr(item, 'x')) != NULL)
            *cross++ = '\0';
        if (strlen(value) >= sizeof copy || request->size_count == SIMULATE_AXES ||
            cli_parse_whole(item, 1, UINT32_MAX, &size) != CLUP_OK)
            return cli_refuse("is not N, NxM or NxMxK, or up to %d such numbers: whole ones from 1 "
                              "to %" PRIu32,
                              SIMULATE_AXES, UINT32_MAX);
        if (request->size_count < 3)
            request->problem.size[request->size_count] = (uint32_t)size;
        request->cells[request->size_count++] = (uint32_t)size;
    }
    return CLUP_OK;
}

/* Opens axes, of "x,y,z,4,..". */
static clup_status set_open(void *target, const char *value)
{
    static const char axes[SIMULATE_AXES + 1] = "xyz45678";
    simulate_request *request = target;
    for (;; value += 2) {
        const char *axis = *value != '\0' ? strchr(axes, *value) : NULL;
        if (axis == NULL || (value[1] != '\0' && value[1] != ','))
            return cli_refuse("is not a list of axes: x, y and z, with commas between them");
        request->open |= 1u << (axis - axes);
        if (axis - axes < 3)
            request->problem.periodic[axis - axes] = 0;
        if (value[1] == '\0')
            return CLUP_OK;
    }
}

/* Sets the lattice: by its name, or by the path of a file with its cell. */
static clup_status set_lattice(void *target, const char *value)
{
    simulate_request *request = target;
    const bool of_cells = strcmp(value, "hypercubic") == 0 || cli_has_extension(value, ".toml");
    if (strlen(value) >= sizeof request->cell)
        return cli_refuse("is too long");
    strcpy(request->cell, of_cells ? value : "");
    if (!of_cells)
        return cli_set_field(cli_field_of(cli_setting()), value, &request->problem);
    request->problem.lattice = CLUP_LATTICE_GRAPH;
    return CLUP_OK;
}

/* Sets the model: by its name, or by the path of a table, which sets q as well. */
static clup_status set_model(void *target, const char *value)
{
    const clup_field *field = cli_field_of(cli_setting());
    clup_problem *problem = &((simulate_request *)target)->problem, set = *problem;
    if (clup_problem_set(&set, field->key, value) != CLUP_OK)
        return cli_has_extension(value, ".toml")
                   ? cli_refuse("is no model: %s", clup_error_detail())
                   : cli_refuse("is not %s", field->argument);
    if (!(field->models >> set.model & 1) || (set.model == CLUP_TABLE && set.table == NULL))
        return cli_refuse("is not %s", field->argument);
    *problem = set;
    return CLUP_OK;
}

/* Keeps the couplings, whose number depends on the lattice. */
static clup_status set_coupling(void *target, const char *value)
{
    simulate_request *request = target;
    if (*value == '\0' || strlen(value) >= sizeof request->coupling)
        return cli_refuse("is not %s", cli_field_of(cli_setting())->argument);
    strcpy(request->coupling, value);
    return CLUP_OK;
}

clup_status simulate_set_bond_couplings(void *target, const char *value)
{
    clup_problem *problem = &((simulate_request *)target)->problem;
    const clup_status status = clup_bond_couplings_read(value, &problem->bond_couplings);
    return status == CLUP_OK || status == CLUP_ERROR_MEMORY
               ? status
               : cli_refuse("is no array of couplings: %s", clup_error_detail());
}

clup_status simulate_set_graph(void *target, const char *value)
{
    clup_problem *problem = &((simulate_request *)target)->problem;
    clup_edges edges = {0};
    clup_status status = clup_edges_read(value, &edges);
    const clup_bond_couplings *given = problem->bond_couplings;
    const clup_graph *graph;
    if (status == CLUP_OK)
        status = clup_graph_make(&edges, &graph);
    if (status == CLUP_OK) {
        clup_problem_set_graph(problem, graph);
        problem->bond_couplings = given;
    }
    clup_edges_clear(&edges);
    return status == CLUP_OK || status == CLUP_ERROR_MEMORY
               ? status
               : cli_refuse("is no graph: %s", clup_error_detail());
}

/* Sets a field of the problem. The size may be one number, see simulate_settle_size. Several
 * options that open axes add up. */
clup_status simulate_set_field(void *target, const char *value)
{
    static const struct {
        const char *key;
        clup_status (*set)(void *target, const char *value);
    } others[] = {{"model", set_model},         {"size", set_size},
                  {"lattice", set_lattice},     {"periodic", set_open},
                  {"coupling", set_coupling},   {"bond_couplings", simulate_set_bond_couplings},
                  {"graph", simulate_set_graph}};
    const clup_field *field = cli_field_of(cli_setting());
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(field->key, others[k].key) == 0)
            return others[k].set(target, value);
    return cli_set_field(field, value, &((simulate_request *)target)->problem);
}

/* Sets beta, or a quantity that beta follows from: a number in the range that the message says,
 * from 0 on; a temperature must be above 0. */
static clup_status set_beta_kind(simulate_request *request, int kind, const char *value,
                                 const char *range)
{
    request->beta_kind = request->beta_kind == BETA_DEFAULT ? kind : BETA_TWICE;
    const int fits = cli_parse_double(value, &request->beta_value) == CLUP_OK &&
                     request->beta_value >= 0 && (kind != TEMPERATURE || request->beta_value > 0);
    return fits ? CLUP_OK : cli_refuse("is not %s", range);
}

clup_status simulate_set_beta(void *target, const char *value)
{
    return set_beta_kind(target, BETA, value, "a number from 0 up; inf is allowed");
}

clup_status simulate_set_beta_ratio(void *target, const char *value)
{
    return set_beta_kind(target, BETA_RATIO, value, "a number from 0 up; inf is allowed");
}

clup_status simulate_set_betas(void *target, const char *value)
{
    simulate_request *request = target;
    request->beta_kind = request->beta_kind == BETA_DEFAULT ? BETA_LIST : BETA_TWICE;
    return cli_parse_numbers(value, &request->betas, &request->beta_count);
}

static clup_status set_tempering(void *target, const char *value)
{
    ((simulate_request *)target)->tempering = 1;
    return simulate_set_betas(target, value);
}

/* Sets betas; settle_schedule makes them the schedule. */
static clup_status set_anneal(void *target, const char *value)
{
    ((simulate_request *)target)->steps = 1;
    return simulate_set_betas(target, value);
}

static clup_status set_population(void *target, const char *value)
{
    (void)value;
    ((simulate_request *)target)->population = 1;
    return CLUP_OK;
}

static clup_status set_swap_every(void *target, const char *value)
{
    return cli_parse_whole(value, 1, SWEEPS_MAX, &((simulate_request *)target)->swap_every);
}

static clup_status set_tempering_tune(void *target, const char *value)
{
    return cli_parse_whole(value, 8, SWEEPS_MAX / 2, &((simulate_request *)target)->tempering_tune);
}

clup_status simulate_set_temperature(void *target, const char *value)
{
    return set_beta_kind(target, TEMPERATURE, value, "a number above 0; inf is allowed");
}

clup_status simulate_set_sweeps(void *target, const char *value)
{
    return cli_parse_whole(value, 0, SWEEPS_MAX, &((simulate_request *)target)->sweeps);
}

static clup_status set_thermalize(void *target, const char *value)
{
    simulate_request *request = target;
    request->settles = strcmp(value, "auto") == 0;
    request->thermalize = 0;
    return request->settles ||
                   cli_parse_whole(value, 0, SWEEPS_MAX, &request->thermalize) == CLUP_OK
               ? CLUP_OK
               : cli_refuse("is not auto, nor a whole number from 0 to %" PRIu64, SWEEPS_MAX);
}

/* Draws a seed; by a file, since getentropy() is younger than some C libraries that wheels are
 * for. */
static int draw_seed(uint64_t *seed)
{
#ifdef _WIN32
    return getentropy(seed, sizeof *seed);
#else
    FILE *file = fopen("/dev/urandom", "rb");
    if (file == NULL)
        return -1;
    const size_t count = fread(seed, sizeof *seed, 1, file);
    fclose(file);
    if (count == 1)
        return 0;
    /* at the end of a file fread() sets no errno */
    errno = EIO;
    return -1;
#endif
}

clup_status simulate_set_seed(void *target, const char *value)
{
    simulate_request *request = target;
    clup_status status = CLUP_OK;
    if (strcmp(value, "random") == 0) {
        if (draw_seed(&request->seed) != 0)
            return cli_refuse("cannot be drawn: %s", strerror(errno));
        /* below 2^53, so that every JSON reader keeps it */
        request->seed >>= 11;
        request->seed_kind = SEED_RANDOM;
    } else {
        status = cli_parse_u64(value, UINT64_MAX, &request->seed) == CLUP_OK
                     ? CLUP_OK
                     : cli_refuse("is not random, nor a whole number from 0 to %" PRIu64,
                                  UINT64_MAX);
        request->seed_kind = SEED_GIVEN;
    }
    request->plan.seed = request->seed;
    return status;
}

/* The names of observables, then of groups. A group stands for its first observable. */
static const char *observable_name(size_t row)
{
    const char *name = clup_observable_name((clup_observable)row);
    return name != NULL ? name
                        : clup_observable_group((clup_observable)(row - simulate_observables()));
}

/* Sets the observables from names, or "all". */
clup_status simulate_set_observables(void *target, const char *value)
{
    simulate_request *request = target;
    char copy[1024];
    request->observable_count = 0;
    if (strcmp(value, "all") == 0) {
        for (clup_observable k = 0; k < simulate_observables(); k++)
            request->observables[request->observable_count++] = k;
        return CLUP_OK;
    }
    if (snprintf(copy, sizeof copy, "%s", value) >= (int)sizeof copy)
        return cli_refuse("is too long");
    for (char *item = copy, *comma; item != NULL; item = comma) {
        size_t row;
        if ((comma = strchr(item, ',')) != NULL)
            *comma++ = '\0';
        const clup_status status = cli_parse_name(item, observable_name, &row);
        if (status != CLUP_OK)
            return status;
        const clup_observable observable = (clup_observable)(row % simulate_observables());
        for (size_t k = 0; k < request->observable_count; k++)
            if (request->observables[k] == observable)
                return cli_refuse("has %s twice", item);
        request->observables[request->observable_count++] = observable;
    }
    return CLUP_OK;
}

static clup_status set_measure_every(void *target, const char *value)
{
    return cli_parse_whole(value, 1, INT32_MAX, &((simulate_request *)target)->measure_every);
}

static clup_status set_start(void *target, const char *value)
{
    simulate_request *request = target;
    request->start = strcmp(value, "random") == 0 ? CLUP_START_RANDOM : CLUP_START_ORDERED;
    return request->start == CLUP_START_RANDOM || strcmp(value, "ordered") == 0
               ? CLUP_OK
               : cli_refuse("is not ordered, nor random");
}

clup_status simulate_set_tile(void *target, const char *value)
{
    uint64_t tile;
    clup_status status = cli_parse_whole(value, 1, TILE_MAX, &tile);
    if (status == CLUP_OK)
        ((simulate_request *)target)->plan.tile = (unsigned)tile;
    return status;
}

clup_status simulate_set_algorithm(void *target, const char *value)
{
    size_t row;
    clup_status status = cli_parse_name(value, cli_algorithm_name, &row);
    if (status == CLUP_OK)
        ((simulate_request *)target)->method.algorithm = (clup_algorithm)row;
    return status;
}

clup_status simulate_set_seeds(void *target, const char *value)
{
    uint64_t seeds;
    clup_status status = cli_parse_whole(value, 1, UINT32_MAX, &seeds);
    if (status == CLUP_OK)
        ((simulate_request *)target)->method.seeds_per_side = (unsigned)seeds;
    return status;
}

clup_status simulate_set_heat_bath(void *target, const char *value)
{
    uint64_t sweeps;
    clup_status status = cli_parse_whole(value, 0, 32, &sweeps);
    if (status == CLUP_OK)
        ((simulate_request *)target)->method.heat_bath = (unsigned)sweeps;
    return status;
}

clup_status simulate_set_houdayer(void *target, const char *value)
{
    return cli_parse_whole(value, 0, 32, &((simulate_request *)target)->method.houdayer);
}

clup_status simulate_set_overrelaxation(void *target, const char *value)
{
    return cli_parse_whole(value, 0, 32, &((simulate_request *)target)->method.overrelaxation);
}

clup_status simulate_set_p_flip(void *target, const char *value)
{
    double *p_flip = &((simulate_request *)target)->method.p_flip;
    /* the library says why 1 is not allowed */
    return cli_parse_double(value, p_flip) == CLUP_OK && *p_flip > 0 && *p_flip <= 1
               ? CLUP_OK
               : cli_refuse("is not a number between 0 and 1, both excluded");
}

clup_status simulate_set_strategy(void *target, const char *value)
{
    size_t row;
    clup_status status = cli_parse_name(value, cli_strategy_name, &row);
    if (status == CLUP_OK)
        ((simulate_request *)target)->plan.strategy = (clup_strategy)row;
    return status;
}

static const char *source_name(size_t row)
{
    return clup_kernel_name(CLUP_SOURCE, row);
}

static const char *local_name(size_t row)
{
    return clup_kernel_name(CLUP_LOCAL, row);
}

static const char *consolidate_name(size_t row)
{
    return clup_kernel_name(CLUP_CONSOLIDATE, row);
}

static const char *action_name(size_t row)
{
    return clup_kernel_name(CLUP_ACTION, row);
}

/* Set functions of options that keep their text, that keep a text as a name, and that raise a
 * flag. */
#define TEXT_OPTION(NAME, FIELD) \
    clup_status NAME(void *target, const char *value) \
    { \
        ((simulate_request *)target)->FIELD = value; \
        return CLUP_OK; \
    }
#define NAME_OPTION(NAME, FIELD, NAMES) \
    clup_status NAME(void *target, const char *value) \
    { \
        size_t row; \
        ((simulate_request *)target)->FIELD = value; \
        return cli_parse_name(value, NAMES, &row); \
    }
#define FLAG_OPTION(NAME, FIELD) \
    clup_status NAME(void *target, const char *value) \
    { \
        (void)value; \
        ((simulate_request *)target)->FIELD = 1; \
        return CLUP_OK; \
    }
TEXT_OPTION(simulate_set_device, device)
NAME_OPTION(simulate_set_rng, method.rng, clup_rng_name)
NAME_OPTION(simulate_set_source, plan.source, source_name)
NAME_OPTION(simulate_set_local, plan.local, local_name)
NAME_OPTION(simulate_set_consolidate, plan.consolidate, consolidate_name)
NAME_OPTION(simulate_set_action, plan.action, action_name)
NAME_OPTION(simulate_set_bonds, plan.bonds, clup_layout_name)
NAME_OPTION(simulate_set_between, plan.between, clup_union_method_name)
TEXT_OPTION(simulate_set_save_spins, save_spins)
TEXT_OPTION(simulate_set_series, series)
TEXT_OPTION(simulate_set_checkpoint, checkpoint)
FLAG_OPTION(simulate_set_reference, reference)
FLAG_OPTION(simulate_set_each_replica, each_replica)
FLAG_OPTION(simulate_set_json, json)
FLAG_OPTION(simulate_set_quiet, quiet)

clup_status simulate_set_save_every(void *target, const char *value)
{
    return cli_parse_duration(value, &((simulate_request *)target)->save_every);
}

clup_status simulate_set_time_limit(void *target, const char *value)
{
    return cli_parse_duration(value, &((simulate_request *)target)->time_limit);
}

const cli_option simulate_options[] = {
    SYSTEM_OPTIONS,
    REPLICA_OPTIONS,
    {"tempering", 0, "FROM:TO:N|X,X,..",
     "parallel tempering: systems change places between these betas, R times", set_tempering},
    {"swap-every", 0, "N", "sweeps from one exchange of places to the next (1)", set_swap_every},
    {"tempering-tune", 0, "N", "place these betas, but for the ends, by N sweeps beforehand",
     set_tempering_tune},
    {"anneal", 0, "FROM:TO:N|X,X,..",
     "these betas one after the other, with all sweeps at each of them", set_anneal},
    {"population", 0, NULL, "draw the R replicas anew at each of them, and estimate ln Z",
     set_population},
    {"sweeps", 0, "N", "sweeps that are measured (1000)", simulate_set_sweeps},
    {"thermalize", 0, "N|auto",
     "sweeps before them, or as many of them as are not in equilibrium (100)", set_thermalize},
    {"until", 0, "LIST",
     "end when errors are reached, such as energy=1e-4,binder=1%: at most --sweeps "
     "(1000000)",
     simulate_set_until},
    SEED_OPTION,
    FIELD_OPTIONS("Potts", CLUP_FIELD_NUMBERS),
    {"start", 0, "ordered|random", "first spins (ordered)", set_start},
    METHOD_OPTIONS,
    {"observables", 0, "LIST|all",
     "names with commas, see below, or all; those that need something take time (those that do "
     "not, and in a field signed)",
     simulate_set_observables},
    {"measure-every", 0, "N", "measure every N-th sweep (1)", set_measure_every},
    RUN_OPTIONS,
    {0},
};

/* The default of --sweeps with --until. */
#define SWEEPS_UNTIL 1000000

/* The default number of sites along an axis. */
#define SIZE_2D 256
#define SIZE_3D 64

/* Makes the graph of a lattice of cells. */
static int settle_cells(simulate_request *request)
{
    clup_problem *problem = &request->problem;
    const bool hypercubic = cli_has_extension(request->cell, ".toml") == 0;
    const clup_bond_couplings *given = problem->bond_couplings;
    const clup_graph *graph;
    if (problem->graph != NULL)
        return cli_usage_error("--lattice does not go with --graph");
    if (request->size_count < (hypercubic ? 2 : 1))
        return cli_usage_error("--lattice %s needs --size%s", request->cell,
                               hypercubic ? " NxMxKx.., cells along each axis" : "");
    const clup_status status = clup_graph_of_lattice(request->cell, request->cells,
                                                     request->size_count, request->open, &graph);
    if (status != CLUP_OK)
        return status == CLUP_ERROR_USAGE
                   ? cli_usage_error("--lattice '%s': %s", request->cell, clup_error_detail())
                   : cli_fail(status);
    clup_problem_set_graph(problem, graph);
    if (given != NULL)
        problem->bond_couplings = given;
    request->size_count = 2;
    return 0;
}

/* Sets all axes of the lattice where --size is one number, and makes cells sites: it is called
 * once.
 */
int simulate_settle_size(simulate_request *request)
{
    clup_problem *problem = &request->problem;
    const char *name = clup_lattice_name(problem->lattice);
    unsigned axes = clup_lattice_axes(problem->lattice);
    if (request->cell[0] != '\0')
        return settle_cells(request);
    if (problem->lattice == CLUP_LATTICE_GRAPH && problem->graph == NULL)
        return cli_usage_error("--lattice graph: --graph EDGES says which");
    if (request->open >> 3 != 0)
        return cli_usage_error("--open: the %s lattice has %u axes", name, axes);
    if (problem->graph != NULL) {
        const char *beside = request->size_count > 0                      ? "size"
                             : request->open != 0                         ? "open"
                             : cli_given("lattice") && cli_given("graph") ? "lattice"
                                                                          : NULL;
        if (beside != NULL)
            return cli_usage_error("--%s does not go with --graph, which has %" PRIu32 " vertices",
                                   beside, problem->size[0]);
        request->size_count = axes;
        return 0;
    }
    if (request->size_count > 1 && request->size_count != axes)
        return cli_usage_error("--size has %u axes, the %s lattice %u", request->size_count, name,
                               axes);
    if (axes < 3 && !problem->periodic[2])
        return cli_usage_error("--open 'z': the %s lattice has no such axis", name);
    unsigned cell[3];
    clup_lattice_cell(problem->lattice, cell);
    for (unsigned axis = request->size_count; axis < axes; axis++)
        problem->size[axis] = axis > 0 && !clup_lattice_leads_along(problem->lattice, axis) ? 1
                              : request->size_count > 0 ? problem->size[0]
                              : axes < 3                ? SIZE_2D
                                                        : SIZE_3D;
    for (unsigned axis = 0; axis < axes; axis++) {
        if (problem->size[axis] > UINT32_MAX / cell[axis])
            return cli_usage_error("--size: %" PRIu32 " cells of %u sites are too many",
                                   problem->size[axis], cell[axis]);
        problem->size[axis] *= cell[axis];
    }
    request->size_count = axes;
    return 0;
}

/* Makes one temperature for each replica: each temperature gets as many replicas as were asked
 * for. */
static int settle_betas(simulate_request *request)
{
    clup_problem *problem = &request->problem;
    const uint64_t each = problem->replicas > 0 ? problem->replicas : 1,
                   all = each * request->beta_count;
    if (all > REPLICAS_MAX)
        return cli_usage_error("--%s has %" PRIu32 " values, with %" PRIu64
                               " replicas each: %" PRIu64 " systems, %u are allowed",
                               request->tempering ? "tempering" : "betas", request->beta_count,
                               each, all, REPLICAS_MAX);
    double *betas = malloc((size_t)all * sizeof *betas);
    if (betas == NULL)
        return cli_fail_memory("the temperatures");
    for (uint64_t r = 0; r < all; r++)
        betas[r] = request->betas[r / each];
    free(request->betas);
    request->betas = betas;
    problem->betas = betas;
    problem->beta = betas[0];
    problem->replicas = (uint32_t)all;
    return 0;
}

/* Makes the betas the schedule, and validates each as a temperature at which systems may begin. */
static int settle_schedule(simulate_request *request)
{
    const uint64_t rows = (uint64_t)simulate_replicas(request) * request->beta_count;
    request->schedule = request->betas;
    request->steps = request->beta_count;
    request->betas = NULL;
    if (rows > REPLICAS_MAX && !request->population)
        return cli_usage_error("--anneal has %" PRIu32 " values, with %" PRIu32
                               " replicas: %" PRIu64 " results, %u are allowed",
                               request->steps, simulate_replicas(request), rows, REPLICAS_MAX);
    if (request->until != NULL)
        return cli_usage_error(
            "--until does not go with --anneal, whose steps have equal numbers of "
            "sweeps");
    if (request->settles)
        return cli_usage_error("--thermalize auto does not go with --anneal, whose steps begin out "
                               "of equilibrium: give a number of sweeps");
    if (request->population && simulate_replicas(request) < 2)
        return cli_usage_error("--population takes --replicas 2 or more, which are the population");
    for (uint32_t k = request->steps; k-- > 0;) {
        if (request->population && isinf(request->schedule[k]))
            return cli_usage_error("--population: value %" PRIu32 " of --anneal is not finite",
                                   k + 1);
        request->problem.beta = request->schedule[k];
        const clup_status status = clup_problem_check(&request->problem);
        if (status != CLUP_OK)
            return cli_fail(status);
    }
    return 0;
}

/* Validates that the temperatures of tempering increase. */
static int check_tempering(const simulate_request *request)
{
    if (request->beta_count < 2)
        return cli_usage_error("--tempering has one value: systems go between two or more");
    for (uint32_t k = 0; k < request->beta_count; k++)
        if (isinf(request->betas[k]) || (k > 0 && request->betas[k] <= request->betas[k - 1]))
            return cli_usage_error(
                "--tempering: value %" PRIu32 ", %g, %s", k + 1, request->betas[k],
                isinf(request->betas[k]) ? "is not finite" : "is not above the one before it");
    return 0;
}

/* Whether a problem has disorder of any kind. */
static int has_disorder(const clup_problem *problem)
{
    const size_t kinds = sizeof problem->disorder / sizeof *problem->disorder;
    int any = 0;
    for (size_t k = 0; k < kinds; k++)
        any |= problem->disorder[k] > 0;
    return any;
}

/* Whether a problem has couplings other than 1, or disorder. */
static int more_than_lattice(const clup_problem *problem)
{
    char text[CLUP_FIELD_TEXT];
    return has_disorder(problem) || problem->bond_couplings != NULL ||
           (clup_problem_get(problem, "coupling", text) == CLUP_OK && strcmp(text, "1") != 0);
}

static int settle_beta(simulate_request *request)
{
    clup_problem *problem = &request->problem;
    const double critical = clup_problem_critical_beta(problem);
    char system[64];
    if (problem->model == CLUP_TABLE)
        snprintf(system, sizeof system, "the model's table");
    else if (clup_spin_bytes(problem) > 1)
        snprintf(system, sizeof system, "the %s model", clup_model_name(problem->model));
    else
        snprintf(system, sizeof system, "q = %u", problem->q);
    if (request->beta_kind == BETA_TWICE)
        return cli_usage_error("give one of --beta, --beta-ratio, --temperature, --betas, "
                               "--tempering and --anneal, once");
    if (request->steps > 0)
        return settle_schedule(request);
    const int code = request->tempering ? check_tempering(request) : 0;
    if (code != 0)
        return code;
    if (request->beta_kind == BETA_LIST)
        return settle_betas(request);
    if ((request->beta_kind == BETA_DEFAULT || request->beta_kind == BETA_RATIO) &&
        problem->q >= 2 && isnan(critical))
        return cli_usage_error("the critical temperature of %s on the %s lattice%s is not known: "
                               "give --beta or --temperature",
                               system,
                               problem->graph != NULL ? clup_graph_called(problem->graph)
                                                      : clup_lattice_name(problem->lattice),
                               problem->field != 0          ? " in a field"
                               : more_than_lattice(problem) ? " with these couplings"
                                                            : "");
    problem->beta = request->beta_kind == BETA          ? request->beta_value
                    : request->beta_kind == TEMPERATURE ? 1 / request->beta_value
                    : request->beta_kind == BETA_RATIO  ? request->beta_value * critical
                                                        : critical;
    return 0;
}

/* Validates options of the few-cluster algorithm. */
static int settle_method(const simulate_request *request)
{
    static const char *const options[] = {"seeds-per-side", "p-flip"};
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        if (request->method.algorithm != CLUP_FEW_CLUSTER && cli_given(options[k]))
            return cli_usage_error("--%s goes with --algorithm few-cluster, not %s", options[k],
                                   clup_algorithm_name(request->method.algorithm));
    return 0;
}

/* Reads the couplings for the lattice, and validates what does not fit them. */
static int settle_couplings(simulate_request *request)
{
    clup_problem *problem = &request->problem;
    if (request->coupling[0] != '\0' &&
        clup_problem_set(problem, "coupling", request->coupling) != CLUP_OK)
        return cli_usage_error("--coupling '%s': is not one coupling, nor one for each direction "
                               "of the %s lattice",
                               request->coupling, clup_lattice_name(problem->lattice));
    if (!has_disorder(problem) && (problem->disorder_seed != 0 || problem->disorder_samples != 0))
        return cli_usage_error("--disorder-seed and --disorder-samples go with --disorder");
    return 0;
}

/* Whether an observable of a group is asked for. */
static bool asks_for(const simulate_request *request, const char *group)
{
    for (size_t k = 0; k < request->observable_count; k++)
        if (strcmp(clup_observable_group(request->observables[k]), group) == 0)
            return true;
    return false;
}

/* Adds the signed magnetisation in a field, unless observables are named. Refuses the staggered
 * magnetisation of a lattice without sublattices, and overlaps of systems that are alone, unless
 * they come with all that is measured. */
static int settle_observables(simulate_request *request)
{
    clup_status status = CLUP_OK;
    if (request->observable_count == 0 && request->problem.field != 0 &&
        (status = simulate_set_observables(request, "signed")) != CLUP_OK)
        return cli_fail(status);
    if (request->observable_count == simulate_observables())
        return 0;
    simulate_measure_targets(request);
    for (size_t k = 0; k < request->observable_count && request->problem.graph != NULL; k++) {
        const char *group = clup_observable_group(request->observables[k]);
        if (strcmp(group, "spins") != 0 && strcmp(group, "clusters") != 0 &&
            strcmp(group, "signed") != 0)
            return cli_usage_error("--observables %s: of graphs there are clusters and signed",
                                   group);
    }
    if (asks_for(request, "staggered") && clup_problem_sublattices(&request->problem) == 0)
        return cli_usage_error("--observables staggered: the %s lattice has no sublattices of this "
                               "size; square and cubic ones have two where periodic axes are "
                               "even, triangular ones three where they are multiples of 3",
                               clup_lattice_name(request->problem.lattice));
    if (asks_for(request, "overlap"))
        status = clup_problem_partners(&request->problem, NULL);
    return status == CLUP_OK ? 0 : cli_fail(status);
}

int simulate_settle(simulate_request *request)
{
    int code = settle_method(request);
    if (request->until != NULL && !cli_given("sweeps"))
        request->sweeps = SWEEPS_UNTIL;
    if (code == 0)
        code = simulate_settle_size(request);
    if (code == 0)
        code = settle_couplings(request);
    if (code != 0 || (code = settle_beta(request)) != 0 ||
        (code = settle_observables(request)) != 0)
        return code;
    clup_status status = clup_problem_check(&request->problem);
    return status == CLUP_OK ? 0 : cli_fail(status);
}

void simulate_more_help(FILE *to)
{
    cli_print_kernels(to, CLUP_POTTS);
    fputs("\nrandom numbers\n", to);
    for (size_t k = 0; clup_rng_name(k) != NULL; k++)
        fprintf(to, "  %-13s%-20s%s\n", "", clup_rng_name(k), clup_rng_about(k));
}
