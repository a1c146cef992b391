/* SPDX-License-Identifier: BSD-3-Clause */
/* How long walks to roots are when thousands of work-items unite clusters at the borders of tiles
 * at once, which no processor does. The union and the flattening of cl/border/nodes.clh are
 * compiled for the host; work-items take turns of one step. A step is what a walk waits for: a read
 * of a parent, or an atomic. The pictures have long chains: lines, combs, snakes, spirals. The test
 * runs small pictures;
 *
 *   t_chains SIDE [GROUPS [PICTURE]]
 *
 * prints a table for pictures of SIDE x SIDE pixels, with GROUPS work-groups at a time. */
/* a fortified longjmp refuses the stacks of the work-items */
#undef _FORTIFY_SOURCE
#include <setjmp.h>
#include <string.h>
#include <ucontext.h>

#include "bench/measure/picture.h"
#include "core/lattice.h"
#include "tap.h"

static void others_go_first(void);

#include "work_items.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "border/nodes.clh"
#pragma GCC diagnostic pop

/* ---- work-items that take turns -------------------------------------------------------------- */

#define STACK 8192u

typedef struct work_item {
    u32 first, end; /* of the pairs, or nodes, of the work-item */
    u32 group;
    u32 wait; /* steps to wait before working on them */
    jmp_buf at;
    char *stack;
    bool begun, over;
} work_item;

static struct {
    work_item *now;
    ucontext_t start;
    jmp_buf turns;
    void (*work)(const work_item *item);
    u64 steps, ticks;
} run;

static void others_go_first(void)
{
    run.steps++;
    if (run.now != NULL && _setjmp(run.now->at) == 0)
        _longjmp(run.turns, 1);
}

static void begin(void)
{
    for (u32 k = 0; k < run.now->wait; k++)
        others_go_first();
    run.steps -= run.now->wait;
    run.work(run.now);
    run.now->over = true;
    _longjmp(run.turns, 1);
}

/* Runs one step of a work-item. */
static void turn(work_item *item)
{
    ucontext_t context;
    run.now = item;
    if (_setjmp(run.turns) != 0)
        return;
    if (item->begun)
        _longjmp(item->at, 1);
    item->begun = true;
    getcontext(&context);
    context.uc_stack.ss_sp = item->stack;
    context.uc_stack.ss_size = STACK;
    makecontext(&context, begin, 0);
    setcontext(&context);
}

static u32 random_state = 1;

static u32 random_below(u32 below)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (u32)((u64)random_state * below >> 32);
}

/* Runs all work-items, of groups in order, groups at a time. A group ends when all its work-items
 * have ended. With at_random, a work-item takes every other turn on average. */
static void run_items(work_item *items, u32 count, u32 groups, bool at_random,
                      void (*work)(const work_item *))
{
    work_item **active = malloc(count * sizeof *active);
    char **stacks = malloc(count * sizeof *stacks);
    u32 groups_active = 0, next = 0, stack_count = 0, active_count = 0;
    u32 *left = calloc(count > 0 ? items[count - 1].group + 1 : 1, sizeof *left);
    for (u32 k = 0; k < count; k++)
        left[items[k].group]++;
    run.work = work;
    run.steps = run.ticks = 0;
    while (next < count || active_count > 0) {
        for (; next < count && groups_active < groups; groups_active++)
            for (const u32 group = items[next].group; next < count && items[next].group == group;
                 next++) {
                items[next].stack = stack_count > 0 ? stacks[--stack_count] : malloc(STACK);
                active[active_count++] = &items[next];
            }
        run.ticks++;
        /* from the last to the first, so that a work-item sees none of the steps of this turn */
        for (u32 k = active_count; k-- > 0;)
            if (!at_random || random_below(2))
                turn(active[k]);
        u32 kept = 0;
        for (u32 k = 0; k < active_count; k++) {
            work_item *item = active[k];
            if (!item->over) {
                active[kept++] = item;
                continue;
            }
            stacks[stack_count++] = item->stack;
            groups_active -= --left[item->group] == 0;
        }
        active_count = kept;
    }
    run.now = NULL;
    while (stack_count > 0)
        free(stacks[--stack_count]);
    free(active), free(stacks), free(left);
}

/* ---- tiles of a picture ---------------------------------------------------------------------- */

/* An image in the border layout: its sites are pixels or, with 8 neighbours, blocks of 2 x 2
 * pixels. */
static struct {
    const uint8_t *pixels;
    u32 side, block, sites, tiles; /* of an edge: its pixels, pixels of a site, sites, tiles */
    bool equality;                 /* pixels of the background are labelled too */
    u32 *cluster;                  /* for each pixel, the first pixel of its cluster in the tile */
    u32 *node;                     /* for each first pixel, the node of a cluster at a border */
    border_node *nodes;
    u32 *of; /* number of nodes in use */
    u32 in_use;
    u32 *pairs;
    u32 pair_count;
    work_item *items;
    u32 item_count;
} image;

static bool joined(u32 a, u32 b)
{
    return image.pixels[a] == image.pixels[b] && (image.pixels[a] != 0 || image.equality);
}

static u32 first_of(u32 a)
{
    while (image.cluster[a] != a)
        a = image.cluster[a] = image.cluster[image.cluster[a]];
    return a;
}

static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}}; /* to pixels and sites */

static u32 step_count(void)
{
    return image.block == 2 ? 4 : 2;
}

/* Finds the clusters inside tiles. */
static void find_clusters(void)
{
    const u32 edge = 32 * image.block, side = image.side;
    for (u32 i = 0; i < side * side; i++)
        image.cluster[i] = i;
    for (u32 y = 0; y < side; y++)
        for (u32 x = 0; x < side; x++)
            for (u32 d = 0; d < step_count(); d++) {
                const u32 to_x = x + (u32)steps[d][0], to_y = y + (u32)steps[d][1];
                if (to_x >= side || to_y >= side || to_x / edge != x / edge ||
                    to_y / edge != y / edge || !joined(y * side + x, to_y * side + to_x))
                    continue;
                const u32 a = first_of(y * side + x), b = first_of(to_y * side + to_x);
                image.cluster[max(a, b)] = min(a, b);
            }
}

/* The node of a site's cluster, made when there is none; NOWHERE for a site of the background. */
static u32 node_of(u32 x, u32 y)
{
    const u32 tile = y / 32 * image.tiles + x / 32;
    for (u32 k = 0; k < image.block * image.block; k++) {
        const u32 px = image.block * x + k % image.block, py = image.block * y + k / image.block,
                  i = py * image.side + px;
        if (px >= image.side || py >= image.side || !(image.pixels[i] || image.equality))
            continue;
        const u32 first = first_of(i);
        if (image.node[first] == NOWHERE) {
            u32 node = tile * BORDER_NODES_OF(2);
            while (image.nodes[node].parent != NOWHERE)
                node++;
            image.nodes[node] = (border_node){node, first};
            image.node[first] = node;
        }
        return image.node[first];
    }
    return NOWHERE;
}

/* Whether a bond between pixels of two sites is active. */
static bool bound(u32 x, u32 y, u32 to_x, u32 to_y)
{
    const u32 block = image.block, side = image.side;
    for (u32 k = 0; k < block * block; k++)
        for (u32 l = 0; l < block * block; l++) {
            const int ax = (int)(block * x + k % block), ay = (int)(block * y + k / block),
                      bx = (int)(block * to_x + l % block), by = (int)(block * to_y + l / block);
            if (max((u32)ax, (u32)bx) < side && max((u32)ay, (u32)by) < side && abs(ax - bx) <= 1 &&
                abs(ay - by) <= 1 && joined((u32)ay * side + (u32)ax, (u32)by * side + (u32)bx))
                return true;
        }
    return false;
}

/* Finds the nodes at the ends of the bond along step d, from site k of a tile's last row or side to
 * another tile; NOWHERE when the bond is not active. */
static void ends_of(u32 tile_x, u32 tile_y, u32 k, bool down, u32 d, u32 ends[2])
{
    const u32 x = 32 * tile_x + (down              ? k
                                 : steps[d][0] > 0 ? 31
                                                   : 0),
              y = 32 * tile_y + (down ? 31 : k), to_x = x + (u32)steps[d][0],
              to_y = y + (u32)steps[d][1];
    ends[0] = ends[1] = NOWHERE;
    if (max(x, to_x) < image.sites && max(y, to_y) < image.sites &&
        (down ? steps[d][1] > 0 : steps[d][0] != 0 && to_y / 32 == tile_y) &&
        bound(x, y, to_x, to_y))
        ends[0] = node_of(x, y), ends[1] = node_of(to_x, to_y);
}

/* Makes the pairs of work-item k of a tile, as consolidate_union_border does. */
static void make_pairs(u32 tile_x, u32 tile_y, u32 k, bool down)
{
    const u32 first = image.pair_count;
    for (u32 d = 0; d < step_count(); d++) {
        u32 ends[2], before[2] = {NOWHERE, NOWHERE};
        ends_of(tile_x, tile_y, k, down, d, ends);
        if (k > 0)
            ends_of(tile_x, tile_y, k - 1, down, d, before);
        if (ends[0] != NOWHERE && memcmp(ends, before, sizeof ends) != 0)
            memcpy(image.pairs + 2 * image.pair_count++, ends, sizeof ends);
    }
    if (image.pair_count > first)
        image.items[image.item_count++] = (work_item){first, image.pair_count,
                                                      tile_y * image.tiles + tile_x, .wait = 3};
}

static void image_open(const uint8_t *pixels, u32 side, u32 block, bool equality)
{
    memset(&image, 0, sizeof image);
    image.pixels = pixels;
    image.side = side;
    image.block = block;
    image.equality = equality;
    image.sites = (side - 1) / block + 1;
    image.tiles = (image.sites - 1) / 32 + 1;
    const size_t tiles = (size_t)image.tiles * image.tiles;
    image.cluster = malloc(4 * (size_t)side * side);
    image.node = malloc(4 * (size_t)side * side);
    image.nodes = malloc(tiles * BORDER_NODES_OF(2) * sizeof *image.nodes);
    image.of = malloc(tiles * BORDER_NODES_OF(2) * 4);
    image.pairs = malloc(tiles * 64 * 4 * 8);
    image.items = malloc(tiles * BORDER_NODES_OF(2) * sizeof *image.items);
    memset(image.node, 0xFF, 4 * (size_t)side * side);
    memset(image.nodes, 0xFF, tiles * BORDER_NODES_OF(2) * sizeof *image.nodes);
    find_clusters();
    for (u32 tile = 0; tile < tiles; tile++)
        for (u32 k = 0; k < 64; k++)
            make_pairs(tile % image.tiles, tile / image.tiles, k % 32, k < 32);
    for (u32 node = 0; node < tiles * BORDER_NODES_OF(2); node++)
        if (image.nodes[node].parent != NOWHERE)
            image.of[image.in_use++] = node;
}

static void image_close(void)
{
    free(image.cluster), free(image.node), free(image.nodes), free(image.of), free(image.pairs);
    free(image.items);
}

/* ---- what is counted ------------------------------------------------------------------------- */

static void unite_pairs(const work_item *item)
{
    for (u32 k = item->first; k < item->end; k++)
        node_unite(image.nodes, image.pairs[2 * k], image.pairs[2 * k + 1]);
}

static void flatten(const work_item *item)
{
    const u32 i = image.of[item->first];
    node_flatten(image.nodes, i, image.nodes[i]);
}

typedef struct counts {
    u64 pairs, union_steps, union_ticks;
    u64 depths, deepest; /* of the forest */
    u64 nodes, flat_steps, flat_ticks;
} counts;

static counts count_steps(u32 groups, bool at_random)
{
    counts c = {.pairs = image.pair_count, .nodes = image.in_use};
    run_items(image.items, image.item_count, groups, at_random, unite_pairs);
    c.union_steps = run.steps;
    c.union_ticks = run.ticks;
    /* by key, as a node's key is larger than its parent's */
    u32 *depth = malloc(4 * (size_t)image.side * image.side);
    for (u32 i = 0; i < image.side * image.side; i++) {
        if (image.node[i] == NOWHERE)
            continue;
        const u32 up = image.nodes[image.node[i]].parent;
        depth[i] = up == image.node[i] ? 0 : depth[image.nodes[up].key] + 1;
        c.depths += depth[i];
        c.deepest = max((u32)c.deepest, depth[i]);
    }
    free(depth);
    for (u32 k = 0; k < image.in_use; k++)
        image.items[k] = (work_item){k, k + 1, image.of[k] / BORDER_NODES_OF(2), .wait = 2};
    run_items(image.items, image.in_use, groups / 2 + 1, at_random, flatten);
    c.flat_steps = run.steps;
    c.flat_ticks = run.ticks;
    return c;
}

/* ---- pictures -------------------------------------------------------------------------------- */

/* Draws a picture of lines of so many pixels; turned swaps x and y, reversed turns the picture
 * around. */
static void draw(const char *name, u32 side, u32 width, bool turned, bool reversed, uint8_t *pixels)
{
    const u32 lines = (side - 1) / width + 1;
    uint8_t *drawn = malloc((size_t)lines * lines);
    const bool full = strcmp(name, "full") == 0;
    NEED(bench_picture_draw(full ? "random" : name, (const uint32_t[3]){lines, lines, 1},
                            full ? 1 : 0.5, 1, 1, drawn));
    for (u32 i = 0; i < side * side; i++) {
        u32 x = i % side / width, y = i / side / width;
        if (reversed)
            x = lines - 1 - x, y = lines - 1 - y;
        pixels[i] = turned ? drawn[x * lines + y] : drawn[y * lines + x];
    }
    free(drawn);
}

static const char *const names[] = {"random", "full", "stripes", "comb", "snake", "spiral"};
static const char *const kinds[] = {"8 neighbours", "4 neighbours", "4, equality"};
#define NAMES (sizeof names / sizeof *names)

static void print_row(const char *name, u32 width, u32 view, u32 kind, bool at_random, u32 groups)
{
    const counts c = count_steps(groups, at_random);
    printf("%-8s %2u %-7s%-9s%-13s%-10s union %8llu pairs %6.2f steps %5llu turns; "
           "depth %9.2f %7llu; flatten %8llu nodes %6.2f steps %5llu turns\n",
           name, width, view & 1 ? "turned" : "", view & 2 ? "reversed" : "", kinds[kind],
           at_random ? "at random" : "in turn", (unsigned long long)c.pairs,
           (double)c.union_steps / (double)c.pairs, (unsigned long long)c.union_ticks,
           (double)c.depths / (double)c.nodes, (unsigned long long)c.deepest,
           (unsigned long long)c.nodes, (double)c.flat_steps / (double)c.nodes,
           (unsigned long long)c.flat_ticks);
    fflush(stdout);
}

static void table(u32 side, u32 groups, const char *picture)
{
    uint8_t *pixels = malloc((size_t)side * side);
    printf("# %u x %u pixels, %u work-groups at a time; steps a pair or node, and turns until all "
           "are done; depths of nodes in between, the mean and the largest\n",
           side, side, groups);
    for (u32 name = 0; name < NAMES; name++)
        for (u32 width = 1; width <= (name + 1 == NAMES ? 16 : 1); width *= 2)
            for (u32 row = 0; row < 4 * 3 * 2; row++) {
                if (picture != NULL && strcmp(picture, names[name]) != 0)
                    continue;
                const u32 view = row / 6, kind = row / 2 % 3;
                draw(names[name], side, width, view & 1, view & 2, pixels);
                image_open(pixels, side, kind == 0 ? 2 : 1, kind == 2);
                print_row(names[name], width, view, kind, row % 2, groups);
                image_close();
            }
    free(pixels);
}

/* Limits for the mean steps of all walks, and for the longest walk: they grow as the logarithm of
 * the length of a chain, not as the length. */
static void check(const char *name, u32 width, u32 view, u32 kind, bool at_random)
{
    enum { SIDE = 513, GROUPS = 100, STEPS = 12 };
    static uint8_t pixels[SIDE * SIDE];
    u32 apart = 0;
    draw(name, SIDE, width, view & 1, view & 2, pixels);
    image_open(pixels, SIDE, kind == 0 ? 2 : 1, kind == 2);
    const counts c = count_steps(GROUPS, at_random);
    for (u32 k = 0; k < image.pair_count; k++)
        apart += node_top(image.nodes, image.pairs[2 * k], NOWHERE) !=
                 node_top(image.nodes, image.pairs[2 * k + 1], NOWHERE);
    ok(apart == 0 && c.union_steps <= STEPS * c.pairs && c.flat_steps <= STEPS * c.nodes,
       "%s %u pixels wide, view %u, %s, %s: %u pairs apart, %.2f steps a pair, %.2f a node "
       "%.0f deep",
       name, width, view, kinds[kind], at_random ? "at random" : "in turn", apart,
       (double)c.union_steps / (double)c.pairs, (double)c.flat_steps / (double)c.nodes,
       (double)c.depths / (double)c.nodes);
    image_close();
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        table((u32)atoi(argv[1]), argc > 2 ? (u32)atoi(argv[2]) : 4224, argc > 3 ? argv[3] : NULL);
        return 0;
    }
    for (u32 name = 0; name < NAMES; name++)
        for (u32 width = 1; width <= 16; width *= 16)
            for (u32 view = 0; view < 4; view++)
                check(names[name], width, view, (name + view) % 3, view % 2 == width % 2);
    return done_testing();
}
