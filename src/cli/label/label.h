/* SPDX-License-Identifier: BSD-3-Clause */
/* The options and results of clup label. */
#ifndef CLUP_CLI_LABEL_LABEL_H
#define CLUP_CLI_LABEL_LABEL_H
#include "cli/cli.h"
#include "cli/json.h"

typedef struct label_request {
    const char *input, *output, *colour, *overlay, *stats, *contacts, *each, *device;
    const char *props, *intensity; /* NULL where they are not given */
    double spacing[3];             /* lengths of a pixel, where spacings is not 0 */
    unsigned spacings;             /* lengths in --spacing, 0 for none */
    const char **inputs;           /* all files; input is the last of them */
    unsigned input_count;
    int batch;     /* the file is a stack, whose frames are images of their own */
    int to_folder; /* output is a folder, with a file for each input */
    clup_numbering numbering;
    clup_image_options options;
    clup_label_problem problem; /* complete after label_settle_image; connectivity is 0 when it
                                   follows from the axes */
    unsigned background_count;  /* values in --background, 0 for none */
    clup_label_rule rule;       /* which components are kept */
    int fills; /* whether holes of up to most_hole pixels are filled, 0 for any number */
    uint64_t most_hole;
    unsigned threshold; /* 1 + how the level is found, a clup_threshold_method; 0 for one given */
    int by_size;        /* colours of the picture are by sizes */
    int json, quiet;
} label_request;

typedef struct label_result {
    const label_request *request;
    const clup_device_info *device;
    clup_image image, intensity; /* the second one where it is given */
    clup_cluster *clusters;      /* clusters[components], when statistics are asked for */
    clup_regions *regions;       /* where properties are asked for */
    uint32_t *labels;            /* one for each pixel */
    uint32_t components, filled; /* filled holes */
    uint64_t largest;
    char labels_sha256[65]; /* set when JSON is printed */
    clup_label_timing timing;
    clup_contacts contacts; /* when they are asked for; and their times */
    clup_label_timing contact_timing;
} label_result;

/* Whether images are labelled that are not one: the frames of a stack, or several files. */
int label_has_batch(const label_request *request);
/* Labels those, and writes and prints what there is to say. Returns an exit code. */
int label_batch(const label_request *request);

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
/* Sets the spacing of a label_request from one number for all axes, or one for each with commas
 * between; and validates their number: returns 0, or an exit code after a message. */
clup_status label_set_spacing(void *target, const char *value);
int label_settle_spacing(const label_request *request, unsigned axes);
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
/* Reads a file, or FILE.npz:NAME of an array in an archive, and warns of what it says of its pixels
 * that is not done. 0, or an exit code after a message. */
int label_read(const char *input, const clup_image_options *options, clup_image *image);
/* Finds the level of a threshold that follows from the pixels. 0, or an exit code after a message.
 */
int label_find_level(clup_context *context, const clup_image *image, label_request *request);
/* Returns the name of how the level is found; NULL where it is given. */
const char *label_level_by(void);
int label_is_png(const char *path);
/* Writes to path[] the file of the labels of one of several inputs; 0 where it has no room. */
int label_output_of(const label_request *request, const char *input, char path[4096]);
/* Makes the folder of these, once no two inputs have one file, and no input is one of them. 0, or
 * an exit code after a message. */
int label_check_outputs(const label_request *request);
/* Print and write which components are kept. */
void label_print_rule(const label_request *request);
void label_write_rule(json *json, const label_request *request);
/* Whether the output is a folder: one that is there, ends with /, or is for several files and has
 * no extension of labels. */
int label_is_folder(const label_request *request);

/* Properties of components (props.c), which do nothing where there is no --props. All return
 * 0, or an exit code after a message. label_settle_props validates the options;
 * label_read_intensity reads the image of values, once the image is read; label_prepare_props needs
 * both, and label_measure_props labels. */
int label_settle_props(const label_request *request);
int label_read_intensity(label_result *result);
int label_prepare_props(clup_context *context, label_result *result);
int label_measure_props(label_result *result);

/* Validate what goes with --contacts; find which components touch, by the final labels; and write
 * them. All return 0, or an exit code after a message. */
int label_settle_contacts(const label_request *request);
int label_find_contacts(clup_context *context, label_result *result);
int label_save_contacts(const label_result *result);

/* Validate what goes with --each; and write the box of each component, with 0 where another one is.
 * Both return 0, or an exit code after a message. */
int label_settle_each(const label_request *request);
int label_save_each(const label_result *result);

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
