/* SPDX-License-Identifier: BSD-3-Clause */
/* What a path tells about the file that it names. */
#include "cli/paths.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

int cli_is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

int cli_has_extension(const char *path, const char *extension)
{
    const size_t length = strlen(path), least = strlen(extension);
    return length >= least && strcasecmp(path + length - least, extension) == 0;
}

/* The most links that are followed, as in Linux. */
#define LINKS_MOST 40

/* Follows the links of a path; the file at their end need not exist. Returns 0 for links without an
 * end and for paths that are too long. */
static int follow(const char *path, char *to, size_t room)
{
    char link[4096];
    ssize_t length;
    if (snprintf(to, room, "%s", path) >= (int)room)
        return 0;
    for (int links = 0; (length = readlink(to, link, sizeof link - 1)) >= 0; links++) {
        const char *slash = strrchr(to, '/');
        const size_t folder = link[0] == '/' || slash == NULL ? 0 : (size_t)(slash + 1 - to);
        if (links == LINKS_MOST || folder + (size_t)length >= room)
            return 0;
        memcpy(to + folder, link, (size_t)length);
        to[folder + (size_t)length] = '\0';
    }
    return 1;
}

int cli_same_file(const char *a, const char *b)
{
    const char *const paths[2] = {a, b}, *names[2];
    char ends[2][4096];
    struct stat folders[2];
    for (unsigned k = 0; k < 2; k++) {
        if (!follow(paths[k], ends[k], sizeof ends[k]))
            return 0;
        const char *slash = strrchr(ends[k], '/');
        char folder[4096 + 2];
        names[k] = slash != NULL ? slash + 1 : ends[k];
        snprintf(folder, sizeof folder, "%.*s.", (int)(names[k] - ends[k]), ends[k]);
        if (stat(folder, &folders[k]) != 0)
            return 0;
    }
    return strcmp(names[0], names[1]) == 0 && folders[0].st_dev == folders[1].st_dev &&
           folders[0].st_ino == folders[1].st_ino;
}

cli_file_kind cli_kind_of(const char *path)
{
    static const char *const forms[] = {
        [CLI_FILE_SIMULATION] = "clup/checkpoint/", [CLI_FILE_PERCOLATION] = "clup/percolation/"};
    char first[32] = "";
    struct stat found;
    /* does not wait for what is not a regular file, such as a pipe */
    if (stat(path, &found) != 0 || !S_ISREG(found.st_mode) || found.st_size == 0)
        return CLI_FILE_NONE;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return CLI_FILE_NONE;
    const size_t count = fread(first, 1, sizeof first - 1, file);
    fclose(file);
    for (cli_file_kind kind = CLI_FILE_SIMULATION; kind < CLI_FILE_OTHER && count > 0; kind++)
        if (strncmp(first, forms[kind], strlen(forms[kind])) == 0)
            return kind;
    return CLI_FILE_OTHER;
}
