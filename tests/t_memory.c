/* SPDX-License-Identifier: BSD-3-Clause */
/* A request for more memory than the host has is refused before it reaches a driver, which might
 * end the process. Large transfers are complete. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "ocl/context.h"
#include "ocl/host_memory.h"
#include "tap.h"

/* Returns the bytes of address space in use. */
static uint64_t address_space(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    NEED(file == NULL || fscanf(file, "%lu", &pages) != 1);
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Limits the growth of the address space to more bytes. The device's threads may still give back
 * what earlier buffers had: first waits until the address space in use stays as it is. */
static void limit_to(uint64_t more)
{
    const struct timespec while_it_changes = {.tv_nsec = 20000000};
    uint64_t used = address_space();
    for (int same = 0, tries = 0; same < 10 && tries < 500; tries++) {
        const uint64_t before = used;
        nanosleep(&while_it_changes, NULL);
        used = address_space();
        same = used == before ? same + 1 : 0;
    }
    struct rlimit limit;
    NEED(getrlimit(RLIMIT_AS, &limit));
    limit.rlim_cur = used + more;
    NEED(setrlimit(RLIMIT_AS, &limit));
}

/* Writes some bytes in the middle of a buffer, and reads the whole, as on a device with its own
 * memory and on one with the host's. */
static void check_transfer(clup_context *context, uint64_t bytes, uint64_t offset, bool of_host)
{
    const uint64_t all = offset + bytes + 5;
    uint8_t *sent = malloc(bytes), *back = malloc(all);
    const bool shares_host = context->shares_host;
    const uint64_t least = clup_staged_least;
    cl_mem buffer;
    bool right = true;
    NEED(sent == NULL || back == NULL);
    NEED(clup_buffer_create_zero(context, all, "some", &buffer));
    for (uint64_t k = 0; k < bytes; k++)
        sent[k] = (uint8_t)(k * 2654435761u >> 24 | 1);
    context->shares_host = of_host;
    clup_staged_least = 1;
    NEED(clup_buffer_write(context, buffer, offset, bytes, sent));
    NEED(clup_buffer_read(context, buffer, 0, all, back));
    right = (of_host || context->staging.bytes != NULL) && memcmp(back + offset, sent, bytes) == 0;
    for (uint64_t k = 0; k < all; k += k + 1 == offset ? bytes + 1 : 1)
        right = right && back[k] == 0;
    right = right &&
            clup_buffer_write(context, buffer, all + 16, bytes, sent) == CLUP_ERROR_RUNTIME;
    clup_staged_least = least;
    context->shares_host = shares_host;
    clup_buffer_free(context, buffer);
    free(sent), free(back);
    ok(right, "%llu bytes arrive at %llu in pieces%s, come back, and do not go past the end",
       (unsigned long long)bytes, (unsigned long long)offset, of_host ? " where it is mapped" : "");
}

/* Fills the first bytes of a buffer in pieces, of which some are buffers of their own. */
static void check_fill(clup_context *context)
{
    enum { ALL = 40000, FILLED = 33000 };
    const uint64_t piece = clup_fill_piece, far = clup_fill_far;
    static uint8_t back[ALL];
    cl_mem buffer;
    unsigned wrong = 0;
    clup_fill_piece = 4096;
    clup_fill_far = 8192;
    NEED(clup_buffer_create_zero(context, ALL, "some", &buffer));
    NEED(clup_buffer_fill(context, CLUP_STAGES, buffer, FILLED, 0x5A));
    NEED(clup_buffer_read(context, buffer, 0, ALL, back));
    for (unsigned k = 0; k < ALL; k++)
        wrong += k < FILLED ? back[k] != 0x5A : k >= FILLED + 15 && back[k] != 0;
    ok(wrong == 0, "a buffer is filled in pieces: %u bytes are wrong", wrong);
    clup_fill_piece = piece;
    clup_fill_far = far;
    clup_buffer_free(context, buffer);
}

int main(void)
{
    const uint64_t megabyte = (uint64_t)1 << 20;
    clup_context *context;
    cl_mem buffer = NULL;
    NEED(clup_context_create(NULL, &context));
    check_fill(context);
    const uint64_t unlimited = clup_host_memory();
    ok(unlimited > 300 * megabyte, "the host has memory, %llu bytes",
       (unsigned long long)unlimited);
    ok(clup_buffer_create(context, 2 * megabyte, "some", &buffer) == CLUP_OK, "a buffer is made");
    clup_buffer_free(context, buffer);
    static const uint64_t sizes[] = {1,
                                     4095,
                                     8 * 1048576 - 1,
                                     8 * 1048576,
                                     8 * 1048576 + 1,
                                     2 * 8 * 1048576,
                                     5 * 8 * 1048576 + 4097};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int of_host = 0; of_host < (context->shares_host ? 2 : 1); of_host++)
            check_transfer(context, sizes[k], k % 2 ? 16 : 3, of_host);
            /* sanitizers need an unlimited address space */
#ifdef __SANITIZE_ADDRESS__
    const bool limitable = false;
#else
    const bool limitable = context->shares_host;
#endif
    if (!limitable) {
        clup_context_free(context);
        return done_testing();
    }
    limit_to(256 * megabyte);
    const uint64_t limited = clup_host_memory();
    ok(limited <= 300 * megabyte && limited > 200 * megabyte,
       "of 256 MB of address space %llu bytes are left", (unsigned long long)limited);
    const clup_status status = clup_buffer_create(context, 400 * megabyte, "the spins", &buffer);
    ok(status == CLUP_ERROR_MEMORY &&
           strstr(clup_error_detail(), "the spins need 419430400 bytes of the host's memory") !=
               NULL,
       "more is refused: %s", clup_error_detail());
    ok(clup_buffer_create(context, 2 * megabyte, "some", &buffer) == CLUP_OK,
       "what there is room for is not");
    clup_buffer_free(context, buffer);
    clup_context_free(context);
    return done_testing();
}
