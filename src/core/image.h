/* SPDX-License-Identifier: BSD-3-Clause */
/* Images as problems: the sites of the lattice are pixels or blocks of pixels. */
#ifndef CLUP_CORE_IMAGE_H
#define CLUP_CORE_IMAGE_H
#include "core/state.h"

/* Validates an image. CLUP_ERROR_USAGE names a value out of range. */
clup_status clup_image_check(const clup_label_problem *image);
/* Finds the lattice that has the image's connectivity. CLUP_ERROR_USAGE for an unknown
 * connectivity. */
clup_status clup_image_lattice(const clup_label_problem *image, clup_lattice_kind *lattice);
/* Returns the axis along which the images of a batch lie, the last. */
unsigned clup_image_last_axis(const clup_label_problem *image);
/* Returns the problem on the image's lattice where each site is a pixel, with all images of a
 * batch. The image must have been validated, and must exist as long as the problem. */
clup_problem clup_image_pixels(const clup_label_problem *image);
/* Return the bits of the image's level, and of one channel of its background, as kernels and host
 * compare them. They are bits of the pixels' type; where the level is a distance between integers,
 * bits of a u64. */
uint64_t clup_image_level(const clup_label_problem *image);
uint64_t clup_image_background(const clup_label_problem *image, unsigned channel);
/* Whether any two foreground pixels match, so that bonds follow from the foreground alone. */
bool clup_image_by_foreground(const clup_label_problem *image);
/* Hooks of the model image, see sites and describe of clup_model_row. clup_image_sites returns the
 * problem whose sites the layout stores; for layout NULL, sites are pixels. clup_image_describe
 * adds the image to a state. */
clup_problem clup_image_sites(const clup_layout *layout, const clup_problem *problem);
void clup_image_describe(const clup_problem *problem, clup_state *state);

#endif
