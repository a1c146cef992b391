/* Reads series from HDF5, see series_hdf5.c: what clup wrote, and nothing else. */
#include "config.h"

#include "io/series.h"

#ifdef HAVE_HDF5
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/watch.h"
#include "io/hdf5.h"

typedef struct reader {
    hid_t file;
    const char *path;
    uint64_t size; /* of the file, in bytes */
    char text[CLUP_RECORD_NAMES * CLUP_RECORD_KEY];
    clup_record *record;
} reader;

__attribute__((format(printf, 2, 3))) static clup_status fail(const reader *reader,
                                                              const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return clup_fail(CLUP_ERROR_RUNTIME, "'%s': %s", reader->path, text);
}

/* A failure of what is read into the record, of which the file's name is not said yet. */
static clup_status name_file(const reader *reader, clup_status status)
{
    return status == CLUP_OK || status == CLUP_ERROR_MEMORY || status == CLUP_INTERRUPTED
               ? status
               : fail(reader, "%s", clup_error_detail());
}

/* A text of fixed length, to reader->text. */
static bool read_text(reader *reader, hid_t object, bool attribute)
{
    const hid_t type = attribute ? H5Aget_type(object) : H5Dget_type(object);
    const size_t size = type >= 0 ? H5Tget_size(type) : 0;
    bool right = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                 size < sizeof reader->text;
    const hid_t space = attribute ? H5Aget_space(object) : H5Dget_space(object);
    right = right && space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
    memset(reader->text, 0, size < sizeof reader->text ? size + 1 : 1);
    right = right &&
            (attribute ? H5Aread(object, type, reader->text)
                       : H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, reader->text)) >= 0;
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    return right;
}

/* The text at a path; NULL where there is none. */
static const char *text_at(reader *reader, const char *path)
{
    const hid_t set = H5Dopen2(reader->file, path, H5P_DEFAULT);
    const bool right = set >= 0 && read_text(reader, set, false);
    if (set >= 0)
        H5Dclose(set);
    return right ? reader->text : NULL;
}

static const char *attribute_of(reader *reader, hid_t object, const char *name)
{
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    const bool right = attribute >= 0 && read_text(reader, attribute, true);
    if (attribute >= 0)
        H5Aclose(attribute);
    return right ? reader->text : NULL;
}

static const char *said(void *user, const char *key)
{
    char path[128];
    snprintf(path, sizeof path, "/clup/%s", key);
    return text_at(user, path);
}

/* Numbers at a path, which the caller frees, and how many; NULL where there are none. */
static double *numbers_at(reader *reader, const char *path, size_t *count, char sha256[65])
{
    const hid_t set = H5Dopen2(reader->file, path, H5P_DEFAULT);
    if (set < 0)
        return NULL;
    double *numbers = NULL;
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    const hssize_t points = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    /* a length that the file has no room for is not to be allocated */
    if (type >= 0 && H5Tget_class(type) == H5T_FLOAT && points >= 0 &&
        H5Sget_simple_extent_ndims(space) <= 1 && (uint64_t)points <= reader->size / 8 &&
        (numbers = malloc((size_t)(points + 1) * sizeof *numbers)) != NULL &&
        H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) < 0) {
        free(numbers);
        numbers = NULL;
    }
    if (numbers != NULL && sha256 != NULL) {
        const char *text = attribute_of(reader, set, "sha256");
        snprintf(sha256, 65, "%.64s", text != NULL ? text : "");
    }
    *count = (size_t)(points > 0 ? points : 0);
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    H5Dclose(set);
    return numbers;
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
        return fail(reader, "%s", clup_error_detail());
    if (problem.replicas < 1 || problem.replicas > 65535)
        return fail(reader, "it has %" PRIu32 " systems", problem.replicas);
    double *betas = calloc(problem.replicas, sizeof *betas);
    if (betas == NULL)
        return clup_fail_memory("the series");
    problem.betas = betas;
    for (uint32_t r = 0; r < problem.replicas && status == CLUP_OK; r++) {
        char path[320];
        size_t count;
        clone_path(path, r, "beta");
        double *beta = numbers_at(reader, path, &count, NULL);
        if (beta != NULL && count == 1)
            betas[r] = *beta;
        else
            status = fail(reader, "system %" PRIu32 " has no beta", r);
        free(beta);
    }
    if (status == CLUP_OK)
        status = name_file(reader, clup_record_create(&problem, &reader->record));
    free(betas);
    return status;
}

/* All that is said is kept, but for what the problem and the series say. */
static clup_status read_keys(reader *reader)
{
    const hid_t group = H5Gopen2(reader->file, "/clup", H5P_DEFAULT);
    H5G_info_t info = {0};
    clup_status status = CLUP_OK;
    if (group < 0 || H5Gget_info(group, &info) < 0)
        return fail(reader, "it has no group clup");
    for (hsize_t k = 0; k < info.nlinks && status == CLUP_OK; k++) {
        char key[CLUP_RECORD_KEY] = "";
        if (H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k, key, sizeof key,
                               H5P_DEFAULT) < 0) {
            status = fail(reader, "what is said, number %llu, has no name", (unsigned long long)k);
            break;
        }
        problem_word words[CLUP_PROBLEM_WORDS];
        bool taken = strcmp(key, "observables") == 0 || !clup_record_key_ok(key);
        clup_problem_words(&reader->record->problem, words);
        for (size_t w = 0; w < CLUP_PROBLEM_WORDS; w++)
            taken = taken || strcmp(key, words[w].key) == 0;
        const char *value = taken ? NULL : said(reader, key);
        if (!taken && value == NULL)
            status = fail(reader, "'%s' is damaged", key);
        else if (!taken)
            status = name_file(reader, clup_record_set(reader->record, key, value));
    }
    H5Gclose(group);
    return status;
}

static clup_status read_series(reader *reader, uint32_t r, const char *name)
{
    char path[320], place[256], sha256[65], hex[65];
    size_t count = 0;
    snprintf(place, sizeof place, "results/%s/timeseries/data", name);
    clone_path(path, r, place);
    double *values = numbers_at(reader, path, &count, sha256);
    if (values == NULL)
        return fail(reader, "'%s' of system %" PRIu32 " is missing or damaged", name, r);
    clup_hdf5_hash(values, count, hex);
    const clup_status status =
        strcmp(hex, sha256) == 0
            ? name_file(reader, clup_record_set_series(reader->record, r, name, values, count))
            : fail(reader,
                   "'%s' of system %" PRIu32
                   " is damaged, or was changed: its SHA-256 is not the one that is there",
                   name, r);
    free(values);
    return status;
}

static clup_status read_system(reader *reader, uint32_t r, const char *names)
{
    char path[320];
    clone_path(path, r, "spins_sha256");
    const char *spins = text_at(reader, path);
    clup_status status = spins != NULL
                             ? name_file(reader, clup_record_set_spins(reader->record, r, spins))
                             : fail(reader, "system %" PRIu32 " has no spins_sha256", r);
    for (const char *at = names; status == CLUP_OK;) {
        char name[CLUP_RECORD_KEY];
        const size_t length = strcspn(at, ",");
        if (length == 0 || length >= sizeof name)
            return fail(reader, "no list of observables: '%.80s'", names);
        memcpy(name, at, length);
        name[length] = '\0';
        if (!clup_record_key_ok(name))
            return fail(reader, "no name of an observable: '%s'", name);
        status = read_series(reader, r, name);
        if (at[length] == '\0')
            break;
        at += length + 1;
    }
    return status;
}

static clup_status read_all(reader *reader)
{
    clup_status status;
    char *names = NULL;
    const char *form = attribute_of(reader, reader->file, "clup"), *list;
    if (form == NULL || strcmp(form, CLUP_SERIES_FORM) != 0)
        return fail(reader, "is no file of series, as clup simulate --series writes");
    CLUP_TRY(make_record(reader));
    CLUP_TRY(read_keys(reader));
    if ((list = said(reader, "observables")) == NULL)
        CLUP_TRY(fail(reader, "it has no list of observables"));
    if ((names = strdup(list)) == NULL)
        CLUP_TRY(clup_fail_memory("the series"));
    for (uint32_t r = 0; r < reader->record->problem.replicas; r++) {
        CLUP_TRY(clup_watch_ask());
        CLUP_TRY(read_system(reader, r, names));
    }
done:
    free(names);
    return status;
}

clup_status clup_series_read_hdf5(const char *path, clup_record **out)
{
    hdf5_use use;
    struct stat found = {0};
    reader reader = {.path = path};
    clup_status status;
    clup_hdf5_begin(&use);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    /* with what HDF5 itself has left open where it met with damage */
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    reader.file = H5Fopen(path, H5F_ACC_RDONLY, access);
    if (reader.file < 0 || stat(path, &found) != 0)
        status = fail(&reader, "HDF5 cannot open it: it is damaged, or was not written to its end");
    else {
        reader.size = (uint64_t)found.st_size;
        status = read_all(&reader);
    }
    if (reader.file >= 0)
        H5Fclose(reader.file);
    H5Pclose(access);
    clup_hdf5_end(&use, status == CLUP_ERROR_RUNTIME);
    if (status == CLUP_OK)
        *out = reader.record;
    else
        clup_record_free(reader.record);
    return status;
}
#else
clup_status clup_series_read_hdf5(const char *path, clup_record **out)
{
    (void)out;
    return clup_fail(CLUP_ERROR_RUNTIME, "'%s': there is no HDF5", path);
}
#endif
