/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what local_runs_image.cl does, for images whose pixels have 4 neighbours, by runs
 * (run_bits.clh). Runs are numbered in raster order and represent their pixels in a forest
 * (local_forest.clh), so that the root of a cluster is its first run, which has its first pixel.
 *
 * 1. join_runs(): each run gets a parent by its hook, its first bond to the row before. Its other
 *    bonds, unions, are put on a list and unite two trees each. Then every run gets its root as
 *    parent. Runs are worked on in order, so that the parents of most parents are known already.
 * 2. mark_borders() marks the roots of clusters at borders of the tile.
 * 3. name_roots() makes names the parents of roots, and writes nodes.
 *
 * One work-group: GROUP_TILES tiles with 32 work-items each, called lanes: lane r has row r and
 * column r, and some runs. Local memory: two bytes a pixel, some words a row and a list. Global
 * traffic, bytes a pixel: bits of pixels and bonds read, 2 written for names, 1/8 a row of keys;
 * for each cluster at a border 8. */
#include "image/blocks.clh"
#include "core/bonds.clh"
#include "image/image_sizes.clh"
#include "forest/local_forest.clh"

#define LANES 32u
#define PAIRS PIXEL_PAIRS
#define NO_RUN NAMED
#define COMPLETE \
    0x4000u /* marks a root of a complete cluster, whose parent it is with the first pixel */

/* What the work-items of a tile share. */
typedef struct shared_tile {
    ushort parent[BORDER_SITES] __attribute__((aligned(16))); /* of each run */
    u32 across[LANES];  /* a word for each row: bonds along it that stay in the tile, */
    u32 down[LANES];    /* bonds from it, */
    u32 present[LANES]; /* pixels of clusters, */
    u32 starts[LANES];  /* pixels where runs start, */
    u32 ends[LANES];    /* and the number of runs up to the end of the row */
    u32 sums[2][LANES];
    u32 pairs[PAIRS]; /* the list, two runs each; then the first pixels of nodes */
    u32 pair_count;   /* pairs found; may be more than the list has room for */
    u32 clusters;     /* clusters at borders */
    u32 side;         /* rows with a bond that leaves to the right, as bits */
} shared_tile;
typedef char
    shared_tile_has_the_size_that_the_host_knows[sizeof(shared_tile) == PIXEL_TILE_BYTES ? 1 : -1];

/* The runs of a row: where they start, as bits, and the number of runs up to the row's end. */
typedef struct row_runs {
    u32 starts, end;
} row_runs;

row_runs runs_of(local const shared_tile *tile, u32 r)
{
    row_runs runs = {tile->starts[r], tile->ends[r]};
    return runs;
}

/* Returns the number of the run of a pixel, or of the last run before it. above are the bits above
 * the pixel. */
u32 run_at(row_runs row, u32 above)
{
    return row.end - 1 - popcount(row.starts & above);
}

/* Makes the root of its cluster the parent of each run. Returns the starts of runs of the lane's
 * row that may be roots, as bits. Begins and ends with a barrier. */
u32 join_runs(local shared_tile *tile, u32 r)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    const u32 h = tile->across[r], back = r > 0 ? tile->down[r - 1] : 0,
              starts = tile->present[r] & ~(h << 1);
    const u32 bonds = back & ~(repeated(back, h, r > 0 ? tile->across[r - 1] : 0) << 1),
              hooks = firsts(h, bonds), unions = bonds & ~hooks;
    /* add up, over the rows up to each, the number of runs plus 2^16 times the number of unions;
     * two words of a row take turns */
    u32 sum = popcount(starts) | popcount(unions) << 16;
    tile->starts[r] = starts;
#pragma unroll
    for (u32 k = 0; k < 5; k++) {
        tile->sums[k % 2][r] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (r >> k)
            sum += tile->sums[k % 2][r - (1u << k)];
    }
    tile->ends[r] = sum & 0xFFFF;
    if (r == LANES - 1)
        tile->pair_count = sum >> 16;
    barrier(CLK_LOCAL_MEM_FENCE);
    const u32 runs = tile->ends[LANES - 1], place = (sum >> 16) - popcount(unions);
    const row_runs own = {starts, sum & 0xFFFF}, before = runs_of(tile, max(r, 1u) - 1);
    /* each run becomes its own parent, eight at a time. In a tile without runs this is done for run
     * 0: the pixels before the first run look for a name there, which they do not use */
    for (u32 k = 8 * r; k < max(runs, 1u); k += 8 * LANES) {
        const u32 two = (k + 1) << 16 | k;
        *(local uint4 *)(tile->parent + k) = (uint4)(two, two + 0x20002u, two + 0x40004u,
                                                     two + 0x60006u);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 bits = hooks; bits; bits &= bits - 1) {
        const u32 above = ~up_to_lowest(bits);
        parent_write(tile->parent, run_at(own, above), run_at(before, above));
    }
    for (u32 bits = unions, k = place; bits && k < PAIRS; bits &= bits - 1, k++) {
        const u32 above = ~up_to_lowest(bits);
        tile->pairs[k] = run_at(own, above) << 16 | run_at(before, above);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (place + popcount(unions) > PAIRS)
        for (u32 bits = unions, k = place; bits; bits &= bits - 1, k++) {
            const u32 above = ~up_to_lowest(bits);
            if (k >= PAIRS)
                unite(tile->parent, 0, run_at(own, above), run_at(before, above));
        }
    for (u32 k = r; k < min(tile->pair_count, PAIRS); k += LANES)
        unite(tile->parent, 0, tile->pairs[k] >> 16, tile->pairs[k] & 0xFFFF);
    barrier(CLK_LOCAL_MEM_FENCE);
    /* benign race "flattening": a work-item that reads the old parent reaches the root too */
    for (u32 k = r; k < runs; k += LANES)
        parent_write(tile->parent, k, last_root(tile->parent, k));
    barrier(CLK_LOCAL_MEM_FENCE);
    return starts & ~leading_to(h, hooks);
}

/* Makes NAMED the parents of the roots of clusters at borders. Fills in the roots of the lane's
 * border pixels, NO_RUN where there is no cluster: those of its column in the first and last rows,
 * and those of its row in the first and last columns. Call join_runs() before; ends with a
 * barrier. */
void mark_borders(local shared_tile *tile, border_box box, u32 x, u32 roots[4])
{
    const u32 last = max(box.ny, 1u) - 1;
    const u32 rows[4] = {0, last, x, x}, columns[4] = {x, x, 0, box.nx - 1};
#pragma unroll
    for (u32 side = 0; side < 4; side++) {
        roots[side] = NO_RUN;
        if (tile->present[rows[side]] >> columns[side] & 1) {
            const u32 run = run_at(runs_of(tile, rows[side]), ~1u << columns[side]),
                      up = parent_read(tile->parent, run);
            /* benign race "marked": the root may be marked already or not */
            roots[side] = up & NAMED ? run : up;
            parent_set(tile->parent, roots[side], NAMED);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Numbers the roots in the lane's row. The parents of marked roots become NAMED | number, those of
 * the other roots COMPLETE | first pixel. Returns the first pixels of the other roots, as bits.
 * maybe_roots is what join_runs() returned. Call mark_borders() before; ends with a barrier. */
u32 name_roots(local shared_tile *tile, u32 r, u32 maybe_roots)
{
    const row_runs own = runs_of(tile, r);
    u32 marked = 0, complete = 0;
    for (u32 bits = maybe_roots; bits; bits &= bits - 1) {
        const u32 run = run_at(own, ~up_to_lowest(bits)), up = parent_read(tile->parent, run);
        if (up & NAMED) {
            marked |= bits & -bits;
        } else if (up == run) {
            complete |= bits & -bits;
            parent_write(tile->parent, run, COMPLETE | (LANES * r + lowest(bits)));
        }
    }
    u32 number = marked ? atomic_add(&tile->clusters, popcount(marked)) : 0;
    for (u32 bits = marked; bits; bits &= bits - 1, number++) {
        parent_write(tile->parent, run_at(own, ~up_to_lowest(bits)), NAMED | number);
        tile->pairs[number] = LANES * r + lowest(bits);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return complete;
}

/* Returns the name of the cluster of a run. Call name_roots() before. */
u32 name_of_run(local const shared_tile *tile, u32 run)
{
    const u32 up = tile->parent[run];
    return up & (NAMED | COMPLETE) ? up : tile->parent[up];
}

kernel __attribute__((reqd_work_group_size(LANES * GROUP_TILES, 1, 1))) void
local_runs_pixels(lattice_args lattice, u32 tiles, global const u32 *foreground,
                  global const bond_store *bonds, global border_name *names,
                  global border_edge *edges, global border_node *nodes, global u32 *roots)
{
    local shared_tile shared[GROUP_TILES];
    const u32 r = get_local_id(0) % LANES, sub = get_local_id(0) / LANES,
              number = get_group_id(0) * GROUP_TILES + sub;
    local shared_tile *tile = &shared[sub];
    border_box box = border_box_of(lattice, number);
    global border_edge *edge = edges + number;
    if (number >= tiles)
        box.ny = 0;
    const bool inside = r < box.ny;
    const u32 y = box.y + r, last = 1u << (box.nx - 1);
    u32 across = 0, down = 0;
    if (r == 0)
        tile->clusters = tile->side = 0;
    tile->present[r] = inside ? foreground[(ulong)y * lattice.words + box.w] : 0;
    if (inside) {
        /* bonds may be of periodic axes, while the lattice is not */
        across = bonds_load(lattice, bonds, 0, box.w, y) & step_mask(lattice, 1, box.w);
        if (row_at(lattice, offsets[1], y) != NOWHERE)
            down = bonds_load(lattice, bonds, 1, box.w, y) & word_mask(lattice, box.w);
    }
    tile->across[r] = across & ~last;
    tile->down[r] = r + 1 < box.ny ? down : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (across & last)
        atomic_or(&tile->side, 1u << r);
    const u32 maybe_roots = join_runs(tile, r);
    u32 border_roots[4];
    mark_borders(tile, box, r, border_roots);
    const u32 complete = name_roots(tile, r, maybe_roots);
    if (number >= tiles)
        return;
    if (inside)
        roots[(ulong)y * lattice.words + box.w] = complete;
    if (r == 0) {
        edge->clusters = tile->clusters;
        edge->side[0] = tile->side;
        edge->side[1] = edge->down[0] = 0;
    }
    if (r + 1 == box.ny)
        edge->down[1] = down;
    global u8 *border_names[4] = {edge->first_names, edge->last_names, edge->left_names,
                                  edge->right_names};
#pragma unroll
    for (u32 side = 0; side < 4; side++)
        if (border_roots[side] != NO_RUN)
            border_names[side][r] = tile->parent[border_roots[side]];
    for (u32 k = r; k < tile->clusters; k += LANES) {
        const u32 first = tile->pairs[k];
        const border_node node = {number * BORDER_NODES + k, (box.y + first / LANES) * lattice.nx +
                                                                 32 * box.w + first % LANES};
        nodes[node.parent] = node;
    }
    names += (ulong)number * BORDER_SITES;
#pragma unroll 4
    for (u32 k = r; k < BORDER_SITES / 4; k += LANES) {
        const u32 x = 4 * (k % 8), starts = tile->starts[k / 8], here = tile->present[k / 8] >> x;
        /* the run after that of the pixel before x */
        u32 run = tile->ends[k / 8] - popcount(starts & ~0u << x), name[4];
#pragma unroll
        for (u32 j = 0; j < 4; j++) {
            const bool begins = starts >> (x + j) & 1;
            run += begins;
            if (j == 0 || begins)
                name[j] = name_of_run(tile, max(run, 1u) - 1);
            else
                name[j] = name[j - 1];
        }
#pragma unroll
        for (u32 j = 0; j < 4; j++)
            name[j] = !(here >> j & 1) ? ABSENT : name[j] & NAMED ? name[j] : name[j] % COMPLETE;
        ((global ushort4 *)names)[k] = convert_ushort4((uint4)(name[0], name[1], name[2], name[3]));
    }
}
