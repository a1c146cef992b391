/* See runs_labels.clh. */
#define RUNS_LABELS local_runs
#include "runs_labels.clh"
