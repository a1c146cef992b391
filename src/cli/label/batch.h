/* SPDX-License-Identifier: BSD-3-Clause */
/* Several images that clup label has labelled, and what is said of them. */
#ifndef CLUP_CLI_LABEL_BATCH_H
#define CLUP_CLI_LABEL_BATCH_H
#include "cli/label/label.h"

/* What is known of an image that has been labelled. */
typedef struct label_row {
    const char *name; /* NULL for a frame */
    uint64_t largest;
    uint32_t components;
    char sha256[65];
} label_row;

typedef struct label_batches {
    const label_request *request;
    clup_context *context;
    clup_label_problem problem; /* of a frame, or of the last files */
    label_row *rows;
    uint64_t images, components, pixels;
    clup_cluster *clusters; /* of all, where statistics are asked for */
    uint64_t room;          /* clusters for which there is memory */
    unsigned axes, channels;
    clup_label_timing spent;
    int failed; /* the exit code of the first file that failed */
} label_batches;

/* Writes the table of --stats. Returns 0, or an exit code after a message. */
int label_batch_save(const label_batches *batches);
/* Print what was found as a table, or write it as JSON. */
void label_batch_table(const label_batches *batches);
void label_batch_json(const label_batches *batches);

#endif
