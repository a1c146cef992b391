/* Swendsen-Wang by union-find. A row's bonds are drawn together. Labels are found site by site in
 * raster order, with path halving, the larger root below the smaller; in raster order, too, each
 * site is then put below its root and takes its spin. */
#include "bench/serial_torus.h"

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

/* Whether spins are equal and joined. */
static void bonds(bench_serial *torus, const uint8_t *spins, const uint8_t *others,
                  uint8_t *restrict to)
{
    const uint32_t size = torus->size, *draws = torus->draws,
                   most = (uint32_t)(torus->threshold - 1);
    const uint8_t some = torus->threshold > 0;
    serial_draw(&torus->random, torus->draws, size);
    for (uint32_t x = 0; x < size; x++)
        to[x] = (spins[x] == others[x]) & (draws[x] <= most) & some;
}

/* Labels a row; up are its bonds to the row above, NULL for the first. right[size - 1] joins its
 * ends. */
static void label_row(bench_serial *torus, uint32_t y, const uint8_t *up)
{
    const uint32_t size = torus->size, first = y * size;
    const uint8_t *right = torus->right;
    uint32_t *parents = torus->sites, left = first;
    for (uint32_t x = 0; x < size; x++) {
        const uint32_t i = first + x;
        const int joined = x > 0 && right[x - 1];
        if (up != NULL && up[x]) {
            uint32_t above = root(parents, i - size);
            if (joined && left != above)
                above = unite(parents, left, above);
            left = parents[i] = above;
        } else
            left = parents[i] = joined ? left : i;
    }
    if (right[size - 1])
        unite(parents, first + size - 1, first);
}

/* A spin for each site of a row, which those that are roots keep. */
static void draw_spins(bench_serial *torus, uint8_t *spins)
{
    const uint32_t size = torus->size, *draws = torus->draws;
    const uint64_t q = torus->q;
    serial_draw(&torus->random, torus->draws, q == 2 ? size / 32 + 1 : size);
    if (q == 2)
        for (uint32_t x = 0; x < size; x++)
            spins[x] = draws[x / 32] >> x % 32 & 1;
    else
        for (uint32_t x = 0; x < size; x++)
            spins[x] = (uint8_t)(draws[x] * q >> 32);
}

void serial_union_find(bench_serial *torus)
{
    const uint32_t size = torus->size;
    uint32_t *parents = torus->sites;
    uint8_t *spins = torus->spins;
    const uint8_t *up = NULL;
    for (uint32_t y = 0; y < size; y++) {
        const uint8_t *row = spins + (size_t)y * size;
        bonds(torus, row, row + 1, torus->right);
        /* the last one goes to the first site */
        torus->right[size - 1] = row[size - 1] == row[0] &&
                                 torus->draws[size - 1] < torus->threshold;
        label_row(torus, y, up);
        bonds(torus, row, y + 1 < size ? row + size : spins, torus->down);
        up = torus->down;
    }
    for (uint32_t x = 0; x < size; x++)
        if (torus->down[x])
            unite(parents, (size - 1) * size + x, x);
    for (uint32_t y = 0; y < size; y++) {
        const uint32_t first = y * size;
        draw_spins(torus, spins + first);
        for (uint32_t i = first; i < first + size; i++) {
            parents[i] = parents[parents[i]];
            spins[i] = spins[parents[i]];
        }
    }
    torus->updated = (uint64_t)size * size;
}
