/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes statistics of clusters as tables. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/status.h"

/* Clusters whose lines are made at a time. */
#define PIECE 1024

typedef struct writer {
    const clup_cluster *clusters;
    uint32_t count, next;
    unsigned axes, channels;
    bool json, ended;
    /* of a batch: clusters before each image, names of images, or NULL for numbers, and
     * whether labels begin anew in each image. before is NULL for one image */
    const uint64_t *before;
    uint64_t image; /* of the next cluster */
    const char *const *names;
    bool each;
    clup_text text;
} writer;

/* Products of axes; in the plane those with z are left out. */
static const char *const products[6] = {"xx", "yy", "zz", "xy", "xz", "yz"};

static bool has_product(const writer *writer, unsigned k)
{
    return writer->axes > 2 || strchr(products[k], 'z') == NULL;
}

/* ---- a line ---------------------------------------------------------------------------------- */

static void open_list(writer *writer, const char *name)
{
    if (writer->json)
        clup_text_add(&writer->text, ",\"%s\":[", name);
}

static void close_list(writer *writer)
{
    if (writer->json)
        clup_text_add(&writer->text, "]");
}

static void add_comma(writer *writer, unsigned k)
{
    if (k > 0 || !writer->json)
        clup_text_add(&writer->text, ",");
}

static void add_whole(writer *writer, const char *name, const uint32_t *values, unsigned count)
{
    open_list(writer, name);
    for (unsigned k = 0; k < count; k++) {
        add_comma(writer, k);
        clup_text_add(&writer->text, "%" PRIu32, values[k]);
    }
    close_list(writer);
}

/* Adds numbers with a decimal point, whatever the program's locale is. */
static void add_numbers(writer *writer, const char *name, const double *values, unsigned count)
{
    open_list(writer, name);
    for (unsigned k = 0; k < count; k++) {
        char digits[40];
        snprintf(digits, sizeof digits, "%.17g", values[k]);
        digits[strcspn(digits, ",")] = digits[strcspn(digits, ",")] == ',' ? '.' : '\0';
        add_comma(writer, k);
        clup_text_add(&writer->text, "%s",
                      isfinite(values[k]) ? digits
                      : writer->json      ? "null"
                                          : "nan");
    }
    close_list(writer);
}

static void add_axes(writer *writer, const char *name, unsigned bits)
{
    clup_text_add(&writer->text, writer->json ? ",\"%s\":\"" : ",", name);
    for (unsigned axis = 0; axis < 3; axis++)
        if (bits >> axis & 1)
            clup_text_add_bytes(&writer->text, &"xyz"[axis], 1);
    clup_text_add(&writer->text, writer->json ? "\"" : "");
}

/* Adds a name in quotes where the format, or what the name contains, needs them. */
static void add_name(writer *writer, const char *name)
{
    const bool quoted = writer->json || strpbrk(name, ",\"\r\n") != NULL;
    clup_text_add(&writer->text, quoted ? "\"" : "");
    for (; *name != '\0'; name++)
        if (writer->json && (unsigned char)*name < ' ')
            clup_text_add(&writer->text, "\\u%04x", (unsigned)*name);
        else if (writer->json && (*name == '"' || *name == '\\'))
            clup_text_add(&writer->text, "\\%c", *name);
        else
            clup_text_add(&writer->text, *name == '"' ? "\"\"" : "%c", *name);
    clup_text_add(&writer->text, quoted ? "\"" : "");
}

/* Begins the line of cluster n, with its image and label. */
static void add_label(writer *writer, uint32_t n)
{
    uint32_t label = n + 1;
    clup_text_add(&writer->text, writer->json ? "%s{" : "", n > 0 ? ",\n" : "");
    if (writer->before != NULL) {
        while (n >= writer->before[writer->image + 1])
            writer->image++;
        label = writer->each ? (uint32_t)(label - writer->before[writer->image]) : label;
        clup_text_add(&writer->text, writer->json ? "\"image\":" : "");
        if (writer->names != NULL)
            add_name(writer, writer->names[writer->image]);
        else
            clup_text_add(&writer->text, "%" PRIu64, writer->image);
        clup_text_add(&writer->text, ",");
    }
    clup_text_add(&writer->text, writer->json ? "\"label\":%" PRIu32 : "%" PRIu32, label);
}

static void add_cluster(writer *writer, uint32_t n)
{
    const clup_cluster *cluster = &writer->clusters[n];
    double moments[6];
    unsigned count = 0;
    for (unsigned k = 0; k < 6; k++)
        if (has_product(writer, k))
            moments[count++] = cluster->moments[k];
    add_label(writer, n);
    clup_text_add(&writer->text, writer->json ? ",\"size\":%" PRIu64 : ",%" PRIu64, cluster->size);
    add_whole(writer, "first", cluster->first, writer->axes);
    add_whole(writer, "last", cluster->last, writer->axes);
    add_numbers(writer, "centroid", cluster->centroid, writer->axes);
    add_numbers(writer, "moments", moments, count);
    add_numbers(writer, "value", cluster->value, writer->channels);
    add_axes(writer, "spans", cluster->spans);
    add_axes(writer, "wraps", cluster->wraps);
    clup_text_add(&writer->text, writer->json ? "}" : "\n");
}

/* ---- the table ------------------------------------------------------------------------------- */

static void add_start(writer *writer)
{
    static const char *const of_axes[] = {"first", "last", "centroid"};
    if (writer->json) {
        clup_text_add(&writer->text, "{\"axes\":%u,\"channels\":%u,\"clusters\":[\n", writer->axes,
                      writer->channels);
        return;
    }
    clup_text_add(&writer->text, writer->before != NULL ? "image,label,size" : "label,size");
    for (unsigned k = 0; k < 3; k++)
        for (unsigned axis = 0; axis < writer->axes; axis++)
            clup_text_add(&writer->text, ",%s_%c", of_axes[k], "xyz"[axis]);
    for (unsigned k = 0; k < 6; k++)
        if (has_product(writer, k))
            clup_text_add(&writer->text, ",moment_%s", products[k]);
    for (unsigned c = 0; c < writer->channels; c++)
        clup_text_add(&writer->text, ",value_%u", c);
    clup_text_add(&writer->text, ",spans,wraps\n");
}

static clup_status next_piece(void *user, clup_piece *piece)
{
    writer *writer = user;
    *piece = (clup_piece){0};
    if (writer->ended)
        return CLUP_OK;
    writer->text.length = 0;
    if (writer->next == 0)
        add_start(writer);
    for (unsigned k = 0; k < PIECE && writer->next < writer->count; k++)
        add_cluster(writer, writer->next++);
    writer->ended = writer->next == writer->count;
    if (writer->ended && writer->json)
        clup_text_add(&writer->text, "\n]}\n");
    if (!clup_text_ok(&writer->text))
        return clup_fail_memory("a table of clusters");
    *piece = (clup_piece){writer->text.data, writer->text.length};
    return CLUP_OK;
}

static clup_status write_table(const char *path, writer *writer)
{
    const char *dot = strrchr(path, '.');
    const bool csv = strcmp(path, "-") == 0 || (dot != NULL && strcasecmp(dot, ".csv") == 0);
    writer->json = dot != NULL && strcasecmp(dot, ".json") == 0;
    if (!csv && !writer->json)
        return clup_fail(CLUP_ERROR_USAGE,
                         "'%s': a table of clusters is a .csv or .json, or - for standard output",
                         path);
    if (writer->axes < 2 || writer->axes > 3 || writer->channels > 4)
        return clup_fail(CLUP_ERROR_USAGE, "no clusters of an image: %u axes, %u channels",
                         writer->axes, writer->channels);
    clup_status status = CLUP_OK;
    for (uint32_t k = 0; k < writer->count && status == CLUP_OK; k++)
        status = CLUP_RESERVED(&writer->clusters[k], "clup_cluster");
    if (status == CLUP_OK)
        status = clup_file_write_from(path, next_piece, writer);
    clup_text_free(&writer->text);
    return status;
}

clup_status clup_clusters_write(const char *path, const clup_cluster *clusters, uint32_t count,
                                unsigned axes, unsigned channels)
{
    CLUP_NEED(path);
    if (count > 0)
        CLUP_NEED(clusters);
    writer writer = {.clusters = clusters, .count = count, .axes = axes, .channels = channels};
    return write_table(path, &writer);
}

clup_status clup_batch_write(const char *path, const clup_cluster *clusters, const uint64_t *before,
                             uint64_t images, const char *const *names, clup_numbering numbering,
                             unsigned axes, unsigned channels)
{
    CLUP_NEED(path);
    CLUP_NEED(before);
    if (before[images] > before[0])
        CLUP_NEED(clusters);
    if (before[0] != 0 || before[images] > UINT32_MAX)
        return clup_fail(CLUP_ERROR_USAGE,
                         "before: %" PRIu64 " to %" PRIu64 " are no numbers of clusters", before[0],
                         before[images]);
    for (uint64_t k = 0; k < images; k++)
        if (before[k] > before[k + 1])
            return clup_fail(CLUP_ERROR_USAGE,
                             "before: %" PRIu64 " clusters are less than %" PRIu64, before[k + 1],
                             before[k]);
    writer writer = {.clusters = clusters,
                     .count = (uint32_t)before[images],
                     .axes = axes,
                     .channels = channels,
                     .before = before,
                     .names = names,
                     .each = numbering == CLUP_NUMBER_EACH};
    return write_table(path, &writer);
}
