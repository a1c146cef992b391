/* SPDX-License-Identifier: BSD-3-Clause */
/* Every program that the library can build for a device: all combinations that kernel variants,
 * lattices, layouts, states, generators, types of pixels and matches make of the files in cl/.
 * Replaces OpenCL's functions by functions that record what is to be built, and build and run
 * nothing.
 *
 * t_variants [FOLDER] writes to FOLDER the text of each program as NUMBER.cl, and the table "list"
 * with a line for each: the number; the file; the kernels made from it, separated by commas;
 * "usual" for the first program of a file, else "other"; the most registers of a work-item and
 * bytes of memory for what does not fit them; the options. */
#include <string.h>

#include "family/heat.h"
#include "family/houdayer.h"
#include "graph/components.h"
#include "graph/growing.h"
#include "label/contacts.h"
#include "family/family.h"
#include "family/measure.h"
#include "family/interface.h"
#include "core/graph.h"
#include "core/method.h"
#include "core/model.h"
#include "core/source.h"
#include "program.h"
#include "run/measure.h"
#include "ocl/source.h"
#include "plan/tables.h"
#include "tap.h"
#include "label/labelling.h"

/* ---- the device ------------------------------------------------------------------------------ */

enum { PROGRAMS = 4096, KERNELS = 8 };
static struct variant {
    char file[64], *text, *options;
    char entries[KERNELS][64];
    unsigned registers, private_bytes; /* at most, by the row that it was first made for */
    cl_program program;                /* the last one of this text and these options */
} variants[PROGRAMS];
static size_t variant_count;
static const clup_variant *row_at_work;

/* The first row of local labelling with a kernel of a file, as the planner builds them where no row
 * is at work; NULL for none. */
static const clup_variant *row_with(const char *file)
{
    const char *slash = strchr(file, '/');
    for (size_t r = 0; slash != NULL && r < clup_locals.count; r++) {
        const char *of_row = clup_locals.variants[r].kernels[0].file;
        if (of_row != NULL && strcmp(of_row, slash + 1) == 0)
            return &clup_locals.variants[r];
    }
    return NULL;
}

static char *source_of(cl_program program)
{
    size_t length = 0;
    clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &length);
    char *text = calloc(1, length + 1);
    clGetProgramInfo(program, CL_PROGRAM_SOURCE, length, text, NULL);
    return text;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                      const char *options, void (*notify)(cl_program, void *), void *user)
{
    char *text = source_of(program);
    size_t k = 0;
    (void)count, (void)devices, (void)notify, (void)user;
    while (k < variant_count &&
           (strcmp(variants[k].options, options) != 0 || strcmp(variants[k].text, text) != 0))
        k++;
    if (k == PROGRAMS)
        return CL_OUT_OF_HOST_MEMORY;
    if (k == variant_count) {
        variants[k] = (struct variant){
            .text = strdup(text), .options = strdup(options), .registers = 128};
        sscanf(text, "#line 1 \"%63[^.\"]", variants[k].file);
        const clup_variant *row = row_at_work != NULL ? row_at_work : row_with(variants[k].file);
        if (row != NULL && row->registers_max > 0)
            variants[k].registers = row->registers_max;
        if (row != NULL)
            variants[k].private_bytes = row->private_bytes_max;
        variant_count++;
    }
    variants[k].program = program;
    free(text);
    return CL_SUCCESS;
}

/* The handle is the variant. */
cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    size_t k = 0, e = 0;
    while (variants[k].program != program)
        k++;
    while (e < KERNELS - 1 && variants[k].entries[e][0] != '\0' &&
           strcmp(variants[k].entries[e], name) != 0)
        e++;
    snprintf(variants[k].entries[e], sizeof variants[k].entries[e], "%s", name);
    *code = CL_SUCCESS;
    return (cl_kernel)&variants[k];
}

cl_int clReleaseKernel(cl_kernel kernel)
{
    (void)kernel;
    return CL_SUCCESS;
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info what, size_t size, void *value,
                                size_t *length)
{
    (void)kernel, (void)device, (void)length;
    memset(value, 0, size);
    if (what == CL_KERNEL_WORK_GROUP_SIZE)
        *(size_t *)value = 1024;
    return CL_SUCCESS;
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    (void)kernel, (void)index, (void)size, (void)value;
    return CL_SUCCESS;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint axes,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint count, const cl_event *wait, cl_event *event)
{
    (void)kernel, (void)axes, (void)offset, (void)global, (void)local;
    return clEnqueueMarkerWithWaitList(queue, count, wait, event);
}

/* There is a cluster wherever somebody counts. */
cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, void *to, cl_uint count, const cl_event *wait,
                           cl_event *event)
{
    (void)buffer, (void)blocking, (void)offset;
    memset(to, 1, size);
    return clEnqueueMarkerWithWaitList(queue, count, wait, event);
}

/* ---- rows of tables -------------------------------------------------------------------------- */

static clup_context *context;
static unsigned rows_built[CLUP_STAGES][64];

/* Whether the device has small work-groups, for which some rows are. */
static int few;

static void build_row(const clup_variant *variant, clup_state *state, const clup_setting *setting)
{
    clup_prepared pass;
    if (few != (variant->group_limit > 0) ||
        clup_variant_check(variant, context, setting) != CLUP_OK)
        return;
    row_at_work = variant;
    const clup_status status = clup_prepared_create(variant, state, setting->tile, &pass);
    row_at_work = NULL;
    if (status != CLUP_OK)
        ok(0, "%s on %s, %s: %s", variant->name, state->layout->name,
           clup_lattice_of(&state->lattice)->name, clup_error_detail());
    const clup_table *table = clup_table_of(variant->stage);
    for (size_t r = 0; table != NULL && r < table->count; r++)
        rows_built[variant->stage][r] += variant == &table->variants[r];
    clup_prepared_clear(&pass);
}

/* All rows of a problem but those that label inside of tiles, with a tile. */
static void build_others(clup_state *state, clup_setting *setting)
{
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        for (size_t r = 0; stage != CLUP_LOCAL && r < clup_table_of(stage)->count; r++)
            build_row(&clup_table_of(stage)->variants[r], state, setting);
    build_row(clup_houdayer_variant(), state, setting);
    build_row(clup_overrelaxation_variant(), state, setting);
    const clup_variant *measuring = clup_measure_variant(state->model, state->layout, true,
                                                         UINT32_MAX);
    if (measuring != NULL && strcmp(state->layout->name, "resident") != 0)
        build_row(measuring, state, setting);
    for (uint32_t group = 1; group <= RECORD_BESIDES; group *= 2) {
        const clup_variant *variant = clup_measure_group_variant(group, state->layout);
        if ((group & RECORD_BESIDES) && variant != NULL &&
            (state->model == CLUP_POTTS || state->components_format > 0 ||
             variant->models == CLUP_ON_PERCOLATION))
            build_row(variant, state, setting);
    }
}

/* What rows are asked to work on in a state. */
static clup_setting setting_of(const clup_state *state)
{
    return (clup_setting){.lattice = state->lattice,
                          .q = state->q,
                          .algorithm = state->method.algorithm,
                          .layout = state->layout,
                          .rng = state->rng,
                          .model = state->model,
                          .couplings = state->couplings,
                          .classes = state->classes,
                          .field = state->field,
                          .matrix = state->matrix,
                          .vectors = state->numbers_each > 0};
}

/* All rows of a problem for one layout and edge of tiles, which are those of rows that label inside
 * of them, where there are any. */
static void build_rows(const clup_problem *problem, const clup_method *method,
                       const clup_layout *layout, unsigned edge)
{
    clup_state state;
    NEED(clup_state_describe(context, problem, method, layout, 0, 0, &state));
    clup_setting setting = setting_of(&state);
    if (!clup_stage_exists(problem->model, method->algorithm, layout, CLUP_LOCAL)) {
        clup_variant_tile(NULL, &setting.lattice, edge, setting.tile);
        build_others(&state, &setting);
        return;
    }
    for (size_t r = 0; r < clup_locals.count; r++) {
        const clup_variant *variant = &clup_locals.variants[r];
        clup_variant_tile(variant, &setting.lattice, edge, setting.tile);
        if (clup_variant_check(variant, context, &setting) != CLUP_OK)
            continue;
        build_row(variant, &state, &setting);
        build_others(&state, &setting);
    }
}

/* What is for parts of lattices, and the rows that work on them. */
static void build_parts(const clup_problem *problem, const clup_layout *layout)
{
    static const clup_ranks ranks = {.count = 2};
    clup_state state;
    context->ranks = &ranks;
    NEED(clup_state_describe(context, problem, NULL, layout, 0, 0, &state));
    clup_setting setting = setting_of(&state);
    clup_variant_tile(NULL, &setting.lattice, 16, setting.tile);
    for (size_t r = 0; r < clup_locals.count; r++)
        build_row(&clup_locals.variants[r], &state, &setting);
    build_others(&state, &setting);
    /* samples in the border layout have no parts */
    if (clup_interface_sizes_variant(problem->model, layout) != NULL) {
        build_row(clup_interface_variant(problem->model, layout), &state, &setting);
        build_row(clup_interface_sizes_variant(problem->model, layout), &state, &setting);
    }
    if (state.field)
        build_row(clup_interface_ties_variant(problem->model, layout), &state, &setting);
    if (clup_model_of(problem->model)->runner == CLUP_RUNNER_simulation)
        build_row(clup_heat_variant(&state), &state, &setting);
    state.merging.groups = 2;
    state.merging.all = 4;
    for (size_t r = 0; r < clup_interface_joined.count; r++)
        build_row(&clup_interface_joined.variants[r], &state, &setting);
    context->ranks = NULL;
}

static void build_problem(clup_problem problem)
{
    /* such as fit devices, the usual one first, which is enough for what is like another */
    static const unsigned edges[2][3] = {{16, 4, 32}, {8, 4, 2}};
    const unsigned count = problem.q == 2 && problem.lattice <= CLUP_LATTICE_CUBIC ? 3 : 1;
    for (clup_algorithm algorithm = 0;
         algorithm < (clup_model_of(problem.model)->algorithms ? CLUP_ALGORITHMS : 1); algorithm++)
        for (size_t g = 0; clup_rng_name(g) != NULL; g++)
            for (size_t b = 0; b < clup_layout_count; b++)
                for (unsigned wide = 0;
                     wide < (clup_layouts[b].labels->sites_max > CLUP_SITES_32 ? 2 : 1); wide++)
                    for (unsigned t = 0; t < count; t++) {
                        const clup_method method = {.algorithm = algorithm,
                                                    .rng = clup_rng_name(g),
                                                    .seeds_per_side = 4,
                                                    .p_flip = 0.5};
                        clup_sites_wide = wide ? 0 : CLUP_SITES_32;
                        if (clup_method_check(&problem, &method) == CLUP_OK)
                            build_rows(&problem, &method, &clup_layouts[b],
                                       edges[clup_lattice_axes(problem.lattice) > 2][t]);
                    }
    clup_sites_wide = CLUP_SITES_32;
}

static void build_graph(void)
{
    clup_components *components;
    NEED(clup_components_create_only(context, 100, &components));
    clup_components_free(components);
    for (clup_model model = CLUP_BOND_PERCOLATION; model <= CLUP_SITE_PERCOLATION; model++)
        for (unsigned kind = 0; kind < 6; kind++) {
            const unsigned axes = kind / 2 + 1; /* 1: a graph, which has none */
            const clup_problem problem = {.lattice = axes == 2 ? CLUP_LATTICE_SQUARE
                                                               : CLUP_LATTICE_CUBIC,
                                          .model = model,
                                          .size = {4, 4, axes == 2 ? 1 : 4},
                                          .periodic = {kind % 2 == 0, 1, 1}};
            const clup_ends ends = {.dtype = CLUP_DTYPE_U32, .vertices = 4};
            clup_network network;
            clup_growing *growing;
            if (kind == 1)
                continue;
            NEED(axes == 1 ? clup_network_of_edges(&ends, model == CLUP_SITE_PERCOLATION, &network)
                           : clup_network_of_problem(&problem, &network));
            NEED(clup_growing_create(context, &network, (random_key){0}, 1, 1, &growing));
            clup_growing_free(growing);
            clup_network_clear(&network);
        }
}

static void build_contacts(void)
{
    static const unsigned connectivities[] = {4, 8, 6, 18, 26};
    for (size_t k = 0; k < sizeof connectivities / sizeof *connectivities; k++)
        NEED(clup_contacts_build(context, connectivities[k]));
}

/* Graphs in place of lattices: of a field, disorder and a matrix all that makes a difference. */
static void build_graphs(void)
{
    static const clup_problem models[] = {
        {.model = CLUP_POTTS, .q = 2},
        {.model = CLUP_POTTS, .q = 256},
        {.model = CLUP_ISING, .q = 2, .disorder = {0.2, 0.1}, .field = 1},
        {.model = CLUP_ISING, .q = 2, .disorder = {0, 0, 1}},
        {.model = CLUP_CLOCK, .q = 6},
        {.model = CLUP_POTTS, .q = 3, .disorder = {0, 0.1}, .field = 1},
    };
    static const uint32_t size[] = {5, 4, 3};
    const clup_graph *graph;
    NEED(clup_graph_of_lattice("hypercubic", size, 3, 1, &graph));
    for (clup_model model = CLUP_BOND_PERCOLATION; model <= CLUP_SITE_PERCOLATION; model++) {
        clup_problem problem = {.model = model};
        clup_problem_set_graph(&problem, graph);
        build_problem(problem);
    }
    NEED(clup_graph_sample(100, 300, &graph));
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        clup_problem problem = models[k];
        problem.lattice = CLUP_LATTICE_GRAPH;
        problem.graph = graph;
        problem.size[0] = 100;
        problem.size[1] = 1;
        problem.beta = 1;
        build_problem(problem);
    }
}

static void build_tables(void)
{
    static const unsigned states[] = {2, 3, 256};
    for (clup_lattice_kind lattice = 0; lattice < CLUP_LATTICE_CHAIN; lattice++)
        for (clup_model model = 0; model < CLUP_IMAGE; model++)
            for (size_t s = 0; s < (model == CLUP_POTTS && lattice <= CLUP_LATTICE_CUBIC
                                        ? sizeof states / sizeof *states
                                        : 1);
                 s++)
                build_problem(
                    (clup_problem){.lattice = lattice,
                                   .model = model,
                                   .size = {64, 64, clup_lattice_axes(lattice) > 2 ? 8 : 1},
                                   .periodic = {1, 1, 1},
                                   .q = states[s],
                                   .beta = 1});
    /* couplings, disorder and a field, with and without which kernels differ */
    for (clup_lattice_kind lattice = 0; lattice <= CLUP_LATTICE_CUBIC; lattice++)
        for (int field = 0; field < 2; field++)
            build_problem((clup_problem){.lattice = lattice,
                                         .model = CLUP_ISING,
                                         .size = {64, 64, clup_lattice_axes(lattice) > 2 ? 8 : 1},
                                         .periodic = {1, 1, 1},
                                         .q = 2,
                                         .beta = 1,
                                         .coupling = {1, -0.5, 2},
                                         .disorder = {0.2, 0.1},
                                         .field = field});
    /* a pattern with holes */
    build_problem((clup_problem){.lattice = CLUP_LATTICE_KAGOME,
                                 .model = CLUP_ISING,
                                 .size = {64, 64, 1},
                                 .periodic = {1, 1},
                                 .q = 2,
                                 .beta = 1});
    /* a matrix of energies, with and without a field and disorder */
    for (clup_lattice_kind lattice = 0; lattice < CLUP_LATTICE_CHAIN; lattice++)
        for (int field = 0; field < 2; field++)
            build_problem((clup_problem){.lattice = lattice,
                                         .model = field ? CLUP_POTTS : CLUP_CLOCK,
                                         .size = {64, 64, clup_lattice_axes(lattice) > 2 ? 8 : 1},
                                         .periodic = {1, 1, 1},
                                         .q = field ? 3 : 6,
                                         .beta = 1,
                                         .coupling = {1, -0.5, 2},
                                         .disorder = {0, 0.1 * field},
                                         .field = field});
    /* vectors, likewise */
    for (clup_lattice_kind lattice = 0; lattice < CLUP_LATTICE_CHAIN; lattice++)
        for (int field = 0; field < 2; field++)
            build_problem((clup_problem){.lattice = lattice,
                                         .model = (lattice + field) % 2 ? CLUP_XY : CLUP_HEISENBERG,
                                         .size = {64, 64, clup_lattice_axes(lattice) > 2 ? 8 : 1},
                                         .periodic = {1, 1, 1},
                                         .q = 2,
                                         .beta = 1,
                                         .disorder = {0.2 * field, 0.1 * field},
                                         .field = field});
    for (size_t b = 0; b < clup_layout_count; b++)
        for (clup_model model = 0; model < CLUP_IMAGE; model++) {
            clup_problem problem = {.model = model, .size = {64, 64, 1}, .q = 2, .beta = 1};
            if (!clup_layout_is_for(&clup_layouts[b], model) ||
                clup_interface_variant(model, &clup_layouts[b]) == NULL)
                continue;
            build_parts(&problem, &clup_layouts[b]);
            problem.field = 0.5;
            if (clup_interface_ties_variant(model, &clup_layouts[b]) != NULL &&
                clup_problem_check(&problem) == CLUP_OK)
                build_parts(&problem, &clup_layouts[b]);
        }
}

/* ---- images ---------------------------------------------------------------------------------- */

/* The sources and actions of an image in all layouts, those that no plan takes here included. */
static void build_image_rows(const clup_label_problem *image)
{
    const clup_problem problem = {.model = CLUP_IMAGE, .image = image},
                       pixels = clup_layout_problem(NULL, &problem);
    for (const clup_layout *layout = clup_layouts; layout < clup_layouts + clup_layout_count;
         layout++) {
        clup_state state;
        if (!clup_layout_is_for(layout, CLUP_IMAGE))
            continue;
        NEED(clup_state_create(context, &pixels, NULL, layout, 0, 0, &state));
        clup_setting setting = {.lattice = state.lattice,
                                .q = state.q,
                                .layout = layout,
                                .rng = state.rng,
                                .tile = {16, 16, 1},
                                .model = CLUP_IMAGE,
                                .image = image};
        for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE;
             stage += CLUP_ACTION - CLUP_SOURCE)
            for (size_t r = 0; r < clup_table_of(stage)->count; r++)
                build_row(&clup_table_of(stage)->variants[r], &state, &setting);
        clup_state_clear(&state);
    }
}

static void build_image(const clup_label_problem *problem)
{
    /* nothing is built for pixels that have no such match, as bonds of floats */
    if (clup_image_check(problem) != CLUP_OK)
        return;
    const size_t pixels = (size_t)problem->size[0] * problem->size[1] * problem->size[2];
    void *image = calloc(pixels, problem->channels * 4);
    uint32_t *labels = malloc(pixels * sizeof *labels);
    clup_labelling *labelling;
    clup_cluster cluster;
    build_image_rows(problem);
    /* not verified, since nothing is run */
    if (clup_labelling_create_only(context, problem, NULL, &labelling) == CLUP_OK) {
        for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
            rows_built[stage][labelling->update.prepared[stage].variant -
                              clup_table_of(stage)->variants]++;
        NEED(clup_labelling_run(labelling, image, CLUP_LABELS_NUMBERED, labels, NULL, NULL));
        clup_prepared pass;
        NEED(clup_prepared_create(clup_labelling_measuring(labelling), &labelling->update.state,
                                  labelling->plan.tile, &pass));
        clup_prepared_clear(&pass);
        if (problem->periodic[0] == 0)
            NEED(clup_labelling_measure_run(labelling, 1, &cluster));
        clup_labelling_free(labelling);
    }
    free(image), free(labels);
}

/* Types of pixels with each match, several channels of bytes and floats with each match, and
 * neighbourhoods, boundaries and ways to label with each match. */
static void build_images(void)
{
    static const unsigned connectivities[] = {4, 8, 6, 18, 26}, channels[] = {1, 3, 4};
    for (clup_match match = 0; match < CLUP_MATCHES; match++) {
        for (clup_dtype dtype = CLUP_DTYPE_U8; dtype < CLUP_DTYPES; dtype++)
            for (unsigned c = 0; c < (dtype == CLUP_DTYPE_U8 || dtype == CLUP_DTYPE_F32 ? 3 : 1);
                 c++)
                build_image(&(clup_label_problem){.size = {63, 33, 1},
                                                  .connectivity = 4,
                                                  .dtype = dtype,
                                                  .channels = channels[c],
                                                  .match = match,
                                                  .level = 1});
        for (unsigned k = 0; k < 5; k++)
            for (unsigned by = 0; by < 3; by++)
                for (unsigned kind = 0; kind < 3; kind++) {
                    const bool plane = connectivities[k] == 4 || connectivities[k] == 8;
                    if (plane && by == 2)
                        continue;
                    clup_label_layout = by == 1 ? "bands" : by == 2 ? "word" : "border";
                    build_image(&(clup_label_problem){
                        .size = {kind == 1 ? 63 : 64, 33, plane ? 1 : 4},
                        .connectivity = connectivities[k],
                        .periodic = {kind == 2},
                        .dtype = (connectivities[k] > 8 && match == CLUP_MATCH_BONDS) ||
                                         (kind == 1 && match == CLUP_MATCH_THRESHOLD)
                                     ? CLUP_DTYPE_U16
                                     : CLUP_DTYPE_U8,
                        .channels = 1,
                        .match = match,
                        .level = 1});
                }
        clup_label_layout = NULL;
    }
}

/* What is no row of a table. */
static void build_limits(void)
{
    double value;
    for (clup_limit limit = 0; limit < CLUP_LIMITS; limit++)
        NEED(clup_limit_measure(context, limit, 1, &value));
}

/* The regions of images of one to three axes, with and without values of each type. Each sum of
 * powers has 128 or 192 bits: those of a region do not fit registers when a tile's are added to
 * them. */
static void build_regions(void)
{
    static const clup_variant sums = {.registers_max = 160, .private_bytes_max = 4096};
    row_at_work = &sums;
    for (unsigned axes = 1; axes <= 3; axes++)
        for (clup_dtype dtype = CLUP_DTYPE_NONE; dtype < CLUP_DTYPES; dtype++) {
            const clup_region_problem problem = {.size = {4, axes > 1 ? 4 : 1, axes > 2 ? 4 : 1},
                                                 .axes = axes,
                                                 .properties = "all",
                                                 .dtype = dtype};
            clup_regions *regions;
            NEED(clup_regions_create(context, &problem, &regions));
            clup_regions_free(regions);
        }
    row_at_work = NULL;
}

/* The histogram of each type, of two pixels. Kernels do not run here, so that it has no result. */
static void build_histograms(void)
{
    for (clup_dtype dtype = CLUP_DTYPE_U8; dtype < CLUP_DTYPES; dtype++) {
        uint64_t pixels[2] = {1, 0};
        const clup_image image = {
            .size = {2, 1, 1}, .axes = 2, .dtype = dtype, .channels = 1, .pixels = pixels};
        double level;
        int64_t more;
        (void)clup_threshold(context, &image, CLUP_THRESHOLD_OTSU, &level, &more);
    }
}

/* ---- what there is --------------------------------------------------------------------------- */

static void check(void)
{
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        for (size_t r = 0; r < clup_table_of(stage)->count; r++)
            ok(rows_built[stage][r] > 0, "%s %s: %u times", clup_stage_name(stage),
               clup_kernel_name(stage, r), rows_built[stage][r]);
    for (const clup_embedded_file *file = clup_embedded_files; file->name != NULL; file++) {
        const size_t length = strlen(file->name);
        unsigned found = 0;
        if (length < 4 || strcmp(file->name + length - 3, ".cl") != 0)
            continue;
        for (size_t k = 0; k < variant_count; k++)
            found += strlen(variants[k].file) == length - 3 &&
                     memcmp(variants[k].file, file->name, length - 3) == 0;
        ok(found > 0, "%s: %u programs", file->name, found);
    }
}

static void write_all(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/list", folder);
    FILE *list = fopen(path, "w");
    for (size_t k = 0; list != NULL && k < variant_count; k++) {
        int first = 1;
        snprintf(path, sizeof path, "%s/%04zu.cl", folder, k);
        FILE *file = fopen(path, "w");
        if (!ok(file != NULL && fputs(variants[k].text, file) >= 0 && fclose(file) == 0,
                "%s is written", path))
            return;
        for (size_t j = 0; j < k; j++)
            first = first && strcmp(variants[j].file, variants[k].file) != 0;
        fprintf(list, "%04zu\t%s\t", k, variants[k].file);
        for (unsigned e = 0; e < KERNELS && variants[k].entries[e][0] != '\0'; e++)
            fprintf(list, "%s%s", e > 0 ? "," : "", variants[k].entries[e]);
        fprintf(list, "\t%s\t%u\t%u\t%s\n", first ? "usual" : "other", variants[k].registers,
                variants[k].private_bytes, variants[k].options);
    }
    ok(list != NULL && fclose(list) == 0, "the list is written");
}

int main(int argc, char **argv)
{
    setenv("CLUP_CACHE", "0", 1);
    NEED(clup_context_create(NULL, &context));
    /* the texts are for other platforms */
    context->quirks.slow_header = false;
    /* some GPU, with the least that kernels count on */
    const char *type = context->device.info.type;
    context->device.info.type = "gpu";
    context->device.info.compute_units = 16;
    context->max_group = context->max_items = 1024;
    context->local_mem = 32768;
    build_tables();
    build_images();
    build_limits();
    build_histograms();
    build_regions();
    build_graph();
    build_contacts();
    build_graphs();
    few = 1;
    context->max_group = 1;
    build_tables();
    context->device.info.type = type;
    check();
    if (argc > 1)
        write_all(argv[1]);
    clup_context_free(context);
    return done_testing();
}
