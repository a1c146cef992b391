/* Tables of clup analyse. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cli/analyse.h"

static void print_number(double number)
{
    if (isnan(number))
        printf("%14s", "-");
    else
        printf("%14.8f", number);
}

static void print_observable(const char *name, const clup_analysis *analysis)
{
    printf("  %-18s", name);
    print_number(analysis->mean);
    print_number(analysis->error);
    print_number(analysis->plateau < analysis->levels ? analysis->binning_error : NAN);
    print_number(analysis->jackknife_error);
    if (isfinite(analysis->tau_int))
        printf("  %.2f +- %.2f%s", analysis->tau_int, analysis->tau_error,
               analysis->is_short && analysis->error > 0 ? " short" : "");
    putchar('\n');
}

static void print_system(analyse_result *result, size_t file, uint32_t system)
{
    const clup_record *record = result->records[file];
    const clup_problem *problem = clup_record_problem(record);
    const uint64_t count = clup_record_count(record, system);
    const char *name, *every = clup_record_get(record, "every");
    char size[40], number[32];
    double shortest = INFINITY;
    analyse_size_text(problem, size);
    printf("%s, system %" PRIu32 ": %s %s, q = %u, beta %s, %" PRIu64 " values",
           result->files[file], system, clup_lattice_name(problem->lattice), size, problem->q,
           clup_number_text(problem->betas[system], number), count);
    if (every != NULL && every[0] != '1')
        printf(", one in %s sweeps", every);
    printf("\n  %-18s%14s%14s%14s%14s  tau_int\n", "", "mean", "error", "by bins", "jackknife");
    for (size_t k = 0; (name = analyse_name(record, system, k)) != NULL && count > 0; k++) {
        clup_analysis analysis;
        if (!analyse_wants(result, name))
            continue;
        const clup_status status = clup_analysis_observable(record, system, name, &analysis);
        if (status != CLUP_OK) {
            result->failed = (int)status;
            return;
        }
        print_observable(name, &analysis);
        if (analysis.error > 0)
            shortest = fmin(shortest, (double)count / analysis.tau_int);
    }
    if (shortest < CLUP_RUN_LEAST)
        printf(
            "  note: a run of %.0f tau_int, fewer than %d, is short: errors are not well known\n",
            shortest, CLUP_RUN_LEAST);
    putchar('\n');
}

/* ---- other temperatures ---------------------------------------------------------------------- */

static void print_scan(const analyse_result *result, const analyse_scan *scan)
{
    char size[40], number[32];
    unsigned outside = 0;
    double least = 1;
    analyse_size_text(&scan->problem, size);
    printf("%s, by %u blocks\n  %-12s", size, clup_reweighting_blocks(scan->reweighting), "beta");
    for (unsigned row = 0; row < scan->rows; row++)
        if (analyse_wants(result, clup_reweighting_name(scan->reweighting, row)))
            printf("%15s%13s", clup_reweighting_name(scan->reweighting, row), "error");
    printf("%9s\n", "overlap");
    for (uint32_t k = 0; k < result->beta_count; k++) {
        const clup_coverage *coverage = &scan->coverage[k];
        printf("  %-12s", clup_number_text(result->betas[k], number));
        for (unsigned row = 0; row < scan->rows; row++)
            if (analyse_wants(result, clup_reweighting_name(scan->reweighting, row)))
                printf("%15.8f%13.8f", scan->values[k * scan->rows + row],
                       scan->errors[k * scan->rows + row]);
        printf("%9.3f%s\n", coverage->overlap, coverage->covered ? "" : " outside");
        outside += !coverage->covered;
        least = fmin(least, coverage->overlap);
    }
    if (outside > 0)
        printf("  note: %u of %" PRIu32 " temperatures are outside of the energies that were "
               "sampled, overlap down to %.3f: there, values and errors are not to be relied on\n",
               outside, result->beta_count, least);
    for (size_t k = 0; analyse_peaks[k] != NULL; k++) {
        const clup_place *peak = &scan->peaks[k];
        if (peak->found && analyse_wants(result, analyse_peaks[k]))
            printf("  peak of %s: %.8f +- %.8f at beta %.8f +- %.8f\n", analyse_peaks[k],
                   peak->value, peak->value_error, peak->beta, peak->beta_error);
    }
    putchar('\n');
}

static void print_crossing(const analyse_result *result, const analyse_crossing *crossing)
{
    char sizes[2][40];
    const clup_place *place = &crossing->place;
    if (!analyse_wants(result, crossing->name))
        return;
    for (unsigned k = 0; k < 2; k++)
        analyse_size_text(&crossing->of[k]->problem, sizes[k]);
    printf("%s of %s and %s ", crossing->name, sizes[0], sizes[1]);
    if (place->found)
        printf("cross at beta %.8f +- %.8f, where it is %.8f +- %.8f\n", place->beta,
               place->beta_error, place->value, place->value_error);
    else
        printf("do not cross there\n");
}

void analyse_print(analyse_result *result)
{
    for (size_t k = 0; k < result->count; k++)
        for (uint32_t r = 0; r < clup_record_systems(result->records[k]); r++)
            print_system(result, k, r);
    for (size_t k = 0; k < result->scan_count; k++)
        print_scan(result, &result->scans[k]);
    for (size_t k = 0; k < result->crossing_count; k++)
        print_crossing(result, &result->crossings[k]);
}
