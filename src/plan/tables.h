/* The tables of all stages, by stage. */
#ifndef CLUP_PLAN_TABLES_H
#define CLUP_PLAN_TABLES_H
#include "model/pass.h"

/* NULL for a stage without a table. */
const clup_table *clup_table_of(clup_stage stage);
/* The row of a name; CLUP_ERROR_USAGE lists the known ones. */
clup_status clup_table_row(clup_stage stage, const char *name, const clup_row **row);

#endif
