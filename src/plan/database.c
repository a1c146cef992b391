/* SPDX-License-Identifier: BSD-3-Clause */
/* The tune database: {"schema", "rows": [{"device", "driver", "kernels", "date", "version",
 * "samples", "fits", "unfinished"}]}. A sample has "systems" where it was measured with more than
 * one. An interrupted tuning is in "unfinished": {"kernels", "date", "quick", "samples"}. If it was
 * the device's first tuning, the row has no other samples, and plans are made as if the row did not
 * exist. A row that the library ships has "for" instead of a driver: a list of objects with
 * "device", "vendor", "platform" or "type", or none, which say what devices it serves. */
#include "plan/database.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "ocl/source.h"
#include "plan/database_row.h"
#include "plan/document.h"
#include "plan/tables.h"
#include "program.h"

static const clup_document kind = {"tune.json", "clup/tune/1", "tune database"};

const char *clup_tune_database(void)
{
    static _Thread_local char path[CLUP_DOCUMENT_PATH];
    return clup_document_path(&kind, path);
}

/* ---- reading --------------------------------------------------------------------------------- */

static json_t *find_row(json_t *root, const char *device, const char *driver)
{
    size_t k;
    json_t *row;
    json_array_foreach(json_object_get(root, "rows"), k,
                       row) if (strcmp(clup_row_text(row, "device"), device) == 0 &&
                                strcmp(clup_row_text(row, "driver"), driver) == 0) return row;
    return NULL;
}

static void warn_of_stale(clup_knowledge *knowledge)
{
    const clup_sample *first;
    unsigned kernels;
    const unsigned stale = clup_samples_kernels(&knowledge->samples, &kernels, &first);
    if (stale > 0 && knowledge->warning[0] == '\0')
        snprintf(knowledge->warning, sizeof knowledge->warning,
                 "the times of %u of %u kernels in %s, such as %s %s, were measured before these "
                 "were changed: run clup tune again",
                 stale, kernels, clup_tune_database(), clup_stage_name(first->stage),
                 first->kernel);
}

/* Reads samples from the user's database. Without a usable row there are no samples, and a warning
 * says why, unless there simply is no row. */
static clup_status find_user(const clup_device_info *device, clup_knowledge *knowledge)
{
    json_t *root = NULL, *row;
    clup_status status = CLUP_OK;
    size_t k;
    if (clup_tune_database() == NULL)
        return CLUP_OK;
    if ((status = clup_document_load_user(&kind, &root)) == CLUP_ERROR_RUNTIME) {
        snprintf(knowledge->warning, sizeof knowledge->warning, "the tune database is not used: %s",
                 clup_error_detail());
        return CLUP_OK;
    }
    if (status != CLUP_OK)
        return status;
    json_array_foreach(json_object_get(root, "rows"), k, row)
    {
        if (clup_row_owner(row) != CLUP_OK) {
            clup_row_warn(knowledge->warning, k, row, clup_tune_database());
            continue;
        }
        if (knowledge->samples.count > 0 ||
            strcmp(clup_row_text(row, "device"), device->name) != 0 ||
            strcmp(clup_row_text(row, "driver"), device->driver) != 0)
            continue;
        if (json_array_size(json_object_get(row, "samples")) > 0 && !clup_row_current(row)) {
            snprintf(knowledge->warning, sizeof knowledge->warning,
                     "the times of %s in %s were measured with other kernels and are not used: run "
                     "clup tune again",
                     device->name, clup_tune_database());
            continue;
        }
        status = clup_row_samples(row, &knowledge->samples);
        if (status == CLUP_ERROR_MEMORY)
            break;
        if (status != CLUP_OK)
            clup_row_warn(knowledge->warning, k, row, clup_tune_database());
        else if (knowledge->samples.count > 0) {
            snprintf(knowledge->origin, sizeof knowledge->origin, "tuned %s",
                     clup_row_text(row, "date"));
            warn_of_stale(knowledge);
        }
        status = CLUP_OK;
    }
    json_decref(root);
    return status;
}

clup_status clup_database_unfinished(const clup_device_info *device, int quick,
                                     clup_samples *samples)
{
    json_t *root;
    clup_status status = clup_document_load_user(&kind, &root);
    if (status != CLUP_OK)
        return status;
    const json_t *unfinished = json_object_get(find_row(root, device->name, device->driver),
                                               "unfinished");
    if (unfinished != NULL && json_is_true(json_object_get(unfinished, "quick")) == (quick != 0))
        status = clup_row_samples(unfinished, samples);
    clup_samples_drop_stale(samples);
    json_decref(root);
    /* samples that cannot be read are measured again */
    return status == CLUP_ERROR_RUNTIME ? CLUP_OK : status;
}

/* Returns how closely a shipped row is meant for the device: 4 for the device, 3 for its vendor or
 * platform, 2 for its type, 1 for any; 0 not for it. */
static int closeness(const json_t *row, const clup_device_info *device, const char **by)
{
    const struct {
        const char *key, *value;
        int level;
    } keys[] = {{"device", device->name, 4},
                {"vendor", device->vendor, 3},
                {"platform", device->platform, 3},
                {"type", device->type, 2}};
    int best = 0;
    size_t n;
    json_t *match;
    json_array_foreach(json_object_get(row, "for"), n, match)
    {
        int level = json_object_size(match) == 0;
        const char *key = "any device";
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (json_object_get(match, keys[k].key) != NULL &&
                clup_text_contains(keys[k].value, clup_row_text(match, keys[k].key))) {
                level = keys[k].level;
                key = keys[k].key;
            }
        if (level > best) {
            best = level;
            *by = key;
        }
    }
    return best;
}

static clup_status find_shipped(const clup_device_info *device, clup_knowledge *knowledge)
{
    clup_text text = {0};
    clup_status status = CLUP_OK;
    json_t *root = NULL, *row, *best = NULL;
    const char *by = "", *best_by = "";
    int closest = 0;
    size_t k;
    CLUP_TRY(clup_embedded_text("shipped.json", &text));
    CLUP_TRY(clup_document_parse(&kind, text.data, text.length, "shipped.json", &root));
    json_array_foreach(json_object_get(root, "rows"), k, row)
    {
        int close = closeness(row, device, &by);
        if (close > closest) {
            closest = close;
            best = row;
            best_by = by;
        }
    }
    if (best != NULL) {
        CLUP_TRY(clup_row_samples(best, &knowledge->samples));
        snprintf(knowledge->origin, sizeof knowledge->origin, "shipped times of %s, %s, by %s",
                 clup_row_text(best, "device"), clup_row_text(best, "date"), best_by);
    }
done:
    json_decref(root);
    clup_text_free(&text);
    return status;
}

clup_status clup_knowledge_shipped(size_t k, clup_knowledge *knowledge)
{
    clup_text text = {0};
    clup_status status = CLUP_OK;
    json_t *root = NULL;
    *knowledge = (clup_knowledge){0};
    CLUP_TRY(clup_embedded_text("shipped.json", &text));
    CLUP_TRY(clup_document_parse(&kind, text.data, text.length, "shipped.json", &root));
    const json_t *row = json_array_get(json_object_get(root, "rows"), k);
    if (row != NULL) {
        CLUP_TRY(clup_row_samples(row, &knowledge->samples));
        snprintf(knowledge->origin, sizeof knowledge->origin, "%s, %s",
                 clup_row_text(row, "device"), clup_row_text(row, "date"));
    }
done:
    json_decref(root);
    clup_text_free(&text);
    return status;
}

clup_status clup_knowledge_find(const clup_device_info *device, clup_knowledge *knowledge)
{
    *knowledge = (clup_knowledge){0};
    clup_status status = find_user(device, knowledge);
    if (status == CLUP_OK && knowledge->samples.count == 0)
        status = find_shipped(device, knowledge);
    if (status != CLUP_OK)
        clup_knowledge_clear(knowledge);
    return status;
}

void clup_knowledge_clear(clup_knowledge *knowledge)
{
    clup_samples_free(&knowledge->samples);
    knowledge->origin[0] = '\0';
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Puts row in place of the row of the same device and driver, or at the end. Takes ownership of
 * row. */
static clup_status replace_row(json_t *root, json_t *row)
{
    json_t *rows = json_object_get(root, "rows"), *old;
    size_t k;
    json_array_foreach(
        rows, k,
        old) if (strcmp(clup_row_text(old, "device"), clup_row_text(row, "device")) == 0 &&
                 strcmp(clup_row_text(old, "driver"), clup_row_text(row, "driver")) == 0) break;
    const int failed = k < json_array_size(rows) ? json_array_set_new(rows, k, row)
                                                 : json_array_append_new(rows, row);
    return failed ? clup_fail_memory("a row of the tune database") : CLUP_OK;
}

/* Sets a number, rounded to the digits that a time has. Returns 0, or -1 without memory, as jansson
 * does. */
static int set_number(json_t *object, const char *key, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", value);
    return json_object_set_new(object, key,
                               isfinite(value) ? json_real(strtod(text, NULL)) : json_null());
}

/* Appends an item to the list, and takes ownership of it. If the item is incomplete, or there is no
 * memory, frees the list and returns NULL. */
static json_t *with_item(json_t *list, json_t *item, int incomplete)
{
    if (list != NULL && item != NULL && !incomplete && json_array_append(list, item) == 0) {
        json_decref(item);
        return list;
    }
    json_decref(item);
    json_decref(list);
    return NULL;
}

static json_t *samples_json(const clup_samples *samples)
{
    json_t *list = json_array();
    for (size_t k = 0; k < samples->count && list != NULL; k++) {
        const clup_sample *sample = &samples->items[k];
        /* a clock may be too coarse for a kernel; a row with such a time could not be read */
        if (!(sample->ps > 0 && isfinite(sample->ps)))
            continue;
        json_t *item = json_pack("{s:s, s:s, s:s, s:i, s:i}", "stage",
                                 clup_stage_name(sample->stage), "kernel", sample->kernel, "bonds",
                                 sample->bonds, "tile", (int)sample->tile, "size",
                                 (int)sample->size);
        int failed = sample->systems > 1
                         ? json_object_set_new(item, "systems", json_integer(sample->systems))
                         : 0;
        failed |= set_number(item, "ps", sample->ps) | set_number(item, "wall_ps", sample->wall_ps);
        if (isfinite(sample->iterations))
            failed |= set_number(item, "iterations", sample->iterations);
        list = with_item(list, item, failed);
    }
    return list;
}

static json_t *fits_json(const clup_fit *fits, size_t count)
{
    json_t *list = json_array();
    for (size_t k = 0; k < count && list != NULL; k++) {
        json_t *item = json_pack("{s:s, s:s}", "fit", fits[k].what, "formula", fits[k].formula);
        int failed = 0;
        for (unsigned p = 0; p < fits[k].parameter_count; p++)
            failed |= set_number(item, fits[k].parameters[p].name, fits[k].parameters[p].value);
        failed |= set_number(item, "rms", fits[k].rms);
        list = with_item(list, item, failed);
    }
    return list;
}

static json_t *make_row(const clup_device_info *device, const clup_samples *samples,
                        const clup_fit *fits, size_t fit_count)
{
    char date[32];
    clup_document_date(date);
    return json_pack("{s:s, s:s, s:s, s:o, s:s, s:s, s:i, s:o, s:o}", "device", device->name,
                     "driver", device->driver, "platform", device->platform, "kernels",
                     clup_row_kernels(samples), "date", date, "version", clup_version(),
                     "compute_units", (int)device->compute_units, "fits",
                     fits_json(fits, fit_count), "samples", samples_json(samples));
}

/* Writes row to the document, and takes ownership of it. row is NULL when it could not be made: the
 * device's names are no text, or there was no memory. */
static clup_status put_row(const clup_device_info *device, json_t *root, json_t *row)
{
    json_error_t error = {0};
    json_t *names = row != NULL ? NULL
                                : json_pack_ex(&error, 0, "[s, s, s]", device->name, device->driver,
                                               device->platform);
    const int texts = names != NULL || json_error_code(&error) != json_error_invalid_utf8;
    json_decref(names);
    if (row == NULL)
        return texts ? clup_fail_memory("a row of the tune database")
                     : clup_fail(CLUP_ERROR_RUNTIME, "the row of %s cannot be written as JSON",
                                 device->name);
    clup_status status = replace_row(root, row);
    return status == CLUP_OK ? clup_document_store_user(&kind, root) : status;
}

clup_status clup_database_put(const clup_device_info *device, const clup_samples *samples,
                              const clup_fit *fits, size_t fit_count)
{
    json_t *root;
    clup_status status = clup_document_load_user(&kind, &root);
    if (status != CLUP_OK)
        return status;
    status = put_row(device, root, make_row(device, samples, fits, fit_count));
    json_decref(root);
    return status;
}

clup_status clup_database_put_unfinished(const clup_device_info *device, int quick,
                                         const clup_samples *samples)
{
    char date[32];
    json_t *root;
    clup_status status = clup_document_load_user(&kind, &root);
    if (status != CLUP_OK)
        return status;
    const clup_samples none = {0};
    json_t *row = find_row(root, device->name, device->driver);
    row = row != NULL ? json_incref(row) : make_row(device, &none, NULL, 0);
    clup_document_date(date);
    if (json_object_set_new(row, "unfinished",
                            json_pack("{s:o, s:s, s:b, s:o}", "kernels", clup_row_kernels(samples),
                                      "date", date, "quick", quick, "samples",
                                      samples_json(samples))) != 0) {
        json_decref(row);
        row = NULL;
    }
    status = put_row(device, root, row);
    json_decref(root);
    return status;
}

clup_status clup_tune_database_check(void)
{
    json_t *root;
    clup_status status = clup_document_load_user(&kind, &root);
    if (status != CLUP_OK)
        return status;
    json_decref(root);
    status = clup_file_make_folders(clup_tune_database());
    return status == CLUP_OK ? clup_file_writable(clup_tune_database()) : status;
}

clup_status clup_tune_export(const char *path, clup_tune_rows *rows)
{
    json_t *root, *row;
    size_t k;
    clup_tune_rows found = {0};
    CLUP_NEED(path);
    clup_status status = clup_document_load_user(&kind, &root);
    if (status != CLUP_OK)
        return status;
    json_array_foreach(json_object_get(root, "rows"), k, row)
    {
        found.taken++;
        if ((status = clup_row_whole(row)) == CLUP_ERROR_MEMORY)
            goto done;
        if (status == CLUP_OK)
            continue;
        found.unreadable++;
        clup_row_warn(found.warning, k, row, clup_tune_database());
    }
    if (found.taken == 0)
        status = clup_fail(CLUP_ERROR_USAGE,
                           "there is nothing to export: %s has no rows; run clup tune first",
                           clup_tune_database());
    else
        status = clup_document_store(&kind, path, root);
done:
    json_decref(root);
    if (rows != NULL)
        *rows = found;
    return status;
}

/* Sets *should when row should replace other, the row of the same device and driver: other is NULL,
 * cannot be used, has no finished tuning, or is older. */
static clup_status replaces(const json_t *row, const json_t *other, int *should)
{
    const int has = json_array_size(json_object_get(row, "samples")) > 0,
              other_has = json_array_size(json_object_get(other, "samples")) > 0;
    const clup_status status = other != NULL && clup_row_current(other) ? clup_row_whole(other)
                                                                        : CLUP_ERROR_RUNTIME;
    *should = status != CLUP_OK || (has != other_has ? has
                                                     : strcmp(clup_row_text(other, "date"),
                                                              clup_row_text(row, "date")) < 0);
    return status == CLUP_ERROR_MEMORY ? status : CLUP_OK;
}

/* Merges row k of the database at path into root, and counts it in found. */
static clup_status merge(json_t *root, const char *path, size_t k, json_t *row,
                         clup_tune_rows *found)
{
    int should;
    clup_status status = CLUP_OK;
    if (clup_row_owner(row) == CLUP_OK && !clup_row_current(row)) {
        found->stale++;
        return CLUP_OK;
    }
    if ((status = clup_row_whole(row)) == CLUP_ERROR_MEMORY)
        return status;
    if (status != CLUP_OK) {
        found->unreadable++;
        clup_row_warn(found->warning, k, row, path);
        return CLUP_OK;
    }
    CLUP_TRY(replaces(
        row, find_row(root, clup_row_text(row, "device"), clup_row_text(row, "driver")), &should));
    if (should)
        CLUP_TRY(replace_row(root, json_incref(row)));
    ++*(should ? &found->taken : &found->older);
done:
    return status;
}

clup_status clup_tune_import(const char *path, clup_tune_rows *rows)
{
    json_t *root = NULL, *from = NULL, *row;
    clup_status status = CLUP_OK;
    clup_tune_rows found = {0};
    size_t k;
    CLUP_NEED(path);
    CLUP_TRY(clup_document_load(&kind, path, &from));
    CLUP_TRY(clup_document_load_user(&kind, &root));
    json_array_foreach(json_object_get(from, "rows"), k, row)
        CLUP_TRY(merge(root, path, k, row, &found));
    if (found.taken > 0)
        status = clup_document_store_user(&kind, root);
done:
    json_decref(root);
    json_decref(from);
    if (rows != NULL)
        *rows = found;
    return status;
}
