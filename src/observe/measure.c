/* Measuring a sweep on the device: counts of spins, sizes of clusters, and one record of both. */
#include "observe/measure.h"

#include <string.h>

#include "label/label.h"

enum { SPINS, CLUSTERS, LARGEST, RECORD };

/* Sites of a lattice that is large, see record.clh. */
#define LARGE_SITES 65536u

uint32_t clup_measure_format(const lattice_args *lattice, unsigned q, clup_algorithm algorithm,
                             bool clusters)
{
    const bool all = algorithm == CLUP_SWENDSEN_WANG;
    return (clup_lattice_sites(lattice) >= LARGE_SITES ? RECORD_LARGE : 0) |
           (clusters && all ? RECORD_CLUSTERS : 0) | (all ? 0 : RECORD_UPDATED) |
           (q > 2 ? RECORD_STATES : 0);
}

/* With all that there is to measure. */
static uint32_t most_format(const clup_state *state)
{
    return clup_measure_format(&state->lattice, state->q, state->method.algorithm, true);
}

/* The bytes of the records of a sweep, at most. */
static uint64_t sweep_bytes(const clup_state *state)
{
    return (uint64_t)state->replicas * sizeof(cl_uint) * record_words(most_format(state));
}

unsigned clup_measure_slots(const clup_state *state)
{
    const unsigned most = clup_records_most(state->replicas);
    const uint64_t room = state->context->max_alloc / sweep_bytes(state);
    return room < 1 ? 1 : room < most ? (unsigned)room : most;
}

uint64_t clup_measure_bytes(const clup_state *state)
{
    return clup_measure_slots(state) * sweep_bytes(state);
}

clup_status clup_measure_create(clup_state *state, const unsigned tile[3], bool by_kernels,
                                clup_measure *measure)
{
    clup_status status = CLUP_OK;
    measure->state = state;
    CLUP_TRY(clup_buffer_create(state->context, clup_measure_bytes(state), "the records",
                                &measure->records));
    clup_pinned_create(state->context, clup_measure_bytes(state), &measure->on_host);
    if (!by_kernels)
        return CLUP_OK;
    measure->groups = (cl_uint)clup_measure_groups(state);
    CLUP_TRY(clup_pass_create(clup_measure_row(state->model, state->layout, true), state, tile,
                              &measure->pass));
    /* some platforms compile at the first launch: have that behind before anything is timed */
    state->measuring.format = most_format(state);
    CLUP_TRY(clup_measure_sweep(measure, 0));
    CLUP_TRY(clup_queue_wait(state->context, 0));
    clup_timer_collect(&state->context->timer);
done:
    return status;
}

void clup_measure_clear(clup_measure *measure)
{
    clup_pass_clear(&measure->pass);
    if (measure->state != NULL) {
        clup_pinned_free(measure->state->context, &measure->on_host);
        clup_buffer_free(measure->state->context, measure->records);
    }
    *measure = (clup_measure){0};
}

clup_status clup_measure_sweep(clup_measure *measure, unsigned slot)
{
    clup_pass *pass = &measure->pass;
    const clup_state *state = pass->state;
    clup_status status = CLUP_OK;
    const cl_uint to = slot;
    CLUP_TRY(clup_pass_launch(pass, SPINS, NULL));
    if (state->measuring.format & RECORD_CLUSTERS) {
        CLUP_TRY(clup_pass_launch(pass, CLUSTERS, NULL));
        CLUP_TRY(clup_pass_launch(pass, LARGEST, NULL));
    }
    CLUP_TRY(
        clup_pass_launch(pass, RECORD,
                         CLUP_WITH(CLUP_ARG(measure->groups), CLUP_ARG(to),
                                   CLUP_ARG(state->measuring.format), CLUP_ARG(measure->records))));
done:
    return status;
}

clup_status clup_measure_read(clup_measure *measure, unsigned count, void *records)
{
    const clup_state *state = measure->state;
    const uint64_t bytes = (uint64_t)count * state->replicas * sizeof(cl_uint) *
                           record_words(state->measuring.format);
    void *on_host = measure->on_host.bytes;
    if (bytes == 0)
        return CLUP_OK;
    const clup_status status = clup_buffer_read(state->context, measure->records, bytes,
                                                on_host != NULL ? on_host : records);
    if (status == CLUP_OK && on_host != NULL)
        memcpy(records, on_host, bytes);
    return status;
}

static const uint32_t *number_get(const uint32_t *from, bool large, uint64_t *number)
{
    *number = from[0] | (large ? (uint64_t)from[1] << 32 : 0);
    return from + (large ? 2 : 1);
}

sweep_record clup_record_get(const uint32_t *from, uint32_t format)
{
    const bool large = (format & RECORD_LARGE) != 0;
    sweep_record record = {0};
#define ROW(NAME, NEEDS) \
    if (record_has(format, NEEDS)) \
        from = number_get(from, large, &record.NAME);
    SPIN_NUMBERS(ROW)
#undef ROW
#define ROW(NAME, OP, VALUE) \
    if (record_has(format, count_needs(CLUSTER_SUM_##NAME))) \
        from = number_get(from, large, &record.NAME);
    CLUSTER_COUNTS(ROW)
#undef ROW
    return record;
}

/* Those of the bonds to forward neighbours of site i that are between equal spins. */
static unsigned equal_bonds(const lattice_args *lattice, const uint8_t *spins, uint64_t i)
{
    uint64_t neighbour;
    unsigned equal = 0;
    for (unsigned d = 0; d < clup_lattice_of(lattice)->directions; d++)
        if (clup_lattice_forward(lattice, d, (uint32_t)(i % lattice->nx),
                                 (uint32_t)(i / lattice->nx), &neighbour))
            equal += spins[i] == spins[neighbour];
    return equal;
}

sweep_record clup_measure_reference(const lattice_args *lattice, const uint8_t *spins,
                                    const uint32_t *labels, uint32_t *sizes)
{
    const uint64_t sites = clup_lattice_sites(lattice);
    sweep_record record = {0};
    uint64_t states[256] = {0};
    for (uint64_t i = 0; i < sites; i++) {
        sizes[i] = 0;
        states[spins[i]]++;
#define ROW(NAME, WORD, SITE) record.NAME += SITE;
        SPIN_COUNTS(ROW)
#undef ROW
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
    return record;
}
