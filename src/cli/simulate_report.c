/* Reports a simulation, as a table for people or as JSON. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "bench/units.h"
#include "cli/json.h"
#include "cli/notes.h"
#include "cli/simulate.h"

clup_device_info simulate_host(void)
{
    return (clup_device_info){.name = "serial reference",
                              .platform = "host",
                              .vendor = "",
                              .driver = clup_version(),
                              .type = "host",
                              .compute_units = 1,
                              .error = ""};
}

static double beta_ratio(const clup_problem *problem)
{
    return problem->beta / clup_critical_beta(problem->lattice, problem->q);
}

static void print_estimate(const char *name, const clup_estimate *estimate)
{
    printf("  %-18s%14.8f", name, estimate->mean);
    if (isfinite(estimate->error))
        printf("  +- %.8f", estimate->error);
    if (isfinite(estimate->tau_int))
        printf("  tau_int %.2f", estimate->tau_int);
    putchar('\n');
}

/* The exact value, how far the measured one is from it, and in how many standard deviations. */
static void print_exact(double exact, const clup_estimate *estimate)
{
    printf("  %-18s%14.8f", "  exact", exact);
    if (estimate->error > 0)
        printf("  relative difference %.1e, %.1f sigma", fabs(estimate->mean / exact - 1),
               fabs(estimate->mean - exact) / estimate->error);
    putchar('\n');
}

/* A time in the unit that suits it. */
void simulate_print_time(double ps)
{
    char text[BENCH_UNITS];
    printf("%s", bench_units(1e-12 * ps, "s", text));
}

static void print_timing(const clup_timing *timing, double sites)
{
    double sweep_ps = 1e12 * timing->wall_s / (double)timing->sweeps;
    printf("\n  %-18s", "time a sweep");
    simulate_print_time(sweep_ps);
    printf(" on the wall clock with measuring, ");
    simulate_print_time(sweep_ps / sites);
    printf(" a site\n  %-18s", "update");
    if (!isfinite(timing->update_ps)) {
        puts("not known: this device's events have no times");
        return;
    }
    simulate_print_time(timing->update_ps);
    printf(" a site:");
    for (clup_stage stage = 0; stage < CLUP_STAGES; stage++) {
        printf("%s %s ",
               stage == CLUP_MEASURE ? "; besides"
               : stage > 0           ? ","
                                     : "",
               clup_stage_name(stage));
        simulate_print_time(timing->stage_ps[stage]);
    }
    putchar('\n');
}

/* Passes and iterations of the last sweep, where there are any. */
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

void simulate_print_lattice(const clup_problem *problem)
{
    unsigned axes = clup_lattice_axes(problem->lattice);
    printf("  %-18s%s ", "problem", clup_lattice_name(problem->lattice));
    for (unsigned axis = 0; axis < axes; axis++)
        printf("%s%" PRIu32, axis > 0 ? " x " : "", problem->size[axis]);
    for (unsigned axis = 0; axis < axes; axis++)
        printf(", %c %s", "xyz"[axis], problem -> periodic[axis] ? "periodic" : "open");
}

void simulate_print_problem(const simulate_wish *wish)
{
    const clup_problem *problem = &wish->problem;
    simulate_print_lattice(problem);
    printf("; q = %u, ", problem->q);
    if (wish->schedule != NULL)
        printf("beta = %.9g to %.9g in %" PRIu32 " steps", wish->schedule[0],
               wish->schedule[wish->steps - 1], wish->steps);
    else if (problem->betas != NULL)
        printf("beta = %.9g to %.9g", problem->betas[0], problem->betas[problem->replicas - 1]);
    else
        printf("beta = %.9g", problem->beta);
    if (wish->schedule == NULL && problem->betas == NULL && !isnan(beta_ratio(problem)))
        printf(" = %.6g beta_c", beta_ratio(problem));
    if (problem->replicas > 1)
        printf("; %" PRIu32 " replicas", problem->replicas);
    putchar('\n');
}

void simulate_print_kernels(const clup_plan *plan)
{
    const char *const rows[] = {plan->source, plan->local, plan->consolidate, plan->action};
    printf("%s bonds: ", plan->bonds);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k] != NULL)
            printf("%s%s", rows[k], k < 3 ? ", " : "");
    if (plan->local != NULL)
        printf(plan->tile[2] > 1 ? "; tiles of %u x %u x %u" : "; tiles of %u x %u", plan->tile[0],
               plan->tile[1], plan->tile[2]);
}

void simulate_print_plan(const clup_plan *plan)
{
    printf("  %-18s", "plan");
    simulate_print_kernels(plan);
    printf(" (%s)\n", plan->why);
}

void simulate_take_plan(const clup_plan *run, clup_plan *chosen)
{
    if (run == NULL)
        return;
    if (strcmp(run->warning, chosen->warning) != 0)
        cli_warn(run->warning);
    *chosen = *run;
}

/* The default is named, as many runs are made with it before anybody compares them. */
void simulate_print_seed(const simulate_wish *wish)
{
    static const char *const kinds[] = {
        [SEED_DEFAULT] = " by default: give each run of a scan its own, or they are correlated",
        [SEED_GIVEN] = "",
        [SEED_RANDOM] = " drawn from the system"};
    if (wish->problem.first_replica > 0)
        printf(", first replica %" PRIu32, wish->problem.first_replica);
    printf(", seed %" PRIu64 "%s\n", wish->seed, kinds[wish->seed_kind]);
}

/* Notes on all estimates of a replica that may fluctuate. In a ground state nothing does, and
 * without bonds no cluster. */
static void add_notes(const simulate_result *result, uint32_t r, notes *notes)
{
    const double beta = simulate_row_beta(result, r);
    const int may_stay = beta == 0 || isinf(beta);
    for (clup_observable k = 0; k < CLUP_OBSERVABLES && result->measured > 0; k++) {
        const clup_estimate *estimate = &result->replicas[r].estimates[k];
        const int stays = may_stay || (k == CLUP_UPDATED &&
                                       result->wish->method.algorithm == CLUP_SWENDSEN_WANG);
        if (!stays || clup_estimate_note(estimate) != CLUP_NOTE_CONSTANT)
            notes_add(notes, clup_observable_name(k), estimate);
    }
}

/* The exact values of the observables at a row's temperature; NAN where none is known. */
static void exact_of(const simulate_result *result, uint32_t row, double exact[CLUP_OBSERVABLES])
{
    clup_problem own = result->wish->problem;
    double energy, specific_heat;
    for (clup_observable k = 0; k < CLUP_OBSERVABLES; k++)
        exact[k] = NAN;
    own.beta = simulate_row_beta(result, row);
    own.betas = NULL;
    if (clup_exact_ising(&own, &energy, &specific_heat) != CLUP_OK)
        return;
    exact[CLUP_ENERGY] = energy;
    exact[CLUP_SPECIFIC_HEAT] = specific_heat;
}

static void print_estimates(const simulate_result *result)
{
    const clup_estimate *estimates = result->replicas[0].estimates;
    double exact[CLUP_OBSERVABLES];
    exact_of(result, 0, exact);
    for (clup_observable k = 0; k < CLUP_OBSERVABLES; k++) {
        if (isnan(estimates[k].mean))
            continue;
        print_estimate(clup_observable_name(k), &estimates[k]);
        if (!isnan(exact[k]))
            print_exact(exact[k], &estimates[k]);
    }
}

/* A line for each of several values. */
static void print_vectors(const struct simulate_replica *replica)
{
    for (clup_observable o = CLUP_OBSERVABLES; o < CLUP_OBSERVABLES_ALL; o++) {
        const struct simulate_vector *vector = &replica->vectors[o - CLUP_OBSERVABLES];
        for (size_t k = 0; k < vector->length; k++) {
            char name[80];
            snprintf(name, sizeof name, "%s_%.0f", clup_observable_name(o), vector->at[k]);
            print_estimate(name, &vector->estimates[k]);
        }
    }
}

/* Whether there may be more than one row. */
static int has_rows(const simulate_wish *wish)
{
    return wish->schedule != NULL || wish->problem.replicas > 1;
}

/* The number of the replica that a row is of. */
static uint32_t number_of(const simulate_result *result, uint32_t row)
{
    return result->wish->problem.first_replica + row % simulate_replicas(result->wish);
}

/* A line a row; the rest is in the JSON. */
static void print_rows(const simulate_result *result)
{
    printf("  %7s%15s%15s%13s%15s%13s%14s\n", "replica", "beta", "energy", "error", "abs_m",
           "error", "spins");
    for (uint32_t r = 0; r < result->rows; r++) {
        const clup_estimate *estimates = result->replicas[r].estimates;
        printf("  %7" PRIu32 "%15.9g%15.8f%13.8f%15.8f%13.8f  %.12s\n", number_of(result, r),
               simulate_row_beta(result, r), estimates[CLUP_ENERGY].mean,
               estimates[CLUP_ENERGY].error, estimates[CLUP_ABS_M].mean,
               estimates[CLUP_ABS_M].error, result->replicas[r].spins_sha256);
    }
}

static void print_notes(const simulate_result *result)
{
    notes notes = {0};
    for (uint32_t r = 0; r < result->rows; r++)
        add_notes(result, r, &notes);
    notes_print(&notes);
}

int simulate_by_the_way(clup_observable observable)
{
    return strcmp(clup_observable_group(observable), clup_observable_group(CLUP_ENERGY)) == 0;
}

/* Whether an observable was measured, or could not be with the algorithm. */
static int was_measured(const simulate_wish *wish, clup_observable observable)
{
    const char *group = clup_observable_group(observable);
    if (clup_observable_needs_clusters(observable) && wish->method.algorithm != CLUP_SWENDSEN_WANG)
        return 1;
    for (size_t k = 0; k < wish->observable_count; k++)
        if (strcmp(clup_observable_group(wish->observables[k]), group) == 0)
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

/* What could have been asked for, by groups. */
static void print_not_measured(const simulate_result *result)
{
    int some = 0;
    if (result->measured == 0)
        return;
    for (clup_observable k = 0; k < CLUP_OBSERVABLES_ALL; k++)
        if (!was_measured(result->wish, k) && is_first(k))
            printf("%s%s", some++ ? ", " : "  not measured      ", clup_observable_group(k));
    if (some)
        puts(" (--observables)");
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

void simulate_print_table(const simulate_result *result)
{
    const simulate_wish *wish = result->wish;
    const clup_problem *problem = &wish->problem;
    static const char *const titles[CLUP_ALGORITHMS] = {"Swendsen-Wang", "Wolff", "few-cluster"};
    printf("clup %s, %s", clup_version(), titles[wish->method.algorithm]);
    if (wish->method.algorithm == CLUP_FEW_CLUSTER)
        printf(", %u x %u seeds, p_flip = %g", wish->method.seeds_per_side,
               wish->method.seeds_per_side, wish->method.p_flip);
    putchar('\n');
    simulate_print_problem(wish);
    printf("  %-18s%s (%s, %s)\n", "device", result->device.name, result->device.platform,
           result->device.driver);
    if (cli_world_is.processes > 0)
        print_processes(result);
    simulate_print_plan(&result->plan);
    if (wish->measure_every > 1)
        printf("  %-18s%" PRIu64 ", %" PRIu64 " of them measured, after %" PRIu64, "sweeps",
               result->sweeps, result->measured, result->thermalize);
    else
        printf("  %-18s%" PRIu64 " measured after %" PRIu64, "sweeps", result->sweeps,
               result->thermalize);
    simulate_print_seed(wish);
    if (result->interrupted && wish->schedule != NULL)
        printf("  %-18s%" PRIu32 " of %" PRIu32 " temperatures\n",
               result->late ? "time limit:" : "interrupted:", simulate_steps(result), wish->steps);
    else if (result->interrupted)
        printf("  %-18s%" PRIu64 " of %" PRIu64 " sweeps, after %" PRIu64 " of %" PRIu64 "\n",
               result->late ? "time limit:" : "interrupted:", result->sweeps, wish->sweeps,
               result->thermalize, wish->thermalize);
    putchar('\n');
    if (wish->population)
        simulate_print_population(result);
    else if (has_rows(wish))
        print_rows(result);
    else if (result->measured > 0) {
        print_estimates(result);
        print_vectors(&result->replicas[0]);
    }
    simulate_print_tempering(result);
    print_not_measured(result);
    print_notes(result);
    if (result->timing.sweeps > 0) {
        print_timing(&result->timing, (double)clup_problem_sites(problem) *
                                          (problem->replicas > 0 ? problem->replicas : 1));
        print_iterations(&result->timing);
    }
    if (!has_rows(wish))
        printf("  %-18s%s\n", "spins, sha256", result->replicas[0].spins_sha256);
}

void simulate_write_lattice(json *json, const clup_problem *problem)
{
    unsigned axes = clup_lattice_axes(problem->lattice);
    json_text(json, "lattice", clup_lattice_name(problem->lattice));
    json_open(json, "size", '[');
    for (unsigned axis = 0; axis < axes; axis++)
        json_whole(json, NULL, problem->size[axis]);
    json_close(json, ']');
    json_open(json, "periodic", '[');
    for (unsigned axis = 0; axis < axes; axis++)
        json_flag(json, NULL, problem->periodic[axis]);
    json_close(json, ']');
}

/* A number, "inf", which JSON has no number for, or null where there are several. */
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
    simulate_write_lattice(json, problem);
    json_whole(json, "q", problem->q);
    write_beta(json, problem->betas == NULL ? problem->beta : NAN);
    json_number(json, "beta_ratio", problem->betas == NULL ? beta_ratio(problem) : NAN);
    if (problem->replicas > 1)
        json_whole(json, "replicas", problem->replicas);
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
}

/* Those that were measured. */
static void write_vectors(json *json, const struct simulate_vector *vectors)
{
    json_open(json, "vectors", '{');
    for (clup_observable o = CLUP_OBSERVABLES; o < CLUP_OBSERVABLES_ALL; o++) {
        const struct simulate_vector *vector = &vectors[o - CLUP_OBSERVABLES];
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
    double exact[CLUP_OBSERVABLES];
    exact_of(result, r, exact);
    json_open(json, "observables", '{');
    for (clup_observable k = 0; k < CLUP_OBSERVABLES; k++) {
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
    const simulate_wish *wish = result->wish;
    json_open(json, wish->schedule != NULL ? "steps" : "replicas", '[');
    for (uint32_t r = 0; r < result->rows; r++) {
        json_open(json, NULL, '{');
        if (wish->schedule != NULL)
            json_whole(json, "step", r / simulate_replicas(wish));
        write_beta(json, simulate_row_beta(result, r));
        json_whole(json, "replica", number_of(result, r));
        write_observables(json, result, r);
        json_text(json, "spins_sha256", result->replicas[r].spins_sha256);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void simulate_write_json(const simulate_result *result)
{
    json json = {stdout, 1};
    json_open(&json, NULL, '{');
    json_text(&json, "schema", "clup/simulate/1");
    json_text(&json, "version", clup_version());
    clup_problem problem = result->wish->problem;
    if (result->wish->schedule != NULL)
        problem.betas = result->wish->schedule;
    simulate_write_setup(&json, &result->device, &problem, &result->plan);
    json_text(&json, "rng",
              result->wish->method.rng != NULL ? result->wish->method.rng : clup_rng_name(0));
    write_method(&json, &result->wish->method);
    json_whole(&json, "seed", result->wish->seed);
    json_whole(&json, "first_replica", result->wish->problem.first_replica);
    json_flag(&json, "interrupted", result->interrupted);
    json_flag(&json, "time_limit", result->late);
    json_whole(&json, "sweeps", result->sweeps);
    json_whole(&json, "sweeps_asked", result->wish->sweeps);
    json_whole(&json, "measure_every", result->wish->measure_every);
    json_whole(&json, "measured", result->measured);
    json_whole(&json, "thermalize", result->thermalize);
    json_whole(&json, "thermalize_asked", result->wish->thermalize);
    if (result->wish->population)
        simulate_write_population(&json, result);
    else if (has_rows(result->wish))
        write_rows(&json, result);
    else
        write_observables(&json, result, 0);
    simulate_write_tempering(&json, result);
    write_timing(&json, &result->timing);
    if (!has_rows(result->wish))
        json_text(&json, "spins_sha256", result->replicas[0].spins_sha256);
    json_close(&json, '}');
    json_end(&json);
}
