/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens, describes, renames and removes files. */
#include <errno.h>
#include <stdarg.h>
#include <windows.h>

#include "base/windows/names.h"

#undef fclose

/* Others may do with an open file what they may do on other systems. */
#define SHARED (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

/* How often, and after how many milliseconds, a file is renamed or removed again that somebody
 * holds: those who look for viruses open new files for a moment. */
#define TRIES 20
#define TRY_MS 10

/* ---- open ------------------------------------------------------------------------------------ */

static HANDLE create(const wchar_t *name, int flags)
{
    const DWORD what = (flags & 3) == O_RDONLY   ? GENERIC_READ
                       : (flags & 3) == O_WRONLY ? GENERIC_WRITE
                                                 : GENERIC_READ | GENERIC_WRITE,
                how = (flags & O_CREAT) == 0 ? (flags & O_TRUNC ? TRUNCATE_EXISTING : OPEN_EXISTING)
                      : (flags & O_EXCL) != 0  ? CREATE_NEW
                      : (flags & O_TRUNC) != 0 ? CREATE_ALWAYS
                                               : OPEN_ALWAYS,
                /* folders can be opened to be described */
        attributes = FILE_ATTRIBUTE_NORMAL |
                     ((flags & 3) == O_RDONLY ? FILE_FLAG_BACKUP_SEMANTICS : 0) |
                     (flags & O_NOFOLLOW ? FILE_FLAG_OPEN_REPARSE_POINT : 0) |
                     (flags & O_TEMPORARY ? FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE
                                          : 0);
    return CreateFileW(name, what | (flags & O_TEMPORARY ? DELETE : 0), SHARED, NULL, how,
                       attributes, NULL);
}

static bool is_link_handle(HANDLE handle)
{
    FILE_ATTRIBUTE_TAG_INFO tag;
    return GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &tag, sizeof tag) &&
           (tag.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
           tag.ReparseTag == IO_REPARSE_TAG_SYMLINK;
}

int clup_windows_open(const char *path, int flags, ...)
{
    if (flags & O_DIRECTORY) {
        /* a folder that is synchronised would have to be opened to be written */
        errno = EACCES;
        return -1;
    }
    wchar_t *name = clup_windows_path(path);
    if (name == NULL)
        return -1;
    HANDLE handle = create(name, flags);
    if (handle == INVALID_HANDLE_VALUE) {
        clup_windows_fail();
        const DWORD attributes = GetFileAttributesW(name);
        if (errno == EACCES && attributes != INVALID_FILE_ATTRIBUTES &&
            (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0)
            errno = EISDIR;
    }
    free(name);
    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    if ((flags & O_NOFOLLOW) && is_link_handle(handle)) {
        CloseHandle(handle);
        errno = ELOOP;
        return -1;
    }
    const int file = _open_osfhandle((intptr_t)handle,
                                     (flags & O_APPEND) | O_BINARY | O_NOINHERIT |
                                         ((flags & 3) == O_RDONLY ? O_RDONLY : 0));
    if (file < 0)
        CloseHandle(handle);
    return file;
}

FILE *clup_windows_fopen(const char *path, const char *mode)
{
    const bool both = strchr(mode, '+') != NULL;
    const int flags = (both             ? O_RDWR
                       : mode[0] == 'r' ? O_RDONLY
                                        : O_WRONLY) |
                      (mode[0] == 'w'   ? O_CREAT | O_TRUNC
                       : mode[0] == 'a' ? O_CREAT | O_APPEND
                                        : 0) |
                      (strchr(mode, 'x') != NULL ? O_EXCL : 0);
    const char binary[] = {mode[0], 'b', both ? '+' : '\0', '\0'};
    const int file = clup_windows_open(path, flags);
    FILE *stream = file >= 0 ? _fdopen(file, binary) : NULL;
    if (file >= 0 && mode[0] == 'a')
        _lseeki64(file, 0, SEEK_END);
    if (file >= 0 && stream == NULL)
        _close(file);
    return stream;
}

/* Replaces the six letters XXXXXX at the end of a path by others. */
static void replace_letters(char *path)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    static volatile LONG serial;
    char *end = path + strlen(path) - 6;
    uint64_t number = GetTickCount64() * 2654435761u + GetCurrentProcessId() * 40503u +
                      (unsigned)InterlockedIncrement(&serial) * 69069u;
    for (unsigned k = 0; k < 6; k++, number /= 36)
        end[k] = letters[number % 36];
}

/* Names tried for a new file or folder. */
#define NAMES_MAX 1000

int clup_windows_mkostemp(char *path, int flags)
{
    (void)flags;
    for (unsigned tries = 0; tries < NAMES_MAX; tries++) {
        replace_letters(path);
        const int file = clup_windows_open(path, O_RDWR | O_CREAT | O_EXCL | O_TEMPORARY);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

char *mkdtemp(char *path)
{
    for (unsigned tries = 0; tries < NAMES_MAX; tries++) {
        replace_letters(path);
        if (clup_windows_mkdir(path, 0700) == 0)
            return path;
        if (errno != EEXIST)
            break;
    }
    return NULL;
}

FILE *clup_windows_tmpfile(void)
{
    static const char name[] = "/clup-XXXXXX";
    wchar_t folder[MAX_PATH + 1];
    char *narrow = GetTempPathW(MAX_PATH + 1, folder) > 0 ? clup_windows_narrow(folder) : NULL;
    char *path = narrow != NULL ? malloc(strlen(narrow) + sizeof name) : NULL;
    int file = -1;
    if (path != NULL) {
        strcpy(path, narrow);
        strcat(path, name);
        file = clup_windows_mkostemp(path, 0);
    }
    FILE *stream = file >= 0 ? _fdopen(file, "w+b") : NULL;
    if (file >= 0 && stream == NULL)
        _close(file);
    free(path);
    free(narrow);
    return stream;
}

/* ---- what a file is -------------------------------------------------------------------------- */

static struct timespec time_of(FILETIME time)
{
    /* in units of 100 ns, from 1601 on */
    const int64_t all = (int64_t)((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime) -
                        INT64_C(116444736000000000);
    return (struct timespec){all / 10000000, (long)(all % 10000000 * 100)};
}

static int describe(HANDLE handle, struct clup_stat *found)
{
    BY_HANDLE_FILE_INFORMATION is;
    *found = (struct clup_stat){0};
    switch (GetFileType(handle)) {
    case FILE_TYPE_CHAR: found->st_mode = S_IFCHR | 0666; return 0;
    case FILE_TYPE_PIPE: found->st_mode = S_IFIFO | 0666; return 0;
    default: break;
    }
    if (!GetFileInformationByHandle(handle, &is))
        return clup_windows_fail();
    found->st_mode = (is.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? S_IFDIR | 0700
                                                                     : S_IFREG | 0600);
    if (is.dwFileAttributes & FILE_ATTRIBUTE_READONLY)
        found->st_mode &= ~0222u;
    if (is_link_handle(handle))
        found->st_mode = S_IFLNK | 0777;
    found->st_dev = is.dwVolumeSerialNumber;
    found->st_ino = (uint64_t)is.nFileIndexHigh << 32 | is.nFileIndexLow;
    found->st_size = (int64_t)((uint64_t)is.nFileSizeHigh << 32 | is.nFileSizeLow);
    found->st_mtim = time_of(is.ftLastWriteTime);
    found->st_mtime = found->st_mtim.tv_sec;
    return 0;
}

int clup_windows_fstat(int file, struct clup_stat *found)
{
    const HANDLE handle = (HANDLE)_get_osfhandle(file);
    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    return describe(handle, found);
}

/* Describes the file of a name; with flags FILE_FLAG_OPEN_REPARSE_POINT a link itself. */
static int describe_path(const char *path, DWORD flags, struct clup_stat *found)
{
    wchar_t *name = clup_windows_path(path);
    if (name == NULL)
        return -1;
    HANDLE handle = CreateFileW(name, FILE_READ_ATTRIBUTES, SHARED, NULL, OPEN_EXISTING,
                                FILE_FLAG_BACKUP_SEMANTICS | flags, NULL);
    int failed = handle == INVALID_HANDLE_VALUE ? clup_windows_fail() : 0;
    free(name);
    if (failed)
        return -1;
    failed = describe(handle, found);
    CloseHandle(handle);
    return failed;
}

int clup_windows_stat(const char *path, struct clup_stat *found)
{
    return describe_path(path, 0, found);
}

int clup_windows_lstat(const char *path, struct clup_stat *found)
{
    return describe_path(path, FILE_FLAG_OPEN_REPARSE_POINT, found);
}

int clup_windows_access(const char *path, int what)
{
    struct clup_stat found;
    if (clup_windows_stat(path, &found) != 0)
        return -1;
    if ((what & W_OK) != 0 && (found.st_mode & 0200) == 0 && !S_ISDIR(found.st_mode)) {
        errno = EACCES;
        return -1;
    }
    return 0;
}

/* Gives the name of the file at the end of a link and of all that it leads through; that of a link
 * that leads nowhere is not known. */
ssize_t clup_windows_readlink(const char *path, char *to, size_t room)
{
    struct clup_stat found;
    if (clup_windows_lstat(path, &found) != 0)
        return -1;
    errno = EINVAL;
    if (!S_ISLNK(found.st_mode))
        return -1;
    wchar_t *name = clup_windows_path(path), end[4096];
    HANDLE handle = name == NULL ? INVALID_HANDLE_VALUE
                                 : CreateFileW(name, FILE_READ_ATTRIBUTES, SHARED, NULL,
                                               OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    free(name);
    if (handle == INVALID_HANDLE_VALUE)
        return clup_windows_fail();
    const DWORD length = GetFinalPathNameByHandleW(handle, end, sizeof end / sizeof *end, 0);
    CloseHandle(handle);
    char *narrow = length > 0 && length < sizeof end / sizeof *end ? clup_windows_narrow(end)
                                                                   : NULL;
    if (narrow == NULL || strlen(narrow) > room) {
        free(narrow);
        errno = ENAMETOOLONG;
        return -1;
    }
    const size_t bytes = strlen(narrow);
    /* it begins with the prefix of long names, and so with a slash, as an absolute name does */
    for (size_t k = 0; k < bytes; k++)
        to[k] = narrow[k] == '\\' ? '/' : narrow[k];
    free(narrow);
    return (ssize_t)bytes;
}

/* ---- change ---------------------------------------------------------------------------------- */

/* Whether others hold the file, or have removed it and still have it open. */
static bool is_held(DWORD error)
{
    return error == ERROR_ACCESS_DENIED || error == ERROR_SHARING_VIOLATION ||
           error == ERROR_DELETE_PENDING || error == ERROR_USER_MAPPED_FILE;
}

/* Calls a function again while others hold the file. */
static int repeat(BOOL (*change)(const wchar_t *a, const wchar_t *b), const wchar_t *a,
                  const wchar_t *b)
{
    for (unsigned tries = 0; !change(a, b); tries++) {
        if (tries == TRIES || !is_held(GetLastError()))
            return clup_windows_fail();
        Sleep(TRY_MS);
    }
    return 0;
}

/* What SetFileInformationByHandle takes to rename a file: FileRenameInfoEx, of Windows 10 1607.
 * Some headers have it only for programs that need a later Windows. */
#define RENAME_INFO ((FILE_INFO_BY_HANDLE_CLASS)22)
#define RENAME_REPLACES 1
#define RENAME_AS_POSIX 2
typedef struct rename_info {
    DWORD flags;
    HANDLE folder;
    DWORD bytes;
    wchar_t name[];
} rename_info;

/* Returns the new name of a file, which is absolute, to be freed; NULL and the last error. */
static rename_info *new_name(const wchar_t *to, size_t *bytes)
{
    const DWORD room = GetFullPathNameW(to, 0, NULL, NULL);
    rename_info *info = room > 0 ? malloc(sizeof *info + room * sizeof *info->name) : NULL;
    const DWORD length = info != NULL ? GetFullPathNameW(to, room, info->name, NULL) : 0;
    if (length > 0 && length < room) {
        info->flags = RENAME_REPLACES | RENAME_AS_POSIX;
        info->folder = NULL;
        info->bytes = length * (DWORD)sizeof *info->name;
        *bytes = sizeof *info + room * sizeof *info->name;
        return info;
    }
    if (room > 0)
        SetLastError(info == NULL ? ERROR_NOT_ENOUGH_MEMORY : ERROR_PATH_NOT_FOUND);
    free(info);
    return NULL;
}

/* Renames a file, also to the name of one that others have open, who keep the old one. */
static BOOL move_as_posix(const wchar_t *from, const wchar_t *to)
{
    size_t bytes;
    rename_info *info = new_name(to, &bytes);
    if (info == NULL)
        return FALSE;
    HANDLE handle = CreateFileW(from, DELETE | SYNCHRONIZE, SHARED, NULL, OPEN_EXISTING,
                                FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    BOOL done = FALSE;
    if (handle != INVALID_HANDLE_VALUE) {
        done = SetFileInformationByHandle(handle, RENAME_INFO, info, (DWORD)bytes);
        const DWORD error = GetLastError();
        CloseHandle(handle);
        SetLastError(error);
    }
    free(info);
    return done;
}

static BOOL move(const wchar_t *from, const wchar_t *to)
{
    if (move_as_posix(from, to))
        return TRUE;
    switch (GetLastError()) {
    /* an older Windows, or a file system that cannot */
    case ERROR_INVALID_PARAMETER:
    case ERROR_INVALID_FUNCTION:
    case ERROR_NOT_SUPPORTED:
    case ERROR_CALL_NOT_IMPLEMENTED: return MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING);
    default: return FALSE;
    }
}

static BOOL delete (const wchar_t *name, const wchar_t *unused)
{
    (void)unused;
    return DeleteFileW(name);
}

static BOOL delete_folder(const wchar_t *name, const wchar_t *unused)
{
    (void)unused;
    return RemoveDirectoryW(name);
}

int clup_windows_rename(const char *from, const char *to)
{
    wchar_t *a = clup_windows_path(from), *b = clup_windows_path(to);
    const int failed = a != NULL && b != NULL ? repeat(move, a, b) : -1;
    free(a);
    free(b);
    return failed;
}

static int remove_by(BOOL (*change)(const wchar_t *a, const wchar_t *b), const char *path)
{
    wchar_t *name = clup_windows_path(path);
    const int failed = name != NULL ? repeat(change, name, NULL) : -1;
    free(name);
    return failed;
}

int clup_windows_unlink(const char *path)
{
    return remove_by(delete, path);
}

int clup_windows_rmdir(const char *path)
{
    return remove_by(delete_folder, path);
}

int clup_windows_remove(const char *path)
{
    struct clup_stat found;
    if (clup_windows_lstat(path, &found) == 0 && S_ISDIR(found.st_mode))
        return clup_windows_rmdir(path);
    return clup_windows_unlink(path);
}

int clup_windows_mkdir(const char *path, unsigned mode)
{
    wchar_t *name = clup_windows_path(path);
    (void)mode;
    int failed = name == NULL ? -1 : CreateDirectoryW(name, NULL) ? 0 : clup_windows_fail();
    /* the root of a drive, which is there, must not be made */
    if (failed && errno == EACCES && GetFileAttributesW(name) != INVALID_FILE_ATTRIBUTES)
        errno = EEXIST;
    free(name);
    return failed;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

int clup_windows_fsync(int file)
{
    return FlushFileBuffers((HANDLE)_get_osfhandle(file)) ? 0 : clup_windows_fail();
}

ssize_t clup_windows_pread(int file, void *to, size_t bytes, int64_t offset)
{
    OVERLAPPED at = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
    DWORD got = 0;
    const DWORD most = bytes < 0x40000000 ? (DWORD)bytes : 0x40000000;
    if (ReadFile((HANDLE)_get_osfhandle(file), to, most, &got, &at) ||
        GetLastError() == ERROR_HANDLE_EOF)
        return (ssize_t)got;
    return clup_windows_fail();
}

int clup_windows_allocate(int file, int64_t first, int64_t bytes)
{
    const LARGE_INTEGER end = {.QuadPart = first + bytes};
    const HANDLE handle = (HANDLE)_get_osfhandle(file);
    if (SetFilePointerEx(handle, end, NULL, FILE_BEGIN) && SetEndOfFile(handle))
        return 0;
    clup_windows_fail();
    return errno;
}
