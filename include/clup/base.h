/* Status values, errors, the version, and how to watch and end long work. */
#ifndef CLUP_BASE_H
#define CLUP_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CLUP_API __attribute__((visibility("default")))
#else
#define CLUP_API
#endif

/* Also the exit codes of the program. */
typedef enum clup_status {
    CLUP_OK = 0,              /* all went well */
    CLUP_ERROR_RUNTIME = 1,   /* an OpenCL command, a file or the system failed */
    CLUP_ERROR_USAGE = 2,     /* an argument is not valid; the detail names it and its value */
    CLUP_ERROR_NO_DEVICE = 3, /* no OpenCL platform, or no device that matches the selector */
    CLUP_ERROR_BUILD = 4,     /* a kernel did not compile; the detail holds the build log */
    CLUP_ERROR_MEMORY = 5,    /* host or device memory, or the device's largest allocation, is too
                                 small */
    CLUP_ERROR_VERIFY = 6,    /* a result failed its verification */
    CLUP_INTERRUPTED = 130 /* the caller's watch or progress function has ended the work; the detail
                              says how far it was */
} clup_status;

/* The status in words; never NULL. */
CLUP_API const char *clup_status_text(clup_status status);
/* What the last failure of this thread was about; never NULL, valid until the next failure. */
CLUP_API const char *clup_error_detail(void);

/* The version of the library, such as "0.1.0". */
CLUP_API const char *clup_version(void);

/* What is being done. */
typedef struct clup_task {
    const char *what, *unit; /* such as "measure" and "sweeps"; static, NULL for nothing in
                                particular */
    uint64_t done, total;    /* units; total is 0 where it is not known */
} clup_task;

/* A non-zero return ends the work. It is asked often, and must be quick; it must not call the
 * library. */
typedef int clup_watch(const clup_task *task, void *user);

/* Sets the watch of the calling thread; NULL is none. Whatever the thread then calls asks it before
 * each kernel is built or launched, and in long work on the host. When it ends the work, the call
 * returns CLUP_INTERRUPTED after the kernel that is running: the host stays no more than some 0.2 s
 * of kernels ahead of the device. Only what must not be left half done is finished, such as a sweep
 * that has begun to change spins. What is complete is kept: sweeps of a simulation, samples of
 * percolation, and where a function says so what was measured; objects remain usable, and the same
 * call may be made again. clup_labelling_enqueue, which does not wait, is not ended. */
CLUP_API void clup_set_watch(clup_watch *watch, void *user);

/* Called between batches of sweeps with the number done in this run; a non-zero return ends a run
 * that is not complete with CLUP_INTERRUPTED. */
typedef int clup_progress(uint64_t done, uint64_t sweeps, void *user);

/* SHA-256 of size bytes as 64 hexadecimal digits and a final NUL; "" where data is NULL and size is
 * not 0. */
CLUP_API void clup_sha256(const void *data, size_t size, char hex[65]);
/* Where this library writes files: "-" is standard output. A regular file is written under another
 * name in its folder, and takes its place when it is whole and on the disk: whatever fails, an
 * older one is as it was, unless it is the folder that cannot be put on the disk, with the new name
 * in it. It keeps the mode of the one it replaces and, where that is allowed, the
 * owner; one that may not be written is not replaced. A link remains, and what it leads to is
 * replaced, or made. Pipes and character devices are written to, sockets and block devices
 * refused. */

#ifdef __cplusplus
}
#endif

#endif
