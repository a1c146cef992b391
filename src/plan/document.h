/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON files in the user's folder, {"schema": .., "rows": [..]}, which keep what was found out
 * about devices. */
#ifndef CLUP_PLAN_DOCUMENT_H
#define CLUP_PLAN_DOCUMENT_H
#include <jansson.h>

#include "base/status.h"

#define CLUP_DOCUMENT_PATH 4096

/* One kind of file. */
typedef struct clup_document {
    const char *file;   /* name in clup's folder, such as "tune.json" */
    const char *schema; /* such as "clup/tune/1" */
    const char *what;   /* what messages call it: "tune database" */
} clup_document;

/* Writes and returns the path of the user's file; NULL where no folder is known. */
const char *clup_document_path(const clup_document *kind, char path[CLUP_DOCUMENT_PATH]);
/* Parses a document, which must have the schema of its kind, and rows, no more than a limit.
 * Messages call the text name. clup_document_load reads it from a file. */
clup_status clup_document_parse(const clup_document *kind, const char *text, size_t size,
                                const char *name, json_t **root);
clup_status clup_document_load(const clup_document *kind, const char *path, json_t **root);
/* Reads the user's document. Gives an empty document where there is no file. */
clup_status clup_document_load_user(const clup_document *kind, json_t **root);
/* Write a document to a file. Fail where the document has more rows, or the file more bytes, than
 * can be read again. clup_document_store_user makes the folders of the user's file first. */
clup_status clup_document_store(const clup_document *kind, const char *path, json_t *root);
clup_status clup_document_store_user(const clup_document *kind, json_t *root);
/* Writes the present time, such as "2026-11-22T10:00:00Z". */
void clup_document_date(char date[32]);

#endif
