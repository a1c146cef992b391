/* SPDX-License-Identifier: BSD-3-Clause */
/* Images as problems: pixels are sites of a lattice, or blocks of pixels are. */
#ifndef CLUP_CORE_IMAGE_H
#define CLUP_CORE_IMAGE_H
#include "core/state.h"

/* CLUP_ERROR_USAGE names what is out of range. */
clup_status clup_image_check(const clup_label_problem *image);
/* The lattice of a connectivity. */
clup_status clup_image_lattice(const clup_label_problem *image, clup_lattice_kind *lattice);
/* The problem that has the image's own lattice, each site a pixel. The image has been checked, and
 * must live as long. */
clup_problem clup_image_pixels(const clup_label_problem *image);
/* The bits of its level and of a channel of its background, as kernels and hosts compare them:
 * those of the pixels' type, or of a u64 for how far apart integers are. */
uint64_t clup_image_level(const clup_label_problem *image);
uint64_t clup_image_background(const clup_label_problem *image, unsigned channel);
/* Whether all pixels of the foreground match, so that it says all. */
bool clup_image_by_foreground(const clup_label_problem *image);
/* What the model's row says, see clup_model_row: the problem whose sites a layout has, or with
 * pixels for sites for NULL; and what a state of an image has of it. */
clup_problem clup_image_sites(const clup_layout *layout, const clup_problem *problem);
void clup_image_describe(const clup_problem *problem, clup_state *state);

#endif
