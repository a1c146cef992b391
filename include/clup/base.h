/* SPDX-License-Identifier: BSD-3-Clause */
/* Status values, errors, the version, how to watch and end long work, and how files are written. */
#ifndef CLUP_BASE_H
#define CLUP_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Marks a function that the library exports. */
#if defined(_WIN32)
#define CLUP_API __declspec(dllexport)
#elif defined(__GNUC__)
#define CLUP_API __attribute__((visibility("default")))
#else
#define CLUP_API
#endif

/* ---- status ---------------------------------------------------------------------------------- */

/* What a function returns. The program exits with the same numbers. */
typedef enum clup_status {
    CLUP_OK = 0,              /* the function has done its work */
    CLUP_ERROR_RUNTIME = 1,   /* an OpenCL command, a file or the system failed */
    CLUP_ERROR_USAGE = 2,     /* an argument is not valid; the detail names it and its value */
    CLUP_ERROR_NO_DEVICE = 3, /* there is no OpenCL platform, or no device that the selector
                                 matches */
    CLUP_ERROR_BUILD = 4,     /* a kernel did not compile; the detail has the build log */
    CLUP_ERROR_MEMORY = 5,    /* the memory of the host or the device is too small, or the device's
                                 largest allocation is */
    CLUP_ERROR_VERIFY = 6,    /* a result failed its verification */
    CLUP_INTERRUPTED = 130    /* the caller's watch or progress function has ended the work; the
                                 detail says how far it was */
} clup_status;

/* Returns a status in words; never NULL. */
CLUP_API const char *clup_status_text(clup_status status);

/* Returns a text about the last failure of this thread; never NULL. It is valid until the next
 * failure in the thread. */
CLUP_API const char *clup_error_detail(void);

/* Returns the version of the library, such as "0.1.0". */
CLUP_API const char *clup_version(void);

/* ---- watching and ending long work ----------------------------------------------------------- */

/* What a call is doing at the moment. */
typedef struct clup_task {
    const char *what, *unit; /* such as "measure" and "sweeps"; static. NULL for nothing in
                                particular */
    uint64_t done, total;    /* in units; total is 0 where it is not known */
} clup_task;

/* Says whether work goes on: returns 0 to go on, another number to end it. The library calls it
 * often. It must be quick, and must not call the library. */
typedef int clup_watch(const clup_task *task, void *user);

/* Sets the watch of the calling thread; NULL removes it. user is passed to it.
 *
 * Every later call of the thread asks the watch before it builds or launches a kernel, and during
 * long work on the host. When the watch ends the work, the call returns CLUP_INTERRUPTED after the
 * kernels that are enqueued: at most about 0.2 s of them. Work that must not be left half done is
 * finished first, such as a sweep that has begun to change spins; a watch that says once that work
 * ends is heeded after it.
 *
 * What is complete is kept: sweeps of a simulation, samples of percolation, and measured times
 * where a function says so. Objects remain usable, and the same call may be made again.
 * clup_labelling_enqueue, which does not wait, is not ended. */
CLUP_API void clup_set_watch(clup_watch *watch, void *user);

/* Is called between batches of sweeps or samples: done of them are complete in this run, of sweeps
 * in all. A return other than 0 ends a run that is not complete with CLUP_INTERRUPTED. */
typedef int clup_progress(uint64_t done, uint64_t sweeps, void *user);

/* ---- files ----------------------------------------------------------------------------------- */

/* Functions that write a file take a path; "-" is standard output.
 *
 * A regular file is written under another name in the same folder. When it is complete and on the
 * disk it takes the place of the old one. So whatever fails, the old file is as it was; there is
 * one exception, where the folder with the new name cannot be put on the disk. The new file has the
 * mode of the old one and, where that is allowed, its owner. A file without permission to write is
 * not replaced. A link remains: the file that it leads to is replaced, or made. Pipes and character
 * devices are written to. Sockets and block devices are refused. */

/* Writes the SHA-256 of data[size] to hex: 64 hexadecimal digits and a NUL. hex becomes "" where
 * data is NULL and size is not 0. */
CLUP_API void clup_sha256(const void *data, size_t size, char hex[65]);

#ifdef __cplusplus
}
#endif

#endif
