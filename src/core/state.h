/* SPDX-License-Identifier: BSD-3-Clause */
/* One system on one device: what the stages of the pipeline work on. */
#ifndef CLUP_CORE_STATE_H
#define CLUP_CORE_STATE_H
#include "image/image.clh"
#include "core/generator.h"
#include "core/subdomain.h"
#include "ocl/kernel.h"
#include "core/random.clh"

/* How spins, bonds and labels are kept: three tables of store.c, and layouts, which choose of
 * each. */
typedef struct clup_spin_store {
    const char *name, *define; /* the second selects it in the kernels */
    uint64_t (*bytes)(const lattice_args *lattice, unsigned planes);
    /* between one byte a site in raster order and the store; to is zeroed, and as large as bytes
     * says */
    void (*pack)(const lattice_args *lattice, unsigned planes, const uint8_t *spins, void *to);
    void (*unpack)(const lattice_args *lattice, unsigned planes, const void *from, uint8_t *spins);
} clup_spin_store;
typedef struct clup_bond_store {
    const char *name, *define;
    uint64_t (*bytes)(const lattice_args *lattice);
} clup_bond_store;
typedef struct clup_label_store {
    const char *name;
    uint32_t stores; /* those of store.def that it is made of */
    uint64_t sites_max;
    bool of_pixels; /* sites of images are pixels, where in others blocks of them may be */
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
/* Whether a layout has a label for each site. */
bool clup_layout_of_sites(const clup_layout *layout);
/* NULL when there is none of that name. */
const clup_layout *clup_layout_named(const char *name);
/* The problem whose sites a layout has: of images they may be blocks of pixels, see blocks.clh. For
 * NULL, the one whose sites are pixels. */
clup_problem clup_layout_problem(const clup_layout *layout, const clup_problem *problem);

/* What is kept of the systems on the device, see store.def. */
typedef enum clup_buffer_kind {
#define BUFFER(NAME, FIELD, WHAT, BYTES) CLUP_BUFFER_##NAME,
#include "core/buffers.def"
    CLUP_BUFFER_KINDS
} clup_buffer_kind;
/* Those that every state has. */
#define CLUP_BUFFERS_ALWAYS \
    (1u << CLUP_BUFFER_SPINS | 1u << CLUP_BUFFER_UPDATED | 1u << CLUP_BUFFER_LAWS)

/* What is measured: of sweeps that are to be, those that make up a multiple of every with the
 * sweeps since the last one that was, before. */
typedef struct clup_measuring {
    uint32_t format; /* of records, see record.clh */
    uint32_t every;  /* 1 or more */
    uint32_t before; /* less than every */
} clup_measuring;
/* The records of so many sweeps. */
static inline unsigned clup_measuring_records(const clup_measuring *measuring, unsigned sweeps)
{
    return (unsigned)(((uint64_t)measuring->before + sweeps) / measuring->every);
}

struct clup_prepared;

typedef struct clup_state {
    clup_context *context;
    lattice_args lattice;
    clup_subdomain subdomain; /* of several processes' lattice, or the whole */
    const clup_layout *layout;
    clup_model model;
    unsigned q, planes;
    uint32_t replicas;
    clup_bond_law law; /* of the first replica */
    random_key key;    /* of the first replica in the sweep that is being done */
    clup_method method;
    const clup_generator *rng;
    uint64_t stream_count; /* of a generator with state */
    /* the buffers of stores, of all replicas, one after the other; laws has a clup_bond_law each */
#define BUFFER(NAME, FIELD, WHAT, BYTES) cl_mem FIELD;
#include "core/buffers.def"
    uint32_t stores; /* bit s: there is store s, or its bytes were added up */
    cl_mem streams;
    cl_mem modes; /* the table of modes.clh; NULL where it is not needed */
    /* of an image that is labelled: what it is, its pixels, what its clusters are given for labels,
     * canonical ones or numbers, and the pass's that numbers, where roots are marked */
    const clup_label_problem *of_image;
    image_args image;
    cl_mem pixels, numbers, key_bits;
    cl_uint canonical;
    /* of a part: the groups of parts that become one at once, at most, and those of all times that
     * this is done in a sweep, see family/interface.h */
    struct {
        uint32_t groups, all;
    } merging;
    char definitions[96]; /* further ones, of its kernels */
    bool wide;            /* sites are more than 32 bits can count */
    bool counting;        /* the sweep's clusters are to be measured; the stages that can count them
                             on the way do */
    clup_measuring measuring;
    /* where the stage that looks at spins counts them by the way (observables.clh): the sums of
     * so many groups for each slot, and 1 more than the slot, or 0 */
    struct {
        cl_mem sums;
        cl_uint groups, slot;
    } spins_counted;
    struct clup_prepared *passes; /* all that were made for it, see clup_prepared.next */
} clup_state;

/* The key of a replica in sweep number sweep < 2^48. */
random_key clup_random_key(uint64_t seed, uint32_t replica, uint64_t sweep);
/* The spins that a simulation starts from, spins[sites]: all 0, or drawn with the key of sweep
 * 0. */
void clup_start_spins(const lattice_args *lattice, unsigned q, random_key key, clup_start start,
                      uint8_t *spins);

/* A state without its buffers. The method has been checked; NULL is all zeros. Of a generator with
 * state there are so many streams. */
clup_status clup_state_describe(clup_context *context, const clup_problem *problem,
                                const clup_method *method, const clup_layout *layout,
                                uint64_t streams, uint64_t seed, clup_state *state);
/* Adds what a state that was described takes: spins, laws, a counter, and streams. */
void clup_state_need(clup_state *state, clup_need *need);
/* Bytes of a store; and of those stores, bit s for store s, that are not there: adds what they
 * take, as if they were there from now on, or makes them, all zeros: what measures is launched once
 * before the first sweep. A sweep writes those that not every state has before it reads them. */
uint64_t clup_buffer_kind_bytes(const clup_state *state, clup_buffer_kind store);
void clup_buffers_need(clup_state *state, uint32_t which, clup_need *need);
clup_status clup_buffers_create(clup_state *state, uint32_t which);
void clup_buffers_clear(clup_state *state);
/* NULL where the state has no such store. */
cl_mem clup_buffer_of_state(clup_state *state, clup_buffer_kind store);
/* A state with the same; the spins are all 0. Other stores are made with the passes that name
 * them. */
clup_status clup_state_create(clup_context *context, const clup_problem *problem,
                              const clup_method *method, const clup_layout *layout,
                              uint64_t streams, uint64_t seed, clup_state *state);
void clup_state_clear(clup_state *state);
/* Gives its replicas the temperatures that those of a problem have. */
clup_status clup_state_set_betas(clup_state *state, const clup_problem *problem);
/* Transfers of spins as one byte a site, in raster order: those of count rows of all systems, one
 * system after the other, from row first on, spins[count*nx]; and all of them. */
clup_status clup_state_write_rows(clup_state *state, uint64_t first, uint64_t count,
                                  const uint8_t *spins);
clup_status clup_state_read_rows(clup_state *state, uint64_t first, uint64_t count, uint8_t *spins);
clup_status clup_state_write_spins(clup_state *state, const uint8_t *spins);
clup_status clup_state_read_spins(clup_state *state, uint8_t *spins);

#endif
