/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of series with known autocorrelations, and reweighting: exact from all states of a small
 * lattice; by several histograms of samples drawn from all states; and of simulations, against the
 * exact energies of the torus. */
#include <math.h>
#include <string.h>

#include "clup.h"
#include "ising_states.h"
#include "tap.h"

static double gauss(u32 n, u32 seed)
{
    return sqrt(-2 * log(uniform(n, seed))) * cos(2 * M_PI * uniform(n, seed + 0x80000000u));
}

/* ---- AR(1) ----------------------------------------------------------------------------------- */

/* x' = a x + noise: tau_int = 1/2 + a/(1 - a), and unit variance. */
static void fill(double *values, size_t count, double a, u32 seed)
{
    double x = gauss(0, seed);
    for (u32 k = 0; k < count; k++)
        values[k] = x = a * x + sqrt(1 - a * a) * gauss(k + 1, seed);
}

/* Autocorrelations of x' = a x + noise are a^t: over many series the mean is right and errors are
 * the scatter; together they are tau_int. */
static void check_correlation(double a)
{
    enum { SERIES = 300, COUNT = 6000, DISTANCES = 4 };
    static double values[COUNT];
    const clup_problem problem = {.size = {4, 4}, .q = 2, .beta = 1};
    double off[DISTANCES] = {0}, squares[DISTANCES] = {0}, errors[DISTANCES] = {0}, sums = 0;
    clup_record *record;
    NEED(clup_record_create(&problem, &record));
    for (u32 k = 0; k < SERIES; k++) {
        double rho[1025], error[1025], tau = 0.5;
        uint64_t count;
        clup_analysis analysis;
        fill(values, COUNT, a, 5000 + k);
        NEED(clup_record_set_series(record, 0, "x", values, COUNT));
        NEED(clup_analysis_correlation(record, 0, "x", 1025, rho, error, &count));
        NEED(clup_analysis_observable(record, 0, "x", &analysis));
        for (uint64_t t = 1; t < count; t++)
            tau += rho[t];
        tau *= 1 + (2 * (double)(count - 1) + 1) / COUNT;
        sums = fmax(sums, fabs(tau / analysis.tau_int - 1));
        for (unsigned t = 0; t < DISTANCES; t++) {
            const double deviation = rho[t] - pow(a, t);
            off[t] += deviation / SERIES;
            squares[t] += deviation * deviation / SERIES;
            errors[t] += error[t] / SERIES;
        }
    }
    clup_record_free(record);
    ok(sums < 1e-9, "autocorrelations up to the window are tau_int, to %.1e", sums);
    ok(off[0] == 0 && errors[0] < 1e-12, "rho(0) is 1");
    for (unsigned t = 1; t < DISTANCES; t++)
        ok(fabs(off[t]) < 0.3 * sqrt(squares[t]) && fabs(errors[t] / sqrt(squares[t]) - 1) < 0.2,
           "rho(%u) of a = %.1f: off by %.4f, error over scatter %.2f", t, a, off[t],
           errors[t] / sqrt(squares[t]));
}

/* Compares each error with the standard deviation of means, and that of tau_int with the standard
 * deviation of tau_int. */
static void check_series(double a)
{
    enum { SERIES = 300, COUNT = 6000 };
    static double values[COUNT];
    const double tau = 0.5 + a / (1 - a);
    double squares = 0, errors = 0, bins = 0, jackknife = 0, taus = 0, tau_errors = 0, off = 0;
    unsigned reached = 0;
    for (u32 s = 0; s < SERIES; s++) {
        clup_analysis analysis;
        fill(values, COUNT, a, s);
        NEED(clup_analysis_of(values, COUNT, &analysis));
        squares += analysis.mean * analysis.mean / SERIES;
        errors += analysis.error / SERIES;
        bins += analysis.binning_error / SERIES;
        jackknife += analysis.jackknife_error / SERIES;
        taus += analysis.tau_int / SERIES;
        tau_errors += analysis.tau_error / SERIES;
        off += (analysis.tau_int - tau) * (analysis.tau_int - tau) / SERIES;
        reached += analysis.plateau < analysis.levels;
    }
    const double scatter = sqrt(squares);
    ok(fabs(scatter / errors - 1) < 0.13 && fabs(scatter / jackknife - 1) < 0.13,
       "AR(1) of tau %.1f: scatter over the error %.3f, over the jackknife's %.3f", tau,
       scatter / errors, scatter / jackknife);
    ok(fabs(scatter / bins - 1) < 0.2 && reached > SERIES * 9 / 10,
       "over the error of bins %.3f, whose plateau is seen in %u of %u", scatter / bins, reached,
       SERIES);
    ok(fabs(taus / tau - 1) < 0.05 && fabs(sqrt(off) / tau_errors - 1) < 0.25,
       "tau_int %.3f, its scatter over its error %.3f", taus, sqrt(off) / tau_errors);
}

static void check_short(void)
{
    static double values[500];
    clup_analysis analysis;
    fill(values, 500, 0.9, 1);
    NEED(clup_analysis_of(values, 500, &analysis));
    ok(!analysis.is_short && analysis.blocks == 16, "%.0f tau_int are not short: %u blocks",
       500 / analysis.tau_int, analysis.blocks);
    NEED(clup_analysis_of(values, 250, &analysis));
    ok(analysis.is_short && analysis.tau_int > 5 && analysis.tau_int < 7.8, "%.0f tau_int are",
       250 / analysis.tau_int);
    NEED(clup_analysis_of(values, 3, &analysis));
    ok(isnan(analysis.error) && isnan(analysis.jackknife_error) && analysis.levels == 0 &&
           analysis.is_short,
       "of three values the mean alone is known");
    for (unsigned k = 0; k < 500; k++)
        values[k] = 0.1;
    NEED(clup_analysis_of(values, 500, &analysis));
    ok(analysis.error == 0 && analysis.mean == 0.1 && analysis.binning_error == 0 &&
           analysis.jackknife_error < 1e-16,
       "a constant has no error");
}

static void check_covariance(void)
{
    enum { COUNT = 20000 };
    static double x[COUNT], y[COUNT];
    const clup_problem problem = {.size = {4, 4}, .q = 2, .beta = 1};
    clup_record *record;
    clup_analysis analysis;
    double matrix[4];
    unsigned blocks;
    fill(x, COUNT, 0.8, 1);
    fill(y, COUNT, 0.8, 2);
    for (unsigned k = 0; k < COUNT; k++)
        y[k] = 0.6 * x[k] + 0.8 * y[k];
    NEED(clup_record_create(&problem, &record));
    NEED(clup_record_set_series(record, 0, "x", x, COUNT));
    NEED(clup_record_set_series(record, 0, "y", y, COUNT));
    NEED(clup_analysis_covariance(record, 0, matrix, &blocks));
    NEED(clup_analysis_of(x, COUNT, &analysis));
    const double variance = 2 * 4.5 / COUNT;
    ok(blocks == 64 && fabs(matrix[0] / variance - 1) < 0.5 && matrix[1] == matrix[2] &&
           fabs(matrix[1] / sqrt(matrix[0] * matrix[3]) - 0.6) < 0.2,
       "covariances by %u blocks: variance %.2e, exact %.2e; correlation %.2f, exact 0.6", blocks,
       matrix[0], variance, matrix[1] / sqrt(matrix[0] * matrix[3]));
    ok(fabs(sqrt(matrix[0]) / analysis.jackknife_error - 1) < 0.01,
       "the variance is the jackknife's");
    clup_record_free(record);
}

/* ---- all states ------------------------------------------------------------------------------ */

/* ---- bonds ----------------------------------------------------------------------------------- */

/* A torus of 3 x 3 sites that is open along y: its bonds, along x and then along y. */
enum { BONDS = 15, JOINT_MOST = 400000, OF_BONDS = 7 };
static const char *const bond_names[OF_BONDS] = {
    "energy", "m2_vector",   "correlation_x_1",         "fk_bonds",
    "wrap_x", "s0_improved", "correlation_x_improved_1"};

static void ends_of(unsigned bond, unsigned ends[2])
{
    ends[0] = bond < 9 ? bond : bond - 9;
    ends[1] = bond < 9 ? bond / 3 * 3 + (bond + 1) % 3 : ends[0] + 3;
}

/* Sets the values of a state of spins and active bonds, in the order of their names. */
static void joint_values(unsigned spins, unsigned active, double values[OF_BONDS])
{
    unsigned name[9], ends[2], sizes[9] = {0};
    double m = 0, satisfied = 0, equal = 0, together = 0, bonds = 0, squares = 0;
    for (unsigned i = 0; i < 9; i++)
        name[i] = i;
    for (unsigned b = 0; b < BONDS; b++) {
        ends_of(b, ends);
        satisfied += (spins >> ends[0] & 1) == (spins >> ends[1] & 1);
        bonds += active >> b & 1;
        const unsigned from = name[ends[0]], to = name[ends[1]];
        for (unsigned i = 0; i < 9 && (active >> b & 1); i++)
            name[i] = name[i] == from ? to : name[i];
    }
    for (unsigned i = 0; i < 9; i++) {
        ends_of(i, ends);
        m += spins >> i & 1 ? 1 : -1;
        sizes[name[i]]++;
        equal += (spins >> ends[0] & 1) == (spins >> ends[1] & 1);
        together += name[ends[0]] == name[ends[1]];
    }
    for (unsigned i = 0; i < 9; i++)
        squares += sizes[i] * sizes[i];
    /* of wrapping it only matters that it is a function of the bonds */
    const double all[OF_BONDS] = {-satisfied / 9,    m * m / 81,  2 * equal / 9 - 1, bonds / 9,
                                  (active & 7) == 7, squares / 9, together / 9};
    memcpy(values, all, sizeof all);
}

static unsigned satisfied_of(unsigned spins)
{
    unsigned satisfied = 0, ends[2];
    for (unsigned b = 0; b < BONDS; b++) {
        ends_of(b, ends);
        satisfied |= (unsigned)((spins >> ends[0] & 1) == (spins >> ends[1] & 1)) << b;
    }
    return satisfied;
}

/* Where e^beta - 1 is 1, all states of spins and bonds between equal spins have one weight: the
 * list of all is a sample, from which means follow that are exact at every beta. */
static size_t all_joint(double beta, double *series[OF_BONDS], double exact[OF_BONDS])
{
    const double v = expm1(beta);
    double values[OF_BONDS], z = 0;
    size_t count = 0;
    for (unsigned k = 0; k < OF_BONDS; k++)
        exact[k] = 0;
    for (unsigned spins = 0; spins < 512; spins++) {
        const unsigned satisfied = satisfied_of(spins);
        for (unsigned active = satisfied;; active = (active - 1) & satisfied) {
            joint_values(spins, active, values);
            const double weight = pow(v, 9 * values[3]);
            z += weight;
            for (unsigned k = 0; k < OF_BONDS; k++) {
                exact[k] += weight * values[k];
                if (series != NULL && count < JOINT_MOST)
                    series[k][count] = values[k];
            }
            count++;
            if (active == 0)
                break;
        }
    }
    for (unsigned k = 0; k < OF_BONDS; k++)
        exact[k] /= z;
    return count;
}

static unsigned row_named(const clup_reweighting *reweighting, const char *name)
{
    unsigned row = 0;
    while (clup_reweighting_name(reweighting, row) != NULL &&
           strcmp(clup_reweighting_name(reweighting, row), name) != 0)
        row++;
    return row;
}

static void check_bonds(void)
{
    static double values[OF_BONDS][JOINT_MOST];
    double *series[OF_BONDS], exact[OF_BONDS], above[OF_BONDS], below[OF_BONDS], rows[64],
        off = 0, slopes = 0;
    const clup_problem problem = {.size = {3, 3}, .periodic = {1, 0}, .q = 2, .beta = log(2)};
    clup_problem field = problem;
    clup_record *record, *other;
    clup_reweighting *reweighting;
    clup_slope slope;
    for (unsigned k = 0; k < OF_BONDS; k++)
        series[k] = values[k];
    const size_t count = all_joint(0.5, series, exact);
    NEED(clup_record_create(&problem, &record));
    NEED(clup_record_create(&problem, &other));
    for (unsigned k = 0; k < OF_BONDS; k++) {
        NEED(clup_record_set_series(record, 0, bond_names[k], values[k], count));
        if (k != 3)
            NEED(clup_record_set_series(other, 0, bond_names[k], values[k], count));
    }
    NEED(clup_reweighting_create((const clup_record *const *)&record, 1, &reweighting));
    for (double beta = 0.1; beta < 2; beta += 0.3) {
        all_joint(beta, NULL, exact);
        all_joint(beta + 1e-4, NULL, above);
        all_joint(beta - 1e-4, NULL, below);
        NEED(clup_reweighting_at(reweighting, beta, rows, NULL, NULL));
        for (unsigned k = 0; k < OF_BONDS; k++) {
            const unsigned row = row_named(reweighting, bond_names[k]);
            NEED(clup_reweighting_slope(reweighting, bond_names[k], beta, &slope));
            off = fmax(off, fabs(rows[row] - exact[k]));
            off = fmax(off, fabs(slope.value - exact[k]));
            slopes = fmax(slopes, fabs(slope.slope - (above[k] - below[k]) / 2e-4));
        }
        NEED(clup_reweighting_slope(reweighting, "s0_improved/(9*m2_vector)", beta, &slope));
        off = fmax(off, fabs(slope.value - 1) + fabs(slope.slope) / 100);
    }
    ok(count < JOINT_MOST && off < 1e-9,
       "%zu states of spins and bonds: exact at every beta, to %.1e", count, off);
    ok(slopes < 1e-5, "and so are derivatives by beta, to %.1e", slopes);
    clup_reweighting_free(reweighting);
    NEED(clup_reweighting_create((const clup_record *const *)&other, 1, &reweighting));
    ok(row_named(reweighting, "correlation_x_1") < row_named(reweighting, "wrap_x") &&
           clup_reweighting_slope(reweighting, "correlation_x_1", 0.6, &slope) == CLUP_OK &&
           clup_reweighting_slope(reweighting, "wrap_x", 0.6, &slope) == CLUP_ERROR_USAGE &&
           strstr(clup_error_detail(), "whose number fk_bonds not all series have") != NULL,
       "without the bonds the spins alone are known: %s", clup_error_detail());
    clup_reweighting_free(reweighting);
    clup_record_free(other);
    field.field = 0.5;
    NEED(clup_record_create(&field, &other));
    for (unsigned k = 0; k < OF_BONDS; k++)
        NEED(clup_record_set_series(other, 0, bond_names[k], values[k], 1000));
    for (size_t k = 0; k < count; k++)
        values[0][k] = k % 2 ? -1 : -1.5;
    NEED(clup_record_set_series(other, 0, bond_names[0], values[0], 1000));
    NEED(clup_reweighting_create((const clup_record *const *)&other, 1, &reweighting));
    ok(clup_reweighting_slope(reweighting, "correlation_x_improved_1 - 1", 0.6, &slope) ==
               CLUP_ERROR_USAGE &&
           strstr(clup_error_detail(), "without a field") != NULL,
       "in a field it is not: %s", clup_error_detail());
    clup_reweighting_free(reweighting);
    clup_record_free(other);
    clup_record_free(record);
}

/* Rows of bonds at a temperature between two that were simulated, against a run there. */
static void check_bonds_between(void)
{
    static const char *const of[] = {"fk_bonds", "wrap_either", "s0_improved", "sk_improved",
                                     "correlation_half_improved"};
    static const double betas[] = {0.84, 0.9, 0.87};
    clup_observable wanted[sizeof of / sizeof *of];
    clup_record *records[3];
    clup_reweighting *reweighting;
    double values[64], errors[64], worst = 0;
    for (unsigned k = 0; k < 3; k++) {
        const clup_problem problem = {
            .size = {12, 12}, .periodic = {1, 1}, .q = 2, .beta = betas[k]};
        clup_simulation *simulation;
        NEED(clup_simulation_create(NULL, &problem, NULL, NULL, 70 + k, CLUP_START_RANDOM,
                                    &simulation));
        for (unsigned n = 0; n < sizeof of / sizeof *of; n++)
            NEED(clup_observable_named(of[n], &wanted[n]));
        NEED(clup_simulation_observe(simulation, wanted, sizeof of / sizeof *of, 1));
        NEED(clup_simulation_run(simulation, 100, 0, NULL, NULL));
        NEED(clup_simulation_run(simulation, 3000, 1, NULL, NULL));
        NEED(clup_record_create(&problem, &records[k]));
        NEED(clup_record_take(records[k], simulation));
        clup_simulation_free(simulation);
    }
    NEED(clup_reweighting_create((const clup_record *const *)records, 2, &reweighting));
    NEED(clup_reweighting_at(reweighting, betas[2], values, errors, NULL));
    for (unsigned n = 0; n < sizeof of / sizeof *of; n++) {
        const unsigned row = row_named(reweighting, of[n]);
        clup_analysis analysis;
        NEED(clup_analysis_observable(records[2], 0, of[n], &analysis));
        worst = fmax(worst, fabs(values[row] - analysis.mean) / hypot(errors[row], analysis.error));
    }
    ok(worst < 4, "bonds of two temperatures tell a third, to %.1f errors", worst);
    clup_reweighting_free(reweighting);
    for (unsigned k = 0; k < 3; k++)
        clup_record_free(records[k]);
}

/* The quantities of states, in the order of rows. */
enum {
    ENERGY,
    ABS_M,
    M2,
    M4,
    BINDER,
    HEAT,
    SUSCEPTIBILITY,
    M2_VECTOR,
    CHI,
    SK,
    XI,
    XI_OVER_L,
    ROWS
};
static const char *const names[ROWS] = {
    "energy",         "abs_m",     "m2",  "m4", "binder", "specific_heat",
    "susceptibility", "m2_vector", "chi", "sk", "xi",     "xi_over_l"};

/* Computes means by the Boltzmann factors, and functions of the means. */
static void exact(const state *states, size_t count, double sites, double beta, double values[ROWS])
{
    double sum = 0, e = 0, e2 = 0, sk = 0, m[3] = {0};
    for (size_t k = 0; k < count; k++) {
        const double weight = exp(-beta * sites * (states[k].energy + 2)), x = states[k].m;
        sum += weight;
        e += weight * states[k].energy;
        m[0] += weight * x;
        m[1] += weight * x * x;
        m[2] += weight * x * x * x * x;
        sk += weight * states[k].sk;
    }
    e /= sum;
    for (size_t k = 0; k < count; k++)
        e2 += exp(-beta * sites * (states[k].energy + 2)) * pow(states[k].energy - e, 2);
    for (unsigned k = 0; k < 3; k++)
        m[k] /= sum;
    sk /= sum;
    values[ENERGY] = e;
    values[HEAT] = beta * beta * sites * e2 / sum;
    values[ABS_M] = m[0];
    values[M2] = values[M2_VECTOR] = m[1];
    values[M4] = m[2];
    values[SUSCEPTIBILITY] = beta * sites * (m[1] - m[0] * m[0]);
    values[BINDER] = 1 - m[2] / (3 * m[1] * m[1]);
    values[CHI] = beta * sites * m[1];
    values[SK] = sk;
    values[XI] = sqrt(sites * m[1] / sk - 1) / (2 * sin(M_PI / sqrt(sites)));
    values[XI_OVER_L] = values[XI] / sqrt(sites);
}

static void put_states(clup_record *record, uint32_t system, const state *states, size_t count)
{
    double *values = malloc(count * sizeof *values);
    static const unsigned rows[] = {ENERGY, ABS_M, M2, M4, M2_VECTOR, SK};
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        for (size_t k = 0; k < count; k++) {
            const double m = states[k].m;
            const double of[ROWS] = {
                [ENERGY] = states[k].energy, [ABS_M] = m,         [M2] = m * m,
                [M4] = m * m * m * m,        [M2_VECTOR] = m * m, [SK] = states[k].sk};
            values[k] = of[rows[n]];
        }
        NEED(clup_record_set_series(record, system, names[rows[n]], values, count));
    }
    free(values);
}

/* Where xi/L of two sizes is equal, by bisection. Uses states[count] of each size, which were drawn
 * at drawn_at. */
static double exact_crossing(const state *const states[2], size_t count, const unsigned sides[2],
                             double drawn_at, double *value)
{
    double low = 0.8, high = 1, values[2][ROWS];
    for (unsigned step = 0; step < 50; step++) {
        const double beta = (low + high) / 2;
        /* this factor depends on beta through the weights alone */
        for (unsigned k = 0; k < 2; k++)
            exact(states[k], count, sides[k] * sides[k], beta - drawn_at, values[k]);
        *(values[0][XI_OVER_L] > values[1][XI_OVER_L] ? &low : &high) = beta;
    }
    *value = values[0][XI_OVER_L];
    return low;
}

/* Draws states[count] at a beta from all of them. */
static void draw_states(const state *all, size_t known, double sites, double beta, u32 seed,
                        state *states, size_t count)
{
    static double sums[65536];
    for (size_t k = 0; k < known; k++)
        sums[k] = (k > 0 ? sums[k - 1] : 0) + exp(-beta * sites * (all[k].energy + 2));
    for (u32 n = 0; n < count; n++)
        states[n] = *state_at(all, sums, known, uniform(n, seed));
}

static void check_exact_crossing(void)
{
    enum { DRAWN = 20000 };
    static state all[65536], drawn[2][DRAWN];
    static const unsigned sides[] = {3, 4};
    const state *const states[] = {drawn[0], drawn[1]};
    clup_reweighting *of[2];
    clup_place place;
    double value;
    for (unsigned k = 0; k < 2; k++) {
        const clup_problem problem = {
            .size = {sides[k], sides[k]}, .periodic = {1, 1}, .q = 2, .beta = 0.9};
        clup_record *record;
        NEED(clup_record_create(&problem, &record));
        draw_states(all, all_states(sides[k], all), sides[k] * sides[k], 0.9, 500 + k, drawn[k],
                    DRAWN);
        put_states(record, 0, drawn[k], DRAWN);
        NEED(clup_reweighting_create((const clup_record *const[]){record}, 1, &of[k]));
        clup_record_free(record);
    }
    const double beta = exact_crossing(states, DRAWN, sides, 0.9, &value);
    NEED(clup_reweighting_crossing(of[0], of[1], "xi_over_l", 0.8, 1, &place));
    ok(place.found && fabs(place.beta - beta) < 1e-9 && fabs(place.value - value) < 1e-9,
       "xi/L of 3 x 3 and 4 x 4 sites cross at beta %.9f, at %.9f, exact %.9f, %.9f", place.beta,
       place.value, beta, value);
    clup_reweighting_free(of[0]);
    clup_reweighting_free(of[1]);
}

/* Specific heat and susceptibility from few states have no bias, at the temperature of the states
 * and at another one. */
static void check_bias(void)
{
    enum { DRAWN = 64, TRIES = 4000 };
    static state all[65536], drawn[DRAWN];
    static const double betas[] = {0.8, 0.84};
    static const unsigned rows[] = {HEAT, SUSCEPTIBILITY};
    const clup_problem problem = {.size = {4, 4}, .periodic = {1, 1}, .q = 2, .beta = 0.8};
    double sums[2][2] = {{0}}, raw[2][2] = {{0}}, squares[2][2] = {{0}}, wanted[2][ROWS];
    const size_t known = all_states(4, all);
    for (unsigned b = 0; b < 2; b++)
        exact(all, known, 16, betas[b], wanted[b]);
    for (u32 try = 0; try < TRIES; try++) {
        clup_record *record;
        clup_reweighting *reweighting;
        draw_states(all, known, 16, 0.8, 20000 + try, drawn, DRAWN);
        NEED(clup_record_create(&problem, &record));
        put_states(record, 0, drawn, DRAWN);
        NEED(clup_reweighting_create((const clup_record *const[]){record}, 1, &reweighting));
        for (unsigned b = 0; b < 2; b++) {
            double values[ROWS], errors[ROWS];
            NEED(clup_reweighting_at(reweighting, betas[b], values, errors, NULL));
            for (unsigned k = 0; k < 2; k++) {
                const double off = values[rows[k]] / wanted[b][rows[k]] - 1,
                             mean_error = errors[k == 0 ? ENERGY : ABS_M],
                             factor = betas[b] * 16 * (k == 0 ? betas[b] : 1);
                sums[b][k] += off / TRIES;
                squares[b][k] += off * off / TRIES;
                raw[b][k] += off / TRIES;
                /* with few states that are correlated by chance, there are neither errors nor a
                 * correction */
                if (isfinite(mean_error))
                    raw[b][k] -= factor * mean_error * mean_error / wanted[b][rows[k]] / TRIES;
            }
        }
        clup_reweighting_free(reweighting);
        clup_record_free(record);
    }
    for (unsigned b = 0; b < 2; b++)
        for (unsigned k = 0; k < 2; k++) {
            const double error = sqrt(squares[b][k] / TRIES);
            ok(fabs(sums[b][k]) < 3 * error + 0.004 && sums[b][k] - raw[b][k] > 0.01,
               "%s of %d states at beta %.2f, drawn at 0.8: off by %.4f +- %.4f, %.4f without its "
               "correction",
               names[rows[k]], DRAWN, betas[b], sums[b][k], error, raw[b][k]);
        }
}

static void check_all_states(unsigned side)
{
    static state states[65536];
    /* at beta = 0 the correlation length would be the root of a rounding error */
    static const double betas[] = {0.01, 0.1, 0.6, 0.88, 1.3, 3};
    const size_t count = all_states(side, states);
    clup_problem problem = {.size = {side, side}, .periodic = {1, 1}, .q = 2};
    clup_record *record;
    clup_reweighting *reweighting;
    double worst = 0, torus = 0;
    /* shuffled, so that they are like states drawn at beta = 0 */
    for (u32 k = (u32)count - 1; k > 0; k--) {
        const u32 other = (u32)(uniform(k, 77) * (k + 1));
        const state kept = states[k];
        states[k] = states[other];
        states[other] = kept;
    }
    NEED(clup_record_create(&problem, &record));
    put_states(record, 0, states, count);
    NEED(clup_reweighting_create((const clup_record *const[]){record}, 1, &reweighting));
    for (size_t b = 0; b < sizeof betas / sizeof *betas; b++) {
        const double beta = betas[b], sites = side * side;
        double wanted[ROWS], values[ROWS], errors[ROWS], energy, heat;
        exact(states, count, sites, beta, wanted);
        NEED(clup_reweighting_at(reweighting, beta, values, errors, NULL));
        /* exact values have no bias */
        values[HEAT] -= beta * beta * sites * errors[ENERGY] * errors[ENERGY];
        values[SUSCEPTIBILITY] -= beta * sites * errors[ABS_M] * errors[ABS_M];
        for (size_t k = 0; k < ROWS; k++) {
            if (strcmp(clup_reweighting_name(reweighting, k), names[k]) != 0)
                ok(0, "row %zu is %s", k, clup_reweighting_name(reweighting, k));
            const double off = fabs(values[k] - wanted[k]) / fmax(1, fabs(wanted[k]));
            worst = fmax(worst, off);
        }
        problem.beta = betas[b];
        if (clup_exact_ising(&problem, &energy, &heat) == CLUP_OK)
            torus = fmax(torus, fmax(fabs(values[ENERGY] - energy), fabs(values[HEAT] - heat)));
    }
    ok(worst < 1e-10, "all %zu states of %u x %u sites: exact at every beta, to %.1e", count, side,
       side, worst);
    ok(torus < 1e-9, "energy and specific heat are Kaufman's, to %.1e", torus);
    clup_reweighting_free(reweighting);
    clup_record_free(record);
}

/* ---- several histograms ---------------------------------------------------------------------- */

enum { GROUPS = 5, SAMPLES = 2000, SEEDS = 60, PLACES = 7 };

/* Draws states at the betas of a record, from the sums of their weights. */
static clup_record *draw(const state *states, double sums[GROUPS][65536], const double *betas,
                         u32 seed)
{
    static state drawn[SAMPLES];
    const clup_problem problem = {
        .size = {4, 4}, .periodic = {1, 1}, .q = 2, .replicas = GROUPS, .betas = betas};
    clup_record *record;
    NEED(clup_record_create(&problem, &record));
    for (u32 j = 0; j < GROUPS; j++) {
        for (u32 k = 0; k < SAMPLES; k++)
            drawn[k] = *state_at(states, sums[j], 65536, uniform(k, 1000 + seed * GROUPS + j));
        put_states(record, j, drawn, SAMPLES);
    }
    return record;
}

static void check_several(void)
{
    static state states[65536];
    static double sums[GROUPS][65536];
    static const double betas[GROUPS] = {0.5, 0.7, 0.85, 1, 1.2};
    double off[ROWS] = {0}, squares[ROWS] = {0}, errors[ROWS] = {0}, worst = 0;
    unsigned covered = 0;
    all_states(4, states);
    for (unsigned j = 0; j < GROUPS; j++)
        for (size_t k = 0; k < 65536; k++)
            sums[j][k] = (k > 0 ? sums[j][k - 1] : 0) +
                         exp(-betas[j] * 16 * (states[k].energy + 2));
    for (u32 seed = 0; seed < SEEDS; seed++) {
        clup_record *record = draw(states, sums, betas, seed);
        clup_reweighting *reweighting;
        NEED(clup_reweighting_create((const clup_record *const[]){record}, 1, &reweighting));
        for (unsigned p = 0; p < PLACES; p++) {
            const double beta = 0.5 + 0.7 * p / (PLACES - 1);
            double wanted[ROWS], values[ROWS], error[ROWS];
            clup_coverage coverage;
            exact(states, 65536, 16, beta, wanted);
            NEED(clup_reweighting_at(reweighting, beta, values, error, &coverage));
            covered += coverage.covered;
            for (unsigned k = 0; k < ROWS; k++) {
                const double pull = (values[k] - wanted[k]) / error[k];
                off[k] += pull / (SEEDS * PLACES);
                squares[k] += pull * pull / (SEEDS * PLACES);
                worst = fmax(worst, fabs(pull));
                errors[k] += error[k] / (SEEDS * PLACES);
            }
        }
        clup_reweighting_free(reweighting);
        clup_record_free(record);
    }
    for (unsigned k = 0; k < ROWS; k++)
        ok(fabs(sqrt(squares[k]) - 1) < 0.2 && fabs(off[k]) < 0.35,
           "%s of %d betas: deviation from the exact one over its error %.3f, mean %.2f, error "
           "%.1e",
           names[k], GROUPS, sqrt(squares[k]), off[k], errors[k]);
    ok(worst < 5.5 && covered == SEEDS * PLACES, "none is off by more than %.1f errors", worst);
}

/* ---- simulations ----------------------------------------------------------------------------- */

static clup_record *simulated(uint32_t side, const double *betas, uint32_t replicas,
                              uint64_t sweeps, uint64_t seed)
{
    const clup_problem problem = {
        .size = {side, side}, .periodic = {1, 1}, .q = 2, .replicas = replicas, .betas = betas};
    clup_simulation *simulation;
    clup_record *record;
    NEED(clup_simulation_create(NULL, &problem, NULL, NULL, seed, CLUP_START_ORDERED, &simulation));
    NEED(clup_simulation_observe(simulation, (const clup_observable[]){CLUP_XI}, 1, 1));
    NEED(clup_simulation_run(simulation, 200, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, sweeps, 1, NULL, NULL));
    NEED(clup_record_create(&problem, &record));
    NEED(clup_record_take(record, simulation));
    clup_simulation_free(simulation);
    return record;
}

/* Compares energies and specific heats around the critical point with the exact ones of the
 * torus. */
static void check_torus(const clup_record *record, uint32_t side)
{
    enum { STEPS = 9 };
    const double critical = clup_critical_beta(CLUP_LATTICE_SQUARE, 2);
    clup_reweighting *reweighting;
    double squares[2] = {0}, worst = 0;
    unsigned covered = 0;
    NEED(clup_reweighting_create(&record, 1, &reweighting));
    for (int k = 0; k < STEPS; k++) {
        double values[CLUP_OBSERVABLES], errors[CLUP_OBSERVABLES], wanted[2];
        clup_coverage coverage;
        const clup_problem problem = {.size = {side, side},
                                      .periodic = {1, 1},
                                      .q = 2,
                                      .beta = critical * (0.98 + 0.04 * k / (STEPS - 1))};
        NEED(clup_exact_ising(&problem, &wanted[0], &wanted[1]));
        NEED(clup_reweighting_at(reweighting, problem.beta, values, errors, &coverage));
        covered += coverage.covered;
        for (unsigned row = 0; row < 2; row++) {
            const unsigned of = row == 0 ? ENERGY : HEAT;
            const double pull = (values[of] - wanted[row]) / errors[of];
            squares[row] += pull * pull / STEPS;
            worst = fmax(worst, fabs(pull));
        }
    }
    ok(squares[0] < 3 && squares[1] < 3 && worst < 3.5 && covered == STEPS,
       "%u x %u sites from 0.98 to 1.02 beta_c: chi^2 of the energy %.2f, of the specific heat "
       "%.2f a point, all covered",
       side, side, squares[0], squares[1]);
    clup_coverage coverage;
    NEED(clup_reweighting_at(reweighting, critical * 1.3, NULL, NULL, &coverage));
    ok(!coverage.covered && coverage.overlap < 0.5, "at 1.3 beta_c it is not: overlap %.3f",
       coverage.overlap);
    clup_reweighting_free(reweighting);
}

/* The exact peak of the specific heat, by a search in steps. */
static double exact_peak(uint32_t side, double *height)
{
    double best = 0;
    clup_problem problem = {.size = {side, side}, .periodic = {1, 1}, .q = 2, .beta = 0.7};
    *height = 0;
    for (; problem.beta < 1; problem.beta += 1e-4) {
        double energy, heat;
        NEED(clup_exact_ising(&problem, &energy, &heat));
        if (heat > *height) {
            *height = heat;
            best = problem.beta;
        }
    }
    return best;
}

static void check_places(const clup_record *small, const clup_record *large, uint32_t side)
{
    clup_reweighting *of[2];
    clup_place peak, crossing, none;
    double height;
    NEED(clup_reweighting_create(&small, 1, &of[0]));
    NEED(clup_reweighting_create(&large, 1, &of[1]));
    const double beta = exact_peak(side, &height), critical = clup_critical_beta(0, 2);
    NEED(clup_reweighting_peak(of[0], "specific_heat", 0.8, 0.95, &peak));
    ok(peak.found && fabs(peak.beta - beta) < 3.5 * peak.beta_error + 1e-4 &&
           fabs(peak.value - height) < 3.5 * peak.value_error,
       "peak of the specific heat at %.4f +- %.4f, exact %.4f; height %.4f +- %.4f, exact %.4f",
       peak.beta, peak.beta_error, beta, peak.value, peak.value_error, height);
    NEED(clup_reweighting_peak(of[0], "susceptibility", 0.8, 0.9, &peak));
    ok(peak.found && peak.beta > 0.8 && peak.beta < critical && peak.value_error > 0,
       "of the susceptibility at %.4f +- %.4f, below beta_c", peak.beta, peak.beta_error);
    NEED(clup_reweighting_peak(of[0], "abs_m", 0.85, 0.9, &none));
    ok(!none.found && isnan(none.beta), "what only grows has none");
    /* U at the crossing is 0.61069 for large sizes: J. Kamieniarz and H. W. J. Bloete, J. Phys. A
     * 26, 201 (1993) */
    NEED(clup_reweighting_crossing(of[0], of[1], "binder", 0.86, 0.9, &crossing));
    ok(crossing.found && fabs(crossing.beta - critical) < 4 * crossing.beta_error + 1e-3 &&
           fabs(crossing.value - 0.61069) < 4 * crossing.value_error + 3e-3,
       "Binder cumulants cross at %.5f +- %.5f (beta_c %.5f), at %.4f +- %.4f", crossing.beta,
       crossing.beta_error, critical, crossing.value, crossing.value_error);
    NEED(clup_reweighting_crossing(of[1], of[0], "binder", 0.86, 0.9, &none));
    ok(fabs(none.beta - crossing.beta) < 1e-10 &&
           fabs(none.beta_error - crossing.beta_error) < 1e-6,
       "the same the other way round");
    /* xi/L there is 0.9050488 for large sizes: J. Salas and A. D. Sokal, J. Stat. Phys. 98, 551
     * (2000) */
    NEED(clup_reweighting_crossing(of[0], of[1], "xi_over_l", 0.86, 0.9, &crossing));
    ok(crossing.found && fabs(crossing.beta - critical) < 4 * crossing.beta_error + 1e-3 &&
           fabs(crossing.value - 0.9050488) < 4 * crossing.value_error + 5e-3,
       "xi/L cross at %.5f +- %.5f, at %.4f +- %.4f", crossing.beta, crossing.beta_error,
       crossing.value, crossing.value_error);
    clup_reweighting_free(of[0]);
    clup_reweighting_free(of[1]);
}

/* A crossing or peak outside of the data is not reported, however much curves cross or rise
 * there. */
static void check_reach(const clup_record *small, const clup_record *large)
{
    clup_reweighting *of[2];
    clup_place wide, inside, none;
    clup_coverage ends[4];
    NEED(clup_reweighting_create(&small, 1, &of[0]));
    NEED(clup_reweighting_create(&large, 1, &of[1]));
    NEED(clup_reweighting_crossing(of[0], of[1], "binder", 0.2, 3, &wide));
    NEED(clup_reweighting_crossing(of[0], of[1], "binder", 0.86, 0.9, &inside));
    NEED(clup_reweighting_at(of[1], wide.from, NULL, NULL, &ends[0]));
    NEED(clup_reweighting_at(of[1], wide.to, NULL, NULL, &ends[1]));
    NEED(clup_reweighting_at(of[1], wide.from - 1e-6, NULL, NULL, &ends[2]));
    NEED(clup_reweighting_at(of[1], wide.to + 1e-6, NULL, NULL, &ends[3]));
    ok(wide.found && fabs(wide.beta - inside.beta) < 1e-9 && ends[0].covered && ends[1].covered &&
           !ends[2].covered && !ends[3].covered,
       "a crossing from beta 0.2 to 3 is looked for from %.4f to %.4f, where the data reach",
       wide.from, wide.to);
    NEED(clup_reweighting_crossing(of[0], of[1], "binder", 0.2, 0.8, &none));
    ok(!none.found && isnan(none.from) && isnan(none.beta_error), "there is no data below 0.8");
    NEED(clup_reweighting_crossing(of[0], of[1], "binder", 0.2, wide.from + 0.001, &none));
    ok(!none.found && fabs(none.from - wide.from) < 1e-9 && none.to == wide.from + 0.001,
       "where the data begin there is no crossing");
    NEED(clup_reweighting_peak(of[0], "specific_heat", 0.3, 1.5, &inside));
    NEED(clup_reweighting_peak(of[0], "specific_heat", 0.8, 0.95, &wide));
    ok(inside.found && fabs(inside.beta - wide.beta) < 1e-6, "a peak is found by a wide look too");
    NEED(clup_reweighting_peak(of[1], "susceptibility", 0.2, 3, &none));
    ok(!none.found || (none.beta > none.from && none.beta < none.to),
       "a peak that data of one temperature do not reach has no place: %s, from %.4f to %.4f",
       none.found ? "found" : "none", none.from, none.to);
    clup_reweighting_free(of[0]);
    clup_reweighting_free(of[1]);
}

/* Compares each row at a beta, from the histograms of a neighbour, with a run at that beta, and
 * with that run's functions of means from its own series. */
static void check_direct(const clup_record *neighbour, const clup_record *direct)
{
    clup_reweighting *reweighting;
    clup_analysis analysis;
    double values[CLUP_OBSERVABLES], errors[CLUP_OBSERVABLES], worst = 0;
    const char *name;
    size_t rows = 0, functions = 0;
    NEED(clup_reweighting_create(&neighbour, 1, &reweighting));
    NEED(clup_reweighting_at(reweighting, clup_record_problem(direct)->betas[0], values, errors,
                             NULL));
    for (; (name = clup_reweighting_name(reweighting, rows)) != NULL; rows++) {
        NEED(clup_analysis_observable(direct, 0, name, &analysis));
        worst = fmax(worst, fabs(values[rows] - analysis.mean) /
                                hypot(errors[rows], analysis.jackknife_error));
        functions += clup_record_series(direct, 0, name) == NULL;
    }
    ok(rows == 14 && functions == 6 && worst < 3.5,
       "%zu rows, of them %zu functions, are those of a direct run, to %.2f errors", rows,
       functions, worst);
    clup_reweighting_free(reweighting);
    worst = 0;
    for (functions = 0; (name = clup_analysis_function(direct, 0, functions)) != NULL;
         functions++) {
        NEED(clup_analysis_observable(direct, 0, name, &analysis));
        worst = fmax(worst, fabs(log(analysis.jackknife_error / analysis.error)));
        worst = fmax(worst, fabs(log(analysis.binning_error / analysis.error)));
    }
    ok(functions == 6 && worst < 0.4,
       "errors of %zu functions of means by bins and blocks are those by tau_int, to %.0f %%",
       functions, 100 * worst);
}

/* Records that do not go together are refused, with a text in the detail. */
static void refuses(const clup_record *const *records, size_t count, const char *text)
{
    clup_reweighting *made = (clup_reweighting *)&tap_count;
    ok(clup_reweighting_create(records, count, &made) == CLUP_ERROR_USAGE && made == NULL &&
           strstr(clup_error_detail(), text) != NULL,
       "refused: %s", clup_error_detail());
}

static void check_refusals(const clup_record *record)
{
    clup_problem problem = *clup_record_problem(record);
    static const double values[] = {-1, -1.5, -1.25, -1.5}, odd[] = {-1.1234567, -1};
    clup_record *other;
    refuses((const clup_record *const[]){record, record}, 2, "the very same energies");
    problem.q = 3;
    NEED(clup_record_create(&problem, &other));
    refuses((const clup_record *const[]){record, other}, 2, "q differs: '2' and '3'");
    clup_record_free(other);
    problem.q = 2;
    problem.size[1]++;
    NEED(clup_record_create(&problem, &other));
    refuses((const clup_record *const[]){record, other}, 2, "size differs");
    refuses((const clup_record *const[]){other}, 1, "no 'energy'");
    NEED(clup_record_set_series(other, 0, "energy", odd, 2));
    refuses((const clup_record *const[]){other}, 1, "no multiple");
    clup_record_free(other);
    problem = (clup_problem){.size = {2, 2}, .q = 2, .beta = INFINITY};
    NEED(clup_record_create(&problem, &other));
    NEED(clup_record_set_series(other, 0, "energy", values, 4));
    refuses((const clup_record *const[]){other}, 1, "beta inf");
    clup_record_free(other);
}

/* Values at several temperatures, their covariance, and their derivatives. */
static void check_curve(const clup_record *record)
{
    enum { PLACE_COUNT = 3 };
    static const double betas[PLACE_COUNT] = {0.88, 0.8801, 0.9};
    clup_reweighting *reweighting;
    double values[PLACE_COUNT], slopes[PLACE_COUNT], covariance[9], of_slopes[9], at[32],
        errors[32], off = 0;
    unsigned row = 0, heat = 0;
    NEED(clup_reweighting_create(&record, 1, &reweighting));
    while (strcmp(clup_reweighting_name(reweighting, row), "energy") != 0)
        row++;
    while (strcmp(clup_reweighting_name(reweighting, heat), "specific_heat") != 0)
        heat++;
    NEED(clup_reweighting_covariance(reweighting, "energy", 0, betas, PLACE_COUNT, values,
                                     covariance));
    NEED(clup_reweighting_covariance(reweighting, "energy", 1, betas, PLACE_COUNT, slopes,
                                     of_slopes));
    for (unsigned k = 0; k < PLACE_COUNT; k++) {
        NEED(clup_reweighting_at(reweighting, betas[k], at, errors, NULL));
        off = fmax(off, fabs(values[k] / at[row] - 1));
        off = fmax(off, fabs(covariance[4 * k] / (errors[row] * errors[row]) - 1));
        /* d<e>/dbeta = -N <(e - <e>)^2>, of which the bias is not removed */
        const double biased = at[heat] - betas[k] * betas[k] * 256 * errors[row] * errors[row];
        off = fmax(off, fabs(-slopes[k] * betas[k] * betas[k] / biased - 1) / 100);
        NEED(clup_reweighting_covariance(reweighting, "specific_heat", 0, &betas[k], 1, values + k,
                                         errors));
        off = fmax(off, fabs(values[k] / at[heat] - 1));
    }
    ok(off < 1e-7, "values of a curve, their errors, and derivatives: off by %.1e", off);
    const double step = betas[1] - betas[0],
                 variance = (covariance[0] + covariance[4] - 2 * covariance[1]) / (step * step),
                 far = covariance[2] / sqrt(covariance[0] * covariance[8]);
    ok(fabs(variance / of_slopes[0] - 1) < 0.02 && covariance[1] == covariance[3],
       "their covariance is that of the derivative: %.4g and %.4g", variance, of_slopes[0]);
    ok(far > 0.05 && far < 0.95, "values that are far apart have a correlation of %.2f", far);
    clup_reweighting_free(reweighting);
}

int main(void)
{
    static const double middle[] = {0.881373587019543}, around[] = {0.86, 0.8813735, 0.9},
                        beside[] = {0.875};
    check_series(0);
    check_series(0.6);
    check_series(0.9);
    check_correlation(0.6);
    check_correlation(0.9);
    check_short();
    check_covariance();
    check_bonds();
    check_bonds_between();
    check_all_states(3);
    check_all_states(4);
    check_exact_crossing();
    check_bias();
    check_several();
    clup_record *small = simulated(16, around, 3, 6000, 1),
                *large = simulated(32, middle, 1, 12000, 2);
    check_torus(large, 32);
    check_places(small, large, 16);
    check_reach(small, large);
    clup_record *direct = simulated(32, beside, 1, 6000, 3);
    check_direct(large, direct);
    clup_record_free(direct);
    check_curve(small);
    check_refusals(large);
    clup_record_free(small);
    clup_record_free(large);
    return done_testing();
}
