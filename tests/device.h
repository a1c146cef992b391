/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by tests on a device: loops over plans, and states whose bonds a test sets. */
#ifndef CLUP_TESTS_DEVICE_H
#define CLUP_TESTS_DEVICE_H
#include <string.h>

#include "family/family.h"
#include "core/source.h"
#include "plan/tables.h"
#include "tap.h"

/* From here on PoCL compiles without optimising when a lattice has many directions, for which
 * optimising takes long. */
static inline void directions_many(clup_lattice_kind lattice)
{
    if (lattice > CLUP_LATTICE_CUBIC)
        setenv("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable", 1);
    else
        unsetenv("POCL_EXTRA_BUILD_FLAGS");
}

/* Whether a kernel variant for lattices works on the layout, or was made for any layout with all
 * stages. */
static inline int layout_suits(const clup_variant *variant, const clup_layout *layout)
{
    if (variant->models == CLUP_ON(CLUP_IMAGE))
        return 0;
    return clup_variant_suits(variant, layout);
}

/* Whether a kernel variant of a lattice works on a layout that has all stages, with some tile, on a
 * device that is not small. */
static inline int works_on(const clup_variant *variant, clup_lattice_kind lattice,
                           const clup_layout *layout)
{
    return layout_suits(variant, layout) && clup_layout_of_sites(layout) &&
           variant->group_limit == 0 && (!variant->square || lattice == CLUP_LATTICE_SQUARE);
}

/* Calls visit for every able combination of local labelling, consolidation, layout and tile that
 * fits the device. Fails the test when a plan is refused although its kernel variants fit, or when
 * no plan fits. */
static inline void each_plan(clup_context *context, clup_lattice_kind lattice,
                             const unsigned *tiles, size_t count,
                             void (*visit)(const clup_plan *plan, void *user), void *user)
{
    for (size_t l = 0; l < clup_locals.count; l++)
        for (size_t c = 0; c < clup_consolidations.count; c++)
            for (size_t b = 0; b < clup_layout_count; b++) {
                unsigned fitting = 0, refused = 0;
                if (!works_on(&clup_locals.variants[l], lattice, &clup_layouts[b]) ||
                    !works_on(&clup_consolidations.variants[c], lattice, &clup_layouts[b]))
                    continue;
                for (size_t t = 0; t < count; t++) {
                    clup_problem any = {.lattice = lattice,
                                        .size = {1, 1, 1},
                                        .periodic = {1, 1, 1},
                                        .q = 2,
                                        .beta = 1};
                    clup_lattice_fit(lattice, any.size);
                    /* sources and actions are not tested: takes those that can do everything */
                    const clup_plan_request request = {
                        .source = "fk",
                        .action = "flip",
                        .local = clup_locals.variants[l].name,
                        .consolidate = clup_consolidations.variants[c].name,
                        .bonds = clup_layouts[b].name,
                        .tile = tiles[t]};
                    clup_plan plan;
                    clup_setting setting = {
                        .lattice = clup_lattice_args(&any), .q = 2, .layout = &clup_layouts[b]};
                    clup_variant_tile(&clup_locals.variants[l], &setting.lattice, tiles[t],
                                      setting.tile);
                    NEED(clup_generator_named(NULL, &setting.rng));
                    int fits = clup_variant_check(&clup_locals.variants[l], context, &setting) ==
                                   CLUP_OK &&
                               clup_variant_check(&clup_consolidations.variants[c], context,
                                                  &setting) == CLUP_OK;
                    int taken = clup_plan_choose(context, &any, NULL, &request, &plan) == CLUP_OK;
                    fitting += fits;
                    refused += fits != taken;
                    if (taken)
                        visit(&plan, user);
                }
                ok(fitting > 0 && refused == 0, "%s + %s, %s: %u of %u tiles fit",
                   clup_locals.variants[l].name, clup_consolidations.variants[c].name,
                   clup_layouts[b].name, fitting, (unsigned)count);
            }
}

/* Reads the bonds of a state with one replica to bonds[directions*sites], one byte each. */
static inline void bonds_read(const clup_state *state, uint8_t *bonds)
{
    const clup_layout *layout = state->layout;
    const uint64_t bytes = layout->bonds->bytes(&state->lattice),
                   sites = clup_lattice_sites(&state->lattice);
    const unsigned directions = clup_lattice_of(&state->lattice)->directions;
    uint8_t *packed = malloc(bytes);
    NEED(clup_buffer_read(state->context, state->bonds, 0, bytes, packed));
    if (strcmp(layout->name, "char") == 0)
        memcpy(bonds, packed, bytes);
    else {
        /* the planes are those of spins with one bit a direction */
        for (unsigned d = 0; d < directions; d++)
            layout->spins->unpack(&state->lattice, 1,
                                  (const char *)packed + d * (bytes / directions),
                                  bonds + d * sites);
    }
    free(packed);
}

/* A state whose bonds the caller sets, and the two prepared stages that label it. */
typedef struct labeller {
    clup_state state;
    clup_prepared local, consolidate;
    void *packed;
    uint64_t packed_bytes;
} labeller;

static inline void labeller_create(clup_context *context, const clup_problem *problem,
                                   const clup_plan *plan, labeller *labeller)
{
    const clup_layout *layout = clup_layout_named(plan->bonds);
    NEED(clup_state_create(context, problem, NULL, layout, 0, 0, &labeller->state));
    NEED(clup_prepared_create(clup_table_find(&clup_locals, plan->local), &labeller->state,
                              plan->tile, &labeller->local));
    NEED(clup_prepared_create(clup_table_find(&clup_consolidations, plan->consolidate),
                              &labeller->state, plan->tile, &labeller->consolidate));
    labeller->packed_bytes = layout->bonds->bytes(&labeller->state.lattice);
    labeller->packed = malloc(labeller->packed_bytes);
}

static inline void labeller_free(labeller *labeller)
{
    clup_prepared_clear(&labeller->local);
    clup_prepared_clear(&labeller->consolidate);
    clup_state_clear(&labeller->state);
    free(labeller->packed);
}

/* Computes the canonical labels[sites] of bonds[directions*sites]. The planes of the word layout
 * are those of spins with one bit a direction. */
static inline void labeller_run(labeller *labeller, const uint8_t *bonds, uint8_t *work,
                                uint32_t *labels)
{
    clup_state *state = &labeller->state;
    uint64_t sites = clup_lattice_sites(&state->lattice);
    unsigned directions = clup_lattice_of(&state->lattice)->directions;
    memset(labeller->packed, 0, labeller->packed_bytes);
    if (strcmp(state->layout->name, "char") == 0)
        memcpy(labeller->packed, bonds, directions * sites);
    else {
        for (unsigned d = 0; d < directions; d++) {
            memcpy(work, bonds + d * sites, sites);
            state->layout->spins->pack(&state->lattice, 1, work,
                                       (char *)labeller->packed +
                                           d * (labeller->packed_bytes / directions));
        }
    }
    NEED(clup_buffer_write(state->context, state->bonds, 0, labeller->packed_bytes,
                           labeller->packed));
    NEED(clup_prepared_run(&labeller->local));
    NEED(clup_prepared_run(&labeller->consolidate));
    NEED(clup_buffer_read(state->context, state->labels, 0, sites * sizeof *labels, labels));
    clup_timer_collect(&state->context->timer);
    /* smaller sites have their labels already; a label above its site is wrong, and is kept */
    for (uint64_t i = 0; i < sites; i++)
        if (labels[i] < i)
            labels[i] = labels[labels[i]];
}

#endif
