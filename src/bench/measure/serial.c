/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of serial codes, and all functions but their updates. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "bench/measure/serial_torus.h"
#include "bench/status.h"

typedef struct serial_code {
    const char *name;
    void (*sweep)(bench_serial *torus);
    unsigned q_most;
    bool square, measured; /* square: takes no other lattice; measured: measures as well */
} serial_code;

static const serial_code codes[] = {
    {"breadth-first", serial_breadth_first, 128, true, false},
    {"union-find", serial_union_find, 256, false, false},
    {"single cluster", serial_single_cluster, 256, true, false},
    {"measured union-find", serial_union_find, 256, false, true},
};
#define CODES (sizeof codes / sizeof *codes)

/* For each lattice, the steps to neighbours in other rows; none for an unsupported lattice. */
static const struct {
    serial_step steps[SERIAL_STEPS];
    unsigned count;
} lattices[] = {
    [CLUP_LATTICE_SQUARE] = {{{0, 1, 0}}, 1},
    [CLUP_LATTICE_TRIANGULAR] = {{{0, 1, 0}, {-1, 1, 0}}, 2},
    [CLUP_LATTICE_CUBIC] = {{{0, 1, 0}, {0, 0, 1}}, 2},
};
#define LATTICES (sizeof lattices / sizeof *lattices)

const char *bench_serial_name(size_t row)
{
    return row < CODES ? codes[row].name : NULL;
}

/* Seeds the generators by splitmix64. */
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

/* Validates that a code can simulate a problem. */
static clup_status check(const serial_code *code, const clup_problem *problem)
{
    const unsigned axes = clup_lattice_axes(problem->lattice);
    if ((unsigned)problem->lattice >= LATTICES || lattices[problem->lattice].count == 0 ||
        (code->square && problem->lattice != CLUP_LATTICE_SQUARE))
        return bench_fail(CLUP_ERROR_USAGE, "the serial code %s is not for the %s lattice",
                          code->name, clup_lattice_name(problem->lattice));
    for (unsigned axis = 0; axis < axes; axis++)
        if (problem->size[axis] < 2 || problem->size[axis] > 65535 ||
            clup_problem_sites(problem) > UINT32_MAX)
            return bench_fail(CLUP_ERROR_USAGE,
                              "a serial code has axes of 2 to 65535 sites, not %u, and fewer than "
                              "2^32 sites",
                              (unsigned)problem->size[axis]);
    if (code->square && problem->size[0] != problem->size[1])
        return bench_fail(CLUP_ERROR_USAGE, "the serial code %s has axes of one size", code->name);
    if (problem->q < 2 || problem->q > code->q_most)
        return bench_fail(CLUP_ERROR_USAGE, "the serial code %s has q from 2 to %u, not %u",
                          code->name, code->q_most, problem->q);
    if (!(problem->beta >= 0))
        return bench_fail(CLUP_ERROR_USAGE, "a serial code has beta >= 0, not %g", problem->beta);
    return CLUP_OK;
}

/* Allocates a torus; NULL without memory. */
static bench_serial *create(const serial_code *code, const clup_problem *problem)
{
    const size_t count = clup_problem_sites(problem), size = problem->size[0];
    bench_serial *torus = calloc(1, sizeof *torus);
    if (torus == NULL)
        return NULL;
    *torus = (bench_serial){
        .sweep = code->sweep,
        .size = {problem->size[0], problem->size[1],
                 clup_lattice_axes(problem->lattice) > 2 ? problem->size[2] : 1},
        .count = (uint32_t)count,
        .steps = lattices[problem->lattice].steps,
        .step_count = lattices[problem->lattice].count,
        .q = problem->q,
        .threshold = (uint64_t)(-expm1(-problem->beta) * 4294967296.0),
        .room = calloc(count + 2, 1),
        .sites = malloc((count + 1) * sizeof *torus->sites),
        .right = malloc(size),
        .none = calloc(size, 1),
        .sizes = code->measured ? calloc(count, sizeof *torus->sizes) : NULL,
        .draws = malloc((size + SERIAL_NUMBERS) * sizeof *torus->draws),
        .used = SERIAL_NUMBERS};
    bool whole = torus->room != NULL && torus->sites != NULL && torus->right != NULL &&
                 torus->none != NULL && torus->draws != NULL &&
                 (torus->sizes != NULL || !code->measured);
    for (unsigned k = 0; k < torus->step_count; k++)
        whole = (torus->up[k] = malloc(size)) != NULL && whole;
    torus->spins = torus->room + 1;
    if (whole)
        return torus;
    bench_serial_free(torus);
    return NULL;
}

clup_status bench_serial_create(size_t row, const clup_problem *problem, uint64_t seed,
                                bench_serial **out)
{
    *out = NULL;
    if (row >= CODES)
        return bench_fail(CLUP_ERROR_USAGE, "there is no serial code number %zu", row);
    const clup_status status = check(&codes[row], problem);
    if (status != CLUP_OK)
        return status;
    *out = create(&codes[row], problem);
    if (*out == NULL)
        return bench_fail(CLUP_ERROR_MEMORY, "no memory for a serial code with %llu sites",
                          (unsigned long long)clup_problem_sites(problem));
    seed_random(&(*out)->random, seed);
    return CLUP_OK;
}

void bench_serial_free(bench_serial *torus)
{
    if (torus == NULL)
        return;
    for (unsigned k = 0; k < SERIAL_STEPS; k++)
        free(torus->up[k]);
    free(torus->room);
    free(torus->sites);
    free(torus->right);
    free(torus->none);
    free(torus->sizes);
    free(torus->draws);
    free(torus);
}

void bench_serial_set(bench_serial *torus, const uint8_t *spins)
{
    memcpy(torus->spins, spins, torus->count);
    torus->mark = 0;
}

bench_serial_sample bench_serial_measured(const bench_serial *torus)
{
    return torus->sample;
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
    const uint32_t nx = torus->size[0], ny = torus->size[1], nz = torus->size[2];
    uint64_t equal = 0;
    for (uint32_t i = 0; i < torus->count; i++) {
        const uint32_t x = i % nx, y = i / nx % ny, z = i / nx / ny;
        equal += torus->spins[i] == torus->spins[i - x + (x + 1) % nx];
        for (unsigned k = 0; k < torus->step_count; k++) {
            const serial_step step = torus->steps[k];
            const uint32_t row = (y + step.y) % ny + (z + step.z) % nz * ny;
            equal += torus->spins[i] == torus->spins[row * nx + (x + nx + (uint32_t)step.x) % nx];
        }
    }
    return -(double)equal / torus->count;
}
