/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals that were handled, and the event by which one process asks another one to end. */
#ifndef CLUP_BASE_WINDOWS_SIGNALS_H
#define CLUP_BASE_WINDOWS_SIGNALS_H
#include <wchar.h>

#define CLUP_WINDOWS_EVENT 40
/* Gives the name of the event that a process listens to. */
void clup_windows_event_name(wchar_t name[CLUP_WINDOWS_EVENT], unsigned long process);

/* Returns how many signals handlers have dealt with. */
long clup_windows_handled(void);

#endif
