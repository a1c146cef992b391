/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the kernels of a model for --help: what each does, and which plans can use it. */
#include <stdarg.h>
#include <string.h>

#include "cli/cli.h"

#define ALL_LATTICES ((1u << CLUP_LATTICES) - 1)

/* Appends to a list, with a semicolon before all parts but the first. */
static void add(char list[256], const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(char list[256], const char *format, ...)
{
    size_t used = strlen(list);
    va_list args;
    snprintf(list + used, 256 - used, "%s", used > 0 ? "; " : "");
    used = strlen(list);
    va_start(args, format);
    vsnprintf(list + used, 256 - used, format, args);
    va_end(args);
}

static unsigned lattices_with_axes(unsigned axes)
{
    unsigned lattices = 0;
    for (clup_lattice_kind k = 0; k < CLUP_LATTICES; k++)
        lattices |= clup_lattice_axes(k) == axes ? 1u << k : 0;
    return lattices;
}

static void describe(clup_stage stage, const clup_kernel_scope *scope, clup_model model,
                     char list[256])
{
    list[0] = '\0';
    if (stage == CLUP_ACTION && model == CLUP_POTTS)
        add(list, "%s", clup_algorithm_name(scope->algorithm));
    if (scope->lattices == lattices_with_axes(2))
        add(list, "lattices in the plane");
    else if (scope->lattices != ALL_LATTICES)
        for (clup_lattice_kind k = 0; k < CLUP_LATTICES; k++)
            if (scope->lattices >> k & 1)
                add(list, "%s lattice", clup_lattice_name(k));
    add(list, "%s bonds", scope->bonds != NULL ? scope->bonds : "char, word");
    if (scope->q_max > 0)
        add(list, "q up to %u", scope->q_max);
    if (scope->philox)
        add(list, "philox");
    if (!scope->replicas)
        add(list, "one system");
}

void cli_print_kernels(FILE *to, clup_model model)
{
    fputs("\nkernels (in brackets what they are for alone)\n", to);
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        clup_kernel_scope scope;
        const char *heading = clup_stage_name(stage);
        for (size_t k = 0; clup_kernel_scope_of(stage, k, &scope); k++) {
            char list[256];
            if (!(scope.models >> model & 1))
                continue;
            describe(stage, &scope, model, list);
            fprintf(to, "  %-13s%-20s%s [%s]\n", heading, clup_kernel_name(stage, k),
                    clup_kernel_about(stage, k), list);
            heading = "";
        }
    }
}
