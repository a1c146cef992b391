/* SPDX-License-Identifier: BSD-3-Clause */
/* What pictures of clup analyse share. */
#include <string.h>

#include "cli/analyse/pictures.h"

/* The labels of the axes. */
static const struct {
    const char *name, *label;
} labels[] = {
    {"energy", "energy a site, in units of J"},
    {"specific_heat", "specific heat a site, in units of k_B"},
    {"abs_m", "<|m|>"},
    {"m2", "<m^2>"},
    {"m4", "<m^4>"},
    {"susceptibility", "susceptibility, in units of 1/J"},
    {"binder", "1 - <m^4>/(3 <m^2>^2)"},
    {"m2_vector", "<m.m>, m the mean of the sites' unit vectors"},
    {"chi", "beta N <m.m>, in units of 1/J"},
    {"sk", "structure factor at the smallest wave vector"},
    {"xi", "correlation length, in sites"},
    {"xi_over_l", "correlation length over L"},
};

const char *analyse_label(const char *name)
{
    for (size_t k = 0; k < sizeof labels / sizeof *labels; k++)
        if (strcmp(labels[k].name, name) == 0)
            return labels[k].label;
    return name;
}

clup_status analyse_draw_plot(const bench_plot *plot, const analyse_canvas *canvas)
{
    char text[600] = "";
    bool drawn;
    if (plot->count == 0 || plot->curves[0].count == 0)
        return CLUP_OK;
    const clup_status status = bench_plot_draw(plot, canvas->folder, &drawn, text, sizeof text);
    if (canvas->note[0] == '\0')
        snprintf(canvas->note, canvas->size, "%s", text);
    return status;
}
