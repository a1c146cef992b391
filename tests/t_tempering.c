/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel tempering: exchanges follow the definition, in every layout as on the host; measurements
 * at a rung belong to its temperature, and agree with exact energies; round trips; and new
 * temperatures for the systems of a simulation. */
#include <math.h>
#include <string.h>

#include "io/checkpoint.h"
#include "core/state.h"
#include "core/weight.h"
#include "run/simulation.h"
#include "tap.h"

static const char path[] = "tempering test.h5";

static clup_context *context;

static void check_weights(void)
{
    double worst = 0, rise = 0;
    uint64_t last = (uint64_t)1 << 63;
    for (unsigned k = 0; k <= 45000; k++) {
        const double x = k * 1e-3;
        const uint64_t weight = clup_weight(x);
        worst = fmax(worst, fabs(ldexp((double)weight, -63) - exp(-x)));
        rise = fmax(rise, (double)weight - (double)last);
        last = weight;
    }
    ok(worst < 1e-15 && rise <= 0, "weights are exp(-x) to %.1g, and fall", worst);
    ok(clup_weight(0) == (uint64_t)1 << 63 && clup_weight(44) == 0 && clup_weight(INFINITY) == 0 &&
           clup_weight(1e-19) == (uint64_t)1 << 63,
       "from one to none");
    /* exp(-x) in units of 2^-63, with all digits */
    static const struct {
        double x;
        uint64_t weight;
    } known[] = {{1, 0x2F16AC6C59DE6F8D}, {0.25, 0x63AFBE7AB2082BA2}, {10.5, 0xE6FE131FB506}};
    unsigned right = 0;
    for (size_t k = 0; k < 3; k++) {
        const uint64_t weight = clup_weight(known[k].x);
        right += weight + 128 > known[k].weight && weight < known[k].weight + 128;
    }
    ok(right == 3, "%u of 3 weights are right to 2^-56", right);
}

/* ---- ladders alone --------------------------------------------------------------------------- */

static void check_trips(void)
{
    static const double betas[] = {1, 2, 3};
    /* three systems, each pair of which changes places when it is asked: 1 0 2, 1 2 0, 2 1 0, 2 0
     * 1, 0 2 1, and back */
    static const uint64_t falling[] = {3, 2, 1}, rising[] = {0, 100, 200};
    static const uint32_t wanted[9][3] = {{1, 0, 2}, {1, 2, 0}, {2, 1, 0}, {2, 0, 1}, {0, 2, 1},
                                          {0, 1, 2}, {1, 0, 2}, {1, 2, 0}, {2, 1, 0}};
    static const uint64_t trips[9][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 0, 0},
                                         {1, 0, 0}, {1, 1, 0}, {1, 1, 0}, {1, 1, 1}};
    clup_ladders *ladders;
    unsigned right = 0;
    NEED(clup_ladders_create(betas, 3, 2, &ladders));
    for (uint64_t k = 0; k < 9; k++) {
        clup_ladders_swap(ladders, 1, 0, 2 * k + 1, betas, 1, falling);
        right += memcmp(ladders->systems, wanted[k], sizeof wanted[k]) == 0 &&
                 memcmp(ladders->trips, trips[k], sizeof trips[k]) == 0;
    }
    ok(right == 9, "systems that always change places go round as they should, %u times of 9",
       right);
    ok(ladders->attempts[0] == 5 && ladders->accepted[0] == 5 && ladders->attempts[1] == 4 &&
           ladders->accepted[1] == 4 && ladders->attempts[2] == 0,
       "even and odd pairs by turns");
    for (uint64_t k = 9; k < 20; k++)
        clup_ladders_swap(ladders, 1, 0, 2 * k + 1, betas, 1, rising);
    ok(memcmp(ladders->systems, wanted[8], sizeof wanted[8]) == 0 && ladders->attempts[0] == 10 &&
           ladders->accepted[0] == 5 && ladders->attempts[1] == 10,
       "and stay where their weights are nothing");
    clup_ladders_free(ladders);
}

static void check_betas(void)
{
    static const double four[] = {1, 1, 2, 2}, uneven[] = {1, 1, 2}, mixed[] = {1, 1, 2, 3},
                        down[] = {2, 1}, same[] = {1, 1}, never[] = {1, INFINITY};
    uint32_t ladders = 0;
    ok(clup_ladders_of(four, 4, &ladders) == CLUP_OK && ladders == 2, "two ladders of two rungs");
    ok(clup_ladders_of(uneven, 3, &ladders) == CLUP_ERROR_USAGE &&
           clup_ladders_of(mixed, 4, &ladders) == CLUP_ERROR_USAGE &&
           clup_ladders_of(down, 2, &ladders) == CLUP_ERROR_USAGE &&
           clup_ladders_of(same, 2, &ladders) == CLUP_ERROR_USAGE &&
           clup_ladders_of(never, 2, &ladders) == CLUP_ERROR_USAGE &&
           clup_ladders_of(same, 1, &ladders) == CLUP_ERROR_USAGE,
       "others are refused: %s", clup_error_detail());
}

/* ---- simulations ----------------------------------------------------------------------------- */

static const double betas[] = {0.8, 0.8, 0.9, 0.9, 1.0, 1.0, 1.1, 1.1};
enum { LADDERS = 2, PLACES = 8, SITES = 11 * 6 };
static const clup_problem two = {.size = {11, 6},
                                 .periodic = {1, 1},
                                 .q = 3,
                                 .replicas = PLACES,
                                 .betas = betas,
                                 .first_replica = 300};

static clup_simulation *begin(clup_context *where, const char *bonds, uint64_t swap_every,
                              uint64_t measure_every, uint64_t plain, uint64_t measured)
{
    const clup_plan_request request = {.bonds = bonds};
    clup_plan plan;
    clup_simulation *simulation;
    if (where != NULL)
        NEED(clup_plan_choose(where, &two, NULL, &request, &plan));
    NEED(clup_simulation_create(where, &two, NULL, where != NULL ? &plan : NULL, 12,
                                CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(simulation, (const clup_observable[]){CLUP_SK}, 1, measure_every));
    NEED(clup_simulation_temper(simulation, swap_every));
    NEED(clup_simulation_run(simulation, plain, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, measured, 1, NULL, NULL));
    return simulation;
}

/* Bonds between equal spins by the energy of a measured sweep. */
static double bonds_of(const clup_simulation *simulation, uint32_t place, uint64_t sweep)
{
    double energy;
    NEED(clup_simulation_series(simulation, place, CLUP_ENERGY, sweep, 1, &energy));
    return rint(-energy * SITES);
}

/* Every exchange once more, from the series of energies, which are of the places before it. */
static void check_definition(uint64_t every)
{
    enum { SWEEPS = 240 };
    clup_simulation *simulation = begin(NULL, NULL, every, 1, 0, SWEEPS);
    uint32_t wanted[PLACES], there[PLACES];
    unsigned right = 0, tries = 0, accepted[PLACES] = {0};
    for (uint32_t r = 0; r < PLACES; r++)
        wanted[r] = r;
    for (uint64_t sweep = 0; sweep < SWEEPS; sweep++) {
        for (uint32_t r = 0; r < PLACES; r++)
            NEED(clup_simulation_systems(simulation, r, sweep, 1, &there[r]));
        right += memcmp(there, wanted, sizeof there) == 0;
        if ((sweep + 1) % every != 0)
            continue;
        const uint64_t turn = (sweep + 1) / every;
        for (uint32_t r = turn % 2 == 1 ? 0 : LADDERS; r + LADDERS < PLACES;
             r += r % LADDERS + 1 < LADDERS ? 1 : LADDERS + 1) {
            const philox_block number = random_block(clup_random_key(12, 300 + r, sweep), 20, 0, 0);
            const double u = ldexp(number.v[0], -32) + ldexp(number.v[1], -64),
                         weight = exp((betas[r] - betas[r + LADDERS]) *
                                      (bonds_of(simulation, r + LADDERS, sweep) -
                                       bonds_of(simulation, r, sweep)));
            tries++;
            if (u < weight) {
                const uint32_t system = wanted[r];
                wanted[r] = wanted[r + LADDERS];
                wanted[r + LADDERS] = system;
                accepted[r]++;
            }
        }
    }
    ok(right == SWEEPS, "every %u sweeps: of %u exchanges all follow from the energies",
       (unsigned)every, tries);
    clup_rung rung;
    clup_walker walker;
    unsigned counted = 0, placed = 0;
    for (uint32_t r = 0; r < PLACES; r++) {
        NEED(clup_simulation_rung(simulation, r, &rung));
        NEED(clup_simulation_walker(simulation, wanted[r], &walker));
        counted += rung.accepted == accepted[r] && rung.beta == betas[r] &&
                   rung.rung == r / LADDERS && rung.ladder == r % LADDERS;
        placed += rung.system == wanted[r] && walker.replica == r;
    }
    ok(counted == PLACES && placed == PLACES && tries > 0 && accepted[0] > 0 && accepted[5] > 0,
       "and are counted, and the systems are where they are said to be");
    clup_simulation_free(simulation);
}

/* What is known of two simulations after the same sweeps. */
static int same(clup_simulation *a, clup_simulation *b)
{
    const uint64_t count = clup_simulation_measured(a);
    double *values = malloc((2 * (size_t)count + 1) * sizeof *values);
    uint32_t *systems = malloc((2 * (size_t)count + 1) * sizeof *systems);
    static uint8_t spins[2][PLACES * SITES];
    int right = clup_simulation_measured(b) == count &&
                clup_simulation_sweeps(a) == clup_simulation_sweeps(b);
    NEED(clup_simulation_spins(a, spins[0]));
    NEED(clup_simulation_spins(b, spins[1]));
    right = right && memcmp(spins[0], spins[1], sizeof spins[0]) == 0;
    for (uint32_t r = 0; r < PLACES && right; r++) {
        clup_rung rungs[2];
        clup_walker walkers[2];
        NEED(clup_simulation_rung(a, r, &rungs[0]));
        NEED(clup_simulation_rung(b, r, &rungs[1]));
        NEED(clup_simulation_walker(a, r, &walkers[0]));
        NEED(clup_simulation_walker(b, r, &walkers[1]));
        NEED(clup_simulation_systems(a, r, 0, count, systems));
        NEED(clup_simulation_systems(b, r, 0, count, systems + count));
        right = memcmp(&rungs[0], &rungs[1], sizeof rungs[0]) == 0 &&
                walkers[0].replica == walkers[1].replica &&
                walkers[0].round_trips == walkers[1].round_trips &&
                memcmp(systems, systems + count, (size_t)count * sizeof *systems) == 0;
        for (clup_observable k = 0; k < CLUP_OBSERVABLES && right; k++) {
            NEED(clup_simulation_series(a, r, k, 0, count, values));
            NEED(clup_simulation_series(b, r, k, 0, count, values + count));
            right = memcmp(values, values + count, (size_t)count * sizeof *values) == 0;
        }
    }
    free(values);
    free(systems);
    return right;
}

/* Bonds between equal spins of the torus. */
static double count_bonds(const uint8_t *spins)
{
    unsigned bonds = 0;
    for (uint32_t y = 0; y < 6; y++)
        for (uint32_t x = 0; x < 11; x++)
            bonds += (spins[x + 11 * y] == spins[(x + 1) % 11 + 11 * y]) +
                     (spins[x + 11 * y] == spins[x + 11 * ((y + 1) % 6)]);
    return bonds;
}

static void check_devices(void)
{
    static const char *const layouts[] = {"word", "border", "resident"};
    static const uint64_t every[][2] = {{1, 1}, {3, 1}, {3, 2}, {2, 7}};
    static uint8_t spins[PLACES * SITES];
    for (size_t k = 0; k < sizeof every / sizeof *every; k++) {
        clup_simulation *host = begin(NULL, NULL, every[k][0], every[k][1], 13, 44);
        for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
            clup_simulation *device = begin(context, layouts[l], every[k][0], every[k][1], 13, 44);
            ok(same(host, device), "%s, changing every %u sweeps, measuring every %u: as the host",
               layouts[l], (unsigned)every[k][0], (unsigned)every[k][1]);
            clup_simulation_free(device);
        }
        clup_simulation_free(host);
    }
    static const uint64_t often[] = {1, 2, 7, 40, 1000};
    static uint8_t others[PLACES * SITES];
    for (size_t k = 0; k < sizeof often / sizeof *often; k++) {
        clup_simulation *host = begin(NULL, NULL, 3, often[k], 13, 44);
        NEED(clup_simulation_spins(host, k == 0 ? spins : others));
        ok(k == 0 || memcmp(spins, others, sizeof spins) == 0,
           "every %u sweeps are measured, and the exchanges are the same", (unsigned)often[k]);
        clup_simulation_free(host);
    }
    /* 57 sweeps: the last exchange was after 55 */
    clup_simulation *simulation = begin(context, "word", 5, 1, 13, 44);
    unsigned right = 0;
    NEED(clup_simulation_spins(simulation, spins));
    for (uint32_t r = 0; r < PLACES; r++)
        right += count_bonds(spins + (size_t)r * SITES) == bonds_of(simulation, r, 43);
    ok(right == PLACES, "%u replicas of %d have the spins that were measured there", right, PLACES);
    /* and where spins are put they are */
    NEED(clup_simulation_set_state(simulation, 57, spins));
    clup_simulation *other = begin(context, "word", 5, 1, 13, 44);
    NEED(clup_simulation_run(simulation, 9, 1, NULL, NULL));
    NEED(clup_simulation_run(other, 9, 1, NULL, NULL));
    ok(same(simulation, other), "spins that are set are those of the replicas");
    clup_simulation_free(simulation);
    clup_simulation_free(other);
}

/* ---- temperatures ---------------------------------------------------------------------------- */

static void check_exact(void)
{
    static const double ladder[] = {0.7, 0.78, 0.86, 0.94, 1.02};
    const clup_problem problem = {
        .size = {8, 8}, .periodic = {1, 1}, .q = 2, .replicas = 5, .betas = ladder};
    clup_estimate estimates[CLUP_OBSERVABLES];
    clup_tempering tempering;
    clup_simulation *simulation;
    NEED(clup_simulation_create(context, &problem, NULL, NULL, 3, CLUP_START_ORDERED, &simulation));
    NEED(clup_simulation_temper(simulation, 1));
    NEED(clup_simulation_run(simulation, 100, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, 8000, 1, NULL, NULL));
    for (uint32_t r = 0; r < 5; r++) {
        clup_problem one = problem;
        double energy, heat;
        one.betas = NULL;
        one.beta = ladder[r];
        NEED(clup_exact_ising(&one, &energy, &heat));
        NEED(clup_simulation_estimate(simulation, r, estimates));
        const double error = estimates[CLUP_ENERGY].error;
        ok(fabs(estimates[CLUP_ENERGY].mean - energy) < 4 * error && error < 4e-3 &&
               fabs(estimates[CLUP_SPECIFIC_HEAT].mean - heat) <
                   4 * estimates[CLUP_SPECIFIC_HEAT].error,
           "beta = %g: energy %.5f +- %.5f, exact %.5f", ladder[r], estimates[CLUP_ENERGY].mean,
           error, energy);
    }
    NEED(clup_simulation_tempering(simulation, &tempering));
    ok(tempering.rungs == 5 && tempering.ladders == 1 && tempering.every == 1 &&
           tempering.round_trips > 100,
       "%u round trips", (unsigned)tempering.round_trips);
    clup_simulation_free(simulation);
}

/* With energies that fall as beta rises, all intervals are of the same length after some rounds;
 * with errors in them the order stays. */
static void check_places(void)
{
    enum { RUNGS = 7 };
    double places[RUNGS] = {0, 0.1, 0.2, 0.5, 0.6, 0.7, 1.3}, energies[RUNGS], room[2 * RUNGS],
           least = 1e9, most = 0;
    for (unsigned round = 0; round < 12; round++) {
        for (unsigned k = 0; k < RUNGS; k++)
            energies[k] = -100 * tanh(8 * (places[k] - 0.55));
        clup_ladder_place(places, energies, RUNGS, room);
    }
    for (unsigned k = 0; k + 1 < RUNGS; k++) {
        const double length = (places[k + 1] - places[k]) * 100 *
                              (tanh(8 * (places[k + 1] - 0.55)) - tanh(8 * (places[k] - 0.55)));
        least = fmin(least, length);
        most = fmax(most, length);
    }
    ok(places[0] == 0 && places[RUNGS - 1] == 1.3 && most < 1.05 * least,
       "rungs are placed where the energy falls: %.3f to %.3f", least, most);
    static const double errors[RUNGS] = {1, 2, 0, 5, -7, -7, 1};
    clup_ladder_place(places, errors, RUNGS, room);
    unsigned rising = 0;
    for (unsigned k = 0; k + 1 < RUNGS; k++)
        rising += places[k] < places[k + 1];
    ok(rising == RUNGS - 1 && places[0] == 0 && places[RUNGS - 1] == 1.3,
       "whatever energies are, temperatures increase");
}

static void check_tuning(void)
{
    double placed[2][PLACES];
    NEED(clup_tempering_tune(NULL, &two, NULL, NULL, 5, 400, placed[0]));
    NEED(clup_tempering_tune(context, &two, NULL, NULL, 5, 400, placed[1]));
    ok(memcmp(placed[0], placed[1], sizeof placed[0]) == 0 && placed[0][0] == 0.8 &&
           placed[0][1] == 0.8 && placed[0][7] == 1.1 && placed[0][2] == placed[0][3] &&
           placed[0][2] != 0.9,
       "temperatures are placed as on the host: %.9g %.9g", placed[0][2], placed[0][4]);
}

/* One system with one temperature after the other, where each sweep is as at that alone. */
static void check_other_betas(void)
{
    static const char *const layouts[] = {"char", "word", "border", "resident", NULL};
    static uint8_t spins[5][SITES];
    static const double steps[] = {0.7, 1.2, 0.9};
    for (size_t l = 0; l < 5; l++) {
        clup_problem problem = {.size = {11, 6}, .periodic = {1, 1}, .q = 3, .beta = 0.5};
        const clup_plan_request request = {.bonds = layouts[l]};
        clup_plan plan;
        clup_simulation *simulation;
        double values[4];
        if (layouts[l] != NULL)
            NEED(clup_plan_choose(context, &problem, NULL, &request, &plan));
        NEED(clup_simulation_create(layouts[l] != NULL ? context : NULL, &problem, NULL,
                                    layouts[l] != NULL ? &plan : NULL, 4, CLUP_START_RANDOM,
                                    &simulation));
        for (size_t k = 0; k < 3; k++) {
            NEED(clup_simulation_set_betas(simulation, &steps[k]));
            NEED(clup_simulation_run(simulation, 4, 1, NULL, NULL));
        }
        NEED(clup_simulation_spins(simulation, spins[l]));
        NEED(clup_simulation_series(simulation, 0, CLUP_ENERGY, 0, 4, values));
        ok(clup_simulation_measured(simulation) == 4 &&
               rint(-values[3] * SITES) == count_bonds(spins[l]),
           "%s: what was measured at other temperatures is forgotten",
           layouts[l] != NULL ? layouts[l] : "reference");
        clup_simulation_free(simulation);
        /* the last of them, alone */
        problem.beta = steps[0];
        NEED(clup_simulation_create(NULL, &problem, NULL, NULL, 4, CLUP_START_RANDOM, &simulation));
        for (size_t k = 0; k < 3; k++) {
            static uint8_t now[SITES];
            NEED(clup_simulation_run(simulation, 4, 0, NULL, NULL));
            NEED(clup_simulation_spins(simulation, now));
            clup_simulation_free(simulation);
            problem.beta = steps[k < 2 ? k + 1 : 2];
            NEED(clup_simulation_create(NULL, &problem, NULL, NULL, 4, CLUP_START_ORDERED,
                                        &simulation));
            NEED(clup_simulation_set_state(simulation, 4 * (k + 1), now));
            if (k == 2)
                ok(memcmp(now, spins[l], SITES) == 0,
                   "%s: its sweeps are those of simulations at each of them",
                   layouts[l] != NULL ? layouts[l] : "reference");
        }
        clup_simulation_free(simulation);
    }
}

/* ---- populations ----------------------------------------------------------------------------- */

/* Systems are drawn as random.clh says, each number k by itself; and who is drawn stays. */
static void check_draws(void)
{
    enum { COUNT = 50, TRIES = 40 };
    unsigned right = 0, kept = 0;
    for (uint64_t try = 0; try < TRIES; try++) {
        const random_key key = clup_random_key(99, 4, try);
        const philox_block number = random_block(key, 21, 0, 0);
        uint64_t weights[COUNT], all = 0;
        uint32_t sources[2 * COUNT], wanted[COUNT] = {0}, found[COUNT] = {0};
        for (uint32_t r = 0; r < COUNT; r++) {
            weights[r] = clup_weight((double)((r * 37 + try * 11) % COUNT) * 0.02 * (double)try);
            all += weights[r] >> 32;
        }
        const uint64_t first = MUL_HI64((uint64_t)number.v[0] << 32 | number.v[1], all);
        for (uint32_t k = 0; k < COUNT; k++) {
            uint32_t r = 0;
            uint64_t sum = weights[0] >> 32;
            while (COUNT * sum <= first + k * all)
                sum += weights[++r] >> 32;
            wanted[r]++;
        }
        clup_population_draw(key, weights, COUNT, sources);
        unsigned stay = 1;
        for (uint32_t r = 0; r < COUNT; r++)
            found[sources[r]]++;
        for (uint32_t r = 0; r < COUNT; r++)
            stay &= found[r] == 0 || sources[r] == r;
        right += memcmp(found, wanted, sizeof found) == 0;
        kept += stay;
    }
    ok(right == TRIES && kept == TRIES, "systems are drawn by their weights, %u times of %d", right,
       TRIES);
}

/* ln(Z/number of states) and the mean bonds between equal spins of 4 x 3 Ising spins on a torus. */
static double enumerate(double beta, double *mean_bonds)
{
    double z = 0, sum = 0;
    for (unsigned state = 0; state < 4096; state++) {
        unsigned bonds = 0;
        for (unsigned i = 0; i < 12; i++) {
            const unsigned x = i % 4, y = i / 4, right = (x + 1) % 4 + 4 * y,
                           up = x + 4 * ((y + 1) % 3), spin = state >> i & 1;
            bonds += (spin == (state >> right & 1)) + (spin == (state >> up & 1));
        }
        z += exp(beta * bonds);
        sum += bonds * exp(beta * bonds);
    }
    *mean_bonds = sum / z;
    return log(z / 4096);
}

static void check_population(void)
{
    enum { SYSTEMS = 400, STEPS = 6 };
    static uint8_t spins[2][SYSTEMS * 12];
    static uint32_t sources[SYSTEMS];
    const clup_problem problem = {
        .size = {4, 3}, .periodic = {1, 1}, .q = 2, .beta = 0, .replicas = SYSTEMS};
    double ln_z[2] = {0}, worst = 0, far = 0;
    for (unsigned where = 0; where < 2; where++) {
        clup_simulation *simulation;
        NEED(clup_simulation_create(where == 0 ? context : NULL, &problem, NULL, NULL, 6,
                                    CLUP_START_RANDOM, &simulation));
        NEED(clup_simulation_run(simulation, 2, 0, NULL, NULL));
        for (unsigned step = 1; step <= STEPS; step++) {
            double ratio, bonds, mean = 0, energy[4];
            const double beta = 0.2 * step, exact = enumerate(beta, &bonds);
            NEED(clup_simulation_resample(simulation, beta, sources, &ratio));
            ln_z[where] += ratio;
            worst = fmax(worst, fabs(ln_z[where] - exact));
            NEED(clup_simulation_run(simulation, 4, 1, NULL, NULL));
            for (uint32_t r = 0; r < SYSTEMS; r++) {
                NEED(clup_simulation_series(simulation, r, CLUP_ENERGY, 0, 4, energy));
                for (unsigned k = 0; k < 4; k++)
                    mean -= 12 * energy[k] / (4 * SYSTEMS);
            }
            far = fmax(far, fabs(mean - bonds));
        }
        NEED(clup_simulation_spins(simulation, spins[where]));
        clup_simulation_free(simulation);
    }
    /* bonds vary by 4 at most, of 400 systems in some 100 families */
    ok(worst < 0.2 && far < 0.8,
       "a population has ln Z to %.3f at %d temperatures, and the energy to %.2f", worst, STEPS,
       far);
    ok(ln_z[0] == ln_z[1] && memcmp(spins[0], spins[1], sizeof spins[0]) == 0,
       "on the device as on the host");
}

/* Weights forth and back: as the energies of the systems that are there say. */
static void check_ratios(void)
{
    static const double there[] = {0.9, 0.9, 0.9};
    static uint8_t spins[3 * SITES];
    const clup_problem problem = {
        .size = {11, 6}, .periodic = {1, 1}, .q = 3, .replicas = 3, .betas = there};
    for (unsigned k = 0; k < 2; k++) {
        const double beta = k == 0 ? 1.0 : 0.7;
        double ratio, sum = 0;
        uint32_t sources[3];
        unsigned copied = 0;
        clup_simulation *simulation;
        NEED(clup_simulation_create(NULL, &problem, NULL, NULL, 6, CLUP_START_RANDOM, &simulation));
        NEED(clup_simulation_run(simulation, 9, 1, NULL, NULL));
        NEED(clup_simulation_spins(simulation, spins));
        for (uint32_t r = 0; r < 3; r++)
            sum += exp((beta - 0.9) * count_bonds(spins + (size_t)r * SITES)) / 3;
        NEED(clup_simulation_resample(simulation, beta, sources, &ratio));
        static uint8_t drawn[3 * SITES];
        NEED(clup_simulation_spins(simulation, drawn));
        for (uint32_t r = 0; r < 3; r++)
            copied += memcmp(drawn + (size_t)r * SITES, spins + (size_t)sources[r] * SITES,
                             SITES) == 0;
        ok(fabs(ratio - log(sum)) < 1e-9 && copied == 3 &&
               clup_simulation_measured(simulation) == 0,
           "from 0.9 to %g: ln of the mean weight, %.6f", beta, ratio);
        clup_simulation_free(simulation);
    }
}

/* ---- going on -------------------------------------------------------------------------------- */

static void refuses(const clup_checkpoint *checkpoint, const char *text)
{
    clup_checkpoint *read = NULL;
    NEED(clup_checkpoint_write_hdf5(checkpoint, NULL, path));
    const clup_status status = clup_checkpoint_read(path, &read);
    ok(status == CLUP_ERROR_RUNTIME && strstr(clup_error_detail(), text) != NULL &&
           strstr(clup_error_detail(), path) != NULL && read == NULL,
       "refused: %s", status == CLUP_OK ? "nothing" : clup_error_detail());
}

/* Saves between two exchanges, and between two measured sweeps. */
static void check_going_on(void)
{
    clup_checkpoint *checkpoint;
    clup_simulation *whole = begin(NULL, NULL, 3, 2, 10, 90),
                    *part = begin(NULL, NULL, 3, 2, 10, 33), *loaded;
    if (clup_hdf5_version() == NULL) {
        ok(clup_simulation_save(part, NULL, path) == CLUP_ERROR_USAGE, "nothing is saved");
        goto done;
    }
    NEED(clup_simulation_save(part, NULL, path));
    NEED(clup_checkpoint_read(path, &checkpoint));
    NEED(clup_simulation_load(context, checkpoint, NULL, &loaded));
    ok(same(part, loaded), "a simulation that is loaded is where it was");
    NEED(clup_simulation_run(loaded, 57, 1, NULL, NULL));
    ok(same(whole, loaded), "and goes on as one that was not saved");
    clup_simulation_free(loaded);
    uint32_t *systems = checkpoint->tempering.systems, first = systems[0];
    systems[0] = systems[LADDERS];
    refuses(checkpoint, "not one at each temperature");
    systems[0] = PLACES;
    refuses(checkpoint, "not one at each temperature");
    systems[0] = first;
    checkpoint->tempering.ends[3] = 3;
    refuses(checkpoint, "not one at each temperature");
    checkpoint->tempering.ends[3] = 0;
    checkpoint->betas[0] = 7;
    refuses(checkpoint, "not those of tempering");
    checkpoint->betas[0] = betas[0];
    clup_checkpoint_free(checkpoint);
    remove(path);
done:
    clup_simulation_free(whole);
    clup_simulation_free(part);
}

int main(void)
{
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    check_weights();
    check_trips();
    check_betas();
    check_definition(1);
    check_definition(4);
    check_devices();
    check_exact();
    check_places();
    check_tuning();
    check_other_betas();
    check_draws();
    check_ratios();
    check_population();
    check_going_on();
    clup_context_free(context);
    return done_testing();
}
