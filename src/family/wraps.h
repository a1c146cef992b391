/* SPDX-License-Identifier: BSD-3-Clause */
/* Clusters that wrap around periodic axes, or span open ones. First the clusters are found without
 * the bonds across periodic boundaries. Such a cluster lies in the box of the lattice once, in true
 * coordinates. Each bond across a boundary then connects two of these clusters, or one with itself,
 * in boxes that differ by a step of -1, 0 or 1 along each axis. A union-find keeps for each cluster
 * the box that it lies in, relative to the cluster it was united with. So it finds the bonds that
 * close a cycle, and by how many boxes the cycle winds: displacements as in J. Machta et al., Phys.
 * Rev. E 54, 1332 (1996). A cluster wraps around an axis when one of its cycles winds by a number
 * other than 0 along that axis. */
#ifndef CLUP_FAMILY_WRAPS_H
#define CLUP_FAMILY_WRAPS_H
#include "base/status.h"
#include "core/lattice.h"

typedef struct clup_wraps clup_wraps;

/* axes: of the lattice, at most WINDING_AXES (graph_sizes.clh). */
clup_status clup_wraps_create(unsigned axes, clup_wraps **wraps);
void clup_wraps_free(clup_wraps *wraps);
/* Forgets all clusters, and makes room for as many new ones as clusters says. */
clup_status clup_wraps_reset(clup_wraps *wraps, uint64_t clusters);
/* Adds an active bond from cluster a to cluster b that leaves the box by steps[axes]. Clusters may
 * have any number but 2^32 - 1. */
void clup_wraps_bond(clup_wraps *wraps, uint32_t a, uint32_t b, const int *steps);
/* Adds the bond along d of site k of the last layer before a periodic boundary of axis. The bond
 * connects clusters pair[0] and pair[1]. */
void clup_wraps_leaving(clup_wraps *wraps, const lattice_args *lattice, unsigned axis, unsigned d,
                        uint32_t k, const uint32_t pair[2]);
/* Notes that a cluster has a site in the first (end 0) or last (end 1) layer of an axis. */
void clup_wraps_end(clup_wraps *wraps, uint32_t cluster, unsigned axis, unsigned end);
/* Returns the place, among clup_wraps_places, of the cluster that the named cluster has become part
 * of; NOWHERE if no bond or end has named it. Sets box[axes] to the box in which the named cluster
 * lies, relative to the box of the place's own cluster. Along an axis around which the united
 * cluster wraps, the box depends on the order of bonds. */
uint32_t clup_wraps_place(clup_wraps *wraps, uint32_t cluster, int32_t *box);
uint64_t clup_wraps_places(const clup_wraps *wraps);
/* clup_wraps_of: bit a is set when the cluster that the named one has become part of wraps around
 * axis a, or spans it. clup_wraps_any: bit a is set when any cluster does. */
unsigned clup_wraps_of(clup_wraps *wraps, uint32_t cluster);
unsigned clup_wraps_any(const clup_wraps *wraps);

#endif
