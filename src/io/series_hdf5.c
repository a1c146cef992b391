/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes series as HDF5, laid out like the results of ALPS (B. Bauer et al., J. Stat. Mech. P05001
 * (2011)), see doc/guide/analysis.md. The file is made in memory, and written whole. */
#include "config.h"

#include "io/series.h"

#ifdef HAVE_HDF5
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "core/model.h"
#include "core/problem.h"
#include "io/hdf5_write.h"
#include "estimate/series.h"

/* Bins of a series at most, as in ALPS. */
#define BINS_MOST 128

/* ---- observables ----------------------------------------------------------------------------- */

/* For bins of 1, 2, 4, .. values writes the sums of their values and of the squares of their means,
 * their number, and the last bin, which is not full. */
static void put_logarithmic(const hdf5_place *at, const double *values, size_t count)
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
    clup_hdf5_put_numbers(at, names[0], sums, levels);
    clup_hdf5_put_numbers(at, names[1], squares, levels);
    clup_hdf5_put_numbers(at, names[2], bins, levels);
    clup_hdf5_put(at, names[3], H5T_STD_U64LE, H5T_NATIVE_UINT64, counts, 1, &all);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        clup_hdf5_mark_text(at, names[k], "binningtype", "logarithmic");
}

/* Writes what ALPS says of a mean; its tau is the sum over rho alone, without 1/2. */
static void put_estimate(const hdf5_place *at, const clup_estimate *estimate, size_t count,
                         bool of_means)
{
    const int8_t flag = of_means;
    clup_hdf5_put_whole(at, "count", count);
    clup_hdf5_put_number(at, "mean/value", estimate->mean);
    if (isfinite(estimate->error))
        clup_hdf5_put_number(at, "mean/error", estimate->error);
    if (isfinite(estimate->tau_int) && !of_means)
        clup_hdf5_put_number(at, "tau/value", estimate->tau_int - 0.5);
    /* a flag as C++ stores it; a function of means cannot be binned anew */
    clup_hdf5_mark(at, "", "cannotrebin", H5T_STD_I8LE, H5T_NATIVE_INT8, &flag);
}

static void put_variance(const hdf5_place *at, const double *values, size_t count, double mean)
{
    double squares = 0;
    for (size_t k = 0; k < count; k++)
        squares += (values[k] - mean) * (values[k] - mean);
    if (count > 1)
        clup_hdf5_put_number(at, "variance/value", squares / ((double)count - 1));
}

static void put_series(const hdf5_place *at, const double *values, size_t count, size_t size)
{
    static const char name[] = "timeseries/data";
    clup_hdf5_put_numbers(at, name, values, count);
    clup_hdf5_mark_text(at, name, "binningtype", "linear");
    clup_hdf5_mark_whole(at, name, "binsize", size);
    clup_hdf5_mark_whole(at, name, "minbinsize", 1);
    clup_hdf5_mark_whole(at, name, "maxbinnum", size > 1 ? BINS_MOST : 0);
}

/* Writes the means of at most BINS_MOST bins, which have a power of two of values; values that do
 * not fill the last bin are left out. */
static void put_bins(const hdf5_place *at, const double *values, size_t count)
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

/* Writes an observable, with its whole series or with bins. */
static void put_observable(const hdf5_place *results, const char *name, const double *values,
                           size_t count, bool whole)
{
    const hdf5_place at = clup_hdf5_inside(results, name);
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
    clup_hdf5_mark_text(&at, "timeseries/data", "sha256", hex);
}

static void put_results(const hdf5_place *at, const clup_record *record, uint32_t r, bool whole)
{
    const record_system *system = &record->systems[r];
    for (size_t k = 0; k < record->name_count; k++)
        put_observable(at, record->names[k], system->series[k], system->count, whole);
    for (unsigned o = 0; system->has_functions && o < OBSERVED; o++) {
        const hdf5_place function = clup_hdf5_inside(at, clup_observable_name(o));
        if (isfinite(system->functions[o].mean))
            put_estimate(&function, &system->functions[o], system->count, true);
    }
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Writes the parameters that ALPS has too, under the names of ALPS. */
static void put_names_of_alps(const hdf5_place *at, const clup_record *record)
{
    static const char *const sides[] = {"L", "W", "H"};
    const clup_problem *problem = &record->problem;
    for (unsigned axis = 0; axis < clup_lattice_axes(problem->lattice); axis++)
        clup_hdf5_put_whole(at, sides[axis], problem->size[axis]);
    if (problem->replicas > 1 || clup_problem_is_percolation(problem))
        return;
    clup_hdf5_put_number(at, "BETA", record->betas[0]);
    clup_hdf5_put_number(at, "T", 1 / record->betas[0]);
}

/* Writes a text as ALPS does: its bytes are elsewhere in the file, where HDF5 has no checksums, and
 * where it may never stop reading if they are damaged. */
static void put_text_of_alps(const hdf5_place *at, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    clup_hdf5_put(at, name, type, type, &text, 0, NULL);
    H5Tclose(type);
}

/* Writes all that is said about the series; put writes each text. */
static void put_texts(const hdf5_place *at, const clup_record *record,
                      void (*put)(const hdf5_place *at, const char *name, const char *text))
{
    char names[CLUP_RECORD_NAMES * CLUP_RECORD_KEY] = "";
    problem_word words[CLUP_PROBLEM_FIELDS];
    const size_t count = clup_problem_words(&record->problem, words);
    for (size_t k = 0; k < count; k++)
        put(at, words[k].key, words[k].value);
    for (size_t k = 0; k < record->field_count; k++)
        put(at, record->fields[k].key, record->fields[k].value);
    for (size_t k = 0; k < record->name_count; k++)
        sprintf(names + strlen(names), "%s%s", k > 0 ? "," : "", record->names[k]);
    put(at, "observables", names);
}

static void put_all(const hdf5_place *root, const void *of)
{
    const clup_record *record = of;
    const hdf5_place parameters = clup_hdf5_inside(root, "parameters"),
                     own = clup_hdf5_inside(root, "clup"),
                     results = clup_hdf5_inside(root, "simulation/results");
    clup_hdf5_mark_text(root, "", "clup", CLUP_SERIES_FORM);
    put_texts(&own, record, clup_hdf5_put_text);
    put_texts(&parameters, record, put_text_of_alps);
    put_names_of_alps(&parameters, record);
    for (uint32_t r = 0; r < record->problem.replicas; r++) {
        char name[64];
        snprintf(name, sizeof name, "simulation/realizations/0/clones/%" PRIu32, r);
        const hdf5_place clone = clup_hdf5_inside(root, name),
                         whole = clup_hdf5_inside(&clone, "results");
        clup_hdf5_put_number(&clone, clup_record_parameter(record), record->betas[r]);
        clup_hdf5_put_whole(&clone, "replica", (uint64_t)record->problem.first_replica + r);
        clup_hdf5_put_text(&clone, "spins_sha256", record->systems[r].spins);
        put_results(&whole, record, r, true);
    }
    if (record->problem.replicas == 1)
        put_results(&results, record, 0, false);
}

clup_status clup_series_write_hdf5(const clup_record *record, const char *path)
{
    hdf5_image image;
    clup_status status = clup_hdf5_make(path, put_all, record, 0, &image);
    if (status == CLUP_OK)
        status = clup_file_write(path, &(clup_piece){image.bytes, image.size}, 1);
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
