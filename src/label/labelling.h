/* SPDX-License-Identifier: BSD-3-Clause */
/* What labelling an image, in one piece or in slabs, and measuring its clusters have in common. */
#ifndef CLUP_LABEL_LABELLING_H
#define CLUP_LABEL_LABELLING_H
#include "core/image.h"
#include "update/update.h"

struct clup_labelling {
    clup_label_problem problem;
    clup_context *context;
    lattice_args pixel_lattice;
    clup_plan plan;
    clup_update update; /* each sweep labels an image */
    bool found;         /* an image was labelled */
    bool counted;       /* the clusters of the last labelling */
    bool known;         /* how many, which the device may have forgotten since */
    uint32_t clusters;
    cl_mem pixels, labels; /* of clup_labelling_run, made when it is first called */
    bool done;             /* these are of the last labelling, with clusters numbered */
    clup_prepared measure; /* made when clusters are first measured, and statistics grows */
    cl_mem statistics;
    cl_mem open; /* labels of the pieces of clusters, where axes are periodic */
    uint64_t statistics_bytes;
};

/* Most clusters that are measured in one go; 0 for what the device has room for. Tests make it
 * small. */
extern uint32_t clup_measure_most;

/* The layout by which images are labelled, NULL, as it is unless tests set it, for the one that the
 * plan finds best. */
extern const char *clup_label_layout;

/* Makes the buffers of clup_labelling_run. */
clup_status clup_labelling_reserve(clup_labelling *labelling);
/* Waits for the action that was enqueued last, and says how many clusters it has numbered. */
clup_status clup_labelling_read_count(clup_labelling *labelling, uint32_t *clusters);
/* The row by which its clusters are measured. */
const clup_variant *clup_labelling_measuring(const clup_labelling *labelling);
/* Whether a pixel is of the foreground. */
bool clup_pixel_in_foreground(const clup_label_problem *problem, const void *pixels,
                              uint64_t pixel);
/* Whether pixels number a and b, its neighbour along d, match, both of the foreground: as on the
 * device, where these bonds are drawn. */
bool clup_pixels_match(const clup_label_problem *problem, const void *pixels, uint64_t a,
                       uint64_t b, unsigned d);

/* The serial definition of labelling, on the host: labels[] of an image with fewer than 2^32 - 1
 * pixels, as CLUP_LABELS_CANONICAL. The problem has been checked. */
void clup_label_reference(const clup_label_problem *problem, const void *pixels, uint32_t *labels);
/* Labels an image of the same kind as a problem's with the kernels of a plan, unless the context
 * has seen that they do it: CLUP_ERROR_VERIFY when they do not as the serial definition does. There
 * is no method. */
clup_status clup_labelling_verify(clup_context *context, const clup_problem *problem,
                                  const clup_method *method, const clup_plan *plan);
/* The best plan for an image, of clup_label_layout. */
clup_status clup_labelling_choose(clup_context *context, const clup_problem *image,
                                  clup_plan *plan);
/* clup_labelling_create without that, with a plan that was settled, or NULL for one that is
 * chosen. */
clup_status clup_labelling_create_only(clup_context *context, const clup_label_problem *problem,
                                       const clup_plan *plan, clup_labelling **out);

#endif
