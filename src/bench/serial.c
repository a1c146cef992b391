/* The table of serial codes, and all of them but their updates. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "bench/serial_torus.h"
#include "bench/status.h"

typedef struct serial_code {
    const char *name;
    void (*sweep)(bench_serial *torus);
    unsigned q_most;
} serial_code;

static const serial_code codes[] = {
    {"breadth-first", serial_breadth_first, 128},
    {"union-find", serial_union_find, 256},
    {"single cluster", serial_single_cluster, 256},
};
#define CODES (sizeof codes / sizeof *codes)

const char *bench_serial_name(size_t row)
{
    return row < CODES ? codes[row].name : NULL;
}

/* Sets the generators off from splitmix64. */
static void seed_random(serial_random *random, uint64_t seed)
{
    for (int k = 0; k < 4; k++)
        for (int lane = 0; lane < SERIAL_LANES; lane++) {
            uint64_t x = seed += 0x9E3779B97F4A7C15u;
            x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
            x = (x ^ x >> 27) * 0x94D049BB133111EBu;
            random->s[k][lane] = x ^ x >> 31;
        }
}

clup_status bench_serial_create(size_t row, uint32_t size, unsigned q, double beta, uint64_t seed,
                                bench_serial **out)
{
    const size_t sites = (size_t)size * size;
    *out = NULL;
    if (row >= CODES)
        return bench_fail(CLUP_ERROR_USAGE, "there is no serial code number %zu", row);
    if (size < 2 || size > 65535)
        return bench_fail(CLUP_ERROR_USAGE, "a serial code has L from 2 to 65535, not %u",
                          (unsigned)size);
    if (q < 2 || q > codes[row].q_most)
        return bench_fail(CLUP_ERROR_USAGE, "the serial code %s has q from 2 to %u, not %u",
                          codes[row].name, codes[row].q_most, q);
    if (!(beta >= 0))
        return bench_fail(CLUP_ERROR_USAGE, "a serial code has beta >= 0, not %g", beta);
    bench_serial *torus = calloc(1, sizeof *torus);
    if (torus != NULL) {
        *torus = (bench_serial){
            .sweep = codes[row].sweep,
            .size = size,
            .q = q,
            .threshold = (uint64_t)(-expm1(-beta) * 4294967296.0),
            .spins = calloc(sites + 1, 1),
            .sites = malloc((sites + 1) * sizeof *torus->sites),
            .right = malloc(size),
            .down = malloc(size),
            .draws = malloc(((size_t)size + SERIAL_NUMBERS) * sizeof *torus->draws),
            .used = SERIAL_NUMBERS};
        seed_random(&torus->random, seed);
    }
    if (torus == NULL || torus->spins == NULL || torus->sites == NULL || torus->right == NULL ||
        torus->down == NULL || torus->draws == NULL) {
        bench_serial_free(torus);
        return bench_fail(CLUP_ERROR_MEMORY, "no memory for a serial code with L = %u",
                          (unsigned)size);
    }
    *out = torus;
    return CLUP_OK;
}

void bench_serial_free(bench_serial *torus)
{
    if (torus == NULL)
        return;
    free(torus->spins);
    free(torus->sites);
    free(torus->right);
    free(torus->down);
    free(torus->draws);
    free(torus);
}

void bench_serial_set(bench_serial *torus, const uint8_t *spins)
{
    memcpy(torus->spins, spins, (size_t)torus->size * torus->size);
    torus->mark = 0;
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_serial_sweep(bench_serial *torus, uint64_t *updated)
{
    const double start = now_s();
    torus->sweep(torus);
    const double seconds = now_s() - start;
    if (updated != NULL)
        *updated = torus->updated;
    return seconds;
}

double bench_serial_energy(const bench_serial *torus)
{
    const size_t size = torus->size;
    uint64_t equal = 0;
    for (size_t y = 0; y < size; y++) {
        const uint8_t *row = torus->spins + y * size,
                      *below = torus->spins + (y + 1 < size ? y + 1 : 0) * size;
        for (size_t x = 0; x < size; x++)
            equal += (uint64_t)(row[x] == row[x + 1 < size ? x + 1 : 0]) + (row[x] == below[x]);
    }
    return -(double)equal / ((double)size * (double)size);
}
