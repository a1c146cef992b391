/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a job file, TOML or JSON. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/job/job.h"
#include "cli/job/job_toml.h"
#include "cli/message.h"
#include "cli/paths.h"

static int read_toml(job_source *source)
{
    char error[512] = "", *lines = NULL,
         *text = job_toml(source->path, &lines, error, sizeof error);
    if (text != NULL && (source->keys = json_loads(text, 0, NULL)) == NULL)
        snprintf(error, sizeof error, "a value that JSON does not have");
    if (lines != NULL)
        source->lines = json_loads(lines, 0, NULL);
    free(text);
    free(lines);
    return source->keys != NULL ? 0 : cli_usage_error("%s: %s", source->path, error);
}

static int read_json(job_source *source)
{
    json_error_t error;
    source->keys = json_load_file(source->path, JSON_REJECT_DUPLICATES, &error);
    if (json_is_object(source->keys))
        return 0;
    return source->keys != NULL ? cli_usage_error("%s: a job is an object", source->path)
           : error.line > 0
               ? cli_usage_error("%s: line %d: %s", source->path, error.line, error.text)
               : cli_usage_error("%s: %s", source->path, error.text);
}

int job_read(const char *path, job_source *source)
{
    *source = (job_source){.path = path};
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        cli_message(0, "cannot read '%s': %m", path);
        return CLUP_ERROR_RUNTIME;
    }
    fclose(file);
    return cli_has_extension(path, ".json") ? read_json(source) : read_toml(source);
}

void job_source_free(job_source *source)
{
    json_decref(source->keys);
    json_decref(source->lines);
    *source = (job_source){0};
}
