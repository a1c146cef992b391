/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of all stages, by stage, and the kernel variants that plans and requests name. */
#ifndef CLUP_PLAN_TABLES_H
#define CLUP_PLAN_TABLES_H
#include "family/family.h"
#include "ocl/source_hash.h"

/* Finds the kernel variant of that name. CLUP_ERROR_USAGE lists the known names. */
clup_status clup_table_variant(clup_stage stage, const char *name, const clup_variant **variant);
/* Writes a hash of the sources and the names of a variant's kernels. A time that was measured with
 * another hash is out of date. */
clup_status clup_variant_hash(const clup_variant *variant, char hex[CLUP_SOURCE_HASH]);

/* Returns the reference of a stage: that of the variant; for NULL, or where the variant has none,
 * that of the first variant that suits the setting and has one. NULL where there is none. A variant
 * whose reference is not the first one does something else with a system, and is taken only when it
 * is asked for. */
clup_serial *clup_table_serial(clup_stage stage, const clup_variant *variant,
                               const clup_setting *setting);
/* Whether the time of a variant depends on the plan's tile. */
bool clup_variant_has_tiles(const clup_variant *variant);
/* Whether a stage exists for a model, algorithm and layout: whether a later stage reads something
 * that it writes. */
bool clup_stage_exists(clup_model model, clup_algorithm algorithm, const clup_layout *layout,
                       clup_stage stage);

/* Whether a layout can store the clusters of a model: whether there is an action for both. */
bool clup_layout_is_for(const clup_layout *layout, clup_model model);

/* clup_counting_variant returns the kernel variant that counts a model's clusters by the tiles in
 * which they were found. clup_measuring_variant returns the variant that measures the model's
 * sweeps. NULL where there is none, and for images, which are measured in another way. */
const clup_variant *clup_counting_variant(clup_model model, const clup_layout *layout);
const clup_variant *clup_measuring_variant(clup_model model, const clup_layout *layout);

/* Settles the plan to run on a device, and validates problem and method first. given must name
 * known variants, a layout and a tile that work on the device. For given NULL, chooses a plan. */
clup_status clup_plan_settle(clup_context *context, const clup_problem *problem,
                             const clup_method *method, const clup_plan *given, clup_plan *plan);

/* Sets the plan's union method for the problem: the named one, or for name NULL the one with the
 * least predicted time; NULL where no process has a subdomain. CLUP_ERROR_USAGE for an unknown
 * name. */
clup_status clup_plan_set_between(const clup_context *context, const clup_problem *problem,
                                  const char *name, clup_plan *plan);

/* Return the name of a stage's kernel variant in a plan, and a pointer to it in a request; NULL for
 * none. */
const char *clup_plan_row(const clup_plan *plan, clup_stage stage);
const char **clup_request_row(clup_plan_request *request, clup_stage stage);

#endif
