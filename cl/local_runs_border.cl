/* See runs_border.clh. */
#define RUNS_BORDER local_runs_border
#include "runs_border.clh"
