/* Counts the bonds between equal spins and the sites in each state.
 *
 * One work-item: every total-th word of 32 sites. Work-group: MEASURE_ITEMS. Local memory: STATES + 1 counters.
 * Global traffic, bytes a site: spins read once and once for each direction that leads to another row; each group writes its STATES + 1 sums. */
#include "spins.clh"
#include "systems.clh"

kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1)))
void measure_spins(lattice_args lattice, global const spin_store *spins, global u32 *sums)
{
    local u32 counts[STATES + 1];
    spins += REPLICA(spins_length(lattice));
    sums += REPLICA(get_num_groups(0) * (STATES + 1));
    for (u32 k = get_local_id(0); k <= STATES; k += MEASURE_ITEMS)
        counts[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    u32 equal = 0;
    for (ulong word = get_global_id(0); word < lattice_words(lattice); word += get_global_size(0)) {
        u32 row = word / lattice.words, w = word % lattice.words;
        u32 planes[PLANES];
        spins_load(lattice, spins, w, row, planes);
        for (u32 d = 0; d < DIRECTIONS; d++)
            equal += popcount(spins_equal(lattice, spins, d, w, row, planes));
        for (u32 state = 0; state < STATES; state++) {
            u32 match = spins_match(lattice, w, planes, state);
            if (match)
                atomic_add(&counts[1 + state], popcount(match));
        }
    }
    atomic_add(&counts[0], equal);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 k = get_local_id(0); k <= STATES; k += MEASURE_ITEMS)
        sums[(ulong)get_group_id(0) * (STATES + 1) + k] = counts[k];
}
