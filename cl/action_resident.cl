/* Swendsen-Wang sweeps of a lattice that stays in local memory, and their measurement. The clusters are found as in runs_border.clh, with
 * bonds between bands and those around the lattice among the pairs.
 *
 * 1. A work-item a word: the bonds of 32 sites to the right and down.
 * 2. A word each: its bonds upwards that say something new, and of those the first of each run, the hook. A row's later ones go to the list.
 * 3. A column of 32 words each: sites are put below the first of their run, and that below the start of the run above that it hooks to.
 * 4. A column each, row by row: every site learns the root of its run's tree. A bond upwards between two trees is put on the list.
 * 5. A pair of the list each, and a word each for the bond that leaves it: the trees are united.
 * 6. A word each: the roots' new spins, by their sites; then the words of spins; then sizes, states and energy, where they are wanted.
 *
 * One work-group: one replica. Work-group: GROUP_ITEMS, as said in resident.clh. Global traffic: spins read and written once a launch. */
#define SPIN_SPACE local
#include "draw_bonds.clh"
#include "local_forest.clh"
#include "record.clh"
#include "resident.clh"
#include "spins.clh"
#include "systems.clh"

#define CHUNK 8u /* words that are fetched at once */
#define NAMED 0x8000u /* with the new spin, then with the size of the cluster, in place of a root's parent */

/* Counters. */
enum { PAIRS_FOUND, OF_SPINS, OF_CLUSTERS = OF_SPINS + SPIN_SUMS, IN_STATE = OF_CLUSTERS + CLUSTER_SUMS };

/* The lattice of a work-group, see resident.clh. hooks are the bonds upwards until the hooks are known; first and rows are those of
 * the work-item's band, of height rows unless it is the last, w its column of words. */
typedef struct resident {
    lattice_args lattice;
    bond_law law;
    u32 words, item, x, w, height, first, rows;
    local spin_store *spins;
    local u32 *across, *hooks, *laters, *pairs, *counters;
    local ushort *parent;
} resident;

resident resident_at(lattice_args lattice, bond_law law, local u32 *memory)
{
    const u32 item = get_local_id(0), words = lattice_words(lattice), bands = resident_bands(lattice);
    const u32 height = (lattice.ny - 1) / bands + 1, first = min(item / 32 / lattice.words * height, lattice.ny);
    resident at = {lattice, law, words, item, item % 32, item / 32 % lattice.words, height, first, min(height, lattice.ny - first)};
    at.parent = (local ushort *)memory;
    at.spins = (local spin_store *)(memory + 16 * words);
    at.across = memory + (16 + PLANES) * words;
    at.hooks = at.across + words;
    at.laters = at.hooks + words;
    at.pairs = at.laters + words;
    at.counters = at.pairs + resident_pairs(lattice);
    return at;
}

/* The word above one, around the lattice. */
u32 word_above(resident at, u32 word)
{
    return (word < at.lattice.words ? at.words : 0) + word - at.lattice.words;
}

/* The bonds inside a word. */
u32 inner(resident at, u32 word)
{
    return at.across[word] & word_mask(at.lattice, word % at.lattice.words) >> 1;
}

void draw(resident at, random_key key)
{
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS) {
        const u32 w = word % at.lattice.words, row = word / at.lattice.words;
        const ulong drawn = whole_word(at.lattice, w, row);
        u32 planes[PLANES];
        spins_load(at.lattice, at.spins, w, row, planes);
        at.across[word] = draw_bonds(spins_equal(at.lattice, at.spins, 0, w, row, planes), key, 0, drawn, at.law.threshold, at.law.always);
        at.hooks[row + 1 < at.lattice.ny ? word + at.lattice.words : w] =
            draw_bonds(spins_equal(at.lattice, at.spins, 1, w, row, planes), key, 1, drawn, at.law.threshold, at.law.always);
    }
    for (u32 k = at.item; k < 16 * at.words; k += GROUP_ITEMS)
        ((local u32 *)at.parent)[k] = (2 * k + 1) << 16 | 2 * k;
    if (at.item == 0)
        at.counters[PAIRS_FOUND] = 0;
}

/* Those of the first row lead around the lattice, and are no hooks: a parent is above its sites. */
void find_hooks(resident at)
{
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS) {
        u32 h = inner(at, word), up = at.hooks[word];
        /* a bond next to one whose ends are joined to its own says nothing new */
        up &= ~((up & h & inner(at, word_above(at, word))) << 1);
        /* carries of an addition run along the runs: the bonds that have another before them in theirs */
        u32 later = word < at.lattice.words ? up : (h + (up & h)) ^ h ^ (up & h);
        at.hooks[word] = up & ~later;
        at.laters[word] = up & later;
    }
}

void hang_runs(resident at)
{
    const u32 below = (1u << at.x) - 1, stride = at.lattice.words;
    u32 word = at.first * stride + at.w, above = word_above(at, word), start_above = 32 * above + run_start(inner(at, above), below);
    for (u32 row = 0; row < at.rows; row += CHUNK) {
        u32 h[CHUNK], hooks[CHUNK];
        #pragma unroll
        for (u32 j = 0; j < CHUNK; j++) {
            const u32 there = word + (row + j < at.rows ? j : 0) * stride;
            h[j] = inner(at, there);
            hooks[j] = at.hooks[there];
        }
        #pragma unroll
        for (u32 j = 0; j < CHUNK; j++, word += stride)
            if (row + j < at.rows) {
                u32 start = 32 * word + run_start(h[j], below), site = 32 * word + at.x;
                if (site != start)
                    at.parent[site] = start;
                if (hooks[j] >> at.x & 1)
                    at.parent[start] = start_above;
                start_above = start;
            }
    }
}

/* Puts bonds upwards of a column on the list, those of up to 32 rows from a word on. */
void add_pairs(resident at, u32 word, u32 late)
{
    u32 place = atomic_add(&at.counters[PAIRS_FOUND], popcount(late));
    for (u32 bits = late; bits && place < resident_pairs(at.lattice); bits &= bits - 1, place++) {
        const u32 from = word + lowest(bits) * at.lattice.words;
        at.pairs[place] = parent_read(at.parent, 32 * word_above(at, from) + at.x) << 16 | parent_read(at.parent, 32 * from + at.x);
    }
}

/* Benign race "stale parent": the first row of a band leads to the band before. */
void climb(resident at)
{
    const u32 stride = at.lattice.words;
    u32 word = at.first * stride + at.w, mine = 32 * word_above(at, word) + at.x, next = 0, late = 0, late_from = word;
    if (at.rows > 0)
        next = parent_read(at.parent, parent_read(at.parent, 32 * word + at.x));
    for (u32 first = 0; first < at.height; first += CHUNK) {
        #pragma unroll
        for (u32 j = 0; j < CHUNK; j++, word += stride) {
            const u32 row = first + j;
            if (row < at.rows) {
                /* rows above are done: what a site leads to in two steps is done, or a root */
                u32 above = mine, site = 32 * word + at.x;
                mine = parent_read(at.parent, next);
                if (row + 1 < at.rows)
                    next = parent_read(at.parent, parent_read(at.parent, site + 32 * stride));
                if (mine != site)
                    parent_write(at.parent, site, mine);
                late |= (at.laters[word] >> at.x & (above != mine)) << row % 32;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (first % 32 == 32 - CHUNK || first + CHUNK >= at.height) {
            add_pairs(at, late_from, late);
            late = 0;
            late_from = word;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

void unite_trees(resident at)
{
    const u32 found = at.counters[PAIRS_FOUND], room = resident_pairs(at.lattice);
    for (u32 k = at.item; k < min(found, room); k += GROUP_ITEMS)
        unite(at.parent, at.pairs[k] >> 16, at.pairs[k] & 0xFFFF);
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS) {
        const u32 w = word % at.lattice.words, last = last_bit(at.lattice, w);
        if (at.across[word] >> last & 1)
            unite(at.parent, 32 * word + last, 32 * (w + 1 < at.lattice.words ? word + 1 : word - w));
        /* what the list had no room for */
        for (u32 bits = found > room ? at.laters[word] : 0; bits; bits &= bits - 1)
            unite(at.parent, 32 * word + lowest(bits), 32 * word_above(at, word) + lowest(bits));
    }
}

/* The starts of runs. */
u32 starts_of(resident at, u32 word)
{
    return ~(inner(at, word) << 1) & word_mask(at.lattice, word % at.lattice.words);
}

/* The starts of runs that have no hook; the roots are among them. Towards the starts carries run in the reversed word. */
u32 trees_of(resident at, u32 word)
{
    u32 back = reverse(inner(at, word) << 1), up = reverse(at.hooks[word]), found = ((back + (back & up)) ^ back ^ (back & up)) | up;
    return starts_of(at, word) & ~reverse(found);
}

void name_roots(resident at, random_key key)
{
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS) {
        const ulong site = whole_row(at.lattice, word / at.lattice.words) * at.lattice.nx + 32 * (word % at.lattice.words);
        ulong block = ~0ul;
        philox_block random;
        for (u32 bits = trees_of(at, word); bits; bits &= bits - 1) {
            u32 x = lowest(bits), root = 32 * word + x;
            if (at.parent[root] != root)
                continue;
            if (block != field_block(site + x, FIELD)) {
                block = field_block(site + x, FIELD);
                random = random_block(key, PURPOSE_CLUSTER, block, 0);
            }
            at.parent[root] = NAMED | field_spin(random, site + x, STATES, FIELD);
        }
    }
}

/* The root above a site. */
u32 root_above(resident at, u32 site)
{
    for (u32 up = parent_read(at.parent, site); !(up & NAMED); up = parent_read(at.parent, site))
        site = up;
    return site;
}

/* Benign race "stale parent": trees that hang below others' are put directly below the root. */
void shorten_trees(resident at)
{
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS)
        for (u32 bits = trees_of(at, word); bits; bits &= bits - 1) {
            u32 tree = 32 * word + lowest(bits), root = root_above(at, tree);
            if (root != tree)
                parent_write(at.parent, tree, root);
        }
}

/* Benign race "stale parent": where sizes are wanted, each run is put directly below its root. */
void write_spins(resident at, u32 measured)
{
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS) {
        const u32 h = inner(at, word);
        u32 planes[PLANES];
        for (u32 p = 0; p < PLANES; p++)
            planes[p] = 0;
        for (u32 bits = starts_of(at, word); bits; bits &= bits - 1) {
            u32 x = lowest(bits), start = 32 * word + x, root = root_above(at, start), spin = parent_read(at.parent, root);
            u32 run = (h >> x ^ ((h >> x) + 1)) << x;
            for (u32 p = 0; p < PLANES; p++)
                planes[p] |= (spin >> p & 1) ? run : 0;
            if (measured && root != start)
                parent_write(at.parent, start, root);
        }
        for (u32 p = 0; p < PLANES; p++)
            at.spins[p * at.words + word] = planes[p];
    }
}

/* What there is to count of spins, and the sites in each state; and no sizes yet. */
void count_spins(resident at)
{
    const lattice_args lattice = at.lattice;
    local const spin_store *spins = at.spins;
#define ROW(NAME, WORD, SITE) u32 of_##NAME = 0;
    SPIN_COUNTS(ROW)
#undef ROW
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS) {
        const u32 w = word % lattice.words, row = word / lattice.words;
        u32 planes[PLANES];
        spins_load(lattice, spins, w, row, planes);
#define ROW(NAME, WORD, SITE) of_##NAME += WORD;
        SPIN_COUNTS(ROW)
#undef ROW
        for (u32 state = 0; state < STATES; state++) {
            u32 match = spins_match(lattice, w, planes, state);
            if (match)
                atomic_add(&at.counters[IN_STATE + state], popcount(match));
        }
        for (u32 bits = trees_of(at, word); bits; bits &= bits - 1) {
            u32 tree = 32 * word + lowest(bits);
            if (at.parent[tree] & NAMED)
                at.parent[tree] = NAMED;
        }
    }
#define ROW(NAME, WORD, SITE) atomic_add(&at.counters[OF_SPINS + SPIN_SUM_##NAME], of_##NAME);
    SPIN_COUNTS(ROW)
#undef ROW
}

/* Runs of one word that follow each other in a cluster are added together. */
void add_sizes(resident at)
{
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS) {
        u32 size = 0, of = 0;
        for (u32 bits = starts_of(at, word); bits; bits &= bits - 1) {
            u32 x = lowest(bits), start = 32 * word + x, up = parent_read(at.parent, start), root = (up & NAMED) ? start : up;
            if (root != of && size > 0) {
                size_add((local u32 *)at.parent, of, size);
                size = 0;
            }
            of = root;
            size += run_length(inner(at, word) >> x);
        }
        size_add((local u32 *)at.parent, of, size);
    }
}

void count_clusters(resident at)
{
#define ROW(NAME, OP, VALUE) u32 of_##NAME = 0;
    CLUSTER_COUNTS(ROW)
#undef ROW
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS)
        for (u32 bits = trees_of(at, word); bits; bits &= bits - 1) {
            const u32 up = at.parent[32 * word + lowest(bits)], size = up - NAMED;
            if (up < NAMED)
                continue;
#define ROW(NAME, OP, VALUE) of_##NAME = counted_##OP(of_##NAME, VALUE);
            CLUSTER_COUNTS(ROW)
#undef ROW
        }
#define ROW(NAME, OP, VALUE) atomic_##OP(&at.counters[OF_CLUSTERS + CLUSTER_SUM_##NAME], of_##NAME);
    CLUSTER_COUNTS(ROW)
#undef ROW
}

/* By one work-item; clears the counters. */
void write_record(resident at, global sweep_record *record)
{
    u32 majority = 0;
    for (u32 state = 0; state < STATES; state++)
        majority = max(majority, at.counters[IN_STATE + state]);
    record->majority = majority;
    record->updated = 0;
#define ROW(NAME, WORD, SITE) record->NAME = at.counters[OF_SPINS + SPIN_SUM_##NAME];
    SPIN_COUNTS(ROW)
#undef ROW
#define ROW(NAME, OP, VALUE) record->NAME = at.counters[OF_CLUSTERS + CLUSTER_SUM_##NAME];
    CLUSTER_COUNTS(ROW)
#undef ROW
    for (u32 k = OF_SPINS; k < IN_STATE + STATES; k++)
        at.counters[k] = 0;
}

void sweep(resident at, random_key key, u32 measured)
{
    draw(at, key);
    barrier(CLK_LOCAL_MEM_FENCE);
    find_hooks(at);
    barrier(CLK_LOCAL_MEM_FENCE);
    hang_runs(at);
    barrier(CLK_LOCAL_MEM_FENCE);
    climb(at);
    unite_trees(at);
    barrier(CLK_LOCAL_MEM_FENCE);
    name_roots(at, key);
    barrier(CLK_LOCAL_MEM_FENCE);
    shorten_trees(at);
    barrier(CLK_LOCAL_MEM_FENCE);
    write_spins(at, measured);
    barrier(CLK_LOCAL_MEM_FENCE);
}

void measure(resident at, global sweep_record *record)
{
    count_spins(at);
    barrier(CLK_LOCAL_MEM_FENCE);
    add_sizes(at);
    barrier(CLK_LOCAL_MEM_FENCE);
    count_clusters(at);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (at.item == 0)
        write_record(at, record);
}

/* The sweeps from that of the key on, first to last - 1; when measured, each has as many records as there are replicas. */
kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
void action_resident(lattice_args lattice, random_key key, global const bond_law *laws, u32 first, u32 last, u32 measured, global spin_store *spins,
                     global sweep_record *records, local u32 *memory)
{
    const resident at = resident_at(lattice, laws[get_group_id(1)], memory);
    const u32 stored = spins_length(lattice);
    const random_key own = system_key(key);
    spins += REPLICA(stored);
    for (u32 k = at.item; k < stored; k += GROUP_ITEMS)
        at.spins[k] = spins[k];
    for (u32 k = at.item; k < RESIDENT_COUNTERS + STATES; k += GROUP_ITEMS)
        at.counters[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 k = first; k < last; k++) {
        sweep(at, later_key(own, k), measured);
        if (measured)
            measure(at, records + (ulong)k * get_num_groups(1) + get_group_id(1));
    }
    for (u32 k = at.item; k < stored; k += GROUP_ITEMS)
        spins[k] = at.spins[k];
}
