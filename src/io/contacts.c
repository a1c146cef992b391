/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes which labels touch as a table. */
#include "io/contacts.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "program.h"

/* Pairs whose lines are made at a time. */
#define PIECE 4096

typedef struct writer {
    const clup_contacts *contacts;
    uint64_t next;
    bool ended;
    clup_text text;
} writer;

static void add_line(writer *writer, const clup_contact *pair)
{
    char area[32];
    clup_text_add(&writer->text, "%" PRIu32 ",%" PRIu32, pair->a, pair->b);
    for (unsigned axis = 0; axis < writer->contacts->axes; axis++)
        clup_text_add(&writer->text, ",%" PRIu64, pair->faces[axis]);
    clup_text_add(&writer->text, ",%" PRIu64, pair->edges);
    if (writer->contacts->axes > 2)
        clup_text_add(&writer->text, ",%" PRIu64, pair->corners);
    clup_text_add(&writer->text, ",%s\n", clup_number_text(pair->area, area));
}

static clup_status next_piece(void *user, clup_piece *piece)
{
    writer *writer = user;
    const clup_contacts *contacts = writer->contacts;
    *piece = (clup_piece){0};
    if (writer->ended)
        return CLUP_OK;
    writer->text.length = 0;
    if (writer->next == 0)
        clup_text_add(&writer->text, "label_a,label_b,faces_x,faces_y,%s,area\n",
                      contacts->axes > 2 ? "faces_z,edges,corners" : "edges");
    for (unsigned k = 0; k < PIECE && writer->next < contacts->count; k++)
        add_line(writer, &contacts->pairs[writer->next++]);
    writer->ended = writer->next == contacts->count;
    if (!clup_text_ok(&writer->text))
        return clup_fail_memory("a table of labels that touch");
    *piece = (clup_piece){writer->text.data, writer->text.length};
    return CLUP_OK;
}

clup_status clup_contacts_write(const char *path, const clup_contacts *contacts, uint32_t most)
{
    CLUP_NEED(path);
    CLUP_NEED(contacts);
    writer writer = {.contacts = contacts};
    const char *dot = strrchr(path, '.');
    clup_status status = CLUP_RESERVED(contacts, "clup_contacts");
    CLUP_TRY(status);
    if (contacts->count > 0)
        CLUP_NEED(contacts->pairs);
    if (contacts->axes != 2 && contacts->axes != 3)
        return clup_fail(CLUP_ERROR_USAGE, "no contacts of an image of %u axes", contacts->axes);
    for (uint64_t k = 0; k < contacts->count; k++)
        if (contacts->pairs[k].a > most || contacts->pairs[k].b > most)
            return clup_fail(CLUP_ERROR_USAGE,
                             "pair %" PRIu64 " of labels, %" PRIu32 " and %" PRIu32
                             ": there are those up to %" PRIu32,
                             k, contacts->pairs[k].a, contacts->pairs[k].b, most);
    if (dot != NULL && strcasecmp(dot, ".npz") == 0)
        return clup_contacts_write_npz(path, contacts, most);
    if (strcmp(path, "-") != 0 && (dot == NULL || strcasecmp(dot, ".csv") != 0))
        return clup_fail(CLUP_ERROR_USAGE,
                         "'%s': labels that touch are a .csv or .npz, or - for standard output",
                         path);
    status = clup_file_write_from(path, next_piece, &writer);
done:
    clup_text_free(&writer.text);
    return status;
}
