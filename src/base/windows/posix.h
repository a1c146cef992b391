/* SPDX-License-Identifier: BSD-3-Clause */
/* What clup uses of POSIX, for Windows: the compiler includes this header before each source, and
 * its folder comes before the system's. Names of files are UTF-8, with / or \ between folders, and
 * may be longer than 260 bytes. Files are binary, are not inherited by child processes, and can be
 * renamed and removed while they are open. Failures set errno. */
#ifndef CLUP_BASE_WINDOWS_POSIX_H
#define CLUP_BASE_WINDOWS_POSIX_H
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
/* libtool defines it, and pthread.h then takes winpthreads for a dynamic library */
#undef DLL_EXPORT
#define _POSIX_C_SOURCE 200809L
#define _POSIX_THREAD_SAFE_FUNCTIONS 200112L
#include <dirent.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* ---- files ----------------------------------------------------------------------------------- */

/* flags of open beyond those of the C library, in bits that it does not use */
#define O_CLOEXEC 0
#define O_NOCTTY 0
#define O_NONBLOCK 0
#define O_NOFOLLOW 0x1000000
#define O_DIRECTORY 0x2000000

struct clup_stat {
    uint64_t st_dev, st_ino;
    unsigned st_mode;
    int st_uid, st_gid;
    int64_t st_size, st_mtime;
    struct timespec st_mtim;
};
int clup_windows_stat(const char *path, struct clup_stat *found);
int clup_windows_lstat(const char *path, struct clup_stat *found);
int clup_windows_fstat(int file, struct clup_stat *found);
#define clup_stat(path, found) clup_windows_stat(path, found)
#undef stat
#undef fstat
#define stat clup_stat
#define lstat clup_windows_lstat
#define fstat clup_windows_fstat
#undef st_mtime
#define S_IFLNK 0xA000
#define S_IFSOCK 0xC000
#undef S_ISLNK
#undef S_ISSOCK
#define S_ISLNK(mode) (((mode)&S_IFMT) == S_IFLNK)
#define S_ISSOCK(mode) (((mode)&S_IFMT) == S_IFSOCK)
#ifndef S_IWGRP
#define S_IWGRP 020
#define S_IWOTH 02
#endif

int clup_windows_open(const char *path, int flags, ...);
FILE *clup_windows_fopen(const char *path, const char *mode);
int clup_windows_rename(const char *from, const char *to);
int clup_windows_unlink(const char *path);
int clup_windows_remove(const char *path);
int clup_windows_mkdir(const char *path, unsigned mode);
int clup_windows_rmdir(const char *path);
int clup_windows_access(const char *path, int what);
ssize_t clup_windows_readlink(const char *path, char *to, size_t room);
int clup_windows_fsync(int file);
ssize_t clup_windows_pread(int file, void *to, size_t bytes, int64_t offset);
/* Makes a file that is removed when it is closed. */
int clup_windows_mkostemp(char *path, int flags);
FILE *clup_windows_tmpfile(void);
/* Makes a folder of a new name. */
char *mkdtemp(char *path);
/* Sets the size of a file; returns an error number. */
int clup_windows_allocate(int file, int64_t first, int64_t bytes);
#define open clup_windows_open
#define fopen clup_windows_fopen
#define rename clup_windows_rename
#define unlink clup_windows_unlink
#define remove clup_windows_remove
#define mkdir clup_windows_mkdir
#define rmdir clup_windows_rmdir
#define access clup_windows_access
#define readlink clup_windows_readlink
#define fsync clup_windows_fsync
#define pread clup_windows_pread
#define mkostemp clup_windows_mkostemp
#define tmpfile clup_windows_tmpfile
#define posix_fallocate clup_windows_allocate
/* of the effective user: there is one alone */
#define AT_FDCWD (-100)
#define AT_EACCESS 0x200
#define faccessat(folder, path, what, flags) clup_windows_access(path, what)
/* Windows keeps who may use a file in lists of its own, which a new file has from its folder */
#define geteuid() 0
static inline int fchown(int file, int user, int group)
{
    (void)file, (void)user, (void)group;
    return 0;
}
static inline int fchmod(int file, unsigned mode)
{
    (void)file, (void)mode;
    return 0;
}

/* ---- folders --------------------------------------------------------------------------------- */

struct clup_dirent {
    char d_name[3 * 260];
};
typedef struct clup_folder clup_folder;
clup_folder *clup_windows_opendir(const char *path);
struct clup_dirent *clup_windows_readdir(clup_folder *folder);
int clup_windows_closedir(clup_folder *folder);
#define DIR clup_folder
#define dirent clup_dirent
#define opendir clup_windows_opendir
#define readdir clup_windows_readdir
#define closedir clup_windows_closedir

/* ---- streams and texts ----------------------------------------------------------------------- */

FILE *open_memstream(char **text, size_t *size);
int clup_windows_fclose(FILE *stream);
#define fclose clup_windows_fclose
char *strndup(const char *text, size_t most);

/* ---- memory ---------------------------------------------------------------------------------- */

/* Large pages, for which clup aligns memory, are not to be had by a program of any user: this
 * memory is not aligned. free() frees it. */
static inline void *aligned_alloc(size_t alignment, size_t bytes)
{
    (void)alignment;
    return malloc(bytes);
}
static inline int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    (void)alignment;
    *memory = malloc(bytes);
    return *memory != NULL ? 0 : 12;
}

/* ---- the environment and the system ---------------------------------------------------------- */

/* Returns a variable as UTF-8; the text stays as it is until the program ends. */
char *clup_windows_getenv(const char *name);
int clup_windows_setenv(const char *name, const char *value, int replace);
int clup_windows_unsetenv(const char *name);
#define getenv clup_windows_getenv
#define setenv clup_windows_setenv
#define unsetenv clup_windows_unsetenv

enum { _SC_PAGESIZE = 1, _SC_NPROCESSORS_ONLN };
long sysconf(int what);
/* Gives random bytes; returns 0, or -1 and errno. */
int getentropy(void *bytes, size_t count);

/* ---- signals --------------------------------------------------------------------------------- */

/* SIGINT is Ctrl-C. SIGTERM is Ctrl-Break, the end of the console or the session, and what kill
 * sends. Handlers run in a thread of their own. Other signals are never sent. */
#define SIGBUS 7
#define SIGKILL 9
#define SIGXFSZ 25
#define SA_SIGINFO 4
#define BUS_ADRERR 2
typedef struct clup_siginfo {
    int si_code;
} siginfo_t;
typedef void clup_handler(int number);
struct sigaction {
    union {
        clup_handler *sa_handler;
        void (*sa_sigaction)(int number, siginfo_t *what, void *context);
    };
    int sa_flags, sa_mask;
};
typedef int clup_signals;
#define sigset_t clup_signals
int sigaction(int number, const struct sigaction *action, struct sigaction *before);
clup_handler *clup_windows_signal(int number, clup_handler *handler);
int clup_windows_raise(int number);
int kill(pid_t process, int number);
#define signal clup_windows_signal
#define raise clup_windows_raise
#define sigemptyset(set) (*(set) = 0)
#define sigfillset(set) (*(set) = 0)
#define sigaddset(set, number) ((void)(set), (void)(number))
#define sigdelset(set, number) ((void)(set), (void)(number))
#ifndef SIG_SETMASK
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#endif
#undef pthread_sigmask
#define pthread_sigmask(how, set, before) ((void)(set), (void)(before))

#endif
