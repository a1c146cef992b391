/* SPDX-License-Identifier: BSD-3-Clause */
/* Every public function refuses arguments that are NULL or all zeros, and its message names them,
 * unless clup.h gives them a meaning. A plan argument of NULL lets the planner choose. */
#include <math.h>
#include <string.h>

#include "base/dtype.h"
#include "base/text.h"
#include "io/image.h"
#include "core/method.h"
#include "program.h"
#include "run/simulation.h"
#include "ocl/context.h"
#include "tap.h"

/* A row of the table: the call must return CLUP_ERROR_USAGE, with the text in the detail. */
#define REFUSES(text, call) \
    ok((call) == CLUP_ERROR_USAGE && strstr(clup_error_detail(), text) != NULL, "%s: %s", #call, \
       clup_error_detail())
/* A call that must fail, and leave object NULL. */
#define LEAVES_NULL(text, object, call) \
    do { \
        (object) = (void *)&tap_count; \
        REFUSES(text, call); \
        ok((object) == NULL, "and leaves no " #object); \
    } while (0)

static const clup_problem none,
    square = {.size = {12, 9}, .periodic = {1, 1}, .q = 2, .beta = 0.88},
    bonds = {.size = {12, 9}, .periodic = {1, 1}, .model = CLUP_BOND_PERCOLATION};
static const clup_method unknown_method = {.algorithm = CLUP_ALGORITHMS};
static const clup_label_problem no_image, image = {.size = {4, 3, 1},
                                                   .connectivity = 4,
                                                   .dtype = CLUP_DTYPE_U8,
                                                   .channels = 1,
                                                   .match = CLUP_MATCH_EQUAL};
static const uint8_t pixels[12] = {1, 1, 2};
static const uint32_t four[3] = {4, 3, 1}, nothing[3];
static uint32_t labels[12];

static void check_contacts(clup_context *context)
{
    const clup_contact_problem nothing_there = {0}, whole = {.size = {4, 3, 1}, .connectivity = 4};
    const clup_image empty = {0}, row = {.size = {4, 3, 1},
                                         .axes = 2,
                                         .dtype = CLUP_DTYPE_U8,
                                         .channels = 1,
                                         .pixels = (void *)pixels};
    clup_contacts contacts;
    cl_mem buffer;
    NEED(clup_buffer_create(context, 64, "a buffer", &buffer));
    REFUSES("problem", clup_contacts_find(context, NULL, labels, &contacts, NULL));
    REFUSES("connectivity 0", clup_contacts_find(context, &nothing_there, labels, &contacts, NULL));
    REFUSES("labels", clup_contacts_find(context, &whole, NULL, &contacts, NULL));
    REFUSES("out", clup_contacts_find(context, &whole, labels, NULL, NULL));
    REFUSES("context", clup_contacts_find_buffer(NULL, &whole, buffer, &contacts, NULL));
    REFUSES("problem", clup_contacts_find_buffer(context, NULL, buffer, &contacts, NULL));
    REFUSES("labels", clup_contacts_find_buffer(context, &whole, NULL, &contacts, NULL));
    REFUSES("out", clup_contacts_find_buffer(context, &whole, buffer, NULL, NULL));
    NEED(clup_contacts_find(NULL, &whole, labels, &contacts, NULL));
    REFUSES("path", clup_contacts_write(NULL, &contacts, 9));
    REFUSES("contacts", clup_contacts_write("x.csv", NULL, 9));
    clup_contacts_clear(&contacts);
    clup_contacts_clear(NULL);
    REFUSES("0 axes", clup_contacts_write("x.csv", &contacts, 9));
    REFUSES("path", clup_labels_write_each(NULL, &row, labels, 9));
    REFUSES("image", clup_labels_write_each("x.png", NULL, labels, 9));
    REFUSES("pixels", clup_labels_write_each("x.png", &empty, labels, 9));
    REFUSES("labels", clup_labels_write_each("x.png", &row, NULL, 9));
    clup_buffer_free(context, buffer);
}

static void check_devices(clup_device_list *list)
{
    size_t found;
    clup_context *context;
    clup_property property;
    REFUSES("out", clup_device_list_create(NULL));
    REFUSES("list", clup_device_find(NULL, "gpu", &found));
    REFUSES("device", clup_device_find(list, NULL, NULL));
    REFUSES("context", clup_context_create(NULL, NULL));
    LEAVES_NULL("handle", context,
                clup_context_adopt(NULL, (cl_device_id)list, (cl_command_queue)list, &context));
    LEAVES_NULL("device", context,
                clup_context_adopt((cl_context)list, NULL, (cl_command_queue)list, &context));
    LEAVES_NULL("queue", context,
                clup_context_adopt((cl_context)list, (cl_device_id)list, NULL, &context));
    REFUSES("context",
            clup_context_adopt((cl_context)list, (cl_device_id)list, (cl_command_queue)list, NULL));
    ok(clup_device_count(NULL) == 0 && clup_device_get(NULL, 0) == NULL &&
           clup_device_get(list, clup_device_count(list)) == NULL,
       "no list has no devices");
    ok(clup_platform_count(NULL) == 0 && clup_platform_get(NULL, 0) == NULL &&
           clup_platform_get(list, clup_platform_count(list)) == NULL,
       "and no platforms");
    ok(clup_context_device(NULL) == NULL && clup_context_warning(NULL) == NULL,
       "no context has none, nor a warning");
    clup_device_property(list, 0, 0, NULL);
    clup_device_property(NULL, 0, 0, &property);
    ok(property.kind == CLUP_VALUE_NONE && property.key == NULL, "no list has no property");
    clup_device_property(list, 0, clup_property_count(), &property);
    ok(property.kind == CLUP_VALUE_NONE && property.key == NULL, "nor is there one past the last");
    REFUSES("context", clup_context_join(NULL, NULL));
    clup_device_list_free(NULL);
    clup_context_free(NULL);
}

static void check_problems(void)
{
    double energy, heat;
    const clup_problem unknown = {.lattice = CLUP_LATTICES, .size = {4, 4}};
    REFUSES("problem", clup_problem_check(NULL));
    REFUSES("size 0x0", clup_problem_check(&none));
    REFUSES("problem", clup_method_check(NULL, NULL));
    REFUSES("size 0x0", clup_method_check(&none, NULL));
    REFUSES("algorithm", clup_method_check(&square, &unknown_method));
    REFUSES("problem", clup_exact_ising(NULL, &energy, &heat));
    REFUSES("size 0x0", clup_exact_ising(&none, &energy, &heat));
    REFUSES("energy", clup_exact_ising(&square, NULL, &heat));
    REFUSES("specific_heat", clup_exact_ising(&square, &energy, NULL));
    clup_problem other = square;
    char text[CLUP_FIELD_TEXT];
    REFUSES("problem", clup_problem_get(NULL, "q", text));
    REFUSES("key", clup_problem_get(&square, NULL, text));
    REFUSES("text", clup_problem_get(&square, "q", NULL));
    REFUSES("no field 'spin'", clup_problem_get(&square, "spin", text));
    REFUSES("problem", clup_problem_set(NULL, "q", "3"));
    REFUSES("key", clup_problem_set(&other, NULL, "3"));
    REFUSES("text", clup_problem_set(&other, "q", NULL));
    REFUSES("no field 'beta'", clup_problem_set(&other, "beta", "1"));
    REFUSES("q = 'two'", clup_problem_set(&other, "q", "two"));
    REFUSES("q = 257 is not between 2 and 256", clup_problem_set(&other, "q", "257"));
    REFUSES("lattice = 'round'", clup_problem_set(&other, "lattice", "round"));
    REFUSES("size = '3x3x3'", clup_problem_set(&other, "size", "3x3x3"));
    REFUSES("periodic = 'z'", clup_problem_set(&other, "periodic", "z"));
    REFUSES("replicas = '0'", clup_problem_set(&other, "replicas", "0"));
    const clup_table *table;
    const clup_bond_couplings *couplings;
    const double number = 1;
    REFUSES("numbers", clup_bond_couplings_make(NULL, 1, 1, &couplings));
    REFUSES("out", clup_bond_couplings_make(&number, 1, 1, NULL));
    REFUSES("path", clup_bond_couplings_read(NULL, &couplings));
    REFUSES("out", clup_bond_couplings_read("J.npy", NULL));
    clup_components *components;
    clup_edges edges;
    uint32_t number_of = 0;
    REFUSES("out", clup_components_create(NULL, 1, NULL));
    clup_edges lone = {.vertices = 1}, wrong_edges = {.vertices = 1, .edges = 1};
    const clup_problem lattice_of = {
        .model = CLUP_BOND_PERCOLATION, .size = {2, 2, 1}, .periodic = {1, 1, 1}};
    clup_percolation_curves *curves;
    clup_percolation_point at_p;
    const double some_p = 0.5;
    REFUSES("out", clup_percolation_curves_create(NULL, &lattice_of, 1, NULL));
    REFUSES("problem", clup_percolation_curves_create(NULL, NULL, 1, &curves));
    REFUSES("out", clup_percolation_curves_of_graph(NULL, &lone, CLUP_BOND_PERCOLATION, 1, NULL));
    REFUSES("edges",
            clup_percolation_curves_of_graph(NULL, NULL, CLUP_BOND_PERCOLATION, 1, &curves));
    REFUSES("edges->ends", clup_percolation_curves_of_graph(NULL, &wrong_edges,
                                                            CLUP_BOND_PERCOLATION, 1, &curves));
    const clup_graph *graph;
    REFUSES("edges", clup_graph_make(NULL, &graph));
    REFUSES("out", clup_graph_make(&lone, NULL));
    REFUSES("edges->ends", clup_graph_make(&wrong_edges, &graph));
    const uint32_t cells = 2;
    REFUSES("lattice", clup_graph_of_lattice(NULL, &cells, 1, 0, &graph));
    REFUSES("size", clup_graph_of_lattice("hypercubic", NULL, 1, 0, &graph));
    REFUSES("out", clup_graph_of_lattice("hypercubic", &cells, 1, 0, NULL));
    clup_problem of_cells = {.q = 2};
    NEED(clup_graph_of_lattice("hypercubic", &cells, 1, 0, &graph));
    clup_problem_set_graph(&of_cells, graph);
    ok(of_cells.size[0] == 2 && clup_graph_called(NULL) == NULL && clup_graph_axes(NULL) == 0,
       "what is called nothing and has no axes");
    REFUSES("edges", clup_edges_simplify(NULL));
    REFUSES("edges->ends", clup_edges_simplify(&wrong_edges));
    NEED(clup_percolation_curves_of_graph(NULL, &lone, CLUP_SITE_PERCOLATION, 1, &curves));
    REFUSES("curves", clup_percolation_curves_run(NULL, 1, NULL, 0, NULL, NULL, NULL));
    REFUSES("ps", clup_percolation_curves_run(curves, 1, NULL, 1, NULL, NULL, &at_p));
    REFUSES("points", clup_percolation_curves_run(curves, 1, &some_p, 1, NULL, NULL, NULL));
    REFUSES("curves", clup_percolation_curves_means(NULL, 0, 0, 0, NULL, NULL));
    REFUSES("curves", clup_percolation_curves_write(NULL, "-"));
    REFUSES("path", clup_percolation_curves_write(curves, NULL));
    ok(clup_percolation_curves_steps(NULL) == 0, "no curves have no steps");
    clup_percolation_curves_free(curves);
    clup_percolation_curves_free(NULL);
    NEED(clup_components_create(NULL, 1, &components));
    REFUSES("components", clup_components_add(NULL, &number_of, CLUP_DTYPE_U32, 0));
    REFUSES("ends", clup_components_add(components, NULL, CLUP_DTYPE_U32, 1));
    REFUSES("components", clup_components_add_rows(NULL, &number_of, &number_of, CLUP_DTYPE_U32));
    REFUSES("starts", clup_components_add_rows(components, NULL, &number_of, CLUP_DTYPE_U32));
    REFUSES("components", clup_components_enqueue(NULL, NULL, 0, 0, NULL, NULL));
    REFUSES("ends", clup_components_enqueue(components, NULL, 0, 0, NULL, NULL));
    REFUSES("components", clup_components_number(NULL, NULL, NULL));
    REFUSES("numbers", clup_components_number(components, NULL, NULL));
    REFUSES("components", clup_components_count(NULL, &number_of));
    REFUSES("count", clup_components_count(components, NULL));
    REFUSES("components", clup_components_labels(NULL, &number_of, &number_of));
    clup_components_free(components);
    clup_components_free(NULL);
    REFUSES("path", clup_edges_read(NULL, &edges));
    REFUSES("edges", clup_edges_read("edges.npy", NULL));
    clup_edges_clear(NULL);
    REFUSES("path", clup_table_read(NULL, &table));
    REFUSES("table", clup_table_read("model.toml", NULL));
    REFUSES("text", clup_table_parse(NULL, &table));
    REFUSES("table", clup_table_parse("states = 2", NULL));
    ok(clup_table_states(NULL) == 0 && clup_table_state(NULL, 0) == NULL, "NULL has no states");
    REFUSES("a", clup_problem_compare(NULL, &square, CLUP_FIELD_ALL));
    REFUSES("b", clup_problem_compare(&square, NULL, CLUP_FIELD_ALL));
    ok(clup_problem_compare(&square, &other, CLUP_FIELD_ALL) == CLUP_OK, "nothing was changed");
    unsigned fields = 0;
    uint8_t vacant = 0;
    for (const clup_field *field; (field = clup_problem_field(fields)) != NULL; fields++) {
        clup_problem copy = square;
        NEED(clup_problem_get(&square, field->key, text));
        NEED(clup_problem_set(&copy, field->key, text));
        ok(clup_problem_compare(&square, &copy, CLUP_FIELD_ALL) == CLUP_OK,
           "%s is '%s', and read as that", field->key, text);
        ok((field->initial == NULL ||
            clup_problem_set(&copy, field->key, field->initial) == CLUP_OK) &&
               (field->option == NULL || (field->argument != NULL && field->about[0] != '\0')),
           "what it is at first can be said, and its option has help");
    }
    NEED(clup_problem_set(&other, "q", "3"));
    REFUSES("q differs: '2' and '3'", clup_problem_compare(&square, &other, CLUP_FIELD_ALL));
    ok(other.q == 3 && clup_problem_compare(&square, &other, CLUP_FIELD_SIZE) == CLUP_OK,
       "but for which the two are alike");
    other.model = CLUP_BOND_PERCOLATION;
    REFUSES("torus", clup_exact_ising(&other, &energy, &heat));
    ok(clup_problem_sites(NULL) == 0 && clup_problem_sublattices(NULL) == 0 &&
           clup_problem_sites(&none) == 0 && clup_problem_sites(&unknown) == 0 &&
           clup_spin_bytes(NULL) == 1,
       "no problem has no sites");
    REFUSES("problem", clup_problem_partners(NULL, NULL));
    REFUSES("problem", clup_problem_vacant(NULL, 0, &vacant));
    REFUSES("vacant", clup_problem_vacant(&none, 0, NULL));
    ok(isnan(clup_critical_beta(CLUP_LATTICES, 2)) && isnan(clup_problem_critical_beta(NULL)) &&
           isnan(clup_critical_p(CLUP_LATTICES, CLUP_MODELS)) &&
           isnan(clup_problem_critical_p(NULL)) && isnan(clup_problem_critical_p(&unknown)),
       "nor an unknown lattice a critical point");
}

/* Names past the end of their table and, for enumerations, before its beginning. */
static void check_names(void)
{
    const void *const texts[] = {
        clup_lattice_name(CLUP_LATTICES),
        clup_lattice_name(-1),
        clup_model_name(CLUP_MODELS),
        clup_model_name(-1),
        clup_algorithm_name(CLUP_ALGORITHMS),
        clup_algorithm_name(-1),
        clup_rng_name(99),
        clup_rng_about(99),
        clup_stage_name(CLUP_STAGES),
        clup_stage_name(-1),
        clup_kernel_name(CLUP_LOCAL, 99),
        clup_kernel_name(CLUP_MEASURE, 0),
        clup_kernel_name(-1, 0),
        clup_kernel_about(CLUP_STAGES, 0),
        clup_layout_name(99),
        clup_union_method_name(99),
        clup_strategy_name(CLUP_STRATEGIES),
        clup_strategy_name(-1),
        clup_observable_name(9999),
        clup_observable_name(-1),
        clup_percolation_observable_name(CLUP_PERCOLATION_OBSERVABLES),
        clup_percolation_observable_name(-1),
        clup_observable_about(9999),
        clup_percolation_observable_about(CLUP_PERCOLATION_OBSERVABLES),
        clup_dtype_name(CLUP_DTYPE_NONE),
        clup_dtype_name(CLUP_DTYPES),
        clup_dtype_name(-1),
    };
    int named = 0;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        named += texts[k] != NULL;
    ok(named == 0, "nothing has a name past the end of its table");
    ok(clup_lattice_axes(CLUP_LATTICES) == 0 && clup_dtype_bytes(CLUP_DTYPES) == 0 &&
           clup_kernel_has_tiles(CLUP_STAGES, 0) == 0,
       "nor axes, bytes or tiles");
    unsigned cell[3];
    const clup_problem nothing = {.lattice = CLUP_LATTICES, .size = {4, 4, 1}};
    clup_lattice_cell(CLUP_LATTICES, cell);
    ok(cell[0] == 1 && cell[1] == 1 && cell[2] == 1 && clup_problem_real_sites(&nothing) == 0 &&
           clup_problem_real_sites(NULL) == 0 && !clup_lattice_leads_along(CLUP_LATTICES, 0) &&
           !clup_lattice_leads_along(CLUP_LATTICE_CHAIN, 1) &&
           !clup_lattice_leads_along(CLUP_LATTICE_CHAIN, 7),
       "nor cells, sites or steps");
    clup_kernel_scope scope;
    ok(clup_kernel_scope_of(CLUP_STAGES, 0, &scope) == 0 &&
           clup_kernel_scope_of(CLUP_LOCAL, 99, &scope) == 0 &&
           clup_kernel_scope_of(CLUP_LOCAL, 0, NULL) == 0,
       "nor a scope");
    ok(clup_number_text(0.5, NULL) == NULL, "a number needs room");
    uint32_t character;
    clup_label_timing sum = {.device_s = 1, .wall_s = 3};
    const clup_label_timing more = {.device_s = 0.5, .transfer_s = 0.25, .wall_s = 1};
    clup_label_timing_add(&sum, &more);
    ok(sum.device_s == 1.5 && sum.transfer_s == 0.25 && sum.wall_s == 4, "seconds are added");
    ok(clup_dtype_bytes(CLUP_DTYPE_I16) == 2 && clup_dtype_bytes(CLUP_DTYPE_F64) == 8 &&
           clup_dtype_bytes(CLUP_DTYPE_NONE) == 0 && clup_dtype_bytes(CLUP_DTYPES) == 0,
       "bytes of numbers");
    ok(clup_connectivity_axes(4) == 2 && clup_connectivity_axes(8) == 2 &&
           clup_connectivity_axes(6) == 3 && clup_connectivity_axes(26) == 3,
       "axes of a connectivity");
    ok(clup_utf8("\xc3\xa4", &character) == 2 && character == 0xE4 &&
           clup_utf8("\xff", &character) == 0 && character == 0xFF,
       "a character has its bytes, and other bytes are none");
    char toml[] = "a = [1", error[64];
    struct json_t *marks;
    ok(clup_toml_read(toml, strlen(toml), &marks, error, sizeof error) == NULL && marks == NULL &&
           strncmp(error, "line 1: ", 8) == 0,
       "TOML that is none: %s", error);
    clup_set_watch(NULL, NULL);
    ok(clup_status_text(99) != NULL && clup_error_detail() != NULL && clup_version() != NULL,
       "but a status has a text");
}

static void check_checkpoints(clup_context *context)
{
    const clup_method streams = {.rng = "mwc"};
    clup_simulation *simulation;
    clup_checkpoint *checkpoint;
    REFUSES("simulation", clup_simulation_save(NULL, NULL, "x.h5"));
    LEAVES_NULL("path", checkpoint, clup_checkpoint_read(NULL, &checkpoint));
    REFUSES("out", clup_checkpoint_read("x.h5", NULL));
    LEAVES_NULL("checkpoint", simulation, clup_simulation_load(context, NULL, NULL, &simulation));
    REFUSES("out", clup_simulation_load(context, (clup_checkpoint *)&streams, NULL, NULL));
    ok(clup_checkpoint_problem(NULL) == NULL && clup_checkpoint_method(NULL) == NULL &&
           clup_checkpoint_said(NULL) == NULL && clup_checkpoint_seed(NULL) == 0 &&
           clup_checkpoint_sweeps(NULL) == 0 && clup_checkpoint_every(NULL) == 0,
       "no checkpoint has nothing");
    clup_checkpoint_free(NULL);
    NEED(clup_simulation_create(context, &square, &streams, NULL, 1, CLUP_START_ORDERED,
                                &simulation));
    REFUSES("path", clup_simulation_save(simulation, NULL, NULL));
    REFUSES(clup_hdf5_version() != NULL ? "philox" : "HDF5",
            clup_simulation_save(simulation, NULL, "x.h5"));
    clup_simulation_free(simulation);
}

static void check_tempering(clup_context *context)
{
    static const double right[] = {0.5, 0.6, 0.7}, down[] = {0.5, 0.7, 0.6},
                        wrong[] = {0.5, -1, 0.6};
    clup_problem problem = square;
    clup_simulation *simulation;
    clup_tempering tempering;
    clup_rung rung;
    clup_walker walker;
    uint32_t system;
    problem.replicas = 3;
    problem.betas = down;
    NEED(clup_simulation_create(context, &problem, NULL, NULL, 1, CLUP_START_ORDERED, &simulation));
    REFUSES("replica 1 has beta = 0.7",
            clup_simulation_resample(simulation, 0.8, &system, &(double){0}));
    REFUSES("beta = inf", clup_simulation_resample(simulation, INFINITY, &system, &(double){0}));
    REFUSES("that of replica 2 is 0.59", clup_simulation_temper(simulation, 1));
    REFUSES("betas", clup_simulation_set_betas(simulation, NULL));
    REFUSES("beta = -1", clup_simulation_set_betas(simulation, wrong));
    NEED(clup_simulation_set_betas(simulation, right));
    REFUSES("every 0 sweeps", clup_simulation_temper(simulation, 0));
    NEED(clup_simulation_temper(simulation, 2));
    REFUSES("already", clup_simulation_temper(simulation, 2));
    REFUSES("increase", clup_simulation_set_betas(simulation, down));
    REFUSES("tempering", clup_simulation_tempering(simulation, NULL));
    REFUSES("rung", clup_simulation_rung(simulation, 0, NULL));
    REFUSES("replica 3", clup_simulation_rung(simulation, 3, &rung));
    REFUSES("walker", clup_simulation_walker(simulation, 0, NULL));
    REFUSES("replica 3", clup_simulation_walker(simulation, 3, &walker));
    const clup_observable averaged[] = {CLUP_ENERGY, (clup_observable)9999};
    clup_average average;
    REFUSES("averages", clup_simulation_averages(simulation, 0, averaged, 1, NULL, NULL, NULL));
    REFUSES("observable 9999",
            clup_simulation_averages(simulation, 0, averaged, 2, &average, NULL, NULL));
    REFUSES("replica 3",
            clup_simulation_averages(simulation, 3, averaged, 1, &average, NULL, NULL));
    REFUSES("nothing was measured",
            clup_simulation_averages(simulation, 0, averaged, 1, &average, NULL, NULL));
    clup_equilibration equilibration;
    REFUSES("equilibration", clup_simulation_equilibration(simulation, NULL));
    REFUSES("nothing was measured", clup_simulation_equilibration(simulation, &equilibration));
    REFUSES("1 sweeps cannot be left out", clup_simulation_leave_out(simulation, 1));
    clup_target target = {.observable = CLUP_ENERGY};
    int reached;
    REFUSES("targets", clup_simulation_run_until(simulation, NULL, 1, 0, 10, NULL, NULL, &reached));
    REFUSES("sweep",
            clup_simulation_sweep_until(simulation, &target, 1, 0, 10, NULL, NULL, &reached));
    REFUSES("an error of 0",
            clup_simulation_run_until(simulation, &target, 1, 0, 10, NULL, NULL, &reached));
    target = (clup_target){.observable = CLUP_CORRELATION_X, .error = 1};
    REFUSES("none with one value",
            clup_simulation_run_until(simulation, &target, 1, 0, 10, NULL, NULL, &reached));
    double distances[1];
    REFUSES("at is NULL",
            clup_simulation_average_vector(simulation, 0, CLUP_CORRELATION_X, NULL, &average));
    REFUSES("replica 3",
            clup_simulation_average_vector(simulation, 3, CLUP_CORRELATION_X, distances, &average));
    REFUSES("nothing was measured",
            clup_simulation_average_vector(simulation, 0, CLUP_CORRELATION_X, distances, &average));
    REFUSES("systems", clup_simulation_systems(simulation, 0, 0, 1, NULL));
    REFUSES("replica 3", clup_simulation_systems(simulation, 3, 0, 1, &system));
    REFUSES("0 were measured", clup_simulation_systems(simulation, 0, 0, 1, &system));
    double placed[3] = {1, 2, 3};
    REFUSES("from 8 to 2^47", clup_tempering_tune(context, &problem, NULL, NULL, 1, 7, placed));
    REFUSES("problem", clup_tempering_tune(context, NULL, NULL, NULL, 1, 80, placed));
    REFUSES("betas is NULL", clup_tempering_tune(context, &problem, NULL, NULL, 1, 80, NULL));
    REFUSES("increase", clup_tempering_tune(context, &problem, NULL, NULL, 1, 80, placed));
    ok(placed[0] == 1 && placed[1] == 2 && placed[2] == 3, "nothing is placed");
    double ratio;
    uint32_t sources[3];
    REFUSES("systems of tempering", clup_simulation_resample(simulation, 0.8, sources, &ratio));
    REFUSES("sources", clup_simulation_resample(simulation, 0.8, NULL, &ratio));
    REFUSES("ln_ratio", clup_simulation_resample(simulation, 0.8, sources, NULL));
    REFUSES("simulation", clup_simulation_resample(NULL, 0.8, sources, &ratio));
    clup_population *population;
    clup_population_step step;
    REFUSES("simulation", clup_population_create(NULL, &population));
    REFUSES("out", clup_population_create(simulation, NULL));
    REFUSES("population", clup_population_resample(NULL, 0.8));
    REFUSES("population", clup_population_take(NULL, &step));
    NEED(clup_population_create(simulation, &population));
    REFUSES("step", clup_population_take(population, NULL));
    REFUSES("systems of tempering", clup_population_resample(population, 0.8));
    clup_population_free(population);
    clup_population_free(NULL);
    REFUSES("simulation", clup_simulation_temper(NULL, 1));
    REFUSES("simulation", clup_simulation_set_betas(NULL, right));
    REFUSES("simulation", clup_simulation_tempering(NULL, &tempering));
    REFUSES("simulation", clup_simulation_rung(NULL, 0, &rung));
    REFUSES("simulation", clup_simulation_walker(NULL, 0, &walker));
    REFUSES("simulation", clup_simulation_systems(NULL, 0, 0, 1, &system));
    clup_simulation_free(simulation);
}

/* Tempering functions refuse a simulation of one temperature. */
static void check_no_tempering(clup_simulation *simulation)
{
    clup_tempering tempering;
    clup_rung rung;
    REFUSES("two temperatures or more", clup_simulation_temper(simulation, 1));
    REFUSES("there is no tempering", clup_simulation_rung(simulation, 0, &rung));
    ok(clup_simulation_tempering(simulation, &tempering) == CLUP_OK && tempering.rungs == 0 &&
           tempering.every == 0,
       "there is no ladder");
}

static void check_plans(clup_context *context)
{
    clup_plan plan;
    clup_report *report;
    clup_trial *trial;
    clup_sample sample;
    double plan_ps = 0, best_ps = 0;
    const clup_plan_request unknown = {.strategy = CLUP_STRATEGIES};
    const clup_ranks ranks = {.count = 1};
    REFUSES("ranks->gather", clup_context_join(context, &ranks));
    REFUSES("problem", clup_plan_choose(context, NULL, NULL, NULL, &plan));
    size_t ways;
    REFUSES("problem", clup_plan_between(NULL, 2, NULL, 0, NULL, &ways));
    REFUSES("count", clup_plan_between(&square, 2, NULL, 0, NULL, NULL));
    REFUSES("nothing is called", clup_plan_between(&square, 2, "nosuch", 0, NULL, &ways));
    REFUSES("layers", clup_plan_between(&square, 1u << 20, NULL, 0, NULL, &ways));
    ok(clup_plan_between(&square, 1, NULL, 0, NULL, &ways) == CLUP_OK && ways == 0 &&
           clup_plan_between(&square, 2, NULL, 0, NULL, &ways) == CLUP_OK && ways == 3,
       "processes: %zu ways", ways);
    REFUSES("size 0x0", clup_plan_choose(context, &none, NULL, NULL, &plan));
    REFUSES("algorithm", clup_plan_choose(context, &square, &unknown_method, NULL, &plan));
    REFUSES("strategy", clup_plan_choose(context, &square, NULL, &unknown, &plan));
    REFUSES("plan", clup_plan_choose(context, &square, NULL, NULL, NULL));
    LEAVES_NULL("problem", report, clup_report_create(context, NULL, NULL, NULL, 0, &report));
    LEAVES_NULL("size 0x0", report, clup_report_create(context, &none, NULL, NULL, 0, &report));
    REFUSES("out", clup_report_create(context, &square, NULL, NULL, 0, NULL));
    clup_report_measured(NULL, &plan_ps, &best_ps);
    ok(clup_report_alternatives(NULL, NULL, 5) == 0, "no report has no other plans");
    clup_report_measured(NULL, NULL, NULL);
    ok(clup_report_alternatives(NULL, NULL, 5) == 0, "no report has no other plans");
    ok(clup_report_plan(NULL) == NULL && clup_report_count(NULL) == 0 &&
           clup_report_candidate(NULL, 0) == NULL && clup_report_tile_rule(NULL) == NULL &&
           isnan(plan_ps) && isnan(best_ps),
       "no report has nothing");
    NEED(clup_report_create(NULL, &square, NULL, NULL, 0, &report));
    ok(clup_report_candidate(report, clup_report_count(report)) == NULL,
       "a report no candidate past the last");
    clup_report_free(report);
    LEAVES_NULL("context", trial, clup_trial_create(NULL, &square, NULL, "word", 0.1, &trial));
    LEAVES_NULL("problem", trial, clup_trial_create(context, NULL, NULL, "word", 0.1, &trial));
    LEAVES_NULL("size 0x0", trial, clup_trial_create(context, &none, NULL, "word", 0.1, &trial));
    LEAVES_NULL("bonds", trial, clup_trial_create(context, &square, NULL, NULL, 0.1, &trial));
    LEAVES_NULL("'twine'", trial, clup_trial_create(context, &square, NULL, "twine", 0.1, &trial));
    REFUSES("out", clup_trial_create(context, &square, NULL, "word", 0.1, NULL));
    REFUSES("trial", clup_trial_time(NULL, CLUP_LOCAL, "runs", 0, &sample));
    NEED(clup_trial_create(context, &square, NULL, "word", 0.001, &trial));
    REFUSES("kernel", clup_trial_time(trial, CLUP_LOCAL, NULL, 0, &sample));
    REFUSES("sample", clup_trial_time(trial, CLUP_LOCAL, "runs", 0, NULL));
    REFUSES("stage", clup_trial_time(trial, CLUP_MEASURE, "runs", 0, &sample));
    REFUSES("stage", clup_trial_time(trial, CLUP_STAGES, "runs", 0, &sample));
    clup_trial_free(trial);
    clup_trial_free(NULL);
    clup_report_free(NULL);
}

static void check_tuning(void)
{
    clup_tuning *tuning;
    clup_tune_rows rows;
    LEAVES_NULL("context", tuning, clup_tuning_create(NULL, 1, NULL, NULL, &tuning));
    REFUSES("out", clup_tuning_create((clup_context *)&rows, 1, NULL, NULL, NULL));
    REFUSES("tuning", clup_tuning_save(NULL));
    REFUSES("path", clup_tune_export(NULL, NULL));
    REFUSES("path", clup_tune_import(NULL, &rows));
    ok(clup_tuning_sample_count(NULL) == 0 && clup_tuning_sample(NULL, 0) == NULL &&
           clup_tuning_fit_count(NULL) == 0 && clup_tuning_fit(NULL, 0) == NULL,
       "no tuning has nothing");
    ok(clup_tuning_finished(NULL) == 0 && clup_tuning_before_count(NULL) == 0,
       "and is not finished");
    ok(clup_tune_database() != NULL && clup_tune_database_check() == CLUP_OK,
       "the database has no arguments");
    ok(clup_distrust_warning(NULL) == NULL, "no context knows of wrong kernels");
    clup_tuning_free(NULL);
}

/* Invalid plans, each with a text of the message. */
#define WRONG_PLANS 10
static clup_plan wrong_plan(const clup_plan *right, unsigned k, const char **text)
{
    static const char *const texts[WRONG_PLANS] = {"plan: bonds is NULL",
                                                   "plan: bonds is NULL",
                                                   "'twine'",
                                                   "0 x 0 x 0",
                                                   "0 x",
                                                   "source",
                                                   "local",
                                                   "'magic'",
                                                   "'magic'",
                                                   "action"};
    clup_plan plan = *right;
    switch (k) {
    case 0: plan = (clup_plan){0}; break;
    case 1: plan.bonds = NULL; break;
    case 2: plan.bonds = "twine"; break;
    case 3: memset(plan.tile, 0, sizeof plan.tile); break;
    case 4: plan.tile[0] = 0; break;
    case 5: plan.source = NULL; break;
    case 6: plan.local = NULL; break;
    case 7: plan.local = "magic"; break;
    case 8: plan.consolidate = "magic"; break;
    case 9: plan.action = NULL; break;
    }
    *text = texts[k];
    return plan;
}

static void check_sweeps(clup_context *context)
{
    const clup_plan_request request = {.bonds = "word"};
    clup_plan right;
    clup_simulation *simulation;
    clup_sweep_sample sample;
    clup_memory memory, chosen;
    const char *text;
    NEED(clup_plan_choose(context, &square, NULL, &request, &right));
    for (unsigned k = 0; k < WRONG_PLANS; k++) {
        const clup_plan plan = wrong_plan(&right, k, &text);
        LEAVES_NULL(text, simulation,
                    clup_simulation_create(context, &square, NULL, &plan, 1, CLUP_START_ORDERED,
                                           &simulation));
        REFUSES(text, clup_simulation_memory(context, &square, NULL, &plan, &memory));
        REFUSES(text, clup_sweep_time(context, &square, NULL, &plan, 0, 1, &sample));
    }
    LEAVES_NULL(
        "problem", simulation,
        clup_simulation_create(context, NULL, NULL, NULL, 1, CLUP_START_ORDERED, &simulation));
    LEAVES_NULL("problem", simulation,
                clup_simulation_create(NULL, NULL, NULL, NULL, 1, CLUP_START_ORDERED, &simulation));
    LEAVES_NULL(
        "size 0x0", simulation,
        clup_simulation_create(context, &none, NULL, NULL, 1, CLUP_START_ORDERED, &simulation));
    LEAVES_NULL(
        "size 0x0", simulation,
        clup_simulation_create(NULL, &none, NULL, NULL, 1, CLUP_START_ORDERED, &simulation));
    LEAVES_NULL(
        "no sweeps", simulation,
        clup_simulation_create(context, &bonds, NULL, NULL, 1, CLUP_START_ORDERED, &simulation));
    LEAVES_NULL("algorithm", simulation,
                clup_simulation_create(context, &square, &unknown_method, NULL, 1,
                                       CLUP_START_ORDERED, &simulation));
    LEAVES_NULL("algorithm", simulation,
                clup_simulation_create(NULL, &square, &unknown_method, NULL, 1, CLUP_START_ORDERED,
                                       &simulation));
    LEAVES_NULL("start", simulation,
                clup_simulation_create(NULL, &square, NULL, NULL, 1, 7, &simulation));
    REFUSES("out",
            clup_simulation_create(context, &square, NULL, NULL, 1, CLUP_START_ORDERED, NULL));
    REFUSES("context", clup_simulation_memory(NULL, &square, NULL, NULL, &memory));
    REFUSES("problem", clup_simulation_memory(context, NULL, NULL, NULL, &memory));
    REFUSES("size 0x0", clup_simulation_memory(context, &none, NULL, NULL, &memory));
    REFUSES("memory", clup_simulation_memory(context, &square, NULL, NULL, NULL));
    REFUSES("context", clup_sweep_time(NULL, &square, NULL, NULL, 0, 1, &sample));
    REFUSES("problem", clup_sweep_time(context, NULL, NULL, NULL, 0, 1, &sample));
    REFUSES("size 0x0", clup_sweep_time(context, &none, NULL, NULL, 0, 1, &sample));
    REFUSES("0 repetitions", clup_sweep_time(context, &square, NULL, NULL, 0, 0, &sample));
    REFUSES("sample", clup_sweep_time(context, &square, NULL, NULL, 0, 1, NULL));
    NEED(clup_plan_choose(context, &square, NULL, NULL, &right));
    ok(clup_simulation_memory(context, &square, NULL, NULL, &memory) == CLUP_OK &&
           clup_simulation_memory(context, &square, NULL, &right, &chosen) == CLUP_OK &&
           memory.bytes == chosen.bytes && memory.bytes > 0,
       "for plan NULL one is chosen: its buffers");
    ok(clup_sweep_time(context, &square, NULL, NULL, 0, 1, &sample) == CLUP_OK &&
           sample.repetitions == 1,
       "its sweeps");
}

/* Runs a few sweeps with plan NULL, or with a plan of zeros. */
static void sweep(clup_context *context, const clup_plan *plan, uint8_t spins[12 * 9])
{
    clup_simulation *simulation;
    clup_estimate estimates[CLUP_OBSERVABLES];
    double values[5];
    NEED(clup_simulation_create(context, &square, NULL, plan, 3, CLUP_START_RANDOM, &simulation));
    REFUSES("nothing was measured", clup_simulation_estimate(simulation, 0, estimates));
    REFUSES("nothing was measured", clup_simulation_estimates(simulation, 0, 1, estimates));
    const clup_observable none = 9999;
    REFUSES("no observable", clup_simulation_observe(simulation, &none, 1, 1));
    REFUSES("wanted", clup_simulation_observe(simulation, NULL, 1, 1));
    REFUSES("every 0 sweeps", clup_simulation_observe(simulation, NULL, 0, 0));
    REFUSES("every 2147483648 sweeps", clup_simulation_observe(simulation, NULL, 0, 1u << 31));
    ok(!clup_observable_needs_clusters(CLUP_ENERGY) && !clup_observable_needs_clusters(none) &&
           clup_observable_needs_clusters(CLUP_CHI_IMPROVED),
       "sizes of clusters are needed for some observables");
    clup_observable named;
    REFUSES("name", clup_observable_named(NULL, &named));
    REFUSES("observable", clup_observable_named("energy", NULL));
    REFUSES("no observable 'magic'", clup_observable_named("magic", &named));
    ok(clup_observable_named("wrap_one", &named) == CLUP_OK && named == CLUP_WRAP_ONE &&
           !clup_observable_has_values(named) && clup_observable_has_values(CLUP_CLUSTER_SIZES) &&
           !clup_observable_has_values(none),
       "and numbers by their names");
    ok(strcmp(clup_observable_group(CLUP_ENERGY), "spins") == 0 &&
           strcmp(clup_observable_group(CLUP_XI), "modes") == 0 &&
           clup_observable_group(none) == NULL,
       "observables have groups");
    double at[1];
    ok(clup_simulation_vector_length(simulation, CLUP_CLUSTER_SIZES) == 0,
       "nothing with several values is measured at first");
    REFUSES("several values",
            clup_simulation_vector(simulation, 0, CLUP_CLUSTER_SIZES, at, estimates));
    REFUSES("several values",
            clup_simulation_vector_series(simulation, 0, CLUP_CLUSTER_SIZES, 0, 0, 1, values));
    check_no_tempering(simulation);
    NEED(clup_simulation_run(simulation, 5, 1, NULL, NULL));
    REFUSES("measured already", clup_simulation_observe(simulation, NULL, 0, 1));
    NEED(clup_simulation_spins(simulation, spins));
    REFUSES("spins", clup_simulation_spins(simulation, NULL));
    REFUSES("spins", clup_simulation_spin_rows(simulation, 0, 1, NULL));
    REFUSES("hex", clup_simulation_hash(simulation, 1, NULL));
    REFUSES("path", clup_simulation_write_spins(simulation, NULL));
    clup_image picture;
    const clup_view beyond = {.plane = 1}, across = {.axis = CLUP_VIEW_X},
                    unknown = {.axis = (clup_view_axis)3}, second = {.first = 1},
                    later = {.reserved = {[2] = 1}};
    REFUSES("simulation", clup_simulation_picture(NULL, NULL, &picture));
    REFUSES("picture", clup_simulation_picture(simulation, NULL, NULL));
    REFUSES("plane 1: there are 1", clup_simulation_picture(simulation, &beyond, &picture));
    REFUSES("no other planes", clup_simulation_picture(simulation, &across, &picture));
    REFUSES("axis 3", clup_simulation_picture(simulation, &unknown, &picture));
    REFUSES("from number 1 on", clup_simulation_picture(simulation, &second, &picture));
    REFUSES("clup_view.reserved[2]", clup_simulation_picture(simulation, &later, &picture));
    double unknown_means[256]; /* there are fewer observables */
    for (unsigned k = 0; k < 256; k++)
        unknown_means[k] = NAN;
    ok(isnan(clup_observable_of_means(&(clup_problem){.size = {8, 8}, .periodic = {1, 1}, .q = 2},
                                      0.8, CLUP_BINDER, unknown_means)),
       "a function of means that are not known is not known");
    const clup_problem three = {.q = 3}, image = {.model = CLUP_IMAGE},
                       unknown_model = {.model = CLUP_MODELS};
    const uint8_t states[2] = {2, 3};
    uint8_t rgb[6];
    REFUSES("problem", clup_spin_colours(NULL, states, 1, rgb));
    REFUSES("spins", clup_spin_colours(&three, NULL, 1, rgb));
    REFUSES("rgb", clup_spin_colours(&three, states, 1, NULL));
    REFUSES("has no spins", clup_spin_colours(&image, states, 1, rgb));
    REFUSES("has no spins", clup_spin_colours(&unknown_model, states, 1, rgb));
    REFUSES("site 1 has state 3", clup_spin_colours(&three, states, 2, rgb));
    ok(clup_spin_colours(&three, NULL, 0, NULL) == CLUP_OK, "no sites have no colours");
    REFUSES("path", clup_simulation_draw(simulation, NULL, NULL));
    REFUSES("simulation", clup_simulation_draw(NULL, NULL, "spins.png"));
    REFUSES("'spins.gif': a picture of spins is a .png",
            clup_simulation_draw(simulation, NULL, "spins.gif"));
    REFUSES("spins", clup_simulation_set_state(simulation, 0, NULL));
    REFUSES("2^48", clup_simulation_set_state(simulation, (uint64_t)1 << 48, spins));
    spins[9] += 2;
    REFUSES("replica 0, site 9: there is no spin", clup_simulation_set_state(simulation, 0, spins));
    spins[9] -= 2;
    ok(clup_simulation_sweeps(simulation) == 5, "and nothing is set");
    REFUSES("estimates", clup_simulation_estimate(simulation, 0, NULL));
    REFUSES("replica 1", clup_simulation_estimate(simulation, 1, estimates));
    REFUSES("estimates", clup_simulation_estimates(simulation, 0, 1, NULL));
    REFUSES("replica 1", clup_simulation_estimates(simulation, 0, 2, estimates));
    REFUSES("replica 4294967294", clup_simulation_estimates(simulation, 0, UINT32_MAX, estimates));
    const clup_observable several = CLUP_CLUSTER_SIZES, heat = CLUP_SPECIFIC_HEAT;
    clup_estimate all[CLUP_OBSERVABLES], one;
    REFUSES("observables", clup_simulation_estimates_of(simulation, NULL, 1, 0, 1, estimates));
    REFUSES("estimates", clup_simulation_estimates_of(simulation, &heat, 1, 0, 1, NULL));
    REFUSES("observable 9999", clup_simulation_estimates_of(simulation, &none, 1, 0, 1, estimates));
    REFUSES("one value", clup_simulation_estimates_of(simulation, &several, 1, 0, 1, estimates));
    REFUSES("replica 1", clup_simulation_estimates_of(simulation, &heat, 1, 0, 2, estimates));
    NEED(clup_simulation_estimate(simulation, 0, all));
    NEED(clup_simulation_estimates_of(simulation, &heat, 1, 0, 1, &one));
    ok(memcmp(&one, &all[heat], sizeof one) == 0, "one estimate is that of all");
    ok(clup_simulation_estimates(simulation, 1, 0, estimates) == CLUP_OK, "of none there are none");
    REFUSES("values", clup_simulation_series(simulation, 0, CLUP_ENERGY, 0, 5, NULL));
    REFUSES("replica 1", clup_simulation_series(simulation, 1, CLUP_ENERGY, 0, 5, values));
    REFUSES("observable", clup_simulation_series(simulation, 0, CLUP_OBSERVABLES, 0, 5, values));
    REFUSES("5 were measured", clup_simulation_series(simulation, 0, CLUP_ENERGY, 3, 3, values));
    REFUSES("5 were measured", clup_simulation_series(simulation, 0, CLUP_ENERGY, 6, 0, values));
    REFUSES("5 were measured",
            clup_simulation_series(simulation, 0, CLUP_ENERGY, 2, UINT64_MAX, values));
    clup_simulation_timing(simulation, NULL);
    REFUSES("sweep", clup_simulation_time_sweep(simulation, 0, NULL));
    clup_simulation_free(simulation);
}

/* A timed sweep does the same as a sweep. */
static void check_timed_sweeps(clup_context *context)
{
    uint8_t timed[12 * 9], run[12 * 9];
    clup_timed_sweep sweep;
    clup_simulation *simulation;
    REFUSES("simulation", clup_simulation_time_sweep(NULL, 0, &sweep));
    for (int k = 0; k < 2; k++) {
        NEED(clup_simulation_create(k == 0 ? context : NULL, &square, NULL, NULL, 1,
                                    CLUP_START_RANDOM, &simulation));
        NEED(clup_simulation_time_sweep(simulation, 0, &sweep));
        NEED(clup_simulation_time_sweep(simulation, 1, &sweep));
        NEED(clup_simulation_spins(simulation, timed));
        double sum = 0;
        for (clup_stage stage = 0; stage < CLUP_STAGES; stage++)
            sum += sweep.stage_s[stage];
        ok(sum > 0 && sum <= sweep.wall_s, "its stages take %g s of %g s", sum, sweep.wall_s);
        ok(clup_simulation_sweeps(simulation) == 2 && clup_simulation_measured(simulation) == 1,
           "two sweeps, of which one was measured");
        clup_simulation_free(simulation);
        NEED(clup_simulation_create(NULL, &square, NULL, NULL, 1, CLUP_START_RANDOM, &simulation));
        NEED(clup_simulation_run(simulation, 2, 0, NULL, NULL));
        NEED(clup_simulation_spins(simulation, run));
        ok(memcmp(timed, run, sizeof run) == 0, "the spins are those of two sweeps");
        clup_simulation_free(simulation);
    }
}

/* Each limit of the device is a number with a unit. */
static void check_limits(clup_context *context)
{
    double values[3];
    for (clup_limit limit = 0; limit < CLUP_LIMITS; limit++) {
        values[2] = -7;
        NEED(clup_limit_measure(context, limit, 2, values));
        ok(values[0] > 0 && isfinite(values[0]) && values[1] > 0 && isfinite(values[1]) &&
               values[2] < 0,
           "%s: %g %s", clup_limit_name(limit), values[0], clup_limit_unit(limit));
    }
    ok(clup_limit_name(CLUP_LIMITS) == NULL && clup_limit_unit(CLUP_LIMITS) == NULL,
       "there are no more");
    REFUSES("limit", clup_limit_measure(context, CLUP_LIMITS, 1, values));
    REFUSES("context", clup_limit_measure(NULL, CLUP_LIMIT_COPY, 1, values));
    REFUSES("values", clup_limit_measure(context, CLUP_LIMIT_COPY, 1, NULL));
}

static void check_simulations(clup_context *context)
{
    const clup_plan zeros = {0};
    uint8_t on_device[12 * 9], on_host[12 * 9];
    clup_estimate estimates[CLUP_OBSERVABLES];
    clup_timing timing = {.sweeps = 7};
    double energy;
    sweep(context, NULL, on_device);
    sweep(NULL, &zeros, on_host);
    ok(memcmp(on_device, on_host, sizeof on_host) == 0,
       "its spins, which are those of the reference, where a plan is ignored");
    REFUSES("simulation", clup_simulation_run(NULL, 1, 1, NULL, NULL));
    REFUSES("simulation", clup_simulation_observe(NULL, NULL, 0, 1));
    REFUSES("simulation", clup_simulation_spins(NULL, on_host));
    REFUSES("simulation", clup_simulation_spin_rows(NULL, 0, 1, on_host));
    REFUSES("simulation", clup_simulation_hash(NULL, 1, (char(*)[65])on_host));
    REFUSES("simulation", clup_simulation_write_spins(NULL, "spins.npy"));
    REFUSES("simulation", clup_simulation_set_state(NULL, 0, on_host));
    REFUSES("simulation", clup_simulation_estimate(NULL, 0, estimates));
    REFUSES("simulation", clup_simulation_estimates(NULL, 0, 1, estimates));
    REFUSES("simulation", clup_simulation_series(NULL, 0, CLUP_ENERGY, 0, 0, &energy));
    ok(clup_estimate_note(NULL) == CLUP_NOTE_NONE, "there is nothing to note of no estimate");
    ok(clup_average_note(NULL) == CLUP_NOTE_NONE, "nor of no average");
    clup_simulation_timing(NULL, &timing);
    ok(timing.sweeps == 0 && clup_simulation_sweeps(NULL) == 0 &&
           clup_simulation_measured(NULL) == 0 && clup_simulation_plan(NULL) == NULL &&
           clup_percolation_plan(NULL) == NULL && clup_labelling_plan(NULL) == NULL,
       "no simulation has no times, nor a plan");
    clup_simulation_free(NULL);
}

static void check_percolation(clup_context *context)
{
    clup_percolation *percolation;
    clup_percolation_point point, wanted;
    double values[CLUP_PERCOLATION_OBSERVABLES];
    const clup_plan zeros = {0};
    LEAVES_NULL("problem", percolation,
                clup_percolation_create(context, NULL, NULL, 1, &percolation));
    LEAVES_NULL("problem", percolation, clup_percolation_create(NULL, NULL, NULL, 1, &percolation));
    LEAVES_NULL("size 0x0", percolation,
                clup_percolation_create(context, &none, NULL, 1, &percolation));
    LEAVES_NULL("no percolation", percolation,
                clup_percolation_create(NULL, &square, NULL, 1, &percolation));
    LEAVES_NULL("plan", percolation,
                clup_percolation_create(context, &bonds, &zeros, 1, &percolation));
    REFUSES("out", clup_percolation_create(context, &bonds, NULL, 1, NULL));
    REFUSES("percolation", clup_percolation_run(NULL, 0.5, 1, NULL, NULL, &point));
    REFUSES("percolation", clup_percolation_series(NULL, 0.5, 0, 1, NULL, NULL, values));
    NEED(clup_percolation_create(NULL, &bonds, &zeros, 1, &percolation));
    NEED(clup_percolation_run(percolation, 0.5, 3, NULL, NULL, &wanted));
    REFUSES("point", clup_percolation_run(percolation, 0.5, 1, NULL, NULL, NULL));
    REFUSES("values", clup_percolation_series(percolation, 0.5, 0, 1, NULL, NULL, NULL));
    REFUSES("not between 0 and 1",
            clup_percolation_series(percolation, 2, 0, 1, NULL, NULL, values));
    REFUSES("2^48", clup_percolation_series(percolation, 0.5, UINT64_MAX, 1, NULL, NULL, values));
    clup_percolation_free(percolation);
    NEED(clup_percolation_create(context, &bonds, NULL, 1, &percolation));
    NEED(clup_percolation_run(percolation, 0.5, 3, NULL, NULL, &point));
    ok(point.estimates[CLUP_PERCOLATION_CLUSTERS].mean ==
           wanted.estimates[CLUP_PERCOLATION_CLUSTERS].mean,
       "percolation with plan NULL finds what the reference does");
    clup_percolation_free(percolation);
    clup_percolation_free(NULL);
    ok(clup_percolation_batch(NULL, &bonds, 9) == 1 &&
           clup_percolation_batch(context, NULL, 9) == 1 &&
           clup_percolation_batch(context, &none, 9) == 1 &&
           clup_percolation_batch(context, &bonds, 0) == 1,
       "a batch of nothing is one");
}

static void check_scans(void)
{
    static const double ps[2] = {0.25, 0.5}, wrong[2] = {0.25, 1.25};
    double matrix[CLUP_PERCOLATION_OBSERVABLES * CLUP_PERCOLATION_OBSERVABLES];
    clup_percolation *percolation, *other;
    clup_percolation_scan *scan, *plain;
    clup_percolation_point point;
    clup_record *record;
    clup_problem wider = bonds;
    wider.size[0] *= 2;
    LEAVES_NULL("problem", scan, clup_percolation_scan_create(NULL, 1, ps, 2, 0, &scan));
    LEAVES_NULL("size 0x0", scan, clup_percolation_scan_create(&none, 1, ps, 2, 0, &scan));
    LEAVES_NULL("no percolation", scan, clup_percolation_scan_create(&square, 1, ps, 2, 0, &scan));
    LEAVES_NULL("ps", scan, clup_percolation_scan_create(&bonds, 1, NULL, 2, 0, &scan));
    LEAVES_NULL("no probabilities", scan, clup_percolation_scan_create(&bonds, 1, ps, 0, 0, &scan));
    LEAVES_NULL("p = 1.25 is not", scan,
                clup_percolation_scan_create(&bonds, 1, wrong, 2, 0, &scan));
    REFUSES("out", clup_percolation_scan_create(&bonds, 1, ps, 2, 0, NULL));
    NEED(clup_percolation_scan_create(&bonds, 1, ps, 2, 1, &scan));
    NEED(clup_percolation_scan_create(&bonds, 1, ps, 2, 0, &plain));
    NEED(clup_percolation_create(NULL, &bonds, NULL, 1, &percolation));
    REFUSES("scan", clup_percolation_scan_run(NULL, percolation, 0, 1, NULL, NULL));
    REFUSES("percolation", clup_percolation_scan_run(scan, NULL, 0, 1, NULL, NULL));
    REFUSES("no p number 2 of 2", clup_percolation_scan_run(scan, percolation, 2, 1, NULL, NULL));
    REFUSES("2^48", clup_percolation_scan_run(scan, percolation, 0, UINT64_MAX, NULL, NULL));
    NEED(clup_percolation_create(NULL, &bonds, NULL, 2, &other));
    REFUSES("seed differs: '1' and '2'", clup_percolation_scan_run(scan, other, 0, 1, NULL, NULL));
    clup_percolation_free(other);
    NEED(clup_percolation_create(NULL, &wider, NULL, 1, &other));
    REFUSES("size differs", clup_percolation_scan_run(scan, other, 0, 1, NULL, NULL));
    clup_percolation_free(other);
    REFUSES("scan", clup_percolation_scan_point(NULL, 0, &point));
    REFUSES("no p number 7", clup_percolation_scan_point(scan, 7, &point));
    REFUSES("point", clup_percolation_scan_point(scan, 0, NULL));
    REFUSES("scan", clup_percolation_scan_covariance(NULL, 0, matrix));
    REFUSES("no p number 2", clup_percolation_scan_covariance(scan, 2, matrix));
    REFUSES("matrix", clup_percolation_scan_covariance(scan, 0, NULL));
    REFUSES("out", clup_percolation_scan_record(scan, NULL));
    LEAVES_NULL("scan", record, clup_percolation_scan_record(NULL, &record));
    LEAVES_NULL("has no samples", record, clup_percolation_scan_record(scan, &record));
    LEAVES_NULL("has not kept", record, clup_percolation_scan_record(plain, &record));
    NEED(clup_percolation_scan_run(scan, percolation, 0, 1, NULL, NULL));
    NEED(clup_percolation_scan_point(scan, 0, &point));
    NEED(clup_percolation_scan_covariance(scan, 0, matrix));
    ok(point.samples == 1 && isnan(matrix[0]), "one sample has no covariance");
    NEED(clup_percolation_scan_record(scan, &record));
    ok(clup_record_systems(record) == 1 && clup_record_problem(record)->betas[0] == 0.25,
       "a record has the probabilities that have samples");
    clup_record_free(record);
    REFUSES("scan", clup_percolation_scan_save(NULL, NULL, "x.h5"));
    REFUSES("path", clup_percolation_scan_save(scan, NULL, NULL));
    clup_percolation_scan_free(plain);
    LEAVES_NULL("path", plain, clup_percolation_scan_load(NULL, &plain));
    REFUSES("out", clup_percolation_scan_load("x.h5", NULL));
    ok(clup_percolation_scan_problem(NULL) == NULL && clup_percolation_scan_seed(NULL) == 0 &&
           clup_percolation_scan_points(NULL, NULL) == 0 && !clup_percolation_scan_keeps(NULL) &&
           clup_percolation_scan_said(NULL) == NULL && clup_percolation_scan_said(scan) == NULL,
       "no scan has nothing");
    clup_percolation_scan_free(scan);
    clup_percolation_scan_free(NULL);
    clup_percolation_free(percolation);
}

/* Series in memory and in files. */
static void check_records(void)
{
    static const double values[6] = {-1, -1.5, -1.25, -1.5, -1.75, -1.25}, nan[1] = {NAN};
    const clup_problem other = {.size = {5, 9}, .periodic = {1, 1}, .q = 2, .beta = 0.88};
    clup_record *record, *back;
    clup_simulation *simulation;
    LEAVES_NULL("problem", record, clup_record_create(NULL, &record));
    LEAVES_NULL("size 0x0", record, clup_record_create(&none, &record));
    clup_problem certain = bonds;
    certain.beta = 1.5;
    LEAVES_NULL("p = 1.5 of system 0", record, clup_record_create(&certain, &record));
    certain.beta = NAN;
    LEAVES_NULL("p = nan of system 0", record, clup_record_create(&certain, &record));
    REFUSES("out", clup_record_create(&square, NULL));
    NEED(clup_record_create(&square, &record));
    REFUSES("record", clup_record_set(NULL, "key", "x"));
    REFUSES("key", clup_record_set(record, NULL, "x"));
    REFUSES("'Key'", clup_record_set(record, "Key", "x"));
    REFUSES("the problem's", clup_record_set(record, "lattice", "x"));
    REFUSES("whole number", clup_record_set(record, "every", "often"));
    REFUSES("record", clup_record_set_series(NULL, 0, "energy", values, 6));
    REFUSES("system 1", clup_record_set_series(record, 1, "energy", values, 6));
    REFUSES("observable", clup_record_set_series(record, 0, NULL, values, 6));
    REFUSES("values", clup_record_set_series(record, 0, "energy", NULL, 6));
    REFUSES("'an energy'", clup_record_set_series(record, 0, "an energy", values, 6));
    REFUSES("nan", clup_record_set_series(record, 0, "energy", nan, 1));
    NEED(clup_record_set_series(record, 0, "energy", values, 6));
    REFUSES("other series have 6", clup_record_set_series(record, 0, "m2", values, 5));
    REFUSES("record", clup_record_set_spins(NULL, 0, ""));
    REFUSES("system 7", clup_record_set_spins(record, 7, ""));
    REFUSES("sha256", clup_record_set_spins(record, 0, NULL));
    REFUSES("'12'", clup_record_set_spins(record, 0, "12"));
    NEED(clup_simulation_create(NULL, &other, NULL, NULL, 1, CLUP_START_ORDERED, &simulation));
    REFUSES("record", clup_record_take(NULL, simulation));
    REFUSES("simulation", clup_record_take(record, NULL));
    REFUSES("size differs: '5x9'", clup_record_take(record, simulation));
    clup_simulation_free(simulation);
    REFUSES("record", clup_record_write(NULL, "x.csv"));
    REFUSES("path", clup_record_write(record, NULL));
    REFUSES("extension", clup_record_write(record, "x.txt"));
    LEAVES_NULL("path", back, clup_record_read(NULL, &back));
    REFUSES("out", clup_record_read("x.csv", NULL));
    ok(clup_record_problem(NULL) == NULL && clup_record_get(NULL, "key") == NULL &&
           clup_record_get(record, NULL) == NULL && clup_record_key(NULL, 0) == NULL &&
           clup_record_key(record, 0) == NULL && clup_record_spins(NULL, 0) == NULL &&
           clup_record_spins(record, 1) == NULL && clup_record_systems(NULL) == 0 &&
           clup_record_count(NULL, 0) == 0 && clup_record_count(record, 1) == 0 &&
           clup_record_observable(NULL, 0) == NULL && clup_record_observable(record, 1) == NULL &&
           clup_record_series(NULL, 0, "energy") == NULL &&
           clup_record_series(record, 0, NULL) == NULL &&
           clup_record_series(record, 0, "m2") == NULL,
       "no record has nothing, and what it has not is NULL");
    ok(clup_hdf5_version() == NULL || clup_hdf5_version()[0] == '1', "HDF5 may be there or not");
    clup_record_free(record);
    clup_record_free(NULL);
}

static clup_status work_aside(void *user)
{
    *(int *)user += 1;
    return CLUP_OK;
}

static clup_status fail_aside(void *user)
{
    (void)user;
    return clup_record_read(NULL, NULL);
}

static void check_aside(void)
{
    int worked = 0;
    clup_aside *aside = clup_aside_begin(work_aside, &worked);
    ok(aside != NULL && clup_aside_end(&aside) == CLUP_OK && aside == NULL && worked == 1,
       "a thread beside the caller works, and is waited for");
    aside = clup_aside_begin(fail_aside, NULL);
    REFUSES("out", clup_aside_end(&aside));
}

static void check_analysis(void)
{
    static const double values[6] = {-1, -1.5, -1.25, -1.5, -1.75, -1.25};
    clup_record *record;
    clup_reweighting *made;
    clup_analysis analysis;
    clup_coverage coverage;
    clup_place place;
    clup_slope slopes[2];
    double matrix[4];
    REFUSES("values", clup_analysis_of(NULL, 6, &analysis));
    REFUSES("analysis", clup_analysis_of(values, 6, NULL));
    REFUSES("no values", clup_analysis_of(values, 0, &analysis));
    NEED(clup_record_create(&square, &record));
    const clup_record *const records[] = {record}, *const nothing_there[] = {NULL};
    LEAVES_NULL("no 'energy'", made, clup_reweighting_create(records, 1, &made));
    NEED(clup_record_set_series(record, 0, "energy", values, 6));
    REFUSES("record", clup_analysis_covariance(NULL, 0, matrix, NULL));
    REFUSES("system 1", clup_analysis_covariance(record, 1, matrix, NULL));
    REFUSES("matrix", clup_analysis_covariance(record, 0, NULL, NULL));
    REFUSES("record", clup_analysis_observable(NULL, 0, "energy", &analysis));
    REFUSES("name", clup_analysis_observable(record, 0, NULL, &analysis));
    REFUSES("analysis", clup_analysis_observable(record, 0, "energy", NULL));
    REFUSES("system 1", clup_analysis_observable(record, 1, "energy", &analysis));
    REFUSES("no 'binder'", clup_analysis_observable(record, 0, "binder", &analysis));
    uint64_t distances;
    REFUSES("record", clup_analysis_correlation(NULL, 0, "energy", 4, matrix, NULL, &distances));
    REFUSES("name", clup_analysis_correlation(record, 0, NULL, 4, matrix, NULL, &distances));
    REFUSES("rho", clup_analysis_correlation(record, 0, "energy", 4, NULL, NULL, &distances));
    REFUSES("count", clup_analysis_correlation(record, 0, "energy", 4, matrix, NULL, NULL));
    REFUSES("system 1",
            clup_analysis_correlation(record, 1, "energy", 4, matrix, NULL, &distances));
    REFUSES("no 'binder'",
            clup_analysis_correlation(record, 0, "binder", 4, matrix, NULL, &distances));
    REFUSES("most is 0",
            clup_analysis_correlation(record, 0, "energy", 0, matrix, NULL, &distances));
    REFUSES("record", clup_analysis_expression(NULL, 0, "energy", &analysis));
    REFUSES("text", clup_analysis_expression(record, 0, NULL, &analysis));
    REFUSES("system 1", clup_analysis_expression(record, 1, "energy", &analysis));
    REFUSES("no series of", clup_analysis_expression(record, 0, "m2", &analysis));
    ok(strcmp(clup_analysis_function(record, 0, 0), "specific_heat") == 0 &&
           clup_analysis_function(record, 0, 1) == NULL &&
           clup_analysis_function(record, 1, 0) == NULL &&
           clup_analysis_function(NULL, 0, 0) == NULL,
       "of energies alone the specific heat is known");
    LEAVES_NULL("records", made, clup_reweighting_create(NULL, 1, &made));
    LEAVES_NULL("no records", made, clup_reweighting_create(records, 0, &made));
    LEAVES_NULL("records[k]", made, clup_reweighting_create(nothing_there, 1, &made));
    REFUSES("out", clup_reweighting_create(records, 1, NULL));
    NEED(clup_reweighting_create(records, 1, &made));
    REFUSES("reweighting", clup_reweighting_at(NULL, 1, matrix, matrix, &coverage));
    REFUSES("beta -1", clup_reweighting_at(made, -1, NULL, NULL, &coverage));
    REFUSES("beta inf", clup_reweighting_at(made, INFINITY, NULL, NULL, &coverage));
    REFUSES("reweighting", clup_reweighting_peak(NULL, "energy", 0, 1, &place));
    REFUSES("name", clup_reweighting_peak(made, NULL, 0, 1, &place));
    REFUSES("'magic'", clup_reweighting_peak(made, "magic", 0, 1, &place));
    REFUSES("from 1 to 1", clup_reweighting_peak(made, "energy", 1, 1, &place));
    REFUSES("peak", clup_reweighting_peak(made, "energy", 0, 1, NULL));
    REFUSES("a is NULL", clup_reweighting_crossing(NULL, made, "energy", 0, 1, &place));
    REFUSES("b is NULL", clup_reweighting_crossing(made, NULL, "energy", 0, 1, &place));
    REFUSES("name", clup_reweighting_crossing(made, made, NULL, 0, 1, &place));
    REFUSES("crossing", clup_reweighting_crossing(made, made, "energy", 0, 1, NULL));
    REFUSES("'1/'", clup_reweighting_crossing(made, made, "1/", 0, 1, &place));
    REFUSES("reweighting", clup_reweighting_slope(NULL, "energy", 1, slopes));
    REFUSES("name", clup_reweighting_slope(made, NULL, 1, slopes));
    REFUSES("slope", clup_reweighting_slope(made, "energy", 1, NULL));
    REFUSES("'m2'", clup_reweighting_slope(made, "m2/L", 1, slopes));
    REFUSES("beta -1", clup_reweighting_slope(made, "energy", -1, slopes));
    REFUSES("beta nan", clup_reweighting_slope(made, "energy", NAN, slopes));
    place = (clup_place){.found = 1, .beta = 1};
    REFUSES("a is NULL", clup_reweighting_crossing_slopes(NULL, made, "energy", &place, slopes));
    REFUSES("b is NULL", clup_reweighting_crossing_slopes(made, NULL, "energy", &place, slopes));
    REFUSES("name", clup_reweighting_crossing_slopes(made, made, NULL, &place, slopes));
    REFUSES("crossing", clup_reweighting_crossing_slopes(made, made, "energy", NULL, slopes));
    REFUSES("slopes", clup_reweighting_crossing_slopes(made, made, "energy", &place, NULL));
    double number;
    clup_histogram *histogram;
    clup_double_peak peak;
    REFUSES("reweighting", clup_reweighting_ln_z(NULL, 0, 1, &number, NULL));
    REFUSES("beta -1", clup_reweighting_ln_z(made, -1, 1, &number, NULL));
    REFUSES("beta inf", clup_reweighting_ln_z(made, 0, INFINITY, &number, NULL));
    REFUSES("reweighting", clup_reweighting_ln_z_hot(NULL, &number));
    REFUSES("ln_z", clup_reweighting_ln_z_hot(made, NULL));
    REFUSES("no series is of it", clup_reweighting_ln_z_hot(made, &number));
    REFUSES("out", clup_histogram_create(made, records, 1, "energy", 0, NULL));
    LEAVES_NULL("reweighting", histogram,
                clup_histogram_create(NULL, records, 1, "energy", 0, &histogram));
    LEAVES_NULL("records", histogram,
                clup_histogram_create(made, NULL, 1, "energy", 0, &histogram));
    LEAVES_NULL("no records", histogram,
                clup_histogram_create(made, records, 0, "energy", 0, &histogram));
    LEAVES_NULL("name", histogram, clup_histogram_create(made, records, 1, NULL, 0, &histogram));
    LEAVES_NULL("no histogram of 'm': the series have energy", histogram,
                clup_histogram_create(made, records, 1, "m", 0, &histogram));
    NEED(clup_histogram_create(made, records, 1, "energy", 0, &histogram));
    REFUSES("histogram", clup_histogram_at(NULL, 1, NULL, NULL));
    REFUSES("beta nan", clup_histogram_at(histogram, NAN, NULL, NULL));
    REFUSES("histogram", clup_histogram_double_peak(NULL, 0, 1, &peak));
    REFUSES("peak", clup_histogram_double_peak(histogram, 0, 1, NULL));
    REFUSES("from 1 to 0", clup_histogram_double_peak(histogram, 1, 0, &peak));
    NEED(clup_histogram_double_peak(histogram, 0, 1, &peak));
    ok(!peak.found && clup_histogram_bins(NULL, &number, NULL) == 0, "six values have no phases");
    clup_histogram_free(histogram);
    clup_histogram_free(NULL);
    place.found = 0;
    REFUSES("not found", clup_reweighting_crossing_slopes(made, made, "energy", &place, slopes));
    const double betas[] = {0.4, -1};
    REFUSES("reweighting",
            clup_reweighting_covariance(NULL, "energy", 0, betas, 1, matrix, matrix));
    REFUSES("name", clup_reweighting_covariance(made, NULL, 0, betas, 1, matrix, matrix));
    REFUSES("betas", clup_reweighting_covariance(made, "energy", 0, NULL, 1, matrix, matrix));
    REFUSES("values", clup_reweighting_covariance(made, "energy", 0, betas, 1, NULL, matrix));
    REFUSES("covariance", clup_reweighting_covariance(made, "energy", 0, betas, 1, matrix, NULL));
    REFUSES("'magic'", clup_reweighting_covariance(made, "magic", 0, betas, 1, matrix, matrix));
    REFUSES("number 2", clup_reweighting_covariance(made, "energy", 2, betas, 1, matrix, matrix));
    REFUSES("no temperatures",
            clup_reweighting_covariance(made, "energy", 0, betas, 0, matrix, matrix));
    REFUSES("beta -1", clup_reweighting_covariance(made, "energy", 0, betas, 2, matrix, matrix));
    ok(clup_reweighting_name(NULL, 0) == NULL && clup_reweighting_name(made, 99) == NULL &&
           clup_reweighting_blocks(NULL) == 0,
       "nothing is known of none");
    clup_reweighting_free(made);
    clup_reweighting_free(NULL);
    clup_record_free(record);
}

static void check_scaling(void)
{
    static const double x[] = {0.43, 0.45}, values[] = {1, 2}, known[] = {1, 0.5, 0.5, 1},
                        none[] = {1, 0, 0, 0}, odd[] = {1, 0.5, 0.4, 1}, negative[] = {1, 2, 2, 1},
                        unknown[] = {NAN, 1}, parameters[] = {0.44, 1, 0, 0},
                        flat[] = {0.44, 0, 0, 0};
    const unsigned nu = 1u << CLUP_SCALING_NU, omega = 1u << CLUP_SCALING_OMEGA;
    const clup_scaling_model power = {.values = {0.44, 1, 0, 1}, .terms = 1};
    clup_scaling *made = NULL;
    clup_scaling_model model = power;
    clup_scaling_result result;
    double quality;
    REFUSES("out", clup_scaling_create(NULL));
    NEED(clup_scaling_create(&made));
    REFUSES("no sizes", clup_scaling_fit(made, &model, &result));
    REFUSES("scaling", clup_scaling_add(NULL, 8, x, values, known, 2, 0));
    REFUSES("x is", clup_scaling_add(made, 8, NULL, values, known, 2, 0));
    REFUSES("values", clup_scaling_add(made, 8, x, NULL, known, 2, 0));
    REFUSES("covariance", clup_scaling_add(made, 8, x, values, NULL, 2, 0));
    REFUSES("no values", clup_scaling_add(made, 8, x, values, known, 0, 0));
    REFUSES("length 0", clup_scaling_add(made, 0, x, values, known, 2, 0));
    REFUSES("length nan", clup_scaling_add(made, NAN, x, values, known, 2, 0));
    REFUSES("3 blocks", clup_scaling_add(made, 8, x, values, known, 2, 3));
    REFUSES("value nan", clup_scaling_add(made, 8, x, unknown, known, 2, 0));
    REFUSES("not above 0", clup_scaling_add(made, 8, x, values, none, 2, 0));
    REFUSES("not symmetric", clup_scaling_add(made, 8, x, values, odd, 2, 0));
    REFUSES("eigenvalue", clup_scaling_add(made, 8, x, values, negative, 2, 0));
    NEED(clup_scaling_add(made, 8, x, values, known, 2, 0));
    model.fitted = nu;
    REFUSES("one size alone, 8", clup_scaling_fit(made, &model, &result));
    REFUSES("fewer than two", clup_scaling_quality(made, parameters, 0, &quality, NULL));
    NEED(clup_scaling_add(made, 16, x, values, known, 1, 0));
    REFUSES("scaling", clup_scaling_fit(NULL, &model, &result));
    REFUSES("model", clup_scaling_fit(made, NULL, &result));
    REFUSES("result", clup_scaling_fit(made, &model, NULL));
    REFUSES("scaling", clup_scaling_collapse(NULL, &model, &result));
    REFUSES("model", clup_scaling_collapse(made, NULL, &result));
    REFUSES("result", clup_scaling_collapse(made, &model, NULL));
    REFUSES("scaling", clup_scaling_quality(NULL, parameters, 0, &quality, NULL));
    REFUSES("parameters", clup_scaling_quality(made, NULL, 0, &quality, NULL));
    REFUSES("result", clup_scaling_quality(made, parameters, 0, NULL, NULL));
    REFUSES("nu 0", clup_scaling_quality(made, flat, 0, &quality, NULL));
    model.terms = 4;
    REFUSES("3 independent values for 5 parameters", clup_scaling_fit(made, &model, &result));
    model.terms = 9;
    REFUSES("9 terms", clup_scaling_fit(made, &model, &result));
    model = power;
    model.fitted = 16;
    REFUSES("unknown parameter", clup_scaling_fit(made, &model, &result));
    model.fitted = omega;
    REFUSES("omega", clup_scaling_fit(made, &model, &result));
    REFUSES("omega", clup_scaling_collapse(made, &model, &result));
    model = power;
    model.values[CLUP_SCALING_NU] = -1;
    REFUSES("nu is -1", clup_scaling_fit(made, &model, &result));
    model = power;
    model.reserved[3] = 1;
    REFUSES("reserved", clup_scaling_fit(made, &model, &result));
    model = power;
    model.least = 100;
    REFUSES("no sizes from 100 on", clup_scaling_fit(made, &model, &result));
    model = power;
    model.terms = 2;
    model.fitted = 1u << CLUP_SCALING_X_C | nu;
    REFUSES("parameters", clup_scaling_fit(made, &model, &result));
    ok(clup_scaling_length(NULL, 0, NULL, NULL) == 0 &&
           clup_scaling_length(made, 2, NULL, NULL) == 0 && isnan(clup_scaling_value(NULL, 8, 0)),
       "there is no length and no value of none");
    clup_scaling_free(made);
    clup_scaling_free(NULL);
}

static void check_files(void)
{
    uint32_t *room = NULL;
    char hex[65] = "x";
    clup_raw raw = {0};
    clup_image back,
        no_pixels = {.size = {4, 3, 1}, .axes = 2, .dtype = CLUP_DTYPE_U8, .channels = 1};
    const clup_image zeros = {0};
    const clup_cluster cluster = {.size = 1};
    clup_sha256(NULL, 3, hex);
    clup_sha256("abc", 3, NULL);
    ok(hex[0] == '\0', "no data have no hash");
    clup_sha256(NULL, 0, hex);
    ok(strncmp(hex, "e3b0c442", 8) == 0, "but 0 bytes have");
    REFUSES("path", clup_file_save(NULL, "", 0));
    REFUSES("data", clup_file_save("nowhere", NULL, 0));
    ok(clup_file_save(nowhere("file"), "", 0) == CLUP_ERROR_RUNTIME,
       "a file in a folder that is not there: %s", clup_error_detail());
    REFUSES("path", clup_file_writable(NULL));
    REFUSES("text", clup_raw_parse_shape(NULL, &raw));
    REFUSES("raw", clup_raw_parse_shape("4x3", NULL));
    REFUSES("text", clup_raw_parse_dtype(NULL, &raw));
    REFUSES("raw", clup_raw_parse_dtype("u8", NULL));
    REFUSES("path", clup_image_read(NULL, NULL, &back));
    ok(back.pixels == NULL && back.axes == 0, "and leaves no image");
    REFUSES("image", clup_image_read("x.png", NULL, NULL));
    REFUSES("path", clup_image_write(NULL, &zeros));
    REFUSES("image", clup_image_write("x.npy", NULL));
    REFUSES("0 x 0 x 0", clup_image_write("x.npy", &zeros));
    REFUSES("without pixels", clup_image_write("x.npy", &no_pixels));
    REFUSES("path", clup_labels_write(NULL, NULL, labels, four, 2, 1));
    REFUSES("labels", clup_labels_write(NULL, "x.npy", NULL, four, 2, 1));
    REFUSES("size", clup_labels_write(NULL, "x.npy", labels, NULL, 2, 1));
    REFUSES("0 x 0 x 0", clup_labels_write(NULL, "x.npy", labels, nothing, 2, 1));
    REFUSES("labels", clup_labels_sha256(NULL, NULL, 12, hex));
    REFUSES("hex", clup_labels_sha256(NULL, labels, 12, NULL));
    REFUSES("path", clup_labels_draw(NULL, labels, four));
    REFUSES("labels", clup_labels_draw("x.png", NULL, four));
    REFUSES("size", clup_labels_draw("x.png", labels, NULL));
    REFUSES("0 x 0 x 0", clup_labels_draw("x.png", labels, nothing));
    REFUSES("path", clup_labels_draw_by_size(NULL, labels, four));
    REFUSES("labels", clup_labels_draw_by_size("x.png", NULL, four));
    REFUSES("size", clup_labels_draw_by_size("x.png", labels, NULL));
    REFUSES("0 x 0 x 0", clup_labels_draw_by_size("x.png", labels, nothing));
    REFUSES("path", clup_labels_overlay(NULL, &no_pixels, labels));
    REFUSES("image", clup_labels_overlay("x.png", NULL, labels));
    REFUSES("labels", clup_labels_overlay("x.png", &no_pixels, NULL));
    REFUSES("without pixels", clup_labels_overlay("x.png", &no_pixels, labels));
    REFUSES("path", clup_clusters_write(NULL, &cluster, 1, 2, 1));
    REFUSES("clusters", clup_clusters_write("x.csv", NULL, 1, 2, 1));
    REFUSES("0 axes", clup_clusters_write("x.csv", &cluster, 1, 0, 0));
    clup_image_clear(NULL);
    REFUSES("labels", clup_labels_create(12, NULL, NULL));
    REFUSES("0 pixels", clup_labels_create(0, NULL, &room));
    clup_labels_free(NULL, 12);
}

static void check_labels(clup_context *context)
{
    clup_labelling *labelling;
    clup_cluster clusters[12];
    uint32_t count = 12;
    uint64_t largest;
    cl_mem buffer;
    LEAVES_NULL("context", labelling, clup_labelling_create(NULL, &image, &labelling));
    LEAVES_NULL("problem", labelling, clup_labelling_create(context, NULL, &labelling));
    LEAVES_NULL("type 0", labelling, clup_labelling_create(context, &no_image, &labelling));
    REFUSES("out", clup_labelling_create(context, &image, NULL));
    REFUSES("context", clup_label_image(NULL, &image, pixels, 0, labels, &count, NULL));
    REFUSES("problem", clup_label_image(context, NULL, pixels, 0, labels, &count, NULL));
    REFUSES("connectivity 0",
            clup_label_image(context, &no_image, pixels, 0, labels, &count, NULL));
    REFUSES("pixels", clup_label_image(context, &image, NULL, 0, labels, &count, NULL));
    REFUSES("labels", clup_label_image(context, &image, pixels, 0, NULL, &count, NULL));
    ok(clup_label_image(context, &image, pixels, 0, labels, NULL, NULL) == CLUP_OK &&
           labels[11] == 3,
       "how many clusters need not be asked");
    clup_cluster measured[12];
    REFUSES("context", clup_label_measure(NULL, &image, pixels, labels, 3, measured));
    REFUSES("problem", clup_label_measure(context, NULL, pixels, labels, 3, measured));
    REFUSES("type 0", clup_label_measure(context, &no_image, pixels, labels, 3, measured));
    REFUSES("pixels", clup_label_measure(context, &image, NULL, labels, 3, measured));
    REFUSES("labels", clup_label_measure(context, &image, pixels, NULL, 3, measured));
    REFUSES("out", clup_label_measure(context, &image, pixels, labels, 3, NULL));
    REFUSES("no pixel has label 4",
            clup_label_measure(context, &image, pixels, labels, 4, measured));
    ok(clup_label_measure(context, &image, pixels, labels, 3, measured) == CLUP_OK &&
           measured[0].size + measured[1].size + measured[2].size <= 12 &&
           clup_label_measure(context, &image, pixels, labels, 0, NULL) == CLUP_OK,
       "clusters of an image in the host's memory");
    REFUSES("labels", clup_labels_drop_small(NULL, NULL, 12, 1, &count, &largest));
    REFUSES("count", clup_labels_drop_small(NULL, labels, 12, 1, NULL, &largest));
    const clup_label_rule rule = {0};
    REFUSES("image", clup_labels_keep(NULL, NULL, &rule, labels, &count, NULL, NULL));
    REFUSES("rule", clup_labels_keep(NULL, &image, NULL, labels, &count, NULL, NULL));
    REFUSES("labels", clup_labels_keep(NULL, &image, &rule, NULL, &count, NULL, NULL));
    REFUSES("count", clup_labels_keep(NULL, &image, &rule, labels, NULL, NULL, NULL));
    REFUSES("no image", clup_labels_keep(NULL, &no_image, &rule, labels, &count, NULL, NULL));
    REFUSES("context", clup_labels_fill_holes(NULL, &image, labels, 3, 0, NULL));
    REFUSES("image", clup_labels_fill_holes(context, NULL, labels, 3, 0, NULL));
    REFUSES("labels", clup_labels_fill_holes(context, &image, NULL, 3, 0, NULL));
    REFUSES("no image", clup_labels_fill_holes(context, &no_image, labels, 3, 0, NULL));
    check_contacts(context);
    NEED(clup_buffer_create(context, 64, "a buffer", &buffer));
    REFUSES("labelling",
            clup_labelling_enqueue(NULL, buffer, buffer, CLUP_LABELS_NUMBERED, 0, NULL, NULL));
    REFUSES("labelling", clup_labelling_count(NULL, &count));
    REFUSES("context", clup_selftest(NULL, 0, NULL, NULL));
    REFUSES("labelling",
            clup_labelling_run(NULL, pixels, CLUP_LABELS_NUMBERED, labels, &count, NULL));
    REFUSES("labelling", clup_labelling_measure(NULL, buffer, buffer, 1, clusters));
    REFUSES("labelling", clup_labelling_measure_run(NULL, 1, clusters));
    NEED(clup_labelling_create(context, &image, &labelling));
    REFUSES("no image was labelled", clup_labelling_count(labelling, &count));
    REFUSES("no image was labelled",
            clup_labelling_measure(labelling, buffer, buffer, 1, clusters));
    REFUSES("no image was labelled", clup_labelling_measure_run(labelling, 1, clusters));
    REFUSES("pixels",
            clup_labelling_enqueue(labelling, NULL, buffer, CLUP_LABELS_NUMBERED, 0, NULL, NULL));
    REFUSES("labels",
            clup_labelling_enqueue(labelling, buffer, NULL, CLUP_LABELS_NUMBERED, 0, NULL, NULL));
    REFUSES("wait",
            clup_labelling_enqueue(labelling, buffer, buffer, CLUP_LABELS_NUMBERED, 1, NULL, NULL));
    REFUSES("form 7", clup_labelling_enqueue(labelling, buffer, buffer, 7, 0, NULL, NULL));
    REFUSES("pixels",
            clup_labelling_run(labelling, NULL, CLUP_LABELS_NUMBERED, labels, &count, NULL));
    REFUSES("labels",
            clup_labelling_run(labelling, pixels, CLUP_LABELS_NUMBERED, NULL, &count, NULL));
    REFUSES("form 7", clup_labelling_run(labelling, pixels, 7, labels, &count, NULL));
    NEED(clup_labelling_run(labelling, pixels, CLUP_LABELS_NUMBERED, labels, NULL, NULL));
    REFUSES("clusters", clup_labelling_count(labelling, NULL));
    REFUSES("numbers", clup_labelling_measure(labelling, NULL, NULL, 1, clusters));
    REFUSES("out", clup_labelling_measure_run(labelling, 1, NULL));
    REFUSES("labelling", clup_labelling_measure_most(NULL, NULL, buffer, 1, clusters, &count));
    REFUSES("numbers", clup_labelling_measure_most(labelling, NULL, NULL, 1, clusters, &count));
    REFUSES("out", clup_labelling_measure_most(labelling, NULL, buffer, 1, NULL, &count));
    REFUSES("clusters", clup_labelling_measure_most(labelling, NULL, buffer, 1, clusters, NULL));
    ok(clup_labelling_measure_run(labelling, 0, NULL) == CLUP_OK, "no clusters need no room");
    REFUSES("labelling", clup_labelling_before(NULL, &count));
    REFUSES("before", clup_labelling_before(labelling, NULL));
    REFUSES("labelling", clup_labelling_number_each(NULL, buffer));
    REFUSES("labels", clup_labelling_number_each(labelling, NULL));
    REFUSES("context",
            clup_label_batch(NULL, &image, 1, pixels, CLUP_NUMBER_EACH, labels, NULL, NULL, NULL));
    REFUSES("problem",
            clup_label_batch(context, NULL, 1, pixels, CLUP_NUMBER_EACH, labels, NULL, NULL, NULL));
    REFUSES("pixels",
            clup_label_batch(context, &image, 1, NULL, CLUP_NUMBER_EACH, labels, NULL, NULL, NULL));
    REFUSES("labels",
            clup_label_batch(context, &image, 1, pixels, CLUP_NUMBER_EACH, NULL, NULL, NULL, NULL));
    clup_clusters_free(NULL);
    double level;
    int64_t more;
    clup_image whole = {
        .size = {4, 3, 1}, .axes = 2, .dtype = CLUP_DTYPE_U8, .channels = 1, .pixels = labels};
    REFUSES("context", clup_threshold(NULL, &whole, CLUP_THRESHOLD_OTSU, &level, &more));
    REFUSES("image", clup_threshold(context, NULL, CLUP_THRESHOLD_OTSU, &level, &more));
    REFUSES("level", clup_threshold(context, &whole, CLUP_THRESHOLD_OTSU, NULL, &more));
    REFUSES("more", clup_threshold(context, &whole, CLUP_THRESHOLD_OTSU, &level, NULL));
    REFUSES("threshold 3", clup_threshold(context, &whole, CLUP_THRESHOLDS, &level, &more));
    whole.channels = 3;
    REFUSES("3 channels", clup_threshold(context, &whole, CLUP_THRESHOLD_OTSU, &level, &more));
    ok(clup_threshold_name(CLUP_THRESHOLDS) == NULL, "no more thresholds have names");
    const uint64_t before_one[2] = {0, 1}, fewer[3] = {0, 2, 1};
    REFUSES("path", clup_batch_write(NULL, clusters, before_one, 1, NULL, CLUP_NUMBER_EACH, 2, 1));
    REFUSES("before", clup_batch_write("x.csv", clusters, NULL, 1, NULL, CLUP_NUMBER_EACH, 2, 1));
    REFUSES("clusters",
            clup_batch_write("x.csv", NULL, before_one, 1, NULL, CLUP_NUMBER_EACH, 2, 1));
    REFUSES("1 clusters are less than 2",
            clup_batch_write("x.csv", clusters, fewer, 2, NULL, CLUP_NUMBER_EACH, 2, 1));
    clup_labelling_free(labelling);
    clup_labelling_free(NULL);
    clup_buffer_free(context, buffer);
}

static void check_regions(clup_context *context)
{
    const clup_region_problem good = {.size = {2, 1, 1}, .axes = 2, .properties = "area"};
    clup_region_problem bad = good;
    clup_regions *regions;
    const uint32_t labels[] = {1, 2};
    REFUSES("context", clup_regions_create(NULL, &good, &regions));
    REFUSES("problem", clup_regions_create(context, NULL, &regions));
    REFUSES("out", clup_regions_create(context, &good, NULL));
    bad.properties = NULL;
    REFUSES("properties", clup_regions_create(context, &bad, &regions));
    bad = good, bad.properties = "area,,bbox";
    REFUSES("'' is no property", clup_regions_create(context, &bad, &regions));
    bad.properties = "intensity_mean";
    REFUSES("needs an image of intensities", clup_regions_create(context, &bad, &regions));
    bad = good, bad.axes = 4;
    REFUSES("1 to 3 axes, not 4", clup_regions_create(context, &bad, &regions));
    bad = good, bad.size[2] = 2;
    REFUSES("2 x 1 x 2", clup_regions_create(context, &bad, &regions));
    bad = good, bad.spacing[1] = -1;
    REFUSES("length -1 along axis y", clup_regions_create(context, &bad, &regions));
    bad = good, bad.dtype = CLUP_DTYPES;
    REFUSES("dtype", clup_regions_create(context, &bad, &regions));
    bad = good, bad.channels = 5;
    REFUSES("5 channels", clup_regions_create(context, &bad, &regions));
    bad = good, bad.reserved[3] = 1;
    REFUSES("clup_region_problem.reserved[3]", clup_regions_create(context, &bad, &regions));
    ok(clup_region_property(0) != NULL && clup_region_property(1000) == NULL,
       "properties have numbers");
    NEED(clup_regions_create(context, &good, &regions));
    REFUSES("regions", clup_regions_measure(NULL, NULL, NULL, 1));
    REFUSES("labels", clup_regions_measure(regions, NULL, NULL, 1));
    REFUSES("regions", clup_regions_measure_host(NULL, labels, NULL, 1));
    REFUSES("labels", clup_regions_measure_host(regions, NULL, NULL, 1));
    REFUSES("path", clup_regions_write(NULL, regions));
    REFUSES("regions", clup_regions_write("x.csv", NULL));
    REFUSES("x.txt", clup_regions_write("x.txt", regions));
    NEED(clup_regions_measure_host(regions, labels, NULL, 2));
    ok(clup_regions_rows(regions) == 2 && clup_regions_columns(regions) == 1 &&
           clup_regions_column(regions, 1).name == NULL && clup_regions_rows(NULL) == 0 &&
           clup_regions_columns(NULL) == 0 && clup_regions_column(NULL, 0).name == NULL,
       "rows and columns, and none past the end");
    clup_regions_free(regions);
    clup_regions_free(NULL);
    NEED(clup_regions_create(
        context,
        &(clup_region_problem){
            .size = {2, 1, 1}, .axes = 2, .properties = "intensity_min", .dtype = CLUP_DTYPE_U8},
        &regions));
    REFUSES("values", clup_regions_measure_host(regions, labels, NULL, 1));
    clup_regions_free(regions);
}

/* Fields reserved for later versions: structures keep their sizes, see clup.h, and values other
 * than zero are refused. */
static void check_reserved(clup_context *context)
{
/* clang-format off */
#define SIZE(STRUCT, BYTES) {#STRUCT, sizeof(STRUCT), BYTES}
    /* clang-format on */
    static const struct {
        const char *name;
        size_t bytes, wanted; /* the size on machines with pointers and longs of 64 bits */
    } sizes[] = {
        SIZE(clup_population_step, 96),
        SIZE(clup_property, 392),
        SIZE(clup_problem, 296),
        SIZE(clup_method, 96),
        SIZE(clup_kernel_scope, 72),
        SIZE(clup_plan_request, 120),
        SIZE(clup_plan, 904),
        SIZE(clup_alternative, 952),
        SIZE(clup_sample, 104),
        SIZE(clup_sweep_times, 24),
        SIZE(clup_tune_rows, 560),
        SIZE(clup_sweep_sample, 104),
        SIZE(clup_memory, 80),
        SIZE(clup_estimate, 64),
        SIZE(clup_percolation_point, 2840),
        SIZE(clup_timing, 168),
        SIZE(clup_image, 64),
        SIZE(clup_raw, 56),
        SIZE(clup_image_options, 136),
        SIZE(clup_cluster, 176),
        SIZE(clup_label_problem, 152),
        SIZE(clup_label_timing, 64),
        SIZE(clup_timed_sweep, 120),
        SIZE(clup_analysis, 432),
        SIZE(clup_coverage, 56),
        SIZE(clup_place, 72),
        SIZE(clup_tempering, 56),
        SIZE(clup_rung, 72),
        SIZE(clup_walker, 48),
        SIZE(clup_scaling_model, 88),
        SIZE(clup_scaling_result, 592),
        SIZE(clup_region_problem, 88),
        SIZE(clup_contact, 56),
        SIZE(clup_contact_problem, 88),
        SIZE(clup_contacts, 64),
        SIZE(clup_label_rule, 64),
    };
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        ok(sizeof(void *) != 8 || sizes[k].bytes == sizes[k].wanted, "%s has %zu bytes, as before",
           sizes[k].name, sizes[k].bytes);
    clup_problem problem = square, of_image = {.model = CLUP_IMAGE, .image = &image};
    clup_method method = {.reserved = {1}};
    clup_plan_request request = {.reserved = {[6] = 1}};
    clup_plan plan, filled;
    clup_label_problem labelled = image;
    clup_image_options options = {.reserved = {1}}, raw = {.raw = {.reserved = {1}}};
    clup_image back,
        written = {
            .size = {4, 3, 1}, .axes = 2, .dtype = CLUP_DTYPE_U8, .channels = 1, .pixels = labels};
    const clup_cluster clusters[2] = {[1] = {.reserved = {[3] = 1}}};
    clup_simulation *simulation;
    clup_percolation *percolation;
    clup_memory memory;
    memset(&filled, 0xFF, sizeof filled);
    NEED(clup_plan_choose(context, &square, NULL, NULL, &filled));
    memset(&plan, 0, sizeof plan);
    ok(memcmp(filled.reserved, plan.reserved, sizeof plan.reserved) == 0,
       "what is filled has zeros");
    plan = filled;
    plan.reserved[0] = problem.reserved[1] = labelled.reserved[0] = written.reserved[0] = 1;
    REFUSES("clup_problem.reserved[1]", clup_problem_check(&problem));
    REFUSES("clup_problem", clup_percolation_create(NULL, &problem, NULL, 1, &percolation));
    of_image.reserved[1] = 1;
    REFUSES("clup_problem", clup_problem_check(&of_image));
    REFUSES("clup_method.reserved[0]", clup_method_check(&square, &method));
    REFUSES("clup_method", clup_simulation_create(NULL, &square, &method, NULL, 1,
                                                  CLUP_START_ORDERED, &simulation));
    REFUSES("clup_plan_request.reserved[6]",
            clup_plan_choose(NULL, &square, NULL, &request, &filled));
    REFUSES("clup_plan.",
            clup_simulation_create(NULL, &square, NULL, &plan, 1, CLUP_START_ORDERED, &simulation));
    REFUSES("clup_plan.", clup_simulation_memory(context, &square, NULL, &plan, &memory));
    REFUSES("clup_plan.", clup_simulation_create(context, &square, NULL, &plan, 1,
                                                 CLUP_START_ORDERED, &simulation));
    REFUSES("clup_label_problem.",
            clup_label_image(context, &labelled, pixels, 0, labels, NULL, NULL));
    REFUSES("clup_image_options.", clup_image_read("x.png", &options, &back));
    REFUSES("clup_raw.", clup_image_read("x.png", &raw, &back));
    REFUSES("clup_image.reserved[0]", clup_image_write("x.npy", &written));
    REFUSES("clup_cluster.reserved[3]", clup_clusters_write("x.csv", clusters, 2, 2, 1));
}

/* Appends the text of a source file. */
static int add_file(clup_text *text, const char *name)
{
    const char *top = getenv("srcdir");
    clup_text path = {0};
    char line[1024];
    clup_text_add(&path, "%s/%s", top != NULL ? top : ".", name);
    FILE *file = fopen(path.data, "r");
    clup_text_free(&path);
    if (file == NULL)
        return 0;
    while (fgets(line, sizeof line, file) != NULL)
        clup_text_add(text, "%s", line);
    fclose(file);
    return 1;
}

/* Whether this file calls each function of the public headers and of program.h. */
static void check_all(void)
{
    clup_text umbrella = {0}, headers = {0}, here = {0};
    unsigned topics = 0, functions = 0, left = 0;
    char name[64];
    int read = add_file(&umbrella, "include/clup.h") && add_file(&here, "tests/t_arguments.c");
    for (const char *at = umbrella.data; read && (at = strstr(at, "#include \"clup/")) != NULL;) {
        at += strlen("#include \"");
        snprintf(name, sizeof name, "include/%.*s", (int)strcspn(at, "\""), at);
        read = add_file(&headers, name);
        topics++;
    }
    read = read && add_file(&headers, "src/program.h");
    for (const char *at = headers.data; read && (at = strstr(at, "\nCLUP_")) != NULL; at++) {
        if (strncmp(at, "\nCLUP_API ", 10) != 0 && strncmp(at, "\nCLUP_PROGRAM_API ", 18) != 0)
            continue;
        const char *end = strchr(at, '('), *start = end;
        while (start > at && strchr("abcdefghijklmnopqrstuvwxyz0123456789_", start[-1]) != NULL)
            start--;
        snprintf(name, sizeof name, "%.*s(", (int)(end - start), start);
        functions++;
        left += strstr(here.data, name) == NULL;
        if (strstr(here.data, name) == NULL)
            printf("# %s is not called\n", name);
    }
    ok(read && topics > 10 && functions > 50 && left == 0,
       "all %u functions of program.h and the %u public headers are called", functions, topics);
    clup_text_free(&umbrella);
    clup_text_free(&headers);
    clup_text_free(&here);
}

int main(void)
{
    clup_device_list *list;
    clup_context *context;
    NEED(clup_device_list_create(&list));
    NEED(clup_context_create(NULL, &context));
    check_devices(list);
    check_names();
    check_problems();
    check_plans(context);
    check_checkpoints(context);
    check_tuning();
    check_sweeps(context);
    check_simulations(context);
    check_timed_sweeps(context);
    check_tempering(context);
    check_limits(context);
    check_percolation(context);
    check_scans();
    check_records();
    check_aside();
    check_analysis();
    check_scaling();
    check_files();
    check_labels(context);
    check_regions(context);
    check_reserved(context);
    check_all();
    clup_context_free(context);
    clup_device_list_free(list);
    return done_testing();
}
