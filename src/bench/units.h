/* SPDX-License-Identifier: BSD-3-Clause */
/* Quantities as people read them: in the unit that fits, with four digits and no exponent. */
#ifndef CLUP_BENCH_UNITS_H
#define CLUP_BENCH_UNITS_H

#define BENCH_UNITS 48

/* A value of a unit, such as "B", "s" or "pixels/s", with a prefix from pico to peta: "23.4 GB". Is
 * text; "not known" of NAN. Seconds have none above: "4120 s". */
const char *bench_units(double value, const char *unit, char text[BENCH_UNITS]);
/* A number with four digits: "0.01234", "45170". Is text. */
const char *bench_digits(double value, char text[BENCH_UNITS]);

#endif
