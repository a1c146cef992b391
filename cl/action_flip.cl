/* Swendsen-Wang's last step: every cluster takes a spin drawn afresh from 0..q-1.
 *
 * One work-item: one site of a word, including those past the end of a row, which store 0. One work-group: FLIP_WORDS
 * words. Local memory: one byte a work-item. Global traffic, bytes a site: labels 4 and the walk to the root; spins
 * written, word PLANES/8, char 1. */
#include "random.clh"
#include "spins.clh"
#include "labels.clh"

#define FLIP_WORDS (SITE_ITEMS / 32)

kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1)))
void action_flip(lattice_args lattice, random_key key, global const label *labels, global spin_store *spins)
{
    ulong words = (ulong)lattice.words * lattice.ny;
    ulong word = get_global_id(0) / 32;
    u32 y = word / lattice.words, x = word % lattice.words * 32 + get_global_id(0) % 32;
    u32 inside = word < words && x < lattice.nx;
    u32 spin = 0;
    if (inside)
        spin = random_spin(key, PURPOSE_CLUSTER, label_root(labels, y * lattice.nx + x), STATES, FIELD);
#ifdef LAYOUT_CHAR
    if (inside)
        spins[(ulong)y * lattice.nx + x] = spin;
#else
    local u8 fresh[SITE_ITEMS];
    u32 item = get_local_id(0);
    fresh[item] = spin;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 k = item; k < FLIP_WORDS * PLANES; k += SITE_ITEMS) {
        u32 p = k / FLIP_WORDS, in_group = k % FLIP_WORDS, bits = 0;
        ulong to = (ulong)get_group_id(0) * FLIP_WORDS + in_group;
        for (u32 j = 0; j < 32; j++)
            bits |= (u32)(fresh[32 * in_group + j] >> p & 1) << j;
        if (to < words)
            spins[p * words + to] = bits;
    }
#endif
}
