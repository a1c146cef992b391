/* SPDX-License-Identifier: BSD-3-Clause */
/* What all stages have in common: a table of kernel variants, each one way to do the stage, and
 * prepared stages. A prepared stage is a kernel variant made ready for one state and tile. The
 * kernel of variant NAME of a stage is in cl/<folder>/<stage>_NAME.cl, unless its table names
 * another file. */
#ifndef CLUP_CORE_PREPARED_H
#define CLUP_CORE_PREPARED_H
#include "core/host.h"
#include "core/model.h"
#include "core/state.h"

#define CLUP_PREPARED_KERNELS 8
#define CLUP_PREPARED_SCRATCH 4
#define CLUP_KERNEL_ARGS 14

/* Sizes of work-groups that do not depend on the tile: of kernels with a work-item for each word,
 * of kernels with a work-item for each site, and of kernels that count. They are powers of two: 64,
 * 128 and 256, or less where the device allows no more. Kernels that count have fewer on devices
 * whose work-items are threads, and where local memory is small. */
size_t clup_word_items(const clup_context *context);
size_t clup_site_items(const clup_context *context);
size_t clup_measure_items(const clup_context *context);
/* Returns the largest of most, most / 2, most / 4, ... that is at most limit; at least 1. */
size_t clup_largest_power(size_t most, size_t limit);

/* How the time of a kernel variant grows with the size of the lattice and with the tile. Estimates
 * for a device without measured times use it: the formulas of the paper and one more, see
 * src/plan/estimate.c. */
typedef enum clup_growth {
    CLUP_GROWTH_UNKNOWN,
    CLUP_GROWTH_SITES,     /* work on each site by itself */
    CLUP_GROWTH_COLUMNS,   /* work on each site by itself, by work-items that wait for each other */
    CLUP_GROWTH_SERIAL,    /* one work-item a tile */
    CLUP_GROWTH_THREADS,   /* as CLUP_GROWTH_SERIAL on devices whose work-items are threads; unknown
                              on others */
    CLUP_GROWTH_SELFLABEL, /* passes over a tile */
    CLUP_GROWTH_SEW,       /* hierarchical sewing */
    CLUP_GROWTH_RELAX,     /* iterations over the edges of tiles */
    CLUP_GROWTH_UNION,     /* work on each seam bond, and on each site */
    CLUP_GROWTH_RUNS,      /* work on each site, in as many groups as local memory holds */
    CLUP_GROWTH_RESIDENT   /* work on each site, a group for each replica */
} clup_growth;

/* How many work-groups a launch has. With CLUP_GRID_TILES a group has as many work-items as items
 * or group_items of the kernel variant say, and it works on group_tiles tiles. */
typedef enum clup_grid {
    CLUP_GRID_TILES,      /* as many groups as all tiles need */
    CLUP_GRID_BANDS,      /* one work-item for each band (bands.clh) */
    CLUP_GRID_WORDS,      /* a work-item for each word of 32 sites, clup_word_items() a group */
    CLUP_GRID_BOND_WORDS, /* likewise for each word of 32 edges of a graph */
    CLUP_GRID_SITES, /* a work-item for each site, clup_site_items() a group, also in the next two
                        lines */
    CLUP_GRID_WORD_SITES, /* a work-item for each site of all words, those past the end of a row as
                             well */
    CLUP_GRID_WORD_COLUMNS,  /* a group for the words of 32 rows one below the other, see
                                word_sites.clh */
    CLUP_GRID_COUNTERS,      /* clup_measure_groups() of clup_measure_items() */
    CLUP_GRID_TILE_COUNTERS, /* a group of clup_measure_items() for each tile */
    CLUP_GRID_GIVEN          /* run of the kernel variant says how many */
} clup_grid;

/* An argument of a kernel. A name stands for its value, which is bound when the kernel is launched.
 * For a device buffer, use says whether the kernel reads or writes it. */
typedef enum clup_bound {
    CLUP_BIND_END, /* ends the list of arguments */
#define BIND(NAME, OF, FIELD) CLUP_BIND_##NAME,
#include "core/bind.def"
    CLUP_BIND_GIVEN, /* run of the kernel variant gives the value, by its name */
} clup_bound;
typedef struct clup_bind {
    unsigned char what; /* clup_bound */
    unsigned char use;  /* CLUP_READS | CLUP_WRITES; 0 for a number */
    const char *name;   /* of a value that run gives */
} clup_bind;
enum { CLUP_READS = 1, CLUP_WRITES = 2 };
/* clang-format off */
#define VALUE(NAME) {CLUP_BIND_##NAME, 0, NULL}
#define READS(NAME) {CLUP_BIND_##NAME, CLUP_READS, NULL}
#define WRITES(NAME) {CLUP_BIND_##NAME, CLUP_WRITES, NULL}
#define CHANGES(NAME) {CLUP_BIND_##NAME, CLUP_READS | CLUP_WRITES, NULL}
#define GIVEN(NAME) {CLUP_BIND_GIVEN, 0, #NAME}
/* clang-format on */

typedef struct clup_prepared clup_prepared;
typedef struct clup_variant clup_variant;
typedef struct clup_setting clup_setting;

/* A kernel of a kernel variant. */
typedef struct clup_variant_kernel {
    const char *file, *entry; /* a file of cl/ without ".cl", and the name of a kernel in it; NULL
                                 stands for <stage>_<variant>, in the file of that name */
    clup_grid grid;
    clup_bind args[CLUP_KERNEL_ARGS];
} clup_variant_kernel;

struct clup_variant {
    const char *name;
    const char *about; /* one line for people */
    clup_stage stage;
    clup_variant_kernel kernels[CLUP_PREPARED_KERNELS];
    /* The reference for this stage. That of a local labelling does what local labelling and
     * consolidation do together. NULL where another variant of the stage gives the same result. */
    clup_serial *serial;
    /* What the variant can do. */
    unsigned models;          /* bit m: works on model m; 0: works on the Potts model only */
    clup_algorithm algorithm; /* of an action on the Potts model: the algorithm that the action
                                 belongs to */
    const char *spins, *bonds, *labels; /* names of the spin, bond and label storage that the
                                           variant needs, see clup_layout; NULL for any that has the
                                           device buffers that its kernels name */
    unsigned q_max;                     /* most states; 0 for any number */
    uint64_t sites_max;                 /* most sites; 0 for any number */
    bool philox;                        /* draws random numbers, with Philox only */
    bool square;                        /* works on the square lattice only */
    bool one_coupling; /* works only where all couplings are 1, without disorder and field */
    bool one_class;    /* works only where all couplings are equal */
    bool field;        /* of an action: works in a field */
    bool matrix;       /* reads spins that have a matrix of energies (cl/model/matrix.clh) */
    bool vectors;      /* reads spins that are vectors (cl/model/vector.clh) as well as states; a
                          variant for vectors alone names their storage in spins */
    unsigned axes;     /* works on lattices with this many axes only; 0 for any number */
    bool replicas;     /* works on several replicas at once */
    bool subdomains;   /* of an action: works on subdomains, see interface_entries.clh */
    bool counts_spins; /* counts spins for the state's spins_counted, where sites have at most
                          FEW_STATES states */
    bool across;       /* of measuring: works on lattices with periodic axes only */
    uint32_t group;    /* of measuring: the group of numbers that it adds to records, a bit of their
                          format (record.clh); 0 for all numbers that belong to no group */
    /* Returns why the variant cannot be used for the setting, such as "is for ...", or NULL where
     * it can. The pointer is NULL for a variant without further limits. */
    const char *(*unfit)(const clup_setting *setting);
    /* Returns the number of random streams that the variant needs of a generator with state. NULL
     * for none. */
    uint64_t (*streams)(const lattice_args *lattice);
    /* Sets tile to the size of the variant's own tiles. NULL: the variant has the tiles of the
     * plan. */
    void (*shape)(const lattice_args *lattice, unsigned tile[3]);
    /* the variant is for devices whose groups have at most this many work-items, and for no others;
     * 0 for any device */
    size_t group_limit;
    /* Work-items of a group, and bytes of local memory of a group, for a tile. NULL for a variant
     * where the number does not depend on the tile. */
    size_t (*items)(const unsigned tile[3]);
    unsigned group_tiles; /* tiles of a group, GROUP_TILES in the kernels; fewer where the device
                             has no room for as many; 0 for one */
    uint64_t (*local_bytes)(const lattice_args *lattice, const unsigned tile[3], unsigned q);
    /* Work-items of the largest group of all kernels of the variant, where that is not the group of
     * items. */
    size_t (*most_items)(const unsigned tile[3]);
    /* Work-items of a group where they depend on more than the tile; GROUP_ITEMS in the kernels. */
    size_t (*group_items)(const clup_prepared *prepared);
    /* Limits for a work-item on a GPU, which tests compare with what the compiler reports:
     * registers, and bytes of private memory for values that do not fit registers. 0 stands for 128
     * registers, and for 0 bytes. */
    unsigned registers_max, private_bytes_max;
    uint64_t tile_sites_max; /* most sites of a tile; 0 for any number */
    unsigned tile_step;      /* the edge of a tile is a multiple of this */
    unsigned tile_x; /* of local labelling: the width of its tiles, while the plan's edge holds for
                        the other axes; 0: tiles are as wide as high */
    /* Bytes of scratch buffer number which. In each sweep, the kernels of the variant, or what they
     * call, write a scratch buffer before anything reads it. Exceptions are in kept. */
    uint64_t (*scratch)(const clup_prepared *prepared, unsigned which);
    unsigned kept; /* scratch buffers, bit k for buffer k, that begin as zeros and keep their
                      contents from one sweep to the next */
    uint32_t kept_buffers; /* device buffers, bit s for buffer s, that begin as zeros and keep their
                              contents in the same way */
    const char *buffers;   /* what messages call the scratch buffers when they do not fit; NULL for
                              "work buffers" */
    clup_growth growth;
    double cost; /* constant of the formula of growth, in ns */
    /* Enqueues the stage's share of a sweep. CLUP_INTERRUPTED leaves the spins as they were, and
     * the state ready to begin a sweep: the launches after the first one that changes spins are
     * made while the watch is held. NULL for a variant that launches all its kernels, one after the
     * other. */
    clup_status (*run)(clup_prepared *prepared);
    /* Of an action that does whole sweeps: enqueues count sweeps, and writes to records the records
     * of the sweeps that the state's measuring selects; no records for NULL. *done is the number of
     * sweeps enqueued, less than count on failure. NULL for a variant that does one sweep at a time
     * and does not measure. */
    clup_status (*run_many)(clup_prepared *prepared, unsigned count, cl_mem records,
                            unsigned *done);
    /* Of an iterative variant: returns how many iterations the last run took; the mean over tiles
     * where they differ. */
    clup_status (*iterations)(clup_prepared *prepared, double *mean);
};

struct clup_prepared {
    const clup_variant *variant;
    clup_state *state;
    clup_prepared *next; /* the next prepared stage of the same state */
    unsigned tile[3];
    uint64_t tiles;       /* in the lattice */
    cl_uint tiles_bound;  /* tiles, as an argument of kernels */
    unsigned group_tiles; /* tiles of a work-group */
    clup_kernel kernels[CLUP_PREPARED_KERNELS];
    cl_mem scratch[CLUP_PREPARED_SCRATCH];
    uint64_t scratch_bytes[CLUP_PREPARED_SCRATCH];
    unsigned iterations; /* of label relaxation: iterations of the last run */
    double sweep_s; /* of a variant with run_many: seconds of a sweep, as last timed; 0 when not
                       known */
    unsigned timed; /* of a variant with run_many: how often a sweep was timed */
};

typedef struct clup_table {
    const clup_variant *variants;
    size_t count;
} clup_table;

/* Returns the kernel variant of that name, or NULL. */
const clup_variant *clup_table_find(const clup_table *table, const char *name);
/* What a kernel variant is asked to work on. */
struct clup_setting {
    lattice_args lattice;
    unsigned q;
    clup_algorithm algorithm;
    const clup_layout *layout;
    const clup_generator *rng;
    unsigned tile[3];  /* of the plan */
    uint32_t replicas; /* 0 stands for 1 */
    clup_model model;
    const clup_label_problem *image; /* of the model image: the image */
    bool of_part;       /* the lattice is a subdomain, even where the context has joined no other
                           processes */
    bool couplings;     /* see clup_bonds_differ */
    unsigned classes;   /* of bonds; 0 stands for 1 */
    bool field;         /* see clup_has_field */
    bool matrix;        /* see clup_has_matrix */
    bool sized;         /* see clup_has_sizes */
    bool vectors;       /* spins are vectors, see vector.h */
    const char *before; /* what changes the spins before each sweep of the plan; NULL for nothing */
};

/* clup_variant_is_for: whether the variant works on a model. clup_variant_suits: whether it works
 * with a layout. clup_variant_layout: the only layout that it works with, NULL where there are
 * several. */
bool clup_variant_is_for(const clup_variant *variant, clup_model model);
bool clup_variant_suits(const clup_variant *variant, const clup_layout *layout);
const clup_layout *clup_variant_layout(const clup_variant *variant);
/* Device buffers that a kernel reads, writes or both, as use says (CLUP_READS, CLUP_WRITES), and
 * those that any kernel of a variant reads or writes. Bit s stands for device buffer s. */
uint32_t clup_kernel_buffers(const clup_variant_kernel *kernel, unsigned use);
uint32_t clup_variant_buffers(const clup_variant *variant);
/* Sets tile to the tile that a plan with this edge has, with the given variant of local labelling;
 * NULL for no such variant. */
void clup_variant_tile(const clup_variant *local, const lattice_args *lattice, unsigned edge,
                       unsigned tile[3]);
/* Sets tile to the variant's own tile in a plan with the tile plan. */
void clup_variant_own_tile(const clup_variant *variant, const lattice_args *lattice,
                           const unsigned plan[3], unsigned tile[3]);
/* Returns the number of tiles of a work-group on a device, and the work-items of a work-group with
 * group_tiles tiles. */
unsigned clup_variant_group_tiles(const clup_variant *variant, const clup_context *context,
                                  const lattice_args *lattice, const unsigned tile[3], unsigned q);
size_t clup_variant_items(const clup_variant *variant, const unsigned tile[3],
                          unsigned group_tiles);
/* Writes the file of cl/ and the name of the kernel that kernel k of the variant is. Returns false
 * when the variant has no kernel k. */
#define CLUP_NAME_MOST 96
bool clup_variant_kernel_names(const clup_variant *variant, unsigned k, char file[CLUP_NAME_MOST],
                               char entry[CLUP_NAME_MOST]);
/* Validates that the variant can work on the setting on the context's device, or, for context NULL,
 * on some device. CLUP_ERROR_USAGE gives the reason. */
clup_status clup_variant_check(const clup_variant *variant, const clup_context *context,
                               const clup_setting *setting);
/* As clup_variant_check. *passed is the number of conditions that held, in an order from what the
 * variant is for to what the device has. Where no variant can be used, the reason of the variant
 * with the largest *passed says best why. */
clup_status clup_variant_check_steps(const clup_variant *variant, const clup_context *context,
                                     const clup_setting *setting, unsigned *passed);
/* Adds to need the bytes of the scratch buffers, and of the device buffers that the state does not
 * have yet. Builds no kernel. */
void clup_prepared_need(const clup_variant *variant, clup_state *state, const unsigned tile[3],
                        clup_need *need);
/* Work-items of a group that has tiles, and work-groups for all tiles. */
size_t clup_prepared_items(const clup_prepared *prepared);
uint64_t clup_prepared_groups(const clup_prepared *prepared);
/* Work-groups that count spins and clusters: enough to fill any device, and few enough that their
 * counts are added up quickly. */
uint64_t clup_measure_groups(const clup_state *state);
/* Builds the kernels and creates the scratch buffers, and the device buffers that the state does
 * not have yet. */
clup_status clup_prepared_create(const clup_variant *variant, clup_state *state,
                                 const unsigned tile[3], clup_prepared *prepared);
/* Builds the kernels alone, to find out whether they can be built. The state need only be
 * described. */
clup_status clup_prepared_try(const clup_variant *variant, clup_state *state,
                              const unsigned tile[3]);
/* Prepares a stage of what comes before a sweep: of the variant's own algorithm, with labels in the
 * storage of that name, whatever the state's layout has. clup_prepared_check_beside says whether
 * the variant can be prepared so; CLUP_ERROR_USAGE gives the reason. */
clup_status clup_prepared_create_beside(const clup_variant *variant, clup_state *state,
                                        const char *labels, const unsigned tile[3],
                                        clup_prepared *prepared);
clup_status clup_prepared_check_beside(const clup_variant *variant, const clup_state *state,
                                       const char *labels, const unsigned tile[3]);
void clup_prepared_clear(clup_prepared *prepared);
/* Enqueues the stage's share of a sweep: calls the variant's run, or launches all its kernels. */
clup_status clup_prepared_run(clup_prepared *prepared);
/* Enqueues one kernel of the variant. given holds the arguments that the variant marks as
 * GIVEN(name), in any order: CLUP_WITH(CLUP_ARG(name), CLUP_ARG_AS(name, variable), ..); NULL where
 * there are none. CLUP_ERROR_RUNTIME names an argument that is missing. The number of work-groups
 * follows from the kernel's grid; clup_prepared_launch_groups launches groups work-groups of items
 * work-items instead. */
clup_status clup_prepared_launch(clup_prepared *prepared, unsigned kernel, const clup_arg *given);
clup_status clup_prepared_launch_groups(clup_prepared *prepared, unsigned kernel, uint64_t groups,
                                        size_t items, const clup_arg *given);
/* For tests, called before a sweep: fills buffers that a sweep must write before it reads them with
 * the byte of CLUP_POISON, in the queue. Fills the scratch buffers of all prepared stages of the
 * state, except those that are kept, and the device buffers that they write, except the spins of a
 * simulation and counters. Does nothing where CLUP_POISON is not set. */
clup_status clup_prepared_poison_all(clup_state *state);
#define CLUP_WITH(...) ((const clup_arg[]){__VA_ARGS__, {0, NULL, NULL}})
/* Returns how many iterations the last run took, including the one that changed nothing: of local
 * labelling, passes over a tile, as a mean over tiles; of label relaxation, iterations. NAN for a
 * variant that is not iterative. */
clup_status clup_prepared_iterations(clup_prepared *prepared, double *mean);

#endif
