/* The tune database: {"schema", "rows": [{"device", "driver", "kernels", "date", "version", "samples", "fits", "unfinished"}]}. A tuning that was
 * interrupted is "unfinished": {"kernels", "date", "quick", "samples"}; without an earlier one the row has no other samples, and plans are
 * made without it. A shipped row has "for" instead of a driver: a list of objects with "device", "vendor", "platform" or "type", or none,
 * that it serves. */
#include "plan/database.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "ocl/source.h"
#include "plan/tables.h"

#define SCHEMA "clup/tune/1"

const char *clup_tune_database(void)
{
    static _Thread_local char path[4096];
    const char *xdg = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int length = xdg != NULL && *xdg == '/' ? snprintf(path, sizeof path, "%s/clup/tune.json", xdg)
                 : home != NULL && *home != '\0' ? snprintf(path, sizeof path, "%s/.local/share/clup/tune.json", home) : -1;
    return length > 0 && (size_t)length < sizeof path ? path : NULL;
}

/* ---- reading -------------------------------------------------------------------------------------- */

/* The document in a text, whose name is for messages; checks that it is a tune database. */
static clup_status parse(const char *text, size_t size, const char *name, json_t **root)
{
    json_error_t error;
    *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (*root == NULL)
        return clup_fail(CLUP_ERROR_RUNTIME, "%s is not JSON, or not all of it: line %d: %s", name, error.line, error.text);
    const char *schema = json_string_value(json_object_get(*root, "schema"));
    if (schema != NULL && strcmp(schema, SCHEMA) == 0 && json_is_array(json_object_get(*root, "rows")))
        return CLUP_OK;
    clup_fail(CLUP_ERROR_RUNTIME, "%s is no tune database of this version: its schema is '%s', not '%s'", name, schema != NULL ? schema : "", SCHEMA);
    json_decref(*root);
    *root = NULL;
    return CLUP_ERROR_RUNTIME;
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

static const char *text_of(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));
    return text != NULL ? text : "";
}

static double number_of(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* A sample whose kernel and layout exist; what is not so is left out. */
static int read_sample(const json_t *from, clup_sample *sample)
{
    const clup_layout *layout = clup_layout_named(text_of(from, "bonds"));
    double tile = number_of(from, "tile"), size = number_of(from, "size");
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        const clup_row *row = clup_table_find(clup_table_of(stage), text_of(from, "kernel"));
        if (row == NULL || layout == NULL || strcmp(clup_stage_name(stage), text_of(from, "stage")) != 0)
            continue;
        *sample = (clup_sample){.stage = stage, .kernel = row->name, .bonds = layout->name, .ps = number_of(from, "ps"), .wall_ps = number_of(from, "wall_ps"),
                                .spread = NAN, .iterations = number_of(from, "iterations")};
        sample->tile = tile >= 0 && tile <= 65536 ? (unsigned)tile : 0;
        sample->size = size >= 1 && size <= 1e9 ? (unsigned)size : 0;
        return sample->ps > 0 && isfinite(sample->ps) && sample->size > 0;
    }
    return 0;
}

static clup_status read_samples(const json_t *row, clup_samples *samples)
{
    size_t k;
    json_t *item;
    clup_status status = CLUP_OK;
    json_array_foreach(json_object_get(row, "samples"), k, item)
    {
        clup_sample sample;
        if (read_sample(item, &sample))
            CLUP_TRY(clup_samples_add(samples, &sample));
    }
done:
    return status;
}

static json_t *find_row(json_t *root, const char *device, const char *driver)
{
    size_t k;
    json_t *row;
    json_array_foreach(json_object_get(root, "rows"), k, row)
        if (strcmp(text_of(row, "device"), device) == 0 && strcmp(text_of(row, "driver"), driver) == 0)
            return row;
    return NULL;
}

static int made_with_these_kernels(const json_t *row)
{
    char hash[65];
    clup_tables_hash(hash);
    return strcmp(text_of(row, "kernels"), hash) == 0;
}

/* From the user's database; without a usable row there are no samples, and a warning says why where that is no matter of course. */
static clup_status find_user(const clup_device_info *device, clup_knowledge *knowledge)
{
    json_t *root = NULL;
    clup_status status = CLUP_OK;
    if (clup_tune_database() == NULL)
        return CLUP_OK;
    if (load_user(&root) != CLUP_OK) {
        snprintf(knowledge->warning, sizeof knowledge->warning, "the tune database is not used: %s", clup_error_detail());
        return CLUP_OK;
    }
    json_t *row = find_row(root, device->name, device->driver);
    if (row != NULL && !made_with_these_kernels(row))
        snprintf(knowledge->warning, sizeof knowledge->warning, "the times of %s in %s were measured with other kernels and are not used: run clup tune again",
                 device->name, clup_tune_database());
    else if (row != NULL) {
        status = read_samples(row, &knowledge->samples);
        if (knowledge->samples.count > 0)
            snprintf(knowledge->origin, sizeof knowledge->origin, "tuned %s", text_of(row, "date"));
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
    if (made_with_these_kernels(unfinished) && json_is_true(json_object_get(unfinished, "quick")) == (quick != 0))
        status = read_samples(unfinished, samples);
    json_decref(root);
    return status;
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
            if (json_object_get(match, keys[k].key) != NULL && clup_text_contains(keys[k].value, text_of(match, keys[k].key))) {
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
        CLUP_TRY(read_samples(best, &knowledge->samples));
        snprintf(knowledge->origin, sizeof knowledge->origin, "shipped times of %s, %s, by %s", text_of(best, "device"), text_of(best, "date"), best_by);
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
}

/* ---- writing -------------------------------------------------------------------------------------- */

/* One line a sample and a fit, so that rows can be read and compared. */
static void add_json(clup_text *text, const json_t *value)
{
    char *line = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
    if (line == NULL)
        text->failed = true;
    else
        clup_text_add(text, "%s", line);
    free(line);
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

static clup_status store(const char *path, json_t *root)
{
    clup_text text = {0};
    clup_status status = CLUP_OK;
    size_t k;
    json_t *row, *value;
    const char *key;
    clup_text_add(&text, "{\"schema\": \"%s\", \"rows\": [", SCHEMA);
    json_array_foreach(json_object_get(root, "rows"), k, row)
    {
        const char *comma = "";
        clup_text_add(&text, k > 0 ? ",\n{" : "\n{");
        json_object_foreach(row, key, value)
        {
            clup_text_add(&text, "%s\n  \"%s\": ", comma, key);
            if (json_is_array(value))
                add_list(&text, value);
            else
                add_json(&text, value);
            comma = ",";
        }
        clup_text_add(&text, "\n}");
    }
    clup_text_add(&text, "\n]}\n");
    if (!clup_text_ok(&text))
        status = clup_fail_memory("the tune database");
    else
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
static void replace_row(json_t *root, json_t *row)
{
    json_t *rows = json_object_get(root, "rows"), *old;
    size_t k;
    json_array_foreach(rows, k, old)
        if (strcmp(text_of(old, "device"), text_of(row, "device")) == 0 && strcmp(text_of(old, "driver"), text_of(row, "driver")) == 0) {
            json_array_set_new(rows, k, row);
            return;
        }
    json_array_append_new(rows, row);
}

static void set_number(json_t *object, const char *key, double value)
{
    json_object_set_new(object, key, isfinite(value) ? json_real(value) : json_null());
}

static json_t *samples_json(const clup_samples *samples)
{
    json_t *list = json_array();
    for (size_t k = 0; k < samples->count; k++) {
        const clup_sample *sample = &samples->items[k];
        json_t *item = json_pack("{s:s, s:s, s:s, s:i, s:i}", "stage", clup_stage_name(sample->stage), "kernel", sample->kernel, "bonds", sample->bonds,
                                 "tile", (int)sample->tile, "size", (int)sample->size);
        set_number(item, "ps", sample->ps);
        set_number(item, "wall_ps", sample->wall_ps);
        if (isfinite(sample->iterations))
            set_number(item, "iterations", sample->iterations);
        json_array_append_new(list, item);
    }
    return list;
}

static json_t *fits_json(const clup_fit *fits, size_t count)
{
    json_t *list = json_array();
    for (size_t k = 0; k < count; k++) {
        json_t *item = json_pack("{s:s, s:s}", "fit", fits[k].what, "formula", fits[k].formula);
        for (unsigned p = 0; p < fits[k].parameter_count; p++)
            set_number(item, fits[k].parameters[p].name, fits[k].parameters[p].value);
        set_number(item, "rms", fits[k].rms);
        json_array_append_new(list, item);
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

/* Takes over row. */
static clup_status put_row(const clup_device_info *device, json_t *root, json_t *row)
{
    if (row == NULL)
        return clup_fail(CLUP_ERROR_RUNTIME, "the row of %s cannot be written as JSON", device->name);
    replace_row(root, row);
    return store_user(root);
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

clup_status clup_tune_export(const char *path)
{
    json_t *root;
    CLUP_NEED(path);
    clup_status status = load_user(&root);
    if (status != CLUP_OK)
        return status;
    if (json_array_size(json_object_get(root, "rows")) == 0)
        status = clup_fail(CLUP_ERROR_USAGE, "there is nothing to export: %s has no rows; run clup tune first", clup_tune_database());
    else
        status = store(path, root);
    json_decref(root);
    return status;
}

/* Whether a row should take the place of another one, NULL where there is none: it is newer, and not that of an unfinished tuning alone. */
static int replaces(const json_t *row, const json_t *other)
{
    const int has = json_array_size(json_object_get(row, "samples")) > 0, other_has = json_array_size(json_object_get(other, "samples")) > 0;
    if (!made_with_these_kernels(other))
        return 1;
    return has != other_has ? has : strcmp(text_of(other, "date"), text_of(row, "date")) < 0;
}

clup_status clup_tune_import(const char *path, unsigned *taken, unsigned *older, unsigned *stale)
{
    json_t *root = NULL, *from = NULL, *row;
    clup_status status = CLUP_OK;
    size_t k;
    CLUP_NEED(path);
    CLUP_NEED(taken);
    CLUP_NEED(older);
    CLUP_NEED(stale);
    *taken = *older = *stale = 0;
    CLUP_TRY(load(path, &from));
    CLUP_TRY(load_user(&root));
    json_array_foreach(json_object_get(from, "rows"), k, row)
    {
        if (!made_with_these_kernels(row) || !json_is_array(json_object_get(row, "samples")))
            ++*stale;
        else if (!replaces(row, find_row(root, text_of(row, "device"), text_of(row, "driver"))))
            ++*older;
        else {
            replace_row(root, json_incref(row));
            ++*taken;
        }
    }
    if (*taken > 0)
        status = store_user(root);
done:
    json_decref(root);
    json_decref(from);
    return status;
}
