/* SPDX-License-Identifier: BSD-3-Clause */
/* The completion for bash. It does not use the package bash-completion. */
#include "cli/completion/completion.h"

static void print_bash_value(const cli_option *option)
{
    printf(" words='");
    completion_print_words(option);
    printf("' files='");
    completion_print_files(option);
    printf("' separator='%s'", completion_separator(option));
}

static void print_bash_command(const cli_command *command)
{
    for (const cli_option *option = cli_options(command->options); option->name != NULL; option++) {
        if (!cli_needs_value(option))
            continue;
        printf("    '%s --%s'", command->name, option->name);
        if (option->letter != 0)
            printf(" | '%s -%c'", command->name, option->letter);
        fputc(')', stdout);
        print_bash_value(option);
        puts(" ;;");
    }
    printf("    '%s '*)", command->name);
    if (command->operand != NULL)
        print_bash_value(&command->operand->option);
    printf(" options='");
    for (const cli_option *option = cli_options(command->options); option->name != NULL; option++)
        printf("--%s ", option->name);
    puts("--help' ;;");
}

void completion_print_bash(const cli_command *const *commands)
{
    puts("# bash completion for clup: what \"clup completion bash\" prints\n"
         "_clup()\n"
         "{\n"
         "    local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} "
         "words='' files='' separator='' options='' head='' extension\n"
         "    # --option=value is three words\n"
         "    if [[ $current == '=' ]]; then\n"
         "        current=''\n"
         "    elif [[ $option == '=' ]]; then\n"
         "        option=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "    fi\n"
         "    if ((COMP_CWORD == 1)); then");
    printf("        words='");
    for (const cli_command *const *command = commands; *command != NULL; command++)
        printf("%s ", (*command)->name);
    puts("--help --version'\n"
         "    fi\n"
         "    ((COMP_CWORD == 1)) || case \"${COMP_WORDS[1]} $option\" in");
    for (const cli_command *const *command = commands; *command != NULL; command++)
        print_bash_command(*command);
    puts("    esac\n"
         "    if [[ -n $options && ($current == -* || -z $words$files) ]]; then\n"
         "        words=$options files=''\n"
         "    fi\n"
         "    if [[ -n $separator && $current == *,* ]]; then\n"
         "        head=${current%,*}, current=${current##*,}\n"
         "    fi\n"
         "    mapfile -t COMPREPLY < <(compgen -P \"$head\" -W \"$words\" -- \"$current\")\n"
         "    if [[ -n $separator || ${COMPREPLY[0]-} == *= ]]; then\n"
         "        compopt -o nospace 2> /dev/null\n"
         "    fi\n"
         "    [[ -n $files ]] || return 0\n"
         "    compopt -o filenames 2> /dev/null\n"
         "    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(\n"
         "        if [[ $files == '*' ]]; then\n"
         "            compgen -f -- \"$current\"\n"
         "        else\n"
         "            compgen -d -- \"$current\"\n"
         "            for extension in $files; do\n"
         "                compgen -f -X \"!*.$extension\" -- \"$current\"\n"
         "            done\n"
         "        fi\n"
         "    )\n"
         "}\n"
         "complete -F _clup clup");
}
