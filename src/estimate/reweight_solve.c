/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the free energies of several histograms. With D = sum over j of N_j e^(f_j - beta_j E), f_j
 * is the negative ln of the sum over energies of W e^(-beta_j E)/D where the convex function sum of
 * W ln D - sum of N_j f_j has its minimum. Newton's method finds it, in logarithms throughout; f_0
 * stays 0. */
#include <math.h>
#include <stdlib.h>

#include "base/watch.h"
#include "estimate/reweight.h"

#define STEPS_MOST 200
/* The deviation of sums of weights from the N_j, relative to these, at which the search ends; and
 * the deviation that is accepted if rounding errors allow no smaller one. */
#define NEAR 1e-10
#define NEAR_ENOUGH 1e-6

typedef struct solver {
    const clup_reweighting *of;
    size_t groups;
    double *weights; /* of levels */
    double *n;       /* [levels] */
    double *f, *trial;
    double *gradient, *hessian, *step; /* groups of them, and squared */
    double *share;                     /* of each group in a level */
    double *denominators;              /* where the results are stored */
} solver;

/* ln D of a level by f, and the shares of groups in it. */
static double denominator(const solver *solver, const double *f, double energy, double *share)
{
    double most = -INFINITY, sum = 0;
    for (size_t j = 0; j < solver->groups; j++) {
        share[j] = solver->n[j] > 0 ? log(solver->n[j]) + f[j] - solver->of->group[j].beta * energy
                                    : -INFINITY;
        most = fmax(most, share[j]);
    }
    for (size_t j = 0; j < solver->groups; j++)
        sum += share[j] = exp(share[j] - most);
    for (size_t j = 0; j < solver->groups; j++)
        share[j] /= sum;
    return most + log(sum);
}

/* The function that is minimised; sets gradient and matrix of second derivatives unless these are
 * NULL. */
static double function(const solver *solver, const double *f, double *gradient, double *hessian)
{
    const size_t groups = solver->groups;
    double value = 0;
    for (size_t j = 0; j < groups; j++) {
        value -= solver->n[j] * f[j];
        if (gradient != NULL)
            gradient[j] = -solver->n[j];
        for (size_t i = 0; hessian != NULL && i < groups; i++)
            hessian[j * groups + i] = 0;
    }
    for (size_t k = 0; k < solver->of->levels; k++) {
        const double weight = solver->weights[k], *share = solver->share;
        if (!(weight > 0))
            continue;
        value += weight * denominator(solver, f, solver->of->level[k].energy, solver->share);
        for (size_t j = 0; gradient != NULL && j < groups; j++) {
            if (share[j] < 1e-30)
                continue;
            gradient[j] += weight * share[j];
            for (size_t i = 0; i <= j; i++)
                hessian[j * groups + i] -= weight * share[j] * share[i];
            hessian[j * groups + j] += weight * share[j];
        }
    }
    return value;
}

/* Solves hessian step = -gradient for groups 1 and on by Cholesky's method. Directions on which the
 * function hardly depends get no step. */
static void newton_step(solver *solver)
{
    const size_t n = solver->groups;
    double *h = solver->hessian, *x = solver->step;
    for (size_t j = 1; j < n; j++) {
        const double diagonal = h[j * n + j];
        for (size_t i = 1; i <= j; i++) {
            double sum = h[j * n + i];
            for (size_t k = 1; k < i; k++)
                sum -= h[j * n + k] * h[i * n + k];
            if (i < j)
                h[j * n + i] = sum / h[i * n + i];
            else
                h[j * n + j] = sqrt(fmax(sum, 1e-12 * fmax(diagonal, 1e-300)));
        }
    }
    x[0] = 0;
    for (size_t j = 1; j < n; j++) {
        x[j] = -solver->gradient[j];
        for (size_t k = 1; k < j; k++)
            x[j] -= h[j * n + k] * x[k];
        x[j] /= h[j * n + j];
    }
    for (size_t j = n; j-- > 1;) {
        for (size_t k = j + 1; k < n; k++)
            x[j] -= h[k * n + j] * x[k];
        x[j] /= h[j * n + j];
    }
}

/* The largest deviation of a group from its N_j. */
static double deviation(const solver *solver)
{
    double most = 0;
    for (size_t j = 0; j < solver->groups; j++)
        if (solver->n[j] > 0)
            most = fmax(most, fabs(solver->gradient[j]) / solver->n[j]);
    return most;
}

/* Searches the minimum from f on; false if it is not found. */
static bool solve(solver *solver)
{
    const size_t groups = solver->groups;
    double value = function(solver, solver->f, solver->gradient, solver->hessian);
    for (unsigned step = 0; step < STEPS_MOST && deviation(solver) > NEAR; step++) {
        double length = 1, lower = INFINITY;
        newton_step(solver);
        for (; length > 1e-9; length /= 2) {
            for (size_t j = 0; j < groups; j++)
                solver->trial[j] = solver->f[j] + length * solver->step[j];
            lower = function(solver, solver->trial, NULL, NULL);
            if (lower <= value + 1e-14 * fabs(value))
                break;
        }
        if (!(length > 1e-9))
            break;
        for (size_t j = 0; j < groups; j++)
            solver->f[j] = solver->trial[j];
        value = function(solver, solver->f, solver->gradient, solver->hessian);
    }
    return deviation(solver) < NEAR_ENOUGH;
}

/* Sets the first f: from one temperature to the next, -ln Z grows by the integral of the mean
 * energies. */
static void start(solver *solver)
{
    const reweight_group *group = solver->of->group;
    solver->f[0] = 0;
    for (size_t j = 1; j < solver->groups; j++)
        solver->f[j] = solver->f[j - 1] + (group[j].energy + group[j - 1].energy) / 2 *
                                              (group[j].beta - group[j - 1].beta);
}

static void keep(const solver *solver, double *denominators)
{
    for (size_t k = 0; k < solver->of->levels; k++)
        denominators[k] = denominator(solver, solver->f, solver->of->level[k].energy,
                                      solver->share);
}

/* Sets the weights of all levels and groups, of all values or without one block. */
static void weigh(solver *solver, int without)
{
    const clup_reweighting *of = solver->of;
    for (size_t k = 0; k < of->levels; k++)
        solver->weights[k] = of->level[k].weight;
    for (size_t j = 0; j < solver->groups; j++)
        solver->n[j] = of->group[j].weight - (without < 0 ? 0 : of->group[j].without[without]);
    for (size_t k = without < 0 ? 0 : of->first[without];
         k < (without < 0 ? 0 : of->first[without + 1]); k++) {
        double *weight = &solver->weights[of->part[k].number];
        *weight -= of->part[k].weight;
        /* the rest is rounding error, where a level was seen in this block alone */
        if (*weight < 1e-9 * of->level[of->part[k].number].weight)
            *weight = 0;
    }
}

clup_status clup_reweight_solve(clup_reweighting *reweighting)
{
    const size_t groups = reweighting->group_count, levels = reweighting->levels;
    const int blocks = (int)reweighting->blocks;
    solver solver = {.of = reweighting, .groups = groups};
    double *room = calloc(levels + 6 * groups + groups * groups, sizeof *room);
    clup_status status = CLUP_OK;
    if (levels > SIZE_MAX / 8 / CLUP_BLOCKS_MOST / 2 ||
        (reweighting->denominators = malloc(((size_t)blocks + 1) * levels *
                                            sizeof *reweighting->denominators)) == NULL ||
        room == NULL) {
        free(room);
        return clup_fail_memory("the histograms");
    }
    solver.weights = room;
    solver.n = room + levels;
    solver.f = solver.n + groups;
    solver.trial = solver.f + groups;
    solver.gradient = solver.trial + groups;
    solver.step = solver.gradient + groups;
    solver.share = solver.step + groups;
    solver.hessian = solver.share + groups;
    start(&solver);
    for (int b = -1; b < blocks && status == CLUP_OK; b++) {
        weigh(&solver, b);
        if (!solve(&solver))
            status = clup_fail(CLUP_ERROR_RUNTIME,
                               "the histograms of %zu temperatures have no common solution: their "
                               "energies are too far apart",
                               groups);
        keep(&solver, reweighting->denominators + (size_t)(b + 1) * levels);
        if (status == CLUP_OK)
            status = clup_watch_ask();
    }
    free(room);
    return status;
}
