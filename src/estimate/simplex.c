/* SPDX-License-Identifier: BSD-3-Clause */
/* The method of Nelder and Mead. */
#include "estimate/simplex.h"

#include <math.h>
#include <string.h>

#define STEPS_MOST 400
#define TIMES_MOST 8
/* The differences at which a search ends: of values, and of places in units of the steps. */
#define NEAR_VALUE 1e-10
#define NEAR_PLACE 1e-7

typedef struct corner {
    double x[CLUP_SIMPLEX_MOST], value;
} corner;

typedef struct simplex {
    double (*of)(void *context, const double *x);
    void *context;
    unsigned n;
    corner corners[CLUP_SIMPLEX_MOST + 1]; /* by value */
} simplex;

static double value_at(const simplex *simplex, const double *x)
{
    const double value = simplex->of(simplex->context, x);
    return isnan(value) ? INFINITY : value;
}

static void sort(simplex *simplex)
{
    for (unsigned k = 1; k <= simplex->n; k++)
        for (unsigned j = k; j > 0 && simplex->corners[j].value < simplex->corners[j - 1].value;
             j--) {
            const corner moved = simplex->corners[j];
            simplex->corners[j] = simplex->corners[j - 1];
            simplex->corners[j - 1] = moved;
        }
}

/* The point so far from the middle of all corners but the worst, away from the worst, in units of
 * its distance. */
static corner along(const simplex *simplex, double distance)
{
    const corner *worst = &simplex->corners[simplex->n];
    corner made;
    for (unsigned d = 0; d < simplex->n; d++) {
        double middle = 0;
        for (unsigned k = 0; k < simplex->n; k++)
            middle += simplex->corners[k].x[d] / simplex->n;
        made.x[d] = middle + distance * (middle - worst->x[d]);
    }
    made.value = value_at(simplex, made.x);
    return made;
}

static void shrink(simplex *simplex)
{
    for (unsigned k = 1; k <= simplex->n; k++) {
        corner *corner = &simplex->corners[k];
        for (unsigned d = 0; d < simplex->n; d++)
            corner->x[d] = (corner->x[d] + simplex->corners[0].x[d]) / 2;
        corner->value = value_at(simplex, corner->x);
    }
}

static void step(simplex *simplex)
{
    const double best = simplex->corners[0].value, second = simplex->corners[simplex->n - 1].value;
    corner *worst = &simplex->corners[simplex->n];
    const corner mirrored = along(simplex, 1);
    if (mirrored.value < best) {
        const corner further = along(simplex, 2);
        *worst = further.value < mirrored.value ? further : mirrored;
    } else if (mirrored.value < second) {
        *worst = mirrored;
    } else {
        const corner nearer = along(simplex, mirrored.value < worst->value ? 0.5 : -0.5);
        if (nearer.value < fmin(mirrored.value, worst->value))
            *worst = nearer;
        else
            shrink(simplex);
    }
    sort(simplex);
}

static int is_small(const simplex *simplex, const double *steps)
{
    const corner *best = &simplex->corners[0], *worst = &simplex->corners[simplex->n];
    for (unsigned d = 0; d < simplex->n; d++)
        if (fabs(worst->x[d] - best->x[d]) > NEAR_PLACE * fabs(steps[d]))
            return 0;
    return !(worst->value - best->value > NEAR_VALUE * (1 + fabs(best->value)));
}

double clup_simplex(double (*of)(void *context, const double *x), void *context, double *x,
                    const double *steps, unsigned n)
{
    simplex simplex = {.of = of, .context = context, .n = n};
    double before = INFINITY, value = value_at(&simplex, x);
    for (unsigned time = 0; n > 0 && time < TIMES_MOST && !(value >= before); time++) {
        before = value;
        for (unsigned k = 0; k <= n; k++) {
            corner *corner = &simplex.corners[k];
            memcpy(corner->x, x, n * sizeof *x);
            if (k > 0)
                corner->x[k - 1] += time % 2 == 0 ? steps[k - 1] : -steps[k - 1] / 4;
            corner->value = value_at(&simplex, corner->x);
        }
        sort(&simplex);
        for (unsigned k = 0; k < STEPS_MOST && !is_small(&simplex, steps); k++)
            step(&simplex);
        memcpy(x, simplex.corners[0].x, n * sizeof *x);
        value = simplex.corners[0].value;
        if (before - value < 1e-6 * (1 + fabs(value)))
            break;
    }
    return value;
}
