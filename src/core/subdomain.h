/* SPDX-License-Identifier: BSD-3-Clause */
/* A subdomain of a lattice: the layers that one of several processes has on its device. */
#ifndef CLUP_CORE_SUBDOMAIN_H
#define CLUP_CORE_SUBDOMAIN_H
#include "core/lattice.h"
#include "ocl/context.h"

/* Layers along the slowest axis, y in the plane, else z. A subdomain consists of its own layers,
 * and after them of a halo, the first layer of the next subdomain. The last subdomain has no halo
 * where the axis is open. A lattice of one process is a single subdomain without a halo. */
typedef struct clup_subdomain {
    uint32_t index, count;
    uint64_t first, own; /* layers before its first one, and its own layers */
    uint64_t layers;     /* layers of the whole lattice */
    bool wraps;          /* the first subdomain follows the last one */
    bool wide; /* 32 bits do not have all numbers of clusters at interfaces, of which there are as
                  many as sites of the whole lattice, or in a field twice as many, see
                  interface_entries.clh */
    bool below, above; /* below: its first layer is the halo of another subdomain; above: it has a
                          halo */
} clup_subdomain;

/* Kernels count more sites than this with 64 bits. Tests make the number small. */
extern uint64_t clup_sites_wide;

/* Sets part to subdomain index of count. CLUP_ERROR_USAGE where there are more subdomains than
 * layers. */
clup_status clup_subdomain_of(const clup_problem *whole, uint32_t index, uint32_t count,
                              clup_subdomain *part);
/* Sets part to the subdomain of the context's process, or to the whole lattice where the process
 * works alone, see clup_context_join. */
clup_status clup_subdomain_here(const clup_context *context, const clup_problem *whole,
                                clup_subdomain *part);
/* clup_subdomain_problem returns the subdomain as a problem of its own; random numbers of that
 * problem are not yet those of the whole lattice. clup_subdomain_lattice returns the subdomain's
 * lattice, whose random numbers are those of the whole lattice. */
clup_problem clup_subdomain_problem(const clup_problem *whole, const clup_subdomain *part);
/* Returns the sites of the largest subdomain. */
uint64_t clup_subdomain_sites(const clup_problem *whole, const clup_subdomain *part);
lattice_args clup_subdomain_lattice(const clup_problem *whole, const clup_subdomain *part);

#endif
