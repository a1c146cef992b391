/* What the names of files that are written say. */
#include "cli/paths.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

int cli_is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

int cli_has_extension(const char *path, const char *extension)
{
    const size_t length = strlen(path), least = strlen(extension);
    return length >= least && strcasecmp(path + length - least, extension) == 0;
}

int cli_same_file(const char *a, const char *b)
{
    const char *const paths[2] = {a, b}, *names[2];
    struct stat folders[2];
    for (unsigned k = 0; k < 2; k++) {
        const char *slash = strrchr(paths[k], '/');
        char folder[4096];
        names[k] = slash != NULL ? slash + 1 : paths[k];
        snprintf(folder, sizeof folder, "%.*s.", (int)(names[k] - paths[k]), paths[k]);
        if (stat(folder, &folders[k]) != 0)
            return 0;
    }
    return strcmp(names[0], names[1]) == 0 && folders[0].st_dev == folders[1].st_dev &&
           folders[0].st_ino == folders[1].st_ino;
}
