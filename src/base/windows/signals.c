/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals that end a program. */
#include <errno.h>
#include <windows.h>

#include "base/windows/names.h"
#include "base/windows/signals.h"

/* The status of a program that Ctrl-C has ended. */
#define ENDED 0xC000013Au
/* Windows ends a program some seconds after its console was closed; until then it may end by
 * itself. */
#define CLOSE_MS 30000

/* Ctrl-Break and the end of the console reach child processes too, to which their parent then sends
 * SIGTERM as well: within so many milliseconds that is one signal. */
#define SAME_MS 2000
/* Where SIGTERM comes from. */
enum { CONSOLE, EVENT, SOURCES };

static clup_handler *volatile handlers[2]; /* of SIGINT and SIGTERM; NULL is SIG_DFL */
static SRWLOCK lock = SRWLOCK_INIT;
static bool listens;
static volatile LONG handled;

static bool send(int number)
{
    clup_handler *handler = handlers[number == SIGTERM];
    if (handler == NULL)
        return false;
    if (handler != SIG_IGN) {
        handler(number);
        InterlockedIncrement(&handled);
    }
    return true;
}

long clup_windows_handled(void)
{
    return handled;
}

/* Notes that SIGTERM has come from a source; returns whether it came from the other one before. */
static bool is_same(int source)
{
    static ULONGLONG last[SOURCES];
    const ULONGLONG now = GetTickCount64();
    AcquireSRWLockExclusive(&lock);
    const ULONGLONG other = last[source == CONSOLE ? EVENT : CONSOLE];
    const bool same = other > 0 && now - other < SAME_MS;
    if (!same)
        last[source] = now;
    ReleaseSRWLockExclusive(&lock);
    return same;
}

static BOOL WINAPI of_console(DWORD event)
{
    const bool taken = event == CTRL_C_EVENT ? send(SIGINT) : is_same(CONSOLE) || send(SIGTERM);
    /* that the event was taken ends the program at once where the console was closed */
    if (taken && event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
        Sleep(CLOSE_MS);
    return taken;
}

void clup_windows_event_name(wchar_t name[CLUP_WINDOWS_EVENT], unsigned long process)
{
    swprintf(name, CLUP_WINDOWS_EVENT, L"Local\\clup-end-%lu", process);
}

/* Waits for what kill sends to this process. */
static DWORD WINAPI of_event(void *event)
{
    while (WaitForSingleObject(event, INFINITE) == WAIT_OBJECT_0)
        if (!is_same(EVENT) && !send(SIGTERM))
            ExitProcess(ENDED);
    return 0;
}

/* Listens to the console and to kill from now on. */
static void listen(void)
{
    wchar_t name[CLUP_WINDOWS_EVENT];
    AcquireSRWLockExclusive(&lock);
    if (!listens) {
        listens = true;
        SetConsoleCtrlHandler(of_console, TRUE);
        clup_windows_event_name(name, GetCurrentProcessId());
        HANDLE event = CreateEventW(NULL, FALSE, FALSE, name);
        HANDLE thread = event != NULL ? CreateThread(NULL, 0, of_event, event, 0, NULL) : NULL;
        if (thread != NULL)
            CloseHandle(thread);
    }
    ReleaseSRWLockExclusive(&lock);
}

clup_handler *clup_windows_signal(int number, clup_handler *handler)
{
    if (number != SIGINT && number != SIGTERM)
        return SIG_DFL;
    clup_handler *before = handlers[number == SIGTERM];
    handlers[number == SIGTERM] = handler;
    listen();
    return before;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    clup_handler *was = clup_windows_signal(number, action->sa_handler);
    if (before != NULL)
        *before = (struct sigaction){.sa_handler = was};
    return 0;
}

int clup_windows_raise(int number)
{
    if (!send(number))
        TerminateProcess(GetCurrentProcess(), ENDED);
    return 0;
}

int kill(pid_t process, int number)
{
    wchar_t name[CLUP_WINDOWS_EVENT];
    (void)number;
    clup_windows_event_name(name, (unsigned long)process);
    HANDLE event = OpenEventW(EVENT_MODIFY_STATE, FALSE, name);
    if (event == NULL) {
        errno = ESRCH;
        return -1;
    }
    SetEvent(event);
    CloseHandle(event);
    return 0;
}
