/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the files of a folder. */
#include <errno.h>
#include <windows.h>

#include "base/windows/names.h"

struct clup_folder {
    HANDLE search;
    WIN32_FIND_DATAW found;
    bool first;
    struct clup_dirent entry;
};

clup_folder *clup_windows_opendir(const char *path)
{
    const size_t room = strlen(path) + 3;
    char *all = malloc(room);
    clup_folder *folder = malloc(sizeof *folder);
    wchar_t *name = NULL;
    if (all != NULL && folder != NULL) {
        snprintf(all, room, "%s/*", path);
        name = clup_windows_path(all);
    } else
        errno = ENOMEM;
    free(all);
    if (name != NULL) {
        folder->first = true;
        folder->search = FindFirstFileW(name, &folder->found);
        if (folder->search != INVALID_HANDLE_VALUE) {
            free(name);
            return folder;
        }
        clup_windows_fail();
        free(name);
    }
    free(folder);
    return NULL;
}

struct clup_dirent *clup_windows_readdir(clup_folder *folder)
{
    if (!folder->first && !FindNextFileW(folder->search, &folder->found))
        return NULL;
    folder->first = false;
    WideCharToMultiByte(CP_UTF8, 0, folder->found.cFileName, -1, folder->entry.d_name,
                        sizeof folder->entry.d_name, NULL, NULL);
    return &folder->entry;
}

int clup_windows_closedir(clup_folder *folder)
{
    FindClose(folder->search);
    free(folder);
    return 0;
}
