/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes curves of percolation as tables. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/status.h"
#include "base/watch.h"
#include "program.h"

/* Lines that are made at a time. */
#define PIECE 65536u

typedef struct writer {
    const clup_percolation_curves *curves;
    uint64_t next, length;
    double *values; /* [OBSERVABLES][2][PIECE], means and errors */
    bool known[CLUP_PERCOLATION_OBSERVABLES];
    clup_text text;
} writer;

/* Whether the curves have an observable: its values are numbers after the last step. */
static bool has(const writer *writer, clup_percolation_observable observable)
{
    double mean = NAN;
    return clup_percolation_curves_means(writer->curves, observable, writer->length - 1, 1, &mean,
                                         NULL) == CLUP_OK &&
           !isnan(mean);
}

static void add_number(clup_text *text, double number)
{
    char digits[32];
    clup_text_add(text, ",%s", isnan(number) ? "nan" : clup_number_text(number, digits));
}

static clup_status next_piece(void *user, clup_piece *piece)
{
    writer *writer = user;
    clup_text *text = &writer->text;
    const uint64_t left = writer->length - writer->next;
    const uint32_t count = left < PIECE ? (uint32_t)left : PIECE;
    const bool *known = writer->known;
    clup_status status = CLUP_OK;
    *piece = (clup_piece){0};
    text->length = 0;
    for (unsigned o = 0; o < CLUP_PERCOLATION_OBSERVABLES && count > 0; o++) {
        double *means = writer->values + 2 * (uint64_t)o * PIECE;
        CLUP_TRY(clup_watch_ask());
        if (known[o])
            CLUP_TRY(clup_percolation_curves_means(writer->curves, o, writer->next, count, means,
                                                   means + PIECE));
    }
    if (writer->next == 0) {
        clup_text_add(text, "step");
        for (unsigned o = 0; o < CLUP_PERCOLATION_OBSERVABLES; o++)
            if (known[o])
                clup_text_add(text, ",%s,%s_error", clup_percolation_observable_name(o),
                              clup_percolation_observable_name(o));
        clup_text_add(text, "\n");
    }
    for (uint32_t k = 0; k < count; k++) {
        clup_text_add(text, "%" PRIu64, writer->next + k);
        for (unsigned o = 0; o < CLUP_PERCOLATION_OBSERVABLES; o++)
            if (known[o]) {
                add_number(text, writer->values[2 * (uint64_t)o * PIECE + k]);
                add_number(text, writer->values[(2 * (uint64_t)o + 1) * PIECE + k]);
            }
        clup_text_add(text, "\n");
    }
    writer->next += count;
    if (!clup_text_ok(text))
        return clup_fail_memory("a table of curves");
    *piece = (clup_piece){text->data, text->length};
done:
    return status;
}

clup_status clup_percolation_curves_write(const clup_percolation_curves *curves, const char *path)
{
    CLUP_NEED(curves);
    CLUP_NEED(path);
    const char *dot = strrchr(path, '.');
    writer writer = {.curves = curves, .length = clup_percolation_curves_steps(curves) + 1};
    if (strcmp(path, "-") != 0 && (dot == NULL || strcasecmp(dot, ".csv") != 0))
        return clup_fail(CLUP_ERROR_USAGE,
                         "'%s': a table of curves is a .csv, or - for standard output", path);
    writer.values = malloc(2 * (uint64_t)CLUP_PERCOLATION_OBSERVABLES * PIECE * sizeof(double));
    if (writer.values == NULL)
        return clup_fail_memory("a table of curves");
    for (unsigned o = 0; o < CLUP_PERCOLATION_OBSERVABLES; o++)
        writer.known[o] = has(&writer, o);
    const clup_status status = clup_file_write_from(path, next_piece, &writer);
    clup_text_free(&writer.text);
    free(writer.values);
    return status;
}
