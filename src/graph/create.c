/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates graphs, of which the first one of a context has passed a known-answer test. */
#include <inttypes.h>

#include "base/status.h"
#include "graph/components.h"

clup_status clup_components_create(clup_context *context, uint64_t vertices, clup_components **out)
{
    clup_status status = CLUP_OK;
    CLUP_NEED(out);
    *out = NULL;
    if (vertices > CLUP_VERTICES_MOST)
        return clup_fail(CLUP_ERROR_USAGE, "%" PRIu64 " vertices are more than 2^32 - 1", vertices);
    if (context != NULL)
        CLUP_TRY(clup_components_verify(context));
    CLUP_TRY(clup_components_create_only(context, (uint32_t)vertices, out));
done:
    return status;
}
