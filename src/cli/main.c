/* SPDX-License-Identifier: BSD-3-Clause */
/* clup: finds the command that a command line asks for; prints help and versions. */
#include "cli/cli.h"
#include "cli/completion/completion.h"

#include <signal.h>
#include <string.h>

static const cli_command *const commands[] = {
    &cli_simulate,  &cli_resume,   &cli_run,     &cli_status,     &cli_analyse, &cli_scale,
    &cli_percolate, &cli_label,    &cli_graph,   &cli_plan,       &cli_tune,    &cli_bench,
    &cli_compare,   &cli_selftest, &cli_devices, &cli_completion, NULL};
#define COMMANDS (sizeof commands / sizeof *commands - 1)

/* Whether the program has a command. */
static int has_command(const cli_command *command)
{
    const char *const *name = cli_world_is.commands;
    if (cli_world_is.name == NULL)
        return 1;
    while (*name != NULL && strcmp(*name, command->name) != 0)
        name++;
    return *name != NULL;
}

static void print_help(FILE *to)
{
    const char *program = cli_world_is.name != NULL ? cli_world_is.name : "clup";
    fprintf(to, "usage: %s COMMAND [OPTION]...\n\n", program);
    for (size_t k = 0; k < COMMANDS; k++)
        if (has_command(commands[k]))
            fprintf(to, "  %-12s%s\n", commands[k]->name, commands[k]->about);
    fprintf(to,
            "\n  %s COMMAND --help   the options of a command\n"
            "  %s --version        the version; with --json, and what it knows, as one JSON "
            "object\n\n"
            "exit codes: 0 ok, 1 run-time error, 2 usage, 3 no device, 4 kernel build, 5 out of "
            "memory,\n"
            "            6 verification failed, 130 interrupted\n",
            program, program);
}

static const char *command_name(size_t command)
{
    return commands[command] != NULL ? commands[command]->name : NULL;
}

static int print_version_json(void)
{
    static const struct {
        const char *key;
        const char *(*name)(size_t row); /* NULL past the end */
    } lists[] = {{"commands", command_name},
                 {"lattices", cli_lattice_name},
                 {"algorithms", cli_algorithm_name},
                 {"rng", clup_rng_name},
                 {"bonds", clup_layout_name}};
    json json = {stdout, 1};
    json_open(&json, NULL, '{');
    json_text(&json, "schema", "clup/version/1");
    json_text(&json, "version", clup_version());
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        json_open(&json, lists[k].key, '[');
        for (size_t row = 0; lists[k].name(row) != NULL; row++)
            json_text(&json, NULL, lists[k].name(row));
        json_close(&json, ']');
    }
    json_close(&json, '}');
    json_end(&json);
    return 0;
}

/* clup --version, alone or with --json. */
static int print_version(int argc, char **argv)
{
    if (argc > 3 || (argc == 3 && strcmp(argv[2], "--json") != 0))
        return cli_usage_error("unexpected argument '%s'; --version stands alone, or with --json",
                               argv[argc > 3 && strcmp(argv[2], "--json") == 0 ? 3 : 2]);
    if (argc == 3)
        return print_version_json();
    printf("clup %s\n", clup_version());
    return 0;
}

static const cli_command *find_command(const char *name)
{
    for (size_t k = 0; k < COMMANDS; k++)
        if (strcmp(commands[k]->name, name) == 0 && has_command(commands[k]))
            return commands[k];
    return NULL;
}

static int refuse_command(const char *name)
{
    static const char *const others[] = {"help", "--help", "--version"};
    cli_guess guess = {0};
    for (size_t k = 0; k < COMMANDS; k++) {
        if (strcmp(name, commands[k]->name) == 0)
            return cli_usage_error("%s has no command '%s'; see %s --help", cli_world_is.name, name,
                                   cli_world_is.name);
        if (has_command(commands[k]))
            cli_nearest(name, commands[k]->name, &guess);
    }
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        cli_nearest(name, others[k], &guess);
    if (guess.name != NULL)
        return cli_usage_error("unknown command '%s'; the nearest is %s, see clup --help", name,
                               guess.name);
    return cli_usage_error("unknown command '%s'; see clup --help", name);
}

/* clup help, alone or with a command. */
static int help(int argc, char **argv)
{
    const cli_command *command = argc > 2 ? find_command(argv[2]) : NULL;
    if (argc > 3)
        return cli_usage_error("unexpected argument '%s'; see clup --help", argv[3]);
    if (argc > 2 && command == NULL)
        return refuse_command(argv[2]);
    if (command != NULL)
        cli_print_help(command, stdout);
    else
        print_help(stdout);
    return 0;
}

int cli_main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    /* writing past the limit of a file's size then fails with EFBIG */
    signal(SIGXFSZ, SIG_IGN);
    if (name == NULL) {
        print_help(stderr);
        return CLUP_ERROR_USAGE;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return cli_finish(help(argc, argv));
    if (strcmp(name, "--version") == 0)
        return cli_finish(print_version(argc, argv));
    /* clup graph simulate EDGES .. is clup simulate --graph EDGES .. */
    static char simulate[] = "simulate", graph[] = "--graph";
    if (argc > 2 && strcmp(name, "graph") == 0 && strcmp(argv[2], simulate) == 0) {
        const int edges = argc > 3 && argv[3][0] != '-';
        argv[1] = edges ? simulate : argv[0];
        argv[2] = edges ? graph : simulate;
        argv += !edges;
        argc -= !edges;
        name = simulate;
    }
    const cli_command *command = find_command(name);
    completion_of(commands);
    return command != NULL ? cli_execute(command, argc - 1, argv + 1) : refuse_command(name);
}
