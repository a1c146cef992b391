/* SPDX-License-Identifier: BSD-3-Clause */
/* What is simulated: lattices, models and methods. */
#ifndef CLUP_PROBLEM_H
#define CLUP_PROBLEM_H

#include "clup/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- problem --------------------------------------------------------------------------------- */

/* Lattices. Each site has a bond to each of its neighbours ahead, which are those below. Where
 * sites of one parity alone have one, x + y + z of them is even or odd. */
typedef enum clup_lattice_kind {
    CLUP_LATTICE_SQUARE,     /* "square": (x+1, y), (x, y+1) */
    CLUP_LATTICE_TRIANGULAR, /* "triangular": (x+1, y), (x, y+1), (x-1, y+1) */
    CLUP_LATTICE_CUBIC,      /* "cubic": (x+1, y, z), (x, y+1, z), (x, y, z+1) */
    CLUP_LATTICE_SQUARE_8,   /* "square-8": those of square and the diagonals, so that a site has 8
                                neighbours */
    CLUP_LATTICE_CUBIC_18,   /* "cubic-18": those of cubic and the diagonals of its faces */
    CLUP_LATTICE_CUBIC_26,   /* "cubic-26": those of cubic-18 and the diagonals of its cubes */
    CLUP_LATTICE_CHAIN,      /* "chain": (x+1) */
    CLUP_LATTICE_HONEYCOMB,  /* "honeycomb", as a brick wall: (x+1, y); of odd sites (x, y+1) */
    CLUP_LATTICE_SQUARE_OCTAGON, /* "square-octagon": (x+1, y); and (x, y+1) of the first two of
                                    each four sites of a row with even y, of the last two with odd y
                                  */
    CLUP_LATTICE_UNION_JACK,     /* "union-jack": those of square; of even sites both diagonals */
    CLUP_LATTICE_CHECKERBOARD, /* "checkerboard": those of square; of even sites (x+1, y+1), of odd
                                  ones (x-1, y+1): the diagonals of every other square */
    CLUP_LATTICE_BCC,          /* "bcc": those of cubic and (x+1, y+1, z+1) */
    CLUP_LATTICE_FCC, /* "fcc": those of cubic, (x-1, y+1, z), (x-1, y, z+1) and (x, y-1, z+1) */
    CLUP_LATTICE_DIAMOND, /* "diamond": (x+1, y, z); of odd sites (x, y+1, z) and (x, y, z+1) */
    CLUP_LATTICE_KAGOME,  /* "kagome": triangular without the sites of odd x and odd y, which are
                             holes: arrays of sites have them, as vacant ones */
    CLUP_LATTICE_LIEB,    /* "lieb": square without these sites */
    CLUP_LATTICE_GRAPH,   /* "graph": no lattice; bonds are the edges of a graph, see clup_graph */
    CLUP_LATTICES
} clup_lattice_kind;

/* Return the name of a lattice, and its number of axes, 2 or 3; NULL and 0 past the end. */
CLUP_API const char *clup_lattice_name(clup_lattice_kind lattice);
CLUP_API unsigned clup_lattice_axes(clup_lattice_kind lattice);

/* Models: which bonds are active, and what is done with the clusters. */
typedef enum clup_model {
    CLUP_POTTS,            /* "Potts": spins and Fortuin-Kasteleyn bonds, simulated by sweeps */
    CLUP_BOND_PERCOLATION, /* "bond percolation": every bond is active with probability p */
    CLUP_SITE_PERCOLATION, /* "site percolation": every site is occupied with probability p; bonds
                              between occupied neighbours are active */
    CLUP_IMAGE, /* "image": bonds between pixels that match are active. clup_labelling_create labels
                   them; plans are chosen, explained and measured as for the others */
    CLUP_ISING, /* "Ising": spins s = +-1, H = -sum J s_i s_j. Where J = 1 in all directions it has
                   the spins of CLUP_POTTS with q = 2 at half the beta, bit for bit; with other
                   couplings clusters flip or stay */
    CLUP_CLOCK, /* "clock": q angles 2 pi s/q, q at most 64; H = -sum J cos(theta_i - theta_j). Each
                   sweep draws an axis; clusters are reflected in it or stay */
    CLUP_XY,    /* "XY": unit vectors S in the plane, H = -sum J S_i.S_j. Each sweep draws an axis;
                   clusters are reflected in the mirror perpendicular to it or stay. q is 2 */
    CLUP_HEISENBERG, /* "Heisenberg": likewise unit vectors in space. q is 2 */
    CLUP_TABLE, /* "table": states, energies of their pairs and involutions that the user wrote, see
                   clup_table. Each sweep draws an involution; clusters take it or stay */
    CLUP_MODELS
} clup_model;

/* Returns the name of a model; NULL past the end. */
CLUP_API const char *clup_model_name(clup_model model);

/* ---- models of one's own --------------------------------------------------------------------- */

/* A model as a table of energies. H is the sum of J E(s_i, s_j) over bonds and of h(s_i) over
 * sites. A file in TOML, or text in JSON, has these keys:
 *
 *   states       names of 2 to 64 states, or their number; their numbers are 0, 1, ..
 *   bonds        E, a symmetric matrix of energies, with a row for each state; or a list of
 *                matrices, one for each direction of bonds of the lattice
 *   sites        h, the energy of a site in each state (0)
 *   involutions  permutations R of the states, as the list of what each state becomes, by names or
 *                numbers, with R R = 1 and E(R s, R t) = E(s, t) for all s and t (none)
 *   order        for each state a number, or two, from -1 to 1: what the magnetisation is the mean
 *                of. Without it, it is that of the Potts model
 *   name, about  texts of any kind
 *
 * Energies are between -16 and 16, also after they are multiplied by J, and count as the nearest
 * multiple of 2^-20. Involutions must lead from each state to each other one, unless a method has
 * sweeps of the heat bath. */
typedef struct clup_table clup_table;

/* Read a table, from a file (TOML, or JSON where it begins with '{') and from a text. The table
 * lives until the program ends: reading an equal one returns the same. Return CLUP_ERROR_RUNTIME
 * where the file cannot be read, CLUP_ERROR_USAGE for what is no such table; the detail names the
 * line, the key and the states. */
CLUP_API clup_status clup_table_read(const char *path, const clup_table **table);
CLUP_API clup_status clup_table_parse(const char *text, const clup_table **table);

/* Return the number of states of a table, and the name of a state; 0 for NULL, and NULL past the
 * last state. */
CLUP_API unsigned clup_table_states(const clup_table *table);
CLUP_API const char *clup_table_state(const clup_table *table, unsigned state);

/* ---- couplings of single bonds --------------------------------------------------------------- */

/* Couplings of each bond of a lattice, or of each edge of a graph. */
typedef struct clup_bond_couplings clup_bond_couplings;

/* Make such couplings from numbers, and read them from a file.
 *
 *   numbers  [directions][sites]: J of the bond from each site along each direction, in the order
 *            of the neighbours ahead, -16 to 16. It counts as the nearest multiple of 2^-20.
 *            Numbers of bonds that an open axis does not have are not used
 *   path     an array of NumPy (.npy) of any number type, of shape directions x sites, or of one
 *            axis for one direction. Or edges of a graph with weights, in the order in which they
 *            stand: a sparse matrix (.npz) with its values, a Matrix Market file likewise (real or
 *            integer), or another text with a third column; see clup_edges_read
 *
 * The couplings live until the program ends: equal ones are the same. Return CLUP_ERROR_RUNTIME
 * where the file cannot be read or is no such array, CLUP_ERROR_USAGE for a number out of range,
 * which the detail names, and CLUP_ERROR_MEMORY. */
CLUP_API clup_status clup_bond_couplings_make(const double *numbers, unsigned directions,
                                              uint64_t sites, const clup_bond_couplings **out);
CLUP_API clup_status clup_bond_couplings_read(const char *path, const clup_bond_couplings **out);

/* A graph in place of a lattice, which clup_graph_make in graph.h makes. Its
 * vertices 0, 1, .. are the sites, and its edges the bonds. */
typedef struct clup_graph clup_graph;

/* The spins at sweep 0: all 0, or each drawn at random. */
typedef enum clup_start { CLUP_START_ORDERED, CLUP_START_RANDOM } clup_start;

/* A Potts model, H = -sum over bonds of J delta(s_i, s_j), an Ising model, H = -sum over bonds of
 * J s_i s_j with s = +-1 (stored as 0 and 1), a clock model, H = -sum over bonds of
 * J cos(theta_i - theta_j) with theta = 2 pi s/q, a model of vectors or of one's own, or
 * percolation, or an image.
 *
 * Site (x, y, z) is number i = x + size[0]*(y + size[1]*z). It has one bond to each of its
 * neighbours ahead. Sizes are multiples of the lattice's cell: of 2 along x for honeycomb,
 * union-jack, checkerboard and diamond, of 4 for square-octagon, of 2 along x and y for kagome and
 * lieb; and for all of these even along a periodic y or z. Texts of sizes (clup_problem_set) count
 * cells, one site being that of other lattices. A periodic axis goes on at the other end. Past the
 * last site of an open axis (before the first one, for a step back) there is no bond. So on a
 * periodic axis of size 1 a bond along it joins a site with itself: it adds -J a site to H in every
 * state. On a periodic axis of size 2 two bonds join each pair of sites along it.
 *
 * Limits: a device has at most 2^32 - 2 sites, or 2^35 of a Potts or an Ising model in a layout
 * with "border" bonds. A lattice of which several processes have parts has at most 2^48 sites, or
 * 2^36 where magnetisations are vectors. On lattices of three axes size[1]*size[2] < 2^32. Energies
 * are counted in 63 bits, in units of 2^-20. */
typedef struct clup_problem {
    clup_lattice_kind lattice;
    uint32_t size[3]; /* sites along x, y and z, each >= 1; in the plane z is 1 or 0, which stands
                         for 1 */
    int periodic[3];  /* of each axis: non-zero for periodic, 0 for open; z does not matter in the
                         plane */
    unsigned q;  /* states of a site, 2 to 256; 2 of the Ising model and of vectors; to 64 of the
                    clock model, and of the Potts model with negative couplings or a field */
    double beta; /* 1/(k_B T) >= 0, in units of 1/J where all couplings are 1; infinity is the
                    ground state */
    uint32_t replicas;   /* independent systems that are simulated in the same launches, 1 to 65535;
                            0 stands for 1 */
    const double *betas; /* [replicas], used in place of beta; NULL when all have beta */
    clup_model model;    /* percolation does not use q, beta and betas; its replicas are samples,
                            see clup_percolation_create */
    const struct clup_label_problem *image; /* of CLUP_IMAGE: what is labelled; no other field
                                               counts. It must live as long as what is made with the
                                               problem */
    uint32_t first_replica; /* the number of the first replica; that of the last one is at most
                               65535. Replicas of the same seed and number draw the same random
                               numbers, whatever is simulated beside them. Replicas of another seed
                               or number draw independent ones. All samples of percolation have the
                               random numbers of first_replica, each its own of them */
    double coupling[16]; /* J of the bonds of each direction, in the order of the neighbours ahead,
                            -16 to 16. It counts as the nearest multiple of 2^-20, so that energies
                            are sums of whole numbers. All 0: J = 1 in all directions */
    double disorder[4];  /* probabilities, of each bond: that its coupling has the other sign
                            ("pm=P"); that there is no such bond ("dilute=P"). Then the standard
                            deviation of a normal number of mean 0 with which the coupling of each
                            bond is multiplied ("gauss=S"), 0 for none; S times any coupling is at
                            most 2. Such couplings count as the nearest multiple of 2^-20 as well.
                            Then the probability, of each site, that it is vacant
                            ("site-dilute=P"): it has no bonds and no energy, and nothing that is
                            measured counts it but "updated"; "pairs" are not measured. Means a
                            site are still divided by the number of all sites */
    uint32_t disorder_seed;    /* of the random numbers that draw disorder */
    uint32_t disorder_samples; /* replica number r has sample r mod disorder_samples of disorder; 0:
                                  each replica has a sample of its own */
    double field; /* h, -16 to 16: each site has the energy -h s of the Ising model, where state 0
                     is the spin s = 1; -h in state 0 of the Potts model; -h cos(theta) of the clock
                     and the XY model; -h S_z of the Heisenberg model. It counts as the nearest
                     multiple of 2^-20. 0 of a table, which has energies of sites */
    const clup_table *table; /* of CLUP_TABLE, which has as many states as q says; other models do
                                not use it */
    const clup_bond_couplings *bond_couplings; /* J of each bond; NULL for coupling. With them
                                coupling is 1 or 0, and disorder is dilution alone. J of a table
                                multiplies its energies */
    const clup_graph *graph; /* of CLUP_LATTICE_GRAPH, and NULL for all others: a graph of as many
                                vertices as size[0] says, where size[1] is 1. It is for percolation,
                                and for models whose spins have states, without vacant sites, by sw
                                and wolff. An edge is a bond, of coupling coupling[0] where there
                                are no bond_couplings, which have one direction and a site for each
                                edge */
    uint64_t reserved[2];
} clup_problem;

/* Checks all fields. Returns CLUP_ERROR_USAGE for one that is out of range; the detail names the
 * first. */
CLUP_API clup_status clup_problem_check(const clup_problem *problem);

/* ---- fields by their names ------------------------------------------------------------------- */

/* Bytes of the value of a field as text, with its zero. */
#define CLUP_FIELD_TEXT 400

/* Writes the value of a field as text, such as "Potts" and "64x32", as files of series have it.
 *
 *   key   the name of the field in clup_problem, such as "first_replica". beta, betas and image
 *         cannot be named
 *   text  [CLUP_FIELD_TEXT]. A size has a number for each axis of the lattice, and is the number of
 *         vertices of a graph. A "graph" is the SHA-256 of its edges. "periodic" names the
 *         periodic axes, such as "xy", or is empty
 *
 * Returns CLUP_ERROR_USAGE for another key. */
CLUP_API clup_status clup_problem_get(const clup_problem *problem, const char *key,
                                      char text[CLUP_FIELD_TEXT]);

/* Sets a field from text as clup_problem_get writes it. Set the lattice before "size",
 * "periodic" and "coupling", which are read for its axes and directions. A "model" that ends in
 * ".toml" is the path of a table, which sets q and the table too; what clup_table_read says is the
 * detail then. A "graph" that begins with '{' is a lattice as series have it, and sets lattice,
 * size, periodic and couplings of bonds too; an id sets the graph alone. Returns CLUP_ERROR_USAGE
 * for another key, for text that is no value of the field, and for a number out of range; the
 * problem then stays as it was. */
CLUP_API clup_status clup_problem_set(clup_problem *problem, const char *key, const char *text);

/* Groups of fields, a bit each. */
typedef enum clup_field_part {
    CLUP_FIELD_LAW = 1,      /* model, lattice, open axes, q, couplings, disorder: all but size,
                                systems and numbers */
    CLUP_FIELD_SIZE = 2,     /* the size of the lattice */
    CLUP_FIELD_REPLICAS = 4, /* the number of systems */
    CLUP_FIELD_NUMBERS = 8,  /* which random numbers the systems draw */
    CLUP_FIELD_ALL = 15
} clup_field_part;

/* Compares the fields of some groups, an or of clup_field_part. Inverse temperatures and images are
 * not compared. Returns CLUP_ERROR_USAGE where two problems differ; the detail names the first such
 * field and both values. */
CLUP_API clup_status clup_problem_compare(const clup_problem *a, const clup_problem *b,
                                          unsigned parts);

/* ---- sites and exact values ------------------------------------------------------------------ */

/* Returns the sites of one replica of a problem that has been checked; 0 for NULL, for zeros and
 * for an unknown lattice. */
CLUP_API uint64_t clup_problem_sites(const clup_problem *problem);
/* Returns how many of them are no holes of the lattice: what energies and others a site are divided
 * by. */
CLUP_API uint64_t clup_problem_real_sites(const clup_problem *problem);

/* Returns the number of sublattices by which the staggered magnetisation is measured, so that
 * neighbours are on different ones: 2 where no bond of the lattice joins sites whose x + y + z are
 * both even or both odd, as on square, cubic, honeycomb, bcc and diamond, and periodic axes have
 * even sizes; 3 of the triangular one where theirs are multiples of 3; 0 for others, and for
 * NULL. */
CLUP_API unsigned clup_problem_sublattices(const clup_problem *problem);

/* Finds which systems are compared where overlaps are measured: each with the next one, by number,
 * that has the same inverse temperature and the same couplings, and the last of them with the
 * first.
 *
 *   partners  [replicas]: becomes the number of the system with which each is compared; NULL only
 *             to ask whether each can be
 *
 * Returns CLUP_ERROR_USAGE where a system has no other one like it, which the detail names, and for
 * models other than the Potts and the Ising model. Systems have the same couplings where nothing is
 * drawn for them, and where they have the same sample (disorder_samples). */
CLUP_API clup_status clup_problem_partners(const clup_problem *problem, uint32_t *partners);

/* Finds the vacant sites of a replica (disorder "site-dilute"), and the holes of its lattice.
 *
 *   replica  its place, from 0 on
 *   vacant   [clup_problem_sites()]: becomes 1 for each vacant site and 0 for each other
 *
 * Returns CLUP_ERROR_USAGE for a problem or a replica that is out of range. */
CLUP_API clup_status clup_problem_vacant(const clup_problem *problem, uint32_t replica,
                                         uint8_t *vacant);
/* The state of a vacant site in files of spins. */
#define CLUP_VACANT_STATE 255

/* Returns the bytes of a spin where the spins of a simulation are copied to memory, see
 * clup_simulation_spins: 4 of the XY model, 12 of the Heisenberg model, 1 of all others. */
CLUP_API size_t clup_spin_bytes(const clup_problem *problem);

/* Returns the critical inverse temperature of the infinite lattice; NAN where it is not known.
 *
 *   square      ln(1 + sqrt q)
 *   triangular  v^3 + 3 v^2 = q with v = e^beta - 1; both F. Y. Wu, Rev. Mod. Phys. 54, 235 (1982)
 *   honeycomb   v^3 - 3 q v = q^2, as the dual lattice of the triangular one
 *   lieb        v^2 = sqrt(q) (q + 2 v): two bonds one after the other are one of square
 *
 * For q = 2 alone, 2 K:
 *
 *   kagome          K = ln(3 + 2 sqrt 3)/4: K. Kano and S. Naya, Prog. Theor. Phys. 10, 158 (1953)
 *   union-jack      t^4 + 4 t = 1 with t = tanh K, 0.254387343
 *   square-octagon  t^4 + 4 t^3 = 1, 0.695074136, as the dual lattice of union-jack; both are
 *                   where the determinant of M. Kac and J. C. Ward, Phys. Rev. 88, 1332 (1952),
 *                   is 0
 *   cubic           0.221654626: A. M. Ferrenberg, J. Xu and D. P. Landau, Phys. Rev. E 97, 043301
 *                   (2018)
 *   bcc, fcc, diamond  0.1573725, 0.102069, 0.3697398: numbers of P. H. Lundow and I. A. Campbell,
 *                   collected in numberdb.org, T154
 *   square-8        0.1901926807: E. Luijten, H. W. J. Bloete and K. Binder, Phys. Rev. E 54, 4626
 *                   (1996)
 *   cubic-18, cubic-26, checkerboard  0.064422(1), 0.043038(1), 0.26809(1): measured with this
 *                   program, by Binder's cumulant (doc/notebook/percolation.md) */
CLUP_API double clup_critical_beta(clup_lattice_kind lattice, unsigned q);

/* Returns the critical inverse temperature of the infinite lattice for a problem's model and
 * couplings, in the units of its energy: clup_critical_beta where all couplings are 1, and half of
 * it for the Ising model. For other couplings of the square and the triangular lattice, with
 * v = e^(beta J) - 1 of each direction (2 J in place of J for the Ising model):
 *
 *   square      v1 v2 = q
 *   triangular  v1 v2 v3 + v1 v2 + v1 v3 + v2 v3 = q; both F. Y. Wu, see above
 *
 * The clock model of one coupling has that of the Ising model for q = 2, 2/3 of the Potts model's
 * for q = 3, and twice the Ising model's for q = 4. For vectors of one coupling:
 *
 *   XY, square         1.1199: M. Hasenbusch, J. Phys. A 38, 5869 (2005)
 *   XY, cubic          0.45416474: M. Hasenbusch, Phys. Rev. B 100, 224517 (2019)
 *   Heisenberg, cubic  0.693003: M. Hasenbusch, Phys. Rev. B 102, 024406 (2020)
 *
 * Of graphs it is known for hypercubic lattices (clup/graph.h). Those of two and three axes have
 * that of the square and the cubic lattice. With more axes Ising spins have K = 0.149693785 (4),
 * 0.11391498 (5), 0.0922982 (6) and 0.0777089 (7), as public programs have them; with 4 axes
 * Binder's cumulant of 8^4 and 16^4 sites gives 0.149703(23).
 *
 * NAN for a model without temperatures, for couplings that no spins can satisfy all, in a field,
 * and where it is not known. */
CLUP_API double clup_problem_critical_beta(const clup_problem *problem);

/* Returns the critical probability of percolation on the infinite lattice; NAN where it is not
 * known, and for other models. Where no digits follow a value is exact: M. F. Sykes and J. W.
 * Essam, J. Math. Phys. 5, 1117 (1964), or from such a one.
 *
 *                   bonds                            sites
 *   square          1/2                              0.59274605 [1]
 *   triangular      2 sin(pi/18)                     1/2
 *   honeycomb       1 - 2 sin(pi/18)                 0.697040230 [2]
 *   kagome          0.524404999 [2]                  as honeycomb bonds
 *   lieb            1/sqrt 2                         0.73970(1) [11]
 *   square-octagon  0.67680232 [3]                   0.729724 [4]
 *   union-jack      1 less that of square-octagon    1/2
 *   checkerboard    0.33721(1) [11]                  as square bonds
 *   square-8        0.25036834 [5]                   1 less that of square
 *   cubic           0.24881182 [6]                   0.31160768 [7]
 *   cubic-18        0.0752326 [8]                    0.1373045 [10]
 *   cubic-26        0.0497080 [8]                    0.0976444 [10]
 *   bcc             0.18028762 [9]                   0.2459615 [9]
 *   fcc             0.12016377 [9]                   0.19923517 [9]
 *   diamond         0.3895892 [9]                    0.4299870 [9]
 *
 * [1] J. L. Jacobsen, J. Phys. A 48, 454003 (2015). [2] J. L. Jacobsen, J. Phys. A 47, 135001
 * (2014). [3] R. Parviainen, J. Phys. A 40, 9253 (2007). [4] P. N. Suding and R. M. Ziff, Phys.
 * Rev. E 60, 275 (1999). [5] X. Feng, Y. Deng and H. W. J. Bloete, Phys. Rev. E 78, 031136 (2008).
 * [6] J. Wang et al., Phys. Rev. E 87, 052107 (2013). [7] X. Xu et al., Front. Phys. 9, 113 (2014).
 * [8] Z. Xun and R. M. Ziff, Phys. Rev. E 102, 012102 (2020). [9] collected in numberdb.org, T152.
 * [10] Z. Xun, D. Hao and R. M. Ziff, Phys. Rev. E 103, 022126 (2021). [11] measured with this
 * program (doc/notebook/percolation.md). */
CLUP_API double clup_critical_p(clup_lattice_kind lattice, clup_model model);

/* Returns the critical probability of percolation for a problem's lattice and model: that of
 * clup_critical_p. Of graphs it is known for hypercubic lattices (clup/graph.h); those of two and
 * three axes are the square and the cubic lattice:
 *
 *   axes   bonds              sites
 *   4      0.16013122         0.19688561
 *   5      0.11817145         0.14079633
 *   6      0.09420165         0.109016661
 *   7      0.078675230        0.088951121
 *   8      0.06770839         0.075210128
 *
 * S. Mertens and C. Moore, Phys. Rev. E 98, 022120 (2018), and numberdb.org, T152; bonds with 8
 * axes P. Grassberger, Phys. Rev. E 67, 036101 (2003). NAN where it is not known. */
CLUP_API double clup_problem_critical_p(const clup_problem *problem);

/* Computes the exact internal energy <H>/N and specific heat of the Ising model on the square
 * lattice, a torus of size[0] x size[1] sites (Kaufman 1949; Ferdinand and Fisher, Phys. Rev. 185,
 * 832 (1969)). The problem is CLUP_POTTS with q = 2 at 0.001 <= beta <= 20, or CLUP_ISING at half
 * of that. Returns CLUP_ERROR_USAGE for any other problem. */
CLUP_API clup_status clup_exact_ising(const clup_problem *problem, double *energy,
                                      double *specific_heat);

/* ---- method ---------------------------------------------------------------------------------- */

/* How a sweep updates the spins. All but the heat bath start from clusters of Fortuin-Kasteleyn
 * bonds. */
typedef enum clup_algorithm {
    CLUP_SWENDSEN_WANG, /* "sw": every cluster takes a spin that is drawn anew (Swendsen and Wang
                           1987) */
    CLUP_WOLFF, /* "wolff": the cluster of one random site takes one of the other q - 1 spins; of
                   models with involutions, and in a field, the involution of the sweep, unless the
                   field ties a site of it (Wolff 1989) */
    CLUP_FEW_CLUSTER, /* "few-cluster": the lattice is divided into S x S parts, and a random site
                         is drawn in each; the cluster of each such site takes another spin with
                         probability p_flip. They are grown without labelling the rest (Weigel
                         2011) */
    CLUP_HEAT_BATH,   /* "heat-bath": every site takes a state with its probability while its
                         neighbours are fixed, colour by colour: no bond connects sites of a colour,
                         see cl/heat/heat.clh. No clusters are found */
    CLUP_ALGORITHMS
} clup_algorithm;

/* The Markov chain. All zeros is Swendsen-Wang with Philox. Where a function takes a method, NULL
 * is all zeros. */
typedef struct clup_method {
    clup_algorithm algorithm;
    const char *rng; /* the generator of random numbers, see clup_rng_name; NULL for "philox" */
    unsigned seeds_per_side; /* S of few-cluster, 1 to the length of the shorter axis; few-cluster
                                needs the square lattice */
    unsigned heat_bath;      /* sweeps of the heat bath before each sweep of clusters, 0 to 32, for
                                systems whose states clusters alone reach slowly; with philox */
    double p_flip;           /* of few-cluster: above 0 and below 1 */
    uint64_t houdayer;       /* Houdayer's cluster moves before each sweep, 0 to 32, of pairs of
                                systems at one temperature with the same couplings: of those that
                                are alike, in the order of their numbers, the first and the second,
                                the third and the fourth, .. Clusters of sites where their spins are
                                unlike are exchanged with probability 1/2, so that the sum of their
                                energies stays (J. Houdayer, Eur. Phys. J. B 22, 479 (2001)). Of the
                                Potts and the Ising model, beside sw and the heat bath, in one
                                process, with philox */
    uint64_t overrelaxation; /* sweeps of overrelaxation before each sweep, 0 to 32, of vectors:
                                each spin makes half a turn around the sum of its neighbours, with
                                their couplings, and the field, which keeps the energy. They come
                                after Houdayer's moves and heat_bath */
    uint64_t reserved[6];
} clup_method;

/* Return the name of an algorithm, and the name of generator number row; NULL past the end. */
CLUP_API const char *clup_algorithm_name(clup_algorithm algorithm);
CLUP_API const char *clup_rng_name(size_t row);

#ifdef __cplusplus
}
#endif

#endif
