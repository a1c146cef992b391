/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks of files. */
#include <errno.h>
#include <sys/file.h>
#include <windows.h>

#include "base/windows/names.h"

/* A lock of Windows keeps others from the bytes that are locked: this one is of a byte that no file
 * has. */
#define LOCKED_LOW 0xFFFFFFFEu
#define LOCKED_HIGH 0x7FFFFFFFu

int flock(int file, int how)
{
    const HANDLE handle = (HANDLE)_get_osfhandle(file);
    OVERLAPPED at = {.Offset = LOCKED_LOW, .OffsetHigh = LOCKED_HIGH};
    const DWORD flags = (how & LOCK_EX ? LOCKFILE_EXCLUSIVE_LOCK : 0) |
                        (how & LOCK_NB ? LOCKFILE_FAIL_IMMEDIATELY : 0);
    if (how & LOCK_UN ? UnlockFileEx(handle, 0, 1, 0, &at)
                      : LockFileEx(handle, flags, 0, 1, 0, &at))
        return 0;
    if (GetLastError() == ERROR_IO_PENDING || GetLastError() == ERROR_LOCK_VIOLATION) {
        errno = EWOULDBLOCK;
        return -1;
    }
    return clup_windows_fail();
}
