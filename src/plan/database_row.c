/* Rows of the tune database: whose they are, and the times in them. */
#include "plan/database_row.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan/tables.h"

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

/* A time, or a number of iterations, that may be unknown. */
static clup_status check_optional(const json_t *from, const char *key)
{
    const json_t *value = json_object_get(from, key);
    return value == NULL || json_is_null(value) || number_of(from, key) > 0
               ? CLUP_OK
               : refuse_number(from, key, "above 0");
}

static clup_status read_sample(const json_t *from, clup_sample *sample)
{
    const clup_layout *layout = clup_layout_named(clup_row_text(from, "bonds"));
    const double tile = number_of(from, "tile"), size = number_of(from, "size");
    const clup_row *row = NULL;
    clup_stage stage = CLUP_SOURCE;
    while (stage < CLUP_MEASURE &&
           strcmp(clup_stage_name(stage), clup_row_text(from, "stage")) != 0)
        stage++;
    if (stage < CLUP_MEASURE)
        row = clup_table_find(clup_table_of(stage), clup_row_text(from, "kernel"));
    if (row == NULL)
        return clup_fail(CLUP_ERROR_RUNTIME, "there is no %s kernel '%s'",
                         clup_row_text(from, "stage"), clup_row_text(from, "kernel"));
    if (layout == NULL)
        return clup_fail(CLUP_ERROR_RUNTIME, "there is no bond layout '%s'",
                         clup_row_text(from, "bonds"));
    if (!(tile >= 0 && tile <= 65536))
        return refuse_number(from, "tile", "from 0 to 65536");
    if (!(size >= 1 && size <= 1e9))
        return refuse_number(from, "size", "from 1 to 1e9");
    *sample = (clup_sample){.stage = stage,
                            .kernel = row->name,
                            .bonds = layout->name,
                            .tile = (unsigned)tile,
                            .size = (unsigned)size,
                            .ps = number_of(from, "ps"),
                            .wall_ps = number_of(from, "wall_ps"),
                            .spread = NAN,
                            .iterations = number_of(from, "iterations")};
    if (!(sample->ps > 0))
        return refuse_number(from, "ps", "above 0");
    clup_status status = check_optional(from, "wall_ps");
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
        if ((status = read_sample(item, &sample)) != CLUP_OK)
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

int clup_row_current(const json_t *row)
{
    char hash[65];
    clup_tables_hash(hash);
    return strcmp(clup_row_text(row, "kernels"), hash) == 0;
}

void clup_row_warn(char warning[512], size_t k, const json_t *row, const char *path)
{
    const char *device = clup_row_text(row, "device"), *driver = clup_row_text(row, "driver");
    if (warning[0] == '\0')
        snprintf(warning, 512, "row %zu of %s%s%s%s%s%s cannot be used: %s", k + 1, path,
                 *device != '\0' ? ", of " : "", device, *driver != '\0' ? " with driver " : "",
                 driver, *device != '\0' ? "," : "", clup_error_detail());
}
