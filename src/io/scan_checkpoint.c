/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints of scans of percolation, see doc/guide/checkpoints.md. */
#include "config.h"

#include "clup/checkpoint.h"

#include "base/status.h"

#ifdef HAVE_HDF5
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "core/problem.h"
#include "io/hdf5_read.h"
#include "io/hdf5_write.h"
#include "io/stamp.h"
#include "run/percolation_scan.h"

/* The first line is this and a version. */
#define FORM "clup/percolation/"
#define FORM_VERSION 1
#define MARK "clup/percolation/1"

/* Numbers of the sums of a column in a file: mean, squares, cubes and fourths; and those of all
 * columns, and of all products, of a point. */
#define SUMS 4
#define COLUMN_SUMS (CLUP_SCAN_COLUMNS * SUMS)
#define OBSERVABLES CLUP_PERCOLATION_OBSERVABLES

typedef struct content {
    const clup_percolation_scan *scan;
    const clup_record *said;
    /* arrays as in the file: of all points, one after the other */
    uint64_t *samples;
    double *walls, *columns, *products;
    double *open;   /* of each point its columns, each with the values of its open samples */
    double *values; /* of each point its observables, each with the values of its samples */
    uint64_t open_count, value_count;
} content;

static uint64_t open_of(const clup_percolation_scan *scan, uint64_t samples)
{
    return samples % CLUP_SCAN_BLOCK * clup_scan_columns(scan);
}

static void free_content(content *content)
{
    free(content->samples);
    free(content->walls);
    free(content->columns);
    free(content->products);
    free(content->open);
    free(content->values);
}

static clup_status allocate(content *content)
{
    const size_t count = content->scan->count;
    content->samples = calloc(count, sizeof *content->samples);
    content->walls = calloc(count, sizeof *content->walls);
    content->columns = calloc(count, COLUMN_SUMS * sizeof *content->columns);
    content->products = calloc(count, OBSERVABLES * OBSERVABLES * sizeof *content->products);
    return content->samples != NULL && content->walls != NULL && content->columns != NULL &&
                   content->products != NULL
               ? CLUP_OK
               : clup_fail_memory("the checkpoint");
}

/* ---- written --------------------------------------------------------------------------------- */

static void take_point(content *content, uint32_t k)
{
    const clup_percolation_scan *scan = content->scan;
    const clup_scan_point *point = &scan->points[k];
    const uint64_t open = point->samples % CLUP_SCAN_BLOCK;
    content->samples[k] = point->samples;
    content->walls[k] = point->wall_s;
    for (unsigned c = 0; c < clup_scan_columns(scan); c++) {
        const clup_sums *sums = &point->sums.columns[c];
        const double numbers[SUMS] = {sums->mean, sums->squares, sums->cubes, sums->fourths};
        memcpy(content->columns + (size_t)k * COLUMN_SUMS + c * SUMS, numbers, sizeof numbers);
        if (open > 0)
            memcpy(content->open + content->open_count + c * open,
                   point->open + (size_t)c * point->open_room,
                   (size_t)open * sizeof *content->open);
    }
    memcpy(content->products + (size_t)k * OBSERVABLES * OBSERVABLES, point->sums.products,
           sizeof point->sums.products);
    content->open_count += open_of(scan, point->samples);
    for (unsigned o = 0; o < OBSERVABLES && scan->keeps && point->samples > 0; o++) {
        memcpy(content->values + content->value_count, point->values + o * point->room,
               (size_t)point->samples * sizeof *content->values);
        content->value_count += point->samples;
    }
}

static clup_status take(content *content)
{
    const clup_percolation_scan *scan = content->scan;
    uint64_t open = 0, values = 0;
    clup_status status = allocate(content);
    if (status != CLUP_OK)
        return status;
    for (uint32_t k = 0; k < scan->count; k++) {
        open += open_of(scan, scan->points[k].samples);
        values += scan->keeps ? scan->points[k].samples * OBSERVABLES : 0;
    }
    content->open = malloc((size_t)(open + 1) * sizeof *content->open);
    content->values = malloc((size_t)(values + 1) * sizeof *content->values);
    if (content->open == NULL || content->values == NULL)
        return clup_fail_memory("the checkpoint");
    for (uint32_t k = 0; k < scan->count; k++)
        take_point(content, k);
    return CLUP_OK;
}

static void put_all(const hdf5_place *root, const void *of)
{
    const content *content = of;
    const clup_percolation_scan *scan = content->scan;
    const hdf5_place problem = clup_hdf5_inside(root, "problem"),
                     state = clup_hdf5_inside(root, "state"), said = clup_hdf5_inside(root, "said");
    const hsize_t columns[] = {scan->count, CLUP_SCAN_COLUMNS, SUMS},
                  products[] = {scan->count, OBSERVABLES, OBSERVABLES};
    clup_hdf5_mark_text(root, "", "clup", MARK);
    clup_hdf5_mark_text(root, "", "version", clup_version());
    clup_hdf5_put_problem(&problem, &scan->problem);
    clup_hdf5_put_numbers(&problem, "ps", scan->ps, scan->count);
    clup_hdf5_put_whole(&state, "seed", scan->seed);
    clup_hdf5_put_whole(&state, "keeps", scan->keeps);
    clup_hdf5_put(&state, "samples", H5T_STD_U64LE, H5T_NATIVE_UINT64, content->samples, 1,
                  columns);
    clup_hdf5_put_numbers(&state, "wall_s", content->walls, scan->count);
    clup_hdf5_put(&state, "sums", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, content->columns, 3, columns);
    clup_hdf5_put(&state, "products", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, content->products, 3,
                  products);
    clup_hdf5_put_numbers(&state, "open", content->open, (size_t)content->open_count);
    clup_hdf5_put_numbers(&state, "values", content->values, (size_t)content->value_count);
    clup_hdf5_put_said(&said, content->said);
}

clup_status clup_percolation_scan_save(const clup_percolation_scan *scan, const clup_record *said,
                                       const char *path)
{
    CLUP_NEED(scan);
    CLUP_NEED(path);
    content content = {.scan = scan, .said = said};
    hdf5_image image = {NULL, 0};
    clup_status status = take(&content);
    if (status == CLUP_OK)
        status = clup_hdf5_make(path, put_all, &content, CLUP_STAMP, &image);
    if (status == CLUP_OK) {
        clup_stamp_write(image.bytes, image.size, FORM, FORM_VERSION);
        status = clup_file_write(path, &(clup_piece){image.bytes, image.size}, 1);
    }
    free(image.bytes);
    free_content(&content);
    return status;
}

/* ---- read ------------------------------------------------------------------------------------ */

/* Reads the problem, the probabilities and the seed, and makes a scan without samples. */
static clup_status read_scan(hdf5_reader *reader, clup_percolation_scan **scan)
{
    clup_problem problem;
    uint64_t seed, keeps;
    clup_status status;
    hdf5_array ps = {0};
    CLUP_TRY(clup_hdf5_name_file(reader,
                                 clup_problem_of_words(clup_hdf5_problem_word, reader, &problem)));
    CLUP_TRY(clup_hdf5_read_whole(reader, "/state/seed", UINT64_MAX, &seed));
    CLUP_TRY(clup_hdf5_read_whole(reader, "/state/keeps", 1, &keeps));
    ps = clup_hdf5_array(reader, "/problem/ps", H5T_NATIVE_DOUBLE);
    if (ps.values == NULL)
        CLUP_TRY(clup_hdf5_missing(reader, "/problem/ps"));
    if (ps.axes != 1 || ps.count == 0 || ps.count > UINT32_MAX)
        CLUP_TRY(clup_hdf5_fail(reader, "its /problem/ps is of another size"));
    CLUP_TRY(clup_hdf5_name_file(reader, clup_percolation_scan_create(&problem, seed, ps.values,
                                                                      (uint32_t)ps.count,
                                                                      (int)keeps, scan)));
done:
    free(ps.values);
    return status;
}

/* Reads an array of numbers of this shape. */
static clup_status read_array(hdf5_reader *reader, const char *place, hid_t type, unsigned axes,
                              const hsize_t *shape, void *to)
{
    void *found = clup_hdf5_array_of(reader, place, type, axes, shape);
    memcpy(to, &found, sizeof found);
    return found != NULL ? CLUP_OK : clup_hdf5_missing(reader, place);
}

static clup_status read_content(hdf5_reader *reader, content *content)
{
    const clup_percolation_scan *scan = content->scan;
    const hsize_t columns[] = {scan->count, CLUP_SCAN_COLUMNS, SUMS},
                  products[] = {scan->count, OBSERVABLES, OBSERVABLES};
    clup_status status;
    CLUP_TRY(
        read_array(reader, "/state/samples", H5T_NATIVE_UINT64, 1, columns, &content->samples));
    CLUP_TRY(read_array(reader, "/state/wall_s", H5T_NATIVE_DOUBLE, 1, columns, &content->walls));
    CLUP_TRY(read_array(reader, "/state/sums", H5T_NATIVE_DOUBLE, 3, columns, &content->columns));
    CLUP_TRY(
        read_array(reader, "/state/products", H5T_NATIVE_DOUBLE, 3, products, &content->products));
    hsize_t open = 0, values = 0;
    for (uint32_t k = 0; k < scan->count; k++) {
        if (content->samples[k] > (uint64_t)1 << 48)
            CLUP_TRY(
                clup_hdf5_fail(reader, "it has %" PRIu64 " samples at one p", content->samples[k]));
        open += open_of(scan, content->samples[k]);
        values += scan->keeps ? content->samples[k] * OBSERVABLES : 0;
    }
    CLUP_TRY(read_array(reader, "/state/open", H5T_NATIVE_DOUBLE, 1, &open, &content->open));
    CLUP_TRY(read_array(reader, "/state/values", H5T_NATIVE_DOUBLE, 1, &values, &content->values));
done:
    return status;
}

static clup_status give_point(content *content, clup_percolation_scan *scan, uint32_t k)
{
    clup_scan_point *point = &scan->points[k];
    const uint64_t samples = content->samples[k], open = samples % CLUP_SCAN_BLOCK;
    clup_status status = CLUP_OK;
    if ((status = clup_scan_open(scan, point, (unsigned)open)) != CLUP_OK)
        return status;
    if (scan->keeps && (status = clup_scan_reserve(point, samples)) != CLUP_OK)
        return status;
    point->samples = samples;
    point->wall_s = content->walls[k];
    for (unsigned c = 0; c < clup_scan_columns(scan); c++) {
        const double *numbers = content->columns + (size_t)k * COLUMN_SUMS + c * SUMS;
        point->sums.columns[c] = (clup_sums){samples - open, numbers[0], numbers[1], numbers[2],
                                             numbers[3]};
        if (open > 0)
            memcpy(point->open + (size_t)c * open, content->open + content->open_count + c * open,
                   (size_t)open * sizeof *content->open);
    }
    memcpy(point->sums.products, content->products + (size_t)k * OBSERVABLES * OBSERVABLES,
           sizeof point->sums.products);
    content->open_count += open_of(scan, samples);
    for (unsigned o = 0; o < OBSERVABLES && scan->keeps && samples > 0; o++) {
        memcpy(point->values + o * point->room, content->values + content->value_count,
               (size_t)samples * sizeof *content->values);
        content->value_count += samples;
    }
    return CLUP_OK;
}

static clup_status read_all(hdf5_reader *reader, void *of)
{
    clup_percolation_scan **out = of, *scan = NULL;
    content content = {0};
    clup_status status;
    const char *marked = clup_hdf5_attribute(reader, "/", "clup");
    if (marked == NULL || strcmp(marked, MARK) != 0)
        return clup_hdf5_fail(reader, "its first line was changed");
    CLUP_TRY(read_scan(reader, &scan));
    content.scan = scan;
    CLUP_TRY(read_content(reader, &content));
    for (uint32_t k = 0; k < scan->count; k++)
        CLUP_TRY(give_point(&content, scan, k));
    CLUP_TRY(clup_record_create(&scan->problem, &scan->said));
    CLUP_TRY(clup_hdf5_read_said(reader, scan->said));
    *out = scan;
done:
    free_content(&content);
    if (status != CLUP_OK)
        clup_percolation_scan_free(scan);
    return status;
}

clup_status clup_percolation_scan_load(const char *path, clup_percolation_scan **out)
{
    int version;
    CLUP_NEED(out);
    *out = NULL;
    CLUP_NEED(path);
    const clup_status status = clup_stamp_check(path, FORM, FORM_VERSION,
                                                "clup percolate --checkpoint", &version);
    return status == CLUP_OK ? clup_hdf5_read(path, read_all, out) : status;
}
#else
clup_status clup_percolation_scan_save(const clup_percolation_scan *scan, const clup_record *said,
                                       const char *path)
{
    CLUP_NEED(scan);
    CLUP_NEED(path);
    (void)said;
    return clup_fail(CLUP_ERROR_USAGE, "'%s': this clup was built without HDF5", path);
}

clup_status clup_percolation_scan_load(const char *path, clup_percolation_scan **out)
{
    CLUP_NEED(out);
    *out = NULL;
    CLUP_NEED(path);
    return clup_fail(CLUP_ERROR_USAGE, "'%s': this clup was built without HDF5", path);
}
#endif
