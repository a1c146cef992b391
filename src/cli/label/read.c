/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading of an image. */
#include <string.h>
#include <strings.h>

#include "cli/label/label.h"

/* Says what the file says of its pixels, and was not done. */
static void say_notes(const char *input, uint64_t notes)
{
    static const struct {
        clup_image_note note;
        const char *text;
    } known[] = {{CLUP_IMAGE_TURNED, "is stored turned or mirrored: x and y are those of the file"},
                 {CLUP_IMAGE_MIN_IS_WHITE, "has 0 for white: values are those of the file"},
                 {CLUP_IMAGE_SCALED,
                  "has a slope and an intercept for its values: those of the file are "
                  "labelled, which are not scaled"}};
    char text[4096 + 128];
    if (cli_world_is.processes > 1 && cli_world_is.ranks->index > 0)
        return;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (notes & (uint64_t)known[k].note) {
            snprintf(text, sizeof text, "%s %s", input, known[k].text);
            cli_warn(text);
        }
}

int label_read(const char *input, const clup_image_options *options, clup_image *image)
{
    clup_image_options own = *options;
    const char *colon = strrchr(input, ':'), *path = input;
    char file[4096];
    if (colon != NULL && colon - input >= 4 && strncasecmp(colon - 4, ".npz", 4) == 0) {
        if ((size_t)(colon - input) >= sizeof file)
            return cli_usage_error("'%s' is longer than the name of a file", input);
        memcpy(file, input, (size_t)(colon - input));
        file[colon - input] = '\0';
        own.array = colon + 1;
        path = file;
    }
    const clup_status status = clup_image_read(path, &own, image);
    if (status != CLUP_OK)
        return cli_fail(status);
    say_notes(input, image->notes);
    return 0;
}
