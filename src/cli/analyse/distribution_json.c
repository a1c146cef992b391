/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes histograms, free energies and double peaks as JSON. */
#include "cli/analyse/analyse.h"

static void write_temperature(json *json, const analyse_scan *scan, uint32_t k)
{
    json_number(json, "beta", scan->temperatures[k]);
    json_number(json, "overlap", scan->sampled[k].overlap);
    json_flag(json, "covered", scan->sampled[k].covered);
}

static void write_numbers(json *json, const char *key, const double *numbers, uint32_t count)
{
    json_open(json, key, '[');
    for (uint32_t k = 0; k < count; k++)
        json_number(json, NULL, numbers[k]);
    json_close(json, ']');
}

static void write_histogram(json *json, const analyse_scan *scan, const analyse_histogram *of)
{
    json_open(json, of->name, '{');
    json_number(json, "low", of->low);
    json_number(json, "width", of->width);
    json_open(json, "points", '[');
    for (uint32_t k = 0; k < scan->temperature_count; k++) {
        json_open(json, NULL, '{');
        write_temperature(json, scan, k);
        write_numbers(json, "shares", of->shares + (size_t)k * of->bins, of->bins);
        write_numbers(json, "errors", of->errors + (size_t)k * of->bins, of->bins);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

static void write_ln_z(json *json, const analyse_scan *scan)
{
    json_open(json, "ln_z", '{');
    json_flag(json, "absolute", scan->absolute);
    json_number(json, "from", scan->absolute ? 0 : scan->temperatures[0]);
    json_open(json, "points", '[');
    for (uint32_t k = 0; k < scan->temperature_count; k++) {
        json_open(json, NULL, '{');
        write_temperature(json, scan, k);
        json_number(json, "ln_z", scan->ln_z[k]);
        json_number(json, "error", scan->ln_z_errors[k]);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

static void write_double_peak(json *json, const analyse_scan *scan)
{
    const clup_double_peak *peak = &scan->double_peak;
    json_open(json, "double_peak", '{');
    json_flag(json, "found", peak->found);
    json_text(json, "reason", analyse_double_peak_reason(scan));
    json_number(json, "from", peak->from);
    json_number(json, "to", peak->to);
    json_number(json, "equal_weight", peak->equal_weight);
    json_number(json, "equal_weight_error", peak->equal_weight_error);
    write_numbers(json, "energies", peak->energies, 2);
    write_numbers(json, "energy_errors", peak->energy_errors, 2);
    json_number(json, "latent_heat", peak->latent);
    json_number(json, "latent_heat_error", peak->latent_error);
    json_number(json, "equal_height", peak->equal_height);
    json_number(json, "equal_height_error", peak->equal_height_error);
    write_numbers(json, "peaks", peak->peaks, 2);
    json_number(json, "valley", peak->valley);
    json_number(json, "depth", peak->depth);
    json_number(json, "depth_error", peak->depth_error);
    json_number(json, "tension", peak->tension);
    json_number(json, "tension_error", peak->tension_error);
    json_close(json, '}');
}

void analyse_write_distribution(json *json, const analyse_result *result, const analyse_scan *scan)
{
    if (scan->histogram_count > 0) {
        json_open(json, "histograms", '{');
        for (size_t k = 0; k < scan->histogram_count; k++)
            write_histogram(json, scan, &scan->histograms[k]);
        json_close(json, '}');
    }
    if (result->want_ln_z)
        write_ln_z(json, scan);
    if (result->want_double_peaks)
        write_double_peak(json, scan);
}
