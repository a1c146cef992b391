/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs work in several threads. */
#include "config.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "base/workers.h"
#include "program.h"

/* uses the affinity, as mpirun binds processes to some processors */
unsigned clup_processors(void)
{
    long count;
#ifdef CPU_COUNT
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return (unsigned)CPU_COUNT(&set);
#endif
    count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}

unsigned clup_carriers(void)
{
    const unsigned half = clup_processors() / 2;
    return half < 2 ? 2 : half < CLUP_CARRIERS_MOST ? half : CLUP_CARRIERS_MOST;
}

/* What workers share: their function, and the failure of the first that failed. */
typedef struct task {
    clup_status (*work)(void *user, unsigned worker);
    void *user;
    pthread_mutex_t mutex;
    clup_status status;
    char detail[CLUP_DETAIL_SIZE];
} task;

typedef struct worker {
    task *task;
    unsigned number;
} worker;

static void *start(void *of)
{
    const worker *worker = of;
    task *task = worker->task;
    const clup_status status = task->work(task->user, worker->number);
    pthread_mutex_lock(&task->mutex);
    if (status != CLUP_OK && task->status == CLUP_OK) {
        task->status = status;
        strcpy(task->detail, clup_error_detail());
    }
    pthread_mutex_unlock(&task->mutex);
    return NULL;
}

clup_status clup_workers_run(unsigned count, clup_status (*work)(void *user, unsigned worker),
                             void *user)
{
    task task = {.work = work, .user = user, .mutex = PTHREAD_MUTEX_INITIALIZER};
    worker workers[CLUP_WORKERS_MOST];
    pthread_t threads[CLUP_WORKERS_MOST];
    unsigned started = 0;
    sigset_t all, before;
    /* signals go to the caller's threads, except those that a worker causes itself, such as by
     * reading a mapped file that has become shorter, or a driver's compiler for its own purposes */
    sigfillset(&all);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (unsigned k = 1; k < count && k < CLUP_WORKERS_MOST; k++) {
        workers[k] = (worker){&task, k};
        started += pthread_create(&threads[started], NULL, start, &workers[k]) == 0;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    workers[0] = (worker){&task, 0};
    start(&workers[0]);
    while (started > 0)
        pthread_join(threads[--started], NULL);
    return task.status == CLUP_OK ? CLUP_OK : clup_fail(task.status, "%s", task.detail);
}

/* ---- items that threads share ---------------------------------------------------------------- */

typedef struct sharing {
    clup_status (*work)(void *user, unsigned worker, uint64_t first, uint64_t end);
    void *user;
    uint64_t all, piece;
    _Atomic uint64_t next; /* the first item that no thread has taken */
} sharing;

static clup_status take_items(void *of, unsigned worker)
{
    sharing *sharing = of;
    clup_status status = CLUP_OK;
    uint64_t first;
    while (status == CLUP_OK &&
           (first = atomic_fetch_add(&sharing->next, sharing->piece)) < sharing->all) {
        const uint64_t left = sharing->all - first;
        status = sharing->work(sharing->user, worker, first,
                               first + (left < sharing->piece ? left : sharing->piece));
    }
    if (status != CLUP_OK)
        atomic_store(&sharing->next, sharing->all);
    return status;
}

clup_status clup_workers_share(unsigned threads, uint64_t all, uint64_t piece,
                               clup_status (*work)(void *user, unsigned worker, uint64_t first,
                                                   uint64_t end),
                               void *user)
{
    sharing sharing = {.work = work, .user = user, .all = all, .piece = piece};
    const uint64_t pieces = all > 0 ? (all - 1) / piece + 1 : 1;
    return clup_workers_run(pieces < threads ? (unsigned)pieces : threads, take_items, &sharing);
}

/* ---- one thread beside the caller ------------------------------------------------------------ */

struct clup_aside {
    pthread_t thread;
    clup_status (*work)(void *user);
    void *user;
    clup_status status;
    char detail[CLUP_DETAIL_SIZE];
};

static void *start_aside(void *of)
{
    clup_aside *aside = of;
    aside->status = aside->work(aside->user);
    if (aside->status != CLUP_OK)
        strcpy(aside->detail, clup_error_detail());
    return NULL;
}

clup_aside *clup_aside_begin(clup_status (*work)(void *user), void *user)
{
    sigset_t ends, before;
    clup_aside *aside = malloc(sizeof *aside);
    if (aside == NULL)
        return NULL;
    aside->work = work;
    aside->user = user;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, &before);
    const int wrong = pthread_create(&aside->thread, NULL, start_aside, aside);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (wrong == 0)
        return aside;
    free(aside);
    return NULL;
}

clup_status clup_aside_end(clup_aside **of)
{
    clup_aside *aside = *of;
    pthread_join(aside->thread, NULL);
    const clup_status status = aside->status == CLUP_OK
                                   ? CLUP_OK
                                   : clup_fail(aside->status, "%s", aside->detail);
    free(aside);
    *of = NULL;
    return status;
}
