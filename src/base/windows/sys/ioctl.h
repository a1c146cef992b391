/* SPDX-License-Identifier: BSD-3-Clause */
/* The size of the console, for Windows. */
#ifndef CLUP_BASE_WINDOWS_SYS_IOCTL_H
#define CLUP_BASE_WINDOWS_SYS_IOCTL_H
struct winsize {
    unsigned short ws_row, ws_col;
};
#define TIOCGWINSZ 1
int ioctl(int file, int what, struct winsize *size);
#endif
