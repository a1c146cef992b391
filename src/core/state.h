/* SPDX-License-Identifier: BSD-3-Clause */
/* One problem on one device: the systems that the stages of a sweep work on. */
#ifndef CLUP_CORE_STATE_H
#define CLUP_CORE_STATE_H
#include "image/image.clh"
#include "core/boundary.h"
#include "core/generator.h"
#include "core/subdomain.h"
#include "ocl/kernel.h"
#include "core/random.clh"

/* How spins, bonds and labels are stored: a table of each in buffers.c. A layout names one line of
 * each table. */
typedef struct clup_spin_store {
    const char *name, *define; /* define selects the storage in the kernels */
    unsigned beside; /* planes whose words of 32 sites are stored beside one another: rows of the
                        lattice are pieces of so many planes at once */
    uint64_t (*bytes)(const lattice_args *lattice, unsigned planes);
    /* Convert between spins in raster order, a byte or a vector (vector.h) each, and the storage.
     * For pack, to must be zeroed, and have the size that bytes returns. */
    void (*pack)(const lattice_args *lattice, unsigned planes, const uint8_t *spins, void *to);
    void (*unpack)(const lattice_args *lattice, unsigned planes, const void *from, uint8_t *spins);
} clup_spin_store;
typedef struct clup_bond_store {
    const char *name, *define;
    uint32_t stores; /* the device buffer (buffers.def) that has the bonds */
    uint64_t (*bytes)(const lattice_args *lattice);
} clup_bond_store;
typedef struct clup_label_store {
    const char *name;
    uint32_t stores; /* device buffers (buffers.def) that it consists of */
    uint64_t sites_max;
    bool of_pixels; /* in images, each site is a pixel, never a block of pixels */
} clup_label_store;
typedef struct clup_layout {
    const char *name;
    const clup_spin_store *spins;
    const clup_bond_store *bonds;
    const clup_label_store *labels;
} clup_layout;
extern const clup_spin_store clup_spin_stores[];
extern const clup_bond_store clup_bond_stores[];
extern const clup_label_store clup_label_stores[];
extern const clup_layout clup_layouts[];
extern const size_t clup_spin_store_count, clup_bond_store_count, clup_label_store_count,
    clup_layout_count;
/* Returns how a device stores the spins of a layout. */
const clup_spin_store *clup_spin_store_of(const clup_context *context, const clup_layout *layout);
/* Whether a layout has a label for each site, and spins that are states; and whether its spins are
 * vectors (vector.h), with a label for each site as well. */
bool clup_layout_of_sites(const clup_layout *layout);
bool clup_layout_of_vectors(const clup_layout *layout);
/* Whether bonds are the edges of a graph. */
bool clup_layout_of_graphs(const clup_layout *layout);
/* Returns NULL when no layout has that name. */
const clup_layout *clup_layout_named(const char *name);
/* Returns the layout that stores spins and bonds as another one does, and labels in the storage of
 * that name; NULL where there is none. */
const clup_layout *clup_layout_beside(const clup_layout *layout, const char *labels);
/* Returns the problem whose sites the layout stores. In images a site may be a block of pixels, see
 * blocks.clh; for layout NULL each site is a pixel. */
clup_problem clup_layout_problem(const clup_layout *layout, const clup_problem *problem);

/* Device buffers of a state, see buffers.def. */
typedef enum clup_buffer_kind {
#define BUFFER(NAME, FIELD, WHAT, BYTES) CLUP_BUFFER_##NAME,
#include "core/buffers.def"
    CLUP_BUFFER_KINDS
} clup_buffer_kind;
/* The device buffers that every state has. */
#define CLUP_BUFFERS_ALWAYS \
    (1u << CLUP_BUFFER_SPINS | 1u << CLUP_BUFFER_UPDATED | 1u << CLUP_BUFFER_LAWS)

/* Which of the sweeps to come are measured. A sweep is measured when its number is a multiple of
 * every, counted from the last measured sweep; before sweeps have been done since that sweep. */
typedef struct clup_measuring {
    uint32_t format; /* of records, see record.clh */
    uint32_t every;  /* 1 or more */
    uint32_t before; /* less than every */
} clup_measuring;
/* Returns how many of the next sweeps are measured. */
static inline unsigned clup_measuring_records(const clup_measuring *measuring, unsigned sweeps)
{
    return (unsigned)(((uint64_t)measuring->before + sweeps) / measuring->every);
}

struct clup_prepared;
struct clup_strip;

/* The laws at the temperatures of a state, one after the other: betas[count], in ascending order.
 */
typedef struct clup_beta_laws {
    uint32_t count;
    double *betas;
    char *laws;
} clup_beta_laws;

typedef struct clup_state {
    clup_context *context;
    lattice_args lattice;
    lattice_args bond_lattice; /* see clup_bonds_of_problem */
    clup_subdomain subdomain;  /* the part of the whole lattice that lattice is, or all of it where
                                  one process works alone */
    const clup_layout *layout;
    const clup_spin_store *spin_store; /* of the layout; another one for threads */
    clup_model model;
    unsigned q, planes;
    uint32_t replicas;
    bond_law law;                          /* of the first replica, and its first class of bonds */
    unsigned classes;                      /* of bonds, see class_of() in random.clh */
    uint32_t weights[CLUP_DIRECTIONS_MAX]; /* of each of spin_sums, see sum_weight() of laws.clh */
    uint64_t most_satisfied;               /* see clup_problem_most_satisfied */
    bool couplings;                        /* see clup_bonds_differ */
    bool field;                            /* see clup_has_field */
    bool matrix;                           /* see clup_has_matrix */
    bool sized;                            /* see clup_has_sizes */
    bool sampled;                          /* see clup_state_sample */
    bool inner_roots;                      /* likewise */
    unsigned numbers_each;                 /* of a spin that is a vector, see vector.h; else 0 */
    uint32_t components_format;            /* see clup_components_format */
    unsigned law_words;                    /* of a system, with a matrix */
    uint64_t matrix_words;
    struct clup_matrix *of_matrix;         /* once the device has it; else NULL */
    clup_beta_laws known_laws, known_heat; /* which the buffers laws and heat have */
    unsigned spin_sums; /* what is counted of spins besides states: SPIN_SUMS of kernels */
    unsigned decisions; /* that a cluster can take: DECISIONS of kernels */
    random_key key;     /* of the first replica in the present sweep */
    clup_method method;
    const clup_generator *rng;
    uint64_t stream_count; /* streams of a generator with state */
    /* Device buffers. Each holds all replicas, one after the other; laws has a bond_law
     * for each class of bonds of each, and in a field one more; with a matrix the thresholds of its
     * levels. */
#define BUFFER(NAME, FIELD, WHAT, BYTES) cl_mem FIELD;
#include "core/buffers.def"
    cl_mem disorder;         /* the matrix, then the disorder of all systems, see
                                cl/model/laws.clh; laws where there is neither */
    uint64_t disorder_bytes; /* of one system */
    cl_mem ends;             /* of a graph, pairs of sites; else NULL */
    /* of a graph that percolates: its boundaries; on the device their list and inner */
    clup_boundary boundary;
    cl_mem crossed, inner;
    cl_uint edge_kinds; /* parts of a graph's edges, see consolidate_graph.cl */
    uint32_t stores;    /* bit s: device buffer s exists, or its bytes were added to a clup_need */
    cl_mem streams;
    cl_mem modes;    /* the table of modes.clh; NULL where it is not needed */
    cl_mem partners; /* of overlap.clh, the number of a system for each; NULL likewise */
    cl_mem mates;    /* of mates.clh, likewise */
    /* Of the model image: the image, its pixels, the buffer for the clusters' labels, whether
     * labels are canonical or consecutive, and the scratch buffer of the numbering stage where
     * roots are marked. */
    const clup_label_problem *of_image;
    image_args image;
    cl_mem pixels, numbers, key_bits;
    cl_uint canonical;
    /* Of a subdomain: in the largest union of groups of subdomains, how many groups take part; and
     * the sum of such groups over all unions of a sweep, see family/interface.h. */
    struct {
        uint32_t groups, all;
    } merging;
    char definitions[160];    /* further -D definitions for its kernels */
    struct clup_strip *strip; /* of a subdomain with local updates, see family/strip.h; else NULL */
    cl_uint heat_round;       /* the number of the sweep of the heat bath in a sweep */
    cl_uint move_round;       /* the number of Houdayer's move in a sweep */
    bool wide;                /* there are more sites than 32 bits can count */
    bool counting; /* the clusters of this sweep are to be measured: a stage that can count them
                      while it finds them does */
    clup_measuring measuring;
    /* For a stage that counts the spins while it reads them (observables.clh): the buffer of the
     * counts, NULL where no stage does so; how many places for counts each slot has (SLOT_GROUP in
     * systems.clh); and the number of the slot to count for, plus 1, or 0 not to count. */
    struct {
        cl_mem sums;
        cl_uint groups, slot;
    } spins_counted;
    struct clup_prepared *prepared; /* list of all prepared stages of this state, see
                                     clup_prepared.next */
} clup_state;

/* Returns the key of a replica in a sweep; sweep < 2^48. */
random_key clup_random_key(uint64_t seed, uint32_t replica, uint64_t sweep);
/* Writes the spins that a simulation of a problem starts from, on a lattice that is the problem's
 * or rows of it: those of an ordered start, or drawn with the key of sweep 0. */
void clup_start_spins(const lattice_args *lattice, const clup_problem *problem, random_key key,
                      clup_start start, uint8_t *spins);

/* Fills in a state, but creates no device buffers. The method must have been validated; NULL is all
 * zeros. streams is the number of streams of a generator with state. */
clup_status clup_state_describe(clup_context *context, const clup_problem *problem,
                                const clup_method *method, const clup_layout *layout,
                                uint64_t streams, uint64_t seed, clup_state *state);
/* From now on clusters of the state are counted alone: kernels with SAMPLED give them no new spins,
 * and count them by classes of sizes too; with inner_roots names tell complete clusters apart
 * (border.clh). A state of percolation is so from the beginning, without inner_roots. */
void clup_state_sample(clup_state *state, bool inner_roots);
/* Adds definitions for the state's kernels, each with a space before it. */
void clup_state_define(clup_state *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds to need what clup_state_create takes for a state from clup_state_describe: spins, laws, a
 * counter, and random streams. */
void clup_state_need(clup_state *state, clup_need *need);
/* clup_buffer_kind_bytes returns the bytes of a device buffer. The other two functions work on the
 * buffers that which names, bit s for buffer s, and skip those that the state has already:
 * clup_buffers_need adds their bytes to need, and notes in the state that they exist, although they
 * do not; clup_buffers_create creates them. New buffers contain zeros, because measuring is
 * launched once before the first sweep. A sweep writes a buffer that is not in CLUP_BUFFERS_ALWAYS
 * before it reads it. */
uint64_t clup_buffer_kind_bytes(const clup_state *state, clup_buffer_kind store);
void clup_buffers_need(clup_state *state, uint32_t which, clup_need *need);
clup_status clup_buffers_create(clup_state *state, uint32_t which);
void clup_buffers_clear(clup_state *state);
/* Returns NULL where the state does not have the device buffer. */
cl_mem clup_buffer_of_state(clup_state *state, clup_buffer_kind store);
/* As clup_state_describe, and creates the device buffers that every state has; all spins are 0. The
 * prepared stages create the other device buffers that they name. */
clup_status clup_state_create(clup_context *context, const clup_problem *problem,
                              const clup_method *method, const clup_layout *layout,
                              uint64_t streams, uint64_t seed, clup_state *state);
/* As clup_state_describe and clup_state_create, for any layers of the whole lattice. */
clup_status clup_state_describe_part(clup_context *context, const clup_problem *problem,
                                     const clup_method *method, const clup_layout *layout,
                                     const clup_subdomain *part, uint64_t streams, uint64_t seed,
                                     clup_state *state);
clup_status clup_state_create_part(clup_context *context, const clup_problem *problem,
                                   const clup_method *method, const clup_layout *layout,
                                   const clup_subdomain *part, uint64_t streams, uint64_t seed,
                                   clup_state *state);
void clup_state_clear(clup_state *state);
void clup_beta_laws_clear(clup_beta_laws *table);
/* Gives the replicas of the state the inverse temperatures of the problem's replicas. */
clup_status clup_state_set_betas(clup_state *state, const clup_problem *problem);
/* Gives all samples of percolation the probability p: of a bond, or of a site, and then all bonds
 * between occupied sites are active. */
clup_status clup_state_set_probability(clup_state *state, double p);
/* Transfer spins in raster order, each a byte or a vector (vector.h). The functions for rows
 * transfer count rows from row first on of all systems, one system after the other. The others
 * transfer all rows. */
clup_status clup_state_write_rows(clup_state *state, uint64_t first, uint64_t count,
                                  const uint8_t *spins);
clup_status clup_state_read_rows(clup_state *state, uint64_t first, uint64_t count, uint8_t *spins);
/* Returns the bytes of the spins of a row, as they are transferred. */
uint64_t clup_state_row_bytes(const clup_state *state);
clup_status clup_state_write_spins(clup_state *state, const uint8_t *spins);
clup_status clup_state_read_spins(clup_state *state, uint8_t *spins);

#endif
