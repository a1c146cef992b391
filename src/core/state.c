/* SPDX-License-Identifier: BSD-3-Clause */
/* One problem on one device. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cell.h"
#include "core/couplings.h"
#include "core/disorder.h"
#include "core/graph.h"
#include "core/heat.h"
#include "core/matrix.h"
#include "core/model.h"
#include "core/vector.h"

random_key clup_random_key(uint64_t seed, uint32_t replica, uint64_t sweep)
{
    return replica_key((random_key){(uint32_t)seed, (uint32_t)(seed >> 32), (uint32_t)sweep,
                                    (uint32_t)(sweep >> 32)},
                       replica);
}

void clup_start_spins(const lattice_args *lattice, const clup_problem *problem, random_key key,
                      clup_start start, uint8_t *spins)
{
    const uint64_t sites = clup_lattice_sites(lattice);
    const unsigned numbers = clup_spin_numbers(problem), q = problem->q;
    clup_ordered_spins(numbers, sites, spins);
    for (uint64_t i = 0; i < sites && start == CLUP_START_RANDOM; i++) {
        const uint64_t site = whole_site(*lattice, i);
        if (numbers == 0) {
            spins[i] = (uint8_t)random_spin(key, PURPOSE_START, site, q, clup_spin_field(q));
            continue;
        }
        const philox_block random = random_block(key, PURPOSE_START, site, 0);
        uint32_t spin[VECTOR_NUMBERS_MOST];
        vector_random(numbers, random.v[0], random.v[1], spin);
        memcpy(spins + 4 * numbers * i, spin, 4 * numbers);
    }
}

/* Streams are seeded and sent in pieces of this many. */
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

static const char disorder_called[] = "the couplings";

/* Returns the bytes of the buffer with the matrix and the disorder of all replicas. */
static uint64_t matrix_bytes(const clup_state *state)
{
    return state->matrix_words * sizeof(cl_uint);
}

static uint64_t all_disorder_bytes(const clup_state *state)
{
    return matrix_bytes(state) + state->replicas * state->disorder_bytes;
}

static clup_status write_matrix(clup_state *state, const clup_problem *problem)
{
    const clup_status status = clup_matrix_create(problem, &state->of_matrix);
    return status == CLUP_OK ? clup_buffer_write(state->context, state->disorder, 0,
                                                 matrix_bytes(state), state->of_matrix->words)
                             : status;
}

/* Writes the matrix, and draws the disorder of all replicas. With neither, kernels get the laws in
 * their place, which they do not read as such. */
static clup_status make_disorder(clup_state *state, const clup_problem *problem)
{
    clup_status status = CLUP_OK;
    uint32_t *words = NULL;
    if (all_disorder_bytes(state) == 0) {
        state->disorder = state->laws;
        return CLUP_OK;
    }
    CLUP_TRY(clup_buffer_create(state->context, all_disorder_bytes(state), disorder_called,
                                &state->disorder));
    if (state->matrix)
        CLUP_TRY(write_matrix(state, problem));
    words = malloc(state->disorder_bytes + 1);
    if (words == NULL)
        CLUP_TRY(clup_fail_memory(disorder_called));
    const uint32_t period = clup_disorder_period(problem);
    for (uint32_t first = 0; first < period && state->disorder_bytes > 0; first++) {
        CLUP_TRY(clup_disorder_fill(problem, &state->lattice, first, words));
        for (uint32_t r = first; r < state->replicas; r += period)
            CLUP_TRY(clup_buffer_write(state->context, state->disorder,
                                       matrix_bytes(state) + r * state->disorder_bytes,
                                       state->disorder_bytes, words));
    }
done:
    free(words);
    return status;
}

static const char graph_called[] = "the edges of the graph";

/* Whether the problem is percolation. */
static bool is_sampled(const clup_problem *problem)
{
    return clup_model_of(problem->model)->runner == CLUP_RUNNER_percolation;
}

/* Makes a buffer with these contents; none of 0 bytes. */
static clup_status make_filled(clup_state *state, uint64_t bytes, const void *from, cl_mem *buffer)
{
    if (bytes == 0)
        return CLUP_OK;
    const clup_status status = clup_buffer_create(state->context, bytes, graph_called, buffer);
    return status == CLUP_OK ? clup_buffer_write(state->context, *buffer, 0, bytes, from) : status;
}

static clup_status make_boundary(clup_state *state, const clup_problem *problem)
{
    clup_status status = clup_boundary_make(problem->graph, &state->boundary);
    CLUP_TRY(status);
    CLUP_TRY(make_filled(state, clup_boundary_list_bytes(&state->boundary), state->boundary.list,
                         &state->crossed));
    CLUP_TRY(make_filled(state, clup_boundary_inner_bytes(&state->boundary), state->boundary.inner,
                         &state->inner));
done:
    return status;
}

static clup_status make_graph(clup_state *state, const clup_problem *problem)
{
    const uint64_t bytes = clup_graph_edges(problem) * sizeof(cl_uint[2]);
    const clup_cell *cell = problem->graph != NULL ? problem->graph->extras.cell : NULL;
    clup_status status = clup_graph_need(problem);
    if (status != CLUP_OK || bytes == 0)
        return status;
    state->edge_kinds = cell != NULL ? cell->bonds : 1;
    CLUP_TRY(make_filled(state, bytes, problem->graph->ends, &state->ends));
    if (is_sampled(problem))
        CLUP_TRY(make_boundary(state, problem));
done:
    return status;
}

/* Sets the sizes of the problem's matrix. */
static clup_status describe_matrix(const clup_problem *problem, clup_state *state)
{
    clup_matrix *matrix;
    const clup_status status = clup_matrix_create(problem, &matrix);
    if (status != CLUP_OK)
        return status;
    state->law_words = matrix->law_words;
    state->matrix_words = matrix->word_count;
    state->spin_sums = MATRIX_SUMS;
    state->decisions = 2;
    clup_matrix_free(matrix);
    clup_state_define(state, " MATRIX%s", state->components_format > 0 ? " DIRECTED" : "");
    return CLUP_OK;
}

void clup_state_define(clup_state *state, const char *format, ...)
{
    const size_t used = strlen(state->definitions);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(state->definitions + used, sizeof state->definitions - used, format, arguments);
    va_end(arguments);
}

void clup_state_sample(clup_state *state, bool inner_roots)
{
    state->sampled = true;
    state->inner_roots = inner_roots;
    clup_state_define(state, " SAMPLED%s", inner_roots ? " INNER_ROOTS" : "");
}

clup_status clup_state_describe_part(clup_context *context, const clup_problem *problem,
                                     const clup_method *method, const clup_layout *layout,
                                     const clup_subdomain *layers, uint64_t streams, uint64_t seed,
                                     clup_state *state)
{
    const clup_subdomain part = *layers;
    const clup_problem whole = clup_layout_problem(layout, problem),
                       sites = clup_subdomain_problem(&whole, &part);
    clup_status status = CLUP_OK;
    *state = (clup_state){
        .context = context,
        .lattice = clup_subdomain_lattice(&whole, &part),
        .subdomain = part,
        .layout = layout,
        .spin_store = clup_spin_store_of(context, layout),
        .model = problem->model,
        .q = clup_problem_states(&sites),
        .replicas = clup_problem_replicas(problem),
        .planes = clup_problem_planes(&sites),
        .law = clup_problem_laws(problem, clup_problem_beta(problem, 0)).of[0],
        .classes = clup_problem_classes(problem).count,
        .most_satisfied = clup_problem_most_satisfied(problem),
        .couplings = clup_bonds_differ(problem),
        .field = clup_has_field(problem),
        .matrix = clup_has_matrix(problem),
        .sized = clup_has_sizes(problem),
        .numbers_each = clup_spin_numbers(problem),
        .components_format = clup_components_format(problem),
        .spin_sums = clup_spin_numbers(problem) > 0 ? VECTOR_SUMS
                     : clup_has_sizes(problem)      ? MATRIX_SUMS
                                                    : clup_problem_classes(problem).count,
        .decisions = clup_spin_numbers(problem) > 0 ? 2 : clup_problem_states(&sites),
        .key = clup_random_key(seed, problem->first_replica, 0),
        .method = method != NULL ? *method : (clup_method){0},
        .stream_count = streams,
        .wide = clup_subdomain_sites(&whole, &part) > clup_sites_wide,
    };
    state->bond_lattice = clup_bonds_of_problem(problem, &state->lattice);
    if (clup_model_of(problem->model)->algorithms)
        state->disorder_bytes = sizeof(cl_uint) * clup_disorder_words(problem, &state->lattice);
    for (unsigned k = 0; k < state->classes; k++)
        state->weights[k] = clup_problem_classes(problem).weight[k];
    for (unsigned k = 0; k < VECTOR_SUMS && state->numbers_each > 0; k++)
        state->weights[k] = k < VECTOR_PARTS ? 1u << VECTOR_SUM_BITS * k : 0;
    for (unsigned k = 0; k < MATRIX_SUMS && state->numbers_each == 0; k++)
        if (state->matrix || state->sized)
            state->weights[k] = 1u << MATRIX_SUM_BITS * k;
    if (part.count > 1)
        clup_state_define(state, " SUBDOMAIN%s", part.wide ? " WIDE_INTERFACE" : "");
    if (state->couplings)
        clup_state_define(
            state, " COUPLINGS BOND_CLASSES=%uu TURNED=%d MISSING=%d%s%s%s%s", state->classes,
            clup_has_random_signs(problem), clup_has_absent_bonds(problem),
            state->sized ? " SIZED=1" : "", clup_has_drawn_vacancies(problem) ? " VACANT=1" : "",
            clup_clusters_flip(problem) ? " FLIPS" : "", state->field ? " SITE_FIELD=1" : "");
    if (state->numbers_each > 0)
        clup_state_define(state, " VECTOR=%uu", state->numbers_each);
    if (state->matrix && (status = describe_matrix(problem, state)) != CLUP_OK)
        return status;
    if (is_sampled(problem) && problem->graph != NULL) {
        clup_boundary_describe(problem->graph, &state->boundary);
        if (state->boundary.axes > 0)
            clup_state_define(state, " WINDS=%uu", state->boundary.axes);
    }
    if (is_sampled(problem)) {
        clup_state_sample(state, false);
        clup_state_define(state, " REPLICAS_ARE_SAMPLES%s",
                          problem->model == CLUP_SITE_PERCOLATION ? " SAMPLED_SITES" : "");
    }
    if (clup_model_of(problem->model)->describe != NULL)
        clup_model_of(problem->model)->describe(problem, state);
    return clup_generator_named(state->method.rng, &state->rng);
}

clup_status clup_state_describe(clup_context *context, const clup_problem *problem,
                                const clup_method *method, const clup_layout *layout,
                                uint64_t streams, uint64_t seed, clup_state *state)
{
    const clup_problem whole = clup_layout_problem(layout, problem);
    clup_subdomain part;
    const clup_status status = clup_subdomain_here(context, &whole, &part);
    return status == CLUP_OK ? clup_state_describe_part(context, problem, method, layout, &part,
                                                        streams, seed, state)
                             : status;
}

/* Returns the device buffers that exist before any stage is prepared. */
static uint32_t buffers_of(const clup_state *state)
{
    return CLUP_BUFFERS_ALWAYS | (clup_has_heat_bath(&state->method) ? 1u << CLUP_BUFFER_HEAT : 0);
}

void clup_state_need(clup_state *state, clup_need *need)
{
    clup_need_add(need, state->rng->words * state->stream_count * sizeof(cl_uint),
                  "the random streams");
    clup_need_add(need, all_disorder_bytes(state), disorder_called);
    if (state->lattice.kind == CLUP_LATTICE_GRAPH)
        clup_need_add(need, sizeof(cl_uint[2]) * clup_lattice_sites(&state->bond_lattice),
                      graph_called);
    clup_need_add(need, clup_boundary_list_bytes(&state->boundary), graph_called);
    clup_need_add(need, clup_boundary_inner_bytes(&state->boundary), graph_called);
    clup_buffers_need(state, buffers_of(state), need);
}

clup_status clup_state_create_part(clup_context *context, const clup_problem *problem,
                                   const clup_method *method, const clup_layout *layout,
                                   const clup_subdomain *part, uint64_t streams, uint64_t seed,
                                   clup_state *state)
{
    clup_status status = clup_state_describe_part(context, problem, method, layout, part, streams,
                                                  seed, state);
    CLUP_TRY(status);
    CLUP_TRY(clup_buffers_create(state, buffers_of(state)));
    CLUP_TRY(make_disorder(state, problem));
    CLUP_TRY(make_graph(state, problem));
    CLUP_TRY(clup_state_set_betas(state, problem));
    if (state->rng->words > 0 && streams > 0)
        CLUP_TRY(make_streams(state));
done:
    if (status != CLUP_OK)
        clup_state_clear(state);
    return status;
}

clup_status clup_state_create(clup_context *context, const clup_problem *problem,
                              const clup_method *method, const clup_layout *layout,
                              uint64_t streams, uint64_t seed, clup_state *state)
{
    const clup_problem whole = clup_layout_problem(layout, problem);
    clup_subdomain part;
    const clup_status status = clup_subdomain_here(context, &whole, &part);
    *state = (clup_state){0}; /* a state that was not created is cleared as well */
    return status == CLUP_OK ? clup_state_create_part(context, problem, method, layout, &part,
                                                      streams, seed, state)
                             : status;
}

void clup_state_clear(clup_state *state)
{
    if (all_disorder_bytes(state) > 0)
        clup_buffer_free(state->context, state->disorder);
    clup_matrix_free(state->of_matrix);
    clup_beta_laws_clear(&state->known_laws);
    clup_beta_laws_clear(&state->known_heat);
    clup_buffers_clear(state);
    clup_buffer_free(state->context, state->streams);
    clup_buffer_free(state->context, state->modes);
    clup_buffer_free(state->context, state->partners);
    clup_buffer_free(state->context, state->mates);
    clup_buffer_free(state->context, state->ends);
    clup_buffer_free(state->context, state->crossed);
    clup_buffer_free(state->context, state->inner);
    clup_boundary_clear(&state->boundary);
    *state = (clup_state){0};
}

/* Rows of one system, or all rows of several systems. */
typedef struct row_range {
    uint32_t replica, replicas;
    uint64_t row, rows;
} row_range;

/* Returns the first range of count rows from row first on. */
static row_range first_range(const clup_state *state, uint64_t first, uint64_t count)
{
    const uint64_t rows = lattice_rows(state->lattice), row = first % rows;
    row_range range = {(uint32_t)(first / rows), 1, row, count < rows - row ? count : rows - row};
    if (range.rows == rows)
        range.replicas = (uint32_t)(count / rows);
    return range;
}

/* Bytes that the spin storage takes for some rows of a system: all of it, and each piece that is
 * stored without a gap. */
typedef struct range_bytes {
    uint64_t all, piece;
    lattice_args lattice; /* with these rows only */
} range_bytes;

static range_bytes bytes_of(const clup_state *state, uint64_t rows)
{
    const clup_spin_store *store = state->spin_store;
    range_bytes bytes = {.lattice = state->lattice};
    bytes.lattice.ny = (uint32_t)rows;
    bytes.lattice.nz = 1;
    bytes.all = store->bytes(&bytes.lattice, state->planes);
    bytes.piece = store->bytes(&bytes.lattice, store->beside);
    return bytes;
}

/* Transfers the packed spins of a range: whole systems in one piece, parts of a system piece by
 * piece. */
static clup_status transfer_range(clup_state *state, row_range range, char *packed, bool write)
{
    const uint64_t rows = lattice_rows(state->lattice);
    const range_bytes whole = bytes_of(state, rows), some = bytes_of(state, range.rows);
    const bool at_once = range.rows == rows;
    const uint64_t pieces = at_once ? 1 : some.all / some.piece,
                   bytes = at_once ? range.replicas * some.all : some.piece;
    clup_status status = CLUP_OK;
    for (uint64_t k = 0; k < pieces && status == CLUP_OK; k++) {
        const uint64_t at = range.replica * whole.all + k * whole.piece +
                            whole.piece / rows * range.row;
        status = write ? clup_buffer_write(state->context, state->spins, at, bytes,
                                           packed + k * some.piece)
                       : clup_buffer_read(state->context, state->spins, at, bytes,
                                          packed + k * some.piece);
    }
    return status;
}

uint64_t clup_state_row_bytes(const clup_state *state)
{
    return (uint64_t)state->lattice.nx * (state->numbers_each > 0 ? 4 * state->numbers_each : 1);
}

clup_status clup_state_write_rows(clup_state *state, uint64_t first, uint64_t count,
                                  const uint8_t *spins)
{
    clup_status status = CLUP_OK;
    for (uint64_t done = 0; done < count && status == CLUP_OK;) {
        const row_range range = first_range(state, first + done, count - done);
        const range_bytes bytes = bytes_of(state, range.rows);
        char *packed = calloc(range.replicas, bytes.all);
        if (packed == NULL)
            return clup_fail_memory("the spins");
        for (uint32_t r = 0; r < range.replicas; r++)
            state->spin_store->pack(&bytes.lattice, state->planes,
                                    spins + (done + r * range.rows) * clup_state_row_bytes(state),
                                    packed + r * bytes.all);
        status = transfer_range(state, range, packed, true);
        free(packed);
        done += range.replicas * range.rows;
    }
    return status;
}

clup_status clup_state_read_rows(clup_state *state, uint64_t first, uint64_t count, uint8_t *spins)
{
    clup_status status = CLUP_OK;
    for (uint64_t done = 0; done < count && status == CLUP_OK;) {
        const row_range range = first_range(state, first + done, count - done);
        const range_bytes bytes = bytes_of(state, range.rows);
        char *packed = malloc(range.replicas * bytes.all);
        if (packed == NULL)
            return clup_fail_memory("the spins");
        status = transfer_range(state, range, packed, false);
        for (uint32_t r = 0; r < range.replicas && status == CLUP_OK; r++)
            state->spin_store->unpack(&bytes.lattice, state->planes, packed + r * bytes.all,
                                      spins +
                                          (done + r * range.rows) * clup_state_row_bytes(state));
        free(packed);
        done += range.replicas * range.rows;
    }
    return status;
}

clup_status clup_state_write_spins(clup_state *state, const uint8_t *spins)
{
    return clup_state_write_rows(state, 0, state->replicas * (uint64_t)lattice_rows(state->lattice),
                                 spins);
}

clup_status clup_state_read_spins(clup_state *state, uint8_t *spins)
{
    return clup_state_read_rows(state, 0, state->replicas * (uint64_t)lattice_rows(state->lattice),
                                spins);
}
