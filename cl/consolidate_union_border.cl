/* Seams of the border layout joined by lock-free union: every bond that leaves a tile is inserted at once, in one launch, into the
 * forest of nodes, the root with the larger key below the one with the smaller.
 *
 * One work-group: one tile; a work-item: a site of its lower and one of its right border. Local memory: none. Global traffic: for
 * each bond two names and two walks to a root. */
#include "nodes.clh"
#include "systems.clh"

kernel __attribute__((reqd_work_group_size(2 * BORDER_Y, 1, 1)))
void consolidate_union_border(lattice_args lattice, global const border_name *names, global const border_edge *edges, global border_node *nodes)
{
    const u32 k = get_local_id(0) % BORDER_Y, right = get_local_id(0) / BORDER_Y, tile = get_group_id(0), down = border_down(lattice);
    const u32 column = tile % lattice.words, line = tile / lattice.words;
    const border_box box = border_box_of(lattice, tile);
    names += REPLICA(get_num_groups(0) * (ulong)BORDER_SITES);
    edges += REPLICA(get_num_groups(0));
    nodes += REPLICA(get_num_groups(0) * (ulong)BORDER_NODES);
    u32 bonds = right ? edges[tile].right : edges[tile].down, other, a, b, a_last, b_last;
    if (!(bonds >> k & 1))
        return;
    if (right) {
        other = column + 1 < lattice.words ? tile + 1 : tile - column;
        a = edges[tile].right_names[k];
        b = edges[other].left_names[k];
        a_last = edges[tile].right_names[max(k, 1u) - 1];
        b_last = edges[other].left_names[max(k, 1u) - 1];
    } else {
        other = line + 1 < down ? tile + lattice.words : column;
        ulong below = (ulong)other * BORDER_SITES, own = (ulong)tile * BORDER_SITES + 32 * (box.ny - 1);
        a = names[own + k];
        b = names[below + k];
        a_last = names[own + max(k, 1u) - 1];
        b_last = names[below + max(k, 1u) - 1];
    }
    if (k == 0 || !(bonds >> (k - 1) & 1) || a != a_last || b != b_last)
        node_unite(nodes, tile * BORDER_NODES + a, other * BORDER_NODES + b);
}
