/* SPDX-License-Identifier: BSD-3-Clause */
/* Means at other temperatures, computed from the weights. */
#include "core/couplings.h"
#include "core/disorder.h"
#include "estimate/reweight.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How many values at either end of the energies count as outermost. */
#define OUTERMOST 10

static bool all_have_bonds(const clup_record *const *records, size_t count)
{
    bool have = true;
    for (size_t k = 0; k < count; k++)
        for (uint32_t r = 0; r < records[k]->problem.replicas && have; r++)
            have = clup_record_series(records[k], r,
                                      clup_observable_name((clup_observable)OBSERVED_FK_BONDS)) !=
                   NULL;
    return have;
}

/* Makes the histograms of the energies, or if gap is above 0 of the bonds, in so many blocks. */
static clup_status make(const clup_record *const *records, size_t count, double gap,
                        unsigned blocks, clup_reweighting **out)
{
    clup_reweighting *made = calloc(1, sizeof *made);
    clup_status status;
    if (made == NULL)
        return clup_fail_memory("the histograms");
    made->problem = records[0]->problem;
    made->problem.betas = NULL;
    made->problem.replicas = 1;
    made->gap = gap;
    made->blocks = blocks;
    CLUP_TRY(clup_reweight_collect(made, records, count));
    CLUP_TRY(clup_reweight_solve(made));
done:
    if (status == CLUP_OK)
        *out = made;
    else
        clup_reweighting_free(made);
    return status;
}

clup_status clup_reweighting_create(const clup_record *const *records, size_t count,
                                    clup_reweighting **out)
{
    clup_status status = CLUP_OK;
    clup_reweighting *made = NULL;
    double gap;
    CLUP_NEED(out);
    *out = NULL;
    CLUP_NEED(records);
    if (count == 0)
        return clup_fail(CLUP_ERROR_USAGE, "no records");
    for (size_t k = 0; k < count; k++) {
        CLUP_NEED(records[k]);
        if ((status = clup_problem_compare(&records[0]->problem, &records[k]->problem,
                                           CLUP_FIELD_LAW | CLUP_FIELD_SIZE)) != CLUP_OK)
            return status;
    }
    for (size_t k = 0; k < count && clup_has_samples(&records[0]->problem); k++)
        for (uint32_t r = 0; r < records[k]->problem.replicas; r++)
            if (clup_disorder_sample(&records[k]->problem, r) !=
                clup_disorder_sample(&records[0]->problem, 0))
                return clup_fail(CLUP_ERROR_USAGE,
                                 "systems with several samples of disorder are not reweighted "
                                 "together: each has energies of its own");
    CLUP_TRY(make(records, count, 0, 0, &made));
    if (all_have_bonds(records, count) && clup_bonds_weigh(&records[0]->problem, &gap))
        CLUP_TRY(make(records, count, gap, made->blocks > 0 ? made->blocks : 1, &made->bonds));
done:
    if (status == CLUP_OK)
        *out = made;
    else
        clup_reweighting_free(made);
    return status;
}

void clup_reweighting_free(clup_reweighting *reweighting)
{
    if (reweighting == NULL)
        return;
    clup_reweighting_free(reweighting->bonds);
    free(reweighting->level);
    free(reweighting->level_sums);
    free(reweighting->group);
    free(reweighting->part);
    free(reweighting->part_sums);
    free(reweighting->denominators);
    free(reweighting);
}

const char *clup_reweighting_name(const clup_reweighting *reweighting, size_t row)
{
    return reweighting != NULL && row < clup_reweight_row_count(reweighting)
               ? clup_reweight_row_name(reweighting, (unsigned)row)
               : NULL;
}

unsigned clup_reweighting_blocks(const clup_reweighting *reweighting)
{
    return reweighting != NULL ? reweighting->blocks : 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Rows of the spins, or in bonds of the bonds. */
static unsigned own_rows(const clup_reweighting *of)
{
    return of->observed + of->extra_count;
}

unsigned clup_reweight_row_count(const clup_reweighting *of)
{
    return own_rows(of) + (of->bonds != NULL ? own_rows(of->bonds) : 0);
}

const char *clup_reweight_row_name(const clup_reweighting *of, unsigned row)
{
    if (row >= own_rows(of))
        return clup_reweight_row_name(of->bonds, row - own_rows(of));
    return row < of->observed ? clup_observable_name(of->row[row]) : of->extras[row - of->observed];
}

static double own_value(const clup_reweighting *of, const reweight_means *means, unsigned row)
{
    return row < of->observed ? clup_means_value(&means->means, of->row[row])
                              : means->extras[row - of->observed];
}

double clup_reweight_row_value(const clup_reweighting *of, const reweight_point *means,
                               unsigned row)
{
    return row < own_rows(of) ? own_value(of, &means->spins, row)
                              : own_value(of->bonds, &means->bonds, row - own_rows(of));
}

/* ---- means ----------------------------------------------------------------------------------- */

/* Sums over levels: of weights, energies, their squares, and columns; where slopes are wanted also
 * of cubes, and of columns times energies. */
typedef struct sums {
    double weight, energy, square, columns[REWEIGHT_COLUMNS];
    double cube, with_energy[REWEIGHT_COLUMNS];
} sums;

/* Energies count from one in the middle of them, so that squares keep their digits. */
static void add(sums *to, double factor, double energy, double weight, const double *columns,
                unsigned count, bool slopes)
{
    to->weight += factor * weight;
    to->energy += factor * weight * energy;
    to->square += factor * weight * energy * energy;
    for (unsigned c = 0; c < count; c++)
        to->columns[c] += factor * columns[c];
    if (!slopes)
        return;
    to->cube += factor * weight * energy * energy * energy;
    for (unsigned c = 0; c < count; c++)
        to->with_energy[c] += factor * columns[c] * energy;
}

/* The largest exponent, which is subtracted from all. */
static double largest(const clup_reweighting *of, double beta, const double *denominators)
{
    double most = -INFINITY;
    for (size_t k = 0; k < of->levels; k++)
        most = fmax(most, -beta * of->level[k].energy - denominators[k]);
    return most;
}

static double middle(const clup_reweighting *of, double beta, const double *denominators,
                     double most)
{
    double weight = 0, energy = 0;
    for (size_t k = 0; k < of->levels; k++) {
        const reweight_level *level = &of->level[k];
        const double factor = exp(-beta * level->energy - denominators[k] - most) * level->weight;
        weight += factor;
        energy += factor * level->energy;
    }
    return energy / weight;
}

/* Puts a number that is of a column. */
static void put(const clup_reweighting *of, unsigned column, double number, reweight_means *means)
{
    if (of->column[column] < CLUP_MEANS)
        means->means.of[of->column[column]] = number;
    else
        means->extras[of->column[column] - CLUP_MEANS] = number;
}

static clup_means no_means(const clup_reweighting *of, double beta, double energy0)
{
    clup_means means = {beta, of->sites, of->length, energy0 / of->sites, {0}};
    for (unsigned m = 0; m < CLUP_MEANS; m++)
        means.of[m] = NAN;
    return means;
}

static void set_means(const clup_reweighting *of, const sums *sums, double beta, double energy0,
                      reweight_means *means)
{
    means->means = no_means(of, beta, energy0);
    if (of->gap == 0) {
        means->means.of[CLUP_MEAN_ENERGY] = sums->energy / sums->weight / of->sites;
        means->means.of[CLUP_MEAN_ENERGY2] = sums->square / sums->weight / of->sites / of->sites;
    }
    for (unsigned c = 0; c < of->columns; c++)
        put(of, c, sums->columns[c] / sums->weight, means);
}

/* Sets derivatives of means that count from the same energy0. */
static void set_slopes(const clup_reweighting *of, const sums *sums, double beta, double energy0,
                       reweight_means *slopes)
{
    const double energy = sums->energy / sums->weight, square = sums->square / sums->weight,
                 by_beta = of->gap > 0 ? of->gap / -expm1(-beta * of->gap) : 1;
    slopes->means = no_means(of, beta, energy0);
    if (of->gap == 0) {
        slopes->means.of[CLUP_MEAN_ENERGY] = -(square - energy * energy) / of->sites;
        slopes->means.of[CLUP_MEAN_ENERGY2] = -(sums->cube / sums->weight - square * energy) /
                                              of->sites / of->sites;
    }
    for (unsigned c = 0; c < of->columns; c++)
        put(of, c, -(sums->with_energy[c] - sums->columns[c] * energy) / sums->weight * by_beta,
            slopes);
}

static void add_means(const clup_reweighting *of, double beta, int without, reweight_means *means,
                      reweight_means *slopes)
{
    const double *denominators = of->denominators + (size_t)(without + 1) * of->levels;
    const double x = clup_reweight_parameter(of, beta), most = largest(of, x, denominators),
                 energy0 = middle(of, x, denominators, most);
    sums sums = {0};
    for (size_t k = 0; k < of->levels; k++) {
        const reweight_level *level = &of->level[k];
        add(&sums, exp(-x * level->energy - denominators[k] - most), level->energy - energy0,
            level->weight, of->level_sums + k * of->columns, of->columns, slopes != NULL);
    }
    for (size_t k = without < 0 ? 0 : of->first[without];
         k < (without < 0 ? 0 : of->first[without + 1]); k++) {
        const reweight_part *part = &of->part[k];
        const double energy = of->level[part->number].energy;
        add(&sums, -exp(-x * energy - denominators[part->number] - most), energy - energy0,
            part->weight, of->part_sums + k * of->columns, of->columns, slopes != NULL);
    }
    set_means(of, &sums, beta, of->energy0 + energy0, means);
    if (slopes != NULL)
        set_slopes(of, &sums, beta, of->energy0 + energy0, slopes);
}

void clup_reweight_means(const clup_reweighting *of, double beta, int without,
                         reweight_point *means, reweight_point *slopes)
{
    add_means(of, beta, without, &means->spins, slopes != NULL ? &slopes->spins : NULL);
    if (of->bonds != NULL)
        add_means(of->bonds, beta, without, &means->bonds, slopes != NULL ? &slopes->bonds : NULL);
}

static void move(const clup_reweighting *of, reweight_means *means, const reweight_means *slopes,
                 double step)
{
    means->means.beta += step;
    for (unsigned m = 0; m < CLUP_MEANS; m++)
        means->means.of[m] += step * slopes->means.of[m];
    for (unsigned k = 0; k < of->extra_count; k++)
        means->extras[k] += step * slopes->extras[k];
}

void clup_reweight_move(const clup_reweighting *of, reweight_point *means,
                        const reweight_point *slopes, double step)
{
    move(of, &means->spins, &slopes->spins, step);
    if (of->bonds != NULL)
        move(of->bonds, &means->bonds, &slopes->bonds, step);
}

void clup_reweight_factors(const clup_reweighting *of, double beta, int without, double *factors)
{
    const double *denominators = of->denominators + (size_t)(without + 1) * of->levels;
    const double most = largest(of, beta, denominators);
    for (size_t k = 0; k < of->levels; k++)
        factors[k] = exp(-beta * of->level[k].energy - denominators[k] - most);
}

double clup_reweight_ln_z(const clup_reweighting *of, double beta, int without)
{
    const double *denominators = of->denominators + (size_t)(without + 1) * of->levels;
    const double most = largest(of, beta, denominators);
    double sum = 0;
    for (size_t k = 0; k < of->levels; k++)
        sum += of->level[k].weight * exp(-beta * of->level[k].energy - denominators[k] - most);
    for (size_t k = without < 0 ? 0 : of->first[without];
         k < (without < 0 ? 0 : of->first[without + 1]); k++) {
        const reweight_part *part = &of->part[k];
        sum -= part->weight *
               exp(-beta * of->level[part->number].energy - denominators[part->number] - most);
    }
    return most + log(sum) - beta * of->energy0;
}

void clup_reweight_rows(const clup_reweighting *of, double beta, int without,
                        double values[REWEIGHT_ROWS])
{
    reweight_point means;
    clup_reweight_means(of, beta, without, &means, NULL);
    for (unsigned row = 0; row < clup_reweight_row_count(of); row++)
        values[row] = clup_reweight_row_value(of, &means, row);
}

/* ---- what is covered ------------------------------------------------------------------------- */

clup_coverage clup_reweight_coverage(const clup_reweighting *of, double at)
{
    const double beta = clup_reweight_parameter(of, at), most = largest(of, beta, of->denominators),
                 few = fmin(OUTERMOST, of->shortest / 100);
    double all = 0, below = 0, sum = 0, squares = 0, inside = 0;
    for (size_t k = 0; k < of->levels; k++)
        all += of->level[k].weight;
    for (size_t k = 0; k < of->levels; k++) {
        const double weight = of->level[k].weight,
                     factor = exp(-beta * of->level[k].energy - of->denominators[k] - most);
        sum += weight * factor;
        squares += weight * factor * factor;
        /* the share of the level that is neither among the first values nor among the last */
        const double first = fmax(below, few), last = fmin(below + weight, all - few);
        inside += fmax(0, last - first) * factor;
        below += weight;
    }
    double overlap = inside / sum, independent = sum * sum / squares;
    if (of->bonds != NULL) {
        const clup_coverage bonds = clup_reweight_coverage(of->bonds, at);
        overlap = fmin(overlap, bonds.overlap);
        independent = fmin(independent, bonds.independent);
    }
    return (clup_coverage){.overlap = overlap,
                           .independent = independent,
                           .covered = overlap >= CLUP_OVERLAP_LEAST &&
                                      independent >= CLUP_INDEPENDENT_LEAST};
}

void clup_reweight_errors(const clup_reweighting *of, double beta, double errors[REWEIGHT_ROWS])
{
    double without[REWEIGHT_ROWS], sums[REWEIGHT_ROWS] = {0}, squares[REWEIGHT_ROWS] = {0},
                                   first[REWEIGHT_ROWS];
    const double blocks = of->blocks;
    for (unsigned b = 0; b < of->blocks; b++) {
        clup_reweight_rows(of, beta, (int)b, without);
        for (unsigned row = 0; row < clup_reweight_row_count(of); row++) {
            if (b == 0)
                first[row] = without[row];
            sums[row] += without[row] - first[row];
            squares[row] += (without[row] - first[row]) * (without[row] - first[row]);
        }
    }
    for (unsigned row = 0; row < clup_reweight_row_count(of); row++) {
        const double spread = squares[row] - sums[row] * sums[row] / blocks;
        /* NAN where a block has no value */
        errors[row] = of->blocks > 1 ? sqrt((spread < 0 ? 0 : spread) * (blocks - 1) / blocks)
                                     : NAN;
    }
}

double clup_reweight_bias(const clup_reweighting *of, unsigned row, double beta,
                          const double errors[REWEIGHT_ROWS])
{
    const clup_means means = {.beta = beta, .sites = of->sites, .length = of->length};
    clup_observable mean;
    if (row >= of->observed || !clup_observable_is_variance(of->row[row], &mean))
        return 0;
    for (unsigned other = 0; other < of->observed; other++)
        if (of->row[other] == mean && isfinite(errors[other]))
            return clup_variance_bias(&means, of->row[row], errors[other]);
    return 0;
}

clup_status clup_reweighting_at(const clup_reweighting *reweighting, double beta, double *values,
                                double *errors, clup_coverage *coverage)
{
    CLUP_NEED(reweighting);
    if (!(beta >= 0) || !isfinite(beta))
        return clup_fail(CLUP_ERROR_USAGE, "beta %g is not a number from 0 up", beta);
    const unsigned rows = clup_reweight_row_count(reweighting);
    double all[REWEIGHT_ROWS], known[REWEIGHT_ROWS];
    if (values != NULL || errors != NULL)
        clup_reweight_errors(reweighting, beta, known);
    if (values != NULL) {
        clup_reweight_rows(reweighting, beta, -1, all);
        for (unsigned row = 0; row < rows; row++)
            values[row] = all[row] + clup_reweight_bias(reweighting, row, beta, known);
    }
    if (errors != NULL)
        memcpy(errors, known, rows * sizeof *errors);
    if (coverage != NULL)
        *coverage = clup_reweight_coverage(reweighting, beta);
    return CLUP_OK;
}
