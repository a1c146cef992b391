/* The pairs of roots from the device that say which clusters wrap. */
#include "label/wraps_pairs.h"

#include <stdlib.h>

enum { PAIRS, ENDS, UNITE };

/* Whether direction d leaves a periodic axis. */
static bool leaves(const lattice_args *lattice, unsigned d, unsigned axis)
{
    return (lattice->periodic >> axis & 1) &&
           step_along(clup_lattice_of(lattice)->offsets[d], axis) != 0;
}

/* Pairs of a replica: bonds across periodic boundaries, and opposite sites at the ends of open
 * axes. */
static uint32_t count_of(const lattice_args *lattice, unsigned which)
{
    const clup_lattice *of = clup_lattice_of(lattice);
    uint32_t count = 0;
    for (unsigned axis = 0; axis < of->axes; axis++) {
        if (which == ENDS && !(lattice->periodic >> axis & 1))
            count += layer_sites(*lattice, axis);
        for (unsigned d = 0; which == PAIRS && d < of->directions; d++)
            count += leaves(lattice, d, axis) ? layer_sites(*lattice, axis) : 0;
    }
    return count;
}

uint64_t clup_wraps_scratch(const clup_pass *pass, unsigned which)
{
    return which == PAIRS || which == ENDS ? pass->state->replicas * 2 * sizeof(cl_uint) *
                                                 count_of(&pass->state->lattice, which)
                                           : 0;
}

/* One of the kernels, with a work-item for each of so many pairs. */
static clup_status launch(clup_pass *pass, unsigned kernel, cl_uint pairs)
{
    const size_t items = clup_word_items(pass->state->context);
    return clup_pass_launch_groups(pass, kernel, (pairs - 1) / items + 1, items,
                                   CLUP_WITH(CLUP_ARG(pairs)));
}

clup_status clup_run_wraps(clup_pass *pass)
{
    const clup_state *state = pass->state;
    const cl_uint pairs = count_of(&state->lattice, PAIRS), ends = count_of(&state->lattice, ENDS);
    clup_status status = CLUP_OK;
    if (pairs > 0)
        CLUP_TRY(launch(pass, PAIRS, pairs));
    if (ends > 0)
        CLUP_TRY(launch(pass, ENDS, ends));
    if (pairs > 0)
        CLUP_TRY(launch(pass, UNITE, pairs));
done:
    return status;
}

/* Bonds of one replica, in the order of consolidate_wraps. */
static void add_bonds(clup_wraps *wraps, const lattice_args *lattice, const uint32_t *pair)
{
    const clup_lattice *of = clup_lattice_of(lattice);
    for (unsigned axis = 0; axis < of->axes; axis++)
        for (unsigned d = 0; d < of->directions; d++)
            for (uint32_t k = 0; k < (leaves(lattice, d, axis) ? layer_sites(*lattice, axis) : 0);
                 k++, pair += 2) {
                if (pair[0] == NOWHERE)
                    continue;
                clup_wraps_leaving(wraps, lattice, axis, d, k, pair);
            }
}

static void add_ends(clup_wraps *wraps, const lattice_args *lattice, const uint32_t *pair)
{
    for (unsigned axis = 0; axis < clup_lattice_of(lattice)->axes; axis++)
        for (uint32_t k = 0; k < (lattice->periodic >> axis & 1 ? 0 : layer_sites(*lattice, axis));
             k++, pair += 2)
            for (unsigned end = 0; end < 2; end++)
                if (pair[end] != NOWHERE)
                    clup_wraps_end(wraps, pair[end], axis, end);
}

static uint64_t named(const uint32_t *names, uint64_t count)
{
    uint64_t sum = 0;
    for (uint64_t k = 0; k < count; k++)
        sum += names[k] != NOWHERE;
    return sum;
}

clup_status clup_wraps_read(clup_wraps *wraps, const clup_pass *pass, unsigned *wrapped)
{
    const clup_state *state = pass->state;
    const lattice_args *lattice = &state->lattice;
    const uint64_t pairs = 2ull * count_of(lattice, PAIRS), ends = 2ull * count_of(lattice, ENDS);
    uint32_t *names[] = {malloc(pass->scratch_bytes[PAIRS] + 1),
                         malloc(pass->scratch_bytes[ENDS] + 1)};
    clup_status status = names[PAIRS] != NULL && names[ENDS] != NULL
                             ? CLUP_OK
                             : clup_fail_memory("the clusters that wrap");
    CLUP_TRY(status);
    for (unsigned which = PAIRS; which <= ENDS; which++)
        if (pass->scratch_bytes[which] > 0)
            CLUP_TRY(clup_buffer_read(state->context, pass->scratch[which],
                                      pass->scratch_bytes[which], names[which]));
    for (uint32_t r = 0; r < state->replicas; r++) {
        const uint32_t *bond = names[PAIRS] + r * pairs, *end = names[ENDS] + r * ends;
        CLUP_TRY(clup_wraps_reset(wraps, named(bond, pairs) + named(end, ends)));
        add_bonds(wraps, lattice, bond);
        add_ends(wraps, lattice, end);
        wrapped[r] = clup_wraps_any(wraps);
    }
done:
    free(names[PAIRS]);
    free(names[ENDS]);
    return status;
}
