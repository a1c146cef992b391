/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches: images of one kind, labelled together in few launches. */
#ifndef CLUP_BATCH_H
#define CLUP_BATCH_H

#include "clup/cluster.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the clusters of a batch are numbered: on from image to image, or from 1 on in each. */
typedef enum clup_numbering { CLUP_NUMBER_THROUGHOUT, CLUP_NUMBER_EACH } clup_numbering;

/* A labelling whose problem has a batch gives labels that are numbered throughout. The clusters of
 * an image then have consecutive numbers, and clup_labelling_count counts those of all images.
 * clup_labelling_measure gives coordinates in the image of each cluster, and spans of that. */

/* Waits for the last labelling, and writes to before[batch + 1] how many clusters the images before
 * each have, and at last how many all have: image k has clusters before[k] + 1 to before[k + 1].
 * Without a batch there is one image. Returns CLUP_ERROR_USAGE before the first labelling. */
CLUP_API clup_status clup_labelling_before(clup_labelling *labelling, uint32_t *before);

/* Enqueues to number the clusters of each image anew, and returns at once. labels (cl_mem) are
 * those of the last labelling, made as CLUP_LABELS_NUMBERED; measure clusters before. Returns
 * CLUP_ERROR_USAGE where the last labelling has another form. */
CLUP_API clup_status clup_labelling_number_each(clup_labelling *labelling, struct _cl_mem *labels);

/* Labels images in the host's memory, as many at once as there is room for.
 *
 *   problem   one image, whose batch is 0 or 1. Its axes may be periodic: where the last one is,
 *             images are labelled one by one
 *   images    how many, at least 1
 *   pixels    of all images, one after the other, as in clup_labelling_run
 *   labels    become those of all images, and do not overlap pixels
 *   before    [images + 1], see clup_labelling_before; may be NULL
 *   clusters  becomes the statistics of all clusters, those of cluster n of image k at
 *             before[k] + n - 1, as clup_labelling_measure gives them; release them by
 *             clup_clusters_free. NULL for none
 *   timing    the sum over all; may be NULL
 *
 * Without statistics an image may be larger than the device's memory, as in clup_label_image.
 * Returns, besides the errors of clup_labelling_create and clup_labelling_measure, CLUP_ERROR_USAGE
 * for CLUP_NUMBER_THROUGHOUT with more than 2^32 - 2 clusters. */
CLUP_API clup_status clup_label_batch(clup_context *context, const clup_label_problem *problem,
                                      uint64_t images, const void *pixels, clup_numbering numbering,
                                      uint32_t *labels, uint64_t *before, clup_cluster **clusters,
                                      clup_label_timing *timing);
CLUP_API void clup_clusters_free(clup_cluster *clusters);

/* Writes the clusters of a batch as clup_clusters_write does, with a first column, or key, "image":
 * the name of the image of the cluster, or its number, from 0 on.
 *
 *   clusters   [before[images]]
 *   before     [images + 1], see clup_labelling_before
 *   names      [images]; NULL for numbers
 *   numbering  what the column label has
 *
 * Returns, besides the errors of clup_clusters_write, CLUP_ERROR_USAGE where before decreases, or
 * does not begin with 0. */
CLUP_API clup_status clup_batch_write(const char *path, const clup_cluster *clusters,
                                      const uint64_t *before, uint64_t images,
                                      const char *const *names, clup_numbering numbering,
                                      unsigned axes, unsigned channels);

#ifdef __cplusplus
}
#endif

#endif
