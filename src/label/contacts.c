/* SPDX-License-Identifier: BSD-3-Clause */
/* Which labels touch: validates what is asked for, searches on the device or on the host, and gives
 * areas. */
#include "label/contacts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/timing.h"
#include "image/contacts.clh"
#include "ocl/context.h"

clup_status clup_contacts_check(const clup_contact_problem *problem)
{
    const unsigned connectivity = problem->connectivity;
    const bool plane = clup_connectivity_axes(connectivity) == 2;
    const uint32_t *size = problem->size;
    const clup_status status = CLUP_RESERVED(problem, "clup_contact_problem");
    if (status != CLUP_OK)
        return status;
    if (!plane && connectivity != 6 && connectivity != 18 && connectivity != 26)
        return clup_fail(CLUP_ERROR_USAGE,
                         "connectivity %u: there is 4 and 8 in the plane, 6, 18 and 26 in a volume",
                         connectivity);
    if (size[0] == 0 || size[1] == 0 || size[2] == 0 || (plane && size[2] != 1))
        return clup_fail(CLUP_ERROR_USAGE,
                         "no image: %" PRIu32 " x %" PRIu32 " x %" PRIu32
                         " labels with %u neighbours",
                         size[0], size[1], size[2], connectivity);
    if (size[0] * (uint64_t)(plane ? 1 : size[1]) > CONTACT_PIXELS_MOST)
        return clup_fail(CLUP_ERROR_USAGE, "a layer of labels has more than 2^29 pixels");
    if (plane && problem->periodic[2])
        return clup_fail(CLUP_ERROR_USAGE, "axis z of an image in the plane is not periodic");
    for (unsigned axis = 0; axis < 3; axis++)
        if (!(problem->spacing[axis] >= 0) || isinf(problem->spacing[axis]))
            return clup_fail(CLUP_ERROR_USAGE, "spacing %g along %c is no positive number",
                             problem->spacing[axis], "xyz"[axis]);
    return CLUP_OK;
}

static double area_of(const clup_contact_problem *problem, const clup_contact *pair)
{
    double length[3], area = 0;
    for (unsigned axis = 0; axis < 3; axis++)
        length[axis] = problem->spacing[axis] > 0 ? problem->spacing[axis] : 1;
    if (clup_connectivity_axes(problem->connectivity) == 2)
        length[2] = 1;
    for (unsigned axis = 0; axis < 3; axis++)
        area += (double)pair->faces[axis] * (length[(axis + 1) % 3] * length[(axis + 2) % 3]);
    return area;
}

/* Makes contacts of a list, which becomes empty. */
static void put(const clup_contact_problem *problem, clup_contact_list *list, clup_contacts *out)
{
    *out = (clup_contacts){.pairs = list->pairs,
                           .count = list->count,
                           .axes = clup_connectivity_axes(problem->connectivity) == 2 ? 2 : 3};
    *list = (clup_contact_list){0};
    for (uint64_t k = 0; k < out->count; k++)
        out->pairs[k].area = area_of(problem, &out->pairs[k]);
}

/* The known-answer test's search. */
static clup_status find_in_memory(clup_context *context, const clup_contact_problem *problem,
                                  const uint32_t *labels, clup_contact_list *list)
{
    double transfer_s;
    return clup_contacts_on_device(context, problem, &(clup_contact_labels){.from = labels}, list,
                                   &transfer_s);
}

/* Searches labels of the host, from, or those in a buffer, where from is NULL. */
static clup_status find(clup_context *context, const clup_contact_problem *problem,
                        const uint32_t *from, cl_mem labels, clup_contacts *out,
                        clup_label_timing *timing)
{
    clup_contact_list list = {0};
    clup_label_timing spent = {0};
    const double start = clup_now_s();
    clup_status status = CLUP_OK;
    if (context == NULL) {
        CLUP_TRY(clup_contacts_serial(problem, from, &list));
    } else {
        CLUP_TRY(clup_contacts_verify(context, problem->connectivity, find_in_memory));
        clup_timer_collect(&context->timer);
        clup_timer_reset(&context->timer);
        if (clup_context_in_parts(context, 1))
            CLUP_TRY(clup_contacts_in_parts(context, context->ranks, problem, from, &list,
                                            &spent.transfer_s));
        else
            CLUP_TRY(clup_contacts_on_device(context, problem,
                                             &(clup_contact_labels){.from = from, .buffer = labels},
                                             &list, &spent.transfer_s));
        clup_timer_collect(&context->timer);
        spent.device_s = clup_timer_known(&context->timer)
                             ? 1e-9 * (double)context->timer.total_ns[CLUP_MEASURE]
                             : NAN;
    }
    put(problem, &list, out);
    spent.wall_s = clup_now_s() - start;
    if (timing != NULL)
        *timing = spent;
done:
    free(list.pairs);
    return status;
}

static clup_status check(const clup_contact_problem *problem, clup_contacts *out)
{
    CLUP_NEED(out);
    *out = (clup_contacts){0};
    CLUP_NEED(problem);
    return clup_contacts_check(problem);
}

clup_status clup_contacts_find(clup_context *context, const clup_contact_problem *problem,
                               const uint32_t *labels, clup_contacts *out,
                               clup_label_timing *timing)
{
    clup_status status = check(problem, out);
    CLUP_TRY(status);
    CLUP_NEED(labels);
    CLUP_TRY(find(context, problem, labels, NULL, out, timing));
done:
    return status;
}

clup_status clup_contacts_find_buffer(clup_context *context, const clup_contact_problem *problem,
                                      cl_mem labels, clup_contacts *out, clup_label_timing *timing)
{
    clup_status status = check(problem, out);
    CLUP_TRY(status);
    CLUP_NEED(context);
    CLUP_NEED(labels);
    if (clup_context_in_parts(context, 1))
        return clup_fail(CLUP_ERROR_USAGE, "labels in a buffer are not searched by several "
                                           "processes, which the context has joined: see "
                                           "clup_contacts_find");
    CLUP_TRY(find(context, problem, NULL, labels, out, timing));
done:
    return status;
}

void clup_contacts_clear(clup_contacts *contacts)
{
    if (contacts == NULL)
        return;
    free(contacts->pairs);
    *contacts = (clup_contacts){0};
}
