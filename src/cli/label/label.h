/* SPDX-License-Identifier: BSD-3-Clause */
/* The options and results of clup label. */
#ifndef CLUP_CLI_LABEL_LABEL_H
#define CLUP_CLI_LABEL_LABEL_H
#include "cli/cli.h"
#include "cli/json.h"

typedef struct label_request {
    const char *input; /* the file, without the name of an array in it */
    char file[4096];   /* what input points to, where there is such a name */
    const char *output, *colour, *overlay, *stats, *device;
    clup_image_options options;
    clup_label_problem problem; /* complete after label_settle_image; connectivity is 0 when it
                                   follows from the axes */
    unsigned background_count;  /* values in --background, 0 for none */
    uint64_t min_size;
    int json, quiet;
} label_request;

typedef struct label_result {
    const label_request *request;
    const clup_device_info *device;
    clup_image image;
    clup_cluster *clusters; /* clusters[components], when statistics are asked for */
    uint32_t *labels;       /* one for each pixel */
    uint32_t components;
    uint64_t largest;
    char labels_sha256[65]; /* set when JSON is printed */
    clup_label_timing timing;
} label_result;

extern const cli_option label_options[];
extern const cli_operand label_operand;
extern label_request label_wished;
/* Options that say what is labelled; clup plan has them as well. They set label_wished, whatever
 * their target is. */
clup_status label_set_match(void *target, const char *value);
clup_status label_set_connectivity(void *target, const char *value);
clup_status label_set_periodic(void *target, const char *value);
clup_status label_set_shape(void *target, const char *value);
clup_status label_set_dtype(void *target, const char *value);
/* clang-format off */
#define LABEL_MATCH_OPTIONS \
    {"connectivity", 0, "4|8|6|18|26", "neighbours of a pixel (4, in a volume 6)", \
     label_set_connectivity}, \
    {"periodic", 0, "x,y,z", "axes of an image that wrap around (none)", label_set_periodic}, \
    {"match", 0, "equal|nonzero|tolerance=T|threshold=T|bonds", \
     "which neighbours are of one component (nonzero)", label_set_match}
/* clang-format on */
void label_more_help(FILE *to);
/* label_settle validates what can be validated without the image, label_settle_image what depends
 * on the image. Both return 0, or an exit code after a message. */
int label_settle(const label_request *request);
int label_settle_image(label_request *request, const clup_image *image);
int label_is_png(const char *path);

/* From now on the program ends with a message when a page of a mapped file cannot be read. */
void label_guard(const char *path);

/* Print what is labelled, and how neighbours match, as a line; write both as JSON keys. The problem
 * must be settled. */
void label_print_image(const clup_label_problem *problem);
void label_write_image(json *json, const clup_label_problem *problem);

/* The pixels of the image, of all processes together. */
uint64_t label_pixels(const label_result *result);
/* Print the result as a table, or write it as JSON. */
void label_print_table(const label_result *result);
void label_write_json(const label_result *result);

#endif
