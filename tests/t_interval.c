/* SPDX-License-Identifier: BSD-3-Clause */
/* The interval of an estimate contains the true value in 95 of 100 runs of 50 to 150 tau_int. The
 * runs are pieces of one long Swendsen-Wang chain of the Ising model. Their specific heat must have
 * no bias. The test has a serial chain of its own, with a fast generator, so that 2000 runs take a
 * few seconds. tests/coverage.c uses runs of the library, at more temperatures and sizes. */
#include <math.h>
#include <string.h>

#include "clup.h"
#include "tap.h"

enum { SIDE = 16, SITES = SIDE * SIDE, RUNS = 2000, LONGEST = 525, APART = 40 };

/* ---- a chain --------------------------------------------------------------------------------- */

/* xoroshiro128+: D. Blackman and S. Vigna, ACM Trans. Math. Softw. 47, 36 (2021). */
static uint64_t generator[2] = {0x9E3779B97F4A7C15u, 0xD1B54A32D192ED03u};
static uint64_t rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}
static uint64_t draw(void)
{
    const uint64_t a = generator[0], b = generator[0] ^ generator[1], sum = a + generator[1];
    generator[0] = rotate(a, 24) ^ b ^ b << 16;
    generator[1] = rotate(b, 37);
    return sum;
}

static uint8_t spins[SITES], flips[SITES];
static uint16_t parents[SITES];

static unsigned find(unsigned site)
{
    while (parents[site] != site)
        site = parents[site] = parents[parents[site]];
    return site;
}

static void join(unsigned a, unsigned b, uint64_t threshold)
{
    if (spins[a] != spins[b] || draw() >= threshold)
        return;
    a = find(a);
    b = find(b);
    parents[a > b ? a : b] = (uint16_t)(a > b ? b : a);
}

static unsigned right_of(unsigned site)
{
    return site % SIDE == SIDE - 1 ? site + 1 - SIDE : site + 1;
}
static unsigned below(unsigned site)
{
    return (site + SIDE) % SITES;
}

/* Does a sweep, then measures energy and magnetisation a site. */
static void sweep(uint64_t threshold, double *energy, double *m)
{
    unsigned up = 0, equal = 0;
    for (unsigned i = 0; i < SITES; i++)
        parents[i] = (uint16_t)i;
    for (unsigned i = 0; i < SITES; i++) {
        join(i, right_of(i), threshold);
        join(i, below(i), threshold);
    }
    for (unsigned i = 0; i < SITES; i++) {
        const unsigned root = find(i);
        if (root == i)
            flips[i] = (uint8_t)(draw() >> 63);
        up += spins[i] = flips[root];
    }
    for (unsigned i = 0; i < SITES; i++)
        equal += (spins[i] == spins[right_of(i)]) + (spins[i] == spins[below(i)]);
    *energy = -(double)equal / SITES;
    *m = fabs(2. * up / SITES - 1);
}

/* ---- runs of it ------------------------------------------------------------------------------ */

static double energies[RUNS][LONGEST], ms[RUNS][LONGEST];

static void fill(double beta)
{
    const uint64_t threshold = (uint64_t)((1 - exp(-beta)) * 18446744073709549568.);
    double unused[2];
    for (unsigned k = 0; k < 500; k++)
        sweep(threshold, &unused[0], &unused[1]);
    for (unsigned r = 0; r < RUNS; r++) {
        for (unsigned k = 0; k < APART; k++)
            sweep(threshold, &unused[0], &unused[1]);
        for (unsigned k = 0; k < LONGEST; k++)
            sweep(threshold, &energies[r][k], &ms[r][k]);
    }
}

/* The variance of all values of all runs about their common mean. */
static double variance_of(double (*values)[LONGEST])
{
    double mean = 0, squares = 0;
    for (unsigned r = 0; r < RUNS; r++)
        for (unsigned k = 0; k < LONGEST; k++)
            mean += values[r][k] / RUNS / LONGEST;
    for (unsigned r = 0; r < RUNS; r++)
        for (unsigned k = 0; k < LONGEST; k++)
            squares += (values[r][k] - mean) * (values[r][k] - mean) / RUNS / LONGEST;
    return squares;
}

/* Tests the first sweeps of all runs. */
static void check(double beta, unsigned sweeps, const char *name, double truth)
{
    double squares[LONGEST], taus = 0, mean = 0, scatter = 0;
    unsigned inside = 0, below_it = 0, above = 0, by_errors = 0, few = 0;
    const clup_problem problem = {.size = {SIDE, SIDE}, .periodic = {1, 1}, .q = 2, .beta = beta};
    for (unsigned r = 0; r < RUNS; r++) {
        clup_record *record;
        clup_analysis analysis, energy;
        for (unsigned k = 0; k < sweeps; k++)
            squares[k] = ms[r][k] * ms[r][k];
        NEED(clup_record_create(&problem, &record));
        NEED(clup_record_set_series(record, 0, "energy", energies[r], sweeps));
        NEED(clup_record_set_series(record, 0, "abs_m", ms[r], sweeps));
        NEED(clup_record_set_series(record, 0, "m2", squares, sweeps));
        NEED(clup_analysis_observable(record, 0, name, &analysis));
        NEED(clup_analysis_observable(record, 0, "energy", &energy));
        clup_record_free(record);
        taus += energy.tau_int / RUNS;
        mean += analysis.mean / RUNS;
        scatter += (analysis.mean - truth) * (analysis.mean - truth) / RUNS;
        above += truth < analysis.low;
        below_it += truth > analysis.high;
        inside += analysis.low <= truth && truth <= analysis.high;
        by_errors += fabs(analysis.mean - truth) < 2 * analysis.error;
        few += analysis.error > 0 && !(analysis.low < analysis.mean);
    }
    const double share = 100. * inside / RUNS, bias = mean / truth - 1;
    ok(fabs(share - 95) < 2 && few == 0,
       "%s, %u sweeps, %.0f tau_int of the energy: %.1f %% of intervals are right, %.1f %% are "
       "above "
       "and %.1f %% below; of 2 errors %.1f %%",
       name, sweeps, sweeps / taus, share, 100. * above / RUNS, 100. * below_it / RUNS,
       100. * by_errors / RUNS);
    if (strcmp(name, "specific_heat") == 0 || strcmp(name, "susceptibility") == 0)
        ok(fabs(bias) < 0.008 + 3 * sqrt(scatter / RUNS) / truth,
           "off by %.4f +- %.4f of its value, without correction by %.4f", bias,
           sqrt(scatter / RUNS) / truth, -2 * taus / sweeps);
}

int main(void)
{
    static const unsigned sweeps[] = {175, 260, 350, 525};
    const double beta = clup_critical_beta(CLUP_LATTICE_SQUARE, 2);
    const clup_problem problem = {.size = {SIDE, SIDE}, .periodic = {1, 1}, .q = 2, .beta = beta};
    double energy, heat;
    NEED(clup_exact_ising(&problem, &energy, &heat));
    fill(beta);
    const double susceptibility = beta * SITES * variance_of(ms);
    ok(fabs(beta * beta * SITES * variance_of(energies) / heat - 1) < 0.01,
       "the chain has the exact specific heat");
    for (size_t k = 0; k < sizeof sweeps / sizeof *sweeps; k++) {
        check(beta, sweeps[k], "specific_heat", heat);
        check(beta, sweeps[k], "susceptibility", susceptibility);
    }
    check(beta, 260, "energy", energy);
    return done_testing();
}
