/* SPDX-License-Identifier: BSD-3-Clause */
/* Lattice of a problem, and the parameters of the model that follow from the problem. */
#ifndef CLUP_CORE_LATTICE_H
#define CLUP_CORE_LATTICE_H
#include <stdbool.h>

#include "base/status.h"
#include "core/lattice.clh"
#include "core/random.clh"

/* Most directions of a lattice: random.clh has random numbers for no more. */
#define CLUP_DIRECTIONS_MAX 16

/* A lattice that lattice.clh lists. */
typedef struct clup_lattice {
    const char *name;
    const char *define; /* its list of offsets to forward neighbours, for the kernels */
    unsigned axes, directions;
    unsigned cell[3];   /* see clup_lattice_cell */
    unsigned period[3]; /* of the pattern, where some sites have fewer neighbours; else 1 */
    uint32_t holes[2];  /* HOLES_EVEN and HOLES_ODD of lattice.clh */
    lattice_offset offsets[CLUP_DIRECTIONS_MAX];
} clup_lattice;
const clup_lattice *clup_lattice_of(const lattice_args *lattice);

/* Validates the lattice of a problem, its size (no more sites than most), and the number of
 * replicas. CLUP_ERROR_USAGE names a value out of range. */
clup_status clup_lattice_check(const clup_problem *problem, uint64_t most);
/* As clup_lattice_check, for the size only. The lattice must be a known one. */
clup_status clup_lattice_check_size(const clup_problem *problem, uint64_t most);
/* Whether some sites have fewer neighbours than others; whether some are holes. */
bool clup_lattice_has_pattern(clup_lattice_kind lattice);
bool clup_lattice_has_holes(clup_lattice_kind lattice);
/* Whether each bond leads to a site whose x + y + z is odd where that of the first is even, or the
 * other way round, but for the ends of odd periodic axes. */
bool clup_lattice_changes_parity(clup_lattice_kind lattice);
/* Returns the holes of a row of the whole lattice, bit x mod 32 for each x. */
uint32_t clup_lattice_row_holes(const lattice_args *lattice, uint64_t row);
/* Returns the number of sites of a problem's lattice that are holes. */
uint64_t clup_problem_holes(const clup_problem *problem);
/* Makes a size larger until each axis may be periodic. */
void clup_lattice_fit(clup_lattice_kind lattice, uint32_t size[3]);
/* Returns the lattice as an argument of kernels. The problem must have been validated. */
lattice_args clup_lattice_args(const clup_problem *problem);
/* Returns how many images a problem labels together, at least 1. */
uint32_t clup_image_batch(const struct clup_label_problem *image);
/* Returns a lattice of one row of this many sites. */
static inline lattice_args clup_row_of(const lattice_args *lattice, uint32_t sites)
{
    lattice_args row = *lattice;
    row.nx = sites;
    row.ny = row.nz = 1;
    row.words = (sites - 1) / 32 + 1;
    row.rows_whole = row.rows_own = 1;
    return row;
}
uint64_t clup_lattice_sites(const lattice_args *lattice);
/* Return the directions of bonds of a problem's lattice, and the bonds along one of one replica. */
unsigned clup_problem_directions(const clup_problem *problem);
uint64_t clup_problem_bonds(const clup_problem *problem, unsigned d);
/* Makes the lattice a subdomain of a whole lattice, which has the given number of layers along the
 * slowest axis (y in the plane, where a layer is a row, else z). The first layer of the subdomain
 * is layer first of the whole lattice; any layer may be the first. Layer 0 follows the last layer
 * of the whole lattice. The subdomain has at most one layer more than the whole lattice. Random
 * numbers are those of the whole lattice, see random.clh. A subdomain with one layer more than its
 * own has all bonds of its own layers; bonds that lead forward from the further layer belong to the
 * next subdomain. So the subdomain becomes open along the slowest axis, unless it has as many
 * layers as the whole lattice. Seeds of Wolff's and few-cluster's sweeps are chosen in the
 * subdomain, and random streams of generators with state are counted there. CLUP_ERROR_USAGE leaves
 * the lattice as it was. */
clup_status clup_lattice_place(lattice_args *lattice, uint64_t first, uint64_t layers);
/* Returns the number of words of 32 sites, including words that a row does not fill. */
uint64_t clup_lattice_words(const lattice_args *lattice);
/* Returns the number of tiles of tile[0] x tile[1] x tile[2] sites, including those that the end of
 * the lattice cuts. */
uint64_t clup_lattice_tiles(const lattice_args *lattice, const unsigned tile[3]);

/* Sets neighbour to the forward neighbour along direction d of site x in row y + ny*z. Returns
 * false when the site has none. */
bool clup_lattice_forward(const lattice_args *lattice, unsigned d, uint32_t x, uint32_t row,
                          uint64_t *neighbour);

/* Return the number of bit planes that store a spin, ceil(log2 q), and the width in bits of the
 * random field from which a new spin is drawn. */
unsigned clup_spin_planes(unsigned q);
unsigned clup_spin_field(unsigned q);

/* Returns the law of bonds between equal spins, of weight 1, for p = 1 - exp(-beta). The threshold
 * is p in units of 2^-32, rounded to nearest. It comes from clup_weight, so that machines whose
 * expm1() differ have the same bonds. */
bond_law clup_bond_law_of(double beta);
/* The laws of a system, one for each class of bonds, see class_of() in random.clh; and after them,
 * where the system is in a field, that of its sites. */
typedef struct clup_matrix clup_matrix;
typedef struct clup_laws {
    unsigned classes;
    bool field;
    bond_law of[CLUP_DIRECTIONS_MAX + 1];
    const uint32_t *signs, *absent; /* disorder (disorder.h), planes of words; NULL for none */
    const uint32_t *vacant;         /* a plane for sites, likewise */
    const uint32_t *sizes; /* of the couplings of bonds; NULL where they are those of their class */
    const clup_matrix *matrix;  /* of energies (matrix.h), in place of laws; NULL for none */
    const uint32_t *thresholds; /* of its levels */
    unsigned numbers;           /* of vectors (vector.h), 0 for none; of[] are their laws */
    unsigned components;        /* of the magnetisation, 0 where it is no vector */
    uint64_t edges;             /* of a graph in place of a lattice; 0 for none */
    const uint32_t (*ends)[2];  /* [edges], the sites that they connect */
} clup_laws;
/* Returns the law for a probability p: of active bonds, or of occupied sites. */
bond_law clup_law_of_probability(double p);

/* Most sites that 32-bit numbers can count, with one number kept for no site; and most sites of any
 * lattice on a device. */
#define CLUP_SITES_32 0xFFFFFFFEu
#define CLUP_SITES_MAX ((uint64_t)1 << 35)
/* Most sites of a lattice that is divided into subdomains: random.clh has random numbers for no
 * more. */
#define CLUP_SITES_WHOLE ((uint64_t)1 << 48)

/* Most replicas: each has a work-group along the second dimension, and devices are sure to take
 * this many. */
#define CLUP_REPLICAS_MAX 65535u
/* Replicas and sweeps that have random numbers of their own, see random.clh. */
#define CLUP_REPLICAS_ALL 65536u
#define CLUP_SWEEPS_ALL ((uint64_t)1 << 48)
/* Return the number of replicas of a problem, and the inverse temperature of one replica. */
uint32_t clup_problem_replicas(const clup_problem *problem);
double clup_problem_beta(const clup_problem *problem, uint32_t replica);
/* Returns the number of states of a site: q, or the number that the model has, such as 2 for empty
 * and occupied. */
unsigned clup_problem_states(const clup_problem *problem);

#endif
