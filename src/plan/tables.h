/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of all stages, by stage, and the rows that plans and requests name. */
#ifndef CLUP_PLAN_TABLES_H
#define CLUP_PLAN_TABLES_H
#include "family/family.h"
#include "ocl/source_hash.h"

/* The variant of a name; CLUP_ERROR_USAGE lists the known ones. */
clup_status clup_table_variant(clup_stage stage, const char *name, const clup_variant **variant);
/* Hash of the sources that a variant's kernels are made of, and of the kernels' names: a time that
 * was measured with another one is out of date. */
clup_status clup_variant_hash(const clup_variant *variant, char hex[CLUP_SOURCE_HASH]);

/* The serial definition of a stage: that of a variant, or for NULL and where the variant has none
 * that of the first variant which has one for such a system; NULL for none. Rows with another one
 * than the first do something else with a system, and are taken when they are asked for alone. */
clup_serial *clup_table_serial(clup_stage stage, const clup_variant *variant,
                               const clup_setting *setting);
/* Whether the time of a variant depends on the plan's tile. */
bool clup_variant_has_tiles(const clup_variant *variant);
/* Whether the stage is there, of a model, in a method and with a layout: something that it writes
 * is read by the stages after it. */
bool clup_stage_exists(clup_model model, clup_algorithm algorithm, const clup_layout *layout,
                       clup_stage stage);

/* Whether a model's clusters can be kept so: whether there is an action for both. */
bool clup_layout_is_for(const clup_layout *layout, clup_model model);

/* The row that a model's clusters are counted by in tiles as they were found in, and what measures
 * its sweeps; NULL where there is none, or what an image has is asked for apart. */
const clup_variant *clup_counting_variant(clup_model model, const clup_layout *layout);
const clup_variant *clup_measuring_variant(clup_model model, const clup_layout *layout);

/* The plan that is to be run on a device, after a check of problem and method: the given one, whose
 * rows, layout and tile must be such as there are and work on the device, or for NULL one that is
 * chosen. */
clup_status clup_plan_settle(clup_context *context, const clup_problem *problem,
                             const clup_method *method, const clup_plan *given, clup_plan *plan);

/* Puts what processes do together into a plan for the problem: the named row, or for NULL the one
 * that takes least; NULL where they have no parts of it. CLUP_ERROR_USAGE for an unknown name. */
clup_status clup_plan_set_between(const clup_context *context, const clup_problem *problem,
                                  const char *name, clup_plan *plan);

/* The name of a stage's row in a plan and in a request, NULL for none. */
const char *clup_plan_row(const clup_plan *plan, clup_stage stage);
const char **clup_request_row(clup_plan_request *request, clup_stage stage);

#endif
