/* SPDX-License-Identifier: BSD-3-Clause */
/* Connected components of graphs: the same numbers on the device, in pieces of any length, as those
 * of a search through all edges; what is counted; and what is refused. */
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "graph/components.h"
#include "core/random.clh"
#include "device.h"
#include "refused.h"
#include "tap.h"

static clup_context *context;

/* ---- graphs ---------------------------------------------------------------------------------- */

typedef struct graph {
    uint32_t vertices;
    uint64_t edges;
    uint32_t (*ends)[2];
} graph;

enum { RANDOM, PATH, BACK, STAR, LOOPS, GRID, SHORT_AND_LONG, KINDS };
static const char *const kinds[KINDS] = {"random", "path", "path from its end",  "star",
                                         "loops",  "grid", "path and long edges"};

static uint32_t drawn(uint32_t seed, uint64_t k, uint32_t below)
{
    const random_key key = {.seed0 = seed};
    return random_block(key, 0, k, 0).v[0] % below;
}

static graph make(unsigned kind, uint32_t vertices, uint64_t edges, uint32_t seed)
{
    const uint32_t n = vertices;
    graph graph = {n, edges, malloc((edges + 1) * sizeof *graph.ends)};
    for (uint64_t e = 0; e < edges; e++) {
        const uint32_t k = (uint32_t)(e % n), any = drawn(seed, 2 * e, n),
                       other = drawn(seed, 2 * e + 1, n);
        const uint32_t ends[KINDS][2] = {
            [RANDOM] = {any, other},
            [PATH] = {k, k + 1 < n ? k + 1 : k},
            [BACK] = {n - 1 - k, k + 1 < n ? n - 2 - k : 0},
            [STAR] = {n - 1, k},
            [LOOPS] = {any, any},
            [GRID] = {k, e / n % 2 == 0 ? (k % 31 < 30 ? k + 1 : k) : k + 31},
            [SHORT_AND_LONG] = {e < n ? k : any, e < n ? k + 1 : other},
        };
        for (unsigned end = 0; end < 2; end++)
            graph.ends[e][end] = ends[kind][end] < n ? ends[kind][end] : n - 1;
    }
    return graph;
}

/* Numbers components by definition: a vertex takes the smallest number of its neighbours until
 * nothing changes; then these are counted. */
static uint32_t by_definition(const graph *graph, uint32_t *labels)
{
    uint32_t count = 0;
    bool changed = true;
    for (uint32_t v = 0; v < graph->vertices; v++)
        labels[v] = v;
    while (changed) {
        changed = false;
        for (uint64_t e = 0; e < 2 * graph->edges; e++) {
            /* forth and back, so that long paths need few rounds */
            const uint64_t k = e < graph->edges ? e : 2 * graph->edges - 1 - e;
            uint32_t *a = &labels[graph->ends[k][0]], *b = &labels[graph->ends[k][1]];
            changed = changed || *a != *b;
            *a = *b = *a < *b ? *a : *b;
        }
    }
    for (uint32_t v = 0; v < graph->vertices; v++)
        labels[v] = labels[v] == v ? count++ : labels[labels[v]];
    return count;
}

/* Adds the edges in pieces of so many, as numbers of a type. */
static void add(clup_components *components, const graph *graph, uint64_t piece, clup_dtype dtype)
{
    const bool wide = dtype == CLUP_DTYPE_U64 || dtype == CLUP_DTYPE_I64;
    uint64_t(*all)[2] = malloc((graph->edges + 1) * sizeof *all);
    for (uint64_t e = 0; e < graph->edges; e++)
        for (unsigned end = 0; end < 2; end++)
            all[e][end] = graph->ends[e][end];
    for (uint64_t first = 0, count; first < graph->edges; first += count) {
        count = graph->edges - first < piece ? graph->edges - first : piece;
        NEED(clup_components_add(components,
                                 wide ? (const void *)all[first] : (const void *)graph->ends[first],
                                 dtype, count));
    }
    free(all);
}

static void check_components(unsigned kind, uint32_t vertices, uint64_t edges, uint64_t piece,
                             clup_dtype dtype)
{
    const graph graph = make(kind, vertices, edges, 7 + kind);
    uint32_t *labels = malloc(3 * vertices * sizeof *labels), *host = labels + vertices,
             *device = host + vertices, counts[3];
    clup_components *components;
    counts[0] = by_definition(&graph, labels);
    for (unsigned where = 0; where < 2; where++) {
        NEED(clup_components_create(where == 0 ? NULL : context, vertices, &components));
        add(components, &graph, piece, dtype);
        NEED(clup_components_labels(components, where == 0 ? host : device, &counts[1 + where]));
        clup_components_free(components);
    }
    ok(counts[0] == counts[1] && counts[0] == counts[2] &&
           memcmp(labels, host, vertices * sizeof *labels) == 0 &&
           memcmp(labels, device, vertices * sizeof *labels) == 0,
       "%s, %u vertices, %llu edges of %s, %llu at a time: %u components, host %u, device %u",
       kinds[kind], (unsigned)vertices, (unsigned long long)edges, clup_dtype_name(dtype),
       (unsigned long long)piece, (unsigned)counts[0], (unsigned)counts[1], (unsigned)counts[2]);
    free(labels);
    free(graph.ends);
}

/* ---- rows, buffers, edges that come later ---------------------------------------------------- */

static void check_rows(void)
{
    static const int64_t starts[] = {0, 2, 2, 3, 3, 5, 5}, ends[] = {3, 3, 5, 4, 0};
    uint32_t labels[6], count;
    clup_components *components;
    for (unsigned where = 0; where < 2; where++) {
        NEED(clup_components_create(where == 0 ? NULL : context, 6, &components));
        NEED(clup_components_add_rows(components, starts, ends, CLUP_DTYPE_I64));
        NEED(clup_components_labels(components, labels, &count));
        ok(count == 3 && memcmp(labels, (uint32_t[6]){0, 1, 2, 0, 0, 2}, sizeof labels) == 0,
           "rows: %u components", (unsigned)count);
        clup_components_free(components);
    }
}

/* A graph that goes on after it was numbered, larger than a piece. */
static void check_later(void)
{
    const graph graph = make(RANDOM, 3000, 12000, 3);
    uint32_t labels[2][3000], counts[2];
    clup_components *components;
    clup_edges_piece = 1777;
    counts[0] = by_definition(&graph, labels[0]);
    NEED(clup_components_create(context, 3000, &components));
    NEED(clup_components_add(components, graph.ends, CLUP_DTYPE_U32, 5000));
    NEED(clup_components_labels(components, NULL, &counts[1]));
    const bool more = counts[1] > counts[0];
    NEED(clup_components_add(components, graph.ends + 5000, CLUP_DTYPE_U32, 7000));
    NEED(clup_components_labels(components, labels[1], &counts[1]));
    ok(more && counts[0] == counts[1] && memcmp(labels[0], labels[1], sizeof labels[0]) == 0,
       "edges are added after components were numbered, in pieces");
    clup_components_free(components);
    clup_edges_piece = (uint64_t)1 << 24;
    free(graph.ends);
}

static void check_none(void)
{
    clup_components *components;
    uint32_t count = 7, labels[40];
    for (unsigned where = 0; where < 2; where++) {
        NEED(clup_components_create(where == 0 ? NULL : context, 0, &components));
        NEED(clup_components_labels(components, NULL, &count));
        ok(count == 0, "no vertices, no components");
        clup_components_free(components);
        NEED(clup_components_create(where == 0 ? NULL : context, 40, &components));
        NEED(clup_components_labels(components, labels, &count));
        ok(count == 40 && labels[0] == 0 && labels[39] == 39, "no edges");
        clup_components_free(components);
    }
}

/* Edges in a buffer, of which one has an end that is no vertex: it is left out, and reported. */
static void check_buffers(void)
{
    static const uint32_t ends[][2] = {{0, 2}, {3, 1}, {2, 7}};
    const uint32_t wanted[] = {0, 1, 0, 1, 2};
    uint32_t labels[5], count;
    clup_components *components;
    cl_mem edges, numbers;
    NEED(clup_components_create(context, 5, &components));
    NEED(clup_buffer_create(context, sizeof ends, "edges", &edges));
    NEED(clup_buffer_create(context, sizeof labels, "numbers", &numbers));
    NEED(clup_buffer_write(context, edges, 0, sizeof ends, ends));
    for (uint64_t right = 2; right <= 3; right++) {
        NEED(clup_components_enqueue(components, edges, right, 0, NULL, NULL));
        NEED(clup_components_number(components, numbers, NULL));
        const clup_status status = clup_components_count(components, &count);
        NEED(clup_buffer_read(context, numbers, 0, sizeof labels, labels));
        ok(memcmp(labels, wanted, sizeof labels) == 0 &&
               (right == 2 ? status == CLUP_OK && count == 3
                           : status == CLUP_ERROR_USAGE &&
                                 strstr(clup_error_detail(), "none of the 5 vertices") != NULL),
           "%d edges in a buffer", (int)right);
    }
    clup_buffer_free(context, edges);
    clup_buffer_free(context, numbers);
    clup_components_free(components);
}

/* ---- what is refused ------------------------------------------------------------------------- */

#define FAILS(CALL, TEXT) \
    ok((CALL) == CLUP_ERROR_USAGE && strstr(clup_error_detail(), TEXT) != NULL, "%s", \
       clup_error_detail())

static void check_refused(void)
{
    static const uint32_t ends[][2] = {{0, 1}, {3, 4}};
    static const int32_t negative[][2] = {{0, 1}, {1, -1}};
    static const uint64_t wide[][2] = {{(uint64_t)1 << 32, 0}}, falling[] = {0, 2, 1, 2, 2},
                          late[] = {1, 1, 1, 1, 2};
    clup_components *components;
    uint32_t count;
    FAILS(clup_components_create(NULL, (uint64_t)1 << 32, &components), "2^32 - 1");
    for (unsigned where = 0; where < 2; where++) {
        NEED(clup_components_create(where == 0 ? NULL : context, 4, &components));
        FAILS(clup_components_add(components, ends, CLUP_DTYPE_U32, 2), "edge 1 has the vertex 4");
        FAILS(clup_components_add(components, negative, CLUP_DTYPE_I32, 2),
              "edge 1 has the vertex -1");
        FAILS(clup_components_add(components, wide, CLUP_DTYPE_U64, 1),
              "edge 0 has the vertex 4294967296");
        FAILS(clup_components_add(components, ends, CLUP_DTYPE_F32, 1), "not f32");
        FAILS(clup_components_add_rows(components, falling, wide, CLUP_DTYPE_U64),
              "vertex 2 start at 1");
        FAILS(clup_components_add_rows(components, late, wide, CLUP_DTYPE_U64),
              "vertex 0 start at 1");
        FAILS(clup_components_count(components, &count),
              where == 0 ? "on the host" : "have been numbered");
        clup_components_free(components);
    }
}

int main(void)
{
    static const uint32_t sizes[] = {1, 2, 33, 1000, 5000};
    static const clup_dtype dtypes[] = {CLUP_DTYPE_U32, CLUP_DTYPE_I64, CLUP_DTYPE_I32,
                                        CLUP_DTYPE_U64};
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    /* buffers begin with bits that would mark each vertex as known */
    context->poison = 0xFF;
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
            check_components(kind, sizes[s], (s % 2 == 0 ? 1 : 5) * (uint64_t)sizes[s] + s,
                             s % 3 == 0 ? 700 : 1 << 20, dtypes[(kind + s) % 4]);
    check_components(RANDOM, 40000, 400000, 1 << 20, CLUP_DTYPE_U32);
    check_components(PATH, 300000, 299999, 1 << 20, CLUP_DTYPE_U32);
    check_rows();
    check_later();
    check_none();
    check_buffers();
    check_refused();
    clup_context_free(context);
    return done_testing();
}
