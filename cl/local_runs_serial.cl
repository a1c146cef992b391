/* See runs_serial.clh. */
#define RUNS_SERIAL local_runs_serial
#include "runs_serial.clh"
