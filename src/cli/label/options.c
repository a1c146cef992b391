/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of clup label, one row for each, and whether they go together. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "cli/label/label.h"
#include "cli/paths.h"

label_request label_wished = {.rule = {.least = 1},
                              .numbering = CLUP_NUMBER_EACH,
                              .problem = {.match = CLUP_MATCH_NONZERO, .has_background = 1},
                              .background_count = 1};

static const char *const matches[CLUP_MATCHES] = {"equal", "tolerance=", "nonzero",
                                                  "threshold=", "bonds"};

/* Sets how the threshold is found, from its name; 0 where this is none. */
static int set_threshold(const char *name)
{
    for (clup_threshold_method method = 0; clup_threshold_name(method) != NULL; method++)
        if (strcmp(name, clup_threshold_name(method)) == 0) {
            label_wished.threshold = 1 + (unsigned)method;
            return 1;
        }
    return 0;
}

const char *label_level_by(void)
{
    return label_wished.threshold > 0
               ? clup_threshold_name((clup_threshold_method)(label_wished.threshold - 1))
               : NULL;
}

int label_find_level(clup_context *context, const clup_image *image, label_request *request)
{
    if (request->threshold == 0)
        return 0;
    const clup_status status = clup_threshold(
        context, image, (clup_threshold_method)(request->threshold - 1), &request->problem.level,
        &request->problem.level_more);
    return status == CLUP_OK ? 0 : cli_fail(status);
}

/* Sets the match from a word, or from a word, = and a number or a name. */
clup_status label_set_match(void *target, const char *value)
{
    clup_label_problem *problem = &label_wished.problem;
    (void)target;
    label_wished.threshold = 0;
    for (clup_match match = 0; match < CLUP_MATCHES; match++) {
        const size_t length = strlen(matches[match]);
        if (strncmp(value, matches[match], length) != 0)
            continue;
        problem->match = match;
        if (match == CLUP_MATCH_THRESHOLD && set_threshold(value + length))
            return CLUP_OK;
        if (matches[match][length - 1] == '=')
            return cli_parse_sum(value + length, &problem->level, &problem->level_more) == CLUP_OK
                       ? CLUP_OK
                   : match == CLUP_MATCH_THRESHOLD
                       ? cli_refuse("is not threshold=T with a number T, or otsu, triangle or li")
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

static clup_status set_page(void *target, const char *value)
{
    uint64_t page;
    const clup_status status = cli_parse_whole(value, 1, UINT32_MAX, &page);
    if (status == CLUP_OK)
        ((label_request *)target)->options.page = page;
    return status;
}

static clup_status set_min_size(void *target, const char *value)
{
    return cli_parse_whole(value, 1, UINT64_MAX, &((label_request *)target)->rule.least);
}

static clup_status set_max_size(void *target, const char *value)
{
    return cli_parse_whole(value, 1, UINT64_MAX, &((label_request *)target)->rule.most);
}

static clup_status set_largest(void *target, const char *value)
{
    return cli_parse_whole(value, 1, UINT64_MAX, &((label_request *)target)->rule.largest);
}

/* Without a number, holes of any size are filled. */
static clup_status set_fill_holes(void *target, const char *value)
{
    label_request *request = target;
    request->fills = 1;
    return value == NULL ? CLUP_OK : cli_parse_whole(value, 1, UINT64_MAX, &request->most_hole);
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
/* Adds one of the files. */
static clup_status set_input(void *target, const char *value)
{
    label_request *request = target;
    const char **more = realloc(request->inputs, (request->input_count + 1) * sizeof *more);
    if (more == NULL)
        return cli_refuse("has no room");
    more[request->input_count++] = value;
    request->inputs = more;
    request->input = value;
    return CLUP_OK;
}

static clup_status set_number(void *target, const char *value)
{
    const int each = strcmp(value, "each") == 0;
    if (!each && strcmp(value, "throughout") != 0)
        return cli_refuse("is neither each nor throughout");
    ((label_request *)target)->numbering = each ? CLUP_NUMBER_EACH : CLUP_NUMBER_THROUGHOUT;
    return CLUP_OK;
}

static clup_status set_colour_by(void *target, const char *value)
{
    const int by_size = strcmp(value, "size") == 0;
    if (!by_size && strcmp(value, "label") != 0)
        return cli_refuse("is neither label nor size");
    ((label_request *)target)->by_size = by_size;
    return CLUP_OK;
}

TEXT_OPTION(set_output, output)
TEXT_OPTION(set_colour, colour)
TEXT_OPTION(set_overlay, overlay)
TEXT_OPTION(set_stats, stats)
TEXT_OPTION(set_props, props)
TEXT_OPTION(set_intensity, intensity)
TEXT_OPTION(set_contacts, contacts)
TEXT_OPTION(set_each, each)
TEXT_OPTION(set_device, device)
FLAG_OPTION(set_channels_last, options.channels_last)
FLAG_OPTION(set_palette, options.palette)
FLAG_OPTION(set_batch, batch)
FLAG_OPTION(set_clear_border, rule.clear_border)
FLAG_OPTION(set_json, json)
FLAG_OPTION(set_quiet, quiet)

const cli_operand label_operand = {
    {"IN", 0, "F",
     "a PNG, TIFF, JPEG, PNM, NIfTI, .npy or .npz file, or raw data; - is standard input; several "
     "with -o DIR",
     set_input},
    1,
    65536};

const cli_option label_options[] = {
    {"output", 'o', "F.npy|F.tif|F.tiff|F.png|-|DIR",
     "write the labels, 0 the background; - is standard output, as .npy", set_output},
    {"batch", 0, NULL, "IN is a stack, whose frames are images of their own", set_batch},
    {"number", 0, "each|throughout", "number components anew in each image of several (each)",
     set_number},
    LABEL_MATCH_OPTIONS,
    {"background", 0, "V[,V..]|nan|none", "pixels of no component, with equal and tolerance (0)",
     set_background},
    {"min-size", 0, "N", "components of fewer pixels are background (1)", set_min_size},
    {"max-size", 0, "N", "components of more pixels are background", set_max_size},
    {"largest", 0, "K", "components other than the K largest are background", set_largest},
    {"clear-border", 0, NULL, "components at an end of the image are background", set_clear_border},
    {"fill-holes", 0, "[=N]", "holes in components, of up to N pixels, become part of them",
     set_fill_holes},
    {"stats", 0, "F.csv|F.json|-",
     "write size, box, centroid, moments, value, spanning, wrapping of each", set_stats},
    {"props", 0, "P,P,...|all", "write these properties with --stats, as scikit-image names them",
     set_props},
    {"intensity", 0, "F", "an image of the values of pixels, for --props (IN)", set_intensity},
    {"contacts", 0, "F.csv|F.npz", "write which components touch, how often, and on which area",
     set_contacts},
    {"spacing", 0, "L[,L..]", "length of a pixel, for all axes or along x, y, z (1)",
     label_set_spacing},
    {"each", 0, "F.npy|F.png", "write the box of each component, to F-1.npy, F-2.npy, ..",
     set_each},
    {"colour", 0, "F.png", "write a picture of the labels", set_colour},
    {"colour-by", 0, "label|size", "colours of --colour: apart from each other, or by size (label)",
     set_colour_by},
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
          "  threshold=T   all pixels with a channel, but for alpha, above T, a number, or otsu,\n"
          "                triangle or li: by the image's histogram\n"
          "  equal         pixels that are equal in all channels\n"
          "  tolerance=T   neighbours that differ by at most T in each channel\n"
          "  bonds         those whose bond is a bit of the pixel's, see clup(1)\n",
          to);
}

int label_is_png(const char *path)
{
    return cli_has_extension(path, ".png");
}

int label_has_batch(const label_request *request)
{
    return request->batch || request->input_count > 1 || request->to_folder;
}

int label_is_folder(const label_request *request)
{
    const char *path = request->output;
    struct stat found;
    if (path == NULL || cli_is_stdout(path))
        return 0;
    if (stat(path, &found) == 0)
        return S_ISDIR(found.st_mode);
    const size_t length = strlen(path);
    return (length > 0 && path[length - 1] == '/') ||
           (request->input_count > 1 && !label_is_png(path) && !cli_has_extension(path, ".npy") &&
            !cli_has_extension(path, ".tif") && !cli_has_extension(path, ".tiff"));
}

/* Validates what goes with several images. */
static int settle_batch(const label_request *request)
{
    const int batch = label_has_batch(request);
    if (cli_given("number") && !batch)
        return cli_usage_error("--number goes with --batch or several files");
    if (!batch)
        return 0;
    const char *what = request->batch ? "--batch" : "several files";
    if (cli_world_is.processes > 1)
        return cli_usage_error("%s: one process labels them, not several", what);
    if (request->batch && request->input_count > 1)
        return cli_usage_error("--batch is for one file, a stack, not for %u",
                               request->input_count);
    if (request->batch && request->to_folder)
        return cli_usage_error("--output '%s': labels of a stack are one file", request->output);
    if (!request->batch && request->output != NULL && !request->to_folder)
        return cli_usage_error("--output '%s' is no folder, for the labels of %u files",
                               request->output, request->input_count);
    if (request->batch && request->output != NULL && label_is_png(request->output))
        return cli_usage_error("--output '%s': a stack is no PNG, write .npy or .tif",
                               request->output);
    const char *const single = request->colour != NULL     ? "--colour"
                               : request->overlay != NULL  ? "--overlay"
                               : request->props != NULL    ? "--props"
                               : request->contacts != NULL ? "--contacts"
                               : request->each != NULL     ? "--each"
                               : request->fills            ? "--fill-holes"
                                                           : NULL;
    return single == NULL ? 0 : cli_usage_error("%s is for one image, not for %s", single, what);
}

int label_settle(const label_request *request)
{
    const clup_raw *raw = &request->options.raw;
    const char *output = request->to_folder ? NULL : request->output;
    int code = settle_batch(request);
    if (code != 0)
        return code;
    if (cli_world_is.processes > 1 && request->threshold > 0)
        return cli_usage_error("--match threshold=%s: several processes have a part of the image "
                               "each; give the number that clup label finds",
                               label_level_by());
    if (output != NULL && !cli_is_stdout(output) && !label_is_png(output) &&
        !cli_has_extension(output, ".npy") && !cli_has_extension(output, ".tif") &&
        !cli_has_extension(output, ".tiff"))
        return cli_usage_error("--output '%s': the extension is none of .npy, .tif, .tiff and .png",
                               output);
    if (request->colour != NULL && !label_is_png(request->colour))
        return cli_usage_error("--colour '%s' is no .png", request->colour);
    if (cli_given("colour-by") && request->colour == NULL)
        return cli_usage_error("--colour-by goes with --colour");
    if (request->overlay != NULL && !label_is_png(request->overlay))
        return cli_usage_error("--overlay '%s' is no .png", request->overlay);
    if (request->stats != NULL && !cli_is_stdout(request->stats) &&
        !cli_has_extension(request->stats, ".csv") && !cli_has_extension(request->stats, ".json"))
        return cli_usage_error("--stats '%s': the extension is neither .csv nor .json",
                               request->stats);
    const char *const single = request->colour != NULL                                ? "--colour"
                               : request->overlay != NULL                             ? "--overlay"
                               : request->each != NULL                                ? "--each"
                               : output != NULL && !cli_has_extension(output, ".npy") ? "--output"
                                                                                      : NULL;
    if (code == 0)
        code = label_settle_contacts(request);
    if (code == 0)
        code = label_settle_each(request);
    if (code != 0)
        return code;
    if (cli_given("spacing") && request->contacts == NULL && request->props == NULL)
        return cli_usage_error("--spacing is for the areas of --contacts and the properties of "
                               "--props");
    if (request->fills && request->stats != NULL && request->props == NULL)
        return cli_usage_error("--fill-holes: --stats are of components with their holes; with "
                               "--props they are of filled ones");
    if (cli_world_is.processes > 1 && request->fills)
        return cli_usage_error("--fill-holes: a hole may lie in the parts of several processes, "
                               "clup label fills it");
    if (cli_world_is.processes > 1 && single != NULL)
        return cli_usage_error("%s: several processes write a .npy file of labels, and the tables "
                               "of --stats and --contacts, and nothing else",
                               single);
    if (request->json + cli_is_stdout(output) + cli_is_stdout(request->stats) > 1)
        return cli_usage_error("%s and %s both need standard output",
                               request->json ? "--json" : "--output -",
                               cli_is_stdout(output) && request->json ? "--output -" : "--stats -");
    const struct {
        const char *option, *path;
    } files[] = {{"--output", output},
                 {"--colour", request->colour},
                 {"--overlay", request->overlay},
                 {"--stats", request->stats},
                 {"--contacts", request->contacts}};
    for (size_t k = 1; k < sizeof files / sizeof *files; k++)
        for (size_t before = 0; before < k; before++)
            if (files[k].path != NULL && files[before].path != NULL &&
                !cli_is_stdout(files[k].path) && cli_same_file(files[k].path, files[before].path))
                return cli_usage_error("%s and %s both name '%s'", files[k].option,
                                       files[before].option, files[before].path);
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
    return label_settle_props(request);
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
    const int code = label_settle_spacing(request, volume ? 3 : 2);
    if (code != 0)
        return code;
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
