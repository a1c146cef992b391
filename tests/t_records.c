/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurements of sweeps in each layout, on lattices of many tiles, against the serial reference:
 * the record of every sweep, bit by bit, and in the border layout the size of every cluster that is
 * in more than one tile. Seeds, sweeps and replicas need more than 32 bits. */
#include <math.h>

#include "border/border.clh"
#include "device.h"
#include "run/measure.h"
#include "estimate/modes.h"
#include "update/update.h"

#define SWEEPS 4u
#define REPLICAS_MOST 3u
/* The number of the third sweep does not fit 32 bits. */
#define FIRST_SWEEP 0xFFFFFFFEu

static clup_context *context;

static const double betas[REPLICAS_MOST] = {0.7, 1, 2};

/* Plans, the least number of systems that each can do, how many of them need 64 KiB of local
 * memory, and the size above which a cluster must occur, here and on a device with less. */
static const struct {
    const char *bonds, *local;
    unsigned systems, large;
    uint64_t largest, largest_of_small;
} kinds[] = {
    {"word", "runs", 15, 2, 65535, 65535},          {"char", "selflabel", 8, 0, 65535, 65535},
    {"border", "runs_border", 12, 0, 65535, 65535}, {"border", "runs_serial", 16, 0, 65535, 65535},
    {"border", "runs_volume", 3, 0, 40000, 40000},  {"resident", NULL, 4, 1, 32000, 14000}};
#define KINDS (sizeof kinds / sizeof *kinds)
#define BORDER 2

static uint64_t largest_most;

/* Combs: a row of equal spins, then a row of which every second site has that spin and the others
 * differ from all neighbours. With all bonds active, a row connects more clusters than the lists of
 * kernels have room for. */
#define START_COMBS ((clup_start)-1)
/* A block of equal spins, of more than 2^10 sites, inside a tile of a volume. */
#define START_BLOCK ((clup_start)-2)

static const struct {
    clup_problem problem;
    clup_start start;
} systems[] = {
    {{.size = {500, 130}, .periodic = {1, 1}, .q = 2, .beta = 0.881373587}, CLUP_START_RANDOM},
    {{.size = {301, 97}, .periodic = {0, 1}, .q = 3, .beta = 1}, CLUP_START_ORDERED},
    {{.size = {129, 200}, .periodic = {1, 0}, .q = 5, .beta = 1.17}, CLUP_START_ORDERED},
    {{.lattice = CLUP_LATTICE_TRIANGULAR,
      .size = {330, 140},
      .periodic = {1, 1},
      .q = 2,
      .beta = 0.549306144},
     CLUP_START_ORDERED},
    {{.lattice = CLUP_LATTICE_TRIANGULAR,
      .size = {97, 210},
      .periodic = {0, 1},
      .q = 3,
      .beta = 0.63},
     CLUP_START_RANDOM},
    {{.lattice = CLUP_LATTICE_CUBIC,
      .size = {70, 40, 30},
      .periodic = {1, 1, 1},
      .q = 2,
      .beta = 0.45},
     CLUP_START_ORDERED},
    {{.lattice = CLUP_LATTICE_CUBIC, .size = {39, 18, 33}, .q = 3, .replicas = 2, .beta = 0.5},
     CLUP_START_RANDOM},
    {{.lattice = CLUP_LATTICE_CUBIC, .size = {35, 17, 18}, .q = 3, .beta = INFINITY}, START_BLOCK},
    {{.size = {260, 100},
      .periodic = {1, 1},
      .q = 2,
      .first_replica = 65530,
      .replicas = 3,
      .betas = betas},
     CLUP_START_RANDOM},
    /* a cluster with more sites than 16 bits hold, whose squared size does not fit 32 bits */
    {{.size = {400, 300}, .periodic = {1, 1}, .q = 2, .beta = 1.3}, CLUP_START_ORDERED},
    /* the most sites of a resident lattice, nearly all in one cluster */
    {{.size = {160, 204}, .periodic = {1, 1}, .q = 2, .beta = 1.5}, CLUP_START_ORDERED},
    /* the last band has many fewer rows than the others */
    {{.size = {31, 497}, .periodic = {1, 1}, .q = 2, .beta = 0.9}, CLUP_START_ORDERED},
    /* narrow lattices have more bands */
    {{.size = {12, 150}, .periodic = {1, 1}, .q = 2, .beta = 0.8}, CLUP_START_RANDOM},
    /* many tiles for each group that counts, and many clusters in each tile */
    {{.size = {2600, 290}, .periodic = {1, 1}, .q = 2, .beta = 0.4}, CLUP_START_RANDOM},
    {{.size = {301, 97}, .periodic = {1, 0}, .q = 3, .beta = INFINITY}, START_COMBS},
    {{.size = {71, 90},
      .periodic = {1, 0},
      .q = 3,
      .first_replica = 65533,
      .replicas = 3,
      .betas = betas},
     CLUP_START_RANDOM},
};
#define SYSTEMS (sizeof systems / sizeof *systems)

/* The system on the device, and for each replica on the host. */
typedef struct both {
    uint32_t replicas;
    clup_update update;
    clup_measure measure;
    int32_t *modes;
    clup_reference references[REPLICAS_MOST];
} both;

static const char *name(const char *row)
{
    return row != NULL ? row : "none";
}

/* Gets the spins of a simulation before its first sweep. */
static void start_of(clup_context *where, const clup_problem *problem, uint8_t *spins)
{
    clup_simulation *simulation;
    clup_plan plan = {0};
    if (where != NULL)
        NEED(clup_plan_choose(where, problem, NULL, NULL, &plan));
    NEED(clup_simulation_create(where, problem, NULL, &plan, 5, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_spins(simulation, spins));
    clup_simulation_free(simulation);
}

static void make_combs(const lattice_args *lattice, uint8_t *spins)
{
    for (uint32_t y = 0; y < lattice->ny; y++)
        for (uint32_t x = 0; x < lattice->nx; x++)
            spins[x + (uint64_t)lattice->nx * y] = y % 2 == 0 && x % 2 == 1 ? 2 : y / 2 % 2;
}

static void make_block(const lattice_args *lattice, uint8_t *spins)
{
    for (uint32_t row = 0; row < lattice_rows(*lattice); row++)
        for (uint32_t x = 0; x < lattice->nx; x++) {
            const uint32_t y = row % lattice->ny, z = row / lattice->ny;
            spins[row * lattice->nx + x] = x - 2 < 26 && y - 2 < 12 && z - 2 < 12;
        }
}

static void create(const clup_problem *problem, const clup_plan *plan, clup_start start, both *both)
{
    const uint64_t seed = 0x123456789Au, sites = clup_problem_sites(problem);
    uint8_t *spins = malloc(REPLICAS_MOST * sites);
    both->replicas = clup_problem_replicas(problem);
    NEED(clup_update_create(context, problem, NULL, plan, seed, &both->update));
    NEED(clup_measure_create(&both->update.state, both->update.prepared[CLUP_LOCAL].variant,
                             plan->tile, !clup_update_has_many(&both->update), &both->measure));
    both->update.state.counting = true;
    both->update.state.measuring = (clup_measuring){clup_measure_all(&both->update.state), 1, 0};
    NEED(clup_measure_prepare(&both->measure, problem, both->update.state.measuring.format));
    NEED((both->modes = clup_modes_table(&both->update.state.lattice)) != NULL ? CLUP_OK
                                                                               : CLUP_ERROR_MEMORY);
    both->update.state.key = later_key(both->update.state.key, FIRST_SWEEP);
    for (uint32_t r = 0; r < both->replicas; r++) {
        clup_reference *reference = &both->references[r];
        clup_problem own = *problem;
        own.beta = clup_problem_beta(problem, r);
        own.betas = NULL;
        own.first_replica += r;
        own.replicas = 1;
        NEED(clup_reference_create(&own, NULL, NULL, seed, reference));
        reference->host.key = later_key(reference->host.key, FIRST_SWEEP);
        if (start == START_COMBS)
            make_combs(&reference->host.lattice, reference->host.spins);
        else if (start == START_BLOCK)
            make_block(&reference->host.lattice, reference->host.spins);
        else
            clup_start_spins(&reference->host.lattice, problem, reference->host.key, start,
                             reference->host.spins);
        memcpy(spins + r * sites, reference->host.spins, sites);
    }
    NEED(clup_state_write_spins(&both->update.state, spins));
    NEED(clup_buffer_zero(context, CLUP_STAGES, both->update.state.updated,
                          both->replicas * sizeof(cl_uint)));
    free(spins);
}

static void clear(both *both)
{
    clup_timer_collect(&context->timer);
    clup_measure_clear(&both->measure);
    clup_update_clear(&both->update);
    free(both->modes);
    for (uint32_t r = 0; r < both->replicas; r++)
        clup_reference_clear(&both->references[r]);
}

/* Counts the clusters with borders whose size differs from the reference's cluster with that first
 * site, or that the reference does not have. */
static unsigned wrong_sizes(both *both)
{
    clup_state *state = &both->update.state;
    const clup_lattice *of = clup_lattice_of(&state->lattice);
    const uint64_t tiles = border_tiles(state->lattice, of->axes),
                   nodes = tiles * BORDER_NODES_OF(of->axes);
    const size_t edge_bytes = BORDER_EDGE_BYTES(of->axes, of->directions, false);
    char *edges = malloc(both->replicas * tiles * edge_bytes);
    border_node *forest = malloc(both->replicas * nodes * sizeof *forest);
    uint32_t *sizes = malloc(both->replicas * nodes * sizeof *sizes);
    unsigned wrong = 0;
    NEED(clup_buffer_read(context, state->edges, 0, both->replicas * tiles * edge_bytes, edges));
    NEED(clup_buffer_read(context, state->nodes, 0, both->replicas * nodes * sizeof *forest,
                          forest));
    NEED(clup_buffer_read(context, state->node_sizes, 0, both->replicas * nodes * sizeof *sizes,
                          sizes));
    for (uint64_t tile = 0; tile < both->replicas * tiles; tile++) {
        const clup_reference *reference = &both->references[tile / tiles];
        uint32_t clusters;
        memcpy(&clusters, edges + tile * edge_bytes, sizeof clusters);
        const uint64_t first = tile * BORDER_NODES_OF(of->axes);
        for (uint64_t node = first; node < first + clusters; node++)
            if (forest[node].parent == node % nodes)
                wrong += reference->host.labels[forest[node].key] != forest[node].key ||
                         reference->host.sizes[forest[node].key] != sizes[node];
    }
    free(edges), free(forest), free(sizes);
    return wrong;
}

/* Compares sweeps of a system with a plan, measured in both ways. */
static void compare(size_t s, const clup_plan *plan)
{
    static both both;
    static uint32_t stored[SWEEPS * REPLICAS_MOST * 2 * sizeof(sweep_record)];
    sweep_record records[SWEEPS * REPLICAS_MOST], wanted[SWEEPS * REPLICAS_MOST];
    unsigned sizes = 0, wrong = 0, done = 0;
    uint64_t largest = 0;
    create(&systems[s].problem, plan, systems[s].start, &both);
    const bool many = clup_update_has_many(&both.update),
               sized = strcmp(both.update.state.layout->name, "border") == 0 &&
                       !both.update.state.wide;
    if (many)
        NEED(clup_update_many(&both.update, SWEEPS, clup_measure_records(&both.measure), &done));
    else
        NEED(clup_measure_begin(&both.measure, SWEEPS));
    for (unsigned k = 0; k < SWEEPS; k++) {
        if (!many) {
            NEED(clup_update_sweep(&both.update));
            clup_measure_next(&both.measure);
            NEED(clup_measure_sweep(&both.measure, k));
        }
        for (uint32_t r = 0; r < both.replicas; r++) {
            clup_reference *reference = &both.references[r];
            NEED(clup_reference_sweep(reference));
            wanted[k * both.replicas + r] = clup_measure_reference(
                &reference->host.lattice, &reference->host.laws, reference->host.spins,
                reference->host.labels, reference->host.sizes, both.modes);
        }
        sizes += sized ? wrong_sizes(&both) : 0;
    }
    if (!many)
        NEED(clup_measure_end(&both.measure, SWEEPS));
    NEED(clup_measure_fetch(&both.measure, SWEEPS, stored));
    NEED(clup_measure_take(&both.measure, 0));
    for (unsigned k = 0; k < SWEEPS * both.replicas; k++) {
        const uint32_t format = both.update.state.measuring.format;
        uint32_t room[2 * sizeof(sweep_record)];
        record_put(room, format, &wanted[k]);
        wanted[k] = clup_sweep_record_get(room, format);
        records[k] = clup_sweep_record_get(stored + k * record_words(format), format);
        wrong += memcmp(&records[k], &wanted[k], sizeof *records) != 0;
        largest = records[k].largest > largest ? records[k].largest : largest;
    }
    const clup_problem *problem = &systems[s].problem;
    ok(wrong == 0 && sizes == 0,
       "%s, %s%s: %s %u x %u x %u, q = %u, %u replicas, largest cluster %llu: %u records and %u "
       "sizes are wrong",
       plan->bonds, name(plan->local), both.update.state.wide ? ", wide" : "",
       clup_lattice_name(problem->lattice), problem->size[0], problem->size[1],
       both.references[0].host.lattice.nz, problem->q, both.replicas, (unsigned long long)largest,
       wrong, sizes);
    largest_most = largest > largest_most ? largest : largest_most;
    clear(&both);
}

/* Compares all systems that the kernel variants can do. */
static void compare_all(size_t kind)
{
    const bool tiled = clup_layout_of_sites(clup_layout_named(kinds[kind].bonds));
    const clup_plan_request request = {
        .bonds = kinds[kind].bonds, .local = kinds[kind].local, .tile = tiled ? 16 : 0};
    unsigned systems_done = 0;
    largest_most = 0;
    for (size_t s = 0; s < SYSTEMS; s++) {
        clup_plan plan;
        if (clup_plan_choose(context, &systems[s].problem, NULL, &request, &plan) != CLUP_OK)
            continue;
        compare(s, &plan);
        systems_done++;
    }
    const bool less = context->local_mem < 65536;
    ok(systems_done + (less ? kinds[kind].large : 0) >= kinds[kind].systems &&
           largest_most > (less ? kinds[kind].largest_of_small : kinds[kind].largest),
       "%s, %s: %u systems, clusters of up to %llu sites", kinds[kind].bonds,
       name(kinds[kind].local), systems_done, (unsigned long long)largest_most);
}

/* The first spins depend on the replica's own number. */
static void check_starts(clup_context *where)
{
    enum { SITES = 37 * 21, REPLICAS = 3 };
    static uint8_t all[REPLICAS][SITES], alone[SITES], wanted[SITES];
    clup_problem problem = {.size = {37, 21},
                            .periodic = {1, 1},
                            .q = 3,
                            .beta = 1,
                            .first_replica = 65530,
                            .replicas = REPLICAS};
    unsigned right = 0, different = 0;
    start_of(where, &problem, all[0]);
    problem.replicas = 1;
    for (uint32_t r = 0; r < REPLICAS; r++, problem.first_replica++) {
        const lattice_args lattice = clup_lattice_args(&problem);
        start_of(where, &problem, alone);
        clup_start_spins(&lattice, &problem, clup_random_key(5, problem.first_replica, 0),
                         CLUP_START_RANDOM, wanted);
        right += memcmp(all[r], wanted, SITES) == 0 && memcmp(alone, wanted, SITES) == 0;
        different += memcmp(all[r], all[(r + 1) % REPLICAS], SITES) != 0;
    }
    ok(right == REPLICAS && different == REPLICAS,
       "%s: %u of %d replicas start as they do alone, %u not as another",
       where != NULL ? "device" : "reference", right, REPLICAS, different);
}

/* t_records [BONDS]: with an argument, tests that layout alone. */
int main(int argc, char **argv)
{
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    for (size_t kind = 0; kind < KINDS; kind++)
        if (argc < 2 || strcmp(argv[1], kinds[kind].bonds) == 0)
            compare_all(kind);
    if (argc > 1)
        return done_testing();
    /* once more, with sites counted by 64 bits */
    clup_sites_wide = 0;
    compare_all(BORDER);
    check_starts(context);
    check_starts(NULL);
    clup_context_free(context);
    return done_testing();
}
