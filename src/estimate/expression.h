/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions in means and functions of means, such as 1 - m4/(3*m2^2) or chi/L^1.75: numbers,
 * names, beta, sites and L; + - * / ^ and parentheses; sqrt, log, exp and abs. ^ binds most and to
 * the right, a sign less than it: -2^2 is -4. */
#ifndef CLUP_ESTIMATE_EXPRESSION_H
#define CLUP_ESTIMATE_EXPRESSION_H
#include <stdbool.h>

#include "base/status.h"

#define CLUP_EXPRESSION_STEPS 256
#define CLUP_EXPRESSION_NAMES 32

typedef enum expression_do {
    PUT_NUMBER,
    PUT_BETA,
    PUT_NAMED,
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
        unsigned name; /* of PUT_NAMED: the index in rows */
    } steps[CLUP_EXPRESSION_STEPS];
    unsigned step_count;
    size_t rows[CLUP_EXPRESSION_NAMES]; /* the numbers of what is named, each once */
    unsigned row_count;
} clup_expression;

/* What the names of an expression mean. */
typedef struct clup_expression_names {
    const void *of;
    bool (*find)(const void *of, const char *name, size_t *row);
    double sites;
    double length; /* L, the longest axis; NAN where there is none */
} clup_expression_names;

/* Reads an expression. Returns CLUP_ERROR_USAGE, with where and why in the detail, for text that is
 * none, for unknown names, and for none at all. */
clup_status clup_expression_read(const char *text, const clup_expression_names *names,
                                 clup_expression *expression);

/* Returns the value where what is named has values[row_count]; NAN where it has none. */
double clup_expression_value(const clup_expression *expression, double beta, const double *values);

#endif
