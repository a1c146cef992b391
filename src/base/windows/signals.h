/* SPDX-License-Identifier: BSD-3-Clause */
/* The event by which one process asks another one to end. */
#ifndef CLUP_BASE_WINDOWS_SIGNALS_H
#define CLUP_BASE_WINDOWS_SIGNALS_H
#include <wchar.h>

#define CLUP_WINDOWS_EVENT 40
/* Gives the name of the event that a process listens to. */
void clup_windows_event_name(wchar_t name[CLUP_WINDOWS_EVENT], unsigned long process);

#endif
