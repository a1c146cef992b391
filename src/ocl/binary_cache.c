/* An entry is a file named by its key: the hash of the binary in hexadecimal, a newline, the binary. */
#include "ocl/binary_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/sha256.h"

#define HEADER 65

bool clup_binary_cache_enabled(const clup_context *context)
{
    const char *wish = getenv("CLUP_CACHE");
    if (wish != NULL && *wish != '\0')
        return strcmp(wish, "1") == 0;
    return !context->quirks.caches_binaries;
}

/* Path of an entry; empty where no folder is known. */
static clup_text path_of(const char *key)
{
    const char *own = getenv("CLUP_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    clup_text path = {0};
    if (own != NULL && *own != '\0')
        clup_text_add(&path, "%s/%s.bin", own, key);
    else if (xdg != NULL && *xdg != '\0')
        clup_text_add(&path, "%s/clup/%s.bin", xdg, key);
    else if (home != NULL && *home != '\0')
        clup_text_add(&path, "%s/.cache/clup/%s.bin", home, key);
    return path;
}

void clup_binary_cache_key(const clup_context *context, const clup_text *source, const char *options, char key[65])
{
    const clup_device_info *info = &context->device.info;
    const char *parts[] = {clup_version(), info->platform, info->vendor, info->name, info->driver, options};
    char *version;
    (void)clup_platform_text(context->device.platform, CL_PLATFORM_VERSION, &version);
    clup_sha256_state hash;
    clup_sha256_start(&hash);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        clup_sha256_add(&hash, parts[k], strlen(parts[k]) + 1);
    if (version != NULL)
        clup_sha256_add(&hash, version, strlen(version) + 1);
    clup_sha256_add(&hash, source->data, source->length);
    clup_sha256_finish(&hash, key);
    free(version);
}

cl_program clup_binary_cache_load(clup_context *context, const char *key, const char *options)
{
    clup_text path = path_of(key), entry = {0};
    cl_program program = NULL;
    char hash[65];
    cl_int code;
    if (!clup_text_ok(&path) || clup_file_read(path.data, &entry) != CLUP_OK || entry.length <= HEADER)
        goto done;
    const unsigned char *binary = (const unsigned char *)entry.data + HEADER;
    size_t size = entry.length - HEADER;
    clup_sha256(binary, size, hash);
    if (memcmp(hash, entry.data, 64) != 0)
        goto done;
    program = clCreateProgramWithBinary(context->handle, 1, &context->device.id, &size, &binary, NULL, &code);
    if (code == CL_SUCCESS && clBuildProgram(program, 1, &context->device.id, options, NULL, NULL) == CL_SUCCESS)
        goto done;
    if (program != NULL)
        clReleaseProgram(program);
    program = NULL;
done:
    clup_text_free(&path);
    clup_text_free(&entry);
    return program;
}

void clup_binary_cache_store(cl_program program, const char *key)
{
    clup_text path = path_of(key);
    size_t size = 0;
    unsigned char *binary = NULL;
    char header[HEADER];
    if (clup_text_ok(&path) && clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) == CL_SUCCESS &&
        size > 0 && (binary = malloc(size)) != NULL &&
        clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS &&
        clup_file_make_folders(path.data) == CLUP_OK) {
        clup_sha256(binary, size, header);
        header[64] = '\n';
        clup_piece pieces[] = {{header, HEADER}, {binary, size}};
        /* a cache that cannot be written is no failure */
        (void)clup_file_write(path.data, pieces, 2);
    }
    free(binary);
    clup_text_free(&path);
}
