/* How fast clup is on a processor, next to a plain serial program: Swendsen-Wang for the q = 2
 * model on an L x L torus at beta_c, as one would write it by hand for one core, and clup's rows
 * for processors, in one run.
 *
 *   make tests/bench_serial && tests/bench_serial [DEVICE [L...]]      (device "cpu", L = 512 1024
 *                                                                      2048 4096)
 *
 * Not run as a test. For each L it prints ns a site and sweep, medians after thermalization, and
 * the ratio; and the energies, which are near -1.707.
 *
 * The serial program has byte spins and 32-bit labels. A row's bonds are drawn together, from eight
 * xoshiro256++ generators (D. Blackman, S. Vigna, 2021) side by side, one 32-bit number each.
 * Labels are found site by site in raster order, by union-find with path halving, the larger root
 * below the smaller; in raster order, too, each site is then put below its root and takes its
 * spin. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clup.h"

enum { LANES = 8, THERMALIZE = 60, SWEEPS = 40, RUNS = 5 };

typedef uint64_t vector __attribute__((vector_size(8 * LANES)));

typedef struct generator {
    vector s[4];
} generator;

typedef struct torus {
    uint32_t size;
    uint32_t threshold; /* 2^32 p */
    uint8_t *spins;     /* size x size, and one to spare */
    uint32_t *parents;
    uint8_t *right, *down; /* bonds of a row */
    uint32_t *draws;       /* numbers for a row */
    generator random;
    uint64_t satisfied; /* bonds, before the last sweep */
} torus;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* count is rounded up to whole steps of all generators. */
static void draw(generator *state, uint32_t *to, uint32_t count)
{
    vector a = state->s[0], b = state->s[1], c = state->s[2], d = state->s[3];
    for (uint32_t k = 0; k < count; k += 2 * LANES) {
        vector sum = a + d, number = (sum << 23 | sum >> 41) + a, shifted = b << 17;
        c ^= a;
        d ^= b;
        b ^= c;
        a ^= d;
        c ^= shifted;
        d = d << 45 | d >> 19;
        memcpy(to + k, &number, sizeof number);
    }
    *state = (generator){{a, b, c, d}};
}

static void seed(generator *g)
{
    uint64_t z = 1;
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < LANES; j++) {
            uint64_t x = z += 0x9E3779B97F4A7C15u; /* splitmix64 */
            x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
            x = (x ^ x >> 27) * 0x94D049BB133111EBu;
            g->s[k][j] = x ^ x >> 31;
        }
}

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
    uint32_t low = a < b ? a : b;
    parents[a < b ? b : a] = low;
    return low;
}

/* Whether spins are equal and joined. */
static void bonds(torus *t, const uint8_t *spins, const uint8_t *others, uint8_t *restrict to)
{
    const uint32_t size = t->size, threshold = t->threshold;
    const uint32_t *draws = t->draws;
    uint32_t satisfied = 0;
    draw(&t->random, t->draws, size);
    for (uint32_t x = 0; x < size; x++) {
        uint8_t equal = spins[x] == others[x];
        to[x] = equal & (draws[x] < threshold);
        satisfied += equal;
    }
    t->satisfied += satisfied;
}

/* Labels a row; up are its bonds to the row above, NULL for the first. right[size - 1] joins its
 * ends. */
static void label_row(torus *t, uint32_t y, const uint8_t *up)
{
    uint32_t *parents = t->parents, first = y * t->size, left = first;
    for (uint32_t x = 0; x < t->size; x++) {
        uint32_t i = first + x;
        int joined = x > 0 && t->right[x - 1];
        if (up != NULL && up[x]) {
            uint32_t above = root(parents, i - t->size);
            if (joined && left != above)
                above = unite(parents, left, above);
            left = parents[i] = above;
        } else
            left = parents[i] = joined ? left : i;
    }
    if (t->right[t->size - 1])
        unite(parents, first + t->size - 1, first);
}

static void serial_sweep(torus *t)
{
    const uint32_t size = t->size;
    const uint8_t *up = NULL;
    t->satisfied = 0;
    for (uint32_t y = 0; y < size; y++) {
        uint8_t *row = t->spins + (size_t)y * size;
        const uint8_t *below = y + 1 < size ? row + size : t->spins;
        bonds(t, row, row + 1, t->right);
        /* the last one goes to the first site */
        t->satisfied += (uint64_t)(row[size - 1] == row[0]) - (row[size - 1] == row[size]);
        t->right[size - 1] = row[size - 1] == row[0] && t->draws[size - 1] < t->threshold;
        label_row(t, y, up);
        bonds(t, row, below, t->down);
        up = t->down;
    }
    for (uint32_t x = 0; x < size; x++)
        if (t->down[x])
            unite(t->parents, (size - 1) * size + x, x);
    for (uint32_t y = 0; y < size; y++) {
        draw(&t->random, t->draws, size / 32 + 1);
        for (uint32_t x = 0; x < size; x++) {
            uint32_t i = y * size + x, up_to = t->parents[t->parents[i]];
            t->parents[i] = up_to;
            t->spins[i] = t->draws[x / 32] >> x % 32 & 1;
            t->spins[i] = t->spins[up_to];
        }
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[count / 2];
}

static void *allocate(size_t bytes)
{
    void *memory = calloc(1, bytes);
    if (memory == NULL)
        exit(CLUP_ERROR_MEMORY);
    return memory;
}

/* ns a site. */
static double time_serial(uint32_t size, double beta, double *energy)
{
    const size_t sites = (size_t)size * size;
    torus t = {.size = size, .threshold = (uint32_t)(-expm1(-beta) * 4294967296.0)};
    double times[SWEEPS], sum = 0;
    t.spins = allocate(sites + 1);
    t.parents = allocate(4 * sites);
    t.right = allocate(size);
    t.down = allocate(size);
    t.draws = allocate(4 * ((size_t)size + 2 * LANES));
    seed(&t.random);
    for (int k = -THERMALIZE; k < SWEEPS; k++) {
        double start = now_s();
        serial_sweep(&t);
        if (k >= 0) {
            times[k] = 1e9 * (now_s() - start) / (double)sites;
            sum -= (double)t.satisfied / (double)sites;
        }
    }
    free(t.spins);
    free(t.parents);
    free(t.right);
    free(t.down);
    free(t.draws);
    *energy = sum / SWEEPS;
    return median(times, SWEEPS);
}

static void check(clup_status status)
{
    if (status == CLUP_OK)
        return;
    fprintf(stderr, "bench_serial: %s: %s\n", clup_status_text(status), clup_error_detail());
    exit(status);
}

/* ns a site by the clock, without measuring. */
static double time_clup(clup_context *context, uint32_t size, double beta, double *energy)
{
    const clup_problem problem = {.size = {size, size}, .periodic = {1, 1}, .q = 2, .beta = beta};
    const clup_plan_request request = {.bonds = "border",
                                       .local = "runs_serial",
                                       .consolidate = "union_serial",
                                       .action = "flip_serial"};
    clup_plan plan;
    clup_simulation *simulation;
    clup_estimate estimates[CLUP_OBSERVABLES];
    double times[RUNS];
    check(clup_plan_choose(context, &problem, NULL, &request, &plan));
    check(
        clup_simulation_create(context, &problem, NULL, &plan, 1, CLUP_START_ORDERED, &simulation));
    check(clup_simulation_run(simulation, THERMALIZE, 0, NULL, NULL));
    for (int k = 0; k < RUNS; k++) {
        double start = now_s();
        check(clup_simulation_run(simulation, SWEEPS / 2, 0, NULL, NULL));
        times[k] = 1e9 * (now_s() - start) / (SWEEPS / 2) / size / size;
    }
    check(clup_simulation_run(simulation, SWEEPS, 1, NULL, NULL));
    check(clup_simulation_estimate(simulation, 0, estimates));
    *energy = estimates[CLUP_ENERGY].mean;
    clup_simulation_free(simulation);
    return median(times, RUNS);
}

int main(int argc, char **argv)
{
    static const char *const sizes[] = {"512", "1024", "2048", "4096"};
    const int given = argc > 2, count = given ? argc - 2 : (int)(sizeof sizes / sizeof *sizes);
    const double beta = clup_critical_beta(CLUP_LATTICE_SQUARE, 2);
    clup_context *context;
    check(clup_context_create(argc > 1 ? argv[1] : "cpu", &context));
    printf("# serial: one core; clup: %s, %u compute units\n", clup_context_device(context)->name,
           clup_context_device(context)->compute_units);
    printf("#    L  serial ns  energy     clup ns  energy     ratio\n");
    for (int k = 0; k < count; k++) {
        double serial_energy, clup_energy;
        uint32_t size = (uint32_t)strtoul(given ? argv[2 + k] : sizes[k], NULL, 10);
        if (size < 2 || size > 32768) {
            fprintf(stderr, "bench_serial: a size is 2 to 32768\n");
            return CLUP_ERROR_USAGE;
        }
        double serial = time_serial(size, beta, &serial_energy),
               ours = time_clup(context, size, beta, &clup_energy);
        printf("%6u  %9.2f  %8.5f  %8.2f  %8.5f  %7.2f\n", size, serial, serial_energy, ours,
               clup_energy, serial / ours);
        fflush(stdout);
    }
    clup_context_free(context);
    return 0;
}
