/* SPDX-License-Identifier: BSD-3-Clause */
/* The values that fits are of. */
#include <math.h>
#include <stdlib.h>

#include "cli/scale/scale.h"

int scale_add(scale_fits *to, double length, const double *x, const double *values,
              const double *covariance, size_t count, unsigned blocks)
{
    scale_point *grown = realloc(to->points, (to->point_count + count) * sizeof *grown);
    if (grown == NULL)
        return cli_fail_memory("the values");
    to->points = grown;
    for (size_t k = 0; k < count; k++)
        to->points[to->point_count++] = (scale_point){length, x[k], values[k],
                                                      sqrt(covariance[k * count + k])};
    const clup_status status = clup_scaling_add(to->scaling, length, x, values, covariance, count,
                                                blocks);
    return status == CLUP_OK            ? 0
           : status == CLUP_ERROR_USAGE ? cli_usage_error("%s", clup_error_detail())
                                        : cli_fail(status);
}
