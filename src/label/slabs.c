/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels images that are larger than a device takes at once: labels slabs of layers along the last
 * axis one after the other, then unites, on the host, clusters that touch where two slabs, or the
 * subdomains of two processes, meet. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <string.h>

#include "base/dtype.h"
#include "base/timing.h"
#include "base/watch.h"
#include "core/subdomain.h"
#include "label/joined.h"
#include "label/labelling.h"

typedef struct slabs {
    clup_context *context;
    const clup_ranks *ranks; /* the processes with subdomains of the image; NULL for one process */
    clup_subdomain part;
    clup_label_problem problem; /* this process's layers, */
    const void *pixels;         /* of which these are the pixels and labels */
    uint32_t *labels;
    const clup_lattice *lattice;
    unsigned axis;           /* the last axis */
    uint64_t layer;          /* pixels of one layer, which has one coordinate along axis */
    uint32_t layers, height; /* layers in all, and of each slab but the last */
    uint64_t count;
    clup_labelling *labelling;
    uint32_t ready;   /* number of layers for which labelling is made */
    uint64_t *before; /* [count + 1]: number of clusters in all slabs before each slab, those of
                         earlier processes included */
    uint64_t names; /* number of clusters of all slabs: cluster l of slab s has the name before[s] +
                       l */
    clup_joined clusters;
} slabs;

static clup_status describe(const clup_label_problem *problem, slabs *slabs)
{
    clup_lattice_kind kind;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_image_lattice(problem, &kind));
    if (clup_image_batch(problem) > 1)
        return clup_fail(CLUP_ERROR_USAGE,
                         "clup_label_image is for one image, not for a batch of "
                         "%" PRIu64 ": see clup_label_batch",
                         problem->batch);
    slabs->problem = *problem;
    slabs->lattice = clup_lattice_of(&(lattice_args){.kind = kind});
    slabs->axis = slabs->lattice->axes - 1;
    slabs->layers = problem->size[slabs->axis];
    slabs->layer = problem->size[0] * (slabs->axis > 1 ? (uint64_t)problem->size[1] : 1);
    if (slabs->layer == 0 || slabs->layers == 0 || (slabs->axis == 1 && problem->size[2] != 1))
        return clup_fail(
            CLUP_ERROR_USAGE,
            "%" PRIu32 " x %" PRIu32 " x %" PRIu32 " pixels are no image for connectivity %u",
            problem->size[0], problem->size[1], problem->size[2], problem->connectivity);
    if (slabs->ranks != NULL) {
        const clup_problem whole = clup_image_pixels(problem);
        CLUP_TRY(clup_subdomain_of(&whole, slabs->ranks->index, slabs->ranks->count, &slabs->part));
        slabs->layers = slabs->problem.size[slabs->axis] = (uint32_t)slabs->part.own;
        slabs->problem.periodic[slabs->axis] = 0;
    }
done:
    return status;
}

static uint64_t bytes_each(const clup_label_problem *problem)
{
    return problem->channels * clup_dtype_bytes(problem->dtype);
}

/* Whether the device takes the memory of all slabs as its own: of the first and the next, as the
 * others are as far apart. */
static bool are_lendable(const slabs *slabs)
{
    const uint64_t next = slabs->count > 1 ? slabs->height * slabs->layer : 0;
    const char *pixels = slabs->pixels;
    return clup_memory_lendable(slabs->context, pixels) &&
           clup_memory_lendable(slabs->context, pixels + next * bytes_each(&slabs->problem)) &&
           clup_memory_lendable(slabs->context, slabs->labels) &&
           clup_memory_lendable(slabs->context, slabs->labels + next);
}

/* Makes the labelling of a slab, or of the whole image. */
static clup_status prepare(slabs *slabs, uint32_t layers)
{
    clup_label_problem problem = slabs->problem;
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
    if (status != CLUP_OK)
        return status;
    slabs->labelling->lent = are_lendable(slabs);
    return clup_labelling_reserve(slabs->labelling);
}

/* Finds the largest slabs that there is room for, of at most most pixels or one layer. */
static clup_status cut(slabs *slabs, uint64_t most)
{
    const uint64_t layers = slabs->layers, highest = most < slabs->layer ? 1 : most / slabs->layer;
    uint64_t count = (layers - 1) / highest + 1;
    for (;; count = 2 * count < layers ? 2 * count : layers) {
        slabs->height = (uint32_t)((layers - 1) / count + 1);
        slabs->count = (layers - 1) / slabs->height + 1;
        clup_status status = prepare(slabs, slabs->height);
        if (slabs->height == 1 || (status == CLUP_OK ? clup_labelling_leaves_room(slabs->labelling)
                                                     : status != CLUP_ERROR_MEMORY))
            return status;
    }
}

void clup_label_timing_add(clup_label_timing *sum, const clup_label_timing *timing)
{
    sum->device_s += timing->device_s;
    sum->transfer_s += timing->transfer_s;
    sum->wall_s += timing->wall_s;
}

/* Labels each slab by itself. */
static clup_status label_each(slabs *slabs, const void *pixels, uint32_t *labels,
                              clup_label_timing *spent)
{
    const uint64_t bytes = bytes_each(&slabs->problem);
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
        clup_label_timing_add(spent, &timing);
    }
done:
    return status;
}

/* Two neighbouring layers of different slabs. */
typedef struct meeting {
    const void *pixels;
    const uint32_t *labels;
    uint64_t from, to;               /* index of their first pixels and labels */
    uint64_t before_from, before_to; /* number of clusters in the slabs before theirs */
} meeting;

/* Unites the clusters of matching neighbours in two such layers. */
static clup_status join(slabs *slabs, const meeting *at)
{
    const clup_label_problem *problem = &slabs->problem;
    const uint32_t nx = problem->size[0], ny = slabs->axis > 1 ? problem->size[1] : 1;
    uint32_t last_a = 0, last_b = 0;
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
                if (to_x == NOWHERE)
                    continue;
                const uint64_t a = at->from + x + (uint64_t)nx * y,
                               b = at->to + to_x + (uint64_t)nx * to_y;
                const uint32_t label_a = at->labels[a], label_b = at->labels[b];
                if (label_a == 0 || label_b == 0 || (label_a == last_a && label_b == last_b) ||
                    !clup_pixels_match(problem, at->pixels, a, b, d))
                    continue;
                CLUP_TRY(clup_joined_unite(&slabs->clusters, at->before_from + label_a,
                                           at->before_to + label_b));
                last_a = label_a;
                last_b = label_b;
            }
        }
    }
done:
    return status;
}

/* Unites clusters of two neighbouring layers of this process, in different slabs. */
static clup_status join_own(slabs *slabs, const void *pixels, const uint32_t *labels,
                            uint32_t layer, uint32_t next)
{
    return join(slabs, &(meeting){.pixels = pixels,
                                  .labels = labels,
                                  .from = layer * slabs->layer,
                                  .to = next * slabs->layer,
                                  .before_from = slabs->before[layer / slabs->height],
                                  .before_to = slabs->before[next / slabs->height]});
}

/* ---- several processes ----------------------------------------------------------------------- */

/* Adds the number of clusters of earlier processes to before[]. others[] gets the number of
 * clusters before each process. */
static clup_status count_on(slabs *slabs, uint64_t *others)
{
    const clup_ranks *ranks = slabs->ranks;
    uint64_t sum = 0;
    clup_status status = ranks->gather(ranks, &slabs->before[slabs->count], sizeof *others, others);
    for (uint32_t p = 0; p < ranks->count && status == CLUP_OK; p++) {
        const uint64_t clusters = others[p];
        others[p] = sum;
        sum += clusters;
    }
    for (uint64_t s = 0; s <= slabs->count && status == CLUP_OK; s++)
        slabs->before[s] += others[ranks->index];
    slabs->names = sum;
    return status;
}

/* Unites clusters of this process's last layer with those of the first layer of the next process;
 * sends its own first layer to the process before. */
static clup_status join_next(slabs *slabs, const void *pixels, const uint32_t *labels,
                             const uint64_t *others)
{
    const clup_ranks *ranks = slabs->ranks;
    const clup_subdomain *part = &slabs->part;
    const uint32_t next = (part->index + 1) % part->count, above = part->above ? next : CLUP_NOBODY,
                   below = part->below ? (part->index + part->count - 1) % part->count
                                       : CLUP_NOBODY;
    const uint64_t last = (slabs->layers - 1) * slabs->layer,
                   label_bytes = slabs->layer * sizeof *labels,
                   pixel_bytes = slabs->layer * bytes_each(&slabs->problem);
    /* both layers */
    uint32_t *both_labels = malloc(2 * label_bytes);
    char *both_pixels = malloc(2 * pixel_bytes);
    clup_status status = both_labels != NULL && both_pixels != NULL
                             ? CLUP_OK
                             : clup_fail_memory("the layers where processes meet");
    CLUP_TRY(status);
    memcpy(both_labels, labels + last, label_bytes);
    memcpy(both_pixels, (const char *)pixels + last / slabs->layer * pixel_bytes, pixel_bytes);
    CLUP_TRY(ranks->exchange(ranks, below, labels, above, both_labels + slabs->layer, label_bytes));
    CLUP_TRY(ranks->exchange(ranks, below, pixels, above, both_pixels + pixel_bytes, pixel_bytes));
    if (above != CLUP_NOBODY)
        CLUP_TRY(join(slabs, &(meeting){.pixels = both_pixels,
                                        .labels = both_labels,
                                        .to = slabs->layer,
                                        .before_from = slabs->before[slabs->count - 1],
                                        .before_to = others[next]}));
done:
    free(both_labels);
    free(both_pixels);
    return status;
}

/* Gathers the unions of all processes in every process. */
static clup_status share(slabs *slabs)
{
    const clup_ranks *ranks = slabs->ranks;
    clup_joined *clusters = &slabs->clusters;
    clup_joined_node *all = NULL;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_joined_settle(clusters));
    uint64_t least = ~clusters->gone_count;
    CLUP_TRY(ranks->least(ranks, &least, 1));
    const uint64_t most = ~least;
    if (most == 0)
        goto done;
    if ((all = calloc(ranks->count * most, sizeof *all)) == NULL)
        CLUP_TRY(clup_fail_memory("the clusters of all processes"));
    memcpy(all + ranks->index * most, clusters->gone, clusters->gone_count * sizeof *all);
    CLUP_TRY(ranks->gather(ranks, all + ranks->index * most, most * sizeof *all, all));
    for (uint64_t k = 0; k < ranks->count * most; k++)
        if (all[k].name > 0)
            CLUP_TRY(clup_joined_unite(clusters, all[k].name, all[k].up));
done:
    free(all);
    return status;
}

static clup_status join_processes(slabs *slabs, const void *pixels, const uint32_t *labels)
{
    uint64_t *others = calloc(slabs->ranks->count, sizeof *others);
    clup_status status = others != NULL ? CLUP_OK : clup_fail_memory("the clusters of processes");
    CLUP_TRY(status);
    CLUP_TRY(count_on(slabs, others));
    CLUP_TRY(join_next(slabs, pixels, labels, others));
done:
    free(others);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Replaces labels by the numbers of whole clusters. Numbers are in raster order of first pixels, as
 * slabs are, and labels within a slab. */
static clup_status number(slabs *slabs, uint32_t *labels)
{
    uint64_t most = 0;
    for (uint64_t s = 0; s < slabs->count; s++) {
        const uint64_t count = slabs->before[s + 1] - slabs->before[s];
        most = count > most ? count : most;
    }
    uint32_t *numbers = malloc((most + 1) * sizeof *numbers);
    if (numbers == NULL)
        return clup_fail_memory("the clusters of a slab");
    for (uint64_t s = 0; s < slabs->count; s++) {
        const uint64_t first = s * slabs->height, end = first + slabs->height < slabs->layers
                                                            ? first + slabs->height
                                                            : slabs->layers;
        clup_joined_number(&slabs->clusters, slabs->before[s],
                           slabs->before[s + 1] - slabs->before[s], numbers);
        for (uint64_t i = first * slabs->layer; i < end * slabs->layer; i++)
            labels[i] = numbers[labels[i]];
    }
    free(numbers);
    return CLUP_OK;
}

static clup_status label_slabs(slabs *slabs, const void *pixels, uint32_t *labels,
                               uint32_t *clusters, clup_label_timing *spent)
{
    clup_status status = CLUP_OK;
    if ((slabs->before = calloc(slabs->count + 1, sizeof *slabs->before)) == NULL)
        return clup_fail_memory("the slabs");
    CLUP_TRY(label_each(slabs, pixels, labels, spent));
    clup_labelling_free(slabs->labelling);
    slabs->labelling = NULL;
    const double start = clup_now_s();
    slabs->names = slabs->before[slabs->count];
    if (slabs->ranks != NULL)
        CLUP_TRY(join_processes(slabs, pixels, labels));
    for (uint64_t s = 1; s < slabs->count; s++)
        CLUP_TRY(join_own(slabs, pixels, labels, (uint32_t)(s * slabs->height - 1),
                          (uint32_t)(s * slabs->height)));
    if (slabs->problem.periodic[slabs->axis])
        CLUP_TRY(join_own(slabs, pixels, labels, slabs->layers - 1, 0));
    if (slabs->ranks != NULL)
        CLUP_TRY(share(slabs));
    CLUP_TRY(clup_joined_settle(&slabs->clusters));
    const uint64_t count = slabs->names - slabs->clusters.gone_count;
    if (count > CLUP_SITES_32)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%" PRIu64 " clusters are more than have a number of 32 bits", count);
    CLUP_TRY(number(slabs, labels));
    *clusters = (uint32_t)count;
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
    const clup_ranks *ranks = context->ranks;
    slabs.context = context;
    slabs.ranks = clup_context_in_parts(context, 1) ? ranks : NULL;
    slabs.pixels = pixels;
    slabs.labels = labels;
    /* each process labels slabs by itself */
    context->ranks = NULL;
    CLUP_TRY(describe(problem, &slabs));
    CLUP_TRY(cut(&slabs, max_slab_pixels > 0 && max_slab_pixels < CLUP_SITES_32 ? max_slab_pixels
                                                                                : CLUP_SITES_32));
    clup_task_begin("label", "slabs", slabs.count);
    if (slabs.count == 1 && slabs.ranks == NULL)
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
    clup_joined_clear(&slabs.clusters);
    free(slabs.before);
    context->ranks = ranks;
    return status;
}
