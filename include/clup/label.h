/* Labels of the clusters of an image. */
#ifndef CLUP_LABEL_H
#define CLUP_LABEL_H

#include "clup/processes.h"
#include "clup/image.h"
#include "clup/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* When neighbouring pixels are of one cluster. The foreground is what has clusters. */
typedef enum clup_match {
    CLUP_MATCH_EQUAL,     /* all channels are equal; a NaN equals nothing, not even itself */
    CLUP_MATCH_TOLERANCE, /* each channel is equal, as infinities may be, or differs by at most the
                             level, which a NaN does from nothing */
    CLUP_MATCH_NONZERO,   /* both are of the foreground: a channel other than alpha is not 0, as a
                             NaN is not */
    CLUP_MATCH_THRESHOLD, /* the same where a channel other than alpha is above the level; a NaN is
                             not */
    /* what the caller says: bit d of a pixel, for d = 0, 1, ..., its bond to the d-th of these
     * neighbours at (x, y, z)
     *   4:  (1 0 0) (0 1 0)
     *   8:  these, (1 1 0) (-1 1 0)
     *   6:  (1 0 0) (0 1 0) (0 0 1)
     *   18: those of 6, (1 1 0) (-1 1 0) (1 0 1) (-1 0 1) (0 1 1) (0 -1 1)
     *   26: those of 18, (1 1 1) (-1 1 1) (1 -1 1) (-1 -1 1)
     * Pixels are unsigned integers with a bit for each; bonds beyond the end of an open axis are
     * left out. Each pixel is of some cluster, and there is no background */
    CLUP_MATCH_BONDS,
    CLUP_MATCHES
} clup_match;

/* What to label. Neighbours beyond the end of an axis are those at its other end where it is
 * periodic. */
typedef struct clup_label_problem {
    uint32_t size[3]; /* pixels along x, y and z, each >= 1, product < 2^32 - 1; z is 1 in the plane
                       */
    unsigned connectivity; /* neighbours of a pixel: 4 or 8 in the plane, 6, 18 or 26 in a volume */
    int periodic[3];
    clup_dtype dtype;
    unsigned channels; /* 1, 3 or 4 */
    clup_match match;
    double level; /* see clup_match; for integers it is rounded down, for f32 to the nearest one. A
                     tolerance is not negative, for integers of up to 32 bits below 2^32 */
    int has_background;   /* with EQUAL and TOLERANCE: pixels that are equal to this one are not of
                             the foreground; a channel that is NaN here is equal to a NaN */
    double background[4]; /* [channels] */
    /* are added to these: of integers the sums are exact, so that all of 64 bits can be said */
    int64_t level_more, background_more[4];
    uint64_t reserved[3];
} clup_label_problem;

/* What labels are. */
typedef enum clup_label_form {
    CLUP_LABELS_NUMBERED, /* clusters are 1, 2, ... in raster order of their first pixels, the
                             background is 0 */
    CLUP_LABELS_CANONICAL /* of a cluster the number of its first pixel in raster order, of the
                             background 2^32 - 1 */
} clup_label_form;

struct _cl_mem;
struct _cl_event;
typedef struct clup_labelling clup_labelling;

/* Makes everything ready for labelling images of this kind, once: kernels and work buffers. The
 * context must outlive it. The first time that it has these kernels they label a small image, which
 * is compared with a serial labelling. When they differ, and the plan without one of its kernels is
 * right, it has that plan, the kernel is left out of plans to come, and
 * clup_context_warning says so; else CLUP_ERROR_VERIFY. CLUP_ERROR_USAGE for a problem that is
 * none, CLUP_ERROR_MEMORY when the device has no room for it. A context and what was made with it
 * are for one thread at a time; several threads take a context each. */
CLUP_API clup_status clup_labelling_create(clup_context *context, const clup_label_problem *problem,
                                           clup_labelling **out);
CLUP_API void clup_labelling_free(clup_labelling *labelling);
/* The plan that it has, which lives as long; NULL for NULL. */
CLUP_API const clup_plan *clup_labelling_plan(const clup_labelling *labelling);

/* Enqueues the labelling of an image in buffers of the caller's, of the context's: pixels are
 * size[0]*size[1]*size[2]*channels values in raster order (clup_image), labels as many uint32_t as
 * pixels, which may not be the same buffer. It starts when the count events of wait[] have passed,
 * and gives *event, the caller's to release, unless that is NULL. Does not wait. */
CLUP_API clup_status clup_labelling_enqueue(clup_labelling *labelling, struct _cl_mem *pixels,
                                            struct _cl_mem *labels, clup_label_form form,
                                            unsigned count, struct _cl_event *const *wait,
                                            struct _cl_event **event);
/* Waits for the last labelling, and says how many clusters it found; CLUP_ERROR_USAGE before the
 * first. */
CLUP_API clup_status clup_labelling_count(clup_labelling *labelling, uint32_t *clusters);

/* Seconds of a labelling: of the device's kernels (NAN where events have no times), of transfers,
 * and of all by the wall clock, which on first use has the compiling of kernels where a driver
 * (PoCL) leaves that to their first launch. */
typedef struct clup_label_timing {
    double device_s, transfer_s, wall_s;
    uint64_t reserved[5];
} clup_label_timing;

/* Labels an image of the host's, labels[size[0]*size[1]*size[2]]; clusters and timing may be
 * NULL. */
CLUP_API clup_status clup_labelling_run(clup_labelling *labelling, const void *pixels,
                                        clup_label_form form, uint32_t *labels, uint32_t *clusters,
                                        clup_label_timing *timing);

/* Labels an image of the host's that may be larger than a device takes: where it, or
 * max_slab_pixels > 0, has no room for the whole, or would take more of the host's memory than it
 * leaves, slabs along the last axis are labelled one after the other, of at least one layer each,
 * and joined on the host. labels[] are those that
 * clup_labelling_run would give, numbered; the image may have 2^32 pixels and more, one layer may
 * not. wall_s leaves out what is done once for a kind of image, as clup_labelling_create does.
 * Besides the errors of that: CLUP_ERROR_USAGE for more than 2^32 - 2 clusters, CLUP_ERROR_MEMORY
 * when a layer does not fit, or the host has no 4 bytes for each cluster of a slab, and 64 for each
 * that slabs have where they meet.
 *
 * Processes that the context has joined (clup_context_join) label an image together: the problem is
 * that of the whole; pixels and labels are those of the part that this process has, see
 * clup_image_options, at least one layer; *clusters is that of the whole, and the labels are the
 * same as one process gives. */
CLUP_API clup_status clup_label_image(clup_context *context, const clup_label_problem *problem,
                                      const void *pixels, uint64_t max_slab_pixels,
                                      uint32_t *labels, uint32_t *clusters,
                                      clup_label_timing *timing);
/* Turns the clusters of fewer than least pixels into background, and numbers the others anew in the
 * same order; labels[pixels] are at most *count, which becomes the number of those that are left.
 * *largest, unless NULL, are the pixels of the largest of them, 0 for none. CLUP_ERROR_USAGE for a
 * label above *count, CLUP_ERROR_MEMORY when the host has no 8 bytes a cluster. Of processes that
 * have parts of the image (ranks is NULL for one process) each has the labels of its own. */
CLUP_API clup_status clup_labels_drop_small(const clup_ranks *ranks, uint32_t *labels,
                                            uint64_t pixels, uint64_t least, uint32_t *count,
                                            uint64_t *largest);

/* Room for labels[pixels], of any value. What would take more than half of the memory that the host
 * has left is that of a file without a name, in the folder of the file beside, or for NULL and "-"
 * in $TMPDIR or /tmp, which ends with the process. CLUP_ERROR_MEMORY where there is none.
 * clup_labels_free takes the same number of pixels, and accepts NULL. */
CLUP_API clup_status clup_labels_create(uint64_t pixels, const char *beside, uint32_t **labels);
CLUP_API void clup_labels_free(uint32_t *labels, uint64_t pixels);

/* Writes labels 0..count, one a pixel of an image of these axes and size[3], in the same way: .npy
 * or "-" in the smallest of u8, u16 and u32 that holds count, .png in 8 or 16 bits of gray.
 * CLUP_ERROR_USAGE, besides, when count overflows 16 bits of a PNG, or a label is larger than
 * count. Processes that have parts of the image (clup_label_image; ranks is NULL for one process)
 * write one .npy file, no other: each has the labels of its part, size is that of the whole. */
CLUP_API clup_status clup_labels_write(const clup_ranks *ranks, const char *path,
                                       const uint32_t *labels, const uint32_t size[3],
                                       unsigned axes, uint32_t count);
/* The SHA-256 of labels as little-endian numbers, in hexadecimal digits: of those of all processes
 * where each has labels[pixels] of its part. */
CLUP_API clup_status clup_labels_sha256(const clup_ranks *ranks, const uint32_t *labels,
                                        uint64_t pixels, char hex[65]);
/* Draws labels for the eye, a PNG with a colour for each label, 0 black; the same label has the
 * same colour in each picture, and others may have it too. Of a volume up to 16 slices, evenly
 * spaced along z, stand row by row, with gray lines between them. Errors as above; path must end in
 * .png. */
CLUP_API clup_status clup_labels_draw(const char *path, const uint32_t *labels,
                                      const uint32_t size[3]);

#ifdef __cplusplus
}
#endif

#endif
