/* SPDX-License-Identifier: BSD-3-Clause */
/* The first OpenCL calls of a process may be contexts made in several threads at once. Uses PoCL
 * alone: with other platforms the threads do not reach PoCL together. */
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clup.h"
#include "tap.h"

#define THREADS 6
#define PROCESSES 5
#define SITES (32 * 32)

static const clup_problem problem = {.size = {32, 32}, .periodic = {1, 1}, .q = 2, .beta = 0.9};
static uint8_t reference[SITES];
static pthread_barrier_t start;

static clup_status simulate(clup_context *context, uint8_t spins[SITES])
{
    clup_simulation *simulation = NULL;
    clup_status status = clup_simulation_create(context, &problem, NULL, NULL, 3, CLUP_START_RANDOM,
                                                &simulation);
    if (status == CLUP_OK)
        status = clup_simulation_run(simulation, 5, 0, NULL, NULL);
    if (status == CLUP_OK)
        status = clup_simulation_spins(simulation, spins);
    clup_simulation_free(simulation);
    return status;
}

/* Returns NULL when all went well. */
static void *work(void *unused)
{
    static int wrong;
    clup_context *context;
    uint8_t spins[SITES];
    (void)unused;
    pthread_barrier_wait(&start);
    clup_status status = clup_context_create(NULL, &context);
    if (status == CLUP_OK)
        status = simulate(context, spins);
    if (status != CLUP_OK)
        fprintf(stderr, "# %s: %s\n", clup_status_text(status), clup_error_detail());
    clup_context_free(context);
    return status == CLUP_OK && memcmp(spins, reference, SITES) == 0 ? NULL : &wrong;
}

/* How many of the threads went wrong, in a process that has not called OpenCL. */
static int work_at_once(void)
{
    pthread_t threads[THREADS];
    int wrong = 0;
    pthread_barrier_init(&start, NULL, THREADS);
    for (int k = 0; k < THREADS; k++)
        if (pthread_create(&threads[k], NULL, work, NULL) != 0)
            return THREADS;
    for (int k = 0; k < THREADS; k++) {
        void *result;
        pthread_join(threads[k], &result);
        wrong += result != NULL;
    }
    return wrong;
}

/* Lets folder have PoCL alone, and the loader read that; where PoCL is not registered in the usual
 * place all stays as it is. */
static void take_pocl(const char *folder)
{
    static const char place[] = "/etc/OpenCL/vendors";
    DIR *stream = opendir(place);
    for (struct dirent *entry; stream != NULL && (entry = readdir(stream)) != NULL;) {
        char from[512], to[512];
        snprintf(from, sizeof from, "%s/%s", place, entry->d_name);
        snprintf(to, sizeof to, "%s/%s", folder, entry->d_name);
        if (strncmp(entry->d_name, "pocl", 4) == 0 && symlink(from, to) == 0)
            setenv("OCL_ICD_VENDORS", folder, 1);
    }
    if (stream != NULL)
        closedir(stream);
}

int main(void)
{
    char folder[] = "/tmp/t_threads.XXXXXX", command[64];
    if (mkdtemp(folder) == NULL)
        return 99;
    take_pocl(folder);
    NEED(simulate(NULL, reference));
    for (int k = 0; k < PROCESSES; k++) {
        int state = -1;
        const pid_t child = fork();
        if (child == 0)
            _exit(work_at_once());
        ok(child > 0 && waitpid(child, &state, 0) == child && state == 0,
           "process %d begins with %d threads at once, all with the reference's spins", k + 1,
           THREADS);
    }
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ok(system(command) == 0, "clean");
    return done_testing();
}
