/* What consolidate_union_border.cl does on the square lattice, by one work-item a tile that goes
 * over the bonds which leave the tile. A bond that joins the same two clusters as the one before is
 * left out.
 *
 * One work-group: one tile, one work-item. Local memory: none. Global traffic: as
 * consolidate_union_border. */
#include "nodes.clh"
#include "run_bits.clh"
#include "systems.clh"

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
consolidate_union_serial(lattice_args lattice, global const border_name *names,
                         global const border_edge *edges, global border_node *nodes)
{
    const u32 tile = get_group_id(0), column = tile % lattice.words, line = tile / lattice.words;
    const u32 on_right = column + 1 < lattice.words ? tile + 1 : tile - column,
              below = line + 1 < border_down(lattice) ? tile + lattice.words : column;
    const border_box box = border_box_of(lattice, tile);
    names += REPLICA(get_num_groups(0) * (ulong)BORDER_SITES);
    edges += REPLICA(get_num_groups(0));
    nodes += REPLICA(get_num_groups(0) * (ulong)BORDER_NODES);
    global const border_name *own_row = names + (ulong)tile * BORDER_SITES + 32 * (box.ny - 1),
                             *row_below = names + (ulong)below * BORDER_SITES;
    u32 last = NOWHERE;
    for (u32 bits = edges[tile].side[0]; bits; bits &= bits - 1) {
        const u32 y = lowest(bits), a = edges[tile].right_names[y],
                  b = edges[on_right].left_names[y];
        if ((a << 8 | b) != last)
            node_unite(nodes, tile * BORDER_NODES + a, on_right * BORDER_NODES + b);
        last = a << 8 | b;
    }
    last = NOWHERE;
    for (u32 bits = edges[tile].down[1]; bits; bits &= bits - 1) {
        const u32 x = lowest(bits), a = own_row[x], b = row_below[x];
        if ((a << 8 | b) != last)
            node_unite(nodes, tile * BORDER_NODES + a, below * BORDER_NODES + b);
        last = a << 8 | b;
    }
}
