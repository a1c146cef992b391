/* SPDX-License-Identifier: BSD-3-Clause */
/* The formula of Cauchy and Crofton: the perimeter, or the surface, of a region from the number of
 * runs along each direction to a neighbour. */
#ifndef CLUP_LABEL_REGION_DIRECTIONS_H
#define CLUP_LABEL_REGION_DIRECTIONS_H
#include "image/region.clh"

/* Sets weights[FACE_DIRECTIONS(axes)], in the order in which kernels count, so that the sum of runs
 * along a direction times its weight is the length of the border in the plane, and its area in a
 * volume. A direction stands for all directions to which it is the next one, when the lengths of a
 * pixel along x, y and z are spacing: half a circle, or half a sphere, is divided among them. */
void clup_region_directions(unsigned axes, const double spacing[3], double weights[13]);

#endif
