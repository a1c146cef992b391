/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the possible values of an option from its argument in the help, see cli_option. */
#include <string.h>

#include "cli/completion/completion.h"

/* One of the values that an argument's text allows. */
typedef struct item {
    const char *text;
    size_t length;
    enum {
        WORD,
        AXES,
        ANY_FILE,
        EXTENSION,
        OTHER
    } kind; /* AXES: words separated by commas; OTHER: nothing to complete */
} item;

/* Gets the next item of "F.npy|-|tolerance=T|f32[le|be]|x,y,z|N"; returns 0 at the end. */
static int next_item(const char **rest, item *item)
{
    const char *text = *rest, *end;
    if (text == NULL || *text == '\0')
        return 0;
    size_t length = strcspn(text, "|["), capital = strcspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    end = text + length;
    end += *end == '[' ? strcspn(end, "]") : 0;
    end += strcspn(end, "|");
    *rest = *end != '\0' ? end + 1 : end;
    item->text = text;
    item->length = length;
    item->kind = memchr(text, ',', length) != NULL ? AXES : WORD;
    if (text[0] == 'F' && length == 1) {
        item->kind = ANY_FILE;
    } else if (strncmp(text, "F.", 2) == 0) {
        item->kind = EXTENSION;
        item->text += 2;
        item->length -= 2;
    } else if (capital < length) {
        item->kind = capital > 0 && text[capital - 1] == '=' ? WORD : OTHER;
        item->length = capital;
    }
    return 1;
}

static const char *kernel_word(const cli_option *option, size_t row)
{
    for (clup_stage stage = 0; clup_stage_name(stage) != NULL; stage++)
        if (strcmp(clup_stage_name(stage), option->name) == 0)
            return clup_kernel_name(stage, row);
    return NULL;
}

static const char *rng_word(const cli_option *option, size_t row)
{
    (void)option;
    return clup_rng_name(row);
}

static const char *device_word(const cli_option *option, size_t row)
{
    static const char *const words[] = {"gpu", "accelerator", "cpu", NULL};
    (void)option;
    return words[row];
}

/* Arguments whose values are names; NULL past the last. */
static const struct {
    const char *argument;
    const char *(*word)(const cli_option *option, size_t row);
} names[] = {{"K", kernel_word}, {"G", rng_word}, {"D", device_word}};

void completion_print_words(const cli_option *option)
{
    const char *rest = option->argument, *word, *space = "";
    for (item item; next_item(&rest, &item);)
        for (size_t k = 0; (item.kind == WORD || item.kind == AXES) && k < item.length;
             k++, space = " ") {
            const int first = k == 0 || item.text[k - 1] == ',';
            if (item.text[k] != ',')
                printf("%s%c", first ? space : "", item.text[k]);
        }
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        for (size_t row = 0; strcmp(names[k].argument, option->argument) == 0 &&
                             (word = names[k].word(option, row)) != NULL;
             row++)
            printf("%s%s", row > 0 ? " " : "", word);
}

void completion_print_files(const cli_option *option)
{
    const char *rest = option->argument, *space = "";
    for (item item; next_item(&rest, &item);)
        if (item.kind == ANY_FILE || item.kind == EXTENSION) {
            printf("%s%.*s", space, item.kind == ANY_FILE ? 1 : (int)item.length,
                   item.kind == ANY_FILE ? "*" : item.text);
            space = " ";
        }
}

const char *completion_separator(const cli_option *option)
{
    const char *rest = option->argument;
    for (item item; next_item(&rest, &item);)
        if (item.kind == AXES)
            return ",";
    return "";
}
