/* SPDX-License-Identifier: BSD-3-Clause */
/* Swendsen-Wang by union-find, on tori of several lattices. The bonds of a row are drawn together:
 * those along it, and those to earlier rows. Labels are found site by site in raster order, with
 * path halving; the larger root gets the smaller one as parent. Then, in raster order too, each
 * site gets its root as parent, and the spin of the root. */
#include "bench/measure/serial_torus.h"

#define NONE UINT32_MAX

static uint32_t root(uint32_t *parents, uint32_t i)
{
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

static uint32_t unite(uint32_t *parents, uint32_t a, uint32_t b)
{
    a = root(parents, a);
    b = root(parents, b);
    const uint32_t low = a < b ? a : b;
    parents[a < b ? b : a] = low;
    return low;
}

/* The first site of a row. */
static uint32_t row_at(const bench_serial *torus, uint32_t y, uint32_t z)
{
    return (y + z * torus->size[1]) * torus->size[0];
}

/* The number of spins that are equal to others. */
static uint64_t equal(const uint8_t *spins, const uint8_t *others, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t x = 0; x < count; x++)
        sum += spins[x] == others[x];
    return sum;
}

/* Draws the bonds from the sites of a row to those of another row, which is step further on; both
 * rows are given by their first sites. to[x] tells whether the bond of site x is active. Returns
 * whether the bond across the ends of the rows is active, for which to has no element. */
static bool bonds(bench_serial *torus, uint32_t row, uint32_t other, int step, uint8_t *restrict to)
{
    const uint32_t size = torus->size[0], *draws = torus->draws,
                   most = (uint32_t)(torus->threshold - 1), end = step > 0 ? size - 1 : 0;
    const uint8_t some = torus->threshold > 0, *spins = torus->spins + row,
                  *others = torus->spins + other + step;
    serial_draw(&torus->random, torus->draws, size);
    for (uint32_t x = 0; x < size; x++)
        to[x] = (spins[x] == others[x]) & (draws[x] <= most) & some;
    const bool alike = spins[end] == torus->spins[other + size - 1 - end];
    if (torus->sizes != NULL)
        torus->sample.equal_bonds += step == 0 ? equal(spins, others, size)
                                               : equal(spins + (step < 0), others + (step < 0),
                                                       size - 1) +
                                                     alike;
    if (step == 0)
        return false;
    to[end] = 0;
    return alike && draws[end] < torus->threshold;
}

/* Unites the sites of the bond across the ends of two rows. */
static void unite_across(bench_serial *torus, uint32_t row, uint32_t other, int step)
{
    const uint32_t last = torus->size[0] - 1;
    unite(torus->sites, row + (step > 0 ? last : 0), other + (step > 0 ? 0 : last));
}

/* Labels a row by its bonds: right[x] to the next site, and up[k][x] to the site that is behind[k]
 * earlier, for each k < count. */
static inline void label_row(bench_serial *torus, uint32_t first, unsigned count,
                             const uint8_t *const up[SERIAL_STEPS],
                             const uint32_t behind[SERIAL_STEPS])
{
    const uint8_t *right = torus->right;
    uint32_t *parents = torus->sites, left = first;
    for (uint32_t x = 0; x < torus->size[0]; x++) {
        const uint32_t i = first + x;
        uint32_t label = x > 0 && right[x - 1] ? left : NONE;
        for (unsigned k = 0; k < count; k++)
            if (up[k][x]) {
                const uint32_t above = root(parents, i - behind[k]);
                label = label == NONE || label == above ? above : unite(parents, label, above);
            }
        left = parents[i] = label == NONE ? i : label;
    }
}

/* Draws the bonds of row (y, z) to earlier rows, and labels the row. At the ends of the axes, the
 * earlier rows are rows ahead. */
static void find_row(bench_serial *torus, uint32_t y, uint32_t z)
{
    const uint32_t first = row_at(torus, y, z), ny = torus->size[1], nz = torus->size[2];
    const uint8_t *up[SERIAL_STEPS];
    uint32_t behind[SERIAL_STEPS];
    bool across[SERIAL_STEPS];
    const bool ends = bonds(torus, first, first, 1, torus->right);
    for (unsigned k = 0; k < torus->step_count; k++) {
        const serial_step step = torus->steps[k];
        const bool inside = y >= step.y && z >= step.z;
        const uint32_t there = inside ? row_at(torus, y - step.y, z - step.z) : first;
        across[k] = inside && bonds(torus, first, there, -step.x, torus->up[k]);
        up[k] = inside ? torus->up[k] : torus->none;
        behind[k] = first - there + (uint32_t)step.x;
    }
    /* constants that the compiler knows */
    if (torus->step_count == 1)
        label_row(torus, first, 1, up, behind);
    else
        label_row(torus, first, SERIAL_STEPS, up, behind);
    if (ends)
        unite_across(torus, first, first, 1);
    for (unsigned k = 0; k < torus->step_count; k++) {
        const serial_step step = torus->steps[k];
        if (across[k])
            unite_across(torus, first, row_at(torus, y - step.y, z - step.z), -step.x);
        if (y + step.y < ny && z + step.z < nz)
            continue;
        const uint32_t there = row_at(torus, (y + step.y) % ny, (z + step.z) % nz);
        if (bonds(torus, first, there, step.x, torus->up[k]))
            unite_across(torus, first, there, step.x);
        for (uint32_t x = 0; x < torus->size[0]; x++)
            if (torus->up[k][x])
                unite(torus->sites, first + x, there + x + (uint32_t)step.x);
    }
}

/* Draws a spin for each site of a row; roots keep theirs. */
static void draw_spins(bench_serial *torus, uint8_t *spins)
{
    const uint32_t size = torus->size[0], *draws = torus->draws;
    const uint64_t q = torus->q;
    serial_draw(&torus->random, torus->draws, q == 2 ? size / 32 + 1 : size);
    if (q == 2)
        for (uint32_t x = 0; x < size; x++)
            spins[x] = draws[x / 32] >> x % 32 & 1;
    else
        for (uint32_t x = 0; x < size; x++)
            spins[x] = (uint8_t)(draws[x] * q >> 32);
}

/* Measures the clusters, and the new spins by clusters. Sets sizes to 0 again. */
static void measure(bench_serial *torus)
{
    bench_serial_sample *sample = &torus->sample;
    uint64_t states[256] = {0};
    for (uint32_t i = 0; i < torus->count; i++)
        if (torus->sizes[i] > 0) {
            const uint64_t size = torus->sizes[i];
            torus->sizes[i] = 0;
            sample->clusters++;
            sample->largest = size > sample->largest ? size : sample->largest;
            sample->squares += size * size;
            states[torus->spins[i]] += size;
        }
    for (unsigned s = 0; s < 256; s++)
        sample->majority = states[s] > sample->majority ? states[s] : sample->majority;
}

void serial_union_find(bench_serial *torus)
{
    uint32_t *parents = torus->sites, *sizes = torus->sizes;
    uint8_t *spins = torus->spins;
    torus->sample = (bench_serial_sample){0};
    for (uint32_t z = 0; z < torus->size[2]; z++)
        for (uint32_t y = 0; y < torus->size[1]; y++)
            find_row(torus, y, z);
    for (uint32_t first = 0; first < torus->count; first += torus->size[0]) {
        draw_spins(torus, spins + first);
        for (uint32_t i = first; i < first + torus->size[0]; i++) {
            parents[i] = parents[parents[i]];
            spins[i] = spins[parents[i]];
        }
        for (uint32_t i = first; sizes != NULL && i < first + torus->size[0]; i++)
            sizes[parents[i]]++;
    }
    if (sizes != NULL)
        measure(torus);
    torus->updated = torus->count;
}
