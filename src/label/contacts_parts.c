/* SPDX-License-Identifier: BSD-3-Clause */
/* Which labels touch where each of several processes has some layers of them. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "label/border.h"
#include "label/contacts.h"

/* Gets the first layer of the next process, and gives the own one to the process before. *next
 * becomes NULL where no layer follows. */
static clup_status bring_next(const clup_ranks *ranks, bool around, const uint32_t *labels,
                              size_t bytes, uint32_t **next)
{
    const uint32_t index = ranks->index, last = ranks->count - 1,
                   below = index > 0 ? index - 1
                           : around  ? last
                                     : CLUP_NOBODY,
                   above = index < last ? index + 1
                           : around     ? 0
                                        : CLUP_NOBODY;
    *next = malloc(bytes);
    clup_status status = *next != NULL ? CLUP_OK : clup_fail_memory("the labels of processes");
    CLUP_TRY(status);
    CLUP_TRY(ranks->exchange(ranks, below, labels, above, *next, bytes));
    if (above == CLUP_NOBODY) {
        free(*next);
        *next = NULL;
    }
done:
    return status;
}

/* Gives each process the pairs of all. */
static clup_status gather(const clup_ranks *ranks, clup_contact_list *list)
{
    void *found = NULL;
    uint64_t places, count = 0;
    clup_status status = CLUP_OK;
    CLUP_TRY(
        clup_gather_items(ranks, list->pairs, list->count, sizeof *list->pairs, &found, &places));
    if (found == NULL)
        return CLUP_OK;
    clup_contact *all = found;
    /* labels of pairs are above 0 */
    for (uint64_t k = 0; k < places; k++)
        if (all[k].b > 0)
            all[count++] = all[k];
    free(list->pairs);
    *list = (clup_contact_list){all, count, places};
    CLUP_TRY(clup_contact_list_settle(list));
done:
    return status;
}

clup_status clup_contacts_in_parts(clup_context *context, const clup_ranks *ranks,
                                   const clup_contact_problem *problem, const uint32_t *labels,
                                   clup_contact_list *list, double *transfer_s)
{
    const unsigned axis = clup_connectivity_axes(problem->connectivity) - 1;
    clup_label_problem image = {.connectivity = problem->connectivity};
    clup_contact_problem part = *problem;
    clup_contact_labels from = {.from = labels};
    clup_layers layers;
    uint32_t *next = NULL;
    clup_status status = CLUP_OK;
    memcpy(image.size, problem->size, sizeof image.size);
    CLUP_TRY(clup_layers_of(&image, ranks, &layers));
    CLUP_TRY(bring_next(ranks, problem->periodic[axis] != 0, labels,
                        clup_layers_pixels(&layers) / layers.count * sizeof *labels, &next));
    part.size[axis] = layers.count;
    part.periodic[axis] = 0;
    from.next = next;
    CLUP_TRY(clup_contacts_on_device(context, &part, &from, list, transfer_s));
    CLUP_TRY(gather(ranks, list));
done:
    free(next);
    return status;
}
