/* SPDX-License-Identifier: BSD-3-Clause */
/* The options and results of clup simulate. Commands about simulated systems share the options and
 * the wording. */
#ifndef CLUP_CLI_SIMULATE_SIMULATE_H
#define CLUP_CLI_SIMULATE_SIMULATE_H
#include <math.h>

#include "cli/cli.h"
#include "cli/json.h"

/* The library has at most so many observables. */
#define SIMULATE_OBSERVABLES 256

/* The most axes of a lattice of cells (clup_graph_of_lattice). */
#define SIMULATE_AXES 8

/* The most errors that --until takes. */
#define SIMULATE_TARGETS 16

typedef struct simulate_request {
    clup_problem problem;
    char coupling[CLUP_FIELD_TEXT]; /* of --coupling, which simulate_settle reads for the lattice */
    unsigned size_count; /* axes that --size sets; problem.size is complete after simulate_settle */
    uint32_t cells[SIMULATE_AXES]; /* numbers of --size */
    unsigned open;                 /* axes of --open, bit a for axis a */
    char cell[4096];               /* --lattice, where it is hypercubic or a file; else empty */
    clup_method method;
    clup_plan_request plan;
    clup_start start;
    uint64_t sweeps, thermalize, seed;
    int settles; /* all sweeps are measured, and the first ones that lead to equilibrium left out;
                    thermalize is 0 */
    enum { SEED_DEFAULT, SEED_GIVEN, SEED_RANDOM } seed_kind;
    double beta_value;
    enum { BETA_DEFAULT, BETA, BETA_RATIO, TEMPERATURE, BETA_LIST, BETA_TWICE } beta_kind;
    double *betas; /* betas[beta_count]: those of BETA_LIST; after simulate_settle one for each
                      replica */
    uint32_t beta_count;
    double *schedule; /* schedule[steps], in order of time; NULL where temperatures stay */
    uint32_t steps;
    int population; /* systems are drawn anew at each step of the schedule */
    int tempering;  /* BETA_LIST is a ladder, between whose temperatures systems are exchanged */
    uint64_t swap_every;
    uint64_t tempering_tune; /* sweeps that place the temperatures of the ladder; 0 for none */
    const char *until;       /* as it was given, NULL for none; */
    clup_target targets[SIMULATE_TARGETS]; /* what it says: targets[target_count] */
    size_t target_count;
    clup_view view;       /* what pictures show */
    uint64_t watch_every; /* sweeps from one picture of --watch to the next; 0 for none */
    const char *watch;    /* the file of these pictures; NULL for the terminal */
    const char *device, *save_spins, *series, *checkpoint;
    double save_every;           /* least seconds between two saves of series and checkpoint */
    double time_limit;           /* the most seconds that the run may take */
    const clup_checkpoint *from; /* the checkpoint that is resumed; NULL for a new run */
    int reference, measure, json, quiet;
    int each_replica; /* the table has a line for each, also where it has their averages */
    clup_observable observables[SIMULATE_OBSERVABLES]; /* to be measured, besides those known from
                                                          the spins */
    size_t observable_count;
    uint64_t measure_every;
} simulate_request;

/* The number of observables; an observable's number is below it. */
unsigned simulate_observables(void);
/* Whether an observable is measured even when no option asks for it. */
int simulate_by_the_way(clup_observable observable);
/* The defaults of a request. */
/* clang-format off */
#define SIMULATE_WISH \
    { \
        .problem = {.periodic = {1, 1, 1}, .q = 2}, \
        .method = {.seeds_per_side = 4, .p_flip = 0.9}, .plan = {.seed = 1}, .sweeps = 1000, \
        .thermalize = 100, .seed = 1, .measure_every = 1, .swap_every = 1, .save_every = 60, \
        .time_limit = INFINITY, .view = {.plane = CLUP_VIEW_MIDDLE} \
    }
/* clang-format on */

typedef struct simulate_result {
    const simulate_request *request;
    clup_device_info device;
    clup_plan plan;
    uint64_t sweeps, thermalize;      /* done; fewer than asked for when interrupted */
    uint64_t measured;                /* of the sweeps done */
    clup_equilibration equilibration; /* of a run that settles, if sweeps were measured */
    int interrupted;                  /* by a signal, or by the time limit: */
    int late;
    int reached; /* whether the errors of --until are */
    clup_timing timing;
    uint32_t rows; /* replicas of the problem; in a schedule, replicas of all complete steps */
    struct simulate_replica {
        clup_estimate *estimates; /* by number, of observables with one value; NULL for none */
        struct simulate_vector {  /* of an observable with several values */
            size_t length;        /* 0 where it was not measured */
            double *at;
            clup_estimate *estimates;
        } * vectors; /* by number; NULL for none */
        char spins_sha256[65];
    } * replicas;
    struct simulate_average {
        double beta;
        uint32_t systems, samples;
        clup_average *of; /* by number, of observables with one value; NAN where not measured */
        struct simulate_average_vector { /* of an observable with several values */
            size_t length;               /* 0 where it was not measured */
            double *at;
            clup_average *of;
        } * vectors; /* by number */
    } * averages;    /* of each temperature that several systems have */
    uint32_t average_count;
    char spins_sha256[65]; /* of all systems, where there are several; "" in a schedule */
    struct simulate_population {
        clup_population_step of;
        char spins_sha256[65];
    } * population; /* of the complete steps */
    uint32_t population_steps;
    clup_tempering tempering;
    clup_rung *rungs;     /* of each replica, with tempering */
    clup_walker *walkers; /* of each system, with tempering */
} simulate_result;

/* The options; the last has a NULL name. Their target is a simulate_request. */
extern const cli_option simulate_options[];
/* Rows of options that several commands have. */
/* clang-format off */
#define FIELD_OPTION(KEY) {CLI_FIELDS, 0, KEY, NULL, simulate_set_field}
#define FIELD_OPTIONS(MODEL, PARTS) {CLI_FIELDS, PARTS, NULL, MODEL, simulate_set_field}
#define TEMPERATURE_OPTIONS \
    {"beta", 0, "X", "inverse temperature J/(k_B T); inf is allowed", \
     simulate_set_beta}, \
    {"beta-ratio", 0, "X", "--beta in units of the critical one (1)", simulate_set_beta_ratio}, \
    {"temperature", 0, "X", "k_B T/J > 0, in place of --beta; T_c = 2.2692 for square ising", \
     simulate_set_temperature}
/* clang-format on */
#define SYSTEM_OPTIONS FIELD_OPTIONS("Potts", CLUP_FIELD_LAW | CLUP_FIELD_SIZE), TEMPERATURE_OPTIONS
/* clang-format off */
#define REPLICA_OPTIONS \
    FIELD_OPTIONS("Potts", CLUP_FIELD_REPLICAS), \
    {"betas", 0, "FROM:TO:N|X,X,..", "several temperatures at once, R replicas of each", \
     simulate_set_betas}
#define SEED_OPTION \
    {"seed", 0, "N|random", \
     "of all random numbers; runs with the same seed are correlated, whatever else differs (1)", \
     simulate_set_seed}
#define METHOD_OPTIONS \
    {"algorithm", 0, "sw|wolff|few-cluster|heat-bath", \
     "Swendsen-Wang, Wolff, some clusters at once, or site by site (sw)", \
     simulate_set_algorithm}, \
    {"heat-bath", 0, "N", "sweeps of the heat bath before each sweep of clusters, up to 32 (0)", \
     simulate_set_heat_bath}, \
    {"houdayer", 0, "N", \
     "Houdayer's moves of pairs of systems with the same couplings before each sweep (0)", \
     simulate_set_houdayer}, \
    {"overrelaxation", 0, "N", "sweeps of overrelaxation before each sweep, up to 32 (0)", \
     simulate_set_overrelaxation}, \
    {"seeds-per-side", 0, "S", "few-cluster: grows S x S clusters a sweep (4)", \
     simulate_set_seeds}, \
    {"p-flip", 0, "X", "few-cluster: updates a grown cluster with X < 1 (0.9)", \
     simulate_set_p_flip}, \
    {"rng", 0, "G", "generator of random numbers (philox)", simulate_set_rng}
#define KERNEL_OPTIONS \
    {"device", 0, "D", "P:D, part of a name, UUID, PCI address, gpu, cpu", simulate_set_device}, \
    {"source", 0, "K", "kernel that activates bonds", simulate_set_source}, \
    {"local", 0, "K", "kernel that labels inside tiles", simulate_set_local}, \
    {"consolidate", 0, "K", "kernel that joins clusters of different tiles", \
     simulate_set_consolidate}, \
    {"action", 0, "K", "kernel that updates the spins of clusters", simulate_set_action}, \
    {"bonds", 0, "char|word|border|resident|bands|spins|vectors|vectors-alone|graph", \
     "layout of spins and bonds; bands for images, spins and vectors-alone for heat-bath", \
     simulate_set_bonds}
#define PLAN_OPTIONS \
    KERNEL_OPTIONS, \
    {"tile", 0, "B", "sites along the edge of a tile, 1 to 4096; runs has its tiles 32 wide", \
     simulate_set_tile}, \
    {"plan", 0, "tuned|estimate|measure|random", "how the rest is chosen (tuned)", \
     simulate_set_strategy}, \
    {"between", 0, "gather|tree|relax", \
     "how several processes unite the clusters of their subdomains", \
     simulate_set_between}
/* clang-format on */
/* Options that say how a run goes, and what becomes of its results. */
/* clang-format off */
#define RUN_OPTIONS \
    PLAN_OPTIONS, \
    {"reference", 0, NULL, "run the serial reference instead of a device", \
     simulate_set_reference}, \
    {"save-spins", 0, "F.npy|F.png|-", \
     "write the last spins as a NumPy array or a picture; - is the array on standard output", \
     simulate_set_save_spins}, \
    {"plane", 0, "x=N|y=N|z=N|all", \
     "the plane of a volume that a picture shows, or 16 of them (z=middle)", simulate_set_plane}, \
    {"watch", 0, "N|F.png|N:F.png", \
     "draw the spins every N sweeps, on the terminal or in a file (1)", simulate_set_watch}, \
    {"series", 0, "F.h5|F.csv", "write every measured value, as HDF5 or a table", \
     simulate_set_series}, \
    {"checkpoint", 0, "F.h5", "write what clup resume goes on from", simulate_set_checkpoint}, \
    {"save-every", 0, "T", \
     "time from one writing of --series and --checkpoint to the next, such as 90, 5m (60)", \
     simulate_set_save_every}, \
    {"time-limit", 0, "T", "end, as after a signal, when this time is over: 90, 30m, 3h, 1d", \
     simulate_set_time_limit}, \
    {"each-replica", 0, NULL, "a line for each replica as well, where the table has averages", \
     simulate_set_each_replica}, \
    {"json", 0, NULL, "print one JSON object instead of a table", simulate_set_json}, \
    {"quiet", 'q', NULL, "no progress bar", simulate_set_quiet}
/* clang-format on */
#define SETTER(NAME) clup_status simulate_set_##NAME(void *target, const char *value)
SETTER(field);
SETTER(bond_couplings);
SETTER(graph);
SETTER(beta);
SETTER(beta_ratio);
SETTER(temperature);
SETTER(betas);
SETTER(algorithm);
SETTER(seeds);
SETTER(p_flip);
SETTER(heat_bath);
SETTER(houdayer);
SETTER(overrelaxation);
SETTER(rng);
SETTER(device);
SETTER(source);
SETTER(local);
SETTER(consolidate);
SETTER(action);
SETTER(bonds);
SETTER(tile);
SETTER(strategy);
SETTER(between);
SETTER(seed);
SETTER(reference);
SETTER(sweeps);
SETTER(until);
SETTER(observables);
SETTER(save_spins);
SETTER(plane);
SETTER(watch);
SETTER(series);
SETTER(checkpoint);
SETTER(save_every);
SETTER(time_limit);
SETTER(each_replica);
SETTER(json);
SETTER(quiet);
#undef SETTER
void simulate_more_help(FILE *to);
/* Prints which energy the temperatures belong to, with the critical temperature. */
void simulate_energy_help(FILE *to);
/* Warns when the temperatures that are asked for are near the critical one of the other usual
 * energy of the Ising model. */
void simulate_warn_energy(const simulate_request *request);
/* Adds the observables of --until to those that are measured, unless they are already. */
void simulate_measure_targets(simulate_request *request);
/* Makes a problem of the options. Returns 0, or an exit code after a message. */
int simulate_settle(simulate_request *request);
/* Sets the sites along each axis alone. Returns 0, or an exit code after a message. */
int simulate_settle_size(simulate_request *request);

/* Parts of reports. Lines: the problem, its lattice (no end of line), the plan. JSON: the object
 * plan; the objects device, problem and plan. */
void simulate_print_problem(const simulate_request *request);
/* Writes the lattice, the size and which axes are periodic to text; returns the length. */
#define SIMULATE_PROBLEM (512 + CLI_MORE_FIELDS)
size_t simulate_lattice_text(const clup_problem *problem, char text[SIMULATE_PROBLEM]);
/* Prints the line of the seed, with what a reader must know about it. */
void simulate_print_seed(const simulate_request *request);
void simulate_write_plan(json *json, const clup_problem *problem, const clup_plan *plan);
void simulate_print_plan(const clup_plan *plan);
/* The plan of a run is made in three steps. First, before a device is opened, simulate_check_plan
 * refuses what no device can do. With --reference, *plan becomes what reports show for the
 * reference. */
clup_status simulate_check_plan(const simulate_request *request, const clup_method *method,
                                clup_plan *plan);
/* Second, on the device: chooses the plan, and prints its warning. */
clup_status simulate_choose_plan(clup_context *context, const simulate_request *request,
                                 const clup_method *method, clup_plan *plan);
/* Third, after the known-answer test: puts the plan that is run, NULL for none, in place of the
 * chosen plan, and prints the warning of the run plan when it is another one. */
void simulate_take_plan(const clup_plan *run, clup_plan *chosen);
/* Writes layout, kernels and tile alone to text. */
#define SIMULATE_KERNELS 512
void simulate_kernels_text(const clup_plan *plan, char text[SIMULATE_KERNELS]);
void simulate_write_setup(json *json, const clup_device_info *device, const clup_problem *problem,
                          const clup_plan *plan);
/* What reports show for the serial reference in place of a device. */
clup_device_info simulate_host(void);
/* Validates the files of --series, --checkpoint and --save-spins, each of which may be left out.
 * Returns 0, or an exit code after a message. */
int simulate_save_check(const simulate_request *request);
/* simulate_draws_spins: whether --save-spins asks for a picture. simulate_draw_spins draws the
 * spins to a file. simulate_check_plane validates --plane; it returns 0, or an exit code after a
 * message. simulate_write_spins writes the file of --save-spins. */
int simulate_draws_spins(const simulate_request *request);
clup_status simulate_draw_spins(clup_simulation *simulation, const simulate_request *request,
                                const char *path);
int simulate_check_plane(const simulate_request *request);
clup_status simulate_write_spins(clup_simulation *simulation, const simulate_request *request);
/* The seconds that the run may take: by --time-limit and, when a checkpoint lets a later job go on,
 * by the end of the Slurm job. */
double simulate_time_left(const simulate_request *request);
/* Validates that the files that are asked for can be written. */
clup_status simulate_check_writable(const simulate_request *request);
/* simulate_check_watch validates --watch; it returns 0, or an exit code after a message.
 * simulate_on_screen: whether it draws on the terminal. simulate_sweep does sweeps, as
 * clup_simulation_run, and shows the spins as --watch says. */
int simulate_check_watch(const simulate_request *request);
int simulate_on_screen(const simulate_request *request);
clup_status simulate_sweep(clup_simulation *simulation, const simulate_request *request,
                           uint64_t sweeps, int measure, clup_progress *progress);
/* simulate_save_begin prepares to save the series and the state of a simulation that is about to
 * run. simulate_save_progress saves both from time to time. At the end call simulate_save_state
 * first, then simulate_save_end, which writes the series with the hashes of the spins.
 * simulate_save_end returns an exit code, after a message when either could not be saved. */
clup_status simulate_save_begin(clup_simulation *simulation, const simulate_result *result);
int simulate_save_progress(uint64_t done, uint64_t sweeps, void *unused);
void simulate_save_state(void);
/* Begins the series anew, of the sweeps that are not left out. */
clup_status simulate_save_settled(const simulate_result *result);
/* In a schedule: simulate_save_step keeps the series of a complete step; simulate_save_end writes
 * the series of all steps. */
clup_status simulate_save_step(const clup_simulation *simulation, const simulate_result *result);
int simulate_save_end(const simulate_result *result);
/* Runs a request and reports its result. Returns the exit code. */
int simulate_run(const simulate_request *request);
/* At the end of a run, appends a row of results for each replica. */
clup_status simulate_take_rows(clup_simulation *simulation, simulate_result *result);
/* Allocates a row of results; estimates are NAN. */
void simulate_begin_row(struct simulate_replica *replica);
void simulate_free_rows(const simulate_result *result);
/* The number of replicas of a problem, and the temperature of a row of results. */
uint32_t simulate_replicas(const simulate_request *request);
double simulate_row_beta(const simulate_result *result, uint32_t row);
/* Whether a row is the first of its step with its temperature, and whether it is the only one. */
int simulate_row_leads(const simulate_result *result, uint32_t row);
int simulate_row_alone(const simulate_result *result, uint32_t row);
/* The number of complete steps of a schedule. */
uint32_t simulate_steps(const simulate_result *result);
/* Runs a schedule: at each temperature all sweeps that were asked for, then appends the rows of the
 * step. */
clup_status simulate_anneal(clup_simulation *simulation, simulate_result *result);
/* Keeps the results of a step of population annealing. */
clup_status simulate_population_take(clup_simulation *simulation, clup_population *population,
                                     simulate_result *result);
void simulate_print_population(const simulate_result *result);
void simulate_write_population(json *json, const simulate_result *result);
/* With tempering: gets the results, prints them as a table, writes them as a part of a JSON object,
 * and frees them. */
clup_status simulate_take_tempering(const clup_simulation *simulation, simulate_result *result);
void simulate_print_tempering(const simulate_result *result);
void simulate_write_tempering(json *json, const simulate_result *result);
void simulate_free_tempering(simulate_result *result);
/* Print the result as a table, or write it as JSON. */
void simulate_print_table(const simulate_result *result);
void simulate_write_json(const simulate_result *result);

#endif
