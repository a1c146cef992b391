/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels of the clusters of an image. */
#ifndef CLUP_LABEL_H
#define CLUP_LABEL_H

#include "clup/processes.h"
#include "clup/image.h"
#include "clup/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what is labelled ------------------------------------------------------------------------ */

/* When neighbouring pixels belong to one cluster. Only pixels of the foreground are in clusters. */
typedef enum clup_match {
    CLUP_MATCH_EQUAL,     /* all channels are equal. A NaN equals nothing, not even itself */
    CLUP_MATCH_TOLERANCE, /* each channel is equal, as infinities may be, or differs by at most the
                             level. A NaN differs from everything */
    CLUP_MATCH_NONZERO,   /* both are of the foreground: a channel other than alpha is not 0. A NaN
                             is not 0 */
    CLUP_MATCH_THRESHOLD, /* both are of the foreground: a channel other than alpha is above the
                             level. A NaN is not */
    /* The pixel says it: bit d, for d = 0, 1, ..., is its bond to the d-th of these neighbours at
     * (x, y, z), by the connectivity:
     *   4:  (1 0 0) (0 1 0)
     *   8:  those of 4, (1 1 0) (-1 1 0)
     *   6:  (1 0 0) (0 1 0) (0 0 1)
     *   18: those of 6, (1 1 0) (-1 1 0) (1 0 1) (-1 0 1) (0 1 1) (0 -1 1)
     *   26: those of 18, (1 1 1) (-1 1 1) (1 -1 1) (-1 -1 1)
     * Pixels are unsigned integers with a bit for each neighbour. Bonds beyond the end of an open
     * axis are ignored. Every pixel is in a cluster; there is no background. */
    CLUP_MATCH_BONDS,
    CLUP_MATCHES
} clup_match;

/* A kind of image, and how it is labelled. */
typedef struct clup_label_problem {
    uint32_t size[3];      /* pixels along x, y and z, each >= 1, product < 2^32 - 1; z is 1 in the
                              plane */
    unsigned connectivity; /* neighbours of a pixel: 4 or 8 in the plane, 6, 18 or 26 in a volume */
    int periodic[3];       /* of each axis: non-zero where neighbours beyond its end are those at
                              the other end */
    clup_dtype dtype;
    unsigned channels; /* 1, 3 or 4 */
    clup_match match;
    double level; /* see clup_match. For integers it is rounded down, for f32 to the nearest. A
                     tolerance must not be negative, and for integers of up to 32 bits must be below
                     2^32 */
    int has_background;   /* of EQUAL and TOLERANCE: pixels that equal background are not of the
                             foreground. A channel that is NaN in background equals a NaN */
    double background[4]; /* [channels] */
    /* Are added to level and background. For integers the sums are exact, so that every number of
     * 64 bits can be given. */
    int64_t level_more, background_more[4];
    /* How many images are labelled together, a batch: their pixels, and labels, follow one another
     * in memory, each of size, and no cluster is of two images. The last axis, y in the plane and
     * else z, must be open, and all images together have less than 2^32 - 1 pixels. 0 and 1 are one
     * image. */
    uint64_t batch;
    uint64_t reserved[2];
} clup_label_problem;

/* What the labels are. */
typedef enum clup_label_form {
    CLUP_LABELS_NUMBERED, /* 1, 2, ... in raster order of the clusters' first pixels; 0 for the
                             background */
    CLUP_LABELS_CANONICAL /* the number of the cluster's first pixel in raster order; 2^32 - 1 for
                             the background */
} clup_label_form;

/* ---- images of one kind ---------------------------------------------------------------------- */

/* Kernels and work buffers for images of one kind. */
typedef struct clup_labelling clup_labelling;

/* Prepares labelling, once for all images of a kind. The context must outlive *out; release it by
 * clup_labelling_free. A context and all that was made with it are used by one thread at a time;
 * several threads make a context each.
 *
 * The first time that a context uses these kernels they label a small image, which is compared with
 * a serial labelling. If they differ, and the plan without one of its kernels is right, the
 * labelling gets that plan, later plans leave the kernel out, and clup_context_warning says so.
 * Otherwise the status is CLUP_ERROR_VERIFY.
 *
 * Returns CLUP_ERROR_USAGE for a problem that is not valid, CLUP_ERROR_MEMORY when the device has
 * no room for it. */
CLUP_API clup_status clup_labelling_create(clup_context *context, const clup_label_problem *problem,
                                           clup_labelling **out);
CLUP_API void clup_labelling_free(clup_labelling *labelling);

/* Returns the plan, which the labelling owns; NULL for NULL. */
CLUP_API const clup_plan *clup_labelling_plan(const clup_labelling *labelling);

struct _cl_mem;
struct _cl_event;
/* Enqueues the labelling of an image in OpenCL buffers of the context, and returns at once.
 *
 *   pixels  the image, size[0]*size[1]*size[2]*channels values in raster order, see clup_image
 *   labels  becomes one uint32_t for each pixel; another buffer than pixels
 *   wait    [count] events (cl_event) that it waits for before it starts
 *   event   becomes its own event, which the caller releases; NULL for none
 *
 *     clup_labelling_enqueue(labelling, pixels, labels, CLUP_LABELS_NUMBERED, 0, NULL, NULL);
 *     clup_labelling_count(labelling, &clusters); */
CLUP_API clup_status clup_labelling_enqueue(clup_labelling *labelling, struct _cl_mem *pixels,
                                            struct _cl_mem *labels, clup_label_form form,
                                            unsigned count, struct _cl_event *const *wait,
                                            struct _cl_event **event);

/* Waits for the last labelling, and returns how many clusters it found. Returns CLUP_ERROR_USAGE
 * before the first one. */
CLUP_API clup_status clup_labelling_count(clup_labelling *labelling, uint32_t *clusters);

/* Seconds of a labelling. */
typedef struct clup_label_timing {
    double device_s;   /* kernels; NAN where device events have no times */
    double transfer_s; /* transfers */
    double wall_s;     /* everything, by the wall clock. The first use includes the compiling of
                          kernels where a driver (PoCL) leaves that to their first launch */
    uint64_t reserved[5];
} clup_label_timing;

/* Labels an image in the host's memory, to labels[size[0]*size[1]*size[2]]. pixels are as in
 * clup_labelling_enqueue, and do not overlap labels. clusters becomes the number of clusters; it
 * and timing may be NULL. */
CLUP_API clup_status clup_labelling_run(clup_labelling *labelling, const void *pixels,
                                        clup_label_form form, uint32_t *labels, uint32_t *clusters,
                                        clup_label_timing *timing);

/* ---- images of any size ---------------------------------------------------------------------- */

/* Labels an image in the host's memory that may be larger than a device's.
 *
 *   pixels           as in clup_labelling_run; the image may have 2^32 pixels and more, one
 *                    layer of it may not
 *   max_slab_pixels  the most pixels that are labelled at once; 0 leaves that to the memory of the
 *                    device and the host
 *   labels           [pixels], numbered, the same as clup_labelling_run gives
 *   clusters         becomes the number of clusters; may be NULL
 *   timing           may be NULL. wall_s leaves out what clup_labelling_create does
 *
 * An image that has no room as a whole is labelled in slabs along the last axis, of at least one
 * layer each, one after the other; the host unites clusters across them.
 *
 * Processes that the context has joined (clup_context_join) label an image together. The problem
 * and *clusters are those of the whole. pixels and labels are those of the part that this process
 * has, see clup_image_options: at least one layer. Labels are the same as one process gives.
 *
 * Returns, besides the errors of clup_labelling_create and clup_labelling_run, CLUP_ERROR_USAGE for
 * more than 2^32 - 2 clusters; CLUP_ERROR_MEMORY when a layer does not fit on the device, or the
 * host has not 4 bytes for each cluster of a slab and 64 for each cluster where slabs meet. */
CLUP_API clup_status clup_label_image(clup_context *context, const clup_label_problem *problem,
                                      const void *pixels, uint64_t max_slab_pixels,
                                      uint32_t *labels, uint32_t *clusters,
                                      clup_label_timing *timing);

/* Turns clusters of fewer than least pixels into background, and numbers the others anew in the
 * same order.
 *
 *   ranks    the processes of which each has labels of its part; NULL for one process
 *   labels   [pixels], each at most *count
 *   count    the number of clusters, which becomes the number of those that are left
 *   largest  becomes the pixels of the largest of these, 0 for none; may be NULL
 *
 * Returns CLUP_ERROR_USAGE for a label above *count, CLUP_ERROR_MEMORY when the host has not 8
 * bytes for each cluster. */
CLUP_API clup_status clup_labels_drop_small(const clup_ranks *ranks, uint32_t *labels,
                                            uint64_t pixels, uint64_t least, uint32_t *count,
                                            uint64_t *largest);

/* Gives holes the labels of the clusters around them.
 *
 * A hole is a component of the background, by 4 neighbours or in a volume by 6, that one cluster
 * touches and encloses: each way by such neighbours from the hole to an end of an axis goes through
 * that cluster. It becomes a part of the cluster; what else lies within the cluster stays. Of an
 * image of two values, labelled with 8 or 26 neighbours, all that scipy.ndimage.binary_fill_holes
 * fills are holes. Axes that are periodic, or of one pixel, have no ends.
 *
 *   context  finds the background's components, and what they touch; not of several processes
 *   image    what was labelled: its size, connectivity and periodic
 *   labels   [size[0]*size[1]*size[2]], each at most count, of clusters that are numbered
 *   most     the most pixels of a hole that is filled; 0 for any number
 *   filled   becomes the number of holes that were filled; may be NULL
 *
 * Clusters keep their numbers. Returns CLUP_ERROR_USAGE for a label above count, for several
 * processes, and where clusters and components of the background are more than 2^32 - 2;
 * CLUP_ERROR_MEMORY when the host has not 5 bytes for each pixel, or 100 for each cluster and
 * component; the errors of clup_label_image and clup_contacts_find (contact.h). */
CLUP_API clup_status clup_labels_fill_holes(clup_context *context, const clup_label_problem *image,
                                            uint32_t *labels, uint32_t count, uint64_t most,
                                            uint32_t *filled);

/* Which clusters are kept. Zero in a field limits nothing. */
typedef struct clup_label_rule {
    uint64_t least, most; /* the pixels that a cluster has at least, and at most */
    int clear_border;     /* non-zero: clusters that have a pixel at an end of an axis that is not
                             periodic are not kept */
    uint32_t border;  /* with clear_border: nor are those that have one so many pixels from there,
                         or fewer */
    uint64_t largest; /* of those that the other fields keep only so many, those with most pixels;
                         of equal ones those that are numbered first */
    uint64_t reserved[4];
} clup_label_rule;

/* Turns clusters that a rule does not keep into background, and numbers the others anew in the same
 * order.
 *
 *   ranks    as in clup_labels_drop_small
 *   image    what was labelled: the size, connectivity and periodic of the whole
 *   labels   [pixels of the image, or of the part of this process], each at most *count
 *   count    the number of clusters, which becomes the number of those that are left
 *   largest  becomes the pixels of the largest of these, 0 for none; may be NULL
 *   numbers  [*count + 1] becomes the new number of each label, 0 of those that are dropped; may be
 *            NULL
 *
 * Returns CLUP_ERROR_USAGE for a label above *count, and for an image that is none;
 * CLUP_ERROR_MEMORY when the host has not 16 bytes for each cluster. */
CLUP_API clup_status clup_labels_keep(const clup_ranks *ranks, const clup_label_problem *image,
                                      const clup_label_rule *rule, uint32_t *labels,
                                      uint32_t *count, uint64_t *largest, uint32_t *numbers);

/* ---- arrays and files of labels -------------------------------------------------------------- */

/* Allocates labels[pixels], with any values. Labels that would take more than half of the host's
 * free memory are mapped from a file without a name, which ends with the process: in the folder of
 * the file beside, or in $TMPDIR or /tmp where beside is NULL or "-". Release them by
 * clup_labels_free with the same number of pixels; it accepts NULL. Returns CLUP_ERROR_MEMORY where
 * there is no room. */
CLUP_API clup_status clup_labels_create(uint64_t pixels, const char *beside, uint32_t **labels);
CLUP_API void clup_labels_free(uint32_t *labels, uint64_t pixels);

/* Writes labels 0..count of an image as a file, all or nothing.
 *
 *   ranks   NULL for one process. Processes write one .npy file together: labels are those of the
 *           part that each has, size is that of the whole
 *   path    .npy, or "-" for .npy on standard output: the smallest of u8, u16 and u32 that holds
 *           count. .png: 8 or 16 bits of gray. .tif or .tiff: 8, 16 or 32 bits of gray, packed by
 *           deflate, a page for each z; a BigTIFF where 2^32 bytes might not hold it
 *   labels  one for each pixel of an image of these axes and this size
 *   count   the largest label
 *
 * Returns CLUP_ERROR_USAGE for another extension, when count needs more than 16 bits in a PNG, and
 * for a label above count; CLUP_ERROR_RUNTIME when the file cannot be written. */
CLUP_API clup_status clup_labels_write(const clup_ranks *ranks, const char *path,
                                       const uint32_t *labels, const uint32_t size[3],
                                       unsigned axes, uint32_t count);

/* Writes each cluster of an image as a file by itself: the pixels of its box, with 0 where another
 * cluster or the background is.
 *
 *   path    .npy or .png; files are called so with the label before the extension: cell.png becomes
 *           cell-001.png, cell-002.png and so on, in as many digits as count has. A label without
 *           a pixel has no file
 *   image   what was labelled, with its pixels; a cluster beyond a periodic end has the box of its
 *           pixels where they are in the image
 *   labels  one for each pixel, each at most count
 *
 * Returns CLUP_ERROR_USAGE for another extension, a label above count, and an image that a PNG
 * cannot hold; CLUP_ERROR_RUNTIME when a file cannot be written: those before it are there. */
CLUP_API clup_status clup_labels_write_each(const char *path, const clup_image *image,
                                            const uint32_t *labels, uint32_t count);

/* Writes the SHA-256 of labels[pixels], as little-endian numbers, to hex, as clup_sha256 does: that
 * of all labels where processes (ranks, or NULL) have labels[pixels] of their parts each. */
CLUP_API clup_status clup_labels_sha256(const clup_ranks *ranks, const uint32_t *labels,
                                        uint64_t pixels, char hex[65]);

/* Draws labels as a PNG with a colour for each label, black for 0. A label has the same colour in
 * every picture; several labels may share one. Of a volume up to 16 slices, evenly spaced along z,
 * stand row by row with gray lines between them. path must end in .png. Errors are those of
 * clup_labels_write. */
CLUP_API clup_status clup_labels_draw(const char *path, const uint32_t *labels,
                                      const uint32_t size[3]);

/* Draws labels as clup_labels_draw does, with colours by the sizes of the components in pixels:
 * yellow for the largest one, over red to dark blue for the smallest, by the logarithm of the rank,
 * 1 more than how many are larger. Components of one size have one colour. Labels are at most the
 * number of pixels: CLUP_ERROR_USAGE else. */
CLUP_API clup_status clup_labels_draw_by_size(const char *path, const uint32_t *labels,
                                              const uint32_t size[3]);

/* Draws the boundaries and the numbers of components on their image, as a PNG.
 *
 *   path    must end in .png
 *   image   what was labelled; of a volume the slices are drawn that clup_labels_draw draws. u8 is
 *           shown as it is; other types, and u8 with values up to 15 alone, from black to white
 *           between the smallest and the largest value, but for the thousandth part of values at
 *           either end of other types. A fourth channel is not shown, NaN is black
 *   labels  one for each pixel, 0 the background
 *
 * A pixel that has a neighbour (of 4, in its slice) of another label has its label's colour, the
 * one of clup_labels_draw. The number of a component is at the pixel of it that is nearest to its
 * centroid in the slice; a component whose box has no room for its number has none. Errors are
 * those of clup_labels_write, and CLUP_ERROR_USAGE for an invalid image. */
CLUP_API clup_status clup_labels_overlay(const char *path, const clup_image *image,
                                         const uint32_t *labels);

#ifdef __cplusplus
}
#endif

#endif
