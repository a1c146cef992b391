/* Statistics of the clusters of an image: sums from the device become means, and bonds across
 * periodic boundaries tell what wraps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "clusters.clh"
#include "label/measures.h"
#include "label/wraps.h"
#include "update/labelling.h"

/* Rows of a region at most, so that its sums fit 32 bits, and regions that are enough to keep a
 * device busy. */
#define REGION_ROWS_MAX 512
#define REGIONS 8192
/* Clusters that are read at once. */
#define PIECE ((uint32_t)1 << 21)

uint32_t clup_measure_most = 0;

/* Kernels of the rows image and image_across. */
enum { MEASURE, LARGEST, WRAPS };

/* What a channel's values are counted in: 2^units. */
typedef struct scale {
    cl_mem largest; /* of types whose units depend on the values */
    uint32_t room;
    bool none; /* there are no values */
    int units[4];
} scale;

static unsigned axes_of(const clup_labelling *labelling)
{
    return clup_lattice_of(&labelling->pixel_lattice)->axes;
}

static uint64_t sites_of(const clup_labelling *labelling)
{
    return clup_lattice_sites(&labelling->pixel_lattice);
}

/* Makes the statistics' buffer at least so long. */
static clup_status reserve(clup_labelling *labelling, uint64_t bytes)
{
    if (bytes <= labelling->statistics_bytes)
        return CLUP_OK;
    clup_buffer_free(labelling->context, labelling->statistics);
    labelling->statistics = NULL;
    labelling->statistics_bytes = 0;
    clup_status status = clup_buffer_create(labelling->context, bytes, "the statistics of clusters",
                                            &labelling->statistics);
    if (status == CLUP_OK)
        labelling->statistics_bytes = bytes;
    return status;
}

/* ---- from sums to means ---------------------------------------------------------------------- */

static uint64_t sum_of(const uint32_t *words, unsigned k)
{
    return words[CLUSTER_MOMENTS + 2 * k] | (uint64_t)words[CLUSTER_MOMENTS + 2 * k + 1] << 32;
}

/* Sums relative to the pixel next to the centroid are as small as they can be, and exact where they
 * fit 64 bits: what was lost above on the way is a multiple of 2^64. The square of the centroid's
 * distance, at most 1/4, is less than half of the mean square. */
static void set_moments(clup_cluster *cluster, const uint32_t *words)
{
    static const unsigned pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    const uint64_t size = cluster->size;
    uint64_t centre[3], rest[3];
    double shift[3];
    for (unsigned axis = 0; axis < 3; axis++) {
        centre[axis] = (sum_of(words, axis) + size / 2) / size;
        rest[axis] = sum_of(words, axis) - size * centre[axis];
        shift[axis] = (double)(int64_t)rest[axis] / (double)size;
        cluster->centroid[axis] = (double)centre[axis] + shift[axis];
    }
    for (unsigned k = 0; k < 6; k++) {
        const unsigned a = pairs[k][0], b = pairs[k][1];
        const uint64_t sum = sum_of(words, 3 + k) - centre[a] * rest[b] - centre[b] * rest[a] -
                             size * centre[a] * centre[b];
        const double reach = (double)size * ((double)cluster->last[a] - cluster->first[a]) *
                             ((double)cluster->last[b] - cluster->first[b]);
        cluster->moments[k] = reach < 0x1p65
                                  ? (double)(int64_t)sum / (double)size - shift[a] * shift[b]
                                  : NAN;
    }
}

static void set_cluster(const clup_labelling *labelling, const scale *scale, const uint32_t *words,
                        clup_cluster *cluster)
{
    const clup_label_problem *problem = &labelling->problem;
    *cluster = (clup_cluster){.size = words[CLUSTER_SIZE]};
    for (unsigned axis = 0; axis < axes_of(labelling); axis++) {
        cluster->first[axis] = ~words[CLUSTER_FIRST + axis];
        cluster->last[axis] = words[CLUSTER_LAST + axis];
        if (!problem->periodic[axis] && cluster->first[axis] == 0 &&
            cluster->last[axis] == problem->size[axis] - 1)
            cluster->spans |= 1u << axis;
    }
    set_moments(cluster, words);
    for (unsigned c = 0; c < problem->channels; c++) {
        const uint64_t sum = sum_of(words, 9 + c);
        const bool odd = words[CLUSTER_ODD(problem->channels)] >> c & 1;
        const double whole = clup_dtypes[problem->dtype].is_unsigned ? (double)sum
                                                                     : (double)(int64_t)sum;
        cluster->value[c] = odd || scale->none
                                ? NAN
                                : ldexp(whole / (double)cluster->size, scale->units[c]);
    }
}

/* ---- sums ------------------------------------------------------------------------------------ */

static clup_status find_scale(clup_labelling *labelling, cl_mem pixels, cl_mem numbers,
                              scale *scale)
{
    uint32_t largest[4] = {0};
    const cl_ulong sites = sites_of(labelling);
    const uint64_t groups = (sites - 1) / (64 * clup_site_items(labelling->context)) + 1;
    clup_status status = CLUP_OK;
    *scale = (struct scale){.room = 63};
    for (; sites >> (63 - scale->room) > 0; scale->room--)
        ;
    const clup_dtype_row *dtype = &clup_dtypes[labelling->problem.dtype];
    scale->none = pixels == NULL;
    if (scale->none || *dtype->defined == '\0')
        return CLUP_OK;
    CLUP_TRY(clup_buffer_create(labelling->context, sizeof largest, "the largest values",
                                &scale->largest));
    CLUP_TRY(clup_pass_launch_groups(
        &labelling->measure, LARGEST, groups, clup_site_items(labelling->context),
        CLUP_WITH(CLUP_ARG(sites), CLUP_ARG(numbers), CLUP_ARG(pixels), CLUP_ARG(scale->largest))));
    CLUP_TRY(clup_buffer_read(labelling->context, scale->largest, 0, sizeof largest, largest));
    for (unsigned c = 0; c < 4; c++)
        scale->units[c] = value_unit(largest[c], scale->room, dtype->is_float);
done:
    return status;
}

/* The clusters from + 1 to from + count. */
static clup_status sum_up(clup_labelling *labelling, cl_mem pixels, cl_mem numbers,
                          const scale *scale, cl_uint from, cl_uint count, uint64_t bytes)
{
    const lattice_args *lattice = &labelling->pixel_lattice;
    const uint64_t columns = (uint64_t)lattice->words * lattice->nz;
    cl_uint rows = 32;
    clup_status status = CLUP_OK;
    while (rows < REGION_ROWS_MAX && columns * ((lattice->ny - 1) / rows + 1) > REGIONS)
        rows *= 2;
    CLUP_TRY(clup_buffer_zero(labelling->context, CLUP_MEASURE, labelling->statistics, bytes));
    CLUP_TRY(clup_pass_launch_groups(
        &labelling->measure, MEASURE, columns * ((lattice->ny - 1) / rows + 1),
        clup_site_items(labelling->context),
        CLUP_WITH(CLUP_ARG(*lattice), CLUP_ARG(rows), CLUP_ARG(from), CLUP_ARG(count),
                  CLUP_ARG(numbers), CLUP_ARG(pixels), CLUP_ARG(scale->largest),
                  CLUP_ARG(scale->room), CLUP_ARG(labelling->statistics))));
done:
    return status;
}

/* How many clusters are measured in one go, for which the image is read once: all, where they take
 * a small part of the device's memory. */
static uint32_t at_once(const clup_labelling *labelling, uint32_t clusters)
{
    const uint64_t room = labelling->context->global_mem / 16 /
                          (CLUSTER_WORDS(labelling->problem.channels) * sizeof(uint32_t));
    const uint64_t most = clup_measure_most > 0 ? clup_measure_most : room > PIECE ? room : PIECE;
    return clusters < most ? clusters : (uint32_t)most;
}

static clup_status read_sums(clup_labelling *labelling, const scale *scale, uint32_t count,
                             uint32_t *sums, clup_cluster *out)
{
    const uint64_t words = CLUSTER_WORDS(labelling->problem.channels);
    clup_status status = CLUP_OK;
    for (uint32_t first = 0, some; first < count; first += some) {
        some = count - first < PIECE ? count - first : PIECE;
        CLUP_TRY(
            clup_cl_check(clEnqueueReadBuffer(labelling->context->queue, labelling->statistics,
                                              CL_TRUE, first * words * sizeof *sums,
                                              some * words * sizeof *sums, sums, 0, NULL, NULL),
                          "clEnqueueReadBuffer"));
        for (uint32_t k = 0; k < some; k++)
            set_cluster(labelling, scale, sums + k * words, &out[first + k]);
    }
done:
    return status;
}

static clup_status measure_sums(clup_labelling *labelling, cl_mem pixels, cl_mem numbers,
                                uint32_t clusters, clup_cluster *out)
{
    const uint64_t bytes = CLUSTER_WORDS(labelling->problem.channels) * sizeof(uint32_t);
    const uint32_t most = at_once(labelling, clusters);
    uint32_t *sums = malloc((most < PIECE ? most : PIECE) * bytes);
    scale scale = {0};
    clup_status status = sums != NULL ? CLUP_OK : clup_fail_memory("the statistics of clusters");
    CLUP_TRY(status);
    CLUP_TRY(reserve(labelling, most * bytes));
    CLUP_TRY(find_scale(labelling, pixels, numbers, &scale));
    for (uint32_t from = 0, count; from < clusters; from += count) {
        count = clusters - from < most ? clusters - from : most;
        CLUP_TRY(sum_up(labelling, pixels, numbers, &scale, from, count, count * bytes));
        CLUP_TRY(read_sums(labelling, &scale, count, sums, out + from));
    }
done:
    clup_buffer_free(labelling->context, scale.largest);
    free(sums);
    return status;
}

/* ---- what wraps ------------------------------------------------------------------------------ */

/* By the bonds along d that leave an axis, from the triples of action_measure_wraps. */
static void add_bonds(const lattice_args *lattice, unsigned axis, unsigned d,
                      const uint32_t *joined, clup_wraps *wraps, uint32_t clusters,
                      clup_cluster *out)
{
    for (uint32_t k = 0; k < layer_sites(*lattice, axis); k++, joined += 3) {
        if (joined[0] == NOWHERE || joined[2] > clusters)
            continue;
        clup_wraps_leaving(wraps, lattice, axis, d, k, joined);
        out[joined[2] - 1].wraps |= clup_wraps_of(wraps, joined[0]);
    }
}

/* The clusters that there are without bonds across boundaries; the state's bonds remain. */
static clup_status find_open(clup_labelling *labelling)
{
    lattice_args *lattice = &labelling->update.state.lattice;
    const uint32_t periodic = lattice->periodic;
    lattice->periodic = 0;
    clup_status status = clup_pass_run(&labelling->update.passes[CLUP_LOCAL]);
    if (status == CLUP_OK)
        status = clup_pass_run(&labelling->update.passes[CLUP_CONSOLIDATE]);
    lattice->periodic = periodic;
    return status;
}

static clup_status measure_wraps(clup_labelling *labelling, cl_mem numbers, uint32_t clusters,
                                 clup_cluster *out)
{
    const clup_state *state = &labelling->update.state;
    const lattice_args *lattice = &state->lattice;
    const size_t items = clup_word_items(labelling->context);
    uint64_t names = 0, most = 0;
    uint32_t *joined = NULL;
    clup_wraps *wraps = NULL;
    clup_status status = CLUP_OK;
    for (unsigned axis = 0; axis < 3; axis++)
        if (lattice->periodic >> axis & 1) {
            const uint64_t layer = layer_sites(*lattice, axis);
            names += 2 * layer;
            most = layer > most ? layer : most;
        }
    if (names == 0)
        return CLUP_OK;
    if ((joined = malloc(most * 3 * sizeof *joined)) == NULL)
        return clup_fail_memory("the bonds across boundaries");
    CLUP_TRY(reserve(labelling, most * 3 * sizeof *joined));
    CLUP_TRY(clup_wraps_create(&wraps));
    CLUP_TRY(clup_wraps_reset(
        wraps, names < clup_lattice_sites(lattice) ? names : clup_lattice_sites(lattice)));
    CLUP_TRY(find_open(labelling));
    for (cl_uint axis = 0; axis < 3; axis++)
        for (cl_uint d = 0; d < clup_lattice_of(lattice)->directions; d++) {
            if (!(lattice->periodic >> axis & 1) ||
                step_along(clup_lattice_of(lattice)->offsets[d], axis) == 0)
                continue;
            const uint64_t layer = layer_sites(*lattice, axis);
            CLUP_TRY(
                clup_pass_launch_groups(&labelling->measure, WRAPS, (layer - 1) / items + 1, items,
                                        CLUP_WITH(CLUP_ARG(axis), CLUP_ARG(d), CLUP_ARG(numbers),
                                                  CLUP_ARG(labelling->statistics))));
            CLUP_TRY(clup_buffer_read(state->context, labelling->statistics, 0,
                                      layer * 3 * sizeof *joined, joined));
            add_bonds(lattice, axis, d, joined, wraps, clusters, out);
        }
done:
    clup_wraps_free(wraps);
    free(joined);
    return status;
}

/* ---- both ------------------------------------------------------------------------------------ */

const clup_row *clup_labelling_measuring(const clup_labelling *labelling)
{
    const clup_pass *passes = labelling->update.passes;
    return clup_measure_row(
        CLUP_IMAGE, labelling->update.state.layout, labelling->pixel_lattice.periodic != 0,
        clup_row_stores(passes[CLUP_SOURCE].row) | clup_row_stores(passes[CLUP_LOCAL].row) |
            clup_row_stores(passes[CLUP_CONSOLIDATE].row));
}

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
    if (labelling->measure.row == NULL)
        CLUP_TRY(clup_pass_create(clup_labelling_measuring(labelling), &labelling->update.state,
                                  labelling->plan.tile, &labelling->measure));
    CLUP_TRY(measure_sums(labelling, pixels, numbers, clusters, out));
    CLUP_TRY(measure_wraps(labelling, numbers, clusters, out));
done:
    clup_timer_collect(&labelling->context->timer);
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
