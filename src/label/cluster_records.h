/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of clusters on a device (cl/image/clusters.clh): the sums of the pixels that have a
 * number, whatever gave them numbers. */
#ifndef CLUP_LABEL_CLUSTER_RECORDS_H
#define CLUP_LABEL_CLUSTER_RECORDS_H
#include "label/labelling.h"

/* Kernels of the measuring variants for images. */
enum { CLUP_IMAGE_MEASURE, CLUP_IMAGE_TOPS, CLUP_IMAGE_WRAPS };

/* What is measured: pixels, or NULL for none, and the numbers of clusters; as many layers of the
 * image as lattice has. */
typedef struct clup_cluster_image {
    lattice_args lattice;
    cl_mem pixels, numbers;
    cl_mem tops; /* for floats: one for each channel of each cluster that is measured in one go */
} clup_cluster_image;

/* Return the words of a cluster, and those of its tops, of which there are none without floats. */
uint64_t clup_cluster_words(const clup_labelling *labelling);
uint64_t clup_cluster_tops(const clup_labelling *labelling, const clup_cluster_image *image);
/* Makes the labelling's statistics buffer at least bytes long. */
clup_status clup_cluster_reserve(clup_labelling *labelling, uint64_t bytes);
/* Prepares the kernels that measure, once. */
clup_status clup_cluster_prepare(clup_labelling *labelling);
/* Returns how many of so many clusters are measured in one go, which reads the image once. With
 * most 0 these are as many as a small part of the device's memory has room for, or 2^21 if that is
 * more; else most, or 2^21 if that is less. */
uint32_t clup_cluster_at_once(const clup_labelling *labelling, uint32_t clusters, uint32_t most);
/* Clears so many words of a buffer. */
clup_status clup_cluster_zero(clup_labelling *labelling, cl_mem buffer, uint64_t words);
/* Raise the tops, where there are any, of clusters from + 1 to from + count; and add their sums to
 * the statistics buffer, where floats need their tops. */
clup_status clup_cluster_raise(clup_labelling *labelling, const clup_cluster_image *image,
                               cl_uint from, cl_uint count);
clup_status clup_cluster_add(clup_labelling *labelling, const clup_cluster_image *image,
                             cl_uint from, cl_uint count);
/* Reads words of clusters first to first + count - 1 from a buffer with so many words for each;
 * waits says whether to wait. */
clup_status clup_cluster_read(clup_labelling *labelling, cl_mem buffer, uint64_t words,
                              uint64_t first, uint64_t count, cl_bool waits, uint32_t *to);

#endif
