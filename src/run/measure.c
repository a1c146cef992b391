/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures a sweep on the device: counts of spins, sizes of clusters, and a record of both. */
#include "run/measure.h"

#include <stdlib.h>
#include <string.h>

#include "family/measure.h"
#include "core/method.h"
#include "core/disorder.h"
#include "core/graph.h"
#include "core/matrix.h"
#include "core/vector.h"
#include "core/modes.clh"
#include "core/source.h"
#include "estimate/modes.h"

/* SIZES is present where sweeps that count clusters leave the sizes to the measurement. */
enum { SPINS, RECORD, CLUSTERS, SIZES };

/* Parts of records, each measured from the spins by a kernel variant of its own. */
static const uint32_t besides[CLUP_MEASURE_BESIDES] = {RECORD_MODES, RECORD_PAIRS, RECORD_STAGGERED,
                                                       RECORD_TWIST, RECORD_OVERLAP};

uint64_t clup_measure_bytes(const clup_state *state, uint32_t format)
{
    return clup_measure_slots(state, format) * state->replicas *
           clup_measure_record_bytes(state, format);
}

bool clup_measure_apart(uint32_t format)
{
    return (format & RECORD_APART) != 0;
}

static void free_records(clup_measure *measure)
{
    clup_context *context = measure->state->context;
    for (unsigned k = 0; k < CLUP_MEASURE_COMING; k++) {
        clup_pinned_free(context, &measure->coming[k].pinned);
        clup_buffer_free(context, measure->coming[k].records);
        measure->coming[k].records = NULL;
    }
    measure->records_bytes = 0;
}

/* Makes room for records of a format. */
static clup_status make_records(clup_measure *measure, uint32_t format)
{
    clup_context *context = measure->state->context;
    const uint64_t bytes = clup_measure_bytes(measure->state, format);
    clup_status status = CLUP_OK;
    if (bytes <= measure->records_bytes)
        return CLUP_OK;
    free_records(measure);
    for (unsigned k = 0; k < CLUP_MEASURE_COMING; k++) {
        CLUP_TRY(clup_buffer_create(context, bytes, "the records", &measure->coming[k].records));
        clup_pinned_create(context, bytes, NULL, &measure->coming[k].pinned);
    }
    measure->records_bytes = bytes;
done:
    return status;
}

/* Counts the present spins for a slot, and replaces earlier counts. */
static clup_status count_spins(clup_measure *measure, cl_uint slot)
{
    return clup_prepared_launch(&measure->pass, SPINS, CLUP_WITH(CLUP_ARG(slot)));
}

/* Makes the records of slots. */
static clup_status write_records(clup_measure *measure, cl_uint first, unsigned count)
{
    const clup_state *state = measure->state;
    const cl_uint groups = (cl_uint)clup_measure_groups(state);
    const cl_mem records = clup_measure_records(measure);
    return clup_prepared_launch_groups(
        &measure->pass, RECORD, count, clup_measure_items(state->context),
        CLUP_WITH(CLUP_ARG(groups), CLUP_ARG(first), CLUP_ARG_AS(format, state->measuring.format),
                  CLUP_ARG(records)));
}

clup_status clup_measure_create(clup_state *state, const clup_variant *local,
                                const unsigned tile[3], bool by_kernels, clup_measure *measure)
{
    clup_status status = CLUP_OK;
    measure->state = state;
    measure->by_kernels = by_kernels;
    memcpy(measure->tile, tile, sizeof measure->tile);
    CLUP_TRY(make_records(measure, clup_measure_all(state)));
    if (!by_kernels)
        return CLUP_OK;
    CLUP_TRY(
        clup_prepared_create(clup_measure_variant(state->model, state->layout, true, UINT32_MAX),
                             state, tile, &measure->pass));
    /* the next sweep counts the spins that it begins with, unless they change before it */
    if (local != NULL && local->counts_spins && state->q <= FEW_STATES && state->classes == 1 &&
        clup_before_sweep(&state->method) == NULL) {
        state->spins_counted.sums = measure->pass.scratch[CLUP_SPIN_SUMS];
        state->spins_counted.groups = (cl_uint)clup_measure_groups(state);
    }
    /* some platforms compile at the first launch: launch once before anything is timed */
    state->measuring.format = clup_measure_all(state) & ~RECORD_BESIDES;
    CLUP_TRY(clup_measure_sweep(measure, 0));
    CLUP_TRY(clup_measure_end(measure, 1));
    CLUP_TRY(clup_queue_wait(state->context, 0));
    clup_timer_collect(&state->context->timer);
done:
    return status;
}

void clup_measure_set_interface(clup_measure *measure, clup_interface *interface)
{
    measure->interface = interface;
}

void clup_measure_clear(clup_measure *measure)
{
    clup_prepared_clear(&measure->pass);
    for (unsigned k = 0; k < CLUP_MEASURE_BESIDES; k++)
        clup_prepared_clear(&measure->besides[k]);
    clup_fk_clear(&measure->fk);
    if (measure->state != NULL)
        free_records(measure);
    free(measure->vacant);
    *measure = (clup_measure){0};
}

static clup_status make_table(clup_state *state)
{
    const uint64_t bytes = mode_places(state->lattice) * sizeof(cl_int);
    int32_t *table = clup_modes_table(&state->lattice);
    clup_status status = table != NULL ? CLUP_OK : clup_fail_memory("the table of waves");
    CLUP_TRY(status);
    CLUP_TRY(clup_buffer_create(state->context, bytes, "the table of waves", &state->modes));
    CLUP_TRY(clup_buffer_write(state->context, state->modes, 0, bytes, table));
done:
    free(table);
    return status;
}

clup_status clup_measure_set_partners(clup_state *state, const uint32_t *partners)
{
    return clup_buffer_write(state->context, state->partners, 0, state->replicas * sizeof *partners,
                             partners);
}

/* Makes each system its own partner. */
static clup_status make_partners(clup_state *state)
{
    uint32_t *partners = malloc(state->replicas * sizeof *partners);
    clup_status status = partners != NULL ? CLUP_OK : clup_fail_memory("the replicas");
    CLUP_TRY(status);
    for (uint32_t r = 0; r < state->replicas; r++)
        partners[r] = r;
    CLUP_TRY(clup_buffer_create(state->context, state->replicas * sizeof *partners, "the replicas",
                                &state->partners));
    CLUP_TRY(clup_measure_set_partners(state, partners));
done:
    if (status != CLUP_OK && state->partners != NULL) {
        clup_buffer_free(state->context, state->partners);
        state->partners = NULL;
    }
    free(partners);
    return status;
}

/* Prepares the measurement of a part of records, and launches it once, as above. */
static clup_status make_part(clup_measure *measure, unsigned which)
{
    clup_state *state = measure->state;
    const clup_variant *variant = clup_measure_group_variant(besides[which], state->layout);
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_prepared_create(variant, state, measure->tile, &measure->besides[which]));
    CLUP_TRY(clup_measure_part(&measure->besides[which], 0, clup_measure_records(measure)));
    CLUP_TRY(clup_queue_wait(state->context, 0));
    clup_timer_collect(&state->context->timer);
done:
    return status;
}

/* Counts the vacant sites of the whole lattice, of all replicas. */
static clup_status count_vacant(clup_measure *measure, const clup_problem *problem)
{
    const uint32_t period = clup_disorder_period(problem), replicas = measure->state->replicas;
    clup_status status = CLUP_OK;
    if ((measure->vacant = calloc(replicas, sizeof *measure->vacant)) == NULL)
        return clup_fail_memory("the vacant sites");
    for (uint32_t r = 0; r < replicas && status == CLUP_OK; r++)
        if (r < period)
            status = clup_disorder_vacant_sites(problem, r, &measure->vacant[r]);
        else
            measure->vacant[r] = measure->vacant[r - period];
    return status;
}

clup_status clup_measure_prepare(clup_measure *measure, const clup_problem *problem,
                                 uint32_t format)
{
    clup_state *state = measure->state;
    clup_status status = CLUP_OK;
    if (state->subdomain.count > 1 && (format & RECORD_BESIDES))
        return clup_fail(CLUP_ERROR_USAGE, "of a lattice in parts there are energy, magnetisation "
                                           "and the sizes of clusters alone");
    if (state->subdomain.count > 1 && clup_has_vacancies(problem) && measure->vacant == NULL)
        CLUP_TRY(count_vacant(measure, problem));
    if (state->subdomain.count > 1 && (format & RECORD_CLUSTERS))
        CLUP_TRY(clup_interface_make_sizes(measure->interface, measure->tile));
    CLUP_TRY(make_records(measure, format));
    if ((format & (RECORD_MODES | RECORD_FK_MODES | RECORD_OVERLAP)) && state->modes == NULL)
        CLUP_TRY(make_table(state));
    if ((format & RECORD_OVERLAP) && state->partners == NULL)
        CLUP_TRY(make_partners(state));
    state->measuring.format = format;
    /* sweeps that make their records measure modes themselves */
    for (unsigned k = 0; k < CLUP_MEASURE_BESIDES; k++)
        if ((format & besides[k]) && measure->besides[k].variant == NULL &&
            (measure->by_kernels || besides[k] != RECORD_MODES))
            CLUP_TRY(make_part(measure, k));
    clup_fk_clear(&measure->fk);
    if (format & RECORD_FK)
        CLUP_TRY(clup_fk_create(problem, state, format, clup_measure_slots(state, format),
                                &measure->fk));
done:
    return status;
}

clup_status clup_measure_begin(clup_measure *measure, unsigned count)
{
    const clup_state *state = measure->state;
    const cl_mem sums = state->spins_counted.sums;
    clup_status status = clup_buffer_poison(state->context, clup_measure_records(measure));
    for (unsigned k = 0; k < CLUP_PREPARED_SCRATCH && status == CLUP_OK; k++)
        status = clup_buffer_poison(state->context, measure->pass.scratch[k]);
    if (sums != NULL && count > 0 && status == CLUP_OK)
        status = clup_buffer_zero(state->context, CLUP_MEASURE, sums,
                                  (uint64_t)count * state->replicas * clup_measure_groups(state) *
                                      (state->spin_sums + state->q) * sizeof(cl_uint));
    return status;
}

clup_status clup_measure_before(clup_measure *measure, cl_uint slot)
{
    return measure->state->measuring.format & RECORD_FK
               ? clup_fk_measure(&measure->fk, slot, clup_measure_records(measure))
               : CLUP_OK;
}

clup_status clup_measure_after(clup_measure *measure, cl_uint slot)
{
    clup_status status = CLUP_OK;
    for (unsigned k = 0; k < CLUP_MEASURE_BESIDES && status == CLUP_OK; k++)
        if ((measure->state->measuring.format & besides[k]) && measure->besides[k].variant != NULL)
            status = clup_measure_part(&measure->besides[k], slot, clup_measure_records(measure));
    return status;
}

clup_status clup_measure_sweep(clup_measure *measure, cl_uint slot)
{
    clup_prepared *prepared = &measure->pass;
    clup_state *state = measure->state;
    clup_status status = CLUP_OK;
    if (state->spins_counted.sums != NULL)
        state->spins_counted.slot = slot + 1;
    else
        CLUP_TRY(count_spins(measure, slot));
    if (state->measuring.format & RECORD_CLUSTERS) {
        const bool of_part = state->subdomain.count > 1;
        if (of_part)
            CLUP_TRY(clup_interface_begin_sizes(measure->interface));
        if (prepared->kernels[SIZES].handle != NULL)
            CLUP_TRY(clup_prepared_launch(prepared, SIZES, NULL));
        CLUP_TRY(clup_prepared_launch(prepared, CLUSTERS, CLUP_WITH(CLUP_ARG(slot))));
        if (of_part)
            CLUP_TRY(clup_interface_count(measure->interface, slot,
                                          prepared->scratch[CLUP_CLUSTER_SUMS]));
    }
    CLUP_TRY(clup_measure_after(measure, slot));
    /* the counter of updated sites belongs to the sweep */
    if (state->measuring.format & RECORD_UPDATED)
        CLUP_TRY(write_records(measure, slot, 1));
done:
    return status;
}

void clup_measure_next(clup_measure *measure)
{
    measure->state->spins_counted.slot = 0;
}

clup_status clup_measure_end(clup_measure *measure, unsigned count)
{
    clup_state *state = measure->state;
    clup_status status = CLUP_OK;
    if (state->spins_counted.slot > 0)
        CLUP_TRY(count_spins(measure, state->spins_counted.slot - 1));
    state->spins_counted.slot = 0;
    if (measure->interface != NULL)
        CLUP_TRY(clup_interface_end_sizes(measure->interface));
    if (count > 0 && !(state->measuring.format & RECORD_UPDATED))
        CLUP_TRY(write_records(measure, 0, count));
done:
    return status;
}

/* Returns by how much a site in a field has less energy in a state. */
static uint64_t site_weight(const clup_state *state, unsigned spin)
{
    if (!state->field || state->numbers_each > 0)
        return 0;
    if (state->matrix)
        return clup_matrix_site_weight(state->of_matrix, spin);
    const bond_law *law = (const bond_law *)state->known_laws.laws + state->classes;
    return spin == (law->unequal ? 1 : 0) ? law->weight : 0;
}

/* Adds the sites in a state to a record. */
static void add_state(const clup_state *state, unsigned spin, uint64_t sites, sweep_record *record)
{
    record_add_state(record, sites);
    record->satisfied += site_weight(state, spin) * sites;
    if (state->components_format > 0 && state->matrix) {
        const clup_matrix *matrix = state->of_matrix;
        record_add_direction(record, sites,
                             matrix->words[matrix_cosines(matrix->planes, matrix->classes) + spin],
                             matrix->words[matrix_sines(matrix->planes, matrix->classes) + spin]);
    }
}

/* Makes a record of the sums of the whole lattice; vacant of its sites are vacant. */
static sweep_record record_of(const clup_state *state, const uint64_t *sums, uint64_t sites,
                              uint64_t vacant)
{
    const uint64_t *clusters = sums + state->spin_sums + state->q;
    sweep_record record = {0};
    uint64_t rest = sites - vacant, along[3];
    for (unsigned c = 0; c < state->spin_sums; c++)
        record.satisfied += state->weights[c] * sums[c];
#define ROW(NAME, OP, VALUE) record.NAME = clusters[CLUSTER_SUM_##NAME];
    CLUSTER_COUNTS(ROW)
#undef ROW
    for (unsigned s = 1; s < state->q; s++) {
        add_state(state, s, sums[state->spin_sums + s], &record);
        rest -= sums[state->spin_sums + s];
    }
    add_state(state, 0, rest, &record);
    record.zeros = rest;
    for (unsigned axis = 0; axis < 3 && state->numbers_each > 0; axis++) {
        along[axis] = -(VECTOR_RAISED * sites);
        for (unsigned part = 0; part < VECTOR_PARTS; part++)
            along[axis] += sums[VECTOR_PARTS * (1 + axis) + part] << VECTOR_SUM_BITS * part;
    }
    if (state->numbers_each > 0)
        record.along_x = along[0], record.along_y = along[1], record.along_z = along[2];
    return record;
}

/* Makes the records of the whole lattice from the sums of all subdomains. sums are those of this
 * subdomain, clup_subdomain_sums() numbers for each of count*replicas; they are changed. */
static clup_status join_sums(const clup_measure *measure, unsigned count, uint64_t *sums,
                             uint32_t *records)
{
    const clup_state *state = measure->state;
    const clup_ranks *ranks = state->context->ranks;
    const size_t each = clup_subdomain_sums(state), all = (size_t)count * state->replicas;
    const uint64_t sites = state->lattice.rows_whole * state->lattice.nx;
    uint64_t *largest = malloc(all * sizeof *largest), *const clusters = sums + state->spin_sums +
                                                                         state->q;
    clup_status status = largest != NULL ? CLUP_OK : clup_fail_memory("the records");
    CLUP_TRY(status);
    /* the largest cluster is no sum: find it as the smallest complement */
    for (size_t k = 0; k < all; k++)
        largest[k] = ~clusters[k * each + CLUSTER_SUM_largest];
    CLUP_TRY(ranks->least(ranks, largest, all));
    CLUP_TRY(ranks->sum(ranks, sums, all * each));
    for (size_t k = 0; k < all; k++)
        clusters[k * each + CLUSTER_SUM_largest] = ~largest[k];
    for (size_t k = 0; k < all && status == CLUP_OK; k++, sums += each) {
        const sweep_record record = record_of(
            state, sums, sites, measure->vacant != NULL ? measure->vacant[k % state->replicas] : 0);
        record_put(records, state->measuring.format, &record);
        records += record_words(state->measuring.format);
    }
done:
    free(largest);
    return status;
}

clup_status clup_measure_fetch(clup_measure *measure, unsigned count, void *records)
{
    const clup_state *state = measure->state;
    const uint64_t bytes = count * state->replicas *
                           clup_measure_record_bytes(state, state->measuring.format);
    clup_coming *coming = &measure->coming[measure->fetched % CLUP_MEASURE_COMING];
    void *at = coming->pinned.bytes != NULL ? coming->pinned.bytes : records;
    coming->count = count;
    coming->to = records;
    if (count > 0 && state->subdomain.count > 1 && coming->pinned.bytes == NULL &&
        (at = coming->own = malloc(bytes)) == NULL)
        return clup_fail_memory("the records");
    coming->at = at;
    const clup_status status = count > 0 ? clup_buffer_fetch(state->context, coming->records, bytes,
                                                             at, &coming->event)
                                         : CLUP_OK;
    measure->fetched += status == CLUP_OK;
    return status;
}

/* Releases the event and memory of a read that is over. */
static void forget(clup_coming *coming)
{
    if (coming->event != NULL)
        clReleaseEvent(coming->event);
    free(coming->own);
    *coming = (clup_coming){.records = coming->records, .pinned = coming->pinned};
}

clup_status clup_measure_take(clup_measure *measure, double expected_s)
{
    const clup_state *state = measure->state;
    const uint32_t format = state->measuring.format;
    clup_coming *coming = &measure->coming[measure->taken++ % CLUP_MEASURE_COMING];
    clup_status status = CLUP_OK;
    if (coming->count > 0) {
        CLUP_TRY(clup_event_wait(state->context, coming->event, expected_s));
        if (state->subdomain.count > 1)
            CLUP_TRY(join_sums(measure, coming->count, coming->at, coming->to));
        else if (coming->at != coming->to)
            memcpy(coming->to, coming->at,
                   coming->count * state->replicas * clup_measure_record_bytes(state, format));
        if (format & RECORD_FK)
            clup_fk_finish(&measure->fk, coming->count, coming->to);
    }
done:
    forget(coming);
    return status;
}

void clup_measure_drop(clup_measure *measure)
{
    clup_queue_wait(measure->state->context, 0);
    for (unsigned k = 0; k < CLUP_MEASURE_COMING; k++) {
        if (measure->coming[k].event != NULL)
            clup_event_wait(measure->state->context, measure->coming[k].event, 0);
        forget(&measure->coming[k]);
    }
    measure->taken = measure->fetched;
}

bool clup_measure_ahead(uint32_t format)
{
    return (format & RECORD_FK) == 0;
}

/* Returns the weight of a site along the field. */
static uint64_t field_weight(const clup_laws *laws, unsigned spin)
{
    const bond_law *field = &laws->of[laws->classes];
    if (laws->matrix != NULL)
        return clup_matrix_site_weight(laws->matrix, spin);
    return laws->field && spin == (field->unequal != 0) ? field->weight : 0;
}

/* Returns the weights of the satisfied bonds that start at site i, or of edge i. */
static uint64_t satisfied_from(const lattice_args *lattice, const clup_laws *laws,
                               const uint8_t *spins, uint64_t i)
{
    uint64_t weights = 0, to;
    for (unsigned d = 0; d < clup_lattice_of(lattice)->directions; d++)
        if (laws->matrix == NULL)
            weights += clup_bond_is_satisfied(lattice, laws, spins, d, i)
                           ? clup_bond_weight(lattice, laws, d, i)
                           : 0;
        else if (clup_bond_exists(lattice, laws, d, i, &to))
            weights += clup_matrix_bond_weight(lattice, laws, d, i, spins[clup_bond_start(laws, i)],
                                               spins[to]);
    return weights;
}

uint64_t clup_spins_satisfied(const lattice_args *lattice, const clup_laws *laws,
                              const uint8_t *spins)
{
    const lattice_args bonds = clup_bonds_of_laws(laws, lattice);
    uint64_t satisfied = 0;
    int64_t sums[3];
    if (laws->numbers > 0)
        return clup_vectors_counted(lattice, laws, spins, sums);
    for (uint64_t i = 0; i < clup_lattice_sites(lattice); i++)
        if (!clup_site_is_vacant(lattice, laws, i))
            satisfied += field_weight(laws, spins[i]);
    for (uint64_t i = 0; i < clup_lattice_sites(&bonds); i++)
        satisfied += satisfied_from(&bonds, laws, spins, i);
    return satisfied;
}

sweep_record clup_measure_reference(const lattice_args *lattice, const clup_laws *laws,
                                    const uint8_t *spins, const uint32_t *labels, uint32_t *sizes,
                                    const int32_t *modes)
{
    const uint64_t sites = clup_lattice_sites(lattice);
    sweep_record record = {.satisfied = clup_spins_satisfied(lattice, laws, spins)};
    uint64_t states[256] = {0};
    for (uint64_t i = 0; i < sites; i++) {
        sizes[i] = 0;
        states[laws->numbers > 0 ? 0 : spins[i]] += !clup_site_is_vacant(lattice, laws, i);
    }
    for (uint64_t i = 0; i < sites; i++)
        sizes[labels[i]]++;
    for (uint64_t i = 0; i < sites; i++) {
        const uint64_t size = sizes[i];
        if (labels[i] != i)
            continue;
#define ROW(NAME, OP, VALUE) record.NAME = counted_##OP(record.NAME, VALUE);
        CLUSTER_COUNTS(ROW)
#undef ROW
    }
    for (unsigned s = 0; s < 256; s++)
        record_add_state(&record, states[s]);
    record.zeros = states[0];
    for (unsigned s = 0; laws->matrix != NULL && s < laws->matrix->states; s++)
        record_add_direction(
            &record, states[s],
            laws->matrix->words[matrix_cosines(laws->matrix->planes, laws->classes) + s],
            laws->matrix->words[matrix_sines(laws->matrix->planes, laws->classes) + s]);
    if (laws->numbers > 0) {
        int64_t sums[3];
        clup_vectors_counted(lattice, laws, spins, sums);
        record.along_x = (uint64_t)sums[0], record.along_y = (uint64_t)sums[1];
        record.along_z = (uint64_t)sums[2];
    }
    if (modes != NULL)
        clup_modes_reference(lattice, laws, modes, spins, &record);
    return record;
}
