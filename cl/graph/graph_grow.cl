/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets the clusters of samples grow: bonds become active, or with SITES sites occupied, one after
 * the other in the order of graph_order.cl. Each sample has a forest of its vertices, in which the
 * smaller tree is hung into the larger one. A step that changes what is measured adds the change to
 * that of other samples of its set.
 *
 * With AXES a forest also knows how often the way from a vertex's parent to the vertex winds around
 * each axis: an edge inside a tree that winds in another way than the tree closes a cycle around an
 * axis. With OPEN a root knows instead at which ends of open axes its tree has a vertex. The
 * numbers of all axes share 64 bits, see pack().
 *
 * Source of the method: M. E. J. Newman and R. M. Ziff, Phys. Rev. E 64, 016706 (2001). */
#include "core/systems.clh"
#include "graph/crossing.clh"

/* What a work-item knows of its sample. */
typedef struct sample {
    global u32 *parents;
    global long *windings;
    u32 largest, wraps; /* the axes around which a cluster wraps, as bits */
    u32 clusters;       /* changes of this step */
    ulong squares, largest_square;
} sample;

#ifdef AXES
#define BITS WINDING_BITS(AXES)

/* Returns how often an edge winds around each axis, as a sum over axes of the number times 2^(BITS
 * axis); and the axes, as bits, of which such a sum has another number than 0. */
long pack(u32 crossing)
{
    long sum = 0;
    for (u32 axis = 0; axis < AXES; axis++)
        sum += (long)crossing_along(crossing, axis) << BITS * axis;
    return sum;
}

u32 axes_of(long sum)
{
    u32 axes = 0;
    for (u32 axis = 0; axis < AXES; axis++) {
        const long times = sum << (64 - BITS) >> (64 - BITS);
        axes |= (u32)(times != 0) << axis;
        sum = (sum - times) >> BITS;
    }
    return axes;
}

/* Returns the axes, as bits, that a tree spans which has vertices at these ends of open axes: bits
 * 2 axis and 2 axis + 1. */
u32 spanned(u32 ends)
{
    u32 axes = 0;
    for (u32 axis = 0; axis < AXES; axis++)
        axes |= (u32)((ends >> 2 * axis & 3) == 3) << axis;
    return axes;
}
#endif

/* Returns the root of a vertex; *winding becomes what the way from there to the vertex winds.
 * Halves the way. */
u32 find_root(sample *s, u32 vertex, long *winding)
{
    *winding = 0;
    while (true) {
        const u32 up = s->parents[vertex];
        if (up & ROOT_BIT)
            return vertex;
        const u32 over = s->parents[up];
        if (over & ROOT_BIT) {
#ifdef AXES
            *winding += s->windings[vertex];
#endif
            return up;
        }
#ifdef AXES
        const long both = s->windings[vertex] + s->windings[up];
        s->windings[vertex] = both;
        *winding += both;
#endif
        s->parents[vertex] = over;
        vertex = over;
    }
}

void note_size(sample *s, u32 size)
{
    if (size <= s->largest)
        return;
    s->largest_square += (ulong)size * size - (ulong)s->largest * s->largest;
    s->largest = size;
}

/* Unites the trees of both ends of an edge. */
void unite(sample *s, u32 u, u32 v, u32 crossing)
{
    long from_a, from_b;
    u32 a = find_root(s, u, &from_a), b = find_root(s, v, &from_b);
#ifdef AXES
    long way = from_a - from_b;
    if (crossing != 0)
        way += pack(crossing);
#endif
    if (a == b) {
#ifdef AXES
        if (way != 0)
            s->wraps |= axes_of(way);
#endif
        return;
    }
    const u32 size_a = s->parents[a] ^ ROOT_BIT, size_b = s->parents[b] ^ ROOT_BIT,
              size = size_a + size_b;
    if (size_a < size_b) {
        const u32 other = a;
        a = b;
        b = other;
#ifdef AXES
        way = -way;
#endif
    }
    s->parents[b] = a;
    s->parents[a] = size | ROOT_BIT;
#ifdef OPEN
    const long ends = s->windings[a] | s->windings[b];
    s->windings[a] = ends;
    s->wraps |= spanned((u32)ends);
#endif
#ifdef AXES
    s->windings[b] = way;
#endif
    s->clusters--;
    s->squares += 2 * (ulong)size_a * size_b;
    note_size(s, size);
}

/* Begins all samples: no bond is active, or no site occupied. Work-item: vertices of a sample, the
 * number of the sample's work-items apart. Global traffic: 4 bytes a vertex, with OPEN 12. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
graph_grow_begin(growth_args args, growth_state begin, global const u32 *ends, global u32 *parents,
                 global long *windings, global growth_state *states)
{
    parents += REPLICA(args.vertices);
    windings += REPLICA(args.vertices);
    if (get_global_id(0) == 0)
        states[get_group_id(1)] = begin;
    for (ulong v = get_global_id(0); v < args.vertices; v += get_global_size(0)) {
#ifdef SITES
        parents[v] = ROOT_BIT;
#else
        parents[v] = 1 | ROOT_BIT;
#endif
#ifdef OPEN
        windings[v] = ends[v];
#endif
    }
}

/* Adds digits of a value. */
void add_digits(volatile global u32 *digits, ulong value)
{
    for (u32 k = 0; value != 0; k++, value >>= DIGIT_BITS)
        atomic_add(&digits[k], (u32)value & ((1u << DIGIT_BITS) - 1));
}

/* Does the steps of entries first to first + count - 1 of the order of each sample. edges has both
 * ends of each bond, and with SITES for vertex v, from edges[rows[v]] to edges[rows[v + 1]], a
 * neighbour and the crossing to there. crossings belong to bonds. changes has args.steps + 1
 * elements for each set of samples.
 *
 * Work-item: a sample; a work-group has args.lanes of them. Local memory: none. Global traffic:
 * some ten accesses a step, that depend on each other. */
kernel __attribute__((reqd_work_group_size(GROW_ITEMS, 1, 1))) void
graph_grow(growth_args args, ulong first, ulong count, global const u32 *counters,
           global const ulong *order, global const uint2 *edges, global const u32 *crossings,
           global const u32 *rows, global const u32 *ends, global u32 *parents,
           global long *windings, global growth_state *states,
           volatile global growth_change *changes)
{
    const u32 k = get_group_id(0) * args.lanes + get_local_id(0);
    if (get_local_id(0) >= args.lanes || k >= args.samples)
        return;
    const ulong buckets = 1ul << args.bucket_bits,
                all = min((ulong)counters[k * (buckets + 1) + buckets], args.entries),
                last = min(all, first + count);
    growth_state state = states[k];
    sample s = {.parents = parents + k * args.vertices, .largest = state.largest};
#ifdef AXES
    s.windings = windings + k * args.vertices;
    for (u32 axis = 0; axis < AXES; axis++)
        s.wraps |= (u32)(state.wrapped[axis] != NEVER) << axis;
#endif
    order += k * args.entries;
    changes += k / args.set_samples * (args.steps + 1);
    for (ulong e = first; e < last; e++) {
        const u32 index = (u32)order[e], largest = s.largest;
        s.clusters = 0;
        s.squares = s.largest_square = 0;
#ifdef AXES
        const u32 wraps = s.wraps;
#endif
#ifdef SITES
        const u32 row = index / 32 / args.row_words,
                  v = index - 32 * args.row_words * row + args.nx * row;
        s.parents[v] = 1 | ROOT_BIT;
        s.clusters = 1;
        s.squares = 1;
        note_size(&s, 1);
#ifdef OPEN
        s.wraps |= spanned(ends[v]);
#endif
        for (u32 to = rows[v]; to < rows[v + 1]; to++)
            if (s.parents[edges[to].x] != ROOT_BIT)
                unite(&s, v, edges[to].x, edges[to].y);
#else
#ifdef AXES
        unite(&s, edges[index].x, edges[index].y, crossings[index]);
#else
        unite(&s, edges[index].x, edges[index].y, 0);
#endif
#endif
        state.step++;
#ifdef AXES
        if (s.wraps != wraps) {
            for (u32 axis = 0; axis < AXES; axis++)
                if ((s.wraps ^ wraps) >> axis & 1)
                    state.wrapped[axis] = state.step;
        }
#endif
        volatile global growth_change *change = &changes[state.step];
        if (s.clusters != 0)
            atomic_add(&change->clusters, s.clusters);
        if (s.largest != largest)
            atomic_add(&change->largest, s.largest - largest);
        add_digits(change->squares, s.squares);
        add_digits(change->largest_square, s.largest_square);
    }
    state.largest = s.largest;
    states[k] = state;
}
