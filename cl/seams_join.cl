/* Which clusters at the seams of all parts are one: a union-find over their entries (seams.clh), in
 * which the root of a tree has the smallest site. Every part does it for itself.
 *
 * One work-item: an entry. Work-group: WORD_ITEMS. Local memory: none. Global traffic: for each
 * entry a word, 4 bytes and two walks to a root. */
#include "seams_forest.clh"
#include "systems.clh"

/* Each entry below the one that stands for its cluster. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
seams_join_begin(lattice_args lattice, u32 parts, global const seam_word *all, global u32 *forest)
{
    const u32 entries = 2 * seam_layer(lattice), i = get_global_id(0);
    if (i >= parts * entries)
        return;
    const seam_word word = seam_word_at(lattice, all, i);
    forest[REPLICA(parts * entries) + i] = word < entries ? i / entries * entries + (u32)word : i;
}

#ifdef RACE_FREE
#define SEAM_READ(forest, i) atomic_or(&(forest)[i], 0)
#else
#define SEAM_READ(forest, i) ((forest)[i])
#endif

/* The root above i, as walk_up() of unite.clh. */
u32 seam_root(volatile global u32 *forest, u32 i)
{
    for (u32 up = SEAM_READ(forest, i); up != i;) {
        const u32 over = SEAM_READ(forest, up);
#ifndef RACE_FREE
        if (over != up)
            forest[i] = over;
#endif
        i = up;
        up = over;
    }
    return i;
}

/* Unites what both parts at a seam have of each of its sites. wraps says that the last part is
 * followed by the first. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
seams_join(lattice_args lattice, u32 parts, u32 wraps, global const seam_word *all,
           volatile global u32 *forest)
{
    const u32 layer = seam_layer(lattice), part = get_global_id(0) / layer,
              k = get_global_id(0) % layer;
    if (part >= parts - !wraps)
        return;
    forest += REPLICA(2 * layer * parts);
    u32 a = (2 * part + 1) * layer + k, b = (part + 1) % parts * 2 * layer + k;
    for (;;) {
        a = seam_root(forest, a);
        b = seam_root(forest, b);
        if (a == b)
            return;
        const u64 site_a = seam_site(lattice, all, a, parts),
                  site_b = seam_site(lattice, all, b, parts);
        const bool a_first = site_a != site_b ? site_a < site_b : a < b;
        const u32 low = a_first ? a : b, high = a_first ? b : a,
                  old = atomic_cmpxchg(&forest[high], high, low);
        if (old == high)
            return;
        a = old;
        b = low;
    }
}
