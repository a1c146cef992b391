/* SPDX-License-Identifier: BSD-3-Clause */
/* Mapped files and memory. */
#include <errno.h>
#include <sys/mman.h>
#include <windows.h>

#include "base/windows/names.h"

/* Maps a part of a file. Windows reserves memory for all pages of a private mapping that can be
 * changed, and none for one that is only read. */
static void *map_file(size_t bytes, int protection, int flags, int file, int64_t offset)
{
    const bool changes = (protection & PROT_WRITE) != 0, own = (flags & MAP_PRIVATE) != 0;
    const DWORD pages = !changes ? PAGE_READONLY
                        : own    ? PAGE_WRITECOPY
                                 : PAGE_READWRITE,
                view = !changes ? FILE_MAP_READ
                       : own    ? FILE_MAP_COPY
                                : FILE_MAP_WRITE;
    void *mapped = NULL;
    HANDLE mapping = CreateFileMappingW((HANDLE)_get_osfhandle(file), NULL, pages, 0, 0, NULL);
    if (mapping != NULL) {
        mapped = MapViewOfFile(mapping, view, (DWORD)(offset >> 32), (DWORD)offset, bytes);
        if (mapped == NULL)
            clup_windows_fail();
        /* the view keeps it */
        CloseHandle(mapping);
    } else
        clup_windows_fail();
    return mapped;
}

void *mmap(void *wish, size_t bytes, int protection, int flags, int file, int64_t offset)
{
    void *mapped;
    (void)wish;
    if ((flags & MAP_ANONYMOUS) == 0)
        mapped = map_file(bytes, protection, flags, file, offset);
    else if ((mapped = VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE)) == NULL)
        clup_windows_fail();
    return mapped != NULL ? mapped : MAP_FAILED;
}

int munmap(void *memory, size_t bytes)
{
    MEMORY_BASIC_INFORMATION is;
    (void)bytes;
    if (VirtualQuery(memory, &is, sizeof is) == 0)
        return clup_windows_fail();
    const BOOL done = is.Type == MEM_MAPPED ? UnmapViewOfFile(is.AllocationBase)
                                            : VirtualFree(is.AllocationBase, 0, MEM_RELEASE);
    return done ? 0 : clup_windows_fail();
}
