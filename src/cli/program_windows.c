/* SPDX-License-Identifier: BSD-3-Clause */
/* The program clup, on Windows: takes its command line as UTF-8. */
#include <windows.h>

#include <shellapi.h>

#include "cli/cli.h"

/* The command line, as it grows. */
typedef struct arguments {
    char **words;
    int count, room;
} arguments;

/* Appends a copy of text, with / for \\, which Windows takes as well; ends without memory. */
static void add(arguments *to, const char *before, const wchar_t *text)
{
    const size_t length = strlen(before);
    const int bytes = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    if (to->count + 1 >= to->room) {
        to->room = 2 * to->room + 64;
        to->words = realloc(to->words, (size_t)to->room * sizeof *to->words);
    }
    char *word = malloc(length + (size_t)bytes);
    if (word == NULL || to->words == NULL)
        exit(cli_fail_memory("the command line"));
    memcpy(word, before, length);
    WideCharToMultiByte(CP_UTF8, 0, text, -1, word + length, bytes, NULL, NULL);
    for (char *at = word; *at != '\0'; at++)
        if (*at == '\\')
            *at = '/';
    to->words[to->count++] = word;
    to->words[to->count] = NULL;
}

/* Appends the files that a pattern names, which shells of Windows leave to programs, in the order
 * of the file system, which on NTFS is that of names; the pattern itself where there are none. */
static void add_files(arguments *to, const wchar_t *pattern)
{
    WIN32_FIND_DATAW found;
    arguments folder = {0};
    HANDLE search = INVALID_HANDLE_VALUE;
    if (wcspbrk(pattern, L"*?") != NULL && pattern[0] != L'-')
        search = FindFirstFileW(pattern, &found);
    if (search == INVALID_HANDLE_VALUE) {
        add(to, "", pattern);
        return;
    }
    add(&folder, "", pattern);
    char *slash = strrchr(folder.words[0], '/');
    *(slash != NULL ? slash + 1 : folder.words[0]) = '\0';
    do
        if (wcscmp(found.cFileName, L".") != 0 && wcscmp(found.cFileName, L"..") != 0)
            add(to, folder.words[0], found.cFileName);
    while (FindNextFileW(search, &found));
    FindClose(search);
    free(folder.words[0]);
    free(folder.words);
}

/* Lets the console show UTF-8 and the codes that move its cursor. */
static void prepare_console(void)
{
    HANDLE errors = GetStdHandle(STD_ERROR_HANDLE);
    DWORD mode;
    SetConsoleOutputCP(CP_UTF8);
    if (GetConsoleMode(errors, &mode))
        SetConsoleMode(errors, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

int main(void)
{
    arguments own = {0};
    int count = 0;
    wchar_t **words = CommandLineToArgvW(GetCommandLineW(), &count);
    for (int file = 0; file < 3; file++)
        (void)_setmode(file, _O_BINARY);
    prepare_console();
    for (int k = 0; k < count; k++)
        add_files(&own, words[k]);
    LocalFree(words);
    return cli_main(own.count, own.words);
}
