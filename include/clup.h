/* clup: clusters of a lattice on any OpenCL device.
 *
 * The one public header. Every function that can fail returns a clup_status; what went wrong, with the
 * offending value, is the text of clup_error_detail(), kept for each thread until its next failure.
 * Objects are opaque or plain structs; what a function creates is released with the matching _free,
 * which accepts NULL. An object may be used by one thread at a time; different objects are independent,
 * except that simulations sharing a context must not run at the same time. */
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

/* ---- status ------------------------------------------------------------------------------------- */

/* Also the exit codes of the program. */
typedef enum clup_status {
    CLUP_OK = 0,              /* all went well */
    CLUP_ERROR_RUNTIME = 1,   /* an OpenCL command, a file or the system failed */
    CLUP_ERROR_USAGE = 2,     /* an argument is not valid; the detail names it and its value */
    CLUP_ERROR_NO_DEVICE = 3, /* no OpenCL platform, or no device that matches the selector */
    CLUP_ERROR_BUILD = 4,     /* a kernel did not compile; the detail holds the build log */
    CLUP_ERROR_MEMORY = 5,    /* host or device memory, or the device's largest allocation, is too small */
    CLUP_ERROR_VERIFY = 6     /* a result failed its verification */
} clup_status;

/* The status in words; never NULL. */
CLUP_API const char *clup_status_text(clup_status status);
/* What the last failure of this thread was about; never NULL, valid until the next failure. */
CLUP_API const char *clup_error_detail(void);
/* The version of the library, such as "0.1.0". */
CLUP_API const char *clup_version(void);

/* ---- devices ------------------------------------------------------------------------------------ */

/* A device as found. Strings belong to the list or context it came from; "" where not known. */
typedef struct clup_device_info {
    unsigned platform_index, device_index; /* the P:D of a selector */
    const char *name, *platform, *vendor, *driver;
    const char *type; /* "gpu", "accelerator", "cpu" or "other"; "host" for the serial reference */
    const char *uuid; /* 32 hexadecimal digits */
    const char *pci;  /* domain:bus:device.function */
    unsigned compute_units;
    uint64_t local_mem_bytes;
} clup_device_info;

typedef struct clup_device_list clup_device_list;

/* All devices of all platforms, in the loader's order. CLUP_ERROR_NO_DEVICE when there is no platform or no
 * device; the detail says what to install. */
CLUP_API clup_status clup_device_list_create(clup_device_list **list);
CLUP_API void clup_device_list_free(clup_device_list *list);
CLUP_API size_t clup_device_count(const clup_device_list *list);
CLUP_API const clup_device_info *clup_device_get(const clup_device_list *list, size_t device);
/* Index of the device that selector picks: "P:D", "gpu", "cpu", "accelerator", a UUID, a PCI address, or part
 * of a device's or platform's name, compared without case. NULL or "" takes CLUP_DEVICE from the environment and
 * without it the first GPU, else the first accelerator, else the first CPU. CLUP_ERROR_NO_DEVICE when nothing
 * matches. */
CLUP_API clup_status clup_device_find(const clup_device_list *list, const char *selector, size_t *device);

typedef enum clup_value_kind { CLUP_VALUE_NONE, CLUP_VALUE_TEXT, CLUP_VALUE_NUMBER, CLUP_VALUE_LIST, CLUP_VALUE_FLAG } clup_value_kind;

/* One property of a device, from the library's table of properties. */
typedef struct clup_property {
    const char *key;   /* a name for programs, such as "max_work_group_size" */
    const char *label; /* a name for people */
    const char *unit;  /* "B", "MHz", ...; "" for none */
    clup_value_kind kind;
    char text[256];     /* CLUP_VALUE_TEXT */
    uint64_t number[8]; /* NUMBER and FLAG in number[0], LIST in number[0..count-1] */
    unsigned count;
} clup_property;

/* How many properties the table has. */
CLUP_API size_t clup_property_count(void);
/* Property row of a device; kind CLUP_VALUE_NONE when it does not apply to that device. */
CLUP_API void clup_device_property(const clup_device_list *list, size_t device, size_t row, clup_property *property);

/* ---- context ------------------------------------------------------------------------------------ */

typedef struct clup_context clup_context;

/* A context and an in-order queue on the device that selector picks, see clup_device_find. */
CLUP_API clup_status clup_context_create(const char *selector, clup_context **context);
CLUP_API void clup_context_free(clup_context *context);
CLUP_API const clup_device_info *clup_context_device(const clup_context *context);

/* ---- problem ------------------------------------------------------------------------------------ */

typedef enum clup_lattice_kind { CLUP_LATTICE_SQUARE } clup_lattice_kind;
typedef enum clup_start { CLUP_START_ORDERED, CLUP_START_RANDOM } clup_start;

/* A Potts model, H = -sum over bonds of delta(s_i, s_j).
 * Site i = x + size[0]*y. Each site has one bond to its neighbour at x+1 and one to that at y+1; on an open axis the
 * last site has none, on a periodic one it goes to the first. So on a periodic axis of size 1 the bond joins a site
 * with itself (it is always satisfied and changes nothing but adds -1 a site to H), and on one of size 2 each pair is
 * joined by two bonds. */
typedef struct clup_problem {
    clup_lattice_kind lattice;
    uint32_t size[2]; /* sites along x and y, each >= 1, product < 2^32 - 1 */
    int periodic[2];  /* each axis: periodic when non-zero */
    unsigned q;       /* states, 2 to 256 */
    double beta;      /* J/(k_B T) >= 0; infinity is the ground state */
} clup_problem;

/* CLUP_ERROR_USAGE names the first field that is out of range. */
CLUP_API clup_status clup_problem_check(const clup_problem *problem);
/* Critical inverse temperature of the infinite lattice; ln(1 + sqrt q) for square. */
CLUP_API double clup_critical_beta(clup_lattice_kind lattice, unsigned q);
/* Exact internal energy <H>/N and specific heat of the q = 2 model on an nx x ny torus at 0.001 <= beta <= 20 (Kaufman
 * 1949; Ferdinand and Fisher, Phys. Rev. 185, 832 (1969)). CLUP_ERROR_USAGE for any other problem. */
CLUP_API clup_status clup_exact_ising(const clup_problem *problem, double *energy, double *specific_heat);

/* ---- method ------------------------------------------------------------------------------------- */

/* How spins are updated. Each sweep starts from the clusters of the Fortuin-Kasteleyn bonds. */
typedef enum clup_algorithm {
    CLUP_SWENDSEN_WANG, /* "sw": every cluster takes a spin drawn afresh (Swendsen and Wang 1987) */
    CLUP_WOLFF,         /* "wolff": the cluster of a random site takes one of the other q-1 spins (Wolff 1989) */
    CLUP_FEW_CLUSTER,   /* "few-cluster": so do, with a probability, the clusters of one random site in each of S x S parts
                           of the lattice, which are grown without labelling the rest (Weigel 2011) */
    CLUP_ALGORITHMS
} clup_algorithm;

/* The Markov chain that is run. All zeros is Swendsen-Wang with Philox. */
typedef struct clup_method {
    clup_algorithm algorithm;
    const char *rng;         /* generator of random numbers, see clup_rng_name; NULL for "philox" */
    unsigned seeds_per_side; /* of few-cluster: S, 1 to the shorter axis */
    double p_flip;           /* of few-cluster: between 0 and 1, both excluded */
} clup_method;

/* Names of algorithms and of generators of random numbers, and what they are; NULL past the end. */
CLUP_API const char *clup_algorithm_name(clup_algorithm algorithm);
CLUP_API const char *clup_rng_name(size_t row);
CLUP_API const char *clup_rng_about(size_t row);
/* CLUP_ERROR_USAGE names what is out of range, and why. method NULL is all zeros, here and below. */
CLUP_API clup_status clup_method_check(const clup_problem *problem, const clup_method *method);

/* ---- plan --------------------------------------------------------------------------------------- */

typedef enum clup_stage { CLUP_SOURCE, CLUP_LOCAL, CLUP_CONSOLIDATE, CLUP_ACTION, CLUP_MEASURE, CLUP_STAGES } clup_stage;

/* The name of a stage, and of the rows of its table; NULL past the end. */
CLUP_API const char *clup_stage_name(clup_stage stage);
CLUP_API const char *clup_kernel_name(clup_stage stage, size_t row);
CLUP_API const char *clup_kernel_about(clup_stage stage, size_t row);

/* What the caller forces; NULL and 0 leave the choice to the planner. */
typedef struct clup_plan_request {
    const char *source, *local, *consolidate, *action; /* names of rows */
    const char *bonds;                                 /* layout, "char" or "word" */
    unsigned tile;                                     /* sites along a tile's edge */
} clup_plan_request;

/* One row of each table, for one device, problem and method. Names are static, and NULL for a stage that the method does
 * not have. */
typedef struct clup_plan {
    const char *source, *bonds, *local, *consolidate, *action;
    unsigned tile[2];
    char why[256];
} clup_plan;

/* Chooses a plan; with context NULL it only checks names, and takes any tile. CLUP_ERROR_USAGE for an unknown name (the detail lists the known ones) or a tile that does not fit
 * (the detail says what would). */
CLUP_API clup_status clup_plan_choose(const clup_context *context, const clup_problem *problem, const clup_method *method,
                                      const clup_plan_request *request, clup_plan *plan);

/* ---- simulation --------------------------------------------------------------------------------- */

typedef struct clup_simulation clup_simulation;

/* A simulation. context NULL runs the serial reference on the host, for which plan is ignored and rng must be philox. With
 * Philox and the same problem, method, seed and start the spins after any number of sweeps are the same, bit for bit, for
 * every context and plan. The context must outlive the simulation; problem and plan are copied. On a device the plan's kernels first do two
 * sweeps of a small lattice, which are compared with the reference: CLUP_ERROR_VERIFY when they differ. */
CLUP_API clup_status clup_simulation_create(clup_context *context, const clup_problem *problem, const clup_method *method,
                                            const clup_plan *plan, uint64_t seed, clup_start start, clup_simulation **simulation);
CLUP_API void clup_simulation_free(clup_simulation *simulation);

/* Called between batches of sweeps with the number done in this run; a non-zero return ends the run early. */
typedef int clup_progress(uint64_t done, uint64_t sweeps, void *user);

/* Runs sweeps; with measure non-zero each one is measured and appended to the series. progress may be NULL. */
CLUP_API clup_status clup_simulation_run(clup_simulation *simulation, uint64_t sweeps, int measure,
                                         clup_progress *progress, void *user);
/* Copies the spins, one byte 0..q-1 a site in raster order, to spins[size[0]*size[1]] of the caller. */
CLUP_API clup_status clup_simulation_spins(clup_simulation *simulation, uint8_t *spins);

/* An estimate. error is one standard deviation, NAN when there are too few data; tau_int is the integrated
 * autocorrelation time in sweeps, 1/2 + sum of rho, NAN for a quantity that is no mean of a series. */
typedef struct clup_estimate {
    double mean, error, tau_int;
} clup_estimate;

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
    CLUP_UPDATED,         /* sites in the clusters that were given a new spin, a site; 1 for Swendsen-Wang */
    CLUP_OBSERVABLES
} clup_observable;

CLUP_API const char *clup_observable_name(clup_observable observable);
/* Clusters are counted by Swendsen-Wang only; elsewhere their mean is NAN. */
/* Estimates estimates[CLUP_OBSERVABLES] from the series measured so far: errors by binning and, for the nonlinear
 * ones, by the jackknife over the same bins, whose length is 20 times the longest integrated autocorrelation time
 * (Madras-Sokal window), or less so that there are at least 32 bins; errors from bins shorter than 2 tau_int are enlarged
 * by sqrt(2 tau_int/length). CLUP_ERROR_USAGE when nothing was measured. */
CLUP_API clup_status clup_simulation_estimate(const clup_simulation *simulation, clup_estimate *estimates);

/* Times of the measured runs. stage_ps are picoseconds a site and sweep by device events (host clock for the serial
 * reference), NAN where the device's events cannot be used; update_ps is their sum without measuring.
 * iterations are those of iterative kernels in the last sweep, counting the one that changed nothing: passes of local labelling,
 * the mean over tiles, and iterations of label relaxation; NAN for other stages and kernels. */
typedef struct clup_timing {
    uint64_t sweeps;
    double wall_s, update_ps, stage_ps[CLUP_STAGES];
    double iterations[CLUP_STAGES];
} clup_timing;
CLUP_API void clup_simulation_timing(const clup_simulation *simulation, clup_timing *timing);

/* ---- files -------------------------------------------------------------------------------------- */

/* SHA-256 of size bytes as 64 hexadecimal digits and a final NUL. */
CLUP_API void clup_sha256(const void *data, size_t size, char hex[65]);
/* CLUP_ERROR_RUNTIME when a file cannot be created at path; leaves nothing behind. */
CLUP_API clup_status clup_file_writable(const char *path);
/* Writes bytes[rows*columns] as a NumPy array of uint8 of shape (rows, columns), all or nothing. */
CLUP_API clup_status clup_npy_write_u8(const char *path, const uint8_t *bytes, size_t rows, size_t columns);

#ifdef __cplusplus
}
#endif
#endif
