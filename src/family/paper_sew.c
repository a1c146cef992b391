/* SPDX-License-Identifier: BSD-3-Clause */
/* Hierarchical sewing: sews the seams inside blocks, level by level, then the seams across periodic
 * boundaries. Then makes the smallest site of each cluster its root, and points at the root the
 * labels that balancing has left above their sites. */
#include "family/paper.h"

/* Seam bonds that one launch inserts, one after the other. The number keeps a launch far below 100
 * ms. */
#define SEAM_PIECE 4096u

enum { SEW, WRAP, REROOT, LOWER };

typedef struct seam_range {
    cl_uint from, to;
} seam_range;

uint64_t clup_sew_scratch(const clup_prepared *prepared, unsigned which)
{
    return which < 2 ? clup_lattice_sites(&prepared->state->lattice) * sizeof(cl_uint) : 0;
}

static clup_status launch_level(clup_prepared *prepared, const cl_uint half[2],
                                seam_range horizontal, seam_range vertical)
{
    const clup_state *state = prepared->state;
    uint64_t across = (state->lattice.nx - 1) / (2ull * half[0]) + 1,
             down = (state->lattice.ny - 1) / (2ull * half[1]) + 1;
    cl_uint blocks_x = (cl_uint)across;
    return clup_prepared_launch_groups(prepared, SEW, across * down, 2,
                                       CLUP_WITH(CLUP_ARG_AS(half_x, half[0]),
                                                 CLUP_ARG_AS(half_y, half[1]), CLUP_ARG(blocks_x),
                                                 CLUP_ARG(horizontal), CLUP_ARG(vertical)));
}

/* Sews all seams of blocks of 2 x 2 tiles of half[0] x half[1] sites. */
static clup_status sew_level(clup_prepared *prepared, const cl_uint half[2])
{
    const lattice_args *lattice = &prepared->state->lattice;
    const seam_range none = {0, 0};
    uint64_t width = half[0] < lattice->nx ? half[0] : lattice->nx;
    uint64_t height = 2ull * half[1] < lattice->ny ? 2ull * half[1] : lattice->ny;
    clup_status status = CLUP_OK;
    if (width <= SEAM_PIECE && height <= SEAM_PIECE)
        return launch_level(prepared, half, (seam_range){0, (cl_uint)width},
                            (seam_range){0, (cl_uint)height});
    for (uint64_t from = 0; from < width && half[1] < lattice->ny; from += SEAM_PIECE)
        CLUP_TRY(launch_level(prepared, half,
                              (seam_range){(cl_uint)from, (cl_uint)(from + SEAM_PIECE)}, none));
    for (uint64_t from = 0; from < height && half[0] < lattice->nx; from += SEAM_PIECE)
        CLUP_TRY(launch_level(prepared, half, none,
                              (seam_range){(cl_uint)from, (cl_uint)(from + SEAM_PIECE)}));
done:
    return status;
}

static clup_status sew_wrap(clup_prepared *prepared, cl_uint axis)
{
    const clup_state *state = prepared->state;
    uint64_t length = axis == 0 ? state->lattice.ny : state->lattice.nx;
    clup_status status = CLUP_OK;
    for (uint64_t from = 0; from < length; from += SEAM_PIECE) {
        seam_range range = {(cl_uint)from,
                            (cl_uint)(from + SEAM_PIECE < length ? from + SEAM_PIECE : length)};
        CLUP_TRY(clup_prepared_launch_groups(prepared, WRAP, 1, 1,
                                             CLUP_WITH(CLUP_ARG(axis), CLUP_ARG(range))));
    }
done:
    return status;
}

clup_status clup_run_sew(clup_prepared *prepared)
{
    const clup_state *state = prepared->state;
    clup_status status = CLUP_OK;
    cl_uint half[2] = {prepared->tile[0], prepared->tile[1]};
    for (unsigned k = 0; k < 2; k++)
        CLUP_TRY(clup_buffer_zero(state->context, CLUP_CONSOLIDATE, prepared->scratch[k],
                                  prepared->scratch_bytes[k]));
    while (half[0] < state->lattice.nx || half[1] < state->lattice.ny) {
        CLUP_TRY(sew_level(prepared, half));
        for (unsigned axis = 0; axis < 2; axis++)
            half[axis] = half[axis] < 0x80000000u ? 2 * half[axis] : 0xFFFFFFFFu;
    }
    for (cl_uint axis = 0; axis < 2; axis++)
        if (state->lattice.periodic >> axis & 1)
            CLUP_TRY(sew_wrap(prepared, axis));
    CLUP_TRY(clup_prepared_launch(prepared, REROOT, NULL));
    CLUP_TRY(clup_prepared_launch(prepared, LOWER, NULL));
done:
    return status;
}
