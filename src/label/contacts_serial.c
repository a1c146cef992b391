/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds on the host which labels touch: the definition of it, and the known-answer test of a
 * device. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.clh"
#include "image/contacts.clh"
#include "label/contacts.h"
#include "ocl/context.h"

/* Pairs that are collected before they are added up for the first time. */
#define PIECE ((uint64_t)1 << 20)

static const int steps[CONTACT_STEPS][3] = {
    {1, 0, 0}, {0, 1, 0},  {0, 0, 1}, {1, 1, 0},  {-1, 1, 0}, {1, 0, 1},   {-1, 0, 1},
    {0, 1, 1}, {0, -1, 1}, {1, 1, 1}, {-1, 1, 1}, {1, -1, 1}, {-1, -1, 1},
};

uint32_t clup_contact_neighbours(unsigned connectivity)
{
    switch (connectivity) {
    case 4: return 1u << 0 | 1u << 1;
    case 8: return 1u << 0 | 1u << 1 | 1u << 3 | 1u << 4;
    case 6: return CONTACT_FACES;
    case 18: return CONTACT_FACES | CONTACT_EDGES;
    default: return CONTACT_FACES | CONTACT_EDGES | CONTACT_CORNERS;
    }
}

/* Adds one contact, along step d, to the last pair or after it. Pairs are added up when there are
 * *due of them. */
static clup_status add(clup_contact_list *list, uint64_t *due, uint32_t own, uint32_t other,
                       unsigned d)
{
    const uint32_t a = own < other ? own : other, b = own < other ? other : own;
    clup_contact *last = list->count > 0 ? &list->pairs[list->count - 1] : NULL;
    clup_status status = CLUP_OK;
    if (last == NULL || last->a != a || last->b != b) {
        if (list->count >= *due) {
            CLUP_TRY(clup_contact_list_settle(list));
            *due = 2 * list->count > PIECE ? 2 * list->count : PIECE;
        }
        CLUP_TRY(clup_contact_list_reserve(list, 1));
        last = &list->pairs[list->count++];
        *last = (clup_contact){.a = a, .b = b};
    }
    if (CONTACT_FACES >> d & 1)
        last->faces[d]++;
    else if (CONTACT_EDGES >> d & 1)
        last->edges++;
    else
        last->corners++;
done:
    return status;
}

/* Sets the neighbour of a place along a step. Returns false if there is none. */
static bool step_to(const clup_contact_problem *problem, const uint32_t at[3], const int step[3],
                    uint32_t to[3])
{
    for (unsigned axis = 0; axis < 3; axis++) {
        const uint32_t size = problem->size[axis];
        const bool leaves = step[axis] > 0   ? at[axis] + 1 == size
                            : step[axis] < 0 ? at[axis] == 0
                                             : false;
        if (leaves && !problem->periodic[axis])
            return false;
        to[axis] = !leaves ? at[axis] + (uint32_t)step[axis] : step[axis] > 0 ? 0 : size - 1;
    }
    return true;
}

clup_status clup_contacts_serial(const clup_contact_problem *problem, const uint32_t *labels,
                                 clup_contact_list *list)
{
    const uint32_t *size = problem->size, wanted = clup_contact_neighbours(problem->connectivity);
    uint64_t i = 0, due = PIECE;
    uint32_t at[3], to[3];
    clup_status status = CLUP_OK;
    for (at[2] = 0; at[2] < size[2]; at[2]++)
        for (at[1] = 0; at[1] < size[1]; at[1]++)
            for (at[0] = 0; at[0] < size[0]; at[0]++, i++)
                for (unsigned d = 0; d < CONTACT_STEPS && labels[i] != 0; d++) {
                    if (!(wanted >> d & 1) || !step_to(problem, at, steps[d], to))
                        continue;
                    const uint32_t other =
                        labels[to[0] + size[0] * (to[1] + (uint64_t)size[1] * to[2])];
                    if (other != 0 && other != labels[i])
                        CLUP_TRY(add(list, &due, labels[i], other, d));
                }
    CLUP_TRY(clup_contact_list_settle(list));
done:
    return status;
}

/* ---- the known-answer test ------------------------------------------------------------------- */

clup_status clup_contacts_verify(clup_context *context, unsigned connectivity,
                                 clup_contacts_finder *find)
{
    const bool plane = clup_connectivity_axes(connectivity) == 2;
    const clup_contact_problem problem = {.size = {41, plane ? 83 : 19, plane ? 1 : 21},
                                          .connectivity = connectivity,
                                          .periodic = {1, 0, !plane}};
    const uint64_t pixels = (uint64_t)problem.size[0] * problem.size[1] * problem.size[2];
    const random_key key = {.seed0 = connectivity};
    clup_contact_list found = {0}, wanted = {0};
    clup_text *verified = &context->verified;
    uint32_t *labels = NULL;
    clup_status status = CLUP_OK;
    char name[32];
    snprintf(name, sizeof name, "contacts %u\n", connectivity);
    if (verified->length > 0 && strstr(verified->data, name) != NULL)
        return CLUP_OK;
    if ((labels = malloc((size_t)pixels * sizeof *labels)) == NULL)
        return clup_fail_memory("a known-answer test");
    /* many labels in the first half, few in the second */
    for (uint64_t i = 0; i < pixels; i++)
        labels[i] = random_block(key, 0, i, 0).v[0] % (i < pixels / 2 ? 1000 : 4);
    CLUP_TRY(clup_contacts_serial(&problem, labels, &wanted));
    CLUP_TRY(find(context, &problem, labels, &found));
    if (found.count != wanted.count ||
        memcmp(found.pairs, wanted.pairs, (size_t)found.count * sizeof *found.pairs) != 0)
        CLUP_TRY(clup_fail(CLUP_ERROR_VERIFY,
                           "%s finds %" PRIu64 " pairs of labels that touch, the host %" PRIu64
                           ", or others of them",
                           context->device.info.name, found.count, wanted.count));
    clup_text_add_bytes(verified, name, strlen(name));
    (void)clup_text_ok(verified);
done:
    free(labels);
    free(found.pairs);
    free(wanted.pairs);
    return status;
}
