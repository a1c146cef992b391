/* One system on one device. */
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

random_key clup_random_key(uint64_t seed, uint32_t replica, uint64_t sweep)
{
    return replica_key((random_key){(uint32_t)seed, (uint32_t)(seed >> 32), (uint32_t)sweep,
                                    (uint32_t)(sweep >> 32)},
                       replica);
}

void clup_start_spins(const lattice_args *lattice, unsigned q, random_key key, clup_start start,
                      uint8_t *spins)
{
    uint64_t sites = clup_lattice_sites(lattice);
    for (uint64_t i = 0; i < sites; i++)
        spins[i] = start == CLUP_START_RANDOM
                       ? (uint8_t)random_spin(key, PURPOSE_START, whole_site(*lattice, i), q,
                                              clup_spin_field(q))
                       : 0;
}

/* Streams are seeded and sent in pieces. */
#define SEED_PIECE ((uint64_t)1 << 20)

static clup_status make_streams(clup_state *state)
{
    clup_context *context = state->context;
    uint32_t *words = malloc(SEED_PIECE * state->rng->words * sizeof *words);
    clup_status status = words != NULL ? CLUP_OK : clup_fail_memory("the random streams");
    CLUP_TRY(status);
    CLUP_TRY(clup_buffer_create(context, state->stream_count * state->rng->words * sizeof *words,
                                "the random streams", &state->streams));
    for (uint64_t first = 0; first < state->stream_count; first += SEED_PIECE) {
        uint64_t count = state->stream_count - first < SEED_PIECE ? state->stream_count - first
                                                                  : SEED_PIECE;
        state->rng->seed(state->key, first, count, words);
        for (unsigned k = 0; k < state->rng->words; k++)
            CLUP_TRY(clup_buffer_write(context, state->streams,
                                       (k * state->stream_count + first) * sizeof *words,
                                       count * sizeof *words, words + k * count));
    }
done:
    free(words);
    return status;
}

clup_status clup_state_set_betas(clup_state *state, const clup_problem *problem)
{
    const uint64_t bytes = state->replicas * sizeof(clup_bond_law);
    clup_bond_law *laws = malloc(bytes);
    clup_status status = laws != NULL ? CLUP_OK : clup_fail_memory("the temperatures");
    CLUP_TRY(status);
    for (uint32_t r = 0; r < state->replicas; r++)
        laws[r] = clup_bond_law_of(clup_problem_beta(problem, r));
    CLUP_TRY(clup_buffer_write(state->context, state->laws, 0, bytes, laws));
    state->law = laws[0];
done:
    free(laws);
    return status;
}

uint64_t clup_sites_wide = CLUP_SITES_32;

clup_status clup_state_describe(clup_context *context, const clup_problem *problem,
                                const clup_method *method, const clup_layout *layout,
                                uint64_t streams, uint64_t seed, clup_state *state)
{
    const clup_problem whole = clup_layout_problem(layout, problem);
    clup_part part;
    const clup_status status = clup_part_here(context, &whole, &part);
    if (status != CLUP_OK)
        return status;
    const clup_problem sites = clup_part_problem(&whole, &part);
    *state = (clup_state){
        .context = context,
        .lattice = clup_part_lattice(&whole, &part),
        .part = part,
        .layout = layout,
        .model = problem->model,
        .q = clup_problem_states(&sites),
        .replicas = clup_problem_replicas(problem),
        .planes = clup_spin_planes(clup_problem_states(&sites)),
        .law = clup_bond_law_of(clup_problem_beta(problem, 0)),
        .key = clup_random_key(seed, problem->first_replica, 0),
        .method = method != NULL ? *method : (clup_method){0},
        .stream_count = streams,
        .wide = clup_part_sites(&whole, &part) > clup_sites_wide,
    };
    if (part.count > 1)
        snprintf(state->definitions, sizeof state->definitions, " PARTS%s",
                 part.wide ? " WIDE_SEAMS" : "");
    if (clup_model_of(problem->model)->describe != NULL)
        clup_model_of(problem->model)->describe(problem, state);
    return clup_generator_named(state->method.rng, &state->rng);
}

#define ALWAYS (1u << CLUP_STORE_SPINS | 1u << CLUP_STORE_UPDATED | 1u << CLUP_STORE_LAWS)

void clup_state_need(clup_state *state, clup_need *need)
{
    clup_need_add(need, state->rng->words * state->stream_count * sizeof(cl_uint),
                  "the random streams");
    clup_stores_need(state, ALWAYS, need);
}

clup_status clup_state_create(clup_context *context, const clup_problem *problem,
                              const clup_method *method, const clup_layout *layout,
                              uint64_t streams, uint64_t seed, clup_state *state)
{
    clup_status status = clup_state_describe(context, problem, method, layout, streams, seed,
                                             state);
    CLUP_TRY(status);
    CLUP_TRY(clup_stores_create(state, ALWAYS));
    CLUP_TRY(clup_state_set_betas(state, problem));
    if (state->rng->words > 0 && streams > 0)
        CLUP_TRY(make_streams(state));
done:
    if (status != CLUP_OK)
        clup_state_clear(state);
    return status;
}

void clup_state_clear(clup_state *state)
{
    clup_stores_clear(state);
    clup_buffer_free(state->context, state->streams);
    clup_buffer_free(state->context, state->modes);
    *state = (clup_state){0};
}

clup_status clup_state_write_spins(clup_state *state, const uint8_t *spins)
{
    const uint64_t bytes = clup_store_bytes(state, CLUP_STORE_SPINS) / state->replicas,
                   sites = clup_lattice_sites(&state->lattice);
    char *packed = calloc(state->replicas, bytes);
    if (packed == NULL)
        return clup_fail_memory("the spins");
    for (uint32_t r = 0; r < state->replicas; r++)
        state->layout->spins->pack(&state->lattice, state->planes, spins + r * sites,
                                   packed + r * bytes);
    clup_status status = clup_buffer_write(state->context, state->spins, 0, state->replicas * bytes,
                                           packed);
    free(packed);
    return status;
}

clup_status clup_state_read_spins(clup_state *state, uint8_t *spins)
{
    const uint64_t bytes = clup_store_bytes(state, CLUP_STORE_SPINS) / state->replicas,
                   sites = clup_lattice_sites(&state->lattice);
    char *packed = malloc(state->replicas * bytes);
    if (packed == NULL)
        return clup_fail_memory("the spins");
    clup_status status = clup_buffer_read(state->context, state->spins, state->replicas * bytes,
                                          packed);
    for (uint32_t r = 0; r < state->replicas && status == CLUP_OK; r++)
        state->layout->spins->unpack(&state->lattice, state->planes, packed + r * bytes,
                                     spins + r * sites);
    free(packed);
    return status;
}
