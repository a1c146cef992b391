/* SPDX-License-Identifier: BSD-3-Clause */
/* Clusters that wrap around periodic axes, or span open ones.
 *
 * First the clusters are found without the bonds across periodic boundaries: such a cluster lies in
 * the box of the lattice once, in true coordinates. Each of those bonds then joins two of them, or
 * one with itself, in boxes that differ by a step of -1, 0 or 1 along each axis. A union-find that
 * keeps for each cluster the box it lies in, relative to the one it was joined with, finds the
 * bonds that close a cycle, and by how many boxes the cycle winds: displacements as in J. Machta et
 * al., Phys. Rev. E 54, 1332 (1996). A cluster wraps around an axis when some cycle of it winds by
 * other than 0 along that axis. */
#ifndef CLUP_FAMILY_WRAPS_H
#define CLUP_FAMILY_WRAPS_H
#include "base/status.h"
#include "core/lattice.h"

typedef struct clup_wraps clup_wraps;

clup_status clup_wraps_create(clup_wraps **wraps);
void clup_wraps_free(clup_wraps *wraps);
/* Forgets all clusters, and makes room for so many others. */
clup_status clup_wraps_reset(clup_wraps *wraps, uint64_t clusters);
/* An active bond from cluster a to cluster b, of any names but 2^32 - 1, that leaves the box by
 * steps. */
void clup_wraps_bond(clup_wraps *wraps, uint32_t a, uint32_t b, const int steps[3]);
/* The same for the bond along d of site k of the layer from which it leaves a periodic axis: of
 * clusters pair[0] and pair[1]. */
void clup_wraps_leaving(clup_wraps *wraps, const lattice_args *lattice, unsigned axis, unsigned d,
                        uint32_t k, const uint32_t pair[2]);
/* A cluster has a site in the first (0) or last (1) layer of an axis. */
void clup_wraps_end(clup_wraps *wraps, uint32_t cluster, unsigned axis, unsigned end);
/* The place among clup_wraps_places of what the named cluster has become part of, and in which box
 * it lies there, relative to that of the place's own cluster; NOWHERE if no bond or end has named
 * it. Along an axis around which the whole wraps the box depends on the order of bonds. */
uint32_t clup_wraps_place(clup_wraps *wraps, uint32_t cluster, int32_t box[3]);
uint64_t clup_wraps_places(const clup_wraps *wraps);
/* Bit a: the cluster that the named one has become part of wraps around axis a, or spans it; and
 * whether any of all does. */
unsigned clup_wraps_of(clup_wraps *wraps, uint32_t cluster);
unsigned clup_wraps_any(const clup_wraps *wraps);

#endif
