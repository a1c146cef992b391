/* SPDX-License-Identifier: BSD-3-Clause */
/* The name of the system, for Windows. */
#ifndef CLUP_BASE_WINDOWS_SYS_UTSNAME_H
#define CLUP_BASE_WINDOWS_SYS_UTSNAME_H
struct utsname {
    char sysname[32], release[64], machine[32];
};
int uname(struct utsname *system);
#endif
