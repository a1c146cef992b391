/* SPDX-License-Identifier: BSD-3-Clause */
/* How often true values lie within two errors. */
#ifndef CLUP_TESTS_HITS_H
#define CLUP_TESTS_HITS_H
#include <math.h>

#include "tap.h"

/* Of SEEDS intervals of two errors 95 % contain the true value, to 2 %. */
enum { SEEDS = 1000 };
#define SHARE 0.95
#define SHARE_OFF 0.02

/* Counts deviations of up to two errors. */
typedef struct hits {
    double true_value, off, squares;
    unsigned tries, inside;
} hits;

static void add(hits *hits, double value, double error)
{
    const double pull = (value - hits->true_value) / error;
    hits->tries++;
    hits->inside += fabs(pull) <= 2;
    hits->off += pull;
    hits->squares += pull * pull;
}

static void check_hits(const hits *hits, const char *what, const char *name)
{
    const double n = hits->tries, share = hits->inside / n;
    ok(hits->tries == SEEDS && fabs(share - SHARE) <= SHARE_OFF,
       "%s of %s: %.1f %% of %u seeds within two errors of %.5f; deviation over error %.2f +- %.2f",
       what, name, 100 * share, hits->tries, hits->true_value, hits->off / n,
       sqrt(hits->squares / n));
}

#endif
