/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets clusters grow on a device, many samples at a time. */
#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "base/watch.h"
#include "core/prepared.h"
#include "graph/growing.h"

/* Work-items of a group of graph_grow, at most. */
#define GROW_ITEMS 32u
/* Entries of a bucket, about. */
#define BUCKET_ENTRIES 8u
/* Steps of a launch, which should not take longer than 0.1 s. */
#define LAUNCH_STEPS ((uint64_t)1 << 14)
/* Vertices of a work-item of graph_grow_begin, which may be fewer. */
#define BEGIN_EACH 64u
/* Parts in which an order is made, as a power of two, at most. */
#define PART_BITS_MOST 4u
/* Samples that keep a compute unit busy, and steps of all samples that are worth a launch. */
#define UNIT_SAMPLES 32u
#define BATCH_STEPS ((uint64_t)1 << 23)

uint64_t clup_growing_room = UINT64_MAX;

/* clang-format off */
#define KERNELS(KERNEL) \
    KERNEL(ORDER_COUNT, "graph_order.cl", "graph_order_count") \
    KERNEL(ORDER_START, "graph_order.cl", "graph_order_start") \
    KERNEL(ORDER_PLACE, "graph_order.cl", "graph_order_place") \
    KERNEL(ORDER_SORT, "graph_order.cl", "graph_order_sort") \
    KERNEL(GROW_BEGIN, "graph_grow.cl", "graph_grow_begin") \
    KERNEL(GROW, "graph_grow.cl", "graph_grow")
/* clang-format on */
#define NAME(NAME, FILE, ENTRY) NAME,
enum { KERNELS(NAME) KERNEL_COUNT };
#undef NAME

struct clup_growing {
    clup_context *context;
    const clup_network *network;
    random_key key;
    clup_kernel kernels[KERNEL_COUNT];
    size_t items, grow_items;
    uint32_t sets;
    growth_args args; /* of all sets, part 0 */
    cl_mem present, edges, crossings, rows, ends;
    cl_mem counters, order, crowded, parents, windings, states, changes;
    growth_change *read; /* [steps + 1] */
};

uint32_t clup_growing_set_samples(const clup_growing *growth)
{
    return growth->args.set_samples;
}

uint32_t clup_growing_sets(const clup_growing *growth)
{
    return growth->sets;
}

/* Returns the room for entries of one part: as many as there are on the average, and ten standard
 * deviations more. */
static uint64_t entries_of(uint64_t steps, unsigned part_bits)
{
    const uint64_t mean = steps >> part_bits;
    uint64_t root = 1;
    while (root * root < mean)
        root++;
    const uint64_t room = part_bits > 0 ? mean + 10 * root + 64 : steps;
    return room < steps ? room : steps > 0 ? steps : 1;
}

/* Returns the bits of the number of a bucket, of an order with so many entries. */
static uint32_t bucket_bits_of(uint64_t entries)
{
    uint32_t bits = 0;
    while (bits < 24 && entries >> bits > BUCKET_ENTRIES)
        bits++;
    return bits;
}

/* Bytes of a sample: of the largest buffer, and of all. */
static uint64_t sample_bytes(const clup_network *network, unsigned part_bits, uint64_t *largest)
{
    const uint64_t entries = entries_of(network->steps, part_bits),
                   order = entries * sizeof(cl_ulong),
                   counters = (((uint64_t)1 << bucket_bits_of(entries)) + 1) * sizeof(cl_uint),
                   parents = network->vertices * sizeof(cl_uint),
                   windings = network->axes > 0 ? network->vertices * sizeof(cl_long) : 0;
    *largest = order > windings ? order : windings;
    *largest = *largest > parents ? *largest : parents;
    return order + counters + parents + windings + sizeof(growth_state);
}

/* Returns a divisor of samples that is at most limit: samples halved as often as possible, or 1. */
static uint64_t divided(uint64_t samples, uint64_t limit)
{
    while (samples > limit && samples > 1)
        samples = samples % 2 == 0 ? samples / 2 : 1;
    return samples;
}

/* Chooses how many sets and samples are on the device at a time, in half of its memory at most, and
 * in how many parts their orders are made: as few as let it be busy. */
static void choose(clup_growing *growth, uint64_t set_samples, uint64_t sets)
{
    const clup_context *context = growth->context;
    const clup_network *network = growth->network;
    const uint64_t units = context->device.info.compute_units, steps = network->steps + 1,
                   few = units * (context->machine.threads ? 1 : UNIT_SAMPLES),
                   worth = BATCH_STEPS / steps,
                   fits = INT32_MAX / (network->sites > 0 ? network->sites : 1);
    uint64_t wanted = worth > few ? worth : few, samples;
    const uint64_t all_samples = set_samples * sets, set_bytes = steps * sizeof(growth_change),
                   part = context->global_mem / 2,
                   half = part < clup_growing_room ? part : clup_growing_room;
    growth_args *args = &growth->args;
    wanted = wanted < CLUP_REPLICAS_MAX ? wanted : CLUP_REPLICAS_MAX;
    set_samples = divided(set_samples, fits < SET_MOST ? fits : SET_MOST);
    wanted = wanted < all_samples ? wanted : all_samples;
    for (args->part_bits = 0;; args->part_bits++) {
        /* whole sets, or one with fewer samples */
        uint64_t largest;
        const uint64_t bytes = sample_bytes(network, args->part_bits, &largest),
                       most = context->max_alloc / (largest > 0 ? largest : 1),
                       all = half / (bytes * set_samples + set_bytes),
                       one = half > set_bytes ? (half - set_bytes) / bytes : 0;
        samples = all > 0 ? all * set_samples : one;
        samples = samples < most ? samples : most;
        samples = samples < wanted ? samples : wanted;
        args->set_samples = (uint32_t)divided(set_samples, samples);
        sets = samples / args->set_samples;
        const uint64_t fit = half / (bytes * args->set_samples + set_bytes),
                       allocated = context->max_alloc / set_bytes;
        sets = sets < fit ? sets : fit;
        sets = sets < allocated ? sets : allocated;
        if ((sets + 1) * args->set_samples > wanted || args->part_bits == PART_BITS_MOST)
            break;
    }
    growth->sets = sets > 0 ? (uint32_t)sets : 1;
    args->samples = growth->sets * args->set_samples;
    args->entries = entries_of(network->steps, args->part_bits);
    args->bucket_bits = bucket_bits_of(args->entries);
    args->lanes = (uint32_t)((args->samples - 1) / (units * UNIT_SAMPLES) + 1);
    if (context->machine.threads || args->lanes > growth->grow_items)
        args->lanes = context->machine.threads ? 1 : (uint32_t)growth->grow_items;
}

static clup_status build(clup_growing *growth)
{
    static const char *const files[][2] = {
#define FILE_OF(NAME, FILE, ENTRY) {FILE, ENTRY},
        KERNELS(FILE_OF)
#undef FILE_OF
    };
    char definitions[128], axes[24] = "";
    clup_status status = CLUP_OK;
    if (growth->network->axes > 0)
        snprintf(axes, sizeof axes, " AXES=%u", growth->network->axes);
    snprintf(definitions, sizeof definitions, "SITE_ITEMS=%zuu GROW_ITEMS=%zuu%s%s%s",
             growth->items, growth->grow_items, axes, growth->network->open ? " OPEN" : "",
             growth->network->of_sites ? " SITES" : "");
    for (unsigned k = 0; k < KERNEL_COUNT; k++) {
        CLUP_TRY(clup_kernel_create(growth->context, files[k][0], files[k][1], definitions,
                                    &growth->kernels[k]));
        growth->kernels[k].replicas = growth->args.samples;
    }
    growth->kernels[GROW].replicas = 1;
done:
    return status;
}

/* Makes a buffer with what the host has; of one element where the host has nothing. */
static clup_status bring(clup_growing *growth, const void *from, uint64_t bytes, const char *what,
                         cl_mem *buffer)
{
    const bool some = from != NULL && bytes > 0;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_buffer_create(growth->context, some ? bytes : sizeof(cl_ulong), what, buffer));
    if (some)
        CLUP_TRY(clup_buffer_write(growth->context, *buffer, 0, bytes, from));
done:
    return status;
}

static clup_status create_buffers(clup_growing *growth)
{
    clup_context *context = growth->context;
    const clup_network *network = growth->network;
    const growth_args *args = &growth->args;
    const uint64_t indices = 32 * network->words * network->directions, samples = args->samples,
                   counters = ((uint64_t)1 << args->bucket_bits) + 1,
                   changes = growth->sets * (args->steps + 1) * sizeof(growth_change);
    clup_status status = CLUP_OK;
    CLUP_TRY(bring(growth, network->present, indices / 8, "bits of bonds", &growth->present));
    CLUP_TRY(bring(growth, network->edges, network->edge_count * sizeof *network->edges, "bonds",
                   &growth->edges));
    CLUP_TRY(bring(growth, network->crossings, network->edge_count * sizeof *network->crossings,
                   "crossings of bonds", &growth->crossings));
    CLUP_TRY(bring(growth, network->rows, (network->vertices + 1) * sizeof *network->rows,
                   "neighbours", &growth->rows));
    CLUP_TRY(bring(growth, network->ends, network->vertices * sizeof *network->ends,
                   "the ends of axes", &growth->ends));
    CLUP_TRY(clup_buffer_create(context, samples * counters * sizeof(cl_uint),
                                "counters of buckets", &growth->counters));
    CLUP_TRY(clup_buffer_create(context, samples * args->entries * sizeof(cl_ulong),
                                "the order of bonds", &growth->order));
    CLUP_TRY(clup_buffer_create_zero(context, sizeof(cl_uint), "a mark of crowded buckets",
                                     &growth->crowded));
    CLUP_TRY(clup_buffer_create(context, samples * network->vertices * sizeof(cl_uint),
                                "forests of clusters", &growth->parents));
    CLUP_TRY(clup_buffer_create(
        context, network->axes > 0 ? samples * network->vertices * sizeof(cl_long) : 8,
        "windings of clusters", &growth->windings));
    CLUP_TRY(clup_buffer_create(context, samples * sizeof(growth_state), "states of samples",
                                &growth->states));
    CLUP_TRY(clup_buffer_create(context, changes, "changes of clusters", &growth->changes));
    const cl_mem written[] = {growth->counters, growth->order,  growth->parents,
                              growth->windings, growth->states, growth->changes};
    for (unsigned k = 0; k < sizeof written / sizeof *written; k++)
        CLUP_TRY(clup_buffer_poison(context, written[k]));
    if ((growth->read = malloc((args->steps + 1) * sizeof *growth->read)) == NULL)
        CLUP_TRY(clup_fail_memory("changes of clusters"));
done:
    return status;
}

clup_status clup_growing_create(clup_context *context, const clup_network *network, random_key key,
                                uint64_t set_samples, uint64_t sets, clup_growing **out)
{
    clup_growing *growth = calloc(1, sizeof *growth);
    clup_status status = CLUP_OK;
    if (growth == NULL)
        return clup_fail_memory("the samples");
    growth->context = context;
    growth->network = network;
    growth->key = key;
    growth->items = clup_site_items(context);
    growth->grow_items = clup_largest_power(GROW_ITEMS, clup_group_limit(context));
    choose(growth, set_samples, sets);
    growth->args.vertices = network->vertices;
    growth->args.words = network->words;
    growth->args.steps = network->steps;
    growth->args.nx = network->nx;
    growth->args.row_words = network->row_words;
    growth->args.purpose = clup_network_purpose(network);
    CLUP_TRY(build(growth));
    CLUP_TRY(create_buffers(growth));
done:
    if (status == CLUP_OK)
        *out = growth;
    else
        clup_growing_free(growth);
    return status;
}

void clup_growing_free(clup_growing *growth)
{
    if (growth == NULL)
        return;
    const cl_mem buffers[] = {growth->present,  growth->edges,   growth->crossings,
                              growth->rows,     growth->ends,    growth->counters,
                              growth->order,    growth->crowded, growth->parents,
                              growth->windings, growth->states,  growth->changes};
    for (unsigned k = 0; k < sizeof buffers / sizeof *buffers; k++)
        clup_buffer_free(growth->context, buffers[k]);
    for (unsigned k = 0; k < KERNEL_COUNT; k++)
        clup_kernel_free(&growth->kernels[k]);
    free(growth->read);
    free(growth);
}

/* Launches a kernel for so many work-items in the first dimension, in groups of so many. */
static clup_status launch(clup_growing *growth, unsigned which, uint64_t work_items, size_t items,
                          const clup_arg *args, size_t count)
{
    return clup_kernel_launch(growth->context, &growth->kernels[which],
                              which == GROW ? CLUP_CONSOLIDATE : CLUP_SOURCE,
                              (work_items + items - 1) / items, items, args, count);
}
#define LAUNCH(WHICH, WORK_ITEMS, ITEMS, ...) \
    launch(growth, WHICH, WORK_ITEMS, ITEMS, (const clup_arg[]){__VA_ARGS__}, \
           sizeof(const clup_arg[]){__VA_ARGS__} / sizeof(clup_arg))

/* Makes the orders of one part, and does its steps. */
static clup_status run_part(clup_growing *growth, growth_args args, random_key key)
{
    const cl_ulong words = growth->network->words * growth->network->directions,
                   buckets = (uint64_t)1 << args.bucket_bits;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_buffer_zero(growth->context, CLUP_SOURCE, growth->counters,
                              args.samples * (buckets + 1) * sizeof(cl_uint)));
    CLUP_TRY(LAUNCH(ORDER_COUNT, words, growth->items, CLUP_ARG(args), CLUP_ARG(words),
                    CLUP_ARG(key), CLUP_ARG(growth->present), CLUP_ARG(growth->counters)));
    CLUP_TRY(LAUNCH(ORDER_START, 1, growth->items, CLUP_ARG(args), CLUP_ARG(growth->counters)));
    CLUP_TRY(LAUNCH(ORDER_PLACE, words, growth->items, CLUP_ARG(args), CLUP_ARG(words),
                    CLUP_ARG(key), CLUP_ARG(growth->present), CLUP_ARG(growth->counters),
                    CLUP_ARG(growth->order), CLUP_ARG(growth->crowded)));
    CLUP_TRY(LAUNCH(ORDER_SORT, buckets, growth->items, CLUP_ARG(args), CLUP_ARG(growth->counters),
                    CLUP_ARG(growth->order)));
    for (cl_ulong first = 0, count = LAUNCH_STEPS; first < args.entries; first += count)
        CLUP_TRY(LAUNCH(
            GROW, (args.samples + (uint64_t)args.lanes - 1) / args.lanes * growth->grow_items,
            growth->grow_items, CLUP_ARG(args), CLUP_ARG(first), CLUP_ARG(count),
            CLUP_ARG(growth->counters), CLUP_ARG(growth->order), CLUP_ARG(growth->edges),
            CLUP_ARG(growth->crossings), CLUP_ARG(growth->rows), CLUP_ARG(growth->ends),
            CLUP_ARG(growth->parents), CLUP_ARG(growth->windings), CLUP_ARG(growth->states),
            CLUP_ARG(growth->changes)));
done:
    return status;
}

clup_status clup_growing_run(clup_growing *growth, uint64_t first, uint32_t samples)
{
    const growth_state begin = clup_growing_begin(growth->network);
    const random_key key = later_key(growth->key, first);
    growth_args args = growth->args;
    cl_uint crowded;
    clup_status status = CLUP_OK;
    args.samples = samples;
    for (unsigned k = 0; k < GROW; k++)
        growth->kernels[k].replicas = samples;
    CLUP_TRY(clup_buffer_zero(growth->context, CLUP_SOURCE, growth->changes,
                              growth->sets * (args.steps + 1) * sizeof(growth_change)));
    CLUP_TRY(LAUNCH(GROW_BEGIN, args.vertices / BEGIN_EACH + 1, growth->items, CLUP_ARG(args),
                    CLUP_ARG(begin), CLUP_ARG(growth->ends), CLUP_ARG(growth->parents),
                    CLUP_ARG(growth->windings), CLUP_ARG(growth->states)));
    for (args.part = 0; args.part >> args.part_bits == 0; args.part++)
        CLUP_TRY(run_part(growth, args, key));
    CLUP_TRY(clup_buffer_read(growth->context, growth->crowded, 0, sizeof crowded, &crowded));
    if (crowded)
        CLUP_TRY(clup_fail(CLUP_ERROR_RUNTIME, "more random numbers of a sample are alike than "
                                               "there is room for"));
done:
    return status;
}

static uint64_t of_digits(const u32 digits[DIGITS])
{
    uint64_t value = 0;
    for (unsigned k = 0; k < DIGITS; k++)
        value += (uint64_t)digits[k] << DIGIT_BITS * k;
    return value;
}

clup_status clup_growing_read(clup_growing *growth, uint32_t set, uint32_t samples,
                              clup_change *changes, uint32_t *wrapped)
{
    const uint64_t steps = growth->args.steps + 1;
    const unsigned axes = growth->network->axes;
    growth_state *states = malloc(((uint64_t)samples + 1) * sizeof *states);
    clup_status status = CLUP_OK;
    if (states == NULL)
        return clup_fail_memory("states of samples");
    CLUP_TRY(clup_buffer_read(growth->context, growth->changes, set * steps * sizeof *growth->read,
                              steps * sizeof *growth->read, growth->read));
    CLUP_TRY(clup_buffer_read(growth->context, growth->states,
                              (uint64_t)set * growth->args.set_samples * sizeof *states,
                              samples * sizeof *states, states));
    for (uint64_t k = 1; k < steps; k++) {
        const growth_change *change = &growth->read[k];
        /* of up to SET_MOST samples, a number with a sign */
        changes[k].clusters += (uint64_t)(int32_t)change->clusters;
        changes[k].largest += change->largest;
        changes[k].squares += of_digits(change->squares);
        changes[k].largest_square += of_digits(change->largest_square);
    }
    for (uint64_t k = 0; k < samples; k++)
        for (unsigned axis = 0; axis < axes; axis++)
            wrapped[k * axes + axis] = states[k].wrapped[axis];
done:
    free(states);
    return status;
}
