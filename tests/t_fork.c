/* SPDX-License-Identifier: BSD-3-Clause */
/* Forked processes. A process that forks before OpenCL is used works. In one that forks afterwards,
 * each call that needs a device fails at once, with a message that names spawn; objects that exist
 * can be freed, and the reference still runs. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clup.h"
#include "tap.h"

static const clup_problem potts = {.size = {16, 16}, .periodic = {1, 1}, .q = 2, .beta = 0.8};
static const clup_label_problem image = {.size = {20, 20, 1},
                                         .connectivity = 4,
                                         .dtype = CLUP_DTYPE_U8,
                                         .channels = 1,
                                         .has_background = 1};
static uint8_t pixels[400];
static uint32_t labels[400];

/* What the parent has made. */
static clup_context *context;
static clup_labelling *labelling;
static clup_simulation *simulation;

/* Whether a process that is forked here finds what it should: work returns 1 then. */
static int in_child(int (*work)(void))
{
    int ended;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        /* one that hangs is no more after that */
        alarm(60);
        _exit(work() ? 0 : 1);
    }
    return child > 0 && waitpid(child, &ended, 0) == child && WIFEXITED(ended) &&
           WEXITSTATUS(ended) == 0;
}

static int use(void)
{
    clup_context *own = NULL;
    clup_labelling *by = NULL;
    uint32_t clusters = 0;
    const int right = clup_context_create(NULL, &own) == CLUP_OK &&
                      clup_labelling_create(own, &image, &by) == CLUP_OK &&
                      clup_labelling_run(by, pixels, CLUP_LABELS_NUMBERED, labels, &clusters,
                                         NULL) == CLUP_OK &&
                      clusters == 1;
    clup_labelling_free(by);
    clup_context_free(own);
    return right;
}

/* Whether a call failed for that reason. */
static int refused(clup_status status)
{
    return status == CLUP_ERROR_RUNTIME && strstr(clup_error_detail(), "'spawn'") != NULL;
}

static int list_devices(void)
{
    clup_device_list *list;
    return refused(clup_device_list_create(&list)) && list == NULL;
}

static int create_context(void)
{
    clup_context *own = NULL;
    return refused(clup_context_create(NULL, &own)) && own == NULL;
}

static int create_labelling(void)
{
    clup_labelling *by = NULL;
    return refused(clup_labelling_create(context, &image, &by)) && by == NULL;
}

static int run_labelling(void)
{
    uint32_t clusters;
    return refused(
        clup_labelling_run(labelling, pixels, CLUP_LABELS_NUMBERED, labels, &clusters, NULL));
}

static int create_simulation(void)
{
    clup_simulation *own;
    return refused(
               clup_simulation_create(context, &potts, NULL, NULL, 1, CLUP_START_ORDERED, &own)) &&
           own == NULL;
}

static int run_simulation(void)
{
    return refused(clup_simulation_run(simulation, 2, 1, NULL, NULL));
}

static int read_spins(void)
{
    uint8_t spins[256];
    return refused(clup_simulation_spins(simulation, spins));
}

static int free_all(void)
{
    clup_simulation_free(simulation);
    clup_labelling_free(labelling);
    clup_context_free(context);
    return 1;
}

static int use_reference(void)
{
    clup_simulation *own;
    const int right = clup_simulation_create(NULL, &potts, NULL, NULL, 1, CLUP_START_ORDERED,
                                             &own) == CLUP_OK &&
                      clup_simulation_run(own, 5, 1, NULL, NULL) == CLUP_OK;
    clup_simulation_free(own);
    return right;
}

static int fork_again(void)
{
    return in_child(create_context);
}

int main(void)
{
    static const struct {
        int (*work)(void);
        const char *what;
    } after[] = {
        {list_devices, "devices are not listed"},
        {create_context, "no context is made"},
        {create_labelling, "nor a labelling in one of before"},
        {run_labelling, "a labelling of before does not run"},
        {create_simulation, "a simulation is not made in a context of before"},
        {run_simulation, "one of before does not run"},
        {read_spins, "nor are its spins read"},
        {free_all, "all is freed"},
        {use_reference, "the reference works"},
        {fork_again, "what is forked from there makes no context either"},
    };
    memset(pixels, 1, sizeof pixels);
    ok(in_child(use), "a device works in a process that was forked before any use");
    ok(use(), "and in the one that forked it");
    NEED(clup_context_create(NULL, &context));
    NEED(clup_labelling_create(context, &image, &labelling));
    NEED(clup_simulation_create(context, &potts, NULL, NULL, 1, CLUP_START_ORDERED, &simulation));
    NEED(clup_simulation_run(simulation, 2, 1, NULL, NULL));
    for (size_t k = 0; k < sizeof after / sizeof *after; k++)
        ok(in_child(after[k].work), "forked after it: %s", after[k].what);
    ok(run_simulation() == 0 && use(), "the parent goes on");
    free_all();
    return done_testing();
}
