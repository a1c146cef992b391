/* Swendsen-Wang sweeps of a lattice that stays in local memory (resident.clh), and their
 * measurement. The clusters are found by runs (run_bits.clh), as in runs.clh, for all words of the
 * lattice at once. A run stays inside of one word: bonds from word to word, and around the lattice,
 * are inserted at the end.
 *
 * 1. draw(), a work-item for each word: the bonds of 32 sites to the right and down.
 * 2. find_hooks(), one for each word: of the bonds upwards that say something new, the first of
 *    each run is its hook, the others are laters.
 * 3. hang_runs(), one for each column of a band: each run's start gets as parent the start of the
 *    run above that its hook leads to, other sites the start of their run.
 * 4. climb(), one for each column of a band, row by row: every site gets the root of its tree as
 *    parent. A later between two trees is put on a list, as a pair of roots.
 * 5. unite_trees(), one for each pair of the list, and for each word the bond that leaves it.
 * 6. name_roots(), shorten_trees(), write_spins(), one for each word: the new spins of the roots,
 *    which are drawn by their sites, and of all sites; then, where they are wanted, sizes of
 *    clusters and what else is measured.
 *
 * All work-items of the group call each of these functions, with at, what the work-item sees of the
 * lattice. A barrier is needed between two of them.
 *
 * One work-group: one replica, GROUP_ITEMS work-items, as said in resident.clh. Global traffic:
 * spins read and written once a launch. */
#define SPIN_SPACE local
#define COUNTED SMALL_COUNTS
#define COUNTED_SUMS SMALL_SUMS
#include "counts.clh"
#include "draw_bonds.clh"
#include "local_forest.clh"
#include "modes.clh"
#include "record.clh"
#include "resident.clh"
#include "run_bits.clh"
#include "systems.clh"

#define CHUNK 8u /* words that are fetched at once */
/* In place of a root's parent, with the new spin, later with the size of the cluster. */
#define NAMED 0x8000u

/* Where counters are. */
enum {
    PAIRS_FOUND,
    OF_SPINS,
    OF_CLUSTERS = OF_SPINS + SPIN_SUMS,
    IN_STATE = OF_CLUSTERS + SMALL_SUMS
};

/* The lattice of a work-group (resident.clh), as one of its work-items sees it. */
typedef struct resident {
    lattice_args lattice;
    bond_law law;
    u32 words, item; /* of the lattice; the work-item's number */
    u32 x, w;        /* the work-item's column: bit x of words w of rows */
    u32 height;      /* rows of a band, unless it is the last */
    u32 first, rows; /* of the work-item's band */
    local spin_store *spins;
    /* A word for each word of the lattice: bonds to the right; hooks, before find_hooks() all bonds
     * upwards; laters. */
    local u32 *across, *hooks, *laters;
    local u32 *pairs, *counters; /* the list, two sites a word */
    local ushort *parent;
} resident;

/* What the work-item sees; memory is as said in resident.clh. */
resident resident_at(lattice_args lattice, bond_law law, local u32 *memory)
{
    const u32 item = get_local_id(0), column = item / 32, words = lattice_words(lattice);
    const u32 height = (lattice.ny - 1) / resident_bands(lattice) + 1;
    const u32 first = min(column / lattice.words * height, lattice.ny);
    resident at = {lattice, law,       words,
                   item,    item % 32, column % lattice.words,
                   height,  first,     min(height, lattice.ny - first)};
    at.parent = (local ushort *)memory;
    at.spins = (local spin_store *)(memory + 16 * words);
    at.across = memory + (16 + PLANES) * words;
    at.hooks = at.across + words;
    at.laters = at.hooks + words;
    at.pairs = at.laters + words;
    at.counters = at.pairs + resident_pairs(lattice);
    return at;
}

/* The number of the word above a word; of the first row's that of the last row. */
u32 word_above(resident at, u32 word)
{
    return (word < at.lattice.words ? at.words : 0) + word - at.lattice.words;
}

/* The bonds to the right that stay inside of a word. */
u32 inner(resident at, u32 word)
{
    return at.across[word] & word_mask(at.lattice, word % at.lattice.words) >> 1;
}

/* Draws the bonds of all words from the spins; makes each site its own parent and empties the
 * list. */
void draw(resident at, random_key key)
{
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS) {
        const u32 w = word % at.lattice.words, row = word / at.lattice.words;
        const ulong drawn = whole_word(at.lattice, w, row);
        u32 planes[PLANES];
        spins_load(at.lattice, at.spins, w, row, planes);
        at.across[word] = draw_bonds(spins_equal(at.lattice, at.spins, 0, w, row, planes), key, 0,
                                     drawn, at.law.threshold, at.law.always);
        at.hooks[row + 1 < at.lattice.ny ? word + at.lattice.words : w] = draw_bonds(
            spins_equal(at.lattice, at.spins, 1, w, row, planes), key, 1, drawn, at.law.threshold,
            at.law.always);
    }
    for (u32 k = at.item; k < 16 * at.words; k += GROUP_ITEMS)
        ((local u32 *)at.parent)[k] = (2 * k + 1) << 16 | 2 * k;
    if (at.item == 0)
        at.counters[PAIRS_FOUND] = 0;
}

/* Sorts the bonds upwards into hooks and laters. The first row's are all laters: they lead around
 * the lattice, and no parent comes after its site. */
void find_hooks(resident at)
{
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS) {
        u32 h = inner(at, word), up = at.hooks[word];
        up &= ~(repeated(up, h, inner(at, word_above(at, word))) << 1);
        u32 later = word < at.lattice.words ? up : preceded(h, up);
        at.hooks[word] = up & ~later;
        at.laters[word] = up & later;
    }
}

/* Gives the sites of the work-item's column and band their parents: a start of a run the start of
 * the run above that its hook leads to, another site the start of its run. */
void hang_runs(resident at)
{
    const u32 below = (1u << at.x) - 1, stride = at.lattice.words;
    u32 word = at.first * stride + at.w, above = word_above(at, word);
    u32 start_above = 32 * above + run_start(inner(at, above), below);
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

/* Puts bonds upwards of the work-item's column on the list, as long as there is room: bit j of late
 * is that of the word j rows below the one given. */
void add_pairs(resident at, u32 word, u32 late)
{
    u32 place = atomic_add(&at.counters[PAIRS_FOUND], popcount(late));
    for (u32 bits = late; bits && place < resident_pairs(at.lattice); bits &= bits - 1, place++) {
        const u32 from = word + lowest(bits) * at.lattice.words;
        at.pairs[place] = parent_read(at.parent, 32 * word_above(at, from) + at.x) << 16 |
                          parent_read(at.parent, 32 * from + at.x);
    }
}

/* Gives every site of the work-item's column and band the root of its tree as parent, and puts the
 * laters between trees on the list. Has barriers. Benign race "stale parent": the first row of a
 * band leads to the band before. */
void climb(resident at)
{
    const u32 stride = at.lattice.words;
    u32 word = at.first * stride + at.w, mine = 32 * word_above(at, word) + at.x, next = 0;
    u32 late = 0, late_from = word;
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

/* Unites the trees of the pairs of the list, and of the ends of bonds from word to word. */
void unite_trees(resident at)
{
    const u32 found = at.counters[PAIRS_FOUND], room = resident_pairs(at.lattice);
    for (u32 k = at.item; k < min(found, room); k += GROUP_ITEMS)
        unite(at.parent, 0, at.pairs[k] >> 16, at.pairs[k] & 0xFFFF);
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS) {
        const u32 w = word % at.lattice.words, last = last_bit(at.lattice, w);
        if (at.across[word] >> last & 1)
            unite(at.parent, 0, 32 * word + last,
                  32 * (w + 1 < at.lattice.words ? word + 1 : word - w));
        /* what the list had no room for */
        for (u32 bits = found > room ? at.laters[word] : 0; bits; bits &= bits - 1)
            unite(at.parent, 0, 32 * word + lowest(bits), 32 * word_above(at, word) + lowest(bits));
    }
}

/* The starts of the runs of a word. */
u32 starts_of(resident at, u32 word)
{
    return ~(inner(at, word) << 1) & word_mask(at.lattice, word % at.lattice.words);
}

/* The starts of the runs that have no hook, roots of trees; roots of clusters are among them. */
u32 trees_of(resident at, u32 word)
{
    return starts_of(at, word) & ~leading_to(inner(at, word), at.hooks[word]);
}

/* Draws a new spin for each cluster: its root's parent is replaced by NAMED | spin. */
void name_roots(resident at, random_key key)
{
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS) {
        const ulong row = whole_row(at.lattice, word / at.lattice.words);
        const ulong site = row * at.lattice.nx + 32 * (word % at.lattice.words);
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

/* The root of the cluster of a site, once roots have names. */
u32 root_above(resident at, u32 site)
{
    for (u32 up = parent_read(at.parent, site); !(up & NAMED); up = parent_read(at.parent, site))
        site = up;
    return site;
}

/* Gives roots of trees those of their clusters as parents. Benign race "stale parent". */
void shorten_trees(resident at)
{
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS)
        for (u32 bits = trees_of(at, word); bits; bits &= bits - 1) {
            u32 tree = 32 * word + lowest(bits), root = root_above(at, tree);
            if (root != tree)
                parent_write(at.parent, tree, root);
        }
}

/* Writes the new spins of all sites. If sized is set each start of a run gets the root of its
 * cluster as parent: benign race "stale parent". */
void write_spins(resident at, u32 sized)
{
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS) {
        const u32 h = inner(at, word);
        u32 planes[PLANES];
        for (u32 p = 0; p < PLANES; p++)
            planes[p] = 0;
        for (u32 bits = starts_of(at, word); bits; bits &= bits - 1) {
            u32 x = lowest(bits), start = 32 * word + x, root = root_above(at, start);
            u32 spin = parent_read(at.parent, root), run = first_run(h >> x) << x;
            for (u32 p = 0; p < PLANES; p++)
                planes[p] |= (spin >> p & 1) ? run : 0;
            if (sized && root != start)
                parent_write(at.parent, start, root);
        }
        for (u32 p = 0; p < PLANES; p++)
            at.spins[p * at.words + word] = planes[p];
    }
}

/* Counts what there is to count of spins, and clears the sizes of clusters. */
void measure_spins(resident at)
{
    u32 counts[SPIN_COLUMNS] = {0};
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS) {
        count_spins(at.lattice, at.spins, word % at.lattice.words, word / at.lattice.words, counts,
                    at.counters + IN_STATE);
        for (u32 bits = trees_of(at, word); bits; bits &= bits - 1) {
            u32 tree = 32 * word + lowest(bits);
            if (at.parent[tree] & NAMED)
                at.parent[tree] = NAMED;
        }
    }
    for (u32 k = 0; k < SPIN_COLUMNS; k++)
        atomic_add(&at.counters[k < SPIN_SUMS ? OF_SPINS + k : IN_STATE + k - SPIN_SUMS],
                   counts[k]);
}

/* Adds the sizes of runs to those of their clusters, in the place of the roots' parents. Runs of
 * one word that follow each other in a cluster are added together. */
void add_sizes(resident at)
{
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS) {
        u32 size = 0, of = 0;
        for (u32 bits = starts_of(at, word); bits; bits &= bits - 1) {
            u32 x = lowest(bits), start = 32 * word + x, up = parent_read(at.parent, start);
            u32 root = (up & NAMED) ? start : up;
            if (root != of && size > 0) {
                size_add((local u32 *)at.parent, of, size);
                size = 0;
            }
            of = root;
            size += count_bits(first_run(inner(at, word) >> x));
        }
        size_add((local u32 *)at.parent, of, size);
    }
}

/* Counts the clusters by their sizes. */
void measure_clusters(resident at)
{
    u32 counts[SMALL_SUMS] = {0};
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS)
        for (u32 bits = trees_of(at, word); bits; bits &= bits - 1) {
            const u32 up = at.parent[32 * word + lowest(bits)];
            if (up >= NAMED)
                count_cluster(counts, up - NAMED);
        }
    add_counts(counts, at.counters + OF_CLUSTERS);
}

/* Numbers of 64 bits in two words of local memory: number k, which is set by one work-item, or
 * added to by any number of them. */
u64 wide_get(local const u32 *numbers, u32 k)
{
    return (u64)numbers[2 * k + 1] << 32 | numbers[2 * k];
}

void wide_put(local u32 *numbers, u32 k, u64 value)
{
    numbers[2 * k] = (u32)value;
    numbers[2 * k + 1] = (u32)(value >> 32);
}

void wide_add(volatile local u32 *numbers, u32 k, s64 value)
{
    const u32 low = (u32)value, before = atomic_add(&numbers[2 * k], low);
    atomic_add(&numbers[2 * k + 1], (u32)((u64)value >> 32) + (before + low < before));
}

/* Fourier sums of the spins (modes.clh): numbers of 64 bits in the place of the list of pairs. All
 * are 0 at first. */
enum {
    OF_STATE,                   /* of the sites in a state, cosines and sines along x and y */
    OF_OTHERS = OF_STATE + 4,   /* of those in all states so far */
    OF_SQUARES = OF_OTHERS + 4, /* for each axis, see add_square() */
    MODE_WORDS = 2 * (OF_SQUARES + 4)
};

/* Adds the Fourier sums of a state. */
void add_modes(resident at, global const s32 *table, u32 state)
{
    s64 x[2] = {0}, y[2] = {0};
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS) {
        const u32 w = word % at.lattice.words, row = word / at.lattice.words;
        global const s32 *along = table + mode_place(at.lattice, 1, row);
        u32 planes[PLANES];
        spins_load(at.lattice, at.spins, w, row, planes);
        const u32 match = spins_match(at.lattice, w, planes, state);
        y[0] += (s64)popcount(match) * along[0];
        y[1] += (s64)popcount(match) * along[1];
        for (u32 bits = match; bits; bits &= bits - 1) {
            along = table + mode_place(at.lattice, 0, 32 * w + lowest(bits));
            x[0] += along[0];
            x[1] += along[1];
        }
    }
    for (u32 k = 0; k < 2; k++) {
        wide_add(at.pairs, OF_STATE + k, x[k]);
        wide_add(at.pairs, OF_STATE + 2 + k, y[k]);
    }
}

/* Adds the squares of a state's sums along an axis, and clears these. One work-item calls it for an
 * axis; loops are unrolled, as PoCL (3.1) has all run one that some should. */
void add_squares(resident at, u32 axis)
{
    u64 squares[2];
#pragma unroll
    for (u32 k = 0; k < 2; k++)
        squares[k] = wide_get(at.pairs, OF_SQUARES + 2 * axis + k);
#pragma unroll
    for (u32 j = 0; j < 2; j++) {
        const u32 k = 2 * axis + j;
        const u64 sum = wide_get(at.pairs, OF_STATE + k);
        add_square(squares, (s64)sum);
        wide_put(at.pairs, OF_OTHERS + k, wide_get(at.pairs, OF_OTHERS + k) + sum);
        wide_put(at.pairs, OF_STATE + k, 0);
    }
#pragma unroll
    for (u32 k = 0; k < 2; k++)
        wide_put(at.pairs, OF_SQUARES + 2 * axis + k, squares[k]);
}

/* Makes the sums of squares of modes. Has barriers. */
void measure_modes(resident at, global const s32 *table)
{
    for (u32 k = at.item; k < MODE_WORDS; k += GROUP_ITEMS)
        at.pairs[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 state = 1; state < STATES; state++) {
        add_modes(at, table, state);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (at.item < 2)
            add_squares(at, at.item);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    /* the first state has what is left of all sites */
    if (at.item < 4)
        wide_put(at.pairs, OF_STATE + at.item,
                 (u64)mode_total(at.lattice, table, at.item) -
                     wide_get(at.pairs, OF_OTHERS + at.item));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (at.item < 2)
        add_squares(at, at.item);
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Writes the record of a sweep and clears the counters. The work-items all make the record, and one
 * stores it: PoCL (3.1) has all run a loop that one of them should. Has barriers. */
void write_record(resident at, u32 format, global const s32 *table, global u32 *to)
{
    sweep_record record = {0};
    for (u32 state = 0; state < STATES; state++)
        record_add_state(&record, at.counters[IN_STATE + state]);
#define ROW(NAME, WORD, SITE) record.NAME = at.counters[OF_SPINS + SPIN_SUM_##NAME];
    SPIN_COUNTS(ROW)
#undef ROW
#define ROW(NAME, OP, VALUE) record.NAME = at.counters[OF_CLUSTERS + CLUSTER_SUM_##NAME];
    SMALL_COUNTS(ROW)
#undef ROW
    if (format & RECORD_MODES) {
        measure_modes(at, table);
        record.modes_x_0 = wide_get(at.pairs, OF_SQUARES);
        record.modes_x_1 = wide_get(at.pairs, OF_SQUARES + 1);
        record.modes_y_0 = wide_get(at.pairs, OF_SQUARES + 2);
        record.modes_y_1 = wide_get(at.pairs, OF_SQUARES + 3);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (at.item == 0)
        record_put(to, format & ~RECORD_APART, &record);
    for (u32 k = OF_SPINS + at.item; k < IN_STATE + STATES; k += GROUP_ITEMS)
        at.counters[k] = 0;
}

/* Does a sweep; sized says whether add_sizes() is to follow. Ends with a barrier. */
void sweep(resident at, random_key key, u32 sized)
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
    write_spins(at, sized);
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Measures the sweep that was done last, as the format of records says. */
void measure(resident at, u32 format, global const s32 *table, global u32 *record)
{
    measure_spins(at);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (format & RECORD_CLUSTERS) {
        add_sizes(at);
        barrier(CLK_LOCAL_MEM_FENCE);
        measure_clusters(at);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    write_record(at, format, table, record);
}

/* Does the sweeps first to last - 1, counted from that of the key. If every is not 0 those are
 * measured that make up a multiple of it with the sweeps of before; records gets one for each
 * replica after the other. The table is read for modes alone. */
kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1))) void
action_resident(lattice_args lattice, random_key key, global const bond_law *laws, u32 first,
                u32 last, u32 every, u32 before, u32 format, global const s32 *table,
                global spin_store *spins, global u32 *records, local u32 *memory)
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
        const u32 done = before + k + 1;
        const bool measured = every > 0 && done % every == 0;
        sweep(at, later_key(own, k), measured && (format & RECORD_CLUSTERS) != 0);
        if (measured)
            measure(at, format, table,
                    records + ((ulong)(done / every - 1) * get_num_groups(1) + get_group_id(1)) *
                                  record_words(format));
    }
    for (u32 k = at.item; k < stored; k += GROUP_ITEMS)
        spins[k] = at.spins[k];
}
