/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of series: reading returns what was written, in both formats. Damaged, cut, foreign and
 * unwritable files are refused, and the message names the file. */
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "clup.h"
#include "run/simulation.h"
#include "tap.h"

static const clup_problem problem = {.size = {8, 6}, .periodic = {1, 0}, .q = 3, .beta = 0.9};
static const char csv[] = "series test.csv", hdf5[] = "series test.h5";

/* Whether the last error detail is one line with the file's name and text. */
static int says(const char *path, const char *text)
{
    const char *detail = clup_error_detail();
    return strstr(detail, path) != NULL && strstr(detail, text) != NULL &&
           strchr(detail, '\n') == NULL;
}

static void refuses(const char *path, const char *text, const char *what)
{
    clup_record *record = (clup_record *)&tap_count;
    const clup_status status = clup_record_read(path, &record);
    ok(status == CLUP_ERROR_RUNTIME && says(path, text) && record == NULL, "%s: %s", what,
       status == CLUP_OK ? "was read" : clup_error_detail());
    if (status == CLUP_OK)
        clup_record_free(record);
}

/* Returns the bytes of a file; the caller frees them. */
static char *bytes_of(const char *path, size_t *size)
{
    struct stat found;
    FILE *from = fopen(path, "rb");
    if (from == NULL || fstat(fileno(from), &found) != 0)
        exit(1);
    char *bytes = malloc((size_t)found.st_size + 1);
    *size = fread(bytes, 1, (size_t)found.st_size, from);
    bytes[*size] = '\0';
    fclose(from);
    return bytes;
}

static void save(const char *path, const char *bytes, size_t size)
{
    FILE *to = fopen(path, "wb");
    if (to == NULL || fwrite(bytes, 1, size, to) != size || fclose(to) != 0)
        exit(1);
}

static int same_series(const clup_record *a, const clup_record *b)
{
    for (uint32_t r = 0; r < clup_record_systems(a); r++) {
        const uint64_t count = clup_record_count(a, r);
        if (clup_record_count(b, r) != count ||
            strcmp(clup_record_spins(a, r), clup_record_spins(b, r)) != 0)
            return 0;
        for (size_t k = 0; clup_record_observable(a, k) != NULL; k++) {
            const char *name = clup_record_observable(a, k);
            const double *x = clup_record_series(a, r, name), *y = clup_record_series(b, r, name);
            if (x == NULL || y == NULL || memcmp(x, y, count * sizeof *x) != 0 ||
                strcmp(clup_record_observable(b, k), name) != 0)
                return 0;
        }
    }
    return clup_record_systems(a) == clup_record_systems(b);
}

static int same_problem(const clup_problem *a, const clup_problem *b)
{
    int same = a->lattice == b->lattice && a->q == b->q && a->replicas == b->replicas &&
               a->first_replica == b->first_replica;
    for (unsigned axis = 0; axis < 2; axis++)
        same = same && a->size[axis] == b->size[axis] && !a->periodic[axis] == !b->periodic[axis];
    for (uint32_t r = 0; same && r < a->replicas; r++)
        same = a->betas[r] == b->betas[r];
    return same;
}

static int same_keys(const clup_record *a, const clup_record *b)
{
    size_t count = 0;
    for (; clup_record_key(a, count) != NULL; count++) {
        const char *key = clup_record_key(a, count), *value = clup_record_get(b, key);
        if (value == NULL || strcmp(value, clup_record_get(a, key)) != 0)
            return 0;
    }
    return clup_record_key(b, count) == NULL;
}

static void check_round_trip(const clup_record *record, const char *path, const char *what)
{
    clup_record *back;
    if (!ok(clup_record_write(record, path) == CLUP_OK && clup_record_read(path, &back) == CLUP_OK,
            "%s is written and read", what)) {
        printf("# %s\n", clup_error_detail());
        return;
    }
    ok(same_series(record, back), "all values are the same, bit for bit");
    ok(same_problem(clup_record_problem(record), clup_record_problem(back)), "the problem");
    ok(same_keys(record, back), "and what else is known");
    clup_record_free(back);
}

/* Makes a record of two runs of the reference, the second added to the first. */
static clup_record *of_simulation(void)
{
    static const double betas[] = {0.5, 1.0 / 3, INFINITY};
    clup_problem three = problem;
    clup_simulation *simulation;
    clup_record *record;
    double values[30];
    three.replicas = 3;
    three.first_replica = 4;
    three.betas = betas;
    NEED(clup_simulation_create(NULL, &three, NULL, NULL, 7, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(simulation, (const clup_observable[]){CLUP_CORRELATION_X}, 1, 1));
    NEED(clup_record_create(&three, &record));
    NEED(clup_record_take(record, simulation));
    ok(clup_record_count(record, 0) == 0 && clup_record_observable(record, 0) == NULL,
       "nothing is taken where nothing was measured");
    NEED(clup_simulation_run(simulation, 20, 1, NULL, NULL));
    NEED(clup_record_take(record, simulation));
    NEED(clup_simulation_run(simulation, 10, 1, NULL, NULL));
    NEED(clup_record_take(record, simulation));
    int same = 1;
    for (uint32_t r = 0; r < 3; r++)
        for (clup_observable o = 0; o < CLUP_OBSERVABLES; o++) {
            const double *taken = clup_record_series(record, r, clup_observable_name(o));
            NEED(clup_simulation_series(simulation, r, o, 0, 30, values));
            if (taken != NULL)
                same = same && memcmp(taken, values, sizeof values) == 0;
        }
    ok(same && clup_record_count(record, 2) == 30, "the series are those of the simulation");
    const double *second = clup_record_series(record, 1, "correlation_x_2");
    NEED(clup_simulation_vector_series(simulation, 1, CLUP_CORRELATION_X, 1, 0, 30, values));
    ok(second != NULL && memcmp(second, values, sizeof values) == 0,
       "and those of each of several values");
    ok(clup_record_series(record, 0, "energy") != NULL &&
           clup_record_series(record, 0, "binder") == NULL,
       "of means alone");
    NEED(clup_record_set_spins(record, 1,
                               "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
    NEED(clup_record_set(record, "seed", "7"));
    NEED(clup_record_set(record, "device", "a name, \"quoted\" = odd\nin two lines: \xc3\xa4"));
    NEED(clup_record_set(record, "first_sweep", "101"));
    NEED(clup_record_set(record, "every", "3"));
    NEED(clup_record_set(record, "none", ""));
    NEED(clup_record_set(record, "gone", "x"));
    NEED(clup_record_set(record, "gone", NULL));
    ok(strchr(clup_record_get(record, "device"), '\n') == NULL &&
           clup_record_get(record, "gone") == NULL,
       "control characters become spaces, and a key goes");
    clup_simulation_free(simulation);
    return record;
}

/* Cuts the file at each length, and changes bytes, at samples of all places. */
static void check_damage(const char *path, const char *what, size_t step)
{
    size_t size, wrong = 0, read = 0;
    char *bytes = bytes_of(path, &size);
    clup_record *record;
    static const char damaged[] = "series damaged";
    for (size_t cut = 0; cut < size; cut += cut < 64 || cut + 64 > size ? 1 : step) {
        save(damaged, bytes, cut);
        const clup_status status = clup_record_read(damaged, &record);
        wrong += status != CLUP_ERROR_RUNTIME || !says(damaged, "");
        if (status == CLUP_OK)
            clup_record_free(record);
    }
    ok(wrong == 0, "%s cut anywhere is refused: %zu are not", what, wrong);
    clup_record *original;
    NEED(clup_record_read(path, &original));
    wrong = 0;
    for (size_t at = 0; at < size; at += step) {
        char *changed = malloc(size);
        memcpy(changed, bytes, size);
        changed[at] ^= (char)(1 << at % 8);
        save(damaged, changed, size);
        free(changed);
        const clup_status status = clup_record_read(damaged, &record);
        if (status == CLUP_OK) {
            /* parts that no reader needs, such as bins and means, may differ */
            read++;
            wrong += !same_series(original, record) ||
                     !same_problem(clup_record_problem(original), clup_record_problem(record)) ||
                     !same_keys(original, record);
            clup_record_free(record);
        } else
            wrong += status != CLUP_ERROR_RUNTIME || !says(damaged, "");
    }
    ok(wrong == 0, "%s with a bit changed is refused or has the same series (%zu): %zu do not",
       what, read, wrong);
    clup_record_free(original);
    free(bytes);
    unlink(damaged);
}

static void check_foreign(void)
{
    static const char path[] = "series foreign";
    static const struct {
        const char *text, *said;
    } rows[] = {
        {"", "no file of series"},
        {"a,b\n1,2\n", "no file of series"},
        {"# clup/series/2\n", "no file of series"},
        {"# clup/series/1\n", "ends early"},
        {"# clup/series/1\nmodel\n", "model is missing"},
        {"# clup/series/1\n# model\n", "KEY = VALUE"},
        {"# clup/series/1\n# model = Villain\nsystem\n", "model is 'Villain'"},
        {"# clup/series/1\n# model = Potts\n# lattice = square\n# size = 4x4x4\nsystem\n",
         "size is '4x4x4'"},
        {"# clup/series/1\n# model = Potts\n# lattice = square\n# size = 4x4\n# periodic = xz\n"
         "system\n",
         "periodic is 'xz'"},
        {"# clup/series/1\n# model = Potts\n# lattice = square\n# size = 4x4\n# periodic = xy\n"
         "# q = 1\n# replicas = 1\n# first_replica = 0\n"
         "# system 0 = beta 1 count 1 spins unknown\nsystem,sweep,energy\n",
         "q"},
        {"# clup/series/1\n# model = Potts\n# lattice = square\n# size = 4x4\n# periodic = xy\n"
         "# q = 2\n# replicas = 9\n# first_replica = 0\n"
         "# system 0 = beta 1 count 1 spins unknown\nsystem,sweep,energy\n",
         "of 9 systems 1"},
        {"# clup/series/1\n# model = Potts\n# lattice = square\n# size = 4x4\n# periodic = xy\n"
         "# q = 2\n# replicas = 1\n# first_replica = 0\n"
         "# system 0 = beta 1 count 1 spins unknown\nsystem,sweep,energy\n0,1,nan\n",
         "no number"},
        {"# clup/series/1\n# model = Potts\n# lattice = square\n# size = 4x4\n# periodic = xy\n"
         "# q = 2\n# replicas = 1\n# first_replica = 0\n"
         "# system 0 = beta 1 count 1 spins unknown\nsystem,sweep,energy,energy\n",
         "two columns"},
        {"# clup/series/1\n# model = Potts\n# lattice = square\n# size = 4x4\n# periodic = xy\n"
         "# q = 2\n# replicas = 1\n# first_replica = 0\n"
         "# system 0 = beta 1 count 1 spins unknown\nsystem,sweep,energy\n1,1,0.5\n",
         "no row"},
        {"# clup/series/1\n# model = Potts\n# lattice = square\n# size = 4x4\n# periodic = xy\n"
         "# q = 2\n# replicas = 1\n# first_replica = 0\n"
         "# system 0 = beta 1 count 1 spins unknown\nsystem,sweep,energy\n0,1,0.5,0.5\n",
         "no number"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        save(path, rows[k].text, strlen(rows[k].text));
        refuses(path, rows[k].said, "a table that is none");
    }
    save(path, "\x89HDF\r\n\x1a\nand nothing else", 24);
    refuses(path, "HDF5", "the signature of HDF5 alone");
    unlink(path);
    refuses(nowhere("file.h5"), "No such file", "no file");
    refuses("/", "directory", "a folder");
    refuses("/dev/zero", "no regular file", "a file without an end");
    if (mkfifo(path, 0600) != 0)
        exit(1);
    refuses(path, "no regular file", "a pipe that nobody writes");
    unlink(path);
}

/* Locks the file, as a program does that has it open for writing. */
static void check_locked(void)
{
    clup_record *record;
    const int other = open(hdf5, O_RDONLY | O_CLOEXEC);
    if (other < 0 || flock(other, LOCK_EX) != 0)
        exit(1);
    refuses(hdf5, "it is locked: another program has it open to write", "a file that is locked");
    ok(says(hdf5, "HDF5_USE_FILE_LOCKING=FALSE") && !says(hdf5, "damaged"),
       "what reads it all the same is said");
    close(other);
    NEED(clup_record_read(hdf5, &record));
    clup_record_free(record);
    ok(1, "it is read once it is let go");
}

static void check_unwritable(const clup_record *record)
{
    size_t size;
    static const char *const paths[] = {csv, hdf5};
    ok(clup_record_write(record, "/dev/full") == CLUP_ERROR_USAGE, "a file without an extension");
    for (size_t k = 0; k < 2; k++) {
        char link[64];
        snprintf(link, sizeof link, "full%s", strrchr(paths[k], '.'));
        unlink(link);
        if (symlink("/dev/full", link) != 0)
            exit(1);
        ok(clup_record_write(record, link) == CLUP_ERROR_RUNTIME && says(link, "No space left"),
           "no room: %s", clup_error_detail());
        unlink(link);
        const char *absent = nowhere(link);
        ok(clup_record_write(record, absent) == CLUP_ERROR_RUNTIME && says(absent, "No such file"),
           "no folder: %s", clup_error_detail());
        char *before = bytes_of(paths[k], &size);
        ok(clup_record_write(record, paths[k]) == CLUP_OK, "a file is replaced");
        free(before);
    }
}

int main(void)
{
    setenv("HDF5_USE_FILE_LOCKING", "TRUE", 1);
    clup_record *record = of_simulation(), *empty;
    const int with_hdf5 = clup_hdf5_version() != NULL;
    ok(1, "HDF5: %s", with_hdf5 ? clup_hdf5_version() : "none");
    check_round_trip(record, csv, "a table");
    if (with_hdf5)
        check_round_trip(record, hdf5, "HDF5");
    else
        ok(clup_record_write(record, hdf5) == CLUP_ERROR_USAGE && says(hdf5, "without HDF5"),
           "a build without HDF5 says so");
    check_damage(csv, "a table", 17);
    if (with_hdf5) {
        check_damage(hdf5, "HDF5", 149);
        check_locked();
    }
    check_foreign();
    if (with_hdf5)
        check_unwritable(record);
    NEED(clup_record_create(&problem, &empty));
    ok(clup_record_write(empty, csv) == CLUP_ERROR_USAGE, "no series: %s", clup_error_detail());
    NEED(clup_record_set_series(empty, 0, "energy", (const double[]){-1.25}, 1));
    check_round_trip(empty, csv, "one value");
    if (with_hdf5)
        check_round_trip(empty, hdf5, "one value in HDF5");
    clup_record_free(empty);
    clup_record_free(record);
    unlink(csv);
    unlink(hdf5);
    return done_testing();
}
