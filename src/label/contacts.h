/* SPDX-License-Identifier: BSD-3-Clause */
/* Contacts of labels, shared by the files that find and check them. */
#ifndef CLUP_LABEL_CONTACTS_H
#define CLUP_LABEL_CONTACTS_H
#include "base/status.h"
#include "program.h"

/* Pairs in any order, some of them several times. */
typedef struct clup_contact_list {
    clup_contact *pairs;
    uint64_t count, room;
} clup_contact_list;

/* Makes room for more pairs after those that are there. CLUP_ERROR_MEMORY. */
clup_status clup_contact_list_reserve(clup_contact_list *list, uint64_t more);
/* Sorts the pairs by a, then b, and adds up those of the same labels. */
clup_status clup_contact_list_settle(clup_contact_list *list);

/* Validates a problem. */
clup_status clup_contacts_check(const clup_contact_problem *problem);
/* Bits of the steps to neighbours (cl/image/contacts.clh), with y and z of the problem. */
uint32_t clup_contact_neighbours(unsigned connectivity);

/* The serial definition: looks at each pixel and its neighbours, and adds their pairs, which it
 * settles, to the list. */
clup_status clup_contacts_serial(const clup_contact_problem *problem, const uint32_t *labels,
                                 clup_contact_list *list);
/* What is searched: labels of the host, or those in a buffer of the context, where from is NULL;
 * and of the host the layer that follows the last one, NULL for the one that follows by the
 * problem. */
typedef struct clup_contact_labels {
    const uint32_t *from, *next;
    struct _cl_mem *buffer;
} clup_contact_labels;
/* Searches on a device. The list becomes settled; *transfer_s the seconds of transfers. */
clup_status clup_contacts_on_device(clup_context *context, const clup_contact_problem *problem,
                                    const clup_contact_labels *labels, clup_contact_list *list,
                                    double *transfer_s);
/* Does that for the labels of the host of all processes, each of which has those of its layers, and
 * gets the pairs of all. */
clup_status clup_contacts_in_parts(clup_context *context, const clup_ranks *ranks,
                                   const clup_contact_problem *problem, const uint32_t *labels,
                                   clup_contact_list *list, double *transfer_s);
/* The known-answer test of a connectivity, which is made once in a context. find is what is
 * tested. */
typedef clup_status clup_contacts_finder(clup_context *context, const clup_contact_problem *problem,
                                         const uint32_t *labels, clup_contact_list *list);
clup_status clup_contacts_verify(clup_context *context, unsigned connectivity,
                                 clup_contacts_finder *find);

/* Builds the kernels for a connectivity, and frees them. */
clup_status clup_contacts_build(clup_context *context, unsigned connectivity);

/* Places of the first table, a power of two, and pixels of a launch, set by tests; 0 for what fits
 * the image and the device. */
extern uint64_t clup_contacts_first_places, clup_contacts_piece;

#endif
