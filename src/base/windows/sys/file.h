/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks of files, for Windows. A lock is free when its process has ended, and does not keep others
 * from reading or writing the file. */
#ifndef CLUP_BASE_WINDOWS_SYS_FILE_H
#define CLUP_BASE_WINDOWS_SYS_FILE_H
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
int flock(int file, int how);
#endif
