/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of the clusters of an image, from sums that the device makes: over clusters, or if
 * axes are periodic over their pieces. */
#include <stdlib.h>

#include "base/dtype.h"
#include "image/clusters.clh"
#include "label/cluster_records.h"
#include "label/pieces.h"

/* Clusters that are read from the device at a time. */
#define PIECE ((uint32_t)1 << 21)

typedef clup_cluster_image image;

/* Gets the sums of one cluster after the other, by number. */
typedef clup_status take(void *user, uint32_t number, clup_cluster_sums *sums);

static uint64_t sites_of(const clup_labelling *labelling)
{
    return clup_lattice_sites(&labelling->pixel_lattice);
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* Sums up the clusters from + 1 to from + count. */
static clup_status sum_up(clup_labelling *labelling, const image *image, cl_uint from,
                          cl_uint count)
{
    clup_status status = CLUP_OK;
    CLUP_TRY(
        clup_cluster_zero(labelling, image->tops, count * clup_cluster_tops(labelling, image)));
    CLUP_TRY(
        clup_cluster_zero(labelling, labelling->statistics, count * clup_cluster_words(labelling)));
    CLUP_TRY(clup_cluster_raise(labelling, image, from, count));
    CLUP_TRY(clup_cluster_add(labelling, image, from, count));
done:
    return status;
}

/* Takes the sums of the clusters from + 1 to from + count. room has the words, and the tops, of
 * PIECE clusters. */
static clup_status take_sums(clup_labelling *labelling, const image *image, uint32_t from,
                             uint32_t count, uint32_t *room, take *take, void *user)
{
    const clup_label_problem *problem = &labelling->problem;
    const uint64_t words = clup_cluster_words(labelling),
                   tops = clup_cluster_tops(labelling, image);
    clup_status status = CLUP_OK;
    for (uint32_t first = 0, some; first < count; first += some) {
        some = count - first < PIECE ? count - first : PIECE;
        uint32_t *above = room + some * words;
        CLUP_TRY(
            clup_cluster_read(labelling, labelling->statistics, words, first, some, CL_TRUE, room));
        CLUP_TRY(clup_cluster_read(labelling, image->tops, tops, first, some, CL_TRUE, above));
        for (uint32_t k = 0; k < some; k++) {
            clup_cluster_sums sums = clup_cluster_sums_of(problem, room + k * words,
                                                          tops > 0 ? above + k * tops : NULL);
            CLUP_TRY(take(user, from + first + k + 1, &sums));
        }
    }
done:
    return status;
}

static clup_status measure_sums(clup_labelling *labelling, image image, uint32_t clusters,
                                take *take, void *user)
{
    const uint64_t words = clup_cluster_words(labelling),
                   tops = clup_cluster_tops(labelling, &image);
    const uint32_t most = clup_cluster_at_once(labelling, clusters, 0);
    uint32_t *room = malloc((most < PIECE ? most : PIECE) * (words + tops) * sizeof *room);
    clup_status status = room != NULL ? CLUP_OK : clup_fail_memory("the statistics of clusters");
    CLUP_TRY(status);
    CLUP_TRY(clup_cluster_reserve(labelling, most * words * sizeof *room));
    if (tops > 0)
        CLUP_TRY(clup_buffer_create(labelling->context, most * tops * sizeof *room,
                                    "the largest values", &image.tops));
    for (uint32_t from = 0, count; from < clusters; from += count) {
        count = clusters - from < most ? clusters - from : most;
        CLUP_TRY(sum_up(labelling, &image, from, count));
        CLUP_TRY(take_sums(labelling, &image, from, count, room, take, user));
    }
done:
    clup_buffer_free(labelling->context, image.tops);
    free(room);
    return status;
}

/* Counts the coordinates of a cluster, or of a piece of one, from where its image of a batch
 * begins. */
static void shift_to_image(const clup_label_problem *problem, clup_cluster_sums *sums)
{
    const unsigned axis = clup_image_last_axis(problem);
    const int64_t size = problem->size[axis];
    int64_t by[3] = {0};
    if (clup_image_batch(problem) == 1)
        return;
    by[axis] = -(sums->first[axis] / size * size);
    clup_cluster_sums_shift(sums, by);
}

/* ---- open images ----------------------------------------------------------------------------- */

typedef struct wanted {
    const clup_label_problem *problem;
    bool has_values;
    clup_cluster *out;
} wanted;

static clup_status take_cluster(void *user, uint32_t number, clup_cluster_sums *sums)
{
    const wanted *wanted = user;
    shift_to_image(wanted->problem, sums);
    return clup_cluster_of(wanted->problem, sums, wanted->has_values, &wanted->out[number - 1]);
}

/* ---- periodic images ------------------------------------------------------------------------- */

/* Labels the clusters without bonds across the boundaries, and puts their numbers into the buffer
 * open. The state's bonds stay. */
static clup_status find_open(clup_labelling *labelling, uint32_t *pieces)
{
    clup_state *state = &labelling->update.state;
    const clup_state before = *state;
    clup_status status = CLUP_OK;
    if (labelling->open == NULL)
        CLUP_TRY(clup_buffer_create(labelling->context, 4 * sites_of(labelling),
                                    "the labels of pieces", &labelling->open));
    state->lattice.periodic = 0;
    state->numbers = labelling->open;
    state->canonical = false;
    for (clup_stage stage = CLUP_LOCAL; stage <= CLUP_ACTION && status == CLUP_OK; stage++)
        status = clup_prepared_run(&labelling->update.prepared[stage]);
    state->lattice.periodic = before.lattice.periodic;
    state->numbers = before.numbers;
    state->canonical = before.canonical;
    CLUP_TRY(status);
    CLUP_TRY(clup_labelling_read_count(labelling, pieces));
done:
    return status;
}

/* Adds the bonds along d that leave an axis, from the pairs of action_measure_wraps. */
static void add_bonds(const lattice_args *lattice, unsigned axis, unsigned d,
                      const uint32_t *joined, clup_wraps *wraps)
{
    for (uint32_t k = 0; k < layer_sites(*lattice, axis); k++, joined += 2)
        if (joined[0] != 0)
            clup_wraps_leaving(wraps, lattice, axis, d, k, joined);
}

/* Returns the most sites of a layer in which a periodic axis ends, and the number of sites of all
 * such layers. */
static uint64_t largest_layer(const lattice_args *lattice, uint64_t *all)
{
    uint64_t most = 0;
    *all = 0;
    for (unsigned axis = 0; axis < 3; axis++)
        if (lattice->periodic >> axis & 1) {
            const uint64_t layer = layer_sites(*lattice, axis);
            *all += 2 * layer;
            most = layer > most ? layer : most;
        }
    return most;
}

/* Finds all bonds across ends of periodic axes. */
static clup_status find_bonds(clup_labelling *labelling, clup_wraps *wraps)
{
    const lattice_args *lattice = &labelling->update.state.lattice;
    const clup_lattice *of = clup_lattice_of(lattice);
    const size_t items = clup_word_items(labelling->context);
    uint64_t names;
    const uint64_t most = largest_layer(lattice, &names), bytes = most * 2 * sizeof(uint32_t);
    uint32_t *joined = malloc(bytes);
    clup_status status = joined != NULL ? CLUP_OK : clup_fail_memory("the bonds across boundaries");
    CLUP_TRY(status);
    CLUP_TRY(clup_cluster_reserve(labelling, bytes));
    CLUP_TRY(clup_wraps_reset(
        wraps, names < clup_lattice_sites(lattice) ? names : clup_lattice_sites(lattice)));
    for (cl_uint axis = 0; axis < 3; axis++)
        for (cl_uint d = 0; d < of->directions; d++) {
            if (!(lattice->periodic >> axis & 1) || step_along(of->offsets[d], axis) == 0)
                continue;
            const uint64_t layer = layer_sites(*lattice, axis);
            CLUP_TRY(clup_prepared_launch_groups(
                &labelling->measure, CLUP_IMAGE_WRAPS, (layer - 1) / items + 1, items,
                CLUP_WITH(CLUP_ARG(axis), CLUP_ARG(d), CLUP_ARG_AS(numbers, labelling->open),
                          CLUP_ARG_AS(joined, labelling->statistics))));
            CLUP_TRY(clup_buffer_read(labelling->context, labelling->statistics, 0,
                                      layer * 2 * sizeof *joined, joined));
            add_bonds(lattice, axis, d, joined, wraps);
        }
done:
    free(joined);
    return status;
}

static clup_status take_piece(void *user, uint32_t number, clup_cluster_sums *sums)
{
    clup_pieces *pieces = user;
    shift_to_image(pieces->problem, sums);
    return clup_pieces_add(pieces, number, sums);
}

static clup_status measure_pieces(clup_labelling *labelling, cl_mem pixels, uint32_t clusters,
                                  clup_cluster *out)
{
    clup_pieces pieces = {.problem = &labelling->problem,
                          .has_values = pixels != NULL,
                          .clusters = clusters,
                          .out = out};
    uint32_t count;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_wraps_create(3, &pieces.wraps));
    CLUP_TRY(find_open(labelling, &count));
    CLUP_TRY(find_bonds(labelling, pieces.wraps));
    CLUP_TRY(clup_pieces_begin(&pieces));
    CLUP_TRY(measure_sums(
        labelling,
        (image){.lattice = labelling->pixel_lattice, .pixels = pixels, .numbers = labelling->open},
        count, take_piece, &pieces));
    CLUP_TRY(clup_pieces_end(&pieces));
    if (pieces.found != labelling->clusters)
        status = clup_fail(CLUP_ERROR_VERIFY, "%u pieces are of %u clusters, %u were numbered",
                           count, pieces.found, labelling->clusters);
done:
    clup_pieces_clear(&pieces);
    clup_wraps_free(pieces.wraps);
    return status;
}

/* ---- both ------------------------------------------------------------------------------------ */

clup_status clup_labelling_measure(clup_labelling *labelling, cl_mem pixels, cl_mem numbers,
                                   uint32_t clusters, clup_cluster *out)
{
    uint32_t found;
    clup_status status = CLUP_OK;
    CLUP_NEED(labelling);
    CLUP_NEED(numbers);
    if (clusters > 0)
        CLUP_NEED(out);
    CLUP_TRY(clup_labelling_count(labelling, &found));
    if (clusters > found) {
        status = clup_fail(CLUP_ERROR_USAGE, "%u clusters are to be measured, of %u", clusters,
                           found);
        goto done;
    }
    if (clusters == 0)
        goto done;
    CLUP_TRY(clup_cluster_prepare(labelling));
    if (labelling->pixel_lattice.periodic != 0)
        CLUP_TRY(measure_pieces(labelling, pixels, clusters, out));
    else
        CLUP_TRY(measure_sums(
            labelling,
            (image){.lattice = labelling->pixel_lattice, .pixels = pixels, .numbers = numbers},
            clusters, take_cluster, &(wanted){&labelling->problem, pixels != NULL, out}));
done:
    clup_timer_collect(&labelling->context->timer);
    return status;
}

/* Returns pinned memory of so many bytes, which lasts as long as the labelling; NULL where there is
 * none. */
static uint32_t *pinned_room(clup_labelling *labelling, uint64_t bytes)
{
    if (labelling->room_bytes < bytes) {
        clup_pinned_free(labelling->context, &labelling->room);
        clup_pinned_create(labelling->context, bytes, NULL, &labelling->room);
        labelling->room_bytes = labelling->room.bytes != NULL ? bytes : 0;
    }
    return labelling->room.bytes;
}

/* Measures clusters 1 to most before their number is known. The queue executes in order, so that
 * what is read has come when the count has. */
static clup_status measure_uncounted(clup_labelling *labelling, image image, uint32_t most,
                                     clup_cluster *out, uint32_t *clusters)
{
    const uint64_t words = clup_cluster_words(labelling),
                   tops = clup_cluster_tops(labelling, &image),
                   bytes = most * (words + tops) * sizeof(uint32_t);
    uint32_t *const pinned = pinned_room(labelling, bytes),
                    *const own = pinned == NULL ? malloc(bytes) : NULL,
                    *const room = pinned != NULL ? pinned : own;
    wanted wanted = {&labelling->problem, image.pixels != NULL, out};
    clup_status status = room != NULL ? CLUP_OK : clup_fail_memory("the statistics of clusters");
    CLUP_TRY(status);
    uint32_t *const above = room + most * words;
    CLUP_TRY(clup_cluster_reserve(labelling, most * words * sizeof *room));
    if (tops > 0)
        CLUP_TRY(clup_buffer_create(labelling->context, most * tops * sizeof *room,
                                    "the largest values", &image.tops));
    CLUP_TRY(sum_up(labelling, &image, 0, most));
    CLUP_TRY(clup_cluster_read(labelling, labelling->statistics, words, 0, most, CL_FALSE, room));
    CLUP_TRY(clup_cluster_read(labelling, image.tops, tops, 0, most, CL_FALSE, above));
    CLUP_TRY(clup_labelling_read_count(labelling, clusters));
    for (uint32_t k = 0; k < most && k < *clusters; k++) {
        clup_cluster_sums sums = clup_cluster_sums_of(&labelling->problem, room + k * words,
                                                      tops > 0 ? above + k * tops : NULL);
        CLUP_TRY(take_cluster(&wanted, k + 1, &sums));
    }
done:
    if (status != CLUP_OK) /* a read may still write to room */
        (void)clFinish(labelling->context->queue);
    clup_buffer_free(labelling->context, image.tops);
    free(own);
    return status;
}

clup_status clup_labelling_measure_most(clup_labelling *labelling, cl_mem pixels, cl_mem numbers,
                                        uint32_t most, clup_cluster *out, uint32_t *clusters)
{
    clup_status status = CLUP_OK;
    CLUP_NEED(labelling);
    CLUP_NEED(numbers);
    CLUP_NEED(clusters);
    if (most > 0)
        CLUP_NEED(out);
    if (most == 0 || !labelling->counted || labelling->pixel_lattice.periodic != 0 ||
        clup_cluster_at_once(labelling, most, 0) < most) {
        CLUP_TRY(clup_labelling_count(labelling, clusters));
        CLUP_TRY(clup_labelling_measure(labelling, pixels, numbers,
                                        *clusters < most ? *clusters : most, out));
        goto done;
    }
    CLUP_TRY(clup_cluster_prepare(labelling));
    CLUP_TRY(measure_uncounted(
        labelling,
        (image){.lattice = labelling->pixel_lattice, .pixels = pixels, .numbers = numbers}, most,
        out, clusters));
    labelling->clusters = *clusters;
    labelling->known = true;
done:
    return status;
}

clup_status clup_labelling_measure_run(clup_labelling *labelling, uint32_t clusters,
                                       clup_cluster *out)
{
    CLUP_NEED(labelling);
    if (!labelling->done)
        return clup_fail(
            CLUP_ERROR_USAGE,
            "no image was labelled with CLUP_LABELS_NUMBERED before its clusters are measured");
    return clup_labelling_measure(labelling, labelling->pixels, labelling->labels, clusters, out);
}
