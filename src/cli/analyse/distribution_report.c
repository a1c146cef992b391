/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of histograms, free energies and double peaks. */
#include <math.h>

#include "cli/analyse/analyse.h"
#include "cli/value.h"

/* The number of temperatures side by side in a table of a histogram. */
#define BESIDE 4

static void print_figure(const char *before, double value, double error, const char *after)
{
    char text[VALUE_TEXT];
    value_text(value, error, text);
    printf("%s%s%s", before, text, after);
}

void analyse_print_double_peak(const analyse_scan *scan)
{
    const clup_double_peak *peak = &scan->double_peak;
    char size[40];
    analyse_size_text(&scan->problem, size);
    if (!peak->found) {
        printf("energy of %s: %s", size, analyse_double_peak_reason(scan));
        if (!isnan(peak->from))
            printf(", beta %.6g to %.6g", peak->from, peak->to);
        putchar('\n');
        return;
    }
    printf("energy of %s has two peaks\n", size);
    print_figure("  of equal weight at beta ", peak->equal_weight, peak->equal_weight_error, "");
    print_figure(": energies ", peak->energies[0], peak->energy_errors[0], "");
    print_figure(" and ", peak->energies[1], peak->energy_errors[1], "");
    print_figure(", latent heat ", peak->latent, peak->latent_error, "\n");
    print_figure("  of equal height at beta ", peak->equal_height, peak->equal_height_error, "");
    print_figure(": ln(Pmax/Pmin) ", peak->depth, peak->depth_error, "");
    print_figure(", interface tension ", peak->tension, peak->tension_error, "\n");
}

/* Prints the shares of bins at temperatures first to last - 1. */
static void print_shares(const analyse_scan *scan, const analyse_histogram *of, uint32_t first,
                         uint32_t last)
{
    printf("  %-12s", of->name);
    for (uint32_t k = first; k < last; k++) {
        char text[40];
        snprintf(text, sizeof text, "beta %.9g%s", scan->temperatures[k],
                 scan->sampled[k].covered ? "" : "!");
        printf(" %16s", text);
    }
    putchar('\n');
    for (uint32_t bin = 0; bin < of->bins; bin++) {
        printf("  %-12.6g", of->low + (bin + 0.5) * of->width);
        for (uint32_t k = first; k < last; k++) {
            const size_t at = (size_t)k * of->bins + bin;
            char text[VALUE_TEXT];
            value_text(of->shares[at], of->errors[at], text);
            printf(" %16s", text);
        }
        putchar('\n');
    }
}

static void print_histogram(const analyse_scan *scan, const analyse_histogram *of)
{
    char size[40];
    int outside = 0;
    analyse_size_text(&scan->problem, size);
    printf("\n%s, shares of %s in bins of %.6g\n", size, of->name, of->width);
    for (uint32_t k = 0; k < scan->temperature_count; k += BESIDE)
        print_shares(scan, of, k,
                     k + BESIDE < scan->temperature_count ? k + BESIDE : scan->temperature_count);
    for (uint32_t k = 0; k < scan->temperature_count; k++)
        outside |= !scan->sampled[k].covered;
    if (outside)
        puts("  note: ! is outside of the energies that were sampled: shares and errors there are "
             "not to be\n  relied on");
}

static void print_ln_z(const analyse_scan *scan)
{
    char size[40];
    analyse_size_text(&scan->problem, size);
    printf("\n%s, ln Z", size);
    if (scan->absolute)
        puts(" from that at beta 0");
    else
        printf(" less that at beta %.9g\n", scan->temperatures[0]);
    printf("  %-12s%17s%9s\n", "beta", "ln Z", "overlap");
    for (uint32_t k = 0; k < scan->temperature_count; k++) {
        char text[VALUE_TEXT];
        value_text(scan->ln_z[k], scan->ln_z_errors[k], text);
        printf("  %-12.9g%17s%9.3f%s\n", scan->temperatures[k], text, scan->sampled[k].overlap,
               scan->sampled[k].covered ? "" : " outside");
    }
}

void analyse_print_distribution(const analyse_result *result, const analyse_scan *scan)
{
    if (result->want_ln_z)
        print_ln_z(scan);
    for (size_t k = 0; k < scan->histogram_count; k++)
        print_histogram(scan, &scan->histograms[k]);
}
