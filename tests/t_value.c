/* SPDX-License-Identifier: BSD-3-Clause */
/* Values with their errors in units of the last digits: known texts, and that every text can be
 * read back. */
#include <math.h>
#include <string.h>

#include "cli/value.h"
#include "tap.h"

static void check(double value, double error, const char *wanted)
{
    char text[VALUE_TEXT];
    value_text(value, error, text);
    ok(strcmp(text, wanted) == 0, "%.17g +- %.17g is %s: %s", value, error, wanted, text);
}

static void check_between(double value, double below, double above, const char *wanted)
{
    char text[VALUE_TEXT];
    value_text_between(value, below, above, text);
    ok(strcmp(text, wanted) == 0, "%g - %g + %g is %s: %s", value, below, above, wanted, text);
}

/* What a text of value_text says; the unit is that of its last digit. */
static void read_back(const char *text, double *value, double *error, double *unit)
{
    char number[VALUE_TEXT], *open;
    strcpy(number, text);
    open = strchr(number, '(');
    char *close = strchr(open, ')'), *point = strchr(number, '.');
    const int power = close[1] == 'e' ? atoi(close + 2) : 0,
              decimals = point != NULL && point < open ? (int)(open - point) - 1 : 0;
    *open = *close = '\0';
    *unit = pow(10, power - decimals);
    *value = atof(number) * pow(10, power);
    *error = atof(open + 1) * (strchr(open + 1, '.') != NULL ? pow(10, power) : *unit);
}

/* Errors of one or two digits are right to 5 %, or 1/6 of a first digit of 3, and values to half of
 * their last digit; of many sizes. */
static void check_all(void)
{
    unsigned wrong = 0, longest = 0;
    for (int power = -30; power <= 30; power++)
        for (int apart = -4; apart <= 12; apart++)
            for (int k = 0; k < 90; k++) {
                char text[VALUE_TEXT];
                const double error = (1 + k / 10.0 + 0.0123) * pow(10, power),
                             exact = (k % 2 ? -1 : 1) * (1.23456789 + 0.087654321 * k) *
                                     pow(10, power + apart);
                double value, read, unit;
                value_text(exact, error, text);
                read_back(text, &value, &read, &unit);
                const int first = (int)(error / pow(10, power));
                const double coarse = fmax(pow(10, power) * (first < 3 ? 0.1 : 1), unit);
                if (!(fabs(value - exact) <= 0.5001 * coarse) ||
                    !(fabs(read - error) <= 0.5001 * pow(10, power) * (first < 3 ? 0.1 : 1))) {
                    printf("# %.12g +- %.12g: %s\n", exact, error, text);
                    wrong++;
                }
                longest = strlen(text) > longest ? (unsigned)strlen(text) : longest;
            }
    ok(wrong == 0, "every text says its value and error, %u do not; the longest has %u characters",
       wrong, longest);
}

int main(void)
{
    check(0.50612, 0.0131, "0.506(13)");
    check(1.498712, 0.00234, "1.4987(23)");
    check(1.498712, 0.0034, "1.499(3)");
    check(-1.498712, 0.0298, "-1.50(3)");
    check(1.498712, 0.0294, "1.499(29)");
    check(0.5061, 0.0096, "0.506(10)");
    check(0.5061, 0.096, "0.51(10)");
    check(0.996, 0.03, "1.00(3)");
    check(9.9996, 0.03, "10.00(3)");
    check(99.96, 0.3, "100.0(3)");

    check(12.34, 1.44, "12.3(1.4)");
    check(12.34, 12, "12(12)");
    check(1234.5, 3.2, "1234(3)");
    check(1234.5, 48, "1230(50)");
    check(1234.5, 2.96, "1234(3)");
    check(99999.5, 300, "100000(300)");
    check(1009.896, 0.26, "1009.90(26)");

    check(0.3, 1.21, "0.3(1.2)");
    check(0.0004, 0.013, "0.000(13)");
    check(-0.0004, 0.013, "0.000(13)");
    check(-0.0006, 0.013, "-0.001(13)");
    check(0, 0.5, "0.0(5)");
    check(3, 50, "0(50)");
    check(7, 50, "10(50)");
    check(0, 12345, "0(12000)");

    check(1.2345e-7, 4e-9, "1.23(4)e-7");
    check(1.2345e-7, 4e-6, "0(4)e-6");
    check(1.2345e12, 4e9, "1.234(4)e12");
    check(9.9996e-5, 3e-8, "0.00010000(3)");
    check(123456789.0, 12, "1.23456789(12)e8");
    check(99999999.0, 12, "99999999(12)");
    check(99999999.7, 12, "1.00000000(12)e8");
    check(2e-300, 1e-301, "2.00(10)e-300");
    check(1e308, 1e307, "1.00(10)e308");

    check(0.25, 0, "0.25(0)");
    check(1. / 3, 0, "0.3333333333(0)");
    check(1, 0, "1(0)");
    check(0, 0, "0(0)");
    check(1e-20, 0, "1(0)e-20");
    check(1, 1e-18, "1(0)");
    check(0.3, 4e-14, "0.30000000000000(4)");
    check(0.123456789, NAN, "0.123457(?)");
    check(0.5, -1, "0.5(?)");
    check(0.5, INFINITY, "0.5(inf)");
    check(NAN, 0.1, "-");
    check(NAN, NAN, "-");
    check(INFINITY, 0.1, "inf");
    check(-INFINITY, NAN, "-inf");

    check_between(1.5234, 0.112, 0.184, "1.52(+18-11)");
    check_between(1.5234, 0.112, 0.1125, "1.52(11)");
    check_between(1.5234, 0.034, 0.18, "1.52(+18-3)");
    check_between(12.34, 1.44, 3.3, "12.3(+3.3-1.4)");
    check_between(12.34, 0.94, 3.3, "12.3(+3.3-9)");
    check_between(1.5234, 0.112, INFINITY, "1.52(+inf-11)");
    check_between(1.5234, 0, 0.18, "1.52(+18-0)");
    check_between(1.5234, NAN, 0.18, "1.5234(?)");
    check_between(1.5e-9, 1.1e-10, 2.4e-10, "1.50(+24-11)e-9");
    check_between(1.5, 1e-30, 1, "1.500000000000000(+1.000000000000000-0)");

    check_all();
    return done_testing();
}
