/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads expressions, by recursive descent, and computes their values. */
#include "estimate/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The longest name, with its zero byte. */
#define NAME 64

/* Parentheses, signs and powers in each other, and so the numbers on the stack, at most. */
#define DEEPEST 60u

typedef struct reader {
    const char *text, *at;
    const clup_expression_names *names;
    unsigned depth;
    clup_expression *to;
} reader;

static const struct {
    const char *name;
    expression_do what;
} functions[] = {{"sqrt", SQRT}, {"log", LOG}, {"exp", EXP}, {"abs", ABS}};

static clup_status read_sum(reader *reader);

static clup_status fail(const reader *reader, const char *why)
{
    return clup_fail(CLUP_ERROR_USAGE, "expression '%.200s': %s%s%.20s%s", reader->text, why,
                     *reader->at != 0 ? " before '" : " at the end", reader->at,
                     *reader->at != 0 ? "'" : "");
}

static char next(reader *reader)
{
    while (isspace((unsigned char)*reader->at))
        reader->at++;
    return *reader->at;
}

/* Takes a character, if it is the next. */
static bool takes(reader *reader, char wanted)
{
    const bool is = next(reader) == wanted;
    reader->at += is;
    return is;
}

static clup_status put(reader *reader, struct expression_step step)
{
    if (reader->to->step_count == CLUP_EXPRESSION_STEPS)
        return fail(reader, "is too long");
    reader->to->steps[reader->to->step_count++] = step;
    return CLUP_OK;
}

static clup_status put_operation(reader *reader, expression_do what)
{
    return put(reader, (struct expression_step){.what = what});
}

static clup_status put_number(reader *reader, double number)
{
    return put(reader, (struct expression_step){.what = PUT_NUMBER, .number = number});
}

static clup_status put_named(reader *reader, size_t row)
{
    clup_expression *to = reader->to;
    unsigned k = 0;
    while (k < to->row_count && to->rows[k] != row)
        k++;
    if (k == CLUP_EXPRESSION_NAMES)
        return fail(reader, "has too many names");
    if (k == to->row_count)
        to->rows[to->row_count++] = row;
    return put(reader, (struct expression_step){.what = PUT_NAMED, .name = k});
}

static clup_status read_name(reader *reader)
{
    char name[NAME];
    const char *start = reader->at;
    size_t length = 0;
    while (isalnum((unsigned char)start[length]) || start[length] == '_')
        length++;
    if (length >= sizeof name)
        return fail(reader, "has too long a name");
    memcpy(name, start, length);
    name[length] = 0;
    reader->at += length;
    if (takes(reader, '(')) {
        for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
            if (strcmp(name, functions[k].name) == 0) {
                clup_status status = read_sum(reader);
                if (status == CLUP_OK && !takes(reader, ')'))
                    status = fail(reader, "lacks a )");
                return status == CLUP_OK ? put_operation(reader, functions[k].what) : status;
            }
        reader->at = start;
        return fail(reader, "has a function other than sqrt, log, exp, abs");
    }
    if (strcmp(name, "beta") == 0)
        return put_operation(reader, PUT_BETA);
    if (strcmp(name, "sites") == 0)
        return put_number(reader, reader->names->sites);
    if (strcmp(name, "L") == 0 && isfinite(reader->names->length))
        return put_number(reader, reader->names->length);
    size_t row;
    if (reader->names->find(reader->names->of, name, &row))
        return put_named(reader, row);
    reader->at = start;
    return fail(reader, "has a name that there is no series of");
}

static clup_status read_primary(reader *reader)
{
    const char first = next(reader);
    if (isalpha((unsigned char)first))
        return read_name(reader);
    if (isdigit((unsigned char)first) || first == '.') {
        char *end;
        const double number = strtod(reader->at, &end);
        if (end == reader->at || !isfinite(number))
            return fail(reader, "has no number");
        reader->at = end;
        return put_number(reader, number);
    }
    if (!takes(reader, '('))
        return fail(reader, "lacks a number, a name or a (");
    const clup_status status = read_sum(reader);
    return status == CLUP_OK && !takes(reader, ')') ? fail(reader, "lacks a )") : status;
}

/* A sign and what follows, or a power. */
static clup_status read_signed(reader *reader)
{
    clup_status status = CLUP_OK;
    if (++reader->depth > DEEPEST)
        return fail(reader, "is nested too deeply");
    if (takes(reader, '-')) {
        CLUP_TRY(read_signed(reader));
        CLUP_TRY(put_operation(reader, NEGATE));
    } else if (takes(reader, '+')) {
        CLUP_TRY(read_signed(reader));
    } else {
        CLUP_TRY(read_primary(reader));
        if (takes(reader, '^')) {
            CLUP_TRY(read_signed(reader));
            CLUP_TRY(put_operation(reader, POWER));
        }
    }
    reader->depth--;
done:
    return status;
}

static clup_status read_product(reader *reader)
{
    clup_status status = read_signed(reader);
    while (status == CLUP_OK && (next(reader) == '*' || next(reader) == '/')) {
        const expression_do what = *reader->at++ == '*' ? MULTIPLY : DIVIDE;
        CLUP_TRY(read_signed(reader));
        CLUP_TRY(put_operation(reader, what));
    }
done:
    return status;
}

static clup_status read_sum(reader *reader)
{
    clup_status status = read_product(reader);
    while (status == CLUP_OK && (next(reader) == '+' || next(reader) == '-')) {
        const expression_do what = *reader->at++ == '+' ? ADD : SUBTRACT;
        CLUP_TRY(read_product(reader));
        CLUP_TRY(put_operation(reader, what));
    }
done:
    return status;
}

clup_status clup_expression_read(const char *text, const clup_expression_names *names,
                                 clup_expression *expression)
{
    clup_status status = CLUP_OK;
    *expression = (clup_expression){0};
    reader reader = {text, text, names, 0, expression};
    CLUP_TRY(read_sum(&reader));
    if (next(&reader) != 0)
        return fail(&reader, "goes on");
    if (expression->row_count == 0)
        return fail(&reader, "has no name of a series");
done:
    return status;
}

static double operated(expression_do what, double a, double b)
{
    return what == ADD        ? a + b
           : what == SUBTRACT ? a - b
           : what == MULTIPLY ? a * b
           : what == DIVIDE   ? a / b
                              : pow(a, b);
}

static double applied(expression_do what, double a)
{
    return what == NEGATE ? -a
           : what == SQRT ? sqrt(a)
           : what == LOG  ? log(a)
           : what == EXP  ? exp(a)
                          : fabs(a);
}

double clup_expression_value(const clup_expression *expression, double beta, const double *values)
{
    double stack[CLUP_EXPRESSION_STEPS];
    unsigned top = 0;
    for (unsigned k = 0; k < expression->step_count; k++) {
        const struct expression_step *step = &expression->steps[k];
        if (step->what <= PUT_NAMED) {
            stack[top++] = step->what == PUT_NUMBER ? step->number
                           : step->what == PUT_BETA ? beta
                                                    : values[step->name];
        } else if (step->what >= NEGATE) {
            stack[top - 1] = applied(step->what, stack[top - 1]);
        } else {
            top--;
            stack[top - 1] = operated(step->what, stack[top - 1], stack[top]);
        }
    }
    return isfinite(stack[0]) ? stack[0] : NAN;
}
