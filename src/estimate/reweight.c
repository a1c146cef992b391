/* SPDX-License-Identifier: BSD-3-Clause */
/* Means at other temperatures, computed from the weights. */
#include "core/disorder.h"
#include "estimate/reweight.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How many values at either end of the energies count as outermost. */
#define OUTERMOST 10

clup_status clup_reweighting_create(const clup_record *const *records, size_t count,
                                    clup_reweighting **out)
{
    clup_status status = CLUP_OK;
    clup_reweighting *made = NULL;
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
    if ((made = calloc(1, sizeof *made)) == NULL)
        return clup_fail_memory("the histograms");
    made->problem = records[0]->problem;
    made->problem.betas = NULL;
    made->problem.replicas = 1;
    CLUP_TRY(clup_reweight_collect(made, records, count));
    CLUP_TRY(clup_reweight_solve(made));
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
    free(reweighting->level);
    free(reweighting->group);
    free(reweighting->part);
    free(reweighting->denominators);
    free(reweighting);
}

const char *clup_reweighting_name(const clup_reweighting *reweighting, size_t row)
{
    return reweighting != NULL && row < reweighting->rows
               ? clup_observable_name(reweighting->row[row])
               : NULL;
}

unsigned clup_reweighting_blocks(const clup_reweighting *reweighting)
{
    return reweighting != NULL ? reweighting->blocks : 0;
}

/* ---- means ----------------------------------------------------------------------------------- */

/* Sums over levels: of weights, energies, their squares, and columns; where slopes are wanted also
 * of cubes, and of columns times energies. */
typedef struct sums {
    double weight, energy, square, columns[CLUP_MEANS];
    double cube, with_energy[CLUP_MEANS];
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

static clup_means means_of(const clup_reweighting *of, const sums *sums, double beta,
                           double energy0)
{
    clup_means means = {beta, of->sites, of->length, energy0 / of->sites, {0}};
    means.of[CLUP_MEAN_ENERGY] = sums->energy / sums->weight / of->sites;
    means.of[CLUP_MEAN_ENERGY2] = sums->square / sums->weight / of->sites / of->sites;
    for (unsigned c = 0; c < of->columns; c++)
        means.of[of->column[c]] = sums->columns[c] / sums->weight;
    return means;
}

/* Derivatives of means that count from the same energy0. */
static clup_means slopes_of(const clup_reweighting *of, const sums *sums, double beta,
                            double energy0)
{
    clup_means slopes = {beta, of->sites, of->length, energy0 / of->sites, {0}};
    const double energy = sums->energy / sums->weight, square = sums->square / sums->weight;
    slopes.of[CLUP_MEAN_ENERGY] = -(square - energy * energy) / of->sites;
    slopes.of[CLUP_MEAN_ENERGY2] = -(sums->cube / sums->weight - square * energy) / of->sites /
                                   of->sites;
    for (unsigned c = 0; c < of->columns; c++)
        slopes.of[of->column[c]] = -(sums->with_energy[c] - sums->columns[c] * energy) /
                                   sums->weight;
    return slopes;
}

void clup_reweight_means(const clup_reweighting *of, double beta, int without, clup_means *means,
                         clup_means *slopes)
{
    const double *denominators = of->denominators + (size_t)(without + 1) * of->levels;
    const double most = largest(of, beta, denominators),
                 energy0 = middle(of, beta, denominators, most);
    sums sums = {0};
    for (size_t k = 0; k < of->levels; k++) {
        const reweight_level *level = &of->level[k];
        add(&sums, exp(-beta * level->energy - denominators[k] - most), level->energy - energy0,
            level->weight, level->sums, of->columns, slopes != NULL);
    }
    for (size_t k = without < 0 ? 0 : of->first[without];
         k < (without < 0 ? 0 : of->first[without + 1]); k++) {
        const reweight_part *part = &of->part[k];
        const double energy = of->level[part->number].energy;
        add(&sums, -exp(-beta * energy - denominators[part->number] - most), energy - energy0,
            part->weight, part->sums, of->columns, slopes != NULL);
    }
    *means = means_of(of, &sums, beta, of->energy0 + energy0);
    if (slopes != NULL)
        *slopes = slopes_of(of, &sums, beta, of->energy0 + energy0);
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
                        double values[OBSERVED])
{
    clup_means means;
    clup_reweight_means(of, beta, without, &means, NULL);
    for (unsigned row = 0; row < of->rows; row++)
        values[row] = clup_means_value(&means, of->row[row]);
}

/* ---- what is covered ------------------------------------------------------------------------- */

clup_coverage clup_reweight_coverage(const clup_reweighting *of, double beta)
{
    const double most = largest(of, beta, of->denominators),
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
    const double overlap = inside / sum, independent = sum * sum / squares;
    return (clup_coverage){.overlap = overlap,
                           .independent = independent,
                           .covered = overlap >= CLUP_OVERLAP_LEAST &&
                                      independent >= CLUP_INDEPENDENT_LEAST};
}

void clup_reweight_errors(const clup_reweighting *of, double beta, double errors[OBSERVED])
{
    double without[CLUP_BLOCKS_MOST][OBSERVED], column[CLUP_BLOCKS_MOST];
    for (unsigned b = 0; b < of->blocks; b++)
        clup_reweight_rows(of, beta, (int)b, without[b]);
    for (unsigned row = 0; row < of->rows; row++) {
        for (unsigned b = 0; b < of->blocks; b++)
            column[b] = without[b][row];
        errors[row] = clup_jackknife_error(column, of->blocks);
    }
}

double clup_reweight_bias(const clup_reweighting *of, unsigned row, double beta,
                          const double errors[OBSERVED])
{
    const clup_means means = {.beta = beta, .sites = of->sites, .length = of->length};
    clup_observable mean;
    if (!clup_observable_is_variance(of->row[row], &mean))
        return 0;
    for (unsigned other = 0; other < of->rows; other++)
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
    const unsigned rows = reweighting->rows;
    double all[OBSERVED], known[OBSERVED];
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
