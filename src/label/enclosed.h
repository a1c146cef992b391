/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions that another region encloses. */
#ifndef CLUP_LABEL_ENCLOSED_H
#define CLUP_LABEL_ENCLOSED_H
#include "base/status.h"

/* Finds for each region which other one encloses it: without that one, no way leads through regions
 * that touch each other from it to the border. Of several the nearest one is meant.
 *
 *   regions   they are numbered from 1 to this
 *   contacts  [count] those that touch; border[regions + 1] is not 0 for those at the border
 *   by        [regions + 1] becomes the region that encloses each one; 0 for none */
clup_status clup_enclosed(uint32_t regions, const clup_contact *contacts, uint64_t count,
                          const uint64_t *border, uint32_t *by);

#endif
