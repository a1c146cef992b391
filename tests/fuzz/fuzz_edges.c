/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes do the readers of edges no harm: they are edges between vertices of the graph, or the
 * readers say what is wrong. An entry for libFuzzer, see tests/fuzz.sh. */
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "io/edges.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define MOST_BYTES ((uint64_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    clup_input input = {.name = "fuzz", .bytes = malloc(size), .size = size, .most = MOST_BYTES};
    clup_edges edges = {0};
    double *weights = NULL;
    if (input.bytes == NULL && size > 0)
        return 0;
    if (size > 0)
        memcpy(input.bytes, bytes, size);
    const clup_status status = clup_edges_decode(&input, &edges, size % 2 ? &weights : NULL);
    for (uint64_t k = 0; status == CLUP_OK && k < 2 * edges.edges; k++)
        if (clup_value_get(edges.dtype, edges.ends, k) >= edges.vertices)
            abort();
    if (status != CLUP_OK && strlen(clup_error_detail()) == 0)
        abort();
    /* each byte of all weights can be read */
    double sum = 0;
    for (uint64_t k = 0; status == CLUP_OK && weights != NULL && k < edges.edges; k++)
        sum += weights[k];
    if (sum == 0.123)
        fputs("", stderr);
    free(weights);
    clup_edges_clear(&edges);
    free(input.bytes);
    return 0;
}
