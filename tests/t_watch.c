/* SPDX-License-Identifier: BSD-3-Clause */
/* Ending work at each place where the watch is called: complete results are kept and equal those of
 * an uninterrupted run; the rest can be done again. */
#include <math.h>
#include <string.h>

#include "base/watch.h"
#include "run/measure.h"
#include "tap.h"
#include "label/labelling.h"

static clup_context *context;
static unsigned asked, most; /* the watch ends the work when it is asked for the most-th time, and
                                from then on */

static int watch(const clup_task *task, void *user)
{
    (void)task, (void)user;
    return ++asked >= most;
}

static void watch_for(unsigned count)
{
    asked = 0;
    most = count;
    clup_set_watch(count > 0 ? watch : NULL, NULL);
}

/* ---- simulations ----------------------------------------------------------------------------- */

static void read_spins(clup_simulation *simulation, uint8_t *spins)
{
    NEED(clup_simulation_spins(simulation, spins));
}

/* A simulation that is ended and run on, over and over, and the serial reference that does as many
 * sweeps at each stop. Every second run is measured. */
static void check_simulation(const char *what, unsigned stops, clup_context *on,
                             const clup_problem *problem, const clup_method *method,
                             const clup_plan_request *request)
{
    const uint32_t replicas = problem->replicas > 0 ? problem->replicas : 1;
    const size_t bytes = (size_t)clup_problem_sites(problem) * replicas;
    const clup_observable all = CLUP_LARGEST_CLUSTER;
    uint8_t *spins = malloc(bytes), *wanted = malloc(bytes);
    uint64_t done = 0, measured = 0;
    unsigned ended = 0, same = 0;
    clup_plan plan;
    clup_timing timing;
    clup_estimate estimates[CLUP_OBSERVABLES], expected[CLUP_OBSERVABLES];
    clup_simulation *simulation, *plain;
    NEED(clup_plan_choose(on, problem, method, request, &plan));
    NEED(clup_simulation_create(on, problem, method, &plan, 7, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_create(NULL, problem, method, &plan, 7, CLUP_START_RANDOM, &plain));
    NEED(clup_simulation_observe(simulation, &all, 1, 2));
    NEED(clup_simulation_observe(plain, &all, 1, 2));
    for (unsigned count = 1; count <= stops; count++) {
        const int measure = count % 2;
        watch_for(count);
        ended += clup_simulation_run(simulation, 100000, measure, NULL, NULL) == CLUP_INTERRUPTED;
        watch_for(0);
        const uint64_t more = clup_simulation_sweeps(simulation) - done;
        NEED(clup_simulation_run(plain, more, measure, NULL, NULL));
        done += more;
        measured += measure ? more : 0;
        read_spins(simulation, spins);
        read_spins(plain, wanted);
        same += memcmp(spins, wanted, bytes) == 0;
    }
    ok(ended == stops && done > 0, "%s: ended %u times, after %u sweeps in all", what, ended,
       (unsigned)done);
    ok(same == stops, "with the spins of the sweeps that are done, %u times", same);
    clup_simulation_timing(simulation, &timing);
    NEED(clup_simulation_estimate(simulation, replicas - 1, estimates));
    NEED(clup_simulation_estimate(plain, replicas - 1, expected));
    ok(timing.sweeps == measured && clup_simulation_measured(simulation) == measured / 2 &&
           memcmp(&estimates[CLUP_ENERGY], &expected[CLUP_ENERGY], sizeof *estimates) == 0 &&
           estimates[CLUP_UPDATED].mean == expected[CLUP_UPDATED].mean &&
           memcmp(&estimates[CLUP_LARGEST_CLUSTER], &expected[CLUP_LARGEST_CLUSTER],
                  sizeof *estimates) == 0,
       "and of the %u of measured runs every second is in the series once", (unsigned)measured);
    clup_simulation_free(simulation);
    clup_simulation_free(plain);
    free(spins);
    free(wanted);
}

static int never(uint64_t done, uint64_t sweeps, void *user)
{
    (void)done, (void)sweeps, (void)user;
    return 1;
}

static void check_simulations(void)
{
    const clup_problem problem = {.size = {40, 24}, .periodic = {1, 1}, .q = 2, .beta = 0.88};
    clup_problem several = problem;
    const struct {
        const char *what;
        unsigned stops;
        clup_method method;
        clup_plan_request request;
    } cases[] = {
        {"words",
         40,
         {0},
         {.bonds = "word", .local = "runs", .consolidate = "union", .action = "flip"}},
        {"bytes",
         40,
         {0},
         {.bonds = "char",
          .local = "bfs",
          .consolidate = "sew",
          .action = "prepare_flip",
          .tile = 8}},
        {"piggyback",
         40,
         {0},
         {.bonds = "char",
          .local = "selflabel",
          .consolidate = "relax",
          .action = "flip_piggyback",
          .tile = 4}},
        {"border", 40, {0}, {.bonds = "border"}},
        {"resident", 5, {0}, {.bonds = "resident"}},
        {"wolff", 40, {.algorithm = CLUP_WOLFF}, {.consolidate = "relax_multithread", .tile = 4}},
        {"few-cluster",
         40,
         {.algorithm = CLUP_FEW_CLUSTER, .seeds_per_side = 3, .p_flip = 0.75},
         {0}},
        {"heat bath", 10, {.algorithm = CLUP_HEAT_BATH}, {0}},
        {"heat bath beside clusters", 12, {.heat_bath = 2}, {.bonds = "border"}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        check_simulation(cases[k].what, cases[k].stops, context, &problem, &cases[k].method,
                         &cases[k].request);
    several.lattice = CLUP_LATTICE_TRIANGULAR;
    check_simulation("heat bath of four colours", 10, context, &several,
                     &(clup_method){.algorithm = CLUP_HEAT_BATH}, NULL);
    check_simulation("heat bath beside clusters on the host", 12, NULL, &several,
                     &(clup_method){.heat_bath = 1}, NULL);
    several = problem;
    several.replicas = 3;
    check_simulation("three replicas", 30, context, &several, NULL, NULL);
    check_simulation("three replicas on the host", 30, NULL, &several, NULL, NULL);

    clup_simulation *simulation;
    clup_plan plan = {0};
    NEED(clup_simulation_create(NULL, &problem, NULL, &plan, 1, CLUP_START_RANDOM, &simulation));
    ok(clup_simulation_run(simulation, 5, 1, never, NULL) == CLUP_INTERRUPTED &&
           clup_simulation_sweeps(simulation) == 1,
       "a progress function ends a run in the same way");
    ok(strstr(clup_error_detail(), "1 of 5 sweeps") != NULL,
       "and the detail says how far it was: %s", clup_error_detail());
    ok(clup_simulation_run(simulation, 1, 1, never, NULL) == CLUP_OK,
       "but not one that is complete");
    clup_simulation_free(simulation);
}

/* ---- percolation ----------------------------------------------------------------------------- */

/* The points of all numbers of samples up to that where nothing ends it. */
static void check_percolation(const char *what, clup_context *on, clup_model model)
{
    enum { SAMPLES = 12 };
    const clup_problem problem = {
        .size = {40, 24}, .periodic = {1, 0}, .model = model, .replicas = on != NULL ? 3 : 0};
    clup_percolation *percolation;
    clup_percolation_point point, plain[SAMPLES + 1];
    clup_plan plan;
    unsigned ended = 0, same = 0, count = 1;
    clup_status status;
    NEED(clup_plan_choose(on, &problem, NULL, NULL, &plan));
    NEED(clup_percolation_create(on, &problem, &plan, 5, &percolation));
    for (unsigned n = 0; n <= SAMPLES; n++)
        NEED(clup_percolation_run(percolation, 0.5, n, NULL, NULL, &plain[n]));
    do {
        watch_for(count++);
        status = clup_percolation_run(percolation, 0.5, SAMPLES, NULL, NULL, &point);
        watch_for(0);
        ended += status == CLUP_INTERRUPTED;
        const clup_percolation_point *wanted = &plain[point.samples];
        same += (status == CLUP_OK) == (point.samples == SAMPLES) &&
                memcmp(&point.estimates[CLUP_PERCOLATION_CLUSTERS],
                       &wanted->estimates[CLUP_PERCOLATION_CLUSTERS],
                       sizeof *point.estimates) == 0 &&
                memcmp(&point.estimates[CLUP_PERCOLATION_WRAP_X],
                       &wanted->estimates[CLUP_PERCOLATION_WRAP_X], sizeof *point.estimates) == 0;
    } while (status == CLUP_INTERRUPTED && count < 10000);
    ok(status == CLUP_OK && ended > SAMPLES / 3 && same == ended + 1,
       "%s: ended at %u places, with the means of the samples that were drawn", what, ended);
    clup_percolation_free(percolation);
}

/* ---- labelling ------------------------------------------------------------------------------- */

/* Ends labelling and measuring at each place, and does it again. */
static void check_labelling(const char *what, const clup_label_problem *problem)
{
    const size_t pixels = (size_t)problem->size[0] * problem->size[1] * problem->size[2];
    uint8_t *image = malloc(pixels);
    uint32_t *labels = malloc(4 * pixels), *wanted = malloc(4 * pixels), clusters, found = 0;
    unsigned ended = 0, same = 0, count = 1;
    clup_labelling *labelling;
    clup_cluster *measured = calloc(pixels, sizeof *measured),
                 *expected = calloc(pixels, sizeof *expected);
    clup_status status;
    for (size_t i = 0; i < pixels; i++)
        image[i] = (uint8_t)(i * 2654435761u >> 29 > 2);
    NEED(clup_labelling_create(context, problem, &labelling));
    NEED(clup_labelling_run(labelling, image, CLUP_LABELS_NUMBERED, wanted, &clusters, NULL));
    NEED(clup_labelling_measure_run(labelling, clusters, expected));
    do {
        watch_for(count++);
        status = clup_labelling_run(labelling, image, CLUP_LABELS_NUMBERED, labels, &found, NULL);
        if (status == CLUP_OK)
            status = clup_labelling_measure_run(labelling, clusters, measured);
        watch_for(0);
        ended += status == CLUP_INTERRUPTED;
        NEED(clup_labelling_run(labelling, image, CLUP_LABELS_NUMBERED, labels, &found, NULL));
        NEED(clup_labelling_measure_run(labelling, clusters, measured));
        same += found == clusters && memcmp(labels, wanted, 4 * pixels) == 0 &&
                memcmp(measured, expected, clusters * sizeof *measured) == 0;
    } while (status == CLUP_INTERRUPTED && count < 10000);
    ok(status == CLUP_OK && ended > 3 && same == ended + 1,
       "%s: ended at %u places, and right after each", what, ended);
    watch_for(1);
    ok(clup_label_image(context, problem, image, pixels / 4, labels, NULL, NULL) ==
           CLUP_INTERRUPTED,
       "in slabs, too");
    ok(clup_labelling_enqueue(labelling, labelling->pixels, labelling->labels, CLUP_LABELS_NUMBERED,
                              0, NULL, NULL) == CLUP_OK,
       "but what does not wait is not ended");
    watch_for(0);
    NEED(clup_labelling_count(labelling, &found));
    clup_labelling_free(labelling);
    free(image);
    free(labels);
    free(wanted);
    free(measured);
    free(expected);
}

/* ---- plans ----------------------------------------------------------------------------------- */

/* Ends measuring after some candidates. */
static int watch_plans(const clup_task *task, void *user)
{
    (void)user;
    return task->what != NULL && strcmp(task->what, "measure plans") == 0 && task->done > 2;
}

static void check_plans(void)
{
    const clup_problem problem = {.size = {64, 64}, .periodic = {1, 1}, .q = 2, .beta = 0.88};
    const clup_plan_request request = {.strategy = CLUP_PLAN_MEASURE, .local = "runs"};
    clup_report *report;
    clup_plan plan, predicted;
    unsigned measured = 0;
    NEED(clup_plan_choose(context, &problem, NULL, &(clup_plan_request){.local = "runs"},
                          &predicted));
    clup_set_watch(watch_plans, NULL);
    const clup_status status = clup_report_create(context, &problem, NULL, &request, 0, &report);
    watch_for(0);
    ok(status == CLUP_INTERRUPTED && report != NULL, "measuring that is ended leaves a report: %s",
       clup_error_detail());
    for (size_t k = 0; report != NULL && k < clup_report_count(report); k++)
        measured += !isnan(clup_report_candidate(report, k)->measured_ps);
    ok(measured > 0, "with the %u candidates that were measured", measured);
    ok(report != NULL && strcmp(clup_report_plan(report)->bonds, predicted.bonds) == 0 &&
           clup_report_plan(report)->action == predicted.action &&
           strstr(clup_report_plan(report)->why, "interrupted") != NULL,
       "and the plan that is predicted to be best: %s",
       report != NULL ? clup_report_plan(report)->why : "");
    clup_report_free(report);
    watch_for(1);
    ok(clup_plan_choose(context, &problem, NULL, &request, &plan) == CLUP_INTERRUPTED &&
           plan.action == NULL,
       "a plan that is to be measured is none");
    watch_for(0);
}

/* ---- a watch that says once that work ends --------------------------------------------------- */

static int once(const clup_task *task, void *user)
{
    (void)task, (void)user;
    return ++asked == most;
}

/* As Python's does, whose Ctrl-C is over when it has been heard. */
static void check_once(void)
{
    const clup_problem problem = {.size = {40, 30}, .periodic = {1, 1}, .q = 2, .beta = 0.8};
    unsigned lost = 0, all = 0;
    asked = 0;
    most = 1;
    clup_set_watch(once, NULL);
    clup_watch_hold();
    ok(clup_watch_ask() == CLUP_OK, "what must not be left half done goes on");
    clup_watch_release();
    ok(clup_watch_ask() == CLUP_INTERRUPTED && clup_watch_ask() == CLUP_OK, "and ends afterwards");
    for (most = 1, asked = 1; asked >= most || most < 40; most += 1 + most / 16) {
        clup_simulation *simulation = NULL;
        asked = 0;
        clup_status status = clup_simulation_create(context, &problem, NULL, NULL, 7,
                                                    CLUP_START_RANDOM, &simulation);
        if (status == CLUP_OK)
            status = clup_simulation_run(simulation, 60, 0, NULL, NULL);
        all += asked >= most;
        lost += asked >= most && status != CLUP_INTERRUPTED;
        clup_simulation_free(simulation);
    }
    clup_set_watch(NULL, NULL);
    ok(lost == 0 && all > 3, "of %u interrupts while a simulation is made and run, %u are lost",
       all, lost);
}

/* As check_once, of samples: while the host works on some, the device begins with the next. */
static void check_once_of_samples(void)
{
    const clup_problem problem = {
        .size = {40, 24}, .periodic = {1, 0}, .model = CLUP_BOND_PERCOLATION, .replicas = 3};
    clup_percolation *percolation;
    clup_percolation_point point;
    unsigned lost = 0, all = 0, heard = 1;
    NEED(clup_percolation_create(context, &problem, NULL, 5, &percolation));
    clup_set_watch(once, NULL);
    for (most = 1; heard; most++) {
        asked = 0;
        const clup_status status = clup_percolation_run(percolation, 0.5, 12, NULL, NULL, &point);
        heard = asked >= most;
        all += heard;
        lost += heard && status != CLUP_INTERRUPTED;
    }
    clup_set_watch(NULL, NULL);
    ok(lost == 0 && all > 3, "of %u interrupts while samples are drawn, %u are lost", all, lost);
    clup_percolation_free(percolation);
}

int main(void)
{
    NEED(clup_context_create(NULL, &context));
    check_once();
    check_once_of_samples();
    check_simulations();
    check_percolation("bonds", context, CLUP_BOND_PERCOLATION);
    check_percolation("sites", context, CLUP_SITE_PERCOLATION);
    check_percolation("bonds on the host", NULL, CLUP_BOND_PERCOLATION);
    const clup_label_problem plane = {.size = {70, 50, 1},
                                      .connectivity = 4,
                                      .dtype = CLUP_DTYPE_U8,
                                      .channels = 1,
                                      .has_background = 1};
    clup_label_problem torus = plane, volume = {.size = {20, 15, 12},
                                                .connectivity = 26,
                                                .periodic = {1, 0, 1},
                                                .dtype = CLUP_DTYPE_U8,
                                                .channels = 1,
                                                .has_background = 1};
    torus.periodic[0] = torus.periodic[1] = 1;
    clup_label_layout = "bands";
    check_labelling("bands", &plane);
    clup_label_layout = "border";
    check_labelling("borders", &plane);
    clup_label_layout = NULL;
    check_labelling("a torus", &torus);
    check_labelling("a volume", &volume);
    check_plans();
    ok(strcmp(clup_status_text(CLUP_INTERRUPTED), "interrupted") == 0 &&
           strcmp(clup_status_text((clup_status)7), "unknown status") == 0 &&
           strcmp(clup_status_text((clup_status)131), "unknown status") == 0,
       "the status has a text, and those around it have none");
    clup_context_free(context);
    return done_testing();
}
