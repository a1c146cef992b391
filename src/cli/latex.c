/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of LaTeX. */
#include "cli/latex.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/value.h"
#include "clup.h"

void latex_head(const char *command)
{
    printf("%% by %s %s; tables for \\input, which need no package\n", command, clup_version());
}

void latex_begin(unsigned columns, const char *title)
{
    fputs("\n\\begin{tabular}{l", stdout);
    for (unsigned k = 1; k < columns; k++)
        putchar('r');
    printf("}\n\\hline\n\\multicolumn{%u}{l}{%s", columns, title);
}

void latex_end_title(void)
{
    fputs("} \\\\\n", stdout);
}

void latex_end_head(void)
{
    fputs(" \\\\\n\\hline\n", stdout);
}

void latex_end_row(void)
{
    fputs(" \\\\\n", stdout);
}

void latex_end(void)
{
    fputs("\\hline\n\\end{tabular}\n", stdout);
}

void latex_text(const char *text)
{
    static const struct {
        char of;
        const char *by;
    } named[] = {{'\\', "\\textbackslash{}"},
                 {'^', "\\textasciicircum{}"},
                 {'~', "\\textasciitilde{}"},
                 {'<', "$<$"},
                 {'>', "$>$"},
                 {'|', "$|$"},
                 {'"', "\\char34{}"}};
    for (; *text != '\0'; text++) {
        const char *by = NULL;
        for (size_t k = 0; k < sizeof named / sizeof *named; k++)
            by = named[k].of == *text ? named[k].by : by;
        if (by != NULL)
            fputs(by, stdout);
        else if ((unsigned char)*text < ' ' || *text == 127)
            putchar(' ');
        else
            printf(strchr("{}$&#%_", *text) != NULL ? "\\%c" : "%c", *text);
    }
}

void latex_digits(const char *text)
{
    const char *power = strchr(text, 'e'), *sides = strstr(text, "(+"), *minus;
    if (strcmp(text, "-") == 0) {
        fputs("--", stdout);
        return;
    }
    if (strstr(text, "inf") == text || strstr(text, "-inf") == text) {
        printf("$%s\\infty$", text[0] == '-' ? "-" : "");
        return;
    }
    const int length = power != NULL ? (int)(power - text) : (int)strlen(text);
    putchar('$');
    if (sides != NULL && (minus = strchr(sides, '-')) != NULL)
        printf("%.*s({}^{%.*s}_{%.*s})", (int)(sides - text), text, (int)(minus - sides - 1),
               sides + 1, (int)strcspn(minus, ")"), minus);
    else
        printf("%.*s", length, text);
    if (power != NULL)
        printf("\\times 10^{%s}", power + 1);
    putchar('$');
}

void latex_value(double value, double error)
{
    char text[VALUE_TEXT];
    value_text(value, error, text);
    latex_digits(text);
}

void latex_name(const char *name)
{
    putchar('$');
    while (*name != '\0') {
        size_t letters = 0;
        while (isalpha((unsigned char)name[letters]))
            letters++;
        if (letters > 1)
            putchar('\\');
        letters = letters > 0 ? letters : 1;
        printf("%.*s", (int)letters, name);
        name += letters;
    }
    putchar('$');
}
