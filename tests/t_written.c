/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts that the program writes and reads: JSON, notes on estimates, whole numbers. */
#include <string.h>

#include "cli/cli.h"
#include "cli/notes.h"
#include "tap.h"

/* There is no line of progress to be cleared, and nobody to whom a value is refused. */
void cli_clear(void)
{
}

clup_status cli_refuse(const char *format, ...)
{
    (void)format;
    return CLUP_ERROR_USAGE;
}

static void check_json(void)
{
    char written[64] = "";
    FILE *file = tmpfile();
    json json = {file, 1};
    json_text(&json, NULL, "\x1e\x1f \x20\"\\\x7f");
    rewind(file);
    ok(fread(written, 1, sizeof written - 1, file) > 0 &&
           strcmp(written, "\"\\u001e\\u001f  \\\"\\\\\x7f\"") == 0,
       "all control characters of JSON are escaped: %s", written);
    fclose(file);
}

static void check_notes(void)
{
    static notes collected;
    notes_add(&collected, "mean_size_rest", CLUP_NOTE_CONSTANT);
    notes_add(&collected, "mean_size", CLUP_NOTE_CONSTANT);
    notes_add(&collected, "size", CLUP_NOTE_CONSTANT);
    for (int again = 0; again < 2; again++) {
        notes_add(&collected, "mean_size", CLUP_NOTE_CONSTANT);
        notes_add(&collected, "size", CLUP_NOTE_CONSTANT);
        notes_add(&collected, "mean_size_rest", CLUP_NOTE_CONSTANT);
    }
    ok(strcmp(collected.names[CLUP_NOTE_CONSTANT], "mean_size_rest, mean_size, size") == 0,
       "each name is noted once, also a part of another: %s", collected.names[CLUP_NOTE_CONSTANT]);
}

static void check_whole(void)
{
    static const struct {
        const char *text;
        uint64_t most;
        int fits;
    } rows[] = {{"5", 5, 1},
                {"6", 5, 0},
                {"9", 0, 0},
                {"0", 0, 1},
                {"10", 9, 0},
                {"18446744073709551615", UINT64_MAX, 1},
                {"18446744073709551616", UINT64_MAX, 0},
                {"1e19", UINT64_MAX, 1},
                {"2e19", UINT64_MAX, 0}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        uint64_t number;
        ok((cli_parse_whole(rows[k].text, 0, rows[k].most, &number) == CLUP_OK) == rows[k].fits,
           "%s is %s %llu", rows[k].text, rows[k].fits ? "at most" : "above",
           (unsigned long long)rows[k].most);
    }
}

static void check_sums(void)
{
    static const struct {
        const char *text;
        double number;
        int64_t more;
        const char *again;
    } rows[] = {{"0", 0, 0, "0"},
                {"-2.5", -2.5, 0, "-2.5"},
                {"9007199254740991", 0x1p53 - 1, 0, "9007199254740991"},
                {"9007199254740993", 0x1p53, 1, "9007199254740993"},
                {"18446744073709551615", 0x1p64 - 2048, 2047, "18446744073709551615"},
                {"-9223372036854775807", -0x1p63 + 2048, -2047, "-9223372036854775807"},
                {"-9223372036854775808", -0x1p63, 0, "-9.2233720368547758e+18"},
                {"18446744073709551616", 0x1p64, 0, "1.8446744073709552e+19"},
                {"1e19", 1e19, 0, "1e+19"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        double number;
        int64_t more;
        char text[40] = "";
        const clup_status status = cli_parse_sum(rows[k].text, &number, &more);
        cli_sum_text(number, more, text);
        ok(status == CLUP_OK && number == rows[k].number && more == rows[k].more &&
               strcmp(text, rows[k].again) == 0,
           "%s is %.17g and %lld: %s", rows[k].text, number, (long long)more, text);
    }
}

int main(void)
{
    check_json();
    check_notes();
    check_whole();
    check_sums();
    return done_testing();
}
