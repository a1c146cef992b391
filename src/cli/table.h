/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of the tables that people read, of at most 100 columns. */
#ifndef CLUP_CLI_TABLE_H
#define CLUP_CLI_TABLE_H

/* Columns of a line, and those before its text. */
#define TABLE_COLUMNS 100
#define TABLE_NAME 18

/* Prints a name and a text. The text goes on below, where it began, at a blank before the last
 * column; a word that is longer than that stays whole. */
void table_line(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints a name, of so many columns, and a value with its error, points one below the other; then
 * what stands beside it, unless that is empty. */
void table_value(int columns, const char *name, double value, double error, const char *beside);
/* Prints the line above such values. */
void table_values_head(int columns, const char *values, const char *beside);

#endif
