/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the tune database: their device and driver, and their times. */
#include "plan/database_row.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan/tables.h"
#include "program.h"

const char *clup_row_text(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));
    return text != NULL ? text : "";
}

static double number_of(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static clup_status refuse_number(const json_t *from, const char *key, const char *range)
{
    char text[32];
    const json_t *value = json_object_get(from, key);
    if (!json_is_number(value))
        return clup_fail(CLUP_ERROR_RUNTIME, "its %s is no number", key);
    return clup_fail(CLUP_ERROR_RUNTIME, "its %s is %s, not %s", key,
                     clup_number_text(json_number_value(value), text), range);
}

/* Validates a time, or a number of iterations, that may be missing. */
static clup_status check_optional(const json_t *from, const char *key)
{
    const json_t *value = json_object_get(from, key);
    return value == NULL || json_is_null(value) || number_of(from, key) > 0
               ? CLUP_OK
               : refuse_number(from, key, "above 0");
}

/* Writes and returns the key of a kernel variant among the hashes of a row. */
static const char *kernel_key(clup_stage stage, const char *kernel, char key[CLUP_NAME_MOST])
{
    snprintf(key, CLUP_NAME_MOST, "%s %s", clup_stage_name(stage), kernel);
    return key;
}

/* Sets *same when the hash of a variant in kernels is that of its present sources. */
static clup_status compare_hash(const json_t *kernels, const clup_variant *variant, bool *same)
{
    char key[CLUP_NAME_MOST], hex[CLUP_SOURCE_HASH];
    const clup_status status = clup_variant_hash(variant, hex);
    *same = status == CLUP_OK &&
            strcmp(clup_row_text(kernels, kernel_key(variant->stage, variant->name, key)), hex) ==
                0;
    return status == CLUP_ERROR_MEMORY ? status : CLUP_OK;
}

static clup_status read_sample(const json_t *from, const json_t *kernels, clup_sample *sample)
{
    const clup_layout *layout = clup_layout_named(clup_row_text(from, "bonds"));
    const double tile = number_of(from, "tile"), size = number_of(from, "size"),
                 systems = json_object_get(from, "systems") != NULL ? number_of(from, "systems")
                                                                    : 1;
    bool current;
    const clup_variant *variant = NULL;
    clup_stage stage = CLUP_SOURCE;
    while (stage < CLUP_MEASURE &&
           strcmp(clup_stage_name(stage), clup_row_text(from, "stage")) != 0)
        stage++;
    if (stage < CLUP_MEASURE)
        variant = clup_table_find(clup_table_of(stage), clup_row_text(from, "kernel"));
    if (variant == NULL)
        return clup_fail(CLUP_ERROR_RUNTIME, "there is no %s kernel '%s'",
                         clup_row_text(from, "stage"), clup_row_text(from, "kernel"));
    if (layout == NULL)
        return clup_fail(CLUP_ERROR_RUNTIME, "there is no bond layout '%s'",
                         clup_row_text(from, "bonds"));
    if (!(tile >= 0 && tile <= 65536))
        return refuse_number(from, "tile", "from 0 to 65536");
    if (!(size >= 1 && size <= 1e9))
        return refuse_number(from, "size", "from 1 to 1e9");
    if (!(systems >= 1 && systems <= 65536))
        return refuse_number(from, "systems", "from 1 to 65536");
    *sample = (clup_sample){.stage = stage,
                            .kernel = variant->name,
                            .bonds = layout->name,
                            .tile = (unsigned)tile,
                            .size = (unsigned)size,
                            .systems = (unsigned)systems,
                            .ps = number_of(from, "ps"),
                            .wall_ps = number_of(from, "wall_ps"),
                            .spread = NAN,
                            .iterations = number_of(from, "iterations")};
    if (!(sample->ps > 0))
        return refuse_number(from, "ps", "above 0");
    clup_status status = compare_hash(kernels, variant, &current);
    sample->stale = !current;
    if (status == CLUP_OK)
        status = check_optional(from, "wall_ps");
    return status == CLUP_OK ? check_optional(from, "iterations") : status;
}

clup_status clup_row_samples(const json_t *row, clup_samples *samples)
{
    size_t k;
    json_t *item;
    clup_status status = CLUP_OK;
    if (!json_is_array(json_object_get(row, "samples")))
        status = clup_fail(CLUP_ERROR_RUNTIME, "its samples are no list");
    json_array_foreach(json_object_get(row, "samples"), k, item)
    {
        clup_sample sample;
        if ((status = read_sample(item, json_object_get(row, "kernels"), &sample)) != CLUP_OK)
            status = clup_fail(status, "sample %zu: %s", k + 1, clup_error_detail());
        else
            status = clup_samples_add(samples, &sample);
        if (status != CLUP_OK)
            break;
    }
    if (status != CLUP_OK)
        clup_samples_free(samples);
    return status;
}

clup_status clup_row_owner(const json_t *row)
{
    static const char *const keys[] = {"device", "driver"};
    if (!json_is_object(row))
        return clup_fail(CLUP_ERROR_RUNTIME, "it is no object");
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (!json_is_string(json_object_get(row, keys[k])))
            return clup_fail(CLUP_ERROR_RUNTIME, "its %s is no text", keys[k]);
    return CLUP_OK;
}

clup_status clup_row_whole(const json_t *row)
{
    clup_samples samples = {0};
    clup_status status = clup_row_owner(row);
    if (status == CLUP_OK)
        status = clup_row_samples(row, &samples);
    clup_samples_free(&samples);
    return status;
}

/* Returns the kernel variant that a key of hashes names, or NULL. */
static const clup_variant *keyed_row(const char *key)
{
    char name[CLUP_NAME_MOST];
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        for (size_t k = 0; k < clup_table_of(stage)->count; k++)
            if (strcmp(kernel_key(stage, clup_table_of(stage)->variants[k].name, name), key) == 0)
                return &clup_table_of(stage)->variants[k];
    return NULL;
}

int clup_row_current(const json_t *row)
{
    json_t *kernels = json_object_get(row, "kernels");
    const json_t *unfinished = json_object_get(row, "unfinished"), *value;
    const char *key;
    bool current = false;
    json_object_foreach(kernels, key, value)
    {
        const clup_variant *of = keyed_row(key);
        if (of != NULL && !current)
            compare_hash(kernels, of, &current);
    }
    return current || (unfinished != NULL && clup_row_current(unfinished));
}

json_t *clup_row_kernels(const clup_samples *samples)
{
    char key[CLUP_NAME_MOST], hex[CLUP_SOURCE_HASH];
    json_t *kernels = json_object();
    for (size_t k = 0; k < samples->count && kernels != NULL; k++) {
        const clup_sample *sample = &samples->items[k];
        const clup_variant *variant = clup_table_find(clup_table_of(sample->stage), sample->kernel);
        kernel_key(sample->stage, sample->kernel, key);
        if (sample->stale || json_object_get(kernels, key) != NULL)
            continue;
        if (clup_variant_hash(variant, hex) != CLUP_OK ||
            json_object_set_new(kernels, key, json_string(hex)) != 0) {
            json_decref(kernels);
            kernels = NULL;
        }
    }
    return kernels;
}

void clup_row_warn(char warning[512], size_t k, const json_t *row, const char *path)
{
    const char *device = clup_row_text(row, "device"), *driver = clup_row_text(row, "driver");
    if (warning[0] == '\0')
        snprintf(warning, 512, "row %zu of %s%s%s%s%s%s cannot be used: %s", k + 1, path,
                 *device != '\0' ? ", of " : "", device, *driver != '\0' ? " with driver " : "",
                 driver, *device != '\0' ? "," : "", clup_error_detail());
}
