/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the parts of an interval of beta that the sampled energies cover. */
#include <math.h>
#include <stdlib.h>

#include "estimate/reweight.h"

/* Places tested besides the temperatures of the systems, and halvings of the range between a
 * covered place and one that is not. */
#define PLACES 65
#define HALVINGS 40

static bool covers(const clup_reweighting *of, double beta)
{
    return clup_reweight_coverage(of, beta).covered;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Lists places from one end to the other, in ascending order, with the temperatures of the systems,
 * so that a narrow part around one is not missed. */
static size_t list_places(const clup_reweighting *of, double from, double to, double *places)
{
    size_t count = 0;
    for (unsigned k = 0; k < PLACES; k++)
        places[count++] = k + 1 < PLACES ? from + (to - from) * k / (PLACES - 1) : to;
    for (size_t j = 0; j < of->group_count; j++)
        if (of->group[j].beta > from && of->group[j].beta < to)
            places[count++] = of->group[j].beta;
    qsort(places, count, sizeof *places, compare);
    return count;
}

/* Finds the last covered place between a covered place and one that is not. */
static double edge(const clup_reweighting *of, double inside, double outside)
{
    for (unsigned k = 0; k < HALVINGS; k++) {
        const double between = (inside + outside) / 2;
        *(covers(of, between) ? &inside : &outside) = between;
    }
    return inside;
}

clup_status clup_reweight_spans(const clup_reweighting *of, double from, double to,
                                reweight_spans *spans)
{
    double *places = calloc(PLACES + of->group_count, sizeof *places);
    bool before = false;
    *spans = (reweight_spans){.of = calloc(PLACES + of->group_count, sizeof *spans->of)};
    if (places == NULL || spans->of == NULL) {
        free(places);
        clup_reweight_spans_free(spans);
        return clup_fail_memory("the temperatures");
    }
    const size_t count = list_places(of, from, to, places);
    for (size_t k = 0; k < count; k++) {
        const bool now = covers(of, places[k]);
        if (now && !before)
            spans->of[spans->count++].from = k > 0 ? edge(of, places[k], places[k - 1]) : places[k];
        if (now)
            spans->of[spans->count - 1].to = places[k];
        else if (before)
            spans->of[spans->count - 1].to = edge(of, places[k - 1], places[k]);
        before = now;
    }
    free(places);
    return CLUP_OK;
}

clup_status clup_reweight_common_spans(const reweight_spans *a, const reweight_spans *b,
                                       reweight_spans *common)
{
    size_t i = 0, j = 0;
    *common = (reweight_spans){.of = calloc(a->count + b->count + 1, sizeof *common->of)};
    if (common->of == NULL)
        return clup_fail_memory("the temperatures");
    while (i < a->count && j < b->count) {
        const reweight_span span = {fmax(a->of[i].from, b->of[j].from),
                                    fmin(a->of[i].to, b->of[j].to)};
        if (span.to > span.from)
            common->of[common->count++] = span;
        if (a->of[i].to < b->of[j].to)
            i++;
        else
            j++;
    }
    return CLUP_OK;
}

clup_place clup_reweight_nowhere(const reweight_spans *spans)
{
    clup_place place = {0, NAN, NAN, NAN, NAN, NAN, NAN, {0}};
    if (spans != NULL && spans->count > 0) {
        place.from = spans->of[0].from;
        place.to = spans->of[spans->count - 1].to;
    }
    return place;
}

void clup_reweight_spans_free(reweight_spans *spans)
{
    free(spans->of);
    *spans = (reweight_spans){0};
}
