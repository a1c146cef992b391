/* SPDX-License-Identifier: BSD-3-Clause */
/* What a simulation is made of. */
#ifndef CLUP_RUN_SIMULATION_H
#define CLUP_RUN_SIMULATION_H
#include "run/engine.h"
#include "estimate/estimate.h"
#include "run/sweep_records.h"
#include "run/tempering.h"

/* The series of some replicas, whose records are beside each other, as far as they are known.
 * Together they are of about so many sweeps at most. */
#define REPLICAS_MOST 16
#define REPLICAS_VALUES (1u << 18)
typedef struct replica_series {
    clup_history histories[REPLICAS_MOST];
    uint32_t first, count;
} replica_series;

struct clup_simulation {
    clup_engine *engine;
    bool on_device;
    clup_plan plan; /* on a device */
    clup_problem problem;
    double *betas;  /* betas[replicas], by places */
    bool unsettled; /* the engine has other ones */
    bool several;   /* the problem was given betas, not beta */
    clup_method method;
    uint64_t seed;
    clup_ladders *ladders;      /* NULL where no system leaves its place */
    clup_sweep_records records; /* by places */
    replica_series *asked;      /* those of the replica that was asked for last, and others */
    bool streams;               /* the generator has a state of its own */
    uint64_t sweeps;            /* the number of the next sweep */
    uint64_t timed;             /* sweeps of runs that measured */
    double wall_s, stage_s[CLUP_STAGES];
    uint64_t rounds, bytes; /* of transfers to this process */
};

/* Of what the records of a replica are. */
clup_system clup_simulation_system(const clup_simulation *simulation, uint32_t replica);
void clup_replica_series_clear(replica_series *some);
/* What sweeps to come measure; CLUP_ERROR_USAGE where sweeps were measured already. */
clup_status clup_simulation_measure(clup_simulation *simulation, const clup_measuring *measuring);
/* Forgets what was measured. */
void clup_simulation_forget(clup_simulation *simulation);
/* The format of records with what the spins of a moment tell. */
uint32_t clup_simulation_spin_format(const clup_simulation *simulation);

/* Gives the engine the temperatures of the places where its systems are, unless it has them. */
clup_status clup_simulation_settle_betas(clup_simulation *simulation);
/* Sweeps to the next exchange of places, 1 or more; without tempering more than there are. */
uint64_t clup_simulation_to_exchange(const clup_simulation *simulation);
/* Gets ready for batches, whose records are the series'. */
clup_status clup_simulation_ready_places(clup_simulation *simulation);
/* Sorts the records of so many sweeps, which the engine gave by systems, by places, and keeps which
 * systems were there where they are the series'; after the last one systems change places, if they
 * are to. */
void clup_simulation_take_places(clup_simulation *simulation, uint32_t *records,
                                 const clup_measuring *measuring, unsigned sweeps, bool exchange);
/* The spins of count rows of all places, one place after the other, from row first on, from the
 * engine and to it: spins[count*nx]. */
clup_status clup_simulation_read_places(clup_simulation *simulation, uint64_t first, uint64_t count,
                                        uint8_t *spins);
clup_status clup_simulation_write_places(clup_simulation *simulation, uint64_t first,
                                         uint64_t count, const uint8_t *spins);
/* The latter where all are spins of the problem's states, else CLUP_ERROR_USAGE. */
clup_status clup_simulation_set_rows(clup_simulation *simulation, uint64_t first, uint64_t count,
                                     const uint8_t *spins);
/* The number of the next sweep; CLUP_ERROR_USAGE where it cannot be. */
clup_status clup_simulation_go_to(clup_simulation *simulation, uint64_t sweep);
/* How many rows all places have; and how many of them, from row first on, are the next piece, which
 * takes little memory: whole systems, or rows of one, a multiple of eight but for its last. first
 * is 0 or the end of the piece before; none is larger than the first piece. clup_piece_sites is how
 * many sites it has at most where eight rows have less. */
extern uint64_t clup_piece_sites;
uint64_t clup_simulation_rows(const clup_simulation *simulation);
uint64_t clup_simulation_piece(const clup_simulation *simulation, uint64_t first);

/* Draws count systems anew by weights, as clup_weight has them: sources[count], and room for as
 * many behind, says of which system each is a copy. See random.clh for what is drawn. */
void clup_population_draw(random_key key, const uint64_t *weights, uint32_t count,
                          uint32_t *sources);

/* Which systems were measured at a replica: systems[count] of the measured sweeps from number first
 * on, as clup_simulation_series. */
clup_status clup_simulation_systems(const clup_simulation *simulation, uint32_t replica,
                                    uint64_t first, uint64_t count, uint32_t *systems);
/* The series of a value of an observable with several, number element < length, as
 * clup_simulation_series. */
clup_status clup_simulation_vector_series(const clup_simulation *simulation, uint32_t replica,
                                          clup_observable observable, size_t element,
                                          uint64_t first, uint64_t count, double *values);

#endif
