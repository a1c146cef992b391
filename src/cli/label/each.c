/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes each component of clup label by itself. */
#include "cli/label/label.h"
#include "cli/paths.h"

int label_settle_each(const label_request *request)
{
    return request->each == NULL || cli_has_extension(request->each, ".png") ||
                   cli_has_extension(request->each, ".npy")
               ? 0
               : cli_usage_error("--each '%s': the extension is neither .npy nor .png",
                                 request->each);
}

int label_save_each(const label_result *result)
{
    const clup_status status = clup_labels_write_each(result->request->each, &result->image,
                                                      result->labels, result->components);
    return status == CLUP_OK ? 0 : cli_fail(status);
}
