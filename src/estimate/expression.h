/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions in the means of a record's series, such as 1 - m4/(3*m2^2): numbers, names of series,
 * beta and sites; + - * / ^ and parentheses; sqrt, log, exp and abs. ^ binds most and to the right,
 * a sign less than it: -2^2 is -4. */
#ifndef CLUP_ESTIMATE_EXPRESSION_H
#define CLUP_ESTIMATE_EXPRESSION_H
#include "estimate/record.h"

#define CLUP_EXPRESSION_STEPS 256
#define CLUP_EXPRESSION_NAMES 32

typedef enum expression_do {
    PUT_NUMBER,
    PUT_MEAN,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    POWER,
    NEGATE,
    SQRT,
    LOG,
    EXP,
    ABS
} expression_do;

/* Steps on a stack of numbers. */
typedef struct clup_expression {
    struct expression_step {
        expression_do what;
        double number; /* of PUT_NUMBER */
        unsigned name; /* of PUT_MEAN: the index in rows */
    } steps[CLUP_EXPRESSION_STEPS];
    unsigned step_count;
    size_t rows[CLUP_EXPRESSION_NAMES]; /* the numbers of the series, each once */
    unsigned row_count;
} clup_expression;

/* Reads an expression in the series of a system. Returns CLUP_ERROR_USAGE, with where and why in
 * the detail, for text that is none, for names that the system has no series of, and for none at
 * all. */
clup_status clup_expression_read(const char *text, const clup_record *record, uint32_t system,
                                 clup_expression *expression);

/* Returns the value where the means of the series are means[row_count]; NAN where it has none. */
double clup_expression_value(const clup_expression *expression, const double *means);

#endif
