/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a simulation. */
#ifndef CLUP_RUN_SIMULATION_H
#define CLUP_RUN_SIMULATION_H
#include "run/engine.h"
#include "estimate/estimate.h"
#include "run/sweep_records.h"
#include "run/tempering.h"

/* The series of some replicas, whose records are stored side by side, as far as they are computed.
 * Together they have about so many sweeps at most. */
#define REPLICAS_MOST 16
#define REPLICAS_VALUES (1u << 18)
typedef struct replica_series {
    clup_history histories[REPLICAS_MOST];
    uint32_t first, count;
} replica_series;

/* Element k has number k of the replicas in the order of their temperatures; and of replica k the
 * first one and the next one that has its temperature. */
typedef struct clup_alike {
    double beta;
    uint32_t replica, first, next;
} clup_alike;

struct clup_simulation {
    clup_engine *engine;
    bool on_device;
    clup_plan plan; /* on a device */
    clup_problem problem;
    double *betas;          /* betas[replicas], by places */
    clup_alike *alike;      /* alike[replicas] */
    double *unsatisfied;    /* unsatisfied[replicas]: the energies without satisfied bonds */
    clup_vacancies *vacant; /* vacant[replicas] */
    double *links;      /* links[replicas]: their bonds, 0 for models without links (overlap.h) */
    uint32_t *mates;    /* mates[replicas], by places, of a method with Houdayer's moves */
    uint32_t *partners; /* partners[replicas], by places, set where overlaps are measured */
    bool unsettled;     /* the engine has betas or partners that differ from these */
    bool several;       /* the problem was given betas, not beta */
    clup_method method;
    uint64_t seed;
    clup_ladders *ladders;      /* NULL where no system leaves its place */
    clup_sweep_records records; /* by places */
    replica_series *asked; /* series of the replica that was asked for last, and of its neighbours
                            */
    bool streams;          /* the generator has a state of its own */
    uint64_t sweeps;       /* the number of the next sweep */
    uint64_t timed;        /* sweeps of runs that measured */
    double wall_s, stage_s[CLUP_STAGES];
    uint64_t rounds, bytes; /* transfers to this process, and their bytes */
};

/* Describes the system that the records of a replica are of. */
clup_system clup_simulation_system(const clup_simulation *simulation, uint32_t replica);
/* Gives the series of a replica, up to date, until those of another one are asked for. */
clup_status clup_simulation_history(const clup_simulation *simulation, uint32_t replica,
                                    const clup_history **series);
void clup_replica_series_clear(replica_series *some);
/* Calls visit, in several threads, with the series of each of count replicas from the first on, in
 * any order. Returns the status of a visit that failed. */
typedef clup_status clup_visit(void *user, uint32_t replica, const clup_history *history,
                               const clup_system *system);
clup_status clup_simulation_visit(const clup_simulation *simulation, uint32_t first, uint32_t count,
                                  clup_visit *visit, void *user);
/* Sets what later sweeps measure; CLUP_ERROR_USAGE if sweeps were measured already. */
clup_status clup_simulation_measure(clup_simulation *simulation, const clup_measuring *measuring);
/* Drops all measured sweeps. */
void clup_simulation_forget(clup_simulation *simulation);
/* The format of records that have only what the spins alone tell. */
uint32_t clup_simulation_spin_format(const clup_simulation *simulation);

/* Finds which replicas have the same inverse temperature; to be called when betas have changed. */
void clup_simulation_find_alike(clup_simulation *simulation);
/* Return the first replica that has the inverse temperature of a replica, and the first after it;
 * the number of replicas where none has. */
uint32_t clup_simulation_first_alike(const clup_simulation *simulation, uint32_t replica);
uint32_t clup_simulation_next_alike(const clup_simulation *simulation, uint32_t replica);
/* CLUP_ERROR_USAGE where the error of the average of an observable over the several systems at the
 * temperature of a replica says nothing, however long the run is: it is not known, or by fewer than
 * CLUP_SAMPLES_LEAST samples of disorder. */
clup_status clup_simulation_has_error(const clup_simulation *simulation, uint32_t replica,
                                      clup_observable observable);

/* Sets *reached to whether the errors of all targets[count] are reached, as
 * clup_simulation_run_until looks at them; 0 when nothing was measured. */
clup_status clup_simulation_reached(const clup_simulation *simulation, const clup_target *targets,
                                    size_t count, int *reached);

/* Finds the mates of all places for Houdayer's moves, if the method has them. */
clup_status clup_simulation_find_mates(clup_simulation *simulation);
/* Gives the engine the temperatures of the places at which its systems are, and their partners
 * where overlaps are measured, unless it has them already. */
clup_status clup_simulation_settle(clup_simulation *simulation);
/* Sweeps to the next exchange of systems, 1 or more; without tempering more than a simulation can
 * have. */
uint64_t clup_simulation_to_exchange(const clup_simulation *simulation);
/* Prepares for batches that add records to the series. */
clup_status clup_simulation_ready_places(clup_simulation *simulation);
/* Sorts the records of so many sweeps, which the engine gave by systems, by places. If the records
 * go to the series, also keeps which systems were at the places. After the last sweep systems
 * change places if that sweep is followed by an exchange. */
void clup_simulation_take_places(clup_simulation *simulation, uint32_t *records,
                                 const clup_measuring *measuring, unsigned sweeps, bool exchange);
/* Read the spins of count rows of all places from the engine, or write them to it: count rows,
 * one place after the other, from row first on. */
clup_status clup_simulation_read_places(clup_simulation *simulation, uint64_t first, uint64_t count,
                                        uint8_t *spins);
clup_status clup_simulation_write_places(clup_simulation *simulation, uint64_t first,
                                         uint64_t count, const uint8_t *spins);
/* Writes rows as clup_simulation_write_places. CLUP_ERROR_USAGE if a spin is not a state of the
 * problem. */
clup_status clup_simulation_set_rows(clup_simulation *simulation, uint64_t first, uint64_t count,
                                     const uint8_t *spins);
/* Sets the number of the next sweep; CLUP_ERROR_USAGE if there is no such sweep. */
clup_status clup_simulation_go_to(clup_simulation *simulation, uint64_t sweep);
/* clup_simulation_rows: the number of rows of all places. clup_simulation_piece: the number of
 * rows, from row first on, of the next piece, which needs little memory. A piece is whole systems,
 * or rows of one system, a multiple of eight but for its last piece. first is 0 or the end of the
 * piece before; no piece is larger than the first. clup_piece_sites is the largest number of sites
 * of a piece, unless eight rows have more. */
extern uint64_t clup_piece_sites;
uint64_t clup_simulation_rows(const clup_simulation *simulation);
uint64_t clup_simulation_piece(const clup_simulation *simulation, uint64_t first);

/* Draws count systems anew by weights, as clup_weight gives them. sources[r] is the system that
 * system r becomes a copy of; sources has room for 2 count elements. random.clh says which random
 * numbers are used. */
void clup_population_draw(random_key key, const uint64_t *weights, uint32_t count,
                          uint32_t *sources);

/* Gives the systems that were measured at a replica: systems[count], of the measured sweeps from
 * number first on, as clup_simulation_series does. */
clup_status clup_simulation_systems(const clup_simulation *simulation, uint32_t replica,
                                    uint64_t first, uint64_t count, uint32_t *systems);
/* Gives the series of value number element, element < length, of an observable with several values,
 * as clup_simulation_series does. */
clup_status clup_simulation_vector_series(const clup_simulation *simulation, uint32_t replica,
                                          clup_observable observable, size_t element,
                                          uint64_t first, uint64_t count, double *values);

#endif
