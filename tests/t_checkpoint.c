/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints. A simulation that is saved and loaded continues as if it had not been interrupted. A
 * damaged, cut or impossible file is refused, and the message names the file. */
#include <string.h>
#include <sys/stat.h>

#include "io/checkpoint.h"
#include "run/simulation.h"
#include "tap.h"

static const char path[] = "checkpoint test.h5";

/* Whether the last error detail is one line with the file's name and text. */
static int says(const char *text)
{
    const char *detail = clup_error_detail();
    return strstr(detail, path) != NULL && strstr(detail, text) != NULL &&
           strchr(detail, '\n') == NULL;
}

static void check_packing(void)
{
    uint8_t spins[67], packed[8 * 9], back[67];
    int right = 1;
    for (unsigned planes = 1; planes <= 8; planes++)
        for (uint64_t sites = 1; sites <= sizeof spins; sites++) {
            for (uint64_t i = 0; i < sites; i++)
                spins[i] = (uint8_t)((i * 197 + 31 * sites) & ((1u << planes) - 1));
            memset(packed, 0xFF, sizeof packed);
            const clup_packing packing = {planes, (sites + 7) / 8, false};
            clup_spins_pack(packing, spins, 0, sites, packed);
            memset(back, 0xFF, sizeof back);
            clup_spins_unpack(packing, packed, 0, sites, back);
            right = right && memcmp(spins, back, (size_t)sites) == 0;
        }
    ok(right, "spins of 1 to 8 bits and 1 to 67 sites are packed, and unpacked");
    clup_spins_pack((clup_packing){2, 2, false}, (const uint8_t[]){1, 0, 3, 2, 0, 0, 0, 0, 2}, 0, 9,
                    packed);
    ok(packed[0] == 5 && packed[1] == 0 && packed[2] == 12 && packed[3] == 1,
       "the lowest bit of the first site first");
    const clup_packing bytes = {4, 16, true};
    clup_spins_pack(bytes, spins, 0, 8, packed);
    clup_spins_pack(bytes, spins + 32, 8, 8, packed);
    clup_spins_unpack(bytes, packed, 5, 7, back);
    ok(packed[0] == spins[0] && packed[16] == spins[1] && packed[63] == spins[63] &&
           memcmp(back, spins + 20, 28) == 0,
       "of vectors the first byte of all sites first, and by pieces");
}

/* ---- going on -------------------------------------------------------------------------------- */

static clup_simulation *begin(const clup_problem *problem, const clup_method *method,
                              uint64_t every)
{
    static const clup_observable wanted[] = {CLUP_CLUSTERS, CLUP_SK};
    clup_simulation *simulation;
    NEED(clup_simulation_create(NULL, problem, method, NULL, 77, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(simulation, wanted, 2, every));
    return simulation;
}

/* Whether two simulations have equal spins, and equal series of all measured observables. */
static int same(clup_simulation *a, clup_simulation *b, const clup_problem *problem)
{
    const uint32_t replicas = problem->replicas > 0 ? problem->replicas : 1;
    const size_t sites = (size_t)clup_problem_sites(problem) * replicas;
    const uint64_t count = clup_simulation_measured(a);
    uint8_t *spins = malloc(2 * sites);
    double *values = malloc((2 * (size_t)count + 1) * sizeof *values);
    int right = clup_simulation_sweeps(a) == clup_simulation_sweeps(b) &&
                clup_simulation_measured(b) == count;
    NEED(clup_simulation_spins(a, spins));
    NEED(clup_simulation_spins(b, spins + sites));
    right = right && memcmp(spins, spins + sites, sites) == 0;
    for (uint32_t r = 0; r < replicas && right; r++)
        for (clup_observable k = 0; k < CLUP_OBSERVABLES; k++) {
            NEED(clup_simulation_series(a, r, k, 0, count, values));
            NEED(clup_simulation_series(b, r, k, 0, count, values + count));
            right = right && memcmp(values, values + count, (size_t)count * sizeof *values) == 0;
        }
    free(spins);
    free(values);
    return right;
}

/* Saves after a number of sweeps, loads, and goes on. */
static void check_going_on(const char *what, const clup_problem *problem, const clup_method *method,
                           uint64_t every, uint64_t plain, uint64_t measured)
{
    clup_simulation *whole = begin(problem, method, every), *part = begin(problem, method, every),
                    *loaded;
    clup_checkpoint *checkpoint;
    clup_record *said;
    NEED(clup_record_create(problem, &said));
    NEED(clup_record_set(said, "purpose", "a test, with \xc3\xa9"));
    NEED(clup_simulation_run(whole, plain, 0, NULL, NULL));
    NEED(clup_simulation_run(whole, measured + 31, 1, NULL, NULL));
    NEED(clup_simulation_run(part, plain, 0, NULL, NULL));
    NEED(clup_simulation_run(part, measured, 1, NULL, NULL));
    NEED(clup_simulation_save(part, said, path));
    NEED(clup_checkpoint_read(path, &checkpoint));
    const clup_problem *found = clup_checkpoint_problem(checkpoint);
    const char *purpose = clup_record_get(clup_checkpoint_said(checkpoint), "purpose");
    ok(found->lattice == problem->lattice && found->q == problem->q &&
           (found->betas != NULL) == (problem->betas != NULL) && found->beta == part->betas[0] &&
           found->first_replica == problem->first_replica &&
           clup_checkpoint_method(checkpoint)->algorithm == part->method.algorithm &&
           clup_checkpoint_seed(checkpoint) == 77 &&
           clup_checkpoint_sweeps(checkpoint) == plain + measured &&
           clup_checkpoint_every(checkpoint) == every && purpose != NULL &&
           strcmp(purpose, "a test, with \xc3\xa9") == 0,
       "%s: what was simulated is there", what);
    NEED(clup_simulation_load(NULL, checkpoint, NULL, &loaded));
    ok(same(part, loaded, problem), "%s: a simulation of it is where the first one is", what);
    clup_checkpoint_free(checkpoint);
    NEED(clup_simulation_run(loaded, 31, 1, NULL, NULL));
    ok(same(whole, loaded, problem), "%s: and goes on as one that was not saved", what);
    clup_record_free(said);
    clup_simulation_free(whole);
    clup_simulation_free(part);
    clup_simulation_free(loaded);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refuses(const char *text, const char *what)
{
    clup_checkpoint *checkpoint = (clup_checkpoint *)&tap_count;
    const clup_status status = clup_checkpoint_read(path, &checkpoint);
    ok(status == CLUP_ERROR_RUNTIME && says(text) && checkpoint == NULL, "%s: %s", what,
       status == CLUP_OK ? "was read" : clup_error_detail());
    if (status == CLUP_OK)
        clup_checkpoint_free(checkpoint);
}

static void save(const uint8_t *bytes, size_t size)
{
    FILE *to = fopen(path, "wb");
    if (to == NULL || fwrite(bytes, 1, size, to) != size || fclose(to) != 0)
        exit(1);
}

/* Changes each byte in turn, and cuts the file at each length; samples of them in a long file. */
static void check_damage(clup_simulation *simulation)
{
    enum { STEP = 13 };
    struct stat found;
    clup_checkpoint *checkpoint;
    unsigned changed = 0, cut = 0, tried = 0;
    NEED(clup_simulation_save(simulation, NULL, path));
    FILE *from = fopen(path, "rb");
    if (from == NULL || fstat(fileno(from), &found) != 0)
        exit(1);
    const size_t size = (size_t)found.st_size;
    uint8_t *bytes = malloc(size);
    if (fread(bytes, 1, size, from) != size)
        exit(1);
    fclose(from);
    for (size_t at = 0; at < size; at += at < 100 ? 1 : STEP, tried++) {
        bytes[at] ^= (uint8_t)(1u << at % 8);
        save(bytes, size);
        changed += clup_checkpoint_read(path, &checkpoint) == CLUP_ERROR_RUNTIME && says("");
        bytes[at] ^= (uint8_t)(1u << at % 8);
        save(bytes, at);
        cut += clup_checkpoint_read(path, &checkpoint) == CLUP_ERROR_RUNTIME && says("");
    }
    ok(changed == tried, "of %u bytes that were changed %u were noticed", tried, changed);
    ok(cut == tried, "of %u lengths %u", tried, cut);
    save(bytes, size);
    NEED(clup_checkpoint_read(path, &checkpoint));
    clup_checkpoint_free(checkpoint);
    bytes[strlen(CLUP_CHECKPOINT_FORM)] = '9';
    save(bytes, size);
    refuses("was written by a later clup", "another version");
    free(bytes);
}

/* Writes a checkpoint with an impossible value and a right checksum. */
#define WRONG(text, change) \
    do { \
        NEED(clup_checkpoint_take(simulation, &checkpoint)); \
        change; \
        NEED(clup_checkpoint_write_hdf5(checkpoint, NULL, path)); \
        refuses(text, #change); \
        clup_checkpoint_free(checkpoint); \
    } while (0)

static void check_contents(clup_simulation *simulation)
{
    clup_checkpoint *checkpoint;
    clup_simulation *loaded;
    WRONG("measured every 0", checkpoint->measuring.every = 0);
    WRONG("2 after one", checkpoint->measuring.before = checkpoint->measuring.every);
    WRONG("records have the form", checkpoint->method.algorithm = CLUP_WOLFF);
    WRONG("records have the form", checkpoint->measuring.format |= RECORD_PAIR_NUMBERS(7));
    WRONG("'mwc'", checkpoint->method.rng = "mwc");
    WRONG("'none'", checkpoint->method.rng = "none");
    WRONG("sweeps", checkpoint->sweeps = CLUP_SWEEPS_ALL);
    WRONG("are measured", checkpoint->sweeps = 5);
    WRONG("q", checkpoint->problem.q = 1);
    WRONG("size", checkpoint->problem.size[0] = 0);
    NEED(clup_checkpoint_take(simulation, &checkpoint));
    memset(checkpoint->spins, 0xFF, 4);
    memset(checkpoint->spins + clup_packing_of(&checkpoint->problem).plane, 0xFF, 4);
    ok(clup_simulation_load(NULL, checkpoint, NULL, &loaded) == CLUP_ERROR_USAGE &&
           strstr(clup_error_detail(), "there is no spin 3 of 3 states") != NULL && loaded == NULL,
       "a spin that there is not: %s", clup_error_detail());
    clup_checkpoint_free(checkpoint);
}

int main(void)
{
    static const double betas[] = {0.7, 0.9, 1.1};
    static const clup_problem square = {.size = {9, 7}, .periodic = {1, 0}, .q = 3, .beta = 0.95},
                              several = {.lattice = CLUP_LATTICE_CUBIC,
                                         .size = {4, 3, 5},
                                         .periodic = {1, 1, 1},
                                         .q = 2,
                                         .replicas = 3,
                                         .betas = betas,
                                         .first_replica = 6},
                              ground = {.size = {5, 5}, .q = 256, .beta = 1e9};
    static const clup_method few = {
        .algorithm = CLUP_FEW_CLUSTER, .seeds_per_side = 2, .p_flip = 1.0 / 3};
    check_packing();
    if (clup_hdf5_version() == NULL) {
        clup_simulation *simulation = begin(&square, NULL, 1);
        clup_checkpoint *checkpoint;
        ok(clup_simulation_save(simulation, NULL, path) == CLUP_ERROR_USAGE && says("HDF5"),
           "without HDF5 nothing is saved: %s", clup_error_detail());
        ok(clup_checkpoint_read(path, &checkpoint) == CLUP_ERROR_USAGE && says("HDF5"),
           "or read: %s", clup_error_detail());
        clup_simulation_free(simulation);
        return done_testing();
    }
    check_going_on("a lattice", &square, NULL, 1, 5, 40);
    check_going_on("between measured sweeps", &square, NULL, 7, 5, 24);
    check_going_on("before the first sweep", &square, NULL, 1, 0, 0);
    check_going_on("before the first measured one", &square, NULL, 100, 3, 10);
    check_going_on("systems", &several, NULL, 3, 2, 20);
    check_going_on("few-cluster", &square, &few, 2, 2, 9);
    check_going_on("a ground state", &ground, NULL, 1, 2, 3);
    clup_simulation *simulation = begin(&square, NULL, 2);
    NEED(clup_simulation_run(simulation, 11, 1, NULL, NULL));
    check_damage(simulation);
    check_contents(simulation);
    const char *absent = nowhere("x.h5");
    ok(clup_simulation_save(simulation, NULL, absent) == CLUP_ERROR_RUNTIME &&
           strstr(clup_error_detail(), absent) != NULL,
       "a file that cannot be written: %s", clup_error_detail());
    clup_simulation_free(simulation);
    remove(path);
    return done_testing();
}
