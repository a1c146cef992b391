/* SPDX-License-Identifier: BSD-3-Clause */
/* Observables: each has a name, a description of one line, and a series from which its estimate
 * follows, in simulations and in percolation. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "estimate/series.h"
#include "program.h"
#include "run/percolation_scan.h"
#include "tap.h"

#define SWEEPS 40u
#define REPLICAS 2u
#define SAMPLES 2500u /* some blocks of samples that are added up together */

static void check_names(void)
{
    unsigned named = 0, alike = 0;
    for (int a = 0; a < CLUP_OBSERVABLES_ALL; a++) {
        named += strlen(clup_observable_name(a)) > 0 && strlen(clup_observable_about(a)) > 0;
        for (int b = 0; b < a; b++)
            alike += strcmp(clup_observable_name(a), clup_observable_name(b)) == 0;
    }
    for (int a = 0; a < CLUP_PERCOLATION_OBSERVABLES; a++) {
        named += strlen(clup_percolation_observable_name(a)) > 0 &&
                 strlen(clup_percolation_observable_about(a)) > 0;
        for (int b = 0; b < a; b++)
            alike += strcmp(clup_percolation_observable_name(a),
                            clup_percolation_observable_name(b)) == 0;
    }
    ok(named == CLUP_OBSERVABLES_ALL + CLUP_PERCOLATION_OBSERVABLES && alike == 0,
       "%u observables have names of their own, and say what they are", named);
}

static bool is_function(clup_observable observable)
{
    return observable == CLUP_BINDER || observable == CLUP_SPECIFIC_HEAT ||
           observable == CLUP_SUSCEPTIBILITY || observable == CLUP_CHI ||
           observable == CLUP_BINDER_IMPROVED || observable == CLUP_CHI_IMPROVED ||
           observable == CLUP_XI || observable == CLUP_XI_OVER_L ||
           observable == CLUP_XI_IMPROVED || observable == CLUP_XI_OVER_L_IMPROVED;
}

static bool close_to(double value, double wanted, double scale)
{
    return fabs(value - wanted) <= 1e-9 * scale || (isnan(value) && isnan(wanted));
}

/* Runs a simulation in two parts. Compares its series, whole and in pages, with the estimates. For
 * a mean, the series' mean is the estimate. For a function of means, it differs by the jackknife's
 * bias, which must be less than the error. */
static void check_simulation(clup_algorithm algorithm)
{
    const clup_method method = {.algorithm = algorithm};
    const clup_problem problem = {.size = {12, 10},
                                  .periodic = {1, 1},
                                  .q = 3,
                                  .beta = 0.95,
                                  .replicas = algorithm == CLUP_SWENDSEN_WANG ? REPLICAS : 1};
    clup_simulation *simulation;
    double values[SWEEPS], page[SWEEPS], first_energy = 0;
    clup_estimate estimates[CLUP_OBSERVABLES];
    unsigned right = 0, paged = 0, fractions = 0, of = 0;
    const clup_observable wanted[] = {CLUP_CLUSTERS, CLUP_SK, CLUP_SK_IMPROVED, CLUP_WRAP_X};
    NEED(clup_simulation_create(NULL, &problem, &method, NULL, 7, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(simulation, wanted, 4, 1));
    ok(clup_simulation_measured(simulation) == 0 &&
           clup_simulation_series(simulation, 0, CLUP_BINDER, 0, 0, values) == CLUP_OK,
       "%s: at first nothing is measured", clup_algorithm_name(algorithm));
    NEED(clup_simulation_run(simulation, 3, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, 1, 1, NULL, NULL));
    NEED(clup_simulation_series(simulation, 0, CLUP_ENERGY, 0, 1, &first_energy));
    NEED(clup_simulation_series(simulation, 0, CLUP_BINDER, 0, 1, values));
    ok(isnan(values[0]) && first_energy < 0,
       "of one sweep there is an energy, and no pseudo-value");
    NEED(clup_simulation_run(simulation, SWEEPS - 1, 1, NULL, NULL));
    ok(clup_simulation_measured(simulation) == SWEEPS, "measured are %u sweeps of %u", SWEEPS,
       (unsigned)clup_simulation_sweeps(simulation));
    for (uint32_t r = 0; r < problem.replicas; r++) {
        NEED(clup_simulation_estimate(simulation, r, estimates));
        for (clup_observable k = 0; k < CLUP_OBSERVABLES; k++, of++) {
            NEED(clup_simulation_series(simulation, r, k, 0, SWEEPS, values));
            const clup_estimate estimate = clup_series_estimate(values, SWEEPS);
            const double scale = 1 + fabs(estimates[k].mean);
            /* a variance has a correction factor, and its error has it, too */
            const double factor = estimates[k].bias > 0 ? 1 - estimates[k].bias / estimates[k].mean
                                                        : 1;
            right += (is_function(k) && !isnan(estimate.mean)
                          ? fabs(estimate.mean - estimates[k].mean * factor) < estimates[k].error
                          : close_to(estimate.mean, estimates[k].mean, scale)) &&
                     close_to(estimate.error, estimates[k].error * factor, scale);
            NEED(clup_simulation_series(simulation, r, k, 0, 7, page));
            NEED(clup_simulation_series(simulation, r, k, 7, SWEEPS - 7, page + 7));
            paged += memcmp(page, values, sizeof page) == 0;
        }
    }
    ok(right == of && paged == of,
       "the series of %u of %u observables of replicas have their means and errors, %u the same in "
       "pages",
       right, of, paged);
    NEED(clup_simulation_series(simulation, 0, CLUP_ENERGY, 0, SWEEPS, values));
    NEED(clup_simulation_series(simulation, 0, CLUP_CLUSTERS, 0, SWEEPS, page));
    for (unsigned k = 0; k < SWEEPS; k++)
        fractions += close_to(values[k] * 120, round(values[k] * 120), 1) &&
                     (algorithm == CLUP_SWENDSEN_WANG
                          ? page[k] * 120 >= 1 && close_to(page[k] * 120, round(page[k] * 120), 1)
                          : isnan(page[k]));
    ok(fractions == SWEEPS && values[0] == first_energy,
       "energies and clusters are whole numbers of bonds and clusters, a site");
    clup_simulation_free(simulation);
}

/* Estimates of many replicas at once, by threads, equal those of each replica. */
static void check_together(void)
{
    enum { SYSTEMS = 40, FROM = 3 };
    const clup_problem problem = {
        .size = {5, 4}, .periodic = {1, 1}, .q = 3, .beta = 0.9, .replicas = SYSTEMS};
    static clup_estimate one[SYSTEMS][CLUP_OBSERVABLES], all[SYSTEMS][CLUP_OBSERVABLES];
    const clup_observable wanted = CLUP_CLUSTERS;
    clup_simulation *simulation;
    NEED(clup_simulation_create(NULL, &problem, NULL, NULL, 7, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(simulation, &wanted, 1, 1));
    for (unsigned k = 0; k < 2; k++) {
        NEED(clup_simulation_run(simulation, 300, 1, NULL, NULL));
        for (uint32_t r = FROM; r < SYSTEMS; r++)
            NEED(clup_simulation_estimate(simulation, r, one[r]));
        NEED(clup_simulation_estimates(simulation, FROM, SYSTEMS - FROM, all[FROM]));
        ok(memcmp(one, all, sizeof one) == 0 && one[FROM][CLUP_CHI_IMPROVED].error > 0,
           "estimates of %d replicas at once are those of each", SYSTEMS - FROM);
    }
    clup_simulation_free(simulation);
}

/* Whether two numbers are equal, but for the order in which values were added up. */
static bool same_but_order(double a, double b)
{
    return (isnan(a) && isnan(b)) || close_to(a, b, 1e-3 * fabs(b));
}

static void check_percolation(clup_model model)
{
    const clup_problem problem = {.size = {16, 9}, .periodic = {1, 0}, .model = model};
    clup_percolation *percolation;
    clup_percolation_point point;
    static double values[CLUP_PERCOLATION_OBSERVABLES][SAMPLES],
        later[CLUP_PERCOLATION_OBSERVABLES][SAMPLES - 10];
    unsigned right = 0, same = 0;
    NEED(clup_percolation_create(NULL, &problem, NULL, 3, &percolation));
    NEED(clup_percolation_run(percolation, 0.55, SAMPLES, NULL, NULL, &point));
    NEED(clup_percolation_series(percolation, 0.55, 0, SAMPLES, NULL, NULL, values[0]));
    NEED(clup_percolation_series(percolation, 0.55, 10, SAMPLES - 10, NULL, NULL, later[0]));
    for (clup_percolation_observable k = 0; k < CLUP_PERCOLATION_OBSERVABLES; k++) {
        clup_sums sums = {0};
        for (unsigned s = 0; s < SAMPLES; s++)
            clup_sums_add(&sums, values[k][s]);
        const clup_estimate estimate = clup_sums_estimate(&sums);
        right += same_but_order(estimate.mean, point.estimates[k].mean) &&
                 same_but_order(estimate.error, point.estimates[k].error) &&
                 same_but_order(estimate.events, point.estimates[k].events);
        same += memcmp(later[k], &values[k][10], sizeof later[k]) == 0;
    }
    ok(right == CLUP_PERCOLATION_OBSERVABLES && same == CLUP_PERCOLATION_OBSERVABLES,
       "%s: the series of %u observables have the means and errors of the point, %u the same from "
       "sample 10 on",
       clup_model_name(model), right, same);
    clup_percolation_free(percolation);
}

/* A scan in pieces has what one call draws, and the covariances of the values that it keeps. */
static void check_scan(void)
{
    enum { MANY = 3456, ALL = CLUP_PERCOLATION_OBSERVABLES, PIECES = 7 };
    static const double ps[] = {0.3, 0.55};
    static const uint64_t pieces[PIECES] = {7, 999, 1000, 1001, 2999, 3456, 20};
    const clup_problem problem = {
        .size = {12, 9}, .periodic = {1, 0}, .model = CLUP_SITE_PERCOLATION};
    clup_percolation *percolation;
    clup_percolation_scan *scan;
    clup_percolation_point whole, point;
    clup_record *record;
    double matrix[ALL][ALL];
    unsigned right = 0, same = 0, snug = 0;
    static double values[ALL][MANY];
    NEED(clup_percolation_create(NULL, &problem, NULL, 3, &percolation));
    NEED(clup_percolation_run(percolation, 0.55, MANY, NULL, NULL, &whole));
    NEED(clup_percolation_series(percolation, 0.55, 0, MANY, NULL, NULL, values[0]));
    NEED(clup_percolation_scan_create(&problem, 3, ps, 2, 1, &scan));
    for (size_t k = 0; k < PIECES; k++)
        for (uint32_t p = 0; p < 2; p++) {
            NEED(clup_percolation_scan_run(scan, percolation, p, pieces[k], NULL, NULL));
            snug += scan->points[p].open_room == scan->points[p].samples % CLUP_SCAN_BLOCK;
        }
    ok(snug == 2 * PIECES, "between runs a scan has no more room than values, %u of %u times", snug,
       2 * PIECES);
    NEED(clup_percolation_scan_point(scan, 1, &point));
    point.wall_s = whole.wall_s;
    ok(memcmp(&point, &whole, sizeof point) == 0, "a scan in pieces has what one call draws");
    NEED(clup_percolation_scan_covariance(scan, 1, matrix[0]));
    for (unsigned i = 0; i < ALL; i++)
        for (unsigned j = 0; j < ALL; j++) {
            double sum = 0;
            for (unsigned s = 0; s < MANY; s++)
                sum += (values[i][s] - whole.estimates[i].mean) *
                       (values[j][s] - whole.estimates[j].mean) / (MANY - 1.) / MANY;
            right += (isnan(sum) && isnan(matrix[i][j])) ||
                     close_to(matrix[i][j], sum,
                              whole.estimates[i].error * whole.estimates[j].error);
        }
    ok(right == ALL * ALL, "and the covariances of the means, %u of %u", right, ALL * ALL);
    NEED(clup_percolation_scan_record(scan, &record));
    for (unsigned o = 0; o < ALL; o++) {
        const double *series = clup_record_series(record, 1, clup_percolation_observable_name(o));
        same += isnan(values[o][0]) ? series == NULL
                                    : memcmp(series, values[o], sizeof values[o]) == 0;
    }
    ok(same == ALL && clup_record_count(record, 1) == MANY,
       "its record has the values of all samples of %u observables", same);
    clup_record_free(record);
    clup_percolation_scan_free(scan);
    clup_percolation_free(percolation);
}

static int never(uint64_t done, uint64_t samples, void *user)
{
    (void)done, (void)samples, (void)user;
    return 1;
}

static void check_interrupted(void)
{
    const clup_problem problem = {
        .size = {16, 9}, .periodic = {1, 1}, .model = CLUP_BOND_PERCOLATION};
    clup_percolation *percolation;
    double values[CLUP_PERCOLATION_OBSERVABLES][3];
    NEED(clup_percolation_create(NULL, &problem, NULL, 3, &percolation));
    ok(clup_percolation_series(percolation, 0.5, 0, 3, never, NULL, values[0]) ==
               CLUP_INTERRUPTED &&
           values[CLUP_PERCOLATION_OCCUPIED][0] == 1 &&
           isnan(values[CLUP_PERCOLATION_OCCUPIED][1]) &&
           isnan(values[CLUP_PERCOLATION_WRAP_ONE][2]),
       "samples that were not drawn have no values");
    clup_percolation_free(percolation);
}

int main(void)
{
    check_names();
    check_simulation(CLUP_SWENDSEN_WANG);
    check_simulation(CLUP_WOLFF);
    check_percolation(CLUP_BOND_PERCOLATION);
    check_percolation(CLUP_SITE_PERCOLATION);
    check_interrupted();
    check_scan();
    check_together();
    return done_testing();
}
