/* SPDX-License-Identifier: BSD-3-Clause */
/* Each kernel variant declares the arguments of its kernels: as many as the kernel has, numbers and
 * buffers in their places, and buffers that are only read as const. */
#include <string.h>

#include "base/dtype.h"
#include "family/heat.h"
#include "family/houdayer.h"
#include "family/family.h"
#include "family/measure.h"
#include "core/graph.h"
#include "core/method.h"
#include "core/model.h"
#include "plan/tables.h"
#include "tap.h"
#include "label/labelling.h"

static clup_context *context;
static unsigned checked, known, rows_checked[CLUP_STAGES][64];

/* Whether one argument of a kernel fits its declaration; given arguments may be of any kind. */
static bool fits(cl_kernel kernel, cl_uint k, clup_bind bind)
{
    cl_kernel_arg_address_qualifier address;
    cl_kernel_arg_type_qualifier type;
    /* not all platforms give information on arguments */
    if (clGetKernelArgInfo(kernel, k, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address,
                           NULL) != CL_SUCCESS ||
        clGetKernelArgInfo(kernel, k, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof type, &type, NULL) !=
            CL_SUCCESS)
        return true;
    known++;
    if (bind.what == CLUP_BIND_GIVEN)
        return true;
    if ((address == CL_KERNEL_ARG_ADDRESS_GLOBAL) != (bind.use != 0))
        return false;
    return bind.use == 0 || ((type & CL_KERNEL_ARG_TYPE_CONST) != 0) == (bind.use == CLUP_READS);
}

static void check_pass(const clup_prepared *prepared, const char *of)
{
    for (unsigned k = 0; k < CLUP_PREPARED_KERNELS && prepared->kernels[k].handle != NULL; k++) {
        const clup_bind *args = prepared->variant->kernels[k].args;
        cl_uint count = 0, named = 0, wrong = 0;
        clGetKernelInfo(prepared->kernels[k].handle, CL_KERNEL_NUM_ARGS, sizeof count, &count,
                        NULL);
        for (; named < CLUP_KERNEL_ARGS && args[named].what != CLUP_BIND_END; named++)
            if (named < count && !fits(prepared->kernels[k].handle, named, args[named]))
                wrong = wrong > 0 ? wrong : named + 1;
        checked++;
        if (count != named || wrong > 0)
            ok(0, "%s %s of %s, kernel %s: %u arguments of %u, argument %u is wrong",
               clup_stage_name(prepared->variant->stage), prepared->variant->name, of,
               prepared->kernels[k].name, named, count, wrong);
    }
}

/* Checks each variant of the tables once, for the first problem that it works on. */
static void check_row(const clup_variant *variant, clup_state *state, const clup_setting *setting)
{
    const clup_table *table = clup_table_of(variant->stage);
    clup_prepared pass;
    if (clup_variant_check(variant, context, setting) != CLUP_OK)
        return;
    for (size_t r = 0; table != NULL && r < table->count; r++)
        if (variant == &table->variants[r] && rows_checked[variant->stage][r]++ > 0)
            return;
    NEED(clup_prepared_create(variant, state, setting->tile, &pass));
    check_pass(&pass, state->layout->name);
    clup_prepared_clear(&pass);
}

static void check_problem(const clup_problem *problem, const clup_method *method,
                          const clup_layout *layout)
{
    clup_setting setting = {.lattice = clup_lattice_args(problem),
                            .q = clup_problem_states(problem),
                            .algorithm = method->algorithm,
                            .layout = layout,
                            .model = problem->model,
                            .tile = {8, 8, 1}};
    clup_state state;
    if (clup_method_check(problem, method) != CLUP_OK)
        return;
    NEED(clup_state_create(context, problem, method, layout, 0, 0, &state));
    setting.rng = state.rng;
    setting.couplings = state.couplings;
    setting.field = state.field;
    setting.matrix = state.matrix;
    setting.vectors = state.numbers_each > 0;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        for (size_t r = 0; r < clup_table_of(stage)->count; r++)
            check_row(&clup_table_of(stage)->variants[r], &state, &setting);
    check_row(clup_houdayer_variant(), &state, &setting);
    check_row(clup_overrelaxation_variant(), &state, &setting);
    const clup_variant *measuring = clup_measure_variant(problem->model, layout, true, UINT32_MAX);
    if (measuring != NULL)
        check_row(measuring, &state, &setting);
    for (uint32_t group = 1; group > 0; group *= 2) {
        const clup_variant *variant = clup_measure_group_variant(group, layout);
        if (variant != NULL && (problem->model == CLUP_POTTS || state.components_format > 0 ||
                                variant->models == CLUP_ON_PERCOLATION))
            check_row(variant, &state, &setting);
    }
    clup_state_clear(&state);
}

static void check_tables(void)
{
    for (clup_model model = 0; model < CLUP_IMAGE; model++)
        for (clup_algorithm algorithm = 0;
             algorithm < (clup_model_of(model)->algorithms ? CLUP_ALGORITHMS : 1); algorithm++)
            for (size_t b = 0; b < 2 * clup_layout_count; b++) {
                const bool volume = b >= clup_layout_count;
                const clup_problem problem = {.model = model,
                                              .lattice = volume ? CLUP_LATTICE_CUBIC
                                                                : CLUP_LATTICE_SQUARE,
                                              .size = {40, 20, volume ? 3 : 1},
                                              .periodic = {1, 1},
                                              .q = 2,
                                              .beta = 1};
                const clup_method method = {
                    .algorithm = algorithm, .seeds_per_side = 2, .p_flip = 0.5};
                check_problem(&problem, &method, &clup_layouts[b % clup_layout_count]);
            }
    clup_problem on_graph = {.q = 2, .beta = 1};
    const clup_graph *graph;
    NEED(clup_graph_sample(40, 90, &graph));
    clup_problem_set_graph(&on_graph, graph);
    for (clup_algorithm algorithm = 0; algorithm <= CLUP_WOLFF; algorithm++)
        check_problem(&on_graph, &(clup_method){.algorithm = algorithm},
                      clup_layout_named("graph"));
    NEED(clup_graph_of_lattice("hypercubic", (const uint32_t[]){5, 4, 3}, 3, 1, &graph));
    clup_problem_set_graph(&on_graph, graph);
    for (clup_model model = CLUP_BOND_PERCOLATION; model <= CLUP_SITE_PERCOLATION; model++) {
        on_graph.model = model;
        check_problem(&on_graph, &(clup_method){0}, clup_layout_named("graph"));
    }
    const clup_problem field = {.model = CLUP_ISING,
                                .size = {40, 20, 1},
                                .periodic = {1, 1},
                                .q = 2,
                                .beta = 1,
                                .field = 1};
    const clup_problem clock = {
        .model = CLUP_CLOCK, .size = {40, 20, 1}, .periodic = {1, 1}, .q = 6, .beta = 1};
    clup_problem vectors = field;
    vectors.model = CLUP_HEISENBERG;
    for (size_t k = 0; k < 3 * clup_layout_count; k++) {
        static const clup_algorithm tried[] = {CLUP_SWENDSEN_WANG, CLUP_WOLFF, CLUP_HEAT_BATH};
        const clup_layout *layout = &clup_layouts[k / 3];
        const clup_method method = {.algorithm = tried[k % 3]};
        check_problem(&field, &method, layout);
        for (unsigned none = 0; none < 2 && clup_layout_of_vectors(layout); none++) {
            vectors.field = !none;
            check_problem(&vectors, &method, layout);
        }
        if (!layout->labels->of_pixels)
            check_problem(&clock, &method, layout);
    }
}

static void check_all_were(void)
{
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        for (size_t r = 0; r < clup_table_of(stage)->count; r++)
            /* this variant is for devices with smaller work-groups */
            ok(rows_checked[stage][r] > 0 || clup_table_of(stage)->variants[r].group_limit > 0,
               "%s %s", clup_stage_name(stage), clup_kernel_name(stage, r));
}

static void check_image(const clup_label_problem *problem)
{
    clup_labelling *labelling;
    const size_t sites = (size_t)problem->size[0] * problem->size[1] * problem->size[2];
    uint8_t *pixels = calloc(sites, problem->channels * clup_dtype_bytes(problem->dtype));
    uint32_t *labels = calloc(sites, sizeof *labels), clusters;
    clup_cluster cluster;
    NEED(clup_labelling_create_only(context, problem, NULL, &labelling));
    const bool threads = context->machine.threads;
    const char *usual = threads ? "bands" : "border";
    ok(strcmp(labelling->plan.bonds, clup_label_layout != NULL ? clup_label_layout : usual) == 0,
       "connectivity %u is labelled by %s + %s", problem->connectivity, labelling->plan.source,
       labelling->plan.local);
    pixels[0] = 1;
    NEED(clup_labelling_run(labelling, pixels, CLUP_LABELS_NUMBERED, labels, &clusters, NULL));
    NEED(clup_labelling_measure_run(labelling, 1, &cluster));
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        check_pass(&labelling->update.prepared[stage], "images");
        rows_checked[stage]
                    [labelling->update.prepared[stage].variant - clup_table_of(stage)->variants]++;
    }
    check_pass(&labelling->measure, "images");
    clup_labelling_free(labelling);
    free(pixels), free(labels);
}

/* Checks each source with each way to label. */
static void check_images(void)
{
    static const clup_match matches[] = {CLUP_MATCH_EQUAL, CLUP_MATCH_TOLERANCE,
                                         CLUP_MATCH_NONZERO};
    static const unsigned connectivities[] = {4, 8, 26};
    for (unsigned m = 0; m < 3; m++)
        for (unsigned c = 0; c < 3; c++)
            for (unsigned by = 0; by < (connectivities[c] > 8 ? 6 : 5); by++) {
                clup_label_layout = by == 1 || by == 4   ? "bands"
                                    : by == 2 || by == 3 ? "border"
                                    : by == 5            ? "word"
                                                         : NULL;
                check_image(&(clup_label_problem){
                    .size = {40 + (by == 2), 9, connectivities[c] > 8 ? 3 : 1},
                    .periodic = {by == 1 || by == 3},
                    .connectivity = connectivities[c],
                    .dtype = by == 4 ? CLUP_DTYPE_U16 : CLUP_DTYPE_U8,
                    .channels = by == 4 ? 3 : 1,
                    .match = matches[m]});
            }
    clup_label_layout = NULL;
}

int main(void)
{
    /* PoCL gives the information with this option */
    setenv("POCL_EXTRA_BUILD_FLAGS", "-cl-kernel-arg-info -cl-opt-disable", 1);
    NEED(clup_context_create(NULL, &context));
    check_tables();
    check_images();
    check_all_were();
    ok(checked > 60 && (known > 200 ||
                        strcmp(context->device.info.platform, "Portable Computing Language") != 0),
       "%u kernels and %u arguments are what their rows name", checked, known);
    clup_context_free(context);
    return done_testing();
}
