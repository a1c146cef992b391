/* SPDX-License-Identifier: BSD-3-Clause */
/* The known-answer test of connected components: small graphs, with few edges and with many, on the
 * device and on the host. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "core/random.clh"
#include "graph/components.h"

#define VERTICES 1500u
#define EDGES_MOST 6000u

static const char name[] = "graph_components\n";

/* Writes edges of a graph: of a path through its vertices, of which one in eight is left out, and
 * between any two vertices. */
static void draw(uint32_t which, uint32_t edges, uint32_t (*ends)[2])
{
    const random_key key = {.seed0 = which};
    for (uint32_t e = 0; e < edges; e++) {
        const philox_block block = random_block(key, 0, e, 0);
        const uint32_t a = which % 2 == 0 ? block.v[0] % VERTICES : e % (VERTICES - 1);
        ends[e][0] = a;
        ends[e][1] = which % 2 == 0 ? block.v[1] % VERTICES : a + (block.v[1] % 8 > 0);
    }
}

static clup_status compare(clup_context *context, uint32_t which, uint32_t edges,
                           uint32_t (*ends)[2], uint32_t *labels)
{
    clup_components *device = NULL, *host = NULL;
    uint32_t count, counted;
    clup_status status = CLUP_OK;
    draw(which, edges, ends);
    CLUP_TRY(clup_components_create_only(context, VERTICES, &device));
    CLUP_TRY(clup_components_create_only(NULL, VERTICES, &host));
    CLUP_TRY(clup_components_add(device, ends, CLUP_DTYPE_U32, edges));
    CLUP_TRY(clup_components_add(host, ends, CLUP_DTYPE_U32, edges));
    CLUP_TRY(clup_components_labels(device, labels, &count));
    CLUP_TRY(clup_components_labels(host, labels + VERTICES, &counted));
    if (count != counted || memcmp(labels, labels + VERTICES, VERTICES * sizeof *labels) != 0)
        CLUP_TRY(clup_fail(CLUP_ERROR_VERIFY,
                           "%s finds %u components of a graph, the host %u, or others of them",
                           context->device.info.name, (unsigned)count, (unsigned)counted));
done:
    clup_components_free(device);
    clup_components_free(host);
    return status;
}

clup_status clup_components_verify(clup_context *context)
{
    static const uint32_t edges[] = {900, 1400, EDGES_MOST, 4000};
    clup_text *verified = &context->verified;
    uint32_t(*ends)[2] = NULL, *labels = NULL;
    clup_status status = CLUP_OK;
    if (verified->length > 0 && strstr(verified->data, name) != NULL)
        return CLUP_OK;
    ends = malloc(EDGES_MOST * sizeof *ends);
    labels = malloc(2 * VERTICES * sizeof *labels);
    if (ends == NULL || labels == NULL)
        CLUP_TRY(clup_fail_memory("a known-answer test"));
    for (uint32_t k = 0; k < sizeof edges / sizeof *edges; k++)
        CLUP_TRY(compare(context, k, edges[k], ends, labels));
    clup_text_add_bytes(verified, name, strlen(name));
    (void)clup_text_ok(verified);
done:
    free(ends);
    free(labels);
    return status;
}
