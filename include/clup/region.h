/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of the regions of label images. */
#ifndef CLUP_REGION_H
#define CLUP_REGION_H

#include "clup/device.h"
#include "clup/image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A region is all pixels of one label, 1, 2, ..., in one piece or in several; 0 is the background.
 * Properties have the names and the definitions that scikit-image's regionprops has. Where a
 * property has several numbers, axis 0 is the slowest one, as of a NumPy array: y in the plane, z
 * in a volume. All axes are open: a region that goes on at the other end of a periodic axis is
 * measured as it lies in the image.
 *
 * What a property follows from is counted and added up on the device as whole numbers, so that
 * columns are the same on every device. Values of pixels that are floats are rounded first to the
 * nearest multiple of 2^-62 times a power of two above the largest absolute value of the region. */

/* A kind of label image, and what is wanted of its regions. */
typedef struct clup_region_problem {
    uint32_t size[3];       /* pixels along x, y and z, each >= 1, product < 2^32 - 1; of several
                               processes the whole, see clup_regions_measure_host */
    unsigned axes;          /* 1 to 3; sizes of further axes are 1 */
    double spacing[3];      /* the length of a pixel along x, y and z; 0 stands for 1 */
    const char *properties; /* names with commas between them; "all" stands for all that the axes,
                               the spacing and the values allow, without percentiles */
    clup_dtype dtype;       /* of the values of pixels; CLUP_DTYPE_NONE where there are none */
    unsigned channels;      /* values of a pixel, up to 4; 0 stands for 1 */
    uint64_t reserved[4];
} clup_region_problem;

/* Returns the name of property number k, from 0 on; NULL past the end. Besides there are up to 16
 * percentiles of values at once, "intensity_p25", "intensity_p99.9" and so on, of 0 to 100 with up
 * to 15 digits: NumPy's percentile. Of n values in order it is at place (n - 1) p/100, from 0 on,
 * and between two values in proportion; the values next to that place are exact, but for the
 * rounding of integers to double. */
CLUP_API const char *clup_region_property(size_t k);

/* Kernels, work buffers and results for label images of one kind. */
typedef struct clup_regions clup_regions;

/* Prepares measuring. The context must outlive *out; release it by clup_regions_free. Returns
 * CLUP_ERROR_USAGE for a problem that is not valid: a size, a spacing that is not positive, a name
 * that is no property, and a property that these axes, this spacing or an image without values do
 * not have. */
CLUP_API clup_status clup_regions_create(clup_context *context, const clup_region_problem *problem,
                                         clup_regions **out);
CLUP_API void clup_regions_free(clup_regions *regions);

struct _cl_mem;
/* Measures the regions of labels 1 to most of a label image, and waits for the result; larger
 * labels are ignored.
 *
 *   labels  cl_mem: one uint32_t for each pixel, in raster order, such as those of
 *           clup_labelling_enqueue
 *   values  cl_mem: channels values of dtype for each pixel, one after the other; NULL where the
 *           problem has none
 *
 * Takes an eighth of the device's memory at most for sums, and what the ends of all rows of all
 * regions need, 8 bytes each, for properties of the convex hull. Returns CLUP_ERROR_MEMORY where
 * host or device have no room. */
CLUP_API clup_status clup_regions_measure(clup_regions *regions, struct _cl_mem *labels,
                                          struct _cl_mem *values, uint32_t most);

/* Does that for arrays in the host's memory.
 *
 * Processes that the context had joined (clup_context_join) when regions were created measure a
 * label image together. The size of the problem, most and all columns are those of the whole, in
 * each process, and the same as one process finds. labels and values are those of the part that the
 * process has, as of clup_label_image, which has less than 2^32 - 1 pixels; the whole may have
 * more, a region may not. clup_regions_measure is CLUP_ERROR_USAGE then. */
CLUP_API clup_status clup_regions_measure_host(clup_regions *regions, const uint32_t *labels,
                                               const void *values, uint32_t most);

/* Numbers of all regions. Either numbers or whole is NULL. */
typedef struct clup_region_column {
    const char *name;      /* that of its property, and the place of the number, such as
                              "centroid-0"; channels of an image with several are the last place */
    const double *numbers; /* [rows]; NAN where the region has no such number */
    const int64_t *whole;  /* [rows] of a property that is a whole number */
} clup_region_column;

/* Return how many regions there are, in the order of their labels, of labels that some pixel has;
 * how many columns; and column k. Names and arrays belong to regions, until the next measuring;
 * NULL past the end. */
CLUP_API size_t clup_regions_rows(const clup_regions *regions);
CLUP_API size_t clup_regions_columns(const clup_regions *regions);
CLUP_API clup_region_column clup_regions_column(const clup_regions *regions, size_t k);

/* Writes the columns, all or nothing. "-" is standard output, in CSV.
 *
 * .csv   a line of names, then a line for each region; nan for no number
 * .json  {"regions":[{"NAME":NUMBER, ..}, ..]}; null for no number
 *
 * Returns CLUP_ERROR_USAGE for another extension, CLUP_ERROR_RUNTIME when the file cannot be
 * written. */
CLUP_API clup_status clup_regions_write(const char *path, const clup_regions *regions);

#ifdef __cplusplus
}
#endif

#endif
