/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of LaTeX that need no package, printed to standard output. */
#ifndef CLUP_CLI_LATEX_H
#define CLUP_CLI_LATEX_H

/* Prints a comment that says which command the tables are by. */
void latex_head(const char *command);
/* Begins a table of so many columns, and its first line, a title in LaTeX, which goes on until
 * latex_end_title. The names of columns follow, then latex_end_head; rows, each with latex_end_row;
 * latex_end. */
void latex_begin(unsigned columns, const char *title);
void latex_end_title(void);
void latex_end_head(void);
void latex_end_row(void);
void latex_end(void);

/* Prints a text so that LaTeX prints its characters. */
void latex_text(const char *text);
/* Prints a value in the form of value_text, with its power of ten as one, and its two errors one
 * above the other. */
void latex_digits(const char *text);
void latex_value(double value, double error);
/* Prints the name of a parameter, such as beta/nu or T_c, in letters that are Greek where the name
 * has more than one. */
void latex_name(const char *name);

#endif
