/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel variants that gave wrong results. Several processes may record some at once without losing
 * an entry of the file. When a plan gives wrong results, the variant that causes them is found, and
 * no other. The planner does not choose recorded variants, unless asked for. The known-answer tests
 * here do not run kernels: they fail for the variants that the test names. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "plan/validate.h"
#include "plan/tables.h"
#include "program.h"
#include "tap.h"

#define THREADS 8

static const clup_problem problem = {.size = {64, 64}, .periodic = {1, 1}, .q = 2, .beta = 0.9};

/* ---- the file -------------------------------------------------------------------------------- */

static pthread_barrier_t start;
static clup_context *contexts[THREADS];

static const char *kernel_of(size_t k)
{
    return clup_table_of(CLUP_LOCAL)->variants[k].name;
}

static void *remember(void *k)
{
    pthread_barrier_wait(&start);
    return clup_distrust_remember(contexts[(size_t)k], CLUP_LOCAL, kernel_of((size_t)k),
                                  "it was wrong") == CLUP_OK
               ? k
               : NULL;
}

static void *forget(void *k)
{
    pthread_barrier_wait(&start);
    return clup_distrust_forget(contexts[(size_t)k], CLUP_LOCAL, kernel_of((size_t)k)) == CLUP_OK
               ? k
               : NULL;
}

static void at_once(void *(*what)(void *))
{
    pthread_t threads[THREADS];
    for (size_t k = 0; k < THREADS; k++)
        pthread_create(&threads[k], NULL, what, (void *)k);
    for (size_t k = 0; k < THREADS; k++)
        pthread_join(threads[k], NULL);
}

/* The number of the test's variants that a new context knows. */
static unsigned known(void)
{
    clup_context *context;
    unsigned count = 0;
    NEED(clup_context_create(NULL, &context));
    NEED(clup_distrust_load(context));
    for (size_t k = 0; k < THREADS; k++)
        count += clup_distrust_find(context, CLUP_LOCAL, kernel_of(k)) != NULL;
    clup_context_free(context);
    return count;
}

static void test_file(void)
{
    unsigned warned = 0;
    pthread_barrier_init(&start, NULL, THREADS);
    for (size_t k = 0; k < THREADS; k++) {
        NEED(clup_context_create(NULL, &contexts[k]));
        NEED(clup_distrust_load(contexts[k]));
    }
    ok(known() == 0, "nothing is known");
    at_once(remember);
    ok(known() == THREADS, "%d that remember a row each at once lose none", THREADS);
    at_once(forget);
    ok(known() == 0, "nor when they forget them");
    for (size_t k = 0; k < THREADS; k++) {
        warned += clup_distrust_warning(contexts[k])[0] != '\0';
        clup_context_free(contexts[k]);
    }
    ok(warned == 0, "without a warning");
    pthread_barrier_destroy(&start);
}

/* ---- proving --------------------------------------------------------------------------------- */

/* The kernel variants that give wrong results, NULL for none. */
static const char *wrong[2];
static clup_status right;
static unsigned tested;

static clup_status answer(clup_context *context, const clup_problem *of, const clup_method *method,
                          const clup_plan *plan)
{
    (void)context;
    (void)method;
    tested++;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE && of == &problem; stage++)
        for (unsigned k = 0; k < 2; k++)
            if (wrong[k] != NULL && clup_plan_row(plan, stage) != NULL &&
                strcmp(clup_plan_row(plan, stage), wrong[k]) == 0)
                return clup_fail(CLUP_ERROR_VERIFY, "%s is wrong", wrong[k]);
    return right;
}

static clup_plan choose(clup_context *context, const clup_plan_request *request)
{
    clup_plan plan;
    NEED(clup_plan_choose(context, &problem, NULL, request, &plan));
    return plan;
}

/* Whether two plans are equal, apart from wider tiles of the same edge. */
static int same(const clup_plan *one, const clup_plan *other, clup_stage but)
{
    int is = strcmp(one->bonds, other->bonds) == 0 && one->tile[1] == other->tile[1];
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        if (stage != but && clup_plan_row(one, stage) != NULL)
            is = is && strcmp(clup_plan_row(one, stage), clup_plan_row(other, stage)) == 0;
    return is;
}

/* Makes the kernel variant of each stage wrong in turn. */
static void test_stages(clup_context *context, const char *bonds)
{
    const clup_plan_request request = {.bonds = bonds, .strategy = CLUP_PLAN_ESTIMATE};
    const clup_plan plan = choose(context, &request);
    for (clup_stage stage = CLUP_LOCAL; stage < CLUP_MEASURE; stage++) {
        clup_plan proved = plan;
        const char *row = clup_plan_row(&plan, stage);
        wrong[0] = row;
        const clup_status status = clup_plan_validate(context, &problem, NULL, answer, &proved);
        ok(status == CLUP_OK && same(&plan, &proved, stage) &&
               strcmp(clup_plan_row(&proved, stage), row) != 0,
           "%s: instead of %s %s, all else as it was", bonds, row, clup_plan_row(&proved, stage));
        ok(clup_distrust_find(context, stage, row) != NULL && strstr(proved.warning, row) != NULL &&
               proved.chosen == plan.chosen,
           "and it is remembered: %s", proved.warning);
        clup_plan_request by_name = request;
        *clup_request_row(&by_name, stage) = row;
        const clup_plan next = choose(context, &request), asked = choose(context, &by_name);
        ok(strcmp(clup_plan_row(&next, stage), row) != 0 &&
               strcmp(clup_plan_row(&asked, stage), row) == 0,
           "the next plan is without it, but where it is asked for");
        proved = asked;
        ok(clup_plan_validate(context, &problem, NULL, answer, &proved) == CLUP_ERROR_VERIFY &&
               same(&asked, &proved, CLUP_STAGES),
           "which is not replaced");
        NEED(clup_distrust_forget(context, stage, row));
    }
}

static void test_refusals(clup_context *context)
{
    const clup_plan plan = choose(
        context, &(clup_plan_request){.bonds = "word", .strategy = CLUP_PLAN_ESTIMATE});
    clup_plan proved = plan;
    wrong[0] = plan.local;
    proved.chosen = 0;
    tested = 0;
    ok(clup_plan_validate(context, &problem, NULL, answer, &proved) == CLUP_ERROR_VERIFY &&
           tested == 1,
       "of a plan of the caller's own nothing is replaced: %s", clup_error_detail());
    proved = plan;
    wrong[1] = plan.action;
    ok(clup_plan_validate(context, &problem, NULL, answer, &proved) == CLUP_ERROR_VERIFY &&
           same(&plan, &proved, CLUP_STAGES),
       "where two are wrong, none can be blamed: %s", clup_error_detail());
    wrong[1] = NULL;
    right = CLUP_ERROR_RUNTIME;
    ok(clup_plan_validate(context, &problem, NULL, answer, &proved) == CLUP_ERROR_RUNTIME,
       "another failure ends it");
    wrong[0] = NULL;
    ok(clup_plan_validate(context, &problem, NULL, answer, &proved) == CLUP_ERROR_RUNTIME,
       "and is that of the plan");
    right = CLUP_OK;
    wrong[0] = plan.source;
    ok(clup_plan_validate(context, &problem, NULL, answer, &proved) == CLUP_ERROR_VERIFY,
       "a source that no other can stand in for with these bonds, which were asked for");
    ok(clup_distrust_find(context, CLUP_LOCAL, plan.local) == NULL &&
           clup_distrust_find(context, CLUP_SOURCE, plan.source) == NULL,
       "nothing of that is remembered");
    proved.chosen |= CLUP_CHOSE_BONDS;
    NEED(clup_plan_validate(context, &problem, NULL, answer, &proved));
    ok(strcmp(proved.bonds, "word") != 0, "where they were not, others do: %s", proved.bonds);
    ok(clup_distrust_find(context, CLUP_SOURCE, plan.source) != NULL, "it is remembered");
    const clup_status status = clup_plan_choose(context, &problem, NULL,
                                                &(clup_plan_request){.bonds = "word"}, &proved);
    ok(status == CLUP_ERROR_VERIFY && strstr(clup_error_detail(), plan.source) != NULL,
       "a plan with these bonds is none: %s", clup_error_detail());
    unsigned drawn = 0;
    for (unsigned seed = 0; seed < 20; seed++) {
        proved = choose(context, &(clup_plan_request){.strategy = CLUP_PLAN_RANDOM, .seed = seed});
        drawn += proved.source != NULL && strcmp(proved.source, plan.source) == 0;
    }
    ok(drawn == 0, "it is not drawn");
    NEED(clup_distrust_forget(context, CLUP_SOURCE, plan.source));
}

int main(void)
{
    char folder[] = "/tmp/clup-distrust-XXXXXX", command[64];
    clup_context *context;
    if (mkdtemp(folder) == NULL)
        return 1;
    setenv("XDG_DATA_HOME", folder, 1);
    test_file();
    NEED(clup_context_create(NULL, &context));
    test_stages(context, "word");
    test_refusals(context);
    clup_context_free(context);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) != 0 || done_testing();
}
