/* Series as HDF5, laid out as the results of ALPS are (B. Bauer et al., J. Stat. Mech. P05001
 * (2011)), see doc/analysis.md. The file is made in memory, and written whole. */
#include "config.h"

#include "io/series.h"

#ifdef HAVE_HDF5
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "io/hdf5.h"
#include "observe/series.h"

/* Bins of a series, as many as ALPS keeps at most. */
#define BINS_MOST 128

/* A place in the file, and whether all has worked so far. Each of the functions below makes what is
 * at "GROUP/../NAME" under it, and groups as they are needed. */
typedef struct place {
    hid_t file;
    hid_t with_groups, compact; /* properties: of links, and of what stands in a header */
    char path[512];
    bool *failed;
} place;

static place inside(const place *outer, const char *name)
{
    place inner = *outer;
    const size_t length = strlen(inner.path);
    if ((size_t)snprintf(inner.path + length, sizeof inner.path - length, "/%s", name) >=
        sizeof inner.path - length)
        *inner.failed = true;
    return inner;
}

static void keep(const place *at, herr_t result)
{
    *at->failed = *at->failed || result < 0;
}

/* An array, or one number or text where count is NULL, which has the checksum of the header that it
 * stands in. */
static void put(const place *at, const char *name, hid_t stored, hid_t type, const void *data,
                const hsize_t *count)
{
    const place to = inside(at, name);
    if (*at->failed)
        return;
    const hid_t space = count != NULL ? H5Screate_simple(1, count, NULL) : H5Screate(H5S_SCALAR);
    const hid_t set = H5Dcreate2(to.file, to.path, stored, space, to.with_groups,
                                 count != NULL ? H5P_DEFAULT : to.compact, H5P_DEFAULT);
    keep(at, set);
    if (set >= 0 && (count == NULL || *count > 0))
        keep(at, H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
    if (set >= 0)
        keep(at, H5Dclose(set));
    H5Sclose(space);
}

static void put_number(const place *at, const char *name, double number)
{
    put(at, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &number, NULL);
}

static void put_whole(const place *at, const char *name, uint64_t number)
{
    put(at, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &number, NULL);
}

static void put_numbers(const place *at, const char *name, const double *numbers, size_t count)
{
    const hsize_t all = count;
    put(at, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, numbers, &all);
}

/* The type of a text of a fixed length, whose bytes stand where it does. */
static hid_t text_type(const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, *text != '\0' ? strlen(text) : 1);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static void put_text(const place *at, const char *name, const char *text)
{
    const hid_t type = text_type(text);
    put(at, name, type, type, text, NULL);
    H5Tclose(type);
}

/* The same as ALPS has texts: their bytes stand elsewhere in the file, where HDF5 has no checksums,
 * and may not even come to an end of them when they are damaged. */
static void put_text_of_alps(const place *at, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    put(at, name, type, type, &text, NULL);
    H5Tclose(type);
}

/* An attribute of what is there already. */
static void mark(const place *at, const char *of, const char *name, hid_t stored, hid_t type,
                 const void *data)
{
    const place to = inside(at, of);
    if (*at->failed)
        return;
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate_by_name(to.file, to.path, name, stored, space, H5P_DEFAULT,
                                              H5P_DEFAULT, H5P_DEFAULT);
    keep(at, attribute);
    if (attribute >= 0) {
        keep(at, H5Awrite(attribute, type, data));
        keep(at, H5Aclose(attribute));
    }
    H5Sclose(space);
}

static void mark_text(const place *at, const char *of, const char *name, const char *text)
{
    const hid_t type = text_type(text);
    mark(at, of, name, type, type, text);
    H5Tclose(type);
}

static void mark_whole(const place *at, const char *of, const char *name, uint64_t number)
{
    mark(at, of, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &number);
}

/* ---- observables ----------------------------------------------------------------------------- */

/* Sums over bins of 1, 2, 4, .. values, of their means' squares, their number, and the last bin,
 * which is not full, of each. */
static void put_logarithmic(const place *at, const double *values, size_t count)
{
    enum { LEVELS = 64 };
    static const char *const names[] = {"timeseries/logbinning", "timeseries/logbinning2",
                                        "timeseries/logbinning_lastbin",
                                        "timeseries/logbinning_counts"};
    double sums[LEVELS] = {0}, squares[LEVELS] = {0}, bins[LEVELS] = {0};
    uint64_t counts[LEVELS] = {0};
    size_t levels = 0;
    for (size_t n = 0; n < count; n++) {
        double bin = values[n];
        size_t level = 0;
        for (;; level++) {
            const double size = (double)((uint64_t)1 << level);
            sums[level] += bin;
            squares[level] += bin / size * (bin / size);
            counts[level]++;
            levels = level + 1 > levels ? level + 1 : levels;
            if (counts[level] % 2 != 0) {
                bins[level + 1] = bin;
                break;
            }
            bin += bins[level + 1];
            bins[level + 1] = 0;
        }
    }
    const hsize_t all = levels;
    put_numbers(at, names[0], sums, levels);
    put_numbers(at, names[1], squares, levels);
    put_numbers(at, names[2], bins, levels);
    put(at, names[3], H5T_STD_U64LE, H5T_NATIVE_UINT64, counts, &all);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        mark_text(at, names[k], "binningtype", "logarithmic");
}

/* What ALPS says of a mean; its tau is the sum over rho alone, without 1/2. */
static void put_estimate(const place *at, const clup_estimate *estimate, size_t count,
                         bool of_means)
{
    const int8_t flag = of_means;
    put_whole(at, "count", count);
    put_number(at, "mean/value", estimate->mean);
    if (isfinite(estimate->error))
        put_number(at, "mean/error", estimate->error);
    if (isfinite(estimate->tau_int) && !of_means)
        put_number(at, "tau/value", estimate->tau_int - 0.5);
    /* as C++ has flags; a function of means cannot be binned anew */
    mark(at, "", "cannotrebin", H5T_STD_I8LE, H5T_NATIVE_INT8, &flag);
}

static void put_variance(const place *at, const double *values, size_t count, double mean)
{
    double squares = 0;
    for (size_t k = 0; k < count; k++)
        squares += (values[k] - mean) * (values[k] - mean);
    if (count > 1)
        put_number(at, "variance/value", squares / ((double)count - 1));
}

static void put_series(const place *at, const double *values, size_t count, size_t size)
{
    static const char name[] = "timeseries/data";
    put_numbers(at, name, values, count);
    mark_text(at, name, "binningtype", "linear");
    mark_whole(at, name, "binsize", size);
    mark_whole(at, name, "minbinsize", 1);
    mark_whole(at, name, "maxbinnum", size > 1 ? BINS_MOST : 0);
}

/* Means of bins of a power of two of values, of which there are at most BINS_MOST; values that do
 * not fill the last bin are left out. */
static void put_bins(const place *at, const double *values, size_t count)
{
    double bins[BINS_MOST];
    size_t size = 1;
    while (count / size > BINS_MOST)
        size *= 2;
    for (size_t k = 0; k < count / size; k++) {
        bins[k] = 0;
        for (size_t n = 0; n < size; n++)
            bins[k] += values[k * size + n] / (double)size;
    }
    put_series(at, bins, count / size, size);
}

/* An observable, with its series whole or in bins. */
static void put_observable(const place *results, const char *name, const double *values,
                           size_t count, bool whole)
{
    const place at = inside(results, name);
    char hex[65];
    const clup_estimate estimate = clup_series_estimate(values, count);
    put_estimate(&at, &estimate, count, false);
    put_variance(&at, values, count, estimate.mean);
    put_logarithmic(&at, values, count);
    if (!whole) {
        put_bins(&at, values, count);
        return;
    }
    put_series(&at, values, count, 1);
    clup_hdf5_hash(values, count, hex);
    mark_text(&at, "timeseries/data", "sha256", hex);
}

static void put_results(const place *at, const clup_record *record, uint32_t r, bool whole)
{
    const record_system *system = &record->systems[r];
    for (size_t k = 0; k < record->name_count; k++)
        put_observable(at, record->names[k], system->series[k], system->count, whole);
    for (clup_observable o = 0; system->has_functions && o < CLUP_OBSERVABLES; o++) {
        const place function = inside(at, clup_observable_name(o));
        if (isfinite(system->functions[o].mean))
            put_estimate(&function, &system->functions[o], system->count, true);
    }
}

/* ---- the file -------------------------------------------------------------------------------- */

/* What ALPS calls the parameters that it has as well. */
static void put_names_of_alps(const place *at, const clup_record *record)
{
    static const char *const sides[] = {"L", "W", "H"};
    const clup_problem *problem = &record->problem;
    for (unsigned axis = 0; axis < clup_lattice_axes(problem->lattice); axis++)
        put_whole(at, sides[axis], problem->size[axis]);
    if (problem->replicas > 1)
        return;
    put_number(at, "BETA", record->betas[0]);
    put_number(at, "T", 1 / record->betas[0]);
}

/* All that is said about the series, each text by put. */
static void put_texts(const place *at, const clup_record *record,
                      void (*put)(const place *at, const char *name, const char *text))
{
    char names[CLUP_RECORD_NAMES * CLUP_RECORD_KEY] = "";
    problem_word words[CLUP_PROBLEM_WORDS];
    clup_problem_words(&record->problem, words);
    for (size_t k = 0; k < CLUP_PROBLEM_WORDS; k++)
        put(at, words[k].key, words[k].value);
    for (size_t k = 0; k < record->field_count; k++)
        put(at, record->fields[k].key, record->fields[k].value);
    for (size_t k = 0; k < record->name_count; k++)
        sprintf(names + strlen(names), "%s%s", k > 0 ? "," : "", record->names[k]);
    put(at, "observables", names);
}

static void put_all(const place *root, const clup_record *record)
{
    const place parameters = inside(root, "parameters"), own = inside(root, "clup"),
                results = inside(root, "simulation/results");
    mark_text(root, "", "clup", CLUP_SERIES_FORM);
    put_texts(&own, record, put_text);
    put_texts(&parameters, record, put_text_of_alps);
    put_names_of_alps(&parameters, record);
    for (uint32_t r = 0; r < record->problem.replicas; r++) {
        char name[64];
        snprintf(name, sizeof name, "simulation/realizations/0/clones/%" PRIu32, r);
        const place clone = inside(root, name), whole = inside(&clone, "results");
        put_number(&clone, "beta", record->betas[r]);
        put_whole(&clone, "replica", (uint64_t)record->problem.first_replica + r);
        put_text(&clone, "spins_sha256", record->systems[r].spins);
        put_results(&whole, record, r, true);
    }
    if (record->problem.replicas == 1)
        put_results(&results, record, 0, false);
}

/* The bytes of a file that HDF5 makes in memory, which are left when it closes it: before that, the
 * ones that H5Fget_file_image gives have a wrong checksum. */
typedef struct image {
    uint8_t *bytes;
    size_t size;
} image;

static void *image_malloc(size_t size, H5FD_file_image_op_t op, void *user)
{
    image *image = user;
    (void)op;
    image->size = size;
    return image->bytes = malloc(size);
}

static void *image_copy(void *to, const void *from, size_t size, H5FD_file_image_op_t op,
                        void *user)
{
    (void)op;
    (void)user;
    return memcpy(to, from, size);
}

static void *image_realloc(void *bytes, size_t size, H5FD_file_image_op_t op, void *user)
{
    image *image = user;
    (void)op;
    uint8_t *grown = realloc(bytes, size);
    if (grown != NULL)
        *image = (struct image){grown, size};
    return grown;
}

static herr_t image_free(void *bytes, H5FD_file_image_op_t op, void *user)
{
    (void)bytes;
    (void)op;
    (void)user;
    return 0;
}

static void *keep_user(void *user)
{
    return user;
}

static herr_t leave_user(void *user)
{
    (void)user;
    return 0;
}

/* The image is longer than the file, whose length stands in its first block (HDF5 file format,
 * versions 2 and 3 of the superblock). */
static void trim(image *image)
{
    enum { VERSION_AT = 8, LENGTH_AT = 28, BLOCK = 48 };
    uint64_t length = 0;
    if (image->size < BLOCK || image->bytes[VERSION_AT] < 2)
        return;
    for (unsigned byte = 0; byte < 8; byte++)
        length |= (uint64_t)image->bytes[LENGTH_AT + byte] << (8 * byte);
    if (length >= BLOCK && length < image->size)
        image->size = (size_t)length;
}

/* False where HDF5 could not make it. */
static bool make_file(const clup_record *record, image *image)
{
    bool failed = false;
    place root = {.failed = &failed};
    H5FD_file_image_callbacks_t callbacks = {image_malloc, image_copy, image_realloc, image_free,
                                             keep_user,    leave_user, image};
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    root.with_groups = H5Pcreate(H5P_LINK_CREATE);
    root.compact = H5Pcreate(H5P_DATASET_CREATE);
    keep(&root, H5Pset_layout(root.compact, H5D_COMPACT));
    keep(&root, H5Pset_create_intermediate_group(root.with_groups, 1));
    keep(&root, H5Pset_fapl_core(access, 1 << 20, 0));
    keep(&root, H5Pset_file_image_callbacks(access, &callbacks));
    /* the first form that has checksums of all but the series */
#if H5_VERSION_GE(1, 10, 2)
    keep(&root, H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18));
#else
    keep(&root, H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
#endif
    root.file = H5Fcreate("clup", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    keep(&root, root.file);
    if (!failed)
        put_all(&root, record);
    if (root.file >= 0)
        keep(&root, H5Fclose(root.file));
    H5Pclose(root.compact);
    H5Pclose(root.with_groups);
    H5Pclose(access);
    if (!failed && image->bytes != NULL)
        trim(image);
    return !failed && image->bytes != NULL;
}

clup_status clup_series_write_hdf5(const clup_record *record, const char *path)
{
    hdf5_use use;
    image image = {NULL, 0};
    clup_hdf5_begin(&use);
    const bool made = make_file(record, &image);
    clup_hdf5_end(&use, 0);
    const clup_status status = made ? clup_file_write(path, &(clup_piece){image.bytes, image.size},
                                                      1)
                                    : clup_fail(CLUP_ERROR_MEMORY,
                                                "HDF5 cannot make '%s' in the host's memory", path);
    free(image.bytes);
    return status;
}
#else
clup_status clup_series_write_hdf5(const clup_record *record, const char *path)
{
    (void)record;
    return clup_fail(CLUP_ERROR_USAGE, "'%s': there is no HDF5", path);
}
#endif
