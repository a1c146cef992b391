/* SPDX-License-Identifier: BSD-3-Clause */
/* Names and texts between UTF-8, which clup uses, and UTF-16, which Windows does. */
#ifndef CLUP_BASE_WINDOWS_NAMES_H
#define CLUP_BASE_WINDOWS_NAMES_H
#include <stddef.h>
#include <wchar.h>

/* Returns a text as UTF-16, to be freed; NULL and errno where it is no UTF-8, or where memory is
 * missing. */
wchar_t *clup_windows_wide(const char *text);
/* Returns the name of a file for a call of Windows, to be freed: an absolute one with the prefix
 * that allows more than 260 characters where it is long. NULL and errno as above. */
wchar_t *clup_windows_path(const char *path);
/* Returns a text as UTF-8, to be freed; NULL and errno where memory is missing. */
char *clup_windows_narrow(const wchar_t *text);

/* Sets errno from the last error of Windows; returns -1. */
int clup_windows_fail(void);

#endif
