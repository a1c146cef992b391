/* See runs_labels.clh: local_runs for sweeps that are measured. */
#define RUNS_LABELS local_runs_count
#define COUNT
#include "runs_labels.clh"
