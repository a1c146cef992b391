/* SPDX-License-Identifier: BSD-3-Clause */
/* Child processes, for Windows: they are started by clup_windows_start. */
#ifndef CLUP_BASE_WINDOWS_SYS_WAIT_H
#define CLUP_BASE_WINDOWS_SYS_WAIT_H
/* Starts words[0], which is looked for in the folders of PATH, or this program where it is NULL,
 * with the other words, to the NULL at their end, as its command line. folder is its working folder
 * (NULL: this process'); output and errors become its standard output and error (-1: this
 * process'). It gets no Ctrl-C of the console, but SIGTERM by kill, and ends when this process
 * does. Returns its number; -1 and errno where it cannot be started, ENOENT where there is no such
 * program. */
pid_t clup_windows_start(const char *const *words, const char *folder, int output, int errors);

#define WIFSIGNALED(status) (((status)&127) != 0)
#define WTERMSIG(status) ((status)&127)
#define WIFEXITED(status) (!WIFSIGNALED(status))
#define WEXITSTATUS(status) ((status) >> 8 & 255)
pid_t waitpid(pid_t process, int *status, int options);
#endif
