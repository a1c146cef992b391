/* SPDX-License-Identifier: BSD-3-Clause */
/* Histograms, free energies and double peaks: exact from all states of a small lattice; and how
 * often the exact value lies within two errors, over many seeds of series that are drawn from all
 * states, or from a distribution with two peaks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "hits.h"
#include "ising_torus.h"
#include "tap.h"

static double exact_ln_z(const torus *torus, double beta)
{
    const double sites = torus->side * torus->side;
    double sum = 0;
    for (size_t k = 0; k < torus->count; k++)
        sum += exp(-beta * sites * (torus->states[k].energy + 2));
    return log(sum) + 2 * beta * sites;
}

/* The share of states whose energy, or magnetisation, is near a value. */
static double exact_share(const torus *torus, int magnetisation, double value, double beta)
{
    const double sites = torus->side * torus->side;
    double sum = 0, near = 0;
    for (size_t k = 0; k < torus->count; k++) {
        const state *at = &torus->states[k];
        const double weight = exp(-beta * sites * (at->energy + 2));
        sum += weight;
        near += fabs((magnetisation ? at->m : at->energy) - value) < 1e-6 ? weight : 0;
    }
    return near / sum;
}

/* The share, and its error, of the bin with a value. */
static double share_at(const clup_histogram *histogram, double value, double beta, double *error)
{
    double low, width, shares[64], errors[64];
    clup_histogram_bins(histogram, &low, &width);
    NEED(clup_histogram_at(histogram, beta, shares, errors));
    const int bin = (int)floor((value - low) / width);
    *error = errors[bin];
    return shares[bin];
}

static void check_exact(const torus *torus)
{
    static const double at[] = {0, 0.3, 0.88, 1.5};
    clup_record *record = whole_record(torus);
    const clup_record *const records[] = {record};
    clup_reweighting *reweighting;
    clup_histogram *energies, *moments;
    double worst = 0, sums = 0, free_energy = 0, hot, difference, error, shares[64];
    NEED(clup_reweighting_create(records, 1, &reweighting));
    NEED(clup_histogram_create(reweighting, records, 1, "energy", 0, &energies));
    NEED(clup_histogram_create(reweighting, records, 1, "abs_m", 0, &moments));
    clup_record_free(record);
    NEED(clup_reweighting_ln_z_hot(reweighting, &hot));
    ok(fabs(hot - 16 * log(2)) < 1e-12, "ln Z at beta 0 is 16 ln 2");
    for (unsigned k = 0; k < sizeof at / sizeof *at; k++) {
        for (unsigned level = 0; level <= 16; level++) {
            const double energy = -2 + level / 8., m = level / 8.;
            worst = fmax(worst, fabs(share_at(energies, energy, at[k], &error) -
                                     exact_share(torus, 0, energy, at[k])));
            if (level <= 8)
                worst = fmax(worst, fabs(share_at(moments, m, at[k], &error) -
                                         exact_share(torus, 1, m, at[k])));
        }
        NEED(clup_histogram_at(energies, at[k], shares, NULL));
        double sum = 0;
        for (uint32_t bin = 0; bin < clup_histogram_bins(energies, NULL, NULL); bin++)
            sum += shares[bin];
        sums = fmax(sums, fabs(sum - 1));
        NEED(clup_reweighting_ln_z(reweighting, 0, at[k], &difference, NULL));
        free_energy = fmax(free_energy, fabs(hot + difference - exact_ln_z(torus, at[k])));
    }
    ok(worst < 1e-12 && sums < 1e-12,
       "shares of energies and abs_m from all states: exact, to %.1e", worst);
    ok(free_energy < 1e-10, "ln Z from that at beta 0: exact, to %.1e", free_energy);
    ok(clup_histogram_bins(energies, NULL, NULL) == 17 &&
           clup_histogram_bins(moments, NULL, NULL) == 9,
       "a bin for each value");
    clup_histogram_free(energies);
    clup_histogram_free(moments);
    clup_reweighting_free(reweighting);
}

/* ---- coverage -------------------------------------------------------------------------------- */

static void check_coverage(const torus *torus)
{
    static const double at = 0.85;
    static const struct place {
        int magnetisation;
        double value;
    } places[] = {{0, -2}, {0, -1.25}, {1, 0.5}, {1, 1}};
    enum { PLACES = sizeof places / sizeof *places };
    static hits shares[PLACES], between, beside;
    for (unsigned k = 0; k < PLACES; k++)
        shares[k].true_value = exact_share(torus, places[k].magnetisation, places[k].value, at);
    between.true_value = exact_ln_z(torus, betas[1]) - exact_ln_z(torus, betas[0]);
    beside.true_value = exact_ln_z(torus, at) - exact_ln_z(torus, betas[0]);
    for (u32 seed = 0; seed < SEEDS; seed++) {
        clup_record *record = draw_record(torus, seed);
        const clup_record *const records[] = {record};
        clup_reweighting *reweighting;
        clup_histogram *of[2];
        double difference, error;
        NEED(clup_reweighting_create(records, 1, &reweighting));
        NEED(clup_histogram_create(reweighting, records, 1, "energy", 0, &of[0]));
        NEED(clup_histogram_create(reweighting, records, 1, "abs_m", 0, &of[1]));
        clup_record_free(record);
        for (unsigned k = 0; k < PLACES; k++) {
            const double share = share_at(of[places[k].magnetisation], places[k].value, at, &error);
            add(&shares[k], share, error);
        }
        NEED(clup_reweighting_ln_z(reweighting, betas[0], betas[1], &difference, &error));
        add(&between, difference, error);
        NEED(clup_reweighting_ln_z(reweighting, betas[0], at, &difference, &error));
        add(&beside, difference, error);
        clup_histogram_free(of[0]);
        clup_histogram_free(of[1]);
        clup_reweighting_free(reweighting);
    }
    for (unsigned k = 0; k < PLACES; k++)
        check_hits(&shares[k], "share", places[k].magnetisation ? "abs_m" : "energy");
    check_hits(&between, "difference of ln Z", "two temperatures of series");
    check_hits(&beside, "difference of ln Z", "a temperature between them");
}

/* ---- two peaks ------------------------------------------------------------------------------- */

/* Energies of 12 x 12 sites, from 0 to -288, whose logarithms of weights at beta 1 are those of two
 * normal distributions; exactly known, as a Potts model's are not. */
enum { LEVELS = 289, DRAWN = 4000, MIDDLE = 166 };
static const double centres[] = {-226, -107}, widths[] = {22, 24};

static double log_weight(int level, double beta, double distance)
{
    double sum = 0;
    for (unsigned k = 0; k < 2; k++)
        sum += exp(-pow((-level - centres[k] * distance - -MIDDLE * (1 - distance)) / widths[k],
                        2) /
                   2) /
               widths[k];
    return log(sum) + (beta - 1) * level;
}

static void weigh(double beta, double distance, double shares[LEVELS])
{
    double sum = 0;
    for (int k = 0; k < LEVELS; k++)
        sum += shares[k] = exp(log_weight(k, beta, distance));
    for (int k = 0; k < LEVELS; k++)
        shares[k] /= sum;
}

/* Reweighting and histogram of values that are drawn at two temperatures. */
static clup_histogram *draw_peaks(double distance, u32 seed, clup_reweighting **reweighting)
{
    static const double at[2] = {0.998, 1.004};
    static double values[DRAWN];
    const clup_problem problem = {
        .size = {12, 12}, .periodic = {1, 1}, .q = 10, .replicas = 2, .betas = at};
    clup_record *record;
    clup_histogram *histogram;
    NEED(clup_record_create(&problem, &record));
    for (uint32_t r = 0; r < 2; r++) {
        double shares[LEVELS];
        weigh(at[r], distance, shares);
        for (int k = 1; k < LEVELS; k++)
            shares[k] += shares[k - 1];
        for (u32 k = 0; k < DRAWN; k++) {
            const double number = uniform(k, 2 * seed + r + 700000) * shares[LEVELS - 1];
            int level = 0, high = LEVELS - 1;
            while (level < high)
                if (shares[(level + high) / 2] >= number)
                    high = (level + high) / 2;
                else
                    level = (level + high) / 2 + 1;
            values[k] = -level / 144.;
        }
        NEED(clup_record_set_series(record, r, "energy", values, DRAWN));
    }
    const clup_record *const records[] = {record};
    NEED(clup_reweighting_create(records, 1, reweighting));
    NEED(clup_histogram_create(*reweighting, records, 1, "energy", 0, &histogram));
    clup_record_free(record);
    return histogram;
}

/* The exact figures of two peaks; the valley is at the level between them that is the least likely
 * where both are of equal height. */
static void exact_peaks(double figures[4])
{
    double shares[LEVELS], low = 0.9, high = 1.1, weight = 0, energies[2] = {0}, sums[2] = {0};
    int peaks[2] = {0, 0}, valley = 0;
    for (unsigned step = 0; step < 60; step++) {
        const double beta = (low + high) / 2;
        weigh(beta, 1, shares);
        peaks[0] = 226, peaks[1] = 107;
        for (int k = 0; k < LEVELS; k++)
            peaks[k < MIDDLE] = shares[k] > shares[peaks[k < MIDDLE]] ? k : peaks[k < MIDDLE];
        *(shares[peaks[0]] > shares[peaks[1]] ? &high : &low) = beta;
    }
    figures[0] = low;
    valley = peaks[1];
    for (int k = peaks[1]; k < peaks[0]; k++)
        valley = shares[k] < shares[valley] ? k : valley;
    figures[1] = log(shares[peaks[0]] / shares[valley]);
    low = 0.9, high = 1.1;
    for (unsigned step = 0; step < 60; step++) {
        const double beta = (low + high) / 2;
        weigh(beta, 1, shares);
        weight = shares[valley] / 2;
        for (int k = valley + 1; k < LEVELS; k++)
            weight += shares[k];
        *(weight > 0.5 ? &high : &low) = beta;
    }
    figures[2] = low;
    for (int k = 0; k < LEVELS; k++)
        for (int side = 0; side < 2; side++) {
            const double share = k == valley ? shares[k] / 2 : (k < valley) == side ? shares[k] : 0;
            sums[side] += share;
            energies[side] -= share * k / 144;
        }
    figures[3] = energies[1] / sums[1] - energies[0] / sums[0];
}

static void check_peaks(void)
{
    static const char *const names[] = {"beta of equal height", "ln(Pmax/Pmin)",
                                        "beta of equal weight", "latent heat"};
    double figures[4];
    static hits hits[4];
    unsigned single = 0;
    exact_peaks(figures);
    for (unsigned k = 0; k < 4; k++)
        hits[k].true_value = figures[k];
    for (u32 seed = 0; seed < SEEDS; seed++) {
        clup_reweighting *reweighting;
        clup_double_peak peak;
        clup_histogram *histogram = draw_peaks(1, seed, &reweighting);
        NEED(clup_histogram_double_peak(histogram, 0.95, 1.05, &peak));
        if (peak.found) {
            add(&hits[0], peak.equal_height, peak.equal_height_error);
            add(&hits[1], peak.depth, peak.depth_error);
            add(&hits[2], peak.equal_weight, peak.equal_weight_error);
            add(&hits[3], peak.latent, peak.latent_error);
            if (seed == 0)
                ok(fabs(peak.tension - peak.depth / 24) < 1e-12 &&
                       fabs(peak.energies[1] - peak.energies[0] - peak.latent) < 1e-12 &&
                       peak.peaks[0] < peak.valley && peak.valley < peak.peaks[1],
                   "two peaks at %.3f and %.3f, a valley at %.3f, tension %.3f", peak.peaks[0],
                   peak.peaks[1], peak.valley, peak.tension);
        }
        clup_histogram_free(histogram);
        clup_reweighting_free(reweighting);
        if (seed % 10 != 0)
            continue;
        histogram = draw_peaks(0, seed, &reweighting);
        NEED(clup_histogram_double_peak(histogram, 0.95, 1.05, &peak));
        single += peak.found;
        clup_histogram_free(histogram);
        clup_reweighting_free(reweighting);
    }
    for (unsigned k = 0; k < 4; k++)
        check_hits(&hits[k], names[k], "two peaks");
    ok(single <= SEEDS / 10 / 50, "of one peak noise makes two in %u of %d seeds", single,
       SEEDS / 10);
}

int main(void)
{
    static torus torus;
    make_torus(4, &torus);
    check_exact(&torus);
    check_coverage(&torus);
    check_peaks();
    return done_testing();
}
