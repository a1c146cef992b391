/* Counts what there is to count of spins, and the sites in each state.
 *
 * One work-item: every total-th word of 32 sites. Work-group: MEASURE_ITEMS. Local memory: COLUMNS counters.
 * Global traffic, bytes a site: spins read once and once for each direction that leads to another row; each group writes its COLUMNS sums. */
#include "observables.clh"
#include "spins.clh"
#include "systems.clh"

#define COLUMNS (SPIN_SUMS + STATES)

kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1)))
void measure_spins(lattice_args lattice, global const spin_store *spins, global u32 *sums)
{
    local u32 counts[COLUMNS];
    spins += REPLICA(spins_length(lattice));
    sums += REPLICA(get_num_groups(0) * COLUMNS);
    for (u32 k = get_local_id(0); k < COLUMNS; k += MEASURE_ITEMS)
        counts[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#define ROW(NAME, WORD, SITE) u32 of_##NAME = 0;
    SPIN_COUNTS(ROW)
#undef ROW
    for (ulong word = get_global_id(0); word < lattice_words(lattice); word += get_global_size(0)) {
        u32 row = word / lattice.words, w = word % lattice.words;
        u32 planes[PLANES];
        spins_load(lattice, spins, w, row, planes);
#define ROW(NAME, WORD, SITE) of_##NAME += WORD;
        SPIN_COUNTS(ROW)
#undef ROW
        for (u32 state = 0; state < STATES; state++) {
            u32 match = spins_match(lattice, w, planes, state);
            if (match)
                atomic_add(&counts[SPIN_SUMS + state], popcount(match));
        }
    }
#define ROW(NAME, WORD, SITE) atomic_add(&counts[SPIN_SUM_##NAME], of_##NAME);
    SPIN_COUNTS(ROW)
#undef ROW
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 k = get_local_id(0); k < COLUMNS; k += MEASURE_ITEMS)
        sums[(ulong)get_group_id(0) * COLUMNS + k] = counts[k];
}
