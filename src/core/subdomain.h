/* SPDX-License-Identifier: BSD-3-Clause */
/* A part of a lattice: what one of several processes has of it on its device. */
#ifndef CLUP_CORE_SUBDOMAIN_H
#define CLUP_CORE_SUBDOMAIN_H
#include "core/lattice.h"
#include "ocl/context.h"

/* Layers along the slowest axis, y in the plane, else z: its own, and after them the first one of
 * the next part, which both have; the last part has none after them where the axis is open. A whole
 * lattice is the only part. */
typedef struct clup_subdomain {
    uint32_t index, count;
    uint64_t first, own; /* layers: those before, and its own */
    uint64_t layers;     /* of the whole lattice */
    bool wraps;          /* the last part is followed by the first */
    bool wide;           /* sites of the whole are more than 32 bits count, see seams.clh */
    bool below, above;   /* whether its first layer is also another part's last, and its last
                            another's first */
} clup_subdomain;

/* From how many sites on kernels count them with 64 bits; tests make it small. */
extern uint64_t clup_sites_wide;

/* CLUP_ERROR_USAGE where there are more parts than layers. */
clup_status clup_subdomain_of(const clup_problem *whole, uint32_t index, uint32_t count,
                              clup_subdomain *part);
/* The part that a context's process has, or the whole: see clup_context_join. */
clup_status clup_subdomain_here(const clup_context *context, const clup_problem *whole,
                                clup_subdomain *part);
/* The part as a problem of its own, whose random numbers are not yet those of the whole; and its
 * lattice, whose random numbers are. */
clup_problem clup_subdomain_problem(const clup_problem *whole, const clup_subdomain *part);
/* The sites of the largest of all parts. */
uint64_t clup_subdomain_sites(const clup_problem *whole, const clup_subdomain *part);
lattice_args clup_subdomain_lattice(const clup_problem *whole, const clup_subdomain *part);

#endif
