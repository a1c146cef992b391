/* Reads HDF5 files that clup wrote, and nothing else. */
#include "config.h"

#ifdef HAVE_HDF5
#include "io/hdf5_read.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

clup_status clup_hdf5_fail(const hdf5_reader *reader, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return clup_fail(CLUP_ERROR_RUNTIME, "'%s': %s", reader->path, text);
}

clup_status clup_hdf5_name_file(const hdf5_reader *reader, clup_status status)
{
    return status == CLUP_OK || status == CLUP_ERROR_MEMORY || status == CLUP_INTERRUPTED
               ? status
               : clup_hdf5_fail(reader, "%s", clup_error_detail());
}

/* A text of fixed length, to reader->text. */
static bool read_text(hdf5_reader *reader, hid_t object, bool attribute)
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

const char *clup_hdf5_text(hdf5_reader *reader, const char *place)
{
    const hid_t set = H5Dopen2(reader->file, place, H5P_DEFAULT);
    const bool right = set >= 0 && read_text(reader, set, false);
    if (set >= 0)
        H5Dclose(set);
    return right ? reader->text : NULL;
}

const char *clup_hdf5_attribute(hdf5_reader *reader, const char *place, const char *name)
{
    const hid_t attribute = H5Aopen_by_name(reader->file, place, name, H5P_DEFAULT, H5P_DEFAULT);
    const bool right = attribute >= 0 && read_text(reader, attribute, true);
    if (attribute >= 0)
        H5Aclose(attribute);
    return right ? reader->text : NULL;
}

/* Whether an array of such a type in memory can be read from one stored so, and how it is shaped: a
 * length that the file has no room for is not to be allocated. */
static bool can_read(const hdf5_reader *reader, hid_t stored, hid_t space, hid_t type,
                     hdf5_array *array)
{
    if (stored < 0 || space < 0 || H5Tget_class(stored) != H5Tget_class(type))
        return false;
    const int axes = H5Sget_simple_extent_ndims(space);
    const hssize_t points = H5Sget_simple_extent_npoints(space);
    const size_t bytes = H5Tget_size(stored);
    if (axes < 0 || axes > HDF5_AXES || points < 0 || bytes == 0 ||
        (uint64_t)points > reader->size / bytes ||
        H5Sget_simple_extent_dims(space, array->shape, NULL) < 0)
        return false;
    array->axes = (unsigned)axes;
    array->count = (uint64_t)points;
    return true;
}

hdf5_array clup_hdf5_array(const hdf5_reader *reader, const char *place, hid_t type)
{
    hdf5_array array = {0};
    const hid_t set = H5Dopen2(reader->file, place, H5P_DEFAULT);
    if (set < 0)
        return array;
    const hid_t stored = H5Dget_type(set), space = H5Dget_space(set);
    if (can_read(reader, stored, space, type, &array) &&
        (array.values = malloc((size_t)(array.count + 1) * H5Tget_size(type))) != NULL &&
        H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values) < 0) {
        free(array.values);
        array.values = NULL;
    }
    if (space >= 0)
        H5Sclose(space);
    if (stored >= 0)
        H5Tclose(stored);
    H5Dclose(set);
    return array;
}

clup_status clup_hdf5_read(const char *path, hdf5_take *take, void *of)
{
    hdf5_use use;
    struct stat found = {0};
    hdf5_reader reader = {.path = path};
    clup_status status;
    clup_hdf5_begin(&use);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    /* with what HDF5 itself has left open where it met with damage */
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    reader.file = H5Fopen(path, H5F_ACC_RDONLY, access);
    if (reader.file < 0 || stat(path, &found) != 0)
        status = clup_hdf5_fail(
            &reader, "HDF5 cannot open it: it is damaged, or was not written to its end");
    else {
        reader.size = (uint64_t)found.st_size;
        status = take(&reader, of);
    }
    if (reader.file >= 0)
        H5Fclose(reader.file);
    H5Pclose(access);
    clup_hdf5_end(&use, status == CLUP_ERROR_RUNTIME);
    return status;
}
#else
typedef int clup_hdf5_none;
#endif
