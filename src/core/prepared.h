/* SPDX-License-Identifier: BSD-3-Clause */
/* The mechanism of every stage: a table of rows, each one way to do the stage, and a pass, which is
 * a row made ready for one state and tile. Row NAME of a stage is the file cl/<stage>_NAME.cl. */
#ifndef CLUP_CORE_PREPARED_H
#define CLUP_CORE_PREPARED_H
#include "core/host.h"
#include "core/state.h"

#define CLUP_PREPARED_KERNELS 7
#define CLUP_PREPARED_SCRATCH 4
#define CLUP_KERNEL_ARGS 14

/* Models of rows, see clup_variant; percolation of both kinds, and whatever model sets bonds in
 * words. */
#define CLUP_ON(model) (1u << (model))
#define CLUP_ON_PERCOLATION (CLUP_ON(CLUP_BOND_PERCOLATION) | CLUP_ON(CLUP_SITE_PERCOLATION))
#define CLUP_ON_ALL (CLUP_ON(CLUP_MODELS) - 1)

/* Sizes of the work-groups that do not depend on the tile: one work-item a word, one a site,
 * counting. Powers of two: 64, 128 and 256, or what the device has. */
size_t clup_word_items(const clup_context *context);
size_t clup_site_items(const clup_context *context);
size_t clup_measure_items(const clup_context *context);

/* How the time of a row grows with size and tile, for estimates on a device where nothing was
 * measured: the paper's formulas (src/plan/estimate.c has them) and one of ours. */
typedef enum clup_growth {
    CLUP_GROWTH_UNKNOWN,
    CLUP_GROWTH_SITES,     /* work on each site by itself */
    CLUP_GROWTH_COLUMNS,   /* the same by work-items that wait for each other */
    CLUP_GROWTH_SERIAL,    /* one work-item a tile */
    CLUP_GROWTH_THREADS,   /* the same, on devices whose work-items are threads; not known on
                              others */
    CLUP_GROWTH_SELFLABEL, /* passes over a tile */
    CLUP_GROWTH_SEW,       /* hierarchical sewing */
    CLUP_GROWTH_RELAX,     /* iterations over the edges of tiles */
    CLUP_GROWTH_UNION,     /* work on each seam bond, and on each site */
    CLUP_GROWTH_RUNS,      /* work on each site, in as many groups as local memory holds */
    CLUP_GROWTH_RESIDENT   /* work on each site, a group for each replica */
} clup_growth;

/* The work-groups of a kernel's launch. Those that have tiles are as large as items or group_items
 * of their row, and have group_tiles of it. */
typedef enum clup_grid {
    CLUP_GRID_TILES,         /* groups that have all tiles */
    CLUP_GRID_WORDS,         /* a work-item for each word of 32 sites, clup_word_items() a group */
    CLUP_GRID_SITES,         /* one for each site, clup_site_items() a group, here and below */
    CLUP_GRID_WORD_SITES,    /* one for each site of the words */
    CLUP_GRID_WORD_COLUMNS,  /* a group for the words of 32 rows one below the other, see
                                word_sites.clh */
    CLUP_GRID_COUNTERS,      /* clup_measure_groups() of clup_measure_items() */
    CLUP_GRID_TILE_COUNTERS, /* a group of clup_measure_items() for each tile */
    CLUP_GRID_GIVEN          /* what run of the row says */
} clup_grid;

/* An argument of a kernel: what it is, which is bound by its name when the kernel is launched, and,
 * of a buffer, what is done with it. */
typedef enum clup_bound {
    CLUP_BIND_END, /* of the list of arguments */
#define BIND(NAME, OF, FIELD) CLUP_BIND_##NAME,
#include "core/bind.def"
    CLUP_BIND_GIVEN, /* what run of the row gives, by its name */
} clup_bound;
typedef struct clup_bind {
    unsigned char what; /* clup_bound */
    unsigned char use;  /* CLUP_READS | CLUP_WRITES; 0 of a number */
    const char *name;   /* of what is given */
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

/* A kernel of a row. */
typedef struct clup_variant_kernel {
    const char *file, *entry; /* a file of cl/ without ".cl", and a kernel of it; none stands for
                                 <stage>_<row> in its own file */
    clup_grid grid;
    clup_bind args[CLUP_KERNEL_ARGS];
} clup_variant_kernel;

struct clup_variant {
    const char *name;
    const char *about; /* one line for people */
    clup_stage stage;
    clup_variant_kernel kernels[CLUP_PREPARED_KERNELS];
    /* what it does, on the host; of local labelling, what it and consolidation do; NULL where
     * another row of the stage does the same */
    clup_serial *serial;
    /* what it can do */
    unsigned models;          /* bit m: it works on model m; 0 for the Potts model alone */
    clup_algorithm algorithm; /* of an action on the Potts model: the one it belongs to */
    const char *spins, *bonds, *labels; /* how they must be kept, see clup_layout; NULL for any way,
                                           with the stores that its kernels name */
    unsigned q_max;                     /* most states; 0 for any number */
    uint64_t sites_max;                 /* most sites; 0 for any number */
    bool philox;                        /* it draws, and with Philox alone */
    bool square;                        /* it works on the square lattice alone */
    unsigned axes;     /* it works on lattices with so many axes alone; 0 for any */
    bool replicas;     /* it works on several systems at once */
    bool parts;        /* of an action: it works on parts of lattices, see seams.clh */
    bool counts_spins; /* where there are FEW_STATES or less, for the state's spins_counted */
    bool across;       /* of measuring: it is for lattices with periodic axes alone */
    uint32_t group;    /* of measuring: what it adds to records (record.clh), a bit of their format;
                          0 for the rest of them */
    /* what besides is in the way, such as "is for ...", or NULL; NULL for nothing */
    const char *(*unfit)(const clup_setting *setting);
    /* random streams it needs of a generator with state; NULL for none */
    uint64_t (*streams)(const lattice_args *lattice);
    /* a row with tiles of its own puts their size here; NULL for the plan's */
    void (*shape)(const lattice_args *lattice, unsigned tile[3]);
    /* it is for devices whose groups have at most so many work-items, which others do not; 0 for
     * any device */
    size_t group_limit;
    /* work-items of a group and its local memory for a tile; NULL where the row does not depend on
     * it */
    size_t (*items)(const unsigned tile[3]);
    unsigned group_tiles; /* tiles of a group, fewer where the device has no room for them:
                             GROUP_TILES in its kernels; 0 for one */
    uint64_t (*local_bytes)(const lattice_args *lattice, const unsigned tile[3], unsigned q);
    /* work-items of the largest group of its kernels where that is not the one of items */
    size_t (*most_items)(const unsigned tile[3]);
    /* work-items of its groups where that depends on other things: GROUP_ITEMS in its kernels */
    size_t (*group_items)(const clup_prepared *prepared);
    /* what a work-item of its kernels has on a GPU at most, which tests look at: registers, and
     * bytes of memory for what does not fit them; 0 for 128 registers, and for no such memory */
    unsigned registers_max, private_bytes_max;
    uint64_t tile_sites_max; /* most sites of a tile; 0 for any number */
    unsigned tile_step;      /* a tile's edge is a multiple of it */
    unsigned tile_x; /* of local labelling: the width of its tiles, the edge being the other axes';
                        0 for as wide as high */
    /* bytes of its own buffers, whose contents nobody may rely on before its kernels, or what
     * they call, have written them in the same sweep; */
    uint64_t (*scratch)(const clup_prepared *prepared, unsigned which);
    unsigned kept; /* but those of them, bit k for buffer k, that begin as zeros and keep what is
                      written from one sweep to the next; */
    uint32_t kept_buffers; /* and the stores, bit s for store s, that do */
    const char *buffers;   /* what they are called when they do not fit; NULL for "work buffers" */
    clup_growth growth;
    double cost; /* the formula's constant, ns */
    /* enqueues the stage's share of a sweep. CLUP_INTERRUPTED leaves the spins as they were, and
     * all else so that a sweep can begin: launches after the one that changes spins are made while
     * the watch is held. NULL for a row whose kernels are all launched, one after the other */
    clup_status (*run)(clup_prepared *prepared);
    /* of an action that is the whole sweep: enqueues count sweeps, and that records are
     * written of those that the state's measuring says, or none for NULL. *done are those that are
     * enqueued, fewer when it fails. NULL for a row that does one sweep at a time and leaves
     * measuring to others */
    clup_status (*run_many)(clup_prepared *prepared, unsigned count, cl_mem records,
                            unsigned *done);
    /* of an iterative row: how many iterations the last run took, the mean over tiles where they
     * differ */
    clup_status (*iterations)(clup_prepared *prepared, double *mean);
};

struct clup_prepared {
    const clup_variant *variant;
    clup_state *state;
    clup_prepared *next; /* of the state's */
    unsigned tile[3];
    uint64_t tiles;       /* in the lattice */
    cl_uint tiles_bound;  /* the same for kernels that take it */
    unsigned group_tiles; /* of a work-group */
    clup_kernel kernels[CLUP_PREPARED_KERNELS];
    cl_mem scratch[CLUP_PREPARED_SCRATCH];
    uint64_t scratch_bytes[CLUP_PREPARED_SCRATCH];
    unsigned iterations; /* of label relaxation: how many it took last */
    double sweep_s;      /* of a variant with run_many: what a sweep took when it was timed last, 0
                            when not known, */
    unsigned timed;      /* and how often it was */
};

typedef struct clup_table {
    const clup_variant *variants;
    size_t count;
} clup_table;

/* The row of that name, or NULL. */
const clup_variant *clup_table_find(const clup_table *table, const char *name);
/* What a row is asked to work on. */
struct clup_setting {
    lattice_args lattice;
    unsigned q;
    clup_algorithm algorithm;
    const clup_layout *layout;
    const clup_generator *rng;
    unsigned tile[3];  /* the plan's */
    uint32_t replicas; /* 0 stands for 1 */
    clup_model model;
    const clup_label_problem *image; /* of the model image */
    bool of_part;                    /* the lattice is a part of one, whatever the context says */
};

/* Whether the variant works on a model, and with a layout; and the one layout that it works with,
 * NULL for several. */
bool clup_variant_is_for(const clup_variant *variant, clup_model model);
bool clup_variant_suits(const clup_variant *variant, const clup_layout *layout);
const clup_layout *clup_variant_layout(const clup_variant *variant);
/* The stores that a kernel, and that all kernels of a variant, read or write, see CLUP_READS: bit s
 * for store s. */
uint32_t clup_kernel_stores(const clup_variant_kernel *kernel, unsigned use);
uint32_t clup_variant_stores(const clup_variant *variant);
/* The tile of a plan with an edge, as the variant of local labelling wants it; NULL for none. */
void clup_variant_tile(const clup_variant *local, const lattice_args *lattice, unsigned edge,
                       unsigned tile[3]);
/* The file of cl/ and the kernel in it that kernel k of a variant is; false past the last. */
#define CLUP_NAME_MOST 96
bool clup_variant_kernel_names(const clup_variant *variant, unsigned k, char file[CLUP_NAME_MOST],
                               char entry[CLUP_NAME_MOST]);
/* Whether the variant can do that on the device; CLUP_ERROR_USAGE with the reason when not. With
 * context NULL, on some device. */
clup_status clup_variant_check(const clup_variant *variant, const clup_context *context,
                               const clup_setting *setting);
/* The same; of what is checked, from what the variant is for to what the device has, passed were
 * well. Of several rows that cannot do it, the one with the most says best why. */
clup_status clup_variant_check_steps(const clup_variant *variant, const clup_context *context,
                                     const clup_setting *setting, unsigned *passed);
/* Adds what the scratch buffers take, and the stores that the state has not yet; no kernel is
 * built. */
void clup_prepared_need(const clup_variant *variant, clup_state *state, const unsigned tile[3],
                        clup_need *need);
/* The work-items of a group that has tiles, and the work-groups that have all. */
size_t clup_prepared_items(const clup_prepared *prepared);
uint64_t clup_prepared_groups(const clup_prepared *prepared);
/* Work-groups that count spins and clusters, enough for any device and few enough to add up
 * quickly. */
uint64_t clup_measure_groups(const clup_state *state);
/* Builds the kernels and makes the scratch buffers, and the stores that the state has not yet. */
clup_status clup_prepared_create(const clup_variant *variant, clup_state *state,
                                 const unsigned tile[3], clup_prepared *prepared);
void clup_prepared_clear(clup_prepared *prepared);
/* Enqueues the stage's share of a sweep: by the variant's run, or each of its kernels. */
clup_status clup_prepared_run(clup_prepared *prepared);
/* Enqueues one of the variant's kernels. given has the arguments that the variant marks as
 * GIVEN(name), in any order: CLUP_WITH(CLUP_ARG(name), CLUP_ARG_AS(name, variable), ..); NULL where
 * there are none. CLUP_ERROR_RUNTIME names one that is missing. The work-groups are those of the
 * kernel's grid, or groups of items work-items. */
clup_status clup_prepared_launch(clup_prepared *prepared, unsigned kernel, const clup_arg *given);
clup_status clup_prepared_launch_groups(clup_prepared *prepared, unsigned kernel, uint64_t groups,
                                        size_t items, const clup_arg *given);
/* Before a sweep: fills what it must write before it reads it with the byte of CLUP_POISON, in the
 * queue. That is the scratch of all passes of the state that is not kept, and the stores that they
 * write, but for the spins of a simulation and counters. Does nothing without CLUP_POISON. */
clup_status clup_prepared_poison_all(clup_state *state);
#define CLUP_WITH(...) ((const clup_arg[]){__VA_ARGS__, {0, NULL, NULL}})
/* How many iterations the last run took, with the one that changed nothing: passes of local
 * labelling, the mean over tiles, or iterations of relaxation; NAN for what is not iterative. */
clup_status clup_prepared_iterations(clup_prepared *prepared, double *mean);

#endif
