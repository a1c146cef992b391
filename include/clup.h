/* clup: clusters of a lattice on any OpenCL device.
 *
 * The one public header. Every function that can fail returns a clup_status; what went wrong, with
 * the offending value, is the text of clup_error_detail(), kept for each thread until its next
 * failure. Objects are opaque or plain structs; what a function creates is released with the
 * matching _free, which accepts NULL. Elsewhere a NULL, and a struct of zeros, is CLUP_ERROR_USAGE
 * unless the function's text gives it a meaning; the detail names the argument. Functions without a
 * status return NULL or 0 for a NULL object and for a number past the end. Functions may be called
 * by several threads at once, from the first call on: the library lists platforms and makes
 * contexts for one at a time, since not all drivers bear it otherwise. A program that calls OpenCL
 * itself has made its own first calls before it starts such threads. An object may be used by one
 * thread at a time; different objects are independent, except that simulations sharing a context
 * must not run at the same time. In a process that was forked from one in which the library had
 * used OpenCL, what needs a device is CLUP_ERROR_RUNTIME at once: spawn processes, or fork them
 * before.
 *
 * Structs grow within the room of their field "reserved": as long as the name stays by which
 * programs load the library, such as libclup.so.0, sizes, places of fields and lengths of arrays
 * do. In what a caller passes, reserved is zero, as it is after {0} and where other fields are
 * named; else it is taken for a field of a later version, which this one cannot heed, and refused:
 * CLUP_ERROR_USAGE. In what the library fills it is zero. A field that a later version puts there
 * says with zero what was so before. Structs without it are parts of others, and stay, or are read
 * through pointers of the library's alone, and grow at their ends: copy their fields, not the
 * whole. */
#ifndef CLUP_H
#define CLUP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CLUP_API __attribute__((visibility("default")))
#else
#define CLUP_API
#endif

/* ---- status ---------------------------------------------------------------------------------- */

/* Also the exit codes of the program. */
typedef enum clup_status {
    CLUP_OK = 0,              /* all went well */
    CLUP_ERROR_RUNTIME = 1,   /* an OpenCL command, a file or the system failed */
    CLUP_ERROR_USAGE = 2,     /* an argument is not valid; the detail names it and its value */
    CLUP_ERROR_NO_DEVICE = 3, /* no OpenCL platform, or no device that matches the selector */
    CLUP_ERROR_BUILD = 4,     /* a kernel did not compile; the detail holds the build log */
    CLUP_ERROR_MEMORY = 5,    /* host or device memory, or the device's largest allocation, is too
                                 small */
    CLUP_ERROR_VERIFY = 6,    /* a result failed its verification */
    CLUP_INTERRUPTED = 130 /* the caller's watch or progress function has ended the work; the detail
                              says how far it was */
} clup_status;

/* The status in words; never NULL. */
CLUP_API const char *clup_status_text(clup_status status);
/* What the last failure of this thread was about; never NULL, valid until the next failure. */
CLUP_API const char *clup_error_detail(void);
/* Writes number to text[32] as printf's %g does, with as many digits as it takes to read back as
 * the same number, such as "0.1", "1.0000001", "inf" and "nan"; returns text, which may be NULL. */
CLUP_API const char *clup_number_text(double number, char text[32]);
/* The version of the library, such as "0.1.0". */
CLUP_API const char *clup_version(void);

/* ---- watching and ending long work ----------------------------------------------------------- */

/* What is being done. */
typedef struct clup_task {
    const char *what, *unit; /* such as "measure" and "sweeps"; static, NULL for nothing in
                                particular */
    uint64_t done, total;    /* units; total is 0 where it is not known */
} clup_task;

/* A non-zero return ends the work. It is asked often, and must be quick; it must not call the
 * library. */
typedef int clup_watch(const clup_task *task, void *user);

/* Sets the watch of the calling thread; NULL is none. Whatever the thread then calls asks it before
 * each kernel is built or launched, and in long work on the host. When it ends the work, the call
 * returns CLUP_INTERRUPTED after the kernel that is running: the host stays no more than some 0.2 s
 * of kernels ahead of the device. Only what must not be left half done is finished, such as a sweep
 * that has begun to change spins. What is complete is kept: sweeps of a simulation, samples of
 * percolation, and where a function says so what was measured; objects remain usable, and the same
 * call may be made again. clup_labelling_enqueue, which does not wait, is not ended. */
CLUP_API void clup_set_watch(clup_watch *watch, void *user);

/* ---- devices --------------------------------------------------------------------------------- */

/* A device as found. Strings belong to the list or context it came from; "" where not known. */
typedef struct clup_device_info {
    unsigned platform_index, device_index; /* the P:D of a selector */
    const char *name, *platform, *vendor, *driver;
    const char *type; /* "gpu", "accelerator", "cpu" or "other"; "host" for the serial reference */
    const char *uuid; /* 32 hexadecimal digits */
    const char *pci;  /* domain:bus:device.function */
    unsigned compute_units;
    uint64_t local_mem_bytes;
    const char *error; /* the first query that failed, for which no context can be made, such as
                          "clGetDeviceInfo(CL_DEVICE_NAME): CL_OUT_OF_RESOURCES (-5)" */
} clup_device_info;

typedef struct clup_device_list clup_device_list;

/* All devices of all platforms, in the loader's order. CLUP_ERROR_NO_DEVICE when there is no
 * platform or no device; the detail names the platforms, and says what to install. */
CLUP_API clup_status clup_device_list_create(clup_device_list **out);
CLUP_API void clup_device_list_free(clup_device_list *list);
CLUP_API size_t clup_device_count(const clup_device_list *list);
CLUP_API const clup_device_info *clup_device_get(const clup_device_list *list, size_t device);
/* A platform as found; strings belong to the list. */
typedef struct clup_platform_info {
    const char *name, *vendor, *version;
    size_t devices;    /* may be 0 */
    const char *error; /* why it does not tell its devices, "" for nothing */
} clup_platform_info;

/* The platforms; the number of one is the P of a selector. */
CLUP_API size_t clup_platform_count(const clup_device_list *list);
CLUP_API const clup_platform_info *clup_platform_get(const clup_device_list *list, size_t platform);
/* Index of the device that selector picks: "P:D", "gpu", "cpu", "accelerator", a UUID, a PCI
 * address, or part of a device's or platform's name, compared without case. NULL or "" takes
 * CLUP_DEVICE from the environment and without it the first GPU, else the first accelerator, else
 * the first CPU. CLUP_ERROR_NO_DEVICE when nothing matches. */
CLUP_API clup_status clup_device_find(const clup_device_list *list, const char *selector,
                                      size_t *device);

typedef enum clup_value_kind {
    CLUP_VALUE_NONE,
    CLUP_VALUE_TEXT,
    CLUP_VALUE_NUMBER,
    CLUP_VALUE_LIST,
    CLUP_VALUE_FLAG
} clup_value_kind;

/* One property of a device, from the library's table of properties. */
typedef struct clup_property {
    const char *key;   /* a name for programs, such as "max_work_group_size" */
    const char *label; /* a name for people */
    const char *unit;  /* "B", "MHz", ...; "" for none */
    clup_value_kind kind;
    char text[256];     /* CLUP_VALUE_TEXT */
    uint64_t number[8]; /* NUMBER and FLAG in number[0], LIST in number[0..count-1] */
    unsigned count;
    uint64_t reserved[4];
} clup_property;

/* How many properties the table has. */
CLUP_API size_t clup_property_count(void);
/* Property row of a device; kind CLUP_VALUE_NONE when it does not apply to that device, with key
 * NULL when there is no such row or device. CLUP_ERROR_MEMORY when there is none to ask the device
 * with, else CLUP_OK. */
CLUP_API clup_status clup_device_property(const clup_device_list *list, size_t device, size_t row,
                                          clup_property *property);

/* ---- context --------------------------------------------------------------------------------- */

typedef struct clup_context clup_context;

/* A context and an in-order queue on the device that selector picks, see clup_device_find. Of a
 * device that has an error, that is the status, here and below. */
CLUP_API clup_status clup_context_create(const char *selector, clup_context **context);
/* The same with an OpenCL context, device and in-order queue of the caller's (cl_context,
 * cl_device_id, cl_command_queue), which are retained until clup_context_free. CLUP_ERROR_USAGE for
 * a queue of another context or device, or one that executes out of order. Device times need a
 * queue with CL_QUEUE_PROFILING_ENABLE. */
struct _cl_context;
struct _cl_device_id;
struct _cl_command_queue;
CLUP_API clup_status clup_context_adopt(struct _cl_context *handle, struct _cl_device_id *device,
                                        struct _cl_command_queue *queue, clup_context **context);
CLUP_API void clup_context_free(clup_context *context);
CLUP_API const clup_device_info *clup_context_device(const clup_context *context);
/* What the user should know, such as a folder that built kernels are not kept in, for it is not the
 * user's alone, or the warning of the plan by which an image was labelled last; "" for nothing. */
CLUP_API const char *clup_context_warning(const clup_context *context);

/* Several processes that simulate one lattice, each a part of it: what a process needs of the
 * others. Each calls the same functions of the library with the same arguments in the same order,
 * and these call the functions here, which are made by who knows the processes: clup_mpi.h has them
 * for MPI. With a status other than CLUP_OK the simulation ends with it. */
typedef struct clup_ranks clup_ranks;
struct clup_ranks {
    uint32_t index, count; /* of this process, from 0 on, and how many there are */
    void *own;             /* whatever the functions need */
    /* all[count*bytes]: what each process gives, mine[bytes], by its index, where mine may be */
    clup_status (*gather)(const clup_ranks *ranks, const void *mine, size_t bytes, void *all);
    /* each of values[count] becomes the sum of those of all processes, or the smallest one */
    clup_status (*sum)(const clup_ranks *ranks, uint64_t *values, size_t count);
    clup_status (*least)(const clup_ranks *ranks, uint64_t *values, size_t count);
    /* gives mine[bytes] to process number to, and gets theirs[bytes] from number from, which calls
     * it as well; CLUP_NOBODY for none. Of no bytes, here and of gather, comes that they are
     * there */
    clup_status (*exchange)(const clup_ranks *ranks, uint32_t to, const void *mine, uint32_t from,
                            void *theirs, size_t bytes);
    /* writes a file together, all or nothing: head[head_bytes], which is the same in all, and then
     * mine[bytes] of each process by its index; NULL where they do not. why becomes what is wrong
     * when it fails, in all of them */
    clup_status (*write)(const clup_ranks *ranks, const char *path, const void *head,
                         size_t head_bytes, const void *mine, size_t bytes, char *why);
    /* memory[bytes] that all processes see, at whatever addresses, its first byte that of a page;
     * NULL where there is none, in all of them. And given back, which no process waits for. Both
     * are NULL where they have none at all */
    void *(*share)(const clup_ranks *ranks, size_t bytes);
    void (*give_back)(const clup_ranks *ranks, void *memory);
    uint64_t reserved[4];
};
#define CLUP_NOBODY UINT32_MAX
#define CLUP_WHY 256 /* characters of why, and a zero */

/* From now on simulations of the context are of all these processes together; spins, observables
 * and series are those of the whole in each of them, the same as one process finds, bit for bit.
 * Where there are as many systems (replicas) as processes or more, each has some of them on its
 * device. Else each has a part of the lattice of every system: lattices are cut across the slowest
 * axis, y in the plane, else z, and a process has part number ranks->index, of at least one layer,
 * and a copy of the layer after it; that is for Swendsen-Wang with Philox, and energy,
 * magnetisation and the sizes of clusters, and for percolation. clup_simulation_save and
 * clup_simulation_write_spins write their file in process 0. Of an image each process has a part of
 * the layers, without a copy: clup_label_image is of all together, clup_labelling_create
 * CLUP_ERROR_USAGE. NULL for none, as at first. ranks is kept, not copied. */
CLUP_API clup_status clup_context_join(clup_context *context, const clup_ranks *ranks);

/* ---- problem --------------------------------------------------------------------------------- */

/* Lattices, by the neighbours ahead that each site has a bond to. */
typedef enum clup_lattice_kind {
    CLUP_LATTICE_SQUARE,     /* "square": (x+1, y), (x, y+1) */
    CLUP_LATTICE_TRIANGULAR, /* "triangular": (x+1, y), (x, y+1), (x-1, y+1) */
    CLUP_LATTICE_CUBIC,      /* "cubic": (x+1, y, z), (x, y+1, z), (x, y, z+1) */
    CLUP_LATTICE_SQUARE_8,   /* "square-8": the square one with its diagonals, 8 neighbours */
    CLUP_LATTICE_CUBIC_18,   /* "cubic-18": the cubic one with the diagonals of its faces */
    CLUP_LATTICE_CUBIC_26,   /* "cubic-26": with those of its cubes as well */
    CLUP_LATTICES
} clup_lattice_kind;

/* The name of a lattice, and how many axes it has, 2 or 3; NULL and 0 past the end. */
CLUP_API const char *clup_lattice_name(clup_lattice_kind lattice);
CLUP_API unsigned clup_lattice_axes(clup_lattice_kind lattice);

/* What is decided on a lattice. */
typedef enum clup_model {
    CLUP_POTTS,            /* "Potts": spins and Fortuin-Kasteleyn bonds, simulated by sweeps */
    CLUP_BOND_PERCOLATION, /* "bond percolation": every bond is active with probability p */
    CLUP_SITE_PERCOLATION, /* "site percolation": every site is occupied with probability p; bonds
                              join occupied neighbours */
    CLUP_IMAGE, /* "image": pixels that match are joined. clup_labelling_create labels; plans are
                   chosen, explained and measured as for the others */
    CLUP_MODELS
} clup_model;

/* The name of a model; NULL past the end. */
CLUP_API const char *clup_model_name(clup_model model);

typedef enum clup_start { CLUP_START_ORDERED, CLUP_START_RANDOM } clup_start;

/* A Potts model, H = -sum over bonds of delta(s_i, s_j), or percolation.
 * Site i = x + size[0]*(y + size[1]*z). Each site has one bond to each of its lattice's neighbours
 * ahead; past the last site of an open axis (before its first, for a step back) there is none, and
 * a periodic axis goes on at the other end. So on a periodic axis of size 1 a bond along it joins a
 * site with itself (it is always satisfied and changes nothing but adds -1 a site to H), and on one
 * of size 2 each pair along it is joined by two bonds.
 * A device has at most 2^32 - 2 sites, or 2^35 of a Potts model with "border" bonds; the lattice,
 * parts of which devices of several processes may have, 2^48, and of the cubic ones less than 2^32
 * along y and z. Others than Potts models have at most 2^32 - 2 sites. */
typedef struct clup_problem {
    clup_lattice_kind lattice;
    uint32_t size[3]; /* sites along x, y and z, each >= 1; in the plane z may be 0, for 1, and is
                         nothing else */
    int periodic[3]; /* each axis: periodic when non-zero; in the plane that of z does not matter */
    unsigned q;      /* states, 2 to 256 */
    double beta;     /* J/(k_B T) >= 0; infinity is the ground state */
    uint32_t replicas; /* independent systems, 1 to 65535, simulated in the same launches; 0 stands
                          for 1 */
    const double *betas; /* betas[replicas] in place of beta; NULL when all have beta */
    clup_model model;    /* percolation has no q, beta and betas, and its replicas are samples, see
                            clup_percolation_create */
    const struct clup_label_problem *image; /* of the model image: what is labelled, which says all;
                                               the other fields do not count. It must live as long
                                               as what is made with the problem */
    uint32_t first_replica; /* the number of the first replica; the last one's is at most 65535.
                               Replicas of the same seed and number have the same random numbers,
                               whatever is simulated beside them; those of any other seed or number
                               have none in common */
    uint64_t reserved[8];
} clup_problem;

/* CLUP_ERROR_USAGE names the first field that is out of range. */
CLUP_API clup_status clup_problem_check(const clup_problem *problem);
/* What a field of a problem is a part of, a bit each. */
typedef enum clup_field_part {
    CLUP_FIELD_LAW = 1,      /* what is decided on the lattice, but for its size */
    CLUP_FIELD_SIZE = 2,     /* the size of the lattice */
    CLUP_FIELD_REPLICAS = 4, /* how many systems there are */
    CLUP_FIELD_NUMBERS = 8,  /* which random numbers these have */
    CLUP_FIELD_ALL = 15
} clup_field_part;

/* How the values of a field are written. */
typedef enum clup_field_kind {
    CLUP_FIELD_IS_NAME,  /* one of some names */
    CLUP_FIELD_IS_SIZE,  /* a number for each axis, "64x32" */
    CLUP_FIELD_IS_AXES,  /* the axes for which it holds, "xy", or "" */
    CLUP_FIELD_IS_WHOLE, /* a whole number, in digits */
    CLUP_FIELD_IS_NUMBER /* a number, as clup_number_text writes it */
} clup_field_kind;

/* A field of a problem, from the library's table: what files of series, checkpoints, JSON, options
 * and job files have of it. */
typedef struct clup_field {
    const char *key;          /* in files and JSON, such as "first_replica" */
    const char *option;       /* of the program, and key of job files, such as "first-replica";
                                 NULL for none */
    const char *argument;     /* stands for its value in the option's help; NULL for none */
    const char *about, *unit; /* what it is, in one line; "" for no unit */
    const char *initial;      /* its text where nothing is said; NULL where that depends on
                                 other fields */
    clup_field_part part;
    clup_field_kind kind;
    unsigned models;    /* bit m: clup_model m has the field */
    double least, most; /* of whole numbers and numbers */
} clup_field;

/* Bytes of the text of a field, with its zero. */
#define CLUP_FIELD_TEXT 64
/* The field number row, static; NULL past the end. */
CLUP_API const clup_field *clup_problem_field(size_t row);
/* Writes the value of a field to text[CLUP_FIELD_TEXT]. CLUP_ERROR_USAGE for a key that no field
 * has. */
CLUP_API clup_status clup_problem_get(const clup_problem *problem, const char *key,
                                      char text[CLUP_FIELD_TEXT]);
/* Sets a field to the value that text says. The size and the periodic axes are those of the
 * problem's lattice, which is to be set before. CLUP_ERROR_USAGE for a key that no field has, a
 * text that is no value of the field, and a number out of its range; the problem stays as it
 * was. */
CLUP_API clup_status clup_problem_set(clup_problem *problem, const char *key, const char *text);
/* CLUP_OK where two problems agree in all fields of these parts, CLUP_FIELD_.. together;
 * CLUP_ERROR_USAGE names the first field in which they differ, with its values. Temperatures are no
 * fields. */
CLUP_API clup_status clup_problem_compare(const clup_problem *a, const clup_problem *b,
                                          unsigned parts);
/* Sites of a problem that has been checked, those of one replica; 0 for NULL, for zeros and for an
 * unknown lattice. */
CLUP_API uint64_t clup_problem_sites(const clup_problem *problem);
/* Critical inverse temperature of the infinite lattice; NAN where it is not known. Square: ln(1 +
 * sqrt q). Triangular: v^3 + 3 v^2 = q with v = e^beta - 1 (both F. Y. Wu, Rev. Mod. Phys. 54, 235
 * (1982)). Cubic: q = 2 alone, 2 x 0.221654626 (A. M. Ferrenberg, J. Xu and D. P. Landau, Phys.
 * Rev. E 97, 043301 (2018)). */
CLUP_API double clup_critical_beta(clup_lattice_kind lattice, unsigned q);
/* Critical probability of percolation on the infinite lattice; NAN where it is not known, and for
 * the Potts model. Square and triangular bonds, 1/2 and 2 sin(pi/18), and triangular sites, 1/2:
 * exact (M. F. Sykes and J. W. Essam, J. Math. Phys. 5, 1117 (1964)). Square sites, 0.59274605: J.
 * L. Jacobsen, J. Phys. A 48, 454003 (2015). Cubic bonds, 0.24881182, and sites, 0.31160768: J.
 * Wang et al., Phys. Rev. E 87, 052107 (2013); X. Xu et al., Front. Phys. 9, 113 (2014). Sites of
 * square-8, which matches the square lattice: 1 less that of its sites. */
CLUP_API double clup_critical_p(clup_lattice_kind lattice, clup_model model);
/* Exact internal energy <H>/N and specific heat of the q = 2 model on an nx x ny torus at 0.001 <=
 * beta <= 20 (Kaufman 1949; Ferdinand and Fisher, Phys. Rev. 185, 832 (1969)), square lattice.
 * CLUP_ERROR_USAGE for any other problem. */
CLUP_API clup_status clup_exact_ising(const clup_problem *problem, double *energy,
                                      double *specific_heat);

/* ---- method ---------------------------------------------------------------------------------- */

/* How spins are updated. Each sweep starts from the clusters of the Fortuin-Kasteleyn bonds. */
typedef enum clup_algorithm {
    CLUP_SWENDSEN_WANG, /* "sw": every cluster takes a spin drawn afresh (Swendsen and Wang 1987) */
    CLUP_WOLFF, /* "wolff": the cluster of a random site takes one of the other q-1 spins (Wolff
                   1989) */
    CLUP_FEW_CLUSTER, /* "few-cluster": so do, with a probability, the clusters of one random site
                         in each of S x S parts of the lattice, which are grown without labelling
                         the rest (Weigel 2011) */
    CLUP_ALGORITHMS
} clup_algorithm;

/* The Markov chain that is run. All zeros is Swendsen-Wang with Philox. */
typedef struct clup_method {
    clup_algorithm algorithm;
    const char *rng;         /* generator of random numbers, see clup_rng_name; NULL for "philox" */
    unsigned seeds_per_side; /* of few-cluster, on the square lattice alone: S, 1 to the shorter
                                axis */
    double p_flip;           /* of few-cluster: between 0 and 1, both excluded */
    uint64_t reserved[8];
} clup_method;
/* A method that is NULL is all zeros, here and below. */

/* Names of algorithms and of generators of random numbers, and what they are; NULL past the end. */
CLUP_API const char *clup_algorithm_name(clup_algorithm algorithm);
CLUP_API const char *clup_rng_name(size_t row);
CLUP_API const char *clup_rng_about(size_t row);

/* ---- plan ------------------------------------------------------------------------------------ */

typedef enum clup_stage {
    CLUP_SOURCE,
    CLUP_LOCAL,
    CLUP_CONSOLIDATE,
    CLUP_ACTION,
    CLUP_MEASURE,
    CLUP_STAGES
} clup_stage;

/* The name of a stage, and of the rows of its table; NULL past the end. */
CLUP_API const char *clup_stage_name(clup_stage stage);
CLUP_API const char *clup_kernel_name(clup_stage stage, size_t row);
CLUP_API const char *clup_kernel_about(clup_stage stage, size_t row);
/* Whether the kernel's time depends on the plan's tile. */
CLUP_API int clup_kernel_has_tiles(clup_stage stage, size_t row);
/* What a kernel is for, and which plans can have it. */
typedef struct clup_kernel_scope {
    unsigned models;          /* bit m: the clup_model m */
    clup_algorithm algorithm; /* of an action on the Potts model: the one it belongs to */
    unsigned lattices;        /* bit k: the clup_lattice_kind k */
    const char *bonds;        /* the one layout it works on; NULL for several */
    unsigned q_max;           /* most states; 0 for any number */
    int philox;               /* it draws, and with that generator alone */
    int replicas;             /* it works on several systems at once */
    uint64_t reserved[4];
} clup_kernel_scope;

/* 0, and *scope untouched, past the end; 0 for NULL. */
CLUP_API int clup_kernel_scope_of(clup_stage stage, size_t row, clup_kernel_scope *scope);
/* The name of a layout, which says how spins, bonds and labels are kept; NULL past the end. */
CLUP_API const char *clup_layout_name(size_t layout);

/* How the planner decides what the caller leaves open. */
typedef enum clup_strategy {
    CLUP_PLAN_TUNED,    /* by times measured before: the user's tune database, else the shipped one,
                           else estimated */
    CLUP_PLAN_ESTIMATE, /* by the cost formulas, from the device's compute units alone */
    CLUP_PLAN_MEASURE,  /* by measuring now, on the problem at hand */
    CLUP_PLAN_RANDOM,   /* any plan that is possible, drawn with seed */
    CLUP_STRATEGIES
} clup_strategy;

/* "tuned", "estimate", "measure", "random"; NULL past the end. */
CLUP_API const char *clup_strategy_name(clup_strategy strategy);

/* What the caller forces; NULL and 0 leave the choice to the planner. */
typedef struct clup_plan_request {
    const char *source, *local, *consolidate, *action; /* names of rows */
    const char *bonds;                                 /* layout, see clup_layout_name */
    unsigned tile; /* sites along a tile's edge; "runs" takes its tiles 32 wide, and so many sites
                      along the other axes */
    clup_strategy strategy;
    uint64_t seed;       /* of CLUP_PLAN_RANDOM */
    const char *between; /* what processes with parts of a lattice do together, see
                            clup_plan_between */
    uint64_t reserved[7];
} clup_plan_request;

#define CLUP_CHOSE_ROW(stage) (1u << (stage))
#define CLUP_CHOSE_BONDS (1u << CLUP_STAGES)
#define CLUP_CHOSE_TILE (2u << CLUP_STAGES)

/* One row of each table, for one device, problem and method. Names are static, and NULL for a stage
 * that the method does not have. */
typedef struct clup_plan {
    const char *source, *bonds, *local, *consolidate, *action;
    unsigned tile[3];    /* sites along x, y and z; z is 1 in the plane */
    double predicted_ps; /* of an update, a site and sweep; NAN where not known */
    unsigned chosen;     /* CLUP_CHOSE_..: what the planner chose, of which clup_simulation_create,
                            clup_percolation_create and clup_labelling_create may take another; 0
                            for nothing */
    char why[256];
    char warning[512]; /* what the user should know, such as a tune database that cannot be read; ""
                          for nothing */
    const char *between; /* what processes with parts of a lattice do together; NULL where there are
                            none */
    uint64_t reserved[7];
} clup_plan;

/* Chooses a plan; with context NULL it only checks names, and what holds on every device. request
 * NULL is all zeros, here and below. CLUP_ERROR_USAGE for an unknown name (the
 * detail lists the known ones), for kernels that cannot do what is asked, or a tile that does not
 * fit (the detail says what would). A tile that is asked for is the one that the plan has: kernels
 * with tiles of another size are not taken. Kernels that gave wrong results on the device, see
 * below, are taken when they are asked for by name alone; CLUP_ERROR_VERIFY when there
 * is no plan without them. */
CLUP_API clup_status clup_plan_choose(clup_context *context, const clup_problem *problem,
                                      const clup_method *method, const clup_plan_request *request,
                                      clup_plan *plan);

/* One way in which processes that have parts of a lattice find which clusters at their seams are
 * one, and what that costs in a sweep. */
typedef struct clup_between {
    const char *name, *about;
    int chosen;
    uint32_t rounds; /* of transfers; of "relax" those of a cluster that goes through all parts,
                        there may be fewer or more */
    uint64_t round_bytes, bytes; /* that come to process 0 in a round, and in all, without what
                                    clusters' sizes take where they are measured */
    double predicted_us;         /* from times that were measured on GPUs, see doc/processes.md */
    uint64_t reserved[4];
} clup_between;

/* The name of a row; NULL past the end. */
CLUP_API const char *clup_between_name(size_t row);

/* All of them for a problem in so many parts, of which the named one is taken, or for name NULL the
 * one with the least time: *count, none for one process, and the first most to rows.
 * CLUP_ERROR_USAGE for an unknown name, or more processes than layers. */
CLUP_API clup_status clup_plan_between(const clup_problem *problem, uint32_t processes,
                                       const char *name, size_t most, clup_between *rows,
                                       size_t *count);

/* One kernel of one stage in one layout and, where its time depends on it, with one tile. */
typedef struct clup_candidate {
    clup_stage stage;
    const char *kernel, *bonds;
    unsigned tile; /* 0 where it does not matter */
    int possible, chosen;
    int distrusted; /* it is not possible since it gave wrong results, see below */
    int stale;      /* it is predicted by times that were measured before its text was changed */
    double predicted_ps, measured_ps; /* a site and sweep; NAN where not known or not measured */
    char reason[192];                 /* why it was taken, or not, or is not possible */
} clup_candidate;

/* What the paper's two formulas say about the tile, for the constants given. */
typedef struct clup_tile_rule {
    double c_local_ps, dmin; /* C_local/(m n): a site of self-labelling costs this times B^dmin */
    double a_ps, b_ps, c_relax_ps;       /* of sewing, a/L + b/B; of relaxation, C_relax/(m n)
                                            L^dmin/B^(dmin+1) */
    double sew, relax;                   /* B_opt, Eqs. (24) and (26) */
    unsigned sew_limited, relax_limited; /* the nearest candidate tile on which self-labelling works
                                            on the device */
    const char *origin;                  /* where the constants are from */
} clup_tile_rule;

typedef struct clup_report clup_report;

/* A plan with all that was considered for it. With measure non-zero every candidate that is not
 * predicted to be far from the best is measured on the problem at hand (the plan remains the
 * strategy's). context NULL is as above. Strings live as long as the report. When measuring is
 * ended by CLUP_INTERRUPTED there is a report all the same, with what was measured; its plan is
 * then chosen by what is predicted. */
CLUP_API clup_status clup_report_create(clup_context *context, const clup_problem *problem,
                                        const clup_method *method, const clup_plan_request *request,
                                        int measure, clup_report **out);
CLUP_API void clup_report_free(clup_report *report);
CLUP_API const clup_plan *clup_report_plan(const clup_report *report);
CLUP_API size_t clup_report_count(const clup_report *report);
CLUP_API const clup_candidate *clup_report_candidate(const clup_report *report, size_t candidate);
CLUP_API const clup_tile_rule *clup_report_tile_rule(const clup_report *report);
/* A plan that was not taken. */
typedef struct clup_alternative {
    clup_plan plan;     /* why and warning are "" */
    double measured_ps; /* an update, a site and sweep; NAN unless all its kernels were measured */
    double ratio; /* its time over that of the report's plan, by what the strategy goes by; NAN
                     where one is not known */
    uint64_t reserved[4];
} clup_alternative;

/* The best plans after the report's, up to most and CLUP_ALTERNATIVES_MAX of them, the fastest
 * first, to best[]; returns how many; 0 for NULL. */
#define CLUP_ALTERNATIVES_MAX 100
CLUP_API size_t clup_report_alternatives(const clup_report *report, clup_alternative *best,
                                         size_t most);
/* The measured time of the plan and of the fastest combination of candidates, a site and sweep; NAN
 * unless measured. Either may be NULL. */
CLUP_API void clup_report_measured(const clup_report *report, double *plan_ps, double *best_ps);

/* ---- measuring kernels ----------------------------------------------------------------------- */

typedef struct clup_trial clup_trial;

/* A measured time of one kernel. */
typedef struct clup_sample {
    clup_stage stage;
    const char *kernel, *bonds; /* static */
    unsigned tile, size; /* tile 0 where it does not matter; the square root of the number of sites
                            of one system, rounded */
    double ps, wall_ps;  /* medians, a site: device events (the wall clock where those have no
                            times), wall clock */
    double spread; /* half the distance of the quartiles, relative to ps; NAN for one repetition */
    double iterations; /* of an iterative kernel; else NAN */
    unsigned repetitions;
    unsigned systems; /* that were there at once */
    int stale;        /* it was measured with another text of the kernel */
    uint32_t reserved[7];
} clup_sample;

/* A system near equilibrium, or an image of noise, on which single kernels are timed, each as often
 * as takes about so many seconds. */
CLUP_API clup_status clup_trial_create(clup_context *context, const clup_problem *problem,
                                       const clup_method *method, const char *bonds, double seconds,
                                       clup_trial **out);
CLUP_API void clup_trial_free(clup_trial *trial);
/* Times one kernel; tile is ignored where the kernel has its own. CLUP_ERROR_USAGE when it cannot
 * do it. */
CLUP_API clup_status clup_trial_time(clup_trial *trial, clup_stage stage, const char *kernel,
                                     unsigned tile, clup_sample *sample);

/* ---- measuring sweeps ------------------------------------------------------------------------ */

typedef struct clup_sweep_times {
    double device_s, spread; /* median over single sweeps by device events, NAN without them, and
                                half the distance of the quartiles over it */
    double wall_s; /* mean of sweeps that are enqueued one after the other, as in a simulation */
} clup_sweep_times;

/* Times of whole sweeps of a plan, seconds a sweep of all replicas. */
typedef struct clup_sweep_sample {
    clup_sweep_times plain, measured; /* without measuring, and with what is known from the spins */
    double updates;                   /* sites of all replicas */
    double bytes_per_site;            /* of buffers on the device */
    unsigned repetitions;
    clup_sweep_times counted; /* with the sizes of clusters as well; all 0 but for Swendsen-Wang */
    uint64_t reserved[1];
} clup_sweep_sample;

/* Times so many sweeps, 1 to 1001, after others from an ordered start. The context must not be in
 * use. plan is as for clup_simulation_create, but that no other takes the place of one that is
 * given. */
CLUP_API clup_status clup_sweep_time(clup_context *context, const clup_problem *problem,
                                     const clup_method *method, const clup_plan *plan,
                                     uint64_t thermalize, unsigned repetitions,
                                     clup_sweep_sample *sample);

/* ---- what a device can do ----------------------------------------------------------------------
 */

/* Limits of devices that other times can be held against. */
typedef enum clup_limit {
    CLUP_LIMIT_COPY, /* "copy": bytes read and bytes written, a second, of a copy from one buffer to
                        another by a kernel */
    CLUP_LIMIT_ATOMICS,    /* "atomics": additions of 1 to 32-bit words all over a buffer, each
                              somewhere else, a second */
    CLUP_LIMIT_ONE_ATOMIC, /* "one_atomic": additions to one word by all work-items, a second */
    CLUP_LIMIT_LAUNCH,     /* "launch": seconds, by the wall clock, for each of many empty kernels
                              that are enqueued one after the other */
    CLUP_LIMIT_WAIT,       /* "wait": seconds from enqueueing one empty kernel to the end of a wait
                              for it */
    CLUP_LIMITS
} clup_limit;

/* The name of a limit, the unit of its values, "B/s", "1/s" or "s"; NULL past the end. */
CLUP_API const char *clup_limit_name(clup_limit limit);
CLUP_API const char *clup_limit_unit(clup_limit limit);
/* Measures a limit count times, values[count], with buffers of 256 MiB, or of a sixteenth of the
 * device's memory where that is less. Times are those of device events where they are known.
 * CLUP_ERROR_USAGE for a limit that there is not. */
CLUP_API clup_status clup_limit_measure(clup_context *context, clup_limit limit, unsigned count,
                                        double *values);

/* ---- tuning ---------------------------------------------------------------------------------- */

/* A fit of one of the paper's formulas to samples. */
typedef struct clup_fit {
    const char *what, *formula;
    struct {
        const char *name, *unit;
        double value, error; /* error NAN for a constant that was held fixed, or follows from others
                              */
    } parameters[4];
    unsigned parameter_count;
    double rms; /* relative deviation */
    struct {
        unsigned tile, size;
        double measured, fitted;
    } * points;
    size_t point_count;
} clup_fit;

typedef struct clup_tuning clup_tuning;

/* Called before each measurement; a non-zero return ends the tuning with CLUP_INTERRUPTED. */
typedef int clup_tune_progress(size_t done, size_t total, void *user);

/* Measures the kernels on the context's device, at the critical point of q = 2: labelling against
 * the tile, consolidation against tile and size. quick takes fewer and smaller ones. progress may
 * be NULL. What an unfinished tuning in the database, made with these kernels and the same quick,
 * has measured is taken from there. After CLUP_INTERRUPTED there is a tuning all the same, with
 * what was measured and without fits. */
CLUP_API clup_status clup_tuning_create(clup_context *context, int quick,
                                        clup_tune_progress *progress, void *user,
                                        clup_tuning **out);
CLUP_API void clup_tuning_free(clup_tuning *tuning);
/* Whether all was measured, and how many samples are those of an unfinished tuning before, the
 * first. */
CLUP_API int clup_tuning_finished(const clup_tuning *tuning);
CLUP_API size_t clup_tuning_before_count(const clup_tuning *tuning);
CLUP_API size_t clup_tuning_sample_count(const clup_tuning *tuning);
CLUP_API const clup_sample *clup_tuning_sample(const clup_tuning *tuning, size_t sample);
CLUP_API size_t clup_tuning_fit_count(const clup_tuning *tuning);
CLUP_API const clup_fit *clup_tuning_fit(const clup_tuning *tuning, size_t fit);

/* The user's tune database, a JSON file: $XDG_DATA_HOME/clup/tune.json, else
 * ~/.local/share/clup/tune.json. One row a device and driver, with a hash of the text of each
 * kernel that was measured. A row is used whole or, when something in it cannot be read or all its
 * kernels have been changed since, not at all, which a plan's warning then says, as it says when
 * some were; the others are. It has at most 16 MiB and 10000 rows: a larger one is not
 * used, nor written. */
/* Its path, or NULL where no folder is known; static until the next call in the thread. */
CLUP_API const char *clup_tune_database(void);
/* CLUP_ERROR_RUNTIME when the database could not be written, or is there and is none. */
CLUP_API clup_status clup_tune_database_check(void);
/* Puts a tuning into the database, in place of an earlier one of the same device and driver; one
 * that is not finished is put beside that, for the next tuning to go on from, and plans are not
 * made by it. */
CLUP_API clup_status clup_tuning_save(const clup_tuning *tuning);
/* What became of the rows of a database. */
typedef struct clup_tune_rows {
    unsigned taken;      /* written, or merged */
    unsigned older;      /* than the ones there */
    unsigned stale;      /* refused since all their kernels have been changed since */
    unsigned unreadable; /* such as one with a time that is not above 0 */
    char warning[512];   /* which the first unreadable one is, and why; "" for none */
    uint64_t reserved[4];
} clup_tune_rows;

/* Writes the database to path, all rows as they are, "-" is standard output; CLUP_ERROR_USAGE when
 * it has none. rows may be NULL, here and below. */
CLUP_API clup_status clup_tune_export(const char *path, clup_tune_rows *rows);
/* Merges the rows of path into the database; a row takes the place of one of the same device and
 * driver that is older, stale or unreadable. Rows that cannot be read are not taken, and those that
 * are there stay. */
CLUP_API clup_status clup_tune_import(const char *path, clup_tune_rows *rows);

/* ---- simulation ------------------------------------------------------------------------------ */

typedef struct clup_simulation clup_simulation;

/* A simulation. context NULL runs the serial reference on the host, which takes of a plan only
 * what its source does, and for which rng must be philox. With
 * Philox and the same problem, method, seed and start the spins after any number of sweeps are the
 * same, bit for bit, for every context and plan. plan NULL chooses one, as clup_plan_choose does
 * without a request; CLUP_ERROR_USAGE for one of zeros, with names that are not known, or that does
 * not suit problem, method and device. The context must outlive the simulation; problem and plan
 * are copied. On a device the plan's kernels first do two sweeps of a small lattice, which are
 * compared with the reference. When they differ, and the plan without one of the kernels that the
 * planner chose (clup_plan.chosen) is right, the simulation has that plan, and the kernel is left
 * out of plans to come, see below; else CLUP_ERROR_VERIFY. */
CLUP_API clup_status clup_simulation_create(clup_context *context, const clup_problem *problem,
                                            const clup_method *method, const clup_plan *plan,
                                            uint64_t seed, clup_start start, clup_simulation **out);
CLUP_API void clup_simulation_free(clup_simulation *simulation);
/* The plan that it has, which lives as long. Where that is not the one that was given or chosen,
 * its warning says why. NULL for the serial reference. */
CLUP_API const clup_plan *clup_simulation_plan(const clup_simulation *simulation);

/* What the buffers of a simulation take on the device, and what the device has, in bytes; the
 * serial reference has none. */
typedef struct clup_memory {
    uint64_t bytes, device_bytes;     /* of all, and all that there is */
    uint64_t largest, device_largest; /* of the largest buffer, and the largest that is possible */
    const char *what;                 /* is in that buffer, such as "the labels"; static */
    int fits;
    uint64_t reserved[4];
} clup_memory;

CLUP_API clup_status clup_simulation_memory(clup_context *context, const clup_problem *problem,
                                            const clup_method *method, const clup_plan *plan,
                                            clup_memory *memory);

/* Called between batches of sweeps with the number done in this run; a non-zero return ends a run
 * that is not complete with CLUP_INTERRUPTED. */
typedef int clup_progress(uint64_t done, uint64_t sweeps, void *user);

/* Runs sweeps; with measure non-zero each one, or each every-th of those that were run so, see
 * clup_simulation_observe, is measured and appended to the series. progress may be NULL. After
 * CLUP_INTERRUPTED, as after a run of fewer sweeps, spins and series are those of the
 * clup_simulation_sweeps that are done, and it can be run on. */
CLUP_API clup_status clup_simulation_run(clup_simulation *simulation, uint64_t sweeps, int measure,
                                         clup_progress *progress, void *user);
/* Sweeps done since it was created, measured or not; after clup_simulation_set_state these count
 * from the number given there. */
CLUP_API uint64_t clup_simulation_sweeps(const clup_simulation *simulation);
/* Copies the spins, one byte 0..q-1 a site in raster order and replica by replica, to
 * spins[clup_problem_sites() x replicas] of the caller. */
CLUP_API clup_status clup_simulation_spins(clup_simulation *simulation, uint8_t *spins);
/* The same of count rows from row first on, to spins[count x size[0]], for lattices that memory has
 * no room for. Rows are numbered through all replicas, of which each has clup_problem_sites() /
 * size[0]. CLUP_ERROR_USAGE where there are not as many. Several processes call it together, as
 * those before and after it. */
CLUP_API clup_status clup_simulation_spin_rows(clup_simulation *simulation, uint64_t first,
                                               uint64_t count, uint8_t *spins);
/* The SHA-256 of the spins as clup_simulation_spins gives them, a hash for so many systems each, in
 * turn: hex[replicas / systems]. With systems = 1 each has one, with systems = replicas there is
 * one of all. CLUP_ERROR_USAGE where the replicas are not a multiple of systems. */
CLUP_API clup_status clup_simulation_hash(clup_simulation *simulation, uint32_t systems,
                                          char (*hex)[65]);
/* Writes the spins to a NumPy file of u8, "-" for standard output: [replicas, where there are
 * several][z, of three axes][y][x]. Of several processes number 0 writes; when it cannot, all have
 * its status. */
CLUP_API clup_status clup_simulation_write_spins(clup_simulation *simulation, const char *path);
/* Sets these spins, and the number of the next sweep: from there on it is as one that came to these
 * spins by so many sweeps of its own. With what clup_simulation_sweeps and clup_simulation_spins
 * gave, a simulation of the same problem, method and seed goes on, bit for bit, with any context
 * and plan, in another process too. What was measured stays. CLUP_ERROR_USAGE for a spin that is
 * not below q, a number of 2^48 or more, and where the method has another generator than philox,
 * whose state is more than that. */
CLUP_API clup_status clup_simulation_set_state(clup_simulation *simulation, uint64_t sweep,
                                               const uint8_t *spins);

/* Fewer than these, and an error is not to be relied on: a run of fewer than 50 tau_int is short,
 * for every command; and where a few rare events are most of what is seen, as excitations at low
 * temperature, the next ones may well change the mean by several errors. A run of fewer independent
 * values than CLUP_CORRECTED_LEAST is so short that a bias is not corrected. */
#define CLUP_INDEPENDENT_LEAST 25
#define CLUP_EVENTS_LEAST 10
#define CLUP_CORRECTED_LEAST 10

/* An estimate from a series of values. */
typedef struct clup_estimate {
    double mean;  /* without its bias, see below */
    double error; /* one standard deviation: the root of 2 tau_int variance/(number of values). NAN
                     for fewer than 4 values */
    double tau_int;     /* integrated autocorrelation time, 1/2 + sum of rho, in measured values: to
                           have it in sweeps, multiply by how many there are from one to the next */
    double independent; /* how many independent values the mean rests on: their number/(2 tau_int),
                           and no more than their number */
    double events; /* independent values other than the commonest one: their number times the share
                      of all values that are not, which is taken as 1/2 where it is more. Half of
                      independent for a continuous distribution, the number of rare events, 0 for
                      values that are all the same. The error is uncertain by some 1/(2
                      sqrt(events)) of itself. Of percolation, independent/(kurtosis - 1) */
    double low, high; /* the true value is between them with 95 %, as far as the errors of runs of
                         50 tau_int and more are known: not as far below the mean as above it where
                         values are skewed. NAN where the error is */
    double bias; /* what was added to the mean of a variance (specific_heat, susceptibility), since
                    deviations are from the mean of the same n values: it is too small by the factor
                    1 - 2 tau_int/n, with the tau_int of the energy or of abs_m. error, low and high
                    belong to the corrected value. NAN where n is less than 20 of these tau_int,
                    and nothing was added; 0 for others */
} clup_estimate;

/* What to know about an estimate before its error is used; the first of these that is so. */
typedef enum clup_note {
    CLUP_NOTE_NONE,
    CLUP_NOTE_CONSTANT, /* all values are the same: whatever would change them was not seen, or does
                           not exist */
    CLUP_NOTE_BIASED,   /* bias is NAN: the run is too short to correct it */
    CLUP_NOTE_SHORT,    /* independent < CLUP_INDEPENDENT_LEAST, or not known */
    CLUP_NOTE_FEW_EVENTS, /* events < CLUP_EVENTS_LEAST */
    CLUP_NOTES
} clup_note;
/* NONE for NULL, and for an estimate whose mean is not finite: of what was not measured it is NAN,
 * and chi at infinite beta is infinite. */
CLUP_API clup_note clup_estimate_note(const clup_estimate *estimate);

/* Of a simulation: of N sites with q states. A bond between equal spins has the energy -1. The
 * names below have the numbers of these observables, which stay; a later library may have more of
 * them, with one value or with several, whose numbers are from CLUP_OBSERVABLES_ALL on, in any
 * order: ask for them by name, clup_observable_named. All functions take their numbers as well. */
typedef enum clup_observable {
    CLUP_ENERGY,          /* <H>/N */
    CLUP_ABS_M,           /* (q max fraction - 1)/(q - 1) */
    CLUP_M2,              /* its square */
    CLUP_M4,              /* its fourth power */
    CLUP_BINDER,          /* 1 - <m4>/(3 <m2>^2) */
    CLUP_SPECIFIC_HEAT,   /* beta^2 N var(e) */
    CLUP_SUSCEPTIBILITY,  /* beta N (<m2> - <|m|>^2) */
    CLUP_CLUSTERS,        /* clusters a site */
    CLUP_LARGEST_CLUSTER, /* sites of the largest cluster, a site */
    CLUP_UPDATED,   /* sites in the clusters that were given a new spin, a site; 1 for Swendsen-Wang
                     */
    CLUP_M2_VECTOR, /* (q sum of f^2 - 1)/(q - 1), f the fractions of the states: the square of the
                       mean of the sites' unit vectors, which point to the corners of a simplex; m2
                       for q = 2 */
    CLUP_CHI,       /* beta N <m2_vector> */
    /* improved estimators, by the clusters of Swendsen-Wang, s their sizes: means over all spins
     * that the clusters of a sweep can take (U. Wolff, Nucl. Phys. B 334, 581 (1990)) */
    CLUP_M2_IMPROVED,     /* sum of s^2/N^2, of m2_vector */
    CLUP_M4_IMPROVED,     /* (3 (sum of s^2)^2 - 2 sum of s^4)/N^4, of m4 for q = 2; NAN for other
                             q */
    CLUP_BINDER_IMPROVED, /* 1 - <m4_improved>/(3 <m2_improved>^2), of binder for q = 2 */
    CLUP_CHI_IMPROVED,    /* beta N <m2_improved>, of chi */
    /* The structure factor S(k) = q/(q - 1)/N times the sum over the states s of |sum over the
     * sites in state s of exp(i k at)|^2, at the coordinate along an axis with L sites, k = 2 pi/L;
     * of Ising spins +-1 for q = 2, and N m2_vector for k = 0. Cosines and sines are multiples of
     * 2^-26. NAN along axes that are open or have one site. The axes of the triangular lattice are
     * those of the square one that it is with a diagonal. */
    CLUP_SK,   /* along the longest periodic axis; the mean where several are as long */
    CLUP_SK_X, /* along x, and so on */
    CLUP_SK_Y,
    CLUP_SK_Z,
    CLUP_XI, /* the second-moment correlation length, sqrt(N <m2_vector>/<sk> - 1)/(2 sin(pi/L)),
                in sites, L the longest periodic axis (F. Cooper, B. Freedman and D. Preston,
                Nucl. Phys. B 210, 210 (1982)); NAN where the root is of a negative number */
    CLUP_XI_OVER_L, /* xi/L */
    /* Their improved estimators by the Fortuin-Kasteleyn clusters, with every algorithm. */
    CLUP_S0_IMPROVED, /* sum of s^2/N, of N m2_vector */
    /* sum over the clusters of |sum over their sites of exp(i k at)|^2/N */
    CLUP_SK_IMPROVED,
    CLUP_SK_X_IMPROVED,
    CLUP_SK_Y_IMPROVED,
    CLUP_SK_Z_IMPROVED,
    CLUP_XI_IMPROVED,
    CLUP_XI_OVER_L_IMPROVED,
    /* How Fortuin-Kasteleyn clusters wrap, with every algorithm: 1 or 0 in a sweep. Where an axis
     * is open, whether one of them has sites at both of its ends. */
    CLUP_WRAP_X, /* around x, and so on */
    CLUP_WRAP_Y,
    CLUP_WRAP_Z,      /* NAN on lattices in the plane */
    CLUP_WRAP_EITHER, /* along one axis at least */
    CLUP_WRAP_BOTH,   /* along every axis, of one or of several clusters */
    CLUP_WRAP_ONE,    /* along exactly one axis */
    CLUP_OBSERVABLES,
    /* Observables with several values, see clup_simulation_vector. */
    CLUP_CLUSTER_SIZES = CLUP_OBSERVABLES, /* Fortuin-Kasteleyn clusters of s to 2 s - 1 sites, a
                                              site, s = 1, 2, 4, ...; with every algorithm */
    /* The correlation function G(r) = (q P - 1)/(q - 1), P the share of pairs of sites at distance
     * r along an axis whose spins are equal: <s s'> of Ising spins +-1. r is 1 to 8, 10, 12, 14,
     * 16, 20 and so on, up to half of a periodic axis; 64 distances at most. */
    CLUP_CORRELATION_X,
    CLUP_CORRELATION_Y,
    CLUP_CORRELATION_Z,
    /* Its improved estimator, with every algorithm: the share of pairs in one Fortuin-Kasteleyn
     * cluster. */
    CLUP_CORRELATION_X_IMPROVED,
    CLUP_CORRELATION_Y_IMPROVED,
    CLUP_CORRELATION_Z_IMPROVED,
    CLUP_OBSERVABLES_ALL
} clup_observable;

/* The number of an observable by its name; CLUP_ERROR_USAGE where there is none. */
CLUP_API clup_status clup_observable_named(const char *name, clup_observable *observable);
/* Whether it has several values, see clup_simulation_vector; 0 for none. */
CLUP_API int clup_observable_has_values(clup_observable observable);
/* Its name, as in "largest_cluster", and what it is, in one line; NULL from some number on. */
CLUP_API const char *clup_observable_name(clup_observable observable);
CLUP_API const char *clup_observable_about(clup_observable observable);
/* Whether an observable is known with Swendsen-Wang alone, being of all clusters (1), or with every
 * algorithm (0). */
CLUP_API int clup_observable_needs_clusters(clup_observable observable);
/* What is measured for an observable: "spins", which is so always; "clusters", the sizes of all,
 * which takes a considerable part of a sweep; "modes", Fourier sums of the spins; "pairs", of equal
 * spins; and of Fortuin-Kasteleyn clusters that are found for it, which takes longer than most
 * sweeps, "fk_modes", "fk_wraps", "fk_sizes" and "fk_pairs". NULL for none. */
CLUP_API const char *clup_observable_group(clup_observable observable);
/* Says what the sweeps to come measure, of which each every-th is measured, 1 or more: these
 * observables, and all others that are known by then, those with the same clup_observable_group. At
 * first it is what is known from the spins, in every sweep. Clusters are known with Swendsen-Wang
 * only; the mean of what is not measured, and each value of its series, is NAN. Those of the groups
 * fk_* are the clusters of the spins before a sweep with the bonds that Swendsen-Wang draws in it
 * with Philox, whatever algorithm and generator the sweep has. What is not of spins and clusters
 * takes buffers on the device besides those of clup_simulation_memory: modes 8 bytes for each
 * coordinate of each axis; fk_* some 5 bytes a site, and fk_modes 16 more. CLUP_ERROR_MEMORY where
 * these do not fit; CLUP_ERROR_USAGE for an observable that there is not, for fk_* from 2^32 sites
 * on, for every 0 or above 2^31, and when sweeps were measured already; after an error what is
 * measured is as before, or what is known from the spins alone. */
CLUP_API clup_status clup_simulation_observe(clup_simulation *simulation,
                                             const clup_observable *observables, size_t count,
                                             uint64_t every);
/* Estimates estimates[CLUP_OBSERVABLES] from all sweeps measured so far. Each observable is a
 * function of means; its error and the rest are those of the series of its jackknife pseudo-values,
 * which for a plain mean are the values themselves. tau_int is summed up to the first W >= 6
 * tau_int (N. Madras and A. D. Sokal, J. Stat. Phys. 50, 109 (1988)) and multiplied by 1 +
 * (2W+1)/sweeps, for deviations are taken from the mean of the same run (U. Wolff, Comput. Phys.
 * Commun. 156, 143 (2004)); where W would be 1024 or more, by means of pairs of values, of four,
 * and so on, so that slow series take no longer. CLUP_ERROR_USAGE when nothing was measured. */
CLUP_API clup_status clup_simulation_estimate(const clup_simulation *simulation, uint32_t replica,
                                              clup_estimate *estimates);
/* The same of replicas first to first + count - 1, estimates[count][CLUP_OBSERVABLES], by as many
 * threads as there are processors for. */
CLUP_API clup_status clup_simulation_estimates(const clup_simulation *simulation, uint32_t first,
                                               uint32_t count, clup_estimate *estimates);
/* The same of some observables that have one value, whatever their numbers:
 * estimates[count][observable_count]. CLUP_ERROR_USAGE for others. */
CLUP_API clup_status clup_simulation_estimates_of(const clup_simulation *simulation,
                                                  const clup_observable *observables,
                                                  size_t observable_count, uint32_t first,
                                                  uint32_t count, clup_estimate *estimates);
/* Sweeps measured so far, in all runs; 0 for NULL. */
CLUP_API uint64_t clup_simulation_measured(const clup_simulation *simulation);
/* Copies the series of an observable of a replica: values[count] of the measured sweeps number
 * first to first + count - 1, the first one being number 0. Of a mean they are its values in these
 * sweeps. Of a function of means (binder, specific_heat, susceptibility) they are the jackknife's
 * pseudo-values with all sweeps measured so far, which change with each sweep more: n times the
 * value of all n sweeps, with the bias of a variance, less n - 1 times that without the sweep; NAN
 * where n is 1. clup_simulation_estimate takes the error of either. CLUP_ERROR_USAGE for a replica,
 * an observable or sweeps that there are not. */
CLUP_API clup_status clup_simulation_series(const clup_simulation *simulation, uint32_t replica,
                                            clup_observable observable, uint64_t first,
                                            uint64_t count, double *values);

/* Of observables with several values (clup_observable_has_values): how many there are; 0 for
 * what is not measured, has one value, or NULL. */
CLUP_API size_t clup_simulation_vector_length(const clup_simulation *simulation,
                                              clup_observable observable);
/* Estimates estimates[length] of a replica, as clup_simulation_estimate does of means, and what
 * they belong to: at[length], distances in sites or least sizes. CLUP_ERROR_USAGE when nothing of
 * it was measured. */
CLUP_API clup_status clup_simulation_vector(const clup_simulation *simulation, uint32_t replica,
                                            clup_observable observable, double *at,
                                            clup_estimate *estimates);

/* Gives the replicas other temperatures from the next sweep on, betas[replicas], which are copied;
 * their spins stay. What was measured is forgotten, and sweeps are measured anew: as often as
 * clup_simulation_observe says, counted from here. With tempering there are as many ladders as
 * before. CLUP_ERROR_USAGE for a beta that is out of range. */
CLUP_API clup_status clup_simulation_set_betas(clup_simulation *simulation, const double *betas);

/* Parallel tempering (K. Hukushima and K. Nemoto, J. Phys. Soc. Jpn. 65, 1604 (1996)): every so
 * many sweeps, 1 or more, counted from number 0, the systems at neighbouring temperatures change
 * places with the probability min(1, exp((beta - beta')(E - E'))): those at rungs 0 and 1, 2 and 3
 * and so on, and the other time those at 1 and 2 and so on. The problem's betas increase, R of
 * each: its replicas are R ladders, which have nothing to do with each other, replica number k R +
 * l being rung k of ladder l. A replica keeps its beta, and everything that is asked of it, series,
 * estimates, spins, is that of the systems that came there; a system takes its spins and its random
 * numbers along. What is decided is the same, bit for bit, for every context and plan. To be said
 * before sweeps are measured. CLUP_ERROR_USAGE for betas that do not increase so, that are
 * infinite, or are all the same, and when it was said before. */
CLUP_API clup_status clup_simulation_temper(clup_simulation *simulation, uint64_t every);

/* Places the temperatures of a problem for parallel tempering, betas[replicas], which may be the
 * problem's own, between its first and its last: such that neighbours change places as often
 * everywhere, as far as the mean energies tell. They are measured by so many sweeps in all, 8 or
 * more, in 8 rounds, each with the temperatures that the one before has found; of a simulation as
 * clup_simulation_create makes, from an ordered start, with sweeps number 2^47 and later of the
 * seed. Betas are multiples of 1e-9, the same for every context and plan. After an error betas are
 * as they were. */
CLUP_API clup_status clup_tempering_tune(clup_context *context, const clup_problem *problem,
                                         const clup_method *method, const clup_plan *plan,
                                         uint64_t seed, uint64_t sweeps, double *betas);

/* What came of it, from the first sweep with tempering on, whether it was measured or not. */
typedef struct clup_tempering {
    uint32_t ladders, rungs; /* 0 where there is no tempering */
    uint64_t every;
    uint64_t round_trips; /* of all systems */
    uint64_t reserved[4];
} clup_tempering;
CLUP_API clup_status clup_simulation_tempering(const clup_simulation *simulation,
                                               clup_tempering *tempering);
/* A replica. */
typedef struct clup_rung {
    double beta;
    uint32_t ladder, rung;
    uint32_t system;             /* that is there now */
    uint64_t attempts, accepted; /* exchanges with the next rung; 0 at the last one */
    uint64_t reserved[4];
} clup_rung;
/* A system. */
typedef struct clup_walker {
    uint32_t replica;     /* where it is now */
    uint64_t round_trips; /* from its ladder's lowest beta to the highest and back */
    uint64_t reserved[4];
} clup_walker;
/* CLUP_ERROR_USAGE without tempering, here and below. A system has the number of the replica at
 * which it began. */
CLUP_API clup_status clup_simulation_rung(const clup_simulation *simulation, uint32_t replica,
                                          clup_rung *rung);
CLUP_API clup_status clup_simulation_walker(const clup_simulation *simulation, uint32_t system,
                                            clup_walker *walker);

/* A step of population annealing (K. Hukushima and Y. Iba, AIP Conf. Proc. 690, 200 (2003)): the
 * replicas, all at one temperature, are taken for systems at beta by the weights exp(-(beta - its
 * own) E), and as many are drawn anew from them, each about as often as its weight says. sources[r]
 * is of which system replica r is a copy now, itself where it can be; *ln_ratio is the estimate of
 * ln(Z(beta)/Z(its own)), Z being the sum of exp(-beta E) over all states. Beyond that as
 * clup_simulation_set_betas. Decided by one Philox number, the same for every context and plan.
 * CLUP_ERROR_USAGE for replicas of several or infinite temperatures, an infinite beta, and with
 * tempering; CLUP_ERROR_MEMORY when the host has no room for all spins twice, in bytes. */
CLUP_API clup_status clup_simulation_resample(clup_simulation *simulation, double beta,
                                              uint32_t *sources, double *ln_ratio);

/* Times of the measured runs. stage_ps are picoseconds a site and sweep by device events, of one
 * sweep in 32 (host clock for the serial reference), NAN where the device's events cannot be used;
 * update_ps is their sum without measuring. iterations are those of iterative kernels in the last
 * sweep, counting the one that changed nothing: passes of local labelling, the mean over tiles, and
 * iterations of label relaxation; NAN for other stages and kernels. */
typedef struct clup_timing {
    uint64_t sweeps;
    double wall_s, update_ps, stage_ps[CLUP_STAGES];
    double iterations[CLUP_STAGES];
    /* of processes with parts of a lattice: rounds of transfers in these sweeps, and bytes that
     * came to this one */
    uint64_t rounds, bytes;
    uint64_t reserved[6];
} clup_timing;
/* All zeros for simulation NULL. */
CLUP_API void clup_simulation_timing(const clup_simulation *simulation, clup_timing *timing);

/* One sweep, all replicas, that was run by itself. */
typedef struct clup_timed_sweep {
    double wall_s;               /* from an empty queue to an empty queue */
    double stage_s[CLUP_STAGES]; /* by device events, NAN where these have no times; of the serial
                                    reference by the host's clock */
    double iterations[CLUP_STAGES]; /* see clup_timing */
    uint64_t reserved[4];
} clup_timed_sweep;

/* Runs one sweep as clup_simulation_run(simulation, 1, measure, NULL, NULL) does, and times it.
 * Where kernels are compiled when they are first launched (PoCL), that is part of the time. */
CLUP_API clup_status clup_simulation_time_sweep(clup_simulation *simulation, int measure,
                                                clup_timed_sweep *sweep);

/* ---- percolation ----------------------------------------------------------------------------- */

/* Means over samples; N is the number of sites of the lattice, s the size of a cluster in sites.
 * Empty sites are in no cluster. */
typedef enum clup_percolation_observable {
    CLUP_PERCOLATION_CLUSTERS,  /* clusters/N */
    CLUP_PERCOLATION_LARGEST,   /* s of the largest cluster/N */
    CLUP_PERCOLATION_OCCUPIED,  /* occupied sites/N; 1 for bond percolation */
    CLUP_PERCOLATION_MEAN_SIZE, /* (sum of s^2 over clusters)/(occupied sites); 0 when there are
                                   none, here and below */
    CLUP_PERCOLATION_MEAN_SIZE_REST, /* the same without the one largest cluster in the sum: (sum of
                                        s^2 - largest^2)/(occupied sites) */
    /* probabilities that a cluster wraps around a periodic axis, that is, has a cycle that winds
     * around the axis a number of times other than 0; or that one spans an open axis, that is, has
     * sites at both ends */
    CLUP_PERCOLATION_WRAP_X,
    CLUP_PERCOLATION_WRAP_Y,
    CLUP_PERCOLATION_WRAP_Z,      /* NAN in the plane */
    CLUP_PERCOLATION_WRAP_EITHER, /* along one axis at least */
    /* along every axis; a diagonal cycle does so on a torus (M. E. J. Newman and R. M. Ziff, Phys.
     * Rev. E 64, 016706 (2001), have these as R^(h), R^(v), R^(e) and R^(b)) */
    CLUP_PERCOLATION_WRAP_BOTH,
    CLUP_PERCOLATION_WRAP_ONE, /* along exactly one axis, whichever: twice their R^(1) on a square
                                  torus */
    CLUP_PERCOLATION_OBSERVABLES
} clup_percolation_observable;

CLUP_API const char *clup_percolation_observable_name(clup_percolation_observable observable);
CLUP_API const char *clup_percolation_observable_about(clup_percolation_observable observable);

/* Classes of sizes: class k has 2^k <= s < 2^(k+1). */
#define CLUP_SIZE_CLASSES 32

/* What is found at one p. Errors are standard errors of means over independent samples, NAN for
 * fewer than two; tau_int is 1/2, and independent their number. */
typedef struct clup_percolation_point {
    double p;
    uint64_t samples; /* drawn; fewer than asked for after CLUP_INTERRUPTED */
    clup_estimate estimates[CLUP_PERCOLATION_OBSERVABLES];
    clup_estimate classes[CLUP_SIZE_CLASSES]; /* clusters of a class/N */
    double wall_s;
    uint64_t reserved[8];
} clup_percolation_point;

typedef struct clup_percolation clup_percolation;

/* How many samples of a problem are best drawn in the same launches, at most all of so many: what
 * keeps the device busy. 1 for context NULL, the serial reference, and where there are no samples
 * or no sites. All processes that the context has joined call it: it is as many as keep all devices
 * busy, or 1 where a device has no room for a sample, or there are fewer samples than processes. */
CLUP_API uint32_t clup_percolation_batch(clup_context *context, const clup_problem *problem,
                                         uint64_t samples);
/* Percolation on a device; problem.model says of what, and problem.replicas samples are drawn in
 * the same launches. context NULL draws them by the serial reference on the host, for which plan is
 * ignored. Samples are the same, bit for bit, for every context, plan and number of replicas. plan
 * is as for clup_simulation_create. The context must outlive the percolation. On a device the
 * plan's kernels first draw some samples of a small lattice, which are compared with the reference;
 * when they differ, all is as for clup_simulation_create. */
CLUP_API clup_status clup_percolation_create(clup_context *context, const clup_problem *problem,
                                             const clup_plan *plan, uint64_t seed,
                                             clup_percolation **out);
CLUP_API void clup_percolation_free(clup_percolation *percolation);
/* As clup_simulation_plan. */
CLUP_API const clup_plan *clup_percolation_plan(const clup_percolation *percolation);
/* Draws samples number 0 to samples - 1 of the seed at probability 0 <= p <= 1, rounded to a
 * multiple of 2^-32. A sample has the same random numbers at every p, so that its clusters only
 * grow with p, and results at different p are not independent. progress may be NULL. After
 * CLUP_INTERRUPTED *point is of the samples that were drawn. */
CLUP_API clup_status clup_percolation_run(clup_percolation *percolation, double p, uint64_t samples,
                                          clup_progress *progress, void *user,
                                          clup_percolation_point *point);
/* Draws samples number first to first + count - 1 in the same way, and gives what each has:
 * values[CLUP_PERCOLATION_OBSERVABLES*count], of which values[observable*count + k] is that of
 * sample first + k; probabilities of wrapping are 0 or 1 there. The means are those of
 * clup_percolation_run, which starts with sample 0. When it fails, other than with
 * CLUP_ERROR_USAGE, values of samples that were not drawn are NAN. */
CLUP_API clup_status clup_percolation_series(clup_percolation *percolation, double p,
                                             uint64_t first, uint64_t count,
                                             clup_progress *progress, void *user, double *values);

/* ---- series in files ------------------------------------------------------------------------- */

/* The series of one or several systems, and what was simulated: what clup simulate --series writes,
 * and clup analyse reads. doc/analysis.md has the two forms of files. */
typedef struct clup_record clup_record;

/* A record of the problem's replicas, a Potts model's, without series. The problem is copied. */
CLUP_API clup_status clup_record_create(const clup_problem *problem, clup_record **out);
CLUP_API void clup_record_free(clup_record *record);
/* The problem, with betas[replicas], which live as long as the record; NULL for NULL. */
CLUP_API const clup_problem *clup_record_problem(const clup_record *record);
/* What else is to be known, as text: key is a name of a to z, 0 to 9 and _ of at most 63
 * characters that begins with a letter, value at most 4000 bytes, whose control characters become
 * spaces. A key that is there gets the new value, or goes where that is NULL. "first_sweep" and
 * "every" are the number of the first measured sweep and the distance to the next, whole numbers;
 * 1 and 1 where they are not said. CLUP_ERROR_USAGE for other keys, and for those that the problem
 * says, such as "lattice". */
CLUP_API clup_status clup_record_set(clup_record *record, const char *key, const char *value);
/* The value of a key, which lives until it is set again, and the key number row; NULL where there
 * is none. */
CLUP_API const char *clup_record_get(const clup_record *record, const char *key);
CLUP_API const char *clup_record_key(const clup_record *record, size_t row);
/* Takes what a simulation of the record's problem has measured, in addition to what was taken of it
 * before: of each replica the series of the observables that are means and have a value in any
 * sweep, and estimates of those that are functions of means, which HDF5 files have besides.
 * With tempering there is a series "walker" more, of the systems that were there, counted from
 * first_replica. CLUP_ERROR_USAGE for a simulation of another problem. */
CLUP_API clup_status clup_record_take(clup_record *record, const clup_simulation *simulation);
/* Sets the series of an observable of a system to values[count], which are copied. Its name is made
 * as a key is. CLUP_ERROR_USAGE where another series of the system has another length, and for a
 * value that is not finite. */
CLUP_API clup_status clup_record_set_series(clup_record *record, uint32_t system,
                                            const char *observable, const double *values,
                                            uint64_t count);
/* The SHA-256 of a system's last spins, as clup_sha256 has it; "" for one that is not known. NULL
 * for no system. */
CLUP_API clup_status clup_record_set_spins(clup_record *record, uint32_t system,
                                           const char *sha256);
CLUP_API const char *clup_record_spins(const clup_record *record, uint32_t system);
/* Systems, the length of the series of one, the name of observable number row, NULL past the last,
 * and its values[clup_record_count()], which live until the record changes; NULL for none. */
CLUP_API uint32_t clup_record_systems(const clup_record *record);
CLUP_API uint64_t clup_record_count(const clup_record *record, uint32_t system);
CLUP_API const char *clup_record_observable(const clup_record *record, size_t row);
CLUP_API const double *clup_record_series(const clup_record *record, uint32_t system,
                                          const char *observable);
/* Writes a record by the extension of path, all or nothing, see clup_file_save: .csv, or "-" for
 * standard output, and .h5. CLUP_ERROR_USAGE for another extension, for .h5 where the library was
 * built without HDF5, and for a system that lacks a series; CLUP_ERROR_RUNTIME when the file cannot
 * be written. */
CLUP_API clup_status clup_record_write(const clup_record *record, const char *path);
/* Reads one, whatever its extension. CLUP_ERROR_RUNTIME, with the file's name and what is wrong,
 * for a file that cannot be read, is no record, or is damaged, which checksums tell. */
CLUP_API clup_status clup_record_read(const char *path, clup_record **out);
/* The version of HDF5 that the library was built with, such as "1.10.8"; NULL for none. */
CLUP_API const char *clup_hdf5_version(void);

/* ---- checkpoints ----------------------------------------------------------------------------- */

/* All that a simulation has to go on from: problem, method and seed, the sweeps that are done, the
 * spins, and what was measured. Plan and device are not among them: it goes on with any, and comes
 * to the same spins and series, bit for bit, as one that was never ended. Times of sweeps
 * (clup_timing) begin anew. doc/checkpoints.md has the form of its files, which are HDF5. */
typedef struct clup_checkpoint clup_checkpoint;

/* Writes a checkpoint of a simulation, and what else is to be said: the keys of a record, whose
 * series are not taken; NULL for nothing. A file that is there is replaced by a whole one, or
 * stays, see clup_file_save. It takes ceil(log2 q) bits a site, some words of 4 bytes for each
 * measured sweep and replica, and about twice that in memory besides a byte a site.
 * CLUP_ERROR_USAGE where the library was built without HDF5, and where the method has another
 * generator than philox: the state of those belongs to a plan. CLUP_ERROR_RUNTIME when the file
 * cannot be written, CLUP_ERROR_MEMORY where it cannot be made. */
CLUP_API clup_status clup_simulation_save(clup_simulation *simulation, const clup_record *said,
                                          const char *path);
/* Reads one. CLUP_ERROR_RUNTIME, with the file's name and what is wrong, for a file that cannot be
 * read, is no checkpoint, is damaged, which a SHA-256 over all of it tells, or is of a later form;
 * CLUP_ERROR_USAGE where the library was built without HDF5. */
CLUP_API clup_status clup_checkpoint_read(const char *path, clup_checkpoint **out);
CLUP_API void clup_checkpoint_free(clup_checkpoint *checkpoint);
/* What was simulated, and how; they live as long as the checkpoint. betas is NULL where all
 * replicas have beta. */
CLUP_API const clup_problem *clup_checkpoint_problem(const clup_checkpoint *checkpoint);
CLUP_API const clup_method *clup_checkpoint_method(const clup_checkpoint *checkpoint);
CLUP_API uint64_t clup_checkpoint_seed(const clup_checkpoint *checkpoint);
/* Sweeps that were done, as clup_simulation_sweeps has them, and the distance from one that is
 * measured to the next. */
CLUP_API uint64_t clup_checkpoint_sweeps(const clup_checkpoint *checkpoint);
CLUP_API uint64_t clup_checkpoint_every(const clup_checkpoint *checkpoint);
/* What else was said: a record without series. */
CLUP_API const clup_record *clup_checkpoint_said(const clup_checkpoint *checkpoint);
/* A simulation that goes on from there; context and plan are as for clup_simulation_create, and so
 * is the status. What it measures stays as it was, see clup_simulation_observe. */
CLUP_API clup_status clup_simulation_load(clup_context *context, const clup_checkpoint *checkpoint,
                                          const clup_plan *plan, clup_simulation **out);

/* ---- analysis of series ---------------------------------------------------------------------- */

/* What a series says of its mean, in four ways. */
#define CLUP_BINNING_LEVELS 40
typedef struct clup_analysis {
    uint64_t count;
    double mean;               /* without its bias, as in clup_estimate */
    double tau_int, tau_error; /* 1/2 + sum of rho, in measured values, as in clup_estimate; its
                                  error by U. Wolff, Comput. Phys. Commun. 156, 143 (2004), Eq.
                                  (42) */
    double error;              /* by tau_int, see clup_estimate */
    double naive_error;        /* as if values were independent */
    /* by bins of 2^k values, for k below levels, which have at least 16 bins each; and at the
     * plateau, the first k with 8^k > 2 count (binning[k]/binning[0])^4 (R. M. Lee et al., Phys.
     * Rev. E 83, 066706 (2011)), which is levels where none is, and the last k taken */
    double binning[CLUP_BINNING_LEVELS];
    unsigned levels, plateau;
    double binning_error;
    /* by the jackknife, leaving out one of so many blocks at a time; 64 where blocks then have 20
     * tau_int, else fewer; 0 for none */
    double jackknife_error;
    unsigned blocks;
    int is_short;           /* fewer than CLUP_INDEPENDENT_LEAST independent values */
    double low, high, bias; /* see clup_estimate */
    uint64_t reserved[1];
} clup_analysis;
/* Analyses values[count]. Of fewer than 4 values nothing is known but the mean, and the rest is NAN
 * or 0; CLUP_ERROR_USAGE for none. */
CLUP_API clup_status clup_analysis_of(const double *values, uint64_t count,
                                      clup_analysis *analysis);
/* Functions of means, as clup_observable has them, that the series of a system tell: the name of
 * number row, NULL past the last. */
CLUP_API const char *clup_analysis_function(const clup_record *record, uint32_t system, size_t row);
/* Analyses the series of an observable of a system, or one of these functions: by the jackknife's
 * pseudo-values, which say what each value adds to it, and for jackknife_error by the means without
 * each block. CLUP_ERROR_USAGE for what is neither, and for a system that there is not. */
CLUP_API clup_status clup_analysis_observable(const clup_record *record, uint32_t system,
                                              const char *name, clup_analysis *analysis);
/* The covariance of the means of a system's series, matrix[n*n] for n observables in the order of
 * clup_record_observable: by blocks, as many as the series of the longest tau_int has, which come
 * in *blocks unless it is NULL. NAN for fewer than 2 of them. CLUP_ERROR_USAGE for a system that
 * there is not, or that lacks a series. */
CLUP_API clup_status clup_analysis_covariance(const clup_record *record, uint32_t system,
                                              double *matrix, unsigned *blocks);

/* Means at other inverse temperatures, from the energies of all systems of one or more records: of
 * one system by its histogram (A. M. Ferrenberg and R. H. Swendsen, Phys. Rev. Lett. 61, 2635
 * (1988)), of several by all at once, each with the weight 1/g, g = 2 tau_int of its energy (the
 * same, 63, 1195 (1989)), solved in logarithms until it holds to 1e-10. No energies are put into
 * common bins: they are multiples of 1/N. Errors are by the jackknife: block b of all series is
 * left out, and all is solved again. */
typedef struct clup_reweighting clup_reweighting;

/* CLUP_ERROR_USAGE for no records, for records of unlike problems (the detail has the field, and
 * its two values), for systems without values or with an infinite beta, for a record without
 * "energy" or with one that is no multiple of 1/N, and for two systems with the very same series.
 */
CLUP_API clup_status clup_reweighting_create(const clup_record *const *records, size_t count,
                                             clup_reweighting **out);
CLUP_API void clup_reweighting_free(clup_reweighting *reweighting);
/* What it knows, NULL past the last, in the order of clup_observable: each observable that depends
 * on the spins of a moment alone and that has a series in all records, or is a function of means of
 * such. What is counted of clusters, and updated, depends on bonds too, not on energies alone. */
CLUP_API const char *clup_reweighting_name(const clup_reweighting *reweighting, size_t row);
/* Blocks of the jackknife: at most 64, of 20 tau_int of each series' energy, or 16, of 2 tau_int;
 * 0 where series are too short, and errors NAN. */
CLUP_API unsigned clup_reweighting_blocks(const clup_reweighting *reweighting);

/* How far the energies that were sampled are those of another inverse temperature. */
#define CLUP_OVERLAP_LEAST 0.9
typedef struct clup_coverage {
    double overlap; /* the share of the distribution that is not on the outermost energies: the 10
                       independent values at either end, or 1/100 of those of the shortest series.
                       Near 1 where energies were sampled, 0 far from there */
    double independent; /* how many independent values the means rest on, (sum w)^2/sum w^2 */
    int covered; /* overlap is CLUP_OVERLAP_LEAST, independent CLUP_INDEPENDENT_LEAST at least; else
                    neither values nor errors are to be relied on */
    uint64_t reserved[4];
} clup_coverage;
/* Means at beta: values[rows] and errors[rows], one standard deviation, in the order of
 * clup_reweighting_name; each of the three may be NULL. To a variance (specific_heat,
 * susceptibility) beta^2 N or beta N times the square of the error of the energy or of abs_m is
 * added, by which it is too small: deviations are from the mean of the same values, of all systems.
 * Where there are no blocks it is not. CLUP_ERROR_USAGE for a beta that is negative or not
 * finite. */
CLUP_API clup_status clup_reweighting_at(const clup_reweighting *reweighting, double beta,
                                         double *values, double *errors, clup_coverage *coverage);

/* A place in beta, and a value there, with errors by the jackknife. It is looked for where the
 * energies that were sampled reach, see clup_coverage, of both sizes where there are two: from and
 * to are the lowest and the highest such beta between the ends that were asked for, NAN where there
 * is none. */
typedef struct clup_place {
    int found; /* else beta, value and their errors are NAN */
    double beta, beta_error, value, value_error;
    double from, to;
    uint64_t reserved[2];
} clup_place;
/* The highest value of a row between two inverse temperatures; not found where it is at an end of
 * what is covered. The height of a variance (specific_heat, susceptibility) is that without its
 * bias, see clup_reweighting_at; its place is that of the curve with it. */
CLUP_API clup_status clup_reweighting_peak(const clup_reweighting *reweighting, const char *name,
                                           double from, double to, clup_place *peak);
/* Where two sizes have the same value, as Binder's cumulant or xi/L at a critical point; where
 * there are several such places, the one where curves cross at the steepest. */
CLUP_API clup_status clup_reweighting_crossing(const clup_reweighting *a, const clup_reweighting *b,
                                               const char *name, double from, double to,
                                               clup_place *crossing);

/* ---- kernels that gave wrong results --------------------------------------------------------- */

/* What known-answer tests and self-tests have found is remembered: by the context, and in a file of
 * the user's, by the names of the device and its driver and a hash of this version's kernels, so
 * that a new driver and a new version begin anew. Plans leave these kernels out. The file,
 * $XDG_DATA_HOME/clup/distrust.json, else ~/.local/share/clup/distrust.json, is read once for each
 * context. It has at most 16 MiB and 10000 rows. */
/* What was wrong with the file when it was last read or written for the context, which is no
 * failure; "" for nothing. Plans have it in their warning. */
CLUP_API const char *clup_distrust_warning(const clup_context *context);

/* ---- self-test ------------------------------------------------------------------------------- */

/* What a self-test changes about a kernel. */
typedef enum clup_trust {
    CLUP_TRUST_AS_BEFORE,
    CLUP_TRUST_LOST, /* it gave wrong results where others give right ones: plans leave it out from
                        now on */
    CLUP_TRUST_REGAINED /* it was left out, and was right on all models: plans may have it again */
} clup_trust;

/* A kernel of a stage that was tried with others. */
typedef struct clup_selftest_row {
    clup_stage stage;
    const char *kernel; /* its name in plans; those for images alone are in none */
    const char *model;  /* what it was tried on: clup_model_name, or "image" */
    unsigned runs;      /* problems that it was tried with; 0 when the device has no plan with it */
    unsigned wrong; /* of these, those of which results are not as they are defined, with whatever
                       other kernels */
    clup_trust trust;
    const char *reason; /* what went wrong first, or why there was no plan; "" for nothing. Valid
                           until the report returns */
} clup_selftest_row;
typedef void clup_selftest_report(void *user, const clup_selftest_row *row);

/* Tries every kernel on the device against the serial definition of what it does: small problems,
 * one for each way to store bonds, or with full, many minutes on some devices, those of all
 * lattices, several boundaries, numbers of states, tiles and types of pixels. Kernels that gave
 * wrong results before are tried as well, yet no others with them. report may be NULL; it is called
 * for each kernel in turn. CLUP_ERROR_VERIFY when any result was wrong; CLUP_INTERRUPTED leaves out
 * what was not tried. */
CLUP_API clup_status clup_selftest(clup_context *context, int full, clup_selftest_report *report,
                                   void *user);

/* ---- files ----------------------------------------------------------------------------------- */

/* SHA-256 of size bytes as 64 hexadecimal digits and a final NUL; "" where data is NULL and size is
 * not 0. */
CLUP_API void clup_sha256(const void *data, size_t size, char hex[65]);
/* Where this library writes files: "-" is standard output. A regular file is written under another
 * name in its folder, and takes its place when it is whole and on the disk: whatever fails, an
 * older one is as it was, unless it is the folder that cannot be put on the disk, with the new name
 * in it. It keeps the mode of the one it replaces and, where that is allowed, the
 * owner; one that may not be written is not replaced. A link remains, and what it leads to is
 * replaced, or made. Pipes and character devices are written to, sockets and block devices
 * refused. */

/* CLUP_ERROR_RUNTIME when no file can be written at path; opens, makes and changes nothing. */
CLUP_API clup_status clup_file_writable(const char *path);
/* Writes size bytes as a file, all or nothing; CLUP_ERROR_RUNTIME when it cannot be written. */
CLUP_API clup_status clup_file_save(const char *path, const void *data, size_t size);

/* Types of numbers in arrays and images, always in the host's byte order. */
typedef enum clup_dtype {
    CLUP_DTYPE_NONE, /* not known */
    CLUP_DTYPE_U8,   /* "u8": unsigned */
    CLUP_DTYPE_U16,
    CLUP_DTYPE_U32,
    CLUP_DTYPE_I8, /* "i8": two's complement */
    CLUP_DTYPE_I16,
    CLUP_DTYPE_I32,
    CLUP_DTYPE_F32, /* "f32": IEEE 754 */
    CLUP_DTYPE_U64,
    CLUP_DTYPE_I64,
    CLUP_DTYPE_F64,
    CLUP_DTYPES
} clup_dtype;

/* The name of a type; NULL for CLUP_DTYPE_NONE and past the end. */
CLUP_API const char *clup_dtype_name(clup_dtype dtype);

/* ---- images ---------------------------------------------------------------------------------- */

/* An image, or a volume. A pixel is channels values of dtype, next to each other; pixel (x, y, z)
 * is number x + size[0]*(y + size[1]*z). */
typedef struct clup_image {
    uint32_t size[3]; /* pixels along x, y and z, each >= 1; z is 1 in the plane */
    unsigned axes;    /* 2, 3 for a volume, or 1 for a row of pixels, whose y and z are 1 */
    clup_dtype dtype;
    unsigned channels; /* 1; 3 for red, green, blue; 4 with alpha after them */
    void *pixels; /* of the image when clup_image_read made it, see clup_image_clear; else of the
                     caller */
    /* of an image that is a part of a larger one, along y in the plane, else z: the layers before
     * it, and those of the whole; layers is 0 for an image that is no part */
    uint32_t before, layers;
    uint64_t mapped; /* where clup_image_read has mapped a file instead of reading it: the bytes of
                        the mapping in which pixels are; 0 else */
    uint64_t reserved[2];
} clup_image;

/* The form of a file that does not tell it: values in raster order, x the fastest, and nothing
 * else. */
typedef struct clup_raw {
    uint32_t size[3];
    unsigned axes; /* 2 or 3; 0 for no shape */
    clup_dtype dtype;
    int big_endian;
    uint64_t reserved[4];
} clup_raw;

/* Sets size and axes from "640x480" or "640x480x100", x first; CLUP_ERROR_USAGE for any other text,
 * and for sizes of 0. */
CLUP_API clup_status clup_raw_parse_shape(const char *text, clup_raw *raw);
/* Sets dtype and big_endian from the name of a dtype and "le" (which may be left out) or "be", as
 * in "u8", "u16" or "f32be"; CLUP_ERROR_USAGE for any other text. */
CLUP_API clup_status clup_raw_parse_dtype(const char *text, clup_raw *raw);

/* How to read an image. All zeros is the default. */
typedef struct clup_image_options {
    clup_raw raw; /* with a shape and a dtype: the file is of this form, whatever its first bytes */
    int channels_last;  /* the last axis of a NumPy array of 3 or 4 axes, which must have the length
                           1, 3 or 4, is that of channels; other files are refused,
                           CLUP_ERROR_RUNTIME */
    uint64_t max_bytes; /* that a file, and its pixels, may have, each; 0 for 2^34, 4 bytes for each
                           of 2^32 pixels, or those of the file, where it has more and is no pipe */
    uint32_t part, parts; /* reads part number part of so many along y in the plane, else z, the one
                             that a process has (clup_label_image), and nothing of the others; of a
                             file, not a pipe, a NumPy array in C's order or raw data, whose bytes,
                             and pixels, may be parts times max_bytes. 0 for all */
    int palette; /* of a PNG with a palette the numbers of the colours, u8, and not the colours;
                    other files are refused, CLUP_ERROR_RUNTIME */
    uint64_t reserved[6];
} clup_image_options;

/* Reads an image; "-" is standard input, options NULL is all zeros. The first bytes of the file
 * tell its format:
 *
 * PNG     Grayscale of 1 to 8 bits is u8, of 16 bits u16, values as they are in the file: not
 *         scaled. Colours are RGB of u8 or u16, a palette's of u8, and RGBA with an alpha channel
 *         or transparent colours. Grayscale with an alpha channel or a transparent value has one
 *         channel where all pixels are opaque; else it is RGBA, three times the gray and alpha, as
 *         a gray value would not tell what is seen. Texts, profiles and what follows the image are
 *         ignored.
 * PNM     P1 to P6, plain and binary, comments included. PGM and PPM are u8 with a maximum up to
 *         255, else u16; not scaled. PBM is u8 with its bits, so that black is 1. One image a file.
 * NumPy   Versions 1 to 3 of .npy, both byte orders and both orders of axes, of bool (read as u8),
 *         uint8 to uint32, int8 to int32 and float32. The axes are (y, x) or (z, y, x), and with
 *         channels_last (y, x, channel) or (z, y, x, channel): without it, an array of shape (480,
 *         640, 3) is a volume 3 pixels wide. One axis is a row of pixels. NaNs are read as
 *         they are.
 * raw     With options->raw alone; the file has exactly the size that follows from it.
 *
 * A file, not a pipe, whose pixels would take more than half of the memory that the host has left
 * is mapped instead, so that they are read where they stand as they are wanted: raw data, and NumPy
 * arrays in C's order, in the host's byte order. Its length is checked when it is mapped; when it
 * becomes shorter before clup_image_clear, or a page of it cannot be read, the system sends SIGBUS,
 * which the caller may handle.
 *
 * A failure leaves *image all zeros, the detail starts with the file's name. CLUP_ERROR_RUNTIME
 * when it cannot be read, has another format or dtype, no pixels, an axis of 2^32 or more, too few
 * or too many bytes, or a value above its maximum; CLUP_ERROR_MEMORY when it, or its pixels,
 * have more bytes than options->max_bytes or than the host can give; CLUP_ERROR_USAGE when
 * options->raw has a shape and no dtype, or the other way round, or part is none of parts. Before
 * pixels are allocated the file was found long enough for them: at least 1 byte for 1032 of a PNG's
 * (deflate's limit), or for 8 bits of a PBM's. No more is read than the format's header says, and
 * one byte that would be too many: 8 bytes of what is no image, so that pipes and devices may have
 * no end. White space and comments of a PNM may have 65536 bytes, a plain one 64 more for each
 * value; a PNG 2^26 bytes and 16 for each of its pixels'; a NumPy header 2^20. */
CLUP_API clup_status clup_image_read(const char *path, const clup_image_options *options,
                                     clup_image *image);
/* Frees the pixels and sets all to zero; accepts NULL. */
CLUP_API void clup_image_clear(clup_image *image);

/* Room for labels[pixels], of any value. What would take more than half of the memory that the host
 * has left is that of a file without a name, in the folder of the file beside, or for NULL and "-"
 * in $TMPDIR or /tmp, which ends with the process. CLUP_ERROR_MEMORY where there is none.
 * clup_labels_free takes the same number of pixels, and accepts NULL. */
CLUP_API clup_status clup_labels_create(uint64_t pixels, const char *beside, uint32_t **labels);
CLUP_API void clup_labels_free(uint32_t *labels, uint64_t pixels);

/* Writes labels 0..count, one a pixel of an image of these axes and size[3], in the same way: .npy
 * or "-" in the smallest of u8, u16 and u32 that holds count, .png in 8 or 16 bits of gray.
 * CLUP_ERROR_USAGE, besides, when count overflows 16 bits of a PNG, or a label is larger than
 * count. Processes that have parts of the image (clup_label_image; ranks is NULL for one process)
 * write one .npy file, no other: each has the labels of its part, size is that of the whole. */
CLUP_API clup_status clup_labels_write(const clup_ranks *ranks, const char *path,
                                       const uint32_t *labels, const uint32_t size[3],
                                       unsigned axes, uint32_t count);
/* The SHA-256 of labels as little-endian numbers, in hexadecimal digits: of those of all processes
 * where each has labels[pixels] of its part. */
CLUP_API clup_status clup_labels_sha256(const clup_ranks *ranks, const uint32_t *labels,
                                        uint64_t pixels, char hex[65]);
/* Draws labels for the eye, a PNG with a colour for each label, 0 black; the same label has the
 * same colour in each picture, and others may have it too. Of a volume up to 16 slices, evenly
 * spaced along z, stand row by row, with gray lines between them. Errors as above; path must end in
 * .png. */
CLUP_API clup_status clup_labels_draw(const char *path, const uint32_t *labels,
                                      const uint32_t size[3]);

/* ---- labelling of images --------------------------------------------------------------------- */

/* When neighbouring pixels are of one cluster. The foreground is what has clusters. */
typedef enum clup_match {
    CLUP_MATCH_EQUAL,     /* all channels are equal; a NaN equals nothing, not even itself */
    CLUP_MATCH_TOLERANCE, /* each channel is equal, as infinities may be, or differs by at most the
                             level, which a NaN does from nothing */
    CLUP_MATCH_NONZERO,   /* both are of the foreground: a channel other than alpha is not 0, as a
                             NaN is not */
    CLUP_MATCH_THRESHOLD, /* the same where a channel other than alpha is above the level; a NaN is
                             not */
    /* what the caller says: bit d of a pixel, for d = 0, 1, ..., its bond to the d-th of these
     * neighbours at (x, y, z)
     *   4:  (1 0 0) (0 1 0)
     *   8:  these, (1 1 0) (-1 1 0)
     *   6:  (1 0 0) (0 1 0) (0 0 1)
     *   18: those of 6, (1 1 0) (-1 1 0) (1 0 1) (-1 0 1) (0 1 1) (0 -1 1)
     *   26: those of 18, (1 1 1) (-1 1 1) (1 -1 1) (-1 -1 1)
     * Pixels are unsigned integers with a bit for each; bonds beyond the end of an open axis are
     * left out. Each pixel is of some cluster, and there is no background */
    CLUP_MATCH_BONDS,
    CLUP_MATCHES
} clup_match;

/* What to label. Neighbours beyond the end of an axis are those at its other end where it is
 * periodic. */
typedef struct clup_label_problem {
    uint32_t size[3]; /* pixels along x, y and z, each >= 1, product < 2^32 - 1; z is 1 in the plane
                       */
    unsigned connectivity; /* neighbours of a pixel: 4 or 8 in the plane, 6, 18 or 26 in a volume */
    int periodic[3];
    clup_dtype dtype;
    unsigned channels; /* 1, 3 or 4 */
    clup_match match;
    double level; /* see clup_match; for integers it is rounded down, for f32 to the nearest one. A
                     tolerance is not negative, for integers of up to 32 bits below 2^32 */
    int has_background;   /* with EQUAL and TOLERANCE: pixels that are equal to this one are not of
                             the foreground; a channel that is NaN here is equal to a NaN */
    double background[4]; /* [channels] */
    /* are added to these: of integers the sums are exact, so that all of 64 bits can be said */
    int64_t level_more, background_more[4];
    uint64_t reserved[3];
} clup_label_problem;

/* What labels are. */
typedef enum clup_label_form {
    CLUP_LABELS_NUMBERED, /* clusters are 1, 2, ... in raster order of their first pixels, the
                             background is 0 */
    CLUP_LABELS_CANONICAL /* of a cluster the number of its first pixel in raster order, of the
                             background 2^32 - 1 */
} clup_label_form;

struct _cl_mem;
struct _cl_event;
typedef struct clup_labelling clup_labelling;

/* Makes everything ready for labelling images of this kind, once: kernels and work buffers. The
 * context must outlive it. The first time that it has these kernels they label a small image, which
 * is compared with a serial labelling. When they differ, and the plan without one of its kernels is
 * right, it has that plan, the kernel is left out of plans to come, and
 * clup_context_warning says so; else CLUP_ERROR_VERIFY. CLUP_ERROR_USAGE for a problem that is
 * none, CLUP_ERROR_MEMORY when the device has no room for it. A context and what was made with it
 * are for one thread at a time; several threads take a context each. */
CLUP_API clup_status clup_labelling_create(clup_context *context, const clup_label_problem *problem,
                                           clup_labelling **out);
CLUP_API void clup_labelling_free(clup_labelling *labelling);
/* The plan that it has, which lives as long; NULL for NULL. */
CLUP_API const clup_plan *clup_labelling_plan(const clup_labelling *labelling);

/* Enqueues the labelling of an image in buffers of the caller's, of the context's: pixels are
 * size[0]*size[1]*size[2]*channels values in raster order (clup_image), labels as many uint32_t as
 * pixels, which may not be the same buffer. It starts when the count events of wait[] have passed,
 * and gives *event, the caller's to release, unless that is NULL. Does not wait. */
CLUP_API clup_status clup_labelling_enqueue(clup_labelling *labelling, struct _cl_mem *pixels,
                                            struct _cl_mem *labels, clup_label_form form,
                                            unsigned count, struct _cl_event *const *wait,
                                            struct _cl_event **event);
/* Waits for the last labelling, and says how many clusters it found; CLUP_ERROR_USAGE before the
 * first. */
CLUP_API clup_status clup_labelling_count(clup_labelling *labelling, uint32_t *clusters);

/* Seconds of a labelling: of the device's kernels (NAN where events have no times), of transfers,
 * and of all by the wall clock, which on first use has the compiling of kernels where a driver
 * (PoCL) leaves that to their first launch. */
typedef struct clup_label_timing {
    double device_s, transfer_s, wall_s;
    uint64_t reserved[5];
} clup_label_timing;

/* Labels an image of the host's, labels[size[0]*size[1]*size[2]]; clusters and timing may be
 * NULL. */
CLUP_API clup_status clup_labelling_run(clup_labelling *labelling, const void *pixels,
                                        clup_label_form form, uint32_t *labels, uint32_t *clusters,
                                        clup_label_timing *timing);

/* Labels an image of the host's that may be larger than a device takes: where it, or
 * max_slab_pixels > 0, has no room for the whole, or would take more of the host's memory than it
 * leaves, slabs along the last axis are labelled one after the other, of at least one layer each,
 * and joined on the host. labels[] are those that
 * clup_labelling_run would give, numbered; the image may have 2^32 pixels and more, one layer may
 * not. wall_s leaves out what is done once for a kind of image, as clup_labelling_create does.
 * Besides the errors of that: CLUP_ERROR_USAGE for more than 2^32 - 2 clusters, CLUP_ERROR_MEMORY
 * when a layer does not fit, or the host has no 4 bytes for each cluster of a slab, and 64 for each
 * that slabs have where they meet.
 *
 * Processes that the context has joined (clup_context_join) label an image together: the problem is
 * that of the whole; pixels and labels are those of the part that this process has, see
 * clup_image_options, at least one layer; *clusters is that of the whole, and the labels are the
 * same as one process gives. */
CLUP_API clup_status clup_label_image(clup_context *context, const clup_label_problem *problem,
                                      const void *pixels, uint64_t max_slab_pixels,
                                      uint32_t *labels, uint32_t *clusters,
                                      clup_label_timing *timing);
/* Turns the clusters of fewer than least pixels into background, and numbers the others anew in the
 * same order; labels[pixels] are at most *count, which becomes the number of those that are left.
 * *largest, unless NULL, are the pixels of the largest of them, 0 for none. CLUP_ERROR_USAGE for a
 * label above *count, CLUP_ERROR_MEMORY when the host has no 8 bytes a cluster. Of processes that
 * have parts of the image (ranks is NULL for one process) each has the labels of its own. */
CLUP_API clup_status clup_labels_drop_small(const clup_ranks *ranks, uint32_t *labels,
                                            uint64_t pixels, uint64_t least, uint32_t *count,
                                            uint64_t *largest);

/* ---- statistics of clusters ------------------------------------------------------------------ */

/* A cluster, in pixels. Coordinates are those of pixels, 0 to size[a] - 1. Along a periodic axis
 * around which a cluster does not wrap it is taken as one piece, unwrapped: where it goes on at the
 * other end, coordinates go on, from a first one in the image, 0 to size[a] - 1, to a last one that
 * may be size[a] or more; box, centroid and moments are those of that piece, and each coordinate
 * modulo size[a] is that of the pixel. Along a periodic axis around which the cluster wraps there
 * is no such piece, and coordinates are those in the image, 0 to size[a] - 1. Sums are made with
 * integers, and rounded once when they are divided: the same on every device and with every
 * plan. */
typedef struct clup_cluster {
    uint64_t size;
    uint32_t first[3], last[3]; /* bounding box, both inclusive; z is 0 in the plane */
    double centroid[3];         /* the mean of x, y and z */
    double moments[6]; /* central second moments xx, yy, zz, xy, xz and yz, means over pixels, in
                          pixels^2. NAN where the size times the box's lengths, less 1, along both
                          axes is 2^65 or more */
    double value[4]; /* the mean of each channel's values, 0 for channels that there are not: exact
                        but for one rounding of integers. Of floats each value is first rounded to
                        the nearest multiple of 2^-95 times a power of two above the largest of this
                        channel in this cluster (its pieces where it crosses a periodic end); NAN
                        when one is not finite */
    unsigned spans;  /* bit a: it has pixels at both ends of axis a, which is open; also for an axis
                        of one pixel */
    unsigned wraps;  /* bit a: a closed path inside it winds around axis a, which is periodic, a
                        number of times that is not 0 */
    uint64_t reserved[4];
} clup_cluster;

/* Measures the first clusters, those with labels 1 to clusters, of the image that was enqueued
 * last: out[clusters]. numbers are its labels as CLUP_LABELS_NUMBERED; pixels may be NULL, and
 * values are NAN then. Waits for the result. CLUP_ERROR_USAGE when the image has fewer clusters,
 * CLUP_ERROR_MEMORY when host or device have no room: it takes 0.4 GB of each at most; and where an
 * axis is periodic, on the device 4 bytes a pixel and 8 for each pixel at the end of such an axis,
 * on the host up to 400 for each of those. CLUP_ERROR_USAGE for a cluster that goes around so far
 * that a coordinate would be 2^32 or more. */
CLUP_API clup_status clup_labelling_measure(clup_labelling *labelling, struct _cl_mem *pixels,
                                            struct _cl_mem *numbers, uint32_t clusters,
                                            clup_cluster *out);
/* The same for the image of the last clup_labelling_run, which must have been with
 * CLUP_LABELS_NUMBERED; else CLUP_ERROR_USAGE. */
CLUP_API clup_status clup_labelling_measure_run(clup_labelling *labelling, uint32_t clusters,
                                                clup_cluster *out);

/* Writes clusters[count] by the extension of path, all or nothing; "-" is standard output, as CSV.
 * axes is 2 or 3 and channels 0 to 4; columns of z are left out in the plane. spans and wraps are
 * the axes' names, such as "xy", and empty for none.
 *
 * .csv   a line of names, and a line a cluster: label (1, 2, ...), size, first_x, first_y, first_z,
 *        last_x, ..., centroid_x, ..., moment_xx, moment_yy, moment_zz, moment_xy, moment_xz,
 *        moment_yz, value_0, ..., spans, wraps; nan for no number
 * .json  {"axes":.., "channels":.., "clusters":[{"label":1, "size":.., "first":[x, y, z],
 *        "last":[..], "centroid":[..], "moments":[xx, yy, zz, xy, xz, yz], "value":[..],
 *        "spans":"", "wraps":""}, ..]}; moments in the plane are [xx, yy, xy]; null for no number
 *
 * CLUP_ERROR_USAGE for another extension, axes or channels, CLUP_ERROR_RUNTIME when the file cannot
 * be written. */
CLUP_API clup_status clup_clusters_write(const char *path, const clup_cluster *clusters,
                                         uint32_t count, unsigned axes, unsigned channels);

#ifdef __cplusplus
}
#endif
#endif
