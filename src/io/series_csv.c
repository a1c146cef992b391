/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes series as a table: lines that begin with # and say what is known, the names of columns, a
 * line for each measured sweep, and the SHA-256 of all that. */
#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/sha256.h"
#include "core/problem.h"
#include "io/series.h"
#include "program.h"

/* Bytes written at a time. */
#define PIECE 65536

typedef struct writer {
    const clup_record *record;
    clup_sha256_state hash;
    clup_text text;
    uint32_t system; /* of the next line */
    size_t sweep;
    enum { HEAD, ROWS, END, DONE } at;
} writer;

static void add_number(clup_text *text, double number)
{
    char digits[32];
    /* 15 digits suffice for most values, and trying them is quicker */
    snprintf(digits, sizeof digits, "%.15g", number);
    double back;
    if (sscanf(digits, "%lf", &back) != 1 || back != number)
        snprintf(digits, sizeof digits, "%.17g", number);
    clup_text_add_bytes(text, digits, strlen(digits));
}

static void add_head(const clup_record *record, clup_text *text)
{
    char number[32];
    problem_word words[CLUP_PROBLEM_FIELDS];
    const size_t count = clup_problem_words(&record->problem, words);
    clup_text_add(text, "# %s\n", CLUP_SERIES_FORM);
    for (size_t k = 0; k < count; k++)
        clup_text_add(text, "# %s = %s\n", words[k].key, words[k].value);
    for (size_t k = 0; k < record->field_count; k++)
        clup_text_add(text, "# %s = %s\n", record->fields[k].key, record->fields[k].value);
    for (uint32_t r = 0; r < record->problem.replicas; r++)
        clup_text_add(text, "# system %" PRIu32 " = %s %s count %zu spins %s\n", r,
                      clup_record_parameter(record), clup_number_text(record->betas[r], number),
                      record->systems[r].count,
                      record->systems[r].spins[0] != '\0' ? record->systems[r].spins : "unknown");
    clup_text_add(text, "system,sweep");
    for (size_t k = 0; k < record->name_count; k++)
        clup_text_add(text, ",%s", record->names[k]);
    clup_text_add(text, "\n");
}

static void add_rows(writer *writer)
{
    const clup_record *record = writer->record;
    const uint64_t first = clup_record_whole(record, "first_sweep", 1),
                   every = clup_record_whole(record, "every", 1);
    while (writer->system < record->problem.replicas && writer->text.length < PIECE &&
           !writer->text.failed) {
        const record_system *system = &record->systems[writer->system];
        if (writer->sweep == system->count) {
            writer->system++;
            writer->sweep = 0;
            continue;
        }
        clup_text_add(&writer->text, "%" PRIu32 ",%" PRIu64, writer->system,
                      first + writer->sweep * every);
        for (size_t k = 0; k < record->name_count; k++) {
            clup_text_add_bytes(&writer->text, ",", 1);
            add_number(&writer->text, system->series[k][writer->sweep]);
        }
        clup_text_add_bytes(&writer->text, "\n", 1);
        writer->sweep++;
    }
    if (writer->system == record->problem.replicas)
        writer->at = END;
}

static clup_status next_piece(void *user, clup_piece *piece)
{
    writer *writer = user;
    char hex[65];
    writer->text.length = 0;
    switch (writer->at) {
    case HEAD:
        add_head(writer->record, &writer->text);
        writer->at = ROWS;
        break;
    case ROWS: add_rows(writer); break;
    default: break;
    }
    clup_sha256_add(&writer->hash, writer->text.data, writer->text.length);
    if (writer->at == END && writer->text.length == 0) {
        clup_sha256_finish(&writer->hash, hex);
        clup_text_add(&writer->text, "# sha256 = %s\n", hex);
        writer->at = DONE;
    }
    if (!clup_text_ok(&writer->text))
        return clup_fail_memory("the table");
    *piece = (clup_piece){writer->text.data, writer->text.length};
    return CLUP_OK;
}

clup_status clup_series_write_csv(const clup_record *record, const char *path)
{
    writer writer = {.record = record};
    clup_sha256_start(&writer.hash);
    const clup_status status = clup_file_write_from(path, next_piece, &writer);
    clup_text_free(&writer.text);
    return status;
}
