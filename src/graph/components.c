/* SPDX-License-Identifier: BSD-3-Clause */
/* Connected components of a graph, on a device or on the host. */
#include "graph/components.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "base/watch.h"
#include "core/prepared.h"
#include "graph/graph_sizes.clh"

/* Words of a work-item of action_number_count. */
#define WORDS_EACH 8

uint64_t clup_edges_piece = (uint64_t)1 << 24;

/* clang-format off */
#define KERNELS(KERNEL) \
    KERNEL(BEGIN, "graph_components.cl", "graph_begin") \
    KERNEL(UNITE, "graph_components.cl", "graph_unite") \
    KERNEL(FLATTEN, "graph_components.cl", "graph_flatten") \
    KERNEL(FIND_LARGE, "graph_components.cl", "graph_find_large") \
    KERNEL(MARK, "graph_components.cl", "graph_mark") \
    KERNEL(NUMBER, "graph_components.cl", "graph_number") \
    KERNEL(COUNT, "action_number_count.cl", "action_number_count") \
    KERNEL(SUM, "action_number_count.cl", "action_number_sum") \
    KERNEL(BEFORE, "action_number_count.cl", "action_number_before")
/* clang-format on */
#define NAME(NAME, FILE, ENTRY) NAME,
enum { KERNELS(NAME) KERNEL_COUNT };
#undef NAME

struct clup_components {
    clup_context *context; /* NULL for the host */
    uint32_t vertices;
    uint32_t *parents; /* of the host: a forest (serial.c) */
    /* Of a device. */
    clup_kernel kernels[KERNEL_COUNT];
    size_t items;
    cl_mem labels, inside, large, open, wrong; /* see graph_components.cl */
    cl_mem roots, ranks, sums;                 /* see action_number_count.cl */
    cl_mem numbers, staged;                    /* NULL before they are needed */
    uint64_t staged_edges;                     /* that staged has room for */
    uint64_t edges;                            /* of all rounds */
    uint64_t refreshed;                        /* as many as when inside was written */
    bool numbered;                             /* sums have the number of components */
};

/* ---- creating -------------------------------------------------------------------------------- */

static uint64_t words_of(const clup_components *components)
{
    return ((uint64_t)components->vertices + 31) / 32;
}

/* Work-groups of the kernels that rank roots. */
static uint64_t rank_groups(const clup_components *components)
{
    const uint64_t each = WORDS_EACH * components->items;
    return (words_of(components) + each - 1) / each;
}

static clup_status build(clup_components *components)
{
    static const char *const files[][2] = {
#define FILE_OF(NAME, FILE, ENTRY) {FILE, ENTRY},
        KERNELS(FILE_OF)
#undef FILE_OF
    };
    char definitions[64];
    clup_status status = CLUP_OK;
    snprintf(definitions, sizeof definitions, "SITE_ITEMS=%zuu", components->items);
    for (unsigned k = 0; k < KERNEL_COUNT; k++)
        CLUP_TRY(clup_kernel_create(components->context, files[k][0], files[k][1], definitions,
                                    &components->kernels[k]));
done:
    return status;
}

/* Launches a kernel, without an event for its time, which nobody would collect. */
static clup_status launch(clup_components *components, unsigned which, clup_stage stage,
                          uint64_t groups, const clup_arg *args, size_t count)
{
    clup_context *context = components->context;
    const bool off = context->timer.off;
    context->timer.off = true;
    const clup_status status = clup_kernel_launch(context, &components->kernels[which], stage,
                                                  groups, components->items, args, count);
    context->timer.off = off;
    return status;
}

/* Launches a kernel with so many work-groups. */
#define LAUNCH(WHICH, STAGE, GROUPS, ...) \
    launch(components, WHICH, STAGE, GROUPS, (const clup_arg[]){__VA_ARGS__}, \
           sizeof(const clup_arg[]){__VA_ARGS__} / sizeof(clup_arg))

static uint64_t groups_of(const clup_components *components, uint64_t work_items)
{
    return (work_items + components->items - 1) / components->items;
}

static clup_status create_on_device(clup_components *components)
{
    clup_context *context = components->context;
    const uint64_t vertices = components->vertices, groups = rank_groups(components),
                   padded = groups * WORDS_EACH * components->items * sizeof(cl_uint);
    clup_status status = CLUP_OK;
    CLUP_TRY(build(components));
    CLUP_TRY(clup_buffer_create(context, vertices * sizeof(cl_uint), "the labels of vertices",
                                &components->labels));
    CLUP_TRY(clup_buffer_create(context, padded, "bits of vertices", &components->inside));
    CLUP_TRY(
        clup_buffer_create_zero(context, padded, "the roots of components", &components->roots));
    CLUP_TRY(clup_buffer_create(context, 2 * padded, "the ranks of roots", &components->ranks));
    CLUP_TRY(clup_buffer_create(context, (groups + 1) * sizeof(cl_uint), "sums of roots",
                                &components->sums));
    CLUP_TRY(clup_buffer_create_zero(context, 2 * sizeof(cl_uint), "the large component",
                                     &components->large));
    CLUP_TRY(clup_buffer_create_zero(context, sizeof(cl_uint), "a mark of wrong edges",
                                     &components->wrong));
    CLUP_TRY(clup_buffer_create(context, FLATTEN_PASSES * sizeof(cl_uint), "marks of passes",
                                &components->open));
    CLUP_TRY(clup_buffer_poison(context, components->labels));
    CLUP_TRY(clup_buffer_poison(context, components->inside));
    CLUP_TRY(clup_buffer_poison(context, components->ranks));
    CLUP_TRY(clup_buffer_poison(context, components->sums));
    CLUP_TRY(LAUNCH(BEGIN, CLUP_LOCAL, groups_of(components, vertices),
                    CLUP_ARG(components->vertices), CLUP_ARG(components->labels)));
done:
    return status;
}

clup_status clup_components_create_only(clup_context *context, uint32_t vertices,
                                        clup_components **out)
{
    clup_components *components = calloc(1, sizeof *components);
    clup_status status = CLUP_OK;
    if (components == NULL)
        return clup_fail_memory("the components");
    components->context = context;
    components->vertices = vertices;
    if (context != NULL)
        components->items = clup_site_items(context);
    if (context == NULL) {
        components->parents = malloc((vertices + (uint64_t)1) * sizeof *components->parents);
        if (components->parents == NULL)
            CLUP_TRY(clup_fail_memory("the labels of vertices"));
        clup_serial_begin(components->parents, vertices);
    } else if (vertices > 0)
        CLUP_TRY(create_on_device(components));
done:
    if (status == CLUP_OK)
        *out = components;
    else
        clup_components_free(components);
    return status;
}

void clup_components_free(clup_components *components)
{
    if (components == NULL)
        return;
    free(components->parents);
    if (components->context != NULL) {
        const cl_mem buffers[] = {components->labels, components->inside, components->open,
                                  components->large,  components->wrong,  components->roots,
                                  components->ranks,  components->sums,   components->numbers,
                                  components->staged};
        for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++)
            clup_buffer_free(components->context, buffers[k]);
        for (unsigned k = 0; k < KERNEL_COUNT; k++)
            clup_kernel_free(&components->kernels[k]);
    }
    free(components);
}

/* ---- adding edges ---------------------------------------------------------------------------- */

static clup_status flatten(clup_components *components)
{
    const uint64_t groups = groups_of(components, components->vertices);
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_buffer_zero(components->context, CLUP_STAGES, components->open,
                              FLATTEN_PASSES * sizeof(cl_uint)));
    for (cl_uint pass = 0; pass < FLATTEN_PASSES; pass++)
        CLUP_TRY(LAUNCH(FLATTEN, CLUP_CONSOLIDATE,
                        pass == 0 || groups < FLATTEN_LATER_GROUPS ? groups : FLATTEN_LATER_GROUPS,
                        CLUP_ARG(components->vertices), CLUP_ARG(pass),
                        CLUP_ARG(components->labels), CLUP_ARG(components->open)));
done:
    return status;
}

/* Writes a bit for each vertex: with roots, whether it is a root; without, whether it is in the
 * large component. */
static clup_status mark(clup_components *components, cl_uint roots, cl_mem bits)
{
    return LAUNCH(MARK, CLUP_CONSOLIDATE, groups_of(components, words_of(components)),
                  CLUP_ARG(components->vertices), CLUP_ARG(roots), CLUP_ARG(components->labels),
                  CLUP_ARG(components->large), CLUP_ARG(bits));
}

/* Finds the large component anew. */
static clup_status refresh(clup_components *components)
{
    clup_status status = CLUP_OK;
    clup_watch_hold(); /* bits of another component would spare edges that are needed */
    CLUP_TRY(flatten(components));
    CLUP_TRY(LAUNCH(FIND_LARGE, CLUP_CONSOLIDATE, 1, CLUP_ARG(components->vertices),
                    CLUP_ARG(components->labels), CLUP_ARG(components->large)));
    CLUP_TRY(mark(components, 0, components->inside));
    components->refreshed = components->edges;
done:
    clup_watch_release();
    return status;
}

/* Edges after which the large component is found anew: as many as there are vertices, and as there
 * were when it was found. */
static uint64_t next_refresh(const clup_components *components)
{
    const uint64_t before = components->refreshed;
    return before + (before > components->vertices ? before : components->vertices);
}

/* Unites the ends of edges in a buffer, in rounds (graph_components.cl). Each round takes its share
 * of blocks from everywhere in the buffer. */
static clup_status add(clup_components *components, cl_mem ends, cl_ulong edges)
{
    const uint64_t each = EDGES_EACH * components->items, blocks = (edges + each - 1) / each,
                   shares = edges / components->vertices;
    const cl_uint turn = (cl_uint)(shares < 1 ? 1 : shares < blocks ? shares : blocks);
    clup_status status = CLUP_OK;
    for (cl_uint first = 0, taken; first < turn && edges > 0; first += taken) {
        /* a block of each turn is a share of as many edges as there are vertices, and some more */
        const uint64_t due = (next_refresh(components) - components->edges) / components->vertices;
        taken = turn - first;
        if (due < taken)
            taken = due > 0 ? (cl_uint)due : 1;
        const uint64_t turns = (blocks + turn - 1) / turn;
        CLUP_TRY(LAUNCH(UNITE, CLUP_CONSOLIDATE, turns * taken, CLUP_ARG(components->vertices),
                        CLUP_ARG(edges), CLUP_ARG(first), CLUP_ARG(taken), CLUP_ARG(turn),
                        CLUP_ARG(ends), CLUP_ARG(components->large), CLUP_ARG(components->inside),
                        CLUP_ARG(components->labels), CLUP_ARG(components->wrong)));
        components->edges += edges * taken / turn;
        if (components->edges >= next_refresh(components))
            CLUP_TRY(refresh(components));
    }
    components->numbered = false;
done:
    return status;
}

/* Returns the most edges of a piece, which take an eighth of the device's memory at most. */
static uint64_t piece_most(const clup_components *components)
{
    const clup_context *context = components->context;
    const uint64_t room = context != NULL ? context->global_mem / 64 : clup_edges_piece;
    return room < clup_edges_piece ? room : clup_edges_piece;
}

/* Makes room on the device for so many edges. */
static clup_status reserve(clup_components *components, uint64_t edges)
{
    if (edges <= components->staged_edges)
        return CLUP_OK;
    clup_buffer_free(components->context, components->staged);
    components->staged = NULL;
    components->staged_edges = 0;
    const clup_status status = clup_buffer_create(components->context, edges * 2 * sizeof(cl_uint),
                                                  "edges", &components->staged);
    if (status == CLUP_OK)
        components->staged_edges = edges;
    return status;
}

/* Adds edges of the host by pieces. */
static clup_status add_ends(clup_components *components, const clup_ends *ends)
{
    const uint64_t piece = piece_most(components), most = ends->edges < piece ? ends->edges : piece;
    uint32_t(*pairs)[2] = NULL;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_ends_check(ends));
    if (ends->edges == 0)
        goto done;
    if ((pairs = malloc(most * sizeof *pairs)) == NULL)
        CLUP_TRY(clup_fail_memory("edges"));
    for (uint64_t first = 0, count; first < ends->edges; first += count) {
        count = ends->edges - first < most ? ends->edges - first : most;
        CLUP_TRY(clup_watch_ask());
        CLUP_TRY(clup_ends_take(ends, first, count, pairs));
        if (components->context == NULL) {
            clup_serial_unite(components->parents, pairs, count);
            continue;
        }
        CLUP_TRY(reserve(components, count));
        CLUP_TRY(clup_buffer_write(components->context, components->staged, 0,
                                   count * sizeof *pairs, pairs));
        CLUP_TRY(add(components, components->staged, count));
    }
done:
    free(pairs);
    return status;
}

clup_status clup_components_add(clup_components *components, const void *ends, clup_dtype dtype,
                                uint64_t edges)
{
    CLUP_NEED(components);
    if (edges > 0)
        CLUP_NEED(ends);
    const clup_ends all = {
        .ends = ends, .dtype = dtype, .vertices = components->vertices, .edges = edges};
    return add_ends(components, &all);
}

clup_status clup_components_add_rows(clup_components *components, const void *starts,
                                     const void *neighbours, clup_dtype dtype)
{
    CLUP_NEED(components);
    CLUP_NEED(starts);
    clup_ends all = {
        .starts = starts, .ends = neighbours, .dtype = dtype, .vertices = components->vertices};
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_ends_check(&all));
    all.edges = clup_ends_count(&all);
    if (all.edges > 0)
        CLUP_NEED(neighbours);
    CLUP_TRY(add_ends(components, &all));
done:
    return status;
}

static clup_status need_device(const clup_components *components)
{
    return components->context != NULL
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE,
                           "the components are found on the host, without buffers");
}

/* Enqueues what clup_components_add and clup_components_number do, between events. */
typedef clup_status work_of(clup_components *components, cl_mem buffer, uint64_t edges);

static clup_status enqueue(clup_components *components, work_of *work, cl_mem buffer,
                           uint64_t edges, unsigned count, cl_event const *wait, cl_event *event)
{
    clup_context *context = components->context;
    clup_status status = CLUP_OK;
    if (count > 0)
        CLUP_TRY(clup_cl_check(clEnqueueBarrierWithWaitList(context->queue, count, wait, NULL),
                               "clEnqueueBarrierWithWaitList"));
    context->unpaced = true;
    clup_watch_hold();
    status = components->vertices > 0 ? work(components, buffer, edges) : CLUP_OK;
    clup_watch_release();
    context->unpaced = false;
    if (status == CLUP_OK && event != NULL)
        status = clup_cl_check(clEnqueueMarkerWithWaitList(context->queue, 0, NULL, event),
                               "clEnqueueMarkerWithWaitList");
    if (status == CLUP_OK)
        status = clup_cl_check(clFlush(context->queue), "clFlush");
done:
    return status;
}

clup_status clup_components_enqueue(clup_components *components, cl_mem ends, uint64_t edges,
                                    unsigned count, cl_event const *wait, cl_event *event)
{
    CLUP_NEED(components);
    CLUP_NEED(ends);
    if (count > 0)
        CLUP_NEED(wait);
    clup_status status;
    CLUP_TRY(need_device(components));
    CLUP_TRY(enqueue(components, add, ends, edges, count, wait, event));
done:
    return status;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static clup_status number(clup_components *components, cl_mem numbers, uint64_t edges)
{
    const uint64_t groups = rank_groups(components);
    const cl_uint count = (cl_uint)groups;
    clup_status status = CLUP_OK;
    (void)edges;
    CLUP_TRY(flatten(components));
    CLUP_TRY(mark(components, 1, components->roots));
    CLUP_TRY(LAUNCH(COUNT, CLUP_ACTION, groups, CLUP_ARG(components->roots),
                    CLUP_ARG(components->sums)));
    CLUP_TRY(LAUNCH(SUM, CLUP_ACTION, 1, CLUP_ARG(count), CLUP_ARG(components->sums)));
    CLUP_TRY(LAUNCH(BEFORE, CLUP_ACTION, groups, CLUP_ARG(components->roots),
                    CLUP_ARG(components->sums), CLUP_ARG(components->ranks)));
    CLUP_TRY(LAUNCH(NUMBER, CLUP_ACTION, groups_of(components, components->vertices),
                    CLUP_ARG(components->vertices), CLUP_ARG(components->labels),
                    CLUP_ARG(components->ranks), CLUP_ARG(numbers)));
    components->numbered = true;
done:
    return status;
}

clup_status clup_components_number(clup_components *components, cl_mem numbers, cl_event *event)
{
    CLUP_NEED(components);
    CLUP_NEED(numbers);
    clup_status status;
    CLUP_TRY(need_device(components));
    CLUP_TRY(enqueue(components, number, numbers, 0, 0, NULL, event));
done:
    return status;
}

clup_status clup_components_count(clup_components *components, uint32_t *count)
{
    cl_uint wrong;
    clup_status status = CLUP_OK;
    CLUP_NEED(components);
    CLUP_NEED(count);
    *count = 0;
    CLUP_TRY(need_device(components));
    if (components->vertices == 0)
        goto done;
    if (!components->numbered)
        CLUP_TRY(
            clup_fail(CLUP_ERROR_USAGE, "components are counted when they have been numbered"));
    CLUP_TRY(clup_buffer_read(components->context, components->wrong, 0, sizeof wrong, &wrong));
    if (wrong)
        CLUP_TRY(clup_fail(CLUP_ERROR_USAGE,
                           "an edge has an end that is none of the %" PRIu32 " vertices",
                           components->vertices));
    CLUP_TRY(clup_buffer_read(components->context, components->sums,
                              rank_groups(components) * sizeof(cl_uint), sizeof *count, count));
done:
    return status;
}

clup_status clup_components_labels(clup_components *components, uint32_t *labels, uint32_t *count)
{
    uint32_t found = 0;
    clup_status status = CLUP_OK;
    CLUP_NEED(components);
    clup_context *context = components->context;
    const uint64_t bytes = components->vertices * sizeof *labels;
    if (context == NULL)
        found = clup_serial_number(components->parents, components->vertices, labels);
    else if (bytes > 0) {
        if (components->numbers == NULL)
            CLUP_TRY(clup_buffer_create(context, bytes, "the numbers of components",
                                        &components->numbers));
        CLUP_TRY(number(components, components->numbers, 0));
        CLUP_TRY(clup_components_count(components, &found));
        if (labels != NULL)
            CLUP_TRY(clup_buffer_read(context, components->numbers, 0, bytes, labels));
    }
    if (count != NULL)
        *count = found;
done:
    return status;
}
