/* SPDX-License-Identifier: BSD-3-Clause */
/* All states of a small Ising model, and states drawn from them: series whose true values are
 * known. */
#ifndef CLUP_TESTS_ISING_STATES_H
#define CLUP_TESTS_ISING_STATES_H
#include <math.h>
#include <stddef.h>

#include "core/random.clh"

static double uniform(u32 n, u32 seed)
{
    philox_block block = {{n, seed, 0, 0}};
    block = philox(block, 11, 12);
    return (block.v[0] + 0.5) / 4294967296.0;
}

typedef struct state {
    double energy, m; /* a site */
    double sk;        /* the structure factor at 2 pi/side, the mean over both axes */
} state;

/* Lists every state of the Ising model on a torus of side x side sites. */
static size_t all_states(unsigned side, state *states)
{
    const unsigned sites = side * side;
    for (u32 bits = 0; bits < 1u << sites; bits++) {
        unsigned up = 0, equal = 0;
        double sums[4] = {0}; /* cosines and sines along x and y */
        for (unsigned k = 0; k < sites; k++) {
            const unsigned x = k % side, y = k / side, spin = bits >> k & 1;
            up += spin;
            for (unsigned j = 0; j < 4; j++)
                sums[j] += (spin ? 1 : -1) *
                           cos(2 * M_PI * (j < 2 ? x : y) / side - j % 2 * M_PI / 2);
            equal += spin == (bits >> (y * side + (x + 1) % side) & 1);
            equal += spin == (bits >> ((y + 1) % side * side + x) & 1);
        }
        const unsigned most = up > sites - up ? up : sites - up;
        states[bits] = (state){-(double)equal / sites, 2. * most / sites - 1, 0};
        for (unsigned j = 0; j < 4; j++)
            states[bits].sk += sums[j] * sums[j] / sites / 2;
    }
    return (size_t)1 << sites;
}

/* The state at a number from 0 to 1, from the sums of the weights of states[count]. */
static const state *state_at(const state *states, const double *sums, size_t count, double number)
{
    size_t low = 0, high = count - 1;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        *(sums[middle] > number * sums[count - 1]
              ? &high
              : &low) = middle + (sums[middle] <= number * sums[count - 1]);
    }
    return &states[low];
}

#endif
