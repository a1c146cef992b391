/* Statistics of the clusters of an image. */
#ifndef CLUP_CLUSTER_H
#define CLUP_CLUSTER_H

#include "clup/label.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A cluster, in pixels. Coordinates are those of pixels, 0 to size[a] - 1. Along a periodic axis
 * around which a cluster does not wrap it is taken as one piece, unwrapped: where it goes on at the
 * other end, coordinates go on, from a first one in the image, 0 to size[a] - 1, to a last one that
 * may be size[a] or more; box, centroid and moments are those of that piece, and each coordinate
 * modulo size[a] is that of the pixel. Along a periodic axis around which the cluster wraps there
 * is no such piece, and coordinates are those in the image, 0 to size[a] - 1. Sums are made with
 * integers, and rounded once when they are divided: the same on every device and with every
 * plan. */
typedef struct clup_cluster {
    uint64_t size;
    uint32_t first[3], last[3]; /* bounding box, both inclusive; z is 0 in the plane */
    double centroid[3];         /* the mean of x, y and z */
    double moments[6]; /* central second moments xx, yy, zz, xy, xz and yz, means over pixels, in
                          pixels^2. NAN where the size times the box's lengths, less 1, along both
                          axes is 2^65 or more */
    double value[4]; /* the mean of each channel's values, 0 for channels that there are not: exact
                        but for one rounding of integers. Of floats each value is first rounded to
                        the nearest multiple of 2^-95 times a power of two above the largest of this
                        channel in this cluster (its pieces where it crosses a periodic end); NAN
                        when one is not finite */
    unsigned spans;  /* bit a: it has pixels at both ends of axis a, which is open; also for an axis
                        of one pixel */
    unsigned wraps;  /* bit a: a closed path inside it winds around axis a, which is periodic, a
                        number of times that is not 0 */
    uint64_t reserved[4];
} clup_cluster;

/* Measures the first clusters, those with labels 1 to clusters, of the image that was enqueued
 * last: out[clusters]. numbers are its labels as CLUP_LABELS_NUMBERED; pixels may be NULL, and
 * values are NAN then. Waits for the result. CLUP_ERROR_USAGE when the image has fewer clusters,
 * CLUP_ERROR_MEMORY when host or device have no room: it takes 0.4 GB of each at most; and where an
 * axis is periodic, on the device 4 bytes a pixel and 8 for each pixel at the end of such an axis,
 * on the host up to 400 for each of those. CLUP_ERROR_USAGE for a cluster that goes around so far
 * that a coordinate would be 2^32 or more. */
CLUP_API clup_status clup_labelling_measure(clup_labelling *labelling, struct _cl_mem *pixels,
                                            struct _cl_mem *numbers, uint32_t clusters,
                                            clup_cluster *out);
/* The same for the image of the last clup_labelling_run, which must have been with
 * CLUP_LABELS_NUMBERED; else CLUP_ERROR_USAGE. */
CLUP_API clup_status clup_labelling_measure_run(clup_labelling *labelling, uint32_t clusters,
                                                clup_cluster *out);

/* Writes clusters[count] by the extension of path, all or nothing; "-" is standard output, as CSV.
 * axes is 2 or 3 and channels 0 to 4; columns of z are left out in the plane. spans and wraps are
 * the axes' names, such as "xy", and empty for none.
 *
 * .csv   a line of names, and a line a cluster: label (1, 2, ...), size, first_x, first_y, first_z,
 *        last_x, ..., centroid_x, ..., moment_xx, moment_yy, moment_zz, moment_xy, moment_xz,
 *        moment_yz, value_0, ..., spans, wraps; nan for no number
 * .json  {"axes":.., "channels":.., "clusters":[{"label":1, "size":.., "first":[x, y, z],
 *        "last":[..], "centroid":[..], "moments":[xx, yy, zz, xy, xz, yz], "value":[..],
 *        "spans":"", "wraps":""}, ..]}; moments in the plane are [xx, yy, xy]; null for no number
 *
 * CLUP_ERROR_USAGE for another extension, axes or channels, CLUP_ERROR_RUNTIME when the file cannot
 * be written. */
CLUP_API clup_status clup_clusters_write(const char *path, const clup_cluster *clusters,
                                         uint32_t count, unsigned axes, unsigned channels);

#ifdef __cplusplus
}
#endif

#endif
