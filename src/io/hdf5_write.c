/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes HDF5 files in memory. */
#include "config.h"

#ifdef HAVE_HDF5
#include "io/hdf5_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/problem.h"

hdf5_place clup_hdf5_inside(const hdf5_place *outer, const char *name)
{
    hdf5_place inner = *outer;
    const size_t length = strlen(inner.path);
    if ((size_t)snprintf(inner.path + length, sizeof inner.path - length, "/%s", name) >=
        sizeof inner.path - length)
        *inner.failed = true;
    return inner;
}

static void keep(const hdf5_place *at, herr_t result)
{
    *at->failed = *at->failed || result < 0;
}

static bool is_empty(unsigned axes, const hsize_t *shape)
{
    for (unsigned axis = 0; axis < axes; axis++)
        if (shape[axis] == 0)
            return true;
    return false;
}

/* The most bytes that HDF5 stores in the header of a dataset, less than 64 KiB. */
#define COMPACT_MOST 65000

void clup_hdf5_put(const hdf5_place *at, const char *name, hid_t stored, hid_t type,
                   const void *data, unsigned axes, const hsize_t *shape)
{
    const hdf5_place to = clup_hdf5_inside(at, name);
    if (*at->failed)
        return;
    const hid_t space = axes > 0 ? H5Screate_simple((int)axes, shape, NULL) : H5Screate(H5S_SCALAR);
    const bool compact = axes == 0 && H5Tget_size(stored) <= COMPACT_MOST;
    const hid_t set = H5Dcreate2(to.file, to.path, stored, space, to.with_groups,
                                 compact ? to.compact : H5P_DEFAULT, H5P_DEFAULT);
    keep(at, set < 0 ? -1 : 0);
    if (set >= 0 && !is_empty(axes, shape))
        keep(at, H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
    if (set >= 0)
        keep(at, H5Dclose(set));
    H5Sclose(space);
}

void clup_hdf5_put_number(const hdf5_place *at, const char *name, double number)
{
    clup_hdf5_put(at, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &number, 0, NULL);
}

void clup_hdf5_put_whole(const hdf5_place *at, const char *name, uint64_t number)
{
    clup_hdf5_put(at, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &number, 0, NULL);
}

void clup_hdf5_put_numbers(const hdf5_place *at, const char *name, const double *numbers,
                           size_t count)
{
    const hsize_t all = count;
    clup_hdf5_put(at, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, numbers, 1, &all);
}

static hid_t text_type(const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, *text != '\0' ? strlen(text) : 1);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

void clup_hdf5_put_text(const hdf5_place *at, const char *name, const char *text)
{
    const hid_t type = text_type(text);
    clup_hdf5_put(at, name, type, type, text, 0, NULL);
    H5Tclose(type);
}

void clup_hdf5_put_problem(const hdf5_place *at, const clup_problem *problem)
{
    problem_word words[CLUP_PROBLEM_FIELDS];
    const size_t count = clup_problem_words(problem, words);
    for (size_t k = 0; k < count; k++)
        clup_hdf5_put_text(at, words[k].key, words[k].value);
}

void clup_hdf5_put_said(const hdf5_place *at, const clup_record *said)
{
    for (size_t k = 0; said != NULL && k < said->field_count; k++)
        clup_hdf5_put_text(at, said->fields[k].key, said->fields[k].value);
}

void clup_hdf5_mark(const hdf5_place *at, const char *of, const char *name, hid_t stored,
                    hid_t type, const void *data)
{
    const hdf5_place to = clup_hdf5_inside(at, of);
    if (*at->failed)
        return;
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate_by_name(to.file, to.path, name, stored, space, H5P_DEFAULT,
                                              H5P_DEFAULT, H5P_DEFAULT);
    keep(at, attribute < 0 ? -1 : 0);
    if (attribute >= 0) {
        keep(at, H5Awrite(attribute, type, data));
        keep(at, H5Aclose(attribute));
    }
    H5Sclose(space);
}

void clup_hdf5_mark_text(const hdf5_place *at, const char *of, const char *name, const char *text)
{
    const hid_t type = text_type(text);
    clup_hdf5_mark(at, of, name, type, type, text);
    H5Tclose(type);
}

void clup_hdf5_mark_whole(const hdf5_place *at, const char *of, const char *name, uint64_t number)
{
    clup_hdf5_mark(at, of, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &number);
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Keeps the bytes of a file that HDF5 makes in memory when HDF5 closes it. Before that,
 * H5Fget_file_image returns bytes with a wrong checksum. */
static void *image_malloc(size_t size, H5FD_file_image_op_t op, void *user)
{
    hdf5_image *image = user;
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
    hdf5_image *image = user;
    (void)op;
    uint8_t *grown = realloc(bytes, size);
    if (grown != NULL)
        *image = (hdf5_image){grown, size};
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

/* Cuts the image to the length of the file, which is in its superblock (HDF5 file format, versions
 * 2 and 3 of the superblock), behind the user's block. */
static void trim(hdf5_image *image, size_t block)
{
    enum { VERSION_AT = 8, LENGTH_AT = 28, LEAST = 48 };
    const uint8_t *first = image->bytes + block;
    uint64_t length = 0;
    if (image->size < block + LEAST || first[VERSION_AT] < 2)
        return;
    for (unsigned byte = 0; byte < 8; byte++)
        length |= (uint64_t)first[LENGTH_AT + byte] << (8 * byte);
    if (length >= block + LEAST && length < image->size)
        image->size = (size_t)length;
}

static bool make(hdf5_fill *fill, const void *of, size_t block, hdf5_image *image)
{
    bool failed = false;
    hdf5_place root = {.failed = &failed};
    H5FD_file_image_callbacks_t callbacks = {image_malloc, image_copy, image_realloc, image_free,
                                             keep_user,    leave_user, image};
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_FILE_CREATE);
    root.with_groups = H5Pcreate(H5P_LINK_CREATE);
    root.compact = H5Pcreate(H5P_DATASET_CREATE);
    keep(&root, H5Pset_userblock(create, block));
    keep(&root, H5Pset_layout(root.compact, H5D_COMPACT));
    keep(&root, H5Pset_create_intermediate_group(root.with_groups, 1));
    keep(&root, H5Pset_fapl_core(access, 1 << 20, 0));
    keep(&root, H5Pset_file_image_callbacks(access, &callbacks));
    /* the first version of the format that has checksums of all but the series */
#if H5_VERSION_GE(1, 10, 2)
    keep(&root, H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18));
#else
    keep(&root, H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
#endif
    root.file = H5Fcreate("clup", H5F_ACC_TRUNC, create, access);
    keep(&root, root.file < 0 ? -1 : 0);
    if (!failed)
        fill(&root, of);
    if (root.file >= 0)
        keep(&root, H5Fclose(root.file));
    H5Pclose(root.compact);
    H5Pclose(root.with_groups);
    H5Pclose(create);
    H5Pclose(access);
    if (!failed && image->bytes != NULL)
        trim(image, block);
    return !failed && image->bytes != NULL;
}

clup_status clup_hdf5_make(const char *path, hdf5_fill *fill, const void *of, size_t block,
                           hdf5_image *image)
{
    hdf5_use use;
    *image = (hdf5_image){NULL, 0};
    clup_hdf5_begin(&use);
    const bool made = make(fill, of, block, image);
    clup_hdf5_end(&use, 0);
    return made ? CLUP_OK
                : clup_fail(CLUP_ERROR_MEMORY, "HDF5 cannot make '%s' in the host's memory", path);
}
#else
typedef int clup_hdf5_none;
#endif
