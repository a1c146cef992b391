/* SPDX-License-Identifier: BSD-3-Clause */
/* Serial codes that grow clusters by breadth-first search, and set the new spin of each site that
 * is reached: Swendsen-Wang and Wolff. A bond is decided when one of its sites leaves the queue and
 * the other site is unvisited. That happens at most once: seen from the other site, the first is
 * visited. */
#include "bench/measure/serial_torus.h"

/* Returns the next random numbers, at least four. The caller adds how many it used. */
static inline const uint32_t *four(bench_serial *torus)
{
    if (torus->used > SERIAL_NUMBERS - 4) {
        serial_draw(&torus->random, torus->draws, SERIAL_NUMBERS);
        torus->used = 0;
    }
    return torus->draws + torus->used;
}

static inline uint32_t below(uint32_t number, uint32_t limit)
{
    return (uint32_t)((uint64_t)number * limit >> 32);
}

/* Gives the cluster of site (x, y), whose value is from, the value to; returns its size. Sites with
 * another value than from are not visited. A site in the queue is y 2^16 + x. No branch depends on
 * spins or random numbers, as it would be mispredicted. */
static uint64_t grow(bench_serial *torus, uint32_t x, uint32_t y, uint8_t from, uint8_t to)
{
    const size_t size = torus->size[0];
    const uint32_t last = torus->size[0] - 1;
    const uint64_t threshold = torus->threshold;
    uint8_t *spins = torus->spins;
    uint32_t *queue = torus->sites;
    size_t head = 0, tail = 1;
    queue[0] = y << 16 | x;
    spins[y * size + x] = to;
    while (head < tail) {
        const uint32_t site = queue[head++];
        x = site & 0xFFFF, y = site >> 16;
        const uint32_t xs[4] = {x < last ? x + 1 : 0, x, x > 0 ? x - 1 : last, x},
                       ys[4] = {y, y < last ? y + 1 : 0, y, y > 0 ? y - 1 : last},
                       *numbers = four(torus);
        uint32_t used = 0;
        for (int k = 0; k < 4; k++) {
            uint8_t *spin = spins + ys[k] * size + xs[k];
            const uint32_t equal = *spin == from, joined = equal & (numbers[used] < threshold);
            queue[tail] = ys[k] << 16 | xs[k];
            *spin = joined ? to : *spin;
            tail += joined;
            used += equal;
        }
        torus->used += used;
    }
    return tail;
}

/* Bit 7 tells visited sites from others; its meaning is reversed in the next sweep. */
void serial_breadth_first(bench_serial *torus)
{
    const uint32_t size = torus->size[0];
    const uint8_t mark = torus->mark;
    for (uint32_t y = 0; y < size; y++) {
        const uint8_t *row = torus->spins + (size_t)y * size;
        for (uint32_t x = 0; x < size; x++)
            if ((row[x] & 0x80) == mark) {
                const uint32_t spin = below(*four(torus), torus->q);
                torus->used++;
                grow(torus, x, y, row[x], (uint8_t)((mark ^ 0x80) | spin));
            }
    }
    torus->mark = mark ^ 0x80;
    torus->updated = (uint64_t)size * size;
}

void serial_single_cluster(bench_serial *torus)
{
    const uint32_t *numbers = four(torus), x = below(numbers[0], torus->size[0]),
                   y = below(numbers[1], torus->size[0]);
    const uint8_t from = torus->spins[(size_t)y * torus->size[0] + x];
    uint32_t to = below(numbers[2], torus->q - 1);
    to += to >= from;
    torus->used += 3;
    torus->updated = grow(torus, x, y, from, (uint8_t)to);
}
