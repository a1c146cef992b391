/* From the series of a simulation to its observables. */
#ifndef CLUP_OBSERVE_ESTIMATE_H
#define CLUP_OBSERVE_ESTIMATE_H
#include "base/status.h"

/* One value a sweep of each, all per site except m. */
typedef struct clup_history {
    double *energy, *m, *clusters, *largest;
    size_t count, capacity;
} clup_history;

clup_status clup_history_add(clup_history *history, double energy, double m, double clusters, double largest);
void clup_history_clear(clup_history *history);
/* See clup_simulation_estimate. */
clup_status clup_history_estimate(const clup_history *history, double beta, double sites, clup_estimate *estimates);

#endif
