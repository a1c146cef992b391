/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the spins of a simulation as a NumPy file: states as u8; of vectors (vector.h) angles, or
 * three components, as f64; of vacant sites CLUP_VACANT_STATE or NaN. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "core/disorder.h"
#include "core/vector.h"
#include "io/image.h"
#include "run/simulation.h"

/* How much of the file was given to the writer: the header, and rows. */
typedef struct pieces {
    clup_simulation *simulation;
    char header[CLUP_NPY_HEADER];
    size_t header_bytes; /* 0 once the header was given */
    uint64_t row;
    uint8_t *spins;
    double *values;   /* of vectors, as they are written; else NULL */
    uint32_t *vacant; /* room for the vacant sites of a row */
    bool ended;       /* all processes know that no rows are left */
} pieces;

/* Marks the vacant sites of count rows, from row first on of all systems. */
static void mark_vacant(pieces *of, uint64_t first, uint64_t count)
{
    const clup_problem *problem = &of->simulation->problem;
    const lattice_args lattice = clup_lattice_args(problem);
    const unsigned numbers = clup_spin_numbers(problem);
    const uint64_t rows = clup_problem_sites(problem) / lattice.nx;
    for (uint64_t k = 0; k < count && clup_has_vacancies(problem); k++) {
        clup_disorder_vacant_row(problem, &lattice, (uint32_t)((first + k) / rows),
                                 (first + k) % rows, of->vacant);
        for (uint32_t x = 0; x < lattice.nx; x++) {
            const size_t site = (size_t)k * lattice.nx + x;
            if ((of->vacant[x / 32] >> x % 32 & 1) == 0)
                continue;
            if (numbers == 0)
                of->spins[site] = CLUP_VACANT_STATE;
            for (unsigned n = 0; n < numbers; n++)
                of->values[site * numbers + n] = NAN;
        }
    }
}

/* Gives the next rows. All processes call it together, unless one has failed. */
static clup_status next_rows(pieces *of, clup_piece *piece)
{
    const clup_engine *engine = of->simulation->engine;
    const uint64_t left = clup_simulation_rows(of->simulation) - of->row,
                   count = left > 0 ? clup_simulation_piece(of->simulation, of->row) : 0;
    clup_status status = CLUP_OK;
    const clup_problem *problem = &of->simulation->problem;
    const unsigned numbers = clup_spin_numbers(problem);
    const size_t length = (size_t)(count * problem->size[0]) * (numbers > 0 ? numbers : 1);
    *piece = numbers > 0 ? (clup_piece){of->values, length * sizeof *of->values}
                         : (clup_piece){of->spins, length};
    if (count == 0)
        return CLUP_OK;
    CLUP_TRY(clup_engine_agree_on(engine, CLUP_OK));
    CLUP_TRY(clup_simulation_read_places(of->simulation, of->row, count, of->spins));
    for (size_t k = 0; k < length && numbers > 0; k++) {
        uint32_t number;
        memcpy(&number, of->spins + 4 * k, 4);
        of->values[k] = numbers == 1 ? number * (2 * M_PI * 0x1p-32) : (int32_t)number * 0x1p-30;
    }
    mark_vacant(of, of->row, count);
    of->row += count;
done:
    of->ended = status != CLUP_OK;
    return status;
}

static clup_status next_piece(void *user, clup_piece *piece)
{
    pieces *of = user;
    if (of->header_bytes == 0)
        return next_rows(of, piece);
    *piece = (clup_piece){of->header, of->header_bytes};
    of->header_bytes = 0;
    return CLUP_OK;
}

clup_status clup_simulation_write_spins(clup_simulation *simulation, const char *path)
{
    CLUP_NEED(simulation);
    CLUP_NEED(path);
    const clup_problem *problem = &simulation->problem;
    const clup_ranks *ranks = simulation->engine->ranks;
    const unsigned axes = problem->graph != NULL ? 1 : clup_lattice_axes(problem->lattice),
                   more = clup_problem_replicas(problem) > 1, numbers = clup_spin_numbers(problem);
    const size_t most = (size_t)clup_simulation_piece(simulation, 0) * problem->size[0] *
                        clup_spin_bytes(problem);
    size_t shape[5] = {clup_problem_replicas(problem)};
    clup_status status = CLUP_OK;
    clup_piece piece = {.size = 1};
    for (unsigned axis = 0; axis < axes; axis++)
        shape[more + axis] = problem->size[axes - 1 - axis];
    shape[more + axes] = numbers;
    pieces of = {.simulation = simulation,
                 .spins = malloc(most),
                 .values = numbers > 0 ? malloc(2 * most) : NULL,
                 .vacant = malloc(problem->size[0] / 8 + sizeof *of.vacant)};
    if (of.spins == NULL || of.vacant == NULL || (numbers > 0 && of.values == NULL))
        status = clup_fail_memory("the spins");
    else if (ranks == NULL || ranks->index == 0) {
        of.header_bytes = clup_npy_header(of.header, numbers > 0 ? CLUP_DTYPE_F64 : CLUP_DTYPE_U8,
                                          shape, more + axes + (numbers > 1));
        status = clup_file_write_from(path, next_piece, &of);
    } else
        while (status == CLUP_OK && piece.size > 0)
            status = next_rows(&of, &piece);
    if (!of.ended)
        status = clup_engine_agree_on(simulation->engine, status);
    free(of.spins);
    free(of.values);
    free(of.vacant);
    return status;
}
