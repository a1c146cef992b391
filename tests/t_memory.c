/* Memory that the host has not is refused before a driver is asked for it, which may end the
 * process. */
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "ocl/context.h"
#include "ocl/host_memory.h"
#include "tap.h"

/* The address space may grow by so much. */
static void limit_to(uint64_t more)
{
    struct rlimit limit;
    NEED(getrlimit(RLIMIT_AS, &limit));
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    NEED(file == NULL || fscanf(file, "%lu", &pages) != 1);
    fclose(file);
    limit.rlim_cur = pages * (uint64_t)sysconf(_SC_PAGESIZE) + more;
    NEED(setrlimit(RLIMIT_AS, &limit));
}

int main(void)
{
    const uint64_t megabyte = (uint64_t)1 << 20;
    clup_context *context;
    cl_mem buffer = NULL;
    NEED(clup_context_create(NULL, &context));
    const uint64_t unlimited = clup_host_memory();
    ok(unlimited > 300 * megabyte, "the host has memory, %llu bytes",
       (unsigned long long)unlimited);
    ok(clup_buffer_create(context, 2 * megabyte, "some", &buffer) == CLUP_OK, "a buffer is made");
    clup_buffer_free(context, buffer);
    /* the address space of sanitizers is not to be limited */
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
    ok(limited <= 256 * megabyte && limited > 240 * megabyte,
       "of 256 MB of address space %llu bytes are left", (unsigned long long)limited);
    const clup_status status = clup_buffer_create(context, 300 * megabyte, "the spins", &buffer);
    ok(status == CLUP_ERROR_MEMORY &&
           strstr(clup_error_detail(), "the spins need 314572800 bytes of the host's memory") !=
               NULL,
       "more is refused: %s", clup_error_detail());
    ok(clup_buffer_create(context, 2 * megabyte, "some", &buffer) == CLUP_OK,
       "what there is room for is not");
    clup_buffer_free(context, buffer);
    clup_context_free(context);
    return done_testing();
}
