/* The table of what measures. */
#ifndef CLUP_LABEL_MEASURES_H
#define CLUP_LABEL_MEASURES_H
#include "model/pass.h"

/* The row of measure.def for a model and a layout, of a lattice with or without periodic axes; NULL
 * for none. */
const clup_row *clup_measure_row(clup_model model, const clup_layout *layout, bool periodic);
/* What the groups that count leave in the scratch buffers of the rows that count spins. */
enum { CLUP_SPIN_SUMS, CLUP_CLUSTER_SUMS };

#endif
