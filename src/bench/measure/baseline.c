/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what became slower. */
#include "bench/measure/baseline.h"

#include <math.h>
#include <string.h>

#include "bench/index.h"
#include "bench/point.h"
#include "bench/same.h"
#include "bench/status.h"

static double relative(const json_t *point, const char *series)
{
    const double spread = bench_spread(point, series);
    return isfinite(spread) ? spread : 0;
}

/* Whether two points have equal spins, or labels; true when either has no hash. */
static int same_hash(const json_t *a, const json_t *b, const char *key)
{
    const json_t *x = json_object_get(a, key), *y = json_object_get(b, key);
    return x == NULL || y == NULL || json_equal(x, y);
}

static clup_status compare_point(const json_t *before, const json_t *now,
                                 bench_slower_report *report, void *user, size_t *compared,
                                 size_t *slower)
{
    const char *id = json_string_value(json_object_get(now, "id"));
    if (!json_equal(json_object_get(before, "problem"), json_object_get(now, "problem")))
        return bench_fail(CLUP_ERROR_USAGE, "%s is another problem in the baseline", id);
    if (!same_hash(before, now, "spins_sha256") || !same_hash(before, now, "labels_sha256"))
        return bench_fail(CLUP_ERROR_VERIFY, "%s gives another result than in the baseline", id);
    int rate;
    const char *name = bench_leading(now, &rate);
    const double was = name != NULL ? bench_median(before, name) : NAN;
    if (!isfinite(was))
        return CLUP_OK;
    const double is = bench_median(now, name), ratio = rate ? was / is : is / was;
    ++*compared;
    if (ratio * (1 - relative(now, name)) > 1 + relative(before, name)) {
        ++*slower;
        report(user, id, name, was, is, bench_unit(now, name));
    }
    return CLUP_OK;
}

clup_status bench_slower(const json_t *before, const json_t *now, bench_slower_report *report,
                         void *user, size_t *compared, size_t *slower)
{
    static const char *const parts[] = {"device", "host"};
    char how[512];
    clup_status status = CLUP_OK;
    const json_t *options = json_object_get(now, "options"),
                 *options_before = json_object_get(before, "options");
    json_t *index = bench_index(before), *point;
    size_t k;
    *compared = *slower = 0;
    for (size_t part = 0; part < 2 && status == CLUP_OK; part++)
        if (bench_differ(json_object_get(before, parts[part]), json_object_get(now, parts[part]),
                         parts[part], " there, and ", how, sizeof how))
            status = bench_fail(CLUP_ERROR_USAGE,
                                "the baseline is of another %s: %s now; see clup compare",
                                parts[part], how);
    /* a quick run hashes spins after fewer sweeps */
    if (status == CLUP_OK &&
        !json_equal(json_object_get(options, "quick"), json_object_get(options_before, "quick")))
        status = bench_fail(CLUP_ERROR_USAGE, "the baseline and this run are not both quick ones");
    if (status == CLUP_OK && index == NULL)
        status = bench_fail(CLUP_ERROR_MEMORY, "out of memory for the baseline");
    json_array_foreach(json_object_get(now, "points"), k, point)
    {
        const json_t *was = bench_index_point(index, bench_text(point, "id"));
        if (was != NULL && status == CLUP_OK)
            status = compare_point(was, point, report, user, compared, slower);
    }
    json_decref(index);
    return status;
}
