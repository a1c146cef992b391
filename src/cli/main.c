/* clup: the subcommands, their options and their help. */
#include "cli/cli.h"
#include "cli/message.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const cli_command *const commands[] = {&cli_simulate, &cli_percolate, &cli_label, &cli_plan, &cli_tune, &cli_bench, &cli_devices, &cli_completion};
#define COMMANDS (sizeof commands / sizeof *commands)
#define OPTIONS_MAX 40

int cli_fail(clup_status status)
{
    if (status == CLUP_INTERRUPTED)
        return cli_stopped("%s", clup_error_detail());
    cli_message(status == CLUP_ERROR_BUILD, "%s: %s", clup_status_text(status), clup_error_detail());
    return (int)status;
}

int cli_fail_memory(const char *what)
{
    cli_message(0, "out of memory for %s", what);
    return CLUP_ERROR_MEMORY;
}

void cli_warn(const char *text)
{
    if (text[0] != '\0')
        cli_message(0, "%s", text);
}

int cli_usage_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    cli_message_of(0, format, args);
    va_end(args);
    return CLUP_ERROR_USAGE;
}

clup_status cli_parse_axes(const char *text, int axes[3])
{
    for (;; text += 2) {
        if (*text < 'x' || *text > 'z')
            return CLUP_ERROR_USAGE;
        axes[*text - 'x'] = 1;
        if (text[1] == '\0')
            return CLUP_OK;
        if (text[1] != ',')
            return CLUP_ERROR_USAGE;
    }
}

const cli_command *cli_command_row(size_t row)
{
    return row < COMMANDS ? commands[row] : NULL;
}

static void print_help(FILE *to)
{
    fputs("usage: clup COMMAND [OPTION]...\n\n", to);
    for (size_t k = 0; k < COMMANDS; k++)
        fprintf(to, "  %-12s%s\n", commands[k]->name, commands[k]->about);
    fputs("\n  clup COMMAND --help   the options of a command\n"
          "  clup --version        the version\n\n"
          "exit codes: 0 ok, 1 run-time error, 2 usage, 3 no device, 4 kernel build, 5 out of memory,\n"
          "            6 verification failed, 130 interrupted\n", to);
}

static void print_command_help(const cli_command *command, FILE *to)
{
    const cli_option *operand = command->operand;
    fprintf(to, "usage: clup %s [OPTION]...%s%s\n%s\n\n", command->name, operand != NULL ? " " : "", operand != NULL ? operand->name : "", command->about);
    if (operand != NULL)
        fprintf(to, "  %-38s%s\n", operand->name, operand->help);
    for (const cli_option *option = command->options; option->name != NULL; option++) {
        char left[64], letter[8] = "";
        if (option->letter != 0)
            snprintf(letter, sizeof letter, "-%c, ", option->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name, option->argument != NULL ? " " : "",
                 option->argument != NULL ? option->argument : "");
        if (strlen(left) < 38)
            fprintf(to, "  %-38s%s\n", left, option->help);
        else
            fprintf(to, "  %s\n  %38s%s\n", left, "", option->help);
    }
    if (command->more_help != NULL)
        command->more_help(to);
}

/* Parses the options of a command; 0, or an exit code, or -1 when help was printed. */
static int parse_options(const cli_command *command, int argc, char **argv)
{
    struct option table[OPTIONS_MAX] = {{0}};
    char letters[2 * OPTIONS_MAX + 3] = ":";
    int count = 0, found;
    for (const cli_option *option = command->options; option->name != NULL; option++, count++) {
        table[count] = (struct option){option->name, option->argument != NULL ? required_argument : no_argument, NULL, 256 + count};
        if (option->letter != 0)
            strcat(letters, (char[]){option->letter, option->argument != NULL ? ':' : '\0', '\0'});
    }
    table[count] = (struct option){"help", no_argument, NULL, 'h'};
    strcat(letters, "h");
    opterr = 0;
    while ((found = getopt_long(argc, argv, letters, table, NULL)) != -1) {
        const cli_option *option = NULL;
        if (found == 'h') {
            print_command_help(command, stdout);
            return -1;
        }
        if (found == ':')
            return cli_usage_error("option '%s' needs a value; see clup %s --help", argv[optind - 1], command->name);
        for (int k = 0; k < count; k++)
            if (found == 256 + k || (found != 0 && found == command->options[k].letter))
                option = &command->options[k];
        if (option == NULL)
            return cli_usage_error("unknown or ambiguous option '%s'; see clup %s --help", argv[optind - 1], command->name);
        if (option->set(command->target, optarg) != CLUP_OK)
            return cli_usage_error("--%s '%s' is not %s", option->name, optarg != NULL ? optarg : "", option->argument);
    }
    if (command->operand != NULL && optind == argc)
        return cli_usage_error("%s is missing; see clup %s --help", command->operand->name, command->name);
    if (command->operand != NULL)
        command->operand->set(command->target, argv[optind++]);
    if (optind < argc)
        return cli_usage_error("unexpected argument '%s'; see clup %s --help", argv[optind], command->name);
    return 0;
}

/* The exit code, unless what was printed did not reach its file, or a signal came too late to end anything. */
static int finish(int code)
{
    const int failed = fflush(stdout) != 0 || ferror(stdout);
    if (cli_interrupted() && code == 0)
        return cli_stopped(failed ? "standard output is not complete" : "all was done");
    if (failed) {
        fprintf(stderr, "clup: cannot write standard output: %s\n", strerror(errno));
        return code == 0 ? CLUP_ERROR_RUNTIME : code;
    }
    return code;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    if (name == NULL) {
        print_help(stderr);
        return CLUP_ERROR_USAGE;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help(stdout);
        return finish(0);
    }
    if (strcmp(name, "--version") == 0) {
        printf("clup %s\n", clup_version());
        return finish(0);
    }
    for (size_t k = 0; k < COMMANDS; k++)
        if (strcmp(commands[k]->name, name) == 0) {
            int code = parse_options(commands[k], argc - 1, argv + 1);
            return finish(code != 0 ? (code < 0 ? 0 : code) : commands[k]->run());
        }
    return cli_usage_error("unknown command '%s'; see clup --help", name);
}
