/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes values with their errors, as people write them. */
#ifndef CLUP_CLI_VALUE_H
#define CLUP_CLI_VALUE_H

/* Enough bytes for any value with any error. */
#define VALUE_TEXT 96

/* Writes a value with its error in units of the last digits: 0.506(13), 1230(50), 1.23(4)e-7. The
 * error has two digits when its first digit is 1 or 2, else one. The error has a decimal point when
 * it is at least 1 and the value has decimals: 12.3(1.4). An error of 0 is "(0)", after a value
 * with up to 10 digits. An unknown error, NAN or negative, is "(?)", after a value with up to 6
 * digits. A value of NAN is "-". */
void value_text(double value, double error, char text[VALUE_TEXT]);
/* Writes a value with separate upward and downward errors: 1.52(+18-11). */
void value_text_between(double value, double below, double above, char text[VALUE_TEXT]);

#endif
