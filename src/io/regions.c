/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes properties of regions as tables. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/status.h"

/* Regions whose lines are made at a time. */
#define PIECE 1024

typedef struct writer {
    const clup_regions *regions;
    size_t next;
    bool json, ended;
    clup_text text;
} writer;

/* Adds a number with a decimal point, whatever the program's locale is. */
static void add_number(writer *writer, double number)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%.17g", number);
    char *comma = strchr(digits, ',');
    if (comma != NULL)
        *comma = '.';
    clup_text_add(&writer->text, "%s",
                  isfinite(number) ? digits
                  : writer->json   ? "null"
                  : isnan(number)  ? "nan"
                  : number < 0     ? "-inf"
                                   : "inf");
}

static void add_region(writer *writer, size_t row)
{
    clup_text_add(&writer->text, writer->json && row > 0 ? ",\n{" : writer->json ? "{" : "");
    for (size_t k = 0; k < clup_regions_columns(writer->regions); k++) {
        const clup_region_column column = clup_regions_column(writer->regions, k);
        clup_text_add(&writer->text, k > 0 ? "," : "");
        if (writer->json)
            clup_text_add(&writer->text, "\"%s\":", column.name);
        if (column.whole != NULL)
            clup_text_add(&writer->text, "%" PRId64, column.whole[row]);
        else
            add_number(writer, column.numbers[row]);
    }
    clup_text_add(&writer->text, writer->json ? "}" : "\n");
}

static void add_start(writer *writer)
{
    if (writer->json) {
        clup_text_add(&writer->text, "{\"regions\":[\n");
        return;
    }
    for (size_t k = 0; k < clup_regions_columns(writer->regions); k++)
        clup_text_add(&writer->text, "%s%s", k > 0 ? "," : "",
                      clup_regions_column(writer->regions, k).name);
    clup_text_add(&writer->text, "\n");
}

static clup_status next_piece(void *user, clup_piece *piece)
{
    writer *writer = user;
    const size_t rows = clup_regions_rows(writer->regions);
    *piece = (clup_piece){0};
    if (writer->ended)
        return CLUP_OK;
    writer->text.length = 0;
    if (writer->next == 0)
        add_start(writer);
    for (unsigned k = 0; k < PIECE && writer->next < rows; k++)
        add_region(writer, writer->next++);
    writer->ended = writer->next == rows;
    if (writer->ended && writer->json)
        clup_text_add(&writer->text, "\n]}\n");
    if (!clup_text_ok(&writer->text))
        return clup_fail_memory("a table of regions");
    *piece = (clup_piece){writer->text.data, writer->text.length};
    return CLUP_OK;
}

clup_status clup_regions_write(const char *path, const clup_regions *regions)
{
    CLUP_NEED(path);
    CLUP_NEED(regions);
    const char *dot = strrchr(path, '.');
    const bool csv = strcmp(path, "-") == 0 || (dot != NULL && strcasecmp(dot, ".csv") == 0);
    writer writer = {.regions = regions, .json = dot != NULL && strcasecmp(dot, ".json") == 0};
    if (!csv && !writer.json)
        return clup_fail(CLUP_ERROR_USAGE,
                         "'%s': a table of regions is a .csv or .json, or - for standard output",
                         path);
    const clup_status status = clup_file_write_from(path, next_piece, &writer);
    clup_text_free(&writer.text);
    return status;
}
