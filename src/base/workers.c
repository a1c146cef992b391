/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs work in several threads. */
#include "config.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "base/workers.h"

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
     * reading a mapped file that has become shorter */
    sigfillset(&all);
    sigdelset(&all, SIGBUS);
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
