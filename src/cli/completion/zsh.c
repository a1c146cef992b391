/* SPDX-License-Identifier: BSD-3-Clause */
/* The completion for zsh, by its function _arguments. */
#include <string.h>

#include "cli/completion/completion.h"

/* Prints a text inside single quotes, and escapes colons and brackets, which _arguments
 * interprets. */
static void print_zsh_text(const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            printf("%s%c", strchr(":[]\\", *text) != NULL ? "\\" : "", *text);
}

/* Prints the possible values, after the message that describes the value. */
static void print_zsh_value(const cli_option *option, const char *message)
{
    fputc(':', stdout);
    print_zsh_text(message);
    printf(": _clup_value \"");
    completion_print_words(option);
    printf("\" \"");
    completion_print_files(option);
    printf("\" \"%s\"", completion_separator(option));
}

/* Prints one spelling of an option, which excludes the other spelling. */
static void print_zsh_option(const cli_option *option, const char *spelling, const char *short_form,
                             const char *value_mark)
{
    printf(" \\\n            '(--%s%s)%s%s[", option->name, short_form, spelling,
           cli_needs_value(option) ? value_mark : "");
    print_zsh_text(option->help);
    fputc(']', stdout);
    if (cli_needs_value(option))
        print_zsh_value(option, option->argument);
    fputc('\'', stdout);
}

static void print_zsh_command(const cli_command *command)
{
    printf("        %s)\n            _arguments '(- *)'{-h,--help}'[the options of the command]'",
           command->name);
    for (const cli_option *option = cli_options(command->options); option->name != NULL; option++) {
        char spelling[64], short_form[8] = "";
        if (option->letter != 0) {
            snprintf(short_form, sizeof short_form, " -%c", option->letter);
            print_zsh_option(option, short_form + 1, short_form, "+");
        }
        snprintf(spelling, sizeof spelling, "--%s", option->name);
        print_zsh_option(option, spelling, short_form, "=");
    }
    if (command->operand != NULL) {
        printf(" \\\n            '%s", command->operand->most > 1 ? "*" : "1");
        print_zsh_value(&command->operand->option, command->operand->option.name);
        fputc('\'', stdout);
    }
    puts(" ;;");
}

void completion_print_zsh(const cli_command *const *commands)
{
    puts("#compdef clup\n"
         "# zsh completion for clup: what \"clup completion zsh\" prints\n"
         "\n"
         "# WORDS EXTENSIONS SEPARATOR: values of an option\n"
         "_clup_value()\n"
         "{\n"
         "    local -a whole=(${=1}) open extensions=(${=2})\n"
         "    local found=1\n"
         "    open=(${(M)whole:#*=})\n"
         "    whole=(${whole:#*=})\n"
         "    [[ -z $3 ]] || compset -P '*,'\n"
         "    compadd -q -S \"${3:- }\" -a whole && found=0\n"
         "    compadd -S '' -a open && found=0\n"
         "    if [[ $2 == '*' ]]; then\n"
         "        _files && found=0\n"
         "    elif [[ -n $2 ]]; then\n"
         "        _files -g \"*.(#i)(${(j:|:)extensions})\" && found=0\n"
         "    fi\n"
         "    return found\n"
         "}\n"
         "\n"
         "_clup()\n"
         "{\n"
         "    local curcontext=$curcontext state line\n"
         "    local -a commands\n"
         "    commands=(");
    for (const cli_command *const *command = commands; *command != NULL; command++) {
        printf("        '%s:", (*command)->name);
        print_zsh_text((*command)->about);
        puts("'");
    }
    puts("    )\n"
         "    _arguments -C '(- *)'{-h,--help}'[the commands]' '(- *)--version[the version]' "
         "'1:command:->command' '*::argument:->argument' && return\n"
         "    case $state in\n"
         "    command) _describe -t commands command commands ;;\n"
         "    argument)\n"
         "        case $line[1] in");
    for (const cli_command *const *command = commands; *command != NULL; command++)
        print_zsh_command(*command);
    puts("        esac ;;\n"
         "    esac\n"
         "}\n"
         "\n"
         "# found in fpath, or read by source\n"
         "if [[ $funcstack[1] == _clup ]]; then\n"
         "    _clup \"$@\"\n"
         "else\n"
         "    compdef _clup clup\n"
         "fi");
}
