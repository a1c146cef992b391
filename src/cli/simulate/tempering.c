/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports parallel tempering. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/simulate/simulate.h"
#include "cli/table.h"

static uint32_t replicas_of(const simulate_result *result)
{
    return result->tempering.ladders * result->tempering.rungs;
}

clup_status simulate_take_tempering(const clup_simulation *simulation, simulate_result *result)
{
    clup_status status = clup_simulation_tempering(simulation, &result->tempering);
    if (status != CLUP_OK || replicas_of(result) == 0)
        return status;
    result->rungs = calloc(replicas_of(result), sizeof *result->rungs);
    result->walkers = calloc(replicas_of(result), sizeof *result->walkers);
    if (result->rungs == NULL || result->walkers == NULL)
        exit(cli_fail_memory("the ladders"));
    for (uint32_t r = 0; r < replicas_of(result) && status == CLUP_OK; r++) {
        status = clup_simulation_rung(simulation, r, &result->rungs[r]);
        if (status == CLUP_OK)
            status = clup_simulation_walker(simulation, r, &result->walkers[r]);
    }
    return status;
}

void simulate_free_tempering(simulate_result *result)
{
    free(result->rungs);
    free(result->walkers);
}

/* Neighbouring rungs, summed over all ladders. */
typedef struct pair {
    double beta, next;
    uint64_t attempts, accepted;
} pair;

static pair pair_of(const simulate_result *result, uint32_t rung)
{
    const clup_rung *first = result->rungs + (size_t)rung * result->tempering.ladders;
    pair pair = {.beta = first->beta, .next = first[result->tempering.ladders].beta};
    for (uint32_t l = 0; l < result->tempering.ladders; l++) {
        pair.attempts += first[l].attempts;
        pair.accepted += first[l].accepted;
    }
    return pair;
}

static double share(const pair *pair)
{
    return pair->attempts > 0 ? (double)pair->accepted / (double)pair->attempts : NAN;
}

/* Prints the temperatures of the ladder in the form that --tempering takes. */
static void print_betas(const simulate_result *result)
{
    char text[32];
    printf("%s  %-18s", result->measured > 0 ? "\n" : "", "betas");
    for (uint32_t rung = 0; rung < result->tempering.rungs; rung++)
        printf(
            "%s%s", rung > 0 ? "," : "",
            clup_number_text(result->rungs[(size_t)rung * result->tempering.ladders].beta, text));
}

/* A note when there are so few round trips that a rung gets too few independent systems; else
 * NULL. */
static const char *note_of(const clup_tempering *tempering)
{
    return tempering->round_trips < CLUP_INDEPENDENT_LEAST
               ? "fewer than 25 round trips: where systems stay in one of two phases, errors are "
                 "too small"
               : NULL;
}

/* The number of exchanges that were tried, of all pairs. */
static uint64_t attempts_of(const simulate_result *result)
{
    uint64_t attempts = 0;
    for (uint32_t rung = 0; rung + 1 < result->tempering.rungs; rung++)
        attempts += pair_of(result, rung).attempts;
    return attempts;
}

static void print_exchanges(const simulate_result *result)
{
    const clup_tempering *tempering = &result->tempering;
    printf("\n  %-18safter every ", "exchanges");
    if (tempering->every > 1)
        printf("%" PRIu64 " sweeps", tempering->every);
    else
        printf("sweep");
    printf(", %" PRIu64 " round trips", tempering->round_trips);
    if (tempering->ladders > 1)
        printf(" in %" PRIu32 " ladders", tempering->ladders);
    printf("\n  %22s%15s%12s%12s\n", "beta", "next beta", "exchanged", "of");
    for (uint32_t rung = 0; rung + 1 < tempering->rungs; rung++) {
        const pair pair = pair_of(result, rung);
        printf("  %22.9g%15.9g%12.4f%12" PRIu64 "\n", pair.beta, pair.next, share(&pair),
               pair.attempts);
    }
    if (note_of(tempering) != NULL)
        table_line("note", "%s", note_of(tempering));
}

void simulate_print_tempering(const simulate_result *result)
{
    const clup_tempering *tempering = &result->tempering;
    if (tempering->rungs == 0)
        return;
    if (result->request->tempering_tune > 0)
        print_betas(result);
    if (attempts_of(result) > 0 && !(result->request->tempering_tune > 0 && result->measured == 0))
        print_exchanges(result);
    putchar('\n');
}

static void write_pairs(json *json, const simulate_result *result)
{
    json_open(json, "pairs", '[');
    for (uint32_t rung = 0; rung + 1 < result->tempering.rungs; rung++) {
        const pair pair = pair_of(result, rung);
        json_open(json, NULL, '{');
        json_number(json, "beta", pair.beta);
        json_number(json, "next_beta", pair.next);
        json_whole(json, "attempts", pair.attempts);
        json_whole(json, "accepted", pair.accepted);
        json_number(json, "acceptance", share(&pair));
        json_close(json, '}');
    }
    json_close(json, ']');
}

void simulate_write_tempering(json *json, const simulate_result *result)
{
    const clup_tempering *tempering = &result->tempering;
    const uint32_t first = result->request->problem.first_replica;
    if (tempering->rungs == 0)
        return;
    json_open(json, "tempering", '{');
    json_whole(json, "ladders", tempering->ladders);
    json_whole(json, "rungs", tempering->rungs);
    json_whole(json, "swap_every", tempering->every);
    json_whole(json, "round_trips", tempering->round_trips);
    json_text(json, "note", note_of(tempering));
    json_open(json, "betas", '[');
    for (uint32_t rung = 0; rung < tempering->rungs; rung++)
        json_number(json, NULL, result->rungs[(size_t)rung * tempering->ladders].beta);
    json_close(json, ']');
    write_pairs(json, result);
    json_open(json, "systems", '[');
    for (uint32_t r = 0; r < replicas_of(result); r++) {
        json_open(json, NULL, '{');
        json_whole(json, "system", (uint64_t)first + r);
        json_whole(json, "replica", (uint64_t)first + result->walkers[r].replica);
        json_whole(json, "round_trips", result->walkers[r].round_trips);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}
