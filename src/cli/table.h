/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of the tables for people, at most 100 columns wide. */
#ifndef CLUP_CLI_TABLE_H
#define CLUP_CLI_TABLE_H

/* The columns of a line, and the columns before its text. */
#define TABLE_COLUMNS 100
#define TABLE_NAME 18

/* Prints a name and a text. The text is wrapped at blanks, and goes on in the column where it
 * began. A word that is longer than a line stays whole. */
void table_line(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints a name, padded to so many columns; a value with its error, aligned at the decimal point;
 * then beside, unless it is empty. */
void table_value(int columns, const char *name, double value, double error, const char *beside);
/* Prints the heading of lines by table_value. */
void table_values_head(int columns, const char *values, const char *beside);

#endif
