/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs launches: each is its command, or goes on from its checkpoint, in a process of its own. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/job/job.h"
#include "cli/message.h"

#define WORDS_MOST 64

/* A command line that grows; words[0] is the name of the command. */
typedef struct command_line {
    const cli_command *command;
    char *words[WORDS_MOST + 1];
    int count;
} command_line;

/* Appends --NAME=VALUE, or --NAME for an empty value. */
static void add_option(command_line *line, const char *name, const char *value)
{
    const size_t room = strlen(name) + strlen(value) + 4;
    char *word = malloc(room);
    if (word == NULL || line->count == WORDS_MOST)
        exit(cli_fail_memory("a launch"));
    snprintf(word, room, "--%s%s%s", name, value[0] != '\0' ? "=" : "", value);
    line->words[line->count++] = word;
}

static void add_word(command_line *line, const char *word)
{
    char *copy = strdup(word);
    if (copy == NULL || line->count == WORDS_MOST)
        exit(cli_fail_memory("a launch"));
    line->words[line->count++] = copy;
}

static void free_line(command_line *line)
{
    for (int k = 0; k < line->count; k++)
        free(line->words[k]);
}

static char *betas_of(const json_t *launch)
{
    const json_t *betas = json_object_get(launch, "betas");
    const size_t count = json_array_size(betas);
    char *text = malloc(32 * count), *at = text;
    for (size_t k = 0; k < count && text != NULL; k++)
        at += sprintf(at, "%s%.17g", k > 0 ? "," : "", json_number_value(json_array_get(betas, k)));
    return text;
}

/* Appends the options that begin a launch. */
static void compose_options(const json_t *launch, command_line *line)
{
    const json_t *options = json_object_get(launch, "options"), *value;
    const job_command *command = job_command_of(options);
    const char *name;
    char number[32], *betas = betas_of(launch);
    json_object_foreach((json_t *)options, name, value)
    {
        if (strcmp(name, "series") != 0 && strcmp(name, "command") != 0)
            add_option(line, name, json_string_value(value));
    }
    if (betas == NULL)
        exit(cli_fail_memory("a launch"));
    if (job_path_key(options) == NULL)
        add_option(line,
                   json_array_size(json_object_get(launch, "betas")) > 1 ? command->values
                                                                         : command->value,
                   betas);
    free(betas);
    snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT,
             json_integer_value(json_object_get(launch, "first_replica")));
    add_option(line, "first-replica", number);
    if (job_value(launch, "seed") == NULL)
        add_option(line, "seed", "1");
}

/* Makes the command that begins a launch, or goes on with it. */
static void compose(const job_order *order, const json_t *launch, size_t k, command_line *line)
{
    const job_path checkpoint = job_launch_file(order->folder, k, "-checkpoint.h5");
    const char *series = clup_hdf5_version() != NULL ? "-series.h5" : "-series.csv";
    const job_command *command = job_launch_command(launch);
    const int keeps = job_keeps_checkpoint(json_object_get(launch, "options")),
              resumes = keeps && access(checkpoint.text, F_OK) == 0;
    line->command = resumes ? command->resumes : command->begins;
    add_word(line, line->command->name);
    if (!resumes)
        compose_options(launch, line);
    if (!resumes && keeps)
        add_option(line, "checkpoint", checkpoint.text);
    if (resumes && command->resume != NULL)
        add_option(line, command->resume, checkpoint.text);
    if (job_value(launch, "series") != NULL)
        add_option(line, "series", job_launch_file(order->folder, k, series).text);
    if (order->save_every != NULL && (keeps || job_value(launch, "series") != NULL))
        add_option(line, "save-every", order->save_every);
    if (order->device != NULL)
        add_option(line, "device", order->device);
    if (order->reference)
        add_option(line, "reference", "");
    if (isfinite(order->time_limit)) {
        char seconds[32];
        snprintf(seconds, sizeof seconds, "%.3f", order->time_limit);
        add_option(line, "time-limit", seconds);
    }
    if (order->quiet)
        add_option(line, "quiet", "");
    add_option(line, "json", "");
    /* a name may begin with a dash */
    if (resumes && command->resume == NULL) {
        add_word(line, "--");
        add_word(line, checkpoint.text);
    }
}

/* ---- processes ------------------------------------------------------------------------------- */

/* Opens a new file for the output of a launch. Replaces an old file or a link there; does not
 * follow the link. */
static int open_printed(const char *printed)
{
    if (unlink(printed) != 0 && errno != ENOENT)
        return -1;
    return open(printed, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
}

/* Makes the output of a launch its result, when the output is complete. */
static int keep_result(const char *printed, const char *result, int output, int *late)
{
    json_error_t error;
    json_t *root = lseek(output, 0, SEEK_SET) == 0 ? json_loadfd(output, 0, &error) : NULL;
    if (root == NULL) {
        cli_message(0, "'%s': %s", printed, error.text);
        return CLUP_ERROR_RUNTIME;
    }
    *late = json_is_true(json_object_get(root, "time_limit"));
    json_decref(root);
    if (*late)
        return 0;
    if (fsync(output) != 0 || rename(printed, result) != 0) {
        cli_message(0, "cannot write '%s': %m", result);
        return CLUP_ERROR_RUNTIME;
    }
    return 0;
}

/* Waits for the process of a launch; returns its exit code. */
static int wait_for(pid_t child, size_t k)
{
    const int ended = job_wait_for(child);
    if (!WIFSIGNALED(ended))
        return WEXITSTATUS(ended);
    cli_message(0, "launch %zu was ended by signal %d", k + 1, WTERMSIG(ended));
    return CLUP_ERROR_RUNTIME;
}

void job_remove_checkpoints(const char *folder, const unsigned char *done, size_t count)
{
    DIR *stream = opendir(folder);
    for (struct dirent *entry; stream != NULL && (entry = readdir(stream)) != NULL;) {
        size_t number;
        unsigned pid, serial;
        int end = 0;
        if (sscanf(entry->d_name, "launch-%zu-", &number) != 1 || number < 1 || number > count ||
            !done[number - 1])
            continue;
        const job_path path = job_launch_file(folder, number - 1, "-checkpoint.h5");
        const char *name = strrchr(path.text, '/') + 1;
        const size_t length = strlen(name);
        if (strncmp(entry->d_name, name, length) == 0 &&
            (entry->d_name[length] == '\0' ||
             (sscanf(entry->d_name + length, ".%u.%u%n", &pid, &serial, &end) == 2 &&
              entry->d_name[length + (size_t)end] == '\0')))
            (void)unlink(job_file(folder, entry->d_name).text);
    }
    if (stream != NULL)
        closedir(stream);
}

int job_run_launch(const job_order *order, const json_t *launch, size_t k, int *late)
{
    const job_path result = job_launch_file(order->folder, k, ".json"),
                   printed = job_launch_file(order->folder, k, ".json.new");
    command_line line = {.count = 0};
    *late = 0;
    int code = job_check_links(order->folder, k);
    const int output = code == 0 ? open_printed(printed.text) : -1;
    if (output < 0) {
        if (code == 0)
            cli_message(0, "cannot write '%s': %m", printed.text);
        return CLUP_ERROR_RUNTIME;
    }
    compose(order, launch, k, &line);
    fflush(NULL);
    const pid_t child = job_start(line.command, line.count, line.words, output);
    free_line(&line);
    if (child > 0)
        code = wait_for(child, k);
    else {
        cli_message(0, "cannot start a process: %m");
        code = CLUP_ERROR_RUNTIME;
    }
    if (code == 0)
        code = keep_result(printed.text, result.text, output, late);
    close(output);
    if (code != 0 || *late)
        remove(printed.text);
    return code;
}
