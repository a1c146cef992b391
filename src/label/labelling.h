/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by labelling an image, whole or in slabs, and by measuring its clusters. */
#ifndef CLUP_LABEL_LABELLING_H
#define CLUP_LABEL_LABELLING_H
#include "core/image.h"
#include "program.h"
#include "update/update.h"

struct clup_labelling {
    clup_label_problem problem;
    clup_context *context;
    lattice_args pixel_lattice;
    clup_plan plan;
    clup_update update; /* each sweep labels an image */
    bool found;         /* an image has been labelled */
    bool counted;       /* the device has counted the clusters of the last labelling */
    bool ranked;        /* before has what it has of the last labelling */
    bool known;         /* clusters is their number, which the device may have overwritten since */
    uint32_t clusters;
    cl_mem before;         /* of each image of a batch, how many clusters the images before it have;
                              NULL for one image */
    cl_mem pixels, labels; /* buffers of clup_labelling_run, made at its first call */
    bool lent; /* instead, each call lends the caller's memory to the device, which must take it,
                  and clusters cannot be measured afterwards; set before clup_labelling_reserve */
    bool done; /* pixels and labels are of the last labelling, with numbered clusters */
    clup_prepared measure; /* made when clusters are first measured; statistics grows */
    cl_mem statistics;
    cl_mem open; /* labels of the pieces of clusters, for periodic axes */
    uint64_t statistics_bytes;
    clup_pinned room; /* the host's memory for sums of clusters, where the device reads it faster */
    uint64_t room_bytes;
};

/* The most clusters measured in one go; 0 for as many as the device has room for. Tests make it
 * small. */
extern uint32_t clup_measure_most;

/* The most pixels of a slab of clup_label_measure; 0 for as many as the device has room for. Tests
 * make it small. */
extern uint64_t clup_measure_slab;

/* The layout for labelling, set by tests; NULL for the one that the planner chooses. */
extern const char *clup_label_layout;

/* Makes the buffers of clup_labelling_run, or checks that memory of their sizes can be lent. */
clup_status clup_labelling_reserve(clup_labelling *labelling);
/* Whether a device that uses the host's memory leaves as much free as its buffers take, for the
 * image and its labels. These may be mapped files, whose pages need memory while they are read and
 * written. */
bool clup_labelling_leaves_room(const clup_labelling *labelling);
/* The two halves of clup_labelling_run. clup_labelling_find labels the image, whose labels are then
 * in the buffer labels, and counts clusters; clup_labelling_take takes the labels from there. spent
 * is set by the first, and added to by the second. */
clup_status clup_labelling_find(clup_labelling *labelling, const void *pixels, clup_label_form form,
                                uint32_t *labels, uint32_t *clusters, clup_label_timing *spent);
clup_status clup_labelling_take(clup_labelling *labelling, uint32_t *labels,
                                clup_label_timing *spent);
/* Waits for the action that was enqueued last, and reads how many clusters it has numbered. */
clup_status clup_labelling_read_count(clup_labelling *labelling, uint32_t *clusters);
/* The kernel variant that measures the clusters. */
const clup_variant *clup_labelling_measuring(const clup_labelling *labelling);
/* Whether a pixel belongs to the foreground. */
bool clup_pixel_in_foreground(const clup_label_problem *problem, const void *pixels,
                              uint64_t pixel);
/* Whether pixel a and pixel b, its neighbour along d, match and are both in the foreground, as the
 * device decides where it draws the bonds. */
bool clup_pixels_match(const clup_label_problem *problem, const void *pixels, uint64_t a,
                       uint64_t b, unsigned d);

/* The serial definition of labelling, on the host: sets labels[] as CLUP_LABELS_CANONICAL. The
 * image must have fewer than 2^32 - 1 pixels, and the problem must have been validated. */
void clup_label_reference(const clup_label_problem *problem, const void *pixels, uint32_t *labels);
/* The known-answer test of labelling: labels a small image of the problem's kind with the kernels
 * of a plan, unless they have passed in this context. CLUP_ERROR_VERIFY if the labels differ from
 * those of the serial definition. method is not used. */
clup_status clup_labelling_verify(clup_context *context, const clup_problem *problem,
                                  const clup_method *method, const clup_plan *plan);
/* Chooses the best plan for an image, in the layout clup_label_layout. */
clup_status clup_labelling_choose(clup_context *context, const clup_problem *image,
                                  clup_plan *plan);
/* Makes a labelling as clup_labelling_create does, but without a known-answer test, with a settled
 * plan, or NULL for a chosen one. */
clup_status clup_labelling_create_only(clup_context *context, const clup_label_problem *problem,
                                       const clup_plan *plan, clup_labelling **out);

#endif
