/* What clup label was asked for and what it found. */
#ifndef CLUP_CLI_LABEL_H
#define CLUP_CLI_LABEL_H
#include "cli/cli.h"

typedef struct label_wish {
    const char *input, *output, *colour, *stats, *device;
    clup_image_options options;
    clup_label_problem problem; /* complete after label_settle_image; connectivity is 0 where it follows from the axes */
    unsigned background_count;  /* values that --background has, 0 for none */
    uint64_t min_size;
    int json, quiet;
} label_wish;

typedef struct label_result {
    const label_wish *wish;
    const clup_device_info *device;
    clup_image image;
    clup_cluster *clusters; /* [components], where statistics are asked for */
    uint32_t *labels; /* one a pixel */
    uint32_t components;
    uint64_t largest;
    clup_label_timing timing;
} label_result;

extern const cli_option label_options[], label_operand;
extern label_wish label_wished;
void label_more_help(FILE *to);
/* Checks what can be checked without the image, and what goes with the image; 0, or an exit code after a message. */
int label_settle(const label_wish *wish);
int label_settle_image(label_wish *wish, const clup_image *image);
int label_is_png(const char *path);

uint64_t label_pixels(const label_result *result);
/* The two ways to report; JSON leaves the labels little-endian. */
void label_print_table(const label_result *result);
void label_write_json(label_result *result);

#endif
