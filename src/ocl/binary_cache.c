/* SPDX-License-Identifier: BSD-3-Clause */
/* An entry is a file with a description of all that the binary depends on, a line with the hash of
 * description and binary, and the binary. The description has a line for each part, with its
 * length. Its hash is the name of the file, so that no entry is taken for that of another program,
 * device or driver. */
#include "ocl/binary_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/sha256.h"
#include "base/watch.h"

#define EXTENSION ".bin"
/* The first line of an entry, with the version of its format. */
#define FORMAT "clup program 1\n"
#define HASH_LINE 72 /* "sha256 ", the hash, end of line */

static bool is_wanted(const clup_context *context)
{
    const char *wish = getenv("CLUP_CACHE");
    if (wish != NULL && *wish != '\0')
        return strcmp(wish, "1") == 0;
    return !context->quirks.caches_binaries;
}

/* Returns the folder, with a slash at its end; empty if none is known. */
static clup_text folder(void)
{
    const char *own = getenv("CLUP_CACHE_DIR");
    clup_text path = {0};
    if (own != NULL && *own != '\0')
        clup_text_add(&path, "%s/", own);
    else
        clup_file_user_folder(CLUP_USER_CACHE, &path);
    return path;
}

void clup_binary_cache_open(clup_context *context)
{
    context->keeps_programs = is_wanted(context);
    if (!context->keeps_programs && !context->quirks.builds_alone)
        return;
    clup_text path = folder();
    /* a cache that cannot be made is no failure, and gives no warning */
    if (clup_text_ok(&path) && clup_file_make_folders(path.data) == CLUP_OK) {
        if (clup_file_own_folder(path.data) == CLUP_OK)
            context->cache = strdup(path.data);
        else if (context->keeps_programs)
            snprintf(context->warning, sizeof context->warning, "built kernels are not kept: %s",
                     clup_error_detail());
    }
    clup_text_free(&path);
}

static void add_part(clup_text *description, const char *name, const char *value)
{
    clup_text_add(description, "%s %zu %s\n", name, strlen(value), value);
}

/* Writes the description; leaves it empty where a part is not known. */
static void describe(const clup_context *context, const clup_text *source, const char *options,
                     clup_text *description)
{
    const clup_device_info *info = &context->device.info;
    char hash[65], *version;
    if (clup_platform_text(context->device.platform, CL_PLATFORM_VERSION, &version) == CL_SUCCESS &&
        version != NULL) {
        clup_sha256(source->data, source->length, hash);
        clup_text_add(description, FORMAT);
        add_part(description, "clup", clup_version());
        add_part(description, "platform", info->platform);
        add_part(description, "platform_version", version);
        add_part(description, "vendor", info->vendor);
        add_part(description, "device", info->name);
        add_part(description, "driver", info->driver);
        add_part(description, "options", options);
        add_part(description, "source_sha256", hash);
    }
    free(version);
}

void clup_binary_entry_create(const clup_context *context, const clup_text *source,
                              const char *options, clup_binary_entry *entry)
{
    char key[65];
    *entry = (clup_binary_entry){0};
    if (context->cache == NULL)
        return;
    describe(context, source, options, &entry->description);
    if (!clup_text_ok(&entry->description))
        return;
    clup_sha256(entry->description.data, entry->description.length, key);
    if (context->keeps_programs)
        clup_text_add(&entry->path, "%s%s" EXTENSION, context->cache, key);
    /* one of a few lock files, which are never removed */
    clup_text_add(&entry->lock, "%sbuilding-%c", context->cache, key[0]);
}

void clup_binary_entry_free(clup_binary_entry *entry)
{
    clup_text_free(&entry->path);
    clup_text_free(&entry->description);
    clup_text_free(&entry->lock);
}

/* Seconds to wait for another process that builds. */
#define PATIENCE 60

clup_status clup_binary_entry_hold(const clup_binary_entry *entry, int *held)
{
    const clup_status status = clup_text_ok(&entry->lock)
                                   ? clup_file_lock(entry->lock.data, PATIENCE, held)
                                   : CLUP_ERROR_RUNTIME;
    if (status != CLUP_OK)
        *held = -1;
    return status == CLUP_INTERRUPTED ? status : CLUP_OK;
}

void clup_binary_entry_release(int held)
{
    if (held >= 0)
        clup_file_unlock(held);
}

static void sign(const clup_text *description, const void *binary, size_t size,
                 char line[HASH_LINE + 1])
{
    char hash[65];
    clup_sha256_state state;
    clup_sha256_start(&state);
    clup_sha256_add(&state, description->data, description->length);
    clup_sha256_add(&state, binary, size);
    clup_sha256_finish(&state, hash);
    snprintf(line, HASH_LINE + 1, "sha256 %s\n", hash);
}

/* Returns the binary if the file is the whole entry of this description, else NULL. */
static const unsigned char *binary_of(const clup_text *description, const clup_text *file,
                                      size_t *size)
{
    const size_t before = description->length + HASH_LINE;
    char line[HASH_LINE + 1];
    if (file->length <= before || memcmp(file->data, description->data, description->length) != 0)
        return NULL;
    *size = file->length - before;
    sign(description, file->data + before, *size, line);
    return memcmp(file->data + description->length, line, HASH_LINE) == 0
               ? (const unsigned char *)file->data + before
               : NULL;
}

cl_program clup_binary_cache_load(const clup_context *context, const clup_binary_entry *entry,
                                  const char *options)
{
    clup_text file = {0};
    cl_program program = NULL;
    cl_int code;
    size_t size;
    /* an entry that is not read to its end counts as missing: the watch is heeded afterwards */
    clup_watch_hold();
    const bool is_read = clup_text_ok(&entry->path) &&
                         clup_file_read_own(entry->path.data, &file) == CLUP_OK;
    clup_watch_release();
    if (!is_read)
        goto done;
    const unsigned char *binary = binary_of(&entry->description, &file, &size);
    if (binary == NULL)
        goto done;
    program = clCreateProgramWithBinary(context->handle, 1, &context->device.id, &size, &binary,
                                        NULL, &code);
    if (code == CL_SUCCESS &&
        clBuildProgram(program, 1, &context->device.id, options, NULL, NULL) == CL_SUCCESS)
        goto done;
    if (program != NULL)
        clReleaseProgram(program);
    program = NULL;
done:
    clup_text_free(&file);
    return program;
}

void clup_binary_cache_store(const clup_binary_entry *entry, cl_program program)
{
    size_t size = 0;
    unsigned char *binary = NULL;
    char line[HASH_LINE + 1];
    if (clup_text_ok(&entry->path) &&
        clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) ==
            CL_SUCCESS &&
        size > 0 && (binary = malloc(size)) != NULL &&
        clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) ==
            CL_SUCCESS) {
        sign(&entry->description, binary, size, line);
        const clup_piece pieces[] = {{entry->description.data, entry->description.length},
                                     {line, HASH_LINE},
                                     {binary, size}};
        /* an entry that cannot be written is no failure */
        clup_watch_hold();
        if (clup_file_write_own(entry->path.data, pieces, 3) == CLUP_OK)
            clup_file_sweep(entry->path.data, EXTENSION);
        clup_watch_release();
    }
    free(binary);
}
