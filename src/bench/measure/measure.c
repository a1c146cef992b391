/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures points: sweeps of a plan, serial codes, pictures, limits of the device. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/measure/picture.h"
#include "bench/point.h"
#include "bench/measure/run.h"
#include "bench/measure/serial.h"
#include "bench/status.h"
#include "program.h"

#define SEED 1
/* Sweeps from equilibrium after which spins are hashed; equal for all plans and devices. */
#define HASHED 2
#define SAMPLES_LEAST 3
#define SAMPLES_MOST 101
/* When the samples so far took this long, no more are taken. The first sample may include
 * compiling. */
#define LONG_S 2.0
/* Seconds for which sweeps are enqueued one after the other and timed together. */
#define ROW_S 0.05
#define ROWS 3
#define ROW_SWEEPS_MOST 1000
#define PART_SWEEPS_MOST 100
/* With all_samples: the factor of the greatest number of samples and of the seconds. */
#define ALL_TIMES 6

/* Seconds on a clock that never runs backwards. */
static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The samples of one series. */
typedef struct samples {
    double *values;
    size_t count;
} samples;

static void put(json_t *series, const char *name, const char *unit, const samples *of)
{
    size_t known = 0;
    for (size_t k = 0; k < of->count; k++)
        known += isfinite(of->values[k]) != 0;
    if (known == of->count && known > 0)
        json_object_set_new(series, name, bench_series(unit, of->values, of->count));
}

/* Adds the bytes that must move for a site, and which fraction of the device's bandwidth that
 * is. */
static void put_bytes(const bench_run *run, json_t *object, double bytes, double seconds)
{
    json_object_set_new(object, "bytes", bench_json(bytes));
    json_object_set_new(object, "bandwidth_fraction", bench_json(bytes / seconds / run->copy));
}

static void put_hash(json_t *object, const char *key, const void *data, size_t bytes)
{
    char hex[65];
    clup_sha256(data, bytes, hex);
    json_object_set_new(object, key, json_string(hex));
}

/* ---- what the device can do ------------------------------------------------------------------ */

clup_status bench_measure_limit(bench_run *run, const bench_point *point, json_t *object)
{
    enum { COUNT = 7 };
    static const struct {
        const char *unit, *written;
        double factor;
    } units[] = {{"B/s", "GB/s", 1e-9}, {"1/s", "G/s", 1e-9}, {"s", "us", 1e6}};
    double values[COUNT];
    size_t u = 0;
    clup_status status = bench_library(
        clup_limit_measure(run->context, point->limit, COUNT, values));
    if (status != CLUP_OK)
        return status;
    if (point->limit == CLUP_LIMIT_COPY)
        run->copy = bench_median_of(values, COUNT, NULL);
    while (strcmp(units[u].unit, clup_limit_unit(point->limit)) != 0)
        u++;
    for (size_t k = 0; k < COUNT; k++)
        values[k] *= units[u].factor;
    json_t *series = json_object();
    put(series, point->curve, units[u].written, &(samples){values, COUNT});
    json_object_set_new(object, "series", series);
    return CLUP_OK;
}

/* ---- equilibrium ----------------------------------------------------------------------------- */

static bool same_system(const clup_problem *a, const clup_problem *b)
{
    return a->lattice == b->lattice && memcmp(a->size, b->size, sizeof a->size) == 0 &&
           a->q == b->q && a->beta == b->beta;
}

/* Makes sure that the run has spins of the problem in equilibrium; makes them by sweeps of the
 * planner's plan from an ordered start. */
static clup_status equilibrate(bench_run *run, const clup_problem *problem)
{
    clup_simulation *simulation = NULL;
    if (run->spins != NULL && same_system(&run->equilibrium, problem))
        return CLUP_OK;
    free(run->spins);
    run->spins = malloc(clup_problem_sites(problem));
    if (run->spins == NULL)
        return bench_fail(CLUP_ERROR_MEMORY, "out of memory for the spins");
    clup_status status = clup_simulation_create(run->context, problem, NULL, NULL, SEED,
                                                CLUP_START_ORDERED, &simulation);
    if (status == CLUP_OK)
        status = clup_simulation_run(simulation, run->thermalize, 0, NULL, NULL);
    if (status == CLUP_OK)
        status = clup_simulation_spins(simulation, run->spins);
    status = bench_library(status);
    clup_simulation_free(simulation);
    if (status != CLUP_OK) {
        free(run->spins);
        run->spins = NULL;
    } else
        run->equilibrium = *problem;
    return status;
}

/* ---- sweeps of a plan ------------------------------------------------------------------------ */

/* The series of a point of sweeps: the stages, and what follows from them. */
enum { UPDATE = CLUP_STAGES, UPDATED, LOCAL_ITERATIONS, ITERATIONS, WALL, SERIES };

typedef struct sweeps {
    clup_simulation *simulation;
    double updates; /* sites that a sweep updates */
    bool part;      /* a sweep does not update all sites */
    bool measured;  /* clusters are measured in successive sweeps */
    samples series[SERIES];
    double *room;
} sweeps;

/* Adds a sweep to the next sample of each series. */
static void add_sweep(sweeps *s, const clup_timed_sweep *sweep)
{
    const double ps = 1e12 / s->updates;
    const size_t k = s->series[UPDATE].count;
    double total = 0;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        s->series[stage].values[k] += ps * sweep->stage_s[stage];
        total += ps * sweep->stage_s[stage];
    }
    /* the device may have no event times */
    s->series[UPDATE].values[k] += isfinite(total) ? total : ps * sweep->wall_s;
    s->series[LOCAL_ITERATIONS].values[k] += sweep->iterations[CLUP_LOCAL];
    s->series[ITERATIONS].values[k] += sweep->iterations[CLUP_CONSOLIDATE];
}

/* Takes a sample: one sweep. When a sweep updates a part of the sites, the sample is the mean of as
 * many sweeps as update all sites. */
static clup_status take(sweeps *s)
{
    const size_t k = s->series[UPDATE].count;
    double sweeps = 0, updated = 0;
    for (size_t series = 0; series < WALL; series++)
        s->series[series].values[k] = 0;
    while (updated < 1 && sweeps < PART_SWEEPS_MOST) {
        clup_timed_sweep sweep;
        double part = 1;
        clup_status status = clup_simulation_time_sweep(s->simulation, s->part, &sweep);
        if (status == CLUP_OK && s->part)
            status = clup_simulation_series(s->simulation, 0, CLUP_UPDATED,
                                            clup_simulation_measured(s->simulation) - 1, 1, &part);
        if (status != CLUP_OK)
            return bench_library(status);
        add_sweep(s, &sweep);
        updated += part;
        sweeps++;
    }
    s->series[UPDATED].values[k] = s->part ? s->series[UPDATE].values[k] / updated : NAN;
    for (size_t series = 0; series < WALL; series++) {
        s->series[series].values[k] /= series == UPDATED ? 1 : sweeps;
        s->series[series].count = k + 1;
    }
    return CLUP_OK;
}

/* Takes samples until there are enough and they took long enough. With all_samples, which is for a
 * mean over successive sweeps in equilibrium, many are needed. */
static clup_status sample(bench_run *run, const bench_point *point, sweeps *s)
{
    const size_t least = point->all_samples ? run->samples : SAMPLES_LEAST,
                 most = point->all_samples ? ALL_TIMES * run->samples : SAMPLES_MOST;
    const double start = now_s(), long_s = point->all_samples ? INFINITY : LONG_S;
    clup_status status = CLUP_OK;
    for (size_t count = 0; count < most && status == CLUP_OK; count++) {
        const double spent = now_s() - start;
        if ((count >= least && spent > (point->all_samples ? ALL_TIMES : 1) * run->seconds) ||
            (count > 0 && spent > long_s))
            break;
        status = run->stopped() ? bench_fail(CLUP_INTERRUPTED, "interrupted") : take(s);
    }
    return status;
}

/* Times sweeps that are enqueued one after the other, as in a simulation. */
static clup_status sample_rows(sweeps *s, double sweep_s)
{
    const double most = fmin(ROW_SWEEPS_MOST, ROW_S / sweep_s);
    const uint64_t count = most > 1 ? (uint64_t)most : 1;
    samples *wall = &s->series[WALL];
    clup_status status = CLUP_OK;
    for (unsigned k = 0; k < (sweep_s > LONG_S / ROWS ? 1 : ROWS) && status == CLUP_OK; k++) {
        const double start = now_s();
        status = clup_simulation_run(s->simulation, count, s->measured, NULL, NULL);
        wall->values[wall->count++] = 1e12 * (now_s() - start) / (double)count / s->updates;
    }
    return bench_library(status);
}

static json_t *plan_object(const clup_plan *plan)
{
    return json_pack("{s:s? s:s? s:s? s:s? s:s? s:[iii]}", "bonds", plan->bonds, "source",
                     plan->source, "local", plan->local, "consolidate", plan->consolidate, "action",
                     plan->action, "tile", (int)plan->tile[0], (int)plan->tile[1],
                     (int)plan->tile[2]);
}

static json_t *problem_object(const bench_point *point)
{
    const clup_problem *problem = &point->problem;
    return json_pack("{s:s s:s s:[iii] s:[iii] s:i s:f s:s}", "model",
                     clup_model_name(problem->model), "lattice",
                     clup_lattice_name(problem->lattice), "size", (int)problem->size[0],
                     (int)problem->size[1], (int)problem->size[2], "periodic", problem->periodic[0],
                     problem->periodic[1], problem->periodic[2], "q", (int)problem->q, "beta",
                     problem->beta, "algorithm", clup_algorithm_name(point->method.algorithm));
}

/* Hashes the spins a few sweeps after equilibrium, then times sweeps. */
static clup_status measure_sweeps(bench_run *run, const bench_point *point, sweeps *s,
                                  json_t *object)
{
    const uint64_t sites = clup_problem_sites(&point->problem);
    uint8_t *spins = malloc(sites);
    clup_status status = spins != NULL
                             ? bench_library(clup_simulation_set_state(s->simulation,
                                                                       run->thermalize, run->spins))
                             : bench_fail(CLUP_ERROR_MEMORY, "out of memory for the spins");
    if (status == CLUP_OK)
        status = bench_library(clup_simulation_run(s->simulation, HASHED, 0, NULL, NULL));
    if (status == CLUP_OK)
        status = bench_library(clup_simulation_spins(s->simulation, spins));
    if (status == CLUP_OK)
        put_hash(object, "spins_sha256", spins, sites);
    free(spins);
    if (status == CLUP_OK)
        status = sample(run, point, s);
    if (status == CLUP_OK && !s->part)
        status = sample_rows(
            s, 1e-12 * s->updates *
                   bench_median_of(s->series[UPDATE].values, s->series[UPDATE].count, NULL));
    return status;
}

clup_status bench_measure_sweep(bench_run *run, const bench_point *point, json_t *object)
{
    static const char *const names[SERIES] = {
        [UPDATE] = "update",         [UPDATED] = "updated", [LOCAL_ITERATIONS] = "local_iterations",
        [ITERATIONS] = "iterations", [WALL] = "wall",
    };
    const size_t all = ALL_TIMES * run->samples, most = all > SAMPLES_MOST ? all : SAMPLES_MOST;
    sweeps s = {.updates = (double)clup_problem_sites(&point->problem),
                .part = point->method.algorithm != CLUP_SWENDSEN_WANG,
                .measured = point->measured};
    const clup_observable clusters = CLUP_CLUSTERS;
    clup_plan plan;
    clup_memory memory;
    json_object_set_new(object, "problem", problem_object(point));
    clup_status status = bench_library(
        clup_plan_choose(run->context, &point->problem, &point->method, &point->request, &plan));
    if (status == CLUP_OK) {
        plan.chosen = 0; /* otherwise times would be taken as those of another plan */
        json_object_set_new(object, "plan", plan_object(&plan));
        status = equilibrate(run, &point->problem);
    }
    if (status == CLUP_OK)
        status = bench_library(clup_simulation_create(run->context, &point->problem, &point->method,
                                                      &plan, SEED, CLUP_START_ORDERED,
                                                      &s.simulation));
    if (status == CLUP_OK && s.measured)
        status = bench_library(clup_simulation_observe(s.simulation, &clusters, 1, 1));
    /* some platforms compile at the first launch */
    if (status == CLUP_OK && s.measured)
        status = bench_library(clup_simulation_run(s.simulation, 1, 1, NULL, NULL));
    if (status == CLUP_OK && (s.room = malloc(SERIES * most * sizeof *s.room)) == NULL)
        status = bench_fail(CLUP_ERROR_MEMORY, "out of memory for the samples");
    for (size_t k = 0; k < SERIES && s.room != NULL; k++)
        s.series[k].values = s.room + k * most;
    if (status == CLUP_OK)
        status = measure_sweeps(run, point, &s, object);
    if (status == CLUP_OK)
        status = bench_library(
            clup_simulation_memory(run->context, &point->problem, &point->method, &plan, &memory));
    if (status == CLUP_OK) {
        json_t *series = json_object();
        for (size_t k = 0; k < SERIES; k++) {
            const char *name = k < CLUP_MEASURE ? clup_stage_name((clup_stage)k) : names[k];
            const bool none = (k == CLUP_LOCAL && plan.local == NULL) ||
                              (k == CLUP_CONSOLIDATE && plan.consolidate == NULL) ||
                              (k == CLUP_SOURCE && plan.source == NULL);
            /* times need no more samples than in other points */
            if (k != ITERATIONS && s.series[k].count > SAMPLES_MOST)
                s.series[k].count = SAMPLES_MOST;
            if (k != CLUP_MEASURE && !none)
                put(series, name, k == LOCAL_ITERATIONS || k == ITERATIONS ? "1" : "ps/site",
                    &s.series[k]);
        }
        json_object_set_new(object, "series", series);
        put_bytes(run, object, (double)memory.bytes / s.updates,
                  1e-12 * bench_median_of(s.series[UPDATE].values, s.series[UPDATE].count, NULL));
    }
    clup_simulation_free(s.simulation);
    free(s.room);
    return status;
}

/* ---- serial codes ---------------------------------------------------------------------------- */

clup_status bench_measure_serial(bench_run *run, const bench_point *point, json_t *object)
{
    const clup_problem *problem = &point->problem;
    const double sites = (double)clup_problem_sites(problem), start = now_s();
    double wall[SAMPLES_MOST], updated[SAMPLES_MOST];
    bench_serial *serial = NULL;
    size_t count = 0;
    json_t *described = problem_object(point);
    json_object_set_new(described, "program", json_string(bench_serial_name(point->program)));
    json_object_set_new(object, "problem", described);
    json_object_set_new(object, "plan", json_null());
    clup_status status = equilibrate(run, problem);
    if (status == CLUP_OK)
        status = bench_serial_create(point->program, problem, SEED, &serial);
    if (status != CLUP_OK)
        return status;
    bench_serial_set(serial, run->spins);
    while (count < SAMPLES_MOST && status == CLUP_OK) {
        const double spent = now_s() - start;
        if ((count >= SAMPLES_LEAST && spent > run->seconds) || (count > 0 && spent > LONG_S))
            break;
        if (run->stopped()) {
            status = bench_fail(CLUP_INTERRUPTED, "interrupted");
            break;
        }
        /* a cluster of a single site takes almost no time: does as many updates as make a sweep */
        double seconds = 0, all = 0;
        while (all < sites) {
            uint64_t some;
            seconds += bench_serial_sweep(serial, &some);
            all += (double)some;
        }
        wall[count] = 1e12 * seconds / sites;
        updated[count++] = 1e12 * seconds / all;
    }
    bench_serial_free(serial);
    if (status != CLUP_OK)
        return status;
    json_t *series = json_object();
    put(series, "wall", "ps/site", &(samples){wall, count});
    put(series, "updated", "ps/site", &(samples){updated, count});
    json_object_set_new(object, "series", series);
    return CLUP_OK;
}

/* ---- pictures -------------------------------------------------------------------------------- */

/* Labels an image in the host's memory, repeatedly. */
static clup_status label(bench_run *run, clup_labelling *labelling, const uint8_t *pixels,
                         uint32_t *labels, uint32_t *clusters, samples *device, samples *wall)
{
    const double start = now_s();
    clup_label_timing timing;
    clup_status status = CLUP_OK;
    /* on some platforms the first run compiles */
    for (unsigned k = 0; k < 2 && status == CLUP_OK; k++)
        status = clup_labelling_run(labelling, pixels, CLUP_LABELS_NUMBERED, labels, clusters,
                                    &timing);
    while (status == CLUP_OK && device->count < SAMPLES_MOST &&
           (device->count < SAMPLES_LEAST || now_s() - start < run->seconds)) {
        if (run->stopped())
            return bench_fail(CLUP_INTERRUPTED, "interrupted");
        status = clup_labelling_run(labelling, pixels, CLUP_LABELS_NUMBERED, labels, NULL, &timing);
        device->values[device->count++] = 1e3 * (isfinite(timing.device_s)
                                                     ? timing.device_s
                                                     : timing.wall_s - timing.transfer_s);
        wall->values[wall->count++] = 1e3 * timing.wall_s;
    }
    return bench_library(status);
}

clup_status bench_measure_picture(bench_run *run, const bench_point *point, json_t *object)
{
    const clup_label_problem *image = &point->image;
    const size_t pixels_count = (size_t)image->size[0] * image->size[1] * image->size[2];
    double values[2][SAMPLES_MOST];
    samples device = {values[0], 0}, wall = {values[1], 0};
    clup_labelling *labelling = NULL;
    uint32_t clusters = 0;
    json_object_set_new(object, "problem",
                        json_pack("{s:s s:s s:f s:i s:[iii] s:i s:s s:s}", "model",
                                  clup_model_name(CLUP_IMAGE), "picture", point->picture, "density",
                                  point->density, "grain", (int)point->grain, "size",
                                  (int)image->size[0], (int)image->size[1], (int)image->size[2],
                                  "connectivity", (int)image->connectivity, "match", "nonzero",
                                  "dtype", clup_dtype_name(image->dtype)));
    uint8_t *pixels = malloc(pixels_count);
    uint32_t *labels = malloc(4 * pixels_count);
    clup_status status = pixels != NULL && labels != NULL
                             ? bench_picture_draw(point->picture, image->size, point->density,
                                                  point->grain, SEED, pixels)
                             : bench_fail(CLUP_ERROR_MEMORY, "out of memory for the image");
    if (status == CLUP_OK)
        status = bench_library(clup_labelling_create(run->context, image, &labelling));
    if (status == CLUP_OK)
        status = label(run, labelling, pixels, labels, &clusters, &device, &wall);
    if (status == CLUP_OK) {
        json_t *series = json_object();
        json_object_set_new(object, "plan", plan_object(clup_labelling_plan(labelling)));
        put(series, "device", "ms", &device);
        put(series, "wall", "ms", &wall);
        json_object_set_new(object, "series", series);
        json_object_set_new(object, "clusters", json_integer(clusters));
        put_hash(object, "labels_sha256", labels, 4 * pixels_count);
        /* reads one byte, writes one label */
        put_bytes(run, object, 5,
                  1e-3 * bench_median_of(device.values, device.count, NULL) / (double)pixels_count);
    }
    clup_labelling_free(labelling);
    free(pixels);
    free(labels);
    return status;
}
