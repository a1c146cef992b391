/* SPDX-License-Identifier: BSD-3-Clause */
/* Mapped files and memory, for Windows. The offset of a file must be a multiple of
 * sysconf(_SC_PAGESIZE), as that of other systems. While a file is mapped, nobody can make it
 * shorter. */
#ifndef CLUP_BASE_WINDOWS_SYS_MMAN_H
#define CLUP_BASE_WINDOWS_SYS_MMAN_H
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_ANONYMOUS 4
#define MAP_NORESERVE 0
#define MAP_FAILED ((void *)-1)
#define MADV_SEQUENTIAL 0

void *mmap(void *wish, size_t bytes, int protection, int flags, int file, int64_t offset);
int munmap(void *memory, size_t bytes);
static inline int madvise(void *memory, size_t bytes, int advice)
{
    (void)memory, (void)bytes, (void)advice;
    return 0;
}

#endif
