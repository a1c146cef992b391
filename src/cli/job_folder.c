/* The folder of a job: its manifest, what is held, and what is done. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "cli/job.h"
#include "cli/message.h"
#include "clup.h"

job_path job_file(const char *folder, const char *name)
{
    job_path path;
    snprintf(path.text, sizeof path.text, "%s/%s", folder, name);
    return path;
}

job_path job_launch_file(const char *folder, size_t k, const char *name)
{
    job_path path;
    snprintf(path.text, sizeof path.text, "%s/launch-%03zu%s", folder, k + 1, name);
    return path;
}

int job_lock(const char *path, int wait)
{
    /* processes that it starts have it as well, so that what is held is free when all have ended */
    const int lock = open(path, O_RDWR | O_CREAT, 0666);
    int held;
    if (lock < 0) {
        cli_message(0, "cannot write '%s': %m", path);
        return -2;
    }
    do
        held = flock(lock, LOCK_EX | (wait ? 0 : LOCK_NB));
    while (held != 0 && errno == EINTR);
    if (held == 0)
        return lock;
    const int busy = errno == EWOULDBLOCK;
    if (!busy)
        cli_message(0, "cannot lock '%s': %m", path);
    close(lock);
    return busy ? -1 : -2;
}

int job_write(const char *path, const char *bytes, size_t size)
{
    const clup_status status = clup_file_save(path, bytes, size);
    if (status == CLUP_OK)
        return 0;
    cli_message(0, "%s", clup_error_detail());
    return (int)status;
}

int job_write_json(const char *path, const json_t *document)
{
    char *text = json_dumps(document, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    if (text == NULL) {
        cli_message(0, "out of memory for '%s'", path);
        return CLUP_ERROR_MEMORY;
    }
    const int code = job_write(path, text, strlen(text));
    free(text);
    return code;
}

/* Whether a launch has what is asked of it below. */
static int is_launch(const json_t *launch)
{
    const char *name;
    const json_t *value;
    const json_t *options = json_object_get(launch, "options"),
                 *betas = json_object_get(launch, "betas");
    const char *const numbers[] = {"seed", "first_replica", "sites", "sweeps"};
    if (!json_is_object(options) || json_array_size(betas) == 0)
        return 0;
    json_object_foreach((json_t *)options, name, value)
    {
        if (!json_is_string(value))
            return 0;
    }
    for (size_t k = 0; k < json_array_size(betas); k++)
        if (!json_is_number(json_array_get(betas, k)))
            return 0;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (!json_is_integer(json_object_get(launch, numbers[k])))
            return 0;
    return 1;
}

json_t *job_manifest(const char *folder, int *code)
{
    const job_path path = job_file(folder, "job.json");
    json_error_t error;
    *code = 0;
    if (access(path.text, F_OK) != 0 && errno == ENOENT)
        return json_array();
    json_t *root = json_load_file(path.text, JSON_REJECT_DUPLICATES, &error);
    const char *schema = json_string_value(json_object_get(root, "schema"));
    json_t *launches = json_object_get(root, "launches");
    if (root == NULL)
        cli_message(0, "'%s': %s", path.text, error.text);
    else if (schema == NULL || strncmp(schema, "clup/job/", 9) != 0)
        cli_message(0, "'%s' is no manifest of clup run", path.text);
    else if (strcmp(schema, JOB_SCHEMA) != 0)
        cli_message(0, "'%s' is of a later clup: %s", path.text, schema);
    else {
        size_t k;
        json_t *launch;
        int right = json_is_array(launches);
        json_array_foreach(launches, k, launch)
        {
            right = right && is_launch(launch);
        }
        if (right) {
            json_incref(launches);
            json_decref(root);
            return launches;
        }
        cli_message(0, "'%s' is damaged", path.text);
    }
    json_decref(root);
    *code = CLUP_ERROR_RUNTIME;
    return NULL;
}

job_state job_state_of(const char *folder, size_t k, json_t **result)
{
    json_t *found = json_load_file(job_launch_file(folder, k, ".json").text, 0, NULL);
    if (found != NULL) {
        if (result != NULL)
            *result = found;
        else
            json_decref(found);
        return JOB_DONE;
    }
    const job_path path = job_launch_file(folder, k, ".lock");
    const int lock = open(path.text, O_RDONLY | O_CLOEXEC);
    if (lock < 0)
        return JOB_LEFT;
    const int busy = flock(lock, LOCK_EX | LOCK_NB) != 0;
    close(lock);
    return busy                                                                   ? JOB_RUNNING
           : access(job_launch_file(folder, k, "-checkpoint.h5").text, F_OK) == 0 ? JOB_STARTED
                                                                                  : JOB_LEFT;
}
