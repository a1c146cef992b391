/* The tune database: {"schema", "rows": [{"device", "driver", "kernels", "date", "version", "samples", "fits", "unfinished"}]}. A tuning that was
 * interrupted is "unfinished": {"kernels", "date", "quick", "samples"}; without an earlier one the row has no other samples, and plans are
 * made without it. A shipped row has "for" instead of a driver: a list of objects with "device", "vendor", "platform" or "type", or none,
 * that it serves. */
#include "plan/database.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "ocl/source.h"
#include "plan/database_row.h"
#include "plan/tables.h"

#define SCHEMA "clup/tune/1"
/* Each is compared with each when files are merged. */
#define ROWS_MOST 10000

const char *clup_tune_database(void)
{
    static _Thread_local char path[4096];
    const char *xdg = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int length = xdg != NULL && *xdg == '/' ? snprintf(path, sizeof path, "%s/clup/tune.json", xdg)
                 : home != NULL && *home != '\0' ? snprintf(path, sizeof path, "%s/.local/share/clup/tune.json", home) : -1;
    return length > 0 && (size_t)length < sizeof path ? path : NULL;
}

/* ---- reading -------------------------------------------------------------------------------------- */

/* Why jansson does not read a text. Where it has no memory it often says no more than that it expected something else. */
static clup_status refuse(const char *text, size_t size, const char *name, const json_error_t *error)
{
    const enum json_error_code code = json_error_code(error);
    const int unsure = code == json_error_unknown || code == json_error_invalid_syntax || code == json_error_premature_end_of_input;
    if (code == json_error_out_of_memory || (unsure && clup_json_is(text, size)))
        return clup_fail_memory(name);
    return clup_fail(CLUP_ERROR_RUNTIME, "%s is not JSON, or not all of it: line %d: %s", name, error->line, error->text);
}

static clup_status check_rows(const json_t *rows, const char *name)
{
    if (json_array_size(rows) <= ROWS_MOST)
        return CLUP_OK;
    return clup_fail(CLUP_ERROR_RUNTIME, "%s: %zu rows, more than the limit, %u", name, json_array_size(rows), ROWS_MOST);
}

/* The document in a text, whose name is for messages; checks that it is a tune database. */
static clup_status parse(const char *text, size_t size, const char *name, json_t **root)
{
    json_error_t error;
    clup_status status = CLUP_ERROR_RUNTIME;
    *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (*root == NULL)
        return refuse(text, size, name, &error);
    const char *schema = json_string_value(json_object_get(*root, "schema"));
    const json_t *rows = json_object_get(*root, "rows");
    if (schema != NULL && strcmp(schema, SCHEMA) == 0 && json_is_array(rows))
        status = check_rows(rows, name);
    else
        clup_fail(status, "%s is no tune database of this version: its schema is '%s', not '%s'", name, schema != NULL ? schema : "", SCHEMA);
    if (status == CLUP_OK)
        return CLUP_OK;
    json_decref(*root);
    *root = NULL;
    return status;
}

static clup_status load(const char *path, json_t **root)
{
    clup_text text = {0};
    clup_status status = CLUP_OK;
    *root = NULL;
    CLUP_TRY(clup_file_read(path, &text));
    CLUP_TRY(parse(text.data, text.length, path, root));
done:
    clup_text_free(&text);
    return status;
}

/* The user's database, an empty one where there is no file. */
static clup_status load_user(json_t **root)
{
    const char *path = clup_tune_database();
    *root = NULL;
    if (path == NULL)
        return clup_fail(CLUP_ERROR_RUNTIME, "no folder for the tune database: neither XDG_DATA_HOME nor HOME is set");
    if (access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)) {
        *root = json_pack("{s:s, s:[]}", "schema", SCHEMA, "rows");
        return *root != NULL ? CLUP_OK : clup_fail_memory("the tune database");
    }
    return load(path, root);
}

static json_t *find_row(json_t *root, const char *device, const char *driver)
{
    size_t k;
    json_t *row;
    json_array_foreach(json_object_get(root, "rows"), k, row)
        if (strcmp(clup_row_text(row, "device"), device) == 0 && strcmp(clup_row_text(row, "driver"), driver) == 0)
            return row;
    return NULL;
}

/* From the user's database; without a usable row there are no samples, and a warning says why where that is no matter of course. */
static clup_status find_user(const clup_device_info *device, clup_knowledge *knowledge)
{
    json_t *root = NULL, *row;
    clup_status status = CLUP_OK;
    size_t k;
    if (clup_tune_database() == NULL)
        return CLUP_OK;
    if ((status = load_user(&root)) == CLUP_ERROR_RUNTIME) {
        snprintf(knowledge->warning, sizeof knowledge->warning, "the tune database is not used: %s", clup_error_detail());
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
        if (knowledge->samples.count > 0 || strcmp(clup_row_text(row, "device"), device->name) != 0 || strcmp(clup_row_text(row, "driver"), device->driver) != 0)
            continue;
        if (!clup_row_current(row)) {
            snprintf(knowledge->warning, sizeof knowledge->warning, "the times of %s in %s were measured with other kernels and are not used: run clup tune again",
                     device->name, clup_tune_database());
            continue;
        }
        status = clup_row_samples(row, &knowledge->samples);
        if (status == CLUP_ERROR_MEMORY)
            break;
        if (status != CLUP_OK)
            clup_row_warn(knowledge->warning, k, row, clup_tune_database());
        else if (knowledge->samples.count > 0)
            snprintf(knowledge->origin, sizeof knowledge->origin, "tuned %s", clup_row_text(row, "date"));
        status = CLUP_OK;
    }
    json_decref(root);
    return status;
}

clup_status clup_database_unfinished(const clup_device_info *device, int quick, clup_samples *samples)
{
    json_t *root;
    clup_status status = load_user(&root);
    if (status != CLUP_OK)
        return status;
    const json_t *unfinished = json_object_get(find_row(root, device->name, device->driver), "unfinished");
    if (clup_row_current(unfinished) && json_is_true(json_object_get(unfinished, "quick")) == (quick != 0))
        status = clup_row_samples(unfinished, samples);
    json_decref(root);
    /* what cannot be read is measured again */
    return status == CLUP_ERROR_RUNTIME ? CLUP_OK : status;
}

/* How closely a shipped row is meant for the device: 4 device, 3 vendor or platform, 2 type, 1 any; 0 not. */
static int closeness(const json_t *row, const clup_device_info *device, const char **by)
{
    const struct {
        const char *key, *value;
        int level;
    } keys[] = {{"device", device->name, 4}, {"vendor", device->vendor, 3}, {"platform", device->platform, 3}, {"type", device->type, 2}};
    int best = 0;
    size_t n;
    json_t *match;
    json_array_foreach(json_object_get(row, "for"), n, match)
    {
        int level = json_object_size(match) == 0;
        const char *key = "any device";
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (json_object_get(match, keys[k].key) != NULL && clup_text_contains(keys[k].value, clup_row_text(match, keys[k].key))) {
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
    CLUP_TRY(parse(text.data, text.length, "shipped.json", &root));
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
        snprintf(knowledge->origin, sizeof knowledge->origin, "shipped times of %s, %s, by %s", clup_row_text(best, "device"), clup_row_text(best, "date"), best_by);
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

/* ---- writing -------------------------------------------------------------------------------------- */

static int add_bytes(const char *bytes, size_t count, void *text)
{
    clup_text_add_bytes(text, bytes, count);
    return 0;
}

/* One line a sample and a fit, so that rows can be read and compared; what is no row is written as it is. Not by json_dumps, which (jansson 2.14)
 * leaves out a key for which its text cannot grow; text remembers that it could not. */
static void add_json(clup_text *text, const json_t *value)
{
    if (json_dump_callback(value, add_bytes, text, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15)) != 0)
        text->failed = true;
}

static void add_list(clup_text *text, const json_t *list)
{
    size_t k;
    json_t *item;
    clup_text_add(text, "[");
    json_array_foreach(list, k, item)
    {
        clup_text_add(text, k > 0 ? ",\n    " : "\n    ");
        add_json(text, item);
    }
    clup_text_add(text, "]");
}

static void add_row(clup_text *text, json_t *row)
{
    const char *key, *comma = "";
    json_t *value;
    if (!json_is_object(row)) {
        add_json(text, row);
        return;
    }
    clup_text_add(text, "{");
    json_object_foreach(row, key, value)
    {
        json_t *name = json_string(key);
        clup_text_add(text, "%s\n  ", comma);
        add_json(text, name);
        json_decref(name);
        clup_text_add(text, ": ");
        if (json_is_array(value))
            add_list(text, value);
        else
            add_json(text, value);
        comma = ",";
    }
    clup_text_add(text, "\n}");
}

/* The text of a database that can be read again, to path. */
static clup_status store(const char *path, json_t *root)
{
    clup_text text = {0};
    clup_status status = check_rows(json_object_get(root, "rows"), path);
    size_t k;
    json_t *row;
    clup_text_add(&text, "{\"schema\": \"%s\", \"rows\": [", SCHEMA);
    json_array_foreach(json_object_get(root, "rows"), k, row)
    {
        clup_text_add(&text, k > 0 ? ",\n" : "\n");
        add_row(&text, row);
    }
    clup_text_add(&text, "\n]}\n");
    if (!clup_text_ok(&text))
        status = clup_fail_memory("the tune database");
    else if (text.length > CLUP_FILE_MOST)
        status = clup_fail(CLUP_ERROR_RUNTIME, "%s would have %zu bytes, more than the limit, %u", path, text.length, CLUP_FILE_MOST);
    else if (status == CLUP_OK)
        status = clup_file_write(path, &(clup_piece){text.data, text.length}, 1);
    clup_text_free(&text);
    return status;
}

static clup_status store_user(json_t *root)
{
    const char *path = clup_tune_database();
    clup_status status = clup_file_make_folders(path);
    return status == CLUP_OK ? store(path, root) : status;
}

/* Puts row where an older one of the same device and driver is, or at the end; takes it over. */
static clup_status replace_row(json_t *root, json_t *row)
{
    json_t *rows = json_object_get(root, "rows"), *old;
    size_t k;
    json_array_foreach(rows, k, old)
        if (strcmp(clup_row_text(old, "device"), clup_row_text(row, "device")) == 0 && strcmp(clup_row_text(old, "driver"), clup_row_text(row, "driver")) == 0)
            break;
    const int failed = k < json_array_size(rows) ? json_array_set_new(rows, k, row) : json_array_append_new(rows, row);
    return failed ? clup_fail_memory("a row of the tune database") : CLUP_OK;
}

/* To the digits that a time has; gives 0, or -1 without memory, as jansson does. */
static int set_number(json_t *object, const char *key, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", value);
    return json_object_set_new(object, key, isfinite(value) ? json_real(strtod(text, NULL)) : json_null());
}

/* Appends an item, which is taken over, unless it is incomplete or there is no memory: then the list is dropped, which gives NULL. */
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
        /* a clock may be too coarse for a kernel; such a row would not be read */
        if (!(sample->ps > 0 && isfinite(sample->ps)))
            continue;
        json_t *item = json_pack("{s:s, s:s, s:s, s:i, s:i}", "stage", clup_stage_name(sample->stage), "kernel", sample->kernel, "bonds", sample->bonds,
                                 "tile", (int)sample->tile, "size", (int)sample->size);
        int failed = set_number(item, "ps", sample->ps) | set_number(item, "wall_ps", sample->wall_ps);
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

/* What a set of samples is signed with. */
static void sign(char hash[65], char date[32])
{
    const time_t now = time(NULL);
    struct tm utc;
    clup_tables_hash(hash);
    strftime(date, 32, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
}

static json_t *make_row(const clup_device_info *device, const clup_samples *samples, const clup_fit *fits, size_t fit_count)
{
    char hash[65], date[32];
    sign(hash, date);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:o, s:o}", "device", device->name, "driver", device->driver, "platform", device->platform,
                     "kernels", hash, "date", date, "version", clup_version(), "compute_units", (int)device->compute_units, "fits",
                     fits_json(fits, fit_count), "samples", samples_json(samples));
}

/* Takes over row, NULL when it could not be made: for want of memory, unless the device's names are no texts. */
static clup_status put_row(const clup_device_info *device, json_t *root, json_t *row)
{
    json_error_t error;
    json_t *names = row != NULL ? NULL : json_pack_ex(&error, 0, "[s, s, s]", device->name, device->driver, device->platform);
    const int texts = names != NULL || json_error_code(&error) != json_error_invalid_utf8;
    json_decref(names);
    if (row == NULL)
        return texts ? clup_fail_memory("a row of the tune database") : clup_fail(CLUP_ERROR_RUNTIME, "the row of %s cannot be written as JSON", device->name);
    clup_status status = replace_row(root, row);
    return status == CLUP_OK ? store_user(root) : status;
}

clup_status clup_database_put(const clup_device_info *device, const clup_samples *samples, const clup_fit *fits, size_t fit_count)
{
    json_t *root;
    clup_status status = load_user(&root);
    if (status != CLUP_OK)
        return status;
    status = put_row(device, root, make_row(device, samples, fits, fit_count));
    json_decref(root);
    return status;
}

clup_status clup_database_put_unfinished(const clup_device_info *device, int quick, const clup_samples *samples)
{
    char hash[65], date[32];
    json_t *root;
    clup_status status = load_user(&root);
    if (status != CLUP_OK)
        return status;
    const clup_samples none = {0};
    json_t *row = find_row(root, device->name, device->driver);
    row = row != NULL ? json_incref(row) : make_row(device, &none, NULL, 0);
    sign(hash, date);
    if (json_object_set_new(row, "unfinished", json_pack("{s:s, s:s, s:b, s:o}", "kernels", hash, "date", date, "quick", quick, "samples", samples_json(samples))) != 0) {
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
    clup_status status = load_user(&root);
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
    clup_status status = load_user(&root);
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
        status = clup_fail(CLUP_ERROR_USAGE, "there is nothing to export: %s has no rows; run clup tune first", clup_tune_database());
    else
        status = store(path, root);
done:
    json_decref(root);
    if (rows != NULL)
        *rows = found;
    return status;
}

/* Whether a row should take the place of another one of the device and driver, NULL where there is none: that cannot be used, has no finished
 * tuning, or is older. */
static clup_status replaces(const json_t *row, const json_t *other, int *should)
{
    const int has = json_array_size(json_object_get(row, "samples")) > 0, other_has = json_array_size(json_object_get(other, "samples")) > 0;
    const clup_status status = other != NULL && clup_row_current(other) ? clup_row_whole(other) : CLUP_ERROR_RUNTIME;
    *should = status != CLUP_OK || (has != other_has ? has : strcmp(clup_row_text(other, "date"), clup_row_text(row, "date")) < 0);
    return status == CLUP_ERROR_MEMORY ? status : CLUP_OK;
}

/* Merges row k of the database at path, and counts it. */
static clup_status merge(json_t *root, const char *path, size_t k, json_t *row, clup_tune_rows *found)
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
    CLUP_TRY(replaces(row, find_row(root, clup_row_text(row, "device"), clup_row_text(row, "driver")), &should));
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
    CLUP_TRY(load(path, &from));
    CLUP_TRY(load_user(&root));
    json_array_foreach(json_object_get(from, "rows"), k, row)
        CLUP_TRY(merge(root, path, k, row, &found));
    if (found.taken > 0)
        status = store_user(root);
done:
    json_decref(root);
    json_decref(from);
    if (rows != NULL)
        *rows = found;
    return status;
}
