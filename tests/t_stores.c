/* SPDX-License-Identifier: BSD-3-Clause */
/* The forms in which spins, bonds and labels are stored are independent. Sweeps by kernel variants
 * that work with any form, for each form of spins with each of bonds, also those of no layout, give
 * the spins of the serial reference. */
#include <stdlib.h>
#include <string.h>

#include "family/family.h"
#include "core/source.h"
#include "tap.h"
#include "update/update.h"

#define SWEEPS 3

static clup_context *context;

static void sweep_by(const clup_problem *problem, const clup_layout *layout,
                     const clup_reference *wanted, const char *text)
{
    static const struct {
        const clup_table *table;
        const char *row;
    } stages[] = {{&clup_sources, "fk"},
                  {&clup_locals, "bfs"},
                  {&clup_consolidations, "union"},
                  {&clup_actions, "flip"}};
    enum { STAGES = sizeof stages / sizeof *stages };
    const unsigned tile[3] = {8, 8, 1};
    const uint64_t sites = clup_problem_sites(problem);
    clup_prepared passes[STAGES] = {{0}};
    clup_state state;
    uint8_t *spins = malloc(sites);
    NEED(clup_state_create(context, problem, NULL, layout, 0, 1, &state));
    clup_start_spins(&state.lattice, problem, state.key, CLUP_START_RANDOM, spins);
    NEED(clup_state_write_spins(&state, spins));
    for (unsigned k = 0; k < STAGES; k++)
        NEED(clup_prepared_create(clup_table_find(stages[k].table, stages[k].row), &state, tile,
                                  &passes[k]));
    for (unsigned sweep = 0; sweep < SWEEPS; sweep++) {
        for (unsigned k = 0; k < STAGES; k++)
            NEED(clup_prepared_run(&passes[k]));
        state.key = later_key(state.key, 1);
    }
    NEED(clup_state_read_spins(&state, spins));
    ok(memcmp(spins, wanted->host.spins, sites) == 0, "%s, spins in %s, bonds in %s", text,
       layout->spins->name, layout->bonds->name);
    for (unsigned k = 0; k < STAGES; k++)
        clup_prepared_clear(&passes[k]);
    clup_state_clear(&state);
    free(spins);
}

int main(void)
{
    static const struct {
        const char *text;
        clup_problem problem;
    } kinds[] = {
        {"q = 2", {.size = {71, 37, 1}, .periodic = {1, 1}, .q = 2, .beta = 0.9}},
        {"q = 5", {.size = {33, 20, 1}, .periodic = {1, 0}, .q = 5, .beta = 1.2}},
        {"q = 256", {.size = {40, 9, 1}, .periodic = {0, 1}, .q = 256, .beta = 3}},
    };
    NEED(clup_context_create(NULL, &context));
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const clup_problem *problem = &kinds[k].problem;
        clup_reference reference;
        NEED(clup_reference_create(problem, NULL, NULL, 1, &reference));
        clup_start_spins(&reference.host.lattice, problem, reference.host.key, CLUP_START_RANDOM,
                         reference.host.spins);
        for (unsigned sweep = 0; sweep < SWEEPS; sweep++)
            NEED(clup_reference_sweep(&reference));
        for (size_t s = 0; s < clup_spin_store_count; s++)
            for (size_t b = 0; b < clup_bond_store_count; b++) {
                clup_layout layout = *clup_layout_named("word");
                layout.spins = &clup_spin_stores[s];
                layout.bonds = &clup_bond_stores[b];
                if (clup_layout_of_vectors(&layout) || clup_layout_of_graphs(&layout))
                    continue; /* of other models, see t_vector */
                sweep_by(problem, &layout, &reference, kinds[k].text);
            }
        clup_reference_clear(&reference);
    }
    clup_context_free(context);
    return done_testing();
}
