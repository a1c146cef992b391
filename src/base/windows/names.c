/* SPDX-License-Identifier: BSD-3-Clause */
/* Names between UTF-8 and UTF-16; error numbers; variables of the environment. */
#include "base/windows/names.h"

#include <errno.h>
#include <windows.h>

/* A name that is absolute and has so many characters gets the prefix for long ones: names of
 * folders must leave room for one in them. */
#define LONG_NAME 240

wchar_t *clup_windows_wide(const char *text)
{
    const int count = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *wide = count > 0 ? malloc((size_t)count * sizeof *wide) : NULL;
    if (wide == NULL) {
        errno = count > 0 ? ENOMEM : EILSEQ;
        return NULL;
    }
    MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, count);
    return wide;
}

char *clup_windows_narrow(const wchar_t *text)
{
    const int count = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *narrow = count > 0 ? malloc((size_t)count) : NULL;
    if (narrow == NULL) {
        errno = count > 0 ? ENOMEM : EILSEQ;
        return NULL;
    }
    WideCharToMultiByte(CP_UTF8, 0, text, -1, narrow, count, NULL, NULL);
    return narrow;
}

/* Returns the absolute name of a file, which has room for so many characters, with the prefix for
 * long names. */
static wchar_t *lengthen(const wchar_t *name, DWORD room)
{
    static const wchar_t plain[] = L"\\\\?\\", shared[] = L"\\\\?\\UNC\\";
    wchar_t *longer = malloc((room + sizeof shared / sizeof *shared) * sizeof *longer);
    if (longer == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    wchar_t *full = longer + sizeof shared / sizeof *shared;
    const DWORD got = GetFullPathNameW(name, room, full, NULL);
    if (got == 0 || got >= room) {
        /* somebody has changed the present folder */
        free(longer);
        errno = ENOENT;
        return NULL;
    }
    const bool is_shared = full[0] == L'\\' && full[1] == L'\\';
    if (is_shared && (full[2] == L'?' || full[2] == L'.'))
        wmemmove(longer, full, wcslen(full) + 1);
    else {
        const wchar_t *prefix = is_shared ? shared : plain;
        full += is_shared ? 2 : 0;
        const size_t length = wcslen(full) + 1;
        wmemcpy(longer, prefix, wcslen(prefix));
        wmemmove(longer + wcslen(prefix), full, length);
    }
    return longer;
}

wchar_t *clup_windows_path(const char *path)
{
    wchar_t *wide = clup_windows_wide(path);
    if (wide == NULL)
        return NULL;
    for (wchar_t *at = wide; *at != L'\0'; at++)
        if (*at == L'/')
            *at = L'\\';
    /* 0 for what is no name, which the call that gets it refuses */
    const DWORD room = GetFullPathNameW(wide, 0, NULL, NULL);
    if (room <= LONG_NAME)
        return wide;
    wchar_t *longer = lengthen(wide, room);
    free(wide);
    return longer;
}

/* ---- errors ---------------------------------------------------------------------------------- */

#ifndef ERROR_DISK_QUOTA_EXCEEDED
#define ERROR_DISK_QUOTA_EXCEEDED 1295
#endif

int clup_windows_fail(void)
{
    static const struct {
        DWORD windows;
        int number;
    } rows[] = {{ERROR_FILE_NOT_FOUND, ENOENT},
                {ERROR_PATH_NOT_FOUND, ENOENT},
                {ERROR_INVALID_NAME, ENOENT},
                {ERROR_BAD_PATHNAME, ENOENT},
                {ERROR_INVALID_DRIVE, ENOENT},
                {ERROR_BAD_NETPATH, ENOENT},
                {ERROR_BAD_NET_NAME, ENOENT},
                {ERROR_NOT_READY, ENOENT},
                {ERROR_DIRECTORY, ENOTDIR},
                {ERROR_ACCESS_DENIED, EACCES},
                {ERROR_SHARING_VIOLATION, EACCES},
                {ERROR_DELETE_PENDING, EACCES},
                {ERROR_USER_MAPPED_FILE, EACCES},
                {ERROR_WRITE_PROTECT, EROFS},
                {ERROR_FILE_EXISTS, EEXIST},
                {ERROR_ALREADY_EXISTS, EEXIST},
                {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
                {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
                {ERROR_CANT_RESOLVE_FILENAME, ELOOP},
                {ERROR_FILE_TOO_LARGE, EFBIG},
                {ERROR_DISK_FULL, ENOSPC},
                {ERROR_HANDLE_DISK_FULL, ENOSPC},
                {ERROR_DISK_QUOTA_EXCEEDED, ENOSPC},
                {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
                {ERROR_OUTOFMEMORY, ENOMEM},
                {ERROR_COMMITMENT_LIMIT, ENOMEM},
                {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
                {ERROR_NOT_SAME_DEVICE, EXDEV},
                {ERROR_LOCK_VIOLATION, EWOULDBLOCK},
                {ERROR_BROKEN_PIPE, EPIPE},
                {ERROR_NO_DATA, EPIPE},
                {ERROR_INVALID_HANDLE, EBADF},
                {ERROR_NOT_SUPPORTED, ENOSYS},
                {ERROR_INVALID_FUNCTION, EINVAL},
                {ERROR_INVALID_PARAMETER, EINVAL}};
    const DWORD last = GetLastError();
    errno = EIO;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].windows == last)
            errno = rows[k].number;
    return -1;
}

/* ---- the environment ------------------------------------------------------------------------- */

/* Values that were asked for, which stay as they are. */
typedef struct variable {
    struct variable *next;
    char *value;
    char name[];
} variable;

static variable *variables;
static SRWLOCK lock = SRWLOCK_INIT;

/* Keeps a value, which becomes the list's; returns the one that the list already has. */
static char *keep(const char *name, char *value)
{
    AcquireSRWLockExclusive(&lock);
    variable *found = variables;
    while (found != NULL && (strcmp(found->name, name) != 0 || strcmp(found->value, value) != 0))
        found = found->next;
    if (found != NULL)
        free(value);
    else if ((found = malloc(sizeof *found + strlen(name) + 1)) != NULL) {
        *found = (variable){.next = variables, .value = value};
        strcpy(found->name, name);
        variables = found;
    } else
        free(value);
    ReleaseSRWLockExclusive(&lock);
    return found != NULL ? found->value : NULL;
}

char *clup_windows_getenv(const char *name)
{
    wchar_t *wide = clup_windows_wide(name);
    const DWORD room = wide != NULL ? GetEnvironmentVariableW(wide, NULL, 0) : 0;
    wchar_t *value = room > 0 ? malloc(room * sizeof *value) : NULL;
    char *narrow = NULL;
    if (value != NULL && GetEnvironmentVariableW(wide, value, room) < room)
        narrow = clup_windows_narrow(value);
    free(value);
    free(wide);
    return narrow != NULL ? keep(name, narrow) : NULL;
}

int clup_windows_setenv(const char *name, const char *value, int replace)
{
    if (!replace && clup_windows_getenv(name) != NULL)
        return 0;
    wchar_t *wide = clup_windows_wide(name), *to = value != NULL ? clup_windows_wide(value) : NULL;
    const bool ok = wide != NULL && (value == NULL || to != NULL);
    const int failed = !ok ? -1 : SetEnvironmentVariableW(wide, to) ? 0 : clup_windows_fail();
    free(wide);
    free(to);
    return failed;
}

int clup_windows_unsetenv(const char *name)
{
    return clup_windows_setenv(name, NULL, 1);
}
