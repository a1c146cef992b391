/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a result can be trusted: points with equal problems must have equal spins, whatever their
 * plans. Names the points whose spins fewer points have. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/draw/analysis.h"
#include "bench/cut.h"
#include "bench/point.h"
#include "bench/draw/report.h"
#include "bench/status.h"

/* Writes the system of a point for people. */
static void system_of(const json_t *point, char *to, size_t size)
{
    const json_t *problem = json_object_get(point, "problem");
    bench_print(to, size, "L = %g, q = %lld, beta = %.6g, %s", bench_point_size(point),
                (long long)json_integer_value(json_object_get(problem, "q")),
                json_number_value(json_object_get(problem, "beta")),
                bench_text(problem, "algorithm"));
}

/* The hash of the spins of a point of a Swendsen-Wang sweep; NULL for none. Few-cluster updates
 * depend on further parameters. */
static const char *spins_of(const json_t *point)
{
    const json_t *problem = json_object_get(point, "problem");
    const char *hash = bench_text(point, "spins_sha256");
    return hash[0] != '\0' && strcmp(bench_text(problem, "algorithm"), "sw") == 0 ? hash : NULL;
}

/* Adds a point to the votes of its system, {hash: number of points}, which *of becomes. Returns
 * false without memory. */
static bool vote(json_t *systems, const json_t *point, json_t **of)
{
    char *key = json_dumps(json_object_get(point, "problem"),
                           JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(15));
    bool done = key != NULL;
    if (done && json_object_get(systems, key) == NULL)
        done = json_object_set_new(systems, key, json_object()) == 0;
    if (done) {
        *of = json_object_get(systems, key);
        const json_int_t votes = json_integer_value(json_object_get(*of, spins_of(point)));
        done = json_object_set_new(*of, spins_of(point), json_integer(votes + 1)) == 0;
    }
    free(key);
    return done;
}

/* Stores, under "", the hash that most points of a system have; of equal numbers, the first. */
static bool elect(json_t *votes)
{
    const char *hash, *best = "";
    json_t *count;
    json_int_t most = 0;
    json_object_foreach(votes, hash, count)
    {
        if (json_integer_value(count) > most) {
            most = json_integer_value(count);
            best = hash;
        }
    }
    return json_object_set_new(votes, "", json_string(best)) == 0;
}

static void write_words(size_t plans, size_t systems, size_t wrong, bench_page *page)
{
    if (plans == 0)
        bench_page_text(page, "No point of this result has spins to compare.");
    else
        bench_page_text(
            page,
            "Each point has the SHA-256 of the spins two sweeps after its start, which is the "
            "same for every plan and device, and for the serial reference. %zu points of %zu "
            "systems: %s. clup compare holds them against those of other devices.",
            plans, systems,
            wrong == 0 ? "plans agree on all" : "plans do not agree, do not trust this result");
}

clup_status bench_trust_write(const json_t *root, bench_page *page)
{
    const json_t *points = json_object_get(root, "points");
    const size_t count = json_array_size(points);
    json_t *systems = json_object(), *votes, **of = calloc(count + 1, sizeof *of);
    const char *problem;
    size_t plans = 0, wrong = 0;
    bool failed = systems == NULL || of == NULL;
    bench_page_heading(page, 2, "Can this be trusted");
    for (size_t k = 0; k < count && !failed; k++)
        if (spins_of(json_array_get(points, k)) != NULL) {
            failed = !vote(systems, json_array_get(points, k), &of[k]);
            plans++;
        }
    json_object_foreach(systems, problem, votes)
    {
        failed = failed || !elect(votes);
    }
    for (size_t k = 0; k < count && !failed; k++) {
        const json_t *point = json_array_get(points, k);
        if (of[k] == NULL || strcmp(bench_text(of[k], ""), spins_of(point)) == 0)
            continue;
        char system[160];
        system_of(point, system, sizeof system);
        bench_page_item(page, "Other spins:", "%s, %s", bench_text(point, "id"), system);
        wrong++;
    }
    if (!failed)
        write_words(plans, json_object_size(systems), wrong, page);
    json_decref(systems);
    free(of);
    return failed ? bench_fail(CLUP_ERROR_MEMORY, "out of memory for the report") : CLUP_OK;
}
