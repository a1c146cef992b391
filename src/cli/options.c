/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of a command, from its table: read, refused, and described by --help. */
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "cli/cli.h"

#define OPTIONS_MAX 64
/* What getopt_long returns for the first option of a table. */
#define FIRST 256

/* Options that would have no effect together with, or without, another one, and are refused with
 * the reason. command NULL means all commands that have both options. */
static const struct rule {
    const char *command, *option;
    enum { WITHOUT, WITH } must;
    const char *other, *why;
} rules[] = {
    {NULL, "device", WITHOUT, "reference", "the serial reference runs on no device"},
    {NULL, "local", WITHOUT, "reference", "the serial reference has no kernels"},
    {NULL, "consolidate", WITHOUT, "reference", "the serial reference has no kernels"},
    {NULL, "action", WITHOUT, "reference", "the serial reference has no kernels"},
    {NULL, "bonds", WITHOUT, "reference", "the serial reference has no layouts"},
    {NULL, "tile", WITHOUT, "reference", "the serial reference has no tiles"},
    {NULL, "plan", WITHOUT, "reference", "the serial reference has no plan"},
    {"analyse", "json", WITHOUT, "format", "it is --format json"},
    {"scale", "json", WITHOUT, "format", "it is --format json"},
    {"analyse", "crossings", WITH, "reweight", "it says where they are searched for"},
    {"analyse", "all-pairs", WITH, "reweight", "crossings are searched for with that"},
    {"analyse", "double-peaks", WITH, "reweight", "it says where they are searched for"},
    {"analyse", "slopes", WITH, "reweight", "it says at which temperatures"},
    {"bench", "stage", WITHOUT, "sweeps", "whole sweeps have all stages"},
    {"bench", "tiles", WITHOUT, "sweeps", "whole sweeps are timed with the tile of the plan"},
    {"bench", "seconds", WITHOUT, "sweeps", "whole sweeps are timed a fixed number of times"},
    {"bench", "thermalize", WITH, "sweeps", "kernels are timed after a fixed number of sweeps"},
    {"simulate", "swap-every", WITH, "tempering", "without it no system changes its place"},
    {"simulate", "tempering-tune", WITH, "tempering", "it places the temperatures of that"},
    {"simulate", "anneal", WITHOUT, "checkpoint",
     "what its steps have found is not in a checkpoint"},
    {"simulate", "population", WITH, "anneal", "it goes from one temperature to the next"},
    {"simulate", "population", WITHOUT, "series", "systems have no series across steps"},
    {"simulate", "tempering", WITHOUT, "betas", "it has betas of its own"},
    {"tune", "import", WITHOUT, "export", "one file at a time"},
    {"tune", "quick", WITHOUT, "export", "nothing is measured"},
    {"tune", "device", WITHOUT, "export", "nothing is measured"},
    {"tune", "json", WITHOUT, "export", "nothing is printed"},
    {"tune", "quick", WITHOUT, "import", "nothing is measured"},
    {"tune", "device", WITHOUT, "import", "nothing is measured"},
    {"tune", "json", WITHOUT, "import", "nothing is measured"},
};

/* Options that add to earlier values. Other options may be given once only, as a second value would
 * replace the first. */
static const char *const cumulative[] = {"open", "periodic"};

/* The options on the command line, by the rows of the command's table. */
static const cli_command *parsed;
static unsigned char given[OPTIONS_MAX];

/* Why the last value was refused, for the message. */
static char refusal[640];

clup_status cli_refuse(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(refusal, sizeof refusal, format, args);
    va_end(args);
    return CLUP_ERROR_USAGE;
}

/* The option whose value is being set. */
static const cli_option *setting;

const cli_option *cli_setting(void)
{
    return setting;
}

static int row_of(const cli_option *table, const char *name)
{
    const cli_option *options = cli_options(table);
    for (int k = 0; options[k].name != NULL; k++)
        if (strcmp(options[k].name, name) == 0)
            return k;
    return -1;
}

int cli_given(const char *name)
{
    const int row = parsed != NULL ? row_of(parsed->options, name) : -1;
    return row >= 0 && given[row];
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The edit distance: letters to insert, delete or replace (V. I. Levenshtein, Sov. Phys. Dokl. 10,
 * 707 (1966)). */
static unsigned distance(const char *from, const char *to)
{
    unsigned row[64], length = (unsigned)strlen(to);
    if (length >= sizeof row / sizeof *row)
        return UINT_MAX;
    for (unsigned k = 0; k <= length; k++)
        row[k] = k;
    for (unsigned line = 1; *from != '\0'; from++, line++) {
        unsigned corner = row[0];
        row[0] = line;
        for (unsigned k = 1; k <= length; k++) {
            const unsigned above = row[k];
            row[k] = least(corner + (*from != to[k - 1]), least(above, row[k - 1]) + 1);
            corner = above;
        }
    }
    return row[length];
}

void cli_nearest(const char *word, const char *name, cli_guess *guess)
{
    const unsigned away = distance(word, name), length = (unsigned)strlen(name);
    if (away <= length / 3 && (guess->name == NULL || away < guess->distance))
        *guess = (cli_guess){name, away};
}

/* The word that getopt_long refused: the last one or, when it stopped inside several letters after
 * one dash, the next. */
static const char *refused_word(int argc, char **argv)
{
    if (optopt != 0 && optind < argc && argv[optind][0] == '-' && argv[optind][1] != '-' &&
        strchr(argv[optind], optopt) != NULL)
        return argv[optind];
    return argv[optind - 1];
}

/* Refuses an option of another command that this command does not support, unless the word begins
 * one of its own options. */
static int refuse_unlike(const cli_command *command, const char *word)
{
    char name[64];
    if (command->unlike == NULL || strncmp(word, "--", 2) != 0)
        return 0;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    return row_of(command->unlike->options, name) >= 0 && row_of(command->options, name) < 0
               ? cli_usage_error("clup %s has no --%s: %s", command->name, name,
                                 command->unlike->why)
               : 0;
}

/* Refuses a word that is none of the command's options, or that several options begin with. */
static int refuse_unknown(const cli_command *command, const char *word)
{
    char starts[512] = "", dashed[OPTIONS_MAX][32];
    unsigned count = 0;
    cli_guess guess = {0};
    const size_t length = strlen(word);
    const cli_option *options = cli_options(command->options);
    for (int k = 0; options[k].name != NULL; k++) {
        snprintf(dashed[k], sizeof dashed[k], "--%s", options[k].name);
        cli_nearest(word, dashed[k], &guess);
        if (length > 2 && strncmp(dashed[k], word, length) == 0)
            snprintf(starts + strlen(starts), sizeof starts - strlen(starts), "%s%.31s",
                     count++ > 0 ? ", " : "", dashed[k]);
    }
    if (count > 1)
        return cli_usage_error("option '%s' is the start of several: %s", word, starts);
    if (guess.name != NULL)
        return cli_usage_error("unknown option '%s'; the nearest is %s, see clup %s --help", word,
                               guess.name, command->name);
    return cli_usage_error("unknown option '%s'; see clup %s --help", word, command->name);
}

static int refuse_word(const cli_command *command, int argc, char **argv, int found)
{
    char word[256];
    const cli_option *options = cli_options(command->options);
    for (const cli_option *option = options; option->name != NULL; option++)
        if (optopt != 0 &&
            (optopt == option->letter || optopt == FIRST + (int)(option - options))) {
            if (found == ':')
                return cli_usage_error("--%s needs a value, %s; see clup %s --help", option->name,
                                       option->argument, command->name);
            return cli_usage_error("--%s takes no value: '%s'", option->name,
                                   refused_word(argc, argv));
        }
    if (optopt == 'h')
        return cli_usage_error("--help takes no value: '%s'", refused_word(argc, argv));
    const char *met = refused_word(argc, argv);
    snprintf(word, sizeof word, "%.*s", (int)strcspn(met, "="), met);
    return refuse_unknown(command, word);
}

static int is_cumulative(const cli_option *option)
{
    for (size_t k = 0; k < sizeof cumulative / sizeof *cumulative; k++)
        if (strcmp(cumulative[k], option->name) == 0)
            return 1;
    return 0;
}

/* The most characters of a value that a message shows. */
#define SHOWN 64

static void show(const char *value, char shown[SHOWN])
{
    snprintf(shown, SHOWN, "%s", value != NULL ? value : "");
    if (value != NULL && strlen(value) >= SHOWN)
        strcpy(shown + SHOWN - 4, "...");
}

int cli_set(const cli_option *option, void *target, const char *value, const char *called)
{
    char shown[SHOWN];
    const int row = parsed != NULL ? row_of(parsed->options, option->name) : -1;
    show(value, shown);
    if (row >= 0)
        given[row] = 1;
    refusal[0] = '\0';
    setting = option;
    const clup_status status = option->set(target, value);
    if (status == CLUP_ERROR_MEMORY)
        return cli_fail_memory("the values of an option");
    if (status != CLUP_OK && refusal[0] != '\0')
        return cli_usage_error("%s '%s' %s", called, shown, refusal);
    return status == CLUP_OK
               ? 0
               : cli_usage_error("%s '%s' is not %s", called, shown, option->argument);
}

static int set_option(const cli_command *command, const cli_option *option, const char *value)
{
    char shown[SHOWN], called[SHOWN];
    show(value, shown);
    snprintf(called, sizeof called, "--%s", option->name);
    if (cli_given(option->name) && option->argument != NULL && !is_cumulative(option))
        return cli_usage_error(
            "--%s is given twice; its second value, '%s', would replace the first", option->name,
            shown);
    return cli_set(option, command->target, value, called);
}

void cli_begin_options(const cli_command *command)
{
    parsed = command;
    memset(given, 0, sizeof given);
}

int cli_check_options(void)
{
    const cli_command *command = parsed;
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
        if ((rules[k].command == NULL || strcmp(rules[k].command, command->name) == 0) &&
            cli_given(rules[k].option) && cli_given(rules[k].other) != (rules[k].must == WITH))
            return cli_usage_error("--%s goes %s --%s: %s", rules[k].option,
                                   rules[k].must == WITH ? "with" : "without", rules[k].other,
                                   rules[k].why);
    return 0;
}

static int set_operands(const cli_command *command, int argc, char **argv)
{
    const cli_operand *operand = command->operand;
    unsigned count = 0;
    for (; operand != NULL && count < operand->most && optind < argc; count++) {
        refusal[0] = '\0';
        if (operand->option.set(command->target, argv[optind]) != CLUP_OK)
            return cli_usage_error("%s '%s' %s", operand->option.name, argv[optind],
                                   refusal[0] != '\0' ? refusal : "is not valid");
        optind++;
    }
    return operand == NULL || count >= operand->least
               ? 0
               : cli_usage_error("%s is missing; see clup %s --help", operand->option.name,
                                 command->name);
}

int cli_needs_value(const cli_option *option)
{
    return option->argument != NULL && option->argument[0] != '[';
}

/* Whether an option has an argument, for getopt_long. */
static int argument_of(const cli_option *option)
{
    return option->argument == NULL  ? no_argument
           : cli_needs_value(option) ? required_argument
                                     : optional_argument;
}

int cli_parse_options(const cli_command *command, int argc, char **argv)
{
    struct option table[OPTIONS_MAX + 1] = {{0}};
    char letters[2 * OPTIONS_MAX + 3] = ":";
    int count = 0, found, code = 0;
    const cli_option *options = cli_options(command->options);
    for (const cli_option *option = options; option->name != NULL; option++, count++) {
        table[count] = (struct option){option->name, argument_of(option), NULL, FIRST + count};
        if (option->letter != 0)
            strcat(letters, (char[]){option->letter, option->argument != NULL ? ':' : '\0', '\0'});
    }
    table[count] = (struct option){"help", no_argument, NULL, 'h'};
    strcat(letters, "h");
    cli_begin_options(command);
    optind = 1;
    opterr = 0;
    for (int k = 1; k < argc && code == 0 && strcmp(argv[k], "--") != 0; k++)
        code = refuse_unlike(command, argv[k]);
    while (code == 0 && (found = getopt_long(argc, argv, letters, table, NULL)) != -1) {
        const cli_option *option = NULL;
        if (found == 'h') {
            cli_print_help(command, stdout);
            return -1;
        }
        for (int k = 0; k < count; k++)
            if (found == FIRST + k || found == options[k].letter)
                option = &options[k];
        code = option != NULL ? set_option(command, option, optarg)
                              : refuse_word(command, argc, argv, found);
    }
    if (code != 0)
        return code;
    if ((code = set_operands(command, argc, argv)) != 0)
        return code;
    if (optind < argc)
        return cli_usage_error("unexpected argument '%s'; see clup %s --help", argv[optind],
                               command->name);
    return cli_check_options();
}

void cli_print_help(const cli_command *command, FILE *to)
{
    const cli_operand *operand = command->operand;
    fprintf(to, "usage: clup %s [OPTION]...", command->name);
    if (operand != NULL)
        fprintf(to, operand->least == 0 ? " [%s]%s" : " %s%s", operand->option.name,
                operand->most > operand->least && operand->most > 1 ? "..." : "");
    fprintf(to, "\n%s\n\n", command->about);
    if (operand != NULL)
        fprintf(to, "  %-38s%s\n", operand->option.name, operand->option.help);
    for (const cli_option *option = cli_options(command->options); option->name != NULL; option++) {
        char left[128], letter[8] = "";
        if (option->letter != 0)
            snprintf(letter, sizeof letter, "-%c, ", option->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name,
                 cli_needs_value(option) ? " " : "",
                 option->argument != NULL ? option->argument : "");
        if (strlen(left) < 38)
            fprintf(to, "  %-38s%s\n", left, option->help);
        else
            fprintf(to, "  %s\n  %38s%s\n", left, "", option->help);
    }
    if (command->more_help != NULL)
        command->more_help(to);
}
