/* The options of clup simulate: one row each. */
#include <math.h>
#include <string.h>

#include "cli/simulate.h"

/* "N" or "NxM". */
static clup_status set_size(void *target, const char *value)
{
    simulate_wish *wish = target;
    char first[32];
    uint64_t size[2];
    const char *cross = strchr(value, 'x');
    size_t length = cross != NULL ? (size_t)(cross - value) : strlen(value);
    if (length >= sizeof first)
        return CLUP_ERROR_USAGE;
    memcpy(first, value, length);
    first[length] = '\0';
    if (cli_parse_u64(first, UINT32_MAX, &size[0]) != CLUP_OK ||
        cli_parse_u64(cross != NULL ? cross + 1 : first, UINT32_MAX, &size[1]) != CLUP_OK)
        return CLUP_ERROR_USAGE;
    wish->problem.size[0] = (uint32_t)size[0];
    wish->problem.size[1] = (uint32_t)size[1];
    return CLUP_OK;
}

static clup_status set_lattice(void *target, const char *value)
{
    ((simulate_wish *)target)->problem.lattice = CLUP_LATTICE_SQUARE;
    return strcmp(value, "square") == 0 ? CLUP_OK : CLUP_ERROR_USAGE;
}

/* "x", "y" or "x,y". */
static clup_status set_open(void *target, const char *value)
{
    simulate_wish *wish = target;
    for (const char *at = value;; at += 2) {
        if (*at != 'x' && *at != 'y')
            return CLUP_ERROR_USAGE;
        wish->problem.periodic[*at - 'x'] = 0;
        if (at[1] == '\0')
            return CLUP_OK;
        if (at[1] != ',')
            return CLUP_ERROR_USAGE;
    }
}

static clup_status set_q(void *target, const char *value)
{
    uint64_t q;
    clup_status status = cli_parse_u64(value, UINT32_MAX, &q);
    if (status == CLUP_OK)
        ((simulate_wish *)target)->problem.q = (unsigned)q;
    return status;
}

static clup_status set_beta_kind(simulate_wish *wish, int kind, const char *value)
{
    wish->beta_kind = wish->beta_kind == BETA_DEFAULT ? kind : BETA_TWICE;
    clup_status status = cli_parse_double(value, &wish->beta_value);
    return status == CLUP_OK && kind != BETA && !(wish->beta_value >= 0) ? CLUP_ERROR_USAGE : status;
}

static clup_status set_beta(void *target, const char *value)
{
    return set_beta_kind(target, BETA, value);
}

static clup_status set_beta_ratio(void *target, const char *value)
{
    return set_beta_kind(target, BETA_RATIO, value);
}

static clup_status set_temperature(void *target, const char *value)
{
    simulate_wish *wish = target;
    clup_status status = set_beta_kind(wish, TEMPERATURE, value);
    return status == CLUP_OK && !(wish->beta_value > 0) ? CLUP_ERROR_USAGE : status;
}

static clup_status set_sweeps(void *target, const char *value)
{
    return cli_parse_u64(value, UINT64_MAX, &((simulate_wish *)target)->sweeps);
}

static clup_status set_thermalize(void *target, const char *value)
{
    return cli_parse_u64(value, UINT64_MAX, &((simulate_wish *)target)->thermalize);
}

static clup_status set_seed(void *target, const char *value)
{
    return cli_parse_u64(value, UINT64_MAX, &((simulate_wish *)target)->seed);
}

static clup_status set_start(void *target, const char *value)
{
    simulate_wish *wish = target;
    wish->start = strcmp(value, "random") == 0 ? CLUP_START_RANDOM : CLUP_START_ORDERED;
    return wish->start == CLUP_START_RANDOM || strcmp(value, "ordered") == 0 ? CLUP_OK : CLUP_ERROR_USAGE;
}

static clup_status set_tile(void *target, const char *value)
{
    uint64_t tile;
    if (cli_parse_u64(value, UINT32_MAX, &tile) != CLUP_OK || tile == 0)
        return CLUP_ERROR_USAGE;
    ((simulate_wish *)target)->plan.tile = (unsigned)tile;
    return CLUP_OK;
}

static clup_status set_algorithm(void *target, const char *value)
{
    for (clup_algorithm k = 0; clup_algorithm_name(k) != NULL; k++)
        if (strcmp(value, clup_algorithm_name(k)) == 0) {
            ((simulate_wish *)target)->method.algorithm = k;
            return CLUP_OK;
        }
    return CLUP_ERROR_USAGE;
}

static clup_status set_seeds(void *target, const char *value)
{
    uint64_t seeds;
    clup_status status = cli_parse_u64(value, UINT32_MAX, &seeds);
    if (status == CLUP_OK)
        ((simulate_wish *)target)->method.seeds_per_side = (unsigned)seeds;
    return status;
}

static clup_status set_p_flip(void *target, const char *value)
{
    return cli_parse_double(value, &((simulate_wish *)target)->method.p_flip);
}

/* Options that keep their text, and those that raise a flag. */
#define TEXT_OPTION(NAME, FIELD) \
    static clup_status set_##NAME(void *target, const char *value) \
    { \
        ((simulate_wish *)target)->FIELD = value; \
        return CLUP_OK; \
    }
#define FLAG_OPTION(NAME, FIELD) \
    static clup_status set_##NAME(void *target, const char *value) \
    { \
        (void)value; \
        ((simulate_wish *)target)->FIELD = 1; \
        return CLUP_OK; \
    }
TEXT_OPTION(device, device)
TEXT_OPTION(rng, method.rng)
TEXT_OPTION(source, plan.source)
TEXT_OPTION(local, plan.local)
TEXT_OPTION(consolidate, plan.consolidate)
TEXT_OPTION(action, plan.action)
TEXT_OPTION(bonds, plan.bonds)
TEXT_OPTION(save_spins, save_spins)
FLAG_OPTION(reference, reference)
FLAG_OPTION(json, json)
FLAG_OPTION(quiet, quiet)

const cli_option simulate_options[] = {
    {"lattice", 0, "square", "lattice (square)", set_lattice},
    {"size", 0, "N|NxM", "sites along x and y (256)", set_size},
    {"open", 0, "x,y", "axes that do not wrap around (none)", set_open},
    {"q", 0, "N", "states of the Potts model, 2 to 256 (2)", set_q},
    {"beta", 0, "X", "inverse temperature J/(k_B T); inf is allowed", set_beta},
    {"beta-ratio", 0, "X", "the same in units of the critical one (1)", set_beta_ratio},
    {"temperature", 0, "X", "the same as k_B T/J > 0", set_temperature},
    {"sweeps", 0, "N", "sweeps that are measured (1000)", set_sweeps},
    {"thermalize", 0, "N", "sweeps before them (100)", set_thermalize},
    {"seed", 0, "N", "seed of all random numbers (1)", set_seed},
    {"start", 0, "ordered|random", "first spins (ordered)", set_start},
    {"algorithm", 0, "sw|wolff|few-cluster", "Swendsen-Wang, Wolff, or some clusters at once (sw)", set_algorithm},
    {"seeds-per-side", 0, "S", "few-cluster: grows S x S clusters a sweep (4)", set_seeds},
    {"p-flip", 0, "X", "few-cluster: updates a grown cluster with X < 1 (0.9)", set_p_flip},
    {"rng", 0, "G", "generator of random numbers (philox)", set_rng},
    {"device", 0, "D", "P:D, part of a name, UUID, PCI address, gpu, cpu", set_device},
    {"source", 0, "K", "kernel that activates bonds", set_source},
    {"local", 0, "K", "kernel that labels inside tiles", set_local},
    {"consolidate", 0, "K", "kernel that joins clusters of different tiles", set_consolidate},
    {"action", 0, "K", "kernel that updates the spins of clusters", set_action},
    {"tile", 0, "B", "sites along the edge of a tile", set_tile},
    {"bonds", 0, "char|word", "layout of spins and bonds", set_bonds},
    {"reference", 0, NULL, "run the serial reference instead of a device", set_reference},
    {"save-spins", 0, "F.npy", "write the last spins to a NumPy file", set_save_spins},
    {"json", 0, NULL, "print one JSON object instead of a table", set_json},
    {"quiet", 'q', NULL, "no progress bar", set_quiet},
    {0},
};

void simulate_more_help(FILE *to)
{
    static const clup_stage stages[] = {CLUP_SOURCE, CLUP_LOCAL, CLUP_CONSOLIDATE, CLUP_ACTION};
    fputs("\nkernels\n", to);
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++)
        for (size_t k = 0; clup_kernel_name(stages[s], k) != NULL; k++)
            fprintf(to, "  %-13s%-20s%s\n", k == 0 ? clup_stage_name(stages[s]) : "", clup_kernel_name(stages[s], k), clup_kernel_about(stages[s], k));
    fputs("\nrandom numbers\n", to);
    for (size_t k = 0; clup_rng_name(k) != NULL; k++)
        fprintf(to, "  %-13s%-20s%s\n", "", clup_rng_name(k), clup_rng_about(k));
}
