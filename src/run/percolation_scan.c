/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans: samples of percolation at several probabilities, added up. */
#include "run/percolation_scan.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/timing.h"
#include "base/workers.h"
#include "core/model.h"
#include "program.h"

#define OBSERVABLES CLUP_PERCOLATION_OBSERVABLES
#define COLUMNS CLUP_SCAN_COLUMNS
#define BLOCK CLUP_SCAN_BLOCK

unsigned clup_scan_columns(const clup_percolation_scan *scan)
{
    return OBSERVABLES + scan->classes;
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* Returns the sums over the first count values of each column of values[columns][room]. */
static void sum_block(const double *values, unsigned columns, unsigned room, unsigned count,
                      clup_scan_sums *sums)
{
    *sums = (clup_scan_sums){0};
    for (unsigned c = 0; c < columns; c++)
        sums->columns[c] = clup_sums_of(values + (size_t)c * room, count);
    for (unsigned i = 0; i < OBSERVABLES; i++)
        for (unsigned j = 0; j < i; j++) {
            const double *a = values + (size_t)i * room, *b = values + (size_t)j * room,
                         a_mean = sums->columns[i].mean, b_mean = sums->columns[j].mean;
            double sum = 0;
            for (unsigned k = 0; k < count; k++)
                sum += (a[k] - a_mean) * (b[k] - b_mean);
            sums->products[i][j] = sums->products[j][i] = sum;
        }
}

/* Adds the sums of others: of products by P. Pebay, Sandia report SAND2008-6212 (2008), Eq.
 * (3.11). */
static void join_sums(clup_scan_sums *sums, const clup_scan_sums *others, unsigned columns)
{
    const double a = (double)sums->columns[0].count, b = (double)others->columns[0].count;
    if (b == 0)
        return;
    for (unsigned i = 0; i < OBSERVABLES; i++)
        for (unsigned j = 0; j < OBSERVABLES; j++)
            sums->products[i][j] += others->products[i][j] +
                                    (others->columns[i].mean - sums->columns[i].mean) *
                                        (others->columns[j].mean - sums->columns[j].mean) * a * b /
                                        (a + b);
    for (unsigned c = 0; c < columns; c++)
        clup_sums_join(&sums->columns[c], &others->columns[c]);
}

/* Returns the sums over all samples of a point. */
static clup_scan_sums sums_of(const clup_percolation_scan *scan, const clup_scan_point *point)
{
    clup_scan_sums sums = point->sums, open;
    if (point->samples % BLOCK > 0) {
        sum_block(point->open, clup_scan_columns(scan), point->open_room,
                  (unsigned)(point->samples % BLOCK), &open);
        join_sums(&sums, &open, clup_scan_columns(scan));
    }
    return sums;
}

/* ---- samples --------------------------------------------------------------------------------- */

typedef struct adding {
    const clup_percolation_scan *scan;
    const clup_percolation *percolation;
    const clup_percolation_sample *samples;
    clup_scan_point *point;
    unsigned open;          /* values of the block that earlier rounds began */
    clup_scan_sums *blocks; /* [count], those that the round completes */
    unsigned count;
    atomic_uint next; /* the block that a thread takes next */
} adding;

/* Writes the values of samples to block[columns][BLOCK], from place at on. */
static void write_values(const clup_percolation *percolation,
                         const clup_percolation_sample *samples, unsigned count, double *block,
                         unsigned at)
{
    for (unsigned k = 0; k < count; k++) {
        double values[OBSERVABLES];
        clup_percolation_values(percolation, &samples[k], values);
        for (unsigned c = 0; c < OBSERVABLES; c++)
            block[(size_t)c * BLOCK + at + k] = values[c];
        for (unsigned c = 0; c < percolation->classes; c++)
            block[(size_t)(OBSERVABLES + c) * BLOCK + at + k] = samples[k].sizes.classes[c] /
                                                                percolation->sites;
    }
}

static clup_status add_blocks(void *user, unsigned worker)
{
    adding *adding = user;
    const unsigned columns = clup_scan_columns(adding->scan);
    double *const own = malloc((size_t)columns * BLOCK * sizeof *own);
    (void)worker;
    for (unsigned b; own != NULL && (b = atomic_fetch_add(&adding->next, 1)) < adding->count;) {
        /* the first block may have values of earlier rounds */
        const unsigned have = b == 0 ? adding->open : 0,
                       first = b == 0 ? 0 : b * BLOCK - adding->open;
        double *const block = b == 0 ? adding->point->open : own;
        write_values(adding->percolation, adding->samples + first, BLOCK - have, block, have);
        sum_block(block, columns, BLOCK, BLOCK, &adding->blocks[b]);
    }
    free(own);
    return own != NULL ? CLUP_OK : clup_fail_memory("the sums of samples");
}

clup_status clup_scan_open(const clup_percolation_scan *scan, clup_scan_point *point, unsigned room)
{
    const unsigned columns = clup_scan_columns(scan), count = (unsigned)(point->samples % BLOCK);
    double *open = NULL;
    if (room == point->open_room)
        return CLUP_OK;
    if (room > 0 && (open = malloc((size_t)columns * room * sizeof *open)) == NULL)
        return clup_fail_memory("the values of samples");
    for (unsigned c = 0; c < columns && point->open_room > 0 && room > 0; c++)
        memcpy(open + (size_t)c * room, point->open + (size_t)c * point->open_room,
               count * sizeof *open);
    free(point->open);
    point->open = open;
    point->open_room = room;
    return CLUP_OK;
}

clup_status clup_scan_reserve(clup_scan_point *point, uint64_t samples)
{
    /* doubles the room of values that grow */
    const uint64_t room = samples > 2 * point->room ? samples : 2 * point->room;
    double *grown;
    if (samples <= point->room)
        return CLUP_OK;
    if (room > SIZE_MAX / sizeof *grown / OBSERVABLES ||
        (grown = malloc((size_t)room * OBSERVABLES * sizeof *grown)) == NULL)
        return clup_fail_memory("the values of samples");
    for (unsigned o = 0; o < OBSERVABLES && point->samples > 0; o++)
        memcpy(grown + o * room, point->values + o * point->room,
               (size_t)point->samples * sizeof *grown);
    free(point->values);
    point->values = grown;
    point->room = room;
    return CLUP_OK;
}

static void keep_values(const adding *adding, uint32_t count)
{
    clup_scan_point *point = adding->point;
    for (uint32_t k = 0; k < count; k++) {
        double values[OBSERVABLES];
        clup_percolation_values(adding->percolation, &adding->samples[k], values);
        for (unsigned o = 0; o < OBSERVABLES; o++)
            point->values[o * point->room + point->samples + k] = values[o];
    }
}

/* A scan, and a point of it. */
typedef struct taker {
    clup_percolation_scan *scan;
    clup_scan_point *point;
} taker;

static clup_status add_samples(const clup_percolation *percolation,
                               const clup_percolation_sample *samples, uint64_t first,
                               uint32_t count, void *to)
{
    const taker *taker = to;
    clup_scan_point *point = taker->point;
    /* a thread has THREAD_BLOCKS at least: to start it takes as long as some */
    enum { THREAD_BLOCKS = 4 };
    const unsigned open = (unsigned)(point->samples % BLOCK), complete = (open + count) / BLOCK,
                   wanted = complete / THREAD_BLOCKS + 1, taken = complete * BLOCK,
                   threads = wanted < clup_processors() ? wanted : clup_processors();
    adding adding = {.scan = taker->scan,
                     .percolation = percolation,
                     .samples = samples,
                     .point = point,
                     .open = open,
                     .count = complete};
    clup_status status = CLUP_OK;
    (void)first;
    if (taker->scan->keeps)
        CLUP_TRY(clup_scan_reserve(point, point->samples + count));
    CLUP_TRY(clup_scan_open(taker->scan, point, BLOCK));
    if (complete > 0) {
        if ((adding.blocks = malloc(complete * sizeof *adding.blocks)) == NULL)
            CLUP_TRY(clup_fail_memory("the sums of samples"));
        CLUP_TRY(clup_workers_run(threads, add_blocks, &adding));
        for (unsigned b = 0; b < complete; b++)
            join_sums(&point->sums, &adding.blocks[b], clup_scan_columns(taker->scan));
        write_values(percolation, samples + (taken - open), open + count - taken, point->open, 0);
    } else
        write_values(percolation, samples, count, point->open, open);
    if (taker->scan->keeps)
        keep_values(&adding, count);
    point->samples += count;
done:
    free(adding.blocks);
    return status;
}

/* ---- scans ----------------------------------------------------------------------------------- */

clup_status clup_percolation_scan_create(const clup_problem *problem, uint64_t seed,
                                         const double *ps, uint32_t count, int keep,
                                         clup_percolation_scan **out)
{
    char text[32];
    clup_status status = CLUP_OK;
    clup_percolation_scan *scan = NULL;
    CLUP_NEED(out);
    *out = NULL;
    CLUP_NEED(ps);
    CLUP_TRY(clup_problem_check(problem));
    CLUP_TRY(clup_model_check_runner(problem, CLUP_RUNNER_percolation));
    if (count == 0)
        return clup_fail(CLUP_ERROR_USAGE, "a scan of no probabilities");
    for (uint32_t k = 0; k < count; k++)
        if (!(ps[k] >= 0 && ps[k] <= 1))
            return clup_fail(CLUP_ERROR_USAGE, "p = %s is not between 0 and 1",
                             clup_number_text(ps[k], text));
    if ((scan = calloc(1, sizeof *scan)) == NULL ||
        (scan->ps = malloc(count * sizeof *scan->ps)) == NULL ||
        (scan->points = calloc(count, sizeof *scan->points)) == NULL)
        CLUP_TRY(clup_fail_memory("the sums of samples"));
    scan->problem = *problem;
    scan->problem.replicas = 1;
    scan->problem.betas = NULL;
    scan->problem.beta = 0;
    scan->seed = seed;
    scan->count = count;
    scan->keeps = keep != 0;
    while (scan->classes < CLUP_SIZE_CLASSES && clup_problem_sites(problem) >> scan->classes > 0)
        scan->classes++;
    memcpy(scan->ps, ps, count * sizeof *ps);
    *out = scan;
done:
    if (status != CLUP_OK)
        clup_percolation_scan_free(scan);
    return status;
}

void clup_percolation_scan_free(clup_percolation_scan *scan)
{
    if (scan == NULL)
        return;
    for (uint32_t k = 0; k < scan->count; k++) {
        free(scan->points[k].open);
        free(scan->points[k].values);
    }
    clup_record_free(scan->said);
    free(scan->points);
    free(scan->ps);
    free(scan);
}

static clup_status check_number(const clup_percolation_scan *scan, uint32_t number)
{
    CLUP_NEED(scan);
    return number < scan->count
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE, "there is no p number %u of %u", number, scan->count);
}

clup_status clup_percolation_scan_run(clup_percolation_scan *scan, clup_percolation *percolation,
                                      uint32_t number, uint64_t samples, clup_progress *progress,
                                      void *user)
{
    const double start = clup_now_s();
    uint64_t drawn;
    clup_status status;
    CLUP_TRY(check_number(scan, number));
    CLUP_NEED(percolation);
    CLUP_TRY(clup_problem_compare(&scan->problem, &percolation->problem,
                                  CLUP_FIELD_LAW | CLUP_FIELD_SIZE | CLUP_FIELD_NUMBERS));
    if (scan->seed != percolation->seed)
        return clup_fail(CLUP_ERROR_USAGE, "seed differs: '%llu' and '%llu'",
                         (unsigned long long)scan->seed, (unsigned long long)percolation->seed);
    taker taker = {scan, &scan->points[number]};
    const uint64_t before = taker.point->samples;
    if (samples > before)
        status = clup_percolation_draw(percolation, scan->ps[number], before, samples - before,
                                       progress, user, add_samples, &taker, &drawn);
    /* of many p, blocks that have room to spare would be most of the memory; one that cannot be
     * copied stays */
    (void)clup_scan_open(scan, taker.point, (unsigned)(taker.point->samples % BLOCK));
    taker.point->wall_s += clup_now_s() - start;
done:
    return status;
}

clup_status clup_percolation_scan_point(const clup_percolation_scan *scan, uint32_t number,
                                        clup_percolation_point *point)
{
    const clup_status status = check_number(scan, number);
    if (status != CLUP_OK)
        return status;
    CLUP_NEED(point);
    const clup_scan_point *from = &scan->points[number];
    clup_scan_sums sums = sums_of(scan, from);
    *point = (clup_percolation_point){
        .p = scan->ps[number], .samples = from->samples, .wall_s = from->wall_s};
    /* no cluster is as large as those of the classes that were not added up */
    for (unsigned c = clup_scan_columns(scan); c < COLUMNS; c++)
        sums.columns[c].count = from->samples;
    for (unsigned k = 0; k < OBSERVABLES; k++)
        point->estimates[k] = clup_sums_estimate(&sums.columns[k]);
    for (unsigned k = 0; k < CLUP_SIZE_CLASSES; k++)
        point->classes[k] = clup_sums_estimate(&sums.columns[OBSERVABLES + k]);
    return CLUP_OK;
}

clup_status clup_percolation_scan_covariance(const clup_percolation_scan *scan, uint32_t number,
                                             double *matrix)
{
    const clup_status status = check_number(scan, number);
    if (status != CLUP_OK)
        return status;
    CLUP_NEED(matrix);
    const clup_scan_sums sums = sums_of(scan, &scan->points[number]);
    const double n = (double)scan->points[number].samples;
    for (unsigned i = 0; i < OBSERVABLES; i++)
        for (unsigned j = 0; j < OBSERVABLES; j++)
            matrix[i * OBSERVABLES + j] = n < 2 ? NAN
                                                : (i == j ? sums.columns[i].squares
                                                          : sums.products[i][j]) /
                                                      (n - 1) / n;
    return CLUP_OK;
}

/* Sets the series of a system to the values of a point; observables that the lattice does not have
 * are left out. */
static clup_status set_series(const clup_percolation_scan *scan, uint32_t number,
                              clup_record *record)
{
    const clup_scan_point *point = &scan->points[number];
    clup_status status = CLUP_OK;
    for (unsigned o = 0; o < OBSERVABLES && status == CLUP_OK; o++)
        if (!isnan(point->values[o * point->room]))
            status = clup_record_set_series(record, number, clup_percolation_observable_name(o),
                                            point->values + o * point->room, point->samples);
    return status;
}

clup_status clup_percolation_scan_record(const clup_percolation_scan *scan, clup_record **out)
{
    clup_status status = CLUP_OK;
    clup_record *record = NULL;
    CLUP_NEED(out);
    *out = NULL;
    CLUP_NEED(scan);
    if (!scan->keeps)
        return clup_fail(CLUP_ERROR_USAGE, "the scan has not kept the values of samples");
    clup_problem problem = scan->problem;
    problem.betas = scan->ps;
    while (problem.replicas < scan->count && scan->points[problem.replicas].samples > 0)
        problem.replicas++;
    if (scan->points[0].samples == 0)
        return clup_fail(CLUP_ERROR_USAGE, "the scan has no samples");
    if (problem.replicas > CLUP_REPLICAS_MAX)
        return clup_fail(CLUP_ERROR_USAGE, "%u probabilities: a record has at most %u systems",
                         problem.replicas, (unsigned)CLUP_REPLICAS_MAX);
    CLUP_TRY(clup_record_create(&problem, &record));
    CLUP_TRY(clup_record_set(record, "first_sweep", "0"));
    for (uint32_t k = 0; k < problem.replicas; k++)
        CLUP_TRY(set_series(scan, k, record));
    *out = record;
done:
    if (status != CLUP_OK)
        clup_record_free(record);
    return status;
}

const clup_problem *clup_percolation_scan_problem(const clup_percolation_scan *scan)
{
    return scan != NULL ? &scan->problem : NULL;
}

uint64_t clup_percolation_scan_seed(const clup_percolation_scan *scan)
{
    return scan != NULL ? scan->seed : 0;
}

uint32_t clup_percolation_scan_points(const clup_percolation_scan *scan, const double **ps)
{
    if (ps != NULL)
        *ps = scan != NULL ? scan->ps : NULL;
    return scan != NULL ? scan->count : 0;
}

int clup_percolation_scan_keeps(const clup_percolation_scan *scan)
{
    return scan != NULL && scan->keeps;
}

const clup_record *clup_percolation_scan_said(const clup_percolation_scan *scan)
{
    return scan != NULL ? scan->said : NULL;
}

/* ---- one p ----------------------------------------------------------------------------------- */

clup_status clup_percolation_run(clup_percolation *percolation, double p, uint64_t samples,
                                 clup_progress *progress, void *user, clup_percolation_point *point)
{
    clup_percolation_scan *scan;
    CLUP_NEED(percolation);
    CLUP_NEED(point);
    *point = (clup_percolation_point){.p = p};
    clup_status status = clup_percolation_scan_create(&percolation->problem, percolation->seed, &p,
                                                      1, 0, &scan);
    if (status != CLUP_OK)
        return status;
    status = clup_percolation_scan_run(scan, percolation, 0, samples, progress, user);
    clup_percolation_scan_point(scan, 0, point);
    clup_percolation_scan_free(scan);
    return status;
}
