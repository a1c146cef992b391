/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of union methods, and which process sends what to which. */
#include "family/union_methods.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "core/interface_entries.clh"
#include "program.h"

const clup_union_method clup_union_methods[] = {
/* clang-format off */
#define UNION_METHOD(NAME, ABOUT, ...) {.name = #NAME, .about = ABOUT, __VA_ARGS__},
/* clang-format on */
#include "family/union_methods.def"
};
const size_t clup_union_method_count = sizeof clup_union_methods / sizeof *clup_union_methods;

const char *clup_union_method_name(size_t row)
{
    return row < clup_union_method_count ? clup_union_methods[row].name : NULL;
}

clup_status clup_union_method_named(const char *name, const clup_union_method **row)
{
    clup_text known = {0};
    for (size_t k = 0; k < clup_union_method_count; k++) {
        *row = &clup_union_methods[k];
        if (strcmp((*row)->name, name) == 0) {
            clup_text_free(&known);
            return CLUP_OK;
        }
        clup_text_add(&known, "%s%s", k > 0 ? ", " : "", (*row)->name);
    }
    const clup_status status = clup_fail(CLUP_ERROR_USAGE,
                                         "nothing is called '%s' between processes; there is %s",
                                         name, known.data != NULL ? known.data : "");
    clup_text_free(&known);
    return status;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

unsigned clup_union_method_merges(const clup_union_method *row, uint32_t index, uint32_t count,
                                  clup_merge merges[CLUP_MERGES_MOST])
{
    unsigned rounds = 0;
    if (!row->tree) {
        merges[0] = (clup_merge){.groups = count, .place = index, .end = count};
        return 1;
    }
    /* splits the processes, from all of them down to this one; rounds are done in the opposite
     * order */
    for (uint32_t first = 0, end = count; end - first > 1; rounds++) {
        const uint32_t middle = first + (end - first + 1) / 2;
        /* the members of both groups exchange in pairs; the left group may have one more member, to
         * which the last member of the right group sends as well */
        const uint32_t other = index >= middle                ? first + (index - middle)
                               : index + middle < first + end ? middle + (index - first)
                                                              : end - 1;
        merges[rounds] = (clup_merge){.groups = 2,
                                      .place = index >= middle,
                                      .first = first,
                                      .middle = middle,
                                      .end = end,
                                      .other = other};
        *(index >= middle ? &first : &end) = middle;
    }
    for (unsigned k = 0; k < rounds / 2; k++) {
        const clup_merge other = merges[k];
        merges[k] = merges[rounds - 1 - k];
        merges[rounds - 1 - k] = other;
    }
    return rounds;
}

clup_status clup_union_method_gather(const clup_ranks *ranks, const clup_merge *merge, void *all,
                                     size_t bytes)
{
    const uint32_t left = merge->middle - merge->first, right = merge->end - merge->middle,
                   other = merge->other;
    char *const mine = (char *)all + merge->place * bytes;
    clup_status status;
    if (merge->middle == 0)
        return ranks->gather(ranks, mine, bytes, all);
    char *const theirs = (char *)all + (1 - merge->place) * bytes;
    if (merge->place == 0)
        return ranks->exchange(ranks, ranks->index - merge->first < right ? other : CLUP_NOBODY,
                               mine, other, theirs, bytes);
    const uint32_t k = ranks->index - merge->middle;
    status = ranks->exchange(ranks, other, mine, other, theirs, bytes);
    if (status == CLUP_OK && k == right - 1 && left > right)
        status = ranks->exchange(ranks, other + 1, mine, CLUP_NOBODY, NULL, bytes);
    return status;
}

/* ---- costs ----------------------------------------------------------------------------------- */

/* Predicted times of a round, in microseconds, and microseconds for each kilobyte. merge: words
 * that two processes exchange by MPI; shared: in memory that they share; relax: labels between
 * neighbours, from device to device through pinned memory of the host (doc/guide/processes.md has
 * the measurements); sum: a sum over two processes. */
static const double merge_us = 24, merge_us_kB = 0.31, shared_us_kB = 0.03, relax_us = 21,
                    relax_us_kB = 0.215, sum_us = 2;

/* Returns the sites of a layer. */
static uint64_t layer_of(const clup_problem *problem)
{
    const unsigned axes = clup_lattice_axes(problem->lattice);
    return (uint64_t)problem->size[0] * (axes > 2 ? problem->size[1] : 1);
}

/* Returns the bytes and rounds of process 0, which has the most rounds. */
static clup_union_method_kind cost_of(const clup_union_method *row, const clup_problem *problem,
                                      const clup_subdomain *part, bool shared)
{
    const uint32_t processes = part->count;
    const uint64_t layer = layer_of(problem) * clup_problem_replicas(problem),
                   words = 2 * layer * (part->wide ? sizeof(uint64_t) : sizeof(uint32_t));
    const double log2_p = ceil(log2(processes)), us_kB = shared ? shared_us_kB : merge_us_kB;
    clup_union_method_kind cost = {.name = row->name, .about = row->about};
    if (row->relax) {
        /* for a cluster that goes through all subdomains: the smallest label reaches all of them
         * from one side or two, and one more round changes nothing */
        cost.rounds = part->wraps ? processes / 2 + 1 : processes;
        cost.round_bytes = (part->wraps ? 2 : 1) * layer * 8;
        cost.predicted_us = cost.rounds *
                            (relax_us + 1e-3 * (double)cost.round_bytes * relax_us_kB +
                             sum_us * log2_p);
    } else if (row->tree) {
        cost.rounds = (uint32_t)log2_p;
        cost.round_bytes = words;
        cost.predicted_us = cost.rounds * (merge_us + 1e-3 * (double)words * us_kB);
    } else {
        cost.rounds = 1;
        cost.round_bytes = (processes - 1) * words;
        cost.predicted_us = merge_us + 1e-3 * (double)cost.round_bytes * us_kB;
    }
    cost.bytes = cost.rounds * cost.round_bytes;
    return cost;
}

static const clup_union_method *cheapest(const clup_problem *problem, const clup_subdomain *part,
                                         bool shared)
{
    const clup_union_method *best = NULL;
    double least = INFINITY;
    for (size_t k = 0; k < clup_union_method_count; k++) {
        const double us = cost_of(&clup_union_methods[k], problem, part, shared).predicted_us;
        if (us < least) {
            least = us;
            best = &clup_union_methods[k];
        }
    }
    return best;
}

clup_status clup_union_method_choose(const clup_problem *problem, uint32_t processes, bool shared,
                                     const char *name, const clup_union_method **row)
{
    if (name != NULL)
        return clup_union_method_named(name, row);
    clup_subdomain part;
    const clup_status status = clup_subdomain_of(problem, 0, processes, &part);
    if (status == CLUP_OK)
        *row = cheapest(problem, &part, shared);
    return status;
}

clup_status clup_plan_between(const clup_problem *problem, uint32_t processes, const char *name,
                              size_t most, clup_union_method_kind *rows, size_t *count)
{
    const clup_union_method *chosen;
    clup_subdomain part;
    clup_status status = CLUP_OK;
    CLUP_NEED(problem);
    CLUP_NEED(count);
    *count = 0;
    CLUP_TRY(clup_problem_check(problem));
    CLUP_TRY(clup_subdomain_of(problem, 0, processes, &part));
    CLUP_TRY(clup_union_method_choose(problem, processes, false, name, &chosen));
    for (size_t k = 0; processes > 1 && k < clup_union_method_count; k++) {
        const clup_union_method_kind cost = cost_of(&clup_union_methods[k], problem, &part, false);
        if (*count < most && rows != NULL) {
            rows[*count] = cost;
            rows[*count].chosen = &clup_union_methods[k] == chosen;
        }
        ++*count;
    }
done:
    return status;
}
