/* SPDX-License-Identifier: BSD-3-Clause */
/* Swendsen-Wang sweeps of a lattice that stays in local memory (resident.clh), and their
 * measurement. The clusters are found by runs (run_bits.clh), for all words of the lattice at once.
 * A run stays inside of one word, and a tree inside of one band. Bonds between words, between
 * bands, and around the lattice are seams, which are inserted at the end.
 *
 * 1. draw(), a work-item for each word and direction: draws the bonds of 32 sites.
 * 2. find_hooks(), a work-item for each word: leaves out bonds upwards that connect nothing new. Of
 *    the others, the first of each run is its hook, the rest are unions.
 * 3. hang_runs() and climb() (run_columns.clh), a work-item for each column of a band, find the
 *    trees that hooks make, and list unions between trees; add_seams() puts seams on that list.
 * 4. join_trees(), some pairs of the list for each work-item, unites the trees of pairs; flatten()
 *    makes the roots of clusters the parents of the roots of these trees.
 * 5. draw_spins(), a work-item for each word: draws the numbers that give the new spins of
 *    clusters, by the sites of their roots. write_spins(), a work-item for eight sites: writes
 *    their new spins.
 * 6. If they are wanted, sizes of clusters and other quantities are measured.
 *
 * All work-items of the group call each of these functions, with at, the lattice as the work-item
 * sees it. Between two of them there must be a barrier.
 *
 * One work-group: one replica, GROUP_ITEMS work-items, as said in resident.clh. Global traffic:
 * spins read and written once a launch. */
#define SPIN_SPACE local
#define COUNTED SMALL_COUNTS
#define COUNTED_SUMS SMALL_SUMS
#include "model/count_spins.clh"
#include "forest/join.clh"
#include "core/modes.clh"
#include "core/record.clh"
#include "resident/resident.clh"
#include "core/systems.clh"
#if FIELD < 32
#include "model/row_fields.clh"
#endif

#define WORDS (TILE_X / 32)                        /* of a row */
#define ROOM (RESIDENT_PAIRS * (GROUP_ITEMS / 32)) /* pairs that the list has room for */
#define CHUNK 4u                                   /* rows that are loaded together */
#include "forest/run_columns.clh"
typedef char has_work_items_for_all_pairs[RESIDENT_PAIRS <= 32 * PAIRS_EACH ? 1 : -1];
/* Marks the place of a root's parent that holds the new spin, and later the size of the cluster. */
#define NAMED 0x8000u

/* The index of each counter. */
enum {
    PAIRS_FOUND,
    AGAIN,
    OF_SPINS = AGAIN + 2,
    OF_CLUSTERS = OF_SPINS + SPIN_SUMS,
    IN_STATE = OF_CLUSTERS + SMALL_SUMS
};

/* The lattice of a work-group (resident.clh), as one of its work-items sees it. */
typedef struct resident {
    lattice_args lattice;
    system_laws laws;
    u32 words, item; /* words of the lattice; the work-item's number */
    u32 width;       /* columns of sites in a word: work-items for each word of a row */
    u32 x, w;        /* the work-item's column: bit x of words w of rows */
    u32 height;      /* rows of a band, unless it is the last */
    u32 first, rows; /* rows of the work-item's band */
    local spin_store *spins;
    /* A word for each word of the lattice: bonds to the right, of which the one that leaves the
     * word is bit 31; hooks, before find_hooks() all bonds upwards; unions. When unions are not
     * needed any more, their place has the numbers that give new spins, which may be several words.
     */
    local u32 *across, *hooks, *unions;
    local u32 *pairs, *counters; /* the list, two sites a word; counters */
    local ushort *parent;
} resident;

/* Returns the lattice as the work-item sees it; resident.clh says what memory has. */
resident resident_at(lattice_args lattice, system_laws laws, local u32 *memory)
{
    lattice.words = WORDS;
    const u32 item = get_local_id(0), width = resident_width(lattice), column = item / width,
              words = lattice_words(lattice);
    const u32 height = (lattice.ny - 1) / resident_bands(lattice) + 1;
    const u32 first = min(column / WORDS * height, lattice.ny);
    resident at = {lattice,      laws,           words,  item,  width,
                   item % width, column % WORDS, height, first, min(height, lattice.ny - first)};
    at.parent = (local ushort *)memory;
    at.spins = (local spin_store *)(memory + 16 * words);
    at.across = memory + (16 + PLANES) * words;
    at.hooks = at.across + words;
    at.unions = at.hooks + words;
    at.pairs = at.unions + resident_fields(FIELD) * words;
    at.counters = at.pairs + ROOM;
    return at;
}

/* Returns the number of the word above a word; above the first row is the last. */
u32 word_above(resident at, u32 word)
{
    return (word < WORDS ? at.words : 0) + word - WORDS;
}

/* Returns the bonds to the right that stay inside of a word. */
u32 inner(resident at, u32 word)
{
    return at.across[word] & 0x7FFFFFFFu;
}

/* Says whether a bond to the right leaves a word. */
bool leaves(resident at, u32 word)
{
    return at.across[word] >> 31;
}

/* last_site() returns where the bond that leaves a word starts; next_site() returns where it
 * leads. */
u32 last_site(resident at, u32 word)
{
    return 32 * word + last_bit(at.lattice, word % WORDS);
}

u32 next_site(u32 word)
{
    return 32 * (word % WORDS + 1 < WORDS ? word + 1 : word + 1 - WORDS);
}

/* Draws the bonds of all words from the spins, makes each site its own parent, and empties the
 * list. */
void draw(resident at, random_key key)
{
    for (u32 k = at.item; k < 2 * at.words; k += GROUP_ITEMS) {
        const u32 d = k >= at.words, word = d ? k - at.words : k;
        const u32 w = word % WORDS, row = word / WORDS;
        const ulong drawn = whole_word(at.lattice, w, row);
        u32 planes[PLANES];
        spins_load(at.lattice, at.spins, w, row, planes);
        const u32 bonds = active_bonds(
            bond_candidates(at.lattice, at.spins, at.laws, d, w, row, planes), key, d, drawn,
            at.laws);
        if (d == 0)
            at.across[word] = (bonds & word_mask(at.lattice, w) >> 1) |
                              bonds >> last_bit(at.lattice, w) << 31;
        else
            at.hooks[row + 1 < at.lattice.ny ? word + WORDS : w] = bonds;
    }
    for (u32 k = at.item; k < 16 * at.words; k += GROUP_ITEMS)
        ((local u32 *)at.parent)[k] = (2 * k + 1) << 16 | 2 * k;
    if (at.item == 0)
        at.counters[PAIRS_FOUND] = 0;
}

/* Sorts the bonds upwards into hooks and unions. The bonds of a band's first row are all unions. */
void find_hooks(resident at)
{
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS) {
        u32 h = inner(at, word), up = at.hooks[word];
        up &= ~(repeated(up, h, inner(at, word_above(at, word))) << 1);
        u32 later = word / WORDS % at.height == 0 ? up : preceded(h, up);
        at.hooks[word] = up & ~later;
        at.unions[word] = up & later;
    }
}

/* Returns the work-item's column of its band. */
run_column column_of(resident at)
{
    run_column column = {at.x,      at.rows > 0 ? at.first * WORDS + at.w : 0,
                         WORDS,     at.rows,
                         at.height, at.words,
                         at.parent, at.across,
                         at.hooks,  at.unions,
                         0,         {ROOM, at.pairs, at.counters + PAIRS_FOUND}};
    return column;
}

/* Puts a bond between two sites on the list, if there is room. Their parents must be roots. */
void add_pair(resident at, u32 from, u32 to)
{
    const u32 place = atomic_inc(&at.counters[PAIRS_FOUND]);
    if (place < ROOM)
        at.pairs[place] = parent_read(at.parent, from) << 16 | parent_read(at.parent, to);
}

/* Puts the seams of the work-item's column and band on the list: the bonds that leave words, each
 * work-item those of some rows, and the bond upwards of the column's first site. */
void add_seams(resident at)
{
    const u32 word = at.first * WORDS + at.w;
    for (u32 row = at.x; row < at.rows; row += at.width) {
        const u32 from = word + row * WORDS;
        if (leaves(at, from))
            add_pair(at, last_site(at, from), next_site(from));
    }
    if (at.rows > 0 && at.unions[word] >> at.x & 1)
        add_pair(at, 32 * word_above(at, word) + at.x, 32 * word + at.x);
}

/* Unites the trees of the pairs on the list. pair and roots are as for join(). Has barriers, and
 * ends with one. */
void join_trees(resident at, u32 pair[PAIRS_EACH], u32 roots[PAIRS_EACH])
{
    const u32 found = at.counters[PAIRS_FOUND];
#pragma unroll
    for (u32 j = 0; j < PAIRS_EACH; j++) {
        const u32 k = at.item + j * GROUP_ITEMS;
        pair[j] = k < min(found, ROOM) ? at.pairs[k] : 0;
    }
    join(at.parent, 0, at.counters + AGAIN, pair, roots);
    /* bonds for which the list had no room */
    for (u32 word = at.item; found > ROOM && word < at.words; word += GROUP_ITEMS) {
        if (leaves(at, word))
            unite(at.parent, 0, last_site(at, word), next_site(word));
        for (u32 bits = at.unions[word]; bits; bits &= bits - 1)
            unite(at.parent, 0, 32 * word + lowest(bits), 32 * word_above(at, word) + lowest(bits));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Returns the starts of the runs of a word. */
u32 starts_of(resident at, u32 word)
{
    return ~(inner(at, word) << 1) & word_mask(at.lattice, word % WORDS);
}

/* Returns the starts of the runs of a word that have no hook. These are roots of trees, and roots
 * of clusters are among them. */
u32 trees_of(resident at, u32 word)
{
    return starts_of(at, word) & ~leading_to(inner(at, word), at.hooks[word]);
}

/* Makes the root of the cluster the parent of the root of each tree: benign race "flattening", a
 * work-item that reads the old parent reaches the root too. pair and roots are those of
 * join_trees(). */
void flatten(resident at, const u32 pair[PAIRS_EACH], const u32 roots[PAIRS_EACH])
{
    if (at.counters[PAIRS_FOUND] > ROOM)
        for (u32 word = at.item; word < at.words; word += GROUP_ITEMS)
            for (u32 bits = trees_of(at, word); bits; bits &= bits - 1) {
                u32 tree = 32 * word + lowest(bits);
                parent_set(at.parent, tree, last_root(at.parent, tree));
            }
    else
#pragma unroll
        for (u32 j = 0; j < PAIRS_EACH; j++)
            if (pair[j] != 0) {
                u32 root = last_root(at.parent, roots[j]);
                parent_set(at.parent, pair[j] >> 16, root);
                parent_set(at.parent, pair[j] & 0xFFFF, root);
            }
}

/* Draws the numbers that give new spins: the fields of all sites. If each spin takes a number of
 * its own, draws the spin of each cluster instead, and puts NAMED | spin in the place of its root's
 * parent. */
void draw_spins(resident at, random_key key)
{
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS) {
        const ulong row = whole_row(at.lattice, word / WORDS);
        const ulong site = row * at.lattice.nx + 32 * (word % WORDS);
#if FIELD < 32
        draw_fields(key, site, at.unions + word * ROW_WORDS);
#else
        ulong block = ~0ul;
        philox_block random;
        for (u32 bits = trees_of(at, word); bits; bits &= bits - 1) {
            const u32 x = lowest(bits), root = 32 * word + x;
            if (at.parent[root] != root)
                continue;
            if (block != field_block(site + x, FIELD)) {
                block = field_block(site + x, FIELD);
                random = random_block(key, PURPOSE_CLUSTER, block, 0);
            }
            at.parent[root] = NAMED | field_spin(random, site + x, DECISIONS, FIELD);
        }
#endif
    }
}

/* Returns the decision of the cluster of a site with parent up; two steps lead from the site to the
 * root of its cluster. */
u32 decision_at(resident at, u32 up)
{
#if FIELD < 32
    const u32 root = at.parent[up];
    const u32 field = at.unions[root / A_WORD] >> root % A_WORD * FIELD & ((1u << FIELD) - 1);
    return field_decision(field);
#else
    if (!(up & NAMED))
        up = at.parent[up];
    return (up & NAMED ? up : at.parent[up]) & ~NAMED;
#endif
}

/* Writes the new spins of all sites, eight sites at a time. */
void write_spins(resident at)
{
    const u32 bytes = at.width / 8; /* bytes of a word that have sites */
    for (u32 k = at.item; k < bytes * at.words; k += GROUP_ITEMS) {
        const u32 word = k / bytes, byte = 4 * word + k % bytes;
        u32 planes[PLANES], decisions[DECISION_PLANES] = {0}, decided[8];
#pragma unroll
        for (u32 j = 0; j < 4; j++) {
            const u32 ups = ((local const u32 *)at.parent)[4 * byte + j];
            decided[2 * j] = decision_at(at, ups & 0xFFFF);
            decided[2 * j + 1] = decision_at(at, ups >> 16);
        }
        for (u32 p = 0; p < DECISION_PLANES; p++)
#pragma unroll
            for (u32 j = 0; j < 8; j++)
                decisions[p] |= (decided[j] >> p & 1) << j;
        for (u32 p = 0; p < (READS_SPINS ? PLANES : 0); p++)
            planes[p] = ((local const u8 *)(at.spins + p * at.words))[byte];
        transform(planes, decisions);
        for (u32 p = 0; p < PLANES; p++)
            ((local u8 *)(at.spins + p * at.words))[byte] = planes[p] &
                                                            word_mask(at.lattice, word % WORDS) >>
                                                                8 * (k % bytes);
    }
}

/* Counts spins. */
void measure_spins(resident at)
{
    u32 counts[SPIN_COLUMNS] = {0};
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS)
        count_spins(at.lattice, at.spins, at.laws, word % WORDS, word / WORDS, counts,
                    at.counters + IN_STATE);
    for (u32 k = 0; k < SPIN_COLUMNS; k++)
        atomic_add(&at.counters[k < SPIN_SUMS ? OF_SPINS + k : IN_STATE + k - SPIN_SUMS],
                   counts[k]);
}

/* Sizes of clusters are measured for eight sites at a time: the k-th eight of the lattice, without
 * those past the ends of rows. eights() returns how many there are, first_of() the first site of
 * one, and sites_of() its sites in the lattice, a bit each. */
u32 eights(resident at)
{
    return at.width / 8 * at.words;
}

u32 first_of(resident at, u32 k)
{
    const u32 bytes = at.width / 8;
    return 32 * (k / bytes) + 8 * (k % bytes);
}

u32 sites_of(resident at, u32 first)
{
    return word_mask(at.lattice, first / 32 % WORDS) >> first % 32 & 0xFF;
}

/* Loads the parents of eight sites; while sizes are added, with the race of two_parents(). */
void load_parents(resident at, u32 first, u32 ups[8])
{
#pragma unroll
    for (u32 j = 0; j < 4; j++) {
        const u32 two = two_parents(at.parent, first + 2 * j);
        ups[2 * j] = two & 0xFFFF;
        ups[2 * j + 1] = two >> 16;
    }
}

/* Marks the roots of clusters, with a size of 0. */
void mark_roots(resident at)
{
    for (u32 k = at.item; k < eights(at); k += GROUP_ITEMS) {
        const u32 first = first_of(at, k), sites = sites_of(at, first);
        u32 ups[8];
        load_parents(at, first, ups);
#pragma unroll
        for (u32 j = 0; j < 8; j++)
            if (sites >> j & 1 && (ups[j] == first + j || ups[j] & NAMED))
                at.parent[first + j] = NAMED;
    }
}

/* Returns the root of a site with parent up, once roots are marked; two steps lead to it. */
u32 root_at(resident at, u32 site, u32 up)
{
    const u32 next = parent_read(at.parent, up & ~NAMED);
    return up & NAMED ? site : next & NAMED ? up : next;
}

/* Counts the sites of clusters, in the places of their roots' parents. Consecutive sites of a
 * cluster are added together. */
void add_sizes(resident at)
{
    for (u32 k = at.item; k < eights(at); k += GROUP_ITEMS) {
        const u32 first = first_of(at, k), sites = sites_of(at, first);
        u32 ups[8], roots[8], size = 0;
        load_parents(at, first, ups);
#pragma unroll
        for (u32 j = 0; j < 8; j++)
            roots[j] = root_at(at, first + j, ups[j]);
#pragma unroll
        for (u32 j = 0; j < 8; j++) {
            const bool last = j == 7 || roots[j] != roots[(j + 1) % 8];
            size++;
            if (last && sites >> j & 1)
                size_add((local u32 *)at.parent, roots[j], size);
            size = last ? 0 : size;
        }
    }
}

/* Counts the clusters by their sizes. */
void measure_clusters(resident at)
{
    u32 counts[SMALL_SUMS] = {0};
    for (u32 k = at.item; k < eights(at); k += GROUP_ITEMS) {
        const u32 first = first_of(at, k);
        u32 ups[8], marked = 0;
        load_parents(at, first, ups);
#pragma unroll
        for (u32 j = 0; j < 8; j++)
            marked |= ups[j] >> 15 << j;
        for (; marked; marked &= marked - 1)
            count_cluster(counts, at.parent[first + lowest(marked)] - NAMED);
    }
    add_counts(counts, at.counters + OF_CLUSTERS);
}

/* Numbers of 64 bits, each in two words of local memory. wide_get() returns number k; wide_put()
 * sets it, by one work-item at a time; wide_add() adds to it, by any number of work-items. */
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
    OF_OTHERS = OF_STATE + 4,   /* sums over the sites in all states so far */
    OF_SQUARES = OF_OTHERS + 4, /* for each axis, see add_square() */
    MODE_WORDS = 2 * (OF_SQUARES + 4)
};

/* Adds the Fourier sums of a state; or, as one state more, of the vacant sites. */
void add_modes(resident at, global const s32 *table, u32 state)
{
    s64 x[2] = {0}, y[2] = {0};
    for (u32 word = at.item; word < at.words; word += GROUP_ITEMS) {
        const u32 w = word % WORDS, row = word / WORDS;
        global const s32 *along = table + mode_place(at.lattice, 1, row);
        u32 planes[PLANES];
        const u32 present = sites_present(at.lattice, at.laws, w, row);
        spins_load(at.lattice, at.spins, w, row, planes);
        const u32 match = state == STATES ? word_mask(at.lattice, w) & ~present
                                          : spins_match(at.lattice, w, planes, state) & present;
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

/* Adds the squares of a state's sums along an axis to the squares if squared is set, and clears the
 * sums. One work-item calls it for an axis. Loops are unrolled: PoCL (3.1) makes all work-items run
 * a loop that only some should run. */
void add_squares(resident at, u32 axis, u32 squared)
{
    u64 squares[2];
#pragma unroll
    for (u32 k = 0; k < 2; k++)
        squares[k] = wide_get(at.pairs, OF_SQUARES + 2 * axis + k);
#pragma unroll
    for (u32 j = 0; j < 2; j++) {
        const u32 k = 2 * axis + j;
        const u64 sum = wide_get(at.pairs, OF_STATE + k);
        if (squared)
            add_square(squares, (s64)sum);
        wide_put(at.pairs, OF_OTHERS + k, wide_get(at.pairs, OF_OTHERS + k) + sum);
        wide_put(at.pairs, OF_STATE + k, 0);
    }
#pragma unroll
    for (u32 k = 0; k < 2; k++)
        wide_put(at.pairs, OF_SQUARES + 2 * axis + k, squares[k]);
}

/* Computes the sums of squares of modes. Has barriers. */
void measure_modes(resident at, global const s32 *table)
{
    for (u32 k = at.item; k < MODE_WORDS; k += GROUP_ITEMS)
        at.pairs[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 state = 1; state < STATES + ANY_VACANT; state++) {
        add_modes(at, table, state);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (at.item < 2)
            add_squares(at, at.item, state < STATES);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    /* the first state has all sites that are in no other state, and not vacant */
    if (at.item < 4)
        wide_put(at.pairs, OF_STATE + at.item,
                 (u64)mode_total(at.lattice, table, at.item) -
                     wide_get(at.pairs, OF_OTHERS + at.item));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (at.item < 2)
        add_squares(at, at.item, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Writes the record of a sweep and clears the counters. All work-items make the record, and one
 * stores it: PoCL (3.1) makes all work-items run a loop that only one should run. Has barriers. */
void write_record(resident at, u32 format, global const s32 *table, global u32 *to)
{
    sweep_record record = {0};
    for (u32 state = 0; state < STATES; state++)
        record_add_state(&record, at.counters[IN_STATE + state]);
    record.zeros = at.counters[IN_STATE];
    for (u32 k = 0; k < BOND_CLASSES; k++)
        record.satisfied += sum_weight(at.laws, k) * at.counters[OF_SPINS + k];
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

/* Does a sweep. Ends with a barrier. */
void sweep(resident at, random_key key)
{
    u32 pair[PAIRS_EACH], roots[PAIRS_EACH];
    draw(at, key);
    barrier(CLK_LOCAL_MEM_FENCE);
    find_hooks(at);
    barrier(CLK_LOCAL_MEM_FENCE);
    hang_runs(column_of(at));
    barrier(CLK_LOCAL_MEM_FENCE);
    climb(column_of(at));
    add_seams(at);
    barrier(CLK_LOCAL_MEM_FENCE);
    join_trees(at, pair, roots);
    flatten(at, pair, roots);
    barrier(CLK_LOCAL_MEM_FENCE);
    draw_spins(at, key);
    barrier(CLK_LOCAL_MEM_FENCE);
    write_spins(at);
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Measures the last sweep, as the format of records says. */
void measure(resident at, u32 format, global const s32 *table, global u32 *record)
{
    measure_spins(at);
    if (format & RECORD_CLUSTERS) {
        mark_roots(at);
        barrier(CLK_LOCAL_MEM_FENCE);
        add_sizes(at);
        barrier(CLK_LOCAL_MEM_FENCE);
        measure_clusters(at);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    write_record(at, format, table, record);
}

/* Does the sweeps first to last - 1, counted from the sweep of key. If every is not 0, a sweep is
 * measured when its number, with the before sweeps of earlier launches, makes a multiple of
 * every. For each measured sweep records gets one record for each replica. table is read for
 * modes only. */
kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1))) void
action_resident(lattice_args lattice, random_key key, global const bond_law *laws,
                global const u32 *disorder, u32 first, u32 last, u32 every, u32 before, u32 format,
                global const s32 *table, global spin_store *spins, global u32 *records,
                local u32 *memory)
{
    const resident at = resident_at(lattice, system_laws_of(lattice, laws, disorder), memory);
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
        sweep(at, later_key(own, k));
        if (measured)
            measure(at, format, table,
                    records + ((ulong)(done / every - 1) * get_num_groups(1) + get_group_id(1)) *
                                  record_words(format));
    }
    for (u32 k = at.item; k < stored; k += GROUP_ITEMS)
        spins[k] = at.spins[k];
}
