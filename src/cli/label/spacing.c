/* SPDX-License-Identifier: BSD-3-Clause */
/* The lengths of a pixel. */
#include <math.h>
#include <string.h>

#include "cli/label/label.h"

/* Reads up to three numbers with commas between them. Returns how many, 0 if they are none. */
static unsigned read_lengths(const char *text, double lengths[3])
{
    char copy[128];
    unsigned count = 0;
    if (strlen(text) >= sizeof copy)
        return 0;
    strcpy(copy, text);
    for (char *item = copy, *comma; item != NULL; item = comma) {
        if ((comma = strchr(item, ',')) != NULL)
            *comma++ = '\0';
        if (count == 3 || cli_parse_double(item, &lengths[count]) != CLUP_OK ||
            !isfinite(lengths[count]) || !(lengths[count] > 0))
            return 0;
        count++;
    }
    return count;
}

clup_status label_set_spacing(void *target, const char *value)
{
    label_request *request = target;
    double *spacing = request->spacing;
    request->spacings = read_lengths(value, spacing);
    if (request->spacings == 0)
        return cli_refuse("is neither a positive number nor one for each axis, with commas between "
                          "them");
    if (request->spacings == 1)
        spacing[1] = spacing[2] = spacing[0];
    return CLUP_OK;
}

int label_settle_spacing(const label_request *request, unsigned axes)
{
    return request->spacings < 2 || request->spacings == axes
               ? 0
               : cli_usage_error("--spacing has %u lengths, the image %u axes", request->spacings,
                                 axes);
}
