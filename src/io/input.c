/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads files only as far as their formats say that they go. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/watch.h"
#include "base/workers.h"
#include "io/image.h"
#include "ocl/host_memory.h"

/* The least room, and the most that the system is asked for at once. */
#define ROOM_LEAST 65536
#define READ_MOST ((uint64_t)1 << 30)

clup_status clup_input_fail(const clup_input *input, const char *format, ...)
{
    char what[512];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return clup_fail(CLUP_ERROR_RUNTIME, "%s: %s", input->name, what);
}

static clup_status fail_system(const clup_input *input, int error)
{
    return error == ENOMEM ? clup_fail_memory(input->name)
                           : clup_input_fail(input, "%s", strerror(error));
}

clup_status clup_input_open(const char *path, uint64_t most, clup_input *input)
{
    const bool standard = strcmp(path, "-") == 0;
    struct stat found;
    *input = (clup_input){.name = standard ? "standard input" : path, .most = most};
    while ((input->descriptor = standard ? STDIN_FILENO
                                         : open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC)) < 0)
        if (errno != EINTR)
            return fail_system(input, errno);
        else if (clup_watch_ask() != CLUP_OK)
            return clup_fail(CLUP_INTERRUPTED, "%s was not opened", input->name);
    input->more = true;
    const off_t at = lseek(input->descriptor, 0, SEEK_CUR);
    if (at >= 0 && fstat(input->descriptor, &found) == 0 && S_ISREG(found.st_mode) &&
        found.st_size > at)
        input->all = (uint64_t)(found.st_size - at);
    input->start = at > 0 ? (uint64_t)at : 0;
    return CLUP_OK;
}

void clup_input_close(clup_input *input)
{
    if (input->source != NULL)
        input->release(input->source);
    input->source = NULL;
    if (input->descriptor > STDIN_FILENO)
        close(input->descriptor);
    free(input->bytes);
    input->bytes = NULL;
}

clup_status clup_input_room(const clup_input *input, uint64_t bytes)
{
    return bytes <= clup_host_memory() ? CLUP_OK : clup_fail_memory(input->name);
}

/* Makes room for more bytes: for all that are wanted if the file has them, else for twice as many
 * as before; and for some more that may be wanted next. */
static clup_status make_room(clup_input *input, uint64_t wanted)
{
    uint64_t capacity = 2 * (uint64_t)input->size > ROOM_LEAST ? 2 * (uint64_t)input->size
                                                               : ROOM_LEAST;
    if (input->all > capacity)
        capacity = input->all;
    if (capacity > wanted + ROOM_LEAST)
        capacity = wanted + ROOM_LEAST;
    if (capacity <= input->capacity)
        return CLUP_OK;
    const clup_status status = clup_input_room(input, capacity - input->capacity);
    if (status != CLUP_OK)
        return status;
    uint8_t *larger = capacity <= SIZE_MAX ? realloc(input->bytes, (size_t)capacity) : NULL;
    if (larger == NULL)
        return clup_fail_memory(input->name);
    input->bytes = larger;
    input->capacity = (size_t)capacity;
    return CLUP_OK;
}

/* Reads on, or at *offset if offset is not NULL: up to so many bytes; *got of them, 0 at the
 * end. */
static clup_status read_some(const clup_input *input, const uint64_t *offset, uint64_t bytes,
                             void *to, size_t *got)
{
    const size_t most = (size_t)(bytes < READ_MOST ? bytes : READ_MOST);
    for (;;) {
        const ssize_t count = offset != NULL ? pread(input->descriptor, to, most, (off_t)*offset)
                                             : read(input->descriptor, to, most);
        const int error = errno;
        if (clup_watch_ask() != CLUP_OK)
            return clup_fail(CLUP_INTERRUPTED, "%s was not read to its end", input->name);
        if (count < 0 && error == EINTR)
            continue;
        if (count < 0)
            return fail_system(input, error);
        *got = (size_t)count;
        return CLUP_OK;
    }
}

clup_status clup_input_reach(clup_input *input, uint64_t size)
{
    /* reads one byte above the limit, to know whether the file exceeds it */
    const uint64_t wanted = size > input->most ? input->most + 1 : size;
    clup_status status = CLUP_OK;
    while (input->more && input->size < wanted) {
        if (input->size == input->capacity)
            CLUP_TRY(make_room(input, wanted));
        const uint64_t room = input->capacity < wanted ? input->capacity : wanted;
        size_t got;
        uint8_t *to = input->bytes + input->size;
        CLUP_TRY(input->source != NULL ? input->read(input->source, room - input->size, to, &got)
                                       : read_some(input, NULL, room - input->size, to, &got));
        input->more = got > 0;
        input->size += got;
    }
    if (input->size > input->most)
        return clup_fail(CLUP_ERROR_MEMORY, "%s: more bytes than the limit, %" PRIu64, input->name,
                         input->most);
done:
    return status;
}

static clup_status read_piece(const clup_input *input, uint64_t offset, uint64_t bytes, void *to)
{
    clup_status status = CLUP_OK;
    uint8_t *at = to;
    while (bytes > 0) {
        size_t got;
        CLUP_TRY(read_some(input, &offset, bytes, at, &got));
        if (got == 0)
            return clup_input_fail(input, "the file has become shorter");
        at += got;
        offset += got;
        bytes -= got;
    }
done:
    return status;
}

/* Bytes that a thread reads at a time. */
#define PIECE ((uint64_t)4 << 20)

/* A read of bytes from offset on. */
typedef struct reading {
    const clup_input *input;
    uint64_t offset;
    uint8_t *to;
} reading;

static clup_status read_items(void *user, unsigned worker, uint64_t first, uint64_t end)
{
    const reading *reading = user;
    (void)worker;
    return read_piece(reading->input, reading->offset + first, end - first, reading->to + first);
}

clup_status clup_input_read_at(const clup_input *input, uint64_t offset, uint64_t bytes, void *to)
{
    reading reading = {input, offset, to};
    return clup_workers_share(clup_carriers(), bytes, PIECE, read_items, &reading);
}

uint64_t clup_input_bytes(const clup_input *input)
{
    return input->more && input->all > input->size ? input->all : input->size;
}

bool clup_input_ends_before(const clup_input *input, uint64_t size)
{
    return (!input->more || input->all > 0) && clup_input_bytes(input) < size;
}
