/* SPDX-License-Identifier: BSD-3-Clause */
/* Which labels of an image touch, how often, and on which area. */
#ifndef CLUP_CONTACT_H
#define CLUP_CONTACT_H

#include "clup/label.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An image of labels, and which of its pixels are neighbours. Labels are any numbers; 0 is the
 * background, which touches nothing. */
typedef struct clup_contact_problem {
    uint32_t size[3];      /* as in clup_label_problem, and one layer along the last axis has at
                              most 2^29 pixels */
    unsigned connectivity; /* neighbours of a pixel: 4 or 8 in the plane, 6, 18 or 26 in a volume */
    int periodic[3];       /* of each axis: non-zero where neighbours beyond its end are those at
                              the other end */
    double spacing[3];     /* the length of a pixel along x, y and z, above 0; 0 stands for 1 */
    uint64_t reserved[4];
} clup_contact_problem;

/* Two labels that touch: the pairs of neighbouring pixels of which one has label a and the other
 * label b. Two pixels count once, but twice along a periodic axis of two pixels, whose ends are
 * neighbours as well. */
typedef struct clup_contact {
    uint32_t a, b;     /* 0 < a < b */
    uint64_t faces[3]; /* pairs whose x alone differs, whose y alone, and whose z alone */
    uint64_t edges;    /* pairs of which two coordinates differ */
    uint64_t corners;  /* pairs of which all three do */
    double area; /* of all faces: in a volume spacing[1]*spacing[2] for one along x and so on. In
                    the plane it is their length: spacing[1] for one along x, spacing[0] along y */
} clup_contact;

/* All labels that touch, in the order of a, then of b: a graph of regions. Release it by
 * clup_contacts_clear. */
typedef struct clup_contacts {
    clup_contact *pairs; /* [count] */
    uint64_t count;
    unsigned axes; /* of the image: 2 or 3 */
    uint64_t reserved[5];
} clup_contacts;

struct _cl_mem;
/* Finds which labels touch.
 *
 *   context  the device; NULL: a serial search on the host, which gives the same
 *   labels   [size[0]*size[1]*size[2]] in raster order, in the host's memory; for the second
 *            function in an OpenCL buffer of the context
 *   out      what it had is lost; after an error it is as cleared
 *   timing   may be NULL
 *
 * Processes that the context has joined (clup_context_join) search labels in the hosts' memory
 * together: the problem and out are those of the whole, in each process, labels those of the part
 * that this process has, as of clup_label_image.
 *
 * Labels in the host's memory may be more than the device has room for: they are looked at in
 * slabs. A device has besides a table with places of 32 bytes, which is made larger as long as the
 * pairs of a slab do not fit. The first search of a context with some
 * connectivity compares a small image with the host's result: where they differ the status is
 * CLUP_ERROR_VERIFY.
 *
 * Returns CLUP_ERROR_USAGE for a problem that is not valid, and for a buffer and a context that
 * has joined several processes; CLUP_ERROR_MEMORY where the device has no room for the pairs of a
 * layer, or the host not 160 bytes for each pair of a slab. */
CLUP_API clup_status clup_contacts_find(clup_context *context, const clup_contact_problem *problem,
                                        const uint32_t *labels, clup_contacts *out,
                                        clup_label_timing *timing);
CLUP_API clup_status clup_contacts_find_buffer(clup_context *context,
                                               const clup_contact_problem *problem,
                                               struct _cl_mem *labels, clup_contacts *out,
                                               clup_label_timing *timing);
/* Releases what contacts have; accepts NULL and zeros. */
CLUP_API void clup_contacts_clear(clup_contacts *contacts);

/* Writes contacts of labels 1 to most as a file, all or nothing, by the extension of path.
 *
 *   .csv  a line for each pair: label_a, label_b, faces_x, faces_y, of volumes faces_z, edges, of
 *         volumes corners, and area. "-" is this on standard output
 *   .npz  a sparse matrix of most + 1 rows and columns, as scipy.sparse.save_npz writes those of
 *         the format coo: area in row a and column b. The arrays faces, [count][axes], edges and
 *         corners are beside it
 *
 * Returns CLUP_ERROR_USAGE for another extension and for a label above most, CLUP_ERROR_RUNTIME
 * when the file cannot be written, CLUP_ERROR_MEMORY where the host has not as much memory as a
 * .npz has bytes. */
CLUP_API clup_status clup_contacts_write(const char *path, const clup_contacts *contacts,
                                         uint32_t most);

#ifdef __cplusplus
}
#endif

#endif
