/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes which labels touch as a sparse matrix, as scipy.sparse.save_npz does. */
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "io/contacts.h"
#include "io/image.h"
#include "io/zip.h"

/* What a number of an array is taken from. */
typedef uint64_t part_of(const clup_contact *pair, unsigned axis);

static uint64_t row(const clup_contact *pair, unsigned axis)
{
    (void)axis;
    return pair->a;
}

static uint64_t column(const clup_contact *pair, unsigned axis)
{
    (void)axis;
    return pair->b;
}

static uint64_t faces(const clup_contact *pair, unsigned axis)
{
    return pair->faces[axis];
}

static uint64_t edges(const clup_contact *pair, unsigned axis)
{
    (void)axis;
    return pair->edges;
}

static uint64_t corners(const clup_contact *pair, unsigned axis)
{
    (void)axis;
    return pair->corners;
}

static uint64_t area_bits(const clup_contact *pair, unsigned axis)
{
    uint64_t bits;
    (void)axis;
    memcpy(&bits, &pair->area, sizeof bits);
    return bits;
}

/* Adds an array of one number a pair, or one for each of several axes. */
static clup_status add_array(clup_zip *zip, const char *name, const clup_contacts *contacts,
                             clup_dtype dtype, unsigned axes, part_of *part)
{
    const size_t count = (size_t)contacts->count, bytes = clup_dtype_bytes(dtype),
                 shape[] = {count, axes};
    char *file = malloc(CLUP_NPY_HEADER + count * axes * bytes);
    if (file == NULL)
        return clup_fail_memory("labels that touch");
    const size_t header = clup_npy_header(file, dtype, shape, axes > 1 ? 2 : 1);
    for (size_t k = 0; k < count * axes; k++) {
        const uint64_t value = part(&contacts->pairs[k / axes], (unsigned)(k % axes));
        const uint32_t narrow = (uint32_t)value;
        memcpy(file + header + k * bytes, bytes == 4 ? (const void *)&narrow : &value, bytes);
    }
    return clup_zip_add(zip, name, file, header + count * axes * bytes);
}

/* Adds the numbers of rows and columns, and the name of the format, a string of bytes without
 * axes. */
static clup_status add_form(clup_zip *zip, uint32_t most)
{
    const size_t two = 2;
    const int64_t shape[2] = {(int64_t)most + 1, (int64_t)most + 1};
    static const char format[] = "coo";
    char *numbers = malloc(CLUP_NPY_HEADER + sizeof shape), *name = malloc(CLUP_NPY_HEADER);
    clup_status status = CLUP_OK;
    if (numbers == NULL || name == NULL) {
        free(numbers);
        free(name);
        return clup_fail_memory("labels that touch");
    }
    const size_t length = clup_npy_header(numbers, CLUP_DTYPE_I64, &two, 1);
    memcpy(numbers + length, shape, sizeof shape);
    const size_t called = clup_npy_header_of(name, "|S3", NULL, 0);
    memcpy(name + called, format, 3);
    status = clup_zip_add(zip, "shape.npy", numbers, length + sizeof shape);
    if (status != CLUP_OK)
        free(name);
    else
        status = clup_zip_add(zip, "format.npy", name, called + 3);
    return status;
}

clup_status clup_contacts_write_npz(const char *path, const clup_contacts *contacts, uint32_t most)
{
    /* numbers of rows and columns are of 32 bits with a sign where they fit */
    const clup_dtype index = most < INT32_MAX ? CLUP_DTYPE_I32 : CLUP_DTYPE_I64;
    clup_zip *zip = NULL;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_zip_create(&zip));
    CLUP_TRY(add_array(zip, "row.npy", contacts, index, 1, row));
    CLUP_TRY(add_array(zip, "col.npy", contacts, index, 1, column));
    CLUP_TRY(add_form(zip, most));
    CLUP_TRY(add_array(zip, "data.npy", contacts, CLUP_DTYPE_F64, 1, area_bits));
    CLUP_TRY(add_array(zip, "faces.npy", contacts, CLUP_DTYPE_U64, contacts->axes, faces));
    CLUP_TRY(add_array(zip, "edges.npy", contacts, CLUP_DTYPE_U64, 1, edges));
    CLUP_TRY(add_array(zip, "corners.npy", contacts, CLUP_DTYPE_U64, 1, corners));
    CLUP_TRY(clup_zip_write(zip, path));
done:
    clup_zip_free(zip);
    return status;
}
