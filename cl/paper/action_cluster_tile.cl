/* SPDX-License-Identifier: BSD-3-Clause */
/* Grows the clusters of a few seeds, the paper's cluster_tile(). Each cluster grows from a site in
 * the seed's part of the lattice, as far as it reaches. A bond is drawn when it is reached, and
 * spins stay as they are until all clusters are complete.
 *
 * inclus[i] is 0 for a site in no cluster so far, else 1 + the number of the seed that claimed it.
 * Seeds whose clusters touch are in one cluster: they are united in a forest over the seeds, whose
 * roots are the smallest numbers. */
#include "paper/bond.clh"
#include "paper/few_cluster.clh"
#include "core/spins.clh"
#include "forest/unite.clh"

/* Starts a sweep: each seed claims its site and queues it. No two seeds have the same site, as
 * their parts of the lattice are disjoint.
 *
 * One work-item: one seed. Work-group: WORD_ITEMS. Local memory: none. Global traffic: 28 bytes a
 * seed. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
action_cluster_seed(lattice_args lattice, random_key key, u32 side, u32 entries, global u32 *inclus,
                    global u32 *queues, global growth *growths, global label *forest)
{
    ulong k = get_global_id(0);
    if (k >= (ulong)side * side)
        return;
    u32 site = seed_site_in_part(random_seed(key, k), k, side, lattice.nx, lattice.ny);
    growth start = {0, 1, 0, 0};
    inclus[site] = k + 1;
    queues[k * entries] = site;
    growths[k] = start;
    forest[k] = k;
}

/* What the work-items of a group share. */
typedef struct grower {
    u32 me, entries;             /* number of the seed; room in its queue */
    volatile global u32 *inclus; /* of all seeds */
    volatile global label *forest;
    global u32 *queue; /* queue of the seed; entry e is at e modulo entries */
    u32 head;          /* head at the beginning of the step: entries after it stay */
    volatile local u32 *tail, *lost;
} grower;

/* Claims a site across an active bond, and queues it if it was free. A site for which the queue has
 * no room is lost: it is claimed, but its bonds are not visited before a scan. Benign race "all
 * write 1" on lost, which is read after a barrier. */
void claim(const grower *grower, u32 site)
{
    u32 owner = atomic_cmpxchg(&grower->inclus[site], 0, grower->me + 1);
    if (owner == 0) {
        u32 entry = atomic_inc(grower->tail);
        if (entry - grower->head < grower->entries)
            grower->queue[entry % grower->entries] = site;
        else
            *grower->lost = 1;
    } else if (owner != grower->me + 1) {
        unite(grower->forest, grower->me, owner - 1);
    }
}

/* Visits the bonds of a site of the cluster. Benign race "stale label" (labels.clh): if an old 0 is
 * read for a claimed site, claim() finds that it is claimed. */
void look_around(const grower *grower, lattice_args lattice, random_key key, u32 threshold,
                 u32 always, global const spin_store *spins, u32 site)
{
    u32 x = site % lattice.nx, y = site / lattice.nx, spin = spin_at(lattice, spins, x, y);
    for (u32 k = 0; k < 2 * DIRECTIONS; k++) {
        u32 d = k / 2, forward = k % 2, wraps = lattice.periodic >> d & 1;
        u32 at = d == 0 ? x : y, size = d == 0 ? lattice.nx : lattice.ny;
        u32 to = forward ? ahead(at, size, wraps) : behind(at, size, wraps);
        if (to == NOWHERE)
            continue;
        u32 ox = d == 0 ? to : x, oy = d == 0 ? y : to, other = oy * lattice.nx + ox;
        if (label_read(grower->inclus, other) != grower->me + 1 &&
            spin_at(lattice, spins, ox, oy) == spin &&
            random_bond(key, d, whole_word(lattice, (forward ? x : ox) / 32, forward ? y : oy),
                        (forward ? x : ox) % 32, threshold, always))
            claim(grower, other);
    }
}

/* Returns the growth after a step that took count sites. tail also counts the claims that found no
 * room. */
growth advance(growth now, u32 count, u32 tail, u32 lost, u32 entries, u32 sites)
{
    growth next = {now.head, now.head + min(tail - now.head, entries), now.left, lost};
    if (now.tail != now.head) {
        next.head += count;
    } else if (now.left > 0) {
        next.left -= count;
    } else {
        next.left = sites;
        next.lost = 0;
    }
    return next;
}

/* Says whether a cluster is not complete. */
bool grows(growth now)
{
    return now.tail != now.head || now.left > 0 || now.lost;
}

/* Does steps of growth. In a step each work-item takes a site: from the queue, or when that is
 * empty and sites were lost, a site of the cluster among the next sites of a scan of the lattice. A
 * bond is the same whenever it is visited, so that a scan only finds more sites. The scan is
 * repeated until a whole one has lost none. pending[launch] becomes 1 when a cluster is not
 * complete, by a benign race, "all write 1", and the next launch reads it. If the launch before
 * left it 0 there is nothing to do.
 *
 * One work-group: one seed. One work-item: every GROUP_ITEMS-th site of a step. Local memory: 24
 * bytes. Global traffic, bytes a site of the cluster: 8 of the queue; inclus 4 and at each bond 4;
 * spins, word layout 20 PLANES, char layout 5; nothing for other sites, but 4 for each site in a
 * scan. Source: the paper's section on the single-cluster algorithm; its queues have room for all
 * sites. */
kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1))) void
action_cluster_tile(lattice_args lattice, random_key key, u32 threshold, u32 always, u32 entries,
                    u32 steps, u32 launch, global const spin_store *spins,
                    volatile global u32 *inclus, global u32 *queues, global growth *growths,
                    volatile global label *forest, global u32 *pending)
{
    local growth now;
    local u32 tail, lost;
    const u32 me = get_group_id(0), item = get_local_id(0), sites = lattice.nx * lattice.ny;
    grower grower = {me, entries, inclus, forest, queues + (ulong)me * entries, 0, &tail, &lost};
    if (launch > 0 && pending[launch - 1] == 0)
        steps = 0;
    if (item == 0) {
        now = growths[me];
        tail = now.tail;
        lost = now.lost;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 step = 0; step < steps && grows(now); step++) {
        bool queued = now.tail != now.head;
        u32 count = min(queued ? now.tail - now.head : now.left, (u32)GROUP_ITEMS), site = NOWHERE;
        grower.head = now.head;
        if (item < count && queued)
            site = grower.queue[(now.head + item) % entries];
        else if (item < count && label_read(inclus, sites - now.left + item) == me + 1)
            site = sites - now.left + item;
        if (site != NOWHERE)
            look_around(&grower, lattice, key, threshold, always, spins, site);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (item == 0) {
            now = advance(now, count, tail, lost, entries, sites);
            tail = now.tail;
            lost = now.lost;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0) {
        growths[me] = now;
        if (grows(now))
            pending[launch] = 1;
    }
}
