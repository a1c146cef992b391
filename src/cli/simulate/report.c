/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports a simulation, as a table for people or as JSON. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "bench/units.h"
#include "cli/json.h"
#include "cli/notes.h"
#include "cli/simulate/simulate.h"
#include "cli/table.h"
#include "cli/value.h"

static double beta_ratio(const clup_problem *problem)
{
    return problem->beta / clup_problem_critical_beta(problem);
}

/* Prints the time of the kernels, and of each stage that has some. */
static void print_kernel_times(const clup_timing *timing)
{
    char text[512] = "", all[BENCH_UNITS], time[BENCH_UNITS];
    size_t used = 0;
    bench_units(1e-12 * timing->update_ps, "s", all);
    for (clup_stage stage = 0; stage < CLUP_STAGES; stage++) {
        if (timing->stage_ps[stage] == 0)
            continue;
        bench_units(1e-12 * timing->stage_ps[stage], "s", time);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %s",
                                 used == 0               ? ": "
                                 : stage == CLUP_MEASURE ? "; besides "
                                                         : ", ",
                                 clup_stage_name(stage), time);
    }
    table_line("kernels", "%s a site%s", all, text);
}

static void print_timing(const clup_timing *timing, double sites)
{
    const double sweep_ps = 1e12 * timing->wall_s / (double)timing->sweeps;
    char sweep[BENCH_UNITS], site[BENCH_UNITS];
    bench_units(1e-12 * sweep_ps, "s", sweep);
    bench_units(1e-12 * sweep_ps / sites, "s", site);
    putchar('\n');
    table_line("time a sweep", "%s by the wall clock, measuring included; %s a site", sweep, site);
    if (isfinite(timing->update_ps))
        print_kernel_times(timing);
    else
        table_line("kernels", "not known: this device's events have no times");
}

/* Prints the iterations of the last sweep, for stages that iterate. */
static void print_iterations(const clup_timing *timing)
{
    int some = 0;
    for (clup_stage stage = 0; stage < CLUP_STAGES; stage++)
        if (isfinite(timing->iterations[stage]))
            printf(some++ ? ", %s %.4g" : "  iterations        %s %.4g", clup_stage_name(stage),
                   timing->iterations[stage]);
    if (some)
        puts(" in the last sweep");
}

/* Writes which axes are periodic and which are open. */
static size_t ends_text(const clup_problem *problem, unsigned axes, char *text, size_t size)
{
    unsigned periodic = 0;
    size_t used = 0;
    for (unsigned axis = 0; axis < axes; axis++)
        periodic += problem->periodic[axis] != 0;
    if (periodic == axes || periodic == 0)
        return (size_t)snprintf(text, size, ", %s", periodic > 0 ? "periodic" : "open");
    for (unsigned axis = 0; axis < axes; axis++)
        used += (size_t)snprintf(text + used, size - used, ", %c %s", "xyz"[axis],
                                 problem -> periodic[axis] ? "periodic" : "open");
    return used;
}

size_t simulate_lattice_text(const clup_problem *problem, char text[SIMULATE_PROBLEM])
{
    const unsigned axes = clup_lattice_axes(problem->lattice);
    unsigned cell[3];
    if (problem->graph != NULL)
        return clup_graph_called(problem->graph) != NULL
                   ? (size_t)snprintf(text, SIMULATE_PROBLEM, "%s",
                                      clup_graph_called(problem->graph))
                   : (size_t)snprintf(text, SIMULATE_PROBLEM, "graph of %" PRIu32 " vertices",
                                      problem->size[0]);
    clup_lattice_cell(problem->lattice, cell);
    size_t used = (size_t)snprintf(text, SIMULATE_PROBLEM, "%s ",
                                   clup_lattice_name(problem->lattice));
    for (unsigned axis = 0; axis < axes; axis++)
        used += (size_t)snprintf(text + used, SIMULATE_PROBLEM - used, "%s%" PRIu32,
                                 axis > 0 ? " x " : "", problem->size[axis] / cell[axis]);
    return used + ends_text(problem, axes, text + used, SIMULATE_PROBLEM - used);
}

/* Writes one temperature, in all usual units. */
static size_t beta_text(const clup_problem *problem, char *text, size_t size)
{
    const double ratio = beta_ratio(problem);
    size_t used = (size_t)snprintf(text, size, "beta = %.9g", problem->beta);
    if (ratio == 1)
        used += (size_t)snprintf(text + used, size - used, " = beta_c");
    else if (!isnan(ratio))
        used += (size_t)snprintf(text + used, size - used, " = %.6g beta_c", ratio);
    if (problem->beta > 0 && isfinite(problem->beta))
        used += (size_t)snprintf(text + used, size - used, ", T = %.6g", 1 / problem->beta);
    return used;
}

/* Writes the least and the greatest of several temperatures. */
static size_t betas_text(const clup_problem *problem, char *text, size_t size)
{
    double least = INFINITY, most = 0;
    for (uint32_t r = 0; r < problem->replicas; r++) {
        least = fmin(least, problem->betas[r]);
        most = fmax(most, problem->betas[r]);
    }
    return (size_t)(least < most ? snprintf(text, size, "beta = %.9g to %.9g", least, most)
                                 : snprintf(text, size, "beta = %.9g", most));
}

void simulate_print_problem(const simulate_request *request)
{
    const clup_problem *problem = &request->problem;
    char text[SIMULATE_PROBLEM];
    size_t used = simulate_lattice_text(problem, text);
    used += (size_t)snprintf(text + used, sizeof text - used, "; ");
    if (clup_spin_bytes(problem) == 1)
        used += (size_t)snprintf(text + used, sizeof text - used, "q = %u, ", problem->q);
    if (request->schedule != NULL)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "beta = %.9g to %.9g in %" PRIu32 " steps", request->schedule[0],
                                 request->schedule[request->steps - 1], request->steps);
    else if (problem->betas != NULL)
        used += betas_text(problem, text + used, sizeof text - used);
    else
        used += beta_text(problem, text + used, sizeof text - used);
    used += cli_more_fields_text(problem, text + used, sizeof text - used);
    if (problem->replicas > 1)
        snprintf(text + used, sizeof text - used, "; %" PRIu32 " replicas", problem->replicas);
    table_line("problem", "%s", text);
}

void simulate_kernels_text(const clup_plan *plan, char text[SIMULATE_KERNELS])
{
    const char *const rows[] = {plan->source, plan->local, plan->consolidate, plan->action};
    size_t used = (size_t)snprintf(text, SIMULATE_KERNELS, "%s bonds: ", plan->bonds);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k] != NULL)
            used += (size_t)snprintf(text + used, SIMULATE_KERNELS - used, "%s%s", rows[k],
                                     k < 3 ? ", " : "");
    if (plan->local != NULL)
        snprintf(text + used, SIMULATE_KERNELS - used,
                 plan->tile[2] > 1 ? "; tiles of %u x %u x %u" : "; tiles of %u x %u",
                 plan->tile[0], plan->tile[1], plan->tile[2]);
}

void simulate_print_plan(const clup_plan *plan)
{
    char kernels[SIMULATE_KERNELS];
    simulate_kernels_text(plan, kernels);
    table_line("plan", "%s (%s)", kernels, plan->why);
}

/* Prints the seed and says when it is the default, with which many runs are made before anybody
 * compares them. */
void simulate_print_seed(const simulate_request *request)
{
    static const char *const kinds[] = {
        [SEED_DEFAULT] = ", the default; runs of one seed are correlated, so give each its own",
        [SEED_GIVEN] = "",
        [SEED_RANDOM] = ", drawn from the system"};
    char first[32] = "";
    if (request->problem.first_replica > 0)
        snprintf(first, sizeof first, " (first replica %" PRIu32 ")",
                 request->problem.first_replica);
    table_line("seed", "%" PRIu64 "%s%s", request->seed, first, kinds[request->seed_kind]);
}

/* Whether the table omits an observable, since its value equals another one or is always 1. The
 * JSON has it all the same. */
static int is_idle(const simulate_request *request, clup_observable observable)
{
    return (observable == CLUP_M2_VECTOR && request->problem.q == 2) ||
           (observable == CLUP_UPDATED && (request->method.algorithm == CLUP_SWENDSEN_WANG ||
                                           request->method.algorithm == CLUP_HEAT_BATH));
}

/* Adds a note on an observable. Leaves out constant values at infinite beta, where nothing
 * fluctuates, and at beta = 0, where no cluster has a bond. */
static void add_note(const simulate_request *request, clup_observable observable, double beta,
                     clup_note note, notes *notes)
{
    if (!clup_observable_has_values(observable) && !is_idle(request, observable) &&
        (note != CLUP_NOTE_CONSTANT || !(beta == 0 || isinf(beta))))
        notes_add(notes, clup_observable_name(observable), note);
}

/* Collects the notes on the estimates of a replica. */
static void add_notes(const simulate_result *result, uint32_t r, notes *notes)
{
    for (unsigned k = 0; k < simulate_observables() && result->measured > 0; k++)
        add_note(result->request, k, simulate_row_beta(result, r),
                 clup_estimate_note(&result->replicas[r].estimates[k]), notes);
}

/* Collects those on averages. */
static void add_average_notes(const simulate_result *result, const struct simulate_average *average,
                              notes *notes)
{
    for (unsigned k = 0; k < simulate_observables(); k++)
        add_note(result->request, k, average->beta, clup_average_note(&average->of[k]), notes);
}

/* Gets the exact values of the observables at a temperature; NAN where unknown. */
static void exact_of(const simulate_result *result, double beta, double exact[SIMULATE_OBSERVABLES])
{
    clup_problem own = result->request->problem;
    double energy, specific_heat;
    for (unsigned k = 0; k < SIMULATE_OBSERVABLES; k++)
        exact[k] = NAN;
    own.beta = beta;
    own.betas = NULL;
    if (clup_exact_ising(&own, &energy, &specific_heat) != CLUP_OK)
        return;
    exact[CLUP_ENERGY] = energy;
    exact[CLUP_SPECIFIC_HEAT] = specific_heat;
}

/* Prints the line of an estimate; average, which it is of, and exact are NULL and NAN where there
 * is none. */
static void print_estimate(int columns, const char *name, const clup_estimate *estimate,
                           const clup_average *average, double exact)
{
    char beside[128] = "", known[64] = "", chance[32] = "";
    if (!isnan(exact) && estimate->error > 0)
        snprintf(known, sizeof known, "   exact %.9g, %.1f sigma", exact,
                 fabs(estimate->mean - exact) / estimate->error);
    else if (!isnan(exact))
        snprintf(known, sizeof known, "   exact %.9g", exact);
    if (average != NULL && !isnan(average->probability))
        snprintf(chance, sizeof chance, average->probability < 0.001 ? "%9.0e" : "%9.3f",
                 average->probability);
    else if (average != NULL && known[0] != '\0')
        snprintf(chance, sizeof chance, "%9s", "-");
    if (isfinite(estimate->tau_int) && (average == NULL || average->from != CLUP_FROM_SAMPLES))
        snprintf(beside, sizeof beside, "%7.2f%s%s", estimate->tau_int, chance, known);
    else if (known[0] != '\0')
        snprintf(beside, sizeof beside, "%7s%s%s", "-", chance, known);
    table_value(columns, name, estimate->mean, estimate->error, beside);
}

/* The columns that the names of observables take. */
static int columns_of(const simulate_result *result)
{
    int columns = TABLE_NAME;
    for (unsigned o = 0; o < simulate_observables(); o++) {
        const struct simulate_vector *vector = &result->replicas[0].vectors[o];
        const int needed = vector->length == 0
                               ? 0
                               : snprintf(NULL, 0, "%s_%.0f", clup_observable_name(o),
                                          vector->at[vector->length - 1]);
        columns = needed > columns ? needed : columns;
    }
    return columns;
}

/* The averages over all systems, where all have one temperature; else NULL. */
static const struct simulate_average *average_of(const simulate_result *result)
{
    const simulate_request *request = result->request;
    return request->schedule == NULL && request->problem.betas == NULL && result->average_count == 1
               ? result->averages
               : NULL;
}

/* Prints how many systems there are and where the errors come from. */
static void print_average_head(const simulate_result *result,
                               const struct simulate_average *average)
{
    const clup_error_from from = average->of[CLUP_ENERGY].from;
    static const char *const texts[] = {
        [CLUP_FROM_NOTHING] = "their errors are not known",
        [CLUP_FROM_SERIES] = "errors are by the errors of each",
        [CLUP_FROM_SCATTER] = "errors are by the scatter of the systems",
        [CLUP_FROM_SAMPLES] = "errors are by the scatter of the samples"};
    char samples[64] = "";
    if (average->samples < average->systems || from == CLUP_FROM_SAMPLES)
        snprintf(samples, sizeof samples, " of %" PRIu32 " sample%s of disorder", average->samples,
                 average->samples > 1 ? "s" : "");
    table_line("means", "over %" PRIu32 " replicas%s, %" PRIu64 " measured sweeps of each; %s%s",
               average->systems, samples, result->measured, texts[from],
               from == CLUP_FROM_SERIES || from == CLUP_FROM_SCATTER
                   ? "; p is the probability that equal ones scatter as much"
                   : "");
    putchar('\n');
}

/* Prints the observables of the only system, or of all systems together. */
static void print_estimates(const simulate_result *result)
{
    const struct simulate_average *average = average_of(result);
    const int columns = columns_of(result);
    double exact[SIMULATE_OBSERVABLES];
    char unit[64] = "tau_int";
    if (average != NULL)
        print_average_head(result, average);
    if (average != NULL && average->of[CLUP_ENERGY].from == CLUP_FROM_SAMPLES)
        unit[0] = '\0';
    else if (result->request->measure_every > 1)
        snprintf(unit, sizeof unit, "tau_int, of %" PRIu64 " sweeps",
                 result->request->measure_every);
    if (average != NULL && !isnan(average->of[CLUP_ENERGY].probability))
        snprintf(unit + strlen(unit), sizeof unit - strlen(unit), "%*s",
                 strlen(unit) < 16 ? 16 - (int)strlen(unit) : 3, "p");
    exact_of(result, simulate_row_beta(result, 0), exact);
    table_values_head(columns, "mean", unit);
    for (unsigned k = 0; k < simulate_observables(); k++) {
        const clup_estimate *estimate = average != NULL ? &average->of[k].estimate
                                                        : &result->replicas[0].estimates[k];
        if (!clup_observable_has_values(k) && !isnan(estimate->mean) &&
            !is_idle(result->request, k))
            print_estimate(columns, clup_observable_name(k), estimate,
                           average != NULL ? &average->of[k] : NULL, exact[k]);
    }
}

/* Prints a line for each value of the observables with several values. */
static void print_vectors(const simulate_result *result)
{
    const struct simulate_average *average = average_of(result);
    const int columns = columns_of(result);
    for (unsigned o = 0; o < simulate_observables(); o++) {
        const struct simulate_vector *vector = &result->replicas[0].vectors[o];
        for (size_t k = 0; k < vector->length; k++) {
            const clup_average *of = average != NULL ? &average->vectors[o].of[k] : NULL;
            char name[80];
            snprintf(name, sizeof name, "%s_%.0f", clup_observable_name(o), vector->at[k]);
            print_estimate(columns, name, of != NULL ? &of->estimate : &vector->estimates[k], of,
                           NAN);
        }
    }
}

/* Whether a result can have more than one row. */
static int has_rows(const simulate_request *request)
{
    return request->schedule != NULL || request->problem.replicas > 1;
}

/* The number of the replica of a row. */
static uint32_t number_of(const simulate_result *result, uint32_t row)
{
    return result->request->problem.first_replica + row % simulate_replicas(result->request);
}

/* Whether the table has a line for each row. */
static int prints_rows(const simulate_result *result)
{
    return result->average_count == 0 || result->request->each_replica;
}

/* Prints a line for each row; the JSON has the rest. */
static void print_rows(const simulate_result *result)
{
    static const clup_observable columns[] = {CLUP_ENERGY, CLUP_ABS_M};
    const size_t count = result->measured > 0 ? sizeof columns / sizeof *columns : 0;
    printf("  %7s%15s", "replica", "beta");
    for (size_t k = 0; k < count; k++)
        printf("  %-18s", clup_observable_name(columns[k]));
    puts("  spins");
    for (uint32_t r = 0; r < result->rows; r++) {
        printf("  %7" PRIu32 "%15.9g", number_of(result, r), simulate_row_beta(result, r));
        for (size_t k = 0; k < count; k++) {
            const clup_estimate *estimate = &result->replicas[r].estimates[columns[k]];
            char text[VALUE_TEXT];
            value_text(estimate->mean, estimate->error, text);
            printf("  %-18s", text);
        }
        printf("  %.12s\n", result->replicas[r].spins_sha256);
    }
}

/* Prints a line for each temperature: averages where several systems have it, else the estimates of
 * the only one. The JSON has all observables. */
static void print_averages(const simulate_result *result)
{
    static const char *const names[] = {"energy", "overlap2", "overlap_binder", "overlap_xi_over_l",
                                        "abs_m",  "m2",       "binder"};
    clup_observable columns[4];
    size_t count = 0;
    for (size_t k = 0; k < sizeof names / sizeof *names && count < 4; k++)
        if (clup_observable_named(names[k], &columns[count]) == CLUP_OK &&
            !isnan(result->averages[0].of[columns[count]].estimate.mean))
            count++;
    const int of_samples = result->averages[0].of[CLUP_ENERGY].from == CLUP_FROM_SAMPLES;
    printf("  %8s%15s", of_samples ? "samples" : "replicas", "beta");
    for (size_t k = 0; k < count; k++)
        printf("  %-18s", clup_observable_name(columns[k]));
    putchar('\n');
    for (uint32_t row = 0, a = 0; row < result->rows; row++) {
        if (!simulate_row_leads(result, row))
            continue;
        const struct simulate_average *average = simulate_row_alone(result, row)
                                                     ? NULL
                                                     : &result->averages[a++];
        printf("  %8" PRIu32 "%15.9g",
               average == NULL ? 1
               : of_samples    ? average->samples
                               : average->systems,
               simulate_row_beta(result, row));
        for (size_t k = 0; k < count; k++) {
            char text[VALUE_TEXT];
            const clup_estimate *estimate = average != NULL
                                                ? &average->of[columns[k]].estimate
                                                : &result->replicas[row].estimates[columns[k]];
            value_text(estimate->mean, estimate->error, text);
            printf(k + 1 < count ? "  %-18s" : "  %s", text);
        }
        putchar('\n');
    }
}

static void print_notes(const simulate_result *result)
{
    notes notes = {0};
    for (uint32_t r = 0; r < result->rows; r++)
        if (prints_rows(result) || simulate_row_alone(result, r))
            add_notes(result, r, &notes);
    for (uint32_t a = 0; a < result->average_count; a++)
        add_average_notes(result, &result->averages[a], &notes);
    notes_print(&notes);
}

/* Whether an observable was measured, or the algorithm cannot measure it. */
static int was_measured(const simulate_request *request, clup_observable observable)
{
    const char *group = clup_observable_group(observable);
    if (clup_observable_needs_clusters(observable) &&
        request->method.algorithm != CLUP_SWENDSEN_WANG)
        return 1;
    for (size_t k = 0; k < request->observable_count; k++)
        if (strcmp(clup_observable_group(request->observables[k]), group) == 0)
            return 1;
    return simulate_by_the_way(observable);
}

/* Whether an observable is the first of its group. */
static int is_first(clup_observable observable)
{
    for (clup_observable k = 0; k < observable; k++)
        if (strcmp(clup_observable_group(k), clup_observable_group(observable)) == 0)
            return 0;
    return 1;
}

/* Whether no observable of a group has a value, in the first system. */
static int is_without_values(const simulate_result *result, const char *group)
{
    const struct simulate_replica *first = result->replicas;
    if (first == NULL || first->estimates == NULL)
        return 0;
    for (clup_observable k = 0; k < simulate_observables(); k++)
        if (strcmp(clup_observable_group(k), group) == 0 &&
            (clup_observable_has_values(k) ? first->vectors != NULL && first->vectors[k].length > 0
                                           : !isnan(first->estimates[k].mean)))
            return 0;
    return 1;
}

static void add_group(char *groups, size_t size, clup_observable observable)
{
    snprintf(groups + strlen(groups), size - strlen(groups), "%s%s", groups[0] != '\0' ? ", " : "",
             clup_observable_group(observable));
}

/* Prints the observables that were not asked for, by groups, and those that the system does not
 * have. */
static void print_not_measured(const simulate_result *result)
{
    char asked[256] = "", had[256] = "";
    if (result->measured == 0)
        return;
    for (clup_observable k = 0; k < simulate_observables(); k++)
        if (is_first(k) && !was_measured(result->request, k))
            add_group(asked, sizeof asked, k);
        else if (is_first(k) && is_without_values(result, clup_observable_group(k)))
            add_group(had, sizeof had, k);
    if (asked[0] != '\0')
        table_line("not measured", "%s (--observables)", asked);
    if (had[0] != '\0')
        table_line("no values here", "%s", had);
}

static void print_processes(const simulate_result *result)
{
    const clup_timing *timing = &result->timing;
    char bytes[BENCH_UNITS];
    printf("  %-18s%u, with a device each", "processes", cli_world_is.processes);
    if (result->plan.between != NULL)
        printf("; %s", result->plan.between);
    if (timing->rounds > 0 && timing->sweeps > 0)
        printf(": %.3g rounds and %s a sweep", (double)timing->rounds / (double)timing->sweeps,
               bench_units((double)timing->bytes / (double)timing->sweeps, "B", bytes));
    putchar('\n');
}

/* Prints how many sweeps were measured, and why those before them are not. */
static void print_sweeps(const simulate_result *result)
{
    const simulate_request *request = result->request;
    if (request->measure_every > 1)
        printf("  %-18s%" PRIu64 ", %" PRIu64 " of them measured, after %" PRIu64
               "; tau_int is in units of %" PRIu64 " sweeps\n",
               "sweeps", result->sweeps, result->measured, result->thermalize,
               request->measure_every);
    else
        printf("  %-18s%" PRIu64 " measured after %" PRIu64 "\n", "sweeps", result->sweeps,
               result->thermalize);
    if (request->until != NULL)
        table_line("until", "%s: %sreached in at most %" PRIu64 " sweeps", request->until,
                   result->reached ? "" : "not ", request->sweeps);
    if (request->settles && result->measured > 0 && !result->equilibration.settled &&
        result->equilibration.left_out == 0)
        table_line("left out", "0 of the %" PRIu64 " sweeps: too few sweeps to tell",
                   result->sweeps);
    else if (request->settles && result->measured > 0)
        table_line("left out",
                   "%" PRIu64 " of the %" PRIu64 " sweeps, by the marginal standard error of %s%s",
                   result->thermalize, result->thermalize + result->sweeps,
                   clup_observable_name(result->equilibration.observable),
                   result->equilibration.settled
                       ? ""
                       : ", and equilibrium is not seen to begin there: take more sweeps");
}

void simulate_print_table(const simulate_result *result)
{
    const simulate_request *request = result->request;
    const clup_problem *problem = &request->problem;
    static const char *const titles[CLUP_ALGORITHMS] = {"Swendsen-Wang", "Wolff", "few-cluster",
                                                        "heat bath"};
    printf("clup %s, %s", clup_version(), titles[request->method.algorithm]);
    if (request->method.algorithm == CLUP_FEW_CLUSTER)
        printf(", %u x %u seeds, p_flip = %g", request->method.seeds_per_side,
               request->method.seeds_per_side, request->method.p_flip);
    if (request->method.heat_bath > 0)
        printf(", with %u sweep%s of the heat bath in each", request->method.heat_bath,
               request->method.heat_bath == 1 ? "" : "s");
    if (request->method.houdayer > 0)
        printf(", with %" PRIu64 " of Houdayer's moves before each sweep",
               request->method.houdayer);
    if (request->method.overrelaxation > 0)
        printf(", with %" PRIu64 " sweep%s of overrelaxation before each",
               request->method.overrelaxation, request->method.overrelaxation == 1 ? "" : "s");
    putchar('\n');
    simulate_print_problem(request);
    table_line("device", "%s (%s, %s)", result->device.name, result->device.platform,
               result->device.driver);
    if (cli_world_is.processes > 0)
        print_processes(result);
    simulate_print_plan(&result->plan);
    print_sweeps(result);
    simulate_print_seed(request);
    if (result->interrupted && request->schedule != NULL)
        printf("  %-18s%" PRIu32 " of %" PRIu32 " temperatures\n",
               result->late ? "time limit:" : "interrupted:", simulate_steps(result),
               request->steps);
    else if (result->interrupted)
        printf("  %-18s%" PRIu64 " of %" PRIu64 " sweeps, after %" PRIu64 " of %" PRIu64 "\n",
               result->late ? "time limit:" : "interrupted:",
               request->settles ? result->sweeps + result->thermalize : result->sweeps,
               request->sweeps, request->settles ? 0 : result->thermalize, request->thermalize);
    putchar('\n');
    if (request->population)
        simulate_print_population(result);
    else if (has_rows(request) && !(request->tempering_tune > 0 && result->measured == 0)) {
        if (prints_rows(result)) {
            print_rows(result);
            if (result->average_count > 0)
                putchar('\n');
        }
        if (average_of(result) != NULL) {
            print_estimates(result);
            print_vectors(result);
        } else if (result->average_count > 0)
            print_averages(result);
    } else if (result->measured > 0) {
        print_estimates(result);
        print_vectors(result);
    }
    simulate_print_tempering(result);
    print_not_measured(result);
    print_notes(result);
    if (result->timing.sweeps > 0) {
        print_timing(&result->timing, (double)clup_problem_real_sites(problem) *
                                          (problem->replicas > 0 ? problem->replicas : 1));
        print_iterations(&result->timing);
    }
    if (!has_rows(request) && result->rows > 0)
        printf("  %-18s%s\n", "spins, sha256", result->replicas[0].spins_sha256);
    else if (!prints_rows(result) && result->spins_sha256[0] != '\0')
        printf("  %-18s%s\n", "spins, sha256", result->spins_sha256);
}

/* Writes a number; "inf" for infinity, which is not a JSON number; null when there are several. */
static void write_beta(json *json, double beta)
{
    if (isinf(beta))
        json_text(json, "beta", "inf");
    else
        json_number(json, "beta", beta);
}

static void write_problem(json *json, const clup_problem *problem)
{
    json_open(json, "problem", '{');
    cli_write_fields(json, problem, CLUP_FIELD_LAW | CLUP_FIELD_SIZE);
    write_beta(json, problem->betas == NULL ? problem->beta : NAN);
    json_number(json, "beta_ratio", problem->betas == NULL ? beta_ratio(problem) : NAN);
    cli_write_fields(json, problem, CLUP_FIELD_REPLICAS);
    json_close(json, '}');
}

void simulate_write_plan(json *json, const clup_problem *problem, const clup_plan *plan)
{
    json_open(json, "plan", '{');
    json_text(json, "source", plan->source);
    json_text(json, "bonds", plan->bonds);
    json_text(json, "local", plan->local);
    json_text(json, "consolidate", plan->consolidate);
    json_text(json, "action", plan->action);
    json_open(json, "tile", '[');
    for (unsigned axis = 0; axis < clup_lattice_axes(problem->lattice); axis++)
        json_whole(json, NULL, plan->tile[axis]);
    json_close(json, ']');
    if (plan->between != NULL)
        json_text(json, "between", plan->between);
    json_text(json, "why", plan->why);
    json_close(json, '}');
}

void simulate_write_setup(json *json, const clup_device_info *device, const clup_problem *problem,
                          const clup_plan *plan)
{
    cli_write_device(json, device);
    if (cli_world_is.processes > 0)
        json_whole(json, "processes", cli_world_is.processes);
    write_problem(json, problem);
    simulate_write_plan(json, problem, plan);
}

static void write_method(json *json, const clup_method *method)
{
    json_text(json, "algorithm", clup_algorithm_name(method->algorithm));
    if (method->algorithm == CLUP_FEW_CLUSTER) {
        json_whole(json, "seeds_per_side", method->seeds_per_side);
        json_number(json, "p_flip", method->p_flip);
    }
    if (method->heat_bath > 0)
        json_whole(json, "heat_bath", method->heat_bath);
    if (method->houdayer > 0)
        json_whole(json, "houdayer", method->houdayer);
    if (method->overrelaxation > 0)
        json_whole(json, "overrelaxation", method->overrelaxation);
}

static void write_timing(json *json, const clup_timing *timing)
{
    json_open(json, "timing", '{');
    json_number(json, "wall_s", timing->wall_s);
    json_number(json, "sweeps_per_s",
                timing->wall_s > 0 ? (double)timing->sweeps / timing->wall_s : 0);
    json_number(json, "ps_per_site", timing->update_ps);
    json_open(json, "stages_ps_per_site", '{');
    for (clup_stage stage = 0; stage < CLUP_STAGES; stage++)
        json_number(json, clup_stage_name(stage), timing->stage_ps[stage]);
    json_close(json, '}');
    if (timing->rounds > 0 && timing->sweeps > 0) {
        json_open(json, "between", '{');
        json_number(json, "rounds", (double)timing->rounds / (double)timing->sweeps);
        json_number(json, "bytes", (double)timing->bytes / (double)timing->sweeps);
        json_close(json, '}');
    }
    json_open(json, "iterations", '{');
    json_number(json, clup_stage_name(CLUP_LOCAL), timing->iterations[CLUP_LOCAL]);
    json_number(json, clup_stage_name(CLUP_CONSOLIDATE), timing->iterations[CLUP_CONSOLIDATE]);
    json_close(json, '}');
    json_close(json, '}');
}

static void write_estimate(json *json, const clup_estimate *estimate)
{
    json_number(json, "mean", estimate->mean);
    json_number(json, "error", estimate->error);
    json_number(json, "tau_int", estimate->tau_int);
    json_number(json, "independent", estimate->independent);
    json_number(json, "events", estimate->events);
    json_number(json, "low", estimate->low);
    json_number(json, "high", estimate->high);
    json_number(json, "bias", estimate->bias);
}

/* Writes the observables with several values that were measured. */
static void write_vectors(json *json, const struct simulate_vector *vectors)
{
    json_open(json, "vectors", '{');
    for (unsigned o = 0; o < simulate_observables(); o++) {
        const struct simulate_vector *vector = &vectors[o];
        if (vector->length == 0)
            continue;
        json_open(json, clup_observable_name(o), '[');
        for (size_t k = 0; k < vector->length; k++) {
            json_open(json, NULL, '{');
            json_number(json, "at", vector->at[k]);
            write_estimate(json, &vector->estimates[k]);
            json_close(json, '}');
        }
        json_close(json, ']');
    }
    json_close(json, '}');
}

static void write_observables(json *json, const simulate_result *result, uint32_t r)
{
    const struct simulate_replica *replica = &result->replicas[r];
    notes notes = {0};
    double exact[SIMULATE_OBSERVABLES];
    exact_of(result, simulate_row_beta(result, r), exact);
    json_open(json, "observables", '{');
    for (unsigned k = 0; k < simulate_observables(); k++) {
        if (clup_observable_has_values(k))
            continue;
        json_open(json, clup_observable_name(k), '{');
        write_estimate(json, &replica->estimates[k]);
        if (!isnan(exact[k]))
            json_number(json, "exact", exact[k]);
        json_close(json, '}');
    }
    json_close(json, '}');
    write_vectors(json, replica->vectors);
    add_notes(result, r, &notes);
    notes_write(&notes, json, "notes");
}

static void write_rows(json *json, const simulate_result *result)
{
    const simulate_request *request = result->request;
    json_open(json, request->schedule != NULL ? "steps" : "replicas", '[');
    for (uint32_t r = 0; r < result->rows; r++) {
        json_open(json, NULL, '{');
        if (request->schedule != NULL)
            json_whole(json, "step", r / simulate_replicas(request));
        write_beta(json, simulate_row_beta(result, r));
        json_whole(json, "replica", number_of(result, r));
        write_observables(json, result, r);
        json_text(json, "spins_sha256", result->replicas[r].spins_sha256);
        json_close(json, '}');
    }
    json_close(json, ']');
}

/* Writes an average: its estimate, and whether the systems agree. */
static void write_average(json *json, const clup_average *average)
{
    static const char *const origins[] = {[CLUP_FROM_SERIES] = "series",
                                          [CLUP_FROM_SCATTER] = "scatter",
                                          [CLUP_FROM_SAMPLES] = "samples"};
    write_estimate(json, &average->estimate);
    json_text(json, "error_from", origins[average->from]);
    json_number(json, "chi2", average->chi2);
    json_number(json, "freedom", average->freedom);
    json_number(json, "probability", average->probability);
}

static void write_average_vectors(json *json, const struct simulate_average_vector *vectors)
{
    json_open(json, "vectors", '{');
    for (unsigned o = 0; o < simulate_observables(); o++) {
        if (vectors[o].length == 0)
            continue;
        json_open(json, clup_observable_name(o), '[');
        for (size_t k = 0; k < vectors[o].length; k++) {
            json_open(json, NULL, '{');
            json_number(json, "at", vectors[o].at[k]);
            write_average(json, &vectors[o].of[k]);
            json_close(json, '}');
        }
        json_close(json, ']');
    }
    json_close(json, '}');
}

static void write_averages(json *json, const simulate_result *result)
{
    double exact[SIMULATE_OBSERVABLES];
    json_open(json, "averages", '[');
    for (uint32_t a = 0; a < result->average_count; a++) {
        const struct simulate_average *average = &result->averages[a];
        notes notes = {0};
        exact_of(result, average->beta, exact);
        json_open(json, NULL, '{');
        write_beta(json, average->beta);
        json_whole(json, "systems", average->systems);
        json_whole(json, "samples", average->samples);
        json_open(json, "observables", '{');
        for (unsigned k = 0; k < simulate_observables(); k++) {
            if (clup_observable_has_values(k))
                continue;
            json_open(json, clup_observable_name(k), '{');
            write_average(json, &average->of[k]);
            if (!isnan(exact[k]))
                json_number(json, "exact", exact[k]);
            json_close(json, '}');
        }
        json_close(json, '}');
        write_average_vectors(json, average->vectors);
        add_average_notes(result, average, &notes);
        notes_write(&notes, json, "notes");
        json_close(json, '}');
    }
    json_close(json, ']');
}

/* Writes the errors that end the run, and whether they are reached. */
static void write_until(json *json, const simulate_result *result)
{
    const simulate_request *request = result->request;
    json_open(json, "until", '{');
    json_flag(json, "reached", result->reached);
    json_open(json, "errors", '[');
    for (size_t k = 0; k < request->target_count; k++) {
        json_open(json, NULL, '{');
        json_text(json, "observable", clup_observable_name(request->targets[k].observable));
        json_number(json, "error", request->targets[k].error);
        json_flag(json, "relative", request->targets[k].relative);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

/* Writes what a run that settles has in place of a number of sweeps. */
static void write_equilibration(json *json, const simulate_result *result)
{
    const clup_equilibration *equilibration = &result->equilibration;
    json_text(json, "thermalize_asked", "auto");
    json_open(json, "equilibration", '{');
    json_text(json, "rule", "MSER-5");
    json_whole(json, "sweeps", result->sweeps + result->thermalize);
    json_whole(json, "left_out", result->thermalize);
    json_flag(json, "settled", equilibration->settled);
    json_text(json, "observable",
              result->measured > 0 ? clup_observable_name(equilibration->observable) : NULL);
    json_number(json, "beta",
                result->measured > 0 ? simulate_row_beta(result, equilibration->replica) : NAN);
    json_close(json, '}');
}

void simulate_write_json(const simulate_result *result)
{
    json json = {stdout, 1};
    json_open(&json, NULL, '{');
    json_text(&json, "schema", "clup/simulate/1");
    json_text(&json, "version", clup_version());
    clup_problem problem = result->request->problem;
    if (result->request->schedule != NULL)
        problem.betas = result->request->schedule;
    simulate_write_setup(&json, &result->device, &problem, &result->plan);
    json_text(&json, "rng",
              result->request->method.rng != NULL ? result->request->method.rng : clup_rng_name(0));
    write_method(&json, &result->request->method);
    json_whole(&json, "seed", result->request->seed);
    cli_write_fields(&json, &result->request->problem, CLUP_FIELD_NUMBERS);
    json_flag(&json, "interrupted", result->interrupted);
    json_flag(&json, "time_limit", result->late);
    json_whole(&json, "sweeps", result->sweeps);
    json_whole(&json, "sweeps_asked", result->request->sweeps);
    json_whole(&json, "measure_every", result->request->measure_every);
    json_whole(&json, "measured", result->measured);
    json_whole(&json, "thermalize", result->thermalize);
    if (result->request->until != NULL)
        write_until(&json, result);
    if (result->request->settles)
        write_equilibration(&json, result);
    else
        json_whole(&json, "thermalize_asked", result->request->thermalize);
    if (result->request->population)
        simulate_write_population(&json, result);
    else if (has_rows(result->request)) {
        write_rows(&json, result);
        write_averages(&json, result);
    } else
        write_observables(&json, result, 0);
    simulate_write_tempering(&json, result);
    write_timing(&json, &result->timing);
    if (!has_rows(result->request))
        json_text(&json, "spins_sha256",
                  result->rows > 0 ? result->replicas[0].spins_sha256 : NULL);
    json_close(&json, '}');
    json_end(&json);
}
