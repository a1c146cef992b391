/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes quantities for people: in a unit that fits, with four digits and no exponent. */
#ifndef CLUP_BENCH_UNITS_H
#define CLUP_BENCH_UNITS_H

#define BENCH_UNITS 48

/* Writes a value with a unit, such as "B", "s" or "pixels/s", and a prefix from pico to peta: "23.4
 * GB". Seconds have no prefix above 1: "4120 s". NAN is "not known". Returns text. */
const char *bench_units(double value, const char *unit, char text[BENCH_UNITS]);
/* Writes a number with four digits: "0.01234", "45170". Returns text. */
const char *bench_digits(double value, char text[BENCH_UNITS]);

#endif
