/* SPDX-License-Identifier: BSD-3-Clause */
/* Geometry of a problem, and the parameters of the model that follow from it. */
#ifndef CLUP_CORE_LATTICE_H
#define CLUP_CORE_LATTICE_H
#include <stdbool.h>

#include "base/status.h"
#include "core/lattice.clh"

/* Most directions of a lattice, as there are numbers for them, see random.clh. */
#define CLUP_DIRECTIONS_MAX 16

/* One of the lattices of lattice.clh. */
typedef struct clup_lattice {
    const char *name;
    const char *define; /* its list of offsets, for the kernels */
    unsigned axes, directions;
    lattice_offset offsets[CLUP_DIRECTIONS_MAX];
} clup_lattice;
const clup_lattice *clup_lattice_of(const lattice_args *lattice);

/* CLUP_ERROR_USAGE names what is out of range: the lattice, its size, of which it has most sites at
 * most, or the replicas. */
clup_status clup_lattice_check(const clup_problem *problem, uint64_t most);
/* The same for the size alone. The lattice is known. */
clup_status clup_lattice_check_size(const clup_problem *problem, uint64_t most);
/* The lattice as kernels receive it. The problem has been checked. */
lattice_args clup_lattice_args(const clup_problem *problem);
uint64_t clup_lattice_sites(const lattice_args *lattice);
/* Makes a lattice part of a whole one, of so many layers along the slowest axis (y in the plane,
 * where a layer is a row, else z): its first layer is number first of those, and after the last one
 * it goes on with number 0, as far as one layer more than there are. Random numbers are those of
 * the whole lattice there, see random.clh; any first layer will do. A part with a layer more than
 * its own has all their bonds, and what leads ahead from that layer is left to the part that owns
 * it: unless it has as many layers as there are, the part becomes open along that axis. Seeds of
 * Wolff's and few-cluster's sweeps are chosen in the part, and random streams of generators with
 * state are counted there. CLUP_ERROR_USAGE leaves the lattice as it was. */
clup_status clup_lattice_place(lattice_args *lattice, uint64_t first, uint64_t layers);
/* Words of 32 sites, counting those a row does not fill. */
uint64_t clup_lattice_words(const lattice_args *lattice);
/* Tiles of tile[0] x tile[1] x tile[2] sites, counting those that the lattice's end cuts. */
uint64_t clup_lattice_tiles(const lattice_args *lattice, const unsigned tile[3]);

/* A small lattice for a known-answer test of a problem that has been checked: few[] sites along
 * each axis. Where a device has kernels of their own for launches of more than few_items work-items
 * (0 where it has not), each of up to so many sites, and there are such launches, it has as many
 * sites as the problem, up to where all launches are of that kind. */
clup_problem clup_problem_small(const clup_problem *problem, const uint32_t few[3],
                                uint32_t few_items, unsigned each);

/* The forward neighbour of site x of a row, y + ny*z, along direction d; false when it has none. */
bool clup_lattice_forward(const lattice_args *lattice, unsigned d, uint32_t x, uint32_t row,
                          uint64_t *neighbour);

/* Bit planes that hold a spin, ceil(log2 q), and the width of the random field that a new spin is
 * drawn from. */
unsigned clup_spin_planes(unsigned q);
unsigned clup_spin_field(unsigned q);

/* A bond between equal spins is active when its 32-bit number is below threshold, or always: p = 1
 * - exp(-beta), in units of 2^-32 rounded to nearest. */
typedef struct clup_bond_law {
    uint32_t threshold, always;
} clup_bond_law;
clup_bond_law clup_bond_law_of(double beta);
/* The same for a probability: of bonds, or of sites that are occupied. */
clup_bond_law clup_law_of_probability(double p);

/* Most sites that have a 32-bit number, one being kept for none; most of any lattice on a device.
 */
#define CLUP_SITES_32 0xFFFFFFFEu
#define CLUP_SITES_MAX ((uint64_t)1 << 35)
/* Most sites of a lattice that is worked on in parts: as many have random numbers of their own, see
 * random.clh. */
#define CLUP_SITES_WHOLE ((uint64_t)1 << 48)

/* Most replicas: as many work-groups as devices are sure to take along a second dimension. */
#define CLUP_REPLICAS_MAX 65535u
/* How many replicas and sweeps have random numbers of their own, see random.clh. */
#define CLUP_REPLICAS_ALL 65536u
#define CLUP_SWEEPS_ALL ((uint64_t)1 << 48)
/* Replicas of a problem, and the inverse temperature of one. */
uint32_t clup_problem_replicas(const clup_problem *problem);
double clup_problem_beta(const clup_problem *problem, uint32_t replica);
/* States of a site: q, or what the model has, such as occupied and empty. */
unsigned clup_problem_states(const clup_problem *problem);

#endif
