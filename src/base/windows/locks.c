/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks of files. */
#include <errno.h>
#include <sys/file.h>
#include <windows.h>

#include "base/windows/names.h"
#include "base/windows/signals.h"

/* A lock of Windows keeps others from the bytes that are locked: this one is of a byte that no file
 * has. */
#define LOCKED_LOW 0xFFFFFFFEu
#define LOCKED_HIGH 0x7FFFFFFFu

/* Milliseconds between two tries to lock a file that others have locked. */
#define TRY_MS 50

static BOOL try(HANDLE handle, int how)
{
    OVERLAPPED at = {.Offset = LOCKED_LOW, .OffsetHigh = LOCKED_HIGH};
    const DWORD flags = LOCKFILE_FAIL_IMMEDIATELY | (how & LOCK_EX ? LOCKFILE_EXCLUSIVE_LOCK : 0);
    return how & LOCK_UN ? UnlockFileEx(handle, 0, 1, 0, &at)
                         : LockFileEx(handle, flags, 0, 1, 0, &at);
}

/* Tries again and again, since no signal ends a call of Windows that waits. */
int flock(int file, int how)
{
    const HANDLE handle = (HANDLE)_get_osfhandle(file);
    const long handled = clup_windows_handled();
    while (!try(handle, how)) {
        if (GetLastError() != ERROR_IO_PENDING && GetLastError() != ERROR_LOCK_VIOLATION)
            return clup_windows_fail();
        if ((how & LOCK_NB) != 0 || clup_windows_handled() != handled) {
            errno = how & LOCK_NB ? EWOULDBLOCK : EINTR;
            return -1;
        }
        Sleep(TRY_MS);
    }
    return 0;
}
