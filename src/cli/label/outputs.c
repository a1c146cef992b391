/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of labels of several inputs, in a folder. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "cli/label/label.h"

/* Returns the length of a name without the extension of its form, and that of gzip. */
static size_t stem_of(const char *name)
{
    size_t length = strlen(name);
    if (length > 3 && strcasecmp(name + length - 3, ".gz") == 0)
        length -= 3;
    for (size_t k = length; k > 1; k--)
        if (name[k - 1] == '.')
            return k - 1;
    return length;
}

int label_output_of(const label_request *request, const char *input, char path[4096])
{
    const char *slash = strrchr(input, '/'), *base = slash != NULL ? slash + 1 : input,
               *colon = strrchr(base, ':'), *folder = request->output, *array = "";
    char name[4096];
    if (snprintf(name, sizeof name, "%s", base) >= (int)sizeof name)
        return 0;
    /* an array in an archive adds its name */
    if (colon != NULL && colon - base >= 4 && strncasecmp(colon - 4, ".npz", 4) == 0) {
        name[colon - base] = '\0';
        array = colon + 1;
    }
    return snprintf(path, 4096, "%s%s%.*s%s%s.npy", folder,
                    folder[strlen(folder) - 1] == '/' ? "" : "/", (int)stem_of(name), name,
                    *array != '\0' ? "-" : "", array) < 4096;
}

/* A file that is read or written, and its input. */
typedef struct file {
    char *path;
    dev_t device;
    ino_t inode;
    const char *input;
} file;

static int by_path(const void *a, const void *b)
{
    return strcmp(((const file *)a)->path, ((const file *)b)->path);
}

static int by_inode(const void *a, const void *b)
{
    const file *left = a, *right = b;
    return left->device != right->device ? (left->device > right->device ? 1 : -1)
           : left->inode != right->inode ? (left->inode > right->inode ? 1 : -1)
                                         : 0;
}

/* Finds what the files are, where they are there; returns 0 for those that are not. */
static int find_file(const char *path, file *file)
{
    struct stat found;
    if (stat(path, &found) != 0)
        return 0;
    file->device = found.st_dev;
    file->inode = found.st_ino;
    return 1;
}

static int check(const label_request *request, file *outputs, file *inputs)
{
    const unsigned count = request->input_count;
    unsigned there = 0;
    char path[4096];
    for (unsigned k = 0; k < count; k++) {
        const char *input = request->inputs[k];
        if (!label_output_of(request, input, path))
            return cli_usage_error("--output '%s': the names of files are too long",
                                   request->output);
        outputs[k] = (file){.path = strdup(path), .input = input};
        if (outputs[k].path == NULL)
            return cli_fail_memory("the names of files");
        inputs[there].input = input;
        there += find_file(input, &inputs[there]);
    }
    qsort(outputs, count, sizeof *outputs, by_path);
    qsort(inputs, there, sizeof *inputs, by_inode);
    for (unsigned k = 0; k < count; k++) {
        if (k > 0 && strcmp(outputs[k].path, outputs[k - 1].path) == 0)
            return cli_usage_error("'%s' and '%s' would both be written to '%s'",
                                   outputs[k - 1].input, outputs[k].input, outputs[k].path);
        if (find_file(outputs[k].path, &outputs[k]) &&
            bsearch(&outputs[k], inputs, there, sizeof *inputs, by_inode) != NULL)
            return cli_usage_error("--output: '%s' is an input as well", outputs[k].path);
    }
    return 0;
}

int label_check_outputs(const label_request *request)
{
    if (!request->to_folder)
        return 0;
    file *outputs = calloc(request->input_count, sizeof *outputs),
         *inputs = calloc((size_t)request->input_count + 1, sizeof *inputs);
    int code = outputs == NULL || inputs == NULL ? cli_fail_memory("the names of files")
                                                 : check(request, outputs, inputs);
    for (unsigned k = 0; k < request->input_count && outputs != NULL; k++)
        free(outputs[k].path);
    free(outputs);
    free(inputs);
    if (code == 0 && mkdir(request->output, 0777) != 0 && errno != EEXIST)
        code = cli_usage_error("--output '%s': %s", request->output, strerror(errno));
    return code;
}
