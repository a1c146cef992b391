/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields of tables in CSV (RFC 4180), printed to standard output. */
#ifndef CLUP_CLI_CSV_H
#define CLUP_CLI_CSV_H

/* Prints a text, in quotes where it has a character that ends it. */
void csv_text(const char *text);
/* Prints a comma and a number with all its digits; the comma alone for NAN. */
void csv_number(double number);

#endif
