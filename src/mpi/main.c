/* SPDX-License-Identifier: BSD-3-Clause */
/* clup-mpi: the program clup in several processes of MPI. Each process has a device, and a
 * subdomain of the lattice or some of the systems. All processes do the same; only the first one
 * prints, and writes files. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/message.h"
#include "clup_mpi.h"

/* Seconds for which a process that has failed waits for the others to fail too. */
#define PATIENCE_S 3.0

static clup_ranks *ranks;

static clup_status open_context(const char *wanted, clup_context **context)
{
    char selector[32];
    uint32_t sharing;
    clup_status status = clup_mpi_device(MPI_COMM_WORLD, wanted, selector, &sharing);
    if (status == CLUP_OK)
        status = clup_context_create(selector, context);
    return status == CLUP_OK ? clup_context_join(*context, ranks) : status;
}

static int any(int here)
{
    uint64_t count = here != 0;
    return ranks->sum(ranks, &count, 1) == CLUP_OK && count > 0;
}

/* Whether all processes have the same version and command line; if not, *other is the first that
 * differs from process 0. */
static int alike(int argc, char **argv, uint32_t *other)
{
    char mine[65], *all = malloc(65 * (size_t)ranks->count);
    size_t length = strlen(clup_version()) + 1, at = length;
    for (int k = 1; k < argc; k++)
        length += strlen(argv[k]) + 1;
    char *text = calloc(1, length);
    if (all == NULL || text == NULL)
        exit(cli_fail_memory("the command line"));
    memcpy(text, clup_version(), at);
    for (int k = 1; k < argc; k++) {
        memcpy(text + at, argv[k], strlen(argv[k]) + 1);
        at += strlen(argv[k]) + 1;
    }
    clup_sha256(text, length, mine);
    ranks->gather(ranks, mine, sizeof mine, all);
    *other = 0;
    for (uint32_t p = ranks->count - 1; p > 0; p--)
        if (memcmp(all, all + 65 * (size_t)p, 65) != 0)
            *other = p;
    free(text);
    free(all);
    return *other == 0;
}

/* Takes the messages of processes that do not print, until one of them fails alone. */
static FILE *aside;

static void fall_silent(void)
{
    aside = tmpfile();
    if (freopen("/dev/null", "w", stdout) == NULL || aside == NULL ||
        dup2(fileno(aside), STDERR_FILENO) < 0)
        MPI_Abort(MPI_COMM_WORLD, CLUP_ERROR_RUNTIME);
}

/* Prints the messages of a process that did not print. */
static void speak_up(int own_stderr)
{
    char line[1024];
    if (aside == NULL)
        return;
    fflush(stderr);
    dup2(own_stderr, STDERR_FILENO);
    rewind(aside);
    while (fgets(line, sizeof line, aside) != NULL)
        fprintf(stderr, "process %u: %s", ranks->index, line);
    fflush(stderr);
}

/* Waits for the other processes to end, and returns the largest exit code. A process that has
 * failed waits only for a short time, then ends them all, as others may be waiting for it. */
static int end_together(int code, int own_stderr)
{
    MPI_Request request;
    int all_here = 0;
    const struct timespec pause = {0, 5000000};
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    const double start = MPI_Wtime();
    while (!all_here && (code == 0 || MPI_Wtime() - start < PATIENCE_S)) {
        MPI_Test(&request, &all_here, MPI_STATUS_IGNORE);
        if (!all_here)
            nanosleep(&pause, NULL);
    }
    if (!all_here) {
        speak_up(own_stderr);
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    int first = code, largest = code;
    MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (code != first)
        speak_up(own_stderr);
    return largest;
}

int main(int argc, char **argv)
{
    static const cli_world world = {.name = "clup-mpi",
                                    .commands = {"simulate", "percolate", "label", "resume"},
                                    .open = open_context,
                                    .any = any};
    int threads;
    uint32_t other;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
    if (clup_mpi_ranks_create(MPI_COMM_WORLD, &ranks) != CLUP_OK) {
        fprintf(stderr, "clup: MPI failed\n");
        MPI_Abort(MPI_COMM_WORLD, CLUP_ERROR_RUNTIME);
    }
    const int own_stderr = dup(STDERR_FILENO);
    cli_world_is = world;
    cli_world_is.processes = ranks->count;
    cli_world_is.ranks = ranks;
    cli_world_is.silent = ranks->index > 0;
    if (ranks->index > 0)
        fall_silent();
    int code = CLUP_ERROR_USAGE;
    if (alike(argc, argv, &other))
        code = cli_main(argc, argv);
    else
        cli_message(0, "process %u has another version of clup, or other options, than process 0",
                    other);
    fflush(stdout);
    /* shared memory is freed by all processes or by none */
    if (end_together(code, own_stderr) == 0)
        clup_mpi_ranks_free(ranks);
    MPI_Finalize();
    return code;
}
