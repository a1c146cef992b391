/* SPDX-License-Identifier: BSD-3-Clause */
/* The serial definition of labelling: a union-find over the pixels, in which the root of a cluster
 * is its first pixel. */
#include "core/lattice.h"
#include "label/labelling.h"

static uint32_t root_of(uint32_t *parents, uint32_t pixel)
{
    while (parents[pixel] != pixel) {
        parents[pixel] = parents[parents[pixel]];
        pixel = parents[pixel];
    }
    return pixel;
}

static void unite(uint32_t *parents, uint32_t a, uint32_t b)
{
    a = root_of(parents, a);
    b = root_of(parents, b);
    if (a < b)
        parents[b] = a;
    else
        parents[a] = b;
}

void clup_label_reference(const clup_label_problem *problem, const void *pixels, uint32_t *labels)
{
    const clup_problem image = clup_image_pixels(problem);
    const lattice_args lattice = clup_lattice_args(&image);
    const uint64_t each = lattice.nx * lattice.rows_whole;
    const uint32_t all = (uint32_t)clup_lattice_sites(&lattice);
    for (uint32_t pixel = 0; pixel < all; pixel++)
        labels[pixel] = clup_pixel_in_foreground(problem, pixels, pixel) ? pixel : NOWHERE;
    for (uint32_t pixel = 0; pixel < all; pixel++)
        for (unsigned d = 0; labels[pixel] != NOWHERE && d < clup_lattice_of(&lattice)->directions;
             d++) {
            uint64_t to;
            if (clup_lattice_forward(&lattice, d, pixel % lattice.nx, pixel / lattice.nx, &to) &&
                pixel / each == to / each && labels[to] != NOWHERE &&
                clup_pixels_match(problem, pixels, pixel, to, d))
                unite(labels, pixel, (uint32_t)to);
        }
    /* a parent is never behind its child, so that the parent of a pixel has its root already */
    for (uint32_t pixel = 0; pixel < all; pixel++)
        if (labels[pixel] != NOWHERE)
            labels[pixel] = labels[labels[pixel]];
}
