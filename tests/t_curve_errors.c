/* SPDX-License-Identifier: BSD-3-Clause */
/* Slopes and crossings of curves at other temperatures against exact ones: from all states of a
 * small lattice; and how often the exact value lies within two errors, over many seeds of series
 * that are drawn from all states. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "hits.h"
#include "ising_torus.h"
#include "tap.h"

/* ---- exact curves ---------------------------------------------------------------------------- */

/* Curves, and the same from sums over all states. */
typedef double of_means(double e, double e2, const double m[5], double beta, double sites);

static double energy_of(double e, double e2, const double m[5], double beta, double sites)
{
    (void)e2, (void)m, (void)beta, (void)sites;
    return e;
}
static double heat_of(double e, double e2, const double m[5], double beta, double sites)
{
    (void)m;
    return beta * beta * sites * (e2 - e * e);
}
static double binder_of(double e, double e2, const double m[5], double beta, double sites)
{
    (void)e, (void)e2, (void)beta, (void)sites;
    return 1 - m[4] / (3 * m[2] * m[2]);
}
static double xi_over_l_of(double e, double e2, const double m[5], double beta, double sites)
{
    (void)e, (void)e2, (void)beta;
    return sqrt(sites * m[2] / m[0] - 1) / (2 * sin(M_PI / sqrt(sites))) / sqrt(sites);
}
static double scaled_of(double e, double e2, const double m[5], double beta, double sites)
{
    (void)e, (void)e2;
    return beta * sites * m[2] / pow(sites, 0.875) + m[1] * beta;
}

static const struct curve {
    const char *name;
    of_means *of;
} curves[] = {{"energy", energy_of},
              {"specific_heat", heat_of},
              {"binder", binder_of},
              {"xi_over_l", xi_over_l_of},
              {"chi/L^1.75 + abs_m*beta", scaled_of}};
enum { CURVES = sizeof curves / sizeof *curves };

static double exact(const torus *torus, const struct curve *curve, double beta)
{
    const double sites = torus->side * torus->side;
    long double sum = 0, e = 0, e2 = 0, sums[5] = {0};
    double m[5];
    for (size_t k = 0; k < torus->count; k++) {
        const state *at = &torus->states[k];
        const double weight = exp(-beta * sites * (at->energy + 2));
        sum += weight;
        e += weight * at->energy;
        e2 += weight * at->energy * at->energy;
        sums[0] += weight * at->sk;
        sums[1] += weight * at->m;
        sums[2] += weight * at->m * at->m;
        sums[4] += weight * at->m * at->m * at->m * at->m;
    }
    for (unsigned k = 0; k < 5; k++)
        m[k] = (double)(sums[k] / sum);
    return curve->of((double)(e / sum), (double)(e2 / sum), m, beta, sites);
}

static double exact_slope(const torus *torus, const struct curve *curve, double beta)
{
    const double step = 5e-4;
    return (8 * (exact(torus, curve, beta + step) - exact(torus, curve, beta - step)) -
            (exact(torus, curve, beta + 2 * step) - exact(torus, curve, beta - 2 * step))) /
           (12 * step);
}

static void check_slopes(const torus *torus)
{
    static const double at[] = {0.05, 0.4, 0.88, 1.5};
    clup_reweighting *reweighting = reweighting_of(whole_record(torus));
    for (unsigned c = 0; c < CURVES; c++) {
        double worst = 0;
        for (unsigned k = 0; k < sizeof at / sizeof *at; k++) {
            const double wanted = exact_slope(torus, &curves[c], at[k]);
            clup_slope slope;
            NEED(clup_reweighting_slope(reweighting, curves[c].name, at[k], &slope));
            worst = fmax(worst, fabs(slope.slope - wanted) / fmax(1, fabs(wanted)));
        }
        ok(worst < 1e-8, "slope of %s from all states: exact, to %.1e", curves[c].name, worst);
    }
    clup_slope slope, none;
    double values[16];
    NEED(clup_reweighting_slope(reweighting, "specific_heat", 0.88, &slope));
    NEED(clup_reweighting_at(reweighting, 0.88, values, NULL, NULL));
    unsigned row = 0;
    while (strcmp(clup_reweighting_name(reweighting, row), "specific_heat") != 0)
        row++;
    ok(slope.value == values[row], "the value is that of clup_reweighting_at");
    ok(clup_reweighting_slope(reweighting, "clusters/2", 0.88, &none) == CLUP_ERROR_USAGE &&
           strstr(clup_error_detail(), "'clusters' is not known at other temperatures") != NULL,
       "refused: %s", clup_error_detail());
    clup_reweighting_free(reweighting);
}

/* ---- coverage -------------------------------------------------------------------------------- */

/* Where two sizes cross, by bisection. */
static double exact_crossing(const torus *const of[2], const struct curve *curve)
{
    double low = 0.5, high = 1.3;
    const double sign = exact(of[0], curve, low) > exact(of[1], curve, low) ? 1 : -1;
    for (unsigned step = 0; step < 40; step++) {
        const double beta = (low + high) / 2;
        *(sign * (exact(of[0], curve, beta) - exact(of[1], curve, beta)) > 0 ? &low : &high) = beta;
    }
    return low;
}

static void check_coverage(const torus *const of[2])
{
    static const double at[] = {0.85};
    static hits slopes[CURVES], crossings[CURVES], values[CURVES], crossed[CURVES][2];
    for (unsigned c = 0; c < CURVES; c++) {
        slopes[c].true_value = exact_slope(of[1], &curves[c], at[0]);
        if (c < 3)
            continue;
        const double beta = crossings[c].true_value = exact_crossing(of, &curves[c]);
        values[c].true_value = exact(of[0], &curves[c], beta);
        for (unsigned k = 0; k < 2; k++)
            crossed[c][k].true_value = exact_slope(of[k], &curves[c], beta);
    }
    for (u32 seed = 0; seed < SEEDS; seed++) {
        clup_reweighting *drawn[2] = {reweighting_of(draw_record(of[0], 2 * seed)),
                                      reweighting_of(draw_record(of[1], 2 * seed + 1))};
        for (unsigned c = 0; c < CURVES; c++) {
            clup_slope slope, both[2];
            clup_place place;
            NEED(clup_reweighting_slope(drawn[1], curves[c].name, at[0], &slope));
            add(&slopes[c], slope.slope, slope.slope_error);
            if (c < 3)
                continue;
            NEED(clup_reweighting_crossing(drawn[0], drawn[1], curves[c].name, 0.6, 1.2, &place));
            if (!place.found)
                continue;
            add(&crossings[c], place.beta, place.beta_error);
            add(&values[c], place.value, place.value_error);
            NEED(
                clup_reweighting_crossing_slopes(drawn[0], drawn[1], curves[c].name, &place, both));
            for (unsigned k = 0; k < 2; k++)
                add(&crossed[c][k], both[k].slope, both[k].slope_error);
        }
        clup_reweighting_free(drawn[0]);
        clup_reweighting_free(drawn[1]);
    }
    for (unsigned c = 0; c < CURVES; c++) {
        check_hits(&slopes[c], "slope", curves[c].name);
        if (c < 3)
            continue;
        check_hits(&crossings[c], "crossing", curves[c].name);
        check_hits(&values[c], "value at the crossing", curves[c].name);
        check_hits(&crossed[c][0], "slope of 3 x 3 sites at the crossing", curves[c].name);
        check_hits(&crossed[c][1], "slope of 4 x 4 sites at the crossing", curves[c].name);
    }
}

int main(void)
{
    static torus small, large;
    make_torus(3, &small);
    make_torus(4, &large);
    check_slopes(&large);
    check_coverage((const torus *const[]){&small, &large});
    return done_testing();
}
