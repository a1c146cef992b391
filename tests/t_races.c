/* SPDX-License-Identifier: BSD-3-Clause */
/* The lock-free unions of cl/, compiled for the host. Each atomic lets other work-items go first,
 * so that the values that a union has read are stale as often as possible, and every loser of a
 * race must try again. The order is pseudo-random, and equal in each run. */
#include <stdlib.h>
#include <string.h>

#include "core/lattice.h"
#include "tap.h"

#define MOST 2048u
#define DEEPEST 6u

static void others_go_first(void);

#include "work_items.h"

/* functions of kernels have no prototypes; some have a parameter that only EARLY needs; two have
 * equal names */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define unite unite_labels
#include "forest/unite.clh"
#undef unite
#define unite unite_parents
#include "forest/local_forest.clh"
#undef unite
#include "border/nodes.clh"
#pragma GCC diagnostic pop

/* ---- pairs that are united, in any order ----------------------------------------------------- */

static struct {
    u32 count, places; /* pairs, and the places that they connect */
    u32 a[2 * MOST], b[2 * MOST];
    u32 next, depth; /* the next pair, and how many pairs are being united */
    u64 races;
    void (*unite)(u32 a, u32 b);
} work;

static u32 labels[MOST];
static u32 parent_words[MOST / 2];
static border_node nodes[MOST];

static void by_labels(u32 a, u32 b)
{
    unite_labels(labels, a, b);
}

static void by_parents(u32 a, u32 b)
{
    unite_parents((ushort *)parent_words, NULL, a, b);
}

/* Nodes are ordered by their keys, not by their numbers. */
static u32 node_of(u32 key)
{
    return work.places - 1 - key;
}

static void by_nodes(u32 a, u32 b)
{
    node_unite(nodes, node_of(a), node_of(b));
}

static u32 random_state = 1;

static u32 random_below(u32 below)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (u32)((u64)random_state * below >> 32);
}

static void unite_next(void)
{
    const u32 k = work.next++;
    work.depth++;
    work.unite(work.a[k], work.b[k]);
    work.depth--;
}

static void others_go_first(void)
{
    for (u32 k = random_below(3);
         k > 0 && work.depth > 0 && work.depth < DEEPEST && work.next < work.count; k--) {
        work.races++;
        unite_next();
    }
}

/* The smallest place that each place is connected to, by a search without forests. */
static void smallest_of(u32 *smallest)
{
    bool changed = true;
    for (u32 i = 0; i < work.places; i++)
        smallest[i] = i;
    while (changed) {
        changed = false;
        for (u32 k = 0; k < work.count; k++) {
            const u32 low = min(smallest[work.a[k]], smallest[work.b[k]]);
            changed = changed || smallest[work.a[k]] != low || smallest[work.b[k]] != low;
            smallest[work.a[k]] = smallest[work.b[k]] = low;
        }
    }
}

static void add_pair(u32 a, u32 b)
{
    work.a[work.count] = a;
    work.b[work.count++] = b;
}

/* Which places are connected: in these shapes many have one root before long. */
static const char *const shapes[] = {"chain", "star", "comb", "random", "two stars"};
#define SHAPES (sizeof shapes / sizeof *shapes)

static void make_pairs(size_t shape, u32 places)
{
    work.count = 0;
    work.places = places;
    for (u32 k = 0; k + 1 < places; k++)
        switch (shape) {
        case 0: add_pair(k, k + 1); break;
        case 1: add_pair(places - 1, k); break;
        case 2: add_pair(k, k % 8 == 7 ? k - 7 : k + 1), add_pair(k, k >= 8 ? k - 8 : k); break;
        case 3: add_pair(random_below(places), random_below(places)); break;
        default: add_pair(places - 1 - k % 2, k); break;
        }
    /* in random order, as of work-items */
    for (u32 k = work.count; k > 1; k--) {
        const u32 other = random_below(k), a = work.a[k - 1], b = work.b[k - 1];
        work.a[k - 1] = work.a[other], work.b[k - 1] = work.b[other];
        work.a[other] = a, work.b[other] = b;
    }
}

static void unite_all(void (*unite)(u32 a, u32 b))
{
    work.unite = unite;
    work.next = 0;
    while (work.next < work.count)
        unite_next();
}

/* Counts places whose root is not the smallest place of their cluster. */
static u32 wrong_roots(const u32 *smallest)
{
    u32 wrong = 0;
    for (u32 i = 0; i < work.places; i++) {
        wrong += label_root(labels, i) != smallest[i] ||
                 find((ushort *)parent_words, i) != smallest[i] ||
                 nodes[node_top(nodes, node_of(i), work.places)].key != smallest[i];
    }
    return wrong;
}

static void check(size_t shape)
{
    enum { ROUNDS = 40 };
    static u32 smallest[MOST];
    u32 wrong = 0;
    work.races = 0;
    for (u32 round = 0; round < ROUNDS; round++) {
        make_pairs(shape, 2 + random_below(round < ROUNDS / 2 ? 30 : MOST / 4));
        smallest_of(smallest);
        for (u32 i = 0; i < work.places; i++) {
            labels[i] = i;
            ((ushort *)parent_words)[i] = (ushort)i;
            nodes[node_of(i)] = (border_node){node_of(i), i};
        }
        unite_all(by_labels);
        unite_all(by_parents);
        unite_all(by_nodes);
        wrong += wrong_roots(smallest);
    }
    ok(wrong == 0 && work.races > 100, "%s: %u places have a wrong root after %llu races",
       shapes[shape], wrong, (unsigned long long)work.races);
}

int main(void)
{
    for (size_t shape = 0; shape < SHAPES; shape++)
        check(shape);
    return done_testing();
}
