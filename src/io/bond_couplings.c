/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads couplings of single bonds from a file. */
#include <stdlib.h>

#include "base/dtype.h"
#include "io/edges.h"
#include "program.h"

/* Takes couplings from an array of directions x sites. */
static clup_status take_array(clup_input *input, const clup_bond_couplings **out)
{
    clup_image array = {0};
    double *numbers = NULL;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_npy_decode_numbers(input, &array));
    const unsigned directions = array.size[1];
    const uint64_t sites = array.size[0], count = directions * sites;
    if (count == 0)
        CLUP_TRY(clup_input_fail(input, "the array has no numbers"));
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

/* Takes the weights of the edges of a graph. */
static clup_status take_weights(clup_input *input, const clup_bond_couplings **out)
{
    clup_edges edges = {0};
    double *weights = NULL;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_edges_decode(input, &edges, &weights));
    if (edges.edges == 0)
        CLUP_TRY(clup_input_fail(input, "the file has no edges"));
    CLUP_TRY(clup_bond_couplings_make(weights, 1, edges.edges, out));
done:
    free(weights);
    clup_edges_clear(&edges);
    return status;
}

clup_status clup_bond_couplings_read(const char *path, const clup_bond_couplings **out)
{
    CLUP_NEED(path);
    CLUP_NEED(out);
    clup_input input;
    clup_status status = CLUP_OK;
    *out = NULL;
    CLUP_TRY(clup_input_open(path, UINT64_MAX / 4, &input));
    if ((status = clup_input_reach(&input, 8)) == CLUP_OK)
        status = (clup_npy_is(&input) ? take_array : take_weights)(&input, out);
    clup_input_close(&input);
done:
    return status;
}
