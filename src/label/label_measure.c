/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of the clusters of an image that may be larger than a device takes at once, or of
 * which several processes have some layers each: slabs of layers are measured one after the other,
 * and what they and the processes find of a cluster is added up. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "image/clusters.clh"
#include "label/cluster_records.h"
#include "label/end_bonds.h"
#include "label/pieces.h"

/* Clusters that are measured at once, on the device and on the host, and those of which words are
 * read or merged at a time. */
#define CLUSTERS ((uint32_t)1 << 20)
#define PIECE ((uint32_t)1 << 16)

uint64_t clup_measure_slab = 0;

typedef struct measuring {
    clup_context *context;
    const clup_ranks *ranks;    /* NULL for one process */
    clup_label_problem problem; /* the whole, without periodic axes */
    clup_layers layers;         /* those of this process, */
    const char *pixels;         /* of which these are the pixels, */
    const uint32_t *numbers;    /* and these the numbers of clusters */
    unsigned axis;              /* the last one */
    uint64_t layer, each;       /* pixels of a layer, bytes of a pixel */
    uint32_t height, slabs;     /* layers of a slab but for the last one, and their number */
    clup_labelling *labelling;  /* of a slab; its buffers pixels and labels have slab given */
    uint32_t given;
    cl_mem tops;
    uint32_t most;           /* clusters that are measured in one go */
    uint32_t *words, *above; /* [PIECE] records, [most] tops */
    clup_cluster_sums *sums; /* [most] */
    uint64_t *merged;
} measuring;

/* ---- slabs ----------------------------------------------------------------------------------- */

static uint32_t layers_of(const measuring *measuring, uint32_t slab)
{
    const uint32_t left = measuring->layers.count - slab * measuring->height;
    return left < measuring->height ? left : measuring->height;
}

static clup_label_problem slab_of(const measuring *measuring, uint32_t layers)
{
    clup_label_problem problem = measuring->problem;
    problem.size[measuring->axis] = layers;
    return problem;
}

/* Makes the labelling of slabs of so many layers, with its buffers of pixels, labels and
 * statistics. */
static clup_status make_labelling(measuring *measuring, uint32_t layers, uint32_t clusters)
{
    const clup_label_problem slab = slab_of(measuring, layers);
    clup_labelling *labelling;
    clup_status status = clup_labelling_create(measuring->context, &slab, &measuring->labelling);
    if (status != CLUP_OK)
        return status;
    labelling = measuring->labelling;
    CLUP_TRY(clup_labelling_reserve(labelling));
    CLUP_TRY(clup_cluster_reserve(labelling, clup_cluster_at_once(labelling, clusters, CLUSTERS) *
                                                 clup_cluster_words(labelling) * sizeof(uint32_t)));
done:
    return status;
}

/* Finds the largest slabs that there is room for, and makes their labelling. */
static clup_status cut(measuring *measuring, uint32_t clusters)
{
    const uint32_t layers = measuring->layers.count;
    const uint64_t most = clup_measure_slab > 0 ? clup_measure_slab : CLUP_SITES_32,
                   highest = measuring->layer < most ? most / measuring->layer : 1;
    for (uint64_t count = (layers - 1) / highest + 1;;
         count = 2 * count < layers ? 2 * count : layers) {
        measuring->height = (uint32_t)((layers - 1) / count + 1);
        measuring->slabs = (layers - 1) / measuring->height + 1;
        const clup_status status = make_labelling(measuring, measuring->height, clusters);
        if (measuring->height == 1 ||
            (status == CLUP_OK ? clup_labelling_leaves_room(measuring->labelling)
                               : status != CLUP_ERROR_MEMORY))
            return status;
        clup_labelling_free(measuring->labelling);
        measuring->labelling = NULL;
    }
}

/* Brings a slab to the device, unless it is there, and says what kernels measure. */
static clup_status give(measuring *measuring, uint32_t slab, clup_cluster_image *image)
{
    const clup_labelling *labelling = measuring->labelling;
    const uint32_t layers = layers_of(measuring, slab);
    const uint64_t first = (uint64_t)slab * measuring->height * measuring->layer,
                   count = layers * measuring->layer;
    const clup_label_problem problem = slab_of(measuring, layers);
    const clup_problem pixels = clup_image_pixels(&problem);
    clup_status status = CLUP_OK;
    *image = (clup_cluster_image){.lattice = clup_lattice_args(&pixels),
                                  .pixels = labelling->pixels,
                                  .numbers = labelling->labels,
                                  .tops = measuring->tops};
    if (measuring->given == slab)
        return CLUP_OK;
    CLUP_TRY(clup_buffer_write(measuring->context, labelling->pixels, 0, count * measuring->each,
                               measuring->pixels + first * measuring->each));
    CLUP_TRY(clup_buffer_write(measuring->context, labelling->labels, 0,
                               count * sizeof *measuring->numbers, measuring->numbers + first));
    measuring->given = slab;
done:
    return status;
}

/* ---- tops ------------------------------------------------------------------------------------ */

/* Replaces the tops of all processes by the largest. */
static clup_status merge_tops(measuring *measuring, uint64_t count)
{
    const uint64_t some = (uint64_t)PIECE;
    clup_status status = CLUP_OK;
    for (uint64_t from = 0; from < count; from += some) {
        const uint64_t now = count - from < some ? count - from : some;
        for (uint64_t k = 0; k < now; k++)
            measuring->merged[k] = ~(uint64_t)measuring->above[from + k];
        CLUP_TRY(measuring->ranks->least(measuring->ranks, measuring->merged, now));
        for (uint64_t k = 0; k < now; k++)
            measuring->above[from + k] = (uint32_t)~measuring->merged[k];
    }
done:
    return status;
}

/* Finds the tops of clusters from + 1 to from + count, in all slabs of all processes. */
static clup_status find_tops(measuring *measuring, uint32_t from, uint32_t count, uint64_t tops)
{
    clup_labelling *labelling = measuring->labelling;
    clup_status status = CLUP_OK;
    if (tops == 0)
        return CLUP_OK;
    CLUP_TRY(clup_cluster_zero(labelling, measuring->tops, count * tops));
    for (uint32_t slab = 0; slab < measuring->slabs; slab++) {
        clup_cluster_image image;
        CLUP_TRY(give(measuring, slab, &image));
        CLUP_TRY(clup_cluster_raise(labelling, &image, from, count));
    }
    CLUP_TRY(
        clup_cluster_read(labelling, measuring->tops, tops, 0, count, CL_TRUE, measuring->above));
    if (measuring->ranks != NULL) {
        CLUP_TRY(merge_tops(measuring, count * tops));
        CLUP_TRY(clup_buffer_write(measuring->context, measuring->tops, 0,
                                   count * tops * sizeof *measuring->above, measuring->above));
    }
done:
    return status;
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* Adds what the device has summed of a slab. */
static clup_status take(measuring *measuring, uint32_t slab, uint32_t count, uint64_t tops)
{
    clup_labelling *labelling = measuring->labelling;
    const uint64_t words = clup_cluster_words(labelling);
    int64_t by[3] = {0};
    clup_status status = CLUP_OK;
    by[measuring->axis] = measuring->layers.first + (int64_t)slab * measuring->height;
    for (uint32_t first = 0, some; first < count; first += some) {
        some = count - first < PIECE ? count - first : PIECE;
        CLUP_TRY(clup_cluster_read(labelling, labelling->statistics, words, first, some, CL_TRUE,
                                   measuring->words));
        for (uint32_t k = 0; k < some; k++) {
            clup_cluster_sums more = clup_cluster_sums_of(
                                  &measuring->problem, measuring->words + k * words,
                                  tops > 0 ? measuring->above + (first + k) * tops : NULL),
                              *sums = &measuring->sums[first + k];
            if (more.size == 0)
                continue;
            clup_cluster_sums_shift(&more, by);
            if (sums->size == 0)
                *sums = more;
            else
                clup_cluster_sums_add(sums, &more);
        }
    }
done:
    return status;
}

/* Numbers of a cluster that are added up in all processes: its size, moments, the words of values,
 * and which values are not finite, of which each channel counts for itself. */
enum { SIZE, MOMENTS, VALUES = MOMENTS + 9, ODD = VALUES + 16, ADDED = ODD + 4, ENDS = 6 };

static void put_added(const clup_cluster_sums *sums, uint64_t to[ADDED])
{
    to[SIZE] = sums->size;
    memcpy(to + MOMENTS, sums->moments, sizeof sums->moments);
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned k = 0; k < 4; k++)
            to[VALUES + 4 * c + k] = sums->value[c][k / 2] >> 32 * (k % 2) & UINT32_MAX;
        to[ODD + c] = sums->odd >> c & 1;
    }
}

static void take_added(const uint64_t from[ADDED], clup_cluster_sums *sums)
{
    sums->size = from[SIZE];
    memcpy(sums->moments, from + MOMENTS, sizeof sums->moments);
    sums->odd = 0;
    for (unsigned c = 0; c < 4; c++) {
        uint64_t carry = 0;
        sums->value[c][0] = sums->value[c][1] = 0;
        for (unsigned k = 0; k < 4; k++) {
            carry = (carry >> 32) + from[VALUES + 4 * c + k];
            sums->value[c][k / 2] |= (carry & UINT32_MAX) << 32 * (k % 2);
        }
        sums->odd |= (unsigned)(from[ODD + c] > 0) << c;
    }
}

/* Replaces the sums of count clusters by those of all processes together. Units are the same in
 * all, as tops are. */
static clup_status merge(measuring *measuring, uint32_t count, uint64_t tops)
{
    const clup_ranks *ranks = measuring->ranks;
    clup_status status = CLUP_OK;
    for (uint32_t from = 0, some; from < count; from += some) {
        some = count - from < PIECE / 8 ? count - from : PIECE / 8;
        uint64_t *added = measuring->merged, *ends = added + (uint64_t)some * ADDED;
        clup_cluster_sums *sums = measuring->sums + from;
        for (uint32_t k = 0; k < some; k++) {
            put_added(&sums[k], added + (uint64_t)k * ADDED);
            for (unsigned axis = 0; axis < 3; axis++) {
                const bool any = sums[k].size > 0;
                ends[ENDS * k + axis] = any ? (uint64_t)sums[k].first[axis] : UINT64_MAX;
                ends[ENDS * k + 3 + axis] = any ? ~(uint64_t)sums[k].last[axis] : UINT64_MAX;
            }
        }
        CLUP_TRY(ranks->sum(ranks, added, (uint64_t)some * ADDED));
        CLUP_TRY(ranks->least(ranks, ends, (uint64_t)some * ENDS));
        for (uint32_t k = 0; k < some; k++) {
            take_added(added + (uint64_t)k * ADDED, &sums[k]);
            for (unsigned axis = 0; axis < 3; axis++) {
                sums[k].first[axis] = (int64_t)ends[ENDS * k + axis];
                sums[k].last[axis] = (int64_t)~ends[ENDS * k + 3 + axis];
            }
            for (unsigned c = 0; c < tops; c++)
                sums[k].unit[c] = value_unit(measuring->above[(from + k) * tops + c]);
        }
    }
done:
    return status;
}

/* Sums up clusters from + 1 to from + count, of all slabs of all processes. */
static clup_status sum_up(measuring *measuring, uint32_t from, uint32_t count)
{
    clup_labelling *labelling = measuring->labelling;
    const clup_cluster_image any = {.pixels = labelling->pixels};
    const uint64_t words = clup_cluster_words(labelling), tops = clup_cluster_tops(labelling, &any);
    clup_status status = CLUP_OK;
    memset(measuring->sums, 0, count * sizeof *measuring->sums);
    CLUP_TRY(find_tops(measuring, from, count, tops));
    for (uint32_t slab = 0; slab < measuring->slabs; slab++) {
        clup_cluster_image image;
        CLUP_TRY(give(measuring, slab, &image));
        CLUP_TRY(clup_cluster_zero(labelling, labelling->statistics, count * words));
        CLUP_TRY(clup_cluster_add(labelling, &image, from, count));
        CLUP_TRY(take(measuring, slab, count, tops));
    }
    if (measuring->ranks != NULL)
        CLUP_TRY(merge(measuring, count, tops));
done:
    return status;
}

/* Makes buffers and memory for as many clusters as are measured in one go. */
static clup_status prepare(measuring *measuring, uint32_t clusters)
{
    clup_labelling *labelling = measuring->labelling;
    const clup_cluster_image image = {.pixels = labelling->pixels};
    const uint64_t words = clup_cluster_words(labelling),
                   tops = clup_cluster_tops(labelling, &image);
    clup_status status = CLUP_OK;
    uint64_t most = clup_cluster_at_once(labelling, clusters, CLUSTERS);
    if (measuring->ranks != NULL)
        CLUP_TRY(measuring->ranks->least(measuring->ranks, &most, 1));
    measuring->most = (uint32_t)most;
    measuring->words = malloc(PIECE * words * sizeof *measuring->words);
    measuring->above = malloc((most * tops + 1) * sizeof *measuring->above);
    measuring->sums = malloc(most * sizeof *measuring->sums);
    measuring->merged = malloc(PIECE / 8 * (ADDED + ENDS) * sizeof *measuring->merged);
    if (measuring->words == NULL || measuring->above == NULL || measuring->sums == NULL ||
        measuring->merged == NULL)
        CLUP_TRY(clup_fail_memory("the statistics of clusters"));
    CLUP_TRY(clup_cluster_prepare(labelling));
    CLUP_TRY(clup_cluster_reserve(labelling, most * words * sizeof *measuring->words));
    if (tops > 0)
        CLUP_TRY(clup_buffer_create(measuring->context, most * tops * sizeof *measuring->above,
                                    "the largest values", &measuring->tops));
done:
    return status;
}

static void clear(measuring *measuring)
{
    clup_buffer_free(measuring->context, measuring->tops);
    clup_labelling_free(measuring->labelling);
    free(measuring->words);
    free(measuring->above);
    free(measuring->sums);
    free(measuring->merged);
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Measures all clusters, or with pieces all pieces, in the order of their numbers. */
static clup_status measure(measuring *measuring, const clup_label_problem *whole, uint32_t clusters,
                           clup_pieces *pieces, clup_cluster *out)
{
    clup_status status = CLUP_OK;
    CLUP_TRY(cut(measuring, clusters));
    CLUP_TRY(prepare(measuring, clusters));
    for (uint32_t from = 0, count; from < clusters; from += count) {
        count = clusters - from < measuring->most ? clusters - from : measuring->most;
        CLUP_TRY(sum_up(measuring, from, count));
        for (uint32_t k = 0; k < count; k++) {
            clup_cluster_sums *sums = &measuring->sums[k];
            if (sums->size == 0)
                CLUP_TRY(clup_fail(CLUP_ERROR_USAGE,
                                   "no pixel has label %" PRIu32 ", of %" PRIu32 " clusters",
                                   from + k + 1, clusters));
            CLUP_TRY(pieces != NULL ? clup_pieces_add(pieces, from + k + 1, sums)
                                    : clup_cluster_of(whole, sums, true, &out[from + k]));
        }
    }
done:
    return status;
}

/* Finds the pieces of clusters, without bonds across the ends of periodic axes, and these bonds. */
static clup_status find_pieces(clup_context *context, const measuring *measuring,
                               const clup_layers *layers, uint32_t *numbers, clup_wraps *wraps,
                               uint32_t *count)
{
    clup_status status = CLUP_OK;
    CLUP_TRY(
        clup_label_image(context, &measuring->problem, measuring->pixels, 0, numbers, count, NULL));
    CLUP_TRY(clup_end_bonds(measuring->ranks, layers, measuring->pixels, numbers, wraps));
done:
    return status;
}

static clup_status measure_pieces(clup_context *context, measuring *measuring,
                                  const clup_layers *layers, uint32_t clusters, clup_cluster *out)
{
    const clup_ranks *ranks = context->ranks;
    uint32_t *numbers = malloc(clup_layers_pixels(layers) * sizeof *numbers), count;
    clup_pieces pieces = {
        .problem = layers->image, .has_values = true, .clusters = clusters, .out = out};
    clup_status status = numbers != NULL ? CLUP_OK : clup_fail_memory("the labels of pieces");
    CLUP_TRY(status);
    CLUP_TRY(clup_wraps_create(3, &pieces.wraps));
    CLUP_TRY(find_pieces(context, measuring, layers, numbers, pieces.wraps, &count));
    CLUP_TRY(clup_pieces_begin(&pieces));
    measuring->numbers = numbers;
    context->ranks = NULL;
    CLUP_TRY(measure(measuring, layers->image, count, &pieces, NULL));
    CLUP_TRY(clup_pieces_end(&pieces));
    if (pieces.found != clusters)
        status = clup_fail(CLUP_ERROR_USAGE, "%" PRIu32 " clusters are to be measured, of %" PRIu32,
                           clusters, pieces.found);
done:
    context->ranks = ranks;
    clup_pieces_clear(&pieces);
    clup_wraps_free(pieces.wraps);
    free(numbers);
    return status;
}

clup_status clup_label_measure(clup_context *context, const clup_label_problem *problem,
                               const void *pixels, const uint32_t *labels, uint32_t clusters,
                               clup_cluster *out)
{
    clup_layers layers;
    clup_status status = CLUP_OK;
    CLUP_NEED(context);
    CLUP_NEED(problem);
    CLUP_NEED(pixels);
    CLUP_NEED(labels);
    if (clusters > 0)
        CLUP_NEED(out);
    const clup_ranks *ranks = context->ranks,
                     *together = clup_context_in_parts(context, 1) ? ranks : NULL;
    measuring measuring = {.context = context,
                           .ranks = together,
                           .problem = *problem,
                           .pixels = pixels,
                           .numbers = labels,
                           .given = UINT32_MAX};
    clup_label_problem layer = *problem; /* the image may be larger */
    layer.size[clup_image_last_axis(problem)] = 1;
    CLUP_TRY(clup_image_check(&layer));
    if (clup_image_batch(problem) > 1)
        return clup_fail(CLUP_ERROR_USAGE,
                         "clup_label_measure is for one image, not for a batch "
                         "of %" PRIu64,
                         problem->batch);
    CLUP_TRY(clup_layers_of(problem, together, &layers));
    memset(measuring.problem.periodic, 0, sizeof measuring.problem.periodic);
    measuring.layers = layers;
    measuring.axis = clup_image_last_axis(problem);
    measuring.layer = clup_layers_pixels(&layers) / layers.count;
    measuring.each = problem->channels * clup_dtype_bytes(problem->dtype);
    if (clusters == 0)
        goto done;
    if (problem->periodic[0] || problem->periodic[1] || problem->periodic[2]) {
        status = measure_pieces(context, &measuring, &layers, clusters, out);
    } else {
        context->ranks = NULL;
        status = measure(&measuring, problem, clusters, NULL, out);
        context->ranks = ranks;
    }
    clup_timer_collect(&context->timer);
done:
    clear(&measuring);
    return status;
}
