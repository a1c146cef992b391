/* Seams of the border layout joined by lock-free union: every bond that leaves a tile is inserted
 * at once, in one launch, into the forest of nodes, the root with the larger key below the one with
 * the smaller.
 *
 * One work-group: one tile; a work-item: a site of the tile's last row, or the two ends of another.
 * Local memory: none. Global traffic: for each bond two names and two walks to a root. */
#include "nodes.clh"
#include "systems.clh"

/* The number in its tile of the cluster of border site (x, y): in_row says that it is to be read
 * from the names of sites, as for rows at the top and bottom, else x is the first or last column
 * and it is in the edge. */
u32 name_at(global const border_name *names, global const border_edge *edges, u32 tile, bool in_row,
            u32 x, u32 y)
{
    return in_row   ? names[(ulong)tile * BORDER_SITES + 32 * y + x] % BORDER_NODES
           : x == 0 ? edges[tile].left_names[y]
                    : edges[tile].right_names[y];
}

/* The bonds along d that leave a tile: if down is set those of its last row, by columns; else those
 * that leave it to a side, by rows. */
u32 bonds_leaving(global const border_edge *edge, border_box box, u32 d, bool down)
{
    if (down)
        return offsets[d].y > 0 ? edge->down[d] : 0;
    return offsets[d].x == 0  ? 0
           : offsets[d].y > 0 ? edge->side[d] & ~(1u << (box.ny - 1))
                              : edge->side[d];
}

kernel __attribute__((reqd_work_group_size(2 * BORDER_Y, 1, 1))) void
consolidate_union_border(lattice_args lattice, global const border_name *names,
                         global const border_edge *edges, global border_node *nodes)
{
    const u32 k = get_local_id(0) % BORDER_Y, tile = get_group_id(0), column = tile % lattice.words,
              line = tile / lattice.words;
    const bool down = get_local_id(0) < BORDER_Y;
    const border_box box = border_box_of(lattice, tile);
    names += REPLICA(get_num_groups(0) * (ulong)BORDER_SITES);
    edges += REPLICA(get_num_groups(0));
    nodes += REPLICA(get_num_groups(0) * (ulong)BORDER_NODES);
#pragma unroll
    for (u32 d = 0; d < DIRECTIONS; d++) {
        const lattice_offset offset = offsets[d];
        const u32 bonds = bonds_leaving(edges + tile, box, d, down);
        if (!(bonds >> k & 1))
            continue;
        const u32 x = down ? k : offset.x > 0 ? box.nx - 1 : 0, y = down ? box.ny - 1 : k;
        const u32 to_column = x + offset.x < box.nx ? column
                                                    : stepped(column, offset.x, lattice.words, 1);
        const u32 to = to_column +
                       lattice.words *
                           (down ? stepped(line, 1, border_down(lattice, AXES), 1) : line);
        const u32 to_x = x + offset.x < box.nx ? x + offset.x
                         : offset.x > 0        ? 0
                                               : last_bit(lattice, to_column),
                  to_y = down ? 0 : y + offset.y;
        const u32 a = name_at(names, edges, tile, down, x, y),
                  b = name_at(names, edges, to, down, to_x, to_y);
        /* the same as the bond before it */
        if (k > 0 && bonds >> (k - 1) & 1 && (!down || to_x > 0) &&
            a == name_at(names, edges, tile, down, down ? x - 1 : x, down ? y : y - 1) &&
            b == name_at(names, edges, to, down, down ? to_x - 1 : to_x, down ? to_y : to_y - 1))
            continue;
        node_unite(nodes, tile * BORDER_NODES + a, to * BORDER_NODES + b);
    }
}
