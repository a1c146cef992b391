/* SPDX-License-Identifier: BSD-3-Clause */
/* What the commands share: tables of options, messages, numbers. Of the library the program uses
 * clup.h and program.h, and nothing else. */
#ifndef CLUP_CLI_CLI_H
#define CLUP_CLI_CLI_H
#include <stdio.h>

#include "cli/json.h"
#include "program.h"

/* An option: its names, and the function that sets it, which gets value NULL for an option without
 * argument, or whose argument was left out. */
typedef struct cli_option {
    const char *name; /* without the dashes */
    char letter;      /* short form, or 0 */
    /* argument stands for the value in the help, and tells shells how to complete it. a|b|c: one of
     * the choices; F.npy: a file with that extension; F: any file; x,y,z: several of these letters;
     * tolerance=T: a value that begins with tolerance=; K: a kernel of the stage that the option is
     * called after; G: a generator of random numbers; D: a device. Shells complete nothing for
     * other texts in capitals. [=N]: the value may be left out, and follows = where it is given. */
    const char *argument, *help;
    clup_status (*set)(void *target, const char *value);
} cli_option;

/* The name of a row that stands for the options of fields of a problem. If argument is not NULL, it
 * is the key of the one field that is meant. If it is NULL, all fields are meant that the model
 * named by help has and whose part is in letter, an OR of CLUP_FIELD_.. values. The function set is
 * that of each of these options; it calls cli_setting() to learn which one is set. */
extern const char CLI_FIELDS[];
/* Returns a table with each row CLI_FIELDS replaced by the options of its fields. The table ends
 * with a NULL name. Calls for one table return the same pointer. */
const cli_option *cli_options(const cli_option *table);
/* Whether the word after an option, or = and what follows, is its value: it has one that may not be
 * left out. */
int cli_needs_value(const cli_option *option);
/* For set functions: the option that is being set. */
const cli_option *cli_setting(void);
/* The field that an option sets; NULL for none. */
const clup_field *cli_field_of(const cli_option *option);
/* For set functions: sets a field of a problem to the value of its option. */
clup_status cli_set_field(const clup_field *field, const char *value, clup_problem *problem);
/* Returns field number row of those that have no fixed place in lines and tables, NULL past the
 * end: the fields that say what a system is (CLUP_FIELD_LAW), without lattice, periodic and q. */
const clup_field *cli_more_field(size_t row);
/* Writes those that have not their default, such as "; model = Ising", and returns the length; as
 * many as fit. CLI_MORE_FIELDS bytes have room for all. */
#define CLI_MORE_FIELDS 1280
size_t cli_more_fields_text(const clup_problem *problem, char *text, size_t size);
/* Writes the size as an array: a number for each axis, or the vertices of a graph. */
void cli_write_size(json *json, const char *key, const clup_problem *problem);
/* Writes the fields of the given parts, an OR of CLUP_FIELD_.., as keys of an object: the fields
 * that the problem's model has and that have an option. With the size goes what a lattice of a cell
 * is called. */
void cli_write_fields(json *json, const clup_problem *problem, unsigned parts);

/* Defines a set function for the struct request of one file. It sets FIELD to VALUE: value, the
 * argument, or something else. */
#define CLI_SET(NAME, FIELD, VALUE) \
    static clup_status NAME(void *target, const char *value) \
    { \
        (void)target; \
        (void)value; \
        request.FIELD = VALUE; \
        return CLUP_OK; \
    }

/* Operands, the arguments without dashes: their least and greatest number. */
typedef struct cli_operand {
    cli_option option;
    unsigned least, most;
} cli_operand;

/* Options of another command that a command does not have, and why. Ends with a NULL name. */
typedef struct cli_unlike {
    const cli_option *options;
    const char *why;
} cli_unlike;

typedef struct cli_command {
    const char *name, *about;
    const cli_option *options; /* for cli_options; ends with a NULL name */
    void *target;              /* passed to the options' set functions */
    int (*run)(void);
    void (*more_help)(FILE *to); /* may be NULL */
    const cli_operand *operand;  /* NULL for none */
    const cli_unlike *unlike;    /* NULL for none */
} cli_command;

extern const cli_command cli_simulate, cli_resume, cli_run, cli_status, cli_percolate, cli_label,
    cli_graph, cli_plan, cli_tune, cli_bench, cli_compare, cli_analyse, cli_scale, cli_selftest,
    cli_devices, cli_completion;

/* What is different in a program of several processes; zeros in a program of one. */
typedef struct cli_world {
    const char *name;        /* of the program */
    const char *commands[5]; /* the commands of the program */
    /* clup_context_create for this process */
    clup_status (*open)(const char *device, clup_context **context);
    /* whether here is true in any process; all processes must call it */
    int (*any)(int here);
    unsigned processes;
    const clup_ranks *ranks; /* the processes */
    int silent;              /* another process prints and writes files */
} cli_world;
extern cli_world cli_world_is;
/* any of cli_world; with one process, returns here. */
int cli_any(int here);

/* Reads the options of a command. Returns 0, or an exit code after a message, or -1 after
 * --help. */
int cli_parse_options(const cli_command *command, int argc, char **argv);
/* Sets one option. value is NULL for an option without argument; messages name the option by
 * called. Returns 0, or an exit code after a message. */
int cli_set(const cli_option *option, void *target, const char *value, const char *called);
/* For options that do not come from a command line. Call cli_begin_options first. cli_given then
 * tells which options cli_set has set since. cli_check_options returns 0 when these options can go
 * together, else an exit code after a message. */
void cli_begin_options(const cli_command *command);
int cli_check_options(void);
/* Runs a command line and returns the exit code. The process must do nothing else afterwards. */
int cli_main(int argc, char **argv);
/* Runs the command line of one command, which argv[0] names, under the conditions of cli_main. */
int cli_execute(const cli_command *command, int argc, char **argv);
void cli_print_help(const cli_command *command, FILE *to);
/* Whether the command line has the option of this name. */
int cli_given(const char *name);
/* For set functions: reports what is wrong with the value, as the end of a sentence such as "--q
 * 'two' is not a whole number from 2 to 256". Returns CLUP_ERROR_USAGE. */
clup_status cli_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* cli_guess: keeps in guess, which must begin as zeros, the name whose spelling is nearest to word,
 * if any is near enough. */
typedef struct cli_guess {
    const char *name;
    unsigned distance;
} cli_guess;
void cli_nearest(const char *word, const char *name, cli_guess *guess);

/* Prints "clup: ..." on stderr from the error detail. Returns the exit code. */
int cli_fail(clup_status status);
/* Prints that there is no memory for what. Returns the exit code. */
int cli_fail_memory(const char *what);
/* Prints "clup: TEXT" on stderr, unless text is empty. */
void cli_warn(const char *text);
/* Creates a context by clup_context_create and prints its warning. cli_context_begin, called
 * before, lets a thread begin with that, while the caller does something else; cli_context_drop
 * ends what was begun and is not needed. */
void cli_context_begin(const char *device);
void cli_context_drop(void);
clup_status cli_context_create(const char *device, clup_context **context);
/* Prints "clup: ..." on stderr. Returns the exit code of wrong usage. */
int cli_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Flushes standard output. When that fails, the program ends with an error. */
void cli_flush(void);
/* Returns the exit code for a program that ends with code: another than code when the output was
 * not written, or when a signal came too late to end any work. */
int cli_finish(int code);

/* Conversions of whole texts. They refuse values out of range by cli_refuse. */
/* A whole number from least to most, also written as 1e3 and 2.5e4. The second function has least =
 * 0. */
clup_status cli_parse_whole(const char *text, uint64_t least, uint64_t most, uint64_t *number);
clup_status cli_parse_u64(const char *text, uint64_t most, uint64_t *number);
clup_status cli_parse_double(const char *text, double *number);
/* A number as the sum of two, *number + *more, so that whole numbers of 64 bits are exact; and the
 * text of a sum that was read in this way. */
clup_status cli_parse_sum(const char *text, double *number, int64_t *more);
void cli_sum_text(double number, int64_t more, char text[40]);
/* A duration such as "90", "90s", "1.5m", "3h" or "1d"; at least 0 seconds. */
clup_status cli_parse_duration(const char *text, double *seconds);
/* Finds the row that is named text. name returns the name of each row, and NULL past the end. */
clup_status cli_parse_name(const char *text, const char *(*name)(size_t row), size_t *row);
/* What results are written as: table, csv, latex or json; sets *format to its number. */
enum { CLI_TABLE, CLI_CSV, CLI_LATEX, CLI_JSON, CLI_FORMATS };
clup_status cli_parse_format(const char *text, size_t *format);
/* Names of rows, for enumerations of clup.h. */
const char *cli_lattice_name(size_t row);
const char *cli_algorithm_name(size_t row);
const char *cli_strategy_name(size_t row);
/* Appends the numbers of "FROM:TO:N", both ends included, or "X,X,.." to numbers[count], which the
 * caller frees. */
clup_status cli_parse_numbers(const char *text, double **numbers, uint32_t *count);
/* Sets the elements of axes that are named, as in "x,z", to 1. */
clup_status cli_parse_axes(const char *text, int axes[3]);

/* From now on a first SIGINT or SIGTERM ends the work of the library, and a second one the program.
 * Shows progress unless quiet. */
void cli_watch(int quiet);
int cli_interrupted(void);
/* Also ends the work after so many seconds; cli_late tells afterwards whether it did. */
void cli_watch_for(double seconds);
int cli_late(void);
/* Seconds until a minute before the end of the Slurm job of this process, by SLURM_JOB_END_TIME. 0
 * when that time is past. INFINITY when the variable is not set, or, after a message, is not a
 * time. */
double cli_slurm_seconds(void);
/* For set functions: sets *number to the number of this task of a Slurm job array, from 0, and
 * *tasks to how many the array has, by SLURM_ARRAY_TASK_ID, .._MIN, .._MAX, .._STEP and .._COUNT.
 * Refuses a process that is in no such task, more than most tasks, and numbers of tasks that are
 * not evenly spaced. */
clup_status cli_slurm_share(uint32_t most, uint32_t *number, uint32_t *tasks);
/* Replaces the task that the library reports by this one in what is shown. With unit NULL, replaces
 * its name alone; with both NULL, replaces nothing any more. */
void cli_task(const char *what, const char *unit, uint64_t done, uint64_t total);
/* Removes the progress bar. Must be called before anything is printed. */
void cli_clear(void);
/* Prints "clup: interrupted: ..." on stderr. Returns the exit code. */
int cli_stopped(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints the kernels that a model has, for --help. */
void cli_print_kernels(FILE *to, clup_model model);
/* Writes the key device. */
void cli_write_device(json *json, const clup_device_info *device);

#endif
