/* Labels images that are larger than a device takes at once: slabs of layers along the last axis
 * one after the other, then a union-find on the host over the clusters that meet where slabs do. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/timing.h"
#include "base/watch.h"
#include "update/labelling.h"

typedef struct slabs {
    clup_context *context;
    const clup_label_problem *problem;
    const clup_lattice *lattice;
    unsigned axis;           /* the last */
    uint64_t layer;          /* pixels of one coordinate along it */
    uint32_t layers, height; /* in all, and in a slab unless it is the last one */
    uint64_t count;
    clup_labelling *labelling;
    uint32_t ready;   /* layers that labelling is for */
    uint64_t *before; /* [count + 1]: clusters of the slabs before each */
    uint64_t *nodes;  /* cluster l of slab s is node before[s] + l; 0 is the background */
} slabs;

static clup_status describe(clup_context *context, const clup_label_problem *problem, slabs *slabs)
{
    clup_lattice_kind kind;
    clup_status status = clup_image_lattice(problem, &kind);
    if (status != CLUP_OK)
        return status;
    slabs->context = context;
    slabs->problem = problem;
    slabs->lattice = clup_lattice_of(&(lattice_args){.kind = kind});
    slabs->axis = slabs->lattice->axes - 1;
    slabs->layers = problem->size[slabs->axis];
    slabs->layer = problem->size[0] * (slabs->axis > 1 ? (uint64_t)problem->size[1] : 1);
    if (slabs->layer == 0 || slabs->layers == 0 || (slabs->axis == 1 && problem->size[2] != 1))
        return clup_fail(
            CLUP_ERROR_USAGE,
            "%" PRIu32 " x %" PRIu32 " x %" PRIu32 " pixels are no image for connectivity %u",
            problem->size[0], problem->size[1], problem->size[2], problem->connectivity);
    return CLUP_OK;
}

/* Makes the labelling of a slab, or of the whole image, ready. */
static clup_status prepare(slabs *slabs, uint32_t layers)
{
    clup_label_problem problem = *slabs->problem;
    if (slabs->labelling != NULL && slabs->ready == layers)
        return CLUP_OK;
    clup_labelling_free(slabs->labelling);
    slabs->labelling = NULL;
    slabs->ready = layers;
    if (layers != slabs->layers) {
        problem.size[slabs->axis] = layers;
        problem.periodic[slabs->axis] = 0;
    }
    clup_status status = clup_labelling_create(slabs->context, &problem, &slabs->labelling);
    return status == CLUP_OK ? clup_labelling_reserve(slabs->labelling) : status;
}

/* Finds the largest slabs, of at most so many pixels or one layer, that the device has room for. */
static clup_status cut(slabs *slabs, uint64_t most)
{
    const uint64_t layers = slabs->layers, highest = most < slabs->layer ? 1 : most / slabs->layer;
    uint64_t count = (layers - 1) / highest + 1;
    for (;; count = 2 * count < layers ? 2 * count : layers) {
        slabs->height = (uint32_t)((layers - 1) / count + 1);
        slabs->count = (layers - 1) / slabs->height + 1;
        clup_status status = prepare(slabs, slabs->height);
        if (status != CLUP_ERROR_MEMORY || slabs->height == 1)
            return status;
    }
}

static void add_timing(clup_label_timing *sum, const clup_label_timing *timing)
{
    sum->device_s += timing->device_s;
    sum->transfer_s += timing->transfer_s;
    sum->wall_s += timing->wall_s;
}

/* Gives each slab labels of its own. */
static clup_status label_each(slabs *slabs, const void *pixels, uint32_t *labels,
                              clup_label_timing *spent)
{
    const clup_label_problem *problem = slabs->problem;
    const uint64_t bytes = problem->channels * clup_dtype_bytes(problem->dtype);
    clup_status status = CLUP_OK;
    for (uint64_t s = 0; s < slabs->count; s++) {
        const uint64_t first = s * slabs->height, left = slabs->layers - first;
        const char *from = (const char *)pixels + first * slabs->layer * bytes;
        clup_label_timing timing;
        uint32_t clusters;
        clup_task_done(s);
        CLUP_TRY(prepare(slabs, left < slabs->height ? (uint32_t)left : slabs->height));
        CLUP_TRY(clup_labelling_run(slabs->labelling, from, CLUP_LABELS_NUMBERED,
                                    labels + first * slabs->layer, &clusters, &timing));
        slabs->before[s + 1] = slabs->before[s] + clusters;
        add_timing(spent, &timing);
    }
done:
    return status;
}

static uint64_t root_of(uint64_t *nodes, uint64_t node)
{
    while (nodes[node] != node) {
        nodes[node] = nodes[nodes[node]];
        node = nodes[node];
    }
    return node;
}

static void unite(uint64_t *nodes, uint64_t a, uint64_t b)
{
    a = root_of(nodes, a);
    b = root_of(nodes, b);
    if (a < b)
        nodes[b] = a;
    else
        nodes[a] = b;
}

/* Unites the clusters of matching neighbours in a layer and the next one, which are of different
 * slabs. */
static clup_status join(slabs *slabs, const void *pixels, const uint32_t *labels, uint32_t layer,
                        uint32_t next)
{
    const clup_label_problem *problem = slabs->problem;
    const uint32_t nx = problem->size[0], ny = slabs->axis > 1 ? problem->size[1] : 1;
    const uint64_t from = layer * slabs->layer, to = next * slabs->layer;
    const uint64_t before_from = slabs->before[layer / slabs->height],
                   before_to = slabs->before[next / slabs->height];
    clup_status status = CLUP_OK;
    for (unsigned d = 0; d < slabs->lattice->directions; d++) {
        const lattice_offset offset = slabs->lattice->offsets[d];
        if ((slabs->axis > 1 ? offset.z : offset.y) == 0)
            continue;
        for (uint32_t y = 0; y < ny; y++) {
            CLUP_TRY(clup_watch_ask());
            const uint32_t to_y = slabs->axis > 1
                                      ? stepped(y, offset.y, ny, problem->periodic[1] != 0)
                                      : 0;
            for (uint32_t x = 0; x < nx && to_y != NOWHERE; x++) {
                const uint32_t to_x = stepped(x, offset.x, nx, problem->periodic[0] != 0);
                const uint64_t a = from + x + (uint64_t)nx * y, b = to + to_x + (uint64_t)nx * to_y;
                if (to_x != NOWHERE && labels[a] != 0 && labels[b] != 0 &&
                    clup_pixels_match(problem, pixels, a, b, d))
                    unite(slabs->nodes, before_from + labels[a], before_to + labels[b]);
            }
        }
    }
done:
    return status;
}

/* Turns nodes into numbers of clusters. Nodes are in raster order of their first pixels, since
 * slabs are, and labels in a slab, and a root is the least node of its cluster, with the cluster's
 * first pixel: to number roots as they come is to number clusters in raster order. */
static clup_status number(slabs *slabs, uint32_t *clusters)
{
    uint64_t *nodes = slabs->nodes, count = 0;
    for (uint64_t k = 1; k <= slabs->before[slabs->count]; k++)
        nodes[k] = nodes[k] == k ? ++count : nodes[nodes[k]];
    if (count > CLUP_SITES_32)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%" PRIu64 " clusters are more than have a number of 32 bits", count);
    *clusters = (uint32_t)count;
    return CLUP_OK;
}

static clup_status label_slabs(slabs *slabs, const void *pixels, uint32_t *labels,
                               uint32_t *clusters, clup_label_timing *spent)
{
    clup_status status = CLUP_OK;
    if ((slabs->before = calloc(slabs->count + 1, sizeof *slabs->before)) == NULL)
        return clup_fail_memory("the slabs");
    CLUP_TRY(label_each(slabs, pixels, labels, spent));
    const double start = clup_now_s();
    const uint64_t nodes = slabs->before[slabs->count] + 1;
    slabs->nodes = nodes <= SIZE_MAX / sizeof *slabs->nodes ? malloc(nodes * sizeof *slabs->nodes)
                                                            : NULL;
    if (slabs->nodes == NULL)
        return clup_fail_memory("the clusters of slabs");
    for (uint64_t k = 0; k < nodes; k++)
        slabs->nodes[k] = k;
    for (uint64_t s = 1; s < slabs->count; s++)
        CLUP_TRY(join(slabs, pixels, labels, (uint32_t)(s * slabs->height - 1),
                      (uint32_t)(s * slabs->height)));
    if (slabs->problem->periodic[slabs->axis])
        CLUP_TRY(join(slabs, pixels, labels, slabs->layers - 1, 0));
    CLUP_TRY(number(slabs, clusters));
    for (uint64_t s = 0; s < slabs->count; s++) {
        const uint64_t first = s * slabs->height, end = first + slabs->height < slabs->layers
                                                            ? first + slabs->height
                                                            : slabs->layers;
        for (uint64_t i = first * slabs->layer; i < end * slabs->layer; i++)
            labels[i] = labels[i] == 0 ? 0 : (uint32_t)slabs->nodes[slabs->before[s] + labels[i]];
    }
    spent->wall_s += clup_now_s() - start;
done:
    return status;
}

clup_status clup_label_image(clup_context *context, const clup_label_problem *problem,
                             const void *pixels, uint64_t max_slab_pixels, uint32_t *labels,
                             uint32_t *clusters, clup_label_timing *timing)
{
    slabs slabs = {0};
    clup_label_timing spent = {0};
    uint32_t count = 0;
    clup_status status = CLUP_OK;
    CLUP_NEED(context);
    CLUP_NEED(problem);
    CLUP_NEED(pixels);
    CLUP_NEED(labels);
    const clup_task outer = clup_task_begin("label", "slabs", 0);
    CLUP_TRY(describe(context, problem, &slabs));
    CLUP_TRY(cut(&slabs, max_slab_pixels > 0 && max_slab_pixels < CLUP_SITES_32 ? max_slab_pixels
                                                                                : CLUP_SITES_32));
    clup_task_begin("label", "slabs", slabs.count);
    if (slabs.count == 1)
        CLUP_TRY(clup_labelling_run(slabs.labelling, pixels, CLUP_LABELS_NUMBERED, labels, &count,
                                    &spent));
    else
        CLUP_TRY(label_slabs(&slabs, pixels, labels, &count, &spent));
    if (clusters != NULL)
        *clusters = count;
    if (timing != NULL)
        *timing = spent;
done:
    clup_task_end(outer);
    clup_labelling_free(slabs.labelling);
    free(slabs.before);
    free(slabs.nodes);
    return status;
}
