/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads HDF5 files that clup wrote, and nothing else. */
#include "config.h"

#ifdef HAVE_HDF5
#include "io/hdf5_read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/file.h"

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

/* ---- what is opened ---------------------------------------------------------------------------
 */

/* Sets the reason that clup_hdf5_why gives; returns false, for the caller to return. */
static bool refuse(hdf5_reader *reader, const char *why)
{
    reader->why = why;
    return false;
}

const char *clup_hdf5_why(const hdf5_reader *reader)
{
    return reader->why;
}

/* Whether each link on the path to a place is a hard one. Soft links lead anywhere in the file,
 * external ones into another file, which HDF5 opens without a word. A link is looked up only after
 * all links before it were found to be hard; those of the last place are not looked up again. */
static bool is_hard(hdf5_reader *reader, const char *place)
{
    char way[HDF5_PLACE];
    const size_t length = strlen(place);
    H5L_info_t link;
    if (length >= sizeof way)
        return refuse(reader, "is missing");
    for (size_t at = 1; at <= length; at++) {
        const char *known = reader->place;
        if (at < length && place[at] != '/')
            continue;
        if (strncmp(place, known, at) == 0 && (known[at] == '/' || known[at] == '\0'))
            continue;
        memcpy(way, place, at);
        way[at] = '\0';
        if (strcmp(way, "/") == 0)
            continue;
        if (H5Lget_info(reader->file, way, &link, H5P_DEFAULT) < 0)
            return refuse(reader, "is missing");
        if (link.type != H5L_TYPE_HARD)
            return refuse(reader, "is a link, which clup does not follow");
    }
    strcpy(reader->place, place);
    return true;
}

/* Returns why numbers that are stored in this way must not be read, or NULL: they are in other
 * files, or have filters for which HDF5 would search its folder of plugins. */
static const char *wrong_storage(hid_t properties)
{
    const H5D_layout_t layout = H5Pget_layout(properties);
    const int files = H5Pget_external_count(properties), filters = H5Pget_nfilters(properties);
    if (files != 0 || layout == H5D_VIRTUAL)
        return "is in another file, which clup does not open";
    if (layout != H5D_COMPACT && layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED)
        return "is stored in a way that clup does not know";
    for (int k = 0; k < filters; k++) {
        unsigned flags;
        size_t values = 0;
        const H5Z_filter_t filter = H5Pget_filter2(properties, (unsigned)k, &flags, &values, NULL,
                                                   0, NULL, NULL);
        if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE &&
            filter != H5Z_FILTER_FLETCHER32)
            return "has a filter other than deflate, shuffle and fletcher32";
    }
    return filters < 0 ? "is damaged" : NULL;
}

/* Opens a dataset whose numbers are in the file itself, and which the caller closes; else returns
 * -1 and sets the reason. The space of a virtual dataset must not be asked for, as HDF5 opens other
 * files to know it. */
static hid_t open_set(hdf5_reader *reader, const char *place)
{
    reader->why = NULL;
    if (!is_hard(reader, place))
        return -1;
    reader->why = "is damaged";
    const hid_t set = H5Dopen2(reader->file, place, H5P_DEFAULT),
                properties = set >= 0 ? H5Dget_create_plist(set) : -1;
    if (properties >= 0) {
        reader->why = wrong_storage(properties);
        H5Pclose(properties);
    }
    if (set >= 0 && reader->why != NULL) {
        H5Dclose(set);
        return -1;
    }
    return set;
}

/* Whether the file has as many bytes of a dataset as its type and shape say. HDF5 1.10 does not
 * compare them: it reads beyond compact data, and leaves memory unset for data that was never
 * written. Chunks have sizes of their own, which HDF5 does compare. */
static bool has_bytes(hid_t set, uint64_t bytes)
{
    const hid_t properties = H5Dget_create_plist(set);
    const H5D_layout_t layout = H5Pget_layout(properties);
    if (properties >= 0)
        H5Pclose(properties);
    return bytes == 0 || layout == H5D_CHUNKED || H5Dget_storage_size(set) == bytes;
}

/* ---- texts ------------------------------------------------------------------------------------
 */

/* Reads a text of fixed length into reader->text. */
static bool read_text(hdf5_reader *reader, hid_t object, bool attribute)
{
    const hid_t type = attribute ? H5Aget_type(object) : H5Dget_type(object);
    const size_t size = type >= 0 ? H5Tget_size(type) : 0;
    bool right = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                 size < HDF5_TEXT;
    const hid_t space = attribute ? H5Aget_space(object) : H5Dget_space(object);
    right = right && space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
            (attribute || has_bytes(object, size));
    memset(reader->text, 0, size < HDF5_TEXT ? size + 1 : 1);
    right = right &&
            (attribute ? H5Aread(object, type, reader->text)
                       : H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, reader->text)) >= 0;
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    /* a detail is one line, whatever text it quotes */
    for (char *at = reader->text; right && *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = ' ';
    return right || refuse(reader, "is no text of a fixed length");
}

const char *clup_hdf5_text(hdf5_reader *reader, const char *place)
{
    const hid_t set = open_set(reader, place);
    const bool right = set >= 0 && read_text(reader, set, false);
    if (set >= 0)
        H5Dclose(set);
    return right ? reader->text : NULL;
}

const char *clup_hdf5_attribute(hdf5_reader *reader, const char *place, const char *name)
{
    if (!is_hard(reader, place))
        return NULL;
    reader->why = "is missing";
    const hid_t attribute = H5Aopen_by_name(reader->file, place, name, H5P_DEFAULT, H5P_DEFAULT);
    const bool right = attribute >= 0 && read_text(reader, attribute, true);
    if (attribute >= 0)
        H5Aclose(attribute);
    return right ? reader->text : NULL;
}

/* ---- names ------------------------------------------------------------------------------------
 */

static herr_t add_name(hid_t group, const char *name, const H5L_info_t *link, void *to)
{
    hdf5_names *names = to;
    (void)group;
    (void)link;
    if (names->count == HDF5_NAMES || strlen(name) >= sizeof names->of[0])
        return 1;
    strcpy(names->of[names->count++], name);
    return 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

bool clup_hdf5_names(hdf5_reader *reader, const char *place, hdf5_names *names)
{
    names->count = 0;
    reader->why = NULL;
    if (!is_hard(reader, place))
        return false;
    const hid_t group = H5Gopen2(reader->file, place, H5P_DEFAULT);
    const herr_t end = group >= 0
                           ? H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, add_name, names)
                           : -1;
    if (group >= 0)
        H5Gclose(group);
    qsort(names->of, names->count, sizeof names->of[0], compare_names);
    if (end != 0)
        return refuse(reader, end < 0 ? "is damaged" : "has too many names, or too long ones");
    return true;
}

/* ---- numbers ----------------------------------------------------------------------------------
 */

/* Returns the type in files in which clup stores numbers of a type in memory. No other is read, as
 * HDF5 trusts what a file says of the bits of a type that it converts. */
static hid_t stored_as(hid_t type)
{
    const struct {
        hid_t type, stored;
    } known[] = {{H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE},
                 {H5T_NATIVE_UINT64, H5T_STD_U64LE},
                 {H5T_NATIVE_UINT32, H5T_STD_U32LE},
                 {H5T_NATIVE_UINT8, H5T_STD_U8LE}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (H5Tequal(type, known[k].type) > 0)
            return known[k].stored;
    return -1;
}

/* Whether an array of a type in memory can be read from a dataset; sets its shape. A length that
 * the file is too short for must not be allocated. */
static bool can_read(hdf5_reader *reader, hid_t set, hid_t type, hdf5_array *array)
{
    const hid_t stored = H5Dget_type(set);
    const bool same = stored >= 0 && H5Tequal(stored, stored_as(type)) > 0;
    const size_t bytes = stored >= 0 ? H5Tget_size(stored) : 0;
    if (stored >= 0)
        H5Tclose(stored);
    if (!same)
        return refuse(reader, "has numbers of another type");
    const hid_t space = H5Dget_space(set);
    const int axes = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    const hssize_t points = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    const bool shaped = axes >= 0 && axes <= HDF5_AXES && points >= 0 &&
                        (uint64_t)points <= reader->size / bytes &&
                        H5Sget_simple_extent_dims(space, array->shape, NULL) >= 0;
    if (space >= 0)
        H5Sclose(space);
    if (!shaped || (axes == 0 && points != 1))
        return refuse(reader, "is of another size");
    if (!has_bytes(set, (uint64_t)points * bytes))
        return refuse(reader, "has more bytes, or fewer, than it says");
    array->axes = (unsigned)axes;
    array->count = (uint64_t)points;
    return true;
}

hdf5_array clup_hdf5_array(hdf5_reader *reader, const char *place, hid_t type)
{
    hdf5_array array = {0};
    const hid_t set = open_set(reader, place);
    if (set < 0)
        return array;
    if (can_read(reader, set, type, &array)) {
        reader->why = "is damaged";
        /* HDF5 leaves the places of missing chunks as they are */
        array.values = calloc((size_t)array.count + 1, H5Tget_size(type));
        if (array.values != NULL &&
            H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values) < 0) {
            free(array.values);
            array.values = NULL;
        }
    }
    H5Dclose(set);
    return array;
}

void *clup_hdf5_array_of(hdf5_reader *reader, const char *place, hid_t type, unsigned axes,
                         const hsize_t *shape)
{
    hdf5_array array = clup_hdf5_array(reader, place, type);
    bool right = array.values != NULL && array.axes == axes;
    for (unsigned axis = 0; axis < axes && right; axis++)
        right = array.shape[axis] == shape[axis];
    if (right || array.values == NULL)
        return array.values;
    free(array.values);
    reader->why = "is of another size";
    return NULL;
}

clup_status clup_hdf5_missing(const hdf5_reader *reader, const char *place)
{
    return clup_hdf5_fail(reader, "its %s %s", place, clup_hdf5_why(reader));
}

clup_status clup_hdf5_read_number(hdf5_reader *reader, const char *place, double *number)
{
    double *found = clup_hdf5_array_of(reader, place, H5T_NATIVE_DOUBLE, 0, NULL);
    if (found == NULL)
        return clup_hdf5_missing(reader, place);
    *number = *found;
    free(found);
    return CLUP_OK;
}

clup_status clup_hdf5_read_whole(hdf5_reader *reader, const char *place, uint64_t most,
                                 uint64_t *number)
{
    uint64_t *found = clup_hdf5_array_of(reader, place, H5T_NATIVE_UINT64, 0, NULL);
    if (found == NULL)
        return clup_hdf5_missing(reader, place);
    *number = *found;
    free(found);
    return *number <= most ? CLUP_OK : clup_hdf5_fail(reader, "its %s is %" PRIu64, place, *number);
}

/* ---- what all checkpoints have --------------------------------------------------------------- */

const char *clup_hdf5_problem_word(void *reader, const char *key)
{
    char place[64];
    snprintf(place, sizeof place, "/problem/%s", key);
    return clup_hdf5_text(reader, place);
}

clup_status clup_hdf5_read_said(hdf5_reader *reader, clup_record *record)
{
    hdf5_names names = {0};
    clup_status status = CLUP_OK;
    if (H5Lexists(reader->file, "/said", H5P_DEFAULT) > 0 &&
        !clup_hdf5_names(reader, "/said", &names))
        return clup_hdf5_missing(reader, "/said");
    for (size_t k = 0; status == CLUP_OK && k < names.count; k++) {
        char place[CLUP_RECORD_KEY + 8];
        snprintf(place, sizeof place, "/said/%s", names.of[k]);
        const char *text = clup_hdf5_text(reader, place);
        if (text == NULL)
            return clup_hdf5_missing(reader, place);
        status = clup_record_set(record, names.of[k], text);
    }
    return clup_hdf5_name_file(reader, status);
}

/* ---- files ------------------------------------------------------------------------------------
 */

/* Whether a file has a superblock of HDF5, at byte 0, 512, 1024, 2048, .., of version 0 or 1, which
 * have no checksums. HDF5 1.10 trusts all data of such files, and reads beyond its own memory if
 * they are damaged. */
static bool is_unchecked(FILE *file, uint64_t size)
{
    static const char signature[8] = "\x89HDF\r\n\x1a\n";
    enum { VERSION_AT = sizeof signature, FIRST = 512 };
    char first[VERSION_AT + 1];
    for (uint64_t at = 0; at<size; at = at> 0 ? 2 * at : FIRST)
        if (fseeko(file, (off_t)at, SEEK_SET) != 0 || fread(first, 1, sizeof first, file) == 0)
            return false;
        else if (memcmp(first, signature, sizeof signature) == 0)
            return first[VERSION_AT] == 0 || first[VERSION_AT] == 1;
    return false;
}

/* Says why HDF5 could not open a file. HDF5 locks files that it opens, and so do programs that
 * write them. */
static clup_status fail_open(const hdf5_reader *reader, int descriptor)
{
    if (flock(descriptor, LOCK_SH | LOCK_NB) != 0)
        return clup_hdf5_fail(
            reader,
            errno == EWOULDBLOCK
                ? "it is locked: another program has it open to write (errno %d: %s); with "
                  "HDF5_USE_FILE_LOCKING=FALSE in the environment it is read all the same"
                : "its file system cannot lock it (errno %d: %s); with "
                  "HDF5_USE_FILE_LOCKING=FALSE in the environment it is read without",
            errno, strerror(errno));
    return clup_hdf5_fail(reader,
                          "HDF5 cannot open it: it is damaged, or was not written to its end");
}

static clup_status read_open(hdf5_reader *reader, int descriptor, hdf5_take *take, void *of)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    unsigned plugins = 0;
    clup_status status;
    /* closes also what HDF5 has left open where it met damage */
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    /* groups may have filters as well */
    H5PLget_loading_state(&plugins);
    H5PLset_loading_state(0);
    reader->file = H5Fopen(reader->path, H5F_ACC_RDONLY, access);
    status = reader->file >= 0 ? take(reader, of) : fail_open(reader, descriptor);
    if (reader->file >= 0)
        H5Fclose(reader->file);
    H5PLset_loading_state(plugins);
    H5Pclose(access);
    return status;
}

clup_status clup_hdf5_read(const char *path, hdf5_take *take, void *of)
{
    hdf5_use use;
    struct stat found = {0};
    hdf5_reader reader = {.path = path, .text = malloc(HDF5_TEXT)};
    clup_status status = reader.text != NULL ? CLUP_OK : clup_fail_memory("a text");
    FILE *file;
    CLUP_TRY(status);
    CLUP_TRY(clup_file_open(path, &file));
    if (fstat(fileno(file), &found) == 0)
        reader.size = (uint64_t)found.st_size;
    if (is_unchecked(file, reader.size))
        status = clup_hdf5_fail(&reader, "it is of HDF5's first form, which has no checksums; "
                                         "h5repack --low=1 makes one of it that has them");
    else {
        clup_hdf5_begin(&use);
        status = read_open(&reader, fileno(file), take, of);
        clup_hdf5_end(&use, status == CLUP_ERROR_RUNTIME);
    }
    fclose(file);
done:
    free(reader.text);
    return status;
}
#else
typedef int clup_hdf5_none;
#endif
