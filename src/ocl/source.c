/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads a kernel's source and resolves its includes, so that the same text is compiled, hashed and
 * cached. */
#include "ocl/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/sha256.h"

typedef struct loader {
    clup_text *source;
    const char *seen[64]; /* names of files included so far, which point into the table or into
                             texts of files */
    size_t seen_count;
} loader;

clup_status clup_embedded_text(const char *file, clup_text *text)
{
    for (const clup_embedded_file *entry = clup_embedded_files; entry->name != NULL; entry++)
        if (strcmp(entry->name, file) == 0) {
            for (const char *const *line = entry->lines; *line != NULL; line++)
                clup_text_add_bytes(text, *line, strlen(*line));
            return clup_text_ok(text) ? CLUP_OK : clup_fail_memory(file);
        }
    return clup_fail(CLUP_ERROR_BUILD, "no file %s in the library", file);
}

static clup_status read_file(const char *file, clup_text *text)
{
    const char *folder = getenv("CLUP_CL_PATH");
    if (folder != NULL && *folder != '\0') {
        clup_text path = {0};
        clup_text_add(&path, "%s/%s", folder, file);
        clup_status status = clup_text_ok(&path) ? clup_file_read(path.data, text)
                                                 : clup_fail_memory(file);
        clup_text_free(&path);
        return status;
    }
    return clup_embedded_text(file, text);
}

/* Returns the path in cl/ of a kernel's file, whose name is in one folder of cl/ only. A file that
 * is named with its folder, or that is in no folder, keeps its name. */
static const char *path_of(const char *file)
{
    for (const clup_embedded_file *entry = clup_embedded_files; entry->name != NULL; entry++) {
        const char *folder_end = strchr(entry->name, '/');
        if (folder_end != NULL && strcmp(folder_end + 1, file) == 0)
            return entry->name;
    }
    return file;
}

/* Returns the name in a line `#include "name"`, which the caller frees; *name is NULL in other
 * lines. */
static clup_status included(const char *line, size_t length, char **name)
{
    static const char start[] = "#include \"";
    *name = NULL;
    if (length < sizeof start || memcmp(line, start, sizeof start - 1) != 0)
        return CLUP_OK;
    const char *from = line + sizeof start - 1,
               *end = memchr(from, '"', length - (sizeof start - 1));
    if (end == NULL)
        return CLUP_OK;
    *name = strndup(from, (size_t)(end - from));
    return *name != NULL ? CLUP_OK : clup_fail_memory("the name of an included file");
}

static int seen_before(loader *loader, const char *name)
{
    for (size_t k = 0; k < loader->seen_count; k++)
        if (strcmp(loader->seen[k], name) == 0)
            return 1;
    return 0;
}

static clup_status add(loader *loader, char *name)
{
    clup_text text = {0};
    clup_status status = CLUP_OK;
    unsigned line_number = 1;
    if (loader->seen_count == sizeof loader->seen / sizeof *loader->seen) {
        free(name);
        return clup_fail(CLUP_ERROR_BUILD, "too many files included");
    }
    loader->seen[loader->seen_count++] = name;
    CLUP_TRY(read_file(name, &text));
    clup_text_add(loader->source, "#line 1 \"%s\"\n", name);
    for (const char *line = text.data; *line != '\0'; line_number++) {
        const char *end = strchr(line, '\n');
        size_t length = end != NULL ? (size_t)(end - line) + 1 : strlen(line);
        char *inner;
        CLUP_TRY(included(line, length, &inner));
        if (inner == NULL)
            clup_text_add_bytes(loader->source, line, length);
        else if (seen_before(loader, inner)) {
            clup_text_add(loader->source, "\n");
            free(inner);
        } else {
            CLUP_TRY(add(loader, inner));
            clup_text_add(loader->source, "\n#line %u \"%s\"\n", line_number + 1, name);
        }
        line += length;
    }
done:
    clup_text_free(&text);
    return status;
}

clup_status clup_source_load(const char *file, clup_text *source)
{
    loader loader = {.source = source};
    char *name = strdup(path_of(file));
    clup_status status = name != NULL ? add(&loader, name) : clup_fail_memory(file);
    for (size_t k = 0; k < loader.seen_count; k++)
        free((char *)loader.seen[k]);
    if (status == CLUP_OK && !clup_text_ok(source))
        status = clup_fail_memory(file);
    return status;
}

clup_status clup_sources_hash(char hex[65])
{
    clup_sha256_state hash;
    clup_sha256_start(&hash);
    clup_sha256_add(&hash, clup_version(), strlen(clup_version()) + 1);
    for (const clup_embedded_file *entry = clup_embedded_files; entry->name != NULL; entry++) {
        clup_text text = {0};
        const char *extension = strrchr(entry->name, '.');
        if (extension == NULL || (strcmp(extension, ".cl") != 0 && strcmp(extension, ".clh") != 0))
            continue;
        const clup_status status = read_file(entry->name, &text);
        /* the folder of CLUP_CL_PATH need not have all files */
        if (status == CLUP_OK) {
            clup_sha256_add(&hash, entry->name, strlen(entry->name) + 1);
            clup_sha256_add(&hash, text.data, text.length + 1);
        }
        clup_text_free(&text);
        if (status != CLUP_OK && status != CLUP_ERROR_RUNTIME)
            return status;
    }
    clup_sha256_finish(&hash, hex);
    return CLUP_OK;
}
