/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests every kernel variant on a device against the serial definitions, each together with the
 * default variants of the other stages. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/watch.h"
#include "run/engine.h"
#include "plan/tables.h"
#include "clup/graph.h"
#include "core/graph.h"
#include "core/model.h"
#include "program.h"

/* A self-test in progress, and the variant that it is at. */
typedef struct selftest {
    clup_context *context;
    bool full;
    clup_selftest_row row;
    char reason[256];
    bool guilty; /* plans without the variant give right results where plans with it do not */
    uint64_t right[CLUP_MEASURE], wrong[CLUP_MEASURE]; /* bit k: kernel variant k of the stage's
                                                          table was right, or wrong, on a model so
                                                          far */
} selftest;

static void begin(selftest *test, clup_stage stage, const char *kernel, const char *model)
{
    test->row = (clup_selftest_row){
        .stage = stage, .kernel = kernel, .model = model, .reason = test->reason};
    test->reason[0] = '\0';
    test->guilty = false;
}

/* Counts a problem that was right or wrong, or that the variant does not take; other failures end
 * the test. The reason kept is that of the first wrong problem, else of the first that was not
 * taken. */
static clup_status count(selftest *test, clup_status status)
{
    if (status == CLUP_OK || status == CLUP_ERROR_VERIFY)
        test->row.runs++;
    if (status == CLUP_ERROR_VERIFY
            ? test->row.wrong++ == 0
            : status == CLUP_ERROR_USAGE && test->row.runs == 0 && test->reason[0] == '\0')
        snprintf(test->reason, sizeof test->reason, "%s", clup_error_detail());
    if (status == CLUP_OK && test->row.wrong == 0)
        test->reason[0] = '\0';
    return status == CLUP_ERROR_VERIFY || status == CLUP_ERROR_USAGE ? CLUP_OK : status;
}

/* ---- rows of the tables ---------------------------------------------------------------------- */

/* A result that is wrong with some kernels and right with others is not the fault of the variant:
 * tries so many more plans, drawn at random, then. */
#define DRAWN 8

/* Tries plans with the variant, or without it, until one is right. CLUP_ERROR_USAGE when there is
 * no plan, or only plans with variants that gave wrong results. */
static clup_status try_plans(selftest *test, const clup_problem *problem, const clup_method *method,
                             clup_plan_request request, bool with)
{
    const clup_stage stage = test->row.stage;
    clup_status status = CLUP_OK;
    *clup_request_row(&request, stage) = with ? test->row.kernel : NULL;
    for (unsigned k = 0; k <= DRAWN && (k == 0 || status == CLUP_ERROR_VERIFY); k++) {
        clup_plan plan;
        status = with ? clup_plan_choose(test->context, problem, method, &request, &plan)
                      : clup_plan_without(test->context, problem, method, &request, stage,
                                          test->row.kernel, &plan);
        if (status == CLUP_ERROR_VERIFY)
            return CLUP_ERROR_USAGE;
        if (status == CLUP_OK)
            status = clup_verify(test->context, problem, method, &plan);
        request.strategy = CLUP_PLAN_RANDOM;
        request.seed = k;
    }
    return status;
}

static clup_status try_problem(selftest *test, const clup_problem *problem,
                               clup_algorithm algorithm, const char *layout, unsigned tile)
{
    const clup_method method = {.algorithm = algorithm, .seeds_per_side = 4, .p_flip = 0.5},
                      *method_or_none = clup_model_of(problem->model)->algorithms ? &method : NULL;
    const clup_plan_request request = {
        .bonds = layout, .tile = tile, .strategy = CLUP_PLAN_ESTIMATE};
    char wrong[sizeof test->reason];
    clup_status status = clup_watch_ask();
    if (status != CLUP_OK)
        return status;
    status = try_plans(test, problem, method_or_none, request, true);
    if (status == CLUP_ERROR_VERIFY && !test->guilty) {
        snprintf(wrong, sizeof wrong, "%s", clup_error_detail());
        status = try_plans(test, problem, method_or_none, request, false);
        test->guilty = status == CLUP_OK;
        if (status == CLUP_OK || status == CLUP_ERROR_USAGE || status == CLUP_ERROR_VERIFY)
            status = clup_fail(CLUP_ERROR_VERIFY, "%s", wrong);
    }
    return count(test, status);
}

/* The graph on which kernels are tried. */
#define GRAPH_VERTICES 2500
#define GRAPH_EDGES 7000

/* A variant in a layout, on a lattice: once, or with several numbers of states, boundaries and
 * tiles; and where it works in a field or with a matrix of energies, also on an Ising model or
 * vectors in a field and on a clock model. */
static clup_status try_lattice(selftest *test, const clup_variant *variant, clup_model model,
                               clup_lattice_kind lattice, const char *layout)
{
    static const struct {
        unsigned q, periodic, tile;
    } kinds[] = {{2, 7, 0}, {3, 5, 8}, {2, 0, 4}, {5, 7, 16}, {17, 6, 32}, {256, 3, 0}};
    clup_status status = CLUP_OK;
    for (size_t k = 0; k < (test->full ? sizeof kinds / sizeof *kinds : 1); k++)
        for (unsigned beside = 0; beside < 3; beside++) {
            const bool vectors = (CLUP_ON(model) & CLUP_ON_VECTORS) != 0, two = kinds[k].q == 2;
            const struct {
                bool wanted;
                clup_model model;
                unsigned q;
                double field;
            } tried[] = {{!vectors || two, model, kinds[k].q, 0},
                         {variant->field && two, vectors ? model : CLUP_ISING, 2, 0.25},
                         {variant->matrix && two, CLUP_CLOCK, 6, variant->field ? 0.25 : 0}};
            clup_problem problem = {.lattice = lattice,
                                    .model = tried[beside].model,
                                    .field = tried[beside].field,
                                    .size = {71, 37, clup_lattice_axes(lattice) > 2 ? 9 : 1},
                                    .q = tried[beside].q};
            if (!tried[beside].wanted)
                continue;
            clup_lattice_fit(lattice, problem.size);
            if (lattice == CLUP_LATTICE_GRAPH) {
                const clup_graph *graph;
                if (CLUP_ON(model) & CLUP_ON_PERCOLATION)
                    CLUP_TRY(clup_graph_of_lattice("hypercubic", (const uint32_t[]){9, 7, 5, 6}, 4,
                                                   ~kinds[k].periodic & 15, &graph));
                else
                    CLUP_TRY(clup_graph_sample(GRAPH_VERTICES, GRAPH_EDGES, &graph));
                clup_problem_set_graph(&problem, graph);
            }
            const double critical = clup_problem_critical_beta(&problem);
            problem.beta = isnan(critical) ? 0.3 : critical;
            for (unsigned axis = 0; axis < clup_lattice_axes(lattice) && problem.graph == NULL;
                 axis++)
                problem.periodic[axis] = kinds[k].periodic >> axis & 1;
            CLUP_TRY(try_problem(test, &problem, variant->algorithm, layout, kinds[k].tile));
        }
done:
    return status;
}

/* A variant on a model: in each layout on the first lattice that it works on, or on all. */
static clup_status try_row(selftest *test, const clup_variant *variant, clup_model model)
{
    clup_status status = CLUP_OK;
    for (size_t b = 0; b < clup_layout_count; b++)
        for (clup_lattice_kind lattice = 0; lattice < CLUP_LATTICES; lattice++) {
            const unsigned before = test->row.runs;
            CLUP_TRY(try_lattice(test, variant, model, lattice, clup_layouts[b].name));
            if (!test->full && test->row.runs > before)
                break;
        }
done:
    return status;
}

/* Tries a kernel variant on images: each match with each connectivity; of bytes with open axes, or
 * of all types and boundaries. */
static clup_status try_images(selftest *test, const char *layout)
{
    static const unsigned connectivities[] = {4, 8, 6, 18, 26};
    clup_status status = CLUP_OK;
    for (clup_match match = 0; match < CLUP_MATCHES; match++)
        for (size_t c = 0; c < sizeof connectivities / sizeof *connectivities; c++)
            for (unsigned periodic = 0; periodic < (test->full ? 2 : 1); periodic++)
                for (clup_dtype dtype = CLUP_DTYPE_U8; dtype < CLUP_DTYPES; dtype++) {
                    const clup_label_problem image = {
                        .size = {72, 45, clup_connectivity_axes(connectivities[c]) == 2 ? 1 : 9},
                        .connectivity = connectivities[c],
                        .dtype = dtype,
                        .channels = 1,
                        .match = match,
                        .level = 1,
                        .periodic = {(int)periodic, (int)periodic}};
                    const clup_problem problem = {.model = CLUP_IMAGE, .image = &image};
                    /* bonds need a type with a bit for each direction */
                    if (match == CLUP_MATCH_BONDS
                            ? dtype == (connectivities[c] >= 18 ? CLUP_DTYPE_U16 : CLUP_DTYPE_U8)
                            : test->full || dtype == CLUP_DTYPE_U8 ||
                                  (dtype == CLUP_DTYPE_F32 && c == 0))
                        CLUP_TRY(try_problem(test, &problem, CLUP_SWENDSEN_WANG, layout, 0));
                }
done:
    return status;
}

static clup_status try_all_images(selftest *test)
{
    clup_status status = CLUP_OK;
    for (size_t b = 0; b < clup_layout_count && status == CLUP_OK; b++)
        status = try_images(test, clup_layouts[b].name);
    return status;
}

/* ---- what follows for plans ------------------------------------------------------------------ */

/* The models that kernels are tried on. Those of spins that are not the Potts model are tried
 * beside it. */
#define TRIED (CLUP_ON_ALL & ~(CLUP_ON_SPINS & ~CLUP_ON(CLUP_POTTS)))

/* Leaves a variant out of plans if it was wrong where other variants are right. Takes it back in
 * once it is right on all of its models. */
static clup_status judge(selftest *test, clup_model model, size_t k)
{
    const clup_stage stage = test->row.stage;
    const clup_variant *variant = &clup_table_of(stage)->variants[k];
    const unsigned later = variant->models & TRIED & ~(2 * CLUP_ON(model) - 1);
    const uint64_t bit = (uint64_t)1 << k;
    clup_status status = CLUP_OK;
    test->right[stage] |= test->row.runs > test->row.wrong ? bit : 0;
    test->wrong[stage] |= test->row.wrong > 0 ? bit : 0;
    if (test->guilty) {
        test->row.trust = CLUP_TRUST_LOST;
        status = clup_distrust_remember(test->context, stage, variant->name, test->reason);
    } else if (later == 0 && test->right[stage] & ~test->wrong[stage] & bit &&
               clup_distrust_find(test->context, stage, variant->name) != NULL) {
        test->row.trust = CLUP_TRUST_REGAINED;
        status = clup_distrust_forget(test->context, stage, variant->name);
    }
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

clup_status clup_selftest(clup_context *context, int full, clup_selftest_report *report, void *user)
{
    selftest test = {.context = context, .full = full != 0};
    unsigned wrong = 0;
    clup_status status = CLUP_OK;
    CLUP_NEED(context);
    CLUP_TRY(clup_distrust_load(context));
    for (clup_model model = 0; model < CLUP_MODELS; model++)
        for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
            for (size_t k = 0; k < clup_table_of(stage)->count; k++) {
                const clup_variant *variant = &clup_table_of(stage)->variants[k];
                if (!clup_variant_is_for(variant, model) ||
                    (!(TRIED & CLUP_ON(model)) && clup_variant_is_for(variant, CLUP_POTTS)))
                    continue;
                begin(&test, stage, variant->name, clup_model_name(model));
                CLUP_TRY(clup_model_of(model)->runner == CLUP_RUNNER_labelling
                             ? try_all_images(&test)
                             : try_row(&test, variant, model));
                CLUP_TRY(judge(&test, model, k));
                wrong += test.row.wrong > 0;
                if (report != NULL)
                    report(user, &test.row);
            }
    if (wrong > 0)
        status = clup_fail(CLUP_ERROR_VERIFY, "kernels give wrong results on %s (%s)",
                           context->device.info.name, context->device.info.driver);
done:
    clup_timer_collect(&context->timer);
    return status;
}
