/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON files in the user's folder, {"schema": .., "rows": [..]}: what was found out about devices,
 * and is kept. */
#ifndef CLUP_PLAN_DOCUMENT_H
#define CLUP_PLAN_DOCUMENT_H
#include <jansson.h>

#include "base/status.h"

#define CLUP_DOCUMENT_PATH 4096

/* One kind of file. */
typedef struct clup_document {
    const char *file;   /* its name in the folder of clup, such as "tune.json" */
    const char *schema; /* such as "clup/tune/1" */
    const char *what;   /* it is, for messages: "tune database" */
} clup_document;

/* The path of the user's file, or NULL where no folder is known. */
const char *clup_document_path(const clup_document *kind, char path[CLUP_DOCUMENT_PATH]);
/* The document in a text, whose name is for messages: of this schema, with rows, which are not too
 * many. */
clup_status clup_document_parse(const clup_document *kind, const char *text, size_t size,
                                const char *name, json_t **root);
clup_status clup_document_load(const clup_document *kind, const char *path, json_t **root);
/* The user's document, an empty one where there is no file. */
clup_status clup_document_load_user(const clup_document *kind, json_t **root);
/* The text of a document that can be read again, to path; of the user's, whose folders are made. */
clup_status clup_document_store(const clup_document *kind, const char *path, json_t *root);
clup_status clup_document_store_user(const clup_document *kind, json_t *root);
/* Now, such as "2026-11-22T10:00:00Z". */
void clup_document_date(char date[32]);

#endif
