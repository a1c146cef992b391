/* SPDX-License-Identifier: BSD-3-Clause */
/* Error analysis against series whose autocorrelation is known. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "estimate/estimate.h"
#include "estimate/series.h"
#include "core/random.clh"
#include "tap.h"

#define COUNT 200000

static double gauss(u32 n)
{
    philox_block block = {{n, 0, 0, 0}};
    block = philox(block, 5, 6);
    return sqrt(-2 * log((block.v[0] + 0.5) / 4294967296.0)) *
           cos(2 * M_PI * block.v[1] / 4294967296.0);
}

/* x' = a x + noise: rho(t) = a^t, so tau_int = 1/2 + a/(1 - a), and unit variance. */
static void fill(double *values, size_t count, double a, u32 from)
{
    double x = gauss(from);
    for (u32 k = 0; k < count; k++)
        values[k] = x = a * x + sqrt(1 - a * a) * gauss(from + k + 1);
}

/* The standard deviation of the means of many series, divided by the mean of their errors. */
static double scatter(double *values, size_t count, double a)
{
    enum { SERIES = 4000 };
    double squares = 0, errors = 0;
    for (u32 s = 0; s < SERIES; s++) {
        fill(values, count, a, s * (u32)(count + 1));
        const clup_estimate estimate = clup_series_estimate(values, count);
        squares += estimate.mean * estimate.mean;
        errors += estimate.error;
    }
    return sqrt(squares / SERIES) / (errors / SERIES);
}

/* Adds a sweep; values that are NAN are not stored. */
static clup_status add_values(clup_history *history, const double values[CLUP_COLUMNS])
{
    for (size_t k = 0; k < CLUP_COLUMNS; k++)
        history->kept[k] = !isnan(values[k]);
    const clup_status status = clup_history_reserve(history, history->count + 1);
    for (size_t k = 0; status == CLUP_OK && k < CLUP_COLUMNS; k++)
        if (history->kept[k])
            history->columns[k][history->count] = values[k];
    history->count += status == CLUP_OK;
    return status;
}

static clup_status add(clup_history *history, double energy)
{
    return add_values(history, (const double[CLUP_COLUMNS]){energy, 0.5, 0.25, 0.5, NAN});
}

/* Every sweep counts, from the first to the last. */
static void check_all_count(void)
{
    clup_history history = {0};
    clup_estimate estimates[CLUP_OBSERVABLES];
    for (unsigned k = 0; k < 1000; k++)
        NEED(add(&history, k == 0 ? 1000 : 0));
    NEED(clup_history_estimate(&history, &(clup_system){.beta = 1, .sites = 1}, estimates));
    ok(fabs(estimates[CLUP_ENERGY].mean - 1) < 1e-12, "the first of 1000 sweeps counts (mean %g)",
       estimates[CLUP_ENERGY].mean);
    ok(fabs(estimates[CLUP_ENERGY].events - 1) < 0.1 &&
           clup_estimate_note(&estimates[CLUP_ENERGY]) == CLUP_NOTE_FEW_EVENTS,
       "and is one event (%.3f)", estimates[CLUP_ENERGY].events);
    ok(clup_estimate_note(&estimates[CLUP_ABS_M]) == CLUP_NOTE_CONSTANT &&
           clup_estimate_note(&estimates[CLUP_UPDATED]) == CLUP_NOTE_NONE,
       "what never changed is noted, what was not measured is not");
    clup_history_clear(&history);
    NEED(add(&history, 3));
    NEED(clup_history_estimate(&history, &(clup_system){.beta = 1, .sites = 1}, estimates));
    ok(estimates[CLUP_ENERGY].mean == 3 && isnan(estimates[CLUP_ENERGY].error) &&
           clup_estimate_note(&estimates[CLUP_ENERGY]) == CLUP_NOTE_SHORT,
       "one sweep has a mean and no error");
    clup_history_clear(&history);
}

static bool close_to(double value, double wanted)
{
    return fabs(value / wanted - 1) < 1e-12;
}

/* Short series computed in fractions. rho(t) is the mean over pairs t apart. It is summed up to the
 * first t that is at least 6 tau_int. The sum times 1 + (2 t + 1)/n is tau_int. The squared error
 * is 2 tau_int variance/n. */
static void check_windows(void)
{
    static const struct {
        double values[16], tau, variance, events;
    } rows[] = {
        /* rho = 47/945, -73/441, -83/819: t = 3, and tau_int 48649/171990 * 23/16 */
        {{1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 0},
         1118927. / 2751840,
         63. / 256,
         /* 7 of the 16 values differ from the commonest one */
         7},
        {{2, 2, 3, 1, 1, 0, 0, 1, 0, 2, 1, 3, 3, 2, 0, 1}, 36865. / 88608, 71. / 64, 0},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const clup_estimate estimate = clup_series_estimate(rows[k].values, 16);
        clup_history history = {0};
        clup_estimate estimates[CLUP_OBSERVABLES];
        for (unsigned n = 0; n < 16; n++)
            NEED(add(&history, rows[k].values[n]));
        NEED(clup_history_estimate(&history, &(clup_system){.beta = 1, .sites = 1}, estimates));
        ok(close_to(estimates[CLUP_ENERGY].error, estimate.error) &&
               close_to(estimates[CLUP_ENERGY].tau_int, estimate.tau_int),
           "pseudo-values of a mean are the values");
        clup_history_clear(&history);
        ok(close_to(estimate.tau_int, rows[k].tau) &&
               close_to(estimate.error, sqrt(2 * rows[k].tau * rows[k].variance / 16)) &&
               estimate.independent == 16 &&
               (rows[k].events == 0 || close_to(estimate.events, rows[k].events)),
           "a series in fractions: tau_int %.15f, error %.15f, %.3f events", estimate.tau_int,
           estimate.error, estimate.events);
    }
}

/* Each observable, from sweeps with known moments: <e> = -3/2, <e^2> = 5/2, <|m|> = 5/8, <m^2> =
 * 15/32, <m^4> = 177/512. */
static void check_observables(void)
{
    static const double e[] = {-1, -2, -1, -2}, m[] = {0.25, 0.5, 0.75, 1};
    static const struct {
        clup_observable observable;
        double wanted;
    } rows[] = {
        {CLUP_ENERGY, -1.5},
        {CLUP_ABS_M, 0.625},
        {CLUP_M2, 15. / 32},
        {CLUP_M4, 177. / 512},
        {CLUP_BINDER, 1 - 177. / 512 / (3 * 225. / 1024)},
        {CLUP_SPECIFIC_HEAT, 9 * 100 * 0.25},
        {CLUP_SUSCEPTIBILITY, 3 * 100 * (15. / 32 - 25. / 64)},
        {CLUP_CLUSTERS, 0.375},
        {CLUP_LARGEST_CLUSTER, 0.875},
        {CLUP_UPDATED, 0.5},
        {CLUP_M2_VECTOR, 0.25},
        {CLUP_CHI, 3 * 100 * 0.25},
        {CLUP_M2_IMPROVED, 0.5},
        {CLUP_M4_IMPROVED, 3 * 0.25 - 2 * 0.125},
        {CLUP_BINDER_IMPROVED, 1 - 0.5 / (3 * 0.25)},
        {CLUP_CHI_IMPROVED, 3 * 100 * 0.5},
    };
    clup_history history = {0};
    clup_estimate estimates[CLUP_OBSERVABLES];
    for (unsigned k = 0; k < 4; k++)
        NEED(
            add_values(&history, (const double[CLUP_COLUMNS]){[CLUP_COLUMN_ENERGY] = e[k],
                                                              [CLUP_COLUMN_M] = m[k],
                                                              [CLUP_COLUMN_CLUSTERS] = 0.375,
                                                              [CLUP_COLUMN_LARGEST_CLUSTER] = 0.875,
                                                              [CLUP_COLUMN_M2_VECTOR] = 0.25,
                                                              [CLUP_COLUMN_M2_IMPROVED] = 0.5,
                                                              [CLUP_COLUMN_FOURTHS] = 0.125,
                                                              [CLUP_COLUMN_UPDATED] = 0.5}));
    NEED(clup_history_estimate(&history, &(clup_system){.beta = 3, .sites = 100}, estimates));
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        ok(rows[k].observable == k &&
               close_to(estimates[k].mean - (isnan(estimates[k].bias) ? 0 : estimates[k].bias),
                        rows[k].wanted),
           "%s of four sweeps at beta = 3: %.15g, exact %.15g", clup_observable_name(k),
           estimates[k].mean, rows[k].wanted);
    /* energies alternate: tau_int is the least allowed value, 0.1 */
    ok(close_to(estimates[CLUP_SPECIFIC_HEAT].bias,
                rows[CLUP_SPECIFIC_HEAT].wanted * (4 / (4 - 2 * 0.1) - 1)) &&
           isnan(estimates[CLUP_SUSCEPTIBILITY].bias) &&
           clup_estimate_note(&estimates[CLUP_SUSCEPTIBILITY]) == CLUP_NOTE_BIASED &&
           estimates[CLUP_BINDER].bias == 0,
       "a variance is multiplied with n/(n - 2 tau_int), of fewer than 20 tau_int it is not: %g, "
       "tau_int of abs_m %g",
       estimates[CLUP_SPECIFIC_HEAT].bias, estimates[CLUP_ABS_M].tau_int);
    clup_history_clear(&history);
}

/* Rare events are counted. Many events, or a normal distribution, give no note. */
static void check_notes(double *values)
{
    static const struct {
        unsigned every;
        clup_note note;
    } rows[] = {{2, CLUP_NOTE_NONE},          {40, CLUP_NOTE_NONE},
                {100, CLUP_NOTE_NONE},        {250, CLUP_NOTE_FEW_EVENTS},
                {1500, CLUP_NOTE_FEW_EVENTS}, {4000, CLUP_NOTE_CONSTANT}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const unsigned every = rows[k].every;
        clup_sums sums = {0};
        for (unsigned n = 1; n <= 2000; n++) {
            /* not periodic, so that they are like independent values */
            values[n - 1] = n % every == (every > 2 ? n / every * 7 % every : gauss(n) > 0);
            clup_sums_add(&sums, values[n - 1]);
        }
        const clup_estimate estimate = clup_series_estimate(values, 2000),
                            other = clup_sums_estimate(&sums);
        ok(clup_estimate_note(&estimate) == rows[k].note,
           "one event in %u of 2000: note %d, %.1f events, error %.2g", every,
           (int)clup_estimate_note(&estimate), estimate.events, estimate.error);
        const double factor = 2 * estimate.tau_int, pq = other.mean * (1 - other.mean);
        ok(fabs(other.mean - estimate.mean) < 1e-12 &&
               fabs(other.error - estimate.error * sqrt(2000. / 1999 / factor)) < 1e-12 &&
               fabs(other.events - 2000 * pq / (1 - 4 * pq)) < 1e-6 * (1 + other.events),
           "the same from sums, but for tau_int: %.1f events", other.events);
    }
    fill(values, 2000, 0.9, 0);
    const clup_estimate long_run = clup_series_estimate(values, 2000),
                        short_run = clup_series_estimate(values, 150);
    ok(clup_estimate_note(&long_run) == CLUP_NOTE_NONE &&
           fabs(long_run.events / long_run.independent - 0.5) < 1e-12,
       "a normal distribution: %.1f independent values, %.1f events", long_run.independent,
       long_run.events);
    ok(clup_estimate_note(&short_run) == CLUP_NOTE_SHORT, "15 tau_int are noted");
}

static double apart(double a, double b)
{
    return fabs(a - b) / (fabs(a) + 1e-300);
}

/* Sums of parts, joined, are those of single values; a constant has no variance. */
static void check_joined(double *values)
{
    static const unsigned counts[] = {1, 7, 0, 1000, 3, 989};
    clup_sums each = {0}, joined = {0}, constant = {0};
    unsigned done = 0;
    double worst = 0;
    fill(values, 2000, 0.5, 3);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        const clup_sums part = clup_sums_of(values + done, counts[k]);
        clup_sums_join(&joined, &part);
        for (unsigned n = done; n < done + counts[k]; n++)
            clup_sums_add(&each, values[n]);
        done += counts[k];
        worst = fmax(worst, apart(each.mean, joined.mean));
        worst = fmax(worst, done > 1 ? apart(each.squares, joined.squares) : 0);
        worst = fmax(worst, done > 1 ? apart(each.fourths, joined.fourths) : 0);
        worst = fmax(worst, done > 100 ? 1e-3 * apart(each.cubes, joined.cubes) : 0);
    }
    ok(worst < 1e-11 && joined.count == 2000, "sums of parts are those of all, but for %.1e",
       worst);
    for (unsigned n = 0; n < 2000; n++)
        values[n] = 1. / 840;
    for (unsigned part = 0; part < 2; part++) {
        const clup_sums sums = clup_sums_of(values, 333 + part);
        clup_sums_join(&constant, &sums);
    }
    ok(constant.squares == 0 && constant.mean == 1. / 840, "a constant has no variance");
}

/* The parts of squares and of fourth powers, added from their places on, give the whole number. */
static void check_parts(void)
{
    static const unsigned places[] = {0, 20, 40, 72, 104};
    uint64_t random = 1;
    unsigned right = 0, small = 0, count = 0;
    for (unsigned bits = 1; bits <= 36; bits++)
        for (unsigned k = 0; k < 100; k++, count++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const uint64_t size = k == 0 ? ((uint64_t)1 << bits) - 1 : random >> (64 - bits),
                           root = size >> 32 != 0 ? size >> 8 : size;
            unsigned __int128 squares = square_part(size, 1), fourths = 0;
            squares = (squares << 32) + square_part(size, 0);
            /* of large sizes the lower 32 bits are 0, and the rest fits */
            for (unsigned part = size >> 32 != 0; part < 5; part++) {
                const int shift = (int)places[part] - (size >> 32 != 0 ? 32 : 0);
                const unsigned __int128 own = fourth_part(size, part);
                fourths += shift < 0 ? own >> -shift : own << shift;
            }
            right += squares == (unsigned __int128)size * size &&
                     fourths == (unsigned __int128)(root * root) * (root * root) &&
                     (size >> 32 == 0 || fourth_part(size, 0) == 0);
            for (unsigned part = 0; part < 3 && size < 65536; part++)
                small += fourth_part_small((uint32_t)size, part) != fourth_part(size, part);
        }
    ok(right == count && small == 0,
       "parts of squares and of fourth powers of %u of %u sizes up to 2^36 are the whole, %u are "
       "not the same by 32 bits",
       right, count, small);
}

/* tau_int as defined in series.h, computed product by product. */
static double plain_tau(const double *values, size_t count)
{
    double mean = 0, variance = 0, tau = 0.5;
    size_t window = 0;
    for (size_t k = 0; k < count; k++)
        mean += values[k] / (double)count;
    for (size_t k = 0; k < count; k++)
        variance += (values[k] - mean) * (values[k] - mean) / (double)count;
    while (++window < count / 2) {
        double sum = 0;
        for (size_t k = 0; k + window < count; k++)
            sum += (values[k] - mean) * (values[k + window] - mean);
        tau += sum / (double)(count - window) / variance;
        if ((double)window >= 6 * tau)
            break;
    }
    return fmax(0.1, tau * (1 + (2 * (double)window + 1) / (double)count));
}

static void check_lengths(void)
{
    static double values[1100];
    double worst = 0;
    fill(values, 1100, 0.9, 3);
    for (size_t count = 4; count < 1100; count += count < 40 || count > 1000 ? 1 : 7)
        worst = fmax(
            worst,
            fabs(clup_series_estimate(values, count).tau_int / plain_tau(values, count) - 1));
    ok(worst < 1e-12, "tau_int of series of 4 to 1099 values is that by plain sums, to %.1e",
       worst);
}

/* Long windows use means of pairs of values, and give equal results. */
static void check_slow(double *values)
{
    static const double taus[] = {100, 400, 1500};
    for (size_t n = 0; n < sizeof taus / sizeof *taus; n++) {
        double mean = 0, variance = 0, tau = 0.5;
        size_t window = 0;
        fill(values, COUNT, (2 * taus[n] - 1) / (2 * taus[n] + 1), 7);
        /* with as much noise again, which pairs reduce */
        for (u32 k = 0; k < COUNT; k++)
            values[k] += gauss(3 * COUNT + k);
        for (size_t k = 0; k < COUNT; k++)
            mean += values[k] / COUNT;
        for (size_t k = 0; k < COUNT; k++)
            variance += (values[k] - mean) * (values[k] - mean) / COUNT;
        while ((double)++window < 6 * tau || window == 1) {
            double sum = 0;
            for (size_t k = 0; k + window < COUNT; k++)
                sum += (values[k] - mean) * (values[k + window] - mean);
            tau += sum / ((double)(COUNT - window) * variance);
        }
        tau *= 1 + (2 * (double)window + 1) / COUNT;
        const double found = clup_series_estimate(values, COUNT).tau_int;
        ok(fabs(found / tau - 1) < 0.01,
           "tau_int of AR(1) and noise is %.2f, and %.2f by plain sums", found, tau);
    }
}

int main(void)
{
    check_parts();
    check_lengths();
    static double values[COUNT];
    static const double as[] = {0, 0.5, 0.9, 0.97};
    for (size_t n = 0; n < sizeof as / sizeof *as; n++) {
        double exact = 0.5 + as[n] / (1 - as[n]);
        fill(values, COUNT, as[n], 0);
        double tau = clup_series_estimate(values, COUNT).tau_int,
               error = exact * sqrt(4 * (6 * exact + 1) / COUNT);
        ok(fabs(tau - exact) < 4 * error + 0.01 * exact,
           "tau_int of AR(1), a = %g: %.3f, exact %.3f", as[n], tau, exact);
        clup_history history = {0};
        for (size_t k = 0; k < COUNT; k++)
            add_values(&history,
                       (const double[CLUP_COLUMNS]){values[k], values[k], 0.25, 0.5, NAN});
        clup_estimate estimates[CLUP_OBSERVABLES];
        ok(clup_history_estimate(&history, &(clup_system){.beta = 2, .sites = 100}, estimates) ==
               CLUP_OK,
           "estimates are made");
        double expected = sqrt(2 * exact / COUNT);
        ok(fabs(estimates[CLUP_ENERGY].error / expected - 1) < 0.15,
           "error of the mean %.2e, expected %.2e", estimates[CLUP_ENERGY].error, expected);
        ok(fabs(estimates[CLUP_ENERGY].mean) < 4 * expected, "mean within 4 sigma of 0");
        /* beta^2 N var(e) = 400; the variance of a sample variance of AR(1) is 2 (1 + a^2)/(1 -
         * a^2)/n */
        double sigma = 400 * sqrt(2 * (1 + as[n] * as[n]) / (1 - as[n] * as[n]) / COUNT);
        ok(fabs(estimates[CLUP_SPECIFIC_HEAT].mean - 400) < 4 * sigma,
           "specific heat %.2f within 4 sigma of 400", estimates[CLUP_SPECIFIC_HEAT].mean);
        ok(fabs(estimates[CLUP_SPECIFIC_HEAT].error / sigma - 1) < 0.2,
           "its jackknife error %.3f, expected %.3f", estimates[CLUP_SPECIFIC_HEAT].error, sigma);
        ok(estimates[CLUP_CLUSTERS].mean == 0.25 && estimates[CLUP_CLUSTERS].error == 0,
           "a constant has no error");
        clup_history_clear(&history);
    }
    static const double lengths[] = {50, 60, 100, 600};
    for (size_t n = 1; n < sizeof as / sizeof *as; n++)
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths && as[n] < 0.95; k++) {
            const size_t count = (size_t)(lengths[k] * (0.5 + as[n] / (1 - as[n])));
            const double ratio = scatter(values, count, as[n]);
            ok(ratio > 0.95 && ratio < 1.05,
               "AR(1), a = %g, %g tau_int: means scatter by %.3f of their errors", as[n],
               lengths[k], ratio);
        }
    check_all_count();
    check_windows();
    check_observables();
    check_notes(values);
    check_joined(values);
    check_slow(values);
    for (size_t k = 0; k < COUNT; k++)
        values[k] = -1.7071067811865476;
    ok(clup_series_estimate(values, COUNT).tau_int == 0.5 &&
           clup_series_estimate(values, COUNT).error == 0,
       "a constant series has tau_int 1/2, and no error");
    ok(isnan(clup_series_estimate(values, 3).tau_int) &&
           isnan(clup_series_estimate(values, 0).mean),
       "three values have none");
    for (size_t k = 0; k < 100; k++)
        values[k] = k % 2 ? 1 : -1;
    const clup_estimate turns = clup_series_estimate(values, 100);
    ok(turns.independent == 100 && turns.error > 0 && turns.tau_int > 0 && turns.tau_int < 0.5,
       "an alternating series has an error (tau_int %g)", turns.tau_int);
    clup_history empty = {0};
    clup_estimate estimates[CLUP_OBSERVABLES];
    ok(clup_history_estimate(&empty, &(clup_system){.beta = 1, .sites = 1}, estimates) ==
           CLUP_ERROR_USAGE,
       "nothing measured is an error");
    return done_testing();
}
