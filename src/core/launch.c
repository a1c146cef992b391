/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches the kernels of a prepared stage, with the work-groups and arguments that its kernel
 * variant names. */
#include "core/prepared.h"

#include <stddef.h>
#include <string.h>

#include "bands/bands.clh"
#include "model/matrix_sizes.clh"

static uint64_t groups_of(uint64_t items, size_t group)
{
    return (items - 1) / group + 1;
}

/* Where weights are counted in parts, the words of bonds that a group counts, at most: so its
 * sums fit 32 bits (MATRIX_SUM_BITS, VECTOR_SUM_BITS). */
#define MATRIX_WORDS ((uint64_t)1 << (31 - MATRIX_SUM_BITS))

uint64_t clup_measure_groups(const clup_state *state)
{
    const uint64_t sites = clup_lattice_words(&state->lattice),
                   bonds = clup_lattice_words(&state->bond_lattice),
                   words = sites > bonds ? sites : bonds,
                   all = groups_of(words, clup_measure_items(state->context)),
                   least = state->matrix || state->sized || state->numbers_each > 0
                               ? words * clup_lattice_of(&state->lattice)->directions / MATRIX_WORDS
                               : 0;
    uint64_t most = 8ull * state->context->device.info.compute_units / state->replicas + 1;
    most = most > least ? most : least + 1;
    return all < most ? all : most;
}

static void size_of(const clup_prepared *prepared, clup_grid grid, uint64_t *groups, size_t *items)
{
    const clup_state *state = prepared->state;
    const clup_context *context = state->context;
    const lattice_args *lattice = &state->lattice;
    *items = grid == CLUP_GRID_TILES || grid == CLUP_GRID_BANDS ? clup_prepared_items(prepared)
             : grid == CLUP_GRID_WORDS || grid == CLUP_GRID_BOND_WORDS ? clup_word_items(context)
             : grid < CLUP_GRID_COUNTERS                               ? clup_site_items(context)
                                         : clup_measure_items(context);
    *groups = 1;
    switch (grid) {
    case CLUP_GRID_TILES: *groups = clup_prepared_groups(prepared); break;
    case CLUP_GRID_BANDS: *groups = band_count(*lattice); break;
    case CLUP_GRID_WORDS: *groups = groups_of(clup_lattice_words(lattice), *items); break;
    case CLUP_GRID_BOND_WORDS:
        *groups = groups_of(clup_lattice_words(&state->bond_lattice), *items);
        break;
    case CLUP_GRID_SITES: *groups = groups_of(clup_lattice_sites(lattice), *items); break;
    case CLUP_GRID_WORD_SITES: *groups = groups_of(32 * clup_lattice_words(lattice), *items); break;
    case CLUP_GRID_WORD_COLUMNS:
        *groups = clup_layout_of_graphs(state->layout)
                      ? groups_of(lattice->words, 32)
                      : lattice->words * groups_of(lattice_rows(*lattice), 32);
        break;
    case CLUP_GRID_COUNTERS: *groups = clup_measure_groups(state); break;
    case CLUP_GRID_TILE_COUNTERS: *groups = prepared->tiles; break;
    case CLUP_GRID_GIVEN: break;
    }
}

/* Where each argument is stored, and its length. */
static const struct {
    bool of_prepared;
    size_t offset, size;
} places[] = {
/* clang-format off */
#define OF_state(FIELD) {false, offsetof(clup_state, FIELD), sizeof(((clup_state *)NULL)->FIELD)}
#define OF_prepared(FIELD) \
    {true, offsetof(clup_prepared, FIELD), sizeof(((clup_prepared *)NULL)->FIELD)}
/* clang-format on */
#define BIND(NAME, OF, FIELD) [CLUP_BIND_##NAME] = OF_##OF(FIELD),
#include "core/bind.def"
};

static clup_arg bind(const clup_prepared *prepared, unsigned what)
{
    const char *base = places[what].of_prepared ? (const char *)prepared
                                                : (const char *)prepared->state;
    return (clup_arg){places[what].size, base + places[what].offset, NULL};
}

static const clup_arg *find(const clup_arg *given, const char *name)
{
    while (given != NULL && given->name != NULL && strcmp(given->name, name) != 0)
        given++;
    return given != NULL && given->name != NULL ? given : NULL;
}

clup_status clup_prepared_launch_groups(clup_prepared *prepared, unsigned kernel, uint64_t groups,
                                        size_t items, const clup_arg *given)
{
    const clup_bind *named = prepared->variant->kernels[kernel].args;
    clup_arg args[CLUP_KERNEL_ARGS];
    size_t count = 0;
    for (; count < CLUP_KERNEL_ARGS && named[count].what != CLUP_BIND_END; count++)
        if (named[count].what != CLUP_BIND_GIVEN)
            args[count] = bind(prepared, named[count].what);
        else {
            const clup_arg *found = find(given, named[count].name);
            if (found == NULL)
                return clup_fail(CLUP_ERROR_RUNTIME, "kernel %s is not given its argument %s",
                                 prepared->kernels[kernel].name, named[count].name);
            args[count] = *found;
        }
    return clup_kernel_launch(prepared->state->context, &prepared->kernels[kernel],
                              prepared->variant->stage, groups, items, args, count);
}

clup_status clup_prepared_launch(clup_prepared *prepared, unsigned kernel, const clup_arg *given)
{
    uint64_t groups;
    size_t items;
    size_of(prepared, prepared->variant->kernels[kernel].grid, &groups, &items);
    return clup_prepared_launch_groups(prepared, kernel, groups, items, given);
}

clup_status clup_prepared_run(clup_prepared *prepared)
{
    clup_status status = CLUP_OK;
    if (prepared->variant->run != NULL)
        return prepared->variant->run(prepared);
    for (unsigned k = 0; k < CLUP_PREPARED_KERNELS && prepared->kernels[k].handle != NULL; k++)
        CLUP_TRY(clup_prepared_launch(prepared, k, NULL));
done:
    return status;
}
