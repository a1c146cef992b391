/* SPDX-License-Identifier: BSD-3-Clause */
/* What the system is, and the size of its console. */
#include <errno.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <windows.h>

#include <ntsecapi.h>

/* Processors that this process may use. */
static long processors(void)
{
    DWORD_PTR own, all;
    long count = 0;
    if (GetProcessAffinityMask(GetCurrentProcess(), &own, &all))
        for (; own != 0; own &= own - 1)
            count++;
    /* 0 where a machine has more than 64 and the process those of several groups */
    return count > 0 ? count : (long)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
}

long sysconf(int what)
{
    SYSTEM_INFO is;
    if (what == _SC_NPROCESSORS_ONLN)
        return processors();
    GetSystemInfo(&is);
    /* of which places of mapped files are multiples */
    return (long)is.dwAllocationGranularity;
}

int uname(struct utsname *system)
{
    typedef LONG WINAPI version_of(OSVERSIONINFOW * is);
    OSVERSIONINFOW is = {.dwOSVersionInfoSize = sizeof is};
    const HMODULE library = GetModuleHandleW(L"ntdll.dll");
    /* GetVersionEx lies to programs that do not say for which Windows they are made */
    version_of *version = library != NULL
                              ? (version_of *)(void *)GetProcAddress(library, "RtlGetVersion")
                              : NULL;
    if (version == NULL || version(&is) != 0) {
        errno = ENOSYS;
        return -1;
    }
    snprintf(system->sysname, sizeof system->sysname, "Windows");
    snprintf(system->release, sizeof system->release, "%lu.%lu.%lu", is.dwMajorVersion,
             is.dwMinorVersion, is.dwBuildNumber);
    snprintf(system->machine, sizeof system->machine, "x86_64");
    return 0;
}

int ioctl(int file, int what, struct winsize *size)
{
    CONSOLE_SCREEN_BUFFER_INFO is;
    (void)what;
    if (!GetConsoleScreenBufferInfo((HANDLE)_get_osfhandle(file), &is)) {
        errno = ENOTTY;
        return -1;
    }
    size->ws_col = (unsigned short)(is.srWindow.Right - is.srWindow.Left + 1);
    size->ws_row = (unsigned short)(is.srWindow.Bottom - is.srWindow.Top + 1);
    return 0;
}

int getentropy(void *bytes, size_t count)
{
    if (RtlGenRandom(bytes, (ULONG)count))
        return 0;
    errno = EIO;
    return -1;
}
