/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of the clusters of an image. */
#ifndef CLUP_CLUSTER_H
#define CLUP_CLUSTER_H

#include "clup/label.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A cluster. Lengths are in pixels, and coordinates those of pixels, 0 to size[a] - 1 along axis a.
 *
 * Along a periodic axis around which it does not wrap, a cluster is unwrapped to one piece: where
 * it goes on at the other end, coordinates go on. So the first coordinate is 0 to size[a] - 1, and
 * the last one may be size[a] or more; modulo size[a] they are those of pixels. Box, centroid and
 * moments are those of that piece. Along a periodic axis around which it wraps, coordinates are
 * those in the image.
 *
 * Sums are made with integers and rounded once, when they are divided: they are the same on every
 * device and with every plan. */
typedef struct clup_cluster {
    uint64_t size;              /* pixels */
    uint32_t first[3], last[3]; /* the bounding box, both included; z is 0 in the plane */
    double centroid[3];         /* the mean of x, y and z */
    double moments[6]; /* central second moments xx, yy, zz, xy, xz and yz: means over pixels, in
                          pixels^2. NAN where the size times the lengths less 1 of the box along
                          both axes is 2^65 or more */
    double value[4];   /* the mean of each channel; 0 for channels that the image does not have.
                          Exact but for one rounding of integers. Floats are first rounded to the
                          nearest multiple of 2^-95 times a power of two above the largest value of
                          the channel in this cluster (in each of its pieces where it crosses a
                          periodic end). NAN when one value is not finite */
    unsigned spans;    /* bit a is set: it has pixels at both ends of axis a, which is open; also of
                          an axis of one pixel */
    unsigned wraps;    /* bit a is set: a closed path inside it winds around axis a, which is
                          periodic, a number of times other than 0 */
    uint64_t reserved[4];
} clup_cluster;

/* Measures clusters 1 to clusters of the image that was enqueued last, and waits for the result.
 *
 *   pixels   the image (cl_mem); NULL gives no values, which are NAN then
 *   numbers  its labels (cl_mem), made as CLUP_LABELS_NUMBERED
 *   out      [clusters], out[k] belongs to label k + 1
 *
 * Takes at most 0.4 GB on the device and on the host. Where an axis is periodic it takes besides,
 * on the device, 4 bytes for each pixel and 8 for each pixel at an end of such an axis; on the host
 * up to 400 for each of the latter.
 *
 * Returns CLUP_ERROR_USAGE when the image has fewer clusters, and for a cluster that goes around so
 * far that a coordinate would be 2^32 or more; CLUP_ERROR_MEMORY when host or device have no
 * room. */
CLUP_API clup_status clup_labelling_measure(clup_labelling *labelling, struct _cl_mem *pixels,
                                            struct _cl_mem *numbers, uint32_t clusters,
                                            clup_cluster *out);

/* Does that for no more than most clusters, whose number need not be known: the count and the
 * statistics are waited for together, so that small images take one wait in place of two.
 *
 *   out       [most], of which as many are set as there are clusters
 *   clusters  becomes the number of clusters, which may be above most
 *
 * Without a periodic axis the device measures most clusters, whether there are so many or not. */
CLUP_API clup_status clup_labelling_measure_most(clup_labelling *labelling, struct _cl_mem *pixels,
                                                 struct _cl_mem *numbers, uint32_t most,
                                                 clup_cluster *out, uint32_t *clusters);

/* Does what clup_labelling_measure does for the image of the last clup_labelling_run. Returns,
 * besides, CLUP_ERROR_USAGE when the form of that was not CLUP_LABELS_NUMBERED. */
CLUP_API clup_status clup_labelling_measure_run(clup_labelling *labelling, uint32_t clusters,
                                                clup_cluster *out);

/* Measures the clusters of an image in the host's memory that may be larger than a device's, slab
 * by slab as clup_label_image labels it.
 *
 *   pixels    the image
 *   labels    its labels, made by clup_label_image for the same problem
 *   clusters  their number
 *   out       [clusters], out[k] belongs to label k + 1; what clup_labelling_measure gives, to the
 *             last bit
 *
 * Processes that the context has joined (clup_context_join) measure an image together. The problem,
 * clusters and out are those of the whole, in each process. pixels and labels are those of the part
 * that the process has.
 *
 * Takes up to 0.6 GB on the host, and where an axis is periodic besides 4 bytes for each pixel and
 * up to 400 for each at an end of such an axis. Returns the errors of clup_label_image,
 * CLUP_ERROR_USAGE where labels are not those of the problem, and for a cluster that has a
 * coordinate of 2^32 or more, or whose pixels times its last coordinate plus 1 exceed 2^64. */
CLUP_API clup_status clup_label_measure(clup_context *context, const clup_label_problem *problem,
                                        const void *pixels, const uint32_t *labels,
                                        uint32_t clusters, clup_cluster *out);

/* Writes clusters[count] in the format of the extension of path, all or nothing. "-" is standard
 * output, in CSV.
 *
 *   axes      2 or 3; in the plane columns of z are left out
 *   channels  0 to 4
 *
 * spans and wraps are written as names of axes, such as "xy", and empty for none.
 *
 * .csv   a line of names, then a line for each cluster: label (1, 2, ...), size, first_x, first_y,
 *        first_z, last_x, ..., centroid_x, ..., moment_xx, moment_yy, moment_zz, moment_xy,
 *        moment_xz, moment_yz, value_0, ..., spans, wraps; nan for no number
 * .json  {"axes":.., "channels":.., "clusters":[{"label":1, "size":.., "first":[x, y, z],
 *        "last":[..], "centroid":[..], "moments":[xx, yy, zz, xy, xz, yz], "value":[..],
 *        "spans":"", "wraps":""}, ..]}; moments in the plane are [xx, yy, xy]; null for no number
 *
 * Returns CLUP_ERROR_USAGE for another extension, axes or channels, CLUP_ERROR_RUNTIME when the
 * file cannot be written. */
CLUP_API clup_status clup_clusters_write(const char *path, const clup_cluster *clusters,
                                         uint32_t count, unsigned axes, unsigned channels);

#ifdef __cplusplus
}
#endif

#endif
