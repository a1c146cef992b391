/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates several processes in one, for tests. Each process is a coroutine, which yields to the
 * others whenever it waits for them. The functions of clup_ranks are the tests' own. */
#ifndef CLUP_TESTS_PARTS_H
#define CLUP_TESTS_PARTS_H
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "ocl/context.h"

#define PARTS_MOST 64
#define PART_STACK ((size_t)8 << 20)
#define PART_IDLE_MOST 100000u
#define PART_SHARES 4

static struct {
    ucontext_t at;
    char *stack;
    bool ends;
    clup_ranks ranks;
    clup_status status;
    const void *mine;  /* what it gives to all others */
    unsigned meetings; /* how many collective calls it has entered */
    char *sent;        /* what it sends to another process, until that one has received it */
    unsigned shares;   /* how often it was given shared memory */
    uint32_t to;
} parts[PARTS_MOST];
static ucontext_t all_of_them;
static clup_status (*part_body)(uint32_t part);

static void part_leave(uint32_t part)
{
    swapcontext(&parts[part].at, &all_of_them);
}

static void part_meet(const clup_ranks *ranks)
{
    const unsigned meeting = ++parts[ranks->index].meetings;
    for (uint32_t p = 0; p < ranks->count;)
        if (parts[p].meetings < meeting)
            part_leave(ranks->index);
        else
            p++;
}

static clup_status part_gather(const clup_ranks *ranks, const void *mine, size_t bytes, void *all)
{
    char *to = all;
    parts[ranks->index].mine = mine;
    part_meet(ranks);
    for (uint32_t p = 0; p < ranks->count; p++)
        memmove(to + p * bytes, parts[p].mine, bytes);
    part_meet(ranks);
    return CLUP_OK;
}

static clup_status part_sum(const clup_ranks *ranks, uint64_t *values, size_t count)
{
    uint64_t *own = malloc(count * sizeof *own);
    memcpy(own, values, count * sizeof *own);
    parts[ranks->index].mine = own;
    part_meet(ranks);
    for (uint32_t p = 0; p < ranks->count; p++)
        for (size_t k = 0; k < count && p != ranks->index; k++)
            values[k] += ((const uint64_t *)parts[p].mine)[k];
    part_meet(ranks);
    free(own);
    return CLUP_OK;
}

static clup_status part_least(const clup_ranks *ranks, uint64_t *values, size_t count)
{
    uint64_t *own = malloc(count * sizeof *own);
    memcpy(own, values, count * sizeof *own);
    parts[ranks->index].mine = own;
    part_meet(ranks);
    for (uint32_t p = 0; p < ranks->count; p++)
        for (size_t k = 0; k < count; k++)
            if (((const uint64_t *)parts[p].mine)[k] < values[k])
                values[k] = ((const uint64_t *)parts[p].mine)[k];
    part_meet(ranks);
    free(own);
    return CLUP_OK;
}

static clup_status part_exchange(const clup_ranks *ranks, uint32_t to, const void *mine,
                                 uint32_t from, void *theirs, size_t bytes)
{
    const uint32_t me = ranks->index;
    if (to != CLUP_NOBODY) {
        parts[me].sent = malloc(bytes);
        parts[me].to = to;
        memcpy(parts[me].sent, mine, bytes);
    }
    if (from != CLUP_NOBODY) {
        while (parts[from].sent == NULL || parts[from].to != me)
            part_leave(me);
        memcpy(theirs, parts[from].sent, bytes);
        free(parts[from].sent);
        parts[from].sent = NULL;
    }
    while (parts[me].sent != NULL)
        part_leave(me);
    return CLUP_OK;
}

/* Shared memory: the k-th call of each process returns the same memory, which exists until all have
 * given it back. */
static struct {
    void *memory;
    uint32_t users;
} part_shared[PART_SHARES];

static void *part_share(const clup_ranks *ranks, size_t bytes)
{
    const unsigned k = parts[ranks->index].shares++;
    if (k >= PART_SHARES)
        return NULL;
    if (part_shared[k].users++ == 0)
        part_shared[k].memory = malloc(bytes);
    return part_shared[k].memory;
}

static void part_give_back(const clup_ranks *ranks, void *memory)
{
    (void)ranks;
    for (unsigned k = 0; k < PART_SHARES; k++)
        if (part_shared[k].users > 0 && part_shared[k].memory == memory &&
            --part_shared[k].users == 0)
            free(memory);
}

static void part_run(int part)
{
    parts[part].status = part_body((uint32_t)part);
    parts[part].ends = true;
}

/* Begins count processes, of which process p has parts[p].ranks; share tells whether they share
 * memory. */
static void parts_begin(uint32_t count, bool share)
{
    for (uint32_t p = 0; p < count; p++) {
        parts[p].shares = 0;
        parts[p].ranks = (clup_ranks){.index = p,
                                      .count = count,
                                      .gather = part_gather,
                                      .sum = part_sum,
                                      .least = part_least,
                                      .exchange = part_exchange,
                                      .share = share ? part_share : NULL,
                                      .give_back = part_give_back};
    }
}

/* Runs body in each process with its number. The context behaves as that of its process.
 * parts[].status becomes what body returns. */
static void parts_run(clup_context *context, clup_status (*body)(uint32_t part))
{
    const uint32_t count = parts[0].ranks.count;
    uint32_t running = count;
    part_body = body;
    for (uint32_t p = 0; p < count; p++) {
        getcontext(&parts[p].at);
        parts[p].stack = malloc(PART_STACK);
        parts[p].at.uc_stack.ss_sp = parts[p].stack;
        parts[p].at.uc_stack.ss_size = PART_STACK;
        parts[p].at.uc_link = &all_of_them;
        parts[p].ends = false;
        parts[p].meetings = 0;
        makecontext(&parts[p].at, (void (*)(void))part_run, 1, (int)p);
    }
    for (unsigned turns = 0; running > 0; turns++) {
        if (turns > PART_IDLE_MOST) {
            printf("Bail out! parts wait for each other\n");
            exit(1);
        }
        running = 0;
        for (uint32_t p = 0; p < count; p++) {
            if (parts[p].ends)
                continue;
            running++;
            context->ranks = &parts[p].ranks;
            swapcontext(&all_of_them, &parts[p].at);
        }
    }
    for (uint32_t p = 0; p < count; p++)
        free(parts[p].stack);
    context->ranks = NULL;
}

#endif
