/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads couplings of single bonds from a file. */
#include <stdlib.h>

#include "base/dtype.h"
#include "program.h"

clup_status clup_bond_couplings_read(const char *path, const clup_bond_couplings **out)
{
    CLUP_NEED(path);
    CLUP_NEED(out);
    clup_image array = {0};
    double *numbers = NULL;
    clup_status status = CLUP_OK;
    *out = NULL;
    CLUP_TRY(clup_image_read(path, NULL, &array));
    if (array.axes != 2 || array.channels != 1)
        CLUP_TRY(clup_fail(CLUP_ERROR_RUNTIME,
                           "'%.300s' is no array with two axes, of directions and of sites", path));
    const unsigned directions = array.size[1];
    const uint64_t sites = array.size[0], count = directions * sites;
    if ((numbers = malloc(count * sizeof *numbers)) == NULL)
        CLUP_TRY(clup_fail_memory("the couplings"));
    for (uint64_t k = 0; k < count; k++)
        numbers[k] = clup_value_number(array.dtype, clup_value_get(array.dtype, array.pixels, k));
    CLUP_TRY(clup_bond_couplings_make(numbers, directions, sites, out));
done:
    free(numbers);
    clup_image_clear(&array);
    return status;
}
