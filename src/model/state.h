/* One system on one device: what the stages of the pipeline work on. */
#ifndef CLUP_MODEL_STATE_H
#define CLUP_MODEL_STATE_H
#include "model/generator.h"
#include "model/lattice.h"
#include "ocl/kernel.h"
#include "random.clh"

/* How spins, bonds and labels are stored. */
typedef struct clup_layout {
    const char *name;
    const char *define; /* what selects it in the kernels */
    unsigned fused;     /* bit s: stage s is done by another, and has no rows */
    uint64_t sites_max;
    uint64_t (*spin_bytes)(const lattice_args *lattice, unsigned planes);
    uint64_t (*bond_bytes)(const lattice_args *lattice);
    uint64_t (*label_bytes)(const lattice_args *lattice, unsigned q);
    uint64_t (*nodes)(const lattice_args *lattice); /* of a forest besides the labels; NULL for none */
    /* between one byte a site in raster order and the layout; to is zeroed, and as large as spin_bytes says */
    void (*pack)(const lattice_args *lattice, unsigned planes, const uint8_t *spins, void *to);
    void (*unpack)(const lattice_args *lattice, unsigned planes, const void *from, uint8_t *spins);
} clup_layout;
extern const clup_layout clup_layouts[];
extern const size_t clup_layout_count;
/* NULL when there is none of that name. */
const clup_layout *clup_layout_named(const char *name);

typedef struct clup_state {
    clup_context *context;
    lattice_args lattice;
    const clup_layout *layout;
    clup_model model;
    unsigned q, planes;
    uint32_t replicas;
    clup_bond_law law; /* of the first replica */
    random_key key;    /* of the first replica in the sweep that is being done */
    clup_method method;
    const clup_generator *rng;
    uint64_t stream_count; /* of a generator with state */
    /* of all replicas, one after the other; laws has a clup_bond_law each */
    cl_mem spins, bonds, labels, nodes, node_sizes, streams, laws;
    const char *definitions; /* further ones, of its kernels; NULL for none */
    bool wide;     /* sites are more than 32 bits can count */
    bool counting; /* the sweep is to be measured; the stages that can count clusters on the way do */
    cl_mem updated; /* a counter: sites in the clusters that the sweep gave a new spin; Swendsen-Wang leaves it 0 */
} clup_state;

/* The key of a replica in sweep number sweep < 2^48. */
random_key clup_random_key(uint64_t seed, uint32_t replica, uint64_t sweep);
/* The spins that a simulation starts from, spins[sites]: all 0, or drawn with the key of sweep 0. */
void clup_start_spins(const lattice_args *lattice, unsigned q, random_key key, clup_start start, uint8_t *spins);

/* A state without its buffers. The method has been checked; NULL is all zeros. Of a generator with state there are so many streams. */
clup_status clup_state_describe(clup_context *context, const clup_problem *problem, const clup_method *method, const clup_layout *layout,
                                uint64_t streams, uint64_t seed, clup_state *state);
/* Adds what the buffers of a state that was described take. */
void clup_state_need(const clup_state *state, clup_need *need);
/* From how many sites on kernels count them with 64 bits; tests make it small. */
extern uint64_t clup_sites_wide;
/* A state with its buffers; the spins are all 0. */
clup_status clup_state_create(clup_context *context, const clup_problem *problem, const clup_method *method, const clup_layout *layout,
                              uint64_t streams, uint64_t seed, clup_state *state);
void clup_state_clear(clup_state *state);
/* Transfers of spins as one byte a site, spins[replicas*sites]. */
clup_status clup_state_write_spins(clup_state *state, const uint8_t *spins);
clup_status clup_state_read_spins(clup_state *state, uint8_t *spins);

#endif
