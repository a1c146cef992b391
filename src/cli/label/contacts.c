/* SPDX-License-Identifier: BSD-3-Clause */
/* Which components of clup label touch. */
#include <string.h>

#include "cli/label/label.h"
#include "cli/paths.h"

int label_settle_contacts(const label_request *request)
{
    return request->contacts == NULL || cli_has_extension(request->contacts, ".csv") ||
                   cli_has_extension(request->contacts, ".npz")
               ? 0
               : cli_usage_error("--contacts '%s': the extension is neither .csv nor .npz",
                                 request->contacts);
}

int label_find_contacts(clup_context *context, label_result *result)
{
    const label_request *request = result->request;
    const clup_label_problem *of = &request->problem;
    clup_contact_problem problem = {.connectivity = of->connectivity};
    memcpy(problem.size, of->size, sizeof problem.size);
    memcpy(problem.periodic, of->periodic, sizeof problem.periodic);
    memcpy(problem.spacing, request->spacing, sizeof problem.spacing);
    const clup_status status = clup_contacts_find(context, &problem, result->labels,
                                                  &result->contacts, &result->contact_timing);
    return status == CLUP_OK ? 0 : cli_fail(status);
}

int label_save_contacts(const label_result *result)
{
    const clup_status status = clup_contacts_write(result->request->contacts, &result->contacts,
                                                   result->components);
    return status == CLUP_OK ? 0 : cli_fail(status);
}
