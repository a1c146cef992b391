/* Work that several threads do. */
#include "config.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include "base/workers.h"

/* mpirun binds processes to some processors */
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

typedef struct worker {
    void (*work)(void *user, unsigned worker);
    void *user;
    unsigned number;
} worker;

static void *start(void *of)
{
    const worker *worker = of;
    worker->work(worker->user, worker->number);
    return NULL;
}

void clup_workers_run(unsigned count, void (*work)(void *user, unsigned worker), void *user)
{
    worker workers[CLUP_WORKERS_MOST];
    pthread_t threads[CLUP_WORKERS_MOST];
    unsigned started = 0;
    sigset_t all, before;
    /* signals are for the caller's threads, but for what a thread does itself, such as reading a
     * mapped file that has become shorter */
    sigfillset(&all);
    sigdelset(&all, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (unsigned k = 1; k < count && k < CLUP_WORKERS_MOST; k++) {
        workers[k] = (worker){work, user, k};
        started += pthread_create(&threads[started], NULL, start, &workers[k]) == 0;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    work(user, 0);
    while (started > 0)
        pthread_join(threads[--started], NULL);
}
