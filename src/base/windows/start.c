/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts child processes, and waits for them. */
#include <errno.h>
#include <sys/wait.h>
#include <windows.h>

#include "base/windows/names.h"
#include "base/windows/signals.h"

/* Children that were started and not waited for. */
#define CHILDREN 16
static struct {
    HANDLE process, end; /* and the event by which it is asked to end */
    DWORD number;
} children[CHILDREN];

/* ---- command lines --------------------------------------------------------------------------- */

typedef struct line {
    wchar_t *text;
    size_t length, room;
    bool failed;
} line;

static void add(line *line, wchar_t character)
{
    if (line->length + 1 >= line->room) {
        const size_t room = 2 * line->room + 256;
        wchar_t *text = realloc(line->text, room * sizeof *text);
        if (text == NULL) {
            errno = ENOMEM;
            line->failed = true;
            return;
        }
        line->text = text;
        line->room = room;
    }
    line->text[line->length++] = character;
    line->text[line->length] = L'\0';
}

/* Adds a word in quotes, so that CommandLineToArgvW gives it back: backslashes count where a quote
 * follows. */
static void add_word(line *line, const wchar_t *word)
{
    size_t slashes = 0;
    if (line->length > 0)
        add(line, L' ');
    add(line, L'"');
    for (;; word++) {
        if (*word == L'\\') {
            slashes++;
            continue;
        }
        const bool quoted = *word == L'"' || *word == L'\0';
        for (size_t k = 0; k < (quoted ? 2 * slashes : slashes); k++)
            add(line, L'\\');
        slashes = 0;
        if (*word == L'\0')
            break;
        if (*word == L'"')
            add(line, L'\\');
        add(line, *word);
    }
    add(line, L'"');
}

/* Characters of the longest name of a file, and of the longest value of a variable. */
#define LONGEST 32768

static wchar_t *room_for_name(void)
{
    wchar_t *name = malloc(LONGEST * sizeof *name);
    if (name == NULL)
        errno = ENOMEM;
    return name;
}

/* Returns the name of this program's file, to be freed; NULL and errno. */
static wchar_t *own_name(void)
{
    wchar_t *name = room_for_name();
    if (name == NULL || GetModuleFileNameW(NULL, name, LONGEST) > 0)
        return name;
    clup_windows_fail();
    free(name);
    return NULL;
}

/* Returns the name of a program's file, to be freed, as a shell of other systems finds it: not in
 * the present folder, in which CreateProcessW looks first. NULL and errno; ENOENT for none. */
static wchar_t *find_program(const char *program)
{
    wchar_t *word = clup_windows_wide(program), *path = room_for_name(), *name = room_for_name();
    bool found = false;
    if (word != NULL && path != NULL && name != NULL) {
        const DWORD length = GetEnvironmentVariableW(L"PATH", path, LONGEST),
                    got = length > 0 && length < LONGEST
                              ? SearchPathW(path, word, L".exe", LONGEST, name, NULL)
                              : 0;
        found = got > 0 && got < LONGEST;
        if (!found)
            errno = ENOENT;
    }
    free(word);
    free(path);
    if (found)
        return name;
    free(name);
    return NULL;
}

static void compose(line *line, const char *const *words, const wchar_t *own)
{
    add_word(line, own);
    for (words++; *words != NULL && !line->failed; words++) {
        wchar_t *word = clup_windows_wide(*words);
        if (word == NULL)
            line->failed = true;
        else
            add_word(line, word);
        free(word);
    }
}

/* ---- processes ------------------------------------------------------------------------------- */

/* The job of all children, which ends them with this process, however that ends. */
static HANDLE job_of_children(void)
{
    static HANDLE job;
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {
        .BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE};
    if (job == NULL && (job = CreateJobObjectW(NULL, NULL)) != NULL)
        SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return job;
}

/* A copy, for the child, of the handle of a descriptor, or of a standard handle for -1. */
static HANDLE inherited(int file, DWORD standard)
{
    const HANDLE from = file >= 0 ? (HANDLE)_get_osfhandle(file) : GetStdHandle(standard),
                 own = GetCurrentProcess();
    HANDLE copy = NULL;
    DuplicateHandle(own, from, own, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS);
    return copy;
}

static int keep(const PROCESS_INFORMATION *child, HANDLE end)
{
    for (unsigned k = 0; k < CHILDREN; k++)
        if (children[k].process == NULL) {
            children[k].process = child->hProcess;
            children[k].end = end;
            children[k].number = child->dwProcessId;
            return 1;
        }
    return 0;
}

/* Starts a command line, whose child waits until it has its place among the others. */
static pid_t create(const wchar_t *program, wchar_t *text, const wchar_t *folder, int output,
                    int errors)
{
    wchar_t name[CLUP_WINDOWS_EVENT];
    PROCESS_INFORMATION child;
    STARTUPINFOW how = {.cb = sizeof how,
                        .dwFlags = STARTF_USESTDHANDLES,
                        .hStdInput = inherited(-1, STD_INPUT_HANDLE),
                        .hStdOutput = inherited(output, STD_OUTPUT_HANDLE),
                        .hStdError = inherited(errors, STD_ERROR_HANDLE)};
    const BOOL started = CreateProcessW(program, text, NULL, NULL, TRUE,
                                        CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP, NULL, folder,
                                        &how, &child);
    const int failed = started ? 0 : clup_windows_fail();
    const HANDLE handles[] = {how.hStdInput, how.hStdOutput, how.hStdError};
    for (unsigned k = 0; k < 3; k++)
        if (handles[k] != NULL)
            CloseHandle(handles[k]);
    if (failed)
        return -1;
    clup_windows_event_name(name, child.dwProcessId);
    HANDLE end = CreateEventW(NULL, FALSE, FALSE, name), job = job_of_children();
    if (job != NULL)
        AssignProcessToJobObject(job, child.hProcess);
    const bool kept = keep(&child, end);
    if (kept)
        ResumeThread(child.hThread);
    else {
        TerminateProcess(child.hProcess, 1);
        CloseHandle(child.hProcess);
        if (end != NULL)
            CloseHandle(end);
        errno = EAGAIN;
    }
    CloseHandle(child.hThread);
    return kept ? (pid_t)child.dwProcessId : -1;
}

pid_t clup_windows_start(const char *const *words, const char *folder, int output, int errors)
{
    line line = {0};
    wchar_t *where = folder != NULL ? clup_windows_path(folder) : NULL,
            *program = folder != NULL && where == NULL ? NULL
                       : words[0] == NULL              ? own_name()
                                                       : find_program(words[0]);
    pid_t child = -1;
    if (program != NULL)
        compose(&line, words, program);
    if (line.text != NULL && !line.failed)
        child = create(program, line.text, where, output, errors);
    free(line.text);
    free(where);
    free(program);
    return child;
}

pid_t waitpid(pid_t process, int *status, int options)
{
    DWORD code = 1;
    (void)options;
    for (unsigned k = 0; k < CHILDREN; k++)
        if (children[k].process != NULL && children[k].number == (DWORD)process) {
            WaitForSingleObject(children[k].process, INFINITE);
            GetExitCodeProcess(children[k].process, &code);
            CloseHandle(children[k].process);
            if (children[k].end != NULL)
                CloseHandle(children[k].end);
            children[k].process = NULL;
            /* a program that Windows has ended has a status far above the codes of programs */
            *status = code < 256 ? (int)code << 8 : code == 0xC000013Au ? SIGINT : SIGKILL;
            return process;
        }
    errno = ECHILD;
    return -1;
}
