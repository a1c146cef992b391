/* SPDX-License-Identifier: BSD-3-Clause */
/* What clup bench compares with and reports: serial codes against exact values, pictures against
 * their definitions, fits against the laws that their points were made from. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cut.h"
#include "bench/draw/fit.h"
#include "bench/measure/picture.h"
#include "bench/measure/serial.h"
#include "bench/status.h"
#include "bench/units.h"
#include "tap.h"
#include "label/labelling.h"

enum { BINS = 50 };

/* ---- serial codes ---------------------------------------------------------------------------- */

typedef struct mean {
    double value, error;
} mean;

static mean mean_of(const double bins[BINS])
{
    double sum = 0, squares = 0;
    for (int k = 0; k < BINS; k++)
        sum += bins[k] / BINS;
    for (int k = 0; k < BINS; k++)
        squares += (bins[k] - sum) * (bins[k] - sum);
    return (mean){sum, sqrt(squares / BINS / (BINS - 1))};
}

static clup_problem square(uint32_t size, unsigned q, double beta)
{
    return (clup_problem){.size = {size, size, 1}, .periodic = {1, 1}, .q = q, .beta = beta};
}

static bench_serial *create(size_t row, uint32_t size, unsigned q, double beta, uint64_t seed)
{
    const clup_problem problem = square(size, q, beta);
    bench_serial *serial;
    NEED(bench_serial_create(row, &problem, seed, &serial));
    return serial;
}

/* Returns the status of creating a code for a problem that it cannot do. */
static clup_status refusal(size_t row, clup_problem problem)
{
    bench_serial *serial = (bench_serial *)&problem;
    const clup_status status = bench_serial_create(row, &problem, 1, &serial);
    return serial == NULL ? status : CLUP_OK;
}

/* The equilibrium energy, from bins of so many updates, and the fraction of sites that an update
 * gives a new spin. */
static mean energy_of(size_t row, uint32_t size, unsigned q, double beta, int updates, mean *part)
{
    bench_serial *serial = create(row, size, q, beta, 17 + row);
    double bins[BINS] = {0}, parts[BINS] = {0};
    for (int k = 0; k < 300; k++)
        bench_serial_sweep(serial, NULL);
    for (int bin = 0; bin < BINS; bin++)
        for (int k = 0; k < updates; k++) {
            uint64_t updated;
            bench_serial_sweep(serial, &updated);
            bins[bin] += bench_serial_energy(serial) / updates;
            parts[bin] += (double)updated / ((double)size * size) / updates;
        }
    bench_serial_free(serial);
    if (part != NULL)
        *part = mean_of(parts);
    return mean_of(bins);
}

static void near(mean measured, double exact, const char *what, size_t row, uint32_t size,
                 unsigned q, double beta)
{
    const double off = fabs(measured.value - exact);
    ok(off <= 5 * measured.error || off < 1e-9,
       "%s: %s with L = %u, q = %u, beta = %.3f: %.5f +- %.5f, exact %.5f", bench_serial_name(row),
       what, (unsigned)size, q, beta, measured.value, measured.error, exact);
}

/* <H>/N from all states of a small torus. */
static double enumerate(uint32_t size, unsigned q, double beta)
{
    const unsigned sites = size * size;
    unsigned spins[9] = {0}, k;
    double z = 0, sum = 0;
    do {
        unsigned equal = 0;
        for (unsigned i = 0; i < sites; i++)
            equal += (spins[i] == spins[i / size * size + (i + 1) % size]) +
                     (spins[i] == spins[(i + size) % sites]);
        z += exp(beta * equal);
        sum += exp(beta * equal) * equal / sites;
        for (k = 0; k < sites && ++spins[k] == q; k++)
            spins[k] = 0;
    } while (k < sites);
    return -sum / z;
}

static void in_equilibrium(size_t row)
{
    const double critical = clup_critical_beta(CLUP_LATTICE_SQUARE, 2);
    double energy, heat;
    mean part;
    for (uint32_t size = 8; size <= 16; size *= 2) {
        const clup_problem problem = {
            .size = {size, size}, .periodic = {1, 1}, .q = 2, .beta = critical};
        NEED(clup_exact_ising(&problem, &energy, &heat));
        near(energy_of(row, size, 2, critical, 300, NULL), energy, "energy", row, size, 2,
             critical);
    }
    near(energy_of(row, 2, 3, 0.7, 500, NULL), enumerate(2, 3, 0.7), "energy", row, 2, 3, 0.7);
    near(energy_of(row, 3, 3, 0.9, 500, NULL), enumerate(3, 3, 0.9), "energy", row, 3, 3, 0.9);
    near(energy_of(row, 2, 17, 1.5, 2000, NULL), enumerate(2, 17, 1.5), "energy", row, 2, 17, 1.5);
    near(energy_of(row, 7, 5, 0, 300, &part), -2.0 / 5, "energy", row, 7, 5, 0);
    near(part, row == 2 ? 1.0 / 49 : 1, "part of the sites updated", row, 7, 5, 0);
    near(energy_of(row, 7, 5, 50, 2, &part), -2, "energy", row, 7, 5, 50);
    near(part, 1, "part of the sites updated", row, 7, 5, 50);
    near(energy_of(row, 7, 5, INFINITY, 2, &part), -2, "energy", row, 7, 5, INFINITY);
}

/* The codes agree with each other at q = 3. */
static void agree(void)
{
    const double beta = clup_critical_beta(CLUP_LATTICE_SQUARE, 3);
    mean energies[3];
    for (size_t row = 0; row < 3; row++)
        energies[row] = energy_of(row, 20, 3, beta, row == 2 ? 400 : 150, NULL);
    for (size_t row = 1; row < 3; row++) {
        const double off = fabs(energies[row].value - energies[0].value),
                     error = hypot(energies[row].error, energies[0].error);
        ok(off < 5 * error, "%s and %s agree at q = 3: %.5f and %.5f, +- %.5f",
           bench_serial_name(row), bench_serial_name(0), energies[row].value, energies[0].value,
           error);
    }
}

static unsigned root_of(const unsigned *parents, unsigned i)
{
    while (parents[i] != i)
        i = parents[i];
    return i;
}

/* Bond percolation on a small torus, from all states of the bonds: the probability that the ends of
 * a bond are in one cluster, and the fraction of sites in the cluster of a site. */
static void percolate(uint32_t size, double p, double *ends, double *cluster)
{
    const unsigned sites = size * size, bonds = 2 * sites;
    *ends = *cluster = 0;
    for (uint32_t state = 0; state < 1u << bonds; state++) {
        unsigned parents[9], active = 0, joined = 0, pairs = 0;
        for (unsigned i = 0; i < sites; i++)
            parents[i] = i;
        for (unsigned b = 0; b < bonds; b++) {
            const unsigned i = b / 2,
                           k = b % 2 ? (i + size) % sites : i / size * size + (i + 1) % size;
            if (state >> b & 1) {
                active++;
                parents[root_of(parents, i)] = root_of(parents, k);
            }
        }
        for (unsigned i = 0; i < sites; i++) {
            const unsigned root = root_of(parents, i);
            joined += (root == root_of(parents, i / size * size + (i + 1) % size)) +
                      (root == root_of(parents, (i + size) % sites));
            for (unsigned k = 0; k < sites; k++)
                pairs += root == root_of(parents, k);
        }
        const double weight = pow(p, active) * pow(1 - p, bonds - active);
        *ends += weight * joined / bonds;
        *cluster += weight * pairs / sites / sites;
    }
}

/* From an ordered start, the bonds of one update are those of percolation, each decided once. The
 * ends of a bond are then equal when they are in one cluster, else by chance. */
static void from_order(uint32_t size, double p)
{
    static const uint8_t ordered[9] = {0};
    const unsigned q = 100;
    double ends, cluster;
    percolate(size, p, &ends, &cluster);
    for (size_t row = 0; bench_serial_name(row) != NULL; row++) {
        bench_serial *serial = create(row, size, q, -log1p(-p), 5);
        double bins[BINS] = {0}, parts[BINS] = {0};
        const int updates = 1500;
        for (int bin = 0; bin < BINS; bin++)
            for (int k = 0; k < updates; k++) {
                uint64_t updated;
                bench_serial_set(serial, ordered);
                bench_serial_sweep(serial, &updated);
                bins[bin] += bench_serial_energy(serial) / updates;
                parts[bin] += (double)updated / (size * size) / updates;
            }
        bench_serial_free(serial);
        if (row != 2)
            near(mean_of(bins), -2 * (ends + (1 - ends) / q), "energy after one update", row, size,
                 q, -log1p(-p));
        else
            near(mean_of(parts), cluster, "cluster of a site", row, size, q, -log1p(-p));
    }
}

/* Measured values a site, by a serial code and by the serial reference. */
enum { ENERGY, MAGNETISATION, CLUSTERS, LARGEST, SQUARES, MEASURED };

static void measured_by_code(const clup_problem *problem, mean means[MEASURED])
{
    const double sites = (double)clup_problem_sites(problem);
    double bins[MEASURED][BINS] = {{0}};
    bench_serial *serial;
    bool right = true;
    NEED(bench_serial_create(3, problem, 11, &serial));
    for (int k = 0; k < 300; k++)
        bench_serial_sweep(serial, NULL);
    for (int bin = 0; bin < BINS; bin++)
        for (int k = 0; k < 100; k++) {
            const double energy = bench_serial_energy(serial);
            bench_serial_sweep(serial, NULL);
            const bench_serial_sample sample = bench_serial_measured(serial);
            const double most = (double)sample.majority / sites, q = problem->q,
                         values[MEASURED] = {energy, (q * most - 1) / (q - 1),
                                             (double)sample.clusters / sites,
                                             (double)sample.largest / sites,
                                             (double)sample.squares / sites / sites};
            right = right && fabs((double)sample.equal_bonds / sites + energy) < 1e-12;
            for (unsigned v = 0; v < MEASURED; v++)
                bins[v][bin] += values[v] / 100;
        }
    for (unsigned v = 0; v < MEASURED; v++)
        means[v] = mean_of(bins[v]);
    ok(right, "the energy that is measured is that of the spins");
    bench_serial_free(serial);
}

/* On lattices with three different axes, the means agree with the library's serial reference. */
static void on_lattices(void)
{
    static const clup_problem problems[] = {
        {.lattice = CLUP_LATTICE_TRIANGULAR, .size = {7, 5, 1}, .q = 2, .beta = 0.5},
        {.lattice = CLUP_LATTICE_TRIANGULAR, .size = {2, 3, 1}, .q = 3, .beta = 0.4},
        {.lattice = CLUP_LATTICE_CUBIC, .size = {5, 4, 3}, .q = 2, .beta = 0.43},
        {.lattice = CLUP_LATTICE_CUBIC, .size = {2, 2, 2}, .q = 5, .beta = 0.4},
    };
    static const clup_observable observables[MEASURED] = {CLUP_ENERGY, CLUP_ABS_M, CLUP_CLUSTERS,
                                                          CLUP_LARGEST_CLUSTER, CLUP_M2_IMPROVED};
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
        clup_problem problem = problems[k];
        clup_estimate estimates[CLUP_OBSERVABLES];
        clup_simulation *simulation;
        mean means[MEASURED];
        for (unsigned axis = 0; axis < 3; axis++)
            problem.periodic[axis] = 1;
        measured_by_code(&problem, means);
        NEED(
            clup_simulation_create(NULL, &problem, NULL, NULL, 3, CLUP_START_ORDERED, &simulation));
        NEED(clup_simulation_observe(simulation, observables, MEASURED, 1));
        NEED(clup_simulation_run(simulation, 100, 0, NULL, NULL));
        NEED(clup_simulation_run(simulation, 5000, 1, NULL, NULL));
        NEED(clup_simulation_estimate(simulation, 0, estimates));
        for (unsigned v = 0; v < MEASURED; v++) {
            const clup_estimate *of = &estimates[observables[v]];
            ok(fabs(means[v].value - of->mean) < 5 * hypot(means[v].error, of->error),
               "%s %u x %u x %u, q = %u: %s %.5f +- %.5f, of the library %.5f +- %.5f",
               clup_lattice_name(problem.lattice), problem.size[0], problem.size[1],
               problem.size[2], problem.q, clup_observable_name(observables[v]), means[v].value,
               means[v].error, of->mean, of->error);
        }
        clup_simulation_free(simulation);
    }
}

static void check_serial(void)
{
    bench_serial *serial, *again;
    size_t rows = 0;
    for (; bench_serial_name(rows) != NULL; rows++)
        in_equilibrium(rows);
    ok(rows == 4 && strcmp(bench_serial_name(0), "breadth-first") == 0 &&
           strcmp(bench_serial_name(1), "union-find") == 0 &&
           strcmp(bench_serial_name(2), "single cluster") == 0 &&
           strcmp(bench_serial_name(3), "measured union-find") == 0,
       "there are four serial codes");
    on_lattices();
    agree();
    from_order(2, 0.3);
    from_order(2, 0.5);
    from_order(3, 0.4);

    static const uint8_t stripes[16] = {0, 0, 0, 0, 1, 1, 1, 1};
    for (size_t row = 0; row < rows; row++) {
        uint64_t updated;
        serial = create(row, 4, 2, 0.5, 1), again = create(row, 4, 2, 0.5, 1);
        ok(bench_serial_energy(serial) == -2, "%s: the start is ordered", bench_serial_name(row));
        for (int k = 0; k < 3; k++) {
            bench_serial_sweep(serial, NULL);
            bench_serial_sweep(again, NULL);
        }
        ok(bench_serial_energy(serial) == bench_serial_energy(again), "%s: the same again",
           bench_serial_name(row));
        bench_serial_set(serial, stripes);
        ok(bench_serial_energy(serial) == -1.5, "%s: takes spins", bench_serial_name(row));
        ok(bench_serial_sweep(serial, &updated) >= 0 && (row == 2 ? updated > 0 : updated == 16),
           "%s: an update takes its time", bench_serial_name(row));
        bench_serial_free(serial), bench_serial_free(again);
        clup_problem other = square(4, 2, 0.5);
        other.lattice = CLUP_LATTICE_CUBIC_26;
        ok(refusal(row, square(1, 2, 0.5)) == CLUP_ERROR_USAGE &&
               refusal(row, square(65536, 2, 0.5)) == CLUP_ERROR_USAGE &&
               refusal(row, square(4, 1, 0.5)) == CLUP_ERROR_USAGE &&
               refusal(row, square(4, 257, 0.5)) == CLUP_ERROR_USAGE &&
               refusal(row, square(4, 2, -1)) == CLUP_ERROR_USAGE &&
               refusal(row, square(4, 2, NAN)) == CLUP_ERROR_USAGE &&
               refusal(row, other) == CLUP_ERROR_USAGE,
           "%s: refuses what it has not: %s", bench_serial_name(row), bench_detail());
    }
    ok(refusal(rows, square(4, 2, 0.5)) == CLUP_ERROR_USAGE, "no code past the end");
    ok(refusal(0, square(4, 129, 0.5)) == CLUP_ERROR_USAGE,
       "breadth-first has a bit of the spin: %s", bench_detail());
    for (size_t row = 0; row < rows; row += 2) {
        clup_problem other = {.lattice = CLUP_LATTICE_CUBIC, .size = {4, 4, 4}, .q = 2};
        ok(refusal(row, other) == CLUP_ERROR_USAGE, "%s: is for one lattice: %s",
           bench_serial_name(row), bench_detail());
    }
    bench_serial_free(NULL);
}

/* ---- pictures -------------------------------------------------------------------------------- */

static uint8_t *draw(const char *name, const uint32_t size[3], double density, unsigned grain,
                     uint64_t seed)
{
    const size_t count = (size_t)size[0] * size[1] * size[2];
    uint8_t *pixels = malloc(count + 1);
    memset(pixels, 0xAA, count + 1);
    NEED(bench_picture_draw(name, size, density, grain, seed, pixels));
    for (size_t k = 0; k < count; k++)
        if (pixels[k] > 1) {
            ok(0, "%s: pixel %zu is %d", name, k, pixels[k]);
            break;
        }
    if (pixels[count] != 0xAA)
        ok(0, "%s: stays in its array", name);
    return pixels;
}

static double density_of(const uint8_t *pixels, size_t count)
{
    size_t ones = 0;
    for (size_t k = 0; k < count; k++)
        ones += pixels[k];
    return (double)ones / (double)count;
}

/* Counts the clusters of a picture. */
static uint64_t clusters_of(const char *name, uint32_t nx, uint32_t ny, uint32_t nz,
                            unsigned connectivity)
{
    const clup_label_problem problem = {.size = {nx, ny, nz},
                                        .connectivity = connectivity,
                                        .dtype = CLUP_DTYPE_U8,
                                        .channels = 1,
                                        .match = CLUP_MATCH_NONZERO};
    const size_t count = (size_t)nx * ny * nz;
    uint8_t *pixels = draw(name, problem.size, 0.5, 1, 1);
    uint32_t *labels = malloc(count * sizeof *labels);
    uint64_t clusters = 0;
    clup_label_reference(&problem, pixels, labels);
    for (size_t k = 0; k < count; k++)
        clusters += labels[k] == k;
    free(pixels), free(labels);
    return clusters;
}

static void has_clusters(const char *name, uint32_t nx, uint32_t ny, uint32_t nz,
                         unsigned connectivity, uint64_t wanted)
{
    const uint64_t found = clusters_of(name, nx, ny, nz, connectivity);
    ok(found == wanted, "%s of %u x %u x %u has %u clusters with %u neighbours: %u", name,
       (unsigned)nx, (unsigned)ny, (unsigned)nz, (unsigned)wanted, connectivity, (unsigned)found);
}

/* A picture is a path: no pixel has more than two neighbours, and two pixels have one. */
static void is_path(const char *name, uint32_t nx, uint32_t ny)
{
    const uint32_t size[3] = {nx, ny, 1};
    uint8_t *pixels = draw(name, size, 0.5, 1, 1);
    unsigned ends = 0, more = 0;
    for (uint32_t y = 0; y < ny; y++)
        for (uint32_t x = 0; x < nx; x++) {
            const uint8_t *at = pixels + (size_t)y * nx + x;
            const unsigned others = (x > 0 && at[-1]) + (x + 1 < nx && at[1]) +
                                    (y > 0 && at[-(ptrdiff_t)nx]) + (y + 1 < ny && at[nx]);
            ends += *at && others == 1;
            more += *at && others > 2;
        }
    ok(ends == 2 && more == 0, "%s of %u x %u is a path: %u ends, %u forks", name, (unsigned)nx,
       (unsigned)ny, ends, more);
    free(pixels);
}

static void check_lines(void)
{
    static const char *const paths[] = {"spiral", "snake"};
    static const uint32_t sizes[][2] = {{7, 5}, {5, 7}, {64, 64}, {33, 20}, {3, 3}, {2, 9}, {9, 2}};
    for (size_t k = 0; k < 2; k++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            has_clusters(paths[k], sizes[s][0], sizes[s][1], 1, 4, 1);
            is_path(paths[k], sizes[s][0], sizes[s][1]);
        }
        has_clusters(paths[k], 1, 1, 1, 4, 1);
        has_clusters(paths[k], 1, 9, 1, 4, 1);
        has_clusters(paths[k], 9, 1, 1, 4, 1);
        has_clusters(paths[k], 9, 11, 4, 6, 1);
        const uint32_t size[3] = {200, 200, 1};
        uint8_t *pixels = draw(paths[k], size, 0, 0, 1);
        const double density = density_of(pixels, 40000);
        ok(fabs(density - 0.5) < 0.01, "%s has half of the pixels: %.4f", paths[k], density);
        free(pixels);
    }
    has_clusters("comb", 7, 5, 1, 4, 1);
    has_clusters("comb", 64, 33, 1, 8, 1);
    has_clusters("comb", 9, 8, 3, 6, 1);
    has_clusters("stripes", 7, 5, 1, 8, 3);
    has_clusters("stripes", 1, 10, 1, 4, 5);
    has_clusters("stripes", 10, 1, 1, 4, 1);
    has_clusters("stripes", 8, 9, 6, 26, 5);
    has_clusters("vertical stripes", 7, 5, 1, 8, 4);
    has_clusters("vertical stripes", 10, 3, 5, 26, 5);
    has_clusters("checker", 7, 5, 1, 4, 18);
    has_clusters("checker", 7, 5, 1, 8, 1);
    has_clusters("checker", 1, 9, 1, 8, 5);
    has_clusters("checker", 5, 3, 3, 6, 23);
    has_clusters("checker", 5, 3, 3, 18, 1);
}

static void check_noise(void)
{
    static const uint32_t plane[3] = {500, 301, 1}, space[3] = {50, 41, 63}, one[3] = {1, 1, 1};
    static const double densities[] = {0, 0.1, 0.5, 0.9, 1};
    static const char *const names[] = {"random", "blobs"};
    for (size_t n = 0; n < 2; n++)
        for (int volume = 0; volume < 2; volume++) {
            const uint32_t *size = volume ? space : plane;
            const size_t count = (size_t)size[0] * size[1] * size[2];
            for (size_t k = 0; k < 5; k++) {
                uint8_t *pixels = draw(names[n], size, densities[k], 0, 3);
                const double density = density_of(pixels, count);
                ok(fabs(density - densities[k]) < (n == 0 ? 0.006 : 0.003) &&
                       (k % 4 != 0 || density == densities[k]),
                   "%s in %s has density %g: %.4f", names[n], volume ? "space" : "the plane",
                   densities[k], density);
                free(pixels);
            }
            uint8_t *a = draw(names[n], size, 0.5, 4, 1), *b = draw(names[n], size, 0.5, 4, 1),
                    *c = draw(names[n], size, 0.5, 4, 2);
            ok(memcmp(a, b, count) == 0 && memcmp(a, c, count) != 0, "%s follows its seed",
               names[n]);
            free(a), free(b), free(c);
        }
    for (size_t n = 0; n < 2; n++)
        for (int k = 0; k < 2; k++) {
            uint8_t *pixels = draw(names[n], one, k, 0, 1);
            ok(pixels[0] == k, "%s of one pixel is %d", names[n], k);
            free(pixels);
        }

    uint8_t *pixels = draw("random", space, 0.5, 4, 9);
    unsigned broken = 0, changes = 0;
    for (uint32_t z = 0; z < 63; z++)
        for (uint32_t y = 0; y < 41; y++)
            for (uint32_t x = 0; x < 50; x++) {
                const uint8_t pixel = pixels[x + 50 * (y + 41 * z)];
                broken += pixel != pixels[x / 4 * 4 + 50 * (y / 4 * 4 + 41 * (z / 4 * 4))];
                changes += x >= 4 && pixel != pixels[x - 4 + 50 * (y + 41 * z)];
            }
    ok(broken == 0 && fabs(changes / (46.0 * 41 * 63) - 0.5) < 0.05,
       "grains are cubes, and independent");
    free(pixels);

    /* a smooth picture has few borders along each axis */
    pixels = draw("blobs", space, 0.5, 0, 9);
    unsigned borders[3] = {0};
    for (uint32_t z = 1; z < 63; z++)
        for (uint32_t y = 1; y < 41; y++)
            for (uint32_t x = 1; x < 50; x++) {
                const uint8_t *at = pixels + x + 50 * (y + 41 * (size_t)z);
                borders[0] += at[0] != at[-1];
                borders[1] += at[0] != at[-50];
                borders[2] += at[0] != at[-50 * 41];
            }
    ok(borders[0] > 0 && borders[0] < 15000 && borders[1] > 0 && borders[1] < 15000 &&
           borders[2] > 0 && borders[2] < 15000,
       "blobs are smooth along each axis: %u, %u and %u borders of 121520", borders[0], borders[1],
       borders[2]);
    free(pixels);
}

/* Pictures are equal on every machine: compares hashes with recorded ones. */
static void check_digests(void)
{
    static const uint32_t size[3] = {67, 45, 3};
    static const char *const digests[] = {
        "random",
        "76c40cddbdd9a6fd739705de397176a0318a4dbc563dc4fa55dc61ddcd6d7194",
        "blobs",
        "d3f3570f6fdabfea86a89b3831e7b3ec2d9429d30c8354bd1936b2da5e7fb935",
    };
    for (size_t k = 0; k < 4; k += 2) {
        char hex[65];
        uint8_t *pixels = draw(digests[k], size, 0.4, 3, 1);
        clup_sha256(pixels, 67 * 45 * 3, hex);
        ok(strcmp(hex, digests[k + 1]) == 0, "%s is the same everywhere: %s", digests[k], hex);
        free(pixels);
    }
}

static void check_pictures(void)
{
    static const uint32_t size[3] = {4, 4, 1}, none[3] = {4, 0, 1};
    static const uint32_t odd[][3] = {{1, 1, 1}, {1, 13, 1}, {13, 1, 1}, {7, 5, 1},
                                      {1, 1, 9}, {2, 3, 5},  {70, 3, 2}};
    uint8_t pixels[16];
    check_lines();
    check_noise();
    check_digests();
    for (size_t row = 0; bench_picture_name(row) != NULL; row++) {
        for (size_t k = 0; k < sizeof odd / sizeof *odd; k++)
            free(draw(bench_picture_name(row), odd[k], 0.5, 2, 1));
        ok(1, "%s has odd sizes", bench_picture_name(row));
    }
    ok(bench_picture_draw("nothing", size, 0.5, 1, 1, pixels) == CLUP_ERROR_USAGE &&
           strstr(bench_detail(), "nothing") != NULL,
       "an unknown picture: %s", bench_detail());
    ok(bench_picture_draw("random", none, 0.5, 1, 1, pixels) == CLUP_ERROR_USAGE,
       "a picture of nothing: %s", bench_detail());
    ok(bench_picture_draw("random", size, 1.5, 1, 1, pixels) == CLUP_ERROR_USAGE &&
           bench_picture_draw("random", size, NAN, 1, 1, pixels) == CLUP_ERROR_USAGE,
       "a density that is none: %s", bench_detail());
}

/* ---- fits ------------------------------------------------------------------------------------ */

/* A nearly normal number of variance 1, the sum of twelve uniform ones. */
static double normal(void)
{
    static uint64_t state = 1;
    double sum = -6;
    for (int k = 0; k < 12; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        sum += (double)(state >> 32) / 4294967296.0;
    }
    return sum;
}

static int within(const bench_fit *fit, double a, double b, double times)
{
    return fabs(fit->value[0] - a) <= times * fit->error[0] &&
           fabs(fit->value[1] - b) <= times * fit->error[1];
}

static int about(const bench_fit *fit, double a, double b)
{
    return fabs(fit->value[0] / a - 1) < 1e-10 && fabs(fit->value[1] / b - 1) < 1e-10;
}

static void check_fits(void)
{
    enum { POINTS = 10, TRIALS = 2000 };
    double x[POINTS], b[POINTS], y[POINTS], seams[POINTS], errors[POINTS], zeros[POINTS] = {0};
    bench_fit fit, other;
    for (int k = 0; k < POINTS; k++) {
        x[k] = 16 << k;
        b[k] = k % 3 == 0 ? 8 : k % 3 == 1 ? 16 : 32;
        y[k] = 0.37 * pow(x[k], 1.08);
        seams[k] = 700 / x[k] + 20 / b[k];
        errors[k] = k % 2 ? 0.01 : 0.05;
    }
    NEED(bench_fit_power(x, y, NULL, POINTS, &fit));
    ok(about(&fit, 0.37, 1.08) && fit.rms < 1e-10 && fit.error[1] < 1e-10 && fit.points == POINTS,
       "a power law is found: %g x^%g", fit.value[0], fit.value[1]);
    NEED(bench_fit_power(x, y, errors, POINTS, &fit));
    ok(about(&fit, 0.37, 1.08) && fit.error[1] > 1e-4, "also with errors, which count: %g",
       fit.error[1]);
    NEED(bench_fit_power_fixed(x, y, NULL, POINTS, 1.08, &fit));
    ok(about(&fit, 0.37, 1.08) && fit.error[1] == 0, "and with a fixed exponent: %g", fit.value[0]);
    NEED(bench_fit_seams(x, b, seams, POINTS, &fit));
    ok(about(&fit, 700, 20) && fit.rms < 1e-10, "seams are found: %g/L + %g/B", fit.value[0],
       fit.value[1]);
    NEED(bench_fit_power(x, y, NULL, 2, &fit));
    ok(about(&fit, 0.37, 1.08) && isnan(fit.error[0]) && isnan(fit.error[1]),
       "two points have no errors");

    /* with normal noise, 68 % of the trials are within one error */
    int inside[4][2] = {{0}}, weighs = 0;
    double rms = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        double noisy[POINTS], even[POINTS], noisy_seams[POINTS];
        for (int k = 0; k < POINTS; k++) {
            const double noise = normal();
            noisy[k] = y[k] * exp(errors[k] * noise);
            even[k] = y[k] * exp(0.02 * noise);
            noisy_seams[k] = seams[k] * (1 + 0.02 * noise);
        }
        NEED(bench_fit_power(x, noisy, errors, POINTS, &fit));
        NEED(bench_fit_power(x, noisy, NULL, POINTS, &other));
        for (int k = 0; k < 2; k++)
            inside[0][k] += fabs(fit.value[k] - (k ? 1.08 : 0.37)) < fit.error[k];
        weighs += fabs(fit.value[1] - 1.08) < fabs(other.value[1] - 1.08);
        NEED(bench_fit_power(x, even, NULL, POINTS, &fit));
        for (int k = 0; k < 2; k++)
            inside[1][k] += fabs(fit.value[k] - (k ? 1.08 : 0.37)) < fit.error[k];
        rms += fit.rms / TRIALS;
        NEED(bench_fit_power_fixed(x, even, NULL, POINTS, 1.08, &fit));
        inside[2][0] += fabs(fit.value[0] - 0.37) < fit.error[0];
        NEED(bench_fit_seams(x, b, noisy_seams, POINTS, &fit));
        for (int k = 0; k < 2; k++)
            inside[3][k] += fabs(fit.value[k] - (k ? 20 : 700)) < fit.error[k];
        if (trial == 0)
            ok(within(&fit, 700, 20, 5), "noise leaves the seams within errors");
    }
    for (int k = 0; k < 4; k++)
        for (int p = 0; p < (k == 2 ? 1 : 2); p++) {
            const double part = (double)inside[k][p] / TRIALS;
            /* errors that are never below the given ones include more trials */
            ok(part > 0.6 && part < (k == 0 ? 0.85 : 0.72),
               "fit %d, parameter %d: within one error in %.3f of the trials", k, p, part);
        }
    ok(weighs > TRIALS * 0.6, "points with small errors weigh more: better in %d of %d", weighs,
       TRIALS);
    ok(fabs(rms / (0.02 * sqrt(0.8)) - 1) < 0.05, "the deviation is the noise's: %.4f", rms);

    NEED(bench_fit_power(x, seams, zeros, POINTS, &fit));
    NEED(bench_fit_power(x, seams, NULL, POINTS, &other));
    ok(fit.value[1] == other.value[1] && fit.error[1] == other.error[1],
       "errors of zero are as none");
    const double same[2] = {3, 3};
    ok(bench_fit_power(x, y, NULL, 1, &fit) == CLUP_ERROR_USAGE, "one point: %s", bench_detail());
    ok(bench_fit_power(same, y, NULL, 2, &fit) == CLUP_ERROR_USAGE, "one x: %s", bench_detail());
    ok(bench_fit_power(x, zeros, NULL, 3, &fit) == CLUP_ERROR_USAGE, "y is 0: %s", bench_detail());
    ok(bench_fit_power_fixed(x, y, NULL, 1, 1.08, &fit) == CLUP_OK && isnan(fit.error[0]) &&
           fabs(fit.value[0] - 0.37) < 1e-10 &&
           bench_fit_power_fixed(x, y, NULL, 0, 1.08, &fit) == CLUP_ERROR_USAGE,
       "a fixed exponent needs one: %s", bench_detail());
    ok(bench_fit_seams(x, x, seams, POINTS, &fit) == CLUP_ERROR_USAGE, "one L/B: %s",
       bench_detail());
    ok(bench_fit_seams(x, zeros, seams, POINTS, &fit) == CLUP_ERROR_USAGE, "B is 0: %s",
       bench_detail());
}

static void check_units(void)
{
    static const struct {
        double value;
        const char *unit, *text;
    } rows[] = {
        {23400e6, "B", "23.4 GB"},
        {0, "B", "0 B"},
        {999.96e3, "B", "1 MB"},
        {17, "B", "17 B"},
        {0.25, "B", "0.25 B"},
        {79e3, "pixels/s", "79 kpixels/s"},
        {1.23456e9, "pixels/s", "1.235 Gpixels/s"},
        {4.517e-8, "s", "45.17 ns"},
        {7.4512e-12, "s", "7.451 ps"},
        {1e-15, "s", "0.001 ps"},
        {86400, "s", "86400 s"},
        {1, "s", "1 s"},
        {-0.0125, "s", "-12.5 ms"},
        {NAN, "s", "not known"},
    };
    char text[BENCH_UNITS];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        ok(strcmp(bench_units(rows[k].value, rows[k].unit, text), rows[k].text) == 0, "%g %s is %s",
           rows[k].value, rows[k].unit, text);
    ok(strcmp(bench_digits(45170, text), "45170") == 0 &&
           strcmp(bench_digits(0.0123449, text), "0.01234") == 0 &&
           strcmp(bench_digits(1234.56, text), "1235") == 0 &&
           strcmp(bench_digits(100, text), "100") == 0,
       "four digits, and no exponent");
}

/* Texts with characters of 1 to 4 bytes, cut at each place, end with a whole character. */
static void check_cuts(void)
{
    static const char *const texts[] = {"abc", "\u00e4\u00f6\u00fc", "\u20ac\u20ac",
                                        "\U0001f600x\U0001f600", "a\u00e4\u20ac\U0001f600"};
    int right = 1, most = 1;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        for (int room = 0; room <= (int)strlen(texts[k]) + 1; room++) {
            char to[32] = "";
            const int length = bench_cut(texts[k], room);
            /* the next byte begins a character, and one more would not fit */
            right = right && length <= room && ((unsigned char)texts[k][length] & 0xC0) != 0x80;
            most = most && (texts[k][length] == '\0' || room - length < 4);
            bench_print(to, (size_t)room + 1, "%s", texts[k]);
            right = right && (int)strlen(to) == length &&
                    strncmp(to, texts[k], (size_t)length) == 0;
        }
    ok(right, "texts are cut between characters");
    ok(most, "and no earlier than they must be");
}

int main(void)
{
    check_units();
    check_cuts();
    check_serial();
    check_pictures();
    check_fits();
    return done_testing();
}
