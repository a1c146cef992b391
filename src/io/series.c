/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of series: finds which form a file has. */
#include "io/series.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"

/* Whether a path has the extension, in small or capital letters. */
static bool ends(const char *path, const char *extension)
{
    const size_t length = strlen(path), end = strlen(extension);
    return length > end && strcasecmp(path + length - end, extension) == 0;
}

/* Checks that every system has every series. */
static clup_status check_whole(const clup_record *record)
{
    if (record->name_count == 0)
        return clup_fail(CLUP_ERROR_USAGE, "no system has a series");
    for (uint32_t r = 0; r < record->problem.replicas; r++)
        for (size_t k = 0; k < record->name_count; k++)
            if (record->systems[r].series[k] == NULL)
                return clup_fail(CLUP_ERROR_USAGE, "system %u has no '%s'", r, record->names[k]);
    return CLUP_OK;
}

clup_status clup_record_write(const clup_record *record, const char *path)
{
    CLUP_NEED(record);
    CLUP_NEED(path);
    const bool csv = strcmp(path, "-") == 0 || ends(path, ".csv"), hdf5 = ends(path, ".h5");
    if (!csv && !hdf5)
        return clup_fail(CLUP_ERROR_USAGE, "'%s': the extension is not .csv or .h5", path);
    if (hdf5 && clup_hdf5_version() == NULL)
        return clup_fail(CLUP_ERROR_USAGE, "'%s': this clup was built without HDF5; there is .csv",
                         path);
    const clup_status status = check_whole(record);
    if (status != CLUP_OK)
        return status;
    return hdf5 ? clup_series_write_hdf5(record, path) : clup_series_write_csv(record, path);
}

clup_status clup_record_read(const char *path, clup_record **out)
{
    static const char signature[8] = "\x89HDF\r\n\x1a\n";
    char first[8];
    FILE *from;
    CLUP_NEED(out);
    *out = NULL;
    CLUP_NEED(path);
    clup_status status = clup_file_open(path, &from);
    if (status != CLUP_OK)
        return status;
    if (fread(first, 1, sizeof first, from) == sizeof first &&
        memcmp(first, signature, sizeof first) == 0)
        status = clup_hdf5_version() != NULL
                     ? clup_series_read_hdf5(path, out)
                     : clup_fail(CLUP_ERROR_RUNTIME,
                                 "'%s' is HDF5, without which this clup was built", path);
    else if (fseeko(from, 0, SEEK_SET) != 0)
        status = clup_fail(CLUP_ERROR_RUNTIME, "cannot read '%s': %s", path, strerror(errno));
    else
        status = clup_series_read_csv(from, path, out);
    fclose(from);
    return status;
}
