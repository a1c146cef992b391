/* Labelling by runs, see runs.clh: a run is put below what the first of its sites with a bond to an earlier row leads to, by a plain
 * store, and what the rest of such bonds join is united.
 *
 * One work-item: a column of the tile. One work-group: one tile of 32 x TILE_Y x TILE_Z sites. Word bonds.
 * Local memory: a parent a site, 4 bytes, and a word of bonds for each row and direction.
 * Global traffic, bytes a site: bonds once, 1/8 a direction; labels written once (4). */
#include "runs.clh"
#include "systems.clh"

/* Labels a row, all of whose earlier rows are done. words are the bonds along each row, and for each further direction those
 * that lead back from it. */
void label_row(volatile local u32 *parents, local const u32 *words, u32 r, u32 x)
{
    u32 along = words[r], start = run_start(along, x), first = 32 * r + start, s = 32 * r + x;
    u32 run = (along + (1u << start)) ^ along, any = 0, mine = 0, neighbour = 0;
    for (u32 d = DIRECTIONS - 1; d > 0; d--) {
        u32 back = words[d * TILE_ROWS + r];
        any |= back;
        mine |= (back >> x & 1) << d;
        if (back >> x & 1)
            neighbour = s - 32 * ROWS_BACK(d) - offsets[d].x;
    }
    u32 hooks = any & run, hooker = hooks != 0 ? hooks & -hooks : 1u << start;
    if (hooker == 1u << x) {
        parents[first] = hooks != 0 ? run_root(parents, neighbour) : first;
        mine &= mine - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    u32 root = parents[first];
    if (x != start)
        parents[s] = root;
    for (u32 d = 1; d < DIRECTIONS; d++)
        if (mine >> d & 1)
            run_unite(parents, root, s - 32 * ROWS_BACK(d) - offsets[d].x);
    barrier(CLK_LOCAL_MEM_FENCE);
}

kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void local_runs(lattice_args lattice, global const bond_store *bonds, global label *labels)
{
    local u32 parents[TILE_SITES], words[DIRECTIONS * TILE_ROWS];
    tile_box box = tile_at(lattice, get_group_id(0));
    u32 x = get_local_id(0);
    bonds += REPLICA(bonds_length(lattice));
    labels += REPLICA(lattice_sites(lattice));
    for (u32 r = x; r < TILE_ROWS; r += 32)
        words[r] = bonds_along(lattice, bonds, box, r);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 d = 1; d < DIRECTIONS; d++)
        for (u32 r = x; r < TILE_ROWS; r += 32)
            words[d * TILE_ROWS + r] = bonds_back(lattice, bonds, box, d, r, words);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 z = 0; z < box.nz; z++)
        for (u32 y = 0; y < box.ny; y++)
            label_row(parents, words, y + TILE_Y * z, x);
    for (u32 r = 0; r < TILE_ROWS; r++)
        if (x < box.nx && tile_has_row(box, r))
            labels[tile_row(lattice, box, r) * lattice.nx + box.x + x] = tile_site(lattice, box, run_root(parents, 32 * r + x));
}
