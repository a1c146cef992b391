/* SPDX-License-Identifier: BSD-3-Clause */
/* Values with their errors, as people write them. */
#ifndef CLUP_CLI_VALUE_H
#define CLUP_CLI_VALUE_H

/* Room for any value with any error. */
#define VALUE_TEXT 96

/* Writes a value with its error in units of the last digits: 0.506(13), 1230(50), 1.23(4)e-7. The
 * error has two digits where its first one is 1 or 2, else one; it has a point where it is 1 or
 * more and the value has decimals: 12.3(1.4). An error of 0 is "(0)", of a value with up to 10
 * digits; one that is not known, NAN or negative, is "(?)", of a value with up to 6. A value of NAN
 * is
 * "-". */
void value_text(double value, double error, char text[VALUE_TEXT]);
/* The same of a value with one error upward and another one downward: 1.52(+18-11). */
void value_text_between(double value, double below, double above, char text[VALUE_TEXT]);

#endif
