/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel variants that gave wrong results, in a context and in the user's file: {"schema", "rows":
 * [{"device", "driver", "kernels", "stage", "kernel", "date", "reason"}]}. A row of the file holds
 * for the device and driver that it names, and for kernels with its hash; other drivers and other
 * versions begin anew. A lock on a second file is held while the file is changed. */
#include "plan/distrust.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "ocl/source.h"
#include "plan/database_row.h"
#include "plan/document.h"
#include "plan/tables.h"
#include "program.h"

static const clup_document kind = {"distrust.json", "clup/distrust/1",
                                   "list of kernels that gave wrong results"};

/* One block of memory, which the context frees. */
struct clup_distrust {
    char warning[512]; /* why the file cannot be used, or "" */
    size_t count;
    clup_distrusted rows[];
};

const char *clup_distrust_file(void)
{
    static _Thread_local char path[CLUP_DOCUMENT_PATH];
    return clup_document_path(&kind, path);
}

const char *clup_distrust_warning(const clup_context *context)
{
    return context == NULL ? NULL : context->distrust != NULL ? context->distrust->warning : "";
}

/* ---- of a context ---------------------------------------------------------------------------- */

/* Makes room for one more kernel variant. */
static clup_status grow(clup_context *context)
{
    const size_t count = context->distrust != NULL ? context->distrust->count : 0;
    struct clup_distrust *grown = realloc(context->distrust,
                                          sizeof *grown + (count + 1) * sizeof *grown->rows);
    if (grown == NULL)
        return clup_fail_memory("the kernels that gave wrong results");
    if (context->distrust == NULL)
        *grown = (struct clup_distrust){.count = 0};
    context->distrust = grown;
    return CLUP_OK;
}

static clup_distrusted *find(const clup_context *context, clup_stage stage, const char *kernel)
{
    for (size_t k = 0; context != NULL && context->distrust != NULL && k < context->distrust->count;
         k++)
        if (context->distrust->rows[k].stage == stage &&
            strcmp(context->distrust->rows[k].kernel, kernel) == 0)
            return &context->distrust->rows[k];
    return NULL;
}

const clup_distrusted *clup_distrust_find(const clup_context *context, clup_stage stage,
                                          const char *kernel)
{
    return find(context, stage, kernel);
}

clup_status clup_distrust_mark(clup_context *context, clup_stage stage, const char *kernel,
                               const char *date)
{
    const clup_variant *variant;
    clup_status status = clup_table_variant(stage, kernel, &variant);
    if (status == CLUP_OK && find(context, stage, kernel) == NULL &&
        (status = grow(context)) == CLUP_OK) {
        clup_distrusted *added = &context->distrust->rows[context->distrust->count++];
        *added = (clup_distrusted){.stage = stage, .kernel = variant->name};
        snprintf(added->date, sizeof added->date, "%s", date);
    }
    return status;
}

void clup_distrust_unmark(clup_context *context, clup_stage stage, const char *kernel)
{
    clup_distrusted *row = find(context, stage, kernel);
    if (row != NULL)
        *row = context->distrust->rows[--context->distrust->count];
}

/* ---- in the file ----------------------------------------------------------------------------- */

/* Sets *here when a row of the file is for the context's device and driver, and these kernels. */
static clup_status is_here(const clup_context *context, const json_t *row, char hash[65],
                           bool *here)
{
    const clup_device_info *device = &context->device.info;
    clup_status status = CLUP_OK;
    *here = strcmp(clup_row_text(row, "device"), device->name) == 0 &&
            strcmp(clup_row_text(row, "driver"), device->driver) == 0;
    if (*here && *hash == '\0')
        status = clup_sources_hash(hash);
    *here = *here && status == CLUP_OK && strcmp(clup_row_text(row, "kernels"), hash) == 0;
    return status;
}

static clup_stage stage_of(const json_t *row)
{
    clup_stage stage = CLUP_SOURCE;
    while (stage < CLUP_MEASURE && strcmp(clup_stage_name(stage), clup_row_text(row, "stage")) != 0)
        stage++;
    return stage;
}

/* Takes the rows of the file that are for this context. Skips a row whose kernel variant this
 * version does not have. */
static clup_status take(clup_context *context, const json_t *rows)
{
    clup_status status = CLUP_OK;
    char hash[65] = "";
    size_t k;
    json_t *row;
    json_array_foreach(rows, k, row)
    {
        const clup_stage stage = stage_of(row);
        bool here;
        if (clup_row_owner(row) != CLUP_OK) {
            clup_row_warn(context->distrust->warning, k, row, clup_distrust_file());
            continue;
        }
        CLUP_TRY(is_here(context, row, hash, &here));
        if (here && stage < CLUP_MEASURE &&
            clup_table_find(clup_table_of(stage), clup_row_text(row, "kernel")) != NULL)
            CLUP_TRY(clup_distrust_mark(context, stage, clup_row_text(row, "kernel"),
                                        clup_row_text(row, "date")));
    }
done:
    return status;
}

clup_status clup_distrust_load(clup_context *context)
{
    json_t *root = NULL;
    clup_status status = CLUP_OK;
    if (context->distrust != NULL)
        return CLUP_OK;
    CLUP_TRY(grow(context));
    if (clup_distrust_file() == NULL)
        return CLUP_OK;
    status = clup_document_load_user(&kind, &root);
    if (status == CLUP_ERROR_RUNTIME) {
        snprintf(context->distrust->warning, sizeof context->distrust->warning,
                 "kernels that gave wrong results before are not known: %s", clup_error_detail());
        return CLUP_OK;
    }
    CLUP_TRY(status);
    CLUP_TRY(take(context, json_object_get(root, "rows")));
done:
    json_decref(root);
    if (status != CLUP_OK) {
        free(context->distrust);
        context->distrust = NULL;
    }
    return status;
}

/* Makes a row for the file. */
static clup_status make(const clup_context *context, const clup_distrusted *row, const char *hash,
                        const char *reason, json_t **made)
{
    const clup_device_info *device = &context->device.info;
    json_error_t error = {0};
    *made = json_pack_ex(&error, 0, "{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "device", device->name,
                         "driver", device->driver, "kernels", hash, "stage",
                         clup_stage_name(row->stage), "kernel", row->kernel, "date", row->date,
                         "reason", reason);
    if (*made != NULL)
        return CLUP_OK;
    return json_error_code(&error) != json_error_invalid_utf8
               ? clup_fail_memory("a kernel that gave wrong results")
               : clup_fail(CLUP_ERROR_RUNTIME, "the row of %s cannot be written as JSON",
                           device->name);
}

/* Removes a row from a document. If reason is not NULL, adds the row with this reason. Counts the
 * changes. */
static clup_status replace(const clup_context *context, json_t *rows, const clup_distrusted *row,
                           const char *reason, unsigned *changes)
{
    clup_status status = CLUP_OK;
    char hash[65] = "";
    json_t *made;
    bool here;
    for (size_t k = json_array_size(rows); k > 0; k--) {
        const json_t *old = json_array_get(rows, k - 1);
        CLUP_TRY(is_here(context, old, hash, &here));
        if (here && stage_of(old) == row->stage &&
            strcmp(clup_row_text(old, "kernel"), row->kernel) == 0) {
            json_array_remove(rows, k - 1);
            ++*changes;
        }
    }
    if (reason == NULL)
        return CLUP_OK;
    CLUP_TRY(clup_sources_hash(hash));
    CLUP_TRY(make(context, row, hash, reason, &made));
    if (json_array_append_new(rows, made) != 0)
        status = clup_fail_memory("a kernel that gave wrong results");
    ++*changes;
done:
    return status;
}

/* As replace, in the user's file. */
static clup_status change(const clup_context *context, const clup_distrusted *row,
                          const char *reason)
{
    const char *path = clup_distrust_file();
    clup_text beside = {0};
    clup_status status = CLUP_OK;
    json_t *root = NULL;
    unsigned changes = 0;
    int lock = -1;
    if (path != NULL) {
        CLUP_TRY(clup_file_make_folders(path));
        clup_text_add(&beside, "%s.lock", path);
        CLUP_TRY(clup_text_ok(&beside) ? clup_file_lock(beside.data, 5, &lock)
                                       : clup_fail_memory(path));
    }
    CLUP_TRY(clup_document_load_user(&kind, &root));
    CLUP_TRY(replace(context, json_object_get(root, "rows"), row, reason, &changes));
    if (changes > 0)
        status = clup_document_store_user(&kind, root);
done:
    if (lock >= 0)
        clup_file_unlock(lock);
    clup_text_free(&beside);
    json_decref(root);
    return status;
}

/* Changes the user's file. A file that cannot be changed is a warning, not a failure. */
static clup_status settle(clup_context *context, const clup_distrusted *row, const char *reason)
{
    const clup_status status = change(context, row, reason);
    if (status != CLUP_ERROR_RUNTIME)
        return status;
    snprintf(context->distrust->warning, sizeof context->distrust->warning,
             "that %s %s %s cannot be kept for the next time: %s", clup_stage_name(row->stage),
             row->kernel, reason != NULL ? "gave wrong results" : "gives right results",
             clup_error_detail());
    return CLUP_OK;
}

clup_status clup_distrust_remember(clup_context *context, clup_stage stage, const char *kernel,
                                   const char *reason)
{
    char date[32];
    clup_document_date(date);
    clup_distrust_unmark(context, stage, kernel);
    const clup_status status = clup_distrust_mark(context, stage, kernel, date);
    return status == CLUP_OK ? settle(context, find(context, stage, kernel), reason) : status;
}

clup_status clup_distrust_forget(clup_context *context, clup_stage stage, const char *kernel)
{
    const clup_distrusted *row = find(context, stage, kernel);
    if (row == NULL)
        return CLUP_OK;
    const clup_distrusted forgotten = *row;
    clup_distrust_unmark(context, stage, kernel);
    return settle(context, &forgotten, NULL);
}
