/* What a simulation is made of. */
#ifndef CLUP_OBSERVE_SIMULATION_H
#define CLUP_OBSERVE_SIMULATION_H
#include "observe/engine.h"
#include "observe/estimate.h"
#include "observe/sweep_records.h"

/* The series of the replica that was asked for last and of some after it, whose records are beside
 * each other, as far as they were measured then. Together they have about so many values at most.
 */
#define ASKED_MOST 16
#define ASKED_VALUES (1u << 20)
typedef struct replica_series {
    clup_history histories[ASKED_MOST];
    uint32_t first, count;
} replica_series;

struct clup_simulation {
    clup_engine *engine;
    bool on_device;
    clup_plan plan; /* on a device */
    clup_problem problem;
    double *betas; /* betas[replicas] */
    bool several;  /* the problem was given betas, not beta */
    clup_method method;
    uint64_t seed;
    clup_sweep_records records;
    replica_series *asked;
    bool streams;    /* the generator has a state of its own */
    uint64_t sweeps; /* the number of the next sweep */
    uint64_t timed;  /* sweeps of runs that measured */
    double wall_s, stage_s[CLUP_STAGES];
};

/* Of what the records of a replica are. */
clup_system clup_simulation_system(const clup_simulation *simulation, uint32_t replica);
/* What sweeps to come measure; CLUP_ERROR_USAGE where sweeps were measured already. */
clup_status clup_simulation_measure(clup_simulation *simulation, const clup_measuring *measuring);

#endif
