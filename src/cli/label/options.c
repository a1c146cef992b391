/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of clup label, one row for each, and whether they go together. */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "cli/label/label.h"
#include "cli/paths.h"

label_request label_wished = {.min_size = 1,
                              .problem = {.match = CLUP_MATCH_NONZERO, .has_background = 1},
                              .background_count = 1};

static const char *const matches[CLUP_MATCHES] = {"equal", "tolerance=", "nonzero",
                                                  "threshold=", "bonds"};

/* Sets the match from a word, or from a word, = and a number. */
clup_status label_set_match(void *target, const char *value)
{
    clup_label_problem *problem = &label_wished.problem;
    (void)target;
    for (clup_match match = 0; match < CLUP_MATCHES; match++) {
        const size_t length = strlen(matches[match]);
        if (strncmp(value, matches[match], length) != 0)
            continue;
        problem->match = match;
        if (matches[match][length - 1] == '=')
            return cli_parse_sum(value + length, &problem->level, &problem->level_more) == CLUP_OK
                       ? CLUP_OK
                       : cli_refuse("is not %sT with a number T", matches[match]);
        if (value[length] == '\0')
            return CLUP_OK;
    }
    return cli_refuse("is not equal, nonzero, tolerance=T, threshold=T or bonds");
}

/* Reads a number, or nan. */
static int parse_background(const char *text, double *number, int64_t *more)
{
    if (strcasecmp(text, "nan") != 0)
        return cli_parse_sum(text, number, more) == CLUP_OK;
    *number = NAN;
    *more = 0;
    return 1;
}

static clup_status set_background(void *target, const char *value)
{
    label_request *request = target;
    char copy[256];
    request->background_count = 0;
    request->problem.has_background = strcmp(value, "none") != 0;
    if (!request->problem.has_background)
        return CLUP_OK;
    snprintf(copy, sizeof copy, "%s", value);
    for (char *item = copy, *comma; item != NULL; item = comma) {
        if ((comma = strchr(item, ',')) != NULL)
            *comma++ = '\0';
        const unsigned c = request->background_count;
        if (strlen(value) >= sizeof copy || c == 4 ||
            !parse_background(item, &request->problem.background[c],
                              &request->problem.background_more[c]))
            return cli_refuse("is not none, nor up to four numbers, or nan, with commas between "
                              "them");
        request->background_count++;
    }
    return CLUP_OK;
}

clup_status label_set_connectivity(void *target, const char *value)
{
    (void)target;
    static const struct {
        const char *name;
        unsigned connectivity;
    } known[] = {{"4", 4}, {"8", 8}, {"6", 6}, {"18", 18}, {"26", 26}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(value, known[k].name) == 0) {
            label_wished.problem.connectivity = known[k].connectivity;
            return CLUP_OK;
        }
    return cli_refuse("is not 4|8|6|18|26, of which the first two are for the plane");
}

clup_status label_set_periodic(void *target, const char *value)
{
    (void)target;
    return cli_parse_axes(value, label_wished.problem.periodic);
}

/* Takes a file, or FILE.npz:NAME of an array in an archive. */
static clup_status set_input(void *target, const char *value)
{
    label_request *request = target;
    const char *colon = strrchr(value, ':');
    request->input = value;
    if (colon == NULL || colon - value < 4 || strncasecmp(colon - 4, ".npz", 4) != 0)
        return CLUP_OK;
    if ((size_t)(colon - value) >= sizeof request->file)
        return cli_refuse("is longer than the name of a file");
    memcpy(request->file, value, (size_t)(colon - value));
    request->input = request->file;
    request->options.array = colon + 1;
    return CLUP_OK;
}

static clup_status set_page(void *target, const char *value)
{
    uint64_t page;
    const clup_status status = cli_parse_whole(value, 1, UINT32_MAX, &page);
    if (status == CLUP_OK)
        ((label_request *)target)->options.page = (uint32_t)page;
    return status;
}

static clup_status set_min_size(void *target, const char *value)
{
    return cli_parse_whole(value, 1, UINT64_MAX, &((label_request *)target)->min_size);
}

clup_status label_set_shape(void *target, const char *value)
{
    (void)target;
    const int fits = clup_raw_parse_shape(value, &label_wished.options.raw) == CLUP_OK;
    return fits ? CLUP_OK
                : cli_refuse("is not a size such as 640x480 or 640x480x100, x first, of whole "
                             "numbers from 1 to %" PRIu32,
                             UINT32_MAX);
}

clup_status label_set_dtype(void *target, const char *value)
{
    (void)target;
    const int fits = clup_raw_parse_dtype(value, &label_wished.options.raw) == CLUP_OK;
    return fits ? CLUP_OK
                : cli_refuse("is not known; there is u8, u16, u32, u64, i8, i16, i32, i64, f32 "
                             "and f64, and le or be may follow");
}

/* Set functions of options that keep their text, and of options that raise a flag. */
#define TEXT_OPTION(NAME, FIELD) \
    static clup_status NAME(void *target, const char *value) \
    { \
        ((label_request *)target)->FIELD = value; \
        return CLUP_OK; \
    }
#define FLAG_OPTION(NAME, FIELD) \
    static clup_status NAME(void *target, const char *value) \
    { \
        (void)value; \
        ((label_request *)target)->FIELD = 1; \
        return CLUP_OK; \
    }
TEXT_OPTION(set_output, output)
TEXT_OPTION(set_colour, colour)
TEXT_OPTION(set_overlay, overlay)
TEXT_OPTION(set_stats, stats)
TEXT_OPTION(set_device, device)
FLAG_OPTION(set_channels_last, options.channels_last)
FLAG_OPTION(set_palette, options.palette)
FLAG_OPTION(set_json, json)
FLAG_OPTION(set_quiet, quiet)

const cli_operand label_operand = {
    {"IN", 0, "F",
     "a PNG, TIFF, JPEG, PNM, NIfTI, .npy or .npz file, or raw data; - is standard input",
     set_input},
    1,
    1};

const cli_option label_options[] = {
    {"output", 'o', "F.npy|F.tif|F.tiff|F.png|-",
     "write the labels, 0 the background; - is standard output, as .npy", set_output},
    LABEL_MATCH_OPTIONS,
    {"background", 0, "V[,V..]|nan|none", "pixels of no component, with equal and tolerance (0)",
     set_background},
    {"min-size", 0, "N", "components of fewer pixels are background (1)", set_min_size},
    {"stats", 0, "F.csv|F.json|-",
     "write size, box, centroid, moments, value, spanning, wrapping of each", set_stats},
    {"colour", 0, "F.png", "write a picture of the labels", set_colour},
    {"overlay", 0, "F.png", "write the image with the boundaries and numbers of components",
     set_overlay},
    {"shape", 0, "WxH[xD]", "IN is raw data of this size", label_set_shape},
    {"dtype", 0, "u8|u16|u32|u64|i8|i16|i32|i64|f32|f64[le|be]", "IN is raw data of this type",
     label_set_dtype},
    {"channels-last", 0, NULL, "the last axis of a .npy file is that of channels",
     set_channels_last},
    {"palette", 0, NULL, "of a PNG or TIFF with a palette the numbers of its colours", set_palette},
    {"page", 0, "N", "of a TIFF this page, from 1 on (all, as a volume)", set_page},
    {"device", 0, "D", "P:D, part of a name, UUID, PCI address, gpu, cpu", set_device},
    {"json", 0, NULL, "print one JSON object instead of a table", set_json},
    {"quiet", 'q', NULL, "no progress bar", set_quiet},
    {0},
};

void label_more_help(FILE *to)
{
    fputs("\nmatch\n"
          "  nonzero       all pixels with a channel, but for alpha, that is not 0\n"
          "  threshold=T   all pixels with a channel, but for alpha, above T\n"
          "  equal         pixels that are equal in all channels\n"
          "  tolerance=T   neighbours that differ by at most T in each channel\n"
          "  bonds         those whose bond is a bit of the pixel's, see clup(1)\n",
          to);
}

int label_is_png(const char *path)
{
    return cli_has_extension(path, ".png");
}

int label_settle(const label_request *request)
{
    const clup_raw *raw = &request->options.raw;
    const char *output = request->output;
    if (output != NULL && !cli_is_stdout(output) && !label_is_png(output) &&
        !cli_has_extension(output, ".npy") && !cli_has_extension(output, ".tif") &&
        !cli_has_extension(output, ".tiff"))
        return cli_usage_error("--output '%s': the extension is none of .npy, .tif, .tiff and .png",
                               output);
    if (request->colour != NULL && !label_is_png(request->colour))
        return cli_usage_error("--colour '%s' is no .png", request->colour);
    if (request->overlay != NULL && !label_is_png(request->overlay))
        return cli_usage_error("--overlay '%s' is no .png", request->overlay);
    if (request->stats != NULL && !cli_is_stdout(request->stats) &&
        !cli_has_extension(request->stats, ".csv") && !cli_has_extension(request->stats, ".json"))
        return cli_usage_error("--stats '%s': the extension is neither .csv nor .json",
                               request->stats);
    const char *const single = request->colour != NULL                                ? "--colour"
                               : request->overlay != NULL                             ? "--overlay"
                               : request->stats != NULL                               ? "--stats"
                               : output != NULL && !cli_has_extension(output, ".npy") ? "--output"
                                                                                      : NULL;
    if (cli_world_is.processes > 1 && single != NULL)
        return cli_usage_error("%s: several processes write their labels to a .npy file, and "
                               "nothing else",
                               single);
    if (request->json + cli_is_stdout(output) + cli_is_stdout(request->stats) > 1)
        return cli_usage_error("%s and %s both need standard output",
                               request->json ? "--json" : "--output -",
                               cli_is_stdout(output) && request->json ? "--output -" : "--stats -");
    const struct {
        const char *option, *path;
    } images[] = {
        {"--output", output}, {"--colour", request->colour}, {"--overlay", request->overlay}};
    for (size_t k = 1; k < 3; k++)
        for (size_t before = 0; before < k; before++)
            if (images[k].path != NULL && images[before].path != NULL &&
                cli_same_file(images[k].path, images[before].path))
                return cli_usage_error("%s and %s both name '%s'", images[k].option,
                                       images[before].option, images[before].path);
    if ((raw->axes != 0) != (raw->dtype != CLUP_DTYPE_NONE))
        return cli_usage_error("raw data need both --shape and --dtype");
    if (raw->axes != 0 && request->options.channels_last)
        return cli_usage_error("--channels-last: raw data have one channel");
    if (raw->axes != 0 && request->options.palette)
        return cli_usage_error("--palette: raw data have none");
    if (raw->axes != 0 && (request->options.page > 0 || request->options.array != NULL))
        return cli_usage_error("raw data have neither pages nor arrays");
    if (cli_given("background") && request->problem.match != CLUP_MATCH_EQUAL &&
        request->problem.match != CLUP_MATCH_TOLERANCE)
        return cli_usage_error("--background goes with --match equal or tolerance");
    return 0;
}

int label_settle_image(label_request *request, const clup_image *image)
{
    clup_label_problem *problem = &request->problem;
    const int volume = image->axes == 3;
    if (problem->connectivity == 0)
        problem->connectivity = volume ? 6 : 4;
    if (volume != (problem->connectivity != 4 && problem->connectivity != 8))
        return cli_usage_error("--connectivity %u: the image is %s", problem->connectivity,
                               volume ? "a volume, there is 6, 18 and 26"
                                      : "in the plane, there is 4 and 8");
    if (problem->periodic[2] && !volume)
        return cli_usage_error("--periodic z: the image is in the plane");
    if (label_is_png(request->output != NULL ? request->output : "") && volume)
        return cli_usage_error("--output '%s': a volume is no PNG, write .npy or .tif",
                               request->output);
    if (request->background_count > 1 && request->background_count != image->channels)
        return cli_usage_error("--background has %u values, the image %u channel%s",
                               request->background_count, image->channels,
                               image->channels > 1 ? "s" : "");
    for (unsigned c = 1; c < image->channels && request->background_count == 1; c++) {
        problem->background[c] = problem->background[0];
        problem->background_more[c] = problem->background_more[0];
    }
    problem->has_background = problem->has_background && problem->match != CLUP_MATCH_BONDS;
    memcpy(problem->size, image->size, sizeof problem->size);
    if (image->layers > 0)
        problem->size[volume ? 2 : 1] = image->layers;
    problem->dtype = image->dtype;
    problem->channels = image->channels;
    return 0;
}
