/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads series from HDF5 files that clup wrote, see series_hdf5.c. */
#include "config.h"

#include "io/series.h"

#ifdef HAVE_HDF5
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/watch.h"
#include "core/model.h"
#include "core/problem.h"
#include "io/hdf5_read.h"

typedef struct reader {
    hdf5_reader *file;
    clup_record *record;
} reader;

static const char *said(void *user, const char *key)
{
    char path[128];
    snprintf(path, sizeof path, "/clup/%s", key);
    return clup_hdf5_text(((reader *)user)->file, path);
}

/* ---- the record ------------------------------------------------------------------------------ */

static void clone_path(char path[320], uint32_t system, const char *name)
{
    snprintf(path, 320, "/simulation/realizations/0/clones/%" PRIu32 "/%s", system, name);
}

static clup_status make_record(reader *reader)
{
    clup_problem problem;
    clup_status status = clup_problem_of_words(said, reader, &problem);
    if (status != CLUP_OK)
        return clup_hdf5_fail(reader->file, "%s", clup_error_detail());
    if (problem.replicas < 1 || problem.replicas > 65535)
        return clup_hdf5_fail(reader->file, "it has %" PRIu32 " systems", problem.replicas);
    double *betas = calloc(problem.replicas, sizeof *betas);
    if (betas == NULL)
        return clup_fail_memory("the series");
    problem.betas = betas;
    for (uint32_t r = 0; r < problem.replicas && status == CLUP_OK; r++) {
        char path[320];
        const char *called = clup_problem_is_percolation(&problem) ? "p" : "beta";
        clone_path(path, r, called);
        const hdf5_array beta = clup_hdf5_array(reader->file, path, H5T_NATIVE_DOUBLE);
        if (beta.values != NULL && beta.axes == 0)
            betas[r] = *(double *)beta.values;
        else
            status = clup_hdf5_fail(reader->file, "the %s of system %" PRIu32 " %s", called, r,
                                    beta.values != NULL ? "is of another size"
                                                        : clup_hdf5_why(reader->file));
        free(beta.values);
    }
    if (status == CLUP_OK)
        status = clup_hdf5_name_file(reader->file, clup_record_create(&problem, &reader->record));
    free(betas);
    return status;
}

/* Keeps all keys but those that follow from the problem and the series. */
static clup_status read_keys(reader *reader)
{
    hdf5_names names;
    clup_status status = CLUP_OK;
    if (!clup_hdf5_names(reader->file, "/clup", &names))
        return clup_hdf5_fail(reader->file, "its /clup %s", clup_hdf5_why(reader->file));
    for (size_t k = 0; k < names.count && status == CLUP_OK; k++) {
        const char *key = names.of[k];
        const bool taken = strcmp(key, "observables") == 0 || !clup_record_key_ok(key) ||
                           clup_problem_has_key(key);
        const char *value = taken ? NULL : said(reader, key);
        if (!taken && value == NULL)
            status = clup_hdf5_fail(reader->file, "its /clup/%s %s", key,
                                    clup_hdf5_why(reader->file));
        else if (!taken)
            status = clup_hdf5_name_file(reader->file, clup_record_set(reader->record, key, value));
    }
    return status;
}

static clup_status read_series(reader *reader, uint32_t r, const char *name)
{
    char path[320], place[256], hex[65];
    snprintf(place, sizeof place, "results/%s/timeseries/data", name);
    clone_path(path, r, place);
    const hdf5_array series = clup_hdf5_array(reader->file, path, H5T_NATIVE_DOUBLE);
    if (series.values == NULL || series.axes != 1) {
        const char *why = series.values != NULL ? "is of another size"
                                                : clup_hdf5_why(reader->file);
        free(series.values);
        return clup_hdf5_fail(reader->file, "'%s' of system %" PRIu32 " %s", name, r, why);
    }
    const char *sha256 = clup_hdf5_attribute(reader->file, path, "sha256");
    clup_hdf5_hash(series.values, (size_t)series.count, hex);
    const clup_status status =
        sha256 != NULL && strcmp(hex, sha256) == 0
            ? clup_hdf5_name_file(reader->file, clup_record_set_series(reader->record, r, name,
                                                                       series.values, series.count))
            : clup_hdf5_fail(
                  reader->file,
                  "'%s' of system %" PRIu32
                  " is damaged, or was changed: its SHA-256 is not the one that is there",
                  name, r);
    free(series.values);
    return status;
}

static clup_status read_system(reader *reader, uint32_t r, const char *names)
{
    char path[320];
    clone_path(path, r, "spins_sha256");
    const char *spins = clup_hdf5_text(reader->file, path);
    clup_status status = spins != NULL
                             ? clup_hdf5_name_file(reader->file,
                                                   clup_record_set_spins(reader->record, r, spins))
                             : clup_hdf5_fail(reader->file,
                                              "system %" PRIu32 " has no spins_sha256", r);
    for (const char *at = names; status == CLUP_OK;) {
        char name[CLUP_RECORD_KEY];
        const size_t length = strcspn(at, ",");
        if (length == 0 || length >= sizeof name)
            return clup_hdf5_fail(reader->file, "no list of observables: '%.80s'", names);
        memcpy(name, at, length);
        name[length] = '\0';
        if (!clup_record_key_ok(name))
            return clup_hdf5_fail(reader->file, "no name of an observable: '%s'", name);
        status = read_series(reader, r, name);
        if (at[length] == '\0')
            break;
        at += length + 1;
    }
    return status;
}

static clup_status read_all(hdf5_reader *file, void *of)
{
    reader reading = {.file = file}, *reader = &reading;
    clup_status status;
    char *names = NULL;
    const char *form = clup_hdf5_attribute(file, "/", "clup"), *list;
    if (form == NULL || strcmp(form, CLUP_SERIES_FORM) != 0)
        return clup_hdf5_fail(reader->file, "is no file of series, as --series writes");
    CLUP_TRY(make_record(reader));
    CLUP_TRY(read_keys(reader));
    if ((list = said(reader, "observables")) == NULL)
        CLUP_TRY(clup_hdf5_fail(reader->file, "it has no list of observables"));
    if ((names = strdup(list)) == NULL)
        CLUP_TRY(clup_fail_memory("the series"));
    for (uint32_t r = 0; r < reader->record->problem.replicas; r++) {
        CLUP_TRY(clup_watch_ask());
        CLUP_TRY(read_system(reader, r, names));
    }
done:
    free(names);
    if (status == CLUP_OK)
        *(clup_record **)of = reader->record;
    else
        clup_record_free(reader->record);
    return status;
}

clup_status clup_series_read_hdf5(const char *path, clup_record **out)
{
    return clup_hdf5_read(path, read_all, out);
}
#else
clup_status clup_series_read_hdf5(const char *path, clup_record **out)
{
    (void)out;
    return clup_fail(CLUP_ERROR_RUNTIME, "'%s': there is no HDF5", path);
}
#endif
