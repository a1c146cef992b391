/* From the series of a simulation to its observables. */
#ifndef CLUP_OBSERVE_ESTIMATE_H
#define CLUP_OBSERVE_ESTIMATE_H
#include "base/status.h"

/* One value a sweep of each, all per site except m; NAN throughout for what is not measured. */
enum { CLUP_COLUMN_ENERGY, CLUP_COLUMN_M, CLUP_COLUMN_CLUSTERS, CLUP_COLUMN_LARGEST, CLUP_COLUMN_UPDATED, CLUP_COLUMNS };
typedef struct clup_history {
    double *columns[CLUP_COLUMNS];
    size_t count, capacity;
} clup_history;

clup_status clup_history_add(clup_history *history, const double values[CLUP_COLUMNS]);
void clup_history_clear(clup_history *history);
/* See clup_simulation_estimate. */
clup_status clup_history_estimate(const clup_history *history, double beta, double sites, clup_estimate *estimates);

#endif
