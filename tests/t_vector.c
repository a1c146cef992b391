/* SPDX-License-Identifier: BSD-3-Clause */
/* Spins that are vectors, the XY and the Heisenberg model: the functions of whole numbers that
 * their sweeps are made of; the same spins, energies and magnetisations on the device and on the
 * host, which are counted anew; means over all states of small systems; and what is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "core/couplings.h"
#include "core/disorder.h"
#include "core/lattice.h"
#include "core/method.h"
#include "core/vector.h"
#include "heat/heat.clh"
#include "heat/heat_vectors.clh"
#include "bond_list.h"
#include "device.h"
#include "exact_means.h"
#include "last_sweep.h"
#include "refused.h"
#include "tap.h"

#define SWEEPS 5
#define REPLICAS_MOST 4

static clup_context *context;
enum { ENERGY, ABS_M, M2, SIGNED, ALONG, ACROSS, STAGGERED, SK, QUANTITIES };
static clup_observable of[QUANTITIES];
static const char *const names[QUANTITIES] = {
    "energy", "abs_m", "m2", "m", "helicity_cos", "helicity_sin2", "staggered_m", "sk_x"};

/* ---- functions of whole numbers -------------------------------------------------------------- */

static uint32_t random_word(void)
{
    static philox_block state;
    static unsigned used = 4;
    if (used == 4) {
        state.v[0]++;
        used = 0;
    }
    return philox(state, 7, 8).v[used++];
}

static void check_functions(void)
{
    double sine = 0, power = 0, threshold = 0, root = 0, length = 0, height[2] = {0}, drift = 0;
    unsigned uneven = 0, falls = 0;
    uint32_t last = 0;
    for (unsigned k = 0; k < 2000000; k++) {
        const uint32_t u = k < 4096 ? k << 20 : random_word(), v = random_word();
        const double angle = u * (2 * M_PI * 0x1p-32);
        sine = fmax(sine, fabs(vector_sine(u) * 0x1p-30 - sin(angle)));
        uneven += vector_sine(0u - u) != -vector_sine(u) ||
                  vector_sine(0x80000000u - u) != vector_sine(u) ||
                  vector_cosine(u) != vector_cosine(0u - u);
        power = fmax(power, fabs(vector_power(u) - (1 - exp2(-(u * 0x1p-32))) * 0x1p32));
        const double x = 0x1p62 * (u * 0x1p-32) * (v * 0x1p-32);
        root = fmax(root, fabs(vector_root((uint64_t)x) - sqrt((double)(uint64_t)x)));
    }
    for (uint32_t x = 0; x < 0xFFFFF000u; x += 0xFFFu) {
        falls += vector_power(x) < last;
        last = vector_power(x);
    }
    ok(sine < 0x1p-28 && uneven == 0, "sines are right but for %.2g; %u of other symmetry", sine,
       uneven);
    ok(vector_sine(0) == 0 && vector_sine(0x40000000u) == VECTOR_ONE &&
           vector_cosine(0x80000000u) == -VECTOR_ONE && vector_cosine(0x40000000u) == 0,
       "and exact along the axes");
    ok(power < 5 && falls < 100, "2^32 (1 - 2^-x) is right but for %.2f, and falls %u times", power,
       falls);
    ok(root <= 1.001, "square roots are right but for %.3f", root);
    double angles = 0, energies[2] = {0}, kept = 0;
    for (unsigned k = 0; k < 400000; k++) {
        const bool space = k % 2;
        const int64_t scale = (int64_t)1 << (k % 28);
        const int64_t sum[] = {((int64_t)random_word() - INT32_MAX) * scale,
                               ((int64_t)random_word() - INT32_MAX) * scale,
                               space ? ((int64_t)random_word() - INT32_MAX) * scale : 0};
        const double size = sqrt((double)sum[0] * (double)sum[0] + (double)sum[1] * (double)sum[1] +
                                 (double)sum[2] * (double)sum[2]);
        uint32_t spin[3], before[3];
        double change = 0, square = 0;
        vector_random(space ? 3 : 1, random_word(), random_word(), spin);
        memcpy(before, spin, sizeof spin);
        vector_overrelax(space ? 3 : 1, sum, spin);
        for (unsigned axis = 0; axis < (space ? 3u : 2u); axis++) {
            const double now = vector_component(space ? 3 : 1, spin, axis) * 0x1p-30,
                         then = vector_component(space ? 3 : 1, before, axis) * 0x1p-30;
            change += (now - then) * (double)sum[axis] / size;
            square += now * now;
        }
        energies[space] = fmax(energies[space], fabs(change));
        kept = fmax(kept, fabs(square - 1));
        if (!space && k % 28 < 2 && size > 0x1p30) {
            const double wanted = atan2((double)sum[1], (double)sum[0]) / (2 * M_PI) * 0x1p32,
                         away = vector_angle(sum[0] >> 3, sum[1] >> 3) - wanted;
            angles = fmax(angles, fabs(remainder(away, 0x1p32)));
        }
    }
    /* no numbers of one sweep of the heat bath come again in another */
    unsigned again = 0;
    for (uint32_t round = 1; round < HEAT_ROUNDS; round++) {
        const int64_t none[3] = {0};
        uint32_t first, other;
        vector_heat(1, 0, none, (random_key){1, 2, 3, 4}, 5, 0, &first);
        vector_heat(1, 0, none, (random_key){1, 2, 3, 4}, 5, round, &other);
        again += first == other;
    }
    ok(again == 0, "%u rounds of the heat bath draw what the first draws", again);
    const int64_t tiny[] = {1, 1, 0};
    uint32_t turned_spin[] = {VECTOR_ONE, 0, 0};
    vector_overrelax(3, tiny, turned_spin);
    ok(clup_is_vector(3, turned_spin), "a tiny field turns a spin to a unit vector");
    ok(angles < 16, "angles are right but for %.1f of 2^32", angles);
    ok(energies[0] < 0x1p-25 && energies[1] < 0x1p-25 && kept < 0x1p-25,
       "half a turn changes the energy by %.1g of the field in the plane, by %.1g in space, and "
       "the "
       "length by %.1g",
       energies[0], energies[1], kept);
    for (unsigned k = 0; k < 400000; k++) {
        const double strength = exp2((int)(random_word() % 48) - 30.);
        const bond_law law = clup_vector_law(strength);
        const int32_t a = (int32_t)(random_word() >> 1) - VECTOR_ONE,
                      b = (int32_t)(random_word() >> 1) - VECTOR_ONE;
        const bool opposite = k % 3 == 0;
        const double product = 2 * strength * a * 0x1p-30 * b * 0x1p-30 * (opposite ? -1 : 1),
                     wanted = product > 0 ? -expm1(-product) : 0;
        /* products are rounded to 2^-30 */
        threshold = fmax(threshold, fabs(vector_threshold(law, a, b, opposite) * 0x1p-32 - wanted) /
                                        (0x1p-29 + strength * 0x1p-29 * (1 - wanted)));
    }
    ok(threshold < 1.5, "probabilities of bonds are right but for %.2f of their unit", threshold);
    ok(vector_threshold(clup_vector_law(INFINITY), VECTOR_ONE / 8, VECTOR_ONE / 16, false) ==
               UINT32_MAX &&
           vector_threshold(clup_vector_law(0), VECTOR_ONE, VECTOR_ONE, false) == 0 &&
           vector_threshold(clup_vector_law(1), VECTOR_ONE, -VECTOR_ONE, false) == 0,
       "all bonds at zero temperature, none at infinite temperature");
    unsigned trusted = 0, doubts = 0;
    for (unsigned k = 0; k < 4000000; k++) {
        const double strength = k % 64 == 0 ? INFINITY : exp2((int)(random_word() % 48) - 10.);
        const bond_law law = clup_vector_law(strength);
        /* exponents of all sizes, of which about 1 decides */
        const double size = exp2((int)(random_word() % 8) - 4.) / fmin(strength, 1e9);
        const int32_t a = VECTOR_ONE - (int32_t)(random_word() >> 4),
                      b = (int32_t)(fmin(1, size) * VECTOR_ONE * (random_word() * 0x1p-32));
        const uint32_t sizes = vector_sizes(a, b);
        bool doubt;
        const uint32_t upper = upper_threshold(vector_scale(law), sizes, &doubt);
        trusted += sizes > 0 && !doubt && upper != vector_threshold(law, a, b, false) >> 24;
        doubts += doubt;
    }
    ok(trusted == 0 && doubts > 0,
       "the upper 8 bits of thresholds by single precision: %u in doubt, %u wrong ones not", doubts,
       trusted);
    for (unsigned k = 0; k < 200000; k++) {
        uint32_t spin[3], axis[3], other[3], back[3];
        double square = 0;
        vector_random(3, random_word(), random_word(), spin);
        vector_random(3, random_word(), random_word(), axis);
        vector_random(3, random_word(), random_word(), other);
        for (unsigned c = 0; c < 3; c++)
            square += pow((int32_t)spin[c] * 0x1p-30, 2);
        length = fmax(length, fabs(square - 1));
        height[0] += pow((int32_t)spin[0] * 0x1p-30, 2) / 200000;
        height[1] += pow((int32_t)spin[2] * 0x1p-30, 4) / 200000;
        memcpy(back, spin, sizeof back);
        const int32_t before = vector_product(3, spin, other),
                      along = vector_product(3, spin, axis);
        vector_reflect(3, axis, back);
        vector_reflect(3, axis, other);
        drift = fmax(drift, fabs((double)vector_product(3, back, other) - before));
        drift = fmax(drift, fabs((double)vector_product(3, back, axis) + along));
        vector_reflect(3, axis, back);
        for (unsigned c = 0; c < 3; c++)
            drift = fmax(drift, fabs((double)(int32_t)back[c] - (int32_t)spin[c]));
    }
    ok(length < 0x1p-27 && fabs(height[0] - 1. / 3) < 0.003 && fabs(height[1] - 0.2) < 0.003,
       "directions on a sphere: lengths but for %.2g, <x^2> = %.4f, <z^4> = %.4f", length,
       height[0], height[1]);
    ok(drift < 16, "mirrors in space change products by up to %.0f units of 2^-30", drift);
    uint32_t turning[3] = {0, 0, VECTOR_ONE};
    for (unsigned k = 0; k < 3000000; k++) {
        uint32_t axis[3];
        vector_random(3, random_word(), random_word(), axis);
        vector_reflect(3, axis, turning);
    }
    ok(clup_is_vector(3, turning) && vector_product(3, turning, turning) >= VECTOR_ONE - 8,
       "and lengths stay the same in three million reflections");
    unsigned moved = 0;
    for (unsigned k = 0; k < 100000; k++) {
        uint32_t spin = random_word(), axis = random_word(), back = spin;
        vector_reflect(1, &axis, &back);
        moved += vector_product(1, &spin, &axis) != -vector_product(1, &back, &axis);
        vector_reflect(1, &axis, &back);
        moved += back != spin;
    }
    ok(moved == 0, "mirrors in the plane are exact");
}

/* ---- by definition --------------------------------------------------------------------------- */

/* Sets energy, magnetisations and the parts of the helicity modulus a site, from vectors[sites]. */
static void measure(const clup_problem *problem, const bond_list *bonds, double (*vectors)[3],
                    double values[QUANTITIES])
{
    const lattice_args lattice = clup_lattice_args(problem);
    const uint64_t sites = clup_problem_sites(problem);
    const unsigned sublattices = clup_problem_sublattices(problem),
                   up = problem->model == CLUP_HEISENBERG ? 2 : 0;
    double energy = 0, sum[3] = {0}, staggered[3][2] = {{0}}, wave[3][2] = {{0}};
    unsigned axes = 0;
    for (uint64_t i = 0; i < sites; i++) {
        const uint64_t row = i / lattice.nx, x = i % lattice.nx, y = row % lattice.ny,
                       z = row / lattice.ny;
        const double phase = sublattices == 3 ? 2 * M_PI / 3 * (double)((x + 2 * y) % 3)
                                              : M_PI * (double)((x + y + z) % 2);
        for (unsigned c = 0; c < 3; c++) {
            sum[c] += vectors[i][c];
            staggered[c][0] += vectors[i][c] * cos(phase);
            staggered[c][1] += vectors[i][c] * sin(phase);
            wave[c][0] += vectors[i][c] * cos(2 * M_PI * (double)x / lattice.nx);
            wave[c][1] += vectors[i][c] * sin(2 * M_PI * (double)x / lattice.nx);
        }
    }
    values[ALONG] = values[ACROSS] = 0;
    for (size_t k = 0; k < bonds->count; k++) {
        const double *s = vectors[bonds->from[k]], *t = vectors[bonds->to[k]];
        energy -= bonds->coupling[k] * (s[0] * t[0] + s[1] * t[1] + s[2] * t[2]);
    }
    for (unsigned axis = 0; axis < clup_lattice_axes(problem->lattice); axis++) {
        double cosines = 0, sines = 0;
        if (!problem->periodic[axis] || problem->size[axis] < 2)
            continue;
        for (size_t k = 0; k < bonds->count; k++) {
            const double *s = vectors[bonds->from[k]], *t = vectors[bonds->to[k]];
            const int step = step_along(clup_lattice_of(&lattice)->offsets[bonds->along[k]], axis);
            cosines += step * step * bonds->coupling[k] * (s[0] * t[0] + s[1] * t[1]);
            sines += step * bonds->coupling[k] * (s[0] * t[1] - s[1] * t[0]);
        }
        values[ALONG] += cosines / (double)sites;
        values[ACROSS] += sines * sines / (double)sites;
        axes++;
    }
    values[ALONG] /= axes, values[ACROSS] /= axes; /* NAN for no axis */
    values[ENERGY] = (energy - problem->field * sum[up]) / (double)sites;
    values[M2] = (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / (double)(sites * sites);
    values[ABS_M] = sqrt(values[M2]);
    values[SIGNED] = sum[up] / (double)sites;
    values[STAGGERED] = values[SK] = 0;
    for (unsigned c = 0; c < 3; c++) {
        values[SK] += wave[c][0] * wave[c][0] + wave[c][1] * wave[c][1];
        values[STAGGERED] += staggered[c][0] * staggered[c][0] + staggered[c][1] * staggered[c][1];
    }
    values[SK] = problem->periodic[0] && lattice.nx > 1 ? values[SK] / (double)sites : NAN;
    values[STAGGERED] = sublattices > 0 ? sqrt(values[STAGGERED]) / (double)sites : NAN;
}

/* ---- the same spins -------------------------------------------------------------------------- */

static void to_vectors(const clup_problem *problem, const uint8_t *spins, double (*vectors)[3])
{
    const unsigned numbers = clup_spin_numbers(problem);
    for (uint64_t i = 0; i < clup_problem_sites(problem); i++) {
        uint32_t spin[VECTOR_NUMBERS_MOST];
        clup_vector_of_site(spins, numbers, i, spin);
        for (unsigned c = 0; c < 3; c++)
            vectors[i][c] = numbers == 3 ? (int32_t)spin[c] * 0x1p-30
                            : c == 2     ? 0
                                         : cos(spin[0] * (2 * M_PI * 0x1p-32) - c * M_PI / 2);
    }
}

static void count_vectors(const void *user, const clup_problem *problem, uint32_t replica,
                          const uint8_t *spins, double *values)
{
    double(*vectors)[3] = malloc(clup_problem_sites(problem) * sizeof *vectors);
    bond_list bonds = bonds_of(problem, replica);
    (void)user;
    to_vectors(problem, spins, vectors);
    measure(problem, &bonds, vectors, values);
    bonds_free(&bonds);
    free(vectors);
}

static const clup_method one = {.algorithm = CLUP_WOLFF}, heat = {.algorithm = CLUP_HEAT_BATH},
                         turned = {.algorithm = CLUP_HEAT_BATH, .overrelaxation = 2},
                         beside = {.heat_bath = 2, .overrelaxation = 1};

static const char *called(const clup_method *method)
{
    return method == NULL      ? "Swendsen-Wang"
           : method == &one    ? "Wolff"
           : method == &heat   ? "the heat bath"
           : method == &turned ? "overrelaxation and the heat bath"
                               : "clusters beside both";
}

static void check_method(const clup_problem *problem, const clup_method *method, unsigned tile,
                         clup_start start)
{
    const last_sweep run = {.method = method,
                            .request = {.tile = tile},
                            .start = start,
                            .sweeps = SWEEPS,
                            .of = of,
                            .count = QUANTITIES};
    const compared found = compare_last(context, problem, &run, count_vectors, NULL);
    ok(found.same && found.other == 0 && found.wrong == 0,
       "%s, %s, J = %g, h = %g, %s %u x %u x %u, beta = %g, tile %u: the spins of the host, %u "
       "numbers of another value than there, %u than counted (%s)",
       called(method), clup_model_name(problem->model), problem->coupling[0], problem->field,
       clup_lattice_name(problem->lattice), problem->size[0], problem->size[1], problem->size[2],
       problem->beta, tile, found.other, found.wrong, names[found.of]);
}

static void check_spins(const clup_problem *problem, unsigned tile, clup_start start)
{
    check_method(problem, NULL, tile, start);
}

/* With few: the square lattice, and the Heisenberg model with couplings of 1 alone. */
static void check_all_spins(bool few)
{
    static const clup_model models[] = {CLUP_XY, CLUP_HEISENBERG};
    for (clup_lattice_kind lattice = 0;
         lattice < (few ? CLUP_LATTICE_TRIANGULAR : CLUP_LATTICE_CHAIN); lattice++)
        /* with diagonals one of both models, as compiling takes long */
        for (unsigned k = 0; k < 2; k++) {
            if (lattice > CLUP_LATTICE_CUBIC && lattice % 2 != k)
                continue;
            const bool volume = clup_lattice_axes(lattice) > 2;
            directions_many(lattice);
            clup_problem problem = {.model = models[k],
                                    .lattice = lattice,
                                    .size = {33 + 33 * k, volume ? 6 - k : 21 + k, volume ? 4 : 1},
                                    .periodic = {1, k != 1, 1},
                                    .q = 2,
                                    .beta = volume ? 0.3 : 0.9,
                                    .field = lattice % 2 ? -0.4 : 0,
                                    .replicas = 2};
            clup_lattice_fit(lattice, problem.size);
            check_spins(&problem, k ? 4 : 0, CLUP_START_RANDOM);
            problem.replicas = 1;
            if (lattice < CLUP_LATTICE_SQUARE_8)
                check_method(&problem, &one, k ? 4 : 0, CLUP_START_ORDERED);
            problem.replicas = 2;
            if (lattice < CLUP_LATTICE_SQUARE_8 ? lattice % 2 == k
                                                : lattice == CLUP_LATTICE_CUBIC_26)
                check_method(&problem, k ? &beside : &turned, 0, CLUP_START_RANDOM);
        }
    directions_many(CLUP_LATTICE_SQUARE);
    for (unsigned k = 0; k < (few ? 1 : 2); k++) {
        clup_problem problem = {.model = models[k],
                                .size = {67, 23},
                                .periodic = {1, 1},
                                .q = 2,
                                .beta = 1.2,
                                .coupling = {1, -0.375}};
        check_spins(&problem, 8, CLUP_START_ORDERED);
        problem.disorder[CLUP_ABSENT] = 0.3, problem.replicas = 3, problem.disorder_seed = 4;
        check_spins(&problem, 0, CLUP_START_RANDOM);
        problem.disorder[CLUP_SIGNS] = 0.4, problem.disorder_samples = 2, problem.field = 0.7;
        check_spins(&problem, 0, CLUP_START_RANDOM);
        check_method(&problem, &turned, 0, CLUP_START_RANDOM);
        const double betas[] = {0, 0.7, INFINITY};
        problem.betas = betas, problem.field = 0;
        check_spins(&problem, 0, CLUP_START_RANDOM);
        check_method(&problem, &beside, 0, CLUP_START_RANDOM);
        problem.disorder[CLUP_SIGNS] = 0, problem.disorder[CLUP_NORMAL] = 1;
        check_spins(&problem, 0, CLUP_START_RANDOM);
        problem.field = 0.25;
        check_method(&problem, k ? &turned : &beside, 0, CLUP_START_RANDOM);
        problem.disorder[CLUP_ABSENT] = problem.disorder[CLUP_NORMAL] = 0, problem.field = 16;
        check_spins(&problem, 16, CLUP_START_RANDOM);
        problem.betas = NULL, problem.replicas = 1, problem.size[0] = problem.size[1] = 1;
        check_spins(&problem, 0, CLUP_START_ORDERED);
        problem.size[0] = 2, problem.coupling[0] = problem.coupling[1] = 0x1p-20;
        problem.beta = 1e6;
        check_spins(&problem, 0, CLUP_START_RANDOM);
        check_method(&problem, &turned, 0, CLUP_START_RANDOM);
        problem = (clup_problem){.model = models[k],
                                 .size = {96, 64},
                                 .periodic = {1, 1},
                                 .q = 2,
                                 .beta = 0.1,
                                 .coupling = {16, 16},
                                 .field = -16};
        check_spins(&problem, 0, CLUP_START_ORDERED);
        problem.size[0] = 33, problem.size[1] = 3;
        check_method(&problem, &turned, 0, CLUP_START_RANDOM);
    }
}

/* ---- all states ------------------------------------------------------------------------------ */

/* Directions that stand for all of them, with weights: the angles of the plane by the trapezoidal
 * rule, which is exact for their low harmonics; of space, heights by Gauss's rule. */
enum { ANGLES = 20, HEIGHTS = 8, TURNS = 12, DIRECTIONS_MOST = HEIGHTS * TURNS };
typedef struct directions {
    unsigned count;
    double weight[DIRECTIONS_MOST], vector[DIRECTIONS_MOST][3];
} directions;

static directions directions_of(clup_model model)
{
    /* zeros of the Legendre polynomial of degree 8, and weights: Abramowitz and Stegun, 25.4 */
    static const double zeros[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                   0.9602898564975363},
                        weights[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                     0.1012285362903763};
    directions all = {0};
    for (unsigned k = 0; k < ANGLES && model == CLUP_XY; k++, all.count++) {
        all.weight[k] = 1. / ANGLES;
        all.vector[k][0] = cos(2 * M_PI * k / ANGLES);
        all.vector[k][1] = sin(2 * M_PI * k / ANGLES);
    }
    for (unsigned h = 0; h < HEIGHTS && model != CLUP_XY; h++)
        for (unsigned k = 0; k < TURNS; k++, all.count++) {
            const double z = (h % 2 ? -1 : 1) * zeros[h / 2];
            all.weight[all.count] = weights[h / 2] / 2 / TURNS;
            all.vector[all.count][0] = sqrt(1 - z * z) * cos(2 * M_PI * k / TURNS);
            all.vector[all.count][1] = sqrt(1 - z * z) * sin(2 * M_PI * k / TURNS);
            all.vector[all.count][2] = z;
        }
    return all;
}

/* Returns the partition function, and sets the means of all quantities but those that are no smooth
 * functions of the directions, which become NAN. */
static double exact(const clup_problem *problem, double means[QUANTITIES])
{
    const directions all = directions_of(problem->model);
    const uint64_t sites = clup_problem_sites(problem);
    double z = 0;
    uint64_t states = 1;
    bond_list bonds = bonds_of(problem, 0);
    for (unsigned k = 0; k < QUANTITIES; k++)
        means[k] = 0;
    for (uint64_t i = 0; i < sites; i++)
        states *= all.count;
    for (uint64_t state = 0; state < states; state++) {
        double vectors[4][3], values[QUANTITIES], weight = 1;
        uint64_t rest = state;
        for (uint64_t i = 0; i < sites; i++, rest /= all.count) {
            memcpy(vectors[i], all.vector[rest % all.count], sizeof vectors[i]);
            weight *= all.weight[rest % all.count];
        }
        measure(problem, &bonds, vectors, values);
        weight *= exp(-problem->beta * values[ENERGY] * (double)sites);
        z += weight;
        for (unsigned k = 0; k < QUANTITIES; k++)
            means[k] += weight * values[k];
    }
    for (unsigned k = 0; k < QUANTITIES; k++)
        means[k] /= z;
    means[ABS_M] = means[STAGGERED] = NAN;
    bonds_free(&bonds);
    return z;
}

static void check_states(const clup_problem *problem, const clup_method *method)
{
    enum { SYSTEMS = 64, COUNT = 120 };
    double wanted[QUANTITIES];
    unsigned worst_of;
    exact(problem, wanted);
    const double worst = worst_sigma(context, problem, method, SYSTEMS, COUNT, of, wanted,
                                     QUANTITIES, &worst_of);
    ok(worst < 4.5,
       "%s, %s, J = %g, h = %g, %s %u x %u, beta = %g: energy %.5f, m2 %.5f, all means within "
       "%.1f sigma of the exact ones (worst: %s)",
       called(method), clup_model_name(problem->model), problem->coupling[0], problem->field,
       clup_lattice_name(problem->lattice), problem->size[0], problem->size[1], problem->beta,
       wanted[ENERGY], wanted[M2], worst, names[worst_of]);
}

static void check_all_states(void)
{
    const clup_problem problems[] = {
        {.model = CLUP_XY, .size = {2, 2}, .periodic = {1, 1}, .beta = 0.6},
        {.model = CLUP_XY, .size = {4, 1}, .periodic = {1, 0}, .beta = 1.1},
        {.model = CLUP_XY, .size = {3, 1}, .periodic = {1, 0}, .beta = 0.9, .coupling = {-1, -1}},
        {.model = CLUP_XY, .size = {2, 2}, .beta = 0.8, .field = 0.6, .coupling = {1, -0.5}},
        {.model = CLUP_XY, .size = {1, 1}, .beta = 0.9, .field = -1},
        {.model = CLUP_XY,
         .lattice = CLUP_LATTICE_TRIANGULAR,
         .size = {2, 2},
         .beta = 0.9,
         .field = 0.4,
         .coupling = {1, 0.5, 0.25},
         .disorder = {[CLUP_SIGNS] = 0.5, [CLUP_ABSENT] = 0.2}},
        {.model = CLUP_XY,
         .size = {4, 1},
         .periodic = {1, 0},
         .beta = 0.9,
         .disorder = {[CLUP_NORMAL] = 1.2}},
        {.model = CLUP_HEISENBERG,
         .size = {3, 1},
         .periodic = {1, 0},
         .beta = 1.1,
         .disorder = {[CLUP_NORMAL] = 1}},
        {.model = CLUP_HEISENBERG, .size = {3, 1}, .periodic = {1, 0}, .beta = 1.2},
        {.model = CLUP_HEISENBERG, .size = {3, 1}, .beta = 1, .coupling = {-1, 1}, .field = 0.7},
        {.model = CLUP_HEISENBERG, .size = {2, 1}, .periodic = {1, 1}, .beta = 0.7, .field = -0.5},
        {.model = CLUP_HEISENBERG, .size = {1, 1}, .beta = 1.5, .field = 1},
    };
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
        clup_problem problem = problems[p];
        problem.q = 2;
        check_states(&problem, NULL);
        check_states(&problem, p % 2 == 1 ? &one : &beside);
        check_states(&problem, p % 3 == 0 ? &heat : &turned);
    }
}

/* Single precision and whole numbers refuse the same proposals. */
static void check_refusals(void)
{
    const random_key key = {9, 0, 0, 0};
    unsigned other = 0, refused = 0;
    for (unsigned k = 0; k < 400000; k++) {
        const philox_block random = random_block(key, 0, k, 0);
        const uint64_t step = (uint64_t)(ldexp(1, 38) * (random.v[0] % 400 + 1) / 100);
        const uint32_t gap = random.v[1] >> (8 + random.v[0] % 16),
                       threshold = gap_threshold(step, gap);
        const bool exactly = threshold == UINT32_MAX || random.v[2] < threshold;
        other += is_refused(step, refusal_scale(step), gap, random.v[2]) != exactly;
        refused += exactly;
    }
    ok(other == 0 && refused > 100000, "%u proposals refused, %u otherwise than by whole numbers",
       refused, other);
    ok(clup_before_sweep(&(clup_method){.overrelaxation = 1}) != NULL,
       "spins change before a sweep");
}

/* Chains, whose energy a bond is -I1(beta)/I0(beta) of the XY model, and -(coth beta - 1/beta) of
 * the Heisenberg model: M. E. Fisher, Am. J. Phys. 32, 343 (1964). And the partition function that
 * drawing a population anew gives, from infinite temperature. */
static void check_chains(void)
{
    enum { SYSTEMS = 256, COUNT = 200, LENGTH = 24 };
    static uint32_t sources[SYSTEMS];
    static const clup_model models[] = {CLUP_XY, CLUP_HEISENBERG};
    const double beta = 1.3;
    for (unsigned k = 0; k < 2; k++) {
        clup_problem problem = {
            .model = models[k], .size = {LENGTH, 1}, .q = 2, .beta = beta, .replicas = SYSTEMS};
        clup_simulation *simulation;
        double i0 = 0, i1 = 0, term = 1, sum = 0, squares = 0, values[COUNT], ratio;
        for (unsigned n = 0; n < 40; n++, term *= beta * beta / 4 / (n * n))
            i0 += term, i1 += term * beta / 2 / (n + 1);
        const double bond = k == 0 ? i1 / i0 : 1 / tanh(beta) - 1 / beta,
                     wanted = -bond * (LENGTH - 1) / LENGTH;
        NEED(clup_simulation_create(context, &problem, NULL, NULL, 9, CLUP_START_RANDOM,
                                    &simulation));
        NEED(clup_simulation_run(simulation, 20, 0, NULL, NULL));
        NEED(clup_simulation_run(simulation, COUNT, 1, NULL, NULL));
        for (uint32_t r = 0; r < SYSTEMS; r++) {
            double mean = 0;
            NEED(clup_simulation_series(simulation, r, CLUP_ENERGY, 0, COUNT, values));
            for (unsigned t = 0; t < COUNT; t++)
                mean += values[t] / COUNT;
            sum += mean / SYSTEMS, squares += mean * mean / SYSTEMS;
        }
        clup_simulation_free(simulation);
        const double error = sqrt((squares - sum * sum) / (SYSTEMS - 1));
        ok(fabs(sum - wanted) < 4.5 * error && error < 0.003,
           "a chain of the %s model: energy %.5f(%.0f), exact %.5f", clup_model_name(models[k]),
           sum, error * 1e5, wanted);
        problem.size[0] = 8, problem.beta = 0;
        const double later = 0.5, z = k == 0 ? 0 : sinh(later) / later;
        double bessel = 0;
        term = 1;
        for (unsigned n = 0; n < 40; n++, term *= later * later / 4 / (n * n))
            bessel += term;
        NEED(clup_simulation_create(context, &problem, NULL, NULL, 2, CLUP_START_RANDOM,
                                    &simulation));
        NEED(clup_simulation_run(simulation, 2, 0, NULL, NULL));
        NEED(clup_simulation_resample(simulation, later, sources, &ratio));
        clup_simulation_free(simulation);
        /* <exp(-beta E)^2> is Z at twice the temperature */
        double twice = 0;
        term = 1;
        for (unsigned n = 0; n < 40; n++, term *= later * later / (n * n))
            twice += term;
        const double one = 7 * log(k == 0 ? bessel : z),
                     two = 7 * log(k == 0 ? twice : sinh(2 * later) / (2 * later)),
                     sigma = sqrt(expm1(two - 2 * one) / SYSTEMS);
        ok(fabs(ratio - one) < 4.5 * sigma,
           "a population from beta = 0 to %g: ln Z grows by %.4f, exact %.4f, %.1f sigma", later,
           ratio, one, fabs(ratio - one) / sigma);
    }
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refused(clup_problem problem, clup_method method, const char *bonds, const char *why)
{
    problem.size[0] = problem.size[1] = 64;
    problem.beta = 0.8;
    problem.q = problem.q > 0 ? problem.q : 2;
    refused_problem(context, &problem, method, bonds, why);
}

static void check_refused(void)
{
    const clup_problem xy = {.model = CLUP_XY}, heisenberg = {.model = CLUP_HEISENBERG};
    const clup_method none = {0};
    clup_problem other = xy;
    other.q = 3;
    refused(other, none, NULL, "the XY model has no states to number");
    other = heisenberg, other.field = 17;
    refused(other, none, NULL, "is not between -16 and 16");
    other = heisenberg, other.coupling[0] = NAN;
    refused(other, none, NULL, "between -16 and 16");
    refused(xy, (clup_method){.algorithm = CLUP_FEW_CLUSTER, .seeds_per_side = 4, .p_flip = 0.5},
            NULL, "by sw, wolff and heat-bath, not by few-cluster");
    refused(heisenberg,
            (clup_method){.algorithm = CLUP_FEW_CLUSTER, .seeds_per_side = 2, .p_flip = 0.5}, NULL,
            "by sw, wolff and heat-bath, not by few-cluster");
    refused(xy, none, "word", "vectors bonds would do");
    refused(xy, none, "border", "vectors bonds would do");
    refused((clup_problem){.model = CLUP_POTTS}, none, "vectors", "vectors bonds");
    refused(xy, (clup_method){.rng = "mwc"}, NULL, "");
}

/* Spins that are given: vectors of other length are refused, others go on as where they are from.
 */
static void check_set(void)
{
    const clup_problem problem = {
        .model = CLUP_HEISENBERG, .size = {40, 9}, .periodic = {1, 1}, .q = 2, .beta = 1};
    const size_t bytes = clup_problem_sites(&problem) * clup_spin_bytes(&problem);
    clup_simulation *one, *two;
    uint8_t *spins = malloc(bytes), *others = malloc(bytes);
    char hex[2][65];
    NEED(clup_simulation_create(context, &problem, NULL, NULL, 1, CLUP_START_RANDOM, &one));
    NEED(clup_simulation_create(NULL, &problem, NULL, NULL, 1, CLUP_START_ORDERED, &two));
    NEED(clup_simulation_run(one, 3, 0, NULL, NULL));
    NEED(clup_simulation_spins(one, spins));
    NEED(clup_simulation_set_state(two, 3, spins));
    NEED(clup_simulation_run(one, 4, 0, NULL, NULL));
    NEED(clup_simulation_run(two, 4, 0, NULL, NULL));
    NEED(clup_simulation_hash(one, 1, &hex[0]));
    NEED(clup_simulation_hash(two, 1, &hex[1]));
    NEED(clup_simulation_spin_rows(one, 2, 3, others));
    NEED(clup_simulation_spins(two, spins));
    ok(strcmp(hex[0], hex[1]) == 0 && memcmp(others, spins + 2 * 40 * 12, 3 * 40 * 12) == 0,
       "spins that are set go on as where they are from, and are read by rows");
    spins[12 * 57 + 3] ^= 0x20;
    ok(clup_simulation_set_state(two, 3, spins) == CLUP_ERROR_USAGE &&
           strstr(clup_error_detail(), "replica 0, site 57") != NULL,
       "%s", clup_error_detail());
    clup_simulation_free(one);
    clup_simulation_free(two);
    free(spins), free(others);
    ok(clup_spin_bytes(NULL) == 1 && clup_spin_bytes(&problem) == 12, "bytes of spins");
}

/* A site has room for the same energy, whether its couplings of 1 are those of the directions or
 * each bond's own. */
static void check_most(void)
{
    clup_problem problem = {
        .model = CLUP_XY, .size = {3, 3}, .periodic = {1, 1}, .q = 2, .beta = 1};
    const uint64_t of_directions = clup_problem_most_satisfied(&problem);
    double given[18];
    for (unsigned b = 0; b < 18; b++)
        given[b] = 1;
    NEED(clup_bond_couplings_make(given, 2, 9, &problem.bond_couplings));
    const uint64_t own = clup_problem_most_satisfied(&problem);
    ok(own >= of_directions && own <= of_directions * 1.001,
       "satisfied bonds weigh %llu at most, with couplings of their own %llu",
       (unsigned long long)of_directions, (unsigned long long)own);
}

int main(void)
{
    /* as t_vector_gpu, on a processor that says that it is a GPU: kernels for GPUs alone */
    const bool others = getenv("SHIM_DEVICE") == NULL;
    if (others) {
        check_functions();
        check_most();
    }
    NEED(clup_context_create(NULL, &context));
    for (unsigned k = 0; k < QUANTITIES; k++)
        NEED(clup_observable_named(names[k], &of[k]));
    printf("# on %s\n", clup_context_device(context)->name);
    ok(others || !context->machine.threads, "with kernels for %s",
       context->machine.threads ? "threads" : "GPUs");
    check_all_spins(!others);
    if (others) {
        check_all_states();
        check_refusals();
        check_chains();
        check_set();
        check_refused();
    }
    clup_context_free(context);
    return done_testing();
}
