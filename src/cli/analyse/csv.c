/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the results of clup analyse as one table in CSV (RFC 4180): a line for each value. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/analyse/rows.h"
#include "cli/csv.h"
#include "cli/records.h"

static void write_size(const clup_problem *problem)
{
    char text[40] = "";
    if (problem != NULL)
        analyse_size_text(problem, text);
    putchar(',');
    csv_text(text);
}

static void write_row(const analyse_row *row)
{
    const double numbers[] = {row->beta,      row->beta_error, row->x,    row->value,
                              row->error,     row->low,        row->high, row->tau_int,
                              row->tau_error, row->overlap};
    csv_text(row->what);
    putchar(',');
    csv_text(row->observable);
    putchar(',');
    csv_text(clup_lattice_name(row->of[0]->lattice));
    write_size(row->of[0]);
    write_size(row->of[1]);
    putchar(',');
    csv_text(row->file != NULL ? row->file : "");
    putchar(',');
    if (row->system >= 0)
        printf("%" PRIi64, row->system);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        csv_number(numbers[k]);
    putchar(',');
    if (row->covered >= 0)
        printf("%d", row->covered);
    putchar(',');
    csv_text(row->note != NULL ? row->note : "");
    putchar('\n');
}

void analyse_write_csv(analyse_result *result)
{
    analyse_rows rows;
    analyse_collect(result, &rows);
    if (result->failed == CLUP_OK) {
        const char *parameter = cli_parameter(clup_record_problem(result->records[0]));
        printf("what,observable,lattice,size,other_size,file,system,%s,%s_error,x,value,error,"
               "low,high,tau_int,tau_error,overlap,covered,note\n",
               parameter, parameter);
        for (size_t k = 0; k < rows.count; k++)
            write_row(&rows.of[k]);
    }
    free(rows.of);
}
