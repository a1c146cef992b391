/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the results of clup analyse as tables of LaTeX, which need no package. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/analyse/rows.h"
#include "cli/latex.h"
#include "cli/records.h"
#include "cli/value.h"

/* The number of observables side by side in a table of temperatures. */
#define BESIDE 4

/* The columns that a kind of rows has. ACROSS: a line for each temperature, and a column for each
 * observable. */
enum { NAME = 1, SIZES = 2, BETA = 4, VALUE = 8, INTERVAL = 16, TAU = 32, ACROSS = 64 };
static const struct layout {
    const char *what, *title;
    int columns;
} layouts[] = {
    {"crossing", "where two sizes have the same value", NAME | SIZES | BETA | VALUE},
    {"crossing_slope", "slopes d/d$\\beta$, of the first size, where two sizes cross",
     NAME | SIZES | BETA | VALUE},
    {"peak", "where an observable is highest", NAME | SIZES | BETA | VALUE},
    {"double_peak", "two peaks of the energy", NAME | SIZES | BETA | VALUE},
    {"ln_z", "free energies", NAME | BETA | VALUE},
    {"reweighted", "means at other temperatures", ACROSS},
    {"slope", "slopes d/d$\\beta$", ACROSS},
    {"mean", "means", NAME | VALUE | INTERVAL | TAU},
    {"expression", "expressions in means", NAME | VALUE | INTERVAL | TAU},
};
/* Columns but ACROSS, in the order of their bits. */
static const char *const heads[] = {"observable", "size",     "$\\beta$",
                                    "value",      "95\\,\\%", "$\\tau_{\\mathrm{int}}$"};
#define HEADS (sizeof heads / sizeof *heads)

static const struct layout *layout_of(const analyse_row *row)
{
    for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++)
        if (strcmp(layouts[k].what, row->what) == 0)
            return &layouts[k];
    return NULL;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static void write_interval(const analyse_row *row)
{
    char text[VALUE_TEXT];
    value_text_between(row->value, row->value - row->low, row->high - row->value, text);
    latex_digits(isnan(row->low) ? "-" : text);
}

static void write_size(const clup_problem *problem)
{
    char text[40];
    analyse_size_text(problem, text);
    for (char *at = text; *at != '\0'; at++)
        if (clup_graph_called(problem->graph) == NULL && *at == 'x')
            fputs("$\\times$", stdout);
        else
            latex_text((char[]){*at, '\0'});
}

static void write_cell(const analyse_row *row, int column)
{
    if (column == NAME)
        latex_text(row->observable);
    if (column == SIZES) {
        write_size(row->of[0]);
        if (row->of[1] != NULL) {
            fputs(", ", stdout);
            write_size(row->of[1]);
        }
    }
    if (column == BETA && row->note != NULL && isnan(row->beta))
        latex_text(row->note);
    else if (column == BETA && isnan(row->beta_error))
        printf("$%.9g$%s", row->beta, row->covered == 0 ? " (outside)" : "");
    else if (column == BETA)
        latex_value(row->beta, row->beta_error);
    if (column == VALUE)
        latex_value(row->value, row->error);
    if (column == INTERVAL)
        write_interval(row);
    if (column == TAU)
        latex_value(row->tau_int, row->tau_error);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Begins a table of so many columns; its first line says what it is of. */
static void begin(const analyse_row *row, unsigned columns)
{
    const struct layout *layout = layout_of(row);
    char number[32];
    latex_begin(columns, layout->title);
    if ((layout->columns & SIZES) == 0) {
        fputs(", ", stdout);
        write_size(row->of[0]);
    }
    if (row->file != NULL) {
        fputs(", ", stdout);
        latex_text(row->file);
        snprintf(number, sizeof number, "%.9g", row->beta);
        printf(", system %" PRIi64 ", $%s%s = %s$", row->system,
               cli_is_percolation(row->of[0]) ? "" : "\\", cli_parameter(row->of[0]),
               isinf(row->beta) ? "\\infty" : number);
    }
    latex_end_title();
}

static void write_table(const analyse_row *rows, size_t count)
{
    const int columns = layout_of(rows)->columns;
    unsigned width = 0;
    for (unsigned c = 0; c < HEADS; c++)
        width += columns >> c & 1;
    begin(rows, width);
    for (unsigned c = 0, at = 0; c < HEADS; c++)
        if (columns >> c & 1)
            printf("%s%s", at++ > 0 ? " & " : "", heads[c]);
    latex_end_head();
    for (size_t k = 0; k < count; k++) {
        for (unsigned c = 0, at = 0; c < HEADS; c++) {
            if ((columns >> c & 1) == 0)
                continue;
            fputs(at++ > 0 ? " & " : "", stdout);
            write_cell(&rows[k], 1 << c);
        }
        fputs(" \\\\\n", stdout);
    }
    latex_end();
}

/* Writes a line for each temperature, and beside it some of the observables at a time. */
static void write_across(const analyse_row *rows, size_t count)
{
    size_t names = 1;
    while (names < count && strcmp(rows[names].observable, rows[0].observable) != 0)
        names++;
    for (size_t first = 0; first < names; first += BESIDE) {
        const size_t last = first + BESIDE < names ? first + BESIDE : names;
        begin(rows, (unsigned)(last - first) + 1);
        fputs("$\\beta$", stdout);
        for (size_t k = first; k < last; k++) {
            fputs(" & ", stdout);
            latex_text(rows[k].observable);
        }
        latex_end_head();
        for (size_t at = 0; at + names <= count; at += names) {
            printf("$%.9g$%s", rows[at].beta, rows[at].covered == 0 ? " (outside)" : "");
            for (size_t k = first; k < last; k++) {
                fputs(" & ", stdout);
                latex_value(rows[at + k].value, rows[at + k].error);
            }
            fputs(" \\\\\n", stdout);
        }
        latex_end();
    }
}

/* Whether two rows are of one table. */
static int together(const analyse_row *a, const analyse_row *b)
{
    return strcmp(a->what, b->what) == 0 && a->file == b->file && a->system == b->system &&
           ((layout_of(a)->columns & SIZES) != 0 || a->of[0] == b->of[0]);
}

void analyse_write_latex(analyse_result *result)
{
    analyse_rows rows;
    analyse_collect(result, &rows);
    if (result->failed == CLUP_OK)
        latex_head("clup analyse");
    for (size_t k = 0, next; k < rows.count && result->failed == CLUP_OK; k = next) {
        next = k + 1;
        if (layout_of(&rows.of[k]) == NULL)
            continue;
        while (next < rows.count && together(&rows.of[k], &rows.of[next]))
            next++;
        if (layout_of(&rows.of[k])->columns == ACROSS)
            write_across(&rows.of[k], next - k);
        else
            write_table(&rows.of[k], next - k);
    }
    free(rows.of);
}
