/* SPDX-License-Identifier: BSD-3-Clause */
/* What the subcommands share: tables of options, messages, numbers. The program uses clup.h and
 * nothing else of the library. */
#ifndef CLUP_CLI_CLI_H
#define CLUP_CLI_CLI_H
#include <stdio.h>

#include "cli/json.h"
#include "program.h"

/* One option: how it is written and what sets it. value is NULL for an option without argument. */
typedef struct cli_option {
    const char *name; /* without the dashes */
    char letter;      /* short form, or 0 */
    /* argument stands for the value in the help, and says to shells what they can complete: a|b|c
     * the choices, F.npy a file with that extension and F any file, x,y,z several of these,
     * tolerance=T what begins so, K a kernel of the stage that the option is called after, G a
     * generator of random numbers, D a device; any other text in capitals nothing */
    const char *argument, *help;
    clup_status (*set)(void *target, const char *value);
} cli_option;

/* The name of a row of a table that stands for options of fields of a problem: of the one whose key
 * is argument, or where that is NULL of all that the model called help has and whose part is one of
 * letter, CLUP_FIELD_.. together.
 * set is that of them all, in which cli_setting tells which. */
extern const char CLI_FIELDS[];
/* A table of options with those of fields in place of such rows; it ends with a NULL name, and is
 * the same one each time. */
const cli_option *cli_options(const cli_option *table);
/* The option that is being set, for set functions. */
const cli_option *cli_setting(void);
/* The field that an option is of; NULL for none. */
const clup_field *cli_field_of(const cli_option *option);
/* For set functions: sets a field of a problem to the value of its option. */
clup_status cli_set_field(const clup_field *field, const char *value, clup_problem *problem);
/* The field number row of those that say what a system is and have no place of their own in lines
 * and tables, as lattice, size, axes and q have; NULL past the end. */
const clup_field *cli_more_field(size_t row);
/* Writes the fields of some parts, CLUP_FIELD_.. together, as keys of an object: those that the
 * problem's model has and options say. */
void cli_write_fields(json *json, const clup_problem *problem, unsigned parts);

/* A set function of a file's own struct request: sets one of its fields, to value, which is the
 * argument, or to something else. */
#define CLI_SET(NAME, FIELD, VALUE) \
    static clup_status NAME(void *target, const char *value) \
    { \
        (void)target; \
        (void)value; \
        request.FIELD = VALUE; \
        return CLUP_OK; \
    }

/* What stands without dashes: at least and at most so often. */
typedef struct cli_operand {
    cli_option option;
    unsigned least, most;
} cli_operand;

/* Options of another command, ending with a NULL name, that a command has no use for, and why. */
typedef struct cli_unlike {
    const cli_option *options;
    const char *why;
} cli_unlike;

typedef struct cli_command {
    const char *name, *about;
    const cli_option *options; /* ends with a NULL name; for cli_options */
    void *target;              /* what the options' set functions get */
    int (*run)(void);
    void (*more_help)(FILE *to); /* may be NULL */
    const cli_operand *operand;  /* NULL for none */
    const cli_unlike *unlike;    /* NULL for none */
} cli_command;

extern const cli_command cli_simulate, cli_resume, cli_run, cli_status, cli_percolate, cli_label,
    cli_plan, cli_tune, cli_bench, cli_compare, cli_analyse, cli_selftest, cli_devices,
    cli_completion;

/* What is different for a program of several processes: zeros where there is one. */
typedef struct cli_world {
    const char *name;        /* of the program */
    const char *commands[5]; /* those that it has */
    /* clup_context_create for this process */
    clup_status (*open)(const char *device, clup_context **context);
    /* whether something is so in any of the processes, all of which ask */
    int (*any)(int here);
    unsigned processes;
    const clup_ranks *ranks; /* these */
    int silent;              /* another process speaks and writes files */
} cli_world;
extern cli_world cli_world_is;
/* The same, where there is one process, too. */
int cli_any(int here);

/* Reads the options of a command; 0, or an exit code after a message, or -1 when help was
 * printed. */
int cli_parse_options(const cli_command *command, int argc, char **argv);
/* Sets one option, value being NULL for one without argument; called is what a message calls it. 0,
 * or an exit code after a message. */
int cli_set(const cli_option *option, void *target, const char *value, const char *called);
/* For options of a command that come from elsewhere than a command line: after cli_begin_options,
 * cli_given tells of those that cli_set has set since, and cli_check_options gives 0 where they can
 * go together, or an exit code after a message. */
void cli_begin_options(const cli_command *command);
int cli_check_options(void);
/* What the program does for a command line, in a process that does nothing else after it: the exit
 * code. */
int cli_main(int argc, char **argv);
/* The same for the command line of one command, which argv[0] names. */
int cli_execute(const cli_command *command, int argc, char **argv);
void cli_print_help(const cli_command *command, FILE *to);
/* Whether the command line has the option of this name. */
int cli_given(const char *name);
/* For set functions: says what is wrong with the value, as the end of "--q 'two' is not a whole
 * number from 2 to 256"; gives CLUP_ERROR_USAGE. */
clup_status cli_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Puts name into guess, which starts as zeros, when it is spelt more like word than what is there,
 * and like it at all. */
typedef struct cli_guess {
    const char *name;
    unsigned distance;
} cli_guess;
void cli_nearest(const char *word, const char *name, cli_guess *guess);

/* Prints "clup: ..." on stderr from the error detail and returns the exit code. */
int cli_fail(clup_status status);
/* The same for a failed allocation of what. */
int cli_fail_memory(const char *what);
/* Prints "clup: TEXT" on stderr, unless text is empty. */
void cli_warn(const char *text);
/* clup_context_create, after which the warning of the context is printed. */
clup_status cli_context_create(const char *device, clup_context **context);
/* Prints "clup: ..." on stderr and returns the exit code for wrong usage. */
int cli_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes out what was printed so far; that it could not be written is an error when the program
 * ends. */
void cli_flush(void);
/* The exit code of a program that ends with code: code, unless what was printed did not reach its
 * file, or a signal came too late to end anything. */
int cli_finish(int code);

/* Whole-text conversions; they refuse what is out of range with cli_refuse. */
/* A whole number from least to most, also as 1e3 and 2.5e4; from 0. */
clup_status cli_parse_whole(const char *text, uint64_t least, uint64_t most, uint64_t *number);
clup_status cli_parse_u64(const char *text, uint64_t most, uint64_t *number);
clup_status cli_parse_double(const char *text, double *number);
/* A number as the sum of two, so that whole ones of 64 bits are exact; and its text, of a sum that
 * was read so. */
clup_status cli_parse_sum(const char *text, double *number, int64_t *more);
void cli_sum_text(double number, int64_t more, char text[40]);
/* "90", "90s", "1.5m", "3h" or "1d", from 0 on. */
clup_status cli_parse_duration(const char *text, double *seconds);
/* The row of the name text, where name gives those of all rows and NULL past the end. */
clup_status cli_parse_name(const char *text, const char *(*name)(size_t row), size_t *row);
/* Such names, of what clup.h has by an enumeration. */
const char *cli_lattice_name(size_t row);
const char *cli_algorithm_name(size_t row);
const char *cli_strategy_name(size_t row);
/* Appends "FROM:TO:N", both ends included, or "X,X,.." to numbers[count], which the caller
 * frees. */
clup_status cli_parse_numbers(const char *text, double **numbers, uint32_t *count);
/* "x,z": sets these elements to 1. */
clup_status cli_parse_axes(const char *text, int axes[3]);

/* From now on a first SIGINT or SIGTERM ends what the library does, and a second one the program;
 * what is done is shown unless quiet. */
void cli_watch(int quiet);
int cli_interrupted(void);
/* Ends it in so many seconds as well, of which cli_late tells afterwards. */
void cli_watch_for(double seconds);
int cli_late(void);
/* Seconds until a minute before the job of Slurm's that the process is in ends, by
 * SLURM_JOB_END_TIME, 0 when that is past; INFINITY where the variable is not set or, after a
 * message, is no time. */
double cli_slurm_seconds(void);
/* What is shown instead of what the library says it does: the name of it alone where unit is NULL,
 * nothing of it where both are. */
void cli_task(const char *what, const char *unit, uint64_t done, uint64_t total);
/* Takes the bar away, before anything is printed. */
void cli_clear(void);
/* Prints "clup: interrupted: ..." on stderr and returns the exit code. */
int cli_stopped(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The kernels that a model has, for --help. */
void cli_print_kernels(FILE *to, clup_model model);
/* The key device. */
void cli_write_device(json *json, const clup_device_info *device);

#endif
