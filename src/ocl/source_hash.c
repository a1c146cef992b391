/* SPDX-License-Identifier: BSD-3-Clause */
/* Strips sources of all that no compiler sees, and keeps the hash of each file. */
#include "ocl/source_hash.h"

#include <pthread.h>
#include <string.h>

#include "base/sha256.h"
#include "base/status.h"
#include "ocl/source.h"

/* More than the number of .cl files; the hashes of further files are not kept. */
#define FILES_MOST 256

/* ---- stripping ------------------------------------------------------------------------------- */

typedef struct stripper {
    clup_text *code;
    char last;       /* last character of the code, '\n' before the first */
    bool space;      /* white space or comments were read since last */
    bool directive;  /* in a line that begins with # */
    bool line_start; /* only white space was read of the line so far */
} stripper;

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Appends a word, a string or a sign. Puts a space before it if there was one that separates: two
 * words, two signs that would become one, or pieces in a directive, where a space tells whether a
 * macro has arguments. */
static void put(stripper *to, const char *piece, size_t length)
{
    if (to->space && to->last != '\n' && *piece != '\n' &&
        (to->directive || (is_word(to->last) && is_word(*piece)) || to->last == *piece))
        clup_text_add_bytes(to->code, " ", 1);
    clup_text_add_bytes(to->code, piece, length);
    to->last = piece[length - 1];
    to->space = false;
}

/* Ends a line: this ends a directive, and is white space elsewhere. */
static void end_line(stripper *to)
{
    if (to->directive)
        put(to, "\n", 1);
    to->directive = false;
    to->line_start = true;
    to->space = true;
}

/* Returns the end of a string or character that begins at text. */
static const char *after_quoted(const char *text)
{
    const char quote = *text++;
    while (*text != '\0' && *text != '\n' && *text != quote)
        text += text[0] == '\\' && text[1] != '\0' ? 2 : 1;
    return *text == quote ? text + 1 : text;
}

/* Returns the end of a comment or a continued line end that begins at text; text itself if none
 * does. */
static const char *after_comment(const char *text)
{
    if (text[0] == '\\' && text[1] == '\n')
        return text + 2;
    if (text[0] != '/' || (text[1] != '/' && text[1] != '*'))
        return text;
    const char *end = text[1] == '/' ? strchr(text, '\n') : strstr(text + 2, "*/");
    return end == NULL ? text + strlen(text) : text[1] == '/' ? end : end + 2;
}

/* Returns the end of the word, string or sign that begins at text. */
static const char *after_piece(const char *text)
{
    if (*text == '"' || *text == '\'')
        return after_quoted(text);
    const char *end = text + 1;
    while (is_word(*text) && is_word(*end))
        end++;
    return end;
}

void clup_source_strip(const char *source, clup_text *code)
{
    stripper to = {.code = code, .last = '\n', .line_start = true};
    for (const char *c = source, *after; *c != '\0'; c = after) {
        after = after_comment(c);
        if (to.line_start && strncmp(c, "#line", 5) == 0)
            after = c + strcspn(c, "\n");
        if (after > c)
            to.space = true;
        else if (*c == '\n') {
            end_line(&to);
            after = c + 1;
        } else if (*c == ' ' || *c == '\t' || *c == '\r') {
            to.space = true;
            after = c + 1;
        } else {
            if (to.line_start && *c == '#') {
                if (to.last != '\n')
                    put(&to, "\n", 1);
                to.directive = true;
            }
            to.line_start = false;
            after = after_piece(c);
            put(&to, c, (size_t)(after - c));
        }
    }
}

/* ---- hashes ---------------------------------------------------------------------------------- */

static struct kept {
    char file[64], hex[CLUP_SOURCE_HASH];
} kept[FILES_MOST];
static size_t kept_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool find(const char *file, char hex[CLUP_SOURCE_HASH])
{
    bool found = false;
    pthread_mutex_lock(&lock);
    for (size_t k = 0; k < kept_count && !found; k++)
        if ((found = strcmp(kept[k].file, file) == 0))
            memcpy(hex, kept[k].hex, CLUP_SOURCE_HASH);
    pthread_mutex_unlock(&lock);
    return found;
}

static void keep(const char *file, const char hex[CLUP_SOURCE_HASH])
{
    pthread_mutex_lock(&lock);
    if (kept_count < FILES_MOST && strlen(file) < sizeof kept->file) {
        struct kept *entry = &kept[kept_count++];
        memcpy(entry->file, file, strlen(file) + 1);
        memcpy(entry->hex, hex, CLUP_SOURCE_HASH);
    }
    pthread_mutex_unlock(&lock);
}

clup_status clup_source_hash(const char *file, char hex[CLUP_SOURCE_HASH])
{
    clup_text source = {0}, code = {0};
    clup_sha256_state hash;
    char whole[65];
    clup_status status = CLUP_OK;
    if (find(file, hex))
        return CLUP_OK;
    CLUP_TRY(clup_source_load(file, &source));
    clup_source_strip(source.data, &code);
    if (!clup_text_ok(&code)) {
        status = clup_fail_memory(file);
        goto done;
    }
    clup_sha256_start(&hash);
    clup_sha256_add(&hash, code.data, code.length);
    clup_sha256_finish(&hash, whole);
    memcpy(hex, whole, CLUP_SOURCE_HASH - 1);
    hex[CLUP_SOURCE_HASH - 1] = '\0';
    keep(file, hex);
done:
    clup_text_free(&source);
    clup_text_free(&code);
    return status;
}
