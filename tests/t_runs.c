/* SPDX-License-Identifier: BSD-3-Clause */
/* Random problems with random plans against the serial definitions: simulations by the record of
 * every sweep and the spins, percolation by every sample, labelling by every label.
 *
 *   t_runs [FIRST COUNT [SECONDS]]   runs number FIRST to FIRST + COUNT - 1, or fewer when SECONDS
 *                                    have passed
 *
 * The number of a run decides its problem, on every device. Its plan is one of those that the
 * device supports. */
#include <math.h>
#include <string.h>

#include "base/timing.h"
#include "core/state.h"
#include "run/engine.h"
#include "run/measure.h"
#include "picture.h"
#include "tap.h"
#include "label/labelling.h"
#include "update/percolation.h"

#define SITES_MOST 30000.0

static clup_context *context;
/* The number of runs without a possible plan, and why the last one had none. */
static unsigned none;

/* ---- what is drawn --------------------------------------------------------------------------- */

static bool chance(unsigned of_100)
{
    return noise(100) < of_100;
}

/* A length with uniform logarithm, up to most: small ones are as frequent as large ones. */
static uint32_t length_up_to(double most)
{
    const double drawn = exp(log(most + 1) * (noise(1u << 30) + 0.5) / (double)(1u << 30));
    return drawn < most ? (uint32_t)drawn : (uint32_t)most;
}

static void draw_size(unsigned axes, double most, uint32_t size[3])
{
    const unsigned first = noise(axes);
    double left = most;
    size[2] = 1;
    for (unsigned k = 0; k < axes; k++) {
        uint32_t *length = &size[(first + k) % axes];
        /* words and tiles end at multiples of 32, and there or next to it */
        *length = chance(70) ? length_up_to(left) : 32 * (1 + noise(8)) - 1 + noise(3);
        *length = *length > left ? (uint32_t)left : *length;
        left /= *length;
    }
}

static unsigned draw_states(void)
{
    static const unsigned states[] = {2, 2, 2, 3, 4, 5, 16, 17, 255, 256};
    return chance(80) ? states[noise(sizeof states / sizeof *states)] : 2 + noise(255);
}

static double draw_beta(clup_lattice_kind lattice, unsigned q)
{
    const double known = clup_critical_beta(lattice, q), critical = isnan(known) ? 0.4 : known;
    return chance(5)    ? 0
           : chance(5)  ? INFINITY
           : chance(50) ? critical
                        : critical * (0.3 + noise(2000) / 1000.0);
}

static uint64_t draw_seed(void)
{
    const uint64_t high = noise(UINT32_MAX);
    return high << 32 | noise(UINT32_MAX);
}

/* Draws the width of site numbers, 32 or 64 bits, where both are possible. */
static void draw_width(void)
{
    clup_sites_wide = chance(30) ? 0 : UINT32_MAX;
}

static void describe(const clup_problem *problem, const clup_plan *plan, char text[320])
{
    snprintf(text, 320,
             "%s %u x %u x %u, periodic %d %d %d, %u replicas from %u; %s + %s + %s + %s, %s, tile "
             "%u x %u x %u%s",
             clup_lattice_name(problem->lattice), problem->size[0], problem->size[1],
             problem->size[2], problem->periodic[0], problem->periodic[1], problem->periodic[2],
             problem->replicas, problem->first_replica, plan->source != NULL ? plan->source : "-",
             plan->local != NULL ? plan->local : "-",
             plan->consolidate != NULL ? plan->consolidate : "-", plan->action, plan->bonds,
             plan->tile[0], plan->tile[1], plan->tile[2], clup_sites_wide == 0 ? ", wide" : "");
}

/* Draws a plan. Returns false, and prints why, when none is possible. */
static bool draw_plan(uint64_t number, const clup_problem *problem, const clup_method *method,
                      clup_plan *plan)
{
    if (clup_plan_choose(context, problem, method,
                         &(clup_plan_request){.strategy = CLUP_PLAN_RANDOM, .seed = number},
                         plan) == CLUP_OK)
        return true;
    none++;
    printf("# run %llu has no plan: %s\n", (unsigned long long)number, clup_error_detail());
    return false;
}

/* ---- simulations ----------------------------------------------------------------------------- */

#define REPLICAS_MOST 6
#define SWEEPS_MOST 12

static void draw_problem(clup_problem *problem, clup_method *method, double *betas)
{
    *problem = (clup_problem){.lattice = (clup_lattice_kind)noise(CLUP_LATTICE_GRAPH),
                              .q = draw_states(),
                              .replicas = chance(60) ? 1 : 1 + noise(REPLICAS_MOST),
                              .betas = betas};
    *method = (clup_method){.algorithm = chance(80)   ? CLUP_SWENDSEN_WANG
                                         : chance(60) ? CLUP_WOLFF
                                                      : CLUP_FEW_CLUSTER,
                            .p_flip = 0.1 + noise(800) / 1000.0};
    if (method->algorithm != CLUP_SWENDSEN_WANG)
        problem->replicas = 1;
    if (method->algorithm == CLUP_FEW_CLUSTER)
        problem->lattice = CLUP_LATTICE_SQUARE;
    draw_size(clup_lattice_axes(problem->lattice), SITES_MOST / problem->replicas, problem->size);
    for (unsigned axis = 0; axis < clup_lattice_axes(problem->lattice); axis++)
        problem->periodic[axis] = chance(65);
    for (uint32_t r = 0; r < problem->replicas; r++)
        betas[r] = draw_beta(problem->lattice, problem->q);
    problem->first_replica = chance(70) ? 0 : noise(65536 - problem->replicas);
    const uint32_t shorter = problem->size[0] < problem->size[1] ? problem->size[0]
                                                                 : problem->size[1];
    method->seeds_per_side = 1 + noise(shorter < 12 ? shorter : 12);
}

/* Compares batches of sweeps, some of which are measured, with the host. */
static bool same_sweeps(clup_engine *engines[2], clup_algorithm algorithm, unsigned q,
                        const lattice_args *lattice, uint32_t replicas, unsigned *sweep)
{
    uint32_t records[2][SWEEPS_MOST * REPLICAS_MOST * sizeof(sweep_record) / 4];
    const uint32_t groups = (chance(70) ? RECORD_CLUSTERS : 0) | (chance(40) ? RECORD_MODES : 0);
    clup_measuring measuring = {clup_measure_format(lattice, q, 0, algorithm, groups), 1 + noise(3),
                                0};
    while (*sweep < SWEEPS_MOST) {
        const unsigned count = 1 + noise(SWEEPS_MOST - *sweep);
        const bool measured = chance(80);
        for (unsigned k = 0; k < 2; k++) {
            unsigned done;
            NEED(engines[k]->kind->observe(engines[k], &measuring));
            NEED(
                engines[k]->kind->batch(engines[k], count, 0, measured ? records[k] : NULL, &done));
        }
        *sweep += count;
        if (measured && memcmp(records[0], records[1],
                               4ull * replicas * clup_measuring_records(&measuring, count) *
                                   record_words(measuring.format)) != 0)
            return false;
        if (measured)
            measuring.before = (measuring.before + count) % measuring.every;
    }
    return true;
}

/* Draws how many rows go in one piece. */
static uint64_t some_of(uint64_t rows)
{
    return chance(50) ? rows : 1 + noise((unsigned)rows);
}

static void simulate(uint64_t number)
{
    clup_problem problem;
    clup_method method;
    clup_plan plan;
    clup_engine *engines[2];
    double betas[REPLICAS_MOST];
    char text[320];
    unsigned sweep = 0;
    draw_problem(&problem, &method, betas);
    draw_width();
    const uint64_t seed = draw_seed(), sites = clup_problem_sites(&problem),
                   all = problem.replicas * sites;
    const clup_start start = chance(70) ? CLUP_START_RANDOM : CLUP_START_ORDERED;
    const lattice_args lattice = clup_lattice_args(&problem);
    const uint64_t rows = all / lattice.nx;
    if (!draw_plan(number, &problem, &method, &plan))
        return;
    uint8_t *spins[2] = {malloc(all), malloc(all)};
    for (uint32_t r = 0; r < problem.replicas; r++)
        clup_start_spins(&lattice, &problem, clup_random_key(seed, problem.first_replica + r, 0),
                         start, spins[0] + r * sites);
    NEED(clup_engine_create(context, &problem, &method, &plan, seed, &plan, &engines[0]));
    clup_plan none = {0};
    NEED(clup_engine_create(NULL, &problem, &method, &none, seed, &none, &engines[1]));
    for (unsigned k = 0; k < 2; k++)
        for (uint64_t first = 0, count; first < rows; first += count) {
            count = some_of(rows - first);
            NEED(engines[k]->kind->write_rows(engines[k], first, count,
                                              spins[0] + first * lattice.nx));
        }
    const bool same = same_sweeps(engines, method.algorithm, problem.q, &lattice, problem.replicas,
                                  &sweep);
    for (unsigned k = 0; k < 2; k++) {
        for (uint64_t first = 0, count; first < rows; first += count) {
            count = some_of(rows - first);
            NEED(engines[k]->kind->read_rows(engines[k], first, count,
                                             spins[k] + first * lattice.nx));
        }
        engines[k]->kind->free(engines[k]);
    }
    describe(&problem, &plan, text);
    ok(same && memcmp(spins[0], spins[1], all) == 0, "%llu: %s, q = %u, beta %g: %s",
       (unsigned long long)number, text, problem.q, betas[0], same ? "spins" : "records differ");
    if (!same)
        printf("# before sweep %u\n", sweep);
    free(spins[0]), free(spins[1]);
}

/* ---- percolation ----------------------------------------------------------------------------- */

static void percolate(uint64_t number)
{
    enum { MOST = 5, ROUNDS = 3 };
    clup_problem problem = {.lattice = (clup_lattice_kind)noise(CLUP_LATTICE_GRAPH),
                            .model = chance(50) ? CLUP_BOND_PERCOLATION : CLUP_SITE_PERCOLATION,
                            .replicas = 1 + noise(MOST)};
    clup_engine *device;
    clup_percolation_reference reference;
    clup_plan plan;
    char text[320];
    unsigned wrong = 0;
    draw_size(clup_lattice_axes(problem.lattice), SITES_MOST / problem.replicas, problem.size);
    for (unsigned axis = 0; axis < clup_lattice_axes(problem.lattice); axis++)
        problem.periodic[axis] = chance(60);
    draw_width();
    const uint64_t seed = draw_seed();
    const double known = clup_critical_p(problem.lattice, problem.model),
                 critical = isnan(known) ? 0.1 : known;
    if (!draw_plan(number, &problem, NULL, &plan))
        return;
    NEED(clup_engine_percolation_device(context, &problem, NULL, &plan, seed, &device));
    NEED(clup_percolation_reference_create(&problem, seed, &reference));
    for (unsigned k = 0; k < ROUNDS; k++) {
        const uint64_t first = chance(70) ? k * problem.replicas
                                          : noise(UINT32_MAX) + (uint64_t)noise(8);
        const double p = chance(60) ? critical : noise(1001) / 1000.0;
        clup_percolation_sample got[MOST], wanted;
        unsigned done;
        device->kind->go_to(device, first, p);
        NEED(device->kind->batch(device, 1, 0, got, &done));
        for (unsigned r = 0; r < problem.replicas; r++) {
            NEED(clup_percolation_reference_draw(&reference, p, first + r, &wanted));
            wrong += memcmp(&got[r].sizes, &wanted.sizes, sizeof wanted.sizes) != 0 ||
                     got[r].wraps != wanted.wraps;
        }
    }
    device->kind->free(device);
    clup_percolation_reference_clear(&reference);
    describe(&problem, &plan, text);
    ok(wrong == 0, "%llu: %s, %s: %u samples differ", (unsigned long long)number,
       clup_model_name(problem.model), text, wrong);
}

/* ---- labelling ------------------------------------------------------------------------------- */

static void label(uint64_t number)
{
    static const unsigned kinds[] = {4, 8, 6, 18, 26};
    clup_label_problem problem = {.connectivity = kinds[noise(5)],
                                  .channels = chance(70) ? 1 : 3 + noise(2),
                                  .match = (clup_match)noise(CLUP_MATCHES)};
    const unsigned directions = problem.connectivity / 2,
                   axes = problem.connectivity == 4 || problem.connectivity == 8 ? 2 : 3;
    unsigned colours = 2 + noise(4);
    problem.dtype = (clup_dtype)(CLUP_DTYPE_U8 + noise(CLUP_DTYPES - CLUP_DTYPE_U8));
    if (problem.match == CLUP_MATCH_BONDS) {
        problem.dtype = directions > 8 ? CLUP_DTYPE_U16 : CLUP_DTYPE_U8;
        problem.channels = 1;
        colours = 1u << directions;
    }
    if (problem.match == CLUP_MATCH_TOLERANCE || problem.match == CLUP_MATCH_THRESHOLD) {
        problem.level = noise(3);
        colours += 3;
    }
    problem.has_background = problem.match <= CLUP_MATCH_TOLERANCE && chance(50);
    draw_size(axes, SITES_MOST, problem.size);
    for (unsigned axis = 0; axis < axes && chance(40); axis++)
        problem.periodic[axis] = chance(50);
    const bool open = !problem.periodic[0] && !problem.periodic[1] && !problem.periodic[2];
    clup_label_layout = open && chance(50) ? "bands" : axes == 2 || chance(50) ? "border" : "word";
    picture picture = picture_create(&problem);
    picture_draw(&picture, colours);
    uint32_t *labels = malloc(4 * picture.sites), *numbers = malloc(4 * picture.sites),
             *canonical = malloc(4 * picture.sites), count = 0;
    const uint32_t wanted = flood(&picture, numbers, canonical, NULL);
    clup_labelling *labelling;
    NEED(clup_labelling_create(context, &problem, &labelling));
    NEED(clup_labelling_run(labelling, picture.pixels, CLUP_LABELS_NUMBERED, labels, &count, NULL));
    const bool numbered = count == wanted && memcmp(labels, numbers, 4 * picture.sites) == 0;
    NEED(clup_labelling_run(labelling, picture.pixels, CLUP_LABELS_CANONICAL, labels, NULL, NULL));
    ok(numbered && memcmp(labels, canonical, 4 * picture.sites) == 0,
       "%llu: image of %u x %u x %u, connectivity %u, match %d, %u x %s, periodic %d %d %d%s%s: %u "
       "clusters",
       (unsigned long long)number, problem.size[0], problem.size[1], problem.size[2],
       problem.connectivity, (int)problem.match, problem.channels, clup_dtype_name(problem.dtype),
       problem.periodic[0], problem.periodic[1], problem.periodic[2],
       clup_label_layout != NULL ? ", " : "", clup_label_layout != NULL ? clup_label_layout : "",
       wanted);
    clup_labelling_free(labelling);
    clup_label_layout = NULL;
    free(labels), free(numbers), free(canonical);
    picture_free(&picture);
}

static void run(uint64_t number)
{
    /* scatters successive numbers: the end of SplitMix64 (S. Vigna) */
    uint64_t mixed = (number + 1) * UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    noise_state = (uint32_t)((mixed ^ mixed >> 27) >> 32);
    const unsigned kind = noise(100);
    (kind < 60 ? simulate : kind < 80 ? percolate : label)(number);
}

int main(int argc, char **argv)
{
    const uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 0,
                   count = argc > 2 ? strtoull(argv[2], NULL, 10) : 12;
    const double seconds = argc > 3 ? atof(argv[3]) : INFINITY, start = clup_now_s();
    uint64_t runs = 0;
    NEED(clup_context_create(NULL, &context));
    for (; runs < count && clup_now_s() - start < seconds; runs++)
        run(first + runs);
    printf("# on %s: %llu runs from %llu on in %.0f s, %u of them without a plan\n",
           clup_context_device(context)->name, (unsigned long long)runs, (unsigned long long)first,
           clup_now_s() - start, none);
    clup_context_free(context);
    return done_testing();
}
