/* SPDX-License-Identifier: BSD-3-Clause */
/* Lattice of a problem. */
#include "core/lattice.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bond_couplings.h"
#include "core/graph.h"
#include "core/weight.h"
#include "program.h"

static const clup_lattice lattices[CLUP_LATTICES] = {
/* clang-format off */
#define LATTICE_ROW(NAME, AXES_OF_IT, LIST, ...) \
    {.name = NAME, .define = #LIST, .axes = AXES_OF_IT, \
     .directions = sizeof((lattice_offset[]){LIST}) / sizeof(lattice_offset), .offsets = {LIST}, \
     __VA_ARGS__}
#define PLAIN .cell = {1, 1, 1}, .period = {1, 1, 1}
#define PATTERN(CELL, ...) .cell = {CELL, 1, 1}, .period = {__VA_ARGS__}
/* a cell of 2 x 2 sites, of which that with odd x and odd y is a hole */
#define HOLES .cell = {2, 2, 1}, .period = {2, 2, 1}, .holes = {0, AT_ODD}
    /* clang-format on */
    [CLUP_LATTICE_SQUARE] = LATTICE_ROW("square", 2, LATTICE_SQUARE, PLAIN),
    [CLUP_LATTICE_TRIANGULAR] = LATTICE_ROW("triangular", 2, LATTICE_TRIANGULAR, PLAIN),
    [CLUP_LATTICE_CUBIC] = LATTICE_ROW("cubic", 3, LATTICE_CUBIC, PLAIN),
    [CLUP_LATTICE_SQUARE_8] = LATTICE_ROW("square-8", 2, LATTICE_SQUARE_8, PLAIN),
    [CLUP_LATTICE_CUBIC_18] = LATTICE_ROW("cubic-18", 3, LATTICE_CUBIC_18, PLAIN),
    [CLUP_LATTICE_CUBIC_26] = LATTICE_ROW("cubic-26", 3, LATTICE_CUBIC_26, PLAIN),
    [CLUP_LATTICE_CHAIN] = LATTICE_ROW("chain", 2, LATTICE_CHAIN, PATTERN(1, 1, 1, 1)),
    [CLUP_LATTICE_HONEYCOMB] = LATTICE_ROW("honeycomb", 2, LATTICE_HONEYCOMB, PATTERN(2, 2, 2, 1)),
    [CLUP_LATTICE_SQUARE_OCTAGON] = LATTICE_ROW("square-octagon", 2, LATTICE_SQUARE_OCTAGON,
                                                PATTERN(4, 4, 2, 1)),
    [CLUP_LATTICE_UNION_JACK] = LATTICE_ROW("union-jack", 2, LATTICE_UNION_JACK,
                                            PATTERN(2, 2, 2, 1)),
    [CLUP_LATTICE_CHECKERBOARD] = LATTICE_ROW("checkerboard", 2, LATTICE_CHECKERBOARD,
                                              PATTERN(2, 2, 2, 1)),
    [CLUP_LATTICE_BCC] = LATTICE_ROW("bcc", 3, LATTICE_BCC, PLAIN),
    [CLUP_LATTICE_FCC] = LATTICE_ROW("fcc", 3, LATTICE_FCC, PLAIN),
    [CLUP_LATTICE_DIAMOND] = LATTICE_ROW("diamond", 3, LATTICE_DIAMOND, PATTERN(2, 2, 2, 2)),
    [CLUP_LATTICE_KAGOME] = LATTICE_ROW("kagome", 2, LATTICE_KAGOME, HOLES),
    [CLUP_LATTICE_LIEB] = LATTICE_ROW("lieb", 2, LATTICE_LIEB, HOLES),
    [CLUP_LATTICE_GRAPH] = LATTICE_ROW("graph", 2, LATTICE_GRAPH, PLAIN),
};

const clup_lattice *clup_lattice_of(const lattice_args *lattice)
{
    return &lattices[lattice->kind];
}

const char *clup_lattice_name(clup_lattice_kind lattice)
{
    return (unsigned)lattice < CLUP_LATTICES ? lattices[lattice].name : NULL;
}

unsigned clup_lattice_axes(clup_lattice_kind lattice)
{
    return (unsigned)lattice < CLUP_LATTICES ? lattices[lattice].axes : 0;
}

void clup_lattice_cell(clup_lattice_kind lattice, unsigned cell[3])
{
    for (unsigned axis = 0; axis < 3; axis++)
        cell[axis] = (unsigned)lattice < CLUP_LATTICES ? lattices[lattice].cell[axis] : 1;
}

bool clup_lattice_has_pattern(clup_lattice_kind lattice)
{
    for (unsigned d = 0; d < lattices[lattice].directions; d++)
        if (lattices[lattice].offsets[d].absent[0] != 0 ||
            lattices[lattice].offsets[d].absent[1] != 0)
            return true;
    return false;
}

bool clup_lattice_has_holes(clup_lattice_kind lattice)
{
    return lattices[lattice].holes[0] != 0 || lattices[lattice].holes[1] != 0;
}

uint32_t clup_lattice_row_holes(const lattice_args *lattice, uint64_t row)
{
    return lattices[lattice->kind].holes[row & 1];
}

uint64_t clup_problem_holes(const clup_problem *problem)
{
    const uint32_t *holes = lattices[problem->lattice].holes, rows = problem->size[1];
    return (uint64_t)problem->size[0] *
           ((rows + 1) / 2 * (uint64_t)__builtin_popcount(holes[0]) +
            rows / 2 * (uint64_t)__builtin_popcount(holes[1])) /
           32;
}

uint64_t clup_problem_real_sites(const clup_problem *problem)
{
    const uint64_t sites = clup_problem_sites(problem);
    return sites > 0 ? sites - clup_problem_holes(problem) : 0;
}

int clup_lattice_leads_along(clup_lattice_kind lattice, unsigned axis)
{
    for (unsigned d = 0; axis < clup_lattice_axes(lattice) && d < lattices[lattice].directions;
         d++) {
        const lattice_offset *offset = &lattices[lattice].offsets[d];
        if (step_along(*offset, axis) != 0 && (offset->absent[0] & offset->absent[1]) != UINT32_MAX)
            return true;
    }
    return false;
}

bool clup_lattice_changes_parity(clup_lattice_kind lattice)
{
    for (unsigned d = 0; d < lattices[lattice].directions; d++) {
        const lattice_offset *offset = &lattices[lattice].offsets[d];
        if ((offset->x + offset->y + offset->z) % 2 == 0)
            return false;
    }
    return true;
}

void clup_lattice_fit(clup_lattice_kind lattice, uint32_t size[3])
{
    for (unsigned axis = 0; axis < 3; axis++) {
        const unsigned period = lattices[lattice].period[axis];
        size[axis] = (size[axis] + period - 1) / period * period;
    }
}

clup_status clup_lattice_check_size(const clup_problem *problem, uint64_t most)
{
    const clup_lattice *lattice = &lattices[problem->lattice];
    const uint32_t *size = problem->size;
    char text[64];
    uint64_t sites = 1;
    snprintf(text, sizeof text,
             lattice->axes > 2 || size[2] > 1 ? "%" PRIu32 "x%" PRIu32 "x%" PRIu32
                                              : "%" PRIu32 "x%" PRIu32,
             size[0], size[1], size[2]);
    if (lattice->axes < 3 && size[2] > 1)
        return clup_fail(CLUP_ERROR_USAGE, "size %s: the %s lattice has two axes", text,
                         lattice->name);
    for (unsigned axis = 0; axis < lattice->axes; axis++) {
        if (size[axis] < 1)
            return clup_fail(CLUP_ERROR_USAGE, "size %s: each axis needs at least one site", text);
        /* cannot overflow: less than 2^32 times less than 2^32 */
        sites *= size[axis];
        if (sites > most)
            return clup_fail(CLUP_ERROR_USAGE, "size %s: more than %llu sites", text,
                             (unsigned long long)most);
    }
    if (lattice->axes > 2 && (uint64_t)size[1] * size[2] > UINT32_MAX)
        return clup_fail(CLUP_ERROR_USAGE, "size %s: more than %" PRIu32 " rows along x", text,
                         UINT32_MAX);
    return CLUP_OK;
}

/* Validates that rows consist of whole cells, and the lattice fits itself across periodic ends. A
 * part of it may end with half a cell along its slowest axis. */
static clup_status check_pattern(const clup_problem *problem)
{
    const clup_lattice *lattice = &lattices[problem->lattice];
    for (unsigned axis = 0; axis < lattice->axes; axis++) {
        const unsigned period = lattice->period[axis], cell = lattice->cell[axis];
        if (axis == 0 && problem->size[axis] % cell != 0)
            return clup_fail(CLUP_ERROR_USAGE,
                             "%" PRIu32 " sites along %c: the %s lattice has cells of %u",
                             problem->size[axis], 'x' + (int)axis, lattice->name, cell);
        if (problem->periodic[axis] && problem->size[axis] % period != 0)
            return clup_fail(CLUP_ERROR_USAGE,
                             "%" PRIu32 " sites along %c: the %s lattice needs a multiple of %u "
                             "where the axis is periodic",
                             problem->size[axis], 'x' + (int)axis, lattice->name, period);
    }
    return CLUP_OK;
}

clup_status clup_lattice_check(const clup_problem *problem, uint64_t most)
{
    if ((unsigned)problem->lattice >= CLUP_LATTICES)
        return clup_fail(CLUP_ERROR_USAGE, "lattice %d is not known", (int)problem->lattice);
    clup_status status = clup_lattice_check_size(problem, most);
    if (status == CLUP_OK)
        status = check_pattern(problem);
    if (status != CLUP_OK)
        return status;
    /* all samples of percolation have the random numbers of one replica */
    const bool sampled = problem->model == CLUP_BOND_PERCOLATION ||
                         problem->model == CLUP_SITE_PERCOLATION;
    const uint32_t replicas = sampled ? 1 : clup_problem_replicas(problem);
    if (problem->first_replica > CLUP_REPLICAS_ALL - replicas)
        return clup_fail(CLUP_ERROR_USAGE, "replicas %u to %llu: the last one of a seed is %u",
                         problem->first_replica,
                         (unsigned long long)problem->first_replica + replicas - 1,
                         CLUP_REPLICAS_ALL - 1);
    return CLUP_OK;
}

uint32_t clup_problem_replicas(const clup_problem *problem)
{
    return problem->replicas > 0 ? problem->replicas : 1;
}

double clup_problem_beta(const clup_problem *problem, uint32_t replica)
{
    return problem->betas != NULL ? problem->betas[replica] : problem->beta;
}

uint64_t clup_problem_sites(const clup_problem *problem)
{
    return problem != NULL && clup_lattice_axes(problem->lattice) > 0
               ? (uint64_t)problem->size[0] * problem->size[1] *
                     (clup_lattice_axes(problem->lattice) > 2 ? problem->size[2] : 1)
               : 0;
}

unsigned clup_problem_directions(const clup_problem *problem)
{
    return clup_lattice_axes(problem->lattice) > 0 ? lattices[problem->lattice].directions : 0;
}

uint64_t clup_problem_bonds(const clup_problem *problem, unsigned d)
{
    if (problem->lattice == CLUP_LATTICE_GRAPH)
        return clup_graph_edges(problem);
    const clup_lattice *lattice = &lattices[problem->lattice];
    const lattice_offset *offset = &lattice->offsets[d];
    const s32 steps[3] = {offset->x, offset->y, offset->z};
    uint64_t bonds = 0, at[3][4]; /* coordinates that a step can leave, by their rest modulo 4 */
    for (unsigned axis = 0; axis < 3; axis++) {
        const uint64_t size = axis < lattice->axes ? problem->size[axis] : 1,
                       step = axis < lattice->axes && !problem->periodic[axis]
                                  ? (uint64_t)abs(steps[axis])
                                  : 0,
                       first = steps[axis] < 0 ? step : 0,
                       end = size > step ? first + size - step : first;
        for (unsigned rest = 0; rest < 4; rest++)
            at[axis][rest] = (end + 3 - rest) / 4 - (first + 3 - rest) / 4;
    }
    for (unsigned k = 0; k < 64; k++) {
        const unsigned x = k % 4, y = k / 4 % 4, z = k / 16;
        if ((offset->absent[(y + z) & 1] >> x & 1) == 0)
            bonds += at[0][x] * at[1][y] * at[2][z];
    }
    return bonds;
}

uint32_t clup_image_batch(const struct clup_label_problem *image)
{
    return image->batch > 1 ? (uint32_t)image->batch : 1;
}

lattice_args clup_lattice_args(const clup_problem *problem)
{
    unsigned axes = lattices[problem->lattice].axes;
    lattice_args lattice = {
        .nx = problem->size[0],
        .ny = problem->size[1],
        .nz = axes > 2 ? problem->size[2] : 1,
        .words = (problem->size[0] - 1) / 32 + 1,
        .kind = problem->lattice,
    };
    lattice.rows_whole = lattice.rows_own = lattice_rows(lattice);
    if (problem->model == CLUP_IMAGE && problem->image != NULL)
        lattice.rows_whole /= clup_image_batch(problem->image);
    for (unsigned axis = 0; axis < 3; axis++)
        lattice.periodic |= (axis < axes && problem->periodic[axis] ? 1u : 0) << axis;
    return lattice;
}

clup_status clup_lattice_place(lattice_args *lattice, uint64_t first, uint64_t layers)
{
    const unsigned last_axis = clup_lattice_of(lattice)->axes - 1;
    const uint64_t here = lattice_size(*lattice, last_axis), rows = lattice_rows(*lattice) / here;
    if (first >= layers || here > layers + 1)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%" PRIu64 " layers from number %" PRIu64 " on are no part of %" PRIu64,
                         here, first, layers);
    if (layers > CLUP_SITES_WHOLE / (rows * lattice->nx))
        return clup_fail(CLUP_ERROR_USAGE,
                         "%" PRIu64 " layers of %" PRIu64
                         " sites are more than have random numbers",
                         layers, rows * lattice->nx);
    lattice->rows_before = first * rows;
    lattice->rows_whole = layers * rows;
    if (here != layers)
        lattice->periodic &= ~(1u << last_axis);
    return CLUP_OK;
}

uint64_t clup_lattice_sites(const lattice_args *lattice)
{
    return lattice_sites(*lattice);
}

uint64_t clup_lattice_words(const lattice_args *lattice)
{
    return lattice_words(*lattice);
}

uint64_t clup_lattice_tiles(const lattice_args *lattice, const unsigned tile[3])
{
    return (uint64_t)((lattice->nx - 1) / tile[0] + 1) * ((lattice->ny - 1) / tile[1] + 1) *
           ((lattice->nz - 1) / tile[2] + 1);
}

bool clup_lattice_forward(const lattice_args *lattice, unsigned d, uint32_t x, uint32_t row,
                          uint64_t *neighbour)
{
    const clup_lattice *of = &lattices[lattice->kind];
    const lattice_site to = forward_site(*lattice, of->offsets[d], (lattice_site){x, row});
    if (to.x == NOWHERE || to.row == NOWHERE ||
        (pattern_bonds(*lattice, of->axes, of->offsets[d], row) >> x % 32 & 1) == 0)
        return false;
    *neighbour = to.x + (uint64_t)lattice->nx * to.row;
    return true;
}

unsigned clup_spin_planes(unsigned q)
{
    unsigned planes = 1;
    while (1u << planes < q)
        planes++;
    return planes;
}

unsigned clup_spin_field(unsigned q)
{
    unsigned width = 1, planes = clup_spin_planes(q);
    if (1u << planes != q)
        return 32;
    while (width < planes)
        width *= 2;
    return width;
}

bond_law clup_bond_law_of(double beta)
{
    const uint64_t all = (uint64_t)1 << 63, half = (uint64_t)1 << 30;
    const uint64_t threshold = (all - clup_weight(beta) + half) >> 31;
    return (bond_law){.threshold = threshold >> 32 != 0 ? 0 : (uint32_t)threshold,
                      .always = threshold >> 32 != 0,
                      .weight = 1};
}

bond_law clup_law_of_probability(double p)
{
    const double scaled = round(p * 4294967296.0);
    const bool always = scaled >= 4294967296.0;
    return (bond_law){.threshold = always ? 0 : (uint32_t)scaled, .always = always, .weight = 1};
}
