/* Labels for people: the clusters of the foreground numbered 1, 2, ... in raster order of their first sites, and 0 for the background; or
 * canonical labels, each the first site of its cluster, and NO_LABEL for the background.
 *
 * Sites are done as in word_sites.clh. roots has a bit for each site that is the first of a cluster of the foreground, words as those of
 * a plane of spins; ranks says for each word how many there are in those before it, and repeats it. */
#include "labels.clh"
#include "word_sites.clh"

/* Whether the work-item's j-th site is of the foreground. */
u32 in_foreground(lattice_args lattice, global const u32 *foreground, word_sites sites, u32 j)
{
    const u32 row = sites.row + j * GROUP_ROWS;
    return row < lattice_rows(lattice) && sites.x < lattice.nx ? foreground[(ulong)row * lattice.words + sites.x / 32] >> sites.x % 32 & 1 : 0;
}

/* Global traffic, bytes a site: labels 4, the foreground read and roots written, 1/8 each. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1)))
void action_number_roots(lattice_args lattice, global const u32 *foreground, global const label *labels, global u32 *roots)
{
    local u32 gathered[SITES_EACH * SITE_ITEMS / 4];
    const word_sites sites = word_sites_at(lattice);
    u32 root[SITES_EACH];
    #pragma unroll
    for (u32 j = 0; j < SITES_EACH; j++) {
        const ulong i = word_site(lattice, sites, j);
        root[j] = in_foreground(lattice, foreground, sites, j) && labels[i] == i;
    }
    word_sites_store(lattice, sites, root, gathered, roots);
}

/* The sum over a group; *before gets that of the work-items before. */
u32 scan_group(local u32 sums[SITE_ITEMS], u32 mine, u32 *before)
{
    const u32 item = get_local_id(0);
    sums[item] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 apart = 1; apart < SITE_ITEMS; apart *= 2) {
        const u32 sum = sums[item] + (item >= apart ? sums[item - apart] : 0);
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[item] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    *before = sums[item] - mine;
    const u32 all = sums[SITE_ITEMS - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    return all;
}

/* Roots in eight words. */
u32 count_roots(uint8 words)
{
    const uint8 counts = popcount(words);
    const uint4 four = counts.lo + counts.hi;
    return four.s0 + four.s1 + four.s2 + four.s3;
}

/* One work-group: the roots of 8*SITE_ITEMS words. Past the last there are zeros. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1)))
void action_number_count(global const u32 *roots, global u32 *sums)
{
    local u32 counts[SITE_ITEMS];
    u32 before, all = scan_group(counts, count_roots(vload8(get_global_id(0), roots)), &before);
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = all;
}

/* One work-group: each of the count sums becomes that of those before it; sums[count] that of all. A work-item: a share of them. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1)))
void action_number_sum(u32 count, global u32 *sums)
{
    local u32 counts[SITE_ITEMS];
    const u32 share = (count - 1) / SITE_ITEMS + 1, first = min(share * (u32)get_local_id(0), count), last = min(first + share, count);
    u32 mine = 0, done;
    for (u32 k = first; k < last; k++)
        mine += sums[k];
    const u32 all = scan_group(counts, mine, &done);
    for (u32 k = first; k < last; k++) {
        const u32 sum = sums[k];
        sums[k] = done;
        done += sum;
    }
    if (get_local_id(0) == 0)
        sums[count] = all;
}

/* As action_number_count. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1)))
void action_number_before(global const u32 *roots, global const u32 *sums, global u32 *ranks)
{
    local u32 counts[SITE_ITEMS];
    const uint8 words = vload8(get_global_id(0), roots), each = popcount(words);
    u32 count;
    scan_group(counts, count_roots(words), &count);
    count += sums[get_group_id(0)];
    const u32 in[8] = {words.s0, words.s1, words.s2, words.s3, words.s4, words.s5, words.s6, words.s7};
    const u32 of[8] = {each.s0, each.s1, each.s2, each.s3, each.s4, each.s5, each.s6, each.s7};
    u32 at[8];
    #pragma unroll
    for (u32 k = 0; k < 8; k++) {
        at[k] = count;
        count += of[k];
    }
    #pragma unroll
    for (u32 k = 0; k < 8; k += 2)
        vstore4((uint4)(at[k], in[k], at[k + 1], in[k + 1]), 4 * get_global_id(0) + k / 2, ranks);
}

/* Canonical labels, if asked for. Global traffic, bytes a site: labels 4 and the walk to the root, 4 written. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1)))
void action_number(lattice_args lattice, global const u32 *foreground, global const label *labels, global const uint2 *ranks,
                   u32 canonical, global u32 *numbers)
{
    const word_sites sites = word_sites_at(lattice);
    label up[SITES_EACH];
    u32 open;
    #pragma unroll
    for (u32 j = 0; j < SITES_EACH; j++)
        up[j] = labels[word_site(lattice, sites, j)];
    do {
        open = 0;
        #pragma unroll
        for (u32 j = 0; j < SITES_EACH; j++) {
            const label over = labels[up[j]];
            open |= over ^ up[j];
            up[j] = over;
        }
    } while (open);
    #pragma unroll
    for (u32 j = 0; j < SITES_EACH; j++) {
        const u32 row = sites.row + j * GROUP_ROWS, visible = in_foreground(lattice, foreground, sites, j);
        u32 number = visible ? up[j] : NO_LABEL;
        if (!canonical) {
            const u32 root_row = up[j] / lattice.nx, x = up[j] - root_row * lattice.nx;
            const uint2 rank = ranks[(ulong)root_row * lattice.words + x / 32];
            number = visible ? rank.s0 + popcount(rank.s1 & ((1u << x % 32) - 1)) + 1 : 0;
        }
        if (sites.x < lattice.nx && row < lattice_rows(lattice))
            numbers[word_site(lattice, sites, j)] = number;
    }
}
