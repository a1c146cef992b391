/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of kernels for interfaces between subdomains, and how their variants are launched. */
#include "family/interface.h"

#include <stdlib.h>

#include "border/border.clh"
#include "family/border.h"
#include "family/sites.h"
#include "core/interface_entries.clh"

/* Prepared stages of clup_interface, their kernels and scratch buffers: of the subdomain's own
 * clusters, */
enum { TAKE, GIVE };
enum { WORDS, ROOTS, SITES };
/* of unions of groups of subdomains, */
enum { MERGE, RELAX };
enum { JOIN, STAND, FOLLOW };
enum { ALL, FOREST, NEXT, AT };
/* of labels that go to neighbours, */
enum { RELAX_BEGIN, FIND, SPREAD };
enum { THEIRS, LEAST, CHANGED };
/* of ties to the field, */
enum { TIE };
enum { DECISIONS_LEFT };
/* of sizes, where the last kernel is used when sizes are counted in labels, and of their sums. */
enum { SIZES, COUNT, SIZES_BEGIN };
enum { OWN };
enum { ADD, ADDED };
enum { ALL_SIZES, TOTALS, NEXT_SIZES };

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Return the entries of a subdomain, in one replica, and in all replicas. */
static uint64_t entries_of(const clup_state *state)
{
    const clup_lattice *of = clup_lattice_of(&state->lattice);
    return 2ull * state->lattice.nx * (of->axes > 2 ? state->lattice.ny : 1);
}

static uint64_t all_entries(const clup_state *state)
{
    return state->replicas * entries_of(state);
}

static size_t word_bytes(const clup_state *state)
{
    return state->subdomain.wide ? sizeof(cl_ulong) : sizeof(cl_uint);
}

clup_status clup_interface_check(const clup_state *state)
{
    unsigned tile[3];
    clup_border_tile(&state->lattice, tile);
    const uint64_t entries = entries_of(state),
                   forest = clup_layout_of_sites(state->layout) ||
                                    clup_layout_of_vectors(state->layout)
                                ? 2 * clup_lattice_sites(&state->lattice)
                                : BORDER_NODES_OF(clup_lattice_of(&state->lattice)->axes) *
                                      clup_lattice_tiles(&state->lattice, tile);
    if (forest + entries > UINT32_MAX || (state->subdomain.count + 1) * entries > UINT32_MAX)
        return clup_fail(CLUP_ERROR_USAGE,
                         "a part of %llu sites, %llu in a layer, is too large for %s bonds",
                         (unsigned long long)clup_lattice_sites(&state->lattice),
                         (unsigned long long)entries / 2, state->layout->name);
    return CLUP_OK;
}

/* Returns the bytes of scratch buffer which: each[which] for each entry, times the number of
 * entries. */
static uint64_t scratch_of(const clup_prepared *prepared, unsigned which, const uint64_t *each)
{
    return each[which] * all_entries(prepared->state);
}

static uint64_t ends_scratch(const clup_prepared *prepared, unsigned which)
{
    const uint64_t each[CLUP_PREPARED_SCRATCH] = {[WORDS] = word_bytes(prepared->state),
                                                  [ROOTS] = sizeof(cl_uint),
                                                  [SITES] = sizeof(cl_ulong)};
    return scratch_of(prepared, which, each);
}

static uint64_t merge_scratch(const clup_prepared *prepared, unsigned which)
{
    const clup_state *state = prepared->state;
    const bool several = state->merging.all > state->merging.groups;
    const uint64_t each[CLUP_PREPARED_SCRATCH] = {[ALL] = state->merging.all * word_bytes(state),
                                                  [FOREST] = state->merging.all * sizeof(cl_uint),
                                                  [NEXT] = several ? word_bytes(state) : 0,
                                                  [AT] = sizeof(cl_uint)};
    return scratch_of(prepared, which, each);
}

static uint64_t relax_scratch(const clup_prepared *prepared, unsigned which)
{
    const uint64_t each[CLUP_PREPARED_SCRATCH] = {
        [THEIRS] = sizeof(cl_ulong), [LEAST] = sizeof(cl_uint)};
    return which == CHANGED ? sizeof(cl_uint) : scratch_of(prepared, which, each);
}

static uint64_t ties_scratch(const clup_prepared *prepared, unsigned which)
{
    return which == DECISIONS_LEFT ? clup_flip_scratch(prepared, 0) : 0;
}

static uint64_t sizes_scratch(const clup_prepared *prepared, unsigned which)
{
    return which == OWN ? sizeof(cl_ulong) * all_entries(prepared->state) : 0;
}

static uint64_t merge_sizes_scratch(const clup_prepared *prepared, unsigned which)
{
    const clup_state *state = prepared->state;
    const uint64_t each[CLUP_PREPARED_SCRATCH] = {
        [ALL_SIZES] = state->merging.groups * sizeof(cl_ulong),
        [TOTALS] = state->merging.groups * sizeof(cl_ulong),
        [NEXT_SIZES] = sizeof(cl_ulong)};
    return scratch_of(prepared, which, each);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* clang-format off */
#define INTERFACE_ROW(NAME, MODELS, ABOUT, STAGE, SCRATCH, ...) \
    {.name = #NAME, .models = MODELS, .about = ABOUT, .stage = STAGE, .replicas = true, \
     .scratch = SCRATCH, .buffers = "the interfaces of subdomains", __VA_ARGS__},
#define INTERFACE_MODELS (CLUP_ON_SPINS | CLUP_ON_VECTORS | CLUP_ON_PERCOLATION)
/* clang-format on */

static const clup_variant rows[] = {
#define INTERFACE_TIES(...)
#define INTERFACE_SIZES(...)
#define INTERFACE_UNION(...)
#define INTERFACE(NAME, ABOUT, ...) \
    INTERFACE_ROW(NAME, INTERFACE_MODELS, ABOUT, CLUP_CONSOLIDATE, ends_scratch, __VA_ARGS__)
#include "family/interface.def"
};

static const clup_variant ties_rows[] = {
#define INTERFACE(...)
#define INTERFACE_SIZES(...)
#define INTERFACE_UNION(...)
#define INTERFACE_TIES(NAME, MODELS, ABOUT, ...) \
    INTERFACE_ROW(NAME, MODELS, ABOUT, CLUP_CONSOLIDATE, ties_scratch, __VA_ARGS__)
#include "family/interface.def"
};

static const clup_variant sizes_rows[] = {
#define INTERFACE(...)
#define INTERFACE_TIES(...)
#define INTERFACE_UNION(...)
#define INTERFACE_SIZES(NAME, MODELS, ABOUT, ...) \
    INTERFACE_ROW(NAME, MODELS, ABOUT, CLUP_MEASURE, sizes_scratch, __VA_ARGS__)
#include "family/interface.def"
};

static const clup_variant joined_rows[] = {
#define INTERFACE(...)
#define INTERFACE_TIES(...)
#define INTERFACE_SIZES(...)
#define INTERFACE_UNION(NAME, STAGE, ABOUT, ...) \
    INTERFACE_ROW(NAME, INTERFACE_MODELS, ABOUT, STAGE, NAME##_scratch, __VA_ARGS__)
#include "family/interface.def"
};
const clup_table clup_interface_joined = {joined_rows, sizeof joined_rows / sizeof *joined_rows};

static const clup_variant *suiting(const clup_variant *table, size_t count, clup_model model,
                                   const clup_layout *layout)
{
    for (size_t k = 0; k < count; k++)
        if (clup_variant_is_for(&table[k], model) && clup_variant_suits(&table[k], layout))
            return &table[k];
    return NULL;
}

const clup_variant *clup_interface_variant(clup_model model, const clup_layout *layout)
{
    return suiting(rows, sizeof rows / sizeof *rows, model, layout);
}

const clup_variant *clup_interface_ties_variant(clup_model model, const clup_layout *layout)
{
    return suiting(ties_rows, sizeof ties_rows / sizeof *ties_rows, model, layout);
}

const clup_variant *clup_interface_sizes_variant(clup_model model, const clup_layout *layout)
{
    return suiting(sizes_rows, sizeof sizes_rows / sizeof *sizes_rows, model, layout);
}

static const clup_variant *joined(const char *name)
{
    return clup_table_find(&clup_interface_joined, name);
}

/* ---- creating and clearing ------------------------------------------------------------------- */

/* Frees the memory, once all transfers from and to it have ended. */
static void free_room(clup_context *context, clup_interface_room *room)
{
    if (room->bytes != NULL)
        clFinish(context->queue);
    if (room->read != NULL)
        clReleaseEvent(room->read);
    const bool pinned = room->pinned.bytes != NULL;
    clup_pinned_free(context, &room->pinned);
    if (room->shared != NULL)
        room->shared->give_back(room->shared, room->bytes);
    else if (!pinned)
        free(room->bytes);
    *room = (clup_interface_room){0};
}

static clup_status make_room(clup_interface *interface, uint64_t bytes, clup_interface_room *room)
{
    clup_context *context = interface->state->context;
    clup_pinned_create(context, bytes, NULL, &room->pinned);
    room->bytes = room->pinned.bytes != NULL ? room->pinned.bytes : malloc(bytes);
    return room->bytes != NULL ? CLUP_OK : clup_fail_memory("the interfaces of subdomains");
}

/* Returns the most union rounds of any process; process 0 has that many. */
static unsigned most_merges(const clup_interface *interface)
{
    clup_merge merges[CLUP_MERGES_MOST];
    return clup_union_method_merges(interface->between, 0, interface->state->subdomain.count,
                                    merges);
}

/* Creates the memory for the entries of all groups, each bytes for an entry. */
static clup_status make_merge_room(clup_interface *interface, size_t each,
                                   clup_interface_room *room)
{
    clup_context *context = interface->state->context;
    const clup_ranks *ranks = context->ranks;
    const uint64_t bytes = each * all_entries(interface->state),
                   all = 2 * most_merges(interface) * ranks->count * bytes;
    if (room->bytes != NULL)
        return CLUP_OK;
    if (ranks->share != NULL && (room->bytes = ranks->share(ranks, all)) != NULL) {
        room->shared = ranks;
        clup_pinned_create(context, all, room->bytes, &room->pinned);
        return CLUP_OK;
    }
    return make_room(interface, interface->state->merging.groups * bytes, room);
}

/* Returns the place of a group's bytes in the memory of a union round. In a round of all
 * subdomains, the groups lie one after the other. */
static char *piece_of(const clup_interface *interface, const clup_interface_room *room,
                      const clup_merge *merge, uint32_t group, uint64_t bytes)
{
    const clup_ranks *ranks = interface->state->context->ranks;
    const uint32_t process = merge->middle == 0      ? group
                             : group == merge->place ? ranks->index
                                                     : merge->other;
    /* rounds are counted from the last one, which all processes have: some have fewer rounds */
    const uint64_t k = (uint64_t)(interface->merges + interface->merge_count - 1 - merge),
                   before = (k * 2 + room->turn) * ranks->count;
    return room->bytes + (room->shared != NULL ? before + process : group) * bytes;
}

/* Sets the union rounds of the method, and their sizes. */
static void set_merges(clup_interface *interface)
{
    clup_state *state = interface->state;
    interface->merge_count = clup_union_method_merges(interface->between, state->subdomain.index,
                                                      state->subdomain.count, interface->merges);
    state->merging.groups = state->merging.all = 0;
    for (unsigned k = 0; k < interface->merge_count; k++) {
        state->merging.groups = interface->merges[k].groups;
        state->merging.all += interface->merges[k].groups;
    }
}

clup_status clup_interface_create(clup_state *state, const unsigned tile[3], const char *between,
                                  clup_interface *interface)
{
    const clup_variant *variant = clup_interface_variant(state->model, state->layout);
    clup_status status = CLUP_OK;
    *interface = (clup_interface){.state = state};
    if (variant == NULL || state->method.algorithm != CLUP_SWENDSEN_WANG || state->rng->words > 0)
        return clup_fail(
            CLUP_ERROR_USAGE,
            "clusters of a lattice in parts are found by Swendsen-Wang with philox, not "
            "with %s bonds",
            state->layout->name);
    CLUP_TRY(clup_interface_check(state));
    CLUP_TRY(clup_union_method_named(between, &interface->between));
    set_merges(interface);
    CLUP_TRY(clup_prepared_create(variant, state, tile, &interface->ends));
    if (state->field)
        CLUP_TRY(clup_prepared_create(clup_interface_ties_variant(state->model, state->layout),
                                      state, tile, &interface->ties));
    if (interface->between->relax)
        CLUP_TRY(clup_prepared_create(joined("relax"), state, tile, &interface->joined[RELAX]));
    else
        CLUP_TRY(clup_prepared_create(joined("merge"), state, tile, &interface->joined[MERGE]));
    CLUP_TRY(
        interface->between->relax
            ? make_room(interface, 2 * sizeof(cl_ulong) * all_entries(state), &interface->labels)
            : make_merge_room(interface, word_bytes(state), &interface->words));
done:
    if (status != CLUP_OK)
        clup_interface_clear(interface);
    return status;
}

void clup_interface_clear(clup_interface *interface)
{
    clup_prepared *const passes[] = {&interface->ends,          &interface->joined[MERGE],
                                     &interface->joined[RELAX], &interface->ties,
                                     &interface->sizes,         &interface->added};
    if (interface->state == NULL)
        return;
    for (size_t k = 0; k < sizeof passes / sizeof *passes; k++)
        clup_prepared_clear(passes[k]);
    free_room(interface->state->context, &interface->words);
    free_room(interface->state->context, &interface->labels);
    free_room(interface->state->context, &interface->counts);
    *interface = (clup_interface){0};
}

clup_status clup_interface_need(clup_state *state, const unsigned tile[3], const char *between,
                                clup_need *need)
{
    clup_interface interface = {.state = state};
    const clup_status status = clup_union_method_named(between, &interface.between);
    if (status != CLUP_OK)
        return status;
    set_merges(&interface);
    clup_prepared_need(clup_interface_variant(state->model, state->layout), state, tile, need);
    if (state->field)
        clup_prepared_need(clup_interface_ties_variant(state->model, state->layout), state, tile,
                           need);
    clup_prepared_need(joined(interface.between->relax ? "relax" : "merge"), state, tile, need);
    return CLUP_OK;
}

/* ---- a sweep --------------------------------------------------------------------------------- */

/* Launches a kernel with count work-items for each replica. */
static clup_status launch(clup_prepared *prepared, unsigned kernel, uint64_t count,
                          const clup_arg *given)
{
    const size_t items = clup_word_items(prepared->state->context);
    return clup_prepared_launch_groups(prepared, kernel, (count - 1) / items + 1, items, given);
}

/* Begins a union round: starts to read own, the entries of this process's group, each bytes for an
 * entry, from the device to the host. If processes share memory, the first call waits until all
 * have it. receive() ends the round. */
static clup_status send(clup_interface *interface, const clup_merge *merge, cl_mem own, size_t each,
                        clup_interface_room *room)
{
    clup_context *context = interface->state->context;
    const uint64_t bytes = each * all_entries(interface->state);
    clup_status status = CLUP_OK;
    if (room->shared != NULL && !room->begun)
        CLUP_TRY(context->ranks->gather(context->ranks, room->bytes, 0, room->bytes));
    room->begun = true;
    if (merge == interface->merges)
        room->turn ^= 1;
    CLUP_TRY(clup_buffer_read_later(
        context, own, bytes, piece_of(interface, room, merge, merge->place, bytes), &room->read));
done:
    return status;
}

/* Ends a union round that send() began. Waits for the read, exchanges entries with the other
 * processes, and fills the device buffer all with the entries of all groups, in the order of
 * groups, from entry begun on. own is copied there on the device; the entries of other groups come
 * from the host. */
static clup_status receive(clup_interface *interface, const clup_merge *merge, cl_mem own,
                           size_t each, cl_mem all, uint64_t begun, clup_interface_room *room)
{
    clup_context *context = interface->state->context;
    const uint64_t bytes = each * all_entries(interface->state), begin = each * begun,
                   before = merge->place * bytes, after = (merge->groups - 1) * bytes - before;
    clup_status status = clup_buffer_copy(context, own, all, begin + before, bytes);
    CLUP_TRY(status);
    status = clup_event_wait(context, room->read, context->ahead_s);
    context->ahead_s = 0;
    clReleaseEvent(room->read);
    room->read = NULL;
    CLUP_TRY(status);
    CLUP_TRY(clup_union_method_gather(context->ranks, merge, room->bytes,
                                      room->shared != NULL ? 0 : bytes));
    interface->bytes += (merge->groups - 1) * bytes;
    interface->rounds++;
    if (before > 0)
        CLUP_TRY(clup_buffer_write_later(context, all, begin, before,
                                         piece_of(interface, room, merge, 0, bytes)));
    if (after > 0)
        CLUP_TRY(
            clup_buffer_write_later(context, all, begin + before + bytes, after,
                                    piece_of(interface, room, merge, merge->place + 1, bytes)));
done:
    return status;
}

/* Gives the clusters at the interfaces of the subdomain their decisions in the whole lattice. last
 * is the last union round, and begun is how many numbers come before its forest. NULL for last
 * means that relaxation has found the smallest site of each cluster. */
static clup_status give(clup_interface *interface, const clup_merge *last, cl_ulong begun)
{
    const clup_prepared *merged = &interface->joined[MERGE];
    const cl_uint groups = last != NULL ? last->groups : 0, place = last != NULL ? last->place : 0;
    const cl_mem none = interface->ends.scratch[ROOTS],
                 all = last != NULL ? merged->scratch[ALL] : none,
                 forest = last != NULL ? merged->scratch[FOREST] : none,
                 at = last != NULL ? merged->scratch[AT] : none;
    return launch(&interface->ends, GIVE, entries_of(interface->state),
                  CLUP_WITH(CLUP_ARG(groups), CLUP_ARG(begun), CLUP_ARG(place), CLUP_ARG(all),
                            CLUP_ARG(forest), CLUP_ARG(at)));
}

static clup_status merge_all(clup_interface *interface)
{
    const clup_state *state = interface->state;
    clup_prepared *prepared = &interface->joined[MERGE];
    const uint64_t entries = entries_of(state);
    const cl_mem words = interface->ends.scratch[WORDS], sites = interface->ends.scratch[SITES],
                 all = prepared->scratch[ALL];
    const clup_merge *merge = interface->merges, *const last = merge + interface->merge_count - 1;
    cl_mem own = words;
    cl_ulong begun = 0;
    clup_status status = CLUP_OK;
    CLUP_TRY(send(interface, merge, own, word_bytes(state), &interface->words));
    /* sizes of the last sweep, whose forest still exists, are added up while the words are on their
     * way */
    CLUP_TRY(clup_interface_end_sizes(interface));
    CLUP_TRY(clup_buffer_zero(state->context, CLUP_CONSOLIDATE, prepared->scratch[FOREST],
                              prepared->scratch_bytes[FOREST]));
    for (;; merge++) {
        const cl_uint groups = merge->groups, place = merge->place,
                      wraps = merge == last && state->subdomain.wraps;
        const clup_arg *given = CLUP_WITH(CLUP_ARG(groups), CLUP_ARG(begun), CLUP_ARG(wraps));
        CLUP_TRY(receive(interface, merge, own, word_bytes(state), all, begun, &interface->words));
        CLUP_TRY(launch(prepared, JOIN, groups * entries / 2, given));
        if (merge == last)
            break;
        CLUP_TRY(launch(prepared, STAND, entries, given));
        own = prepared->scratch[NEXT];
        CLUP_TRY(send(interface, merge + 1, own, word_bytes(state), &interface->words));
        CLUP_TRY(launch(prepared, FOLLOW, entries,
                        CLUP_WITH(CLUP_ARG(groups), CLUP_ARG(begun), CLUP_ARG(place),
                                  CLUP_ARG(words), CLUP_ARG(sites))));
        begun += groups * all_entries(state);
    }
    CLUP_TRY(give(interface, last, begun));
done:
    return status;
}

/* Exchanges labels with both neighbours. Theirs follow mine; the labels of one layer are half of
 * each. */
static clup_status swap_labels(clup_interface *interface, char *mine, char *theirs, size_t half)
{
    const clup_ranks *ranks = interface->state->context->ranks;
    const clup_subdomain *part = &interface->state->subdomain;
    const uint32_t above = part->above ? (part->index + 1) % part->count : CLUP_NOBODY,
                   below = part->below ? (part->index + part->count - 1) % part->count
                                       : CLUP_NOBODY;
    clup_status status = CLUP_OK;
    CLUP_TRY(ranks->exchange(ranks, above, mine + half, below, theirs, half));
    CLUP_TRY(ranks->exchange(ranks, below, mine, above, theirs + half, half));
    interface->bytes += (part->above + part->below) * (uint64_t)half;
    interface->rounds++;
done:
    return status;
}

static cl_uint sides_of(const clup_state *state)
{
    return (state->subdomain.below ? 1u : 0) | (state->subdomain.above ? 2u : 0);
}

static clup_status relax_all(clup_interface *interface)
{
    const clup_state *state = interface->state;
    clup_context *context = state->context;
    clup_prepared *prepared = &interface->joined[RELAX];
    const uint64_t entries = entries_of(state), bytes = sizeof(cl_ulong) * all_entries(state);
    const cl_mem words = interface->ends.scratch[WORDS], sites = interface->ends.scratch[SITES];
    const cl_uint sides = sides_of(state);
    char *const mine = interface->labels.bytes, *const theirs = mine + bytes;
    uint64_t changed = 1;
    clup_status status = CLUP_OK;
    CLUP_TRY(launch(prepared, RELAX_BEGIN, entries, CLUP_WITH(CLUP_ARG(words), CLUP_ARG(sites))));
    while (changed > 0) {
        cl_uint here;
        CLUP_TRY(clup_buffer_read(context, sites, 0, bytes, mine));
        CLUP_TRY(swap_labels(interface, mine, theirs, bytes / 2));
        CLUP_TRY(clup_buffer_write(context, prepared->scratch[THEIRS], 0, bytes, theirs));
        CLUP_TRY(clup_buffer_zero(context, CLUP_CONSOLIDATE, prepared->scratch[LEAST],
                                  prepared->scratch_bytes[LEAST]));
        CLUP_TRY(
            clup_buffer_zero(context, CLUP_CONSOLIDATE, prepared->scratch[CHANGED], sizeof here));
        CLUP_TRY(launch(prepared, FIND, entries,
                        CLUP_WITH(CLUP_ARG(sides), CLUP_ARG(words), CLUP_ARG(sites))));
        CLUP_TRY(launch(prepared, SPREAD, entries, CLUP_WITH(CLUP_ARG(words), CLUP_ARG(sites))));
        CLUP_TRY(clup_buffer_read(context, prepared->scratch[CHANGED], 0, sizeof here, &here));
        changed = here;
        CLUP_TRY(context->ranks->sum(context->ranks, &changed, 1));
    }
    CLUP_TRY(give(interface, NULL, 0));
done:
    return status;
}

/* Finds which of the subdomain's clusters the field holds: clears their decisions. */
static clup_status tie(clup_interface *interface)
{
    clup_prepared *ties = &interface->ties;
    const clup_status status = clup_buffer_fill(interface->state->context, CLUP_CONSOLIDATE,
                                                ties->scratch[DECISIONS_LEFT],
                                                ties->scratch_bytes[DECISIONS_LEFT], 0xFF);
    return status == CLUP_OK ? clup_prepared_launch(ties, TIE, NULL) : status;
}

clup_status clup_interface_join(clup_interface *interface)
{
    const clup_state *state = interface->state;
    const uint64_t entries = entries_of(state);
    const cl_uint sides = sides_of(state);
    /* without a field the kernel does not read them */
    const cl_mem decisions = state->field ? interface->ties.scratch[DECISIONS_LEFT]
                                          : interface->ends.scratch[ROOTS];
    /* sizes are added up in the forest that unions leave */
    const bool relax = interface->between->relax && !state->counting;
    clup_status status = CLUP_OK;
    if (state->field)
        CLUP_TRY(tie(interface));
    CLUP_TRY(
        launch(&interface->ends, TAKE, entries, CLUP_WITH(CLUP_ARG(sides), CLUP_ARG(decisions))));
    CLUP_TRY((relax ? relax_all : merge_all)(interface));
done:
    return status;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

clup_status clup_interface_make_sizes(clup_interface *interface, const unsigned tile[3])
{
    clup_state *state = interface->state;
    clup_status status = CLUP_OK;
    if (interface->joined[MERGE].variant == NULL)
        CLUP_TRY(clup_prepared_create(joined("merge"), state, tile, &interface->joined[MERGE]));
    CLUP_TRY(make_merge_room(interface, word_bytes(state), &interface->words));
    if (interface->added.variant == NULL)
        CLUP_TRY(clup_prepared_create(joined("merge_sizes"), state, tile, &interface->added));
    if (interface->sizes.variant == NULL)
        CLUP_TRY(clup_prepared_create(clup_interface_sizes_variant(state->model, state->layout),
                                      state, tile, &interface->sizes));
    CLUP_TRY(make_merge_room(interface, sizeof(cl_ulong), &interface->counts));
done:
    return status;
}

clup_status clup_interface_begin_sizes(clup_interface *interface)
{
    return interface->sizes.kernels[SIZES_BEGIN].handle != NULL
               ? launch(&interface->sizes, SIZES_BEGIN, entries_of(interface->state),
                        CLUP_WITH(CLUP_ARG_AS(words, interface->ends.scratch[WORDS]),
                                  CLUP_ARG_AS(roots, interface->ends.scratch[ROOTS])))
               : CLUP_OK;
}

/* Returns the first number that a process counts, of the numbers of a forest, 0 to numbers - 1; the
 * share of member + 1 begins where this one ends. member is the place of the process among those of
 * the round. The first counting members have equal shares, the others have none. In a round of all
 * subdomains every member counts, because all have the same forest. In a round of two groups the
 * first member counts alone. If the groups united before, each member has a forest of its own: it
 * has the same clusters, but with other numbers, since any entry of a cluster may have come first
 * to stand for it. */
static cl_uint share_of(uint64_t numbers, uint32_t member, uint32_t counting)
{
    return (cl_uint)(numbers * (member < counting ? member : counting) / counting);
}

clup_status clup_interface_count(clup_interface *interface, cl_uint slot, cl_mem sums)
{
    clup_status status = CLUP_OK;
    CLUP_TRY(launch(&interface->sizes, SIZES, entries_of(interface->state),
                    CLUP_WITH(CLUP_ARG_AS(words, interface->ends.scratch[WORDS]),
                              CLUP_ARG_AS(roots, interface->ends.scratch[ROOTS]))));
    CLUP_TRY(send(interface, interface->merges, interface->sizes.scratch[OWN], sizeof(cl_ulong),
                  &interface->counts));
    interface->counting = true;
    interface->slot = slot;
    interface->sums = sums;
done:
    return status;
}

clup_status clup_interface_end_sizes(clup_interface *interface)
{
    const clup_state *state = interface->state;
    clup_prepared *prepared = &interface->added;
    const cl_mem words = interface->joined[MERGE].scratch[ALL],
                 forest = interface->joined[MERGE].scratch[FOREST];
    cl_mem own = interface->sizes.scratch[OWN];
    cl_ulong begun = 0;
    clup_status status = CLUP_OK;
    if (!interface->counting)
        return CLUP_OK;
    const uint64_t entries = entries_of(state);
    interface->counting = false;
    for (unsigned k = 0; k < interface->merge_count; k++) {
        const clup_merge *merge = &interface->merges[k];
        const bool is_last = k + 1 == interface->merge_count;
        const cl_uint groups = merge->groups;
        const uint64_t numbers = groups * entries;
        const uint32_t member = state->subdomain.index - merge->first,
                       counting = merge->middle > 0 ? 1 : merge->groups;
        const cl_uint first = share_of(numbers, member, counting),
                      last = share_of(numbers, member + 1, counting);
        const clup_arg *given = CLUP_WITH(CLUP_ARG(groups), CLUP_ARG(begun),
                                          CLUP_ARG_AS(all, words), CLUP_ARG(forest));
        if (k > 0)
            CLUP_TRY(send(interface, merge, own, sizeof(cl_ulong), &interface->counts));
        CLUP_TRY(receive(interface, merge, own, sizeof(cl_ulong), prepared->scratch[ALL_SIZES], 0,
                         &interface->counts));
        CLUP_TRY(clup_buffer_zero(state->context, CLUP_MEASURE, prepared->scratch[TOTALS],
                                  groups * sizeof(cl_ulong) * all_entries(state)));
        CLUP_TRY(launch(prepared, ADD, numbers, given));
        if (!is_last)
            CLUP_TRY(launch(prepared, ADDED, entries, given));
        own = prepared->scratch[NEXT_SIZES];
        CLUP_TRY(clup_prepared_launch(
            &interface->sizes, COUNT,
            CLUP_WITH(CLUP_ARG(groups), CLUP_ARG(begun), CLUP_ARG(first), CLUP_ARG(last),
                      CLUP_ARG(forest), CLUP_ARG_AS(totals, prepared->scratch[TOTALS]),
                      CLUP_ARG_AS(slot, interface->slot), CLUP_ARG_AS(sums, interface->sums))));
        begun += groups * all_entries(state);
    }
done:
    return status;
}
