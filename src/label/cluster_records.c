/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of clusters on a device. */
#include "label/cluster_records.h"

#include "base/dtype.h"
#include "family/measure.h"
#include "image/clusters.clh"
#include "label/cluster_sums.h"

/* The most rows of a region, so that its sums fit 32 bits; and a number of regions that keeps a
 * device busy. */
#define REGION_ROWS_MAX 512
#define REGIONS 8192
/* The part of the device's memory that records take, and the clusters that are measured in one go
 * though that is more. */
#define SHARE 16
#define LEAST ((uint64_t)1 << 21)

uint32_t clup_measure_most = 0;

uint64_t clup_cluster_words(const clup_labelling *labelling)
{
    const clup_label_problem *problem = &labelling->problem;
    return CLUSTER_WORDS(problem->channels, clup_sum_words(problem->dtype));
}

uint64_t clup_cluster_tops(const clup_labelling *labelling, const clup_cluster_image *image)
{
    return image->pixels != NULL && clup_dtypes[labelling->problem.dtype].is_float
               ? labelling->problem.channels
               : 0;
}

clup_status clup_cluster_reserve(clup_labelling *labelling, uint64_t bytes)
{
    if (bytes <= labelling->statistics_bytes)
        return CLUP_OK;
    clup_buffer_free(labelling->context, labelling->statistics);
    labelling->statistics = NULL;
    labelling->statistics_bytes = 0;
    clup_status status = clup_buffer_create(labelling->context, bytes, "the statistics of clusters",
                                            &labelling->statistics);
    if (status == CLUP_OK)
        labelling->statistics_bytes = bytes;
    return status;
}

const clup_variant *clup_labelling_measuring(const clup_labelling *labelling)
{
    const clup_prepared *passes = labelling->update.prepared;
    return clup_measure_variant(CLUP_IMAGE, labelling->update.state.layout,
                                labelling->pixel_lattice.periodic != 0,
                                clup_variant_buffers(passes[CLUP_SOURCE].variant) |
                                    clup_variant_buffers(passes[CLUP_LOCAL].variant) |
                                    clup_variant_buffers(passes[CLUP_CONSOLIDATE].variant));
}

clup_status clup_cluster_prepare(clup_labelling *labelling)
{
    return labelling->measure.variant != NULL
               ? CLUP_OK
               : clup_prepared_create(clup_labelling_measuring(labelling), &labelling->update.state,
                                      labelling->plan.tile, &labelling->measure);
}

uint32_t clup_cluster_at_once(const clup_labelling *labelling, uint32_t clusters, uint32_t most)
{
    const uint64_t room = labelling->context->global_mem / SHARE /
                          (clup_cluster_words(labelling) * sizeof(uint32_t)),
                   own = most > 0 && most < LEAST ? most : LEAST,
                   fits = clup_measure_most > 0     ? clup_measure_most
                          : room > own && most == 0 ? room
                                                    : own;
    return clusters < fits ? clusters : (uint32_t)fits;
}

clup_status clup_cluster_zero(clup_labelling *labelling, cl_mem buffer, uint64_t words)
{
    return words > 0 ? clup_buffer_zero(labelling->context, CLUP_MEASURE, buffer,
                                        words * sizeof(uint32_t))
                     : CLUP_OK;
}

/* Sets *rows to the rows of a region, and returns the number of regions. */
static uint64_t regions_of(const lattice_args *lattice, cl_uint *rows)
{
    const uint64_t columns = (uint64_t)lattice->words * lattice->nz;
    *rows = 32;
    while (*rows < REGION_ROWS_MAX && columns * ((lattice->ny - 1) / *rows + 1) > REGIONS)
        *rows *= 2;
    return columns * ((lattice->ny - 1) / *rows + 1);
}

clup_status clup_cluster_raise(clup_labelling *labelling, const clup_cluster_image *image,
                               cl_uint from, cl_uint count)
{
    cl_uint rows;
    const uint64_t regions = regions_of(&image->lattice, &rows);
    return clup_cluster_tops(labelling, image) == 0
               ? CLUP_OK
               : clup_prepared_launch_groups(
                     &labelling->measure, CLUP_IMAGE_TOPS, regions,
                     clup_site_items(labelling->context),
                     CLUP_WITH(CLUP_ARG_AS(lattice, image->lattice), CLUP_ARG_AS(region_rows, rows),
                               CLUP_ARG(from), CLUP_ARG(count),
                               CLUP_ARG_AS(numbers, image->numbers),
                               CLUP_ARG_AS(pixels, image->pixels), CLUP_ARG_AS(tops, image->tops)));
}

clup_status clup_cluster_add(clup_labelling *labelling, const clup_cluster_image *image,
                             cl_uint from, cl_uint count)
{
    cl_uint rows;
    const uint64_t regions = regions_of(&image->lattice, &rows);
    return clup_prepared_launch_groups(
        &labelling->measure, CLUP_IMAGE_MEASURE, regions, clup_site_items(labelling->context),
        CLUP_WITH(CLUP_ARG_AS(lattice, image->lattice), CLUP_ARG_AS(region_rows, rows),
                  CLUP_ARG(from), CLUP_ARG(count), CLUP_ARG_AS(numbers, image->numbers),
                  CLUP_ARG_AS(pixels, image->pixels), CLUP_ARG_AS(tops, image->tops),
                  CLUP_ARG_AS(clusters, labelling->statistics)));
}

clup_status clup_cluster_read(clup_labelling *labelling, cl_mem buffer, uint64_t words,
                              uint64_t first, uint64_t count, cl_bool waits, uint32_t *to)
{
    return words == 0
               ? CLUP_OK
               : clup_cl_check(clEnqueueReadBuffer(labelling->context->queue, buffer, waits,
                                                   first * words * sizeof *to,
                                                   count * words * sizeof *to, to, 0, NULL, NULL),
                               "clEnqueueReadBuffer");
}
